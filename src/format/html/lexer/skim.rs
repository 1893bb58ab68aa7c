//! The lexer's short cut for tags as they are usually written.
//!
//! To know where a tag ends, the lexer has to know where each name and value in it ends, and each step waits
//! for the one before. Here it is first noted where the bytes `<`, `>` and `"` are, for some kilobytes at once.
//! With those at hand, a tag such as `<name attribute="value">` or `</name>` is followed from one mark to the
//! next, and nothing waits for the checks that it is one. What is written in any other way is left to the
//! lexer.

use super::{Attribute, Lexer, Tag, TextKind, Token, ends_attribute_name, is_space};
use crate::bytes::Span;
use crate::format::html::names::Key;
use crate::format::html::vector::Vector;
use crate::link::Quoting;

/// How many bytes are looked at in advance.
const CHUNK: usize = 4096;

/// How many bytes are looked at at once.
const BLOCK: usize = 64;

/// How many positions are noted at once, wanted or not: more are rare.
const AT_ONCE: usize = 8;

/// After how many tags that are not written as usual the short cut is left alone, and for how many tokens.
const PATIENCE: usize = 8;
const DETOUR: usize = 64;

/// Where the bytes `<`, `>` and `"` are in a part of a page.
#[derive(Default)]
pub(super) struct Marks {
    /// Where the part begins and ends.
    start: usize,
    end: usize,
    /// Their places in it: the first `len` of these. There is room for what is noted in excess.
    places: Vec<u16>,
    len: usize,
    /// How many of them are passed.
    passed: usize,
}

impl Marks {
    /// Notes them for the part that begins at `start`.
    fn look_at(&mut self, bytes: &[u8], start: usize) {
        let rest = &bytes[start..];
        let chunk = &rest[..rest.len().min(CHUNK)];
        (self.start, self.end) = (start, start + chunk.len());
        (self.len, self.passed) = (0, 0);
        self.places.resize(chunk.len() + AT_ONCE, 0);
        let (blocks, last) = chunk.as_chunks();
        for (number, block) in blocks.iter().enumerate() {
            self.note(number * BLOCK, block);
        }
        if !last.is_empty() {
            let mut block = [0; BLOCK];
            block[..last.len()].copy_from_slice(last);
            self.note(chunk.len() - last.len(), &block);
        }
    }

    /// Notes those of a block.
    #[inline]
    fn note(&mut self, start: usize, block: &[u8; BLOCK]) {
        let mut marks = 0;
        let (vectors, _) = block.as_chunks();
        for (number, vector) in vectors.iter().enumerate() {
            let vector = Vector::new(vector);
            let angles = vector.equal(b'<').or(vector.equal(b'>'));
            let bits = angles.or(vector.equal(b'"')).bits();
            marks |= u64::from(bits) << (Vector::LEN * number);
        }
        let mut at = self.len;
        self.len += marks.count_ones() as usize;
        // Several at once: nobody could foresee which is the last.
        while at < self.len {
            for place in &mut self.places[at..at + AT_ONCE] {
                // Behind the last of them it does not matter what is noted.
                *place = (start + (marks | 1 << 63).trailing_zeros() as usize) as u16;
                marks &= marks.wrapping_sub(1);
            }
            at += AT_ONCE;
        }
    }
}

/// How going on from mark to mark ends.
enum Stop {
    /// There is something to tell.
    At(Token),
    /// The marks that were noted end, in text.
    MarksEnd,
    /// They end in the tag that begins here.
    InTag(usize),
    /// What follows is not written as usual.
    Unusual,
}

impl Lexer<'_> {
    /// The next token if that is text, or a tag that is written as usual; `None` where it is not known to be one.
    /// Text and tags that [may be skipped](Lexer::skips_tags) are.
    pub(super) fn usual(&mut self) -> Option<Token> {
        if self.at >= self.marks.end {
            self.marks.look_at(self.bytes, self.at);
        }
        loop {
            let (start, end) = (self.marks.start, self.marks.end);
            let next = match self.follow_marks() {
                Stop::At(token) => {
                    self.misses = 0;
                    return Some(token);
                }
                Stop::MarksEnd => end,
                Stop::InTag(tag) if tag > start => tag,
                Stop::InTag(_) | Stop::Unusual => {
                    self.misses += 1;
                    if self.misses >= PATIENCE {
                        self.detour = DETOUR;
                    }
                    return None;
                }
            };
            if end == self.bytes.len() {
                return None;
            }
            self.marks.look_at(self.bytes, next);
        }
    }

    fn follow_marks(&mut self) -> Stop {
        let bytes = self.bytes;
        let places = &self.marks.places[..self.marks.len];
        let start = self.marks.start;
        let wanted = self.wanted;
        let mark = |number: usize| places.get(number).map(|&place| start + usize::from(place));
        let mut number = self.marks.passed;
        let stop = 'tags: loop {
            let Some(open) = mark(number) else {
                break Stop::MarksEnd;
            };
            if open < self.at || bytes[open] != b'<' {
                number += 1;
                continue;
            }
            let is_end = bytes.get(open + 1) == Some(&b'/');
            let name = open + 1 + usize::from(is_end);
            match bytes.get(name) {
                Some(byte) if byte.is_ascii_alphabetic() => {}
                Some(b'!' | b'?') => break Stop::Unusual,
                _ if is_end => break Stop::Unusual,
                _ => {
                    number += 1;
                    continue;
                }
            }
            if self.skips_text {
                self.at = open;
            } else if self.at < open {
                let text = Span::new(self.at, open);
                self.at = open;
                break Stop::At(Token::Text(text, TextKind::Data));
            }
            let Some((len, key)) = Key::at(bytes, name) else {
                break Stop::Unusual;
            };
            let name = Span::new(name, name + len);
            self.attributes.clear();
            self.may_link = false;
            let mut next = number + 1;
            // Where what has been followed ends.
            let mut end = name.end;
            let self_closing = loop {
                let Some(at) = mark(next) else {
                    break 'tags Stop::InTag(open);
                };
                if at < end {
                    // It is part of the name.
                    break 'tags Stop::Unusual;
                }
                let between = Span::new(end, at);
                next += 1;
                if bytes[at] == b'>' {
                    end = at + 1;
                    match &bytes[between.range()] {
                        b"" => break false,
                        b"/" | b" /" => break true,
                        _ => break 'tags Stop::Unusual,
                    }
                }
                let Some(name) = usual_name(bytes, between).filter(|_| bytes[at] == b'"') else {
                    break 'tags Stop::Unusual;
                };
                let mut quote = mark(next);
                while quote.is_some_and(|at| bytes[at] != b'"') {
                    next += 1;
                    quote = mark(next);
                }
                let Some(quote) = quote else {
                    break 'tags Stop::InTag(open);
                };
                next += 1;
                end = quote + 1;
                self.may_link |= wanted.may_have(bytes[name.start], name.len());
                self.attributes.push(Attribute {
                    name,
                    value: Span::new(at + 1, quote),
                    quoting: Quoting::Double,
                });
            };
            self.at = end;
            number = next;
            let may_pass = is_end || !self.may_link;
            if self.skips_tags && may_pass && !wanted.elements.may_have(key) {
                continue;
            }
            self.tag = Tag {
                start: open,
                name,
                key,
                self_closing,
            };
            break Stop::At(if is_end { Token::End } else { Token::Start });
        };
        self.marks.passed = number;
        stop
    }
}

/// The name in what stands before a value, if that is white space, a name and a `=`.
#[inline]
fn usual_name(bytes: &[u8], before: Span) -> Option<Span> {
    let [blank, rest @ .., b'='] = &bytes[before.range()] else {
        return None;
    };
    let blanks = rest.iter().take_while(|&&byte| is_space(byte)).count();
    let name = Span::new(before.start + 1 + blanks, before.end - 1);
    let is_usual = is_space(*blank) && !name.is_empty() && is_name(bytes, name);
    is_usual.then_some(name)
}

/// Whether nothing in the bytes ends an attribute's name.
#[inline]
fn is_name(bytes: &[u8], name: Span) -> bool {
    if name.len() < Vector::LEN
        && let Some(vector) = Vector::at(bytes, name.start)
    {
        let ends = vector.up_to(b' ').or(vector.equal(b'/'));
        let ends = ends.or(vector.equal(b'>')).or(vector.equal(b'='));
        return ends.first() == Some(name.len());
    }
    let name = &bytes[name.range()];
    !name.iter().any(|&byte| ends_attribute_name(byte))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    /// What the tags of a page are, one to a line.
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
    fn tags_across_chunks_are_read_as_others_are() {
        let part = "t<a href=\"b>\" class=\"<c\">u</a>\"<p\nid=\"d\"/><li title='\"'>'<ul x=\"y\" z>> < <b\"c><i<j>\
                    <section-of-17bytes data-that-is-long=\"1\" k=\"\">";
        let of_part = tags(part, false);
        assert_eq!(
            of_part,
            "<a href=b> class=<c\n</a\n<p id=d/\n<li title=\"\n<ul x=y z=\n<b\"c\n<i<j\n\
             <section-of-17bytes data-that-is-long=1 k=\n"
        );
        let skimmed = tags(part, true);
        assert!(
            skimmed.starts_with("<a href=b> class=<c\n<li title=\"\n"),
            "{skimmed}"
        );
        for blanks in (CHUNK - part.len() - 9)..=CHUNK {
            let page = " ".repeat(blanks) + part + part;
            assert_eq!(tags(&page, false), of_part.repeat(2), "{blanks} blanks");
            assert_eq!(tags(&page, true), skimmed.repeat(2), "{blanks} blanks");
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

    const PIECES: [&str; 46] = [
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
    ];

    proptest! {
        #![proptest_config(crate::tier::cases(4000))]

        /// The short cut leads where the long way does.
        #[test]
        fn the_short_cut_reads_what_the_lexer_reads(
            pieces in prop::collection::vec(select(&PIECES[..]), 0..60),
            blanks in prop_oneof![9 => Just(0), 1 => CHUNK - 300..=CHUNK],
            skips_text in any::<bool>(),
        ) {
            let page = " ".repeat(blanks) + &pieces.concat();
            let read = |detour| {
                let mut lexer = Lexer::new(page.as_bytes());
                (lexer.skips_text, lexer.detour) = (skips_text, detour);
                let mut read = Vec::new();
                while let Some(token) = lexer.next() {
                    let mut tag = lexer.tag;
                    // Of other names only that it is none of those known.
                    if !page[tag.name.range()].bytes().all(|byte| byte.is_ascii_alphanumeric()) {
                        tag.key = Key::LONG;
                    }
                    read.push((token, tag, lexer.attributes.clone(), lexer.may_link, lexer.at));
                }
                read
            };
            prop_assert_eq!(read(0), read(usize::MAX));
        }
    }
}
