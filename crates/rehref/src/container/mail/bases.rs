//! The base URLs of the parts of a message, and the index of its parts by URL.

use std::sync::Arc;

use super::structure::Structure;
use crate::format::header::{FieldKind, Header, location_pieces, words};
use crate::source::{Base, BaseFrom, MAX_BASE, PartIndex};
use crate::uri::{Resolved, Resolver};

/// The bases of the entities of a message (RFC 3986, section 5.1): for each its `Content-Base`, its
/// `Content-Location`, those of the enclosing part, and so on.
pub(super) struct Bases<'m> {
    structure: &'m Structure,
    bytes: &'m [u8],
    resolver: &'m Resolver,
    /// The base of the enclosing part or of the file.
    outer: &'m Base,
    /// The base of each entity. Empty if no header has a base.
    bases: Vec<Base>,
}

impl<'m> Bases<'m> {
    /// The bases of a message. `outer` is that of the enclosing part or of the file.
    pub(super) fn new(
        outer: &'m Base,
        structure: &'m Structure,
        bytes: &'m [u8],
        resolver: &'m Resolver,
    ) -> Self {
        let mut bases = Self { structure, bytes, resolver, outer, bases: Vec::new() };
        let has_base = |header: &Header| {
            header.field(FieldKind::ContentBase).is_some()
                || header.field(FieldKind::ContentLocation).is_some()
        };
        // Few messages have any.
        if structure.entities.iter().any(|it| has_base(&it.header)) {
            for at in 0..structure.entities.len() {
                let own = bases.declared(at);
                let own = own.unwrap_or_else(|| bases.around(at).clone());
                bases.bases.push(own);
            }
        }
        bases
    }

    /// The base of an entity.
    pub(super) fn of(&self, at: usize) -> &Base {
        self.bases.get(at).unwrap_or(self.outer)
    }

    /// The base of references in the header of an entity. A `Content-Location` is relative to the
    /// `Content-Base` of the same header, if present (RFC 2110, section 4.2).
    pub(super) fn of_header(&self, at: usize) -> &Base {
        let header = &self.structure.entities[at].header;
        let is_located = header.field(FieldKind::ContentLocation).is_some();
        match self.of(at).from {
            BaseFrom::ContentBase if is_located => self.of(at),
            _ => self.around(at),
        }
    }

    /// The base of the part around an entity.
    fn around(&self, at: usize) -> &Base {
        match self.structure.entities[at].parent {
            Some(parent) => self.of(parent),
            None => self.outer,
        }
    }

    /// The base that the header of an entity declares. The bases of earlier entities are already in
    /// `bases`.
    fn declared(&self, at: usize) -> Option<Base> {
        let header = &self.structure.entities[at].header;
        let given = [
            (FieldKind::ContentBase, BaseFrom::ContentBase),
            (FieldKind::ContentLocation, BaseFrom::ContentLocation),
        ];
        given.into_iter().find_map(|(kind, from)| {
            let named = header.value(kind, self.bytes).map(location)?;
            let uri = resolve(self.resolver, &self.around(at).uri, &named)?;
            // Web archives identify their pages by these URLs, which are names and not bases.
            let names_part = ["cid:", "mid:"].into_iter().any(|scheme| {
                let start = uri.get(..scheme.len());
                start.is_some_and(|it| it.eq_ignore_ascii_case(scheme))
            });
            // The limit matters, since each part has a copy.
            (!names_part && uri.len() <= MAX_BASE).then_some(Base { uri, from })
        })
    }

    /// The index of part numbers by id and location. `write_number` appends the number of an
    /// entity. A multipart message has no part number, so it is not in the index.
    pub(super) fn index(
        &self,
        write_number: impl Fn(usize, &mut String),
    ) -> Option<Arc<PartIndex>> {
        let mut index = None;
        for (at, entity) in self.structure.entities.iter().enumerate() {
            let value = |kind| entity.header.value(kind, self.bytes);
            let id = value(FieldKind::ContentId);
            let written = value(FieldKind::ContentLocation);
            if id.is_none() && written.is_none() || self.structure.is_unnumbered(at) {
                continue;
            }
            let index: &mut PartIndex = index.get_or_insert_default();
            let mut number = String::new();
            write_number(at, &mut number);
            if let Some(id) = id {
                let id = String::from_utf8_lossy(id);
                index.add_id(id.trim_matches(['<', '>', ' ']), &number);
            }
            let base = &self.of_header(at).uri;
            let uri = written.and_then(|it| resolve(self.resolver, base, &location(it)));
            if let Some(uri) = uri.filter(|uri| uri.len() <= MAX_BASE) {
                index.add_location(uri, &number);
            }
        }
        index.map(Arc::new)
    }
}

/// The reference in the value of a `Content-Location` or `Content-Base` field.
fn location(value: &[u8]) -> String {
    let text = String::from_utf8_lossy(value);
    let decoded = words::decode(&text);
    let text = decoded.as_ref().map_or(&*text, |(text, _)| text);
    let pieces = location_pieces(text);
    pieces.into_iter().map(|piece| &text[piece]).collect()
}

/// The target of a reference. Absolute references are resolved against themselves.
fn resolve(resolver: &Resolver, base: &str, reference: &str) -> Option<String> {
    let with_scheme;
    let mut reference = reference;
    if Base::lacks_network(base) && reference.starts_with("//") {
        with_scheme = format!("https:{reference}");
        reference = &with_scheme;
    }
    let own = resolver.resolve(reference, reference);
    match own.or_else(|_| resolver.resolve(base, reference)).ok()? {
        Resolved::Target(uri) => Some(uri),
        Resolved::CurrentDocument { .. } => Some(base.to_owned()),
    }
}
