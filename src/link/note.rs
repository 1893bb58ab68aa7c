//! Notes on how a link was read.

/// One thing to know about a link's reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Note {
    /// It was put together again from pieces that white space kept apart.
    Rejoined,
    /// It was put together over a line end, and nothing but what the lines look like says that it
    /// should.
    Doubtful,
    /// Escapes or other syntax within it were taken out or decoded: see
    /// [`TextSyntax`](crate::source::TextSyntax). So were the colors of a terminal.
    Unescaped,
    /// Some of its bytes are invalid in the document's charset and were read as U+FFFD.
    Undecodable,
    /// It is no reference by the grammar of RFC 3986 and 3987. It was split by RFC 3986, Appendix
    /// B, and resolved all the same.
    Malformed,
    /// It has no target by the resolver's profile: resolving fails, whatever the base.
    Unresolvable,
    /// It names a host and no scheme (`//host/path`), and no base in mail says which: it was taken for `https`.
    AssumedScheme,
    /// Of its record in mail: the bytes of the file that spell it spell some bytes around it too, as in base64.
    Covering,
}

impl Note {
    /// All notes.
    pub const ALL: [Self; 8] = [
        Self::Rejoined,
        Self::Doubtful,
        Self::Unescaped,
        Self::Undecodable,
        Self::Malformed,
        Self::Unresolvable,
        Self::AssumedScheme,
        Self::Covering,
    ];

    /// The name in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rejoined => "rejoined",
            Self::Doubtful => "doubtful",
            Self::Unescaped => "unescaped",
            Self::Undecodable => "undecodable",
            Self::Malformed => "malformed",
            Self::Unresolvable => "unresolvable",
            Self::AssumedScheme => "assumed-scheme",
            Self::Covering => "covering",
        }
    }
}

/// A set of notes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Notes(u16);

impl Notes {
    /// No note.
    pub const NONE: Self = Self(0);

    /// These and one more.
    pub const fn with(self, note: Note) -> Self {
        Self(self.0 | 1 << note as u8)
    }

    /// Whether the note is among them.
    pub const fn contains(self, note: Note) -> bool {
        self.0 & 1 << note as u8 != 0
    }

    /// Each of them.
    pub fn iter(self) -> impl Iterator<Item = Note> {
        Note::ALL
            .into_iter()
            .filter(move |&note| self.contains(note))
    }
}
