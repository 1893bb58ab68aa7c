//! Documents whose links are not read: formats without a reader, and binary files.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;

use infer::MatcherType;

use crate::source::Compression;

/// A kind of document whose links a run does not read or does not rewrite, although it may have
/// some.
///
/// Images, video, audio, fonts and programs do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum UnreadKind {
    /// Documents of a format without a reader, or compressed by a method without one. The
    /// extension, such as `.docx`.
    Document(&'static str),
    /// Plain text in a language without a reader. Its absolute URLs are found, and its relative
    /// references are not. The extension, such as `.md`.
    Text(&'static str),
    /// XML of a vocabulary without rules for links, with values that look like references.
    Vocabulary,
    /// Documents whose names do not say that they are of this format, and that have more URLs in
    /// their text, where the format has no links, than links. The name of the format.
    TextUrls(&'static str),
    /// Documents whose links are read, and whose text is not. The name of the format.
    PageText(&'static str),
    /// Plain text by its name, which begins as markup. Its relative references are not read. The
    /// name of the format.
    Called(&'static str),
    /// Parts of messages without a reader: the extension of such a document, or another kind.
    Part(&'static str),
    /// Binary files of another kind.
    Binary,
    /// Files that could not be read.
    Unreadable,
    /// Directories that could not be read.
    UnreadableDirectory,
    /// Documents that are read and never rewritten. The kind: `gzip` or another compression, or the
    /// name of a format of mail.
    NotRewritten(&'static str),
    /// Files and directories that git ignores.
    GitIgnored,
}

/// Extensions of documents without a reader that may have links.
const DOCUMENTS: &[&str] = &[
    // Office documents and electronic books.
    ".azw", ".azw3", ".chm", ".djvu", ".doc", ".docm", ".docx", ".dotx", ".epub", ".hwp", ".indd",
    ".mobi", ".odg", ".odp", ".ods", ".odt", ".oxps", ".pdf", ".potx", ".pps", ".ppsx", ".ppt",
    ".pptm", ".pptx", ".rtf", ".rtfd", ".swf", ".sxw", ".vsd", ".vsdx", ".wpd", ".xls", ".xlsb",
    ".xlsm", ".xlsx", ".xps", // Archives of pages and of mail.
    ".maff", ".ost", ".pst", ".wacz", ".warc", ".webarchive", ".zim",
    // Archives of any files.
    ".7z", ".rar", ".tar", ".tbz", ".tbz2", ".tgz", ".txz", ".zip",
];

/// Extensions of plain text in languages that have relative references and no reader.
const TEXTS: &[&str] = &[
    ".adoc", ".asciidoc", ".asp", ".aspx", ".astro", ".creole", ".dita", ".ditamap", ".ejs",
    ".erb", ".haml", ".hbs", ".j2", ".jinja", ".jinja2", ".jsp", ".latex", ".less", ".liquid",
    ".ltx", ".mediawiki", ".mustache", ".njk", ".org", ".php", ".pod", ".pug", ".rst", ".sass",
    ".scss", ".slim", ".smi", ".svelte", ".tex", ".texi", ".texinfo", ".textile", ".twig", ".txi",
    ".typ", ".vue", ".wiki", ".wikitext", ".xlf", ".xliff",
];

/// Extensions of files compressed by a method without a reader.
const COMPRESSED: &[&str] = &[".br", ".lz", ".lz4", ".lzma", ".z"];

/// Extensions of images, films, sounds, fonts, programs and the state of tools.
const OTHERS: &[&str] = &[
    "3gp", "a", "aac", "ai", "aiff", "apk", "avi", "avif", "bin", "bmp", "class", "cur", "deb",
    "dll", "dmg", "dylib", "elc", "eot", "eps", "exe", "flac", "flv", "gif", "heic", "heif",
    "icns", "ico", "idx", "img", "iso", "jar", "jp2", "jpeg", "jpg", "jxl", "lib", "m4a", "m4v",
    "mid", "midi", "mkv", "mov", "mp3", "mp4", "mpeg", "mpg", "msi", "o", "obj", "oga", "ogg",
    "ogv", "opus", "otf", "pack", "pdb", "pfb", "png", "psd", "pyc", "pyo", "rlib", "rpm", "so",
    "swp", "tga", "tif", "tiff", "ttc", "ttf", "war", "wasm", "wav", "webm", "webp", "wma", "wmv",
    "woff", "woff2", "xcf",
];

/// Media types of documents without a reader, without `application/` and `x-`.
const TYPES: &[(&str, &str)] = &[
    ("epub+zip", ".epub"),
    ("msword", ".doc"),
    ("pdf", ".pdf"),
    ("rtf", ".rtf"),
    ("vnd.ms-excel", ".xls"),
    ("vnd.ms-powerpoint", ".ppt"),
    ("vnd.oasis.opendocument.presentation", ".odp"),
    ("vnd.oasis.opendocument.spreadsheet", ".ods"),
    ("vnd.oasis.opendocument.text", ".odt"),
    ("vnd.openxmlformats-officedocument.presentationml.presentation", ".pptx"),
    ("vnd.openxmlformats-officedocument.spreadsheetml.sheet", ".xlsx"),
    ("vnd.openxmlformats-officedocument.wordprocessingml.document", ".docx"),
    ("zip", ".zip"),
    ("zip-compressed", ".zip"),
];

/// The kind of links that the name of a file promises.
enum Named {
    Unread(UnreadKind),
    /// It has no links.
    Other,
    Unknown,
}

impl Named {
    fn new(name: &Path) -> Self {
        let extension =
            |name: &Path| name.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        let name = Compression::stripped(name);
        let Some(last) = extension(name) else {
            return Self::Unknown;
        };
        let compressed = find(COMPRESSED, &last);
        let inner = match compressed {
            Some(_) => name.file_stem().and_then(|it| extension(Path::new(it))),
            None => Some(last),
        };
        let inner = inner.as_deref().unwrap_or_default();
        if let Some(document) = find(DOCUMENTS, inner) {
            Self::Unread(UnreadKind::Document(document))
        } else if OTHERS.contains(&inner) {
            Self::Other
        } else if let Some(compressed) = compressed {
            Self::Unread(UnreadKind::Document(compressed))
        } else if let Some(text) = find(TEXTS, inner) {
            Self::Unread(UnreadKind::Text(text))
        } else {
            Self::Unknown
        }
    }
}

/// Returns the extension in a list that begins with a dot.
fn find(extensions: &[&'static str], extension: &str) -> Option<&'static str> {
    let is = |it: &&str| it[1..] == *extension;
    extensions.iter().copied().find(is)
}

impl UnreadKind {
    /// The name in records: an extension with its dot, or a word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Document(name)
            | Self::Text(name)
            | Self::TextUrls(name)
            | Self::PageText(name)
            | Self::Called(name)
            | Self::Part(name)
            | Self::NotRewritten(name) => name,
            Self::Vocabulary => "xml-vocabulary",
            Self::Binary => "binary",
            Self::Unreadable => "unreadable",
            Self::UnreadableDirectory => "unreadable-directory",
            Self::GitIgnored => "git-ignored",
        }
    }

    /// The kind of a file with this name that is not opened. `None` if the name says nothing, or if
    /// such files have no links.
    pub fn of_name(name: &Path) -> Option<Self> {
        match Named::new(name) {
            Named::Unread(kind) => Some(kind),
            Named::Other | Named::Unknown => None,
        }
    }

    /// The kind of a file that cannot be read. `None` if its name says that it has no links.
    pub fn of_unreadable(name: &Path) -> Option<Self> {
        match Named::new(name) {
            Named::Other => None,
            Named::Unread(_) | Named::Unknown => Some(Self::Unreadable),
        }
    }

    /// The kind of a file with binary content: by its name, otherwise by its first bytes. `None` if
    /// it has no links.
    pub fn of_binary(name: &Path, bytes: &[u8]) -> Option<Self> {
        match Named::new(name) {
            Named::Unread(Self::Text(_)) => Some(Self::Binary),
            Named::Unread(kind) => Some(kind),
            Named::Other => None,
            Named::Unknown if bytes.starts_with(b"PK\x03\x04") => Some(Self::Document(".zip")),
            Named::Unknown => match infer::get(bytes).map(|it| (it.extension(), it.matcher_type()))
            {
                Some(("7z", _)) => Some(Self::Document(".7z")),
                Some(("rar", _)) => Some(Self::Document(".rar")),
                Some((
                    _,
                    MatcherType::App
                    | MatcherType::Audio
                    | MatcherType::Font
                    | MatcherType::Image
                    | MatcherType::Video,
                )) => None,
                _ => Some(Self::Binary),
            },
        }
    }

    /// The kind of a document that is read as plain text. `None` if that finds all of its links.
    pub fn of_text(name: &Path, bytes: &[u8]) -> Option<Self> {
        match Named::new(name) {
            Named::Unread(kind @ Self::Text(_)) => Some(kind),
            // Most of a PDF or RTF file is not text, even if it has no NUL at its beginning.
            _ if bytes.starts_with(b"%PDF-") => Some(Self::Document(".pdf")),
            _ if bytes.starts_with(b"{\\rtf") => Some(Self::Document(".rtf")),
            _ => None,
        }
    }

    /// The kind of a part of a message that is not read. `essence` is its media type in lower case,
    /// `name` that of its file. `None` if it has no links.
    pub fn of_part(essence: &str, name: &Path, is_pgp: bool) -> Option<Self> {
        let (main, subtype) = essence.split_once('/').unwrap_or((essence, ""));
        let subtype = subtype.strip_prefix("x-").unwrap_or(subtype);
        let known = TYPES.iter().find(|(it, _)| *it == subtype);
        let is_named = |extensions: &[&str]| {
            let extension = name.extension().and_then(OsStr::to_str);
            extension
                .is_some_and(|it| extensions.iter().any(|known| known.eq_ignore_ascii_case(it)))
        };
        let is_tnef = name.file_name().is_some_and(|it| it.eq_ignore_ascii_case("winmail.dat"));
        let kind = match (main, subtype) {
            ("application", "pkcs7-signature" | "pgp-signature" | "pgp-keys" | "pgp-encrypted") => {
                return None;
            }
            ("application", "pkcs7-mime") => "S/MIME",
            ("application", "ms-tnef" | "vnd.ms-tnef") => "TNEF",
            _ if is_tnef => "TNEF",
            _ if is_named(&["p7s", "sig", "asc"]) && !is_pgp => return None,
            _ if is_named(&["p7m"]) => "S/MIME",
            _ if is_pgp || is_named(&["pgp", "gpg"]) => "OpenPGP",
            ("application", _) if known.is_some() => known.map_or("other", |(_, kind)| kind),
            _ => match Named::new(name) {
                Named::Unread(Self::Document(kind) | Self::Text(kind)) => kind,
                Named::Other => return None,
                _ if matches!(
                    main,
                    "image" | "audio" | "video" | "font" | "model" | "chemical"
                ) =>
                {
                    return None;
                }
                _ => "other",
            },
        };
        Some(Self::Part(kind))
    }

    /// The kind of a compressed file, which is not rewritten. `None` if its name says that it has
    /// no links.
    pub fn of_compressed(name: &Path, compression: Compression) -> Option<Self> {
        match Named::new(name) {
            Named::Unread(kind @ Self::Document(_)) => Some(kind),
            Named::Other => None,
            Named::Unread(_) | Named::Unknown => Some(Self::NotRewritten(compression.as_str())),
        }
    }
}

impl serde::Serialize for UnreadKind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl fmt::Display for UnreadKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Returns true if the extension of a name is that of a file that is not a document, or of a
/// document without a reader.
pub(crate) fn is_known_name(name: &Path) -> bool {
    !matches!(Named::new(name), Named::Unknown)
}

/// Returns true if the extension of `name` is that of an image, a film, an archive or the like.
/// Such files are not searched.
pub fn is_binary_name(name: &Path) -> bool {
    match Named::new(name) {
        Named::Unread(kind) => matches!(kind, UnreadKind::Document(_)),
        Named::Other => true,
        Named::Unknown => false,
    }
}

/// Returns true if a file is named as compressed by a method without a reader, and its beginning is
/// not UTF-8. Some such files have no NUL.
pub fn is_compressed(name: &Path, bytes: &[u8]) -> bool {
    let extension = name.extension().and_then(OsStr::to_str);
    let is_named = extension.is_some_and(|it| find(COMPRESSED, &it.to_ascii_lowercase()).is_some());
    let head = &bytes[..bytes.len().min(HEAD)];
    is_named && str::from_utf8(head).is_err_and(|error| error.error_len().is_some())
}

/// The number of leading bytes in which compressed data has bytes that are not UTF-8.
const HEAD: usize = 1 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    const PNG: &[u8] = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR";

    #[test]
    fn documents_without_a_reader_have_the_kind_of_their_extension() {
        let of = |name: &str| UnreadKind::of_binary(Path::new(name), b"\0");
        for (name, kind) in [
            ("a/B.DOCX", ".docx"),
            ("a.pdf", ".pdf"),
            ("pages.tar.gz", ".tar"),
            ("a.docx.xz", ".docx"),
            ("a.html.br", ".br"),
        ] {
            assert_eq!(of(name), Some(UnreadKind::Document(kind)), "{name}");
        }
        for other in ["a.png", "a.jpg.br", "a.woff2", "lib.so", "a.ico.gz"] {
            assert_eq!(of(other), None, "{other}");
            assert_eq!(UnreadKind::of_unreadable(Path::new(other)), None);
        }
        assert_eq!(of("notes.md"), Some(UnreadKind::Binary));
    }

    #[test]
    fn content_decides_on_binary_files_with_unknown_names() {
        let of = |bytes| UnreadKind::of_binary(Path::new("data.x"), bytes);
        assert_eq!(of(PNG), None);
        assert_eq!(of(b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), None);
        assert_eq!(of(b"a\0b"), Some(UnreadKind::Binary));
        let document = |extension| Some(UnreadKind::Document(extension));
        assert_eq!(of(b"PK\x03\x04\0\0"), document(".zip"));
    }

    #[test]
    fn vector_images_are_documents_also_compressed() {
        assert_eq!(UnreadKind::of_binary(Path::new("a.svg"), b"\0"), Some(UnreadKind::Binary));
        for name in ["a.svgz", "a.svg.gz", "a.html.gz", "a.md.gz"] {
            let kind = UnreadKind::of_compressed(Path::new(name), Compression::Gzip);
            assert_eq!(kind, Some(UnreadKind::NotRewritten("gzip")), "{name}");
        }
        assert_eq!(UnreadKind::of_compressed(Path::new("a.png.xz"), Compression::Xz), None);
    }

    #[test]
    fn relative_references_of_languages_without_a_reader_are_not_read() {
        let of = |name: &str, bytes| UnreadKind::of_text(Path::new(name), bytes);
        assert_eq!(of("README.rst", b"x"), Some(UnreadKind::Text(".rst")));
        assert_eq!(of("a", b"%PDF-1.4 x"), Some(UnreadKind::Document(".pdf")));
        assert_eq!(of("a.doc", b"plain text"), None);
        assert_eq!(of("a.txt", b"x"), None);
    }

    #[test]
    fn compressed_data_is_recognized_without_a_nul() {
        let brotli = b"\x0B\x02\x80hello\xE9\x03";
        assert!(is_compressed(Path::new("a.html.br"), brotli));
        assert!(!is_compressed(Path::new("names.br"), "Loïc".as_bytes()));
        assert!(!is_compressed(Path::new("a.html"), brotli));
    }

    #[test]
    fn names_are_in_one_list_in_order() {
        let names = || {
            [DOCUMENTS, TEXTS, COMPRESSED]
                .into_iter()
                .flatten()
                .map(|it| &it[1..])
                .chain(OTHERS.iter().copied())
        };
        for name in names() {
            assert_eq!(names().filter(|it| *it == name).count(), 1, "{name}");
        }
        for sorted in [TEXTS, COMPRESSED, OTHERS] {
            assert!(sorted.is_sorted());
        }
    }
}
