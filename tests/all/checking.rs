//! `rehref check` with unusual names and texts.

use crate::support::tree::Tree;

/// A name that Windows does not allow, and that cargo cannot package.
#[cfg(unix)]
#[test]
fn delimiters_in_a_file_name_are_percent_encoded_in_links() {
    let folder = Tree::empty();
    let write = |name: &str, text: &str| {
        folder.write(name, text);
    };
    write("100% #1?.txt", "");
    write(
        "a.html",
        "<a href='100%25%20%231%3F.txt'>encoded</a> <a href='100% #1?.txt'>not encoded</a>",
    );
    let output = folder.run("check").ends(1);
    let text = output.out;
    assert_eq!(text, "a.html:1:53: 100% #1?.txt: missing\n");
}

#[test]
fn junit_report_is_well_formed_for_any_names() {
    let folder = Tree::empty();
    let names = [
        "a<&>\"'.html",
        "b\t\n\r.html",
        "c\u{1}\u{7F}\u{85}\u{2028}.html",
        "d\u{FFFE}\u{FFFF}]]>é.html",
        "e-->.html",
        "fine.html",
        "orphan.html",
    ];
    let page = "<a href='none&lt;&amp;&quot;'>1</a><a href='n\u{1}\u{FFFF}'>2</a>\
                <a href='fine.html'>3</a><a href='fine.html#no]]>'>4</a>";
    for name in names {
        let text = match name {
            "fine.html" => "<p>fine</p>".to_owned(),
            "orphan.html" => "<p>alone</p>".to_owned(),
            _ => page.to_owned(),
        };
        folder.write(name, text);
    }
    let text = folder.run("check --orphans --format junit").ends(1).out;
    let report = roxmltree::Document::parse(&text).expect("well-formed");

    let suites = report.root_element();
    assert_eq!(suites.tag_name().name(), "testsuites");
    let elements = |of: roxmltree::Node<'_, '_>| of.children().filter(|it| it.is_element()).count();
    assert_eq!(elements(suites), 1);
    let suite = suites.first_element_child().expect("a suite");
    assert_eq!(suite.tag_name().name(), "testsuite");
    let cases: Vec<_> = suite.children().filter(roxmltree::Node::is_element).collect();
    assert!(cases.iter().all(|it| it.tag_name().name() == "testcase"));
    let failed = cases.iter().filter(|it| it.has_children()).count();
    for counted in [suites, suite] {
        let number = |name| counted.attribute(name).and_then(|it| it.parse().ok());
        assert_eq!(number("tests"), Some(cases.len()), "{text}");
        assert_eq!(number("failures"), Some(failed), "{text}");
    }
    assert_eq!((cases.len(), failed), (7, 6));

    let replaced = |it: char| match it {
        '\t' | '\n' | '\r' => it,
        '\0'..='\x1F' | '\u{FFFE}' | '\u{FFFF}' => '\u{FFFD}',
        _ => it,
    };
    let mut expected: Vec<String> =
        names.iter().map(|name| name.chars().map(replaced).collect()).collect();
    expected.sort();
    let mut named: Vec<&str> = cases.iter().filter_map(|it| it.attribute("name")).collect();
    named.sort_unstable();
    assert_eq!(named, expected);
    for case in &cases {
        let failures = case.children().filter(roxmltree::Node::is_element);
        let failures: Vec<_> = failures
            .map(|it| {
                assert_eq!(it.tag_name().name(), "failure");
                assert!(it.attribute("message").is_some_and(|it| !it.is_empty()));
                it.attribute("type").expect("a type")
            })
            .collect();
        let expected: &[&str] = match case.attribute("name") {
            Some("fine.html") => &[],
            Some("orphan.html") => &["orphan"],
            _ => &["missing", "missing", "anchor", "orphan"],
        };
        assert_eq!(failures, expected, "{text}");
    }
}

#[test]
fn references_with_declared_entities_are_not_checked() {
    let folder = Tree::empty();
    let page = |link: &str| {
        let text = format!(
            "<!DOCTYPE html [<!ENTITY site \"there\">]>\n\
             <html xmlns=\"http://www.w3.org/1999/xhtml\"><a href=\"{link}\">1</a></html>"
        );
        folder.write("page.xhtml", text);
        let output = folder.run("check");
        (output.code, output.err)
    };
    for unknown in ["&site;.html", "caf&eacute;.html", "page.xhtml#&site;"] {
        let expected = "rehref: checked 1 file, 0 local links: 0 broken\n";
        assert_eq!(page(unknown), (0, expected.to_owned()), "{unknown}");
    }
    // Predefined entities are known, and other text is not a reference.
    for known in ["a&amp;b.html", "a&amp;site;.html", "a&#38;site;.html"] {
        let expected = "rehref: checked 1 file, 1 local link: 1 broken\n";
        assert_eq!(page(known), (1, expected.to_owned()), "{known}");
    }
}
