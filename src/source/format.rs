use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::mail_lines::{
    FROM, blank_len, is_field_of_mail, is_from_line, is_listserv_line, is_mmdf_line, line_at,
    name_len,
};

/// The kind of a document: which syntax its links are found by.
///
/// What is mail is taken apart first ([`mail`](crate::container::mail)): the links are in its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Plain text, also source code and Markdown.
    Text,
    /// HTML as browsers read it.
    Html,
    /// XML: feeds, sitemaps, SVG and XHTML files.
    Xml,
    /// A style sheet.
    Css,
    /// One mail message.
    Mail,
    /// Many mail messages in one file.
    Mbox,
    /// A web page with its parts in one message.
    Mhtml,
    /// The header of a message, or of a part of one. No file is that alone.
    Header,
}

/// A name that is none of [`Format::ALL`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat;

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a kind of document")
    }
}

impl std::error::Error for UnknownFormat {}

/// How far into a document its kind is looked for, in bytes.
const SNIFF: usize = 1024;

/// How far into a document fields of mail are looked for, in bytes: those that tell may come behind many that every
/// server on the way has put before them.
const MAIL_SNIFF: usize = 32 << 10;

/// How far into a document a NUL makes it binary, in bytes.
const BINARY_SNIFF: usize = 8 << 10;

impl Format {
    /// All kinds that a file may be.
    pub const ALL: [Self; 7] = [
        Self::Text,
        Self::Html,
        Self::Xml,
        Self::Css,
        Self::Mail,
        Self::Mbox,
        Self::Mhtml,
    ];

    /// The name on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Html => "html",
            Self::Xml => "xml",
            Self::Css => "css",
            Self::Mail => "mail",
            Self::Mbox => "mbox",
            Self::Mhtml => "mhtml",
            Self::Header => "header",
        }
    }

    /// The kind by the extension of `name`, without a `.gz`; else by how the content begins, in the first
    /// 1,024 bytes: HTML and XML by the patterns of the MIME Sniffing standard, section 7.1, feeds, sitemaps
    /// and SVG also by their root, mail by fields that only mail has, after `From ` an mbox, style sheets by
    /// an `@charset` or `@import` that comes first; else text. What begins as a mailbox is one whatever
    /// extension of text it has. What begins with the header of a message is one if it has the extension `.txt` or
    /// `.text`; and what begins with a field of mail, if it is called or lies as messages do in Maildirs and folders of
    /// MH. Blank lines may come first.
    pub fn detect(name: &Path, bytes: &[u8]) -> Self {
        match Self::from_extension(name) {
            // Archives of mailing lists are kept under such names.
            Some(Self::Text) if is_mailbox(bytes) => Self::Mbox,
            Some(Self::Text) if is_plain_name(name) && HeaderSigns::of(bytes).are_certain() => {
                Self::Mail
            }
            Some(format) => format,
            None if is_name_of_message(name) && is_field_of_mail(&bytes[blank_len(bytes)..]) => {
                Self::Mail
            }
            None => Self::from_content(bytes),
        }
    }

    /// Whether it is messages, and not their parts.
    pub const fn is_mail(self) -> bool {
        matches!(self, Self::Mail | Self::Mbox | Self::Mhtml)
    }

    /// Whether its links are those that stand in text: also those of mail that was not taken apart.
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Text) || self.is_mail()
    }

    /// The kind by the extension of `name`, without a `.gz`, if that tells.
    pub fn from_extension(name: &Path) -> Option<Self> {
        let extension = |path: &Path| path.extension().map(|it| it.to_ascii_lowercase());
        let found = match extension(name) {
            Some(gz) if gz == "gz" => extension(Path::new(name.file_stem()?))?,
            found => found?,
        };
        Some(match found.to_str()? {
            "html" | "htm" | "shtml" | "shtm" => Self::Html,
            // Browsers read XHTML files as XML.
            "xml" | "xhtml" | "xht" | "svg" | "rss" | "atom" | "rdf" | "opml" | "xsl" | "xslt"
            | "kml" | "mml" => Self::Xml,
            "css" => Self::Css,
            "eml" | "msg" => Self::Mail,
            "mbox" | "mbx" | "mmdf" => Self::Mbox,
            "mht" | "mhtml" => Self::Mhtml,
            "txt" | "text" | "md" | "markdown" | "rst" | "js" | "json" | "c" | "h" | "rs"
            | "py" => Self::Text,
            _ => return None,
        })
    }

    fn from_content(bytes: &[u8]) -> Self {
        const TAGS: [&str; 16] = [
            "!DOCTYPE HTML",
            "HTML",
            "HEAD",
            "SCRIPT",
            "IFRAME",
            "H1",
            "DIV",
            "FONT",
            "TABLE",
            "A",
            "STYLE",
            "TITLE",
            "B",
            "BODY",
            "BR",
            "P",
        ];
        // Feeds and drawings may do without an XML declaration.
        const XML_ROOTS: [&str; 7] = [
            "rss",
            "feed",
            "rdf:RDF",
            "svg",
            "urlset",
            "sitemapindex",
            "opml",
        ];
        let head = &bytes[..bytes.len().min(SNIFF)];
        let ascii: Vec<u8> = match head {
            // What is ASCII in UTF-16 is all that the patterns need.
            [0xFF, 0xFE, units @ ..] | [0xFE, 0xFF, units @ ..] => {
                units.iter().copied().filter(|&byte| byte != 0).collect()
            }
            [0xEF, 0xBB, 0xBF, rest @ ..] => rest.to_vec(),
            _ => head.to_vec(),
        };
        let begin = ascii.trim_ascii_start();
        if is_css(begin) {
            return Self::Css;
        }
        let Some(after) = begin.strip_prefix(b"<") else {
            return mail(bytes).unwrap_or(Self::Text);
        };
        let is_tag = |tag: &&str| {
            let end = after.get(tag.len());
            after
                .get(..tag.len())
                .is_some_and(|it| it.eq_ignore_ascii_case(tag.as_bytes()))
                && end.is_some_and(|end| end.is_ascii_whitespace() || *end == b'>')
        };
        if after.starts_with(b"?xml") {
            // XHTML begins as XML does; its root tells. What is served as HTML is read as that.
            let tags = memchr::memchr_iter(b'<', after).map(|at| &after[at + 1..]);
            let mut roots = tags.filter(|it| it.first().is_some_and(u8::is_ascii_alphabetic));
            match roots.next() {
                Some(root) if root.starts_with(b"html") => Self::Html,
                _ => Self::Xml,
            }
        } else if after.starts_with(b"!--") || TAGS.iter().any(is_tag) {
            Self::Html
        } else if XML_ROOTS.iter().any(is_tag) {
            Self::Xml
        } else {
            Self::Text
        }
    }
}

/// Whether a text begins with `<`, behind a byte order mark and white space, in whatever encoding.
pub(crate) fn begins_with_tag(bytes: &[u8]) -> bool {
    let is_skipped = |byte: &u8| {
        byte.is_ascii_whitespace() || matches!(byte, 0 | 0xEF | 0xBB | 0xBF | 0xFE | 0xFF)
    };
    bytes.iter().find(|byte| !is_skipped(byte)) == Some(&b'<')
}

/// Whether a file of this name is an image, a film, an archive or the like, as its extension says: in none of
/// these links are looked for.
pub fn is_binary_name(name: &Path) -> bool {
    const EXTENSIONS: [&str; 43] = [
        "7z", "aac", "avi", "avif", "bin", "bmp", "bz2", "class", "dll", "doc", "docx", "eot",
        "epub", "exe", "flac", "gif", "heic", "ico", "jar", "jpeg", "jpg", "m4a", "mkv", "mov",
        "mp3", "mp4", "ogg", "otf", "pdf", "png", "so", "tar", "tif", "tiff", "ttf", "wasm",
        "webm", "webp", "woff", "woff2", "xz", "zip", "zst",
    ];
    let extension = name.extension().and_then(|it| it.to_str());
    let extension = extension.map(str::to_ascii_lowercase);
    extension.is_some_and(|it| EXTENSIONS.contains(&&*it))
}

/// Whether the content begins with `<!DOCTYPE html` or `<html`, after white space and comments. Looks at the first 1,024
/// bytes.
pub fn begins_as_page(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(SNIFF)];
    let mut rest = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    loop {
        rest = rest.trim_ascii_start();
        let comment = rest.strip_prefix(b"<!--");
        match comment.map(|it| memchr::memmem::find(it, b"-->").map(|end| &it[end + 3..])) {
            None => break,
            Some(None) => return false,
            Some(Some(after)) => rest = after,
        }
    }
    let is_tag = |tag: &[u8]| {
        let name = rest.get(..tag.len());
        let end = rest.get(tag.len());
        name.is_some_and(|it| it.eq_ignore_ascii_case(tag))
            && end.is_some_and(|end| end.is_ascii_whitespace() || *end == b'>')
    };
    is_tag(b"<!DOCTYPE html") || is_tag(b"<html")
}

/// Whether text that begins like this is a style sheet: other languages have an `@import` too, but
/// neither of a string nor of a `url()`.
fn is_css(begin: &[u8]) -> bool {
    let after = |word: &[u8]| {
        let found = begin.get(..word.len())?;
        found
            .eq_ignore_ascii_case(word)
            .then(|| &begin[word.len()..])
    };
    if let Some(rest) = after(b"@import") {
        let url = rest.trim_ascii_start();
        url.starts_with(b"\"")
            || url.starts_with(b"'")
            || url
                .get(..4)
                .is_some_and(|it| it.eq_ignore_ascii_case(b"url("))
    } else {
        begin.starts_with(b"@charset \"")
    }
}

/// Whether a text is a mailbox, as it begins.
fn is_mailbox(bytes: &[u8]) -> bool {
    let head = after_blank_lines(bytes);
    let after = &head[line_at(head, 0).end..];
    is_listserv_line(head, 0)
        || is_mmdf_line(head, 0)
        || head.starts_with(FROM)
            && is_from_line(head, 0, true)
            && name_len(&after[line_at(after, 0)]) > 0
}

/// What follows a byte order mark and blank lines.
fn after_blank_lines(bytes: &[u8]) -> &[u8] {
    let head = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    &head[blank_len(head)..]
}

/// What text is that begins like this, if it is mail: a mailbox; or a message, if at least two of its header's fields
/// are fields of mail (RFC 5322, section 3.6).
fn mail(bytes: &[u8]) -> Option<Format> {
    if is_mailbox(bytes) {
        return Some(Format::Mbox);
    }
    (HeaderSigns::of(bytes).fields > 1).then_some(Format::Mail)
}

/// What shows that a text begins with the header of a message.
#[derive(Clone, Copy, Debug, Default)]
struct HeaderSigns {
    /// How many different fields of mail there are, of those that tell.
    fields: usize,
    /// One of them is written by programs only.
    has_trace: bool,
    /// A mail address stands in one of them.
    has_address: bool,
    /// An empty line ends the header, or the text.
    is_ended: bool,
}

impl HeaderSigns {
    fn of(bytes: &[u8]) -> Self {
        const FIELDS: [&[u8]; 9] = [
            b"from",
            b"to",
            b"date",
            b"subject",
            b"message-id",
            b"received",
            b"return-path",
            b"mime-version",
            b"delivered-to",
        ];
        // Of these, from here on.
        const TRACES: usize = 4;
        let head = after_blank_lines(bytes);
        let head = &head[..head.len().min(MAIL_SNIFF)];
        let mut found = [false; FIELDS.len()];
        let mut signs = Self {
            is_ended: true,
            ..Self::default()
        };
        let goes_on = |line: &&[u8]| line.starts_with(b" ") || line.starts_with(b"\t");
        let mut lines = head.split(|&byte| byte == b'\n');
        for line in lines.by_ref().filter(|line| !goes_on(line)) {
            let name_len = name_len(line);
            let (name, value) = line.split_at(name_len);
            if name.is_empty() {
                signs.is_ended = line.trim_ascii().is_empty();
                break;
            }
            for (field, found) in FIELDS.iter().zip(&mut found) {
                if name.trim_ascii_end().eq_ignore_ascii_case(field) {
                    *found = true;
                    signs.has_address |= memchr::memchr(b'@', value).is_some()
                        || memchr::memmem::find(value, b" at ").is_some();
                }
            }
        }
        signs.fields = found.iter().filter(|found| **found).count();
        signs.has_trace = found[TRACES..].contains(&true);
        signs
    }

    /// Whether they outweigh the name of a plain text: notes and documents begin with fields too.
    fn are_certain(self) -> bool {
        self.fields > 1 && self.is_ended && (self.has_trace || self.has_address)
    }
}

/// Whether a file of this name is a text of which no more is said.
fn is_plain_name(name: &Path) -> bool {
    let extension = |path: &Path| path.extension().map(|it| it.to_ascii_lowercase());
    let found = match extension(name) {
        Some(gz) if gz == "gz" => name.file_stem().and_then(|stem| extension(Path::new(stem))),
        found => found,
    };
    found.is_some_and(|it| it == "txt" || it == "text")
}

/// Whether a file lies or is called as those do that hold one message each: in a Maildir, or by its number in a folder
/// of MH.
fn is_name_of_message(path: &Path) -> bool {
    let text = |name: Option<&std::ffi::OsStr>| name.and_then(|it| it.to_str()).map(str::to_owned);
    let name = text(path.file_name()).unwrap_or_default();
    let folder = text(path.parent().and_then(Path::file_name)).unwrap_or_default();
    let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    is_number || name.contains(":2,") || ["cur", "new", "tmp"].contains(&&*folder)
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Self::ALL
            .into_iter()
            .find(|format| format.as_str() == name)
            .ok_or(UnknownFormat)
    }
}

/// Whether bytes look like no text: a NUL among the first 8 KiB, and no byte order mark of UTF-16.
pub fn is_binary(bytes: &[u8]) -> bool {
    let utf16 = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
    !utf16 && memchr::memchr(0, &bytes[..bytes.len().min(BINARY_SNIFF)]).is_some()
}

/// The same of a file of this name: NULs alone do not make mail binary. Messages have been stored with parts in
/// binary, and archives with NULs where a disk was damaged. What other programs than those of mail keep under its
/// names still is.
pub fn is_binary_file(name: &Path, bytes: &[u8]) -> bool {
    is_binary(bytes) && (!Format::detect(name, bytes).is_mail() || is_of_other_program(bytes))
}

/// Whether bytes are a compound file, as Outlook writes, or have more controls than text has.
fn is_of_other_program(bytes: &[u8]) -> bool {
    const COMPOUND: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
    if bytes.starts_with(COMPOUND) {
        return true;
    }
    let head = after_blank_lines(bytes);
    if is_mailbox(head) || HeaderSigns::of(head).fields > 0 {
        return false;
    }
    let head = &head[..head.len().min(BINARY_SNIFF)];
    let is_control = |byte: &&u8| matches!(**byte, 1..=8 | 14..=26 | 28..=31 | 127);
    head.iter().filter(is_control).count() * 50 > head.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_is_known_by_its_header() {
        let content = |text: &str| Format::detect(Path::new("53:2,"), text.as_bytes());
        let header = "Received: from a\n\tby b\nFrom: a@b.example\nSubject: c\n\nSee\n";
        assert_eq!(content(header), Format::Mail);
        assert_eq!(content(&header.replace('\n', "\r\n")), Format::Mail);
        assert_eq!(
            content(&format!("From a@b.example Mon Jul 21 10:00 1997\n{header}")),
            Format::Mbox
        );
        let one = "From: a\n\nTo: b\n";
        assert_eq!(Format::detect(Path::new("a"), one.as_bytes()), Format::Text);
        for name in ["53:2,", "17", "Mail/cur/a.b", "new/a"] {
            assert_eq!(
                Format::detect(Path::new(name), one.as_bytes()),
                Format::Mail
            );
            assert_eq!(Format::detect(Path::new(name), b"words\n"), Format::Text);
        }
        let relays = "Received: from a by b\n\tfor c\n".repeat(200);
        assert_eq!(content(&format!("{relays}{header}")), Format::Mail);
        assert_eq!(
            content("From here to there, and\nSubject: x\n"),
            Format::Text
        );
        assert_eq!(content("Note: a\nSee: b\n"), Format::Text);
    }

    #[test]
    fn the_extension_goes_before_the_content() {
        let detect =
            |name: &str, content: &str| Format::detect(Path::new(name), content.as_bytes());
        assert_eq!(detect("a.HTM", "plain"), Format::Html);
        assert_eq!(detect("a.txt", "<html>"), Format::Text);
        assert_eq!(detect("a.html.gz", ""), Format::Html);
        assert_eq!(detect("a.xhtml", "<!DOCTYPE html>"), Format::Xml);
        assert_eq!(detect("subscriptions.opml", ""), Format::Xml);
        assert_eq!(detect("a.cgi", " \n<!doctype html>"), Format::Html);
        assert_eq!(detect("a", "<title>x"), Format::Html);
        assert_eq!(detect("a", "<titles>"), Format::Text);
        assert_eq!(detect("a", "<http://a.example/>"), Format::Text);
        assert_eq!(detect("-", "<?xml version='1.0'?><feed/>"), Format::Xml);
        assert_eq!(
            detect("-", "<?xml version='1.0'?>\n<html xmlns='x'>"),
            Format::Html
        );
        assert_eq!(detect("-", "<rss version='2.0'>"), Format::Xml);
        assert_eq!(
            detect("-", "<?xml version='1.0'?><rss><![CDATA[<html>]]></rss>"),
            Format::Xml
        );
        assert_eq!(detect("-", ""), Format::Text);
        assert_eq!(detect("-", "@charset \"utf-8\";"), Format::Css);
        assert_eq!(detect("-", "\n@import 'a.css';"), Format::Css);
        assert_eq!(detect("-", "@IMPORT URL(a.css);"), Format::Css);
        assert_eq!(detect("-", "@import Foundation;"), Format::Text);
        assert_eq!(detect("-", "@importer"), Format::Text);
        assert_eq!(
            Format::detect(Path::new("-"), b"\xFF\xFE<\0p\0>\0"),
            Format::Html
        );
    }

    #[test]
    fn a_page_begins_with_its_doctype_or_root() {
        for page in [
            "<!DOCTYPE html>",
            "\u{FEFF} <!-- x -->\n<HTML lang=en>",
            "<!doctype HTML PUBLIC>",
        ] {
            assert!(begins_as_page(page.as_bytes()), "{page}");
        }
        for other in [
            "",
            "<",
            "<htmlx>",
            "<!-- <html>",
            "# <html>",
            "<p>",
            "<?xml version='1.0'?>",
        ] {
            assert!(!begins_as_page(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn names_round_trip() {
        for format in Format::ALL {
            assert_eq!(format.as_str().parse(), Ok(format));
        }
        assert_eq!("HTML".parse::<Format>(), Err(UnknownFormat));
    }

    #[test]
    fn a_nul_does_not_make_mail_binary() {
        let is_binary = |name: &str, bytes: &[u8]| is_binary_file(Path::new(name), bytes);
        let mailbox = b"From a@b.example Mon Jul 21 10:00 1997\nSubject: c\n\n\0\x01\x02\n";
        let message = b"From: a@b.example\nSubject: c\n\nSee \0 here\n";
        for name in ["a.mbox", "1997-07.txt", "1997-July", "a.eml"] {
            assert!(!is_binary(name, mailbox), "{name}");
            assert!(!is_binary(name, message), "{name}");
        }
        assert!(!is_binary("a.mbox", b"\0\0\0\0\n\nwords and more words\n"));
        assert!(!is_binary("a.mbox", &[&[0; 512], &mailbox[..]].concat()));
        assert!(is_binary("a", b"words \0\n"));
        assert!(is_binary("a.txt", b"words \0\n"));
        assert!(is_binary(
            "a.msg",
            b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0\0\0"
        ));
        assert!(is_binary(
            "a.mbox",
            b"\x7FELF\x02\x01\x01\0\0\0\0\0\x03\0>\0\x01"
        ));
    }

    #[test]
    fn a_text_that_begins_with_a_header_is_a_message() {
        let detect =
            |name: &str, content: &str| Format::detect(Path::new(name), content.as_bytes());
        let letter = "\n\nFrom: a@b.example\nDate: Mon, 21 Jul 1997\nSubject: c\n\nSee\n";
        assert_eq!(detect("a.txt", letter), Format::Mail);
        assert_eq!(detect("a.txt.gz", letter), Format::Mail);
        assert_eq!(detect("a.md", letter), Format::Text);
        let archived = letter.replace("a@b.example", "a at b.example (A)");
        assert_eq!(detect("a.txt", &archived), Format::Mail);
        for text in [
            "Title: x\nDate: today\nAuthor: a@b.example\n\nSee\n",
            "From: the beginning\nTo: the end\n\nSee\n",
            "From: a@b.example\n\nSee\n",
            "From: a@b.example\nTo: c@d.example\nand so on\n",
        ] {
            assert_eq!(detect("a.txt", text), Format::Text, "{text}");
        }
    }

    #[test]
    fn blank_lines_before_a_mailbox_do_not_hide_it() {
        let mailbox = "From a@b.example Mon Jul 21 10:00 1997\nSubject: c\n\nSee\n";
        for blank in [
            "\n",
            "\r\n\r\n",
            "  \n\t\n",
            "\r\r\r",
            "\0\0\0",
            "\u{FEFF}\n\n",
        ] {
            for name in ["a", "a.txt"] {
                let found =
                    Format::detect(Path::new(name), (blank.to_owned() + mailbox).as_bytes());
                assert_eq!(found, Format::Mbox, "{blank:?}");
            }
        }
        let mmdf = "\x01\x01\x01\x01\nSubject: c\n\nSee\n\x01\x01\x01\x01\n";
        assert_eq!(
            Format::detect(Path::new("a"), mmdf.as_bytes()),
            Format::Mbox
        );
    }

    #[test]
    fn a_nul_makes_binary_but_not_in_utf16() {
        assert!(is_binary(b"a\0b"));
        assert!(!is_binary(b"\xFF\xFEa\0"));
        assert!(!is_binary(b""));
    }
}
