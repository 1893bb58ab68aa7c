//! What a tag tells besides its links.

use super::Finder;
use crate::format::html::lexer::Tag;
use crate::format::html::names;
use crate::format::html::rules::Meaning;
use crate::format::html::scripted_links;
use crate::link::{Integrity, LinkData, removal_of};

impl<M: Meaning> Finder<'_, '_, '_, M> {
    /// What the tag says of what its link leads to; the links of the tag begin at number `before`.
    pub(super) fn integrity(&mut self, tag: Tag, before: usize) {
        let bytes = self.page.bytes;
        let attributes = self.lexer.attributes.iter();
        let mut given =
            attributes.filter(|it| bytes[it.name.range()].eq_ignore_ascii_case(b"integrity"));
        let Some(attribute) = given.next() else {
            return;
        };
        let name = if tag.key == names::LINK {
            "href"
        } else {
            "src"
        };
        let is_about = |link: &LinkData<'_>| {
            let markup = link.place.markup();
            markup.is_some_and(|it| it.attribute == name)
        };
        let Some(at) = self.found.links[before..].iter().position(is_about) else {
            return;
        };
        let removal = match given.next() {
            Some(_) => None,
            None => {
                let written = (attribute.name, attribute.value, attribute.quoting);
                Some(removal_of(bytes, written))
            }
        };
        self.found.integrity.push(Integrity {
            link: before + at,
            removal,
        });
    }

    /// Whether what the `script` of this tag holds is a program.
    pub(super) fn is_program(&self) -> bool {
        let kind = self.value_of("type").unwrap_or_default();
        let kind = kind.trim().to_ascii_lowercase();
        matches!(&*kind, "" | "module")
            || ["javascript", "ecmascript", "jscript"]
                .iter()
                .any(|it| kind.contains(it))
    }

    /// Counts what the event handlers of the tag seem to build, and its `javascript:` URLs; its links begin at
    /// number `before`.
    pub(super) fn count_handlers(&mut self, before: usize) {
        const SCHEME: &str = "javascript:";
        let bytes = self.page.bytes;
        let attributes = self.lexer.attributes.iter();
        let handlers = attributes.filter(|it| {
            let name = &bytes[it.name.range()];
            matches!(name, [b'o' | b'O', b'n' | b'N', _, ..])
        });
        let handlers = handlers.map(|it| scripted_links(&bytes[it.value.range()]));
        let urls = self.found.links[before..].iter().filter_map(|link| {
            let scheme = link.reference.get(..SCHEME.len())?;
            let is_code = scheme.eq_ignore_ascii_case(SCHEME);
            is_code.then(|| scripted_links(&link.reference.as_bytes()[SCHEME.len()..]))
        });
        self.found.scripted += handlers.sum::<usize>() + urls.sum::<usize>();
    }
}
