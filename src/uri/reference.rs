//! A reference's text and where its components are.

use super::parts::Ends;
use super::{Grammar, Parts, Profile, SyntaxError, dots, syntax};

/// A URI reference, its components found: what [`Base`](super::Base) resolves.
///
/// Where [`Parts`] are five strings, this is one string and the positions in it, since whatever
/// follows the path of a reference can be copied to its target as one piece.
///
/// ```
/// use rehref::uri::Reference;
///
/// let reference = Reference::parse("//h/p?q")?;
/// assert_eq!((reference.parts().authority, reference.parts().path), (Some("h"), "/p"));
/// assert!(Reference::parse("//h/p q").is_err());
/// assert_eq!(Reference::split("//h/p q").parts().path, "/p q");
/// # Ok::<(), rehref::uri::SyntaxError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reference<'a> {
    pub(super) text: &'a str,
    pub(super) ends: Ends,
    /// How many `../` the path begins with.
    pub(super) climbs: usize,
    /// Whether a later segment of it begins with a dot. Without such there are no dot segments.
    pub(super) has_dots: bool,
}

impl<'a> Reference<'a> {
    /// Checks that `text` is a reference by the grammar of RFC 3986, Appendix A, with the characters
    /// outside ASCII that RFC 3987 allows in an IRI-reference, and finds its components in the same
    /// pass, without allocating.
    ///
    /// [`Grammar`] checks by other texts, and by RFC 3986 alone.
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

    /// Finds the components of any text as [`Parts::split`] does, in one pass and without
    /// allocating.
    #[inline]
    pub fn split(text: &'a str) -> Self {
        Self::with_ends(text, Ends::split(text))
    }

    /// Finds the components of any text as [`Parts::split_verbatim`] does.
    pub fn split_verbatim(text: &'a str) -> Self {
        Self::with_ends(text, Ends::split_verbatim(text))
    }

    /// The same text as `profile` reads it: by the draft of 1997 a scheme may begin with any
    /// character that it may contain, so `1a:b` is absolute. The others want a letter first, and
    /// take the colon for part of a relative path.
    ///
    /// ```
    /// use rehref::uri::{Profile, Reference};
    ///
    /// let reference = Reference::split("1a:b");
    /// assert_eq!(reference.parts().scheme, None);
    /// assert_eq!(reference.by(Profile::Url1997).parts().scheme, Some("1a"));
    /// ```
    #[must_use]
    #[inline]
    pub fn by(self, profile: Profile) -> Self {
        if profile == Profile::Url1997 && self.ends.scheme == 0 {
            if let Some(ends) = Ends::split_with_any_scheme(self.text) {
                return Self::with_ends(self.text, ends);
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

    /// A text whose components end here.
    // Not a call: what it returned would be copied before the parts just written can be read.
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

/// Any text, as [`Reference::split`] reads it.
impl<'a> From<&'a str> for Reference<'a> {
    #[inline]
    fn from(text: &'a str) -> Self {
        Self::split(text)
    }
}

/// Any text, as [`Reference::split`] reads it.
impl<'a> From<&'a String> for Reference<'a> {
    #[inline]
    fn from(text: &'a String) -> Self {
        Self::split(text)
    }
}
