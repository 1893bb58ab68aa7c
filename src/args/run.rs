//! The arguments of every run over documents.

use std::num::NonZeroUsize;

use clap::ValueEnum;
use rehref::format::markdown::MarkdownOptions;
use rehref::format::{Extra, Options};
use rehref::jobs;

use super::resolving::ProfileArgs;
use crate::heading;

/// The number of documents in work at a time.
#[derive(Debug, clap::Args)]
pub(crate) struct ThreadsArgs {
    /// Process N documents at a time [default: one per processor]
    #[arg(short, long, value_name = "N", help_heading = heading::INPUT, hide_short_help = true)]
    jobs: Option<NonZeroUsize>,
}

impl ThreadsArgs {
    pub(super) fn threads(&self) -> NonZeroUsize {
        jobs::threads(self.jobs)
    }
}

/// The number of documents in work at a time, and the arguments for finding and resolving links.
#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    threads: ThreadsArgs,
    #[command(flatten)]
    resolving: ProfileArgs,
    /// Parse HTML as browsers with scripts do: ignore the content of `noscript`
    #[arg(long, help_heading = heading::LINKS, hide_short_help = true, hide_long_help = true)]
    scripting: bool,
    /// Also find URLs that browsers do not follow, and more of Markdown
    ///
    /// They are in `meta` elements such as og:image, in attributes such as data-src, in JSON-LD and
    /// in conditional comments; in Markdown in the front matter. --scripting parses HTML as browsers
    /// with scripts do: without the content of `noscript`.
    #[arg(
        long,
        value_name = "WHAT",
        value_delimiter = ',',
        help_heading = heading::LINKS,
        hide_short_help = true
    )]
    also: Vec<Also>,
    /// Read [[target]] and ![[target]] in Markdown as links
    #[arg(long, help_heading = heading::LINKS, hide_short_help = true)]
    wiki: bool,
}

impl RunArgs {
    pub(super) fn threads(&self) -> NonZeroUsize {
        self.threads.threads()
    }

    pub(super) fn options(&self) -> Options {
        let has = |it| self.also.contains(&it) || self.also.contains(&Also::All);
        Options {
            resolver: self.resolving.resolver(),
            scripting: self.scripting,
            extra: Extra {
                meta: has(Also::Meta),
                data: has(Also::Data),
                json: has(Also::Json),
                comments: has(Also::Comments),
            },
            markdown: MarkdownOptions {
                front_matter: has(Also::FrontMatter),
                references: self.also.contains(&Also::References),
                wiki: self.wiki,
                ..MarkdownOptions::default()
            },
            ..Options::default()
        }
    }
}

/// `--also`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Also {
    /// `meta` elements with a property such as og:image or twitter:player
    Meta,
    /// Attributes such as data-src and data-srcset
    Data,
    /// JSON-LD and speculation rules
    Json,
    /// Conditional comments
    Comments,
    /// Images, aliases and redirects in the front matter of Markdown
    FrontMatter,
    /// Uses of link definitions of Markdown, each with the destination of its definition
    References,
    /// All of these but references
    All,
}
