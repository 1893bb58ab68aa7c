//! The documents of a tree: reading, surveying, reporting.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::anchor_cache::AnchorCache;
use super::baseline::Baseline;
use super::event::CheckEvent;
use super::options::Check;
use super::package_cache::PackageCache;
use super::trees::Tree;
use crate::check::{AnchorNames, Broken, Checker, Finding, Survey};
use crate::document::Document;
use crate::error::{Error, Warning};
use crate::format::UnreadKind;
use crate::fs::{Content, Item, WalkEntry, path_in, path_of_bytes};
use crate::jobs::inputs::read_in_turn;
use crate::listing::{Entry, Id};
use crate::records::CheckSummary;
use crate::site::Site;

/// A document that was surveyed.
pub(super) struct SurveyedDocument {
    pub(super) item: Item,
    pub(super) file: Id,
    /// The path below the root, if symbolic links make it differ from that of the file.
    pub(super) alias: Option<Box<[u8]>>,
    /// The kind of a document whose relative references are not read.
    pub(super) unread: Option<UnreadKind>,
    pub(super) survey: Survey,
    pub(super) is_page: bool,
    /// True if the command names it.
    pub(super) is_named: bool,
    /// The error of a file that was read only in part.
    pub(super) damage: Option<Error>,
    pub(super) part: Option<Part>,
}

/// The part of a package that a document is.
pub(super) struct Part {
    /// The name in the package.
    pub(super) name: Box<[u8]>,
    /// The name of the document.
    pub(super) document: PathBuf,
}

impl SurveyedDocument {
    /// A part of a package with this name, whose file or entry of the listing has this number.
    pub(super) fn of_part(
        item: &Item,
        (document, name): (&Document, &[u8]),
        file: Id,
        survey: Survey,
        is_named: bool,
    ) -> Self {
        Self {
            item: item.clone(),
            file,
            alias: None,
            unread: None,
            survey,
            is_page: false,
            is_named,
            damage: None,
            part: Some(Part { name: name.into(), document: document.path().to_owned() }),
        }
    }
}

/// A file that may be a document.
pub(super) enum Candidate {
    /// An entry of a walk.
    Walked(Result<WalkEntry, Error>),
    /// A file of the listing of the tree, and its path.
    Listed(PathBuf, Id),
}

/// The documents of a tree.
pub(super) struct Documents<'c> {
    pub(super) check: &'c Check,
    /// The number of the tree in the run.
    pub(super) number: usize,
    pub(super) tree: &'c Tree,
    pub(super) site: &'c Site,
    /// The number of entries of the listing before the parts of packages.
    pub(super) files: usize,
    pub(super) checker: Checker<'c>,
    pub(super) anchors: AnchorCache,
    pub(super) packages: PackageCache,
}

impl Documents<'_> {
    /// Returns true for an input that is the whole tree, if a walk would find all files that were
    /// listed.
    pub(super) fn is_listed(&self, input: &Item) -> bool {
        let walk = &self.check.inputs.walk;
        let finds_all = walk.takes_all() && !walk.follow && walk.output.is_none();
        matches!(input, Item::Path(path) if finds_all && self.tree.is_whole(path))
    }

    /// Divides inputs: those that are listed alone, the others together.
    pub(super) fn divided<'i>(&self, inputs: &'i [Item]) -> impl Iterator<Item = &'i [Item]> {
        inputs.chunk_by(|one, next| !self.is_listed(one) && !self.is_listed(next))
    }

    /// The listed files below an input that is the whole tree. A walk would find the same files,
    /// and take as long as reading many of them.
    pub(super) fn listed(&self, input: &Item) -> impl Iterator<Item = Candidate> + Send {
        let input = input.name().to_owned();
        let rules = self.check.inputs.walk.gitignore.rules(&input);
        let is_ignored = move |name: &[u8]| {
            rules.as_ref().is_some_and(|it| it.ignore(&path_of_bytes(name), false))
        };
        let files = self.site.listing().iter();
        // Parts of packages are no files.
        let files = files.take(self.files);
        let files =
            files.filter(move |(_, name, entry)| *entry == Entry::File && !is_ignored(name));
        files.map(move |(file, name, _)| {
            let path = path_in(&input, &path_of_bytes(name));
            Candidate::Listed(path, file)
        })
    }

    /// Returns the document with this content. `below` is its path below the root. `None` if it is
    /// binary, or a package.
    pub(super) fn document(&self, content: Content, below: &[u8]) -> Option<Document> {
        match content {
            Content::Package(_) | Content::Refused(..) | Content::Binary(_) => None,
            Content::Document(document) | Content::Damaged(document, _) => {
                Some(self.placed(document, below))
            }
        }
    }

    /// Returns a document with its name in events, and its URL.
    fn placed(&self, document: Document, below: &[u8]) -> Document {
        let name = self.shown(document.path()).to_owned();
        document.retrieved_from(self.site.uri_of(below)).with_name(name)
    }

    /// Reads a part of the package at a path. `None` if it was replaced with another
    /// file.
    fn part(&self, path: &Path, part: &[u8], below: &[u8]) -> Result<Option<Document>, Error> {
        let read = || match self.check.inputs.read.read(&Item::Path(path.to_owned()))? {
            Content::Package(package) => Ok(Some(Arc::from(package))),
            _ => Ok(None),
        };
        let package = self.packages.get(path, read)?;
        let document = package.and_then(|it| it.document_named(part)).transpose()?;
        Ok(document.map(|it| self.placed(it, below)))
    }

    /// Reads the document of a file, or of a part of a package. `None` if it is binary, or was
    /// replaced with such a file.
    fn read(&self, file: Id) -> Result<Option<Document>, Error> {
        let listing = self.site.listing();
        let below = listing.name(file);
        let at = |path: &[u8]| self.tree.root().join(path_of_bytes(path));
        if file.number() >= self.files {
            let slashes = below.iter().enumerate().filter(|(_, byte)| **byte == b'/');
            let mut directories = slashes.map(|(at, _)| (&below[..at], &below[at + 1..]));
            let is_package =
                |path: &[u8]| listing.id(path).is_some_and(|it| listing.entry(it) == Entry::File);
            let found = directories.find(|(path, _)| is_package(path));
            let part = found.map(|(path, part)| self.part(&at(path), part, below));
            return part.unwrap_or(Ok(None));
        }
        let item = Item::Path(at(below));
        if !self.check.may_read(item.name()) {
            return Ok(None);
        }
        Ok(self.document(self.check.inputs.read.read(&item)?, below))
    }

    /// Returns the name of a document in events.
    pub(super) fn shown<'p>(&self, name: &'p Path) -> &'p Path {
        match self.check.strips_dot {
            true => name.strip_prefix(".").unwrap_or(name),
            false => name,
        }
    }

    /// Returns true if a surveyed document is no page, and a part of no page.
    pub(super) fn is_unused(&self, document: &SurveyedDocument) -> bool {
        !document.is_named && self.checker.is_unused(document.file)
    }

    /// Returns the name of a surveyed document in events.
    pub(super) fn name<'d>(&self, document: &'d SurveyedDocument) -> &'d Path {
        let part = document.part.as_ref().map(|it| &*it.document);
        self.shown(part.unwrap_or(document.item.name()))
    }

    /// Returns true if the results of a document have a broken link or an orphan.
    pub(super) fn fails(&self, document: &SurveyedDocument) -> bool {
        let mut fails = self.is_orphan(document) && !self.accepts_orphan(self.name(document));
        let mut broken = |finding: Finding<'_>| {
            fails |= matches!(&finding, Finding::Broken(it) if !self.accepts(it));
        };
        match &self.check.baseline {
            None => fails |= self.checker.is_broken(&document.survey),
            // Which links are broken is known only after reading the document again.
            Some(_) => drop(self.findings(document, &mut broken)),
        }
        fails
    }

    fn accepts(&self, broken: &Broken<'_>) -> bool {
        self.is_accepted(|baseline| baseline.line_of_broken(broken))
    }

    fn accepts_orphan(&self, page: &Path) -> bool {
        self.is_accepted(|baseline| baseline.line_of_orphan(page))
    }

    fn is_accepted(&self, line: impl FnOnce(&Baseline) -> String) -> bool {
        let baseline = self.check.baseline.as_ref();
        baseline.is_some_and(|baseline| baseline.accepts(&line(baseline)))
    }

    fn is_orphan(&self, document: &SurveyedDocument) -> bool {
        let name = self.site.listing().name(document.file);
        let is_start = !name.contains(&b'/') && self.site.is_index(name);
        let may_be = self.check.orphans && document.is_page && !is_start;
        may_be && !self.checker.is_linked(document.file)
    }

    /// Renders the results of a document.
    pub(super) fn results(
        &self,
        document: &SurveyedDocument,
        render: &mut dyn FnMut(CheckEvent<'_>),
    ) -> CheckSummary {
        let mut totals = CheckSummary::default();
        let mut event = |event: CheckEvent<'_>| {
            match &event {
                CheckEvent::Broken(..) => totals.broken += 1,
                CheckEvent::Orphan(_) => totals.orphans += 1,
                CheckEvent::Accepted(_) | CheckEvent::AcceptedOrphan(_) => totals.accepted += 1,
                CheckEvent::Warning(..) | CheckEvent::Damaged(_) | CheckEvent::Unknown(_) => {
                    totals.warnings += 1;
                }
                CheckEvent::Error(_)
                | CheckEvent::Unread(..)
                | CheckEvent::Document(_)
                | CheckEvent::Progress
                | CheckEvent::Surveyed(_) => {}
            }
            render(event);
        };
        let name = self.name(document);
        event(CheckEvent::Document(name));
        let survey = &document.survey;
        for (is_so, place, warning) in [
            (survey.malformed.is_some(), survey.malformed, Warning::Charset),
            (survey.base_is_too_long, None, Warning::Base),
            (survey.guessed, None, Warning::Nesting),
        ] {
            if is_so {
                event(CheckEvent::Warning(name, place, warning));
            }
        }
        if let Some(error) = &document.damage {
            event(CheckEvent::Damaged(error));
        }
        let report = &mut |finding: Finding<'_>| match &finding {
            Finding::Broken(broken) if self.accepts(broken) => event(CheckEvent::Accepted(broken)),
            Finding::Broken(broken) => event(CheckEvent::Broken(broken)),
            Finding::Unknown(link) => event(CheckEvent::Unknown(link)),
        };
        if let Err(error) = self.findings(document, report) {
            event(CheckEvent::Error(&error));
        }
        if self.is_orphan(document) {
            event(match self.accepts_orphan(name) {
                true => CheckEvent::AcceptedOrphan(name),
                false => CheckEvent::Orphan(name),
            });
        }
        if let Some(baseline) = &self.check.baseline {
            baseline.set_checked(name);
        }
        totals
    }

    /// Passes the links of a document to report to `report`. It is read again if there are any.
    fn findings(
        &self,
        document: &SurveyedDocument,
        report: &mut dyn FnMut(Finding<'_>),
    ) -> Result<(), Error> {
        if !self.checker.is_broken(&document.survey) {
            return Ok(());
        }
        let name = || self.site.listing().name(document.file);
        let below = document.alias.as_deref().unwrap_or_else(name);
        let mut _turn = None;
        let source = match (&document.part, document.item.file()) {
            (Some(part), Some(path)) => self.part(path, &part.name, below)?,
            _ => {
                let read = read_in_turn(&document.item, &self.check.inputs.read)?;
                _turn = read.turn;
                self.document(read.content, below)
            }
        };
        if let Some(source) = source {
            let anchors = |file| self.anchors.get(file, || self.anchor_names(file));
            (self.checker).broken(document.file, &document.survey, &source, anchors, report);
        }
        Ok(())
    }

    /// Reads the anchors of a file that is not checked itself, and that fragments refer to. If it
    /// cannot be read, its anchors stay unknown.
    pub(super) fn read_anchors(&self, file: Id) {
        if let Ok(Some(document)) = self.read(file) {
            self.checker.add_anchors(file, &document);
        }
    }

    /// Reads the names of the anchors of a file.
    fn anchor_names(&self, file: Id) -> Option<AnchorNames> {
        let document = self.read(file).ok()??;
        let links = document.links_with(&self.checker.options_of(file));
        Some(AnchorNames::new(&links.found().anchors))
    }
}
