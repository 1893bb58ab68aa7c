use super::*;

#[test]
fn revisits_have_the_body_of_another_record() {
    let revisit = |revisit| Capture {
        has_body: false,
        digest: Some("sha1:ABC"),
        revisit: Some(revisit),
        ..page("http://h/", "2025")
    };
    let original = |url| Capture { record_id: "<urn:uuid:1>", ..page(url, "2024") };
    let by_digest = Capture { digest: Some("sha1:abc"), ..original("http://h/other") };
    let to_place = Revisit {
        url: Some("http://h/"),
        date: Some(CaptureDate::of_record("2024")),
        ..Revisit::default()
    };
    let to_id = Revisit { record_id: Some("urn:uuid:1"), ..Revisit::default() };
    for (original, revisited) in [
        (by_digest, revisit(Revisit::default())),
        (original("http://h/"), revisit(to_place)),
        (original("http://h/other"), revisit(to_id)),
    ] {
        let chosen = Archive::default().add(original).add(revisited).chosen();
        assert_eq!(records(&chosen, "http://h/"), Some((1, 0)));
        let chosen = Archive::default().add(revisited).add(original).chosen();
        assert_eq!(records(&chosen, "http://h/"), Some((0, 1)));
    }
    let chosen = Archive::default().add(revisit(to_id)).chosen();
    assert_eq!(lack(&chosen, "http://h/"), Some(Lack::Revisit));
    // A server that confirms with 304 sends no type.
    let confirmed = Capture { status: Some(304), file_type: None, ..revisit(to_place) };
    let chosen = Archive::default().add(original("http://h/")).add(confirmed).chosen();
    assert_eq!(records(&chosen, "http://h/"), Some((1, 0)));
    let file = chosen.files().next().unwrap();
    assert_eq!(chosen.path(file).as_str(), "http/h/index.html");
    assert_eq!(chosen.file(file).unwrap().status, Some(200));
}

#[test]
fn a_revisit_has_a_truncated_body_only_without_a_whole_one() {
    let whole = Capture { digest: Some("sha1:abc"), ..page("http://h/other", "2024") };
    let truncated = Capture { is_truncated: true, ..whole };
    let short = Capture { is_short: true, ..whole };
    let revisited = Capture {
        url: "http://h/",
        has_body: false,
        revisit: Some(Revisit { record_id: Some("urn:uuid:1"), ..Revisit::default() }),
        ..whole
    };
    let whole_by_id = Capture { digest: None, record_id: "<urn:uuid:1>", ..whole };
    for (captures, body) in [
        (&[revisited, truncated][..], 1),
        (&[revisited, short], 1),
        (&[revisited, truncated, whole], 2),
        (&[revisited, short, whole], 2),
        (&[revisited, whole, truncated], 1),
        (&[revisited, truncated, whole_by_id], 2),
        (&[revisited, whole_by_id, truncated], 1),
    ] {
        let mut archive = Archive::default();
        for capture in captures {
            archive.add(*capture);
        }
        let chosen = archive.chosen();
        assert_eq!(records(&chosen, "http://h/"), Some((0, body)));
        let url = chosen.files().next().unwrap();
        let is_truncated = captures[body as usize].is_truncated;
        assert_eq!(chosen.file(url).unwrap().is_truncated, is_truncated);
    }
}
