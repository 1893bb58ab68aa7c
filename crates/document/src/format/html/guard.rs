//! Tags that may end SVG or MathML from within the HTML in it.
//!
//! HTML in an integration point is read as in a body. An end tag in it may close the SVG or MathML
//! around, if it has the name of an element between that and the innermost special element of HTML
//! around: no search for an element passes one that is special (HTML standard, section 13.2.6.4.7,
//! "any other end tag"). The builder searches list items in the same way, and does not take
//! integration points as special for these. All other searches for an element end at the integration
//! point (section 13.2.4.2, "in scope"), except those of tables and templates.

use html5ever::{LocalName, Namespace, local_name, ns};

/// The tags in an integration point that may end it or create an element of SVG or MathML in it,
/// apart from those that do so everywhere.
#[derive(Debug, Default)]
pub(super) struct Guard {
    pub(super) ends: Vec<LocalName>,
    pub(super) starts: Vec<&'static str>,
}

impl Guard {
    pub(super) fn doubts_end(&self, name: &[u8]) -> bool {
        self.ends.iter().any(|it| it.as_bytes().eq_ignore_ascii_case(name))
    }

    pub(super) fn doubts_start(&self, name: &[u8]) -> bool {
        self.starts.iter().any(|it| it.as_bytes().eq_ignore_ascii_case(name))
    }
}

/// The most names of a guard: all are compared with the names of tags.
const MOST_NAMES: usize = 32;

/// The elements around a place.
#[derive(Debug, Default)]
pub(super) struct Surroundings {
    /// The names since the innermost special element.
    names: Vec<LocalName>,
    /// True if a list item or an item of a description is open, so that another closes it.
    in_item: bool,
    in_description: bool,
    /// The guard in the innermost element of SVG or MathML, if HTML is expected in it.
    guard: Option<Guard>,
}

impl Surroundings {
    /// Enters the next open element.
    pub(super) fn enter(&mut self, namespace: &Namespace, name: &LocalName) {
        let is_point = match *namespace {
            ns!(svg) => matches!(&**name, "desc" | "foreignObject" | "title"),
            ns!(mathml) => matches!(&**name, "mi" | "mn" | "mo" | "ms" | "mtext"),
            _ => false,
        };
        if *namespace == ns!(html) {
            if is_special(name) {
                self.names.clear();
                if !matches!(*name, local_name!("address") | local_name!("div") | local_name!("p"))
                {
                    self.in_item = *name == local_name!("li");
                    self.in_description = matches!(*name, local_name!("dd") | local_name!("dt"));
                }
            } else {
                self.names.push(name.clone());
            }
            return;
        }
        self.names.push(name.clone());
        self.guard = (is_point && self.names.len() <= MOST_NAMES).then(|| {
            let mut starts = Vec::new();
            if *namespace == ns!(mathml) {
                starts.extend(["mglyph", "malignmark"]);
            }
            if self.in_item {
                starts.push("li");
            }
            if self.in_description {
                starts.extend(["dd", "dt"]);
            }
            Guard { ends: self.names.clone(), starts }
        });
    }

    /// The guard, after all open elements.
    pub(super) fn guard(self) -> Option<Guard> {
        // Other names are not those of tags.
        self.guard.filter(|it| it.ends.iter().all(|name| name.is_ascii()))
    }
}

/// Returns true for an element that is certainly special (HTML standard, section 13.2.4.2). There
/// are others, which are rarer.
fn is_special(name: &str) -> bool {
    const SPECIAL: [&str; 40] = [
        "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div",
        "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4",
        "h5", "h6", "header", "html", "li", "main", "menu", "nav", "object", "ol", "p", "pre",
        "section", "summary", "table", "tbody", "td", "th", "tr", "ul",
    ];
    SPECIAL.contains(&name)
}
