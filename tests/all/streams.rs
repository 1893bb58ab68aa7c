//! Long texts are streamed: the output equals that of a file and of the text in memory.

use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;

use rehref::document::Document;
use rehref::format::Format;
use rehref::format::Options;
use rehref::source::Charset;

#[cfg(target_os = "linux")]
use crate::support::compressed::gzip;
use crate::support::tree::{Has, Ran, Tree, rehref};
use crate::tier;

/// Longer than standard input that is read whole; in the deep tier, also longer than such files.
fn long() -> usize {
    tier::pick(2 << 20, 20 << 20)
}

/// Extracts the links of standard input.
fn extract(options: &str) -> Child {
    let mut command = rehref(Path::new("."), format!("extract {options} -"));
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("rehref runs")
}

/// A run with these bytes on standard input. It may stop reading early.
fn output_of(options: &str, bytes: impl AsRef<[u8]>) -> Ran {
    Ran::reading(&mut rehref(Path::new("."), format!("extract {options} -")), bytes)
}

/// Links of all kinds, at distances that no piece size divides.
fn long_text() -> String {
    let mut text = String::with_capacity(long() + 1000);
    for number in 0.. {
        let _ = write!(
            text,
            "{number}: see <http://example.org/{number}/\n   a> or \"http://example.org/{}\", \
             http://example.org/over-\nview/{number}.html, {}.\n> <http://example.org/é/\n> {number}>\n\n",
            number % 7,
            "and so on ".repeat(number % 97),
        );
        if text.len() > long() {
            return text;
        }
    }
    text
}

#[test]
fn stream_has_the_links_of_the_file_and_of_the_text_in_memory() {
    let long = long_text();
    let tree = Tree::new(&[("long.txt", &long)]);

    let document = Document::new("long.txt", long.into_bytes())
        .with_format(Format::Text)
        .with_charset(Charset::named("utf-8", b"").expect("a label"));
    let links = document.links_with(&Options::default());
    let mut lines = document.lines();
    let mut expected = String::new();
    for link in &links.found().links {
        let start = link.extent().start;
        let line = lines.position(start).line;
        let _ = writeln!(expected, "{line}:{start}:{}", link.reference);
    }

    let of_stream = output_of("-nb", document.bytes());
    let of_file = tree.run("extract -nb long.txt");
    for output in [of_stream, of_file] {
        assert_eq!(output.code, 0);
        assert_eq!(output.err, "");
        assert!(output.out == expected, "other links");
    }
    let count = format!("{}\n", links.found().links.len());
    assert_eq!(output_of("-c", document.bytes()).out, count);
    let different: std::collections::HashSet<_> =
        links.found().links.iter().map(|it| &it.reference).collect();
    assert_eq!(output_of("-u", document.bytes()).out.lines().count(), different.len());
    assert_eq!(output_of("-uc", document.bytes()).out, format!("{}\n", different.len()));
    let records = output_of("--json", document.bytes()).out;
    assert_eq!(records.lines().count(), links.found().links.len() + 1);
    assert_eq!(
        records.lines().last().expect("a summary"),
        format!(
            r#"{{"type":"summary","docs":1,"links":{},"warnings":0}}"#,
            links.found().links.len()
        )
    );
}

#[test]
fn stream_without_links_is_read_to_its_end() {
    let nothing = "No link here.\n".repeat(long() / 14);
    let output = output_of("-c", nothing.as_bytes());
    assert_eq!((output.code, &*output.out), (0, "0\n"));
    assert_eq!(output_of("-q", nothing.as_bytes()).code, 1);
}

#[test]
fn long_style_sheet_is_not_streamed() {
    let rule = "a { background: url( ../a.png ) } /* http://example.org/ */\n";
    let mut sheet = "@import 'first.css';\n".to_owned();
    sheet.push_str(&rule.repeat((3 << 20) / rule.len()));
    sheet.push_str("@import 'last.css';\n");
    let output = output_of("--raw -u", sheet.as_bytes());
    assert_eq!(output.err, "");
    assert_eq!(output.out, "first.css\n../a.png\nlast.css\n");
}

#[test]
fn records_of_a_stream_have_urls_without_terminal_escapes() {
    let mut bytes = b"See http://example.org/\x1B[3ma.\n".to_vec();
    bytes.resize(long(), b'\n');
    let output = output_of("--json", &bytes);
    assert_eq!(output.err, "");
    let record = output.out;
    record.has(r#""raw":"http://example.org/a""#);
    record.has(r#""notes":["unescaped""#);
}

#[test]
fn late_invalid_byte_in_a_stream_is_one_warning() {
    let line = "Words, and http://example.org/a here.\n";
    let mut bytes = line.repeat(long() / line.len()).into_bytes();
    let lines = long() / line.len();
    bytes.extend_from_slice(
        b"Invalid: \xFF\nhttp://example.org/b\xFE <http://example.org/\nc> \xFF\n",
    );
    let of_file = Tree::of_bytes(&[("invalid.txt", &bytes)]);
    // Without positions, its lines are counted only up to the invalid byte.
    let without_positions = of_file.run("extract --charset utf-8 invalid.txt");
    let of_file = of_file.run("extract --charset utf-8 -nb invalid.txt");
    assert_eq!(without_positions.err, of_file.err);
    assert_eq!(without_positions.out.lines().count(), lines + 2);
    for (name, output) in
        [("-", output_of("--charset utf-8 -nb", &bytes)), ("invalid.txt", of_file)]
    {
        assert_eq!(
            output.err,
            format!(
                "rehref: {name}:{}:10: bytes that are invalid in the charset were read as U+FFFD\n",
                lines + 1
            )
        );
        assert_eq!(output.code, 0);
        let start = lines * line.len() + 11;
        let printed = output.out;
        let last: Vec<_> = printed.lines().skip(lines).collect();
        let expected = [
            format!("{}:{start}:http://example.org/b", lines + 2),
            format!("{}:{}:http://example.org/c", lines + 2, start + 23),
        ];
        assert_eq!(last, expected);
    }
    let records = output_of("--charset utf-8 --json", &bytes).out;
    let warnings = records.lines().filter(|it| it.contains(r#""type":"warning""#));
    assert_eq!(warnings.count(), 1);
}

/// Writes `unit` until the reader is gone.
fn write_endlessly(child: &mut Child, unit: &str) -> thread::JoinHandle<u64> {
    let mut stdin = child.stdin.take().expect("piped");
    let block = unit.repeat((64 << 10) / unit.len() + 1);
    thread::spawn(move || {
        let mut written = 0;
        while stdin.write_all(block.as_bytes()).is_ok() {
            written += block.len() as u64;
        }
        written
    })
}

#[test]
fn quiet_run_ends_on_an_endless_stream() {
    for first in ["", "Words of no link. ".repeat(1 << 17).as_str()] {
        let mut child = extract("-q");
        let mut stdin = child.stdin.take().expect("piped");
        stdin.write_all(first.as_bytes()).expect("taken");
        child.stdin = Some(stdin);
        let writer = write_endlessly(&mut child, "And http://example.org/ it is.\n");
        assert_eq!(child.wait().expect("rehref ends").code(), Some(0));
        writer.join().expect("the writer ends");
    }
}

#[test]
fn closed_output_pipe_ends_reading() {
    for options in ["", "--json", "-u -n", "--format csv"] {
        let mut child = extract(options);
        // With -u nothing would be printed at the end: each link is new.
        let mut stdin = child.stdin.take().expect("piped");
        let writer = thread::spawn(move || {
            for number in 0u64.. {
                if writeln!(stdin, "See http://example.org/{number} or {:1000}.", "").is_err() {
                    return;
                }
            }
        });
        let mut stdout = child.stdout.take().expect("piped");
        stdout.read_exact(&mut [0; 10]).expect("some output");
        drop(stdout);
        let output = Ran::from(child.wait_with_output().expect("rehref ends"));
        assert_eq!((output.code, &*output.err), (0, ""), "{options:?}");
        writer.join().expect("the writer ends");
    }
}

/// The peak memory of a process, in KiB.
#[cfg(target_os = "linux")]
fn peak_memory(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("a status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.trim().strip_suffix(" kB"));
    number.and_then(|it| it.parse().ok()).expect("VmHWM in kB")
}

#[cfg(target_os = "linux")]
#[test]
fn streams_take_fixed_memory() {
    let unit = "See <http://example.org/a/\n   b>, http://example.org/over-\nview.html and \
                \"http://example.org/c\"; é, and more of it.\n";
    let damaged = "-c --charset utf-8 --join guess --emails";
    let runs = [("-c", true), (damaged, false)];
    for (options, is_valid) in &runs[..tier::pick(1, 2)] {
        let mut child = extract(options);
        let mut stdin = child.stdin.take().expect("piped");
        if !*is_valid {
            stdin.write_all(b"\xFF\n").expect("taken");
        }
        let units = tier::pick(1 << 18, 1 << 20) / unit.len();
        let mut block = unit.repeat(units);
        // Text without line endings and links.
        block.push_str(&"x".repeat(1 << 20));
        block.push('\n');
        let count = tier::pick(30 << 20, 200 << 20) / block.len();
        (0..count).for_each(|_| stdin.write_all(block.as_bytes()).expect("taken"));
        stdin.flush().expect("taken");
        // All has been read except for the content of the pipe.
        let peak = peak_memory(&child);
        drop(stdin);
        let output = Ran::from(child.wait_with_output().expect("rehref ends"));
        assert_eq!(output.code, 0, "{}", output.err);
        let links = 3 * count * units;
        assert_eq!(output.out, format!("{links}\n"));
        // Of these, up to 16 MiB are pages of the unoptimized command itself.
        assert!(peak < 36 << 10, "{peak} KiB, {options:?}");
    }
}

/// Records as a crawler writes them, each in a gzip member: pages, and one that is longer than what
/// is held.
#[cfg(target_os = "linux")]
fn members() -> (Vec<u8>, usize) {
    let member = |block: &str| {
        let record = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://mill.example/a/\r\n\
             WARC-Record-ID: <urn:uuid:1>\r\nContent-Type: application/http; msgtype=response\r\n\
             Content-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        );
        gzip(record)
    };
    let page = |size: usize| {
        let links = "<p>some text <a href=../b/c.html>and more</a>\n".repeat(size / 46);
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{links}")
    };
    let small = member(&page(10_000));
    let (large, blank) = (member(&page(3 << 20)), member(&" ".repeat(20 << 20)));
    let members = [small.repeat(200), large, blank].concat();
    (members, 200 * (10_000 / 46) + (3 << 20) / 46)
}

#[cfg(target_os = "linux")]
#[test]
fn web_archives_take_fixed_memory() {
    let (members, links) = members();
    // In MiB, with the program itself, which is large without optimization. The longest records are
    // in work one at a time.
    let runs = [("4", 96), ("1", 72)];
    for (threads, most) in &runs[..tier::pick(1, 2)] {
        let mut child = extract(&format!("-c -j {threads}"));
        let mut stdin = child.stdin.take().expect("piped");
        let count = tier::pick(2, 40);
        (0..count).for_each(|_| stdin.write_all(&members).expect("taken"));
        stdin.flush().expect("taken");
        let peak = peak_memory(&child);
        drop(stdin);
        let output = Ran::from(child.wait_with_output().expect("rehref ends"));
        // The longest records are not read to their ends.
        assert_eq!(output.code, 2, "{}", output.err);
        assert_eq!(output.out, format!("{}\n", count * links));
        assert!(peak < *most << 10, "{peak} KiB, {threads} threads");
    }
}
