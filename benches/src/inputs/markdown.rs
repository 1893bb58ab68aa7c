//! Generated Markdown: documentation with links in every form.

use std::fmt::Write;

use super::dice::Dice;
use super::words::{Language, url};

/// Sections with paragraphs, lists, quotes, tables, code and HTML, and the definitions that they
/// refer to.
pub(crate) fn manual(size: usize) -> String {
    let mut dice = Dice::new(21);
    let mut text = String::with_capacity(size + 8192);
    let mut section = 0;
    while text.len() < size {
        section += 1;
        let _ = writeln!(text, "## Section {section}\n");
        for _ in 0..2 + dice.below(4) {
            match dice.below(9) {
                0 => list(&mut dice, section, &mut text),
                1 => table(&mut dice, &mut text),
                2 => code(&mut dice, &mut text),
                3 => html(&mut dice, section, &mut text),
                4 => paragraph(&mut dice, section, "> ", &mut text),
                _ => paragraph(&mut dice, section, "", &mut text),
            }
        }
        for number in 0..3 {
            let _ = writeln!(text, "[{section}-{number}]: {} \"A title\"", url(&mut dice));
        }
        text.push('\n');
    }
    text
}

/// Lists of links with a sentence each, as in a list of projects.
pub(crate) fn links(size: usize) -> String {
    let mut dice = Dice::new(22);
    let mut text = String::with_capacity(size + 4096);
    let mut number = 0;
    while text.len() < size {
        number += 1;
        let _ = write!(text, "- [Project {number}]({}) - ", url(&mut dice));
        Language::English.sentence(&mut dice, &mut text);
        text.push_str(".\n");
    }
    text
}

fn paragraph(dice: &mut Dice, section: usize, prefix: &str, text: &mut String) {
    for _ in 0..2 + dice.below(4) {
        text.push_str(prefix);
        for _ in 0..1 + dice.below(2) {
            Language::English.sentence(dice, text);
            text.push(' ');
        }
        inline(dice, section, text);
        text.push_str(".\n");
    }
    text.push('\n');
}

fn inline(dice: &mut Dice, section: usize, text: &mut String) {
    let number = dice.below(1000);
    let _ = match dice.below(10) {
        0 => write!(text, "[page {number}](../guide/page{number}.md#part-{number})"),
        1 => write!(text, "[the *site*]({} \"A title\")", url(dice)),
        2 => write!(text, "![A picture](images/{number}.png)"),
        3 => write!(text, "<{}>", url(dice)),
        4 => write!(text, "[see there][{section}-{}]", number % 3),
        5 => write!(text, "**bold** and `code[{number}](x)` and _more_"),
        6 => write!(text, "`let x = a[{number}] < b;`"),
        _ => write!(text, "(version {number}), *as before*"),
    };
}

fn list(dice: &mut Dice, section: usize, text: &mut String) {
    for _ in 0..3 + dice.below(5) {
        text.push_str("- ");
        Language::English.sentence(dice, text);
        text.push_str(": ");
        inline(dice, section, text);
        text.push('\n');
        if dice.one_in(4) {
            text.push_str("  - ");
            inline(dice, section, text);
            text.push('\n');
        }
    }
    text.push('\n');
}

fn table(dice: &mut Dice, text: &mut String) {
    text.push_str("| Name | Value | Link |\n|------|:-----:|------|\n");
    for _ in 0..3 + dice.below(6) {
        let number = dice.below(1000);
        let _ = writeln!(text, "| `name{number}` | {number} | [a]({}) |", url(dice));
    }
    text.push('\n');
}

fn code(dice: &mut Dice, text: &mut String) {
    text.push_str("```rust\n");
    for _ in 0..4 + dice.below(12) {
        let number = dice.below(1000);
        let _ = writeln!(text, "    let value{number} = values[{number}](a, &b) // {}", url(dice));
    }
    text.push_str("```\n\n");
}

fn html(dice: &mut Dice, section: usize, text: &mut String) {
    let number = dice.below(1000);
    let _ = write!(
        text,
        "<p align=\"center\">\n  <img alt=\"\" src=\"images/{section}-{number}.svg\">\n</p>\n\n"
    );
}
