//! The files by which the documentation sites of a tree are found.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::docs_site::{ConfigFiles, DocsSites, SiteChoice, detect};
use crate::format::site_config;
use crate::fs::paths::{bytes_of_path, path_of_bytes};
use crate::listing::Listing;

/// The number of bytes of a file that are read: configuration files and front matter are short.
const MAX_READ: u64 = 64 << 10;

/// The number of bytes of a configuration with a navigation, which may be long.
const MAX_NAVIGATION: u64 = 4 << 20;

/// The number of directories above a tree in which sites are searched outside of a repository.
const MAX_LEVELS: usize = 3;

/// The entries in the root of a repository.
const REPOSITORIES: [&str; 2] = [".git", ".hg"];

/// Finds the documentation sites in a tree with this listing.
pub fn layouts(root: &Path, choice: SiteChoice, listing: &Listing) -> DocsSites {
    let Ok(root) = root.canonicalize() else {
        return DocsSites::default();
    };
    detect(choice, listing, &SiteFiles { root })
}

/// The directory of the innermost site that contains a file with this name in a directory, or is
/// configured by it. `None` if no site does.
pub fn site_of(directory: &Path, name: &Path, choice: SiteChoice) -> Option<PathBuf> {
    let root = directory.canonicalize().ok()?;
    let listing = super::list_to_depth(&root, Some(1), |_| {});
    let levels =
        detect(choice, &listing, &SiteFiles { root }).levels_to_site(&bytes_of_path(name))?;
    let mut path = directory.to_owned();
    (0..levels).for_each(|_| path.push(".."));
    Some(path)
}

/// Reads files of a tree and above it.
struct SiteFiles {
    /// Without symbolic links.
    root: PathBuf,
}

impl SiteFiles {
    fn above(&self, levels: usize) -> Option<&Path> {
        self.root.ancestors().nth(levels)
    }

    /// The directory of the repository, and the levels from the tree to it.
    fn repository_root(&self) -> Option<(&Path, usize)> {
        let mut levels = self.root.ancestors().zip(0..);
        levels.find(|(it, _)| {
            let mut marks = REPOSITORIES.iter().map(|name| it.join(name));
            marks.any(|mark| mark.symlink_metadata().is_ok())
        })
    }
}

impl ConfigFiles for SiteFiles {
    fn read(&self, path: &[u8]) -> Option<String> {
        beginning(&self.root.join(path_of_bytes(path)))
    }

    fn read_above(&self, levels: usize, name: &str) -> Option<String> {
        beginning(&self.above(levels)?.join(name))
    }

    fn exists(&self, levels: usize, name: &str) -> bool {
        let path = self.above(levels).map(|it| it.join(name));
        path.is_some_and(|it| it.symlink_metadata().is_ok())
    }

    fn names_above(&self) -> Vec<Vec<u8>> {
        let repository = self.repository_root();
        let levels = repository.map_or(MAX_LEVELS, |(_, levels)| levels);
        let names = self.root.ancestors().take(levels);
        let names = names.filter_map(Path::file_name).map(Path::new);
        let mut names: Vec<_> = names.map(|it| bytes_of_path(it).into_owned()).collect();
        names.reverse();
        names
    }

    fn repository(&self) -> Option<(String, usize)> {
        let (directory, levels) = self.repository_root()?;
        let git = directory.join(".git");
        let config = match git.is_dir() {
            true => git.join("config"),
            // A linked working tree names its directory, and that the directory of the repository.
            false => {
                let text = beginning(&git)?;
                let linked = directory.join(text.strip_prefix("gitdir:")?.trim());
                let common = beginning(&linked.join("commondir"));
                let common = common.map(|it| linked.join(it.trim()));
                common.unwrap_or(linked).join("config")
            }
        };
        Some((beginning(&config).unwrap_or_default(), levels))
    }
}

/// The beginning of a file, read as UTF-8. `None` for what is not a regular file.
fn beginning(path: &Path) -> Option<String> {
    let metadata = fs::metadata(path).ok()?;
    if !metadata.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    let most = match site_config::site_of(&bytes_of_path(path)) {
        Some(_) => MAX_NAVIGATION,
        None => MAX_READ,
    };
    let file = File::open(path).ok()?;
    file.take(most).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::docs_site::SiteKind;
    use crate::files::Tree;

    fn kind(root: &Path, path: &str) -> SiteKind {
        let listing = super::super::list(root, |error| panic!("{error}"));
        layouts(root, SiteChoice::Auto, &listing).kind_of(path.as_bytes())
    }

    #[test]
    fn repositories_of_github_are_found_from_directories_and_linked_trees() {
        let config = "[remote \"origin\"]\n\turl = git@github.com:o/r.git\n";
        let tree = Tree::new(&[
            ("r/.git/config", config),
            ("r/.git/worktrees/w/commondir", "../..\n"),
            ("r/docs/a.md", ""),
            ("w/.git", "gitdir: ../r/.git/worktrees/w\n"),
            ("w/a.md", ""),
            (
                "other/.git/config",
                "[user]\n\temail = a@users.noreply.github.com\n[remote \"origin\"]\n\turl = /srv/r.git\n",
            ),
            ("other/a.md", ""),
        ]);
        let root = tree.path();
        assert_eq!(kind(&root.join("r"), "docs/a.md"), SiteKind::GitHub);
        assert_eq!(kind(&root.join("r/docs"), "a.md"), SiteKind::GitHub);
        assert_eq!(kind(&root.join("w"), "a.md"), SiteKind::GitHub);
        assert_eq!(kind(&root.join("other"), "a.md"), SiteKind::Plain);
    }

    #[test]
    fn outside_of_a_repository_sites_are_searched_in_a_few_directories() {
        let tree = Tree::new(&[
            ("book.toml", "[book]\nsrc = \"\"\n"),
            ("a/b/c/x.md", ""),
            ("a/b/c/d/x.md", ""),
        ]);
        let root = tree.path();
        assert_eq!(kind(&root.join("a/b/c"), "x.md"), SiteKind::MdBook);
        assert_eq!(kind(&root.join("a/b/c/d"), "x.md"), SiteKind::Plain);
    }

    #[test]
    fn sites_of_zola_are_plain() {
        let zola = "base_url = \"https://mill.example\"\n[markdown]\n";
        let tree = Tree::new(&[
            ("zola/.git/config", ""),
            ("zola/config.toml", zola),
            ("zola/content/a.md", "+++\n+++\n[b](@/b.md)\n"),
            ("hugo/.git/config", ""),
            ("hugo/config.toml", "baseURL = \"https://mill.example\"\n"),
            ("hugo/content/a.md", ""),
        ]);
        let root = tree.path();
        assert_eq!(kind(&root.join("zola"), "content/a.md"), SiteKind::Plain);
        assert_eq!(kind(&root.join("hugo"), "content/a.md"), SiteKind::Hugo);
    }

    #[test]
    fn sites_are_searched_up_to_the_root_of_the_repository() {
        let tree = Tree::new(&[
            ("book.toml", "[book]\nsrc = \"r\"\n"),
            ("r/.git/config", ""),
            ("r/mkdocs.yml", "docs_dir: text\n"),
            ("r/text/guide/a.md", ""),
            ("r/b.md", ""),
        ]);
        let root = tree.path();
        assert_eq!(kind(root, "r/b.md"), SiteKind::MdBook);
        assert_eq!(kind(root, "r/text/guide/a.md"), SiteKind::MkDocs);
        assert_eq!(kind(&root.join("r"), "b.md"), SiteKind::Plain);
        assert_eq!(kind(&root.join("r/text/guide"), "a.md"), SiteKind::MkDocs);
        let site = |directory: &str, name: &str| {
            site_of(&root.join(directory), Path::new(name), SiteChoice::Auto)
        };
        let real = |path: &Path| path.canonicalize().unwrap();
        let found = site("r/text/guide", "a.md");
        assert_eq!(found.map(|it| real(&it)), Some(real(&root.join("r"))));
        assert_eq!(site("r", "b.md"), None);
        assert_eq!(site("r", "mkdocs.yml"), Some(root.join("r")));
    }
}
