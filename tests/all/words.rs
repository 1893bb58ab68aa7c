//! Comments, messages, help and documents avoid words that make sentences hard to read.
//!
//! Phrases are searched in whole paragraphs, without code. To add a phrase, check that nearly every
//! use of it is a sentence to rewrite.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use proc_macro2::{TokenStream, TokenTree};
use regex::Regex;
use syn::LitStr;

use crate::layers::sources;

/// Phrases as regular expressions, and what to write instead.
const PHRASES: [(&str, &str); 21] = [
    ("tell|tells|telling|told", "report, print, detect"),
    ("stand|stands|stood", "be, be written"),
    (
        "leads? (to|from|out|away|above|into|nowhere|elsewhere|there|where)",
        "refer to, resolve to, be broken",
    ),
    ("nobody|somebody|anybody|everybody", "the user, another program"),
    ("what (is to|becomes of|comes of|came of)", "the noun"),
    ("of which", "whose, or two sentences"),
    ("(it|that|this|which|what) (is|are) no [a-km-z]\\w*", "is not a"),
    ("by the looks? of", "probably"),
    ("(take|takes|took|taken|taking) (it |them |this |that )?back", "undo"),
    ("put on the disk", "write"),
    ("as far as", "if, only"),
    ("round (a|an|the|each|every|it|them|links?|urls?)", "around"),
    ("besides|beside (it|them)", "also, in addition to"),
    ("in vain", "without effect"),
    ("all else", "all others"),
    ("(one|each|object|row|path|url) a (line|row)", "per line"),
    ("folders?", "directory"),
    ("lies|anew|goes on|go on", "is, again, continue"),
    ("in the place of|for nothing|whoever|so many", "for, needlessly"),
    ("knows|asks|trusts|distrusts", "has, uses, needs"),
    (
        "colour\\w*|behaviour\\w*|neighbour\\w*|licences?|spelt\
         |\\w*(normal|serial|optim|recogn|organ|canonical)is(e|ed|es|er|ing|ation)",
        "the American spelling",
    ),
];

/// A paragraph of a text.
struct Paragraph {
    /// The file, and the number of the first line if it is known.
    place: String,
    text: String,
}

#[test]
fn texts_avoid_phrases_that_are_hard_to_read() {
    let phrases = PHRASES.map(|(phrase, instead)| {
        let phrase = Regex::new(&format!(r"(?i)\b({phrase})\b")).expect("a regular expression");
        (phrase, instead)
    });
    let mut report = String::new();
    for Paragraph { place, text } in paragraphs() {
        for (phrase, instead) in &phrases {
            for found in phrase.find_iter(&text) {
                let found = found.as_str();
                report += &format!("{place}: {found:?} (better: {instead}) in: {text}\n");
            }
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

fn paragraphs() -> Vec<Paragraph> {
    let mut paragraphs = Vec::new();
    for path in files_of(&["crates", "src"], "rs") {
        let text = read(&path);
        paragraphs.extend(comments(&path, &text));
        paragraphs.extend(literals(&path, &text));
        paragraphs.extend(test_names(&path, &text));
    }
    for path in files_of(&["tests", "benches", "fuzz/fuzz_targets"], "rs") {
        let text = read(&path);
        paragraphs.extend(comments(&path, &text));
        paragraphs.extend(test_names(&path, &text));
    }
    for path in files_of(&["."], "md") {
        paragraphs.extend(prose(&path.display().to_string(), read(&path).lines()));
    }
    for path in ["Cargo.toml", "justfile", ".ci/run"] {
        let text = read(Path::new(path));
        let comments = text.lines().map(|line| line.strip_prefix("# ").unwrap_or_default());
        paragraphs.extend(prose(path, comments));
    }
    paragraphs.extend(help());
    assert!(paragraphs.len() > 3000, "{} paragraphs", paragraphs.len());
    paragraphs
}

/// The files in these directories of the repository with this extension, by path from its root.
fn files_of(directories: &[&str], extension: &str) -> Vec<PathBuf> {
    let is_read = |entry: &walkdir::DirEntry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0 || !name.starts_with('.') && name != "target" && !name.ends_with(".in")
    };
    let entries = directories.iter().flat_map(|directory| {
        let walk = walkdir::WalkDir::new(directory).sort_by_file_name();
        walk.into_iter().filter_entry(is_read)
    });
    let paths = entries.map(|entry| entry.expect("a readable directory").into_path());
    let has_extension = |path: &PathBuf| path.extension().is_some_and(|it| it == extension);
    paths.filter(has_extension).collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The paragraphs of Markdown or plain text, without code blocks and code spans. Each item of a
/// list is a paragraph.
fn prose<'t>(file: &str, lines: impl Iterator<Item = &'t str>) -> Vec<Paragraph> {
    let code_span = Regex::new("`[^`]*`").expect("a regular expression");
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    let mut is_new = true;
    let mut is_code = false;
    for (line, text) in (1..).zip(lines) {
        let text = text.trim();
        if text.starts_with("```") {
            is_code = !is_code;
            is_new = true;
        } else if text.is_empty() {
            is_new = true;
        } else if !is_code {
            is_new |= text.starts_with(['-', '*', '|', '#']);
            match paragraphs.last_mut().filter(|_| !is_new) {
                Some(paragraph) => paragraph.text += &format!(" {text}"),
                None => paragraphs
                    .push(Paragraph { place: format!("{file}:{line}"), text: text.to_owned() }),
            }
            is_new = false;
        }
    }
    for paragraph in &mut paragraphs {
        paragraph.text = code_span.replace_all(&paragraph.text, "``").into_owned();
    }
    paragraphs
}

/// The comments of a source file that begin a line.
fn comments(path: &Path, text: &str) -> Vec<Paragraph> {
    let lines = text.lines().map(|line| match line.trim_start().strip_prefix("//") {
        Some(comment) => comment.strip_prefix(['/', '!']).unwrap_or(comment),
        None => "",
    });
    prose(&path.display().to_string(), lines)
}

/// The string literals of a source file that have more than one word, except for those of unit
/// tests.
fn literals(path: &Path, text: &str) -> Vec<Paragraph> {
    let code: TokenStream = sources::code(text).parse().expect("a source file is Rust");
    let placeholder = Regex::new(r"\{[^}]*\}").expect("a regular expression");
    let mut literals = Vec::new();
    let mut streams = vec![code];
    while let Some(stream) = streams.pop() {
        for token in stream {
            match token {
                TokenTree::Group(group) => streams.push(group.stream()),
                TokenTree::Literal(literal) => {
                    let literal = syn::parse_str::<LitStr>(&literal.to_string());
                    literals.extend(literal.ok().map(|it| it.value()));
                }
                _ => {}
            }
        }
    }
    let texts = literals.into_iter().filter(|text| text.contains(' '));
    let paragraph = |text: String| Paragraph {
        place: path.display().to_string(),
        text: placeholder.replace_all(&text, "{}").into_owned(),
    };
    texts.map(paragraph).collect()
}

/// The names of the tests of a source file, as words.
fn test_names(path: &Path, text: &str) -> Vec<Paragraph> {
    let test =
        Regex::new(r"#\[test\]\s*(?:#\[[^\]]*\]\s*)*fn (\w+)").expect("a regular expression");
    let names = test.captures_iter(text).map(|captures| Paragraph {
        place: path.display().to_string(),
        text: captures[1].replace('_', " "),
    });
    names.collect()
}

/// The help of the command and of its subcommands, short and long.
fn help() -> Vec<Paragraph> {
    let help = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_rehref"))
            .args(arguments)
            .output()
            .expect("rehref runs");
        String::from_utf8(output.stdout).expect("help is UTF-8")
    };
    let main = help(&["--help"]);
    let (_, commands) = main.split_once("Commands:\n").expect("a list of commands");
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let commands: Vec<_> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"extract"), "{commands:?}");
    let mut paragraphs = prose("rehref --help", main.lines());
    for command in commands.into_iter().filter(|it| *it != "help") {
        for option in ["-h", "--help"] {
            let text = help(&[command, option]);
            paragraphs.extend(prose(&format!("rehref {command} {option}"), text.lines()));
        }
    }
    paragraphs
}
