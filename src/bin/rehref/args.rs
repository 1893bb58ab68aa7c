//! What can be said on the command line.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use crate::color::ColorChoice;
use crate::moving::Redirects;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use rehref::document::{Charset, Media};
use rehref::find::text::{Hyphen, Iri, Join, TextOptions};
use rehref::find::{Extra, MAX_BASE, Role};
use rehref::map::BaseElements;
use rehref::site::LocalNames;
use rehref::source::Retrieval;
use rehref::uri::{AboveRoot, Grammar, Parts, Profile, Resolver, SameScheme};

/// Find every URL in text, HTML, CSS and XML, and rewrite links without touching any other byte.
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
            crate::terminal::print_error(command.render_help());
        }
    }
}

/// What to read.
#[derive(Debug, clap::Args)]
pub(crate) struct InputArgs {
    /// Files, folders, `-` for standard input, or `PATH#OFFSET,LENGTH` for a part of a file
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<OsString>,
    /// Read more paths from LIST or `-`, one a line or each ended by NUL
    #[arg(long, value_name = "LIST")]
    pub(crate) files_from: Vec<OsString>,
    /// Of folders, take only files that match GLOB: by name, or by path below the folder if it has
    /// a `/`
    #[arg(long, value_name = "GLOB")]
    pub(crate) glob: Vec<String>,
    /// Of folders, leave out files and folders that match GLOB
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Go at most N folders deep
    #[arg(long, value_name = "N")]
    pub(crate) max_depth: Option<usize>,
    /// Follow symbolic links in folders
    #[arg(short = 'L', long)]
    pub(crate) follow: bool,
    /// Read every document as this kind
    #[arg(long, value_name = "KIND", default_value = "auto", value_parser = media_parser())]
    pub(crate) media: MediaChoice,
    /// Read every document in this charset (a label of the Encoding standard)
    #[arg(long, value_name = "LABEL", value_parser = charset_label)]
    pub(crate) charset: Option<String>,
    /// The URI that the document was retrieved from, or URL=DIR for those of a whole tree
    #[arg(long, value_name = "URI", value_parser = Retrieval::parse)]
    pub(crate) base: Option<Retrieval>,
    /// Work on N documents at a time [default: one a processor]
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
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
    pub(crate) format: Format,
    /// The same as --format jsonl
    #[arg(long)]
    pub(crate) json: bool,
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
    /// Also find URLs that are written in the text of HTML and XML documents
    #[arg(long)]
    pub(crate) html_text: bool,
    #[command(flatten)]
    pub(crate) text: TextArgs,
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
pub(crate) enum Format {
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
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// Where the folder lives: URL for DIR itself, or URL=DIR. Absolute links to there are local then
    #[arg(long, value_name = "URL")]
    pub(crate) base: Option<String>,
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
    /// Check the links of files that match GLOB only: by name, or by path below the folder if it has a `/`
    #[arg(long, value_name = "GLOB")]
    pub(crate) glob: Vec<String>,
    /// Do not check the links of files and folders that match GLOB
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Check links at most N folders deep
    #[arg(long, value_name = "N")]
    pub(crate) max_depth: Option<usize>,
    /// Follow symbolic links to where else the tree is
    #[arg(short = 'L', long)]
    pub(crate) follow: bool,
    /// Read every document as this kind
    #[arg(long, value_name = "KIND", default_value = "auto", value_parser = media_parser())]
    pub(crate) media: MediaChoice,
    /// Read every document in this charset (a label of the Encoding standard)
    #[arg(long, value_name = "LABEL", value_parser = charset_label)]
    pub(crate) charset: Option<String>,
    /// Work on N documents at a time [default: one a processor]
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<std::num::NonZeroUsize>,
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

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("rule").required(true).multiple(true))]
pub(crate) struct RewriteArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Make references absolute; in plain text they are
    #[arg(long, group = "rule")]
    pub(crate) absolute: bool,
    /// Make references to the document's own site relative, but for those in plain text
    #[arg(long, group = "rule")]
    pub(crate) relative: bool,
    /// Make references to the document's own site absolute paths, such as /a/b, but for those in plain text
    #[arg(long, group = "rule")]
    pub(crate) root_relative: bool,
    /// Let what leads to URIs that begin with OLD lead to NEW, in plain text too; the longest OLD wins
    #[arg(long, group = "rule", value_name = "OLD=NEW")]
    pub(crate) map: Vec<String>,
    /// The same for each row of FILE: old,new as CSV, or as TSV if it ends in .tsv or its first line has a tab
    #[arg(long, group = "rule", value_name = "FILE")]
    pub(crate) map_file: Vec<PathBuf>,
    /// Replace in URIs what the regular expression RE matches by TEMPLATE, with $1 or ${name} for groups, in
    /// plain text too; the first that matches wins
    #[arg(long, group = "rule", value_name = "RE=TEMPLATE")]
    pub(crate) map_re: Vec<String>,
    /// Let what leads to the copy of URL's site in DIR lead from file to file, and make all else absolute; the
    /// documents under DIR are those from under URL. May be given for several sites
    #[arg(long, group = "rule", value_name = "URL=DIR", value_parser = Retrieval::parse,
        conflicts_with_all = ["absolute", "relative", "root_relative"])]
    pub(crate) mirror: Vec<Retrieval>,
    /// How the file names of the copy came from URLs: the path alone, or as these tools make them
    #[arg(long, value_name = "HOW", default_value = "raw", requires = "mirror",
        value_parser = one_of::<LocalNames>(LocalNames::ALL.iter().map(|it| it.as_str())))]
    pub(crate) local_name: LocalNames,
    /// The files that are shown for a folder of the copy, the first that is there
    #[arg(
        long,
        value_name = "NAME",
        default_value = "index.html",
        value_delimiter = ',',
        requires = "mirror"
    )]
    pub(crate) index: Vec<String>,
    /// What becomes of BASE: it stays, it goes, or URI takes its place; all links go on leading where they did
    /// [default: keep]
    #[arg(long, group = "rule", value_name = "keep|strip|URI", value_parser = base_elements)]
    pub(crate) base_element: Option<BaseElements>,
    /// Let --relative, --root-relative and --mirror change also the addresses that others know a page by: canonical,
    /// hreflang, og:url and the like
    #[arg(long)]
    pub(crate) canonical: bool,
    /// Write the changed documents in place; what is done is noted in .rehref/ under the root, so that it
    /// can be taken back
    #[arg(short, long, conflicts_with_all = ["output", "check", "diff"])]
    pub(crate) write: bool,
    /// Write a new tree to DIR, all other files copied
    #[arg(short, long, value_name = "DIR", conflicts_with_all = ["check", "diff"])]
    pub(crate) output: Option<PathBuf>,
    /// Write nothing; exit with 1 if something would change
    #[arg(long, conflicts_with = "diff")]
    pub(crate) check: bool,
    /// Print a diff, also where standard input is the only document
    #[arg(long)]
    pub(crate) diff: bool,
    /// Print the edits as JSON, one object a line
    #[arg(long, conflicts_with = "diff")]
    pub(crate) json: bool,
    /// End JSON records with NUL
    #[arg(short = '0', long)]
    pub(crate) null: bool,
    /// Say of each link that is kept why it is
    #[arg(long)]
    pub(crate) explain: bool,
    /// Before anything comes of a changed document, read old and new apart, and leave it as it is unless
    /// they are equal but for the rewritten links; of HTML, the trees that a browser would build
    #[arg(long)]
    pub(crate) verify: bool,
    /// What becomes of the hashes (`integrity`) of style sheets and scripts that this run changes: they stay and
    /// are warned of, or they go
    #[arg(long, value_name = "WHAT", default_value = "keep")]
    pub(crate) integrity: IntegrityChoice,
    #[command(flatten)]
    pub(crate) in_place: InPlaceArgs,
    /// The rules in the order in which they were given.
    #[arg(skip)]
    pub(crate) rules: Vec<RuleName>,
}

/// `--integrity`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum IntegrityChoice {
    /// They stay, and no longer hold
    Keep,
    /// The attributes go
    Drop,
}

/// What is written in place, and taken back.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "In place")]
pub(crate) struct InPlaceArgs {
    /// The folder outside of which nothing is written, and that holds .rehref/ [default: the deepest that
    /// holds all PATHs]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Keep the old content of each changed file besides, in a file whose name has SUFFIX at its end; one that
    /// is there stays
    #[arg(long, value_name = "SUFFIX", num_args = 0..=1, require_equals = true,
        default_missing_value = ".orig", value_parser = suffix, requires = "write")]
    pub(crate) backup: Option<String>,
    /// Note nothing in .rehref/: the run cannot be taken back, and not be finished if it is interrupted
    #[arg(long, requires = "write", conflicts_with = "root")]
    pub(crate) no_journal: bool,
    /// Take back the last run in place, as far as it came
    #[arg(long, group = "rule", conflicts_with_all = ALL_BUT_PATHS)]
    pub(crate) undo: bool,
    /// Finish the run in place that was interrupted
    #[arg(long, group = "rule", conflicts_with_all = ALL_BUT_PATHS, conflicts_with = "undo")]
    pub(crate) resume: bool,
}

/// What says nothing where an older run is gone on with.
const ALL_BUT_PATHS: [&str; 13] = [
    "absolute", "relative", "map", "mirror", "write", "output", "check", "diff", "json", "null",
    "explain", "verify", "base",
];

/// The end of a name.
fn suffix(text: &str) -> Result<String, &'static str> {
    match text.is_empty() || text.contains(['/', '\\', '\0']) {
        true => Err("not the end of a file's name"),
        false => Ok(text.to_owned()),
    }
}

/// What moves, and how.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "rehref move [OPTIONS] SRC... DST\n       rehref move [OPTIONS] --from-list FILE\n       \
    rehref move [OPTIONS] --moved OLD=NEW\n       rehref move --undo|--resume [--root DIR]"
)]
#[command(group = clap::ArgGroup::new("what").required(true).multiple(true))]
pub(crate) struct MoveArgs {
    /// Files and folders, and at last where they go: into DST if that is a folder, else DST is the new name
    #[arg(value_name = "SRC... DST", group = "what")]
    pub(crate) paths: Vec<PathBuf>,
    /// Also move what each row of FILE says: old,new as CSV, or as TSV if it ends in .tsv or its first line has
    /// a tab
    #[arg(long, value_name = "FILE", group = "what")]
    pub(crate) from_list: Vec<PathBuf>,
    /// OLD is NEW already: only references are to follow
    #[arg(long, value_name = "OLD=NEW", group = "what", conflicts_with_all = ["paths", "from_list"])]
    pub(crate) moved: Vec<OsString>,
    /// The folder of the tree in which references follow
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) root: PathBuf,
    /// The URL of the tree, or URL=DIR for that of a folder that it lies in; then absolute references follow too
    #[arg(long, value_name = "URL", value_parser = Retrieval::parse)]
    pub(crate) base: Option<Retrieval>,
    /// Move, and rewrite what has to follow; what is done is noted in .rehref/ under the root, so that it can be
    /// taken back
    #[arg(short, long, conflicts_with = "check")]
    pub(crate) write: bool,
    /// Write nothing; exit with 1 if something would change
    #[arg(long)]
    pub(crate) check: bool,
    /// Print moves and edits as JSON, one object a line
    #[arg(long)]
    pub(crate) json: bool,
    /// Say of each link that is kept why it is
    #[arg(long)]
    pub(crate) explain: bool,
    /// Before a changed document is written, read old and new apart, and leave it as it is unless they are equal
    /// but for the rewritten links
    #[arg(long)]
    pub(crate) verify: bool,
    /// Let git move what it knows
    #[arg(long, conflicts_with = "moved")]
    pub(crate) git: bool,
    /// Also tell those who come to the old places
    #[arg(long, value_name = "HOW")]
    pub(crate) redirects: Option<Redirects>,
    /// Take back the last run, as far as it came
    #[arg(long, group = "what", conflicts_with_all = ["paths", "from_list", "moved", "resume", "write", "check"])]
    pub(crate) undo: bool,
    /// Finish the run that was interrupted
    #[arg(long, group = "what", conflicts_with_all = ["paths", "from_list", "moved", "write", "check"])]
    pub(crate) resume: bool,
    /// Work on N documents at a time [default: one a processor]
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) resolving: ResolvingArgs,
    #[command(flatten)]
    pub(crate) html: HtmlArgs,
}

/// A rule of `rewrite`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuleName {
    Absolute,
    Relative,
    RootRelative,
    Map,
    MapRe,
    Mirror,
}

impl RuleName {
    /// The rules that the command line names, in its order; one given often counts where it comes
    /// first.
    fn in_order(matches: &ArgMatches) -> Vec<Self> {
        let rules = [
            ("absolute", Self::Absolute),
            ("relative", Self::Relative),
            ("root_relative", Self::RootRelative),
            ("map", Self::Map),
            ("map_file", Self::Map),
            ("map_re", Self::MapRe),
            ("mirror", Self::Mirror),
        ];
        let given = |name: &str| matches.value_source(name) == Some(ValueSource::CommandLine);
        let mut found: Vec<_> = rules
            .into_iter()
            .filter(|(name, _)| given(name))
            .filter_map(|(name, rule)| Some((matches.indices_of(name)?.next()?, rule)))
            .collect();
        found.sort_by_key(|&(at, _)| at);
        let mut rules: Vec<Self> = Vec::new();
        for (_, rule) in found {
            // Maps are one, whether they are given here or in files.
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
        rules
    }
}

fn base_elements(text: &str) -> Result<BaseElements, String> {
    let uri = match text {
        "keep" => return Ok(BaseElements::Keep),
        "strip" => return Ok(BaseElements::Strip),
        uri => uri,
    };
    let parts = Parts::split(uri);
    let is_code = |scheme: &str| {
        let codes = ["data", "javascript"];
        codes.iter().any(|it| scheme.eq_ignore_ascii_case(it))
    };
    match parts.scheme {
        None => Err("neither keep, strip nor an absolute URI".to_owned()),
        Some(scheme) if is_code(scheme) => Err(format!("a {scheme} URI is no base")),
        Some(_) if uri.len() > MAX_BASE => Err("longer than a base may be".to_owned()),
        Some(_) => Ok(BaseElements::Replace(uri.to_owned())),
    }
}

/// `--media`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MediaChoice(pub(crate) Option<Media>);

fn media_parser() -> impl TypedValueParser<Value = MediaChoice> {
    let names = std::iter::once("auto").chain(Media::ALL.map(Media::as_str));
    PossibleValuesParser::new(names).map(|name| MediaChoice(name.parse().ok()))
}

fn charset_label(label: &str) -> Result<String, rehref::document::UnknownCharset> {
    Charset::named(label, b"").map(|_| label.to_owned())
}

/// A parser that takes the names of a type's values, and lists them in help and errors.
fn one_of<T>(names: impl IntoIterator<Item = &'static str>) -> impl TypedValueParser<Value = T>
where
    T: FromStr + Clone + Send + Sync + 'static,
    T::Err: std::error::Error + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse::<T>())
}
