//! Escapes for terminals, shells, workflow commands and XML.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

/// Replaces each character that would move the cursor, be invisible or reorder text with an escape.
/// Line feeds, tabs and NULs, which end records, are kept.
pub(crate) fn sanitized(text: &str) -> Cow<'_, str> {
    sanitized_by(text, |character| character.escape_unicode().to_string())
}

/// Replaces characters as [`sanitized`] does, in JSON, which stays valid.
pub(crate) fn sanitized_json(text: &str) -> Cow<'_, str> {
    sanitized_by(text, |character| {
        let mut units = [0; 2];
        let units = character.encode_utf16(&mut units).iter();
        units.map(|unit| format!("\\u{unit:04x}")).collect()
    })
}

/// Replaces characters as [`sanitized`] does, in whole rows of CSV. Line breaks in quoted cells
/// become escapes too, so that one row is one line.
pub(crate) fn sanitized_csv(text: &str) -> Cow<'_, str> {
    // Every other part is quoted. A quote within a cell is doubled, so an empty part is between.
    let parts = text.split('"').enumerate().map(|(at, part)| match at % 2 {
        0 => part.to_owned(),
        _ => part.replace('\n', "\\u{a}").replace('\r', "\\u{d}"),
    });
    let text = parts.collect::<Vec<_>>().join("\"");
    sanitized(&text).into_owned().into()
}

fn sanitized_by(text: &str, escape: impl Fn(char) -> String) -> Cow<'_, str> {
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    // A CRLF line end is harmless.
    let lines = text.split("\r\n");
    let lines = lines.map(|line| escaped(line, is_harmful, &escape));
    lines.collect::<Vec<_>>().join("\r\n").into()
}

/// Returns true for a character that would move the cursor, be invisible or reorder text.
pub(crate) fn is_harmful(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t' | '\0')
        || matches!(
            character,
            '\u{AD}'
                | '\u{34F}'
                | '\u{61C}'
                | '\u{115F}'..='\u{1160}'
                | '\u{17B4}'..='\u{17B5}'
                | '\u{180E}'
                | '\u{200B}'..='\u{200F}'
                | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{3164}'
                | '\u{FEFF}'
                | '\u{FFA0}'
                | '\u{FFF0}'..='\u{FFFB}'
                | '\u{1BCA0}'..='\u{1BCA3}'
                | '\u{1D173}'..='\u{1D17A}'
                | '\u{E0000}'..='\u{E0FFF}'
        )
}

/// Quotes a path for a shell, if that is necessary. It is not read as an option.
pub(crate) fn shell_path(path: &Path) -> String {
    match path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        true => shell_word(Path::new(".").join(path).as_os_str()),
        false => shell_word(path.as_os_str()),
    }
}

/// Quotes a word for a shell, if that is necessary. Bytes that a terminal would not show are
/// escapes in `$'...'` (POSIX.1-2024).
pub(crate) fn shell_word(word: &OsStr) -> String {
    let is_plain = |it: char| it.is_alphanumeric() || "/._-+:@,".contains(it);
    match word.to_str() {
        Some(word) if !word.is_empty() && word.chars().all(is_plain) => word.to_owned(),
        Some(word) if !word.contains(is_harmful) && !word.contains(['\n', '\t', '\r']) => {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
        _ => {
            let bytes = word.as_encoded_bytes().iter();
            let escapes = bytes.map(|&byte| match byte {
                b'\'' | b'\\' => format!("\\{}", char::from(byte)),
                b' '..=b'~' => char::from(byte).to_string(),
                // Three digits, since a digit of the name may follow.
                _ => format!("\\{byte:03o}"),
            });
            format!("$'{}'", escapes.collect::<String>())
        }
    }
}

/// Escapes a text for a workflow command of GitHub Actions: characters that would end the command
/// or the property are percent-encoded. The log shows the text as a terminal does, so those that
/// [`sanitized`] replaces are escapes.
pub(crate) fn in_command(text: &str, is_property: bool) -> Cow<'_, str> {
    let is_syntax = |character: char| {
        matches!(character, '%' | '\r' | '\n') || is_property && matches!(character, ':' | ',')
    };
    let special = |it: char| is_syntax(it) || is_harmful(it) || it == '\0';
    escaped(text, special, |it| match is_syntax(it) {
        true => format!("%{:02X}", u32::from(it)),
        false => it.escape_unicode().to_string(),
    })
}

/// Escapes a text for an attribute of XML. Characters that XML forbids are replaced.
pub(crate) fn in_xml(text: &str) -> Cow<'_, str> {
    let is_forbidden = |it: char| {
        it < ' ' && !matches!(it, '\t' | '\n' | '\r') || matches!(it, '\u{FFFE}' | '\u{FFFF}')
    };
    let special = |it: char| it < ' ' || is_forbidden(it) || matches!(it, '&' | '<' | '>' | '"');
    escaped(text, special, |it| match is_forbidden(it) {
        true => '\u{FFFD}'.to_string(),
        false => format!("&#{};", u32::from(it)),
    })
}

fn escaped(
    text: &str,
    special: impl Fn(char) -> bool,
    escape: impl Fn(char) -> String,
) -> Cow<'_, str> {
    if !text.contains(&special) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match special(character) {
            true => out += &escape(character),
            false => out.push(character),
        }
    }
    Cow::Owned(out)
}
