//! Where tags are SVG's or MathML's and where they are HTML's.
//!
//! The HTML standard tells that from the tree that it builds (section 13.2.6.5). This follows what
//! opens and closes foreign content and the islands of HTML in it, and no other element: exact for
//! content that nests properly, but for the HTML in an `annotation-xml`.

/// The open elements that change what tags are, innermost last.
#[derive(Debug, Default)]
pub(super) struct Foreign {
    open: Vec<Island>,
    /// How many of each kind are open: an end tag that has nothing to close costs no search.
    counts: [usize; 3],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Island {
    Svg,
    Math,
    /// An element of SVG or MathML whose content is HTML again.
    Html,
}

/// HTML elements that end foreign content where they begin.
const BREAKOUT: [&str; 44] = [
    "b",
    "big",
    "blockquote",
    "body",
    "br",
    "center",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "hr",
    "i",
    "img",
    "li",
    "listing",
    "menu",
    "meta",
    "nobr",
    "ol",
    "p",
    "pre",
    "ruby",
    "s",
    "small",
    "span",
    "strong",
    "strike",
    "sub",
    "sup",
    "table",
    "tt",
    "u",
    "ul",
    "var",
];

impl Foreign {
    /// Whether a tag here is SVG's or MathML's.
    pub(super) fn is_here(&self) -> bool {
        matches!(self.open.last(), Some(Island::Svg | Island::Math))
    }

    /// A start tag comes: says whether its element is SVG's or MathML's. `breaks_out` tells whether
    /// a `font` has the attributes that make it HTML's.
    pub(super) fn start(
        &mut self,
        name: &[u8],
        self_closing: bool,
        breaks_out: impl FnOnce() -> bool,
    ) -> bool {
        let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
        let opened = match name.len() {
            3 if is("svg") => Some(Island::Svg),
            4 if is("math") => Some(Island::Math),
            _ => None,
        };
        // Nearly all tags stand in HTML.
        if opened.is_none() && self.open.is_empty() {
            return false;
        }
        if self.is_here() && (BREAKOUT.iter().any(|it| is(it)) || is("font") && breaks_out()) {
            self.break_out();
            return false;
        }
        let is_foreign = opened.is_some() || self.is_here();
        let island = opened.or_else(|| match self.open.last() {
            Some(Island::Svg) if ["foreignobject", "desc", "title"].iter().any(|it| is(it)) => {
                Some(Island::Html)
            }
            Some(Island::Math) if ["mi", "mo", "mn", "ms", "mtext"].iter().any(|it| is(it)) => {
                Some(Island::Html)
            }
            _ => None,
        });
        if let Some(island) = island.filter(|_| !self_closing) {
            self.counts[island as usize] += 1;
            self.open.push(island);
        }
        is_foreign
    }

    /// An end tag comes.
    pub(super) fn end(&mut self, name: &[u8]) {
        if self.open.is_empty() {
            return;
        }
        let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
        const ISLANDS: [&str; 8] = [
            "foreignobject",
            "desc",
            "title",
            "mi",
            "mo",
            "mn",
            "ms",
            "mtext",
        ];
        let island = if is("svg") {
            Island::Svg
        } else if is("math") {
            Island::Math
        } else if ISLANDS.iter().any(|it| is(it)) {
            Island::Html
        } else {
            if self.is_here() && (is("p") || is("br")) {
                self.break_out();
            }
            return;
        };
        if self.counts[island as usize] > 0 {
            while self.close().is_some_and(|closed| closed != island) {}
        }
    }

    fn break_out(&mut self) {
        while self.is_here() {
            self.close();
        }
    }

    fn close(&mut self) -> Option<Island> {
        let closed = self.open.pop()?;
        self.counts[closed as usize] -= 1;
        Some(closed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the last of these tags is foreign.
    fn last_is_foreign(tags: &str) -> bool {
        let mut foreign = Foreign::default();
        let mut last = false;
        for tag in tags.split_whitespace() {
            let name = tag.trim_end_matches('/');
            match name.strip_prefix('/') {
                Some(name) => foreign.end(name.as_bytes()),
                None => last = foreign.start(name.as_bytes(), name != tag, || false),
            }
        }
        last
    }

    #[test]
    fn islands() {
        for tags in [
            "svg",
            "svg a",
            "svg g /g a",
            "math mi svg a",
            "svg desc p /p /desc a",
            "svg svg /svg a",
        ] {
            assert!(last_is_foreign(tags), "{tags}");
        }
        for tags in [
            "a",
            "svg/ a",
            "svg /svg a",
            "svg p a",
            "svg g div",
            "svg foreignObject a",
            "svg foreignObject svg /svg a",
            "svg title a",
            "math mtext a",
            "svg g /p a",
            "svg desc /svg a",
        ] {
            assert!(!last_is_foreign(tags), "{tags}");
        }
    }
}
