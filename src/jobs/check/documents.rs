//! The documents of a tree: reading, surveying, reporting.

use std::path::{Path, PathBuf};

use super::anchor_cache::AnchorCache;
use super::event::CheckEvent;
use super::options::Check;
use crate::document::Document;
use crate::error::{Error, Warning};
use crate::format::{Format, UnreadKind, is_binary_name};
use crate::fs::{Content, Item, WalkEntry, bytes_of_path, path_of_bytes};
use crate::jobs::inputs::turn;
use crate::jobs::names::is_xhtml;
use crate::jobs::unread::{kind_of_content, kind_of_unreadable, kind_of_unreadable_directory};
use crate::records::CheckSummary;
use crate::site::check::{AnchorNames, Checker, Survey};
use crate::site::{Entry, Id, Site};

/// A document that was surveyed.
pub(super) struct SurveyedDocument {
    item: Item,
    file: Id,
    /// The kind of a document whose relative references are not read.
    pub(super) unread: Option<UnreadKind>,
    pub(super) survey: Survey,
    is_page: bool,
    /// The error of a file that was read only in part.
    damage: Option<Error>,
}

/// What a file of the tree is.
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
pub(super) struct Documents<'c, R> {
    pub(super) check: &'c Check,
    pub(super) site: &'c Site,
    pub(super) checker: Checker<'c>,
    pub(super) anchors: AnchorCache,
    pub(super) render: &'c R,
}

impl<R> Documents<'_, R> {
    /// Surveys a file.
    pub(super) fn survey(&self, found: Result<WalkEntry, Error>) -> Found {
        let item = match found {
            Ok(found) => found.item,
            Err(error) => {
                let kind = kind_of_unreadable_directory(&error);
                return Found::Failed(error, kind);
            }
        };
        let Some((file, below)) = item.file().and_then(|path| self.file_at(path)) else {
            return Found::Other;
        };
        let name = self.shown(item.name());
        if !self.may_have_links(item.name()) {
            return Found::unread(name, UnreadKind::of_name(item.name()));
        }
        let _turn = turn(&item, &self.check.inputs.read);
        let content = match self.check.inputs.read.read(&item) {
            Ok(content) => content,
            Err(error) => {
                let kind = kind_of_unreadable(&error);
                return Found::Failed(error, kind);
            }
        };
        let unread = kind_of_content(&item, &content);
        let document = self.document(content, &below);
        let Some((document, damage)) = document.filter(|(it, _)| self.has_local_links(it.format()))
        else {
            return Found::unread(name, unread);
        };
        Found::Document(Box::new(SurveyedDocument {
            survey: self.checker.survey(file, &document),
            is_page: document.format().is_page() || is_xhtml(item.name()),
            unread,
            item,
            file,
            damage,
        }))
    }

    /// Returns the file of the listing at a path, and its path below the root.
    fn file_at(&self, path: &Path) -> Option<(Id, Vec<u8>)> {
        let below = bytes_of_path(path.strip_prefix(&self.check.root).ok()?).into_owned();
        match self.site.listing().resolved(&below)? {
            (file, Entry::File) => Some((file, below)),
            // A symbolic link out of the tree.
            _ => None,
        }
    }

    fn may_have_links(&self, name: &Path) -> bool {
        match Format::from_extension(name) {
            _ if self.check.inputs.read.format.is_some() => true,
            Some(format) => self.has_local_links(format),
            None => !is_binary_name(name),
        }
    }

    /// Returns true if documents of this format may have local links. Text has absolute links only, and without a URL of
    /// the tree they are not local.
    fn has_local_links(&self, format: Format) -> bool {
        let Check { inputs, url, .. } = self.check;
        format.is_markup() || url.is_some() || inputs.read.format.is_some()
    }

    /// Returns the document at a path below the root, with the error if it was read only in part. `None` if it is binary.
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

    /// Reads a surveyed document again. `None` if it was replaced with another file.
    fn read_again(&self, item: &Item, below: &[u8]) -> Result<Option<Document>, Error> {
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

    /// Returns the name of a surveyed document in events.
    pub(super) fn name<'d>(&self, document: &'d SurveyedDocument) -> &'d Path {
        self.shown(document.item.name())
    }

    /// Returns true if the results of a document have a broken link or an orphan.
    pub(super) fn fails(&self, document: &SurveyedDocument) -> bool {
        self.checker.is_broken(&document.survey) || self.is_orphan(document)
    }

    fn is_orphan(&self, document: &SurveyedDocument) -> bool {
        let name = self.site.listing().name(document.file);
        let is_start = !name.contains(&b'/') && self.site.is_index(name);
        let may_be = self.check.orphans && document.is_page && !is_start;
        may_be && !self.checker.is_linked(document.file)
    }

    /// Renders the results of a document.
    pub(super) fn results<P: Default>(&self, document: &SurveyedDocument) -> (P, CheckSummary)
    where
        R: Fn(CheckEvent<'_>, &mut P),
    {
        let mut piece = P::default();
        let mut totals = CheckSummary::default();
        let mut event = |event: CheckEvent<'_>| {
            match &event {
                CheckEvent::Broken(..) => totals.broken += 1,
                CheckEvent::Orphan(_) => totals.orphans += 1,
                CheckEvent::Warning(..) | CheckEvent::Damaged(_) => totals.warnings += 1,
                CheckEvent::Error(_)
                | CheckEvent::Unread(..)
                | CheckEvent::Document(_)
                | CheckEvent::Surveyed(_) => {}
            }
            (self.render)(event, &mut piece);
        };
        let name = self.name(document);
        event(CheckEvent::Document(name));
        let survey = &document.survey;
        for (is_so, place, warning) in [
            (
                survey.malformed.is_some(),
                survey.malformed,
                Warning::Charset,
            ),
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
        if self.checker.is_broken(survey) {
            let item = &document.item;
            let _turn = turn(item, &self.check.inputs.read);
            let file = item.file().and_then(|path| self.file_at(path));
            match file.map(|(_, below)| self.read_again(item, &below)) {
                Some(Ok(Some(source))) => self.broken(document.file, &source, &mut event),
                Some(Err(error)) => event(CheckEvent::Error(&error)),
                // It was replaced with another file since the survey.
                Some(Ok(None)) | None => {}
            }
        }
        if self.is_orphan(document) {
            event(CheckEvent::Orphan(name));
        }
        (piece, totals)
    }

    fn broken(&self, file: Id, document: &Document, event: &mut impl FnMut(CheckEvent<'_>)) {
        let anchors = |file| self.anchors.get(file, || self.anchor_names(file));
        self.checker.broken(file, document, anchors, |broken| {
            event(CheckEvent::Broken(&broken));
        });
    }

    /// Reads the names of the anchors of a file.
    fn anchor_names(&self, file: Id) -> Option<AnchorNames> {
        let below = self.site.listing().name(file);
        let item = Item::Path(self.check.root.join(path_of_bytes(below)));
        let document = self.read_again(&item, below).ok()??;
        let links = document.links_with(&self.check.options);
        Some(AnchorNames::new(&links.found().anchors))
    }
}
