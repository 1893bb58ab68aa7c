//! The arguments of `rewrite` about writing in place.

use std::path::{Path, PathBuf};

use rehref::jobs::InPlace;

use super::values::path;
use crate::undo::Again;

/// What is written in place, and taken back.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "In place")]
pub(crate) struct InPlaceArgs {
    /// The folder outside of which nothing is written, and that holds .rehref/ [default: the deepest that
    /// holds all PATHs]
    #[arg(long, value_name = "DIR", value_parser = path())]
    root: Option<PathBuf>,
    /// Keep the old content of each changed file besides, in a file whose name has SUFFIX at its end; one that
    /// is there stays
    #[arg(long, value_name = "SUFFIX", num_args = 0..=1, require_equals = true,
        default_missing_value = ".orig", value_parser = suffix, requires = "write")]
    backup: Option<String>,
    /// Note nothing in .rehref/: the run cannot be taken back, and not be finished if it is interrupted
    #[arg(long, requires = "write", conflicts_with = "root")]
    no_journal: bool,
    /// Take back the last run in place, as far as it came
    #[arg(long, groups = ["rule", "again"], conflicts_with_all = ALL_BUT_PATHS)]
    undo: bool,
    /// Finish the run in place that was interrupted
    #[arg(long, groups = ["rule", "again"], conflicts_with_all = ALL_BUT_PATHS, conflicts_with = "undo")]
    resume: bool,
    /// Let --undo or --resume use a journal that was not written for this directory, such as that of a directory
    /// you moved, copied or restored
    #[arg(long, requires = "again")]
    pub(super) trust_journal: bool,
}

impl InPlaceArgs {
    pub(super) fn options(&self) -> InPlace {
        let mut in_place = InPlace::default();
        in_place.root.clone_from(&self.root);
        in_place.no_journal = self.no_journal;
        in_place.backup.clone_from(&self.backup);
        in_place
    }

    pub(super) fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// What is done with an earlier run, if that is wanted.
    pub(super) fn again(&self) -> Option<Again> {
        Again::new(self.undo, self.resume)
    }
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
