//! The laws of `rewrite --mirror --mirror-log`, on generated sites as copied by `wget`: links
//! resolve to the copies in the log, and a second run changes nothing.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proptest::prelude::*;
use rehref::document::Document;
use rehref::format::Options;
use rehref::link::Role;
use rehref::listing::Listing;
use rehref::mirror::{CrawlLog, LocalNames, Mirror};
use rehref::rewrite::{BaseElements, Rule, Rules};
use rehref::site::Site;
use rehref::uri::{Parts, Resolved, Resolver};

use crate::support::planned::Planned;

use crate::mirror_laws::{file_of, page_and_mapper};
use crate::tier;

const HOST: &str = "http://h.example";

/// The URLs of a site: repeated names, pages beside directories, and queries.
const URLS: [&str; 18] = [
    "/", "/d", "/d/", "/d.html", "/d/x.html", "/d/x", "/d/d", "/d/d/", "/d/d/x.html", "/d/d.html",
    "/x.html", "/x", "/x/", "/index.html", "/l?p=1", "/l?p=2", "/d/?q", "/l",
];

#[derive(Clone, Debug)]
enum Response {
    Page(PageOf),
    Redirect(&'static str),
    Missing,
    /// The crawler did not retrieve it.
    Unseen,
}

#[derive(Clone, Debug)]
struct PageOf {
    links: Vec<(&'static str, Shape, &'static str)>,
    base: Option<&'static str>,
}

#[derive(Clone, Copy, Debug)]
enum Shape {
    Absolute,
    FromRoot,
    Relative,
}

#[derive(Clone, Debug)]
struct Crawl {
    responses: BTreeMap<&'static str, Response>,
    order: Vec<&'static str>,
    adds_endings: bool,
    is_verbose: bool,
    strips: bool,
}

fn crawls() -> impl Strategy<Value = Crawl> {
    let url = || prop::sample::select(&URLS[..]);
    let shape = prop::sample::select(vec![
        Shape::Absolute,
        Shape::FromRoot,
        Shape::Relative,
        Shape::Relative,
    ]);
    let link = (url(), shape, prop::sample::select(vec!["", "", "#f"]));
    let base = prop::sample::select(vec![
        "/d/", "d/", "../", "http://h.example/d/x.html", "//h.example/x/",
    ]);
    let page = (prop::collection::vec(link, 0..5), prop::option::weighted(0.1, base))
        .prop_map(|(links, base)| Response::Page(PageOf { links, base }));
    let response = prop_oneof![
        5 => page,
        2 => url().prop_map(Response::Redirect),
        2 => Just(Response::Missing),
        1 => Just(Response::Unseen),
    ];
    (
        prop::collection::vec(response, URLS.len()),
        Just(URLS.to_vec()).prop_shuffle(),
        any::<bool>(),
        prop::bool::weighted(0.8),
        any::<bool>(),
    )
        .prop_map(|(responses, order, adds_endings, is_verbose, strips)| Crawl {
            responses: URLS.into_iter().zip(responses).collect(),
            order,
            adds_endings,
            is_verbose,
            strips,
        })
}

/// The result of wget: the files, the final URL of each, and the log.
#[derive(Debug, Default)]
struct Copy {
    files: BTreeMap<String, String>,
    /// The final URL of each file.
    final_urls: BTreeMap<String, &'static str>,
    log: String,
}

impl Crawl {
    /// The URLs of a chain of redirects, from the first to that of the response.
    fn chain(&self, url: &'static str) -> Option<Vec<&'static str>> {
        let mut chain = vec![url];
        while let Response::Redirect(to) = self.responses[chain[chain.len() - 1]] {
            if chain.contains(&to) {
                return None;
            }
            chain.push(to);
        }
        Some(chain)
    }

    fn name(&self, url: &str) -> String {
        let (path, query) =
            url.split_once('?').map_or((url, None), |(path, query)| (path, Some(query)));
        let mut name = path[1..].to_owned();
        if path.ends_with('/') {
            name += "index.html";
        }
        if let Some(query) = query {
            name += &format!("?{query}");
        }
        if self.adds_endings && !name.ends_with(".html") {
            name += ".html";
        }
        name
    }

    fn copy(&self) -> Copy {
        let mut copy = Copy::default();
        for url in &self.order {
            let Some(chain) = self.chain(url) else {
                continue;
            };
            let last = chain[chain.len() - 1];
            let name = self.name(url);
            let page = match &self.responses[last] {
                Response::Unseen | Response::Redirect(_) => continue,
                Response::Missing => None,
                Response::Page(page) => Some(page),
            };
            // A file and a directory of the same name, or two files.
            let collides = |other: &String| {
                *other == name
                    || other.starts_with(&format!("{name}/"))
                    || name.starts_with(&format!("{other}/"))
            };
            if page.is_some() && copy.files.keys().any(collides) {
                continue;
            }
            if self.is_verbose {
                for (at, hop) in chain.iter().enumerate() {
                    let _ = writeln!(copy.log, "--2026-11-23 20:28:51--  {HOST}{hop}");
                    if at + 1 < chain.len() {
                        let _ = writeln!(copy.log, "Location: {} [following]", chain[at + 1]);
                    }
                }
            }
            let Some(page) = page else {
                if !self.is_verbose {
                    let _ = writeln!(copy.log, "{HOST}{last}:");
                }
                copy.log += "2026-11-23 20:28:51 ERROR 404: Not Found.\n";
                continue;
            };
            let _ = match self.is_verbose {
                true => writeln!(copy.log, "Saving to: \u{2018}h.example/{name}\u{2019}"),
                false => writeln!(
                    copy.log,
                    "2026-11-23 20:28:51 URL:{HOST}{last} [5/5] -> \"h.example/{name}\" [1]"
                ),
            };
            copy.final_urls.insert(name.clone(), last);
            copy.files.insert(name, page.text(last));
        }
        copy
    }
}

impl PageOf {
    /// The base URL of the page at `url`.
    fn base(&self, url: &str) -> String {
        let url = format!("{HOST}{url}");
        match self.base.map(|base| Resolver::default().resolve(&url, base)) {
            Some(Ok(Resolved::Target(base))) => base,
            _ => url,
        }
    }

    fn text(&self, url: &str) -> String {
        let mut text = String::from("<!DOCTYPE html>");
        if let Some(base) = self.base {
            text += &format!("<base href='{base}'>");
        }
        let resolver = Resolver::default();
        let base = self.base(url);
        let ready = resolver.base(&base).unwrap();
        for (to, shape, suffix) in &self.links {
            let uri = format!("{HOST}{to}{suffix}");
            let reference = match shape {
                Shape::Absolute => uri,
                Shape::FromRoot => format!("{to}{suffix}"),
                Shape::Relative => ready.relative_path_reference(&uri).unwrap_or(uri),
            };
            text += &format!("<a href='{reference}'>t</a>\n");
        }
        text
    }
}

/// The references of a page, except for that of BASE.
fn references(text: &str) -> Vec<String> {
    let document = Document::new("a.html", text.as_bytes().to_vec());
    let found = document.links_with(&Options::default());
    let links = found.found().links.iter().filter(|link| link.role != Role::Base);
    links.map(|link| link.reference.to_string()).collect()
}

/// The pages after a run, and the number of edits.
fn rewritten(
    crawl: &Crawl,
    log: &CrawlLog,
    files: &BTreeMap<String, String>,
) -> (BTreeMap<String, String>, usize) {
    let site =
        Site::new(&format!("{HOST}/"), Listing::of_files(files.keys()), vec!["index.html".into()]);
    let mirror = Mirror::new([(site, Vec::new())], LocalNames::Wget);
    let plain = files.keys().find(|name| !name.ends_with(".html"));
    let plain = plain.map(|name| mirror.file(0, name.as_bytes()));
    let mirror = mirror.with_plain_pages(plain).with_log(log);
    let rules = Rules {
        rules: vec![Rule::Mirror],
        base_elements: match crawl.strips {
            true => BaseElements::Strip,
            false => BaseElements::Keep,
        },
        ..Rules::default()
    };
    let options = Options::default();
    let mut edits = 0;
    let pages = files.iter().map(|(name, text)| {
        let file = mirror.file(0, name.as_bytes());
        let (page, mapper) = page_and_mapper(&rules, &mirror, &file, text.as_bytes());
        let found = page.links_with(&options);
        let plan = Planned::new(&found, &mapper);
        edits += plan.edits().iter().count();
        let text = String::from_utf8(plan.bytes().to_vec()).unwrap();
        (name.clone(), text)
    });
    (pages.collect(), edits)
}

/// `wget -k` does not escape `?` in the names of files, so readers take the rest for a query.
#[test]
fn links_converted_by_wget_stay_if_their_files_exist() {
    let crawl = Crawl {
        responses: BTreeMap::new(),
        order: Vec::new(),
        adds_endings: false,
        is_verbose: true,
        strips: false,
    };
    let saved = |url: &str, name: &str| {
        format!(
            "--2026-11-23 20:28:51--  {HOST}{url}\nSaving to: \u{2018}h.example/{name}\u{2019}\n"
        )
    };
    let log = saved("/d/", "d.html")
        + &saved("/d/x", "d/x")
        + &saved("/x", "x")
        + &saved("/x?p=1", "x?p=1");
    let log = log + "Converted links in 4 files in 0.002 seconds.\n";
    let log = CrawlLog::parse(log.as_bytes()).unwrap();
    let files = [
        ("d.html", "<a href='x'></a><a href='x?p=1'></a><a href='d/x'></a><a href='none'></a>"),
        ("d/x", "<a href='../x?p=1#f'></a>"),
        ("x", ""),
        ("x?p=1", ""),
    ];
    let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let (first, _) = rewritten(&crawl, &log, &files.into());
    assert_eq!(
        first["d.html"],
        "<a href='x'></a><a href='http://h.example/d/x?p=1'></a><a href='d/x'></a><a href='http://h.example/d/none'></a>"
    );
    assert_eq!(first["d/x"], "<a href='../x%3Fp=1#f'></a>");
    assert_eq!(rewritten(&crawl, &log, &first).1, 0);
}

proptest! {
    #![proptest_config(tier::cases(500))]

    #[test]
    fn links_resolve_to_logged_copies_and_a_second_run_changes_nothing(crawl in crawls()) {
        let copy = crawl.copy();
        prop_assume!(!copy.files.is_empty());
        let log = CrawlLog::parse(copy.log.as_bytes()).unwrap();
        let (first, _) = rewritten(&crawl, &log, &copy.files);
        let (second, edits) = rewritten(&crawl, &log, &first);
        prop_assert_eq!(edits, 0, "{:#?}\n{}\n{:#?}\n{:#?}", copy.files, copy.log, first, second);

        for (name, url) in copy.final_urls.iter().filter(|_| crawl.is_verbose) {
            let Response::Page(page) = &crawl.responses[url] else { unreachable!() };
            if page.base.is_some() {
                continue;
            }
            let site = Site::new(&format!("{HOST}/"), Listing::default(), Vec::new());
            let file = Mirror::new([(site, Vec::new())], LocalNames::Wget).file(0, name.as_bytes());
            for ((to, _, suffix), reference) in page.links.iter().zip(references(&first[name])) {
                let shown = || format!("{to} became {reference} in {name}: {:#?}\n{}", copy.files, copy.log);
                if !copy.log.contains(&format!("  {HOST}{to}\n")) {
                    continue;
                }
                let is_saved = crawl.chain(to).is_some_and(|it| matches!(crawl.responses[it[it.len() - 1]], Response::Page(_)));
                if Parts::split(&reference).scheme.is_some() {
                    prop_assert!(!is_saved, "{}", shown());
                    prop_assert_eq!(&reference, &format!("{HOST}{to}{suffix}"));
                    continue;
                }
                let there = String::from_utf8(file_of(&file, None, &reference)).unwrap();
                let last = crawl.chain(to).and_then(|it| it.last().copied());
                prop_assert_eq!(copy.final_urls.get(&there).copied(), last, "{}", shown());
            }
        }
    }
}
