//! `rehref extract` on large files, beside `rg -o` with a regular expression for URLs.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::text;
use crate::agreement::{Agreement, ascii_beginning};
use crate::inputs::charsets::{WHOLE, sprinkled, whole};
use crate::machine;
use crate::programs::{self, Program, output, pass};
use crate::report::{Contest, Input, Measure, Section};
use crate::rounds::Contender;
use crate::settings::Settings;

const ABOUT: &str = "Whole processes on a file in the disk cache: `rehref extract -j N FILE` and \
    `rg -o --no-line-number 'https?://[^\\s<>\"()]+' FILE`. ripgrep has one thread for a file. It is given no encoding, so it \
    searches the bytes without decoding them, which is faster; URLs of other schemes are not in its results. \
    Differences: where a URL in a sentence ends, and URLs that line breaks split.";

const REGEX: &str = r#"https?://[^\s<>"()]+"#;

/// The share of ripgrep's URLs that rehref finds.
const SHARED: f64 = 0.97;

/// The size of the text that a file repeats, in MB.
const REPEATED: usize = 10;

pub(crate) fn run(settings: &Settings) -> Section {
    let mut section = Section::new("Large files", Measure::Faster, ABOUT);
    let peer = match Program::find("rg", "RG") {
        Ok(peer) => peer,
        Err(missing) => {
            section.missing.push(missing);
            return section;
        }
    };
    let rehref = programs::rehref();
    let scratch = programs::scratch();
    for (name, text) in texts(settings.size(REPEATED)) {
        // Results are compared on the text once, and counted on the large file.
        let once = scratch.path().join("once.txt");
        programs::write_repeated(&once, &text, 0);
        let file = scratch.path().join("text.txt");
        let size = programs::write_repeated(&file, &text, settings.file);
        section.inputs.push(Input::new(&name, [&*text]).repeated(size));
        let programs = [&rehref, Path::new(&peer.path)];
        compare(settings, &mut section, &name, [&once, &file], programs, &peer.name);
        fs::remove_file(&file).expect("a scratch file");
    }
    section
}

fn texts(size: usize) -> impl Iterator<Item = (String, Vec<u8>)> {
    let texts = text::generated(size).into_iter();
    let texts = texts.flat_map(|(name, text)| {
        let with_latin1 =
            (name == "prose and mail").then(|| (format!("{name}, with Latin-1"), sprinkled(&text)));
        [(name, text.into_bytes())].into_iter().chain(with_latin1)
    });
    texts.chain(WHOLE.into_iter().map(move |case| (case.0.to_owned(), whole(case, size).1)))
}

fn compare(
    settings: &Settings,
    section: &mut Section,
    name: &str,
    [once, file]: [&Path; 2],
    [rehref, rg]: [&Path; 2],
    peer: &str,
) {
    let ours = |threads: usize, file: &Path| {
        let mut command = Command::new(rehref);
        command.args(["extract", "-j", &threads.to_string()]).arg(file);
        command
    };
    let theirs = |file: &Path| {
        let mut command = Command::new(rg);
        command.args(["-o", "--no-line-number", "--no-config", REGEX]).arg(file);
        command
    };
    let agreement = Agreement::new(&urls(&mut ours(1, once)), &urls(&mut theirs(once)), SHARED);
    let found = [&mut ours(1, file), &mut theirs(file)].map(|command| {
        let lines = output(command);
        memchr::memchr_iter(b'\n', &lines).count()
    });
    let run = |threads| {
        let run = Contender::clocked("rehref", move || pass(&mut ours(threads, file), found[0]));
        run.of_rehref().threads(threads)
    };
    let mut contenders =
        vec![run(1), Contender::clocked(peer, || pass(&mut theirs(file), found[1]))];
    if machine::cores() > 1 {
        contenders.push(run(machine::cores()));
    }
    let size = fs::metadata(file).map_or(0, |it| it.len() as usize);
    section.compare(
        settings.rounds,
        Contest {
            input: name,
            size,
            contenders,
            agreements: vec![(peer, agreement)],
            goals: &[(peer, 1.0)],
        },
    );
}

fn urls(command: &mut Command) -> Vec<String> {
    let lines = output(command);
    lines.split(|it| *it == b'\n').filter(|it| !it.is_empty()).map(ascii_beginning).collect()
}
