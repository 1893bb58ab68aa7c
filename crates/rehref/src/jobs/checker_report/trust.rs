//! Which replacements of a report are applied. The servers that were checked decide what a report
//! contains, so it is not trusted.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use super::hosts::Network;
use crate::uri::{Base, Equivalence, Grammar, Outcome, Parts, Profile, Resolver, normalize};

/// A replacement of a report that is not applied.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedReplacement {
    /// The old URL.
    pub old: String,
    /// The new URL.
    pub new: String,
    /// The reason.
    pub reason: RefusalReason,
}

/// The reason a replacement of a report is not applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum RefusalReason {
    /// The old or the new URL has another scheme than http and https, or is no URL for browsers.
    OtherScheme,
    /// The report lists the old or the new URL as broken, so that the redirect ends at a page that
    /// is missing.
    Broken,
    /// The new URL has a user name or password that the old one lacks.
    UserInformation,
    /// The host of the new URL is no name of the internet: it has punctuation, which has a meaning
    /// in scripts.
    HostName,
    /// The new URL is one of the own machine or a private network, and the old one is not.
    PrivateHost,
    /// The new URL has the scheme http, and the old one https.
    Insecure,
    /// The new URL is the root of a site, to which servers send requests for missing pages, and the
    /// old one is not.
    SiteRoot,
}

impl fmt::Display for RefusalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OtherScheme => "it is not a redirect between URLs of http or https",
            Self::Broken => "the redirect ends at a broken URL",
            Self::UserInformation => "the new URL has a user name or password",
            Self::HostName => "the host of the new URL has punctuation",
            Self::PrivateHost => "the new URL is one of a private network",
            Self::Insecure => "the new URL is not https any more",
            Self::SiteRoot => "the new URL is only the root of a site",
        })
    }
}

/// The kind of a replacement in a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Its server redirects it.
    Redirect,
    /// The link checker suggests a copy, such as one in an archive of the web. The URL is broken,
    /// so it is compared with less.
    Suggestion,
}

/// The URLs that a report lists as broken.
#[derive(Debug, Default)]
pub(super) struct BrokenUrls {
    /// Whole URLs, without their fragments, as keys.
    pages: HashSet<String>,
    /// Keys with a fragment that is missing. Their pages are not broken.
    fragments: HashSet<String>,
}

impl BrokenUrls {
    /// Adds a URL. If `is_fragment`, only its fragment is missing.
    pub(super) fn add(&mut self, forms: &BrowserForms, url: &str, is_fragment: bool) {
        let key = forms.key(url);
        match divided(url).1.filter(|_| is_fragment) {
            Some(fragment) => _ = self.fragments.insert(format!("{key}#{fragment}")),
            None => _ = self.pages.insert(key),
        }
    }

    fn contains(&self, forms: &BrowserForms, url: &str) -> bool {
        let key = forms.key(url);
        let is_fragment = |fragment| self.fragments.contains(&format!("{key}#{fragment}"));
        self.pages.contains(&key) || divided(url).1.is_some_and(is_fragment)
    }

    /// The keys of the pages, and of those with missing fragments.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        let pages = self.fragments.iter().map(|it| divided(it).0);
        let pages: HashSet<&str> = pages.chain(self.pages.iter().map(|it| &**it)).collect();
        pages.into_iter()
    }
}

/// URLs as browsers read them.
pub(super) struct BrowserForms {
    /// A base that no reference is relative to.
    base: Option<Base>,
}

impl BrowserForms {
    pub(super) fn new() -> Self {
        let resolver = Resolver { profile: Profile::Whatwg, ..Resolver::default() };
        Self { base: resolver.base("about:blank").ok() }
    }

    /// The serialization of a URL by the URL Standard. `None` if its parser fails.
    fn of(&self, url: &str) -> Option<String> {
        let mut form = String::new();
        let outcome = self.base.as_ref()?.resolve_into(url, &mut form);
        (outcome == Ok(Outcome::Target)).then_some(form)
    }

    /// The form in which URLs without their fragments are compared.
    pub(super) fn key(&self, url: &str) -> String {
        let page = divided(url).0;
        let form = self.of(page);
        form.unwrap_or_else(|| normalize(page, Equivalence::Scheme))
    }

    /// Returns the old and the new URL of a replacement as they are applied, or the reason it is
    /// refused.
    pub(super) fn judged<'r>(
        &self,
        (old, new): (&'r str, &'r str),
        kind: Kind,
        broken: &BrokenUrls,
    ) -> Result<(Cow<'r, str>, Cow<'r, str>), RefusalReason> {
        let forms = (self.of(old), self.of(new));
        let (Some(old_form), Some(new_form)) = &forms else {
            return Err(RefusalReason::OtherScheme);
        };
        let (Some(from), Some(to)) = (WebUrl::of(old_form), WebUrl::of(new_form)) else {
            return Err(RefusalReason::OtherScheme);
        };
        let is_redirect = kind == Kind::Redirect;
        let is_broken = |url| broken.contains(self, url);
        if is_broken(new) || is_redirect && is_broken(old) {
            return Err(RefusalReason::Broken);
        }
        if !matches!(to.user_information, None | Some(""))
            && to.user_information != from.user_information
        {
            return Err(RefusalReason::UserInformation);
        }
        if from.host != to.host && !is_host_name(to.host) {
            return Err(RefusalReason::HostName);
        }
        if !Network::of(from.host).may_become(Network::of(to.host)) {
            return Err(RefusalReason::PrivateHost);
        }
        if is_redirect && from.is_secure && !to.is_secure {
            return Err(RefusalReason::Insecure);
        }
        if is_redirect && to.is_root() && !from.is_same_root(&to) {
            return Err(RefusalReason::SiteRoot);
        }
        let has_scheme = Parts::split(old).scheme.is_some();
        let (Some(old_form), Some(new_form)) = forms else {
            return Err(RefusalReason::OtherScheme);
        };
        let new = match is_plain(new) {
            true => Cow::Borrowed(new),
            false => Cow::Owned(new_form),
        };
        Ok((
            match has_scheme {
                true => Cow::Borrowed(old),
                false => Cow::Owned(old_form),
            },
            without_syntax(divided(old).0, new),
        ))
    }
}

/// Returns true if programs of every kind read a URL as browsers do.
fn is_plain(url: &str) -> bool {
    Parts::split(url).authority.is_some() && Grammar::from(Profile::Rfc3986).check(url).is_ok()
}

/// Returns true for a name with the characters that names of hosts have, or an address.
fn is_host_name(host: &str) -> bool {
    let is_address = host.starts_with('[') && host.ends_with(']');
    let is_of_name = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'.' | b'-' | b'_');
    is_address || host.bytes().all(is_of_name)
}

/// Percent-encodes the characters that mean something to shells, scripts and markup, and that the
/// old URL lacks: it may be written without quotes, or in quotes of any kind. An `&` in a query
/// divides it, so it stays (see
/// [`PrefixMap::insert_exact`](crate::rewrite::PrefixMap::insert_exact)).
fn without_syntax<'n>(old: &str, new: Cow<'n, str>) -> Cow<'n, str> {
    let parts = Parts::split(&new);
    let tail = [parts.query, parts.fragment];
    let tail: usize = tail.iter().flatten().map(|it| it.len() + 1).sum();
    let path = new.len() - tail - parts.path.len()..new.len() - tail;
    let is_syntax = |at: usize, byte: u8| match byte {
        b'&' => path.contains(&at),
        b'$' | b'(' | b')' | b';' | b'\'' | b'*' | b'!' | b'|' | b'`' | b'"' | b'<' | b'>'
        | b'\\' | b' ' | b'^' | b'{' | b'}' | b'[' | b']' => at >= path.start,
        _ => false,
    };
    let is_new =
        |at: usize, it: char| it.is_ascii() && is_syntax(at, it as u8) && !old.contains(it);
    if !new.char_indices().any(|(at, it)| is_new(at, it)) {
        return new;
    }
    let mut encoded = String::new();
    for (at, it) in new.char_indices() {
        match is_new(at, it) {
            true => encoded += &format!("%{:02X}", it as u32),
            false => encoded.push(it),
        }
    }
    Cow::Owned(encoded)
}

/// A URL of http or https, which is a serialization by the URL Standard.
struct WebUrl<'u> {
    is_secure: bool,
    user_information: Option<&'u str>,
    host: &'u str,
    path: &'u str,
    query: Option<&'u str>,
}

impl<'u> WebUrl<'u> {
    fn of(form: &'u str) -> Option<Self> {
        let parts = Parts::split(form);
        let is_secure = match parts.scheme {
            Some("https") => true,
            Some("http") => false,
            _ => return None,
        };
        let (user_information, server) = match parts.authority?.rsplit_once('@') {
            Some((user, server)) => (Some(user), server),
            None => (None, parts.authority?),
        };
        let port = server.rfind(':').filter(|&at| !server[at..].contains(']'));
        Some(Self {
            is_secure,
            user_information,
            host: &server[..port.unwrap_or(server.len())],
            path: parts.path,
            query: parts.query,
        })
    }

    fn is_root(&self) -> bool {
        self.path.bytes().all(|byte| byte == b'/')
    }

    /// Returns true if this is a root, too, with the same query or without one.
    fn is_same_root(&self, root: &Self) -> bool {
        self.is_root() && (matches!(self.query, None | Some("")) || self.query == root.query)
    }
}

/// A URL without its fragment, and the fragment.
pub(super) fn divided(url: &str) -> (&str, Option<&str>) {
    let fragment = Parts::split(url).fragment;
    let end = fragment.map_or(url.len(), |it| url.len() - it.len() - 1);
    (&url[..end], fragment)
}
