//! The links of Markdown in memory, beside the events of pulldown-cmark.

use std::cell::RefCell;
use std::hint::black_box;
use std::mem::take;

use pulldown_cmark::{Event, LinkType, Options as Extensions, Parser, Tag};
use rehref::document::Document;
use rehref::format::{Format, Options};
use rehref::link::Place;
use rehref::source::Charset;

use crate::agreement::Agreement;
use crate::inputs::{markdown, real};
use crate::machine;
use crate::report::{Contest, Input, Measure, Section};
use crate::rounds::Contender;
use crate::settings::{Settings, given};

const ABOUT: &str = "The links of documents in memory: rehref with their exact spans, pulldown-cmark as the events of its \
    offset iterator. Counts of pulldown-cmark include each use of a definition; those of rehref include definitions, URLs \
    in text and links in HTML. Shared are inline links and links in angle brackets. A search for `[`, `<` and backquotes \
    with memchr is the least that finding them costs.";

/// The share of pulldown-cmark's links that rehref finds.
const SHARED: f64 = 0.999;

pub(crate) fn run(settings: &Settings) -> Section {
    let mut section = Section::new("Links in Markdown", Measure::Faster, ABOUT);
    let size = settings.size(50);
    compare(settings, &mut section, "manual", &markdown::manual(size));
    compare(settings, &mut section, "list of links", &markdown::links(size));
    for (at, path) in settings.markdown.iter().enumerate() {
        let texts = real::markdown(path);
        compare(settings, &mut section, &given("Markdown", at), &texts.concat());
    }
    section
}

fn compare(settings: &Settings, section: &mut Section, name: &str, text: &str) {
    section.inputs.push(Input::new(name, [text.as_bytes()]));
    let peer = machine::named("pulldown-cmark");
    let bytes = RefCell::new(text.as_bytes().to_vec());
    let contenders = vec![
        Contender::ours(|| {
            let document = document(take(&mut *bytes.borrow_mut()));
            let links = black_box(document.found(&Options::default())).links.len();
            *bytes.borrow_mut() = document.into_bytes();
            links
        }),
        Contender::peer(&peer, || parser(text).filter(|it| is_link(&it.0)).map(black_box).count()),
        Contender::bound("search of three bytes by memchr", || {
            memchr::memchr3_iter(b'[', b'<', b'`', text.as_bytes()).count()
        }),
    ];
    section.compare(
        settings.rounds,
        Contest {
            input: name,
            size: text.len(),
            contenders,
            agreements: vec![(&peer, agreement(text))],
            goals: &[(&peer, 2.0)],
        },
    );
}

fn document(bytes: Vec<u8>) -> Document {
    let document = Document::new("a.md", bytes).with_format(Format::Markdown);
    let charset = Charset::named("utf-8", document.bytes()).expect("a known label");
    document.with_charset(charset)
}

fn parser(text: &str) -> impl Iterator<Item = (Event<'_>, std::ops::Range<usize>)> {
    let extensions = Extensions::ENABLE_TABLES
        | Extensions::ENABLE_FOOTNOTES
        | Extensions::ENABLE_STRIKETHROUGH
        | Extensions::ENABLE_TASKLISTS
        | Extensions::ENABLE_GFM;
    Parser::new_ext(text, extensions).into_offset_iter()
}

fn is_link(event: &Event<'_>) -> bool {
    matches!(event, Event::Start(Tag::Link { .. } | Tag::Image { .. }))
}

fn agreement(text: &str) -> Agreement {
    let document = document(text.as_bytes().to_vec());
    let found = document.found(&Options::default());
    let ours = found.links.iter().filter(|link| matches!(link.place, Place::Markdown(_)));
    let ours: Vec<&str> = ours.map(|link| &*link.reference).collect();
    let theirs = parser(text).filter_map(|(event, _)| match event {
        Event::Start(
            Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. },
        ) => {
            matches!(link_type, LinkType::Inline | LinkType::Autolink).then(|| dest_url.to_string())
        }
        _ => None,
    });
    let theirs: Vec<String> = theirs.collect();
    let theirs: Vec<&str> = theirs.iter().map(|it| &**it).collect();
    Agreement::new(&ours, &theirs, SHARED)
}
