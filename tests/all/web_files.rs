//! Web app manifests, feeds in JSON, modules of scripts, and XML of any vocabulary, in trees of
//! files.

use crate::support::tree::{Has, Tree};

const MANIFEST: &str = "{\r\n \"start_url\": \"/play.html?s=1\",\r\n \"icons\": [{\"src\": \"img\\/a.png\"}],\r\n\
                         \"shortcuts\": [{\"name\": \"play.html\", \"url\" : \"play.html#new\"}]\r\n}\r\n";

#[test]
fn manifests_follow_moves() {
    for name in ["app.webmanifest", "manifest.json"] {
        let tree = Tree::new(&[(name, MANIFEST), ("play.html", "p"), ("img/a.png", "")]);
        tree.ends(0, ["move", "--root", ".", "-w", "play.html", "img", "new/"]);
        let expected = MANIFEST
            .replace("/play.html?", "/new/play.html?")
            .replace("play.html#", "new/play.html#")
            .replace("img\\/", "new/img\\/");
        assert_eq!(tree.files()[name], expected);
    }
}

#[test]
fn members_of_manifests_are_checked() {
    for name in ["app.webmanifest", "site.manifest.json"] {
        let tree = Tree::new(&[(name, MANIFEST), ("play.html", "<p id=new>")]);
        tree.ends(1, ["check", "."]).has("1 broken");
        assert!(tree.run("check .").out.contains("img/a.png: missing"));
    }
    let other = Tree::new(&[("data.json", MANIFEST), ("a.html", "a")]);
    other.ends(0, ["check", "."]);
}

#[test]
fn feeds_in_json_stay_absolute() {
    let feed = "{\"version\":\"https://jsonfeed.org/version/1.1\",\"icon\":\"/i.png\",\
                \"items\":[{\"id\":\"http://h.example/1\",\"url\":\"http://h.example/1\"}]}";
    let rewritten = |rule: &str| {
        let tree = Tree::new(&[("d/feed.json", feed)]);
        tree.run(format!("rewrite {rule} --base http://h.example/=. -w --no-journal ."));
        tree.files()["d/feed.json"].clone()
    };
    assert_eq!(rewritten("--relative"), feed);
    assert_eq!(rewritten("--absolute"), feed.replace("/i.png", "http://h.example/i.png"));
    // The id of an item never changes.
    let mapped = feed.replace("/i.png", "http://n.example/i.png");
    let mapped = mapped.replace("\"url\":\"http://h", "\"url\":\"http://n");
    assert_eq!(rewritten("--map h.example=n.example"), mapped);
}

#[test]
fn maps_leave_fragments_of_the_own_document() {
    let page = "<a href=\"#x\">x</a><a href=\"\">e</a><form action=\"#y\"></form>";
    let map =
        "rewrite --map old.example=new.example --base http://old.example/=. -w --no-journal .";
    let rewritten = |page: &str| {
        let tree = Tree::new(&[("a.html", page)]);
        tree.run(map);
        tree.files()["a.html"].clone()
    };
    assert_eq!(rewritten(page), page);
    // Under a BASE, it refers to another document.
    let based = "<base href=\"http://old.example/b\"><a href=\"#x\">x</a>";
    assert_eq!(
        rewritten(based),
        "<base href=\"http://old.example/b\"><a href=\"http://new.example/b#x\">x</a>"
    );
    let mixed = "<a href=\"#x\">x</a><a href=\"a.html#x\">y</a>";
    assert_eq!(rewritten(mixed), mixed.replace("a.html#x", "http://new.example/a.html#x"));
}

#[test]
fn only_maps_change_urls_of_other_vocabularies() {
    let xml = "<c xmlns:o=\"http://h.example/o\"><a u=\"http://h.example/a?b&amp;c\">See http://h.example/b.</a>\
               <o:d>http://h.example/o</o:d><e namespace='http://h.example/e'/></c>";
    let rewritten = |rule: &str| {
        let tree = Tree::new(&[("d/c.xml", xml)]);
        let said =
            tree.run(format!("rewrite {rule} --base http://h.example/=. -w --no-journal .")).err;
        (tree.files()["d/c.xml"].clone(), said)
    };
    for rule in ["--relative", "--root-relative"] {
        let (text, said) = rewritten(rule);
        assert_eq!(text, xml);
        said.has("2 links occurred in text");
    }
    let mapped = xml.replace("http://h.example/a", "https://n.example/a");
    let mapped = mapped.replace("http://h.example/b", "https://n.example/b");
    assert_eq!(rewritten("--map http://h.example=https://n.example").0, mapped);
}

#[test]
fn modules_that_a_script_loses_are_counted() {
    let script = "import a from './a.js';\nexport * from \"../lib/b.js\"; import('/c.js'); import 'd'; // './a.js'\n";
    let files = [
        ("js/main.js", script),
        ("js/a.js", ""),
        ("lib/b.js", ""),
        ("c.js", ""),
        ("page.html", "<script type=module src=js/main.js></script>"),
    ];
    for (moves, lost) in [
        ("js/a.js lib", Some(1)),
        ("c.js lib", Some(1)),
        ("js/main.js new/deep/", Some(2)),
        ("js scripts", None),
        ("page.html lib", None),
    ] {
        let tree = Tree::new(&files);
        let said = tree.run(format!("move --root . {moves}")).err;
        match lost {
            Some(lost) => {
                said.has(format!("imported modules that it loses: {lost}"));
            }
            None => {
                said.lacks("imported modules");
            }
        }
    }
}
