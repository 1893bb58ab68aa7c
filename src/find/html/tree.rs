//! The tree of a page, in which every element leads back to its start tag.

use encoding_rs::Encoding;
use html5ever::{Attribute, QualName, expanded_name, local_name, ns};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use super::feed::{Detail, Feed, NUMBER};
use super::lexer::Lexer;

/// The tree of a page.
pub(super) struct Tree {
    dom: RcDom,
}

impl Tree {
    /// Builds the tree. The cost may be quadratic in the depth of the page, so its
    /// [judge](super::judge) should have read it first.
    pub(super) fn build(
        bytes: &[u8],
        encoding: &'static Encoding,
        scripting: bool,
        detail: Detail,
    ) -> Self {
        let mut lexer = Lexer::new(bytes);
        let mut feed = Feed::new(RcDom::default(), detail, scripting, encoding);
        while let Some(token) = lexer.next() {
            feed.token(token, &mut lexer);
        }
        feed.end();
        Self {
            dom: feed.builder.sink,
        }
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

    /// Which of the first `count` start tags have an element in the tree.
    pub(super) fn tags(&self, count: usize) -> Vec<bool> {
        let mut there = vec![false; count];
        self.walk(true, |node, _| {
            if let Some(there) = number(node).and_then(|number| there.get_mut(number)) {
                *there = true;
            }
        });
        there
    }

    /// Goes over the elements in the order of the tree, with what templates hold or without.
    fn walk(&self, templates: bool, mut element: impl FnMut(&Handle, &QualName)) {
        let mut open = vec![self.dom.document.clone()];
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

/// The number of the start tag that made an element, if one did.
fn number(node: &Handle) -> Option<usize> {
    let NodeData::Element { attrs, .. } = &node.data else {
        return None;
    };
    let is_number = |it: &&Attribute| &*it.name.local == NUMBER;
    attrs.borrow().iter().find(is_number)?.value.parse().ok()
}
