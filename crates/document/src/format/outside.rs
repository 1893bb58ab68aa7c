//! Compares what two versions of a document have outside of their edited links.

use crate::bytes::Span;
use crate::format::html::{Difference, Pair};

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
