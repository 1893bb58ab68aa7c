//! The uses of relationships: a part of a package has them by their ids (ECMA-376, part 2, section
//! 6.5).

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use encoding_rs::UTF_8;

use super::input::Input;
use super::lexer::{Attribute, Lexer, Tag, Token};
use super::namespace::split;
use crate::bytes::Span;
use crate::format::markup::xml_value::{Within, value};
use crate::source::{RelationshipUses, Source};

/// The ids of these relationships that a part has in any attribute, with the fragments of the targets:
/// the anchor of a hyperlink of Word, or the location of one of Word or Excel. A relationship that
/// hyperlinks with different fragments share has none.
pub fn uses(relationships: &Source, part: &Source) -> RelationshipUses {
    let mut ids = HashSet::new();
    each_tag(relationships, |source, lexer, _| {
        let id = lexer.attributes.iter().find(|it| &source[it.name.range()] == b"Id");
        ids.extend(id.map(|it| source[it.value.range()].to_vec()));
    });
    let (mut uses, mut fragments) = (RelationshipUses::new(), RelationshipUses::new());
    each_tag(part, |source, lexer, tag| {
        let is_use = |it: &&Attribute| {
            let is_declaration = || source[it.name.range()].starts_with(b"xmlns");
            ids.contains(&source[it.value.range()]) && !is_declaration()
        };
        for id in lexer.attributes.iter().filter(is_use) {
            let id = String::from_utf8_lossy(&source[id.value.range()]);
            uses.entry(id.clone().into_owned()).or_default();
            if split(&source[tag.name.range()]).1 == b"hyperlink" {
                let fragment = fragment(source, lexer);
                let keep = |known: &mut Option<Arc<str>>| {
                    *known = known.take().filter(|it| Some(it) == fragment.as_ref());
                };
                fragments
                    .entry(id.into_owned())
                    .and_modify(keep)
                    .or_insert_with(|| fragment.clone());
            }
        }
    });
    uses.extend(fragments);
    uses
}

/// Calls a function with the source and each start tag.
fn each_tag(source: &Source, mut each: impl FnMut(&[u8], &Lexer<'_>, Tag)) {
    let text = (!source.charset.is_ascii_compatible()).then(|| source.text().text.into_owned());
    let bytes = match &text {
        Some(text) => text.as_bytes(),
        None => &source.bytes[source.charset.bom_len()..],
    };
    let mut lexer = Lexer::new(bytes);
    while let Some(token) = lexer.next() {
        if let Token::Start(tag) = token {
            each(bytes, &lexer, tag);
        }
    }
}

/// The fragment of a hyperlink.
fn fragment(source: &[u8], lexer: &Lexer<'_>) -> Option<Arc<str>> {
    let local = |name: Span| split(&source[name.range()]).1;
    let is_place =
        |it: &&Attribute| matches!(local(it.name), b"anchor" | b"docLocation" | b"location");
    let place = lexer.attributes.iter().find(is_place)?;
    let place = value(source, place.value, UTF_8, Within::Attribute).text;
    (!place.is_empty()).then(|| place.into())
}

/// The fragment of the target of the relationship in the tag, and whether its part refers to it.
pub(super) fn use_of(input: &Input<'_, '_>) -> (Option<Arc<str>>, bool) {
    let Some(uses) = input.uses else {
        return (None, true);
    };
    let id = input.value_of("Id").unwrap_or(Cow::Borrowed(""));
    match uses.get(&*id) {
        Some(fragment) => (fragment.clone(), true),
        None => (None, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Charset;

    #[test]
    fn ids_are_used_with_the_fragments_of_hyperlinks() {
        let ids =
            ["a", "b", "c", "d", "e", "f", "g"].map(|id| format!("<Relationship Id='{id}'/>"));
        let part = "<w:p><w:hyperlink w:anchor='a&amp;b' r:id='a'/><a:blip r:embed=\"b\" r:link='c'/>\
            <hyperlink ref='A1' r:id='d' location='S!A1'/><w:hyperlink r:id='d' w:anchor='S!A1'/>\
            <w:hyperlink r:id='e' w:anchor='one'/><w:hyperlink r:id='e' w:anchor='two'/>\
            <x image='f' w:val='no'/>g r:id='g'</w:p>";
        let source = |text: &str| {
            Source::new(text.as_bytes().to_vec(), Charset::named("utf-8", b"").expect("a label"))
        };
        let uses = uses(&source(&ids.concat()), &source(part));
        let mut uses: Vec<_> = uses.iter().map(|(id, it)| (&**id, it.as_deref())).collect();
        uses.sort_unstable();
        let expected = [
            ("a", Some("a&b")),
            ("b", None),
            ("c", None),
            ("d", Some("S!A1")),
            ("e", None),
            ("f", None),
        ];
        assert_eq!(uses, expected);
    }
}
