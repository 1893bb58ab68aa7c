//! The peak memory of rewriting a page with a link every 150 bytes.

use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;

use crate::inputs::pages;
use crate::peak;
use crate::programs;
use crate::report::{Input, Measure, Row, Section};
use crate::rounds::Spread;
use crate::settings::Settings;

const ABOUT: &str = "The most memory that `rehref rewrite --absolute` has at once, on a page with a link every 150 bytes, \
    less the sizes of the page and of its new version, and less the memory of the same command on a page with one link \
    (*process*), which is mostly the program itself. Each link changes. With `-o`, the result is a new file; as a filter, it \
    goes to standard output; with `-w`, it replaces the page. MB are 1,000,000 bytes.";

const RUNS: usize = 3;

/// The most memory in addition to the page and its new version, in MB.
const GOAL: f64 = 4.0;

pub(crate) fn run(settings: &Settings) -> Section {
    let mut section = Section::new("Memory of rewriting", Measure::Memory, ABOUT);
    if !peak::IS_KNOWN {
        section.missing.push("peak memory: not known on this system".to_owned());
        return section;
    }
    let rehref = programs::rehref();
    let scratch = programs::scratch();
    let small = "<p><a href=a.html>link</a>\n";
    let ways = ["-o", "filter", "-w"];
    let mut process = [0.0; 3];
    for (way, process) in ways.into_iter().zip(&mut process) {
        let row = row("process", &rehref, scratch.path(), small, way, 0.0);
        *process = row.value.median;
        section.add(row);
    }
    for megabytes in [10, 100] {
        let page = pages::page_of_links(settings.size(megabytes));
        let name = format!("page of {megabytes} MB");
        section.inputs.push(Input::new(&name, [page.as_bytes()]));
        for (way, process) in ways.into_iter().zip(process) {
            let row = row(&name, &rehref, scratch.path(), &page, way, process);
            section.add(Row { goal: Some(GOAL), ..row });
        }
    }
    section
}

/// A row without a goal. `process` is subtracted, in MB.
fn row(name: &str, rehref: &Path, scratch: &Path, page: &str, way: &str, process: f64) -> Row {
    let runs: Vec<_> = (0..RUNS).map(|_| measured(rehref, scratch, page, way)).collect();
    Row {
        input: name.to_owned(),
        threads: 1,
        peer: way.to_owned(),
        value: Spread::of(runs.iter().map(|it| it.0 - process)),
        speed: None,
        found: [runs[0].1, page.len()],
        shared: None,
        goal: None,
    }
}

/// The memory beyond the page and its new version, in MB, and the size of the new version.
fn measured(rehref: &Path, scratch: &Path, page: &str, way: &str) -> (f64, usize) {
    let file = scratch.join("page.html");
    fs::write(&file, page).expect("a scratch file");
    let out = scratch.join("out");
    let mut arguments =
        vec!["rewrite", "-j", "1", "--absolute", "--base", "http://www.example.org/a/b/page.html"];
    let new = match way {
        "-o" => {
            arguments.extend(["-o", out.to_str().expect("a scratch path is UTF-8")]);
            out.join("page.html")
        }
        "-w" => {
            arguments.push("-w");
            file.clone()
        }
        _ => scratch.join("filtered.html"),
    };
    let (input, output) = if way == "filter" {
        arguments.push("-");
        (Stdio::from(open(&file)), Stdio::from(create(&new)))
    } else {
        arguments.push("page.html");
        (Stdio::null(), Stdio::null())
    };
    let peak = peak::of(scratch, rehref, &arguments, input, output);
    let size = fs::metadata(&new).map_or(0, |it| it.len() as usize);
    assert!(size > page.len(), "{arguments:?} wrote {size} bytes");
    fs::remove_file(&new).expect("a scratch file");
    let _ = fs::remove_dir_all(&out);
    let beyond = peak as f64 - (page.len() + size) as f64;
    (beyond / 1e6, size)
}

fn open(file: &Path) -> File {
    File::open(file).expect("a scratch file")
}

fn create(file: &Path) -> File {
    File::create(file).expect("a scratch file")
}
