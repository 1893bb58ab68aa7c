//! The options and commands of other programs, and their equivalents in rehref.

use clap::{Arg, ArgAction, Command};

const EXTRACT: &[&str] = &["extract"];
const REWRITE: &[&str] = &["rewrite"];
const MOVE: &[&str] = &["move"];
const CHECK: &[&str] = &["check"];
/// The commands that walk directories.
const WALKING: &[&str] = &["extract", "check", "rewrite"];
const WRITING: &[&str] = &["rewrite", "move"];
/// The commands that print a list.
const PRINTING: &[&str] = &["extract", "check"];
/// The commands that read documents.
const RUNS: &[&str] = &["extract", "check", "rewrite", "move"];
/// The commands with a filter of links.
const FILTERING: &[&str] = &["extract", "check", "rewrite", "move", "report"];
const LINKIFY: &[&str] = &["linkify"];
const ANSWERING: &[&str] = &["resolve", "parse"];

/// Options without an effect, since they select the default of a command.
const ACCEPTED: [Accepted; 2] = [
    Accepted {
        commands: WALKING,
        long: "recursive",
        short: 'r',
        alias: Some('R'),
        contradicts: &[],
    },
    Accepted {
        commands: WRITING,
        long: "dry-run",
        short: 'n',
        alias: None,
        contradicts: &["write", "output"],
    },
];

/// An option without an effect.
struct Accepted {
    commands: &'static [&'static str],
    long: &'static str,
    short: char,
    alias: Option<char>,
    contradicts: &'static [&'static str],
}

/// The equivalents of options of other programs: commands, names, help. The names are separated by
/// spaces.
pub(crate) const OPTIONS: &[(&[&str], &str, &str)] = &[
    // sed, perl, git, formatters
    (
        REWRITE,
        "-i --in-place --inplace --fix --apply --save --overwrite",
        "-w changes the files in place",
    ),
    (MOVE, "-i --apply --save -f", "-w moves the files; without it, nothing is written"),
    (
        REWRITE,
        "-s -e --replace --substitute --regex --regexp --regexp-extended -E --pattern",
        "--map OLD=NEW replaces URL prefixes, --map-re RE=TEMPLATE what a regular expression matches",
    ),
    (
        REWRITE,
        "--delete --remove --strip --unlink --disable",
        "rehref changes the URLs of links; it does not remove links",
    ),
    (
        REWRITE,
        "--https --to-https --http-to-https --upgrade-https --force-https --upgrade --upgrade-insecure-requests",
        "--map http://=https:// changes the scheme; with --host HOST,... only of links to these hosts",
    ),
    (
        REWRITE,
        "--strip-utm --strip-tracking --strip-query --strip-params --remove-params --remove-query --no-query --clean-params",
        "--drop-param GLOB removes query parameters, such as --drop-param 'utm_*'",
    ),
    (
        REWRITE,
        "--domain --prefix --from --to",
        "--map OLD=NEW replaces a URL prefix, such as --map http://old.example=https://new.example",
    ),
    (
        REWRITE,
        "-k --convert-links --offline",
        "--mirror URL=DIR converts a downloaded copy for offline use",
    ),
    (REWRITE, "--csv --list --rules", "--map-file FILE reads old,new rows"),
    (REWRITE, "--in --input", "name the files after the rules"),
    (REWRITE, "--patch -p -u --unified", "a unified diff is printed unless -w or -o is given"),
    (MOVE, "--list --csv --map", "--from-list FILE reads old,new rows"),
    (MOVE, "-r -R --recursive", "leave it out: directories move with all that they contain"),
    (
        MOVE,
        "--glob -g --exclude --type --max-depth",
        "leave it out: move updates references in the whole tree of --root",
    ),
    (
        MOVE,
        "-v",
        "without -w, all moves and edits are printed; --explain also prints what stays unchanged",
    ),
    (
        MOVE,
        "-t --target-directory",
        "the last argument is the destination: `rehref move SRC... DIR`",
    ),
    (MOVE, "--nginx --apache --netlify --htaccess --redirect", "--redirects HOW writes redirects"),
    (MOVE, "--delete --remove", "rehref moves files; it does not delete them"),
    (MOVE, "-k", "a file that exists is never replaced"),
    // ripgrep, grep, fd
    (
        EXTRACT,
        "--regex --regexp -e -E --pattern -P --grep",
        "--match REGEX prints only the links that match",
    ),
    (EXTRACT, "--files-with-matches", "-l prints only the names of files with links"),
    (EXTRACT, "-S --smart-case", "--ignore-case ignores case in --match and --exclude-match"),
    (
        EXTRACT,
        "-w --write --in-place",
        "extract writes nothing; `rehref rewrite RULE... -w PATH` changes links",
    ),
    (EXTRACT, "-v --invert-match --not", "--exclude-match REGEX drops the links that match"),
    (EXTRACT, "-m --max-count --head --limit", "`| head -n N` prints the first N links"),
    (EXTRACT, "--domain --domains -D", "--host GLOB prints only the links to these hosts"),
    (
        EXTRACT,
        "--hosts --unique-hosts --stats --statistics --summary",
        "--count-by host prints the number of links to each host",
    ),
    (EXTRACT, "--vimgrep --column", "--format vimgrep prints file:line:column:link"),
    (EXTRACT, "--uniq --distinct --dedupe", "-u prints each link once"),
    (EXTRACT, "-A -B -C --title --anchor-text", "--context prints the text of each link"),
    (
        EXTRACT,
        "--duplicates --duplicate --repeated --dups",
        "--count-by url prints how often each URL occurs",
    ),
    (EXTRACT, "--only-matching", "leave it out: links are printed without the text around them"),
    (
        EXTRACT,
        "--image --images --img --tag --element --attr --attribute --css --scripts",
        "--role selects links by purpose, such as --role embed for images; --json has element and attribute",
    ),
    (
        EXTRACT,
        "--absolute --resolve",
        "URLs are printed absolute where the base is known: --base URL",
    ),
    (EXTRACT, "--relative --no-resolve", "--raw prints references as written"),
    (EXTRACT, "--list --links --dump", "leave it out: the links are printed, one per line"),
    (PRINTING, "-o --output --out --report", "`> FILE` writes the output to a file"),
    (
        PRINTING,
        "--sort --sort-by --sortr",
        "the output is in the order of paths; `| sort` sorts it by text",
    ),
    (
        PRINTING,
        "--output-format --out-format -f -F",
        "--format FORMAT sets the format of the output",
    ),
    (PRINTING, "--jsonl --ndjson --json-lines", "--json prints one JSON object per line"),
    (PRINTING, "--print0", "-0 ends records with NUL"),
    // Before the names of options about files: in other programs these are about links.
    (
        FILTERING,
        "--exclude-url --exclude-urls --exclude-links --exclude-hosts --exclude-domain --exclude-regex --exclude-pattern --ignore --ignore-url --ignore-urls --ignore-link --ignore-links --ignore-pattern --ignore-patterns --ignore-regex --ignore-href --ignore-hrefs --skip --skip-url --skip-urls --skip-link --skip-links --skip-pattern --no-follow-url --linksToSkip --except --whitelist --allowlist --blacklist --denylist",
        "--exclude-match REGEX skips the links that match, --exclude-host GLOB those to hosts, a comment `rehref: ignore` those of its line",
    ),
    (
        FILTERING,
        "--include --include-url --include-urls --include-link --include-links --include-match --only --filter",
        "--match REGEX only takes the links that match",
    ),
    (
        FILTERING,
        "--host-file --hosts-file --host-list --hosts-from",
        "--host \"$(paste -sd, FILE)\" takes the hosts in a file",
    ),
    (FILTERING, "--only-external --external-only", "--external takes links to other sites"),
    (FILTERING, "--only-internal --local --local-only", "--internal takes links within the site"),
    (
        FILTERING,
        "--nofollow --sponsored --ugc",
        "--rel REL takes links by their rel, such as --rel nofollow",
    ),
    (
        PRINTING,
        "--since --changed --changed-since --diff --staged --cached --git-diff",
        "`git diff --name-only -z --diff-filter=d REV | xargs -0r rehref check` checks changed files",
    ),
    (
        WALKING,
        "--iglob --iname --name -e --extension --ext --include-files --include",
        "--glob GLOB selects files, such as --glob '*.html'",
    ),
    (
        WALKING,
        "--exclude-dir --exclude-path --exclude-paths --exclude-file --exclude-files --ignore-dir --ignore-file --ignore-files --ignore-path --ignore-paths --exclude-directories --skip-dir --skip-file --skip-files --skip-path",
        "--exclude GLOB skips files and directories",
    ),
    (
        WALKING,
        "-d --depth --level --maxdepth --no-recursion --no-recursive",
        "--max-depth N limits the depth of directories",
    ),
    (
        WALKING,
        "--hidden -. --unrestricted --all",
        "leave it out: hidden files are read too; --no-ignore also reads files that git ignores",
    ),
    (
        WALKING,
        "--html --text -a --binary --xml --markdown --mail --mbox-file --force-html --input-format --from-format --as",
        "--media KIND reads every document as this kind; --type html selects files by name",
    ),
    (WALKING, "--encoding", "--charset LABEL sets the character encoding"),
    (
        WALKING,
        "--base-url --url --baseurl --root-url --prefix-url --baseurl",
        "--base URL is the URL of a document, --base URL=DIR that of a directory",
    ),
    (
        WALKING,
        "--threads --max-concurrency --parallel",
        "-j N sets how many documents are processed at a time",
    ),
    (WALKING, "--stdin", "`-` is standard input"),
    (
        WRITING,
        "--verbose -v --debug",
        "--explain prints the reason for each link that stays unchanged",
    ),
    (PRINTING, "--verbose -v --debug", "leave it out: all messages are printed"),
    (RUNS, "--no-color --nocolor", "--color never, or NO_COLOR in the environment"),
    (RUNS, "-V --version", "`rehref --version` prints the version"),
    // lychee, muffet, linkchecker, htmltest
    (
        CHECK,
        "--include-fragments --fragments --anchor --check-anchors --hash",
        "leave it out: fragments are checked; --no-anchors skips them",
    ),
    (CHECK, "--offline --no-network", "leave it out: nothing is fetched"),
    (
        CHECK,
        "--check-external --check-extern --online --exclude-private --exclude-link-local --exclude-loopback --exclude-all-private --exclude-mail --include-mail --disable-external --skip-external --no-external --ignore-status-codes --ignore-ssl --ignore-ssl-errors --skip-tls-verification --enforce-https --no-enforce-https --timeout --max-retries --user-agent --header --accept --method --insecure --cache --max-redirects --retry-wait-time",
        "rehref checks local links, without the network; `rehref extract --scheme http,https` lists the others",
    ),
    (CHECK, "--root-dir --document-root", "--root DIR is the directory that / means in links"),
    (
        &["report"],
        "--root --root-dir --document-root",
        "name the directory as PATH; --base URL=DIR names the root of the site",
    ),
    (
        CHECK,
        "--fix --write -w",
        "check writes nothing; `rehref move --moved OLD=NEW` updates links to a file that was moved",
    ),
    (
        CHECK,
        "--github --annotations --junit --sarif --html-report",
        "--format sets the format of the report",
    ),
    (CHECK, "--csv", "--json prints one JSON object per line"),
    (CHECK, "--dump --list", "`rehref extract` prints all links"),
    // wget, httrack
    (
        EXTRACT,
        "-m --mirror --spider -p --page-requisites -k --convert-links -U --user-agent",
        "rehref reads files; download pages with curl or wget first",
    ),
    // bleach, linkify-it, autolinkers
    (
        LINKIFY,
        "--skip-tags --ignore --exclude --ignore-tags --no-links-in",
        "--skip pre,code makes no link in these elements",
    ),
    (
        LINKIFY,
        "--parse-email --email --fuzzy-email --mail",
        "--emails also makes links of mail addresses",
    ),
    (
        LINKIFY,
        "--fuzzy-link --fuzzy --www --tlds --url-re",
        "--abbreviated also makes links of www.a.example and ftp.a.example",
    ),
    (LINKIFY, "--nofollow --noopener", "--rel sets it, such as --rel nofollow"),
    (LINKIFY, "--blank --new-window --new-tab", "--target _blank opens links in a new window"),
    (
        LINKIFY,
        "--protocols --schemes --protocol",
        "--scheme SCHEME,... selects URLs by their schemes",
    ),
    (
        LINKIFY,
        "--html --text -a --force-html --input-format --from-format --as",
        "--media html or --media text sets the kind of the document",
    ),
    (LINKIFY, "--encoding", "--charset LABEL sets the character encoding"),
    (LINKIFY, "-o --output --out -w --write -i --in-place", "`> FILE` writes the output to a file"),
    // jq-like front ends
    (ANSWERING, "--csv --format --jsonl", "--json prints one JSON object per input"),
    (ANSWERING, "--base", "the first argument of `rehref resolve` is the base URL"),
    (&["resolve"], "--absolute", "leave it out: references are printed absolute"),
    (&["parse"], "--normalize --canonicalize", "--json has the normal forms in `normalized`"),
    (
        &["parse"],
        "--validate --check -q",
        "leave it out: invalid inputs are reported, with exit code 1",
    ),
    (&["resolve", "parse"], "--stdin -f --file", "`-` is standard input: `< FILE`"),
];

/// The equivalents of other programs' commands. The names are separated by spaces.
pub(crate) const COMMANDS: &[(&str, &str)] = &[
    (
        "find grep ls list links link url urls print show dump search scan get",
        "`rehref extract PATH` prints the links of files and directories",
    ),
    (
        "replace sed sub substitute map convert edit absolute relative mirror fix update change relativize",
        "`rehref rewrite RULE... PATH` rewrites links",
    ),
    (
        "mv rename relocate redirect redirects git",
        "`rehref move SRC... DST` moves files and updates references to them",
    ),
    (
        "validate lint verify test broken lychee anchors",
        "`rehref check DIR` finds broken local links; `rehref parse` validates URIs",
    ),
    ("join absolutize base urljoin", "`rehref resolve BASE REF` resolves references"),
    ("split normalize uri", "`rehref parse URI` splits and validates URIs"),
    (
        "undo revert rollback restore",
        "`rehref rewrite --undo DIR` or `rehref move --undo` undoes the last run",
    ),
    (
        "resume continue",
        "`rehref rewrite --resume DIR` or `rehref move --resume` finishes an interrupted run",
    ),
    (
        "fetch download crawl wget curl spider open",
        "rehref reads files; pipe a page to it: `curl -sL URL | rehref extract --base URL -`",
    ),
    ("autolink urlize hyperlink anchor", "`rehref linkify PATH` makes links of the URLs in text"),
    (
        "diff compare",
        "`diff <(rehref extract -u OLD | sort) <(rehref extract -u NEW | sort)` compares the links of two documents",
    ),
    (
        "init config configure settings",
        "write a file .rehref.toml: `rehref schema config` describes its keys",
    ),
    ("version", "`rehref --version` prints the version"),
    ("completion complete", "`rehref completions SHELL` prints completions"),
    ("docs manual manpage manpages", "`rehref man COMMAND` prints a manual page"),
];

/// Adds the options that are accepted without effect.
pub(crate) fn accept(subcommand: Command) -> Command {
    let mut command = subcommand;
    for it in ACCEPTED {
        if it.commands.contains(&command.get_name()) {
            let ids = command.get_arguments().map(Arg::get_id);
            let ids = ids.filter(|id| it.contradicts.contains(&id.as_str()));
            let contradicts: Vec<_> = ids.cloned().collect();
            let option = Arg::new(it.long).long(it.long).short(it.short);
            let option = option.short_aliases(it.alias).conflicts_with_all(contradicts);
            command = command.arg(option.action(ArgAction::SetTrue).hide(true));
        }
    }
    command
}

/// Returns the help for an unknown option of a subcommand.
pub(super) fn instead_of_option(command: &str, option: &str) -> Option<&'static str> {
    let found = OPTIONS
        .iter()
        .find(|(commands, names, _)| commands.contains(&command) && has(names, option));
    found.map(|&(.., help)| help)
}

/// Returns the help for an unknown command.
pub(super) fn instead_of_command(name: &str) -> Option<&'static str> {
    let found = COMMANDS.iter().find(|(names, _)| has(names, name));
    found.map(|&(_, help)| help)
}

fn has(names: &str, name: &str) -> bool {
    names.split(' ').any(|it| it == name)
}
