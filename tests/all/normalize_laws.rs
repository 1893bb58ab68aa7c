//! Laws of normalising, held by random input, and its agreement with other libraries.

use fluent_uri::UriRef;
use fluent_uri::normalize::Normalizer;
use iri_string::format::ToDedicatedString;
use iri_string::types::UriStr;
use proptest::prelude::*;
use rehref::bytes::percent;
use rehref::uri::{Equivalence, Grammar, Parts, Reference, are_equivalent, iri_to_uri, normalize};

use crate::linear;
use crate::tier;

/// Texts dense in what normalising looks at, most of them no references.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "/",
        "/",
        "/",
        ".",
        "..",
        "/..",
        "/./",
        "//",
        "%",
        "%4",
        "%2e",
        "%2E",
        "%41",
        "%5a",
        "%2f",
        "%25",
        "%c3%a9",
        "4",
        "1",
        "a",
        "A",
        ":",
        ":",
        "@",
        "?",
        "#",
        ",",
        "é",
        "É",
        " ",
        "[",
        "]",
        ":80",
        "HTTP:",
        "http://",
        "file://",
        "localhost",
        "mailto:",
        "Foo:",
        "\u{E000}",
        "//H",
    ]);
    prop::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat())
}

/// References by the grammar, in pieces that all belong where they are put.
fn reference() -> impl Strategy<Value = String> {
    let one_of = |all: &[&'static str]| prop::sample::select(all.to_vec());
    let scheme = one_of(&[
        "", "", "http:", "HTTP:", "https:", "ws:", "file:", "FILE:", "mailto:", "Foo:", "ftp:",
    ]);
    let userinfo = one_of(&["", "", "", "@", "U:p@", "%7e%3a@", "é@"]);
    let host = one_of(&[
        "",
        "h",
        "H.Example",
        "%48",
        "%2e%2F",
        "localhost",
        "LOCALHOST",
        "%6Cocalhost",
        "1.2.3.4",
        "[2001:db8::1]",
        "[V1.A:b]",
        "É",
        "%c3%a9",
    ]);
    let port = one_of(&["", "", "", ":", ":80", ":443", ":080", ":21", ":8080"]);
    let authority = prop::option::of((userinfo, host, port))
        .prop_map(|parts| parts.map(|(u, h, p)| format!("//{u}{h}{p}")));
    let path = prop::collection::vec(
        one_of(&[
            "/", "/", "/", ".", "..", "/..", "/.", "//", "%2e", "%2E%2E", "a", "A", "%41", "%7E",
            "%2f", "%2541", "é", "@", "@B", ",", ":", "b",
        ]),
        0..8,
    );
    let path = path.prop_map(|pieces| pieces.concat());
    let tail = one_of(&[
        "",
        "",
        "",
        "?",
        "#",
        "?#",
        "?Q%51%2f/../",
        "#F%46%c3/..",
        "?é#é",
    ]);
    (scheme, authority, path, tail)
        .prop_map(|(scheme, authority, path, tail)| {
            let root = match &authority {
                Some(_) if !path.is_empty() && !path.starts_with('/') => "/",
                _ => "",
            };
            [scheme, &authority.unwrap_or_default(), root, &path, tail].concat()
        })
        .prop_filter("a reference", |text| Reference::parse(text).is_ok())
}

/// References with a few characters taken out, put in or exchanged.
fn mutated() -> impl Strategy<Value = String> {
    let change = (any::<prop::sample::Index>(), 0..3, "[%/:@?#.,4aéA\\[\\] ]");
    (reference(), prop::collection::vec(change, 1..4)).prop_map(|(text, changes)| {
        let mut chars: Vec<char> = text.chars().collect();
        for (at, kind, with) in changes {
            let at = at.index(chars.len() + 1);
            if kind < 2 && at < chars.len() {
                chars.remove(at);
            }
            if kind > 0 {
                chars.splice(at..at, with.chars());
            }
        }
        chars.into_iter().collect()
    })
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![reference(), mutated(), soup(), any::<String>()]
}

/// Another spelling of the text, which may be equivalent at some level: of each character a coin
/// says whether its case is folded, or whether it is escaped.
fn respelled(text: &str, coins: &[u8]) -> String {
    let mut coins = coins.iter().copied().cycle();
    let mut out = String::new();
    for c in text.chars() {
        match coins.next().unwrap_or_default() % 6 {
            0 => out.extend(c.to_lowercase()),
            1 => out.extend(c.to_uppercase()),
            2 if c.is_ascii_alphanumeric() || c == '.' => {
                out.push_str(&format!("%{:02x}", u32::from(c)));
            }
            _ => out.push(c),
        }
    }
    out
}

/// Which components are defined.
fn structure(text: &str) -> [bool; 4] {
    let parts = Parts::split(text);
    [
        parts.scheme.is_some(),
        parts.authority.is_some(),
        parts.query.is_some(),
        parts.fragment.is_some(),
    ]
}

proptest! {
    #![proptest_config(tier::cases(4000))]

    #[test]
    fn twice_is_once(text in text()) {
        for &level in Equivalence::ALL {
            let once = normalize(&text, level);
            prop_assert_eq!(normalize(&once, level), once, "{}", level);
        }
    }

    /// A coarser level has nothing left to see of what a finer one did, so that equivalent by the
    /// finer is equivalent by the coarser.
    #[test]
    fn finer_before_coarser_changes_nothing(text in text()) {
        for (finer, coarser) in [
            (Equivalence::Common, Equivalence::Scheme),
            (Equivalence::Case, Equivalence::Syntax),
            (Equivalence::Case, Equivalence::Scheme),
            (Equivalence::Syntax, Equivalence::Scheme),
        ] {
            prop_assert_eq!(
                normalize(&normalize(&text, finer), coarser),
                normalize(&text, coarser),
                "{} and {}", finer, coarser
            );
        }
    }

    #[test]
    fn equivalent_by_the_finer_is_so_by_the_coarser(
        text in text(),
        coins in prop::collection::vec(any::<u8>(), 1..30),
    ) {
        let other = respelled(&text, &coins);
        let at = |level| are_equivalent(&text, &other, level);
        prop_assert!(!at(Equivalence::Case) || at(Equivalence::Syntax), "{other:?}");
        prop_assert!(!at(Equivalence::Syntax) || at(Equivalence::Scheme), "{other:?}");
        prop_assert!(!at(Equivalence::Common) || at(Equivalence::Scheme), "{other:?}");
    }

    #[test]
    fn valid_stays_valid_and_keeps_its_structure(text in reference()) {
        for &level in Equivalence::ALL {
            let normalized = normalize(&text, level);
            prop_assert_eq!(Grammar::Rfc3987.check(&normalized), Ok(()), "{}", normalized);
            prop_assert_eq!(structure(&normalized), structure(&text), "{}", normalized);
        }
    }

    /// By the split to the letter every text keeps its structure, also where a malformed scheme is
    /// none to `Parts::split`.
    #[test]
    fn delimiters_stay(text in text()) {
        for &level in Equivalence::ALL {
            let normalized = normalize(&text, level);
            let scheme = |text: &str| {
                let end = text.find([':', '/', '?', '#'])?;
                (end > 0 && text[end..].starts_with(':')).then(|| text[..end].to_ascii_lowercase())
            };
            prop_assert_eq!(scheme(&normalized), scheme(&text), "{}", normalized);
            prop_assert_eq!(structure(&normalized), structure(&text), "{}", normalized);
        }
    }

    /// fluent-uri removes empty ports, abbreviates IPv6 addresses (those here are as short as they
    /// get), and leaves the dots of paths without a root alone; of IRIs it decodes what is not ASCII,
    /// so it gets URIs only.
    #[test]
    fn normalizes_as_fluent_uri(text in reference()) {
        let text = iri_to_uri(&text);
        let parts = Parts::split(&text);
        let path = parts.path.replace("%2e", ".").replace("%2E", ".");
        let has_dots = path.split('/').any(|segment| segment == "." || segment == "..");
        prop_assume!(parts.scheme.is_none() || path.starts_with('/') || !has_dots);
        prop_assume!(!parts.authority.is_some_and(|authority| authority.ends_with(':')));
        let theirs = UriRef::parse(&*text).expect("it is valid");
        let theirs = Normalizer::new().default_port_with(|_| None).normalize(&theirs);
        let theirs = theirs.expect("nothing fails by default");
        prop_assert_eq!(normalize(&text, Equivalence::Syntax), theirs.as_str());
    }

    /// iri-string removes empty ports, normalises no relative references, of IRIs decodes what is
    /// not ASCII, and keeps the case of a host that holds such a character, escaped or not: RFC 3987
    /// (5.3.2.1) folds hosts in ASCII only, RFC 3986 (6.2.2.1) folds every host.
    #[test]
    fn normalizes_as_iri_string(text in reference()) {
        let text = iri_to_uri(&text);
        let authority = Parts::split(&text).authority;
        prop_assume!(!authority.is_some_and(|authority| authority.ends_with(':')));
        let host = authority.unwrap_or_default().rsplit('@').next().unwrap_or_default();
        prop_assume!(percent::decode(host).is_ascii());
        let Ok(theirs) = UriStr::new(&text) else {
            prop_assert_eq!(Parts::split(&text).scheme, None);
            return Ok(());
        };
        let theirs = theirs.normalize().to_dedicated_string();
        prop_assert_eq!(normalize(&text, Equivalence::Syntax), theirs.as_str());
    }

    /// Their table of default ports and ours agree where a scheme is in both.
    #[test]
    fn elides_ports_as_fluent_uri(
        scheme in prop::sample::select(vec![
            "acap", "coap", "coap+tcp", "coap+ws", "coaps", "coaps+tcp", "coaps+ws", "dict", "dns",
            "ftp", "gopher", "http", "https", "icap", "imap", "ipp", "ipps", "ldap", "mtqp",
            "mupdate", "nfs", "nntp", "pop", "rtsp", "rtsps", "rtspu", "snmp", "telnet", "tn3270",
            "vemmi", "vnc", "ws", "wss", "z39.50r", "z39.50s", "foo",
        ]),
        other in 1_u16..1000,
    ) {
        let default = rehref::uri::default_port(scheme);
        for port in [default.unwrap_or(other), other] {
            let text = format!("{scheme}://h:{port}/");
            let theirs = UriRef::parse(text.as_str()).expect("it is valid").normalize();
            prop_assert_eq!(normalize(&text, Equivalence::Scheme), theirs.as_str());
        }
    }

    #[test]
    fn an_iri_becomes_a_uri(text in text()) {
        let uri = iri_to_uri(&text);
        prop_assert!(uri.is_ascii());
        prop_assert_eq!(iri_to_uri(&uri), &*uri);
        prop_assert_eq!(structure(&uri), structure(&text));
        if Reference::parse(&text).is_ok() {
            prop_assert_eq!(Grammar::Rfc3987.check(&uri), Ok(()), "{}", uri);
        }
    }
}

#[test]
fn time_is_linear() {
    for (first, unit, last) in [
        ("foo:/", "../", ""),
        ("foo:", "a/%2E./", ""),
        ("foo:a/../", "/", ""),
        ("http://h/", "%", ""),
        ("http://h/", "%41", "%"),
        ("http://", "%41", "/"),
        ("http://", "@", "/"),
        ("http://h:", "0", "/"),
        ("mailto:", "A@B,", ""),
        ("mailto:", "@", ""),
        ("", ":", ""),
        ("", "é", ""),
    ] {
        linear::assert_linear(first, unit, last, |text| {
            for &level in Equivalence::ALL {
                let _ = normalize(text, level);
            }
            let _ = iri_to_uri(text);
        });
    }
}
