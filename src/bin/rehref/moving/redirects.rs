//! Redirects from where things were: rules for a web server, or pages.

// The path is the same where the tests include this file.
#[path = "redirects/rules.rs"]
mod rules;

use std::io;
use std::path::Path;

use anyhow::bail;
use clap::ValueEnum;
use rehref::bytes::percent;
use rehref::error::{Error, ErrorKind};
use rehref::fs::path_of_bytes;
use rehref::site::{Entry, Located, Move, Moves, Site};
use rehref::source::Format;
use rehref::uri::Parts;

use self::rules::{Address, Extent};
use crate::input::is_xhtml;
use crate::terminal::warn;

/// `--redirects`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Redirects {
    /// Rules in the file `_redirects`
    Netlify,
    /// Rules in the file `.htaccess`
    Apache,
    /// Rules in the file `redirects.nginx.conf`, to be included in a server block
    Nginx,
    /// A page in each place that a page has moved from
    Html,
}

/// Redirect rules, and the addresses that have none.
#[derive(Default)]
pub(super) struct RedirectFiles {
    pub(super) files: Vec<RedirectFile>,
    /// The addresses that the server has no rule for, percent-encoded.
    pub(super) without_rule: Vec<String>,
}

impl RedirectFiles {
    /// Warns of addresses that nothing will redirect from.
    pub(super) fn warn_of_missing_rules(&self) {
        for address in &self.without_rule {
            warn(format_args!(
                "{address}: not redirected to its page, since no rule of this server can name the address (--redirects \
                 html writes a page there)"
            ));
        }
    }

    /// The file that is there already, which gets the rules at its end, and those that are new.
    pub(super) fn added_and_new(
        self,
        after: &Site,
    ) -> anyhow::Result<(Option<RedirectFile>, Vec<RedirectFile>)> {
        let (mut added, mut new) = (None, Vec::new());
        for file in self.files {
            match after.listing().resolved(&file.path) {
                None => new.push(file),
                Some((id, Entry::File)) => {
                    let path = after.listing().name(id).to_vec();
                    added = Some(RedirectFile { path, ..file });
                }
                Some(_) => bail!(
                    "{}: is no file of the tree, so it cannot tell of moves (--redirects)",
                    String::from_utf8_lossy(&file.path)
                ),
            }
        }
        Ok((added, new))
    }
}

/// A file with redirects.
pub(super) struct RedirectFile {
    /// Below the root.
    pub(super) path: Vec<u8>,
    /// What is added at its end, or all of it.
    pub(super) text: Vec<u8>,
    /// How lines begin that would redirect from where something lies once all has moved.
    pub(super) hiding: Vec<Vec<u8>>,
}

impl RedirectFile {
    /// What comes to the end of a file of this name that holds `old`, of which the last line may lack its end; with
    /// the line ends that it has.
    pub(super) fn end_of(&self, name: &Path, old: &[u8], is_utf16: bool) -> Result<Vec<u8>, Error> {
        if is_utf16 || old.starts_with(b"\xFF\xFE") || old.starts_with(b"\xFE\xFF") {
            let why = io::Error::other("it is UTF-16, which no server reads as rules");
            return Err(Error::new(name, ErrorKind::Write(why)));
        }
        let line_end: &[u8] = match memchr::memmem::find(old, b"\r\n") {
            Some(_) => b"\r\n",
            None => b"\n",
        };
        let mut end = match old.last() {
            None | Some(b'\n') => Vec::new(),
            Some(_) => line_end.to_vec(),
        };
        for line in self.text.split_inclusive(|&byte| byte == b'\n') {
            end.extend_from_slice(line.strip_suffix(b"\n").unwrap_or(line));
            end.extend_from_slice(line_end);
        }
        Ok(end)
    }

    /// The lines, from 1, that a run before wrote and that have to go: something has come back to where they redirect
    /// from.
    pub(super) fn stale<'o>(&'o self, old: &'o [u8]) -> impl Iterator<Item = usize> + 'o {
        let is_hiding = |line: &[u8]| self.hiding.iter().any(|it| line.starts_with(it));
        let lines = old.split(|&byte| byte == b'\n').zip(1..);
        lines.filter_map(move |(line, number)| is_hiding(line).then_some(number))
    }
}

impl Redirects {
    /// The files that redirect after `moves` from the tree `before` to the tree `after`: none where nothing has an
    /// address that is free now.
    pub(super) fn files(self, before: &Site, after: &Site, moves: &Moves) -> RedirectFiles {
        let name = match self {
            Self::Netlify => "_redirects",
            Self::Apache => ".htaccess",
            Self::Nginx => "redirects.nginx.conf",
            Self::Html => {
                return RedirectFiles {
                    files: pages(before, after, moves),
                    without_rule: Vec::new(),
                };
            }
        };
        // Few names are such that a rule for their directory may not do.
        let listing = before.listing();
        let is_odd = |path: &[u8]| path.iter().any(|byte| matches!(byte, b'?' | b'#' | b'\n'));
        let odd: Vec<&[u8]> = listing
            .iter()
            .filter(|(_, path, entry)| *entry == Entry::File && is_odd(path))
            .map(|(_, path, _)| path)
            .collect();
        let mut text = Vec::new();
        let mut without_rule = Vec::new();
        let mut add = |from: &Address, to: &str| match self.rule(from, to) {
            Some(rule) => text.extend_from_slice(&rule),
            None => without_rule.push(from.path.clone()),
        };
        for moved in moves.iter() {
            for (from, to) in addresses(before, after, moves, moved) {
                // The first rule that matches counts.
                for path in odd.iter().filter(|_| from.extent == Extent::Directory) {
                    let below = path.strip_prefix(&*moved.from).unwrap_or_default();
                    if below.starts_with(b"/") && !self.carries(&from, below) {
                        let new = moves.new_path(path);
                        add(
                            &address(before, path, Extent::File),
                            &address(after, &new, Extent::File).path,
                        );
                    }
                }
                add(&from, &to);
            }
        }
        let hiding = moves
            .iter()
            .flat_map(|moved| self.beginnings(after, &moved.to));
        let files = match text.is_empty() {
            true => Vec::new(),
            false => vec![RedirectFile {
                path: name.into(),
                hiding: hiding.collect(),
                text,
            }],
        };
        RedirectFiles {
            files,
            without_rule,
        }
    }

    /// How the rules for what lies at a path begin.
    fn beginnings(self, site: &Site, path: &[u8]) -> Vec<Vec<u8>> {
        let listing = site.listing();
        let is_directory = listing.id(path).map(|id| listing.entry(id)) == Some(Entry::Folder);
        let extent = match is_directory {
            true => Extent::Directory,
            false => Extent::File,
        };
        let mut addresses = vec![address(site, path, extent)];
        if let Some(directory) = folder_of_index(site, path).filter(|_| !is_directory) {
            addresses.extend(exact(site, directory));
        }
        let mut beginnings = Vec::new();
        for from in addresses {
            // What two rules to different targets have in common; the form of a rule may depend on its target.
            for targets in [["/a", "/b"], ["/a%3F", "/b%3F"]] {
                let [Some(one), Some(two)] = targets.map(|to| self.rule(&from, to)) else {
                    continue;
                };
                let lines = |rule: &'_ [u8]| -> Vec<Vec<u8>> {
                    rule.split(|&byte| byte == b'\n')
                        .map(<[u8]>::to_vec)
                        .collect()
                };
                for (one, two) in lines(&one).iter().zip(&lines(&two)) {
                    let same = one.iter().zip(two).take_while(|(a, b)| a == b).count();
                    if same > 0 {
                        beginnings.push(one[..same].to_vec());
                    }
                }
            }
        }
        beginnings
    }
}

/// The addresses that something has had and nothing has now, each with the path of the new one: a rule for one at which
/// something lies would hide that, and lead in a circle where two change places.
fn addresses(before: &Site, after: &Site, moves: &Moves, moved: &Move) -> Vec<(Address, String)> {
    let listing = before.listing();
    let is_folder = listing.id(&moved.from).map(|id| listing.entry(id)) == Some(Entry::Folder);
    if is_folder && after.listing().id(&moved.from).is_some() {
        // What lies there now keeps its addresses, so each file is told on its own.
        let below = [&*moved.from, b"/"].concat();
        let files = listing
            .iter()
            .filter(|(_, path, entry)| *entry != Entry::Folder && path.starts_with(&below));
        let files = files.map(|(_, path, _)| Move {
            from: path.to_vec(),
            to: moves.new_path(path).into_owned(),
        });
        return files
            .flat_map(|moved| addresses_of(before, after, &moved, Extent::File))
            .collect();
    }
    let extent = match is_folder {
        true => Extent::Directory,
        false => Extent::File,
    };
    addresses_of(before, after, moved, extent)
}

/// The address of what lies at a path.
fn address(site: &Site, path: &[u8], extent: Extent) -> Address {
    let uri = site.uri_of(path);
    let path = Parts::split(&uri).path;
    let path = path.strip_suffix('/').unwrap_or(path).to_owned();
    Address { path, extent }
}

/// The addresses of a directory, without a slash at its end and with it; only the latter of the root.
fn exact(site: &Site, directory: &[u8]) -> impl Iterator<Item = Address> {
    let path = address(site, directory, Extent::Exact).path;
    let both = ["", "/"].map(|slash| format!("{path}{slash}"));
    let addresses = both.into_iter().filter(|path| !path.is_empty());
    addresses.map(|path| Address {
        path,
        extent: Extent::Exact,
    })
}

/// The free ones of the addresses of something: its own, and that of the folder that it was the index file of, with
/// a slash and without.
fn addresses_of(
    before: &Site,
    after: &Site,
    moved: &Move,
    extent: Extent,
) -> Vec<(Address, String)> {
    let mut found = Vec::new();
    if after.locate_path(&moved.from).is_missing() {
        let to = address(after, &moved.to, extent).path;
        found.push((address(before, &moved.from, extent), to));
    }
    // A folder without an index file shows nothing of its own.
    let is_free = |folder: &&[u8]| {
        matches!(
            after.locate_path(folder),
            Located::Missing | Located::Folder { index: None, .. }
        )
    };
    let folder = folder_of_index(before, &moved.from).filter(is_free);
    if let Some(folder) = folder.filter(|_| extent == Extent::File) {
        let to = match folder_of_index(after, &moved.to) {
            Some(to) => format!("{}/", address(after, to, Extent::Exact).path),
            None => address(after, &moved.to, Extent::File).path,
        };
        found.extend(exact(before, folder).map(|from| (from, to.clone())));
    }
    found
}

/// The folder that a file is shown for.
fn folder_of_index<'p>(site: &Site, path: &'p [u8]) -> Option<&'p [u8]> {
    let slash = path.iter().rposition(|&byte| byte == b'/');
    site.is_index(path).then(|| &path[..slash.unwrap_or(0)])
}

/// A page in each place that a page has moved from.
fn pages(before: &Site, after: &Site, moves: &Moves) -> Vec<RedirectFile> {
    let files = before
        .listing()
        .iter()
        .filter(|(_, _, entry)| *entry == Entry::File);
    let moved = files.filter_map(|(_, path, _)| {
        let new = moves.new_path(path);
        let name = path_of_bytes(path);
        let is_xhtml = is_xhtml(&name);
        let is_page = is_xhtml || Format::detect(&name, b"") == Format::Html;
        // Nor may a file lie where one of its folders did.
        let is_folder = |folder: &[u8]| {
            let listing = after.listing();
            let there = listing.id(folder).map(|id| listing.entry(id));
            there.is_none_or(|it| it == Entry::Folder)
        };
        let mut slashes = (0..path.len()).filter(|&at| path[at] == b'/');
        let is_free =
            after.listing().id(path).is_none() && slashes.all(|at| is_folder(&path[..at]));
        (is_page && is_free && *new != *path).then(|| RedirectFile {
            path: path.to_vec(),
            text: page(&relative(path, &new), is_xhtml).into(),
            hiding: Vec::new(),
        })
    });
    moved.collect()
}

/// The relative reference from one file to another.
fn relative(from: &[u8], to: &[u8]) -> String {
    let folders: Vec<&[u8]> = from.split(|&byte| byte == b'/').collect();
    let names: Vec<&[u8]> = to.split(|&byte| byte == b'/').collect();
    let folders = &folders[..folders.len() - 1];
    let most = folders.len().min(names.len() - 1);
    let same = (0..most).take_while(|&at| folders[at] == names[at]).count();
    let mut out = "../".repeat(folders.len() - same);
    if out.is_empty() && names[same].contains(&b':') {
        out.push_str("./");
    }
    for (at, name) in names[same..].iter().enumerate() {
        if at > 0 {
            out.push('/');
        }
        percent::encode_path_segment(name, &mut out);
    }
    out
}

fn page(reference: &str, is_xhtml: bool) -> String {
    // What refreshes takes an apostrophe at the start of a URL for a quote.
    let reference = reference.replace('&', "&amp;").replace('\'', "%27");
    if is_xhtml {
        return format!(
            "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<title>Moved</title>\n\
             <link rel=\"canonical\" href=\"{reference}\"/>\n\
             <meta http-equiv=\"refresh\" content=\"0; url={reference}\"/>\n</head>\n\
             <body><p>This page is now <a href=\"{reference}\">somewhere else</a>.</p></body>\n</html>\n"
        );
    }
    format!(
        "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>Moved</title>\n\
         <link rel=\"canonical\" href=\"{reference}\">\n\
         <meta http-equiv=\"refresh\" content=\"0; url={reference}\">\n\
         <p>This page is now <a href=\"{reference}\">somewhere else</a>.\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use rehref::site::Listing;

    fn files(kind: Redirects, files: &[&str], pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        let listing = Listing::of_files(files);
        let moves = pairs.iter().map(|(from, to)| Move {
            from: from.as_bytes().to_vec(),
            to: to.as_bytes().to_vec(),
        });
        let moves = Moves::new(&listing, moves).unwrap();
        let after = moves.applied_to(&listing);
        let before = Site::new("http://h/", listing, vec!["index.html".into()]);
        let after = before.with_listing(after);
        let found = kind.files(&before, &after, &moves);
        assert!(found.without_rule.is_empty(), "{:?}", found.without_rule);
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let files = found.files.into_iter();
        files.map(|it| (text(it.path), text(it.text))).collect()
    }

    fn rules(kind: Redirects, paths: &[&str], pairs: &[(&str, &str)]) -> String {
        files(kind, paths, pairs).remove(0).1
    }

    #[test]
    fn both_forms_of_a_folder_are_told() {
        let (paths, pairs) = (["a/index.html", "b"], [("a/index.html", "c d.html")]);
        assert_eq!(
            rules(Redirects::Netlify, &paths, &pairs),
            "/a/index.html /c%20d.html 301!\n/a /c%20d.html 301!\n/a/ /c%20d.html 301!\n"
        );
        assert_eq!(
            rules(Redirects::Apache, &["a.b/x"], &[("a.b", "c$")]),
            "Redirect 301 \"/a.b\" \"/c$\"\n"
        );
        assert_eq!(
            rules(Redirects::Nginx, &["a b/x+y"], &[("a b/x+y", "z")]),
            "rewrite \"^/a b/x\\+y$\" \"/z\" permanent;\n"
        );
        assert_eq!(
            rules(Redirects::Netlify, &["a/x"], &[("a", "b")]),
            "/a /b 301!\n/a/ /b/ 301!\n/a/* /b/:splat 301!\n"
        );
    }

    #[test]
    fn what_lies_at_an_address_now_is_not_hidden() {
        let none = |paths: &[&str], pairs: &[(&str, &str)]| {
            for kind in [Redirects::Netlify, Redirects::Apache, Redirects::Nginx] {
                assert!(files(kind, paths, pairs).is_empty(), "{pairs:?}");
            }
        };
        let rules =
            |paths: &[&str], pairs: &[(&str, &str)]| rules(Redirects::Netlify, paths, pairs);
        none(&["a", "b"], &[("a", "b"), ("b", "a")]);
        none(&["a/x", "b/x"], &[("a", "b"), ("b", "a")]);
        none(&["a"], &[]);
        none(&["a"], &[("a", "a")]);
        assert_eq!(
            rules(&["a", "b"], &[("a", "b"), ("b", "c")]),
            "/a /b 301!\n"
        );
        // Of a folder in whose place another is, what has no successor is told.
        assert_eq!(
            rules(&["a/x", "a/y", "b/x"], &[("a", "b"), ("b", "a")]),
            "/a/y /b/y 301!\n"
        );
        assert_eq!(
            rules(&["a/x", "b/x"], &[("a", "b"), ("b", "c")]),
            "/a /b 301!\n/a/ /b/ 301!\n/a/* /b/:splat 301!\n"
        );
        assert_eq!(
            rules(
                &["a/index.html", "b.html"],
                &[("a/index.html", "c.html"), ("b.html", "a/index.html")]
            ),
            "/b.html /a/index.html 301!\n"
        );
    }

    #[test]
    fn names_do_not_become_configuration() {
        let paths = ["a\"\\\u{85}${x}.x"];
        let pairs = [(paths[0], "$1\n{")];
        assert_eq!(
            rules(Redirects::Nginx, &paths, &pairs),
            "rewrite \"^/a\\x22\\x5C\\xC2\\x85\\$\\x7Bx\\}\\.x$\" \"/%241%0A%7B\" permanent;\n"
        );
        let pairs = [(paths[0], "$1&{\\\"")];
        assert_eq!(
            rules(Redirects::Apache, &paths, &pairs),
            "RedirectMatch 301 \"^/a\\x22\\x5C\\xC2\\x85\\$\\x7Bx\\}\\.x$\" \"/\\\\$1\\\\&\\\\{\\\\\\\\\\\"\"\n"
        );
        let paths = ["a\"\\\t$1.x"];
        assert_eq!(
            rules(Redirects::Apache, &paths, &[(paths[0], "$\n?#")]),
            "Redirect 301 \"/a\\\"\\\\\t$1.x\" \"/$%0A%3F%23\"\n"
        );
        assert_eq!(
            rules(Redirects::Netlify, &["a:b*\n"], &[("a:b*\n", ":c/*")]),
            "/a%3Ab%2A%0A /%3Ac/%2A 301!\n"
        );
    }

    #[test]
    fn names_that_the_rule_of_a_directory_would_lose_have_their_own() {
        let paths = ["a/x?y", "a/z", "index.html"];
        assert_eq!(
            rules(Redirects::Nginx, &paths, &[("a", "b")]),
            "if ($uri ~ \"^/a/x\\?y$\") { return 301 \"/b/x%3Fy$is_args$args\"; }\n\
             rewrite \"^/a(/.*)?$\" \"/b$1\" permanent;\n"
        );
        assert_eq!(
            rules(Redirects::Nginx, &paths, &[("a", "b?é")]),
            "if ($uri ~ \"^/a/x\\?y$\") { return 301 \"/b%3F%C3%A9/x%3Fy$is_args$args\"; }\n\
             if ($request_uri ~ \"^/a(/[^?]*)?(\\?.*)?$\") { return 301 \"/b%3F%C3%A9$1$2\"; }\n"
        );
        assert_eq!(
            rules(Redirects::Apache, &paths, &[("a", "b")]),
            "Redirect 301 \"/a\" \"/b\"\n"
        );
    }

    #[test]
    fn an_address_without_a_rule_is_listed() {
        let listing = Listing::of_files(["a\nb", "c/index.html"]);
        let to = [("a\nb", "d?"), ("c/index.html", "d#")];
        let moves = to.map(|(from, to)| Move {
            from: from.into(),
            to: to.into(),
        });
        let moves = Moves::new(&listing, moves).unwrap();
        let after = moves.applied_to(&listing);
        let before = Site::new("http://h/", listing, vec!["index.html".into()]);
        let after = before.with_listing(after);
        let found = Redirects::Apache.files(&before, &after, &moves);
        assert_eq!(found.without_rule, ["/a%0Ab", "/c", "/c/"]);
        assert_eq!(
            found.files[0].text,
            b"Redirect 301 \"/c/index.html\" \"/d%23\"\n"
        );
    }

    #[test]
    fn rules_that_hide_what_came_back_are_found() {
        let listing = Listing::of_files(["c.html", "x/y"]);
        let to = [("c.html", "a/index.html"), ("x", "b")];
        let moves = to.map(|(from, to)| Move {
            from: from.into(),
            to: to.into(),
        });
        let moves = Moves::new(&listing, moves).unwrap();
        let after = moves.applied_to(&listing);
        let before = Site::new("http://h/", listing, vec!["index.html".into()]);
        let after = before.with_listing(after);
        for (kind, count) in [
            (Redirects::Netlify, 6),
            (Redirects::Apache, 4),
            (Redirects::Nginx, 4),
        ] {
            let paths = ["a/index.html", "b/y", "z"];
            let new = match kind {
                Redirects::Nginx => "c?.html",
                _ => "c.html",
            };
            let old = rules(
                kind,
                &paths,
                &[("a/index.html", new), ("b", "d"), ("z", "w")],
            );
            let found = kind.files(&before, &after, &moves);
            let stale: Vec<usize> = found.files[0].stale(old.as_bytes()).collect();
            assert_eq!(stale, Vec::from_iter(1..=count), "{old}");
        }
    }

    #[test]
    fn pages_stand_where_pages_stood() {
        let found = files(
            Redirects::Html,
            &["a/x.html", "a/y.png", "a/z&'.htm"],
            &[("a", "b")],
        );
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a/x.html", "a/z&'.htm"]);
        assert!(
            found[1].1.contains("url=../b/z&amp;%27.htm\""),
            "{}",
            found[1].1
        );
        // What is read as XML has to be such.
        let found = files(Redirects::Html, &["a/x.xhtml", "a/&'.XHT"], &[("a", "b")]);
        for (name, text) in found {
            let page = roxmltree::Document::parse_with_options(
                &text,
                roxmltree::ParsingOptions {
                    allow_dtd: true,
                    ..Default::default()
                },
            )
            .unwrap();
            let href = page.descendants().find_map(|it| it.attribute("href"));
            let expected = format!("../b/{}", name[2..].replace('\'', "%27"));
            assert_eq!(href, Some(&*expected));
        }
        // Who takes the old place needs no page there.
        assert!(
            files(
                Redirects::Html,
                &["a.html", "b.html"],
                &[("a.html", "b.html"), ("b.html", "a.html")]
            )
            .is_empty()
        );
        // Nor can one stand in what is a file now.
        let pairs = [("a/x.html", "b"), ("c", "a")];
        assert!(files(Redirects::Html, &["a/x.html", "c"], &pairs).is_empty());
    }
}
