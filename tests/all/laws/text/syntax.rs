//! Edits in plain text with a syntax: written links are read back, and the syntax around them stays
//! intact.

use rehref::document::Document;
use rehref::rewrite::{PrefixMap, Rule};
use rehref::source::TextSyntax;

use crate::support::links::references;
use crate::support::planned::rewritten;

const OLD: &str = "http://a.example/";
const NEW: &str = "http://b.example/~c_d%20e,f/";

/// Returns `text`, the content of a file of this name, after its URLs are mapped.
fn moved(name: &str, text: &str) -> String {
    let document = Document::new(name, text.as_bytes().to_vec());
    assert_eq!(document.syntax(), TextSyntax::detect(name.as_ref(), text.as_bytes()));
    let mut map = PrefixMap::default();
    map.insert(OLD, NEW).expect("two prefixes");
    let edited = rewritten(&document, Rule::Map(map));
    let expected: Vec<String> =
        references(&document).into_iter().map(|reference| reference.replace(OLD, NEW)).collect();
    let found = references(&edited);
    let kept = edited.bytes() == document.bytes();
    assert!(kept || found == expected, "{found:?} is not {expected:?}");
    String::from_utf8(edited.into_bytes()).expect("UTF-8")
}

#[test]
fn syntax_escapes_are_kept() {
    for (name, text, expected) in [
        ("a.tex", r"\url{http://a.example/x_y}", r"\url{http://b.example/~c_d%20e,f/x_y}"),
        ("a.tex", r"http://a.example/x\_y", r"http://b.example/\~{}c\_d\%20e,f/x\_y"),
        (
            "a.tex",
            r"\href{http://a.example/x\_y}{}",
            r"\href{http://b.example/\~{}c\_d\%20e,f/x\_y}{}",
        ),
        ("a.js", r"/http:\/\/a\.example\/x/", r"/http:\/\/b\.example\/~c_d%20e,f\/x/"),
        ("a.json", r#""http:\/\/a.example\/x""#, r#""http:\/\/b.example\/~c_d%20e,f\/x""#),
        ("a.json", r#""http://a.example/x\u0026y""#, r#""http://b.example/~c_d%20e,f/x&y""#),
        ("a.man", r"http://a.example/x\-y.", r"http://b.example/~c_d%20e,f/x-y."),
        ("a.ics", r"X:http://a.example/x\,y", r"X:http://b.example/~c_d%20e\,f/x\,y"),
        ("a.vcf", r"X:http://a.example/x", r"X:http://b.example/~c_d%20e,f/x"),
        ("a.ldif", "x: http://a.example/x\n y", "x: http://b.example/~c_d%20e,f/xy"),
        ("a.c", "\"http://a.example/\"\n \"x\"", "\"http://b.example/~c_d%20e,f/x\""),
        ("a.csv", "a,\"http://a.example/x\",b", "a,\"http://b.example/~c_d%20e,f/x\",b"),
    ] {
        assert_eq!(moved(name, text), expected, "{name}");
    }
}

#[test]
fn links_that_would_break_the_syntax_stay() {
    for (name, text) in [
        // Another cell would begin.
        ("a.csv", "a,http://a.example/x,b"),
        // Fonts and colors would change after the link.
        ("a.man", r"http://a.example/\fIname\fP"),
        ("a.log", "http://a.example/\u{1B}[1mx\u{1B}[0m"),
        // The literal would end with another quote than it begins with, or lose its prefix.
        ("a.py", "(\"http://a.example/\"\n 'x')"),
        ("a.py", "(\"http://a.example/\"\n f\"{x}\")"),
    ] {
        assert_eq!(moved(name, text), text, "{name}");
    }
}
