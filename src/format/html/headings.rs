//! The texts of headings in a piece of HTML.

use std::borrow::Cow;

use super::charref::{self, Within};
use super::lexer::Lexer;
use super::token::{RawText, TextKind, Token};

/// The texts of the headings in a piece of HTML, in their order. A heading ends at the end tag of one, or with the piece.
pub(in crate::format) fn heading_texts(text: &str) -> Vec<String> {
    let mut lexer = Lexer::new(text.as_bytes());
    let mut headings: Vec<String> = Vec::new();
    let mut is_open = false;
    while let Some(token) = lexer.next() {
        match token {
            Token::Start | Token::End => {
                let name = text[lexer.tag.name.range()].to_ascii_lowercase();
                let is_heading = matches!(&*name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
                if token == Token::End {
                    is_open &= !is_heading;
                } else if is_heading {
                    headings.push(String::new());
                    is_open = true;
                } else if let Some(raw) = raw_text(&name) {
                    lexer.enter(raw);
                }
            }
            Token::Text(span, TextKind::Data) if is_open => {
                let read = &text[span.range()];
                let decoded = charref::decode(read, Within::Text);
                let decoded = decoded.map_or(Cow::Borrowed(read), |(text, _)| text.into());
                if let Some(heading) = headings.last_mut() {
                    heading.push_str(&decoded);
                }
            }
            Token::Text(..) | Token::Comment(_) | Token::Doctype(_) => {}
        }
    }
    headings
}

/// The content of elements in which tags are text.
fn raw_text(name: &str) -> Option<RawText> {
    match name {
        "script" => Some(RawText::Script),
        "style" | "xmp" | "iframe" | "noembed" | "noframes" => Some(RawText::Rawtext),
        "title" | "textarea" => Some(RawText::Rcdata),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_between_the_tags_of_headings() {
        for (html, texts) in [
            ("<h2 id=\"a\">A <b>b</b> &amp; c</h2>", &["A b & c"][..]),
            ("<div>\n<H1>a</H1> b <h6>c</h2> d", &["a", "c"]),
            ("<h1>a<h2>b", &["a", "b"]),
            ("<!-- <h1>a</h1> --><script><h1>b</h1></script>", &[]),
            ("<h1>a<!-- b --><style>c</style><img alt=d></h1>", &["a"]),
            ("<h7>a</h7> <hr> <head>b</head>", &[]),
        ] {
            assert_eq!(heading_texts(html), texts, "{html}");
        }
    }
}
