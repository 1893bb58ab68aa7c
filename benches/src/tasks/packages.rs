//! `rehref rewrite -o` on documents of Word beside copying them and inflating each part once.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use zip::ZipArchive;

use crate::agreement::Agreement;
use crate::inputs::{packages, real};
use crate::programs::{self, pass};
use crate::report::{Contest, Input, Measure, Section};
use crate::rounds::{Contender, Pass};
use crate::settings::Settings;
use crate::tasks::tree;

const ABOUT: &str = "Whole processes: `rehref rewrite --map old.example=https://new.example -o NEW DIR` on documents of Word with 20 \
    links each, and `cp -r DIR NEW` and inflating each part of each document once, in one thread. In memory. The counts are of files.";

/// The number of documents.
const DOCUMENTS: usize = 1_000;

pub(crate) fn run(settings: &Settings) -> Section {
    let mut section = Section::new("New trees of documents of offices", Measure::Longer, ABOUT);
    let rehref = programs::rehref();
    let scratch = programs::scratch_in_memory();
    let [old, new, copy] = ["old", "new", "copy"].map(|name| scratch.path().join(name));
    fs::create_dir(&old).expect("a directory");
    for number in 0..(DOCUMENTS / settings.divisor).max(10) {
        let document = packages::document(number as u64);
        fs::write(old.join(format!("{number}.docx")), document).expect("space for a document");
    }
    let rewrite = |found: usize| {
        let _ = fs::remove_dir_all(&new);
        let mut command = Command::new(&rehref);
        command.args(["rewrite", "--map", "old.example=https://new.example", "-o"]);
        pass(command.args([&new, &old]), found)
    };
    let inflate = |found: usize| {
        let _ = fs::remove_dir_all(&copy);
        let start = Instant::now();
        pass(Command::new("cp").arg("-r").args([&old, &copy]), found);
        real::files(&old).iter().for_each(|it| inflate(it));
        Pass { time: start.elapsed(), found }
    };
    rewrite(0);
    inflate(0);
    let [ours, theirs] = [&new, &copy].map(|it| tree::names(it));
    let found = [ours.len(), theirs.len()];
    let agreements = vec![("cp -r and inflating", Agreement::new(&ours, &theirs, 1.0))];
    let input = Input::of_files("documents", &real::files(&old));
    let size = input.size as usize;
    section.inputs.push(input);
    let ours = Contender::clocked("rehref", || rewrite(found[0]));
    let contenders = vec![
        ours.of_rehref().threads(crate::machine::cores()),
        Contender::clocked("cp -r and inflating", || inflate(found[1])),
    ];
    let goals = &[("cp -r and inflating", 1.5)];
    section.compare(
        settings.rounds,
        Contest { input: "documents", size, contenders, agreements, goals },
    );
    section
}

fn inflate(document: &Path) {
    let file = File::open(document).expect("a document");
    let mut archive = ZipArchive::new(file).expect("a package");
    for part in 0..archive.len() {
        let mut part = archive.by_index(part).expect("a part");
        io::copy(&mut part, &mut io::sink()).expect("the content of a part");
    }
}
