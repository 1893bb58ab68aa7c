//! The comments of a page, by which its author exempts links.

use super::lexer::Lexer;
use super::token::{RawText, TextKind, Token};
use crate::bytes::Span;
use crate::format::comments::{Commented, Exempt, MARKUP, SCRIPT, exempt_lines};
use crate::format::css;
use crate::source::Source;

/// The links of a page that comments exempt.
pub(super) fn exempt(source: &Source) -> Exempt {
    Exempt::of(source, |text| exempt_lines(text, &comments(text), false))
}

/// The comments of HTML, those of its style sheets, and its scripts, in which comments are found
/// without a grammar. Each tag is taken to create the element that it names.
pub(in crate::format) fn comments(text: &str) -> Vec<Commented> {
    let mut lexer = Lexer::new(text.as_bytes());
    let mut parts = Vec::new();
    let mut raw_element = String::new();
    while let Some(token) = lexer.next() {
        match token {
            Token::Start => {
                raw_element = text[lexer.tag.name.range()].to_ascii_lowercase();
                if let Some(raw) = RawText::of_element(&raw_element) {
                    lexer.enter(raw);
                }
            }
            Token::Text(Span { start, end }, TextKind::Raw(_)) => match &*raw_element {
                "style" => parts.extend(css::comments(&text[start..end], start)),
                "script" => parts.push(Commented { range: start..end, comments: SCRIPT }),
                _ => {}
            },
            Token::Comment(span) if text[..span.start].ends_with("<!--") => {
                let start = span.start - "<!--".len();
                parts.push(Commented { range: start..lexer.at(), comments: MARKUP });
            }
            _ => {}
        }
    }
    parts
}
