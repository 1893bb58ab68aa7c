//! Behavior of `rehref extract` that users of ripgrep expect.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::support::tree::{Has, Ran, Tree};
use crate::terminal::printed_on_terminal;

const MAILBOX: &str = "From a Mon Jul 21 10:00:00 1997\nSubject: x\n\nhttp://a.example/1\n\n\
                       From b Mon Jul 21 11:00:00 1997\nSubject: y\n\nhttp://a.example/2\n";

#[test]
fn files_with_links_are_named_once_each_also_mailboxes() {
    let tree = Tree::new(&[
        ("a.txt", "http://a.example/ http://b.example/\n"),
        ("b.txt", "no link\n"),
        ("list.mbox", MAILBOX),
        ("c d.txt", "http://b.example/\n"),
    ]);
    assert_eq!(
        tree.prints("extract -l a.txt b.txt list.mbox 'c d.txt'"),
        "a.txt\nlist.mbox\nc d.txt\n"
    );
    let filtered = ["extract", "-l0", "--host", "b.example", "a.txt", "list.mbox", "c d.txt"];
    assert_eq!(tree.prints(filtered), "a.txt\0c d.txt\0");
}

#[test]
fn first_link_of_a_long_input_is_enough_to_name_it() {
    let tree = Tree::empty();
    let line = "http://a.example/ and more words on the line\n";
    for (name, content) in
        [("long.txt", line.repeat(400_000)), ("long.mbox", MAILBOX.repeat(20_000))]
    {
        tree.write(name, content);
    }
    let names = tree.prints("extract -l long.txt long.mbox");
    assert_eq!(names, "long.txt\nlong.mbox\n");
    // A pipe is not read to its end: its writer fails once rehref has ended.
    let mut child = tree
        .command("extract -l -")
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
    let tree =
        Tree::new(&[("site/a.txt", "http://a.example/\n"), ("b.txt", "http://b.example/\n")]);
    let cases: [(&str, &str, &str); 6] = [
        ("b.txt", "http://b.example/\n", "http://b.example/\n"),
        ("site", "site/a.txt:http://a.example/\n", "http://a.example/\n"),
        (
            "site/a.txt b.txt",
            "site/a.txt:http://a.example/\nb.txt:http://b.example/\n",
            "http://a.example/\nhttp://b.example/\n",
        ),
        ("-I site", "http://a.example/\n", "http://a.example/\n"),
        ("-IH site", "site/a.txt:http://a.example/\n", "site/a.txt:http://a.example/\n"),
        ("-c site b.txt", "2\n", "2\n"),
    ];
    for (arguments, on_terminal, in_pipe) in cases {
        let arguments = format!("extract --color never {arguments}");
        let shown = printed_on_terminal(&mut tree.command(&arguments));
        assert_eq!(shown, on_terminal, "{arguments:?}");
        assert_eq!(tree.prints(&arguments), in_pipe, "{arguments:?}");
    }
}

#[test]
fn case_is_ignored_in_patterns_only_with_the_option() {
    let tree = Tree::new(&[("a.txt", "http://a.example/News\nhttp://A.EXAMPLE/old\n")]);
    let with = |arguments: &str| tree.prints(format!("extract a.txt {arguments}"));
    assert_eq!(with("--match news"), "");
    assert_eq!(with("--match news -i"), "http://a.example/News\n");
    assert_eq!(with("--exclude-match NEWS|example/$ -i"), "http://A.EXAMPLE/old\n");
    assert_eq!(with("--host a.example").lines().count(), 2, "hosts have no case");
}

#[test]
fn excluded_hosts_and_patterns_are_left_out_and_links_without_host_stay() {
    let links = "<a href='http://a.example/'><a href='http://www.b.example/'><a href='/c'><a href='mailto:x@a.example'>";
    let tree = Tree::new(&[("a.html", links)]);
    let arguments = "extract --exclude-host a.example,*.b.example a.html";
    assert_eq!(tree.prints(arguments), "/c\nmailto:x@a.example\n");
    let arguments = "extract --exclude-match ^mailto:|/c$ a.html";
    assert_eq!(tree.prints(arguments), "http://a.example/\nhttp://www.b.example/\n");
}

#[test]
fn count_has_a_record_for_each_file_with_links_in_json_and_csv() {
    let tree = Tree::new(&[
        ("a.txt", "http://a.example/ http://a.example/\n"),
        ("b.txt", "no link\n"),
        ("list.mbox", MAILBOX),
    ]);
    let all = "a.txt b.txt list.mbox";
    let with = |arguments: &str| tree.prints(format!("extract {arguments} {all}"));
    assert_eq!(
        with("-c --json"),
        "{\"type\":\"count\",\"doc\":\"a.txt\",\"links\":2}\n\
         {\"type\":\"count\",\"doc\":\"list.mbox\",\"links\":2}\n\
         {\"type\":\"summary\",\"docs\":6,\"links\":4,\"warnings\":0,\"messages\":2}\n"
    );
    assert_eq!(with("-c --format csv"), "doc,links\na.txt,2\nlist.mbox,2\n");
    assert_eq!(with("-c -u --format csv"), "doc,links\na.txt,1\nlist.mbox,2\n");
    assert_eq!(with("-cuH"), "a.txt:1\nlist.mbox:2\n");
    assert_eq!(with("-cq --json"), "");
}

#[test]
fn types_select_files_by_name_and_an_unknown_type_is_explained() {
    let tree = Tree::new(&[
        ("site/a.HTML", "<a href=http://a.example/>"),
        ("site/b.css", "@import 'http://b.example/';"),
        ("site/c.txt", "http://c.example/"),
        ("site/d.mbox", MAILBOX),
    ]);
    let with = |types: &str| tree.prints(format!("extract -l -t {types} site"));
    assert_eq!(with("html"), "site/a.HTML\n");
    assert_eq!(with("html,css"), "site/a.HTML\nsite/b.css\n");
    assert_eq!(with("mail"), "site/d.mbox\n");
    let named = "extract -l -t html site/c.txt";
    assert_eq!(tree.prints(named), "site/c.txt\n", "a named file is read");
    let output = tree.run("extract --type htlm site").ends(2);
    let message = output.err;
    for part in ["--type", "\"htlm\"", "text, html", "did you mean html?"] {
        message.has(part);
    }
    let output = tree.run("extract --type xml site");
    output.err.has("--type xml: no file of this type");
    let rewrite = "rewrite --map http://a.example=http://n.example -t css site";
    assert_eq!(tree.prints(rewrite), "");
}

#[test]
fn walks_leave_out_what_git_ignores() {
    let link = "http://a.example/";
    let tree = Tree::new(&[
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
    let names = |from: &str, arguments: &str| {
        let mut command = tree.command(format!("extract -l {arguments}"));
        // The global rules of the user who runs the tests do not count.
        command.env("HOME", tree.path()).env_remove("XDG_CONFIG_HOME");
        Ran::of(command.current_dir(tree.at(from))).out
    };
    let taken = "a.txt\nkeep.log\nsub/b.log\nsub/build/c.txt\nsub/excluded.txt\ntree/only-here.txt\nvendor/d.log\n";
    let prefixed: String = taken.lines().map(|name| format!("./{name}\n")).collect();
    assert_eq!(names("repo", "."), prefixed);
    assert_eq!(names("repo", "--no-ignore .").lines().count(), 11);
    // Rules of directories above hold, too, however the directory is named.
    let below = "b.log\nbuild/c.txt\nexcluded.txt\n";
    let below = |prefix: &str| -> String {
        below.lines().map(|name| format!("{prefix}{name}\n")).collect()
    };
    assert_eq!(names("repo/sub", "."), below("./"));
    assert_eq!(names("loose", "../repo/sub"), below("../repo/sub/"));
    assert_eq!(names("repo", "a.log"), "a.log\n", "a named file is read");
    assert_eq!(names("loose", "."), "./x.txt\n./y.txt\n", "outside of a repository");
    tree.write(".gitconfig", "[core]\nexcludesFile = ~/global\n");
    tree.write("global", "a.txt\n");
    assert!(!names("repo", ".").contains("a.txt"));
}

#[test]
fn new_tree_has_the_files_that_types_and_git_leave_unread() {
    let link = "<a href='http://a.example/'>";
    let tree = Tree::new(&[
        ("site/.git/HEAD", ""),
        ("site/.gitignore", "draft.html\n"),
        ("site/a.html", link),
        ("site/draft.html", link),
        ("site/b.txt", "http://a.example/"),
    ]);
    let map = "rewrite --map http://a.example=http://n.example -t html";
    tree.prints(format!("{map} site -o out"));
    let read = |name: &str| tree.read(format!("out/{name}"));
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
    let tree = Tree::new(&[("list.mbox", &message.repeat(3000)), ("one.mbox", message)]);
    for (name, messages) in [("one.mbox", 1), ("list.mbox", 3000)] {
        let printed = tree.prints(format!("extract --format vimgrep {name}"));
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
            let there = bytes_at(&tree.at(name), row, column);
            let expected = match at % 4 {
                3 => "Content-Transfer-Encoding: base64",
                2 => "http://a.example/quoted=",
                _ => url,
            };
            String::from_utf8_lossy(&there).begins(expected);
        }
    }
}

#[test]
fn vimgrep_of_compressed_files_and_slices_is_refused_with_a_hint() {
    let tree = Tree::new(&[("a.txt", "http://a.example/\n")]);
    for extension in ["gz", "xz"] {
        let from = format!("corpus/compressed/list.mbox.{extension}");
        fs::copy(from, tree.at(format!("list.mbox.{extension}"))).expect("a copy");
    }
    let refused = |name: &str, help: &str| {
        let output = tree.run(format!("extract --format vimgrep {name}"));
        output.refused().has(name).has(help);
    };
    refused("list.mbox.gz", "decompress it first, or use --format jsonl");
    refused("list.mbox.xz", "decompress it first, or use --format jsonl");
    refused("a.txt#3,9", "use --format jsonl, or name the whole file");
    // Directories may have compressed files.
    let found = tree.prints("extract --format vimgrep .");
    assert_eq!(found, "./a.txt:1:1:http://a.example/\n");
}

#[test]
fn lines_have_colors_and_hyperlinks_on_terminals_that_support_them() {
    let tree = Tree::new(&[("a b.txt", "http://a.example/\u{202E}x\n")]);
    let shown = |arguments: &str, variables: &[(&str, &str)]| {
        let mut command = tree.command(format!("extract {arguments} 'a b.txt'"));
        for name in [
            "NO_COLOR", "VTE_VERSION", "TERM_PROGRAM", "COLORTERM", "DOMTERM", "WT_SESSION",
            "FORCE_HYPERLINK", "KONSOLE_VERSION",
        ] {
            command.env_remove(name);
        }
        command.env("TERM", "xterm").envs(variables.iter().copied());
        printed_on_terminal(&mut command)
    };
    let colored = "\x1B[35ma b.txt\x1B[0m:\x1B[32m1\x1B[0m:http://a.example/\n";
    assert_eq!(shown("-Hn", &[]), colored);
    let plain = "a b.txt:1:http://a.example/\n";
    assert_eq!(shown("-Hn", &[("NO_COLOR", "1")]), plain);
    assert_eq!(shown("-Hn --color never", &[]), plain);
    let file = format!("file://{}/a%20b.txt", tree.path().display());
    let link = |url: &str, text: &str| format!("\x1B]8;;{url}\x1B\\{text}\x1B]8;;\x1B\\");
    let linked =
        format!("{}:{}\n", link(&file, "a b.txt"), link("http://a.example/", "http://a.example/"));
    let kitty = ("TERM", "xterm-kitty");
    assert_eq!(shown("-H --color never", &[kitty]), linked);
    assert_eq!(
        shown("-H --color never --hyperlink never", &[kitty]),
        "a b.txt:http://a.example/\n"
    );
    let dumb = [("TERM", "dumb"), ("VTE_VERSION", "6000")];
    assert_eq!(shown("-H --color never", &dumb), "a b.txt:http://a.example/\n");
    assert_eq!(shown("-l", &[]), "\x1B[35ma b.txt\x1B[0m\n");
    assert_eq!(tree.prints("extract -Hn 'a b.txt'"), plain, "in a pipe");
    assert_eq!(tree.prints("extract -Hn --color always 'a b.txt'"), colored);
}

#[test]
fn colored_lines_show_harmful_characters_as_escapes() {
    let page = "<a href='http://a.example/\x1B]8;;http://evil.example/\x07\u{202E}'>\u{200B}\x1B[31mtext</a>";
    let tree = Tree::new(&[("a\x1B[1m.html", page)]);
    let arguments = "extract -H --context --hyperlink always --color always .";
    let shown = printed_on_terminal(&mut tree.command(arguments));
    let known = ["\x1B]8;;", "\x1B\\", "\x1B[35m", "\x1B[0m"];
    let rest = known.iter().fold(shown.clone(), |rest, it| rest.replace(it, ""));
    assert!(!rest.contains(['\x1B', '\x07', '\u{202E}', '\u{200B}']), "{shown:?}");
    assert_eq!(shown.matches("\x1B]8;;").count(), 4, "{shown:?}");
    assert!(rest.contains("\\u{202e}") && rest.contains("\\u{1b}"), "{shown:?}");
}

#[test]
fn broken_links_have_colors_if_the_user_wants_them() {
    let tree = Tree::new(&[("a b.html", "<a href=\"none.html\">\u{202E}</a>\n")]);
    let shown = tree.run("check --color always 'a b.html'").out;
    let expected =
        "\x1B[35ma b.html\x1B[0m:\x1B[32m1\x1B[0m:\x1B[32m10\x1B[0m: none.html: missing\n";
    assert_eq!(shown, expected);
}
