//! `rehref extract` on a web archive, beside readers and HTML parsers of Python.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::warc::archives;
use crate::agreement::Agreement;
use crate::inputs::archive::{beginning, documents};
use crate::machine;
use crate::programs::{self, output, processor_pass};
use crate::report::{Contest, Input, Measure, Section};
use crate::rounds::Contender;
use crate::settings::Settings;

const ABOUT: &str = "Processor time of whole processes that list the absolute URLs of the links in the HTML pages of an archive: \
    `rehref extract -j 1 FILE`, and Python that reads records with FastWARC or warcio, lists the links of each page with \
    lxml (`iterlinks`), selectolax (every `href` and `src`) or turbohtml (`links`), and resolves each with `urljoin`. Of given \
    archives only the beginning is read. Speeds are of inflated bytes. Differences: links in style sheets, and `href` and \
    `src` in elements where they are not links.";

/// Lists the links of an archive.
const SCRIPT: &str = include_str!("warc_peers.py");

/// The share of the peers' links that rehref finds.
const SHARED: f64 = 0.95;

/// The goal: rehref is this many times as fast as FastWARC and lxml.
const GOAL: f64 = 20.0;

/// The readers and the parsers that are combined.
const PEERS: [[&str; 2]; 4] = [
    ["fastwarc", "lxml"],
    ["fastwarc", "selectolax"],
    ["fastwarc", "turbohtml"],
    ["warcio", "lxml"],
];

pub(crate) fn run(settings: &Settings) -> Section {
    let title = "Web archives beside libraries of Python";
    let mut section = Section::new(title, Measure::Faster, ABOUT);
    let rehref = programs::rehref();
    let scratch = programs::scratch();
    for (name, archive) in archives(settings) {
        let archive = beginning(&archive, settings.size(20));
        let file = scratch.path().join("archive.warc.gz");
        fs::write(&file, archive).expect("space for scratch files");
        section.inputs.push(Input::new(&name, [archive]));
        let size = documents(archive).1;
        compare(settings, &mut section, &name, size, [&rehref, &file]);
    }
    section
}

fn compare(
    settings: &Settings,
    section: &mut Section,
    name: &str,
    size: usize,
    [rehref, file]: [&Path; 2],
) {
    let peers: Vec<_> = PEERS.iter().map(|modules| (modules, named(modules))).collect();
    let ours = || {
        let mut command = Command::new(rehref);
        command.args(["extract", "-j", "1"]).arg(file);
        command
    };
    let lines = output(&mut ours());
    let our_urls: Vec<String> =
        String::from_utf8_lossy(&lines).lines().map(str::to_owned).collect();
    let found = our_urls.len();
    let mut contenders =
        vec![Contender::clocked("rehref", || processor_pass(&mut ours(), found)).of_rehref()];
    let mut agreements = Vec::new();
    let mut goals = Vec::new();
    for (modules, named) in &peers {
        let peer = match named {
            Ok(peer) => peer,
            Err(missing) if section.missing.contains(missing) => continue,
            Err(missing) => {
                section.missing.push(missing.clone());
                continue;
            }
        };
        let urls = output(&mut theirs(**modules, file, "urls"));
        let urls: Vec<String> = serde_json::from_slice(&urls).expect("a list in JSON");
        agreements.push((&**peer, Agreement::new(&our_urls, &urls, SHARED)));
        let found = urls.len();
        contenders.push(Contender::clocked(peer, move || {
            processor_pass(&mut theirs(**modules, file, "count"), found)
        }));
        if **modules == PEERS[0] {
            goals.push((&**peer, GOAL));
        }
    }
    section.compare(
        settings.rounds,
        Contest { input: name, size, contenders, agreements, goals: &goals },
    );
}

fn python() -> Command {
    Command::new(env::var_os("PYTHON").unwrap_or_else(|| "python3".into()))
}

/// The names of two modules with their versions. An error says which are missing.
fn named(modules: &[&str; 2]) -> Result<String, String> {
    let script = "import sys, importlib.metadata as m\n\
        print(' + '.join(f'{it} {m.version(it)}' for it in sys.argv[1:]))";
    let [reader, parser] = modules;
    machine::first_line(python().args(["-c", script, reader, parser])).ok_or_else(|| {
        format!("{reader} and {parser}: missing; set PYTHON to a Python that has both modules")
    })
}

fn theirs([reader, parser]: [&str; 2], file: &Path, result: &str) -> Command {
    let mut command = python();
    command.args(["-c", SCRIPT, reader, parser]);
    command.arg(file).arg(result);
    command
}
