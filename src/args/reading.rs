//! The arguments that select and read the files of directories.

use std::path::Path;

use anyhow::bail;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use rehref::document::{Charset, UnknownCharset};
use rehref::format::Format;
use rehref::fs::{GitIgnore, Globs, Types};
use rehref::jobs::Inputs;
use rehref::source::TextSyntax;

use super::mistakes::similar_format;
use crate::heading;
use crate::project::Project;
use crate::render::escape::shell_word;
use crate::render::message::Message;
use crate::render::terminal::{summarize, warn};

/// Which files of directories are read, and how.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = heading::INPUT)]
pub(crate) struct ReadingArgs {
    /// Only read files of directories that match GLOB; `!GLOB` skips them
    ///
    /// May be repeated: the last match wins. GLOB matches the name of a file, or its path below the
    /// directory if GLOB has a `/`.
    #[arg(short, long, value_name = "GLOB")]
    glob: Vec<String>,
    /// Skip files and subdirectories that match GLOB
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Only read files of these types, such as html,markdown,css,xml,text,mail; -T skips them
    ///
    /// Types select files of directories by their names. Those of ripgrep are known too:
    /// --type-list prints them all.
    #[arg(short = 't', long = "type", value_name = "TYPE", value_delimiter = ',')]
    types: Vec<String>,
    /// Skip files of these types
    #[arg(
        short = 'T',
        long = "type-not",
        value_name = "TYPE",
        value_delimiter = ',',
        hide_short_help = true,
        hide_long_help = true
    )]
    excluded_types: Vec<String>,
    #[command(flatten)]
    git: GitArgs,
    /// Print the names of the files that would be read, and do nothing else
    #[arg(long, hide_short_help = true, group = "rule")]
    pub(crate) files: bool,
    /// Print all types of files and their globs, and do nothing else
    #[arg(long, hide_short_help = true, hide_long_help = true, group = "rule")]
    pub(crate) type_list: bool,
    /// Descend at most N directories
    #[arg(long, value_name = "N", hide_short_help = true)]
    max_depth: Option<usize>,
    /// Follow symbolic links when walking directories
    #[arg(short = 'L', long, hide_short_help = true)]
    follow: bool,
    /// Read every document as this kind
    #[arg(long, value_name = "KIND", hide_short_help = true, default_value = "auto", value_parser = media())]
    media: MediaChoice,
    /// Read every text with the syntax NAME, such as json, csv, roff, tex, python or diff
    ///
    /// By default, the extension of a file or the beginning of its content decides. NAME may also be
    /// an extension. The text of mail keeps its own syntax.
    #[arg(long, value_name = "NAME", hide_short_help = true, value_parser = syntax)]
    syntax: Option<String>,
    /// Read every document in this character encoding (a label of the Encoding Standard)
    #[arg(long, value_name = "LABEL", hide_short_help = true, value_parser = charset)]
    charset: Option<String>,
}

/// The use of git's rules.
#[derive(Debug, clap::Args)]
pub(super) struct GitArgs {
    /// Also read files of directories that git ignores
    ///
    /// By default, .gitignore files, .git/info/exclude and core.excludesFile apply below a PATH in a
    /// work tree, also to tracked files. A PATH that is itself ignored is read.
    #[arg(long, help_heading = heading::INPUT)]
    no_ignore: bool,
    /// The default.
    #[arg(long, hide = true, conflicts_with = "no_ignore", help_heading = heading::INPUT)]
    gitignore: bool,
}

impl GitArgs {
    pub(super) fn rules(&self) -> GitIgnore {
        match self.no_ignore {
            true => GitIgnore::off(),
            false => GitIgnore::default(),
        }
    }
}

impl ReadingArgs {
    pub(super) fn apply(&self, inputs: &mut Inputs, project: &Project) -> anyhow::Result<()> {
        self.warn_of_absolute_globs();
        if let Some(glob) = self.exclude.first().filter(|it| it.starts_with('!')) {
            bail!(
                "--exclude {glob}: there is no earlier --exclude that it could undo; --glob reads only what matches"
            );
        }
        inputs.walk.globs = globs("--glob", &self.glob)?;
        inputs.walk.excludes = globs("--exclude", &self.exclude)?;
        let types = match self.types.as_slice() {
            [] => project.types.as_slice(),
            types => types,
        };
        inputs.walk.types = Types::new(types, &self.excluded_types).map_err(|error| {
            let option = match types.iter().any(|it| it == error.name()) {
                true => "--type",
                false => "--type-not",
            };
            let message = Message::new(format_args!("{option}: {error}"));
            match similar_format(error.name()) {
                Some(similar) => message.with_help(format_args!("did you mean {similar}?")),
                None => message,
            }
        })?;
        inputs.walk.excludes_below = project.excludes();
        inputs.walk.gitignore = self.git.rules();
        inputs.walk.max_depth = self.max_depth;
        inputs.walk.follow = self.follow;
        inputs.read.format = self.media.0;
        inputs.read.syntax.clone_from(&self.syntax);
        inputs.read.charset.clone_from(&self.charset);
        Ok(())
    }

    /// The use of git's rules.
    pub(super) fn git_rules(&self) -> GitIgnore {
        self.git.rules()
    }

    /// The types of files that are read, as they are given.
    pub(super) fn types(&self) -> &[String] {
        &self.types
    }

    /// Warns of globs that look like the path of an existing file or directory from the root of the
    /// file system.
    fn warn_of_absolute_globs(&self) {
        let of = |option, globs: &[String]| {
            for glob in globs {
                let path = glob.strip_prefix('!').unwrap_or(glob);
                let literal = path.find(['*', '?', '[', '{']).unwrap_or(path.len());
                let directory = path[..literal].rfind('/').map_or("", |at| &path[..at]);
                if directory.starts_with('/') && Path::new(directory).is_dir() {
                    let message = format!(
                        "{option} {glob}: matched below the directory that is walked, not from {directory}"
                    );
                    warn(Message::new(message).with_help("write GLOB relative to PATH"));
                }
            }
        };
        of("--glob", &self.glob);
        of("--exclude", &self.exclude);
    }
}

/// The options that leave out links, which other programs name like those that leave out files.
const LINKS_NOT_FILES: &str = "--exclude is about files; --exclude-match REGEX skips links";

/// The globs of an option.
fn globs(option: &str, patterns: &[String]) -> Result<Globs, Message> {
    Globs::new(patterns).map_err(|error| {
        let message = Message::new(format_args!("{option}: {error}"));
        match patterns.iter().any(|it| it.contains("://")) {
            true => message.with_help(LINKS_NOT_FILES),
            false => message,
        }
    })
}

/// Prints the globs that have matched nothing in the directories of a run, after its end.
pub(crate) fn report_unmatched(inputs: &Inputs) {
    // Without directories, an unmatched glob is expected.
    if inputs.items.iter().all(|it| it.file().is_none()) {
        return;
    }
    let walk = &inputs.walk;
    for (option, globs) in [("--glob", &walk.globs), ("--exclude", &walk.excludes)] {
        for glob in globs.unmatched() {
            let glob = shell_word(glob.as_ref());
            let message = Message::new(format_args!("{option} {glob}: matched no file"));
            summarize(match option {
                "--exclude" => message.with_help(LINKS_NOT_FILES),
                _ => message,
            });
        }
    }
}

/// `--media`. `None` for `auto`.
#[derive(Clone, Copy, Debug)]
pub(super) struct MediaChoice(pub(super) Option<Format>);

fn media() -> impl TypedValueParser<Value = MediaChoice> {
    let names = std::iter::once("auto").chain(Format::all().map(Format::as_str));
    media_of(&names.collect::<Vec<_>>())
}

/// A parser of these kinds of documents.
pub(super) fn media_of(
    names: &[&'static str],
) -> impl TypedValueParser<Value = MediaChoice> + use<> {
    PossibleValuesParser::new(names.iter().copied()).map(|name| MediaChoice(name.parse().ok()))
}

/// The name of a syntax.
fn syntax(name: &str) -> Result<String, String> {
    match TextSyntax::named(name, b"") {
        Some(_) => Ok(name.to_owned()),
        None => Err(format!(
            "unknown syntax; known are {}, and extensions (--media html, markdown and others for other kinds)",
            TextSyntax::NAMES.join(", ")
        )),
    }
}

pub(super) fn charset(label: &str) -> Result<String, UnknownCharset> {
    Charset::named(label, b"").map(|_| label.to_owned())
}
