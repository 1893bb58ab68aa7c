//! The arguments of `extract` about its output.

use clap::ValueEnum;
use rehref::link::MatchedText;

use crate::heading;
use crate::render::csv::RowStyle;
use crate::render::terminal::stdout_is_terminal;

/// The arguments for printing links.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = heading::OUTPUT)]
pub(crate) struct PrintArgs {
    /// Print references as written, not resolved
    #[arg(long)]
    pub(crate) raw: bool,
    /// Print the file name before each link; -I never does
    ///
    /// It is the default for several inputs on a terminal.
    #[arg(short = 'H', long, overrides_with = "no_filename")]
    with_filename: bool,
    /// Print no file names
    #[arg(
        short = 'I',
        long,
        overrides_with = "with_filename",
        hide_short_help = true,
        hide_long_help = true
    )]
    no_filename: bool,
    /// Print the line number before each link
    ///
    /// In mail it is the line in the decoded part. --format vimgrep prints that in the file.
    #[arg(short = 'n', long)]
    line_number: bool,
    /// Print the byte offset before each link, from 0
    ///
    /// In mail it is the offset in the decoded part.
    #[arg(short, long, hide_short_help = true)]
    pub(crate) byte_offset: bool,
    /// Print only the names of files with links
    #[arg(short = 'l', long, conflicts_with_all = ["count", "count_by", "unique", "format", "json"])]
    pub(crate) files_with_links: bool,
    /// Print only the number of links
    ///
    /// It is the total, or the number of each file with -H, --json or CSV.
    #[arg(short, long)]
    pub(crate) count: bool,
    /// Print each link only once
    #[arg(short, long)]
    pub(crate) unique: bool,
    /// Print nothing; exit with 0 at the first link, with 1 if there is none
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Print in this format; --json is the same as --format jsonl
    ///
    /// With --escape-formulas, cells of CSV that spreadsheets would read as formulas (=, +, -, @)
    /// begin with an apostrophe.
    #[arg(long, value_name = "FORMAT", default_value = "lines")]
    format: OutputFormat,
    /// Same as --format jsonl
    #[arg(long, hide_short_help = true, hide_long_help = true)]
    json: bool,
    // Users of other programs expect it.
    #[arg(long, hide = true, conflicts_with_all = ["format", "json"])]
    csv: bool,
    /// In CSV, begin cells with an apostrophe if spreadsheets would read them as formulas (=, +, -,
    /// @)
    #[arg(long, hide_short_help = true, hide_long_help = true)]
    pub(crate) escape_formulas: bool,
    /// End records with NUL
    #[arg(short = '0', long, hide_short_help = true)]
    pub(crate) null: bool,
}

impl PrintArgs {
    pub(crate) fn format(self) -> OutputFormat {
        match (self.json, self.csv) {
            (true, _) => OutputFormat::Jsonl,
            (_, true) => OutputFormat::Csv,
            _ => self.format,
        }
    }

    /// The text of links that is printed, counted and matched.
    pub(crate) fn matched(self) -> MatchedText {
        match self.raw {
            true => MatchedText::Reference,
            false => MatchedText::Url,
        }
    }

    /// Returns true if records are lines of text.
    pub(crate) fn is_text(self) -> bool {
        matches!(self.format(), OutputFormat::Lines | OutputFormat::Vimgrep)
    }

    /// Returns true if lines have columns, after names and line numbers.
    pub(crate) fn has_columns(self) -> bool {
        self.format() == OutputFormat::Vimgrep
    }

    /// Returns the arguments for several inputs: on a terminal, links have file names.
    pub(crate) fn of_several_inputs(self) -> Self {
        let is_default = self.format() == OutputFormat::Lines && !self.count && !self.no_filename;
        Self { with_filename: self.with_filename || is_default && stdout_is_terminal(), ..self }
    }

    pub(crate) fn has_names(self) -> bool {
        self.with_filename || self.has_columns() && !self.no_filename
    }

    pub(crate) fn has_lines(self) -> bool {
        self.line_number || self.has_columns()
    }

    /// The end of a record.
    pub(crate) fn end(self) -> u8 {
        if self.null { 0 } else { b'\n' }
    }

    /// The style of rows of CSV.
    pub(crate) fn rows(self) -> RowStyle {
        RowStyle { end: self.end(), escapes_formulas: self.escape_formulas }
    }
}

/// The format of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// One link per line
    Lines,
    /// One JSON object per line
    Jsonl,
    /// Comma-separated values, with a header
    Csv,
    /// file:line:column:link
    Vimgrep,
}
