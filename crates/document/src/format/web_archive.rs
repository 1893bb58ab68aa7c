//! The row of web archives in the table of languages. `container::warc` reads their records.

use super::called_text::CalledText;
use super::language::{Container, Content, Language, Sniff};
use super::parsed_links::ParsedLinks;

/// A WARC or ARC file, or a WACZ.
pub(crate) const LANGUAGE: Language = Language {
    extensions: &["warc", "arc", "wacz"],
    media_types: &["application/warc", "application/x-ia-arc"],
    agrees,
    begins,
    overrides: |beginning| beginning.called != CalledText::Certain && begins(beginning),
    may_have_nuls: |_| true,
    content: Content::Container(Container::WebArchive),
    // Its documents are those of its records.
    ..Language::new("warc", |source, _| {
        ParsedLinks::of_links(Vec::new(), source.base.clone(), None)
    })
};

/// The number of bytes in which a record is looked for, and the length of the longest line in which
/// its fields are.
const HEAD: usize = 64 << 10;
const LINE: usize = 4 << 10;

/// Files of other programs have the extension `.arc` too. The beginning of an ARC file may be
/// damaged.
fn agrees(beginning: &Sniff<'_>) -> bool {
    let extension = beginning.name.extension();
    let is_arc = extension.is_some_and(|it| it.eq_ignore_ascii_case("arc"));
    let head = &beginning.bytes[..beginning.bytes.len().min(HEAD)];
    let has_record = || head.split(|&byte| byte == b'\n').any(begins_arc_record);
    !is_arc || begins(beginning) || has_record()
}

/// Returns true if a line begins a record of an ARC file: a URL, a date among other fields, and a
/// length.
fn begins_arc_record(line: &[u8]) -> bool {
    let is_number = |it: &[u8]| !it.is_empty() && it.iter().all(u8::is_ascii_digit);
    let mut fields = line.trim_ascii_end().rsplit(|&byte| byte == b' ');
    line.len() <= LINE
        && line.contains(&b':')
        && fields.next().is_some_and(is_number)
        && fields.any(|it| it.len() == 14 && is_number(it))
}

/// Returns true if a line is a field that records have (WARC 1.1, section 5).
fn is_field(line: &[u8]) -> bool {
    let begins =
        |name: &[u8]| line.get(..name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name));
    begins(b"WARC-") || begins(b"Content-Length") || begins(b"Content-Type")
}

/// Returns true if a document begins with a version of WARC and a field, or with the description of
/// an ARC file.
fn begins(beginning: &Sniff<'_>) -> bool {
    let bytes = beginning.bytes;
    if bytes.starts_with(b"filedesc://") {
        let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        return line.split(|&byte| byte == b' ').count() >= 5;
    }
    let Some(version) = bytes.strip_prefix(b"WARC/") else {
        return false;
    };
    let mut lines = version.splitn(2, |&byte| byte == b'\n');
    let number = lines.next().unwrap_or_default().trim_ascii_end();
    let is_version =
        number.contains(&b'.') && number.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    let head = &version[..version.len().min(LINE)];
    let mut fields = head.split(|&byte| byte == b'\n').skip(1);
    is_version
        && fields
            .by_ref()
            .take_while(|line| {
                line.contains(&b':') || line.starts_with(b" ") || line.starts_with(b"\t")
            })
            .any(is_field)
}
