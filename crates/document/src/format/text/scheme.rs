//! Schemes and authorities.

use super::chars::{Class, class, class_of, is_stop, is_trimmed, label_len, letter_width};
use super::scheme_names::{ALSO_KNOWN, COMMON, LOOK_BACK, WITH_HOST};
use super::{escape, opaque};
use crate::format::options::Iri;

/// The bytes of schemes.
static SCHEME_BYTES: [bool; 256] = {
    let mut bytes = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let it = byte as u8;
        bytes[byte] = it.is_ascii_alphanumeric() || matches!(it, b'+' | b'.' | b'-');
        byte += 1;
    }
    bytes
};

#[inline]
pub(super) fn is_scheme_byte(byte: u8) -> bool {
    SCHEME_BYTES[usize::from(byte)]
}

fn is_any_of(word: &str, list: &[&str]) -> bool {
    list.iter().any(|other| word.eq_ignore_ascii_case(other))
}

/// The start of the scheme before the colon at `colon`, not before `min_start`.
///
/// It is the longest possible scheme (RFC 3986, Section 3.1), without an escape of source code, of
/// a manual page or of a terminal (`\n`, `\f5`, `ESC [31m`). A known scheme wins over the word that
/// it is glued to (`forhttps:`). A scheme does not start within a word that starts with a digit. If
/// `strict` is set, a word ends in a known scheme only after a dot or a hyphen. Constant time.
pub(super) fn start(bytes: &[u8], min_start: usize, colon: usize, strict: bool) -> Option<usize> {
    // The most common case: one of these after a character that schemes do not have.
    if bytes[colon..].starts_with(b"://") {
        for common in [&b"http"[..], b"https"] {
            let word = &bytes[min_start..colon];
            if word.ends_with(common) {
                let before = word.len() - common.len();
                if before == 0 || !is_scheme_byte(word[before - 1]) {
                    return Some(min_start + before);
                }
            }
        }
    }
    let limit = min_start.max(colon.saturating_sub(LOOK_BACK));
    let run = bytes[limit..colon].iter().rev();
    let run_start = colon - run.take_while(|byte| is_scheme_byte(**byte)).count();
    let escaped = escape::end(bytes, min_start, run_start, colon);
    if escaped == Some(colon) {
        return None;
    }
    let word_start = escaped.unwrap_or(run_start);
    let is_start = |at: usize| {
        let glued = at > min_start && at != word_start && bytes[at - 1].is_ascii_alphanumeric();
        bytes[at].is_ascii_alphabetic() && !glued
    };
    let start = match bytes[word_start] {
        first if first.is_ascii_alphabetic() && (word_start > limit || escaped.is_some()) => {
            Some(word_start)
        }
        _ if word_start == limit
            && limit > min_start
            && bytes[limit - 1].is_ascii_alphanumeric() =>
        {
            (word_start + 1..colon).find(|at| is_start(*at))
        }
        _ => (word_start..colon).find(|at| is_start(*at)),
    };
    let has_slash = bytes.get(colon + 1) == Some(&b'/');
    if has_slash && let Some(at) = unglued(bytes, word_start, start, colon, strict) {
        return Some(at);
    }
    let start = start?;
    let word = &bytes[start..colon];
    if has_slash && !strict && is_placeholder(&bytes[min_start..start], word) {
        return None;
    }
    // `URL:` is the prefix of RFC 1738. The others are programs.
    let never = match word.len() {
        3 => &b"url"[..],
        8 => b"vbscript",
        10 => b"javascript",
        _ => return Some(start),
    };
    (!word.eq_ignore_ascii_case(never)).then_some(start)
}

/// The start of the common scheme at the end of the word between `run` and `colon`, unless that
/// word is itself a scheme, which starts at `start`.
fn unglued(
    bytes: &[u8],
    run: usize,
    start: Option<usize>,
    colon: usize,
    strict: bool,
) -> Option<usize> {
    let ends_at = |common: &[u8]| {
        let at = colon.checked_sub(common.len()).filter(|at| *at >= run)?;
        bytes[at..colon].eq_ignore_ascii_case(common).then_some(at)
    };
    let at = COMMON.iter().find_map(|common| ends_at(common))?;
    if start == Some(at) {
        return Some(at);
    }
    let label = start.unwrap_or(run);
    let word = &bytes[label..colon];
    // `git+https:`
    if bytes[at - 1] == b'+' || ALSO_KNOWN.iter().any(|it| word.eq_ignore_ascii_case(it)) {
        return None;
    }
    // Words end in these by chance, so they count only after a dot or a hyphen.
    let by_chance = |it: &&[u8]| bytes[at..colon].eq_ignore_ascii_case(it);
    if !strict && ![&b"ftps"[..], b"file"].iter().any(by_chance) {
        return Some(at);
    }
    let mark = bytes[label..at].iter().rposition(|byte| matches!(byte, b'.' | b'-'))?;
    (label + mark + 1 == at || bytes[label + mark] == b'.').then_some(at)
}

/// Returns true if `word` after `before` is part of a placeholder for a scheme: `%s://`,
/// `%(name)s://`, `$scheme://`.
fn is_placeholder(before: &[u8], word: &[u8]) -> bool {
    match before {
        [.., b'$'] => true,
        // Excludes the `\%` of manual pages.
        [.., b'\\', b'%'] => false,
        [.., b'%'] => word.len() == 1,
        [name @ .., b')'] if word.len() == 1 => {
            let name = &name[name.len().saturating_sub(LOOK_BACK)..];
            let open = name.iter().rposition(|byte| !is_name_byte(*byte));
            open.is_some_and(|open| name[..=open].ends_with(b"%("))
        }
        _ => false,
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns true if `text` starts with the start of a link: a scheme and `://`, or a scheme that
/// needs no `//`. Constant time.
pub(super) fn starts_link(text: &[u8]) -> bool {
    let scheme = text.iter().take(opaque::LONGEST);
    let scheme = &text[..scheme.take_while(|byte| is_scheme_byte(**byte)).count()];
    starts_url(text) || text.get(scheme.len()) == Some(&b':') && opaque::is_known(scheme)
}

/// Returns true if `text` starts with a scheme and `://`, optionally after `URL:`. Constant time.
pub(super) fn starts_url(text: &[u8]) -> bool {
    let text = match text.get(..4) {
        Some(word) if word.eq_ignore_ascii_case(b"URL:") => &text[4..],
        _ => text,
    };
    let scheme = text.iter().take(LOOK_BACK).take_while(|byte| is_scheme_byte(**byte)).count();
    text.first().is_some_and(u8::is_ascii_alphabetic) && text[scheme..].starts_with(b"://")
}

/// The parts of an authority that the search needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Authority<'t> {
    /// The text of the authority.
    pub(super) text: &'t str,
    /// The start of its host, after a userinfo.
    pub(super) host: usize,
    /// True if all its characters are plain.
    pub(super) is_plain: bool,
    /// True if a label of its host other than the last is empty.
    has_empty_label: bool,
}

/// The maximum length of an authority that is read, in bytes. Some schemes have more than a host in
/// it.
const AUTHORITY: usize = 4096;

impl<'t> Authority<'t> {
    /// The authority at the start of `rest`. Linear in its length.
    pub(super) fn at_start(rest: &'t str) -> Self {
        let bytes = &rest.as_bytes()[..rest.len().min(AUTHORITY)];
        let mut authority = Self { text: "", host: 0, is_plain: true, has_empty_label: false };
        let mut at = 0;
        loop {
            at += label_len(bytes.get(at..).unwrap_or_default());
            let Some(&byte) = bytes.get(at) else { break };
            at += match (byte, class(byte)) {
                (b'/' | b'?' | b'#', _) | (_, Class::Stop) => break,
                (b'.', _) => {
                    let dots = bytes[at..].iter().take_while(|byte| **byte == b'.').count();
                    // Dots at the end belong to an ellipsis.
                    let after = bytes.get(at + dots);
                    let ends = after.is_none_or(|after| {
                        matches!(after, b'/' | b'?' | b'#') || class(*after) == Class::Stop
                    });
                    authority.has_empty_label |= dots > 1 && !ends;
                    dots
                }
                (b'@', _) => {
                    authority.host = at + 1;
                    authority.has_empty_label = false;
                    1
                }
                (_, Class::Wide) => match letter_width(&bytes[at..]) {
                    0 => match rest[at..].chars().next() {
                        Some(c) if !is_stop(c) => {
                            authority.is_plain = false;
                            c.len_utf8()
                        }
                        _ => break,
                    },
                    width => {
                        authority.is_plain = false;
                        width
                    }
                },
                _ => {
                    authority.is_plain = false;
                    1
                }
            };
        }
        authority.text = rest.get(..at).unwrap_or(rest);
        authority
    }

    /// The host with its port, without the userinfo.
    pub(super) fn host(&self) -> &'t str {
        self.text.get(self.host..).unwrap_or_default()
    }

    pub(super) fn has_user(&self) -> bool {
        self.host > 0
    }

    /// Returns true if the host is one label that begins with a non-ASCII character: it may be a
    /// word after `http://`.
    pub(super) fn may_be_text(&self) -> bool {
        let host = self.host();
        host.starts_with(|c: char| !c.is_ascii()) && !host.contains('.')
    }

    /// Returns true if the host starts like one and no label is empty.
    pub(super) fn has_host(&self) -> bool {
        !self.has_empty_label && may_be_host(self.host())
    }
}

/// The authority at the start of `rest`, the text after `scheme://`. Returns `None` if that is not
/// a URL. This light check rejects templates (`http://$HOST/`, `http://%s/`) and ellipses, but not
/// names that are invalid in the DNS.
///
/// An empty user is valid (RFC 1738, Section 3.1). An empty host is valid only before a path, for
/// schemes that allow it.
pub(super) fn authority<'t>(scheme: &str, rest: &'t str) -> Option<Authority<'t>> {
    let authority = Authority::at_start(rest);
    let path = &rest[authority.text.len()..];
    // `C:////x` is a path.
    if scheme.len() == 1 && authority.text.is_empty() {
        return None;
    }
    let is_file = scheme.len() == 4 && scheme.eq_ignore_ascii_case("file");
    let holds = if authority.text.is_empty() {
        let continues = |path: &str| is_file || path.starts_with(|c| !is_stop(c));
        !is_any_of(scheme, &WITH_HOST) && path.strip_prefix('/').is_some_and(continues)
    } else if is_file {
        // `file://../a` is wrong but common, and its meaning is clear.
        path.starts_with('/') || !authority.host().chars().all(|c| is_trimmed(c, Iri::Auto))
    } else {
        let is_first = |c| authority.host().starts_with(c) && is_any_of(scheme, &WITH_HOST);
        authority.has_host() && !is_first('+')
    };
    holds.then_some(authority)
}

/// Returns true if a host may start like this.
fn may_be_host(host: &str) -> bool {
    let Some(first) = host.chars().next() else {
        return false;
    };
    match first {
        '[' => host[1..].split_once(']').is_some_and(|(address, _)| is_address(address)),
        '%' => host.as_bytes().get(1..3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)),
        // Excludes a ruler, as in `http://____`.
        '_' | '+' => host.contains(char::is_alphanumeric),
        _ if first.is_ascii() || first.is_alphanumeric() => first.is_alphanumeric(),
        _ => class_of(first, Iri::Auto) == Class::Plain && begins_with_symbol(host, first),
    }
}

/// Returns true if a host with a dot begins with `first`, a symbol that occurs in registered names.
/// Arrows, dashes and lines, which replace an omitted host, are excluded.
fn begins_with_symbol(host: &str, first: char) -> bool {
    let is_other = matches!(first,
        '\u{80}'..='\u{FF}' | '\u{2000}'..='\u{206F}' | '\u{2190}'..='\u{22FF}'
        | '\u{2500}'..='\u{25FF}' | '\u{3000}'..='\u{303F}' | '\u{E000}'..='\u{F8FF}' | '\u{FE00}'..='\u{FE0F}'
        | '\u{FF00}'..='\u{FFEF}');
    !is_other && host.contains('.')
}

/// Returns true for an address in brackets (RFC 3986, Section 3.2.2), with an optional zone (RFC
/// 6874).
fn is_address(address: &str) -> bool {
    let (address, _zone) = address.split_once('%').unwrap_or((address, ""));
    let is_v6 = |c: char| c.is_ascii_hexdigit() || matches!(c, ':' | '.');
    (address.contains(':') && address.chars().all(is_v6)) || address.starts_with(['v', 'V'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scheme_starts_at_its_word() {
        let scheme = |text: &'static str| {
            let colon = text.len() - 1;
            start(format!("{text}//").as_bytes(), 0, colon, false).map(|start| &text[start..colon])
        };
        assert_eq!(scheme("see http:"), Some("http"));
        assert_eq!(scheme("svn+ssh:"), Some("svn+ssh"));
        assert_eq!(scheme("-http:"), Some("http"));
        assert_eq!(scheme("1.http:"), Some("http"));
        assert_eq!(scheme("1abc:"), None);
        assert_eq!(scheme("end.http:"), Some("http"));
        assert_eq!(scheme("example.orghttps:"), Some("https"));
        assert_eq!(scheme("x.sftp:"), Some("sftp"));
        assert_eq!(scheme("ms-xhttp:"), Some("http"));
        assert_eq!(scheme("forHTTPS:"), Some("HTTPS"));
        assert_eq!(scheme("2020http:"), Some("http"));
        assert_eq!(scheme("git+https:"), Some("git+https"));
        assert_eq!(scheme("gsiftp:"), Some("gsiftp"));
        assert_eq!(scheme("profile:"), Some("profile"));
        assert_eq!(scheme("%s:"), None);
        assert_eq!(scheme("%1$s:"), None);
        assert_eq!(scheme("%(a_b)s:"), None);
        assert_eq!(scheme("(a)s:"), Some("s"));
        assert_eq!(scheme("$proto:"), None);
        assert_eq!(scheme("$http:"), Some("http"));
        assert_eq!(scheme("\\%gs:"), Some("gs"));
        assert_eq!(scheme("ms-settings:"), Some("ms-settings"));
        assert_eq!(scheme("xhttp:"), Some("http"));
        assert_eq!(scheme("\\nhttp:"), Some("http"));
        assert_eq!(scheme("\\fIhttps:"), Some("https"));
        assert_eq!(scheme("\\f5https:"), Some("https"));
        assert_eq!(scheme("\\(lqftp:"), Some("ftp"));
        assert_eq!(scheme("\x1B[1;36mhttp:"), Some("http"));
        assert_eq!(scheme("\x1B[mftp:"), Some("ftp"));
        assert_eq!(scheme("x36mhttp:"), Some("http"));
        assert_eq!(scheme("36mhttp:"), Some("http"));
        assert_eq!(scheme("36mgs:"), None);
        assert_eq!(scheme("看http:"), Some("http"));
        assert_eq!(
            scheme("......................................................................http:"),
            Some("http")
        );
        assert_eq!(
            scheme("a23456789012345678901234567890123456789012345678901234567890123456789:"),
            None
        );
        assert_eq!(scheme("JavaScript:"), None);
        assert_eq!(scheme("URL:"), None);
        assert_eq!(scheme("12:"), None);
        assert_eq!(scheme(":"), None);
    }

    #[test]
    fn scheme_does_not_start_before_min_start() {
        assert_eq!(start(b"http:", 2, 4, false), Some(2));
        assert_eq!(start(b"http:", 4, 4, false), None);
    }

    #[test]
    fn hosts_are_checked_lightly() {
        for (scheme, rest) in [
            ("http", "a/"),
            ("http", "a..."),
            ("http", "a_b:80"),
            ("http", "_x"),
            ("ftp", "@host/"),
            ("ftp", "foo:@host/"),
            ("http", "[::1]:80/"),
            ("http", "[fe80::1%25eth0]/"),
            ("http", "[v1.x]"),
            ("http", "中国"),
            ("http", "✪foo.bar"),
            ("foo", "+1"),
            ("http", "%C3%BC.de"),
            ("file", "/"),
            ("file", "../x"),
            ("foo", "/bar"),
        ] {
            assert!(authority(scheme, rest).is_some(), "{scheme}://{rest}");
        }
        for (scheme, rest) in [
            ("http", ""),
            ("http", "/"),
            ("http", "/a"),
            ("http", "?a"),
            ("http", ".a"),
            ("http", "-a.b"),
            ("http", "a..b"),
            ("http", ":80"),
            ("http", "user@"),
            ("http", "[host]"),
            ("http", "$HOST/"),
            ("http", "%s/"),
            ("http", "{host}/"),
            ("http", "*:80"),
            ("http", "…"),
            ("http", "→"),
            ("http", "–a.b"),
            ("http", "✪foo"),
            ("http", "____"),
            ("http", "+:80"),
            ("foo", "/"),
            ("file", ""),
            ("file", "..."),
        ] {
            assert!(authority(scheme, rest).is_none(), "{scheme}://{rest}");
        }
    }

    #[test]
    fn first_bytes_identify_a_url() {
        assert!(starts_url(b"http://"));
        assert!(starts_url(b"url:http://"));
        assert!(!starts_url(b"http:/a"));
        assert!(!starts_url(b"1http://"));
        assert!(!starts_url(b"://"));
        assert!(!starts_url(b""));
    }
}
