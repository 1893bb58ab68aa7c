//! Short texts: arguments, and lines of standard input.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Stdin};
use std::vec::IntoIter;

use super::standard_input::standard_input;
use crate::error::{Error, ErrorKind};

/// Reads short texts, such as references: arguments, in which `-` means the lines of standard
/// input.
#[derive(Debug)]
pub struct Texts {
    arguments: IntoIter<OsString>,
    /// Standard input, while its lines are read.
    stdin: Option<BufReader<Stdin>>,
    /// The number of the last line of it.
    line: usize,
    /// The last text.
    bytes: Vec<u8>,
}

/// A text that [`Texts`] has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputText<'t> {
    /// The bytes, without the LF or CR LF of a line.
    pub bytes: &'t [u8],
    /// The line of standard input, from 1. `None` for an argument.
    pub line: Option<usize>,
}

impl Texts {
    /// The texts of these arguments. Without arguments, the lines of standard input.
    pub fn new(mut arguments: Vec<OsString>) -> Self {
        if arguments.is_empty() {
            arguments.push("-".into());
        }
        Self { arguments: arguments.into_iter(), stdin: None, line: 0, bytes: Vec::new() }
    }

    /// Returns false if the next text may have to be waited for. Then the answers to those before
    /// should be written: a program may send the next line only after it has them.
    pub fn is_ready(&self) -> bool {
        match &self.stdin {
            Some(stdin) => stdin.buffer().contains(&b'\n'),
            None => self.arguments.as_slice().first().is_some_and(|it| it != "-"),
        }
    }

    /// Reads the next text. `None` after the last one.
    ///
    /// # Errors
    /// If standard input cannot be read.
    pub fn read(&mut self) -> Result<Option<InputText<'_>>, Error> {
        loop {
            self.bytes.clear();
            if let Some(stdin) = &mut self.stdin {
                let read = stdin.read_until(b'\n', &mut self.bytes);
                if read.map_err(unreadable)? > 0 {
                    self.line += 1;
                    let bytes = match self.bytes.strip_suffix(b"\n") {
                        Some(bytes) => bytes.strip_suffix(b"\r").unwrap_or(bytes),
                        None => &self.bytes,
                    };
                    let line = Some(self.line);
                    return Ok(Some(InputText { bytes, line }));
                }
                self.stdin = None;
            }
            match self.arguments.next() {
                None => return Ok(None),
                Some(argument) if argument == OsStr::new("-") => {
                    let stdin = standard_input().map_err(unreadable)?;
                    self.stdin = Some(BufReader::new(stdin));
                    self.line = 0;
                }
                Some(argument) => {
                    self.bytes = argument.into_encoded_bytes();
                    let (bytes, line) = (&self.bytes[..], None);
                    return Ok(Some(InputText { bytes, line }));
                }
            }
        }
    }
}

fn unreadable(error: io::Error) -> Error {
    Error::new("-", ErrorKind::Read(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_texts_in_order() {
        let mut texts = Texts::new(vec!["a".into(), "b\n".into()]);
        let mut found = Vec::new();
        while let Some(text) = texts.read().unwrap() {
            assert_eq!(text.line, None);
            found.push(text.bytes.to_vec());
        }
        assert_eq!(found, [&b"a"[..], b"b\n"]);
        assert!(!texts.is_ready());
    }
}
