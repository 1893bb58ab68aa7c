//! Mail made to be slow, deeply nested, or too large.

use std::time::{Duration, Instant};

use rehref::container::mail::MboxFormat;
use rehref::format::Format;

use crate::linear::assert_linear_in;
use crate::mail_laws::for_each_part;
use crate::mail_laws::peer::base64;
use crate::support::compressed::gzip;
use crate::support::mail::{Found, LIMIT, for_each_message, found_in};
use crate::support::stopwatch::Stopwatch;
use crate::support::tree::{Has, Tree};
use crate::tier;

/// The links of a message, and the time.
fn found_in_time(message: &str) -> (Found, Duration) {
    let watch = Stopwatch::start();
    let found = found_in(message.as_bytes(), Format::Mail);
    (found, watch.elapsed())
}

#[test]
fn too_deeply_nested_parts_are_read_as_text() {
    let mut message = String::from("From: a@b.example\n");
    for depth in 0..10_000 {
        message
            .push_str(&format!("Content-Type: multipart/mixed; boundary=b{depth}\n\n--b{depth}\n"));
    }
    message.push_str("\nhttp://deep.example/\n");
    let (found, time) = found_in_time(&message);
    assert_eq!(found.unread, [1]);
    // Too deeply nested parts are read as text.
    assert_eq!(found.links.len(), 1);
    assert!(time < LIMIT, "{time:?}");
    let nested = "Content-Type: message/rfc822\n\n".repeat(10_000);
    let (found, time) = found_in_time(&format!("{nested}Subject: http://deep.example/\n\n"));
    assert_eq!(found.unread, [1]);
    assert!(time < LIMIT, "{time:?}");
}

#[test]
fn encoded_messages_are_read_within_encoded_messages() {
    let mut message = String::from("Subject: x\n\nhttp://deep.example/\n");
    for depth in 0..10 {
        message = format!(
            "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{}\n",
            base64(&message)
        );
        let (found, _) = found_in_time(&message);
        // The first message that is too deep is read as text.
        assert_eq!(found.links.len(), usize::from(depth <= 4), "{depth}");
        assert_eq!(found.unread.is_empty(), depth < 4, "{depth}");
    }
}

/// Each `multipart/alternative` has its own number, also within decoded messages.
#[test]
fn alternatives_of_encoded_messages_have_distinct_numbers() {
    let inner = "Content-Type: multipart/alternative; boundary=a\n\n\
        --a\n\nhttp://a.example/\n--a\nContent-Type: text/html\n\n<a href=http://b.example/>\n--a--\n";
    let part = format!(
        "--m\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{}\n",
        base64(inner)
    );
    let outer = format!("--m\n{inner}");
    let message =
        format!("Content-Type: multipart/mixed; boundary=m\n\n{outer}{part}{part}--m--\n");
    let mut seen = Vec::new();
    for_each_part(message.as_bytes(), Format::Mail, |part| seen.push(part.alternatives));
    let places: Vec<Vec<usize>> = seen
        .iter()
        .map(|alternatives| alternatives.iter().map(|(_, place)| *place).collect())
        .collect();
    assert_eq!(places, [[1], [2], [1], [2], [1], [2]]);
    let numbers: std::collections::BTreeSet<usize> = seen.iter().map(|it| it[0].0).collect();
    assert_eq!(numbers.len(), 3, "{seen:?}");
}

#[test]
fn parts_beyond_the_limit_are_not_read() {
    let parts = |count: usize| {
        let part = "--b\n\nhttp://part.example/\n".repeat(count);
        format!("Content-Type: multipart/mixed; boundary=b\n\n{part}--b--\n")
    };
    let (found, time) =
        found_in_time(&parts(tier::pick(3, 10) * rehref::container::mail::MAX_PARTS));
    assert_eq!(found.unread, [1]);
    // The message itself is counted.
    assert_eq!(found.links.len(), rehref::container::mail::MAX_PARTS - 1);
    assert!(time < LIMIT, "{time:?}");
    let (found, _) = found_in_time(&parts(rehref::container::mail::MAX_PARTS - 1));
    assert!(found.unread.is_empty());
}

#[test]
fn long_headers_are_read() {
    let len = tier::pick(1 << 20, 20 << 20);
    let field = "X-Long: words of a line without effect\n";
    let folded = " <http://list.example/help> and words, and\n";
    let endings = "\n\nhttp://body.example/\n";
    for (name, first, unit, links) in [
        ("fields", "Subject: x\n", field, 1),
        ("one field", "Subject: ", "x", 1),
        ("blank lines", "Subject: x\n", " \nSubject: x\n", 1),
        ("folded", "X-Long: x\n", folded, 1),
        ("lines that are none", "Subject: x\n", "no field\n", 1),
    ] {
        let message = format!("{first}{}{endings}", unit.repeat(len / unit.len()));
        let (found, time) = found_in_time(&message);
        assert_eq!(found.links.len(), links, "{name}");
        assert!(time < LIMIT, "{name}: {time:?}");
    }
}

#[test]
fn message_is_cut_at_the_limit() {
    const MAX: usize = rehref::container::mail::MAX_MESSAGE;
    const SEPARATOR: &str = "From a@b.example Mon Jul 21 10:00:00 1997\nSubject: x\n\n";
    let line = "http://body.example/ and words\n";
    // Of exactly the longest length, one byte longer, and too long to be held as a whole.
    for len in [MAX, MAX + 1, 3 * MAX] {
        let mut first = SEPARATOR.to_owned() + &line.repeat(len / line.len());
        first.truncate(len - 2);
        first.push_str("\n\n");
        assert_eq!(first.len(), len);
        for before in ["", SEPARATOR] {
            let mailbox = format!("{before}{first}{SEPARATOR}last\n");
            let mut seen = Vec::new();
            for_each_message(mailbox.as_bytes(), MboxFormat::Auto, |message| {
                seen.push((message.offset as usize, message.bytes.len(), message.is_cut));
            });
            let mut expected = vec![
                (before.len(), len.min(MAX), len > MAX),
                (before.len() + len, SEPARATOR.len() + "last\n".len(), false),
            ];
            if !before.is_empty() {
                expected.insert(0, (0, before.len(), false));
            }
            assert_eq!(seen, expected, "{len}");
        }
    }
}

/// Mail that is slow if anything is searched repeatedly.
#[test]
fn costs_are_linear() {
    let boundaries = |len: usize| {
        let mut message = String::from("From: a@b.example\n");
        for part in 0..len / 100 {
            message.push_str(&format!(
                "Content-Type: multipart/mixed; boundary=never{part:06}\n\nwords that are the preamble\n"
            ));
        }
        message
    };
    let siblings = |len: usize| {
        let part = "--b\nContent-Type: multipart/mixed; boundary=never\n\nhttp://a.example/\n";
        format!(
            "Content-Type: multipart/mixed; boundary=b\n\n{}--b--\n",
            part.repeat(len / part.len())
        )
    };
    let open = |len: usize| {
        let mut message = String::new();
        for depth in 0..60 {
            message.push_str(&format!(
                "Content-Type: multipart/mixed; boundary=b{depth:02}\n\n--b{depth:02}\n"
            ));
        }
        message + "\n" + &"--b\n--words\n".repeat(len / 12)
    };
    let located = |len: usize| {
        let part = "--b\nContent-Location: a\nContent-ID: <a>\n\nhttp://a.example/\n";
        format!(
            "Content-Type: multipart/related; boundary=b\n\n{}--b--\n",
            part.repeat(len / part.len())
        )
    };
    // Each part has a copy of its base.
    let based = |len: usize| {
        let part = "--b\n\nhttp://a.example/\n";
        format!(
            "Content-Base: http://a.example/{}/\nContent-Type: multipart/mixed; boundary=b\n\n{}--b--\n",
            "x".repeat(len / 2),
            part.repeat((len / 2 / part.len()).min(9000))
        )
    };
    let versions = |len: usize| {
        let text = "--b\n\nhttp://a.example/\nb\n";
        let page = "<a href='http://a.example/b'>b</a>";
        format!(
            "Content-Type: multipart/alternative; boundary=b\n\n{}--b\nContent-Type: text/html\n\n{}\n--b--\n",
            text.repeat((len / 2 / text.len()).min(9000)),
            page.repeat(len / 2 / page.len()),
        )
    };
    let headless = |len: usize| {
        let part = "--b\nwords\n";
        format!("Content-Type: multipart/mixed; boundary=b\n\n{}", part.repeat(len / part.len()))
    };
    let units = [
        ("blank lines in a header", "Subject: x\n", " \nSubject: x\n"),
        ("lines that are no fields", "Subject: x\n", "none\nDate: x\n"),
        ("long fields", "Subject: ", "=?utf-8?Q?http://a.example/?= "),
        ("open words", "Subject: ", "=?utf-8?Q?"),
        ("quotes in a type", "Content-Type: text/plain; a=", "\"\\"),
        ("comments in a type", "Content-Type: text/plain ", "("),
        ("parameters", "Content-Type: text/plain", "; a*0=b"),
        ("comments of an encoding", "Content-Transfer-Encoding: ", "("),
        ("escapes", "Content-Transfer-Encoding: quoted-printable\n\n", "=41= \n=\n= "),
        ("base64", "Content-Transfer-Encoding: base64\n\n", "YWJj\n=\n"),
        ("undeclared", "Subject: x\n\n", "=3D=\n"),
        (
            "flowed",
            "Content-Type: text/plain; format=flowed; delsp=yes\n\n",
            "> http://a.example/ \n",
        ),
        ("quoted", "Subject: x\n\n", "> > <http://a/\n"),
        ("a word a line", "Subject: x\n\nhttp://a/\n", "b/c\n"),
        ("cut URLs", "Subject: x\n\n", "http://a/b\nc\nd\ne\nf g\n"),
        ("mailbox", "From a Mon Jul 21 10:00:00 1997\nSubject: x\n\n", "\n\nFrom x\n"),
        ("lengths", "", "From a Mon Jul 21 10:00:00 1997\nContent-Length: 40000\n\nx\n\n"),
    ];
    for (name, first, unit) in units {
        let format = if first.starts_with("From ") || name == "lengths" {
            Format::Mbox
        } else {
            Format::Mail
        };
        let text = |len: usize| format!("{first}{}", unit.repeat(len / unit.len()));
        assert_linear_in(name, text, |text| drop(found_in(text.as_bytes(), format)));
    }
    let made: [(&str, &dyn Fn(usize) -> String); 7] = [
        ("texts before a page", &versions),
        ("a long base", &based),
        ("parts without an empty line", &headless),
        ("boundaries that never come", &boundaries),
        ("the same in parts", &siblings),
        ("many open boundaries", &open),
        ("locations", &located),
    ];
    for (name, text) in made {
        assert_linear_in(name, text, |text| drop(found_in(text.as_bytes(), Format::Mail)));
    }
}

/// A mailbox of many batches has the same links with one thread and many, from a file, from a pipe,
/// and compressed.
#[test]
fn long_mailbox_has_the_same_links_however_it_is_read() {
    use std::fmt::Write as _;
    let mut mailbox = String::new();
    let messages: usize = tier::pick(1500, 4000);
    for number in 0..messages {
        let _ = write!(
            mailbox,
            "From a@b.example Mon Jul 21 10:00:00 1997\nFrom: a@b.example\nSubject: http://a.example/s/{number}\n\n\
             See http://a.example/{number} and\n<http://a.example/\nover/{number}>\n\n{}\n\n",
            "words of no interest\n".repeat(number % 130),
        );
    }
    assert!(mailbox.len() > messages << 10);
    let tree = Tree::of_bytes(&[("a.mbox", mailbox.as_bytes()), ("a.mbox.gz", &gzip(&mailbox))]);
    let expected = tree.prints("extract -j1 a.mbox");
    assert_eq!(expected.lines().count(), 3 * messages);
    assert_eq!(tree.prints("extract -j4 a.mbox"), expected);
    assert_eq!(tree.run_reading("extract -j3 -", &mailbox).ends(0).out, expected);
    assert_eq!(tree.prints("extract -j2 a.mbox.gz"), expected);
    // Message numbers continue from batch to batch, and slices together have the links of the file.
    let numbered = tree.prints("extract -H --place header a.mbox");
    let last = format!("a.mbox!{messages}!HEADER:http://a.example/s/{}", messages - 1);
    assert_eq!(numbered.lines().last(), Some(&*last));
    let cuts = (0..mailbox.len()).step_by(700_001);
    let slices = cuts.map(|cut| tree.prints(format!("extract -j2 a.mbox#{cut},700001")));
    assert!(slices.collect::<String>() == expected);
}

/// A compressed file can inflate to a thousand times its size; reading stops earlier.
#[test]
fn mailbox_that_inflates_too_far_is_an_error() {
    for (name, first) in [
        (
            "a.mbox.gz",
            "From a@b.example Mon Jul 21 10:00:00 1997\nSubject: x\n\nhttp://a.example/\n",
        ),
        ("a.eml.gz", "From: a@b.example\nSubject: x\n\nhttp://a.example/\n"),
    ] {
        let text = format!("{first}{}", "0".repeat(60 << 20));
        let tree = Tree::of_bytes(&[(name, &gzip(text))]);
        let start = Instant::now();
        let out = tree.run(["extract", "--json", name]).ends(2).out;
        let time = start.elapsed();
        out.has("inflates to more than 200 times");
        assert!(out.len() < 10_000, "{name}: {out}");
        assert!(time < LIMIT, "{name}: {time:?}");
    }
}
