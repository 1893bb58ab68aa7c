//! Unit tests of modules of the command. The modules are compiled into this binary, so that the
//! command is compiled once.

#[allow(dead_code, reason = "used by the command")]
#[path = "../../src/render/color.rs"]
mod color;
#[path = "../../src/render/csv_text.rs"]
mod csv_text;
#[allow(dead_code, reason = "used by the command")]
#[path = "../../src/render/escape.rs"]
mod escape;
#[allow(dead_code, reason = "used by the command")]
#[path = "../../src/render/lines.rs"]
mod lines;

use std::path::Path;

use color::painted;
use csv_text::write_text;
use escape::{in_command, in_xml, sanitized, sanitized_csv, sanitized_json, shell_path};
use lines::name_in_line;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::tier;

#[test]
fn lines_are_colored_by_kind() {
    let diff = "--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n a\n--- b\n-c\n+++ d\n\\ No newline\n--- a/y\n";
    let painted = String::from_utf8(painted(diff.as_bytes())).expect("UTF-8");
    let lines: Vec<&str> = painted.lines().collect();
    assert_eq!(
        lines,
        strings![
            "\x1B[1m--- a/x\x1B[m" "\x1B[1m+++ b/x\x1B[m" "\x1B[36m@@ -1,3 +1,2 @@\x1B[m" " a"
            "\x1B[31m--- b\x1B[m" "\x1B[31m-c\x1B[m" "\x1B[32m+++ d\x1B[m" "\\ No newline"
            "\x1B[1m--- a/y\x1B[m"
        ]
    );
}

#[test]
fn csv_row_is_one_line_on_terminal() {
    assert_eq!(sanitized_csv("a,b\n\"c\"\"\n\",d\n"), "a,b\n\"c\"\"\\u{a}\",d\n");
    assert_eq!(sanitized_csv("a\x1B,\"b\"\n"), "a\\u{1b},\"b\"\n");
}

#[test]
fn harmful_characters_are_escaped() {
    assert_eq!(sanitized("http://é.example/中"), "http://é.example/中");
    assert_eq!(sanitized("a\rb\r\n"), "a\\u{d}b\r\n");
    assert_eq!(sanitized_json("\u{202E}\u{E0001}"), "\\u202e\\udb40\\udc01");
    assert_eq!(sanitized("a\x1B[2Jb\u{202E}c\u{200B}"), "a\\u{1b}[2Jb\\u{202e}c\\u{200b}");
}

#[cfg(unix)]
#[test]
fn paths_with_special_characters_are_quoted_for_shells() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    for (path, word) in [
        ("a/é.b".as_bytes(), "a/é.b"),
        (b"a b's", r"'a b'\''s'"),
        (b"", "''"),
        // Not an option.
        (b"-rf", "./-rf"),
        (b"a\n'1\\", r"$'a\012\'1\\'"),
        (b"\xFF1", r"$'\3771'"),
        ("\u{202E}x".as_bytes(), r"$'\342\200\256x'"),
    ] {
        assert_eq!(shell_path(Path::new(OsStr::from_bytes(path))), word);
    }
}

#[test]
fn special_characters_of_commands_and_xml_are_escaped() {
    assert_eq!(in_command("a:b,c%\r\n", true), "a%3Ab%2Cc%25%0D%0A");
    assert_eq!(in_command("a:b,c%\n", false), "a:b,c%25%0A");
    for is_property in [false, true] {
        let shown = in_command("a\x1B[2J\u{202E}\u{200B}\0\u{E0101}é", is_property);
        assert_eq!(shown, "a\\u{1b}[2J\\u{202e}\\u{200b}\\u{0}\\u{e0101}é");
    }
    assert_eq!(in_xml("<&>\"'\n\x01é"), "&#60;&#38;&#62;&#34;'&#10;\u{FFFD}é");
}

#[test]
fn name_with_line_break_is_quoted() {
    let shown = |name: &str, null| {
        String::from_utf8(name_in_line(Path::new(name), null).into_owned()).expect("UTF-8")
    };
    assert_eq!(shown("a b\"c.html", false), "a b\"c.html");
    assert_eq!(shown("a\nb\t.html", false), "\"a\\nb\\t.html\"");
    assert_eq!(shown("a\rb", false), "\"a\\015b\"");
    assert_eq!(shown("\"a\"", false), r#""\"a\"""#);
    assert_eq!(shown("a\nb", true), "a\nb");
}

proptest! {
    #![proptest_config(tier::cases(4000))]

    #[test]
    fn texts_in_csv_are_those_of_the_crate_csv(
        cells in vec("([a-zé \u{7f}]|[\",\r\n\0']){0,40}|[a-z]{0,40}", 2..5),
        is_null in any::<bool>(),
    ) {
        let end = if is_null { 0 } else { b'\n' };
        let mut row = Vec::new();
        for (at, cell) in cells.iter().enumerate() {
            row.extend_from_slice(if at > 0 { b"," } else { b"" });
            let (prefix, text) = match cell.strip_prefix('\'') {
                Some(text) => ("'", text),
                None => ("", &**cell),
            };
            write_text(prefix, text.as_bytes(), end, &mut row);
        }
        row.push(end);
        let mut expected = Vec::new();
        let mut writer = csv::WriterBuilder::new()
            .terminator(csv::Terminator::Any(end))
            .from_writer(&mut expected);
        writer.write_record(&cells).expect("memory");
        drop(writer);
        prop_assert_eq!(String::from_utf8(row), String::from_utf8(expected));
    }
}
