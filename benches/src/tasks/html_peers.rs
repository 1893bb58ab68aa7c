//! The links of a page with libraries for HTML.

use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::hint::black_box;
use std::panic::catch_unwind;

use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};
use lol_html::{HtmlRewriter, Settings, element};
use markup5ever_rcdom::{NodeData, RcDom};
use rehref::document::Document;
use rehref::uri::{Base, Outcome};

/// Reads the whole page with lol_html.
fn through_lol_html(page: &Document, settings: Settings<'_, '_>, sink: impl FnMut(&[u8])) {
    let mut rewriter = HtmlRewriter::new(settings.with_strict(false), sink);
    if rewriter.write(page.bytes()).is_ok() {
        let _ = rewriter.end();
    }
}

/// The elements with links, and the attribute. lol_html does not look at the attributes of other
/// elements, so it is up to a quarter faster with these selectors than with `[href]` and `[src]`.
const LINKS: [(&str, &str); 2] = [
    ("a, area, base, link", "href"),
    ("audio, embed, frame, iframe, img, input, script, source, track, video", "src"),
];

/// Calls `each` with every link.
fn each_of_lol_html(page: &Document, each: impl Fn(&str)) {
    let each = &each;
    let [href, src] = LINKS.map(|(selector, name)| {
        element!(selector, move |element| {
            if let Some(value) = element.get_attribute(name) {
                each(&value);
            }
            Ok(())
        })
    });
    let settings =
        Settings::new().append_element_content_handler(href).append_element_content_handler(src);
    through_lol_html(page, settings, |_| {});
}

pub(crate) fn with_lol_html(page: &Document) -> usize {
    let links = Cell::new(0);
    each_of_lol_html(page, |value| {
        black_box(value);
        links.set(links.get() + 1);
    });
    links.get()
}

/// The links, with the only character reference that is frequent in them decoded.
pub(crate) fn links_of_lol_html(page: &Document) -> Vec<String> {
    let links = RefCell::new(Vec::new());
    each_of_lol_html(page, |value| links.borrow_mut().push(value.trim().replace("&amp;", "&")));
    links.into_inner()
}

pub(crate) fn rewritten_by_lol_html(page: &Document, base: &Base) -> Vec<u8> {
    let [href, src] = LINKS.map(|(selector, name)| {
        let mut uri = String::new();
        element!(selector, move |element| {
            let Some(value) = element.get_attribute(name) else {
                return Ok(());
            };
            let resolved = base.resolve_into(&*value, &mut uri);
            if resolved == Ok(Outcome::Target) && uri != value {
                element.set_attribute(name, &uri)?;
            }
            Ok(())
        })
    });
    let settings =
        Settings::new().append_element_content_handler(href).append_element_content_handler(src);
    let mut out = Vec::with_capacity(page.bytes().len());
    through_lol_html(page, settings, |chunk: &[u8]| out.extend_from_slice(chunk));
    out
}

fn text(page: &Document) -> &str {
    std::str::from_utf8(page.bytes()).unwrap_or_default()
}

pub(crate) fn with_html5gum(page: &Document) -> usize {
    let (links, is_link) = (Cell::new(0), Cell::new(false));
    let count = |event: CallbackEvent<'_>, _: Span<()>| -> Option<Infallible> {
        match event {
            CallbackEvent::AttributeName { name } => is_link.set(matches!(name, b"href" | b"src")),
            CallbackEvent::AttributeValue { value } if is_link.get() => {
                black_box(value);
                links.set(links.get() + 1);
            }
            _ => {}
        }
        None
    };
    let mut emitter = CallbackEmitter::new(count);
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(text(page), emitter).for_each(drop);
    links.get()
}

/// The links of the tree that html5ever builds.
pub(crate) fn with_html5ever(page: &Document) -> usize {
    // Like rehref, reads the content of `noscript` as markup.
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let options = ParseOpts { tree_builder, ..ParseOpts::default() };
    // html5ever 0.39 panics on some pages, for example on a `charset` without a value.
    let dom = catch_unwind(|| parse_document(RcDom::default(), options).one(text(page)));
    let Ok(dom) = dom else {
        return 0;
    };
    let mut links = 0;
    let mut open = vec![dom.document.clone()];
    while let Some(node) = open.pop() {
        open.extend(node.children.borrow().iter().cloned());
        if let NodeData::Element { attrs, template_contents, .. } = &node.data {
            open.extend(template_contents.borrow().clone());
            let attributes = attrs.borrow();
            let found = attributes.iter().filter(|it| matches!(&*it.name.local, "href" | "src"));
            links += found.inspect(|it| _ = black_box(&it.value)).count();
        }
    }
    links
}
