//! A reference as it is written into a document.

use std::borrow::Cow;

use crate::bytes::Span;
use crate::link::{Note, ParsedLink};
use crate::source::Source;

/// The bytes that replace a link.
pub struct Written<'w> {
    /// The bytes to replace.
    pub span: Span,
    /// The new bytes.
    pub new: Cow<'w, [u8]>,
    /// The reference that the new bytes spell. Characters that its place cannot hold are
    /// percent-encoded. `None` if it is the reference to be written.
    pub reference: Option<Box<str>>,
    /// The new bytes without any spelling kept from the source, if `new` keeps some.
    pub plain: Option<Vec<u8>>,
    /// True if the new bytes are read as the reference whatever precedes and follows them.
    pub is_certain: bool,
}

impl<'w> Written<'w> {
    /// The reference that the new bytes spell, if `meant` is the reference to write.
    pub fn reference<'s>(&'s self, meant: &'s str) -> &'s str {
        self.reference.as_deref().unwrap_or(meant)
    }

    /// A reference that is written as it is, and read so whatever precedes and follows it.
    pub fn literal(span: Span, reference: &'w str) -> Self {
        Self {
            span,
            new: reference.as_bytes().into(),
            reference: None,
            plain: None,
            is_certain: true,
        }
    }

    /// New bytes that differ from the reference.
    pub fn escaped(span: Span, new: Vec<u8>, reference: &str) -> Self {
        Self {
            span,
            new: new.into(),
            reference: Some(reference.into()),
            plain: None,
            is_certain: false,
        }
    }

    /// Adds the bytes to write if `new` is not read as the reference.
    pub fn or_plainly(self, plain: Vec<u8>) -> Self {
        Self { plain: Some(plain), ..self }
    }
}

/// The reason why a reference cannot be written into the place of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CannotWrite {
    /// Bytes of the link are invalid in the character encoding.
    Undecodable,
    /// Other syntax divides the link.
    Divided,
    /// The attribute has no value.
    NoValue,
    /// Bytes that must stay are between the pieces of the link.
    Between,
    /// The link is in the text of a document that is not plain text.
    OtherText,
    /// The link was joined over a line break by its look alone.
    Doubtful,
    /// The language of the document is not rewritten.
    NotRewritten,
    /// The program that reads the document allows no reference of this length.
    TooLong,
    /// The reference would not be read back.
    Unwritable,
}

/// The bytes of a link that an edit may replace as a whole.
///
/// # Errors
/// If they are invalid in the character encoding, or if bytes between them must stay.
pub fn replaceable(source: &Source, link: &ParsedLink<'_>) -> Result<Span, CannotWrite> {
    if link.notes.contains(Note::Undecodable) {
        return Err(CannotWrite::Undecodable);
    }
    match link.spans.as_slice() {
        [span] if holds_escape_sequence(source, *span) => Err(CannotWrite::Unwritable),
        [span] => Ok(*span),
        _ => Err(CannotWrite::Divided),
    }
}

/// Returns true if the bytes have an escape sequence of ISO-2022-JP. Without it the following bytes
/// would be decoded differently.
pub fn holds_escape_sequence(source: &Source, span: Span) -> bool {
    source.charset.encoding() == encoding_rs::ISO_2022_JP
        && source.bytes[span.range()].contains(&0x1B)
}
