//! Messages about a mirror.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::jobs::error::{ALL_DIRECTORIES, ALL_URLS, JobError, place_in};

/// A message about a mirror.
#[derive(Debug)]
#[non_exhaustive]
pub enum MirrorEvent<'e> {
    /// A site that marks in pages name.
    Site {
        /// The URL.
        url: &'e str,
        /// The directory.
        directory: &'e Path,
        /// A page with a mark.
        page: &'e Path,
        /// The origin of the scheme.
        scheme: &'e SchemeOrigin,
    },
    /// The number of sites that were not reported.
    MoreSites(usize),
    /// A log was found and is used.
    Log(&'e Path),
    /// A log was found and is not used.
    LogIgnored(&'e JobError),
    /// The last row of a log, at this line from 1, is incomplete.
    IncompleteRow(&'e Path, usize),
    /// Most URLs of a log are not those of the mirror.
    OtherUrls {
        /// The log.
        file: &'e Path,
        /// The line of the first such URL, from 1.
        line: Option<u64>,
        /// The number of such URLs.
        count: usize,
        /// The number of URLs.
        total: usize,
        /// The URL of the mirror, if it has one site.
        site: Option<&'e str>,
        /// The first such URL.
        first: &'e str,
    },
    /// Most files of a log are not those of the mirror.
    OtherFiles {
        /// The log.
        file: &'e Path,
        /// The line of the first such file, from 1.
        line: Option<u64>,
        /// The number of such files.
        count: usize,
        /// The number of files.
        total: usize,
        /// The directory of the mirror, if it has one site.
        directory: Option<&'e Path>,
        /// The first such file.
        first: &'e str,
    },
    /// A file or log could not be read.
    Error(&'e JobError),
}

/// The origin of the scheme of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemeOrigin {
    /// The mark of a page.
    Mark,
    /// A log.
    Log(PathBuf),
    /// The links of pages.
    Links,
    /// A guess.
    Guess,
}

impl fmt::Display for MirrorEvent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Site { url, directory, page, scheme } => {
                let (directory, page) = (directory.display(), page.display());
                write!(f, "{url}={directory} (mark in {page}")?;
                match scheme {
                    SchemeOrigin::Mark => f.write_str(")"),
                    SchemeOrigin::Log(log) => write!(f, "; scheme in {})", log.display()),
                    SchemeOrigin::Links => f.write_str("; scheme of its links)"),
                    SchemeOrigin::Guess => f.write_str("; scheme guessed)"),
                }
            }
            Self::MoreSites(1) => f.write_str("1 more site"),
            Self::MoreSites(count) => write!(f, "{count} more sites"),
            Self::Log(log) => write!(f, "reads the log {}", log.display()),
            Self::LogIgnored(error) => write!(f, "{error}; log ignored"),
            Self::IncompleteRow(log, line) => {
                let log = log.display();
                write!(f, "{log}:{line}:1: incomplete last row skipped")
            }
            Self::OtherUrls { file, line, count, total, site, first } => {
                let (place, site) = (place_in(file, *line), site.unwrap_or(ALL_URLS));
                write!(
                    f,
                    "{place}: {count} of {total} URLs in the log are not below {site}, such as {first}"
                )
            }
            Self::OtherFiles { file, line, count, total, directory, first } => {
                let place = place_in(file, *line);
                let directory = directory.unwrap_or(Path::new(ALL_DIRECTORIES)).display();
                write!(
                    f,
                    "{place}: {count} of {total} files in the log are not in {directory}, such as {first}"
                )
            }
            Self::Error(error) => error.fmt(f),
        }
    }
}
