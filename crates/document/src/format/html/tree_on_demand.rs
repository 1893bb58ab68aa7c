//! Classifies tags by the rules, and with the tree builder where they are in doubt.
//!
//! * **HTML in SVG and MathML** is read by a builder of its own, which does not have the elements
//!   around. If it needs one of them, the page decides. Most such HTML does not, as in a diagram.
//! * **Other doubts** are decided by the builder of the page. It reads the page from where it stopped
//!   last, first from the beginning, and then classifies tags until no SVG, MathML or template is
//!   open, or until only HTML is expected in them. The latter has a [guard](super::guard).
//!
//! After that the rules are certain again, so a doubt costs nothing in the rest of the page. Each part
//! of a page is read at most twice: by the rules and by the builder of the page.
//!
//! HTML in SVG that does not end, as in a diagram that is cut off, is left to the builder of the page
//! too, so that it has a guard. Only where most of the page is before it, that takes more time.

use super::lexer::Lexer;
use super::names::{self, Key};
use super::rules::{Rules, is_table_part};
use super::tag_classifier::{NeedsTree, TagClassifier, TagEffect};
use super::token::Token;
use super::tree_oracle::TreeOracle;
use crate::bytes::Span;

pub(super) struct TreeOnDemand<'p, O> {
    bytes: &'p [u8],
    rules: Rules,
    /// Makes an oracle.
    new_oracle: O,
    /// The oracle of the page.
    oracle: Option<Box<TreeOracle<'p>>>,
    /// The offset up to which it has read the page.
    read: usize,
    /// True if it classifies the tags.
    in_doubt: bool,
    /// The offset up to which it does so without looking for a guard.
    patience: usize,
    /// The oracle of the integration point that classifies the tags.
    within: Option<Box<Within<'p>>>,
}

/// The HTML in an element of SVG or MathML.
struct Within<'p> {
    oracle: TreeOracle<'p>,
    /// The offset of its first tag.
    start: usize,
    /// The number of open foreign elements. The innermost is the one with HTML.
    depth: usize,
}

/// The largest number of open foreign elements around HTML that is read by itself, and the longest of
/// their tags. All of them are read again for each such part.
const MOST_AROUND: usize = 32;
const LONGEST_AROUND: usize = 2048;

/// The number of bytes that an oracle reads before another way is tried.
const PATIENCE: usize = if cfg!(test) { 64 } else { 16 << 10 };

impl<'p, O: Fn() -> TreeOracle<'p>> TreeOnDemand<'p, O> {
    pub(super) fn new(rules: Rules, bytes: &'p [u8], new_oracle: O) -> Self {
        Self {
            bytes,
            rules,
            new_oracle,
            oracle: None,
            read: 0,
            in_doubt: false,
            patience: 0,
            within: None,
        }
    }

    /// Returns true if tags were guessed, because a part of the page is too deep for a tree.
    pub(super) fn guesses(&self) -> bool {
        self.rules.guesses()
    }

    /// The oracle of the page, which has read it up to `end`, where a tag begins.
    fn oracle(&mut self, end: usize) -> Result<&mut TreeOracle<'p>, NeedsTree> {
        let oracle = self.oracle.get_or_insert_with(|| Box::new((self.new_oracle)()));
        if std::mem::replace(&mut self.in_doubt, true) {
            return Ok(oracle);
        }
        // Looking for a guard takes time.
        let is_soon = self.rules.has_guard() && end < self.read + PATIENCE;
        self.patience = if is_soon { end + PATIENCE } else { 0 };
        let mut lexer = Lexer::starting_at(self.bytes, self.read);
        while lexer.at() < end
            && let Some(token) = lexer.next()
        {
            match token {
                Token::Start => drop(oracle.start_tag(&mut lexer)?),
                Token::End => oracle.end_tag(&mut lexer)?,
                other => oracle.other(other, &mut lexer)?,
            }
        }
        Ok(oracle)
    }

    /// Has the oracle of the page classify the last start tag.
    fn start_tag_by_tree(&mut self, lexer: &mut Lexer<'_>) -> Result<TagEffect, NeedsTree> {
        let tag = lexer.tag;
        lexer.stops_at_cdata = false;
        let by_tree = self.oracle(tag.start).and_then(|oracle| oracle.start_tag(lexer));
        let Ok(effect) = by_tree else {
            self.give_up()?;
            return self.rules.start_tag(lexer);
        };
        // It removes what was found in the body.
        if tag.key == names::FRAMESET
            && self.oracle.as_ref().is_some_and(|it| it.frameset.is_some())
        {
            return Err(NeedsTree);
        }
        self.rules.note(tag, effect);
        self.settle(lexer);
        Ok(effect)
    }

    /// Returns to the rules after a tag, if they are certain.
    fn settle(&mut self, lexer: &mut Lexer<'_>) {
        let Some(oracle) = &self.oracle else { return };
        if oracle.is_in_frames() {
            return;
        }
        let is_outside = oracle.special_elements() == 0;
        if lexer.is_in_raw_text() || !is_outside && lexer.at() < self.patience {
            return;
        }
        let outline = oracle.outline();
        if !is_outside && (outline.guard.is_none() || outline.in_table || outline.in_template) {
            self.patience = lexer.at() + PATIENCE;
            return;
        }
        if outline.guard.is_some() || self.rules.has_guard() {
            lexer.set_guard(outline.guard.as_ref());
            lexer.cdata = false;
        }
        self.rules.resume(outline);
        self.read = lexer.at();
        self.in_doubt = false;
    }

    /// Guesses the rest of the page, which is too deep for the oracle. An error if it has decided
    /// nothing: then all of the page is guessed.
    fn give_up(&mut self) -> Result<(), NeedsTree> {
        let Some(oracle) = &self.oracle else {
            return Err(NeedsTree);
        };
        if self.read == 0 {
            oracle.note_too_deep();
            return Err(NeedsTree);
        }
        self.rules.resume(oracle.outline());
        self.rules.guess();
        self.in_doubt = false;
        Ok(())
    }

    /// Makes an oracle for an integration point, where the rules are in doubt at the first tag in it.
    fn enter_integration_point(&mut self, lexer: &mut Lexer<'_>) {
        let Some(around) = self.rules.integration_point(self.bytes) else {
            return;
        };
        if around.len() <= MOST_AROUND {
            let oracle = (self.new_oracle)();
            self.within = Within::new(oracle, lexer.tag.start, self.bytes, around).map(Box::new);
            lexer.stops_at_cdata = false;
        }
    }

    /// Returns to the rules after a tag, if the integration point is left.
    fn leave_integration_point(&mut self, lexer: &mut Lexer<'_>) {
        let Some(within) = &self.within else { return };
        let open = within.oracle.special_elements();
        if open < within.depth {
            self.rules.leave_integration_point(open);
            self.within = None;
            lexer.cdata = open > 0;
            lexer.stops_at_cdata = self.rules.has_guard();
        }
    }
}

impl<'p> Within<'p> {
    /// `around` has the names of the open foreign elements.
    fn new(mut oracle: TreeOracle<'p>, at: usize, bytes: &[u8], around: &[Span]) -> Option<Self> {
        fn feed(oracle: &mut TreeOracle<'_>, bytes: &[u8], at: usize) -> Option<TagEffect> {
            let end = bytes.len().min(at + LONGEST_AROUND);
            let mut lexer = Lexer::starting_at(&bytes[..end], at);
            lexer.next()?;
            oracle.start_tag(&mut lexer).ok()
        }
        feed(&mut oracle, b"<body>", 0)?;
        oracle.hide_open_elements();
        for name in around {
            feed(&mut oracle, bytes, name.start - "<".len())?;
        }
        Some(Self { oracle, start: at, depth: around.len() })
    }

    /// Returns true if it is better to read the page up to the tag, from where it is `read`.
    fn is_long(&self, lexer: &Lexer<'_>, read: usize) -> bool {
        let at = lexer.tag.start;
        at > self.start + PATIENCE && at - read <= lexer.bytes.len() - at
    }

    /// The effect of a start tag. `None` if it depends on the page around.
    fn start_tag(&mut self, lexer: &mut Lexer<'_>) -> Option<TagEffect> {
        let effect = self.oracle.start_tag(lexer).ok()?;
        self.is_certain(lexer.tag.key).then_some(effect)
    }

    /// Receives an end tag. `None` if its effect depends on the page around.
    fn end_tag(&mut self, lexer: &mut Lexer<'_>) -> Option<()> {
        self.oracle.end_tag(lexer).ok()?;
        self.is_certain(lexer.tag.key).then_some(())
    }

    fn is_certain(&self, key: Key) -> bool {
        // The effect of these depends on the insertion mode, on the form that is open, or changes it.
        let depends = matches!(
            key,
            names::BODY
                | names::FORM
                | names::FRAME
                | names::FRAMESET
                | names::HEAD
                | names::HTML
                | names::SELECT
                | names::TABLE
        );
        !depends && !is_table_part(key) && !self.oracle.needed_hidden()
    }
}

impl<'p, O: Fn() -> TreeOracle<'p>> TagClassifier for TreeOnDemand<'p, O> {
    fn start_tag(&mut self, lexer: &mut Lexer<'_>) -> Result<TagEffect, NeedsTree> {
        if !self.in_doubt && self.within.is_none() {
            if let Ok(effect) = self.rules.start_tag(lexer) {
                return Ok(effect);
            }
            self.enter_integration_point(lexer);
        }
        if let Some(within) = &mut self.within {
            if !within.is_long(lexer, self.read)
                && let Some(effect) = within.start_tag(lexer)
            {
                self.leave_integration_point(lexer);
                return Ok(effect);
            }
            self.within = None;
            lexer.leave();
        }
        self.start_tag_by_tree(lexer)
    }

    #[inline]
    fn plain_start_tag(&mut self, lexer: &mut Lexer<'_>) -> Result<TagEffect, NeedsTree> {
        match self.in_doubt {
            true => self.start_tag(lexer),
            false => self.rules.plain_start_tag(lexer),
        }
    }

    fn decide(&mut self, lexer: &mut Lexer<'_>) -> Result<TagEffect, NeedsTree> {
        lexer.leave();
        self.start_tag_by_tree(lexer)
    }

    fn section(&mut self, lexer: &mut Lexer<'_>) -> Result<(), NeedsTree> {
        lexer.stops_at_cdata = false;
        match self.oracle(lexer.at()) {
            Ok(oracle) => lexer.cdata = oracle.expects_section(),
            Err(NeedsTree) => self.give_up()?,
        }
        Ok(())
    }

    fn end_tag(&mut self, lexer: &mut Lexer<'_>) -> Result<(), NeedsTree> {
        if let Some(within) = &mut self.within {
            if within.end_tag(lexer).is_some() {
                self.leave_integration_point(lexer);
                return Ok(());
            }
            self.within = None;
        } else if !self.in_doubt && self.rules.end_tag(lexer).is_ok() {
            return Ok(());
        }
        lexer.stops_at_cdata = false;
        let by_tree = self.oracle(lexer.tag.start).and_then(|oracle| oracle.end_tag(lexer));
        if by_tree.is_err() {
            self.give_up()?;
            return self.rules.end_tag(lexer);
        }
        self.settle(lexer);
        Ok(())
    }

    fn needs_text(&self) -> bool {
        match &self.oracle {
            Some(oracle) if self.in_doubt => oracle.needs_text(),
            _ => self.within.is_some() || self.rules.needs_text(),
        }
    }

    fn is_final(&self) -> bool {
        self.rules.is_final() || self.oracle.as_ref().is_some_and(|it| it.is_in_frames())
    }

    fn skips_tags(&self) -> bool {
        match &self.oracle {
            Some(oracle) if self.in_doubt => oracle.skips_tags(),
            _ => self.within.is_none() && self.rules.skips_tags(),
        }
    }

    fn skips_childless(&self, bytes: &[u8]) -> bool {
        !self.in_doubt && self.within.is_none() && self.rules.skips_childless(bytes)
    }

    fn in_template(&self) -> bool {
        self.is_in_template()
    }

    fn is_in_template(&self) -> bool {
        let by_tree = |oracle: &TreeOracle<'_>| oracle.is_in_template();
        match (&self.within, &self.oracle) {
            (Some(within), _) => self.rules.in_template() || by_tree(&within.oracle),
            (None, Some(oracle)) if self.in_doubt => by_tree(oracle),
            _ => self.rules.is_in_template(),
        }
    }

    fn keeps_order(&self) -> bool {
        self.rules.keeps_order()
    }

    fn other(&mut self, token: Token, lexer: &mut Lexer<'_>) -> Result<(), NeedsTree> {
        if let Some(within) = &mut self.within {
            // It depends on nothing around.
            let _ = within.oracle.other(token, lexer);
            return Ok(());
        }
        if !self.in_doubt {
            return self.rules.other(token, lexer);
        }
        let read = self.oracle.as_mut().map(|oracle| oracle.other(token, lexer));
        if read == Some(Err(NeedsTree)) {
            return self.give_up();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use crate::format::Options;
    use crate::format::html::found::BaseFound;
    use crate::format::html::page::Page;
    use crate::format::html::reader::{collected, on_demand, read_with_tree};
    use crate::format::html::tree_oracle::Alive;

    /// Tags in which the rules are in doubt, and tags that end the doubt. Each has a link.
    const DOUBTFUL: [&str; 99] = [
        "<svg xlink:href=@>",
        "<svg/>",
        "</svg>",
        "<g xlink:href=@>",
        "</g>",
        "<path/>",
        "<foreignObject xlink:href=@>",
        "<foreignobject>",
        "</foreignObject>",
        "<desc>",
        "</desc>",
        "<title>",
        "</title>",
        "<font xlink:href=@>",
        "<font color=a xlink:href=@>",
        "<use href=@>",
        "<script href=@>",
        "</script>",
        "<style>",
        "</style>",
        "<image href=@>",
        "<a href=@>",
        "</a>",
        "<math xlink:href=@>",
        "</math>",
        "<mi>",
        "</mi>",
        "<mtext xlink:href=@>",
        "</mtext>",
        "<mglyph xlink:href=@>",
        "<malignmark xlink:href=@/>",
        "<semantics>",
        "</semantics>",
        "<annotation-xml encoding=text/html>",
        "<annotation-xml xlink:href=@>",
        "</annotation-xml>",
        "<annotation-xml encoding=application/xhtml+xml>",
        "<![CDATA[<a href=@>]]>",
        "<template>",
        "<template>",
        "</template>",
        "</template>",
        "<table background=@>",
        "</table>",
        "<table>",
        "<tr background=@>",
        "<tr>",
        "</tr>",
        "<td background=@>",
        "<td>",
        "</td>",
        "<tbody background=@>",
        "<thead>",
        "<caption>",
        "</caption>",
        "<col>",
        "<colgroup>",
        "<form action=@>",
        "</form>",
        "<frameset>",
        "<frameset background=@>",
        "</frameset>",
        "<frame src=@>",
        "<noframes>",
        "<html manifest=@>",
        "<body background=@>",
        "<body>",
        "</body>",
        "<head profile=@>",
        "</head>",
        "</html>",
        "<base href=@>",
        "<select>",
        "<option>",
        "</select>",
        "<noscript>",
        "</noscript>",
        "<p>",
        "</p>",
        "</br>",
        "<div>",
        "</div>",
        "<b xlink:href=@>",
        "</b>",
        "<span>",
        "</span>",
        "<img src=@>",
        "<blockquote cite=@>",
        "text",
        " ",
        "<nobr>",
        "<button formaction=@>",
        "<li>",
        "</li>",
        "<dd>",
        "<dt>",
        "<address>",
        "<x>",
        "</x>",
    ];

    /// HTML in SVG and MathML that stays open.
    const UNCLOSED: [&str; 8] = [
        "",
        "",
        "<div><svg><foreignObject><div>",
        "<span><b><svg><g><foreignObject><a href=@>",
        "<li><x><svg><title><div><svg><desc><p>",
        "<dd><div><math><mtext><p>",
        "<form><svg><a><desc><img>",
        "<p><b><p><math><mi><img>",
    ];

    proptest! {
        #![proptest_config(crate::tier::cases(8000))]

        /// Where the rules are in doubt, and afterwards, tags have the effect that they have in the
        /// tree.
        #[test]
        fn doubts_are_decided_as_by_the_tree(
            unclosed in select(&UNCLOSED[..]),
            pieces in prop::collection::vec(select(&DOUBTFUL[..]), 0..32),
            anchors in any::<bool>(),
            scripting in any::<bool>(),
        ) {
            let mut html = unclosed.to_owned();
            for (number, piece) in pieces.iter().enumerate() {
                html.push_str(&piece.replace('@', &format!("{number} id=i{number}")));
            }
            let options = Options { scripting, anchors, ..Options::default() };
            let page = Page::of_text(&html, &options);
            let alive = Alive::default();
            if let Ok((found, classifier)) = collected(&page, on_demand(&page, &alive)) {
                let (expected, guessed) = read_with_tree(&page);
                prop_assert!(!classifier.guesses() && !guessed);
                prop_assert_eq!(found.links, expected.links, "{}", html);
                prop_assert_eq!(found.anchors, expected.anchors, "{}", html);
                let bases = |found: &[BaseFound<'_>]| -> Vec<String> {
                    found.iter().map(|base| base.reference.to_string()).collect()
                };
                prop_assert_eq!(bases(&found.bases), bases(&expected.bases), "{}", html);
            }
        }
    }
}
