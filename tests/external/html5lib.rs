//! The pages of html5lib's tests of tree builders. They have few links, so each is read again with
//! link attributes on every tag.

use std::fs;
use std::path::{Path, PathBuf};

use crate::needs::shared;
use crate::support::dom_oracle::{SCRIPTING, difference, page_of};

pub(crate) const DATA: &str = "data/html5lib/tree-construction";

struct Case {
    html: String,
    /// True if scripting is on; `None` if it makes no difference.
    scripting: Option<bool>,
}

/// The cases of a file. A case is `#data`, the page, `#errors`, and further sections:
/// `#document-fragment` for a fragment, `#script-on` and `#script-off`.
fn cases(text: &str) -> Vec<Case> {
    let text = format!("\n{text}");
    let cases = text.split("\n#data\n").skip(1).filter_map(|case| {
        // An empty page leaves no line between the two.
        let (html, rest) =
            case.split_once("\n#errors").or_else(|| Some(("", case.strip_prefix("#errors")?)))?;
        let (head, _) = rest.split_once("\n#document\n")?;
        let has = |section: &str| head.lines().any(|line| line == section);
        let scripting = match (has("#script-on"), has("#script-off")) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        // Fragments are parsed in the context of an element, documents are not.
        let html = html.to_owned();
        (!has("#document-fragment")).then_some(Case { html, scripting })
    });
    cases.collect()
}

/// Elements whose attributes the tree builder compares. With numbered attributes no two would be
/// equal.
const FORMATTING: [&str; 13] =
    ["b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];

/// The page with numbered link attributes after everything that looks like the name of a start tag.
fn linked(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    let mut number = 0;
    while let Some(at) = rest.find('<') {
        let name = at + 1;
        let ends = |it: char| it.is_ascii_whitespace() || it == '/' || it == '>';
        let end = rest[name..].find(ends).map(|len| name + len);
        let end = end.filter(|&end| {
            let name = &rest[name..end];
            let lower = name.to_ascii_lowercase();
            name.starts_with(|it: char| it.is_ascii_alphabetic())
                && !name.contains('<')
                && !FORMATTING.contains(&&*lower)
        });
        let Some(end) = end else {
            out.push_str(&rest[..name]);
            rest = &rest[name..];
            continue;
        };
        number += 1;
        out.push_str(&rest[..end]);
        let attributes = [
            "href", "src", "background", "action", "data", "xlink:href", "cite", "manifest",
            "profile",
        ];
        for attribute in attributes {
            out.push_str(&format!(" {attribute}={}{number}", &attribute[..1]));
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

pub(crate) fn html5lib_pages_have_the_links_of_their_dom() {
    let (mut compared, mut failed) = (0, 0);
    let mut failures = Vec::new();
    for file in files(&shared(DATA)) {
        let bytes = fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        for case in cases(&String::from_utf8_lossy(&bytes)) {
            let modes =
                SCRIPTING.iter().filter(|&&it| case.scripting.is_none_or(|only| only == it));
            for (html, &scripting) in
                modes.flat_map(|it| [(case.html.clone(), it), (linked(&case.html), it)])
            {
                compared += 1;
                if let Some(difference) = difference(&page_of(&html), scripting) {
                    failed += 1;
                    let file = file.file_name().unwrap_or_default().display();
                    failures.push(format!("{file}: {difference}\n  in {html:?}"));
                }
            }
        }
    }
    assert!(compared > 0, "{DATA} has no cases");
    failures.sort_by_key(String::len);
    failures.truncate(12);
    assert!(failures.is_empty(), "{failed} of {compared}, the shortest:\n{}", failures.join("\n"));
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let walk = walkdir::WalkDir::new(directory).sort_by_file_name();
    let paths = walk.into_iter().map(|it| it.expect("readable").into_path());
    paths.filter(|it| it.extension().is_some_and(|it| it == "dat")).collect()
}
