//! Unpacking what browsers capture: media in ranges, URLs of the other scheme, scripts with a wrong
//! media type, and WACZ files that name their pages.

use std::io::{Cursor, Write};

use proptest::prelude::*;
use rehref::jobs::Unpack;
use zip::CompressionMethod;
use zip::write::SimpleFileOptions;

use crate::support::tree::{Has, Tree};
use crate::tier;
use crate::unpacking::Workplace;
use crate::web_archives::{Archive, Response};

const VIDEO: &str = "https://h.example/v.mp4";
const FILE: &str = "https/h.example/v.mp4";

/// The fields of a part of `total` bytes from `start` on.
fn fields(start: usize, end: usize, total: usize, further: &str) -> String {
    format!(
        "Content-Type: video/mp4\r\nContent-Range: bytes {start}-{}/{total}\r\n{further}",
        end - 1
    )
}

/// Adds a part of a video. The record has at most `stored` bytes of it.
fn add_part(
    archive: &mut Archive,
    whole: &[u8],
    (start, end, stored): (usize, usize, usize),
    further: &str,
) {
    archive.add(Response {
        url: VIDEO,
        status: 206,
        fields: &fields(start, end, whole.len(), further),
        body: &whole[start..end.min(start + stored)],
        ..Response::default()
    });
}

/// The file of the video, and true if it is said to be truncated.
fn video(archive: &Archive) -> (Vec<u8>, bool) {
    let work = Workplace::of(archive);
    let report = work.run();
    assert_eq!(report.summary.errors, 0);
    (work.files().remove(FILE).unwrap_or_default(), report.summary.truncated == 1)
}

const TAG: &str = "ETag: \"one\"\r\n";

#[test]
fn a_range_of_all_bytes_is_the_whole() {
    let whole = b"0123456789";
    let mut archive = Archive::default();
    archive.page("https://h.example/", "<video src=v.mp4></video>");
    add_part(&mut archive, whole, (0, 10, 10), "");
    let work = Workplace::of(&archive);
    assert!(work.missing().is_empty());
    assert_eq!(video(&archive), (whole.to_vec(), false));
    // A seek is newer, and shows nothing alone.
    for seek in [(7, 10, 3), (0, 5, 5)] {
        let mut archive = archive.clone();
        add_part(&mut archive, whole, seek, "");
        assert_eq!(video(&archive), (whole.to_vec(), false));
    }
    // With a coding, the range counts coded bytes.
    let mut coded = Archive::default();
    let gzip = crate::support::compressed::gzip(b"some text");
    coded.add(Response {
        url: VIDEO,
        status: 206,
        fields: &fields(0, gzip.len(), gzip.len(), "Content-Encoding: gzip\r\n"),
        body: &gzip,
        ..Response::default()
    });
    assert_eq!(video(&coded), (b"some text".to_vec(), false));
}

#[test]
fn only_parts_of_one_version_are_joined() {
    let whole = b"0123456789";
    let dates =
        "Last-Modified: Tue, 15 Nov 1994 12:45:26 GMT\r\nDate: Tue, 15 Nov 1994 12:45:27 GMT\r\n";
    let same =
        "Last-Modified: Tue, 15 Nov 1994 12:45:27 GMT\r\nDate: Tue, 15 Nov 1994 12:45:27 GMT\r\n";
    for (one, two, is_joined) in [
        (TAG, TAG, true),
        (dates, dates, true),
        (TAG, "ETag: \"two\"\r\n", false),
        (TAG, "ETag: \"ONE\"\r\n", false),
        ("ETag: W/\"one\"\r\n", "ETag: W/\"one\"\r\n", false),
        (same, same, false),
        (TAG, "", false),
        ("", "", false),
    ] {
        let mut archive = Archive::default();
        add_part(&mut archive, whole, (4, 10, 6), two);
        add_part(&mut archive, whole, (0, 6, 6), one);
        let expected = if is_joined { &whole[..] } else { &whole[..6] };
        assert_eq!(video(&archive), (expected.to_vec(), !is_joined), "{one} {two}");
    }
}

#[test]
fn parts_are_joined_up_to_the_first_gap() {
    let whole = b"0123456789";
    for (parts, expected, is_truncated) in [
        (&[(0, 3, 3), (6, 10, 4)][..], &b"012"[..], true),
        (&[(6, 10, 4), (3, 4, 1), (0, 3, 3)], b"0123", true),
        (&[(6, 10, 4)], b"6789", true),
        // Those that browsers interrupt declare more than they have.
        (&[(0, 10, 4), (4, 10, 6)], whole, false),
        (&[(0, 10, 4), (5, 10, 5)], b"0123", true),
    ] {
        let mut archive = Archive::default();
        for part in parts {
            add_part(&mut archive, whole, *part, TAG);
        }
        assert_eq!(video(&archive), (expected.to_vec(), is_truncated), "{parts:?}");
    }
    // A whole response that was interrupted is a part, too.
    let mut archive = Archive::default();
    archive.add(Response {
        url: VIDEO,
        fields: &format!("Content-Type: video/mp4\r\nContent-Length: 10\r\n{TAG}"),
        body: &whole[..4],
        ..Response::default()
    });
    add_part(&mut archive, whole, (3, 10, 7), TAG);
    assert_eq!(video(&archive), (whole.to_vec(), false));
}

#[test]
fn joined_pages_are_rewritten_and_joined_files_may_be_long() {
    let page = "<a href=/b>b</a><img src=c.png>";
    let mut archive = Archive::default();
    archive.page("https://h.example/b", "b");
    for (start, end) in [(0, 12), (12, page.len())] {
        archive.add(Response {
            url: "https://h.example/",
            status: 206,
            fields: &fields(start, end, page.len(), TAG).replace("video/mp4", "text/html"),
            body: &page.as_bytes()[start..end],
            ..Response::default()
        });
    }
    let work = Workplace::of(&archive);
    work.run();
    let expected = "<a href=b%5E.html>b</a><img src=https://h.example/c.png>";
    assert_eq!(work.text("https/h.example/index.html"), expected);

    let long: Vec<u8> = (0..40_u32 << 20).map(|it| (it / 251) as u8).collect();
    let mut archive = Archive::default();
    add_part(&mut archive, &long, (30 << 20, 40 << 20, 10 << 20), TAG);
    add_part(&mut archive, &long, (0, 31 << 20, 31 << 20), TAG);
    let (found, is_truncated) = video(&archive);
    assert!(found == long && !is_truncated);
    let mut work = Workplace::of(&archive);
    work.unpack.dry_run = true;
    let report = work.run();
    assert_eq!((report.new, report.summary.truncated, report.summary.errors), (1, 0, 0));
}

#[test]
fn a_short_range_displaces_no_longer_body() {
    let whole = b"0123456789";
    let video_of = |parts: &[(usize, usize, usize)]| {
        let mut archive = Archive::default();
        for (day, part) in parts.iter().enumerate() {
            let (start, end, stored) = *part;
            archive.add(Response {
                url: VIDEO,
                status: 206,
                date: &format!("2024-05-0{}T12:00:00Z", day + 1),
                fields: &fields(start, end, whole.len(), TAG),
                body: &whole[start..end.min(start + stored)],
                ..Response::default()
            });
        }
        video(&archive)
    };
    assert_eq!(video_of(&[(0, 5, 5), (5, 9, 4), (0, 1, 1)]), (b"012345678".to_vec(), true));
    assert_eq!(video_of(&[(0, 9, 9), (0, 1, 1)]), (b"012345678".to_vec(), true));
    assert_eq!(video_of(&[(0, 9, 9), (7, 10, 3), (0, 1, 1)]), (whole.to_vec(), false));
    // A range of unknown length, and several ranges in one body, are no beginning.
    for range in
        ["Content-Range: bytes 7-9/*\r\n", "Content-Type: multipart/byteranges; boundary=x\r\n"]
    {
        let mut archive = Archive::default();
        add_part(&mut archive, whole, (0, 4, 4), "");
        archive.add(Response {
            url: VIDEO,
            status: 206,
            date: "2025",
            fields: range,
            body: b"789",
            ..Response::default()
        });
        assert_eq!(video(&archive), (b"0123".to_vec(), true), "{range}");
    }
}

#[test]
fn parts_that_are_not_what_they_declare_are_not_joined() {
    let whole = b"0123456789";
    for (further, body) in [
        ("", &whole[..]),
        ("Transfer-Encoding: br\r\n", b"\x01\x02\xff789"),
        ("Content-Encoding: gzip\r\nContent-Encoding: identity\r\n", b"56789"),
    ] {
        let mut archive = Archive::default();
        add_part(&mut archive, whole, (0, 5, 5), TAG);
        archive.add(Response {
            url: VIDEO,
            status: 206,
            fields: &fields(5, 10, 10, &format!("{TAG}{further}")),
            body,
            ..Response::default()
        });
        assert_eq!(video(&archive), (b"01234".to_vec(), true), "{further}");
    }
    // The answer to a POST is another body.
    for (posted, others) in [((5, 10, 5), &[(0, 5, 5)][..]), ((0, 6, 6), &[(0, 5, 5), (5, 10, 5)])]
    {
        let mut archive = Archive::default();
        for part in others {
            add_part(&mut archive, whole, *part, TAG);
        }
        archive.add(Response {
            url: VIDEO,
            status: 206,
            fields: &fields(posted.0, posted.1, 10, TAG),
            record_fields: "WARC-Concurrent-To: <urn:uuid:post>\r\n",
            body: &whole[posted.0..posted.1],
            ..Response::default()
        });
        archive.record(
            "WARC-Type: request\r\nWARC-Record-ID: <urn:uuid:post>\r\n",
            b"POST / HTTP/1.1\r\n\r\n",
        );
        let len = others.last().expect("a part").1;
        assert_eq!(video(&archive), (whole[..len].to_vec(), len < 10), "{posted:?}");
    }
}

proptest! {
    #![proptest_config(tier::cases(2000))]

    /// Any parts have the bytes of the whole, up to the first byte that none of them has.
    #[test]
    fn joined_parts_are_the_beginning_of_the_whole(
        whole in prop::collection::vec(any::<u8>(), 1..60),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 1..30_usize, 0..40_usize), 1..9),
    ) {
        let mut archive = Archive::default();
        let mut has = vec![false; whole.len()];
        for (at, len, stored) in cuts {
            let start = at.index(whole.len());
            let end = (start + len).min(whole.len());
            has[start..end.min(start + stored)].fill(true);
            add_part(&mut archive, &whole, (start, end, stored), TAG);
        }
        let (found, is_truncated) = video(&archive);
        let len = has.iter().position(|it| !it).unwrap_or(whole.len());
        if len > 0 {
            prop_assert_eq!(&found, &whole[..len]);
            prop_assert_eq!(is_truncated, len < whole.len());
        }
    }
}

#[test]
fn the_other_scheme_answers_for_urls_that_were_not_captured() {
    let mut archive = Archive::default();
    archive
        .page("https://h.example/", "<a href=http://h.example/a>a</a><img src=http://h.example:80/b>")
        .page("https://h.example/a", "<a href=http://h.example/>up</a><a href=http://h.example/c>c</a>")
        .page("https://h.example/b", "b")
        .page("http://h.example/c", "old")
        .page("https://h.example/c", "new")
        .redirect("http://h.example/d", "https://h.example/d")
        .redirect("http://h.example/e", "https://h.example/f")
        .page("http://h.example/f", "f")
        .page("https://h.example:8443/g", "<a href=http://h.example:8443/g>g</a><a href=/d>d</a>")
        .add(Response { url: "http://h.example/x", status: 404, ..Response::default() })
        .page("https://h.example/x", "x")
        .page("https://h.example/links", "<a href=http://h.example/x>x</a><a href=http://h.example/d>d</a><a href=http://h.example/e>e</a>");
    let work = Workplace::of(&archive);
    let report = work.run();
    let text = |path: &str| work.text(&format!("https/h.example/{path}"));
    assert_eq!(text("index.html"), "<a href=a%5E.html>a</a><img src=b%5E.html>");
    let up = "<a href=index.html>up</a><a href=../../http/h.example/c%5E.html>c</a>";
    assert_eq!(text("a^.html"), up);
    // A server that answered with an error has answered, and no redirect ends at itself.
    let links = "<a href=http://h.example/x>x</a><a href=http://h.example/d>d</a><a href=../../http/h.example/f%5E.html>e</a>";
    assert_eq!(text("links^.html"), links);
    let port = "<a href=http://h.example:8443/g>g</a><a href=https://h.example:8443/d>d</a>";
    assert_eq!(work.text("https/h.example^8443/g^.html"), port);
    assert_eq!(report.summary.other_scheme, 3);
}

/// What an earlier run wrote of a URL stays, also if a later archive has the other scheme.
#[test]
fn the_other_scheme_keeps_what_is_known_of_a_url() {
    let mut one = Archive::default();
    one.page("http://h.example/", "one");
    let work = Workplace::of(&one);
    work.run();
    let mut two = Archive::default();
    two.page(
        "https://h.example/",
        "<link rel=canonical href=http://h.example/><meta property=og:url content=http://h.example/>\
         <form action=http://h.example/></form>",
    );
    work.directory.write("0.warc.gz", two.gzipped());
    let report = work.run();
    assert_eq!(report.summary.other_scheme, 0);
    let map = work.directory.read("out/.rehref/map.tsv");
    map.has("http://h.example/\thttp/h.example/index.html\n");
    map.has("https://h.example/\thttps/h.example/index.html\n");
}

#[test]
fn what_a_browser_refuses_from_files_is_counted() {
    let mut archive = Archive::default();
    archive
        .page(
            "http://h.example/",
            "<link rel=canonical href=http://h.example/main><link rel=alternate hreflang=fr href=/fr>\
             <video><track src=t.vtt></video><svg><use href=i.svg#a /><use href=#b /></svg><img src=i.svg>",
        )
        .add(Response {
            url: "http://h.example/i.svg",
            fields: "Content-Type: image/svg+xml\r\n",
            body: b"<svg/>",
            ..Response::default()
        })
        .add(Response {
            url: "http://h.example/t.vtt",
            fields: "Content-Type: text/vtt\r\n",
            body: b"WEBVTT",
            ..Response::default()
        });
    archive.add(Response {
        url: "http://h.example/p.svg",
        fields: "Content-Type: image/svg+xml\r\n",
        body: b"<s:svg xmlns:s='http://www.w3.org/2000/svg'><s:use href='i.svg#a'/></s:svg>",
        ..Response::default()
    });
    let work = Workplace::of(&archive);
    let report = work.run();
    assert_eq!((report.summary.refused, report.summary.missing), (3, 0));
}

#[test]
fn scripts_with_the_media_type_of_pages_are_left_alone() {
    let script = "var x = '<a href=/q>'";
    let mut archive = Archive::default();
    archive
        .page("http://h.example/late.php", script)
        .page(
            "http://h.example/",
            "<script src=late.php></script><script src=next></script><a href=odd>odd</a>",
        )
        .page("http://h.example/next", script)
        .page("http://h.example/q", "<p>q</p>")
        .page("http://h.example/odd", "Odd. <a href=/q>q</a>")
        .add(Response {
            url: "http://h.example/eu",
            fields: "Content-Type: text/html; charset=utf-8\r\n",
            body: "x = 'é <a href=/q>'".as_bytes(),
            ..Response::default()
        })
        .page("http://h.example/q2", "<script src=eu></script>")
        .page("http://h.example/before", script)
        .page("http://h.example/oddity", "Warning! <script src=before></script>")
        .page("http://h.example/empty", "");
    for number in 0..1500 {
        archive.page(&format!("http://h.example/api/{number}"), "{\"a\": 1}");
    }
    for threads in [1, 4] {
        let mut work = Workplace::of(&archive);
        work.unpack.threads = threads.try_into().expect("one or more");
        work.run();
        let text = |path: &str| work.text(&format!("http/h.example/{path}"));
        assert_eq!(text("late.php^.html"), script);
        assert_eq!(text("next^.html"), script);
        assert_eq!(text("before^.html"), script);
        assert_eq!(text("api/1499^.html"), "{\"a\": 1}");
        assert_eq!(text("odd^.html"), "Odd. <a href=q%5E.html>q</a>");
        assert_eq!(text("eu^.html"), "\u{FEFF}x = 'é <a href=/q>'");
    }
}

fn zip(files: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, content) in files {
        zip.start_file(*name, options).expect("in memory");
        zip.write_all(content).expect("in memory");
    }
    zip.finish().expect("in memory").into_inner()
}

/// The page to open first.
fn start(wacz: &[u8]) -> Option<String> {
    let tree = Tree::empty();
    tree.write("c.wacz", wacz);
    let mut unpack = Unpack::new(tree.at("out"));
    unpack.archives.push(tree.at("c.wacz").into());
    unpack.for_each(|_| {}).expect("it runs").summary.start
}

#[test]
fn a_wacz_says_where_to_begin() {
    let mut archive = Archive::default();
    archive
        .page("http://cdn.example/", "cdn")
        .page("http://b.example/deep/story", "story")
        .page("http://b.example/other", "other");
    let archive = archive.gzipped();
    let main = |url: &str| format!("{{\"mainPageUrl\": \"{url}\"}}").into_bytes();
    let pages = b"{\"format\": \"json-pages-1.0\"}\n{\"url\": \"http://gone.example/\"}\nx\n{\"url\": \"http://b.example/other#a\"}\n";
    for (main, pages, expected) in [
        (main("http://b.example/deep/story"), &pages[..], "http/b.example/deep/story^.html"),
        (main("http://gone.example/"), pages, "http/b.example/other^.html"),
        (main("http://gone.example/"), b"", "http/cdn.example/index.html"),
        (b"[".to_vec(), pages, "http/b.example/other^.html"),
    ] {
        for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
            let files = [
                ("datapackage.json", &main[..]),
                ("pages/pages.jsonl", pages),
                ("archive/a.warc.gz", &archive),
            ];
            assert_eq!(start(&zip(&files, method)).as_deref(), Some(expected));
        }
    }
}

/// A ZIP file with another length of its files in all headers.
fn with_lengths(zip: &[u8], old: u32, new: u32) -> Vec<u8> {
    let mut zip = zip.to_vec();
    let old = old.to_le_bytes();
    let places: Vec<usize> = memchr::memmem::find_iter(&zip, &old).collect();
    for at in places {
        zip[at..at + 4].copy_from_slice(&new.to_le_bytes());
    }
    zip
}

#[test]
fn wacz_files_in_a_wacz_are_read() {
    let inner = |url: &str| {
        let mut archive = Archive::default();
        archive.page(url, "<a href=http://two.example/b>b</a>");
        let page = format!("{{\"url\": \"{url}\"}}\n").into_bytes();
        let files = [("archive/a.warc.gz", &*archive.gzipped()), ("pages/pages.jsonl", &page)];
        zip(&files, CompressionMethod::Stored)
    };
    let (one, two) = (inner("http://one.example/"), inner("http://two.example/b"));
    let stored = |files: &[(&str, &[u8])]| zip(files, CompressionMethod::Stored);
    let outer = stored(&[("one.wacz", &one), ("sub/two.wacz", &two), ("datapackage.json", b"{}")]);
    assert_eq!(start(&outer).as_deref(), Some("http/one.example/index.html"));
    let tree = Tree::empty();
    tree.write("c.wacz", &outer);
    let links = tree.run("extract --json c.wacz").ends(0).out;
    links.has("\"archive\":\"c.wacz!one.wacz!archive/a.warc.gz\"");
    links.has("\"archive\":\"c.wacz!sub/two.wacz!archive/a.warc.gz\"");
    for threads in ["-j1", "-j4"] {
        assert_eq!(tree.run(["extract", "--json", threads, "c.wacz"]).out, links);
    }
    let mut deep = outer.clone();
    for depth in 1..5 {
        deep = stored(&[("c.wacz", &deep)]);
        tree.write("deep.wacz", &deep);
        let ran = tree.run("extract deep.wacz");
        match depth {
            1 | 2 => ran.ends(0).out.has("http://two.example/b"),
            _ => ran
                .ends(2)
                .err
                .has("is not read: one WACZ has too many others, or they are too deep"),
        };
    }
    // The lengths of an archive beyond its WACZ would be those of what follows.
    let archive = Archive::default().page("http://one.example/", "").plain();
    let inner = stored(&[("archive/a.warc", &archive)]);
    let lying = with_lengths(&inner, archive.len() as u32, 100_000);
    tree.write("f.wacz", stored(&[("one.wacz", &lying), ("other.bin", &[b'x'; 200_000])]));
    tree.run("extract f.wacz").ends(2).err.has("one.wacz!archive/a.warc is longer than its WACZ");

    let deflated = zip(&[("one.wacz", &one)], CompressionMethod::Deflated);
    tree.write("d.wacz", deflated);
    tree.run("extract d.wacz").ends(2).err.has("one.wacz is compressed in the WACZ: unzip it");
    tree.write("e.wacz", stored(&[("one.wacz", &one[..one.len() / 2]), ("two.wacz", &two)]));
    let ran = tree.run("extract e.wacz").ends(2);
    ran.err.has("one.wacz is not a whole WACZ");
    ran.out.has("http://two.example/b");
}
