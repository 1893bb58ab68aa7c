//! Usage, examples and exit codes. A test runs each example.

use super::page::{Example, Page};

/// Short for the rows of examples.
const fn example(task: &'static str, command: &'static str) -> Example {
    Example { task, command }
}

const DONE: (&str, &str) = ("0", "done");
const UNREADABLE: (&str, &str) =
    ("2", "the command line is wrong, or something could not be read (the rest was)");
const UNWRITABLE: (&str, &str) =
    ("2", "the command line is wrong, or something could not be read or written (the rest was)");
const INTERRUPTED: (&str, &str) = ("130", "interrupted by Ctrl-C");

/// The exit codes of commands that edit files.
const EDITING: &[(&str, &str)] =
    &[DONE, ("1", "something would change (--check)"), UNWRITABLE, INTERRUPTED];

/// The page of the whole command.
pub(super) const ROOT: Page = Page {
    name: "rehref",
    usage: "rehref COMMAND [OPTION]... [ARGUMENT]...",
    examples: &[
        example("Print the links of a site, with file and line", "rehref extract -Hn site/"),
        example("Find broken links between the files of a site", "rehref check site/"),
        example(
            "Show what a change of domain would change (-w writes)",
            "rehref rewrite --map http://mill.example=https://flour.example site/",
        ),
        example(
            "Move a page, and update all references to and from it",
            "rehref move -w --root site site/bread.html site/shop/",
        ),
        example("Undo that, byte by byte", "rehref move --undo --root site"),
    ],
    exit_codes: &[
        DONE,
        ("1", "no: broken links, changes with --check, no link with `extract -q`, an invalid URI"),
        UNWRITABLE,
        INTERRUPTED,
    ],
};

/// The pages of the subcommands.
pub(super) const PAGES: &[Page] = &[
    Page {
        name: "extract",
        usage: "rehref extract [PATH|-]...",
        examples: &[
            example("Print the links of a page", "rehref extract page.html"),
            example(
                "Print the images of a site, each once",
                "rehref extract -u --role embed site/",
            ),
            example(
                "Count the links to each host in a mailbox",
                "rehref extract --count-by host list.mbox",
            ),
            example(
                "Pass links as JSON to jq",
                "rehref extract --json site/ | jq -r 'select(.role == \"navigate\") | .uri // .ref'",
            ),
            example(
                "Print a list of places for an editor: vim -q links.txt",
                "rehref extract --format vimgrep --host mill.example site/ > links.txt",
            ),
            example(
                "Print the links of a page of the web",
                "curl -sL https://bakery.example/ | rehref extract --base https://bakery.example/ -",
            ),
        ],
        exit_codes: &[
            ("0", "done, also without a link"),
            ("1", "no link was found (-q)"),
            UNREADABLE,
            INTERRUPTED,
        ],
    },
    Page {
        name: "rewrite",
        usage: "rehref rewrite RULE... [PATH|-]...",
        examples: &[
            example(
                "Show what a change of domain would change, as a diff",
                "rehref rewrite --map http://mill.example=https://flour.example site/",
            ),
            example(
                "Change the files",
                "rehref rewrite -w --map http://mill.example=https://flour.example site/",
            ),
            example("Undo that", "rehref rewrite --undo site/"),
            example(
                "Make a downloaded copy work offline, as a new tree",
                "rehref rewrite --mirror https://bakery.example/=copy -o offline copy",
            ),
            example(
                "Make the links of a site relative",
                "rehref rewrite --relative --base http://bakery.example/=site site/",
            ),
            example(
                "Make the links of a page absolute, in a pipe",
                "rehref rewrite --absolute --base http://bakery.example/ - < page.html > absolute.html",
            ),
        ],
        exit_codes: EDITING,
    },
    Page {
        name: "move",
        usage: "rehref move SRC... DST | --undo",
        examples: &[
            example(
                "Show what moving a page would change, as a diff",
                "rehref move --root site site/bread.html site/shop/bread.html",
            ),
            example(
                "Move it, with redirects from the old address",
                "rehref move -w --redirects netlify --root site site/bread.html site/shop/bread.html",
            ),
            example("Undo that", "rehref move --undo --root site"),
            example(
                "Move the files in a list of old,new rows",
                "rehref move -w --root site --from-list moves.csv",
            ),
            example(
                "Update references to a file that was moved before",
                "rehref move --root copy --moved copy/bread.html=copy/loaf.html",
            ),
            example(
                "Update references to all files that git shows as renamed since main",
                "rehref move -w --root docs --from-git main",
            ),
        ],
        exit_codes: EDITING,
    },
    Page {
        name: "check",
        usage: "rehref check [PATH]...",
        examples: &[
            example("Find broken links", "rehref check site/"),
            example(
                "Check documentation by the rules of its site generator",
                "rehref check --site mkdocs docs/",
            ),
            example(
                "Treat absolute links to the site's own URL as local",
                "rehref check --base http://bakery.example/=site",
            ),
            example("Annotate a pull request on GitHub", "rehref check --format github site/"),
            example("List pages without links from other pages", "rehref check --orphans site/"),
            example(
                "Accept the broken links that are known",
                "rehref check --write-baseline known.txt site/",
            ),
            example("Then report only new ones", "rehref check --baseline known.txt site/"),
        ],
        exit_codes: &[("0", "no broken links"), ("1", "broken links"), UNREADABLE, INTERRUPTED],
    },
    Page {
        name: "linkify",
        usage: "rehref linkify [PATH|-]",
        examples: &[
            example(
                "Turn plain text into HTML with links",
                "rehref linkify notes.txt > notes.html",
            ),
            example(
                "Make links in a page, but not in its code",
                "rehref linkify --skip pre,code page.html > linked.html",
            ),
            example(
                "Also make links of www.a.example and of mail addresses",
                "rehref linkify --abbreviated --emails notes.txt > contacts.html",
            ),
            example(
                "Rejoin URLs that were broken over lines, also without brackets",
                "rehref linkify --join guess notes.txt > joined.html",
            ),
            example(
                "Make links in a comment of a user, in a pipe",
                "echo '<p>See https://bakery.example/bread' | rehref linkify --media html --rel 'nofollow ugc' -",
            ),
        ],
        exit_codes: &[
            ("0", "done, also without a link"),
            ("2", "the command line is wrong, or the document could not be read"),
            INTERRUPTED,
        ],
    },
    Page {
        name: "report",
        usage: "rehref report PATH... -o FILE.html",
        examples: &[
            example(
                "See the links of a page in its source",
                "rehref report page.html -o links.html",
            ),
            example(
                "See the links, broken links, hosts and directories of a site",
                "rehref report site/ -o links.html",
            ),
            example(
                "See what a change of domain would change",
                "rehref report --map http://mill.example=https://flour.example site/ -o plan.html",
            ),
            example(
                "See what moving a directory would change",
                "rehref report --move site/news site/archive site/ -o plan.html",
            ),
            example(
                "See the links of the messages in a mailbox",
                "rehref report list.mbox -o links.html",
            ),
        ],
        exit_codes: &[("0", "done, also with broken links"), UNWRITABLE, INTERRUPTED],
    },
    Page {
        name: "unpack",
        usage: "rehref unpack ARCHIVE... -o DIR",
        examples: &[
            example(
                "Unpack the newest capture of each page, with links between files",
                "rehref unpack bakery.warc.gz -o offline",
            ),
            example(
                "See what an archive has, and write nothing",
                "rehref unpack -n bakery.warc.gz -o offline",
            ),
            example(
                "Unpack the site as it was in May 1997, so that a browser fetches nothing from it",
                "rehref unpack --date 1997-05 --missing local bakery.warc.gz -o may",
            ),
            example(
                "Also unpack error pages, and replace files with another content",
                "rehref unpack --errors --force bakery.warc.gz -o offline",
            ),
            example(
                "List the URLs that pages refer to and that the archive lacks",
                "rehref unpack -n --json bakery.warc.gz -o offline | jq -r 'select(.type == \"missing\") | .uri'",
            ),
        ],
        exit_codes: &[DONE, UNWRITABLE, INTERRUPTED],
    },
    Page {
        name: "resolve",
        usage: "rehref resolve BASE [REF|-]...",
        examples: &[
            example(
                "Resolve references",
                "rehref resolve http://bakery.example/news/1997.html ../bread.html '?month=5'",
            ),
            example(
                "Find the shortest reference from a page to another",
                "rehref resolve --relative http://bakery.example/news/1997.html http://bakery.example/bread.html",
            ),
            example(
                "Resolve each line of a file",
                "rehref resolve http://bakery.example/ < references.txt",
            ),
            example(
                "Print the step of RFC 3986 that decided",
                "rehref resolve --explain http://bakery.example/news/ ../../bread.html",
            ),
            example(
                "Resolve as browsers do",
                "rehref resolve --profile whatwg http://bakery.example/news/ '\\bread.html'",
            ),
        ],
        exit_codes: &[DONE, ("1", "a reference has no target"), UNREADABLE, INTERRUPTED],
    },
    Page {
        name: "parse",
        usage: "rehref parse [URI|-]...",
        examples: &[
            example("Split a URI", "rehref parse 'http://bakery.example:8080/bread?kind=rye#top'"),
            example(
                "Print the hosts of a list of URIs",
                "rehref parse --json < urls.txt | jq -r '.host // empty'",
            ),
            example(
                "Normalize URIs, to compare them",
                "rehref parse --json < urls.txt | jq -r .normalized.scheme",
            ),
            example(
                "Validate by the grammar of browsers",
                "rehref parse --profile whatwg 'http://bakery.example/a b'",
            ),
            example(
                "Split a URL by its scheme, as in RFC 1738",
                "rehref parse --profile rfc1738 'ftp://ftp.mill.example/price-lists/rye;type=a'",
            ),
        ],
        exit_codes: &[DONE, ("1", "an input is invalid"), UNREADABLE, INTERRUPTED],
    },
    Page {
        name: "man",
        usage: "rehref man [COMMAND] [-o DIR]",
        examples: &[
            example("Read the manual of a command", "rehref man rewrite | man -l -"),
            example("Write a page for each command", "rehref man -o man1"),
        ],
        exit_codes: &[DONE, UNWRITABLE],
    },
    Page {
        name: "completions",
        usage: "rehref completions SHELL",
        examples: &[
            example(
                "Complete in bash, with `source rehref.bash` in ~/.bashrc",
                "rehref completions bash > rehref.bash",
            ),
            example(
                "Complete in zsh, from a directory of $fpath",
                "rehref completions zsh > _rehref",
            ),
            example(
                "Complete in fish, from ~/.config/fish/completions/",
                "rehref completions fish > rehref.fish",
            ),
        ],
        exit_codes: &[DONE, UNWRITABLE],
    },
    Page {
        name: "schema",
        usage: "rehref schema",
        examples: &[
            example("Write the schema to a file", "rehref schema > records.json"),
            example("List the roles of links", "rehref schema | jq -r '.\"$defs\".role.enum[]'"),
        ],
        exit_codes: &[DONE, UNWRITABLE],
    },
];
