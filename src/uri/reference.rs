//! A reference's text and where its components are.

use memchr::{memchr, memchr2, memchr3};

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

/// Where components end, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Ends {
    /// After the colon behind the scheme, 0 without one.
    pub(super) scheme: usize,
    /// Where the path begins. Equals `scheme` where there is no authority, since `//` is part of it.
    pub(super) authority: usize,
    /// Where the path ends.
    pub(super) path: usize,
    /// Where the query ends. Equals `path` where there is none, since `?` is part of it.
    pub(super) query: usize,
}

impl Ends {
    /// The components of `text`, whose ends these are.
    pub(super) fn parts(self, text: &str) -> Parts<'_> {
        // What is defined is at least its delimiter, of this length, before it or behind it.
        let after = |start, len, end| (start < end).then(|| &text[start + len..end]);
        Parts {
            scheme: self.scheme.checked_sub(1).map(|colon| &text[..colon]),
            authority: after(self.scheme, 2, self.authority),
            path: &text[self.authority..self.path],
            query: after(self.path, 1, self.query),
            fragment: after(self.query, 1, text.len()),
        }
    }
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
        syntax::parse(text).map_err(|fault| SyntaxError::new(Grammar::Rfc3987, fault, text))
    }

    /// Finds the components of any text as [`Parts::split`] does, in one pass and without
    /// allocating.
    #[inline]
    pub fn split(text: &'a str) -> Self {
        Self::split_after(text, scheme_end(text.as_bytes(), u8::is_ascii_alphabetic))
    }

    /// Finds the components of any text as [`Parts::split_verbatim`] does.
    pub fn split_verbatim(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let end = bytes
            .iter()
            .position(|b| matches!(b, b':' | b'/' | b'?' | b'#'));
        let end = end.filter(|&end| end > 0 && bytes[end] == b':');
        Self::split_after(text, end.map_or(0, |colon| colon + 1))
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
            let end = scheme_end(self.text.as_bytes(), |_| true);
            if end > 0 {
                return Self::split_after(self.text, end);
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

    /// The authority with its two slashes; nothing where it is undefined.
    pub(super) fn net_path(self) -> &'a str {
        &self.text[self.ends.scheme..self.ends.authority]
    }

    /// Finds what follows a scheme that ends here, its colon included.
    fn split_after(text: &'a str, scheme: usize) -> Self {
        let bytes = text.as_bytes();
        // Every position is beside an ASCII delimiter, hence on a character boundary.
        let up_to = |from: usize, found: Option<usize>| found.map_or(bytes.len(), |at| from + at);
        let mut ends = Ends {
            scheme,
            authority: scheme,
            ..Ends::default()
        };
        if bytes[scheme..].starts_with(b"//") {
            let at = scheme + 2;
            ends.authority = up_to(at, memchr3(b'/', b'?', b'#', &bytes[at..]));
        }
        let at = ends.authority;
        ends.path = up_to(at, memchr2(b'?', b'#', &bytes[at..]));
        ends.query = ends.path;
        if bytes.get(ends.path) == Some(&b'?') {
            ends.query = up_to(ends.path, memchr(b'#', &bytes[ends.path..]));
        }
        Self::with_ends(text, ends)
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

/// Where a scheme ends, its colon included; 0 without one.
fn scheme_end(bytes: &[u8], may_begin: fn(&u8) -> bool) -> usize {
    if !bytes.first().is_some_and(may_begin) {
        return 0;
    }
    let end = bytes
        .iter()
        .position(|&b| !syntax::is_scheme_byte(b))
        .unwrap_or(0);
    match bytes[end] {
        b':' if end > 0 => end + 1,
        _ => 0,
    }
}
