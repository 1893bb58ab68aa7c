//! The rules that derive an id from a text.

use std::sync::LazyLock;

use regex::Regex;
use unicode_normalization::UnicodeNormalization;

use crate::format::markdown::classes::{
    is_letter, is_letter_or_digit, is_letter_or_numeral, is_word,
};
use crate::format::options::{Slugify, Slugs};

/// The id for a text. `text` is the source of the heading if the rule reads the source.
pub(super) fn slug(slugs: Slugs, text: &str) -> String {
    match slugs {
        Slugs::Github => github(&lowered(text)),
        Slugs::Gitlab => gitlab(text),
        // JavaScript lowers a sigma by its place in the word, other languages do not.
        Slugs::Docusaurus | Slugs::Astro | Slugs::Nextra => slug_of_name(text),
        Slugs::Jekyll => github(&lowered(text).replace('\t', " ")),
        Slugs::Mdbook => or_default(mdbook(text), "section"),
        Slugs::Mkdocs => python(Slugify::Ascii, text),
        Slugs::Hugo => or_default(hugo(text), "heading"),
        Slugs::Pandoc => or_default(pandoc(text), "section"),
        Slugs::Kramdown => or_default(kramdown(text), "section"),
        Slugs::Jupyter => text.replace(' ', "-"),
        Slugs::Obsidian => obsidian(text),
        Slugs::Vitepress => vitepress(text),
        Slugs::Docsify => docsify(text),
        Slugs::Honkit => honkit(text),
        Slugs::None => String::new(),
    }
}

/// The text of a heading as Obsidian compares it with that in a link, except for case: without
/// punctuation.
pub fn obsidian(text: &str) -> String {
    let is_kept = |it: char| !it.is_ascii_punctuation() || matches!(it, '-' | '_' | '\'');
    let words = text.split(|it: char| it.is_whitespace() || !is_kept(it));
    words.filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The id of a heading with this text in programs that use `github-slugger`, such as Astro, which
/// also gives it to the name of a file.
pub fn slug_of_name(name: &str) -> String {
    github(&name.to_lowercase())
}

fn or_default(id: String, default: &str) -> String {
    match id.is_empty() {
        true => default.to_owned(),
        false => id,
    }
}

/// The text in lower case, character by character.
fn lowered(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

fn github(lowered: &str) -> String {
    let kept = lowered.chars().filter_map(|it| match it {
        ' ' | '-' => Some('-'),
        _ => is_word(it).then_some(it),
    });
    kept.collect()
}

fn gitlab(text: &str) -> String {
    let text =
        text.trim_matches(|it: char| it.is_ascii_whitespace() || matches!(it, '\0' | '\x0B'));
    let mut id = github(&lowered(text));
    let mut before = None;
    id.retain(|it| before.replace(it) != Some('-') || it != '-');
    match !id.is_empty() && id.bytes().all(|it| it.is_ascii_digit()) {
        true => format!("anchor-{id}"),
        false => id,
    }
}

fn mdbook(text: &str) -> String {
    let lowered = text.trim().to_lowercase();
    let kept = lowered.chars().filter_map(|it| match it {
        '_' | '-' => Some(it),
        _ if it.is_alphanumeric() => Some(it),
        _ => it.is_whitespace().then_some('-'),
    });
    kept.collect()
}

/// The id of a text by a function of Python.
pub(super) fn python(slugify: Slugify, text: &str) -> String {
    let is_kept = |it: char| is_word(it) || matches!(it, '-' | ' ');
    let is_lower = match slugify {
        Slugify::Ascii => return slug_of_python_markdown(text, false),
        Slugify::Unicode => return slug_of_python_markdown(text, true),
        Slugify::PyMdown { is_lower } => is_lower,
    };
    let text: String = text.nfc().collect();
    let text = text.trim();
    let text = if is_lower { text.to_lowercase() } else { text.to_owned() };
    text.chars().filter(|it| is_kept(*it)).map(|it| if it == ' ' { '-' } else { it }).collect()
}

fn slug_of_python_markdown(text: &str, is_unicode: bool) -> String {
    let is_space = |it: char| it.is_ascii_whitespace() || matches!(it, '\x0B' | '\x1C'..='\x1F');
    // Other white space is collapsed before it would be dropped.
    let words: Vec<&str> = text
        .split(|it: char| it.is_whitespace() || is_space(it))
        .filter(|word| !word.is_empty())
        .collect();
    let mut kept = words.join(" ");
    if !is_unicode {
        kept = kept.nfkd().filter(char::is_ascii).collect();
    }
    kept.retain(|it| is_word(it) || it == '-' || is_space(it));
    let mut id = String::with_capacity(kept.len());
    for character in kept.trim_matches(is_space).chars() {
        match character {
            '-' => {}
            _ if is_space(character) => {}
            _ => {
                id.extend(character.to_lowercase());
                continue;
            }
        }
        if !id.ends_with('-') {
            id.push('-');
        }
    }
    id
}

/// JavaScript's white space.
fn is_space_of_script(character: char) -> bool {
    character.is_whitespace() && character != '\u{85}' || character == '\u{FEFF}'
}

/// An id cannot begin with a digit.
fn after_digit_mark(id: &str) -> String {
    let mark = if id.starts_with(|it: char| it.is_ascii_digit()) { "_" } else { "" };
    [mark, id].concat()
}

/// The id of a heading with this text in VitePress, which also derives the fragments of links so.
pub fn vitepress(text: &str) -> String {
    let is_mark = |it: &char| matches!(it, '\u{300}'..='\u{36F}' | '\0'..='\x1F');
    let is_separator = |it: char| {
        it.is_ascii_punctuation() || is_space_of_script(it) || matches!(it, '“' | '”' | '‘' | '’')
    };
    let kept: String = text.nfkd().filter(|it| !is_mark(it)).collect();
    let words = kept.split(is_separator).filter(|it| !it.is_empty());
    after_digit_mark(&words.collect::<Vec<_>>().join("-")).to_lowercase()
}

/// `source` may have tags, emoji and links. Of these, the text of links remains.
fn docsify(source: &str) -> String {
    static MARKUP: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\[([^\]]+)\]\([^)]+\)|\{docsify-ignore(?:-all)?\}").ok());
    static DROPPED: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"<[^>]+>|[\p{Emoji_Presentation}\p{Extended_Pictographic}]").ok()
    });
    let text: String = source.nfc().collect();
    let text = MARKUP.as_ref().map_or(text.as_str().into(), |it| it.replace_all(&text, "$1"));
    // Blanks before what is dropped stay.
    let text = text.trim();
    let text = DROPPED.as_ref().map_or(text.into(), |it| it.replace_all(text, ""));
    let is_dropped = |it: char| {
        it.is_ascii_punctuation() && !matches!(it, '-' | '_')
            || matches!(it, '\u{2000}'..='\u{206F}' | '\u{2E00}'..='\u{2E7F}' | '\u{FE0F}')
    };
    let kept = text.chars().filter(|it| !is_dropped(*it));
    let kept = kept.map(|it| if is_space_of_script(it) { '-' } else { it.to_ascii_lowercase() });
    after_digit_mark(&kept.collect::<String>())
}

fn honkit(text: &str) -> String {
    const SYMBOLS: &str = "©∑®†“”‘’∂ƒ™℠…œŒ˚ºª•∆∞♥";
    let is_kept = |it: &char| match it {
        '-' => true,
        _ => !it.is_ascii_punctuation() && !SYMBOLS.contains(*it),
    };
    let kept = text.chars().filter(is_kept).map(|it| if it == ' ' { '-' } else { it });
    let id = kept.collect::<String>().to_lowercase();
    id.strip_prefix('-').unwrap_or(&id).to_owned()
}

/// `source` may have several lines: the last one counts.
fn hugo(source: &str) -> String {
    let line = source.rsplit(['\n', '\r']).next().unwrap_or(source).trim();
    let kept = line.chars().filter_map(|it| match it {
        ' ' | '-' => Some('-'),
        '_' => Some(it),
        // The simple case mapping of Unicode, which is one character.
        _ if is_letter_or_digit(it) => it.to_lowercase().next(),
        _ => None,
    });
    kept.collect()
}

fn pandoc(text: &str) -> String {
    let mut kept = lowered(text);
    kept.retain(|it| {
        matches!(it, '_' | '-' | '.') || it.is_whitespace() || is_letter_or_numeral(it)
    });
    let words: Vec<&str> = kept.split_whitespace().collect();
    let id = words.join("-");
    id.trim_start_matches(|it| !is_letter(it)).to_owned()
}

fn kramdown(source: &str) -> String {
    let start = source.find(|it: char| it.is_ascii_alphabetic());
    let kept = source[start.unwrap_or(source.len())..].chars();
    let kept = kept.filter_map(|it| match it {
        ' ' | '-' => Some('-'),
        _ => it.is_ascii_alphanumeric().then(|| it.to_ascii_lowercase()),
    });
    kept.collect()
}
