use super::super::{Capture, MAX_URL, Revisit};
use super::*;

mod redirects;
mod revisits;

const HTML: Option<FileType> = Some(FileType::HTML);

/// Adds captures whose record numbers count from 0.
#[derive(Default)]
struct Archive {
    captures: Captures,
    records: u32,
}

impl Archive {
    fn add(&mut self, capture: Capture<'_>) -> &mut Self {
        let position = RecordPosition { archive: 0, record: self.records };
        self.records += 1;
        self.captures.add(&Capture { position, ..capture });
        self
    }

    fn page(&mut self, url: &str, date: &str) -> &mut Self {
        self.add(page(url, date))
    }

    fn redirect(&mut self, url: &str, to: &str) -> &mut Self {
        self.add(Capture { status: Some(301), location: Some(to), ..page(url, "2024") })
    }

    fn choose(&mut self, choice: &CaptureChoice) -> Chosen {
        Chosen::new(std::mem::take(&mut self.captures), choice)
    }

    fn chosen(&mut self) -> Chosen {
        self.choose(&CaptureChoice::default())
    }
}

fn page<'c>(url: &'c str, date: &str) -> Capture<'c> {
    Capture {
        url,
        date: CaptureDate::of_record(date),
        status: Some(200),
        file_type: HTML,
        has_body: true,
        ..Capture::default()
    }
}

/// The record of the capture of a URL, and the one of its body.
fn records(chosen: &Chosen, url: &str) -> Option<(u32, u32)> {
    match chosen.find(url) {
        Found::File { url, .. } => {
            let file = chosen.file(url)?;
            Some((file.position.record, file.body.record))
        }
        Found::Lacks(..) => None,
    }
}

fn lack(chosen: &Chosen, url: &str) -> Option<Lack> {
    match chosen.find(url) {
        Found::File { .. } => None,
        Found::Lacks(_, lack) => Some(lack),
    }
}

#[test]
fn the_newest_capture_is_chosen() {
    let mut archive = Archive::default();
    archive.page("http://h/", "2023").page("http://h/", "2024").page("http://h/", "2022");
    assert_eq!(records(&archive.chosen(), "http://h/"), Some((1, 1)));
}

#[test]
fn of_equal_dates_the_later_record_is_chosen() {
    let mut archive = Archive::default();
    archive.page("http://h/", "2024").page("http://h/", "2024");
    assert_eq!(records(&archive.chosen(), "http://h/"), Some((1, 1)));
}

#[test]
fn a_date_chooses_the_newest_capture_that_is_not_later_or_the_oldest() {
    for (date, expected) in [("2022", 1), ("2023-06", 0), ("2024", 2), ("2021", 1)] {
        let mut archive = Archive::default();
        archive
            .page("http://h/", "2023-05")
            .page("http://h/", "2022-01")
            .page("http://h/", "2024-01");
        let choice =
            CaptureChoice { date: Some(date.parse().unwrap()), ..CaptureChoice::default() };
        let chosen = archive.choose(&choice);
        assert_eq!(records(&chosen, "http://h/"), Some((expected, expected)), "{date}");
    }
}

#[test]
fn errors_and_truncated_captures_never_displace_pages() {
    let status = |status| Capture { status: Some(status), ..page("http://h/", "2025") };
    let truncated = Capture { is_truncated: true, ..page("http://h/", "2025") };
    let short = Capture { is_short: true, ..page("http://h/", "2025") };
    let empty = Capture { has_body: false, ..page("http://h/", "2025") };
    let same = Capture { location: Some("http://h/#a"), ..status(302) };
    let text = Capture { is_converted: true, status: None, ..page("http://h/", "2025") };
    for other in [
        status(404),
        status(500),
        status(304),
        status(204),
        status(301),
        truncated,
        short,
        empty,
        same,
        text,
    ] {
        let mut archive = Archive::default();
        archive.page("http://h/", "2020").add(other);
        assert_eq!(records(&archive.chosen(), "http://h/"), Some((0, 0)), "{other:?}");
    }
    // A redirect is as good as a page.
    let mut archive = Archive::default();
    archive
        .page("http://h/", "2020")
        .redirect("http://h/", "http://h/b")
        .page("http://h/b", "2020");
    assert_eq!(records(&archive.chosen(), "http://h/"), Some((2, 2)));
}

#[test]
fn errors_are_files_only_on_request() {
    let error = Capture { status: Some(404), ..page("http://h/", "2024") };
    let mut archive = Archive::default();
    let chosen = archive.add(error).chosen();
    assert_eq!(lack(&chosen, "http://h/"), Some(Lack::Status));
    let choice = CaptureChoice { errors: true, ..CaptureChoice::default() };
    let mut archive = Archive::default();
    let chosen = archive.add(error).choose(&choice);
    assert_eq!(records(&chosen, "http://h/"), Some((0, 0)));
}

#[test]
fn answers_to_other_methods_are_left_out() {
    for (request_first, response_names) in
        [(true, false), (true, true), (false, false), (false, true)]
    {
        let mut archive = Archive::default();
        let request = |archive: &mut Archive| {
            let names: &[&str] = if response_names { &[] } else { &["<urn:uuid:B>"] };
            archive.captures.add_request("POST", "<urn:uuid:a>", names);
        };
        if request_first {
            request(&mut archive);
        }
        let names: &[&str] = if response_names { &["urn:uuid:a"] } else { &[] };
        archive.add(Capture {
            record_id: "<urn:uuid:b>",
            concurrent_to: names,
            ..page("http://h/", "2024")
        });
        if !request_first {
            request(&mut archive);
        }
        archive.captures.add_request("GET", "<urn:uuid:c>", &["<urn:uuid:d>"]);
        archive.add(Capture { record_id: "<urn:uuid:d>", ..page("http://h/d", "2024") });
        let chosen = archive.chosen();
        assert_eq!(lack(&chosen, "http://h/"), Some(Lack::Method));
        assert_eq!(records(&chosen, "http://h/d"), Some((1, 1)));
    }
}

#[test]
fn of_twins_but_for_case_all_but_the_first_have_a_hash() {
    let mut archive = Archive::default();
    for url in [
        "http://h/b/x.html", "http://h/a.html", "http://h/A.html", "http://h/B/x.html",
        "http://h/c.html",
    ] {
        archive.page(url, "2024");
    }
    let chosen = archive.chosen();
    let paths: Vec<String> =
        chosen.files().map(|url| chosen.path(url).as_str().to_owned()).collect();
    let is_hashed = |at: usize| paths[at].contains("^~");
    assert_eq!([0, 1, 2, 3, 4].map(is_hashed), [true, true, false, false, false], "{paths:?}");
    let folded: HashSet<String> = paths.iter().map(|it| it.to_lowercase()).collect();
    assert_eq!(folded.len(), paths.len());
}

#[test]
fn the_file_of_a_directory_keeps_its_name_among_twins() {
    let mut archive = Archive::default();
    for url in ["http://h/INDEX.HTML", "http://h/", "http://h/?a", "http://h/INDEX?a"] {
        archive.page(url, "2024");
    }
    let chosen = archive.chosen();
    let paths: Vec<String> =
        chosen.files().map(|url| chosen.path(url).as_str().to_owned()).collect();
    assert!(paths[0].starts_with("http/h/INDEX^~"), "{paths:?}");
    assert_eq!(paths[1], "http/h/index.html");
    assert_eq!(paths[2], "http/h/index^a^.html");
    assert!(paths[3].starts_with("http/h/INDEX^a^~"), "{paths:?}");
}

#[test]
fn the_page_to_open_first_is_the_shallowest_one_of_the_first_host() {
    let image = Capture { file_type: Some(FileType::OTHER), ..page("http://cdn/", "2024") };
    for (urls, expected) in [
        (&["http://h/a/", "http://h/", "http://i/"][..], "http://h/"),
        (&["http://h/?a", "http://h/b", "http://h/a/"], "http://h/b"),
        (&["http://h/b.html", "http://h/"], "http://h/"),
        (&["http://h/~a/b/c", "http://h/~a/b", "http://i/"], "http://h/~a/b"),
    ] {
        let mut archive = Archive::default();
        archive.add(image);
        urls.iter().for_each(|url| _ = archive.page(url, "2024"));
        let chosen = archive.chosen();
        assert_eq!(chosen.start([]).map(|it| chosen.url(it)), Some(expected));
    }
    let mut archive = Archive::default();
    archive
        .redirect("http://h/", "https://www.h/")
        .page("http://i/", "2024")
        .page("https://www.h/", "2024");
    let chosen = archive.chosen();
    assert_eq!(chosen.start([]).map(|it| chosen.url(it)), Some("https://www.h/"));
    assert_eq!(Archive::default().add(image).chosen().start([]), None);
}

#[test]
fn hosts_are_captured_with_their_ports() {
    let mut archive = Archive::default();
    archive.page("http://u@h/", "2024").page("http://h:81/", "2024");
    let chosen = archive.chosen();
    for (url, expected) in [
        ("https://h/x", true),
        ("http://h:81/x", true),
        ("http://h:82/x", false),
        ("http://i/", false),
        ("ftp://h/x", false),
    ] {
        assert_eq!(chosen.has_host_of(url), expected, "{url}");
    }
}

#[test]
fn a_long_chain_of_redirects_is_followed_in_linear_time() {
    let mut archive = Archive::default();
    let urls: Vec<String> = (0..100_000).map(|it| format!("http://h/{it}")).collect();
    for pair in urls.windows(2) {
        archive.redirect(&pair[0], &pair[1]);
    }
    archive.page(&urls[urls.len() - 1], "2024");
    let chosen = archive.chosen();
    assert!(matches!(chosen.find("http://h/0"), Found::File { .. }));
}

#[test]
fn long_urls_are_not_kept() {
    let url = |len: usize| format!("{:x<len$}", "http://h/");
    let (longest, too_long) = (url(MAX_URL), url(MAX_URL + 1));
    let mut archive = Archive::default();
    archive
        .page(&longest, "2024")
        .page(&too_long, "2024")
        .redirect("http://h/1", &longest)
        .redirect("http://h/2", &too_long);
    let chosen = archive.chosen();
    assert_eq!(records(&chosen, &longest), Some((0, 0)));
    assert_eq!(records(&chosen, "http://h/1"), Some((0, 0)));
    assert_eq!(lack(&chosen, &too_long), Some(Lack::NotCaptured));
    assert_eq!(lack(&chosen, "http://h/2"), Some(Lack::Status));
    assert_eq!(chosen.urls.len(), 3);
    let long = "x".repeat(5000);
    let own = RevisitRecord {
        archive: std::path::Path::new("a").into(),
        record_offset: 0,
        member_offset: 0,
        record_id: Some(long.clone()),
        date: Some(long.clone()),
    };
    let revisit = Revisit {
        url: Some(&too_long),
        content_type: Some(&long),
        own: Some(&own),
        ..Revisit::default()
    };
    let mut archive = Archive::default();
    archive.add(Capture { revisit: Some(revisit), ..page("http://h/", "2024") });
    let stored = &archive.captures.revisits[0];
    assert_eq!((stored.url, &stored.content_type), (None, &None));
    let own = stored.own.as_ref().unwrap();
    assert_eq!((&own.record_id, &own.date), (&None, &None));
}

#[test]
fn empty_ids_and_digests_name_no_record_and_methods_have_any_case() {
    for (method, id, names, expected) in [
        ("POST", "<>", ["< >"], None),
        ("get", "<urn:uuid:1>", ["<urn:uuid:2>"], None),
        ("post", "<>", ["<urn:uuid:2>"], Some(Lack::Method)),
    ] {
        let mut archive = Archive::default();
        archive.captures.add_request(method, id, &names);
        archive.page("http://h/", "2024").add(Capture {
            record_id: "<urn:uuid:2>",
            concurrent_to: &["<>"],
            ..page("http://h/2", "2024")
        });
        let chosen = archive.chosen();
        assert_eq!(lack(&chosen, "http://h/"), None, "{method}");
        assert_eq!(lack(&chosen, "http://h/2"), expected, "{method}");
    }
    let mut archive = Archive::default();
    let empty = Capture { digest: Some(""), ..page("http://h/", "2024") };
    archive.add(empty).add(Capture {
        url: "http://h/2",
        has_body: false,
        revisit: Some(Revisit { record_id: Some("<>"), ..Revisit::default() }),
        ..empty
    });
    let chosen = archive.chosen();
    assert_eq!(lack(&chosen, "http://h/2"), Some(Lack::Revisit));
}

#[test]
fn a_short_capture_without_another_is_a_whole_file() {
    let mut archive = Archive::default();
    archive.add(Capture { is_short: true, ..page("http://h/", "2025") });
    let chosen = archive.chosen();
    let file = chosen.files().next().unwrap();
    assert!(!chosen.file(file).unwrap().is_truncated);
}
