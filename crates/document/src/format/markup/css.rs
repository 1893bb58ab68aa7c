//! Writing URLs into style sheets.

use crate::format::markup::in_markup;
use crate::format::written::CannotWrite;
use crate::link::{CssForm, CssPlace};
use crate::source::Charset;

/// The URL with the escapes of CSS, and of the markup that contains it.
pub(crate) fn in_css(
    place: &CssPlace,
    charset: Charset,
    old: &str,
    reference: &str,
) -> Result<String, CannotWrite> {
    let value = css_escaped(place, reference, |it| lacks(charset, it));
    match &place.markup {
        Some(markup) => in_markup(markup, old, &value),
        None => Ok(value),
    }
}

/// The URL with escapes for the characters that would end it and those missing in the charset (CSS
/// Syntax Level 3, section 4.3.7). A NUL cannot be escaped.
fn css_escaped(place: &CssPlace, reference: &str, lacks: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(reference.len() + 16);
    let mut characters = reference.chars().peekable();
    while let Some(character) = characters.next() {
        let is_control = character < ' ' || character == '\x7F';
        let by_itself = match place.form {
            CssForm::Url => matches!(character, '"' | '\'' | '(' | ')'),
            CssForm::String { quote } => character == char::from(quote),
        };
        let by_code = is_control
            || character == ' ' && place.form == CssForm::Url
            // They could end the element or section that contains the style sheet.
            || matches!(character, '<' | '>') && place.markup.is_some()
            || !character.is_ascii() && lacks(character);
        if character == '\\' || by_itself {
            out.extend(['\\', character]);
        } else if by_code {
            let code = u32::from(character);
            // An escape has up to six digits, and then one optional white space character.
            out.push_str(&match characters.peek() {
                Some(next) if next.is_ascii_hexdigit() => format!("\\{code:06x}"),
                Some(' ') if place.form != CssForm::Url => format!("\\{code:x} "),
                _ => format!("\\{code:x}"),
            });
        } else {
            out.push(character);
        }
    }
    out
}

/// Returns true if the charset lacks a character, or the character cannot be inserted into a
/// document.
fn lacks(charset: Charset, character: char) -> bool {
    let text = character.to_string();
    charset.percent_encode_missing(&text, "") != text
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::link::{Form, Language, Markup, Quoting};

    const URL: CssForm = CssForm::Url;
    const DOUBLE: CssForm = CssForm::String { quote: b'"' };
    const SINGLE: CssForm = CssForm::String { quote: b'\'' };

    #[test]
    fn characters_that_would_end_the_url_are_escaped() {
        let escaped = |form, text| {
            let place = CssPlace { form, markup: None };
            css_escaped(&place, text, |it| it == '日')
        };
        assert_eq!(escaped(URL, r#"a(b)"c'd\e"#), r#"a\(b\)\"c\'d\\e"#);
        assert_eq!(escaped(DOUBLE, r#"a(b)"c'd\e"#), r#"a(b)\"c'd\\e"#);
        assert_eq!(escaped(SINGLE, r#"a(b)"c'd\e"#), r#"a(b)"c\'d\\e"#);
        assert_eq!(escaped(URL, "a b x \x7F"), r"a\000020b\20x\20\7f");
        assert_eq!(escaped(DOUBLE, "a b\n c\n"), "a b\\a  c\\a");
        assert_eq!(escaped(URL, "<é日>日a"), r"<é\65e5>\0065e5a");
    }

    #[test]
    fn css_in_markup_contains_no_tag() {
        let place = CssPlace {
            form: DOUBLE,
            markup: Some(
                Markup {
                    language: Language::Html,
                    element: "style".into(),
                    attribute: Markup::CONTENT.into(),
                    quoting: Quoting::RawText,
                    form: Form::Whole,
                    within: None,
                    rel: None,
                    fragment: None,
                }
                .into(),
            ),
        };
        let value = css_escaped(&place, "</style> ]]>", |_| false);
        assert_eq!(value, r"\3c/style\3e  ]]\3e");
    }
}
