//! `rehref rewrite --mirror auto` on small sites.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn rewrite(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rehref"));
    command.args(["rewrite", "--mirror", "auto"]).args(arguments);
    command.current_dir(folder).stdin(Stdio::null());
    command.output().expect("rehref runs")
}

fn write(folder: &Path, name: &str, text: &str) {
    let file = folder.join(name);
    fs::create_dir_all(file.parent().expect("a directory")).expect("made");
    fs::write(file, text).expect("written");
}

fn saved(url: &str, links: &str) -> String {
    format!("<!-- saved from url=({:04}){url} -->\n{links}\n", url.len())
}

fn mirrored(url: &str, links: &str) -> String {
    format!("<!-- Mirrored from {url} by HTTrack Website Copier/3.x -->\n{links}\n")
}

#[test]
fn site_root_is_found_above_a_part_of_the_copy() {
    let folder = tempfile::tempdir().expect("a directory");
    let site = folder.path().join("copy/h.example");
    write(&site, "index.html", &mirrored("h.example/", ""));
    let links = "<a href='../index.html'>1</a><a href='https://h.example/'>2</a>";
    write(&site, "d/x.html", &mirrored("h.example/d/x.html", links));
    let page = mirrored("h.example/~ada/", "<a href='../d/x.html'>1</a>");
    write(&site, "_ada/index.html", &page);
    for path in ["d", "d/x.html"] {
        let output = rewrite(&site, &[path]);
        let diff = String::from_utf8(output.stdout).expect("UTF-8");
        let line = "+<a href='../index.html'>1</a><a href='../index.html'>2</a>";
        assert!(diff.contains(line), "{path}: {diff}");
    }
    assert_eq!(rewrite(&site.join("_ada"), &["."]).stdout, b"");
}

#[test]
fn only_given_paths_are_read() {
    let folder = tempfile::tempdir().expect("a directory");
    let links = "<a href='https://b.example/'>b</a><a href='https://c.example/'>c</a>";
    write(folder.path(), "a.html", &saved("https://a.example/", links));
    write(folder.path(), "b.html", &saved("https://b.example/", ""));
    write(folder.path(), "m/c.html", &saved("https://c.example/", ""));
    assert_eq!(rewrite(folder.path(), &["nope", "a.html"]).stdout, b"");
    let output = rewrite(folder.path(), &["nope"]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(message.contains("no page has a mark"), "{message}");
    let output = rewrite(folder.path(), &["a.html", "m"]);
    let diff = String::from_utf8(output.stdout).expect("UTF-8");
    let line = "+<a href='https://b.example/'>b</a><a href='m/c.html'>c</a>";
    assert!(diff.contains(line), "{diff}");
    write(folder.path(), "list", "a.html\n");
    let output = rewrite(folder.path(), &["--files-from", "list"]);
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(message.contains("--files-from"), "{message}");
}

fn messages(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

#[test]
fn found_sites_are_printed() {
    let folder = tempfile::tempdir().expect("a directory");
    let root = folder.path().canonicalize().expect("a directory");
    write(&root, "a/x.html", &saved("https://a.example/x", ""));
    write(&root, "b.example/index.html", &mirrored("b.example/", ""));
    let link = "<a href='http://c.example/'></a>";
    write(&root, "c.example/index.html", &mirrored("c.example/", link));
    let message = messages(&rewrite(&root, &["."]));
    let root = root.display();
    for line in [
        format!("https://a.example/={root}/a (mark in {root}/a/x.html)"),
        format!(
            "https://b.example/={root}/b.example (mark in {root}/b.example/index.html; scheme guessed)"
        ),
        format!(
            "http://c.example/={root}/c.example (mark in {root}/c.example/index.html; scheme of its links)"
        ),
    ] {
        let line = format!("rehref: --mirror auto: {line}\n");
        assert!(message.contains(&line), "{line}{message}");
    }

    let folder = tempfile::tempdir().expect("a directory");
    for number in 0..12 {
        let page = saved(&format!("https://h{number}.example/"), "");
        write(folder.path(), &format!("m/{number}.html"), &page);
    }
    let message = messages(&rewrite(folder.path(), &["m"]));
    assert_eq!(message.matches("mark in").count(), 10, "{message}");
    assert!(message.contains("--mirror auto: 2 more sites\n"), "{message}");
}

/// A log in a directory such as `/tmp` may belong to any user.
#[test]
fn httrack_cache_is_read_from_the_copy() {
    let list = "date\tsize'/'remotesize\tflags\n\
        20:44\t5/5\t---M--\t200\tadded\ttext/html\tdate\thttp://h.example/\th.example/index.html\t(from )\n\
        20:44\t5/5\t---M--\t200\tadded\ttext/html\tdate\thttp://h.example/x\th.example/y.html\t(from )\n";
    for (cache, path, is_read) in [
        ("p/h.example/hts-cache", "p/h.example", true),
        ("p/hts-cache", "p/h.example", true),
        ("p/hts-cache", "p/h.example/d", true),
        ("hts-cache", "p/h.example", false),
        ("hts-cache", ".", true),
    ] {
        let folder = tempfile::tempdir().expect("a directory");
        let write = |name: &str, text: &str| write(folder.path(), name, text);
        write(&format!("{cache}/new.txt"), list);
        let page = |path: &str| {
            mirrored(&format!("h.example/{path}"), "<a href='http://h.example/x'></a>")
        };
        write("p/h.example/index.html", &page(""));
        write("p/h.example/d/z.html", &page("d/z.html"));
        write("p/h.example/y.html", "");
        let output = rewrite(folder.path(), &[path]);
        let diff = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(diff.contains("y.html"), is_read, "{cache} {path}: {diff}");
        let message = messages(&output);
        assert_eq!(message.contains("reads the log"), is_read, "{message}");
    }
    let folder = tempfile::tempdir().expect("a directory");
    write(folder.path(), "new.txt", list);
    write(folder.path(), "p/index.html", &mirrored("h.example/", ""));
    let output = rewrite(folder.path(), &["--mirror-log", "new.txt", "p"]);
    let message = messages(&output);
    assert!(message.contains("rehref: --mirror auto: http://h.example/="), "{message}");
    assert!(message.contains("scheme in new.txt)"), "{message}");
    #[cfg(unix)]
    {
        let folder = tempfile::tempdir().expect("a directory");
        write(folder.path(), "hts-cache/new.txt", list);
        let page = mirrored("h.example/", "<a href='http://h.example/x'></a>");
        write(folder.path(), "h.example/index.html", &page);
        write(folder.path(), "h.example/y.html", "");
        let file = folder.path().join("hts-cache/new.txt");
        // Only the superuser can change the owner of a file.
        if std::os::unix::fs::chown(file, Some(12345), None).is_ok() {
            let output = rewrite(folder.path(), &["h.example"]);
            assert!(!messages(&output).contains("reads the log"));
        }
    }
}

/// It would take minutes if each page were compared with each site.
#[test]
fn many_sites_cost_linear_time() {
    const COUNT: usize = 2000;
    let folder = tempfile::tempdir().expect("a directory");
    let url = |number: usize| format!("https://h{number}.example/{number}");
    for number in 0..COUNT {
        let link = format!("<a href='{}'>next</a>", url((number + 1) % COUNT));
        write(folder.path(), &format!("m/{number}.html"), &saved(&url(number), &link));
    }
    let output = rewrite(folder.path(), &["--check", "m"]);
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(message.contains("2000 links in 2000 of 2000"), "{message}");
}
