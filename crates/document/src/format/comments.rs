//! Comments of a document by which its author exempts links from checking and rewriting.

use std::ops::Range;

use encoding_rs::UTF_16BE;
use memchr::memmem;

use crate::bytes::Span;
use crate::link::ParsedLink;
use crate::source::{Literals, Source, TextSyntax};

/// The syntax of a comment: its beginning and its end. A comment without an end takes the rest of
/// its line.
pub(crate) type Comment = (&'static str, Option<&'static str>);

/// The comments of SGML and its relatives.
pub(crate) const MARKUP: &[Comment] = &[("<!--", Some("-->"))];

/// The comments of style sheets.
pub(crate) const STYLE: &[Comment] = &[("/*", Some("*/"))];

/// The comments of scripts in pages.
pub(crate) const SCRIPT: &[Comment] = &[("/*", Some("*/")), ("//", None)];

/// The comments of MDX.
pub(crate) const MDX: &[Comment] = &[("{/*", Some("*/}"))];

/// The link definitions of Markdown that nothing uses, as comments.
pub(crate) const DEFINITION: &[Comment] = &[("[//]: # (", Some(")")), ("[//]: # \"", Some("\""))];

/// Those of configuration files.
pub(crate) const LINES: &[Comment] = &[("#", None), (";", None)];

/// Those of shells, and of most files without an extension.
pub(crate) const SHELL: &[Comment] = &[("#", None)];

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

/// The words with which names of prose without an extension begin.
const PROSE: [&str; 22] = [
    "authors", "bugs", "changelog", "changes", "contributing", "contributors", "copying",
    "copyright", "credits", "faq", "hacking", "history", "install", "licence", "license",
    "maintainers", "news", "notice", "patents", "readme", "thanks", "todo",
];

/// The links of a plain text that comments exempt. Prose, JSON and tables have no comments.
pub(crate) fn of_text(source: &Source) -> Exempt {
    if matches!(source.syntax, Some(TextSyntax::Cells { .. } | TextSyntax::Code(Literals::Json))) {
        return Exempt::default();
    }
    let comments = match source.name.extension() {
        _ if source.syntax.is_some() => CODE,
        Some(it) if it == "txt" || it == "text" || it == "log" => return Exempt::default(),
        Some(_) => CODE,
        None if is_prose(source) => return Exempt::default(),
        None => SHELL,
    };
    Exempt::of_whole(source, comments)
}

/// The links of a configuration file that comments exempt.
pub(crate) fn of_lines(source: &Source) -> Exempt {
    Exempt::of_whole(source, LINES)
}

/// Returns true if a name without an extension is one of prose, or of no file.
fn is_prose(source: &Source) -> bool {
    let name = source.name.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let end = name.find(|it: char| !it.is_alphabetic()).unwrap_or(name.len());
    matches!(&*name, "" | "-") || PROSE.contains(&&name[..end])
}

/// The words of the comment, which a space may follow after the colon.
const NAME: &str = "rehref:";
const IGNORE: &str = "ignore";

/// The longest text after these words in a comment with an end, in bytes.
const LONGEST: usize = 1 << 10;

/// A part of a text that has comments.
#[derive(Clone, Debug)]
pub(crate) struct Commented {
    /// The bytes of the text.
    pub(crate) range: Range<usize>,
    /// The syntax of the comments.
    pub(crate) comments: &'static [Comment],
}

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
        if !source.charset.is_utf16() {
            return memmem::find(&source.bytes, NAME.as_bytes()).is_some();
        }
        let is_big_endian = source.charset.encoding() == UTF_16BE;
        let unit = |it: u16| if is_big_endian { it.to_be_bytes() } else { it.to_le_bytes() };
        let name: Vec<u8> = NAME.encode_utf16().flat_map(unit).collect();
        memmem::find(&source.bytes, &name).is_some()
    }

    /// The exempt links of a document. The function returns the lines of the text that comments
    /// exempt, in order; it is called only if there may be one.
    pub(crate) fn of(source: &Source, lines: impl FnOnce(&str) -> Vec<Range<usize>>) -> Self {
        if !Self::may_be_in(source) {
            return Self::default();
        }
        let decoded = source.text();
        let lines = lines(&decoded.text).into_iter();
        let lines = lines.map(|it| decoded.to_source(Span::new(it.start, it.end)).range());
        Self { lines: lines.collect() }
    }

    /// The exempt links of a document that has comments of these kinds everywhere. Linear in the
    /// document.
    pub(crate) fn of_whole(source: &Source, comments: &'static [Comment]) -> Self {
        Self::of(source, |text| {
            exempt_lines(text, &[Commented { range: 0..text.len(), comments }], false)
        })
    }

    /// Returns true if a link is exempt.
    pub(crate) fn has(&self, link: &ParsedLink<'_>) -> bool {
        link.spans.iter().any(|span| {
            let after = self.lines.partition_point(|line| line.end < span.start);
            self.lines.get(after).is_some_and(|line| line.start <= span.start)
        })
    }
}

/// The lines of a text that comments exempt, in order. `parts` are the parts that have comments. In
/// Markdown, a comment may be alone after the marks of block quotes and lists. Linear.
pub(crate) fn exempt_lines(
    text: &str,
    parts: &[Commented],
    is_markdown: bool,
) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut parts = parts.iter().peekable();
    let mut lines: Vec<Range<usize>> = Vec::new();
    // The lines of the last comment, which may have others. So no byte is looked at for each.
    let mut own = 0..0;
    let mut last_end = 0;
    for at in memmem::find_iter(bytes, NAME.as_bytes()) {
        while parts.next_if(|part| part.range.end <= at).is_some() {}
        let Some(part) = parts.peek().filter(|part| part.range.start <= at) else {
            continue;
        };
        if at < last_end {
            continue;
        }
        let Some(comment) = comment_at(bytes, part, at) else {
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
        let start = before.iter().rposition(is_line_break).map_or(own.end, |it| own.end + it + 1);
        own = start..line_end(bytes, comment.end);
        let before = &bytes[start..comment.start];
        let is_alone = (before.iter().all(is_blank) || is_markdown && has_only_markers(before))
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
    lines
}

/// Returns true if the beginning of a line has only blanks and the marks of block quotes and list
/// items (CommonMark, sections 5.1 and 5.2).
fn has_only_markers(mut before: &[u8]) -> bool {
    loop {
        before = before.trim_ascii_start();
        let digits = before.iter().take_while(|it| it.is_ascii_digit()).count();
        before = match before {
            [] => return true,
            [b'>' | b'-' | b'+' | b'*', after @ ..] => after,
            _ if matches!(before.get(digits), Some(b'.' | b')')) && digits > 0 => {
                &before[digits + 1..]
            }
            _ => return false,
        };
    }
}

/// The bytes of the comment to ignore links with its name at this offset.
fn comment_at(bytes: &[u8], part: &Commented, at: usize) -> Option<Range<usize>> {
    let Range { start, end: part_end } = part.range;
    let before = bytes[start..at].trim_ascii_end();
    let mut comments = part.comments.iter();
    let (begin, end) = comments.find(|(begin, _)| before.ends_with(begin.as_bytes()))?;
    let mut rest = &bytes[at + NAME.len()..part_end.max(at + NAME.len())];
    let blanks = rest.iter().take_while(|it| is_blank(it)).count();
    rest = rest[blanks..].strip_prefix(IGNORE.as_bytes())?;
    if rest.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
        return None;
    }
    let rest_at = part_end - rest.len();
    let comment_end = match end {
        Some(end) => {
            let rest = &rest[..rest.len().min(LONGEST)];
            rest_at + memmem::find(rest, end.as_bytes())? + end.len()
        }
        None => line_end(bytes, rest_at).min(part_end),
    };
    Some(start + before.len() - begin.len()..comment_end)
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
    fn exempt(comments: &'static [Comment], text: &str) -> Vec<String> {
        let parts = [Commented { range: 0..text.len(), comments }];
        let lines = exempt_lines(text, &parts, true);
        lines.into_iter().map(|it| text[it].to_owned()).collect()
    }

    #[test]
    fn comments_exempt_their_own_line_or_the_next_one() {
        for (comments, text, expected) in [
            (MARKUP, "a <!-- rehref: ignore --> b\nc", "a <!-- rehref: ignore --> b"),
            (MARKUP, "x\n  <!-- rehref:ignore: old -->\t\r\nc d\r\ne", "c d"),
            (MARKUP, "<!--rehref: ignore\nfor long\n-->\nc\nd", "c"),
            (DEFINITION, "[//]: # (rehref: ignore)\nc\n", "c"),
            (MDX, "{/* rehref: ignore */}\nc\n", "c"),
            (MARKUP, "> * 12) <!-- rehref: ignore -->\n> c\n", "> c"),
            (MARKUP, "1 <!-- rehref: ignore -->\nc\n", "1 <!-- rehref: ignore -->"),
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
