//! The DOM that html5ever builds, with the source tags of its elements.
//!
//! The sink of the tree builder passes everything on to `RcDom`, and records the elements that are
//! created for a token. A start tag created the last of them with its name; the ones before are
//! implied elements and copies of formatting elements. Nothing is added to the page, so equal tags
//! stay equal.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

use html5ever::interface::{
    ElementFlags, ExpandedName, NodeOrText, QuirksMode, TokenizerResult, TreeSink,
};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, StartTag, Tag, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, QualName, local_name, ns};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use super::ParsedLink;
use super::links::{Namespace, attributes_of, links_of_element};

/// The DOM of a page, by its start tags.
pub(crate) struct Dom {
    /// The tags with an element or attributes in the final DOM, in source order.
    pub(crate) tags: Vec<DomTag>,
    /// The `href` of the first `base` in tree order that has one.
    pub(crate) base: Option<String>,
    /// True if elements were removed from the DOM: a `frameset` removes the body before it with its
    /// content.
    pub(crate) removed: bool,
    /// The links of all elements of the tree, including copies, in tree order.
    pub(crate) links_in_tree: Vec<ParsedLink>,
    /// The names that fragments refer to: every `id`, and the `name` of every `a`.
    pub(crate) anchors: BTreeSet<String>,
    /// The anchors that are not only on copies of formatting elements: a copy may be outside of the
    /// parent of its tag.
    pub(crate) anchors_of_tags: BTreeSet<String>,
}

/// A start tag whose element, or whose attributes, are in the DOM.
pub(crate) struct DomTag {
    /// The element's name, in lower case.
    pub(crate) name: String,
    pub(crate) namespace: Namespace,
    /// True if it only added attributes to an existing element: a second `html` or `body`.
    pub(crate) merged: bool,
    /// Its new attributes.
    attributes: Vec<(String, String)>,
}

impl Dom {
    /// Reads a page with scripting on or off.
    pub(crate) fn read(html: &str, scripting: bool) -> Self {
        let options =
            TreeBuilderOpts { scripting_enabled: scripting, ..TreeBuilderOpts::default() };
        let sink = Tokens {
            builder: TreeBuilder::new(Recorder::default(), options),
            brought: RefCell::default(),
        };
        let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
        let input = BufferQueue::default();
        input.push_back(StrTendril::from(html));
        while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
        tokenizer.end();

        let document = &tokenizer.sink.builder.sink.dom.document;
        let nodes_there = nodes(document, true);
        let there: HashSet<_> = nodes_there.iter().map(Rc::as_ptr).collect();
        let brought = tokenizer.sink.brought.take();
        let outside = nodes(document, false);
        let is_outside: HashSet<_> = outside.iter().map(Rc::as_ptr).collect();
        let of_tags = brought.iter().map(|it| &it.element);
        let of_tags = of_tags.filter(|it| is_outside.contains(&Rc::as_ptr(it)));
        let anchors_of_tags = of_tags.flat_map(anchors_of_node).collect();
        let exists = |it: &Brought| there.contains(&Rc::as_ptr(&it.element));
        let removed = !brought.iter().all(exists);
        let tags = brought.into_iter().filter(exists);
        let tags = tags.filter_map(|brought| {
            let NodeData::Element { name, .. } = &brought.element.data else {
                return None;
            };
            Some(DomTag {
                name: name.local.to_ascii_lowercase().to_string(),
                namespace: Namespace::of(name),
                merged: brought.merged,
                attributes: attributes_of(&brought.attributes),
            })
        });
        Self {
            tags: tags.collect(),
            removed,
            base: nodes(document, false).iter().find_map(href_of_base),
            links_in_tree: nodes_there.iter().flat_map(links_of_node).collect(),
            anchors: outside.iter().flat_map(anchors_of_node).collect(),
            anchors_of_tags,
        }
    }

    /// The links of the tags.
    pub(crate) fn links(&self) -> Vec<ParsedLink> {
        let links =
            self.tags.iter().map(|tag| links_of_element(tag.namespace, &tag.name, &tag.attributes));
        links.flatten().collect()
    }
}

/// The node and its descendants in tree order, with or without the content of templates.
fn nodes(root: &Handle, templates: bool) -> Vec<Handle> {
    let mut nodes = Vec::new();
    let mut open = vec![root.clone()];
    while let Some(node) = open.pop() {
        open.extend(node.children.borrow().iter().rev().cloned());
        if let NodeData::Element { template_contents, .. } = &node.data {
            open.extend(template_contents.borrow().clone().filter(|_| templates));
        }
        nodes.push(node);
    }
    nodes
}

fn links_of_node(node: &Handle) -> Vec<ParsedLink> {
    let NodeData::Element { name, attrs, .. } = &node.data else {
        return Vec::new();
    };
    let mut attributes = attrs.borrow().clone();
    show_content_of_meta(&mut attributes);
    let element = name.local.to_ascii_lowercase();
    links_of_element(Namespace::of(name), &element, &attributes_of(&attributes))
}

fn anchors_of_node(node: &Handle) -> Vec<String> {
    let NodeData::Element { name, attrs, .. } = &node.data else {
        return Vec::new();
    };
    let is_a = name.ns == ns!(html) && name.local == local_name!("a");
    let attributes = attrs.borrow();
    let anchors = attributes.iter().filter(|it| {
        let is_anchor =
            it.name.local == local_name!("id") || is_a && it.name.local == local_name!("name");
        it.name.ns == ns!() && is_anchor && !it.value.is_empty()
    });
    anchors.map(|it| it.value.to_string()).collect()
}

fn href_of_base(node: &Handle) -> Option<String> {
    let NodeData::Element { name, attrs, .. } = &node.data else {
        return None;
    };
    let is_base = name.ns == ns!(html) && name.local == local_name!("base");
    let attributes = attrs.borrow();
    let mut attributes = attributes.iter().filter(|_| is_base);
    let href = attributes.find(|it| it.name.ns == ns!() && it.name.local == local_name!("href"))?;
    Some(href.value.to_string())
}

/// The element and the attributes that a start tag added to the DOM.
struct Brought {
    element: Handle,
    attributes: Vec<Attribute>,
    merged: bool,
}

/// Passes tokens on to the tree builder, and collects the effects of start tags from the recorder.
struct Tokens {
    builder: TreeBuilder<Handle, Recorder>,
    brought: RefCell<Vec<Brought>>,
}

impl TokenSink for Tokens {
    type Handle = Handle;

    fn process_token(&self, mut token: Token, line: u64) -> TokenSinkResult<Handle> {
        let mut started = None;
        if let Token::TagToken(tag) = &mut token
            && tag.kind == StartTag
        {
            started = Some((tag.name.clone(), tag.attrs.len()));
            hide_content_of_meta(tag);
        }
        let recorder = &self.builder.sink;
        recorder.made.borrow_mut().clear();
        recorder.merged.borrow_mut().clear();
        let result = self.builder.process_token(token, line);
        let Some((name, attributes)) = started else {
            return result;
        };
        let mut made = recorder.made.take();
        made.retain(|it| is_element_of(&it.element, &name));
        let mut brought = made.pop();
        if let Some(brought) = &mut brought {
            assert_eq!(brought.attributes.len(), attributes, "a copy of another {name}");
            show_content_of_meta(&mut brought.attributes);
        }
        let merged = recorder.merged.take();
        self.brought.borrow_mut().extend(merged.into_iter().chain(brought));
        result
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

fn is_element_of(element: &Handle, tag: &LocalName) -> bool {
    let NodeData::Element { name, .. } = &element.data else {
        return false;
    };
    // The tree builder restores capitals in names of SVG.
    name.local.eq_ignore_ascii_case(tag)
        || name.ns == ns!(html) && name.local == local_name!("img") && *tag == local_name!("image")
}

const HIDDEN: &str = "rehref-content";

/// Renames the attribute, because html5ever 0.39 panics on `content="text/html; charset"`. The tree
/// does not depend on it.
fn hide_content_of_meta(tag: &mut Tag) {
    if tag.name == local_name!("meta") {
        for attribute in &mut tag.attrs {
            if attribute.name.local == local_name!("content") {
                attribute.name.local = LocalName::from(HIDDEN);
            }
        }
    }
}

fn show_content_of_meta(attributes: &mut [Attribute]) {
    for attribute in attributes {
        if &*attribute.name.local == HIDDEN {
            attribute.name.local = local_name!("content");
        }
    }
}

/// `RcDom`, and its changes since the last token.
#[derive(Default)]
struct Recorder {
    dom: RcDom,
    made: RefCell<Vec<Brought>>,
    merged: RefCell<Vec<Brought>>,
}

impl TreeSink for Recorder {
    type Handle = Handle;
    type Output = Self;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Self {
        self
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> Handle {
        let element = self.dom.create_element(name, attributes.clone(), flags);
        self.made.borrow_mut().push(Brought {
            element: element.clone(),
            attributes,
            merged: false,
        });
        element
    }

    fn add_attrs_if_missing(&self, target: &Handle, attributes: Vec<Attribute>) {
        let NodeData::Element { attrs, .. } = &target.data else {
            panic!("attributes of something that is not an element");
        };
        let is_missing = |it: &&Attribute| !attrs.borrow().iter().any(|had| had.name == it.name);
        let missing = attributes.iter().filter(is_missing).cloned().collect();
        self.merged.borrow_mut().push(Brought {
            element: target.clone(),
            attributes: missing,
            merged: true,
        });
        self.dom.add_attrs_if_missing(target, attributes);
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        self.dom.get_document()
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        self.dom.elem_name(target)
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        self.dom.create_comment(text)
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> Handle {
        self.dom.create_pi(target, data)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.dom.append(parent, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        prev_element: &Handle,
        child: NodeOrText<Handle>,
    ) {
        self.dom.append_based_on_parent_node(element, prev_element, child);
    }

    fn append_doctype_to_document(
        &self,
        name: StrTendril,
        public_id: StrTendril,
        system_id: StrTendril,
    ) {
        self.dom.append_doctype_to_document(name, public_id, system_id);
    }

    fn mark_script_already_started(&self, node: &Handle) {
        self.dom.mark_script_already_started(node);
    }

    fn pop(&self, node: &Handle) {
        self.dom.pop(node);
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        self.dom.get_template_contents(target)
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        self.dom.same_node(x, y)
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.dom.set_quirks_mode(mode);
    }

    fn append_before_sibling(&self, sibling: &Handle, new_node: NodeOrText<Handle>) {
        self.dom.append_before_sibling(sibling, new_node);
    }

    fn associate_with_form(
        &self,
        target: &Handle,
        form: &Handle,
        nodes: (&Handle, Option<&Handle>),
    ) {
        self.dom.associate_with_form(target, form, nodes);
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.dom.remove_from_parent(target);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.dom.reparent_children(node, new_parent);
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &Handle) -> bool {
        self.dom.is_mathml_annotation_xml_integration_point(handle)
    }

    fn set_current_line(&self, line_number: u64) {
        self.dom.set_current_line(line_number);
    }

    fn allow_declarative_shadow_roots(&self, intended_parent: &Handle) -> bool {
        self.dom.allow_declarative_shadow_roots(intended_parent)
    }

    fn attach_declarative_shadow(
        &self,
        location: &Handle,
        template: &Handle,
        attrs: &[Attribute],
    ) -> bool {
        self.dom.attach_declarative_shadow(location, template, attrs)
    }

    fn maybe_clone_an_option_into_selectedcontent(&self, option: &Handle) {
        self.dom.maybe_clone_an_option_into_selectedcontent(option);
    }
}
