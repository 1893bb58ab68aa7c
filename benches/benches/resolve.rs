//! Resolving references with rehref and with its peers, on the same input in the same run.
//!
//! `cargo bench -p rehref-benches --bench resolve [-- PATH]` resolves the references of the HTML files in PATH, each against the
//! URL of its file; by default, those of corpus/ many times. Rounds alternate between rehref and the peer, and the best of
//! each counts. A ratio above 1 means that rehref is faster. The absolute numbers depend on the machine.
//!
//! Bases are prepared before the measurement. All write into a reused buffer, except for fluent-uri and url, which return
//! a new string for each result. References that a parser refuses, or that the parsers for RFC 3986 resolve differently,
//! are left out and counted.

#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use fluent_uri::{Iri as FluentIri, IriRef as FluentRef};
use iri_string::types::{IriAbsoluteStr, IriAbsoluteString, IriReferenceStr};
use oxiri::{Iri as OxIri, IriRef as OxRef};
use rehref::format::Format;
use rehref::format::Options;
use rehref::fs::{Content, Item, ReadOptions, WalkOptions};
use rehref::uri::{Base, Reference, Resolver};

/// The number of references.
const ENOUGH: usize = 10_000;

/// The most files that references are taken from.
const FILES: usize = 2_000;

const ROUNDS: usize = 200;

fn main() {
    rehref_benches::enter_project();
    // Cargo passes `--bench`.
    let path = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'));
    let root = Path::new(path.as_deref().unwrap_or("corpus"));
    let (bases, mut cases) = usable(references(root));
    if cases.is_empty() {
        return println!("no HTML with references in {}", root.display());
    }
    let found = cases.len();
    if path.is_none() {
        cases = cases.into_iter().cycle().take(ENOUGH).collect();
    }
    let length: usize = cases.iter().map(|(_, reference)| reference.len()).sum();
    let share = |is: fn(&str) -> bool| {
        let count = cases.iter().filter(|(_, reference)| is(reference)).count();
        100 * count / cases.len()
    };
    println!(
        "{found} references taken {} times, {} bytes each, against {} bases: {} % are a fragment, {} % \
         absolute, {} % begin with ../",
        cases.len() / found,
        length / cases.len(),
        bases.len(),
        share(|it| it.starts_with('#')),
        share(|it| Reference::split(it).parts().scheme.is_some()),
        share(|it| it.starts_with("../")),
    );

    println!("parsed, which checks them, and resolved:");
    let mut out = String::new();
    let mut ours = || {
        over(&cases, |at, reference| {
            let reference = Reference::parse(reference).ok();
            reference.map_or(0, |it| written(&bases[at].ours, it, &mut out))
        })
    };
    let mut buffer = String::new();
    compare("oxiri", cases.len(), &mut ours, || {
        over(&cases, |at, reference| {
            buffer.clear();
            let resolved = OxRef::parse(reference)
                .and_then(|it| bases[at].oxiri.resolve_into(&it, &mut buffer));
            resolved.map_or(0, |()| buffer.len())
        })
    });
    compare("iri-string", cases.len(), &mut ours, || {
        over(&cases, |at, reference| {
            buffer.clear();
            let base: &IriAbsoluteStr = &bases[at].iri_string;
            let resolved = IriReferenceStr::new(reference)
                .map(|it| write!(buffer, "{}", it.resolve_against(base)));
            resolved.map_or(0, |_| buffer.len())
        })
    });
    compare("fluent-uri, a string each", cases.len(), &mut ours, || {
        over(&cases, |at, reference| {
            let reference = FluentRef::parse(reference).ok();
            let resolved = reference.and_then(|it| it.resolve_against(&bases[at].fluent).ok());
            resolved.map_or(0, |it| it.as_str().len())
        })
    });
    compare(
        "url, normalised, a string each",
        cases.len(),
        &mut ours,
        || {
            over(&cases, |at, reference| {
                let resolved = bases[at].url.join(reference);
                resolved.map_or(0, |it| it.as_str().len())
            })
        },
    );

    println!("resolved without a check:");
    let mut ours = || {
        over(&cases, |at, reference| {
            written(&bases[at].ours, Reference::split(reference), &mut out)
        })
    };
    compare("oxiri, unchecked", cases.len(), &mut ours, || {
        over(&cases, |at, reference| {
            buffer.clear();
            let reference = OxRef::parse_unchecked(reference);
            bases[at]
                .oxiri
                .resolve_into_unchecked(&reference, &mut buffer);
            buffer.len()
        })
    });

    println!("only parsed:");
    let mut ours = || over(&cases, |_, it| Reference::parse(it).map_or(0, path_of));
    compare("oxiri", cases.len(), &mut ours, || {
        over(&cases, |_, it| {
            OxRef::parse(it).map_or(0, |it| it.path().len())
        })
    });
    compare("iri-string", cases.len(), &mut ours, || {
        over(&cases, |_, it| {
            IriReferenceStr::new(it).map_or(0, |it| it.path_str().len())
        })
    });
    compare("fluent-uri", cases.len(), &mut ours, || {
        over(&cases, |_, it| {
            FluentRef::parse(it).map_or(0, |it| it.path().as_str().len())
        })
    });
}

/// A base, prepared by each library.
struct Bases {
    ours: Base,
    oxiri: OxIri<String>,
    fluent: FluentIri<String>,
    iri_string: IriAbsoluteString,
    url: url::Url,
}

impl Bases {
    fn parse(base: &str) -> Option<Self> {
        Some(Self {
            ours: Resolver::default().base(base).ok()?,
            oxiri: OxIri::parse(base.to_owned()).ok()?,
            fluent: FluentIri::parse(base.to_owned()).ok()?,
            iri_string: IriAbsoluteString::try_from(base).ok()?,
            url: url::Url::parse(base).ok()?,
        })
    }

    /// The reason that a reference cannot be compared, if there is one.
    fn objection(&self, reference: &str) -> Option<&'static str> {
        let mut target = String::new();
        let Ok(parsed) = Reference::parse(reference) else {
            return Some("invalid by RFC 3986");
        };
        written(&self.ours, parsed, &mut target);
        let mut all = Vec::new();
        let oxiri = OxRef::parse(reference).ok();
        all.push(oxiri.and_then(|it| self.oxiri.resolve(&it).ok().map(OxIri::into_inner)));
        let fluent = FluentRef::parse(reference).ok();
        all.push(fluent.and_then(|it| it.resolve_against(&self.fluent).ok().map(String::from)));
        let iri_string = IriReferenceStr::new(reference).ok();
        let base: &IriAbsoluteStr = &self.iri_string;
        all.push(iri_string.map(|it| it.resolve_against(base).to_string()));
        if all.contains(&None) || self.url.join(reference).is_err() {
            return Some("refused by a peer");
        }
        let same = all.iter().flatten().all(|it| *it == target);
        (!same).then_some("resolved differently by a peer")
    }
}

/// The references of up to [`FILES`] files, each with its base URL. At most [`ENOUGH`], spread evenly.
fn references(root: &Path) -> Vec<(String, Vec<String>)> {
    let options = ReadOptions::default();
    let tree = WalkOptions::default();
    let found = tree.walk(vec![Item::Path(root.into())]);
    let is_html = |item: &Item| match item {
        Item::Path(path) => path
            .extension()
            .is_some_and(|it| it == "html" || it == "htm"),
        _ => false,
    };
    let items: Vec<Item> = found
        .filter_map(Result::ok)
        .map(|it| it.item)
        .filter(is_html)
        .collect();
    let few = items.iter().step_by(items.len().div_ceil(FILES).max(1));
    let mut files = Vec::new();
    for item in few {
        let Ok(Content::Document(document)) = options.read(item) else {
            continue;
        };
        let document = document.with_bytes(rehref_benches::without_marks(document.bytes()));
        let below = document.path();
        let below = below.strip_prefix(root).unwrap_or(below);
        let base = format!("https://doc.example/std/{}", below.display());
        let links = document.found(&Options::default()).links;
        let links = links.into_iter().map(|it| it.reference.into_owned());
        if document.format() == Format::Html {
            files.push((base, links.collect::<Vec<_>>()));
        }
    }
    let all: usize = files.iter().map(|(_, links)| links.len()).sum();
    let mut number = 0;
    for (_, links) in &mut files {
        links.retain(|_| {
            // Keeps a reference when the share of kept ones grows by one.
            let before = number * ENOUGH / all;
            number += 1;
            all <= ENOUGH || number * ENOUGH / all > before
        });
    }
    files
}

/// The references that all libraries resolve to the same URL, with the index of their base. Prints how many it leaves out.
fn usable(files: Vec<(String, Vec<String>)>) -> (Vec<Bases>, Vec<(usize, String)>) {
    let (mut bases, mut cases) = (Vec::new(), Vec::new());
    let mut left_out = BTreeMap::new();
    for (base, references) in files {
        let Some(base) = Bases::parse(&base) else {
            *left_out.entry("against no base").or_insert(0) += references.len();
            continue;
        };
        for reference in references {
            match base.objection(&reference) {
                Some(why) => *left_out.entry(why).or_insert(0) += 1,
                None => cases.push((bases.len(), reference)),
            }
        }
        bases.push(base);
    }
    for (why, number) in left_out {
        println!("left out: {number} {why}");
    }
    (bases, cases)
}

fn over(cases: &[(usize, String)], mut work: impl FnMut(usize, &str) -> usize) -> usize {
    cases
        .iter()
        .map(|(base, reference)| work(*base, black_box(reference)))
        .sum()
}

fn written(base: &Base, reference: Reference<'_>, out: &mut String) -> usize {
    base.resolve_into(reference, out).map_or(0, |_| out.len())
}

fn path_of(reference: Reference<'_>) -> usize {
    reference.parts().path.len()
}

fn compare(
    peer: &str,
    references: usize,
    ours: &mut dyn FnMut() -> usize,
    mut theirs: impl FnMut() -> usize,
) {
    let timed = |work: &mut dyn FnMut() -> usize, best: &mut Duration| {
        let start = Instant::now();
        black_box(work());
        *best = start.elapsed().min(*best);
    };
    let (mut our_best, mut their_best) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        timed(ours, &mut our_best);
        timed(&mut theirs, &mut their_best);
    }
    let each = |time: Duration| time.as_secs_f64() * 1e9 / references as f64;
    println!(
        "  {peer:32} {:6.2} times as fast: {:6.1} ns a reference, {:6.1} ns",
        their_best.as_secs_f64() / our_best.as_secs_f64(),
        each(our_best),
        each(their_best),
    );
}
