//! The columns of the table of languages.

use encoding_rs::Encoding;

use crate::format::html::{Difference, Pair};
use crate::format::written::{CannotWrite, Written};
use crate::format::{FoundLinks, Options};
use crate::link::LinkData;
use crate::source::Source;

/// Writes a reference into the place of a link.
pub(crate) type Write =
    for<'r> fn(&Source, &LinkData<'_>, &'r str, &Options) -> Result<Written<'r>, CannotWrite>;

/// Compares a rewritten document with the old one.
pub(crate) type Compare = fn(&Pair<'_>) -> Result<(), Difference>;

/// A language of documents.
///
/// To add one, write a directory with a constant of this type and add a row to the table in `format/mod.rs`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Language {
    /// The name on the command line.
    pub(crate) name: &'static str,
    /// The file extensions, in lower case.
    pub(crate) extensions: &'static [&'static str],
    /// The media types without parameters, in lower case. `*` at one end matches any characters.
    pub(crate) media_types: &'static [&'static str],
    /// Returns true if a document with this beginning is in this language. Extensions take precedence.
    pub(crate) begins: fn(&Beginning<'_>) -> bool,
    /// Returns the encoding that the first bytes of a document declare.
    pub(crate) declared_charset: fn(&[u8]) -> Option<&'static Encoding>,
    /// Finds the links of a document.
    pub(crate) read: for<'d> fn(&'d Source, &Options) -> FoundLinks<'d>,
    /// Writes a reference into the place of a link.
    pub(crate) write: Write,
    /// Compares a rewritten document with the old one, parsed by another parser. Without it the bytes outside of links
    /// are compared.
    pub(crate) compare: Option<Compare>,
    /// The kind of content.
    pub(crate) content: Content,
    /// The rules that may rewrite its links.
    pub(crate) rewriting: Rewriting,
    /// True if its elements have ids that a fragment may name.
    pub(crate) has_anchors: bool,
}

/// The kind of content of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// As text: a long document is read as a stream.
    Text,
    /// As markup or code: the document is held in memory.
    Markup,
    /// In the documents that it contains, as a mailbox does.
    Container,
}

/// The rules that may rewrite the links of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rewriting {
    /// None.
    Never,
    /// Those that map URLs to URLs.
    Maps,
    /// All.
    All,
}

/// The beginning of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beginning<'b> {
    /// The document, or its first part.
    pub(crate) bytes: &'b [u8],
    /// The first 1,024 bytes without byte order mark, leading white space and the zero bytes of UTF-16.
    pub(crate) ascii: &'b [u8],
}

impl Language {
    /// Returns true if documents of this media type, given in lower case, are in this language.
    pub(crate) fn has_media_type(&self, essence: &str) -> bool {
        self.media_types.iter().any(|pattern| {
            match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
                (Some(end), _) => essence.ends_with(end),
                (None, Some(start)) => essence.starts_with(start),
                (None, None) => *pattern == essence,
            }
        })
    }

    /// For languages whose documents declare no encoding.
    pub(crate) const NO_CHARSET: fn(&[u8]) -> Option<&'static Encoding> = |_| None;
    /// For languages that are detected only by file extension.
    pub(crate) const BY_NAME: fn(&Beginning<'_>) -> bool = |_| false;
}

impl Beginning<'_> {
    /// Returns true if the document begins with one of these start tags, in any case.
    pub(crate) fn is_tag_of(&self, names: &[&str]) -> bool {
        let Some(after) = self.ascii.strip_prefix(b"<") else {
            return false;
        };
        names.iter().any(|name| {
            let end = after.get(name.len());
            after
                .get(..name.len())
                .is_some_and(|it| it.eq_ignore_ascii_case(name.as_bytes()))
                && end.is_some_and(|end| end.is_ascii_whitespace() || *end == b'>')
        })
    }
}
