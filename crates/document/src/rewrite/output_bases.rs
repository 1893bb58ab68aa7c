//! The bases of a rewritten document.

use std::fmt;
use std::str::FromStr;

use crate::document::Document;
use crate::format::ParsedLinks;
use crate::link::{BaseScope, LinkResolver, MAX_BASE, ParsedLink, Place, Role, effective_base};
use crate::source;
use crate::uri::{self, Parts, Resolver};

/// The bases of references in a rewritten document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputBases {
    /// The document's base, including its BASE element.
    pub base: Option<source::Base>,
    /// The URL that the rewritten document is retrieved from.
    pub retrieval: Option<source::Base>,
    /// True if nested bases (`xml:base`, `codebase`, the BASE of a `srcdoc`) keep their targets,
    /// because the mapper rewrites them. Otherwise they are resolved again, as written.
    pub keeps_nested: bool,
    /// The change to the BASE elements. If they change, links that match no rule must keep their
    /// targets. If one cannot, the document keeps its bases.
    pub elements: BaseElements,
}

impl OutputBases {
    /// Returns the bases of a document with these links, retrieved from `retrieval`, if its BASE
    /// elements do not change.
    pub fn retrieved_from(
        retrieval: Option<source::Base>,
        parsed_links: &ParsedLinks<'_>,
        resolver: Resolver,
    ) -> Self {
        let bases = Self {
            base: retrieval.clone(),
            retrieval,
            keeps_nested: false,
            elements: BaseElements::Keep,
        };
        match parsed_links.base_reference() {
            Some(reference) => bases.with_element(reference, resolver),
            None => bases,
        }
    }

    /// Adds a BASE element with this reference, if it is usable as a base.
    pub fn with_element(self, reference: &str, resolver: Resolver) -> Self {
        Self { base: effective_base(Some(reference), self.retrieval.as_ref(), &resolver), ..self }
    }

    /// Returns a resolver for the links of the rewritten `document`.
    pub fn resolving(&self, document: &Document, resolver: Resolver) -> LinkResolver {
        let (base, retrieval) = (self.base.as_ref(), self.retrieval.as_ref());
        LinkResolver::new(resolver, base, retrieval).in_charset(document.charset()).unchecked()
    }
}

/// Finds the base of each link in a rewritten document.
pub(super) struct OutputResolver {
    new: LinkResolver,
    /// The old bases, if nested bases keep their targets.
    old: Option<LinkResolver>,
}

impl OutputResolver {
    /// `old` resolves the links of the original `document`.
    pub(super) fn new(bases: &OutputBases, document: &Document, old: &LinkResolver) -> Self {
        Self {
            new: bases.resolving(document, old.resolver()),
            old: bases.keeps_nested.then(|| old.clone()),
        }
    }

    /// The base that the reference of `link` is written for.
    pub(super) fn base_of(&mut self, link: &ParsedLink<'_>) -> Option<&uri::Base> {
        if let Some(old) = &mut self.old
            && matches!(link.base_scope, BaseScope::Nested(_))
        {
            return match old.own_nested(link) {
                Some(nested) => old.base_in(nested),
                None => self.new.base(),
            };
        }
        self.new.base_of(link).map(|(base, _)| base)
    }
}

/// The change to the BASE elements of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BaseElements {
    /// The mapper decides about each, as about any link.
    #[default]
    Keep,
    /// Remove each `href`, and the whole element if it has no other attribute.
    Strip,
    /// Set the first, which takes effect, to this absolute URI. The others stay.
    Replace(String),
}

impl BaseElements {
    /// The name of the rule that changes them.
    pub(crate) const RULE: &'static str = "base-element";
}

/// Returns true if a link does not depend on the base: it is a name, an empty reference with a
/// special meaning, or in text.
pub(crate) fn is_apart_from_base(link: &ParsedLink<'_>) -> bool {
    let is_followed = link.role.follows_fragment() || link.role == Role::Base;
    let is_own = link.reference.is_empty() && !is_followed;
    let is_map = link.place.markup().is_some_and(|it| it.attribute == "usemap");
    let is_name = link.reference.starts_with('#') && !is_followed;
    matches!(link.place, Place::Text(_)) || is_own || is_map || is_name
}

/// A text that is not a [`BaseElements`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BaseElementsError {
    /// The URI is not absolute.
    NotAbsolute,
    /// A URI of this scheme cannot be a base.
    Scheme(String),
    /// The URI has more than [`MAX_BASE`] bytes.
    TooLong,
}

impl fmt::Display for BaseElementsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAbsolute => f.write_str("neither keep, strip nor an absolute URI"),
            Self::Scheme(scheme) => write!(f, "a {scheme} URI cannot be a base"),
            Self::TooLong => f.write_str("longer than a base may be"),
        }
    }
}

impl std::error::Error for BaseElementsError {}

/// `keep`, `strip`, or the URI that replaces the first.
impl FromStr for BaseElements {
    type Err = BaseElementsError;

    fn from_str(text: &str) -> Result<Self, BaseElementsError> {
        let is_code = |scheme: &str| {
            let codes = ["data", "javascript"];
            codes.iter().any(|it| scheme.eq_ignore_ascii_case(it))
        };
        match (text, Parts::split(text).scheme) {
            ("keep", _) => Ok(Self::Keep),
            ("strip", _) => Ok(Self::Strip),
            (_, None) => Err(BaseElementsError::NotAbsolute),
            (_, Some(scheme)) if is_code(scheme) => {
                Err(BaseElementsError::Scheme(scheme.to_owned()))
            }
            (uri, _) if uri.len() > MAX_BASE => Err(BaseElementsError::TooLong),
            (uri, _) => Ok(Self::Replace(uri.to_owned())),
        }
    }
}
