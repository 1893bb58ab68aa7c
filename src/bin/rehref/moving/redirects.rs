//! Telling a web server, or a browser, where what has moved is now.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use clap::ValueEnum;
use rehref::document::Media;
use rehref::error::{Error, ErrorKind};
use rehref::site::{Entry, Located, Move, Moves, Site};
use rehref::source::path_of_bytes;
use rehref::uri::{Parts, percent};

use crate::input::is_xhtml;

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

/// A file that tells of moves.
pub(super) struct RedirectFile {
    /// Below the root.
    pub(super) path: Vec<u8>,
    /// What is added at its end, or all of it.
    pub(super) text: String,
    /// How lines begin that would lead away from where something lies once all has moved.
    pub(super) hiding: Vec<String>,
}

impl RedirectFile {
    /// What comes to the end of a file of this name that holds `old`, of which the last line may lack its end; with
    /// the line ends that it has.
    pub(super) fn end_of(&self, name: &Path, old: &[u8], is_utf16: bool) -> Result<String, Error> {
        if is_utf16 || old.starts_with(b"\xFF\xFE") || old.starts_with(b"\xFE\xFF") {
            let why = io::Error::other("it is UTF-16, which no server reads as rules");
            return Err(Error::new(name, ErrorKind::Write(why)));
        }
        let line_end = match memchr::memmem::find(old, b"\r\n") {
            Some(_) => "\r\n",
            None => "\n",
        };
        let first = match old.last() {
            None | Some(b'\n') => "",
            Some(_) => line_end,
        };
        Ok(format!("{first}{}", self.text.replace('\n', line_end)))
    }

    /// The lines, from 1, that a run before wrote and that have to go: something has come back to where they lead away
    /// from.
    pub(super) fn stale<'o>(&'o self, old: &'o [u8]) -> impl Iterator<Item = usize> + 'o {
        let is_hiding = |line: &[u8]| self.hiding.iter().any(|it| line.starts_with(it.as_bytes()));
        let lines = old.split(|&byte| byte == b'\n').zip(1..);
        lines.filter_map(move |(line, number)| is_hiding(line).then_some(number))
    }
}

impl Redirects {
    /// The files that tell of `moves` from the tree `before` to the tree `after`: none where nothing has an address
    /// that is free now.
    pub(super) fn files(self, before: &Site, after: &Site, moves: &Moves) -> Vec<RedirectFile> {
        let name = match self {
            Self::Netlify => "_redirects",
            Self::Apache => ".htaccess",
            Self::Nginx => "redirects.nginx.conf",
            Self::Html => return pages(before, after, moves),
        };
        let mut text = String::new();
        for moved in moves.iter() {
            for (from, to) in addresses(before, after, moves, moved) {
                self.rule(&from, &to, &mut text);
            }
        }
        if text.is_empty() {
            return Vec::new();
        }
        let hiding = moves.iter().map(|moved| self.beginnings(after, &moved.to));
        vec![RedirectFile {
            path: name.into(),
            text,
            hiding: hiding.flatten().collect(),
        }]
    }

    /// How the rules for what lies at a path begin.
    fn beginnings(self, site: &Site, path: &[u8]) -> Vec<String> {
        let listing = site.listing();
        let is_folder = listing.id(path).map(|id| listing.entry(id)) == Some(Entry::Folder);
        // No address has that in it.
        let nowhere = "\0";
        let to = Address {
            path: nowhere.to_owned(),
            is_folder,
        };
        let mut rules = String::new();
        self.rule(&address(site, path, is_folder), &to, &mut rules);
        let beginning = |line: &str| Some(line.split_once(nowhere)?.0.to_owned());
        rules.lines().filter_map(beginning).collect()
    }

    /// The rule for one address, and for all below it if it is that of a folder.
    fn rule(self, from: &Address, to: &Address, out: &mut String) {
        let (mut old, mut new) = (from.path.clone(), to.path.clone());
        if self == Self::Netlify {
            // They begin a placeholder, and stand for the rest of a path.
            [old, new] = [old, new].map(|path| path.replace(':', "%3A").replace('*', "%2A"));
        }
        let (old, new) = (old.as_str(), new.as_str());
        // Writing into a string cannot fail.
        let _ = match (self, from.is_folder) {
            (Self::Netlify, false) => writeln!(out, "{old} {new} 301!"),
            (Self::Netlify, true) => writeln!(
                out,
                "{old} {new} 301!\n{old}/ {new}/ 301!\n{old}/* {new}/:splat 301!"
            ),
            // `Redirect` takes what begins with the path too, where a slash follows.
            (Self::Apache, false) => {
                writeln!(
                    out,
                    "RedirectMatch 301 \"^{}$\" \"{}\"",
                    regex(old),
                    dollars(new)
                )
            }
            (Self::Apache, true) => {
                writeln!(
                    out,
                    "RedirectMatch 301 \"^{}(/.*)?$\" \"{}$1\"",
                    regex(old),
                    dollars(new)
                )
            }
            (Self::Nginx, false) => {
                writeln!(
                    out,
                    "rewrite \"^{}$\" \"{}\" permanent;",
                    regex(old),
                    dollars(new)
                )
            }
            (Self::Nginx, true) => {
                writeln!(
                    out,
                    "rewrite \"^{}(/.*)?$\" \"{}$1\" permanent;",
                    regex(old),
                    dollars(new)
                )
            }
            (Self::Html, _) => Ok(()),
        };
    }
}

/// The path of a URL.
struct Address {
    /// Percent-encoded, without a slash at its end.
    path: String,
    /// Whether what is below it moves with it.
    is_folder: bool,
}

/// The addresses that something has had and nothing has now, each with the new one: a rule for one at which something
/// lies would hide that, and lead in a circle where two change places.
fn addresses(before: &Site, after: &Site, moves: &Moves, moved: &Move) -> Vec<(Address, Address)> {
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
            .flat_map(|moved| addresses_of(before, after, &moved, false))
            .collect();
    }
    addresses_of(before, after, moved, is_folder)
}

/// The address of what lies at a path.
fn address(site: &Site, path: &[u8], is_folder: bool) -> Address {
    let uri = site.uri_of(path);
    let path = Parts::split(&uri).path;
    let path = path.strip_suffix('/').unwrap_or(path).to_owned();
    Address { path, is_folder }
}

/// The free ones of the addresses of something: its own, and that of the folder that it was the index file of, with
/// a slash and without.
fn addresses_of(
    before: &Site,
    after: &Site,
    moved: &Move,
    is_folder: bool,
) -> Vec<(Address, Address)> {
    let address = |site: &Site, path: &[u8]| address(site, path, is_folder);
    let mut found = Vec::new();
    if after.locate_path(&moved.from).is_missing() {
        found.push((address(before, &moved.from), address(after, &moved.to)));
    }
    // A folder without an index file shows nothing of its own.
    let is_free = |folder: &&[u8]| {
        matches!(
            after.locate_path(folder),
            Located::Missing | Located::Folder { index: None, .. }
        )
    };
    let folder = folder_of_index(before, &moved.from).filter(is_free);
    if let Some(folder) = folder.filter(|_| !is_folder) {
        let to = match folder_of_index(after, &moved.to) {
            Some(to) => {
                let to = address(after, to);
                Address {
                    path: format!("{}/", to.path),
                    ..to
                }
            }
            None => address(after, &moved.to),
        };
        let from = address(before, folder);
        for slash in ["", "/"] {
            let path = format!("{}{slash}", from.path);
            if !path.is_empty() {
                let is_folder = false;
                let to = to.path.clone();
                found.push((
                    Address { path, is_folder },
                    Address {
                        path: to,
                        is_folder,
                    },
                ));
            }
        }
    }
    found
}

/// The folder that a file is shown for.
fn folder_of_index<'p>(site: &Site, path: &'p [u8]) -> Option<&'p [u8]> {
    let slash = path.iter().rposition(|&byte| byte == b'/');
    site.is_index(path).then(|| &path[..slash.unwrap_or(0)])
}

/// A path as servers compare it, percent-encoding undone, in a regular expression in quotes. What would end the line
/// or the quotes, or that the quotes undo, is told by its number.
fn regex(path: &str) -> String {
    let path = percent::decode(path);
    let mut out = String::new();
    let by_number = |bytes: &[u8], out: &mut String| {
        for byte in bytes {
            // Writing into a string cannot fail.
            let _ = write!(out, "\\x{byte:02X}");
        }
    };
    for chunk in path.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\\' | '"' => by_number(&[character as u8], &mut out),
                _ if character.is_control() => {
                    by_number(character.encode_utf8(&mut [0; 4]).as_bytes(), &mut out);
                }
                '.' | '+' | '*' | '?' | '^' | '$' | '(' | ')' | '[' | ']' | '{' | '}' | '|'
                | '#' => {
                    out.extend(['\\', character]);
                }
                _ => out.push(character),
            }
        }
        by_number(chunk.invalid(), &mut out);
    }
    out
}

/// A path in which `$` stands for itself.
fn dollars(path: &str) -> String {
    path.replace('$', "%24")
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
        let is_page = is_xhtml || Media::detect(&name, b"") == Media::Html;
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
            text: page(&relative(path, &new), is_xhtml),
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
        let files = kind.files(&before, &after, &moves).into_iter();
        files
            .map(|it| (String::from_utf8(it.path).unwrap(), it.text))
            .collect()
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
            "RedirectMatch 301 \"^/a\\.b(/.*)?$\" \"/c%24$1\"\n"
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
        let paths = ["a\n\"\\\u{85}.x"];
        let pairs = [(paths[0], "$\n")];
        assert_eq!(
            rules(Redirects::Apache, &paths, &pairs),
            "RedirectMatch 301 \"^/a\\x0A\\x22\\x5C\\xC2\\x85\\.x$\" \"/%24%0A\"\n"
        );
        assert_eq!(
            rules(Redirects::Nginx, &paths, &pairs),
            "rewrite \"^/a\\x0A\\x22\\x5C\\xC2\\x85\\.x$\" \"/%24%0A\" permanent;\n"
        );
        assert_eq!(
            rules(Redirects::Netlify, &["a:b*\n"], &[("a:b*\n", ":c/*")]),
            "/a%3Ab%2A%0A /%3Ac/%2A 301!\n"
        );
        assert_eq!(regex("/%FFé"), "/\\xFFé");
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
