//! The kinds of packages, and which of their parts are read.

use std::borrow::Cow;
use std::collections::HashSet;

use memchr::memmem;

use super::Package;
use crate::bytes::percent;

/// The kind of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackageKind {
    /// Office Open XML.
    Ooxml,
    /// Open Document Format.
    Odf,
    /// A book.
    Epub,
}

/// The parts of Open Document Format that have links, in the package or in a directory of it.
const ODF_PARTS: [&str; 4] = ["content.xml", "meta.xml", "settings.xml", "styles.xml"];

/// The extensions of parts that have links, in lower case.
const OOXML_PARTS: [&str; 3] = ["rels", "vml", "xml"];
const EPUB_PARTS: [&str; 8] = ["css", "htm", "html", "ncx", "opf", "smil", "svg", "xhtml"];

/// Which parts of a package have links.
#[derive(Clone, Debug)]
pub struct Parts {
    kind: PackageKind,
    /// The names of encrypted parts of a book.
    encrypted: HashSet<Vec<u8>>,
    /// True if the file encrypts its parts, or some.
    pub is_encrypted: bool,
    /// True if a signature covers the parts.
    pub is_signed: bool,
    /// The name of a part that programs of Office take for another one (ECMA-376, part 2, section
    /// 6.2.2.3): they ignore case.
    pub ambiguous: Option<String>,
    /// True if the properties of the document have a base for its hyperlinks.
    pub has_hyperlink_base: bool,
}

/// What a run does with a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// It may have links, which are read.
    Read,
    /// It may have links, which are not read. The kind of content.
    Unread(&'static str),
    /// It has no links.
    Other,
}

impl PackageKind {
    /// The kind of a package, by its content. `None` for other ZIP files.
    pub fn of(package: &Package) -> Option<Self> {
        let has = |name| package.part(name).is_some();
        let mimetype = package.part("mimetype").and_then(|it| package.content(it).ok());
        match mimetype.as_deref().map(<[u8]>::trim_ascii) {
            Some(b"application/epub+zip") => Some(Self::Epub),
            Some(it) if it.starts_with(b"application/vnd.oasis.opendocument.") => Some(Self::Odf),
            Some(it) if it.starts_with(b"application/vnd.sun.xml.") => Some(Self::Odf),
            _ if has("[Content_Types].xml") => Some(Self::Ooxml),
            _ if has("META-INF/container.xml") => Some(Self::Epub),
            _ if has("META-INF/manifest.xml") && has("content.xml") => Some(Self::Odf),
            _ => None,
        }
    }
}

impl Parts {
    /// The parts of a package of this kind.
    pub fn of(package: &Package, kind: PackageKind) -> Self {
        let content = |name| package.part(name).and_then(|it| package.content(it).ok());
        let has =
            |name, bytes: &[u8]| content(name).is_some_and(|it| memmem::find(&it, bytes).is_some());
        let is_zip_encrypted = (0..package.count()).any(|it| package.is_encrypted(it));
        let mut encrypted = HashSet::new();
        let (is_encrypted, is_signed) = match kind {
            PackageKind::Ooxml => {
                let is_signature = |it| name_of(package, it).starts_with("_xmlsignatures/");
                let has_origin = has("_rels/.rels", b"/digital-signature/origin");
                (false, has_origin || (0..package.count()).any(is_signature))
            }
            PackageKind::Odf => (
                has("META-INF/manifest.xml", b"encryption-data"),
                package.part("META-INF/documentsignatures.xml").is_some(),
            ),
            PackageKind::Epub => {
                if let Some(list) = content("META-INF/encryption.xml") {
                    encrypted = encrypted_parts(&list);
                }
                (false, package.part("META-INF/signatures.xml").is_some())
            }
        };
        let mut names = HashSet::new();
        let mut all = (0..package.count()).filter(|_| kind == PackageKind::Ooxml);
        let ambiguous = all.find(|it| !names.insert(name_of(package, *it).to_ascii_lowercase()));
        let properties = content("docProps/app.xml").filter(|_| kind == PackageKind::Ooxml);
        Self {
            kind,
            encrypted,
            is_encrypted: is_encrypted || is_zip_encrypted,
            is_signed,
            ambiguous: ambiguous.map(|it| name_of(package, it)),
            has_hyperlink_base: properties.is_some_and(|it| has_text(&it, b"HyperlinkBase")),
        }
    }

    /// What a run does with a part.
    pub fn kind_of(&self, package: &Package, part: usize) -> PartKind {
        let name = name_of(package, part);
        let name = name.to_ascii_lowercase();
        let (directory, file) = name.rsplit_once('/').unwrap_or(("", &name));
        let extension = file.rsplit_once('.').map_or("", |(_, it)| it);
        let is_in = |it: &str| directory == it || name.starts_with(&format!("{it}/"));
        match self.kind {
            _ if file.is_empty() => PartKind::Other,
            PackageKind::Ooxml if is_in("_xmlsignatures") => PartKind::Other,
            PackageKind::Ooxml if is_in("customxml") && extension == "xml" => {
                match is_query(package, part) {
                    true => PartKind::Unread("query"),
                    false => PartKind::Other,
                }
            }
            PackageKind::Ooxml => match extension {
                _ if name == "[content_types].xml" => PartKind::Other,
                it if OOXML_PARTS.contains(&it) => PartKind::Read,
                "bin" if file.starts_with("vbaproject") => PartKind::Unread("macro"),
                "bin" if directory == "xl" || directory.ends_with("sheets") => {
                    PartKind::Unread("binary")
                }
                _ if directory.ends_with("embeddings") => PartKind::Unread("embedded"),
                _ => PartKind::Other,
            },
            PackageKind::Odf if is_in("meta-inf") => PartKind::Other,
            PackageKind::Odf if is_in("basic") && extension == "xml" => {
                match file.starts_with("script") {
                    true => PartKind::Other,
                    false => PartKind::Unread("macro"),
                }
            }
            PackageKind::Odf => match ODF_PARTS.contains(&file) {
                true => PartKind::Read,
                false => PartKind::Other,
            },
            PackageKind::Epub if is_in("meta-inf") => PartKind::Other,
            PackageKind::Epub => match EPUB_PARTS.contains(&extension) {
                true if self.encrypted.contains(package.name(part)) => {
                    PartKind::Unread("encrypted")
                }
                true => PartKind::Read,
                false => PartKind::Other,
            },
        }
    }
}

/// The name of a part, with slashes between its directories.
fn name_of(package: &Package, part: usize) -> String {
    String::from_utf8_lossy(package.name(part)).replace('\\', "/")
}

/// Returns true if a part is a query of Excel: `DataMashup` in its own format, often in UTF-16.
fn is_query(package: &Package, part: usize) -> bool {
    let Ok(content) = package.content(part) else {
        return false;
    };
    let head = &content[..content.len().min(1 << 10)];
    let ascii: Cow<'_, [u8]> = match head {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => {
            head.iter().copied().filter(|&byte| byte != 0).collect()
        }
        _ => head.into(),
    };
    memmem::find(&ascii, b"DataMashup").is_some()
}

/// Returns true if XML has an element with this name and a text.
fn has_text(xml: &[u8], name: &[u8]) -> bool {
    let tag = memmem::find(xml, name).map(|at| &xml[at + name.len()..]);
    let after = tag.and_then(|it| it.iter().position(|&byte| byte == b'>').map(|at| &it[at..]));
    after.is_some_and(|it| !it[1..].trim_ascii_start().starts_with(b"<"))
}

/// The names of the parts that a list of encrypted parts has (EPUB 3.3, section 4.2.6.3.4).
fn encrypted_parts(list: &[u8]) -> HashSet<Vec<u8>> {
    let list = String::from_utf8_lossy(list);
    let references = list.split("CipherReference").skip(1).filter_map(|it| {
        let tag = it.split('>').next()?;
        let (_, value) = tag.split_once("URI")?;
        let value = value.trim_start().strip_prefix('=')?.trim_start();
        let quote = value.chars().next().filter(|it| matches!(it, '"' | '\''))?;
        value[1..].split(quote).next()
    });
    references.map(|it| percent::decode(&it.replace("&amp;", "&")).into_owned()).collect()
}
