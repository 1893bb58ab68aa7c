//! The base that applies to a reference.

use std::sync::Arc;

use crate::link::Role;

/// The base that applies to a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseScope {
    /// The document's base.
    Base,
    /// The URI that the document was retrieved from, regardless of BASE.
    Document,
    /// A base for a part of the document. Shared by all links in it, since an `archive` may list as
    /// many links as it has bytes.
    Nested(Arc<ScopedBase>),
}

impl BaseScope {
    /// Returns the base of `reference`, if `self` is the base of non-empty references with this
    /// role.
    pub fn of(self, reference: &str, role: Role) -> Self {
        match self {
            Self::Base if reference.is_empty() && role.is_own_when_empty() => Self::Document,
            other => other,
        }
    }
}

/// The maximum depth of nested bases. Deeper ones are not used.
pub const MAX_NESTED: usize = 64;

/// A base for a part of a document: an `xml:base` (W3C XML Base), a `codebase`, or the BASE of a
/// page within the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopedBase {
    reference: Box<str>,
    outer: Option<Arc<Self>>,
    depth: usize,
    is_unknown: bool,
}

impl ScopedBase {
    /// Creates the base `reference`, relative to `outer` or, without it, to the document's base.
    /// Returns None if it is nested deeper than [`MAX_NESTED`].
    pub fn new(reference: &str, outer: Option<&Arc<Self>>) -> Option<Self> {
        let depth = outer.map_or(0, |outer| outer.depth + 1);
        (depth < MAX_NESTED).then(|| Self {
            reference: reference.into(),
            outer: outer.cloned(),
            depth,
            is_unknown: false,
        })
    }

    /// Marks the base as unknown: it contains an entity of a document type, which is not read.
    pub fn unknown(self) -> Self {
        Self { is_unknown: true, ..self }
    }

    /// Returns true if the base is unknown: it contains an entity that is not expanded.
    pub fn is_unknown(&self) -> bool {
        self.is_unknown
    }

    /// Returns the same base with its outermost base relative to `outer`. None if that nests too
    /// deeply.
    pub fn within(&self, outer: &Arc<Self>) -> Option<Self> {
        let next = match &self.outer {
            Some(next) => Arc::new(next.within(outer)?),
            None => Arc::clone(outer),
        };
        let is_unknown = self.is_unknown;
        let nested = Self::new(&self.reference, Some(&next))?;
        Some(Self { is_unknown, ..nested })
    }

    /// The reference, as decoded.
    pub fn reference(&self) -> &str {
        &self.reference
    }

    /// The base that the reference is relative to. None for the document's base.
    pub fn outer(&self) -> Option<&Arc<Self>> {
        self.outer.as_ref()
    }

    /// The number of bases around it.
    pub fn depth(&self) -> usize {
        self.depth
    }
}
