//! Prints the links of a part of a mailbox that were broken over lines, with the ids of their
//! messages.

#![allow(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;

use rehref::Mailbox;
use rehref::link::Note;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: mail_links MAILBOX")?;
    for document in Mailbox::open(path)?.slice(0..1 << 20) {
        let document = document?;
        let id = document.message_id().unwrap_or_default();
        let links = document.links();
        for link in links.iter().filter(|link| link.notes().contains(Note::Rejoined)) {
            println!("{id}\t{}", link.reference());
        }
    }
    Ok(())
}
