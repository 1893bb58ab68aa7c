//! Kinds of documentation sites by a tree of each: the links that are broken, and those that follow a
//! moved file. The programs themselves, or their documentation, give these answers.

use crate::support::tree::{Has, Tree};

/// A tree of a site.
pub(crate) struct Site {
    pub(crate) files: &'static [(&'static str, &'static str)],
    /// The links that are broken, with the names of their documents.
    pub(crate) broken: &'static [&'static str],
    /// The old and the new path of a file or directory.
    pub(crate) moved: (&'static str, &'static str),
    /// Parts of documents after that.
    pub(crate) followed: &'static [(&'static str, &'static str)],
}

#[track_caller]
pub(crate) fn assert_site(site: &Site) {
    let tree = Tree::new(site.files);
    let out = tree.run("check .").out;
    let found = out.lines().map(|line| {
        let mut parts = line.splitn(4, ':');
        let document = parts.next().unwrap_or_default();
        let problem = parts.nth(2).unwrap_or_default();
        let problem = problem.split(" (near").next().unwrap_or_default();
        format!("{}:{problem}", document.trim_start_matches("./"))
    });
    assert_eq!(found.collect::<Vec<_>>(), site.broken, "{out}");
    let (old, new) = site.moved;
    tree.run(["move", "-w", "--root", ".", old, new]).ends(0);
    for (document, part) in site.followed {
        let text = std::fs::read_to_string(tree.at(document)).expect("a document");
        assert!(text.contains(part), "{document} has no {part}:\n{text}");
    }
}

#[test]
fn vitepress_has_clean_addresses_a_public_directory_and_includes() {
    assert_site(&Site {
        files: &[
            (
                "docs/.vitepress/config.mts",
                "export default defineConfig({ base: '/p/', srcDir: './src', rewrites: { 'en/:rest*': ':rest*' } })",
            ),
            (
                "docs/src/en/index.md",
                "[1](./guide/start) [2](/guide/start) [3](guide/start.md) [4](/guide/) [5](/logo.png)\n\
                 [6](guide/start.html#what-s-new) [7](/guide/start#_1-a) [8](#own) [9](/guide/start.md)\n\
                 [10](/none) [11](guide/start/) [12](/public/logo.png) [13](/guide/start#whats-new)\n\n\
                 ## Hello {#own}\n\n<!--@include: ./part.md{1,2}-->\n<!--@include: @/gone.md-->\n",
            ),
            ("docs/src/en/part.md", "part\n"),
            (
                "docs/src/en/guide/start.md",
                "## What's *new*?\n\n## 1. A\n\n[a](../) [b](../index) [c](./) [d](x) [e](#para) text {#para}\n\n\
                 <<< @/en/code.ts#part {2}\n",
            ),
            ("docs/src/en/guide/index.md", "# I\n"),
            ("docs/src/en/code.ts", "x"),
            ("docs/src/public/logo.png", "x"),
        ],
        broken: &[
            "docs/src/en/guide/start.md: x: missing",
            "docs/src/en/index.md: /none: missing",
            "docs/src/en/index.md: guide/start/: missing",
            "docs/src/en/index.md: /public/logo.png: missing",
            "docs/src/en/index.md: /guide/start#whats-new: anchor",
            "docs/src/en/index.md: /gone.md: missing",
        ],
        moved: ("docs/src/en/guide/start.md", "docs/src/en/begin.md"),
        followed: &[
            ("docs/src/en/index.md", "[1](./begin) [2](/begin) [3](begin.md)"),
            ("docs/src/en/index.md", "[6](begin.html#what-s-new) [7](/begin#_1-a)"),
            ("docs/src/en/index.md", "[9](/begin.md)"),
            ("docs/src/en/begin.md", "[a](./) [b](index) [c](guide/)"),
            ("docs/src/en/begin.md", "<<< @/en/code.ts#part {2}"),
        ],
    });
}

#[test]
fn vitepress_has_a_theme_and_computed_ids() {
    const FILES: &[(&str, &str)] = &[
        (
            "docs/.vitepress/config.ts",
            "export default { base: '/p/', markdown: { anchor: { slugify: (text) => text } } }",
        ),
        ("docs/.vitepress/theme/style.css", "a { background: url(/logo.png) url(/none.png) }\n"),
        ("docs/.vitepress/theme/notes.md", "[a](../../index.md#A) [b](../../gone.md)\n"),
        ("docs/.vitepress/dist/index.html", "<a href=/p/gone.html></a>\n"),
        ("docs/public/logo.png", "x"),
        ("docs/index.md", "[a](guide.md#B) [b](#A) [c](.vitepress/theme/notes) [d](/logo.png)\n"),
        (
            "docs/guide.md",
            "<script setup>\nimport Team from './.vitepress/Team.vue'\nimport { a } from \"./.vitepress/data\"\n\
             import x from './gone.js'\nimport 'vue'\n</script>\n\n# B\n\n```js\nimport y from './no'\n```\n",
        ),
        ("docs/.vitepress/Team.vue", ""),
        ("docs/.vitepress/data.ts", ""),
    ];
    assert_site(&Site {
        files: FILES,
        broken: &[
            "docs/.vitepress/dist/index.html: /p/gone.html: missing",
            "docs/.vitepress/theme/notes.md: ../../gone.md: missing",
            "docs/.vitepress/theme/style.css: /none.png: missing",
            "docs/guide.md: ./gone.js: missing",
            "docs/index.md: .vitepress/theme/notes: missing",
        ],
        moved: ("docs/public/logo.png", "docs/public/img/mark.png"),
        followed: &[
            ("docs/.vitepress/theme/style.css", "url(/img/mark.png)"),
            ("docs/index.md", "(/img/mark.png)"),
        ],
    });
    let tree = Tree::new(FILES);
    tree.run("move -w --root . docs/guide.md docs/new/").ends(0);
    tree.files()["docs/new/guide.md"].has("Team from '../.vitepress/Team.vue'");
    tree.files()["docs/new/guide.md"].has("from \"../.vitepress/data\"");
    let tree = Tree::new(FILES);
    tree.run("check .").err.has("; 3 fragments not checked (anchors are off or computed)");
    tree.run("check --slugs github .").out.has("#A: anchor");
}

/// The headings of a part are on the pages that include it. A link in a part refers to them, too.
#[test]
fn headings_of_included_files_are_on_the_page() {
    let vitepress = [
        ("docs/.vitepress/config.js", "export default { srcExclude: ['part.md'] }"),
        (
            "docs/page.md",
            "# Page\n\n<!--@include: ./part.md-->\n\n[1](#of-part) [2](#nested) [3](#none)\n",
        ),
        (
            "docs/part.md",
            "## Of part\n\n[a](#page) [b](#of-part) [c](#gone)\n\n<!--@include: ./nested.md-->\n",
        ),
        ("docs/nested.md", "## Nested\n"),
        ("docs/other.md", "[x](page.md#nested) [y](/page#Of-Part) [z](part.md#other)\n"),
    ];
    let docusaurus = [
        ("docusaurus.config.js", "export default { presets: [['classic', { docs: {} }]] }"),
        (
            "docs/page.mdx",
            "import Part from './_part.mdx'\nimport C from './c.js'\n\n# Page\n\n## B\n\n<Part />\n\n[1](#of-part) [2](#page) [3](#b)\n",
        ),
        ("docs/c.js", "export default () => null\n"),
        ("docs/_part.mdx", "## Of part\n\n[a](#b) [b](#gone)\n"),
    ];
    let found = |files: &[(&str, &str)]| {
        let out = Tree::new(files).run("check .").out;
        let found = out.lines().map(|it| it.split_once(' ').expect("a finding").1.to_owned());
        found.collect::<Vec<_>>()
    };
    let expected = ["part.md#other: anchor", "#none: anchor", "#gone: anchor"];
    assert_eq!(found(&vitepress), expected);
    assert_eq!(found(&docusaurus), ["#gone: anchor", "#page: anchor"]);
}

#[test]
fn starlight_has_routes_by_ids_fallbacks_and_a_public_directory() {
    assert_site(&Site {
        files: &[
            (
                "astro.config.mjs",
                "const locales = { root: { label: 'E' }, fr: { label: 'F' } };\n\
                 export default defineConfig({ integrations: [starlight({ title: 't', locales })], redirects: { '/old': '/' } });",
            ),
            (
                "src/content/docs/index.mdx",
                "[1](/guides/one/) [2](/guides/one/#set-up--go) [3](/logo.png) [4](guides/my-twov1/)\n\
                 [5](/fr/guides/one/) [6](/other/place/) [7](/own/) [8](/old) [9](/guides/one/#_top)\n\
                 [10](/none/) [11](/fr/none/) [12](/guides/slugged/) [13](/guides/_part/) [14](/guides/one.md)\n",
            ),
            (
                "src/content/docs/guides/one.md",
                "---\ntitle: One\n---\n## Set up & go\n\n[a](../my-twov1/) [b](../) [c](../../) [d](../../gone/)\n",
            ),
            ("src/content/docs/guides/My Two.v1.mdx", "---\ntitle: T\n---\n"),
            ("src/content/docs/guides/index.md", "---\ntitle: G\n---\n"),
            ("src/content/docs/guides/_part.md", "x\n"),
            ("src/content/docs/guides/slugged.md", "---\nslug: other/place\n---\n"),
            ("src/content/docs/fr/index.md", "[1](/fr/guides/one/)\n"),
            ("src/pages/own.astro", ""),
            ("public/logo.png", "x"),
        ],
        broken: &[
            "src/content/docs/guides/one.md: ../../gone/: missing",
            "src/content/docs/index.mdx: /none/: missing",
            "src/content/docs/index.mdx: /fr/none/: missing",
            "src/content/docs/index.mdx: /guides/slugged/: missing",
            "src/content/docs/index.mdx: /guides/_part/: missing",
            "src/content/docs/index.mdx: /guides/one.md: missing",
        ],
        moved: ("src/content/docs/guides/one.md", "src/content/docs/First Steps.md"),
        followed: &[
            ("src/content/docs/index.mdx", "[1](/first-steps/) [2](/first-steps/#set-up--go)"),
            (
                "src/content/docs/First Steps.md",
                "[a](../guides/my-twov1/) [b](../guides/) [c](../)",
            ),
        ],
    });
}

#[test]
fn nextra_has_pages_of_its_content_and_of_the_app_directory() {
    assert_site(&Site {
        files: &[
            (
                "next.config.mjs",
                "import nextra from 'nextra'\nconst withNextra = nextra({ contentDirBasePath: '/docs' })\n\
                 const nextConfig = { basePath: '/p', async redirects() { return [{ source: '/docs/old', destination: '/docs', permanent: true }] } }\nexport default withNextra(nextConfig)\n",
            ),
            (
                "content/index.mdx",
                "[1](/docs/guide) [2](./docs/guide) [3](/docs/guide#own) [4](/about) [5](/logo.png)\n\
                 [6](guide.mdx) [7](/docs/guide#set-up) [8](/none) [9](/content/guide)\n\
                 [10](/docs/guide.mdx) [11](/docs/old#x) [12](docs/old) [13](/docs/none.mdx)\n",
            ),
            (
                "content/guide.mdx",
                "## Set up\n\n### Other [#own]\n\n[a](/docs) [b](./part/x) [c](x)\n",
            ),
            ("content/part/x.md", "# X\n"),
            ("content/_meta.js", "export default {}\n"),
            ("app/(site)/about/page.mdx", "# About\n\n[d](/docs/part/x)\n"),
            ("app/[[...mdxPath]]/page.jsx", ""),
            ("public/logo.png", "x"),
        ],
        broken: &[
            "content/guide.mdx: x: missing",
            "content/index.mdx: /none: missing",
            "content/index.mdx: /content/guide: missing",
            "content/index.mdx: /docs/none.mdx: missing",
        ],
        moved: ("content/guide.mdx", "content/part/start.mdx"),
        followed: &[
            ("content/index.mdx", "[1](/docs/part/start) [2](./docs/part/start)"),
            ("content/index.mdx", "[6](part/start.mdx)"),
            ("content/index.mdx", "[10](/docs/part/start.mdx)"),
            ("content/part/start.mdx", "[a](/docs) [b](./x)"),
        ],
    });
}

#[test]
fn docsify_has_routes_from_the_root_and_ids_in_queries() {
    assert_site(&Site {
        files: &[
            (
                "docs/index.html",
                "<script>window.$docsify = { alias: { '/.*/_sidebar.md': '/_sidebar.md', '.*?/log': 'https://h.example/log.md' } }</script>\n",
            ),
            ("docs/_sidebar.md", "* [Home](/)\n* [A](/guide/a)\n* [B](guide/b.md)\n"),
            (
                "docs/README.md",
                "[1](guide/a) [2](/guide/a?id=head-one) [3](guide/) [4](/log) [4](log.md) [5](guide/a?id=own)\n\
                 [6](/none) [7](guide/a.html) [8](guide/a?id=none) [9](guide)\n",
            ),
            ("docs/guide/README.md", "[a](guide/b) [b](/README)\n"),
            (
                "docs/guide/a.md",
                "## Head `one`!\n\n## Other :id=own\n\n[c](guide/b) [d](?id=own)\n",
            ),
            ("docs/guide/b.md", "# B\n"),
        ],
        broken: &[
            "docs/README.md: /none: missing",
            "docs/README.md: guide/a.html: missing",
            "docs/README.md: guide/a?id=none: anchor",
        ],
        moved: ("docs/guide/b.md", "docs/second.md"),
        followed: &[
            ("docs/_sidebar.md", "[B](second.md)"),
            ("docs/guide/README.md", "[a](second) [b](/README)"),
            ("docs/guide/a.md", "[c](second) [d](?id=own)"),
        ],
    });
}

#[test]
fn honkit_has_addresses_of_html_and_ids_in_headings() {
    assert_site(&Site {
        files: &[
            ("book.json", "{ \"title\": \"t\", \"root\": \"./source/\", \"plugins\": [\"x\"] }"),
            (
                "source/README.md",
                "[1](a.md) [2](a.html#own) [3](/part/b.md) [4](part/) [5](part/README.md#set-up-c)\n\
                 [6](gone.html) [7](a.md#title-own) [8](a.md#html-head) [9](part/b.md#c_d)\n\n\
                 {% include \"./a.md\" %}\n",
            ),
            ("source/SUMMARY.md", "* [A](a.md)\n* [P](part/README.md)\n  * [B](part/b.md)\n"),
            ("source/a.md", "## Title {#own} more\n\n<h2>HTML head</h2>\n"),
            ("source/part/README.md", "## Set up (C)\n\n[a](../a.md) [b](/README.md) [c](../)\n"),
            ("source/part/b.md", "## c_d\n"),
            (
                "source/part/notes.md",
                "##No blank\n\nText[^1] [a][] [b][] [x](#no-blank)\n\n[^1]: A note.\n[a]: ../a.md#own\n[b]: ../b.md\n",
            ),
            ("_book/old.html", ""),
        ],
        broken: &[
            "source/README.md: gone.html: missing",
            "source/README.md: a.md#title-own: anchor",
            "source/README.md: part/b.md#c_d: anchor",
            "source/part/notes.md: ../b.md: missing",
        ],
        moved: ("source/a.md", "source/part/c.md"),
        followed: &[
            ("source/README.md", "[1](part/c.md) [2](part/c.html#own)"),
            ("source/README.md", "{% include \"./part/c.md\" %}"),
            ("source/SUMMARY.md", "* [A](part/c.md)"),
            ("source/part/README.md", "[a](c.md) [b](/README.md) [c](../)"),
            ("source/part/notes.md", "\n[a]: c.md#own\n"),
        ],
    });
    // The data of another program.
    let other = [("book.json", "{ \"title\": \"t\" }"), ("a.md", "[b](b.html)\n"), ("b.md", "")];
    Tree::new(&other).run("check .").out.has("b.html: missing");
    let book = [&other[..], &[("SUMMARY.md", "* [A](a.md)\n")]].concat();
    Tree::new(&book).run("check .").ends(0);
}

#[test]
fn wikis_have_pages_by_name() {
    for (remote, rooted) in [
        ("https://github.com/o/r.wiki.git", &[][..]),
        ("git@gitlab.com:o/r.wiki.git", &["Home.md: /Gone: missing"][..]),
    ] {
        let config = format!("[remote \"origin\"]\n\turl = {remote}\n");
        let files = [
            (".git/config", config.as_str()),
            (
                "Home.md",
                "[[Page Name]] [[text|Page Name]] [1](Page-Name) [2](Page-Name#sec) [[img/a.png|alt=x]]\n\
                 [3](Other) [[Gone]] [4](/Gone) [5](Deep) [[_TOC_]]\n",
            ),
            ("Page-Name.md", "## Sec\n\n[[home]]\n"),
            ("part/Deep.md", "[[Page Name#sec]]\n"),
            ("img/a.png", "x"),
        ];
        let tree = Tree::new(&files);
        let out = tree.run("check .").out;
        let missing = ["Other: missing", "Gone: missing"];
        assert_eq!(out.lines().count(), missing.len() + rooted.len(), "{remote}: {out}");
        assert!(missing.iter().all(|it| out.contains(it)), "{remote}: {out}");
        tree.run("move -w --root . Page-Name.md New-Name.md").ends(0);
        let home = tree.read("Home.md");
        let followed =
            "[[New Name]] [[text|New Name]] [1](New-Name) [2](New-Name#sec) [[img/a.png|alt=x]]";
        assert!(home.starts_with(followed), "{home}");
        assert_eq!(tree.read("part/Deep.md"), "[[New Name#sec]]\n");
    }
}

#[test]
fn quarto_has_ids_of_pandoc_pages_of_its_sources_and_includes() {
    assert_site(&Site {
        files: &[
            (
                "_quarto.yml",
                "project:\n  type: website\nwebsite:\n  site-url: https://h.example/p\n",
            ),
            (
                "index.qmd",
                "# Home {#sec-home}\n\n[1](intro.qmd#sec-in) [2](intro.html) [3](#fig-x) [4](#my-div) [5](#sec-home)\n\
                 [6](/part/index.qmd) [7](part/) [8](#tbl-x) [9](#fig-cell) [10](#term) [11](/old.html)\n\
                 [12](intro.qmd#none) [13](_part.html) [14](gone.qmd)\n\n\
                 ![cap](x.png){#fig-x} [text]{#term}\n\n::: {#my-div .c}\ntext\n:::\n\n\
                 | a |\n|---|\n| 1 |\n\n: Cap {#tbl-x}\n\n\
                 ```{python}\n#| label: fig-cell\n#| echo: false\n1\n```\n\n\
                 {{< include _part.qmd >}}\n{{< include gone/_x.qmd >}}\n",
            ),
            ("intro.qmd", "---\naliases: [/old.html]\n---\n# Intro {#sec-in .unnumbered}\n"),
            ("_part.qmd", "[a](intro.qmd)\n"),
            ("part/index.qmd", "{{< include ../_part.qmd >}}\n\n[b](../intro.qmd)\n"),
            ("x.png", "x"),
        ],
        broken: &[
            "index.qmd: intro.qmd#none: anchor",
            "index.qmd: _part.html: missing",
            "index.qmd: gone.qmd: missing",
            "index.qmd: gone/_x.qmd: missing",
        ],
        moved: ("intro.qmd", "part/first.qmd"),
        followed: &[
            ("index.qmd", "[1](part/first.qmd#sec-in) [2](part/first.html)"),
            ("part/index.qmd", "{{< include ../_part.qmd >}}\n\n[b](first.qmd)"),
        ],
    });
}

#[test]
fn gitbook_has_blocks_that_name_files() {
    assert_site(&Site {
        files: &[
            (".gitbook.yaml", "root: ./docs/\n\nstructure:\n  summary: SUMMARY.md\n"),
            ("docs/SUMMARY.md", "* [G](guide.md)\n* [D](dir/)\n"),
            (
                "docs/README.md",
                "{% content-ref url=\"guide.md\" %}\n[guide.md](guide.md)\n{% endcontent-ref %}\n\n\
                 {% content-ref url=\"dir/\" %}\n[dir](dir/)\n{% endcontent-ref %}\n\n\
                 {% content-ref url=\"broken-reference\" %}\n{% endcontent-ref %}\n\n\
                 {% file src=\".gitbook/assets/a b.pdf\" %}\n\n{% include \".gitbook/includes/gone.md\" %}\n",
            ),
            ("docs/guide.md", "# G\n"),
            ("docs/dir/README.md", "# D\n"),
            ("docs/.gitbook/assets/a b.pdf", "x"),
        ],
        broken: &[
            "docs/README.md: broken-reference: missing",
            "docs/README.md: .gitbook/includes/gone.md: missing",
        ],
        moved: ("docs/guide.md", "docs/dir/start.md"),
        followed: &[
            ("docs/README.md", "url=\"dir/start.md\" %}\n[guide.md](dir/start.md)"),
            ("docs/SUMMARY.md", "[G](dir/start.md)"),
        ],
    });
}

/// The findings of `check` in a tree.
fn findings(files: &[(&str, &str)]) -> String {
    Tree::new(files).run("check .").out
}

#[test]
fn emoji_are_no_part_of_ids_where_the_configuration_says_so() {
    let page = ("docs/b.md", "## :rocket: Fast `:tada:` :nope: :material-account: 10:30:15\n");
    let links = |ids: [&str; 2]| format!("[a](b.md#{}) [b](b.md#{})\n", ids[0], ids[1]);
    let ids = ["fast-tada-nope-103015", "rocket-fast-tada-nope-material-account-103015"];
    for (extensions, broken) in [
        ("markdown_extensions: [pymdownx.emoji]\n", ids[1]),
        ("markdown_extensions:\n  - pymdownx.emoji:\n      emoji_generator: x\n", ids[1]),
        ("markdown_extensions:\n  pymdownx.emoji: {}\n", ids[1]),
        ("markdown_extensions: [toc]\n", ids[0]),
    ] {
        let out = findings(&[("mkdocs.yml", extensions), ("docs/a.md", &links(ids)), page]);
        assert_eq!(out.lines().count(), 1, "{extensions}: {out}");
        assert!(out.contains(&format!("#{broken}: anchor")), "{extensions}: {out}");
    }
}

#[test]
fn braces_after_blocks_are_ids_in_hugo_where_the_configuration_says_so() {
    let page = "* one\n* two\n{#items .x}\n\n> q\n{ id=\"quote\" }\n\n| a |\n|---|\n| 1 |\n{#tbl}\n\n\
                text {#no}\n\n[1](#items) [2](#quote) [3](#tbl) [4](#no)\n";
    for (block, broken) in [("true", "#no"), ("false", "#items #quote #tbl #no")] {
        let config = format!("[markup.goldmark.parser.attribute]\nblock = {block}\n");
        let out = findings(&[("hugo.toml", &config), ("content/_index.md", page)]);
        let found: Vec<&str> =
            { out.lines() }.filter_map(|it| it.split(' ').nth(1)?.strip_suffix(':')).collect();
        assert_eq!(found.join(" "), broken, "{out}");
    }
}

/// The ids of Hugo 0.164 and 0.111.
#[test]
fn ids_of_hugo_are_those_of_the_text_and_those_of_the_source() {
    let page = "## Sites <a id=\"alt\"></a>\n\n## [New](b.md) & *more*\n\n## {{% icon robot %}} Upgrade? {{< x >}}\n\n\
                [1](#sites) [2](#new--more) [3](#newbmd--more) [4](#upgrade) [5](#robot-upgrade)\n";
    let out = findings(&[("hugo.toml", ""), ("content/_index.md", page), ("content/b.md", "")]);
    assert_eq!(out.lines().count(), 1, "{out}");
    assert!(out.contains("#robot-upgrade: anchor"), "{out}");
}

#[test]
fn defaults_of_jekyll_are_for_types_and_paths() {
    let config = "defaults:\n- scope: {path: '', type: pages}\n  values: {permalink: '/:basename/'}\n\
                  - scope: {path: part}\n  values: {permalink: '/p/:basename.html'}\n\
                  - scope: {path: '', type: posts}\n  values: {layout: x}\n";
    let links = "---\npermalink: /\n---\n[1](/about/) [2](/p/x.html) [3](/2020/01/02/n.html)\n\
                 [4](/about.html) [5](/x/) [6](/own/)\n";
    let out = findings(&[
        ("_config.yml", config),
        ("index.md", links),
        ("about.md", "---\n---\n"),
        ("part/x.md", "---\n---\n"),
        ("o.md", "---\npermalink: /own/\n---\n"),
        ("_posts/2020-01-02-n.md", "---\n---\n"),
    ]);
    assert_eq!(out.lines().count(), 2, "{out}");
    assert!(out.contains("/about.html: missing") && out.contains("/x/: missing"), "{out}");
}

#[test]
fn properties_of_obsidian_follow_their_notes() {
    let tree = Tree::new(&[
        (".obsidian/app.json", "{}\n"),
        ("people/Ann.md", "# A\n"),
        (
            "log.md",
            "---\nauthor: '[[people/Ann]]'\nalso: [\"[[people/Ann#A|her]]\", \"[[Gone]]\"]\ntext: see [[people/Ann]]\n---\n",
        ),
    ]);
    assert_eq!(tree.run("check .").out.lines().count(), 1);
    tree.run("move -w --root . people/Ann.md team/Ann.md").ends(0);
    assert_eq!(
        tree.read("log.md"),
        "---\nauthor: '[[team/Ann]]'\nalso: [\"[[team/Ann#A|her]]\", \"[[Gone]]\"]\ntext: see [[people/Ann]]\n---\n"
    );
}

#[test]
fn nextra_adds_the_default_language() {
    let out = findings(&[
        (
            "next.config.js",
            "nextra()\nmodule.exports = { i18n: { locales: ['en', 'de'], defaultLocale: 'en' } }\n",
        ),
        ("content/en/index.mdx", "[1](/docs/a) [2](/docs/none) [3](/en/docs/a) [4](/de/docs/a)\n"),
        ("content/en/docs/a.mdx", "# A\n"),
    ]);
    assert_eq!(out.lines().count(), 1, "{out}");
    assert!(out.contains("/docs/none: missing"), "{out}");
}

#[test]
fn links_of_hugo_name_pages_by_path_where_a_hook_finds_them() {
    let files = |config: &'static str| {
        [
            ("hugo.toml", config),
            ("content/_index.md", "[1](docs/a/) [2](docs/b#x) [3](docs/none/)\n"),
            ("content/docs/a.md", "[4](1.0/) [5](../docs/1.0) [6](gone/)\n"),
            ("content/docs/b/index.md", "## X\n\n[8](a/#own) [9](docs/a) [10](../)\n"),
            ("content/docs/1.0.md", "## Y\n"),
        ]
    };
    let several = "[languages.en]\nweight = 1\n[languages.fr]\nweight = 2\n";
    let hosts = "[languages.en]\nbaseURL = 'https://a'\n[languages.fr]\nbaseURL = 'https://b'\n";
    let by_path = "docs/none/ gone/ a/#own";
    let by_address = "docs/none/ 1.0/ ../docs/1.0 gone/ a/#own docs/a";
    let broken = |files: &[(&str, &str)]| {
        let out = findings(files);
        let references = out.lines().filter_map(|it| it.split(' ').nth(1)?.strip_suffix(':'));
        references.collect::<Vec<_>>().join(" ")
    };
    let embedded = |value| format!("[markup.goldmark.renderHooks.link]\nuseEmbedded = '{value}'\n");
    assert_eq!(broken(&files(several)), by_path);
    assert_eq!(broken(&files(hosts)), by_address);
    assert_eq!(broken(&files("title = 'x'\n")), by_address);
    for (value, expected) in [("always", by_path), ("fallback", by_path), ("never", by_address)] {
        let config = embedded(value);
        let mut files = files("").to_vec();
        files[0].1 = &config;
        assert_eq!(broken(&files), expected, "{value}");
    }
    for (path, hook, expected) in [
        ("layouts/_markup/render-link.html", "{{ .Page.GetPage .Destination }}", by_path),
        ("layouts/_default/_markup/render-link.html", "{{ .Destination }}", by_address),
        ("themes/t/layouts/_markup/render-link.html", "{{ $.Page.GetPage $x }}", by_path),
    ] {
        let mut files = files("theme = 't'\n").to_vec();
        files.push((path, hook));
        assert_eq!(broken(&files), expected, "{path}");
    }
    let tree = Tree::new(&files(several));
    tree.ends(0, "move -w --root . content/docs/a.md content/guide/a.md");
    let texts = tree.files();
    assert!(texts["content/_index.md"].starts_with("[1](guide/a/)"), "{texts:?}");
    assert!(
        texts["content/guide/a.md"].starts_with("[4](../docs/1.0/) [5](../docs/1.0)"),
        "{texts:?}"
    );
    let bundle = &texts["content/docs/b/index.md"];
    assert!(bundle.contains("[8](../guide/a/#own) [9](guide/a) [10](../)"), "{bundle}");
}

#[test]
fn relative_aliases_of_hugo_move_with_their_page() {
    assert_site(&Site {
        files: &[
            ("hugo.toml", ""),
            ("content/_index.md", "[1](/docs/old/) [2](/fixed/) [3](/docs/a/) [4](/old/)\n"),
            ("content/docs/a.md", "---\naliases: [old, /fixed]\n---\n"),
        ],
        broken: &["content/_index.md: /old/: missing"],
        moved: ("content/docs", "content/guide"),
        followed: &[("content/_index.md", "[1](/guide/a/) [2](/fixed/) [3](/guide/a/)")],
    });
}

#[test]
fn links_of_layouts_and_includes_are_relative_to_other_pages() {
    let html = "<a href=\"#top\"></a> <a href=\"gone/\"></a> <a href=\"/none/\"></a>\n";
    for (files, parts) in [
        ([("_config.yml", "title: x\n"), ("index.md", "# I\n")], ["_layouts", "_includes/nav"]),
        ([("hugo.toml", ""), ("content/_index.md", "# I\n")], ["layouts", "themes/t/layouts/p"]),
    ] {
        let paths = parts.map(|it| format!("{it}/part.html"));
        let mut files = files.to_vec();
        files.extend(paths.iter().map(|path| (&**path, html)));
        files.push(("other/page.html", "<a href=\"#top\"></a> <a href=\"#no\"></a>\n"));
        let out = findings(&files);
        assert_eq!(out.matches("/none/: missing").count(), 2, "{out}");
        assert!(out.contains("#no: anchor"), "{out}");
        assert_eq!(out.lines().count(), 3, "{out}");
    }
}

#[test]
fn paths_after_the_base_url_of_jekyll_are_links() {
    assert_site(&Site {
        files: &[
            ("_config.yml", "baseurl: /b\npermalink: pretty\n"),
            (
                "index.md",
                "[1]({{ site.baseurl }}/docs/a/#x) [2]({{site.baseurl}}/docs/a/#y) [3]({{ '/docs/a' | relative_url }})\n\
                 [4]({{ site.url }}{{ site.baseurl }}/docs/a/index.html) ![5]({{site.baseurl}}/img/a%20b.png) [d]\n\
                 <a href=\"{{ site.baseurl }}/docs/a/\">6</a> <img src=\"{{ '/img/a b.png' | relative_url }}\">\n\
                 [7]({{site.baseurl}}/none/) [8]({{ site.baseurl }}/b/docs/a/) [9]({{ site.other }}/docs/none/)\n\
                 [10]({{ site.baseurl }}{{ page.x }}) [11]({{ site.baseurl }}) `[12]({{site.baseurl}}/code/)`\n\n\
                 [d]: {{ \"/docs/a/\" | absolute_url }}\n",
            ),
            ("docs/a.md", "## X\n"),
            ("img/a b.png", "x"),
        ],
        broken: &[
            "index.md: /docs/a/#y: anchor",
            "index.md: /none/: missing",
            "index.md: /b/docs/a/: missing",
        ],
        moved: ("docs/a.md", "guide/c d.md"),
        followed: &[
            (
                "index.md",
                "[1]({{ site.baseurl }}/guide/c%20d/#x) [2]({{site.baseurl}}/guide/c%20d/#y)",
            ),
            ("index.md", "[3]({{ '/guide/c%20d' | relative_url }})"),
            ("index.md", "[4]({{ site.url }}{{ site.baseurl }}/guide/c%20d/index.html)"),
            ("index.md", "<a href=\"{{ site.baseurl }}/guide/c%20d/\">6</a>"),
            ("index.md", "[d]: {{ \"/guide/c%20d/\" | absolute_url }}"),
        ],
    });
}

#[test]
fn options_of_directives_name_documents_and_files() {
    assert_site(&Site {
        files: &[
            ("conf.py", "extensions = ['myst_parser', 'sphinx_design']\n"),
            (
                "index.md",
                "# I\n\n````{div} row\n```{button-ref} guide/a\n:color: primary\n:ref-type: doc\n\nGo\n```\n````\n\n\
                 :::{grid-item-card} A\n:link: guide/a\n:link-type: doc\n:img-top: img/a.png\n\ntext\n:link: no\n:::\n\n\
                 :::{card} B\n:link: label\n:link-type: ref\n:::\n\n```{raw} html\n:file: guide/x.html\n```\n\n\
                 ```{csv-table} T\n:file: gone.csv\n```\n\n```{card} C\n:link: none\n:link-type: doc\n```\n",
            ),
            ("guide/a.md", "# A\n"),
            ("guide/x.html", "<p>x"),
            ("img/a.png", "x"),
        ],
        broken: &["index.md: gone.csv: missing", "index.md: none: missing"],
        moved: ("guide", "start"),
        followed: &[
            ("index.md", "{button-ref} start/a\n"),
            ("index.md", ":link: start/a\n:link-type: doc\n"),
            ("index.md", ":file: start/x.html\n"),
        ],
    });
}
