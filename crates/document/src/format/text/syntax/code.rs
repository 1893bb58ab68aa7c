//! Source code: escapes in string literals, and literals that continue in the next line.

use memchr::{memmem, memrchr};

use super::unit::{LOOK_BACK, Unit, blanks, line_end};
use crate::source::Literals;

/// The marks of a language, and its syntax for continued literals.
#[derive(Clone, Debug)]
pub(super) struct Code {
    marks: &'static [u8],
    quotes: &'static [u8],
    joined_by: Option<&'static str>,
    /// The letters that may precede a literal.
    prefixes: &'static [u8],
    /// True if indentation is skipped after a continued line.
    is_indented: bool,
    /// True if lines of unused entries begin with `#~ `.
    is_catalog: bool,
    /// True within `{@link`, a tag of a documentation comment.
    in_link: bool,
}

impl Code {
    pub(super) fn new(literals: Literals) -> Self {
        let plain = Self {
            marks: b"\\\"{|}",
            quotes: b"\"",
            joined_by: None,
            prefixes: b"",
            is_indented: false,
            is_catalog: false,
            in_link: false,
        };
        match literals {
            Literals::C => Self { joined_by: Some(""), prefixes: b"LuU8@", ..plain },
            Literals::Python => Self {
                marks: b"\\\"'",
                quotes: b"\"'",
                joined_by: Some(""),
                prefixes: b"rRbBuUfF",
                ..plain
            },
            Literals::Rust => Self { marks: b"\\", is_indented: true, ..plain },
            Literals::Plus => {
                Self { marks: b"\\\"'{|}/", quotes: b"\"'", joined_by: Some("+"), ..plain }
            }
            Literals::Dot => {
                Self { marks: b"\\\"'{|}", quotes: b"\"'", joined_by: Some("."), ..plain }
            }
            Literals::DotDot => {
                Self { marks: b"\\\"'", quotes: b"\"'", joined_by: Some(".."), ..plain }
            }
            Literals::Json => Self { marks: b"\\", ..plain },
        }
    }

    pub(super) fn gettext() -> Self {
        Self { marks: b"\\\"", is_catalog: true, ..Self::new(Literals::C) }
    }

    pub(super) fn marks(&self) -> &'static [u8] {
        self.marks
    }

    pub(super) fn unit(&mut self, text: &str, at: usize) -> Unit {
        let rest = &text[at..];
        match rest.as_bytes()[0] {
            b'\\' => self.continued_line(rest).unwrap_or_else(|| escape(rest)),
            b'{' if rest.starts_with("{@link") => {
                self.in_link = true;
                Unit::Keep(1)
            }
            b'|' if self.in_link => Unit::Stop(1),
            b'{' | b'|' => Unit::Keep(1),
            b'}' => {
                self.in_link = false;
                Unit::Keep(1)
            }
            b'/' if ends_pattern(&text[..at]) => Unit::Stop(1),
            b'/' => Unit::Keep(1),
            _ => self.next_literal(text, at).map_or(Unit::Keep(1), Unit::Gap),
        }
    }

    /// The `\` that continues a literal in the next line.
    fn continued_line(&self, rest: &str) -> Option<Unit> {
        let end = 1 + line_end(&rest[1..])?;
        let indent = if self.is_indented { blanks(&rest[end..]) } else { 0 };
        Some(Unit::Gap(end + indent))
    }

    /// The distance from the quote at `at`, which closes a literal, past the quote that opens its
    /// continuation in the next line.
    fn next_literal(&self, text: &str, at: usize) -> Option<usize> {
        let joined_by = self.joined_by?;
        let rest = &text[at..];
        let quote = &rest[..1];
        // Three quotes delimit a literal of many lines.
        if text[..at].ends_with(&quote.repeat(2)) {
            return None;
        }
        let mut end = 1;
        end += blanks(&rest[end..]);
        let mut is_joined = joined_by.is_empty();
        if !is_joined && let Some(after) = rest[end..].strip_prefix(joined_by) {
            is_joined = true;
            end = rest.len() - after.len();
            end += blanks(&rest[end..]);
        }
        end += usize::from(rest[end..].starts_with('\\'));
        end += line_end(&rest[end..])?;
        if self.is_catalog && (rest[end..].starts_with("#~ ") || rest[end..].starts_with("#| ")) {
            end += 3;
        }
        end += blanks(&rest[end..]);
        if !is_joined {
            end += rest[end..].strip_prefix(joined_by).map(|_| joined_by.len())?;
            end += blanks(&rest[end..]);
        }
        let bytes = &rest.as_bytes()[end..];
        let prefix = bytes.iter().take(2).take_while(|byte| self.prefixes.contains(byte)).count();
        let opening = bytes.get(prefix)?;
        let is_long = bytes[prefix + 1..].starts_with(&[*opening, *opening]);
        (self.quotes.contains(opening) && !is_long).then_some(end + prefix + 1)
    }
}

/// Returns true if a `/` after `before` ends a regular expression literal: the slashes of a URL in
/// that word are escaped.
fn ends_pattern(before: &str) -> bool {
    let window = &before.as_bytes()[before.len().saturating_sub(LOOK_BACK)..];
    // Most windows have no escape at all.
    if memrchr(b'\\', window).is_none() {
        return false;
    }
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'');
    let word = window.iter().rposition(is_end).map_or(0, |at| at + 1);
    !before.ends_with('\\') && memmem::find(&window[word..], b":\\/\\/").is_some()
}

/// The escape at the start of `rest`, by the rules that C, Java, JavaScript, JSON, Python, Rust and
/// others share.
fn escape(rest: &str) -> Unit {
    match rest.as_bytes().get(1) {
        // In regular expressions, and in literals that are part of them.
        Some(b'/' | b'.' | b'-' | b':' | b'?' | b'=' | b'&' | b'#' | b'%' | b'_' | b'~' | b'@') => {
            Unit::Gap(1)
        }
        Some(quote @ (b'"' | b'\'')) => Unit::Char(2, char::from(*quote)),
        Some(b'u') => {
            let braced = rest[2..].strip_prefix('{');
            let digits =
                braced.map(|it| it.bytes().take(6).take_while(u8::is_ascii_hexdigit).count());
            match digits {
                Some(digits) if rest[3 + digits..].starts_with('}') => {
                    numbered(&rest[3..], digits, 4 + digits)
                }
                Some(_) => Unit::Stop(2),
                None => numbered(&rest[2..], 4, 6),
            }
        }
        Some(b'x') => numbered(&rest[2..], 2, 4),
        Some(b'a'..=b'z' | b'0'..=b'9') => Unit::Stop(2),
        // It ends a URL, except for a Windows path.
        Some(b'\\') => Unit::Char(2, '\\'),
        _ => Unit::Keep(1),
    }
}

/// The escape of `len` bytes for the character whose number is the first `digits` bytes of `text`.
fn numbered(text: &str, digits: usize, len: usize) -> Unit {
    let number = text.get(..digits).filter(|it| it.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let number = number.and_then(|it| u32::from_str_radix(it, 16).ok());
    match number.map(char::from_u32) {
        Some(Some(c)) if !c.is_control() => Unit::Char(len, c),
        Some(_) => Unit::Stop(len),
        None => Unit::Stop(2),
    }
}

/// The escape of a properties file at the start of `rest`.
pub(super) fn property_unit(rest: &str) -> Unit {
    match rest.as_bytes().get(1) {
        Some(b':' | b'=' | b'#' | b'!') => Unit::Gap(1),
        Some(b'\n' | b'\r') => {
            let end = 1 + line_end(&rest[1..]).unwrap_or(1);
            Unit::Gap(end + blanks(&rest[end..]))
        }
        _ => escape(rest),
    }
}

#[cfg(test)]
mod tests {
    use super::super::translation::translated;
    use crate::source::{Literals, TextSyntax};

    fn code(literals: Literals, text: &str) -> String {
        translated(TextSyntax::Code(literals), text)
    }

    #[test]
    fn literals_continue_by_the_rules_of_the_language() {
        let c = |text: &str| code(Literals::C, text);
        assert_eq!(c("\"a/\"\n  \"b\""), "\"a/b\"");
        assert_eq!(c("\"a/\" \\\r\n\tL\"b\""), "\"a/b\"");
        assert_eq!(c("\"a/\",\n\"b\""), "\"a/\",\n\"b\"");
        assert_eq!(c("\"a/\\\nb\""), "\"a/b\"");
        let python = |text: &str| code(Literals::Python, text);
        assert_eq!(python("('a/'\n  f\"b\")"), "('a/b\")");
        assert_eq!(python("\"\"\"\n\"a\""), "\"\"\"\n\"a\"");
        assert_eq!(python("\"a\"\n\"\"\"b"), "\"a\"\n\"\"\"b");
        let plus = |text: &str| code(Literals::Plus, text);
        assert_eq!(plus("'a/' +\n  'b'"), "'a/b'");
        assert_eq!(plus("'a/'\n  + 'b'"), "'a/b'");
        assert_eq!(plus("'a/'\n  'b'"), "'a/'\n  'b'");
        assert_eq!(code(Literals::Rust, "\"a/\\\n   b\""), "\"a/b\"");
        assert_eq!(code(Literals::DotDot, "'a/' ..\n'b'"), "'a/b'");
        let gettext = |text: &str| translated(TextSyntax::Gettext, text);
        assert_eq!(gettext("msgid \"\"\n\"a/\"\n\"b\\n\""), "msgid \"a/b\u{1F}\"");
        assert_eq!(gettext("#~ msgid \"a/\"\n#~ \"b\""), "#~ msgid \"a/b\"");
    }

    #[test]
    fn escapes_spell_characters_or_end_urls() {
        let json = |text: &str| code(Literals::Json, text);
        assert_eq!(json(r"http:\/\/a\/b?c\u0026d\u003de"), "http://a/b?c&d=e");
        assert_eq!(json(r"a\nb\\c\u000Ad"), "a\u{1F}b\\c\u{1F}d");
        assert_eq!(json(r"\ud83d\u00"), "\u{1F}\u{1F}00");
        assert_eq!(code(Literals::Rust, r"\u{26}\x3D"), "&=");
        assert_eq!(code(Literals::Plus, "{@link a|b} c|d"), "{@link a\u{1F}b} c|d");
        let properties = |text: &str| translated(TextSyntax::Properties, text);
        assert_eq!(properties("u=http\\://a/\\\n   b\\=c"), "u=http://a/b=c");
    }
}
