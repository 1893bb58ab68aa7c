//! The purpose of a link.

use std::fmt;

/// The purpose of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// A hyperlink to follow.
    Navigate,
    /// A resource shown in the page, such as an image.
    Embed,
    /// A style sheet.
    Style,
    /// A script.
    Script,
    /// The target of a form.
    Submit,
    /// The source of a quotation or change.
    Cite,
    /// A URL notified of clicks.
    Ping,
    /// A base for other references.
    Base,
    /// Something about the document.
    Metadata,
    /// The name of an XML namespace in a text. It is compared and not fetched: only a map of this
    /// URL changes it.
    Namespace,
    /// None of these.
    Other,
}

impl Role {
    /// All roles.
    pub const ALL: &'static [Self] = &[
        Self::Navigate,
        Self::Embed,
        Self::Style,
        Self::Script,
        Self::Submit,
        Self::Cite,
        Self::Ping,
        Self::Base,
        Self::Metadata,
        Self::Namespace,
        Self::Other,
    ];

    /// The name in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Navigate => "navigate",
            Self::Embed => "embed",
            Self::Style => "style",
            Self::Script => "script",
            Self::Submit => "submit",
            Self::Cite => "cite",
            Self::Ping => "ping",
            Self::Base => "base",
            Self::Metadata => "metadata",
            Self::Namespace => "namespace",
            Self::Other => "other",
        }
    }
}

impl Role {
    /// Returns true if an empty reference resolves to the URL of the document, for any base: the
    /// action of a form (HTML standard, 4.10.21.3).
    pub(crate) const fn is_own_when_empty(self) -> bool {
        matches!(self, Self::Submit)
    }

    /// Returns true if a fragment-only reference is followed like any other. In other roles it
    /// names a part of the document, such as an image to draw.
    pub const fn follows_fragment(self) -> bool {
        matches!(self, Self::Navigate | Self::Submit)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
