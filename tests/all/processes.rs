//! Behavior of the process: closed pipes, signals, permissions, and written files.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn rehref() -> Command {
    Command::new(env!("CARGO_BIN_EXE_rehref"))
}

fn run(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().expect("rehref runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A writable copy of the small site.
fn site() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a directory");
    let site = folder.path().join("site");
    for entry in walkdir::WalkDir::new("corpus/sites/bakery") {
        let entry = entry.expect("the site");
        let to = site.join(entry.path().strip_prefix("corpus/sites/bakery").expect("below"));
        if entry.file_type().is_dir() {
            fs::create_dir_all(to).expect("a directory");
        } else {
            fs::copy(entry.path(), to).expect("a copy");
        }
    }
    (folder, site)
}

/// All files below a directory with their contents, except for the state of runs.
fn tree(root: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let files = walkdir::WalkDir::new(root)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| entry.file_name() != ".rehref")
        .map(Result::unwrap);
    let files = files.filter(|entry| entry.file_type().is_file());
    let below = |path: &Path| path.strip_prefix(root).expect("below").to_owned();
    files.map(|it| (below(it.path()), fs::read(it.path()).expect("readable"))).collect()
}

fn base(root: &Path) -> String {
    format!("http://bakery.example/={}", root.display())
}

#[test]
fn closed_pipe_ends_the_run_with_0() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("many.txt");
    let link = "<a href=http://a.example/b>http://a.example/ </a>\n";
    fs::write(&path, format!("x{}", link.repeat(10_000))).expect("written");
    for arguments in [
        &["extract"][..],
        &["rewrite", "--map", "a.example=b.example", "--media", "html", "--json"],
        &["extract", "--json"],
        &["extract", "-j3", "-u", "-n"],
    ] {
        let mut child = rehref()
            .args(arguments)
            .arg(&path)
            .arg(&path)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("rehref runs");
        let mut first = [0; 10];
        let mut stdout = child.stdout.take().expect("piped");
        stdout.read_exact(&mut first).expect("some output");
        drop(stdout);
        let output = child.wait_with_output().expect("rehref ends");
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    }
}

#[cfg(unix)]
#[test]
fn interrupt_ends_the_run_with_130() {
    // Both commands print something first, so that the signal handler is installed when the signal
    // comes.
    let extract = ["extract", "-j1", "corpus/sites/bakery/notes.txt", "-"];
    for command in [&extract[..], &["resolve", "http://a/"]] {
        let mut child = rehref()
            .args(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("rehref runs");
        let mut stdin = child.stdin.take().expect("piped");
        stdin.write_all(b"x\n").expect("written");
        let mut first = [0; 4];
        child.stdout.as_mut().expect("piped").read_exact(&mut first).expect("an answer");
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(killed.expect("kill runs").success());
        assert_eq!(child.wait().expect("rehref ends").code(), Some(130), "{command:?}");
    }
}

#[cfg(unix)]
#[test]
fn unreadable_files_are_reported_and_the_rest_is_read() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
    };
    let (folder, site) = site();
    mode(folder.path(), 0o755);
    let closed = [site.join("news"), site.join("bread.html")];
    closed.iter().for_each(|path| mode(path, 0o000));
    // The superuser can read all files, so the program runs as another user, from a copy that this
    // user can reach.
    let is_root = fs::read_dir(&closed[0]).is_ok();
    let mut command = if is_root {
        let program = folder.path().join("rehref");
        fs::copy(env!("CARGO_BIN_EXE_rehref"), &program).expect("a copy");
        mode(&program, 0o755);
        let mut command = Command::new(program);
        command.uid(65534).gid(65534);
        command
    } else {
        rehref()
    };
    let output = run(command.args(["extract", "-cH"]).arg(&site));
    closed.iter().for_each(|path| mode(path, 0o755));
    assert_eq!(output.status.code(), Some(2));
    let errors = text(&output.stderr);
    let is_reported = |path: &PathBuf| errors.contains(&*path.to_string_lossy());
    assert!(closed.iter().all(is_reported), "{errors}");
    assert_eq!(text(&output.stdout).lines().count(), 3, "index.html, mail.txt and notes.txt");
}

#[test]
fn in_place_rewriting_is_idempotent_and_reversible() {
    let (_directory, site) = site();
    let before = tree(&site);
    let rewrite = |rule: &str| {
        let output = run(rehref().args(["rewrite", rule, "-w", "--base", &base(&site)]).arg(&site));
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    };
    rewrite("--absolute");
    let absolute = tree(&site);
    assert_ne!(before, absolute);
    rewrite("--absolute");
    assert_eq!(absolute, tree(&site), "a second time changes nothing");
    rewrite("--relative");
    rewrite("--absolute");
    assert_eq!(absolute, tree(&site), "absolute after relative is absolute");
}

#[test]
fn new_tree_has_every_file_and_the_old_tree_is_unchanged() {
    let (folder, site) = site();
    fs::create_dir(site.join(".git")).expect("a directory");
    fs::write(site.join(".git/config"), "").expect("written");
    #[cfg(unix)]
    std::os::unix::fs::symlink("index.html", site.join("home.html")).expect("a link");
    let before = tree(&site);
    let out = folder.path().join("out");
    let output = run(rehref()
        .args(["rewrite", "--absolute", "--glob", "index.html", "--base", &base(&site), "-o"])
        .arg(&out)
        .arg(&site));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(before, tree(&site));
    let names = |files: &[(PathBuf, Vec<u8>)]| -> Vec<PathBuf> {
        files.iter().map(|(name, _)| name.clone()).filter(|it| !it.starts_with(".git")).collect()
    };
    let after = tree(&out);
    assert_eq!(names(&before), names(&after));
    assert!(!out.join(".git").exists());
    for (name, content) in &after {
        let (_, old) = before.iter().find(|(old, _)| old == name).expect("it was there");
        assert_eq!(content != old, name == Path::new("index.html"), "{}", name.display());
    }
    #[cfg(unix)]
    assert_eq!(fs::read_link(out.join("home.html")).expect("a link"), Path::new("index.html"));
}

#[test]
fn closed_output_pipe_does_not_stop_writing() {
    let (_directory, site) = site();
    for number in 0..300 {
        fs::copy("corpus/sites/bakery/index.html", site.join(format!("{number}.html")))
            .expect("a copy");
    }
    let mut child = rehref()
        .args(["rewrite", "--absolute", "-w", "--json", "--base", &base(&site)])
        .arg(&site)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("rehref runs");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("rehref ends").code(), Some(0));
    let again =
        run(rehref().args(["rewrite", "--absolute", "--check", "--base", &base(&site)]).arg(&site));
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
}

#[test]
fn file_named_twice_is_written_once() {
    let (_directory, site) = site();
    let page = site.join("swap.html");
    fs::write(&page, "<a href=http://a.example/>a</a><a href=http://b.example/>b</a>")
        .expect("written");
    let output = run(rehref()
        .args(["rewrite", "-w", "--map", "http://a.example/=http://b.example/"])
        .args(["--map", "http://b.example/=http://a.example/"])
        .args([&page, &page, &site]));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(
        text(&output.stderr).contains("a second run would change it again"),
        "{}",
        text(&output.stderr)
    );
    let swapped = "<a href=http://b.example/>a</a><a href=http://a.example/>b</a>";
    assert_eq!(fs::read_to_string(&page).expect("readable"), swapped);
}

#[cfg(unix)]
#[cfg(unix)]
#[test]
fn new_tree_has_directories_with_their_modes() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, site) = site();
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
    let set = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
    };
    fs::create_dir_all(site.join("empty/within")).expect("a directory");
    set(&site.join("empty"), 0o500);
    set(&site.join("news"), 0o711);
    // The path of the tree may be a symbolic link.
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&site, &link).expect("a link");
    for source in [&site, &link] {
        let out = folder.path().join("out");
        let mut command = rehref();
        command.args(["rewrite", "--absolute", "--base"]);
        command.arg(base(&site)).arg("-o").args([&out, source]);
        let ended = run(&mut command);
        assert!(ended.status.success(), "{}", text(&ended.stderr));
        assert!(out.join("empty/within").is_dir());
        assert_eq!(mode(&out.join("empty")), 0o500);
        assert_eq!(mode(&out.join("news")), 0o711);
        assert!(out.join("news/1997.html").is_file());
        set(&out.join("empty"), 0o700);
        fs::remove_dir_all(out).expect("removed");
    }
    set(&site.join("empty"), 0o700);
}

#[cfg(unix)]
#[test]
fn new_tree_is_written_only_below_its_directory() {
    use std::os::unix::fs::symlink;
    let (folder, site) = site();
    let before = tree(&site);
    let refused = |out: PathBuf, sources: &[&Path], why: &str| {
        let mut command = rehref();
        command.args(["rewrite", "--absolute", "--base", "http://a.example/", "-o"]);
        let output = run(command.arg(&out).args(sources));
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(why), "{}", text(&output.stderr));
        assert_eq!(before, tree(&site));
    };
    refused(
        folder.path().join("none/../site"),
        &[&site],
        "`..` after a directory that does not exist",
    );
    refused(site.join("out"), &[&site], "overlap");
    // A symbolic link in the output refers to the input; then one that the run itself creates.
    let out = folder.path().join("out");
    fs::create_dir(&out).expect("a directory");
    symlink(site.join("news"), out.join("news")).expect("a link");
    refused(out, &[&site], "the output would replace the input");
    let other = folder.path().join("other");
    fs::create_dir(&other).expect("a directory");
    symlink("../site/news", other.join("news")).expect("a link");
    refused(
        folder.path().join("new"),
        &[&other, &site],
        "would be at the path of the directory of",
    );
}

#[cfg(unix)]
#[test]
fn interrupted_rewrite_leaves_whole_files() {
    let (_directory, site) = site();
    for number in 0..3000 {
        fs::copy("corpus/sites/bakery/index.html", site.join(format!("{number}.html")))
            .expect("a copy");
    }
    let old = fs::read("corpus/sites/bakery/index.html").expect("readable");
    let mut child = rehref()
        .args(["rewrite", "--map", "http://mill.example/=http://m.example/", "-w", "--json"])
        .arg(&site)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("rehref runs");
    // The first edit has been written when it is reported.
    child.stdout.as_mut().expect("piped").read_exact(&mut [0; 10]).expect("an edit");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
    let output = child.wait_with_output().expect("rehref ends");
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    let new = text(&old).replace("http://mill.example/", "http://m.example/").into_bytes();
    for (name, content) in tree(&site) {
        assert!(!name.to_string_lossy().contains(".rehref-"), "{} stays behind", name.display());
        let is_copy = name.to_string_lossy().starts_with(|it: char| it.is_ascii_digit());
        assert!(!is_copy || content == old || content == new, "{}", name.display());
    }
}

#[test]
fn colliding_files_are_refused_before_writing() {
    let (folder, site) = site();
    let out = folder.path().join("out");
    let output = run(rehref().args(["rewrite", "--absolute", "-o"]).arg(&out).args([
        site.join("index.html"),
        site.join("news"),
        site.clone(),
    ]));
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("would both become"), "{}", text(&output.stderr));
    assert!(!out.exists());
}

#[test]
fn empty_documents_are_counted() {
    let folder = tempfile::tempdir().expect("a directory");
    for name in ["a.html", "a.txt", "a"] {
        let path = folder.path().join(name);
        fs::write(&path, "").expect("written");
        let output = run(rehref().args(["extract", "--json"]).arg(&path));
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(
            text(&output.stdout),
            "{\"type\":\"summary\",\"docs\":1,\"links\":0,\"warnings\":0}\n"
        );
    }
}

// Other systems, or their file systems, refuse such names.
#[cfg(target_os = "linux")]
#[test]
fn names_not_in_utf_8_are_base64() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join(std::ffi::OsStr::from_bytes(b"\xFF.txt"));
    fs::write(&path, "http://a.example/").expect("written");
    let output = run(rehref().args(["extract", "--json"]).arg("\u{2E}").current_dir(folder.path()));
    // "./\xFF.txt"
    assert!(
        text(&output.stdout).contains(r#""doc":{"bytes":"Li//LnR4dA=="}"#),
        "{}",
        text(&output.stdout)
    );
    let output = run(rehref().args(["extract", "-H"]).arg(&path));
    assert!(output.stdout.windows(6).any(|it| it == b"\xFF.txt:"));
}

#[test]
fn compressed_documents_are_inflated() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("a.html.gz");
    let mut bytes = Vec::new();
    for part in ["<a href=b>", "<a href=c>"] {
        let mut member = flate2::write::GzEncoder::new(&mut bytes, flate2::Compression::fast());
        member.write_all(part.as_bytes()).expect("written");
        member.finish().expect("written");
    }
    fs::write(&path, &bytes).expect("written");
    let output = run(rehref().args(["extract", "-b"]).arg(&path));
    assert_eq!(text(&output.stdout), "8:b\n18:c\n");
    fs::write(&path, &bytes[..bytes.len() - 9]).expect("written");
    let output = run(rehref().args(["extract", "-b"]).arg(&path));
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stdout).starts_with("8:b\n"), "what there is");
}

#[test]
fn inflated_documents_stop_at_the_limit() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("a.txt.gz");
    let file = fs::File::create(&path).expect("a file");
    let mut bomb = flate2::write::GzEncoder::new(file, flate2::Compression::best());
    bomb.write_all(b"http://a.example/\n").expect("written");
    (0..40).for_each(|_| bomb.write_all(&[b' '; 1 << 20]).expect("written"));
    bomb.finish().expect("written");
    let output = run(rehref().arg("extract").arg(&path));
    assert_eq!(
        (output.status.code(), text(&output.stdout).as_str()),
        (Some(2), "http://a.example/\n")
    );
    assert!(text(&output.stderr).contains("more than 200 times"), "{}", text(&output.stderr));
}

#[test]
fn unique_output_prints_each_link_once() {
    let folder = tempfile::tempdir().expect("a directory");
    let pages = [("a.html", "http://a.example/"), ("b.html", "http://b.example/")];
    for (name, base) in pages {
        let page = format!("<base href={base}><a href=x><a href=./x>");
        fs::write(folder.path().join(name), page).expect("written");
    }
    let lines = |options: &[&str]| {
        let mut command = rehref();
        command.args(["extract", "-u", "--role", "navigate"]);
        text(&run(command.args(options).arg(folder.path())).stdout)
    };
    assert_eq!(lines(&[]), "http://a.example/x\nhttp://b.example/x\n");
    assert_eq!(lines(&["--raw"]), "x\n./x\n");
    assert_eq!(lines(&["-0", "--raw"]), "x\0./x\0");
    assert!(lines(&["-0", "--format", "csv"]).starts_with("doc,"));
    assert!(!lines(&["-0", "--format", "csv"]).contains('\n'));
}

#[test]
fn slice_has_the_format_of_its_file() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("a.html");
    fs::write(&path, "No tag first: <a href=b>").expect("written");
    let mut slice = path.into_os_string();
    slice.push("#4,20");
    assert_eq!(text(&run(rehref().args(["extract", "-b"]).arg(slice)).stdout), "18:b\n");
}

#[cfg(unix)]
#[test]
fn special_files_are_not_written() {
    let folder = tempfile::tempdir().expect("a directory");
    let pipe = folder.path().join("pipe.html");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    let out = folder.path().join("out");
    for options in [&["-w".as_ref()][..], &["-o".as_ref(), out.as_os_str()]] {
        let output = run(rehref().args(["rewrite", "--absolute"]).args(options).arg(&pipe));
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("only files and directories"));
    }
    assert!(!out.exists());
}

#[test]
fn quiet_run_ends_at_the_first_link() {
    let mut child = rehref()
        .args(["extract", "-q", "-j2", "corpus/sites/bakery/notes.txt", "-"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("rehref runs");
    // Standard input stays open.
    let stdin = child.stdin.take();
    assert_eq!(child.wait().expect("rehref ends").code(), Some(0));
    drop(stdin);
}

#[test]
fn too_long_bases_are_not_used() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("a.html");
    let base = "a".repeat(10_000);
    let page = format!("<base href=http://h/{base}/>{}", "<a href=b>".repeat(100_000));
    fs::write(&path, page).expect("written");
    let output = run(rehref().args(["extract", "--role", "navigate"]).arg(&path));
    assert_eq!(output.stdout, "b\n".repeat(100_000).into_bytes());
    assert!(text(&output.stderr).contains("a base of more than 2 KiB"), "{}", text(&output.stderr));
}

#[test]
fn strings_not_in_utf_8_are_reported() {
    let mut child = rehref()
        .args(["resolve", "--json", "http://a/"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("rehref runs");
    child.stdin.take().expect("piped").write_all(b"a\xE9\n\r").expect("written");
    let output = child.wait_with_output().expect("rehref ends");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), "");
    let lines = text(&output.stdout);
    let mut lines = lines.lines();
    assert!(lines.next().is_some_and(|it| it.contains(r#""ref":{"bytes":"Yek="}"#)
        && it.contains(r#""not UTF-8","rule":"RFC 3629, 4","start":1"#)));
    assert!(lines.next().is_some_and(|it| it.contains(r#""ref":"\r""#)), "only CRLF is taken off");
}

#[test]
fn each_input_line_is_answered_at_once() {
    use std::io::{BufRead, BufReader};
    use std::sync::mpsc;
    use std::time::Duration;

    let mut child = rehref()
        .args(["resolve", "http://a/b"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("rehref runs");
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
    let folder = tempfile::tempdir().expect("a directory");
    let site = folder.path().join("site");
    fs::create_dir(&site).expect("a directory");
    fs::write(site.join("a.txt"), "http://a.example/").expect("a text");
    fs::write(site.join("b.eml"), b"ab\0\x01\x02cd").expect("a binary file");
    fs::write(site.join("c.txt"), "http://c.example/").expect("a text");
    let merged = folder.path().join("merged");
    let file = fs::File::create(&merged).expect("a file");
    let both = file.try_clone().expect("the same file");
    let mut command = rehref();
    command.arg("extract").arg(&site).stdin(Stdio::null());
    let status = command.stdout(file).stderr(both).status();
    assert_eq!(status.expect("rehref runs").code(), Some(2));
    let merged = fs::read_to_string(merged).expect("UTF-8");
    let at = |text| merged.find(text).unwrap_or_else(|| panic!("{merged}"));
    let places = ["http://a.example/", "b.eml: binary", "http://c.example/"].map(at);
    assert!(places.is_sorted(), "{merged}");
}
