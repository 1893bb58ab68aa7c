//! The table of the programs that make sites: the parts of their rules that are data.

use crate::format::markdown::{Dialect, Slugs};

/// The rules of a program.
#[derive(Debug)]
pub(super) struct Program {
    /// The name on the command line.
    pub(super) name: &'static str,
    /// The rules for links, as a phrase for help.
    pub(super) description: &'static str,
    /// The configuration files. The program reads the first one that exists.
    pub(super) configurations: &'static [&'static str],
    /// The configuration has one of these words. Other programs have files with the same name.
    pub(super) words: &'static [&'static str],
    /// The directory of the configuration has one of these files.
    pub(super) beside: &'static [&'static str],
    /// The extensions of files that become pages.
    pub(super) page_extensions: &'static [&'static [u8]],
    /// The names of index files without their extension, by precedence.
    pub(super) index_stems: &'static [&'static [u8]],
    /// True if only Markdown documents follow the rules: others are copied unchanged.
    pub(super) is_of_markdown_only: bool,
    /// The settings in front matter that may give a page another address.
    pub(super) front_matter: &'static [&'static str],
    /// The usual rule for the ids of headings.
    pub(super) slugs: Slugs,
    /// The constructs that name files.
    pub(super) dialect: Dialect,
    pub(super) urls: PageUrls,
    /// True if the name of the file of an index page without its extension is one of its addresses.
    pub(super) names_indexes: bool,
    /// A directory of the site with documents that are parts of pages.
    pub(super) parts: Option<&'static str>,
    /// True if files and directories whose names begin with `_` are only parts of pages.
    pub(super) has_parts: bool,
    /// True if a name, as in `[[name]]`, is that of a page in any directory.
    pub(super) has_names: bool,
    /// The directories of the output, if they are within the content.
    pub(super) output: &'static [&'static str],
}

/// The addresses of pages on a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageUrls {
    /// `guide.html`, and `dir/index.html` for an index file. Many servers also accept `guide`.
    Html,
    /// `guide/`, and `dir/` for an index file.
    Directory,
    /// `guide`, and `dir/` for an index file.
    Bare,
    /// `guide`, and `dir/` for an index file. The server accepts nothing else.
    Stem,
    /// Files keep their names. A directory shows its index file.
    Names,
}

const PLAIN: Program = Program {
    name: "plain",
    description: "Links name files, as written",
    configurations: &[],
    words: &[],
    beside: &[],
    page_extensions: &[],
    index_stems: &[],
    is_of_markdown_only: false,
    front_matter: &[],
    slugs: Slugs::Github,
    dialect: Dialect::None,
    urls: PageUrls::Names,
    names_indexes: false,
    parts: None,
    has_parts: false,
    has_names: false,
    output: &[],
};

/// The names of the index files of several programs.
const INDEX_OR_README: &[&[u8]] = &[b"index", b"README", b"readme", b"Readme"];

/// All programs, in the order of the kinds.
pub(super) static PROGRAMS: [Program; 17] = [
    PLAIN,
    Program {
        name: "github",
        description: "/x is in the repository; a directory shows its README.md",
        page_extensions: &[b"md", b"markdown", b"mdown", b"mkd", b"rst", b"adoc", b"org"],
        index_stems: &[b"README", b"readme", b"Readme", b"index"],
        is_of_markdown_only: true,
        ..PLAIN
    },
    Program {
        name: "mdbook",
        description: "guide.html is guide.md below src/ of book.toml",
        configurations: &["book.toml"],
        page_extensions: &[b"md"],
        index_stems: INDEX_OR_README,
        slugs: Slugs::Mdbook,
        dialect: Dialect::MdBook,
        urls: PageUrls::Html,
        ..PLAIN
    },
    Program {
        name: "mkdocs",
        description: "guide/ is guide.md below docs_dir of mkdocs.yml",
        configurations: &["mkdocs.yml", "mkdocs.yaml"],
        page_extensions: &[b"md", b"markdown", b"mdown", b"mkdn", b"mkd"],
        index_stems: INDEX_OR_README,
        slugs: Slugs::Mkdocs,
        dialect: Dialect::MkDocs,
        urls: PageUrls::Directory,
        ..PLAIN
    },
    Program {
        name: "docusaurus",
        description: "/docs/guide is docs/guide.md; @site/ is the site's directory",
        configurations: &[
            "docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs",
            "docusaurus.config.cjs",
        ],
        page_extensions: &[b"md", b"mdx", b"js", b"jsx", b"ts", b"tsx"],
        index_stems: INDEX_OR_README,
        front_matter: &["slug", "id"],
        slugs: Slugs::Docusaurus,
        dialect: Dialect::Mdx,
        urls: PageUrls::Bare,
        parts: Some("src"),
        ..PLAIN
    },
    Program {
        name: "hugo",
        description: "guide/ is guide.md or guide/index.md below content/",
        configurations: &[
            "hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json", "config.toml", "config.yaml",
            "config.yml", "config.json", "config/_default",
        ],
        page_extensions: &[b"md", b"markdown", b"mdown", b"html", b"htm", b"adoc", b"org", b"rst"],
        index_stems: &[b"index", b"_index"],
        front_matter: &["url", "slug", "aliases"],
        slugs: Slugs::Hugo,
        dialect: Dialect::Hugo,
        urls: PageUrls::Directory,
        ..PLAIN
    },
    Program {
        name: "jekyll",
        description: "guide.html or guide/ is guide.md",
        configurations: &["_config.yml", "_config.yaml", "_config.toml"],
        page_extensions: &[b"md", b"markdown", b"mkdown", b"mkdn", b"mkd", b"html", b"htm"],
        index_stems: INDEX_OR_README,
        front_matter: &["permalink", "slug", "date", "categories", "category", "redirect_from"],
        slugs: Slugs::Jekyll,
        dialect: Dialect::Jekyll,
        urls: PageUrls::Html,
        output: &["_site"],
        ..PLAIN
    },
    Program {
        name: "sphinx",
        description: "guide is guide.md; /x is in the source directory",
        configurations: &["conf.py"],
        words: &["myst", "recommonmark", "markdown"],
        page_extensions: &[b"md", b"markdown", b"rst", b"txt", b"ipynb"],
        index_stems: &[b"index"],
        dialect: Dialect::Myst,
        urls: PageUrls::Html,
        names_indexes: true,
        output: &["_build"],
        ..PLAIN
    },
    Program {
        name: "obsidian",
        description: "A name is that of a note anywhere in the vault",
        configurations: &[".obsidian"],
        page_extensions: &[b"md", b"canvas", b"base"],
        is_of_markdown_only: true,
        slugs: Slugs::Obsidian,
        has_names: true,
        ..PLAIN
    },
    Program {
        name: "vitepress",
        description: "guide and guide.html are guide.md below srcDir; /x.png is in public/",
        configurations: &[".vitepress"],
        page_extensions: &[b"md"],
        index_stems: &[b"index"],
        slugs: Slugs::Vitepress,
        dialect: Dialect::VitePress,
        urls: PageUrls::Html,
        names_indexes: true,
        parts: Some(".vitepress"),
        output: &[".vitepress/dist", ".vitepress/cache"],
        ..PLAIN
    },
    Program {
        name: "starlight",
        description: "/guide/ is guide.md below src/content/docs/; /x.png is in public/",
        configurations: &[
            "astro.config.mjs", "astro.config.js", "astro.config.ts", "astro.config.mts",
            "astro.config.cjs",
        ],
        words: &["starlight"],
        page_extensions: &[
            b"md", b"mdx", b"markdown", b"mdown", b"mkdn", b"mkd", b"mdwn", b"mdoc", b"astro",
            b"js", b"ts",
        ],
        index_stems: &[b"index"],
        front_matter: &["slug"],
        slugs: Slugs::Astro,
        dialect: Dialect::Starlight,
        urls: PageUrls::Directory,
        parts: Some("src"),
        has_parts: true,
        ..PLAIN
    },
    Program {
        name: "nextra",
        description: "/guide is content/guide.mdx, pages/guide.mdx or app/guide/page.mdx",
        configurations: &[
            "next.config.js", "next.config.mjs", "next.config.ts", "next.config.mts",
            "next.config.cjs",
        ],
        words: &["nextra"],
        page_extensions: &[b"md", b"mdx", b"js", b"jsx", b"ts", b"tsx"],
        index_stems: &[b"index"],
        slugs: Slugs::Nextra,
        urls: PageUrls::Bare,
        parts: Some(""),
        has_parts: true,
        ..PLAIN
    },
    Program {
        name: "docsify",
        description: "guide and /guide are guide.md; ?id=x is a heading",
        configurations: &["index.html"],
        words: &["$docsify"],
        beside: &["README.md", "_sidebar.md", "_coverpage.md", "_navbar.md"],
        page_extensions: &[b"md"],
        index_stems: &[b"README"],
        is_of_markdown_only: true,
        slugs: Slugs::Docsify,
        urls: PageUrls::Stem,
        names_indexes: true,
        ..PLAIN
    },
    Program {
        name: "quarto",
        description: "guide.html is guide.qmd; /x is in the project directory",
        configurations: &["_quarto.yml", "_quarto.yaml"],
        page_extensions: &[b"qmd", b"md", b"ipynb", b"rmd", b"rmarkdown"],
        index_stems: &[b"index"],
        front_matter: &["aliases"],
        slugs: Slugs::Pandoc,
        dialect: Dialect::Quarto,
        urls: PageUrls::Html,
        has_parts: true,
        output: &["_site", "_book", "_manuscript"],
        ..PLAIN
    },
    Program {
        name: "gitbook",
        description: "Links name files; a directory shows its README.md",
        configurations: &[".gitbook.yaml", ".gitbook"],
        page_extensions: &[b"md"],
        index_stems: &[b"README", b"readme", b"Readme"],
        is_of_markdown_only: true,
        dialect: Dialect::GitBook,
        ..PLAIN
    },
    Program {
        name: "wiki",
        description: "Page-Name and [[Page Name]] are Page-Name.md anywhere in the wiki",
        page_extensions: &[
            b"md", b"markdown", b"mdown", b"mkd", b"mkdn", b"mediawiki", b"wiki", b"asciidoc",
            b"adoc", b"rst", b"org", b"textile", b"pod", b"creole", b"rdoc",
        ],
        index_stems: &[b"Home", b"home"],
        is_of_markdown_only: true,
        dialect: Dialect::Wiki,
        urls: PageUrls::Stem,
        names_indexes: true,
        has_names: true,
        ..PLAIN
    },
    Program {
        name: "honkit",
        description: "guide.html is guide.md below root of book.json; /x is in that directory",
        configurations: &["book.json", "book.js"],
        words: &["gitbook", "honkit", "plugins", "structure"],
        page_extensions: &[b"md", b"markdown", b"mdown", b"adoc", b"asciidoc"],
        index_stems: &[b"README", b"index"],
        slugs: Slugs::Honkit,
        dialect: Dialect::HonKit,
        urls: PageUrls::Html,
        output: &["_book"],
        ..PLAIN
    },
];
