//! Rules that are functions.

use super::edits::Edit;
use super::mapper::{Decision, Mapper};
use super::one_pass::append_plan;
use super::plan::Plan;
use super::rewritten::Rewritten;
use super::skip_reason::SkipReason;
use crate::document::{Document, Link, Links, Rewriter};
use crate::format::Options;
use crate::link::{ParsedLink, Target, uri_of};
use crate::uri::Base;

/// The decision of a function about a link: see [`Links::rewrite`].
///
/// ```
/// use rehref_document::{Action, Document, Link};
///
/// let page = Document::from_bytes(b"<a href=/b>b</a> <a href=http://other.example/>c</a>".to_vec())
///     .content_type("text/html")
///     .url("http://old.example/")
///     .build()?;
/// let links = page.links();
/// let plan = links.rewrite(&|link: &Link<'_>| match (link.host(), link.url()) {
///     (Some(host), Some(url)) if host.eq_ignore_ascii_case("old.example") => {
///         Action::Replace(url.replacen(host, "new.example", 1))
///     }
///     _ => Action::Keep,
/// });
/// assert_eq!(plan.bytes(), b"<a href=http://new.example/b>b</a> <a href=http://other.example/>c</a>");
/// # Ok::<(), rehref_document::BuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// Leave it unchanged.
    Keep,
    /// Replace its reference: by an absolute URL, or by a reference relative to the base URL of the
    /// document. Characters are escaped for their place.
    Replace(String),
}

/// The decisions of a function.
struct ByFunction<'l, F> {
    links: &'l Links<'l>,
    function: F,
}

impl<F: Fn(&Link<'_>) -> Action> Mapper for ByFunction<'_, F> {
    fn map<'t>(
        &self,
        _: &Document,
        link: &ParsedLink<'_>,
        _: &Target<'t>,
        base: Option<&Base>,
    ) -> Decision<'t> {
        let Some(found) = self.links.get(link.id()) else {
            return Decision::Skip(SkipReason::NoRule);
        };
        let Action::Replace(reference) = (self.function)(&found) else {
            return Decision::Skip(SkipReason::NoRule);
        };
        if reference == link.reference {
            return Decision::Skip(SkipReason::Unchanged);
        }
        let uri = uri_of(&self.links.options().resolver, base, &reference);
        Decision::Replace {
            uri: uri.unwrap_or_else(|| reference.clone()).into(),
            reference: reference.into(),
            rule: Edit::FUNCTION,
        }
    }
}

impl<F: Fn(&Link<'_>) -> Action> Rewriter for F {
    type Plan<'l> = Plan<'l>;
    type Rewritten = Rewritten;

    fn plan<'l>(&self, links: &'l Links<'_>) -> Plan<'l> {
        let function = self;
        Plan::new(links, &ByFunction { links, function })
    }

    /// Plans the edits: a function gets links that have all of their document.
    fn rewrite_into(&self, document: &Document, options: &Options, out: &mut Vec<u8>) -> Rewritten {
        let links = document.links_with(options);
        append_plan(self.plan(&links), out)
    }
}
