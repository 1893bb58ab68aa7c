//! Lines with colors and hyperlinks, for terminals.

use std::borrow::Cow;
use std::io::{self, IsTerminal};
use std::path::Path;

use clap::ValueEnum;
use rehref::fs::bytes_of_path;

use super::color;
use super::escape::sanitized;

/// `--hyperlink`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HyperlinkChoice {
    /// On terminals that are known to support hyperlinks
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The style of the parts of lines: in the colors of ripgrep, and with hyperlinks (OSC 8).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    colors: bool,
    hyperlinks: bool,
    /// True if texts of documents are escaped as on a terminal.
    sanitizes: bool,
}

const MAGENTA: &str = "\x1B[35m";
const GREEN: &str = "\x1B[32m";
const END: &str = "\x1B[0m";

impl Style {
    /// The style of this process. `None` for plain text.
    pub(crate) fn new(hyperlinks: HyperlinkChoice) -> Option<Self> {
        let is_terminal = io::stdout().is_terminal();
        let style = Self {
            colors: color::is_on(),
            hyperlinks: match hyperlinks {
                HyperlinkChoice::Always => true,
                HyperlinkChoice::Never => false,
                HyperlinkChoice::Auto => {
                    is_terminal && !color::is_dumb() && supports_hyperlinks::supports_hyperlinks()
                }
            },
            sanitizes: is_terminal,
        };
        (style.colors || style.hyperlinks).then_some(style)
    }

    /// Appends the name of a file in the form of lines, as a hyperlink to the file.
    pub(crate) fn name(self, shown: &[u8], file: &Path, out: &mut Vec<u8>) {
        let url = || std::path::absolute(file).ok().map(|it| file_url(&it));
        self.part(MAGENTA, self.hyperlinks.then(url).flatten(), shown, out);
    }

    /// Appends a line, a column or an offset.
    pub(crate) fn number(self, number: usize, out: &mut Vec<u8>) {
        self.part(GREEN, None, number.to_string().as_bytes(), out);
    }

    /// Appends a URL in the form of lines, as a hyperlink to itself if it is absolute.
    pub(crate) fn url(self, shown: &str, is_absolute: bool, out: &mut Vec<u8>) {
        let url = (self.hyperlinks && is_absolute).then(|| in_escape(shown.as_bytes()));
        self.part("", url, shown.as_bytes(), out);
    }

    /// Appends a text without color.
    pub(crate) fn text(self, text: &str, out: &mut Vec<u8>) {
        self.part("", None, text.as_bytes(), out);
    }

    fn part(self, color: &str, url: Option<String>, shown: &[u8], out: &mut Vec<u8>) {
        let color = if self.colors { color } else { "" };
        if let Some(url) = &url {
            out.extend_from_slice(format!("\x1B]8;;{url}\x1B\\").as_bytes());
        }
        out.extend_from_slice(color.as_bytes());
        let shown = match self.sanitizes {
            true => {
                Cow::Owned(sanitized(&String::from_utf8_lossy(shown)).into_owned().into_bytes())
            }
            false => Cow::Borrowed(shown),
        };
        out.extend_from_slice(&shown);
        if !color.is_empty() {
            out.extend_from_slice(END.as_bytes());
        }
        if url.is_some() {
            out.extend_from_slice(b"\x1B]8;;\x1B\\");
        }
    }
}

/// The URL of a file with this absolute path. Without a host it is on this machine (RFC 8089,
/// section 2).
fn file_url(path: &Path) -> String {
    let path = in_escape(&bytes_of_path(path)).replace('?', "%3F").replace('#', "%23");
    match path.starts_with('/') {
        true => format!("file://{path}"),
        false => format!("file:///{path}"),
    }
}

/// Percent-encodes the bytes that must not be in a hyperlink: all but printable ASCII.
fn in_escape(url: &[u8]) -> String {
    let encoded = url.iter().map(|&byte| match byte {
        b'!'..=b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    });
    encoded.collect()
}
