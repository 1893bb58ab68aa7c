//! The arguments of `extract`.

use rehref::format::Options;
use rehref::jobs::Extract;
use rehref::records::CountBy;

use super::filter::FilterArgs;
use super::inputs::InputArgs;
use super::mail::MailArgs;
use super::site::ConstructArgs;
use super::text::TextArgs;
use super::values::one_of;
use super::web_archive::RecordArgs;
use crate::exit::Exit;
use crate::heading;
use crate::render::extract::Renderer;
use crate::render::printing::PrintArgs;
use crate::render::quiet::Quiet;
use crate::render::styled::{HyperlinkChoice, Style};

#[derive(Debug, clap::Args)]
pub(crate) struct ExtractArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    print: PrintArgs,
    #[command(flatten)]
    filter: FilterArgs,
    /// Print the anchor text after each link of HTML and Markdown, and in text the words around it
    ///
    /// Records also have its rel, its title and the preceding heading; in mail date, sender and
    /// subject.
    #[arg(long, help_heading = heading::OUTPUT)]
    context: bool,
    /// Also find URLs in the text of HTML and XML, and links in escaped HTML of feeds
    ///
    /// In mail they are always found.
    #[arg(long, help_heading = heading::LINKS)]
    html_text: bool,
    /// Make names of files and URLs hyperlinks of the terminal (OSC 8)
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_short_help = true, help_heading = heading::OUTPUT)]
    hyperlink: HyperlinkChoice,
    /// Print the number of links for each value of WHAT, most frequent first
    ///
    /// `target` is the URL without its fragment, `doc` the document that contains the links. The
    /// row `-` counts links without the value, such as the host of mailto:. With -u, each URL counts
    /// once.
    #[arg(
        long,
        value_name = "WHAT",
        value_parser = one_of(CountBy::ALL, CountBy::as_str),
        help_heading = heading::OUTPUT,
        conflicts_with_all = ["count", "context", "with_filename", "line_number", "byte_offset"]
    )]
    count_by: Option<CountBy>,
    /// Also print the original of URLs that a mail gateway replaced (Safe Links, URL Defense and others)
    ///
    /// It is on a line of its own.
    #[arg(long, help_heading = heading::LINKS, hide_short_help = true)]
    unwrap: bool,
    /// Print defanged URLs as they were before: http://a.example for hxxp://a[.]example
    ///
    /// Without it they are printed as written. Records have both, and the note `defanged`.
    #[arg(long, help_heading = heading::LINKS, hide_short_help = true)]
    refang: bool,
    #[command(flatten)]
    site: ConstructArgs,
    #[command(flatten)]
    text: TextArgs,
    #[command(flatten)]
    mail: MailArgs,
    #[command(flatten)]
    records: RecordArgs,
}

impl ExtractArgs {
    pub(crate) fn renderer(&self) -> Renderer {
        let print = match self.inputs.are_several() {
            true => self.print.of_several_inputs(),
            false => self.print,
        };
        Renderer {
            print,
            types: self.inputs.reading.types().join(","),
            alternatives: self.text.prints_alternatives(),
            context: self.context,
            unwrap: self.unwrap,
            count_by: self.count_by,
            host: self.inputs.host_as_path().map(str::to_owned),
            style: match print.is_text() {
                true => Style::new(self.hyperlink),
                false => None,
            },
        }
    }

    pub(crate) fn null(&self) -> bool {
        self.print.null
    }

    pub(crate) fn quiet(&self) -> Quiet {
        Quiet::new(self.print.quiet, true)
    }

    /// Returns the run, and [`Exit::Trouble`] if a list of paths could not be read.
    pub(crate) fn job(&self) -> anyhow::Result<(Extract, Exit)> {
        let renderer = self.renderer();
        let mut extract = Extract::new();
        let (_, exit) = self.inputs.apply(&mut extract.inputs, "extract")?;
        let filter =
            self.filter.filter(self.print.matched(), extract.inputs.read.retrieval.as_ref())?;
        InputArgs::warn_of_base(&extract.inputs);
        extract.options = Options {
            html_text: self.html_text,
            escaped_html: self.html_text,
            text: self.text.options(),
            rels: filter.needs_rels(),
            ..self.inputs.run.options()
        };
        extract.options.markdown.defanged = true;
        extract.site = self.site.constructs;
        extract.filter = filter;
        self.mail.apply(&mut extract);
        self.records.apply(&mut extract)?;
        extract.first_link_only = self.print.quiet || self.print.files_with_links;
        extract.positions = renderer.prints_positions();
        extract.file_positions = self.print.has_columns() && extract.positions;
        extract.diagnostics = !self.print.is_text();
        extract.contexts = self.context && renderer.prints();
        extract.unwrap = self.unwrap;
        extract.refang = self.refang;
        Ok((extract, exit))
    }
}
