//! The arguments about walking directories.

use anyhow::Context;
use rehref::fs::{Globs, WalkOptions};

/// Which files of directories are read.
#[derive(Debug, clap::Args)]
pub(crate) struct WalkArgs {
    /// Only read files matching GLOB when walking directories: by name, or by path below the directory if GLOB has a
    /// `/`
    #[arg(long, value_name = "GLOB")]
    glob: Vec<String>,
    /// Skip files and directories matching GLOB when walking directories
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Descend at most N directories
    #[arg(long, value_name = "N")]
    max_depth: Option<usize>,
    /// Follow symbolic links when walking directories
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
