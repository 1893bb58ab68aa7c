//! The syntax of shortcuts: groups, keys, values and escapes.
//!
//! - A line ends with LF, CR LF or CR. Blanks around a line, a key and a value do not count.
//! - `[name]` begins a group. As in Windows, text after the `]` is ignored.
//! - `key=value` is an entry. A comment (`#` in desktop entries, `;` in Internet shortcuts) has no
//!   key that counts.
//! - In Internet shortcuts, groups and keys are compared without regard to case, and a pair of
//!   quotes around a value is removed, as by the function `GetPrivateProfileString` of Windows.
//!   Escapes do not exist.
//! - In desktop entries, groups, keys and types are compared exactly. `\s`, `\n`, `\t`, `\r` and
//!   `\\` are escapes (Desktop Entry Specification, "Possible value types"). A backslash before
//!   another character is kept.

use std::borrow::Cow;

use encoding_rs::Encoding;

use crate::bytes::Span;
use crate::format::language::Sniff;
use crate::source::{Compression, Source};

/// The format of a shortcut. It is a property of the document, so that the value of a link is
/// written in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// A Windows Internet shortcut.
    InternetShortcut,
    /// A desktop entry of freedesktop.org.
    DesktopEntry,
}

/// An entry whose value may be a link.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry<'t> {
    /// The key as written, with its locale.
    pub(super) key: &'t str,
    /// The value in the text, without blanks and quotes around it.
    pub(super) value: Span,
    /// True if the value is an icon, which may also be a name or a path.
    pub(super) is_icon: bool,
}

impl Dialect {
    /// The dialect by the content, or else by the extension of the name.
    pub(super) fn of(beginning: &Sniff<'_>) -> Self {
        let is_desktop = || {
            let extension = Compression::stripped(beginning.name).extension();
            extension.is_some_and(|it| it.eq_ignore_ascii_case("desktop"))
        };
        Self::of_content(beginning).unwrap_or_else(|| match is_desktop() {
            true => Self::DesktopEntry,
            false => Self::InternetShortcut,
        })
    }

    /// The dialect of a document. Cost: constant, so that each edit may find it again.
    pub(super) fn of_source(source: &Source) -> Self {
        Self::of(&Sniff::new(&source.name, &source.bytes))
    }

    /// The dialect whose group is the first one of the document, after comments only.
    pub(super) fn of_content(beginning: &Sniff<'_>) -> Option<Self> {
        let mut lines = beginning.ascii.split(|&byte| is_line_end(byte)).map(trim);
        let is_comment = |line: &&[u8]| matches!(line, [] | [b'#' | b';', ..]);
        let first = lines.find(|line| !is_comment(line))?;
        let name = group(first)?;
        let dialects = [Self::InternetShortcut, Self::DesktopEntry];
        dialects.into_iter().find(|it| it.is_main_group(name))
    }

    /// Returns true if a document of the dialect must have a group with this name.
    fn is_main_group(self, name: &[u8]) -> bool {
        match self {
            Self::InternetShortcut => name.eq_ignore_ascii_case(b"InternetShortcut"),
            Self::DesktopEntry => name == b"Desktop Entry",
        }
    }

    /// The keys of a group that may have links.
    fn keys(self, group: &[u8]) -> Keys {
        let begins = |start: &[u8]| {
            let begin = group.get(..start.len());
            begin.is_some_and(|it| it.eq_ignore_ascii_case(start))
        };
        match self {
            _ if self.is_main_group(group) => Keys::Main,
            Self::DesktopEntry => Keys::None,
            Self::InternetShortcut if group.eq_ignore_ascii_case(b"InternetShortcut.A") => {
                Keys::Main
            }
            Self::InternetShortcut if group.eq_ignore_ascii_case(b"DEFAULT") => Keys::Frames,
            Self::InternetShortcut if begins(b"DOC#") || begins(b"DOC_") => Keys::Frames,
            Self::InternetShortcut => Keys::None,
        }
    }

    /// Decodes the escapes of a value.
    pub(super) fn unescaped(self, value: Cow<'_, str>) -> Cow<'_, str> {
        if self == Self::InternetShortcut || !value.contains('\\') {
            return value;
        }
        let mut text = String::with_capacity(value.len());
        let mut rest = &*value;
        while let Some(at) = rest.find('\\') {
            text.push_str(&rest[..at]);
            let decoded = match rest.as_bytes().get(at + 1) {
                Some(b's') => Some(' '),
                Some(b'n') => Some('\n'),
                Some(b't') => Some('\t'),
                Some(b'r') => Some('\r'),
                Some(b'\\') => Some('\\'),
                _ => None,
            };
            text.push(decoded.unwrap_or('\\'));
            rest = &rest[at + 1 + usize::from(decoded.is_some())..];
        }
        text.push_str(rest);
        text.into()
    }
}

/// The keys of a group that may have links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keys {
    None,
    /// The keys of the shortcut.
    Main,
    /// The keys of a page with frames.
    Frames,
}

impl Keys {
    /// `None` if the value of `key` cannot be a link. True if it is an icon.
    fn is_icon(self, dialect: Dialect, key: &str) -> Option<bool> {
        let is = |name: &str| key.eq_ignore_ascii_case(name);
        match (self, dialect) {
            (Self::Main, Dialect::DesktopEntry) => match without_locale(key) {
                "URL" => Some(false),
                "Icon" => Some(true),
                _ => None,
            },
            (Self::Main, Dialect::InternetShortcut) if is("IconFile") => Some(true),
            (Self::Main, Dialect::InternetShortcut) => {
                (is("URL") || is("BASEURL")).then_some(false)
            }
            (Self::Frames, _) => (is("BASEURL") || is("ORIGURL")).then_some(false),
            (Self::None, _) => None,
        }
    }
}

/// Calls `take` with the entries of a text whose values are links, in order.
pub(super) fn each_entry<'t>(text: &'t str, dialect: Dialect, take: &mut dyn FnMut(Entry<'t>)) {
    // The type may follow the URL.
    if dialect == Dialect::InternetShortcut || each_candidate(text, dialect, &mut |_| {}) {
        each_candidate(text, dialect, take);
    }
}

/// Calls `take` with the entries whose values are links if the text is a shortcut. Returns true if
/// it is one by its type.
fn each_candidate<'t>(text: &'t str, dialect: Dialect, take: &mut dyn FnMut(Entry<'t>)) -> bool {
    let mut keys = Keys::None;
    let mut is_link = dialect == Dialect::InternetShortcut;
    let mut start = 0;
    for line in text.split(|it: char| u8::try_from(it).is_ok_and(is_line_end)) {
        let at = start;
        start += line.len() + 1;
        if let Some(name) = group(trim(line.as_bytes())) {
            keys = dialect.keys(name);
            continue;
        }
        if keys == Keys::None {
            continue;
        }
        let Some(equals) = line.find('=') else {
            continue;
        };
        let key = line[..equals].trim_matches(is_blank);
        let value = trimmed(text, Span::new(at + equals + 1, at + line.len()));
        if dialect == Dialect::DesktopEntry && key == "Type" {
            is_link = &text[value.range()] == "Link";
        }
        if let Some(is_icon) = keys.is_icon(dialect, key) {
            let value = match dialect {
                Dialect::InternetShortcut => unquoted(text, value),
                Dialect::DesktopEntry => value,
            };
            take(Entry { key, value, is_icon });
        }
    }
    is_link
}

/// Returns true if a document is a shortcut: it has the group that its dialect demands, and a
/// desktop entry has the type `Link`. Other desktop entries are plain text.
pub(super) fn is_shortcut(bytes: &[u8], dialect: Dialect) -> bool {
    let decoded = match Encoding::for_bom(bytes) {
        Some((encoding, len)) => encoding.decode_without_bom_handling(&bytes[len..]).0,
        None => return is_shortcut_in(bytes, dialect),
    };
    is_shortcut_in(decoded.as_bytes(), dialect)
}

fn is_shortcut_in(bytes: &[u8], dialect: Dialect) -> bool {
    let mut lines = bytes.split(|&byte| is_line_end(byte)).map(trim);
    let is_main = |line: &[u8]| group(line).map(|name| dialect.is_main_group(name));
    if dialect == Dialect::InternetShortcut {
        return lines.any(|line| is_main(line) == Some(true));
    }
    let (mut is_in_group, mut is_link) = (false, false);
    for line in lines {
        if let Some(is_main) = is_main(line) {
            is_in_group = is_main;
        } else if is_in_group
            && let Some(equals) = memchr::memchr(b'=', line)
            && trim(&line[..equals]) == b"Type"
        {
            is_link = trim(&line[equals + 1..]) == b"Link";
        }
    }
    is_link
}

/// The name of the group that a line without blanks around it begins.
fn group(line: &[u8]) -> Option<&[u8]> {
    let name = line.strip_prefix(b"[")?;
    Some(&name[..memchr::memrchr(b']', name)?])
}

/// A key without its locale (`URL[de]`).
fn without_locale(key: &str) -> &str {
    let parts = key.strip_suffix(']').and_then(|it| it.split_once('['));
    let named = parts.filter(|(_, locale)| !locale.is_empty());
    named.map_or(key, |(key, _)| key)
}

/// The part of a value within a pair of quotes, if it has one.
fn unquoted(text: &str, value: Span) -> Span {
    match text[value.range()].as_bytes() {
        [quote @ (b'"' | b'\''), .., last] if quote == last => {
            trimmed(text, Span::new(value.start + 1, value.end - 1))
        }
        _ => value,
    }
}

/// The part of a span without blanks around it.
fn trimmed(text: &str, span: Span) -> Span {
    let value = &text[span.range()];
    let end = value.trim_end_matches(is_blank).len();
    let start = end - value[..end].trim_start_matches(is_blank).len();
    Span::new(span.start + start, span.start + end)
}

fn trim(line: &[u8]) -> &[u8] {
    let is_text = |byte: &u8| *byte > b' ';
    let start = line.iter().position(is_text).unwrap_or(line.len());
    let end = line.iter().rposition(is_text).map_or(start, |it| it + 1);
    &line[start..end]
}

/// Returns true for the characters that [`strip`](crate::format::value::strip) removes at both
/// ends.
fn is_blank(character: char) -> bool {
    character <= ' '
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_desktop_entries_are_decoded() {
        for (value, expected) in [
            (r"a\sb\n\t\r\\c", "a b\n\t\r\\c"),
            (r"\\s", r"\s"),
            (r"\é\x\;\", r"\é\x\;\"),
            ("a", "a"),
        ] {
            let unescaped = |dialect: Dialect| dialect.unescaped(value.into()).into_owned();
            assert_eq!(unescaped(Dialect::DesktopEntry), expected);
            assert_eq!(unescaped(Dialect::InternetShortcut), value);
        }
    }

    #[test]
    fn values_are_trimmed_and_unquoted() {
        let value = |line: &str| {
            let text = format!("[InternetShortcut]\n{line}");
            let mut entries = Vec::new();
            each_entry(&text, Dialect::InternetShortcut, &mut |it| entries.push(it));
            entries.first().map(|it| text[it.value.range()].to_owned())
        };
        for (line, expected) in [
            ("URL=a", "a"),
            ("URL \t=\x01 a b \0", "a b"),
            ("URL==a=", "=a="),
            ("URL=' a '", "a"),
            ("URL='a\"", "'a\""),
            ("URL=\"", "\""),
            ("URL=''", ""),
            ("URL=", ""),
        ] {
            assert_eq!(value(line).as_deref(), Some(expected), "{line:?}");
        }
        assert_eq!(value("URL"), None);
        assert_eq!(value("\u{A0}URL=a"), None);
    }
}
