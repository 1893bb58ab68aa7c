//! `rehref man`, `rehref completions` and `rehref schema`: texts about the command itself.

use std::fs;
use std::path::Path;

use anyhow::bail;
use rehref::error::{Error, ErrorKind};
use rehref::fs::OutputFile;
use rehref::records::schema;

use crate::args::Args;
use crate::args::completions::CompletionsArgs;
use crate::args::manual::ManArgs;
use crate::args::schema::{SchemaArgs, SchemaChoice};
use crate::exit::Exit;
use crate::render::message::Message;
use crate::render::terminal::{Kind, Output, stdout_is_terminal, warn};

pub(crate) fn man(args: &ManArgs) -> anyhow::Result<Exit> {
    match &args.output {
        Some(directory) => write_pages(directory),
        None => print_page(args.command.as_deref()),
    }
}

pub(crate) fn completions(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    print(&Args::completions(args.shell))
}

pub(crate) fn print_schema(args: &SchemaArgs) -> anyhow::Result<Exit> {
    let schema = match args.which {
        SchemaChoice::Records => schema(),
        SchemaChoice::Config => crate::project::schema(),
    };
    let mut text = serde_json::to_vec_pretty(&schema)?;
    text.push(b'\n');
    print(&text)
}

/// Prints the manual page of a subcommand, or of the whole command.
fn print_page(command: Option<&str>) -> anyhow::Result<Exit> {
    let name = match command {
        Some(command) => format!("rehref-{command}.1"),
        None => "rehref.1".to_owned(),
    };
    let pages = Args::manuals()?;
    match pages.iter().find(|(it, _)| *it == name) {
        Some((_, page)) => {
            let exit = print(page)?;
            if stdout_is_terminal() {
                let argument = command.map(|it| format!(" {it}")).unwrap_or_default();
                let message = Message::new("this is the source of a manual page");
                warn(message.with_help(format_args!("rehref man{argument} | man -l -")));
            }
            Ok(exit)
        }
        None => bail!("man: unknown command {}", command.unwrap_or_default()),
    }
}

/// Writes a manual page for each command, with its usual name, and creates the directory. Only
/// manual pages are replaced.
fn write_pages(directory: &Path) -> anyhow::Result<Exit> {
    fs::create_dir_all(directory)
        .map_err(|error| Error::new(directory, ErrorKind::Write(error)))?;
    for (name, page) in Args::manuals()? {
        let first_line = page.split_inclusive(|&byte| byte == b'\n').next();
        let is_page = |head: &[u8]| head.starts_with(first_line.unwrap_or_default());
        OutputFile::new(&directory.join(name), is_page)?.write(&page)?;
    }
    Ok(Exit::Done)
}

pub(crate) fn print(text: &[u8]) -> anyhow::Result<Exit> {
    let mut output = Output::new(Kind::Text, Exit::Done);
    let _ = output.write(text);
    output.finish()
}
