//! The rules that map links and their targets to new references.

mod adjust;
mod clean_url;
mod map_entry;
mod params;
mod path_prefix;
mod pattern;
mod placed;
mod prefix;
mod refusal;
pub mod respell;
mod rule;
pub mod style;

use std::borrow::Cow;

use super::mapper::{Decision, Mapper, replace};
use super::output_bases::{BaseElements, OutputBases, is_apart_from_base};
use super::skip_reason::SkipReason;
use crate::document::{Document, Links, Rewriter};
use crate::format::Options;
use crate::link::effective_base;
use crate::link::is_private;
use crate::link::{Absoluteness, Form, LinkFilter, Markup, Note, ParsedLink, Role, Target, uri_of};
use crate::rewrite::one_pass::rewrite_into;
use crate::rewrite::plan::Plan;
use crate::rewrite::rewritten::Rewritten;
use crate::rewrite::template;
use crate::uri::{Base, Grammar, Parts, Profile, Reference, Resolver};
pub use adjust::Adjustments;

pub use map_entry::PrefixMapError;
pub use params::{ParamGlobs, ParamGlobsError};
pub use path_prefix::{PathPrefix, PathPrefixError};
pub use pattern::{PatternMap, PatternMapError};
pub use placed::{Placed, climbs_out};
pub use prefix::PrefixMap;
use refusal::is_in_own_document;
pub use refusal::{
    is_fragment_in_feed, is_in_own_package, only_maps_change, untargeted, untouchable,
};
use respell::{moved_in_text, respelled};
pub use rule::Rule;
use style::{Style, absolute_path, is_same_site, readable, relative_path};

/// Rules that decide about links. The first rule that matches a link decides.
/// [Adjustments] apply in addition. Only [`Rule::Map`], [`Rule::Pattern`] and
/// [`Adjustments::drop_params`] match URLs in text.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The rules, in order of precedence.
    pub rules: Vec<Rule>,
    /// The changes in addition to the rule that decides.
    pub adjustments: Adjustments,
    /// The change to BASE elements. If they change, links that match no rule are rewritten to keep
    /// their targets, with their style unchanged.
    pub base_elements: BaseElements,
    /// True if public URLs of the page may become relative too, such as `canonical`, an `alternate`
    /// in another language, or `og:url`. Default: false.
    pub canonical: bool,
    /// The links that may change. Others are skipped as [`SkipReason::Filtered`].
    pub filter: LinkFilter,
    /// The rules of resolution of a `Rewrite` run. [`Links::rewrite`]
    /// ignores it and uses [`Options::resolver`](crate::Options::resolver), by which the links were
    /// resolved. A reference is written only if it resolves to the intended target.
    pub resolver: Resolver,
}

impl Rules {
    /// No rules. Add them in the order in which they are tried: the first that applies to a link
    /// decides.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a rule.
    #[must_use]
    pub fn rule(mut self, rule: Rule) -> Self {
        self.rules.push(rule);
        self
    }

    /// Adds [`Rule::Absolute`]: references become absolute.
    #[must_use]
    pub fn absolute(self) -> Self {
        self.rule(Rule::Absolute)
    }

    /// Adds [`Rule::Relative`]: references to the same site become relative.
    #[must_use]
    pub fn relative(self) -> Self {
        self.rule(Rule::Relative)
    }

    /// Adds [`Rule::Map`]: URLs that begin with a prefix of the map get its new prefix.
    ///
    /// ```
    /// use rehref_document::rewrite::PrefixMap;
    /// use rehref_document::{Document, Rules};
    ///
    /// let mut map = PrefixMap::default();
    /// map.insert("http://old.example", "https://new.example")?;
    /// let page = Document::from_bytes(b"<a href=http://old.example/a>".to_vec()).url("http://h/a.html");
    /// let page = page.build()?;
    /// let links = page.links();
    /// let plan = links.rewrite(&Rules::new().prefix_map(map));
    /// assert_eq!(plan.bytes(), b"<a href=https://new.example/a>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn prefix_map(self, map: PrefixMap) -> Self {
        self.rule(Rule::Map(map))
    }

    /// Adds [`Rule::RootRelative`]: references to the same site become paths from its root.
    #[must_use]
    pub fn root_relative(self) -> Self {
        self.rule(Rule::RootRelative)
    }

    /// Sets [`Adjustments::drop_params`]: URLs lose the query parameters whose names match.
    #[must_use]
    pub fn drop_params(mut self, names: ParamGlobs) -> Self {
        self.adjustments.drop_params = Some(names);
        self
    }

    /// Sets [`Adjustments::clean_urls`]: hyperlinks within the site lose the extension of pages.
    #[must_use]
    pub fn clean_urls(mut self) -> Self {
        self.adjustments.clean_urls = true;
        self
    }

    /// Sets [`Adjustments::path_prefix`]: references from the root of the host get a prefix.
    #[must_use]
    pub fn path_prefix(mut self, prefix: PathPrefix) -> Self {
        self.adjustments.path_prefix = Some(prefix);
        self
    }

    /// Returns true without rules and adjustments.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.adjustments.is_empty()
    }

    /// Returns true if a rule maps URLs to URLs, so that URLs in text may change.
    pub fn map_urls(&self) -> bool {
        self.adjustments.drop_params.is_some() || self.rules.iter().any(Rule::maps_urls)
    }

    /// Returns true if all rules map URLs to URLs.
    pub fn only_map_urls(&self) -> bool {
        !self.adjustments.change_paths() && self.rules.iter().all(Rule::maps_urls)
    }
}

impl From<Rule> for Rules {
    fn from(rule: Rule) -> Self {
        Self::new().rule(rule)
    }
}

impl Rewriter for Rules {
    type Plan<'l> = Plan<'l>;
    type Rewritten = Rewritten;

    /// Plans the edits. References are resolved as the links were; [`Rules::resolver`] is ignored.
    fn plan<'l>(&self, links: &'l Links<'_>) -> Plan<'l> {
        Plan::new(links, &*self.resolving_by(links.options().resolver))
    }

    fn rewrite_into(&self, document: &Document, options: &Options, out: &mut Vec<u8>) -> Rewritten {
        let rules = self.resolving_by(options.resolver);
        rewrite_into(document, options, &*rules, out)
    }
}

impl Rules {
    /// Returns the rules with this resolver.
    fn resolving_by(&self, resolver: Resolver) -> Cow<'_, Self> {
        if self.resolver == resolver {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Self { resolver, ..self.clone() })
    }
}

impl Mapper for Rules {
    fn decides_alone(&self) -> bool {
        self.base_elements == BaseElements::Keep
    }

    fn output_bases(&self, links: &Links<'_>) -> Option<OutputBases> {
        let retrieval = links.document().base().cloned();
        let base = match &self.base_elements {
            BaseElements::Keep => return None,
            _ if links.found().base_elements.is_empty() => return None,
            BaseElements::Strip => retrieval.clone(),
            BaseElements::Replace(uri) => {
                effective_base(Some(uri), retrieval.as_ref(), &self.resolver)
            }
        };
        Some(OutputBases {
            base,
            retrieval,
            keeps_nested: true,
            elements: self.base_elements.clone(),
        })
    }

    fn map<'t>(
        &self,
        document: &Document,
        link: &ParsedLink<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
    ) -> Decision<'t> {
        self.map_in(&(), document, link, target, base)
    }
}

impl Rules {
    /// Returns true if the rules contain [`Rule::Mirror`].
    fn has_mirror(&self) -> bool {
        self.rules.iter().any(|rule| matches!(rule, Rule::Mirror))
    }

    /// Returns true if a second run would map the mapped URI `uri` again.
    pub fn is_moved_again(&self, uri: &str) -> bool {
        let moved = self.rules.iter().find_map(|rule| rule.moved(uri));
        moved.is_some_and(|again| again != uri)
    }

    /// The decision of the rules, in a document at a place.
    pub fn map_in<'t>(
        &self,
        place: &impl Placed,
        document: &Document,
        link: &ParsedLink<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
    ) -> Decision<'t> {
        match self.refusal(place, document, link, target) {
            None | Some(SkipReason::Base)
                if !self.adjustments.is_empty()
                    && (link.role != Role::Base || self.base_elements == BaseElements::Keep) =>
            {
                Adjustments::decision(self, place, document, link, target, base)
            }
            None => self.map_once(place, document, link, target, base),
            Some(why) => self.completed(place, document, link, target, base, Decision::Skip(why)),
        }
    }

    /// The decision about a link that may change, without adjustments.
    fn map_once<'t>(
        &self,
        place: &impl Placed,
        document: &Document,
        link: &ParsedLink<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
    ) -> Decision<'t> {
        let decision = self.first_match(place, document, link, target, base);
        self.completed(place, document, link, target, base, decision)
    }

    /// The decision about a link after that of the rules: links of templates stay, and a link keeps
    /// its target if the base changes.
    fn completed<'t>(
        &self,
        place: &impl Placed,
        document: &Document,
        link: &ParsedLink<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
        decision: Decision<'t>,
    ) -> Decision<'t> {
        if template::is_left(&decision, document, link, target) {
            return Decision::Skip(SkipReason::Template);
        }
        match decision {
            Decision::Skip(why) if self.base_elements != BaseElements::Keep => {
                self.rebased(place, document, link, target, base, why)
            }
            decision => decision,
        }
    }

    /// The reason why no rule may change a link, if any.
    fn refusal(
        &self,
        place: &impl Placed,
        document: &Document,
        link: &ParsedLink<'_>,
        target: &Target<'_>,
    ) -> Option<SkipReason> {
        let only_maps = only_maps_change(document, link);
        if let Some(why) = untouchable(document, link, self.resolver.profile)
            && !(why == SkipReason::Empty && !only_maps && self.fills_empty(place, link, target))
        {
            return Some(why);
        }
        if is_in_own_package(document, link, target) {
            return Some(SkipReason::SameDocument);
        }
        if only_maps && !self.map_urls() {
            return Some(SkipReason::Text);
        }
        if !self.filter.passes(link, target) {
            return Some(SkipReason::Filtered);
        }
        let names = |rule: &Rule| rule.has_exactly(&link.reference);
        let is_other_name = link.role == Role::Namespace && !self.rules.iter().any(names);
        is_other_name.then_some(SkipReason::Namespace)
    }

    /// The decision of the first rule that matches, regardless of changes to the base.
    fn first_match<'t>(
        &self,
        place: &impl Placed,
        document: &Document,
        link: &ParsedLink<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
    ) -> Decision<'t> {
        if self.rules.is_empty() && !self.adjustments.is_empty() {
            return Decision::Skip(SkipReason::NoRule);
        }
        let only_maps = only_maps_change(document, link);
        let lacks_scheme = self.lacks_scheme(link, target);
        // `None` passes the link on to the next rule. A decision ends the search, also one to skip.
        let found = self.rules.iter().find_map(|rule| {
            if only_maps && !rule.maps_urls()
                || link.role == Role::Namespace && !rule.has_exactly(&link.reference)
            {
                return None;
            }
            if let Some(decided) = place.page_decision(self, rule, link, target) {
                return Some(decided);
            }
            let uri = match (rule, target.uri) {
                (Rule::Map(map), _) if lacks_scheme => {
                    let reference = readable(&link.reference, self.resolver.profile);
                    let new = map.get_without_scheme(&reference)?;
                    return Some(replace(link, new.clone().into(), new.into(), rule.name()));
                }
                (Rule::Pattern(_), _) if lacks_scheme => return None,
                (Rule::Absolute, _) if lacks_scheme => {
                    return Some(Decision::Skip(SkipReason::NoBase));
                }
                (_, Some(uri)) => uri,
                (_, None) if rule.maps_urls() => return None,
                (_, None) => return Some(Decision::Skip(untargeted(target))),
            };
            Some(match rule {
                Rule::Mirror => {
                    let stays = self.stays_absolute(link);
                    place.mirrored(link, target, base, uri, stays)?
                }
                Rule::Absolute if is_fragment_in_feed(link) => {
                    Decision::Skip(SkipReason::SameDocument)
                }
                Rule::Absolute if is_private(uri) => Decision::Skip(SkipReason::NoBase),
                Rule::Absolute => replace(link, uri.into(), uri.into(), rule.name()),
                Rule::Relative | Rule::RootRelative => self.path_decision(rule, link, base, uri),
                Rule::Map(_) | Rule::Pattern(_) => {
                    if is_private(uri) {
                        return None;
                    }
                    let new = match link.notes.contains(Note::Composed) {
                        true => rule.moved_beginning(uri)?,
                        false => rule.moved(uri)?,
                    };
                    if is_in_own_document(link, target) {
                        Decision::Skip(SkipReason::SameDocument)
                    } else if Parts::split(&new).scheme.is_none() {
                        Decision::Skip(SkipReason::NoUri)
                    } else if matches!(rule, Rule::Pattern(_)) && self.spoils(uri, &new) {
                        Decision::Skip(SkipReason::InvalidUri)
                    } else if let Some(cue) = link.place.delimiter() {
                        if matches!(rule, Rule::Map(map) if map.divides(uri)) {
                            return Some(Decision::Skip(SkipReason::Unwritable));
                        }
                        moved_in_text(link, cue, new, rule.name())
                    } else {
                        let reference = respelled(link, None, base, &new);
                        let reference = reference.unwrap_or_else(|| new.clone());
                        replace(link, reference.into(), new.into(), rule.name())
                    }
                }
            })
        });
        if let (None, None) = (&found, target.uri) {
            return Decision::Skip(untargeted(target));
        }
        let is_elsewhere = !place.is_mirrored() && self.has_mirror();
        found.unwrap_or(Decision::Skip(match is_elsewhere {
            true => SkipReason::NotMirrored,
            false => SkipReason::NoRule,
        }))
    }

    /// Returns true if a reference begins with `//`, and the scheme of its document is unknown.
    fn lacks_scheme(&self, link: &ParsedLink<'_>, target: &Target<'_>) -> bool {
        let is_known = |(base, _): (&Base, _)| !is_private(base.as_str());
        !target.base.is_some_and(is_known)
            && Style::of(&link.reference, self.resolver.profile) == Style::NetworkPath
    }

    /// Returns true if an empty reference becomes absolute: that of a hyperlink or a form is
    /// followed. Elsewhere in HTML it has a special meaning, such as a missing image.
    fn fills_empty(&self, place: &impl Placed, link: &ParsedLink<'_>, target: &Target<'_>) -> bool {
        let is_whole = |it: &Markup| it.form == Form::Whole;
        let is_asked = self.rules.iter().any(|rule| match rule {
            Rule::Absolute => true,
            Rule::Mirror => place.follows_base(link, target),
            _ => false,
        });
        is_asked
            && link.role.follows_fragment()
            && link.absoluteness != Absoluteness::Required
            && link.place.markup().is_some_and(is_whole)
    }

    /// Returns true if `new` is invalid under the profile and `old` is valid. A fault of `old` is
    /// not the pattern's, and other rules keep it too.
    fn spoils(&self, old: &str, new: &str) -> bool {
        let profile = self.resolver.profile;
        let is_valid = |uri: &str| match profile {
            // Browsers repair everything that they resolve.
            Profile::Whatwg => uri_of(&self.resolver, None, uri).is_some(),
            _ => {
                // Links may contain IRI characters under every profile.
                let is_iri = Reference::parse(uri).is_ok() && !uri.is_ascii();
                is_iri || Grammar::from(profile).check(uri).is_ok()
            }
        };
        !is_valid(new) && is_valid(old)
    }

    /// Rewrites a link that would be skipped, if it would change its target under the new base.
    fn rebased<'t>(
        &self,
        place: &impl Placed,
        document: &Document,
        link: &ParsedLink<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
        why: SkipReason,
    ) -> Decision<'t> {
        let Some(uri) = target.uri else {
            return Decision::Skip(why);
        };
        let may_change = !only_maps_change(document, link)
            && !matches!(why, SkipReason::NotRewritten | SkipReason::Name | SkipReason::Backslash);
        let old = target.base.map(|(base, _)| base.as_str());
        let leads_to = |base| {
            let found = uri_of(&self.resolver, base, &link.reference)?;
            Some(place.public_url(found))
        };
        if !may_change
            || is_apart_from_base(link)
            || place.is_same_base(old, base.map(Base::as_str))
            || leads_to(base).as_deref() == Some(uri)
            // No absolute reference has this target.
            || is_private(uri) && !base.is_some_and(|base| is_private(base.as_str()))
        {
            return Decision::Skip(why);
        }
        let reference = respelled(link, None, base, uri).map_or(Cow::Borrowed(uri), Cow::Owned);
        // A link that matched no rule, such as an empty reference, may match one now.
        let rewritten = ParsedLink { reference: Cow::Borrowed(&reference), ..link.clone() };
        let decided = match self.refusal(place, document, &rewritten, target) {
            None => self.first_match(place, document, &rewritten, target, base),
            Some(why) => Decision::Skip(why),
        };
        match decided {
            Decision::Skip(_) => replace(link, reference, uri.into(), BaseElements::RULE),
            decided => decided,
        }
    }
}

impl Rules {
    /// The decision of [`Rule::Relative`] or [`Rule::RootRelative`].
    fn path_decision<'t>(
        &self,
        rule: &Rule,
        link: &ParsedLink<'_>,
        base: Option<&Base>,
        uri: &'t str,
    ) -> Decision<'t> {
        let is_relative = matches!(rule, Rule::Relative);
        let style = if is_relative { Style::RelativePath } else { Style::AbsolutePath };
        if Style::of(&link.reference, self.resolver.profile) == style {
            return Decision::Skip(SkipReason::Unchanged);
        }
        if link.reference.starts_with('#') {
            return Decision::Skip(SkipReason::SameDocument);
        }
        if let Some(why) = self.stays_absolute(link) {
            return Decision::Skip(why);
        }
        let Some(base) = base else {
            // With a target, the reference is absolute.
            return Decision::Skip(SkipReason::UnknownSite);
        };
        let reference = match rule {
            Rule::Relative => relative_path(link, base, uri),
            // On a server no path is above the root. Among files there may be one.
            _ if is_private(base.as_str()) && climbs_out(base, &link.reference) => {
                return Decision::Skip(SkipReason::OtherSite);
            }
            _ => absolute_path(base, uri),
        };
        match reference {
            Some(reference) => replace(link, reference.into(), uri.into(), rule.name()),
            None if is_same_site(base, uri) => Decision::Skip(SkipReason::Unreachable),
            None => Decision::Skip(SkipReason::OtherSite),
        }
    }

    /// The reason why a link must stay absolute, if any.
    pub fn stays_absolute(&self, link: &ParsedLink<'_>) -> Option<SkipReason> {
        match link.absoluteness {
            Absoluteness::Required => Some(SkipReason::Absolute),
            Absoluteness::Recommended if !self.canonical => {
                let style = Style::of(&link.reference, self.resolver.profile);
                let is_whole = matches!(style, Style::Absolute | Style::NetworkPath);
                is_whole.then_some(SkipReason::Canonical)
            }
            Absoluteness::Recommended | Absoluteness::Optional => None,
        }
    }
}
