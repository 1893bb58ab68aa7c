//! What is read from the tree of a page: verification, and the contexts of links.

use std::fs;
use std::process::{Command, Output, Stdio};

use proptest::prelude::*;
use rehref::bytes::Span;
use rehref::document::{Document, Links};
use rehref::format::Options;
use rehref::link::{LinkData, Target};
use rehref::rewrite::{Decision, Mapper, OutputBases, Plan, Rule, Rules, SkipReason};
use rehref::uri::Base;

use crate::edit_laws::{config, page_of, pages, rules, rules_of};
use crate::html_soup::wild_soup;
use crate::linear;

/// Rules for all links except the one at this span.
struct AllBut(Rules, Span);

impl Mapper for AllBut {
    fn output_bases(&self, links: &Links<'_>) -> Option<OutputBases> {
        self.0.output_bases(links)
    }

    fn map<'t>(
        &self,
        document: &Document,
        link: &LinkData<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
    ) -> Decision<'t> {
        match link.extent() == self.1 {
            true => Decision::Keep(SkipReason::NoRule),
            false => self.0.map(document, link, target, base),
        }
    }
}

/// Checks that the plan of a rule verifies, and that damaged results do not.
fn plans_hold(
    document: &Document,
    rule: Rule,
    at: prop::sample::Index,
) -> Result<(), TestCaseError> {
    let options = Options::default();
    let found = document.links_with(&options);
    let plan = Plan::new(&found, &rules_of(rule.clone()));
    let edited = plan.bytes();
    let verified = plan.verify_bytes(edited);
    prop_assert!(verified.is_ok(), "{verified:?}: {:?}", String::from_utf8_lossy(edited));

    // One edit is missing, or one is not in the plan.
    if let Some(edit) = plan.edits().iter().last() {
        let end = edited.len() - (document.bytes().len() - edit.span.end);
        let old = &document.bytes()[edit.span.range()];
        let link = found.found().link(edit.link).expect("a link");
        let others = AllBut(rules_of(rule), link.extent());
        let others = Plan::new(&found, &others);
        let mut broken = edited.to_vec();
        broken.splice(end - edit.new.len()..end, old.iter().copied());
        prop_assert!(plan.verify_bytes(&broken).is_err());
        prop_assert!(others.verify_bytes(edited).is_err());
    }
    // One byte is missing. The result may be equivalent, so only panics count.
    if !edited.is_empty() {
        let mut broken = edited.to_vec();
        broken.remove(at.index(edited.len()));
        let _ = plan.verify_bytes(&broken);
    }

    let contexts = document.contexts(&options);
    for link in &found.found().links {
        prop_assert!(contexts.of_link(link).is_some());
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn plans_verify_and_damaged_results_do_not(
        page in pages(), rule in 0usize..5, at in any::<prop::sample::Index>(),
    ) {
        plans_hold(&page.document, rules().swap_remove(rule), at)?;
    }

    #[test]
    fn plans_of_wild_soup_verify(
        html in wild_soup(), rule in 0usize..5, at in any::<prop::sample::Index>(),
    ) {
        let page = page_of(html.into_bytes(), "utf-8");
        plans_hold(&page, rules().swap_remove(rule), at)?;
    }
}

#[test]
fn verifying_hostile_pages_costs_linear_time() {
    for (first, unit, last) in [
        ("", "<div>", ""),
        ("", "<a href=x>", ""),
        ("", "<b>", ""),
        ("", "<b><p>", ""),
        ("", "<a href=x><p></a>", ""),
        ("", "<h1>x<a href=x>y</a>", ""),
        ("", "<h1>x</h1>", ""),
        ("<table>", "<b></b>", ""),
        ("<table>", "<b>x</b>", ""),
        ("<table>", "x<tr>", ""),
        ("", "<table>x", ""),
        ("<select>", "<option></option>", ""),
        ("<select><selectedcontent>", "<option>x", ""),
        ("<img title='", "x", "' srcset='a, b, c'>"),
        ("<img srcset='", "x, ", "' alt=x>"),
        ("", "<template>", ""),
        ("", "<template><h1>x</h1><a href=x>y</a></template>", ""),
        ("", "<a href=x>x ", ""),
        ("<a href=x>", "x ", ""),
        ("<p>", "<!--x-->x", ""),
        ("<iframe srcdoc='", "<a href=x>y</a>", "'>"),
        ("<style>", "@import 'x';", ""),
    ] {
        linear::assert_linear(first, unit, last, |html| {
            let document = page_of(html.as_bytes().to_vec(), "utf-8");
            let options = Options::default();
            let found = document.links_with(&options);
            let contexts = document.contexts(&options);
            for link in &found.found().links {
                std::hint::black_box(contexts.of_link(link));
            }
            let plan = Plan::new(&found, &rules_of(Rule::Absolute));
            let edited = plan.bytes();
            let _ = std::hint::black_box(plan.verify_bytes(edited));
        });
    }
}

#[test]
fn unverifiable_pages_are_not_rewritten() {
    let directory = tempfile::tempdir().expect("a directory");
    let (deep, flat) = (directory.path().join("deep.html"), directory.path().join("flat.html"));
    let page = format!("{}<a href=x>t</a>", "<div>".repeat(20_000));
    fs::write(&deep, &page).expect("written");
    fs::write(&flat, "<a href=x>t</a>").expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rehref"));
    command.args(["rewrite", "-w", "--verify", "--absolute", "--base", "http://h/"]);
    let output = outcome(command.args([&deep, &flat]));
    assert_eq!(output.status.code(), Some(2));
    let messages = text(&output.stderr);
    let refused = "deep.html: unchanged, since verification failed: the page nests too deep to build its tree\n";
    assert!(messages.contains(refused), "{messages}");
    let summary = "rehref: changed 1 link in 1 file; 1 file failed verification; undo with: ";
    assert!(messages.contains(summary), "{messages}");
    assert_eq!(fs::read_to_string(&deep).expect("readable"), page);
    let flat = fs::read_to_string(&flat).expect("readable");
    assert_eq!(flat, "<a href=http://h/x>t</a>");

    let tree = directory.path().join("new");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rehref"));
    command.args(["rewrite", "--verify", "--absolute", "--base", "http://h/", "-o"]);
    let output = outcome(command.arg(&tree).arg(&deep));
    assert_eq!(output.status.code(), Some(2));
    let copy = fs::read_to_string(tree.join("deep.html")).expect("copied");
    assert_eq!(copy, page);

    let output = outcome(
        Command::new(env!("CARGO_BIN_EXE_rehref"))
            .args(["extract", "--context", "--json"])
            .arg(&deep),
    );
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains(r#""context":null"#));
}

fn outcome(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().expect("rehref runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
