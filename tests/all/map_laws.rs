//! Laws of maps: their cost, and that equivalent URIs become equivalent.

use std::fmt::Write as _;

use proptest::prelude::*;
use rehref::rewrite::PrefixMap;
use rehref::uri::{Equivalence, are_equivalent};

use crate::linear;
use crate::tier;

/// The rows of a table of this total length.
fn table(len: usize, row: impl Fn(usize, &mut String)) -> String {
    let mut text = String::new();
    for number in 0.. {
        if text.len() >= len {
            break;
        }
        row(number, &mut text);
        text.push('\n');
    }
    text
}

/// Makes a map of rows, and maps each of its values.
fn insert_and_look_up(text: &str) {
    let mut map = PrefixMap::default();
    for row in text.lines() {
        let (old, new) = row.split_once(',').expect("two columns");
        map.insert(old, new).expect("an entry");
    }
    std::hint::black_box(map.mapped_again().count());
    for uri in text.split([',', '\n']).filter(|it| !it.is_empty()) {
        std::hint::black_box(map.get(uri));
        std::hint::black_box(map.get(&format!("{uri}/a?b#c")));
    }
}

#[test]
fn thousands_of_rows_cost_linear_time() {
    type Write = fn(usize, &mut String);
    let rows: [(&str, Write); 5] = [
        ("rows of few lengths", |number, out| {
            let _ = write!(out, "http://h/{number},http://n/{number}");
        }),
        ("rows of many lengths", |number, out| {
            let _ = write!(out, "http://h/{number}/{},http://n/", "a".repeat(number % 997));
        }),
        ("a chain", |number, out| {
            let _ = write!(out, "http://h/{number},http://h/{}", number + 1);
        }),
        ("hosts", |number, out| {
            let _ = write!(out, "h{number}.example/a,n{}.example/b", number + 1);
        }),
        ("one above all", |number, out| {
            let _ = match number {
                0 => write!(out, "http://o/,http://h/"),
                _ => write!(out, "http://h/{number}/b/c,http://o/{number}"),
            };
        }),
    ];
    for (name, row) in rows {
        linear::assert_linear_in(name, |len| table(len, row), insert_and_look_up);
    }
}

#[test]
fn long_uris_cost_linear_time() {
    let mut map = PrefixMap::default();
    for number in 0..2_000 {
        let path = "a/".repeat(number);
        let entry = format!("http://h/{path}=http://n/{number}/");
        map.insert_entry(&entry).expect("an entry");
        map.insert_exact(&format!("http://h/{path}"), "http://n/").expect("an entry");
    }
    for unit in ["a/", "/", "b/", "a", "../", "a/../", "%61/", "?", "#"] {
        linear::assert_linear(&format!("http://h/⟦{unit}⟧"), |uri| {
            std::hint::black_box(map.get(uri));
        });
    }
}

fn uri() -> impl Strategy<Value = String> {
    let scheme = prop::sample::select(vec!["http:", "HTTP:", "foo:", "file:", "mailto:"]);
    let authority = prop::sample::select(vec![
        "//h", "//H", "//h:80", "//h:", "//u@h", "//h:8080", "//localhost", "//", "", "//%68",
    ]);
    let pieces = vec![
        "/", "/", "/a", "/b", "a", "/%61", "/A", "/..", "/.", "/%2e%2E", "/%2f", "/%2F", "?", "?a",
        "#", "#a", "é", "%C3%A9", "%zz", "@H",
    ];
    let tail = prop::collection::vec(prop::sample::select(pieces), 0..7);
    (scheme, authority, tail)
        .prop_map(|(scheme, authority, tail)| format!("{scheme}{authority}{}", tail.concat()))
}

fn authority_and_path() -> impl Strategy<Value = String> {
    let host = prop::sample::select(vec![
        "a.example", "A.example:80", "b.example:443", "b.example.", "localhost",
    ]);
    let pieces = prop::sample::select(vec!["/", "/a", "/b", "/%61", "/A", "?a", "#", "#a", "/.."]);
    let tail = prop::collection::vec(pieces, 0..5);
    (host, tail).prop_map(|(host, tail)| format!("{host}{}", tail.concat()))
}

proptest! {
    #![proptest_config(tier::cases(4000))]

    /// A prefix that is mapped to itself keeps the targets of all URIs below it.
    #[test]
    fn prefix_mapped_to_itself_keeps_the_uri_equivalent(old in uri(), uri in uri()) {
        let mut map = PrefixMap::default();
        map.insert(&old, &old).expect("an entry");
        if let Some(new) = map.get(&uri) {
            prop_assert!(are_equivalent(&new, &uri, Equivalence::Scheme), "{} became {}", uri, new);
        }
        // A URI is below itself, unless its key would be a prefix of all files.
        prop_assume!(!old.eq_ignore_ascii_case("file://localhost"));
        let new = map.get(&old);
        prop_assert!(new.is_some_and(|new| are_equivalent(&new, &old, Equivalence::Scheme)));
    }

    #[test]
    fn equivalent_uris_match_the_same_prefixes(old in uri(), uri in uri(), other in uri()) {
        let mut map = PrefixMap::default();
        map.insert(&old, "http://n/x/").expect("an entry");
        if are_equivalent(&uri, &other, Equivalence::Scheme) {
            prop_assert_eq!(map.get(&uri).is_some(), map.get(&other).is_some());
        }
    }

    /// A host without a scheme is an entry for http and one for https, each with its scheme.
    #[test]
    fn host_without_scheme_maps_as_entries_for_both_schemes(
        old in authority_and_path(), new in authority_and_path(), uri in authority_and_path(),
        scheme in prop::sample::select(vec!["http", "https", "HTTPS", "ftp"]),
    ) {
        let mut bare = PrefixMap::default();
        bare.insert(&old, &new).expect("an entry");
        let mut both = PrefixMap::default();
        for scheme in ["http", "https"] {
            both.insert(&format!("{scheme}://{old}"), &format!("{scheme}://{new}")).expect("an entry");
        }
        let uri = format!("{scheme}://{uri}");
        prop_assert_eq!(bare.get(&uri), both.get(&uri));
    }

    /// An exact entry maps its URI with any fragment, and no other; prefixes map the others as
    /// without it.
    #[test]
    fn exact_entry_maps_only_its_uri(prefix in uri(), exact in uri(), uri in uri()) {
        let without = |uri: &str| uri.split('#').next().unwrap_or_default().to_owned();
        let (exact, is_same) = (without(&exact), |a: &str, b: &str| are_equivalent(a, b, Equivalence::Scheme));
        prop_assume!(!exact.to_ascii_lowercase().ends_with("://"));
        prop_assume!(!exact.eq_ignore_ascii_case("file://localhost"));
        let mut prefixes = PrefixMap::default();
        prefixes.insert(&prefix, "http://n/x/").expect("an entry");
        let mut map = prefixes.clone();
        map.insert_exact(&exact, "http://exact/").expect("an entry");
        match is_same(&without(&uri), &exact) {
            true => {
                let fragment = uri.find('#').map_or("", |at| &uri[at..]);
                prop_assert_eq!(map.get(&uri), Some(format!("http://exact/{fragment}")));
            }
            false => prop_assert_eq!(map.get(&uri), prefixes.get(&uri)),
        }
    }
}
