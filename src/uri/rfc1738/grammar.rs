//! The productions of RFC 1738, section 5, as regular expressions: what the readers beside this file
//! are held against.

use std::sync::LazyLock;

use proptest::prelude::*;
use regex::Regex;

use super::parse;

/// A production's name and its right side, in which `<name>` stands for an earlier production.
const PRODUCTIONS: &[(&str, &str)] = &[
    ("uchar", "(?:[a-z0-9$_.+!*'(),-]|%[0-9a-f]{2})"),
    ("xchar", "(?:<uchar>|[;/?:@&=])"),
    ("label", "(?:[a-z0-9]|[a-z0-9][a-z0-9-]*[a-z0-9])"),
    ("toplabel", "(?:[a-z]|[a-z][a-z0-9-]*[a-z0-9])"),
    ("hostname", r"(?:(?:<label>\.)*<toplabel>)"),
    ("hostnumber", r"(?:[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+)"),
    ("host", "(?:<hostname>|<hostnumber>)"),
    ("hostport", "(?:<host>(?::[0-9]+)?)"),
    ("user", "(?:(?:<uchar>|[;?&=])*)"),
    ("login", "(?:(?:<user>(?::<user>)?@)?<hostport>)"),
    ("fsegment", "(?:(?:<uchar>|[?:@&=])*)"),
    ("fpath", "(?:<fsegment>(?:/<fsegment>)*)"),
    ("ftp", "(?:ftp://<login>(?:/<fpath>(?:;type=[aid])?)?)"),
    ("file", "(?:file://(?:<host>|localhost)?/<fpath>)"),
    ("search", "(?:(?:<uchar>|[;:@&=])*)"),
    ("hpath", "(?:<search>(?:/<search>)*)"),
    ("http", r"(?:http://<hostport>(?:/<hpath>(?:\?<search>)?)?)"),
    // A selector may derive all that follows it in the production.
    (
        "gopher",
        "(?:gopher://<hostport>(?:/(?:<xchar><xchar>*)?)?)",
    ),
    ("mailto", "(?:mailto:<xchar>+)"),
    ("group", "(?:[a-z][a-z0-9.+_-]*)"),
    ("article", "(?:(?:<uchar>|[;/?:&=])+@<host>)"),
    ("news", r"(?:news:(?:\*|<group>|<article>))"),
    ("nntp", "(?:nntp://<hostport>/<group>(?:/[0-9]+)?)"),
    ("telnet", "(?:telnet://<login>/?)"),
    (
        "wais",
        r"(?:wais://<hostport>/<uchar>*(?:\?<search>|/<uchar>*/<uchar>*)?)",
    ),
    ("field", "(?:(?:<uchar>|[?:@&])*)"),
    (
        "prospero",
        "(?:prospero://<hostport>/<fpath>(?:;<field>=<field>)*)",
    ),
    ("other", "(?:[a-z0-9+.-]+:<xchar>*)"),
];

/// Whether the grammar of its scheme derives `url`.
fn is_derived(url: &str) -> bool {
    static GRAMMAR: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
        let mut expanded: Vec<(&str, String)> = Vec::new();
        for (name, side) in PRODUCTIONS {
            let mut side = (*side).to_owned();
            for (name, earlier) in &expanded {
                side = side.replace(&format!("<{name}>"), earlier);
            }
            expanded.push((name, side));
        }
        let compile = |(name, side)| {
            let regex = Regex::new(&format!(r"(?i-u)\A(?:{side})\z")).expect("a regex");
            (name, regex)
        };
        expanded.into_iter().map(compile).collect()
    });
    const SCHEMES: &[&str] = &[
        "ftp", "http", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file", "prospero",
    ];
    let scheme = url.split(':').next().unwrap_or_default();
    let scheme = scheme.to_ascii_lowercase();
    let name = SCHEMES.iter().find(|name| **name == scheme);
    let name = name.unwrap_or(&"other");
    let (_, regex) = GRAMMAR.iter().find(|(it, _)| it == name).expect("there");
    regex.is_match(url)
}

/// Beginnings that are URLs or near one, and pieces that may continue them.
fn urls() -> impl Strategy<Value = String> {
    const SCHEMES: &[&str] = &[
        "ftp://",
        "HTTP://",
        "gopher://",
        "nntp://",
        "telnet://",
        "wais://",
        "file://",
        "prospero://",
        "mailto:",
        "news:",
        "x:",
        "ftp:",
        "file:",
        "wais:/",
        "",
    ];
    const HOSTS: &[&str] = &[
        "h", "h", "h/", "h/", "h/g", "h:1/", "h.a9/a", "1.2.3.4/", "1.2.3/", "u@h/", "u:p@h",
        "h/1", "h/d/t/", "h/a;", "h/a?", "h-/", "9.h/", "h.9/", "", "/", "a@b",
    ];
    const PIECES: &[&str] = &[
        "a",
        "Z",
        "7",
        "/",
        "/",
        "?",
        ":",
        "@",
        ";",
        "=",
        "&",
        ".",
        "-",
        "_",
        "+",
        "*",
        "!",
        "%09",
        "%2f",
        "%4",
        "%",
        ";type=a",
        ";TYPE=D",
        ";type=",
        ";a=b",
        "~",
        "#",
        "\u{e9}",
        "localhost",
    ];
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 0..5);
    let beginning = (prop::sample::select(SCHEMES), prop::sample::select(HOSTS));
    (beginning, pieces)
        .prop_map(|((scheme, host), pieces)| [scheme, host, &pieces.concat()].concat())
}

#[test]
fn the_regular_expressions_are_sound() {
    for url in [
        "ftp://u:p@h:1/a/b;TYPE=I",
        "News:a@1.2.3.4",
        "x:",
        "wais://h/a/b/c",
    ] {
        assert!(is_derived(url), "{url}");
    }
    for url in [
        "ftp://h/a;type=x",
        "news:a@b:1",
        "",
        "wais://h/a/b",
        "ftp://h/\u{212a}",
    ] {
        assert!(!is_derived(url), "{url}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8192))]
    #[test]
    fn readers_accept_what_the_grammar_derives(url in urls()) {
        prop_assert_eq!(parse(&url).is_ok(), is_derived(&url), "{}", url);
    }
}
