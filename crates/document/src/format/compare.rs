//! Two versions of a document that may differ only in certain links, and their comparison outside
//! of these.

use encoding_rs::Encoding;

use crate::bytes::Span;

/// A document to compare.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side<'s> {
    /// Its bytes, in an ASCII-compatible charset.
    pub(crate) bytes: &'s [u8],
    pub(crate) encoding: &'static Encoding,
    /// The spans of its links, in order; the index is the number of the link.
    pub(crate) links: &'s [Span],
}

/// The two versions to compare.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<'s> {
    pub(crate) old: Side<'s>,
    pub(crate) new: Side<'s>,
    /// The state of each link, by its number.
    pub(crate) links: &'s [LinkState],
    pub(crate) scripting: bool,
    /// True if the code of Markdown may have links: the program of the site reads some of it as
    /// Markdown.
    pub(crate) links_in_code: bool,
}

/// The state of a link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkState {
    /// True if its reference may differ.
    pub(crate) edited: bool,
    /// The number of attributes with pages that contain it.
    pub(crate) depth: usize,
}

/// A difference between two documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// The offset in the old document, if known.
    pub(crate) at: Option<usize>,
    pub(crate) what: &'static str,
}

impl Difference {
    pub(in crate::format) fn new(at: impl Into<Option<usize>>, what: &'static str) -> Self {
        Self { at: at.into(), what }
    }
}

/// Compares the bytes before, between and after the edited links.
pub(crate) fn same_outside(pair: &Pair<'_>) -> Result<(), Difference> {
    let spans = pair.old.links.iter().copied();
    let spans = spans.zip(pair.new.links.iter().copied());
    let edited = spans.zip(pair.links).filter(|(_, link)| link.edited);
    same_between(pair, edited.map(|(spans, _)| spans))
}

/// Compares the bytes before, between and after these spans of the old and the new version.
pub(crate) fn same_between(
    pair: &Pair<'_>,
    cuts: impl IntoIterator<Item = (Span, Span)>,
) -> Result<(), Difference> {
    let (old, new) = (pair.old.bytes, pair.new.bytes);
    let (mut old_at, mut new_at) = (0, 0);
    let ends = [old.len(), new.len()].map(|len| Span::new(len, len));
    for (old_cut, new_cut) in cuts.into_iter().chain([(ends[0], ends[1])]) {
        let between = (old.get(old_at..old_cut.start), new.get(new_at..new_cut.start));
        if between.0.is_none() || between.0 != between.1 {
            return Err(Difference { at: Some(old_at), what: "bytes outside of links differ" });
        }
        (old_at, new_at) = (old_cut.end, new_cut.end);
    }
    Ok(())
}
