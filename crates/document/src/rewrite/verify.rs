//! Verification that an edited document differs from the old one only in its edited links.
//!
//! Independent of making and proving edits: uses only the two documents and the new reference of
//! each edited link.

use std::fmt;
use std::mem;

use encoding_rs::UTF_8;

use super::{Edit, Edits};
use crate::bytes::Span;
use crate::document::{Document, Links};
use crate::format::Options;
use crate::format::compare::{LinkState, Pair, Side};
use crate::link::{AttributeSpan, Form, Language, Markup, ParsedLink, Place, Quoting};
use crate::source::Text;

/// An unintended difference in an edited document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The byte offset in the old document, if known.
    pub at: Option<usize>,
    what: &'static str,
}

impl Mismatch {
    fn new(at: impl Into<Option<usize>>, what: &'static str) -> Self {
        Self { at: at.into(), what }
    }
}

/// Describes the difference.
impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)
    }
}

impl std::error::Error for Mismatch {}

/// Verifies that `edited` differs from the document of `links` only by `edits`. An edit is used for
/// its link and new reference, not for its bytes.
///
/// Parses both documents independently, and checks that:
///
/// 1. Both have the same number of links, each in the same kind of place. An edited link has the
///    reference of its edit, every other its old reference.
/// 2. HTML has the same tags with the same attributes, and html5ever builds the same tree, node by
///    node. In a value, text or comment with an edited link, the decoded text before and after the
///    link is the same. A page in an attribute or a conditional comment with edited links is
///    compared in the same way.
/// 3. Markdown has the same events by pulldown-cmark, with the same text where the edits moved it,
///    and the same definitions. HTML in it with an edited link is compared as in 2.
/// 4. In other formats than HTML, the bytes before, between and after the edited links are the
///    same. HTML that is escaped in a feed and has edited links is decoded, and compared as in 2.
///
/// A removal must be that of a BASE element or `integrity` attribute of the document. Then `edited`
/// is compared with the document without it.
///
/// # Errors
/// The first difference. Also a page nested so deeply that building its tree would take too long.
///
/// Cost: linear in both documents; for HTML about twenty times that of finding links.
pub(super) fn verify(links: &Links<'_>, edits: &Edits, edited: &[u8]) -> Result<(), Mismatch> {
    let (document, found, options) = (links.document(), links.found(), links.options());
    if options.markdown.references {
        let links = document.links_with(&options.for_rewriting());
        return verify(&links, edits, edited);
    }
    if document.bytes() == edited {
        return match edits.get(0) {
            None => Ok(()),
            Some(edit) => Err(Mismatch::new(edit.span.start, "an edit was not made")),
        };
    }
    let references = new_references(&found.links, edits)?;
    if edits.iter().any(|edit| edit.removes) {
        verify_removals(links, edits, references, edited)
    } else {
        verify_references(document, &found.links, &references, edited, options)
    }
}

/// Returns the new reference of each link, None for one that is not edited.
fn new_references<'e>(
    links: &[ParsedLink<'_>],
    edits: &'e Edits,
) -> Result<Vec<Option<&'e str>>, Mismatch> {
    let mut references = vec![None; links.len()];
    for edit in edits.iter().filter(|edit| !edit.removes) {
        let link = links.binary_search_by_key(&edit.link, ParsedLink::id).ok();
        match link.map(|link| &mut references[link]) {
            Some(reference) if reference.is_none() => *reference = Some(edit.reference),
            _ => {
                let what = "an edit is of no link, or of one with another edit";
                return Err(Mismatch::new(edit.span.start, what));
            }
        }
    }
    Ok(references)
}

/// Verifies edits without removals: `references` has the new reference of each edited link.
fn verify_references(
    document: &Document,
    links: &[ParsedLink<'_>],
    references: &[Option<&str>],
    edited: &[u8],
    options: &Options,
) -> Result<(), Mismatch> {
    let charset = document.charset();
    let bom = charset.bom_len();
    if document.bytes().get(..bom) != edited.get(..bom) {
        return Err(Mismatch::new(0, "the byte order mark differs"));
    }
    let new = document.with_bytes(edited.to_vec());
    let found = new.found(options);
    let states = same_links(links, &found.links, references)?;
    let old_extents = extents(links)?;
    let mut new_extents = extents(&found.links)?;
    // Added quotes belong to the edit.
    let unit = if charset.is_utf16() { 2 } else { 1 };
    for ((old, new), extent) in links.iter().zip(&found.links).zip(&mut new_extents) {
        let quoting = |link: &ParsedLink<'_>| link.place.markup().map(|it| it.quoting);
        let language = |link: &ParsedLink<'_>| link.place.markup().map(|it| it.language);
        let is_xml = |link: &ParsedLink<'_>| language(link).is_some_and(Language::is_xml);
        let is_quoted = quoting(new) == Some(Quoting::Double);
        // The new text of a divided field is followed by what was between its pieces.
        if let [_, .., _] = old.spans.as_slice()
            && new.spans.len() == 1
            && matches!(old.place.markup(), Some(Markup { form: Form::Field { .. }, .. }))
        {
            let between = old.spans.windows(2).map(|it| &document.bytes()[it[0].end..it[1].start]);
            let between = between.collect::<Vec<_>>().concat();
            if !edited[extent.end..].starts_with(&between) {
                return Err(Mismatch::new(old.extent().start, "the runs of a field differ"));
            }
            extent.end += between.len();
        }
        if is_xml(old) && quoting(old) == Some(Quoting::Unquoted) && is_quoted {
            *extent = Span::new(extent.start.saturating_sub(unit), extent.end + unit);
        }
    }
    let links_in_code = options.markdown.dialect.has_blocks();
    if charset.is_ascii_compatible() {
        let shifted = |extents: &[Span]| -> Vec<Span> {
            let back = |it: &Span| Span::new(it.start - bom, it.end - bom);
            extents.iter().map(back).collect()
        };
        let encoding = charset.encoding();
        let (old_links, new_links) = (shifted(&old_extents), shifted(&new_extents));
        let pair = Pair {
            old: Side { bytes: &document.bytes()[bom..], encoding, links: &old_links },
            new: Side { bytes: &edited[bom..], encoding, links: &new_links },
            links: &states,
            scripting: options.scripting,
            links_in_code,
        };
        return document.format().comparison()(&pair)
            .map_err(|it| Mismatch { at: it.at.map(|at| at + bom), what: it.what });
    }
    // In a stateful charset, or one not compatible with ASCII, the decoded texts are compared.
    let (old_text, new_text) = (document.text(), new.text());
    let (old_links, new_links) =
        (in_text(&old_text, &old_extents), in_text(&new_text, &new_extents));
    let pair = Pair {
        old: Side { bytes: old_text.text.as_bytes(), encoding: UTF_8, links: &old_links },
        new: Side { bytes: new_text.text.as_bytes(), encoding: UTF_8, links: &new_links },
        links: &states,
        scripting: options.scripting,
        links_in_code,
    };
    document.format().comparison()(&pair).map_err(|it| Mismatch {
        at: it.at.map(|at| old_text.to_source(Span::new(at, at)).start),
        what: it.what,
    })
}

/// Verifies edits with removals: only BASE elements and `integrity` or `crossorigin` attributes of
/// the document may be removed. The other edits are verified against the document without these.
fn verify_removals(
    links: &Links<'_>,
    edits: &Edits,
    mut references: Vec<Option<&str>>,
    edited: &[u8],
) -> Result<(), Mismatch> {
    let (document, found, options) = (links.document(), links.found(), links.options());
    let removals = edits.removals();
    for edit in &removals {
        let candidates = match edit.rule {
            Edit::INTEGRITY => &found.integrity,
            Edit::CROSSORIGIN => &found.cors,
            _ => &found.base_elements,
        };
        let is_edited =
            |it: &AttributeSpan| it.link() == edit.link && it.removal == Some(edit.span);
        if !candidates.iter().any(is_edited) {
            let what = "a removal is neither of a base element nor of an attribute next to a link";
            return Err(Mismatch::new(edit.span.start, what));
        }
    }
    let between = document.with_bytes(removals.splice(document.bytes()));
    let left_links = between.found(options).links;
    let removed = removals.iter().filter(|edit| !edit.is_beside());
    let mut removed = removed.map(|edit| edit.link).peekable();
    let is_left = found.links.iter().map(|link| removed.next_if_eq(&link.id()).is_none());
    let is_left: Vec<bool> = is_left.collect();
    let mut kept = is_left.iter();
    references.retain(|_| kept.next() == Some(&true));
    let old_links = found.links.iter().zip(&is_left);
    let old_links = old_links.filter_map(|(link, is_left)| is_left.then_some(link));
    let is_same = |(old, new): (&ParsedLink<'_>, &ParsedLink<'_>)| {
        old.reference == new.reference && has_same_place(old, new)
    };
    if references.len() != left_links.len() || !old_links.zip(&left_links).all(is_same) {
        let at = removals.get(0).map(|edit| edit.span.start);
        return Err(Mismatch::new(at, "without the removed markup there are other links"));
    }
    let result = verify_references(&between, &left_links, &references, edited, options);
    result.map_err(|it| Mismatch {
        at: it.at.map(|at| {
            let before = removals.iter();
            before.fold(at, |at, edit| at + if edit.span.start <= at { edit.span.len() } else { 0 })
        }),
        what: it.what,
    })
}

/// Checks the links against their new references, and returns which links are edited.
fn same_links(
    old: &[ParsedLink<'_>],
    new: &[ParsedLink<'_>],
    references: &[Option<&str>],
) -> Result<Vec<LinkState>, Mismatch> {
    let mut states = Vec::with_capacity(old.len());
    let mut found = new.iter();
    for (link, reference) in old.iter().zip(references) {
        let at = link.extent().start;
        let Some(found) = found.next() else {
            return Err(Mismatch::new(at, "a link is missing"));
        };
        if !has_same_place(link, found) {
            return Err(Mismatch::new(at, "another link is in its place"));
        }
        if found.reference != reference.unwrap_or(&link.reference) {
            return Err(Mismatch::new(at, "a link has another reference than intended"));
        }
        let mut depth = 0;
        let mut within = link.place.markup().and_then(|it| it.within.as_ref());
        while let Some(markup) = within {
            // A comment and an element of XML are not attributes.
            let is_attribute = markup.attribute != Markup::CONTENT;
            depth += usize::from(is_attribute);
            within = markup.within.as_ref();
        }
        states.push(LinkState { edited: reference.is_some(), depth });
    }
    if found.next().is_some() {
        return Err(Mismatch::new(None, "there is a new link"));
    }
    Ok(states)
}

/// Returns true if two links are in the same kind of place. The quotes may differ: an edit may need
/// others.
fn has_same_place(old: &ParsedLink<'_>, new: &ParsedLink<'_>) -> bool {
    let kind = |place: &Place| mem::discriminant(place);
    let markup = match (old.place.markup(), new.place.markup()) {
        (Some(old), Some(new)) => {
            old.language == new.language
                && old.element == new.element
                && old.attribute == new.attribute
                && old.form == new.form
                && old.within.is_some() == new.within.is_some()
        }
        (old, new) => old.is_none() && new.is_none(),
    };
    kind(&old.place) == kind(&new.place)
        && old.role == new.role
        && old.absoluteness == new.absoluteness
        && markup
}

/// The extents of the links, which must be disjoint and in order.
fn extents(links: &[ParsedLink<'_>]) -> Result<Vec<Span>, Mismatch> {
    let extents: Vec<Span> = links.iter().map(ParsedLink::extent).collect();
    let overlap = extents.windows(2).find(|pair| pair[0].end > pair[1].start);
    match overlap {
        Some(pair) => Err(Mismatch::new(pair[1].start, "two links overlap")),
        None => Ok(extents),
    }
}

/// The positions of these byte spans in the decoded text. Cost: one search in the offset map for
/// each.
fn in_text(text: &Text<'_>, spans: &[Span]) -> Vec<Span> {
    let position = |source: usize| {
        let (mut low, mut high) = (0, text.text.len());
        while low < high {
            let middle = low.midpoint(high);
            if text.to_source(Span::new(middle, middle)).start < source {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    };
    let led = |span: &Span| {
        let start = position(span.start);
        Span::new(start, position(span.end).max(start))
    };
    spans.iter().map(led).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Extra;
    use crate::format::written::Written;
    use crate::rewrite::Plan;
    use crate::rewrite::{PrefixMap, Rule, Rules};
    use crate::source::Charset;

    fn options() -> Options {
        Options {
            extra: Extra { comments: true, json: true, ..Extra::default() },
            ..Options::default()
        }
    }

    fn page(html: &str) -> Document {
        Document::new("a.html", html.as_bytes().to_vec()).retrieved_from("http://h/d/")
    }

    /// Verifies the edited document if the edit gives the first link this reference.
    fn first_link(document: &Document, reference: &str, edited: &str) -> Result<(), Mismatch> {
        let links = document.links_with(&options());
        let link = &links.found().links[0];
        let written = Written::escaped(link.extent(), Vec::new(), reference);
        let mut edits = Edits::default();
        edits.push(link.id(), "map", &written, reference, reference.into(), |_| None);
        verify(&links, &edits, edited.as_bytes())
    }

    #[test]
    fn broken_edits_are_refused() {
        let cases = [
            // An unescaped quote, and a lost `>`.
            (r#"<a href="b" title=t>"#, r#"x"y"#, r#"<a href="x"y" title=t>"#),
            ("<a href=b>t</a>", "x", "<a href=xt</a>"),
            ("<a href=b>t</a>", "x", "<a href='x>t</a>'>"),
            // A change outside the link.
            ("<a href=b>t</a>", "x", "<a href=x>u</a>"),
            ("<a href=b>t</a>", "x", "<a href=x>t</a> "),
            ("<a href=b>t</a>u", "x", "<a href=x>tu</a>"),
            ("<a href=b title=t>", "x", "<a href=x title=u>"),
            ("<a href=b title=t>", "x", "<a href=x Title2=t>"),
            ("<a href=b title=t>", "x", "<a title=t href=x>"),
            ("<a href=b c=d c=e>", "x", "<a href=x c=d c=f>"),
            ("<a href=b><!--c-->", "x", "<a href=x><!--d-->"),
            ("<!doctype html><a href=b>", "x", "<!doctype htm><a href=x>"),
            ("<a href=b><div>", "x", "<a href=x><span>"),
            // The tree drops the tag, but its attribute must not change either.
            ("<a href=b><tr id=c>", "x", "<a href=x><tr id=d>"),
            ("<a href=b><template>c</template>", "x", "<a href=x><template>d</template>"),
            // Other links.
            ("<a href=b>", "x", "<a href=y>"),
            ("<a href=b><a href=c>", "x", "<a href=x><a href=d>"),
            ("<a href=b>", "x", "<a href=x><a href=c>"),
            ("<a href=b><a href=c>", "x", "<a href=x>"),
            ("<a href=b>", "x", "<img src=x>"),
            // A change next to a link in a value, a text or a comment.
            ("<img srcset='b 1x'>", "x", "<img srcset='x 2x'>"),
            ("<p style='a:url(b)'>", "x", "<p style='b:url(x)'>"),
            ("<style>a{b:url(c)}</style>", "x", "<style>a{d:url(x)}</style>"),
            ("<style>@import 'b';</style>", "x", "<style>@import 'x'; </style>"),
            (
                r#"<script type=importmap>{"imports":{"a":"/b"}}</script>"#,
                "/x",
                r#"<script type=importmap>{"imports":{"c":"/x"}}</script>"#,
            ),
            (
                "<iframe srcdoc='<a href=b>t</a>'></iframe>",
                "x",
                "<iframe srcdoc='<a href=x>u</a>'></iframe>",
            ),
            (
                "<!--[if IE]><a href=b title=t><![endif]-->",
                "x",
                "<!--[if IE]><a href=x title=u><![endif]-->",
            ),
        ];
        for (old, reference, new) in cases {
            let result = first_link(&page(old), reference, new);
            assert!(result.is_err(), "{old} became {new}");
        }
    }

    #[test]
    fn edits_not_made_or_without_a_link_are_refused() {
        assert!(first_link(&page("<a href=b>"), "x", "<a href=b>").is_err());
        let document = page("<a href=b>");
        let links = document.links_with(&options());
        assert!(verify(&links, &Edits::default(), b"<a href=x>").is_err());
        assert!(verify(&links, &Edits::default(), b"<a href=b>").is_ok());
    }

    #[test]
    fn mismatch_has_the_byte_offset() {
        let result = first_link(&page("<a href=b><p title=t>"), "x", "<a href=x><p title=u>");
        let mismatch = result.expect_err("a title differs");
        assert_eq!(mismatch.at, Some(10));
        assert_eq!(mismatch.to_string(), "the value of an attribute differs");
    }

    #[test]
    fn character_reference_that_absorbs_part_of_a_link_is_refused() {
        // It is not a character reference before a letter, but is one before a slash.
        let old = "<meta http-equiv=refresh content='0;url=b' id='&copy=1'>";
        let new = "<meta http-equiv=refresh content='0;url=x' id='&copy;=1'>";
        assert!(first_link(&page(old), "x", new).is_err());
        let same = "<meta http-equiv=refresh content='0;url=x' id='&amp;copy=1'>";
        assert_eq!(first_link(&page(old), "x", same), Ok(()));
    }

    #[test]
    fn plans_verify_in_every_place() {
        let mut map = PrefixMap::default();
        map.insert_entry("http://h/d/=http://n/a=b,/\u{e9}").expect("an entry");
        let rules = Rules { rules: vec![Rule::Map(map)], ..Rules::default() };
        let html = [
            "<!doctype html><a href=c title=t&amp;>\0t\r\nu</a><b style=\"a:url('c&amp;d')\">",
            "<iframe srcdoc='<a href=c>t</a><style>@import &apos;d&apos;</style>'></iframe>",
            "<img srcset='c 1x, d 2x' src=\"c&#47;e\"><!--[if IE]><a href=c>d</a><![endif]-->",
            "<script type=importmap>{\"imports\":{\"a\":\"./c\"}}</script><style>@import 'c'</style>",
            "<svg><style>@import &quot;c&quot;;<![CDATA[@import 'd']]></style><a xlink:href=c /></svg>",
            "<meta http-equiv=refresh content='0; url=c'><table><tr><td background=c>x<b>y",
            "<template><a href=c>t</a></template><p>\u{e9}\u{65e5}",
        ]
        .concat();
        for label in ["utf-8", "windows-1252", "shift_jis", "utf-16be", "iso-2022-jp"] {
            let charset = Charset::named(label, b"").expect("a label");
            let document = page("").with_bytes(charset.encode(&html));
            let document = document.with_charset(charset);
            let links = document.links_with(&options());
            let plan = Plan::new(&links, &rules);
            assert!(plan.edits().len() > 10, "{label}: {:?}", plan.skip_reasons());
            let edited = plan.bytes();
            let verified = |edited: &[u8]| plan.verify_bytes(edited);
            assert_eq!(verified(edited), Ok(()), "{label}");
            // Bytes removed or added at the end are refused.
            assert!(verified(&edited[..edited.len() - 2]).is_err(), "{label}");
            let longer = [edited, &document.charset().encode("z")].concat();
            assert!(verified(&longer).is_err(), "{label}");
        }
    }

    #[test]
    fn text_changed_outside_links_is_refused() {
        let text = |text: &str| Document::new("a.txt", text.as_bytes().to_vec());
        let old = text("a <http://h/\n b> c http://i/ d");
        let verified = |new| first_link(&old, "http://n/b", new);
        assert_eq!(verified("a <http://n/b> c http://i/ d"), Ok(()));
        for broken in [
            "b <http://n/b> c http://i/ d",
            "a <http://n/b> e http://i/ d",
            "a <http://n/b> c http://i/ e",
            "a <http://n/b> c http://j/ d",
            "a <http://n/b > c http://i/ d",
        ] {
            assert!(verified(broken).is_err(), "{broken}");
        }
        let sheet = Document::new("a.css", b"a{b:url(c)}".to_vec());
        assert_eq!(first_link(&sheet, "x", "a{b:url(x)}"), Ok(()));
        assert!(first_link(&sheet, "x", "a{d:url(x)}").is_err());
    }

    #[test]
    fn deep_pages_cannot_be_verified() {
        let page = |reference: &str| format!("{}<a href={reference}>", "<div>".repeat(20_000));
        let result = first_link(&self::page(&page("b")), "x", &page("x"));
        let mismatch = result.expect_err("too deep");
        assert_eq!(mismatch.to_string(), "the page nests too deep to build its tree");
    }

    #[test]
    fn incomplete_charset_in_meta_content_verifies() {
        let page = |reference: &str| {
            format!(
                "<meta http-equiv=content-type content='text/html; charset'><a href={reference}>"
            )
        };
        assert_eq!(first_link(&self::page(&page("b")), "x", &page("x")), Ok(()));
    }
}
