//! The anchors of XML: what a fragment may name.

use std::borrow::Cow;

use super::lexer::Attribute;
use super::namespace::Namespace;
use super::value::Within;
use super::{Element, Finder};

impl<'s> Finder<'s, '_> {
    /// The anchors of a tag: `id`, which is one in every vocabulary that is linked to, `xml:id`, and the `name`
    /// of an `a` of XHTML.
    pub(super) fn anchors(&mut self, element: &Element<'s>) {
        let is_a = element.namespace == Namespace::Xhtml && element.local == b"a";
        let mut seen = [false; 3];
        for at in 0..self.lexer.attributes.len() {
            let Attribute { name, value, .. } = self.lexer.attributes[at];
            let kind = match &self.source[name.range()] {
                b"id" => 0,
                b"xml:id" => 1,
                b"name" if is_a => 2,
                _ => continue,
            };
            if std::mem::replace(&mut seen[kind], true) {
                continue;
            }
            let text = self.decode(value, Within::Attribute).text;
            // An `xml:id` is normalised as an ID is (xml:id, section 4).
            let text = match text {
                Cow::Owned(text) if kind == 1 => Cow::Owned(text.trim().to_owned()),
                Cow::Borrowed(text) if kind == 1 => Cow::Borrowed(text.trim()),
                text => text,
            };
            if !text.is_empty() {
                self.anchors.push(text);
            }
        }
    }
}
