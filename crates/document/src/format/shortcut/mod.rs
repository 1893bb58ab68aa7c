//! Shortcuts: Windows Internet shortcuts (`.url`) and desktop entries of freedesktop.org
//! (`.desktop`).
//!
//! Both are groups of `key=value` lines; [`mod@entries`] has the syntax. These values are links:
//!
//! | dialect | group | keys |
//! |---|---|---|
//! | Internet shortcut | `[InternetShortcut]`, `[InternetShortcut.A]` | `URL`, `BASEURL`; `IconFile` if it is a URL |
//! | Internet shortcut of a page with frames | `[DEFAULT]`, `[DOC#...]`, `[DOC_...]` | `BASEURL`, `ORIGURL` |
//! | desktop entry with `Type=Link` | `[Desktop Entry]` | `URL`; `Icon` if it is a URL; both also with a locale (`URL[de]`) |
//!
//! Every occurrence of a key counts, since programs differ in whether the first or the last one
//! does.
//!
//! # Relative values
//!
//! Neither format defines a base. A relative value is therefore relative to the URL of the shortcut
//! itself (RFC 3986, section 5.1.3). `BASEURL` is the page that showed the frames, and not a base.
//! The Desktop Entry Specification and Windows expect a URL with a scheme, and few programs open a
//! relative value. So a link must be absolute ([`Absoluteness::Required`]): no rule makes it
//! relative, and moves keep the target of a relative one.

mod entries;
mod write;

use smallvec::smallvec;

use crate::bytes::{Spans, join};
use crate::format::comments;
use crate::format::language::{Language, Rewriting};
use crate::format::value::{notes_of, strip};
use crate::format::{Options, ParsedLinks};
use crate::link::{Absoluteness, FieldPlace, ParsedLink, Place, Role};
use crate::source::{Source, Text};
use crate::uri::Parts;
use entries::{Dialect, Entry, each_entry, is_shortcut};

pub(super) const LANGUAGE: Language = Language {
    extensions: &["url", "desktop"],
    agrees: |beginning| is_shortcut(beginning.bytes, Dialect::of(beginning)),
    media_types: &[
        "application/internet-shortcut",
        "application/x-mswinurl",
        "application/x-desktop",
        "application/x-gnome-app-info",
    ],
    begins: |beginning| {
        let dialect = Dialect::of_content(beginning);
        dialect.is_some_and(|it| is_shortcut(beginning.bytes, it))
    },
    rewriting: Rewriting::All(write::write),
    read_each: Some(read_each),
    exempt: comments::of_lines,
    ..Language::new(NAME, read)
};

const NAME: &str = "shortcut";

/// Finds the links of a shortcut.
fn read<'d>(source: &'d Source, options: &Options) -> ParsedLinks<'d> {
    ParsedLinks::collected(|take| read_each(source, options, take))
}

/// Finds the links of a shortcut, and delivers each.
fn read_each<'d>(
    source: &'d Source,
    _: &Options,
    take: &mut dyn FnMut(&mut Vec<ParsedLink<'d>>),
) -> ParsedLinks<'d> {
    let decoded = source.text();
    let dialect = Dialect::of_source(source);
    let mut links = Vec::new();
    each_entry(&decoded.text, dialect, &mut |entry| {
        if let Some(link) = link(&decoded, dialect, &entry) {
            links.push(link);
            take(&mut links);
        }
    });
    ParsedLinks::of_links(links, source.base.clone(), decoded.malformed)
}

/// The link in the value of an entry, if it is one.
fn link<'d>(decoded: &Text<'d>, dialect: Dialect, entry: &Entry<'_>) -> Option<ParsedLink<'d>> {
    let spans: Spans = smallvec![entry.value];
    let reference = strip(dialect.unescaped(join(&decoded.text, &spans)));
    if reference.is_empty() {
        return None;
    }
    let role = match entry.is_icon {
        true if !is_url(&reference) => return None,
        true => Role::Embed,
        false => Role::Navigate,
    };
    let place = Place::Field(FieldPlace { language: NAME, key: entry.key.into() });
    let spans = smallvec![decoded.to_source(entry.value)];
    Some(ParsedLink {
        absoluteness: Absoluteness::Required,
        notes: notes_of(decoded, entry.value),
        ..ParsedLink::new(spans, reference, place, role)
    })
}

/// Returns true if an icon is a URL: if it has a scheme, which is longer than the letter of a
/// drive.
fn is_url(icon: &str) -> bool {
    Parts::split(icon).scheme.is_some_and(|it| it.len() > 1)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::format::Format;

    fn detect(name: &str, content: impl AsRef<[u8]>) -> Format {
        Format::detect(Path::new(name), content.as_ref())
    }

    #[test]
    fn a_shortcut_has_the_group_that_its_format_demands() {
        for (name, content) in [
            ("a.url", "[InternetShortcut]\r\nURL=http://a/\r\n"),
            ("a.URL", "[DEFAULT]\nBASEURL=b\n [internetshortcut] x\n"),
            ("a.url.gz", "[InternetShortcut]"),
            ("a.desktop", "#!/bin/xdg\n\n# b\n[Desktop Entry]\nType=Link\n"),
            ("a.desktop", "[Other]\n[Desktop Entry]\nURL=b\nType = Link\n"),
            // By the content alone.
            ("a.url", "[Desktop Entry]\nType=Link\n"),
            ("a.desktop.in", "# b\n[Desktop Entry]\n_Name=c\nType=Link\n"),
            ("-", "\u{FEFF}; b\r\n\r\n[InternetShortcut]\r\n"),
        ] {
            assert_eq!(detect(name, content), Format::Shortcut, "{name} {content:?}");
        }
        for (name, content) in [
            ("a.url", ""),
            ("a.url", "http://a/\n"),
            ("a.url", "URL=http://a/\n"),
            ("a.url", ";[InternetShortcut]\nURL=http://a/\n"),
            ("a.url", "[InternetShortcut\nURL=http://a/\n"),
            ("a.url", "[InternetShortcut.A]\nURL=http://a/\n"),
            ("a.desktop", "[desktop entry]\nType=Link\n"),
            ("a.desktop", "[Desktop Entry]\nType=Application\n"),
            ("a.desktop", "[Desktop Entry]\n[Other]\nType=Link\n"),
            ("a.desktop", "[Desktop Entry]\nType=Link\nType=Application\n"),
            ("a.desktop", "[DEFAULT]\n[InternetShortcut]\n"),
            ("a", "[DEFAULT]\n[InternetShortcut]\n"),
            ("a.txt", "[InternetShortcut]\nURL=http://a/\n"),
        ] {
            assert_eq!(detect(name, content), Format::Text, "{name} {content:?}");
        }
    }

    #[test]
    fn the_group_is_found_in_utf_16_and_after_a_long_beginning() {
        let long = format!("[DEFAULT]\n{}[InternetShortcut]\n", "BASEURL=a\n".repeat(500));
        let units: Vec<u16> = format!("\u{FEFF}\u{0A5B}{long}").encode_utf16().collect();
        let encoded = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            units.iter().copied().flat_map(bytes).collect()
        };
        assert_eq!(detect("a.url", &long), Format::Shortcut);
        for bytes in [encoded(u16::to_le_bytes), encoded(u16::to_be_bytes)] {
            assert_eq!(detect("a.url", &bytes), Format::Shortcut);
            assert_eq!(detect("a", &bytes), Format::Text);
        }
    }
}
