//! The code accepts what the printed grammars in `corpus/grammars` derive. All are regular, so each
//! becomes a regular expression.

use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use regex::Regex;
use rehref::uri::{Grammar, Parts};

use crate::tier;

/// The rules of one file, by name.
struct Rules {
    first: String,
    bodies: HashMap<String, Vec<String>>,
}

impl Rules {
    fn read(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/grammars").join(name);
        let text = std::fs::read_to_string(path).expect("the grammar is there");
        let mut first = None;
        let mut bodies = HashMap::new();
        let mut current = String::new();
        for line in text.lines().filter(|line| !line.starts_with(';')) {
            let mut body = line;
            if !line.starts_with(' ') {
                let (name, rest) = line.split_once('=').expect("a rule has a body");
                current = name.trim().to_owned();
                first.get_or_insert_with(|| current.clone());
                body = rest;
            }
            let tokens: &mut Vec<String> = bodies.entry(current.clone()).or_default();
            tokens.extend(tokenize(body));
        }
        Self { first: first.expect("a grammar has rules"), bodies }
    }

    /// The regular expression of a rule, anchored at both ends.
    fn regex(&self, rule: &str) -> Regex {
        Regex::new(&format!("^(?:{})$", self.expand(rule))).expect("it is one")
    }

    fn expand(&self, rule: &str) -> String {
        match rule {
            "alpha" => return "[A-Za-z]".to_owned(),
            "digit" => return "[0-9]".to_owned(),
            "hexdig" => return "[0-9A-Fa-f]".to_owned(),
            _ => {}
        }
        let body = self.bodies.get(rule);
        let body = body.unwrap_or_else(|| panic!("no rule {rule}"));
        body.iter()
            .map(|token| match token.as_str() {
                "(" | "[" => "(?:".to_owned(),
                "]" => ")?".to_owned(),
                ")" | "|" => token.clone(),
                // A repetition is printed before its element: see `tokenize`.
                token if token.starts_with('{') || token.ends_with(['*', '+']) => token.to_owned(),
                token => match token.strip_prefix('"') {
                    Some(literal) => {
                        format!("(?i:{})", regex::escape(literal.trim_end_matches('"')))
                    }
                    None => format!("(?:{})", self.expand(token)),
                },
            })
            .collect()
    }
}

/// The tokens of a rule's body, with repetitions moved after their elements.
fn tokenize(body: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    // Pending repetitions, with their nesting depth in groups.
    let mut waiting: Vec<(usize, String)> = Vec::new();
    let mut depth = 0;
    let mut rest = body.trim_start();
    while let Some(first) = rest.chars().next() {
        let len = match first {
            '"' => 2 + rest[1..].find('"').expect("a literal ends"),
            '(' | ')' | '[' | ']' | '|' => 1,
            _ => rest.find([' ', '(', ')', '[', ']', '"', '|']).unwrap_or(rest.len()),
        };
        let mut token = &rest[..len];
        if let Some(star) = token.find('*').filter(|_| first != '"') {
            let (low, high) = (&token[..star], &token[star + 1..]);
            let digits = high.bytes().take_while(u8::is_ascii_digit).count();
            let low = if low.is_empty() { "0" } else { low };
            waiting.push((depth, format!("{{{low},{}}}", &high[..digits])));
            rest = &rest[star + 1 + digits..];
            rest = rest.trim_start();
            continue;
        }
        match first {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        if token == "\"\"" {
            token = "\"";
        }
        tokens.push(token.to_owned());
        let ends_element = !matches!(first, '(' | '[' | '|');
        if ends_element && let Some((_, repeat)) = waiting.pop_if(|(at, _)| *at == depth) {
            tokens.push(repeat);
        }
        rest = rest[len..].trim_start();
    }
    tokens
}

/// A generic grammar as printed.
struct Printed {
    grammar: Grammar,
    reference: Regex,
    scheme: Regex,
    /// A server of RFC 2396, called site before it and authority since.
    server: Regex,
}

static PRINTED: LazyLock<Vec<Printed>> = LazyLock::new(|| {
    let generic = [
        (Grammar::Url1997, "site"),
        (Grammar::Rfc2396, "server"),
        (Grammar::Rfc2396bis00, "server"),
        (Grammar::Rfc3986, "authority"),
    ];
    let read = |(grammar, server): (Grammar, &str)| {
        let rules = Rules::read(&format!("{grammar}.abnf"));
        Printed {
            grammar,
            reference: rules.regex(&rules.first),
            scheme: rules.regex("scheme"),
            server: rules.regex(server),
        }
    };
    generic.into_iter().map(read).collect()
});

/// The schemes of RFC 1738 with their rules. The last is for all others.
static SCHEMES: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    let rules = Rules::read("rfc1738.abnf");
    let schemes = [
        "ftp", "http", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file", "prospero",
        "other",
    ];
    let printed = schemes.map(|scheme| (scheme, rules.regex(&format!("{scheme}url"))));
    printed.into()
});

/// Returns true if the grammar of its scheme in RFC 1738 derives a URL.
fn is_url(text: &str) -> bool {
    let scheme = text.split(':').next().unwrap_or_default();
    let known = |it: &&(&str, Regex)| it.0.eq_ignore_ascii_case(scheme);
    let (_, printed) = SCHEMES.iter().find(known).unwrap_or(&SCHEMES[SCHEMES.len() - 1]);
    printed.is_match(text)
}

fn agree(text: &str) -> Result<(), TestCaseError> {
    for printed in PRINTED.iter() {
        let grammar = printed.grammar;
        let parsed = grammar.parse(text);
        let said = format!("{grammar} {text:?} {parsed:?}");
        prop_assert_eq!(parsed.is_valid(), printed.reference.is_match(text), "{}", said);
        let Parts { scheme, authority, .. } = parsed.parts;
        let is_scheme = scheme.is_none_or(|it| printed.scheme.is_match(it));
        let is_server = authority.is_none_or(|it| printed.server.is_match(it));
        prop_assert_eq!(parsed.server().is_some(), authority.is_some() && is_server, "{}", said);
        if parsed.is_valid() && grammar == Grammar::Url1997 {
            let fault = parsed.component_error;
            prop_assert_eq!(fault.is_none(), is_scheme && is_server, "{}", said);
        } else {
            prop_assert!(parsed.component_error.is_none(), "{}", said);
        }
        if let Some(error) = parsed.error {
            prop_assert!(text.get(error.range()).is_some(), "{}", said);
            for other in error.accepted_by() {
                prop_assert!(other != grammar && other.check(text).is_ok());
            }
        }
    }
    agree_on_url(text)
}

fn agree_on_url(text: &str) -> Result<(), TestCaseError> {
    let result = Grammar::Rfc1738.check(text);
    prop_assert_eq!(result.is_ok(), is_url(text), "{:?} {:?}", text, result);
    if let Err(error) = result {
        prop_assert!(text.get(error.range()).is_some(), "{:?}", error);
    }
    Ok(())
}

fn pieces(of: &'static [&'static str], most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(of), 0..most).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(tier::cases(4000))]

    #[test]
    fn references_agree_with_the_grammar(text in pieces(&[
        "a", "Z", "1", "+", "-", ".", ":", "/", "//", "?", "#", "[", "]", "@", "%41", "%", "%4", ";", "=",
        "$", ",", "&", "~", "_", "!", "*", "'", "(", ")", "<", ">", "\"", "{", "}", "|", "\\", "^", "`", " ",
        "\u{e9}", "\n", "\u{7f}", "http:", "x://", "[::1]",
    ], 8)) {
        agree(&text)?;
    }

    #[test]
    fn hosts_agree_with_the_grammar(
        host in pieces(&["a", "b1", "1", "9", "256", "1999", "-", ".", ".", "_", "%41", "[", "]"], 9),
        userinfo in prop::sample::select(&["", "@", "u@", "u:p@", "u:p:q@", "a@b@", ":@"][..]),
        port in prop::sample::select(&["", ":", ":80", ":8a", ":8:0"][..]),
    ) {
        agree(&format!("//{userinfo}{host}{port}/"))?;
        agree(&format!("x://{userinfo}{host}{port}?q"))?;
    }

    #[test]
    fn ip_literals_agree_with_the_grammar(
        address in pieces(
            &["1:", "ab:", ":", "::", "2", "fFfF", "12345", "g", "1.2.3.4", "1.256.3.4", "1.1999.2.3", "v1.", "V", "."],
            10,
        ),
        after in prop::sample::select(&["", ":80", "x"][..]),
    ) {
        agree(&format!("//[{address}]{after}"))?;
    }

    /// Up to more groups than an address may have.
    #[test]
    fn ipv6_groups_agree_with_the_grammar(
        before in 0_usize..9,
        between in prop::sample::select(&["", ":", "::"][..]),
        after in 0_usize..9,
        last in prop::sample::select(&["", ":", "1.2.3.4", ":1.2.3.4"][..]),
    ) {
        let groups = |count| vec!["1f"; count].join(":");
        agree(&format!("//[{}{between}{}{last}]", groups(before), groups(after)))?;
    }

    #[test]
    fn urls_agree_with_rfc_1738(
        scheme in prop::sample::select(&[
            "ftp://", "HTTP://", "gopher://", "nntp://", "telnet://", "wais://", "file://", "prospero://",
            "mailto:", "news:", "x:", "1-:", "ftp:", "file:", "wais:/", "",
        ][..]),
        host in prop::sample::select(&[
            "h", "h/", "h/", "h/g", "h:1/", "h:/", "h.a9/a", "1.2.3.4/", "1.2.3/", "u@h/", "u:p@h", "u:p:q@h/",
            "h/1", "h/d/t/", "h/a;", "h/a?", "h-/", "9.h/", "h.9/", "h./", "", "/", "a@b",
        ][..]),
        rest in pieces(&[
            "a", "Z", "7", "/", "/", "?", ":", "@", ";", "=", "&", ".", "-", "_", "+", "*", "!", "%09", "%2f",
            "%4", "%", ";type=a", ";TYPE=D", ";type=", ";a=b", "~", "#", "\u{e9}", "localhost",
        ], 5),
    ) {
        agree_on_url(&[scheme, host, &rest].concat())?;
    }

    #[test]
    fn arbitrary_text_agrees_with_the_grammar(text in any::<String>()) {
        agree(&text)?;
    }
}

/// One grammar limits labels to 63 characters.
#[test]
fn long_labels_agree_with_the_grammar() {
    for len in [1, 62, 63, 64, 65] {
        for host in ["a".repeat(len), format!("b.{}", "a".repeat(len))] {
            agree(&format!("//{host}")).expect("both agree");
            agree(&format!("//u@{host}:1")).expect("both agree");
        }
    }
}
