//! The laws of moving, on generated sites that lie in memory: no link that led somewhere leads elsewhere or
//! nowhere, and what is moved back is what it was.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rehref::document::{Base, BaseFrom, Document};
use rehref::edit::Plan;
use rehref::find::{FindOptions, find};
use rehref::map::Relocation;
use rehref::site::{Entry, Listing, Located, Move, MoveError, Moves, Site};
use rehref::uri::{Profile, Resolver};

use crate::edit_laws::config;

const URL: &str = "http://h.example/r/";

/// Names that URLs do not take as they are.
const NAMES: [&str; 12] = [
    "a",
    "b",
    "c.html",
    "index.html",
    "x y.html",
    "100%.html",
    "q?a=b.html",
    "#1.html",
    "é.html",
    "a;b",
    "c:d.html",
    "~u",
];

/// A file's path, of up to three folders.
fn path() -> impl Strategy<Value = String> {
    (
        prop::collection::vec(prop::sample::select(&NAMES[..2]), 0..4),
        prop::sample::select(&NAMES[2..]),
    )
        .prop_map(|(folders, name)| {
            let mut path = folders
                .iter()
                .map(|it| format!("{it}/"))
                .collect::<String>();
            path.push_str(name);
            path
        })
}

/// How a link is written.
#[derive(Clone, Debug)]
enum Shape {
    Shortest,
    Dotted,
    FromRoot,
    NetworkPath,
    Absolute,
    /// Climbing out of all folders of the document, often for nothing.
    Climbing,
    /// To the folder of the file, where it is an index file.
    Folder,
}

#[derive(Clone, Debug)]
struct Page {
    links: Vec<(prop::sample::Index, Shape, &'static str)>,
    /// What BASE leads to, if there is one.
    base: Option<(prop::sample::Index, bool)>,
    is_css: bool,
}

#[derive(Clone, Debug)]
struct Plot {
    /// Whether links climb for nothing. As far as there are folders, they go on doing so.
    climbs: bool,
    pages: BTreeMap<String, Page>,
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
        Shape::Folder,
    ]);
    let suffix = prop::sample::select(vec!["", "", "#f", "?q=/../x", "?q#f"]);
    let link = (any::<prop::sample::Index>(), shape, suffix);
    let page = (
        prop::collection::vec(link, 0..6),
        prop::option::weighted(0.2, (any::<prop::sample::Index>(), any::<bool>())),
        prop::bool::weighted(0.1),
    )
        .prop_map(|(links, base, is_css)| Page {
            links,
            base,
            is_css,
        });
    let moves = prop::collection::vec((any::<prop::sample::Index>(), path(), any::<bool>()), 1..4);
    (
        prop::bool::weighted(0.2),
        prop::collection::btree_map(path(), page, 2..8),
        moves,
    )
        .prop_map(|(climbs, pages, moves)| Plot {
            climbs,
            pages,
            moves,
        })
}

type Files = BTreeMap<String, String>;

fn site_of(files: &Files) -> Site {
    Site::new(
        URL,
        Listing::of_files(files.keys()),
        vec!["index.html".into()],
    )
}

impl Plot {
    /// The files, each link written as its shape says.
    fn files(&self) -> Files {
        let paths: Vec<&String> = self.pages.keys().collect();
        let bare: Files = paths
            .iter()
            .map(|&it| (it.clone(), String::new()))
            .collect();
        let site = site_of(&bare);
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
            for (at, shape, suffix) in &page.links {
                let target = at.get(&paths);
                let uri = site.uri_of(target.as_bytes());
                let path_only = uri.strip_prefix("http://h.example").unwrap();
                let shortest = ready
                    .relative_path_reference(&uri)
                    .filter(|it| !it.is_empty());
                let folder = uri.strip_suffix("index.html");
                let reference = match (shape, shortest, folder) {
                    (Shape::Absolute, ..) => uri.clone(),
                    (Shape::NetworkPath, ..) => format!("//h.example{path_only}"),
                    (Shape::Folder, _, Some(folder)) if *suffix != "?q" => {
                        let folder = ready.relative_path_reference(folder).unwrap();
                        match folder.as_str() {
                            "" => "./".to_owned(),
                            _ => folder,
                        }
                    }
                    (Shape::Shortest, Some(shortest), _) => shortest,
                    (Shape::Dotted, Some(shortest), _) if !shortest.starts_with('.') => {
                        format!("./{shortest}")
                    }
                    (Shape::Climbing, ..) if self.climbs => {
                        // Out of all folders, and in again.
                        let depth = base.strip_prefix(URL).unwrap().matches('/').count();
                        "../".repeat(depth) + uri.strip_prefix(URL).unwrap()
                    }
                    _ => path_only.to_owned(),
                };
                // A first segment with a colon would be a scheme.
                let resolved = resolver.resolve(&base, &reference);
                let is_right = matches!(resolved, Ok(rehref::uri::Resolved::Target(to)) if site.locate(&to) == site.locate(&uri));
                let reference = if is_right { reference } else { uri };
                text += &match page.is_css {
                    true => format!("a{{b:url(\"{reference}{suffix}\")}}\n"),
                    false => format!("<a href=\"{reference}{suffix}\">t</a>\n"),
                };
            }
            text
        };
        let files = self
            .pages
            .iter()
            .map(|(path, page)| (path.clone(), written(path, page)));
        files.collect()
    }

    fn moves(&self, listing: &Listing) -> Option<Moves> {
        let paths: Vec<&[u8]> = listing.iter().skip(1).map(|(_, path, _)| path).collect();
        let moves = self.moves.iter().map(|(at, to, swaps)| {
            let from = at.get(&paths).to_vec();
            match swaps {
                true => vec![
                    Move {
                        from: from.clone(),
                        to: paths[0].to_vec(),
                    },
                    Move {
                        from: paths[0].to_vec(),
                        to: from,
                    },
                ],
                false => vec![Move {
                    from,
                    to: to.clone().into_bytes(),
                }],
            }
        });
        let moves: Vec<Move> = moves.flatten().collect();
        // As many as can be made together.
        (1..=moves.len())
            .rev()
            .find_map(|count| Moves::new(listing, moves[..count].iter().cloned()).ok())
    }
}

fn document(site: &Site, path: &str, text: &str, is_css: bool) -> Document {
    let name = if is_css { "a.css" } else { "a.html" };
    let mut document = Document::new(name, text.as_bytes().to_vec());
    document.base = Some(Base {
        uri: site.uri_of(path.as_bytes()),
        from: BaseFrom::Option,
    });
    document
}

/// Where each link of a page leads: what is there, and its query and fragment.
fn targets(site: &Site, document: &Document) -> Vec<(Located, String, String)> {
    let found = find(document, &FindOptions::default());
    let mut resolving = found.resolving(document, Resolver::default());
    let target = |link| {
        let uri = resolving
            .target(link)
            .uri
            .map(str::to_owned)
            .unwrap_or_default();
        let located = site.locate(&uri);
        let suffix = uri.find(['?', '#']).map_or("", |at| &uri[at..]).to_owned();
        let file = located.file().map(|id| site.listing().name(id).to_vec());
        (
            located,
            String::from_utf8(file.unwrap_or_default()).unwrap(),
            suffix,
        )
    };
    found.links.iter().map(target).collect()
}

/// The files once they have moved.
fn moved(files: &Files, moves: &Moves) -> Result<Files, TestCaseError> {
    let before = site_of(files);
    let after = before.with_listing(moves.applied_to(before.listing()));
    let relocation = Relocation::new(&before, &after, moves, Profile::Rfc3986);
    let mut new_files = Files::new();
    for (path, text) in files {
        let is_css = text.starts_with("a{");
        let page = document(&before, path, text, is_css);
        let options = FindOptions::default();
        let found = find(&page, &options);
        let mapper = relocation.of_document(path.as_bytes());
        let plan = Plan::new(&page, &found, &options, &mapper);
        let new_path = String::from_utf8(moves.new_path(path.as_bytes()).into_owned()).unwrap();
        let new_text = String::from_utf8(plan.apply(&page).to_vec()).unwrap();

        // What a link led to, it leads to, wherever that is now.
        let new_page = document(&after, &new_path, &new_text, is_css);
        let (old, new) = (targets(&before, &page), targets(&after, &new_page));
        prop_assert_eq!(old.len(), new.len());
        for ((located, file, suffix), (new_located, new_file, new_suffix)) in old.iter().zip(&new) {
            let expected = moves.new_path(file.as_bytes());
            prop_assert_eq!(
                new_file.as_bytes(),
                &*expected,
                "{} -> {}: {:?} became {:?}\n{}\n{}",
                path,
                new_path,
                located,
                new_located,
                text,
                new_text
            );
            prop_assert_eq!(suffix, new_suffix);
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
    Ok(new_files)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn links_follow_and_what_moves_back_is_what_it_was(plot in plots()) {
        let files = plot.files();
        let site = site_of(&files);
        let Some(moves) = plot.moves(site.listing()) else {
            return Ok(());
        };
        let there = moved(&files, &moves)?;
        let back = Moves::new(site_of(&there).listing(), moves.reversed());
        let back = match back {
            // What went into a folder that moved too would come out of one that moves back.
            Err(MoveError::Twice(_)) => return Ok(()),
            back => back,
        };
        prop_assert!(back.is_ok(), "{:?}: {:?}", moves, back);
        let back = moved(&there, &back.unwrap())?;
        if !plot.climbs {
            prop_assert_eq!(back, files, "by way of {:#?}", there);
        }
    }
}
