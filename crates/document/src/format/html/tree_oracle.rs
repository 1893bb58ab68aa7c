//! Classifies tags with html5ever's tree builder.
//!
//! Builds no tree. Elements are represented by their sequence numbers; the result is which elements
//! the builder creates for each start tag.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::rc::Rc;

use encoding_rs::Encoding;
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, Tracer, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{
    Attribute, ExpandedName, LocalName, Namespace as BuilderNamespace, QualName, local_name, ns,
};

use super::guard::{Guard, Surroundings};
use super::lexer::Lexer;
use super::names;
use super::namespace::Namespace;
use super::tag_classifier::{NeedsTree, TagClassifier, TagEffect};
use super::token::Token;
use super::tree_feed::{Detail, Feed, MOST_OPEN, most_elements};

/// The numbers of elements that the builder holds.
#[derive(Debug, Default)]
pub(super) struct Alive {
    all: Cell<usize>,
    /// Those of SVG and MathML, and templates: in these, tags are read in another way.
    special: Cell<usize>,
    is_too_deep: Cell<bool>,
}

impl Alive {
    /// Returns true if the builder could not read the page.
    pub(super) fn is_too_deep(&self) -> bool {
        self.is_too_deep.get()
    }

    fn add(&self, is_special: bool, count: isize) {
        let add = |cell: &Cell<usize>| cell.set(cell.get().wrapping_add_signed(count));
        add(&self.all);
        if is_special {
            add(&self.special);
        }
    }
}

/// The properties of the open elements that the rules need.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub(super) in_table: bool,
    pub(super) in_select: bool,
    pub(super) in_template: bool,
    /// True if a `form` creates no element.
    pub(super) in_form: bool,
    /// The tags in doubt, if HTML is expected in the innermost element of SVG or MathML.
    pub(super) guard: Option<Guard>,
}

impl<'c> Tracer for OutlineTracer<'c> {
    type Handle = Node<'c>;

    fn trace_handle(&self, node: &Node<'c>) {
        let (outline, surroundings) = &mut *self.found.borrow_mut();
        surroundings.enter(&node.namespace, &node.name);
        let is = |name: LocalName| node.namespace == ns!(html) && node.name == name;
        outline.in_table |= is(local_name!("table"));
        outline.in_select |= is(local_name!("select"));
        outline.in_template |= is(local_name!("template"));
        // The last one is the form that is open, or else the head.
        outline.in_form = is(local_name!("form"));
    }
}

/// Outlines the elements that the builder holds.
#[derive(Default)]
struct OutlineTracer<'c> {
    found: RefCell<(Outline, Surroundings)>,
    alive: PhantomData<&'c Alive>,
}

/// Classifies tags with the tree builder.
pub(super) struct TreeOracle<'c> {
    feed: Feed<Sink<'c>>,
    /// The number of the `frameset` tag that replaced the body with all its content.
    pub(super) frameset: Option<usize>,
    /// Its value, if an earlier reading found it.
    known_frameset: Option<usize>,
    /// True after a `frameset` was created: from there on, only tags of frames count.
    in_frames: bool,
    /// True if the last token was an `html` tag, whose attributes are not those of the body.
    is_html: bool,
}

impl<'c> TreeOracle<'c> {
    /// `alive` counts the elements that the builder holds. `known_frameset` is the result of an
    /// earlier reading.
    pub(super) fn new(
        alive: &'c Alive,
        scripting: bool,
        encoding: &'static Encoding,
        known_frameset: Option<usize>,
    ) -> Self {
        let sink = Sink {
            alive,
            elements: Cell::new(0),
            hidden: Cell::new(0),
            needed_hidden: Cell::new(0),
            tag: RefCell::new(None),
            made: RefCell::new(None),
            made_in_template: Cell::new(false),
            has_body: Cell::new(false),
            moves_nodes: Cell::new(false),
            gave: Cell::new(false),
            removed: Cell::new(false),
        };
        Self {
            feed: Feed::new(sink, Detail::Shape, scripting, encoding),
            frameset: None,
            in_frames: false,
            known_frameset,
            is_html: false,
        }
    }

    /// Returns true if elements were put before a table, and with it before earlier ones.
    pub(super) fn moves_nodes(&self) -> bool {
        self.feed.builder.sink.moves_nodes.get()
    }

    /// The number of open elements of SVG and MathML, and of open templates.
    pub(super) fn special_elements(&self) -> usize {
        self.feed.builder.sink.alive.special.get()
    }

    /// Returns true if `<![CDATA[` opens a section.
    pub(super) fn expects_section(&self) -> bool {
        self.feed.expects_section()
    }

    /// Records that the page is too deep for the builder.
    pub(super) fn note_too_deep(&self) {
        self.feed.builder.sink.alive.is_too_deep.set(true);
    }

    /// From now on, the open elements are those around the part of a page that is read, which are
    /// not known.
    pub(super) fn hide_open_elements(&mut self) {
        let sink = &self.feed.builder.sink;
        sink.hidden.set(sink.elements.get());
    }

    /// Returns true if the effect of the last tag depended on a hidden element.
    pub(super) fn needed_hidden(&self) -> bool {
        // Where no other element is open, the state of the lexer depends on the innermost one.
        let usual = usize::from(self.special_elements() == 0);
        self.feed.builder.sink.needed_hidden.get() > usual
    }

    /// Returns true after a `frameset` was created.
    pub(super) fn is_in_frames(&self) -> bool {
        self.in_frames
    }

    /// Outlines the open elements.
    pub(super) fn outline(&self) -> Outline {
        let tracer = OutlineTracer::default();
        // The open elements are first.
        self.feed.builder.trace_handles(&tracer);
        let (outline, surroundings) = tracer.found.into_inner();
        Outline { guard: surroundings.guard(), ..outline }
    }

    fn token(&mut self, token: Token, lexer: &mut Lexer<'_>) -> Result<(), NeedsTree> {
        self.feed.builder.sink.needed_hidden.set(0);
        self.feed.token(token, lexer);
        let sink = &self.feed.builder.sink;
        let most = most_elements(self.feed.tags);
        match sink.alive.all.get() > MOST_OPEN || sink.elements.get() > most {
            true => Err(NeedsTree),
            false => Ok(()),
        }
    }
}

impl TagClassifier for TreeOracle<'_> {
    const REMOVES: bool = true;

    fn start_tag(&mut self, lexer: &mut Lexer<'_>) -> Result<TagEffect, NeedsTree> {
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
        if lexer.tag.key == names::FRAMESET && sink.removed.get() {
            self.frameset = Some(self.feed.tags - 1);
        }
        let made = sink.made.borrow_mut().take();
        // In SVG it is another element.
        self.is_html = lexer.tag.key == names::HTML && made.is_none();
        let made = made.map(|(namespace, in_template)| {
            sink.made_in_template.set(in_template.get());
            namespace
        });
        self.in_frames |= lexer.tag.key == names::FRAMESET && made == Some(ns!(html));
        Ok(match made {
            Some(ns!(svg)) => TagEffect::Element(Namespace::Svg),
            Some(ns!(mathml)) => TagEffect::Element(Namespace::MathMl),
            Some(_) => TagEffect::Element(Namespace::Html),
            None if sink.gave.get() => TagEffect::Attributes,
            None => TagEffect::Nothing,
        })
    }

    fn end_tag(&mut self, lexer: &mut Lexer<'_>) -> Result<(), NeedsTree> {
        self.is_html = false;
        self.token(Token::End, lexer)
    }

    fn needs_text(&self) -> bool {
        !self.in_frames
    }

    fn skips_tags(&self) -> bool {
        self.in_frames
    }

    fn in_template(&self) -> bool {
        self.is_in_template()
    }

    fn is_in_template(&self) -> bool {
        self.feed.builder.sink.made_in_template.get()
    }

    fn keeps_order(&self) -> bool {
        true
    }

    fn is_final(&self) -> bool {
        true
    }

    fn is_removed(&self) -> bool {
        // All that is made between the body and the `frameset` is in the body.
        self.known_frameset.is_some_and(|frameset| {
            self.feed.tags <= frameset && !self.is_html && self.feed.builder.sink.has_body.get()
        })
    }

    fn other(&mut self, token: Token, lexer: &mut Lexer<'_>) -> Result<(), NeedsTree> {
        self.is_html = false;
        self.token(token, lexer)
    }
}

/// An element of the builder, or the document. The builder holds as many as are alive.
pub(super) struct Node<'c> {
    number: usize,
    name: LocalName,
    namespace: BuilderNamespace,
    /// True if this MathML element may contain HTML.
    holds_html: bool,
    /// True if it is in the contents of a template.
    in_template: Rc<Cell<bool>>,
    alive: &'c Alive,
}

impl Node<'_> {
    /// Returns true if tags in it are read in another way.
    fn is_special(&self) -> bool {
        match self.namespace {
            ns!(svg) | ns!(mathml) => true,
            _ => self.name == local_name!("template"),
        }
    }
}

impl Clone for Node<'_> {
    fn clone(&self) -> Self {
        self.alive.add(self.is_special(), 1);
        Self {
            number: self.number,
            name: self.name.clone(),
            namespace: self.namespace.clone(),
            holds_html: self.holds_html,
            in_template: Rc::clone(&self.in_template),
            alive: self.alive,
        }
    }
}

impl Drop for Node<'_> {
    fn drop(&mut self) {
        self.alive.add(self.is_special(), -1);
    }
}

pub(super) struct Sink<'c> {
    /// The numbers of nodes alive.
    alive: &'c Alive,
    /// The number of elements created.
    elements: Cell<usize>,
    /// The number of the first elements that are hidden.
    hidden: Cell<usize>,
    /// The number of times that the last token needed the name of a hidden element.
    needed_hidden: Cell<usize>,
    /// The current start tag: its name, and that of its element in HTML.
    tag: RefCell<Option<(LocalName, LocalName)>>,
    /// The namespace of the element created for the tag, and whether it is in the contents of a
    /// template. If there are several of that name, the last one is its own; the others are
    /// reopened formatting elements.
    made: RefCell<Option<(BuilderNamespace, Rc<Cell<bool>>)>>,
    /// True if that element is in the contents of a template.
    made_in_template: Cell<bool>,
    /// True if the `body` element was created.
    has_body: Cell<bool>,
    /// True if a node was put before a table.
    moves_nodes: Cell<bool>,
    /// True if the tag added attributes to an existing element.
    gave: Cell<bool>,
    /// True if the tag removed an element from its parent.
    removed: Cell<bool>,
}

impl<'c> Sink<'c> {
    fn node(&self, name: LocalName, namespace: BuilderNamespace, holds_html: bool) -> Node<'c> {
        let number = self.elements.get();
        self.elements.set(number + 1);
        let alive = self.alive;
        let node = Node { number, name, namespace, holds_html, in_template: Rc::default(), alive };
        alive.add(node.is_special(), 1);
        node
    }

    /// Records nothing about the place of a node, except whether it is in the contents of a
    /// template.
    fn put(&self, places: &[&Node<'c>], child: NodeOrText<Node<'c>>) {
        let NodeOrText::AppendNode(child) = child else {
            return;
        };
        if places.iter().any(|place| place.in_template.get()) {
            child.in_template.set(true);
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
        if target.number < self.hidden.get() {
            self.needed_hidden.set(self.needed_hidden.get() + 1);
        }
        ExpandedName { ns: &target.namespace, local: &target.name }
    }

    fn create_element(&self, name: QualName, _: Vec<Attribute>, flags: ElementFlags) -> Node<'c> {
        let holds_html = flags.mathml_annotation_xml_integration_point;
        if name.ns == ns!(html) && name.local == local_name!("body") {
            self.has_body.set(true);
        }
        let is_own = self.tag.borrow().as_ref().is_some_and(|(tag, in_html)| {
            match name.ns {
                ns!(html) => name.local == *in_html,
                // SVG names may have capital letters.
                _ => name.local.eq_ignore_ascii_case(tag),
            }
        });
        let made = is_own.then(|| name.ns.clone());
        let node = self.node(name.local, name.ns, holds_html);
        if let Some(namespace) = made {
            *self.made.borrow_mut() = Some((namespace, Rc::clone(&node.in_template)));
        }
        node
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

    // The contents of a template are a document of their own.
    fn get_template_contents(&self, _: &Node<'c>) -> Node<'c> {
        let contents = self.get_document();
        contents.in_template.set(true);
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
        // Copies of formatting elements are inserted after their children are moved into them: the
        // parent of a node in a template is in that template too.
        if let NodeOrText::AppendNode(child) = &child
            && child.in_template.get()
        {
            parent.in_template.set(true);
        }
        self.put(&[parent], child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Node<'c>,
        previous: &Node<'c>,
        child: NodeOrText<Node<'c>>,
    ) {
        self.moves_nodes.set(true);
        self.put(&[element, previous], child);
    }

    fn append_before_sibling(&self, sibling: &Node<'c>, child: NodeOrText<Node<'c>>) {
        self.moves_nodes.set(true);
        self.put(&[sibling], child);
    }

    fn parse_error(&self, _: Cow<'static, str>) {}
    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}
    fn set_quirks_mode(&self, _: QuirksMode) {}
    fn reparent_children(&self, _: &Node<'c>, _: &Node<'c>) {}
}
