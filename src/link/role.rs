//! What a link is for.

use std::fmt;

/// What a link is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// To go there.
    Navigate,
    /// To show it as part of the page.
    Embed,
    /// A style sheet.
    Style,
    /// A script.
    Script,
    /// Where a form goes.
    Submit,
    /// The source of a quotation or change.
    Cite,
    /// To be told of a click.
    Ping,
    /// A base for other references.
    Base,
    /// Something about the document.
    Metadata,
    /// None of these.
    Other,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 10] = [
        Self::Navigate,
        Self::Embed,
        Self::Style,
        Self::Script,
        Self::Submit,
        Self::Cite,
        Self::Ping,
        Self::Base,
        Self::Metadata,
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
            Self::Other => "other",
        }
    }
}

impl Role {
    /// Whether an empty reference is to the URL of the document, whatever its base: so it is in the action of a form
    /// (HTML standard, 4.10.21.3).
    pub(crate) const fn is_own_when_empty(self) -> bool {
        matches!(self, Self::Submit)
    }

    /// Whether a fragment alone is followed as any other reference; elsewhere it names a part of the document, such as
    /// an image that is drawn.
    pub(crate) const fn follows_fragment(self) -> bool {
        matches!(self, Self::Navigate | Self::Submit)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
