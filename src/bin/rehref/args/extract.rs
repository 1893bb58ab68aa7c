//! The arguments of `extract`.

use anyhow::Context;
use clap::ValueEnum;
use clap::builder::PossibleValuesParser;
use rehref::format::{Format, Options};
use rehref::jobs::{Extract, LinkFilter};
use rehref::link::Role;

use super::inputs::InputArgs;
use super::mail::MailArgs;
use super::text::TextArgs;
use crate::exit::Exit;
use crate::render::csv::CsvFormat;
use crate::render::extract::{OutputFormat, Renderer};
use crate::render::lines::LineFormat;

#[derive(Debug, clap::Args)]
pub(crate) struct ExtractArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// Print references as written, not resolved
    #[arg(long)]
    raw: bool,
    /// Print the file name before each link
    #[arg(short = 'H', long)]
    with_filename: bool,
    /// Print the line number before each link
    #[arg(short = 'n', long)]
    line_number: bool,
    /// Print the byte offset before each link, from 0
    #[arg(short, long)]
    byte_offset: bool,
    /// Print only the number of links: in total, or per document with -H
    #[arg(short, long)]
    count: bool,
    /// Print each link only once
    #[arg(short, long)]
    unique: bool,
    /// Print nothing; exit with 0 at the first link, or with 1 if there is none
    #[arg(short, long)]
    quiet: bool,
    /// Print in this format
    #[arg(long, value_name = "FORMAT", default_value = "lines")]
    format: OutputFormat,
    /// Same as --format jsonl
    #[arg(long)]
    json: bool,
    /// In CSV, begin cells with an apostrophe if spreadsheets would read them as formulas (=, +, -, @)
    #[arg(long)]
    escape_formulas: bool,
    /// End records with NUL
    #[arg(short = '0', long)]
    null: bool,
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
        value_parser = PossibleValuesParser::new(Role::ALL.map(Role::as_str)))]
    role: Vec<String>,
    /// Only print links in one of these places
    #[arg(long, value_name = "PLACE", value_delimiter = ',',
        value_parser = PossibleValuesParser::new(Format::places()))]
    place: Vec<String>,
    /// Include each HTML link's anchor text, rel, title and preceding heading; lines have the text after a tab
    #[arg(long)]
    context: bool,
    /// Also find URLs in the text of HTML and XML documents; in mail they are always found
    #[arg(long)]
    html_text: bool,
    /// Print the number of links to each host instead of the links
    #[arg(long, value_name = "WHAT", conflicts_with_all = ["count", "context"])]
    count_by: Option<CountBy>,
    /// Also decode URLs that a mail gateway replaced (Safe Links, URL Defense), and print the original URL on a line of
    /// its own
    #[arg(long)]
    unwrap: bool,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    mail: MailArgs,
}

impl ExtractArgs {
    pub(crate) fn renderer(&self) -> Renderer {
        let format = match self.json {
            true => OutputFormat::Jsonl,
            false => self.format,
        };
        let is_vimgrep = format == OutputFormat::Vimgrep;
        Renderer {
            format,
            line: LineFormat {
                raw: self.raw,
                name: self.with_filename || is_vimgrep,
                line: self.line_number || is_vimgrep,
                column: is_vimgrep,
                offset: self.byte_offset,
                context: self.context,
                null: self.null,
            },
            csv: CsvFormat {
                null: self.null,
                escape_formulas: self.escape_formulas,
            },
            count: self.count,
            unique: self.unique,
            quiet: self.quiet,
            alternatives: self.text.prints_alternatives(),
            context: self.context,
            unwrap: self.unwrap,
            count_by_host: self.count_by.is_some(),
        }
    }

    /// Returns the run, and [`Exit::Trouble`] if a list of paths could not be read.
    pub(crate) fn job(&self) -> anyhow::Result<(Extract, Exit)> {
        let filter = self.filter()?;
        let (inputs, exit) = self.inputs.inputs()?;
        let mut extract = Extract::new();
        extract.inputs = inputs;
        extract.options = Options {
            html_text: self.html_text,
            text: self.text.options(),
            ..self.inputs.run.options()
        };
        extract.filter = filter;
        self.mail.apply(&mut extract);
        let renderer = self.renderer();
        extract.first_link_only = self.quiet;
        extract.positions = renderer.prints_positions();
        extract.diagnostics = renderer.prints_diagnostics();
        extract.contexts = self.context && renderer.prints();
        extract.unwrap = self.unwrap;
        Ok((extract, exit))
    }

    fn filter(&self) -> anyhow::Result<LinkFilter> {
        let mut filter = LinkFilter::default();
        filter.set_hosts(&self.host).context("--host")?;
        filter.schemes.clone_from(&self.scheme);
        filter.roles.clone_from(&self.role);
        filter.places.clone_from(&self.place);
        filter.pattern.clone_from(&self.pattern);
        filter.matches_reference = self.raw;
        Ok(filter)
    }
}

/// `--count-by`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CountBy {
    /// The host
    Host,
}
