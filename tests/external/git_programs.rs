//! `rehref move --from-git` and `--git` run no program that a repository names.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::from_git::{commit, git, isolated, rehref, repository};
use crate::support::tree::{Has, Ran, SITE, Tree};

/// The settings of git's documentation (git-config, and the pages that it refers to) whose value is
/// a program or a command. `hook.<name>.command` is of newer versions.
const PROGRAMS: [&str; 75] = strings![
    "alias.trap" "alias.diff" "alias.mv" "browser.trap.cmd" "browser.trap.path"
    "core.alternateRefsCommand" "core.askPass" "core.editor" "core.fsmonitor" "core.gitProxy"
    "core.pager" "core.sshCommand" "credential.helper" "credential.https://h.example.helper"
    "diff.external" "diff.trap.command" "diff.trap.textconv" "difftool.trap.cmd"
    "difftool.trap.path" "filter.trap.clean" "filter.trap.process" "filter.trap.smudge"
    "gc.recentObjectsHook" "gpg.program" "gpg.openpgp.program" "gpg.ssh.defaultKeyCommand"
    "gpg.ssh.program" "gpg.x509.program" "guitool.trap.cmd" "help.browser" "hook.trap.command"
    "imap.tunnel" "instaweb.browser" "instaweb.httpd" "interactive.diffFilter" "man.trap.cmd"
    "man.trap.path" "man.viewer" "merge.trap.driver" "mergetool.trap.cmd" "mergetool.trap.path"
    "pager.cat-file" "pager.config" "pager.diff" "pager.hash-object" "pager.ls-files" "pager.mv"
    "pager.rev-parse" "pager.status" "receive.fsck.trap" "remote.origin.proxy"
    "remote.origin.receivepack" "remote.origin.uploadpack" "sendemail.ccCmd" "sendemail.headerCmd"
    "sendemail.sendmailCmd" "sendemail.smtpServer" "sendemail.toCmd" "sequence.editor"
    "submodule.sub.update" "svn.trap" "tar.trap.command" "trailer.trap.cmd" "trailer.trap.command"
    "uploadpack.packObjectsHook" "web.browser" "diff.tool" "diff.guitool" "merge.tool"
    "merge.guitool" "remote.origin.vcs" "sendemail.trap.smtpServer" "gui.trap" "http.proxy"
    "http.sslCert"
];

/// Settings that make programs of the others run.
const ENABLING: [(&str, &str); 12] = [
    ("core.untrackedCache", "true"),
    ("diff.submodule", "log"),
    ("fetch.recurseSubmodules", "true"),
    ("filter.trap.required", "true"),
    ("hook.trap.event", "post-index-change"),
    ("log.showSignature", "true"),
    ("protocol.allow", "always"),
    ("protocol.ext.allow", "always"),
    ("protocol.file.allow", "always"),
    ("push.recurseSubmodules", "check"),
    ("status.submoduleSummary", "true"),
    ("submodule.recurse", "true"),
];

/// The hooks of githooks(5).
const HOOKS: [&str; 28] = [
    "applypatch-msg", "commit-msg", "fsmonitor-watchman", "fsmonitor-watchmanv2", "p4-changelist",
    "p4-post-changelist", "p4-pre-submit", "p4-prepare-changelist", "post-applypatch",
    "post-checkout", "post-commit", "post-index-change", "post-merge", "post-receive",
    "post-rewrite", "post-update", "pre-applypatch", "pre-auto-gc", "pre-commit",
    "pre-merge-commit", "pre-push", "pre-rebase", "pre-receive", "prepare-commit-msg",
    "proc-receive", "push-to-checkout", "reference-transaction", "sendemail-validate",
];

/// The attributes that name the drivers of the settings.
const ATTRIBUTES: &str = "* filter=trap diff=trap merge=trap\n*.html filter=trap diff=trap ident\n";

/// Programs that leave marks.
struct Traps {
    directory: Tree,
}

impl Traps {
    fn new() -> Self {
        let directory = Tree::empty();
        directory.make("marks");
        let traps = Self { directory };
        for hook in HOOKS {
            let path = traps.path("hooks").join(hook);
            traps.write(&path, hook);
        }
        traps
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.at(name)
    }

    /// Writes a program that leaves this mark. A filter copies its input, and others fail, so that
    /// git ends.
    fn write(&self, path: &Path, name: &str) {
        let mark = self.path("marks").join(name.replace(['/', ':'], "-"));
        let end = if name.starts_with("filter.") { "exec cat" } else { "exit 1" };
        let text = format!("#!/bin/sh\n: > '{}'\n{end}\n", mark.display());
        self.directory.write_program(path, &text);
    }

    /// The value of a setting that makes git run a program with its name as the mark.
    fn value(&self, setting: &str) -> String {
        let path = self.path("traps").join(setting.replace(['/', ':'], "-"));
        self.write(&path, setting);
        let begins_command = ["alias.", "credential.", "submodule."];
        match begins_command.iter().any(|it| setting.starts_with(it)) {
            true => format!("!{}", path.display()),
            false => path.display().to_string(),
        }
    }

    /// The marks since the last call.
    fn marks(&self) -> BTreeSet<String> {
        let marks = fs::read_dir(self.path("marks")).expect("marks");
        let mut names = BTreeSet::new();
        for mark in marks {
            let mark = mark.expect("a mark");
            fs::remove_file(mark.path()).expect("removed");
            names.insert(mark.file_name().into_string().expect("UTF-8"));
        }
        names
    }
}

/// A line of a file of settings.
fn line_of(setting: &str, value: &str) -> String {
    let (section, rest) = setting.split_once('.').expect("a section");
    let value = value.replace('\\', r"\\").replace('"', "\\\"");
    match rest.rsplit_once('.') {
        Some((group, key)) => format!("[{section} \"{group}\"]\n\t{key} = \"{value}\"\n"),
        None => format!("[{section}]\n\t{rest} = \"{value}\"\n"),
    }
}

fn append(path: &Path, text: &str) {
    let old = fs::read_to_string(path).unwrap_or_default();
    fs::write(path, old + text).expect("written");
}

/// The places where git finds attributes.
const PLACES: [&str; 5] =
    [".gitattributes", "index", "a/.gitattributes", ".git/info/attributes", "core.attributesFile"];

/// A repository with a renamed page that differs from the index, and with attributes in this place.
fn with_attributes(place: &str) -> Tree {
    let tree = repository(&SITE);
    tree.rename("p 1.png", "p 2.png");
    commit(tree.path());
    git(tree.path(), "mv a/x.html x.html");
    let attributes = tree.at(match place {
        "index" => ".gitattributes",
        "core.attributesFile" => ".git/attributes",
        place => place,
    });
    tree.write(&attributes, ATTRIBUTES);
    match place {
        "core.attributesFile" => {
            let setting = line_of(place, attributes.to_str().expect("UTF-8"));
            append(&tree.at(".git/config"), &setting);
        }
        "index" => {
            git(tree.path(), "add .gitattributes");
            tree.remove(&attributes);
        }
        _ => {}
    }
    edit_page(&tree.at("x.html"));
    edit_page(&tree.at("a/y.html"));
    tree
}

/// Changes a page, so that git has to read it.
fn edit_page(page: &Path) {
    append(page, "<p>");
}

/// Adds all traps to the settings. Some are in an included file, and some in one that another
/// setting names.
fn set_traps(tree: &Path, traps: &Traps, settings: &[&str]) {
    let (mut own, mut included) = (String::new(), String::new());
    for (number, setting) in settings.iter().enumerate() {
        let line = line_of(setting, &traps.value(setting));
        match number % 2 {
            0 => own += &line,
            _ => included += &line,
        }
    }
    for (setting, value) in ENABLING {
        own += &line_of(setting, value);
    }
    own += &line_of("core.hooksPath", traps.path("hooks").to_str().expect("UTF-8"));
    own += "[include]\n\tpath = more\n[includeIf \"gitdir:**\"]\n\tpath = most\n";
    let git_directory = tree.join(".git");
    append(&git_directory.join("more"), &included);
    append(
        &git_directory.join("most"),
        &line_of("filter.TRAP.b.clean", &traps.value("filter.TRAP.b.clean")),
    );
    append(&git_directory.join("config"), &own);
}

pub(crate) fn programs_that_a_repository_names_do_not_run() {
    // A filter is a program for each file, or one for all.
    for without in ["filter.trap.process", "filter.trap.clean"] {
        let settings: Vec<&str> = PROGRAMS.into_iter().filter(|it| *it != without).collect();
        for place in PLACES {
            let traps = Traps::new();
            let tree = with_attributes(place);
            set_traps(tree.path(), &traps, &settings);
            traps.marks();
            for arguments in strings![
                "--from-git HEAD" "--from-git HEAD~1" "--from-git HEAD~1..HEAD --check"
                "--from-git HEAD --root a" "--from-git HEAD -w" "--undo" "--git a/y.html b.html"
                "--git -w a/y.html b.html" "--git --undo" "--git -w a c" "--undo" "--from-git none"
            ] {
                let output = rehref(tree.path(), format!("move {arguments}"));
                let said = output.err;
                let marks = traps.marks();
                assert!(marks.is_empty(), "{place} {arguments:?}: {marks:?} {said}");
                let code = if arguments.contains("none") {
                    2
                } else {
                    i32::from(arguments.contains("--check"))
                };
                assert_eq!(output.code, code, "{place} {arguments:?}: {said}");
            }
            let followed = rehref(tree.path(), "move --from-git HEAD --check");
            followed.out.has("a/x.html: moved to x.html");
            // git itself does run them.
            let run = |arguments: &str| {
                let optional = ["-c", "filter.trap.required=false"];
                let mut git = isolated("git", tree.path());
                drop(git.args(optional).args(arguments.split(' ')).output());
            };
            edit_page(&tree.at("index.html"));
            run("diff -M HEAD");
            run("status");
            run("mv index.html i.html");
            let marks = traps.marks();
            let filter = match without {
                "filter.trap.process" => "filter.trap.clean",
                _ => "filter.trap.process",
            };
            let expected = ["core.fsmonitor", "post-index-change", "diff.external"];
            // Attributes of a directory are those of its files.
            let filter = (place != "a/.gitattributes").then_some(filter);
            for mark in expected.into_iter().chain(filter) {
                let exists = marks.contains(mark)
                    || mark == "diff.external" && marks.contains("diff.trap.command");
                assert!(exists, "{place}: {mark} is not in {marks:?}");
            }
        }
    }
}

pub(crate) fn each_setting_of_git_runs_no_program() {
    let (traps, tree) = (Traps::new(), with_attributes(".git/info/attributes"));
    let config = tree.at(".git/config");
    let old = fs::read_to_string(&config).expect("settings");
    let names = git(tree.path(), "help --config");
    let mut run = 0;
    for name in names.lines().filter(|it| it.contains('.')) {
        let mut setting = String::new();
        let mut is_within = false;
        for letter in name.chars() {
            match letter {
                '<' => (is_within, setting) = (true, setting + "trap"),
                '>' => is_within = false,
                '*' => setting += "trap",
                _ if is_within => {}
                _ => setting.push(letter),
            }
        }
        // What git opens to write its log.
        if setting.starts_with("trace2.") {
            continue;
        }
        fs::write(&config, format!("{old}{}", line_of(&setting, &traps.value(&setting))))
            .expect("written");
        traps.marks();
        let sections = ["core.", "diff.", "filter.", "merge.", "submodule."];
        let is_for_files = sections.iter().any(|it| setting.starts_with(it));
        let arguments =
            ["move --from-git HEAD", "move --git -w a/y.html b.html", "move --git --undo"];
        // Only these settings are about what git does with files.
        for &arguments in &arguments[..if is_for_files { 3 } else { 1 }] {
            let output = rehref(tree.path(), arguments);
            let said = output.err;
            assert!(traps.marks().is_empty(), "{setting} {arguments:?}: {said}");
        }
        run += 1;
    }
    assert!(run > 300, "{run} settings");
}

pub(crate) fn clones_fetch_nothing() {
    let origin = repository(&SITE);
    let text: String = (0..200).map(|it| format!("<p>{it} words\n")).collect();
    origin.write("a/long.html", &text);
    commit(origin.path());
    origin.write("long.html", format!("{text}<p>"));
    origin.remove("a/long.html");
    commit(origin.path());
    git(origin.path(), "config uploadpack.allowFilter true");
    let url = format!("file://{}", origin.path().display());
    for kind in ["--depth=1", "--filter=blob:none"] {
        for (setting, value) in [
            ("remote.origin.uploadpack", None),
            ("remote.origin.vcs", Some("ext")),
            ("remote.origin.url", Some("ext::")),
            ("url.ext::.insteadOf", Some(url.as_str())),
        ] {
            let (traps, clones) = (Traps::new(), Tree::empty());
            git(clones.path(), ["clone", "--quiet", kind, &url, "c"]);
            let clone = clones.path().join("c");
            let trap = traps.value("trap");
            let line = match (setting, value) {
                ("remote.origin.url", Some(scheme)) => line_of(setting, &format!("{scheme}{trap}")),
                ("url.ext::.insteadOf", Some(url)) => {
                    line_of(&format!("url.ext::{trap}.insteadOf"), url)
                }
                ("remote.origin.vcs", Some(value)) => {
                    line_of("remote.origin.url", &trap) + &line_of(setting, value)
                }
                _ => line_of(setting, &trap),
            };
            let allowed = line_of("protocol.ext.allow", "always");
            let old = clones.read("c/.git/config");
            let old = match setting {
                "remote.origin.url" | "remote.origin.vcs" => {
                    old.replace(&format!("\turl = {url}\n"), "")
                }
                _ => old,
            };
            clones.write("c/.git/config", old + &line + &allowed);
            let said = rehref(&clone, "move --from-git HEAD~1").ends(2).err;
            assert!(traps.marks().is_empty(), "{kind} {setting}: {said}");
            let help = match kind {
                "--depth=1" => "help: this clone is shallow",
                _ => "help: this clone is partial",
            };
            said.has(help);
            // git itself does run them.
            if kind != "--depth=1" {
                drop(isolated("git", &clone).args(["diff", "-M", "HEAD~1"]).output());
                assert!(!traps.marks().is_empty(), "{setting}");
            }
        }
    }
}

pub(crate) fn a_git_directory_in_a_clone_is_refused() {
    let traps = Traps::new();
    let docs = repository(&[("index.html", "<a href=b.html>b</a>"), ("b.html", "<p>b b b")]);
    git(docs.path(), "mv b.html c.html");
    edit_page(&docs.path().join("c.html"));
    // The content of the git directory is in the one that is cloned, with the pages.
    let outer = Tree::empty();
    let inner = outer.at("docs");
    let from = docs.at(".git");
    for entry in walkdir::WalkDir::new(&from).into_iter().map(|it| it.expect("there")) {
        let to = inner.join(entry.path().strip_prefix(&from).expect("below"));
        match entry.file_type().is_dir() {
            true => fs::create_dir_all(&to).expect("created"),
            false => drop(fs::copy(entry.path(), &to).expect("copied")),
        }
    }
    for page in ["index.html", "c.html"] {
        outer.copy(docs.at(page), &format!("docs/{page}"));
    }
    outer.write("docs/info/attributes", "* filter=trap\n");
    let settings = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n";
    let clean = line_of("filter.trap.clean", &traps.value("filter.trap.clean"));
    outer.write("docs/config", format!("{settings}{clean}"));
    // Empty directories are not cloned.
    for directory in ["refs/heads", "refs/tags", "objects/pack", "objects/info"] {
        outer.write(inner.join(directory).join(".keep"), "");
    }
    git(outer.path(), "init --quiet");
    git(outer.path(), "add --all --force");
    git(outer.path(), "commit --quiet --message m");
    let clones = Tree::empty();
    let url = outer.path().canonicalize().expect("there");
    let url = url.to_str().expect("UTF-8");
    git(clones.path(), ["clone", "--quiet", url, "c"]);
    let clone = clones.path().join("c");
    traps.marks();
    for (directory, arguments) in [
        (&clone, "move --root docs --from-git HEAD"),
        (&clone.join("docs"), "move --from-git HEAD"),
        (&clone.join("docs/refs"), "move --from-git HEAD"),
        (&clone, "move --root docs --git docs/c.html docs/d.html -w"),
    ] {
        let said = rehref(directory, arguments).ends(2).err;
        assert!(traps.marks().is_empty(), "{arguments:?}: {said}");
        said.has("a git directory, not a work tree");
    }
    // From the work tree of the clone, only that is used.
    let output = rehref(&clone, "move --git docs/c.html docs/d.html -w");
    assert!(traps.marks().is_empty(), "{output:?}");
    // git itself does run them.
    drop(isolated("git", &clone.join("docs")).args(["diff", "HEAD", "--"]).output());
    assert!(!traps.marks().is_empty());
}

/// A filter that every repository of a user has, as that of large files.
pub(crate) fn filters_of_the_user_are_no_obstacle() {
    let stored = "pointer to 123456\n".repeat(9);
    let user = Tree::new(&[(
        "config",
        "[filter \"large\"]\n\tclean = tr a-z A-Z\n\tsmudge = tr A-Z a-z\n\trequired = true\n",
    )]);
    let tree = Tree::new(&[
        ("index.html", "<img src=p.bin><a href=b.html>b</a>"),
        (".gitattributes", "*.bin filter=large\n*.html text eol=crlf\n"),
        ("p.bin", &stored),
        ("b.html", "<p>a\r\n<p>b\r\n<p>c\r\n"),
    ]);
    let config = user.path().join("config");
    let with_filter = |program: &str, arguments: &str| {
        let mut command = isolated(program, tree.path());
        Ran::of(command.env("GIT_CONFIG_GLOBAL", &config).args(arguments.split(' ')))
    };
    for arguments in [
        "init --quiet", "add --all", "commit --quiet --message m", "mv p.bin q.bin",
        "mv b.html c.html",
    ] {
        with_filter("git", arguments).ends(0);
    }
    let program = env!("CARGO_BIN_EXE_rehref");
    let found = with_filter(program, "move --from-git HEAD --check").ends(1).out;
    found.has("p.bin: moved to q.bin").has("b.html: moved to c.html");
    with_filter(program, "move --git -w q.bin c.html n/").ends(0);
    let status = with_filter("git", "status --porcelain").out;
    status.has("R  p.bin -> n/q.bin\n").has("R  b.html -> n/c.html\n");
    assert_eq!(tree.read("n/q.bin"), stored);
}
