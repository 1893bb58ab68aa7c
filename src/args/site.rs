//! `--site`.

use clap::builder::PossibleValue;
use rehref::docs_site::SiteChoice;

use super::values::one_of;
use crate::heading;
use crate::project::Project;

/// The rules by which documents of a documentation tree refer to each other.
#[derive(Debug, clap::Args)]
pub(crate) struct SiteArgs {
    /// Resolve links as this site generator does [default: auto]
    ///
    /// Then a link may also have the address of a page, such as guide/ or /docs/guide. `auto`
    /// detects each site in the tree or above it: by book.toml, mkdocs.yml, docusaurus.config.js,
    /// hugo.toml, _config.yml, conf.py, .obsidian, .vitepress, astro.config.mjs, next.config.js,
    /// index.html with $docsify, _quarto.yml, .gitbook.yaml, book.json or a remote of .git/config.
    #[arg(long = "site", value_name = "KIND", help_heading = heading::BASE,
        value_parser = one_of(&SiteChoice::all(), value))]
    choice: Option<SiteChoice>,
}

impl SiteArgs {
    /// The kind of site, which the project may decide.
    pub(super) fn choice(&self, project: &Project) -> SiteChoice {
        self.choice.or(project.site).unwrap_or_default()
    }
}

/// The constructs of a documentation tree that are links.
#[derive(Debug, clap::Args)]
pub(crate) struct ConstructArgs {
    /// Also find files that constructs of this site generator name, such as {{#include f}}
    ///
    /// In Markdown: includes, snippets, shortcodes, tags, roles, imports, and wiki links of vaults.
    /// Paths are printed as written. `auto` detects the site of each document as `rehref check`
    /// does; a kind applies to all documents.
    #[arg(long = "site", value_name = "KIND", default_value = "plain", help_heading = heading::LINKS, hide_short_help = true,
        value_parser = one_of(&SiteChoice::all(), value))]
    pub(super) constructs: SiteChoice,
}

/// Names and describes a kind of site in help.
fn value(choice: SiteChoice) -> PossibleValue {
    PossibleValue::new(choice.as_str()).help(choice.description())
}
