//! What references are relative to once a document is rewritten.

use crate::link::{BaseScope, LinkData, LinkResolver};
use crate::rewrite::OutputBases;
use crate::source::Charset;
use crate::uri::Base;

/// The bases of a document that is to be rewritten, where they will not be what they are.
pub(super) struct Output {
    resolving: LinkResolver,
    /// The bases as they are, where those that hold in a part of the document stay so.
    old: Option<LinkResolver>,
}

impl Output {
    /// `old` resolves the links of the document as it is.
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

    /// What the reference of `link` will be relative to.
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
