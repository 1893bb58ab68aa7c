//! The fast path of the lexer for tags in the usual form.
//!
//! To find the end of a tag, the lexer needs the end of each name and value in it, and each step depends on the
//! previous one. The fast path first finds the bytes `<`, `>` and `"` in several kilobytes at once. Then it follows a
//! tag such as `<name attribute="value" name>` or `</name>` from one mark to the next, and nothing depends on the checks
//! of its form. It follows comments too. Tags in any other form are left to the lexer.
//!
//! Each byte is looked at in advance at most twice: a tag that the marks end in begins the next part, or is left to the
//! lexer if it began the last one.

use super::names::{Key, Wanted};
use super::simd::Vector;
use super::token::{Attribute, TextKind, Token};
use super::usual_form::{
    Attributes, BLOCK, CHUNK, MOST_ATTRIBUTES, UsualAttribute, Window, comment_end, comment_text,
    follow_attributes,
};
use crate::bytes::Span;
use crate::link::Quoting;

/// How many positions are stored at once, needed or not: more are rare.
const AT_ONCE: usize = 8;

/// The positions of the bytes `<`, `>` and `"` in a part of a page.
pub(super) struct Marks {
    /// The range of the part.
    start: usize,
    pub(super) end: usize,
    /// The number of positions.
    len: usize,
    /// The number of positions that are passed.
    passed: usize,
    /// None after the lexer is dropped.
    memory: Option<Box<Memory>>,
}

/// The memory of marks.
pub(super) struct Memory {
    /// The positions in the part. After the last one is room for excess ones.
    places: [u16; CHUNK + AT_ONCE],
    /// The end of the page, with zeros after it.
    tail: Window,
    /// The attributes of the last tag.
    attributes: [UsualAttribute; MOST_ATTRIBUTES],
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            places: [0; CHUNK + AT_ONCE],
            tail: [0; CHUNK + BLOCK],
            attributes: [UsualAttribute::default(); MOST_ATTRIBUTES],
        }
    }
}

/// What is skipped, and what is searched in tags.
#[derive(Clone, Copy)]
pub(super) struct Skips {
    pub(super) text: bool,
    pub(super) comments: bool,
    /// Tags without wanted names.
    pub(super) tags: bool,
    pub(super) wanted: &'static Wanted,
}

/// The result of following the marks.
pub(super) enum Stop {
    /// A token that is not a tag.
    Token(Token),
    /// A tag in the usual form.
    Tag(UsualTag),
    /// The marks end, in text.
    MarksEnd,
    /// The marks end in the tag or comment that begins here.
    InMarkup(usize),
    /// The text that follows does not have the usual form.
    Unusual,
}

/// A tag in the usual form.
pub(super) struct UsualTag {
    pub(super) start: usize,
    pub(super) is_end: bool,
    pub(super) name: Span,
    pub(super) key: Key,
    pub(super) self_closing: bool,
    /// Whether one of the attributes may be wanted.
    pub(super) may_link: bool,
    /// The number of attributes.
    attributes: usize,
}

impl Marks {
    /// No marks yet.
    pub(super) fn with_memory(memory: Box<Memory>) -> Self {
        let memory = Some(memory);
        Self {
            start: 0,
            end: 0,
            len: 0,
            passed: 0,
            memory,
        }
    }

    /// Gives the memory back. No marks are found after this.
    pub(super) fn take_memory(&mut self) -> Option<Box<Memory>> {
        self.memory.take()
    }

    /// Returns true if an offset is in the part, and not its first.
    pub(super) fn is_after_start(&self, at: usize) -> bool {
        at > self.start
    }

    /// Finds the marks of the part that begins at `start`.
    pub(super) fn look_at(&mut self, bytes: &[u8], start: usize) {
        let rest = &bytes[start..];
        let len = rest.len().min(CHUNK);
        (self.start, self.end) = (start, start + len);
        (self.len, self.passed) = (0, 0);
        let Some(Memory { places, tail, .. }) = self.memory.as_deref_mut() else {
            return;
        };
        if rest.len() < tail.len() {
            let (copied, after) = tail.split_at_mut(rest.len());
            copied.copy_from_slice(rest);
            let padding = after.len().min(2 * BLOCK);
            after[..padding].fill(0);
        }
        let window = window(bytes, start, tail);
        let (blocks, _) = window.as_chunks();
        for (number, block) in blocks[..len.div_ceil(BLOCK)].iter().enumerate() {
            self.len = note(number * BLOCK, block, places, self.len);
        }
    }

    /// Follows the marks from `at`, which becomes the end of what was followed.
    pub(super) fn follow(&mut self, bytes: &[u8], skips: Skips, at: &mut usize) -> Stop {
        let Some(Memory {
            places,
            tail,
            attributes,
        }) = self.memory.as_deref_mut()
        else {
            return Stop::Unusual;
        };
        let start = self.start;
        let window = window(bytes, start, tail);
        let places = &places[..self.len];
        let mut number = self.passed;
        let mut read = *at;
        let stop = loop {
            let Some(&open) = places.get(number) else {
                break Stop::MarksEnd;
            };
            let open = usize::from(open) % CHUNK;
            if window[open] != b'<' || start + open < read {
                number += 1;
                continue;
            }
            let is_end = window[open + 1] == b'/';
            let name = open + 1 + usize::from(is_end);
            let first = window[name];
            if !first.is_ascii_alphabetic() {
                let is_comment = window[open + 1..open + 4] == *b"!--";
                if is_comment && (skips.text || read == start + open) {
                    let Some((close, next)) = comment_end(window, open + 4, places, number + 1)
                    else {
                        break Stop::InMarkup(start + open);
                    };
                    (number, read) = (next, start + close + 1);
                    if skips.text && skips.comments {
                        continue;
                    }
                    let text = comment_text(bytes, start + open + 4, start + close);
                    break Stop::Token(Token::Comment(text));
                }
                if !is_comment && !is_end && !matches!(first, b'!' | b'?') {
                    // Text.
                    number += 1;
                    continue;
                }
                if !is_comment {
                    break Stop::Unusual;
                }
            }
            if !skips.text && read < start + open {
                let text = Span::new(read, start + open);
                read = start + open;
                break Stop::Token(Token::Text(text, TextKind::Data));
            }
            read = start + open;
            let Some((len, key)) = Key::at(window, name) else {
                break Stop::Unusual;
            };
            let name = Span::new(name, name + len);
            let followed = match places.get(number + 1) {
                Some(&at) if usize::from(at) == name.end && window[name.end] == b'>' => {
                    Attributes::Usual {
                        end: name.end + 1,
                        next: number + 2,
                        count: 0,
                        may_link: false,
                        self_closing: false,
                    }
                }
                _ => {
                    let places = places.get(number + 1..).unwrap_or_default();
                    follow_attributes(window, places, name.end, skips.wanted, attributes)
                        .counted_from(number + 1)
                }
            };
            let (end, next, count, may_link, self_closing) = match followed {
                Attributes::Usual {
                    end,
                    next,
                    count,
                    may_link,
                    self_closing,
                } => (end, next, count, may_link, self_closing),
                Attributes::MarksEnd => break Stop::InMarkup(start + open),
                Attributes::Unusual => break Stop::Unusual,
            };
            (number, read) = (next, start + end);
            let may_pass = skips.tags && (is_end || !may_link);
            if may_pass && !skips.wanted.elements.may_have(key) {
                continue;
            }
            break Stop::Tag(UsualTag {
                start: start + open,
                is_end,
                name: name.shifted(start),
                key,
                self_closing,
                may_link,
                attributes: count,
            });
        };
        *at = read;
        self.passed = number;
        stop
    }

    /// Lists the attributes of the last tag.
    #[inline]
    pub(super) fn list_attributes(&self, tag: &UsualTag, attributes: &mut Vec<Attribute>) {
        attributes.clear();
        let usual = self
            .memory
            .iter()
            .flat_map(|it| &it.attributes[..tag.attributes]);
        for it in usual {
            let start = |offset: u16| self.start + usize::from(offset);
            let (name, open, close) = (start(it.name), start(it.open), start(it.close));
            attributes.push(match open == close {
                true => Attribute {
                    name: Span::new(name, open),
                    value: Span::new(open, open),
                    quoting: Quoting::Absent,
                },
                false => Attribute {
                    name: Span::new(name, open - 1),
                    value: Span::new(open + 1, close),
                    quoting: Quoting::Double,
                },
            });
        }
    }
}

/// The bytes from `start` on, or the copy of them at the end of the page.
#[inline]
fn window<'b>(bytes: &'b [u8], start: usize, tail: &'b Window) -> &'b Window {
    bytes[start..].first_chunk().unwrap_or(tail)
}

/// Notes the positions of the marks of a block, which begins at `start`, after the first `len`. Returns their new number.
#[inline]
fn note(start: usize, block: &[u8; BLOCK], places: &mut [u16], len: usize) -> usize {
    let mut marks = 0;
    let (vectors, _) = block.as_chunks();
    for (number, vector) in vectors.iter().enumerate() {
        let vector = Vector::new(vector);
        let angles = vector.equal(b'<').or(vector.equal(b'>'));
        let bits = angles.or(vector.equal(b'"')).bits();
        marks |= u64::from(bits) << (Vector::LEN * number);
    }
    let mut at = len;
    let len = len + marks.count_ones() as usize;
    // Several at once: the number of iterations would be unpredictable.
    while at < len {
        for place in &mut places[at..at + AT_ONCE] {
            // Values after the last one do not matter.
            *place = (start + (marks | 1 << 63).trailing_zeros() as usize) as u16;
            marks &= marks.wrapping_sub(1);
        }
        at += AT_ONCE;
    }
    len
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::format::html::lexer::Lexer;
    use crate::format::html::names::Key;
    use crate::format::html::token::Tag;

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
    fn tags_across_chunks_are_read() {
        let part = "t<a href=\"b>\" class=\"<c\">u</a>\"<p\nid=\"d\"/><li title='\"'>'<ul x=\"y\" z>> < <b\"c><i<j>\
                    <section-of-17bytes data-that-is-long=\"1\" k=\"\">";
        let of_part = tags(part, false);
        assert_eq!(
            of_part,
            "<a href=b> class=<c\n</a\n<p id=d/\n<li title=\"\n<ul x=y z=\n<b\"c\n<i<j\n\
             <section-of-17bytes data-that-is-long=1 k=\n"
        );
        let with_skipped = tags(part, true);
        assert!(
            with_skipped.starts_with("<a href=b> class=<c\n<section-of-17bytes "),
            "{with_skipped}"
        );
        for spaces in (CHUNK - part.len() - 9)..=CHUNK {
            let page = " ".repeat(spaces) + part + part;
            assert_eq!(tags(&page, false), of_part.repeat(2), "{spaces} spaces");
            assert_eq!(tags(&page, true), with_skipped.repeat(2), "{spaces} spaces");
        }
    }

    #[test]
    fn a_tag_may_be_longer_than_a_chunk() {
        let value = "v".repeat(3 * CHUNK);
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
        assert_eq!(
            tags(&(page.clone() + "\"\"\"\"\"\"\"\"\"<b>"), false),
            "<i\n<b\n"
        );
    }

    const PIECES: [&str; 50] = [
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
    ];

    /// A token with all about its tag: also whether its element, and whether an attribute, may be wanted, and its end.
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
            let is_wanted = Wanted::LINKS.elements.may_have(tag.key);
            // Of other names, only that they are not known ones.
            if !bytes[tag.name.range()].is_ascii()
                || !bytes[tag.name.range()]
                    .iter()
                    .all(u8::is_ascii_alphanumeric)
            {
                tag.key = Key::LONG;
            }
            read.push((
                token,
                tag,
                lexer.attributes.clone(),
                (is_wanted, lexer.may_link),
                lexer.at(),
            ));
        }
        read
    }

    fn pages() -> impl Strategy<Value = String> {
        let pieces = prop::collection::vec(select(&PIECES[..]), 0..60);
        let spaces = prop_oneof![9 => Just(0), 1 => CHUNK - 300..=CHUNK];
        (pieces, spaces).prop_map(|(pieces, spaces)| " ".repeat(spaces) + &pieces.concat())
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

        /// What is skipped is what may be skipped, and the rest is read.
        #[test]
        fn only_tags_and_comments_without_effect_are_skipped(
            page in pages(),
            skips_tags in any::<bool>(),
            skips_comments in any::<bool>(),
        ) {
            let mut lexer = Lexer::new(page.as_bytes());
            lexer.skips_text = true;
            let mut rest = read(&mut lexer, |it| it.next_by_rules());
            rest.retain(|(token, _, _, (is_wanted, may_link), _)| match token {
                Token::Start => !skips_tags || *is_wanted || *may_link,
                Token::End => !skips_tags || *is_wanted,
                Token::Comment(_) => !skips_comments,
                Token::Text(..) | Token::Doctype(_) => true,
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
    }
}
