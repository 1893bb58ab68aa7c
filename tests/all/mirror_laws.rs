//! The laws of `rewrite --mirror`, on generated copies of sites in memory: relative references
//! refer to existing files, all others are absolute with the same target, and a second run changes
//! nothing.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rehref::bytes::percent;
use rehref::document::Document;
use rehref::format::Options;
use rehref::link::Role;
use rehref::listing::{Entry, Listing};
use rehref::mirror::MirrorPage;
use rehref::mirror::{LocalNames, Mirror, MirrorFile};
use rehref::rewrite::{BaseElements, Rule, Rules, SkipReason};
use rehref::rules::DocumentRules;
use rehref::site::Site;
use rehref::source::{Base, BaseFrom};
use rehref::uri::{Parts, Resolved, Resolver};

use crate::support::planned::Planned;
use crate::support::tree::Tree;

use crate::laws::config;

/// The URLs of the trees and their directories: one within another, one under a longer URL of the
/// same host.
const TREES: [(&str, &str); 4] = [
    ("http://a.example/", "a"),
    ("http://b.example/x/", "b"),
    ("http://c.example/", "a/b"),
    ("http://a.example/d/", "d"),
];

/// The part of a URL after that of its tree.
const URLS: [&str; 16] = [
    "", "d/", "d", "d/?q", "x.html", "d/x.html", "b/x.html", "x%20y.html", "100%25.html",
    "a%23b;c", "x.cgi?25", "x.cgi?a=/b&c", "d/x.php", "c:d.html", "%E9.html", "p?a%20b",
];

#[derive(Clone, Debug)]
enum Shape {
    Absolute,
    FromRoot,
    Relative,
    /// Above the root of the host, where nothing exists.
    Climbing,
}

#[derive(Clone, Debug)]
struct Page {
    tree: usize,
    url: &'static str,
    /// The index of the file's name among those that its URL may have.
    name: prop::sample::Index,
    links: Vec<(usize, &'static str, Shape, &'static str)>,
    base: Option<&'static str>,
}

#[derive(Clone, Debug)]
struct Plot {
    names: LocalNames,
    trees: usize,
    strips: bool,
    pages: Vec<Page>,
}

fn plots() -> impl Strategy<Value = Plot> {
    let url = || prop::sample::select(&URLS[..]);
    let shape = prop::sample::select(vec![
        Shape::Absolute,
        Shape::FromRoot,
        Shape::Relative,
        Shape::Climbing,
    ]);
    let suffix = prop::sample::select(vec!["", "", "#f"]);
    let link = (0..TREES.len(), url(), shape, suffix);
    let base =
        prop::sample::select(vec!["http://a.example/d/", "http://o.example/", "../d/", "d/"]);
    let page = (
        0..TREES.len(),
        url(),
        any::<prop::sample::Index>(),
        prop::collection::vec(link, 0..6),
        prop::option::weighted(0.2, base),
    );
    let page =
        page.prop_map(|(tree, url, name, links, base)| Page { tree, url, name, links, base });
    (
        prop::sample::select(LocalNames::ALL),
        1..=TREES.len(),
        any::<bool>(),
        prop::collection::vec(page, 1..8),
    )
        .prop_map(|(names, trees, strips, pages)| Plot { names, trees, strips, pages })
}

type Files = BTreeMap<Vec<u8>, Vec<u8>>;

impl Plot {
    /// The files of each tree, and their links.
    fn files(&self) -> Vec<Files> {
        let mut trees = vec![Files::new(); self.trees];
        for page in &self.pages {
            let tree = page.tree % self.trees;
            let (path, query) = match page.url.split_once('?') {
                Some((path, query)) => (path, Some(query)),
                None => (page.url, None),
            };
            let names = self.names.candidates(path, query, &["index.html".into()]);
            let name = page.name.get(&names).path.clone();
            let own = format!("{}{}", TREES[tree].0, page.url);
            let resolver = Resolver::default();
            let base = page.base.map(|base| resolver.resolve(&own, base));
            let base = match &base {
                Some(Ok(Resolved::Target(base))) => base,
                _ => &own,
            };
            let mut text = String::new();
            if let Some(base) = page.base {
                text += &format!("<base href=\"{base}\">");
            }
            let ready = resolver.base(base).unwrap();
            for (to, url, shape, suffix) in &page.links {
                let uri = format!("{}{url}{suffix}", TREES[*to].0);
                let rest = uri.strip_prefix("http://").unwrap();
                let same_host =
                    base.starts_with(&uri[..uri.len() - rest.len() + rest.find('/').unwrap() + 1]);
                let reference = match shape {
                    Shape::Climbing if same_host => {
                        format!("../../../../..{}", &rest[rest.find('/').unwrap()..])
                    }
                    Shape::FromRoot if same_host => rest[rest.find('/').unwrap()..].to_owned(),
                    Shape::Relative if same_host => {
                        ready.relative_path_reference(&uri).unwrap_or(uri)
                    }
                    _ => uri,
                };
                text += &format!("<a href=\"{}\">t</a>\n", reference.replace('&', "&amp;"));
            }
            text += "<a href=\"?page=2\">t</a><a href=\"#x\">t</a><a href=\"\">t</a><img src=\"no/ne.png\">";
            trees[tree].insert(name, text.into_bytes());
        }
        trees
    }

    fn rules(&self, files: &[Files]) -> (Rules, Mirror) {
        let trees = files.iter().zip(TREES).map(|(files, (url, directory))| {
            let listing = Listing::of_files(files.keys());
            let site = Site::new(url, listing, vec!["index.html".into()]);
            (site, directory.as_bytes().to_vec())
        });
        let mirror = Mirror::new(trees, self.names);
        let rules = Rules {
            rules: vec![Rule::Mirror],
            base_elements: match self.strips {
                true => BaseElements::Strip,
                false => BaseElements::Keep,
            },
            ..Rules::default()
        };
        (rules, mirror)
    }
}

pub(crate) fn page_and_mapper<'r>(
    rules: &'r Rules,
    mirror: &'r Mirror,
    file: &MirrorFile,
    bytes: &[u8],
) -> (Document, DocumentRules<'r>) {
    let mut document = Document::new("a.html", bytes.to_vec());
    let found = document.links_with(&Options::default());
    let page = MirrorPage::new(mirror, file.clone(), &found);
    document = document.with_base(Some(Base { uri: page.url.clone(), from: BaseFrom::Option }));
    (document, DocumentRules::new(rules, Some((mirror, page))))
}

/// The path of the file that a relative reference resolves to, relative to the common directory.
pub(crate) fn file_of(file: &MirrorFile, base: Option<&str>, reference: &str) -> Vec<u8> {
    let mut here = String::from("file:///");
    for (at, name) in file.path.split(|&it| it == b'/').enumerate() {
        if at > 0 {
            here.push('/');
        }
        percent::encode_path_segment(name, &mut here);
    }
    let resolve = |base: &str, reference: &str| match Resolver::default().resolve(base, reference) {
        Ok(Resolved::Target(uri)) => uri,
        other => panic!("{base} {reference}: {other:?}"),
    };
    if let Some(base) = base {
        here = resolve(&here, base);
    }
    let uri = resolve(&here, reference);
    let parts = Parts::split(&uri);
    percent::decode(parts.path.strip_prefix('/').unwrap()).into_owned()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn links_to_existing_files_are_relative_and_all_others_absolute(plot in plots()) {
        let trees = plot.files();
        let (rules, mirror) = plot.rules(&trees);
        let exists = |path: &[u8]| trees.iter().zip(TREES).any(|(files, (_, directory))| {
            let below = path.strip_prefix(format!("{directory}/").as_bytes());
            below.is_some_and(|below| files.contains_key(below))
        });
        let options = Options::default();
        for (tree, path, bytes) in trees.iter().enumerate().flat_map(|(tree, files)| {
            files.iter().map(move |(path, bytes)| (tree, path, bytes))
        }) {
            let file = mirror.file(tree, path);
            let (page, mapper) = page_and_mapper(&rules, &mirror, &file, bytes);
            let found = page.links_with(&options);
            let plan = Planned::new(&found, &mapper);
            let shown = || format!("{file:?} of {:?}: {}", page.base(), String::from_utf8_lossy(bytes));

            // Bytes outside of edits do not change.
            let mut spliced = Vec::new();
            let mut end = 0;
            for edit in plan.edits().iter() {
                spliced.extend_from_slice(&bytes[end..edit.span.start]);
                spliced.extend_from_slice(edit.new);
                end = edit.span.end;
            }
            spliced.extend_from_slice(&bytes[end..]);
            prop_assert_eq!(&spliced, plan.bytes());

            let mut uris = Vec::new();
            let mut resolving = found.resolving();
            for link in &found.found().links {
                uris.push(resolving.target(link).uri.map(str::to_owned));
            }
            let removed = plan.edits().iter().any(|edit| edit.removes);
            let base = found.found().links.iter().find(|link| link.role == Role::Base && !removed);
            let base = base.map(|link| &*link.reference);
            for edit in plan.edits().iter().filter(|edit| !edit.removes) {
                let uri = uris[plan.number(edit.link)].as_deref();
                prop_assert_eq!(Some(edit.new_uri), uri, "{}", shown());
                match Parts::split(edit.reference).scheme {
                    Some(_) => prop_assert_eq!(Some(edit.reference), uri),
                    None => {
                        prop_assert!(base.is_none_or(|it| Parts::split(it).scheme.is_none()));
                        let to = file_of(&file, base, edit.reference);
                        prop_assert!(exists(&to), "{:?} is not there: {} in {}", String::from_utf8_lossy(&to), edit.reference, shown());
                    }
                }
            }
            for &(number, why) in plan.skipped() {
                let reference = &*found.found().links[number].reference;
                if why == SkipReason::Unchanged && Parts::split(reference).scheme.is_none() {
                    let to = file_of(&file, base, reference);
                    prop_assert!(exists(&to), "{} kept in {}", reference, shown());
                }
                let allowed = [SkipReason::Unchanged, SkipReason::SameDocument, SkipReason::Empty, SkipReason::Base, SkipReason::ForeignBase, SkipReason::UnknownPage];
                prop_assert!(allowed.contains(&why) || why == SkipReason::NeededBase, "{:?}: {}", why, shown());
            }

            // A second run changes nothing.
            let (again, mapper) = page_and_mapper(&rules, &mirror, &file, plan.bytes());
            let found = again.links_with(&options);
            let second = Planned::new(&found, &mapper);
            prop_assert!(second.is_empty(), "{}\n{}\n{}", shown(),
                String::from_utf8_lossy(plan.bytes()), String::from_utf8_lossy(second.bytes()));
        }
    }
}

/// Names with a `?`. Not every system allows them, so tests/cmd has no such files.
#[cfg(unix)]
#[test]
fn links_in_a_wget_copy_become_relative() {
    let tree = Tree::empty();
    let write = |name: &str, text: &str| tree.write(format!("h/{name}"), text);
    write("index.html", "<a href=/x.cgi?25>25</a> <a href='x.cgi?26'>26</a> <a href=x.cgi>x</a>");
    write("x.cgi?25.html", "<a href='?26'>26</a> <a href=/>up</a> <a href='?25#f'>25</a>");
    write("x.cgi?26", "");
    let mirror = "rewrite --mirror http://h.example/=h --local-name wget h";
    tree.ends(0, format!("{mirror} -w --verify"));
    let read = |name: &str| tree.read(format!("h/{name}"));
    assert_eq!(
        read("index.html"),
        "<a href=x.cgi%3F25.html>25</a> <a href='x.cgi%3F26'>26</a> <a href=http://h.example/x.cgi>x</a>"
    );
    assert_eq!(
        read("x.cgi?25.html"),
        "<a href='x.cgi%3F26'>26</a> <a href=index.html>up</a> <a href='#f'>25</a>"
    );
    tree.ends(0, format!("{mirror} --check"));
}

/// Lists a tree once. Each of its files is a file of the mirror.
#[test]
fn every_file_is_the_copy_of_its_url() {
    let listing = Listing::of_files(["a b", "x?25", "d/100%", "q?a=%2F"]);
    let files: Vec<Vec<u8>> = listing
        .iter()
        .filter(|(_, _, entry)| *entry == Entry::File)
        .map(|(_, path, _)| path.to_vec())
        .collect();
    for &names in LocalNames::ALL {
        let site = Site::new("http://h/", listing.clone(), Vec::new());
        let mirror = Mirror::new([(site, Vec::new())], names);
        for path in &files {
            let file = mirror.file(0, path);
            let copy = mirror.copy_of(&mirror.url_of(&file));
            assert_eq!(copy.map(|it| it.file), Some(file));
        }
    }
}

/// Rewrites a copy of `http://h.example/` that has these files, and returns them afterwards. A
/// second run changes nothing.
fn rewritten(names: &str, files: &[(&str, &str)]) -> BTreeMap<String, String> {
    let tree = Tree::empty();
    for (name, text) in files {
        tree.write(format!("h/{name}"), text);
    }
    let mirror = format!("rewrite --mirror http://h.example/=h --local-name {names} h");
    tree.run(format!("{mirror} -w --verify --no-journal"));
    tree.ends(0, format!("{mirror} --check"));
    let read = |name: &str| tree.read(format!("h/{name}"));
    files.iter().map(|(name, _)| ((*name).to_owned(), read(name))).collect()
}

const LIST: &str =
    "<a href='?page=2'></a><a href='?page=9'></a><a href=list.php></a><a href=''></a>";

#[test]
fn queries_resolve_against_the_page_url_in_windows_names() {
    let files = [
        ("list.php@page=1.html", LIST),
        ("list.php@page=2.html", ""),
        ("list.php.html", LIST),
        ("sub/index.html", "<a href='?page=2'></a><a href='?page=9'></a>"),
        ("sub/index.html@page=2.html", "<a href='?page=9'></a>"),
    ];
    let found = rewritten("wget", &files);
    assert_eq!(
        found["list.php@page=1.html"],
        "<a href='list.php@page=2.html'></a><a href='http://h.example/list.php?page=9'></a>\
         <a href=list.php.html></a><a href=''></a>"
    );
    assert_eq!(found["list.php.html"], found["list.php@page=1.html"]);
    assert_eq!(
        found["sub/index.html"],
        "<a href='index.html@page=2.html'></a><a href='http://h.example/sub/?page=9'></a>"
    );
    assert_eq!(found["sub/index.html@page=2.html"], "<a href='http://h.example/sub/?page=9'></a>");
}

#[test]
fn queries_resolve_against_the_url_of_an_httrack_page() {
    // Digits of the MD5 hashes of `page=1`, `page=2`, `name=a` and `page=9`.
    let files = [
        ("list2679.html", LIST),
        ("list4658.html", "<img src='t?name=a'><a href='/list.php?page=1'></a>"),
        ("tccfd.png", ""),
        ("d/index.html", "<a href='?page=2'></a><a href='../v1.2'></a>"),
        ("d/index4658.html", "<a href='./'></a><a href='index4658.html?page=2'></a>"),
        ("v1.html", ""),
    ];
    let found = rewritten("httrack", &files);
    assert_eq!(
        found["list2679.html"],
        "<a href='list4658.html'></a><a href='?page=9'></a>\
         <a href=http://h.example/list.php></a><a href=''></a>"
    );
    assert_eq!(found["list4658.html"], "<img src='tccfd.png'><a href='list2679.html'></a>");
    assert_eq!(found["d/index.html"], "<a href='index4658.html'></a><a href='../v1.html'></a>");
    // HTTrack wrote the second of these links.
    assert_eq!(
        found["d/index4658.html"],
        "<a href='index.html'></a><a href='index4658.html?page=2'></a>"
    );
}

#[test]
fn httrack_page_gives_its_url() {
    let mark = "<!-- Mirrored from h.example/list.php?page=1 by HTTrack Website Copier/3.x -->";
    let page = format!("{mark}<a href='?page=9'></a><a href='list4658.html?page=2'></a>");
    let found = rewritten("httrack", &[("list2679.html", &page), ("list4658.html", "")]);
    assert_eq!(
        found["list2679.html"],
        format!(
            "{mark}<a href='http://h.example/list.php?page=9'></a><a href='list4658.html?page=2'></a>"
        )
    );
}

#[test]
fn page_redirected_to_a_directory_is_in_it() {
    let files = [
        (
            "page.html",
            "<a href=one.html></a><a href=../two.html></a><a href='?q'></a><a href=none.html></a>",
        ),
        ("page/one.html", "<a href=./></a><a href='/page'></a>"),
        ("two.html", "<a href=page/></a><a href=page.html></a>"),
    ];
    let found = rewritten("wget", &files);
    assert_eq!(
        found["page.html"],
        "<a href=page/one.html></a><a href=two.html></a><a href='http://h.example/page/?q'></a>\
         <a href=http://h.example/page/none.html></a>"
    );
    assert_eq!(found["page/one.html"], "<a href=../page.html></a><a href='../page.html'></a>");
    assert_eq!(found["two.html"], "<a href=page.html></a><a href=page.html></a>");
}

/// Opened as a file, this would be a directory of the file system.
#[test]
fn links_ignore_a_base_that_is_a_path_from_the_root() {
    let links = "<a href=x.html></a><a href=/d/x.html></a><a href=http://h.example/d/x.html></a>\
                 <a href=none.html></a>";
    let page = |base: &str| format!("<base href='{base}'>{links}");
    let (rooted, host) = (page("/d/"), page("//h.example/d/"));
    let files = [("a.html", &*rooted), ("b.html", &*host), ("d/x.html", ""), ("x.html", "")];
    let found = rewritten("raw", &files);
    let live = "<a href=http://h.example/d/x.html></a>".repeat(3)
        + "<a href=http://h.example/d/none.html></a>";
    assert_eq!(found["a.html"], format!("<base href='/d/'>{live}"));
    assert_eq!(found["b.html"], format!("<base href='//h.example/d/'>{live}"));
}

#[test]
fn fragments_and_empty_references_follow_a_rooted_base() {
    let page = "<base href='/d/'><a href='#f'></a><a href=''></a><svg><use href='#s'/></svg><form action=''></form>";
    let files = [("a.html", page), ("d/index.html", "")];
    assert_eq!(
        rewritten("wget", &files)["a.html"],
        "<base href='/d/'><a href='http://h.example/d/#f'></a><a href='http://h.example/d/'></a>\
         <svg><use href='#s'/></svg><form action=''></form>"
    );
}

#[test]
fn fragments_and_empty_references_follow_a_relative_base() {
    let page = |base: &str| {
        format!("<base href='{base}'><a href='#f'></a><a href=''></a><svg><use href='#s'/></svg>")
    };
    let files = [
        ("b/a.html", &*page("../d/")),
        ("b/own.html", &*page("own.html")),
        ("b/live.html", &*page("http://h.example/d/")),
        ("d/index.html", ""),
    ];
    let found = rewritten("wget", &files);
    assert_eq!(
        found["b/a.html"],
        "<base href='../d/'><a href='index.html#f'></a><a href='index.html'></a><svg><use href='#s'/></svg>"
    );
    for name in ["b/own.html", "b/live.html"] {
        let (_, page) = files.iter().find(|(it, _)| *it == name).unwrap();
        assert_eq!(found[name], *page);
    }
}

#[test]
fn at_sign_in_a_name_is_a_query_if_the_links_match() {
    let files = [
        ("@user", "<a href='?k'></a>"),
        ("logo@2x.html", "<a href='?k'></a>"),
        ("at@x.html", "<a href='?k'></a>"),
        ("at@x.html@k", ""),
        ("list@1", "<a href='?2'></a>"),
        ("list@2", ""),
        ("show.php@1", "<a href='?none'></a>"),
    ];
    let found = rewritten("wget", &files);
    for (name, href) in [
        ("@user", "http://h.example/@user?k"),
        ("logo@2x.html", "http://h.example/logo@2x.html?k"),
        ("at@x.html", "at@x.html@k"),
        ("list@1", "list@2"),
        ("show.php@1", "http://h.example/show.php?none"),
    ] {
        assert_eq!(found[name], format!("<a href='{href}'></a>"), "{name}");
    }
}

#[test]
fn httrack_pages_are_copies_of_the_urls_they_contain() {
    let mark =
        |url: &str| format!("<!-- Mirrored from h.example/{url} by HTTrack Website Copier/3.x -->");
    let links = "<a href='http://h.example/report.pdf'></a><a href='http://h.example/logo.gif'></a>\
                 <a href='http://h.example/map.jpg'></a><a href='http://h.example/report.html#f'></a>\
                 <a href='http://h.example/list.htm?p=1'></a>";
    let files = [
        ("report.html", &*mark("report.html")),
        ("logo.png", ""),
        ("map.html", &*mark("map.jpg")),
        ("list-2.htm", &*mark("list.htm?p=1")),
        ("index.html", links),
    ];
    assert_eq!(
        rewritten("httrack", &files)["index.html"],
        "<a href='http://h.example/report.pdf'></a><a href='http://h.example/logo.gif'></a>\
         <a href='map.html'></a><a href='report.html#f'></a><a href='list-2.htm'></a>"
    );
}

/// The names of HTTrack contain digits of the MD5 hashes of `w=1`, `w=2`, `w=1,2` and `v=(1)`.
#[test]
fn queries_in_srcset_and_style_sheets_are_part_of_names() {
    let page = |[one, two, comma, brackets]: [&str; 4], more: &str| {
        format!(
            "<img srcset='{one} 1x, {two} 2x, {comma} 3x, http://h.example/img.php?w=9 4x'>\
             <link rel=preload as=image imagesrcset='{one} 1x, {two} 2x'>\
             <p style=\"background: url({one}), url('{two}'), url(&quot;{brackets}&quot;)\">\
             <style>a {{ background: image-set('{one}' 1x, '{two}' 2x), url({comma}) }}</style>{more}"
        )
    };
    let live = ["img.php?w=1", "/img.php?w=2", "http://h.example/img.php?w=1,2", "img.php?v=(1)"];
    // HTTrack wrote these links.
    let more = "<img srcset='imge6f0.png?w=1 1x, imgbd39.png?w=2 2x'><p style='background: url(imge6f0.png?w=1)'>";
    let names = ["imge6f0.png", "imgbd39.png", "img7bf5.png", "img3af8.png"];
    let text = page(live, more);
    let mut files = vec![("index.html", &*text)];
    files.extend(names.map(|name| (name, "")));
    assert_eq!(rewritten("httrack", &files)["index.html"], page(names, more));

    let names = ["img.php@w=1", "img.php@w=2", "img.php@w=1,2", "img.php@v=(1)"];
    let text = page(live, "");
    let mut files = vec![("index.html", &*text)];
    files.extend(names.map(|name| (name, "")));
    assert_eq!(rewritten("wget", &files)["index.html"], page(names, ""));
}
