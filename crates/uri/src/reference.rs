//! References, split for resolving.

use super::parts::{Ends, scheme_end, verbatim_scheme_end};
use super::{Grammar, Parts, Profile, SyntaxError, dots, syntax};

/// A URI reference with the positions of its components, for [`Base`](super::Base).
///
/// [`Parts`] are five strings; this is one string with positions in it, since everything after the
/// path can be copied to the target as one piece.
///
/// ```
/// use rehref_uri::Reference;
///
/// let reference = Reference::parse("//h/p?q")?;
/// assert_eq!((reference.parts().authority, reference.parts().path), (Some("h"), "/p"));
/// assert!(Reference::parse("//h/p q").is_err());
/// assert_eq!(Reference::split("//h/p q").parts().path, "/p q");
/// # Ok::<(), rehref_uri::SyntaxError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reference<'a> {
    pub(super) text: &'a str,
    pub(super) ends: Ends,
    /// The number of `../` at the beginning of the path.
    pub(super) climbs: usize,
    /// True if a later segment begins with a dot. If not, there are no other dot segments.
    pub(super) has_dots: bool,
}

impl<'a> Reference<'a> {
    /// Parses a reference by the grammar of RFC 3986, Appendix A, with the non-ASCII characters
    /// that RFC 3987 allows in an IRI reference. One pass, without allocating.
    ///
    /// [`Grammar`] checks by other specifications, and by RFC 3986 alone.
    ///
    /// # Errors
    /// A [`SyntaxError`] with the bytes at fault and the rule they break.
    #[inline]
    pub fn parse(text: &'a str) -> Result<Self, SyntaxError> {
        match syntax::parse(text) {
            Ok(ends) => Ok(Self::with_ends(text, ends)),
            Err(fault) => Err(SyntaxError::new(Grammar::Rfc3987, fault, text)),
        }
    }

    /// Splits any text like [`Parts::split`], in one pass and without allocating.
    #[inline]
    pub fn split(text: &'a str) -> Self {
        Self::after_scheme(text, scheme_end(text.as_bytes(), u8::is_ascii_alphabetic))
    }

    /// Splits any text like [`Parts::split_verbatim`].
    pub fn split_verbatim(text: &'a str) -> Self {
        Self::after_scheme(text, verbatim_scheme_end(text.as_bytes()))
    }

    /// Splits a text by the rules of `profile`. In the draft of 1997 a scheme may begin with any
    /// scheme character, so `1a:b` is absolute. The other profiles require a letter, and read the
    /// colon as part of a relative path.
    ///
    /// ```
    /// use rehref_uri::{Profile, Reference};
    ///
    /// let reference = Reference::split("1a:b");
    /// assert_eq!(reference.parts().scheme, None);
    /// assert_eq!(reference.by(Profile::Url1997).parts().scheme, Some("1a"));
    /// ```
    #[must_use]
    #[inline]
    pub fn by(self, profile: Profile) -> Self {
        if profile == Profile::Url1997 && self.ends.scheme == 0 {
            let end = scheme_end(self.text.as_bytes(), |_| true);
            if end > 0 {
                return Self::after_scheme(self.text, end);
            }
        }
        self
    }

    /// The text.
    pub fn as_str(self) -> &'a str {
        self.text
    }

    /// The components.
    pub fn parts(self) -> Parts<'a> {
        self.ends.parts(self.text)
    }

    /// Splits a text after a scheme that ends at `scheme`, with its colon.
    fn after_scheme(text: &'a str, scheme: usize) -> Self {
        Self::with_ends(text, Ends::after_scheme(text, scheme))
    }

    /// A text with its components.
    // Inlined, because the result of a call would be copied before the fields just written can be
    // read.
    #[inline(always)]
    pub(super) fn with_ends(text: &'a str, ends: Ends) -> Self {
        let path = &text.as_bytes()[ends.authority..ends.path];
        let climbs = dots::climbs(path);
        Self {
            text,
            ends,
            climbs,
            has_dots: dots::next_dot(&path[climbs * "../".len()..], 0).is_some(),
        }
    }
}

/// Splits any text with [`Reference::split`].
impl<'a> From<&'a str> for Reference<'a> {
    #[inline]
    fn from(text: &'a str) -> Self {
        Self::split(text)
    }
}

/// Splits any text with [`Reference::split`].
impl<'a> From<&'a String> for Reference<'a> {
    #[inline]
    fn from(text: &'a String) -> Self {
        Self::split(text)
    }
}
