//! The options of a run that unpacks web archives.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::fs::Item;
use crate::jobs::Stop;
use crate::unpack::captures::CaptureChoice;

/// Unpacks web archives into a tree of files to browse offline. Links between its files are
/// relative.
///
/// ```no_run
/// use rehref::jobs::{Unpack, UnpackEvent};
///
/// let mut unpack = Unpack::new("site/");
/// unpack.archives.push("site.warc.gz".into());
/// let report = unpack.for_each(|event| {
///     if let UnpackEvent::Missing(missing) = event {
///         println!("{}: {}", missing.uri, missing.why);
///     }
/// })?;
/// println!("{} files", report.summary.files);
/// # Ok::<(), rehref::error::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Unpack {
    /// The archives: WARC, ARC or WACZ, compressed or not. They are read twice, in the order of
    /// their names, so standard input is an error.
    pub archives: Vec<Item>,
    /// The directory that receives the files.
    pub directory: PathBuf,
    /// The captures that are chosen.
    pub choice: CaptureChoice,
    /// The form of links to URLs that have no file.
    pub missing_links: MissingLinks,
    /// True to replace files that exist and have another content. Default: false; then they are
    /// errors.
    pub replaces_files: bool,
    /// True to write nothing. Default: false.
    pub dry_run: bool,
    /// The number of threads. Default: one. With [`MissingLinks::Local`], one thread is used.
    pub threads: NonZeroUsize,
    /// Ends the run early, between two records.
    pub stop: Stop,
}

/// The form of links to URLs that have no file, on hosts with files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingLinks {
    /// They become absolute, so that a browser fetches them.
    #[default]
    Absolute,
    /// They become relative paths of the files that would be there, so that nothing is fetched from
    /// these hosts.
    Local,
}

impl Unpack {
    /// Unpacks archives, which are to be added, into this directory.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self {
            archives: Vec::new(),
            directory: directory.into(),
            choice: CaptureChoice::default(),
            missing_links: MissingLinks::default(),
            replaces_files: false,
            dry_run: false,
            threads: NonZeroUsize::MIN,
            stop: Stop::default(),
        }
    }
}
