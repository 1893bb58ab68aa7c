//! HTML that is read as the contents of a `template`.
//!
//! There, the first start tag decides how the rest is read (HTML standard, section 13.2.6.4.18):
//! that of a table part, such as `td`, opens this part, while a body ignores it. Any other one makes
//! the rest part of a body, and so would the tag of a new link. So no link is made before a table
//! part, nor before an end tag that opens an element in a body only.

use super::lexer::Lexer;
use super::names::{self, Key};
use super::rules::{is_table_part, raw_text};
use super::token::Token;
use crate::bytes::Span;

const PLAINTEXT: Key = Key::of(b"plaintext");

/// Returns the parts of HTML in which a new `a` element adds nothing to the contents of a template
/// but itself, in order. They are as long as it is certain. Linear: up to the tag that decides, or
/// to the end.
pub(super) fn unaffected(bytes: &[u8]) -> Vec<Span> {
    let mut lexer = Lexer::new(bytes);
    let mut start = 0;
    // The number of open templates within.
    let mut depth = 0_usize;
    while let Some(token) = lexer.next() {
        let tag = lexer.tag;
        let name = &bytes[tag.name.range()];
        match token {
            Token::Start if tag.key == names::TEMPLATE => depth += 1,
            // There, a tag of the template could be part of another language.
            Token::Start if depth > 0 && is_special(tag.key) => return Vec::new(),
            Token::Start if depth > 0 || names::OF_HEAD.contains(&tag.key) => {
                if let Some(raw) = raw_text(tag.key, name, true) {
                    lexer.enter(raw);
                }
            }
            Token::Start if is_table_part(tag.key) => return cells(lexer),
            Token::Start => return vec![Span::new(start, bytes.len())],
            Token::End if tag.key == names::TEMPLATE => depth = depth.saturating_sub(1),
            Token::End if depth == 0 && matches!(tag.key, names::P | names::BR) => {
                start = tag.start
            }
            _ => {}
        }
    }
    match depth {
        0 => vec![Span::new(start, bytes.len())],
        _ => Vec::new(),
    }
}

/// Returns the cells of HTML that begins with a part of a table, whose tag was just read.
fn cells(mut lexer: Lexer<'_>) -> Vec<Span> {
    let mut cells = Vec::new();
    // Within the columns of a table, cells are ignored.
    if matches!(lexer.tag.key, names::COL | names::COLGROUP) {
        return cells;
    }
    let is_cell = |key| matches!(key, names::TD | names::TH);
    let mut cell = is_cell(lexer.tag.key).then_some(lexer.at());
    while let Some(token) = lexer.next() {
        let tag = lexer.tag;
        let (is_start, is_end) = (token == Token::Start, token == Token::End);
        let is_special = is_start && (is_special(tag.key) || tag.key == names::TEMPLATE);
        if is_special || (is_start || is_end) && is_table_part(tag.key) {
            cells.extend(cell.take().map(|start| Span::new(start, tag.start)));
        }
        if is_special {
            return cells;
        }
        if is_start {
            if is_cell(tag.key) {
                cell = Some(lexer.at());
            }
            let name = &lexer.bytes[tag.name.range()];
            if let Some(raw) = raw_text(tag.key, name, true) {
                lexer.enter(raw);
            }
        }
    }
    cells.extend(cell.map(|start| Span::new(start, lexer.bytes.len())));
    cells
}

/// Returns true for an element in which tags are read in another way.
fn is_special(key: Key) -> bool {
    matches!(
        key,
        names::SVG | names::MATH | names::SELECT | names::NOSCRIPT | names::FRAMESET | PLAINTEXT
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(html: &str) -> Vec<&str> {
        let spans = unaffected(html.as_bytes()).into_iter();
        spans.map(|span| &html[span.range()]).collect()
    }

    #[test]
    fn first_start_tag_decides_about_the_contents_of_a_template() {
        for (html, expected) in [
            ("a", &["a"][..]),
            ("a<p>b<tr>c", &["a<p>b<tr>c"]),
            ("a<tr>b", &[]),
            ("a<TR>b<td>c<td>d</td>e", &["c", "d"]),
            ("<td>a</td>b<tbody>c<th>d", &["a", "d"]),
            ("<td>a<table><tr><td>b</table>c", &["a<table>", "b</table>c"]),
            ("a<col>b<td>c", &[]),
            ("a</p>b", &["</p>b"]),
            ("a</b>b</br>c<i>d</p>", &["</br>c<i>d</p>"]),
            ("a<script><p></script>b<tr>c", &[]),
            ("a<template><p></template>b", &["a<template><p></template>b"]),
            ("a<template><p></template>b<tr>c", &[]),
            ("a<template><svg></template>b", &[]),
            ("<!doctype html><body>a<tr>b", &["<!doctype html><body>a<tr>b"]),
        ] {
            assert_eq!(parts(html), expected, "{html}");
        }
    }
}
