//! URLs in the text of a page that may become links: where an `a` element adds nothing to the tree
//! but itself.
//!
//! html5ever's tree builder decides ([`tree_places`](super::tree_places)), so that unusual markup
//! has no surprise: a new `a` goes only into text that the builder inserts at once, in an element
//! of HTML. It never goes into another link, also not into one that the builder reopens, nor into
//! an element whose text is no content for readers or has an action of its own
//! ([`BLOCKED`](super::tree_places::BLOCKED)). A page whose usual tags nest needs no tree: see
//! [`tag_places`](super::tag_places).
//!
//! # Safety
//! A tag in the wrong place does harm: where one parser finds text and another an attribute, the
//! quotes of the new tag end the attribute. So no link is made where parsers may disagree:
//!
//! * Scripting turns the content of `noscript` into raw text. A page with that element is read in
//!   both ways.
//! * Older browsers ignore elements in a `select` that newer ones create. After such an element
//!   with raw text, SVG or MathML, no link is made.
//! * In fragments, older browsers keep elements in SVG and MathML that otherwise end them. The
//!   builder ends SVG, MathML and `search` with an element around them, where other parsers ignore
//!   the end tag. After one of these that was ended by anything but its own end tag, no link is
//!   made.
//! * The contents of a `template` are read as its first start tag wants, which could be that of the
//!   link: see [`as_template`](super::as_template).
//!
//! # Cost
//! Linear. One pass over the tags is enough if they nest, or if no URL follows the first that do
//! not. Any other page is read again, and up to its last URL by the tree builder. Beyond the limits
//! of [`tree_feed`](super::tree_feed), no more links are made.

use memchr::memchr;

use super::as_template::unaffected;
use super::page::Page;
use super::reader::read;
use super::tag_places::TagPlaces;
use super::token::Token;
use super::tree_places::TreePlaces;
use super::visible::{Visible, is_unseen, wbr_len};
use crate::bytes::{Span, Spans, without_gaps};
use crate::format::Options;
use crate::format::markup::charref::Within;
use crate::link::{LinkId, ParsedLink, Place};
use crate::source::Source;

/// Finds the links in text that may become `a` elements, and that `wanted` returns true for. The
/// spans of each are those of the elements: more than one where something other than white space is
/// between pieces of the URL.
///
/// `skipped` are names of elements in which no link is made either, in lower case.
pub(crate) fn linkable<'d>(
    document: &'d Source,
    options: &Options,
    skipped: &[String],
    wanted: &dyn Fn(&ParsedLink<'_>) -> bool,
) -> Vec<ParsedLink<'d>> {
    let options = Options { html_text: true, ..options.clone() };
    if let Some(page) = Page::of_document(document, &options) {
        let mut links = links_of_page(&page, skipped, wanted);
        let start = document.charset.bom_len();
        for span in links.iter_mut().flat_map(|link| &mut link.spans) {
            *span = span.shifted(start);
        }
        return links;
    }
    let text = document.text();
    let links = links_of_page(&Page::of_text(&text.text, &options), skipped, wanted);
    let to_source = |link: ParsedLink<'_>| link.with_source_spans(&text);
    links.into_iter().map(to_source).collect()
}

fn links_of_page<'s>(
    page: &Page<'s, '_>,
    skipped: &[String],
    wanted: &dyn Fn(&ParsedLink<'_>) -> bool,
) -> Vec<ParsedLink<'s>> {
    let mut links = links_of_body(page, skipped, wanted);
    if !links.is_empty() {
        let parts = unaffected(page.bytes);
        links.retain(|link| {
            let extent = link.extent();
            let part = parts.partition_point(|part| part.end < extent.end);
            parts.get(part).is_some_and(|part| part.start <= extent.start)
        });
    }
    links
}

/// Finds the links of a page, or of HTML in the text of one.
fn links_of_body<'s>(
    page: &Page<'s, '_>,
    skipped: &[String],
    wanted: &dyn Fn(&ParsedLink<'_>) -> bool,
) -> Vec<ParsedLink<'s>> {
    let is_wanted = |link: &mut ParsedLink<'_>| {
        if !wanted(link) {
            return false;
        }
        let extent = link.extent();
        link.spans = joined(page, &link.spans);
        // The tree has no NUL of text.
        memchr(0, &page.bytes[extent.range()]).is_none()
    };
    let (mut by_tags, end) = links_by_tags(page, skipped);
    by_tags.retain_mut(is_wanted);
    if end == page.bytes.len() {
        return by_tags;
    }
    let mut links = read(page).links;
    links.retain_mut(|link| matches!(link.place, Place::Text(_)) && is_wanted(link));
    if links.iter().all(|link| link.extent().end <= end) {
        let by_tags = |id: LinkId| by_tags.binary_search_by_key(&id, ParsedLink::id).is_ok();
        links.retain(|link| by_tags(link.id()));
        return links;
    }
    TreePlaces::retain(page, skipped, &mut links, |tree, link| tree.allows(link.extent()));
    links
}

/// Finds the links that may become elements by the tags of a page. Returns the offset from which on
/// the tree builder must decide.
fn links_by_tags<'s>(page: &Page<'s, '_>, skipped: &[String]) -> (Vec<ParsedLink<'s>>, usize) {
    let mut tags = TagPlaces::new(page, skipped);
    let mut visible = Visible::default();
    let mut links = Vec::new();
    while let Some(token) = tags.next() {
        match token {
            // All pieces of a text with `wbr` between them are in the same element.
            Token::Text(span, kind) if tags.allows_link() => {
                visible.urls(page, span, kind, &mut |link| links.push(link));
            }
            Token::Start => visible.end_before_tag(page, tags.tag(), &mut |link| links.push(link)),
            _ => visible.end(page, &mut |link| links.push(link)),
        }
    }
    visible.end(page, &mut |link| links.push(link));
    (links, tags.end())
}

/// The spans without the gaps that readers do not see: white space, invisible characters and `wbr`.
fn joined(page: &Page<'_, '_>, spans: &Spans) -> Spans {
    without_gaps(spans, |gap| is_gap(page, gap))
}

fn is_gap(page: &Page<'_, '_>, span: Span) -> bool {
    let mut at = span.start;
    while at < span.end {
        let rest = &page.bytes[at..span.end];
        let tag = wbr_len(rest);
        if tag > 0 {
            at += tag;
            continue;
        }
        let end = memchr(b'<', &rest[1..]).map_or(span.end, |found| at + 1 + found);
        let text = page.decode(Span::new(at, end), Within::Text).text;
        if !text.chars().all(|it| it.is_whitespace() || is_unseen(it)) {
            return false;
        }
        at = end;
    }
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    /// Markup that closes what it opens.
    fn nested() -> impl Strategy<Value = String> {
        let leaf = select(vec![
            "http://w.x ",
            "<br>",
            "<img alt='http://w.x'>",
            "<hr>",
            "<!-- http://w.x -->",
            "<input>",
            "http:<wbr>//w<wbr>.x ",
            "\n",
            "<svg/>",
            "<script>http://w.x</script>",
            "<title>http://w.x</title>",
            "<textarea>http://w.x</textarea>",
            "<meta name=http://w.x>",
            "</body>",
            "<head>",
        ]);
        leaf.prop_map(str::to_owned).prop_recursive(5, 60, 6, |inner| {
            let around = select(vec![
                ("<p>", "</p>"),
                ("<p>", ""),
                ("<div>", "</div>"),
                ("<b>", "</b>"),
                ("<span>", "</span>"),
                ("<a href=x>", "</a>"),
                ("<ul><li>", "</ul>"),
                ("<ol><li>", "</li></ol>"),
                ("<li>", ""),
                ("<dl><dt>", "</dl>"),
                ("<dd>", ""),
                ("<h1>", "</h1>"),
                ("<table><tr><td>", "</table>"),
                ("<table><tbody><tr><td>", "</td></tr></tbody></table>"),
                ("<td>", ""),
                ("<tr><td>", ""),
                ("<pre>", "</pre>"),
                ("<code>", "</code>"),
                ("<form>", "</form>"),
                ("<button>", "</button>"),
                ("<x-y>", "</x-y>"),
                ("<svg><g>", "</g></svg>"),
                ("<svg><text>", "</text></svg>"),
                ("<blockquote>", "</blockquote>"),
                ("<tbody>", ""),
                ("<datalist>", "</datalist>"),
                ("<html><body>", "</body></html>"),
                ("<em>", "</EM>"),
                ("<label>", "</label>"),
            ]);
            (around, prop::collection::vec(inner, 0..4))
                .prop_map(|((open, close), inner)| format!("{open}{}{close}", inner.concat()))
        })
    }

    fn page() -> impl Strategy<Value = String> {
        let damage = prop::collection::vec(
            (
                any::<prop::sample::Index>(),
                select(vec![
                    "<p>", "</p>", "</div>", "<a>", "</b>", "<td>", "</table>", "<table>", "<li>",
                    "</a>", "<h2>", "<select>", "<noscript>", "</form>", "<svg>", "</svg>",
                    "</html>", "<b>", "x", "<object>", "<frameset>",
                ]),
            ),
            0..3,
        );
        (prop::collection::vec(nested(), 1..4), damage).prop_map(|(parts, damage)| {
            let mut page = parts.concat();
            for (at, piece) in damage {
                let at = at.index(page.len() + 1);
                page.insert_str(at, piece);
            }
            page
        })
    }

    /// The spans of links in text.
    fn spans(links: Vec<ParsedLink<'_>>) -> Vec<Spans> {
        links.into_iter().map(|link| link.spans).collect()
    }

    proptest! {
        #![proptest_config(crate::tier::cases(50_000))]

        /// Links by tags equal those by the tree, up to the end that `links_by_tags` returns.
        #[test]
        fn tags_that_nest_allow_what_the_tree_allows(html in page()) {
            let options = Options { html_text: true, ..Options::default() };
            let page = Page::of_text(&html, &options);
            let skipped = ["pre".to_owned()];
            let (by_tags, end) = links_by_tags(&page, &skipped);
            let by_tags = spans(by_tags);
            for scripting in [false, true] {
                let mut tree = TreePlaces::new(&page, scripting, &skipped);
                let mut links = read(&page).links;
                links.retain(|link| matches!(link.place, Place::Text(_)) && tree.allows(link.extent()));
                links.retain(|link| link.extent().end <= end);
                prop_assert_eq!(&by_tags, &spans(links), "scripting {}", scripting);
            }
        }
    }

    #[test]
    fn usual_pages_need_no_tree() {
        let options = Options { html_text: true, ..Options::default() };
        for html in [
            "<!DOCTYPE html><html><head><title>a</title><style>b</style></head><body><p>http://w.x<p>http://w.x</body></html>",
            "<div class=a><ul><li>http://w.x<li><p>http://w.x</ul></div><table><tr><td>http://w.x<td>http://w.x<tr><th>http://w.x</table>",
            "<h1>http://w.x</h1><p>http://w.x <b>http://w.x</b> <a href=c>http://w.x</a><br>http://w.x<hr><pre>http://w.x</pre>",
            "<dl><dt>http://w.x<dd>http://w.x</dl><form><input><button>http://w.x</button></form><svg><path/></svg>http://w.x",
            "<my-card>http://w.x</my-card>",
        ] {
            let page = Page::of_text(html, &options);
            let (links, end) = links_by_tags(&page, &[]);
            assert!(!links.is_empty());
            assert_eq!(end, html.len(), "{html}");
        }
    }
}
