//! Prints the broken local links of a directory tree.

#![allow(clippy::print_stdout, reason = "an example prints")]

use rehref::jobs::{Check, CheckEvent};

fn main() {
    let root = std::env::args_os().nth(1).unwrap_or_else(|| ".".into());
    let totals = Check::new(root).for_each(|event| {
        if let CheckEvent::Broken(broken) = event {
            let link = &broken.link;
            let name = link.document().name();
            println!("{name}:{}: {}", link.line(), link.reference());
        }
    });
    println!(
        "{} of {} local links are broken",
        totals.broken, totals.local
    );
}
