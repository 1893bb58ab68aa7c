//! The directory to which the names of files in a diff are relative.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

use crate::fs::Item;
use crate::fs::journal::Root;
use crate::rewrite::quoted_name;

/// The directory in which `patch -p1` or `git apply` applies a diff. Names of files in the diff are
/// relative to it.
#[derive(Clone, Debug, Default)]
pub struct DiffRoot {
    /// Without symbolic links. `None` if it is unknown: names are then as the files are named.
    directory: Option<PathBuf>,
    /// True if the root is the current directory.
    is_current: bool,
}

impl DiffRoot {
    /// The current directory, if it contains all of these files and directories; otherwise the
    /// deepest directory that does.
    pub fn of_paths<'p>(paths: impl IntoIterator<Item = &'p Path> + Clone) -> Self {
        let current = Path::new(".").canonicalize().ok();
        let is_inside = |path: &Path| match (path.canonicalize(), &current) {
            (Ok(path), Some(current)) => path.starts_with(current),
            // It has no diff.
            _ => true,
        };
        if paths.clone().into_iter().all(is_inside) {
            return Self { directory: current, is_current: true };
        }
        let common = Root::holding(paths).ok();
        Self { directory: common.map(|it| it.directory().to_owned()), is_current: false }
    }

    /// The root of a diff of these inputs. See [`DiffRoot::of_paths`].
    pub fn of_items(items: &[Item]) -> Self {
        Self::of_paths(items.iter().filter_map(Item::file))
    }

    /// Returns the first line of the diff, which names the directory. `None` for the current
    /// directory.
    pub fn header(&self) -> Option<Vec<u8>> {
        let directory = self.directory.as_ref().filter(|_| !self.is_current)?;
        let directory = quoted_name(directory.as_os_str().as_encoded_bytes());
        let begin = b"# Apply this in ".as_slice();
        Some([begin, &*directory, b"\n"].concat())
    }

    /// Returns the name of a file in the diff. Its directory need not exist.
    pub(super) fn name<'p>(&self, path: &'p Path) -> Cow<'p, Path> {
        let mut components = path.components().peekable();
        components.next_if_eq(&Component::CurDir);
        if self.is_current && components.all(|it| matches!(it, Component::Normal(_))) {
            return Cow::Borrowed(path);
        }
        let below = || {
            let full = std::path::absolute(path).ok()?;
            // A file that is a symbolic link has its own name.
            let mut directories = full.ancestors().skip(1);
            let (real, directory) =
                directories.find_map(|it| Some((it.canonicalize().ok()?, it)))?;
            let real = real.join(full.strip_prefix(directory).ok()?);
            let below = real.strip_prefix(self.directory.as_ref()?).ok()?;
            Some(below.to_owned())
        };
        below().map_or(Cow::Borrowed(path), Cow::Owned)
    }
}
