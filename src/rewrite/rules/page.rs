//! The URL of a page of a mirror, where its file may be the copy of several.

use std::collections::BTreeSet;

use super::style::Style;
use crate::document::Document;
use crate::format::FoundLinks;
use crate::link::base_of_element;
use crate::link::{BaseScope, Place, uri_of};
use crate::site::{LocalNames, Mirror, MirrorFile, saved_from};
use crate::source::{self, BaseFrom};
use crate::uri::{Base, Parts, Resolver};

/// How a relative path begins that is right for files, but whose URL is another one by a log. Without it, a second run
/// could not tell such a reference from one of the original page.
pub(super) const FOR_FILES: &str = "././";

/// A file of a mirror, with the URL that its links are resolved against.
#[derive(Clone, Debug)]
pub struct MirrorPage {
    /// The file.
    pub file: MirrorFile,
    /// Its URL.
    pub url: String,
    /// Why this is its URL, where the URL of its name would resolve links in another directory.
    pub evidence: Option<Evidence>,
    /// Whether its BASE is a path from the root, or begins with `//`: without the scheme of the site it is something
    /// else.
    pub(super) has_rooted_base: bool,
    /// Whether the ending of its URL is a guess: HTTrack replaces it, and the page does not say it.
    pub(super) is_ending_guessed: bool,
    /// Whether the program that saved the page has rewritten its links: a relative one that a file is there for is right.
    pub(super) is_rewritten: bool,
}

/// How many of a page's relative links have a copy, by the URL that the page may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The number of relative links, each counted once.
    pub links: usize,
    /// How many of them have a copy by the URL of the page.
    pub found: usize,
    /// The URL that the name of the file says.
    pub named_url: String,
    /// How many of them have a copy by that.
    pub named_found: usize,
}

impl MirrorPage {
    /// The page in `file`, whose links are `findings`.
    ///
    /// Its URL is that in the log, where there is one ([`Mirror::with_log`]). Else, of the URLs that the page itself
    /// ([`saved_from`]) and the name of its file say, it is the one by which most of its relative links have a copy. In
    /// doubt it is one in the directory of the file, and then what the page says.
    ///
    /// The cost is linear in the links times the number of URLs (at most six).
    pub fn new(
        mirror: &Mirror,
        file: MirrorFile,
        document: &Document,
        findings: &FoundLinks<'_>,
        resolver: &Resolver,
    ) -> Self {
        let base_element = findings.base_elements.first();
        let base_element = base_element.map(|base| &*findings.links[base.link].reference);
        let is_rooted = |base: &str| {
            let style = Style::of(base, resolver.profile);
            matches!(style, Style::AbsolutePath | Style::NetworkPath)
        };
        let logged = mirror.logged_url(&file).map(str::to_owned);
        let mark = saved_from(&document.bytes);
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
        let mut references = relative_references(findings, resolver);
        if is_rewritten {
            // These say nothing about the URL.
            let local = resolver.base(&mirror.local_uri(&file)).ok();
            let is_there = |reference: &str| {
                let uri = uri_of(resolver, local.as_ref(), reference);
                uri.is_some_and(|uri| mirror.file_at(&uri).is_some())
            };
            references.retain(|it| !is_there(it));
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
            // In doubt the page is right.
            let is_near = directory_of(&url) == directory_of(&named_url)
                || is_rewritten && marked.as_ref() == Some(&url);
            let found = found_by(&url);
            // Of equals, the first.
            if best
                .as_ref()
                .is_none_or(|best| (best.0, best.1) < (found, is_near))
            {
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

/// The references that resolve differently by the URL of the page: relative paths and queries, each once.
fn relative_references<'f>(findings: &'f FoundLinks<'_>, resolver: &Resolver) -> BTreeSet<&'f str> {
    let links = findings.links.iter().filter(|link| {
        matches!(link.place, Place::Markup(_) | Place::Css(_)) && link.against == BaseScope::Base
    });
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

/// Whether what `reference` resolves to has a copy. A reference that HTTrack has rewritten already names the file, and
/// keeps its query.
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
    let retrieval = source::Base {
        uri: url.to_owned(),
        from: BaseFrom::Option,
    };
    let base = base_of_element(reference, Some(&retrieval), resolver)?;
    resolver.base(&base.uri).ok()
}

/// The URL up to the last slash of its path.
fn directory_of(url: &str) -> &str {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    &url[..url[..end].rfind('/').map_or(0, |at| at + 1)]
}
