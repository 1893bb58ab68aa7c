//! The fast path of the lexer for tags in the usual form.
//!
//! To find the end of a tag, the lexer needs the end of each name and value in it, and each step depends on the
//! previous one. The fast path first finds the bytes `<`, `>` and `"` in several kilobytes at once. Then it follows a
//! tag such as `<name attribute="value">` or `</name>` from one mark to the next, and nothing depends on the checks of
//! its form. Tags in any other form are left to the lexer.

use super::chars::{ends_attribute_name, is_space};
use super::simd::Vector;
use super::token::Token;
use crate::bytes::Span;

/// How many bytes are searched in advance.
const CHUNK: usize = 4096;

/// How many bytes are searched at once.
const BLOCK: usize = 64;

/// How many positions are stored at once, needed or not: more are rare.
const AT_ONCE: usize = 8;

/// After how many tags in an unusual form the fast path is suspended, and for how many tokens.
pub(super) const PATIENCE: usize = 8;
pub(super) const DETOUR: usize = 64;

/// The positions of the bytes `<`, `>` and `"` in a part of a page.
#[derive(Default)]
pub(super) struct Marks {
    /// The range of the part.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Their positions in the part: the first `len` of these. The rest is room for excess ones.
    pub(super) places: Vec<u16>,
    pub(super) len: usize,
    /// The number of positions that are passed.
    pub(super) passed: usize,
}

impl Marks {
    /// Finds the marks of the part that begins at `start`.
    pub(super) fn look_at(&mut self, bytes: &[u8], start: usize) {
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

    /// Finds the marks of a block.
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
        // Several at once: the number of iterations would be unpredictable.
        while at < self.len {
            for place in &mut self.places[at..at + AT_ONCE] {
                // Values after the last one do not matter.
                *place = (start + (marks | 1 << 63).trailing_zeros() as usize) as u16;
                marks &= marks.wrapping_sub(1);
            }
            at += AT_ONCE;
        }
    }
}

/// The result of following the marks.
pub(super) enum Stop {
    /// A token.
    Token(Token),
    /// The marks end, in text.
    MarksEnd,
    /// The marks end in the tag that begins here.
    InTag(usize),
    /// The text that follows does not have the usual form.
    Unusual,
}

/// The name in the bytes before a value, if they are white space, a name and a `=`.
#[inline]
pub(super) fn usual_name(bytes: &[u8], before: Span) -> Option<Span> {
    let [blank, rest @ .., b'='] = &bytes[before.range()] else {
        return None;
    };
    let blanks = rest.iter().take_while(|&&byte| is_space(byte)).count();
    let name = Span::new(before.start + 1 + blanks, before.end - 1);
    let is_usual = is_space(*blank) && !name.is_empty() && is_name(bytes, name);
    is_usual.then_some(name)
}

/// Returns true if none of the bytes ends an attribute name.
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
    use crate::format::html::lexer::Lexer;
    use crate::format::html::names::Key;

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
            with_skipped.starts_with("<a href=b> class=<c\n<li title=\"\n"),
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

        /// The fast path has the same result as the lexer.
        #[test]
        fn fast_path_agrees_with_the_lexer(
            pieces in prop::collection::vec(select(&PIECES[..]), 0..60),
            spaces in prop_oneof![9 => Just(0), 1 => CHUNK - 300..=CHUNK],
            skips_text in any::<bool>(),
        ) {
            let page = " ".repeat(spaces) + &pieces.concat();
            let read = |detour| {
                let mut lexer = Lexer::new(page.as_bytes());
                (lexer.skips_text, lexer.detour) = (skips_text, detour);
                let mut read = Vec::new();
                while let Some(token) = lexer.next() {
                    let mut tag = lexer.tag;
                    // Of other names, only that they are not known ones.
                    if !page[tag.name.range()].bytes().all(|byte| byte.is_ascii_alphanumeric()) {
                        tag.key = Key::LONG;
                    }
                    read.push((token, tag, lexer.attributes.clone(), lexer.may_link, lexer.at()));
                }
                read
            };
            prop_assert_eq!(read(0), read(usize::MAX));
        }
    }
}
