//! Links that are made in HTML and plain text: what users of other programs expect, case by case.
//!
//! In the tables, `[text]` is a link whose target is its text, and `[text](target)` any other.

use regex::{Captures, Regex};
use rehref::Linkify;
use rehref::format::text::{Iri, Join, TextOptions};
use rehref::rewrite::{AnchorChoice, LinkifyError};

/// The HTML with its links in short form.
fn short(html: &str) -> String {
    let link = Regex::new(r#"(?s)<a href="([^"]*)">(.*?)</a>"#).expect("an expression");
    let shown = |found: &Captures<'_>| match found[1] == found[2] {
        true => format!("[{}]", &found[2]),
        false => format!("[{}]({})", &found[2], &found[1]),
    };
    link.replace_all(html, shown).into_owned()
}

#[track_caller]
fn check_html(linkify: &Linkify, cases: &[(&str, &str)]) {
    for (html, expected) in cases {
        let linked = linkify.html(html);
        assert_eq!(short(&linked), *expected, "{html}");
        assert_eq!(linkify.html(&linked), linked, "a second run: {html}");
    }
}

#[track_caller]
fn check_text(linkify: &Linkify, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(short(&linkify.text(text)), *expected, "{text}");
    }
}

/// Without links, HTML is as it was.
#[track_caller]
fn check_unchanged(linkify: &Linkify, cases: &[&str]) {
    for html in cases {
        assert_eq!(linkify.html(html), *html);
    }
}

fn with(text: TextOptions) -> Linkify {
    Linkify::new().text_options(text)
}

fn finding_all() -> Linkify {
    with(TextOptions { abbreviated: true, emails: true, ..TextOptions::default() })
}

#[test]
fn urls_in_html_become_links() {
    check_html(
        &Linkify::new(),
        &[
            ("http://a.example/", "[http://a.example/]"),
            ("<p>See http://a.example/b.</p>", "<p>See [http://a.example/b].</p>"),
            ("HTTPS://A.Example:8443/B", "[HTTPS://A.Example:8443/B]"),
            ("ftp://a.example/pub/", "[ftp://a.example/pub/]"),
            ("http://u:p@a.example/", "[http://u:p@a.example/]"),
            ("http://[2001:db8::1]:80/x", "[http://[2001:db8::1]:80/x]"),
            ("http://192.0.2.1/", "[http://192.0.2.1/]"),
            ("http://localhost:3000/x", "[http://localhost:3000/x]"),
            ("http://b\u{FC}cher.example/\u{4F8B}", "[http://b\u{FC}cher.example/\u{4F8B}]"),
            ("mailto:ann@a.example", "[mailto:ann@a.example]"),
            (
                "http://a.example/<br>http://b.example/",
                "[http://a.example/]<br>[http://b.example/]",
            ),
            ("<li>http://a.example/</li>", "<li>[http://a.example/]</li>"),
            ("<b>http://a.example/b</b>c", "<b>[http://a.example/b]</b>c"),
            ("http://a.example/<b>c</b>", "[http://a.example/]<b>c</b>"),
            (
                "<p>http://a.example/<p>http://b.example/",
                "<p>[http://a.example/]<p>[http://b.example/]",
            ),
            ("<p>http://a.example/ <b", "<p>[http://a.example/] <b"),
            ("</p>http://a.example/", "</p>[http://a.example/]"),
            ("http://a.example/<!-- c -->", "[http://a.example/]<!-- c -->"),
            ("<table><tr><td>http://a.example/", "<table><tr><td>[http://a.example/]"),
            ("<object><p>http://a.example/", "<object><p>[http://a.example/]"),
            ("&#104;ttp://a.example/", "[&#104;ttp://a.example/](http://a.example/)"),
        ],
    );
}

#[test]
fn punctuation_around_a_url_is_not_part_of_it() {
    let cases = [
        ("http://a.example/b.", "[http://a.example/b]."),
        ("http://a.example/b, and", "[http://a.example/b], and"),
        ("http://a.example/b?!", "[http://a.example/b]?!"),
        ("http://a.example/b...", "[http://a.example/b]..."),
        ("(http://a.example/b)", "([http://a.example/b])"),
        ("(see http://a.example/b).", "(see [http://a.example/b])."),
        ("http://wiki.example/A_(b)", "[http://wiki.example/A_(b)]"),
        ("(http://wiki.example/A_(b))", "([http://wiki.example/A_(b)])"),
        ("[http://a.example/b]", "[[http://a.example/b]]"),
        ("http://a.example/b?c=[d]", "[http://a.example/b?c=[d]]"),
        ("http://a.example/b/", "[http://a.example/b/]"),
        ("http://a.example/b#c", "[http://a.example/b#c]"),
        ("http://a.example/it-is;b=c:d", "[http://a.example/it-is;b=c:d]"),
    ];
    check_html(&Linkify::new(), &cases);
    check_text(&Linkify::new(), &cases);
}

#[test]
fn character_references_at_the_edges_of_a_url_are_not_part_of_it() {
    check_html(
        &Linkify::new(),
        &[
            ("&lt;http://a.example/&gt;", "&lt;[http://a.example/]&gt;"),
            ("&quot;http://a.example/&quot;", "&quot;[http://a.example/]&quot;"),
            ("http://a.example/&gt;b", "[http://a.example/]&gt;b"),
            ("http://a.example/&lt;b", "[http://a.example/]&lt;b"),
            ("http://a.example/&quot; b", "[http://a.example/]&quot; b"),
            ("http://a.example/&nbsp;b", "[http://a.example/]&nbsp;b"),
            ("http://a.example/?b=1&amp;c=2", "[http://a.example/?b=1&amp;c=2]"),
            (
                "http://a.example/?b=1&c=2",
                "[http://a.example/?b=1&c=2](http://a.example/?b=1&amp;c=2)",
            ),
            ("http://a.example/b&#41; c", "[http://a.example/b]&#41; c"),
            ("&#40;http://a.example/b&#41;", "&#40;[http://a.example/b]&#41;"),
        ],
    );
}

#[test]
fn text_is_escaped() {
    check_text(
        &Linkify::new(),
        &[
            ("a < b & c > d", "a &lt; b &amp; c &gt; d"),
            ("\"a\" 'b'", "&quot;a&quot; &#39;b&#39;"),
            ("&lt;", "&amp;lt;"),
            ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
            ("http://a.example/?b=1&c=2", "[http://a.example/?b=1&amp;c=2]"),
            ("http://a.example/'b'c", "[http://a.example/&#39;b&#39;c]"),
            ("http://a.example/\"onclick=\"x", "[http://a.example/]&quot;onclick=&quot;x"),
            ("one\ntwo\r\n", "one\ntwo\r\n"),
        ],
    );
}

#[test]
fn existing_links_and_other_markup_are_not_touched() {
    check_unchanged(
        &finding_all(),
        &[
            "<a href=\"http://a.example/\">http://a.example/</a>",
            "<a href=x><b>http://a.example/</b></a>",
            "<a name=x>www.a.example</a>",
            "<p><a href=x>b</p>http://a.example/",
            "<img src=\"http://a.example/\" alt=\"http://b.example/\">",
            "<!-- http://a.example/ -->",
            "<![CDATA[http://a.example/]]>",
            "<?php http://a.example/ ?>",
            "<script>var a = 'http://a.example/'</script>",
            "<style>/* http://a.example/ */</style>",
            "<textarea>http://a.example/</textarea>",
            "<title>http://a.example/</title>",
            "<button>http://a.example/</button>",
            "<select><option>http://a.example/</select>",
            "<noscript>http://a.example/</noscript>",
            "<iframe>http://a.example/</iframe>",
            "<iframe srcdoc=\"<p>http://a.example/\"></iframe>",
            "<xmp>http://a.example/</xmp>",
            "<plaintext>http://a.example/",
            "<svg><text>http://a.example/</text></svg>",
            "<svg><foreignObject><p>http://a.example/</foreignObject></svg>",
            "<svg><![CDATA[http://a.example/]]></svg>",
            "<math><mtext>http://a.example/</mtext></math>",
            "<template>http://a.example/</template>",
            "<table>http://a.example/</table>",
            "<frameset>http://a.example/",
            "<b title=\"http://a.example/",
            "",
            "no link",
        ],
    );
}

#[test]
fn unsafe_text_is_never_linked() {
    check_unchanged(
        &finding_all(),
        &strings![
            "javascript:alert(1)" "JavaScript://a.example/%0Aalert(1)" "java\u{1}script:alert(1)"
            "vbscript:x" "data:text/html,b" "javascript&colon;alert(1)" "foo://a.example/"
            "htt\0p://a.example/"
        ],
    );
    assert_eq!(
        Linkify::new().schemes(["http", "JavaScript"]).err(),
        Some(LinkifyError::UnsafeScheme("javascript".to_owned()))
    );
    for scheme in ["", "http:", "a b", "1a", "h\tttp", " http"] {
        let error = Linkify::new().schemes([scheme]).err();
        assert_eq!(error, Some(LinkifyError::Scheme(scheme.to_owned())));
    }
}

#[test]
fn quotes_and_controls_in_urls_end_no_attribute() {
    check_html(
        &Linkify::new(),
        &[
            ("http://a.example/\"onclick=b", "[http://a.example/]\"onclick=b"),
            (
                "http://a.example/'onclick=b",
                "[http://a.example/'onclick=b](http://a.example/&#39;onclick=b)",
            ),
            ("&lt;http://a.example/b&quot;c&gt;", "&lt;[http://a.example/b&quot;c]&gt;"),
            ("http://a.example/b\0c", "[http://a.example/b]\0c"),
            ("http://a.example/b\u{1}c", "[http://a.example/b]\u{1}c"),
            ("http://a.example/b\u{7F}c", "[http://a.example/b]\u{7F}c"),
            ("http://a.example/b\u{202E}c", "[http://a.example/b]\u{202E}c"),
        ],
    );
}

/// One parser finds text where another finds an attribute, whose quotes a link would end.
#[test]
fn no_link_is_made_where_parsers_disagree() {
    check_unchanged(
        &Linkify::new(),
        &[
            // With and without scripting.
            "<noscript><p title=\"</noscript>http://a.example/onclick=b//\">",
            "<noscript><!--</noscript>http://a.example/-->",
            "<noscript><style></noscript>http://a.example/</style></noscript>",
            // Older browsers drop elements in a `select`.
            "<select><title></select><p title=\"</title></select>http://a.example/onclick=b//\">",
            "<select><svg><![CDATA[><option title=\"]]></svg></select>http://a.example/onclick=b//\">",
            // In fragments, older browsers keep elements in SVG and MathML.
            "<svg><desc><svg><p><style><b title=\"</style></p></svg></desc></svg>http://a.example/onclick=b//\">",
            "<svg><desc><svg></p><style><b title=\"</style></svg></desc></svg>http://a.example/onclick=b//\">",
            "<svg><head><style><b title=\"</style>http://a.example/onclick=b//\">",
            "<div><svg></div><textarea><b title=\"</textarea>http://a.example/onclick=b//\">",
            "<svg><p><textarea><b title=\"</textarea>http://a.example/onclick=b//\">",
            "<math></p><style><b title=\"</style>http://a.example/onclick=b//\">",
            // Some parsers end SVG and MathML at the end of an element around them.
            "<span><svg><desc><i></span></i></desc><style><b title=\"</style>http://a.example/onclick=b//\">",
            "<b-c><svg><title><i></b-c></i></title><style><b title=\"</style>http://a.example/onclick=b//\">",
            "<b><svg><foreignObject><i></b></i></foreignObject><style><b title=\"</style>http://a.example/onclick=b//\">",
            "<span><math><mtext><i></span></i></mtext><style><b title=\"</style>http://a.example/onclick=b//\">",
            "<u><u><u><u></u></u></u><svg><desc><i></u></i></desc><style><b title=\"</style>http://a.example/onclick=b//\">",
            "<li><svg><desc><i><li></li></i></desc><style><b title=\"</style>http://a.example/onclick=b//\">",
            "<dd><svg><desc><i><dd></dd></i></desc><style><b title=\"</style>http://a.example/onclick=b//\">",
            "<datalist><svg><desc><i></datalist></i></desc></svg>http://a.example/",
            // Some parsers do not know `search`, or know `isindex`.
            "<option><search></option></search>http://a.example/",
            "<datalist><search></datalist></search>http://a.example/",
            "<datalist><isindex></datalist></isindex></datalist>http://a.example/",
        ],
    );
    check_html(
        &Linkify::new(),
        &[
            (
                "<select><option>b</select>http://a.example/",
                "<select><option>b</select>[http://a.example/]",
            ),
            ("<svg><path/></svg>http://a.example/", "<svg><path/></svg>[http://a.example/]"),
            (
                "<svg><desc><p>b</p></desc></svg>http://a.example/",
                "<svg><desc><p>b</p></desc></svg>[http://a.example/]",
            ),
            (
                "<svg><foreignObject><div><b>c</b></div></foreignObject><path/></svg>http://a.example/",
                "<svg><foreignObject><div><b>c</b></div></foreignObject><path/></svg>[http://a.example/]",
            ),
            (
                "<math><mi>b</mi><mtext><i>c</i></mtext></math>http://a.example/",
                "<math><mi>b</mi><mtext><i>c</i></mtext></math>[http://a.example/]",
            ),
            (
                "<b><p>c</b></p><search>http://a.example/</search>http://a.example/",
                "<b><p>c</b></p><search>[http://a.example/]</search>[http://a.example/]",
            ),
            (
                "<search><form>b</form></search>http://a.example/",
                "<search><form>b</form></search>[http://a.example/]",
            ),
            (
                "<noscript>b</noscript>http://a.example/",
                "<noscript>b</noscript>[http://a.example/]",
            ),
        ],
    );
}

#[test]
fn no_link_is_made_in_skipped_elements() {
    check_html(
        &Linkify::new().skip("PRE, code".split(',')),
        &[
            (
                "<pre>http://a.example/</pre>http://b.example/",
                "<pre>http://a.example/</pre>[http://b.example/]",
            ),
            ("<PRE><b>http://a.example/</b></PRE>", "<PRE><b>http://a.example/</b></PRE>"),
            (
                "<p><code>http://a.example/<p>http://b.example/",
                "<p><code>http://a.example/<p>http://b.example/",
            ),
            ("<kbd>http://a.example/</kbd>", "<kbd>[http://a.example/]</kbd>"),
        ],
    );
    let page = "<pre>http://a.example/</pre>";
    assert_eq!(short(&Linkify::new().html(page)), "<pre>[http://a.example/]</pre>");
}

#[test]
fn abbreviated_urls_and_mail_addresses_are_linked_on_demand() {
    let html = "www.a.example/b ftp.c.example d@e.example &lt;f@g.example&gt; h.example";
    assert_eq!(Linkify::new().html(html), html);
    check_html(
        &finding_all(),
        &[(
            html,
            "[www.a.example/b](http://www.a.example/b) [ftp.c.example](ftp://ftp.c.example) \
             [d@e.example](mailto:d@e.example) &lt;[f@g.example](mailto:f@g.example)&gt; h.example",
        )],
    );
    let only_https = finding_all().schemes(["https"]).expect("a scheme");
    check_html(
        &only_https,
        &[(
            "www.a.example b@c.example https://d.example/",
            "www.a.example b@c.example [https://d.example/]",
        )],
    );
}

/// Mail programs cut or lengthen such URLs.
#[test]
fn urls_in_angle_brackets_are_whole() {
    check_text(
        &Linkify::new(),
        &[
            // The closing bracket is not part of the link, and what follows it is not either.
            ("<http://a.example/b>", "&lt;[http://a.example/b]&gt;"),
            ("<http://a.example/b>, c", "&lt;[http://a.example/b]&gt;, c"),
            ("see<http://a.example/b>c", "see&lt;[http://a.example/b]&gt;c"),
            (
                "<http://a.example/b><http://c.example/d>",
                "&lt;[http://a.example/b]&gt;&lt;[http://c.example/d]&gt;",
            ),
            // A line break inserted by the mail program is not part of the URL. Words are its label.
            ("<http://a.example/b\n c>", "&lt;[http://a.example/b\n c](http://a.example/bc)&gt;"),
            (
                "<URL:http://a.example/b/\r\n\tc>",
                "&lt;URL:[http://a.example/b/\r\n\tc](http://a.example/b/c)&gt;",
            ),
            ("<http://a.example/b c>", "&lt;[http://a.example/b] c&gt;"),
            (
                "> <http://a.example/b/\n> c>",
                "&gt; &lt;[http://a.example/b/](http://a.example/b/c)\n&gt; [c](http://a.example/b/c)&gt;",
            ),
            // Characters that end a bare URL do not end it in brackets.
            ("<http://a.example/b|c>", "&lt;[http://a.example/b]|c&gt;"),
            ("<http://a.example/b,>", "&lt;[http://a.example/b,]&gt;"),
            ("<http://a.example/(b>", "&lt;[http://a.example/(b]&gt;"),
            ("<http://a.example/'b'>", "&lt;[http://a.example/&#39;b&#39;]&gt;"),
            // A defanged URL is to be no link.
            (
                "hxxp[:]//a[.]example/b http://a[.]example",
                "hxxp[:]//a[.]example/b http://a[.]example",
            ),
        ],
    );
    check_html(
        &Linkify::new(),
        &[
            (
                "&lt;URL:http://a.example/b/\n  c&gt;",
                "&lt;URL:[http://a.example/b/\n  c](http://a.example/b/c)&gt;",
            ),
            (
                "<pre>&gt; &lt;http://a.example/b/\n&gt; c&gt;</pre>",
                "<pre>&gt; &lt;[http://a.example/b/](http://a.example/b/c)\n&gt; [c](http://a.example/b/c)&gt;</pre>",
            ),
            (
                "&lt;http://a.example/b&gt;&lt;http://c.example/&gt;",
                "&lt;[http://a.example/b]&gt;&lt;[http://c.example/]&gt;",
            ),
        ],
    );
}

/// A bare URL has the characters that URLs of the web have, and ends before the markup of HTML.
#[test]
fn bare_urls_are_not_cut() {
    check_text(
        &Linkify::new(),
        &[
            ("http://a.example/b|c d", "[http://a.example/b|c] d"),
            ("http://a.example/b,c d", "[http://a.example/b,c] d"),
            ("http://a.example/b'c d", "[http://a.example/b&#39;c] d"),
            ("http://a.example/b(c) d", "[http://a.example/b(c)] d"),
            ("http://a.example/b;c=d!e*f~g", "[http://a.example/b;c=d!e*f~g]"),
            ("http://a.example/b>c", "[http://a.example/b]&gt;c"),
            ("'http://a.example/b' c", "&#39;[http://a.example/b]&#39; c"),
            ("http://a.example/b- c", "[http://a.example/b-] c"),
        ],
    );
}

#[test]
fn invisible_breaks_stay_in_the_link() {
    check_html(
        &Linkify::new(),
        &[
            ("http://a.example/b<wbr>c", "[http://a.example/b<wbr>c](http://a.example/bc)"),
            (
                "http://a.example/<wbr>b/<wbr>c d",
                "[http://a.example/<wbr>b/<wbr>c](http://a.example/b/c) d",
            ),
            ("http://a.example/b&shy;c", "[http://a.example/b&shy;c](http://a.example/bc)"),
            ("http://a.example/b\u{200B}c", "[http://a.example/b\u{200B}c](http://a.example/bc)"),
        ],
    );
    check_unchanged(&Linkify::new(), &["<table>http://a.example/b<wbr>c"]);
}

#[test]
fn text_options_decide_about_urls() {
    let broken = "http://a.example/b?c=\nd1.html";
    let guess = with(TextOptions { join: Some(Join::Guess), ..TextOptions::default() });
    let joined = "[http://a.example/b?c=\nd1.html](http://a.example/b?c=d1.html)";
    check_text(&guess, &[(broken, joined)]);
    let none = with(TextOptions { join: Some(Join::None), ..TextOptions::default() });
    check_text(&none, &[("<http://a.example/b\nc>", "&lt;[http://a.example/b]\nc&gt;")]);
    let ascii = with(TextOptions { iri: Iri::Ascii, ..TextOptions::default() });
    check_html(&ascii, &[("http://a.example/b\u{E9}", "[http://a.example/b]\u{E9}")]);
}

#[test]
fn attributes_are_set_and_escaped() {
    let linkify = Linkify::new().rel("nofollow ugc").target("_blank");
    let linkify = linkify.attribute("data-x", "\"<&'>").expect("a name");
    assert_eq!(
        linkify.html("http://a.example/"),
        "<a href=\"http://a.example/\" rel=\"nofollow ugc\" target=\"_blank\" \
         data-x=\"&quot;&lt;&amp;&#39;&gt;\">http://a.example/</a>"
    );
    assert_eq!(linkify.rel("x").html("http://a.example/").matches("rel=").count(), 1);
    for name in ["", "a b", "a=b", "a>", "\"", "a\0", "1a", "href", "HREF", "\u{E9}"] {
        assert_eq!(
            Linkify::new().attribute(name.to_owned(), "x").err(),
            Some(LinkifyError::AttributeName(name.to_owned()))
        );
    }
}

#[test]
fn function_changes_and_skips_links() {
    let linkify = Linkify::new().rel("nofollow");
    let html = "http://a.example/b http://c.example/d &lt;http://e.example/\nf&gt;";
    let linked = linkify.html_with(html, |anchor| {
        assert_eq!(anchor.attribute("REL"), Some("nofollow"));
        if anchor.reference() == "http://c.example/d" {
            return AnchorChoice::Skip;
        }
        if anchor.href() == "http://a.example/b" {
            assert!(anchor.remove_attribute("Rel"));
            assert!(!anchor.remove_attribute("rel"));
        }
        anchor.set_attribute("class", "<x>").expect("a name");
        anchor.set_attribute("class", "x\"").expect("a name");
        assert!(anchor.set_attribute("a b", "").is_err());
        let text = anchor.text().replace("http://", "<&>");
        anchor.set_text(text);
        let href = format!("/go?{}", anchor.href());
        anchor.set_attribute("href", href).expect("a target");
        AnchorChoice::Make
    });
    assert_eq!(
        linked,
        "<a href=\"/go?http://a.example/b\" class=\"x&quot;\">&lt;&amp;&gt;a.example/b</a> http://c.example/d \
         &lt;<a href=\"/go?http://e.example/f\" rel=\"nofollow\" class=\"x&quot;\">&lt;&amp;&gt;e.example/f</a>&gt;"
    );
    let text = linkify.text_with("> <http://a.example/b/\n> c>", |anchor| {
        anchor.set_text("'d'");
        AnchorChoice::Make
    });
    let link = "<a href=\"http://a.example/b/c\" rel=\"nofollow\">&#39;d&#39;</a>";
    assert_eq!(text, format!("&gt; &lt;{link}&gt;"));
}

#[test]
fn target_of_a_function_needs_an_allowed_scheme() {
    for (href, is_allowed) in [
        ("javascript:alert(1)", false),
        (" \u{1}javascript:alert(1)", false),
        ("java\nscript:alert(1)", false),
        ("jAvA\tscript\r:alert(1)", false),
        ("data:text/html,x", false),
        ("foo:bar", false),
        ("https:b", true),
        ("//b.example/", true),
        ("/b:c", true),
        ("b", true),
        ("", true),
        ("\u{A0}javascript:alert(1)", true),
    ] {
        let linked = Linkify::new().html_with("http://a.example/", |anchor| {
            anchor.set_href(href);
            AnchorChoice::Make
        });
        assert_eq!(linked.starts_with("<a "), is_allowed, "{href:?}");
    }
}

#[test]
fn deep_pages_have_no_links_at_their_depth() {
    let page = format!("http://a.example/{}http://b.example/", "<div>".repeat(5000));
    let linked = Linkify::new().html(&page);
    assert_eq!(linked.matches("<a ").count(), 1);
    assert!(linked.starts_with("<a "));
}
