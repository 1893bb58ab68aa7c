//! Replaces one host by another in the links of a page: a function is a rule.

#![allow(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;

use rehref::uri::Parts;
use rehref::{Action, Link};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let [path, old, new] = [(); 3].map(|()| arguments.next().unwrap_or_default());
    for document in rehref::open(path)? {
        let document = document?;
        let links = document.links();
        let plan = links.rewrite(&|link: &Link<'_>| match link.host() {
            // A relative reference spells no host: it stays.
            Some(host) if host.eq_ignore_ascii_case(&old) => {
                match Parts::split(link.reference()).host() {
                    Some(host) => Action::Replace(link.reference().replacen(host, &new, 1)),
                    None => Action::Keep,
                }
            }
            _ => Action::Keep,
        });
        print!("{}", plan.diff());
    }
    Ok(())
}
