//! Compares two pages that may differ only in certain links.
//!
//! Both are read from their bytes by the lexer and the tree builder. They are the same if
//!
//! - they have the same number of start tags, and corresponding tags have the same attributes in
//!   the same order, including duplicates: the same names and the same decoded values;
//! - their trees are the same node by node: kind, name and namespace, text, comments, DOCTYPE, the
//!   tag of each element, and the contents of templates.
//!
//! If an edited link is in a value, text or comment, the new one must be the old one, decoded, with
//! the piece of that link replaced by the new piece. The caller compares the references of these
//! pieces. A page in an attribute (`srcdoc`) and a conditional comment with an edited link are
//! compared as pages, since the edit may add quotes.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use encoding_rs::UTF_8;
use html5ever::tendril::StrTendril;
use markup5ever_rcdom::{Handle, NodeData};

use super::lexer::Lexer;
use super::page::MOST_NESTED;
use super::tag_classifier::NeedsTree;
use super::token::{Attribute, RawText, TextKind, Token};
use super::tree::{Growing, Spent, Tree, number};
use super::tree_feed::Detail;
use crate::bytes::Span;
use crate::format::compare::{Difference, Pair, Side};
use crate::format::markup::charref::{self, Within};
use crate::format::markup::value::Value;

/// Compares two pages. Cost: linear in both, for each level of nested pages.
pub(crate) fn compare(pair: &Pair<'_>) -> Result<(), Difference> {
    Comparison(pair).compare(0, 0)
}

/// A comparison of two pages.
struct Comparison<'p, 's>(&'p Pair<'s>);

impl Comparison<'_, '_> {
    /// `depth` is the number of pages around these, and `attributes` the number of those that are
    /// attributes.
    fn compare(&self, depth: usize, attributes: usize) -> Result<(), Difference> {
        if depth > MOST_NESTED {
            return Err(Difference::new(None, "pages nest too deep"));
        }
        let too_deep =
            |NeedsTree| Difference::new(None, "the page nests too deep to build its tree");
        let new = Reader::new(self.0, &self.0.new, None).read().map_err(too_deep)?;
        let old = Reader::new(self.0, &self.0.old, Some(&new.pieces)).read().map_err(too_deep)?;
        if let Some(difference) = old.difference {
            return Err(difference);
        }
        self.same_tags(&old, &new, depth, attributes)?;
        for (at, old, new) in &old.pages {
            self.same_pages(*at, old, new, depth + 1, attributes)?;
        }
        same_trees(&old, &new.tree)
    }

    fn same_tags(
        &self,
        old: &Read,
        new: &Read,
        depth: usize,
        attributes: usize,
    ) -> Result<(), Difference> {
        if old.tags.len() != new.tags.len() {
            let at = old.tags.get(new.tags.len()).map(|tag| tag.start);
            return Err(Difference::new(at, "there are more or fewer tags"));
        }
        for (old_tag, new_tag) in old.tags.iter().zip(&new.tags) {
            let at = old_tag.start;
            let old = &old.attributes[old_tag.attributes.clone()];
            let new = &new.attributes[new_tag.attributes.clone()];
            if !self.same_name(old_tag.name, new_tag.name) {
                return Err(Difference::new(at, "a tag has another name"));
            }
            let names = old.iter().zip(new);
            let all = old.len() == new.len()
                && names.clone().all(|(old, new)| self.same_name(old.name, new.name));
            if !all {
                return Err(Difference::new(at, "a tag has other attributes"));
            }
            for (old, new) in names {
                self.same_values(at, old.value, new.value, depth, attributes)?;
            }
        }
        Ok(())
    }

    fn same_name(&self, old: Span, new: Span) -> bool {
        let (old, new) = (&self.0.old.bytes[old.range()], &self.0.new.bytes[new.range()]);
        old.eq_ignore_ascii_case(new)
    }

    fn same_values(
        &self,
        at: usize,
        old: Span,
        new: Span,
        depth: usize,
        attributes: usize,
    ) -> Result<(), Difference> {
        if self.0.old.bytes[old.range()] == self.0.new.bytes[new.range()] {
            return Ok(());
        }
        let old = Piece::of(&self.0.old, old, Some(Within::Attribute));
        let new = Piece::of(&self.0.new, new, Some(Within::Attribute));
        let differs = Difference::new(at, "the value of an attribute differs");
        if old.first != new.first && self.has_edits(&old) || old.cuts.len() != new.cuts.len() {
            return Err(differs);
        }
        if self.is_page(&old, attributes) {
            return self.same_pages(at, &old, &new, depth + 1, attributes + 1);
        }
        if self.expected(&old, &new) == new.text { Ok(()) } else { Err(differs) }
    }

    /// Compares two pages in values of these.
    fn same_pages(
        &self,
        at: usize,
        old: &Piece<'_>,
        new: &Piece<'_>,
        depth: usize,
        attributes: usize,
    ) -> Result<(), Difference> {
        let side = |piece: &'_ Piece<'_>| -> (Vec<u8>, Vec<Span>) {
            (piece.text.as_bytes().to_vec(), piece.cuts.clone())
        };
        let ((old_bytes, old_links), (new_bytes, new_links)) = (side(old), side(new));
        let inner = Pair {
            old: Side { bytes: &old_bytes, encoding: UTF_8, links: &old_links },
            new: Side { bytes: &new_bytes, encoding: UTF_8, links: &new_links },
            links: &self.0.links[old.links()],
            scripting: self.0.scripting,
            links_in_code: false,
        };
        Comparison(&inner)
            .compare(depth, attributes)
            .map_err(|inner| Difference::new(at, inner.what))
    }

    fn has_edits(&self, piece: &Piece<'_>) -> bool {
        self.0.links[piece.links()].iter().any(|link| link.edited)
    }

    /// Returns true if a value is a page with an edited link.
    fn is_page(&self, piece: &Piece<'_>, attributes: usize) -> bool {
        let links = &self.0.links[piece.links()];
        self.has_edits(piece) && links.iter().any(|link| link.depth > attributes)
    }

    /// The old text after the edits: with the pieces of the new text in place of the edited links.
    fn expected<'t>(&self, old: &'t Piece<'_>, new: &Piece<'_>) -> Cow<'t, str> {
        if !self.has_edits(old) {
            return Cow::Borrowed(&old.text);
        }
        let mut out = String::with_capacity(new.text.len());
        let mut copied = 0;
        let states = &self.0.links[old.links()];
        for ((cut, new_cut), _) in
            old.cuts.iter().zip(&new.cuts).zip(states).filter(|(_, state)| state.edited)
        {
            out.push_str(&old.text[copied..cut.start]);
            out.push_str(&new.text[new_cut.range()]);
            copied = cut.end;
        }
        out.push_str(&old.text[copied..]);
        Cow::Owned(out)
    }
}

/// A decoded value or text, with its links.
#[derive(Clone)]
struct Piece<'s> {
    text: Cow<'s, str>,
    /// The number of the first link.
    first: usize,
    /// Their spans in the text.
    cuts: Vec<Span>,
}

impl<'s> Piece<'s> {
    /// The text of `span`. `within` is set where character references are decoded.
    fn of(side: &Side<'s>, span: Span, within: Option<Within>) -> Self {
        let value = match within {
            Some(within) => charref::value(side.bytes, span, side.encoding, within),
            None => Value::of_bytes(side.bytes, span, side.encoding),
        };
        let first = side.links.partition_point(|link| link.start < span.start);
        let links = side.links[first..].iter();
        let cuts = links.take_while(|link| link.end <= span.end);
        let cuts = cuts
            .map(|link| {
                let start = value.position(link.start);
                let end = value.position(link.end).max(start);
                Span::new(start, end)
            })
            .collect();
        Self { text: value.text, first, cuts }
    }

    fn links(&self) -> Range<usize> {
        self.first..self.first + self.cuts.len()
    }
}

/// The result of reading a page.
struct Read<'s> {
    tree: Tree,
    tags: Vec<TagRead>,
    attributes: Vec<Attribute>,
    /// The texts and comments with edited links, by the number of their first link.
    pieces: HashMap<usize, (bool, Piece<'s>)>,
    /// Comments to compare as pages: the offset, the old and the new one.
    pages: Vec<(usize, Piece<'s>, Piece<'s>)>,
    difference: Option<Difference>,
}

struct TagRead {
    start: usize,
    name: Span,
    attributes: Range<usize>,
}

/// Reads the tags and the tree of a page.
struct Reader<'p, 's> {
    pair: &'p Pair<'p>,
    side: &'p Side<'s>,
    /// The texts of the new page with edited links; `None` while the new page is read.
    new: Option<&'p HashMap<usize, (bool, Piece<'s>)>>,
    tags: Vec<TagRead>,
    attributes: Vec<Attribute>,
    pieces: HashMap<usize, (bool, Piece<'s>)>,
    pages: Vec<(usize, Piece<'s>, Piece<'s>)>,
    difference: Option<Difference>,
}

impl<'p, 's> Reader<'p, 's> {
    fn new(
        pair: &'p Pair<'p>,
        side: &'p Side<'s>,
        new: Option<&'p HashMap<usize, (bool, Piece<'s>)>>,
    ) -> Self {
        Self {
            pair,
            side,
            new,
            tags: Vec::new(),
            attributes: Vec::new(),
            pieces: HashMap::new(),
            pages: Vec::new(),
            difference: None,
        }
    }

    fn read(mut self) -> Result<Read<'s>, NeedsTree> {
        let spent = Spent::default();
        let mut lexer = Lexer::new(self.side.bytes);
        let (scripting, encoding) = (self.pair.scripting, self.side.encoding);
        let mut growing = Growing::new(&spent, Detail::Text, scripting, encoding);
        while let Some(token) = lexer.next() {
            let piece = match token {
                Token::Start => {
                    let tag = lexer.tag;
                    let first = self.attributes.len();
                    self.attributes.extend_from_slice(&lexer.attributes);
                    self.tags.push(TagRead {
                        start: tag.start,
                        name: tag.name,
                        attributes: first..self.attributes.len(),
                    });
                    None
                }
                Token::Text(span, kind) => self.edited_piece(span, references_in(kind)),
                Token::Comment(span) => self.edited_piece(span, None),
                Token::End | Token::Doctype(_) | Token::Section => None,
            };
            let is_comment = matches!(token, Token::Comment(_));
            let Some((at, piece)) = piece else {
                growing.token(token, &mut lexer)?;
                continue;
            };
            match self.instead(at, &piece, is_comment) {
                Some(text) if is_comment => growing.feed.comment(&text),
                Some(text) if !text.is_empty() => growing.feed.characters(&text),
                Some(_) => {}
                None => growing.token(token, &mut lexer)?,
            }
            growing.within_budget()?;
            self.pieces.insert(piece.first, (is_comment, piece));
        }
        Ok(Read {
            tree: growing.finish()?,
            tags: self.tags,
            attributes: self.attributes,
            pieces: self.pieces,
            pages: self.pages,
            difference: self.difference,
        })
    }

    /// The text or comment, if it has an edited link.
    fn edited_piece(&self, span: Span, within: Option<Within>) -> Option<(usize, Piece<'s>)> {
        let links = self.side.links;
        let first = links.partition_point(|link| link.start < span.start);
        links.get(first).filter(|link| link.end <= span.end)?;
        let piece = Piece::of(self.side, span, within);
        Comparison(self.pair).has_edits(&piece).then_some((span.start, piece))
    }

    /// The text to compare with the new page in place of a text or comment of the old one.
    fn instead(&mut self, at: usize, old: &Piece<'s>, is_comment: bool) -> Option<String> {
        let new = self.new?.get(&old.first);
        let is_like = |(comment, new): &&(bool, Piece<'s>)| {
            *comment == is_comment && new.cuts.len() == old.cuts.len()
        };
        let Some((_, new)) = new.filter(is_like) else {
            let what = "a link is in another text or comment";
            self.difference.get_or_insert(Difference::new(at, what));
            return None;
        };
        if is_comment {
            self.pages.push((at, old.clone(), new.clone()));
            return Some(new.text.clone().into_owned());
        }
        Some(Comparison(self.pair).expected(old, new).into_owned())
    }
}

/// The context in which character references of a text are decoded.
fn references_in(kind: TextKind) -> Option<Within> {
    match kind {
        TextKind::Data | TextKind::Raw(RawText::Rcdata) => Some(Within::Text),
        TextKind::Raw(_) | TextKind::Cdata => None,
    }
}

/// Compares the trees node by node.
fn same_trees(old: &Read<'_>, new: &Tree) -> Result<(), Difference> {
    let mut open = vec![(old.tree.document.clone(), new.document.clone())];
    let mut at = None;
    while let Some((old_node, new_node)) = open.pop() {
        if let Some(tag) = number(&old_node).and_then(|number| old.tags.get(number)) {
            at = Some(tag.start);
        }
        if let Some(what) = node_difference(&old_node, &new_node) {
            return Err(Difference::new(at, what));
        }
        let (old_children, new_children) = (old_node.children.borrow(), new_node.children.borrow());
        if old_children.len() != new_children.len() {
            return Err(Difference::new(at, "an element has more or fewer children"));
        }
        let children = old_children.iter().zip(&*new_children).rev();
        open.extend(children.map(|(old, new)| (old.clone(), new.clone())));
        open.extend(template(&old_node).zip(template(&new_node)));
    }
    Ok(())
}

fn template(node: &Handle) -> Option<Handle> {
    match &node.data {
        NodeData::Element { template_contents, .. } => template_contents.borrow().clone(),
        _ => None,
    }
}

/// The difference between two nodes, without their children.
fn node_difference(old: &Handle, new: &Handle) -> Option<&'static str> {
    let same = |what, is_same: bool| if is_same { None } else { Some(what) };
    match (&old.data, &new.data) {
        (NodeData::Document, NodeData::Document) => None,
        (
            NodeData::Doctype { name, public_id, system_id },
            NodeData::Doctype {
                name: new_name,
                public_id: new_public_id,
                system_id: new_system_id,
            },
        ) => {
            let parts = |parts: [&StrTendril; 3]| parts.map(|part| part.to_string());
            let old = parts([name, public_id, system_id]);
            let new = parts([new_name, new_public_id, new_system_id]);
            same("the DOCTYPE differs", old == new)
        }
        (NodeData::Text { contents: old }, NodeData::Text { contents: new }) => {
            same("text differs", *old.borrow() == *new.borrow())
        }
        (NodeData::Comment { contents: old }, NodeData::Comment { contents: new }) => {
            same("a comment differs", old == new)
        }
        (
            NodeData::Element { name, mathml_annotation_xml_integration_point: holds_html, .. },
            NodeData::Element {
                name: new_name,
                mathml_annotation_xml_integration_point: new_holds_html,
                ..
            },
        ) => {
            let is_same = name == new_name && holds_html == new_holds_html;
            let has_same_tag = number(old) == number(new);
            same("there is another element", is_same && has_same_tag)
        }
        _ => Some("there is another kind of node"),
    }
}
