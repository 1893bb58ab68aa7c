//! The work of the command with one, two, four and more threads.

mod row;
mod work;

use std::fs;
use std::iter::successors;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::inputs::{archive, pages, real, scale};
use crate::machine;
use crate::programs::{self, Program, pass};
use crate::report::{Input, Measure, Section};
use crate::rounds::{self, Contender, Spread};
use crate::settings::{Settings, given};
use row::Row;
use work::{Job, Work};

const ABOUT: &str = "Whole processes on files in the disk cache: `rehref extract -j N FILE...`, and on small pages in memory \
    also `rewrite --absolute` with `-o` and `-w`, `rewrite --undo` and `unpack`. *Times* is the time of `-j 1` divided by that of the row in \
    the same round, and *efficiency* the same for each processor at work. *Serial* is the part of the processor time in which other \
    threads could not work: listing files and parts, dividing files, reading streams, taking results in order, work that had to wait for its turn, and all \
    outside of the scheduler, which counts it while this process does the same work. *Computed* is what it lets expect, \
    `total / (serial + (total - serial) / n)`, for the processors at work and for 4, 16 and 64. A run fails if the output of two `-j` is not the \
    same. The peers are `gzip -dc FILE...` and `rg -oNaI '(?-u)(?i)\\b[a-z][a-z0-9+.-]*://[^\\s<>\"]+' FILE...`.";

const REGEX: &str = r#"(?-u)(?i)\b[a-z][a-z0-9+.-]*://[^\s<>"]+"#;

/// The size of what a file repeats, in MB.
const REPEATED: usize = 10;

/// The number of files that are as large as one together.
const FILES: usize = 8;

/// The number of bytes of a large file for each small page: 40,000 pages for 500 MB.
const BYTES_OF_PAGE: usize = 12_500;

/// The times as fast that two threads should be: on large files, and on trees that are written.
const GOALS: [f64; 2] = [1.9, 1.8];

#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
pub(crate) fn run(settings: &Settings) -> Section {
    let mut section = Section::new("Threads", Measure::Threads, ABOUT);
    section.table = row::heading(machine::cores());
    print!("{}", section.table);
    let [gzip, rg] = [("gzip", "GZIP_PROGRAM"), ("rg", "RG")].map(|(name, variable)| {
        Program::find(name, variable).map_err(|missing| section.missing.push(missing)).ok()
    });
    let rehref = programs::rehref();
    let peers = |files: &[PathBuf]| {
        let ends_in = |end| files.iter().all(|it| it.extension().is_some_and(|it| it == end));
        let arguments =
            if ends_in("gz") { vec!["-dc"] } else { vec!["-oNaI", "--no-config", REGEX] };
        let peer = if ends_in("gz") { &gzip } else { &rg };
        let peer = peer.as_ref().filter(|_| ends_in("gz") || ends_in("txt"));
        peer.map(|it| (it, arguments)).into_iter().collect::<Vec<_>>()
    };
    for kind in scale::kinds(settings.size(REPEATED)) {
        for count in [1, FILES] {
            let scratch = programs::scratch();
            let write = |number| kind.write(scratch.path(), number, settings.file / count);
            let size = (0..count).map(write).sum();
            let name = match count {
                1 => kind.name.to_owned(),
                _ => format!("{count} × {}", kind.name),
            };
            section.inputs.push(Input::new(&name, [&*kind.piece]).repeated(size));
            let files = real::files(scratch.path());
            let work = Work { name, job: Job::Extract, size, paths: &files };
            measure(settings, &mut section, &rehref, &work, &peers(&files));
        }
    }
    for (kind, paths) in
        [("text", &settings.texts), ("mail", &settings.mail), ("archive", &settings.archives)]
    {
        for (at, path) in paths.iter().enumerate() {
            let files = real::files(path);
            let input = Input::of_files(given(kind, at), &files);
            let (name, size) = (input.name.clone(), input.size);
            section.inputs.push(input);
            let work = Work { name, job: Job::Extract, size, paths: &files };
            measure(settings, &mut section, &rehref, &work, &peers(&files));
        }
    }
    let memory = programs::scratch_in_memory();
    let tree = memory.path().join("tree");
    pages::site_of_small(&tree, settings.file / BYTES_OF_PAGE).expect("space for pages");
    let input = Input::of_files("pages", &real::files(&tree));
    for job in [Job::Extract, Job::NewTree, Job::InPlace, Job::Undo] {
        let name = format!("pages, {}", job.name());
        let work = Work { name, job, size: input.size, paths: std::slice::from_ref(&tree) };
        measure(settings, &mut section, &rehref, &work, &[]);
    }
    section.inputs.push(input);
    // An archive with the same page twice would be unpacked only once.
    let archive = archive::archive(settings.file / 4);
    let path = memory.path().join("pages.warc.gz");
    fs::write(&path, &archive).expect("space for an archive");
    let name = format!("archive, {}", Job::Unpack.name());
    let size = archive.len() as u64;
    section.inputs.push(Input::new(&name, [&*archive]));
    let work = Work { name, job: Job::Unpack, size, paths: std::slice::from_ref(&path) };
    measure(settings, &mut section, &rehref, &work, &[]);
    section
}

/// The numbers of threads: up to the processors, and more.
fn threads() -> Vec<usize> {
    let cores = machine::cores();
    let mut threads: Vec<usize> =
        successors(Some(1), |it| Some(it * 2)).take_while(|it| *it <= cores.max(4)).collect();
    threads.extend([cores, 16.max(2 * cores)]);
    threads.sort_unstable();
    threads.dedup();
    threads
}

/// Measures a work, and adds the rows of its table.
#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
fn measure(
    settings: &Settings,
    section: &mut Section,
    rehref: &Path,
    work: &Work<'_>,
    peers: &[(&Program, Vec<&str>)],
) {
    let (cores, threads) = (machine::cores(), threads());
    let outputs: Vec<_> = threads.iter().map(|&threads| work.output(rehref, threads)).collect();
    for (output, threads) in outputs.iter().zip(&threads) {
        if *output != outputs[0] || output.size == 0 {
            section
                .faults
                .push(format!("{}: -j {threads}: {output:?}, not {:?}", work.name, outputs[0]));
        }
    }
    let ours = threads.iter().map(|&threads| {
        Contender::clocked(format!("-j {threads}"), move || work.pass(rehref, threads))
            .of_rehref()
            .threads(threads)
    });
    let theirs = peers.iter().map(|(peer, arguments)| {
        Contender::clocked(&*peer.name, move || {
            pass(Command::new(&peer.path).args(arguments).args(work.paths), 0)
        })
    });
    let mut contenders: Vec<Contender<'_>> = ours.chain(theirs).collect();
    let timings = rounds::run_all(settings.rounds, &mut contenders);
    // That of as many threads as there are processors, to compare more with.
    let at_cores = threads.iter().position(|it| *it == cores).unwrap_or(0);
    for (contender, timing) in contenders.iter().zip(&timings) {
        let threads = contender.threads;
        let is_parallel = contender.is_ours && threads > 1;
        let row = Row {
            work: &work.name,
            size: work.size,
            way: &contender.name,
            seconds: Spread::of(timing.times.iter().map(|it| it.as_secs_f64())).median,
            times: Spread::ratio(&timings[0], timing),
            of_cores: Spread::ratio(timing, &timings[at_cores]).median,
            processors: contender.is_ours.then_some(threads.min(cores)),
            is_beyond: contender.is_ours && threads > cores,
            goal: (is_parallel && threads == 2 && cores >= 2)
                .then(|| GOALS[usize::from(work.job != Job::Extract)]),
            share: is_parallel.then(|| work.serial_share(settings.rounds, threads)).flatten(),
        };
        println!("{row}");
        section.table.push_str(&format!("{row}\n"));
    }
}
