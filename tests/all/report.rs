//! The pages of `rehref report`.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::support::tree::{Has, Tree};

/// The page of a report that succeeds.
fn page(tree: &Tree, arguments: &str) -> String {
    tree.prints(format!("report {arguments} -o -"))
}

/// The text between two others.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("no {start}"));
    rest.split_once(end).unwrap_or_else(|| panic!("no {end}")).0
}

fn data(page: &str) -> Value {
    let json = between(page, "<script type=\"application/json\" id=\"data\">", "</script>");
    serde_json::from_str(json).expect("JSON")
}

fn main_of(page: &str) -> &str {
    between(page, "<main id=\"main\">", "</main>")
}

fn unescaped(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    // Elements within marks show escapes.
    while let Some((before, after)) = rest.split_once('<') {
        text += before;
        rest = after.split_once('>').expect("the end of a tag").1;
    }
    text += rest;
    let named = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")];
    named.iter().fold(text, |text, (name, character)| text.replace(name, character))
}

/// The marked texts of each link, joined. The page must have one document.
fn marked(page: &str) -> BTreeMap<usize, String> {
    let mut marked: BTreeMap<usize, String> = BTreeMap::new();
    for mark in main_of(page).split("<mark ").skip(1) {
        let number = between(mark, "data-l=", ">").parse().expect("a number");
        let (_, rest) = mark.split_once('>').expect("the end of a tag");
        let (text, _) = rest.split_once("</mark>").expect("an end");
        *marked.entry(number).or_default() += &unescaped(text);
    }
    marked
}

/// The fields of the records of `extract --json`.
fn extracted(tree: &Tree, arguments: &str, field: &str) -> Vec<String> {
    let records = tree.run(format!("extract --json {arguments}")).out;
    let records = records.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let links = records.filter(|record| record["type"] == "link");
    links.map(|record| record[field].as_str().unwrap_or_default().to_owned()).collect()
}

/// Text with every kind of delimiter.
const KINDS: &str = "In <http://mill.example/a> or <URL:ftp://mill.example/b/
    c-
    d.txt>, in \"http://mill.example/e\", after URL: http://mill.example/f,
bare http://mill.example/g(h), www.mill.example/i and j@mill.example & <b>.
";

const ALL: &str = "--abbreviated --emails";

#[test]
fn marks_cover_exactly_the_bytes_of_each_link() {
    let directory = Tree::of_bytes(&[("a.txt", KINDS.as_bytes())]);
    let arguments = format!("a.txt {ALL}");
    let page = page(&directory, &arguments);
    let raw = extracted(&directory, &arguments, "raw");
    let marked: Vec<String> = marked(&page).into_values().collect();
    assert_eq!(marked, raw);
    for kind in ["angle", "quote", "prefix", "bare", "abbreviated", "email"] {
        assert!(main_of(&page).contains(&format!("class=\"k-{kind}")), "{kind}");
    }
    page.has("<mark class=\"k-angle ambiguous\"");
}

#[test]
fn a_small_page_is_as_expected() {
    let directory =
        Tree::of_bytes(&[("a.txt", b"See <http://a.example/?b&c>\r\nand http://d.example/.\n")]);
    let page = page(&directory, "a.txt");
    let expected = r##"
<section id=sources aria-labelledby=h-sources><h2 id=h-sources>Links in their sources</h2>
<p class=note>Broken links: not checked, since the report needs one directory for that.</p><ul class=legend aria-label="Kinds of links"><li><a class=k-angle href="#sources" data-filter=kind:angle>angle <span class=count>1</span></a><li><a class=k-bare href="#sources" data-filter=kind:bare>bare <span class=count>1</span></a></ul><details class=doc open id=d0 data-first=0><summary><h3>a.txt</h3><p class=meta>text, utf-8, 52 bytes, 2 links</p></summary>
<ol class="src few" start=1><li>See &lt;<mark class="k-angle" data-l=0>http://a.example/?b&amp;c</mark>&gt;<li>and <mark class="k-bare" data-l=1>http://d.example/</mark>.</ol>
</details>
</section>
<section id=hosts aria-labelledby=h-hosts><h2 id=h-hosts>Hosts</h2>
<button type=button class=copy hidden>Copy as text</button><table class="narrow sortable"><thead><tr><th scope=col>Host<th scope=col class=number>Links<th class=meter></thead><tbody><tr><th scope=row><a href="#sources" data-filter="host:a.example">a.example</a><td class=number>1<td class=meter><svg viewBox="0 0 100 6" preserveAspectRatio=none aria-hidden=true><rect height=6 width=100 /></svg><tr><th scope=row><a href="#sources" data-filter="host:d.example">d.example</a><td class=number>1<td class=meter><svg viewBox="0 0 100 6" preserveAspectRatio=none aria-hidden=true><rect height=6 width=100 /></svg></tbody></table></section>

"##;
    assert_eq!(main_of(&page), expected);
    let links = serde_json::json!([
        {"ref": "http://a.example/?b&c", "open": true, "line": 1, "col": 6, "kind": "angle", "role": "navigate"},
        {"ref": "http://d.example/", "open": true, "line": 2, "col": 5, "kind": "bare", "role": "navigate"},
    ]);
    assert_eq!(data(&page)["links"], links);
}

#[test]
fn the_policy_allows_only_the_page_own_style_and_script() {
    let directory = Tree::of_bytes(&[("a.txt", KINDS.as_bytes())]);
    let page = page(&directory, "a.txt");
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    let style = hash(between(&page, "<style>", "</style>"));
    let script = hash(between(&page, "<script>", "</script>"));
    let policy = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {style}; \
         script-src {script}; base-uri 'none'; form-action 'none'\">"
    );
    page.has(&policy);
    // The policy must come before anything that it is about.
    assert!(page.find(&policy) < page.find("<style>"));
    for loading in
        [" src=", "<link", "<img", "<iframe", "@import", "url(", " style=\"", "fetch(", "XMLHttp"]
    {
        page.replace(main_of(&page), "").lacks(loading);
    }
}

#[test]
fn hostile_texts_stay_texts() {
    let text = "<http://a.example/</script><script>alert(1)</script>> and </main><img src=x onerror=alert(1)>\n\
        javascript:alert(1) <javascript:alert(2)> <data:text/html,<script>alert(3)</script>>\n\
        <http://a.example/\u{202E}cod.exe> <!-- ]]> \"http://b.example/'onclick='alert(4)\"\n";
    let page_of_hostile = "<a href='javascript:alert(1)'>x</a><a href=\"&lt;/script>&lt;script>alert(5)&lt;/script>\">\
        <a href='JAVASCRIPT:alert(6)'><a href='vbscript:x'><a href='data:,x'><a href='http://c.example/\u{200B}'>";
    let name = "</title><script>alert(7)</script>.txt";
    let directory = Tree::of_bytes(&[
        ("site/a.html", page_of_hostile.as_bytes()),
        ("site/b.txt", text.as_bytes()),
        ("site/c.txt", b"\xFF\xFE\xC0 http://d.example/\xFF \x01\x1B[2J"),
    ]);
    let page = page(&directory, "site");
    assert_eq!(page.matches("<script").count(), 2, "the data and the code");
    assert_eq!(page.matches("</main>").count(), 1);
    page.lacks("<img");
    assert!(!page.contains(['\u{202E}', '\u{200B}', '\x1B', '\0']));
    page.has("<b class=esc>\\u{202e}</b>");
    let links = data(&page);
    let links = links["links"].as_array().expect("links");
    assert!(links.len() > 8);
    for link in links {
        let url = link.get("uri").unwrap_or(&link["ref"]).as_str().expect("text");
        let is_open = link.get("open").is_some();
        assert!(!is_open || url.starts_with("http://"), "{url}");
        assert!(!is_open || !url.contains("\\u"), "{url}");
    }
    // A name of a file is hostile too.
    if !cfg!(windows) {
        let file = name.replace('/', "\u{2215}");
        directory.write(&file, "http://a.example/");
        let page = self::page(&directory, &file);
        assert_eq!(page.matches("<script").count(), 2);
    }
}

#[test]
fn ten_thousand_links_are_a_page_of_bounded_size() {
    let line = |at: usize| {
        format!("See <http://host{}.example/path/of/the/page-{at}.html> there.\n", at % 50)
    };
    let text: String = (0..10_000).map(line).collect();
    let directory = Tree::of_bytes(&[("a.txt", text.as_bytes())]);
    let page = page(&directory, "a.txt");
    assert_eq!(data(&page)["links"].as_array().map(Vec::len), Some(10_000));
    assert_eq!(page.matches("<mark ").count(), 10_000);
    assert!(page.len() < 4 << 20, "{} bytes", page.len());
}

#[test]
fn more_links_than_the_page_has_are_counted_and_left_out() {
    let text: String = (0..25_000).map(|at| format!("http://a.example/{at}\n")).collect();
    let directory = Tree::of_bytes(&[("a.txt", text.as_bytes())]);
    let page = page(&directory, "a.txt");
    assert_eq!(page.matches("<mark ").count(), 20_000);
    page.has("<dt>links</dt><dd>25,000</dd>");
    page.has("The page shows 20,000 of 25,000 links.");
}

#[test]
fn documents_that_fit_are_shown_after_one_that_does_not() {
    let links = |count: usize| "http://a.example/\n".repeat(count);
    let (one, all, some) = (links(1), links(20_000), links(100));
    let directory = Tree::new(&[("a.txt", &one), ("b.txt", &all), ("c.txt", &some)]);
    page(&directory, ".").has("The page shows 101 of 20,101 links.");
}

#[test]
fn long_documents_and_long_lines_are_excerpts_around_links() {
    let filler = "some words that fill a line of the document\n".repeat(10_000);
    let text = format!("{filler}See http://a.example/ here.\n{filler}");
    let line = "x".repeat(50_000);
    let html = format!("<p>{line}<a href=b.html>{line}");
    let directory =
        Tree::of_bytes(&[("long.txt", text.as_bytes()), ("line.html", html.as_bytes())]);
    let long = page(&directory, "long.txt");
    long.has("Only the lines near links are shown.");
    long.has("start=10000><li>some words that fill a line of the document<li>See <mark");
    let of_line = page(&directory, "line.html");
    of_line.has(" bytes not shown]</span>");
    let image = format!("<img src=\"data:image/png;base64,{line}\">");
    directory.write("image.html", image);
    let of_image = page(&directory, "image.html");
    of_image.has(">data:image/png;base64,xxx");
    assert!(of_image.len() < long.len() + 4000);
    for page in [&long, &of_line, &of_image] {
        assert!(main_of(page).len() < 8000, "{}", main_of(page).len());
        assert_eq!(page.matches("<mark ").count(), 1);
    }
}

#[test]
fn sources_are_decoded_in_their_character_encoding() {
    let utf16: Vec<u8> =
        "\u{FEFF}é <http://a.example/é>\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let latin = b"<meta charset=latin1>\xE9 <a href=http://a.example/\xE9>";
    let directory = Tree::of_bytes(&[("a.txt", &utf16), ("b.html", latin)]);
    for name in ["a.txt", "b.html"] {
        let page = page(&directory, name);
        assert!(main_of(&page).contains(">http://a.example/é</mark>"), "{name}");
        assert!(main_of(&page).contains("é "), "{name}");
        assert!(!main_of(&page).contains('\u{FEFF}'), "{name}");
    }
}

#[test]
fn parts_of_mail_are_shown_decoded() {
    let mail = "From: a@b.example\nSubject: x\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n\
        See http://a.example/long=\n/path?a=3Db for more.\n";
    let directory = Tree::of_bytes(&[("a.eml", mail.as_bytes())]);
    let page = page(&directory, "a.eml");
    assert!(main_of(&page).contains(">http://a.example/long/path?a=b</mark>"));
}

fn site() -> Tree {
    Tree::of_bytes(&[
        ("site/index.html", b"<a href=sub/page.html>1</a> <a href=sub/pag.html>2</a> <img src=http://img.example/a.png>"),
        ("site/sub/page.html", b"<a href=../index.html>1</a> <a href=/index.html#x>2</a>"),
    ])
}

#[test]
fn a_tree_has_broken_links_hosts_and_directories() {
    let directory = site();
    let page = page(&directory, "site");
    let main = main_of(&page);
    main.has("<tr><td class=code>sub/pag.html<td><a href=\"#sources\" data-link=1>index.html:1:37</a><td>missing<td class=code>sub/page.html");
    page.has("<div class=bad><dt>broken links</dt><dd>2</dd></div>");
    main.has("<th scope=row><a href=\"#sources\" data-filter=\"host:img.example\">");
    let matrix = between(main, "<table class=matrix>", "</table>");
    let expected = "<thead><tr><th scope=col>From<th scope=col>/<th scope=col>sub/<th scope=col>missing\
        <th scope=col>other sites</thead><tbody><tr><th scope=row>/<td class=\"number\"><span class=note>·</span>\
        <td class=\"number s2\">1<td class=\"number bad\">1<td class=\"number s2\">1<tr><th scope=row>sub/\
        <td class=\"number s3\">2<td class=\"number\"><span class=note>·</span><td class=\"number\">\
        <span class=note>·</span><td class=\"number\"><span class=note>·</span></tbody>";
    assert_eq!(matrix, expected);
    assert_eq!(data(&page)["links"][1]["broken"], "missing");
    // The URL of a tree without one is private.
    page.lacks("tree.invalid");
}

#[test]
fn many_directories_are_a_list() {
    let files: Vec<(String, String)> = (0..12)
        .map(|at| {
            (format!("site/d{at}/a.html"), format!("<a href=../d{}/a.html>x</a>", (at + 1) % 12))
        })
        .collect();
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, text)| (&**name, text.as_bytes())).collect();
    let directory = Tree::of_bytes(&files);
    let page = page(&directory, "site");
    assert!(main_of(&page).contains("<tr><td>d3/<td>d4/<td class=number>1"));
    assert!(!main_of(&page).contains("table class=matrix"));
}

#[test]
fn a_planned_rewrite_is_shown_and_not_made() {
    let directory = site();
    let before = directory.bytes("site/index.html");
    let page = page(&directory, "site --map http://img.example=https://new.example");
    let main = main_of(&page);
    main.has("The run would change 1 link in 1 of 2 files.");
    main.has("<del>http://img.example/a.png</del>");
    main.has("<ins>https://new.example/a.png</ins>");
    let links = data(&page);
    assert_eq!(links["links"][2]["new"], "https://new.example/a.png");
    assert!(links["links"][0]["skipped"].is_string());
    main.has("<th scope=col>Unchanged links");
    let after = directory.bytes("site/index.html");
    assert_eq!(after, before);
    assert!(!directory.has("site/.rehref"));
}

#[test]
fn a_planned_move_is_shown_and_not_made() {
    let directory = site();
    let page = page(&directory, "site --move site/sub site/new");
    let main = main_of(&page);
    main.has("<tr><td>sub/page.html<td>new/page.html");
    main.has("<del>sub/page.html</del>");
    main.has("<ins>new/page.html</ins>");
    assert!(directory.has("site/sub/page.html"));
    let output = directory.run("report site/index.html --move a b -o -").ends(2);
    output.err.has("--move needs the directory");
}

#[test]
fn a_report_of_anything_but_one_directory_says_that_links_were_not_checked() {
    let directory = site();
    let said = "not checked, since the report needs one directory for that";
    for inputs in ["site/index.html", "site site/sub"] {
        directory
            .run(format!("report {inputs} -o r.html"))
            .err
            .has(format!("; broken links: {said}"));
        let page = directory.read("r.html");
        assert!(main_of(&page).contains(&format!("Broken links: {said}.")));
    }
    page(&directory, "site").lacks(said);
}

#[test]
fn links_in_escaped_html_of_feeds_are_in_a_report_with_html_text() {
    let feed = b"<rss><channel><item><description>&lt;a href='http://feed.example/x'>x&lt;/a>\
        </description></item></channel></rss>";
    let directory = Tree::of_bytes(&[("feed.xml", feed)]);
    let page = page(&directory, "feed.xml --html-text");
    data(&page)["links"].to_string().has("http://feed.example/x");
}

#[test]
fn lists_can_be_sorted_and_copied_and_unchecked_fragments_are_named() {
    let directory = site();
    let page = page(&directory, "site --no-anchors");
    let broken = between(&page, "<section id=broken", "</section>");
    broken.has("<button type=button class=copy hidden>").has("<table class=sortable>");
    broken.has("1 fragment not checked (anchors are off or computed).");
    page.has("<table class=\"narrow sortable\">").has("id=\"fold\"").has("id=\"copy\"");
}

#[test]
fn only_reports_are_replaced_without_force() {
    let directory = site();
    directory.write("r.html", "mine");
    let refused = directory.run("report site -o r.html");
    let stderr = refused.err;
    assert_eq!(refused.code, 2);
    stderr.has("r.html: exists already").has("--force");
    assert_eq!(directory.read("r.html"), "mine");
    directory.run("report site -o r.html --force").ends(0);
    let again = directory.run("report site -o r.html").ends(0);
    again.err.has("wrote r.html: 5 links in 2 documents, 2 broken");
}

#[test]
fn a_report_in_the_tree_is_not_part_of_the_next() {
    let directory = site();
    let page = || {
        directory.run("report site -o site/report.html").ends(0);
        directory.bytes("site/report.html")
    };
    let first = page();
    assert_eq!(page(), first);
}

#[cfg(unix)]
#[test]
fn an_input_is_never_replaced_by_its_page() {
    let page = b"<a href=none.html>x</a>";
    let directory = Tree::of_bytes(&[("a.html", page)]);
    directory.symlink("a.html", "link.html");
    for output in ["a.html", "link.html"] {
        let output = directory.run(format!("report a.html --force -o {output}"));
        let stderr = output.err;
        assert_eq!(output.code, 2, "{stderr}");
        stderr.has("the page would replace an input");
    }
    assert_eq!(directory.bytes("a.html"), page);
}

#[test]
fn a_report_about_nothing_is_not_written() {
    let directory = Tree::empty();
    for (arguments, message) in [
        (["none.html", "-o", "r.html"], "no page is written"),
        ([".", "-o", "r.html"], "no page is written"),
        ([".", "-o", "none/r.html"], "none: cannot write: No such"),
    ] {
        let output = directory.run(format!("report {}", arguments.join(" ")));
        let stderr = output.err;
        assert_eq!(output.code, 2, "{stderr}");
        stderr.has(message);
    }
    assert_eq!(directory.count("."), 0);
}

#[cfg(unix)]
#[test]
fn the_page_lists_what_could_not_be_read() {
    let directory = site();
    directory.symlink("loop", "site/loop");
    let output = directory.run("report site none.html -o -").ends(2);
    let page = output.out;
    assert!(main_of(&page).contains("<li class=code>none.html: cannot read"));
    let stderr = output.err;
    assert_eq!(stderr.matches("none.html: cannot read").count(), 1, "{stderr}");
}
