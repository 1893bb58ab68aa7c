//! Whether an edited document is the old one but for what its edited links say.
//!
//! Nothing of how the edits were made, nor of how a plan proves them, is used here: only the two
//! documents, and what each edited link is to say.

use std::fmt;
use std::mem;

use encoding_rs::UTF_8;

use super::Edit;
use crate::document::{Document, Media, Text};
use crate::find::{
    Difference, FindOptions, Findings, Link, LinkState, Pair, Place, Side, compare, find,
};
use crate::span::Span;

/// What is not as it should be in an edited document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The offset in the old document, as far as it is known.
    pub at: Option<usize>,
    what: &'static str,
}

impl Mismatch {
    fn new(at: impl Into<Option<usize>>, what: &'static str) -> Self {
        Self {
            at: at.into(),
            what,
        }
    }
}

/// What is not as it should be, in words.
impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)
    }
}

impl std::error::Error for Mismatch {}

/// Verifies that `edited` is `document` but for what `edits` are to change. `findings` are the links of the
/// document; of an edit it counts which link it changes and the reference that it gives it, and not where
/// it wrote what.
///
/// Both documents are read from their bytes, apart from each other, and it must hold that
///
/// 1. they have as many links, each in the same kind of place; that of an edit has the reference of the
///    edit, and every other the reference that it had;
/// 2. of HTML, they have the same tags with the same attributes, and html5ever's tree builder makes the same
///    trees of them, node by node; where an edited link stands in a value, in text or in a comment, what is
///    before and after it, decoded, is the same. A page in an attribute, and a conditional comment, in
///    which links were edited is compared so in turn;
/// 3. of anything else, they have the same bytes before, between and after the edited links.
///
/// A page that nests so deep that its tree would take too long to build cannot be verified.
///
/// Cost: linear in both documents; of HTML some twenty times that of finding links.
///
/// ```
/// use rehref::document::Document;
/// use rehref::edit::{Plan, verify};
/// use rehref::find::{FindOptions, find};
/// use rehref::map::{Rule, Rules};
///
/// let page = Document::new("a.html", b"<a href=b>".to_vec()).retrieved_from("http://h/");
/// let options = FindOptions::default();
/// let found = find(&page, &options);
/// let rules = Rules { rules: vec![Rule::Absolute], ..Rules::default() };
/// let plan = Plan::new(&page, &found, &options, &rules);
/// assert!(verify(&page, &found, &plan.edits, plan.apply(&page), &options).is_ok());
/// assert!(verify(&page, &found, &plan.edits, b"<a href=http://h/b><b>", &options).is_err());
/// ```
pub fn verify(
    document: &Document,
    findings: &Findings<'_>,
    edits: &[Edit],
    edited: &[u8],
    options: &FindOptions,
) -> Result<(), Mismatch> {
    if document.bytes == edited {
        return match edits {
            [] => Ok(()),
            [edit, ..] => Err(Mismatch::new(edit.span.start, "an edit was not made")),
        };
    }
    let bom = document.charset.bom_len();
    if document.bytes.get(..bom) != edited.get(..bom) {
        return Err(Mismatch::new(0, "the byte order mark differs"));
    }
    let new = document.with_bytes(edited.to_vec());
    let found = find(&new, options);
    let states = same_links(&findings.links, &found.links, edits)?;
    let old_extents = extents(&findings.links)?;
    let new_extents = extents(&found.links)?;
    if document.charset.is_ascii_compatible() {
        let shifted = |extents: &[Span]| -> Vec<Span> {
            let back = |it: &Span| Span::new(it.start - bom, it.end - bom);
            extents.iter().map(back).collect()
        };
        let encoding = document.charset.encoding();
        let (old_links, new_links) = (shifted(&old_extents), shifted(&new_extents));
        let pair = Pair {
            old: Side {
                bytes: &document.bytes[bom..],
                encoding,
                links: &old_links,
            },
            new: Side {
                bytes: &edited[bom..],
                encoding,
                links: &new_links,
            },
            links: &states,
            scripting: options.scripting,
        };
        return same(document.media, &pair).map_err(|it| Mismatch {
            at: it.at.map(|at| at + bom),
            what: it.what,
        });
    }
    // What bytes mean is told by bytes before them, or markup is not ASCII: the texts are compared.
    let (old_text, new_text) = (document.text(), new.text());
    let (old_links, new_links) = (
        in_text(&old_text, &old_extents),
        in_text(&new_text, &new_extents),
    );
    let pair = Pair {
        old: Side {
            bytes: old_text.text.as_bytes(),
            encoding: UTF_8,
            links: &old_links,
        },
        new: Side {
            bytes: new_text.text.as_bytes(),
            encoding: UTF_8,
            links: &new_links,
        },
        links: &states,
        scripting: options.scripting,
    };
    same(document.media, &pair).map_err(|it| Mismatch {
        at: it.at.map(|at| old_text.to_source(Span::new(at, at)).start),
        what: it.what,
    })
}

fn same(media: Media, pair: &Pair<'_>) -> Result<(), Difference> {
    match media {
        Media::Html => compare(pair),
        _ => same_outside(pair),
    }
}

/// Whether the links are as the edits say, and which of them those are about.
fn same_links(
    old: &[Link<'_>],
    new: &[Link<'_>],
    edits: &[Edit],
) -> Result<Vec<LinkState>, Mismatch> {
    let mut meant = vec![None; old.len()];
    for edit in edits {
        match meant.get_mut(edit.link) {
            Some(meant) if meant.is_none() => *meant = Some(edit),
            _ => {
                let what = "an edit is of no link, or of one that has another";
                return Err(Mismatch::new(edit.span.start, what));
            }
        }
    }
    let mut states = Vec::with_capacity(old.len());
    for (number, (link, meant)) in old.iter().zip(meant).enumerate() {
        let at = link.extent().start;
        let Some(found) = new.get(number) else {
            return Err(Mismatch::new(at, "a link is gone"));
        };
        if !stand_alike(link, found) {
            return Err(Mismatch::new(at, "another link is in its place"));
        }
        let reference = meant.map_or(&*link.reference, |edit| &edit.reference);
        if found.reference != reference {
            return Err(Mismatch::new(at, "a link does not say what it should"));
        }
        let mut depth = 0;
        let mut within = link.place.markup().and_then(|it| it.within.as_ref());
        while let Some(markup) = within {
            depth += 1;
            within = markup.within.as_ref();
        }
        states.push(LinkState {
            edited: meant.is_some(),
            depth,
        });
    }
    if new.len() > old.len() {
        return Err(Mismatch::new(None, "there is a new link"));
    }
    Ok(states)
}

/// Whether two links stand in the same kind of place. The quotes may differ, which may have been needed.
fn stand_alike(old: &Link<'_>, new: &Link<'_>) -> bool {
    let kind = |place: &Place| mem::discriminant(place);
    let markup = match (old.place.markup(), new.place.markup()) {
        (Some(old), Some(new)) => {
            old.language == new.language
                && old.element == new.element
                && old.attribute == new.attribute
                && old.form == new.form
                && old.within.is_some() == new.within.is_some()
        }
        (old, new) => old.is_none() && new.is_none(),
    };
    kind(&old.place) == kind(&new.place) && old.role == new.role && markup
}

/// Where the links are; they must come one after another.
fn extents(links: &[Link<'_>]) -> Result<Vec<Span>, Mismatch> {
    let extents: Vec<Span> = links.iter().map(Link::extent).collect();
    let overlap = extents.windows(2).find(|pair| pair[0].end > pair[1].start);
    match overlap {
        Some(pair) => Err(Mismatch::new(pair[1].start, "two links stand in one place")),
        None => Ok(extents),
    }
}

/// Where these bytes of a document are in its text. Cost: a search in the map for each.
fn in_text(text: &Text<'_>, spans: &[Span]) -> Vec<Span> {
    let position = |source: usize| {
        let (mut low, mut high) = (0, text.text.len());
        while low < high {
            let middle = low.midpoint(high);
            if text.to_source(Span::new(middle, middle)).start < source {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    };
    let led = |span: &Span| {
        let start = position(span.start);
        Span::new(start, position(span.end).max(start))
    };
    spans.iter().map(led).collect()
}

/// Compares what is before, between and after the edited links.
fn same_outside(pair: &Pair<'_>) -> Result<(), Difference> {
    let Pair {
        old, new, links, ..
    } = pair;
    let (mut old_at, mut new_at) = (0, 0);
    let ends = (
        Span::new(old.bytes.len(), old.bytes.len()),
        Span::new(new.bytes.len(), new.bytes.len()),
    );
    let spans = old.links.iter().copied().zip(new.links.iter().copied());
    let edited = spans.zip(*links).filter(|(_, link)| link.edited);
    for (old_span, new_span) in edited.map(|(spans, _)| spans).chain([ends]) {
        let before = &old.bytes[old_at..old_span.start];
        if before != &new.bytes[new_at..new_span.start] {
            return Err(Difference {
                at: Some(old_at),
                what: "what is outside the links differs",
            });
        }
        (old_at, new_at) = (old_span.end, new_span.end);
    }
    Ok(())
}
