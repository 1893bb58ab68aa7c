//! Settings of documentation sites in the spellings of YAML, TOML and JSON: each gives the site that
//! the plain one gives.

use std::collections::BTreeMap;

use rehref::docs_site::{ConfigFiles, SiteChoice, SiteKind, detect};
use rehref::listing::Listing;
use rehref::site::Site;

/// The texts of files, in a tree or around it.
struct Files(BTreeMap<String, String>);

/// The path without `..` after a name.
fn clean(path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match (name, names.last()) {
            (".", _) => {}
            ("..", Some(last)) if *last != ".." => _ = names.pop(),
            _ => names.push(name),
        }
    }
    names.join("/")
}

impl ConfigFiles for Files {
    fn read(&self, path: &[u8]) -> Option<String> {
        self.0.get(&clean(std::str::from_utf8(path).expect("UTF-8"))).cloned()
    }

    fn read_above(&self, levels: usize, name: &str) -> Option<String> {
        self.0.get(&clean(&("../".repeat(levels) + name))).cloned()
    }

    fn exists(&self, levels: usize, name: &str) -> bool {
        let path = "../".repeat(levels) + name;
        self.0.keys().any(|it| *it == path || it.starts_with(&format!("{path}/")))
    }

    fn names_above(&self) -> Vec<Vec<u8>> {
        let above = self.0.keys().any(|it| it.starts_with("../"));
        if above { vec![b"tree".to_vec()] } else { Vec::new() }
    }

    fn repository(&self) -> Option<(String, usize)> {
        None
    }
}

/// The kind of the site that `page` is on, and the file that a link in it refers to.
fn target(files: &[(&str, &str)], page: &str, link: &str) -> (SiteKind, Option<String>) {
    let in_tree = files.iter().map(|it| it.0).filter(|it| !it.starts_with("../"));
    let listing = Listing::of_files(in_tree);
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let layouts = detect(SiteChoice::Auto, &listing, &Files(files.collect()));
    let kind = layouts.kind_of(page.as_bytes());
    let site = Site::private(listing, vec!["index.html".into()]).with_layouts(layouts);
    let file = site.file_named(page.as_bytes(), link);
    let file = file.map(|it| String::from_utf8_lossy(site.listing().name(it)).into_owned());
    (kind, file)
}

/// Panics unless each of these configurations, a file with its text and perhaps others, gives a link
/// in a page its target.
#[track_caller]
fn assert_read(
    kind: SiteKind,
    configurations: &[&[(&str, &str)]],
    pages: &[(&str, &str)],
    link: &str,
    expected: &str,
) {
    for configuration in configurations {
        let files = [configuration, pages].concat();
        let found = target(&files, pages[0].0, link);
        assert_eq!(found, (kind, Some(expected.to_owned())), "{configuration:?}");
    }
}

/// Configurations of one file with this name.
macro_rules! texts {
    ($name:expr, [$($text:expr),* $(,)?]) => {
        &[$(&[($name, $text)] as &[(&str, &str)]),*]
    };
}

#[test]
fn directory_of_mkdocs_is_read_in_any_spelling() {
    let pages = [("manual/a.md", ""), ("manual/b.md", ""), ("docs/b.md", "")];
    let texts = texts!(
        "mkdocs.yml",
        [
            "docs_dir: manual",
            "\u{feff}docs_dir: manual\r\n",
            "---\ndocs_dir: manual\n",
            "%YAML 1.1\n---\ndocs_dir: manual\n...\n",
            "'docs_dir': manual",
            "\"docs\\u005fdir\": \"\\x6danual\"",
            "docs_dir: &d manual\nextra: {d: *d}",
            "extra: {d: &d manual}\ndocs_dir: *d",
            "docs_dir: !ENV [DOCS, manual]",
            "docs_dir: !ENV [DOCS, OTHER, 'manual']",
            "docs_dir: !!str manual",
            "x: &x {docs_dir: manual}\n<<: *x\n",
            "{site_name: x, docs_dir: manual}",
            "docs_dir: |-\n  manual\nextra: x\n",
            "docs_dir: >-\n  manual\n",
            "docs_dir:\n  manual\n",
            "docs_dir: \"man\\\n  ual\"\n",
            "? docs_dir\n: manual\n",
            "extra:\n  docs_dir: docs\ndocs_dir:\tmanual\n",
            "markdown_extensions:\n- toc:\n    slugify: !!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}\n\
            - x: !!python/name:material.extensions.emoji.twemoji\n- y: !relative $config_dir\ndocs_dir: manual\n",
            // Not valid, but read before and after the fault.
            "docs_dir: manual\nx: y: z\n",
            "x: y: z\ndocs_dir: manual\n",
        ]
    );
    assert_read(SiteKind::MkDocs, texts, &pages, "/b/", "manual/b.md");
    for default in ["docs_dir: !ENV DOCS", "docs_dir: ~", "Docs_Dir: manual", "docs_dir: ''"] {
        let found =
            target(&[&[("mkdocs.yml", default)][..], &pages[2..]].concat(), "docs/b.md", "/b/");
        assert_eq!(found, (SiteKind::MkDocs, Some("docs/b.md".to_owned())), "{default}");
    }
    let html = texts!(
        "mkdocs.yml",
        [
            "docs_dir: manual\nuse_directory_urls: false",
            "docs_dir: manual\nuse_directory_urls: No",
            "docs_dir: manual\nuse_directory_urls: !ENV [X, false]",
        ]
    );
    assert_read(SiteKind::MkDocs, html, &pages, "/b.html", "manual/b.md");
}

#[test]
fn configurations_of_mkdocs_inherit() {
    let pages = [("manual/a.md", ""), ("manual/b.md", ""), ("docs/b.md", "")];
    let configurations: &[&[(&str, &str)]] = &[
        &[("mkdocs.yml", "INHERIT: base.yml"), ("base.yml", "docs_dir: manual")],
        &[("mkdocs.yml", "INHERIT: ./x/base.yml"), ("x/base.yml", "docs_dir: manual")],
        &[("mkdocs.yml", "INHERIT: ../base.yml"), ("../base.yml", "docs_dir: manual")],
        &[("mkdocs.yml", "docs_dir: manual\nINHERIT: base.yml"), ("base.yml", "docs_dir: docs")],
        &[
            ("mkdocs.yml", "\"INHERIT\": &b x/one.yml"),
            ("x/one.yml", "INHERIT: ../two.yml"),
            ("two.yml", "docs_dir: manual"),
        ],
        &[("mkdocs.yml", "docs_dir: manual\nINHERIT: none.yml")],
        &[("mkdocs.yml", "docs_dir: manual\nINHERIT: mkdocs.yml")],
    ];
    assert_read(SiteKind::MkDocs, configurations, &pages, "/b/", "manual/b.md");
    // Above the tree.
    let files = [
        ("../mkdocs.yml", "INHERIT: conf/base.yml"),
        ("../conf/base.yml", "docs_dir: tree/text"),
        ("text/a.md", ""),
        ("text/b.md", ""),
    ];
    let found = target(&files, "text/a.md", "/b/");
    assert_eq!(found, (SiteKind::MkDocs, Some("text/b.md".to_owned())));
}

#[test]
fn directory_of_mdbook_is_read_in_any_spelling() {
    let pages = [("text/a.md", ""), ("text/b.md", ""), ("src/b.md", "")];
    let texts = texts!(
        "book.toml",
        [
            "[book]\nsrc = \"text\"\n",
            "\u{feff}[book] # x\r\nsrc = 'text' # y\r\n",
            "book.src = \"text\"",
            "book = {title = \"t\", src = \"text\"}",
            "\"book\".'src' = \"te\\u0078t\"",
            "[ book ]\n\"src\" = \"\"\"\ntext\"\"\"",
            "[book]\nsrc = '''text'''",
            "src = \"src\"\n[output.html]\nsrc = \"src\"\n[book]\nsrc = \"text\"\n",
            "[book]\nx = y z\nsrc = \"text\"\n",
        ]
    );
    assert_read(SiteKind::MdBook, texts, &pages, "/b.html", "text/b.md");
    let prefixes = texts!(
        "book.toml",
        [
            "[book]\nsrc = 'text'\n[output.html]\nsite-url = \"/x/\"\n",
            "book.src = 'text'\noutput.html.site-url = \"\\u002Fx/\"\n",
            "book.src = 'text'\n[output]\nhtml = {\"site-url\" = \"https://h/x/\"}\n",
        ]
    );
    assert_read(SiteKind::MdBook, prefixes, &pages, "/x/b.html", "text/b.md");
}

#[test]
fn settings_of_jekyll_are_read_in_any_spelling() {
    let pages = [("index.md", ""), ("about.md", "---\n\"permalink\": &p '/x/y/'\n---\n")];
    let texts = texts!(
        "_config.yml",
        [
            "baseurl: /b",
            "\"baseurl\": \"\\/b\"",
            "x: &base /b\nbaseurl: *base\n",
            "defaults_: &d\n  baseurl: /b\n<<: *d\n",
            "--- {baseurl: /b}\n",
            "baseurl: >-\n  /b\ntitle: |\n  baseurl: /c\n",
        ]
    );
    assert_read(SiteKind::Jekyll, texts, &pages, "/b/x/y/", "about.md");
    let others: &[&[(&str, &str)]] = &[
        &[("_config.yaml", "baseurl: /b")],
        &[("_config.toml", "baseurl = '/b'")],
        &[("_config.toml", "baseurl = '/c'"), ("_config.yml", "baseurl: /b")],
    ];
    assert_read(SiteKind::Jekyll, others, &pages, "/b/x/y/", "about.md");
    let pages = [("index.md", ""), ("_docs/a.md", "")];
    let collections = texts!(
        "_config.yml",
        [
            "collections:\n  docs:\n    permalink: /d/:path/\n",
            "collections: {docs: {output: true, permalink: '/d/:path/'}}",
            "x: &x {permalink: /d/:path/}\ncollections:\n  docs: {<<: *x, output: true}\n",
            "x: &x {permalink: /d/:path/}\n'collections': {\"docs\": *x}\n",
        ]
    );
    assert_read(SiteKind::Jekyll, collections, &pages, "/d/a/", "_docs/a.md");
}

#[test]
fn settings_of_hugo_are_read_in_any_file_and_spelling() {
    let pages = [("pages/_index.md", ""), ("pages/docs/one.md", "")];
    let configurations: &[&[(&str, &str)]] = &[
        &[("hugo.toml", "contentDir = \"pages\"")],
        &[("hugo.toml", "'contentdir' = \"p\\u0061ges\"")],
        &[("hugo.yaml", "contentDir: pages")],
        &[("hugo.yml", "{\"CONTENTDIR\": !!str pages}")],
        &[("hugo.json", "{\"baseURL\":\"https://h/\",\"contentDir\":\"pages\"}")],
        &[("hugo.json", "\u{feff}{\n\t\"contentDir\":\r\n\t\"p\\u0061ges\"\n}\n")],
        &[("config.toml", "contentDir = 'pages'")],
        &[("config.yaml", "contentDir: pages")],
        &[("config.json", "{\"baseURL\":\"https://h/\",\"contentDir\":\"pages\"}")],
        &[("config/_default/hugo.toml", "contentDir = 'pages'")],
        &[("config/_default/config.yaml", "contentDir: pages")],
        &[("config/_default/hugo.json", "{\"contentDir\": \"pages\"}")],
        &[
            ("config/_default/hugo.yaml", "title: x"),
            (
                "config/_default/module.json",
                "{\"mounts\":[{\"source\":\"pages\",\"target\":\"content\"}]}",
            ),
        ],
        &[
            ("hugo.toml", "contentDir = 'other'"),
            ("config/_default/hugo.toml", "contentDir = 'pages'"),
            ("config/_default/params.toml", "contentDir = 'no'"),
        ],
        &[("hugo.toml", "contentDir = 'pages'"), ("config.toml", "contentDir = 'other'")],
        &[(
            "hugo.json",
            "{\"module\":{\"mounts\":[{\"source\":\"pages\",\"target\":\"content\"}]}}",
        )],
        &[("hugo.toml", "module.mounts = [{source = \"pages\", target = \"content\"}]")],
        &[("hugo.yaml", "module: {mounts: [{source: pages, target: content}]}")],
    ];
    assert_read(SiteKind::Hugo, configurations, &pages, "/docs/one/", "pages/docs/one.md");
    let pages = [("content/_index.md", ""), ("content/one.de.md", "")];
    let languages: &[&[(&str, &str)]] = &[
        &[("hugo.toml", "[languages.en]\n[languages.DE]\n")],
        &[("hugo.toml", "languages = {en = {}, de = {weight = 2}}")],
        &[("hugo.yaml", "languages: {en: , de: {weight: 2}}")],
        &[("hugo.json", "{\"languages\":{\"en\":{},\"de\":{}}}")],
        &[("config/_default/hugo.toml", ""), ("config/_default/languages.yaml", "de: {}")],
    ];
    assert_read(SiteKind::Hugo, languages, &pages, "/de/one/", "content/one.de.md");
}

#[test]
fn names_of_hugo_alone_are_no_configuration_of_it() {
    for files in [
        [("config.json", "{\"name\": \"x\"}"), ("content/a.md", "")],
        [("config.toml", "base_url = 'https://h/'"), ("content/a.md", "")],
        [("hugo.json", "{\"contentDir\": \"pages\"}"), ("content/a.md", "")],
    ] {
        assert_eq!(target(&files, "content/a.md", "a.md").0, SiteKind::Plain, "{files:?}");
    }
}

#[test]
fn addresses_in_front_matter_are_read_in_any_spelling() {
    for text in [
        "---\nslug: /x/y\n---\n",
        "---\n'slug': &s \"\\/x/y\"\n---\n",
        "---\r\nslug: >-\r\n  /x/y\r\ntitle: |\r\n  slug: no\r\n---\r\n",
        "---\n{title: a, slug: /x/y}\n---\n",
        "---\nid: z\n<<: {slug: /x/y}\n---\n",
        "---\nslug: !!str /x/y # z\n---\n",
        "---\nslug: /x/y\ntitle: a: b\n---\n",
    ] {
        let files = [
            ("docusaurus.config.js", "module.exports = {}"),
            ("docs/a.md", ""),
            ("docs/b.md", text),
        ];
        let found = target(&files, "docs/a.md", "/docs/x/y");
        assert_eq!(found, (SiteKind::Docusaurus, Some("docs/b.md".to_owned())), "{text}");
    }
    for text in [
        "---\nURL: /x/y/\n---\n",
        "+++\nurl = '/x/y/'\n+++\n",
        "+++\n\"url\" = \"\\u002Fx/y/\" # z\ntags = [\n'a']\n+++\n",
        "{\n\t\"title\": \"{\",\n\t\"url\": \"\\/x\\/y\\/\"\n}\n# a\n",
        "---\naliases: /x/y/\n---\n",
        "---\naliases:\n- &a /x/y/\n- *a\n---\n",
        "---\n'aliases': [\n  # z\n  \"/x/y/\", # z\n]\n---\n",
        "+++\nAliases = ['''/x/y/''']\n+++\n",
    ] {
        let files = [("hugo.toml", ""), ("content/a.md", ""), ("content/b.md", text)];
        let found = target(&files, "content/a.md", "/x/y/");
        assert_eq!(found, (SiteKind::Hugo, Some("content/b.md".to_owned())), "{text}");
    }
    for text in [
        "---\npermalink: /x/y/\n---\n",
        "---\n\"permalink\": '/x/y/'\n---\n",
        "---\nredirect_from: /x/y/\n---\n",
        "---\nredirect_from: [no/, '/x/y/']\n---\n",
        "---\nredirect_from:\n  - \"\\/x/y/\"\n---\n",
    ] {
        let files = [("_config.yml", "title: x"), ("a.md", ""), ("b.md", text)];
        let found = target(&files, "a.md", "/x/y/");
        assert_eq!(found, (SiteKind::Jekyll, Some("b.md".to_owned())), "{text}");
    }
}
