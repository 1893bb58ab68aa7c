//! Finding links, beside peers on the same input in the same run.
//!
//! `cargo bench --bench find [-- PATH]`: the files of PATH, read into memory; without one, those of
//! corpus/ many times over. Rounds alternate between us and the peer; the best of each counts, and
//! the ratio is the figure to quote: above 1 we are faster. The absolute numbers say something about
//! the machine only.

#![expect(clippy::print_stdout, reason = "it prints what it measured")]

use std::cell::Cell;
use std::hint::black_box;
use std::time::{Duration, Instant};

use lol_html::{RewriteStrSettings, element, rewrite_str};
use rehref::document::{Document, Media};
use rehref::find::{FindOptions, find};
use rehref::source::{Content, Item, ReadOptions, Tree};

/// How much to work on where the corpus is all there is, in bytes.
const ENOUGH: usize = 32 << 20;

const ROUNDS: usize = 7;

fn main() {
    // Cargo passes `--bench`.
    let path = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'));
    let documents = documents(path.as_deref().unwrap_or("corpus"));
    for media in [Media::Html, Media::Text] {
        let chosen: Vec<&Document> = documents.iter().filter(|it| it.media == media).collect();
        let size: usize = chosen.iter().map(|document| document.bytes.len()).sum();
        if size == 0 {
            continue;
        }
        let times = if path.is_some() {
            1
        } else {
            ENOUGH.div_ceil(size)
        };
        println!(
            "{media}: {} documents, {} bytes, {times} times",
            chosen.len(),
            size
        );
        let ours = || {
            times_over(times, &chosen, |it| {
                find(it, &FindOptions::default()).links.len()
            })
        };
        match media {
            Media::Html => {
                compare("lol_html, href and src", size * times, ours, || {
                    times_over(times, &chosen, with_lol_html)
                });
                compare("memchr of `<`", size * times, ours, || {
                    times_over(times, &chosen, |it| {
                        memchr::memchr_iter(b'<', &it.bytes).count()
                    })
                });
            }
            _ => {
                compare("linkify, URLs", size * times, ours, || {
                    times_over(times, &chosen, with_linkify)
                });
                compare("memchr of `:`", size * times, ours, || {
                    times_over(times, &chosen, |it| {
                        memchr::memchr_iter(b':', &it.bytes).count()
                    })
                });
            }
        }
    }
}

/// The documents of a folder that are UTF-8: the peers read nothing else.
fn documents(path: &str) -> Vec<Document> {
    let options = ReadOptions::default();
    let tree = Tree::default();
    let found = tree
        .walk(vec![Item::Path(path.into())])
        .filter_map(Result::ok);
    let read = found.filter_map(|found| match options.read(&found.item) {
        Ok(Content::Document(document)) => Some(document),
        _ => None,
    });
    read.filter(|it| std::str::from_utf8(&it.bytes).is_ok())
        .collect()
}

fn times_over(times: usize, documents: &[&Document], links: impl Fn(&Document) -> usize) -> usize {
    (0..times)
        .flat_map(|_| documents)
        .map(|document| links(document))
        .sum()
}

fn compare(peer: &str, size: usize, ours: impl Fn() -> usize, theirs: impl Fn() -> usize) {
    let timed = |work: &dyn Fn() -> usize, best: &mut Duration| {
        let start = Instant::now();
        let links = black_box(work());
        *best = start.elapsed().min(*best);
        links
    };
    let (mut our_best, mut their_best) = (Duration::MAX, Duration::MAX);
    let (mut our_links, mut their_links) = (0, 0);
    for _ in 0..ROUNDS {
        our_links = timed(&ours, &mut our_best);
        their_links = timed(&theirs, &mut their_best);
    }
    let speed = |time: Duration| size as f64 / 1e6 / time.as_secs_f64();
    println!(
        "  {peer:24} {:6.2} times as fast: {our_links} links at {:.0} MB/s, {their_links} at {:.0} MB/s",
        their_best.as_secs_f64() / our_best.as_secs_f64(),
        speed(our_best),
        speed(their_best),
    );
}

fn with_lol_html(document: &Document) -> usize {
    let links = Cell::new(0);
    let count = |name: &'static str| {
        let links = &links;
        element!(format!("*[{name}]"), move |element| {
            links.set(links.get() + usize::from(element.get_attribute(name).is_some()));
            Ok(())
        })
    };
    let settings = RewriteStrSettings::new()
        .append_element_content_handler(count("href"))
        .append_element_content_handler(count("src"))
        .with_strict(false);
    let text = std::str::from_utf8(&document.bytes).unwrap_or_default();
    let _ = black_box(rewrite_str(text, settings));
    links.get()
}

fn with_linkify(document: &Document) -> usize {
    let text = std::str::from_utf8(&document.bytes).unwrap_or_default();
    let mut finder = linkify::LinkFinder::new();
    finder.kinds(&[linkify::LinkKind::Url]);
    finder.links(text).count()
}
