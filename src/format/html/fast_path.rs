//! The fast path of the lexer for tags in the usual form.
//!
//! To find the end of a tag, the lexer needs the end of each name and value in it, and each step depends on the
//! previous one. The fast path first finds the bytes `<`, `>` and `"` in several kilobytes at once. Then it follows a
//! tag such as `<name attribute="value">` or `</name>` from one mark to the next, and nothing depends on the checks of
//! its form. Tags in any other form are left to the lexer.

use super::chars::{ends_attribute_name, is_space};
use super::names::Wanted;
use super::simd::Vector;
use super::token::{Attribute, Token};
use crate::bytes::Span;
use crate::link::Quoting;

/// How many bytes are searched in advance.
const CHUNK: usize = 4096;

/// How many bytes are searched at once.
const BLOCK: usize = 64;

/// How many positions are stored at once, needed or not: more are rare.
const AT_ONCE: usize = 8;

/// The positions of the bytes `<`, `>` and `"` in a part of a page.
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
    /// No marks, with memory for the positions.
    pub(super) fn with_memory(mut places: Vec<u16>) -> Self {
        places.resize(CHUNK + AT_ONCE, 0);
        Self {
            start: 0,
            end: 0,
            places,
            len: 0,
            passed: 0,
        }
    }

    /// Finds the marks of the part that begins at `start`.
    pub(super) fn look_at(&mut self, bytes: &[u8], start: usize) {
        let rest = &bytes[start..];
        let chunk = &rest[..rest.len().min(CHUNK)];
        (self.start, self.end) = (start, start + chunk.len());
        (self.len, self.passed) = (0, 0);
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
    /// The marks end in the tag or comment that begins here.
    InMarkup(usize),
    /// The text that follows does not have the usual form.
    Unusual,
}

/// The result of following the marks of a tag, after its name.
pub(super) enum Attributes {
    /// All attributes have the usual form.
    Usual {
        /// The end of the tag.
        end: usize,
        /// The number of the first mark after it.
        next: usize,
        /// Whether one of the attributes may be wanted.
        may_link: bool,
        self_closing: bool,
    },
    /// The marks end in the tag.
    MarksEnd,
    /// Some part of the tag does not have the usual form.
    Unusual,
}

/// Follows the marks of a tag from the end of its name. `mark` returns the place of a mark, and `next` is the number of
/// the first.
#[inline]
pub(super) fn follow_attributes(
    bytes: &[u8],
    mark: impl Fn(usize) -> Option<usize>,
    mut end: usize,
    mut next: usize,
    wanted: &Wanted,
) -> Attributes {
    let mut may_link = false;
    loop {
        let Some(at) = mark(next) else {
            return Attributes::MarksEnd;
        };
        if at < end {
            // It is part of the name.
            return Attributes::Unusual;
        }
        next += 1;
        if bytes[at] == b'>' {
            let self_closing = match &bytes[end..at] {
                b"" => false,
                b"/" | b" /" => true,
                _ => return Attributes::Unusual,
            };
            return Attributes::Usual {
                end: at + 1,
                next,
                may_link,
                self_closing,
            };
        }
        let Some(name) = usual_name(bytes, Span::new(end, at)) else {
            return Attributes::Unusual;
        };
        let Some((quote, after)) = closing_quote(bytes, &mark, next) else {
            return Attributes::MarksEnd;
        };
        may_link |= wanted.may_have(bytes[name.start], name.len());
        (end, next) = (quote + 1, after);
    }
}

/// Lists the attributes of a tag that [`follow_attributes`] found to have the usual form. The arguments are the same.
#[inline]
pub(super) fn list_attributes(
    bytes: &[u8],
    mark: impl Fn(usize) -> Option<usize>,
    mut end: usize,
    mut next: usize,
    attributes: &mut Vec<Attribute>,
) {
    while let Some(at) = mark(next)
        && let Some(name) = usual_name(bytes, Span::new(end, at))
        && let Some((quote, after)) = closing_quote(bytes, &mark, next + 1)
    {
        attributes.push(Attribute {
            name,
            value: Span::new(at + 1, quote),
            quoting: Quoting::Double,
        });
        (end, next) = (quote + 1, after);
    }
}

/// The place of the first quote from the mark `next` on, and the number of the mark after it.
#[inline]
fn closing_quote(
    bytes: &[u8],
    mark: impl Fn(usize) -> Option<usize>,
    mut next: usize,
) -> Option<(usize, usize)> {
    loop {
        let at = mark(next)?;
        next += 1;
        if bytes[at] == b'"' {
            return Some((at, next));
        }
    }
}

/// The name in the bytes before a mark, if they are white space, a name and a `=`, and the mark is a `"`.
#[inline]
fn usual_name(bytes: &[u8], before: Span) -> Option<Span> {
    if bytes[before.end] != b'"' {
        return None;
    }
    // Most names are short, and one space is before them.
    if (3..=Vector::LEN).contains(&before.len())
        && let Some(vector) = Vector::at(bytes, before.start)
    {
        let ends = vector.up_to(b' ').or(vector.equal(b'/'));
        let ends = ends.or(vector.equal(b'>')).or(vector.equal(b'='));
        let last = before.len() - 1;
        // Only the first byte and the last one end a name.
        if ends.bits() & ((2 << last) - 1) == 1 | 1 << last
            && is_space(bytes[before.start])
            && bytes[before.end - 1] == b'='
        {
            return Some(Span::new(before.start + 1, before.end - 1));
        }
    }
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

    const PIECES: [&str; 48] = [
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
