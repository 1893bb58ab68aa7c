//! Pages that need not be read: none of their URLs continues a URL of the text.

use encoding_rs::UTF_8;
use memchr::{memchr, memchr_iter, memchr3_iter, memrchr};

use crate::link::is_gateway;
use crate::source::Source;

/// The beginnings of the character references for `:`, `/`, line breaks, tabs and what is invisible
/// in a URL. No other named reference spells a part of `http://`.
const NAMES: [&[u8]; 8] = [b"col", b"sol", b"Tab", b"New", b"shy", b"Zero", b"Neg", b"NoB"];

/// The most bytes of a host or tag that are read.
const LONGEST: usize = 256;

/// Returns true if the bytes of a page show its URLs: none is spelled with an escape, a line break
/// or an invisible character up to its path, and none was wrapped by a mail gateway. Linear.
pub(super) fn is_searchable(page: &Source) -> bool {
    let bytes = page.bytes.as_slice();
    page.charset.encoding() == UTF_8
        && memchr3_iter(b':', b'&', b'\\', bytes).all(|at| {
            let (before, after) = bytes.split_at(at);
            match after[0] {
                b':' => is_plain_colon(before, after),
                b'&' => is_plain_reference(&after[1..]),
                _ => false,
            }
        })
}

/// Returns true if the colon between `before` and `after` has the scheme of a URL before it as it
/// is read, or none.
fn is_plain_colon(before: &[u8], after: &[u8]) -> bool {
    let letters = before.iter().rev().take("https".len());
    let letters = letters.take_while(|byte| byte.is_ascii_alphabetic());
    let (before, word) = before.split_at(before.len() - letters.count());
    let ends_with = |text: &[u8], end: &[u8]| {
        let at = text.len().checked_sub(end.len());
        at.is_some_and(|at| text[at..].eq_ignore_ascii_case(end))
    };
    let mut schemes = [&b"http"[..], b"https", b"ftp"].into_iter();
    let is_cut = schemes.any(|scheme| word.len() < scheme.len() && ends_with(scheme, word));
    let is_web = ends_with(word, b"http") || ends_with(word, b"https");
    !(is_cut && ends_with_gap(before) || is_web && may_be_wrapped(after))
}

/// Returns false if no URL of a [searchable](is_searchable) page begins with `url` and continues
/// with a byte for which `may_follow` is true. Where a URL may be spelled in another way after its
/// beginning, the result is true.
///
/// Cost: one pass over the page, and comparing `url` with each of its URLs.
pub(super) fn may_have_longer(page: &[u8], url: &[u8], may_follow: impl Fn(u8) -> bool) -> bool {
    let Some(colon) = memchr(b':', url) else {
        return true;
    };
    let (scheme, rest) = url.split_at(colon);
    // Pages spell it `&amp;`.
    let compared = &rest[..memchr(b'&', rest).unwrap_or(rest.len())];
    if !matches!(scheme, b"http" | b"https" | b"ftp") {
        return true;
    }
    memchr_iter(b':', page).any(|at| {
        let (before, after) = page.split_at(at);
        if !before.ends_with(scheme) {
            return false;
        }
        let same = common_len(after, compared);
        let after = &after[same..];
        match after.first() {
            _ if same < compared.len() => starts_with_gap(after),
            _ if compared.len() < rest.len() => true,
            Some(b'<') => starts_with_gap(after),
            None | Some(b'"' | b'>') => false,
            Some(byte) => may_follow(*byte) || starts_with_gap(after),
        }
    })
}

/// The number of bytes with which both begin.
pub(super) fn common_len(a: &[u8], b: &[u8]) -> usize {
    let (words, _) = a.as_chunks::<8>();
    let (others, _) = b.as_chunks::<8>();
    let words = words.iter().zip(others);
    let len = 8 * words.take_while(|(a, b)| a == b).count();
    let rest = a[len..].iter().zip(&b[len..]);
    len + rest.take_while(|(a, b)| a == b).count()
}

/// Returns true if the host of a URL, whose colon is the first of these bytes, may be one of a mail
/// gateway.
fn may_be_wrapped(after: &[u8]) -> bool {
    let Some(rest) = after.strip_prefix(b"://") else {
        return starts_with_gap(&after[1..])
            || after.get(1) == Some(&b'/') && starts_with_gap(&after[2..]);
    };
    let rest = &rest[..rest.len().min(LONGEST)];
    let ends = |byte: &u8| matches!(byte, b'/' | b'?' | b'#' | b'"' | b'\'' | b'>');
    let len = rest.iter().position(ends).unwrap_or(rest.len());
    let authority = &rest[..len];
    if (0..len).any(|at| starts_with_gap(&authority[at..])) {
        return true;
    }
    let host = &authority[memrchr(b'@', authority).map_or(0, |at| at + 1)..];
    let host = &host[..memchr(b':', host).unwrap_or(host.len())];
    std::str::from_utf8(host).is_ok_and(is_gateway)
}

/// Returns true if bytes begin with what may spell a character of a URL, or nothing: an escape,
/// white space, a word break, a character that is not ASCII.
fn starts_with_gap(bytes: &[u8]) -> bool {
    match bytes {
        [b'<', tag @ ..] => tag.get(..3).is_some_and(|it| it.eq_ignore_ascii_case(b"wbr")),
        // A hyphen at the end of a line may be removed.
        [b'-', next, ..] => *next <= b' ',
        [byte, ..] => *byte <= b' ' || matches!(byte, b'&' | b'\\' | 0x80..),
        [] => false,
    }
}

/// Returns true if bytes end with what is invisible within a URL.
fn ends_with_gap(bytes: &[u8]) -> bool {
    match bytes {
        [.., b'>'] => {
            let near = &bytes[bytes.len().saturating_sub(LONGEST)..];
            memrchr(b'<', near).is_none_or(|tag| starts_with_gap(&near[tag..]))
        }
        [.., byte] => matches!(byte, b'\t' | b'\n' | b'\r' | 0x80..),
        [] => false,
    }
}

/// Returns true if a `&` before these bytes spells no part of `http://` and nothing that is
/// invisible in a URL.
fn is_plain_reference(after: &[u8]) -> bool {
    if let [b'#', number @ ..] = after {
        let number = &number[..number.len().min(8)];
        let end = memchr(b';', number);
        let code = end.and_then(|end| std::str::from_utf8(&number[..end]).ok()?.parse().ok());
        return code.is_some_and(|code: u32| {
            let is_visible = code >= 0xA0 && !matches!(code, 0xAD | 0x200B | 0x2060 | 0xFEFF);
            is_visible || [b'"', b'\'', b'<', b'>'].into_iter().any(|it| u32::from(it) == code)
        });
    }
    !NAMES.iter().any(|name| after.starts_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Options, html};
    use crate::link::unwrapped;
    use crate::source::Charset;
    use proptest::prelude::*;

    fn page(html: &str) -> Source {
        Source::new(html.as_bytes().to_vec(), Charset::VALID)
    }

    /// The first spelling more often than the others.
    fn any_of(spellings: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
        prop_oneof![4 => Just(spellings[0]), 1 => prop::sample::select(spellings)]
    }

    proptest! {
        #![proptest_config(crate::tier::cases(10_000))]

        #[test]
        fn pages_that_are_not_read_have_no_longer_url(
            before in any_of(&[
                "<a href=\"", "<a href='", "<p>", "<p>see:", "<p>&lt;", "<style>@import '", "<img srcset=\"", "<p>x:", "",
                "<a href=\"https://eu.SafeLinks.protection.outlook.com/?url=", "<a href=\"HTTPS://urldefense.com/v3/__",
                "<a href=\"http&#58;//urldefense.com/v3/__", "<p>https://url<wbr>defense.com/v3/__",
            ]),
            scheme in any_of(&["http", "http", "https", "HTTP", "ht\ntp", "&#104;ttp", "ht<wbr>tp", "ht\u{ad}tp", "\\68ttp"]),
            colon in any_of(&[":", ":", ":\n", ":\t", "&colon;", "&#58;", "\\3a ", ":<WBR/>", ":&shy;", ":\u{200b}", "\n:", "%3A", "&Tab;:"]),
            slashes in any_of(&["//", "//", "/\n/", "/&sol;", "&#47;/", "/<wbr>/", "\\2f/", "%2F%2F", "/&ZeroWidthSpace;/"]),
            host in any_of(&[
                "a.example", "a.example", "a.exam<wbr>ple", "a.exam\nple", "a.exam&shy;ple", "a.exam&#112;le", "a.exam-\nple",
                "b.example", "a.exam\\70le",
            ]),
            path in any_of(&["/b", "/b", "/b?c=1&amp;d", "/b?c=1&d", "/&#98;", "/<wbr>b", "/b-\n", "/\nb", "%2Fb"]),
            end in any_of(&["c", "/c", "", "\"", "&#99;", "<wbr>c", "\nc", "'c", "-\nc", "\u{e9}", "__;!!x!y$", "c__;!!x!y$"]),
            after in any_of(&["\">", "'>", "</p>", "&gt;", " d", "\"></style>", "", "&amp;", "&mdash;"]),
            url in any_of(&["http://a.example/b", "http://a.example/b?c=1&d", "https://a.example/b", "ftp://a.example/b"]),
            next in prop::sample::select(vec!["", "c", "/", "-", "_", "?", "\u{e9}"]),
        ) {
            let may_follow = |byte| next.bytes().next().is_none_or(|next| next == byte);
            let page = page(&[before, scheme, colon, slashes, host, path, end, after].concat());
            if !is_searchable(&page) || may_have_longer(&page.bytes, url.as_bytes(), may_follow) {
                return Ok(());
            }
            let options = Options { html_text: true, ..Options::default() };
            for link in html::find(&page, &options).links {
                let target = unwrapped(&link.reference);
                for found in [Some(&*link.reference), target.as_deref()].into_iter().flatten() {
                    let Some(longer) = found.strip_prefix(url).and_then(|rest| rest.bytes().next()) else {
                        continue;
                    };
                    prop_assert!(b"\"<>".contains(&longer) || !may_follow(longer), "{}", found);
                }
            }
        }
    }

    #[test]
    fn usual_pages_are_not_read() {
        let may_with = |html: &str, may_follow: fn(u8) -> bool| {
            let page = page(html);
            !is_searchable(&page) || may_have_longer(&page.bytes, b"http://a.example/b", may_follow)
        };
        let may = |html: &str| may_with(html, |_| true);
        assert!(!may(
            "<p>See:&nbsp;<a href=\"http://a.example/b\">http://a.example/b</a>&#8230; a: <a href=\"http://a.example/\">"
        ));
        assert!(!may("<p>https://a.example/bc http://c.example/b mailto:d"));
        assert!(may("<a href=\"http://a.example/bc\">"));
        assert!(may_with("<a href=\"http://a.example/bc\">", |byte| byte == b'c'));
        assert!(!may_with("<a href=\"http://a.example/bc\">", |byte| byte == b'd'));
        assert!(may("<a href=\"https://urldefense.com/v3/__http:/a.example/bc__;!!x!y$\">"));
    }
}
