//! Laws of unpacked web archives.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use regex::Regex;
use rehref::bytes::percent;
use rehref::jobs::UnpackEvent;
use rehref::unpack::captures::{FileType, LocalPath, reference_between, url_key};
use rehref::uri::{Profile, Resolved, Resolver};
use rehref::{Document, Options};
use unicode_normalization::is_nfc;

use crate::tier;
use crate::unpacking::{Workplace, files_below};
use crate::web_archives::Archive;

fn any_url() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => prop::sample::select(vec![
            "a", "b", "A", "index", "index.html", "index.css", ".html", ".css", ".bin", ".txt", "/", "//", ".", "..",
            "%2e%2e", "%2F", "%2f", "%5C", "%00", "%20", "%0A", "%7F", "%C2%85", "?", "%3F", "^", "~", "^~", "%5E", "%25",
            "%23", ":", "*", "|", "%22", "<", "CON", "nul", "com1", "COM%C2%B9", ".git", ".rehref-x", "é", "e\u{301}",
            "%E9", "%CC%81", "%E2%80%AE", "%E2%80%8C", "\u{AD}", "\u{2028}", "\u{3164}", "\u{FE0F}", "ſ", "s", "S", "K", "\u{212A}", "=", "&", ";", "'", "`", "{", "\u{37E}", "abcdefgh", "1",
        ]).prop_map(str::to_owned),
        1 => prop::collection::vec(any::<char>(), 0..4).prop_map(|it| it.into_iter().collect()),
        1 => (1_usize..400).prop_map(|count| "x".repeat(count)),
        1 => (1_usize..200).prop_map(|count| "y/".repeat(count)),
        1 => (1_usize..150).prop_map(|count| "é".repeat(count)),
    ];
    let host = prop::sample::select(vec![
        "http://h/", "https://h/", "http://h:81/", "http://con/", "ftp://h/", "http://h./",
    ]);
    (host, prop::collection::vec(piece, 0..8))
        .prop_map(|(host, pieces)| host.to_owned() + &pieces.concat())
}

fn any_type() -> impl Strategy<Value = FileType> {
    let media_types = [
        "", "text/html", "application/xhtml+xml", "text/css", "image/svg+xml", "text/plain",
        "text/javascript", "image/png", "image/jpeg",
    ];
    prop::sample::select(media_types.to_vec()).prop_map(FileType::of_media_type)
}

/// The names that mean a device on Windows.
static DEVICE: LazyLock<Regex> = LazyLock::new(|| {
    let names = r"(?i)^(con|prn|aux|nul|(com|lpt)[0-9\u{B9}\u{B2}\u{B3}])\s*(\.|$)";
    Regex::new(names).expect("a regular expression")
});

fn check_portable(path: &LocalPath) -> Result<(), TestCaseError> {
    let text = path.as_str();
    prop_assert!(text.len() < 1000, "{text}");
    prop_assert!(text.split('/').count() >= 3, "{text}");
    for name in text.split('/') {
        prop_assert!(!name.is_empty() && name.len() <= 240, "{text}");
        prop_assert!(!name.ends_with(['.', ' ']), "{text}");
        prop_assert!(!DEVICE.is_match(name) && !name.eq_ignore_ascii_case(".git"), "{text}");
        let is_bad = |it: char| {
            it.is_control()
                || "<>:\"|?*\\%#\u{AD}\u{200C}\u{2028}\u{202E}\u{3164}\u{FE0F}".contains(it)
        };
        prop_assert!(!name.contains(is_bad), "{text}");
        prop_assert!(is_nfc(name), "{text}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(tier::cases(600))]

    #[test]
    fn paths_are_portable_and_different(
        urls in prop::collection::vec((any_url(), any_type()), 2..12),
    ) {
        let urls: BTreeMap<String, FileType> = urls
            .into_iter()
            .filter_map(|(url, file_type)| Some((url_key(&url)?, file_type)))
            .collect();
        let mut paths = BTreeSet::new();
        for (url, &file_type) in &urls {
            for path in [LocalPath::new(url, file_type), LocalPath::of_twin(url, file_type)] {
                check_portable(&path)?;
                prop_assert!(paths.insert(path.clone()), "{url}: {path:?}");
            }
        }
        // No file has the name of a directory, in any case of letters.
        let folded: BTreeSet<String> = paths.iter().map(|it| it.as_str().to_lowercase()).collect();
        for path in &folded {
            for (at, _) in path.match_indices('/') {
                prop_assert!(!folded.contains(&path[..at]), "{path} {folded:?}");
            }
        }
    }

    #[test]
    fn references_resolve_to_their_files(
        from in (any_url(), any_type()),
        to in (any_url(), any_type()),
    ) {
        let path = |(url, file_type): (String, FileType)| Some(LocalPath::new(&url_key(&url)?, file_type));
        if let (Some(from), Some(to)) = (path(from), path(to)) {
            let reference = reference_between(&from, &to, Some("f"));
            // As a browser resolves it.
            let resolver = Resolver { profile: Profile::Whatwg, ..Resolver::default() };
            let mut url = "file:///dir".to_owned();
            for name in from.as_str().split('/') {
                url.push('/');
                percent::encode_path_segment(name.as_bytes(), &mut url);
            }
            let base = resolver.base(&url).unwrap();
            let Resolved::Target(target) = base.resolve(&*reference).unwrap() else {
                unreachable!("{reference}")
            };
            let decoded = percent::decode(&target);
            let expected = format!("file:///dir/{}#f", to.as_str());
            prop_assert_eq!(&*decoded, expected.as_bytes());
        }
    }
}

/// An archive of pages that refer to each other, and to what is missing.
fn any_archive() -> impl Strategy<Value = Archive> {
    let url = (any_url(), any::<bool>()).prop_map(|(url, is_absolute)| match is_absolute {
        true => url,
        false => url.splitn(4, '/').last().unwrap_or_default().to_owned(),
    });
    let urls = prop::collection::vec(any_url(), 1..6);
    (urls, prop::collection::vec((0_usize..6, 0_usize..5, url), 1..16)).prop_map(|(urls, records)| {
        let mut archive = Archive::default();
        let quoted = |url: &str| url.replace(['\'', '\0', '\n', '\r'], "");
        for (from, kind, to) in records {
            let url = &urls[from % urls.len()];
            let other = quoted(&urls[kind % urls.len()]);
            let to = quoted(&to);
            let body = match kind {
                0 => {
                    archive.redirect(url, &to);
                    continue;
                }
                1 => format!("<base href='{to}'><a href='{other}'>x</a><a href=#f>y</a><img srcset='{other} 2x'>"),
                2 => format!("<p style='background: url(\"{other}\")'><a href='{to}'>x</a><a href=''>y</a>"),
                3 => format!("<iframe srcdoc='&lt;a href=&quot;{to}&quot;>'></iframe><link rel=stylesheet href='{other}'>"),
                _ => format!("<a href='{to}#f'>x</a><a href='{other}'>y</a><script src='{other}' integrity=x crossorigin></script>"),
            };
            archive.page(url, &body);
        }
        archive
    })
}

/// Checks that each reference of a page to a file is to an existing one below the directory.
fn check_links(directory: &Path, path: &str, bytes: Vec<u8>) -> Result<(), TestCaseError> {
    let encoded = |path: &str| {
        let mut url = String::new();
        for name in path.split('/') {
            url.push('/');
            percent::encode_path_segment(name.as_bytes(), &mut url);
        }
        url
    };
    let options = Options {
        resolver: Resolver { profile: Profile::Whatwg, ..Resolver::default() },
        ..Options::default()
    };
    let page = Document::from_bytes(bytes)
        .content_type("text/html")
        .url(format!("file://{}", encoded(path)))
        .options(options)
        .build()
        .unwrap();
    for link in &page.links() {
        let Some(target) = link.url().and_then(|it| it.strip_prefix("file:///")) else {
            continue;
        };
        let target = target.split(['#', '?']).next().unwrap_or_default();
        let target = percent::decode(target);
        let target = directory.join(std::str::from_utf8(&target).unwrap());
        prop_assert!(target.is_file(), "{path}: {} -> {target:?}", link.reference());
    }
    Ok(())
}

proptest! {
    #![proptest_config(tier::cases(24))]

    #[test]
    fn relative_references_are_to_existing_files_and_a_second_run_changes_nothing(archive in any_archive()) {
        let work = Workplace::of(&archive);
        let report = work.run();
        prop_assert_eq!(report.summary.errors, 0);
        for (path, bytes) in work.files() {
            if path.ends_with(".html") {
                check_links(&work.out(), &path, bytes)?;
            }
        }
        let before = files_below(&work.out());
        let times = |path: &String| std::fs::metadata(work.out().join(path)).unwrap().modified().unwrap();
        let modified: Vec<_> = before.keys().map(times).collect();
        let again = work.run();
        prop_assert_eq!((again.new, again.same), (0, report.new));
        prop_assert_eq!(&again.summary, &report.summary);
        prop_assert_eq!(&files_below(&work.out()), &before);
        let again: Vec<_> = before.keys().map(times).collect();
        prop_assert_eq!(again, modified);
    }

    #[test]
    fn an_interrupted_run_is_finished_by_another_one(archive in any_archive(), files in 0_usize..6) {
        let whole = Workplace::of(&archive);
        whole.run();
        let mut work = Workplace::of(&archive);
        let stop = work.unpack.stop.clone();
        let mut left = files;
        let report = work.events(|event| {
            if matches!(event, UnpackEvent::File(..)) && left > 0 {
                left -= 1;
            }
            if left == 0 {
                stop.stop();
            }
        });
        prop_assert!(report.new <= files.max(1));
        work.unpack.stop = rehref::jobs::Stop::default();
        work.run();
        prop_assert_eq!(work.files(), whole.files());
    }
}
