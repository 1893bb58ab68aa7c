//! The arguments of `rewrite` about writing in place.

use std::path::PathBuf;

use rehref::jobs::InPlace;

use super::values::path;
use crate::heading;

/// The arguments for writing files in place, with a journal or backups.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = heading::SAFETY)]
pub(crate) struct InPlaceArgs {
    /// Write only in the directory DIR, and keep the journal there in .rehref/ [default: the
    /// deepest one that contains all PATHs]
    #[arg(long, value_name = "DIR", hide_short_help = true, value_parser = path())]
    pub(super) root: Option<PathBuf>,
    /// Copy each file to its name with SUFFIX before it changes [default SUFFIX: .orig]
    ///
    /// Existing copies are not replaced.
    #[arg(long, value_name = "SUFFIX", num_args = 0..=1, require_equals = true,
        default_missing_value = ".orig", value_parser = suffix, requires = "write")]
    backup: Option<String>,
    /// Write without a journal: the run can be neither undone nor resumed
    #[arg(long, hide_short_help = true, requires = "write", conflicts_with = "root")]
    no_journal: bool,
    /// Undo the last run with -w, byte by byte
    ///
    /// Only the last run can be undone. It is that of PATH, or of the nearest directory above it
    /// [default PATH: .]. It may have been interrupted.
    #[arg(long, groups = ["rule", "again"], conflicts_with_all = ALL_BUT_PATHS)]
    pub(crate) undo: bool,
    /// Finish an interrupted run with -w
    ///
    /// It is found as for --undo.
    #[arg(long, groups = ["rule", "again"], conflicts_with_all = ALL_BUT_PATHS, conflicts_with = "undo")]
    pub(crate) resume: bool,
    /// Let --undo or --resume use a journal that was written for another directory
    ///
    /// Use it where the directory was moved, copied or restored since the run.
    #[arg(long, hide_short_help = true, requires = "again")]
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
}

/// The options without effect on an earlier run.
const ALL_BUT_PATHS: [&str; 13] = [
    "absolute", "relative", "map", "mirror", "write", "output", "check", "diff", "json", "null",
    "explain", "verify", "base",
];

/// A suffix of a file name.
fn suffix(text: &str) -> Result<String, &'static str> {
    match text.is_empty() || text.contains(['/', '\\', '\0']) {
        true => Err("not a suffix of a file name"),
        false => Ok(text.to_owned()),
    }
}
