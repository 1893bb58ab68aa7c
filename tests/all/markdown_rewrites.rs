//! Random rewrites of real Markdown: no byte outside of a destination changes, and every
//! destination is read back. The files are those of this repository, and those in the directory
//! that the environment variable `REHREF_MARKDOWN` names.

use std::path::{Path, PathBuf};
use std::{env, fs};

use rehref::document::Document;
use rehref::format::Format;
use rehref::link::{ParsedLink, Target};
use rehref::rewrite::{Decision, Mapper, Plan};
use rehref::uri::Base;

use crate::laws::edits_are_read_back;
use crate::support::planned::Planned;
use crate::tier;

/// Parts of new references.
const PIECES: [&str; 32] = [
    "a", "b.md", "../", "./", "/", "http://n.example/", "https://", "//n.example", "?q=1&r=2",
    "#f", " ", "(", ")", "(c)", "<", ">", "[", "]", "*", "_", "`", "|", "\\", "\\)", "&amp;",
    "&copy", "%20", "é", "日本", "\u{A0}", ":", "'",
];

/// Random numbers: xorshift64*.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % end
    }
}

/// Replaces each link with a random reference of its own.
struct Random(u64);

impl Mapper for Random {
    fn map<'t>(
        &self,
        _: &Document,
        link: &ParsedLink<'_>,
        _: &Target<'t>,
        _: Option<&Base>,
    ) -> Decision<'t> {
        let seed = (link.extent().start as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ self.0;
        let mut dice = Dice(seed | 1);
        let count = 1 + dice.below(5);
        let pieces = (0..count).map(|_| PIECES[dice.below(PIECES.len())]);
        Decision::Replace {
            reference: pieces.collect::<String>().into(),
            uri: "http://n.example/".into(),
            rule: "random",
        }
    }
}

/// The Markdown files, sorted.
fn files() -> Vec<PathBuf> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut directories: Vec<PathBuf> = ["docs", "corpus"].map(|it| repository.join(it)).into();
    directories.extend(env::var_os("REHREF_MARKDOWN").map(PathBuf::from));
    let below = directories.iter().flat_map(|it| walkdir::WalkDir::new(it).into_iter().flatten());
    let top = walkdir::WalkDir::new(repository).max_depth(1).into_iter().flatten();
    let files = below.chain(top).map(walkdir::DirEntry::into_path);
    let is_markdown = |it: &PathBuf| it.extension().is_some_and(|it| it == "md") && it.is_file();
    let mut files: Vec<PathBuf> = files.filter(is_markdown).collect();
    files.sort();
    files
}

#[test]
fn random_rewrites_change_only_destinations_and_are_read_back() {
    let documents = files().into_iter().map(|path| {
        let bytes = fs::read(&path).expect("a file");
        Document::new(&path, bytes).with_format(Format::Markdown)
    });
    let has_links = |it: &Document| !it.links().is_empty();
    let documents: Vec<Document> = documents.filter(has_links).collect();
    assert!(documents.len() > 10, "{} documents", documents.len());
    let most = tier::pick(2_000, 1_000_000);
    let (mut rewrites, mut skipped, mut round) = (0, 0, 0);
    while rewrites < most {
        let document = &documents[round % documents.len()];
        let (edits, kept) = rewrite(document, round);
        rewrites += edits;
        skipped += kept;
        round += 1;
    }
    // A URL in text takes only what is a URL, and few references are.
    assert!(skipped < rewrites, "{skipped} skipped, {rewrites} rewritten");
}

/// Rewrites a document. Returns the number of edits and of skipped destinations.
fn rewrite(document: &Document, round: usize) -> (usize, usize) {
    let name = document.path().display();
    let (links, mapper) = (document.links(), Random(round as u64));
    let plan = Planned::new(&links, &mapper);
    edits_are_read_back(document, &plan)
        .unwrap_or_else(|error| panic!("{name} in round {round}: {error}"));
    // Other programs must read the same document, too.
    if round.is_multiple_of(16) {
        let verified = Plan::new(&links, &mapper).verify();
        assert!(verified.is_ok(), "{name} in round {round}: {verified:?}");
    }
    let is_destination = |&(number, _): &(usize, _)| {
        let cue = links.found().links[number].place.cue();
        cue.is_some_and(|it| matches!(it, "inline" | "definition"))
    };
    let kept = plan.skipped().iter().filter(|it| is_destination(it)).count();
    (plan.edits().len(), kept)
}
