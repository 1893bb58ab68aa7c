//! The places for links in the text of a page, by html5ever's tree builder. It builds no tree: only
//! the parent of each node is recorded.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, ExpandedName, LocalName, QualName, ns};

use super::key::Key;
use super::lexer::Lexer;
use super::names;
use super::page::Page;
use super::token::{Tag, TextKind, Token};
use super::tree_feed::{Detail, Feed, MOST_OPEN, most_elements};
use crate::bytes::Span;

/// The elements in which no link is made.
const BLOCKED: [&str; 18] = [
    "a", "button", "datalist", "frameset", "iframe", "noembed", "noframes", "noscript", "optgroup",
    "option", "plaintext", "script", "select", "style", "template", "textarea", "title", "xmp",
];

/// An element that other end tags may end in html5ever and older browsers, but not in others.
const SEARCH: Key = Key::of(b"search");

/// An element that html5ever treats in a way of its own, and browsers no longer do.
const ISINDEX: Key = Key::of(b"isindex");

/// A text, and the number of the element that it was inserted into if a link may be made there.
type TextPlace = (Span, Option<u32>);

/// Reads a page with the tree builder.
pub(super) struct TreePlaces<'p, 's> {
    lexer: Lexer<'p>,
    feed: Feed<Sink<'s>>,
    /// The last token.
    token: Option<Token>,
    /// The last token, if it is text.
    text: Option<TextPlace>,
    /// The elements of SVG and MathML that only their own end tags have ended, with their names.
    foreign: Vec<(u32, Span)>,
    /// The number of `search` elements without those that end tags of that name have ended.
    searches: usize,
    /// True if no more links are made.
    is_over: bool,
    has_noscript: bool,
}

impl<'p, 's> TreePlaces<'p, 's> {
    pub(super) fn new(page: &Page<'p, '_>, scripting: bool, skipped: &'s [String]) -> Self {
        let sink = Sink {
            skipped,
            nodes: RefCell::default(),
            owners: RefCell::default(),
            counts: Rc::default(),
            text: Cell::new(None),
            last: Cell::new(0),
            has_select: Cell::new(false),
        };
        Self {
            lexer: Lexer::new(page.bytes),
            feed: Feed::new(sink, Detail::Shape, scripting, page.encoding),
            token: None,
            text: None,
            foreign: Vec::new(),
            searches: 0,
            is_over: false,
            has_noscript: false,
        }
    }
}

impl<'p, 's> TreePlaces<'p, 's> {
    /// Retains the places, which are in order, that `allows` returns true for in both readings of a
    /// page: scripting turns the content of `noscript` into text.
    pub(super) fn retain<T>(
        page: &Page<'p, '_>,
        skipped: &'s [String],
        places: &mut Vec<T>,
        allows: impl Fn(&mut Self, &T) -> bool,
    ) {
        let mut has_noscript = false;
        for scripting in [false, true] {
            if places.is_empty() || scripting && !has_noscript {
                break;
            }
            let mut tree = Self::new(page, scripting, skipped);
            places.retain(|place| allows(&mut tree, place));
            has_noscript = tree.has_noscript;
        }
    }

    /// Returns true if a link may be made of the bytes `extent`. Extents must be given in order.
    pub(super) fn allows(&mut self, extent: Span) -> bool {
        let mut parent = None;
        loop {
            if let Some((text, element)) = self.text
                && text.start < extent.end
                && extent.start < text.end
            {
                let is_first = text.start <= extent.start;
                // The first and the last piece may be in two texts with a `wbr` between them.
                if element.is_none() || !is_first && parent != element {
                    return false;
                }
                if extent.end <= text.end {
                    return true;
                }
                parent = element;
            }
            if self.lexer.at() >= extent.end || !self.next() {
                return false;
            }
        }
    }

    /// Returns true if all parsers agree about what is before the start tag with these bytes, and
    /// read a start tag there, or text of a `noscript` element that contains it. Tags must be given
    /// in order.
    pub(super) fn has_tag(&mut self, tag: Span) -> bool {
        loop {
            match self.token {
                Some(Token::Start) if self.lexer.tag.start == tag.start => {
                    return self.lexer.at() == tag.end;
                }
                Some(Token::Text(text, TextKind::Raw(_)))
                    if text.start <= tag.start && tag.end <= text.end =>
                {
                    return self.lexer.tag.key == names::NOSCRIPT;
                }
                _ => {}
            }
            if self.lexer.at() > tag.start || !self.next() {
                return false;
            }
        }
    }

    /// Reads the next token. Returns false at the end, or if no more links are made.
    fn next(&mut self) -> bool {
        self.text = None;
        if self.is_over {
            return false;
        }
        let Some(token) = self.lexer.next() else {
            return false;
        };
        self.token = Some(token);
        let was_foreign = self.lexer.cdata;
        let sink = &self.feed.builder.sink;
        let before = sink.count();
        sink.text.set(None);
        self.feed.token(token, &mut self.lexer);
        match token {
            Token::Start => self.is_over = self.is_disputed_start(was_foreign, before),
            Token::End => self.is_over = self.is_disputed_end(was_foreign),
            _ => {}
        }
        self.is_over |= self.has_ended_another();
        let sink = &self.feed.builder.sink;
        self.is_over |=
            sink.counts.open.get() > MOST_OPEN || sink.count() > most_elements(self.feed.tags);
        if let Token::Text(span, kind) = token {
            let place = sink.text.get().filter(|_| kind == TextKind::Data);
            self.text = Some((span, place.filter(|&element| sink.allows_link(element))));
        }
        true
    }

    /// Returns true if parsers disagree about the start tag that was read. `before` is the number
    /// of nodes before it, and `was_foreign` is true if it was in SVG or MathML.
    fn is_disputed_start(&mut self, was_foreign: bool, before: usize) -> bool {
        let sink = &self.feed.builder.sink;
        let Tag { key, name, self_closing, .. } = self.lexer.tag;
        self.has_noscript |= key == names::NOSCRIPT;
        let element = sink.last.get();
        if (element as usize) < before {
            // It is ignored, but may have ended SVG or MathML before.
            return was_foreign;
        }
        let in_select = || sink.has_select.get() && sink.is_within(element, Kind::is_select);
        if sink.kind(element) == Kind::Foreign {
            if !self_closing {
                self.foreign.push((element, name));
            }
            return in_select();
        }
        if key == SEARCH {
            self.searches += 1;
        }
        // The current node was one that may contain HTML. Otherwise the tag has ended it.
        let parent = self.foreign.last().map(|it| it.0);
        was_foreign && sink.parent(element) != parent
            || key == ISINDEX
            || is_raw_where_created(key, &self.lexer.bytes[name.range()]) && in_select()
    }

    /// Takes note of the end tag that was read. Returns true if parsers disagree about it: in SVG
    /// or MathML, it ends more than that.
    fn is_disputed_end(&mut self, was_foreign: bool) -> bool {
        let name = |name: Span| &self.lexer.bytes[name.range()];
        if was_foreign {
            let tag = name(self.lexer.tag.name);
            let is_named = |it: &(u32, Span)| name(it.1).eq_ignore_ascii_case(tag);
            let at = self.foreign.iter().rposition(is_named);
            self.foreign.truncate(at.unwrap_or(0));
            return at.is_none();
        }
        if self.lexer.tag.key == SEARCH {
            self.searches = self.searches.saturating_sub(1);
        }
        false
    }

    /// Returns true if tags have ended SVG, MathML or a `search` that are not theirs. Not all
    /// parsers end these.
    fn has_ended_another(&self) -> bool {
        let counts = &self.feed.builder.sink.counts;
        counts.foreign.get() != self.foreign.len() || counts.searches.get() != self.searches
    }
}

/// Returns true for the elements of raw text that older browsers do not create in a `select`.
fn is_raw_where_created(key: Key, name: &[u8]) -> bool {
    match key {
        names::TITLE
        | names::STYLE
        | names::XMP
        | names::IFRAME
        | names::NOEMBED
        | names::NOFRAMES
        | names::NOSCRIPT => true,
        Key::LONG => name.eq_ignore_ascii_case(b"plaintext"),
        _ => false,
    }
}

/// The kind of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Links may be made in its text.
    Allowed,
    /// No link is made in it.
    Blocked,
    /// It is a `select`.
    Select,
    /// It is in SVG or MathML.
    Foreign,
}

impl Kind {
    fn is_select(self) -> bool {
        self == Self::Select
    }

    fn is_blocked(self) -> bool {
        self != Self::Allowed
    }
}

/// The facts about a node that remain after the builder has dropped it.
#[derive(Clone, Copy, Debug)]
struct Node {
    kind: Kind,
    /// The list of children that it is in.
    within: Option<u32>,
    /// Its own list of children.
    children: u32,
}

/// The numbers of nodes that the builder holds, which are those of the open elements and few
/// others.
#[derive(Default)]
struct Counts {
    open: Cell<usize>,
    /// Those of elements of SVG and MathML.
    foreign: Cell<usize>,
    searches: Cell<usize>,
}

impl Counts {
    /// Changes the numbers that a node with this name is part of.
    fn change(&self, name: &QualName, change: impl Fn(usize) -> usize) {
        self.open.update(&change);
        match name.ns {
            ns!(svg) | ns!(mathml) => self.foreign.update(&change),
            ns!(html) if name.local == *"search" => self.searches.update(&change),
            _ => {}
        }
    }
}

/// A node that the builder holds.
struct Held {
    number: u32,
    name: QualName,
    holds_html: bool,
    counts: Rc<Counts>,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.counts.change(&self.name, |count| count - 1);
    }
}

/// Records the parent of each node.
///
/// Nodes refer to the list of children that they are in, and lists to the node that owns them, so
/// that all children move at once when an element is closed out of order.
struct Sink<'s> {
    skipped: &'s [String],
    nodes: RefCell<Vec<Node>>,
    /// The owner of each list of children.
    owners: RefCell<Vec<u32>>,
    counts: Rc<Counts>,
    /// The element that text other than white space was inserted into since this was reset.
    text: Cell<Option<u32>>,
    /// The element that was inserted last.
    last: Cell<u32>,
    /// True if there is a `select`.
    has_select: Cell<bool>,
}

impl Sink<'_> {
    fn node(&self, kind: Kind, name: QualName, holds_html: bool) -> Rc<Held> {
        let mut nodes = self.nodes.borrow_mut();
        let number = nodes.len() as u32;
        nodes.push(Node { kind, within: None, children: self.list_of(number) });
        self.counts.change(&name, |count| count + 1);
        Rc::new(Held { number, name, holds_html, counts: Rc::clone(&self.counts) })
    }

    /// The number of nodes.
    fn count(&self) -> usize {
        self.nodes.borrow().len()
    }

    fn kind(&self, node: u32) -> Kind {
        self.nodes.borrow()[node as usize].kind
    }

    fn parent(&self, node: u32) -> Option<u32> {
        let list = self.list_in(node)?;
        Some(self.owners.borrow()[list as usize])
    }

    /// A node that is not an element.
    fn other(&self) -> Rc<Held> {
        let name = QualName::new(None, ns!(), LocalName::default());
        self.node(Kind::Allowed, name, false)
    }

    /// A new list of children of a node.
    fn list_of(&self, owner: u32) -> u32 {
        let mut owners = self.owners.borrow_mut();
        owners.push(owner);
        owners.len() as u32 - 1
    }

    fn list_in(&self, node: u32) -> Option<u32> {
        self.nodes.borrow()[node as usize].within
    }

    fn put(&self, list: Option<u32>, child: NodeOrText<Rc<Held>>) {
        match child {
            NodeOrText::AppendNode(child) => {
                self.nodes.borrow_mut()[child.number as usize].within = list;
                self.last.set(child.number);
            }
            NodeOrText::AppendText(text) => {
                let is_space = |it: char| matches!(it, '\t' | '\n' | '\x0C' | '\r' | ' ');
                if !text.chars().all(is_space) {
                    let owner = list.map(|list| self.owners.borrow()[list as usize]);
                    self.text.set(owner);
                }
            }
        }
    }

    /// Returns true if a node or one around it is of a kind that `is` returns true for.
    fn is_within(&self, node: u32, is: fn(Kind) -> bool) -> bool {
        let (nodes, owners) = (self.nodes.borrow(), self.owners.borrow());
        let mut next = Some(node);
        // The nodes around text are open, except for few.
        for _ in 0..2 * MOST_OPEN {
            let Some(node) = next else {
                return false;
            };
            let Node { kind, within, .. } = nodes[node as usize];
            if is(kind) {
                return true;
            }
            next = within.map(|list| owners[list as usize]);
        }
        true
    }

    /// Returns true if links may be made in the text of an element.
    fn allows_link(&self, element: u32) -> bool {
        !self.is_within(element, Kind::is_blocked)
    }
}

impl TreeSink for Sink<'_> {
    type Handle = Rc<Held>;
    type Output = ();
    type ElemName<'a>
        = ExpandedName<'a>
    where
        Self: 'a;

    fn finish(self) {}

    fn get_document(&self) -> Rc<Held> {
        self.other()
    }

    fn elem_name<'a>(&'a self, target: &'a Rc<Held>) -> ExpandedName<'a> {
        target.name.expanded()
    }

    fn create_element(&self, name: QualName, _: Vec<Attribute>, flags: ElementFlags) -> Rc<Held> {
        let local = &*name.local;
        let kind = match name.ns {
            ns!(html) if local == "select" => Kind::Select,
            ns!(html) if BLOCKED.contains(&local) => Kind::Blocked,
            ns!(html) if self.skipped.iter().any(|it| *it == *local) => Kind::Blocked,
            ns!(html) => Kind::Allowed,
            _ => Kind::Foreign,
        };
        if kind == Kind::Select {
            self.has_select.set(true);
        }
        self.node(kind, name, flags.mathml_annotation_xml_integration_point)
    }

    fn create_comment(&self, _: StrTendril) -> Rc<Held> {
        self.other()
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Rc<Held> {
        self.other()
    }

    fn append(&self, parent: &Rc<Held>, child: NodeOrText<Rc<Held>>) {
        let list = self.nodes.borrow()[parent.number as usize].children;
        self.put(Some(list), child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Rc<Held>,
        previous: &Rc<Held>,
        child: NodeOrText<Rc<Held>>,
    ) {
        match self.list_in(element.number) {
            Some(list) => self.put(Some(list), child),
            None => self.append(previous, child),
        }
    }

    fn append_before_sibling(&self, sibling: &Rc<Held>, child: NodeOrText<Rc<Held>>) {
        self.put(self.list_in(sibling.number), child);
    }

    fn remove_from_parent(&self, target: &Rc<Held>) {
        self.nodes.borrow_mut()[target.number as usize].within = None;
    }

    fn reparent_children(&self, node: &Rc<Held>, new_parent: &Rc<Held>) {
        let own = self.list_of(node.number);
        let moved = &mut self.nodes.borrow_mut()[node.number as usize].children;
        self.owners.borrow_mut()[*moved as usize] = new_parent.number;
        *moved = own;
    }

    // The contents of a template count as its children.
    fn get_template_contents(&self, target: &Rc<Held>) -> Rc<Held> {
        Rc::clone(target)
    }

    fn same_node(&self, x: &Rc<Held>, y: &Rc<Held>) -> bool {
        x.number == y.number
    }

    fn is_mathml_annotation_xml_integration_point(&self, node: &Rc<Held>) -> bool {
        node.holds_html
    }

    fn allow_declarative_shadow_roots(&self, _: &Rc<Held>) -> bool {
        false
    }

    fn parse_error(&self, _: Cow<'static, str>) {}
    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}
    fn set_quirks_mode(&self, _: QuirksMode) {}
    fn add_attrs_if_missing(&self, _: &Rc<Held>, _: Vec<Attribute>) {}
}
