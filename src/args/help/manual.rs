//! Manual pages.

use std::io;

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::page;
use super::page::Page;
use super::pages::ROOT;

/// Returns the manual page of each command, with the name of its file. The first one is that of the
/// whole command.
pub(in crate::args) fn manuals(command: Command) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut command = command.disable_help_subcommand(true);
    // Gives each subcommand its full name.
    command.build();
    let subcommands = command.get_subcommands();
    let subcommands = subcommands.map(|it| manual(it, page(it.get_name())));
    [manual(&command, &ROOT)].into_iter().chain(subcommands).collect()
}

fn manual(command: &Command, page: &Page) -> io::Result<(String, Vec<u8>)> {
    let name = command.get_display_name().unwrap_or(page.name);
    // The generator leaves out short texts that the short help does not have.
    let shown = command.clone().mut_args(|arg| arg.hide_short_help(false));
    let man = Man::new(shown)
        .title(name.to_uppercase())
        .source(format!("rehref {}", env!("CARGO_PKG_VERSION")));
    let mut out = Vec::new();
    man.render_title(&mut out)?;
    man.render_name_section(&mut out)?;
    section("SYNOPSIS", page.usage).to_writer(&mut out)?;
    man.render_description_section(&mut out)?;
    examples(page).to_writer(&mut out)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut out)?;
    }
    man.render_options_section(&mut out)?;
    exit_codes(page).to_writer(&mut out)?;
    Ok((man.get_filename(), out))
}

fn section(name: &str, text: &str) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", [name]);
    roff.text([roman(text)]);
    roff
}

fn examples(page: &Page) -> Roff {
    let mut roff = section("EXAMPLES", "");
    for example in page.examples {
        roff.control("TP", []);
        roff.text([roman(format!("{}:", example.task))]);
        roff.text([bold(example.command)]);
    }
    roff
}

fn exit_codes(page: &Page) -> Roff {
    let mut roff = section("EXIT STATUS", "");
    for &(code, meaning) in page.exit_codes {
        roff.control("TP", []);
        roff.text([bold(code)]);
        roff.text([roman(meaning)]);
    }
    roff
}
