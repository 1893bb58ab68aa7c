//! The tree of a page, with the number of the start tag of every element.

use std::borrow::Cow;
use std::cell::Cell;

use encoding_rs::Encoding;
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, ExpandedName, QualName, expanded_name, local_name, ns};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use super::lexer::Lexer;
use super::tag_classifier::NeedsTree;
use super::token::Token;
use super::tree_feed::{Detail, Feed, MOST_OPEN, NUMBER, most_elements};

/// The maximum number of siblings searched, on average per tag and in total regardless of that. To
/// insert a node before another, or to remove it, `RcDom` searches all children of the parent.
const SEARCHED_PER_TAG: usize = 1024;
const SEARCHED: usize = 1 << 22;

/// The maximum number of elements of a tree that is built only for the order of BASE elements. It
/// takes about 300 bytes for each.
const MOST_ORDERED: usize = 1 << 17;

/// The tree of a page.
pub(super) struct Tree {
    /// The document node.
    pub(super) document: Handle,
}

impl Tree {
    /// Builds the tree. Returns an error if that would take more than linear time.
    pub(super) fn build(
        bytes: &[u8],
        encoding: &'static Encoding,
        scripting: bool,
        detail: Detail,
    ) -> Result<Self, NeedsTree> {
        let spent = Spent::default();
        let mut lexer = Lexer::new(bytes);
        let mut growing = Growing::new(&spent, detail, scripting, encoding);
        while let Some(token) = lexer.next() {
            growing.token(token, &mut lexer)?;
        }
        growing.finish()
    }

    /// The numbers of the start tags of all `base` elements outside templates, in tree order.
    pub(super) fn bases(&self) -> Vec<usize> {
        let mut bases = Vec::new();
        self.walk(|node, name| {
            if name.expanded() == expanded_name!(html "base") {
                bases.extend(number(node));
            }
        });
        bases
    }

    /// Visits the elements in tree order, without the contents of templates.
    fn walk(&self, mut element: impl FnMut(&Handle, &QualName)) {
        let mut open = vec![self.document.clone()];
        while let Some(node) = open.pop() {
            open.extend(node.children.borrow().iter().rev().cloned());
            if let NodeData::Element { name, .. } = &node.data {
                element(&node, name);
            }
        }
    }
}

/// The name of the attribute that copies of an element have instead of [`NUMBER`]. Reopened
/// formatting elements are copies.
const COPY: &str = "=copy";

/// The number of the start tag that created an element or its original, if one did.
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

/// A tree that is built token by token.
pub(super) struct Growing<'c> {
    pub(super) feed: Feed<Sink<'c>>,
}

impl<'c> Growing<'c> {
    /// `spent` counts the cost.
    pub(super) fn new(
        spent: &'c Spent,
        detail: Detail,
        scripting: bool,
        encoding: &'static Encoding,
    ) -> Self {
        let sink = Sink { dom: RcDom::default(), spent, tags: Cell::new(0) };
        Self { feed: Feed::new(sink, detail, scripting, encoding) }
    }

    /// Adds the next token.
    pub(super) fn token(&mut self, token: Token, lexer: &mut Lexer<'_>) -> Result<(), NeedsTree> {
        self.feed.token(token, lexer);
        self.within_budget()
    }

    /// Returns an error if the cost is no longer linear.
    pub(super) fn within_budget(&self) -> Result<(), NeedsTree> {
        let Spent { open, elements, searched } = self.feed.builder.sink.spent;
        let tags = self.feed.tags;
        let most_elements = match self.feed.detail {
            Detail::Numbers => most_elements(tags).min(MOST_ORDERED),
            Detail::Shape | Detail::Text => most_elements(tags),
        };
        let is_within = open.get() <= MOST_OPEN
            && elements.get() <= most_elements
            && searched.get() <= SEARCHED + tags * SEARCHED_PER_TAG;
        if is_within { Ok(()) } else { Err(NeedsTree) }
    }

    /// The tree, after all tokens.
    pub(super) fn finish(mut self) -> Result<Tree, NeedsTree> {
        self.feed.end();
        self.within_budget()?;
        Ok(Tree { document: self.feed.builder.sink.dom.document })
    }
}

/// The cost of building a tree so far.
#[derive(Debug, Default)]
pub(super) struct Spent {
    /// The number of nodes that the builder holds.
    open: Cell<usize>,
    /// The number of elements created.
    elements: Cell<usize>,
    /// The number of siblings searched.
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
        Self { node: self.node.clone(), open: self.open }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.open.set(self.open.get() - 1);
    }
}

/// Builds the tree and counts the cost.
///
/// The contents of an `option` that a browser shows elsewhere are not copied, since that would
/// search the `select` at each option. Errors are not recorded.
pub(super) struct Sink<'c> {
    dom: RcDom,
    spent: &'c Spent,
    /// The number of start tags that can have created their element: all up to the last one that
    /// did.
    tags: Cell<usize>,
}

impl<'c> Sink<'c> {
    fn held(&self, node: Handle) -> Held<'c> {
        let open = &self.spent.open;
        open.set(open.get() + 1);
        Held { node, open }
    }

    /// A node to insert, removed from its old place.
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
            // Tags create their own elements in order.
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
        self.dom.append_based_on_parent_node(&element.node, &previous.node, child);
    }

    fn append_doctype_to_document(
        &self,
        name: StrTendril,
        public_id: StrTendril,
        system_id: StrTendril,
    ) {
        self.dom.append_doctype_to_document(name, public_id, system_id);
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
        self.dom.is_mathml_annotation_xml_integration_point(&node.node)
    }

    fn allow_declarative_shadow_roots(&self, _: &Held<'c>) -> bool {
        false
    }
}
