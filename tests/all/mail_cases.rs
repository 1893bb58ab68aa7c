//! Real mail, labelled by hand, where a checkout has it beside it; see `shared_cases`.
#![expect(
    clippy::print_stdout,
    reason = "a test says what it skipped and how much it ran"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use rehref::format::Format;
use rehref::fs::{Item, ReadOptions, Reading};
use serde_json::Value;

use crate::mail_corpus::{Found, options};
use crate::mail_laws::{check_damaged, check_line_ends};
use crate::shared_cases::rows;

/// Where the files of mail are, if they are there.
fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora/mail");
    if !folder.is_dir() {
        println!("skipped: no ../shared/corpora/mail");
        return None;
    }
    Some(folder)
}

/// The rows of the list of files that are mail, each with its name and how many messages it is said to have.
fn manifest(folder: &Path) -> Vec<(String, usize)> {
    let list = fs::read_to_string(folder.join("MANIFEST.jsonl")).expect("a list of the files");
    let rows = list.lines().map(|line| {
        let row: Value = serde_json::from_str(line).expect("a row is JSON");
        let name = row["file"].as_str().expect("a name").to_owned();
        let messages = row["messages"].as_u64().expect("a number");
        (name, messages as usize)
    });
    rows.filter(|(name, messages)| !name.starts_with("../") && *messages > 0)
        .collect()
}

/// The files of a row: it may be a folder of them.
fn files(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let entries = fs::read_dir(path).expect("a folder");
    let mut files: Vec<_> = entries
        .flat_map(|entry| files(&entry.expect("an entry").path()))
        .collect();
    files.sort();
    files
}

/// What is found in a file; none if it is no mail.
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

/// URIs are compared without a final `/`.
fn without_slash(uri: &str) -> String {
    uri.trim_end_matches('/').to_owned()
}

/// The links of a message that count.
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
    of_message
        .filter(counts)
        .map(uri)
        .filter(is_counted)
        .collect()
}

#[test]
fn mail_has_the_links_that_people_see() {
    let rows = rows("mail.jsonl");
    let Some(folder) = folder().filter(|_| !rows.is_empty()) else {
        return;
    };
    let mut files: BTreeMap<String, Found> = BTreeMap::new();
    let (mut messages, mut exact, mut hits, mut misses, mut extras) = (0, 0, 0, 0, 0);
    let mut told = String::new();
    for (line, row) in &rows {
        let name = row["file"].as_str().expect("a name").to_owned();
        let found = files
            .entry(name)
            .or_insert_with_key(|name| found_in_file(&folder.join(name)).expect("it is mail"));
        let index = row["index"].as_u64().expect("a number") as usize;
        let got = uris_found(found, index + 1);
        for link in found
            .links
            .iter()
            .filter(|link| link["message"] == index + 1)
        {
            assert_eq!(link["message_offset"], row["offset"], "mail.jsonl:{line}");
        }
        let expected: BTreeSet<String> = uris(row, "urls").collect();
        let mut allowed = expected.clone();
        for field in ["optional", "header_urls", "other_part_urls", "schemeless"] {
            allowed.extend(uris(row, field));
        }
        let missed: Vec<_> = expected.difference(&got).collect();
        let extra: Vec<_> = got.difference(&allowed).collect();
        if !missed.is_empty() || !extra.is_empty() {
            told.push_str(&format!(
                "mail.jsonl:{line}: missed {missed:?}, not expected {extra:?}\n"
            ));
        }
        let is_hard = row["tags"]
            .as_array()
            .is_some_and(|tags| tags.iter().any(|it| it == "hard"));
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
    println!(
        "mail.jsonl: {exact} of {messages} exact, precision {precision:.3}, recall {recall:.3}\n{told}"
    );
    assert!(share(exact, messages - exact) >= 0.95, "{told}");
    assert!(precision >= 0.97 && recall >= 0.97, "{told}");
}

/// What is in the files, where the list says something else.
fn messages_in(name: &str, listed: usize) -> usize {
    match name.rsplit('/').next() {
        // For a log the list has 1, whatever is in it.
        Some("3GPP_TSG_SA_WG2_MTCE.LOG1311C") => 5,
        Some("3GPP_TSG_SA_WG2_MTCE.LOG1309A") => 2,
        // The third line that begins with `From ` is of a text.
        Some("unmunged.mbox") => 2,
        // These are no texts, but OLE files.
        Some("HtmlSampleEmail.msg" | "TxtSampleEmail.msg") => 0,
        _ => listed,
    }
}

#[test]
fn files_have_so_many_messages() {
    let Some(folder) = folder() else { return };
    let mut all = 0;
    for (name, listed) in manifest(&folder) {
        let found = files(&folder.join(&name))
            .into_iter()
            .filter_map(|path| found_in_file(&path));
        let messages = found.map(|found| found.messages).sum::<usize>();
        assert_eq!(messages, messages_in(&name, listed), "{name}");
        all += messages;
    }
    println!("{all} messages");
}

/// The files that are read as mail, with their bytes and kinds: of those in a folder, and of the rest.
fn mails(folder: &Path) -> Vec<(String, Vec<u8>, Format)> {
    let mut mails = Vec::new();
    for (name, listed) in manifest(folder) {
        if messages_in(&name, listed) == 0 || name.ends_with(".gz") {
            continue;
        }
        for path in files(&folder.join(&name)) {
            let bytes = fs::read(&path).expect("a file is read");
            let format = Format::detect(&path, &bytes);
            if format.is_mail() {
                mails.push((path.display().to_string(), bytes, format));
            }
        }
    }
    mails
}

#[test]
fn line_ends_of_real_mail_change_nothing() {
    let Some(folder) = folder() else { return };
    for (name, bytes, format) in mails(&folder) {
        check_line_ends(&name, &bytes, format);
    }
}

/// What real mail is like that is cut anywhere, and where bits are others.
#[test]
fn damage_to_real_mail_makes_nothing_fail() {
    // So much of a file that the rest of it says little more.
    const LEN: usize = 40_000;
    let Some(folder) = folder() else { return };
    for (at, (name, mut bytes, format)) in mails(&folder).into_iter().enumerate() {
        bytes.truncate(LEN);
        // As good as by chance, and the same each time.
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
