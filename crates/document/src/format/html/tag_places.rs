//! The places for links in the text of a page whose tags nest as the standard wants, without the
//! tree builder.
//!
//! Most pages are such pages. A stack of open elements is enough for them: each end tag closes the
//! element on top, except for those that end tags and start tags close by themselves (`p`, `li`,
//! `dt`, `dd`, rows and cells of tables). Reading stops where it is not certain what the builder
//! would do ([`NotSimple`]), or where parsers may disagree.
//!
//! `html`, `head` and `body` are not on the stack: their tags have no effect on the text within
//! other elements.

use super::key::Key;
use super::lexer::Lexer;
use super::names::{self, Wanted};
use super::page::Page;
use super::token::{RawText, Tag, TextKind, Token};
use crate::bytes::Span;

/// The number of elements that may be open.
const MOST_OPEN: usize = 256;

/// It is not certain what the tree builder does.
struct NotSimple;

/// The effect of a start tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Opens an element that only its own end tag closes.
    Inline,
    /// It opens an element that cannot contain a link.
    Link,
    Button,
    Datalist,
    /// Closes a paragraph. Its end tag closes a paragraph or an item at its end.
    Block,
    /// A block that may have items.
    List,
    Form,
    Heading,
    Paragraph,
    /// An item of a list.
    Item,
    /// A term or a description.
    Description,
    Table,
    /// `thead`, `tbody` or `tfoot`.
    Rows,
    Row,
    Cell,
    /// Opens an element that only its own end tag closes. Not all parsers close a paragraph before
    /// it.
    Search,
    /// Has raw text.
    Raw(RawText),
    /// An element of SVG.
    Foreign,
    /// Opens nothing.
    Void,
    /// Opens nothing, and closes a paragraph.
    Rule,
    /// Is `html`, `head` or `body`.
    Root,
}

/// Declares constants for keys, and the kinds of their elements.
macro_rules! kinds {
    ($($kind:expr => $($constant:ident: $name:literal)+;)+) => {
        $($(const $constant: Key = Key::of($name.as_bytes());)+)+

        /// The kind of an element of HTML with a known name.
        fn known_kind(key: Key) -> Option<Kind> {
            match key {
                $($($constant)|+ => Some($kind),)+
                _ => None,
            }
        }
    };
}

kinds! {
    Kind::Link => A: "a";
    Kind::Button => BUTTON: "button";
    Kind::Datalist => DATALIST: "datalist";
    Kind::Block => ADDRESS: "address" ARTICLE: "article" ASIDE: "aside" CENTER: "center" DETAILS: "details" DIALOG: "dialog"
        DIV: "div" FIELDSET: "fieldset" FIGURE: "figure" FOOTER: "footer" HEADER: "header" HGROUP: "hgroup" LISTING: "listing"
        MAIN: "main" NAV: "nav" PRE: "pre" SECTION: "section" SUMMARY: "summary";
    Kind::List => DIR: "dir" DL: "dl" MENU: "menu" OL: "ol" UL: "ul";
    Kind::Form => FORM: "form";
    Kind::Heading => H1: "h1" H2: "h2" H3: "h3" H4: "h4" H5: "h5" H6: "h6";
    Kind::Paragraph => P: "p";
    Kind::Item => LI: "li";
    Kind::Description => DD: "dd" DT: "dt";
    Kind::Table => TABLE: "table";
    Kind::Rows => TBODY: "tbody" TFOOT: "tfoot" THEAD: "thead";
    Kind::Row => TR: "tr";
    Kind::Cell => TD: "td" TH: "th";
    Kind::Raw(RawText::Rcdata) => TEXTAREA: "textarea" TITLE: "title";
    Kind::Raw(RawText::Rawtext) => IFRAME: "iframe" NOEMBED: "noembed" NOFRAMES: "noframes" STYLE: "style";
    Kind::Raw(RawText::Script) => SCRIPT: "script";
    Kind::Foreign => SVG: "svg";
    Kind::Void => AREA: "area" BASE: "base" BASEFONT: "basefont" BGSOUND: "bgsound" BR: "br" EMBED: "embed" IMG: "img"
        INPUT: "input" KEYGEN: "keygen" LINK: "link" META: "meta" PARAM: "param" SOURCE: "source" TRACK: "track" WBR: "wbr";
    Kind::Rule => HR: "hr";
    Kind::Search => SEARCH: "search";
    Kind::Root => BODY: "body" HEAD: "head" HTML: "html";
    Kind::Inline => ABBR: "abbr" ACRONYM: "acronym" AUDIO: "audio" B: "b" BDI: "bdi" BDO: "bdo" BIG: "big" CANVAS: "canvas" CITE: "cite"
        CODE: "code" DATA: "data" DEL: "del" DFN: "dfn" EM: "em" FONT: "font" I: "i" INS: "ins" KBD: "kbd" LABEL: "label"
        MAP: "map" MARK: "mark" METER: "meter" OUTPUT: "output" PICTURE: "picture" PROGRESS: "progress" Q: "q" S: "s" SAMP: "samp" SLOT: "slot"
        SMALL: "small" SPAN: "span" STRIKE: "strike" STRONG: "strong" SUB: "sub" SUP: "sup" TIME: "time" TT: "tt" U: "u"
        VAR: "var" VIDEO: "video";
}

/// The kind of an element of HTML.
fn kind_of(key: Key, name: &[u8]) -> Result<Kind, NotSimple> {
    match key {
        Key::LONG if is_one_of(name, &["blockquote", "figcaption"]) => Ok(Kind::Block),
        // A custom element, which is an element like any other.
        _ if name.contains(&b'-') => Ok(Kind::Inline),
        key => known_kind(key).ok_or(NotSimple),
    }
}

fn is_one_of(name: &[u8], names: &[&str]) -> bool {
    let mut names = names.iter();
    names.any(|it| name.eq_ignore_ascii_case(it.as_bytes()))
}

/// An open element.
#[derive(Clone, Copy, Debug)]
struct Open {
    kind: Kind,
    key: Key,
    name: Span,
    /// True if no link is made in it.
    is_blocked: bool,
}

/// Reads a page by its tags.
pub(super) struct TagPlaces<'p, 's> {
    lexer: Lexer<'p>,
    skipped: &'s [String],
    open: Vec<Open>,
    allows_link: bool,
    /// The end of the tokens that were read.
    end: usize,
}

impl<'p, 's> TagPlaces<'p, 's> {
    pub(super) fn new(page: &Page<'p, '_>, skipped: &'s [String]) -> Self {
        Self {
            lexer: Lexer::new(page.bytes),
            skipped,
            open: Vec::with_capacity(16),
            allows_link: false,
            end: 0,
        }
    }

    /// Reads the next token. `None` at the end of the page, or if it is not certain what the tree
    /// builder does.
    pub(super) fn next(&mut self) -> Option<Token> {
        let Some(token) = self.lexer.next() else {
            self.end = self.lexer.bytes.len();
            return None;
        };
        self.allows_link = false;
        match token {
            Token::Start => self.start_tag(),
            Token::End => self.end_tag(),
            Token::Text(span, kind) => self.text(span, kind),
            Token::Comment(_) | Token::Doctype(_) | Token::Section => Ok(()),
        }
        .ok()?;
        self.end = self.lexer.at();
        Some(token)
    }

    /// Returns true if a link may be made in the token that was read last: it is a text.
    pub(super) fn allows_link(&self) -> bool {
        self.allows_link
    }

    /// The offset of the tag that was read last.
    pub(super) fn tag(&self) -> usize {
        self.lexer.tag.start
    }

    /// The end of the tokens that were read: that of the page after the last one.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    fn text(&mut self, span: Span, kind: TextKind) -> Result<(), NotSimple> {
        self.allows_link = match self.open.last() {
            Some(top) if matches!(top.kind, Kind::Table | Kind::Rows | Kind::Row) => {
                // The builder moves other text out of the table.
                let text = &self.lexer.bytes[span.range()];
                if !text.iter().all(u8::is_ascii_whitespace) {
                    return Err(NotSimple);
                }
                false
            }
            Some(top) => !top.is_blocked && kind == TextKind::Data,
            None => true,
        };
        Ok(())
    }

    fn top(&self) -> Option<Kind> {
        self.open.last().map(|top| top.kind)
    }

    fn has_open(&self, kind: Kind) -> bool {
        self.open.iter().any(|it| it.kind == kind)
    }

    fn start_tag(&mut self) -> Result<(), NotSimple> {
        let Tag { key, name, .. } = self.lexer.tag;
        if self.top() == Some(Kind::Foreign) {
            return self.start_foreign(key, name);
        }
        let kind = kind_of(key, &self.lexer.bytes[name.range()])?;
        if matches!(kind, Kind::Rows | Kind::Row | Kind::Cell) {
            self.close_cell(kind)?;
        } else if matches!(self.top(), Some(Kind::Table | Kind::Rows | Kind::Row)) {
            return Err(NotSimple);
        }
        match kind {
            Kind::Root | Kind::Void => return Ok(()),
            Kind::Rule => return self.close_paragraph(),
            Kind::Link | Kind::Button if self.has_open(kind) => return Err(NotSimple),
            Kind::Form if self.has_open(kind) => return Err(NotSimple),
            Kind::Block | Kind::List | Kind::Form | Kind::Paragraph => self.close_paragraph()?,
            Kind::Heading => {
                self.close_paragraph()?;
                if self.top() == Some(Kind::Heading) {
                    return Err(NotSimple);
                }
            }
            Kind::Item | Kind::Description => self.close_item(kind)?,
            // It closes a paragraph, or not: that depends on the parser, and on the DOCTYPE.
            Kind::Search | Kind::Table if self.open_paragraph().is_some() => return Err(NotSimple),
            Kind::Foreign if self.lexer.tag.self_closing => return Ok(()),
            Kind::Foreign => self.lexer.cdata = true,
            Kind::Raw(raw) => self.lexer.enter(raw),
            _ => {}
        }
        self.push(kind, key, name)
    }

    /// A start tag within SVG.
    fn start_foreign(&mut self, key: Key, name: Span) -> Result<(), NotSimple> {
        let bytes = &self.lexer.bytes[name.range()];
        let is_plain = match key {
            names::DESC | names::TITLE => false,
            Key::LONG => !is_one_of(bytes, &["blockquote", "foreignobject"]),
            key => !Wanted::may_leave_foreign(key),
        };
        if !is_plain {
            return Err(NotSimple);
        }
        match self.lexer.tag.self_closing {
            true => Ok(()),
            false => self.push(Kind::Foreign, key, name),
        }
    }

    fn push(&mut self, kind: Kind, key: Key, name: Span) -> Result<(), NotSimple> {
        if self.open.len() >= MOST_OPEN {
            return Err(NotSimple);
        }
        let bytes = &self.lexer.bytes[name.range()];
        let is_skipped = |it: &String| it.as_bytes().eq_ignore_ascii_case(bytes);
        let is_blocked = match kind {
            Kind::Link | Kind::Button | Kind::Datalist | Kind::Raw(_) | Kind::Foreign => true,
            _ => self.skipped.iter().any(is_skipped),
        };
        self.open.push(Open {
            kind,
            key,
            name,
            is_blocked: is_blocked || self.open.last().is_some_and(|it| it.is_blocked),
        });
        Ok(())
    }

    /// The number of elements around the open paragraph that a block closes.
    fn open_paragraph(&self) -> Option<usize> {
        let is_end = |it: &Open| {
            matches!(it.kind, Kind::Paragraph | Kind::Button | Kind::Table | Kind::Cell)
        };
        let at = self.open.iter().rposition(is_end)?;
        (self.open[at].kind == Kind::Paragraph).then_some(at)
    }

    /// Closes an open paragraph before a block.
    fn close_paragraph(&mut self) -> Result<(), NotSimple> {
        match self.open_paragraph() {
            None => Ok(()),
            Some(at) if at + 1 == self.open.len() => {
                self.open.pop();
                Ok(())
            }
            // Elements in it would be reopened.
            Some(_) => Err(NotSimple),
        }
    }

    /// Closes the item before an item.
    fn close_item(&mut self, kind: Kind) -> Result<(), NotSimple> {
        self.close_paragraph()?;
        match self.top() {
            Some(top) if top == kind => drop(self.open.pop()),
            None | Some(Kind::List) => {}
            Some(_) => return Err(NotSimple),
        }
        Ok(())
    }

    /// Closes elements that end by themselves at the end of others.
    fn close_implied(&mut self) {
        while matches!(self.top(), Some(Kind::Paragraph | Kind::Item | Kind::Description)) {
            self.open.pop();
        }
    }

    /// Closes what is before a cell, a row or a group of rows, and opens what is around it.
    fn close_cell(&mut self, kind: Kind) -> Result<(), NotSimple> {
        if self.has_open(Kind::Table) {
            self.close_implied();
        }
        let depth = depth_in_table(Some(kind));
        while depth_in_table(self.top()).is_some_and(|it| Some(it) >= depth) {
            self.open.pop();
        }
        let Tag { name, .. } = self.lexer.tag;
        match (kind, self.top()) {
            (Kind::Rows, Some(Kind::Table))
            | (Kind::Row, Some(Kind::Rows))
            | (Kind::Cell, Some(Kind::Row)) => Ok(()),
            (Kind::Row, Some(Kind::Table)) => {
                self.push(Kind::Rows, TBODY, Span::new(name.start, name.start))
            }
            _ => Err(NotSimple),
        }
    }

    fn end_tag(&mut self) -> Result<(), NotSimple> {
        let Tag { key, name, .. } = self.lexer.tag;
        let is_named = |it: &Open| self.is_named(it, key, name);
        if !self.open.last().is_some_and(is_named) {
            let is_root = known_kind(key) == Some(Kind::Root);
            if is_root && self.top() != Some(Kind::Foreign) {
                return Ok(());
            }
            self.close_inner(key, name)?;
        }
        match self.open.pop() {
            Some(top) if self.is_named(&top, key, name) => {}
            _ => return Err(NotSimple),
        }
        self.lexer.cdata = self.top() == Some(Kind::Foreign);
        Ok(())
    }

    /// Closes the elements that the end tag of another one closes.
    fn close_inner(&mut self, key: Key, name: Span) -> Result<(), NotSimple> {
        let kind = kind_of(key, &self.lexer.bytes[name.range()])?;
        match kind {
            Kind::Block | Kind::List | Kind::Form | Kind::Heading | Kind::Button | Kind::Cell => {
                self.close_implied();
            }
            Kind::Item | Kind::Description if self.top() == Some(Kind::Paragraph) => {
                self.open.pop();
            }
            Kind::Table | Kind::Rows | Kind::Row => {
                self.close_implied();
                let depth = depth_in_table(Some(kind));
                while depth_in_table(self.top()).is_some_and(|it| Some(it) > depth) {
                    self.open.pop();
                }
            }
            _ => return Err(NotSimple),
        }
        Ok(())
    }

    /// Returns true if an element has this name.
    fn is_named(&self, element: &Open, key: Key, name: Span) -> bool {
        let bytes = |name: Span| &self.lexer.bytes[name.range()];
        // A group of rows may be implied.
        let is_implied = element.name.is_empty();
        element.key == key && (is_implied || bytes(element.name).eq_ignore_ascii_case(bytes(name)))
    }
}

/// The depth of an element within its table.
fn depth_in_table(kind: Option<Kind>) -> Option<usize> {
    Some(match kind? {
        Kind::Table => 0,
        Kind::Rows => 1,
        Kind::Row => 2,
        Kind::Cell => 3,
        _ => return None,
    })
}
