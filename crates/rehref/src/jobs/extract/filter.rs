//! Which links a run reports.

use std::fmt;

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

use crate::records::LinkReport;
use crate::uri::Parts;

/// A filter of links. A link passes if it meets every condition that is set; an empty filter passes
/// all.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LinkFilter {
    /// Names of [roles](crate::link::Role::as_str). Empty for all.
    pub roles: Vec<String>,
    /// Names of [places](crate::link::Place::as_str). Empty for all.
    pub places: Vec<String>,
    /// A pattern that the URL has to match; the reference if the URL is unknown.
    pub pattern: Option<regex::Regex>,
    /// A pattern that the same text must not match.
    pub excluded_pattern: Option<regex::Regex>,
    /// True to match patterns with the reference as written, also if the URL is known.
    pub matches_reference: bool,
    schemes: Vec<String>,
    hosts: GlobSet,
    excluded_hosts: GlobSet,
}

impl LinkFilter {
    /// Sets the schemes, in any case, with or without a `:` or `://` at their end. Relative
    /// references without a base do not pass.
    ///
    /// # Errors
    /// If a text is not a scheme.
    pub fn set_schemes(
        &mut self,
        schemes: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<(), LinkFilterError> {
        let scheme = |text: &str| {
            let scheme = text.strip_suffix("://").or_else(|| text.strip_suffix(':'));
            let scheme = scheme.unwrap_or(text);
            match Parts::split(&format!("{scheme}:")).scheme == Some(scheme) {
                true => Ok(scheme.to_owned()),
                false => Err(LinkFilterError::Scheme(text.to_owned())),
            }
        };
        let schemes = schemes.into_iter().map(|it| scheme(it.as_ref()));
        self.schemes = schemes.collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Sets the globs of hosts, in any case. Links without a host do not pass.
    ///
    /// # Errors
    /// If a glob is invalid, or has a character that no host has.
    pub fn set_hosts(
        &mut self,
        globs: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<(), LinkFilterError> {
        self.hosts = hosts(globs)?;
        Ok(())
    }

    /// Sets the globs of hosts, in any case, whose links do not pass. Links without a host do.
    ///
    /// # Errors
    /// As for [`set_hosts`](Self::set_hosts).
    pub fn set_excluded_hosts(
        &mut self,
        globs: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<(), LinkFilterError> {
        self.excluded_hosts = hosts(globs)?;
        Ok(())
    }

    /// Returns true if a link passes.
    pub fn passes(&self, report: &LinkReport<'_>) -> bool {
        let among =
            |names: &[String], name: &str| names.iter().any(|it| it.eq_ignore_ascii_case(name));
        let link = report.link;
        let text = || match self.matches_reference {
            true => &*link.reference,
            false => report.url_or_reference(),
        };
        (self.roles.is_empty() || among(&self.roles, link.role.as_str()))
            && (self.places.is_empty() || among(&self.places, link.place.as_str()))
            && (self.schemes.is_empty()
                || report.scheme().is_some_and(|it| among(&self.schemes, it)))
            && (self.hosts.is_empty() || report.host().is_some_and(|it| self.hosts.is_match(it)))
            && (self.excluded_hosts.is_empty()
                || !(report.host()).is_some_and(|it| self.excluded_hosts.is_match(it)))
            && (self.pattern.as_ref()).is_none_or(|pattern| pattern.is_match(text()))
            && !(self.excluded_pattern.as_ref()).is_some_and(|pattern| pattern.is_match(text()))
    }
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
    let escaped;
    let pattern = match is_address {
        // Otherwise the brackets would enclose characters.
        true => {
            escaped = globset::escape(glob);
            &escaped
        }
        false => glob,
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
    let glob = GlobBuilder::new(pattern).case_insensitive(true).build();
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
        assert_eq!(filter.set_schemes(["http:", "FTP://", "a+b"]), Ok(()));
        assert_eq!(filter.schemes, ["http", "FTP", "a+b"]);
        for text in ["", ":", "1http", "ht tp", "http//", "http:/", "http://h", "*"] {
            let refused = LinkFilterError::Scheme(text.to_owned());
            assert_eq!(filter.set_schemes([text]), Err(refused));
        }
    }

    #[test]
    fn globs_of_hosts_are_only_hosts() {
        let matches = |glob: &str, host| {
            let mut filter = LinkFilter::default();
            filter.set_hosts([glob]).unwrap();
            filter.hosts.is_match(host)
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
