//! The reasons why links were not made.

use std::fmt;

use crate::format::Format;

/// The reason why links were not made, or why options are wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkifyError {
    /// Not a name of an attribute: an ASCII letter or `_`, then also digits, `-`, `.` and `:`. The
    /// `href` is set by [`Anchor::set_href`](super::Anchor::set_href).
    AttributeName(String),
    /// Not a scheme (RFC 3986, section 3.1).
    Scheme(String),
    /// A scheme whose URLs have content that the browser runs: `javascript`, `vbscript` or `data`.
    UnsafeScheme(String),
    /// The format is neither plain text nor HTML.
    Format(Format),
    /// The name of an encoding that is never decoded, because attacks use it (Encoding standard,
    /// section 14.1).
    Charset(&'static str),
}

impl fmt::Display for LinkifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AttributeName(name) => write!(f, "{name:?} is not a name for an attribute"),
            Self::Scheme(scheme) => write!(f, "{scheme:?} is not a scheme"),
            Self::UnsafeScheme(scheme) => {
                write!(f, "{scheme}: is not safe: browsers run its URLs")
            }
            Self::Format(format) => {
                write!(f, "links are made in plain text and HTML, not in {format}")
            }
            Self::Charset(name) => write!(f, "text in the encoding {name} is not read"),
        }
    }
}

impl std::error::Error for LinkifyError {}
