//! Compares two versions of a document that may differ only in certain links.

use super::finder::Finder;
use super::input::Input;
use super::lexer::Lexer;
use super::pieces::{PieceSpans, Pieces};
use crate::bytes::Span;
use crate::format::compare::{self, Difference, Pair, Side};
use crate::format::{Options, html};

/// Compares two documents. Outside of edited links, their bytes must be the same. HTML with edited
/// links is decoded, and compared as a DOM.
///
/// Cost: linear in both.
pub(super) fn compare(pair: &Pair<'_>) -> Result<(), Difference> {
    let options = Options { scripting: pair.scripting, ..Options::default() };
    let texts = |side: &Side<'_>| {
        let drop_links = &mut |links: &mut Vec<_>| links.clear();
        Finder::new(side.bytes, side.encoding, &options, drop_links).html()
    };
    let (old_texts, new_texts) = (texts(&pair.old), texts(&pair.new));
    if old_texts.len() != new_texts.len() {
        return Err(Difference { at: None, what: "there are more or fewer elements with HTML" });
    }
    let mut cuts = Vec::new();
    let mut next = 0;
    let is_edited = |&link: &usize| pair.links[link].edited;
    let spans = |link: usize| (pair.old.links[link], pair.new.links[link]);
    for (old, new) in old_texts.iter().zip(&new_texts) {
        let (old_extent, new_extent) = (extent(old), extent(new));
        let first = pair.old.links.partition_point(|it| it.start < old_extent.start);
        let count =
            |links: &[Span], end: usize| links.iter().take_while(|it| it.end <= end).count();
        let links = first..first + count(&pair.old.links[first..], old_extent.end);
        if !links.clone().any(|link| is_edited(&link)) {
            continue;
        }
        let is_like = pair.new.links.partition_point(|it| it.start < new_extent.start) == first
            && count(&pair.new.links[first..], new_extent.end) == links.len();
        if !is_like {
            return Err(Difference {
                at: Some(old_extent.start),
                what: "an element has other links in its HTML",
            });
        }
        let numbers = links.clone();
        same_html(pair, numbers, (old, new), &options)?;
        cuts.extend((next..links.start).filter(is_edited).map(spans));
        cuts.push((old_extent, new_extent));
        next = links.end;
    }
    cuts.extend((next..pair.links.len()).filter(is_edited).map(spans));
    compare::same_between(pair, cuts)
}

/// Compares two texts with HTML, which have the links of these numbers.
fn same_html(
    pair: &Pair<'_>,
    links: std::ops::Range<usize>,
    (old, new): (&PieceSpans, &PieceSpans),
    options: &Options,
) -> Result<(), Difference> {
    let at = Some(extent(old).start);
    let kinds = |spans: &PieceSpans| -> Vec<_> { spans.iter().map(|it| it.1).collect() };
    let between = |side: &Side<'_>, spans: &PieceSpans| -> Vec<Vec<u8>> {
        let pairs = spans.windows(2);
        let between = pairs.map(|pair| side.bytes[pair[0].0.end..pair[1].0.start].to_vec());
        between.collect()
    };
    if kinds(old) != kinds(new) || between(&pair.old, old) != between(&pair.new, new) {
        return Err(Difference { at, what: "a comment or a CDATA section in HTML differs" });
    }
    let decode = |side: &Side<'_>, spans: &PieceSpans| -> (String, Vec<Span>) {
        let input = Input {
            source: side.bytes,
            encoding: side.encoding,
            options,
            lexer: Lexer::new(side.bytes),
            has_hyperlink_base: false,
            uses: None,
        };
        let pieces = Pieces::of(&input, spans);
        let cuts = side.links[links.clone()].iter().map(|link| {
            let start = pieces.position(link.start);
            Span::new(start, pieces.position(link.end).max(start))
        });
        let cuts = cuts.collect();
        (pieces.text().clone().into_owned(), cuts)
    };
    let (old_text, old_cuts) = decode(&pair.old, old);
    let (new_text, new_cuts) = decode(&pair.new, new);
    let inner = Pair {
        old: Side { bytes: old_text.as_bytes(), encoding: encoding_rs::UTF_8, links: &old_cuts },
        new: Side { bytes: new_text.as_bytes(), encoding: encoding_rs::UTF_8, links: &new_cuts },
        links: &pair.links[links],
        scripting: pair.scripting,
        links_in_code: false,
    };
    html::compare(&inner).map_err(|inner| Difference { at, ..inner })
}

/// The bytes from the first to the last piece.
fn extent(pieces: &PieceSpans) -> Span {
    match (pieces.first(), pieces.last()) {
        (Some((first, _)), Some((last, _))) => Span::new(first.start, last.end),
        _ => Span::new(0, 0),
    }
}
