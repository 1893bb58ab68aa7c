//! Tests of look-ups.

use super::*;

fn site(url: &str, files: &[&str]) -> Site {
    Site::new(url, Listing::of_files(files), vec!["index.html".into(), "index.htm".into()])
}

#[test]
fn references_above_the_root_are_detected() {
    let site = site("http://h/", &[]);
    let is_above = |reference| site.is_above(reference, Some("http://h/a/b/c.html?x/y"));
    for within in ["x", "../../x", "../..", "../x/../../y", "/x/..", "a..b/../x", "//h/../x"] {
        assert!(!is_above(within), "{within}");
    }
    for above in ["../../../x", "../../..", "/..", "/x/../../y", "../x/../../../y?z"] {
        assert!(is_above(above), "{above}");
    }
}

/// All texts of at most `most` of these pieces.
fn texts(pieces: &[&str], most: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut start = 0;
    for _ in 0..most {
        let end = all.len();
        for at in start..end {
            let longer = pieces.iter().map(|piece| format!("{}{piece}", all[at]));
            all.extend(longer.collect::<Vec<_>>());
        }
        start = end;
    }
    all
}

#[test]
fn common_references_climb_as_following_each_name_says() {
    let site = site("http://h/d/", &[]);
    let pieces = ["../", "..", "./", "/", "a", "a.b/", "?", "#", ":", "%2E"];
    let bases = [
        None,
        Some("http://h/d/"),
        Some("http://h/d/a?b/c"),
        Some("http://h/d/a/b/c.html#d/e"),
        Some("http://h/d//a/b"),
        Some("http://other/d/a/b"),
    ];
    let levels = |uri: &str| Parts::split(uri).path.matches('/').count();
    for base in bases.into_iter().flatten() {
        let depth = levels(base).saturating_sub(levels(site.url()));
        assert_eq!(site.depth_of(base), depth, "{base}");
    }
    for reference in texts(&pieces, 5) {
        for base in bases {
            let is_above = site.climbs_above(&reference, base);
            assert_eq!(site.is_above(&reference, base), is_above, "{reference} {base:?}");
        }
    }
}

#[test]
fn plain_paths_are_those_that_decoding_gives() {
    let site = site("http://h/d/", &[]);
    let pieces = ["/", ".", "..", "a", "%2e", "%2F", "%61", "%00", "?", "#", "é"];
    for rest in texts(&pieces, 5) {
        let uri = format!("http://h/d/{rest}");
        let decoded = site.decoded_path_of(&uri);
        assert_eq!(site.path_of(&uri).as_deref(), decoded.as_deref(), "{uri}");
    }
}

#[test]
fn a_uri_is_divided_as_written() {
    let site = site("http://h/d/", &[]);
    let divided = |uri| {
        let (root, rest) = site.divided(uri)?;
        Some((root.into_owned(), rest.into_owned()))
    };
    for (uri, root, rest) in [
        ("http://h/d/a%2fb//c?q", "http://h/d/", "a%2fb//c"),
        ("http://h/d", "http://h/d", ""),
        ("HTTP://H:80/%64/a%2fb/#f", "HTTP://H:80/%64/", "a%2fb/"),
        ("http://h/d/x/../a%2fb", "http://h/d/", "a%2Fb"),
    ] {
        assert_eq!(divided(uri), Some((root.into(), rest.into())), "{uri}");
    }
    assert_eq!(divided("http://h/da"), None);
}

#[test]
fn every_name_has_a_uri_that_locates_it() {
    let mut names: Vec<Vec<u8>> =
        ["a b", "100%", "x#1", "q?a=b", "p;v=1", "c:d", "..a", "~", "%41"]
            .iter()
            .map(|name| name.as_bytes().to_vec())
            .collect();
    names.extend([
        "é/日本".into(),
        "e\u{301}".into(),
        b"latin-\xE9".to_vec(),
        b"[x]\"<>\\`{|}^".to_vec(),
        b"\n\t\x7F".to_vec(),
    ]);
    let site = Site::new("http://h/~d/x%20y/", Listing::of_files(&names), Vec::new());
    for name in &names {
        let uri = site.uri_of(name);
        let Located::File(file) = site.locate(&uri) else { panic!("{uri} has no file") };
        assert_eq!(site.listing().name(file), &**name, "{uri}");
        let file = Located::File(file);
        assert_eq!(site.locate(&format!("{uri}?q/../#f")), file);
        assert_eq!(site.locate(&uri.replace("~d/x", "%7ed/y/.%2e/%78")), file);
    }
}

#[test]
fn directories_have_index_files() {
    let site = site("http://h", &["index.html", "a/index.htm", "b/c/d"]);
    let name = |id: Id| String::from_utf8_lossy(site.listing().name(id)).into_owned();
    let found = |uri| match site.locate(uri) {
        Located::Directory { directory, index, slash } => {
            (name(directory), index.map(name).unwrap_or_default(), slash)
        }
        other => panic!("{uri}: {other:?}"),
    };
    let answer =
        |directory: &str, index: &str, slash| (directory.to_owned(), index.to_owned(), slash);
    assert_eq!(found("http://h"), answer("", "index.html", true));
    assert_eq!(found("http://H:80/"), answer("", "index.html", true));
    assert_eq!(found("http://h/a"), answer("a", "a/index.htm", false));
    assert_eq!(found("http://h/a/?q"), answer("a", "a/index.htm", true));
    assert_eq!(found("http://h//b/./c/"), answer("b/c", "", true));
    for missing in ["http://h/b/c/d/", "http://h/x", "http://h/b%2Fc", "http://h/index.html/"] {
        assert_eq!(site.locate(missing), Located::Missing, "{missing}");
    }
    for outside in ["https://h/a", "http://h.example/", "mailto:a@h", "a", "http://h:8080/"] {
        assert_eq!(site.locate(outside), Located::Outside, "{outside}");
    }
    assert!(site.is_index(b"x/index.htm") && !site.is_index(b"x/xindex.htm"));
}

#[test]
fn a_prefix_of_a_name_is_not_under_the_url() {
    let site = site("http://h/docs", &["a"]);
    assert_eq!(site.url(), "http://h/docs/");
    assert_eq!(site.locate("http://h/docsa"), Located::Outside);
    assert!(matches!(site.locate("http://h/docs"), Located::Directory { .. }));
    assert_eq!(site.locate("http://h/docs/../a"), Located::Outside);
}
