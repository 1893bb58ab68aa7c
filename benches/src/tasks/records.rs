//! Writing the records of links, beside serde_json and csv.

#[allow(dead_code, reason = "used by the command")]
#[path = "../../../src/render/csv.rs"]
mod csv;
#[path = "../../../src/render/csv_text.rs"]
mod csv_text;

use ::csv::{ByteRecord, ReaderBuilder, Writer};
use csv::RowStyle;
use rehref::bytes::Position;
use rehref::document::{BaseFrom, Document};
use rehref::format::{Format, Options};
use rehref::link::{LinkResolver, Notes, ParsedLink, Target};
use rehref::records::{LinkRecord, LinkReport, write_json};

use crate::inputs::{pages, real};
use crate::machine::named;
use crate::report::{Contest, Input, Measure, Section};
use crate::rounds::Contender;
use crate::settings::{Settings, given};

const ABOUT: &str = "The links of pages are found and resolved before. Then a record of each is made and written to a reused \
    vector, as JSON Lines or CSV. serde_json writes the same records; csv writes rows whose cells are in memory. All write \
    the same bytes. The speeds and the counts are of these bytes.";

/// The most links, so that a round takes a few milliseconds.
const MOST: usize = 20_000;

/// As the crate csv has it.
const ROWS: RowStyle = RowStyle { end: b'\n', escapes_formulas: false };

pub(crate) fn run(settings: &Settings) -> Section {
    let mut section = Section::new("Records", Measure::Faster, ABOUT);
    let generated = pages::pages(settings.size(4), false).into_iter();
    let generated =
        generated.map(|it| Document::new("page.html", it.into_bytes()).with_format(Format::Html));
    compare(settings, &mut section, "links", generated.collect());
    for (at, directory) in settings.pages.iter().enumerate() {
        let pages = real::pages(directory);
        compare(settings, &mut section, &given("links", at), pages);
    }
    section
}

fn compare(settings: &Settings, section: &mut Section, name: &str, documents: Vec<Document>) {
    let located = documents.into_iter().map(|document| {
        let url = format!("https://www.example.org/{}", document.name());
        document.retrieved_from(url)
    });
    let documents: Vec<Document> = located.collect();
    let pages: Vec<Page<'_>> = documents.iter().map(Page::new).collect();
    let links: Vec<HeldLink<'_>> = pages.iter().flat_map(Page::links).take(MOST).collect();
    let each = |write: &mut dyn FnMut(&LinkRecord<'_>)| {
        for link in &links {
            let report = link.report();
            write(&LinkRecord::new(&report, &link.page.charset));
        }
    };
    let write_lines = |out: &mut Vec<u8>| {
        out.clear();
        each(&mut |record| {
            write_json(record, out);
            out.push(b'\n');
        });
        out.len()
    };
    let write_lines_of_peer = |out: &mut Vec<u8>| {
        out.clear();
        each(&mut |record| {
            serde_json::to_writer(&mut *out, record).expect("records have JSON");
            out.push(b'\n');
        });
        out.len()
    };
    let write_rows = |out: &mut Vec<u8>| {
        out.clear();
        each(&mut |record| csv::write_link(record, ROWS, out));
        out.len()
    };
    let [mut lines, mut peer_lines, mut rows, mut peer_rows] = [(); 4].map(|()| Vec::new());
    let cells = match write_rows(&mut rows) {
        0 => return section.faults.push(format!("{name}: no links")),
        _ => cells(&rows),
    };
    let write_rows_of_peer = |out: &mut Vec<u8>| {
        out.clear();
        let mut writer = Writer::from_writer(out);
        for row in &cells {
            writer.write_byte_record(row).expect("rows are as long");
        }
        writer.into_inner().map_or(0, |it| it.len())
    };
    write_lines(&mut lines);
    write_lines_of_peer(&mut peer_lines);
    write_rows_of_peer(&mut peer_rows);
    if (&lines, &rows) != (&peer_lines, &peer_rows) {
        return section.faults.push(format!("{name}: other bytes"));
    }
    section.inputs.push(Input::new(name, [&*lines, &*rows]));
    let [serde_json, csv] = ["serde_json", "csv"].map(named);
    let (lines_size, rows_size) = (lines.len(), rows.len());
    let mut contest = |format: &str, size, contenders, goals: &[(&str, f64)]| {
        section.compare(
            settings.rounds,
            Contest {
                input: &format!("{name}, {format}"),
                size,
                contenders,
                agreements: Vec::new(),
                goals,
            },
        );
    };
    contest(
        "JSON Lines",
        lines_size,
        vec![
            Contender::ours(|| write_lines(&mut lines)),
            Contender::peer(&serde_json, || write_lines_of_peer(&mut peer_lines)),
        ],
        &[],
    );
    contest(
        "CSV",
        rows_size,
        vec![
            Contender::ours(|| write_rows(&mut rows)),
            Contender::peer(&csv, || write_rows_of_peer(&mut peer_rows)),
        ],
        &[],
    );
}

/// The cells of rows.
fn cells(rows: &[u8]) -> Vec<ByteRecord> {
    let reader = ReaderBuilder::new().has_headers(false).from_reader(rows);
    let cells = reader.into_byte_records();
    cells.collect::<Result<_, _>>().expect("rows are as long")
}

/// A document with its links.
struct Page<'d> {
    document: &'d Document,
    links: Vec<ParsedLink<'d>>,
    resolver: LinkResolver,
    charset: String,
}

impl<'d> Page<'d> {
    fn new(document: &'d Document) -> Self {
        let options = Options::default();
        let found = document.found(&options);
        Self {
            document,
            resolver: LinkResolver::new(options.resolver, found.base.as_ref(), document.base()),
            links: found.links,
            charset: document.charset().name(),
        }
    }

    fn links(&self) -> Vec<HeldLink<'_>> {
        let mut resolver = self.resolver.clone();
        let mut lines = self.document.lines();
        let held = self.links.iter().map(|link| {
            let target = resolver.target(link);
            HeldLink {
                page: self,
                link,
                uri: target.uri.map(str::to_owned),
                base_from: target.base.map(|(_, from)| from),
                same_document: target.same_document,
                notes: target.notes,
                position: lines.position(link.extent().start),
            }
        });
        held.collect()
    }
}

/// A link, with all that its record has.
struct HeldLink<'p> {
    page: &'p Page<'p>,
    link: &'p ParsedLink<'p>,
    uri: Option<String>,
    base_from: Option<BaseFrom>,
    same_document: bool,
    notes: Notes,
    position: Position,
}

impl HeldLink<'_> {
    fn report(&self) -> LinkReport<'_> {
        let target = Target {
            uri: self.uri.as_deref(),
            base: self.page.resolver.base().zip(self.base_from),
            same_document: self.same_document,
            notes: self.notes,
        };
        LinkReport::new(self.page.document, self.link, target, self.position)
    }
}
