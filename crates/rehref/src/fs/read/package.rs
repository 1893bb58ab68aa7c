//! Packages: documents of offices and books.

use std::path::{Path, PathBuf};

use memchr::memmem;

use crate::container::package::{
    Edit, NotPackage, Package, PackageKind, PartError, PartKind, Parts,
};
use crate::document::Document;
use crate::error::{Error, ErrorKind};
use crate::format::xml::uses;
use crate::format::{Format, Options, UnreadKind};
use crate::fs::paths::path_of_bytes;
use crate::source::{Base, Charset, PackagePart, PartBase, Source};

/// The first bytes of an encrypted document of Office, and of one of an older version.
const COMPOUND_FILE: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// The first bytes of a file in a ZIP file.
const ZIP_MAGIC: &[u8] = b"PK\x03\x04";

/// The most bytes of all parts with links.
const MAX_HELD: u64 = 512 << 20;

/// A document of an office or a book: a ZIP file whose parts are documents.
#[derive(Debug)]
pub struct PackageFile {
    name: PathBuf,
    base: Option<Base>,
    package: Package,
    kind: PackageKind,
    parts: Parts,
}

/// The parts of a package that have links.
#[derive(Debug, Default)]
pub struct Linking {
    /// The parts with their numbers, in the order of the package.
    pub documents: Vec<(usize, Document)>,
    /// The errors of parts that inflate too far. They stay, whatever the others become.
    pub errors: Vec<Error>,
}

/// A file that was not opened as a package.
pub(super) struct NotOpened {
    pub(super) bytes: Vec<u8>,
    /// The error, if it is a package.
    pub(super) error: Option<Error>,
}

impl PackageFile {
    /// Opens a file with this name, which may be a package.
    ///
    /// # Errors
    /// If it is not a package, or one that is encrypted, damaged or ambiguous.
    pub(super) fn open(name: &Path, base: Option<Base>, bytes: Vec<u8>) -> Result<Self, NotOpened> {
        let refused = |bytes, kind| {
            let error = Some(Error::new(name, kind));
            Err(NotOpened { bytes, error })
        };
        if bytes.starts_with(COMPOUND_FILE) {
            return refused(bytes, ErrorKind::Encrypted);
        }
        let package = match Package::read(bytes) {
            Ok(package) => package,
            Err(NotPackage { bytes, .. }) if memmem::find(&bytes, ZIP_MAGIC).is_none() => {
                return Err(NotOpened { bytes, error: None });
            }
            Err(NotPackage { bytes, problem }) => {
                return refused(bytes, ErrorKind::Package { problem });
            }
        };
        let Some(kind) = PackageKind::of(&package) else {
            return Err(NotOpened { bytes: package.into_bytes(), error: None });
        };
        let parts = Parts::of(&package, kind);
        if parts.is_encrypted {
            return refused(package.into_bytes(), ErrorKind::Encrypted);
        }
        if let Some(part) = &parts.ambiguous {
            let problem = format!("{part} is in the package twice, in another spelling");
            return refused(package.into_bytes(), ErrorKind::Package { problem });
        }
        Ok(Self { name: name.to_owned(), base, package, kind, parts })
    }

    /// The name of the file.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        self.package.bytes()
    }

    /// The bytes of the file.
    pub fn into_bytes(self) -> Vec<u8> {
        self.package.into_bytes()
    }

    /// Returns true if a signature covers the parts.
    pub fn is_signed(&self) -> bool {
        self.parts.is_signed
    }

    /// Returns true if the package counts as a directory, in which its parts are.
    pub fn is_directory(&self) -> bool {
        self.kind != PackageKind::Ooxml
    }

    /// The name of a part.
    pub fn part_name(&self, part: usize) -> &[u8] {
        self.package.name(part)
    }

    /// The names of all parts, if the package counts as a directory with them.
    pub fn names_in_directory(&self) -> impl Iterator<Item = &[u8]> {
        let count = if self.is_directory() { self.package.count() } else { 0 };
        (0..count).map(|part| self.package.name(part))
    }

    /// Returns true if the URL of the file is known.
    pub fn has_base(&self) -> bool {
        self.base.is_some()
    }

    /// The parts that may have links, with their numbers, in the order of the package. An error is
    /// that of a part.
    pub fn documents(&self) -> impl Iterator<Item = (usize, Result<Document, Error>)> {
        let all = 0..self.package.count();
        let read = all.filter(|&it| self.parts.kind_of(&self.package, it) == PartKind::Read);
        read.map(|part| (part, self.document(part)))
    }

    /// Like [`documents`](Self::documents), with the uses of relationships.
    pub fn documents_with_uses(&self) -> impl Iterator<Item = (usize, Result<Document, Error>)> {
        let documents = self.documents();
        documents.map(|(part, document)| (part, document.map(|it| self.with_uses(part, it))))
    }

    /// Returns true if the package has relationships of a part.
    fn has_relationships(&self, part: usize) -> bool {
        let name = String::from_utf8_lossy(self.part_name(part));
        let (directory, file) = name.rsplit_once('/').map_or(("", &*name), |(it, file)| (it, file));
        let separator = if directory.is_empty() { "" } else { "/" };
        self.package.part(format!("{directory}{separator}_rels/{file}.rels")).is_some()
    }

    /// Adds the uses of relationships to their part.
    fn with_uses(&self, part: usize, relationships: Document) -> Document {
        let source = source_of_relationships(self.part_name(part));
        let source = source.and_then(|name| self.document_named(name.as_bytes()));
        let Some(Ok(source)) = source.filter(|_| self.kind == PackageKind::Ooxml) else {
            return relationships;
        };
        let uses = uses(relationships.source(), source.source());
        relationships.with_uses(uses)
    }

    /// The part with this name, if it may have links.
    pub fn document_named(&self, name: &[u8]) -> Option<Result<Document, Error>> {
        let part = self.package.part(name)?;
        let is_read = self.parts.kind_of(&self.package, part) == PartKind::Read;
        is_read.then(|| self.document(part))
    }

    /// The parts that have links, to be rewritten.
    ///
    /// # Errors
    /// If a part is damaged, or is not well-formed XML, so that programs of offices would not read
    /// the document. Pages of books need not be. Or if the parts together are too long.
    pub fn linking(&self, options: &Options) -> Result<Linking, Error> {
        let mut linking = Linking::default();
        let mut held = 0;
        for (part, document) in self.documents() {
            let document = match document {
                Ok(document) => document,
                Err(error) if matches!(error.kind(), ErrorKind::LongPart { .. }) => {
                    linking.errors.push(error);
                    continue;
                }
                Err(error) => return Err(error),
            };
            let found = document.found(options);
            if found.is_unbalanced && self.kind != PackageKind::Epub {
                let problem = "not well-formed XML, perhaps cut".to_owned();
                return Err(Error::new(document.path(), ErrorKind::Package { problem }));
            }
            if found.links.is_empty() {
                continue;
            }
            held += document.bytes().len() as u64;
            if held > MAX_HELD {
                let kind = ErrorKind::LongPart { limit: MAX_HELD };
                return Err(Error::new(&self.name, kind));
            }
            drop(found);
            linking.documents.push((part, document));
        }
        Ok(linking)
    }

    /// The kinds of the parts that may have links and are not read.
    pub fn unread(&self) -> impl Iterator<Item = UnreadKind> {
        let kinds = (0..self.package.count()).map(|it| self.parts.kind_of(&self.package, it));
        kinds.filter_map(|kind| match kind {
            PartKind::Unread(kind) => Some(UnreadKind::Part(kind)),
            PartKind::Read | PartKind::Other => None,
        })
    }

    /// A part as a document, whose name is `FILE!PART`.
    fn document(&self, part: usize) -> Result<Document, Error> {
        let part_name = self.package.name(part);
        let mut name = self.name.clone().into_os_string();
        name.push("!");
        name.push(path_of_bytes(part_name));
        let bytes = match self.package.content(part) {
            Ok(bytes) => bytes.into_owned(),
            Err(PartError::Other(problem)) => {
                return Err(Error::new(name, ErrorKind::Package { problem }));
            }
            Err(PartError::TooLong(limit)) => {
                return Err(Error::new(name, ErrorKind::LongPart { limit }));
            }
        };
        let part_name = String::from_utf8_lossy(part_name).into_owned();
        // The name `.rels` has an extension, too.
        let extension = part_name.rsplit_once('.').map_or("", |(_, it)| it);
        let format = Format::detect(Path::new(&format!("part.{extension}")), &bytes);
        let charset = Charset::detect(&bytes, true, format.declared_charset());
        let part = PackagePart {
            name: part_name,
            base: match self.kind {
                PackageKind::Ooxml => PartBase::Package,
                PackageKind::Odf => PartBase::Part,
                PackageKind::Epub => PartBase::PartOfBook,
            },
            has_hyperlink_base: self.parts.has_hyperlink_base,
            has_relationships: self.has_relationships(part),
            uses: None,
        };
        let base = self.base.as_ref();
        let base = base.map(|it| Base { uri: part.base_in(&it.uri), from: it.from });
        let source = Source {
            name: name.into(),
            base,
            package_part: Some(part.into()),
            ..Source::new(bytes, charset)
        };
        Ok(Document::from_source(source, format))
    }

    /// The edits of the file that give parts, by their numbers, new contents. No other byte changes,
    /// except for lengths, checksums and offsets.
    ///
    /// # Errors
    /// If a part cannot be written: it is compressed by another method than deflate, or the file
    /// would be too long.
    pub fn edits(&self, contents: &[(usize, Vec<u8>)]) -> Result<Vec<Edit>, Error> {
        let edits = self.package.edits(contents);
        edits.map_err(|problem| Error::new(&self.name, ErrorKind::Package { problem }))
    }

    /// The bytes of the file after these edits.
    pub fn edited(&self, edits: &[Edit]) -> Vec<u8> {
        let old = self.bytes();
        let added: usize = edits.iter().map(|(_, new)| new.len()).sum();
        let mut edited = Vec::with_capacity(old.len() + added);
        let mut at = 0;
        for (range, new) in edits {
            edited.extend_from_slice(&old[at..range.start]);
            edited.extend_from_slice(new);
            at = range.end;
        }
        edited.extend_from_slice(&old[at..]);
        edited
    }
}

/// The name of the part whose relationships a part has (ECMA-376, part 2, section 6.5.2.3).
fn source_of_relationships(name: &[u8]) -> Option<String> {
    let name = str::from_utf8(name).ok()?;
    let (directory, file) = name.rsplit_once("_rels/")?;
    let file = file.strip_suffix(".rels").filter(|it| !it.is_empty())?;
    Some(format!("{directory}{file}"))
}
