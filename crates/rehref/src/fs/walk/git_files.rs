//! The files of git that walks read: their opening, and rules for ignored files.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The most bytes of a file that are read.
const MOST: u64 = 1 << 20;

/// The text of a file, up to 1 MiB. `None` if it is not a regular file, since anything else could block.
pub(super) fn text_of(file: &Path) -> Option<Vec<u8>> {
    fs::metadata(file).is_ok_and(|it| it.is_file()).then_some(())?;
    let mut text = Vec::new();
    File::open(file).ok()?.take(MOST).read_to_end(&mut text).ok()?;
    Some(text)
}

/// The rules of the `.gitignore` in a directory. git reads no symbolic link of this name.
pub(super) fn own_rules(directory: &Path, ignores_case: bool) -> Gitignore {
    let file = directory.join(".gitignore");
    match fs::symlink_metadata(&file).is_ok_and(|it| it.is_file()) {
        true => rules(directory, &file, ignores_case),
        false => Gitignore::empty(),
    }
}

/// The rules in a file, for paths below a directory. Lines that are not rules are skipped, as by
/// git.
pub(super) fn rules(directory: &Path, file: &Path, ignores_case: bool) -> Gitignore {
    let mut rules = GitignoreBuilder::new(directory);
    // A `[` without its `]` matches nothing in git.
    rules.allow_unclosed_class(false);
    if rules.case_insensitive(ignores_case).is_err() {
        return Gitignore::empty();
    }
    let text = text_of(file).unwrap_or_default();
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&text);
    for line in text.split(|it| *it == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        // No path has an empty name.
        if let Ok(line) = str::from_utf8(line)
            && !line.contains("//")
        {
            // One line that is not a rule does not change others.
            let _ = rules.add_line(None, &without_alternatives(line));
        }
    }
    rules.build().unwrap_or_else(|_| Gitignore::empty())
}

/// A pattern of git, in which braces are literal, for a matcher that has alternatives in braces.
fn without_alternatives(pattern: &str) -> String {
    let mut escaped = String::with_capacity(pattern.len());
    let mut rest = pattern.chars();
    // After it, no class is searched for an end.
    let last_end = pattern.rfind(']').unwrap_or(0);
    while let Some(character) = rest.next() {
        match character {
            '\\' => {
                escaped.push(character);
                escaped.extend(rest.next());
            }
            '[' if pattern.len() - rest.as_str().len() <= last_end => {
                let class = class_len(rest.as_str());
                let (class, after) = rest.as_str().split_at(class);
                escaped.push(character);
                escaped.push_str(class);
                rest = after.chars();
            }
            '{' | '}' => escaped.extend(['\\', character]),
            // More than two are as two.
            '*' if escaped.ends_with("**") => {}
            _ => escaped.push(character),
        }
    }
    escaped
}

/// The length of a class after its `[`, with its `]`. 0 if it has no end.
fn class_len(pattern: &str) -> usize {
    let start = pattern.strip_prefix(['!', '^']).unwrap_or(pattern);
    // The first `]` is one of its characters.
    let start = start.strip_prefix(']').unwrap_or(start);
    let skipped = pattern.len() - start.len();
    start.find(']').map_or(0, |at| skipped + at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_are_literal() {
        for (pattern, expected) in [
            ("{a,b}.html", r"\{a,b\}.html"),
            (r"\{a\\{b", r"\{a\\\{b"),
            ("[{]}", r"[{]\}"),
            ("[]{]{", r"[]{]\{"),
            ("[!{}]a", "[!{}]a"),
            ("[!!]{", r"[!!]\{"),
            ("[{", r"[\{"),
            ("a\\", "a\\"),
            ("****/a**", "**/a**"),
        ] {
            assert_eq!(without_alternatives(pattern), expected, "{pattern}");
        }
    }
}
