//! `rehref linkify`

use std::ops::ControlFlow;

use regex::bytes::Regex;
use rehref::Document;
use rehref::fs::{Content, Item};
use rehref::rewrite::LinkifyError;

use crate::args::Args;
use crate::args::linkify::LinkifyArgs;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::render::message::Message;
use crate::render::terminal::{Kind, Output, warn};

pub(crate) fn run(args: &LinkifyArgs) -> anyhow::Result<Exit> {
    Interrupt::listen()?;
    if args.lack_input() {
        return Ok(Args::print_brief_help("linkify"));
    }
    let linkify = args.linkify()?;
    let item = args.item();
    let mut exit = Exit::Done;
    let document = match args.read_options().read(&item)? {
        Content::Document(document) => document,
        Content::Damaged(document, error) => {
            warn(&error);
            exit = Exit::Trouble;
            document
        }
        Content::Package(package) => {
            let message = Message::about(package.name(), None, "no links are made in packages");
            return Err(message.with_help("convert it to HTML first").into());
        }
        Content::Refused(_, error) => return Err(error.into()),
        Content::Binary(_) => {
            let message = Message::about(item.name(), None, "binary file");
            return Err(message.with_help("use --media text or html if it is not").into());
        }
    };
    let linked = linkify.document(&document).map_err(|error| {
        let help = help_for(&error);
        Message::about(item.name(), None, error).with_help(help)
    })?;
    if args.format().is_none() && item == Item::Stdin && is_escaped_html(&document) {
        warn(
            Message::new("standard input was read as plain text, and its tags were escaped")
                .with_help("use --media html if it is HTML"),
        );
    }
    let mut output = Output::new(Kind::Text, exit);
    let _: ControlFlow<()> = output.write(&linked.bytes);
    output.finish()
}

/// Returns the help for a document in which links are not made.
fn help_for(error: &LinkifyError) -> &'static str {
    match error {
        LinkifyError::Format(format) if format.is_mail() || format.is_web_archive() => {
            "`rehref extract` prints its links; `rehref report` shows them in their documents"
        }
        LinkifyError::Charset(_) => "use --charset if its encoding is another one",
        _ => "convert it to HTML first, or use --media text or html to read it as such",
    }
}

/// Returns true if a plain text has end tags of HTML.
fn is_escaped_html(document: &Document) -> bool {
    let end_tag = Regex::new(r"</(?i:a|b|code|div|em|h[1-6]|i|li|p|pre|span|strong|td)>");
    document.format().is_text() && end_tag.is_ok_and(|end_tag| end_tag.is_match(document.bytes()))
}
