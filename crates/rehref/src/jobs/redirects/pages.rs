//! Pages that redirect.

use crate::bytes::percent;
use crate::format::Format;
use crate::fs::path_of_bytes;
use crate::jobs::names::is_xhtml;
use crate::listing::{Entry, Moves};
use crate::site::Site;

/// A page that redirects to the new path of a page.
pub(super) struct RedirectPage {
    /// The path below the root.
    pub(super) path: Vec<u8>,
    pub(super) text: String,
}

/// Returns a page for each free old path of a page.
pub(super) fn pages(before: &Site, after: &Site, moves: &Moves) -> Vec<RedirectPage> {
    let listing = before.listing();
    let files = listing.iter().filter(|(_, _, entry)| *entry == Entry::File);
    let moved = files.filter_map(|(_, path, _)| {
        let new = moves.new_path(path);
        let name = path_of_bytes(path);
        let is_xhtml = is_xhtml(&name);
        let is_page = is_xhtml || Format::detect(&name, b"").is_page();
        // Its directories must not be files now.
        let is_directory = |directory: &[u8]| {
            let listing = after.listing();
            let there = listing.id(directory).map(|id| listing.entry(id));
            there.is_none_or(|it| it == Entry::Directory)
        };
        let mut slashes = (0..path.len()).filter(|&at| path[at] == b'/');
        let is_free =
            after.listing().id(path).is_none() && slashes.all(|at| is_directory(&path[..at]));
        (is_page && is_free && *new != *path).then(|| RedirectPage {
            path: path.to_vec(),
            text: page(&relative(path, &new), is_xhtml),
        })
    });
    moved.collect()
}

/// Returns the relative reference from one file to another.
pub(super) fn relative(from: &[u8], to: &[u8]) -> String {
    let directories: Vec<&[u8]> = from.split(|&byte| byte == b'/').collect();
    let names: Vec<&[u8]> = to.split(|&byte| byte == b'/').collect();
    let directories = &directories[..directories.len() - 1];
    let most = directories.len().min(names.len() - 1);
    let same = (0..most).take_while(|&at| directories[at] == names[at]).count();
    let mut out = "../".repeat(directories.len() - same);
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
    // A refresh reads an apostrophe at the start of a URL as a quote.
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
