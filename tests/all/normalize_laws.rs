//! Laws of normalizing, on random input, and comparisons with other libraries.

use fluent_uri::UriRef;
use fluent_uri::normalize::Normalizer;
use iri_string::format::ToDedicatedString;
use iri_string::types::UriStr;
use proptest::prelude::*;
use rehref::bytes::percent;
use rehref::uri::{Equivalence, Grammar, Parts, Reference, are_equivalent, iri_to_uri, normalize};

use crate::linear;
use crate::tier;

/// Texts full of what normalizing changes. Most are not valid references.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "/", "/", "/", ".", "..", "/..", "/./", "//", "%", "%4", "%2e", "%2E", "%41", "%5a", "%2f",
        "%25", "%c3%a9", "4", "1", "a", "A", ":", ":", "@", "?", "#", ",", "é", "É", " ", "[", "]",
        ":80", "HTTP:", "http://", "file://", "localhost", "mailto:", "Foo:", "\u{E000}", "//H",
    ]);
    prop::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat())
}

/// Valid references.
fn reference() -> impl Strategy<Value = String> {
    let one_of = |all: &[&'static str]| prop::sample::select(all.to_vec());
    let scheme = one_of(&[
        "", "", "http:", "HTTP:", "https:", "ws:", "file:", "FILE:", "mailto:", "Foo:", "ftp:",
    ]);
    let userinfo = one_of(&["", "", "", "@", "U:p@", "%7e%3a@", "é@"]);
    let host = one_of(&[
        "", "h", "H.Example", "%48", "%2e%2F", "localhost", "LOCALHOST", "%6Cocalhost", "1.2.3.4",
        "[2001:db8::1]", "[V1.A:b]", "É", "%c3%a9",
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
    let tail = one_of(&["", "", "", "?", "#", "?#", "?Q%51%2f/../", "#F%46%c3/..", "?é#é"]);
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

/// References with a few characters removed, inserted or replaced.
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

/// Another spelling of the text, which may be equivalent at some level. A coin for each character
/// decides whether its case changes or it is percent-encoded.
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

/// The components that are defined.
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
    fn normalizing_is_idempotent(text in text()) {
        for &level in Equivalence::ALL {
            let once = normalize(&text, level);
            prop_assert_eq!(normalize(&once, level), once, "{}", level);
        }
    }

    /// Normalizing at a finer level first does not change the result at a coarser level. So URIs
    /// that are equivalent at the finer level are equivalent at the coarser.
    #[test]
    fn finer_level_first_does_not_change_the_coarser_result(text in text()) {
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
    fn equivalent_uris_stay_equivalent_at_looser_levels(
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
    fn valid_uris_stay_valid_and_keep_their_structure(text in reference()) {
        for &level in Equivalence::ALL {
            let normalized = normalize(&text, level);
            prop_assert_eq!(Grammar::Rfc3987.check(&normalized), Ok(()), "{}", normalized);
            prop_assert_eq!(structure(&normalized), structure(&text), "{}", normalized);
        }
    }

    /// Split as in RFC 3986, Appendix B, every text keeps its structure, even if `Parts::split`
    /// takes a malformed scheme for a path.
    #[test]
    fn delimiters_are_never_decoded_or_encoded(text in text()) {
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

    /// fluent-uri removes empty ports, abbreviates IPv6 addresses (those here cannot be shortened),
    /// and keeps dot segments of paths without a root. It decodes non-ASCII characters of IRIs, so
    /// it is given URIs only.
    #[test]
    fn normal_forms_equal_those_of_fluent_uri(text in reference()) {
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

    /// iri-string removes empty ports and normalizes no relative references. It decodes non-ASCII
    /// characters of IRIs. It keeps the case of a host with such a character, encoded or not: RFC
    /// 3987 (5.3.2.1) folds ASCII hosts only, RFC 3986 (6.2.2.1) folds every host.
    #[test]
    fn normal_forms_equal_those_of_iri_string(text in reference()) {
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

    /// For schemes in both tables, the default ports are equal.
    #[test]
    fn default_ports_equal_those_of_fluent_uri(
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
    fn converted_iris_are_uris(text in text()) {
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
fn costs_are_linear() {
    for family in [
        "foo:/⟦../⟧", "foo:⟦a/%2E./⟧", "foo:a/../⟦/⟧", "http://h/⟦%⟧", "http://h/⟦%41⟧%",
        "http://⟦%41⟧/", "http://⟦@⟧/", "http://h:⟦0⟧/", "mailto:⟦A@B,⟧", "mailto:⟦@⟧", "⟦:⟧",
        "⟦é⟧",
    ] {
        linear::assert_linear(family, |text| {
            for &level in Equivalence::ALL {
                let _ = normalize(text, level);
            }
            let _ = iri_to_uri(text);
        });
    }
}
