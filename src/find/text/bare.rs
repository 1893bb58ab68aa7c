//! The end of a URL that nothing marks off.

use super::chars::{BRACKET_KINDS, CURLY, Class, class, class_of, is_clause_mark, is_trimmed};
use super::scheme;

/// How far the partner of an opening bracket is looked for, in bytes, where it matters if there is
/// one.
const BRACKET_LOOK_AHEAD: usize = 256;

/// The longest user name of a hidden mail address, in bytes; RFC 5321, 4.5.3.1.1 allows as many.
const HIDDEN_ADDRESS: usize = 64;

/// Where the URL with the scheme `start..colon` ends, or `None` if it is none.
///
/// Linear in the length of the URL and the punctuation after it; what is given up is only that
/// punctuation, so that a text of many URLs is linear too.
pub(super) fn end(text: &str, start: usize, colon: usize) -> Option<usize> {
    let scheme = &text[start..colon];
    let rest = &text[colon + 1..];
    let (body, host) = match rest.strip_prefix("//") {
        Some(rest) => {
            let authority = scheme::authority(scheme, rest)?;
            // With a userinfo an apostrophe is as good as any other character (RFC 3986, 3.2.1).
            let host_end = if authority.has_user {
                0
            } else {
                colon + 3 + authority.len
            };
            (colon + 3, host_end)
        }
        None if scheme::admits_opaque(scheme, rest) => (colon + 1, 0),
        None => return None,
    };
    let quoted = text[..start].ends_with('\'');
    let end = body + trimmed(&text[body..stop(text, body, host, quoted)]).len();
    // What makes it a URL may have been in the part trimmed off.
    let url = &text[body..end];
    let holds = match body - colon {
        3 => scheme::authority(scheme, url).is_some(),
        _ => {
            // Only a short one is given up for what follows it: it may hold more colons to try.
            let hidden = url.len() <= HIDDEN_ADDRESS
                && text[end..].starts_with(" at ")
                && scheme::lacks_address(scheme, url);
            scheme::admits_opaque(scheme, url) && !hidden
        }
    };
    holds.then_some(end)
}

/// Where the characters of a URL that starts at `from` stop. Its host reaches to `host`; `quoted` says
/// that an apostrophe stands before it.
fn stop(text: &str, from: usize, host: usize, quoted: bool) -> usize {
    let bytes = text.as_bytes();
    let mut open = [0u32; BRACKET_KINDS];
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        let mut width = 1;
        let class = match class(*byte) {
            Class::Wide => {
                let mut after = text[at..].chars();
                let Some(c) = after.next() else { break };
                width = c.len_utf8();
                let before_wide = after.next().is_some_and(|next| !next.is_ascii());
                let class = class_of(c);
                let unpaired = matches!(class, Class::Open(kind) if !closes(text, at, kind));
                let mark = is_clause_mark(c);
                if before_wide && (unpaired || mark)
                    || mark && scheme::starts_url(&bytes[at + width..])
                {
                    break;
                }
                class
            }
            class => class,
        };
        match class {
            Class::Plain | Class::Wide => {}
            Class::Stop => break,
            Class::Open(CURLY) if !closes(text, at, CURLY) => break,
            Class::Open(kind) => open[kind] += 1,
            Class::Close(kind) if open[kind] == 0 => break,
            Class::Close(kind) => open[kind] -= 1,
            Class::Separator if scheme::starts_url(&bytes[at + 1..]) => break,
            Class::Separator => {}
            Class::Apostrophe => {
                let next = bytes.get(at + 1);
                let closes_quote = next.is_none_or(|next| b",;:+)]}".contains(next));
                let leaves_host = !next.is_some_and(u8::is_ascii_alphanumeric);
                if quoted && closes_quote || at < host && leaves_host {
                    break;
                }
            }
        }
        at += width;
    }
    at
}

/// Whether the bracket of this kind that opens at `at` is closed again within the URL, and soon.
fn closes(text: &str, at: usize, kind: usize) -> bool {
    let mut depth = 0;
    for (offset, c) in text[at..].char_indices() {
        if offset > BRACKET_LOOK_AHEAD {
            return false;
        }
        match class_of(c) {
            Class::Stop => return false,
            Class::Open(other) if other == kind => depth += 1,
            Class::Close(other) if other == kind => {
                depth -= 1;
                if depth == 0 {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// `url` without the punctuation of the sentence at its end.
fn trimmed(url: &str) -> &str {
    url.trim_end_matches(is_trimmed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Option<&str> {
        let colon = text.find(':')?;
        let start = scheme::start(text.as_bytes(), 0, colon)?;
        end(text, start, colon).map(|end| &text[start..end])
    }

    #[test]
    fn brackets_belong_to_it_in_pairs() {
        assert_eq!(url("http://a/(b)c)d"), Some("http://a/(b)c"));
        assert_eq!(url("http://a/(b"), Some("http://a/(b"));
        assert_eq!(url("http://a/b("), Some("http://a/b"));
        assert_eq!(url("http://a/{b}c}"), Some("http://a/{b}c"));
        assert_eq!(url("http://a/{b"), Some("http://a/"));
        assert_eq!(url("http://a/《书》b"), Some("http://a/《书》b"));
        assert_eq!(url("http://a/《书"), Some("http://a/"));
        let far = format!("http://a/{{{}}}", "b".repeat(BRACKET_LOOK_AHEAD));
        assert_eq!(url(&far), Some("http://a/"));
    }

    #[test]
    fn an_apostrophe_before_it_ends_it() {
        assert_eq!(url("'http://a/b','http:"), Some("http://a/b"));
        assert_eq!(url("'http://a/b'more"), Some("http://a/b'more"));
        assert_eq!(url("http://a'/>"), Some("http://a"));
        assert_eq!(url("http://u'@a/b'c"), Some("http://u'@a/b'c"));
    }

    #[test]
    fn a_list_is_taken_apart() {
        assert_eq!(url("http://a,http://b"), Some("http://a"));
        assert_eq!(url("http://a/x;http://b"), Some("http://a/x"));
        assert_eq!(url("http://a/b,c"), Some("http://a/b,c"));
        assert_eq!(url("http://a/web/http://b"), Some("http://a/web/http://b"));
    }

    #[test]
    fn what_is_trimmed_cannot_meet_a_demand() {
        assert_eq!(url("data:x, y"), None);
        assert_eq!(url("mailto:..."), None);
        assert_eq!(url("file:///"), Some("file:///"));
        assert_eq!(url("file://..."), None);
        assert_eq!(url("foo:///“"), None);
        assert_eq!(url("http://-)@a/"), None);
    }
}
