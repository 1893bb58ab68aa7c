//! A link, as shown on the page.

use rehref::jobs::LocalTree;
use rehref::link::{Note, Place};
use rehref::records::LinkReport;
use serde::Serialize;

use super::html::{shortened, shown};

/// A link.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ShownLink {
    #[serde(rename = "ref")]
    reference: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<String>,
    /// True if the page may have a hyperlink to the URL.
    #[serde(skip_serializing_if = "is_false")]
    open: bool,
    pub(super) line: usize,
    col: usize,
    pub(super) kind: &'static str,
    role: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    alternatives: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base_from: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    element: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attr: Option<String>,
    /// The reason that the link is broken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) broken: Option<&'static str>,
    /// A similar reference that works.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) near: Option<String>,
    /// The planned reference. Empty if the link is removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) new: Option<String>,
    /// The rule of the plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rule: Option<&'static str>,
    /// The reason that the plan leaves the link unchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) skipped: Option<&'static str>,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl ShownLink {
    pub(super) fn new(report: &LinkReport<'_>) -> Self {
        let url = report.url().and_then(LocalTree::public_url);
        let base = report.base();
        let base = base.filter(|&(base, _)| LocalTree::public_url(base).is_some() && url.is_some());
        let markup = report.place().markup();
        let attribute = report.place().attribute().or(report.place().header());
        Self {
            reference: shortened(report.reference()),
            uri: url.filter(|url| *url != report.reference()).map(shortened),
            open: url.is_some_and(may_open),
            line: report.line(),
            col: report.column(),
            kind: kind_of(report.place()),
            role: report.role().as_str(),
            notes: report.notes().iter().map(Note::as_str).collect(),
            alternatives: report.alternatives().iter().map(|it| shortened(it)).collect(),
            base: base.map(|(base, _)| shown(base)),
            base_from: base.map(|(_, from)| from.as_str()),
            element: markup.map(|it| shown(&it.element)),
            attr: attribute.map(shown),
            broken: None,
            near: None,
            new: None,
            rule: None,
            skipped: None,
        }
    }

    /// The classes of its marks. Those for broken and changed links are added later.
    pub(super) fn class(&self) -> String {
        let mut class = format!("k-{}", class_of(self.kind));
        if self.is_doubtful() {
            class += " doubtful";
        }
        if self.is_ambiguous() {
            class += " ambiguous";
        }
        class
    }

    fn is_doubtful(&self) -> bool {
        self.notes.contains(&Note::Doubtful.as_str())
    }

    fn is_ambiguous(&self) -> bool {
        !self.alternatives.is_empty()
    }
}

/// The kind by which a link is colored: its delimiter in text, else its place.
pub(super) fn kind_of(place: &Place) -> &'static str {
    match place {
        Place::Text(delimiter) => delimiter.as_str(),
        place => place.as_str(),
    }
}

/// The kinds with a separate color. The fields of other languages share one.
const COLORED: [&str; 10] =
    ["angle", "quote", "prefix", "bare", "abbreviated", "email", "html", "css", "xml", "header"];

/// The class of a kind.
pub(super) fn class_of(kind: &'static str) -> &'static str {
    match COLORED.contains(&kind) {
        true => kind,
        false => "field",
    }
}

/// Returns true if a hyperlink to a URL is harmless and its target is the one in its text.
fn may_open(url: &str) -> bool {
    let scheme = url.split(':').next().unwrap_or_default();
    let is_safe = ["http", "https", "mailto"].iter().any(|it| it.eq_ignore_ascii_case(scheme));
    is_safe && shortened(url) == url
}
