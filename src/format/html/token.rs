//! The tokens of a page.

use super::names::Key;
use crate::bytes::Span;
use crate::link::Quoting;

/// What the lexer met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A start tag: `Lexer::tag`, with `Lexer::attributes`.
    Start,
    /// An end tag: `Lexer::tag`.
    End,
    /// Character data, never empty.
    Text(Span, TextKind),
    /// A comment, or what counts as one: the text of it.
    Comment(Span),
    /// A DOCTYPE: what stands between `<!doctype` and its end.
    Doctype(Span),
}

/// What counts in character data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    /// Character references stand in it as written.
    Data,
    /// It is the content of an element that holds nothing else: `style`, `script` and the like, or with
    /// character references `title` and `textarea`.
    Raw(RawText),
    /// It is the content of a CDATA section.
    Cdata,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    /// The offset of its `<`.
    pub(super) start: usize,
    pub(super) name: Span,
    pub(super) key: Key,
    pub(super) self_closing: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attribute {
    pub(super) name: Span,
    /// The bytes between the quotes, or those of the unquoted value.
    pub(super) value: Span,
    pub(super) quoting: Quoting,
}

/// Content in which tags are no tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RawText {
    /// Text of an element such as `title`: up to its end tag, and character references count.
    Rcdata,
    /// Content of an element such as `style`: up to its end tag.
    Rawtext,
    /// Content of `script`, in which `<!-- <script>` hides an end tag.
    Script,
    /// Everything that is left.
    Plaintext,
}
