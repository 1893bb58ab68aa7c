//! Redirect rules as each server reads them.

use rehref::bytes::percent;

use super::Redirects;

/// The path of a URL.
#[derive(Clone)]
pub(super) struct Address {
    /// Percent-encoded, without a slash at its end unless the address itself has one.
    pub(super) path: String,
    /// What it is about beside the path itself.
    pub(super) extent: Extent,
}

/// What a rule is about.
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

impl Redirects {
    /// The lines of the rule that redirects from one address to another, both of the same extent; none if the server has
    /// no rule for it.
    pub(super) fn rule(self, from: &Address, to: &str) -> Option<Vec<u8>> {
        match self {
            Self::Netlify => Some(netlify(from, to).into()),
            Self::Apache => apache(from, to),
            Self::Nginx => Some(nginx(from, to).into()),
            Self::Html => None,
        }
    }

    /// Whether the rule for a directory also does for a path below it, percent-encoding undone.
    pub(super) fn carries(self, directory: &Address, below: &[u8]) -> bool {
        match self {
            Self::Netlify | Self::Html => true,
            Self::Apache if is_apache_path(&percent::decode(&directory.path)) => true,
            // In the result of `RedirectMatch` they begin a query and a fragment.
            Self::Apache => {
                !below.contains(&b'?') && !below.contains(&b'#') && !below.contains(&b'\n')
            }
            // `rewrite` decodes `%3F` in its result and takes it for the beginning of a query. A dot is no line break.
            Self::Nginx => !below.contains(&b'?') && !below.contains(&b'\n'),
        }
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
/// `Redirect` compares a decoded path, also as the beginning of another, appends the rest encoded, and takes its target
/// as it is. `RedirectMatch` compares exactly, but encodes its whole result.
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
    if target
        .iter()
        .any(|byte| matches!(byte, b'?' | b'#' | b'\n' | b'\r' | 0))
    {
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

/// Whether a path can be written between quotes in a configuration file of Apache, which puts variables in the place of
/// `${...}` also there.
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
    // The result of `rewrite` would lose its `%3F`; that of `return` is taken as it is, but so are captures. So a rest has
    // to come from the request as it was sent.
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

/// A path as servers compare it, percent-encoding undone, in a regular expression in quotes. What would end the line
/// or the quotes, or that the quotes or variables undo, is written as its number.
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

/// A path as browsers send it, in a regular expression in quotes: characters that they may send encoded in either form.
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
