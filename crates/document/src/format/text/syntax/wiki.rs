//! Markup with a label next to the URL: AsciiDoc and wikis.

use super::unit::Unit;
use crate::format::text::defanged;

pub(super) const MARKS: &[u8] = b"|'";

pub(super) const ASCIIDOC_MARKS: &[u8] = b"[+";

/// The wiki mark at the start of `rest`. `|` separates a URL and its label, or ends a parameter or
/// a cell. Two apostrophes set type.
pub(super) fn unit(rest: &str) -> Unit {
    if rest.starts_with('|') {
        return Unit::Stop(1);
    }
    match rest.bytes().take(5).take_while(|byte| *byte == b'\'').count() {
        1 => Unit::Keep(1),
        quotes => Unit::Stop(quotes),
    }
}

/// The `[` at `at`, which begins the label of a URL, or the `++` before and after a literal URL. In
/// a host, `[` begins an IPv6 address.
pub(super) fn asciidoc_unit(text: &str, at: usize) -> Unit {
    let (before, rest) = text.split_at(at);
    match rest.as_bytes() {
        [b'[', ..] if before.ends_with("//") || before.ends_with('@') => Unit::Keep(1),
        // `http[:]//a[.]b`
        [b'[', b':', ..] => Unit::Keep(1),
        [b'[', ..] if defanged::mark_len(rest.as_bytes()) > 0 => Unit::Keep(1),
        [b'[', ..] => Unit::Stop(0),
        [b'+', b'+', b'[', ..] => Unit::Stop(2),
        [b'+', b'+', ..] if before.ends_with("link:") => Unit::Stop(2),
        _ => Unit::Keep(1),
    }
}

#[cfg(test)]
mod tests {
    use super::super::translation::translated;
    use crate::source::TextSyntax;

    #[test]
    fn labels_end_urls() {
        let wiki = |text: &str| translated(TextSyntax::Wiki, text);
        assert_eq!(
            wiki("[[http://a/|b]] ''http://c's/''"),
            "[[http://a/\u{1F}b]] \u{1F}http://c's/\u{1F}"
        );
        let asciidoc = |text: &str| translated(TextSyntax::AsciiDoc, text);
        assert_eq!(asciidoc("http://a/[b] http://[::1]/"), "http://a/\u{1F}[b] http://[::1]/");
        assert_eq!(asciidoc("link:++http://a__b/++[c]"), "link:\u{1F}http://a__b/\u{1F}\u{1F}[c]");
    }
}
