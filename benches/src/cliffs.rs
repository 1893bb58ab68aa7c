//! No byte and no construct decides how the rest of a document is read: each is inserted once near
//! the beginning of a large document, which must take no more time than without it.

use std::cell::RefCell;
use std::hint::black_box;
use std::mem::take;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rehref::container::mail::{MailOptions, Mbox, MboxFormat, MessageReader};
use rehref::document::Document;
use rehref::format::Options;

use crate::inputs::cliffs::{INPUTS, Input};
use crate::programs::thread_time;
use crate::settings::Settings;

/// The most time relative to the document without the construct.
const LIMIT: f64 = 1.3;

/// The offset in a document before which nothing is inserted.
const BEGINNING: usize = 2000;

/// A construct and the processor time of its document, relative to that of the document without it.
struct Case {
    construct: Vec<u8>,
    ratio: f64,
}

/// Measures all constructs, and prints the times, the longest first. Returns true if none is over
/// the limit, which does not count in a run on tiny inputs. `only` has the names of documents.
#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
pub(crate) fn run(settings: &Settings, only: Option<&str>) -> bool {
    let mut is_within = true;
    let is_chosen = |input: &&Input| only.is_none_or(|it| it.split(',').any(|it| it == input.name));
    for input in INPUTS.iter().filter(is_chosen) {
        let mut cases = measure(settings, input);
        cases.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
        println!("{}", input.name);
        for Case { construct, ratio } in cases {
            let is_over = ratio > LIMIT && !settings.is_smoke;
            is_within &= !is_over;
            let mark = if is_over { "  over the limit" } else { "" };
            println!("  {ratio:.2}  {}{mark}", construct.escape_ascii());
        }
    }
    is_within
}

/// Measures the constructs of a document, and each byte.
fn measure(settings: &Settings, input: &Input) -> Vec<Case> {
    let text = (input.text)(settings.size(20)).into_bytes();
    let line_end = |from: usize| text[from..].iter().position(|&byte| byte == b'\n');
    let beginning = BEGINNING.min(text.len() / 2);
    let at = beginning + line_end(beginning).map_or(0, |end| end + 1);
    let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
    let constructs = input.constructs.iter().map(|it| it.as_bytes().to_vec());
    let without = RefCell::new(text.clone());
    // Not counted: its memory is new.
    time(input, &without);
    bytes
        .chain(constructs)
        .map(|construct| {
            let with = RefCell::new([&text[..at], &construct, &text[at..]].concat());
            let (mut base, mut best) = (Duration::MAX, Duration::MAX);
            let mut ratio = f64::INFINITY;
            for _ in 0..settings.rounds {
                base = base.min(time(input, &without));
                best = best.min(time(input, &with));
                ratio = best.as_secs_f64() / base.as_secs_f64();
                // Few are over the limit, so only these take several rounds.
                if ratio <= LIMIT {
                    break;
                }
            }
            Case { construct, ratio }
        })
        .collect()
}

/// The processor time of finding the links of a document, which has the same bytes afterwards.
fn time(input: &Input, bytes: &RefCell<Vec<u8>>) -> Duration {
    let start = thread_time();
    if input.name.ends_with(".eml") {
        read_mail(&bytes.borrow());
        return thread_time() - start;
    }
    let document = Document::from_bytes(take(&mut *bytes.borrow_mut())).name(input.name).build();
    let document = document.expect("its name has a format");
    drop(black_box(document.found(&Options::default())));
    let time = thread_time() - start;
    *bytes.borrow_mut() = document.into_bytes();
    time
}

/// Finds the links in the parts of messages.
fn read_mail(bytes: &[u8]) {
    let archive: Arc<Path> = Path::new("a.eml").into();
    let options = MailOptions::default();
    let mut reader = MessageReader::new(&archive, &options);
    for batch in Mbox::new(bytes, MboxFormat::Auto).flatten() {
        batch.messages().for_each(|message| {
            reader.read(message, |part| {
                drop(black_box(part.document.found(&Options::default())));
                Some(part)
            });
        });
    }
}
