//! The links of a mailbox with rehref, mail-parser that only parses it, and mail-parser with linkify on the text of each part,
//! on the same messages in the same run.
//!
//! `cargo bench -p rehref-benches --bench mail [-- PATH...]` puts the mail in each PATH into one mailbox, and repeats it to 48 MB; by
//! default, that of corpus/mail. rehref does all that `rehref extract` does except for output: it splits messages, decodes,
//! finds, resolves and renders. The peers are given split messages. All use one thread. Rounds alternate between rehref and
//! the peers, and the best of each counts. A ratio above 1 means that rehref is faster.

#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mail_parser::{MessageParser, PartType};
use rehref::container::mail::{MailOptions, Mbox, MboxFormat, RawMessage, documents};
use rehref::format::Options;

/// The size of the mailbox, in bytes.
const SIZE: usize = 48_000_000;

const ROUNDS: usize = 9;

fn main() {
    rehref_benches::enter_project();
    // Cargo passes `--bench`.
    let mut paths: Vec<PathBuf> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .map(PathBuf::from)
        .collect();
    if paths.is_empty() {
        paths.push("corpus/mail".into());
    }
    let mut once = Vec::new();
    for path in paths {
        for file in walkdir::WalkDir::new(path).sort_by_file_name() {
            match file {
                Ok(file) if file.file_type().is_file() => add(file.path(), &mut once),
                Ok(_) => {}
                Err(error) => println!("{error}"),
            }
        }
    }
    if once.is_empty() {
        println!("no mail in these paths");
        return;
    }
    compare(&once.repeat(SIZE.div_ceil(once.len())));
}

/// Adds the messages of a file to a mailbox, if it is mail.
fn add(path: &Path, mailbox: &mut Vec<u8>) {
    let Ok(bytes) = std::fs::read(path) else {
        println!("{}: cannot read", path.display());
        return;
    };
    use rehref::format::{Format, is_binary};
    let format = Format::detect(path, &bytes);
    if !format.is_mail() || is_binary(&bytes) {
        return;
    }
    if !bytes.starts_with(b"From ") {
        mailbox.extend_from_slice(b"From - Mon Jan  1 00:00:00 2024\n");
    }
    mailbox.extend_from_slice(&bytes);
    mailbox.extend_from_slice(b"\n\n");
}

/// Calls `each` with the messages of a mailbox.
fn messages(mailbox: &[u8], mut each: impl FnMut(RawMessage<'_>)) {
    for batch in Mbox::new(mailbox, MboxFormat::Auto).flatten() {
        batch.messages().for_each(&mut each);
    }
}

fn ours(mailbox: &[u8]) -> usize {
    let archive: Arc<Path> = Path::new("list.mbox").into();
    let options = MailOptions {
        headers: true,
        quoting: Some(MboxFormat::Auto),
        ..MailOptions::default()
    };
    let find_options = Options::default();
    let mut links = 0;
    let mut out = Vec::new();
    messages(mailbox, |message| {
        documents(message, &archive, &options, |part| {
            let document = &part.document;
            let found = document.links_with(&find_options);
            let mut resolving = found.resolving().unchecked();
            for link in &found.found().links {
                let uri = resolving.target(link).uri;
                out.extend_from_slice(uri.unwrap_or(&link.reference).as_bytes());
                out.push(b'\n');
                links += 1;
            }
            black_box(&out);
            out.clear();
        });
    });
    links
}

fn parsed(mailbox: &[u8]) -> usize {
    let mut parts = 0;
    messages(mailbox, |message| {
        let parsed = MessageParser::default().parse(message.bytes);
        parts += black_box(parsed).map_or(0, |it| it.parts.len());
    });
    parts
}

fn linked(mailbox: &[u8]) -> usize {
    let mut finder = linkify::LinkFinder::new();
    finder.kinds(&[linkify::LinkKind::Url]);
    let mut links = 0;
    messages(mailbox, |message| {
        let parsed = MessageParser::default().parse(message.bytes);
        links += parsed.map_or(0, |parsed| links_of(&parsed, &finder));
    });
    links
}

fn links_of(message: &mail_parser::Message<'_>, finder: &linkify::LinkFinder) -> usize {
    let of_part = |part: &mail_parser::MessagePart<'_>| match &part.body {
        PartType::Text(text) | PartType::Html(text) => finder.links(text).map(black_box).count(),
        PartType::Message(message) => links_of(message, finder),
        _ => 0,
    };
    message.parts.iter().map(of_part).sum()
}

fn compare(mailbox: &[u8]) {
    let mut count = 0;
    messages(mailbox, |_| count += 1);
    let split = || {
        let mut count = 0;
        messages(mailbox, |message| {
            black_box(message);
            count += 1;
        });
        count
    };
    let works: [(&str, &dyn Fn() -> usize); 4] = [
        ("rehref, links", &|| ours(mailbox)),
        ("mail-parser, parts", &|| parsed(mailbox)),
        ("mail-parser + linkify", &|| linked(mailbox)),
        ("rehref, messages", &split),
    ];
    let mut best = [Duration::MAX; 4];
    let mut found = [0; 4];
    for _ in 0..ROUNDS {
        for (at, (_, work)) in works.iter().enumerate() {
            let start = Instant::now();
            found[at] = black_box(work());
            best[at] = best[at].min(start.elapsed());
        }
    }
    println!("{} bytes, {count} messages", mailbox.len());
    for (at, (peer, _)) in works.iter().enumerate() {
        println!(
            "  {peer:22} {:8} at {:6.0} MB/s; we are {:5.2} times as fast",
            found[at],
            mailbox.len() as f64 / 1e6 / best[at].as_secs_f64(),
            best[at].as_secs_f64() / best[0].as_secs_f64(),
        );
    }
}
