//! The fast path of the lexer for the attributes of a tag.
//!
//! To find the end of a tag, the lexer needs the end of each name and value in it. The fast path
//! looks at 64 bytes at once: masks have a bit for each byte that separates attributes, that ends a
//! name, and for each `"`. Then each step is a search in a mask. Attributes in the forms
//! `name="value"`, `name='value'`, `name=value` and `name` are read. Tags with another, such as
//! `name = "value"`, are left to the lexer.
//!
//! An attribute that the 64 bytes end in begins the next ones, so each is looked at in at most two
//! of them.

use super::chars::is_space;
use super::names::Wanted;
use super::simd::{BLOCK, Block, Vector, find};
use super::token::Attribute;
use crate::bytes::Span;
use crate::link::Quoting;

/// The result of reading the attributes of a tag.
pub(super) struct Attributes {
    /// The end of the tag.
    pub(super) end: usize,
    /// True if one of the attributes may be wanted.
    pub(super) may_link: bool,
    pub(super) self_closing: bool,
}

/// Masks of 64 bytes.
struct Marks {
    /// White space, other control characters and `/`.
    separators: u64,
    /// The separators, `=` and `>`.
    name_ends: u64,
    quotes: u64,
}

impl Marks {
    #[inline]
    fn of(block: &Block) -> Self {
        let separates = |bytes: Vector| bytes.up_to(b' ').or(bytes.equal(b'/'));
        Self {
            separators: block.bits(separates),
            name_ends: block.bits(|bytes| {
                let others = bytes.equal(b'=').or(bytes.equal(b'>'));
                separates(bytes).or(others)
            }),
            quotes: block.bits(|bytes| bytes.equal(b'"')),
        }
    }
}

/// Adds the attributes after the name of a tag, which ends at `start`. `None` if the fast path
/// cannot read them.
#[inline]
pub(super) fn read_attributes(
    bytes: &[u8],
    start: usize,
    wanted: &Wanted,
    attributes: &mut Vec<Attribute>,
) -> Option<Attributes> {
    let mut may_link = false;
    let mut start = start;
    loop {
        let marks = Marks::of(&Block::at(bytes, start));
        // Zero after the end of the page.
        let byte = |at: usize| bytes.get(start + at).copied().unwrap_or(0);
        // The end of the last attribute in the block.
        let mut read = 0;
        while let Some(name) = first(!marks.separators, read) {
            let between = bytes.get(start + read..start + name)?;
            if !matches!(between, [] | [b' '])
                && !between.iter().all(|&byte| byte == b'/' || is_space(byte))
            {
                return None;
            }
            if byte(name) == b'>' {
                return Some(Attributes {
                    end: start + name + 1,
                    may_link,
                    self_closing: between.last() == Some(&b'/'),
                });
            }
            // A `=` that a name begins with is part of it.
            let Some(name_end) = first(marks.name_ends, name + 1) else {
                break;
            };
            let (value, quoting, end) = if byte(name_end) == b'=' {
                let value = name_end + 1;
                if value == BLOCK {
                    break;
                }
                match byte(value) {
                    b'"' => {
                        let close = match first(marks.quotes, value + 1) {
                            Some(close) => close,
                            None => find(b'"', bytes, start + BLOCK)? - start,
                        };
                        (value + 1..close, Quoting::Double, close + 1)
                    }
                    b'\'' => {
                        let close = find(b'\'', bytes, start + value + 1)? - start;
                        (value + 1..close, Quoting::Single, close + 1)
                    }
                    b'>' | ..=b' ' => return None,
                    _ => {
                        let Some(end) = unquoted_end(byte, marks.name_ends, value) else {
                            break;
                        };
                        (value..end, Quoting::Unquoted, end)
                    }
                }
            } else {
                if byte(name_end) != b'>' {
                    let Some(next) = first(!marks.separators, name_end) else {
                        break;
                    };
                    if byte(next) == b'=' {
                        return None;
                    }
                }
                (name_end..name_end, Quoting::Absent, name_end)
            };
            may_link |= wanted.may_have(byte(name), name_end - name);
            attributes.push(Attribute {
                name: Span::new(start + name, start + name_end),
                value: Span::new(start + value.start, start + value.end),
                quoting,
            });
            read = end;
            if read >= BLOCK {
                break;
            }
        }
        if read == 0 {
            return None;
        }
        start += read;
    }
}

/// The first bit from `from` on, which may be beyond the last.
#[inline]
fn first(bits: u64, from: usize) -> Option<usize> {
    let bits = bits & u64::MAX.checked_shl(from as u32)?;
    (bits != 0).then(|| bits.trailing_zeros() as usize)
}

/// The end of the unquoted value that begins at `from`, if it is in the block.
#[inline]
fn unquoted_end(byte: impl Fn(usize) -> u8, name_ends: u64, from: usize) -> Option<usize> {
    let mut end = from;
    loop {
        end = first(name_ends, end)?;
        match byte(end) {
            byte if byte == b'>' || is_space(byte) => return Some(end),
            _ => end += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::format::html::lexer::Lexer;
    use crate::format::html::names::{self, Key};
    use crate::format::html::token::{RawText, Tag, TextKind, Token};

    /// The tags of a page, one per line.
    fn tags(page: &str, skips_tags: bool) -> String {
        let mut lexer = Lexer::new(page.as_bytes());
        lexer.skips_text = true;
        lexer.skips_tags = skips_tags;
        let mut out = String::new();
        while let Some(token) = lexer.next() {
            let text = |span: Span| &page[span.range()];
            let name = text(lexer.tag.name);
            match token {
                Token::Start => out.push_str(&format!("<{name}")),
                Token::End => out.push_str(&format!("</{name}")),
                other => panic!("{other:?}"),
            }
            for attribute in &lexer.attributes {
                let (name, value) = (text(attribute.name), text(attribute.value));
                out.push_str(&format!(" {name}={value}"));
            }
            out.push_str(if lexer.tag.self_closing { "/\n" } else { "\n" });
        }
        out
    }

    #[test]
    fn tags_across_blocks_are_read() {
        let part = "t<a href=\"b>\" class=\"<c\">u</a>\"<p\nid=\"d\"/><li title='\"'>'<ul x=\"y\" z>> < <b\"c><i<j>\
                    <section-of-17bytes data-that-is-long=\"1\" k=\"\">";
        let of_part = tags(part, false);
        assert_eq!(
            of_part,
            "<a href=b> class=<c\n</a\n<p id=d/\n<li title=\"\n<ul x=y z=\n<b\"c\n<i<j\n\
             <section-of-17bytes data-that-is-long=1 k=\n"
        );
        let with_skipped = tags(part, true);
        assert_eq!(with_skipped, "<a href=b> class=<c\n");
        for spaces in 0..=BLOCK {
            let page = " ".repeat(spaces) + part + part;
            assert_eq!(tags(&page, false), of_part.repeat(2), "{spaces} spaces");
            assert_eq!(tags(&page, true), with_skipped.repeat(2), "{spaces} spaces");
        }
    }

    #[test]
    fn a_tag_may_be_longer_than_a_block() {
        let value = "v".repeat(5 * BLOCK);
        let page = format!("<a href=\"{value}\" class=\"c\"><b></b>");
        for skips in [false, true] {
            let expected = format!("<a href={value} class=c\n");
            assert!(tags(&page, skips).starts_with(&expected));
        }
        assert_eq!(tags(&page[..page.len() - 10], true), "");
    }

    #[test]
    fn blocks_full_of_marks_are_noted() {
        let page = "<".repeat(100) + "<i>";
        assert_eq!(tags(&page, false), "<i\n");
        assert_eq!(tags(&(page.clone() + "\"\"\"\"\"\"\"\"\"<b>"), false), "<i\n<b\n");
    }

    const PIECES: [&str; 68] = [
        "<a",
        "<A",
        "</a",
        "</p",
        "<section",
        "<template",
        "<noframes",
        "<figcaption",
        "<abcdefghijklmno",
        "<abcdefghijklmnop",
        "<",
        "</",
        "<!",
        "<!--",
        "-->",
        "--!>",
        "-",
        "<?",
        ">",
        ">",
        ">",
        ">",
        "/>",
        "/",
        " ",
        " ",
        "\n",
        "\t",
        "\0",
        "\x01",
        "\"",
        "\"",
        "\"",
        "'",
        "=",
        "=\"",
        "=\"",
        "='",
        " href=\"b\"",
        " class=\"c\"",
        " id=d",
        " data-background=\"e\"",
        "href",
        "x",
        "text of some length, and more of it",
        "é",
        "&amp;",
        "<b>",
        " open>",
        " href>",
        " open",
        "<plaintext>",
        "<abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghij",
        "</table>",
        "</TaBle",
        "</form>",
        "<svg>",
        "<a<form>",
        "<!x>",
        "<?x>",
        "</3>",
        "<3>",
        "< form>",
        "='c>'",
        "=d/e>",
        " src = \"f\"",
        "/=",
        "<em>",
    ];

    /// A token with all about its tag: also whether it has an effect, and whether an attribute may
    /// be wanted, and its end.
    type Read = (Token, Tag, Vec<Attribute>, (bool, bool), usize);

    /// The tokens of a page, with all about the tags.
    fn read<'s>(
        lexer: &mut Lexer<'s>,
        next: impl Fn(&mut Lexer<'s>) -> Option<Token>,
    ) -> Vec<Read> {
        let bytes = lexer.bytes;
        let mut read = Vec::new();
        while let Some(token) = next(lexer) {
            let mut tag = lexer.tag;
            let name = &bytes[tag.name.range()];
            let has_effect = Wanted::LINKS.has_effect(tag.key, token == Token::End, name);
            // Of other names, only that they are not known ones.
            if !bytes[tag.name.range()].is_ascii()
                || !bytes[tag.name.range()].iter().all(u8::is_ascii_alphanumeric)
            {
                tag.key = Key::LONG;
            }
            read.push((
                token,
                tag,
                lexer.attributes.clone(),
                (has_effect, lexer.may_link),
                lexer.at(),
            ));
        }
        read
    }

    fn pages() -> impl Strategy<Value = String> {
        let pieces = prop::collection::vec(select(&PIECES[..]), 0..60);
        let spaces = prop_oneof![1 => Just(0), 1 => 0..=BLOCK];
        (pieces, spaces).prop_map(|(pieces, spaces)| " ".repeat(spaces) + &pieces.concat())
    }

    /// Pages with raw text, which may end inside of what looks like a tag.
    fn raw_pages() -> impl Strategy<Value = String> {
        let pieces =
            ["<title>", "<title>", "</title", "</title>", "</TITLE =\">", "a<b", "a</b", "<p>"];
        let piece = prop_oneof![3 => select(pieces.to_vec()), 1 => select(&PIECES[..])];
        (prop::collection::vec(piece, 0..40), 0..=BLOCK)
            .prop_map(|(pieces, spaces)| " ".repeat(spaces) + &pieces.concat())
    }

    proptest! {
        #![proptest_config(crate::tier::cases(4000))]

        /// The fast path has the same result as the lexer.
        #[test]
        fn fast_path_agrees_with_the_lexer(page in pages(), skips_text in any::<bool>()) {
            let lexer = || {
                let mut lexer = Lexer::new(page.as_bytes());
                lexer.skips_text = skips_text;
                lexer
            };
            prop_assert_eq!(
                read(&mut lexer(), |it| it.next()),
                read(&mut lexer(), |it| it.next_by_rules())
            );
        }

        /// The lexer skips exactly the tags and comments that it may skip, and reads the others.
        #[test]
        fn only_tags_and_comments_without_effect_are_skipped(
            page in pages(),
            skips_tags in any::<bool>(),
            skips_comments in any::<bool>(),
        ) {
            let mut lexer = Lexer::new(page.as_bytes());
            lexer.skips_text = true;
            let mut rest = read(&mut lexer, |it| it.next_by_rules());
            rest.retain(|(token, _, _, (has_effect, may_link), _)| match token {
                Token::Start => !skips_tags || *has_effect || *may_link,
                Token::End => !skips_tags || *has_effect,
                Token::Comment(_) => !skips_comments,
                Token::Text(..) | Token::Doctype(_) | Token::Section => true,
            });
            let mut lexer = Lexer::new(page.as_bytes());
            (lexer.skips_text, lexer.skips_tags, lexer.skips_comments) = (true, skips_tags, skips_comments);
            let tags = |read: Vec<Read>| {
                let of_tag = |(token, tag, attributes, wanted, at): Read| {
                    // The last tag stays behind other tokens.
                    let is_tag = matches!(token, Token::Start | Token::End);
                    (token, is_tag.then_some((tag, attributes, wanted)), at)
                };
                read.into_iter().map(of_tag).collect::<Vec<_>>()
            };
            prop_assert_eq!(tags(read(&mut lexer, |it| it.next())), tags(rest));
        }

        /// Skipping finds the tags after raw text that are found without it.
        #[test]
        fn tags_after_raw_text_are_found(page in raw_pages()) {
            let read_raw = |lexer: &mut Lexer<'_>| {
                let token = lexer.next()?;
                if token == Token::Start && lexer.tag.key == names::TITLE {
                    lexer.enter(RawText::Rcdata);
                }
                Some(token)
            };
            let mut all = read(&mut Lexer::new(page.as_bytes()), |it| read_raw(it));
            all.retain(|(token, _, _, (has_effect, may_link), _)| match token {
                Token::Start => *has_effect || *may_link,
                Token::End => *has_effect,
                Token::Text(_, kind) => matches!(kind, TextKind::Raw(_)),
                Token::Comment(_) => false,
                Token::Doctype(_) | Token::Section => true,
            });
            let mut lexer = Lexer::new(page.as_bytes());
            (lexer.skips_text, lexer.skips_tags, lexer.skips_comments) = (true, true, true);
            let ends = |read: Vec<Read>| -> Vec<(Token, usize)> {
                read.into_iter().map(|(token, .., at)| (token, at)).collect()
            };
            prop_assert_eq!(ends(read(&mut lexer, |it| read_raw(it))), ends(all));
        }
    }
}
