use std::borrow::Cow;
use std::path::Path;

use memchr::memchr2;

use super::Report;
use crate::rewrite::quoted_name;

/// How a link is printed on a line.
#[derive(Clone, Copy, Debug, Default)]
pub struct LineFormat {
    /// The reference as written instead of where it leads.
    pub raw: bool,
    /// The document's name first.
    pub name: bool,
    /// Then the line.
    pub line: bool,
    /// And the column after it.
    pub column: bool,
    /// Then the offset of the first byte, from 0.
    pub offset: bool,
    /// Lines end with NUL instead of LF.
    pub null: bool,
}

impl LineFormat {
    /// Appends a line of one link with this value: [`value`](Self::value), or one of the link's
    /// alternatives. Where its context is told, a tab and the link's text come after it.
    pub fn write_value(&self, report: &Report<'_>, value: &str, out: &mut Vec<u8>) {
        if self.name {
            out.extend_from_slice(&name_in_line(report.name(), self.null));
            out.push(b':');
        }
        let mut number = |wanted: bool, number: usize| {
            if wanted {
                out.extend_from_slice(number.to_string().as_bytes());
                out.push(b':');
            }
        };
        number(self.line, report.position.line);
        number(self.column, report.position.column);
        number(self.offset, report.link.extent().start);
        match self.null {
            true => out.extend_from_slice(value.as_bytes()),
            false => out.extend_from_slice(on_one_line(value).as_bytes()),
        }
        if let Some(context) = &report.context {
            let text = context.as_ref().and_then(|it| it.text);
            out.push(b'\t');
            out.extend_from_slice(text.unwrap_or_default().as_bytes());
        }
        self.end(out);
    }

    /// What is printed of the link, after the prefixes.
    pub fn value<'r>(&self, report: &'r Report<'_>) -> &'r str {
        if self.raw {
            &report.link.reference
        } else {
            report.value()
        }
    }

    /// Appends what ends a line.
    pub fn end(&self, out: &mut Vec<u8>) {
        out.push(if self.null { 0 } else { b'\n' });
    }
}

/// The name of a file as a line shows it, so that one record is one line: a name with a line break in it is quoted as
/// git quotes names in diffs, and so is one that begins with `"`, as it would look quoted. All others, and those of
/// records that end with NUL, are as they are.
pub fn name_in_line(name: &Path, null: bool) -> Cow<'_, [u8]> {
    let bytes = name.as_os_str().as_encoded_bytes();
    let is_plain = || memchr2(b'\n', b'\r', bytes).is_none() && !bytes.starts_with(b"\"");
    match null || is_plain() {
        true => Cow::Borrowed(bytes),
        false => quoted_name(bytes),
    }
}

/// A URL on one line: a line break in it, which no URL has, is percent-encoded.
fn on_one_line(value: &str) -> Cow<'_, str> {
    match memchr2(b'\n', b'\r', value.as_bytes()) {
        None => Cow::Borrowed(value),
        Some(_) => Cow::Owned(value.replace('\n', "%0A").replace('\r', "%0D")),
    }
}

/// The same as [`sanitized`] for CSV: line breaks in quoted cells become escapes too, so that one row is one line. `text`
/// is whole rows.
pub fn sanitized_csv(text: &str) -> Cow<'_, str> {
    let mut is_quoted = false;
    let breaks_line = |character: char| {
        is_quoted ^= character == '"';
        is_quoted && matches!(character, '\n' | '\r')
    };
    if !text.contains(breaks_line) {
        return sanitized(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut is_quoted = false;
    for character in text.chars() {
        is_quoted ^= character == '"';
        match character {
            '\n' | '\r' if is_quoted => out.extend(character.escape_unicode()),
            _ => out.push(character),
        }
    }
    Cow::Owned(sanitized(&out).into_owned())
}

/// The text with every character as an escape that would move the cursor, be invisible, or make
/// text read in another order than it stands. Line feeds, tabs and NULs, which end records, stay.
pub fn sanitized(text: &str) -> Cow<'_, str> {
    escaped(text, |character, out| {
        out.extend(character.escape_unicode())
    })
}

/// The same for JSON, which stays JSON.
pub fn sanitized_json(text: &str) -> Cow<'_, str> {
    escaped(text, |character, out| {
        for unit in character.encode_utf16(&mut [0; 2]) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    })
}

fn escaped(text: &str, escape: impl Fn(char, &mut String)) -> Cow<'_, str> {
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        // The line ends of DOS move nothing.
        let ends_line = character == '\r' && characters.peek() == Some(&'\n');
        if is_harmful(character) && !ends_line {
            escape(character, &mut out);
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

fn is_harmful(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t' | '\0')
        || matches!(
            character,
            '\u{AD}'
                | '\u{61C}'
                | '\u{180E}'
                | '\u{200B}'..='\u{200F}'
                | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{FEFF}'
                | '\u{FFF9}'..='\u{FFFB}'
                | '\u{E0000}'..='\u{E007F}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_line_break_is_quoted_in_lines() {
        let shown =
            |name: &str, null| String::from_utf8(name_in_line(Path::new(name), null).into_owned());
        assert_eq!(shown("a b\"c.html", false).unwrap(), "a b\"c.html");
        assert_eq!(shown("a\nb\t.html", false).unwrap(), "\"a\\nb\\t.html\"");
        assert_eq!(shown("a\rb", false).unwrap(), "\"a\\015b\"");
        assert_eq!(shown("\"a\"", false).unwrap(), r#""\"a\"""#);
        assert_eq!(shown("a\nb", true).unwrap(), "a\nb");
    }

    #[test]
    fn rows_of_csv_are_one_line_each_on_a_terminal() {
        assert_eq!(
            sanitized_csv("a,b\n\"c\"\"\n\",d\n"),
            "a,b\n\"c\"\"\\u{a}\",d\n"
        );
        assert_eq!(sanitized_csv("a\x1B,\"b\"\n"), "a\\u{1b},\"b\"\n");
    }

    #[test]
    fn harmful_characters_are_escaped() {
        assert_eq!(sanitized("http://é.example/中"), "http://é.example/中");
        assert_eq!(sanitized("a\rb\r\n"), "a\\u{d}b\r\n");
        assert_eq!(sanitized_json("\u{202E}\u{E0001}"), "\\u202e\\udb40\\udc01");
        assert_eq!(
            sanitized("a\x1B[2Jb\u{202E}c\u{200B}"),
            "a\\u{1b}[2Jb\\u{202e}c\\u{200b}"
        );
    }
}
