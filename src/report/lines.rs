use std::borrow::Cow;

use super::Report;

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
            out.extend_from_slice(report.name().as_os_str().as_encoded_bytes());
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
        out.extend_from_slice(value.as_bytes());
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
