//! Compares two Markdown documents that may differ only in certain links.
//!
//! Both are read by pulldown-cmark, which shares no code with the reader of links. They are the
//! same if
//!
//! - the bytes outside of edited links are equal;
//! - both have the same events with the same text, at the positions where the edits moved them. The
//!   destination of an edited link may differ, and so may the text of an edited URL;
//! - both have the same reference definitions, except for edited destinations;
//! - each piece of HTML with an edited link has the same DOM, except for the edited values.
//!
//! pulldown-cmark does not recognize URLs in text, so their characters may be Markdown to it. A URL
//! with such characters is replaced by letters before the documents are read, unless it is between
//! `<` and `>`.

mod events;

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use encoding_rs::UTF_8;
use pulldown_cmark::{Event, LinkType, Tag};

use self::events::{Item, Read, Reader};
use crate::bytes::Span;
use crate::format::compare::{self, Difference, Pair, Side};
use crate::format::html;
use crate::format::markup::value::Value;

/// Compares two documents. Cost: linear in both, and a search for each event and link.
pub(super) fn compare(pair: &Pair<'_>) -> Result<(), Difference> {
    let old = Decoded::new(&pair.old);
    let new = Decoded::new(&pair.new);
    let all: Vec<usize> = (0..pair.links.len()).collect();
    let unmasked = old.masked(&[]);
    let in_text = Reader::new(&unmasked, &old.links, &all).read().in_text;
    let is_masked = |&link: &usize| {
        let is_plain = old.is_plain(link) && new.is_plain(link);
        in_text[link] && !is_plain && !old.is_between(old.links[link], ('<', '>'))
    };
    let masks: Vec<usize> = all.iter().copied().filter(is_masked).collect();
    let edited = all.into_iter().filter(|&link| pair.links[link].edited);
    let edited: Vec<usize> = edited.collect();
    let (old_text, new_text) = (old.masked(&masks), new.masked(&masks));
    let mut comparison = Comparison {
        pair,
        old: &old,
        new: &new,
        edited: &edited,
        old_read: Reader::new(&old_text, &old.links, &edited).read(),
        new_read: Reader::new(&new_text, &new.links, &edited).read(),
        cuts: Vec::new(),
    };
    comparison.cuts = comparison.cuts();
    comparison.same_events().map_err(|difference| {
        let to_source = |at| old.value.to_source(Span::new(at, at)).start;
        Difference { at: difference.at.map(to_source), ..difference }
    })?;
    comparison.same_outside()
}

/// A decoded document with the spans of its links in the text.
struct Decoded<'s> {
    value: Value<'s>,
    links: Vec<Span>,
}

impl<'s> Decoded<'s> {
    fn new(side: &Side<'s>) -> Self {
        let value = Value::of_bytes(side.bytes, Span::new(0, side.bytes.len()), side.encoding);
        let links = side.links.iter().map(|link| {
            let start = value.position(link.start);
            Span::new(start, value.position(link.end).max(start))
        });
        let links = links.collect();
        Self { value, links }
    }

    /// Returns true if these characters are around a span.
    fn is_between(&self, span: Span, (open, close): (char, char)) -> bool {
        let text = &*self.value.text;
        text[..span.start].ends_with(open) && text[span.end..].starts_with(close)
    }

    /// Returns true if no character of a link has a meaning in text.
    fn is_plain(&self, link: usize) -> bool {
        let text = &self.value.text[self.links[link].range()];
        text.bytes().all(|byte| {
            byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"/:.-?=%#+,;@".contains(&byte)
        })
    }

    /// The text with letters in place of these links, except for white space, and of NULs, which
    /// read as U+FFFD; and with a LF for each CR alone, which pulldown-cmark does not always take
    /// for a line end. Positions stay the same.
    fn masked(&self, links: &[usize]) -> Cow<'_, str> {
        let text = &*self.value.text;
        if links.is_empty() && memchr::memchr2(b'\r', b'\0', text.as_bytes()).is_none() {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len());
        for &link in links {
            let span = self.links[link];
            push_plainly(&text[out.len()..span.start], &mut out);
            let letter = |byte: u8| match byte.is_ascii_whitespace() {
                true => char::from(byte),
                false => 'x',
            };
            out.extend(text[span.range()].bytes().map(letter));
        }
        push_plainly(&text[out.len()..], &mut out);
        Cow::Owned(out)
    }
}

/// Adds `text` with a letter for each NUL and a LF for each CR alone.
fn push_plainly(text: &str, out: &mut String) {
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        out.push(match character {
            '\0' => 'x',
            '\r' if characters.peek() != Some(&'\n') => '\n',
            other => other,
        });
    }
}

/// Two documents that were read.
struct Comparison<'p, 's> {
    pair: &'p Pair<'p>,
    old: &'p Decoded<'s>,
    new: &'p Decoded<'s>,
    edited: &'p [usize],
    old_read: Read<'p>,
    new_read: Read<'p>,
    cuts: Vec<Cut>,
}

/// A part that differs.
struct Cut {
    old: Span,
    new: Span,
    /// The edited link that the bytes belong to. `None` if they are a larger part.
    link: Option<usize>,
}

impl Comparison<'_, '_> {
    /// The parts that differ, in order.
    fn cuts(&self) -> Vec<Cut> {
        let pieces = self.old_read.items.iter().zip(&self.new_read.items);
        let pieces = pieces.filter_map(|pair| match pair {
            (Item::Html(old), Item::Html(new)) => Some((extent(old)?, extent(new)?)),
            _ => None,
        });
        let mut pieces = pieces.peekable();
        let mut cuts: Vec<Cut> = Vec::new();
        for &link in self.edited {
            let span = self.old.links[link];
            while pieces.next_if(|(old, _)| old.end < span.end).is_some() {}
            let cut = match pieces.peek() {
                Some(&(old, new)) if old.start <= span.start => Cut { old, new, link: None },
                _ => self.cut(link),
            };
            let is_known = cut.link.is_none()
                && cuts.last().is_some_and(|last| last.link.is_none() && last.old == cut.old);
            if !is_known {
                cuts.push(cut);
            }
        }
        cuts
    }

    /// The cut of an edited link outside of HTML that pulldown-cmark reads. Brackets around an
    /// empty destination, or quotes around a value in a cell that is not rendered, may be new. They
    /// belong to the edit.
    fn cut(&self, link: usize) -> Cut {
        let (old, new) = (self.old.links[link], self.new.links[link]);
        let is_value = self.old.value.text[..old.start].trim_end().ends_with('=');
        let quotes = [('"', '"'), ('\'', '\'')].into_iter().filter(|_| is_value);
        let brackets = new.is_empty().then_some(('<', '>'));
        let is_widened = quotes.chain(brackets).any(|delimiters| {
            self.new.is_between(new, delimiters) && !self.old.is_between(old, delimiters)
        });
        match is_widened {
            true => Cut { old, new: Span::new(new.start - 1, new.end + 1), link: None },
            false => Cut { old, new, link: Some(link) },
        }
    }

    fn same_events(&self) -> Result<(), Difference> {
        let in_code = self.old_read.in_code.or(self.new_read.in_code);
        if let Some(at) = in_code.filter(|_| !self.pair.links_in_code) {
            return Err(different(at, "a rewritten link is in code"));
        }
        let references = self.same_definitions()?;
        let (old, new) = (&self.old_read.items, &self.new_read.items);
        for (old, new) in old.iter().zip(new) {
            match (old, new) {
                (Item::Text(old), Item::Text(new)) if old == new => {}
                (Item::Html(old), Item::Html(new)) => self.same_html(old, new)?,
                (Item::Event(old, old_range, link), Item::Event(new, new_range, new_link)) => {
                    let at = old_range.start;
                    let is_moved = self.moved(at) == new_range.start
                        && self.moved(old_range.end) == new_range.end;
                    if !is_moved || link != new_link || !same_event(old, new, *link, &references) {
                        return Err(different(at, "an element differs"));
                    }
                }
                _ => {
                    let at = match old {
                        Item::Event(_, range, _) => Some(range.start),
                        Item::Html(spans) => spans.first().map(|span| span.start),
                        Item::Text(_) => None,
                    };
                    let what = "the text differs";
                    return Err(Difference { at, what });
                }
            }
        }
        match old.len() == new.len() {
            true => Ok(()),
            false => Err(Difference { at: None, what: "there are more or fewer elements" }),
        }
    }

    /// The position in the new text of a position in the old one.
    fn moved(&self, at: usize) -> usize {
        let before = self.cuts.partition_point(|cut| cut.old.end <= at);
        match before.checked_sub(1) {
            Some(last) => at - self.cuts[last].old.end + self.cuts[last].new.end,
            None => at,
        }
    }

    /// Compares the definitions. Returns the old and new destinations of those that differ.
    fn same_definitions(&self) -> Result<HashSet<(&str, &str)>, Difference> {
        let (old, new) = (&self.old_read.definitions, &self.new_read.definitions);
        let mut changed = HashSet::new();
        for (old, new) in old.iter().zip(new) {
            let first =
                self.edited.partition_point(|&link| self.old.links[link].start < old.span.start);
            let is_edited = self
                .edited
                .get(first)
                .is_some_and(|&link| self.old.links[link].end <= old.span.end);
            if is_edited {
                changed.insert((&*old.destination, &*new.destination));
            }
            let is_same = old.label == new.label
                && old.title == new.title
                && self.moved(old.span.start) == new.span.start
                && self.moved(old.span.end) == new.span.end
                && (is_edited || old.destination == new.destination);
            if !is_same {
                return Err(different(old.span.start, "a reference definition differs"));
            }
        }
        match old.len() == new.len() {
            true => Ok(changed),
            false => {
                Err(Difference { at: None, what: "there are more or fewer reference definitions" })
            }
        }
    }

    /// Compares two pieces of HTML: their DOM if they have an edited link.
    fn same_html(&self, old: &[Span], new: &[Span]) -> Result<(), Difference> {
        let (Some(old_extent), Some(new_extent)) = (extent(old), extent(new)) else {
            return match old.len() == new.len() {
                true => Ok(()),
                false => Err(different(0, "HTML differs")),
            };
        };
        let at = old_extent.start;
        let links = within(&self.old.links, old_extent);
        if links != within(&self.new.links, new_extent)
            || self.moved(at) != new_extent.start
            || self.moved(old_extent.end) != new_extent.end
        {
            return Err(different(at, "HTML differs"));
        }
        if !links.clone().any(|link| self.pair.links[link].edited) {
            return Ok(());
        }
        let (old_text, old_cuts, old_between) = self.old.piece(old, links.clone());
        let (new_text, new_cuts, new_between) = self.new.piece(new, links.clone());
        if old_between != new_between {
            return Err(different(at, "HTML differs"));
        }
        let inner = Pair {
            old: Side { bytes: old_text.as_bytes(), encoding: UTF_8, links: &old_cuts },
            new: Side { bytes: new_text.as_bytes(), encoding: UTF_8, links: &new_cuts },
            links: &self.pair.links[links],
            scripting: self.pair.scripting,
            links_in_code: false,
        };
        html::compare(&inner).map_err(|inner| different(at, inner.what))
    }

    /// Compares the bytes outside of the parts that differ.
    fn same_outside(&self) -> Result<(), Difference> {
        let sources = self.cuts.iter().map(|cut| match cut.link {
            Some(link) => (self.pair.old.links[link], self.pair.new.links[link]),
            None => (self.old.value.to_source(cut.old), self.new.value.to_source(cut.new)),
        });
        compare::same_between(self.pair, sources)
    }
}

impl Decoded<'_> {
    /// A piece of HTML as one text, the spans of these links in it, and the bytes between its
    /// parts.
    fn piece(&self, spans: &[Span], links: Range<usize>) -> (String, Vec<Span>, Vec<&str>) {
        let text = &self.value.text;
        let mut out = String::new();
        let mut starts = Vec::with_capacity(spans.len());
        for span in spans {
            starts.push(out.len());
            out.push_str(&text[span.range()]);
        }
        let position = |at: usize| {
            let part = spans.partition_point(|span| span.end < at).min(spans.len() - 1);
            let span = spans[part];
            starts[part] + at.clamp(span.start, span.end) - span.start
        };
        let cuts = self.links[links].iter().map(|link| {
            let start = position(link.start);
            Span::new(start, position(link.end).max(start))
        });
        let cuts = cuts.collect();
        let between = spans.windows(2).map(|pair| text.get(pair[0].end..pair[1].start));
        let between = between.map(Option::unwrap_or_default).collect();
        (out, cuts, between)
    }
}

/// The span from the first to the last of these spans.
fn extent(spans: &[Span]) -> Option<Span> {
    Some(Span::new(spans.first()?.start, spans.last()?.end))
}

/// The numbers of the links in a span.
fn within(links: &[Span], span: Span) -> Range<usize> {
    let first = links.partition_point(|link| link.start < span.start);
    let count = links[first..].partition_point(|link| link.end <= span.end);
    first..first + count
}

/// Returns true if two events are the same, except for the destination of an edited link, or of a
/// reference to an edited definition.
fn same_event(
    old: &Event<'_>,
    new: &Event<'_>,
    edited: Option<usize>,
    references: &HashSet<(&str, &str)>,
) -> bool {
    let (Event::Start(old_tag), Event::Start(new_tag)) = (old, new) else {
        return old == new;
    };
    if old_tag.to_end() != new_tag.to_end() {
        return false;
    }
    match (parts_of_link(old_tag), parts_of_link(new_tag)) {
        (Some(old), Some(new)) => {
            let is_edited = edited.is_some() || references.contains(&(old.1, new.1));
            let is_address = |it| matches!(it, LinkType::Autolink | LinkType::Email);
            let is_same_type =
                old.0 == new.0 || is_edited && is_address(old.0) && is_address(new.0);
            is_same_type && old.2 == new.2 && old.3 == new.3 && (is_edited || old.1 == new.1)
        }
        _ => old_tag == new_tag,
    }
}

/// The type, destination, title and label of a link or image.
fn parts_of_link<'t>(tag: &'t Tag<'_>) -> Option<(LinkType, &'t str, &'t str, &'t str)> {
    match tag {
        Tag::Link { link_type, dest_url, title, id }
        | Tag::Image { link_type, dest_url, title, id } => Some((*link_type, dest_url, title, id)),
        _ => None,
    }
}

fn different(at: usize, what: &'static str) -> Difference {
    Difference { at: Some(at), what }
}

#[cfg(test)]
mod tests;
