//! URLs of pages without the extension of their file.

use crate::bytes::percent;
use crate::uri::Parts;

/// The extensions that clean URLs lack.
const EXTENSIONS: [&str; 2] = [".html", ".htm"];

/// The reference to a page without its extension: `x` for `x.html`, and the directory for
/// `index.html` in it. Query and fragment stay. `None` for all other references, and if the result
/// would be another one's: `a.html.html` stays.
pub(super) fn clean_url(reference: &str) -> Option<String> {
    let cleaned = without_extension(reference)?;
    without_extension(&cleaned).is_none().then_some(cleaned)
}

fn without_extension(reference: &str) -> Option<String> {
    let end = reference.find(['?', '#']).unwrap_or(reference.len());
    let suffix = &reference[end..];
    let start = end - Parts::split(reference).path.len();
    let name_start = reference[start..end].rfind('/').map_or(start, |at| start + at + 1);
    let (before, name) = (&reference[..name_start], &reference[name_start..end]);
    let stem = EXTENSIONS.iter().find_map(|it| name.strip_suffix(it))?;
    match (stem, before) {
        ("index", "") => Some(format!("./{suffix}")),
        ("index", _) => Some(format!("{before}{suffix}")),
        // The rest would be a dot segment, or a directory.
        _ if matches!(&*percent::decode(stem), b"" | b"." | b"..") => None,
        _ => Some(format!("{before}{stem}{suffix}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_lose_their_extension() {
        for (reference, new) in [
            ("x.html", "x"),
            ("../x.htm?q=y.html#z.html", "../x?q=y.html#z.html"),
            ("/a.b/x.y.html#", "/a.b/x.y#"),
            ("./a:b.html", "./a:b"),
            ("index.html", "./"),
            ("index.htm?q#f", "./?q#f"),
            ("./index.html#f", "./#f"),
            ("../index.html", "../"),
            ("a/index.html", "a/"),
            ("/index.html", "/"),
            ("http://h/index.html", "http://h/"),
            ("//h/a.html", "//h/a"),
            ("indexes.html", "indexes"),
        ] {
            assert_eq!(clean_url(reference).as_deref(), Some(new), "{reference}");
            assert_eq!(clean_url(new), None, "{new}");
        }
        for other in [
            "", "x", "x/", "./", "#x.html", "?x.html", "x.HTML", "x.php", "x%2Ehtml", ".html",
            "a/.html", "..html", "...html", "%2e.html", "x.html/", "x.html.html",
            "index.html.html", "//index.html", "http://x.html", "http://x.html?y.html",
        ] {
            assert_eq!(clean_url(other), None, "{other}");
        }
    }
}
