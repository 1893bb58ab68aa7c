//! The bases of references in a rewritten document.

use crate::link::{BaseScope, LinkData, LinkResolver};
use crate::rewrite::OutputBases;
use crate::source::Charset;
use crate::uri::Base;

/// The changed bases of a rewritten document.
pub(super) struct Output {
    resolving: LinkResolver,
    /// The old bases, if nested bases stay unchanged.
    old: Option<LinkResolver>,
}

impl Output {
    /// `old` resolves the links of the original document.
    pub(super) fn new(bases: &OutputBases, old: &LinkResolver, charset: Charset) -> Self {
        let OutputBases {
            base, retrieval, ..
        } = bases;
        let resolving = LinkResolver::new(old.resolver(), base.as_ref(), retrieval.as_ref());
        Self {
            resolving: resolving.unchecked().in_charset(charset),
            old: bases.keeps_nested.then(|| old.clone()),
        }
    }

    /// The base of the reference of `link`.
    pub(super) fn base_of(&mut self, link: &LinkData<'_>) -> Option<&Base> {
        if let Some(old) = &mut self.old
            && matches!(link.against, BaseScope::Nested(_))
        {
            return match old.own_nested(link) {
                Some(nested) => old.base_in(nested),
                None => self.resolving.base(),
            };
        }
        self.resolving.base_of(link).map(|(base, _)| base)
    }
}
