//! Laws of documents whose base URLs change.

use rehref::document::{Document, Links};
use rehref::format::Options;
use rehref::link::{ParsedLink, Target};
use rehref::rewrite::{Decision, Mapper, OutputBases, SkipReason};
use rehref::source::{self, BaseFrom};
use rehref::uri::Base;

use crate::support::planned::Planned;

/// The document gets another URL, and all of its links keep their targets.
struct Move {
    to: &'static str,
    keeps_nested: bool,
}

impl Mapper for Move {
    fn output_bases(&self, links: &Links<'_>) -> Option<OutputBases> {
        let to = source::Base { uri: self.to.to_owned(), from: BaseFrom::Option };
        Some(OutputBases {
            base: match links.base() {
                base if base == links.document().base() => Some(to.clone()),
                base => base.cloned(),
            },
            retrieval: Some(to),
            keeps_nested: self.keeps_nested,
            ..OutputBases::default()
        })
    }

    fn map<'t>(
        &self,
        _: &Document,
        link: &ParsedLink<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
    ) -> Decision<'t> {
        let is_nested_base = link.place.markup().is_some_and(|it| it.attribute != "href");
        if link.role == rehref::link::Role::Base && is_nested_base && !self.keeps_nested {
            return Decision::Skip(SkipReason::Base);
        }
        let uri = target.uri.expect("it resolves");
        let reference = base.and_then(|base| base.relative_reference(uri));
        match reference {
            Some(reference) if reference == link.reference => Decision::Skip(SkipReason::Unchanged),
            reference => Decision::Replace {
                reference: reference.unwrap_or_else(|| uri.to_owned()).into(),
                uri: uri.into(),
                rule: "move",
            },
        }
    }
}

/// The page of `http://h/a/b` after it moves to `http://h/c`.
fn moved(html: &str, keeps_nested: bool) -> String {
    let document = Document::new("a.html", html.as_bytes().to_vec()).retrieved_from("http://h/a/b");
    let options = Options::default();
    let mapper = Move { to: "http://h/c", keeps_nested };
    let plan = Planned::new(&document.links_with(&options), &mapper);
    String::from_utf8(plan.bytes().to_vec()).expect("UTF-8")
}

#[test]
fn references_are_written_for_the_new_base() {
    assert_eq!(moved("<a href=d>", false), "<a href=a/d>");
    assert_eq!(moved("<a href=/a/d>", false), "<a href=a/d>");
    // BASE is relative to the document, and all other references to BASE.
    assert_eq!(
        moved("<html manifest=m><base href=x/><a href=d>", false),
        "<html manifest=a/m><base href=a/x/><a href=d>"
    );
}

#[test]
fn nested_bases_resolve_against_the_new_base_or_stay() {
    let page = "<object codebase=x/ data=d></object><object codebase=/x/ data=d></object>";
    assert_eq!(
        moved(page, false),
        "<object codebase=x/ data=/a/x/d></object><object codebase=/x/ data=d></object>"
    );
    assert_eq!(
        moved(page, true),
        "<object codebase=a/x/ data=d></object><object codebase=x/ data=d></object>"
    );
    let page = "<iframe srcdoc='<base href=x/><a href=d>'></iframe>";
    assert_eq!(moved(page, true), "<iframe srcdoc='<base href=a/x/><a href=d>'></iframe>");
}
