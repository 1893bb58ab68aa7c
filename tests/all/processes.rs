//! Behavior of the process: closed pipes, signals, permissions, and written files.

use std::fs;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};

use crate::support::compressed::gzip;
use crate::support::tree::{Files, Has, Ran, Tree};

/// A writable copy of the small site, in `site`.
fn site() -> Tree {
    let tree = Tree::empty();
    tree.copy("corpus/sites/bakery", "site");
    tree
}

/// The files of the site, without their tree.
fn files_of(tree: &Tree, directory: &str) -> Files {
    let files = tree.files().into_iter();
    files
        .filter_map(|(name, text)| Some((name.strip_prefix(directory)?.to_owned(), text)))
        .collect()
}

/// Starts a command whose streams are pipes.
fn piped(command: &mut Command) -> Child {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("rehref runs")
}

const ABSOLUTE: &str = "rewrite --absolute --base http://bakery.example/=site site";

#[test]
fn closed_pipe_ends_the_run_with_0() {
    let link = "<a href=http://a.example/b>http://a.example/ </a>\n";
    let tree = Tree::new(&[("many.txt", &format!("x{}", link.repeat(10_000)))]);
    for line in [
        "extract",
        "rewrite --map a.example=b.example --media html --json",
        "extract --json",
        "extract -j3 -u -n",
    ] {
        let mut child = piped(&mut tree.command(format!("{line} many.txt many.txt")));
        let mut stdout = child.stdout.take().expect("piped");
        stdout.read_exact(&mut [0; 10]).expect("some output");
        drop(stdout);
        let ran = Ran::from(child.wait_with_output().expect("rehref ends"));
        assert_eq!((ran.code, &*ran.err), (0, ""));
    }
}

#[cfg(unix)]
fn interrupt(child: &Child) {
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
}

#[cfg(unix)]
#[test]
fn interrupt_ends_the_run_with_130() {
    // Both commands print something first, so that the signal handler is installed when the signal
    // comes.
    let tree = site();
    for line in ["extract -j1 site/notes.txt -", "resolve http://a/"] {
        let mut child = piped(&mut tree.command(line));
        let mut stdin = child.stdin.take().expect("piped");
        stdin.write_all(b"x\n").expect("written");
        child.stdout.as_mut().expect("piped").read_exact(&mut [0; 4]).expect("an answer");
        interrupt(&child);
        assert_eq!(child.wait().expect("rehref ends").code(), Some(130), "{line}");
    }
}

#[cfg(unix)]
#[test]
fn unreadable_files_are_reported_and_the_rest_is_read() {
    let tree = site();
    tree.set_mode("", 0o755);
    let closed = ["site/news", "site/bread.html"];
    closed.iter().for_each(|name| tree.set_mode(name, 0o000));
    let ran = Ran::of(&mut tree.command_of_another_user("extract -cH site")).ends(2);
    closed.iter().for_each(|name| tree.set_mode(name, 0o755));
    ran.err.has(closed[0]).has(closed[1]);
    assert_eq!(ran.out.lines().count(), 3, "index.html, mail.txt and notes.txt");
}

#[test]
fn in_place_rewriting_is_idempotent_and_reversible() {
    let tree = site();
    let before = tree.files();
    let rewrite = |rule: &str| {
        tree.ends(0, format!("rewrite {rule} -w --base http://bakery.example/=site site"));
        tree.files()
    };
    let absolute = rewrite("--absolute");
    assert_ne!(before, absolute);
    assert_eq!(absolute, rewrite("--absolute"), "a second time changes nothing");
    rewrite("--relative");
    assert_eq!(absolute, rewrite("--absolute"), "absolute after relative is absolute");
}

#[test]
fn new_tree_has_every_file_and_the_old_tree_is_unchanged() {
    let tree = site();
    tree.write("site/.git/config", "");
    #[cfg(unix)]
    tree.symlink("index.html", "site/home.html");
    let before = files_of(&tree, "site");
    tree.ends(0, format!("{ABSOLUTE} --glob index.html -o out"));
    assert_eq!(before, files_of(&tree, "site"));
    assert!(!tree.has("out/.git"));
    let mut after = files_of(&tree, "out");
    assert_ne!(before["/index.html"], after["/index.html"]);
    after.insert("/index.html".to_owned(), before["/index.html"].clone());
    assert_eq!(before, after);
}

#[test]
fn closed_output_pipe_does_not_stop_writing() {
    let tree = site();
    for number in 0..300 {
        fs::copy(tree.at("site/index.html"), tree.at(format!("site/{number}.html")))
            .expect("a copy");
    }
    let mut command = tree.command(format!("{ABSOLUTE} -w --json"));
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("rehref runs");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("rehref ends").code(), Some(0));
    tree.ends(0, format!("{ABSOLUTE} --check"));
}

#[test]
fn file_named_twice_is_written_once() {
    let tree = site();
    tree.write("swap.html", "<a href=http://a.example/>a</a><a href=http://b.example/>b</a>");
    let maps =
        "--map http://a.example/=http://b.example/ --map http://b.example/=http://a.example/";
    tree.ends(0, format!("rewrite -w {maps} swap.html swap.html ."))
        .has("a second run would change it again");
    let swapped = "<a href=http://b.example/>a</a><a href=http://a.example/>b</a>";
    assert_eq!(tree.read("swap.html"), swapped);
}

#[cfg(unix)]
#[test]
fn new_tree_has_directories_with_their_modes() {
    let tree = site();
    tree.make("site/empty/within");
    tree.set_mode("site/empty", 0o500);
    tree.set_mode("site/news", 0o711);
    // The path of the tree may be a symbolic link.
    tree.symlink("site", "link");
    for source in ["site", "link"] {
        tree.ends(
            0,
            format!("rewrite --absolute --base http://bakery.example/=site -o out {source}"),
        );
        assert!(tree.at("out/empty/within").is_dir());
        assert_eq!((tree.mode("out/empty"), tree.mode("out/news")), (0o500, 0o711));
        assert!(tree.at("out/news/1997.html").is_file());
        tree.set_mode("out/empty", 0o700);
        tree.remove("out");
    }
    tree.set_mode("site/empty", 0o700);
}

#[cfg(unix)]
#[test]
fn new_tree_is_written_only_below_its_directory() {
    let tree = site();
    let before = files_of(&tree, "site");
    let refused = |out: &str, sources: &str, why: &str| {
        let line = format!("rewrite --absolute --base http://a.example/ -o {out} {sources}");
        tree.ends(2, line).has(why);
        assert_eq!(before, files_of(&tree, "site"));
    };
    refused("none/../site", "site", "`..` after a directory that does not exist");
    refused("site/out", "site", "overlap");
    // A symbolic link in the output refers to the input; then one that the run itself creates.
    tree.make("out");
    tree.symlink(tree.at("site/news"), "out/news");
    refused("out", "site", "the output would replace the input");
    tree.make("other");
    tree.symlink("../site/news", "other/news");
    refused("new", "other site", "would be at the path of the directory of");
}

#[cfg(unix)]
#[test]
fn interrupted_rewrite_leaves_whole_files() {
    let tree = site();
    let old = tree.read("site/index.html");
    for number in 0..3000 {
        tree.write(format!("site/{number}.html"), &old);
    }
    let map = "http://mill.example/=http://m.example/";
    let mut child = piped(&mut tree.command(format!("rewrite --map {map} -w --json site")));
    // The first edit has been written when it is reported.
    child.stdout.as_mut().expect("piped").read_exact(&mut [0; 10]).expect("an edit");
    interrupt(&child);
    Ran::from(child.wait_with_output().expect("rehref ends")).ends(130);
    let new = old.replace("http://mill.example/", "http://m.example/");
    for (name, content) in files_of(&tree, "site/") {
        assert!(!name.contains(".rehref-"), "{name} stays behind");
        let is_copy = name.starts_with(|it: char| it.is_ascii_digit());
        assert!(!is_copy || content == old || content == new, "{name}");
    }
}

#[test]
fn colliding_files_are_refused_before_writing() {
    let tree = site();
    let line = "rewrite --absolute -o out site/index.html site/news site";
    tree.ends(2, line).has("would both become");
    assert!(!tree.has("out"));
}

#[test]
fn empty_documents_are_counted() {
    let tree = Tree::new(&[("a.html", ""), ("a.txt", ""), ("a", "")]);
    for name in ["a.html", "a.txt", "a"] {
        let summary = "{\"type\":\"summary\",\"docs\":1,\"links\":0,\"warnings\":0}\n";
        assert_eq!(tree.prints(["extract", "--json", name]), summary);
    }
}

// Other systems, or their file systems, refuse such names.
#[cfg(target_os = "linux")]
#[test]
fn names_not_in_utf_8_are_base64() {
    use std::os::unix::ffi::OsStrExt;
    let tree = Tree::empty();
    let name = std::ffi::OsStr::from_bytes(b"\xFF.txt");
    tree.write(name, "http://a.example/");
    // "./\xFF.txt"
    tree.run("extract --json .").out.has(r#""doc":{"bytes":"Li//LnR4dA=="}"#);
    let ran = tree.run(["extract".as_ref(), "-H".as_ref(), name]);
    assert!(ran.out_bytes.starts_with(b"\xFF.txt:"));
}

#[test]
fn compressed_documents_are_inflated() {
    let bytes = [gzip(b"<a href=b>"), gzip(b"<a href=c>")].concat();
    let cut = &bytes[..bytes.len() - 9];
    let tree = Tree::of_bytes(&[("a.html.gz", &bytes), ("cut.html.gz", cut)]);
    assert_eq!(tree.prints("extract -b a.html.gz"), "8:b\n18:c\n");
    tree.run("extract -b cut.html.gz").ends(2).out.begins("8:b\n");
}

#[test]
fn inflated_documents_stop_at_the_limit() {
    let text = format!("http://a.example/\n{}", " ".repeat(40 << 20));
    let tree = Tree::of_bytes(&[("a.txt.gz", &gzip(text))]);
    let ran = tree.run("extract a.txt.gz").ends(2);
    assert_eq!(ran.out, "http://a.example/\n");
    ran.err.has("more than 200 times");
}

#[test]
fn unique_output_prints_each_link_once() {
    let page = |base| format!("<base href={base}><a href=x><a href=./x>");
    let (a, b) = (page("http://a.example/"), page("http://b.example/"));
    let tree = Tree::new(&[("a.html", &a), ("b.html", &b)]);
    let lines = |options| tree.prints(format!("extract -u --role navigate {options} ."));
    assert_eq!(lines(""), "http://a.example/x\nhttp://b.example/x\n");
    assert_eq!(lines("--raw"), "x\n./x\n");
    assert_eq!(lines("-0 --raw"), "x\0./x\0");
    lines("-0 --format csv").begins("doc,").lacks("\n");
}

#[test]
fn slice_has_the_format_of_its_file() {
    let tree = Tree::new(&[("a.html", "No tag first: <a href=b>")]);
    assert_eq!(tree.prints("extract -b a.html#4,20"), "18:b\n");
}

#[cfg(unix)]
#[test]
fn special_files_are_not_written() {
    let tree = Tree::empty();
    let made = Command::new("mkfifo").arg(tree.at("pipe.html")).status().expect("mkfifo runs");
    assert!(made.success());
    for option in ["-w", "-o out"] {
        let line = format!("rewrite --absolute {option} pipe.html");
        tree.ends(2, line).has("only files and directories");
    }
    assert!(!tree.has("out"));
}

#[test]
fn quiet_run_ends_at_the_first_link() {
    let site = site();
    let mut child = piped(&mut site.command("extract -q -j2 site/notes.txt -"));
    // Standard input stays open.
    let stdin = child.stdin.take();
    assert_eq!(child.wait().expect("rehref ends").code(), Some(0));
    drop(stdin);
}

#[test]
fn too_long_bases_are_not_used() {
    let base = "a".repeat(10_000);
    let page = format!("<base href=http://h/{base}/>{}", "<a href=b>".repeat(100_000));
    let ran = Tree::new(&[("a.html", &page)]).run("extract --role navigate a.html");
    assert_eq!(ran.out, "b\n".repeat(100_000));
    ran.err.has("a base of more than 2 KiB");
}

#[test]
fn strings_not_in_utf_8_are_reported() {
    let ran = Tree::empty().run_reading("resolve --json http://a/", b"a\xE9\n\r").ends(1);
    assert_eq!(ran.err, "");
    let mut lines = ran.out.lines();
    let first = lines.next().expect("a record");
    first.has(r#""ref":{"bytes":"Yek="}"#).has(r#""not UTF-8","rule":"RFC 3629, 4","start":1"#);
    // Only CRLF is taken off.
    lines.next().expect("a record").has(r#""ref":"\r""#);
}

#[test]
fn each_input_line_is_answered_at_once() {
    use std::io::{BufRead, BufReader};
    use std::sync::mpsc;
    use std::time::Duration;

    let mut child = piped(&mut Tree::empty().command("resolve http://a/b"));
    let mut stdin = child.stdin.take().expect("piped");
    let stdout = BufReader::new(child.stdout.take().expect("piped"));
    let (send, answers) = mpsc::channel();
    std::thread::spawn(move || {
        for line in stdout.lines().map_while(Result::ok) {
            let _ = send.send(line);
        }
    });
    for (reference, expected) in [("c\n", "http://a/c"), ("d\n", "http://a/d")] {
        stdin.write_all(reference.as_bytes()).expect("written");
        let answer = answers.recv_timeout(Duration::from_secs(60));
        assert_eq!(answer.as_deref(), Ok(expected));
    }
    drop(stdin);
    assert!(child.wait().expect("rehref ends").success());
}

#[test]
fn messages_come_between_the_links_of_files_before_and_after() {
    let tree = Tree::of_bytes(&[
        ("site/a.txt", b"http://a.example/"),
        ("site/b.eml", b"ab\0\x01\x02cd"),
        ("site/c.txt", b"http://c.example/"),
    ]);
    let file = fs::File::create(tree.at("merged")).expect("a file");
    let both = file.try_clone().expect("the same file");
    let status = tree.command("extract site").stdout(file).stderr(both).status();
    assert_eq!(status.expect("rehref runs").code(), Some(2));
    let merged = tree.read("merged");
    let at = |text| merged.find(text).unwrap_or_else(|| panic!("{merged}"));
    let places = ["http://a.example/", "b.eml: binary", "http://c.example/"].map(at);
    assert!(places.is_sorted(), "{merged}");
}
