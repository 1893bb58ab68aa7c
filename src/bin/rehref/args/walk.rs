//! The arguments about walking directories.

use anyhow::Context;
use rehref::fs::{Globs, WalkOptions};

/// Which files of directories are read.
#[derive(Debug, clap::Args)]
pub(crate) struct WalkArgs {
    /// Of folders, take only files that match GLOB: by name, or by path below the folder if it has
    /// a `/`
    #[arg(long, value_name = "GLOB")]
    glob: Vec<String>,
    /// Of folders, leave out files and folders that match GLOB
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Go at most N folders deep
    #[arg(long, value_name = "N")]
    max_depth: Option<usize>,
    /// Follow symbolic links in folders
    #[arg(short = 'L', long)]
    follow: bool,
}

impl WalkArgs {
    pub(super) fn options(&self) -> anyhow::Result<WalkOptions> {
        Ok(WalkOptions {
            globs: Globs::new(&self.glob).context("--glob")?,
            excludes: Globs::new(&self.exclude).context("--exclude")?,
            max_depth: self.max_depth,
            follow: self.follow,
            whole: false,
        })
    }
}
