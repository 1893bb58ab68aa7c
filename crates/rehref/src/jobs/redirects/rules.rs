//! Redirect rules in the syntax of each server.

use super::kind::Redirects;
use crate::bytes::percent;

/// The path of a URL.
#[derive(Clone)]
pub(super) struct Address {
    /// Percent-encoded, with a slash at the end only if the address has one.
    pub(super) path: String,
    /// The paths below it that it includes.
    pub(super) extent: Extent,
}

/// The extent of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// A file.
    File,
    /// A directory, and everything below it.
    Directory,
    /// An address of a directory, and nothing below it.
    Exact,
}

impl Address {
    fn is_directory(&self) -> bool {
        self.extent == Extent::Directory
    }
}

/// Returns the lines of the rule that redirects from an address to a path of the same extent.
/// `None` if the server has no such rule.
pub(super) fn rule(kind: Redirects, from: &Address, to: &str) -> Option<Vec<u8>> {
    match kind {
        Redirects::Netlify => Some(netlify(from, to).into()),
        Redirects::Apache => apache(from, to),
        Redirects::Nginx => Some(nginx(from, to).into()),
        _ => None,
    }
}

/// Returns true if the rule of a directory redirects from a decoded path below it.
pub(super) fn covers(kind: Redirects, directory: &Address, below: &[u8]) -> bool {
    match kind {
        Redirects::Apache if is_apache_path(&percent::decode(&directory.path)) => true,
        // In the result of `RedirectMatch` they begin a query and a fragment.
        Redirects::Apache => {
            !below.contains(&b'?') && !below.contains(&b'#') && !below.contains(&b'\n')
        }
        // `rewrite` decodes `%3F` in its result and reads it as the beginning of a query. A dot
        // does not match a line break.
        Redirects::Nginx => !below.contains(&b'?') && !below.contains(&b'\n'),
        _ => true,
    }
}

/// A line of `_redirects`.
fn netlify(from: &Address, to: &str) -> String {
    // Unencoded, `:` begins a placeholder, and `*` matches the rest of a path.
    let [old, new] = [&from.path, to].map(|path| path.replace(':', "%3A").replace('*', "%2A"));
    match from.is_directory() {
        false => format!("{old} {new} 301!\n"),
        true => format!("{old} {new} 301!\n{old}/ {new}/ 301!\n{old}/* {new}/:splat 301!\n"),
    }
}

/// A directive of mod_alias.
///
/// `Redirect` compares a decoded path, also as a prefix, appends the rest encoded, and does not
/// change its target. `RedirectMatch` compares exactly, but encodes its whole result.
fn apache(from: &Address, to: &str) -> Option<Vec<u8>> {
    let path = percent::decode(&from.path);
    if from.extent != Extent::Exact && is_apache_path(&path) {
        let mut rule = b"Redirect 301 \"".to_vec();
        for &byte in &*path {
            if matches!(byte, b'"' | b'\\') {
                rule.push(b'\\');
            }
            rule.push(byte);
        }
        rule.extend_from_slice(format!("\" \"{to}\"\n").as_bytes());
        return Some(rule);
    }
    let target = percent::decode(to);
    if target.iter().any(|byte| matches!(byte, b'?' | b'#' | b'\n' | b'\r' | 0)) {
        return None;
    }
    let (tail, rest) = match from.is_directory() {
        true => ("(/.*)?", "$1"),
        false => ("", ""),
    };
    let mut rule = format!("RedirectMatch 301 \"^{}{tail}$\" \"", regex(&from.path)).into_bytes();
    for &byte in &*target {
        match byte {
            // The result undoes one backslash, the quotes another.
            b'\\' => rule.extend_from_slice(b"\\\\\\\\"),
            b'"' => rule.extend_from_slice(b"\\\""),
            b'$' | b'&' | b'{' => rule.extend([b'\\', b'\\', byte]),
            _ => rule.push(byte),
        }
    }
    rule.extend_from_slice(format!("{rest}\"\n").as_bytes());
    Some(rule)
}

/// Returns true if a path can be quoted in a configuration file of Apache, which replaces `${...}`
/// also in quotes.
fn is_apache_path(path: &[u8]) -> bool {
    let breaks = |byte: &u8| matches!(byte, b'\n' | b'\r' | 0);
    !path.iter().any(breaks) && !path.windows(2).any(|pair| pair == b"${")
}

/// A directive of ngx_http_rewrite_module.
fn nginx(from: &Address, to: &str) -> String {
    let new = to.replace('$', "%24");
    let (tail, rest) = match from.is_directory() {
        true => ("(/.*)?", "$1"),
        false => ("", ""),
    };
    if !new.contains("%3F") {
        let old = regex(&from.path);
        return format!("rewrite \"^{old}{tail}$\" \"{new}{rest}\" permanent;\n");
    }
    // `rewrite` decodes the `%3F` of its result. `return` does not, but neither does it encode
    // captures. So the rest is captured from the request as it was sent.
    match from.is_directory() {
        false => {
            let old = regex(&from.path);
            format!("if ($uri ~ \"^{old}$\") {{ return 301 \"{new}$is_args$args\"; }}\n")
        }
        true => {
            let old = encoded_regex(&from.path);
            let tail = "(/[^?]*)?(\\?.*)?";
            format!("if ($request_uri ~ \"^{old}{tail}$\") {{ return 301 \"{new}$1$2\"; }}\n")
        }
    }
}

/// Returns a decoded path as a quoted regular expression. Characters that would end the line or the
/// quotes, or that are special in quotes or variables, are written as numbers.
pub(super) fn regex(path: &str) -> String {
    let path = percent::decode(path);
    let mut out = String::new();
    for chunk in path.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\\' | '"' | '{' => by_number(&[character as u8], &mut out),
                _ if character.is_control() => {
                    by_number(character.encode_utf8(&mut [0; 4]).as_bytes(), &mut out);
                }
                '.' | '+' | '*' | '?' | '^' | '$' | '(' | ')' | '[' | ']' | '}' | '|' | '#' => {
                    out.extend(['\\', character]);
                }
                _ => out.push(character),
            }
        }
        by_number(chunk.invalid(), &mut out);
    }
    out
}

/// Returns a path as browsers send it as a quoted regular expression. Characters that browsers may
/// encode match in both forms.
fn encoded_regex(path: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::new();
    for &byte in &*percent::decode(path) {
        // Writing into a string cannot fail.
        let _ = match byte {
            b'/' | b'-' | b'_' | b'~' => write!(out, "{}", char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => write!(out, "{}", char::from(byte)),
            b'!' | b'\'' | b',' | b';' | b'=' | b':' | b'@' | b'&' => {
                write!(out, "(?:{}|(?i:%{byte:02x}))", char::from(byte))
            }
            b'.' | b'$' | b'(' | b')' | b'*' | b'+' => {
                write!(out, "(?:\\{}|(?i:%{byte:02x}))", char::from(byte))
            }
            _ => write!(out, "(?i:%{byte:02x})"),
        };
    }
    out
}

fn by_number(bytes: &[u8], out: &mut String) {
    use std::fmt::Write as _;
    for byte in bytes {
        // Writing into a string cannot fail.
        let _ = write!(out, "\\x{byte:02X}");
    }
}
