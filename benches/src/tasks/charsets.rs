//! URLs in plain text in legacy character encodings, beside rehref itself on the same text in
//! UTF-8.

use std::cell::RefCell;
use std::hint::black_box;
use std::mem::take;

use rehref::document::Document;
use rehref::format::Options;

use super::text;
use crate::agreement::{Agreement, ascii_beginning};
use crate::inputs::charsets::{WHOLE, sprinkled, whole};
use crate::report::{Contest, Input, Measure, Section};
use crate::rounds::{Contender, Pass};
use crate::settings::Settings;

const ABOUT: &str = "Documents in memory, with the detection of the character encoding, beside the same text in UTF-8. \
    Ratios are times per byte of the document. \"With Latin-1\" is the text with 100 bytes that are not UTF-8, which makes \
    it windows-1252. The same URLs must be found; in single-byte encodings, a URL may end at another letter.";

/// The share of the URLs of the UTF-8 text that is found.
const SHARED: f64 = 0.97;

pub(crate) fn run(settings: &Settings) -> Section {
    let mut section = Section::new("Character encodings", Measure::Longer, ABOUT);
    let size = settings.size(20);
    for (name, text) in text::generated(size) {
        let bytes = sprinkled(&text);
        compare(
            settings,
            &mut section,
            &format!("{name}, with Latin-1"),
            text.as_bytes(),
            bytes,
            1.3,
        );
    }
    for case in WHOLE {
        let (text, bytes) = whole(case, size);
        let goal = if case.1.is_dense() { 2.0 } else { 1.3 };
        compare(settings, &mut section, case.0, text.as_bytes(), bytes, goal);
    }
    section
}

fn compare(
    settings: &Settings,
    section: &mut Section,
    name: &str,
    utf8: &[u8],
    legacy: Vec<u8>,
    goal: f64,
) {
    section.inputs.push(Input::new(name, [&*legacy]));
    let agreement = Agreement::new(&urls(legacy.clone()), &urls(utf8.to_vec()), SHARED);
    let size = legacy.len();
    // The time for as many bytes as the other document has.
    let factor = size as f64 / utf8.len() as f64;
    let (legacy, utf8) = (RefCell::new(legacy), RefCell::new(utf8.to_vec()));
    let mut as_utf8 = Contender::peer("", || links(&utf8));
    let contenders = vec![
        Contender::ours(|| links(&legacy)),
        Contender::clocked("rehref on UTF-8", || {
            let Pass { time, found } = as_utf8.pass();
            Pass { time: time.mul_f64(factor), found }
        }),
    ];
    section.compare(
        settings.rounds,
        Contest {
            input: name,
            size,
            contenders,
            agreements: vec![("rehref on UTF-8", agreement)],
            goals: &[("rehref on UTF-8", goal)],
        },
    );
}

fn document(bytes: Vec<u8>) -> Document {
    let document = Document::from_bytes(bytes).name("a.txt").build();
    document.expect("a text is a document")
}

/// The number of links. The bytes are the same afterwards.
fn links(bytes: &RefCell<Vec<u8>>) -> usize {
    let document = document(take(&mut *bytes.borrow_mut()));
    let links = black_box(document.found(&Options::default())).links.len();
    *bytes.borrow_mut() = document.into_bytes();
    links
}

fn urls(bytes: Vec<u8>) -> Vec<String> {
    let document = document(bytes);
    let found = document.found(&Options::default());
    let urls = found.links.iter().map(|it| ascii_beginning(it.reference.as_bytes()));
    urls.collect()
}
