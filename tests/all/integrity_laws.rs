//! Removing hashes changes nothing else of a page.

use encoding_rs::UTF_16LE;
use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use proptest::prelude::*;
use proptest::sample::select;
use rehref::document::Document;
use rehref::format::Options;
use rehref::link::{ParsedLink, Target};
use rehref::rewrite::{Decision, Edit, Mapper, Plan, Rule, Rules};
use rehref::uri::Base;

use crate::tier;

/// Parts of pages.
const PIECES: [&str; 34] = strings![
    "<link" "<LINK rel=stylesheet" "<script" "<a" "<base" "</script>" "</a>" "<svg>" "</svg>"
    "<table>" "<template>" "</template>" "<!-- " "-->" " href=x" " href='a/b'"
    " href=\"http://h/d/c\"" " src=y" " src=\"z?a&amp;b\"" " style='background:url(p)'"
    " integrity=sha256-A" " integrity='sha256-B' " "\n\tintegrity = \"sha256-C=\""
    " INTEGRITY=\"sha256-D\"" " integrity" " integrity=" " integrity=\"&quot;\"" " class=c"
    " crossorigin" "/" ">" ">" "text é" " "
];

/// Removes each hash.
struct Drop(Rules);

impl Mapper for Drop {
    fn map<'t>(
        &self,
        document: &Document,
        link: &ParsedLink<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
    ) -> Decision<'t> {
        self.0.map(document, link, target, base)
    }

    fn drops_integrity(&self, _: &ParsedLink<'_>, _: &Target<'_>) -> bool {
        true
    }
}

/// The tree without values of links and without hashes.
fn tree(html: &str) -> String {
    let dom = parse_document(RcDom::default(), ParseOpts::default()).one(html);
    let mut out = String::new();
    write(&dom.document, &mut out);
    out
}

fn write(node: &Handle, out: &mut String) {
    match &node.data {
        NodeData::Element { name, attrs, template_contents, .. } => {
            out.push_str(&format!("<{}", name.local));
            let is_hashed = matches!(&*name.local, "link" | "script");
            for attribute in attrs.borrow().iter() {
                let name = &*attribute.name.local;
                if name != "integrity" || !is_hashed {
                    out.push_str(&format!(" {name}={:?}", &*attribute.value));
                }
            }
            out.push('>');
            if let Some(contents) = &*template_contents.borrow() {
                write(contents, out);
            }
        }
        NodeData::Text { contents } => out.push_str(&format!("{:?}", &**contents.borrow())),
        NodeData::Comment { contents } => out.push_str(&format!("<!{:?}>", &**contents)),
        _ => {}
    }
    for child in node.children.borrow().iter() {
        write(child, out);
    }
    out.push_str("</>");
}

fn in_utf_16(html: &str) -> Vec<u8> {
    let bytes = html.encode_utf16().flat_map(u16::to_le_bytes);
    [0xFF, 0xFE].into_iter().chain(bytes).collect()
}

proptest! {
    #![proptest_config(tier::cases(3000))]

    #[test]
    fn removing_hashes_changes_nothing_else(
        pieces in prop::collection::vec(select(&PIECES[..]), 0..40),
        is_utf_16 in any::<bool>(),
        is_absolute in any::<bool>(),
    ) {
        let html = pieces.concat();
        let bytes = if is_utf_16 { in_utf_16(&html) } else { html.clone().into_bytes() };
        let document = Document::new("a.html", bytes).retrieved_from("http://h/d/e");
        let options = Options::default();
        let found = document.links_with(&options);
        let rules = if is_absolute { vec![Rule::Absolute] } else { Vec::new() };
        let mapper = Drop(Rules { rules, ..Rules::default() });
        let plan = Plan::new(&found, &mapper);
        let edited = plan.bytes();
        prop_assert_eq!(plan.verify_bytes(edited), Ok(()));

        let new = Document::new("a.html", edited.to_vec()).retrieved_from("http://h/d/e");
        let left = new.links_with(&options);
        prop_assert_eq!(left.found().links.len(), found.found().links.len());
        let gone = plan.edits().iter().filter(|it| it.rule == Edit::INTEGRITY).count();
        let could = found.found().integrity.iter().filter(|it| it.removal.is_some()).count();
        prop_assert_eq!(gone, could);
        prop_assert_eq!(left.found().integrity.len(), found.found().integrity.len() - gone);
        if !is_absolute {
            let text = match is_utf_16 {
                true => UTF_16LE.decode(edited).0.into_owned(),
                false => String::from_utf8(edited.to_vec()).expect("UTF-8"),
            };
            prop_assert_eq!(tree(&text), tree(&html));
        }
        let again = Plan::new(&left, &mapper);
        prop_assert!(again.is_empty(), "{:?}", again.edits());
    }
}

#[test]
fn verification_accepts_removed_hashes_only() {
    let page = |html: &str| Document::new("a.html", html.as_bytes().to_vec());
    let document = page("<script src=a integrity=b></script>");
    let options = Options::default();
    let found = document.links_with(&options);
    let plan = Plan::new(&found, &Drop(Rules::default()));
    assert_eq!(plan.bytes(), b"<script src=a></script>");
    for wrong in [
        "<script src=a ></script>",
        "<script></script>",
        "<script src=b></script>",
        "<script src=a integrity=b></script>",
        "<script src=a></script> ",
    ] {
        let verified = plan.verify_bytes(wrong.as_bytes());
        // A space in a tag has no meaning.
        assert_eq!(verified.is_ok(), wrong == "<script src=a ></script>", "{wrong}");
    }
}
