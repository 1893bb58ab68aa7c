//! Marks by which programs say where they saved a page from.

use std::sync::LazyLock;

use regex::bytes::Regex;

/// How far into a page [`saved_from`] looks for a mark, in bytes.
pub const MARK_REACH: usize = 8192;

static MARK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    // In the order of the alternatives: HTTrack, browsers (after Internet Explorer), SingleFile.
    let pattern = r"(?x-u)<!--\s*(?:
        Mirrored\ from\ (?<httrack>\S+)\ by\ HTTrack
        | saved\ from\ url=\(\d{4}\)(?<browser>\S+)\s*-->
        | Page\ saved\ with\ SingleFile\s+url:\s*(?<single>\S+)
    )";
    Regex::new(pattern).ok()
});

/// The URL that a page says it was saved from, in a comment of HTTrack, of a browser or of SingleFile within its first
/// 8 KiB. HTTrack writes it without the scheme.
///
/// ```
/// use rehref::site::saved_from;
///
/// let page = b"<html>\n<!-- Mirrored from a.example/list.php?p=1 by HTTrack Website Copier/3.x -->";
/// assert_eq!(saved_from(page).as_deref(), Some("a.example/list.php?p=1"));
/// assert_eq!(saved_from(b"<!-- saved from url=(0014)about:internet -->"), None);
/// ```
pub fn saved_from(page: &[u8]) -> Option<String> {
    let head = &page[..page.len().min(MARK_REACH)];
    let found = MARK.as_ref()?.captures(head)?;
    let url = ["httrack", "browser", "single"]
        .iter()
        .find_map(|name| found.name(name))?;
    let url = String::from_utf8(url.as_bytes().to_vec()).ok()?;
    // The mark of the web of Internet Explorer names a zone and not a page.
    (!url.starts_with("about:")).then_some(url)
}
