//! Where links lead: their references resolved.

use std::sync::Arc;

use super::{Against, Link, Note, Notes};
use crate::document::{Base, BaseFrom};
use crate::uri::{self, Outcome, Parts, Profile, Resolver};

/// Where a link leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target<'t> {
    /// The absolute URI, as resolving spells it and never normalised. None where the base is
    /// unknown, and where the profile gives the reference no URI: it is to the current document, or
    /// an error.
    pub uri: Option<&'t str>,
    /// The base that the reference is relative to, and how that is known.
    pub base: Option<(&'t str, BaseFrom)>,
    /// Whether the reference is to the document that it stands in.
    pub same_document: bool,
    /// The link's own notes, and what resolving adds.
    pub notes: Notes,
}

/// The longest base that is used, in bytes: a page of many short links comes to as many times that.
pub const MAX_BASE: usize = 2 << 10;

/// Resolves the links of one document. It keeps its buffers, so that a link costs no allocation
/// under the RFC profiles.
#[derive(Clone, Debug)]
pub struct Resolving<'f> {
    resolver: Resolver,
    base: Option<&'f Base>,
    retrieval: Option<&'f Base>,
    /// The last codebase, and what it resolved to.
    codebase: Option<(Arc<str>, Option<String>)>,
    uri: String,
}

impl<'f> Resolving<'f> {
    /// For a document whose base is `base` and which itself was retrieved from `retrieval`.
    pub fn new(resolver: Resolver, base: Option<&'f Base>, retrieval: Option<&'f Base>) -> Self {
        Self {
            resolver,
            base,
            retrieval,
            codebase: None,
            uri: String::new(),
        }
    }

    /// Where `link` leads. Linear in the base and the reference.
    ///
    /// An absolute reference needs no base and, under the RFC profiles, keeps its spelling.
    pub fn target(&mut self, link: &Link<'_>) -> Target<'_> {
        let reference = link.reference.as_ref();
        let found = match link.against {
            Against::Base | Against::Codebase(_) => self.base,
            Against::Document => self.retrieval,
        };
        let found = found.filter(|base| base.uri.len() <= MAX_BASE);
        let from = found.map(|base| base.from);
        let mut base = found.map(|base| base.uri.as_str());
        if let Against::Codebase(codebase) = &link.against {
            // The URLs of one element share it.
            if !matches!(&self.codebase, Some((last, _)) if Arc::ptr_eq(last, codebase)) {
                let mut uri = String::new();
                let resolved = resolve(&self.resolver, base, codebase, &mut uri);
                self.codebase = Some((Arc::clone(codebase), resolved.then_some(uri)));
            }
            if let Some((_, Some(uri))) = &self.codebase {
                base = Some(uri.as_str()).filter(|uri| uri.len() <= MAX_BASE);
            }
        }
        let has_uri = resolve(&self.resolver, base, reference, &mut self.uri);
        // The costly question is asked only where the answer may be yes.
        let may_be_same = reference.is_empty()
            || reference.starts_with('#')
            || self.resolver.profile == Profile::Whatwg
            || base.is_some_and(|base| {
                let len = base.find('#').unwrap_or(base.len());
                has_uri
                    && (matches!(self.uri.as_bytes().get(len), None | Some(b'#'))
                        || reference.contains("/."))
            });
        let notes = match uri::syntax::check(reference) {
            Ok(()) => link.notes,
            Err(_) => link.notes.with(Note::Malformed),
        };
        Target {
            uri: has_uri.then_some(self.uri.as_str()),
            base: base.zip(from),
            same_document: may_be_same && self.resolver.is_same_document(base, reference),
            notes,
        }
    }
}

/// Resolves `reference` into `out`, against nothing if it is absolute; says whether there is a
/// target.
pub(crate) fn resolve(
    resolver: &Resolver,
    base: Option<&str>,
    reference: &str,
    out: &mut String,
) -> bool {
    let parts = Parts::split(reference);
    let compat = resolver.same_scheme == uri::SameScheme::Compat;
    if parts.scheme.is_some() && resolver.profile != Profile::Whatwg && !(compat && base.is_some())
    {
        out.clear();
        out.push_str(reference);
        return true;
    }
    // An absolute reference stands on its own, so it may as well be its own base.
    let base = match base {
        Some(base) => base,
        None if parts.scheme.is_some() => reference,
        None => return false,
    };
    resolver.resolve_into(Parts::split(base), reference, out) == Ok(Outcome::Target)
}
