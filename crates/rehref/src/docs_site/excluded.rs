//! The files in the content of a site that its configuration excludes.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The files of a site that are not published, by their paths below its content.
#[derive(Clone, Debug)]
pub(super) struct Excluded {
    /// The beginnings of paths.
    pub(super) beginnings: Vec<String>,
    /// Files, and directories with all that they contain.
    globs: GlobSet,
    /// Files that are published all the same.
    pub(super) but: GlobSet,
    rules: Gitignore,
}

impl Excluded {
    /// Of globs of files and directories. `*` matches a slash unless `has_separators` is true.
    pub(super) fn of_globs<'p>(
        patterns: impl Iterator<Item = &'p str>,
        has_separators: bool,
    ) -> Self {
        Self {
            beginnings: Vec::new(),
            globs: globs(patterns, has_separators),
            but: GlobSet::empty(),
            rules: Gitignore::empty(),
        }
    }

    /// Of the lines of a `.gitignore` file.
    pub(super) fn of_rules(lines: &str) -> Self {
        let mut rules = GitignoreBuilder::new("");
        for line in lines.lines() {
            // An invalid one matches nothing.
            _ = rules.add_line(None, line);
        }
        let rules = rules.build().unwrap_or_else(|_| Gitignore::empty());
        Self { rules, ..Self::of_globs(std::iter::empty(), true) }
    }

    /// Returns true for a path below the content that is excluded.
    pub(super) fn has(&self, path: &[u8]) -> bool {
        let path = String::from_utf8_lossy(path);
        let begins = |it: &String| path.starts_with(&**it);
        let mut parents = path.match_indices('/').map(|(at, _)| &path[..at]);
        (self.beginnings.iter().any(begins)
            || self.globs.is_match(&*path)
            || parents.any(|it| self.globs.is_match(it))
            || self.rules.matched_path_or_any_parents(&*path, false).is_ignore())
            && !self.but.is_match(&*path)
    }
}

/// A set of globs. Invalid ones match nothing.
pub(super) fn globs<'p>(patterns: impl Iterator<Item = &'p str>, has_separators: bool) -> GlobSet {
    let mut globs = GlobSetBuilder::new();
    for pattern in patterns {
        let glob = GlobBuilder::new(pattern).literal_separator(has_separators).build();
        glob.into_iter().for_each(|it| _ = globs.add(it));
    }
    globs.build().unwrap_or_default()
}
