use super::*;

#[test]
fn redirects_are_followed_to_files() {
    let mut archive = Archive::default();
    archive
        .page("http://h/end", "2024")
        .redirect("http://h/1", "http://h/2#two")
        .redirect("http://h/2", "http://h/end")
        .redirect("http://h/3", "http://h/2")
        .redirect("http://h/ring1", "http://h/ring2")
        .redirect("http://h/ring2", "http://h/ring1")
        .redirect("http://h/to-ring", "http://h/ring1")
        .redirect("http://h/out", "http://other/x#f");
    let chosen = archive.chosen();
    let end = |url| match chosen.find(url) {
        Found::File { url, fragment, .. } => {
            (chosen.url(url).to_owned(), fragment.map(str::to_owned))
        }
        Found::Lacks(url, lack) => (url.to_owned(), Some(lack.as_str().to_owned())),
    };
    for (url, expected, fragment) in [
        ("http://h/1", "http://h/end", Some("two")),
        ("http://h/1#own", "http://h/end", Some("own")),
        ("http://h/2", "http://h/end", None),
        ("http://h/3", "http://h/end", None),
        ("http://h/end#x", "http://h/end", Some("x")),
        ("http://h/ring1", "http://h/ring1", Some("ring")),
        ("http://h/to-ring", "http://h/to-ring", Some("ring")),
        ("http://h/out", "http://other/x", Some("not-captured")),
        ("http://h/none#x", "http://h/none", Some("not-captured")),
    ] {
        assert_eq!(end(url), (expected.to_owned(), fragment.map(str::to_owned)), "{url}");
    }
    let redirects: Vec<_> = chosen.redirects().map(|it| (it.url, it.lack)).collect();
    assert_eq!(redirects.len(), 7);
    assert_eq!(redirects[0], ("http://h/1", None));
    assert_eq!(redirects[6], ("http://h/out", Some(Lack::NotCaptured)));
    assert_eq!(chosen.files().count(), 1);
}

#[test]
fn redirects_that_end_at_no_file_never_displace_pages() {
    for date in [None, Some("2024"), Some("2010")] {
        let mut archive = Archive::default();
        archive
            .page("http://h/", "2010")
            .redirect("http://h/", "https://h/")
            .page("http://h/1", "2010")
            .redirect("http://h/1", "http://h/#a")
            .page("http://h/a", "2010")
            .redirect("http://h/a", "http://h/b")
            .page("http://h/b", "2010")
            .redirect("http://h/b", "http://h/a")
            .page("http://h/c", "2010")
            .redirect("http://h/c", "http://h/d")
            .redirect("http://h/d", "http://h/c")
            .redirect("http://h/e", "http://h/d");
        let choice =
            CaptureChoice { date: date.map(|it| it.parse().unwrap()), ..CaptureChoice::default() };
        let chosen = archive.choose(&choice);
        let is_old = date == Some("2010");
        for (url, expected) in [
            ("", 0),
            // The end of its redirect is a page after all.
            ("1", if is_old { 2 } else { 0 }),
            ("a", 4),
            ("b", 6),
            ("c", 8),
            ("d", 8),
            ("e", 8),
        ] {
            let found = records(&chosen, &format!("http://h/{url}"));
            assert_eq!(found, Some((expected, expected)), "{url} {date:?}");
        }
        let redirects = chosen.redirects().map(|it| it.lack);
        let count = if is_old { 2 } else { 3 };
        assert_eq!(redirects.collect::<Vec<_>>(), vec![None; count]);
    }
    // An empty answer and an error are not pages.
    let mut archive = Archive::default();
    archive
        .add(Capture { has_body: false, ..page("http://h/", "2010") })
        .redirect("http://h/", "https://h/");
    assert_eq!(lack(&archive.chosen(), "http://h/"), Some(Lack::NotCaptured));
}
