//! Abbreviated URLs and mail addresses: `www.a.b/x`, `ftp.a.b`, `a@b.c`.

use super::chars::{is_email, is_stop};
use super::scheme::Authority;
use crate::format::options::Iri;

/// The maximum length of the local part of a mail address, in bytes (RFC 5321, 4.5.3.1.1).
pub(super) const LOCAL_PART: usize = 64;

/// The maximum length of a domain, in bytes (RFC 5321, 4.5.3.1.2).
const DOMAIN: usize = 255;

/// The start of the abbreviated URL whose first dot is at `dot`, not before `min_start`. Constant
/// time.
pub(super) fn start(text: &str, min_start: usize, dot: usize) -> Option<usize> {
    let start = dot.checked_sub(3).filter(|start| *start >= min_start)?;
    let word = &text.as_bytes()[start..dot];
    if !(word.eq_ignore_ascii_case(b"www") || word.eq_ignore_ascii_case(b"ftp")) {
        return None;
    }
    // Part of a name, an address or a path.
    let before = &text.as_bytes()[min_start..start];
    let glued = |byte: &u8| byte.is_ascii_alphanumeric() || b".-@/\\".contains(byte);
    let emphasis = before.iter().rev().take(3).take_while(|byte| **byte == b'_').count();
    let before = &before[..before.len() - emphasis];
    (!before.last().is_some_and(glued)).then_some(start)
}

/// Returns true if `url`, which begins with `www.` or `ftp.`, has two more labels and no userinfo.
pub(super) fn is_one(url: &str) -> bool {
    let mut near = (0..=url.len().min(2 * DOMAIN)).rev();
    let near = near.find(|&at| url.is_char_boundary(at));
    let authority = Authority::at_start(&url[..near.unwrap_or(0)]);
    let host = authority.host().split(':').next().unwrap_or_default();
    let mut labels = host.trim_end_matches('.').split('.').skip(1);
    let letter = |c: char| c.is_alphanumeric() || !c.is_ascii();
    let label = |label: Option<&str>| label.is_some_and(|it| it.contains(letter));
    !authority.has_user() && authority.has_host() && label(labels.next()) && label(labels.next())
}

/// The mail address around the `@` at `at`, not before `min_start`, by the rules of UTS #58 for
/// bare addresses. The local part consists of Link_Email characters, with single dots between them.
/// The domain has two labels or more. Constant time.
pub(super) fn address(text: &str, min_start: usize, at: usize, iri: Iri) -> Option<(usize, usize)> {
    let is_allowed = |c: char| c.is_ascii() || iri != Iri::Ascii;
    let before = text[min_start..at].char_indices().rev().take(LOCAL_PART + 1);
    let (start, _) = before.take_while(|(_, c)| is_email(*c) && is_allowed(*c)).last()?;
    let mut local = &text[min_start + start..at];
    let domain = domain(&text[at + 1..], is_allowed)?;
    let end = at + 1 + domain.len();
    if text[end..].starts_with('@') {
        return None;
    }
    // `'a@b.c'`, `to='a@b.c'`
    if text[end..].starts_with('\'') {
        local = local.rsplit('\'').next().unwrap_or_default();
    }
    local = local.trim_start_matches('\'');
    let dots = local.starts_with('.') || local.ends_with('.') || local.contains("..");
    let holds = !local.is_empty() && local.len() <= LOCAL_PART && !dots;
    holds.then_some((at - local.len(), end))
}

/// The domain that `rest` starts with: at least two labels of letters, digits and inner hyphens.
/// The last label is not a number.
fn domain(rest: &str, is_allowed: impl Fn(char) -> bool) -> Option<&str> {
    let part = |c: char| match c {
        '-' | '.' => true,
        _ => (c.is_alphanumeric() || !c.is_ascii() && is_email(c)) && !is_stop(c) && is_allowed(c),
    };
    let ends = |(at, c): &(usize, char)| *at > DOMAIN || !part(*c);
    let len = rest.char_indices().find(ends).map_or(rest.len(), |(at, _)| at);
    let mut domain = None;
    let mut at = 0;
    for label in rest[..len].split('.') {
        let name = label.trim_end_matches('-');
        if name.is_empty() || name.starts_with('-') {
            break;
        }
        if at > 0 && !name.bytes().all(|byte| byte.is_ascii_digit()) {
            domain = rest.get(..at + name.len());
        }
        if name.len() < label.len() {
            break;
        }
        at += label.len() + 1;
    }
    domain.filter(|domain| domain.len() <= DOMAIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviated_urls_start_at_word_boundaries() {
        let starts = |text: &str| text.find('.').and_then(|dot| start(text, 0, dot));
        assert_eq!(starts("www.a.b"), Some(0));
        assert_eq!(starts("看WWW.a.b"), Some(3));
        assert_eq!(starts("(ftp.a.b"), Some(1));
        assert_eq!(starts("url:www.a.b"), Some(4));
        assert_eq!(starts("*_www.a.b_*"), Some(2));
        for text in ["xwww.a", "-www.a", "@www.a", "/www.a", "a_www.a", "ww.a", ".", "ftps.a"] {
            assert_eq!(starts(text), None, "{text}");
        }
        assert_eq!(start("xwww.a", 1, 4), Some(1), "the min_start is not crossed");
    }

    #[test]
    fn abbreviated_urls_have_two_more_labels() {
        for url in ["www.a.b", "www.a.b/x", "www.a.b:80/", "ftp.a.b.", "www.ü.中国?x"] {
            assert!(is_one(url), "{url}");
        }
        for url in ["www.a", "www.a.", "www..a.b", "www.a@b.c", "www.a/b.c", "www.-.-"] {
            assert!(!is_one(url), "{url}");
        }
    }

    #[test]
    fn misplaced_dots_make_no_address() {
        let address = |text: &'static str| {
            let (start, end) = address(text, 0, text.find('@')?, Iri::Auto)?;
            Some(&text[start..end])
        };
        assert_eq!(address("<a.b+c@d.example>"), Some("a.b+c@d.example"));
        assert_eq!(address("'a@b.c'."), Some("a@b.c"));
        assert_eq!(address("to='a@b.c'>"), Some("a@b.c"));
        assert_eq!(address("o'a@b.c"), Some("o'a@b.c"));
        assert_eq!(address("é@ü.中国。"), Some("é@ü.中国"));
        assert_eq!(address("a@b.c-"), Some("a@b.c"));
        assert_eq!(address("a@b.c.1"), Some("a@b.c"));
        assert_eq!(address("a@b.c..d"), Some("a@b.c"));
        for text in ["a@b", "@b.c", ".a@b.c", "a.@b.c", "a..b@c.d", "a@-b.c", "a@1.2", "a@.b"] {
            assert_eq!(address(text), None, "{text}");
        }
    }

    #[test]
    fn overlong_addresses_are_rejected() {
        let of = |local: usize, domain: usize| {
            let text = format!("{}@{}.c", "a".repeat(local), "b".repeat(domain));
            address(&text, 0, local, Iri::Auto).is_some()
        };
        assert!(of(LOCAL_PART, DOMAIN - 2));
        assert!(!of(LOCAL_PART + 1, 1));
        assert!(!of(1, DOMAIN - 1));
    }
}
