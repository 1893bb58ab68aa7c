//! The inputs of `resolve` and `parse`: arguments, and lines of standard input.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Read};
use std::ops::{ControlFlow, Range};

use anyhow::Context;
use rehref::records::Failure;

use crate::args::Args;
use crate::args::answers::AnswerArgs;
use crate::exit::Exit;
use crate::render::terminal::{Output, stdin_is_terminal, warn};
use crate::signals::Interrupt;

/// A text to answer.
pub(crate) struct Input<'a> {
    bytes: &'a [u8],
    /// The line of standard input, from 1.
    line: Option<usize>,
}

impl<'a> Input<'a> {
    /// Returns the bytes of the input.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the text, or the range of the first bytes that are not UTF-8.
    pub(crate) fn text(&self) -> Result<&'a str, Range<usize>> {
        str::from_utf8(self.bytes).map_err(|error| {
            let start = error.valid_up_to();
            let len = error.error_len();
            start..len.map_or(self.bytes.len(), |len| start + len)
        })
    }

    /// Returns the message for an invalid input.
    pub(crate) fn message(&self, failure: &Failure) -> String {
        let text = String::from_utf8_lossy(self.bytes);
        let text: Cow<'_, str> = match text.char_indices().nth(MAX_QUOTED) {
            Some((end, _)) => format!("{}\u{2026}", &text[..end]).into(),
            None => text,
        };
        match self.line {
            Some(line) => {
                let column = failure.start.unwrap_or(0) + 1;
                format!("-:{line}:{column}: {text:?}: {failure}")
            }
            None => {
                let failure = failure.in_place(&String::from_utf8_lossy(self.bytes));
                format!("{text:?}: {failure}")
            }
        }
    }
}

/// The most characters of an input that a message quotes.
const MAX_QUOTED: usize = 80;

/// The output for an input, without its end.
pub(crate) struct Answer {
    /// The message on standard error if the input is invalid.
    pub(crate) message: Option<String>,
    pub(crate) printed: Vec<u8>,
}

/// Answers the arguments of a command. `-`, or no argument, is the lines of standard input.
pub(crate) fn answer_each(
    command: &str,
    arguments: &[OsString],
    style: AnswerArgs,
    answer: impl FnMut(Input<'_>) -> Answer,
) -> anyhow::Result<Exit> {
    if arguments.is_empty() && stdin_is_terminal() {
        return Ok(Args::print_short_help(command));
    }
    Interrupt::listen()?;
    let mut answers = Answers {
        answer,
        output: Output::buffered(style.json),
        end: if style.null { 0 } else { b'\n' },
        exit: Exit::Done,
    };
    let stdin = [OsString::from("-")];
    let arguments = if arguments.is_empty() {
        &stdin
    } else {
        arguments
    };
    for argument in arguments {
        let flow = if argument == OsStr::new("-") {
            answers.lines(BufReader::new(io::stdin().lock()))?
        } else {
            answers.print(Input {
                bytes: argument.as_encoded_bytes(),
                line: None,
            })
        };
        if flow.is_break() {
            break;
        }
    }
    if answers.output.reader_is_gone() {
        return Ok(Exit::Done);
    }
    answers.output.finish()?;
    Ok(answers.exit)
}

struct Answers<F> {
    answer: F,
    output: Output,
    end: u8,
    exit: Exit,
}

impl<F: FnMut(Input<'_>) -> Answer> Answers<F> {
    /// Answers each line, without its LF or CRLF.
    fn lines(&mut self, mut input: BufReader<impl Read>) -> anyhow::Result<ControlFlow<()>> {
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            // A program may send the next line only after it has the answer.
            if !input.buffer().contains(&b'\n') && self.output.flush().is_break() {
                return Ok(ControlFlow::Break(()));
            }
            let read = input
                .read_until(b'\n', &mut line)
                .context("-: cannot read")?;
            if read == 0 {
                break;
            }
            let bytes = match line.strip_suffix(b"\n") {
                Some(bytes) => bytes.strip_suffix(b"\r").unwrap_or(bytes),
                None => &line,
            };
            let input = Input {
                bytes,
                line: Some(number),
            };
            if self.print(input).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn print(&mut self, input: Input<'_>) -> ControlFlow<()> {
        let Answer {
            message,
            mut printed,
        } = (self.answer)(input);
        if let Some(message) = message {
            self.exit = Exit::No;
            // Keeps both streams in order.
            if self.output.flush().is_break() {
                return ControlFlow::Break(());
            }
            warn(message);
        }
        printed.push(self.end);
        self.output.write(&printed)
    }
}
