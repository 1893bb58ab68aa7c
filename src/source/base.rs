use std::fmt;

/// The URI that relative references of a document are resolved against, and how it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// An absolute URI.
    pub uri: String,
    /// Which of the sources of RFC 3986, section 5.1, gave it.
    pub from: BaseFrom,
}

impl Base {
    /// Whether a base is `thismessage:`, the scheme of RFC 2557, section 5, which has no hosts. The scheme of a
    /// reference to a host (`//host/path`) is not known then.
    pub(crate) fn lacks_network(uri: &str) -> bool {
        const SCHEME: &str = "thismessage:";
        let start = uri.get(..SCHEME.len());
        start.is_some_and(|it| it.eq_ignore_ascii_case(SCHEME))
    }
}

/// The longest base that is used, in bytes: a page of many short links comes to as many times that.
pub const MAX_BASE: usize = 2 << 10;

/// Where a base URI comes from. The first of them that is known holds (RFC 3986, section 5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum BaseFrom {
    /// Embedded in the content: a BASE element, or an `xml:base` (section 5.1.1).
    Element,
    /// The `Content-Base` of a part of a message, or of what it is part of (section 5.1.2; RFC 2110).
    ContentBase,
    /// The `Content-Location` of a part of a message, or of what it is part of (section 5.1.2; RFC 2557).
    ContentLocation,
    /// Given by the caller as the URI that the document was retrieved from (section 5.1.3).
    Option,
    /// Known from the container that the document came in (section 5.1.3).
    Retrieval,
    /// Made up, because nothing gave one: `thismessage:/`, for the parts of a message (section 5.1.4; RFC 2557,
    /// section 5).
    Default,
}

impl BaseFrom {
    /// The name in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Element => "element",
            Self::ContentBase => "content-base",
            Self::ContentLocation => "content-location",
            Self::Option => "option",
            Self::Retrieval => "retrieval",
            Self::Default => "default",
        }
    }
}

impl fmt::Display for BaseFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
