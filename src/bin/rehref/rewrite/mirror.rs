//! The mirror that `--mirror` names.

use anyhow::bail;
use rehref::fs::BaseMapping;
use rehref::jobs::{MirrorOptions, MirrorSites, MirrorTrees};

use crate::args::{MirrorChoice, RewriteArgs};
use crate::render::mirror::print;
use crate::render::reasons::explained;

/// Reads the logs and marks of the mirror, if the arguments name one.
pub(super) fn trees(args: &RewriteArgs) -> anyhow::Result<Option<MirrorTrees>> {
    let mut named = Vec::new();
    let mut sites = None;
    for choice in &args.mirror {
        match choice {
            MirrorChoice::Site(BaseMapping::Tree { url, folder }) => {
                named.push((url.clone(), folder.clone()));
            }
            MirrorChoice::Site(BaseMapping::Uri(uri)) => {
                bail!("--mirror {uri}: URL=DIR says where the copy is")
            }
            MirrorChoice::Auto if args.mirror.len() > 1 => {
                bail!("--mirror auto cannot be combined with another --mirror")
            }
            MirrorChoice::Auto if !args.input.files_from.is_empty() => {
                bail!("--mirror auto reads the pages of PATH: --files-from cannot name them")
            }
            MirrorChoice::Auto => sites = Some(MirrorSites::Marked),
        }
    }
    if args.mirror.is_empty() {
        return Ok(None);
    }
    let mut options = MirrorOptions::new(sites.unwrap_or(MirrorSites::Named(named)));
    options.inputs.clone_from(&args.input.paths);
    options.logs.clone_from(&args.mirror_log);
    options.names = args.local_name;
    options.index.clone_from(&args.index);
    let trees = MirrorTrees::new(options, &mut |event| print(&event));
    trees.map(Some).map_err(explained)
}
