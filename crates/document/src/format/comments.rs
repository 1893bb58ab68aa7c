//! Comments of a document by which its author exempts links from checking and rewriting.

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::UTF_16BE;
use memchr::memmem;

use crate::link::ParsedLink;
use crate::source::Source;

/// The syntax of a comment: its beginning and its end. A comment without an end takes the rest of
/// its line.
pub(crate) type Comment = (&'static str, Option<&'static str>);

/// The comments of SGML and its relatives.
pub(crate) const MARKUP: &[Comment] = &[("<!--", Some("-->"))];

/// The comments of style sheets.
pub(crate) const STYLE: &[Comment] = &[("/*", Some("*/"))];

/// Those of Markdown: of HTML, of MDX, and link definitions that nothing uses.
pub(crate) const MARKDOWN: &[Comment] = &[
    ("<!--", Some("-->")),
    ("{/*", Some("*/}")),
    ("[//]: # (", Some(")")),
    ("[//]: # \"", Some("\"")),
];

/// Those of configuration files.
pub(crate) const LINES: &[Comment] = &[("#", None), (";", None)];

/// Those of source code, scripts, configuration, TeX, Texinfo, roff, reStructuredText and AsciiDoc.
const CODE: &[Comment] = &[
    ("/*", Some("*/")),
    ("<!--", Some("-->")),
    ("#", None),
    ("//", None),
    (";", None),
    ("%", None),
    ("--", None),
    ("!", None),
    ("..", None),
    (".\\\"", None),
    ("@c", None),
];

/// The comments of a plain text. Prose has none.
pub(crate) fn of_text(source: &Source) -> &'static [Comment] {
    let extension = source.name.extension();
    let is_prose = extension.is_none_or(|it| it == "txt" || it == "text" || it == "log");
    if source.syntax.is_none() && is_prose { &[] } else { CODE }
}

/// The words of the comment, which a space may follow after the colon.
const NAME: &str = "rehref:";
const IGNORE: &str = "ignore";

/// The longest text after these words in a comment with an end, in bytes.
const LONGEST: usize = 1 << 10;

/// The links of a document that comments exempt from checking and rewriting.
///
/// A comment `rehref: ignore` exempts the links of its own line, or those of the next line if it is
/// alone on its line. Anything may follow after a space, such as a reason.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exempt {
    /// The lines with exempt links, as ranges of bytes, in order.
    lines: Vec<Range<usize>>,
}

impl Exempt {
    /// Returns true if a document may have exempt links. Linear in the document, and far faster
    /// than reading it.
    pub(crate) fn may_be_in(source: &Source) -> bool {
        memmem::find(&ascii_of(source), NAME.as_bytes()).is_some()
    }

    /// The exempt links of a document with these comments. Linear in the document.
    pub(crate) fn of(source: &Source, comments: &[Comment]) -> Self {
        let mut exempt = Self::new(&ascii_of(source), comments);
        if source.charset.is_utf16() {
            for line in &mut exempt.lines {
                *line = line.start * 2..line.end * 2;
            }
        }
        exempt
    }

    fn new(bytes: &[u8], comments: &[Comment]) -> Self {
        let mut lines: Vec<Range<usize>> = Vec::new();
        // The lines of the last comment, which may have others. So no byte is looked at for each.
        let mut own = 0..0;
        let mut last_end = 0;
        for at in memmem::find_iter(bytes, NAME.as_bytes()) {
            if at < last_end {
                continue;
            }
            let Some(comment) = comment_at(bytes, comments, at) else {
                continue;
            };
            last_end = comment.end;
            if comment.start < own.end
                && let Some(last) = lines.last_mut()
            {
                own.end = line_end(bytes, comment.end.max(own.end));
                last.end = own.end;
                continue;
            }
            let before = &bytes[own.end..comment.start];
            let start =
                before.iter().rposition(is_line_break).map_or(own.end, |it| own.end + it + 1);
            own = start..line_end(bytes, comment.end);
            let is_alone = bytes[start..comment.start].iter().all(is_blank)
                && bytes[comment.end..own.end].iter().all(is_blank);
            lines.push(match (is_alone, &bytes[own.end..]) {
                (false, _) => own.clone(),
                (true, []) => continue,
                (true, rest) => {
                    let next = own.end + if rest.starts_with(b"\r\n") { 2 } else { 1 };
                    next..line_end(bytes, next)
                }
            });
        }
        Self { lines }
    }

    /// Returns true if a link is exempt.
    pub(crate) fn has(&self, link: &ParsedLink<'_>) -> bool {
        link.spans.iter().any(|span| {
            let after = self.lines.partition_point(|line| line.end < span.start);
            self.lines.get(after).is_some_and(|line| line.start <= span.start)
        })
    }
}

/// The bytes of a document in which ASCII is read. UTF-16 has one byte for each code unit.
fn ascii_of(source: &Source) -> Cow<'_, [u8]> {
    if !source.charset.is_utf16() {
        return Cow::Borrowed(&source.bytes);
    }
    let is_big_endian = source.charset.encoding() == UTF_16BE;
    let unit = |pair: &[u8; 2]| {
        let unit =
            if is_big_endian { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) };
        u8::try_from(unit).unwrap_or(u8::MAX)
    };
    let (pairs, _) = source.bytes.as_chunks();
    Cow::Owned(pairs.iter().map(unit).collect())
}

/// The bytes of the comment to ignore links with its name at this offset.
fn comment_at(bytes: &[u8], comments: &[Comment], at: usize) -> Option<Range<usize>> {
    let before = bytes[..at].trim_ascii_end();
    let (begin, end) = comments.iter().find(|(begin, _)| before.ends_with(begin.as_bytes()))?;
    let mut rest = &bytes[at + NAME.len()..];
    let blanks = rest.iter().take_while(|it| is_blank(it)).count();
    rest = rest[blanks..].strip_prefix(IGNORE.as_bytes())?;
    if rest.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
        return None;
    }
    let rest_at = bytes.len() - rest.len();
    let comment_end = match end {
        Some(end) => {
            let rest = &rest[..rest.len().min(LONGEST)];
            rest_at + memmem::find(rest, end.as_bytes())? + end.len()
        }
        None => line_end(bytes, rest_at),
    };
    Some(before.len() - begin.len()..comment_end)
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn is_line_break(byte: &u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take_while(|it| !is_line_break(it)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that comments exempt, by their text.
    fn exempt(comments: &[Comment], text: &str) -> Vec<String> {
        let lines = Exempt::new(text.as_bytes(), comments).lines;
        lines.into_iter().map(|it| text[it].to_owned()).collect()
    }

    #[test]
    fn comments_exempt_their_own_line_or_the_next_one() {
        for (comments, text, expected) in [
            (MARKUP, "a <!-- rehref: ignore --> b\nc", "a <!-- rehref: ignore --> b"),
            (MARKUP, "x\n  <!-- rehref:ignore: old -->\t\r\nc d\r\ne", "c d"),
            (MARKUP, "<!--rehref: ignore\nfor long\n-->\nc\nd", "c"),
            (MARKDOWN, "[//]: # (rehref: ignore)\nc\n", "c"),
            (MARKDOWN, "{/* rehref: ignore */}\nc\n", "c"),
            (STYLE, "/* rehref: ignore */\rc\r", "c"),
            (CODE, "x = 1  # rehref: ignore", "x = 1  # rehref: ignore"),
            (CODE, "x # rehref: ignore # rehref: ignore\ny", "x # rehref: ignore # rehref: ignore"),
            (
                MARKUP,
                "<!-- rehref: ignore --> x <!-- rehref: ignore\n--> y\nz",
                "<!-- rehref: ignore --> x <!-- rehref: ignore\n--> y",
            ),
            (CODE, ".. rehref: ignore\nc", "c"),
            (CODE, ".\\\" rehref: ignore\nc", "c"),
        ] {
            assert_eq!(exempt(comments, text), [expected], "{text:?}");
        }
    }

    #[test]
    fn other_comments_and_other_text_exempt_nothing() {
        for (comments, text) in [
            (MARKUP, "rehref: ignore\nc"),
            (MARKUP, "<!-- rehref: ignored -->\nc"),
            (MARKUP, "<!-- rehref: ignore_not -->\nc"),
            (MARKUP, "<!-- rehref: -->\nc"),
            (MARKUP, "<!-- not rehref: ignore -->\nc"),
            (MARKUP, "<!-- rehref: ignore\nc"),
            (MARKUP, "<!-- rehref: ignore -->"),
            (MARKUP, "/* rehref: ignore */\nc"),
            (STYLE, "<!-- rehref: ignore -->\nc"),
            (&[], "# rehref: ignore\nc"),
        ] {
            assert_eq!(exempt(comments, text), [""; 0], "{text:?}");
        }
    }
}
