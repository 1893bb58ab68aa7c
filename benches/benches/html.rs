//! Finding and rewriting the links of HTML, with rehref and with its peers, on the same pages in the same run.
//!
//! `cargo bench -p rehref-benches --bench html [-- PATH...]` reads the pages in each PATH into memory; by default, those of
//! corpus/ many times. Pages that may contain SVG or MathML are a group of their own, because they cost more. A ratio above
//! 1 means that rehref is faster; it is the median over the rounds, because the speed of a machine may change between
//! rounds. The absolute numbers are those of the best round, and depend on the machine. No peer does the same work: each
//! takes every `href` and `src` for a link, and finds no others.

#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::cell::Cell;
use std::convert::Infallible;
use std::hint::black_box;
use std::panic::catch_unwind;
use std::time::{Duration, Instant};

use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};
use lol_html::{HtmlRewriter, Settings, element};
use markup5ever_rcdom::{NodeData, RcDom};
use memchr::memmem;
use rehref::document::Document;
use rehref::format::Format;
use rehref::format::Options;
use rehref::fs::{Content, Item, ReadOptions, WalkOptions};
use rehref::rewrite::Rules;
use rehref::uri::{Base, Outcome, Resolver};

/// The size to which the pages of the corpus are repeated, in bytes.
const ENOUGH: usize = 16 << 20;

const ROUNDS: usize = 11;

/// The base URL of all pages.
const PAGE: &str = "https://www.example.org/docs/guide/page.html";

fn main() {
    rehref_benches::enter_project();
    // Cargo passes `--bench`.
    let paths = std::env::args().skip(1).filter(|it| !it.starts_with('-'));
    let mut paths: Vec<_> = paths.collect();
    let is_corpus = paths.is_empty();
    if is_corpus {
        paths.push("corpus".to_owned());
    }
    let pages = pages(paths);
    let (foreign, plain): (Vec<_>, Vec<_>) = pages.iter().partition(|page| is_foreign(page));
    for (group, mut pages) in [("no svg or math", plain), ("with svg or math", foreign)] {
        let size: usize = pages.iter().map(|page| page.bytes().len()).sum();
        if size == 0 {
            println!("{group}: no pages");
            continue;
        }
        if is_corpus {
            pages = pages.repeat(ENOUGH.div_ceil(size));
        }
        compare(group, &pages);
    }
}

/// The UTF-8 pages in these paths, without marks. The peers read no other character encoding.
fn pages(paths: Vec<String>) -> Vec<Document> {
    let options = ReadOptions::default();
    let tree = WalkOptions::default();
    let items = paths.into_iter().map(|path| Item::Path(path.into()));
    let found = tree.walk(items.collect()).filter_map(Result::ok);
    let read = found.filter_map(|found| match options.read(&found.item) {
        Ok(Content::Document(document)) => Some(document),
        _ => None,
    });
    read.filter(|it| it.format() == Format::Html && std::str::from_utf8(it.bytes()).is_ok())
        .map(|it| it.with_bytes(rehref_benches::without_marks(it.bytes())))
        .map(|it| it.retrieved_from(PAGE))
        .collect()
}

fn is_foreign(page: &Document) -> bool {
    ["<svg", "<math"]
        .iter()
        .any(|it| memmem::find(page.bytes(), it.as_bytes()).is_some())
}

fn compare(group: &str, pages: &[&Document]) {
    let size: usize = pages.iter().map(|page| page.bytes().len()).sum();
    println!("{group}: {} pages, {size} bytes", pages.len());
    let resolver = Resolver::default();
    let base = resolver.base(PAGE).expect("a base");
    measure(
        "find",
        pages,
        size,
        &[
            ("rehref", &|page| {
                page.found(&Options::default()).links.len()
            }),
            ("lol_html", &with_lol_html),
            ("html5gum, callback", &with_html5gum),
            ("html5ever and RcDom", &with_html5ever),
            ("memchr of `<`", &|page| {
                memchr::memchr_iter(b'<', page.bytes()).count()
            }),
        ],
    );
    measure(
        "rewrite",
        pages,
        size,
        &[
            ("rehref", &rewritten),
            ("lol_html", &|page| rewritten_by_lol_html(page, &base)),
        ],
    );
}

/// A function that processes a page, and returns how much it found or wrote.
type Work<'w> = (&'w str, &'w dyn Fn(&Document) -> usize);

fn measure(job: &str, pages: &[&Document], size: usize, works: &[Work<'_>]) {
    let mut times = vec![Vec::new(); works.len()];
    let mut done = vec![0; works.len()];
    for _ in 0..ROUNDS {
        for (at, (_, work)) in works.iter().enumerate() {
            let start = Instant::now();
            done[at] = pages.iter().map(|page| black_box(work(page))).sum();
            times[at].push(start.elapsed());
        }
    }
    for (at, (name, _)) in works.iter().enumerate() {
        let ratio =
            |(theirs, ours): (&Duration, &Duration)| theirs.as_secs_f64() / ours.as_secs_f64();
        let mut ratios: Vec<f64> = times[at].iter().zip(&times[0]).map(ratio).collect();
        ratios.sort_by(f64::total_cmp);
        let best = times[at].iter().min().copied().unwrap_or_default();
        println!(
            "  {job:7} {name:20} {:11} {} at {:6.0} MB/s; we are {:7.3} times as fast",
            done[at],
            if job == "find" { "links" } else { "bytes" },
            size as f64 / 1e6 / best.as_secs_f64(),
            ratios[ROUNDS / 2],
        );
    }
}

fn rewritten(page: &Document) -> usize {
    let links = page.links();
    let plan = links.rewrite(&Rules::new().absolute());
    black_box(plan.bytes()).len()
}

/// Reads the whole page with lol_html.
fn through_lol_html(page: &Document, settings: Settings<'_, '_>, sink: impl FnMut(&[u8])) {
    let mut rewriter = HtmlRewriter::new(settings.with_strict(false), sink);
    if rewriter.write(page.bytes()).is_ok() {
        let _ = rewriter.end();
    }
}

fn with_lol_html(page: &Document) -> usize {
    let links = Cell::new(0);
    let count = |name: &'static str| {
        let links = &links;
        element!(format!("*[{name}]"), move |element| {
            links.set(links.get() + usize::from(black_box(element.get_attribute(name)).is_some()));
            Ok(())
        })
    };
    let settings = Settings::new()
        .append_element_content_handler(count("href"))
        .append_element_content_handler(count("src"));
    through_lol_html(page, settings, |_| {});
    links.get()
}

fn rewritten_by_lol_html(page: &Document, base: &Base) -> usize {
    let absolute = |name: &'static str| {
        let mut uri = String::new();
        element!(format!("*[{name}]"), move |element| {
            let value = element.get_attribute(name).unwrap_or_default();
            let resolved = base.resolve_into(&*value, &mut uri);
            if resolved == Ok(Outcome::Target) && uri != value {
                element.set_attribute(name, &uri)?;
            }
            Ok(())
        })
    };
    let settings = Settings::new()
        .append_element_content_handler(absolute("href"))
        .append_element_content_handler(absolute("src"));
    let mut out = Vec::with_capacity(page.bytes().len());
    through_lol_html(page, settings, |chunk: &[u8]| out.extend_from_slice(chunk));
    black_box(out).len()
}

fn text(page: &Document) -> &str {
    std::str::from_utf8(page.bytes()).unwrap_or_default()
}

fn with_html5gum(page: &Document) -> usize {
    let (links, is_link) = (Cell::new(0), Cell::new(false));
    let count = |event: CallbackEvent<'_>, _: Span<()>| -> Option<Infallible> {
        match event {
            CallbackEvent::AttributeName { name } => is_link.set(matches!(name, b"href" | b"src")),
            CallbackEvent::AttributeValue { value } if is_link.get() => {
                black_box(value);
                links.set(links.get() + 1);
            }
            _ => {}
        }
        None
    };
    let mut emitter = CallbackEmitter::new(count);
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(text(page), emitter).for_each(drop);
    links.get()
}

fn with_html5ever(page: &Document) -> usize {
    // Like rehref, reads the content of `noscript` as markup.
    let tree_builder = TreeBuilderOpts {
        scripting_enabled: false,
        ..TreeBuilderOpts::default()
    };
    let options = ParseOpts {
        tree_builder,
        ..ParseOpts::default()
    };
    // html5ever 0.39 panics on some pages, for example on a `charset` without a value.
    let dom = catch_unwind(|| parse_document(RcDom::default(), options).one(text(page)));
    let Ok(dom) = dom else {
        return 0;
    };
    let mut links = 0;
    let mut open = vec![dom.document.clone()];
    while let Some(node) = open.pop() {
        open.extend(node.children.borrow().iter().cloned());
        if let NodeData::Element {
            attrs,
            template_contents,
            ..
        } = &node.data
        {
            open.extend(template_contents.borrow().clone());
            let attributes = attrs.borrow();
            let found = attributes
                .iter()
                .filter(|it| matches!(&*it.name.local, "href" | "src"));
            links += found.inspect(|it| _ = black_box(&it.value)).count();
        }
    }
    links
}
