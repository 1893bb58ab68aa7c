//! Defanged URLs: written so that no program makes a link of them, as reports about attacks do.
//!
//! * The scheme has another name: `hxxp`, `hXXps`, `fxp`.
//! * Brackets around the marks after it: `[:]//`, `[://]`, `:[//]`, `[:][/][/]`.
//! * Brackets around a dot of the host, or a word for it: `a[.]b`, `a(.)b`, `a{.}b`, `a[dot]b`. Also
//!   `a[.b`, `a.]b` and `a\.b`.
//! * Brackets around other marks: `a[:]80`, `a[/]b`, `a[@]b`, `a[at]b`.

use memchr::{memchr2, memchr3};

use super::chars::letter_width;
use super::opaque;
use super::scheme_names::COMMON;
use super::string_escapes;

/// The maximum length of a host, in bytes. It is longer than one of the DNS, as it is written with
/// marks.
const HOST: usize = 1024;

/// The maximum length of a mark, in bytes.
const MARK: usize = 5;

/// Further schemes that may be defanged.
const SCHEMES: [&str; 9] = ["sftp", "ws", "wss", "tcp", "udp", "smb", "ldap", "ssh", "rtmp"];

/// Returns true for `hxxp` and other names of defanged schemes.
pub(super) fn is_scheme(scheme: &str) -> bool {
    original_scheme(scheme).is_some()
}

/// The scheme that is written as `scheme`.
fn original_scheme(scheme: &str) -> Option<&'static str> {
    let lower = |at: usize| scheme.as_bytes().get(at).map(u8::to_ascii_lowercase);
    if !(3..=5).contains(&scheme.len()) || !scheme.is_ascii() {
        return None;
    }
    let is_http = lower(0) == Some(b'h')
        && lower(3) == Some(b'p')
        && matches!(
            (lower(1), lower(2)),
            (Some(b'x'), Some(b'x' | b't')) | (Some(b't'), Some(b'x'))
        );
    match (is_http, scheme.len(), lower(4)) {
        (true, 4, _) => Some("http"),
        (true, 5, Some(b's')) => Some("https"),
        _ if scheme.eq_ignore_ascii_case("fxp") => Some("ftp"),
        _ if scheme.eq_ignore_ascii_case("fxps") => Some("ftps"),
        _ => None,
    }
}

/// The end of the scheme and the start of the host around the colon at `colon`, if brackets are
/// around the marks of `://`. The scheme must be one that URLs in text often have.
pub(super) fn separator(bytes: &[u8], min_start: usize, colon: usize) -> Option<(usize, usize)> {
    let after = &bytes[colon + 1..];
    let opens = colon.checked_sub(1).filter(|at| *at >= min_start).map(|at| bytes[at]);
    let (end, len) = match opens {
        Some(open @ (b'[' | b'(' | b'{')) => {
            let close = closing(open);
            let len = match after {
                [b'/', b'/', it, ..] | [b'/', it, b'/', ..] if *it == close => 3,
                [it, rest @ ..] if *it == close => 1 + slashes(rest)?,
                _ => return None,
            };
            (colon - 1, len)
        }
        // `hxxp:/a[.]b`, with one slash.
        _ if after.starts_with(b"/") => (colon, 1),
        _ => (colon, slashes(after)?),
    };
    let before = &bytes[min_start..end];
    let scheme = before.iter().rev().take(MARK).take_while(|it| it.is_ascii_alphabetic()).count();
    let scheme = std::str::from_utf8(&before[before.len() - scheme..]).ok()?;
    let holds = match end == colon && len == 1 {
        true => is_scheme(scheme),
        false => is_known(scheme),
    };
    holds.then_some((end, colon + 1 + len))
}

/// Returns true for a scheme that may be defanged.
fn is_known(scheme: &str) -> bool {
    let is = |it: &[u8]| scheme.as_bytes().eq_ignore_ascii_case(it);
    is_scheme(scheme) || COMMON.into_iter().any(is) || SCHEMES.iter().any(|it| is(it.as_bytes()))
}

/// The length of the two slashes at the start of `bytes`, each or both in brackets.
fn slashes(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b'\\', ..] => string_escapes::slashes(bytes),
        [b'/', b'/', ..] => Some(2),
        [b'[', b'/', b'/', b']', ..] => Some(4),
        [b'[', b'/', b']', b'[', b'/', b']', ..] => Some(6),
        _ => None,
    }
}

fn closing(open: u8) -> u8 {
    match open {
        b'[' => b']',
        b'{' => b'}',
        _ => b')',
    }
}

/// A mark in brackets, or with a backslash: its length, and the character that it replaces.
fn mark(bytes: &[u8]) -> Option<(usize, char)> {
    let &[open, ref rest @ ..] = bytes else { return None };
    if open == b'\\' || open == b'.' {
        return match (open, rest) {
            (b'\\', [b'.', ..]) | (b'.', [b']', ..]) => Some((2, '.')),
            // Markdown escapes the brackets.
            (b'\\', [b'[', b'.', b'\\', b']', ..]) => Some(("\\[.\\]".len(), '.')),
            _ => None,
        };
    }
    if !matches!(open, b'[' | b'(' | b'{') {
        return None;
    }
    let len = rest.iter().take(MARK).position(|byte| *byte == closing(open));
    let c = match len.map(|len| &rest[..len]) {
        Some([b'.' | b',']) => '.',
        Some([b':']) => ':',
        Some([b'/']) => '/',
        Some([b'@']) => '@',
        Some(word) if word.eq_ignore_ascii_case(b"dot") || word.eq_ignore_ascii_case(b"d0t") => '.',
        Some(word) if word.eq_ignore_ascii_case(b"at") => '@',
        _ if is_half_open(bytes) => return Some((2, '.')),
        _ => return None,
    };
    Some((len? + 2, c))
}

/// Returns true if `bytes` begin with `[.` and a label after which no bracket closes: `a[.example/b`,
/// but not the `[.domain]` of a usage.
fn is_half_open(bytes: &[u8]) -> bool {
    let Some(rest) = bytes.strip_prefix(b"[.") else {
        return false;
    };
    let len = rest.iter().take(HOST).take_while(|it| it.is_ascii_alphanumeric()).count();
    let after = rest.get(len);
    let is_label = rest.first().is_some_and(|it| it.is_ascii_lowercase() || it.is_ascii_digit());
    is_label
        && after.is_none_or(|it| {
            !matches!(it, b']' | b' ') || it.is_ascii_whitespace() && !rest[len..].contains(&b']')
        })
}

/// The length of the mark in brackets at the start of `rest`, within a defanged URL. 0 without one.
pub(super) fn mark_len(rest: &[u8]) -> usize {
    let len = mark(rest).map_or(0, |(len, _)| len);
    if continues(rest.get(len..).unwrap_or_default()) { len } else { 0 }
}

/// Returns true if a name continues here.
fn continues(rest: &[u8]) -> bool {
    match rest.first() {
        Some(byte) if byte.is_ascii() => {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'%')
        }
        Some(_) => letter_width(rest) > 0,
        None => false,
    }
}

/// Returns true if `rest`, which begins with `authority`, has a bracket or a backslash after a name
/// without a dot: an unknown mark.
pub(super) fn is_stump(rest: &str, authority: &str) -> bool {
    let name = authority.split(['[', '(', '{', '\\']).next().unwrap_or_default();
    let after = rest[name.len()..].trim_start_matches(' ');
    !name.contains('.') && after.starts_with(['[', '(', '{', '\\'])
}

/// The bytes that decide quickly about marks: those of marks, and those that end a host.
static DECIDES: [Decides; 256] = {
    let mut decides = [Decides::Nothing; 256];
    let mut byte = 0;
    while byte < 256 {
        decides[byte] = match byte as u8 {
            b'[' | b'(' | b'{' | b'\\' | b']' => Decides::Mark,
            0..=b' ' | b'/' | b'?' | b'#' | b'"' | b'<' | b'>' | b'`' => Decides::End,
            _ => Decides::Nothing,
        };
        byte += 1;
    }
    decides
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decides {
    Nothing,
    Mark,
    End,
}

/// Returns false if the host at the start of `bytes` has no mark, as most have.
#[inline]
fn may_have_mark(bytes: &[u8]) -> bool {
    let decides = bytes.iter().map(|byte| DECIDES[usize::from(*byte)]);
    let mut decides = decides.skip_while(|it| *it == Decides::Nothing);
    decides.next() == Some(Decides::Mark)
}

/// The length of the defanged host at the start of `rest`, with its user name and port; `None` if
/// it has no mark. `is_certain` is set if other parts of the URL show that it is defanged. Then a
/// backslash before a dot is a mark too, which in other text is that of a regular expression.
/// Constant time.
pub(super) fn host_len(rest: &str, is_certain: bool) -> Option<usize> {
    let bytes = &rest.as_bytes()[..rest.len().min(HOST)];
    if !may_have_mark(bytes) {
        return None;
    }
    let (mut at, mut marks, mut backslashes) = (0, 0, 0);
    while let Some(&byte) = bytes.get(at) {
        let after = &bytes[at..];
        at += match byte {
            b'.' if after.get(1) == Some(&b']') && continues(&after[2..]) => {
                marks += 1;
                2
            }
            b'.' | b':' | b'@' if continues(&after[1..]) => 1,
            b'.' | b':' | b'@' if matches!(after, [_, b'[' | b'(' | b'{', ..]) => 1,
            b'[' | b'(' | b'{' | b'\\' => match mark(after) {
                // The path begins.
                Some((_, '/')) if at > 0 => {
                    marks += 1;
                    break;
                }
                Some((len, _)) if at > 0 && continues(&after[len..]) => {
                    marks += 1;
                    backslashes += usize::from(byte == b'\\' && len == 2);
                    len
                }
                _ => break,
            },
            _ if continues(after) => letter_width(after).max(1),
            _ => break,
        };
    }
    let is_defanged = marks > 0 && (is_certain || marks > backslashes);
    is_defanged.then_some(at)
}

/// The start of the name without a scheme around the dot at `dot`, which is in brackets:
/// `a[.]example`, `192[.]0[.]2[.]7`. Not before `min_start`. Constant time.
pub(super) fn name_start(bytes: &[u8], min_start: usize, dot: usize) -> Option<usize> {
    let open = dot.checked_sub(1).filter(|open| *open > min_start)?;
    if bytes[open] != b'[' || bytes.get(dot + 1) != Some(&b']') {
        return None;
    }
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    let before = &bytes[min_start..open];
    let len = before.iter().rev().take(HOST).take_while(|byte| is_part(byte)).count();
    let start = open - len;
    let glued = |byte: &u8| !byte.is_ascii() || b"@/\\_)]}%$".contains(byte);
    let is_first = !bytes[min_start..start].last().is_some_and(glued);
    let rest = &bytes[dot + 2..];
    let len = rest.iter().take(HOST).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (label, after) = rest.split_at(len);
    let is_number = !label.is_empty() && label.iter().all(u8::is_ascii_digit);
    // More marks may follow.
    let is_label = label.len() > 1 || is_number || after.starts_with(b"[.]");
    (bytes[start].is_ascii_alphanumeric() && is_first && is_label).then_some(start)
}

/// Returns false if a URL is certainly not defanged.
#[inline]
pub(super) fn may_be(url: &[u8]) -> bool {
    let begin = &url[..url.len().min(HOST)];
    url.get(1..3).is_some_and(|it| it.contains(&b'x') || it.contains(&b'X'))
        || memchr3(b'[', b'(', b'{', begin).is_some()
        || memchr2(b'\\', b']', begin).is_some()
}

/// Returns true if `written`, a URL, is defanged: see [`refanged`].
pub fn is_defanged(written: &str) -> bool {
    let scheme = written.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let (scheme, rest) = written.split_at(scheme);
    match separator_len(rest) {
        Some(3) if rest.starts_with("://") => {
            is_scheme(scheme) || host_len(&rest[3..], false).is_some()
        }
        Some(2) => is_scheme(scheme),
        Some(_) => is_known(scheme),
        None => {
            let address = rest.strip_prefix(':').filter(|_| opaque::is_mailto(scheme));
            address.is_some_and(|address| host_len(address, false).is_some())
        }
    }
}

/// The length of the `://` at the start of `rest`, also with brackets or with one slash.
fn separator_len(rest: &str) -> Option<usize> {
    match rest.as_bytes() {
        [b':', after @ ..] => {
            let one = after.starts_with(b"/").then_some(1);
            Some(1 + slashes(after).or(one)?)
        }
        &[open @ (b'[' | b'(' | b'{'), b':', ref after @ ..] => {
            let close = closing(open);
            match after {
                [b'/', b'/', it, ..] | [b'/', it, b'/', ..] if *it == close => Some(5),
                [it, rest @ ..] if *it == close => Some(3 + slashes(rest)?),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `written`, a defanged URL, as it was before. Marks in brackets are undone in the scheme, in the
/// host, and around single characters also after it.
///
/// ```
/// use rehref_document::format::text::refanged;
///
/// assert_eq!(refanged("hxxps[:]//a[.]example/b"), "https://a.example/b");
/// ```
pub fn refanged(written: &str) -> String {
    let scheme = written.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let (scheme, rest) = written.split_at(scheme);
    let mut value = String::with_capacity(written.len());
    value.push_str(original_scheme(scheme).unwrap_or(scheme));
    let Some(len) = separator_len(rest) else {
        // The address of a `mailto` URL.
        value.push_str(&without_marks(rest, rest.len()));
        return value;
    };
    value.push_str("://");
    let rest = &rest[len..];
    let host = host_len(rest, true).unwrap_or(0);
    value.push_str(&without_marks(rest, host));
    value
}

/// `text` without marks. Words are marks only before `host_end`.
fn without_marks(text: &str, host_end: usize) -> String {
    let bytes = text.as_bytes();
    let mut value = String::with_capacity(text.len());
    let (mut at, mut kept) = (0, 0);
    while at < bytes.len() {
        match mark(&bytes[at..]) {
            Some((len, c)) if at < host_end || len <= 3 => {
                value.push_str(&text[kept..at]);
                value.push(c);
                at += len;
                kept = at;
            }
            _ => at += 1,
        }
    }
    value.push_str(&text[kept..]);
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::text::text_url::Form;
    use crate::format::text::{TextOptions, scan};

    fn urls(text: &str) -> Vec<(String, bool)> {
        let mut urls = Vec::new();
        scan(text, &TextOptions::default(), |url| {
            let written: String = url.spans.iter().map(|span| &text[span.range()]).collect();
            urls.push((written, url.form == Form::Defanged));
        });
        urls
    }

    #[test]
    fn defanged_url_is_found_whole() {
        for (written, original) in [
            ("hxxp://a.example/b", "http://a.example/b"),
            ("hXXps://a[.]example", "https://a.example"),
            ("http://a[.]b[.]example:80/c?d=e", "http://a.b.example:80/c?d=e"),
            ("https://a(.)example/b", "https://a.example/b"),
            ("https://a{.}example/b", "https://a.example/b"),
            ("http://a[dot]b(DOT)example/c", "http://a.b.example/c"),
            ("https[:]//a.example/b", "https://a.example/b"),
            ("https(:)//a.example/b", "https://a.example/b"),
            ("http[://]a.example/b", "http://a.example/b"),
            ("hxxp[:][//]a[.]example", "http://a.example"),
            ("hxxp:[//]a[.]example", "http://a.example"),
            ("hxxp[:][/][/]a[.]example[/]b", "http://a.example/b"),
            ("hxxp:[/][/]a.example/b", "http://a.example/b"),
            ("hxxp:/a[.]example/b", "http://a.example/b"),
            ("http://a.b[.example/x", "http://a.b.example/x"),
            ("http://a.b.]example/x", "http://a.b.example/x"),
            ("http://a.example[/]x", "http://a.example/x"),
            ("hxxps://a\\[.\\]example/x", "https://a.example/x"),
            ("hxxp://a\\.b\\.example/c", "http://a.b.example/c"),
            ("hxxp://203[.]0[.]113[.]7[:]8080/c[.]php", "http://203.0.113.7:8080/c.php"),
            ("fxp://u[@]a[.]example/", "ftp://u@a.example/"),
            ("https://пример[.]example/", "https://пример.example/"),
        ] {
            for (before, after) in [("", ""), ("(", ")."), ("\"", "\","), ("<", ">"), ("* ", "\nb")]
            {
                let text = format!("{before}{written}{after}");
                assert_eq!(urls(&text), [(written.to_owned(), true)], "{text}");
            }
            assert!(is_defanged(written), "{written}");
            assert_eq!(refanged(written), original);
        }
        for reference in [
            "", "a", "mailto", "mailto:", "mailto:a@b.example", "http:/a", "http:", "a[1].html",
            "[", "x[:]//a", "é[:",
        ] {
            assert!(!is_defanged(reference), "{reference}");
        }
    }

    #[test]
    fn name_without_a_scheme_is_found_on_request() {
        let options = TextOptions { abbreviated: true, ..TextOptions::default() };
        let text =
            "a[.]example, www.b[.]example/c and (192[.]0[.]2[.]7:80); [a-z][.]b x[.] _d[.]ef";
        let mut urls = Vec::new();
        scan(text, &options, |url| urls.push(url.reference(text).into_owned()));
        assert_eq!(urls, ["a[.]example", "www.b[.]example/c", "192[.]0[.]2[.]7:80"]);
    }

    #[test]
    fn address_of_a_mailto_url_may_be_defanged() {
        let text = "mailto:a[at]b[.]example, c";
        assert_eq!(urls(text), [("mailto:a[at]b[.]example".to_owned(), true)]);
        assert_eq!(refanged("mailto:a[at]b[.]example"), "mailto:a@b.example");
    }

    #[test]
    fn brackets_after_the_host_are_no_marks() {
        for text in [
            "http://[2001:db8::7]:8080/x", "http://a.example/b[.]c", "http://a.example/(.)",
            "http://a@b.example/",
        ] {
            assert_eq!(urls(text), [(text.to_owned(), false)]);
        }
        for (text, url) in [
            ("http://a.example[1]", "http://a.example"),
            ("http://a.example[.]", "http://a.example"),
            ("http://a.example(.) b", "http://a.example"),
            (r"http://a\.b/c", "http://a"),
            ("http://host[.domain][:port][/path]", "http://host"),
            ("http://a.b[.More text]", "http://a.b"),
        ] {
            assert_eq!(urls(text), [(url.to_owned(), false)], "{text}");
        }
        for text in [
            "hxxp://a [.] b", "hxxp://a[punkt]b", "hxxp://a[.][.]b", "a[:]//b", "x[:]",
            "http[:] b", "[://]", "dict[:]//2",
        ] {
            assert_eq!(urls(text), [], "{text}");
        }
    }
}
