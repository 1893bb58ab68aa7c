//! Documents whose links are not read are counted by every command.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use super::{files_of_bytes, rehref};

fn run(directory: &Path, arguments: &[&str]) -> Output {
    rehref(directory, arguments).output().expect("rehref runs")
}

/// A site with documents in formats without a reader, and with files that have no links.
fn site() -> tempfile::TempDir {
    let content: [(&str, &[u8]); 12] = [
        ("index.html", b"<a href=about.html>about</a>"),
        ("about.html", b"<p>http://old.example/"),
        ("one.docx", b"PK\x03\x04\0\0"),
        ("two.DOCX", b"PK\x03\x04\0\0"),
        ("paper.pdf", b"%PDF-1.4 not a NUL"),
        ("page.html.br", b"\x0B\x02\x80hello\xE9\x03"),
        ("data.x", b"a\0b"),
        ("notes.rst", b"`about <about.html>`_"),
        ("image", b"\x89PNG\r\n\x1A\n\0\0\0\0"),
        ("photo.jpg", b"\xFF\xD8\xFF\0"),
        ("font.woff2", b"wOF2\0\x01"),
        (
            "letter.eml",
            b"From: a@b.example\nTo: c\nSubject: d\n\nhttp://old.example/\n",
        ),
    ];
    files_of_bytes(&content)
}

/// The last record of a JSON output.
fn summary(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().expect("a summary");
    serde_json::from_str(last).expect("JSON")
}

const NOT_READ: &str = "1 .br file, 2 .docx files, 1 .pdf file, 1 binary file: links not read; \
                        1 .rst file: relative links not read";

fn assert_ends(output: &Output, end: &str) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.trim_end().ends_with(end), "{errors}");
}

#[test]
fn check_counts_documents_whose_links_are_not_read() {
    let site = site();
    let output = run(site.path(), &["check"]);
    assert_eq!(output.status.code(), Some(0));
    assert_ends(&output, &format!("0 broken; {NOT_READ}"));
    let unread = json!({".br": 1, ".docx": 2, ".pdf": 1, ".rst": 1, "binary": 1});
    assert_eq!(
        summary(&run(site.path(), &["check", "--json"]))["unread"],
        unread
    );
}

#[test]
fn summary_has_no_field_for_unread_documents_if_all_are_read() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("a.html"), "<p>").expect("written");
    fs::write(directory.path().join("a.png"), b"\x89PNG\r\n\x1A\n\0\0").expect("written");
    for arguments in [["check", "--json"].as_slice(), &["extract", "--json", "."]] {
        let summary = summary(&run(directory.path(), arguments));
        assert_eq!(summary["docs"], 1, "{summary}");
        assert_eq!(summary.get("unread"), None, "{summary}");
    }
}

#[cfg(unix)]
#[test]
fn extract_counts_unread_documents_on_a_terminal_and_in_json() {
    use crate::terminal::printed_on_terminal;
    let site = site();
    let output = run(site.path(), &["extract", "--json", "."]);
    let unread = json!({".br": 1, ".docx": 2, ".pdf": 1, ".rst": 1, "binary": 1});
    assert_eq!(summary(&output)["unread"], unread);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let output = run(site.path(), &["extract", "."]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "in a pipe");

    let on_terminal = |options: &str| {
        let program = env!("CARGO_BIN_EXE_rehref");
        let mut shell = Command::new("sh");
        let line = format!("'{program}' --color=never extract {options} . 2>&1 >/dev/null");
        printed_on_terminal(shell.arg("-c").arg(line).current_dir(site.path()))
    };
    assert_eq!(on_terminal(""), format!("rehref: {NOT_READ}\n"));
    assert_eq!(on_terminal("-q"), "");
    assert_eq!(on_terminal("--json"), "");
}

#[test]
fn rewrite_counts_documents_that_are_not_read_or_never_rewritten() {
    let site = site();
    let gzip = |name: &str| {
        fs::write(
            site.path().join(name),
            b"\x1F\x8B\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0",
        )
    };
    gzip("index.html.gz")
        .and(gzip("image.png.gz"))
        .expect("written");
    let output = run(
        site.path(),
        &[
            "rewrite",
            "--relative",
            "--base",
            "http://old.example/=.",
            ".",
        ],
    );
    assert_ends(
        &output,
        &format!("{NOT_READ}; 1 gzip file, 1 mail file: not rewritten"),
    );
    // A map is about absolute URLs, which are read in Markdown.
    let output = run(
        site.path(),
        &[
            "rewrite",
            "--map",
            "http://old.example=http://new.example",
            ".",
        ],
    );
    let read = NOT_READ.split(';').next().expect("the first kinds");
    assert_ends(
        &output,
        &format!("{read}; 1 gzip file, 1 mail file: not rewritten"),
    );
}

#[test]
fn move_counts_documents_whose_links_may_break() {
    let site = site();
    let output = run(site.path(), &["move", "about.html", "more/about.html"]);
    assert_ends(&output, &format!("{NOT_READ}; 1 mail file: not rewritten"));
}

#[cfg(unix)]
#[test]
fn unreadable_files_and_directories_are_counted() {
    use std::os::unix::fs::PermissionsExt;
    let site = site();
    let mode = |name: &str, mode| {
        let path = site.path().join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
    };
    fs::create_dir(site.path().join("closed")).expect("a directory");
    mode("", 0o755);
    let closed = ["closed", "about.html", "photo.jpg", "two.DOCX"];
    closed.iter().for_each(|name| mode(name, 0));
    let mut command = super::as_other_user(site.path());
    let output = command
        .args(["extract", "--json", "."])
        .current_dir(site.path())
        .output()
        .expect("rehref runs");
    closed.iter().for_each(|name| mode(name, 0o755));
    assert_eq!(output.status.code(), Some(2));
    let unread = &summary(&output)["unread"];
    assert_eq!(
        (&unread["unreadable"], &unread["unreadable-directory"]),
        (&json!(2), &json!(1)),
        "{unread}"
    );
}
