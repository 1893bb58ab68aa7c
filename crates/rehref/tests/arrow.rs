//! Record batches of Arrow have the names and values of the JSON records.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rehref::fs::{Item, ReadOptions};
use rehref::jobs::{Extract, ExtractEvent};
use rehref::records::{LinkColumns, LinkRecord, LinkRows, schema};
use serde_json::{Map, Value, json};

/// The values of an array as JSON.
fn values(array: &dyn Array) -> Vec<Value> {
    let value = |row| match array.data_type() {
        _ if array.is_null(row) => Value::Null,
        DataType::Utf8 => array.as_string::<i32>().value(row).into(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).into(),
        DataType::Int16 => array.as_primitive::<Int16Type>().value(row).into(),
        DataType::Boolean => array.as_boolean().value(row).into(),
        DataType::List(_) => values(&array.as_list::<i32>().value(row)).into(),
        DataType::Struct(fields) => {
            let columns = fields.iter().zip(array.as_struct().columns());
            let field = |(field, column): (&arrow_schema::FieldRef, _)| {
                let column: &arrow_array::ArrayRef = column;
                (field.name().clone(), values(&column.slice(row, 1)).remove(0))
            };
            Value::Object(columns.map(field).collect())
        }
        other => panic!("{other}"),
    };
    (0..array.len()).map(value).collect()
}

/// The rows of batches as JSON.
fn rows(batches: &[RecordBatch]) -> Vec<Value> {
    let mut rows = Vec::new();
    for batch in batches {
        let mut objects = vec![Map::new(); batch.num_rows()];
        for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
            for (object, value) in objects.iter_mut().zip(values(column)) {
                object.insert(field.name().clone(), value);
            }
        }
        rows.extend(objects.into_iter().map(Value::Object));
    }
    rows
}

/// The batches of a run, and the JSON records of the same links.
fn run(extract: &Extract, columns: &LinkColumns) -> (Vec<RecordBatch>, Vec<Value>) {
    let (mut table, mut batches, mut records) = (LinkRows::default(), Vec::new(), Vec::new());
    extract.run(
        |event, (rows, records): &mut (LinkRows, Vec<Value>)| {
            if let ExtractEvent::Link(link, charset) = event {
                rows.push(columns, link, charset);
                let record = LinkRecord::new(link, charset);
                let mut record = serde_json::to_value(record).expect("JSON");
                record["host"] = link.host().into();
                record["scheme"] = link.scheme().map(str::to_ascii_lowercase).into();
                records.push(record);
            }
        },
        |piece| {
            table.append(piece.0);
            batches.extend(table.take_full());
            records.extend(piece.1);
            ControlFlow::Continue(())
        },
    );
    batches.extend(table.finish());
    (batches, records)
}

/// A JSON record as a row of all columns.
fn row(mut record: Value) -> Value {
    let value = |name: &str| {
        let value = record[name].take();
        match (name, value.get("bytes")) {
            ("spans" | "file_spans", _) => {
                let spans = value.as_array();
                let span = |it: &Value| json!({"start": it[0], "end": it[1]});
                spans.map(|it| it.iter().map(span).collect::<Vec<_>>()).into()
            }
            // Columns have a value for each field.
            ("context", _) if value.is_object() => {
                let mut value = value;
                for name in ["date", "from", "subject"] {
                    let _: &mut Value =
                        value.as_object_mut().expect("fields").entry(name).or_insert(Value::Null);
                }
                value
            }
            (_, Some(bytes)) => {
                let bytes = STANDARD.decode(bytes.as_str().expect("base64"));
                String::from_utf8_lossy(&bytes.expect("base64")).into()
            }
            _ => value,
        }
    };
    let names = LinkColumns::all_names();
    let mut value = value;
    Value::Object(names.map(|name| (name.to_owned(), value(name))).collect())
}

#[test]
fn arrow_columns_are_the_fields_of_the_json_schema_host_and_scheme() {
    let schema = schema();
    let names = |record: &str, all_but: &str| {
        let properties = schema["$defs"][record]["properties"].as_object();
        let names = properties.expect("fields").keys().cloned();
        names.filter(|it| it != all_but).collect::<BTreeSet<_>>()
    };
    let mut links = names("LinkRecord", "type");
    links.extend(["host", "scheme"].map(str::to_owned));
    let columns: BTreeSet<_> = LinkColumns::all_names().map(str::to_owned).collect();
    assert_eq!(columns, links);
    assert_eq!(LinkColumns::all_names().count(), links.len());
    let contexts = LinkColumns::of_names(["context"]).expect("a column");
    let DataType::Struct(fields) = contexts.schema().field(0).data_type() else {
        panic!("a struct");
    };
    let fields: BTreeSet<_> = fields.iter().map(|it| it.name().clone()).collect();
    assert_eq!(fields, names("ContextRecord", ""));
}

#[test]
fn rows_have_the_values_of_the_json_records_of_the_corpus() {
    let columns = LinkColumns::of_names(LinkColumns::all_names()).expect("columns");
    let mut extract = Extract::new().path("../../corpus");
    extract.set_columns(&columns);
    let (batches, records) = run(&extract, &columns);
    let expected: Vec<_> = records.into_iter().map(row).collect();
    for column in LinkColumns::all_names() {
        let is_used = expected.iter().any(|it| !it[column].is_null());
        assert!(is_used, "no fixture has a value of {column}");
    }
    let found = rows(&batches);
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(batches.len(), 1, "the rows of all documents are joined");
}

/// The files in a directory, in its directories too.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).expect("a directory");
    let paths = entries.map(|it| it.expect("an entry").path());
    paths.flat_map(|it| if it.is_dir() { files(&it) } else { vec![it] }).collect()
}

#[test]
fn rows_do_not_depend_on_slices() {
    let columns = LinkColumns::of_names(LinkColumns::all_names()).expect("columns");
    let rows_of = |items: Vec<Item>| {
        let mut extract = Extract::new();
        extract.inputs.items = items;
        extract.set_columns(&columns);
        rows(&run(&extract, &columns).0)
    };
    let mut kinds = BTreeSet::new();
    for path in ["mail", "warc"].iter().flat_map(|it| files(&Path::new("../../corpus").join(it))) {
        // A slice cannot use a `Content-Length` before it.
        let has_lengths = path.to_string_lossy().contains("mboxcl2");
        if has_lengths
            || !ReadOptions::default().is_divisible(&Item::Path(path.clone())).expect("a file")
        {
            continue;
        }
        let whole = rows_of(vec![Item::Path(path.clone())]);
        let len = std::fs::metadata(&path).expect("a file").len();
        for size in [len, len.div_ceil(2), len / 3 + 1, len / 7 + 1, len / 20 + 1] {
            let starts = (0..len).step_by(size as usize);
            let slice = |start| Item::Path(path.clone()).slice(start..start + size);
            let sliced = rows_of(starts.map(slice).collect());
            assert_eq!(sliced, whole, "{path:?} in slices of {size} bytes");
        }
        if let Some(row) = whole.first() {
            let name = path.to_string_lossy();
            assert_eq!(row["archive"], *name);
            kinds.insert(row["message"].is_number());
            if row["message"].is_number() {
                assert_eq!(row["message"], row["message_offset"]);
                let prefix = format!("{name}!@{}!", row["message"]);
                assert!(row["doc"].as_str().expect("a name").starts_with(&prefix), "{row}");
            }
        }
    }
    assert_eq!(kinds.len(), 2, "mailboxes and web archives");
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf_8_have_replacement_characters() {
    use std::os::unix::ffi::OsStrExt;

    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join(std::ffi::OsStr::from_bytes(b"a\xFF.txt"));
    std::fs::write(&path, "http://a.example/").expect("a file");
    let columns = LinkColumns::new();
    let (batches, records) = run(&Extract::new().path(path), &columns);
    let mut expected = records.into_iter().map(row).collect::<Vec<_>>();
    for column in ["context", "unwrapped"] {
        expected[0].as_object_mut().expect("a row").remove(column);
    }
    assert_eq!(rows(&batches), expected);
    let name = expected[0]["doc"].as_str().expect("a name");
    assert!(name.ends_with("a\u{FFFD}.txt"));
}

#[test]
fn a_projection_has_the_values_of_the_whole_and_computes_no_others() {
    let projection = LinkColumns::of_names(["host", "uri"]).expect("columns");
    let mut extract = Extract::new().path("../../corpus/sites");
    let (whole, _) = run(&extract, &LinkColumns::new());
    extract.file_positions = true;
    extract.set_columns(&projection);
    assert!(!extract.positions && !extract.file_positions && !extract.diagnostics);
    let (batches, records) = run(&extract, &projection);
    assert_eq!(batches[0].schema_ref(), projection.schema());
    assert!(records.iter().all(|it| it["line"] == 1));
    let hosts_and_urls = |row: &Value| (row["host"].clone(), row["uri"].clone());
    let whole = rows(&whole);
    let whole: Vec<_> = whole.iter().map(hosts_and_urls).collect();
    let found = rows(&batches);
    assert_eq!(found.iter().map(hosts_and_urls).collect::<Vec<_>>(), whole);
    assert!(whole.len() > 20);

    extract.set_columns(
        &LinkColumns::of_names(["col", "notes", "context", "unwrapped"]).expect("columns"),
    );
    assert!(extract.positions && extract.diagnostics && extract.contexts && extract.unwrap);
}

#[test]
fn a_table_without_columns_has_rows() {
    let columns = LinkColumns::of_names([""; 0]).expect("no columns");
    let (batches, records) = run(&Extract::new().path("../../corpus/sites"), &columns);
    assert_eq!(batches[0].num_rows(), records.len());
}

#[test]
fn batches_end_at_eight_mebibytes_and_one_link_however_the_run_is_cut() {
    const LIMIT: usize = 8 << 20;
    let directory = tempfile::tempdir().expect("a directory");
    let long = "c".repeat(LIMIT);
    let url = |number: usize| format!("http://a.example/{number}/{}", &long[..1000]);
    let urls = |count| (0..count).map(url).collect::<Vec<_>>();
    let page = [urls(5_000), vec![format!("http://a.example/{long}")], urls(9_000)].concat();
    let page: String = page.iter().map(|it| format!("<a href={it}>")).collect();
    // A piece of several batches, and several pieces in each batch.
    std::fs::write(directory.path().join("a.html"), page).expect("a page");
    std::fs::write(directory.path().join("b.txt"), urls(9_000).join("\n")).expect("a text");
    let columns = LinkColumns::of_names(["uri"]).expect("a column");
    let mut found = Vec::new();
    for threads in [1, 2] {
        let mut extract = Extract::new().path(directory.path());
        extract.set_columns(&columns);
        extract.inputs.threads = NonZeroUsize::new(threads).expect("threads");
        let (batches, _) = run(&extract, &columns);
        let uris = batches.iter().map(|it| it.column(0).as_string::<i32>());
        let sizes: Vec<_> = uris.map(|it| it.values().len()).collect();
        let large: Vec<_> = sizes.iter().filter(|&&size| size > LIMIT).collect();
        // That with the long link.
        assert!(matches!(large[..], [_]), "{sizes:?}");
        // Two batches in a row would not fit into one. Each row counts for some bytes more than its value.
        let two = |it: &[usize]| (it[0] + it[1]) / 1000 * 1010;
        assert!(sizes.windows(2).all(|it| two(it) > LIMIT), "batches are joined: {sizes:?}");
        let uris = batches.iter().flat_map(|it| it.column(0).as_string::<i32>());
        let lengths: Vec<_> = uris.map(|it| it.expect("a URL").len()).collect();
        assert_eq!(lengths.len(), 23_001);
        found.push(lengths);
    }
    assert_eq!(found[0], found[1]);
}
