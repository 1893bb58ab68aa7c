use std::fmt;

/// A base URI and its source.
#[derive(Debug, PartialEq, Eq)]
pub struct Base {
    /// An absolute URI.
    pub uri: String,
    /// The source of the base (RFC 3986, section 5.1).
    pub from: BaseFrom,
}

/// Written out, since the derived [`clone_from`](Clone::clone_from) allocates.
impl Clone for Base {
    fn clone(&self) -> Self {
        Self { uri: self.uri.clone(), from: self.from }
    }

    fn clone_from(&mut self, other: &Self) {
        self.uri.clone_from(&other.uri);
        self.from = other.from;
    }
}

impl Base {
    /// Returns true if a base is `thismessage:`, the scheme of RFC 2557, section 5, which has no
    /// hosts. The scheme of a reference to a host (`//host/path`) is then unknown.
    pub fn lacks_network(uri: &str) -> bool {
        const SCHEME: &str = "thismessage:";
        let start = uri.get(..SCHEME.len());
        start.is_some_and(|it| it.eq_ignore_ascii_case(SCHEME))
    }
}

/// The length limit of a base, in bytes. Longer bases are ignored, since the targets of a page of
/// many short links need that much memory each.
pub const MAX_BASE: usize = 2 << 10;

/// The source of a base URI, by precedence: the first one present applies (RFC 3986, section 5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum BaseFrom {
    /// Embedded in the content: a BASE element, or an `xml:base` (section 5.1.1).
    Element,
    /// The `Content-Base` of a mail part or an enclosing part (section 5.1.2; RFC 2110).
    ContentBase,
    /// The `Content-Location` of a mail part or an enclosing part (section 5.1.2; RFC 2557).
    ContentLocation,
    /// The retrieval URL, from a base that the options of a job give for a file or a directory
    /// (section 5.1.3).
    Option,
    /// The retrieval URL of this document (section 5.1.3).
    /// [`DocumentBuilder::url`](crate::DocumentBuilder::url) sets it.
    Retrieval,
    /// The default base of mail parts, `thismessage:/` (section 5.1.4; RFC 2557, section 5).
    Default,
}

impl BaseFrom {
    /// All origins.
    pub const ALL: &'static [Self] = &[
        Self::Element,
        Self::ContentBase,
        Self::ContentLocation,
        Self::Option,
        Self::Retrieval,
        Self::Default,
    ];

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
