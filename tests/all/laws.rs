//! Laws 1 to 5, 7 to 9, 14 and 15 on generated documents of every language. Each file in `laws` has
//! the documents of a language, a [`Row`] of what the laws need to know about them, and laws of this
//! language alone.

/// Declares a test for each law, in a module for each row.
macro_rules! laws {
    ($($module:ident: $row:ident;)*) => {$(
        pub(super) mod $module {
            pub(in crate::laws) const ROW: &crate::laws::Row = &super::$row;
            laws! { @tests
                spans_are_sorted_disjoint_and_decode_to_the_reference
                empty_plan_changes_nothing
                edits_change_only_their_bytes_and_links
                absolute_and_relative_references_keep_their_targets
                absolute_after_relative_gives_absolute_references
                second_run_changes_nothing
                plans_verify_and_damaged_results_do_not
                delivered_links_are_those_that_are_found
                arbitrary_bytes_do_not_panic
                hostile_documents_cost_linear_time
            }
        }
    )*};
    (@tests $($law:ident)*) => {$(
        #[test]
        fn $law() {
            crate::laws::$law(ROW);
        }
    )*};
}

mod css;
mod header;
pub(crate) mod html;
mod http;
mod json;
pub(crate) mod markdown;
mod mdx;
mod mkdocs;
mod notebook;
mod office;
mod pdf;
mod shortcut;
mod text;
mod xml;

use std::hint::black_box;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{TestCaseResult, TestRunner};
use rehref::bytes::Span;
use rehref::document::{Document, Links};
use rehref::format::{Format, Options};
use rehref::link::{ParsedLink, Place, Target};
use rehref::rewrite::{
    Decision, Mapper, OutputBases, ParamGlobs, PatternMap, Plan, PrefixMap, Rule, Rules, SkipReason,
};
use rehref::uri::Base;

use crate::linear::assert_linear;
use crate::support::charsets::{encode, in_charset};
use crate::support::links::{are_delivered, assert_sorted, references, targets, uris};
use crate::support::planned::{Planned, plan, prefix_map, rewritten, spliced};
use crate::tier;

/// The character encodings of generated documents: ASCII-compatible ones, and others.
pub(crate) const CHARSETS: [&str; 6] =
    ["utf-8", "shift_jis", "utf-16le", "utf-16be", "windows-1252", "iso-2022-jp"];

/// All rows.
const ROWS: &[&Row] = &[
    css::sheets::ROW,
    header::headers::ROW,
    html::pages::ROW,
    html::wild_soup::ROW,
    http::heads::ROW,
    json::feeds::ROW,
    json::manifests::ROW,
    markdown::texts::ROW,
    markdown::changed_fixtures::ROW,
    mdx::soups::ROW,
    mkdocs::configurations::ROW,
    notebook::notebooks::ROW,
    office::documents::ROW,
    pdf::files::ROW,
    shortcut::desktop_entries::ROW,
    shortcut::internet_shortcuts::ROW,
    text::texts::ROW,
    xml::documents::ROW,
];

/// Reads a link back from the text under its spans, as [`Row::read_back`] says.
type ReadBack = fn(&dyn Fn(&str) -> String, &ParsedLink<'_>, &str) -> Option<String>;

/// Documents of a language, and what differs between the languages.
pub(crate) struct Row {
    pub(crate) format: Format,
    /// The name of a document.
    pub(crate) name: &'static str,
    /// Documents. Each law is tried on some of them.
    pub(crate) documents: fn(&'static Row) -> BoxedStrategy<Document>,
    /// Pieces of documents, which are strewn into arbitrary bytes.
    pub(crate) pieces: fn() -> BoxedStrategy<String>,
    /// The beginning of every document.
    pub(crate) first: &'static str,
    pub(crate) base: &'static str,
    pub(crate) options: fn() -> BoxedStrategy<Options>,
    pub(crate) rules: fn() -> Vec<Rules>,
    /// Reads a link back from the text under its spans, in a document of its own: the function
    /// returns the last reference of a text. None for a link that depends on what is around it.
    pub(crate) read_back: ReadBack,
    /// True if verification compares the bytes outside of links, not what they mean.
    pub(crate) compares_bytes: bool,
    /// Returns true for a document in which verification is known to find a difference.
    pub(crate) is_verified_otherwise: fn(&Document) -> bool,
    /// Families of documents that could take long, as for [`assert_linear`].
    pub(crate) hostile: &'static [&'static str],
    pub(crate) config: fn() -> ProptestConfig,
}

impl Row {
    pub(crate) const fn new(
        format: Format,
        name: &'static str,
        documents: fn(&'static Row) -> BoxedStrategy<Document>,
        pieces: fn() -> BoxedStrategy<String>,
    ) -> Self {
        Self {
            format,
            name,
            documents,
            pieces,
            first: "",
            base: "http://h/d/e/f?q",
            options: || Just(Options::default()).boxed(),
            rules,
            read_back: |_, _, _| None,
            compares_bytes: true,
            is_verified_otherwise: |_| false,
            hostile: &[],
            config,
        }
    }

    /// A document of the language in this character encoding, whatever its content is.
    pub(crate) fn document(&self, bytes: Vec<u8>, label: &str) -> Document {
        let document = Document::new(self.name, bytes).with_format(self.format);
        in_charset(document.retrieved_from(self.base), label)
    }

    /// Documents with these texts in different character encodings.
    pub(crate) fn encoded(
        &'static self,
        texts: impl Strategy<Value = String> + 'static,
        charsets: &'static [&'static str],
    ) -> BoxedStrategy<Document> {
        let encoded = (texts, select(charsets)).prop_map(|(text, charset)| {
            let text = format!("{}{text}", self.first);
            self.document(encode(&text, charset), charset)
        });
        encoded.boxed()
    }

    /// Returns true if a name is enough to detect the language.
    fn is_detected(&self) -> bool {
        Format::detect(Path::new(self.name), self.first.as_bytes()) == self.format
    }

    /// Tries a law on documents with options and rules each.
    fn try_on(&self, documents: BoxedStrategy<Document>, law: impl Fn(Case) -> TestCaseResult) {
        let cases = (documents, (self.options)(), select((self.rules)()), any::<Index>());
        let cases = cases.prop_map(|(document, options, rules, at)| {
            let document = document.with_options(options);
            Case { document, rules, at }
        });
        let mut runner = TestRunner::new((self.config)());
        if let Err(error) = runner.run(&cases, law) {
            panic!("{error}\n{runner}");
        }
    }

    fn try_all(&'static self, law: impl Fn(Case) -> TestCaseResult) {
        self.try_on((self.documents)(self), law);
    }
}

/// A document, rules, and a place in a document.
#[derive(Clone)]
struct Case {
    document: Document,
    rules: Rules,
    at: Index,
}

/// The text, for failure messages.
impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { document, rules, at } = self;
        let charset = document.charset().encoding().name();
        write!(f, "{:?} in {charset}, {rules:?}, {at:?}", document.text().text)
    }
}

pub(crate) fn config() -> ProptestConfig {
    tier::cases(tier::pick(128, 2000))
}

/// A map with characters that most places and character encodings cannot hold.
pub(crate) fn map() -> PrefixMap {
    prefix_map(&[
        "http://h/d/=http://n/日/&amp;,/x=",
        "http://h=http://m/é",
        "https://h/=ftp://o/\"'`<>/",
    ])
}

pub(crate) fn rules() -> Vec<Rules> {
    let mut patterns = PatternMap::default();
    for entry in ["^http://h/d/(.)=http://n/$1?日&amp;/", "^https?://h=http://m/é"] {
        patterns.insert_entry(entry).expect("an entry");
    }
    let names = ParamGlobs::new(["*[0-9a-qu-z]*", "%*"]).expect("globs");
    vec![
        Rules::new().absolute(),
        Rules::new().relative(),
        Rules::new().prefix_map(map()),
        Rules::new().root_relative(),
        Rule::Pattern(patterns).into(),
        Rules::new().drop_params(names),
        Rules::new().clean_urls(),
        Rules::new().path_prefix("/d/日&,".parse().expect("a path")),
    ]
}

/// Laws 1 and 2.
fn spans_are_sorted_disjoint_and_decode_to_the_reference(row: &'static Row) {
    row.try_all(|Case { document, .. }| {
        let links = document.links();
        assert_sorted(&links);
        let read = |text: &str| {
            let alone = row.document(format!("{}{text}", row.first).into_bytes(), "utf-8");
            let last = references(&alone.with_options(links.options().clone())).pop();
            last.unwrap_or_else(|| "no link".to_owned())
        };
        for link in &links.found().links {
            let spelled: String = link.spans.iter().map(|&span| document.decode(span)).collect();
            if let Some(read) = (row.read_back)(&read, link, &spelled) {
                prop_assert_eq!(read, &*link.reference, "{:?} at {:?}", spelled, link.spans);
            }
        }
        Ok(())
    });
}

/// Law 3.
fn empty_plan_changes_nothing(row: &'static Row) {
    row.try_all(|Case { document, .. }| {
        let plan = plan(&document, Rule::Map(PrefixMap::default()));
        prop_assert!(plan.is_empty());
        prop_assert_eq!(plan.bytes(), document.bytes());
        prop_assert!(plan.skipped().iter().map(|it| it.0).eq(0..document.links().len()));
        Ok(())
    });
}

/// Laws 4 and 5.
fn edits_change_only_their_bytes_and_links(row: &'static Row) {
    row.try_all(|Case { document, rules, .. }| edits_hold(&document, &rules));
}

/// Law 5 for rules that keep targets.
fn absolute_and_relative_references_keep_their_targets(row: &'static Row) {
    row.try_all(|Case { document, at, .. }| {
        let rules = [Rule::Absolute, Rule::Relative, Rule::RootRelative];
        let edited = rewritten(&document, at.get(&rules).clone());
        prop_assert_eq!(uris(targets(&edited)), uris(targets(&document)));
        Ok(())
    });
}

/// Law 8.
fn absolute_after_relative_gives_absolute_references(row: &'static Row) {
    row.try_all(|Case { document, .. }| {
        let once = rewritten(&document, Rule::Absolute);
        let twice = rewritten(&rewritten(&document, Rule::Relative), Rule::Absolute);
        prop_assert_eq!(uris(references(&twice)), uris(references(&once)));
        Ok(())
    });
}

/// Law 7.
fn second_run_changes_nothing(row: &'static Row) {
    row.try_all(|Case { document, rules, .. }| {
        let edited = rewritten(&document, rules.clone());
        let again = plan(&edited, rules);
        prop_assert!(again.is_empty(), "{:?} in {:?}", again.edits(), edited.text().text);
        Ok(())
    });
}

/// Law 14.
fn plans_verify_and_damaged_results_do_not(row: &'static Row) {
    row.try_all(|Case { document, rules, at }| {
        let links = document.links();
        let plan = Plan::new(&links, &rules);
        let edited = plan.bytes();
        let is_known = (row.is_verified_otherwise)(&document);
        if let Err(mismatch) = plan.verify() {
            prop_assert!(is_known, "{mismatch:?} after {:?}", plan.edits());
            return Ok(());
        }
        let (_, places) = spliced(&document, plan.edits());
        // One edit is missing, or one is not in the plan.
        if let Some((edit, place)) = plan.edits().iter().zip(&places).last() {
            prop_assert!(plan.verify_bytes(document.bytes()).is_err());
            let old = document.bytes()[edit.span.range()].iter().copied();
            let mut broken = edited.to_vec();
            broken.splice(place.clone(), old);
            prop_assert!(plan.verify_bytes(&broken).is_err());
            let link = links.found().link(edit.link).expect("a link");
            let others = AllBut(rules, link.extent());
            prop_assert!(Plan::new(&links, &others).verify_bytes(edited).is_err());
        }
        if edited.is_empty() {
            return Ok(());
        }
        // A byte is missing: the result may be equivalent.
        let at = at.index(edited.len());
        let mut broken = edited.to_vec();
        broken.remove(at);
        let _ = plan.verify_bytes(&broken);
        let mut broken = edited.to_vec();
        broken[at] ^= 1;
        let verified = plan.verify_bytes(&broken);
        // Invalid bytes are all read as U+FFFD.
        let compares = row.compares_bytes && !is_known && links.malformed().is_none();
        let is_edited = places.iter().any(|place| place.contains(&at));
        let is_refused = verified.is_err() || is_edited || !compares;
        prop_assert!(is_refused, "byte {at} of {:?}", broken.escape_ascii().to_string());
        Ok(())
    });
}

/// Law 15.
fn delivered_links_are_those_that_are_found(row: &'static Row) {
    row.try_all(|Case { document, .. }| are_delivered(&document));
}

/// Law 9, with laws 2 to 5 on what is left of documents.
fn arbitrary_bytes_do_not_panic(row: &'static Row) {
    let noise = [
        "\0", "\x1b$B", "\x1b(B", "\x1b(J", "\u{FEFF}", "\n", "<", ">", "\"", "'", "\\", "[", "]",
        "(", ")", "=",
    ];
    let charsets = [
        "utf-8", "utf-16le", "utf-16be", "shift_jis", "gb18030", "big5", "euc-jp", "euc-kr",
        "iso-2022-jp", "windows-1252",
    ];
    let bytes = prop_oneof![
        any::<u8>().prop_map(|byte| vec![byte]),
        (row.pieces)().prop_map(String::into_bytes),
        select(noise.to_vec()).prop_map(|piece| piece.as_bytes().to_vec()),
    ];
    let bytes = prop::collection::vec(bytes, 0..60).prop_map(|bytes| bytes.concat());
    let documents = (bytes, select(charsets.to_vec())).prop_map(|(bytes, charset)| {
        row.document([row.first.as_bytes(), &bytes].concat(), charset)
    });
    row.try_on(documents.boxed(), |Case { document, rules, at }| {
        let bytes = document.bytes();
        let truncated = bytes[..at.index(bytes.len() + 1)].to_vec();
        let others = [bytes.to_vec(), truncated].map(|bytes| Document::new(row.name, bytes));
        let others = others.map(|it| it.with_options(document.links().options().clone()));
        if row.is_detected() {
            prop_assert_eq!(others[0].format(), row.format);
        }
        for document in others.iter().chain([&document]) {
            let links = document.links();
            assert_sorted(&links);
            edits_hold(document, &rules)?;
            let _ = black_box(Plan::new(&links, &rules).verify());
            for link in &links.found().links {
                black_box(document.raw(link));
            }
        }
        Ok(())
    });
}

/// Law 9.
fn hostile_documents_cost_linear_time(row: &'static Row) {
    let rules = (row.rules)().swap_remove(0);
    for family in row.hostile {
        assert_linear(&format!("{}{family}", row.first), |text| {
            let document = row.document(text.into(), "utf-8");
            black_box(plan(&document, rules.clone()));
            black_box(Document::new(row.name, text.into()).format());
        });
    }
}

/// Edits change their own bytes and links, and nothing else. The targets are those of the plan.
pub(crate) fn edits_hold(document: &Document, rules: &Rules) -> TestCaseResult {
    let plan = plan(document, rules.clone());
    edits_are_read_back(document, &plan)?;
    let edited = plan.applied_to(document);
    let found = edited.links();
    let mut resolving = found.resolving();
    for edit in plan.edits() {
        let target = resolving.target(&found.found().links[plan.number(edit.link)]);
        // Without a base, the target of a relative reference is unknown.
        prop_assert_eq!(target.uri.unwrap_or(edit.reference), edit.new_uri);
    }
    Ok(())
}

/// Edits change only their own bytes, and the references of their links are those that are read
/// there. Each link is edited or skipped.
pub(crate) fn edits_are_read_back(document: &Document, plan: &Planned) -> TestCaseResult {
    let (expected, places) = spliced(document, plan.edits());
    prop_assert_eq!(plan.bytes(), &expected);

    let old = document.links();
    let mut meant = references(document);
    prop_assert_eq!(plan.edits().len() + plan.skipped().len(), meant.len());
    for edit in plan.edits() {
        meant[plan.number(edit.link)] = edit.reference.to_owned();
    }
    let edited = plan.applied_to(document);
    prop_assert_eq!(references(&edited), meant, "{:?}", edited.text().text);

    // The links are where the edits are, in one piece. In markup, delimiters may be written, too,
    // and bytes of the link may stay.
    let new = edited.links();
    for (edit, range) in plan.edits().iter().zip(places) {
        let number = plan.number(edit.link);
        let (old, new) = (&old.found().links[number], &new.found().links[number]);
        let extent = new.extent().range();
        prop_assert_eq!(new.spans.len(), 1);
        if matches!(old.place, Place::Text(_) | Place::Field(_)) {
            prop_assert_eq!((edit.span, &extent), (old.extent(), &range));
        }
    }
    Ok(())
}

/// Rules for all links except the one at this span.
struct AllBut(Rules, Span);

impl Mapper for AllBut {
    fn output_bases(&self, links: &Links<'_>) -> Option<OutputBases> {
        self.0.output_bases(links)
    }

    fn map<'t>(
        &self,
        document: &Document,
        link: &ParsedLink<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
    ) -> Decision<'t> {
        match link.extent() == self.1 {
            true => Decision::Skip(SkipReason::NoRule),
            false => self.0.map(document, link, target, base),
        }
    }
}

#[test]
fn every_language_has_laws() {
    // Containers have the laws of `mail_laws`, `web_archive_laws` and of XML.
    let languages = Format::all().filter(|it| it.container().is_none());
    for language in languages {
        let has_laws = ROWS.iter().any(|row| row.format == language);
        assert!(has_laws, "{language} has no row");
    }
    for row in ROWS {
        let is_part = matches!(row.format.as_str(), "header" | "http");
        assert!(row.is_detected() || is_part, "{} is not detected", row.name);
    }
}
