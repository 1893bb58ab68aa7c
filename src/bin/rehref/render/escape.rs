//! Escapes that make text harmless on a terminal.

use std::borrow::Cow;

/// Like [`sanitized`], for whole rows of CSV. Line breaks in quoted cells become escapes too, so that one row is one line.
pub(crate) fn sanitized_csv(text: &str) -> Cow<'_, str> {
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

/// Replaces each character that would move the cursor, be invisible or reorder text with an escape. Line feeds, tabs and
/// NULs, which end records, stay.
pub(crate) fn sanitized(text: &str) -> Cow<'_, str> {
    escaped(text, |character, out| {
        out.extend(character.escape_unicode())
    })
}

/// Like [`sanitized`], for JSON, which stays valid.
pub(crate) fn sanitized_json(text: &str) -> Cow<'_, str> {
    escaped(text, |character, out| {
        for unit in character.encode_utf16(&mut [0; 2]) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    })
}

/// Quotes a word for a shell, if that is necessary.
pub(crate) fn shell_word(word: &str) -> Cow<'_, str> {
    let is_plain = |it: char| it.is_alphanumeric() || "/._-+:@,".contains(it);
    match !word.is_empty() && word.chars().all(is_plain) && !word.starts_with('-') {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', r"'\''")).into(),
    }
}

fn escaped(text: &str, escape: impl Fn(char, &mut String)) -> Cow<'_, str> {
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        // A CRLF line end is harmless.
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
    fn csv_row_is_one_line_on_terminal() {
        assert_eq!(
            sanitized_csv("a,b\n\"c\"\"\n\",d\n"),
            "a,b\n\"c\"\"\\u{a}\",d\n"
        );
        assert_eq!(sanitized_csv("a\x1B,\"b\"\n"), "a\\u{1b},\"b\"\n");
    }

    #[test]
    fn words_with_special_characters_are_quoted_for_shells() {
        assert_eq!(shell_word("a/é.b"), "a/é.b");
        assert_eq!(shell_word("a b's"), r"'a b'\''s'");
        assert_eq!(shell_word(""), "''");
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
