//! Trees of documentation sites made to be slow: detection and look-ups take linear time in the
//! number of files and links.

use std::hint::black_box;

use rehref::check::{CheckOptions, Checker};
use rehref::docs_site::{SiteChoice, detect};
use rehref::document::Document;
use rehref::listing::Listing;
use rehref::site::Site;

use crate::linear::assert_linear_in;
use crate::site_laws::SameText;

/// Configuration files that name MyST, and documents with front matter.
const SETTINGS: SameText = SameText("---\nslug: myst nextra\n---\n");

/// Checks a tree, which has a line for each file: the path, and the text after a tab.
fn check(tree: &str) {
    let files = || tree.lines().map(|line| line.split_once('\t').unwrap_or((line, "")));
    let listing = Listing::of_files(files().map(|(path, _)| path));
    let layouts = detect(SiteChoice::Auto, &listing, &SETTINGS);
    let site = Site::private(listing, vec!["index.html".into()]).with_layouts(layouts);
    let options = CheckOptions { confined: true, ..CheckOptions::default() };
    let checker = Checker::new(&site, options);
    for (path, text) in files() {
        let file = site.listing().id(path.as_bytes()).expect("a file of the tree");
        let document = Document::new(path, text.as_bytes().to_vec());
        let document = document.retrieved_from(site.uri_of(path.as_bytes()));
        black_box(checker.survey(file, &document));
    }
}

/// Panics unless the cost of checking is linear in a tree of these files, and others that are
/// repeated with `#` as their number.
fn assert_grows_linearly(first: &str, repeated: &str) {
    let text = |len: usize| {
        let count = len / repeated.len();
        let lines = (0..count).map(|number| repeated.replace('#', &number.to_string()) + "\n");
        format!("{first}{}", lines.collect::<String>())
    };
    assert_linear_in(&format!("{first:?} {repeated:?}"), text, check);
}

#[test]
fn names_are_looked_up_in_linear_time() {
    for (first, repeated) in [
        // A name that fits no file, and one that fits all.
        (".obsidian/a\n", "d#/y.md\t[[x/y]]"),
        (".obsidian/a\n", "d#/y.md\t[[x#/y]] [[x/y#]]"),
        (".obsidian/a\n", "d#/y.md\t[[y]]"),
        ("next.config.js\n", "pages/d#/[x].md\t[y](z/y) [z](/e/y)"),
        (".obsidian/a\n", "d#/y.md\t[x](x/y) [y](z/y.md)"),
        (".obsidian/a\n", "d#/y.png\t\ne#.md\t[[y]] [[d/y]]"),
        ("", "d#/.obsidian/a\nd#/y.md\t[[y]] [[x/y]] [y](z/y)"),
        ("hugo.toml\n", "content/d#/y.md\t{{< ref \"y\" >}}{{< ref \"x/y\" >}}"),
        ("hugo.toml\n", "content/d#/_index.md\t{{< ref \"d/_index.md\" >}}"),
        ("hugo.toml\n", "content/d#/index.md\t{{< ref \"y\" >}}\ncontent/d#/y.md"),
        ("hugo.toml\ncontent/a.md\n", "d#/y.md\ncontent/d#.md\t{{< ref \"y\" >}}"),
        ("", "d#/hugo.toml\nd#/content/y.md\t[y](/e/y/) {{< ref \"z\" >}}"),
        ("_config.yml\n", "_posts/d#/y.md\t{% post_url y %} {% post_url x/y %}"),
    ] {
        assert_grows_linearly(first, repeated);
    }
}

#[test]
fn sites_are_detected_in_linear_time() {
    for config in [
        "book.toml", "mkdocs.yml", "docusaurus.config.js", "hugo.toml", "_config.yml", "conf.py",
        ".obsidian/a",
    ] {
        assert_grows_linearly("", &format!("d#/{config}\nd#/content/a.md\t[a](/b) [b](c)"));
        // A site without directories of its own.
        assert_grows_linearly(&format!("{config}\n"), &format!("d#/{config}\nd#/a.md\t[a](/b)"));
    }
}
