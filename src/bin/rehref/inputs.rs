//! The inputs of `resolve` and `parse`: arguments, and lines of standard input.

use std::io::{self, BufRead};
use std::ops::ControlFlow;

use anyhow::Context;

use crate::Exit;
use crate::args::{Args, StyleArgs};
use crate::interrupt::Interrupt;
use crate::terminal::{Output, complain, stdin_is_terminal};

/// A text to answer.
pub(crate) struct Input<'a> {
    bytes: &'a [u8],
    /// The line of standard input it stands on, from 1.
    line: Option<usize>,
}

impl<'a> Input<'a> {
    /// As it was given.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// As text, or where it ceases to be UTF-8.
    pub(crate) fn text(&self) -> Result<&'a str, usize> {
        str::from_utf8(self.bytes).map_err(|error| error.valid_up_to())
    }

    /// Says on standard error what is wrong with it at this byte.
    pub(crate) fn complain(&self, at: usize, message: &str) {
        let text = String::from_utf8_lossy(self.bytes);
        match self.line {
            Some(line) => complain(format_args!("-:{line}:{}: {text:?}: {message}", at + 1)),
            None => complain(format_args!("{text:?}: {message}")),
        }
    }
}

/// What is printed of an input, without its end, and what it makes of the exit code.
pub(crate) struct Answer {
    pub(crate) printed: Vec<u8>,
    pub(crate) exit: Exit,
}

/// Answers every argument of a command; `-`, or none at all, stands for the lines of standard input.
pub(crate) fn answer_each(
    command: &str,
    arguments: &[String],
    style: StyleArgs,
    answer: impl FnMut(Input<'_>) -> Answer,
) -> anyhow::Result<Exit> {
    if arguments.is_empty() && stdin_is_terminal() {
        Args::print_short_help(command);
        return Ok(Exit::Trouble);
    }
    Interrupt::listen()?;
    let mut answers = Answers {
        answer,
        output: Output::new(style.json),
        end: if style.null { 0 } else { b'\n' },
        exit: Exit::Done,
    };
    let stdin = ["-".to_owned()];
    let arguments = if arguments.is_empty() {
        &stdin
    } else {
        arguments
    };
    for argument in arguments {
        let flow = match argument.as_str() {
            "-" => answers.lines(io::stdin().lock())?,
            argument => answers.print(Input {
                bytes: argument.as_bytes(),
                line: None,
            }),
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
    /// Answers each line: only LF or CRLF is taken off.
    fn lines(&mut self, mut input: impl BufRead) -> anyhow::Result<ControlFlow<()>> {
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
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
        let Answer { mut printed, exit } = (self.answer)(input);
        self.exit = self.exit.max(exit);
        printed.push(self.end);
        self.output.write(&printed)
    }
}
