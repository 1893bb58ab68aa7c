//! The names of the files of URLs.
//!
//! A path is a function of the URL and the type of its file, so that it depends neither on the
//! archive nor on the order of its records: `SCHEME/HOST/DIRECTORY/NAME`. Different URLs have
//! different paths:
//!
//! - A segment is decoded. If it can be a name on every file system, and if the URL Standard has
//!   only one spelling for the name, it is the name. Otherwise characters that are not possible are
//!   replaced, and a hash of the segment follows after `^~`.
//! - No other name contains `^`. After it are the port of a host (`host^8080`), the query
//!   (`list^page=2^.html`), and the extension that a browser needs (`about^.html`): it finds the
//!   type of a file by its name.
//! - The name of a file without a `^` has an extension, and that of a directory has none
//!   (`example.com^/`). So a file and a directory never have the same name.
//! - The URL of a directory has the name `index`, with the extension of its type. The URL
//!   `/index.html` gets a hash.
//!
//! Only paths that differ in the case of letters depend on other URLs: see [`LocalPath::of_twin`].

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

use super::FileType;
use crate::bytes::percent;
use crate::uri::Parts;

/// The maximum length of a name, in bytes.
const MAX_NAME: usize = 240;

/// The maximum length of the directories of a path, in bytes. Deeper directories are replaced by
/// one.
const MAX_DIRECTORIES: usize = 500;

/// The bytes that are kept of a segment, and of a query, whose name has a hash.
const KEPT: usize = 120;
const KEPT_QUERY: usize = 60;

/// The maximum number of letters and digits of an extension.
const MAX_EXTENSION: usize = 8;

/// The mark before text that is not part of a segment.
const MARK: char = '^';

/// The path of the file of a URL, below the directory of the tree, with `/` between names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalPath(String);

impl LocalPath {
    /// The path for a URL, as the URL Standard spells it, without fragment.
    pub fn new(url: &str, file_type: FileType) -> Self {
        Self::built(url, file_type, false)
    }

    /// The path for a URL whose type is unknown. The type is guessed by its extension. If that has
    /// no type, it is `other`.
    pub fn guessed(url: &str, other: FileType) -> Self {
        let path = Parts::split(url).path;
        let name = path.rsplit('/').next().unwrap_or_default();
        let guessed = extension(name).and_then(FileType::of_extension);
        Self::new(url, guessed.unwrap_or(other))
    }

    /// The path for a URL whose path in [`new`](Self::new) differs only in the case of letters from
    /// that of another one, or in their normal form. It has a hash of the whole URL.
    pub fn of_twin(url: &str, file_type: FileType) -> Self {
        Self::built(url, file_type, true)
    }

    fn built(url: &str, file_type: FileType, is_twin: bool) -> Self {
        let parts = Parts::split(url);
        let mut path = directory(parts.scheme.unwrap_or_default());
        path.push('/');
        path.push_str(&host(parts.authority.unwrap_or_default()));
        path.push('/');
        let whole = parts.path.strip_prefix('/').unwrap_or(parts.path);
        let (directories, last) = whole.rsplit_once('/').unwrap_or(("", whole));
        let mut rest = Some(directories).filter(|_| last.len() < whole.len());
        while let Some(segments) = rest {
            let (segment, after) = match segments.split_once('/') {
                Some((segment, after)) => (segment, Some(after)),
                None => (segments, None),
            };
            let name = directory(segment);
            if path.len() + name.len() > MAX_DIRECTORIES {
                path.push_str(&hashed(&Piece::of_path(segment), None, "rest", segments, ""));
                path.push('/');
                break;
            }
            path.push_str(&name);
            path.push('/');
            rest = after;
        }
        let twin = is_twin.then_some(url);
        path.push_str(&file(last, parts.query, file_type, twin));
        Self(path)
    }

    /// The path, with `/` between names.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The key that is equal for paths that a file system may consider equal: without differences
    /// of case and of normal form.
    pub(super) fn folded(&self) -> Cow<'_, str> {
        if self.0.is_ascii() {
            return match self.0.bytes().any(|it| it.is_ascii_uppercase()) {
                true => Cow::Owned(self.0.to_ascii_lowercase()),
                false => Cow::Borrowed(&self.0),
            };
        }
        // Some letters have the same capital: `s` and the long s.
        let upper = self.0.nfd().flat_map(char::to_uppercase);
        Cow::Owned(upper.flat_map(char::to_lowercase).nfd().collect())
    }
}

/// The reference from the file `from` to the file `to`, with a fragment: the shortest relative
/// path. References are read by browsers, which decode them as UTF-8.
pub fn reference_between(from: &LocalPath, to: &LocalPath, fragment: Option<&str>) -> String {
    let (from, to) = (from.as_str(), to.as_str());
    let common = from.bytes().zip(to.bytes()).take_while(|(a, b)| a == b);
    let common = common.count();
    let start = from.as_bytes()[..common].iter().rposition(|&it| it == b'/').map_or(0, |at| at + 1);
    let mut reference = "../".repeat(from[start..].matches('/').count());
    for character in to[start..].chars() {
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' => reference.push(character),
            '/' | '-' | '.' | '_' | '~' | '!' | '$' | '&' | '+' | '=' | '@' | ';' => {
                reference.push(character);
            }
            other => {
                let mut utf8 = [0; 4];
                let bytes = other.encode_utf8(&mut utf8).bytes();
                bytes.for_each(|byte| percent::encode_byte(byte, &mut reference));
            }
        }
    }
    if let Some(fragment) = fragment {
        reference.push('#');
        reference.push_str(fragment);
    }
    reference
}

/// A decoded segment or query.
struct Piece {
    /// Without characters that are not portable.
    text: String,
    /// True if the text has only this spelling in a URL, and can be part of a name.
    is_exact: bool,
}

impl Piece {
    fn of_path(segment: &str) -> Self {
        Self::new(segment, |it| matches!(it, '`' | '{' | '}'))
    }

    fn of_query(query: &str) -> Self {
        let mut piece = Self::new(query, |it| it == '\'');
        if piece.text.starts_with(['~', '.']) {
            piece.is_exact = false;
            piece.text.replace_range(..1, "_");
        }
        piece
    }

    /// `is_encoded` returns true for the portable characters that the URL Standard percent-encodes
    /// in the piece, in addition to white space and those that are not ASCII.
    fn new(written: &str, is_encoded: fn(char) -> bool) -> Self {
        let decoded = percent::decode(written);
        let decoded = String::from_utf8_lossy(&decoded);
        let mut text = String::with_capacity(decoded.len());
        let mut spelled = String::with_capacity(written.len());
        let mut is_exact = true;
        for character in decoded.nfc() {
            let is_plain = character.is_ascii() && character != ' ' && !is_encoded(character);
            if is_portable(character) {
                text.push(character);
            } else {
                text.push('_');
                is_exact = false;
            }
            if is_plain {
                spelled.push(character);
            } else {
                let mut utf8 = [0; 4];
                let bytes = character.encode_utf8(&mut utf8).bytes();
                bytes.for_each(|byte| percent::encode_byte(byte, &mut spelled));
            }
        }
        Self { is_exact: is_exact && spelled == written, text }
    }

    /// Returns true if the text can be a name.
    fn is_name(&self) -> bool {
        !self.text.is_empty()
            && !self.text.ends_with(['.', ' '])
            && !is_device(&self.text)
            && !is_state(&self.text)
    }
}

/// Format characters, line separators, and other characters that are not drawn (Unicode Standard,
/// section 5.21). They are invisible, or change the order in which a name is read, and some file
/// systems ignore them.
static INVISIBLE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]";
    Regex::new(pattern).expect("a regular expression")
});

/// Returns true if a character can be in a name on every file system, and in a reference to a file.
fn is_portable(character: char) -> bool {
    let is_invisible = || INVISIBLE.is_match(character.encode_utf8(&mut [0; 4]));
    !character.is_control()
        && (character.is_ascii() || !is_invisible())
        && !matches!(
            character,
            '\u{FFFD}' | '<' | '>' | ':' | '"' | '|' | '?' | '*' | '\\' | '/' | '%' | '#' | MARK
        )
}

/// Returns true for the names of devices on Windows, also with an extension.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end();
    let upper = stem.to_ascii_uppercase();
    let number = |rest: &str| matches!(rest.chars().next(), Some('0'..='9' | '¹' | '²' | '³'));
    let is_numbered = |device: &str| {
        let rest = upper.strip_prefix(device);
        rest.is_some_and(|rest| number(rest) && rest.chars().count() == 1)
    };
    let devices = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"];
    devices.contains(&&*upper) || is_numbered("COM") || is_numbered("LPT")
}

/// Returns true for the names of directories with the state of programs, which may execute their
/// content.
fn is_state(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let states = [".git", ".hg", ".svn", "cvs", ".rehref"];
    states.contains(&&*lower) || lower.starts_with(".rehref-")
}

/// The extension of a name, without the dot: up to eight ASCII letters and digits after a stem,
/// with at least one letter.
fn extension(name: &str) -> Option<&str> {
    let (stem, extension) = name.rsplit_once('.')?;
    let is_extension = !stem.is_empty()
        && extension.len() <= MAX_EXTENSION
        && extension.bytes().all(|it| it.is_ascii_alphanumeric())
        && extension.bytes().any(|it| it.is_ascii_alphabetic());
    is_extension.then_some(extension)
}

/// The name of the directory of a scheme or a segment.
fn directory(segment: &str) -> String {
    let piece = Piece::of_path(segment);
    if !piece.is_exact || !piece.is_name() || piece.text.len() >= MAX_NAME {
        return hashed(&piece, None, "directory", segment, "");
    }
    let mut name = piece.text;
    if extension(&name).is_some() {
        name.push(MARK);
    }
    name
}

/// The name of the directory of a host. No files are next to it.
fn host(authority: &str) -> String {
    let (name, port) = authority.rsplit_once(':').unwrap_or((authority, ""));
    let piece = Piece::of_path(name);
    let is_port = port.len() <= 5 && port.bytes().all(|it| it.is_ascii_digit());
    if !piece.is_exact || !piece.is_name() || !is_port || piece.text.len() > MAX_NAME - 6 {
        return hashed(&Piece::of_path(authority), None, "host", authority, "");
    }
    match port {
        "" => piece.text,
        port => format!("{}{MARK}{port}", piece.text),
    }
}

/// The name of the file of the last segment, which is empty for a directory, and the query. With
/// the URL of a twin, the name has a hash of that.
fn file(segment: &str, query: Option<&str>, file_type: FileType, twin: Option<&str>) -> String {
    let is_index = segment.is_empty();
    let mut piece = Piece::of_path(segment);
    if is_index {
        "index".clone_into(&mut piece.text);
    } else {
        piece.is_exact &= piece.is_name() && piece.text != "index";
    }
    let own = extension(&piece.text).map(str::to_owned);
    let suits = own.as_deref().filter(|own| file_type.suits(own));
    // A browser would open a download or a text as a page.
    let is_misread = suits.is_none() && own.as_deref().is_some_and(FileType::is_of_page);
    let added = match (query, file_type.needs_extension()) {
        (None, true) if suits.is_some() => None,
        (None, false) if own.is_some() && !is_misread => None,
        (Some(_), false) if suits.is_some() || file_type.is_other() && !is_misread => {
            Some(own.as_deref().unwrap_or(file_type.extension()))
        }
        _ => Some(file_type.extension()),
    };
    let query_piece = query.map(Piece::of_query);
    let mut name = piece.text.clone();
    if let Some(query) = &query_piece {
        name.push(MARK);
        name.push_str(&query.text);
    }
    if let Some(added) = added {
        if !is_index || query.is_some() {
            name.push(MARK);
        }
        name.push('.');
        name.push_str(added);
    }
    // The file of the directory has that name.
    let is_taken = !is_index
        && query.is_none()
        && added.is_none()
        && (name.strip_prefix("index.")).is_some_and(FileType::is_added);
    let is_exact = piece.is_exact && query_piece.as_ref().is_none_or(|it| it.is_exact);
    if is_exact && !is_taken && name.len() <= MAX_NAME && twin.is_none() {
        return name;
    }
    let ending = added.or(own.as_deref());
    let ending = ending.map(|it| format!(".{it}")).unwrap_or_default();
    if added.is_none() {
        piece.text.truncate(piece.text.len() - ending.len());
    }
    let (purpose, hashes) = match (twin, query) {
        (Some(url), _) => ("twin", url.to_owned()),
        (None, Some(query)) => ("file", format!("{segment}?{query}")),
        (None, None) => ("file", segment.to_owned()),
    };
    hashed(&piece, query_piece.as_ref(), purpose, &hashes, &ending)
}

/// A name of the possible characters of the text and the query, a hash, and an ending.
fn hashed(
    piece: &Piece,
    query: Option<&Piece>,
    purpose: &str,
    hashes: &str,
    ending: &str,
) -> String {
    let cut = |text: &str, most: usize| {
        let end = (0..=most.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
        text[..end.unwrap_or_default()].to_owned()
    };
    let mut name = cut(&piece.text, KEPT);
    name.truncate(name.trim_end_matches(['.', ' ']).len());
    if name.is_empty() || is_device(&name) || is_state(&name) {
        name.insert(0, '_');
    }
    if let Some(query) = query {
        name.push(MARK);
        name.push_str(&cut(&query.text, KEPT_QUERY));
    }
    name.push_str("^~");
    name.push_str(&hash(purpose, hashes));
    name.push_str(ending);
    name
}

/// 80 bits of the SHA-256 of a text for a purpose: 16 letters and digits.
fn hash(purpose: &str, text: &str) -> String {
    const DIGITS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let mut hasher = Sha256::new();
    hasher.update(purpose);
    hasher.update([0]);
    hasher.update(text);
    let bytes = hasher.finalize();
    let number = bytes[..10].iter().fold(0_u128, |number, &byte| number << 8 | u128::from(byte));
    let digit = |at: u32| DIGITS[(number >> (5 * at) & 31) as usize];
    (0..16).rev().map(|at| char::from(digit(at))).collect()
}

#[cfg(test)]
mod tests;
