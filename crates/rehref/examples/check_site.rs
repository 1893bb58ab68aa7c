//! Prints the broken local links of a directory tree.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

use rehref::jobs::{Check, CheckEvent, CheckRootError};

fn main() -> Result<(), CheckRootError> {
    let root = std::env::args_os().nth(1).unwrap_or_else(|| ".".into());
    let totals = Check::of_directory(Some(root.as_ref()), None)?.for_each(|event| match event {
        CheckEvent::Broken(broken) => {
            let link = &broken.link;
            let name = link.document().name();
            println!("{name}:{}: {}", link.line(), link.reference());
        }
        CheckEvent::Error(error) | CheckEvent::Damaged(error) => eprintln!("{error}"),
        _ => {}
    });
    println!("{} of {} local links are broken", totals.broken, totals.local);
    Ok(())
}
