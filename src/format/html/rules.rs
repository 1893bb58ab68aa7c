//! What a tag means, told without a tree where that is certain.
//!
//! Tree construction (HTML standard, section 13.2.6) decides whether a tag makes an element, in which
//! namespace, and whether text follows in which tags are none. For nearly all pages that follows from
//! the tags alone. These are the rules; each says when it is not certain, and then the page goes to the
//! [judge](super::judge). That they are right is what the oracle of the tests is for.

use super::chars::is_space;
use super::lexer::Lexer;
use super::names::{self, Key};
use super::namespace::Space;
use super::tag_classifier::{Doubt, Meaning, Meant};
use super::token::{RawText, Tag, Token};
use crate::bytes::Span;

/// Whether a `select` is open: one in another makes no element. As long as only options stand in them, that is
/// certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Selects {
    /// Nobody asks: none of its attributes is a link.
    Any,
    /// None is.
    Closed,
    /// One is, and nothing but options stood in it so far.
    Open,
    /// That cannot be told any more.
    Unsure,
}

/// What is known of the tags so far.
#[derive(Debug)]
pub(super) struct Rules {
    /// Whether `noscript` holds text, as where scripts run.
    scripting: bool,
    /// With this, what is not certain is taken for what it looks like.
    guess: bool,
    /// Nothing has come that would begin the head.
    before_head: bool,
    /// A `table` was opened, and no end tag of one has come since.
    in_table: bool,
    /// A `form` was opened, and not closed.
    in_form: bool,
    /// The names of the open elements of SVG or MathML, the outermost first.
    foreign: Vec<Span>,
    /// Their namespace.
    space: Space,
    /// What is known of `select` elements, where that matters.
    selects: Selects,
    /// For each open `template`, whether it stands in a table: what is in it does not.
    templates: Vec<bool>,
    /// Whether the last start tag opened the innermost of them.
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
            foreign: Vec::new(),
            space: Space::Html,
            templates: Vec::new(),
            opened_template: false,
            has_table: false,
        }
    }

    /// The same where the anchors of a page are wanted too.
    pub(super) fn with_anchors(self) -> Self {
        Self {
            selects: Selects::Closed,
            ..self
        }
    }

    /// The same for pages that no tree can be built of: in doubt, tags are what they look like.
    pub(super) fn guessing(scripting: bool) -> Self {
        Self {
            guess: true,
            ..Self::new(scripting)
        }
    }

    /// A start tag in SVG or MathML.
    fn foreign_start(&mut self, tag: Tag, bytes: &[u8]) -> Result<Meant, Doubt> {
        let name = &bytes[tag.name.range()];
        let leaves = breaks_out(tag.key, name);
        if leaves || self.holds_html(bytes) {
            if !self.guess {
                return Err(Doubt);
            }
            if leaves {
                self.foreign.clear();
            }
            return Ok(Meant::Element(Space::Html));
        }
        if !tag.self_closing {
            self.foreign.push(tag.name);
        }
        Ok(Meant::Element(self.space))
    }

    /// Whether the innermost foreign element may hold HTML (HTML standard, section 13.2.6, "integration
    /// points").
    fn holds_html(&self, bytes: &[u8]) -> bool {
        let Some(name) = self.foreign.last() else {
            return true;
        };
        let name = &bytes[name.range()];
        let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
        match (self.space, Key::of(name)) {
            (Space::Svg, names::DESC | names::TITLE) => true,
            (Space::Svg, Key::LONG) => is("foreignobject"),
            (Space::MathMl, names::MI | names::MO | names::MN | names::MS | names::MTEXT) => true,
            (Space::MathMl, Key::LONG) => is("annotation-xml"),
            _ => false,
        }
    }

    /// A start tag in HTML.
    fn html_start(&mut self, tag: Tag, bytes: &[u8]) -> Result<Meant, Doubt> {
        let before_head = self.before_head;
        let selects = self.selects;
        self.selects = match selects {
            Selects::Closed if tag.key == names::SELECT => Selects::Open,
            Selects::Open if !is_of_select(tag, bytes) => Selects::Unsure,
            selects => selects,
        };
        self.before_head &= tag.key == names::HTML;
        Ok(match tag.key {
            names::FRAMESET if !self.guess => return Err(Doubt),
            // In a template some are ignored, others say what the rest of it is.
            key if !self.templates.is_empty() && !self.guess && self.is_of_page_or_table(key) => {
                return Err(Doubt);
            }
            names::HTML | names::BODY => Meant::Attributes,
            names::HEAD if !before_head => Meant::Unsure,
            names::TEMPLATE => {
                self.templates.push(std::mem::take(&mut self.in_table));
                self.opened_template = true;
                Meant::Element(Space::Html)
            }
            names::SELECT if selects == Selects::Closed => Meant::Element(Space::Html),
            names::FRAME | names::NOSCRIPT | names::SELECT => Meant::Unsure,
            names::SVG | names::MATH => {
                self.space = match tag.key {
                    names::SVG => Space::Svg,
                    _ => Space::MathMl,
                };
                if !tag.self_closing {
                    self.foreign.push(tag.name);
                }
                Meant::Element(self.space)
            }
            names::FORM if std::mem::replace(&mut self.in_form, true) => Meant::Nothing,
            names::TABLE => {
                (self.in_table, self.has_table) = (true, true);
                Meant::Element(Space::Html)
            }
            key if !self.in_table && is_table_part(key) => Meant::Unsure,
            _ => Meant::Element(Space::Html),
        })
    }

    /// Whether a template with such a tag in it is more than a piece of a body.
    fn is_of_page_or_table(&self, key: Key) -> bool {
        match key {
            names::HTML | names::HEAD | names::BODY | names::FORM | names::FRAME => true,
            key => !self.in_table && is_table_part(key),
        }
    }
}

impl Meaning for Rules {
    fn start_tag(&mut self, lexer: &mut Lexer<'_>) -> Result<Meant, Doubt> {
        let tag = lexer.tag;
        self.opened_template = false;
        if !self.foreign.is_empty() {
            let meant = self.foreign_start(tag, lexer.bytes)?;
            lexer.cdata = !self.foreign.is_empty();
            if meant != Meant::Element(Space::Html) {
                return Ok(meant);
            }
        }
        let meant = self.html_start(tag, lexer.bytes)?;
        lexer.cdata = !self.foreign.is_empty();
        if let Some(raw) = raw_text(tag.key, &lexer.bytes[tag.name.range()], self.scripting) {
            lexer.enter(raw);
        }
        Ok(match meant {
            Meant::Unsure if self.guess => Meant::Element(Space::Html),
            meant => meant,
        })
    }

    fn end_tag(&mut self, lexer: &mut Lexer<'_>) -> Result<(), Doubt> {
        let tag = lexer.tag;
        if !self.foreign.is_empty() {
            let bytes = lexer.bytes;
            let name = &bytes[tag.name.range()];
            let closes = |open: &Span| bytes[open.range()].eq_ignore_ascii_case(name);
            if self.foreign.last().is_some_and(closes) {
                self.foreign.pop();
            } else if !self.guess {
                return Err(Doubt);
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
            // In a template it closes a form of that.
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

    fn passes_tags(&self) -> bool {
        self.foreign.is_empty()
            && self.templates.is_empty()
            && !self.before_head
            && self.selects != Selects::Open
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

    fn other(&mut self, token: Token, lexer: &mut Lexer<'_>) -> Result<(), Doubt> {
        if self.before_head
            && let Token::Text(span, _) = token
        {
            self.before_head = lexer.bytes[span.range()].iter().all(|&byte| is_space(byte));
        }
        Ok(())
    }
}

/// Whether it is a tag of an option, which opens and closes nothing but options.
fn is_of_select(tag: Tag, bytes: &[u8]) -> bool {
    let name = &bytes[tag.name.range()];
    ["option", "optgroup"]
        .iter()
        .any(|it| name.eq_ignore_ascii_case(it.as_bytes()))
}

/// Whether it is a part of a table, which makes nothing outside one.
fn is_table_part(key: Key) -> bool {
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

/// What an HTML element of that name makes of what follows it.
fn raw_text(key: Key, name: &[u8], scripting: bool) -> Option<RawText> {
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

/// Whether an HTML element of that name ends the SVG or MathML that it stands in. A `font` does only
/// with some attributes; here that is a matter of doubt too.
fn breaks_out(key: Key, name: &[u8]) -> bool {
    const NAMES: [&str; 44] = [
        "b", "big", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed", "font",
        "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu",
        "meta", "nobr", "ol", "p", "pre", "ruby", "s", "small", "span", "strike", "strong", "sub",
        "sup", "table", "tt", "u", "ul", "var",
    ];
    const KEYS: [Key; NAMES.len()] = {
        let mut keys = [Key::LONG; NAMES.len()];
        let mut at = 0;
        while at < NAMES.len() {
            keys[at] = Key::of(NAMES[at].as_bytes());
            at += 1;
        }
        keys
    };
    match key {
        Key::LONG => name.eq_ignore_ascii_case(b"blockquote"),
        key => KEYS.contains(&key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the lexer may pass over a tag, to be told of it would have changed nothing.
    #[test]
    fn what_may_pass_has_no_effect() {
        for name in names::ALL
            .iter()
            .copied()
            .chain(["a", "p", "img", "option", "b"])
        {
            if names::Wanted::LINKS
                .elements
                .may_have(Key::of(name.as_bytes()))
            {
                continue;
            }
            for before in ["<p>", "<table>", "<form>", "<table><form>"] {
                let page = format!("{before}<{name}></{name}>");
                let mut lexer = Lexer::new(page.as_bytes());
                let mut rules = Rules::new(true);
                let mut states = Vec::new();
                while let Some(token) = lexer.next() {
                    match token {
                        Token::Start => drop(rules.start_tag(&mut lexer)),
                        Token::End => drop(rules.end_tag(&mut lexer)),
                        other => panic!("{other:?}"),
                    }
                    states.push(format!("{rules:?} {}", lexer.cdata));
                }
                let [.., first, second, third] = &states[..] else {
                    panic!("{page}: {states:?}");
                };
                assert!(rules.passes_tags(), "{page}");
                assert_eq!((first, first), (second, third), "{page}");
            }
        }
    }
}
