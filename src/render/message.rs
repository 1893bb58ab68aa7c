//! Messages on standard error: the place, the problem, and the way out.
//!
//! ```text
//! rehref: PATH:LINE:COL: message
//!   |
//! 4 | <a href="http://old.example/x">
//!   |          ^^^^^^^^^^^^^^^^^^^^
//!   help: the way out
//! ```
//!
//! The excerpt is only printed on a terminal.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use rehref::bytes::Position;
use rehref::error::{Diagnostic, Error};

use super::escape::sanitized;
use super::excerpt::Excerpt;
use super::lines::name_in_line;

/// A message for standard error.
#[derive(Debug, Default)]
pub(crate) struct Message {
    /// The input, with line and column if available.
    place: Option<String>,
    text: String,
    excerpt: Option<Excerpt>,
    help: Vec<Help>,
}

/// A way out.
#[derive(Debug)]
struct Help {
    /// The part of the problem that it is for, if a message has several.
    subject: Option<String>,
    text: String,
}

impl Message {
    /// A message that is not about an input, or names it in its text.
    pub(crate) fn new(text: impl fmt::Display) -> Self {
        Self { text: text.to_string(), ..Self::default() }
    }

    /// A message about a file, or about a place in it.
    pub(crate) fn about(path: &Path, position: Option<Position>, text: impl fmt::Display) -> Self {
        let name = String::from_utf8_lossy(&name_in_line(path, false)).into_owned();
        Self {
            place: Some(match position {
                Some(position) => format!("{name}:{position}"),
                None => name,
            }),
            ..Self::new(text)
        }
    }

    /// Adds a line, which a terminal shows.
    pub(crate) fn with_excerpt(mut self, excerpt: Option<Excerpt>) -> Self {
        self.excerpt = excerpt;
        self
    }

    /// Adds the ways out of another message.
    pub(crate) fn with_help_of(mut self, other: Self) -> Self {
        self.help.extend(other.help);
        self
    }

    /// Names the option that the message is about, before everything else.
    pub(crate) fn within(mut self, option: &str) -> Self {
        self.place = Some(match self.place {
            Some(place) => format!("{option}: {place}"),
            None => option.to_owned(),
        });
        self
    }

    /// Removes words at the end of the text.
    pub(crate) fn without_end(mut self, words: &str) -> Self {
        if let Some(text) = self.text.strip_suffix(words) {
            self.text.truncate(text.len());
        }
        self
    }

    /// Adds words before the text.
    pub(crate) fn preceded_by(mut self, words: &str) -> Self {
        self.text.insert_str(0, words);
        self
    }

    /// Adds words after the text.
    pub(crate) fn followed_by(mut self, words: &str) -> Self {
        self.text += words;
        self
    }

    /// Adds a way out.
    pub(crate) fn with_help(mut self, help: impl fmt::Display) -> Self {
        self.help.push(Help { subject: None, text: help.to_string() });
        self
    }

    /// Adds a way out for a part of the problem.
    pub(crate) fn with_help_for(mut self, subject: String, help: impl fmt::Display) -> Self {
        self.help.push(Help { subject: Some(subject), text: help.to_string() });
        self
    }

    /// Adds a way out, if given.
    pub(crate) fn with_help_if(self, help: Option<&str>) -> Self {
        match help {
            Some(help) => self.with_help(help),
            None => self,
        }
    }

    /// Returns the lines to print, each with its line break. Ways out in `printed` are left out,
    /// and added to it.
    pub(super) fn rendered(&self, is_colored: bool, printed: &mut BTreeSet<String>) -> String {
        let [bold, cyan, end] = match is_colored {
            true => ["\x1B[1m", "\x1B[36m", "\x1B[m"],
            false => [""; 3],
        };
        let place = match &self.place {
            Some(place) => format!(" {}:", in_a_line(place)),
            None => String::new(),
        };
        let mut out = format!("{bold}rehref:{place}{end} {}\n", in_a_line(&self.text));
        if let Some(excerpt) = &self.excerpt {
            out += &excerpt.rendered(is_colored);
        }
        for Help { subject, text } in &self.help {
            if printed.insert(text.clone()) {
                let subject = subject.as_ref().map_or(String::new(), |it| format!("{it}: "));
                out += &format!("  {cyan}help:{end} {subject}{}\n", in_a_line(text));
            }
        }
        out
    }
}

/// The message as one line, without excerpt and help.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{}: ", in_a_line(place))?;
        }
        f.write_str(&in_a_line(&self.text))
    }
}

// The error of a command can be a message with excerpt and help.
impl std::error::Error for Message {}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl From<fmt::Arguments<'_>> for Message {
    fn from(text: fmt::Arguments<'_>) -> Self {
        Self::new(text)
    }
}

impl From<Diagnostic<'_>> for Message {
    fn from(it: Diagnostic<'_>) -> Self {
        match it.path {
            Some(path) => Self::about(path, it.position, it.text),
            None => Self::new(it.text),
        }
    }
}

impl From<&Error> for Message {
    fn from(error: &Error) -> Self {
        error.diagnostic().into()
    }
}

impl From<anyhow::Error> for Message {
    fn from(error: anyhow::Error) -> Self {
        error.downcast().unwrap_or_else(|error| Self::new(format_args!("{error:#}")))
    }
}

/// Returns a text as a part of one line, without characters that a terminal could misread.
fn in_a_line(text: &str) -> String {
    sanitized(&text.replace('\n', "\\n")).into_owned()
}
