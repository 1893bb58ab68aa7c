//! The document that is read, and its current tag.

use std::borrow::Cow;
use std::sync::Arc;

use encoding_rs::Encoding;

use super::lexer::{Attribute, Lexer};
use super::namespace::Namespace;
use crate::bytes::Span;
use crate::format::Options;
use crate::format::markup::value::Value;
use crate::format::markup::xml_value::{Within, names_entity, value};
use crate::link::{Absoluteness, BaseScope, ScopedBase};
use crate::source::RelationshipUses;

/// The document that is read, with the lexer.
pub(super) struct Input<'s, 'o> {
    pub(super) source: &'s [u8],
    pub(super) encoding: &'static Encoding,
    pub(super) options: &'o Options,
    pub(super) lexer: Lexer<'s>,
    /// True if hyperlinks of a document of Office have an unknown base.
    pub(super) has_hyperlink_base: bool,
    /// The uses of the relationships, if they are known.
    pub(super) uses: Option<&'o RelationshipUses>,
}

impl<'s> Input<'s, '_> {
    /// The decoded value of the tag's attribute `name`, in this case.
    pub(super) fn value_of(&self, name: &str) -> Option<Cow<'s, str>> {
        let mut attributes = self.lexer.attributes.iter();
        let named = |it: &&Attribute| &self.source[it.name.range()] == name.as_bytes();
        let attribute = attributes.find(named)?;
        Some(self.decode(attribute.value, Within::Attribute).text)
    }

    /// The `rel` attribute of the tag, if it is wanted.
    pub(super) fn rel(&self) -> Option<Arc<str>> {
        let wanted = self.options.rels.then(|| self.value_of("rel"));
        wanted.flatten().map(Arc::from)
    }

    /// Returns true if the bytes refer to an entity of a document type, which is not read.
    pub(super) fn has_entity(&self, span: Span) -> bool {
        names_entity(&String::from_utf8_lossy(&self.source[span.range()]))
    }

    /// The value of the bytes `span`.
    pub(super) fn decode(&self, span: Span, within: Within) -> Value<'s> {
        value(self.source, span, self.encoding, within)
    }
}

/// The vocabulary of the root element.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Root {
    /// The namespace of the root, once it is read.
    pub(super) namespace: Option<Namespace>,
    /// The vocabulary of names without a namespace.
    pub(super) bare: Namespace,
}

impl Root {
    /// The vocabulary of the root, once it is read.
    pub(super) fn vocabulary(self) -> Option<Namespace> {
        match self.namespace {
            Some(Namespace::None) => Some(self.bare),
            namespace => namespace,
        }
    }

    /// Returns the need for absolute links in an element.
    pub(super) fn absoluteness(self, element: &Element<'_>) -> Absoluteness {
        let root = self.vocabulary().unwrap_or_default();
        if root.is_absolute() || element.namespace.is_absolute() {
            Absoluteness::Required
        } else {
            Absoluteness::Optional
        }
    }
}

/// A start tag with its namespace, its base and its context.
pub(super) struct Element<'s> {
    pub(super) namespace: Namespace,
    pub(super) prefix: &'s [u8],
    pub(super) local: &'s [u8],
    pub(super) base: Option<Arc<ScopedBase>>,
    pub(super) in_template: bool,
}

impl Element<'_> {
    /// The name as written. `local` is its local name, if known.
    pub(super) fn written(&self, local: Option<&'static str>) -> Cow<'static, str> {
        match local {
            Some(local) if self.prefix.is_empty() => Cow::Borrowed(local),
            _ if self.prefix.is_empty() => owned(self.local),
            _ => owned(&[self.prefix, b":", self.local].concat()),
        }
    }
}

pub(super) fn base_scope(base: Option<&Arc<ScopedBase>>) -> BaseScope {
    base.map_or(BaseScope::Base, |base| BaseScope::Nested(Arc::clone(base)))
}

pub(super) fn owned(name: &[u8]) -> Cow<'static, str> {
    Cow::Owned(String::from_utf8_lossy(name).into_owned())
}

/// Returns true for a character that is stripped from the ends of a URL (URL Standard, section
/// 4.4).
pub(super) fn is_blank(character: char) -> bool {
    character <= ' '
}
