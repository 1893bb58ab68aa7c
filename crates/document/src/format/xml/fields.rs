//! Fields of Word, whose instruction may have a link (ISO 29500-1, section 17.16).

use std::ops::Range;

use smallvec::SmallVec;

use crate::bytes::{Span, Spans};
use crate::format::markup::value::Value;
use crate::link::{Notes, Role};

/// The kinds of fields with links: the name, the number of the argument with the link, the switches
/// that have an argument of their own, and the role.
const KINDS: [(&str, usize, &str, Role); 8] = [
    ("HYPERLINK", 0, "lot", Role::Navigate),
    ("INCLUDEPICTURE", 0, "c", Role::Embed),
    ("INCLUDETEXT", 0, "cntx", Role::Embed),
    ("IMPORT", 0, "c", Role::Embed),
    ("LINK", 1, "", Role::Embed),
    ("DDE", 1, "", Role::Embed),
    ("DDEAUTO", 1, "", Role::Embed),
    ("RD", 0, "", Role::Embed),
];

/// The instruction of a field, which runs of text may divide.
#[derive(Default)]
pub(super) struct Instruction<'s> {
    text: String,
    /// The pieces, with their offsets in the text.
    pieces: Vec<(usize, Value<'s>)>,
}

/// A field in place of a nested one, whose result is unknown.
const NESTED: char = '\u{FFFC}';

/// The link of a field.
pub(super) struct FieldLink {
    /// The name of the kind.
    pub(super) kind: &'static str,
    pub(super) role: Role,
    pub(super) reference: String,
    pub(super) spans: Spans,
    pub(super) notes: Notes,
    pub(super) is_quoted: bool,
    /// The fragment of the target.
    pub(super) fragment: Option<String>,
}

/// An argument or a switch.
struct Argument {
    /// The place in the instruction, without quotes.
    place: Range<usize>,
    text: String,
    is_quoted: bool,
}

impl Argument {
    /// The letter of a switch, in lower case.
    fn switch(&self) -> Option<char> {
        let mut characters = self.text.chars();
        let is_switch = !self.is_quoted && characters.next() == Some('\\');
        let letter = characters.next().filter(|_| is_switch && characters.next().is_none());
        letter.map(|it| it.to_ascii_lowercase())
    }
}

impl<'s> Instruction<'s> {
    /// Adds a piece of text.
    pub(super) fn push(&mut self, value: Value<'s>) {
        let start = self.text.len();
        self.text.push_str(&value.text);
        self.pieces.push((start, value));
    }

    /// Adds a nested field.
    pub(super) fn push_nested(&mut self) {
        self.text.push(NESTED);
    }

    /// The link of the field, unless a nested field makes it.
    pub(super) fn link(&self) -> Option<FieldLink> {
        let arguments = arguments(&self.text);
        let (name, arguments) = arguments.split_first()?;
        let is = |it: &&(&str, usize, &str, Role)| it.0.eq_ignore_ascii_case(&name.text);
        let &(kind, wanted, switches, role) = KINDS.iter().find(is)?;
        let mut is_of_switch = false;
        let mut links = arguments.iter().filter(|argument| {
            let switch = argument.switch();
            let is_own = switch.is_none() && !is_of_switch;
            is_of_switch = switch.is_some_and(|it| switches.contains(it));
            is_own
        });
        let argument = links.nth(wanted)?;
        if argument.text.trim().is_empty() || argument.text.contains(NESTED) {
            return None;
        }
        let fragment = arguments.windows(2).find_map(|pair| {
            let is_place = kind == "HYPERLINK" && pair[0].switch() == Some('l');
            let is_value = pair[1].switch().is_none() && !pair[1].text.is_empty();
            (is_place && is_value).then(|| pair[1].text.clone())
        });
        let fragment = fragment.filter(|it| !it.contains(NESTED));
        let (spans, notes) = self.source_of(Span::new(argument.place.start, argument.place.end));
        let (reference, is_quoted) = (argument.text.clone(), argument.is_quoted);
        Some(FieldLink { kind, role, reference, spans, notes, is_quoted, fragment })
    }

    /// The source of a part of the instruction.
    fn source_of(&self, part: Span) -> (Spans, Notes) {
        let (mut spans, mut notes): (Spans, Notes) = (SmallVec::new(), Notes::NONE);
        for (start, value) in &self.pieces {
            let begin = part.start.max(*start);
            let end = part.end.min(start + value.text.len());
            if begin < end {
                let within = Span::new(begin - start, end - start);
                spans.push(value.to_source(within));
                notes = notes.union(value.notes(within));
            }
        }
        (spans, notes)
    }
}

/// Returns true for a quote around an argument. Word also reads typographic ones.
fn is_quote(character: char) -> bool {
    matches!(character, '"' | '\u{201C}' | '\u{201D}')
}

/// The name, the arguments and the switches of an instruction.
fn arguments(text: &str) -> Vec<Argument> {
    let mut found = Vec::new();
    let mut characters = text.char_indices().peekable();
    while let Some((at, first)) = characters.next() {
        if first.is_whitespace() {
            continue;
        }
        let is_quoted = is_quote(first);
        let start = if is_quoted { at + first.len_utf8() } else { at };
        let mut argument = String::new();
        if !is_quoted {
            argument.push(first);
            // The path of a server, in which backslashes are escaped.
            if text[at..].starts_with(r"\\\\") {
                characters.next();
            }
        }
        let mut end = text.len();
        while let Some(&(at, character)) = characters.peek() {
            let ends = match is_quoted {
                true => is_quote(character),
                false => character.is_whitespace() || character == '"',
            };
            if ends {
                end = at;
                if is_quoted {
                    characters.next();
                }
                break;
            }
            characters.next();
            argument.push(character);
            // Outside of quotes, the first backslash may begin a switch.
            let is_escaped = |it: char| it == '\\' || is_quoted && it == '"';
            let next = characters.peek().map(|it| it.1);
            if let Some(next) = next.filter(|&it| character == '\\' && is_escaped(it)) {
                argument.pop();
                argument.push(next);
                characters.next();
            }
        }
        found.push(Argument { place: start..end, text: argument, is_quoted });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kind, the reference and the source of the link.
    fn link(text: &str) -> Option<(&'static str, String, String)> {
        let mut instruction = Instruction::default();
        instruction.push(Value::of_text(text, 0));
        let link = instruction.link()?;
        let source = link.spans.iter().map(|it| &text[it.range()]);
        Some((link.kind, link.reference, source.collect()))
    }

    #[test]
    fn the_link_is_an_argument_of_the_kind() {
        for (text, kind, reference, source) in [
            (r#" HYPERLINK "http://h/a" "#, "HYPERLINK", "http://h/a", "http://h/a"),
            (
                r#"hyperlink \l "b" \o "tip" "http://h/a" \t "_blank""#,
                "HYPERLINK",
                "http://h/a",
                "http://h/a",
            ),
            (r#"HYPERLINK \n http://h/a"#, "HYPERLINK", "http://h/a", "http://h/a"),
            (
                r#"HYPERLINK "\\\\srv\\share\\a \"b\".x""#,
                "HYPERLINK",
                r#"\\srv\share\a "b".x"#,
                r#"\\\\srv\\share\\a \"b\".x"#,
            ),
            (r#"INCLUDETEXT "a.docx" mark \c XML"#, "INCLUDETEXT", "a.docx", "a.docx"),
            (r#"INCLUDETEXT \c "XML" "a.docx""#, "INCLUDETEXT", "a.docx", "a.docx"),
            (
                r#"LINK Excel.Sheet.12 "C:\\b.xlsx" "Sheet1!R1C1" \a \f 0"#,
                "LINK",
                r"C:\b.xlsx",
                r"C:\\b.xlsx",
            ),
            (r"RD C:\\d\\e.docx \f", "RD", r"C:\d\e.docx", r"C:\\d\\e.docx"),
            (r"HYPERLINK \\\\srv\\share", "HYPERLINK", r"\\srv\share", r"\\\\srv\\share"),
            ("INCLUDEPICTURE \u{201C}a.png\u{201D} \\d", "INCLUDEPICTURE", "a.png", "a.png"),
            (r#"HYPERLINK "http://h/a"#, "HYPERLINK", "http://h/a", "http://h/a"),
        ] {
            let expected = (kind, reference.to_owned(), source.to_owned());
            assert_eq!(link(text), Some(expected), "{text}");
        }
        for text in [
            "",
            "PAGE",
            r#"HYPERLINK \l "b""#,
            r#"HYPERLINK """#,
            r#"LINK Excel.Sheet.12"#,
            "HYPERLINK \"http://h/\u{FFFC}\"",
            "HYPERLINK \u{FFFC} \"http://h/\"",
            r#"DATE \@ "http://h/""#,
        ] {
            assert_eq!(link(text), None, "{text}");
        }
    }

    #[test]
    fn a_switch_has_the_fragment_of_the_target() {
        for (text, fragment) in [
            (r#"HYPERLINK "http://h/a" \l "b c" \o "tip""#, Some("b c")),
            (r#"HYPERLINK \L b "http://h/a""#, Some("b")),
            (r#"HYPERLINK "http://h/a" \o "\l" \l"#, None),
            (r#"HYPERLINK "http://h/a" \l \o "tip""#, None),
            (r#"HYPERLINK "http://h/a" \l """#, None),
            ("HYPERLINK \"http://h/a\" \\l \"\u{FFFC}\"", None),
            (r#"INCLUDETEXT "a.docx" \l b"#, None),
        ] {
            let mut instruction = Instruction::default();
            instruction.push(Value::of_text(text, 0));
            let link = instruction.link().expect("a link");
            assert_eq!(link.fragment.as_deref(), fragment, "{text}");
        }
    }

    #[test]
    fn pieces_have_spans_of_their_own() {
        let mut instruction = Instruction::default();
        for (piece, at) in [(" HYPERLINK \"htt", 10), ("p://", 50), ("h/a\" ", 90)] {
            instruction.push(Value::of_text(piece, at));
        }
        let link = instruction.link().unwrap();
        assert_eq!(link.reference, "http://h/a");
        let spans: Vec<_> = link.spans.iter().map(|it| it.range()).collect();
        assert_eq!(spans, [22..25, 50..54, 90..93]);
    }
}
