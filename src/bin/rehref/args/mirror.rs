//! The arguments about mirrors.

use std::path::PathBuf;

use anyhow::bail;
use clap::builder::{OsStringValueParser, TypedValueParser};
use rehref::fs::BaseMapping;
use rehref::jobs::{MirrorOptions, MirrorSites};
use rehref::site::LocalNames;

use super::heading;
use super::inputs::InputArgs;
use super::values::{one_of, path};

/// A downloaded copy of a site.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = heading::RULES)]
pub(crate) struct MirrorArgs {
    /// Convert a downloaded copy of URL in DIR for offline use: links within the copy become relative, all others
    /// absolute (like `wget -k`). May be repeated. `auto` reads the URLs from marks of HTTrack, SingleFile and browsers
    /// in the pages of PATH
    #[arg(long, group = "rule", value_name = "URL=DIR|auto", value_parser = mirror(),
        conflicts_with_all = ["absolute", "relative", "root_relative"])]
    mirror: Vec<MirrorChoice>,
    /// Expect files of the copy to be named by the URL path alone (raw) or as these tools do [default: as in
    /// --mirror-log, httrack with --mirror auto, else raw]
    // An argument that excludes --mirror would lift the requirement.
    #[arg(long, value_name = "HOW", hide_short_help = true, requires = "mirror",
        conflicts_with_all = ["absolute", "relative", "root_relative"],
        value_parser = one_of(&LocalNames::ALL, LocalNames::as_str))]
    local_name: Option<LocalNames>,
    /// Read the URLs of files from the log FILE: wget's (English, -nv or not), HTTrack's hts-cache/new.txt, or CDX
    #[arg(long, value_name = "FILE", hide_short_help = true, requires = "mirror", value_parser = path(),
        conflicts_with_all = ["absolute", "relative", "root_relative"])]
    mirror_log: Vec<PathBuf>,
    /// Use the first of these files that exists for a directory of the copy
    #[arg(
        long,
        value_name = "NAME",
        hide_short_help = true,
        default_value = "index.html",
        value_delimiter = ',',
        requires = "mirror",
        conflicts_with_all = ["absolute", "relative", "root_relative"]
    )]
    index: Vec<String>,
}

impl MirrorArgs {
    /// Returns the mirror, if there is one, of a run with these inputs.
    pub(super) fn options(&self, inputs: &InputArgs) -> anyhow::Result<Option<MirrorOptions>> {
        let mut named = Vec::new();
        let mut sites = None;
        for choice in &self.mirror {
            match choice {
                MirrorChoice::Site(BaseMapping::Tree { url, directory }) => {
                    named.push((url.clone(), directory.clone()));
                }
                MirrorChoice::Site(BaseMapping::Uri(uri)) => {
                    bail!("--mirror {uri}: missing DIR: use URL=DIR")
                }
                MirrorChoice::Auto if self.mirror.len() > 1 => {
                    bail!("--mirror auto cannot be combined with another --mirror")
                }
                MirrorChoice::Auto if !inputs.files_from.is_empty() => {
                    bail!(
                        "--mirror auto cannot be combined with --files-from: name the pages as PATH"
                    )
                }
                MirrorChoice::Auto => sites = Some(MirrorSites::Marked),
            }
        }
        if self.mirror.is_empty() {
            return Ok(None);
        }
        let mut options = MirrorOptions::new(sites.unwrap_or(MirrorSites::Named(named)));
        options.inputs = inputs.paths.clone();
        options.logs.clone_from(&self.mirror_log);
        options.names = self.local_name;
        options.index.clone_from(&self.index);
        Ok(Some(options))
    }
}

/// `--mirror`.
#[derive(Clone, Debug)]
enum MirrorChoice {
    /// What the pages say.
    Auto,
    /// A URL, with its directory if one is given.
    Site(BaseMapping),
}

fn mirror() -> impl TypedValueParser<Value = MirrorChoice> {
    OsStringValueParser::new().try_map(|argument| match argument == "auto" {
        true => Ok(MirrorChoice::Auto),
        false => BaseMapping::parse(&argument).map(MirrorChoice::Site),
    })
}
