//! The row of web archives in the table of languages. `container::warc` reads their records.

use super::found_links::FoundLinks;
use super::language::{Beginning, Container, Content, Language};

/// A WARC or ARC file, or a WACZ.
pub(crate) const LANGUAGE: Language = Language {
    extensions: &["warc", "arc", "wacz"],
    media_types: &["application/warc", "application/x-ia-arc"],
    agrees,
    begins,
    overrides: begins,
    may_have_nuls: |_| true,
    content: Content::Container(Container::WebArchive),
    #[cfg(not(feature = "warc"))]
    read: Err("warc"),
    // Its documents are those of its records.
    ..Language::new("warc", |source, _| {
        FoundLinks::of_links(Vec::new(), source.base.clone(), None)
    })
};

/// Files of other programs have the extension `.arc` too.
fn agrees(beginning: &Beginning<'_>) -> bool {
    let extension = crate::source::Compression::stripped(beginning.name).extension();
    !extension.is_some_and(|it| it.eq_ignore_ascii_case("arc")) || begins(beginning)
}

/// Returns true if a document begins with a version of WARC and a field, or with the description of an ARC file.
fn begins(beginning: &Beginning<'_>) -> bool {
    let bytes = beginning.bytes;
    if bytes.starts_with(b"filedesc://") {
        let line = bytes
            .split(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default();
        return line.split(|&byte| byte == b' ').count() >= 5;
    }
    let Some(version) = bytes.strip_prefix(b"WARC/") else {
        return false;
    };
    let mut lines = version.splitn(3, |&byte| byte == b'\n');
    let number = lines.next().unwrap_or_default().trim_ascii_end();
    let is_version = number.contains(&b'.')
        && number
            .iter()
            .all(|byte| byte.is_ascii_digit() || *byte == b'.');
    is_version && lines.next().is_some_and(|line| line.contains(&b':'))
}
