//! Rules that apply in addition to the rule that decides about a link.
//!
//! The first rule that matches a link decides. If a second run is to change nothing, a rule must
//! not hide from the next one what that will change. So parameters are removed before another rule
//! gets the reference, and once more from what a map wrote; the path is changed at last.

use std::borrow::Cow;

use super::clean_url::clean_url;
use super::refusal::only_maps_change;
use super::respell::{leads_to_moved, moved_in_text};
use super::rule::{Rule, is_moved_again};
use super::style::{Style, readable, relative_path};
use crate::document::Document;
use crate::link::{LinkFilter, ParsedLink, Place, Role, Side, Target, is_private, uri_of};
use crate::rewrite::mapper::{Decision, replace};
use crate::rewrite::skip_reason::SkipReason;
use crate::rewrite::template;
use crate::uri::{Base, Parts, Resolver};

/// Decides about a link without the rules that adjust references.
type Decide<'a> = dyn for<'t> Fn(&ParsedLink<'_>, &Target<'t>) -> Decision<'t> + 'a;

/// The adjustment of a link that may change.
pub(super) struct Adjusting<'a> {
    pub(super) rules: &'a [Rule],
    pub(super) filter: &'a LinkFilter,
    pub(super) resolver: &'a Resolver,
    pub(super) document: &'a Document,
    pub(super) link: &'a ParsedLink<'a>,
    /// The base of the output.
    pub(super) base: Option<&'a Base>,
    pub(super) decide: &'a Decide<'a>,
    /// Returns true if a clean URL names the same page as a reference with its target.
    pub(super) names_page: &'a dyn Fn(&str, &str, &str) -> bool,
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

impl Adjusting<'_> {
    /// The decision of all rules.
    pub(super) fn decision<'t>(&self, target: &Target<'t>) -> Decision<'t> {
        // What an expression writes is unknown: parameters, or a path.
        if template::expression_of(self.document, self.link, target).is_some() {
            return match (self.decide)(self.link, target) {
                Decision::Skip(SkipReason::NoRule) => Decision::Skip(SkipReason::Template),
                decision => decision,
            };
        }
        let decided = self.decision_once(self.link, target);
        // A map may match only the new path, which it would match in the next run.
        if let Decision::Replace { reference, uri, rule } = &decided
            && self.rules.iter().any(|it| it.adjusts() && it.name() == *rule)
            && is_moved_again(self.rules, uri)
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

    /// The decision about `link`, by each rule at most once.
    fn decision_once<'t>(&self, link: &ParsedLink<'_>, target: &Target<'t>) -> Decision<'t> {
        let base = target.base.map(|(base, _)| base);
        let Some((reference, uri)) = self.without_params(&link.reference, target.uri, base) else {
            let decided = (self.decide)(link, target);
            return self.adjusted(&link.reference, target.uri, None, decided);
        };
        let reduced = ParsedLink { reference: Cow::Borrowed(&reference), ..link.clone() };
        let target = Target { uri: uri.as_deref(), ..*target };
        let decided = (self.decide)(&reduced, &target);
        let dropping = self.rules.iter().find(|it| matches!(it, Rule::DropParams(_)));
        self.adjusted(&reference, target.uri, dropping.map(Rule::name), decided).into_owned()
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
                why: *why,
            },
            Decision::Replace { reference, uri, rule } => Adjusted {
                reference: Cow::Borrowed(reference),
                uri: Some(Cow::Borrowed(uri)),
                rule: Some(rule),
                why: SkipReason::Unchanged,
            },
        };
        let is_mapped =
            matches!(&decided, Decision::Replace { rule, .. } if rule.starts_with("map"));
        if is_mapped {
            let found =
                self.without_params(&adjusted.reference, adjusted.uri.as_deref(), self.base);
            if let Some((reference, uri)) = found {
                if let (Some(cue), Some(uri), Some(rule)) =
                    (self.link.place.delimiter(), &uri, adjusted.rule)
                {
                    return moved_in_text(self.link, cue, uri.clone(), rule);
                }
                adjusted.reference = reference.into();
                adjusted.uri = uri.map(Cow::Owned);
            }
        }
        if self.changes_paths() {
            for rule in self.rules.iter().filter(|it| matches!(it, Rule::CleanUrls)) {
                self.clean(rule, &mut adjusted);
            }
            for rule in self.rules {
                self.prefix(rule, &mut adjusted);
            }
        }
        let Adjusted { reference, uri, rule, why } = adjusted;
        match rule {
            None => Decision::Skip(why),
            Some(rule) => {
                let uri = uri.unwrap_or_else(|| reference.clone());
                replace(self.link, reference, uri, rule).into_owned()
            }
        }
    }

    /// A reference and its target without the parameters that the rules remove. `None` if it has
    /// none. `base` is that of the reference.
    fn without_params(
        &self,
        reference: &str,
        uri: Option<&str>,
        base: Option<&Base>,
    ) -> Option<(String, Option<String>)> {
        let removed = |text: &str| {
            let mut found: Option<String> = None;
            for rule in self.rules {
                if let Rule::DropParams(globs) = rule {
                    found = globs.removed(found.as_deref().unwrap_or(text)).or(found);
                }
            }
            found
        };
        let is_in_text = self.link.place.delimiter().is_some();
        let written = match uri.filter(|_| is_in_text) {
            // Abbreviated URLs lack the scheme.
            Some(uri) => Cow::Borrowed(uri),
            None => readable(reference, self.resolver.profile),
        };
        let is_web = |scheme: &str| {
            scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
        };
        if !Parts::split(&written).scheme.is_none_or(is_web) {
            return None;
        }
        let new = removed(reference)?;
        let uri = uri.map(|uri| removed(uri).unwrap_or_else(|| uri.to_owned()));
        if !(new.is_empty() || new.starts_with('#')) {
            return Some((new, uri));
        }
        // The rest would have the query of the base.
        let path =
            base.zip(uri.as_deref()).and_then(|(base, uri)| relative_path(self.link, base, uri));
        Some((path.unwrap_or_else(|| format!("?{new}")), uri))
    }

    /// Returns true if the path of the link may change: it is in markup or a style sheet. Programs
    /// read paths in fields and front matter in their own ways.
    fn changes_paths(&self) -> bool {
        let is_field = matches!(self.link.place, Place::Field(_)) || self.link.is_front_matter();
        !is_field && !only_maps_change(self.document, self.link)
    }

    /// Removes the extension of a page within the site.
    fn clean(&self, rule: &Rule, adjusted: &mut Adjusted<'_>) {
        let profile = self.resolver.profile;
        // A map may move a page into the site, or out of it.
        let is_internal =
            |reference: &str| self.filter.side_of(reference, reference) == Some(Side::Internal);
        let is_page = self.link.role == Role::Navigate
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
            (Some(old), Some(new)) => (self.names_page)(&written, old, new),
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
        self.set_uri(adjusted, uri);
        adjusted.rule.get_or_insert(rule.name());
    }

    /// Sets the new target. A private URL names the file of the tree, which stays the target.
    fn set_uri(&self, adjusted: &mut Adjusted<'_>, uri: Option<String>) {
        if !adjusted.uri.as_deref().is_some_and(is_private) {
            adjusted.uri = uri.map(Cow::Owned);
        }
    }

    /// Adds the prefix of a rule to a reference from the root.
    fn prefix(&self, rule: &Rule, adjusted: &mut Adjusted<'_>) {
        let profile = self.resolver.profile;
        let Rule::PathPrefix(prefix) = rule else {
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
        let path = uri_of(self.resolver, self.base, &new[..divided(&new)]);
        let old = adjusted.uri.as_deref();
        let uri = path.zip(old).map(|(path, old)| path + &old[divided(old)..]);
        self.set_uri(adjusted, uri);
        adjusted.reference = new.into();
        adjusted.rule.get_or_insert(rule.name());
    }
}
