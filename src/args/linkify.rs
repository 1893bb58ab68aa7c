//! The arguments of `linkify`.

use std::ffi::OsString;

use anyhow::{Context, bail};
use rehref::Linkify;
use rehref::format::Format;
use rehref::fs::{Item, ReadOptions};
use rehref::jobs::Inputs;

use super::reading::{MediaChoice, charset, media_of};
use super::text::TextArgs;
use super::values::name;
use crate::heading;
use crate::render::terminal::stdin_is_terminal;

#[derive(Debug, clap::Args)]
pub(crate) struct LinkifyArgs {
    /// A file; `-` or none to read standard input
    #[arg(value_name = "PATH", value_parser = name(), help_heading = heading::INPUT)]
    path: Option<OsString>,
    /// Read the document as this kind [default: by its extension or its content]
    ///
    /// Plain text becomes HTML. HTML is a whole page or a fragment. A fragment needs `--media html`
    /// if its name has no extension of HTML.
    #[arg(long, value_name = "KIND", hide_default_value = true, default_value = "auto", help_heading = heading::INPUT,
        value_parser = media_of(&["auto", "text", "html"]))]
    media: MediaChoice,
    /// Read the document in this character encoding (a label of the Encoding Standard)
    #[arg(long, value_name = "LABEL", hide_short_help = true, value_parser = charset, help_heading = heading::INPUT)]
    charset: Option<String>,
    /// Make no link in these elements of HTML, such as pre,code
    ///
    /// Some never have one: a, button, script, select, style, textarea, title, SVG, MathML and
    /// others.
    #[arg(long, value_name = "ELEMENT", value_delimiter = ',', help_heading = heading::LINKS)]
    skip: Vec<String>,
    /// Make links only of URLs with these schemes
    #[arg(long, value_name = "SCHEME", value_delimiter = ',', default_value = "ftp,http,https,mailto",
        help_heading = heading::LINKS)]
    scheme: Vec<String>,
    #[command(flatten)]
    text: TextArgs,
    /// Set the `rel` of links, such as nofollow
    #[arg(long, value_name = "VALUE", help_heading = heading::OUTPUT)]
    rel: Option<String>,
    /// Set the `target` of links, such as _blank
    #[arg(long, value_name = "VALUE", help_heading = heading::OUTPUT)]
    target: Option<String>,
}

impl LinkifyArgs {
    /// Returns true if no file is named, and standard input is a terminal.
    pub(crate) fn lack_input(&self) -> bool {
        self.path.is_none() && stdin_is_terminal()
    }

    /// The document to read.
    pub(crate) fn item(&self) -> Item {
        let argument = self.path.clone().unwrap_or_else(|| "-".into());
        Item::from_argument(&argument)
    }

    /// The kind of document that the command line names.
    pub(crate) fn format(&self) -> Option<Format> {
        self.media.0
    }

    pub(crate) fn read_options(&self) -> ReadOptions {
        ReadOptions {
            format: self.media.0,
            charset: self.charset.clone(),
            ..Inputs::default().read
        }
    }

    pub(crate) fn linkify(&self) -> anyhow::Result<Linkify> {
        if self.text.prints_alternatives() {
            bail!("--hyphen both: a link has one target; use keep or drop");
        }
        let mut linkify = Linkify::new()
            .skip(&self.skip)
            .text_options(self.text.options())
            .schemes(&self.scheme)
            .context("--scheme")?;
        if let Some(rel) = &self.rel {
            linkify = linkify.rel(rel);
        }
        if let Some(target) = &self.target {
            linkify = linkify.target(target);
        }
        Ok(linkify)
    }
}
