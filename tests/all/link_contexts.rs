//! The contexts of links in plain text and in mail.

use std::fmt::Write as _;

use crate::support::tree::{Has, Tree};

const MAIL: &str = "From: =?utf-8?Q?Zo=C3=AB?=\n <zoe@a.example>\nDate: Tue, 1 Jul 1997 10:00:00 +0200\n\
                    Subject: =?iso-8859-1?Q?Caf=E9?= http://a.example/s\nMIME-Version: 1.0\n\
                    Content-Type: multipart/alternative; boundary=b\n\n--b\n\nsee\n> the  http://a.example/t page\n\
                    --b\nContent-Type: text/html\n\n<a href=http://a.example/h title=t>the page</a>\n--b--\n";

#[test]
fn links_of_a_message_have_its_date_sender_and_subject() {
    let tree = Tree::new(&[("a.eml", MAIL), ("b.txt", "x http://b.example/\n")]);
    let out = tree.prints("extract --context --json a.eml");
    let of_message = "\"date\":\"Tue, 1 Jul 1997 10:00:00 +0200\",\"from\":\"Zoë <zoe@a.example>\",\
                      \"subject\":\"Café http://a.example/s\"}";
    for context in [
        "{\"text\":null,\"rel\":null,\"title\":null,\"heading\":null,",
        "{\"text\":\"> the http://a.example/t page\",\"rel\":null,\"title\":null,\"heading\":null,",
        "{\"text\":\"the page\",\"rel\":null,\"title\":\"t\",\"heading\":null,",
    ] {
        out.has(format!("\"context\":{context}{of_message}"));
    }
    let out = tree.prints("extract --context --json b.txt");
    out.has("\"context\":{\"text\":\"x http://b.example/\",\"rel\":null,\"title\":null,\"heading\":null}");
    let lines = tree.prints("extract --context a.eml b.txt");
    assert_eq!(
        lines,
        "http://a.example/s\t\nhttp://a.example/t\t> the http://a.example/t page\n\
         http://a.example/h\tthe page\nhttp://b.example/\tx http://b.example/\n"
    );
    let csv = tree.prints("extract --context --format csv a.eml");
    csv.has("text,rel,title,heading,message_date,from,subject,");
    csv.has(",t,,\"Tue, 1 Jul 1997 10:00:00 +0200\",Zoë <zoe@a.example>,Café http://a.example/s,");
    // Without the option, nothing is added.
    tree.prints("extract --json a.eml").lacks("Zoë");
}

#[test]
fn words_around_a_link_do_not_depend_on_the_division_of_a_text() {
    let mut text = String::new();
    for number in 0..60_000 {
        write!(text, "wörd {number} http://a.example/{number} tail").expect("memory");
        // Some lines are long.
        text.push(if number % 7 == 0 { '\n' } else { ' ' });
    }
    let tree = Tree::new(&[("a.txt", &text)]);
    let whole = tree.prints("extract --context -j 1 a.txt");
    assert_eq!(whole.lines().count(), 60_000);
    let lines: Vec<_> = whole.lines().collect();
    for number in [0, 1, 29_999, 59_999] {
        lines[number].has(
            format!("\twörd {number} http://a.example/{number} tail").trim_start_matches('\t'),
        );
    }
    assert!(lines.iter().all(|it| it.len() < 400));
    assert_eq!(tree.prints("extract --context -j 4 a.txt"), whole);
    for more in ["", "--charset utf-8", "-j 4"] {
        let piped = tree.run_reading(format!("extract --context {more}"), &text);
        assert_eq!(piped.out, whole, "{more}");
    }
    // The same in memory, and in an encoding that is decoded as a whole.
    let gz = crate::support::compressed::gzip(text.as_bytes());
    std::fs::write(tree.path().join("a.txt.gz"), gz).expect("a file");
    assert_eq!(tree.prints("extract --context a.txt.gz"), whole);
    let utf_16: Vec<u8> =
        "\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    std::fs::write(tree.path().join("b.txt"), utf_16).expect("a file");
    assert_eq!(tree.prints("extract --context b.txt"), whole);
}
