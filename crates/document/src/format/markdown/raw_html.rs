//! Raw HTML in Markdown: where a tag, a comment or another piece of it ends (CommonMark, sections
//! 4.6 and 6.6).

use memchr::{memchr, memmem};

use super::line::{is_blank, is_space};

/// The ends that are missing in a text, so that no search is repeated.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unclosed {
    comment: bool,
    instruction: bool,
    declaration: bool,
    cdata: bool,
}

/// The offset after the piece of HTML that begins with the `<` at `at`. `None` if the `<` begins
/// none.
pub(super) fn end_of_inline(text: &[u8], at: usize, unclosed: &mut Unclosed) -> Option<usize> {
    let rest = &text[at + 1..];
    match rest {
        [b'!', b'-', b'-', ..] => {
            // `<!-->` and `<!--->` are comments.
            let short = match &rest[3..] {
                [b'>', ..] => Some(4),
                [b'-', b'>', ..] => Some(5),
                _ => None,
            };
            let len = short.map(|len| at + 1 + len);
            len.or_else(|| find(text, at + 4, b"-->", &mut unclosed.comment))
        }
        [b'?', ..] => find(text, at + 2, b"?>", &mut unclosed.instruction),
        [b'!', b'[', b'C', b'D', b'A', b'T', b'A', b'[', ..] => {
            find(text, at + 9, b"]]>", &mut unclosed.cdata)
        }
        [b'!', letter, ..] if letter.is_ascii_alphabetic() => {
            find(text, at + 2, b">", &mut unclosed.declaration)
        }
        _ => end_of_tag(text, at),
    }
}

fn find(text: &[u8], from: usize, end: &[u8], unclosed: &mut bool) -> Option<usize> {
    if *unclosed {
        return None;
    }
    let found = memmem::find(&text[from.min(text.len())..], end);
    *unclosed = found.is_none();
    found.map(|len| from + len + end.len())
}

/// The offset after the start or end tag that begins with the `<` at `at`.
pub(super) fn end_of_tag(text: &[u8], at: usize) -> Option<usize> {
    let mut at = at + 1;
    let is_end_tag = text.get(at) == Some(&b'/');
    at += usize::from(is_end_tag);
    if !text.get(at)?.is_ascii_alphabetic() {
        return None;
    }
    at = skip(text, at, |byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if is_end_tag {
        at = skip(text, at, is_space);
        return (text.get(at) == Some(&b'>')).then_some(at + 1);
    }
    loop {
        let name = skip(text, at, is_space);
        match text.get(name)? {
            b'>' => return Some(name + 1),
            b'/' => return (text.get(name + 1) == Some(&b'>')).then_some(name + 2),
            // White space is required before an attribute.
            byte if name > at && is_name_start(*byte) => {}
            _ => return None,
        }
        at = skip(text, name, |byte| {
            is_name_start(byte) || byte.is_ascii_digit() || matches!(byte, b'.' | b'-')
        });
        let equals = skip(text, at, is_space);
        if text.get(equals) == Some(&b'=') {
            at = end_of_value(text, skip(text, equals + 1, is_space))?;
        }
    }
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':')
}

/// The offset after the attribute value at `at`, with its quotes.
fn end_of_value(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at)? {
        quote @ (b'"' | b'\'') => Some(at + 2 + memchr(*quote, &text[at + 1..])?),
        _ => {
            let end = skip(text, at, |byte| {
                !is_space(byte) && !matches!(byte, b'"' | b'\'' | b'=' | b'<' | b'>' | b'`')
            });
            (end > at).then_some(end)
        }
    }
}

fn skip(text: &[u8], at: usize, is_skipped: impl Fn(u8) -> bool) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().position(|&byte| !is_skipped(byte)).unwrap_or(rest.len())
}

/// The end condition of an HTML block. The numbers are those of CommonMark, section 4.6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockEnd {
    /// 1: with an end tag of `script`, `pre`, `style` or `textarea`.
    RawText,
    /// 2 to 5: with these bytes.
    Bytes(&'static [u8]),
    /// 6 and 7: before a blank line.
    BlankLine,
}

impl BlockEnd {
    /// Returns true if the block ends with this line.
    pub(super) fn is_in(self, line: &[u8]) -> bool {
        match self {
            Self::RawText => RAW_TEXT.iter().any(|name| has_end_tag(line, name.as_bytes())),
            Self::Bytes(end) => memmem::find(line, end).is_some(),
            Self::BlankLine => false,
        }
    }
}

const RAW_TEXT: [&str; 4] = ["pre", "script", "style", "textarea"];

/// Returns true if the line has an end tag of this name.
fn has_end_tag(line: &[u8], name: &[u8]) -> bool {
    memmem::find_iter(line, b"</").any(|at| {
        let rest = &line[at + 2..];
        rest.len() > name.len()
            && rest[..name.len()].eq_ignore_ascii_case(name)
            && rest[name.len()] == b'>'
    })
}

/// The end of the HTML block that begins with this line, which begins with `<`. A lone tag of
/// another name cannot interrupt a paragraph.
pub(super) fn block_end(line: &[u8], interrupts_paragraph: bool) -> Option<BlockEnd> {
    match &line[1..] {
        [b'!', b'-', b'-', ..] => return Some(BlockEnd::Bytes(b"-->")),
        [b'?', ..] => return Some(BlockEnd::Bytes(b"?>")),
        [b'!', b'[', b'C', b'D', b'A', b'T', b'A', b'[', ..] => {
            return Some(BlockEnd::Bytes(b"]]>"));
        }
        [b'!', letter, ..] if letter.is_ascii_alphabetic() => return Some(BlockEnd::Bytes(b">")),
        _ => {}
    }
    let is_end_tag = line.get(1) == Some(&b'/');
    let name = &line[1 + usize::from(is_end_tag)..];
    let len = skip(name, 0, |byte| byte.is_ascii_alphanumeric());
    let (name, after) = name.split_at(len);
    let is_name = |it: &str| it.as_bytes().eq_ignore_ascii_case(name);
    let ends = |byte: &u8| is_blank(*byte) || *byte == b'>';
    if !is_end_tag && RAW_TEXT.iter().any(|it| is_name(it)) && after.first().is_none_or(ends) {
        return Some(BlockEnd::RawText);
    }
    if BLOCK_NAMES.iter().any(|it| is_name(it))
        && (after.first().is_none_or(ends) || after.starts_with(b"/>"))
    {
        return Some(BlockEnd::BlankLine);
    }
    if interrupts_paragraph || !is_end_tag && RAW_TEXT.iter().any(|it| is_name(it)) {
        return None;
    }
    let end = end_of_tag(line, 0)?;
    let is_alone = line[end..].iter().copied().all(is_blank);
    is_alone.then_some(BlockEnd::BlankLine)
}

/// The names of start condition 6.
const BLOCK_NAMES: [&str; 62] = [
    "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center",
    "col", "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5",
    "h6", "head", "header", "hr", "html", "iframe", "legend", "li", "link", "main", "menu",
    "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p", "param", "search", "section",
    "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "track", "ul",
];
