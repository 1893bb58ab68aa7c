//! Paths of Windows in place of URLs, as programs of Microsoft write them into documents.
//!
//! They are read as `file` URIs (RFC 8089, appendix E), and written back in their spelling.

use std::borrow::Cow;

use super::{Language, ParsedLink, Role};
use crate::bytes::percent;

/// A path of Windows: `\\server\share\a`, `C:\a`, `file:///\\server\share\a` or `file:///C:\a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WindowsPath<'r> {
    /// What precedes the path: `file:` with slashes, or nothing.
    before: &'r str,
    /// The path, which begins with two backslashes or a drive, and the fragment.
    rest: &'r str,
}

impl<'r> WindowsPath<'r> {
    /// The path that a reference is. `None` for URLs, also those of files.
    pub(crate) fn of(reference: &'r str) -> Option<Self> {
        let scheme = reference.get(..5).filter(|it| it.eq_ignore_ascii_case("file:"));
        let rest = match scheme {
            // Without a backslash, it is a URI.
            Some(_) if memchr::memchr(b'\\', reference.as_bytes()).is_none() => return None,
            Some(_) => reference[5..].trim_start_matches('/'),
            None => reference,
        };
        let is_path = match rest.as_bytes() {
            // `\\?\` and `\\.\` begin names of devices.
            [b'\\', b'\\', server @ ..] => {
                // In HTML, `\\host/path` is a mistake for `//host/path`, as browsers read it.
                let end = server.iter().position(|it| b"\\/".contains(it));
                let first = server.first().is_some_and(|it| !b"\\/?.".contains(it));
                first && end.is_none_or(|end| server[end] == b'\\')
            }
            [drive, b':', b'\\' | b'/', ..] => drive.is_ascii_alphabetic(),
            _ => false,
        };
        let before = &reference[..reference.len() - rest.len()];
        is_path.then_some(Self { before, rest })
    }

    /// The path that one side of a map is: also a drive alone, such as `P:`.
    pub(crate) fn of_map(side: &'r str) -> Option<Self> {
        let is_drive = matches!(side.as_bytes(), [drive, b':'] if drive.is_ascii_alphabetic());
        match is_drive {
            true => Some(Self { before: "", rest: side }),
            false => Self::of(side),
        }
    }

    /// The URI: `file://server/share/a` or `file:///C:/a`.
    pub(crate) fn uri(self) -> String {
        self.pieces().fold(self.root().to_owned(), |uri, piece| uri + &piece)
    }

    fn is_of_server(self) -> bool {
        self.rest.starts_with('\\')
    }

    /// What precedes the path in the URI.
    fn root(self) -> &'static str {
        if self.is_of_server() { "file:" } else { "file:///" }
    }

    /// What each character is in the URI. A `%` that begins an escape stays, and so does the
    /// fragment.
    fn pieces(self) -> impl Iterator<Item = Cow<'r, str>> {
        let fragment = self.rest.find('#').unwrap_or(self.rest.len());
        let ends = self.rest.char_indices().map(|(at, it)| (at, at + it.len_utf8()));
        ends.map(move |(at, end)| match &self.rest[at..end] {
            "%" if percent::escaped(&self.rest.as_bytes()[at..]).is_some() => "%".into(),
            character if at >= fragment => character.into(),
            "\\" | "/" => "/".into(),
            character => {
                let mut encoded = String::new();
                percent::encode_path_segment(character.as_bytes(), &mut encoded);
                encoded.into()
            }
        })
    }

    /// A new URI in the spelling of this path. `None` if it is not that of a server or a drive.
    pub(crate) fn spelled(self, new: &str) -> Option<String> {
        let (tail, tail_of_uri) = self.common_end(&self.uri(), new);
        let root = new.get(.."file://".len()).filter(|it| it.eq_ignore_ascii_case("file://"))?;
        let head = new.get(root.len()..new.len() - tail_of_uri)?;
        // With `file:`, escapes stay if there are any: programs write both.
        let is_escaped = !self.before.is_empty() && self.rest.contains('%');
        let head = match is_escaped {
            true => head.to_owned(),
            false => String::from_utf8(percent::decode(head).into_owned()).ok()?,
        };
        let path = match head.as_bytes() {
            [b'/', drive, b':', ..] if drive.is_ascii_alphabetic() => {
                match self.rest.contains('\\') {
                    true => head[1..].replace('/', "\\"),
                    false => head[1..].to_owned(),
                }
            }
            [b'/', ..] | [] => return None,
            _ => {
                // After the name of a server, slashes are not read.
                let (path, fragment) = tail.split_at(tail.find('#').unwrap_or(tail.len()));
                let path = (head + path).replace('/', "\\");
                return Some(format!("{}\\\\{path}{fragment}", self.before));
            }
        };
        Some([self.before, &path, tail].concat())
    }

    /// The end of this path that has the same spelling in its URI and a new one, from a separator
    /// on, and its length in these.
    fn common_end(self, old: &str, new: &str) -> (&'r str, usize) {
        let common = old.bytes().rev().zip(new.bytes().rev()).take_while(|(old, new)| old == new);
        let start = old.len() - common.count();
        // The name of a server is not divided.
        let first = if self.is_of_server() { "\\\\".len() } else { 0 };
        let mut in_uri = self.root().len();
        for ((at, _), piece) in self.rest.char_indices().zip(self.pieces()) {
            if at >= first && in_uri >= start && piece == "/" {
                return (&self.rest[at..], old.len() - in_uri);
            }
            in_uri += piece.len();
        }
        ("", 0)
    }
}

/// How the extensions of documents begin that can have an object for other documents. Names of other
/// files may have an exclamation mark, as `a.png!small.jpg`.
const OBJECT_EXTENSIONS: [&str; 6] = ["cs", "do", "pp", "rt", "vs", "xl"];

/// The reference of a link in a document of an office as a URL, if it is written as a path: a
/// relative one with backslashes, or the file of an object with a place in it, `a.xlsx!Sheet1!R1C1`.
/// The place is the fragment.
pub(crate) fn as_url(link: &ParsedLink<'_>) -> Option<String> {
    let reference = &*link.reference;
    let markup = link.place.markup()?;
    if !markup.language.is_of_office() {
        return None;
    }
    let end = reference.find('#').unwrap_or(reference.len());
    let object = reference[..end].find('!').filter(|&at| {
        let extension = reference[..at].rsplit_once('.').map_or("", |(_, it)| it);
        let is_document = extension.bytes().all(|it| it.is_ascii_alphanumeric())
            && extension.get(..2).is_some_and(|it| {
                OBJECT_EXTENSIONS.iter().any(|begin| begin.eq_ignore_ascii_case(it))
            });
        markup.language == Language::Ooxml && link.role == Role::Embed && is_document
    });
    let (path, rest) = reference.split_at(object.unwrap_or(end));
    let is_relative = !path.contains(':') && !path.starts_with(['\\', '/']);
    let has_backslashes = is_relative && path.contains('\\');
    if object.is_none() && !has_backslashes {
        return None;
    }
    // A name alone has no other backslash.
    let path = match path.strip_prefix(".\\") {
        Some(name) if has_backslashes && !name.contains(['\\', '/']) => name,
        _ => path,
    };
    let path = if has_backslashes { path.replace('\\', "/") } else { path.to_owned() };
    Some(path + if object.is_some() { "#" } else { "" } + rest)
}

/// A new reference, written as the old one of a link whose URL [`as_url`] returned.
pub(crate) fn as_written(link: &ParsedLink<'_>, new: &str) -> String {
    // A path from the root, or a URL, has another meaning with backslashes.
    let is_relative = !new.contains(':') && !new.starts_with('/');
    let has_backslashes = is_relative && link.reference.contains('\\');
    let (path, rest) = new.split_at(new.find('#').unwrap_or(new.len()));
    // Only the place in an object begins so.
    let rest = match rest.starts_with("#!") {
        true => &rest[1..],
        false => rest,
    };
    let path = match has_backslashes {
        true if !path.is_empty() && !path.contains('/') => format!(".\\{path}"),
        true => path.replace('/', "\\"),
        false => path.to_owned(),
    };
    path + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris_of_files() {
        for (path, uri) in [
            (r"\\srv\share\a b.x", "file://srv/share/a%20b.x"),
            (r"file:///\\srv\share\a%20b.x", "file://srv/share/a%20b.x"),
            (r"FILE:\\srv\s", "file://srv/s"),
            (r"C:\d\100%.x", "file:///C:/d/100%25.x"),
            ("c:/d/a b", "file:///c:/d/a%20b"),
            (r"file:///C:\a\ü.x#Sheet1!A1", "file:///C:/a/%C3%BC.x#Sheet1!A1"),
            (r"file:///\\s\b.xlsx!Sheet1!R1C1:R5C3", "file://s/b.xlsx!Sheet1!R1C1:R5C3"),
        ] {
            let found = WindowsPath::of(path).map(WindowsPath::uri);
            assert_eq!(found.as_deref(), Some(uri), "{path}");
        }
        for other in [
            "", r"\\", r"\\?\C:\a", r"\\.\pipe", r"\a\b", r"..\a", "C:", "c:a", "file:///C:/a",
            "file://srv/a", r"http:\\h\a", r"file:///\a", "1:/a", r"\\\a",
        ] {
            assert_eq!(WindowsPath::of(other), None, "{other}");
        }
        let drive = WindowsPath::of_map("P:").map(WindowsPath::uri);
        assert_eq!(drive.as_deref(), Some("file:///P:"));
    }

    #[test]
    fn new_uris_have_the_spelling_of_the_path() {
        for (path, new, spelled) in [
            (r"\\o\s\a b.x", "file://n/d/a%20b.x", r"\\n\d\a b.x"),
            (r"\\o\s\a%20b c.x", "file://n/d/a%20b%20c.x", r"\\n\d\a%20b c.x"),
            (r"file:///\\o\s\a%20b.x", "file://n/d%20e/a%20b.x", r"file:///\\n\d%20e\a%20b.x"),
            (r"file:///\\o\s\a b.x", "file://n/d%20e/a%20b.x", r"file:///\\n\d e\a b.x"),
            (r"P:\a\b.x", "file://n/p/a/b.x", r"\\n\p\a\b.x"),
            (r"file:///P:\a/b.x", "file://n/p/a/b.x", r"file:///\\n\p\a\b.x"),
            ("C:/a/b.x#c/d", "file://n/a/b.x#c/d", r"\\n\a\b.x#c/d"),
            ("P:/a/b.x", "file:///Q:/c/b.x", "Q:/c/b.x"),
            (r"P:\a", "file:///Q:/b", r"Q:\b"),
            (r"\\o\s\a.x#b/c", "file://n/t/a.x#b/c", r"\\n\t\a.x#b/c"),
            (r"\\o\s\a", "file://n/s/a", r"\\n\s\a"),
            (r"\\o\s", "file://n/t", r"\\n\t"),
        ] {
            let path = WindowsPath::of(path).unwrap();
            assert_eq!(path.spelled(new).as_deref(), Some(spelled), "{path:?}");
            let again = WindowsPath::of(spelled).unwrap();
            assert_eq!(again.uri(), new, "{spelled}");
        }
        let path = WindowsPath::of(r"\\o\s\a").unwrap();
        for new in ["https://n/s/a", "file:///srv/s/a", "file://"] {
            assert_eq!(path.spelled(new), None, "{new}");
        }
    }
}
