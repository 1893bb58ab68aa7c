//! Which links a run reports.

use std::fmt;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::records::LinkReport;

/// A filter of links. A link passes if it meets every condition that is set; an empty filter passes all.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LinkFilter {
    /// Schemes, in any case. Empty for all.
    pub schemes: Vec<String>,
    /// Names of [roles](crate::link::Role::as_str). Empty for all.
    pub roles: Vec<String>,
    /// Names of [places](crate::link::Place::as_str). Empty for all.
    pub places: Vec<String>,
    /// A pattern that the URL has to match; the reference if the URL is unknown.
    pub pattern: Option<regex::Regex>,
    /// A pattern that the same text must not match.
    pub excluded_pattern: Option<regex::Regex>,
    /// Whether patterns are matched with the reference as written, also if the URL is known.
    pub matches_reference: bool,
    hosts: GlobSet,
    excluded_hosts: GlobSet,
}

impl LinkFilter {
    /// Sets the globs of hosts, in any case. Links without a host do not pass.
    ///
    /// # Errors
    /// If a glob is invalid.
    pub fn set_hosts(
        &mut self,
        globs: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<(), HostGlobError> {
        self.hosts = hosts(globs)?;
        Ok(())
    }

    /// Sets the globs of hosts, in any case, whose links do not pass. Links without a host do.
    ///
    /// # Errors
    /// If a glob is invalid.
    pub fn set_excluded_hosts(
        &mut self,
        globs: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<(), HostGlobError> {
        self.excluded_hosts = hosts(globs)?;
        Ok(())
    }

    /// Returns true if a link passes.
    pub fn passes(&self, report: &LinkReport<'_>) -> bool {
        let among = |names: &[String], name: &str| {
            names.is_empty() || names.iter().any(|it| it.eq_ignore_ascii_case(name))
        };
        let link = report.link;
        let text = || match self.matches_reference {
            true => &*link.reference,
            false => report.url_or_reference(),
        };
        among(&self.roles, link.role.as_str())
            && among(&self.places, link.place.as_str())
            && (self.schemes.is_empty()
                || report.scheme().is_some_and(|it| among(&self.schemes, it)))
            && (self.hosts.is_empty() || report.host().is_some_and(|it| self.hosts.is_match(it)))
            && !(report.host()).is_some_and(|it| self.excluded_hosts.is_match(it))
            && (self.pattern.as_ref()).is_none_or(|pattern| pattern.is_match(text()))
            && !(self.excluded_pattern.as_ref()).is_some_and(|pattern| pattern.is_match(text()))
    }
}

/// Compiles globs of hosts, which match in any case.
fn hosts(globs: impl IntoIterator<Item = impl AsRef<str>>) -> Result<GlobSet, HostGlobError> {
    let mut hosts = GlobSetBuilder::new();
    for glob in globs {
        let glob = GlobBuilder::new(glob.as_ref())
            .case_insensitive(true)
            .build();
        hosts.add(glob.map_err(HostGlobError)?);
    }
    hosts.build().map_err(HostGlobError)
}

/// An invalid glob of hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostGlobError(globset::Error);

impl fmt::Display for HostGlobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for HostGlobError {}
