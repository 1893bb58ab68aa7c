use super::*;
use crate::format::compare::LinkState;

/// A document whose links are between `‹` and `›`, those that are edited between `«` and `»`.
fn marked(text: &str) -> (String, Vec<Span>, Vec<LinkState>) {
    let (mut out, mut links, mut states) = (String::new(), Vec::new(), Vec::new());
    let mut start = 0;
    for character in text.chars() {
        match character {
            '‹' | '«' => start = out.len(),
            '›' | '»' => {
                links.push(Span::new(start, out.len()));
                let edited = character == '»';
                states.push(LinkState { edited, depth: 0 });
            }
            _ => out.push(character),
        }
    }
    (out, links, states)
}

fn compared(old: &str, new: &str) -> Result<(), Difference> {
    let (old, old_links, states) = marked(old);
    let (new, new_links, _) = marked(new);
    let side = |text: &'static str, links: &'static [Span]| Side {
        bytes: text.as_bytes(),
        encoding: UTF_8,
        links,
    };
    compare(&Pair {
        old: side(old.leak(), old_links.leak()),
        new: side(new.leak(), new_links.leak()),
        links: &states,
        scripting: false,
        links_in_code: false,
    })
}

#[test]
fn rewritten_destinations_are_the_same_document() {
    for (old, new) in [
        ("[a](«b»)", "[a](«c»)"),
        ("[a](«b» 't') *c*", "[a](«longer/one» 't') *c*"),
        ("[a](<«b»>)", "[a](<«c d»>)"),
        ("[a](«») b", "[a](«c») b"),
        ("[](«b»)", "[](«c»)"),
        ("[a](«b») [c](‹d›)", "[a](<«»>) [c](‹d›)"),
        ("[a]: «b»\n[b]: c", "[a]: <«»>\n[b]: c"),
        ("![a *b*](«b»)", "![a *b*](«c»)"),
        ("[![a](«b»)](«c»)", "[![a](«dd»)](«ee»)"),
        ("[![a](«b»)](‹c›)", "[![a](«dd»)](‹c›)"),
        ("[![a](‹b›)](«c»)", "[![a](‹b›)](«dd»)"),
        ("[a]\n\n[a]: «b»\n", "[a]\n\n[a]: «c»\n"),
        ("[a]: «b» 't'\n[a]: «c»\n", "[a]: «bb» 't'\n[a]: «cc»\n"),
        ("[a]: <«»>\n\n[a][] [b][a]", "[a]: <«b»>\n\n[a][] [b][a]"),
        ("<«http://a/»> <«b@c.d»>", "<«http://b/c»> <«d@e.f»>"),
        ("<«b@c.d»>", "<«mailto:b@c.d»>"),
        ("a\r    [b](«c\0»)", "a\r    [b](«d\0»)"),
        ("see «http://a/», or «www.b»", "see «http://c/d», or «http://b»"),
        ("«http://a/_b_*c*&amp;`»", "«http://a/*b*_c_&lt;~»"),
        ("‹http://a`b› [c](«d») `e`", "‹http://a`b› [c](«f») `e`"),
        ("‹http://a`b› `c` <«http://d/`e»>", "‹http://a`b› `c` <«http://f/g/`h»>"),
        ("«http://a/b»&amp; *c*", "«http://a/bb»&amp; *c*"),
        ("|a|b|\n|-|-|\n|[a](«b»)|«http://a\\|b»|", "|a|b|\n|-|-|\n|[a](«c\\|d»)|«http://c»|"),
        ("> - [a](«b»)\n>   c", "> - [a](«c»)\n>   c"),
        ("a <a href=«b» title=c>", "a <a href=\"«c d»\" title=c>"),
        ("> <div>\n> <a href='«b»'>\n> </div>", "> <div>\n> <a href='«c»'>\n> </div>"),
        ("- a <a\n  href='«b»'>c</a>\n", "- a <a\n  href='«c»'>c</a>\n"),
        (
            "<img srcset='«b» 1x, ‹c› 2x'>\r\n<img src=«d»>\r\n",
            "<img srcset='«bb» 1x, ‹c› 2x'>\r\n<img src=\"«d e»\">\r\n",
        ),
        ("> <a\n> href='«b»'\n> title=\"c\">", "> <a\n> href='«bb»'\n> title=\"c\">"),
        ("|a|\n|-|\n|b|<a href=«c»>|", "|a|\n|-|\n|b|<a href=\"«d»\">|"),
        ("---\na: «b»\n---\n", "---\na: «c»\n---\n"),
    ] {
        assert_eq!(compared(old, new), Ok(()), "{old} became {new}");
    }
}

#[test]
fn other_differences_are_refused() {
    for (old, new) in [
        // The destination does not end where it should.
        ("[a](«b»)", "[a](«b c»)"),
        ("[a](«b»)", "[a](«b)»)"),
        ("[a](«b»)", "[a](«(b»)"),
        ("[a](<«b»>)", "[a](<«b>c»>)"),
        ("[a](<«b»>)", "[a](<«b\n»>)"),
        ("[a](«b» 't')", "[a](«b 'c'» 't')"),
        ("[a]\n\n[a]: «b»\n", "[a]\n\n[a]: «b c»\n"),
        ("[a]\n\n[a]: «b»\n", "[a]\n\n[a]: «b\n[c]: d»\n"),
        ("<«http://a/»>", "<«http://a b»>"),
        ("<«http://a/»>", "<«a/»>"),
        ("|a|\n|-|\n|[a](«b»)|", "|a|\n|-|\n|[a](«b|c»)|"),
        ("«http://a/»", "«http://b/\n\n»"),
        // Outside of the link.
        ("[a](«b») c", "[a](«c») d"),
        ("[a](«b») c", "[a](«c»)  c"),
        ("[a](«b» 't')", "[a](«c» 'u')"),
        ("[a](«b»)", "[b](«c»)"),
        ("[a](«b»)", "![a](«c»)"),
        ("[a](«b»)", "[a](<«c»>)"),
        ("[a](«b»)", "[a](\"«c»\")"),
        ("[a](«b»)\n", "[a](«c»)\n\n"),
        ("[a](«b»)\n", "[a](«c»)\r\n"),
        ("- [a](«b»)", "* [a](«c»)"),
        ("- [a](«b»)\n- c", "- [a](«c»)\n\n- c"),
        ("[a]: «b» 't'\n", "[a]: «c» 'u'\n"),
        ("[a]: «b»\n[c]: d\n", "[a]: «c»\n"),
        ("[a](«b») [c](d)", "[a](«c») [c](e)"),
        ("see «http://a/» b", "see «http://c/» d"),
        ("<a href=«b» title=c>", "<a href=«c» title=d>"),
        ("<a href=«b» title=c>", "<a href=«c title=e» title=c>"),
        ("> <div>\n> <a href='«b»'>", "> <div>\n>  <a href='«c»'>"),
        ("<div>\n<a href='«b»'>\n", "<div>\n<a href='«c\n\n»'>\n"),
        // Code to pulldown-cmark.
        ("`«http://a/»`", "`«http://b/»`"),
        ("    «http://a/»", "    «http://b/»"),
    ] {
        assert!(compared(old, new).is_err(), "{old} became {new}");
    }
}

#[test]
fn a_difference_has_its_offset() {
    let difference = compared("é [a](«b») *c*", "é [a](«d») _c_").expect_err("a marker differs");
    assert_eq!(difference.at, Some(8), "{}", difference.what);
}
