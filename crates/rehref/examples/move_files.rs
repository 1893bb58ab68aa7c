//! Moves a file of a directory tree with the references to and from it: plan, diff, apply, undo.

#![allow(clippy::print_stdout, reason = "an example prints")]

use rehref::jobs::{JobError, Relocate, undo};

fn main() -> Result<(), JobError> {
    let mut arguments = std::env::args().skip(1);
    let [root, old, new] = [(); 3].map(|()| arguments.next().unwrap_or_default());
    let plan = Relocate::new(&root).rename(old, new).plan()?;
    print!("{}", plan.diff());
    let report = plan.apply()?;
    println!("{} edits", report.totals.edits);
    undo(&root)?;
    Ok(())
}
