//! The arguments that filter links.

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use rehref::format::Format;
use rehref::jobs::LinkFilter;
use rehref::link::Role;

use super::heading;

/// The links that are printed.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = heading::FILTERS)]
pub(crate) struct FilterArgs {
    /// Only print links with one of these schemes
    #[arg(long, value_name = "SCHEME", value_delimiter = ',')]
    scheme: Vec<String>,
    /// Only print links whose host matches GLOB
    #[arg(long, value_name = "GLOB")]
    host: Vec<String>,
    /// Only print links whose printed form matches REGEX
    #[arg(long = "match", value_name = "REGEX")]
    pattern: Option<regex::Regex>,
    /// Only print links with one of these roles
    #[arg(long, value_name = "ROLE", value_delimiter = ',',
        value_parser = PossibleValuesParser::new(Role::ALL.iter().map(|role| role.as_str())))]
    role: Vec<String>,
    /// Only print links in one of these places
    #[arg(long, value_name = "PLACE", value_delimiter = ',',
        value_parser = PossibleValuesParser::new(Format::places()))]
    place: Vec<String>,
}

impl FilterArgs {
    /// Returns the filter. With `raw`, patterns match references as written.
    pub(super) fn filter(&self, raw: bool) -> anyhow::Result<LinkFilter> {
        let mut filter = LinkFilter::default();
        filter.set_hosts(&self.host).context("--host")?;
        filter.schemes.clone_from(&self.scheme);
        filter.roles.clone_from(&self.role);
        filter.places.clone_from(&self.place);
        filter.pattern.clone_from(&self.pattern);
        filter.matches_reference = raw;
        Ok(filter)
    }
}
