//! The tree of a page, in which every element leads back to its start tag.

use std::borrow::Cow;
use std::cell::Cell;

use encoding_rs::Encoding;
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, ExpandedName, QualName, expanded_name, local_name, ns};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use super::lexer::Lexer;
use super::tag_classifier::Doubt;
use super::token::Token;
use super::tree_feed::{Detail, Feed, MOST_OPEN, NUMBER, most_elements};

/// How many siblings may be looked through, for each tag on average and in all without regard to that:
/// to put a node before another, or to take it out, the tree looks for it among all children.
const SEARCHED_PER_TAG: usize = 1024;
const SEARCHED: usize = 1 << 22;

/// The tree of a page.
pub(super) struct Tree {
    /// The document node.
    pub(super) document: Handle,
}

impl Tree {
    /// Builds the tree, or gives up where that would take more than linear time.
    pub(super) fn build(
        bytes: &[u8],
        encoding: &'static Encoding,
        scripting: bool,
        detail: Detail,
    ) -> Result<Self, Doubt> {
        let spent = Spent::default();
        let mut lexer = Lexer::new(bytes);
        let mut growing = Growing::new(&spent, detail, scripting, encoding);
        while let Some(token) = lexer.next() {
            growing.token(token, &mut lexer)?;
        }
        growing.finish()
    }

    /// The numbers of the start tags of all `base` elements, in the order of the tree, but for those in
    /// templates.
    pub(super) fn bases(&self) -> Vec<usize> {
        let mut bases = Vec::new();
        self.walk(false, |node, name| {
            if name.expanded() == expanded_name!(html "base") {
                bases.extend(number(node));
            }
        });
        bases
    }

    /// Which of the first `count` start tags have their element in the tree. Its copies do not count: what is
    /// removed with the body may be opened again after that.
    pub(super) fn tags(&self, count: usize) -> Vec<bool> {
        let mut there = vec![false; count];
        self.walk(true, |node, _| {
            if let Some(there) = numbered(node, NUMBER).and_then(|it| there.get_mut(it)) {
                *there = true;
            }
        });
        there
    }

    /// Goes over the elements in the order of the tree, with what templates hold or without.
    fn walk(&self, templates: bool, mut element: impl FnMut(&Handle, &QualName)) {
        let mut open = vec![self.document.clone()];
        while let Some(node) = open.pop() {
            open.extend(node.children.borrow().iter().rev().cloned());
            if let NodeData::Element {
                name,
                template_contents,
                ..
            } = &node.data
            {
                element(&node, name);
                open.extend(template_contents.borrow().clone().filter(|_| templates));
            }
        }
    }
}

/// The name of the attribute that copies of an element have instead of [`NUMBER`]: formatting elements are
/// opened again.
const COPY: &str = "=copy";

/// The number of the start tag that made an element, or that of which it is a copy, if one did.
pub(super) fn number(node: &Handle) -> Option<usize> {
    numbered(node, NUMBER).or_else(|| numbered(node, COPY))
}

fn numbered(node: &Handle, name: &str) -> Option<usize> {
    let NodeData::Element { attrs, .. } = &node.data else {
        return None;
    };
    let is_number = |it: &&Attribute| &*it.name.local == name;
    attrs.borrow().iter().find(is_number)?.value.parse().ok()
}

/// A tree that is being built, token by token.
pub(super) struct Growing<'c> {
    pub(super) feed: Feed<Sink<'c>>,
}

impl<'c> Growing<'c> {
    /// `spent` counts what it costs.
    pub(super) fn new(
        spent: &'c Spent,
        detail: Detail,
        scripting: bool,
        encoding: &'static Encoding,
    ) -> Self {
        let sink = Sink {
            dom: RcDom::default(),
            spent,
            tags: Cell::new(0),
        };
        Self {
            feed: Feed::new(sink, detail, scripting, encoding),
        }
    }

    /// The next token.
    pub(super) fn token(&mut self, token: Token, lexer: &mut Lexer<'_>) -> Result<(), Doubt> {
        self.feed.token(token, lexer);
        self.within_budget()
    }

    /// Whether to go on: that the time stays linear.
    pub(super) fn within_budget(&self) -> Result<(), Doubt> {
        let Spent {
            open,
            elements,
            searched,
        } = self.feed.builder.sink.spent;
        let tags = self.feed.tags;
        let is_within = open.get() <= MOST_OPEN
            && elements.get() <= most_elements(tags)
            && searched.get() <= SEARCHED + tags * SEARCHED_PER_TAG;
        if is_within { Ok(()) } else { Err(Doubt) }
    }

    /// The tree, now that all tokens were there.
    pub(super) fn finish(mut self) -> Result<Tree, Doubt> {
        self.feed.end();
        self.within_budget()?;
        Ok(Tree {
            document: self.feed.builder.sink.dom.document,
        })
    }
}

/// What building a tree has cost so far.
#[derive(Debug, Default)]
pub(super) struct Spent {
    /// How many nodes the builder holds.
    open: Cell<usize>,
    /// How many elements were made.
    elements: Cell<usize>,
    /// How many siblings were looked through.
    searched: Cell<usize>,
}

impl Spent {
    /// Counts the search for a node among its siblings.
    fn search(&self, node: &Handle) {
        let parent = node.parent.take();
        let there = parent.as_ref().and_then(|parent| parent.upgrade());
        node.parent.set(parent);
        if let Some(parent) = there {
            self.count(parent.children.borrow().len());
        }
    }

    fn count(&self, searched: usize) {
        self.searched.set(self.searched.get() + searched);
    }
}

/// A node that the builder holds.
pub(super) struct Held<'c> {
    node: Handle,
    open: &'c Cell<usize>,
}

impl Clone for Held<'_> {
    fn clone(&self) -> Self {
        self.open.set(self.open.get() + 1);
        Self {
            node: self.node.clone(),
            open: self.open,
        }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.open.set(self.open.get() - 1);
    }
}

/// Builds the tree and counts what that costs.
///
/// What of an `option` a browser shows elsewhere it does not copy, for it would search the `select` at each;
/// and errors are not kept.
pub(super) struct Sink<'c> {
    dom: RcDom,
    spent: &'c Spent,
    /// How many start tags have, or had, a chance to make their element: all up to the last that made one.
    tags: Cell<usize>,
}

impl<'c> Sink<'c> {
    fn held(&self, node: Handle) -> Held<'c> {
        let open = &self.spent.open;
        open.set(open.get() + 1);
        Held { node, open }
    }

    /// What is put into the tree, taken out of where it was.
    fn child(&self, child: NodeOrText<Held<'c>>) -> NodeOrText<Handle> {
        match child {
            NodeOrText::AppendNode(held) => {
                self.spent.search(&held.node);
                NodeOrText::AppendNode(held.node.clone())
            }
            NodeOrText::AppendText(text) => NodeOrText::AppendText(text),
        }
    }
}

impl<'c> TreeSink for Sink<'c> {
    type Handle = Held<'c>;
    type Output = ();
    type ElemName<'a>
        = ExpandedName<'a>
    where
        Self: 'a;

    fn finish(self) {}

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Held<'c> {
        self.held(self.dom.get_document())
    }

    fn elem_name<'a>(&'a self, target: &'a Held<'c>) -> ExpandedName<'a> {
        self.dom.elem_name(&target.node)
    }

    fn create_element(
        &self,
        name: QualName,
        mut attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> Held<'c> {
        let is_number = |it: &&mut Attribute| &*it.name.local == NUMBER;
        if let Some(attribute) = attributes.iter_mut().find(is_number)
            && let Ok(number) = attribute.value.parse::<usize>()
        {
            // Tags make their own elements in order.
            if number < self.tags.get() {
                attribute.name.local = COPY.into();
            } else {
                self.tags.set(number + 1);
            }
        }
        let elements = &self.spent.elements;
        elements.set(elements.get() + 1);
        self.held(self.dom.create_element(name, attributes, flags))
    }

    fn create_comment(&self, text: StrTendril) -> Held<'c> {
        self.held(self.dom.create_comment(text))
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> Held<'c> {
        self.held(self.dom.create_pi(target, data))
    }

    fn append(&self, parent: &Held<'c>, child: NodeOrText<Held<'c>>) {
        self.dom.append(&parent.node, self.child(child));
    }

    fn append_based_on_parent_node(
        &self,
        element: &Held<'c>,
        previous: &Held<'c>,
        child: NodeOrText<Held<'c>>,
    ) {
        self.spent.search(&element.node);
        let child = self.child(child);
        self.dom
            .append_based_on_parent_node(&element.node, &previous.node, child);
    }

    fn append_doctype_to_document(
        &self,
        name: StrTendril,
        public_id: StrTendril,
        system_id: StrTendril,
    ) {
        self.dom
            .append_doctype_to_document(name, public_id, system_id);
    }

    fn get_template_contents(&self, target: &Held<'c>) -> Held<'c> {
        self.held(self.dom.get_template_contents(&target.node))
    }

    fn same_node(&self, x: &Held<'c>, y: &Held<'c>) -> bool {
        self.dom.same_node(&x.node, &y.node)
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.dom.set_quirks_mode(mode);
    }

    fn append_before_sibling(&self, sibling: &Held<'c>, child: NodeOrText<Held<'c>>) {
        self.spent.search(&sibling.node);
        let child = self.child(child);
        self.dom.append_before_sibling(&sibling.node, child);
    }

    fn add_attrs_if_missing(&self, target: &Held<'c>, attributes: Vec<Attribute>) {
        self.dom.add_attrs_if_missing(&target.node, attributes);
    }

    fn remove_from_parent(&self, target: &Held<'c>) {
        self.spent.search(&target.node);
        self.dom.remove_from_parent(&target.node);
    }

    fn reparent_children(&self, node: &Held<'c>, new_parent: &Held<'c>) {
        self.spent.count(node.node.children.borrow().len());
        self.dom.reparent_children(&node.node, &new_parent.node);
    }

    fn is_mathml_annotation_xml_integration_point(&self, node: &Held<'c>) -> bool {
        self.dom
            .is_mathml_annotation_xml_integration_point(&node.node)
    }

    fn allow_declarative_shadow_roots(&self, _: &Held<'c>) -> bool {
        false
    }
}
