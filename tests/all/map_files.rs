//! Maps that come from files. What a link checker found, and the rows of a table, are not trusted.

use std::net::IpAddr;

use proptest::prelude::*;
use rehref::jobs::{CheckerReport, MapFile, RefusalReason, map_file};
use rehref::rewrite::{PrefixMap, PrefixMapError};
use rehref::{Document, Rules};
use serde_json::{Value, json};
use url::{Host, Url};

use crate::support::tree::{Has, Tree};
use crate::tier;

/// The report that a file has with this text.
fn report_of(text: &str) -> CheckerReport {
    report_in("report.json", text)
}

fn report_in(name: &str, text: &str) -> CheckerReport {
    let tree = Tree::new(&[(name, text)]);
    match map_file(&tree.at(name)).expect("a report") {
        MapFile::Report(report) => report,
        other => panic!("{other:?}"),
    }
}

/// A report of one redirect by these steps, with other keys.
fn redirect(old: &str, steps: &[(&str, u16)], mut report: Value) -> String {
    let steps: Vec<Value> =
        steps.iter().map(|(url, code)| json!({"url": url, "code": code})).collect();
    report["redirect_map"] = json!({"p.html": [{"origin": old, "redirects": steps}]});
    report.to_string()
}

/// A list of broken URLs.
fn broken(key: &str, url: &str, status: &Value) -> Value {
    json!({ key: {"p.html": [{"url": url, "status": status}]} })
}

#[test]
fn redirects_of_a_report_are_applied_only_where_they_are_harmless() {
    use RefusalReason::{
        Broken, HostName, Insecure, OtherScheme, PrivateHost, SiteRoot, UserInformation,
    };
    let old = "http://h.example/old";
    let not_found = json!({"text": "Rejected status code: 404 Not Found", "code": 404});
    let no_fragment = json!({"text": "Cannot find fragment", "details": "Cannot find fragment"});
    let timeout = json!({"text": "Timeout"});
    let nothing = json!({});
    let check = |old: &str,
                 steps: &[(&str, u16)],
                 report: &Value,
                 expected: Result<&str, RefusalReason>| {
        let text = redirect(old, steps, report.clone());
        let found = report_of(&text);
        let reasons: Vec<_> = found.refused.iter().map(|it| it.reason).collect();
        match expected {
            Ok(new) => {
                assert_eq!(found.replacements, [(old.to_owned(), new.to_owned())], "{text}");
                assert_eq!((found.redirects, reasons.len()), (1, 0), "{text}");
            }
            Err(reason) => {
                assert_eq!(found.replacements, [], "{text}");
                assert_eq!(reasons, [reason], "{text}");
            }
        }
    };
    // What a browser would follow.
    for (steps, new) in [
        (&[("http://h.example/new", 301)][..], "http://h.example/new"),
        (&[("https://n.example/new", 308)], "https://n.example/new"),
        (
            &[("http://h.example/a", 301), ("http://h.example/b?q=1&r=2", 308)],
            "http://h.example/b?q=1&r=2",
        ),
        (
            &[
                ("http://h.example/a", 301),
                ("http://h.example/b", 302),
                ("http://h.example/c", 301),
            ],
            "http://h.example/a",
        ),
        // Written as browsers read it, where other programs could read it differently.
        (&[("\thttp:\\\\n.example\\a b", 301)], "http://n.example/a%20b"),
        (&[("ht\ntps://n.example/a", 301)], "https://n.example/a"),
        (&[("http:n.example/a", 301)], "http://n.example/a"),
        (&[("http://h.example/%E2%80%A6", 301)], "http://h.example/%E2%80%A6"),
    ] {
        check(old, steps, &nothing, Ok(new));
    }
    // What scripts and markup give a meaning is encoded.
    for (old, new, written) in [
        ("/old", "/$(reboot)", "/%24%28reboot%29"),
        ("/old", "/a;reboot", "/a%3Breboot"),
        ("/old", "/a&reboot", "/a%26reboot"),
        ("/old", "/a'*!", "/a%27%2A%21"),
        ("/old", "/a|`b`\\", "/a%7C%60b%60/"),
        ("/old", "/a?`b`|'\"<>\\ ^{}[]", "/a?%60b%60%7C%27%22%3C%3E%5C%20%5E%7B%7D%5B%5D"),
        ("/old", "/a?b=$c;(d)&e", "/a?b=%24c%3B%28d%29&e"),
        ("/old", "/a#$(b)", "/a#%24%28b%29"),
        ("/a_(b)", "/c_(d)$", "/c_(d)%24"),
        ("/old", "/~a,b=c+d@e:f", "/~a,b=c+d@e:f"),
    ] {
        let [old, new, written] = [old, new, written].map(|it| format!("http://h.example{it}"));
        check(&old, &[(&new, 301)], &nothing, Ok(&written));
    }
    for host in ["$(reboot).example", "a;b.example", "a&b.example", "a'b.example", "a`b`.example"] {
        check(old, &[(&format!("http://{host}/new"), 301)], &nothing, Err(HostName));
    }
    // The redirect ends nowhere: the old or the new URL is broken, in any spelling.
    for key in ["error_map", "fail_map", "timeout_map"] {
        for url in [
            "http://h.example/old",
            "HTTP://H.example:80/./old",
            "http://h.example/new",
            "http://h.example/ne%77/../new",
        ] {
            for status in [&not_found, &timeout, &json!("Failed")] {
                check(
                    old,
                    &[("http://h.example/new", 301)],
                    &broken(key, url, status),
                    Err(Broken),
                );
            }
        }
    }
    // A missing fragment is not a missing page.
    let fragment = broken("error_map", "http://h.example/old#f", &no_fragment);
    check(old, &[("http://h.example/new", 301)], &fragment, Ok("http://h.example/new"));
    // The text of another finding may have the word in a URL.
    for status in [
        json!({"text": "Error: http://h.example/fragment", "details": "404"}),
        json!({"text": "Cannot find fragment", "details": "Connection refused"}),
        json!("Failed: http://h.example/fragment"),
    ] {
        check(
            old,
            &[("http://h.example/new", 301)],
            &broken("error_map", "http://h.example/old#f", &status),
            Err(Broken),
        );
    }
    let fragment = broken("error_map", "http://h.example/old#f", &not_found);
    check(old, &[("http://h.example/new", 301)], &fragment, Err(Broken));
    for new in strings![
        "javascript:alert(1)" "JAVA\tscript:alert(1)" "vbscript:x" "data:text/html,x"
        "ftp://h.example/new" "file:///etc/passwd" "mailto:a@h.example" "/new" "//h.example/new" ""
        "http://" "http://[::1" "urn:a:b" "view-source:http://h.example/"
    ] {
        check(old, &[(new, 301)], &nothing, Err(OtherScheme));
    }
    for new in ["http://u@h.example/new", "http://u:p@h.example/new", "http:/\\u:p@h.example/new"] {
        check(old, &[(new, 301)], &nothing, Err(UserInformation));
    }
    check(
        "http://u@h.example/old",
        &[("http://u@h.example/new", 301)],
        &nothing,
        Ok("http://u@h.example/new"),
    );
    for host in [
        "127.0.0.1", "127.1", "2130706433", "0x7f.0.0.1", "017700000001", "localhost",
        "LOCALHOST.", "a.localhost", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:a9fe:a9fe]",
        "169.254.169.254", "10.0.0.1", "172.20.1.1", "192.168.0.1", "0.0.0.0", "0", "[::]",
        "[fe80::1]", "[fd00::1]", "100.100.100.200", "router.local", "metadata.google.internal",
        "intranet", "１２７.0.0.1", "%6cocalhost", "169。254。169。254",
    ] {
        check(old, &[(&format!("http://{host}/new"), 301)], &nothing, Err(PrivateHost));
        check(old, &[(&format!("https://{host}:8443/new"), 301)], &nothing, Err(PrivateHost));
    }
    check(
        "http://10.0.0.1/old",
        &[("http://wiki.corp/new", 301)],
        &nothing,
        Ok("http://wiki.corp/new"),
    );
    check(
        "http://127.0.0.1:80/old",
        &[("http://localhost/new", 301)],
        &nothing,
        Ok("http://localhost/new"),
    );
    check(
        "http://127.0.0.1/old",
        &[("http://169.254.169.254/new", 301)],
        &nothing,
        Err(PrivateHost),
    );
    check("https://h.example/old", &[("http://h.example/new", 301)], &nothing, Err(Insecure));
    for root in [
        "http://h.example", "http://h.example/", "https://n.example/?from=old",
        "http://h.example/a/..", "http://h.example//", "http://h.example/#top",
    ] {
        check(old, &[(root, 301)], &nothing, Err(SiteRoot));
    }
    check("http://h.example/", &[("https://n.example/", 301)], &nothing, Ok("https://n.example/"));
    check("http://h.example/?id=1", &[("http://h.example/", 301)], &nothing, Err(SiteRoot));
    // Temporary, or without end.
    for steps in [
        &[("http://h.example/new", 302)][..],
        &[("http://h.example/a", 307), ("http://h.example/b", 301)],
    ] {
        let found = report_of(&redirect(old, steps, nothing.clone()));
        assert_eq!((found.replacements.len(), found.temporary), (0, 1));
    }
    let odd = r#"{"redirect_map": {"p": [{"origin": "http://h.example/old", "redirects": [{"url": "http://h.example/new", "code": "302"}]}]}}"#;
    assert_eq!(report_of(odd).temporary, 1);
}

#[test]
fn suggestions_of_a_report_are_pages_of_the_web() {
    let old = "https://h.example/gone";
    let suggestion = |new: &str| {
        let mut report = broken("error_map", old, &json!({"code": 404}));
        report["suggestion_map"] = json!({"p": [{"original": old, "suggestion": new}]});
        let found = report_of(&report.to_string());
        let reason = found.refused.first().map(|it| it.reason);
        (found.replacements.into_iter().map(|it| it.1).collect::<Vec<_>>(), reason)
    };
    // Archives have copies at http, too.
    for new in ["http://archive.example/2/https://h.example/gone", "https://n.example/"] {
        assert_eq!(suggestion(new), (vec![new.to_owned()], None));
    }
    for (new, reason) in [
        ("javascript:alert(1)", RefusalReason::OtherScheme),
        ("http://192.168.1.1/", RefusalReason::PrivateHost),
        ("http://u:p@h.example/a", RefusalReason::UserInformation),
    ] {
        assert_eq!(suggestion(new), (vec![], Some(reason)));
    }
}

#[test]
fn refused_replacements_are_counted_and_explained() {
    let report = json!({
        "error_map": {"p.html": [{"url": "http://h.example/b", "status": {"code": 404}}]},
        "redirect_map": {"p.html": [
            {"origin": "http://h.example/a", "redirects": [{"url": "javascript:alert(1)", "code": 301}]},
            {"origin": "http://h.example/a", "redirects": [{"url": "javascript:alert(1)", "code": 301}]},
            {"origin": "http://h.example/b", "redirects": [{"url": "http://h.example/c", "code": 301}]},
            {"origin": "http://h.example/d", "redirects": [{"url": "http://h.example/e", "code": 301}]}]}});
    let tree = Tree::new(&[
        ("p.html", "<a href=http://h.example/a>a</a> <a href=http://h.example/d>d</a>"),
        ("report.json", &report.to_string()),
    ]);
    let said = tree.ends(0, "rewrite --map-file report.json p.html");
    let counts = "report.json: 1 redirect and 0 suggestions to apply; 1 URL left: it is not a redirect between URLs of http or \
                  https; 1 URL left: the redirect ends at a broken URL\n  help: --explain lists them";
    said.has(counts);
    let said = tree.ends(0, "rewrite --explain --map-file report.json p.html");
    let lines = "report.json: http://h.example/a: not replaced by javascript:alert(1): it is not a redirect between URLs of http \
                 or https\nrehref: report.json: http://h.example/b: not replaced by http://h.example/c: the redirect ends at a \
                 broken URL\n";
    said.has(lines);
}

#[test]
fn redirects_of_a_report_add_no_separator_to_scripts() {
    let report = json!({"redirect_map": {"p": [
        {"origin": "http://h.example/a", "redirects": [{"url": "http://h.example/b?c&reboot", "code": 301}]},
        {"origin": "http://h.example/q?a&b", "redirects": [{"url": "http://h.example/r?a&b", "code": 301}]}]}});
    let tree = Tree::new(&[
        ("p.html", "<a href='http://h.example/a'>a</a>"),
        ("p.sh", "curl http://h.example/a\ncurl 'http://h.example/q?a&b'\n"),
        ("report.json", &report.to_string()),
    ]);
    tree.ends(0, "rewrite -w --map-file report.json p.html p.sh");
    let files = tree.files();
    assert_eq!(files["p.html"], "<a href='http://h.example/b?c&reboot'>a</a>");
    assert_eq!(files["p.sh"], "curl http://h.example/a\ncurl 'http://h.example/r?a&b'\n");
}

#[test]
fn redirects_of_linkchecker_have_the_status_after_their_url() {
    let report = |info: &str| {
        let text = format!(
            "urlname;parentname;base;result;warningstring;infostring;valid;url\n\
             http://h.example/a;http://h.example/;;200 OK;;\"{info}\";True;http://h.example/c\n"
        );
        let report = report_in("report.csv", &text);
        (report.replacements.len(), report.temporary)
    };
    let temporary = "Redirected to `http://h.example/c' status: 302 Found, 301 links.";
    assert_eq!(report(temporary), (0, 1));
    let permanent = "Redirected to `http://h.example/c' status: 301 Moved, 302 links.";
    assert_eq!(report(permanent), (1, 0));
}

#[test]
fn rows_of_a_table_write_no_script() {
    let page = "<a href=http://a.example/x>a</a> <a href=http://b.example/y>b</a> <a href=javascript://c.example/%0Az>c</a>";
    let rows = "http://a.example/x,javascript:alert(1)\nhttp://a.example,\" JAVA\tscript:alert(1)\"\n\
                http://b.example/y,http://n.example/\nhttp://b.example/z,vbscript:x\nhttp://b.example/q,DATA:text/html\n\
                javascript://c.example,d.example\n";
    let tree = Tree::new(&[("p.html", page), ("map.csv", rows)]);
    let output = tree.run("rewrite --map-file map.csv p.html").ends(0);
    let said = &output.err;
    let found = output.out;
    let added: Vec<_> =
        found.lines().filter(|it| it.starts_with('+') && !it.starts_with("+++")).collect();
    let new = page.replace("http://b.example/y", "http://n.example/");
    assert_eq!(added, [format!("+{new}")], "{found}");
    let counts =
        "map.csv:1:1: NEW has the scheme javascript: 5 rows left out\n  help: no row of a file";
    said.has(counts);
    let said = tree.ends(0, "rewrite --explain --map-file map.csv p.html");
    for line in [
        "map.csv:4:1: NEW has the scheme vbscript: row left out",
        "map.csv:6:1: NEW has the scheme javascript: row left out",
    ] {
        said.has(line);
    }
    // The user may.
    for rule in ["--map=http://a.example/x=javascript:f()", "--map-re=^http://a.*=javascript:f()"] {
        let output = tree.run(["rewrite", rule, "p.html"]);
        assert!(output.out.contains("javascript:f()"), "{rule}");
    }
}

/// Pieces of URLs that servers and other people could write.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "http://", "https://", "HTTP:", "//", "/", "\\", ":", "h.example", "n.example",
        "localhost", "127.1", "10.0.0.1", "[::1]", "u:p@", "@", ":80", ":", "java", "script:",
        "javascript:", "JaVaScRiPt:", "vbscript:", "data:", "dat", "a:", "\t", "\n", " ", "\u{1}",
        "a", "b", "/a", "..", "?q", "#f", "%0A", "%6A", "&colon;", "\u{feff}", "é", "$(a)", "`",
        "|", ";", "'", "&a", "alert(1)",
    ])
}

fn url() -> impl Strategy<Value = String> {
    let whole = prop::sample::select(vec![
        "http://h.example/a", "https://h.example/a", "http://h.example/b#f", "http://10.0.0.1/a",
        "http://u@h.example/a",
    ]);
    prop_oneof![
        2 => whole.prop_map(str::to_owned),
        3 => prop::collection::vec(piece(), 0..7).prop_map(|it| it.concat()),
        2 => prop::collection::vec(piece(), 0..4).prop_map(|it| format!("http://n.example/{}", it.concat())),
        2 => prop::collection::vec(piece(), 0..4).prop_map(|it| format!("javascript:{}", it.concat())),
    ]
}

fn report() -> impl Strategy<Value = Value> {
    let code = prop::sample::select(vec![
        json!(301),
        json!(301),
        json!(308),
        json!(302),
        json!("301"),
        Value::Null,
    ]);
    let steps = prop::collection::vec((url(), code), 1..3).prop_map(|steps| {
        let steps = steps.into_iter().map(|(url, code)| json!({"url": url, "code": code}));
        steps.collect::<Value>()
    });
    let redirect =
        (url(), steps).prop_map(|(old, steps)| json!({"origin": old, "redirects": steps}));
    let bare =
        prop::collection::vec(url(), 1..3).prop_map(|it| json!({"url": it[0], "redirects": it}));
    let suggestion =
        (url(), url()).prop_map(|(old, new)| json!({"original": old, "suggestion": new}));
    let broken = url().prop_map(|it| json!({"url": it, "status": {"code": 404}}));
    (
        prop::collection::vec(prop_oneof![3 => redirect, 1 => bare], 0..4),
        prop::collection::vec(suggestion, 0..2),
        prop::collection::vec(broken, 0..2),
    )
        .prop_map(|(redirects, suggestions, broken)| {
            json!({"redirect_map": {"p": redirects}, "suggestion_map": {"p": suggestions}, "error_map": {"p": broken}})
        })
}

/// As many cases as each tier has of a property that takes no time.
fn many() -> ProptestConfig {
    ProptestConfig { cases: tier::pick(2_000, 20_000), ..tier::cases(1) }
}

/// The links of a page with these references after a rewrite, as browsers read them.
fn rewritten(references: &[&str], map: PrefixMap) -> Vec<(String, Option<Url>)> {
    let page: String = references
        .iter()
        .map(|it| {
            let it = it.replace('&', "&amp;").replace('"', "&quot;");
            format!("<a href=\"{it}\">a</a>\n")
        })
        .collect();
    let document = Document::from_bytes(page.into_bytes()).url("http://base.example/p.html");
    let document = document.build().expect("a page");
    let links = document.links();
    let plan = links.rewrite(&Rules::new().prefix_map(map));
    let base = Url::parse("http://base.example/p.html").expect("a URL");
    let edits = plan.edits().iter();
    let new = edits.map(|edit| edit.reference.to_owned());
    new.map(|it| (it.clone(), base.join(&it).ok())).collect()
}

fn is_public(host: &Host<&str>) -> bool {
    let address = match host {
        Host::Domain(name) => {
            let name = name.trim_end_matches('.');
            let has_empty_label = name.split('.').any(str::is_empty);
            // A name without a dot is one of the own network.
            return name.contains('.') && !name.ends_with(".localhost") && !has_empty_label;
        }
        Host::Ipv4(address) => IpAddr::V4(*address),
        Host::Ipv6(address) => IpAddr::V6(*address),
    };
    !address.is_loopback() && !matches!(address, IpAddr::V4(it) if it.is_private())
}

proptest! {
    #![proptest_config(many())]

    #[test]
    fn reports_write_only_public_urls_of_the_web(report in report()) {
        let found = report_of(&report.to_string());
        let mut map = PrefixMap::default();
        for (number, (old, new)) in found.replacements.iter().enumerate() {
            let (before, after) = (Url::parse(old).expect("a URL"), Url::parse(new).expect("a URL"));
            prop_assert!(matches!(after.scheme(), "http" | "https"), "{}", new);
            for syntax in "$();'*!|`\"<>\\ ".chars() {
                prop_assert!(!new.contains(syntax) || old.contains(syntax), "{} to {}", old, new);
            }
            prop_assert!(number >= found.redirects || before.scheme() != "https" || after.scheme() == "https", "{}", new);
            let has_user = !after.username().is_empty() || after.password().is_some();
            prop_assert!(!has_user || before.username() == after.username() && before.password() == after.password(), "{}", new);
            let (host, old_host) = (after.host().expect("a host"), before.host().expect("a host"));
            prop_assert!(is_public(&host) || !is_public(&old_host), "{} to {}", old, new);
            prop_assert!(matches!(map.insert_exact(old, new), Ok(()) | Err(PrefixMapError::Duplicate)), "{} to {}", old, new);
        }
        let old: Vec<&str> = found.replacements.iter().map(|it| it.0.as_str()).collect();
        for (new, url) in rewritten(&old, map) {
            prop_assert!(url.is_some_and(|it| matches!(it.scheme(), "http" | "https")), "{}", new);
        }
    }

    #[test]
    fn tables_write_no_script(rows in prop::collection::vec((url(), url()), 1..5), links in prop::collection::vec(url(), 1..5)) {
        let mut map = PrefixMap::default();
        for (old, new) in &rows {
            let _: Result<(), PrefixMapError> = map.insert_of_file(old, new);
        }
        let old = rows.iter().map(|it| it.0.as_str()).chain(links.iter().map(String::as_str));
        for (new, url) in rewritten(&old.collect::<Vec<_>>(), map) {
            let is_active = url.is_some_and(|it| matches!(it.scheme(), "javascript" | "vbscript" | "data"));
            prop_assert!(!is_active, "{:?}", new);
        }
    }
}
