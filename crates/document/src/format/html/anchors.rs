//! The anchors of a page: the names that a fragment may have.

use std::borrow::Cow;

use super::lexer::Lexer;
use super::names;
use super::namespace::Namespace;
use super::page::{Page, is_literal};
use crate::bytes::Span;
use crate::format::markup::charref::{self, Within};

/// Collects the anchors of the last start tag: its `id`, and the `name` of an `a` (HTML
/// standard, section 7.4.6.4). Returns true if it has any.
pub(super) fn find<'s>(
    page: &Page<'s, '_>,
    lexer: &Lexer<'s>,
    namespace: Namespace,
    given: &mut [Vec<&'static str>; 2],
    found: &mut Vec<Cow<'s, str>>,
) -> bool {
    let tag = lexer.tag;
    let is_html = namespace == Namespace::Html;
    let is_a = is_html && page.bytes[tag.name.range()].eq_ignore_ascii_case(b"a");
    let (mut id, mut name) = (None, None);
    for attribute in &lexer.attributes {
        // Of attributes with the same name, the first counts.
        let written = &page.bytes[attribute.name.range()];
        if id.is_none() && written.eq_ignore_ascii_case(b"id") {
            id = Some(attribute.value);
        } else if is_a && name.is_none() && written.eq_ignore_ascii_case(b"name") {
            name = Some(attribute.value);
        }
    }
    if id.is_some() && is_html && matches!(tag.key, names::HTML | names::BODY) {
        let given = &mut given[usize::from(tag.key == names::BODY)];
        if given.contains(&"id") {
            id = None;
        } else {
            given.push("id");
        }
    }
    let before = found.len();
    for value in [id, name].into_iter().flatten().filter(|it| !it.is_empty()) {
        let name = attribute_text(page, value);
        // Usually both are the same.
        let is_new = found[before..].iter().all(|it| *it != name);
        if is_new {
            found.push(name);
        }
    }
    found.len() > before
}

/// The value of an attribute as in the tree.
fn attribute_text<'s>(page: &Page<'s, '_>, value: Span) -> Cow<'s, str> {
    if let Some(text) = page.text
        && let text = &text[value.range()]
        && is_literal(text)
    {
        return Cow::Borrowed(text);
    }
    let mut text = page.decode_plain(value).text;
    // The standard replaces them with line feeds first (section 13.2.3.5).
    if text.contains('\r') {
        text = Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"));
    }
    match charref::decode(&text, Within::Attribute) {
        Some((decoded, _)) => Cow::Owned(decoded),
        None => text,
    }
}
