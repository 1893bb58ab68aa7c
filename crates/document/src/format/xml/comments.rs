//! The comments of XML, by which its author exempts links.

use memchr::memmem;

use super::lexer::{Lexer, Token};
use crate::format::comments::{Commented, Exempt, MARKUP, exempt_lines};
use crate::source::Source;

/// The links of a document that comments exempt.
pub(super) fn exempt(source: &Source) -> Exempt {
    Exempt::of(source, |text| exempt_lines(text, &comments(text), false))
}

/// The comments, which are between other tokens.
fn comments(text: &str) -> Vec<Commented> {
    let mut lexer = Lexer::new(text.as_bytes());
    let mut comments = Vec::new();
    let mut end = 0;
    loop {
        let token = lexer.next();
        let start = match &token {
            Some(Token::Text(span) | Token::Stylesheet(span)) => span.start,
            Some(Token::Cdata(span)) => span.start - "<![CDATA[".len(),
            Some(Token::Start(tag)) => tag.name.start - "<".len(),
            Some(Token::End(name)) => name.start - "</".len(),
            None => text.len(),
        };
        let mut at = end;
        while let Some(found) = memmem::find(&text.as_bytes()[at..start], b"<!--") {
            let open = at + found;
            let close = memmem::find(&text.as_bytes()[open..start], b"-->");
            at = close.map_or(start, |it| open + it + "-->".len());
            comments.push(Commented { range: open..at, comments: MARKUP });
        }
        if token.is_none() {
            return comments;
        }
        end = lexer.at();
    }
}
