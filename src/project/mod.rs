//! The project file `.rehref.toml`: what a project decides once.
//!
//! It is found upward from each PATH, as git finds `.git`. The command line goes before it. It never
//! makes a command write, run or read anything outside of its directory.

mod settings;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use regex::Regex;
use rehref::bytes::LineIndex;
use rehref::docs_site::SiteChoice;
use rehref::format::markdown::Slugs;
use rehref::fs::{BaseMapping, Globs, Item, Types};
use toml::Spanned;

use self::settings::{Fault, Settings};
use crate::render::message::Message;

pub(crate) use self::settings::schema;

/// The name of project files.
const NAME: &str = ".rehref.toml";

/// The most bytes of a project file.
const MAX_LEN: u64 = 1 << 20;

/// The settings of a project for a command.
#[derive(Debug, Default)]
pub(crate) struct Project {
    /// The directory of the file, as users know it. Empty without a file.
    directory: PathBuf,
    /// The root of the site.
    pub(crate) root: Option<PathBuf>,
    /// The URL of the root.
    pub(crate) base: Option<BaseMapping>,
    pub(crate) site: Option<SiteChoice>,
    pub(crate) slugs: Option<Slugs>,
    pub(crate) anchors: Option<bool>,
    pub(crate) clean_urls: Option<bool>,
    exclude: Option<Globs>,
    pub(crate) ignore_links: Vec<Regex>,
    /// The names of types of files, which exist.
    pub(crate) types: Vec<String>,
}

impl Project {
    /// Reads the project file that is nearest to these items, or above the current directory
    /// without items.
    ///
    /// # Errors
    /// If two items have different files, or the file has a fault.
    pub(crate) fn nearest(items: &[Item], command: &str) -> Result<Self, Message> {
        let mut directories: BTreeSet<PathBuf> = BTreeSet::new();
        for path in items.iter().filter_map(Item::file) {
            directories.insert(match path.is_dir() {
                true => path.to_owned(),
                false => path.parent().map_or_else(PathBuf::new, Path::to_owned),
            });
        }
        if items.is_empty() {
            directories.insert(PathBuf::new());
        }
        let mut files = directories.iter().filter_map(|directory| file_above(directory));
        let Some(first) = files.next() else {
            return Ok(Self::default());
        };
        if let Some(other) = files.find(|it| *it != first) {
            let text = format!("the paths have {} and {}", first.display(), other.display());
            return Err(Message::new(text).with_help("use --config FILE, or --no-config"));
        }
        Self::read(&first, command)
    }

    /// Reads a project file.
    ///
    /// # Errors
    /// If it cannot be read, or has a fault. The message has the place.
    pub(crate) fn read(file: &Path, command: &str) -> Result<Self, Message> {
        let bytes = read_settings(file);
        let bytes =
            bytes.map_err(|error| Message::about(file, None, format!("cannot read: {error}")))?;
        let message = |fault: Fault| {
            let position = fault.at.map(|at| LineIndex::new(&bytes).position(at.start));
            Message::about(file, position, fault.text)
        };
        let text = str::from_utf8(&bytes).map_err(|error| {
            let at = error.valid_up_to();
            message(Fault { text: "invalid UTF-8".to_owned(), at: Some(at..at) })
        })?;
        let settings = Settings::of_command(text, command).map_err(message)?;
        Self::new(settings, directory_of(file)).map_err(message)
    }

    fn new(settings: Settings, directory: PathBuf) -> Result<Self, Fault> {
        let root = settings.root.map(|root| {
            let path = match directory == Path::new(".") {
                true => PathBuf::from(root.get_ref()),
                false => directory.join(root.get_ref()),
            };
            match is_directory_below(&path, &directory) {
                true => Ok(path),
                false if !path.exists() => {
                    Err(fault(&root, format!("there is no directory {}", root.get_ref())))
                }
                false => Err(fault(&root, "root is not a directory below that of this file")),
            }
        });
        let root = root.transpose()?;
        let base = settings.base.map(|base| {
            let of = root.as_deref().unwrap_or(&directory);
            BaseMapping::of_directory(base.get_ref(), of).map_err(|error| fault(&base, error))
        });
        let regexes = |patterns: Spanned<Vec<String>>| {
            let compiled = patterns.get_ref().iter().map(|it| Regex::new(it));
            compiled.collect::<Result<Vec<_>, _>>().map_err(|error| {
                // The lines before show the place in the pattern.
                let text = error.to_string();
                let reason = text.lines().last().unwrap_or_default();
                let reason = reason.strip_prefix("error: ").unwrap_or(reason);
                fault(&patterns, format!("invalid regular expression: {reason}"))
            })
        };
        let globs = |globs: Spanned<Vec<String>>| {
            Globs::new(globs.get_ref()).map_err(|error| fault(&globs, error))
        };
        let types = |types: Spanned<Vec<String>>| match Types::new(types.get_ref(), &[]) {
            Ok(_) => Ok(types.into_inner()),
            Err(error) => Err(fault(&types, error)),
        };
        Ok(Self {
            base: base.transpose()?,
            site: settings.site.map(named).transpose()?,
            slugs: settings.slugs.map(named).transpose()?,
            anchors: settings.anchors,
            clean_urls: settings.clean_urls,
            exclude: settings.exclude.map(globs).transpose()?,
            ignore_links: settings.ignore_links.map(regexes).transpose()?.unwrap_or_default(),
            types: settings.types.map(types).transpose()?.unwrap_or_default(),
            root,
            directory,
        })
    }

    /// The globs of skipped files, with the directory of the file.
    pub(crate) fn excludes(&self) -> Option<(PathBuf, Globs)> {
        let exclude = self.exclude.clone()?;
        Some((self.directory.clone(), exclude))
    }

    /// The directory of the site, if the file names it or its URL.
    pub(crate) fn site_root(&self) -> Option<&Path> {
        self.root.as_deref().or(self.base.is_some().then_some(&*self.directory))
    }

    /// Returns true if all paths are below the root, which may be that of a run then. Paths that do
    /// not exist count as their nearest directory.
    pub(crate) fn has<'p>(&self, paths: impl IntoIterator<Item = &'p Path>) -> bool {
        let root = self.root.as_ref().unwrap_or(&self.directory).canonicalize();
        root.is_ok_and(|root| {
            paths.into_iter().all(|path| {
                let real =
                    path.ancestors().find_map(|it| Path::new(".").join(it).canonicalize().ok());
                real.is_some_and(|it| it.starts_with(&root))
            })
        })
    }
}

/// The content of a project file.
///
/// # Errors
/// If it cannot be read, or is too long to be one.
fn read_settings(file: &Path) -> io::Result<Vec<u8>> {
    // Anything else could block.
    if !fs::metadata(file)?.is_file() {
        return Err(io::Error::other("not a file"));
    }
    let mut bytes = Vec::new();
    fs::File::open(file)?.take(MAX_LEN + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MAX_LEN {
        true => Err(io::Error::other("longer than 1 MiB")),
        false => Ok(bytes),
    }
}

/// The project file in a directory or the nearest one above.
fn file_above(directory: &Path) -> Option<PathBuf> {
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let absolute = directory.canonicalize().ok()?;
    let found =
        absolute.ancestors().map(|it| it.join(NAME)).find(|it| it.symlink_metadata().is_ok())?;
    // Relative to the current directory, as users name files.
    let current = Path::new(".").canonicalize().ok()?;
    Some(found.strip_prefix(&current).map_or(found.clone(), Path::to_owned))
}

/// The directory of a file.
fn directory_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(directory) if !directory.as_os_str().is_empty() => directory.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Returns true if a path names a directory in another one, without symbolic links that leave it.
fn is_directory_below(path: &Path, directory: &Path) -> bool {
    match (path.canonicalize(), directory.canonicalize()) {
        (Ok(path), Ok(directory)) => path.starts_with(directory) && path.is_dir(),
        _ => false,
    }
}

/// A value of a type with names.
fn named<T: FromStr<Err: std::fmt::Display>>(name: Spanned<String>) -> Result<T, Fault> {
    name.get_ref().parse().map_err(|error| fault(&name, error))
}

fn fault<T>(value: &Spanned<T>, text: impl ToString) -> Fault {
    let at: Range<usize> = value.span();
    Fault { text: text.to_string(), at: Some(at) }
}
