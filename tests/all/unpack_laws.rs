//! Laws of unpacked web archives.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use regex::Regex;
use rehref::bytes::percent;
use rehref::site::captures::{FileType, LocalPath, reference_between, url_key};
use rehref::uri::{Profile, Resolved, Resolver};
use unicode_normalization::is_nfc;

use crate::tier;

fn any_url() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => prop::sample::select(vec![
            "a", "b", "A", "index", "index.html", "index.css", ".html", ".css", ".bin", ".txt", "/", "//", ".", "..",
            "%2e%2e", "%2F", "%2f", "%5C", "%00", "%20", "%0A", "%7F", "%C2%85", "?", "%3F", "^", "~", "^~", "%5E", "%25",
            "%23", ":", "*", "|", "%22", "<", "CON", "nul", "com1", "COM%C2%B9", ".git", ".rehref-x", "é", "e\u{301}",
            "%E9", "%CC%81", "ſ", "s", "S", "K", "\u{212A}", "=", "&", ";", "'", "`", "{", "\u{37E}", "abcdefgh", "1",
        ]).prop_map(str::to_owned),
        1 => prop::collection::vec(any::<char>(), 0..4).prop_map(|it| it.into_iter().collect()),
        1 => (1_usize..400).prop_map(|count| "x".repeat(count)),
        1 => (1_usize..200).prop_map(|count| "y/".repeat(count)),
        1 => (1_usize..150).prop_map(|count| "é".repeat(count)),
    ];
    let host = prop::sample::select(vec![
        "http://h/",
        "https://h/",
        "http://h:81/",
        "http://con/",
        "ftp://h/",
        "http://h./",
    ]);
    (host, prop::collection::vec(piece, 0..8))
        .prop_map(|(host, pieces)| host.to_owned() + &pieces.concat())
}

fn any_type() -> impl Strategy<Value = FileType> {
    let media_types = [
        "",
        "text/html",
        "application/xhtml+xml",
        "text/css",
        "image/svg+xml",
        "text/plain",
        "text/javascript",
        "image/png",
        "image/jpeg",
    ];
    prop::sample::select(media_types.to_vec()).prop_map(FileType::of_media_type)
}

/// Returns true for names that mean a device on Windows.
fn is_device(name: &str) -> bool {
    let device = Regex::new(r"(?i)^(con|prn|aux|nul|(com|lpt)[0-9\u{B9}\u{B2}\u{B3}])\s*(\.|$)");
    device.expect("a regular expression").is_match(name)
}

fn check_portable(path: &LocalPath) -> Result<(), TestCaseError> {
    let text = path.as_str();
    prop_assert!(text.len() < 1000, "{text}");
    prop_assert!(text.split('/').count() >= 3, "{text}");
    for name in text.split('/') {
        prop_assert!(!name.is_empty() && name.len() <= 240, "{text}");
        prop_assert!(!name.ends_with(['.', ' ']), "{text}");
        prop_assert!(
            !is_device(name) && !name.eq_ignore_ascii_case(".git"),
            "{text}"
        );
        let is_bad = |it: char| it.is_control() || "<>:\"|?*\\%#".contains(it);
        prop_assert!(!name.contains(is_bad), "{text}");
        prop_assert!(is_nfc(name), "{text}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(tier::cases(4_000))]

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
