//! Parsing and resolving references, beside fluent-uri, iri-string, oxiri and url.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::hint::black_box;

use fluent_uri::{Iri as FluentIri, IriRef as FluentRef};
use iri_string::types::{IriAbsoluteStr, IriAbsoluteString, IriReferenceStr};
use oxiri::{Iri as OxIri, IriRef as OxRef};
use rehref::document::Document;
use rehref::format::{Format, Options};
use rehref::uri::{Base, Reference, Resolver};

use crate::inputs::{pages, real};
use crate::machine::named;
use crate::report::{Contest, Input, Measure, Section};
use crate::rounds::Contender;
use crate::settings::{Settings, given};

const ABOUT: &str = "The references of pages, each against the URL of its page. Bases are prepared before. All write into a \
    reused buffer, except for fluent-uri and url, which return a new string for each result; url also normalizes. References \
    that a parser refuses, or that the parsers for RFC 3986 resolve differently, are left out. The counts are of bytes of \
    results.";

/// The number of references.
const ENOUGH: usize = 10_000;

/// The most pages that references are taken from.
const PAGES: usize = 2_000;

/// Rounds take about a millisecond.
const ROUNDS_TIMES: usize = 20;

pub(crate) fn run(settings: &Settings) -> Section {
    let mut section = Section::new("References", Measure::Faster, ABOUT);
    let generated = pages::pages(settings.size(4), false).into_iter();
    let generated =
        generated.map(|it| Document::new("page.html", it.into_bytes()).with_format(Format::Html));
    compare(settings, &mut section, "references", &generated.collect::<Vec<_>>());
    for (at, directory) in settings.pages.iter().enumerate() {
        compare(settings, &mut section, &given("references", at), &real::pages(directory));
    }
    section
}

fn compare(settings: &Settings, section: &mut Section, name: &str, pages: &[Document]) {
    let (bases, cases) = usable(references(pages));
    if cases.is_empty() {
        section.faults.push(format!("{name}: no references"));
        return;
    }
    section.inputs.push(Input::new(name, cases.iter().map(|(_, it)| it.as_bytes())));
    let [oxiri, iri_string, fluent, url] = ["oxiri", "iri-string", "fluent-uri", "url"].map(named);
    let size = cases.iter().map(|(_, it)| it.len()).sum();
    let [mut out, mut ox_out, mut iri_out] = [(); 3].map(|()| String::new());
    let contenders = vec![
        Contender::ours(over(&cases, |at, reference| {
            let reference = Reference::parse(reference).ok();
            reference.map_or(0, |it| written(&bases[at].ours, it, &mut out))
        })),
        Contender::peer(
            &oxiri,
            over(&cases, |at, reference| {
                ox_out.clear();
                let resolved = OxRef::parse(reference)
                    .and_then(|it| bases[at].oxiri.resolve_into(&it, &mut ox_out));
                resolved.map_or(0, |()| ox_out.len())
            }),
        ),
        Contender::peer(
            &iri_string,
            over(&cases, |at, reference| {
                iri_out.clear();
                let base: &IriAbsoluteStr = &bases[at].iri_string;
                let resolved = IriReferenceStr::new(reference)
                    .map(|it| write!(iri_out, "{}", it.resolve_against(base)));
                resolved.map_or(0, |_| iri_out.len())
            }),
        ),
        Contender::peer(
            &fluent,
            over(&cases, |at, reference| {
                let reference = FluentRef::parse(reference).ok();
                let resolved = reference.and_then(|it| it.resolve_against(&bases[at].fluent).ok());
                resolved.map_or(0, |it| it.as_str().len())
            }),
        ),
        Contender::peer(
            &url,
            over(&cases, |at, reference| {
                bases[at].url.join(reference).map_or(0, |it| it.as_str().len())
            }),
        ),
    ];
    let mut contest = |input: &str, contenders, goals: &[(&str, f64)]| {
        let agreements = Vec::new();
        section.compare(
            settings.rounds * ROUNDS_TIMES,
            Contest { input, size, contenders, agreements, goals },
        );
    };
    contest(&format!("{name}, parsed and resolved"), contenders, &[(&oxiri, 1.8)]);

    let [mut out, mut ox_out] = [(); 2].map(|()| String::new());
    let unchecked = vec![
        Contender::ours(over(&cases, |at, reference| {
            written(&bases[at].ours, Reference::split(reference), &mut out)
        })),
        Contender::peer(
            &oxiri,
            over(&cases, |at, reference| {
                ox_out.clear();
                let reference = OxRef::parse_unchecked(reference);
                bases[at].oxiri.resolve_into_unchecked(&reference, &mut ox_out);
                ox_out.len()
            }),
        ),
    ];
    contest(&format!("{name}, resolved without a check"), unchecked, &[]);

    let path_of = |reference: Reference<'_>| reference.parts().path.len();
    let parsed = vec![
        Contender::ours(over(&cases, |_, it| Reference::parse(it).map_or(0, path_of))),
        Contender::peer(
            &oxiri,
            over(&cases, |_, it| OxRef::parse(it).map_or(0, |it| it.path().len())),
        ),
        Contender::peer(
            &iri_string,
            over(&cases, |_, it| IriReferenceStr::new(it).map_or(0, |it| it.path_str().len())),
        ),
        Contender::peer(
            &fluent,
            over(&cases, |_, it| FluentRef::parse(it).map_or(0, |it| it.path().as_str().len())),
        ),
    ];
    contest(&format!("{name}, only parsed"), parsed, &[(&oxiri, 1.3)]);
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

/// The references of up to [`PAGES`] pages, each with its base URL. At most [`ENOUGH`], spread
/// evenly.
fn references(pages: &[Document]) -> Vec<(String, Vec<String>)> {
    let few = pages.iter().step_by(pages.len().div_ceil(PAGES).max(1));
    let references = few.enumerate().map(|(at, page)| {
        let base = format!("https://doc.example/std/part{}/page{at}.html", at % 30);
        let links = page.found(&Options::default()).links;
        let links = links.into_iter().map(|it| it.reference.into_owned());
        (base, links.collect::<Vec<_>>())
    });
    let mut files: Vec<_> = references.collect();
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

/// The references that all libraries resolve to the same URL, with the index of their base. Prints
/// how many it leaves out.
#[expect(clippy::print_stdout, reason = "a benchmark prints its results")]
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
        println!("  left out: {number} {why}");
    }
    (bases, cases)
}

fn over<'c>(
    cases: &'c [(usize, String)],
    mut work: impl FnMut(usize, &str) -> usize + 'c,
) -> impl FnMut() -> usize + 'c {
    move || cases.iter().map(|(base, reference)| work(*base, black_box(reference))).sum()
}

fn written(base: &Base, reference: Reference<'_>, out: &mut String) -> usize {
    base.resolve_into(reference, out).map_or(0, |_| out.len())
}
