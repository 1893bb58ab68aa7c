//! Which links are taken.

use anyhow::Context;
use rehref::link::Target;
use rehref::records::{LineFormat, Report};
use rehref::uri::Parts;

use crate::args::ExtractArgs;

/// Which links are taken: those that pass every test that is asked for.
pub(super) struct Filter {
    schemes: Vec<String>,
    hosts: globset::GlobSet,
    pattern: Option<regex::Regex>,
    roles: Vec<String>,
    places: Vec<String>,
}

impl Filter {
    pub(super) fn new(args: &ExtractArgs) -> anyhow::Result<Self> {
        let mut hosts = globset::GlobSetBuilder::new();
        for pattern in &args.host {
            let glob = globset::GlobBuilder::new(pattern)
                .case_insensitive(true)
                .build();
            hosts.add(glob.context("--host")?);
        }
        Ok(Self {
            schemes: args.scheme.clone(),
            hosts: hosts.build().context("--host")?,
            pattern: args.pattern.clone(),
            roles: args.role.clone(),
            places: args.place.clone(),
        })
    }

    pub(super) fn takes(&self, report: &Report<'_>, line: &LineFormat) -> bool {
        let among = |names: &[String], name: &str| {
            names.is_empty() || names.iter().any(|it| it.eq_ignore_ascii_case(name))
        };
        let Report { link, target, .. } = report;
        among(&self.roles, link.role.as_str())
            && among(&self.places, link.place.as_str())
            && (self.schemes.is_empty()
                || scheme(target).is_some_and(|it| among(&self.schemes, it)))
            && (self.hosts.is_empty() || host(target).is_some_and(|it| self.hosts.is_match(it)))
            && self
                .pattern
                .as_ref()
                .is_none_or(|pattern| pattern.is_match(line.value(report)))
    }
}

fn scheme<'t>(target: &Target<'t>) -> Option<&'t str> {
    Parts::split(target.uri?).scheme
}

/// The host of a target.
pub(super) fn host<'t>(target: &Target<'t>) -> Option<&'t str> {
    Parts::split(target.uri?).host()
}
