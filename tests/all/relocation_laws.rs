//! The laws of moving, on generated sites in memory: a link keeps its target, unless it is skipped
//! with a reason or goes through a symbolic link whose target changes. Moving back restores the
//! tree.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rehref::document::Document;
use rehref::format::Options;
use rehref::link::LinkFilter;
use rehref::listing::{Entry, Listing, Move, MoveError, Moves};
use rehref::rewrite::SkipReason;
use rehref::rules::Relocation;
use rehref::site::{Located, Site};
use rehref::source::{Base, BaseFrom};
use rehref::uri::Resolver;

use crate::support::planned::Planned;

use crate::laws::config;

const URL: &str = "http://h.example/r/";

/// Names that need percent-encoding in URLs.
const NAMES: [&str; 15] = [
    "a", "b", "c.html", "index.html", "x y.html", "100%.html", "q?a=b.html", "#1.html", "é.html",
    "a;b", "c:d.html", "~u",  // A URL of a `srcset` cannot be written so.
    ",z,", // Segments that cannot be the name of a file.
    "a%2Fb.html", "%00",
];

/// The path of a file, with up to three directories.
fn path() -> impl Strategy<Value = String> {
    (
        prop::collection::vec(prop::sample::select(&NAMES[..2]), 0..4),
        prop::sample::select(&NAMES[2..]),
    )
        .prop_map(|(directories, name)| {
            let mut path = directories.iter().map(|it| format!("{it}/")).collect::<String>();
            path.push_str(name);
            path
        })
}

/// The form of a link.
#[derive(Clone, Debug)]
enum Shape {
    Shortest,
    Dotted,
    FromRoot,
    NetworkPath,
    Absolute,
    /// Climbs to the root from all directories of the document, often needlessly.
    Climbing,
    /// To the directory of the file, if it is an index file.
    Directory,
    /// To the same path above the root of the tree.
    Above,
    /// To an impossible name beside the file.
    Impossible(&'static str),
    /// With a doubled slash before the name of the file.
    Doubled,
    /// To a page without its extension.
    Bare,
}

#[derive(Clone, Debug)]
struct Page {
    links: Vec<(prop::sample::Index, Shape, &'static str, bool)>,
    /// The target of BASE, if there is one.
    base: Option<(prop::sample::Index, bool)>,
    is_css: bool,
}

#[derive(Clone, Debug)]
struct Plot {
    /// True if links climb needlessly. They keep climbing as long as there are directories.
    climbs: bool,
    pages: BTreeMap<String, Page>,
    /// Symbolic links, each with its target.
    symlinks: BTreeMap<String, prop::sample::Index>,
    moves: Vec<(prop::sample::Index, String, bool)>,
}

fn plots() -> impl Strategy<Value = Plot> {
    let shape = prop::sample::select(vec![
        Shape::Shortest,
        Shape::Shortest,
        Shape::Dotted,
        Shape::FromRoot,
        Shape::NetworkPath,
        Shape::Absolute,
        Shape::Climbing,
        Shape::Directory,
        Shape::Above,
        Shape::Impossible("a%2Fb.html"),
        Shape::Impossible("http%3A%2F%2Fe.example%2f%2e%2e%2Fx.png"),
        Shape::Impossible("%00"),
        Shape::Impossible("%00/c.html"),
        Shape::Doubled,
        Shape::Bare,
        Shape::Bare,
    ]);
    let suffix = prop::sample::select(vec!["", "", "#f", "?q=/../x", "?q#f"]);
    let is_srcset = prop::bool::weighted(0.2);
    let link = (any::<prop::sample::Index>(), shape, suffix, is_srcset);
    let page = (
        prop::collection::vec(link, 0..6),
        prop::option::weighted(0.2, (any::<prop::sample::Index>(), any::<bool>())),
        prop::bool::weighted(0.1),
    )
        .prop_map(|(links, base, is_css)| Page { links, base, is_css });
    let moves = prop::collection::vec((any::<prop::sample::Index>(), path(), any::<bool>()), 1..4);
    let symlink = path().prop_map(|path| format!("{path}.l"));
    (
        prop::bool::weighted(0.2),
        prop::collection::btree_map(path(), page, 2..8),
        prop::collection::btree_map(symlink, any::<prop::sample::Index>(), 0..3),
        moves,
    )
        .prop_map(|(climbs, pages, symlinks, moves)| Plot { climbs, pages, symlinks, moves })
}

type Files = BTreeMap<String, String>;

impl Plot {
    /// The tree of the files and symbolic links.
    fn site(&self) -> Site {
        let mut listing = Listing::of_files(self.pages.keys());
        let there: Vec<_> = listing.iter().skip(1).map(|(id, ..)| id).collect();
        for (path, to) in &self.symlinks {
            listing.insert(path.as_bytes(), Entry::Link(*to.get(&there)));
        }
        Site::new(URL, listing, vec!["index.html".into()])
    }

    /// The targets of links: pages, and paths through symbolic links.
    fn targets(&self, site: &Site) -> Vec<String> {
        let listing = site.listing();
        let mut targets: Vec<String> = self.pages.keys().cloned().collect();
        for path in self.symlinks.keys() {
            let Some((to, entry)) = listing.resolved(path.as_bytes()) else {
                continue;
            };
            targets.push(path.clone());
            let directory = format!("{}/", String::from_utf8_lossy(listing.name(to)));
            if entry == Entry::Directory {
                let below = self.pages.keys().filter_map(|it| it.strip_prefix(&directory));
                targets.extend(below.map(|below| format!("{path}/{below}")));
            }
        }
        targets
    }

    /// The files, with each link in its form.
    fn files(&self) -> Files {
        let paths: Vec<&String> = self.pages.keys().collect();
        let site = self.site();
        let to = self.targets(&site);
        let resolver = Resolver::default();
        let written = |path: &String, page: &Page| {
            let own = site.uri_of(path.as_bytes());
            let mut text = String::new();
            let mut base = own.clone();
            if let Some((at, relative)) = &page.base
                && !page.is_css
            {
                base = site.uri_of(at.get(&paths).as_bytes());
                let reference = match relative {
                    true => resolver.relative_reference(&own, &base).unwrap(),
                    false => base.clone(),
                };
                text += &format!("<base href=\"{reference}\">\n");
            }
            let ready = resolver.base(&base).unwrap();
            for (at, shape, suffix, is_srcset) in &page.links {
                let target = at.get(&to);
                let mut uri = site.uri_of(target.as_bytes());
                let name = uri.rfind('/').expect("it is absolute") + 1;
                match shape {
                    Shape::Above => uri = uri.replacen("/r/", "/", 1),
                    Shape::Impossible(segment) => uri.replace_range(name.., segment),
                    Shape::Doubled => uri.insert(name, '/'),
                    Shape::Bare => uri.truncate(uri.strip_suffix(".html").unwrap_or(&uri).len()),
                    _ => {}
                }
                let path_only = uri.strip_prefix("http://h.example").unwrap();
                let shortest = ready.relative_path_reference(&uri).filter(|it| !it.is_empty());
                let directory = uri.strip_suffix("index.html");
                let reference = match (shape, shortest, directory) {
                    (Shape::Absolute, ..) => uri.clone(),
                    (Shape::NetworkPath, ..) => format!("//h.example{path_only}"),
                    (Shape::Directory, _, Some(directory)) if *suffix != "?q" => {
                        let directory = ready.relative_path_reference(directory).unwrap();
                        match directory.as_str() {
                            "" => "./".to_owned(),
                            _ => directory,
                        }
                    }
                    (Shape::Shortest | Shape::Bare, Some(shortest), _) => shortest,
                    (Shape::Dotted, Some(shortest), _) if !shortest.starts_with('.') => {
                        format!("./{shortest}")
                    }
                    (Shape::Above | Shape::Impossible(_) | Shape::Doubled, Some(shortest), _) => {
                        shortest
                    }
                    (Shape::Climbing, ..) if self.climbs => {
                        // Out of all directories, and in again.
                        let depth = base.strip_prefix(URL).unwrap().matches('/').count();
                        "../".repeat(depth) + uri.strip_prefix(URL).unwrap()
                    }
                    _ => path_only.to_owned(),
                };
                // A first segment with a colon would be a scheme.
                let resolved = resolver.resolve(&base, &reference);
                let leads_there = |to: &str| match shape {
                    Shape::Above | Shape::Bare => to == uri,
                    _ => site.locate(to) == site.locate(&uri),
                };
                let is_right =
                    matches!(resolved, Ok(rehref::uri::Resolved::Target(to)) if leads_there(&to));
                let reference = if is_right { reference } else { uri };
                text += &match (page.is_css, is_srcset) {
                    (true, _) => format!("a{{b:url(\"{reference}{suffix}\")}}\n"),
                    (false, true) => format!("<img srcset=\"{reference}{suffix} 1x\">\n"),
                    (false, false) => format!("<a href=\"{reference}{suffix}\">t</a>\n"),
                };
            }
            text
        };
        let files = self.pages.iter().map(|(path, page)| (path.clone(), written(path, page)));
        files.collect()
    }

    fn moves(&self, listing: &Listing) -> Option<Moves> {
        let paths: Vec<&[u8]> = listing.iter().skip(1).map(|(_, path, _)| path).collect();
        let moves = self.moves.iter().map(|(at, to, swaps)| {
            let from = at.get(&paths).to_vec();
            match swaps {
                true => vec![
                    Move { from: from.clone(), to: paths[0].to_vec() },
                    Move { from: paths[0].to_vec(), to: from },
                ],
                false => vec![Move { from, to: to.clone().into_bytes() }],
            }
        });
        let moves: Vec<Move> = moves.flatten().collect();
        // As many moves as are possible together.
        (1..=moves.len())
            .rev()
            .find_map(|count| Moves::new(listing, moves[..count].iter().cloned()).ok())
    }
}

fn document(site: &Site, path: &str, text: &str, is_css: bool) -> Document {
    let name = if is_css { "a.css" } else { "a.html" };
    let mut document = Document::new(name, text.as_bytes().to_vec());
    document = document
        .with_base(Some(Base { uri: site.uri_of(path.as_bytes()), from: BaseFrom::Option }));
    document
}

/// The target of a link.
struct Lead {
    uri: String,
    located: Located,
    /// The path in the tree; that of the index file for a directory.
    path: Vec<u8>,
    /// The file, with symbolic links followed.
    file: Vec<u8>,
    /// The query and the fragment.
    suffix: String,
}

impl Lead {
    /// Returns true if the path goes through no symbolic link, or if that link resolves to `file`
    /// in this tree, too.
    fn is_kept_by_links(&self, before: &Site, after: &Site, moves: &Moves, file: &[u8]) -> bool {
        let is_direct = before.listing().id(&self.path).map(|id| before.listing().entry(id));
        let leads_on = || {
            let (id, _) = after.listing().resolved(&moves.new_path(&self.path))?;
            Some(after.listing().name(id) == file)
        };
        is_direct == Some(Entry::File) || leads_on() == Some(true)
    }
}

/// The target of each link of a page.
fn leads(site: &Site, document: &Document) -> Vec<Lead> {
    let found = document.links_with(&Options::default());
    let mut resolving = found.resolving();
    let lead = |link| {
        let uri = resolving.target(link).uri.map(str::to_owned);
        let uri = uri.unwrap_or_default();
        let located = site.locate(&uri);
        let file = located.file().map(|id| site.listing().name(id).to_vec());
        let path = site.path_of(&uri).map(|path| path.into_owned());
        let mut path = path.unwrap_or_default();
        if let Located::Directory { index: Some(_), .. } = located {
            let slash = if path.is_empty() || path.ends_with(b"/") { "" } else { "/" };
            path.extend_from_slice(format!("{slash}index.html").as_bytes());
        }
        // The page that the path has no extension of.
        let page = [&*path, b".html"].concat();
        let (located, file, path) = match site.listing().resolved(&page) {
            Some((id, Entry::File)) if located.is_missing() && !path.ends_with(b"/") => {
                let file = site.listing().name(id).to_vec();
                (Located::File(id), Some(file), page)
            }
            _ => (located, file, path),
        };
        Lead {
            located,
            path,
            file: file.unwrap_or_default(),
            suffix: uri.find(['?', '#']).map_or("", |at| &uri[at..]).to_owned(),
            uri,
        }
    };
    found.found().links.iter().map(lead).collect()
}

/// The result of a move.
struct Moved {
    site: Site,
    files: Files,
    /// True if an edit was skipped, so that a link lost its target.
    refused: bool,
}

/// The files after the moves.
fn moved(before: &Site, files: &Files, moves: &Moves) -> Result<Moved, TestCaseError> {
    let after = before.with_listing(moves.applied_to(before.listing()));
    let filter = LinkFilter::default();
    let relocation = Relocation::new(before, &after, moves, Resolver::default(), &filter);
    let mut new_files = Files::new();
    let mut refused = false;
    for (path, text) in files {
        let is_css = text.starts_with("a{");
        let page = document(before, path, text, is_css);
        let options = Options::default();
        let found = page.links_with(&options);
        let mapper = relocation.of_document(path.as_bytes());
        let plan = Planned::new(&found, &mapper);
        let new_path = String::from_utf8(moves.new_path(path.as_bytes()).into_owned()).unwrap();
        let new_text = String::from_utf8(plan.bytes().to_vec()).unwrap();

        // Each link keeps its target at its new path.
        let new_page = document(&after, &new_path, &new_text, is_css);
        let (old, new) = (leads(before, &page), leads(&after, &new_page));
        prop_assert_eq!(old.len(), new.len());
        for (number, (old, new)) in old.iter().zip(&new).enumerate() {
            let why = plan.skipped().iter().find(|(link, _)| *link == number);
            let is_refused = |why| matches!(why, SkipReason::Unwritable | SkipReason::BarePage);
            if why.is_some_and(|(_, why)| is_refused(*why)) {
                refused = true;
                continue;
            }
            prop_assert_eq!(&old.suffix, &new.suffix);
            if old.located.is_missing() {
                let (named, expected) = (after.path_of(&new.uri), moves.new_path(&old.path));
                prop_assert_eq!(named.as_deref(), Some(&*expected), "{}\n{}", text, new_text);
            }
            if old.located == Located::Outside {
                prop_assert_eq!(&old.uri, &new.uri, "{}\n{}", text, new_text);
                continue;
            }
            let expected = moves.new_path(&old.file);
            if !old.is_kept_by_links(before, &after, moves, &expected) {
                continue;
            }
            prop_assert_eq!(
                String::from_utf8_lossy(&new.file),
                String::from_utf8_lossy(&expected),
                "{} -> {}: {:?} became {:?}\n{}\n{}",
                path,
                new_path,
                old.located,
                new.located,
                text,
                new_text
            );
        }
        new_files.insert(new_path, new_text);
    }
    let listed: Vec<String> = after
        .listing()
        .iter()
        .filter(|(_, _, entry)| *entry == Entry::File)
        .map(|(_, path, _)| String::from_utf8(path.to_vec()).unwrap())
        .collect();
    prop_assert_eq!(listed.len(), new_files.len());
    prop_assert!(listed.iter().all(|path| new_files.contains_key(path)));
    Ok(Moved { site: after, files: new_files, refused })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn links_keep_their_targets_and_moving_back_restores_the_tree(plot in plots()) {
        let files = plot.files();
        let site = plot.site();
        let Some(moves) = plot.moves(site.listing()) else {
            return Ok(());
        };
        let there = moved(&site, &files, &moves)?;
        let back = Moves::new(there.site.listing(), moves.reversed());
        let back = match back {
            // A file that moved into a moved directory cannot move out of it when that moves back.
            Err(MoveError::Duplicate(_)) => return Ok(()),
            back => back,
        };
        prop_assert!(back.is_ok(), "{:?}: {:?}", moves, back);
        let back = moved(&there.site, &there.files, &back.unwrap())?;
        // A `./` before a name with a colon cannot be distinguished from a needless one afterwards.
        let has_colon = files.keys().chain(there.files.keys()).any(|path| path.contains(':'));
        // A link through a symbolic link that dangles meanwhile loses its target. A doubled slash
        // is not kept between changed names, and an impossible name may be taken meanwhile.
        let mut links = plot.pages.values().flat_map(|page| &page.links);
        let is_index = |path: &[u8]| path == b"index.html" || path.ends_with(b"/index.html");
        // A page without its extension that becomes an index file gets the address of its
        // directory.
        let has_index = moves.iter().any(|it| is_index(&it.from) != is_index(&it.to));
        let is_odd = links.any(|(_, shape, ..)| match shape {
            Shape::Doubled | Shape::Impossible(_) => true,
            Shape::Bare => has_index,
            _ => false,
        });
        let is_certain = !is_odd && plot.symlinks.is_empty() && !there.refused && !back.refused;
        if !plot.climbs && !has_colon && is_certain {
            prop_assert_eq!(back.files, files, "by way of {:#?}", there.files);
        }
    }
}
