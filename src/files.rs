//! `--files` and `--type-list`: what a run would read.

use std::path::Path;

use rehref::error::{Error, ErrorKind};
use rehref::fs::Types;
use rehref::jobs::Inputs;

use crate::exit::Exit;
use crate::render::lines::name_in_line;
use crate::render::terminal::{Kind, Messages, Output};

/// Prints the names of the files of a run, of those that it `reads`.
pub(crate) fn print(
    inputs: &Inputs,
    reads: impl Fn(&Path) -> bool,
    null: bool,
    exit: Exit,
) -> anyhow::Result<Exit> {
    let mut output = Output::new(Kind::Text, exit).buffered();
    for found in inputs.walk.walk(inputs.items.clone()) {
        let mut messages = Messages::default();
        let mut line = Vec::new();
        // A named item is not looked up by the walk.
        let found = found.and_then(|found| match found.item.file().map(Path::symlink_metadata) {
            Some(Err(error)) if found.root.is_none() => {
                Err(Error::new(found.item.name(), ErrorKind::Read(error)))
            }
            _ => Ok(found),
        });
        match found {
            Ok(found) if !reads(found.item.name()) => continue,
            Ok(found) => {
                line.extend_from_slice(&name_in_line(found.item.name(), null));
                line.push(if null { 0 } else { b'\n' });
            }
            Err(error) => messages.add(&error, true),
        }
        if output.print(&messages, &line).is_break() {
            return output.stopped();
        }
    }
    output.finish()
}

/// Prints all types of files with their globs, as `rg --type-list` does.
pub(crate) fn print_types() -> anyhow::Result<Exit> {
    let lines = Types::all().map(|(name, globs)| format!("{name}: {}\n", globs.join(", ")));
    crate::texts::print(lines.collect::<String>().as_bytes())
}
