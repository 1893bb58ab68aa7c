//! The common part of `resolve` and `parse`: answers to arguments and to lines of standard input.

use std::ffi::OsString;

use rehref::fs::Texts;

use crate::args::Args;
use crate::args::answers::AnswerArgs;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::render::terminal::{Kind, Output, stdin_is_terminal};

/// The output for an input, without its end.
pub(crate) struct Answer {
    pub(crate) printed: Vec<u8>,
    /// True if it is an error, which no message repeats.
    pub(crate) is_error: bool,
}

/// Answers the arguments of a command. `-`, or no argument, is the lines of standard input.
pub(crate) fn answer_each(
    command: &str,
    arguments: &[OsString],
    style: AnswerArgs,
    answer: impl Fn(&[u8]) -> Answer,
) -> anyhow::Result<Exit> {
    if arguments.is_empty() && stdin_is_terminal() {
        return Ok(Args::print_brief_help(command));
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
        let Answer { mut printed, is_error } = answer(text.bytes);
        if is_error {
            output.exit = Exit::No;
        }
        printed.push(if style.null { 0 } else { b'\n' });
        if output.write(&printed).is_break() {
            break;
        }
    }
    match output.flush().is_break() {
        true => output.stopped(),
        false => output.finish(),
    }
}
