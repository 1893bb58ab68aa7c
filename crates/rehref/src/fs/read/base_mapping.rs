//! Retrieval URLs of documents, given by the caller.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::bytes::percent;
use crate::fs::Item;
use crate::fs::paths::{directory_of, path_in, path_of_bytes};
use crate::source::{Base, BaseFrom};
use crate::uri::Parts;

/// The retrieval URLs of documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseMapping {
    /// One URL for every document.
    Uri(String),
    /// URLs of the documents in a directory, below a base URL.
    Tree {
        /// The URL of the directory, which ends in `/`.
        url: String,
        /// The directory.
        directory: RealDirectory,
    },
}

/// A canonical directory, and the paths of files below it.
///
/// Canonicalizing a path takes a system call for each name. So the results for directories are
/// cached, and where the directory of a directory is known, only the last name is examined.
#[derive(Debug)]
pub struct RealDirectory {
    path: PathBuf,
    known: Mutex<Known>,
}

/// The paths of directories below another one. `None` for directories outside of it.
type Known = HashMap<PathBuf, Option<PathBuf>>;

/// The most directories in the cache.
const MAX_KNOWN: usize = 1 << 12;

impl RealDirectory {
    /// The directory at `path`.
    ///
    /// # Errors
    /// If the system cannot resolve the path.
    pub fn new(path: &Path) -> io::Result<Self> {
        Ok(Self::of_real(path.canonicalize()?))
    }

    fn of_real(path: PathBuf) -> Self {
        let known = Mutex::default();
        Self { path, known }
    }

    /// The path, without symbolic links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file below the directory. `None` for a file outside of it. The file itself may
    /// be a symbolic link to anywhere.
    pub fn path_below(&self, item: &Item) -> Option<PathBuf> {
        let path = item.file()?;
        let parent = directory_of(path);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let below = self.directory_below(parent, &mut known)?;
        Some(path_in(below, Path::new(path.file_name()?)))
    }

    /// The path of another directory below this one.
    fn directory_below<'k>(&self, directory: &Path, known: &'k mut Known) -> Option<&'k Path> {
        if !known.contains_key(directory) {
            // On other systems canonicalizing may also correct the case of a name.
            let parent = directory.parent().filter(|_| cfg!(target_os = "linux"));
            let parent = parent.and_then(|parent| self.directory_below(parent, known));
            let below = match (parent, directory.file_name()) {
                (Some(parent), Some(name))
                    if fs::symlink_metadata(directory).is_ok_and(|it| it.is_dir()) =>
                {
                    Some(parent.join(name))
                }
                _ => {
                    let real = directory.canonicalize().ok();
                    real.and_then(|real| Some(real.strip_prefix(&self.path).ok()?.to_owned()))
                }
            };
            if known.len() >= MAX_KNOWN {
                known.clear();
            }
            known.insert(directory.to_owned(), below);
        }
        known.get(directory)?.as_deref()
    }
}

impl Clone for RealDirectory {
    fn clone(&self) -> Self {
        Self::of_real(self.path.clone())
    }
}

impl PartialEq for RealDirectory {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

impl Eq for RealDirectory {}

/// The reason why a base is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BaseMappingError {
    /// Not an absolute URI.
    NotAbsolute(String),
    /// There is no such directory.
    NoDirectory(String),
    /// The URI cannot be that of a directory, for the given reason.
    NoDirectoryUrl(String, &'static str),
}

impl fmt::Display for BaseMappingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAbsolute(uri) => write!(f, "{uri:?} is not an absolute URI"),
            Self::NoDirectory(directory) => write!(f, "{directory:?} is not a directory"),
            Self::NoDirectoryUrl(url, reason) => {
                write!(f, "{url:?} cannot be the URL of a directory: {reason}")
            }
        }
    }
}

impl std::error::Error for BaseMappingError {}

impl BaseMapping {
    /// The URL of the document or of the directory.
    pub fn url(&self) -> &str {
        match self {
            Self::Uri(url) | Self::Tree { url, .. } => url,
        }
    }

    /// The URLs of the documents in a directory with this URL.
    ///
    /// # Errors
    /// If the URL is not absolute or cannot be that of a directory, or the directory does not exist.
    pub fn of_directory(url: &str, directory: &Path) -> Result<Self, BaseMappingError> {
        match RealDirectory::new(directory) {
            Ok(real) if real.path().is_dir() => {
                Ok(Self::Tree { url: directory_url(url)?, directory: real })
            }
            _ => Err(BaseMappingError::NoDirectory(directory.display().to_string())),
        }
    }

    /// Parses `URI`, or `URL=DIR`, which is split at the last `=`.
    ///
    /// A `=` belongs to the URI if it is in the query or fragment, in a URI without directories
    /// such as `mailto:`, or after a `;` in the same segment, unless the text after it begins with
    /// `/`, `./` or `../`. Any other `=` ends the URL of a directory; write `%3D` for a `=` of the
    /// URI.
    ///
    /// # Errors
    /// If the URI is not absolute, the directory does not exist, or the URI cannot be that of a
    /// directory.
    pub fn parse(argument: impl AsRef<OsStr>) -> Result<Self, BaseMappingError> {
        let argument = argument.as_ref();
        if let Some((url, directory)) = split(argument)
            && is_end_of_url(&url, &directory)
        {
            return Self::of_directory(&url, &directory);
        }
        match argument.to_str() {
            Some(uri) if Parts::split(uri).scheme.is_some() => Ok(Self::Uri(uri.to_owned())),
            _ => Err(BaseMappingError::NotAbsolute(argument.display().to_string())),
        }
    }

    /// The directory after the last `=` of an argument that [`parse`](Self::parse) reads as one
    /// URI. `None` if there is no such directory, and so no doubt.
    pub fn other_reading(argument: impl AsRef<OsStr>) -> Option<PathBuf> {
        let (url, directory) = split(argument.as_ref())?;
        let parts = Parts::split(&url);
        let may_be_script =
            has_directories(&parts) && !is_end_of_url(&url, &directory) && directory.is_dir();
        may_be_script.then_some(directory)
    }

    /// The directory in `URL=DIR`, as written.
    pub fn written_directory(argument: &OsStr) -> Option<PathBuf> {
        split(argument).map(|(_, directory)| directory)
    }

    /// The base of an item's document. `None` for one outside of the directory.
    pub(super) fn base_of(&self, item: &Item) -> Option<Base> {
        let uri = match self {
            Self::Uri(uri) => uri.clone(),
            Self::Tree { url, directory } => url_below(url, &directory.path_below(item)?),
        };
        Some(Base { uri, from: BaseFrom::Option })
    }
}

/// The URL of the file with this path below the directory with this URL.
pub(crate) fn url_below(url: &str, below: &Path) -> String {
    let mut uri = String::with_capacity(url.len() + below.as_os_str().len());
    uri.push_str(url);
    for (at, name) in below.components().enumerate() {
        if at > 0 {
            uri.push('/');
        }
        percent::encode_path_segment(name.as_os_str().as_encoded_bytes(), &mut uri);
    }
    uri
}

/// The two sides of the last `=`. The name of a directory may be invalid UTF-8.
fn split(argument: &OsStr) -> Option<(Cow<'_, str>, PathBuf)> {
    let bytes = argument.as_encoded_bytes();
    let at = bytes.iter().rposition(|&byte| byte == b'=')?;
    let url = String::from_utf8_lossy(&bytes[..at]);
    Some((url, path_of_bytes(&bytes[at + 1..])))
}

/// Returns true if a `=` between these texts ends the URL of a directory, and is not a part of a
/// URI.
fn is_end_of_url(url: &str, directory: &Path) -> bool {
    let parts = Parts::split(url);
    let segment = parts.path.rsplit('/').next().unwrap_or_default();
    let is_explicit = directory.has_root()
        || directory.starts_with(Component::CurDir)
        || directory.starts_with(Component::ParentDir);
    has_directories(&parts)
        && parts.query.is_none()
        && parts.fragment.is_none()
        && (!segment.contains(';') || is_explicit)
}

/// Returns true for an absolute URI whose path has directories, unlike that of `mailto:` and
/// `urn:`.
fn has_directories(parts: &Parts<'_>) -> bool {
    parts.scheme.is_some() && (parts.authority.is_some() || parts.path.starts_with('/'))
}

/// The URL of a directory, with the final slash that relative references need.
///
/// # Errors
/// If it cannot be the URL of a directory: it is not absolute, has a query or a fragment, or its
/// path does not begin with a slash, as in `mailto:` and `urn:`.
pub fn directory_url(url: &str) -> Result<String, BaseMappingError> {
    let parts = Parts::split(url);
    let refused = |reason| Err(BaseMappingError::NoDirectoryUrl(url.to_owned(), reason));
    match parts {
        Parts { scheme: None, .. } => Err(BaseMappingError::NotAbsolute(url.to_owned())),
        Parts { query: Some(_), .. } => refused("it has a query"),
        Parts { fragment: Some(_), .. } => refused("it has a fragment"),
        Parts { authority: None, path, .. } if !path.starts_with('/') => {
            refused("it has no directories")
        }
        Parts { path, .. } if path.ends_with('/') => Ok(url.to_owned()),
        _ => Ok(format!("{url}/")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Tree;

    #[cfg(unix)]
    #[test]
    fn cached_paths_below_are_those_of_canonical_directories() {
        let files = Tree::empty();
        for path in ["tree/a/b/c", "tree/d", "other/a"] {
            files.make(path);
        }
        files.symlink("../d", "tree/a/link");
        files.symlink("../../other", "tree/a/out");
        files.symlink("../tree/a", "other/in");
        let names = [
            "tree/a/b/c/x", "tree/x", "tree/a/link/x", "tree/a/b/../x", "tree/a/link/../x",
            "tree/a/b/../../a/b/c/x", "tree/a/out/x", "tree/a/out/a/x", "other/x", "other/in/x",
            "other/in/b/x", "tree/none/x", "tree/a/./b//x", "tree/a/b/none/../x",
        ];
        let tree = files.at("tree");
        // Each name first in a new cache, then after all others.
        let cached = RealDirectory::of_real(tree.clone());
        for name in names.iter().chain(&names).chain(names.iter().rev()) {
            let path = files.at(name);
            let parent = path.parent().unwrap().canonicalize().ok();
            let below = parent.and_then(|it| Some(it.strip_prefix(&tree).ok()?.join("x")));
            let item = Item::Path(path);
            assert_eq!(cached.path_below(&item), below, "{name}");
            let uncached = RealDirectory::of_real(tree.clone());
            assert_eq!(uncached.path_below(&item), below, "{name}");
        }
    }

    #[test]
    fn url_and_existing_directory_are_a_tree() {
        let files = Tree::empty();
        files.make("a b");
        let argument = format!("http://h/x={}", files.path().display());
        let tree = BaseMapping::parse(&argument).unwrap();
        let base = |path: PathBuf| tree.base_of(&Item::Path(path)).map(|base| base.uri);
        assert_eq!(
            base(files.at("a b/c%#.html")).as_deref(),
            Some("http://h/x/a%20b/c%25%23.html")
        );
        assert_eq!(base(files.at("a b/../d")).as_deref(), Some("http://h/x/d"));
        assert_eq!(base("/elsewhere".into()), None);
        assert_eq!(base(files.at("a b/d")).as_deref(), Some("http://h/x/a%20b/d"));
        assert_eq!(tree.base_of(&Item::Stdin), None);
    }

    #[test]
    fn a_uri_may_contain_equals_signs() {
        let files = Tree::empty();
        let path = files.path().display();
        for uri in [
            "http://h/?a=b",
            "http://h/a;v=1/c",
            "http://h/a;v=src",
            "urn:x=y",
            &format!("http://h/?a={path}"),
            &format!("http://h/#a={path}"),
            &format!("mailto:a@h?b={path}"),
            &format!("urn:a={path}"),
        ] {
            assert_eq!(BaseMapping::parse(uri), Ok(BaseMapping::Uri(uri.to_owned())));
        }
        for tree in
            ["http://h/=no/such", "http://h=no/such", "http://h/docs=no/such", "file:/docs=no/such"]
        {
            let refused = BaseMappingError::NoDirectory("no/such".to_owned());
            assert_eq!(BaseMapping::parse(tree), Err(refused));
        }
        assert!(matches!(BaseMapping::parse("a/b"), Err(BaseMappingError::NotAbsolute(_))));
    }

    #[test]
    fn an_equals_sign_after_a_semicolon_needs_an_explicit_directory() {
        let files = Tree::empty();
        let tree = |argument: &str| {
            let parsed = BaseMapping::parse(argument).unwrap();
            matches!(parsed, BaseMapping::Tree { .. })
        };
        assert!(tree(&format!("http://h/a;v=1={}", files.path().display())));
        assert!(tree("http://h/a;v=1=./src"));
        assert!(!tree("http://h/a;v=1=src"));
        let other = |argument| BaseMapping::other_reading(argument);
        assert_eq!(other("http://h/a;v=src"), Some("src".into()));
        assert_eq!(other("http://h/?v=src"), Some("src".into()));
        assert_eq!(other("http://h/?v=no/such"), None);
        assert_eq!(other("http://h/=src"), None);
    }

    #[test]
    fn a_uri_without_directories_is_not_the_base_of_a_tree() {
        let files = Tree::empty();
        let refused = |url: &str| {
            let argument = format!("{url}={}", files.path().display());
            assert!(!matches!(BaseMapping::parse(&argument), Ok(BaseMapping::Tree { .. })));
            directory_url(url).unwrap_err()
        };
        for (url, reason) in [
            ("http://h/?q", "it has a query"),
            ("http://h/a#f", "it has a fragment"),
            ("mailto:a@h.example", "it has no directories"),
            ("urn:isbn:1", "it has no directories"),
        ] {
            assert_eq!(refused(url), BaseMappingError::NoDirectoryUrl(url.to_owned(), reason));
        }
        assert!(matches!(refused("a"), BaseMappingError::NotAbsolute(_)));
        assert_eq!(directory_url("file:/a"), Ok("file:/a/".to_owned()));
        assert_eq!(directory_url("http://h"), Ok("http://h/".to_owned()));
        // Any URI may be the base of a single document.
        assert!(BaseMapping::parse("http://h/?q").is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn the_name_of_a_directory_may_be_invalid_utf8() {
        use std::os::unix::ffi::OsStrExt;

        let files = Tree::empty();
        let named = files.at(OsStr::from_bytes(b"\xFF=1"));
        files.make(&named);
        // A `=` in the name would end the URL.
        let argument = |path: &Path| [b"http://h/=", path.as_os_str().as_bytes()].concat();
        assert!(BaseMapping::parse(OsStr::from_bytes(&argument(&named))).is_err());
        let named = files.at(OsStr::from_bytes(b"\xFF"));
        files.make(&named);
        let tree = BaseMapping::parse(OsStr::from_bytes(&argument(&named)));
        let directory = RealDirectory::new(&named).unwrap();
        let url = "http://h/".to_owned();
        assert_eq!(tree, Ok(BaseMapping::Tree { url, directory }));
    }
}
