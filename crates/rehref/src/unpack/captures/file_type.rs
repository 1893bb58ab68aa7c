//! The types of files, by their media types, and the extensions that go with them.

use std::fmt;

/// The type of a file: the extension that it needs, because a browser reads files by their names
/// and not by the media type that a server has sent.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileType(u8);

/// A row of the table of types.
struct Row {
    media_types: &'static [&'static str],
    /// The extensions that a file of the type may have. The first is added if one is needed.
    extensions: &'static [&'static str],
    /// True if a browser shows the file only under one of these extensions.
    is_needed: bool,
}

const fn needs(media_types: &'static [&'static str], extensions: &'static [&'static str]) -> Row {
    Row { media_types, extensions, is_needed: true }
}

const fn has(media_types: &'static [&'static str], extensions: &'static [&'static str]) -> Row {
    Row { media_types, extensions, is_needed: false }
}

const ROWS: [Row; 24] = [
    // All other types.
    has(&[], &["bin"]),
    needs(&["text/html"], &["html", "htm"]),
    needs(&["application/xhtml+xml"], &["xhtml", "xht"]),
    needs(&["text/css"], &["css"]),
    needs(&["image/svg+xml"], &["svg"]),
    has(
        &[
            "text/javascript", "application/javascript", "application/x-javascript",
            "application/ecmascript", "text/ecmascript", "text/x-javascript",
        ],
        &["js", "mjs"],
    ),
    has(&["application/json"], &["json"]),
    has(&["text/plain"], &["txt"]),
    has(
        &[
            "application/xml", "text/xml", "application/rss+xml", "application/atom+xml",
            "application/xslt+xml", "text/xsl",
        ],
        &["xml", "xsl", "xslt", "rdf", "rss", "atom"],
    ),
    has(&["image/png"], &["png"]),
    has(&["image/jpeg", "image/jpg"], &["jpg", "jpeg"]),
    has(&["image/gif"], &["gif"]),
    has(&["image/webp"], &["webp"]),
    has(&["image/avif"], &["avif"]),
    has(&["image/x-icon", "image/vnd.microsoft.icon"], &["ico"]),
    has(&["font/woff", "application/font-woff"], &["woff"]),
    has(&["font/woff2"], &["woff2"]),
    has(&["font/ttf"], &["ttf"]),
    has(&["application/pdf"], &["pdf"]),
    has(&["audio/mpeg"], &["mp3"]),
    has(&["video/mp4"], &["mp4"]),
    has(&["video/webm"], &["webm"]),
    has(&["application/zip"], &["zip"]),
    has(&["application/wasm"], &["wasm"]),
];

impl FileType {
    /// The type of a file whose media type is unknown, or needs no extension.
    pub const OTHER: Self = Self(0);

    /// The type of pages.
    pub const HTML: Self = Self(1);

    /// The type of pages in XML.
    const XHTML: Self = Self(2);

    /// The type of style sheets.
    pub const CSS: Self = Self(3);

    /// The type of scripts.
    const SCRIPT: Self = Self(5);

    /// The type of plain text.
    const TEXT: Self = Self(7);

    /// The type of XML without a more specific type.
    pub(super) const XML: Self = Self(8);

    /// The type of files with this media type, which may have parameters.
    pub fn of_media_type(media_type: &str) -> Self {
        let essence = media_type.split([';', ',']).next();
        let essence = essence.unwrap_or_default().trim();
        let has = |row: &Row| {
            let mut types = row.media_types.iter();
            types.any(|it| it.eq_ignore_ascii_case(essence))
        };
        let is_xml = || essence.to_ascii_lowercase().ends_with("+xml");
        let number = match ROWS.iter().position(has) {
            None if is_xml() => return Self::XML,
            number => number.unwrap_or_default(),
        };
        Self(u8::try_from(number).unwrap_or_default())
    }

    /// The type of files with this extension. `None` if no type has it.
    pub fn of_extension(extension: &str) -> Option<Self> {
        let has = |row: &Row| {
            let mut extensions = row.extensions.iter();
            extensions.any(|it| it.eq_ignore_ascii_case(extension))
        };
        let number = ROWS.iter().position(has)?;
        Some(Self(u8::try_from(number).unwrap_or_default()))
    }

    fn row(self) -> &'static Row {
        ROWS.get(usize::from(self.0)).unwrap_or(&ROWS[0])
    }

    /// Returns true for pages.
    pub(super) fn is_page(self) -> bool {
        self == Self::HTML || self == Self::XHTML
    }

    /// Returns true for scripts and plain text, which cannot declare their encoding.
    pub fn is_undeclared(self) -> bool {
        self == Self::SCRIPT || self == Self::TEXT
    }

    /// Returns true if a browser shows the file only under an extension of its type.
    pub(super) fn needs_extension(self) -> bool {
        self.row().is_needed
    }

    /// The extension that is added to names.
    pub(super) fn extension(self) -> &'static str {
        self.row().extensions[0]
    }

    /// Returns true if a browser opens a file with this extension as a page, and runs its scripts.
    pub(super) fn is_of_page(extension: &str) -> bool {
        let is_page = |it: Self| it == Self::XML || it.needs_extension() && it != Self::CSS;
        let mut others = ["shtml", "shtm", "ehtml", "xhtm", "mht", "mhtml"].iter();
        Self::of_extension(extension).is_some_and(is_page)
            || others.any(|it| it.eq_ignore_ascii_case(extension))
    }

    /// Returns true if a file of the type may have this extension.
    pub(super) fn suits(self, extension: &str) -> bool {
        let mut extensions = self.row().extensions.iter();
        extensions.any(|it| it.eq_ignore_ascii_case(extension))
    }

    /// Returns true for the type of files whose media type is unknown.
    pub(super) fn is_other(self) -> bool {
        self == Self::OTHER
    }

    /// Returns true if some type adds this extension to names.
    pub(super) fn is_added(extension: &str) -> bool {
        ROWS.iter().any(|row| row.extensions[0].eq_ignore_ascii_case(extension))
    }
}

impl fmt::Debug for FileType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.extension())
    }
}

#[cfg(test)]
impl FileType {
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..).map(Self).take(ROWS.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_the_extensions_of_their_media_types() {
        for (media_type, extension) in [
            ("text/html; charset=utf-8", "html"),
            ("TEXT/HTML", "html"),
            ("application/xhtml+xml", "xhtml"),
            (" text/css ", "css"),
            ("image/svg+xml", "svg"),
            ("image/png", "png"),
            ("", "bin"),
            ("x/y", "bin"),
        ] {
            let found = FileType::of_media_type(media_type);
            assert_eq!(found.extension(), extension, "{media_type}");
        }
        assert_eq!(FileType::of_extension("JPEG"), FileType::of_extension("jpg"));
        assert_eq!(FileType::of_extension("php"), None);
        assert_eq!(FileType::of_media_type("text/html"), FileType::HTML);
        assert_eq!(FileType::of_media_type("text/css"), FileType::CSS);
        assert_eq!(FileType::of_media_type("text/xml"), FileType::XML);
        assert!(FileType::of_media_type("application/xhtml+xml").is_page());
        assert!(FileType::of_media_type("text/javascript").is_undeclared());
        assert!(FileType::of_media_type("text/plain").is_undeclared());
        assert_eq!(FileType::of_media_type("x/y+XML; z"), FileType::XML);
    }
}
