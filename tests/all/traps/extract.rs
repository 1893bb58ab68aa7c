//! What users of ripgrep expect of `rehref extract`.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

use super::{files, rehref};
use crate::terminal::printed_on_terminal;

fn run(directory: &Path, arguments: &[&str]) -> Output {
    rehref(directory, arguments).output().expect("rehref runs")
}

/// What a successful command prints.
fn printed(directory: &Path, arguments: &[&str]) -> String {
    let output = run(directory, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

const MAILBOX: &str = "From a Mon Jul 21 10:00:00 1997\nSubject: x\n\nhttp://a.example/1\n\n\
                       From b Mon Jul 21 11:00:00 1997\nSubject: y\n\nhttp://a.example/2\n";

#[test]
fn files_with_links_are_named_once_each_also_mailboxes() {
    let directory = files(&[
        ("a.txt", "http://a.example/ http://b.example/\n"),
        ("b.txt", "no link\n"),
        ("list.mbox", MAILBOX),
        ("c d.txt", "http://b.example/\n"),
    ]);
    let directory = directory.path();
    assert_eq!(
        printed(directory, &["extract", "-l", "a.txt", "b.txt", "list.mbox", "c d.txt"]),
        "a.txt\nlist.mbox\nc d.txt\n"
    );
    let filtered = ["extract", "-l0", "--host", "b.example", "a.txt", "list.mbox", "c d.txt"];
    assert_eq!(printed(directory, &filtered), "a.txt\0c d.txt\0");
}

#[test]
fn first_link_of_a_long_input_is_enough_to_name_it() {
    let directory = files(&[]);
    let line = "http://a.example/ and more words on the line\n";
    for (name, content) in
        [("long.txt", line.repeat(400_000)), ("long.mbox", MAILBOX.repeat(20_000))]
    {
        fs::write(directory.path().join(name), content).expect("written");
    }
    let names = printed(directory.path(), &["extract", "-l", "long.txt", "long.mbox"]);
    assert_eq!(names, "long.txt\nlong.mbox\n");
    // A pipe is not read to its end: its writer fails once rehref has ended.
    let mut child = rehref(directory.path(), &["extract", "-l", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("rehref runs");
    let mut stdin = child.stdin.take().expect("piped");
    let chunk = line.repeat(1 << 12);
    let is_refused =
        (0..1 << 12).any(|_| std::io::Write::write_all(&mut stdin, chunk.as_bytes()).is_err());
    assert!(is_refused, "all of 800 MB was read");
    let output = child.wait_with_output().expect("rehref ends");
    assert_eq!(output.stdout, b"-\n");
}

#[test]
fn names_are_printed_on_a_terminal_for_several_inputs_and_never_in_a_pipe() {
    let directory =
        files(&[("site/a.txt", "http://a.example/\n"), ("b.txt", "http://b.example/\n")]);
    let directory = directory.path();
    let cases: [(&[&str], &str, &str); 6] = [
        (&["b.txt"], "http://b.example/\n", "http://b.example/\n"),
        (&["site"], "site/a.txt:http://a.example/\n", "http://a.example/\n"),
        (
            &["site/a.txt", "b.txt"],
            "site/a.txt:http://a.example/\nb.txt:http://b.example/\n",
            "http://a.example/\nhttp://b.example/\n",
        ),
        (&["-I", "site"], "http://a.example/\n", "http://a.example/\n"),
        (&["-IH", "site"], "site/a.txt:http://a.example/\n", "site/a.txt:http://a.example/\n"),
        (&["-c", "site", "b.txt"], "2\n", "2\n"),
    ];
    for (arguments, on_terminal, in_pipe) in cases {
        let arguments = [&["extract", "--color", "never"], arguments].concat();
        let shown = printed_on_terminal(&mut rehref(directory, &arguments));
        assert_eq!(shown, on_terminal, "{arguments:?}");
        assert_eq!(printed(directory, &arguments), in_pipe, "{arguments:?}");
    }
}

#[test]
fn case_is_ignored_in_patterns_only_with_the_option() {
    let directory = files(&[("a.txt", "http://a.example/News\nhttp://A.EXAMPLE/old\n")]);
    let directory = directory.path();
    let with =
        |arguments: &[&str]| printed(directory, &[&["extract", "a.txt"], arguments].concat());
    assert_eq!(with(&["--match", "news"]), "");
    assert_eq!(with(&["--match", "news", "-i"]), "http://a.example/News\n");
    assert_eq!(with(&["--exclude-match", "NEWS|example/$", "-i"]), "http://A.EXAMPLE/old\n");
    assert_eq!(with(&["--host", "a.example"]).lines().count(), 2, "hosts have no case");
}

#[test]
fn excluded_hosts_and_patterns_are_left_out_and_links_without_host_stay() {
    let links = "<a href='http://a.example/'><a href='http://www.b.example/'><a href='/c'><a href='mailto:x@a.example'>";
    let directory = files(&[("a.html", links)]);
    let directory = directory.path();
    let arguments = ["extract", "--exclude-host", "a.example,*.b.example", "a.html"];
    assert_eq!(printed(directory, &arguments), "/c\nmailto:x@a.example\n");
    let arguments = ["extract", "--exclude-match", "^mailto:|/c$", "a.html"];
    assert_eq!(printed(directory, &arguments), "http://a.example/\nhttp://www.b.example/\n");
}

#[test]
fn count_has_a_record_for_each_file_with_links_in_json_and_csv() {
    let directory = files(&[
        ("a.txt", "http://a.example/ http://a.example/\n"),
        ("b.txt", "no link\n"),
        ("list.mbox", MAILBOX),
    ]);
    let directory = directory.path();
    let all = ["a.txt", "b.txt", "list.mbox"];
    let with = |arguments: &[&str]| printed(directory, &[&["extract"], arguments, &all].concat());
    assert_eq!(
        with(&["-c", "--json"]),
        "{\"type\":\"count\",\"doc\":\"a.txt\",\"links\":2}\n\
         {\"type\":\"count\",\"doc\":\"list.mbox\",\"links\":2}\n\
         {\"type\":\"summary\",\"docs\":6,\"links\":4,\"warnings\":0,\"messages\":2}\n"
    );
    assert_eq!(with(&["-c", "--format", "csv"]), "doc,links\na.txt,2\nlist.mbox,2\n");
    assert_eq!(with(&["-c", "-u", "--format", "csv"]), "doc,links\na.txt,1\nlist.mbox,2\n");
    assert_eq!(with(&["-cuH"]), "a.txt:1\nlist.mbox:2\n");
    assert_eq!(with(&["-cq", "--json"]), "");
}

#[test]
fn types_select_files_by_name_and_an_unknown_type_is_explained() {
    let directory = files(&[
        ("site/a.HTML", "<a href=http://a.example/>"),
        ("site/b.css", "@import 'http://b.example/';"),
        ("site/c.txt", "http://c.example/"),
        ("site/d.mbox", MAILBOX),
    ]);
    let directory = directory.path();
    let with = |types: &str| printed(directory, &["extract", "-l", "-t", types, "site"]);
    assert_eq!(with("html"), "site/a.HTML\n");
    assert_eq!(with("html,css"), "site/a.HTML\nsite/b.css\n");
    assert_eq!(with("mail"), "site/d.mbox\n");
    let named = ["extract", "-l", "-t", "html", "site/c.txt"];
    assert_eq!(printed(directory, &named), "site/c.txt\n", "a named file is read");
    let output = run(directory, &["extract", "--type", "htlm", "site"]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    for part in ["--type", "\"htlm\"", "text, html", "did you mean html?"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    let output = run(directory, &["extract", "--type", "xml", "site"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("--type xml: no file of this type"), "{message}");
    let rewrite = ["rewrite", "--map", "http://a.example=http://n.example", "-t", "css", "site"];
    assert_eq!(printed(directory, &rewrite), "");
}

#[test]
fn gitignore_leaves_out_what_git_ignores() {
    let link = "http://a.example/";
    let directory = files(&[
        ("repo/.git/info/exclude", "/excluded.txt\n"),
        ("repo/.gitignore", "*.log\n/build/\n!keep.log\n# comment\n"),
        ("repo/a.txt", link),
        ("repo/a.log", link),
        ("repo/build/b.txt", link),
        ("repo/excluded.txt", link),
        ("repo/keep.log", link),
        ("repo/sub/.gitignore", "only-here.txt\n!b.log\n"),
        ("repo/sub/b.log", link),
        ("repo/sub/build/c.txt", link),
        ("repo/sub/excluded.txt", link),
        ("repo/sub/only-here.txt", link),
        ("repo/tree/only-here.txt", link),
        ("repo/vendor/.git/HEAD", ""),
        ("repo/vendor/d.log", link),
        ("loose/.gitignore", "x.txt\n"),
        ("loose/x.txt", link),
        ("loose/y.txt", link),
    ]);
    let root = directory.path();
    let names = |from: &str, arguments: &[&str]| {
        let arguments = [&["extract", "-l"], arguments].concat();
        let mut command = rehref(&root.join(from), &arguments);
        // The global rules of the user who runs the tests do not count.
        command.env("HOME", root).env_remove("XDG_CONFIG_HOME");
        let output = command.stdin(Stdio::null()).output().expect("rehref runs");
        String::from_utf8(output.stdout).expect("text")
    };
    let taken = "a.txt\nkeep.log\nsub/b.log\nsub/build/c.txt\nsub/excluded.txt\ntree/only-here.txt\nvendor/d.log\n";
    let prefixed: String = taken.lines().map(|name| format!("./{name}\n")).collect();
    assert_eq!(names("repo", &["--gitignore", "."]), prefixed);
    assert_eq!(names("repo", &["."]).lines().count(), 11, "off by default");
    // Rules of directories above hold, too, however the directory is named.
    let below = "b.log\nbuild/c.txt\nexcluded.txt\n";
    let below = |prefix: &str| -> String {
        below.lines().map(|name| format!("{prefix}{name}\n")).collect()
    };
    assert_eq!(names("repo/sub", &["--gitignore", "."]), below("./"));
    assert_eq!(names("loose", &["--gitignore", "../repo/sub"]), below("../repo/sub/"));
    assert_eq!(names("repo", &["--gitignore", "a.log"]), "a.log\n", "a named file is read");
    assert_eq!(names("loose", &["--gitignore", "."]), "./y.txt\n", "also without a repository");
    fs::write(root.join(".gitconfig"), "[core]\nexcludesFile = ~/global\n").expect("written");
    fs::write(root.join("global"), "a.txt\n").expect("written");
    assert!(!names("repo", &["--gitignore", "."]).contains("a.txt"));
}

#[test]
fn new_tree_has_the_files_that_types_and_gitignore_leave_unread() {
    let link = "<a href='http://a.example/'>";
    let directory = files(&[
        ("site/.gitignore", "draft.html\n"),
        ("site/a.html", link),
        ("site/draft.html", link),
        ("site/b.txt", "http://a.example/"),
    ]);
    let root = directory.path();
    let map =
        ["rewrite", "--map", "http://a.example=http://n.example", "-t", "html", "--gitignore"];
    printed(root, &[&map[..], &["site", "-o", "out"]].concat());
    let read = |name: &str| fs::read_to_string(root.join("out").join(name)).expect("a file");
    assert_eq!(read("a.html"), "<a href='http://n.example/'>");
    assert_eq!(read("draft.html"), link);
    assert_eq!(read("b.txt"), "http://a.example/");
}

/// The bytes of a file from a line and a column on.
fn bytes_at(path: &Path, line: usize, column: usize) -> Vec<u8> {
    let bytes = fs::read(path).expect("a file");
    let line = bytes.split_inclusive(|&byte| byte == b'\n').nth(line - 1);
    line.expect("the line")[column - 1..].to_vec()
}

#[test]
fn vimgrep_of_mail_has_the_file_and_lines_where_the_links_are() {
    let message = "From a Mon Jul 21 10:00:00 1997\nSubject: see http://a.example/subject\nMIME-Version: 1.0\n\
                   Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n\
                   first http://a.example/plain\n--b\nContent-Type: text/html\n\
                   Content-Transfer-Encoding: quoted-printable\n\n<a href=3D\"http://a.example/quoted=\n-printable\">\n\
                   --b\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n\
                   eCBodHRwOi8vYS5leGFtcGxlL2Jhc2U2NA==\n--b--\n\n";
    let directory = files(&[("list.mbox", &message.repeat(3000)), ("one.mbox", message)]);
    let directory = directory.path();
    for (name, messages) in [("one.mbox", 1), ("list.mbox", 3000)] {
        let printed = printed(directory, &["extract", "--format", "vimgrep", name]);
        assert_eq!(printed.lines().count(), 4 * messages);
        let mut last = 0;
        for (at, line) in printed.lines().enumerate() {
            let mut parts = line.splitn(4, ':');
            let mut part = || parts.next().expect("a part");
            assert_eq!(part(), name);
            let (row, column) =
                (part().parse().expect("a line"), part().parse().expect("a column"));
            assert!(row > last, "{line}");
            last = row;
            // Reading the whole file for each of them takes long.
            if at > 4 && at < 4 * messages - 4 {
                continue;
            }
            let url = part();
            let there = bytes_at(&directory.join(name), row, column);
            let expected = match at % 4 {
                3 => "Content-Transfer-Encoding: base64",
                2 => "http://a.example/quoted=",
                _ => url,
            };
            let shown = String::from_utf8_lossy(&there);
            assert!(shown.starts_with(expected), "{line}: {shown}");
        }
    }
}

#[test]
fn vimgrep_of_compressed_files_and_slices_is_refused_with_a_hint() {
    let directory = files(&[("a.txt", "http://a.example/\n")]);
    let root = directory.path();
    for extension in ["gz", "xz"] {
        let from = format!("corpus/compressed/list.mbox.{extension}");
        fs::copy(from, root.join(format!("list.mbox.{extension}"))).expect("a copy");
    }
    let refused = |name: &str, help: &str| {
        let output = run(root, &["extract", "--format", "vimgrep", name]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{message}");
        assert!(message.contains(name) && message.contains(help), "{message}");
    };
    refused("list.mbox.gz", "decompress it first, or use --format jsonl");
    refused("list.mbox.xz", "decompress it first, or use --format jsonl");
    refused("a.txt#3,9", "use --format jsonl, or name the whole file");
    // Directories may have compressed files.
    let found = printed(root, &["extract", "--format", "vimgrep", "."]);
    assert_eq!(found, "./a.txt:1:1:http://a.example/\n");
}

#[test]
fn lines_have_colors_and_hyperlinks_on_terminals_that_support_them() {
    let directory = files(&[("a b.txt", "http://a.example/\u{202E}x\n")]);
    let directory = directory.path();
    let shown = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = rehref(directory, &[&["extract"], arguments, &["a b.txt"]].concat());
        for name in [
            "NO_COLOR",
            "VTE_VERSION",
            "TERM_PROGRAM",
            "COLORTERM",
            "DOMTERM",
            "WT_SESSION",
            "FORCE_HYPERLINK",
            "KONSOLE_VERSION",
        ] {
            command.env_remove(name);
        }
        command.env("TERM", "xterm").envs(variables.iter().copied());
        printed_on_terminal(&mut command)
    };
    let colored = "\x1B[35ma b.txt\x1B[0m:\x1B[32m1\x1B[0m:http://a.example/\n";
    assert_eq!(shown(&["-Hn"], &[]), colored);
    let plain = "a b.txt:1:http://a.example/\n";
    assert_eq!(shown(&["-Hn"], &[("NO_COLOR", "1")]), plain);
    assert_eq!(shown(&["-Hn", "--color", "never"], &[]), plain);
    let file =
        format!("file://{}/a%20b.txt", std::path::absolute(directory).expect("a path").display());
    let link = |url: &str, text: &str| format!("\x1B]8;;{url}\x1B\\{text}\x1B]8;;\x1B\\");
    let linked =
        format!("{}:{}\n", link(&file, "a b.txt"), link("http://a.example/", "http://a.example/"));
    let kitty = ("TERM", "xterm-kitty");
    assert_eq!(shown(&["-H", "--color", "never"], &[kitty]), linked);
    assert_eq!(
        shown(&["-H", "--color", "never", "--hyperlink", "never"], &[kitty]),
        "a b.txt:http://a.example/\n"
    );
    let dumb = [("TERM", "dumb"), ("VTE_VERSION", "6000")];
    assert_eq!(shown(&["-H", "--color", "never"], &dumb), "a b.txt:http://a.example/\n");
    assert_eq!(shown(&["-l"], &[]), "\x1B[35ma b.txt\x1B[0m\n");
    assert_eq!(printed(directory, &["extract", "-Hn", "a b.txt"]), plain, "in a pipe");
    let always = ["extract", "-Hn", "--color", "always", "a b.txt"];
    assert_eq!(printed(directory, &always), colored);
}

#[test]
fn colored_lines_show_harmful_characters_as_escapes() {
    let page = "<a href='http://a.example/\x1B]8;;http://evil.example/\x07\u{202E}'>\u{200B}\x1B[31mtext</a>";
    let directory = files(&[("a\x1B[1m.html", page)]);
    let arguments =
        ["extract", "-H", "--context", "--hyperlink", "always", "--color", "always", "."];
    let shown = printed_on_terminal(&mut rehref(directory.path(), &arguments));
    let known = ["\x1B]8;;", "\x1B\\", "\x1B[35m", "\x1B[0m"];
    let rest = known.iter().fold(shown.clone(), |rest, it| rest.replace(it, ""));
    assert!(!rest.contains(['\x1B', '\x07', '\u{202E}', '\u{200B}']), "{shown:?}");
    assert_eq!(shown.matches("\x1B]8;;").count(), 4, "{shown:?}");
    assert!(rest.contains("\\u{202e}") && rest.contains("\\u{1b}"), "{shown:?}");
}

#[test]
fn broken_links_have_colors_if_the_user_wants_them() {
    let directory = files(&[("a b.html", "<a href=\"none.html\">\u{202E}</a>\n")]);
    let mut command = rehref(directory.path(), &["check", "--color", "always", "a b.html"]);
    let output = command.output().expect("rehref runs");
    let shown = String::from_utf8(output.stdout).expect("UTF-8");
    let expected =
        "\x1B[35ma b.html\x1B[0m:\x1B[32m1\x1B[0m:\x1B[32m10\x1B[0m: none.html: missing\n";
    assert_eq!(shown, expected);
}
