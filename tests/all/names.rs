//! File names with line breaks, and cells that spreadsheets run: no record looks like another one.
#![cfg(unix)]

#[cfg(target_os = "linux")]
use crate::support::tree::Has;
use crate::support::tree::Tree;

/// A name with a line break, and a second line that looks like a record.
const FORGED: &str = "a\nfake.html:1:1:fake:\r.html";

fn site() -> Tree {
    Tree::new(&[(FORGED, "<a href='http://a.example/1'>1</a> <a href='none.html'>2</a>")])
}

const QUOTED: &str = r#""a\nfake.html:1:1:fake:\015.html""#;

#[test]
fn line_break_in_a_name_does_not_begin_a_record() {
    let site = site();
    for (arguments, lines) in [
        (&["extract", "-H", FORGED][..], [":http://a.example/1", ":none.html"].as_slice()),
        (&["extract", "-Hn", FORGED], &[":1:http://a.example/1", ":1:none.html"]),
        (
            &["extract", "--format", "vimgrep", FORGED],
            &[":1:10:http://a.example/1", ":1:45:none.html"],
        ),
        (&["extract", "-cH", FORGED], &[":2"]),
        (&["check"], &[":1:45: none.html: missing"]),
    ] {
        let expected: String = lines.iter().map(|line| format!("{QUOTED}{line}\n")).collect();
        assert_eq!(site.run(arguments).out, expected, "{arguments:?}");
    }
    let github = site.run(["check", "--format", "github"]).out;
    assert_eq!(github.lines().count(), 1, "{github}");
}

#[test]
fn records_that_end_with_nul_have_raw_names() {
    let site = site();
    let found = site.run(["extract", "-0H", FORGED]).out;
    assert_eq!(found, format!("{FORGED}:http://a.example/1\0{FORGED}:none.html\0"));
    let broken = site.run(["check", "-0"]).out;
    assert_eq!(broken, format!("{FORGED}:1:45: none.html: missing\0"));
}

#[test]
fn name_in_csv_is_one_cell() {
    let site = site();
    let text = site.run(["extract", "--format", "csv", FORGED]).out;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), 2);
    assert!(rows.iter().all(|row| &row[0] == FORGED), "{rows:?}");
}

#[test]
fn line_breaks_in_references_are_encoded() {
    let folder = Tree::empty();
    folder.write("a.css", r#"a { background: url("http://a.example/1\a http://fake.example/") }"#);
    for arguments in [&["extract", "a.css"][..], &["extract", "--raw", "a.css"]] {
        let lines = folder.run(arguments).out;
        assert_eq!(lines.lines().count(), 1, "{lines:?}");
    }
}

#[test]
fn formulas_in_cells_are_escaped_on_demand() {
    let folder = Tree::empty();
    let page = "<a href='=1+1'>=cmd</a> <a href='@x' title='-'>+1</a> <a href='-2'>a</a> <a href='a=b'></a>";
    folder.write("=a.html", page);
    let rows = |arguments: &[&str]| -> Vec<Vec<String>> {
        let always = ["extract", "--format", "csv", "--context", "=a.html"];
        let text = folder.run(&[&always, arguments].concat()).out;
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let rows = reader.records().map(|row| row.expect("a row"));
        rows.map(|row| [0, 6, 17, 19].map(|at| row[at].to_owned()).to_vec()).collect()
    };
    let raw = [
        ["=a.html", "=1+1", "=cmd", ""],
        ["=a.html", "@x", "+1", "-"],
        ["=a.html", "-2", "a", ""],
        ["=a.html", "a=b", "", ""],
    ];
    assert_eq!(rows(&[]), raw);
    let escaped = [
        ["'=a.html", "'=1+1", "'=cmd", ""],
        ["'=a.html", "'@x", "'+1", "-"],
        ["'=a.html", "'-2", "a", ""],
        ["'=a.html", "a=b", "", ""],
    ];
    assert_eq!(rows(&["--escape-formulas"]), escaped);
}

/// The file system does not allow such files.
#[cfg(target_os = "linux")]
#[test]
fn write_errors_name_the_file_and_no_temporary_file() {
    let error = rehref::fs::replace("/proc/self/comm".as_ref(), b"x").expect_err("refused");
    error.to_string().has("/comm: cannot write: ").lacks(".rehref-");
}
