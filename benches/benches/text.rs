//! Finding URLs in plain text with rehref, with linkify, and with a count of colons, on the same text in the same run.
//!
//! `cargo bench -p rehref-benches --bench text [-- FILE...]` repeats each FILE to 50 MB; by default, generated texts: prose
//! with mail headers and few links, a list of links, and Chinese and Japanese text. rehref searches with one thread, and
//! with one for each processor; the peers have one. Rounds alternate between rehref and the peers, and the best of each
//! counts. A ratio above 1 means that rehref is faster. The absolute numbers depend on the machine.

#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::hint::black_box;
use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

use rehref::format::text::{TextOptions, scan_parallel};

/// The size of each text, in bytes.
const SIZE: usize = 50 << 20;

const ROUNDS: usize = 9;

fn main() {
    rehref_benches::enter_project();
    // Cargo passes `--bench`.
    let paths: Vec<_> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let mut texts = Vec::new();
    for path in &paths {
        match std::fs::read(path) {
            Ok(bytes) => texts.push((path.clone(), String::from_utf8_lossy(&bytes).into_owned())),
            Err(error) => println!("{path}: {error}"),
        }
    }
    if paths.is_empty() {
        texts = own_texts();
    }
    for (name, text) in texts {
        let times = (SIZE / text.len().max(1)).max(1);
        compare(&name, &text.repeat(times));
    }
}

fn own_texts() -> Vec<(String, String)> {
    let documents = concat!(
        include_str!("../../README.md"),
        include_str!("../../ARCHITECTURE.md"),
        include_str!("../../CHANGELOG.md"),
    );
    let mut prose = String::new();
    for (at, paragraph) in documents.split("\n\n").enumerate() {
        // One message in five has headers, one paragraph in three a link.
        if at % 5 == 0 {
            prose.push_str("\nReceived: from a.example ([192.0.2.1]) by b.example with ESMTP id x1;\n\tMon, 21 Jul 1997 10:42:07 +0000\nMessage-Id: <199707211042.KAA01@a.example>\nSubject: Re: relative URLs\nContent-Type: text/plain; charset=us-ascii\n\n");
        }
        prose.push_str("> ");
        prose.push_str(&paragraph.replace("http", "HTTP").replace('\n', "\n> "));
        if at % 3 == 0 {
            prose.push_str("\n\nSee <http://www.example.org/pub/ietf/uri/historical.html#WARNING>, or http://example.org/a/b.\n");
        }
        prose.push('\n');
    }
    let links: String = (0..1000)
        .map(|at| format!("{at}. https://host{at}.example.org/path/to/page{at}.html?q={at}&r=x and http://a{at}.example/\n"))
        .collect();
    let han = "统一资源定位符是互联网上标准的资源地址，它最初由蒂姆发明。请参阅http://example.com/路径/文件。然后继续阅读：“https://例子.测试/a?b=c”，谢谢！\n日本語の文章の中にhttps://ja.example.org/wiki/日本（にほん）があります。続きは「http://example.jp/」を参照：以上、統一資源位置指定子についての説明でした。\n";
    vec![
        ("prose and mail".to_owned(), prose),
        ("links".to_owned(), links),
        ("Chinese and Japanese".to_owned(), han.to_owned()),
    ]
}

fn compare(name: &str, text: &str) {
    let options = TextOptions::default();
    let processors = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let ours = |threads| {
        let mut links = 0;
        scan_parallel(text, &options, threads, |url| {
            black_box(&url);
            links += 1;
        });
        links
    };
    let alone = || ours(NonZeroUsize::MIN);
    let together = || ours(processors);
    let linkify = || {
        let mut finder = linkify::LinkFinder::new();
        finder.kinds(&[linkify::LinkKind::Url]);
        finder.links(text).map(black_box).count()
    };
    let colons = || memchr::memchr_iter(b':', text.as_bytes()).count();
    let name_of_together = format!("rehref, {processors} threads");
    let works: [(&str, &dyn Fn() -> usize); 4] = [
        ("rehref", &alone),
        (&name_of_together, &together),
        ("linkify, URLs", &linkify),
        ("memchr of `:`", &colons),
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
    println!("{name}: {} bytes", text.len());
    for (at, (peer, _)) in works.iter().enumerate() {
        println!(
            "  {peer:18} {:8} at {:6.0} MB/s; we are {:5.2} times as fast, {:5.2} with all threads",
            found[at],
            text.len() as f64 / 1e6 / best[at].as_secs_f64(),
            best[at].as_secs_f64() / best[0].as_secs_f64(),
            best[at].as_secs_f64() / best[1].as_secs_f64(),
        );
    }
}
