//! Web archives: the links of each record, beside those that were written down when the archives
//! were made.
//!
//! `truth.jsonl` has every link of well-made archives. `broken.jsonl` and `wild.jsonl` have what
//! can be expected of damaged archives and of those that others made.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Seek};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use serde_json::Value;
use wait4::Wait4;

use crate::needs::{Need, shared, trial};
use crate::shared_cases::rows;

/// The directory of the archives.
const DATA: &str = "corpora/warc";

/// The number of differences that a failed test prints.
const PRINTED: usize = 8;

/// The place of a record: its archive, the offset of its member, and its offset in the member.
type Place = (String, u64, u64);

/// The expected result of a run over an archive.
struct Expectation {
    directory: &'static str,
    archive: String,
    records: BTreeMap<Place, Record>,
    /// The records whose links may be reported or not.
    optional: BTreeSet<Place>,
    /// The URLs of further such records. `None` is a record without a URL.
    optional_targets: BTreeSet<Option<String>>,
    exits: Vec<i64>,
    /// True if the run must print a message, false if it must not. `None` if both are right.
    warns: Option<bool>,
    limit: Duration,
    /// The most memory, in MiB.
    memory: u64,
}

/// A record with all its links.
struct Record {
    /// The values that each link of the record has.
    fields: Vec<(&'static str, Value)>,
    /// Sorted: the lists have links of `srcdoc` last.
    links: Vec<Link>,
    /// True if only the URIs of links are listed.
    is_uri: bool,
    is_xml: bool,
}

/// The fields of a link that are compared.
type Link = Vec<Value>;

/// The result of a run.
struct Run {
    exit: Option<i64>,
    links: Vec<Value>,
    /// Messages, and records of warnings.
    said: String,
    time: Duration,
    /// In MiB.
    memory: u64,
}

/// A test for each archive, and one for slices of each undamaged archive that is a file of records.
pub(crate) fn trials() -> Vec<Trial> {
    const NEEDS: &[Need] = &[Need::Shared(DATA)];
    const DEEP: &[Need] = &[Need::Shared(DATA), Need::DeepTier];
    if !shared(DATA).is_dir() {
        let ignored = trial("web_archives::archives_have_the_listed_links", NEEDS, || ());
        return vec![ignored];
    }
    let mut trials = Vec::new();
    let archives = [samples(), damaged("broken"), damaged("wild")];
    for expected in archives.into_iter().flatten() {
        let name = format!("{}::{}", expected.directory, expected.archive);
        let is_zip = expected.archive.ends_with(".wacz");
        if expected.warns == Some(false) && !is_zip {
            let (directory, archive) = (expected.directory, expected.archive.clone());
            let name = format!("web_archives::slices::{name}");
            trials.push(trial(&name, NEEDS, move || {
                slices_have_each_link_once(directory, &archive);
            }));
        }
        // Its millions of links take minutes in an unoptimized build.
        let needs = match &*expected.archive {
            "bomb-links.warc.gz" => DEEP,
            _ => NEEDS,
        };
        trials.push(trial(&format!("web_archives::{name}"), needs, move || {
            expected.check(false);
            // The index of a zip file is at its end.
            if !is_zip {
                expected.check(true);
            }
        }));
    }
    trials
}

fn place(row: &Value) -> Place {
    let number = |field: &str| row[field].as_u64().unwrap_or(u64::MAX);
    let archive = row["archive"].as_str().unwrap_or_default();
    (archive.to_owned(), number("record_offset"), number("member_offset"))
}

fn fields(row: &Value, names: &[&'static str]) -> Vec<(&'static str, Value)> {
    names.iter().map(|name| (*name, row[name].clone())).collect()
}

fn list(row: &Value) -> &[Value] {
    row.as_array().map_or(&[], Vec::as_slice)
}

/// The undamaged archives. Those without a row have no links.
fn samples() -> Vec<Expectation> {
    const FIELDS: &[&str] = &["record_type", "record_id", "retrieved", "date", "status"];
    let entries = fs::read_dir(shared(DATA).join("samples")).expect("a directory");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| name.into_string().expect("UTF-8"));
    let mut archives: BTreeMap<String, Expectation> = names
        .filter(|name| !name.ends_with(".cdx"))
        .map(|archive| {
            let expectation = Expectation {
                directory: "samples",
                archive: archive.clone(),
                records: BTreeMap::new(),
                optional: BTreeSet::new(),
                optional_targets: BTreeSet::new(),
                exits: vec![0],
                warns: Some(false),
                limit: Duration::from_secs(20),
                memory: 400,
            };
            (archive, expectation)
        })
        .collect();
    for (_, row) in rows("corpora/warc/truth.jsonl") {
        let place = place(&row);
        let file = place.0.split('!').next().expect("a name");
        let expected = archives.get_mut(file).expect("an archive of this name");
        if row["media"] == "unjudged" {
            expected.optional.insert(place);
            continue;
        }
        let is_xml = row["media"] == "xml";
        let of_link = |link: &Value| values(link, "resolved", is_xml);
        let record = Record {
            fields: fields(&row, FIELDS),
            links: sorted(list(&row["links"]).iter().map(of_link)),
            is_uri: false,
            is_xml,
        };
        expected.records.insert(place, record);
    }
    archives.into_values().collect()
}

/// The archives of `broken` or `wild`.
fn damaged(directory: &'static str) -> Vec<Expectation> {
    const FIELDS: &[&str] = &["record_id", "retrieved", "date", "status"];
    let rows = rows(match directory {
        "broken" => "corpora/warc/broken.jsonl",
        _ => "corpora/warc/wild.jsonl",
    });
    let expectation = |row: &Value| {
        let record = |row: &Value| {
            let links = list(&row["links"]).iter();
            let record = Record {
                fields: fields(row, FIELDS),
                links: sorted(links.map(|uri| vec![uri.clone()])),
                is_uri: true,
                is_xml: false,
            };
            (place(row), record)
        };
        let target = |target: &Value| {
            let target = target.as_str().expect("a URL");
            (target != "None").then(|| target.to_owned())
        };
        let number = |field: &str| row[field].as_u64().expect("a number");
        Expectation {
            directory,
            archive: row["archive"].as_str().expect("a name").to_owned(),
            records: list(&row["expect"]).iter().map(record).collect(),
            optional: list(&row["optional"]).iter().map(place).collect(),
            optional_targets: list(&row["optional_targets"]).iter().map(target).collect(),
            exits: list(&row["exit"]).iter().filter_map(Value::as_i64).collect(),
            warns: row["warn"].as_bool(),
            limit: Duration::from_secs(number("seconds")),
            memory: number("mib"),
        }
    };
    rows.iter().map(|(_, row)| expectation(row)).collect()
}

/// Runs `rehref extract` in a directory of archives. Links of the records in `skipped` are dropped:
/// there may be millions.
fn extract(directory: &str, input: &str, stdin: Stdio, skipped: &BTreeSet<Place>) -> Run {
    let mut stderr = tempfile::tempfile().expect("a file");
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_rehref"))
        .current_dir(shared(DATA).join(directory))
        .args(["extract", "--json", "--profile", "whatwg", input])
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(stderr.try_clone().expect("the same file"))
        .spawn()
        .expect("rehref runs");
    let of_skipped = skipped
        .iter()
        .map(|(_, record, inner)| format!("\"record_offset\":{record},\"member_offset\":{inner},"));
    let of_skipped: Vec<String> = of_skipped.collect();
    let (mut links, mut said) = (Vec::new(), String::new());
    for line in BufReader::new(child.stdout.take().expect("piped")).lines() {
        let line = line.expect("output is UTF-8");
        if of_skipped.iter().any(|it| line.contains(it)) {
            continue;
        }
        let row: Value = serde_json::from_str(&line).expect("a record is JSON");
        match row["type"].as_str() {
            Some("link") => links.push(row),
            Some("warning") => said.push_str(&line),
            _ => {}
        }
    }
    let ended = child.wait4().expect("rehref ends");
    let time = start.elapsed();
    stderr.rewind().expect("a file");
    stderr.read_to_string(&mut said).expect("messages are UTF-8");
    Run {
        exit: ended.status.code().map(i64::from),
        links,
        said,
        time,
        memory: ended.rusage.maxrss >> 20,
    }
}

/// The end of a pipe through which a file comes.
fn piped(file: PathBuf) -> Stdio {
    let (end, mut writer) = std::io::pipe().expect("a pipe");
    std::thread::spawn(move || {
        let mut file = File::open(file).expect("a file");
        // It fails if the command ends before.
        let _ = std::io::copy(&mut file, &mut writer);
    });
    end.into()
}

impl Expectation {
    /// Runs the command on the archive, by its name or through a pipe, and panics if the results
    /// are not as expected.
    fn check(&self, is_piped: bool) {
        let run = if is_piped {
            let file = shared(DATA).join(self.directory).join(&self.archive);
            extract(self.directory, "-", piped(file), &self.optional)
        } else {
            extract(self.directory, &self.archive, Stdio::null(), &self.optional)
        };
        let mut differences = Vec::new();
        self.judge_end(&run, &mut differences);
        let mut found: BTreeMap<Place, Vec<&Value>> = BTreeMap::new();
        for link in &run.links {
            let mut place = place(link);
            if is_piped && place.0 == "-" {
                place.0.clone_from(&self.archive);
            }
            found.entry(place).or_default().push(link);
        }
        for (place, links) in &found {
            let retrieved = links[0]["retrieved"].as_str().map(str::to_owned);
            let is_expected = self.records.contains_key(place)
                || self.optional.contains(place)
                || self.optional_targets.contains(&retrieved);
            if !is_expected {
                differences.push(format!("{place:?}: not a record with links: {}", links[0]));
            }
        }
        for (place, record) in &self.records {
            let links = found.get(place).map_or(&[][..], Vec::as_slice);
            record.judge(place, links, is_piped, &mut differences);
        }
        let source = if is_piped { " through a pipe" } else { "" };
        let count = differences.len();
        differences.truncate(PRINTED);
        assert!(
            count == 0,
            "{}{source}: {count} differences\n{}",
            self.archive,
            differences.join("\n")
        );
    }

    /// Judges how a run ended, and what it took.
    fn judge_end(&self, run: &Run, differences: &mut Vec<String>) {
        let Run { exit, said, .. } = run;
        if exit.is_none_or(|exit| !self.exits.contains(&exit)) || said.contains("panicked") {
            let exits = &self.exits;
            differences.push(format!("exit code {exit:?}, not one of {exits:?}: {said}"));
        }
        match self.warns {
            Some(true) if said.is_empty() => differences.push("nothing was said".to_owned()),
            Some(false) if !said.is_empty() => differences.push(format!("said: {said}")),
            _ => {}
        }
        // An unoptimized build, beside other tests.
        let limit = self.limit * if cfg!(debug_assertions) { 6 } else { 1 };
        if run.time > limit {
            differences.push(format!("took {:?}, more than {limit:?}", run.time));
        }
        if run.memory > self.memory {
            differences.push(format!("{} MiB, more than {}", run.memory, self.memory));
        }
    }
}

impl Record {
    fn judge(
        &self,
        place: &Place,
        links: &[&Value],
        is_piped: bool,
        differences: &mut Vec<String>,
    ) {
        for (field, expected) in &self.fields {
            if let Some(link) = links.iter().find(|link| link[field] != *expected) {
                let found = &link[field];
                differences.push(format!("{place:?}: {field} {found}, not {expected}"));
            }
        }
        for link in links {
            let doc = doc(place, is_piped, link["place"] == "http");
            if link["doc"] != *doc {
                differences.push(format!("{place:?}: doc {}, not {doc}", link["doc"]));
            }
        }
        let of_link = |link: &&Value| match self.is_uri {
            true => vec![link["uri"].clone()],
            false => values(link, "uri", self.is_xml),
        };
        let found = sorted(links.iter().map(of_link));
        if found != self.links {
            let mut pairs = found.iter().zip(&self.links);
            let at = pairs.position(|(found, expected)| found != expected);
            let at = at.unwrap_or(found.len().min(self.links.len()));
            differences.push(format!(
                "{place:?}: {} links, {} expected; link {at} is {:?}, not {:?}",
                found.len(),
                self.links.len(),
                found.get(at),
                self.links.get(at)
            ));
        }
    }
}

fn sorted(links: impl Iterator<Item = Link>) -> Vec<Link> {
    let mut links: Vec<Link> = links.collect();
    links.sort_by_cached_key(|link| format!("{link:?}"));
    links
}

/// The fields of a link in an undamaged archive that are compared. The list names XML elements
/// without their prefixes. It has null for the text of an element, references without entities, and
/// `html` for a style sheet in a page.
fn values(link: &Value, uri: &str, is_xml: bool) -> Link {
    let [mut place, mut element, mut attr, mut raw, uri] =
        ["place", "element", "attr", "raw", uri].map(|field| link[field].clone());
    if is_xml && place != "http" {
        if let Some((_, local)) = element.as_str().and_then(|it| it.split_once(':')) {
            element = local.into();
        }
        if attr == "#text" {
            attr = Value::Null;
        }
        if place == "css" {
            (element, attr) = (Value::Null, Value::Null);
        }
        if link["ref"].is_string() {
            raw = link["ref"].clone();
        }
    } else if place == "css" && !element.is_null() {
        place = "html".into();
    }
    vec![place, element, attr, raw, uri]
}

/// The name of the document of a record, or of the HTTP header in it.
fn doc((archive, record, inner): &Place, is_piped: bool, is_header: bool) -> String {
    let archive = if is_piped { "-" } else { archive };
    let inner = match inner {
        0 => String::new(),
        inner => format!("+{inner}"),
    };
    let header = if is_header { "!HEADER" } else { "" };
    format!("{archive}!{record}{inner}{header}")
}

/// Cuts an archive in two slices, at several offsets: each link is in one of them, as in the whole
/// archive.
fn slices_have_each_link_once(directory: &str, archive: &str) {
    let file = shared(DATA).join(directory).join(archive);
    let size = file.metadata().expect("a file").len();
    let none = BTreeSet::new();
    let whole = extract(directory, archive, Stdio::null(), &none);
    let mut cuts = BTreeSet::from([1, 7, size / 3, size / 2 + 1, size * 5 / 7]);
    let starts: BTreeSet<u64> = whole.links.iter().map(|link| place(link).1).collect();
    for start in starts.iter().skip(1).step_by((starts.len() / 3).max(1)) {
        cuts.extend([start - 1, *start, start + 1]);
    }
    for cut in cuts.into_iter().filter(|cut| (1..size).contains(cut)) {
        let mut links = Vec::new();
        for (start, len) in [(0, cut), (cut, size - cut)] {
            let name = format!("#{start},{len}");
            let slice = format!("{archive}{name}");
            let run = extract(directory, &slice, Stdio::null(), &none);
            let end = (run.exit, &*run.said);
            assert_eq!(end, (Some(0), ""), "{slice}");
            for mut link in run.links {
                let offset = place(&link).1;
                let is_within = (start..start + len).contains(&offset);
                assert!(is_within, "{slice}: {offset}");
                for field in ["archive", "doc"] {
                    let value = link[field].as_str().unwrap_or_default();
                    link[field] = value.replacen(&name, "", 1).into();
                }
                links.push(link);
            }
        }
        let at = links.iter().zip(&whole.links).position(|(a, b)| a != b);
        let at = at.unwrap_or(links.len().min(whole.links.len()));
        assert!(
            links == whole.links,
            "{archive} cut at {cut}: {} links, {} expected; link {at} is {:?}, not {:?}",
            links.len(),
            whole.links.len(),
            links.get(at),
            whole.links.get(at)
        );
    }
}
