//! rehref beside its peers: the same inputs, in one run, in alternating rounds.
//!
//! Each task is a benchmark of its own (`benches/`). The benchmark `peers` runs all of them and
//! writes BENCHMARKS.md.

mod agreement;
mod cliffs;
mod inputs;
mod machine;
mod markdown;
mod peak;
mod programs;
mod report;
mod rounds;
mod settings;
mod tasks;

use std::env;
use std::fs;
use std::process::ExitCode;

use report::Section;
use settings::{Kind, Settings, USAGE};
use tasks::{TASKS, Task};

/// Runs the task with this name, or for `peers` all tasks; then writes BENCHMARKS.md, unless
/// results are missing or wrong. Reads the arguments of the process.
#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its results")]
pub fn run(name: &str) -> ExitCode {
    if let Some(status) = peak::as_wrapper() {
        return status;
    }
    // Cargo runs benchmarks in the directory of their package.
    env::set_current_dir(programs::project()).expect("the project is a directory");
    let is_all = name == "peers";
    let kind = TASKS.iter().find(|it| it.name == name).map_or(Kind::None, |it| it.kind);
    let (settings, only) = match Settings::parse(env::args().skip(1), kind) {
        Ok(parsed) => parsed,
        Err(error) => {
            eprintln!("{error}\nusage: cargo bench -p rehref-benches --bench {name} -- {USAGE}");
            return ExitCode::from(2);
        }
    };
    let is_chosen = |task: &&Task| match &only {
        Some(only) => only.split(',').any(|it| it == task.name),
        None => is_all || task.name == name,
    };
    let mut sections = Vec::new();
    for task in TASKS.iter().filter(is_chosen) {
        let mut section = (task.run)(&settings);
        section.task = task.name;
        for missing in &section.missing {
            println!("  {missing}");
        }
        sections.push(section);
    }
    let faults: Vec<&String> = sections.iter().flat_map(|it| &it.faults).collect();
    for fault in &faults {
        eprintln!("wrong result: {fault}");
    }
    if !faults.is_empty() || sections.is_empty() {
        return ExitCode::FAILURE;
    }
    match (is_all && only.is_none(), settings.is_smoke) {
        (true, false) => write(&sections),
        (true, true) => {
            println!("{}", markdown::render(&sections));
            ExitCode::SUCCESS
        }
        (false, _) => ExitCode::SUCCESS,
    }
}

/// Measures what single bytes and constructs cost: see `cliffs`. Reads the arguments of the process.
#[expect(clippy::print_stderr, reason = "a benchmark prints its results")]
pub fn cliffs() -> ExitCode {
    match Settings::parse(env::args().skip(1), Kind::None) {
        Ok((settings, only)) if cliffs::run(&settings, only.as_deref()) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!(
                "{error}\nusage: cargo bench -p rehref-benches --bench cliffs -- [--smoke] [--only a.html,...]"
            );
            ExitCode::from(2)
        }
    }
}

#[expect(clippy::print_stderr, reason = "a benchmark prints its results")]
fn write(sections: &[Section]) -> ExitCode {
    let path = programs::project().join("BENCHMARKS.md");
    match fs::write(&path, markdown::render(sections)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            ExitCode::FAILURE
        }
    }
}
