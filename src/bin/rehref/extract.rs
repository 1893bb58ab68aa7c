//! `rehref extract`

use anyhow::Context;
use rehref::container::mail::MailOptions;
use rehref::format::Options;
use rehref::jobs::{Extract, LinkFilter};

use crate::args::{ExtractArgs, OutputFormat};
use crate::exit::{Exit, leave};
use crate::input::Input;
use crate::render::csv::CsvFormat;
use crate::render::extract::{Printer, Renderer};
use crate::render::lines::LineFormat;
use crate::signals::Interrupt;

pub(crate) fn run(args: ExtractArgs) -> anyhow::Result<Exit> {
    let renderer = renderer(&args);
    let filter = filter(&args)?;
    Interrupt::listen()?;
    let mut extract = Extract::new().filter(filter).options(Options {
        resolver: args.input.resolving.resolver(),
        html_text: args.html_text,
        scripting: args.input.html.scripting,
        extra: args.input.html.extra(),
        text: args.text.options(),
        ..Options::default()
    });
    extract.mail = MailOptions {
        resolver: extract.options.resolver,
        headers: !args.mail.no_headers,
        charset: args.input.reading.charset.clone(),
        ..MailOptions::default()
    };
    extract.first_alternative_only = args.mail.takes_first();
    extract.first_link_only = args.quiet;
    extract.positions = renderer.prints_positions();
    extract.diagnostics = matches!(renderer.format, OutputFormat::Jsonl | OutputFormat::Csv);
    extract.contexts = args.context && renderer.prints();
    extract.unwrap = args.unwrap;
    let mbox = args.mail.mbox;
    let Some(input) = Input::new(args.input, "extract")? else {
        return Ok(Exit::Trouble);
    };
    extract.inputs = input.inputs;
    extract.inputs.read.mbox = mbox;
    let mut printer = Printer::new(&renderer, input.exit);
    if printer.begin().is_continue() {
        extract.run(
            |event, piece| renderer.event(event, piece),
            |piece| {
                let is_last = piece.is_last;
                let flow = printer.take(piece);
                if is_last {
                    // The answer is known, or the reader has gone. Threads may still wait for input.
                    leave(printer.end());
                }
                flow
            },
        );
    }
    printer.end()
}

fn renderer(args: &ExtractArgs) -> Renderer {
    let format = match args.json {
        true => OutputFormat::Jsonl,
        false => args.format,
    };
    let is_vimgrep = format == OutputFormat::Vimgrep;
    Renderer {
        format,
        line: LineFormat {
            raw: args.raw,
            name: args.with_filename || is_vimgrep,
            line: args.line_number || is_vimgrep,
            column: is_vimgrep,
            offset: args.byte_offset,
            null: args.null,
        },
        csv: CsvFormat {
            null: args.null,
            escape_formulas: args.escape_formulas,
        },
        count: args.count,
        unique: args.unique,
        quiet: args.quiet,
        alternatives: args.text.prints_alternatives(),
        context: args.context,
        unwrap: args.unwrap,
        count_by_host: args.count_by.is_some(),
    }
}

fn filter(args: &ExtractArgs) -> anyhow::Result<LinkFilter> {
    let mut filter = LinkFilter::default();
    filter.set_hosts(&args.host).context("--host")?;
    filter.schemes.clone_from(&args.scheme);
    filter.roles.clone_from(&args.role);
    filter.places.clone_from(&args.place);
    filter.pattern.clone_from(&args.pattern);
    filter.matches_reference = args.raw;
    Ok(filter)
}
