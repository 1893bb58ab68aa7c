//! What URI a document was retrieved from, where the caller says so.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::Item;
use crate::document::{Base, BaseFrom};
use crate::uri::{Parts, percent};

/// Where documents were retrieved from: `--base`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Retrieval {
    /// Each document from this URI.
    Uri(String),
    /// The documents below a folder from below this URI.
    Tree {
        /// The folder's URI, which ends in `/`.
        url: String,
        /// The folder.
        folder: RealFolder,
    },
}

/// A folder as the system resolves it, which knows what lies below it.
///
/// Documents come folder by folder, and to resolve a path takes a call of the system for each of its names: where
/// the folder that was last asked for leads is remembered as long as this lives.
#[derive(Debug)]
pub struct RealFolder {
    path: PathBuf,
    /// A folder that was asked for and what it is below this one, if it is.
    last: Mutex<(PathBuf, Option<PathBuf>)>,
}

impl RealFolder {
    /// The folder at `path`.
    ///
    /// # Errors
    /// When the system cannot resolve the path.
    pub fn new(path: &Path) -> io::Result<Self> {
        Ok(Self::of_real(path.canonicalize()?))
    }

    fn of_real(path: PathBuf) -> Self {
        // No parent of a file has an empty name here.
        let last = Mutex::default();
        Self { path, last }
    }

    /// Its path, without symbolic links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where a file lies below the folder; none for one that does not. The file itself may be a link to anywhere:
    /// what counts is where it is found.
    pub fn path_below(&self, item: &Item) -> Option<PathBuf> {
        let path = item.file()?;
        let parent = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.0 != parent {
            let real = parent.canonicalize().ok();
            let below = real.and_then(|it| Some(it.strip_prefix(&self.path).ok()?.to_owned()));
            *last = (parent.to_owned(), below);
        }
        Some(last.1.as_ref()?.join(path.file_name()?))
    }
}

impl Clone for RealFolder {
    fn clone(&self) -> Self {
        Self::of_real(self.path.clone())
    }
}

impl PartialEq for RealFolder {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

impl Eq for RealFolder {}

/// Why a base is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetrievalError {
    /// It is no absolute URI.
    NotAbsolute(String),
    /// There is no such folder.
    NoFolder(String),
}

impl fmt::Display for RetrievalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAbsolute(uri) => write!(f, "{uri:?} is not an absolute URI"),
            Self::NoFolder(folder) => write!(f, "{folder:?} is not a directory"),
        }
    }
}

impl std::error::Error for RetrievalError {}

impl Retrieval {
    /// Reads `URI`, or `URL=DIR`, which is split at the last `=`.
    ///
    /// A URI may have a `=` of its own. What follows the last one is a folder if it exists. If it
    /// does not, the `=` is the URI's where URIs have such: in a query or fragment, after a `;` of
    /// the same segment, and in a URI without authority. Elsewhere the folder is mistyped; a `=`
    /// that is meant can be written `%3D`.
    ///
    /// # Errors
    /// When the URI is not absolute, or the folder is not there.
    pub fn parse(argument: &str) -> Result<Self, RetrievalError> {
        let absolute = |uri: &str| match Parts::split(uri).scheme {
            Some(_) => Ok(()),
            None => Err(RetrievalError::NotAbsolute(uri.to_owned())),
        };
        if let Some((url, folder)) = argument.rsplit_once('=') {
            if let Ok(folder) = RealFolder::new(Path::new(folder))
                && folder.path().is_dir()
            {
                absolute(url)?;
                let url = as_folder(url);
                return Ok(Self::Tree { url, folder });
            }
            let parts = Parts::split(url);
            let segment = parts.path.rsplit('/').next().unwrap_or_default();
            let is_of_uri = parts.query.is_some()
                || parts.fragment.is_some()
                || parts.authority.is_none()
                || segment.contains(';');
            if parts.scheme.is_some() && !is_of_uri {
                return Err(RetrievalError::NoFolder(folder.to_owned()));
            }
        }
        absolute(argument)?;
        Ok(Self::Uri(argument.to_owned()))
    }

    /// The base of the document of an item; none for one outside of the folder.
    pub(super) fn base_of(&self, item: &Item) -> Option<Base> {
        let uri = match self {
            Self::Uri(uri) => uri.clone(),
            Self::Tree { url, folder } => {
                let below = folder.path_below(item)?;
                let mut uri = url.clone();
                for (at, name) in below.components().enumerate() {
                    if at > 0 {
                        uri.push('/');
                    }
                    percent::encode_path_segment(name.as_os_str().as_encoded_bytes(), &mut uri);
                }
                uri
            }
        };
        Some(Base {
            uri,
            from: BaseFrom::Option,
        })
    }
}

/// The URL of a folder, with the slash that relative references need.
fn as_folder(url: &str) -> String {
    if url.ends_with('/') {
        url.to_owned()
    } else {
        format!("{url}/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_where_the_folder_exists() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("a b")).unwrap();
        let argument = format!("http://h/x={}", root.display());
        let tree = Retrieval::parse(&argument).unwrap();
        let base = |path: PathBuf| tree.base_of(&Item::Path(path)).map(|base| base.uri);
        assert_eq!(
            base(root.join("a b/c%#.html")).as_deref(),
            Some("http://h/x/a%20b/c%25%23.html")
        );
        assert_eq!(base(root.join("a b/../d")).as_deref(), Some("http://h/x/d"));
        assert_eq!(base("/elsewhere".into()), None);
        assert_eq!(
            base(root.join("a b/d")).as_deref(),
            Some("http://h/x/a%20b/d")
        );
        assert_eq!(tree.base_of(&Item::Stdin), None);
    }

    #[test]
    fn a_uri_may_have_equals_signs() {
        for uri in ["http://h/?a=b", "http://h/a;v=1/c", "urn:x=y"] {
            assert_eq!(Retrieval::parse(uri), Ok(Retrieval::Uri(uri.to_owned())));
        }
        for tree in [
            "http://h/=no/such",
            "http://h=no/such",
            "http://h/docs=no/such",
        ] {
            assert_eq!(
                Retrieval::parse(tree),
                Err(RetrievalError::NoFolder("no/such".to_owned()))
            );
        }
        assert!(matches!(
            Retrieval::parse("a/b"),
            Err(RetrievalError::NotAbsolute(_))
        ));
    }
}
