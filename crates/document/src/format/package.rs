//! The rows of packages in the table of languages: documents of offices and books, which are ZIP
//! files. `container::package` reads their parts.

use memchr::memmem;

use super::binary::is_binary;
use super::language::{Container, Content, Language, Sniff};
use super::parsed_links::ParsedLinks;

/// Office Open XML: documents of Word, Excel, PowerPoint and Visio (ISO 29500).
pub(crate) const OOXML: Language = Language {
    extensions: &[
        "docx", "docm", "dotx", "dotm", "xlsx", "xlsm", "xltx", "xltm", "xlsb", "xlam", "pptx",
        "pptm", "potx", "potm", "ppsx", "ppsm", "ppam", "sldx", "sldm", "thmx", "vsdx", "vsdm",
        "vstx", "vstm", "vssx", "vssm",
    ],
    begins: |beginning| is_zip_with(beginning, b"[Content_Types].xml"),
    ..package("ooxml")
};

/// Open Document Format: documents of LibreOffice (ISO 26300).
pub(crate) const ODF: Language = Language {
    extensions: &[
        "odt", "ods", "odp", "odg", "odf", "odb", "odc", "odi", "odm", "ott", "ots", "otp", "otg",
        "oth", "sxw", "sxc", "sxi", "sxd", "stw", "stc", "sti", "std",
    ],
    begins: |beginning| is_zip_with(beginning, b"mimetypeapplication/vnd."),
    ..package("odf")
};

/// A book (EPUB 2 and 3).
pub(crate) const EPUB: Language = Language {
    extensions: &["epub"],
    begins: |beginning| is_zip_with(beginning, b"mimetypeapplication/epub+zip"),
    ..package("epub")
};

/// A package of this name. Its documents are its parts.
const fn package(name: &'static str) -> Language {
    Language {
        // A document under a name of an office may be a page. A package is binary, also an encrypted
        // one.
        agrees: |beginning| beginning.bytes.is_empty() || is_binary(beginning.bytes),
        may_have_nuls: |_| true,
        content: Content::Container(Container::Package),
        ..Language::new(name, |source, _| {
            ParsedLinks::of_links(Vec::new(), source.base.clone(), None)
        })
    }
}

/// Returns true for a ZIP file that has these bytes among the names of its files, or at the
/// beginning of the first one.
fn is_zip_with(beginning: &Sniff<'_>, bytes: &[u8]) -> bool {
    beginning.bytes.starts_with(b"PK\x03\x04") && memmem::find(beginning.bytes, bytes).is_some()
}
