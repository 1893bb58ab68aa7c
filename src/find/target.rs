//! Where links lead: their references resolved.

use std::sync::Arc;

use super::{Against, Link, Note, Notes};
use crate::document::{Base, BaseFrom};
use crate::uri::{self, Outcome, Profile, Reference, Resolver};

/// Where a link leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target<'t> {
    /// The absolute URI, as resolving spells it and never normalised. None where the base is
    /// unknown, and where the profile gives the reference no URI: it is to the current document, or
    /// an error.
    pub uri: Option<&'t str>,
    /// The base that the reference is relative to, and how that is known. None also where that is
    /// no base by the resolver's profile, or too long.
    pub base: Option<(&'t uri::Base, BaseFrom)>,
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
pub struct Resolving {
    resolver: Resolver,
    base: Option<(uri::Base, BaseFrom)>,
    retrieval: Option<(uri::Base, BaseFrom)>,
    /// The last codebase, and what it resolved to.
    codebase: Option<(Arc<str>, Option<uri::Base>)>,
    uri: String,
}

impl Resolving {
    /// For a document whose base is `base` and which itself was retrieved from `retrieval`.
    pub fn new(resolver: Resolver, base: Option<&Base>, retrieval: Option<&Base>) -> Self {
        let ready = |base: Option<&Base>| base.and_then(|base| ready(&resolver, base));
        Self {
            resolver,
            base: ready(base),
            retrieval: ready(retrieval),
            codebase: None,
            uri: String::new(),
        }
    }

    /// Where `link` leads. Linear in the base and the reference.
    ///
    /// An absolute reference needs no base and, under the RFC profiles, keeps its spelling.
    pub fn target(&mut self, link: &Link<'_>) -> Target<'_> {
        let text = link.reference.as_ref();
        let found = match link.against {
            Against::Base | Against::Codebase(_) => &self.base,
            Against::Document => &self.retrieval,
        };
        let from = found.as_ref().map(|(_, from)| *from);
        let mut base = found.as_ref().map(|(base, _)| base);
        if let Against::Codebase(codebase) = &link.against {
            // The URLs of one element share it.
            if !matches!(&self.codebase, Some((last, _)) if Arc::ptr_eq(last, codebase)) {
                let mut uri = String::new();
                let resolved = resolve(&self.resolver, base, codebase.as_ref(), &mut uri);
                let resolved = resolved.then(|| self.resolver.base(&uri).ok()).flatten();
                self.codebase = Some((Arc::clone(codebase), resolved));
            }
            if let Some((_, Some(codebase))) = &self.codebase {
                base = Some(codebase).filter(|base| base.as_str().len() <= MAX_BASE);
            }
        }
        let (reference, notes) = match Reference::parse(text) {
            Ok(reference) => (reference, link.notes),
            Err(_) => (Reference::split(text), link.notes.with(Note::Malformed)),
        };
        let has_uri = resolve(&self.resolver, base, reference, &mut self.uri);
        // The costly question is asked only where the answer may be yes.
        let is_here = text.is_empty() || text.starts_with('#');
        let may_be_same = self.resolver.profile == Profile::Whatwg
            || base.is_some_and(|base| {
                let base = base.as_str();
                let len = base.find('#').unwrap_or(base.len());
                has_uri
                    && (matches!(self.uri.as_bytes().get(len), None | Some(b'#'))
                        || text.contains("/."))
            });
        let asks = || base.is_some_and(|base| base.is_same_document(reference));
        Target {
            uri: has_uri.then_some(self.uri.as_str()),
            base: base.zip(from),
            same_document: is_here || may_be_same && asks(),
            notes,
        }
    }
}

/// The base of a document, if it is not too long and none by the resolver's profile.
fn ready(resolver: &Resolver, base: &Base) -> Option<(uri::Base, BaseFrom)> {
    let uri = Some(base.uri.as_str()).filter(|uri| uri.len() <= MAX_BASE)?;
    Some((resolver.base(uri).ok()?, base.from))
}

/// Resolves `reference` into `out`, against nothing if it is absolute; says whether there is a
/// target.
pub(crate) fn resolve<'r>(
    resolver: &Resolver,
    base: Option<&uri::Base>,
    reference: impl Into<Reference<'r>>,
    out: &mut String,
) -> bool {
    let reference = reference.into().by(resolver.profile);
    let is_absolute = reference.parts().scheme.is_some();
    let compat = resolver.same_scheme == uri::SameScheme::Compat;
    if is_absolute && resolver.profile != Profile::Whatwg && !(compat && base.is_some()) {
        out.clear();
        out.push_str(reference.as_str());
        return true;
    }
    let resolved = match base {
        Some(base) => base.resolve_into(reference, out),
        // An absolute reference stands on its own, so it may as well be its own base.
        None => match resolver.base(reference.as_str()) {
            Ok(base) => base.resolve_into(reference, out),
            Err(_) => return false,
        },
    };
    resolved == Ok(Outcome::Target)
}
