//! The explanations of wrong command lines.

use super::*;

#[test]
fn wrong_command_lines_are_explained() {
    let site = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/sites/bakery");
    let printed = format!("`rehref extract {site}` prints its links");
    for (arguments, message, help) in [
        (site, "is a path, not a command", printed.as_str()),
        ("mv a b", "unknown command mv", "`rehref move SRC... DST` moves files"),
        ("chek", "unknown command chek", "did you mean `rehref check`?"),
        ("frobnicate", "unknown command frobnicate", "`rehref -h` lists the commands"),
        (
            "http://a.example/?b",
            "does not fetch URLs",
            "curl -sL 'http://a.example/?b' | rehref extract --base 'http://a.example/?b' -",
        ),
        (
            "extract https://a.example/",
            "does not fetch URLs",
            "curl -sL https://a.example/ | rehref extract --base https://a.example/ -",
        ),
        (
            "rewrite --absolute HTTP://a.example/",
            "does not fetch URLs",
            "curl -sL HTTP://a.example/ | rehref rewrite RULE... --base HTTP://a.example/ -",
        ),
        ("check http://a.example/", "does not fetch URLs", "download the site first"),
        (
            "rewrite --map-file http://a.example/m.csv .",
            "does not fetch URLs",
            "curl -sLO http://a.example/m.csv",
        ),
        ("extract --jsno .", "extract has no option --jsno", "did you mean --json?"),
        ("extract --zzz .", "extract has no option --zzz", "`rehref extract -h` lists the options"),
        ("extract -X .", "extract has no option -X", "`rehref extract -h` lists the options"),
        ("rewrite -i .", "rewrite has no option -i", "-w changes the files in place"),
        ("--json extract .", "unknown option --json before a command", "`rehref extract --json`"),
        (
            "--type=html extract .",
            "unknown option --type before a command",
            "`rehref extract --type`",
        ),
        ("rewrite .", "rewrite: missing RULE", "--map OLD=NEW"),
        ("report .", "report: missing -o FILE", "`rehref report PATH -o report.html`"),
        (
            "rewrite old.example=new.example .",
            "rewrite: missing RULE",
            "use --map 'old.example=new.example'",
        ),
        ("rewrite s/a=b/c/ .", "rewrite: missing RULE", r"use --map-re 'a\=b=c'"),
        (
            "rewrite s/old.example/new.example/ .",
            "rewrite: missing RULE",
            "use --map 'old.example=new.example'",
        ),
        (
            "rewrite old.example https://new.example .",
            "https://new.example: a URL is not a PATH",
            "use --map 'old.example=https://new.example'",
        ),
        (
            "rewrite old.example new.example .",
            "rewrite: missing RULE",
            "use --map 'old.example=new.example'",
        ),
        ("rewrite --map old new .", "no `=` between OLD and NEW", "--map old.example=new.example"),
        ("rewrite --map *.old.example=new.example .", "nor a host such as old.example", "--map-re"),
        (
            "rewrite --map-re s/old/new/ .",
            "no `=` between RE and TEMPLATE",
            "write --map-re 'old=new'",
        ),
        ("extract --include *.html .", "extract has no option --include", "--match REGEX"),
        ("extract -S .", "extract has no option -S", "--ignore-case ignores case"),
        ("extract -w .", "extract has no option -w", "`rehref rewrite RULE... -w PATH`"),
        (
            "extract -t htm .",
            "warc, ooxml, odf, epub, pdf, office, and those of ripgrep",
            "did you mean html?",
        ),
        (
            "extract -t site/page.html .",
            "warc, ooxml, odf, epub, pdf, office, and those of ripgrep",
            "did you mean html?",
        ),
        ("extract --json=pretty .", "--json takes no value", "leave out =pretty"),
        ("extract --unique=yes .", "--unique takes no value", "leave out =yes"),
        (
            "extract --match *.png .",
            "repetition operator missing expression",
            r"--match is a regular expression: --match '\.png$'",
        ),
        ("move --json", "move: missing SRC... DST", "`rehref move SRC... DST`"),
        ("extract --format xml .", "--format xml: unknown value", "use lines, jsonl"),
        ("extract --base", "--base <URI>: missing value", "`rehref extract -h`"),
        (
            "rewrite --dry-run -w --absolute .",
            "--dry-run cannot be combined with --write",
            "leave one of them out",
        ),
        ("rewrite --backup --absolute .", "rewrite: missing --write", "add --write"),
    ] {
        let text = mistake(arguments);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert!(lines[0].starts_with("rehref: ") && lines[0].ends_with(message), "{text}");
        lines[1].strip_prefix("  help: ").unwrap_or_default().has(help);
    }
}

#[test]
fn faults_of_values_are_named() {
    for (arguments, message) in [
        ("extract -j 0 .", "--jobs 0: must be at least 1"),
        ("extract --max-depth two .", "--max-depth two: not a number"),
        ("extract --match ( .", "--match '(': unclosed group"),
        ("extract ''", "PATH '': a path is empty"),
    ] {
        assert_eq!(mistake(arguments), format!("rehref: {message}\n"));
    }
}

#[test]
fn options_that_ask_for_the_default_are_accepted() {
    let site = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/sites/bakery");
    for (with, without) in [
        (&format!("extract -r {site}"), &format!("extract {site}")),
        (&format!("extract -R {site}"), &format!("extract {site}")),
        (&format!("extract --recursive --csv {site}"), &format!("extract --format csv {site}")),
        (
            &format!("rewrite -n --map http://mill.example=http://a.example {site}"),
            &format!("rewrite --map http://mill.example=http://a.example {site}"),
        ),
        (
            &format!("rewrite --dry-run --map http://mill.example=http://a.example {site}"),
            &format!("rewrite --map http://mill.example=http://a.example {site}"),
        ),
    ] {
        assert_eq!(stdout(with), stdout(without), "{with:?}");
    }
}

/// The options that a text names.
fn options(text: &str) -> BTreeSet<String> {
    let option =
        Regex::new(r"(?:^|[\s`,(\[])(--[a-z0-9][a-z0-9-]*|-[A-Za-z0-9.])\b").expect("a regex");
    option.captures_iter(text).map(|it| it[1].to_owned()).collect()
}

#[test]
fn explained_options_are_those_of_other_programs() {
    let quoted = Regex::new("`[^`]*`").expect("a regex");
    for (commands, names, help) in neighbors::OPTIONS {
        for &command in *commands {
            let page = stdout([command, "--help"]);
            let own = own_options(&page);
            // Some options are on the line of another one.
            let named = options(&page);
            for name in names.split(' ') {
                assert!(!own.contains(name), "{command} has {name}: remove it from the table");
            }
            // What is within backquotes may be another program, or another command of this one.
            let others = quoted.replace_all(help, "");
            for option in options(&others) {
                assert!(named.contains(&option), "{command} has no {option}, which {help:?} names");
            }
        }
    }
    mistake("extract --threads .").has("-j N");
}

#[test]
fn explained_commands_are_those_of_other_programs() {
    for (names, help) in neighbors::COMMANDS {
        for name in names.split(' ') {
            assert!(!COMMANDS.contains(&name), "{name} is a command");
            // In a directory without a path of this name, such as docs/.
            let text = Ran::of(&mut rehref(Path::new("tests/cmd"), name)).ends(2).err;
            assert_eq!(text, format!("rehref: unknown command {name}\n  help: {help}\n"));
        }
    }
}

#[test]
fn unknown_root_of_report_is_not_taken_for_a_rule() {
    mistake("report . --root site -o r.html").has("--base URL=DIR").lacks("--root-relative");
}
