//! Files by the end of their path.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::paths::{below, split};
use crate::listing::{Entry, Id, Listing};

/// The files of a tree by the names at the end of their path, without differences of case. The cost
/// of a look-up grows with the number of files that it finds, and long answers are kept: the same
/// name is often in many documents.
#[derive(Debug)]
pub(super) struct NameIndex {
    /// The numbers of the directories that paths begin at. Files are listed once below each.
    roots: HashMap<Vec<u8>, u32>,
    /// In order.
    ends: Vec<End>,
    answers: Mutex<HashMap<Question, Answer>>,
}

/// The number of a root, the rule, and the names as in [`End`].
type Question = (u32, NameRule, Vec<u8>);

/// The path of a file below a root.
#[derive(Debug)]
struct End {
    root: u32,
    /// The folded names, the last one first, with a slash after each.
    names: Box<[u8]>,
    file: Id,
}

impl End {
    fn compared(&self, root: u32, names: &[u8]) -> Ordering {
        (self.root, &*self.names).cmp(&(root, names))
    }
}

/// The rule by which a file is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum NameRule {
    /// A note of Obsidian.
    Note,
    /// A page of Hugo.
    Page,
    /// A post of Jekyll.
    Post,
}

/// The file with a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) file: Option<Id>,
    /// True if other files have the name too.
    pub(super) is_ambiguous: bool,
}

/// The number of files whose answer is not kept.
const FEW: usize = 16;

/// The maximum number of answers that are kept.
const MAX_ANSWERS: usize = 100_000;

impl NameIndex {
    /// The files of a listing, below these directories and below the root of the tree.
    pub(super) fn new<'r>(listing: &Listing, roots: impl Iterator<Item = &'r [u8]>) -> Self {
        let mut numbers = HashMap::from([(Vec::new(), 0)]);
        for root in roots {
            let next = numbers.len() as u32;
            numbers.entry(root.to_vec()).or_insert(next);
        }
        let mut ends = Vec::new();
        for (file, path, entry) in listing.iter() {
            if entry != Entry::File {
                continue;
            }
            let mut directory = path;
            while !directory.is_empty() {
                directory = split(directory).0;
                if let Some(&root) = numbers.get(directory) {
                    let names = below(path, directory).unwrap_or(path);
                    let names = reversed(names).into();
                    ends.push(End { root, names, file });
                }
            }
        }
        ends.sort_unstable_by(|a, b| a.compared(b.root, &b.names).then(a.file.cmp(&b.file)));
        Self { roots: numbers, ends, answers: Mutex::default() }
    }

    /// The answer for the files below a root whose path ends in one of these, by `choose`. It must
    /// only depend on the rule and on the first end.
    pub(super) fn answer(
        &self,
        root: &[u8],
        rule: NameRule,
        ends: &[Vec<u8>],
        choose: impl FnOnce(&mut dyn Iterator<Item = Id>) -> Answer,
    ) -> Answer {
        let Some(&number) = self.roots.get(root) else {
            return Answer::default();
        };
        let found = ends.iter().map(|end| self.ending_in(number, &reversed(end)));
        let found: Vec<&[End]> = found.filter(|it| !it.is_empty()).collect();
        let count = found.iter().map(|it| it.len()).sum::<usize>();
        let mut files = found.into_iter().flatten().map(|it| it.file);
        if count <= FEW {
            return choose(&mut files);
        }
        let key = (number, rule, ends.first().map_or_else(Vec::new, |it| reversed(it)));
        let answers = || self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&answer) = answers().get(&key) {
            return answer;
        }
        // Without the lock held: at worst it is computed twice.
        let answer = choose(&mut files);
        let mut answers = answers();
        if answers.len() < MAX_ANSWERS {
            answers.insert(key, answer);
        }
        answer
    }

    /// The file below a root at this path, without differences of case.
    pub(super) fn at(&self, root: &[u8], path: &[u8]) -> Option<Id> {
        let root = *self.roots.get(root)?;
        let names = reversed(path);
        let first = self.ending_in(root, &names).first()?;
        (*first.names == *names).then_some(first.file)
    }

    fn ending_in(&self, root: u32, names: &[u8]) -> &[End] {
        let from = self.ends.partition_point(|it| it.compared(root, names).is_lt());
        let rest = &self.ends[from..];
        let is_found = |it: &End| it.root == root && it.names.starts_with(names);
        &rest[..rest.partition_point(is_found)]
    }
}

/// The folded names of a path, the last one first, with a slash after each.
fn reversed(path: &[u8]) -> Vec<u8> {
    let folded = crate::listing::fold_key(path);
    let names = folded.rsplit(|&byte| byte == b'/');
    names.filter(|it| !it.is_empty()).flat_map(|it| [it, b"/"]).collect::<Vec<_>>().concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_the_end_of_their_path() {
        let files = ["y.md", "x/y.md", "a/X/Y.md", "a-x/y.md", "x/y.mdx", "v/x/y.md"];
        let listing = Listing::of_files(files);
        let index = NameIndex::new(&listing, [&b"v"[..], b"w"].into_iter());
        let found = |root: &str, end: &str| {
            let mut names = Vec::new();
            index.answer(root.as_bytes(), NameRule::Note, &[end.into()], |files| {
                let paths = files.map(|it| String::from_utf8_lossy(listing.name(it)).into_owned());
                names.extend(paths);
                Answer::default()
            });
            names.sort();
            names
        };
        assert_eq!(found("", "x/y.md"), ["a/X/Y.md", "v/x/y.md", "x/y.md"]);
        assert_eq!(found("", "y.md").len(), 5);
        assert_eq!(found("", "X/Y.MDX"), ["x/y.mdx"]);
        assert_eq!(found("v", "y.md"), ["v/x/y.md"]);
        assert_eq!(found("v", "v/x/y.md"), [""; 0]);
        assert_eq!(found("w", "y.md"), [""; 0]);
        assert_eq!(found("none", "y.md"), [""; 0]);
        assert_eq!(found("", "y"), [""; 0]);
        let at = |root: &[u8], path: &[u8]| index.at(root, path).map(|it| listing.name(it));
        assert_eq!(at(b"", b"A/x/y.md"), Some(&b"a/X/Y.md"[..]));
        assert_eq!(at(b"v", b"x/y.md"), Some(&b"v/x/y.md"[..]));
        assert_eq!(at(b"", b"b/x/y.md"), None);
    }
}
