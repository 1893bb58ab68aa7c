//! Surveying a file of a tree.

use std::path::{Path, PathBuf};

use super::documents::{Candidate, Documents, SurveyedDocument};
use super::package::{self, SurveyedPackage};
use crate::error::Error;
use crate::format::{Format, UnreadKind};
use crate::fs::{Content, Item};
use crate::jobs::inputs::read_in_turn;
use crate::jobs::names::is_xhtml;
use crate::jobs::unread::{kind_of_content, kind_of_unreadable, kind_of_unreadable_directory};

/// The result of surveying a file of the tree.
pub(super) enum Found {
    /// A document that was surveyed.
    Document(Box<SurveyedDocument>),
    /// The parts of a package, and what was not read of it.
    Package(SurveyedPackage),
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

/// Surveys a file.
pub(super) fn survey(documents: &Documents<'_>, candidate: Candidate) -> Found {
    let (place, item, is_named) = match candidate {
        Candidate::Walked(Ok(found)) => {
            let place = documents.tree.file(&found, documents.site.listing());
            (place, found.item, found.root.is_none())
        }
        Candidate::Walked(Err(error)) => {
            let kind = kind_of_unreadable_directory(&error);
            return Found::Failed(error, kind);
        }
        Candidate::Listed(path, file) => {
            let below = documents.site.listing().name(file).to_vec();
            (Some((file, below)), Item::Path(path), false)
        }
    };
    // A part of a page would have anchors.
    let is_unused = |below: &[u8]| {
        documents.site.layouts().excludes(below)
            && !Format::from_extension(item.name()).is_some_and(Format::has_anchors)
    };
    if !is_named && place.as_ref().is_some_and(|(_, below)| is_unused(below)) {
        return Found::Other;
    }
    let name = documents.shown(item.name());
    let place = match place {
        // A named file that is missing is an error.
        None if !is_named => return Found::Other,
        Some(_) if !documents.check.may_read(item.name()) => {
            return Found::unread(name, UnreadKind::of_name(item.name()));
        }
        place => place,
    };
    let (content, _turn) = match read_in_turn(&item, &documents.check.inputs.read) {
        Ok(read) => (read.content, read.turn),
        Err(error) => {
            let kind = kind_of_unreadable(&error);
            return Found::Failed(error, kind);
        }
    };
    let Some((file, below)) = place else {
        return Found::Other;
    };
    let unread = kind_of_content(&item, &content, documents.check.inputs.read.format);
    let (content, damage) = match content {
        Content::Package(package) => {
            let package = package::survey(documents, &package, (&item, is_named), (file, &below));
            return Found::Package(package);
        }
        Content::Refused(_, error) => return Found::Failed(error, unread),
        Content::Damaged(document, error) => (Content::Document(document), Some(error)),
        content => (content, None),
    };
    let document = documents.document(content, &below);
    let Some(document) = document.filter(|it| documents.check.has_local_links(it.format())) else {
        return Found::unread(name, unread);
    };
    Found::Document(Box::new(SurveyedDocument {
        survey: documents.checker.survey(file, &document),
        is_named,
        is_page: document.format().is_page() || is_xhtml(item.name()),
        alias: (below != documents.site.listing().name(file)).then(|| below.into()),
        unread,
        item,
        file,
        damage,
        part: None,
    }))
}
