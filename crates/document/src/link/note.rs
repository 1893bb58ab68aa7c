//! Notes on how a link was read.

/// A remark on how a link was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Note {
    /// Its pieces are not adjacent in the document. Between them are bytes that are not part of it:
    /// a line break, reply marks, an escape or an invisible break (`<wbr>`, a soft hyphen, a
    /// zero-width space). See [`Link::spans`](crate::Link::spans).
    ///
    /// Not set for line breaks within the value of an attribute. Nor for those of a transfer
    /// encoding or an encoded word, which are decoded before.
    Rejoined,
    /// Joined across a line break on no other evidence than the shape of the lines; or the last
    /// link of a truncated document, which may be truncated itself.
    Doubtful,
    /// Contained escapes, other syntax or terminal colors, which were decoded or removed. Examples
    /// are the backslashes of roff and TeX, and the quotes of source code.
    Unescaped,
    /// Defanged: written so that no program makes a link of it, as in `hxxp://a[.]example`. The
    /// reference is as written. [`refanged`](crate::format::text::refanged) undoes it.
    Defanged,
    /// Some of its bytes are invalid in the document's charset and were read as U+FFFD.
    Undecodable,
    /// Not a valid reference (RFC 3986 and 3987). It was split by RFC 3986, Appendix B, and
    /// resolved nevertheless.
    Malformed,
    /// Cannot be resolved under the resolver's profile, whatever the base.
    Unresolvable,
    /// Has a host but no scheme (`//host/path`), in mail without a base: `https` was assumed.
    AssumedScheme,
    /// In mail: the bytes in the file also encode some bytes around the link, as in base64.
    Covering,
    /// In a web archive: the document is truncated.
    Truncated,
    /// The beginning of a URL, which a formula completes.
    Composed,
    /// A copy of a link that another part of the package has, which programs keep next to it.
    Copy,
    /// A relationship of a package that nothing in its part refers to.
    Unreferenced,
}

impl Note {
    /// All notes.
    pub const ALL: &'static [Self] = &[
        Self::Rejoined,
        Self::Doubtful,
        Self::Unescaped,
        Self::Defanged,
        Self::Undecodable,
        Self::Malformed,
        Self::Unresolvable,
        Self::AssumedScheme,
        Self::Covering,
        Self::Truncated,
        Self::Composed,
        Self::Copy,
        Self::Unreferenced,
    ];

    /// The name in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rejoined => "rejoined",
            Self::Doubtful => "doubtful",
            Self::Unescaped => "unescaped",
            Self::Defanged => "defanged",
            Self::Undecodable => "undecodable",
            Self::Malformed => "malformed",
            Self::Unresolvable => "unresolvable",
            Self::AssumedScheme => "assumed-scheme",
            Self::Covering => "covering",
            Self::Truncated => "truncated",
            Self::Composed => "composed",
            Self::Copy => "copy",
            Self::Unreferenced => "unreferenced",
        }
    }
}

/// A set of notes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Notes(u16);

impl Notes {
    /// No note.
    pub const NONE: Self = Self(0);

    /// Adds a note.
    pub const fn with(self, note: Note) -> Self {
        Self(self.0 | 1 << note as u8)
    }

    /// The notes of both sets.
    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns true if the set contains `note`.
    pub const fn contains(self, note: Note) -> bool {
        self.0 & 1 << note as u8 != 0
    }

    /// Iterates over the notes, in the order of [`Note::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Note> {
        Note::ALL.iter().copied().filter(move |&note| self.contains(note))
    }
}
