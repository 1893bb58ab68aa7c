//! The arguments that filter links.

use std::path::Path;

use anyhow::Context;
use clap::builder::{PossibleValue, PossibleValuesParser};
use regex::{Regex, RegexBuilder};
use rehref::format::Format;
use rehref::fs::BaseMapping;
use rehref::link::{Condition, LinkFilter, LinkFilterError, MatchedText, Role, Side};

use super::values::globs;
use crate::heading;
use crate::project::Project;
use crate::render::escape::shell_path;
use crate::render::message::Message;

/// The links that a run takes. The twin of an option, such as `--exclude-host`, is in its help.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = heading::FILTERS)]
pub(crate) struct FilterArgs {
    /// Only take links with one of these schemes, such as http,https; --exclude-scheme skips them
    #[arg(long, value_name = "SCHEME", value_delimiter = ',', hide_short_help = true)]
    scheme: Vec<String>,
    /// Skip links with one of these schemes
    #[arg(
        long,
        value_name = "SCHEME",
        value_delimiter = ',',
        hide_short_help = true,
        hide_long_help = true
    )]
    exclude_scheme: Vec<String>,
    /// Only take links to hosts that match GLOB, such as *.a.example; --exclude-host skips them
    ///
    /// GLOB matches the whole host. Several globs are separated by commas.
    #[arg(long, value_name = "GLOB")]
    host: Vec<String>,
    /// Skip links to hosts that match GLOB
    #[arg(long, value_name = "GLOB", hide_short_help = true, hide_long_help = true)]
    exclude_host: Vec<String>,
    /// Only take links that match REGEX; --exclude-match skips them
    ///
    /// extract matches what it prints: the URL, or the reference with --raw. Other commands match
    /// the URL and the reference. --ignore-case ignores case; hosts and schemes match in any case anyway.
    #[arg(long = "match", value_name = "REGEX", value_parser = regex)]
    patterns: Vec<RegexBuilder>,
    /// Skip links that match REGEX
    #[arg(long = "exclude-match", alias = "exclude-link", value_name = "REGEX", value_parser = regex,
        hide_short_help = true, hide_long_help = true)]
    excluded: Vec<RegexBuilder>,
    /// Ignore case in --match and --exclude-match
    #[arg(short, long, hide_short_help = true, hide_long_help = true)]
    ignore_case: bool,
    /// Only take relative links and those below --base; --external takes the others of the web
    ///
    /// External links have http, https or // and are not below --base. Links with other schemes are
    /// neither.
    #[arg(long, conflicts_with = "external")]
    internal: bool,
    /// Only take links with http, https or // that are not below --base
    #[arg(long, hide_short_help = true, hide_long_help = true)]
    external: bool,
    /// Only take links with one of these roles; --exclude-role skips them
    #[arg(long, value_name = "ROLE", value_delimiter = ',', value_parser = roles(), hide_short_help = true)]
    role: Vec<String>,
    /// Skip links with one of these roles
    #[arg(long, value_name = "ROLE", value_delimiter = ',', value_parser = roles(), hide_short_help = true,
        hide_long_help = true)]
    exclude_role: Vec<String>,
    /// Only take links in one of these places; --exclude-place skips them
    #[arg(long, value_name = "PLACE", hide_short_help = true, value_delimiter = ',', value_parser = places())]
    place: Vec<String>,
    /// Skip links in one of these places
    #[arg(long, value_name = "PLACE", hide_short_help = true, hide_long_help = true, value_delimiter = ',',
        value_parser = places())]
    exclude_place: Vec<String>,
    /// Only take links with one of these words in rel, such as nofollow; --exclude-rel skips them
    #[arg(long, value_name = "REL", value_delimiter = ',', value_parser = word, hide_short_help = true)]
    rel: Vec<String>,
    /// Skip links with one of these words in rel
    #[arg(
        long,
        value_name = "REL",
        value_delimiter = ',',
        value_parser = word,
        hide_short_help = true,
        hide_long_help = true
    )]
    exclude_rel: Vec<String>,
}

/// Leaves the filter out of the short help of a command that does more than find links, and the `-i`
/// that other programs read as "in place" or "interactive".
pub(super) fn with_brief_filter(command: clap::Command) -> clap::Command {
    const SHOWN: [&str; 3] = ["host", "patterns", "internal"];
    let command = command.mut_args(|arg| match SHOWN.contains(&arg.get_id().as_str()) {
        true => arg.hide_short_help(true),
        false => arg,
    });
    with_values_elsewhere(command).mut_arg("ignore_case", |arg| arg.short(None))
}

/// Leaves the values of roles and places to the help of `extract`.
pub(super) fn with_values_elsewhere(command: clap::Command) -> clap::Command {
    let command = command
        .mut_arg("role", |arg| arg.hide_possible_values(true))
        .mut_arg("place", |arg| arg.hide_possible_values(true));
    let hint = "`rehref extract --help` lists the values.";
    command.mut_arg("role", |arg| {
        let text = arg.get_help().map(ToString::to_string).unwrap_or_default();
        arg.long_help(format!("{text}\n\n{hint}"))
    })
}

impl FilterArgs {
    /// Returns the filter of a run over documents with this base. Links that the project ignores do
    /// not pass.
    pub(super) fn of_project(
        &self,
        project: &Project,
        base: Option<&BaseMapping>,
    ) -> anyhow::Result<LinkFilter> {
        let mut filter = self.filter(MatchedText::Either, base)?;
        filter.patterns.except.extend_from_slice(&project.ignore_links);
        Ok(filter)
    }

    /// Returns the filter of a run over documents with this base.
    pub(super) fn filter(
        &self,
        matched: MatchedText,
        base: Option<&BaseMapping>,
    ) -> anyhow::Result<LinkFilter> {
        let mut filter = LinkFilter::default();
        let schemes = filter.set_schemes(&self.scheme, &self.exclude_scheme);
        schemes.context("--scheme")?;
        let hosts = self.host.iter().flat_map(|it| globs(it));
        let hosts = filter.set_hosts(hosts);
        hosts.map_err(|error| refused_host("--host", error))?;
        let excluded = self.exclude_host.iter().flat_map(|it| globs(it));
        let excluded = filter.set_excluded_hosts(excluded);
        excluded.map_err(|error| refused_host("--exclude-host", error))?;
        let names = |only: &[String], except: &[String]| Condition {
            only: only.to_vec(),
            except: except.to_vec(),
        };
        filter.roles = names(&self.role, &self.exclude_role);
        filter.places = names(&self.place, &self.exclude_place);
        filter.rels = names(&self.rel, &self.exclude_rel);
        filter.patterns.only = self.built(&self.patterns).context("--match")?;
        filter.patterns.except = self.built(&self.excluded).context("--exclude-match")?;
        filter.matched = matched;
        filter.side = match (self.internal, self.external) {
            (true, _) => Some(Side::Internal),
            (_, true) => Some(Side::External),
            _ => None,
        };
        filter.site = base.map(|base| base.url().to_owned());
        Ok(filter)
    }

    /// Returns true with `--external`.
    pub(super) fn is_external(&self) -> bool {
        self.external
    }

    fn built(&self, patterns: &[RegexBuilder]) -> Result<Vec<Regex>, regex::Error> {
        let patterns = patterns.iter().cloned();
        patterns.map(|mut it| it.case_insensitive(self.ignore_case).build()).collect()
    }
}

/// A parser of the names of places.
fn places() -> PossibleValuesParser {
    PossibleValuesParser::new(Format::places())
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
        Role::Namespace => "names of XML namespaces",
        Role::Metadata => "facts about the document, such as its canonical URL",
        _ => "all other links",
    }
}

/// The error of a value of an option for hosts. A path as its value usually was meant as an input.
fn refused_host(option: &str, error: LinkFilterError) -> anyhow::Error {
    match &error {
        LinkFilterError::Host { glob, .. } if glob.starts_with('@') => {
            let file = shell_path(Path::new(&glob[1..]));
            let message = Message::new(format_args!("{option}: {glob} is not a host"));
            let help = format!("for the hosts in a file: {option} \"$(paste -sd, {file})\"");
            message.with_help(help).into()
        }
        LinkFilterError::Host { glob, .. } if Path::new(glob).exists() => {
            let message = Message::new(format_args!("{option}: {glob} is a path, not a host"));
            let path = shell_path(Path::new(glob));
            message.with_help(format_args!("write a host before it: {option} HOST {path}")).into()
        }
        _ => anyhow::Error::new(error).context(option.to_owned()),
    }
}

/// Parses a word of `rel`.
fn word(word: &str) -> Result<String, &'static str> {
    match word.is_empty() || word.contains(|it: char| it.is_whitespace() || "*?".contains(it)) {
        true => Err("a value is one word, such as nofollow"),
        false => Ok(word.to_owned()),
    }
}

/// Parses a regular expression, which is compiled when all options are parsed.
fn regex(pattern: &str) -> Result<RegexBuilder, regex::Error> {
    Regex::new(pattern)?;
    Ok(RegexBuilder::new(pattern))
}
