//! `rehref check` beside the link checkers hyperlink and lychee.

use std::path::PathBuf;
use std::process::Command;

use super::tree::{Tree, trees};
use crate::inputs::real;
use crate::machine;
use crate::programs::{self, Program, output, pass};
use crate::report::{Contest, Input, Measure, Section};
use crate::rounds::Contender;
use crate::settings::Settings;

const ABOUT: &str = "Whole processes with all processors: `rehref check DIR`, `hyperlink DIR` and `lychee --offline \
    --no-progress --root-dir DIR DIR`; with anchors, also `--check-anchors` and `--include-fragments`; without them, `--no-anchors`. For \
    hyperlink and lychee, links out of DIR are broken; `rehref check DIR` looks them up, and `rehref check --root DIR DIR` \
    reports them. The counts are of checked links. In the generated \
    site, all must find the same number of broken links.";

pub(crate) fn run(settings: &Settings) -> Section {
    let mut section = Section::new("Checking links", Measure::Faster, ABOUT);
    let peers = [Program::find("hyperlink", "HYPERLINK"), Program::find("lychee", "LYCHEE")];
    let rehref = programs::rehref();
    let scratch = programs::scratch();
    let trees = trees(settings, &scratch.path().join("site"));
    for tree in &trees {
        section.inputs.push(Input::of_files(&tree.name, &real::files(&tree.path)));
        for with_anchors in [false, true] {
            for peer in peers.iter().flatten() {
                let check = Check { rehref: rehref.clone(), tree, peer, with_anchors };
                check.compare(settings, &mut section);
            }
        }
    }
    section.missing.extend(peers.into_iter().filter_map(Result::err));
    section
}

/// A comparison with one peer.
struct Check<'c> {
    rehref: PathBuf,
    tree: &'c Tree,
    peer: &'c Program,
    with_anchors: bool,
}

/// The numbers of checked links and of broken links.
struct Counts {
    checked: usize,
    broken: usize,
}

impl Check<'_> {
    fn compare(&self, settings: &Settings, section: &mut Section) {
        let is_lychee = self.peer.name.starts_with("lychee");
        let input = match self.with_anchors {
            true => format!("{}, anchors", self.tree.name),
            false => self.tree.name.clone(),
        };
        let theirs = self.theirs();
        for has_root in [false, true] {
            if has_root && (is_lychee || self.tree.broken.is_some()) {
                continue;
            }
            let ours = self.ours(has_root);
            let name = match has_root {
                true => format!("{}; we with `--root`", self.peer.name),
                false => self.peer.name.clone(),
            };
            self.expect(&ours, &theirs, &input, section);
            let timed = Contender::clocked("rehref", || {
                pass(&mut self.our_command(has_root), ours.checked)
            });
            let contenders = vec![
                timed.of_rehref().threads(machine::cores()),
                Contender::clocked(&name, || pass(&mut self.their_command(), theirs.checked)),
            ];
            let goals: &[(&str, f64)] = if is_lychee { &[] } else { &[(&name, 2.0)] };
            section.compare(
                settings.rounds,
                Contest { input: &input, size: 0, contenders, agreements: Vec::new(), goals },
            );
        }
    }

    /// Adds a fault where the counts cannot be right.
    fn expect(&self, ours: &Counts, theirs: &Counts, input: &str, section: &mut Section) {
        let peer = &self.peer.name;
        if let Some(broken) = self.tree.broken {
            for (name, counts) in [("rehref", ours), (&**peer, theirs)] {
                if counts.broken != broken {
                    let found = counts.broken;
                    section
                        .faults
                        .push(format!("{input}: {name} found {found} of {broken} broken links"));
                }
            }
        }
    }

    fn our_command(&self, has_root: bool) -> Command {
        let mut command = Command::new(&self.rehref);
        command.arg("check").args((!self.with_anchors).then_some("--no-anchors"));
        if has_root {
            command.arg("--root").arg(&self.tree.path);
        }
        command.arg(&self.tree.path);
        command
    }

    fn ours(&self, has_root: bool) -> Counts {
        let mut command = self.our_command(has_root);
        command.arg("--json");
        // The last line is the summary.
        let text = output(&mut command);
        let last = text.trim_ascii_end().rsplit(|it| *it == b'\n').next();
        let summary: serde_json::Value =
            serde_json::from_slice(last.unwrap_or_default()).expect("a summary in JSON");
        let count = |field: &str| summary[field].as_u64().map_or(0, |it| it as usize);
        Counts { checked: count("links"), broken: count("broken") }
    }

    fn their_command(&self) -> Command {
        let mut command = Command::new(&self.peer.path);
        if self.peer.name.starts_with("lychee") {
            command.args(["--offline", "--no-progress", "--root-dir"]).arg(&self.tree.path);
            command.args(self.with_anchors.then_some("--include-fragments"));
        } else {
            command.args(self.with_anchors.then_some("--check-anchors"));
        }
        command.arg(&self.tree.path);
        command
    }

    fn theirs(&self) -> Counts {
        let mut command = self.their_command();
        if self.peer.name.starts_with("lychee") {
            let text = output(command.args(["--format", "json"]));
            let counts: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
            let count = |field: &str| counts[field].as_u64().map_or(0, |it| it as usize);
            return Counts {
                // External links are excluded offline.
                checked: count("total") - count("excludes"),
                broken: count("errors"),
            };
        }
        let text = output(&mut command);
        let text = String::from_utf8_lossy(&text);
        let number = |before: &str, after: &str| {
            let numbers = text.lines().filter_map(|line| {
                line.strip_prefix(before)?.split_once(after)?.0.parse::<usize>().ok()
            });
            numbers.sum()
        };
        Counts {
            checked: number("Checking ", " links from"),
            broken: number("Found ", " bad links"),
        }
    }
}
