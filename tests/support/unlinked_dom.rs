//! The DOM of a page without its new links, to be compared with that of the page before. The laws
//! and the fuzz target of linkify use it.

use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{
    LocalName, ParseOpts, QualName, expanded_name, local_name, ns, parse_document, parse_fragment,
};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

/// The attribute of new links.
pub(crate) const MARK: &str = "data-new";

/// The elements that may be around HTML that is read as a fragment.
pub(crate) const CONTEXTS: &[&str] = &["div", "p", "li", "td", "span", "body", "template"];

/// A part of a DOM, in the order of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Open(String, Vec<(String, String)>),
    Close,
    /// The contents of a template.
    Contents,
    Text(String),
    Comment(String),
    Doctype(String),
}

/// Returns HTML with another name for `content`: html5ever 0.39 panics on
/// `content="text/html; charset"`.
fn without_content(html: &str) -> String {
    let mut html = html.to_owned();
    while let Some(at) = html.to_ascii_lowercase().find("content") {
        html.replace_range(at..at + "con".len(), "k0n");
    }
    html
}

/// Reads HTML: a page, or a fragment within an element.
pub(crate) fn read(html: &str, scripting: bool, context: Option<&str>) -> RcDom {
    let html = &*without_content(html);
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: scripting,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    match context {
        None => parse_document(RcDom::default(), options).one(html),
        Some(context) => {
            let name = QualName::new(None, ns!(html), LocalName::from(context));
            parse_fragment(RcDom::default(), options, name, Vec::new(), scripting).one(html)
        }
    }
}

/// The pieces of a DOM without marked links, whose content stays. Adjacent texts are one.
///
/// # Panics
/// If a marked link has a place or content that links never have.
pub(crate) fn unlinked(dom: &RcDom, is_fragment: bool) -> Vec<Piece> {
    enum Step {
        Enter(Handle, bool),
        Leave,
        Add(Piece),
    }
    let mut pieces = Vec::new();
    let mut steps = vec![Step::Enter(dom.document.clone(), false)];
    while let Some(step) = steps.pop() {
        let (node, in_link) = match step {
            Step::Enter(node, in_link) => (node, in_link),
            Step::Leave => {
                pieces.push(Piece::Close);
                continue;
            }
            Step::Add(piece) => {
                pieces.push(piece);
                continue;
            }
        };
        let mut is_link = in_link;
        let mut contents = None;
        match &node.data {
            NodeData::Text { contents } => match (pieces.last_mut(), &**contents.borrow()) {
                (Some(Piece::Text(before)), text) => before.push_str(text),
                (_, text) => pieces.push(Piece::Text(text.to_owned())),
            },
            NodeData::Comment { contents } => {
                assert!(!in_link, "a link with a comment");
                pieces.push(Piece::Comment(contents.to_string()));
            }
            NodeData::Doctype { name, public_id, system_id } => {
                pieces.push(Piece::Doctype(format!("{name} {public_id} {system_id}")));
            }
            NodeData::Element { name, attrs, template_contents, .. } => {
                let mut attributes: Vec<(String, String)> = attrs
                    .borrow()
                    .iter()
                    .map(|it| {
                        (format!("{:?} {:?}", it.name.ns, it.name.local), it.value.to_string())
                    })
                    .collect();
                attributes.sort();
                is_link = attributes.iter().any(|(name, _)| name.contains(MARK));
                match is_link {
                    true => check(&node, name, is_fragment),
                    false => {
                        let is_within = !in_link || &*name.local == "wbr";
                        assert!(is_within, "a link with {name:?}");
                        is_link = in_link;
                        pieces.push(Piece::Open(
                            format!("{:?} {:?}", name.ns, name.local),
                            attributes,
                        ));
                        steps.push(Step::Leave);
                    }
                }
                contents = template_contents.borrow().clone();
            }
            NodeData::Document | NodeData::ProcessingInstruction { .. } => {}
        }
        let children = node.children.borrow();
        steps.extend(children.iter().rev().map(|child| Step::Enter(child.clone(), is_link)));
        if let Some(contents) = contents {
            steps.push(Step::Add(Piece::Close));
            steps.push(Step::Enter(contents, false));
            steps.push(Step::Add(Piece::Contents));
        }
    }
    pieces
}

/// Checks a new link and the elements around it.
fn check(link: &Handle, name: &QualName, is_fragment: bool) {
    const NEVER_AROUND: &[&str] = &[
        "a", "button", "datalist", "frameset", "iframe", "noembed", "noframes", "noscript",
        "optgroup", "option", "plaintext", "script", "select", "style", "svg", "math", "template",
        "textarea", "title", "xmp",
    ];
    assert_eq!(name.expanded(), expanded_name!(html "a"));
    let NodeData::Element { attrs, .. } = &link.data else {
        unreachable!("an element");
    };
    let attributes = attrs.borrow();
    let names: Vec<&str> = attributes.iter().map(|it| &*it.name.local).collect();
    assert_eq!(names, ["href", MARK], "{attributes:?}");
    let href = &attributes[0].value;
    let scheme = href.split(':').next().unwrap_or_default().to_ascii_lowercase();
    assert!(["ftp", "http", "https", "mailto"].contains(&&*scheme), "{href}");
    let parent_of = |node: &Handle| {
        let parent = node.parent.take();
        let found = parent.as_ref().and_then(|it| it.upgrade());
        node.parent.set(parent);
        found
    };
    let mut next = parent_of(link);
    while let Some(node) = next {
        if let NodeData::Element { name, .. } = &node.data {
            // In the head of a page other tags end it than in a fragment.
            let is_exempt = is_fragment && &*name.local == "noscript";
            let is_never = NEVER_AROUND.contains(&&*name.local) && !is_exempt;
            assert!(!is_never, "a link in {name:?}");
        }
        next = parent_of(&node);
    }
}

/// Panics unless `linked` has the bytes of `html` and new links, and the same DOM without them,
/// with scripting off and on.
pub(crate) fn assert_same(html: &str, linked: &str) {
    assert_only_tags_are_new(html, linked);
    for scripting in [false, true] {
        for context in [None].into_iter().chain(CONTEXTS.iter().copied().map(Some)) {
            let dom = |html: &str| unlinked(&read(html, scripting, context), context.is_some());
            assert_eq!(
                dom(html),
                dom(linked),
                "scripting {scripting}, context {context:?}\n{html}\n{linked}"
            );
        }
    }
}

/// Panics unless `linked` without its new tags is `html`.
fn assert_only_tags_are_new(html: &str, linked: &str) {
    let mut rest = linked;
    let mut old = String::new();
    while let Some(at) = rest.find(MARK).and_then(|mark| rest[..mark].rfind("<a href=\"")) {
        old.push_str(&rest[..at]);
        let tag_end = at + rest[at..].find('>').expect("the end of a tag") + 1;
        let end = tag_end + rest[tag_end..].find("</a>").expect("an end tag");
        old.push_str(&rest[tag_end..end]);
        rest = &rest[end + "</a>".len()..];
    }
    old.push_str(rest);
    assert_eq!(old, html);
}

/// Panics unless `linked` is the plain text `text` with links and nothing else.
pub(crate) fn assert_text(text: &str, linked: &str) {
    for scripting in [false, true] {
        let dom = read(linked, scripting, Some("div"));
        let pieces = unlinked(&dom, true);
        let [Piece::Open(..), pieces @ .., Piece::Close] = &*pieces else {
            panic!("no root: {pieces:?}");
        };
        let found = match pieces {
            [] => "",
            [Piece::Text(text)] => text,
            _ => panic!("more than text: {pieces:?}"),
        };
        // The changes that the parser makes to any text.
        let expected =
            without_content(text).replace("\r\n", "\n").replace('\r', "\n").replace('\0', "");
        let expected = expected.strip_prefix('\u{FEFF}').unwrap_or(&expected);
        assert_eq!(found.strip_prefix('\u{FEFF}').unwrap_or(found), expected);
    }
}

/// Returns true if text that could be part of a URL may touch a new link. A second run may read it
/// differently, since the link is no longer part of the text.
pub(crate) fn has_touching_urls(linked: &str) -> bool {
    let may_be = |text: &str| {
        let text = text.to_ascii_lowercase();
        [":", "&", "@", "www.", "ftp."].iter().any(|it| text.contains(it))
    };
    let is_end = |rest: &str| rest.starts_with(char::is_whitespace) || rest.starts_with('<');
    let after = linked.match_indices("</a>").any(|(at, end)| {
        let rest = &linked[at + end.len()..];
        let mut ends = rest.char_indices().map(|(at, _)| at);
        may_be(&rest[..ends.find(|&at| is_end(&rest[at..])).unwrap_or(rest.len())])
    });
    let before = linked.match_indices("<a href=\"").any(|(at, _)| {
        let rest = &linked[..at];
        let mut starts = rest.char_indices().rev().map(|(at, _)| at);
        may_be(&rest[starts.find(|&at| is_end(&rest[at..])).unwrap_or(0)..])
    });
    // The text continues after this tag.
    let continues = linked.to_ascii_lowercase().contains("<wbr");
    after || before || continues
}
