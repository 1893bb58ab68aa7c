//! Generated web app manifests and feeds in JSON.

use proptest::prelude::*;
use proptest::sample::select;
use rehref::document::Document;
use rehref::format::Format;
use rehref::link::Place;
use serde_json::Value;

use super::{CHARSETS, Row, config};
use crate::support::links::references;

laws! {
    manifests: MANIFESTS;
    feeds: FEEDS;
}

const MANIFESTS: Row = Row {
    // The text around a URL decides about its escapes.
    read_back: |read, link, spelled| {
        let is_member = matches!(link.place, Place::Field(_));
        is_member.then(|| read(&format!("{{\"start_url\":\"{spelled}\"}}")))
    },
    hostile: &[
        "⟦{⟧",
        "⟦[⟧",
        "{\"icons\":[⟦{\"src\":\"a\"},⟧",
        "{\"src\":\"⟦\\⟧",
        "{\"src\":\"⟦\\u0061⟧\"}",
        "{⟦\"src\":\"a\",⟧",
        "⟦\"⟧",
        "{\"src\":\"⟦http://h/ ⟧\"}",
        "<http://h/⟦\"src\":\"a\",⟧>",
    ],
    ..Row::new(
        Format::Json,
        "site.webmanifest",
        |row| row.encoded(members().prop_map(|it| format!("{{{it}}}")), &CHARSETS),
        || prop_oneof![member(), select(&PIECES[..]).prop_map(str::to_owned)].boxed(),
    )
};

const FEEDS: Row = Row {
    name: "feed",
    first: "{\"version\": \"https://jsonfeed.org/version/1.1\",",
    read_back: |read, link, spelled| {
        let is_member = matches!(link.place, Place::Field(_));
        is_member.then(|| read(&format!("\"url\":\"{spelled}\"}}")))
    },
    documents: |row| row.encoded(members().prop_map(|it| format!("{it}}}")), &CHARSETS),
    ..MANIFESTS
};

const PIECES: [&str; 12] =
    ["{", "}", "[", "]", ",", ":", "\"", "\\", "\"src\"", "\"url\":", "http://h/", "<http://h/ "];

/// Parts of strings, as a file spells them.
const PARTS: [&str; 22] = [
    "http://h/", "https://h/", "//h/", "http:\\/\\/h\\/", "/", "\\/", "../", "a", "b.c", "?x=1",
    "#f", "\\u00e9", "\\uD834\\uDD1E", "\\\"", "\\\\", "\\n", " ", "é", "日", "%20", "<", ">",
];

const KEYS: [&str; 14] = [
    "start_url", "scope", "src", "url", "action", "id", "name", "icon", "image", "external_url",
    "home_page_url", "content_html", "\\u0075rl", "x",
];

fn member() -> BoxedStrategy<String> {
    let string = prop::collection::vec(select(&PARTS[..]), 0..5).prop_map(|it| it.concat());
    let outer = select(vec!["", "", "icons", "items", "share_target", "serviceworker", "x"]);
    (outer, select(&KEYS[..]), string, any::<bool>())
        .prop_map(|(outer, key, string, in_list)| {
            let member = format!("\"{key}\": \"{string}\"");
            match (outer, in_list) {
                ("", false) => member,
                ("", true) => format!("\"{key}\": [\"{string}\", 1]"),
                (outer, false) => format!("\"{outer}\": {{{member}}}"),
                (outer, true) => format!("\"{outer}\": [{{{member}}}, null]"),
            }
        })
        .boxed()
}

fn members() -> impl Strategy<Value = String> {
    prop::collection::vec(member(), 0..6).prop_map(|it| it.join(",\n "))
}

/// The strings of members with these names.
fn strings_of(value: &Value, name: &str, keys: &[&str], found: &mut Vec<String>) {
    match value {
        Value::String(text) if keys.contains(&name) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|it| strings_of(it, name, keys, found)),
        Value::Object(members) => {
            members.iter().for_each(|(name, it)| strings_of(it, name, keys, found));
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(config())]

    /// serde_json has the same strings.
    #[test]
    fn references_are_the_strings_of_members(member in member()) {
        let text = format!("{{{member}}}");
        let document = Document::new("site.webmanifest", text.clone().into_bytes());
        let links = document.links();
        let is_field = |place: &Place| matches!(place, Place::Field(_));
        let found = links.found().links.iter().filter(|it| is_field(&it.place));
        let mut found: Vec<String> = found.map(|it| it.reference.to_string()).collect();
        let mut expected = Vec::new();
        let value: Value = serde_json::from_str(&text).expect("JSON");
        strings_of(&value, "", &["start_url", "scope", "src", "url"], &mut expected);
        let is_action = text.contains("share_target");
        if is_action {
            strings_of(&value, "", &["action"], &mut expected);
        }
        let stripped = |it: &String| it.trim().replace('\n', "");
        let mut expected: Vec<String> = expected.iter().map(stripped).collect();
        expected.retain(|it| !it.is_empty());
        expected.sort();
        found.sort();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn ids_of_items_are_no_links() {
    let text = "{\"items\":[{\"id\":\"http://h/1\",\"url\":\"http://h/2\"}],\"id\":\"http://h/3\"}";
    let manifest = Document::new("a.webmanifest", text.as_bytes().to_vec());
    assert_eq!(references(&manifest), ["http://h/1", "http://h/2", "http://h/3"]);
    let feed = text.replacen('{', "{\"version\":\"https://jsonfeed.org/version/1\",", 1);
    let feed = Document::new("feed.json", feed.into_bytes());
    let found = references(&feed);
    assert_eq!(found, ["https://jsonfeed.org/version/1", "http://h/2", "http://h/3"]);
}
