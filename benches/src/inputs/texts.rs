//! Generated plain texts.

use std::fmt::Write;

use super::dice::Dice;
use super::words::{Language, url};

/// Paragraphs with the headers of mail between them; a paragraph in three has a URL. Does not begin
/// as mail does.
pub(crate) fn prose(language: Language, size: usize) -> String {
    let mut dice = Dice::new(1 + language as u64);
    let mut text = String::with_capacity(size + 4096);
    while text.len() < size {
        for _ in 0..3 + dice.below(6) {
            let prefix = if dice.one_in(3) { "> " } else { "" };
            paragraph(language, &mut dice, prefix, &mut text);
        }
        headers(&mut dice, &mut text);
    }
    text
}

/// The headers of a message, with the blank line that follows.
pub(crate) fn headers(dice: &mut Dice, text: &mut String) {
    let (number, second) = (dice.below(100_000), dice.below(60));
    let _ = write!(
        text,
        "Received: from a{number}.example ([192.0.2.{second}]) by b.example with ESMTP id x{number};\n\
         \tMon, 21 Jul 1997 10:42:{second:02} +0000\n\
         Message-Id: <199707211042.{number}@a.example>\n\
         Date: Mon, 21 Jul 1997 10:42:{second:02} +0000\n\
         From: \"A. Writer\" <writer{number}@a.example>\nTo: list@b.example\n\
         Subject: Re: relative references [{number}]\nX-Mailer: example 1.0\n\n"
    );
}

/// A paragraph of lines of at most about 72 columns, each after `prefix`, and a blank line.
fn paragraph(language: Language, dice: &mut Dice, prefix: &str, text: &mut String) {
    let mut sentences = String::new();
    for _ in 0..2 + dice.below(4) {
        language.sentence(dice, &mut sentences);
        sentences.push_str(language.full_stop());
    }
    if dice.one_in(3) {
        let url = url(dice);
        let _ = match dice.below(4) {
            0 => write!(sentences, "<{url}>"),
            1 => write!(sentences, "({url})"),
            2 if language.is_dense() => write!(sentences, "「{url}」"),
            _ => write!(sentences, "{url}, "),
        };
        language.sentence(dice, &mut sentences);
        sentences.push_str(language.full_stop());
    }
    let mut column = 0;
    text.push_str(prefix);
    for piece in sentences.split_inclusive([' ', '。', '、']) {
        let width = piece.chars().count() * if language.is_dense() { 2 } else { 1 };
        if column > 0 && column + width > 72 {
            text.push('\n');
            text.push_str(prefix);
            column = 0;
        }
        text.push_str(piece);
        column += width;
    }
    text.push_str("\n\n");
}

/// Lines with two URLs each.
pub(crate) fn links(size: usize) -> String {
    let mut dice = Dice::new(11);
    let mut text = String::with_capacity(size + 4096);
    let mut number = 0;
    while text.len() < size {
        number += 1;
        let _ = writeln!(text, "{number}. {} and {}", url(&mut dice), url(&mut dice));
    }
    text
}

/// Paragraphs in Chinese and Japanese whose URLs touch the text, some with characters that are not
/// ASCII.
pub(crate) fn cjk(size: usize) -> String {
    let mut dice = Dice::new(12);
    let mut text = String::with_capacity(size + 4096);
    while text.len() < size {
        let language = dice.pick(&[Language::Chinese, Language::Japanese]);
        for _ in 0..3 {
            language.sentence(&mut dice, &mut text);
            text.push_str(language.full_stop());
        }
        let number = dice.below(1000);
        let _ = match dice.below(4) {
            0 => write!(text, "「http://www{number}.example.jp/」"),
            1 => write!(text, "http://example.com/路径/文件{number}。"),
            2 => write!(text, "“https://例子.example/a?b={number}”，"),
            _ => write!(text, "（https://ja.example.org/wiki/{number}）"),
        };
        language.sentence(&mut dice, &mut text);
        text.push_str("：以上。\n");
    }
    text
}

/// Pages like those of an RFC: indented paragraphs, grammar rules, page breaks and few URLs.
pub(crate) fn rfc(size: usize) -> String {
    let mut dice = Dice::new(13);
    let mut text = String::with_capacity(size + 4096);
    let mut page = 0;
    while text.len() < size {
        page += 1;
        let _ = writeln!(text, "{page}.{}.  Syntax of references\n", dice.below(9));
        for _ in 0..4 {
            paragraph(Language::English, &mut dice, "   ", &mut text);
        }
        for _ in 0..6 {
            let name = dice.pick(&["path", "host", "query", "userinfo", "reg-name"]);
            let number = dice.below(100);
            let _ = writeln!(
                text,
                "      {name:10} = 1*( pchar / \":\" / \"@\" ) ; see RFC {number}, {}:{number}",
                dice.below(24)
            );
        }
        let _ = write!(
            text,
            "\n   Note: the form URL:ftp://ftp.example/rfc/rfc{page}.txt is old; compare A::B and 10:30.\n\n\n\
             Writer                      Standards Track                    [Page {page}]\n\u{c}\n\
             RFC {page}                 Uniform References               January 2005\n\n"
        );
    }
    text
}
