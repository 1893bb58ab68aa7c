//! The laws of links on documentation sites: the 18th and the 22nd, for each kind of site. The
//! addresses of pages are computed here from the documentation of the programs, without the tested
//! code.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use rehref::check::{CheckOptions, Checker, Finding};
use rehref::docs_site::{ConfigFiles, SiteChoice, SiteKind, detect};
use rehref::document::Document;
use rehref::format::Options;
use rehref::link::LinkFilter;
use rehref::listing::{Entry, Id, Listing, Move, Moves};
use rehref::rules::Relocation;
use rehref::site::Site;
use rehref::uri::Resolver;

use crate::laws::config;
use crate::support::planned::Planned;

/// Configuration files and documents, which all have this text.
pub(crate) struct SameText(pub(crate) &'static str);

impl ConfigFiles for SameText {
    fn read(&self, _: &[u8]) -> Option<String> {
        Some(self.0.to_owned())
    }

    fn read_above(&self, _: usize, _: &str) -> Option<String> {
        None
    }

    fn exists(&self, _: usize, _: &str) -> bool {
        false
    }

    fn names_above(&self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn repository(&self) -> Option<(String, usize)> {
        None
    }
}

/// The directory with the pages of each kind, its path on the site, and a configuration file.
pub(crate) const KINDS: [(SiteKind, &str, &str, &str); 10] = [
    (SiteKind::GitHub, "", "", "x.toml"),
    (SiteKind::MdBook, "src/", "", "book.toml"),
    (SiteKind::MkDocs, "docs/", "", "mkdocs.yml"),
    (SiteKind::Docusaurus, "docs/", "docs/", "docusaurus.config.js"),
    (SiteKind::Hugo, "content/", "", "hugo.toml"),
    (SiteKind::Jekyll, "", "", "_config.yml"),
    (SiteKind::Sphinx, "", "", "conf.py"),
    (SiteKind::VitePress, "", "", ".vitepress/config.ts"),
    (SiteKind::Quarto, "", "", "_quarto.yml"),
    (SiteKind::Obsidian, "", "", ".obsidian"),
];

const DIRECTORIES: [&str; 5] = ["", "a/", "b/", "a/b/", "b/c/"];

const NAMES: [&str; 7] =
    ["guide.md", "other.md", "third.md", "index.md", "README.md", "_index.md", "img.png"];

/// The form of a link.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// The file, relative to the document.
    File,
    /// The address, relative to that of the document.
    Address,
    /// The address from the root.
    Root,
    /// The address without `.html` or the slash at the end.
    Bare,
}

#[derive(Clone, Debug)]
pub(crate) struct Plot {
    kind: usize,
    pub(crate) files: BTreeSet<String>,
    links: Vec<(Index, Index, Form, &'static str)>,
    moves: Vec<(Index, String)>,
    removed: Index,
}

fn path() -> impl Strategy<Value = String> {
    let directory = select(&DIRECTORIES[..]);
    (directory, select(&NAMES[..])).prop_map(|(directory, name)| format!("{directory}{name}"))
}

pub(crate) fn plots() -> impl Strategy<Value = Plot> {
    plots_of(0..KINDS.len())
}

fn plots_of(kinds: Range<usize>) -> impl Strategy<Value = Plot> {
    let form = select(vec![Form::File, Form::Address, Form::Address, Form::Root, Form::Bare]);
    let suffix = select(vec!["", "", "#f", "?q#f"]);
    let link = (any::<Index>(), any::<Index>(), form, suffix);
    (
        kinds,
        prop::collection::btree_set(path(), 2..9),
        prop::collection::vec(link, 1..12),
        prop::collection::vec((any::<Index>(), path()), 1..3),
        any::<Index>(),
    )
        .prop_map(|(kind, files, links, moves, removed)| {
            let content = KINDS[kind].1;
            let files = files.into_iter().map(|file| format!("{content}{file}"));
            let moves = moves.into_iter().map(|(at, to)| (at, format!("{content}{to}")));
            Plot { kind, files: files.collect(), links, moves: moves.collect(), removed }
        })
}

/// The address of a file. `None` if it is not the only one with that address, or has none of its
/// own.
pub(crate) fn address(kind: SiteKind, below: &str) -> Option<String> {
    let Some(stem) = below.strip_suffix(".md") else {
        return Some(below.to_owned());
    };
    let (directory, name) = match stem.rfind('/') {
        Some(slash) => stem.split_at(slash + 1),
        None => ("", stem),
    };
    let is_index = is_index(kind, name);
    match kind {
        SiteKind::Jekyll | SiteKind::Quarto if name.starts_with('_') => None,
        SiteKind::GitHub if is_index => Some(directory.to_owned()),
        SiteKind::GitHub | SiteKind::Obsidian => Some(below.to_owned()),
        _ if is_index => Some(directory.to_owned()),
        SiteKind::MdBook
        | SiteKind::Jekyll
        | SiteKind::Sphinx
        | SiteKind::VitePress
        | SiteKind::Quarto => Some(format!("{stem}.html")),
        SiteKind::MkDocs => Some(format!("{stem}/")),
        SiteKind::Hugo => Some(format!("{}/", stem.to_lowercase())),
        _ => Some(stem.to_owned()),
    }
}

/// A link to a note by the end of its path, or to another file.
fn wiki_link(path: &str, names: usize, suffix: &str) -> String {
    let path = path.strip_suffix(".md").unwrap_or(path);
    let all: Vec<&str> = path.split('/').collect();
    let end = &all[all.len() - names.clamp(1, all.len())..];
    format!("[[{}{suffix}]]\n", end.join("/"))
}

/// Returns true for the name of an index file, without its extension.
fn is_index(kind: SiteKind, stem: &str) -> bool {
    match stem {
        "_index" => kind == SiteKind::Hugo,
        "index" => !matches!(kind, SiteKind::GitHub | SiteKind::Obsidian),
        "README" => matches!(
            kind,
            SiteKind::GitHub
                | SiteKind::MdBook
                | SiteKind::MkDocs
                | SiteKind::Docusaurus
                | SiteKind::Jekyll
        ),
        _ => false,
    }
}

/// The shortest reference from one path to another.
fn reference(from: &str, to: &str) -> String {
    let directory = &from[..from.rfind('/').map_or(0, |at| at + 1)];
    let common = directory.bytes().zip(to.bytes()).take_while(|(a, b)| a == b).count();
    let common = directory[..common].rfind('/').map_or(0, |at| at + 1);
    let text = "../".repeat(directory[common..].matches('/').count()) + &to[common..];
    match text.as_str() {
        "" => "./".to_owned(),
        _ => text,
    }
}

/// The links of each document: references with their targets.
pub(crate) type Links = BTreeMap<String, Vec<(String, String)>>;

impl Plot {
    pub(crate) fn number(&self) -> usize {
        self.kind
    }

    pub(crate) fn kind(&self) -> SiteKind {
        KINDS[self.kind].0
    }

    fn site(&self, files: &BTreeSet<String>) -> Site {
        self.site_at(None, files)
    }

    /// The site in a tree with this URL.
    pub(crate) fn site_at(&self, url: Option<&str>, files: &BTreeSet<String>) -> Site {
        let config = KINDS[self.kind].3.to_owned();
        let listing = Listing::of_files(files.iter().chain([&config]));
        let layouts = detect(SiteChoice::Kind(self.kind()), &listing, &SameText("title = x"));
        let index = vec!["index.html".into()];
        let site = match url {
            Some(url) => Site::new(url, listing, index),
            None => Site::private(listing, index),
        };
        site.with_layouts(layouts)
    }

    /// The links whose targets are certain.
    pub(crate) fn links(&self) -> Links {
        let (kind, content, url, _) = KINDS[self.kind];
        let site = self.site(&self.files);
        let files: Vec<&String> = self.files.iter().collect();
        let address =
            |file: &str| Some(format!("{url}{}", address(kind, file.strip_prefix(content)?)?));
        let count = |wanted: &str| {
            let bare = |it: &str| it.trim_end_matches('/').trim_end_matches(".html").to_owned();
            let same = files.iter().filter_map(|file| address(file));
            same.filter(|it| bare(it) == bare(wanted)).count()
        };
        let mut links = Links::new();
        for (from, to, form, suffix) in &self.links {
            let (from, to) = (*from.get(&files), *to.get(&files));
            let (Some(base), Some(target)) = (address(from), address(to)) else {
                continue;
            };
            let base = if from.ends_with(".md") {
                base
            } else {
                continue;
            };
            let text = match form {
                Form::File => reference(from, to),
                Form::Address => reference(&base, &target),
                Form::Root => format!("/{target}"),
                Form::Bare => {
                    let bare = target.trim_end_matches('/').trim_end_matches(".html");
                    let is_index = target.ends_with('/')
                        && matches!(kind, SiteKind::Sphinx | SiteKind::VitePress);
                    if bare.is_empty() || is_index {
                        continue;
                    }
                    reference(&base, bare)
                }
            };
            // A file at the path as written, or another page with the address, is found first.
            let found = site.file_named(from.as_bytes(), &text);
            let found =
                found.map(|id| String::from_utf8_lossy(site.listing().name(id)).into_owned());
            if count(&target) == 1 {
                let plain = resolved(from, &text);
                let is_certain = matches!(form, Form::File | Form::Root)
                    || !self.files.iter().any(|it| *it == plain);
                assert!(
                    !is_certain || found.as_ref() == Some(to),
                    "{kind} {from}: {text} is {found:?}, not {to}"
                );
            }
            if found.as_ref() == Some(to) {
                let of_document = links.entry(from.clone()).or_default();
                of_document.push((format!("{text}{suffix}"), to.clone()));
            }
        }
        links
    }

    /// Returns true if no two files have the same address, with or without its end.
    pub(crate) fn has_unique_addresses(&self, site: &Site) -> bool {
        let (kind, content, ..) = KINDS[self.kind];
        let files = site.listing().iter().filter(|(_, _, entry)| *entry == Entry::File);
        let addresses: Vec<String> = { files }
            .filter_map(|(_, path, _)| {
                let path = std::str::from_utf8(path).expect("UTF-8");
                let address = address(kind, path.strip_prefix(content)?)?;
                Some(address.trim_end_matches('/').trim_end_matches(".html").to_owned())
            })
            .collect();
        addresses.iter().collect::<BTreeSet<_>>().len() == addresses.len()
    }

    fn moves(&self, listing: &Listing) -> Option<Moves> {
        let paths: Vec<&[u8]> = listing.iter().skip(1).map(|(_, path, _)| path).collect();
        let moves = self
            .moves
            .iter()
            .map(|(at, to)| Move { from: at.get(&paths).to_vec(), to: to.clone().into_bytes() });
        let moves: Vec<Move> = moves.collect();
        let counts = (1..=moves.len()).rev();
        { counts }.find_map(|count| Moves::new(listing, moves[..count].iter().cloned()).ok())
    }
}

/// The path that a relative reference has as written.
pub(crate) fn resolved(from: &str, text: &str) -> String {
    let mut names: Vec<&str> = from.split('/').collect();
    names.pop();
    for name in text.split('/').filter(|it| !matches!(*it, "" | ".")) {
        match name {
            ".." => _ = names.pop(),
            name => names.push(name),
        }
    }
    names.join("/")
}

fn page(site: &Site, path: &str, text: &str) -> Document {
    let document = Document::new("a.html", text.as_bytes().to_vec());
    document.retrieved_from(site.uri_of(path.as_bytes()))
}

fn text_of(links: &[(String, String)]) -> String {
    links.iter().map(|(it, _)| format!("<a href=\"{it}\">t</a>\n")).collect()
}

/// The documents after moves, and whether an edit was skipped.
fn moved(
    before: &Site,
    after: &Site,
    moves: &Moves,
    texts: &BTreeMap<String, String>,
) -> (BTreeMap<String, String>, bool) {
    let filter = LinkFilter::default();
    let relocation = Relocation::new(before, after, moves, Resolver::default(), &filter);
    let mut skipped = false;
    let texts = texts.iter().map(|(path, text)| {
        let page = page(before, path, text);
        let found = page.links_with(&Options::default());
        let plan = Planned::new(&found, &relocation.of_document(path.as_bytes()));
        skipped |=
            plan.skipped().iter().any(|(_, why)| *why == rehref::rewrite::SkipReason::Unwritable);
        let path = String::from_utf8(moves.new_path(path.as_bytes()).into_owned()).unwrap();
        (path, String::from_utf8(plan.bytes().to_vec()).unwrap())
    });
    let texts = texts.collect();
    (texts, skipped)
}

fn references(text: &str) -> Vec<String> {
    let links = text.lines().filter_map(|line| line.split('"').nth(1));
    links.map(str::to_owned).collect()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn links_keep_their_pages_and_moving_back_restores_the_documents(plot in plots()) {
        let links = plot.links();
        let before = plot.site(&plot.files);
        let Some(moves) = plot.moves(before.listing()) else {
            return Ok(());
        };
        let after = before.with_listing(moves.applied_to(before.listing()));
        let texts: BTreeMap<String, String> =
            links.iter().map(|(path, links)| (path.clone(), text_of(links))).collect();
        let (new_texts, skipped) = moved(&before, &after, &moves, &texts);
        for (path, links) in &links {
            let new_path = String::from_utf8(moves.new_path(path.as_bytes()).into_owned()).unwrap();
            let new = references(&new_texts[&new_path]);
            for ((old, target), new) in links.iter().zip(&new) {
                let expected = moves.new_path(target.as_bytes());
                let found = after.file_named(new_path.as_bytes(), new);
                let found = found.map(|id| String::from_utf8_lossy(after.listing().name(id)).into_owned());
                let expected = String::from_utf8_lossy(&expected).into_owned();
                prop_assert!(
                    skipped || found.as_ref() == Some(&expected),
                    "{} {} -> {}: {} became {}, which is {:?}, not {}", plot.kind(), path, new_path, old, new, found, expected
                );
            }
        }
        let Ok(back) = Moves::new(after.listing(), moves.reversed()) else {
            return Ok(());
        };
        let again = after.with_listing(back.applied_to(after.listing()));
        let (old_texts, skipped_again) = moved(&after, &again, &back, &new_texts);
        // Among the forms of another kind of file, the old one is lost.
        let keeps_class = moves.iter().all(|it| class(plot.kind(), &it.from) == class(plot.kind(), &it.to));
        let is_unique = [&before, &after].iter().all(|it| plot.has_unique_addresses(it));
        let plain = |site: &Site, texts: &BTreeMap<String, String>| -> usize {
            let is_plain = |path: &str, it: &str| {
                let path = resolved(path, it.split(['?', '#']).next().unwrap_or_default());
                !it.starts_with('/') && site.listing().id(path.as_bytes()).is_some()
            };
            let plain = texts.iter().map(|(path, text)| {
                let links = references(text);
                links.iter().filter(|it| is_plain(path, it)).count()
            });
            plain.sum()
        };
        let keeps_form = plain(&before, &texts) == plain(&after, &new_texts);
        if !skipped && !skipped_again && keeps_class && is_unique && keeps_form {
            prop_assert_eq!(old_texts, texts, "{} by way of {:#?}", plot.kind(), new_texts);
        }
    }

    #[test]
    fn wiki_links_keep_their_notes(plot in plots_of(KINDS.len() - 1..KINDS.len())) {
        let before = plot.site(&plot.files);
        let Some(moves) = plot.moves(before.listing()) else {
            return Ok(());
        };
        let after = before.with_listing(moves.applied_to(before.listing()));
        let paths: Vec<&String> = plot.files.iter().collect();
        let mut texts: BTreeMap<String, String> = BTreeMap::new();
        for (from, to, form, suffix) in &plot.links {
            let from = *from.get(&paths);
            let suffix = suffix.replace('?', "#");
            if from.ends_with(".md") {
                let to: &&String = to.get(&paths);
                let link = wiki_link(to, *form as usize + 1, &suffix);
                *texts.entry(from.clone()).or_default() += &link;
            }
        }
        let filter = LinkFilter::default();
        let relocation = Relocation::new(&before, &after, &moves, Resolver::default(), &filter);
        let mut options = Options::default();
        options.markdown.wiki = true;
        for (path, text) in &texts {
            let document = Document::new(path, text.clone().into_bytes());
            let document = document.retrieved_from(before.uri_of(path.as_bytes()));
            let found = document.links_with(&options);
            prop_assert_eq!(found.len(), text.lines().count());
            let plan = Planned::new(&found, &relocation.of_document(path.as_bytes()));
            let new_path = String::from_utf8(moves.new_path(path.as_bytes()).into_owned()).unwrap();
            let new_text = String::from_utf8(plan.bytes().to_vec()).unwrap();
            let expected = notes(&before, path, text).into_iter().map(|file| {
                let file = file?.into_bytes();
                Some(String::from_utf8_lossy(&moves.new_path(&file)).into_owned())
            });
            let expected: Vec<Option<String>> = expected.collect();
            for ((expected, found), new) in expected.iter().zip(notes(&after, &new_path, &new_text)).zip(new_text.lines()) {
                let is_image_now = expected.as_ref().is_some_and(|it| it.ends_with(".png"));
                prop_assert!(expected.is_none() || is_image_now || *expected == found, "{} {}: {:?} is {:?}", new_path, new, expected, found);
            }
        }
    }

    #[test]
    fn links_are_broken_if_their_page_is_removed(plot in plots()) {
        let links = plot.links();
        let removed = plot.removed.get(&plot.files.iter().collect::<Vec<_>>()).to_string();
        for files in [plot.files.clone(), plot.files.iter().filter(|it| **it != removed).cloned().collect()] {
            let site = plot.site(&files);
            let checker = Checker::new(&site, CheckOptions { confined: true, ..CheckOptions::default() });
            for (path, links) in &links {
                let Some(file) = site.listing().id(path.as_bytes()) else {
                    continue;
                };
                let found = broken(&checker, &site, file, path, &text_of(links));
                for (reference, target) in links {
                    let named = site.file_named(path.as_bytes(), reference);
                    let exists = named.is_some();
                    prop_assert!(exists || !files.contains(target));
                    // A directory without an index file is there.
                    let is_directory = site.listing().iter().any(|(_, it, _)| {
                        it == resolved(if reference.starts_with('/') { "" } else { path }, reference.split(['?', '#']).next().unwrap()).as_bytes()
                    });
                    // Hugo makes a list of the pages in a directory.
                    let is_section = plot.kind() == SiteKind::Hugo && reference.starts_with('/') && reference.split(['?', '#']).next().unwrap().matches('/').count() == 2;
                    if !is_directory && (exists || !is_section) {
                        prop_assert_eq!(found.contains(reference), !exists, "{} {}: {}", plot.kind(), path, reference);
                    }
                }
            }
        }
    }
}

/// The files that the wiki links of a document refer to.
fn notes(site: &Site, path: &str, text: &str) -> Vec<Option<String>> {
    let targets = text.lines().map(|line| line.trim_matches(['[', ']']));
    let file = |target: &str| {
        let file = site.file_of_wiki_link(path.as_bytes(), target)?;
        Some(String::from_utf8_lossy(site.listing().name(file)).into_owned())
    };
    targets.map(file).collect()
}

/// A page, the index of a directory, or another file or a directory.
fn class(kind: SiteKind, path: &[u8]) -> u8 {
    let name = path.rsplit(|&it| it == b'/').next().unwrap_or_default();
    match std::str::from_utf8(name).expect("UTF-8").strip_suffix(".md") {
        // The address of the site itself has no name.
        Some(stem) if is_index(kind, stem) => match is_in_root(kind, path) {
            true => 0,
            false => 1,
        },
        // It has no address.
        Some(stem)
            if matches!(kind, SiteKind::Jekyll | SiteKind::Quarto) && stem.starts_with('_') =>
        {
            3
        }
        Some(_) => 2,
        None => 3,
    }
}

fn is_in_root(kind: SiteKind, path: &[u8]) -> bool {
    let found = KINDS.iter().find(|it| it.0 == kind);
    let (_, content, ..) = found.expect("a kind of the table");
    path.iter().filter(|&&it| it == b'/').count() == content.matches('/').count()
}

/// The broken references of a document.
fn broken(
    checker: &Checker<'_>,
    site: &Site,
    file: Id,
    path: &str,
    text: &str,
) -> BTreeSet<String> {
    let page = page(site, path, text);
    let survey = checker.survey(file, &page);
    let mut found = BTreeSet::new();
    checker.broken(
        file,
        &survey,
        &page,
        |_| None,
        |finding| match finding {
            Finding::Broken(it) => _ = found.insert(it.link.reference().to_owned()),
            Finding::Unknown(link) => panic!("{}", link.reference()),
        },
    );
    found
}
