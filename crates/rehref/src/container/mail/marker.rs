//! The text that every separator of messages contains.

use memchr::memmem::Finder;

use super::format::MboxFormat;
use crate::format::mail::lines::FROM;

/// The marker of the separators of a format: a line feed and the beginning of the next line.
pub(super) struct Marker {
    finder: Finder<'static>,
    /// The number of bytes before the text that the finder finds.
    before: usize,
}

impl Marker {
    pub(super) fn new(format: MboxFormat) -> Self {
        // `From ` is searched without the line feed, so that the search also finds quoted lines.
        let (searched, before): (&[u8], _) = match format {
            MboxFormat::Listserv => (b"\n====", 0),
            MboxFormat::Mmdf => (b"\n\x01\x01\x01\x01", 0),
            _ => (FROM, 1),
        };
        Self { finder: Finder::new(searched), before }
    }

    /// Returns true if the search also finds quoted lines.
    pub(super) fn shows_quotes(&self) -> bool {
        self.before > 0
    }

    /// The number of bytes of the marker.
    pub(super) fn len(&self) -> usize {
        self.before + self.finder.needle().len()
    }

    /// The offset of the first marker, which may have another byte instead of the line feed.
    pub(super) fn find(&self, bytes: &[u8]) -> Option<usize> {
        self.finder.find(bytes.get(self.before..)?)
    }
}
