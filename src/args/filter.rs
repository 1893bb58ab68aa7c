//! The arguments that filter links.

use std::path::Path;

use anyhow::Context;
use clap::builder::{PossibleValue, PossibleValuesParser};
use regex::{Regex, RegexBuilder};
use rehref::format::Format;
use rehref::jobs::{LinkFilter, LinkFilterError};
use rehref::link::Role;

use super::values::globs;
use crate::heading;
use crate::render::escape::shell_path;
use crate::render::message::Message;

/// The links that are printed.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = heading::FILTERS)]
pub(crate) struct FilterArgs {
    /// Only print links with one of these schemes, such as http,https
    #[arg(long, value_name = "SCHEME", value_delimiter = ',')]
    scheme: Vec<String>,
    /// Only print links to hosts that match GLOB, such as *.a.example
    ///
    /// GLOB matches the whole host. Several globs are separated by commas.
    #[arg(long, value_name = "GLOB")]
    host: Vec<String>,
    /// Skip links whose host matches one of these globs
    #[arg(long, value_name = "GLOB", hide_short_help = true)]
    exclude_host: Vec<String>,
    /// Only print links that match REGEX as printed
    #[arg(long = "match", value_name = "REGEX", value_parser = regex)]
    pattern: Option<RegexBuilder>,
    /// Skip links that match REGEX as printed
    #[arg(long = "exclude-match", value_name = "REGEX", value_parser = regex, hide_short_help = true)]
    excluded: Option<RegexBuilder>,
    /// Ignore case in --match and --exclude-match
    ///
    /// Hosts and schemes match in any case anyway.
    #[arg(short, long)]
    ignore_case: bool,
    /// Only print links with one of these roles
    #[arg(long, value_name = "ROLE", value_delimiter = ',',
        value_parser = roles())]
    role: Vec<String>,
    /// Only print links in one of these places
    #[arg(long, value_name = "PLACE", hide_short_help = true, value_delimiter = ',',
        value_parser = PossibleValuesParser::new(Format::places()))]
    place: Vec<String>,
}

impl FilterArgs {
    /// Returns the filter. With `raw`, patterns match references as written.
    pub(super) fn filter(&self, raw: bool) -> anyhow::Result<LinkFilter> {
        let mut filter = LinkFilter::default();
        filter.set_schemes(&self.scheme).context("--scheme")?;
        let hosts = self.host.iter().flat_map(|it| globs(it));
        let hosts = filter.set_hosts(hosts);
        hosts.map_err(|error| refused_host("--host", error))?;
        let excluded = self.exclude_host.iter().flat_map(|it| globs(it));
        let excluded = filter.set_excluded_hosts(excluded);
        excluded.map_err(|error| refused_host("--exclude-host", error))?;
        filter.roles.clone_from(&self.role);
        filter.places.clone_from(&self.place);
        filter.pattern = self.built(self.pattern.as_ref()).context("--match")?;
        let excluded = self.built(self.excluded.as_ref());
        filter.excluded_pattern = excluded.context("--exclude-match")?;
        filter.matches_reference = raw;
        Ok(filter)
    }

    fn built(&self, pattern: Option<&RegexBuilder>) -> Result<Option<Regex>, regex::Error> {
        let mut pattern = pattern.cloned();
        let pattern = pattern.as_mut().map(|it| it.case_insensitive(self.ignore_case));
        pattern.map(|it| it.build()).transpose()
    }
}

/// A parser of the names of roles.
fn roles() -> PossibleValuesParser {
    let value = |role: &Role| PossibleValue::new(role.as_str()).help(meaning(*role));
    PossibleValuesParser::new(Role::ALL.iter().map(value))
}

/// The purpose of links with a role.
fn meaning(role: Role) -> &'static str {
    match role {
        Role::Navigate => "hyperlinks, and URLs in text",
        Role::Embed => "images, media, frames, fonts",
        Role::Style => "style sheets",
        Role::Script => "scripts",
        Role::Submit => "targets of forms",
        Role::Cite => "sources of quotations and changes",
        Role::Ping => "URLs that are notified of clicks",
        Role::Base => "base URLs of other references",
        Role::Metadata => "facts about the document, such as its canonical URL",
        _ => "all other links",
    }
}

/// The error of a value of an option for hosts. A path as its value usually was meant as an input.
fn refused_host(option: &str, error: LinkFilterError) -> anyhow::Error {
    match &error {
        LinkFilterError::Host { glob, .. } if Path::new(glob).exists() => {
            let message = Message::new(format_args!("{option}: {glob} is a path, not a host"));
            let path = shell_path(Path::new(glob));
            message.with_help(format_args!("write a host before it: {option} HOST {path}")).into()
        }
        _ => anyhow::Error::new(error).context(option.to_owned()),
    }
}

/// Parses a regular expression, which is compiled when all options are parsed.
fn regex(pattern: &str) -> Result<RegexBuilder, regex::Error> {
    Regex::new(pattern)?;
    Ok(RegexBuilder::new(pattern))
}
