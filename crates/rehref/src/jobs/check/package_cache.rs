//! The package that was read last: reading each part for itself would take long.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Error;
use crate::fs::PackageFile;

/// The package that was read last, with its path.
#[derive(Default)]
pub(super) struct PackageCache(Mutex<Option<(PathBuf, Arc<PackageFile>)>>);

impl PackageCache {
    /// Returns the package at a path, which `read` reads unless it is the last one.
    ///
    /// # Errors
    /// Those of `read`.
    pub(super) fn get(
        &self,
        path: &Path,
        read: impl FnOnce() -> Result<Option<Arc<PackageFile>>, Error>,
    ) -> Result<Option<Arc<PackageFile>>, Error> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, package)) = &*last
            && of == path
        {
            return Ok(Some(Arc::clone(package)));
        }
        let package = read()?;
        *last = package.clone().map(|package| (path.to_owned(), package));
        Ok(package)
    }
}
