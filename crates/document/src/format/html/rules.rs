//! Classifies tags without a tree, where the result is certain.
//!
//! Tree construction (HTML standard, section 13.2.6) decides whether a tag creates an element, in
//! which namespace, and whether raw text follows. For most pages that follows from the tags alone.
//! Each rule reports where it is not certain; then the page is read with the [tree
//! oracle](super::tree_oracle). The tests compare the rules with a tree builder.

use super::chars::is_space;
use super::lexer::Lexer;
use super::names::{self, Key};
use super::namespace::Namespace;
use super::tag_classifier::{NeedsTree, TagClassifier, TagEffect};
use super::token::{RawText, Tag, Token};
use crate::bytes::Span;

/// The state of `select` elements: one in another creates no element. It is certain as long as they
/// contain only options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Selects {
    /// Not tracked: none of its attributes is a link.
    Any,
    /// No `select` is open.
    Closed,
    /// One is open, with only options in it so far.
    Open,
    /// Not certain any more.
    Unsure,
}

/// The state of the rules.
#[derive(Debug)]
pub(super) struct Rules {
    /// True if `noscript` contains text, as where scripts run.
    scripting: bool,
    /// True if uncertain tags are taken to create the elements they name.
    guess: bool,
    /// Nothing has begun the head yet.
    before_head: bool,
    /// A `table` was opened, without an end tag since.
    in_table: bool,
    /// A `form` is open.
    in_form: bool,
    /// The names of the open SVG or MathML elements, the outermost first.
    foreign: Vec<Span>,
    /// Their namespace.
    namespace: Namespace,
    /// The state of `select` elements, where it matters.
    selects: Selects,
    /// A `body` tag was read: then no `frameset` replaces the body (HTML standard, section
    /// 13.2.6.4.6, "frameset-ok flag").
    has_body: bool,
    /// For each open `template`, whether it is in a table. Its contents are not.
    templates: Vec<bool>,
    /// True if the last start tag opened the innermost of them.
    opened_template: bool,
    has_table: bool,
}

impl Rules {
    pub(super) fn new(scripting: bool) -> Self {
        Self {
            scripting,
            guess: false,
            before_head: true,
            in_table: false,
            in_form: false,
            selects: Selects::Any,
            has_body: false,
            foreign: Vec::new(),
            namespace: Namespace::Html,
            templates: Vec::new(),
            opened_template: false,
            has_table: false,
        }
    }

    /// Tracks what anchors need.
    pub(super) fn with_anchors(self) -> Self {
        Self { selects: Selects::Closed, ..self }
    }

    /// Rules for pages too deep for a tree: uncertain tags are taken to create the elements they
    /// name.
    pub(super) fn guessing(scripting: bool) -> Self {
        Self { guess: true, ..Self::new(scripting) }
    }

    /// A start tag in SVG or MathML.
    fn foreign_start(&mut self, tag: Tag, bytes: &[u8]) -> Result<TagEffect, NeedsTree> {
        let name = &bytes[tag.name.range()];
        let leaves = names::breaks_out(tag.key, name);
        if leaves || self.holds_html(bytes) {
            if !self.guess {
                return Err(NeedsTree);
            }
            if leaves {
                self.foreign.clear();
            }
            return Ok(TagEffect::Element(Namespace::Html));
        }
        if !tag.self_closing {
            self.foreign.push(tag.name);
        }
        Ok(TagEffect::Element(self.namespace))
    }

    /// Returns true if the innermost foreign element may contain HTML (HTML standard, section
    /// 13.2.6, "integration points").
    fn holds_html(&self, bytes: &[u8]) -> bool {
        let Some(name) = self.foreign.last() else {
            return true;
        };
        let name = &bytes[name.range()];
        let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
        match (self.namespace, Key::of_name(name)) {
            (Namespace::Svg, names::DESC | names::TITLE) => true,
            (Namespace::Svg, Key::LONG) => is("foreignobject"),
            (Namespace::MathMl, names::MI | names::MO | names::MN | names::MS | names::MTEXT) => {
                true
            }
            (Namespace::MathMl, Key::LONG) => is("annotation-xml"),
            _ => false,
        }
    }

    /// A start tag in HTML.
    fn html_start(&mut self, tag: Tag, bytes: &[u8]) -> Result<TagEffect, NeedsTree> {
        let before_head = self.before_head;
        let selects = self.selects;
        self.selects = match selects {
            Selects::Closed if tag.key == names::SELECT => Selects::Open,
            Selects::Open if !is_of_select(tag, bytes) => Selects::Unsure,
            selects => selects,
        };
        self.before_head &= tag.key == names::HTML;
        self.has_body |= tag.key == names::BODY && self.templates.is_empty();
        Ok(match tag.key {
            names::FRAMESET if !self.guess => return Err(NeedsTree),
            // In a template, some are ignored, and others determine how the rest is read.
            key if !self.templates.is_empty() && !self.guess && self.is_of_page_or_table(key) => {
                return Err(NeedsTree);
            }
            names::HTML | names::BODY => TagEffect::Attributes,
            names::HEAD if !before_head => TagEffect::Unsure,
            names::TEMPLATE => {
                self.templates.push(std::mem::take(&mut self.in_table));
                self.opened_template = true;
                TagEffect::Element(Namespace::Html)
            }
            names::SELECT if selects == Selects::Closed => TagEffect::Element(Namespace::Html),
            key if is_unsure(key) => TagEffect::Unsure,
            names::SVG | names::MATH => {
                self.namespace = match tag.key {
                    names::SVG => Namespace::Svg,
                    _ => Namespace::MathMl,
                };
                if !tag.self_closing {
                    self.foreign.push(tag.name);
                }
                TagEffect::Element(self.namespace)
            }
            names::FORM if std::mem::replace(&mut self.in_form, true) => TagEffect::Nothing,
            names::TABLE => {
                (self.in_table, self.has_table) = (true, true);
                TagEffect::Element(Namespace::Html)
            }
            key if !self.in_table && is_table_part(key) => TagEffect::Unsure,
            _ => TagEffect::Element(Namespace::Html),
        })
    }

    /// Returns true if a template with this tag is more than a piece of a body.
    fn is_of_page_or_table(&self, key: Key) -> bool {
        match key {
            names::HTML | names::HEAD | names::BODY | names::FORM | names::FRAME => true,
            key => !self.in_table && is_table_part(key),
        }
    }
}

impl TagClassifier for Rules {
    fn start_tag(&mut self, lexer: &mut Lexer<'_>) -> Result<TagEffect, NeedsTree> {
        let tag = lexer.tag;
        self.opened_template = false;
        if !self.foreign.is_empty() {
            let effect = self.foreign_start(tag, lexer.bytes)?;
            lexer.cdata = !self.foreign.is_empty();
            if effect != TagEffect::Element(Namespace::Html) {
                return Ok(effect);
            }
        }
        let effect = self.html_start(tag, lexer.bytes)?;
        lexer.cdata = !self.foreign.is_empty();
        if let Some(raw) = raw_text(tag.key, &lexer.bytes[tag.name.range()], self.scripting) {
            lexer.enter(raw);
        }
        Ok(match effect {
            TagEffect::Unsure if self.guess => TagEffect::Element(Namespace::Html),
            effect => effect,
        })
    }

    #[inline]
    fn plain_start_tag(&mut self, lexer: &mut Lexer<'_>) -> Result<TagEffect, NeedsTree> {
        let key = lexer.tag.key;
        let is_unsure = is_unsure(key) || !self.in_table && is_table_part(key);
        Ok(match is_unsure && !self.guess {
            true => TagEffect::Unsure,
            false => TagEffect::Element(Namespace::Html),
        })
    }

    fn end_tag(&mut self, lexer: &mut Lexer<'_>) -> Result<(), NeedsTree> {
        let tag = lexer.tag;
        if !self.foreign.is_empty() {
            let bytes = lexer.bytes;
            let name = &bytes[tag.name.range()];
            let closes = |open: &Span| bytes[open.range()].eq_ignore_ascii_case(name);
            if self.foreign.last().is_some_and(closes) {
                self.foreign.pop();
            } else if !self.guess {
                return Err(NeedsTree);
            } else if tag.key == names::SVG || tag.key == names::MATH {
                self.foreign.clear();
            }
            lexer.cdata = !self.foreign.is_empty();
            return Ok(());
        }
        self.before_head = false;
        if self.selects == Selects::Open {
            self.selects = match tag.key {
                names::SELECT => Selects::Closed,
                _ if is_of_select(tag, lexer.bytes) => Selects::Open,
                _ => Selects::Unsure,
            };
        }
        match tag.key {
            names::TABLE => self.in_table = false,
            // In a template it closes a form of the template.
            names::FORM if self.templates.is_empty() => self.in_form = false,
            names::TEMPLATE => {
                if let Some(in_table) = self.templates.pop() {
                    self.in_table = in_table;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn needs_text(&self) -> bool {
        self.before_head
    }

    fn is_final(&self) -> bool {
        self.has_body
    }

    fn skips_tags(&self) -> bool {
        self.foreign.is_empty()
            && self.templates.is_empty()
            && !self.before_head
            && self.selects != Selects::Open
    }

    fn skips_childless(&self, bytes: &[u8]) -> bool {
        !self.holds_html(bytes)
    }

    fn in_template(&self) -> bool {
        !self.templates.is_empty()
    }

    fn is_in_template(&self) -> bool {
        self.templates.len() > usize::from(self.opened_template)
    }

    fn keeps_order(&self) -> bool {
        self.guess || !self.has_table
    }

    fn other(&mut self, token: Token, lexer: &mut Lexer<'_>) -> Result<(), NeedsTree> {
        if self.before_head
            && let Token::Text(span, _) = token
        {
            self.before_head = lexer.bytes[span.range()].iter().all(|&byte| is_space(byte));
        }
        Ok(())
    }
}

/// Returns true for the tag of an option, which opens and closes only options.
fn is_of_select(tag: Tag, bytes: &[u8]) -> bool {
    let name = &bytes[tag.name.range()];
    ["option", "optgroup"].iter().any(|it| name.eq_ignore_ascii_case(it.as_bytes()))
}

/// Returns true for an element that is created only in some places.
fn is_unsure(key: Key) -> bool {
    matches!(key, names::FRAME | names::NOSCRIPT | names::SELECT)
}

/// Returns true for a part of a table, which creates nothing outside one.
pub(super) fn is_table_part(key: Key) -> bool {
    matches!(
        key,
        names::CAPTION
            | names::COL
            | names::COLGROUP
            | names::TBODY
            | names::TD
            | names::TFOOT
            | names::TH
            | names::THEAD
            | names::TR
    )
}

/// The raw text that follows an HTML tag with this name.
pub(super) fn raw_text(key: Key, name: &[u8], scripting: bool) -> Option<RawText> {
    match key {
        names::SCRIPT => Some(RawText::Script),
        names::STYLE | names::XMP | names::IFRAME | names::NOEMBED | names::NOFRAMES => {
            Some(RawText::Rawtext)
        }
        names::NOSCRIPT if scripting => Some(RawText::Rawtext),
        names::TITLE | names::TEXTAREA => Some(RawText::Rcdata),
        Key::LONG if name.eq_ignore_ascii_case(b"plaintext") => Some(RawText::Plaintext),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the lexer may skip a tag, receiving it would have changed nothing.
    #[test]
    fn skipped_tags_have_no_effect() {
        for name in names::ALL
            .iter()
            .copied()
            .chain(["a", "p", "img", "option", "b", "blockquote", "plaintext"])
        {
            let is_skipped = |is_end| {
                let key = Key::of(name.as_bytes());
                !names::Wanted::LINKS.has_effect(key, is_end, name.as_bytes())
            };
            let before = ["<p>", "<table>", "<form>", "<table><form>"];
            let (start, end) = (format!("<{name}>"), format!("</{name}>"));
            let tags = [(false, &start), (true, &end)];
            for (_, tag) in tags.into_iter().filter(|&(is_end, _)| is_skipped(is_end)) {
                for before in &before {
                    let page = format!("{before}{tag}");
                    let mut lexer = Lexer::new(page.as_bytes());
                    let mut rules = Rules::new(true);
                    let mut states = Vec::new();
                    while let Some(token) = lexer.next() {
                        let is_last = lexer.at() == page.len();
                        match token {
                            Token::Start if is_last => {
                                let plain = rules.plain_start_tag(&mut lexer);
                                let effect = rules.start_tag(&mut lexer);
                                assert_eq!(plain, effect, "{page}");
                            }
                            Token::Start => drop(rules.start_tag(&mut lexer)),
                            Token::End => drop(rules.end_tag(&mut lexer)),
                            other => panic!("{other:?}"),
                        }
                        assert!(rules.skips_tags(), "{page}");
                        states.push(format!("{rules:?} {}", lexer.cdata));
                    }
                    let [.., last, now] = &states[..] else {
                        panic!("{page}: {states:?}");
                    };
                    assert_eq!(last, now, "{page}");
                }
            }
        }
    }

    /// Where the lexer may skip a self-closing tag in SVG or MathML, receiving it would have
    /// changed nothing.
    #[test]
    fn skipped_self_closing_tags_have_no_effect() {
        for name in names::ALL.iter().chain(&names::BREAKING_OUT) {
            for before in
                ["<p><svg>", "<p><math><mrow>", "<p><svg><desc>", "<p><math><mi>", "<p><svg></svg>"]
            {
                let page = format!("{before}<{name}/>");
                let mut lexer = Lexer::new(page.as_bytes());
                let mut rules = Rules::new(true);
                let mut states = vec![String::new()];
                while let Some(token) = lexer.next() {
                    let skips = rules.skips_childless(page.as_bytes())
                        && !names::Wanted::may_leave_foreign(lexer.tag.key);
                    let before = rules.namespace;
                    let effect = match token {
                        Token::Start => rules.start_tag(&mut lexer),
                        _ => rules.end_tag(&mut lexer).map(|()| TagEffect::Nothing),
                    };
                    let state = format!("{rules:?} {}", lexer.cdata);
                    if lexer.tag.self_closing && skips {
                        assert_eq!(effect, Ok(TagEffect::Element(before)), "{page}");
                        assert_eq!(states.last(), Some(&state), "{page}");
                    }
                    states.push(state);
                }
            }
        }
    }
}
