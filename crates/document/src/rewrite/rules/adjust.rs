//! Changes to references in addition to the rule that decides about a link.
//!
//! Each run must find the final form of a reference, or a second one would change more. So parameters
//! are removed before the rules get the reference, and once more from what a rule wrote; the path is
//! changed at last.

use std::borrow::Cow;

use super::Rules;
use super::clean_url::clean_url;
use super::params::ParamGlobs;
use super::path_prefix::PathPrefix;
use super::placed::Placed;
use super::refusal::only_maps_change;
use super::respell::{leads_to_moved, moved_in_text};
use super::style::{Style, readable, relative_path};
use crate::document::Document;
use crate::link::{
    Language, Markup, ParsedLink, Place, Role, Side, Target, is_private, side_of, uri_of,
};
use crate::rewrite::edits::Edit;
use crate::rewrite::mapper::{Decision, replace};
use crate::rewrite::skip_reason::SkipReason;
use crate::rewrite::template;
use crate::uri::{Base, Parts};

/// Changes to references in addition to the rule that decides about a link. Parameters are removed
/// first, then a rule may decide, then URLs become clean, and at last they get a prefix. The edit
/// has the name of the rule that decides or, without one, that of the first change.
#[derive(Clone, Debug, Default)]
pub struct Adjustments {
    /// The query parameters that are removed from references with http, https or no scheme. The
    /// rules get the references without them.
    pub drop_params: Option<ParamGlobs>,
    /// True to remove the extension of pages from references within the site: `x` for `x.html`, and
    /// the directory for `index.html`. Only for hyperlinks. A URL is within the site if it is below
    /// [`LinkFilter::site`](crate::link::LinkFilter::site).
    pub clean_urls: bool,
    /// The prefix of references from the root of the host.
    pub path_prefix: Option<PathPrefix>,
}

impl Adjustments {
    /// The decision of rules with adjustments about a link that may change, or that is a base of other
    /// links. `base` is that of the output.
    pub(super) fn decision<'t>(
        rules: &Rules,
        place: &impl Placed,
        document: &Document,
        link: &ParsedLink<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
    ) -> Decision<'t> {
        let adjusting = Adjusting { rules, place, document, link, base };
        match link.role {
            Role::Base => adjusting.base_decision(target),
            _ => adjusting.decision(target),
        }
    }

    /// Returns true if references do not change.
    pub const fn is_empty(&self) -> bool {
        self.drop_params.is_none() && !self.change_paths()
    }

    /// Returns true if paths may change.
    pub(super) const fn change_paths(&self) -> bool {
        self.clean_urls || self.path_prefix.is_some()
    }

    /// Returns true if this is the name of a change.
    fn is_name(rule: &str) -> bool {
        [Edit::DROP_PARAMS, Edit::CLEAN_URLS, Edit::PATH_PREFIX].contains(&rule)
    }
}

/// The adjustment of a link that may change.
struct Adjusting<'a, P> {
    rules: &'a Rules,
    place: &'a P,
    document: &'a Document,
    link: &'a ParsedLink<'a>,
    /// The base of the output.
    base: Option<&'a Base>,
}

/// A reference in the course of its adjustment.
struct Adjusted<'r> {
    reference: Cow<'r, str>,
    /// The target, if it is known.
    uri: Option<Cow<'r, str>>,
    /// The first rule that changed the reference.
    rule: Option<&'static str>,
    /// The reason, if no rule changed it.
    why: SkipReason,
}

impl<P: Placed> Adjusting<'_, P> {
    /// The decision of all rules.
    fn decision<'t>(&self, target: &Target<'t>) -> Decision<'t> {
        // What an expression writes is unknown: parameters, or a path.
        if template::expression_of(self.document, self.link, target).is_some() {
            return match self.decided(self.link, target) {
                Decision::Skip(SkipReason::NoRule) => Decision::Skip(SkipReason::Template),
                decision => decision,
            };
        }
        let decided = self.decision_once(self.link, target);
        // A map may match only the new path, which it would match in the next run.
        if let Decision::Replace { reference, uri, rule } = &decided
            && Adjustments::is_name(rule)
            && self.rules.is_moved_again(uri)
        {
            let new = ParsedLink { reference: Cow::Borrowed(reference), ..self.link.clone() };
            let target = Target { uri: Some(uri), ..*target };
            let again = self.decision_once(&new, &target);
            if let Decision::Replace { reference, uri, rule } = again {
                return replace(self.link, reference, uri, rule).into_owned();
            }
        }
        decided
    }

    /// The decision of the rules.
    fn decided<'t>(&self, link: &ParsedLink<'_>, target: &Target<'t>) -> Decision<'t> {
        self.rules.map_once(self.place, self.document, link, target, self.base)
    }

    /// The decision about a base of other links, which gets only the prefix: relative links follow it.
    fn base_decision<'t>(&self, target: &Target<'t>) -> Decision<'t> {
        let mut adjusted = Adjusted {
            reference: Cow::Borrowed(&*self.link.reference),
            uri: target.uri.map(Cow::Borrowed),
            rule: None,
            why: SkipReason::Base,
        };
        let is_template = template::expression_of(self.document, self.link, target).is_some();
        if !is_template && self.may_change_path() {
            self.prefix(&mut adjusted);
        }
        self.made(adjusted)
    }

    /// The decision about `link`, by each rule at most once.
    fn decision_once<'t>(&self, link: &ParsedLink<'_>, target: &Target<'t>) -> Decision<'t> {
        let base = target.base.map(|(base, _)| base);
        let Some((reference, uri)) = self.without_params(&link.reference, target.uri, base) else {
            let decided = self.decided(link, target);
            return self.adjusted(&link.reference, target.uri, None, decided);
        };
        let reduced = ParsedLink { reference: Cow::Borrowed(&reference), ..link.clone() };
        let target = Target { uri: uri.as_deref(), ..*target };
        let decided = self.decided(&reduced, &target);
        let rule = Some(Edit::DROP_PARAMS);
        self.adjusted(&reference, target.uri, rule, decided).into_owned()
    }

    /// The final decision. `reference` and `uri` are those that the rules got, after the change by
    /// `rule`, and `decided` is what they decided.
    fn adjusted<'t>(
        &self,
        reference: &str,
        uri: Option<&str>,
        rule: Option<&'static str>,
        decided: Decision<'t>,
    ) -> Decision<'t> {
        let mut adjusted = match &decided {
            Decision::Skip(SkipReason::Unwritable | SkipReason::NoUri | SkipReason::InvalidUri) => {
                return decided;
            }
            Decision::Skip(why) => Adjusted {
                reference: Cow::Borrowed(reference),
                uri: uri.map(Cow::Borrowed),
                rule,
                why: match why {
                    SkipReason::NoRule if self.is_filled_in(reference) => SkipReason::Template,
                    why => *why,
                },
            },
            Decision::Replace { reference, uri, rule } => Adjusted {
                reference: Cow::Borrowed(reference),
                uri: Some(Cow::Borrowed(uri)),
                rule: Some(rule),
                why: SkipReason::Unchanged,
            },
        };
        if let Decision::Replace { reference, uri, rule } = &decided
            && let Some((reference, uri)) = self.without_params(reference, Some(uri), self.base)
        {
            if let (Some(cue), Some(uri)) = (self.link.place.delimiter(), &uri) {
                return moved_in_text(self.link, cue, uri.clone(), rule);
            }
            adjusted.reference = reference.into();
            adjusted.uri = uri.map(Cow::Owned);
        }
        if self.may_change_path() {
            // A private URL names the file of the tree, which stays the target.
            let file = adjusted.uri.clone().filter(|uri| is_private(uri));
            self.clean(&mut adjusted);
            self.prefix(&mut adjusted);
            // A file of the tree may have the path with the prefix: the next run would find it.
            self.clean(&mut adjusted);
            adjusted.uri = file.or(adjusted.uri);
        }
        self.made(adjusted)
    }

    fn made(&self, adjusted: Adjusted<'_>) -> Decision<'static> {
        let Adjusted { reference, uri, rule, why } = adjusted;
        match rule {
            None => Decision::Skip(why),
            Some(rule) => {
                let uri = uri.unwrap_or_else(|| reference.clone());
                replace(self.link, reference, uri, rule).into_owned()
            }
        }
    }

    /// A reference and its target without the parameters that are removed. `None` if it has
    /// none. `base` is that of the reference.
    fn without_params(
        &self,
        reference: &str,
        uri: Option<&str>,
        base: Option<&Base>,
    ) -> Option<(String, Option<String>)> {
        let globs = self.rules.adjustments.drop_params.as_ref()?;
        if self.is_identifier() {
            return None;
        }
        let is_in_text = self.link.place.delimiter().is_some();
        let written = match uri.filter(|_| is_in_text) {
            // Abbreviated URLs lack the scheme.
            Some(uri) => Cow::Borrowed(uri),
            None => readable(reference, self.rules.resolver.profile),
        };
        let parts = Parts::split(&written);
        if parts.scheme.is_some() && !parts.is_web() {
            return None;
        }
        let new = globs.removed(reference)?;
        let uri = uri.map(|uri| globs.removed(uri).unwrap_or_else(|| uri.to_owned()));
        if !(new.is_empty() || new.starts_with('#')) {
            return Some((new, uri));
        }
        // The rest would have the query of the base.
        let path =
            base.zip(uri.as_deref()).and_then(|(base, uri)| relative_path(self.link, base, uri));
        Some((path.unwrap_or_else(|| format!("?{new}")), uri))
    }

    /// Returns true if a program fills in a parameter that would be removed.
    fn is_filled_in(&self, reference: &str) -> bool {
        let globs = self.rules.adjustments.drop_params.as_ref();
        globs.is_some_and(|it| it.has_placeholder(reference))
    }

    /// Returns true if the link identifies an entry of a feed: with another spelling, readers would
    /// show the entry as a new one.
    fn is_identifier(&self) -> bool {
        let is_guid = |it: &Markup| it.language == Language::Xml && it.element == "guid";
        self.link.place.markup().is_some_and(is_guid)
    }

    /// Returns true if the path of the link may change: it is in markup or a style sheet. Programs
    /// read paths in fields and front matter in their own ways.
    fn may_change_path(&self) -> bool {
        let is_field = matches!(self.link.place, Place::Field(_)) || self.link.is_front_matter();
        !is_field && !only_maps_change(self.document, self.link)
    }

    /// Removes the extension of a page within the site.
    fn clean(&self, adjusted: &mut Adjusted<'_>) {
        let profile = self.rules.resolver.profile;
        // A map may move a page into the site, or out of it.
        let is_internal = |reference: &str| {
            side_of(self.rules.filter.site.as_deref(), reference, reference) == Some(Side::Internal)
        };
        let is_page = self.rules.adjustments.clean_urls
            && self.link.role == Role::Navigate
            && (is_internal(&adjusted.reference) || is_internal(&self.link.reference));
        let written = readable(&adjusted.reference, profile);
        let Some(new) = is_page.then(|| clean_url(&written)).flatten() else {
            return;
        };
        let uri = adjusted.uri.as_deref().map(clean_url);
        let leads_there = |base: &Base| match &uri {
            Some(Some(uri)) => leads_to_moved(base, &new, &written, uri),
            _ => false,
        };
        let is_right = match (self.base, &uri) {
            (_, Some(None)) => false,
            (Some(base), Some(_)) => leads_there(base),
            _ => true,
        };
        let names_page = || match (adjusted.uri.as_deref(), uri.as_ref().and_then(Option::as_deref))
        {
            (Some(old), Some(new)) => self.place.names_page(&written, self.base, old, new),
            _ => true,
        };
        if !is_right || !names_page() {
            if adjusted.why == SkipReason::NoRule {
                adjusted.why = SkipReason::NoCleanUrl;
            }
            return;
        }
        let (new, uri) = (new, uri.flatten());
        drop(written);
        adjusted.reference = new.into();
        adjusted.uri = uri.map(Cow::Owned);
        adjusted.rule.get_or_insert(Edit::CLEAN_URLS);
    }

    /// Adds the prefix to a reference from the root.
    fn prefix(&self, adjusted: &mut Adjusted<'_>) {
        let profile = self.rules.resolver.profile;
        let Some(prefix) = &self.rules.adjustments.path_prefix else {
            return;
        };
        if Style::of(&adjusted.reference, profile) != Style::AbsolutePath {
            return;
        }
        let Some(new) = prefix.added(&readable(&adjusted.reference, profile)) else {
            if adjusted.why == SkipReason::NoRule {
                adjusted.why = SkipReason::Unchanged;
            }
            return;
        };
        // A query is resolved in the character encoding of the page, which the old target was.
        let divided = |text: &str| text.find(['?', '#']).unwrap_or(text.len());
        let path = uri_of(&self.rules.resolver, self.base, &new[..divided(&new)]);
        let old = adjusted.uri.as_deref();
        let uri = path.zip(old).map(|(path, old)| path + &old[divided(old)..]);
        adjusted.uri = uri.map(Cow::Owned);
        adjusted.reference = new.into();
        adjusted.rule.get_or_insert(Edit::PATH_PREFIX);
    }
}
