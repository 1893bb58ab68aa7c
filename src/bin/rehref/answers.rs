//! What `resolve` and `parse` have in common: answers to arguments and to lines of standard input.

use std::ffi::OsString;

use rehref::fs::{InputText, Texts};
use rehref::records::Failure;

use crate::args::Args;
use crate::args::answers::AnswerArgs;
use crate::exit::Exit;
use crate::process::Interrupt;
use crate::render::terminal::{Kind, Output, stdin_is_terminal, warn};

/// The most characters of an input that a message quotes.
const MAX_QUOTED: usize = 80;

/// The output for an input, without its end.
pub(crate) struct Answer {
    pub(crate) printed: Vec<u8>,
    /// The error if the input is invalid.
    pub(crate) error: Option<Failure>,
}

/// Answers the arguments of a command. `-`, or no argument, is the lines of standard input.
pub(crate) fn answer_each(
    command: &str,
    arguments: &[OsString],
    style: AnswerArgs,
    answer: impl Fn(&[u8]) -> Answer,
) -> anyhow::Result<Exit> {
    if arguments.is_empty() && stdin_is_terminal() {
        return Ok(Args::print_short_help(command));
    }
    Interrupt::listen()?;
    let kind = if style.json { Kind::Json } else { Kind::Text };
    let mut output = Output::new(kind, Exit::Done).buffered();
    let mut texts = Texts::new(arguments.to_vec());
    loop {
        if !texts.is_ready() && output.flush().is_break() {
            break;
        }
        let Some(text) = texts.read()? else { break };
        let Answer { mut printed, error } = answer(text.bytes);
        if let Some(error) = error {
            output.exit = Exit::No;
            // Keeps both streams in order.
            if output.flush().is_break() {
                break;
            }
            warn(message(text, &error));
        }
        printed.push(if style.null { 0 } else { b'\n' });
        if output.write(&printed).is_break() {
            break;
        }
    }
    if output.reader_is_gone() {
        return Ok(Exit::Done);
    }
    output.finish()
}

/// Returns the message for an invalid input.
fn message(input: InputText<'_>, failure: &Failure) -> String {
    let text = String::from_utf8_lossy(input.bytes);
    let quoted = match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text.to_string(),
    };
    match input.line {
        Some(line) => {
            let column = failure.start.unwrap_or(0) + 1;
            format!("-:{line}:{column}: {quoted:?}: {failure}")
        }
        None => format!("{quoted:?}: {}", failure.in_place(&text)),
    }
}
