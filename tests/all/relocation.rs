//! Moves in small trees in memory.

use rehref::document::Document;
use rehref::format::Options;
use rehref::link::LinkFilter;
use rehref::listing::{Listing, Move, Moves};
use rehref::rules::Relocation;
use rehref::site::Site;
use rehref::source::{Base, BaseFrom};
use rehref::uri::{Profile, Resolver};

use crate::support::planned::Planned;

/// The page at `at` after these moves among these files.
fn relocated(files: &[&str], pairs: &[(&str, &str)], at: &str, page: &str) -> String {
    relocated_in("http://h/d/", Profile::Rfc3986, files, pairs, at, page)
}

/// The page at `at` after these moves, in a tree with this URL and under this profile.
fn relocated_in(
    url: &str,
    profile: Profile,
    files: &[&str],
    pairs: &[(&str, &str)],
    at: &str,
    page: impl AsRef<[u8]>,
) -> String {
    let listing = Listing::of_files(files);
    let moves = pairs.iter().map(|&(from, to)| Move { from: from.into(), to: to.into() });
    let moves = Moves::new(&listing, moves).unwrap();
    let after = moves.applied_to(&listing);
    let before = Site::new(url, listing, vec!["index.html".into()]);
    let after = before.with_listing(after);
    let resolver = Resolver { profile, ..Resolver::default() };
    let filter = LinkFilter::default();
    let relocation = Relocation::new(&before, &after, &moves, resolver, &filter);
    let mut document = Document::new(at, page.as_ref().to_vec());
    document = document
        .with_base(Some(Base { uri: before.uri_of(at.as_bytes()), from: BaseFrom::Option }));
    let mut options = Options::default();
    options.resolver.profile = profile;
    let found = document.links_with(&options);
    let plan = Planned::new(&found, &relocation.of_document(at.as_bytes()));
    String::from_utf8_lossy(plan.bytes()).into_owned()
}

const FILES: [&str; 5] = ["index.html", "a/x.html", "a/y z.html", "a/index.html", "b/p.png"];

#[test]
fn dot_segments_between_names_stay() {
    let page =
        "<a href='./../a/./x.html'><a href='../b/../a/y%20z.html#f'><a href='/d/./a/x.html'>";
    let moved = relocated(&FILES, &[("a", "c d")], "a/index.html", page);
    assert_eq!(
        moved,
        "<a href='./../c%20d/./x.html'><a href='../b/../c%20d/y%20z.html#f'><a href='/d/./c%20d/x.html'>"
    );
    let files = ["index.html", "c d/x.html", "c d/y z.html", "c d/index.html"];
    assert_eq!(relocated(&files, &[("c d", "a")], "c d/index.html", &moved), page);
}

#[test]
fn references_to_moved_files_follow() {
    let page = "<a href=a/x.html#f><a href='/d/a/y%20z.html?q'><a href=a/><a href=a>\
                <a href=http://h/d/a/x.html><a href=//h/d/a/x.html><img src=b/p.png>";
    assert_eq!(
        relocated(&FILES, &[("a", "c/d")], "index.html", page),
        "<a href=c/d/x.html#f><a href='/d/c/d/y%20z.html?q'><a href=c/d/><a href=c/d>\
         <a href=http://h/d/c/d/x.html><a href=//h/d/c/d/x.html><img src=b/p.png>"
    );
    // The index file alone.
    let page = "<a href=a/><a href=a><a href=./a/index.html#f>";
    assert_eq!(
        relocated(&FILES, &[("a/index.html", "n/index.html")], "index.html", page),
        "<a href=n/><a href=n><a href=./n/index.html#f>"
    );
    assert_eq!(
        relocated(&FILES, &[("a/index.html", "n.html")], "index.html", page),
        "<a href=n.html><a href=n.html><a href=./n.html#f>"
    );
    // A name with needless percent-encoding.
    assert_eq!(
        relocated(&FILES, &[("a", "c")], "index.html", "<a href=a/%78.html>"),
        "<a href=c/%78.html>"
    );
}

#[test]
fn references_in_moved_files_follow() {
    let page = "<a href=y%20z.html><a href=#f><a href=''><a href=../index.html><a href=?q>\
                <a href=/d/b/p.png><a href=http://o/><a href=//o/x><a href=../><a href=x.html#f>";
    assert_eq!(
        relocated(&FILES, &[("a/x.html", "c/d/x.html")], "a/x.html", page),
        "<a href=../../a/y%20z.html><a href=#f><a href=''><a href=../../index.html><a href=?q>\
         <a href=/d/b/p.png><a href=http://o/><a href=//o/x><a href=../../><a href=x.html#f>"
    );
    // References to files that move along stay.
    assert_eq!(
        relocated(&FILES, &[("a", "c")], "a/x.html", "<a href=y%20z.html><a href=../b/p.png>"),
        "<a href=y%20z.html><a href=../b/p.png>"
    );
}

#[test]
fn base_element_follows_the_move() {
    let page = "<base href=../b/><img src=p.png><a href=#f><a href=../a/x.html>";
    assert_eq!(
        relocated(&FILES, &[("a/x.html", "c/d/x.html")], "a/x.html", page),
        "<base href=../../b/><img src=p.png><a href=#f><a href=../c/d/x.html>"
    );
    assert_eq!(
        relocated(&FILES, &[("b", "c")], "a/x.html", page),
        "<base href=../c/><img src=p.png><a href=#f><a href=../a/x.html>"
    );
    let page = "<base href=http://o/><a href=x.html>";
    assert_eq!(relocated(&FILES, &[("a", "c")], "a/x.html", page), page);
}

#[test]
fn encoded_slash_belongs_to_its_segment() {
    let files = ["docs/p.html", "docs/img/x.png", "index.html"];
    let page = "<a href=docs/a%2Fb.html><a href=docs/%2f><a href='docs/%00?q#f'><a href=docs/%00a/%2Fb/>\
                <a href=docs/proxy/http%3A%2F%2Fe.example%2Fx.png><a href=/d/docs//img//x.png>\
                <img srcset='docs/a%2Fb.png 1x, docs//img/%2F 2x'><style>a{b:url(docs/a%2Fb.png)}</style>";
    let moved = page.replace("docs", "c/manual");
    assert_eq!(relocated(&files, &[("docs", "c/manual")], "index.html", page), moved);
    // References to files that move along stay.
    let page = "<a href=a%2Fb.html><a href=img//x.png><a href=./img/./x.png><a href=img/../img/x.png>\
                <a href='%00'><a href=img/%2E%2E/img/x.png><a href=%69mg/x.png>";
    assert_eq!(relocated(&files, &[("docs", "manual")], "docs/p.html", page), page);
    // References to other files name them.
    assert_eq!(
        relocated(
            &files,
            &[("docs/p.html", "p.html")],
            "docs/p.html",
            "<a href=a%2Fb.html><a href=../%00><a href=img//x.png>"
        ),
        "<a href=docs/a%2Fb.html><a href=%00><a href=docs/img//x.png>"
    );
    // BASE follows, and references relative to it stay.
    assert_eq!(
        relocated(
            &files,
            &[("docs", "manual")],
            "index.html",
            "<base href=docs/a%2Fb/><a href=x><a href=../img/x.png>"
        ),
        "<base href=manual/a%2Fb/><a href=x><a href=../img/x.png>"
    );
    // An encoded slash does not separate segments: this is not the moved file.
    assert_eq!(
        relocated(&files, &[("docs/p.html", "q.html")], "index.html", "<a href=docs%2Fp.html>"),
        "<a href=docs%2Fp.html>"
    );
}

#[test]
fn encoded_slashes_follow_into_dot_directories() {
    let page = "<a href=docs/a%2fb.html><a href=docs/a%2Fb.html><a href=docs/n%00%c3%a9><a href=docs/%7ea%2fb>";
    assert_eq!(
        relocated(&["docs/x", "index.html"], &[("docs", ".docs")], "index.html", page),
        page.replace("docs", ".docs")
    );
}

#[test]
fn links_are_written_for_a_base_with_dot_segments() {
    let files = ["docs/x.html", "docs/foo/y.html", "s/p.html"];
    for base in
        ["http://h/d/docs/foo/..", "/d/docs/foo/..", "../docs/foo/../", "http://h/d/docs/./foo/../"]
    {
        let page =
            format!("<base href='{base}'><a href=x.html><a href=foo/y.html><a href='../s/p.html'>");
        let moved = relocated(&files, &[("docs", "manual")], "s/p.html", &page);
        let rest = "<a href=x.html><a href=foo/y.html><a href='../s/p.html'>";
        assert!(moved.ends_with(rest), "{moved}");
        assert!(moved.contains("/manual/"), "{moved}");
        assert!(!moved.contains("docs"), "{moved}");
    }
    // Unmoved files are referenced from the BASE as written: `%2e%2e` is a name to RFC 3986, until
    // it is normalized.
    let page = "<base href='a/%2e%2e?q'><a href='../../s/p.html'>";
    assert_eq!(relocated(&files, &[("docs", "manual")], "docs/x.html", page), page);
}

#[test]
fn links_are_written_for_an_unwritable_base() {
    let files = ["docs/x.html", "docs/y/z.html", "p.html"];
    let page = b"<meta charset=utf-8><base href='docs/\xff/'><a href=../x.html>";
    let pairs = [("docs", "manual")];
    let text = relocated_in("http://h/", Profile::Rfc3986, &files, &pairs, "p.html", page);
    assert!(text.contains("'docs/\u{FFFD}/'><a href=../../manual/x.html>"), "{text}");
}

#[test]
fn odd_references_stay_if_document_and_target_move_together() {
    let files = ["docs/a/x.html", "docs/a/y.html", "docs/y.html"];
    let page = "<a href='../%2e/a/y.html'><a href='../b/%2e%2e/a/y.html#f'><a href='.././a//y.html?q'>\
                <a href=y.html><a href='../a/y.html'>";
    assert_eq!(relocated(&files, &[("docs", "manual")], "docs/a/x.html", page), page);
    let page = "<a href='..//docs/y.html'><a href='../docs/x.html'>";
    assert_eq!(
        relocated(&files, &[("docs", "new/docs")], "docs/y.html", page),
        "<a href='..//docs/y.html'><a href='../docs/x.html'>"
    );
}

#[test]
fn moved_references_do_not_climb_above_the_root_of_the_tree() {
    let files = ["java/util/Map.html", "java/lang/String.html", "z/a"];
    let page = "<a href=../../java/lang/String.html><a href=../../../d/java/lang/String.html>";
    assert_eq!(
        relocated(&files, &[("java/util/Map.html", "z/Map.html")], "java/util/Map.html", page),
        "<a href=../java/lang/String.html><a href=../../../d/java/lang/String.html>"
    );
}

#[test]
fn unchanged_names_keep_their_spelling() {
    let files = ["docs2/x.html", "docs2/s/y.html", "index.html"];
    let page = "<a href=d%6fc%732/x.html><a href=d%6fc%732//%73/y.html?q>";
    let there = "<a href=d%6fc%732/z.html><a href=d%6fc%732//t/y.html?q>";
    let pairs = [("docs2/x.html", "docs2/z.html"), ("docs2/s", "docs2/t")];
    assert_eq!(relocated(&files, &pairs, "index.html", page), there);
    let files = ["docs2/z.html", "docs2/t/y.html", "index.html"];
    let pairs = pairs.map(|(from, to)| (to, from));
    assert_eq!(
        relocated(&files, &pairs, "index.html", there),
        "<a href=d%6fc%732/x.html><a href=d%6fc%732//s/y.html?q>"
    );
    // The URL of the tree works, too.
    assert_eq!(
        relocated(
            &["a.html", "index.html"],
            &[("a.html", "b.html")],
            "index.html",
            "<a href=HTTP://H:80/%64/a.html><a href=//H/d/a.html>"
        ),
        "<a href=HTTP://H:80/%64/b.html><a href=//H/d/b.html>"
    );
}

#[test]
fn references_that_climb_above_the_host_root_follow() {
    let files = ["index.html", "docs/index.html", "docs/x.html"];
    let pairs = [("docs", "manual")];
    let moved = |at, page| relocated_in("http://h/", Profile::Rfc3986, &files, &pairs, at, page);
    assert_eq!(
        moved("index.html", "<a href=../docs/index.html><a href=../../docs/?q>"),
        "<a href=../manual/index.html><a href=../../manual/?q>"
    );
    assert_eq!(
        moved("docs/x.html", "<a href=../../docs/index.html><a href=index.html>"),
        "<a href=../../manual/index.html><a href=index.html>"
    );
    // In a tree without a URL they are outside of it.
    let page = "<a href=../docs/index.html>";
    let site = "http://tree.invalid/";
    assert_eq!(relocated_in(site, Profile::Rfc3986, &files, &pairs, "index.html", page), page);
}
#[test]
fn backslash_is_a_slash_under_whatwg() {
    let files = ["index.html", "docs/index.html", "docs/img/x.png"];
    let pairs = [("docs", "manual/old")];
    let moved = |at, page| relocated_in("http://h/", Profile::Whatwg, &files, &pairs, at, page);
    assert_eq!(
        moved(
            "index.html",
            "<img src='docs\\img\\x.png?\\'><img src='\\docs\\img/x.png'><img src='\\/h\\docs/img/x.png'>\
             <a href='.\\docs\\'>"
        ),
        "<img src='manual/old/img/x.png?\\'><img src='/manual/old/img/x.png'><img src='//h/manual/old/img/x.png'>\
         <a href='./manual/old/'>"
    );
    assert_eq!(
        moved(
            "docs/index.html",
            "<img src='img\\x.png'><a href='..\\index.html'><a href='\\index.html'>"
        ),
        "<img src='img\\x.png'><a href='../../index.html'><a href='\\index.html'>"
    );
}

#[test]
fn references_do_not_climb_above_the_root() {
    let files = ["a/b/x.html", "s.css"];
    let page = "<link rel=stylesheet href=../../../d/s.css><link rel=stylesheet href=../../s.css>";
    assert_eq!(
        relocated(&files, &[("a/b/x.html", "x.html")], "a/b/x.html", page),
        "<link rel=stylesheet href=../d/s.css><link rel=stylesheet href=s.css>"
    );
}

#[test]
fn references_above_the_root_keep_their_depth() {
    let files = ["a/x.html", "src/y"];
    let page = "<a href=../../../src/y?q><a href=../../..><a href=./../../../>";
    let moved = |to, page| {
        // The tree is one directory below the root of its site.
        relocated(&files, &[("a/x.html", to), ("src", "s")], "a/x.html", page)
    };
    assert_eq!(moved("x.html", page), "<a href=../../src/y?q><a href=../..><a href=./../../>");
    assert_eq!(
        moved("b/c/x.html", page),
        "<a href=../../../../src/y?q><a href=../../../..><a href=./../../../../>"
    );
}

#[test]
fn two_files_can_exchange_names() {
    let pairs = [("a/x.html", "a/index.html"), ("a/index.html", "a/x.html")];
    let page = "<a href=x.html><a href=./>";
    assert_eq!(relocated(&FILES, &pairs, "a/x.html", page), "<a href=index.html><a href=x.html>");
}
