//! Generated trees of pages that link to each other, and moves in them.

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::{Index, select};

/// The form of a link.
#[derive(Clone, Debug)]
enum Shape {
    Shortest,
    Dotted,
    /// Climbs to the root of the tree, often needlessly.
    Climbing,
    FromRoot,
    /// To the directory of the target, without a final slash.
    Directory,
    /// To a file that does not exist, next to the page.
    Broken,
}

/// A tree of pages, and moves of files and directories in it.
#[derive(Clone, Debug)]
pub(crate) struct LinkedTree {
    pages: BTreeMap<String, Vec<(Index, Shape)>>,
    moves: Vec<(Index, bool, Index)>,
}

/// Trees with few names: many references have a target from several directories.
pub(crate) fn linked_trees() -> impl Strategy<Value = LinkedTree> {
    let directories = select(vec!["", "a/", "b/", "a/c/", "a/e/", "b/c/", "a/c/d/"]);
    let names = select(vec!["x.html", "y.html", "index.html", "z w.html", "x.md", "README.md"]);
    let path = (directories, names).prop_map(|(directory, name)| format!("{directory}{name}"));
    let shape = select(vec![
        Shape::Shortest,
        Shape::Shortest,
        Shape::Shortest,
        Shape::Dotted,
        Shape::Climbing,
        Shape::FromRoot,
        Shape::Directory,
        Shape::Broken,
    ]);
    let links = prop::collection::vec((any::<Index>(), shape), 0..6);
    let moved = (any::<Index>(), prop::bool::weighted(0.4), any::<Index>());
    (prop::collection::btree_map(path, links, 3..12), prop::collection::vec(moved, 1..5))
        .prop_map(|(pages, moves)| LinkedTree { pages, moves })
}

impl LinkedTree {
    /// The files, with paths relative to the tree. No two have similar content.
    pub(crate) fn files(&self) -> BTreeMap<String, String> {
        let paths: Vec<&String> = self.pages.keys().collect();
        let text = |(path, links): (&String, &Vec<(Index, Shape)>)| {
            let is_markdown = path.ends_with(".md");
            let mut text = match is_markdown {
                true => format!("# Page {path}\n\n"),
                false => format!("<title>Page {path}</title>\n"),
            };
            for (number, (target, shape)) in links.iter().enumerate() {
                let target = *target.get(&paths);
                let directory = directory_of(target);
                let reference = match shape {
                    Shape::Shortest => relative(path, target),
                    Shape::Dotted => format!("./{}", relative(path, target)),
                    Shape::Climbing => "../".repeat(path.matches('/').count()) + target,
                    Shape::FromRoot => format!("/{target}"),
                    Shape::Directory if directory.is_empty() => format!("./{}", relative(path, "")),
                    Shape::Directory => relative(path, directory),
                    Shape::Broken => "gone.html".to_owned(),
                };
                let reference = reference.replace(' ', "%20");
                text += &match (is_markdown, number % 3) {
                    (true, 0) => format!("See [there]({reference}).\n\n"),
                    (true, 1) => format!("[{number}]: <{reference}> \"there\"\n\n"),
                    _ => format!("<p>See <a href=\"{reference}\">there</a>.\n\n"),
                };
            }
            // Also with updated links, git finds the page by its other lines.
            text.extend((0..9).map(|line| format!("Line {line} of page {path}.\n")));
            (path.clone(), text)
        };
        self.pages.iter().map(text).collect()
    }

    /// Old and new paths of files and directories. They do not overlap, so that their order has no
    /// effect.
    pub(crate) fn moves(&self) -> Vec<(String, String)> {
        let paths: Vec<&str> = self.pages.keys().map(String::as_str).collect();
        let mut moves: Vec<(String, String)> = Vec::new();
        for (number, (from, is_directory, to)) in self.moves.iter().enumerate() {
            let file = *from.get(&paths);
            let from = if *is_directory { directory_of(file) } else { file };
            let near = *to.get(&paths);
            let directory = directory_of(near);
            let join = |name: &str| match directory {
                "" => name.to_owned(),
                _ => format!("{directory}/{name}"),
            };
            let name = file.rsplit('/').next().unwrap_or(file);
            let extension = file.rsplit('.').next().unwrap_or(file);
            let same = join(name);
            let siblings = paths.iter().filter(|it| directory_of(it) == directory_of(file));
            let is_new = paths.iter().all(|it| *it != same) && moves.iter().all(|it| it.1 != same);
            // With the same name, the only file of a directory would take it along.
            let keeps_name = !is_directory && is_new && siblings.count() > 1 + self.moves.len();
            let to = if keeps_name { same } else { join(&format!("n{number}.{extension}")) };
            let overlap = |a: &str, b: &str| is_in(a, b) || is_in(b, a);
            let is_apart = moves.iter().all(|(old, new)| {
                !overlap(old, from) && !overlap(new, from) && !is_in(&to, old) && !is_in(&to, new)
            });
            if !from.is_empty() && is_apart && !is_in(&to, from) {
                moves.push((from.to_owned(), to));
            }
        }
        while self.leaves_emptied(&moves) {
            moves.pop();
        }
        moves
    }

    /// Returns true if a directory loses all files and does not move: links to it would break.
    fn leaves_emptied(&self, moves: &[(String, String)]) -> bool {
        let new_path = |path: &str| {
            let moved = moves.iter().find(|(old, _)| is_in(path, old));
            moved.map_or(path.to_owned(), |(old, new)| format!("{new}{}", &path[old.len()..]))
        };
        let files: Vec<String> = self.pages.keys().map(|path| new_path(path)).collect();
        let mut directories = self
            .pages
            .keys()
            .flat_map(|path| path.match_indices('/').map(|(slash, _)| &path[..slash]));
        directories.any(|directory| {
            let new = new_path(directory);
            !files.iter().any(|file| is_in(file, &new))
        })
    }

    /// The old and new path of each file that moves.
    pub(crate) fn moved_files(&self) -> Vec<(String, String)> {
        let moves = self.moves();
        let moved = self.pages.keys().filter_map(|path| {
            let (old, new) = moves.iter().find(|(old, _)| is_in(path, old))?;
            Some((path.clone(), format!("{new}{}", &path[old.len()..])))
        });
        moved.collect()
    }

    /// Moves the files and directories in the tree at `root`.
    pub(crate) fn make_moves(&self, root: &Path, rename: impl Fn(&Path, &Path)) {
        for (old, new) in self.moves() {
            let new = root.join(new);
            std::fs::create_dir_all(new.parent().expect("a directory")).expect("created");
            rename(&root.join(old), &new);
        }
    }
}

/// Returns true for a directory and for every path in it.
fn is_in(path: &str, directory: &str) -> bool {
    let rest = path.strip_prefix(directory);
    rest.is_some_and(|it| it.is_empty() || it.starts_with('/'))
}

fn directory_of(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..slash])
}

/// The shortest reference from a page to a path.
fn relative(from: &str, to: &str) -> String {
    let (from, to): (Vec<_>, Vec<_>) = (from.split('/').collect(), to.split('/').collect());
    let directories = &from[..from.len() - 1];
    let last = to.len().saturating_sub(1);
    let same = directories.iter().zip(&to[..last]);
    let same = same.take_while(|(a, b)| a == b).count();
    "../".repeat(directories.len() - same) + &to[same..].join("/")
}
