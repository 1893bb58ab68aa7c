//! Classifies tags without a tree, where the result is certain.
//!
//! Tree construction (HTML standard, section 13.2.6) decides whether a tag creates an element, in
//! which namespace, and whether raw text follows. For most pages that follows from the tags alone.
//! Each rule reports where it is not certain; then the page is read with the [tree
//! oracle](super::tree_oracle). The tests compare the rules with a tree builder.

use super::chars::is_space;
use super::guard::Guard;
use super::lexer::Lexer;
use super::names::{self, Key};
use super::namespace::Namespace;
use super::tag_classifier::{NeedsTree, TagClassifier, TagEffect};
use super::token::{RawText, Tag, Token};
use super::tree_oracle::Outline;
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

/// An open `template`.
#[derive(Debug)]
struct Template {
    /// True if it is in a table. Its contents are not.
    in_table: bool,
    contents: Contents,
    /// True if a table is or was open in it.
    has_table: bool,
}

/// The content of a template: its first start tag decides (HTML standard, section 13.2.6.4.18).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contents {
    /// Nothing so far, or elements that may also be in the head of a page.
    Undecided,
    /// A piece of a body.
    Body,
    /// A piece of a table.
    Table,
    /// Columns of a table: other tags are ignored.
    Columns,
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
    /// The tags in doubt, if the HTML is in an element of SVG or MathML that the tree builder has
    /// read. `foreign` has only the elements in it.
    guard: Option<Guard>,
    /// The state of `select` elements, where it matters.
    selects: Selects,
    /// A tag such as `body` was read: then no `frameset` replaces the body (HTML standard, section
    /// 13.2.6.4.6, "frameset-ok flag").
    keeps_body: bool,
    /// The open templates.
    templates: Vec<Template>,
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
            keeps_body: false,
            foreign: Vec::new(),
            namespace: Namespace::Html,
            guard: None,
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

    /// Rules for the rest of the page, after a tree builder has read the beginning. No template is
    /// open.
    pub(super) fn resume(&mut self, outline: Outline) {
        *self = Self {
            before_head: false,
            in_table: outline.in_table,
            in_form: outline.in_form,
            selects: match self.selects {
                Selects::Any => Selects::Any,
                _ if outline.in_select => Selects::Unsure,
                _ => Selects::Closed,
            },
            keeps_body: self.keeps_body,
            has_table: self.has_table,
            guess: self.guess,
            guard: outline.guard,
            ..Self::new(self.scripting)
        };
    }

    /// From here on, uncertain tags are taken to create the elements they name.
    pub(super) fn guess(&mut self) {
        self.guess = true;
        self.guard = None;
    }

    pub(super) fn has_guard(&self) -> bool {
        self.guard.is_some()
    }

    pub(super) fn guesses(&self) -> bool {
        self.guess
    }

    /// The names of the open foreign elements, if HTML is expected in the innermost one.
    pub(super) fn integration_point(&self, bytes: &[u8]) -> Option<&[Span]> {
        (!self.foreign.is_empty() && self.holds_html(bytes)).then_some(&self.foreign)
    }

    /// Leaves an integration point, in which a tree builder has read the tags: only the `depth`
    /// outermost foreign elements are still open.
    pub(super) fn leave_integration_point(&mut self, depth: usize) {
        self.foreign.truncate(depth);
    }

    /// Records the effect of a start tag that a tree builder has read.
    pub(super) fn note(&mut self, tag: Tag, effect: TagEffect) {
        let has_effect = effect != TagEffect::Nothing;
        self.keeps_body |= tag.key == names::BODY
            && matches!(effect, TagEffect::Attributes | TagEffect::Element(Namespace::Html));
        self.has_table |= tag.key == names::TABLE && has_effect;
    }

    /// A start tag in SVG or MathML.
    fn foreign_start(&mut self, lexer: &Lexer<'_>) -> Result<TagEffect, NeedsTree> {
        let (tag, bytes) = (lexer.tag, lexer.bytes);
        let leaves = match tag.key {
            names::FONT => has_attribute(lexer, &["color", "face", "size"]),
            key => names::breaks_out(key, &bytes[tag.name.range()]),
        };
        if leaves {
            return self.leave_foreign(bytes).map(|()| TagEffect::Element(Namespace::Html));
        }
        if self.holds_html(bytes) {
            return match self.guess {
                true => Ok(TagEffect::Element(Namespace::Html)),
                false => Err(NeedsTree),
            };
        }
        if !tag.self_closing {
            self.foreign.push(tag.name);
        }
        Ok(TagEffect::Element(self.namespace))
    }

    /// Ends the open foreign elements. In doubt if one of them may contain HTML: the element of the
    /// tag could be in it.
    fn leave_foreign(&mut self, bytes: &[u8]) -> Result<(), NeedsTree> {
        if !self.guess && self.foreign.iter().any(|&name| self.is_integration_point(name, bytes)) {
            return Err(NeedsTree);
        }
        self.foreign.clear();
        Ok(())
    }

    /// Returns true if HTML is expected here.
    fn holds_html(&self, bytes: &[u8]) -> bool {
        self.foreign.last().is_none_or(|&name| self.is_integration_point(name, bytes))
    }

    /// Returns true if the foreign element of this name may contain HTML (HTML standard, section
    /// 13.2.6, "integration points").
    fn is_integration_point(&self, name: Span, bytes: &[u8]) -> bool {
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

    /// An end tag in SVG or MathML. Returns true if it is one of HTML.
    fn foreign_end(&mut self, tag: Tag, bytes: &[u8]) -> Result<bool, NeedsTree> {
        let name = &bytes[tag.name.range()];
        let closes = |open: &Span| bytes[open.range()].eq_ignore_ascii_case(name);
        let open = match self.guess {
            // Searching all of them at each tag could take quadratic time.
            true => self.foreign.len().checked_sub(1).filter(|&last| closes(&self.foreign[last])),
            false => self.foreign.iter().rposition(closes),
        };
        if let Some(open) = open {
            self.foreign.truncate(open);
            return Ok(false);
        }
        match tag.key {
            names::P | names::BR => self.leave_foreign(bytes).map(|()| true),
            names::SVG | names::MATH if self.guess => {
                self.foreign.clear();
                Ok(false)
            }
            _ if self.guess => Ok(false),
            // It may close an element around the SVG or MathML, or none.
            _ => Err(NeedsTree),
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
        self.keeps_body |= self.templates.is_empty() && keeps_body(tag.key);
        if let Some(effect) = self.template_start(tag.key) {
            return Ok(effect);
        }
        Ok(match tag.key {
            names::FRAMESET if self.keeps_body => TagEffect::Nothing,
            names::FRAMESET if !self.guess => return Err(NeedsTree),
            names::HTML | names::BODY => TagEffect::Attributes,
            names::HEAD if !before_head => TagEffect::Unsure,
            names::TEMPLATE => {
                self.templates.push(Template {
                    in_table: std::mem::take(&mut self.in_table),
                    contents: Contents::Undecided,
                    has_table: false,
                });
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

    /// A start tag in a template. `None` if it has the effect that it has in a body.
    fn template_start(&mut self, key: Key) -> Option<TagEffect> {
        let template = self.templates.last_mut()?;
        let is_part = is_table_part(key);
        if template.contents == Contents::Undecided && !names::OF_HEAD.contains(&key) {
            template.contents = match key {
                names::COL if !self.guess => Contents::Columns,
                _ if is_part => Contents::Table,
                _ => Contents::Body,
            };
            if is_part {
                return Some(TagEffect::Element(Namespace::Html));
            }
        }
        let is_table = template.contents == Contents::Table;
        match key {
            names::HTML | names::BODY | names::HEAD => Some(TagEffect::Nothing),
            // Between the parts of a table it creates nothing.
            names::FORM if is_table || template.has_table => Some(TagEffect::Unsure),
            names::FORM => Some(TagEffect::Element(Namespace::Html)),
            names::TABLE if is_table => Some(TagEffect::Unsure),
            names::TABLE => {
                template.has_table = true;
                None
            }
            _ => None,
        }
    }

    /// Returns true if the tag is ignored, since it is in the columns of a template.
    fn is_in_columns(&self, key: Key) -> bool {
        self.templates.last().is_some_and(|it| it.contents == Contents::Columns)
            && !matches!(key, names::COL | names::TEMPLATE)
    }
}

impl TagClassifier for Rules {
    fn start_tag(&mut self, lexer: &mut Lexer<'_>) -> Result<TagEffect, NeedsTree> {
        let tag = lexer.tag;
        self.opened_template = false;
        if !self.foreign.is_empty() {
            let effect = self.foreign_start(lexer)?;
            lexer.cdata = !self.foreign.is_empty();
            if effect != TagEffect::Element(Namespace::Html) {
                return Ok(effect);
            }
        }
        let name = &lexer.bytes[tag.name.range()];
        if self.guard.as_ref().is_some_and(|guard| guard.doubts_start(name)) {
            return Err(NeedsTree);
        }
        if self.is_in_columns(tag.key) {
            return Ok(TagEffect::Nothing);
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
        self.opened_template = false;
        let key = lexer.tag.key;
        if self.is_in_columns(key) {
            return Ok(TagEffect::Nothing);
        }
        let is_unsure = is_unsure(key) || !self.in_table && is_table_part(key);
        Ok(match is_unsure && !self.guess {
            true => TagEffect::Unsure,
            false => TagEffect::Element(Namespace::Html),
        })
    }

    fn end_tag(&mut self, lexer: &mut Lexer<'_>) -> Result<(), NeedsTree> {
        let tag = lexer.tag;
        if !self.foreign.is_empty() {
            let is_html = self.foreign_end(tag, lexer.bytes)?;
            lexer.cdata = !self.foreign.is_empty();
            if !is_html {
                return Ok(());
            }
        }
        let name = &lexer.bytes[tag.name.range()];
        if self.guard.as_ref().is_some_and(|guard| guard.doubts_end(name)) {
            return Err(NeedsTree);
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
                if let Some(template) = self.templates.pop() {
                    self.in_table = template.in_table;
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
        self.keeps_body
    }

    fn skips_tags(&self) -> bool {
        self.foreign.is_empty()
            && self.templates.last().is_none_or(|it| it.contents != Contents::Undecided)
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

/// Returns true if the last tag has one of these attributes.
fn has_attribute(lexer: &Lexer<'_>, names: &[&str]) -> bool {
    let is_any = |name: &[u8]| names.iter().any(|it| name.eq_ignore_ascii_case(it.as_bytes()));
    lexer.attributes.iter().any(|it| is_any(&lexer.bytes[it.name.range()]))
}

/// Returns true for the tag of an option, which opens and closes only options.
fn is_of_select(tag: Tag, bytes: &[u8]) -> bool {
    let name = &bytes[tag.name.range()];
    ["option", "optgroup"].iter().any(|it| name.eq_ignore_ascii_case(it.as_bytes()))
}

/// Returns true for an element after which no `frameset` replaces the body. There are others, which
/// the lexer may skip.
fn keeps_body(key: Key) -> bool {
    matches!(key, names::BODY | names::IFRAME | names::TABLE | names::TEXTAREA | names::XMP)
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
            let before = [
                "<p>", "<table>", "<form>", "<table><form>", "<template><p>", "<template><tr>",
                "<template><p><table>", "<template><col>",
            ];
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
                        assert!(!is_last || rules.skips_tags(), "{page}");
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
