//! The parts of documents of offices and books.

use std::path::PathBuf;

use super::documents::{Documents, SurveyedDocument};
use super::options::Check;
use super::trees::Tree;
use crate::error::Error;
use crate::format::{Format, UnreadKind};
use crate::fs::{Content, Item, PackageFile, path_of_bytes};
use crate::listing::{Entry, Id, Listing};

/// A package whose parts were surveyed.
pub(super) struct SurveyedPackage {
    /// The name of the package.
    pub(super) name: PathBuf,
    pub(super) documents: Vec<SurveyedDocument>,
    /// The kinds of the parts that are not read.
    pub(super) unread: Vec<UnreadKind>,
    /// The errors of the parts that cannot be read.
    pub(super) errors: Vec<Error>,
}

/// Adds the parts of packages that count as directories to a listing. Links refer to them as to
/// files.
pub(super) fn add_parts(check: &Check, tree: &Tree, listing: &mut Listing) {
    let is_package =
        |name: &[u8]| Format::from_extension(&path_of_bytes(name)).is_some_and(Format::is_package);
    let files = listing.iter().filter(|(_, _, entry)| *entry == Entry::File);
    let packages = files.filter(|(_, name, _)| is_package(name) && tree.may_check(name));
    let packages: Vec<Vec<u8>> = packages.map(|(_, name, _)| name.to_vec()).collect();
    for name in packages {
        let item = Item::Path(tree.root().join(path_of_bytes(&name)));
        // Errors are reported when the file is surveyed.
        if let Ok(Content::Package(package)) = check.inputs.read.read(&item) {
            for part in package.names_in_directory().filter(|it| !it.ends_with(b"/")) {
                listing.insert(&[&name, &b"/"[..], part].concat(), Entry::File);
            }
        }
    }
}

/// Surveys the parts of a package, a file at a path below the root.
pub(super) fn survey(
    documents: &Documents<'_>,
    package: &PackageFile,
    (item, is_named): (&Item, bool),
    (file, below): (Id, &[u8]),
) -> SurveyedPackage {
    let mut surveyed = SurveyedPackage {
        name: documents.shown(package.name()).to_owned(),
        documents: Vec::new(),
        unread: package.unread().collect(),
        errors: Vec::new(),
    };
    for (part, document) in package.documents_with_uses() {
        let document = match document {
            Ok(document) => document,
            Err(error) => {
                surveyed.errors.push(error);
                continue;
            }
        };
        let (id, below) = match package.is_directory() {
            false => (Some(file), below.to_vec()),
            true => {
                let below = [below, b"/", package.part_name(part)].concat();
                (documents.site.listing().id(&below), below)
            }
        };
        // Its name does not say that it is a package, so the listing lacks its parts.
        let Some(id) = id else {
            let kind = UnreadKind::of_name(package.name()).unwrap_or(UnreadKind::Binary);
            surveyed.unread.push(kind);
            break;
        };
        let document = document.retrieved_from(documents.site.uri_of(&below));
        let survey = documents.checker.survey(id, &document);
        let document = (&document, package.part_name(part));
        let document = SurveyedDocument::of_part(item, document, id, survey, is_named);
        surveyed.documents.push(document);
    }
    surveyed
}
