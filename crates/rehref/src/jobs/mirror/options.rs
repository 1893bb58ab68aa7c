//! The options of a mirror.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::fs::RealDirectory;
use crate::mirror::LocalNames;

/// The sites of a mirror: a downloaded copy of one or more sites.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MirrorOptions {
    /// The sites.
    pub sites: MirrorSites,
    /// The inputs of the run, as the command line has them.
    pub inputs: Vec<OsString>,
    /// Logs of the crawl.
    pub logs: Vec<PathBuf>,
    /// The form of file names. By default that of the first log; else that of HTTrack if pages name
    /// the sites, else raw.
    pub names: Option<LocalNames>,
    /// The names of index files.
    pub index: Vec<String>,
}

/// The sites of a mirror.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum MirrorSites {
    /// The sites that marks in the pages of the inputs name.
    Marked,
    /// These URLs with their directories.
    Named(Vec<(String, RealDirectory)>),
}

impl MirrorOptions {
    /// A mirror of these sites.
    pub fn new(sites: MirrorSites) -> Self {
        Self {
            sites,
            inputs: Vec::new(),
            logs: Vec::new(),
            names: None,
            index: vec!["index.html".to_owned()],
        }
    }
}
