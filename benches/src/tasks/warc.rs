//! `rehref extract` on a web archive, beside inflating it and finding the links of the inflated
//! pages.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{BufReader, Read};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use flate2::bufread::MultiGzDecoder;
use rehref::document::Document;
use rehref::format::Options;
use rehref::link::LinkResolver;

use crate::inputs::archive::{Members, archive, documents};
use crate::machine;
use crate::programs::{self, output, pass, processor_pass};
use crate::report::{Input, Measure, Row, Section};
use crate::rounds::{self, Contender, Pass, Spread, Timing};
use crate::settings::{Settings, given};

const ABOUT: &str = "Processes that count the links of an archive in the disk cache, `rehref extract -c -j N FILE`, beside parts \
    of the work in one thread. *Inflating* is the reader of gzip files of the same library, flate2 with zlib-rs, which compares \
    checksums too; its output is dropped. *Finding* is the search for links in the pages, which are inflated, with their base URLs and character \
    encodings, and the resolution of each. The ratios are of processor time, that to the slower part of time by the clock. Speeds \
    are of inflated bytes.";

/// The most processor time, in that of both parts.
const SUM: f64 = 1.1;

/// The most time by the clock, in that of the slower part.
const SLOWER: f64 = 1.25;

pub(crate) fn run(settings: &Settings) -> Section {
    let mut section = Section::new("Links of web archives", Measure::Longer, ABOUT);
    let rehref = programs::rehref();
    let scratch = programs::scratch();
    for (name, archive) in archives(settings) {
        let file = scratch.path().join("archive.warc.gz");
        fs::write(&file, &archive).expect("space for scratch files");
        section.inputs.push(Input::new(&name, [&*archive]));
        compare(settings, &mut section, &name, &archive, [&rehref, &file]);
    }
    section
}

/// The generated archive and the given ones.
pub(super) fn archives(settings: &Settings) -> impl Iterator<Item = (String, Vec<u8>)> {
    let generated = ("archive of pages".to_owned(), archive(settings.size(200)));
    let given = settings.archives.iter().enumerate().map(|(at, path)| {
        let archive = fs::read(path).expect("an archive can be read");
        (given("archive", at), archive)
    });
    [generated].into_iter().chain(given)
}

fn compare(
    settings: &Settings,
    section: &mut Section,
    name: &str,
    archive: &[u8],
    [rehref, file]: [&Path; 2],
) {
    let (pages, size) = documents(archive);
    let count = |threads: usize| {
        let mut command = Command::new(rehref);
        command.args(["extract", "-c", "--no-filename", "-j", &threads.to_string()]).arg(file);
        command
    };
    let counted = String::from_utf8(output(&mut count(1))).expect("a number is UTF-8");
    let found = counted.trim().parse().unwrap_or_default();
    let threads = machine::cores().min(2);
    let mut contenders = [
        Contender::clocked("inflating", || processor(|| inflate(file))),
        Contender::clocked("decoding", || processor(|| decode(archive))),
        Contender::clocked("finding", || processor(|| find(&pages))),
        Contender::clocked("rehref", || processor_pass(&mut count(1), found)),
        Contender::clocked("rehref", || pass(&mut count(threads), found)),
    ];
    let timings = rounds::run(settings.rounds, &mut contenders);
    let [inflating, decoding, finding, alone, together] = &timings[..] else {
        unreachable!("five contenders have five timings");
    };
    if found != finding.found {
        let expected = finding.found;
        section.faults.push(format!("{name}: rehref found {found}, its parts {expected}"));
    }
    let with_finding = |part: &Timing, join: fn(Duration, Duration) -> Duration| {
        let parts = part.times.iter().zip(&finding.times);
        parts.map(|(part, finding)| join(*part, *finding)).collect::<Vec<Duration>>()
    };
    let sum = with_finding(inflating, |a, b| a + b);
    let slower = with_finding(inflating, Duration::max);
    let bare_sum = with_finding(decoding, |a, b| a + b);
    let rows = [
        (1, "inflating and finding", alone, &sum, Some(SUM)),
        (1, "decoding and finding", alone, &bare_sum, None),
        (threads, "the slower of inflating and finding", together, &slower, Some(SLOWER)),
    ];
    for (threads, peer, ours, theirs, goal) in rows {
        section.add(Row {
            input: name.to_owned(),
            threads,
            peer: peer.to_owned(),
            value: ratio(ours, theirs),
            speed: Some(speed(size, &ours.times)),
            found: [found, finding.found],
            shared: None,
            goal,
        });
    }
    // For the speed of each part: it does not depend on rehref as a whole.
    for (peer, part) in
        [("inflating alone", inflating), ("decoding alone", decoding), ("finding alone", finding)]
    {
        section.add(Row {
            input: name.to_owned(),
            threads: 1,
            peer: format!("{peer}: {:.0} MB/s", speed(size, &part.times) / 1e6),
            value: ratio(alone, &part.times),
            speed: Some(speed(size, &alone.times)),
            found: [found, part.found],
            shared: None,
            goal: None,
        });
    }
}

fn ratio(long: &Timing, short: &[Duration]) -> Spread {
    let pairs = long.times.iter().zip(short);
    Spread::of(pairs.map(|(long, short)| long.as_secs_f64() / short.as_secs_f64()))
}

/// Bytes per second in the median round.
fn speed(size: usize, times: &[Duration]) -> f64 {
    size as f64 / Spread::of(times.iter().map(Duration::as_secs_f64)).median
}

/// Work on this thread, in processor time where it is known.
fn processor(work: impl FnOnce() -> usize) -> Pass {
    let start = programs::thread_time();
    let found = black_box(work());
    Pass { time: programs::thread_time() - start, found }
}

fn inflate(file: &Path) -> usize {
    let file = File::open(file).expect("a file that was written can be read");
    let mut reader = MultiGzDecoder::new(BufReader::with_capacity(1 << 16, file));
    let mut buffer = vec![0; 1 << 18];
    let mut size = 0;
    loop {
        match reader.read(&mut buffer).expect("members of gzip") {
            0 => return size,
            len => size += black_box(&buffer[..len]).len(),
        }
    }
}

fn decode(archive: &[u8]) -> usize {
    let mut members = Members::new(archive);
    let mut buffer = vec![0; 1 << 18];
    let mut size = 0;
    while let Some(_place) = members.next(&mut buffer, |piece| size += black_box(piece).len()) {}
    size
}

fn find(pages: &[Document]) -> usize {
    let options = Options::default();
    let mut resolver = LinkResolver::new(options.resolver, None, None).unchecked();
    let mut count = 0;
    for page in pages {
        let found = page.found(&options);
        resolver.set_document(found.base.as_ref(), page.base());
        resolver.set_charset(page.charset());
        for link in &found.links {
            black_box(resolver.target(link));
            count += 1;
        }
    }
    count
}
