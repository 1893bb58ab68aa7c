//! Real mail, with links listed by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use rehref::format::Format;
use rehref::fs::{Item, ReadOptions, Reading};
use serde_json::Value;

use crate::needs::shared;
use crate::shared_cases::rows;
use crate::support::mail::{Found, check_damaged, check_line_ends, options};

/// The directory of the files of mail.
pub(crate) const MAIL: &str = "corpora/mail";

/// The links of messages.
pub(crate) const DATA: &str = "cases/mail.jsonl";

/// The files of mail in the list of files, each with its name and its number of messages.
fn manifest() -> Vec<(String, usize)> {
    let list = shared(MAIL).join("MANIFEST.jsonl");
    let list = fs::read_to_string(list).expect("the list of files is readable");
    let rows = list.lines().map(|line| {
        let row: Value = serde_json::from_str(line).expect("a row is JSON");
        let name = row["file"].as_str().expect("a name").to_owned();
        let messages = row["messages"].as_u64().expect("a number");
        (name, messages as usize)
    });
    rows.filter(|(name, messages)| !name.starts_with("../") && *messages > 0).collect()
}

/// The file of a row, or all files if it is a directory.
fn files(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let entries = fs::read_dir(path).expect("a directory");
    let mut files: Vec<_> =
        entries.flat_map(|entry| files(&entry.expect("an entry").path())).collect();
    files.sort();
    files
}

/// The links of a file; `None` if the file is not mail.
fn found_in_file(path: &Path) -> Option<Found> {
    let reading = ReadOptions::default().read_or_stream(&Item::Path(path.to_owned()));
    let Reading::Mail(archive) = reading.unwrap_or_else(|error| panic!("{error}")) else {
        return None;
    };
    let name = archive.name().clone();
    let options = archive.options(&options());
    let mut found = Found::default();
    for batch in archive {
        let batch = batch.unwrap_or_else(|error| panic!("{error}"));
        for message in batch.messages() {
            found.take(message, &name, &options);
        }
    }
    Some(found)
}

fn uris<'v>(row: &'v Value, field: &str) -> impl Iterator<Item = String> + 'v {
    let uris = row[field].as_array().into_iter().flatten();
    uris.map(|uri| without_slash(uri.as_str().expect("a URI")))
}

/// The URI without a final `/`: it does not count.
fn without_slash(uri: &str) -> String {
    uri.trim_end_matches('/').to_owned()
}

/// The URIs of a message, without those of its header, within the document, `data:` and
/// `javascript:`.
fn uris_found(found: &Found, message: usize) -> BTreeSet<String> {
    let of_message = found.links.iter().filter(|link| link["message"] == message);
    let counts = |link: &&Value| link["place"] != "header" && link["same_document"] == false;
    let uri = |link: &Value| {
        let uri = link["uri"].as_str().or(link["ref"].as_str());
        without_slash(uri.expect("a link has a reference"))
    };
    let is_counted = |uri: &String| {
        let uri = uri.to_ascii_lowercase();
        !uri.starts_with("data:") && !uri.starts_with("javascript:")
    };
    of_message.filter(counts).map(uri).filter(is_counted).collect()
}

pub(crate) fn mail_has_the_links_that_people_see() {
    let directory = shared(MAIL);
    let mut files: BTreeMap<String, Found> = BTreeMap::new();
    let (mut messages, mut exact, mut hits, mut misses, mut extras) = (0, 0, 0, 0, 0);
    let mut failures = String::new();
    for (line, row) in &rows(DATA) {
        let name = row["file"].as_str().expect("a name").to_owned();
        let found = files
            .entry(name)
            .or_insert_with_key(|name| found_in_file(&directory.join(name)).expect("it is mail"));
        let index = row["index"].as_u64().expect("a number") as usize;
        let got = uris_found(found, index + 1);
        for link in found.links.iter().filter(|link| link["message"] == index + 1) {
            assert_eq!(link["message_offset"], row["offset"], "{DATA}:{line}");
        }
        let expected: BTreeSet<String> = uris(row, "urls").collect();
        let mut allowed = expected.clone();
        for field in ["optional", "header_urls", "other_part_urls", "schemeless"] {
            allowed.extend(uris(row, field));
        }
        let missed: Vec<_> = expected.difference(&got).collect();
        let extra: Vec<_> = got.difference(&allowed).collect();
        if !missed.is_empty() || !extra.is_empty() {
            failures
                .push_str(&format!("{DATA}:{line}: missed {missed:?}, not expected {extra:?}\n"));
        }
        let is_hard = row["tags"].as_array().is_some_and(|tags| tags.iter().any(|it| it == "hard"));
        if !is_hard {
            messages += 1;
            exact += usize::from(missed.is_empty() && extra.is_empty());
            hits += expected.len() - missed.len();
            misses += missed.len();
            extras += extra.len();
        }
    }
    let share = |part: usize, rest: usize| part as f64 / (part + rest) as f64;
    let (precision, recall) = (share(hits, extras), share(hits, misses));
    assert!(
        share(exact, messages - exact) >= 0.95 && precision >= 0.97 && recall >= 0.97,
        "{exact} of {messages} exact, precision {precision:.3}, recall {recall:.3}\n{failures}"
    );
}

/// The number of messages in a file. Some numbers in the list are wrong.
fn messages_in(name: &str, listed: usize) -> usize {
    match name.rsplit('/').next() {
        // The list has 1 for each log.
        Some("3GPP_TSG_SA_WG2_MTCE.LOG1311C") => 5,
        Some("3GPP_TSG_SA_WG2_MTCE.LOG1309A") => 2,
        // The third line that begins with `From ` is within a text.
        Some("unmunged.mbox") => 2,
        // OLE files are not text.
        Some("HtmlSampleEmail.msg" | "TxtSampleEmail.msg") => 0,
        _ => listed,
    }
}

pub(crate) fn files_have_the_listed_messages() {
    for (name, listed) in manifest() {
        let found =
            files(&shared(MAIL).join(&name)).into_iter().filter_map(|path| found_in_file(&path));
        let messages = found.map(|found| found.messages).sum::<usize>();
        assert_eq!(messages, messages_in(&name, listed), "{name}");
    }
}

/// The files that are detected as mail, with their names, bytes and formats.
fn mails() -> Vec<(String, Vec<u8>, Format)> {
    let mut mails = Vec::new();
    for (name, listed) in manifest() {
        if messages_in(&name, listed) == 0 || name.ends_with(".gz") {
            continue;
        }
        for path in files(&shared(MAIL).join(&name)) {
            let bytes = fs::read(&path).expect("a file is read");
            let format = Format::detect(&path, &bytes);
            if format.is_mail() {
                mails.push((path.display().to_string(), bytes, format));
            }
        }
    }
    mails
}

pub(crate) fn line_endings_of_mail_change_nothing() {
    for (name, bytes, format) in mails() {
        check_line_ends(&name, &bytes, format);
    }
}

/// Reads mail that is cut off, and mail with flipped bits.
pub(crate) fn damaged_mail_never_fails() {
    // The rest of a longer file would add little.
    const LEN: usize = 40_000;
    for (at, (name, mut bytes, format)) in mails().into_iter().enumerate() {
        bytes.truncate(LEN);
        // Pseudorandom, and the same in each run.
        let mut state = at as u64;
        let mut next = |end: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % end.max(1)
        };
        check_damaged(&name, &bytes[..next(bytes.len())], format);
        for _ in 0..bytes.len() / 500 + 3 {
            let at = next(bytes.len());
            bytes[at] ^= 1 << next(8);
        }
        check_damaged(&name, &bytes, format);
    }
}
