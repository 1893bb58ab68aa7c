//! The bases of a rewritten document.

use crate::document::Document;
use crate::format::FoundLinks;
use crate::link::{LinkResolver, base_of_element};
use crate::source;
use crate::uri::Resolver;

/// What references will be relative to in a rewritten document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputBases {
    /// The document's base, its BASE element counted.
    pub base: Option<source::Base>,
    /// What the document itself will be retrieved from.
    pub retrieval: Option<source::Base>,
    /// Whether bases that hold in a part of the document only (`xml:base`, `codebase`, the BASE of a
    /// `srcdoc`) will be what they were, because the mapper rewrites them so that they lead where they did;
    /// else they are resolved anew, as they are written.
    pub keeps_nested: bool,
    /// What becomes of the BASE elements. If anything does, all links that no rule is about are to lead where
    /// they led, and where one of them cannot the document keeps its bases.
    pub elements: BaseElements,
}

impl OutputBases {
    /// The bases of a document with these links once it is retrieved from `retrieval`, if its BASE elements stay as they
    /// are.
    pub fn retrieved_from(
        retrieval: Option<source::Base>,
        findings: &FoundLinks<'_>,
        resolver: Resolver,
    ) -> Self {
        let bases = Self {
            base: retrieval.clone(),
            retrieval,
            keeps_nested: false,
            elements: BaseElements::Keep,
        };
        match findings.base_elements.first() {
            Some(element) => bases.with_element(&findings.links[element.link].reference, resolver),
            None => bases,
        }
    }

    /// The same with a BASE element that has this reference, if that is usable as a base.
    pub(super) fn with_element(self, reference: &str, resolver: Resolver) -> Self {
        let element = base_of_element(reference, self.retrieval.as_ref(), &resolver);
        Self {
            base: element.or_else(|| self.retrieval.clone()),
            ..self
        }
    }

    /// Resolves the links of `document` as they will be resolved in the rewritten one.
    pub fn resolving(&self, document: &Document, resolver: Resolver) -> LinkResolver {
        let (base, retrieval) = (self.base.as_ref(), self.retrieval.as_ref());
        LinkResolver::new(resolver, base, retrieval)
            .in_charset(document.charset)
            .unchecked()
    }
}

/// What becomes of the BASE elements of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BaseElements {
    /// The mapper decides about them as about any link.
    #[default]
    Keep,
    /// They go: the whole element where it says nothing else.
    Strip,
    /// The first of them, which holds, has this absolute URI; the others stay.
    Replace(String),
}

impl BaseElements {
    /// The name of the rule that changes them.
    pub(crate) const RULE: &'static str = "base-element";
}
