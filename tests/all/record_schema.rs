//! The JSON Schema that `rehref schema` prints holds for every record.

use std::fs;
use std::path::Path;

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;

use crate::support::tree::{Ran, rehref};

/// The schema, compiled by another crate than the one that made it.
struct Validator {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Validator {
    fn new() -> Self {
        let schema: Value = serde_json::from_str(&stdout("schema")).expect("JSON");
        assert_eq!(schema, rehref::records::schema());
        let mut schemas = Schemas::new();
        let mut compiler = Compiler::new();
        compiler.add_resource("records.json", schema).expect("a schema");
        let index = compiler.compile("records.json", &mut schemas);
        let index = index.expect("a valid schema");
        Self { schemas, index }
    }

    /// The fault of a record.
    fn fault(&self, record: &Value) -> Option<String> {
        let result = self.schemas.validate(record, self.index);
        result.err().map(|error| format!("{error:#}: {record}"))
    }

    /// Validates records, one per line. Returns their number.
    fn accept(&self, lines: &str) -> usize {
        let mut count = 0;
        for line in lines.lines().filter(|it| it.starts_with("{\"type\":")) {
            let record = serde_json::from_str(line).expect("JSON");
            assert_eq!(self.fault(&record), None);
            count += 1;
        }
        count
    }
}

fn stdout(arguments: &str) -> String {
    Ran::of(&mut rehref(Path::new("."), arguments)).out
}

#[test]
fn every_record_of_runs_over_the_corpus_is_valid() {
    let validator = Validator::new();
    for (arguments, least) in [
        ("extract --json --context --unwrap corpus", 1000),
        ("extract --json --count-by host corpus", 50),
        ("extract --json --count-by url corpus", 500),
        ("extract --json --count-by scheme corpus", 5),
        ("extract --json --count-by doc corpus", 100),
        ("extract --json --count-by target corpus", 300),
        ("extract --json -c corpus", 50),
        ("unpack -n --json corpus/warc/bakery.warc.gz -o target/none", 9),
        ("check --json --orphans --case corpus/sites/crossroads", 5),
        ("check --json --summary corpus/sites/crossroads", 20),
        ("rewrite --json --absolute --integrity drop --base http://a.example/=corpus corpus", 100),
        ("rewrite --json --relative corpus/sites", 1),
        ("rewrite --json --root-relative corpus/sites", 1),
        ("rewrite --json --map-re ^http://mill=http://flour corpus/sites", 1),
        (
            "rewrite --json --base-element strip --map http://mill.example=http://a.example corpus",
            1,
        ),
        (
            "rewrite --json --mirror http://bakery.example/=corpus/sites/bakery corpus/sites/bakery",
            5,
        ),
        (
            "move --json --root corpus/sites corpus/sites/bakery/bread.html corpus/sites/loaf.html",
            2,
        ),
        ("resolve --json --explain http://a.example/b/c ../d '' ?q //b http:e x:y", 6),
        ("resolve --json --relative http://a.example/b/c http://a.example/d x:y", 2),
        ("resolve --json a b", 1),
    ] {
        let found = validator.accept(&stdout(arguments));
        assert!(found >= least, "{arguments:?}: {found} records");
    }
    for profile in
        ["rfc1738", "url-1997", "rfc2396", "rfc2396bis-00", "rfc3986", "rfc3987", "whatwg"]
    {
        let inputs = strings![
            "http://u:p@a.example:80/b?c#d" "ftp://a.example/b;type=a" "mailto:a@b.example"
            "news:a@b" "news:a.b" "nntp://a.example/b/1" "telnet://a.example/"
            "gopher://a.example/1b%09c" "wais://a.example/b?c" "file:///a/b"
            "prospero://a.example/b;c=d" "http://[::1]/" "http://1.2.3.4/" "http://[v1.a]/" "x:y"
            "a b" ""
        ];
        let arguments = format!("parse --json --profile {profile} '{}'", inputs.join("' '"));
        assert_eq!(validator.accept(&stdout(&arguments)), inputs.len());
    }
}

#[test]
fn every_record_in_expected_outputs_is_valid() {
    let validator = Validator::new();
    let mut found = validator.accept(&read("README.md"));
    for entry in fs::read_dir("tests/cmd").expect("readable") {
        let path = entry.expect("readable").path();
        if path.extension().is_some_and(|it| it == "trycmd" || it == "toml") {
            let text = fs::read_to_string(&path).expect("readable");
            // In expected output, trycmd writes backslashes as slashes: this value is no longer
            // JSON.
            let lines = text.lines().filter(|it| !it.contains(r#" integrity=/""#));
            found += validator.accept(&lines.collect::<Vec<_>>().join("\n"));
        }
    }
    assert!(found >= 50, "{found} records");
}

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(path)).expect("readable")
}

#[test]
fn schema_refuses_other_values_of_names() {
    let validator = Validator::new();
    let lines = stdout("extract --json corpus/sites/bakery/index.html");
    let record: Value =
        serde_json::from_str(lines.lines().next().expect("a record")).expect("JSON");
    assert_eq!(validator.fault(&record), None);
    for (field, value) in [
        ("type", "lnik"),
        ("role", "image"),
        ("place", "page"),
        ("cue", "bracket"),
        ("base_from", "header"),
        ("line", "1"),
    ] {
        let mut wrong = record.clone();
        wrong[field] = value.into();
        assert!(validator.fault(&wrong).is_some(), "{field}: {value}");
    }
    let mut wrong = record.clone();
    wrong["notes"] = serde_json::json!(["surprising"]);
    assert!(validator.fault(&wrong).is_some());
    let mut wrong = record;
    wrong.as_object_mut().expect("an object").remove("uri");
    assert!(validator.fault(&wrong).is_some(), "a record has all of its fields");
}

#[test]
fn schema_lists_the_names_of_each_field() {
    let schema = rehref::records::schema();
    for name in [
        "role", "place", "cue", "note", "base_from", "code", "why", "rule", "step", "profile",
        "host_kind",
    ] {
        let names = schema["$defs"][name]["enum"].as_array();
        assert!(names.is_some_and(|it| it.len() > 2), "{name}");
    }
}
