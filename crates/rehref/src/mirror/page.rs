//! The URL of a page of a mirror, if its file may be the copy of several URLs.

use std::collections::BTreeSet;

use super::{LocalNames, Mirror, MirrorFile, saved_from};
use crate::document::Links;
use crate::format::ParsedLinks;
use crate::link::base_of_element;
use crate::link::{BaseScope, Place, uri_of};
use crate::rewrite::style::Style;
use crate::source::{self, BaseFrom};
use crate::uri::{Base, Parts, Resolver};

/// The prefix of a relative path that is right for files, but has another URL in the log. A second
/// run uses it to distinguish the reference from those of the original page.
pub(super) const FOR_FILES: &str = "././";

/// A file of a mirror, with the URL of the page.
#[derive(Clone, Debug)]
pub struct MirrorPage {
    /// The file.
    pub file: MirrorFile,
    /// Its URL.
    pub url: String,
    /// The evidence for this URL, if the URL of its name would resolve links in another directory.
    pub evidence: Option<Evidence>,
    /// True if its BASE is a path from the root or begins with `//`, and so depends on the scheme
    /// of the site.
    pub(super) has_rooted_base: bool,
    /// True if the extension of its URL is a guess: HTTrack replaces it, and the page does not
    /// state it.
    pub(super) is_ending_guessed: bool,
    /// True if the program that saved the page rewrote its links: a relative link to an existing
    /// file is right.
    pub(super) is_rewritten: bool,
}

/// The number of a page's relative links with a copy, by candidate URL of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The number of distinct relative links.
    pub links: usize,
    /// The number with a copy, by the URL of the page.
    pub found: usize,
    /// The URL for the name of the file.
    pub named_url: String,
    /// The number with a copy, by that URL.
    pub named_found: usize,
}

impl MirrorPage {
    /// Creates the page in `file`, which has these links.
    ///
    /// Its URL is that in the log ([`Mirror::with_log`]). Without one, the candidates are the URL
    /// in the page itself ("saved from url") and those for the name of its file. The one with
    /// copies of most relative links wins; in doubt one in the directory of the file, then the one
    /// in the page.
    ///
    /// Cost: linear in the links times the number of URLs (at most six).
    pub fn new(mirror: &Mirror, file: MirrorFile, links: &Links<'_>) -> Self {
        let (parsed_links, resolver) = (links.found(), &links.options().resolver);
        let base_element = parsed_links.base_reference();
        let is_rooted = |base: &str| {
            let style = Style::of(base, resolver.profile);
            matches!(style, Style::AbsolutePath | Style::NetworkPath)
        };
        let logged = mirror.logged_url(&file).map(str::to_owned);
        let mark = saved_from(links.document().bytes());
        let is_rewritten =
            mirror.names() == LocalNames::Httrack && mark.is_some() || mirror.is_converted(&file);
        let is_logged = logged.is_some();
        let marked = logged.or_else(|| mirror.url_of_mark(&file, &mark?));
        let page = |url: String, evidence| Self {
            evidence,
            has_rooted_base: base_element.is_some_and(is_rooted),
            is_ending_guessed: mirror.names() == LocalNames::Httrack
                && marked.as_ref() != Some(&url)
                && Parts::split(&url).path.rsplit('/').next() != Some(""),
            is_rewritten,
            url,
            file: file.clone(),
        };
        if let (Some(url), true) = (&marked, is_logged) {
            return page(url.clone(), None);
        }
        let named = mirror.urls_of(&file);
        let named_url = named[0].clone();
        let mut references = relative_references(parsed_links, resolver);
        if is_rewritten {
            // These are not evidence for the URL.
            let local = resolver.base(&mirror.local_uri(&file)).ok();
            let exists = |reference: &str| {
                let uri = uri_of(resolver, local.as_ref(), reference);
                uri.is_some_and(|uri| mirror.file_at(&uri).is_some())
            };
            references.retain(|it| !exists(it));
        }
        let found_by = |url: &str| {
            let Ok(base) = resolver.base(url) else {
                return 0;
            };
            let of_element = base_element.and_then(|it| of_element(it, url, resolver));
            let base = of_element.unwrap_or(base);
            let has_copy = |reference: &&&str| {
                let uri = uri_of(resolver, Some(&base), reference);
                uri.is_some_and(|uri| has_copy(mirror, reference, &uri))
            };
            references.iter().filter(has_copy).count()
        };
        let mut best: Option<(usize, bool, String)> = None;
        for url in marked.iter().cloned().chain(named) {
            // In doubt, prefer the URL in the page.
            let is_near = directory_of(&url) == directory_of(&named_url)
                || is_rewritten && marked.as_ref() == Some(&url);
            let found = found_by(&url);
            // Prefer the first of equals.
            if best.as_ref().is_none_or(|best| (best.0, best.1) < (found, is_near)) {
                best = Some((found, is_near, url));
            }
            if is_near && found == references.len() {
                break;
            }
        }
        match best {
            Some((_, true, url)) => page(url, None),
            Some((found, false, url)) => {
                let evidence = Evidence {
                    links: references.len(),
                    found,
                    named_found: found_by(&named_url),
                    named_url,
                };
                page(url, Some(evidence))
            }
            None => page(named_url, None),
        }
    }
}

/// The distinct references that depend on the URL of the page: relative paths and queries.
fn relative_references<'f>(
    parsed_links: &'f ParsedLinks<'_>,
    resolver: &Resolver,
) -> BTreeSet<&'f str> {
    let links = parsed_links
        .links
        .iter()
        .filter(|link| !matches!(link.place, Place::Text(_)) && link.base_scope == BaseScope::Base);
    let references = links.map(|link| &*link.reference);
    references
        .filter(|it| {
            !it.is_empty()
                && !it.starts_with('#')
                && !it.starts_with(FOR_FILES)
                && Style::of(it, resolver.profile) == Style::RelativePath
        })
        .collect()
}

/// Returns true if the target of `reference` has a copy. A reference rewritten by HTTrack names the
/// file, and keeps its query.
fn has_copy(mirror: &Mirror, reference: &str, uri: &str) -> bool {
    let parts = Parts::split(reference);
    let is_rewritten = || {
        let end = uri.find(['?', '#']).unwrap_or(uri.len());
        mirror.names() == LocalNames::Httrack
            && !parts.path.is_empty()
            && parts.query.is_some()
            && mirror.copy_of(&uri[..end]).is_some()
    };
    mirror.copy_of(uri).is_some() || is_rewritten()
}

fn of_element(reference: &str, url: &str, resolver: &Resolver) -> Option<Base> {
    let retrieval = source::Base { uri: url.to_owned(), from: BaseFrom::Option };
    let base = base_of_element(reference, Some(&retrieval), resolver)?;
    resolver.base(&base.uri).ok()
}

/// The URL up to the last slash of its path.
fn directory_of(url: &str) -> &str {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    &url[..url[..end].rfind('/').map_or(0, |at| at + 1)]
}
