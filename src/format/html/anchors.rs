//! The anchors of a page: what a fragment may name.

use std::borrow::Cow;

use super::charref::{self, Within};
use super::links::{Finder, is_literal};
use super::names;
use super::rules::{Meaning, Meant, Space};
use crate::bytes::Span;

/// A name that a fragment may lead to.
pub(super) struct Anchor<'s> {
    pub(super) name: Cow<'s, str>,
    /// What has it.
    pub(super) on: On,
}

/// What has an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum On {
    /// The element of the start tag with this number.
    Tag(usize),
    /// The `html` element, by a tag that only gave it attributes.
    Html,
    /// The `body` element, by such a tag.
    Body,
}

impl<'s, M: Meaning> Finder<'_, 's, '_, M> {
    /// Takes the anchors of the last start tag, which has this number: its `id`, and the `name` of an `a`
    /// (HTML standard, section 7.4.6.4). Says whether it has any that may count.
    pub(super) fn anchors(&mut self, number: usize, meant: Meant, space: Space) -> bool {
        if self.meaning.is_in_template() {
            return false;
        }
        let tag = self.lexer.tag;
        let is_html = space == Space::Html;
        let is_a = is_html && self.page.bytes[tag.name.range()].eq_ignore_ascii_case(b"a");
        let (mut id, mut name) = (None, None);
        for attribute in &self.lexer.attributes {
            // Of attributes with the same name the first counts.
            let written = &self.page.bytes[attribute.name.range()];
            if id.is_none() && written.eq_ignore_ascii_case(b"id") {
                id = Some(attribute.value);
            } else if is_a && name.is_none() && written.eq_ignore_ascii_case(b"name") {
                name = Some(attribute.value);
            }
        }
        if id.is_some() && is_html && matches!(tag.key, names::HTML | names::BODY) {
            let given = &mut self.given[usize::from(tag.key == names::BODY)];
            if given.contains(&"id") {
                id = None;
            } else {
                given.push("id");
            }
        }
        let on = match meant {
            Meant::Attributes if tag.key == names::HTML => On::Html,
            Meant::Attributes => On::Body,
            _ => On::Tag(number),
        };
        let before = self.found.anchors.len();
        for value in [id, name].into_iter().flatten().filter(|it| !it.is_empty()) {
            let name = self.attribute_text(value);
            // Nearly always both are the same.
            let is_new = self.found.anchors[before..]
                .iter()
                .all(|it| it.name != name);
            if is_new {
                self.found.anchors.push(Anchor { name, on });
            }
        }
        self.found.anchors.len() > before
    }

    /// An attribute's value as it is in the tree.
    fn attribute_text(&self, value: Span) -> Cow<'s, str> {
        if let Some(text) = self.page.text
            && let text = &text[value.range()]
            && is_literal(text)
        {
            return Cow::Borrowed(text);
        }
        let mut text = self.decode_plain(value).text;
        // The standard makes line feeds of them before it looks (section 13.2.3.5).
        if text.contains('\r') {
            text = Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"));
        }
        match charref::decode(&text, Within::Attribute) {
            Some((decoded, _)) => Cow::Owned(decoded),
            None => text,
        }
    }
}
