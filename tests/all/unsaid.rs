//! Runs say what they did not do: on standard error, with the option that does it.

use std::process::Command;

use crate::support::compressed::gzip;
use crate::support::tree::{Has, Ran, Tree};

/// A document of each kind with a relative link.
const RELATIVE: [(&str, &str); 6] = [
    ("html", "<a href=b.html>b</a>"),
    ("css", "a { background: url(b.png) }"),
    ("markdown", "[a](b.md)\n"),
    ("xml", "<x xmlns:l='http://www.w3.org/1999/xlink' l:href='b'/>"),
    ("html", "<svg><use href='b.svg#x'/></svg>"),
    ("html", "<p style='background: url(b.png)'>"),
];

#[test]
fn filters_say_which_links_a_rule_could_not_be_applied_to() {
    let here = Tree::empty();
    let rules: [&str; 5] = [
        "--absolute",
        "--relative",
        "--root-relative",
        "--map http://a.example=http://b.example",
        "--map-re ^http:=https:",
    ];
    for (media, text) in RELATIVE {
        for rule in rules {
            let run = |more: &str| {
                let arguments = format!("rewrite --media {media} {rule} {more}");
                here.run_reading(&arguments, text)
            };
            let Ran { code, out, err, .. } = run("");
            assert_eq!((code, &*out), (0, text), "{media} {rule:?}");
            err.has("unchanged: 1 ");
            assert!(err.contains("--base URL") && !err.contains("URL=DIR"), "{err}");
            err.has("changed 0 links\n");
            for silent in ["-q", "--base http://h.example/d/a"] {
                let err = run(silent).err;
                assert_eq!(err, "", "{media} {rule:?} {silent:?}");
            }
            // The diff of standard input has the same option.
            let err = run("--diff").err;
            assert!(err.contains("--base URL") && !err.contains("URL=DIR"), "{err}");
        }
    }
}

#[test]
fn filters_are_quiet_if_a_rule_left_links_as_intended() {
    let here = Tree::empty();
    for (rule, text) in [
        ("--absolute", "<a href='http://a.example/x'>"),
        ("--absolute", "<p>no link</p>"),
        ("--relative", "<a href='http://other.example/x'><a href='#f'><a href=y>"),
        ("--root-relative", "<link rel=canonical href='http://h.example/'><a href='/y'>"),
        ("--map=http://a.example=http://b.example", "<a href='http://c.example/'><a href=''>"),
    ] {
        let arguments = format!("rewrite {rule} --media html --base http://h.example/d/a");
        let Ran { code, err, .. } = here.run_reading(&arguments, text);
        assert_eq!((code, &*err), (0, ""), "{rule} {text}");
    }
    // Not by a missing base alone.
    let arguments = "rewrite --absolute --media xml --base http://h.example/";
    let text =
        "<!DOCTYPE x [<!ENTITY e 'y'>]><x xmlns:l='http://www.w3.org/1999/xlink' l:href='a&e;'/>";
    let Ran { out, err, .. } = here.run_reading(arguments, text);
    assert_eq!(out, text);
    err.has("unchanged: 1 link");
}

#[test]
fn filters_say_what_was_not_read() {
    let here = Tree::empty();
    for (media, text, note) in [
        (
            "xml",
            "<x><y href='a/b.html'/></x>",
            "1 XML file of another vocabulary: relative links not read",
        ),
        (
            "html --explain",
            "<script>location.href = 'b.html'</script>",
            "1 link built by scripts not seen",
        ),
    ] {
        let run = |more: &str| {
            let map = "--map=http://c.example=http://d.example";
            let arguments = format!("rewrite {map} --media {media} {more}");
            here.run_reading(&arguments, text)
        };
        let Ran { code, out, err, .. } = run("");
        assert_eq!((code, &*out), (0, text));
        err.has(note);
        assert_eq!(run("-q").err, "");
    }
}

#[test]
fn help_is_for_each_kind_and_never_for_packages_as_text() {
    let tree = Tree::new(&[
        ("page", "<!DOCTYPE html><p>http://a.example/ http://b.example/"),
        ("package", "PK\u{3}\u{4}\0\0"),
        ("package2", "PK\u{3}\u{4}\0\0"),
        ("paper", "%PDF-1.4\n1 0 obj<<>>endobj trailer<</Root 1 0 R>>startxref"),
    ]);
    let err = |arguments: &str| tree.run(arguments).err;
    err("extract .")
        .has("2 .zip files: links not read; 1 html file, 1 pdf file: URLs in text not read")
        .has("help: .zip: unpack it");
    assert!(err("extract paper").contains("pdftotext"));
    assert!(err("extract page").contains("help: use --html-text"));
    // A name of text is believed, and said.
    tree.write("a.csv", "<html><a href=b>");
    assert!(err("extract a.csv").contains("help: use --media html"));
    // A long text, which is read as a stream.
    tree.write("b.csv.gz", gzip("<html><a href=b>\n".repeat(1 << 16)));
    assert!(err("extract b.csv.gz").contains("help: use --media html"));
    assert!(!err("extract --media text b.csv.gz").contains("help"));
}

#[test]
fn directory_that_holds_the_copy_is_refused_before_anything_is_written() {
    let page = "<!DOCTYPE html><a href='/about.html'>a</a>";
    let relative = "<!DOCTYPE html><a href='about.html'>a</a>";
    for (url, name, form) in [
        ("http://h.example/", "h.example", "http://h.example/=mir/h.example"),
        ("http://h.example", "h.example+8000", "http://h.example:8000/=mir/h.example+8000"),
        ("http://h.example:81/d/", "h.example_81", "http://h.example:81/=mir/h.example_81"),
        ("http://h.example/d%20e/", "h.example", "http://h.example/=mir/h.example"),
        ("http://H.example/", "https/h.example", "https://H.example/=mir/https/h.example"),
        ("http://h.example/", "www.h.example", "http://www.h.example/=mir/www.h.example"),
    ] {
        let files = ["index.html", "about.html"].map(|it| format!("mir/{name}/{it}"));
        let tree = Tree::new(&[(&files[0], page), (&files[1], page)]);
        let old = tree.files();
        let mirror = format!("{url}=mir");
        let outcomes: [&str; 4] = ["", "-w", "--check", "-o new"];
        for outcome in outcomes {
            let arguments = format!("rewrite --mirror {mirror} {outcome}");
            let Ran { code, out, err, .. } = tree.run(&arguments);
            assert_eq!((code, &*out), (2, ""), "{arguments:?}: {err}");
            err.has(format!("help: use --mirror {form}\n"));
            assert_eq!(tree.files(), old, "{arguments:?}");
            // There is no directory `d` in the copy.
            let own = format!("lacks the directories of that URL, use --mirror {url}=mir/{name}\n");
            assert_eq!(err.contains(&own), url.contains("/d"), "{err}");
        }
        // The form in the message is the right one.
        let Ran { code, err, .. } = tree.run(format!("rewrite -w --mirror {form}"));
        assert_eq!(code, 0, "{err}");
        assert_eq!(tree.files()[&*files[0]], relative, "{form}");
    }
}

#[test]
fn directory_of_a_site_may_have_the_name_of_its_host() {
    let (up, down) = ("<a href='/b.html'>b</a>", "<a href='/h.example/a.html'>a</a>");
    let tree = Tree::new(&[("public/h.example/a.html", up), ("public/b.html", down)]);
    let mirror = "rewrite -w --mirror http://h.example/=public";
    let way = "http://h.example/h.example/=public/h.example";
    tree.ends(2, mirror).has(format!("add --mirror {way}\n"));
    tree.ends(0, format!("{mirror} --mirror {way}"));
    let files = tree.files();
    assert_eq!(files["public/h.example/a.html"], "<a href='../b.html'>b</a>");
    assert_eq!(files["public/b.html"], "<a href='h.example/a.html'>a</a>");
}

#[test]
fn mirror_without_a_url_gets_the_form_with_one() {
    let tree = Tree::new(&[("mir/h.example/a.html", ""), ("copy/a.html", "")]);
    for (value, form) in [
        ("mir", "URL=DIR, such as --mirror http://h.example/=mir/h.example\n"),
        ("mir/h.example", "URL=DIR, such as --mirror http://h.example/=mir/h.example\n"),
        ("h.example=mir", "URL=DIR, such as --mirror http://h.example/=mir/h.example\n"),
        ("h.example=mir/h.example", "URL=DIR, such as --mirror http://h.example/=mir/h.example\n"),
        ("./copy", "URL=DIR, such as --mirror http://h.example/=./copy;"),
        ("none", "URL=DIR, such as --mirror http://h.example/=DIR;"),
    ] {
        let Ran { code, err, .. } = tree.run(format!("rewrite --mirror {value}"));
        assert_eq!(code, 2, "{err}");
        err.has(form);
    }
}

#[test]
fn globs_that_matched_no_file_are_named() {
    let tree = Tree::new(&[("site/a.html", "<a href=a.html>a</a>"), ("site/old/b.html", "")]);
    let commands: [&str; 3] = ["extract", "check", "rewrite --relative"];
    for command in commands {
        let run = |globs: &str| tree.run(format!("{command} {globs} site"));
        let without = run("");
        for (globs, unmatched) in [
            ("--exclude gone", "--exclude gone"),
            ("-g !*.md", "--glob '!*.md'"),
            ("-g *.html -g x/**", "--glob 'x/**'"),
            ("--exclude old --exclude old/b.html", "--exclude old/b.html"),
        ] {
            let Ran { code, err, .. } = run(globs);
            assert_eq!(code, without.code, "{command:?} {globs:?}");
            let line = format!("rehref: {unmatched}: matched no file\n");
            assert_eq!(err.matches("matched no").count(), 1, "{command:?} {globs:?}: {err}");
            err.has(&line);
            run(&format!("{globs} -q")).err.lacks("matched no");
        }
        for globs in ["--exclude old", "-g *.html", "-g !old"] {
            run(globs).err.lacks("matched no");
        }
    }
    // A URL is no glob of files.
    for command in ["check", "extract"] {
        let arguments = [command, "--exclude", "https://h.example/*", "site"];
        let Ran { code, err, .. } = tree.run(arguments);
        assert_eq!(code, 2);
        err.has("--exclude-match REGEX skips links");
    }
}

#[test]
fn names_for_skipping_links_have_the_right_option_as_help() {
    let here = Tree::empty();
    for command in ["extract", "check", "rewrite", "move", "report"] {
        for name in [
            "--exclude-url", "--exclude-urls", "--exclude-anything", "--ignore-anything",
            "--ignore", "--ignore-url", "--ignore-urls", "--ignore-links", "--ignore-pattern",
            "--skip", "--skip-url", "--skip-links",
        ] {
            let Ran { code, err, .. } = here.run([command, name, "x", "."]);
            assert_eq!(code, 2, "{command} {name}");
            err.has("help: --exclude-match REGEX");
        }
        let Ran { err, .. } = here.run([command, "--include", "x", "."]);
        err.has("help: --match REGEX");
    }
}

#[test]
fn fragments_that_were_not_checked_are_counted() {
    let page = "<p id=a><a href='#a'>1</a><a href='#no'>2</a><a href='#'>3</a><a href='#top'>4</a><a href='b.html#x'>5</a>\
                <a href='b.html'>6</a><a href='p.pdf#page=2'>7</a><a href='#:~:text=x'>8</a><a href='n.md#h'>9</a>\
                <a href='http://e.example/#f'>10</a>";
    let tree = Tree::new(&[("a.html", page), ("b.html", ""), ("p.pdf", "%PDF"), ("n.md", "# h\n")]);
    let run = |more: &str| tree.run(format!("check . {more}"));
    let Ran { code, err, .. } = run("--no-anchors");
    assert_eq!(code, 0, "{err}");
    err.has("; 4 fragments not checked (anchors are off or computed)");
    for format in ["github", "junit", "sarif"] {
        run(&format!("--no-anchors --format {format}"))
            .err
            .has("; 4 fragments not checked (anchors are off or computed)");
    }
    assert!(run("--no-anchors --json").out.contains(r#""fragments":4"#));
    assert_eq!(run("--no-anchors -q").err, "");
    let Ran { code, out, err, .. } = run("");
    assert_eq!(code, 1, "{out}");
    err.lacks("fragment");
    assert!(!run("--anchors --json").out.contains("fragments"));
}

#[test]
fn missing_pages_are_near_without_extension() {
    let links = "<a href='/team'>1</a><a href='team/#x'>2</a><a href='team.htm?q'>3</a><a href='d'>4</a><a href='d/Guide'>5</a>\
                 <a href='team/index.html'>6</a><a href='a%2520b'>7</a>";
    let tree = Tree::new(&[
        ("s/index.html", links),
        ("s/team.html", ""),
        ("s/d.html", ""),
        ("s/d/guide.html", ""),
        ("s/a b.html", ""),
    ]);
    let Ran { code, out, .. } = tree.run("check s");
    assert_eq!(code, 1);
    for line in [
        "/team: missing (near: team.html)",
        "team/#x: missing (near: team.html#x)",
        "team.htm?q: missing (near: team.html?q)",
        "d/Guide: missing (near: d/guide.html)",
        "team/index.html: missing (near: team.html)",
        "a%2520b: missing (near: a%20b.html)",
    ] {
        out.has(format!(": {line}\n"));
    }
}

/// The tour builds the command, which takes long.
#[cfg(unix)]
#[test]
fn tour_shows_that_it_builds() {
    let here = Tree::empty();
    here.write_program("cargo", "#!/bin/sh\necho \"cargo $*\" >&2\n");
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", here.path().display());
    let err = Ran::of(Command::new("sh").arg("corpus/tour.sh").env("PATH", path)).ends(0).err;
    let lines: Vec<&str> = err.lines().collect();
    assert!(lines[0].starts_with("Building rehref"), "{err}");
    let mut commands = lines.iter().filter(|line| line.starts_with("cargo"));
    let first = commands.next().expect("a command");
    assert!(first.starts_with("cargo build") && !first.contains("quiet"), "{err}");
}

#[test]
fn extract_names_the_way_to_read_each_kind_that_it_does_not_read() {
    let tree = Tree::new(&[("a.txt", "http://h.example/")]);
    for (name, bytes) in [
        ("a.djvu", &b"AT&TFORM\0"[..]),
        ("b.djvu", b"AT&TFORM\0"),
        ("c.oxps", b"PK\x03\x04\0"),
        ("d.xps", b"PK\x03\x04\0"),
        ("e.7z", b"7z\xbc\xaf\x27\x1c\0\x04"),
        ("f.doc", b"\xd0\xcf\x11\xe0\0"),
    ] {
        std::fs::write(tree.path().join(name), bytes).expect("a file");
    }
    let Ran { code, err, .. } = tree.run("extract .");
    assert_eq!(code, 0);
    let lines: Vec<_> = err.lines().collect();
    assert_eq!(lines.len(), 4, "{err}");
    lines[0].has("1 .7z file, 2 .djvu files, 1 .doc file, 1 .oxps file");
    lines[1].has("  help: .djvu: convert it first: djvutxt FILE | rehref extract -");
    lines[2].has("  help: .7z: unpack it");
    lines[3].has("  help: .doc: ");
    // A kind alone is not named again, and kinds with the same way are named together.
    tree.run("extract -g a.* .").err.has("  help: convert it first: djvutxt");
    tree.run("extract -g *.oxps -g *.xps .").err.has("  help: .oxps, .xps: search its parts");
}

#[test]
fn named_files_that_no_option_reads_have_no_help_with_one() {
    let tree = Tree::empty();
    for (name, bytes) in [
        ("a.7z", &b"7z\xbc\xaf\x27\x1c\0\x04"[..]),
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0\0"),
        ("archive", b"7z\xbc\xaf\x27\x1c\0\x04"),
    ] {
        std::fs::write(tree.path().join(name), bytes).expect("a file");
        let Ran { code, err, .. } = tree.run(format!("extract {name}"));
        assert_eq!(code, 0);
        err.has("binary file skipped");
        assert!(!err.contains("--media"), "{err}");
    }
    // An unknown kind may be any.
    std::fs::write(tree.path().join("a.foo"), b"\0\x01\x02").expect("a file");
    tree.run("extract a.foo").err.has("--media KIND");
}

#[test]
fn sheets_of_preprocessors_are_counted_and_their_imports_are_no_files() {
    let import = "@import \"./layout\";\n@import 'colors';\n";
    let files = [("a.scss", import), ("b.less", import), ("c.css", "@import \"d.css\";\n")];
    let ran = Tree::new(&files).run("check .");
    assert_eq!(ran.out, "./c.css:1:10: d.css: missing\n");
    ran.err.has("1 .less file, 1 .scss file: relative links not read");
}
