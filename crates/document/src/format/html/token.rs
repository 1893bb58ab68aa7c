//! The tokens of a page.

use super::names::Key;
use crate::bytes::Span;
use crate::link::Quoting;

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A start tag: `Lexer::tag`, with `Lexer::attributes`.
    Start,
    /// An end tag: `Lexer::tag`.
    End,
    /// Character data, never empty.
    Text(Span, TextKind),
    /// A comment, or markup that counts as one: its text.
    Comment(Span),
    /// A DOCTYPE: the text between `<!doctype` and its end.
    Doctype(Span),
    /// The place before `<![CDATA[`, which is a section or a comment.
    Section,
}

/// The kind of character data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    /// Character references are decoded in it.
    Data,
    /// The content of an element that contains only text: `style`, `script` and the like, or with
    /// character references `title` and `textarea`.
    Raw(RawText),
    /// The content of a CDATA section.
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

/// Content in which tags are text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RawText {
    /// The text of an element such as `title`: up to its end tag, with character references.
    Rcdata,
    /// The content of an element such as `style`: up to its end tag.
    Rawtext,
    /// The content of `script`, in which `<!-- <script>` hides an end tag.
    Script,
    /// The rest of the page.
    Plaintext,
}

impl RawText {
    /// The content of an element in which tags are text, by its name in lower case, if that is the
    /// same wherever the element is in HTML.
    pub(super) fn of_element(name: &str) -> Option<Self> {
        match name {
            "script" => Some(Self::Script),
            "style" | "xmp" | "iframe" | "noembed" | "noframes" => Some(Self::Rawtext),
            "title" | "textarea" => Some(Self::Rcdata),
            _ => None,
        }
    }
}
