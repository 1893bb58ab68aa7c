use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::*;
use crate::format::markdown::blocks::blocks_of;
use crate::format::options::Dialect;

const PLAIN: Rendering = Rendering { has_image_texts: false, dashes: Dashes::Hyphens };

/// The text of a heading in a document that defines the link `r` and the footnote `^f`.
fn text(source: &str) -> String {
    rendered(source, PLAIN)
}

fn rendered(source: &str, rendering: Rendering) -> String {
    let document = blocks_of("[r]: u\n\n[^f]: n\n", 0, Dialect::None);
    heading_text(source, &document.labels, Syntax::default(), rendering)
}

#[test]
fn emphasis_is_removed() {
    for (source, expected) in [
        ("*a* __b__ ***c*** ~~d~~ ~e~", "a b c d e"),
        ("foo_bar _x_ a_b_", "foo_bar x a_b_"),
        ("*foo _bar* baz_", "foo _bar baz_"),
        ("**a", "**a"),
        ("***a**", "*a"),
        ("*a**", "a*"),
        ("**foo*bar**", "foo*bar"),
        ("*foo**bar*", "foo**bar"),
        ("_(x)_ __x__y", "(x) __x__y"),
        ("~~~a~~~ ~a~~", "~~~a~~~ ~a~~"),
        ("a * b _ c", "a * b _ c"),
        ("*a\u{A0}* **“x”**y", "*a\u{A0}* **“x”**y"),
        ("\\*a\\* &#42;b*", "*a* *b*"),
        ("*[a*](u)", "*a*"),
        ("[*a](u)*", "*a*"),
        ("_[_a_](u)_", "a"),
    ] {
        assert_eq!(text(source), expected, "{source}");
    }
}

#[test]
fn links_are_their_text() {
    for (source, expected) in [
        ("[a *b*](u \"t\") c", "a b c"),
        ("[a][r] [r][] [r] [q] [a][q]", "a r r [q] [a][q]"),
        ("[a [b](u) c](v)", "[a b c](v)"),
        ("a ![x](i.png) b", "a  b"),
        ("[![x](i.png) a](u)", " a"),
        ("![a [b](u) *c*](v)d", "d"),
        (
            "<http://a.example/_b_> http://a.example/_b_",
            "http://a.example/_b_ http://a.example/_b_",
        ),
        ("a[^f] b[^g]", "a b[^g]"),
    ] {
        assert_eq!(text(source), expected, "{source}");
    }
}

#[test]
fn code_remains_and_tags_do_not() {
    for (source, expected) in [
        ("`` `*a*` `` ` b` `&amp;`", "`*a*`  b &amp;"),
        ("<b>a</b> <!-- c --> <a name=\"_\"></a>d < e", "a  d < e"),
        ("&amp; &copy; &copy &#x41; &nosuch;", "& © &copy A &nosuch;"),
        ("a \\# \\b \\", "a # \\b \\"),
        ("a  \n  b\\\nc\r\nd `x\ny`", "a\nb\nc\nd x y"),
    ] {
        assert_eq!(text(source), expected, "{source}");
    }
}

#[test]
fn renderings_are_of_images_and_dashes() {
    let images = Rendering { has_image_texts: true, ..PLAIN };
    assert_eq!(rendered("![a *b*](i) [![c][r]](u)", images), "a b c");
    let dashes = |dashes| Rendering { dashes, ..PLAIN };
    let source = "a-b--c---d----e-----f... `--` \\--";
    assert_eq!(rendered(source, dashes(Dashes::Threes)), "a-b–c–d–-e––f… -- --");
    assert_eq!(rendered(source, dashes(Dashes::All)), "a-b–c–d––e––f… -- --");
}

/// The text that pulldown-cmark reads, with the same definitions.
fn oracle(source: &str, rendering: Rendering) -> String {
    let document = format!("# {source}\n\n[r]: u\n\n[^f]: n\n");
    let options = Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES;
    let mut text = String::new();
    let mut hidden = 0;
    for event in Parser::new_ext(&document, options) {
        match event {
            Event::End(TagEnd::Heading(_)) => break,
            Event::Start(Tag::Image { .. }) if !rendering.has_image_texts => hidden += 1,
            Event::End(TagEnd::Image) if !rendering.has_image_texts => hidden -= 1,
            Event::Text(part) | Event::Code(part) if hidden == 0 => text.push_str(&part),
            _ => {}
        }
    }
    text
}

/// Without the syntax that pulldown-cmark reads differently: the flanks of `~`, and footnotes in
/// brackets.
fn any_source() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "*", "**", "***", "_", "__", "___", "`", "``", " ", "a", "b", "é", ".", "-", "“", "€",
        "\u{A0}", "\\", "&amp;", "&#95;", "&copy", "[", "]", "![", "](u)", "](", ")", "(", "][r]",
        "[r]", "[]", "<b>", "</b>", "<i j='_'>", "<", ">", "<a:b_c>", "<!-- _ -->", "\"", "'", "!",
        "/", "=",
    ]);
    prop::collection::vec(part, 0..14).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn texts_are_those_of_pulldown_cmark(source in any_source(), has_image_texts: bool) {
        let source = source.trim_matches(' ');
        // Read as a label by pulldown-cmark.
        prop_assume!(!source.contains("]\\["));
        let rendering = Rendering { has_image_texts, ..PLAIN };
        prop_assert_eq!(rendered(source, rendering), oracle(source, rendering), "{:?}", source);
    }
}
