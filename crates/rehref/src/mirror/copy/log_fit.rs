//! Comparison of a crawl log with a mirror.

/// The result of comparing a log with a mirror: see [`Mirror::fit`](super::Mirror::fit).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogFit {
    /// The number of URLs in the log.
    pub urls: usize,
    /// The number of URLs of the mirror.
    pub own_urls: usize,
    /// The first URL of another site.
    pub first_other: Option<String>,
    /// The number of the mirror's URLs that were saved.
    pub saved: usize,
    /// The number of these that have a file in the mirror.
    pub found: usize,
    /// The first one without a file: its path in the log, or its URL in a log without paths.
    pub first_lost: Option<Vec<u8>>,
}

/// The number of path bytes to look up to find the directories to omit: this many, plus a multiple
/// of the bytes of all paths in the log.
pub(super) const LOOK_UP_BUDGET: usize = 1 << 20;
pub(super) const LOOK_UP_BUDGET_PER_BYTE: usize = 32;

/// The path without its first 0, 1, 2 and more directories, with that number.
pub(super) fn below(path: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let path = path.strip_prefix(b"./").unwrap_or(path);
    let starts = memchr::memchr_iter(b'/', path).map(|at| at + 1);
    let rests = std::iter::once(0).chain(starts).map(|at| &path[at..]);
    rests.enumerate()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::Listing;
    use crate::mirror::{CrawlLog, LocalNames, Mirror};
    use crate::site::Site;

    fn site(url: &str, files: &[&str]) -> Site {
        Site::new(url, Listing::of_files(files), vec!["index.html".into()])
    }

    #[test]
    fn a_log_takes_precedence_over_names() {
        let files = ["theme.html", "about.html", "d.html", "d/index.html"];
        let log = CrawlLog {
            saved: [
                ("http://a/about", "copies/a/about.html"),
                ("http://a/d", "copies/a/d.html"),
                ("http://a/gone", "copies/a/gone.html"),
                ("http://a/theme.html", "copies/a/theme.html"),
                ("http://b/", "copies/b/index.html"),
            ]
            .map(|(url, path)| (url.to_owned(), path.as_bytes().to_vec()))
            .to_vec(),
            redirects: vec![("http://a/about.html".to_owned(), None)],
            missing: vec!["http://a/theme/".to_owned()],
            ..CrawlLog::default()
        };
        let mirror = Mirror::new([(site("http://a/", &files), Vec::new())], LocalNames::Wget);
        let mirror = mirror.with_log(&log);
        for (uri, copy) in [
            ("theme.html", Some("theme.html")),
            ("theme", None),
            ("theme/", None),
            ("about", Some("about.html")),
            ("about.html#f", Some("about.html")),
            ("d", Some("d.html")),
            ("d/", Some("d/index.html")),
            ("gone", None),
        ] {
            let found = mirror.copy_of(&format!("http://a/{uri}"));
            let found = found.map(|it| String::from_utf8(it.file.path).unwrap());
            assert_eq!(found.as_deref(), copy, "{uri}");
        }
        let about = mirror.file(0, b"about.html");
        assert_eq!(mirror.logged_url(&about), Some("http://a/about"));
    }

    #[test]
    fn paths_of_a_log_may_be_deep() {
        let deep = "a/".repeat(100);
        let saved = |count: usize, path: &str| CrawlLog {
            saved: vec![("http://a/x".to_owned(), path.as_bytes().to_vec()); count],
            ..CrawlLog::default()
        };
        let mirror = || {
            Mirror::new(
                [(site("http://a/", &["d/y.html", "a/y.html"]), Vec::new())],
                LocalNames::Wget,
            )
        };
        let copy = |log: &CrawlLog| {
            let copy = mirror().with_log(log).copy_of("http://a/x");
            copy.map(|it| String::from_utf8(it.file.path).unwrap())
        };
        assert_eq!(copy(&saved(1, &format!("{deep}d/y.html"))).as_deref(), Some("d/y.html"));
        // If two fit, the one with more of the path counts.
        assert_eq!(copy(&saved(1, "a/y.html")).as_deref(), Some("a/y.html"));
        // Takes minutes if each path is looked up from each of its directories.
        let long = "a/".repeat(2000) + "d/y.html";
        assert_eq!(copy(&saved(500, &long)).as_deref(), Some("d/y.html"));
    }

    #[test]
    fn a_log_of_another_copy_does_not_fit() {
        let mirror = Mirror::new([(site("http://a/", &["x.html"]), Vec::new())], LocalNames::Wget);
        let log = CrawlLog {
            saved: [
                ("http://a/", "m/index.html"),
                ("http://a/x", "m/x.html"),
                ("https://a/y", "m/y.html"),
            ]
            .map(|(url, path)| (url.to_owned(), path.as_bytes().to_vec()))
            .to_vec(),
            missing: vec!["http://a/z".to_owned()],
            ..CrawlLog::default()
        };
        let fit = LogFit {
            urls: 4,
            own_urls: 3,
            first_other: Some("https://a/y".to_owned()),
            saved: 2,
            found: 1,
            first_lost: Some(b"m/index.html".to_vec()),
        };
        assert_eq!(mirror.fit(&log), fit);
        let log = CrawlLog {
            retrieved: ["http://a/x", "http://a/y"].map(str::to_owned).to_vec(),
            ..CrawlLog::default()
        };
        let fit = mirror.fit(&log);
        assert_eq!((fit.saved, fit.found), (2, 1));
        assert_eq!(fit.first_lost.as_deref(), Some(&b"http://a/y"[..]));
    }

    #[test]
    fn a_logged_file_is_counted_once() {
        let trees = [
            (site("http://a/", &["index.html"]), b"a".to_vec()),
            (site("http://a/d/", &["x.html"]), b"d".to_vec()),
        ];
        let log = CrawlLog {
            saved: [("http://a/", "a/index.html"), ("http://a/d/x.html", "a/d/x.html")]
                .map(|(url, path)| (url.to_owned(), path.as_bytes().to_vec()))
                .to_vec(),
            ..CrawlLog::default()
        };
        let fit = Mirror::new(trees, LocalNames::Wget).fit(&log);
        assert_eq!((fit.saved, fit.found), (2, 2));
    }

    #[test]
    fn redirects_are_followed_in_any_order() {
        let url = |path: &str| format!("http://a{path}");
        let redirect = |from, to| (url(from), Some(url(to)));
        let mut redirects = vec![
            redirect("/loop", "/loop2"),
            redirect("/loop2", "/loop"),
            redirect("/mid", "/zz"),
            redirect("/old", "/mid"),
        ];
        for _ in 0..2 {
            let log = CrawlLog {
                retrieved: vec!["http://a/zz".to_owned()],
                redirects: redirects.clone(),
                ..CrawlLog::default()
            };
            let trees = [(site("http://a/", &["zz.html"]), Vec::new())];
            let mirror = Mirror::new(trees, LocalNames::Wget).with_log(&log);
            let copy = |uri| mirror.copy_of(uri).map(|it| it.file.path);
            let file = Some(b"zz.html".to_vec());
            assert_eq!(copy("http://a/old"), file);
            assert_eq!(copy("http://a/mid"), file);
            assert_eq!(copy("http://a/loop"), None);
            redirects.reverse();
        }
    }
}
