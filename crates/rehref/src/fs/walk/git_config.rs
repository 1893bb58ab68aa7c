//! The settings of git that decide which files it ignores.

use std::env;
use std::path::{Path, PathBuf};

use super::git_files::text_of;
use crate::fs::paths::path_of_bytes;

/// The most files that are read for a repository, with those that others include.
const MOST: usize = 100;

/// The settings of git that decide which files of a repository it ignores.
#[derive(Debug, Default)]
pub(super) struct GitConfig {
    /// `core.excludesFile`.
    excludes: Option<PathBuf>,
    /// `core.ignoreCase`.
    pub(super) ignores_case: bool,
    /// The number of files that were read.
    files: usize,
}

impl GitConfig {
    /// The settings of the system, of the user and of the repository with this directory of git.
    /// Later ones override earlier ones (git-config, "Files").
    pub(super) fn of_repository(git_directory: &Path) -> Self {
        let mut config = Self::default();
        let named = |variable: &str| env::var_os(variable).map(PathBuf::from);
        if env::var_os("GIT_CONFIG_NOSYSTEM").is_none() {
            let system = named("GIT_CONFIG_SYSTEM");
            config.read(&system.unwrap_or_else(|| PathBuf::from("/etc/gitconfig")));
        }
        let of_user = match named("GIT_CONFIG_GLOBAL") {
            Some(file) => [Some(file), None],
            None => [of_user("config"), env::home_dir().map(|it| it.join(".gitconfig"))],
        };
        let of_repository = git_directory.join("config");
        of_user.iter().flatten().for_each(|file| config.read(file));
        config.read(&of_repository);
        config
    }

    /// The file with rules for all repositories, for the repository with this top.
    pub(super) fn excludes(&self, top: &Path) -> Option<PathBuf> {
        match &self.excludes {
            Some(file) => Some(top.join(file)),
            None => of_user("ignore"),
        }
    }

    fn read(&mut self, file: &Path) {
        self.files += 1;
        let Some(text) = text_of(file).filter(|_| self.files <= MOST) else {
            return;
        };
        for (name, value) in variables(&text) {
            match &*name {
                "core.excludesfile" => self.excludes = Some(path(&value)),
                "core.ignorecase" => self.ignores_case = is_true(&value),
                "include.path" => {
                    let directory = file.parent().unwrap_or(Path::new(""));
                    self.read(&directory.join(path(&value)));
                }
                _ => {}
            }
        }
    }
}

/// A file of git in the directory for settings of the user.
fn of_user(name: &str) -> Option<PathBuf> {
    let directory = env::var_os("XDG_CONFIG_HOME").filter(|it| !it.is_empty());
    let directory = directory.map(PathBuf::from);
    let directory = directory.or_else(|| Some(env::home_dir()?.join(".config")))?;
    Some(directory.join("git").join(name))
}

/// The path in a value, which may be below the home directory.
fn path(value: &[u8]) -> PathBuf {
    let below_home = value.strip_prefix(b"~/").zip(env::home_dir());
    below_home.map_or_else(|| path_of_bytes(value), |(rest, home)| home.join(path_of_bytes(rest)))
}

fn is_true(value: &[u8]) -> bool {
    let value = value.to_ascii_lowercase();
    matches!(&*value, b"true" | b"yes" | b"on" | b"1")
}

/// The variables of a file: the name of each, in lower case and after its section, and its value.
/// The file ends at a fault (git-config, "Syntax").
fn variables(text: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut variables = Vec::new();
    let mut section = String::new();
    let mut rest = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text).trim_ascii_start();
    while let [first, after @ ..] = rest {
        rest = match first {
            b'#' | b';' => &rest[line_len(rest)..],
            b'[' => {
                let len = section_len(after);
                section = String::from_utf8_lossy(&after[..len]).to_ascii_lowercase();
                after.get(len + 1..).unwrap_or_default()
            }
            _ => {
                let is_name = |it: &&u8| it.is_ascii_alphanumeric() || **it == b'-';
                let (name, after) = rest.split_at(rest.iter().take_while(is_name).count());
                if name.is_empty() {
                    break;
                }
                let name = String::from_utf8_lossy(name).to_ascii_lowercase();
                let blanks = after.iter().take_while(|it| matches!(it, b' ' | b'\t')).count();
                let (value, after) = match after[blanks..].strip_prefix(b"=") {
                    Some(after) => value(after),
                    None => (b"true".to_vec(), &after[blanks..]),
                };
                variables.push((format!("{section}.{name}"), value));
                after
            }
        };
        rest = rest.trim_ascii_start();
    }
    variables
}

/// The length of the name of a section, up to its `]`. The name of a subsection in quotes may have
/// others.
fn section_len(text: &[u8]) -> usize {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let end = text.iter().position(|byte| {
        let is_end = *byte == b']' && !is_quoted;
        is_quoted ^= *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_end
    });
    end.unwrap_or(text.len())
}

/// The value after a `=`, and the text after it: a comment or a line break.
fn value(text: &[u8]) -> (Vec<u8>, &[u8]) {
    let mut value = Vec::new();
    // The length without blanks at the end.
    let mut len = 0;
    let mut is_quoted = false;
    let mut rest = text;
    loop {
        rest = match rest {
            [] | [b'\n', ..] | [b'\r', b'\n', ..] => break,
            [b'#' | b';', ..] if !is_quoted => break,
            [b'\\', b'\n', after @ ..] | [b'\\', b'\r', b'\n', after @ ..] => after,
            [b'"', after @ ..] => {
                is_quoted = !is_quoted;
                len = value.len();
                after
            }
            [b'\\', escape, after @ ..] => {
                value.push(match escape {
                    b'n' => b'\n',
                    b't' => b'\t',
                    other => *other,
                });
                len = value.len();
                after
            }
            [byte, after @ ..] => {
                let is_blank = matches!(byte, b' ' | b'\t') && !is_quoted;
                if !is_blank || !value.is_empty() {
                    value.push(*byte);
                }
                if !is_blank {
                    len = value.len();
                }
                after
            }
        };
    }
    value.truncate(len);
    (value, rest)
}

fn line_len(text: &[u8]) -> usize {
    text.iter().take_while(|it| **it != b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_have_sections_quotes_comments_and_continued_lines() {
        let text = "\u{FEFF}# a\n[core] excludesFile = \"~/a # b\" ; c\n\tIgnoreCase\n\
            [url \"x]\\\"]\"]\r\n insteadOf = a b\t\r\n[Include]\npath = a\\\n b\\\\c # d\nempty=\n";
        let found = variables(text.as_bytes());
        let found: Vec<_> =
            found.iter().map(|(name, value)| (&**name, str::from_utf8(value).unwrap())).collect();
        let expected = [
            ("core.excludesfile", "~/a # b"),
            ("core.ignorecase", "true"),
            ("url \"x]\\\"]\".insteadof", "a b"),
            ("include.path", "a b\\c"),
            ("include.empty", ""),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_file_ends_at_a_fault() {
        for text in ["[core]\na=b\n=c\nd=e", "[core]\na=b\n\0", "[core]\na=b\n[d"] {
            assert_eq!(variables(text.as_bytes()), [("core.a".to_owned(), b"b".to_vec())]);
        }
    }
}
