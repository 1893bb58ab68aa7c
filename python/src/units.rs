//! Offsets in the characters of a text, for those in the bytes of its UTF-8.

use rehref::records::LinkReport;

use crate::name::Name;

/// The unit of offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// The bytes of a document.
    Bytes,
    /// The characters of a `str`.
    CodePoints,
}

impl Unit {
    /// The unit of links in a text, if its characters are counted.
    pub(crate) fn of(text: Option<&Characters<'_>>) -> Self {
        match text {
            Some(_) => Self::CodePoints,
            None => Self::Bytes,
        }
    }

    pub(crate) const fn name(self) -> Name {
        Name::new(match self {
            Self::Bytes => "bytes",
            Self::CodePoints => "code points",
        })
    }
}

/// The number of bytes between two places whose characters are counted in advance.
const STEP: usize = 512;

/// Converts offsets in the UTF-8 of a text into offsets in its characters (code points), in
/// constant time.
pub(crate) struct Characters<'t> {
    bytes: &'t [u8],
    /// The number of characters before each multiple of [`STEP`]. Empty if each byte is a
    /// character.
    counts: Vec<usize>,
}

impl<'t> Characters<'t> {
    /// Cost: one pass over the text.
    pub(crate) fn new(bytes: &'t [u8]) -> Self {
        let mut counts = Vec::new();
        if !bytes.is_ascii() {
            let mut sum = 0;
            counts.extend(bytes.chunks(STEP).map(|chunk| {
                let before = sum;
                sum += count(chunk);
                before
            }));
        }
        Self { bytes, counts }
    }

    /// The column of a link, and its first span.
    pub(crate) fn column_and_span(
        report: &LinkReport<'_>,
        text: Option<&Self>,
    ) -> (usize, (usize, usize)) {
        let convert = |offset: usize| text.map_or(offset, |it| it.before(offset));
        let (start, end) = report.spans().first().map_or((0, 0), |it| (it.start, it.end));
        let line_start = start.saturating_sub(report.column() - 1);
        let span = (convert(start), convert(end));
        (span.0 - convert(line_start) + 1, span)
    }

    /// The number of characters before a byte.
    pub(crate) fn before(&self, offset: usize) -> usize {
        let offset = offset.min(self.bytes.len());
        let step = offset / STEP;
        match self.counts.get(step) {
            Some(before) => before + count(&self.bytes[step * STEP..offset]),
            // The text is ASCII, or ends at a multiple.
            None => match self.counts.last() {
                Some(before) => before + count(&self.bytes[(step - 1) * STEP..offset]),
                None => offset,
            },
        }
    }
}

/// The number of characters that begin in these bytes.
fn count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}
