//! The options of a run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::docs_site::SiteChoice;
use crate::format::Options;
use crate::fs::{Compressed, RealDirectory};
use crate::jobs::{Inputs, Stop};
use crate::mirror::Mirror;
use crate::rewrite::Rules;

/// A run that rewrites the links of files and directory trees.
///
/// ```
/// use rehref::jobs::{Outcome, Rewrite};
/// use rehref::rewrite::{PrefixMap, Rule, Rules};
///
/// # let site = tempfile::tempdir()?;
/// # std::fs::write(site.path().join("a.html"), "<a href=http://old.example/x>")?;
/// let mut map = PrefixMap::default();
/// map.insert("http://old.example/", "http://new.example/")?;
/// let rules = Rules { rules: vec![Rule::Map(map)], ..Rules::default() };
/// let mut rewrite = Rewrite::new(rules).path(site.path());
/// rewrite.outcome = Outcome::InPlace(Default::default());
/// let report = rewrite.for_each(|_| {})?;
/// assert_eq!(report.totals.edits, 1);
/// assert_eq!(std::fs::read(site.path().join("a.html"))?, b"<a href=http://new.example/x>");
/// rehref::jobs::undo(site.path())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Rewrite {
    /// The documents, and how they are read. Compressed files must stay as they are
    /// ([`Compressed::Keep`]).
    pub inputs: Inputs,
    /// The rules.
    pub rules: Rules,
    /// The options for finding links. Links are resolved by [`Rules::resolver`];
    /// [`Options::resolver`] is ignored.
    pub options: Options,
    /// The mirror of [`Rule::Mirror`](crate::rewrite::Rule::Mirror).
    pub mirror: Option<Arc<Mirror>>,
    /// The deepest directory that holds all of the mirror.
    pub mirror_root: Option<RealDirectory>,
    /// The kinds of documentation sites in the directories of the run, whose documents write links
    /// by rules of their own. Rules other than maps need them.
    pub site: SiteChoice,
    /// The outcome, such as a dry run.
    pub outcome: Outcome,
    /// True to replace files that are already in the directory of a [`NewTree`](Outcome::NewTree).
    /// Otherwise they are an error before anything is written.
    pub replaces_files: bool,
    /// True to leave documents unchanged if their edits fail verification. See
    /// [`Plan::verify`](crate::Plan::verify).
    pub verify: bool,
    /// True to remove the integrity hashes of files that change.
    pub removes_hashes: bool,
    /// True to rewrite documents of offices and books that are signed, which breaks their
    /// signatures. Default: false. Otherwise, they are an error if their links would change.
    pub breaks_signatures: bool,
    /// True to report skipped links.
    pub reports_skipped: bool,
    /// True to report the plan of each document
    /// ([`EditEvent::Document`](crate::jobs::EditEvent::Document)). Default: true. Otherwise most
    /// pages are rewritten in one pass, and memory does not grow with the number of their links.
    pub reports_plans: bool,
    /// True if pieces may be large, such as rendered records. Otherwise more of them may wait for
    /// earlier ones.
    pub has_large_results: bool,
    /// Ends the run early.
    pub stop: Stop,
}

/// The outcome of a [`Rewrite`] run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// Nothing. What a run in place with these options would refuse is reported.
    DryRun(InPlace),
    /// Nothing. The totals show whether documents would change.
    Check,
    /// The document is reported as [`Content`](crate::jobs::EditEvent::Content).
    Filter(InPlace),
    /// Files are replaced.
    InPlace(InPlace),
    /// All files are written to this directory, changed or not.
    NewTree(PathBuf),
}

impl Outcome {
    /// Returns true if files are written.
    pub fn writes(&self) -> bool {
        matches!(self, Self::InPlace(_) | Self::NewTree(_))
    }
}

/// The options for replacing files.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct InPlace {
    /// The directory that contains the journal and all written files. By default the deepest one
    /// that contains all inputs.
    pub root: Option<PathBuf>,
    /// True to write no journal. Then the run can be neither undone nor resumed.
    pub no_journal: bool,
    /// The suffix of the names of backups, if backups are kept.
    pub backup: Option<String>,
}

impl Rewrite {
    /// A dry run without inputs.
    pub fn new(rules: Rules) -> Self {
        let options = Options { resolver: rules.resolver, scripted: true, ..Options::default() };
        let mut inputs = Inputs::default();
        inputs.read.compressed = Compressed::Keep;
        Self {
            inputs,
            rules,
            options,
            mirror: None,
            mirror_root: None,
            site: SiteChoice::default(),
            outcome: Outcome::DryRun(InPlace::default()),
            replaces_files: false,
            has_large_results: true,
            verify: false,
            removes_hashes: false,
            breaks_signatures: false,
            reports_skipped: false,
            reports_plans: true,
            stop: Stop::default(),
        }
    }

    /// Adds a file or directory.
    #[must_use]
    pub fn path(mut self, path: impl AsRef<Path>) -> Self {
        self.inputs.add_path(path);
        self
    }
}
