//! The context of a link: the text of its element, attributes of its tag, and the heading before
//! it.

use markup5ever_rcdom::{Handle, NodeData};

use super::lexer::Lexer;
use super::page::Page;
use super::tag_classifier::NeedsTree;
use super::token::Token;
use super::tree::{Growing, Spent, Tree, number};
use super::tree_feed::Detail;
use crate::bytes::Span;
use crate::format::Options;
use crate::format::contexts::{Contexts, TagContext, cut};
use crate::format::markup::charref::{self, Within};
use crate::source::Source;

/// The contexts of the links of a document. Empty if its tree is too deep to be
/// built in linear time.
///
/// Cost: linear in the document, about ten times that of finding its links, and memory for the
/// tree.
pub(super) fn contexts(document: &Source, options: &Options) -> Contexts {
    if let Some(page) = Page::of_document(document, options) {
        let start = document.charset.bom_len();
        return read(&page, |at| at + start);
    }
    let text = document.text();
    let to_source = |at| text.to_source(Span::new(at, at)).start;
    read(&Page::of_text(&text.text, options), to_source)
}

/// The contexts of the links of a page.
pub(super) fn contexts_of(page: &Page<'_, '_>) -> Contexts {
    read(page, |at| at)
}

/// `to_source` maps offsets in the page to those in the document.
fn read(page: &Page<'_, '_>, to_source: impl Fn(usize) -> usize) -> Contexts {
    let reader = Reader::new(page.bytes, page.encoding);
    reader.read(page.options.scripting, to_source).unwrap_or_default()
}

/// Returns true if the text of an element with this name is about the links of its tag.
fn is_about_links(name: &[u8]) -> bool {
    const NOT: [&str; 19] = [
        "html", "head", "body", "frameset", "form", "table", "tbody", "thead", "tfoot", "tr", "td",
        "th", "script", "style", "template", "select", "iframe", "svg", "math",
    ];
    !NOT.iter().any(|it| name.eq_ignore_ascii_case(it.as_bytes()))
}

/// Reads a page.
struct Reader<'s> {
    bytes: &'s [u8],
    encoding: &'static encoding_rs::Encoding,
    contexts: Contexts,
    /// The tag of the last heading.
    heading: Option<usize>,
    /// The contents of templates, each with the heading before it.
    templates: Vec<(Handle, Option<usize>)>,
}

/// A step of the walk over the tree.
enum Step {
    Enter(Handle),
    /// The end of the element with this tag, and the offset in the text where it began.
    Leave(usize, usize),
}

impl<'s> Reader<'s> {
    fn new(bytes: &'s [u8], encoding: &'static encoding_rs::Encoding) -> Self {
        Self {
            bytes,
            encoding,
            contexts: Contexts::default(),
            heading: None,
            templates: Vec::new(),
        }
    }

    /// `to_source` maps offsets in these bytes to those in the document.
    fn read(
        mut self,
        scripting: bool,
        to_source: impl Fn(usize) -> usize,
    ) -> Result<Contexts, NeedsTree> {
        let spent = Spent::default();
        let mut lexer = Lexer::new(self.bytes);
        let mut growing = Growing::new(&spent, Detail::Text, scripting, self.encoding);
        while let Some(token) = lexer.next() {
            if token == Token::Start {
                let mut context = self.tag(&lexer);
                let (start, end) = context.span;
                context.span = (to_source(start), to_source(end));
                self.contexts.tags.push(context);
            }
            growing.token(token, &mut lexer)?;
        }
        let tree = growing.finish()?;
        self.walk(&tree);
        Ok(self.contexts)
    }

    fn tag(&self, lexer: &Lexer<'_>) -> TagContext {
        let tag = lexer.tag;
        let name = &self.bytes[tag.name.range()];
        let is = |names: &[&str]| names.iter().any(|it| name.eq_ignore_ascii_case(it.as_bytes()));
        let has_alt = is(&["img", "image", "area", "input"]);
        let mut context = TagContext {
            span: (tag.start, tag.name.end),
            is_about_links: is_about_links(name),
            ..TagContext::default()
        };
        for attribute in &lexer.attributes {
            context.span.1 = attribute.value.end.max(attribute.name.end);
            let name = &self.bytes[attribute.name.range()];
            let is = |wanted: &str| name.eq_ignore_ascii_case(wanted.as_bytes());
            let place = if is("rel") {
                &mut context.rel
            } else if is("title") {
                &mut context.title
            } else if is("alt") && has_alt {
                &mut context.alt
            } else {
                continue;
            };
            // Of duplicates, the first counts.
            if place.is_none() {
                let value = attribute.value;
                let value = charref::value(self.bytes, value, self.encoding, Within::Attribute);
                *place = Some(cut(&value.text).into());
            }
        }
        if let Some(alt) = &mut context.alt {
            let mut collapsed = String::with_capacity(alt.len());
            collapse(alt, &mut collapsed);
            *alt = collapsed.trim().into();
        }
        context
    }

    fn walk(&mut self, tree: &Tree) {
        self.templates.push((tree.document.clone(), None));
        while let Some((root, heading)) = self.templates.pop() {
            self.heading = heading;
            self.contexts.text.push(' ');
            self.walk_from(root);
        }
    }

    fn walk_from(&mut self, root: Handle) {
        let mut steps = vec![Step::Enter(root)];
        while let Some(step) = steps.pop() {
            let node = match step {
                Step::Enter(node) => node,
                Step::Leave(tag, start) => {
                    let end = self.contexts.text.len();
                    // If a formatting element was reopened, the first one with text counts.
                    if self.contexts.text_of(tag).is_none() {
                        self.contexts.tags[tag].text = Some(start..end);
                    }
                    continue;
                }
            };
            match &node.data {
                NodeData::Text { contents } => {
                    collapse(&contents.borrow(), &mut self.contexts.text);
                    continue;
                }
                NodeData::Element { name, template_contents, .. } => {
                    let tag = number(&node).filter(|&tag| tag < self.contexts.tags.len());
                    let local = &*name.local;
                    if let (Some(tag), "h1" | "h2" | "h3" | "h4" | "h5" | "h6") = (tag, local) {
                        self.heading = Some(tag);
                    }
                    let heading = self.heading;
                    if let Some(tag) = tag {
                        let context = &mut self.contexts.tags[tag];
                        if !std::mem::replace(&mut context.is_in_tree, true) {
                            context.heading = heading;
                        }
                        steps.push(Step::Leave(tag, self.contexts.text.len()));
                    }
                    let template = template_contents.borrow().clone();
                    self.templates.extend(template.map(|root| (root, heading)));
                    match local {
                        // Their content is not readable text.
                        "script" | "style" => continue,
                        "br" => collapse(" ", &mut self.contexts.text),
                        _ => {}
                    }
                }
                _ => {}
            }
            let children = node.children.borrow();
            steps.extend(children.iter().rev().cloned().map(Step::Enter));
        }
    }
}

/// Appends a text, with each run of white space as one space.
fn collapse(text: &str, out: &mut String) {
    for c in text.chars() {
        if !c.is_whitespace() {
            out.push(c);
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::format::Extra;
    use crate::link::ParsedLink;
    use crate::source::Charset;

    /// The context of each link, as `reference: text | rel | title | heading`.
    fn contexts(page: &Document) -> Vec<String> {
        let options = Options {
            html_text: true,
            extra: Extra { comments: true, ..Extra::default() },
            ..Options::default()
        };
        let contexts = page.contexts(&options);
        let found = page.links_with(&options);
        let described = |link: &ParsedLink<'_>| {
            let Some(it) = contexts.of_link(link) else {
                return format!("{}: none", link.reference);
            };
            let [text, rel, title, heading] =
                [it.text, it.rel, it.title, it.heading].map(|it| it.unwrap_or("-"));
            format!("{}: {text} | {rel} | {title} | {heading}", link.reference)
        };
        found.found().links.iter().map(described).collect()
    }

    fn of(html: &str) -> Vec<String> {
        contexts(&Document::new("a.html", html.as_bytes().to_vec()))
    }

    #[test]
    fn text_of_an_element_is_collapsed() {
        let cases = [
            ("<a href=x> a\n <b>b</b>&amp;c<br>d </a>e", "x: a b&c d | - | - | -"),
            ("<a href=x></a>", "x: - | - | - | -"),
            ("<a href=x>a<script>b</script></a>", "x: a | - | - | -"),
            ("<p><a href=x><div>a</div></a>b", "x: a | - | - | -"),
            ("<img src=x alt=' a\n b' title=' t &lt;' rel>", "x: a b |  |  t < | -"),
            ("<img src=x alt=''>", "x:  | - | - | -"),
            ("<form action=x title=t>a</form>", "x: - | - | t | -"),
            ("<body background=x>a", "x: - | - | - | -"),
            ("<a href=x rel=A Rel=b>a</a>", "x: a | A | - | -"),
            ("<template><a href=x>a</a></template>b", "x: a | - | - | -"),
        ];
        for (html, expected) in cases {
            assert_eq!(of(html), [expected], "{html}");
        }
    }

    #[test]
    fn heading_is_around_or_before_the_link() {
        let html = "<a href=a></a><h1>One <a href=b>b</a></h1><p><a href=c>c</a>\
            <h6> </h6><a href=d>d</a><template><h2>Two</h2><a href=e>e</a></template>\
            <h3>Three<template><a href=f>f</a></template></h3>http://g/ <a href=h>h</a>";
        assert_eq!(
            of(html),
            [
                "a: - | - | - | -", "b: b | - | - | One b", "c: c | - | - | One b",
                "d: d | - | - | -", "e: e | - | - | Two", "f: f | - | - | Three",
                "http://g/: - | - | - | Three", "h: h | - | - | Three",
            ]
        );
    }

    #[test]
    fn links_in_content_comments_and_nested_pages_have_contexts() {
        let html = "<h1>H</h1><iframe title=t srcdoc='<a href=x>a</a>'></iframe>\
            <style title=s>@import 'y'</style><a title=t href=v>v</a>\
            <!--[if IE]><a href=z>z</a><![endif]-->";
        assert_eq!(
            of(html),
            ["x: - | - | t | H", "y: - | - | s | H", "v: v | - | t | H", "z: - | - | - | H",]
        );
    }

    #[test]
    fn contexts_in_every_charset() {
        let html = "<h1>\u{65e5}</h1><a title=&eacute; href=x>\u{672c}</a>";
        for label in ["utf-8", "shift_jis", "utf-16le", "iso-2022-jp"] {
            let charset = Charset::named(label, b"").expect("a label");
            let page = Document::new("a.html", charset.encode(html)).with_charset(charset);
            assert_eq!(contexts(&page), ["x: \u{672c} | - | \u{e9} | \u{65e5}"], "{label}");
        }
        let marked = b"\xEF\xBB\xBF<h1>H</h1><a href=x>a</a>".to_vec();
        assert_eq!(contexts(&Document::new("a.html", marked)), ["x: a | - | - | H"]);
    }

    #[test]
    fn long_texts_are_shortened_and_deep_pages_have_none() {
        let page = |html: String| Document::new("a.html", html.into_bytes());
        let options = Options::default();
        let long = page(format!("<a href=x>a{}</a>", "\u{e9}".repeat(5000)));
        let contexts = super::contexts(long.source(), &options);
        let context = contexts.of_link(&long.found(&options).links[0]);
        let text = context.and_then(|it| it.text).expect("a text");
        assert_eq!(text.len(), 4095);
        let deep = page(format!("{}<a href=x>a</a>", "<div>".repeat(20_000)));
        let contexts = super::contexts(deep.source(), &options);
        assert_eq!(contexts.of_link(&deep.found(&options).links[0]), None);
    }

    #[test]
    fn unusual_tags_have_contexts() {
        let html = "<meta http-equiv=content-type content='text/html; charset'><a href=x>a</a>";
        assert_eq!(of(html), ["x: a | - | - | -"]);
    }
}
