//! The programs in examples/, with their output.

use std::path::PathBuf;
use std::process::Command;

use crate::support::tree::{Has, Ran, Tree};

/// Runs an example and returns its output.
fn output_of(name: &str, arguments: &[&str]) -> String {
    let directory = PathBuf::from(env!("CARGO_BIN_EXE_rehref"));
    let directory = directory.parent().expect("a directory").join("examples");
    let program = directory.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(
        program.exists(),
        "{} is missing: `cargo test` builds it, also `cargo build --examples`",
        program.display()
    );
    Ran::of(Command::new(program).args(arguments)).ends(0).out
}

#[test]
fn extract_links_reads_pages_texts_and_mailboxes() {
    let found = output_of(
        "extract_links",
        &["corpus/sites/bakery/notes.txt", "corpus/mail/bakery/in.mbox"],
    );
    let expected = concat!(
        "corpus/sites/bakery/notes.txt:3\thttp://mill.example/flour?type=550\n",
        "corpus/sites/bakery/notes.txt:4\tftp://ftp.mill.example/price-lists/\n",
        "corpus/sites/bakery/notes.txt:5\thttp://mill.example/instructions/overview.html#WARNING\n",
        "corpus/sites/bakery/notes.txt:8\thttp://bakery.example/bread.html\n",
        "corpus/sites/bakery/notes.txt:9\tmailto:orders@bakery.example\n",
        "corpus/mail/bakery/in.mbox!1!HEADER:6\thttp://lists.example/bakers/\n",
        "corpus/mail/bakery/in.mbox!1!1:2\thttp://mill.example/flour/wheat/type-550.html\n",
        "corpus/mail/bakery/in.mbox!1!1:4\thttp://mill.example/prices\n",
        "corpus/mail/bakery/in.mbox!2!HEADER:4\thttp://mill.example/nächste\n",
        "corpus/mail/bakery/in.mbox!2!1:1\thttp://mill.example/flour/wheat/type-550.html\n",
        "corpus/mail/bakery/in.mbox!2!1:4\thttp://mill.example/prices/1997-07.html\n",
        "corpus/mail/bakery/in.mbox!2!2.MIME:3\thttp://mill.example/mail/2.html\n",
        "corpus/mail/bakery/in.mbox!2!2:1\thttp://mill.example/prices/1997-07.html\n",
        "corpus/mail/bakery/in.mbox!2!2:2\thttps://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fmill.example%2Fold&data=1\n",
    );
    assert_eq!(found, expected);
}

#[test]
fn mail_links_prints_broken_links_with_message_ids() {
    let found = output_of("mail_links", &["corpus/mail/bakery/in.mbox"]);
    let expected = concat!(
        "<1@bakery.example>\thttp://mill.example/flour/wheat/type-550.html\n",
        "<2@mill.example>\thttp://mill.example/flour/wheat/type-550.html\n",
        "<2@mill.example>\thttp://mill.example/prices/1997-07.html\n",
    );
    assert_eq!(found, expected);
}

#[test]
fn resolve_prints_urls_and_relative_references() {
    let found = output_of("resolve", &["http://a/b/c/d;p?q", "../g", "//g", "?y", "g;x=1/../y"]);
    let expected = concat!(
        "../g\thttp://a/b/g\t../g\n",
        "//g\thttp://g\t//g\n",
        "?y\thttp://a/b/c/d;p?y\t?y\n",
        "g;x=1/../y\thttp://a/b/c/y\ty\n",
    );
    assert_eq!(found, expected);
}

#[test]
fn check_site_prints_broken_links() {
    let found = output_of("check_site", &["corpus/sites/bakery"]);
    let expected = concat!(
        "corpus/sites/bakery/bread.html:2: img/paper.gif\n",
        "corpus/sites/bakery/bread.html:4: ./rye.html\n",
        "corpus/sites/bakery/bread.html:7: /cgi-bin/order\n",
        "corpus/sites/bakery/index.html:6: /style.css\n",
        "corpus/sites/bakery/index.html:13: img/oven-2x.png\n",
        "corpus/sites/bakery/index.html:15: order.html\n",
        "6 of 12 local links are broken\n",
    );
    assert_eq!(found, expected);
}

#[test]
fn move_files_prints_diff_and_undoes_move() {
    let page = "<a href=a.html>a</a>\n";
    let site = Tree::new(&[("index.html", page), ("a.html", "a\n")]);
    let root = site.path().to_str().expect("UTF-8");
    let found = output_of("move_files", &[root, "a.html", "b/a.html"]);
    found.has("+<a href=b/a.html>a</a>\n");
    assert!(found.ends_with("\n1 edits\n"), "{found}");
    assert_eq!(site.read("index.html"), page);
    assert!(site.has("a.html"));
}

#[test]
fn rewrite_page_prints_the_page_with_absolute_links() {
    let arguments = ["corpus/sites/bakery/news/1997.html", "http://bakery.example/news/"];
    let found = output_of("rewrite_page", &arguments);
    let expected = concat!(
        "<html><head><base href=\"http://archive.example/bakery/\">\n",
        "<title>News of 1997</title></head>\n",
        "<body>\n",
        "<p>The <a href=\"http://archive.example/bakery/prices.html\">new prices</a>, and <a href=\"http://bakery.example/index.html\">home</a>.\n",
        "</body></html>\n",
    );
    assert_eq!(found, expected);
}

#[test]
fn custom_rule_prints_a_diff() {
    let arguments = ["corpus/sites/bakery/notes.txt", "mill.example", "mill.test"];
    let found = output_of("custom_rule", &arguments);
    let expected = concat!(
        "--- corpus/sites/bakery/notes.txt\n",
        "+++ corpus/sites/bakery/notes.txt\n",
        "@@ -1,9 +1,8 @@\n",
        " Notes for the page\n",
        " \n",
        "-Yes, Jim, I found it under \"http://mill.example/flour?type=550\",\n",
        "+Yes, Jim, I found it under \"http://mill.test/flour?type=550\",\n",
        " but you can probably pick it up from <URL:ftp://ftp.mill.example/\n",
        "-    price-lists/>.  Note the warning in <http://mill.example/\n",
        "-instructions/overview.html#WARNING>.\n",
        "+    price-lists/>.  Note the warning in <http://mill.test/instructions/overview.html#WARNING>.\n",
        " \n",
        " Also http://bakery.example/bread.html (the old list), and\n",
        " mail to mailto:orders@bakery.example.\n",
    );
    assert_eq!(found, expected);
}

#[test]
fn workspace_edit_has_positions_in_utf_16() {
    let site = Tree::new(&[
        ("index.html", "<p>\r\n<b>\u{1F600}é</b><a href='a&amp;b.html'>a</a>\n"),
        ("a&b.html", "<a href=index.html>i</a>\n"),
    ]);
    let root = site.path().to_str().expect("UTF-8");
    let found = output_of("workspace_edit", &[root, "a&b.html", "n m/a&b.html"]);
    let found: serde_json::Value = serde_json::from_str(&found).expect("JSON");
    let edit = |uri: &str, start: [u32; 2], end: [u32; 2], text: &str| {
        let [start, end] =
            [start, end].map(|it| serde_json::json!({"line": it[0], "character": it[1]}));
        let edit = serde_json::json!({"range": {"start": start, "end": end}, "newText": text});
        let document = serde_json::json!({"uri": format!("file://{root}/{uri}"), "version": null});
        serde_json::json!({"textDocument": document, "edits": [edit]})
    };
    let expected = serde_json::json!({"documentChanges": [
        edit("a&b.html", [0, 8], [0, 18], "../index.html"),
        edit("index.html", [1, 19], [1, 31], "n%20m/a&amp;b.html"),
        {
            "kind": "rename",
            "oldUri": format!("file://{root}/a&b.html"),
            "newUri": format!("file://{root}/n%20m/a&b.html"),
        },
    ]});
    assert_eq!(found, expected);
}
