//! The documents of a tree: reading, surveying, reporting.

use std::path::{Path, PathBuf};

use super::anchor_cache::AnchorCache;
use super::baseline::Baseline;
use super::event::CheckEvent;
use super::options::Check;
use super::trees::Tree;
use crate::check::{AnchorNames, Broken, Checker, Finding, Survey};
use crate::document::Document;
use crate::error::{Error, Warning};
use crate::format::{Format, UnreadKind};
use crate::fs::{Content, Item, WalkEntry, path_in, path_of_bytes};
use crate::jobs::inputs::read_in_turn;
use crate::jobs::names::is_xhtml;
use crate::jobs::unread::{kind_of_content, kind_of_unreadable, kind_of_unreadable_directory};
use crate::listing::{Entry, Id};
use crate::records::CheckSummary;
use crate::site::Site;

/// A document that was surveyed.
pub(super) struct SurveyedDocument {
    item: Item,
    pub(super) file: Id,
    /// The path below the root, if symbolic links make it differ from that of the file.
    alias: Option<Box<[u8]>>,
    /// The kind of a document whose relative references are not read.
    pub(super) unread: Option<UnreadKind>,
    pub(super) survey: Survey,
    is_page: bool,
    /// True if the command names it.
    is_named: bool,
    /// The error of a file that was read only in part.
    damage: Option<Error>,
}

/// A file that may be a document.
pub(super) enum Candidate {
    /// An entry of a walk.
    Walked(Result<WalkEntry, Error>),
    /// A file of the listing of the tree, and its path.
    Listed(PathBuf, Id),
}

/// The result of surveying a file of the tree.
pub(super) enum Found {
    /// A document that was surveyed.
    Document(Box<SurveyedDocument>),
    /// A document whose links are not read.
    Unread(PathBuf, UnreadKind),
    /// A file or directory that could not be read, with its kind if it may have links.
    Failed(Error, Option<UnreadKind>),
    /// A file without local links.
    Other,
}

impl Found {
    fn unread(name: &Path, kind: Option<UnreadKind>) -> Self {
        kind.map_or(Self::Other, |kind| Self::Unread(name.to_owned(), kind))
    }
}

/// The documents of a tree.
pub(super) struct Documents<'c> {
    pub(super) check: &'c Check,
    /// The number of the tree in the run.
    pub(super) number: usize,
    pub(super) tree: &'c Tree,
    pub(super) site: &'c Site,
    pub(super) checker: Checker<'c>,
    pub(super) anchors: AnchorCache,
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
        let files =
            files.filter(move |(_, name, entry)| *entry == Entry::File && !is_ignored(name));
        files.map(move |(file, name, _)| {
            let path = path_in(&input, &path_of_bytes(name));
            Candidate::Listed(path, file)
        })
    }

    /// Surveys a file.
    pub(super) fn survey(&self, candidate: Candidate) -> Found {
        let (place, item, is_named) = match candidate {
            Candidate::Walked(Ok(found)) => {
                let place = self.tree.file(&found, self.site.listing());
                (place, found.item, found.root.is_none())
            }
            Candidate::Walked(Err(error)) => {
                let kind = kind_of_unreadable_directory(&error);
                return Found::Failed(error, kind);
            }
            Candidate::Listed(path, file) => {
                let below = self.site.listing().name(file).to_vec();
                (Some((file, below)), Item::Path(path), false)
            }
        };
        // A part of a page would have anchors.
        let is_unused = |below: &[u8]| {
            self.site.layouts().excludes(below)
                && !Format::from_extension(item.name()).is_some_and(Format::has_anchors)
        };
        if !is_named && place.as_ref().is_some_and(|(_, below)| is_unused(below)) {
            return Found::Other;
        }
        let name = self.shown(item.name());
        let place = match place {
            // A named file that is missing is an error.
            None if !is_named => return Found::Other,
            Some(_) if !self.check.may_read(item.name()) => {
                return Found::unread(name, UnreadKind::of_name(item.name()));
            }
            place => place,
        };
        let (content, _turn) = match read_in_turn(&item, &self.check.inputs.read) {
            Ok(read) => (read.content, read.turn),
            Err(error) => {
                let kind = kind_of_unreadable(&error);
                return Found::Failed(error, kind);
            }
        };
        let Some((file, below)) = place else {
            return Found::Other;
        };
        let unread = kind_of_content(&item, &content, self.check.inputs.read.format);
        let document = self.document(content, &below);
        let Some((document, damage)) =
            document.filter(|(it, _)| self.check.has_local_links(it.format()))
        else {
            return Found::unread(name, unread);
        };
        Found::Document(Box::new(SurveyedDocument {
            survey: self.checker.survey(file, &document),
            is_named,
            is_page: document.format().is_page() || is_xhtml(item.name()),
            alias: (below != self.site.listing().name(file)).then(|| below.into()),
            unread,
            item,
            file,
            damage,
        }))
    }

    /// Returns the document at a path below the root, with the error if it was read only in part.
    /// `None` if it is binary.
    fn document(&self, content: Content, below: &[u8]) -> Option<(Document, Option<Error>)> {
        let (document, damage) = match content {
            Content::Binary(_) => return None,
            Content::Document(document) => (document, None),
            Content::Damaged(document, error) => (document, Some(error)),
        };
        let name = self.shown(document.path()).to_owned();
        let document = document.retrieved_from(self.site.uri_of(below));
        Some((document.with_name(name), damage))
    }

    /// Reads a document at a path below the root. `None` if it is binary, or was replaced with such
    /// a file.
    fn read(&self, item: &Item, below: &[u8]) -> Result<Option<Document>, Error> {
        let content = self.check.inputs.read.read(item)?;
        Ok(self.document(content, below).map(|(document, _)| document))
    }

    /// Returns the name of a document in events.
    fn shown<'p>(&self, name: &'p Path) -> &'p Path {
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
        self.shown(document.item.name())
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
        let read = read_in_turn(&document.item, &self.check.inputs.read)?;
        let (content, _turn) = (read.content, read.turn);
        if let Some((source, _)) = self.document(content, below) {
            let anchors = |file| self.anchors.get(file, || self.anchor_names(file));
            (self.checker).broken(document.file, &document.survey, &source, anchors, report);
        }
        Ok(())
    }

    /// Reads the anchors of a file that is not checked itself, and that fragments refer to. If it
    /// cannot be read, its anchors stay unknown.
    pub(super) fn read_anchors(&self, file: Id) {
        let below = self.site.listing().name(file);
        let item = Item::Path(self.tree.root().join(path_of_bytes(below)));
        if self.check.may_read(item.name())
            && let Ok(Some(document)) = self.read(&item, below)
        {
            self.checker.add_anchors(file, &document);
        }
    }

    /// Reads the names of the anchors of a file.
    fn anchor_names(&self, file: Id) -> Option<AnchorNames> {
        let below = self.site.listing().name(file);
        let item = Item::Path(self.tree.root().join(path_of_bytes(below)));
        let document = self.read(&item, below).ok()??;
        let links = document.links_with(&self.checker.options_of(file));
        Some(AnchorNames::new(&links.found().anchors))
    }
}
