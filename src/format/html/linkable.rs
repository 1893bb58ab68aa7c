//! URLs in the text of a page that may become links: where an `a` element adds nothing to the tree but itself.
//!
//! html5ever's tree builder decides ([`tree_places`](super::tree_places)), so that unusual markup has no surprise: a new `a`
//! goes only into text that the builder inserts at once, in an element of HTML. It never goes into another link, also not
//! into one that the builder reopens, nor into an element whose text is no content for readers or has an action of its own
//! ([`BLOCKED`](super::text_places::BLOCKED)). A page whose usual tags nest needs no tree: see
//! [`tag_places`](super::tag_places).
//!
//! # Safety
//! A tag in the wrong place does harm: where one parser finds text and another an attribute, the quotes of the new tag end the
//! attribute. So no link is made where parsers may disagree:
//!
//! * Scripting turns the content of `noscript` into raw text. A page with that element is read in both ways.
//! * Older browsers ignore elements in a `select` that newer ones create. After such an element with raw text, SVG or
//!   MathML, no link is made.
//! * In fragments, older browsers keep elements in SVG and MathML that otherwise end them. After SVG or MathML that was ended
//!   by anything but its own end tag, no link is made.
//!
//! # Cost
//! Linear. Pages are read up to the last link in text, by their tags if possible and else also by the tree builder. Beyond
//! the limits of [`tree_feed`](super::tree_feed), no more links are made.

use memchr::memchr;

use super::charref::Within;
use super::page::Page;
use super::reader::read;
use super::tag_places::TagPlaces;
use super::text_places::TextPlaces;
use super::tree_places::TreePlaces;
use super::visible::{is_unseen, wbr_len};
use crate::bytes::{Span, Spans};
use crate::format::Options;
use crate::link::{LinkData, Place};
use crate::source::Source;

/// Finds the links in text that may become `a` elements, and that `wanted` returns true for. The spans of each are those of
/// the elements: more than one where something other than white space is between pieces of the URL.
///
/// `skipped` are names of elements in which no link is made either, in lower case.
pub(crate) fn linkable<'d>(
    document: &'d Source,
    options: &Options,
    skipped: &[String],
    wanted: &dyn Fn(&LinkData<'_>) -> bool,
) -> Vec<LinkData<'d>> {
    let options = Options {
        html_text: true,
        ..options.clone()
    };
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
    let to_source = |link: LinkData<'_>| link.with_source_spans(&text);
    links.into_iter().map(to_source).collect()
}

fn links_of_page<'s>(
    page: &Page<'s, '_>,
    skipped: &[String],
    wanted: &dyn Fn(&LinkData<'_>) -> bool,
) -> Vec<LinkData<'s>> {
    let mut links = read(page).links;
    links.retain_mut(|link| {
        let is_text = matches!(link.place, Place::Text(_));
        if !is_text || !wanted(link) {
            return false;
        }
        let extent = link.extent();
        link.spans = joined(page, &link.spans);
        // The tree has no NUL of text.
        memchr(0, &page.bytes[extent.range()]).is_none()
    });
    let mut tags = TagPlaces::new(page, skipped);
    let is_allowed: Vec<bool> = links
        .iter()
        .map(|link| tags.allows(link.extent()))
        .collect();
    if tags.is_certain() {
        let mut is_allowed = is_allowed.into_iter();
        links.retain(|_| is_allowed.next().unwrap_or(false));
        return links;
    }
    let mut has_noscript = false;
    for scripting in [false, true] {
        if links.is_empty() || scripting && !has_noscript {
            break;
        }
        let mut tree = TreePlaces::new(page, scripting, skipped);
        links.retain(|link| tree.allows(link.extent()));
        has_noscript = tree.has_noscript;
    }
    links
}

/// The spans without the gaps that readers do not see: white space, invisible characters and `wbr`.
fn joined(page: &Page<'_, '_>, spans: &Spans) -> Spans {
    let mut joined = Spans::new();
    for &span in spans {
        match joined.last_mut() {
            Some(last) if is_gap(page, Span::new(last.end, span.start)) => last.end = span.end,
            _ => joined.push(span),
        }
    }
    joined
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
            "word ",
            "<br>",
            "<img alt='word'>",
            "<hr>",
            "<!-- word -->",
            "<input>",
            "word<wbr>word",
            "\n",
            "<svg/>",
            "<script>word</script>",
            "<title>word</title>",
            "<textarea>word</textarea>",
            "<meta name=word>",
            "</body>",
            "<head>",
        ]);
        leaf.prop_map(str::to_owned)
            .prop_recursive(5, 60, 6, |inner| {
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
                    "<p>",
                    "</p>",
                    "</div>",
                    "<a>",
                    "</b>",
                    "<td>",
                    "</table>",
                    "<table>",
                    "<li>",
                    "</a>",
                    "<h2>",
                    "<select>",
                    "<noscript>",
                    "</form>",
                    "<svg>",
                    "</svg>",
                    "</html>",
                    "<b>",
                    "x",
                    "<object>",
                    "<frameset>",
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

    fn allowed(places: &mut impl TextPlaces, page: &str) -> Vec<bool> {
        let words = page
            .match_indices("word")
            .map(|(at, word)| Span::new(at, at + word.len()));
        words.map(|word| places.allows(word)).collect()
    }

    proptest! {
        #![proptest_config(crate::tier::cases(50_000))]

        /// What tags allow is what the tree allows, if it is certain.
        #[test]
        fn tags_that_nest_allow_what_the_tree_allows(html in page()) {
            let options = Options::default();
            let page = Page::of_text(&html, &options);
            let skipped = ["pre".to_owned()];
            let mut tags = TagPlaces::new(&page, &skipped);
            let by_tags = allowed(&mut tags, &html);
            if tags.is_certain() {
                for scripting in [false, true] {
                    let by_tree = allowed(&mut TreePlaces::new(&page, scripting, &skipped), &html);
                    prop_assert_eq!(&by_tags, &by_tree, "scripting {}", scripting);
                }
            }
        }
    }

    #[test]
    fn usual_pages_need_no_tree() {
        let options = Options::default();
        for html in [
            "<!DOCTYPE html><html><head><title>a</title><style>b</style></head><body><p>word<p>word</body></html>",
            "<div class=a><ul><li>word<li><p>word</ul></div><table><tr><td>word<td>word<tr><th>word</table>",
            "<h1>word</h1><p>word <b>word</b> <a href=c>word</a><br>word<hr><pre>word</pre>",
            "<dl><dt>word<dd>word</dl><form><input><button>word</button></form><svg><path/></svg>word",
            "<my-card>word</my-card>",
        ] {
            let page = Page::of_text(html, &options);
            let mut tags = TagPlaces::new(&page, &[]);
            assert!(allowed(&mut tags, html).contains(&true));
            assert!(tags.is_certain(), "{html}");
        }
    }
}
