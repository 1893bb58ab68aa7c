//! Prints the links of any files: pages, texts, mailboxes, compressed or not.

#![allow(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    for path in std::env::args_os().skip(1) {
        for document in rehref::open(path)? {
            let document = document?;
            for link in &document.links() {
                println!("{}:{}\t{}", document.name(), link.line(), link.url_or_reference());
            }
        }
    }
    Ok(())
}
