use std::collections::BTreeSet;

use super::super::url_key;
use super::*;

fn path(url: &str, media_type: &str) -> String {
    let url = url_key(url).unwrap_or_else(|| panic!("{url}"));
    let path = LocalPath::new(&url, FileType::of_media_type(media_type));
    path.as_str().to_owned()
}

#[test]
fn names_are_segments_where_they_can_be() {
    for (url, media_type, expected) in [
        ("http://h.example/", "text/html", "http/h.example/index.html"),
        ("http://h.example", "text/html", "http/h.example/index.html"),
        ("https://h.example/a/", "text/html", "https/h.example/a/index.html"),
        ("http://h.example:8080/a.html", "text/html", "http/h.example^8080/a.html"),
        ("http://h/a", "text/html", "http/h/a^.html"),
        ("http://h/a.HTM", "text/html", "http/h/a.HTM"),
        ("http://h/a.php", "text/html", "http/h/a.php^.html"),
        ("http://h/a.html", "application/xhtml+xml", "http/h/a.html^.xhtml"),
        ("http://h/index.php?p=1", "text/html", "http/h/index.php^p=1^.html"),
        ("http://h/?C=N;O=D", "text/html", "http/h/index^C=N;O=D^.html"),
        ("http://h/s.css?v=1", "text/css", "http/h/s.css^v=1^.css"),
        ("http://h/a.js?v=1", "text/javascript", "http/h/a.js^v=1^.js"),
        ("http://h/p?id=1", "image/png", "http/h/p^id=1^.png"),
        ("http://h/p.dat?id=1", "", "http/h/p.dat^id=1^.dat"),
        ("http://h/logo.png", "image/png", "http/h/logo.png"),
        ("http://h/logo.php", "image/png", "http/h/logo.php"),
        ("http://h/a.html", "text/plain", "http/h/a.html^.txt"),
        // A browser opens a download as one.
        ("http://h/a.html", "application/octet-stream", "http/h/a.html^.bin"),
        ("http://h/a.SVG", "application/octet-stream", "http/h/a.SVG^.bin"),
        ("http://h/a.mhtml", "", "http/h/a.mhtml^.bin"),
        ("http://h/a.html?b", "", "http/h/a.html^b^.bin"),
        ("http://h/feed.xml", "text/plain", "http/h/feed.xml^.txt"),
        ("http://h/feed.xml", "application/rdf+xml", "http/h/feed.xml"),
        ("http://h/feed", "application/rdf+xml", "http/h/feed^.xml"),
        ("http://h/style.xsl?a", "text/xsl", "http/h/style.xsl^a^.xsl"),
        ("http://h/a.svg", "text/xml", "http/h/a.svg^.xml"),
        ("http://h/a.png", "", "http/h/a.png"),
        ("http://h/a.css", "text/plain", "http/h/a.css"),
        ("http://h/LICENSE", "text/plain", "http/h/LICENSE^.txt"),
        ("http://h/LICENSE", "", "http/h/LICENSE^.bin"),
        ("http://h/example.com/a.css", "text/css", "http/h/example.com^/a.css"),
        ("http://h/v1.2/a.css", "text/css", "http/h/v1.2/a.css"),
        (
            "http://h/~anna/caf%C3%A9%20au%20lait.html",
            "text/html",
            "http/h/~anna/café au lait.html",
        ),
        ("http://h/.well-known/a.txt", "", "http/h/.well-known/a.txt"),
    ] {
        assert_eq!(path(url, media_type), expected, "{url} {media_type}");
    }
}

#[test]
fn other_names_have_a_hash() {
    for (url, media_type, begin, end) in [
        ("http://h/Special:Search", "text/html", "http/h/Special_Search^~", ".html"),
        ("http://h/a%2Fb.png", "image/png", "http/h/a_b^~", ".png"),
        ("http://h/index.html", "text/html", "http/h/index^~", ".html"),
        ("http://h/index", "text/html", "http/h/index^~", ".html"),
        ("http://h/CON/nul.txt", "", "http/h/_CON^~", ".txt"),
        ("http://h/a./b.png", "", "http/h/a^~", "/b.png"),
        ("http://h//b.png", "", "http/h/_^~", "/b.png"),
        ("http://h/.git/config.x", "", "http/h/_.git^~", "/config.x"),
        ("http://h/x?~a", "", "http/h/x^_a^~", ".bin"),
        ("http://h/a^b.png", "", "http/h/a_b^~", ".png"),
        ("http://h/a%E2%80%AEgnp.exe", "", "http/h/a_gnp^~", ".exe"),
        ("http://h/.g%E2%80%8Cit/x.y", "", "http/h/.g_it^~", "/x.y"),
        ("http://h/a?%C2%AD", "", "http/h/a^_^~", ".bin"),
        ("http://[::1]/a.png", "", "http/[__1]^~", "/a.png"),
        ("http://u:p@h/a.png", "", "http/u_p@h^~", "/a.png"),
    ] {
        let path = path(url, media_type);
        assert!(path.starts_with(begin) && path.ends_with(end), "{url}: {path}");
    }
    let long = path(&format!("http://h/{}/{}.html", "d".repeat(400), "é".repeat(300)), "text/html");
    assert!(long.split('/').all(|name| name.len() <= MAX_NAME), "{long}");
}

#[test]
fn similar_urls_have_different_files() {
    let urls = [
        "http://h/a", "http://h/a/", "http://h/a/b", "http://h/A", "http://h/a.html",
        "http://h/a/index.html", "http://h/a/index", "http://h/a/?index", "http://h/a?",
        "http://h/a?.html", "http://h/a?b", "http://h/a%3Fb", "http://h/a^b", "http://h/caf%C3%A9",
        "http://h/cafe%CC%81", "http://h/caf%c3%a9", "http://h/a%2Fb", "http://h/a%2fb",
        "https://h/a", "http://h:81/a", "http://h//a", "http://h/%61", "http://h/a.",
        "http://h/a%20", "http://h/a%00", "http://h/a~", "http://h/a^.html", "http://h/a/.",
    ];
    let mut urls: Vec<String> = urls.iter().filter_map(|url| url_key(url)).collect();
    urls.sort();
    urls.dedup();
    for file_type in FileType::all() {
        let paths: BTreeSet<_> = urls.iter().map(|url| LocalPath::new(url, file_type)).collect();
        assert_eq!(paths.len(), urls.len(), "{paths:#?}");
    }
}

#[test]
fn types_are_guessed_by_extensions() {
    for (url, expected) in [
        ("http://h/a", "http/h/a^.html"),
        ("http://h/a.PNG?x", "http/h/a.PNG^x^.PNG"),
        ("http://h/a.php", "http/h/a.php^.html"),
    ] {
        assert_eq!(LocalPath::guessed(url, FileType::HTML).as_str(), expected);
    }
}

#[test]
fn references_are_relative_paths() {
    let between = |from: &str, to: &str, fragment| {
        reference_between(&LocalPath(from.into()), &LocalPath(to.into()), fragment)
    };
    for (from, to, expected) in [
        ("http/h/a.html", "http/h/b.html", "b.html"),
        ("http/h/a.html", "http/h/a.html", "a.html"),
        ("http/h/d/a.html", "http/h/b.html", "../b.html"),
        ("http/h/d/a.html", "http/h/dd/b.html", "../dd/b.html"),
        ("http/h/d/a.html", "https/i/b.html", "../../../https/i/b.html"),
        ("http/h/a.html", "http/h/café (1)^.html", "caf%C3%A9%20%281%29%5E.html"),
    ] {
        assert_eq!(between(from, to, None), expected);
    }
    assert_eq!(between("a/b", "a/c", Some("x")), "c#x");
    assert_eq!(between("a/b", "a/c", Some("")), "c#");
}
