//! Broken links by `check` equal those by html5ever's DOM and the file system.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::support::stopwatch::Stopwatch;
use crate::support::tree::Tree;
use crate::tier;
use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use rehref::check::{BrokenReason, CheckOptions, Checker, Finding, Survey};
use rehref::document::Document;
use rehref::format::Format;
use rehref::format::Options;
use rehref::fs::{Item, list};
use rehref::jobs::{Check, CheckEvent};
use rehref::listing::{Entry, Id};
use rehref::site::Site;

/// A broken link: the document, the reference, and the reason.
type Row = (String, String, BrokenReason);

/// The broken links of a directory.
fn broken(root: &Path, options: CheckOptions) -> Vec<Row> {
    let site =
        Site::new("http://h/", list(root, |error| panic!("{error}")), vec!["index.html".into()]);
    let checker = Checker::new(&site, options);
    let mut pages: Vec<(Id, Document, Survey)> = Vec::new();
    for (file, name, entry) in site.listing().iter() {
        let path = root.join(rehref::fs::path_of_bytes(name));
        let is_page = path.extension().is_some_and(|it| it == "html");
        if entry != Entry::File || !is_page {
            continue;
        }
        let bytes = std::fs::read(&path).expect("readable");
        let page = Document::new(&path, bytes).retrieved_from(site.uri_of(name));
        let survey = checker.survey(file, &page);
        pages.push((file, page, survey));
    }
    let mut rows = Vec::new();
    for (file, page, survey) in &pages {
        let before = rows.len();
        let name = String::from_utf8_lossy(site.listing().name(*file)).into_owned();
        checker.broken(
            *file,
            survey,
            page,
            |_| None,
            |finding| match finding {
                Finding::Broken(it) => {
                    rows.push((name.clone(), it.link.reference().to_owned(), it.why));
                }
                Finding::Unknown(link) => panic!("{}", link.reference()),
            },
        );
        assert_eq!(checker.is_broken(survey), rows.len() > before, "{name}");
    }
    rows
}

fn with_anchors() -> CheckOptions {
    CheckOptions {
        find: Options { anchors: true, ..Options::default() },
        ..CheckOptions::default()
    }
}

/// Names that need percent-encoding in a reference, or look as if already encoded.
const NAMES: [&str; 18] = [
    "a", "b c", "100%", "x#1", "q?a=b", "p;v=1", "c+d", "e&f", "'g'", "\"h\"", "é", "e\u{301}",
    "日本", "%41", "[i]", "~", "..j", "k:l",
];

/// A path below the root, and its anchors.
#[derive(Clone, Debug)]
struct Page {
    path: String,
    ids: Vec<&'static str>,
}

const IDS: [&str; 6] = ["one", "two three", "vier#4", "é", "a%20b", "Top"];

fn pages() -> impl Strategy<Value = Vec<Page>> {
    let names = prop::collection::vec(select(&NAMES[..]), 1..4);
    let ids = prop::collection::vec(select(&IDS[..]), 0..3);
    let page = (names, ids).prop_map(|(names, ids)| {
        // Directories have other endings than files, so that no two entries have the same path.
        let (name, directories) = names.split_last().expect("a name");
        let mut path: String = directories.iter().map(|it| format!("{it}.d/")).collect();
        path.push_str(&format!("{name}.html"));
        Page { path, ids }
    });
    prop::collection::vec(page, 1..8)
}

/// The text percent-encoded, except for a few characters that need not be.
fn encoded(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes()
        .map(|byte| match is_plain(byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect()
}

/// The relative reference from one path to another, computed without the tested code.
fn reference(from: &str, to: &str, id: Option<&str>) -> String {
    let up = "../".repeat(from.matches('/').count());
    let path: Vec<String> = to.split('/').map(encoded).collect();
    let fragment = id.map_or(String::new(), |id| format!("#{}", encoded(id)));
    format!("{up}{}{fragment}", path.join("/"))
}

/// The `href` of each `a` in the DOM of a page.
fn references_in_dom(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("readable");
    let dom = parse_document(RcDom::default(), ParseOpts::default()).one(text);
    let mut references = Vec::new();
    let mut open: Vec<Handle> = vec![dom.document.clone()];
    while let Some(node) = open.pop() {
        open.extend(node.children.borrow().iter().rev().cloned());
        if let NodeData::Element { name, attrs, .. } = &node.data
            && &*name.local == "a"
        {
            let attributes = attrs.borrow();
            let href = attributes.iter().find(|it| &*it.name.local == "href");
            references.extend(href.map(|it| it.value.to_string()));
        }
    }
    references
}

/// Returns true if the file of a relative reference exists, by the file system.
fn exists(document: &Path, reference: &str) -> bool {
    let path = reference.split('#').next().unwrap_or_default();
    if path.is_empty() {
        return true;
    }
    let mut to: PathBuf = document.parent().expect("a directory").to_owned();
    for segment in path.split('/') {
        let mut name = Vec::new();
        let mut bytes = segment.bytes();
        while let Some(byte) = bytes.next() {
            match byte {
                b'%' => {
                    let mut digit = || bytes.next().map_or('0', char::from);
                    let digits: String = [digit(), digit()].into_iter().collect();
                    name.push(u8::from_str_radix(&digits, 16).expect("hexadecimal"));
                }
                byte => name.push(byte),
            }
        }
        to.push(String::from_utf8(name).expect("UTF-8"));
    }
    to.exists()
}

proptest! {
    #![proptest_config(tier::cases(150))]

    /// A site with only valid links has no broken ones. Where one file is removed, exactly the
    /// links to it are broken.
    #[test]
    fn removing_a_file_breaks_exactly_the_links_to_it(
        pages in pages(),
        links in prop::collection::vec((any::<Index>(), any::<Index>(), any::<Option<Index>>()), 0..20),
        gone in any::<Index>(),
    ) {
        let tree = Tree::empty();
        let mut seen = BTreeSet::new();
        let pages: Vec<Page> = pages.into_iter().filter(|it| seen.insert(it.path.clone())).collect();
        let mut texts: Vec<String> = pages
            .iter()
            .map(|page| page.ids.iter().map(|id| format!("<p id=\"{id}\">")).collect())
            .collect();
        for (from, to, id) in &links {
            let (from, to) = (from.index(pages.len()), to.index(pages.len()));
            let id = id.filter(|_| !pages[to].ids.is_empty()).map(|id| *id.get(&pages[to].ids));
            let reference = reference(&pages[from].path, &pages[to].path, id);
            texts[from].push_str(&format!("<a href='{reference}'>x</a>"));
        }
        for (page, text) in pages.iter().zip(&texts) {
            tree.write(&page.path, text);
        }
        prop_assert_eq!(broken(tree.path(), with_anchors()), []);

        let gone = &pages[gone.index(pages.len())];
        tree.remove(&gone.path);
        let mut expected = Vec::new();
        for page in pages.iter().filter(|it| it.path != gone.path) {
            let path = tree.at(&page.path);
            let references = references_in_dom(&path).into_iter();
            let missing = references.filter(|it| !exists(&path, it));
            expected.extend(missing.map(|it| (page.path.clone(), it, BrokenReason::Missing)));
        }
        let mut found = broken(tree.path(), with_anchors());
        found.sort();
        expected.sort();
        prop_assert_eq!(found, expected);
    }
}

/// The inputs of a run.
#[derive(Clone, Copy, Debug)]
enum Named {
    /// These directories, each with its own root.
    Directories,
    /// Each page.
    Files,
    /// All of it, with a root.
    Root,
}

/// A site in a directory, with links from page to page, also from one directory to the other.
fn linked_pages(tree: &Tree, pages: &[Page], links: &[(Index, Index, bool)]) -> Vec<PathBuf> {
    let paths: Vec<String> = pages
        .iter()
        .enumerate()
        .map(|(at, page)| format!("{}/{}", ["one", "two"][at % 2], page.path))
        .collect();
    let mut texts = vec![String::new(); pages.len()];
    for (from, to, exists) in links {
        let (from, to) = (from.index(pages.len()), to.index(pages.len()));
        let reference = match from % 2 == to % 2 {
            true => reference(&pages[from].path, &pages[to].path, None),
            false => reference(&paths[from], &paths[to], None),
        };
        let end = if *exists { "" } else { ".none" };
        texts[from].push_str(&format!("<a href='{reference}{end}'>x</a>"));
    }
    for (path, text) in paths.iter().zip(texts) {
        tree.write(path, text);
    }
    paths.into_iter().map(|path| tree.at(path)).collect()
}

proptest! {
    #![proptest_config(tier::cases(60))]

    /// However inputs are named, exactly the links without a file are broken. With a root, those
    /// above it are broken too.
    #[test]
    fn inputs_of_any_kind_have_the_broken_links_that_the_file_system_says(
        pages in pages(),
        links in prop::collection::vec((any::<Index>(), any::<Index>(), any::<bool>()), 0..20),
        named in select(&[Named::Directories, Named::Files, Named::Root][..]),
    ) {
        let tree = Tree::empty();
        let mut seen = BTreeSet::new();
        let pages: Vec<Page> = pages.into_iter().filter(|it| seen.insert(it.path.clone())).collect();
        let paths = linked_pages(&tree, &pages, &links);
        let one = tree.at("one");
        let inputs = match named {
            Named::Directories if pages.len() > 1 => vec![one.clone(), tree.at("two")],
            Named::Directories | Named::Root => vec![one.clone()],
            Named::Files => paths.clone(),
        };
        let root = matches!(named, Named::Root).then_some(&*one);
        let items = inputs.iter().map(|path| Item::Path(path.clone())).collect();
        let check = Check::of_inputs(items, root, None).expect("inputs");
        let mut found = Vec::new();
        let summary = check.for_each(|event| match event {
            CheckEvent::Broken(it) => {
                let document = it.link.document().path().to_owned();
                found.push((document, it.link.reference().to_owned(), it.why));
            }
            CheckEvent::Error(error) => panic!("{error}"),
            _ => {}
        });

        let is_read = |path: &&PathBuf| inputs.iter().any(|input| path.starts_with(input));
        let read: Vec<&PathBuf> = paths.iter().filter(is_read).collect();
        prop_assert_eq!(summary.docs, read.len());
        let mut expected = Vec::new();
        for path in read {
            for reference in references_in_dom(path) {
                let is_above = reference.contains("../two/") || reference.contains("../one/");
                let why = match exists(path, &reference) {
                    _ if is_above && root.is_some() => BrokenReason::Outside,
                    true => continue,
                    false => BrokenReason::Missing,
                };
                expected.push((path.clone(), reference, why));
            }
        }
        found.sort();
        expected.sort();
        prop_assert_eq!(found, expected);
    }
}

#[cfg(unix)]
#[test]
fn links_to_names_of_any_bytes_are_not_broken() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let page = "<a href='latin-%E9.html'><a href='latin-%C3%A9.html'><a href='latin-\u{e9}.html'>";
    let tree = Tree::new(&[("a.html", page)]);
    let name = OsStr::from_bytes(b"latin-\xE9.html");
    tree.write(name, "<a href='latin-%E9.html'><a href='latin-%e9.html'>");
    let references: Vec<_> = broken(tree.path(), with_anchors())
        .into_iter()
        .map(|(_, reference, _)| reference)
        .collect();
    assert_eq!(references, ["latin-%C3%A9.html", "latin-\u{e9}.html"]);
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_followed() {
    let page = "<a href=alias/a.html#x><a href=alias/a.html#y><a href=out.html#z><a href=broken.html><a href=alias/b.html>";
    let tree = Tree::new(&[
        ("outside.html", ""),
        ("root/real/a.html", "<p id=x>"),
        ("root/index.html", page),
    ]);
    tree.symlink("real", "root/alias");
    tree.symlink("../outside.html", "root/out.html");
    tree.symlink("none", "root/broken.html");
    let root = tree.at("root");
    let rows: Vec<_> = broken(&root, with_anchors())
        .into_iter()
        .map(|(_, reference, why)| (reference, why))
        .collect();
    let row = |reference: &str, why| (reference.to_owned(), why);
    assert_eq!(
        rows,
        [
            row("alias/a.html#y", BrokenReason::Anchor),
            row("broken.html", BrokenReason::Missing),
            row("alias/b.html", BrokenReason::Missing),
        ]
    );
}

#[test]
fn link_works_if_the_file_system_ignores_case() {
    let text = "<a href=guide.html#x><a href=guide.html#y><a href=guide.html/>";
    let tree = Tree::new(&[("Guide.html", "<p id=x>"), ("index.html", text)]);
    let why = |folds, case| -> Vec<BrokenReason> {
        let options = CheckOptions { folds, case, ..with_anchors() };
        let rows = broken(tree.path(), options);
        rows.into_iter().map(|(_, _, why)| why).collect()
    };
    assert_eq!(why(false, false), [BrokenReason::Missing; 3]);
    assert_eq!(why(true, false), [BrokenReason::Anchor]);
    for folds in [false, true] {
        assert_eq!(why(folds, true), [BrokenReason::Case; 3]);
    }
}

#[test]
fn ids_of_xml_are_anchors() {
    let anchors = |text: &str| -> Vec<String> {
        let mut document = Document::new("a.xml", text.as_bytes().to_vec());
        document = document.with_format(Format::Xml);
        let options = with_anchors().find;
        let found = document.links_with(&options);
        found.anchors().map(str::to_owned).collect()
    };
    let xhtml = "<html xmlns='http://www.w3.org/1999/xhtml' id='a&amp;b'><a name='c' id='d'/><p name='e'/>\
        <template id='t'><p id='f'/></template><svg xmlns='http://www.w3.org/2000/svg'><a name='g' xml:id=' h '/></svg></html>";
    assert_eq!(anchors(xhtml), ["a&b", "c", "d", "h"]);
    assert_eq!(anchors("<x id='é'><y id=''/><y ID='z'/></x>"), ["é"]);
}

/// Quadratic time would take far longer at these sizes.
#[test]
fn checking_costs_linear_time() {
    let check = |count: usize| {
        let links: String = (0..count)
            .map(|it| format!("<a id=i{it} href=#j{it}>x</a><a href=none{it}.html>y</a>"))
            .collect();
        let tree = Tree::new(&[("a.html", &links)]);
        let watch = Stopwatch::start();
        assert_eq!(broken(tree.path(), with_anchors()).len(), 2 * count);
        watch.elapsed()
    };
    check(100);
    let (small, large) = (check(4_000), check(32_000));
    let most = small * 8 * 4 + Duration::from_millis(500);
    assert!(large < most, "{small:?} for an eighth, {large:?} for all");
}
