//! URLs in plain text in memory, beside linkify and a count of the colons.

use std::hint::black_box;

use linkify::{LinkFinder, LinkKind};
use rehref::format::text::{TextOptions, scan};

use crate::agreement::{Agreement, ascii_beginning};
use crate::inputs::{real, texts, words::Language};
use crate::machine;
use crate::report::{Contest, Input, Measure, Section};
use crate::rounds::Contender;
use crate::settings::{Settings, given};

const ABOUT: &str = "The URLs of texts in memory. linkify finds URLs with a scheme, no other kind of links. rehref also joins \
    URLs that line breaks split, and finds those of every registered scheme. A count of the colons with memchr is the least \
    that a search of this kind costs. Differences: where a URL in a sentence ends, and URLs that linkify finds within words.";

/// The share of linkify's URLs that rehref finds.
const SHARED: f64 = 0.97;

pub(crate) fn run(settings: &Settings) -> Section {
    let mut section = Section::new("URLs in plain text", Measure::Faster, ABOUT);
    for (name, text) in inputs(settings) {
        compare(settings, &mut section, &name, &text);
    }
    section
}

fn inputs(settings: &Settings) -> Vec<(String, String)> {
    let size = settings.size(50);
    if !settings.texts.is_empty() {
        let read = settings.texts.iter().enumerate().map(|(at, path)| {
            let text = real::text(path);
            let times = (size / text.len().max(1)).max(1);
            (given("text", at), text.repeat(times))
        });
        return generated(size).into_iter().chain(read).collect();
    }
    generated(size)
}

/// The generated texts with their names.
pub(crate) fn generated(size: usize) -> Vec<(String, String)> {
    let texts = [
        ("prose and mail", texts::prose(Language::English, size)),
        ("dense links", texts::links(size)),
        ("Chinese and Japanese", texts::cjk(size)),
        ("RFC", texts::rfc(size)),
        ("Russian prose", texts::prose(Language::Russian, size)),
    ];
    texts.map(|(name, text)| (name.to_owned(), text)).into()
}

fn compare(settings: &Settings, section: &mut Section, name: &str, text: &str) {
    section.inputs.push(Input::new(name, [text.as_bytes()]));
    let linkify = machine::named("linkify");
    let ours = || {
        let mut links = 0;
        scan(text, &TextOptions::default(), |url| {
            black_box(&url);
            links += 1;
        });
        links
    };
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]);
    let finder = &finder;
    let contenders = vec![
        Contender::ours(ours),
        Contender::peer(&linkify, || finder.links(text).map(black_box).count()),
        Contender::bound("count of `:` by memchr", || {
            memchr::memchr_iter(b':', text.as_bytes()).count()
        }),
    ];
    section.compare(
        settings.rounds,
        Contest {
            input: name,
            size: text.len(),
            contenders,
            agreements: vec![(&linkify, agreement(text, finder))],
            goals: &[(&linkify, if name == "dense links" { 2.0 } else { 1.2 })],
        },
    );
}

fn agreement(text: &str, finder: &LinkFinder) -> Agreement {
    let mut ours = Vec::new();
    scan(text, &TextOptions::default(), |url| {
        let pieces = url.spans.iter().map(|it| &text.as_bytes()[it.start..it.end]);
        ours.push(ascii_beginning(&pieces.collect::<Vec<_>>().concat()));
    });
    let theirs = finder.links(text).map(|it| ascii_beginning(it.as_str().as_bytes()));
    Agreement::new(&ours, &theirs.collect::<Vec<_>>(), SHARED)
}
