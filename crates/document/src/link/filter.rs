//! The links that a run takes.

use std::fmt;

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use regex::Regex;

use super::{ParsedLink, Place, Target, is_private};
use crate::bytes::percent;
use crate::uri::{Domain, Parts, default_port};

/// A filter of links. A link passes if it meets every condition that is set; an empty filter passes
/// all.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LinkFilter {
    /// Names of [roles](crate::link::Role::as_str).
    pub roles: Condition<Vec<String>>,
    /// Names of [places](crate::link::Place::as_str).
    pub places: Condition<Vec<String>>,
    /// Words of the `rel` attribute, which links have with [`Options::rels`](crate::Options::rels).
    pub rels: Condition<Vec<String>>,
    /// Patterns.
    pub patterns: Condition<Vec<Regex>>,
    /// The text that is matched with the patterns.
    pub matched: MatchedText,
    /// The side of the site on which targets are.
    pub side: Option<Side>,
    /// The URL of the site: of its directory, or of a page in that. `None` if it is unknown.
    pub site: Option<String>,
    schemes: Condition<Vec<String>>,
    hosts: Condition<GlobSet>,
}

/// A condition on a property of links.
#[derive(Clone, Debug, Default)]
pub struct Condition<T> {
    /// A link passes only if it has one of these values. Empty for all links.
    pub only: T,
    /// A link does not pass if it has one of these values.
    pub except: T,
}

impl<T> Condition<Vec<T>> {
    /// Returns true if a link with these values passes.
    fn passes(&self, mut has: impl FnMut(&T) -> bool) -> bool {
        (self.only.is_empty() || self.only.iter().any(&mut has)) && !self.except.iter().any(has)
    }

    /// Returns true without values.
    fn is_empty(&self) -> bool {
        self.only.is_empty() && self.except.is_empty()
    }
}

/// The text of a link that a filter matches with its patterns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatchedText {
    /// The absolute URL; the reference if the URL is unknown.
    #[default]
    Url,
    /// The reference as written.
    Reference,
    /// The absolute URL or the reference.
    Either,
}

/// A side of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Relative references, and URLs below that of the site.
    Internal,
    /// References with http, https or `//` that are not below the URL of the site.
    External,
}

impl LinkFilter {
    /// Sets the schemes, in any case, with or without a `:` or `://` at their end. Relative
    /// references without a base have no scheme.
    ///
    /// # Errors
    /// If a text is not a scheme.
    pub fn set_schemes<S: AsRef<str>>(
        &mut self,
        only: impl IntoIterator<Item = S>,
        except: impl IntoIterator<Item = S>,
    ) -> Result<(), LinkFilterError> {
        let scheme = |text: S| {
            let text = text.as_ref();
            let scheme = text.strip_suffix("://").or_else(|| text.strip_suffix(':'));
            let scheme = scheme.unwrap_or(text);
            match Parts::split(&format!("{scheme}:")).scheme == Some(scheme) {
                true => Ok(scheme.to_owned()),
                false => Err(LinkFilterError::Scheme(text.to_owned())),
            }
        };
        let only = only.into_iter().map(scheme).collect::<Result<_, _>>()?;
        let except = except.into_iter().map(scheme).collect::<Result<_, _>>()?;
        self.schemes = Condition { only, except };
        Ok(())
    }

    /// Sets the globs of hosts, in any case, to which links pass. A host matches by each spelling of
    /// its [domain](crate::uri::Domain).
    ///
    /// # Errors
    /// If a glob is invalid, or has a character that no host has.
    pub fn set_hosts(
        &mut self,
        globs: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<(), LinkFilterError> {
        self.hosts.only = hosts(globs)?;
        Ok(())
    }

    /// Sets the globs of hosts, in any case, to which links do not pass.
    ///
    /// # Errors
    /// As for [`set_hosts`](Self::set_hosts).
    pub fn set_excluded_hosts(
        &mut self,
        globs: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<(), LinkFilterError> {
        self.hosts.except = hosts(globs)?;
        Ok(())
    }

    /// Returns true if it needs the `rel` attributes of links.
    pub fn needs_rels(&self) -> bool {
        !self.rels.is_empty()
    }

    /// Returns true without conditions: all links pass.
    pub fn is_empty(&self) -> bool {
        let Self { roles, places, rels, patterns, matched: _, side, site: _, schemes, hosts } =
            self;
        [roles, places, rels, schemes].into_iter().all(Condition::is_empty)
            && patterns.is_empty()
            && side.is_none()
            && hosts.only.is_empty()
            && hosts.except.is_empty()
    }

    /// Returns true if a link with this target passes.
    pub fn passes(&self, link: &ParsedLink<'_>, target: &Target<'_>) -> bool {
        self.passes_within(self.site.as_deref(), link, target)
    }

    /// Returns true if a link with this target passes in a document of this site.
    pub fn passes_within(
        &self,
        site: Option<&str>,
        link: &ParsedLink<'_>,
        target: &Target<'_>,
    ) -> bool {
        let rels = || {
            let markup = match &link.place {
                Place::Markup(markup) => markup.rel.as_deref(),
                _ => None,
            };
            markup.unwrap_or_default().split_ascii_whitespace()
        };
        // Without a URL, the files of a site have private ones.
        let uri = || target.uri.filter(|uri| !is_private(uri));
        let url = || uri().unwrap_or(&link.reference);
        (self.roles.is_empty() || self.roles.passes(|it| is(it, link.role.as_str())))
            && (self.places.is_empty() || self.places.passes(|it| is(it, link.place.as_str())))
            && (self.rels.is_empty() || self.rels.passes(|wanted| rels().any(|it| is(wanted, it))))
            && (self.schemes.is_empty() || {
                let scheme = uri().and_then(|it| Parts::split(it).scheme);
                self.schemes.passes(|it| scheme.is_some_and(|scheme| is(it, scheme)))
            })
            && (self.hosts.only.is_empty() && self.hosts.except.is_empty() || {
                let host = Parts::split(url()).host();
                let domain = host.and_then(Domain::of);
                let has = |globs: &GlobSet| {
                    let is_domain =
                        |it: &Domain| globs.is_match(&it.ascii) || globs.is_match(&it.unicode);
                    host.is_some_and(|it| globs.is_match(it))
                        || domain.as_ref().is_some_and(is_domain)
                };
                (self.hosts.only.is_empty() || has(&self.hosts.only)) && !has(&self.hosts.except)
            })
            && self.patterns.passes(|pattern| match self.matched {
                MatchedText::Url => pattern.is_match(url()),
                MatchedText::Reference => pattern.is_match(&link.reference),
                MatchedText::Either => pattern.is_match(url()) || pattern.is_match(&link.reference),
            })
            && self.side.is_none_or(|side| side_of(site, &link.reference, url()) == Some(side))
    }
}

/// The side of a site on which the target of a reference is. `None` with other schemes than
/// those of the web.
pub(crate) fn side_of(site: Option<&str>, reference: &str, url: &str) -> Option<Side> {
    let written = Parts::split(reference);
    match (written.scheme, written.authority) {
        (None, None) if !is_slashed(reference, url) => return Some(Side::Internal),
        (Some(_), _) if !written.is_web() => return None,
        _ => {}
    }
    let site = site.map(Parts::split);
    let (site, target) = (site, Parts::split(url));
    let is_below = site.is_some_and(|site| {
        let scheme = target.scheme.or(site.scheme);
        let is_same_host = origin(&site, site.scheme) == origin(&target, scheme);
        let directory = site.path.rfind('/').map_or("", |at| &site.path[..at]);
        let below = target.path.strip_prefix(directory);
        is_same_host && below.is_some_and(|it| it.is_empty() || it.starts_with('/'))
    });
    Some(if is_below { Side::Internal } else { Side::External })
}

/// Returns true if the profile reads a backslash at the beginning of a reference as a slash before a
/// host: the path of the URL has no backslash then.
fn is_slashed(reference: &str, url: &str) -> bool {
    let is_slash = |byte: &u8| matches!(byte, b'/' | b'\\');
    let begins = reference.as_bytes().get(..2).is_some_and(|it| it.iter().all(is_slash));
    begins && !Parts::split(url).path.contains('\\')
}

/// The host of a URL in lower case, and its port if that is not the default one of `scheme`.
fn origin<'u>(parts: &Parts<'u>, scheme: Option<&str>) -> Option<(String, Option<&'u str>)> {
    let (authority, host) = parts.authority.zip(parts.host())?;
    let port = authority.rsplit_once(':').filter(|(before, _)| before.ends_with(host));
    let default = scheme.and_then(default_port);
    let is_other = |it: &&str| !it.is_empty() && it.parse().ok() != default;
    let port = port.map(|(_, port)| port).filter(is_other);
    let host = Domain::of(host).map_or_else(|| host.to_ascii_lowercase(), |it| it.ascii);
    Some((host, port))
}

/// Returns true if a name is this one, in any case.
fn is(wanted: &str, name: &str) -> bool {
    wanted.eq_ignore_ascii_case(name)
}

/// Compiles globs of hosts, which match in any case.
fn hosts(globs: impl IntoIterator<Item = impl AsRef<str>>) -> Result<GlobSet, LinkFilterError> {
    let mut hosts = GlobSetBuilder::new();
    for glob in globs {
        hosts.add(host_glob(glob.as_ref())?);
    }
    hosts.build().map_err(LinkFilterError::Glob)
}

/// Compiles a glob of hosts.
fn host_glob(glob: &str) -> Result<Glob, LinkFilterError> {
    let is_address = glob.starts_with('[') && glob.ends_with(']') && glob.contains(':');
    let pattern = match is_address {
        // Otherwise the brackets would enclose characters.
        true => globset::escape(glob),
        // Domains are compared decoded. The globs ignore the case of ASCII letters only.
        false => String::from_utf8_lossy(&percent::decode(glob)).to_lowercase(),
    };
    let foreign = |it: char| matches!(it, '/' | ':' | '@' | '#') || it.is_whitespace();
    if glob.is_empty() || !is_address && glob.contains(foreign) {
        let in_url = |url: &str| Parts::split(url).host().map(str::to_owned);
        let host = in_url(glob).or_else(|| in_url(&format!("//{glob}")));
        return Err(LinkFilterError::Host {
            glob: glob.to_owned(),
            host: host.filter(|host| !host.is_empty() && host != glob),
        });
    }
    let glob = GlobBuilder::new(&pattern).case_insensitive(true).build();
    glob.map_err(LinkFilterError::Glob)
}

/// The reason that a value of a filter is refused: it is invalid, or can match nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkFilterError {
    /// A glob has the wrong syntax, for this reason.
    Glob(globset::Error),
    /// The text is not a scheme.
    Scheme(String),
    /// The glob has characters that no host has.
    Host {
        /// The glob.
        glob: String,
        /// The host in it, if it is a URL or has a port, a user or a path.
        host: Option<String>,
    },
}

impl fmt::Display for LinkFilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Glob(error) => error.fmt(f),
            Self::Scheme(text) => {
                write!(f, "{text:?} is not a scheme such as http")
            }
            Self::Host { glob, host: None } => write!(f, "{glob:?} is not a host"),
            Self::Host { glob, host: Some(host) } => {
                write!(f, "{glob:?} is more than a host; write {host:?}")
            }
        }
    }
}

impl std::error::Error for LinkFilterError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_may_have_a_colon_and_two_slashes() {
        let mut filter = LinkFilter::default();
        assert_eq!(filter.set_schemes(["http:", "FTP://", "a+b"], []), Ok(()));
        assert_eq!(filter.schemes.only, ["http", "FTP", "a+b"]);
        for text in ["", ":", "1http", "ht tp", "http//", "http:/", "http://h", "*"] {
            let refused = LinkFilterError::Scheme(text.to_owned());
            assert_eq!(filter.set_schemes([text], []), Err(refused));
        }
    }

    #[test]
    fn globs_of_hosts_are_only_hosts() {
        let matches = |glob: &str, host| {
            let mut filter = LinkFilter::default();
            filter.set_hosts([glob]).unwrap();
            filter.hosts.only.is_match(host)
        };
        assert!(matches("*.a.example", "B.A.example"));
        assert!(matches("[ab].example", "a.example"));
        assert!(matches("[::1]", "[::1]"));
        assert!(!matches("[::1]", ":"));
        for (glob, host) in [
            ("http://a.example/", Some("a.example")),
            ("a.example/b", Some("a.example")),
            ("a.example:80", Some("a.example")),
            ("u@a.example", Some("a.example")),
            ("a b", None),
            ("", None),
            ("/a", None),
        ] {
            let refused = LinkFilter::default().set_hosts([glob]).unwrap_err();
            let (glob, host) = (glob.to_owned(), host.map(str::to_owned));
            assert_eq!(refused, LinkFilterError::Host { glob, host });
        }
    }
}
