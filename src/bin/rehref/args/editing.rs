//! The arguments of what edits: `rewrite` and `move`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{ArgMatches, ValueEnum};
use rehref::fs::BaseMapping;
use rehref::jobs::Redirects;
use rehref::link::MAX_BASE;
use rehref::rewrite::BaseElements;
use rehref::site::LocalNames;
use rehref::uri::Parts;

use super::{HtmlArgs, InputArgs, JobsArgs, ResolvingArgs, one_of, path, retrieval};

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
    #[arg(long, group = "rule", value_name = "FILE", value_parser = path())]
    pub(crate) map_file: Vec<PathBuf>,
    /// Replace in URIs what the regular expression RE matches by TEMPLATE, with $1 or ${name} for groups, in
    /// plain text too; the first that matches wins
    #[arg(long, group = "rule", value_name = "RE=TEMPLATE")]
    pub(crate) map_re: Vec<String>,
    /// Convert a downloaded copy of URL in DIR for offline use: make links within the copy relative and all others
    /// absolute, as `wget -k` does. May be repeated. `auto` takes the URLs from marks of HTTrack, SingleFile and
    /// browsers in the pages of PATH
    #[arg(long, group = "rule", value_name = "URL=DIR|auto", value_parser = mirror(),
        conflicts_with_all = ["absolute", "relative", "root_relative"])]
    pub(crate) mirror: Vec<MirrorChoice>,
    /// How files of the copy are named: by the URL path alone, or as these tools do [default: as in --mirror-log, httrack
    /// with --mirror auto, else raw]
    // An argument that excludes --mirror would lift the requirement.
    #[arg(long, value_name = "HOW", requires = "mirror",
        conflicts_with_all = ["absolute", "relative", "root_relative"],
        value_parser = one_of::<LocalNames>(LocalNames::ALL.iter().map(|it| it.as_str())))]
    pub(crate) local_name: Option<LocalNames>,
    /// Read the URLs of files from the log FILE: wget's (English, -nv or not), HTTrack's hts-cache/new.txt, or CDX
    #[arg(long, value_name = "FILE", requires = "mirror", value_parser = path(),
        conflicts_with_all = ["absolute", "relative", "root_relative"])]
    pub(crate) mirror_log: Vec<PathBuf>,
    /// Index files of the copy's directories; the first that exists counts
    #[arg(
        long,
        value_name = "NAME",
        default_value = "index.html",
        value_delimiter = ',',
        requires = "mirror",
        conflicts_with_all = ["absolute", "relative", "root_relative"]
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
    #[arg(short, long, value_name = "DIR", value_parser = path(), conflicts_with_all = ["check", "diff"])]
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

/// `--mirror`.
#[derive(Clone, Debug)]
pub(crate) enum MirrorChoice {
    /// What the pages say.
    Auto,
    /// A URL, with its directory if one is given.
    Site(BaseMapping),
}

fn mirror() -> impl TypedValueParser<Value = MirrorChoice> {
    OsStringValueParser::new().try_map(|argument| match argument == "auto" {
        true => Ok(MirrorChoice::Auto),
        false => BaseMapping::parse(&argument).map(MirrorChoice::Site),
    })
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
    #[arg(long, value_name = "DIR", value_parser = path())]
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
    #[arg(long, groups = ["rule", "again"], conflicts_with_all = ALL_BUT_PATHS)]
    pub(crate) undo: bool,
    /// Finish the run in place that was interrupted
    #[arg(long, groups = ["rule", "again"], conflicts_with_all = ALL_BUT_PATHS, conflicts_with = "undo")]
    pub(crate) resume: bool,
    /// Let --undo or --resume use a journal that was not written for this directory, such as that of a directory
    /// you moved, copied or restored
    #[arg(long, requires = "again")]
    pub(crate) trust_journal: bool,
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
    #[arg(value_name = "SRC... DST", group = "what", value_parser = path())]
    pub(crate) paths: Vec<PathBuf>,
    /// Also move what each row of FILE, or of `-` for standard input, says: old,new as CSV, or as TSV if it ends
    /// in .tsv or its first line has a tab
    #[arg(long, value_name = "FILE", group = "what", value_parser = path())]
    pub(crate) from_list: Vec<PathBuf>,
    /// OLD is NEW already: only references are to follow
    #[arg(long, value_name = "OLD=NEW", group = "what", conflicts_with_all = ["paths", "from_list"])]
    pub(crate) moved: Vec<OsString>,
    /// The folder of the tree in which references follow
    #[arg(long, value_name = "DIR", default_value = ".", value_parser = path())]
    pub(crate) root: PathBuf,
    /// The URL of the tree, or URL=DIR for that of a folder that it lies in; then absolute references follow too
    #[arg(long, value_name = "URL", value_parser = retrieval())]
    pub(crate) base: Vec<BaseMapping>,
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
    pub(crate) redirects: Option<RedirectsChoice>,
    /// Take back the last run, as far as it came
    #[arg(long, groups = ["what", "again"], conflicts_with_all = ["paths", "from_list", "moved", "resume", "write", "check"])]
    pub(crate) undo: bool,
    /// Finish the run that was interrupted
    #[arg(long, groups = ["what", "again"], conflicts_with_all = ["paths", "from_list", "moved", "write", "check"])]
    pub(crate) resume: bool,
    /// Let --undo or --resume use a journal that was not written for this directory, such as that of a directory
    /// you moved, copied or restored
    #[arg(long, requires = "again")]
    pub(crate) trust_journal: bool,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    #[command(flatten)]
    pub(crate) resolving: ResolvingArgs,
    #[command(flatten)]
    pub(crate) html: HtmlArgs,
}

/// `--redirects`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RedirectsChoice {
    /// Rules in the file `_redirects`
    Netlify,
    /// Rules in the file `.htaccess`
    Apache,
    /// Rules in the file `redirects.nginx.conf`, to be included in a server block
    Nginx,
    /// A page in each place that a page has moved from
    Html,
}

impl RedirectsChoice {
    pub(crate) fn kind(self) -> Redirects {
        match self {
            Self::Netlify => Redirects::Netlify,
            Self::Apache => Redirects::Apache,
            Self::Nginx => Redirects::Nginx,
            Self::Html => Redirects::Html,
        }
    }
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
    pub(super) fn in_order(matches: &ArgMatches) -> Vec<Self> {
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
