//! Documents that are too large, and the use of memory.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use rehref::document::Document;
use rehref::error::ErrorKind;
use rehref::format::{Format, Options};
use rehref::fs::journal::{ApplyOptions, Edit, PlanWriter, Root};
use rehref::fs::{Content, Item, ReadOptions, Reading};
use rehref::jobs::{Extract, ExtractEvent};

use crate::support::compressed::gzip;
use crate::support::tree::{Has, Ran, Tree};
use crate::tier;

fn written(tree: &Tree, name: &str, content: &[u8]) -> PathBuf {
    tree.write(name, content);
    tree.at(name)
}

/// Letters that compress badly.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let letters = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        b'A' + u8::try_from((state >> 24) % 50).expect("a letter")
    });
    letters.take(len).collect()
}

#[test]
fn compressed_page_inflates_up_to_the_limit() {
    let tree = Tree::empty();
    let (noise, blanks) = (noise(2 << 20), vec![b' '; 66 << 20]);
    let bytes = gzip([b"<a href=b>b</a>", &noise[..], &blanks].concat());
    assert!(bytes.len() as u64 * 200 > Format::Xml.max_inflated(), "the ratio does not stop it");
    for (name, most, shown) in [
        ("a.html.gz", Format::Html.max_inflated(), "32 MiB"),
        ("a.xml.gz", Format::Xml.max_inflated(), "64 MiB"),
    ] {
        let path = written(&tree, name, &bytes);
        let read = ReadOptions::default().read(&Item::Path(path));
        let Ok(Content::Damaged(document, error)) = read else { panic!("it is damaged") };
        assert_eq!(document.bytes().len() as u64, most);
        assert!(matches!(error.kind(), ErrorKind::InflatesTooFar { limit } if *limit == most));
        let end = format!("more than {shown}: not read any further (decompress it first)");
        assert!(error.to_string().ends_with(&end), "{error}");
    }
}

#[test]
fn too_long_document_is_an_error_but_text_is_streamed() {
    let tree = Tree::empty();
    let options = ReadOptions { max_document: 2 << 20, ..ReadOptions::default() };
    for name in ["a.html", "a.xml", "a.css", "a.txt"] {
        let path = written(&tree, name, &vec![b' '; (2 << 20) + 1]);
        let item = Item::Path(path);
        let whole = options.read(&item).map(|_| ());
        let error = whole.expect_err(name);
        assert!(matches!(error.kind(), ErrorKind::TooLong { limit: 0x20_0000 }), "{error}");
        let reading = options.read_or_stream(&item);
        match name {
            "a.txt" => assert!(matches!(reading, Ok(Reading::Stream(_))), "{reading:?}"),
            _ => assert!(reading.is_err(), "{name}"),
        }
        let path = written(&tree, name, &vec![b' '; 2 << 20]);
        assert!(options.read_or_stream(&Item::Path(path)).is_ok(), "{name}");
    }
}

#[test]
fn compressed_text_is_streamed() {
    let tree = Tree::empty();
    let line = b"See http://a.example/1 and <http://b.example/2>.\n".repeat(50_000);
    tree.write("a.txt", &line);
    let packed = written(&tree, "a.txt.gz", &gzip(&line));
    let options = ReadOptions::default();
    let reading = options.read_or_stream(&Item::Path(packed));
    assert!(matches!(reading, Ok(Reading::Stream(_))), "{reading:?}");
    let expected = tree.prints("extract -bn a.txt");
    assert_eq!(expected.lines().count(), 100_000);
    assert!(tree.prints("extract -bn a.txt.gz") == expected, "the links of the text");
}

/// Of each change, only the line of the journal is held.
#[test]
fn planned_edits_hold_no_copy_of_their_changes() {
    let tree = Tree::empty();
    let root = Root::new(tree.path()).expect("a root");
    let (count, old_url, new_url) =
        (20_000, "http://old.example/page/1", "http://new.example/page/1");
    let old = format!("{old_url}\n").repeat(count).into_bytes();
    let path = written(&tree, "a.txt", &old);
    let changes = (0..count).map(|number| {
        let start = number * (old_url.len() + 1);
        (start..start + old_url.len(), new_url.as_bytes())
    });
    let mut edit = None;
    let taken = allocation_counter::measure(|| {
        edit = Some(Edit::new(&root, &path, &old, changes, None));
    });
    assert!(edit.expect("it ran").is_ok());
    let of_change = taken.bytes_max / count as u64;
    assert!(of_change < 200, "{of_change} bytes for each change");
}

/// Of an edited file, the old content and the changes are held.
#[test]
fn applied_edits_hold_no_copy_of_the_new_content() {
    let tree = Tree::empty();
    let root = Root::new(tree.path()).expect("a root");
    let (count, old_url, new_url) = (5_000, "http://old.example/", "http://new.example/");
    let old = format!("{old_url} {}\n", "words ".repeat(150)).repeat(count).into_bytes();
    let path = written(&tree, "a.txt", &old);
    let changes = (0..count).map(|number| {
        let start = number * (old.len() / count);
        (start..start + old_url.len(), new_url.as_bytes())
    });
    let edit = Edit::new(&root, &path, &old, changes, None).expect("an edit");
    let mut plan = PlanWriter::begin(&root).expect("a plan");
    plan.edit(edit).expect("planned");
    let run = plan.finish().expect("a run").expect("with a step");
    let options = ApplyOptions::default();
    let taken = allocation_counter::measure(|| {
        assert!(run.apply(&options).expect("applied").problems.is_empty());
    });
    let most = old.len() as u64 + 200 * count as u64;
    assert!(taken.bytes_max < most, "{} of {most}", taken.bytes_max);
    assert_eq!(tree.bytes(&path).len(), old.len());
}

/// Documents full of links: a name, what they begin with, what is repeated, its number of links,
/// and what they end with.
const FULL_OF_LINKS: [(&str, &str, &str, usize, &str); 44] = [
    ("body.html", "<body>", "<a href=http://a.example/b>c</a>\n", 1, ""),
    ("no-body.html", "", "<a href=http://a.example/b>c</a>\n", 1, ""),
    ("unclosed.html", "", "<a href=b>", 1, ""),
    ("tree.html", "<td background=b>", "<a href=http://a.example/b>c</a>\n", 1, ""),
    (
        "nested.html",
        "<td background=b>",
        "<b><i><a href=c></b><table><a href=d><td>e</table>\n",
        2,
        "",
    ),
    (
        "select.html",
        "<td background=b>",
        "<select><option><a href=c></select><svg><a href=d></svg>\n",
        2,
        "",
    ),
    ("template.html", "<td background=b>", "<template><a href=c></a></template>", 1, ""),
    ("bases.html", "<td background=b>", "<base href=c>", 1, ""),
    ("deep.html", "<td background=b>", "<div><a href=c></a>", 1, ""),
    (
        "frameset.html",
        "",
        "<a href=http://a.example/b></a>\n",
        1,
        "d<frameset><frame src=e></frameset>",
    ),
    ("style.html", "<style>", "a{b:url(http://a.example/b)}\n", 1, "</style>"),
    ("attribute.html", "<p style='", "b:url(http://a.example/b);\n", 1, "'>"),
    ("srcset.html", "<img srcset='", "http://a.example/b 1x,\n", 1, "'>"),
    ("ping.html", "<a href=b ping='", "http://a.example/b \n", 1, "'>"),
    (
        "data.html",
        "<script type=application/ld+json>[",
        "{\"url\": \"http://a.example/b\"},\n",
        1,
        "0]</script>",
    ),
    (
        "inner.html",
        "<body><iframe srcdoc='",
        "<a href=http://a.example/b>c</a>\n",
        1,
        "'></iframe>",
    ),
    (
        "inner-base.html",
        "<body><iframe srcdoc='<td background=b>",
        "<a href=b>c</a>\n",
        1,
        "<base href=http://a.example/><base href=d>'></iframe>",
    ),
    ("text.html", "<p>", "See http://a.example/b there.\n", 1, ""),
    ("sheet.css", "", "a{b:url(http://a.example/b)}\n", 1, ""),
    ("imports.css", "", "@import 'http://a.example/b\\63 ';\n", 1, ""),
    (
        "sitemap.xml",
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>",
        "<url><loc>http://a.example/b</loc></url>\n",
        1,
        "</urlset>",
    ),
    (
        "feed.xml",
        "<rss><channel>",
        "<item><link>http://a.example/b</link><description>&lt;a href=c></description></item>\n",
        2,
        "",
    ),
    (
        "item.xml",
        "<rss><channel><item><description><![CDATA[",
        "<a href=http://a.example/b>c</a>\n",
        1,
        "]]></description></item></channel></rss>",
    ),
    (
        "page.xhtml",
        "<html xmlns='http://www.w3.org/1999/xhtml'>",
        "<p style='a:url(b)'><a href='http://a.example/b'>c</a></p>\n",
        2,
        "",
    ),
    (
        "drawing.svg",
        "<svg xmlns='http://www.w3.org/2000/svg'><style>",
        "a{b:url(http://a.example/b)}\n",
        1,
        "</style></svg>",
    ),
    ("links.md", "", "[a](http://a.example/b) and <http://a.example/c>\n\n", 2, ""),
    ("table.md", "| a |\n|---|\n", "| ![a](http://a.example/b) |\n", 1, ""),
    (
        "text.md",
        "",
        "[a](http://a.example/b) and what else was to be said there about it\nand http://a.example/c, so to speak, with more words in this line, too\n",
        2,
        "",
    ),
    ("markup.md", "<div>\n", "<a href='http://a.example/b'>c</a>\n", 1, ""),
    (
        "notebook.ipynb",
        "{\"cells\": [",
        "{\"cell_type\": \"markdown\", \"source\": [\"[a](http://a.example/b)\"]},\n",
        1,
        "{}]}",
    ),
    ("text.txt", "", "See http://a.example/b there.\n", 1, ""),
    ("colors.txt", "", "See \x1B[1mhttp://a.example/b\x1B[m there.\n", 1, ""),
    ("cells.csv", "", "http://a.example/b,next\n", 1, ""),
    ("page.1", "", ".UR http://a.example/b\\-c\n.UE\n", 1, ""),
    ("pages.texi", "", "@uref{http://a.example/b@@c}\n", 1, ""),
    ("paper.tex", "", "\\url{http://a.example/b\\_c}\n", 1, ""),
    ("messages.po", "", "msgid \"http://a.example/b\\\"c\"\n", 1, ""),
    ("code.c", "", "\"\\x41\\x42\\x43\\x44\" \"http://a.example/b\\x63\";\n", 1, ""),
    ("code.py", "", "u = 'http://a.example/b\\x63'\n", 1, ""),
    ("names.properties", "", "a=http\\://a.example/b\n", 1, ""),
    ("event.ics", "BEGIN:VCALENDAR\n", "URL:http://a.example/b\r\n c\\,d\n", 1, ""),
    (
        "change.diff",
        "--- a/a.json\n+++ b/a.json\n@@ -1,99999999 +1,99999999 @@\n",
        " \"http:\\/\\/a.example\\/b\",\n",
        1,
        "",
    ),
    ("a.url", "[InternetShortcut]\n", "URL=http://a.example/b\n", 1, ""),
    ("a.desktop", "[Desktop Entry]\nType=Link\n", "URL=http://a.example/b\n", 1, ""),
];

/// Such a document, and its number of links.
fn full_of_links(
    (name, first, unit, links, last): (&str, &str, &str, usize, &str),
    len: usize,
) -> (Document, usize) {
    let count = len / unit.len();
    let text = format!("{first}{}{last}", unit.repeat(count));
    let document = Document::new(name, text.into_bytes());
    let mut options = Options { html_text: name == "text.html", ..Options::default() };
    options.extra.json = true;
    (document.with_options(options), links * count)
}

/// Links are delivered as they are found, also where the tree of a page decides.
#[test]
fn reading_takes_no_memory_for_links() {
    for case in FULL_OF_LINKS.into_iter().step_by(tier::pick(3, 1)) {
        let (document, expected) = full_of_links(case, tier::pick(512 << 10, 4 << 20));
        let mut links = 0;
        let taken = allocation_counter::measure(|| {
            document.each_link(|_| links += 1);
        });
        let name = document.path().display();
        assert!((expected..expected + 3).contains(&links), "{name}: {links} of {expected}");
        assert!(taken.bytes_max < 2 << 20, "{name}: {} bytes", taken.bytes_max);
    }
}

/// The text of a cell is a copy, since its characters are spelled as JSON.
#[test]
fn a_notebook_of_one_cell_holds_its_text_and_no_links() {
    let case = (
        "cell.ipynb",
        "{\"cells\": [{\"cell_type\": \"markdown\", \"source\": [",
        "\"<http://a.example/b>  <http://a.example/b>  <http://a.example/b>  <http://a.example/b>\\n\",\n",
        4,
        "\"\"]}]}",
    );
    let (document, expected) = full_of_links(case, tier::pick(512 << 10, 4 << 20));
    let mut links = 0;
    let taken = allocation_counter::measure(|| {
        document.each_link(|_| links += 1);
    });
    assert_eq!(links, expected);
    let most = 5 * document.bytes().len() as u64;
    assert!(taken.bytes_max < most, "{} bytes", taken.bytes_max);
}

/// The output about a document is delivered in pieces.
#[test]
fn a_run_holds_the_document_and_no_links() {
    let tree = Tree::empty();
    for case in FULL_OF_LINKS.into_iter().step_by(tier::pick(8, 1)) {
        // A shorter document has one piece.
        let (document, expected) = full_of_links(case, tier::pick(9 << 18, 8 << 20));
        let (name, len) = (document.path().to_owned(), document.bytes().len() as u64);
        let path = written(&tree, case.0, document.bytes());
        drop(document);
        let mut extract = Extract::new().path(path);
        extract.inputs.threads = NonZeroUsize::MIN;
        extract.options.html_text = case.0 == "text.html";
        extract.options.extra.json = true;
        let mut output = 0;
        let taken = allocation_counter::measure(|| {
            extract.run(
                |event, piece: &mut Vec<u8>| {
                    if let ExtractEvent::Link(link, _) = event {
                        piece.resize(piece.len() + 200, 0);
                        piece.push(u8::from(link.line() > 0));
                    }
                },
                |piece| {
                    output += piece.len();
                    std::ops::ControlFlow::Continue(())
                },
            );
        });
        assert!(output >= 201 * expected, "{}", name.display());
        let most = len + (2 << 20);
        assert!(taken.bytes_max < most, "{}: {} bytes", name.display(), taken.bytes_max);
    }
}

#[cfg(target_os = "linux")]
mod limited {
    use std::process::Command;

    use super::*;

    /// The result of a run with this limit of its address space, in KiB.
    fn run(tree: &Tree, limit: u32, arguments: &str) -> Ran {
        let rehref = env!("CARGO_BIN_EXE_rehref");
        let script = format!("ulimit -v {limit}; exec '{rehref}' {arguments}");
        Ran::of(Command::new("sh").args(["-c", &script]).current_dir(tree.path()))
    }

    /// A page of 40 MB full of links, between two small ones.
    fn pages() -> Tree {
        let link = "<a href='http://b.example/'>b</a>\n";
        Tree::new(&[
            ("a.html", "<a href='http://a.example/'>a</a>"),
            ("b.html", &link.repeat(1_200_000)),
            ("c.html", "<a href='http://c.example/'>c</a>"),
        ])
    }

    const TOO_LONG: &str = "b.html: longer than 15 MiB, the most that is read into memory: skipped";

    #[test]
    fn page_beyond_memory_is_an_error_of_its_own() {
        let tree = pages();
        let output = run(&tree, 500_000, "extract a.html b.html c.html").ends(2);
        assert_eq!(output.out, "http://a.example/\nhttp://c.example/\n", "{}", output.err);
        output.err.has(TOO_LONG);
        let output = run(&tree, 500_000, "check --base http://d.example/ .");
        output.err.has(TOO_LONG).has("checked 2 files");
    }

    #[test]
    fn page_beyond_memory_is_copied_unchanged() {
        let (tree, out) = (pages(), Tree::empty());
        let map = "rewrite --map http://a.example=http://n.example";
        let to = out.at("out").display().to_string();
        run(&tree, 500_000, &format!("{map} -o '{to}' .")).ends(2).err.has(TOO_LONG);
        assert!(out.read("out/b.html") == tree.read("b.html"), "the page is a copy");
        assert_eq!(out.read("out/a.html"), "<a href='http://n.example/'>a</a>");
    }

    #[test]
    fn threads_beyond_memory_are_not_started() {
        let tree = Tree::empty();
        for number in 0..100 {
            let link = format!("<a href='http://a.example/{number}'>a</a>");
            tree.write(format!("{number:03}.html"), link);
        }
        let output = run(&tree, 200_000, "extract -j200 .");
        assert_eq!(output.lines().len(), 100);
    }
}
