//! `rehref rewrite --mirror auto` on small sites.

use crate::support::tree::{Has, Ran, Tree};

/// The command with these further arguments.
fn auto(arguments: &str) -> String {
    format!("rewrite --mirror auto {arguments}")
}

fn saved(url: &str, links: &str) -> String {
    format!("<!-- saved from url=({:04}){url} -->\n{links}\n", url.len())
}

fn mirrored(url: &str, links: &str) -> String {
    format!("<!-- Mirrored from {url} by HTTrack Website Copier/3.x -->\n{links}\n")
}

#[test]
fn site_root_is_found_above_a_part_of_the_copy() {
    let folder = Tree::empty();
    folder.write("copy/h.example/index.html", mirrored("h.example/", ""));
    let links = "<a href='../index.html'>1</a><a href='https://h.example/'>2</a>";
    folder.write("copy/h.example/d/x.html", mirrored("h.example/d/x.html", links));
    let page = mirrored("h.example/~ada/", "<a href='../d/x.html'>1</a>");
    folder.write("copy/h.example/_ada/index.html", &page);
    for path in ["d", "d/x.html"] {
        let output = folder.run_in("copy/h.example", auto(path));
        let diff = output.out;
        diff.has("+<a href='../index.html'>1</a><a href='../index.html'>2</a>");
    }
    assert_eq!(folder.run_in("copy/h.example/_ada", auto(".")).out, "");
}

#[test]
fn only_given_paths_are_read() {
    let folder = Tree::empty();
    let links = "<a href='https://b.example/'>b</a><a href='https://c.example/'>c</a>";
    folder.write("a.html", saved("https://a.example/", links));
    folder.write("b.html", saved("https://b.example/", ""));
    folder.write("m/c.html", saved("https://c.example/", ""));
    assert_eq!(folder.run(auto("nope a.html")).out, "");
    let output = folder.run(auto("nope")).ends(2);
    output.err.has("no page has a mark");
    let output = folder.run(auto("a.html m"));
    let diff = output.out;
    diff.has("+<a href='https://b.example/'>b</a><a href='m/c.html'>c</a>");
    folder.write("list", "a.html\n");
    let output = folder.run(auto("--files-from list"));
    output.err.has("--files-from");
}

#[test]
fn found_sites_are_printed() {
    let folder = Tree::empty();
    folder.write("a/x.html", saved("https://a.example/x", ""));
    folder.write("b.example/index.html", mirrored("b.example/", ""));
    let link = "<a href='http://c.example/'></a>";
    folder.write("c.example/index.html", mirrored("c.example/", link));
    let message = folder.run(auto(".")).err;
    let root = folder.path().display();
    for line in [
        format!("https://a.example/={root}/a (mark in {root}/a/x.html)"),
        format!(
            "https://b.example/={root}/b.example (mark in {root}/b.example/index.html; scheme guessed)"
        ),
        format!(
            "http://c.example/={root}/c.example (mark in {root}/c.example/index.html; scheme of its links)"
        ),
    ] {
        message.has(format!("rehref: --mirror auto: {line}\n"));
    }

    let folder = Tree::empty();
    for number in 0..12 {
        let page = saved(&format!("https://h{number}.example/"), "");
        folder.write(format!("m/{number}.html"), &page);
    }
    let message = folder.run(auto("m")).err;
    assert_eq!(message.matches("mark in").count(), 10, "{message}");
    message.has("--mirror auto: 2 more sites\n");
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
        let folder = Tree::empty();
        folder.write(format!("{cache}/new.txt"), list);
        let page = |path: &str| {
            mirrored(&format!("h.example/{path}"), "<a href='http://h.example/x'></a>")
        };
        folder.write("p/h.example/index.html", page(""));
        folder.write("p/h.example/d/z.html", page("d/z.html"));
        folder.write("p/h.example/y.html", "");
        let Ran { out: diff, err: message, .. } = folder.run(auto(path));
        assert_eq!(diff.contains("y.html"), is_read, "{cache} {path}: {diff}");
        assert_eq!(message.contains("reads the log"), is_read, "{message}");
    }
    let folder = Tree::empty();
    folder.write("new.txt", list);
    folder.write("p/index.html", mirrored("h.example/", ""));
    folder
        .run(auto("--mirror-log new.txt p"))
        .err
        .has("rehref: --mirror auto: http://h.example/=")
        .has("scheme in new.txt)");
    #[cfg(unix)]
    {
        let folder = Tree::empty();
        folder.write("hts-cache/new.txt", list);
        let page = mirrored("h.example/", "<a href='http://h.example/x'></a>");
        folder.write("h.example/index.html", &page);
        folder.write("h.example/y.html", "");
        let file = folder.path().join("hts-cache/new.txt");
        // Only the superuser can change the owner of a file.
        if std::os::unix::fs::chown(file, Some(12345), None).is_ok() {
            folder.run(auto("h.example")).err.lacks("reads the log");
        }
    }
}

/// It would take minutes if each page were compared with each site.
#[test]
fn many_sites_cost_linear_time() {
    const COUNT: usize = 2000;
    let folder = Tree::empty();
    let url = |number: usize| format!("https://h{number}.example/{number}");
    for number in 0..COUNT {
        let link = format!("<a href='{}'>next</a>", url((number + 1) % COUNT));
        folder.write(format!("m/{number}.html"), saved(&url(number), &link));
    }
    let output = folder.run(auto("--check m"));
    output.err.has("2000 links in 2000 of 2000");
}
