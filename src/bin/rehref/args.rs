//! What can be said on the command line.

mod editing;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, bail};
use clap::builder::{OsStringValueParser, PossibleValuesParser, TypedValueParser};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use rehref::container::mail::MboxFormat;
use rehref::format::Extra;
use rehref::format::Format;
use rehref::format::text::{Hyphen, Iri, Join, TextOptions};
use rehref::fs::{BaseMapping, Globs, WalkOptions};
use rehref::link::Role;
use rehref::source::Charset;
use rehref::uri::{AboveRoot, Grammar, Profile, Resolver, SameScheme};

pub(crate) use self::editing::{
    InPlaceArgs, IntegrityChoice, MirrorChoice, MoveArgs, RewriteArgs, RuleName,
};
use crate::render::color::ColorChoice;

/// Find every URL in text, HTML, CSS, XML and mail, and rewrite links without touching any other byte.
#[derive(Debug, Parser)]
#[command(
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    args_override_self = true
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Whether diffs are coloured
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the links of files, folders and standard input
    Extract(Box<ExtractArgs>),
    /// Resolve references against a base
    Resolve(ResolveArgs),
    /// Split URIs into their components and say whether they are valid
    Parse(ParseArgs),
    /// Find local links and anchors that lead nowhere, without the network
    Check(Box<CheckArgs>),
    /// Rewrite the links of HTML, CSS, XML and plain text, and nothing else in them
    Rewrite(Box<RewriteArgs>),
    /// Move files and folders of a tree, and let every reference to and from them follow
    Move(Box<MoveArgs>),
}

impl Args {
    /// The arguments of this process. Prints help or what is wrong with them, and ends it, if need
    /// be.
    pub(crate) fn of_process() -> Self {
        let matches = Self::command().get_matches();
        let mut args = Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        if let (Command::Rewrite(args), Some(matches)) =
            (&mut args.command, matches.subcommand_matches("rewrite"))
        {
            args.rules = RuleName::in_order(matches);
        }
        args
    }

    /// Prints the short help of a command to standard error.
    pub(crate) fn print_short_help(command: &str) {
        let mut all = Self::command();
        all.build();
        if let Some(command) = all.find_subcommand_mut(command) {
            crate::render::terminal::print_error(command.render_help());
        }
    }
}

/// What to read.
#[derive(Debug, clap::Args)]
pub(crate) struct InputArgs {
    /// Files, folders, `-` for standard input, or `PATH#OFFSET,LENGTH` for a part of a file
    #[arg(value_name = "PATH", value_parser = name())]
    pub(crate) paths: Vec<OsString>,
    /// Read more paths from LIST or `-`, one a line or each ended by NUL
    #[arg(long, value_name = "LIST", value_parser = name())]
    pub(crate) files_from: Vec<OsString>,
    #[command(flatten)]
    pub(crate) walk: WalkArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    /// The URI that the document was retrieved from, or URL=DIR for those of a whole tree
    #[arg(long, value_name = "URI", value_parser = retrieval())]
    pub(crate) base: Vec<BaseMapping>,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    #[command(flatten)]
    pub(crate) resolving: ResolvingArgs,
    #[command(flatten)]
    pub(crate) html: HtmlArgs,
}

/// How HTML is read.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct HtmlArgs {
    /// Read HTML as where scripts run: what is in `noscript` does not count
    #[arg(long, help_heading = "HTML")]
    pub(crate) scripting: bool,
    /// Also take URLs that no browser follows: those of `meta` elements such as og:image, of attributes
    /// such as data-src, of JSON-LD, of conditional comments
    #[arg(
        long,
        value_name = "WHAT",
        value_delimiter = ',',
        help_heading = "HTML"
    )]
    also: Vec<Also>,
}

impl HtmlArgs {
    pub(crate) fn extra(&self) -> Extra {
        let has = |it| self.also.contains(&it) || self.also.contains(&Also::All);
        Extra {
            meta: has(Also::Meta),
            data: has(Also::Data),
            json: has(Also::Json),
            comments: has(Also::Comments),
        }
    }
}

/// `--also`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Also {
    /// `meta` elements with a property such as og:image or twitter:player
    Meta,
    /// Attributes such as data-src and data-srcset
    Data,
    /// JSON-LD and speculation rules
    Json,
    /// Conditional comments
    Comments,
    /// All of these
    All,
}

/// Which files of folders are taken.
#[derive(Debug, clap::Args)]
pub(crate) struct WalkArgs {
    /// Of folders, take only files that match GLOB: by name, or by path below the folder if it has
    /// a `/`
    #[arg(long, value_name = "GLOB")]
    glob: Vec<String>,
    /// Of folders, leave out files and folders that match GLOB
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Go at most N folders deep
    #[arg(long, value_name = "N")]
    max_depth: Option<usize>,
    /// Follow symbolic links in folders
    #[arg(short = 'L', long)]
    follow: bool,
}

impl WalkArgs {
    pub(crate) fn tree(&self) -> anyhow::Result<WalkOptions> {
        Ok(WalkOptions {
            globs: Globs::new(&self.glob).context("--glob")?,
            excludes: Globs::new(&self.exclude).context("--exclude")?,
            max_depth: self.max_depth,
            follow: self.follow,
            whole: false,
        })
    }
}

/// As what documents are read.
#[derive(Debug, clap::Args)]
pub(crate) struct ReadingArgs {
    /// Read every document as this kind
    #[arg(long, value_name = "KIND", default_value = "auto", value_parser = media_parser())]
    pub(crate) media: MediaChoice,
    /// Read every document in this charset (a label of the Encoding standard)
    #[arg(long, value_name = "LABEL", value_parser = charset_label)]
    pub(crate) charset: Option<String>,
}

/// How many documents are worked on at a time.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct JobsArgs {
    /// Work on N documents at a time [default: one a processor]
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
}

/// How references are resolved.
#[derive(Debug, clap::Args)]
pub(crate) struct ResolvingArgs {
    /// Resolve by the algorithm of this text
    #[arg(long, value_name = "NAME", default_value = "rfc3986",
        value_parser = one_of::<Profile>(Profile::ALL.iter().map(|it| it.as_str())))]
    profile: Profile,
    /// What becomes of `..` above the root, where the profile leaves the choice
    #[arg(long, value_name = "HOW", default_value = "retain",
        value_parser = one_of::<AboveRoot>(AboveRoot::ALL.iter().map(|it| it.as_str())))]
    above_root: AboveRoot,
    /// What a scheme equal to the base's means, where the profile leaves the choice
    #[arg(long, value_name = "HOW", default_value = "strict",
        value_parser = one_of::<SameScheme>(SameScheme::ALL.iter().map(|it| it.as_str())))]
    same_scheme: SameScheme,
}

impl ResolvingArgs {
    pub(crate) fn resolver(&self) -> Resolver {
        Resolver {
            profile: self.profile,
            above_root: self.above_root,
            same_scheme: self.same_scheme,
        }
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct ExtractArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Print references as written, not where they lead
    #[arg(long)]
    pub(crate) raw: bool,
    /// Print the document's name before each link
    #[arg(short = 'H', long)]
    pub(crate) with_filename: bool,
    /// Print the line before each link
    #[arg(short = 'n', long)]
    pub(crate) line_number: bool,
    /// Print the offset of the first byte, from 0, before each link
    #[arg(short, long)]
    pub(crate) byte_offset: bool,
    /// Print only how many links there are: in all, or in each document with -H
    #[arg(short, long)]
    pub(crate) count: bool,
    /// Print each link once
    #[arg(short, long)]
    pub(crate) unique: bool,
    /// Print nothing; exit with 0 as soon as there is a link, else with 1
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// The form of the output
    #[arg(long, value_name = "FORMAT", default_value = "lines")]
    pub(crate) format: OutputFormat,
    /// The same as --format jsonl
    #[arg(long)]
    pub(crate) json: bool,
    /// In CSV, begin cells with an apostrophe that spreadsheets would take for formulas (=, +, -, @)
    #[arg(long)]
    pub(crate) escape_formulas: bool,
    /// End records with NUL
    #[arg(short = '0', long)]
    pub(crate) null: bool,
    /// Take only links of these schemes
    #[arg(long, value_name = "SCHEME", value_delimiter = ',')]
    pub(crate) scheme: Vec<String>,
    /// Take only links whose host matches GLOB
    #[arg(long, value_name = "GLOB")]
    pub(crate) host: Vec<String>,
    /// Take only links whose printed form matches REGEX
    #[arg(long = "match", value_name = "REGEX")]
    pub(crate) pattern: Option<regex::Regex>,
    /// Take only links with one of these roles
    #[arg(long, value_name = "ROLE", value_delimiter = ',',
        value_parser = PossibleValuesParser::new(Role::ALL.map(Role::as_str)))]
    pub(crate) role: Vec<String>,
    /// Take only links in one of these places
    #[arg(long, value_name = "PLACE", value_delimiter = ',',
        value_parser = PossibleValuesParser::new(["text", "html", "css", "xml", "header"]))]
    pub(crate) place: Vec<String>,
    /// Also tell what stands round each link of HTML: its text, rel and title, and the heading before it;
    /// on lines, the text after a tab
    #[arg(long)]
    pub(crate) context: bool,
    /// Also find URLs that are written in the text of HTML and XML documents; in mail they are found always
    #[arg(long)]
    pub(crate) html_text: bool,
    /// Print how many links lead to each host, instead of the links
    #[arg(long, value_name = "WHAT", conflicts_with_all = ["count", "context"])]
    pub(crate) count_by: Option<CountBy>,
    /// Also tell what a link leads to that a mail gateway has put in the place of another (Safe Links, URL
    /// Defense); on lines, as a further line
    #[arg(long)]
    pub(crate) unwrap: bool,
    #[command(flatten)]
    pub(crate) text: TextArgs,
    #[command(flatten)]
    pub(crate) mail: MailArgs,
}

/// `--count-by`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CountBy {
    /// The host
    Host,
}

/// How mail is read.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Mail")]
pub(crate) struct MailArgs {
    /// How the messages of mailboxes are parted and quoted
    #[arg(long, value_name = "FORMAT", default_value = "auto",
        value_parser = one_of::<MboxFormat>(MboxFormat::ALL.iter().map(|it| it.as_str())))]
    pub(crate) mbox: MboxFormat,
    /// Leave out the links of headers
    #[arg(long)]
    pub(crate) no_headers: bool,
    /// Of the alternatives of a message (text and HTML), whether a link is told of each that has it, or of the
    /// first
    #[arg(long, value_name = "WHICH", default_value = "all")]
    alternatives: AlternativesChoice,
}

impl MailArgs {
    /// Whether a link that is in several alternatives is taken of the first only.
    pub(crate) fn takes_first(self) -> bool {
        self.alternatives == AlternativesChoice::First
    }
}

/// `--alternatives`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AlternativesChoice {
    /// Of the first
    First,
    /// Of each
    All,
}

/// How URLs are found in plain text.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Plain text")]
pub(crate) struct TextArgs {
    /// Also find www.a.b/x and ftp.a.b
    #[arg(long)]
    abbreviated: bool,
    /// Also find bare mail addresses
    #[arg(long)]
    emails: bool,
    /// Which characters beyond ASCII a bare URL may hold: those of Unicode link detection (UTS #58),
    /// none, or all but white space
    #[arg(long, value_name = "WHICH", default_value = "auto",
        value_parser = one_of::<Iri>(Iri::ALL.iter().map(|it| it.as_str())))]
    iri: Iri,
    /// What becomes of a hyphen at a line end within a URL; `both` prints both readings
    #[arg(long, value_name = "HOW", default_value = "keep")]
    hyphen: HyphenChoice,
    /// Over which line ends URLs are put together: none; those in <...>, in "..." and after a hyphen that
    /// the next line continues; or also those of bare URLs by the evidence [default: guess in mail, angle
    /// elsewhere]
    #[arg(long, value_name = "WHERE",
        value_parser = one_of::<Join>(Join::ALL.iter().map(|it| it.as_str())))]
    join: Option<Join>,
    /// The text is format=flowed with delsp=yes (RFC 3676)
    #[arg(long)]
    delsp: bool,
    /// Take RFC 3986, Appendix C (Appendix E of its predecessors) to the letter, without the heuristics
    /// for real-world text
    #[arg(long)]
    strict: bool,
}

impl TextArgs {
    pub(crate) fn options(self) -> TextOptions {
        TextOptions {
            iri: self.iri,
            hyphen: match self.hyphen {
                HyphenChoice::Keep | HyphenChoice::Both => Hyphen::Keep,
                HyphenChoice::Drop => Hyphen::Drop,
            },
            join: self.join,
            delsp: self.delsp,
            flowed: self.delsp,
            abbreviated: self.abbreviated,
            emails: self.emails,
            strict: self.strict,
        }
    }

    /// Whether the other readings of a link are printed too.
    pub(crate) fn prints_alternatives(self) -> bool {
        self.hyphen == HyphenChoice::Both
    }
}

/// `--hyphen`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum HyphenChoice {
    /// It stays, and the reading without it is in the record
    Keep,
    /// It goes, and the reading with it is in the record
    Drop,
    /// It stays, and the other reading is printed as a further line
    Both,
}

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// One link a line
    Lines,
    /// One JSON object a line
    Jsonl,
    /// Comma-separated values, with their names first
    Csv,
    /// file:line:column:link
    Vimgrep,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// The folder to check [default: the current one, or that of --base]
    #[arg(value_name = "DIR", value_parser = path())]
    pub(crate) folder: Option<PathBuf>,
    /// Where the folder lives: URL for DIR itself, or URL=DIR. Absolute links to there are local then
    #[arg(long, value_name = "URL")]
    pub(crate) base: Vec<OsString>,
    /// Also check fragments: that an element has the name
    #[arg(long)]
    pub(crate) anchors: bool,
    /// Report links that work only where the case of names, or their form in Unicode, makes no difference
    #[arg(long)]
    pub(crate) case: bool,
    /// Also report pages that no other document links to
    #[arg(long)]
    pub(crate) orphans: bool,
    /// A link to a folder needs a file in it of one of these names
    #[arg(long, value_name = "NAMES", value_delimiter = ',', num_args = 0..,
        require_equals = true, default_missing_value = "index.html,index.htm")]
    pub(crate) index: Option<Vec<String>>,
    /// The form of the output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: CheckFormat,
    /// The same as --format jsonl
    #[arg(long)]
    pub(crate) json: bool,
    /// End records with NUL
    #[arg(short = '0', long)]
    pub(crate) null: bool,
    #[command(flatten)]
    pub(crate) walk: WalkArgs,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    #[command(flatten)]
    pub(crate) resolving: ResolvingArgs,
    #[command(flatten)]
    pub(crate) html: HtmlArgs,
}

/// The form of what `check` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// file:line:column: reference: why
    Text,
    /// One JSON object a line
    Jsonl,
    /// Workflow commands of GitHub Actions
    Github,
    /// A report of tests as JUnit writes it, one for each document
    Junit,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ResolveArgs {
    /// The base URI
    pub(crate) base: String,
    /// References; `-`, or none, to read them from standard input, one a line
    #[arg(value_name = "REF")]
    pub(crate) references: Vec<OsString>,
    /// The inverse: print the shortest reference that leads from BASE to each URI
    #[arg(long)]
    pub(crate) relative: bool,
    /// Say behind each answer which step of the algorithm decided, and where it is written
    #[arg(long, conflicts_with = "relative")]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) style: StyleArgs,
    #[command(flatten)]
    pub(crate) resolving: ResolvingArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ParseArgs {
    /// URIs or references; `-`, or none, to read them from standard input, one a line
    #[arg(value_name = "URI")]
    pub(crate) references: Vec<OsString>,
    /// The text whose grammar decides
    #[arg(long, value_name = "NAME", default_value = "rfc3986",
        value_parser = one_of::<Grammar>(Grammar::ALL.iter().map(|it| it.as_str())))]
    pub(crate) profile: Grammar,
    #[command(flatten)]
    pub(crate) style: StyleArgs,
}

/// How the answers to single references are printed.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct StyleArgs {
    /// One JSON object for each
    #[arg(long)]
    pub(crate) json: bool,
    /// End records with NUL
    #[arg(short = '0', long)]
    pub(crate) null: bool,
}

/// `--media`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MediaChoice(pub(crate) Option<Format>);

fn media_parser() -> impl TypedValueParser<Value = MediaChoice> {
    let names = std::iter::once("auto").chain(Format::ALL.map(Format::as_str));
    PossibleValuesParser::new(names).map(|name| MediaChoice(name.parse().ok()))
}

fn charset_label(label: &str) -> Result<String, rehref::source::UnknownCharset> {
    Charset::named(label, b"").map(|_| label.to_owned())
}

/// A parser for what names a file or folder, or stands for one.
fn name() -> impl TypedValueParser<Value = OsString> {
    let named = |name: OsString| match name.is_empty() {
        true => Err("an empty path names no file and no folder"),
        false => Ok(name),
    };
    OsStringValueParser::new().try_map(named)
}

/// The same for paths.
fn path() -> impl TypedValueParser<Value = PathBuf> {
    name().map(PathBuf::from)
}

/// A parser for URI, or URL=DIR.
fn retrieval() -> impl TypedValueParser<Value = BaseMapping> {
    OsStringValueParser::new().try_map(|argument| BaseMapping::parse(&argument))
}

/// What `--base` says. It holds for a whole run, so two would contradict each other.
pub(crate) fn the_base<T>(mut given: Vec<T>) -> anyhow::Result<Option<T>> {
    if given.len() > 1 {
        bail!(
            "--base is given {} times, and only one can hold",
            given.len()
        );
    }
    Ok(given.pop())
}

/// A parser that takes the names of a type's values, and lists them in help and errors.
fn one_of<T>(names: impl IntoIterator<Item = &'static str>) -> impl TypedValueParser<Value = T>
where
    T: FromStr + Clone + Send + Sync + 'static,
    T::Err: std::error::Error + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse::<T>())
}
