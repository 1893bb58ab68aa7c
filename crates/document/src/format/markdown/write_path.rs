//! Writing the paths of constructs, which are not encoded: each program reads some characters
//! differently.

use crate::bytes::Span;
use crate::format::options::Dialect;
use crate::format::written::{CannotWrite, Written};
use crate::link::{Directive, ParsedLink};
use crate::source::Source;

/// Writes the path of a construct into the bytes `span`. The quotes of a YAML value change if they
/// cannot hold it.
///
/// # Errors
/// If the program would not read exactly this path.
pub(super) fn write_path<'r>(
    source: &Source,
    link: &ParsedLink<'_>,
    span: Span,
    directive: Directive,
    dialect: Dialect,
    path: &str,
) -> Result<Written<'r>, CannotWrite> {
    // Percent-encoding would be part of the name.
    let is_in_charset = source.charset.percent_encode_missing(path, &link.reference) == path;
    let quote = quote_before(source, span);
    if !is_in_charset || !is_printable(path) || !fits(directive, dialect, quote, path) {
        return Err(CannotWrite::Unwritable);
    }
    let is_of_script = matches!(dialect, Dialect::Mdx | Dialect::Starlight | Dialect::VitePress);
    let (span, new) = match directive {
        Directive::Nav | Directive::Setting if is_of_script => {
            if path.contains(['\'', '"', '`', '\\', '$']) {
                return Err(CannotWrite::Unwritable);
            }
            (span, path.to_owned())
        }
        Directive::Nav | Directive::Setting => {
            setting_value(source, span, quote, path).ok_or(CannotWrite::Unwritable)?
        }
        Directive::Import | Directive::Require => match quote {
            Some(quote) => (span, path.replace(quote, &format!("\\{quote}"))),
            // The names of loaders precede it.
            None if path.contains(['\'', '"', '`']) => return Err(CannotWrite::Unwritable),
            None => (span, path.to_owned()),
        },
        _ => (span, path.to_owned()),
    };
    Ok(Written::escaped(span, source.charset.encode(&new), path))
}

/// Returns true if a path has no control characters, line breaks of Unicode and blanks that
/// programs remove.
pub(super) fn is_printable(path: &str) -> bool {
    let is_other = |it: char| {
        it.is_control() || it.is_whitespace() && it != ' ' || matches!(it, '\u{FEFF}' | '\u{FFFE}')
    };
    !path.contains(is_other) && path.trim_matches(' ') == path
}

/// Returns true if a program reads the path in its construct unchanged, within these quotes.
fn fits(directive: Directive, dialect: Dialect, quote: Option<char>, path: &str) -> bool {
    let lacks = |characters: &[char]| !path.contains(characters);
    let is_all = |also: &str| {
        let is_allowed = |it: char| it.is_ascii_alphanumeric() || also.contains(it);
        path.chars().all(is_allowed)
    };
    match directive {
        Directive::Include | Directive::Doc | Directive::Toctree if dialect == Dialect::Myst => {
            // Docutils removes backslashes, joins blanks, and reads `text <target>`.
            lacks(&['`', '<', '>', '\\', '*', '?', '[', '{', '}'])
                && !path.starts_with(['!', '#', ':'])
                && !path.contains("  ")
        }
        Directive::ContentRef => lacks(&['"', '#', '%', '{', '}']),
        Directive::Include if matches!(dialect, Dialect::GitBook | Dialect::HonKit) => {
            lacks(&['"', '%', '{', '}'])
        }
        // A region, lines, a cell or a title follow.
        Directive::Include if matches!(dialect, Dialect::VitePress | Dialect::Quarto) => {
            lacks(&['#', '{', '}', '[', '>', '"', '`', '='])
                && (!path.contains(' ') || matches!(quote, Some('"')))
        }
        // Lines follow a colon.
        Directive::Include | Directive::Playground | Directive::RustdocInclude => {
            lacks(&[' ', ':', '{', '}'])
        }
        Directive::Snippet => {
            lacks(&[':', '\\'])
                && !path.starts_with([';', '"', '\''])
                && !path.ends_with(['"', '\''])
        }
        // Hugo parses the path as a URL.
        Directive::Ref | Directive::Relref => {
            let is_quoted = matches!(quote, Some('"' | '`'));
            lacks(&['\\', '%', '?', ':', '{', '}', '<', '>', '"', '`'])
                && (is_quoted || is_all("-._/#"))
        }
        Directive::Link | Directive::PostUrl => lacks(&['%', '{', '}']),
        Directive::BaseUrl => {
            path.starts_with('/')
                && lacks(&[' ', '(', ')', '<', '>', '"', '\'', '`', '\\', '|', '{', '}'])
        }
        // The characters that Jekyll allows.
        Directive::IncludeRelative => is_all("_/.-()+~#@"),
        // The text after `?` and `#` is not part of the name, and `!` ends the name of a loader.
        Directive::Import | Directive::Require => lacks(&['\\', '?', '#', '!', '%', '{']),
        Directive::Nav | Directive::Setting | Directive::Address | Directive::Figure => true,
        Directive::Doc | Directive::Toctree => lacks(&['`', '<', '>']),
    }
}

/// The bytes of a quote in this character encoding.
fn unit(source: &Source) -> usize {
    if source.charset.is_utf16() { 2 } else { 1 }
}

/// The quote before a span.
fn quote_before(source: &Source, span: Span) -> Option<char> {
    let start = span.start.checked_sub(unit(source))?;
    let before = source.decode(Span::new(start, span.start));
    before.chars().next().filter(|it| "'\"`".contains(*it))
}

/// The bytes to replace, and the value of YAML or TOML that is this text without escapes: in the
/// old quotes, or else in others.
fn setting_value(
    source: &Source,
    span: Span,
    quote: Option<char>,
    text: &str,
) -> Option<(Span, String)> {
    let can_hold = |quote: char| match quote {
        '"' => !text.contains(['"', '\\']),
        _ => !text.contains('\''),
    };
    match quote {
        Some(quote) if can_hold(quote) => return Some((span, text.to_owned())),
        None if is_plain(text) => return Some((span, text.to_owned())),
        _ => {}
    }
    let new = ['\'', '"'].into_iter().find(|it| can_hold(*it))?;
    let width = if quote.is_some() { unit(source) } else { 0 };
    let whole = Span::new(span.start - width, span.end + width);
    Some((whole, format!("{new}{text}{new}")))
}

/// Returns true for a text that is a string of YAML without quotes, outside of brackets (YAML
/// 1.2.2, section 7.3.3).
fn is_plain(text: &str) -> bool {
    let is_first =
        |it: char| it.is_alphanumeric() || matches!(it, '.' | '_' | '/' | '(' | '$' | '+');
    text.starts_with(is_first)
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.ends_with(':')
        && !is_other_type(text)
}

/// Returns true for a text that YAML 1.1 or 1.2 reads as a number, a date, a boolean or null.
pub(super) fn is_other_type(text: &str) -> bool {
    const WORDS: [&str; 16] = [
        "null", "~", "true", "false", "yes", "no", "on", "off", "y", "n", "=", "<<", ".nan",
        ".inf", "+.inf", "-.inf",
    ];
    let is_of_number = |it: char| it.is_ascii_hexdigit() || "+-._:eExXoOtTzZ ".contains(it);
    let is_number = text.starts_with(|it: char| it.is_ascii_digit() || "+-.".contains(it))
        && text.contains(|it: char| it.is_ascii_digit())
        && text.chars().all(is_of_number);
    is_number || WORDS.iter().any(|it| it.eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_values_are_strings() {
        for plain in ["a.md", "what's new.md", "a#b.md", "a:b.md", "\u{e9}.md", "1a.md", "./-x.md"]
        {
            assert!(is_plain(plain), "{plain}");
        }
        for other in [
            "", "-a", "? a", "@a", "`a", "%a", "&a", "*a", "!a", "|", ">", "[a", "{a", "'a", "\"a",
            "#a", "a: b", "a #b", "a:", "null", "No", "1e3", "0x1f", "1_000", "12:30:45",
            "2001-01-01", ".5",
        ] {
            assert!(!is_plain(other), "{other}");
        }
    }
}
