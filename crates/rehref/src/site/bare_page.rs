//! Pages that are named without their extension, as many servers allow it: `about` for
//! `about.html`.

use super::{Entry, Located, Site};
use crate::listing::Id;

/// The extensions that servers add to a path.
const SERVED: [&[u8]; 3] = [b"html", b"htm", b"xhtml"];

/// The extensions of sources, which a program may convert to the page.
const SOURCES: [&[u8]; 5] = [b"md", b"markdown", b"mdx", b"rst", b"adoc"];

/// The extensions of other pages, which servers run, or serve under another name. They may answer
/// instead.
const OTHERS: [&[u8]; 14] = [
    b"php", b"phtml", b"shtml", b"shtm", b"xht", b"asp", b"aspx", b"jsp", b"cgi", b"pl", b"xml",
    b"HTML", b"HTM", b"PHP",
];

/// The paths of the pages that a path may name without their extension. None if it names a file or
/// a directory with an index file, which come first. A few look-ups.
pub fn bare_pages(site: &Site, path: &[u8]) -> Vec<Vec<u8>> {
    let bare = path.strip_suffix(b"/").unwrap_or(path);
    let listing = site.listing();
    let may_be_page = match site.locate_path(path) {
        Located::Missing => listing.resolved(bare).is_none(),
        Located::Directory { index, slash, .. } => index.is_none() && !slash,
        _ => false,
    };
    if !may_be_page || bare.is_empty() || bare.ends_with(b"/") {
        return Vec::new();
    }
    let extensions = SERVED.into_iter().chain(SOURCES).chain(OTHERS);
    let pages = extensions.map(|extension| [bare, b".", extension].concat());
    let is_file = |page: &Vec<u8>| matches!(listing.resolved(page), Some((_, Entry::File)));
    pages.filter(is_file).collect()
}

/// The page that a path names without its extension, if it can name no other one.
pub fn bare_page(site: &Site, path: &[u8]) -> Option<Vec<u8>> {
    let mut pages = bare_pages(site, path).into_iter();
    let page = pages.next().filter(|_| pages.next().is_none())?;
    without_extension(&page).is_some().then_some(page)
}

/// The file of the page that servers which add extensions return for a path. They try the
/// extensions in order, so other pages of the name do not matter.
pub fn served_page(site: &Site, path: &[u8]) -> Option<Id> {
    let page = bare_pages(site, path).into_iter().find(|it| without_extension(it).is_some())?;
    site.listing().resolved(&page).map(|(file, _)| file)
}

/// The paths of the pages that servers which add extensions look for.
pub fn served_paths(path: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let bare = path.strip_suffix(b"/").unwrap_or(path);
    SERVED.iter().map(move |extension| [bare, b".", extension].concat())
}

/// The path of a page without its extension. `None` if servers do not add the extension.
pub fn without_extension(page: &[u8]) -> Option<&[u8]> {
    SERVED.iter().find_map(|extension| {
        let stem = page.strip_suffix(*extension)?.strip_suffix(b".")?;
        (!stem.is_empty() && !stem.ends_with(b"/")).then_some(stem)
    })
}

#[cfg(test)]
mod tests {
    use super::{bare_page, bare_pages};
    use crate::listing::Listing;
    use crate::site::Site;

    #[test]
    fn only_a_page_without_rivals_is_named_without_its_extension() {
        let files = [
            "about.html", "b.html", "b.htm", "c.html", "c/index.html", "d.html", "d/x.html", "e",
            "e.html", "f.md", "g.html", "g.md", "h.png", "i/j.xhtml", "HTML.html", "k.html",
            "k.php", "l.shtml", "m.html", "m.mdx", "n.html", "n.HTML",
        ];
        let site = Site::private(Listing::of_files(files), vec!["index.html".into()]);
        let pages = |path: &str| bare_pages(&site, path.as_bytes()).len();
        let only = |path: &str| {
            let page = bare_page(&site, path.as_bytes())?;
            Some(String::from_utf8(page).unwrap())
        };
        for (path, page, count) in [
            ("about", Some("about.html"), 1),
            ("about/", Some("about.html"), 1),
            ("b", None, 2),
            ("c", None, 0),
            ("c/", None, 0),
            ("d", Some("d.html"), 1),
            // It lists the directory.
            ("d/", None, 0),
            ("e", None, 0),
            ("e/", None, 0),
            ("f", None, 1),
            ("g", None, 2),
            ("h", None, 0),
            ("i/j", Some("i/j.xhtml"), 1),
            ("i//", None, 0),
            ("About", None, 0),
            ("k", None, 2),
            ("l", None, 1),
            ("m", None, 2),
            ("n", None, 2),
            ("about.html", None, 0),
            ("", None, 0),
            ("/", None, 0),
        ] {
            assert_eq!((only(path).as_deref(), pages(path)), (page, count), "{path}");
        }
    }
}
