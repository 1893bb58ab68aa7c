//! Finding and rewriting the links of HTML pages in memory, beside lol_html, html5gum, html5ever
//! and turbohtml.

use std::hint::black_box;

use memchr::memmem;
use rehref::document::Document;
use rehref::format::{Format, Options};
use rehref::rewrite::Rules;
use rehref::uri::Resolver;

use super::html_peers as peers;
use super::turbohtml::Turbohtml;
use crate::agreement::Agreement;
use crate::inputs::{pages, real};
use crate::machine::named;
use crate::report::{Contest, Input, Measure, Section};
use crate::rounds::Contender;
use crate::settings::{Settings, given};

const FINDING: &str = "Pages in memory. lol_html has handlers for the elements with an `href` or `src`, html5gum \
    and html5ever look for every such attribute. turbohtml, a \
    Python module in C, parses each page and lists its links, in a process of its own without the collection of garbage. \
    rehref finds every attribute with a URL, and URLs in style sheets. Differences: `href` and `src` in elements where they \
    are not links.";

const REWRITING: &str = "Every link of pages in memory becomes absolute. lol_html has handlers for the elements with an `href` or `src` that \
    resolve with rehref's resolver.";

/// The base URL of all pages.
const PAGE: &str = "https://www.example.org/docs/guide/page.html";

/// The share of the peers' links that rehref finds.
const SHARED: f64 = 0.97;

/// A group of pages.
struct Group {
    name: String,
    pages: Vec<Document>,
}

impl Group {
    fn size(&self) -> usize {
        self.pages.iter().map(|it| it.bytes().len()).sum()
    }

    fn input(&self) -> Input {
        Input::new(&self.name, self.pages.iter().map(Document::bytes))
    }
}

fn groups(settings: &Settings) -> Vec<Group> {
    let generated = [("pages", false), ("pages with svg", true)].map(|(name, has_svg)| {
        let pages = pages::pages(settings.size(10), has_svg).into_iter();
        let page =
            |text: String| Document::new("page.html", text.into_bytes()).with_format(Format::Html);
        Group {
            name: name.to_owned(),
            pages: pages.map(page).map(|it| it.retrieved_from(PAGE)).collect(),
        }
    });
    let mut groups = Vec::from(generated);
    for (at, directory) in settings.pages.iter().enumerate() {
        let pages = real::pages(directory).into_iter().map(|it| it.retrieved_from(PAGE));
        let (foreign, plain): (Vec<_>, Vec<_>) = pages.partition(is_foreign);
        let name = given("pages", at);
        let with_svg = format!("{name}, with svg or math");
        let both = [(name, plain), (with_svg, foreign)];
        let both = both.into_iter().filter(|(_, pages)| !pages.is_empty());
        groups.extend(both.map(|(name, pages)| Group { name, pages }));
    }
    groups
}

fn is_foreign(page: &Document) -> bool {
    let names = ["<svg", "<math"];
    names.iter().any(|it| memmem::find(page.bytes(), it.as_bytes()).is_some())
}

pub(crate) fn find(settings: &Settings) -> Section {
    let mut section = Section::new("Links of HTML", Measure::Faster, FINDING);
    for group in groups(settings) {
        let pages = &group.pages;
        let over =
            |work: fn(&Document) -> usize| move || pages.iter().map(|it| black_box(work(it))).sum();
        let [lol_html, html5gum, html5ever] = ["lol_html", "html5gum", "html5ever"].map(named);
        let mut contenders = vec![
            Contender::ours(over(links_found)),
            Contender::peer(&lol_html, over(peers::with_lol_html)),
            Contender::peer(&html5gum, over(peers::with_html5gum)),
            Contender::peer(&html5ever, over(peers::with_html5ever)),
            Contender::bound(
                "count of `<` by memchr",
                over(|page| memchr::memchr_iter(b'<', page.bytes()).count()),
            ),
        ];
        let ours = our_links(pages);
        let of_lol_html: Vec<String> = pages.iter().flat_map(peers::links_of_lol_html).collect();
        let mut agreements = vec![(&*lol_html, Agreement::new(&ours, &of_lol_html, SHARED))];
        let turbohtml = [false, true].map(|is_decoded| Turbohtml::start(pages, is_decoded));
        let mut names = Vec::new();
        let mut running = Vec::new();
        for turbohtml in turbohtml {
            match turbohtml {
                Ok(mut turbohtml) => {
                    names.push((turbohtml.name.clone(), turbohtml.links()));
                    running.push(turbohtml);
                }
                Err(missing) if section.missing.contains(&missing) => {}
                Err(missing) => section.missing.push(missing),
            }
        }
        for mut turbohtml in running {
            contenders.push(Contender::clocked(turbohtml.name.clone(), move || turbohtml.pass()));
        }
        for (name, theirs) in &names {
            agreements.push((name, Agreement::new(&ours, theirs, SHARED)));
        }
        let mut goals = vec![(&*lol_html, 6.0)];
        goals.extend(names.iter().map(|(name, _)| (&**name, 5.0)));
        section.inputs.push(group.input());
        section.compare(
            settings.rounds,
            Contest {
                input: &group.name,
                size: group.size(),
                contenders,
                agreements,
                goals: &goals,
            },
        );
    }
    section
}

/// The number of links. Like those of the peers, they are not collected.
fn links_found(page: &Document) -> usize {
    let mut links = 0;
    page.each_link(|link| {
        black_box(link.reference);
        links += 1;
    });
    links
}

fn our_links(pages: &[Document]) -> Vec<String> {
    let mut links = Vec::new();
    for page in pages {
        let found = page.found(&Options::default());
        links.extend(found.links.iter().map(|it| it.reference.trim().to_owned()));
    }
    links
}

pub(crate) fn rewrite(settings: &Settings) -> Section {
    let mut section = Section::new("Rewriting HTML", Measure::Faster, REWRITING);
    let base = Resolver::default().base(PAGE).expect("a base");
    for group in groups(settings) {
        let pages = &group.pages;
        let lol_html = named("lol_html");
        let contenders = vec![
            Contender::ours(|| pages.iter().map(|it| black_box(rewritten(it)).len()).sum()),
            Contender::peer(&lol_html, || {
                pages
                    .iter()
                    .map(|it| black_box(peers::rewritten_by_lol_html(it, &base)).len())
                    .sum()
            }),
        ];
        let ours: Vec<String> =
            pages.iter().flat_map(|it| our_links(&[it.with_bytes(rewritten(it))])).collect();
        let by_lol_html = pages
            .iter()
            .flat_map(|it| our_links(&[it.with_bytes(peers::rewritten_by_lol_html(it, &base))]));
        let agreement = Agreement::new(&ours, &by_lol_html.collect::<Vec<_>>(), SHARED);
        section.inputs.push(group.input());
        section.compare(
            settings.rounds,
            Contest {
                input: &group.name,
                size: group.size(),
                contenders,
                agreements: vec![(&lol_html, agreement)],
                goals: &[(&lol_html, 5.0)],
            },
        );
    }
    section
}

fn rewritten(page: &Document) -> Vec<u8> {
    let mut out = Vec::with_capacity(page.bytes().len());
    page.rewrite_into(&Rules::new().absolute(), &mut out);
    out
}
