//! `rehref rewrite -o` beside `cp -r` on the same tree.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::agreement::Agreement;
use crate::inputs::{pages, real};
use crate::programs::{self, pass};
use crate::report::{Contest, Input, Measure, Section};
use crate::rounds::Contender;
use crate::settings::{Settings, given};

const ABOUT: &str = "Whole processes: `rehref rewrite --absolute --base http://h/=DIR -o NEW DIR`, which makes every link \
    absolute in a new tree, and `cp -r DIR NEW`. All new trees stay until the end: ext4 does not reuse inodes at once after \
    files were removed, so creating files would take longer. The counts are of files.";

/// The number of pages of the generated site.
const PAGES: usize = 2_000;

/// The largest average size of a file in a tree of small pages.
const SMALL: u64 = 25_000;

pub(crate) fn run(settings: &Settings) -> Section {
    let mut section = Section::new("New trees", Measure::Longer, ABOUT);
    let rehref = programs::rehref();
    let scratch = programs::scratch();
    for tree in trees(settings, &scratch.path().join("site")) {
        compare(settings, &mut section, &tree, scratch.path(), &rehref);
    }
    section
}

/// A tree of pages.
pub(crate) struct Tree {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// The number of broken links, if it is known.
    pub(crate) broken: Option<usize>,
}

/// A generated site, written to `site`, and the trees given on the command line.
///
/// # Panics
/// If the site cannot be written.
pub(crate) fn trees(settings: &Settings, site: &Path) -> Vec<Tree> {
    let broken = pages::site(site, (PAGES / settings.divisor).max(10));
    let generated = Tree {
        name: "site".to_owned(),
        path: site.to_owned(),
        broken: Some(broken.expect("space for a site")),
    };
    let given = settings.trees.iter().enumerate().map(|(at, path)| Tree {
        name: given("tree", at),
        path: path.clone(),
        broken: None,
    });
    [generated].into_iter().chain(given).collect()
}

fn compare(settings: &Settings, section: &mut Section, tree: &Tree, scratch: &Path, rehref: &Path) {
    let name = &*tree.name;
    let mut number = 0;
    let mut new = || {
        number += 1;
        scratch.join(format!("{name} {number}"))
    };
    let copied = |out: &Path| {
        let mut command = Command::new("cp");
        command.arg("-r").args([&*tree.path, out]);
        command
    };
    let rewritten = |out: &Path| {
        let mut command = Command::new(rehref);
        command.args(["rewrite", "--absolute", "--base"]);
        command.arg(format!("http://h/={}", tree.path.display()));
        command.arg("-o").args([out, &tree.path]);
        command
    };
    let [ours, theirs] = [&rewritten as &dyn Fn(&Path) -> Command, &copied].map(|command| {
        let out = new();
        pass(&mut command(&out), 0);
        names(&out)
    });
    let found = [ours.len(), theirs.len()];
    let agreements = vec![("cp -r", Agreement::new(&ours, &theirs, 1.0))];
    let input = Input::of_files(name, &real::files(&tree.path));
    let size = input.size as usize;
    let goal = if input.size / (found[1].max(1) as u64) <= SMALL { 1.3 } else { 2.0 };
    section.inputs.push(input);
    let new = std::cell::RefCell::new(new);
    let run = |command: &dyn Fn(&Path) -> Command, found| {
        let out = (*new.borrow_mut())();
        pass(&mut command(&out), found)
    };
    let ours = Contender::clocked("rehref", || run(&rewritten, found[0]));
    let contenders = vec![
        ours.of_rehref().threads(crate::machine::cores()),
        Contender::clocked("cp -r", || run(&copied, found[1])),
    ];
    section.compare(
        settings.rounds,
        Contest { input: name, size, contenders, agreements, goals: &[("cp -r", goal)] },
    );
}

/// The files in a directory, relative to it.
pub(crate) fn names(directory: &Path) -> Vec<String> {
    let files = real::files(directory);
    let below = files.iter().filter_map(|it| it.strip_prefix(directory).ok());
    below.map(|it| it.display().to_string()).collect()
}
