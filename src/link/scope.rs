//! Which base a reference is relative to.

use std::sync::Arc;

use crate::link::Role;

/// What a reference is relative to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseScope {
    /// The document's base.
    Base,
    /// The URI that the document was retrieved from, whatever BASE says.
    Document,
    /// This base, which holds in a part of the document only. Shared by all links there: an `archive` may
    /// list as many as it has bytes.
    Nested(Arc<ScopedBase>),
}

impl BaseScope {
    /// What `reference` is relative to where a reference with this role is relative to `self` in general.
    pub(crate) fn of(self, reference: &str, role: Role) -> Self {
        match self {
            Self::Base if reference.is_empty() && role.is_own_when_empty() => Self::Document,
            other => other,
        }
    }
}

/// How deep bases are nested at most: one that is deeper is not used.
pub const MAX_NESTED: usize = 64;

/// A base that holds in a part of a document: an `xml:base` (W3C XML Base), a `codebase`, or the BASE of a page
/// within the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopedBase {
    reference: Box<str>,
    outer: Option<Arc<Self>>,
    depth: usize,
    is_unknown: bool,
}

impl ScopedBase {
    /// The base `reference`, relative to `outer` or else to the document's base; none where that makes
    /// more than [`MAX_NESTED`].
    pub fn new(reference: &str, outer: Option<&Arc<Self>>) -> Option<Self> {
        let depth = outer.map_or(0, |outer| outer.depth + 1);
        (depth < MAX_NESTED).then(|| Self {
            reference: reference.into(),
            outer: outer.cloned(),
            depth,
            is_unknown: false,
        })
    }

    /// The same, where an entity of a document type, which is not read, is part of it.
    pub(crate) fn unknown(self) -> Self {
        Self {
            is_unknown: true,
            ..self
        }
    }

    /// Whether what it is is not known.
    pub fn is_unknown(&self) -> bool {
        self.is_unknown
    }

    /// The same, all of it relative to `outer`.
    pub(crate) fn within(&self, outer: &Arc<Self>) -> Option<Self> {
        let next = match &self.outer {
            Some(next) => Arc::new(next.within(outer)?),
            None => Arc::clone(outer),
        };
        let is_unknown = self.is_unknown;
        let nested = Self::new(&self.reference, Some(&next))?;
        Some(Self {
            is_unknown,
            ..nested
        })
    }

    /// The reference.
    pub fn reference(&self) -> &str {
        &self.reference
    }

    /// What it is relative to, if that is not the document's base.
    pub fn outer(&self) -> Option<&Arc<Self>> {
        self.outer.as_ref()
    }

    /// How many bases it is inside of.
    pub fn depth(&self) -> usize {
        self.depth
    }
}
