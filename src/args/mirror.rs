//! The arguments about mirrors.

use std::collections::HashSet;
use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::builder::{OsStringValueParser, TypedValueParser};
use rehref::bytes::percent::encode_path_segment;
use rehref::fs::{BaseMapping, RealDirectory, directory_url};
use rehref::jobs::{HostDirectory, MirrorOptions, MirrorSites};
use rehref::mirror::LocalNames;

use super::inputs::InputArgs;
use super::values::{one_of, path};
use crate::heading;
use crate::render::escape::shell_path;
use crate::render::message::Message;

/// A downloaded copy of a site.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = heading::RULES)]
pub(crate) struct MirrorArgs {
    /// Convert a downloaded copy of URL in DIR for offline use
    ///
    /// As with `wget -k`, links within the copy become relative, all others absolute. Without PATH,
    /// work on DIR. May be repeated. `auto` reads the URLs from marks of HTTrack, SingleFile and
    /// browsers in the pages of PATH.
    #[arg(long, group = "rule", value_name = "URL=DIR|auto", value_parser = mirror(),
        conflicts_with_all = ["absolute", "relative", "root_relative"])]
    mirror: Vec<MirrorChoice>,
    /// Expect files of the copy to be named by the URL path alone (raw) or as these tools do
    /// [default: as in --mirror-log, httrack with --mirror auto, else raw]
    // An argument that excludes --mirror would lift the requirement.
    #[arg(long, value_name = "HOW", requires = "mirror", hide_short_help = true,
        conflicts_with_all = ["absolute", "relative", "root_relative"],
        value_parser = one_of(&LocalNames::ALL, LocalNames::as_str))]
    local_name: Option<LocalNames>,
    /// Read the URLs of files from the log FILE: wget's (English, -nv or not), HTTrack's
    /// hts-cache/new.txt, or CDX
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
    /// Returns the mirror of a run with these inputs. `None` without `--mirror`.
    pub(super) fn options(&self, inputs: &InputArgs) -> anyhow::Result<Option<MirrorOptions>> {
        let mut named = Vec::new();
        let mut sites = None;
        for choice in &self.mirror {
            match choice {
                MirrorChoice::Site { url, directory, .. } => {
                    named.push((url.clone(), directory.clone()));
                }
                MirrorChoice::Auto if self.mirror.len() > 1 => {
                    bail!("--mirror auto cannot be combined with another --mirror")
                }
                MirrorChoice::Auto if !inputs.files_from.is_empty() => {
                    bail!(
                        "--mirror auto cannot be combined with --files-from: name the pages as PATH"
                    )
                }
                MirrorChoice::Auto if inputs.paths.is_empty() => {
                    bail!("--mirror auto: missing PATH: name the directory of the copy")
                }
                MirrorChoice::Auto => sites = Some(MirrorSites::Marked),
            }
        }
        if self.mirror.is_empty() {
            return Ok(None);
        }
        self.refuse_parents()?;
        let mut options = MirrorOptions::new(sites.unwrap_or(MirrorSites::Named(named)));
        options.inputs = match inputs.are_empty() {
            true => self.directories(),
            false => inputs.paths.clone(),
        };
        options.logs.clone_from(&self.mirror_log);
        options.names = self.local_name;
        options.index.clone_from(&self.index);
        Ok(Some(options))
    }

    /// Refuses directories that contain one with the name of the URL's host: download tools save
    /// each site in a directory of that name, and links would get the name as a part of their path.
    fn refuse_parents(&self) -> anyhow::Result<()> {
        let sites = self.mirror.iter().filter_map(|choice| match choice {
            MirrorChoice::Auto => None,
            MirrorChoice::Site { url, directory, written } => {
                Some((url, directory.path(), written))
            }
        });
        for (url, directory, written) in sites.clone() {
            let Some(found) = HostDirectory::of_url(url, directory) else {
                continue;
            };
            // A directory of the site with a separate `--mirror` URL is intended.
            let inner = directory.join(&found.path).canonicalize();
            let inner = inner.unwrap_or_else(|_| directory.join(&found.path));
            let is_meant = |(other, path, _): (&String, &Path, &PathBuf)| {
                inner.starts_with(path) && path != directory && other != url
            };
            if sites.clone().any(is_meant) {
                continue;
            }
            let (shown, name) = (written.display(), found.path.display());
            let text = format!(
                "--mirror {url}={shown}: {shown} has the directory {name}, which seems to be the copy"
            );
            let copy = written.join(&found.path);
            let of_site = url_below(url, &found.path);
            let shown = shell_path(&copy);
            let mut message =
                Message::new(text).with_help(format_args!("use --mirror {}={shown}", found.url));
            if let Some(own) = found.url_of_directory(url, directory) {
                message = message.with_help(format_args!(
                    "if the copy lacks the directories of that URL, use --mirror {own}={shown}"
                ));
            }
            let message = message.with_help(format_args!(
                "if it is a directory of the site, add --mirror {of_site}={shown}"
            ));
            return Err(message.into());
        }
        Ok(())
    }

    /// Returns true if a mirror is given.
    pub(super) fn is_given(&self) -> bool {
        !self.mirror.is_empty()
    }

    /// The directories that `--mirror` names, as written: the inputs of a run without any. Those in
    /// others are left out.
    pub(super) fn directories(&self) -> Vec<OsString> {
        let sites = || {
            self.mirror.iter().filter_map(|choice| match choice {
                MirrorChoice::Auto => None,
                MirrorChoice::Site { directory, written, .. } => Some((directory.path(), written)),
            })
        };
        let mut seen = HashSet::new();
        let outermost = sites().filter(|(path, _)| {
            let is_inside = |(other, _): (&Path, _)| path.starts_with(other) && *path != other;
            !sites().any(is_inside) && seen.insert(*path)
        });
        outermost.map(|(_, written)| written.clone().into()).collect()
    }
}

/// `--mirror`.
#[derive(Clone, Debug)]
enum MirrorChoice {
    /// `auto`: the URLs in marks of the pages.
    Auto,
    /// A URL with its directory.
    Site {
        url: String,
        directory: RealDirectory,
        /// The directory as written.
        written: PathBuf,
    },
}

fn mirror() -> impl TypedValueParser<Value = MirrorChoice> {
    OsStringValueParser::new().try_map(|argument| {
        if argument == "auto" {
            return Ok::<_, Box<dyn Error + Send + Sync>>(MirrorChoice::Auto);
        }
        match BaseMapping::parse(&argument)? {
            BaseMapping::Tree { url, directory } => Ok(MirrorChoice::Site {
                url,
                written: BaseMapping::written_directory(&argument).unwrap_or_default(),
                directory,
            }),
            BaseMapping::Uri(uri) => match directory_url(&uri) {
                Err(error) => Err(error.into()),
                Ok(_) => Err("missing DIR: use URL=DIR".into()),
            },
        }
    })
}

/// The URL of a directory with this path below that with another URL.
fn url_below(url: &str, path: &Path) -> String {
    let mut below = url.to_owned();
    for name in path.iter() {
        encode_path_segment(name.as_encoded_bytes(), &mut below);
        below.push('/');
    }
    below
}
