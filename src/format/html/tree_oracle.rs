//! What a tag means, told by the tree builder of html5ever.
//!
//! Nothing is built: the builder's elements are numbers here. What is learnt from it is which elements
//! it makes while it looks at a start tag.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use encoding_rs::Encoding;
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, ExpandedName, LocalName, Namespace, QualName, local_name, ns};

use super::lexer::Lexer;
use super::names;
use super::namespace::Space;
use super::tag_classifier::{Doubt, Meaning, Meant};
use super::token::Token;
use super::tree_feed::{Detail, Feed, MOST_OPEN, most_elements};

/// Asks the builder about each tag.
pub(super) struct Judge<'c> {
    feed: Feed<Sink<'c>>,
    /// Whether a `frameset` has taken the place of the body and all that was in it.
    pub(super) body_is_gone: bool,
}

impl<'c> Judge<'c> {
    /// `open` counts the elements that the builder holds.
    pub(super) fn new(open: &'c Cell<usize>, scripting: bool, encoding: &'static Encoding) -> Self {
        let sink = Sink {
            open,
            elements: Cell::new(0),
            tag: RefCell::new(None),
            made: RefCell::new(None),
            made_in_template: Cell::new(false),
            in_templates: RefCell::default(),
            gave: Cell::new(false),
            removed: Cell::new(false),
        };
        Self {
            feed: Feed::new(sink, Detail::Shape, scripting, encoding),
            body_is_gone: false,
        }
    }

    fn token(&mut self, token: Token, lexer: &mut Lexer<'_>) -> Result<(), Doubt> {
        self.feed.token(token, lexer);
        let sink = &self.feed.builder.sink;
        let most = most_elements(self.feed.tags);
        match sink.open.get() > MOST_OPEN || sink.elements.get() > most {
            true => Err(Doubt),
            false => Ok(()),
        }
    }
}

impl Meaning for Judge<'_> {
    const COUNTS_LINKS: bool = true;

    fn start_tag(&mut self, lexer: &mut Lexer<'_>) -> Result<Meant, Doubt> {
        let name = self.feed.name(lexer);
        let sink = &self.feed.builder.sink;
        *sink.tag.borrow_mut() = Some(match name {
            local_name!("image") => (name, local_name!("img")),
            _ => (name.clone(), name),
        });
        *sink.made.borrow_mut() = None;
        sink.made_in_template.set(false);
        sink.gave.set(false);
        sink.removed.set(false);
        self.token(Token::Start, lexer)?;
        let sink = &self.feed.builder.sink;
        *sink.tag.borrow_mut() = None;
        self.body_is_gone |= lexer.tag.key == names::FRAMESET && sink.removed.get();
        let made = sink.made.borrow_mut().take();
        let in_templates = sink.in_templates.borrow();
        let made = made.map(|(namespace, number)| {
            sink.made_in_template.set(in_templates.contains(&number));
            namespace
        });
        Ok(match made {
            Some(ns!(svg)) => Meant::Element(Space::Svg),
            Some(ns!(mathml)) => Meant::Element(Space::MathMl),
            Some(_) => Meant::Element(Space::Html),
            None if sink.gave.get() => Meant::Attributes,
            None => Meant::Nothing,
        })
    }

    fn end_tag(&mut self, lexer: &mut Lexer<'_>) -> Result<(), Doubt> {
        self.token(Token::End, lexer)
    }

    fn needs_text(&self) -> bool {
        true
    }

    fn passes_tags(&self) -> bool {
        false
    }

    fn in_template(&self) -> bool {
        // The tree is asked.
        false
    }

    fn is_in_template(&self) -> bool {
        self.feed.builder.sink.made_in_template.get()
    }

    fn keeps_order(&self) -> bool {
        true
    }

    fn other(&mut self, token: Token, lexer: &mut Lexer<'_>) -> Result<(), Doubt> {
        self.token(token, lexer)
    }
}

/// An element of the builder, or the document. As many of them are alive as the builder holds.
pub(super) struct Node<'c> {
    number: usize,
    name: LocalName,
    namespace: Namespace,
    /// Whether HTML may stand in it although it is MathML's.
    holds_html: bool,
    alive: &'c Cell<usize>,
}

impl Clone for Node<'_> {
    fn clone(&self) -> Self {
        self.alive.set(self.alive.get() + 1);
        Self {
            number: self.number,
            name: self.name.clone(),
            namespace: self.namespace.clone(),
            holds_html: self.holds_html,
            alive: self.alive,
        }
    }
}

impl Drop for Node<'_> {
    fn drop(&mut self) {
        self.alive.set(self.alive.get() - 1);
    }
}

pub(super) struct Sink<'c> {
    /// How many nodes are alive.
    open: &'c Cell<usize>,
    /// How many elements were made.
    elements: Cell<usize>,
    /// The start tag that the builder looks at: its name, and that of its element in HTML.
    tag: RefCell<Option<(LocalName, LocalName)>>,
    /// The namespace and the number of the element that it made. Of several of that name its own is the last: those
    /// before are formatting elements that are opened again.
    made: RefCell<Option<(Namespace, usize)>>,
    /// Whether it stands in what a template holds.
    made_in_template: Cell<bool>,
    /// The numbers of the elements that do.
    in_templates: RefCell<HashSet<usize>>,
    /// Whether it gave attributes to an element that was there.
    gave: Cell<bool>,
    /// Whether it took an element out of its parent while it looked at a start tag.
    removed: Cell<bool>,
}

impl<'c> Sink<'c> {
    fn node(&self, name: LocalName, namespace: Namespace, holds_html: bool) -> Node<'c> {
        self.open.set(self.open.get() + 1);
        let number = self.elements.get();
        self.elements.set(number + 1);
        Node {
            number,
            name,
            namespace,
            holds_html,
            alive: self.open,
        }
    }

    /// Where nodes go does not matter, but that what is put into a template stands there.
    fn put(&self, places: &[&Node<'c>], child: NodeOrText<Node<'c>>) {
        let NodeOrText::AppendNode(child) = child else {
            return;
        };
        let mut in_templates = self.in_templates.borrow_mut();
        let is_in_template = |place: &&Node<'c>| in_templates.contains(&place.number);
        if !in_templates.is_empty() && places.iter().any(is_in_template) {
            in_templates.insert(child.number);
        }
    }
}

impl<'c> TreeSink for Sink<'c> {
    type Handle = Node<'c>;
    type Output = ();
    type ElemName<'a>
        = ExpandedName<'a>
    where
        Self: 'a;

    fn finish(self) {}

    fn get_document(&self) -> Node<'c> {
        self.node(LocalName::default(), ns!(), false)
    }

    fn elem_name<'a>(&'a self, target: &'a Node<'c>) -> ExpandedName<'a> {
        ExpandedName {
            ns: &target.namespace,
            local: &target.name,
        }
    }

    fn create_element(&self, name: QualName, _: Vec<Attribute>, flags: ElementFlags) -> Node<'c> {
        if let Some((tag, in_html)) = &*self.tag.borrow() {
            let is_own = match name.ns {
                ns!(html) => name.local == *in_html,
                // SVG has names with capitals.
                _ => name.local.eq_ignore_ascii_case(tag),
            };
            if is_own {
                // The number that the node is about to get.
                *self.made.borrow_mut() = Some((name.ns.clone(), self.elements.get()));
            }
        }
        let holds_html = flags.mathml_annotation_xml_integration_point;
        self.node(name.local, name.ns, holds_html)
    }

    fn same_node(&self, x: &Node<'c>, y: &Node<'c>) -> bool {
        x.number == y.number
    }

    fn add_attrs_if_missing(&self, _: &Node<'c>, _: Vec<Attribute>) {
        self.gave.set(true);
    }

    fn is_mathml_annotation_xml_integration_point(&self, node: &Node<'c>) -> bool {
        node.holds_html
    }

    fn allow_declarative_shadow_roots(&self, _: &Node<'c>) -> bool {
        false
    }

    // A template's content is a document of its own.
    fn get_template_contents(&self, _: &Node<'c>) -> Node<'c> {
        let contents = self.get_document();
        self.in_templates.borrow_mut().insert(contents.number);
        contents
    }

    fn create_comment(&self, _: StrTendril) -> Node<'c> {
        self.get_document()
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Node<'c> {
        self.get_document()
    }

    fn remove_from_parent(&self, _: &Node<'c>) {
        self.removed.set(true);
    }

    fn append(&self, parent: &Node<'c>, child: NodeOrText<Node<'c>>) {
        // Copies of formatting elements are put where they belong after what they get: what moves stays in the
        // template that it is in.
        if let NodeOrText::AppendNode(child) = &child {
            let mut in_templates = self.in_templates.borrow_mut();
            if in_templates.contains(&child.number) {
                in_templates.insert(parent.number);
            }
        }
        self.put(&[parent], child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Node<'c>,
        previous: &Node<'c>,
        child: NodeOrText<Node<'c>>,
    ) {
        self.put(&[element, previous], child);
    }

    fn append_before_sibling(&self, sibling: &Node<'c>, child: NodeOrText<Node<'c>>) {
        self.put(&[sibling], child);
    }

    fn parse_error(&self, _: Cow<'static, str>) {}
    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}
    fn set_quirks_mode(&self, _: QuirksMode) {}
    fn reparent_children(&self, _: &Node<'c>, _: &Node<'c>) {}
}
