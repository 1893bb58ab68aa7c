//! The headings in a piece of HTML.

use std::borrow::Cow;

use super::lexer::Lexer;
use super::token::{Attribute, RawText, TextKind, Token};
use crate::format::markup::charref::{self, Within};

/// A heading.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::format) struct HtmlHeading {
    /// The `name` of its element, which some sites keep as an anchor.
    pub(in crate::format) name: Option<String>,
    pub(in crate::format) text: String,
}

/// The headings in a piece of HTML, in their order. A heading ends at the end tag of one, or with
/// the piece.
pub(in crate::format) fn html_headings(text: &str) -> Vec<HtmlHeading> {
    let mut lexer = Lexer::new(text.as_bytes());
    let mut headings: Vec<HtmlHeading> = Vec::new();
    let mut is_open = false;
    while let Some(token) = lexer.next() {
        match token {
            Token::Start | Token::End => {
                let name = text[lexer.tag.name.range()].to_ascii_lowercase();
                let is_heading = matches!(&*name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
                if token == Token::End {
                    is_open &= !is_heading;
                } else if is_heading {
                    let is_name =
                        |it: &&Attribute| text[it.name.range()].eq_ignore_ascii_case("name");
                    let name = lexer.attributes.iter().find(is_name);
                    headings.push(HtmlHeading {
                        name: name
                            .map(|it| decoded(&text[it.value.range()], Within::Attribute).into()),
                        text: String::new(),
                    });
                    is_open = true;
                } else if let Some(raw) = RawText::of_element(&name) {
                    lexer.enter(raw);
                }
            }
            Token::Text(span, TextKind::Data) if is_open => {
                if let Some(heading) = headings.last_mut() {
                    let text = decoded(&text[span.range()], Within::Text);
                    heading.text.push_str(&text);
                }
            }
            Token::Text(..) | Token::Comment(_) | Token::Doctype(_) | Token::Section => {}
        }
    }
    headings
}

fn decoded(source: &str, within: Within) -> Cow<'_, str> {
    charref::decode(source, within).map_or(source.into(), |(text, _)| text.into())
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
            let found = html_headings(html).into_iter();
            assert_eq!(found.map(|it| it.text).collect::<Vec<_>>(), texts, "{html}");
        }
    }

    #[test]
    fn headings_may_have_names() {
        let found = html_headings("<h1 id=a NAME='b&amp;c'>d</h1><h2>e");
        let names: Vec<_> = found.iter().map(|it| it.name.as_deref()).collect();
        assert_eq!(names, [Some("b&c"), None]);
    }
}
