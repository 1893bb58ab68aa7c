//! Rules in a document of a documentation site, whose links have addresses of pages.

use std::borrow::Cow;

use crate::bytes::percent;
use crate::docs_site::{Reach, SitePlace};
use crate::format::Options;
use crate::link::{Form, ParsedLink, Place, Target, is_private, uri_of};
use crate::listing::Id;
use crate::rewrite::style::{Style, is_same_site, readable};
use crate::rewrite::{Decision, Rule, Rules, SkipReason, is_fragment_in_feed, replace};
use crate::site::Site;
use crate::uri::Parts;

/// A document of a documentation site in a tree.
#[derive(Clone, Debug)]
pub struct SiteDocument<'s> {
    site: &'s Site,
    path: Vec<u8>,
    /// The URI that its path has in the tree.
    uri: String,
}

/// A reference to the page that a link names.
struct Written {
    file: Id,
    reference: String,
}

impl<'s> SiteDocument<'s> {
    /// The document at a path of the tree. `None` if its links name files, as written.
    pub fn new(site: &'s Site, path: &[u8]) -> Option<Self> {
        SitePlace::new(site.pages()?, path)?;
        Some(Self { uri: site.uri_of(path), path: path.to_vec(), site })
    }

    /// The options for the links of the document.
    pub fn options<'o>(&self, options: &'o Options) -> Cow<'o, Options> {
        self.site.layouts().options_of(&self.path, options)
    }

    /// The decision of a rule. `None` if it is the same as in other documents.
    pub(super) fn decision<'t>(
        &self,
        rules: &Rules,
        rule: &Rule,
        link: &ParsedLink<'_>,
        target: &Target<'t>,
    ) -> Option<Decision<'t>> {
        let profile = rules.resolver.profile;
        let style = Style::of(&link.reference, profile);
        let is_fragment = link.reference.starts_with('#');
        let is_private = is_private(self.site.url());
        let has_form = match rule {
            Rule::Absolute => {
                let is_whole = matches!(style, Style::Absolute | Style::NetworkPath);
                is_whole || is_private || is_fragment_in_feed(link)
            }
            Rule::Relative => style == Style::RelativePath,
            Rule::RootRelative => style == Style::AbsolutePath || is_fragment,
            Rule::Mirror => is_fragment,
            Rule::Map(_) | Rule::Pattern(_) => return None,
        };
        let (base, _) = target.base?;
        if has_form || base.as_str() != self.uri {
            return None;
        }
        let keep = |why| Some(Decision::Skip(why));
        if link.is_own_address() || link.is_front_matter() && !matches!(rule, Rule::Absolute) {
            return keep(SkipReason::NoRule);
        }
        if let (false, Some(why)) = (matches!(rule, Rule::Absolute), rules.stays_absolute(link)) {
            return keep(why);
        }
        let place = SitePlace::new(self.site.pages()?, &self.path)?;
        if place.is_part() && matches!(rule, Rule::Relative | Rule::Mirror) {
            return keep(SkipReason::NoPage);
        }
        let written = readable(&link.reference, profile);
        let local: Cow<'_, str> = match style {
            Style::Absolute | Style::NetworkPath => {
                let uri = target.uri?;
                match self.site.reference_of(uri) {
                    Some(local) => in_tree(&place).map_or(local.clone(), |it| it + &local).into(),
                    // Files have other addresses than pages, so that the path between them is
                    // unknown.
                    None if is_same_site(base, uri) && self.is_unclear(&place, link, rule) => {
                        return keep(SkipReason::Unreachable);
                    }
                    None => return None,
                }
            }
            Style::AbsolutePath | Style::RelativePath => self.site.local_reference(&written).into(),
        };
        let is_mirror = matches!(rule, Rule::Mirror);
        let found = match rule {
            Rule::Absolute => self.whole(&place, &local),
            Rule::RootRelative => self.rooted(&place, link, &local),
            _ => self.relative(&place, link, &local),
        };
        match found {
            Some(_) if is_mirror && style == Style::RelativePath => keep(SkipReason::Unchanged),
            Some(Some(found))
                // Other references were looked up literally. The tree may be only a part of the
                // site at its URL.
                if !matches!(rule, Rule::RootRelative)
                    || self.site.file_named(&self.path, &found.reference) == Some(found.file) =>
            {
                let whole = || self.whole(&place, &local).flatten();
                let uri = match (!is_private).then(whole).flatten() {
                    Some(whole) => whole.reference,
                    None => self.site.uri_of(self.site.listing().name(found.file)),
                };
                Some(replace(link, found.reference.into(), uri.into(), rule.name()))
            }
            Some(_) => keep(SkipReason::Unwritable),
            None if place.has_files_only() => None,
            None if is_mirror => {
                let new = match style {
                    Style::RelativePath => self.resolved(&place, rules, &written),
                    _ => target.uri.map(str::to_owned),
                };
                let Some(new) = new else {
                    return keep(SkipReason::NoPage);
                };
                Some(replace(link, new.clone().into(), new.into(), rule.name()))
            }
            None => keep(SkipReason::NoPage),
        }
    }

    /// Returns true if a rule cannot write a reference to a URL of the same host outside of the
    /// tree.
    fn is_unclear(&self, place: &SitePlace<'_>, link: &ParsedLink<'_>, rule: &Rule) -> bool {
        match rule {
            Rule::Relative => !place.has_files_only(),
            Rule::RootRelative => place.resolves_root(is_in_markdown(link)),
            _ => false,
        }
    }

    /// The relative reference to the file that `local` names. The inner `None` means that none
    /// exists.
    fn relative(
        &self,
        place: &SitePlace<'_>,
        link: &ParsedLink<'_>,
        local: &str,
    ) -> Option<Option<Written>> {
        let by_program = is_in_markdown(link);
        let is_in_json = link.place.markup().is_some_and(|it| it.form == Form::Json);
        let written = |(file, mut reference): (Id, String)| {
            // A bare name is not a module path (HTML standard, section 8.1.6.2).
            if is_in_json && !reference.starts_with('.') {
                reference.insert_str(0, "./");
            }
            Written { file, reference }
        };
        let found = place.rewritten(local, Reach::Document { by_program })?;
        Some(found.ok().map(written))
    }

    /// The reference from the root of the site to the file that `local` names.
    fn rooted(
        &self,
        place: &SitePlace<'_>,
        link: &ParsedLink<'_>,
        local: &str,
    ) -> Option<Option<Written>> {
        let by_program = is_in_markdown(link);
        let is_bare = place.resolves_root(by_program);
        if !is_bare && !is_private(self.site.url()) {
            let found = self.whole(place, local)?;
            return Some(found.map(|Written { file, reference }| {
                let parts = Parts { scheme: None, authority: None, ..Parts::split(&reference) };
                let reference = parts.to_string();
                Written { file, reference }
            }));
        }
        let reach = Reach::Root { by_program, is_bare };
        let found = place.rewritten(local, reach)?;
        Some(found.ok().map(|(file, reference)| Written { file, reference }))
    }

    /// The address of the page that `local` names.
    fn whole(&self, place: &SitePlace<'_>, local: &str) -> Option<Option<Written>> {
        let url = self.site.url().trim_end_matches('/');
        let path = Parts::split(url).path.trim_matches('/').as_bytes();
        let rest = path.strip_suffix(place.prefix());
        let reach = Reach::Root {
            by_program: false,
            is_bare: rest.is_some_and(|it| it.is_empty() || it.ends_with(b"/")),
        };
        let found = place.rewritten(local, reach)?;
        let whole = |(file, path): (Id, String)| {
            let rest = match in_tree(place) {
                Some(tree) => path.strip_prefix(&*tree)?,
                None => &path,
            };
            let reference = format!("{url}{rest}");
            rest.starts_with('/').then_some(Written { file, reference })
        };
        Some(found.ok().and_then(whole))
    }

    /// The URL of a reference that names no page, relative to the address of the document.
    fn resolved(&self, place: &SitePlace<'_>, rules: &Rules, reference: &str) -> Option<String> {
        let own = self.whole(place, "")??;
        let base = rules.resolver.base(&own.reference).ok()?;
        uri_of(&rules.resolver, Some(&base), reference)
    }
}

/// The path of the root of the tree on the site, if it is not the root of the site.
fn in_tree(place: &SitePlace<'_>) -> Option<String> {
    let names = place.tree().split(|&byte| byte == b'/');
    let mut path = String::new();
    for name in names.filter(|it| !it.is_empty()) {
        path.push('/');
        percent::encode_path_segment(name, &mut path);
    }
    (!path.is_empty()).then_some(path)
}

/// Returns true if the link is in the syntax of Markdown, which programs read. They leave HTML to
/// the browser.
fn is_in_markdown(link: &ParsedLink<'_>) -> bool {
    matches!(link.place, Place::Markdown(_))
}
