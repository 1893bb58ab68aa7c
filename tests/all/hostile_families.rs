//! Families of hostile texts, made at random of what scanners react to: schemes, delimiters,
//! brackets, escapes, line ends, and the syntax of each language. Reading, rewriting and linkifying
//! them takes linear time.
//!
//! A list of texts that were expensive once does not show the next one. Here each family is a
//! beginning, a unit of a few pieces that is repeated, and an end.

use std::hint::black_box;

use rehref::Linkify;
use rehref::document::Document;
use rehref::format::text::{Join, TextOptions};
use rehref::format::{Format, Options};
use rehref::rewrite::{Plan, Rules};

use crate::linear::assert_linear_in;
use crate::support::mail::found_in;
use crate::tier;

/// Beginnings of URLs.
#[rustfmt::skip]
const STARTS: &[&str] = &[
    "mailto:", "news:", "urn:", "tel:", "sip:", "xmpp:", "data:", "cid:", "mid:", "tag:", "geo:", "doi:", "magnet:?",
    "matrix:u/", "bitcoin:", "acct:", "im:", "sms:", "file:", "about:", "http:", "http://", "https://a", "ftp://", "foo://",
    "x:", "URL:", "<URL:", "www.", "www.a.", "ftp.", "javascript:", "openpgp4fpr:",
];

/// Pieces that continue or end a URL.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "a", "a@", "a@b", "a@b,", "@b.c", "a.b", "a/b", "1", "123", "+1", "?", "?a=", "&a=", "#", "%20", "%2", "$", "${", "%(", "{",
    "}", "(", ")", "[", "]", "<", ">", "\"", "'", "`", "“", "”", "«", "‘", "（", "，", "。", "看", "é", "|", "^", "\\", "\\n",
    "\\u002f", "\\x2f", "&amp;", "&quot;", "&#58;", "&colon;", ";", ":", "::", ",", ".", "..", "-", "--", "_", "____", "~", "*",
    "!", "=", "=\n", "-\n", "/\n", "\n", "\r\n", " ", "\t", "> ", "\n> ", ">> ", "# ", "\n# ", " * ", "//", "/*", "*/", "<!--",
    "-->", "<![CDATA[", "]]>", "\u{200B}", "\u{AD}", "\u{C}", "\0",
];

/// The names of documents, and the syntax of their languages.
#[rustfmt::skip]
const LANGUAGES: &[(&str, &[&str])] = &[
    ("a.txt", &["mailto:a@", "www.a.b"]),
    ("a.csv", &["\"", "\"\"", ",", "a\",\"", ";"]),
    ("a.json", &["{\"a\":\"", "\",\"", "[", "{", "\"\\u0061", "\\\"", "}"]),
    ("a.eml", &["\n\n", "=3D", "=\n", "=?utf-8?q?", "?=", "--b\n", "Content-Type: text/html\n", "<a href="]),
    ("a.mbox", &["\nFrom a@b Mon Jan  1 00:00:00 2024\n\n", "\n>From ", "Content-Length: 5\n"]),
    ("a.html", &[
        "<a href=", "<a href='", "<base href=", "<p>", "</p>", "<b>", "<table>", "<tr>", "<td>", "<svg>", "<style>", "</style>",
        "<script>", "<select>", "<option>", "<template>", "<meta content='0;url=", "<img srcset='a 1x,", "style='", "url(",
        "<nobr>", "<wbr>", "<math><mi>",
    ]),
    ("a.css", &["url(", "url('", "@import '", "@import url(", "image-set(", "\\75 rl(", "--x:", "src:"]),
    ("a.xml", &["<a b='", "<a xmlns='", "</a>", "<a xml:base='", "<?", "<!DOCTYPE [", "<!ENTITY a '", "&a;", "<a>"]),
    ("a.md", &[
        "[", "](", "![", "[a]: ", "[^", "``", "**", "~~", "- ", "1. ", "| ", "|-|\n", "    ", "```\n", "[[", "]]", "{% ", "{{",
        "---\n", "(<", "[a][b]",
    ]),
    ("a.ipynb", &["{\"cells\":[", "{\"cell_type\":\"markdown\",\"source\":[\"", "\"]}", "\"[a](", "],"]),
    ("a.po", &["msgid \"", "msgstr \"", "\"\n\"", "#: "]),
    ("a.tex", &["\\url{", "\\href{", "}{", "%", "\\verb|", "\\\\", "$"]),
    ("a.yaml", &["a: ", "- ", "'", "|\n  ", "&a ", "{a: "]),
    ("a.url", &["[InternetShortcut]\n", "URL=", "BASEURL="]),
    ("a.py", &["\"\"\"", "r'", "f\"{", "\" \"", "('a' 'b'", "\\\n"]),
    ("a.c", &["\"\n\"", "L\"", "R\"(", "//"]),
    ("a.1", &[".UR ", ".UE\n", "\\(", "\\&", ".\\\""]),
    ("a.texi", &["@uref{", "@url{", "@c ", "@@"]),
    ("a.rst", &["`a <", ">`_", ".. _a: ", "::\n", "|a|"]),
];

/// Pseudorandom numbers, the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn one_of<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    /// A piece of any kind.
    fn piece(&mut self, syntax: &[&'static str]) -> &'static str {
        match self.below(3) {
            0 => self.one_of(STARTS),
            1 => self.one_of(PIECES),
            _ => self.one_of(syntax),
        }
    }

    /// Often nothing, otherwise a piece.
    fn edge(&mut self, syntax: &[&'static str]) -> &'static str {
        match self.below(2) {
            0 => "",
            _ => self.piece(syntax),
        }
    }
}

/// A beginning, a unit and an end.
struct Family {
    name: &'static str,
    first: &'static str,
    unit: String,
    last: &'static str,
}

fn families(number: usize) -> impl Iterator<Item = Family> {
    let mut chance = Chance(number as u64);
    (0..number).map(move |_| {
        let (name, syntax) = LANGUAGES[chance.below(LANGUAGES.len())];
        let pieces = 1 + chance.below(4);
        Family {
            name,
            first: chance.edge(syntax),
            unit: (0..pieces).map(|_| chance.piece(syntax)).collect(),
            last: chance.edge(syntax),
        }
    })
}

fn options() -> [TextOptions; 2] {
    let all = TextOptions {
        abbreviated: true,
        emails: true,
        join: Some(Join::Guess),
        ..TextOptions::default()
    };
    [TextOptions::default(), all]
}

/// Reads a text as a document with this name, rewrites it, and makes links in it.
fn work(name: &str, text: &str) {
    let document = Document::new(name, text.as_bytes().to_vec());
    if document.format().is_mail() {
        return drop(black_box(found_in(text.as_bytes(), Format::Mail)));
    }
    for text in options() {
        let options = Options { text, html_text: true, ..Options::default() };
        black_box(document.found(&options).links.len());
        let linkify = Linkify::new().text_options(text);
        black_box(linkify.document(&document).map(|it| it.links).ok());
    }
    if document.format().is_rewritable() && !document.format().is_rewritten_by_maps_only() {
        let links = document.links();
        let rules = Rules::new().absolute();
        black_box(Plan::new(&links, &rules).bytes().len());
    }
}

#[test]
fn families_of_texts_cost_linear_time() {
    for Family { name, first, unit, last } in families(tier::pick(24, 400)) {
        let text = |len: usize| format!("{first}{}{last}", unit.repeat(len / unit.len()));
        let shown = format!("{name}: {first:?} {unit:?} {last:?}");
        assert_linear_in(&shown, text, |text| work(name, text));
    }
}

/// Texts whose cost was quadratic.
#[test]
fn known_families_cost_linear_time() {
    let known = [
        // The address ends each URL early.
        ("a.txt", "", "mailto:a@", ""),
        ("a.csv", "\"", "mailto:a@", ""),
        ("a.eml", "\n\n", "mailto:a@", ""),
        ("a.html", "<p>", "mailto:a@", ""),
        ("a.txt", "", "mailto:a@b,?", ""),
        ("a.txt", "", "mailto:a@b,x?", ""),
        ("a.txt", "", "mailto:a@b&", ""),
        ("a.txt", "", "mailto:a@b~", ""),
        // Quotes without a `<` after them.
        ("a.txt", "", "\"a", ""),
        ("a.txt", "", "<a", ""),
        // Brackets of templates that nothing closes.
        ("a.html", "<a href=", "/{a", ">"),
        ("a.html", "<a href=", "%(a", ">"),
        // Defanged URLs, escapes and markup.
        ("a.txt", "", "hxxp://a[.]", ""),
        ("a.txt", "", "http[:]//a[.]b", ""),
        ("a.txt", "hxxp://a", "[.]b", ""),
        ("a.txt", "hxxp://a/", "[.", ""),
        ("a.txt", "{\"a\":\"", "http:\\/\\/", ""),
        ("a.txt", "", "\"http:\\/\\/a", ""),
        ("a.txt", "\"http://a/", "\\u0026", ""),
        ("a.txt", "http://a/?", "\\=b", ""),
        ("a.txt", "", "http://a{code}", ""),
        ("a.txt", "", "{color}http://a/", ""),
        ("a.txt", "http://a", ",b", "/"),
        ("a.txt", "mongodb://a", ",b:1", "/"),
        ("a.txt", "", "http://a,", ""),
        ("a.txt", "", "http://a&quot;", ""),
        ("a.txt", "", "|http://a|", ""),
        ("a.txt", "<http://a", "|", ">"),
        // One URL in many pieces.
        ("a.c", "<http://a", "//\"\n\"", ""),
    ];
    for (name, first, unit, last) in known {
        let text = |len: usize| format!("{first}{}{last}", unit.repeat(len / unit.len()));
        let shown = format!("{name}: {first:?} {unit:?}");
        assert_linear_in(&shown, text, |text| work(name, text));
    }
}
