//! Files with redirects after moves.

use super::kind::Redirects;
use super::pages::{RedirectPage, pages};
use super::redirect_file::{RedirectFile, RedirectFiles};
use super::rules::{Address, Extent, covers, rule};
use super::site::site_redirects;
use crate::listing::{Entry, Move, Moves};
use crate::site::{Located, Site};
use crate::uri::Parts;

/// Returns the files that redirect after `moves` from the tree `before` to the tree `after`. None
/// if no old address is free.
pub(in crate::jobs) fn redirect_files(
    kind: Redirects,
    before: &Site,
    after: &Site,
    moves: &Moves,
) -> RedirectFiles {
    if let Some(files) = site_redirects(kind, before, after, moves) {
        return files;
    }
    let name = match kind {
        Redirects::Netlify => "_redirects",
        Redirects::Apache => ".htaccess",
        Redirects::Nginx => "redirects.nginx.conf",
        _ => {
            let pages = pages(before, after, moves).into_iter();
            let file_of_page = |page: RedirectPage| RedirectFile {
                path: page.path,
                text: page.text.into(),
                hiding: Vec::new(),
                entries: None,
            };
            return RedirectFiles {
                files: pages.map(file_of_page).collect(),
                without_rule: Vec::new(),
            };
        }
    };
    // The rule of a directory may not cover these names.
    let listing = before.listing();
    let is_odd = |path: &[u8]| path.iter().any(|byte| matches!(byte, b'?' | b'#' | b'\n'));
    let odd: Vec<&[u8]> = listing
        .iter()
        .filter(|(_, path, entry)| *entry == Entry::File && is_odd(path))
        .map(|(_, path, _)| path)
        .collect();
    let mut text = Vec::new();
    let mut without_rule = Vec::new();
    let mut add = |from: &Address, to: &str| match rule(kind, from, to) {
        Some(rule) => text.extend_from_slice(&rule),
        None => without_rule.push(from.path.clone()),
    };
    for moved in moves.iter() {
        for (from, to) in addresses(before, after, moves, moved) {
            // Servers apply the first rule that matches.
            for path in odd.iter().filter(|_| from.extent == Extent::Directory) {
                let below = path.strip_prefix(&*moved.from).unwrap_or_default();
                if below.starts_with(b"/") && !covers(kind, &from, below) {
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
    let hiding = moves.iter().flat_map(|moved| beginnings(kind, after, &moved.to));
    let files = match text.is_empty() {
        true => Vec::new(),
        false => {
            let hiding = hiding.collect();
            vec![RedirectFile { path: name.into(), hiding, text, entries: None }]
        }
    };
    RedirectFiles { files, without_rule }
}

/// Returns the beginnings of the rules for the addresses of a path.
fn beginnings(kind: Redirects, site: &Site, path: &[u8]) -> Vec<Vec<u8>> {
    let listing = site.listing();
    let is_directory = listing.id(path).map(|id| listing.entry(id)) == Some(Entry::Directory);
    let extent = match is_directory {
        true => Extent::Directory,
        false => Extent::File,
    };
    let mut addresses = vec![address(site, path, extent)];
    if let Some(directory) = directory_of_index(site, path).filter(|_| !is_directory) {
        addresses.extend(exact(site, directory));
    }
    let mut beginnings = Vec::new();
    for from in addresses {
        // The common beginning of rules to different targets. The form of a rule may depend on its
        // target.
        for targets in [["/a", "/b"], ["/a%3F", "/b%3F"]] {
            let [Some(one), Some(two)] = targets.map(|to| rule(kind, &from, to)) else {
                continue;
            };
            let lines = |rule: &'_ [u8]| -> Vec<Vec<u8>> {
                rule.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
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

/// Returns the old addresses that are free now, each with the path of the new one. A rule for an
/// address in use would hide its file, and make a loop if two files change places.
fn addresses(before: &Site, after: &Site, moves: &Moves, moved: &Move) -> Vec<(Address, String)> {
    let listing = before.listing();
    let was_directory =
        listing.id(&moved.from).map(|id| listing.entry(id)) == Some(Entry::Directory);
    if was_directory && after.listing().id(&moved.from).is_some() {
        // The directory that is there now keeps its addresses, so each file has its own rule.
        let below = [&*moved.from, b"/"].concat();
        let files = listing
            .iter()
            .filter(|(_, path, entry)| *entry != Entry::Directory && path.starts_with(&below));
        let files = files.map(|(_, path, _)| Move {
            from: path.to_vec(),
            to: moves.new_path(path).into_owned(),
        });
        return files.flat_map(|moved| addresses_of(before, after, &moved, Extent::File)).collect();
    }
    let extent = match was_directory {
        true => Extent::Directory,
        false => Extent::File,
    };
    addresses_of(before, after, moved, extent)
}

/// The address of a path.
fn address(site: &Site, path: &[u8], extent: Extent) -> Address {
    let uri = site.uri_of(path);
    let path = Parts::split(&uri).path;
    let path = path.strip_suffix('/').unwrap_or(path).to_owned();
    Address { path, extent }
}

/// The addresses of a directory without and with a slash at the end; of the root only with it.
fn exact(site: &Site, directory: &[u8]) -> impl Iterator<Item = Address> {
    let path = address(site, directory, Extent::Exact).path;
    let both = ["", "/"].map(|slash| format!("{path}{slash}"));
    let addresses = both.into_iter().filter(|path| !path.is_empty());
    addresses.map(|path| Address { path, extent: Extent::Exact })
}

/// Returns the free addresses of a moved file or directory: its own, and those of the directory
/// that it was the index file of.
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
    // A directory without an index file has no page.
    let is_free = |path: &&[u8]| {
        matches!(after.locate_path(path), Located::Missing | Located::Directory { index: None, .. })
    };
    let indexed = directory_of_index(before, &moved.from).filter(is_free);
    if let Some(indexed) = indexed.filter(|_| extent == Extent::File) {
        let to = match directory_of_index(after, &moved.to) {
            Some(to) => format!("{}/", address(after, to, Extent::Exact).path),
            None => address(after, &moved.to, Extent::File).path,
        };
        found.extend(exact(before, indexed).map(|from| (from, to.clone())));
    }
    found
}

/// Returns the directory that a file is the index file of.
fn directory_of_index<'p>(site: &Site, path: &'p [u8]) -> Option<&'p [u8]> {
    let slash = path.iter().rposition(|&byte| byte == b'/');
    site.is_index(path).then(|| &path[..slash.unwrap_or(0)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::Listing;

    /// A site before and after moves.
    fn moved(files: &[&str], pairs: &[(&str, &str)]) -> (Site, Site, Moves) {
        let listing = Listing::of_files(files);
        let moves = pairs.iter().map(|&(from, to)| Move { from: from.into(), to: to.into() });
        let moves = Moves::new(&listing, moves).unwrap();
        let after = moves.applied_to(&listing);
        let before = Site::new("http://h/", listing, vec!["index.html".into()]);
        let after = before.with_listing(after);
        (before, after, moves)
    }

    fn files(kind: Redirects, files: &[&str], pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        let (before, after, moves) = moved(files, pairs);
        let found = redirect_files(kind, &before, &after, &moves);
        assert!(found.without_rule.is_empty(), "{:?}", found.without_rule);
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let files = found.files.into_iter();
        files.map(|it| (text(it.path), text(it.text))).collect()
    }

    fn rules(kind: Redirects, paths: &[&str], pairs: &[(&str, &str)]) -> String {
        files(kind, paths, pairs).remove(0).1
    }

    #[test]
    fn addresses_of_directory_with_and_without_slash_are_redirected() {
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
    fn address_in_use_is_not_redirected() {
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
        assert_eq!(rules(&["a", "b"], &[("a", "b"), ("b", "c")]), "/a /b 301!\n");
        // If another directory has the place of a moved one, files without a successor get a rule.
        assert_eq!(rules(&["a/x", "a/y", "b/x"], &[("a", "b"), ("b", "a")]), "/a/y /b/y 301!\n");
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
    fn special_characters_of_names_are_escaped() {
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
    fn names_that_directory_rule_misses_have_own_rule() {
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
        assert_eq!(rules(Redirects::Apache, &paths, &[("a", "b")]), "Redirect 301 \"/a\" \"/b\"\n");
    }

    #[test]
    fn address_without_rule_is_listed() {
        let pairs = [("a\nb", "d?"), ("c/index.html", "d#")];
        let (before, after, moves) = moved(&["a\nb", "c/index.html"], &pairs);
        let found = redirect_files(Redirects::Apache, &before, &after, &moves);
        assert_eq!(found.without_rule, ["/a%0Ab", "/c", "/c/"]);
        assert_eq!(found.files[0].text, b"Redirect 301 \"/c/index.html\" \"/d%23\"\n");
    }

    #[test]
    fn rules_that_hide_returned_files_are_found() {
        let pairs = [("c.html", "a/index.html"), ("x", "b")];
        let (before, after, moves) = moved(&["c.html", "x/y"], &pairs);
        for (kind, count) in
            [(Redirects::Netlify, 6), (Redirects::Apache, 4), (Redirects::Nginx, 4)]
        {
            let paths = ["a/index.html", "b/y", "z"];
            let new = match kind {
                Redirects::Nginx => "c?.html",
                _ => "c.html",
            };
            let old = rules(kind, &paths, &[("a/index.html", new), ("b", "d"), ("z", "w")]);
            let found = redirect_files(kind, &before, &after, &moves);
            let stale: Vec<usize> = found.files[0].stale_lines(old.as_bytes());
            assert_eq!(stale, Vec::from_iter(1..=count), "{old}");
        }
    }

    #[test]
    fn page_is_written_at_old_path() {
        let found = files(Redirects::Html, &["a/x.html", "a/y.png", "a/z&'.htm"], &[("a", "b")]);
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a/x.html", "a/z&'.htm"]);
        assert!(found[1].1.contains("url=../b/z&amp;%27.htm\""), "{}", found[1].1);
        // What is read as XML has to be such.
        let found = files(Redirects::Html, &["a/x.xhtml", "a/&'.XHT"], &[("a", "b")]);
        for (name, text) in found {
            let page = roxmltree::Document::parse_with_options(
                &text,
                roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() },
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
        // A redirect page cannot be in what is a file now.
        let pairs = [("a/x.html", "b"), ("c", "a")];
        assert!(files(Redirects::Html, &["a/x.html", "c"], &pairs).is_empty());
    }
}
