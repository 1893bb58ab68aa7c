//! The anchors of XML: the names that a fragment may have.

use std::borrow::Cow;

use super::input::{Element, Input};
use super::lexer::Attribute;
use super::namespace::Namespace;
use crate::format::markup::xml_value::Within;

/// Collects the anchors of a tag: `id`, which is an anchor in every vocabulary with links,
/// `xml:id`, and the `name` of an `a` of XHTML.
pub(super) fn find<'s>(
    input: &Input<'s, '_>,
    element: &Element<'s>,
    anchors: &mut Vec<Cow<'s, str>>,
) {
    let is_a = element.namespace == Namespace::Xhtml && element.local == b"a";
    let mut seen = [false; 3];
    for at in 0..input.lexer.attributes.len() {
        let Attribute { name, value, .. } = input.lexer.attributes[at];
        let kind = match &input.source[name.range()] {
            b"id" => 0,
            b"xml:id" => 1,
            b"name" if is_a => 2,
            _ => continue,
        };
        if std::mem::replace(&mut seen[kind], true) {
            continue;
        }
        let text = input.decode(value, Within::Attribute).text;
        // An `xml:id` is normalized like an ID (xml:id, section 4).
        let text = match text {
            Cow::Owned(text) if kind == 1 => Cow::Owned(text.trim().to_owned()),
            Cow::Borrowed(text) if kind == 1 => Cow::Borrowed(text.trim()),
            text => text,
        };
        if !text.is_empty() {
            anchors.push(text);
        }
    }
}
