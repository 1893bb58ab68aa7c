//! The blocks that determine links: containers, leaves that hold inlines or HTML, and definitions
//! (CommonMark, sections 4 and 5, and GFM).
//!
//! A line is matched against the open containers, then opens new blocks, and the rest belongs to a
//! leaf.

use super::block::{Block, Blocks};
use super::bodies::{
    self, Head, begins_body, definition_marker, directive, holds_markdown, tab_title,
};
use super::containers::{
    BODY_INDENT, Container, Leaf, MOST_NESTED, Opened, Opening, closes_fence, enter_quote, task_box,
};
use super::definition::{definition, footnote_label};
use super::line::{Indent, Line, after_line_end};
use super::markers::{atx_heading, is_thematic_break, is_underline, list_marker};
use super::mdx::{self, Fuel};
use super::raw_html::{BlockEnd, block_end, end_of_tag};
use super::table::{cells, delimiter_row};
use crate::bytes::Span;
use crate::format::options::Dialect;

/// The blocks of `text`, as this program reads them, from the offset `start`.
pub(super) fn blocks_of(text: &str, start: usize, dialect: Dialect) -> Blocks {
    read(Blocks::default(), text, start, dialect, &mut |_| {})
}

/// The labels of `text` and the destinations of its definitions, without its blocks.
pub(super) fn definitions_of(text: &str, start: usize, dialect: Dialect) -> Blocks {
    let none = Blocks { merges: true, ..Blocks::default() };
    let mut blocks = read(none, text, start, dialect, &mut Blocks::forget);
    // These stay for as long as the document is read.
    (blocks.blocks, blocks.lines) = (Vec::new(), Vec::new());
    blocks
}

/// Passes the blocks of `text` in order, when a line has closed them, with neither their labels nor
/// their destinations.
pub(super) fn each_block(
    text: &str,
    start: usize,
    dialect: Dialect,
    mut each: impl FnMut(&Blocks),
) {
    let none = Blocks { forgets: true, merges: true, ..Blocks::default() };
    let last = read(none, text, start, dialect, &mut |blocks| {
        each(blocks);
        blocks.forget();
    });
    each(&last);
}

/// Reads `text`, and calls `closed` after lines that have closed a block.
fn read(
    blocks: Blocks,
    text: &str,
    start: usize,
    dialect: Dialect,
    closed: &mut dyn FnMut(&mut Blocks),
) -> Blocks {
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        containers: Vec::new(),
        leaf: Leaf::None,
        open: Vec::new(),
        blocks: Blocks { dialect, ..blocks },
        next: start,
        open_elements: 0,
        tab_sets: 0,
        fuel: Fuel::of(text.len()),
    };
    while let Some(line) = Line::at(reader.bytes, reader.next) {
        reader.next = line.next;
        reader.line(line);
        if !reader.blocks.blocks.is_empty() {
            closed(&mut reader.blocks);
        }
    }
    reader.close_leaf();
    reader.blocks
}

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    containers: Vec<Container>,
    leaf: Leaf,
    /// The lines of the open paragraph or HTML block.
    open: Vec<Span>,
    blocks: Blocks,
    /// The offset of the next line to read.
    next: usize,
    /// The number of open elements of HTML whose content is Markdown.
    open_elements: usize,
    /// The number of sets of tabs so far.
    tab_sets: usize,
    fuel: Fuel,
}

impl Reader<'_> {
    fn line(&mut self, mut line: Line<'_>) {
        let start_of_line = line.at;
        let Some(matched) = self.match_containers(&mut line) else {
            return;
        };
        let all_matched = matched == self.containers.len();
        if all_matched && self.continue_leaf(line) {
            return;
        }
        let is_paragraph = matches!(self.leaf, Leaf::Paragraph);
        let mut state = Opening {
            matched,
            // A line that matches all containers continues the paragraph itself.
            interrupts: all_matched && is_paragraph,
            may_be_lazy: is_paragraph,
        };
        if self.is(Dialect::Mdx)
            && !is_paragraph
            && matched == 0
            && mdx::begins_statements(line.rest(start_of_line))
        {
            self.open_leaf(&mut state, Leaf::None);
            let end = mdx::end_of_statements(self.bytes, start_of_line, &mut self.fuel);
            self.mdx(Span::new(start_of_line, end), 0);
            return;
        }
        loop {
            let indent = line.indent();
            if indent.end == line.end {
                self.close_unmatched(&state);
                if matches!(self.leaf, Leaf::Paragraph) {
                    self.close_leaf();
                }
                return;
            }
            match self.open_block(&mut line, indent, &mut state) {
                Opened::Container => {}
                Opened::Leaf => return,
                Opened::Nothing => break,
            }
        }
        let start = line.indent().end;
        let rest = Span::new(start, line.end);
        if state.may_be_lazy {
            // The line continues a paragraph, perhaps without the prefixes of its containers.
            if state.interrupts && self.begin_table(rest) {
                return;
            }
            self.open_line(rest);
            return;
        }
        self.close_unmatched(&state);
        if let Leaf::Table = self.leaf {
            return self.row(rest);
        }
        let is_in_item =
            matches!(self.containers.last(), Some(Container::Item { is_empty: true, .. }));
        let start = start + if is_in_item { task_box(line.rest(start)) } else { 0 };
        self.begin_leaf(Leaf::Paragraph);
        self.open_line(Span::new(start, line.end));
    }

    /// The title of the tab that a line begins, within this number of containers, with the number of
    /// its set and its number in that. The tab after another one is in the same set.
    fn tab(&mut self, matched: usize, line: Span) -> Option<(Span, (usize, usize))> {
        let text = &self.text[line.range()];
        let (title, is_new_set) = tab_title(text)?;
        let (set, number) = match self.containers.get(matched) {
            Some(Container::Body { tab: Some((set, number)) }) if !is_new_set => (*set, number + 1),
            _ => {
                self.tab_sets += 1;
                (self.tab_sets, 1)
            }
        };
        let start = line.start + text.find('"').map_or(0, |it| it + 1);
        Some((Span::new(start, start + title.len()), (set, number)))
    }

    /// Matches the line against the open containers. Returns the number of those that it continues;
    /// `None` if it belongs to one of them itself.
    fn match_containers(&mut self, line: &mut Line<'_>) -> Option<usize> {
        for number in 0..self.containers.len() {
            let indent = line.indent();
            let is_blank = indent.end == line.end;
            if let Container::Directive { byte, len, head } = &mut self.containers[number] {
                let rest = line.rest(indent.end);
                if indent.columns <= 3 && closes_fence(rest, *byte, *len) {
                    self.close_leaf();
                    self.containers.truncate(number);
                    return None;
                }
                if *head != Head::Over && head.takes(rest) {
                    return None;
                }
            }
            match self.containers[number] {
                Container::Quote => {
                    if is_blank || self.is_code(indent) || self.bytes[indent.end] != b'>' {
                        return Some(number);
                    }
                    enter_quote(line, indent);
                }
                Container::Item { is_empty: true, .. } | Container::Footnote { is_empty: true }
                    if is_blank =>
                {
                    return Some(number);
                }
                Container::Item { width, .. } if !is_blank && indent.columns < width => {
                    return Some(number);
                }
                Container::Footnote { .. } | Container::Body { .. }
                    if !is_blank && indent.columns < BODY_INDENT =>
                {
                    return Some(number);
                }
                Container::Item { width, .. } => line.advance(width),
                Container::Footnote { .. } | Container::Body { .. } => line.advance(BODY_INDENT),
                Container::Directive { .. } => {}
            }
        }
        Some(self.containers.len())
    }

    /// Passes a line that matches all containers to the open leaf. Returns true if it belongs to
    /// the leaf, whatever its content.
    fn continue_leaf(&mut self, line: Line<'_>) -> bool {
        match self.leaf {
            Leaf::None | Leaf::Paragraph => false,
            Leaf::Fence { byte, len } => {
                let indent = line.indent();
                let rest = line.rest(indent.end);
                if !self.is_code(indent) && closes_fence(rest, byte, len) {
                    self.leaf = Leaf::None;
                }
                true
            }
            Leaf::IndentedCode => {
                let indent = line.indent();
                let continues = indent.columns >= 4 || indent.end == line.end;
                if !continues {
                    self.leaf = Leaf::None;
                }
                continues
            }
            Leaf::Html(end) => {
                if end == BlockEnd::BlankLine && line.indent().end == line.end {
                    self.close_leaf();
                    return true;
                }
                self.html_line(line, end);
                true
            }
            Leaf::Table => {
                let is_blank = line.indent().end == line.end;
                if is_blank {
                    self.leaf = Leaf::None;
                }
                is_blank
            }
        }
    }

    /// Adds a line to the open HTML block.
    fn html_line(&mut self, line: Line<'_>, end: BlockEnd) {
        self.open_line(Span::new(line.at, line.end));
        if end.is_in(line.rest(line.at)) {
            self.close_leaf();
        }
    }

    /// Opens the block that begins after `indent`, if one does.
    fn open_block(&mut self, line: &mut Line<'_>, indent: Indent, state: &mut Opening) -> Opened {
        let rest = line.rest(indent.end);
        if self.is_code(indent) {
            if state.may_be_lazy {
                return Opened::Nothing;
            }
            self.open_leaf(state, Leaf::IndentedCode);
            return Opened::Leaf;
        }
        match rest[0] {
            b'>' => {
                self.open_container(state, Container::Quote);
                enter_quote(line, indent);
                return Opened::Container;
            }
            b'#' => {
                if let Some(content) = atx_heading(rest, !self.is(Dialect::HonKit)) {
                    self.open_leaf(state, Leaf::None);
                    let start = indent.end + content.start;
                    let span = Span::new(start, start + content.len());
                    self.open_line(span);
                    self.heading();
                    return Opened::Leaf;
                }
            }
            byte @ (b'`' | b'~' | b':') if byte != b':' || self.is(Dialect::Myst) => {
                let len = rest.iter().take_while(|&&it| it == byte).count();
                let name = directive(&rest[len..]).filter(|_| self.is(Dialect::Myst));
                let is_fence = len >= 3 && !(byte == b'`' && rest[len..].contains(&b'`'));
                if is_fence && name.is_some_and(bodies::is_markdown) && self.may_nest() {
                    let container = Container::Directive { byte, len, head: Head::Options };
                    self.open_container(state, container);
                    return Opened::Leaf;
                }
                if is_fence && (byte != b':' || name.is_some()) {
                    self.open_leaf(state, Leaf::Fence { byte, len });
                    if rest[len..].contains(&b'{') {
                        self.blocks
                            .blocks
                            .push(Block::Fence(Span::new(indent.end + len, line.end)));
                    }
                    return Opened::Leaf;
                }
            }
            b'!' | b'?' | b'=' if self.is(Dialect::MkDocs) && begins_body(rest) => {
                let tab = self.tab(state.matched, Span::new(indent.end, line.end));
                self.open_leaf(state, Leaf::None);
                if let Some((title, (set, number))) = tab {
                    self.blocks.blocks.push(Block::Tab { title, set, number });
                }
                self.open_line(Span::new(indent.end, line.end));
                self.text_block();
                if self.may_nest() {
                    let tab = tab.map(|it| it.1);
                    self.open_container(state, Container::Body { tab });
                }
                return Opened::Leaf;
            }
            b':' if self.is(Dialect::MkDocs) => {
                if let Some(len) = definition_marker(rest).filter(|_| self.may_nest()) {
                    self.open_container(state, Container::Body { tab: None });
                    line.move_to(indent, indent.end + len);
                    line.advance(line.indent().columns);
                    return Opened::Container;
                }
            }
            b'<' | b'{' if self.is(Dialect::Mdx) => {
                let quotes = self.containers[..state.matched].iter();
                let quotes = quotes.filter(|it| matches!(it, Container::Quote)).count();
                let start = indent.end;
                if let Some(end) = mdx::end_of_flow(self.bytes, start, quotes, &mut self.fuel) {
                    self.open_leaf(state, Leaf::None);
                    self.mdx(Span::new(start, end), quotes);
                    return Opened::Leaf;
                }
            }
            b'<' => {
                if let Some(len) = self.tag_around_markdown(rest, state) {
                    self.open_leaf(state, Leaf::None);
                    self.open_line(Span::new(indent.end, indent.end + len));
                    self.html_block();
                    line.move_to(indent, indent.end + len);
                    return Opened::Container;
                }
                if let Some(end) = block_end(rest, state.may_be_lazy) {
                    self.open_leaf(state, Leaf::Html(end));
                    self.html_line(*line, end);
                    return Opened::Leaf;
                }
            }
            b'[' if rest.get(1) == Some(&b'^') => {
                if let Some(len) = self.footnote(rest).filter(|_| self.may_nest()) {
                    self.open_container(state, Container::Footnote { is_empty: true });
                    let label = Span::new(indent.end + 2, indent.end + len - 2);
                    self.blocks.blocks.push(Block::Footnote(label));
                    line.move_to(indent, indent.end + len);
                    line.advance(line.indent().columns);
                    return Opened::Container;
                }
            }
            // There, definitions end a paragraph.
            b'[' if self.is(Dialect::HonKit)
                && state.may_be_lazy
                && definition(&self.text[indent.end..line.end], 0).is_some() =>
            {
                self.open_leaf(state, Leaf::None);
            }
            byte @ (b'=' | b'-') if state.interrupts && is_underline(rest, byte) => {
                self.blocks.take_definitions(self.text, &mut self.open);
                if !self.open.is_empty() {
                    self.heading();
                    self.leaf = Leaf::None;
                    return Opened::Leaf;
                }
                if byte == b'-' && is_thematic_break(rest, byte) {
                    self.open_leaf(state, Leaf::None);
                    return Opened::Leaf;
                }
                // Only definitions were before it.
                self.leaf = Leaf::None;
                state.interrupts = false;
                state.may_be_lazy = false;
                return Opened::Nothing;
            }
            byte @ (b'-' | b'*' | b'_' | b'+' | b'0'..=b'9') => {
                if is_thematic_break(rest, byte) {
                    self.open_leaf(state, Leaf::None);
                    return Opened::Leaf;
                }
                let marker = list_marker(rest, state.interrupts);
                if let Some(len) = marker.filter(|_| self.may_nest()) {
                    self.open_item(line, indent, len, state);
                    return Opened::Container;
                }
            }
            _ => {}
        }
        Opened::Nothing
    }

    /// Opens the item whose marker of `len` bytes begins after `indent`.
    fn open_item(&mut self, line: &mut Line<'_>, indent: Indent, len: usize, state: &mut Opening) {
        line.move_to(indent, indent.end + len);
        let after = line.indent();
        // The content begins with the first character, unless that is code or the line ends.
        let spaces = match after.columns {
            columns @ 1..=4 if after.end < line.end => columns,
            columns if self.is(Dialect::Mdx) && after.end < line.end => columns.max(1),
            _ => 1,
        };
        let container = Container::Item { width: indent.columns + len + spaces, is_empty: true };
        self.open_container(state, container);
        if after.end < line.end {
            line.advance(spaces);
        } else {
            line.at = after.end;
        }
    }

    /// Returns true if this program reads the document.
    fn is(&self, dialect: Dialect) -> bool {
        self.blocks.dialect == dialect
    }

    /// Returns true if a line with this indent is code, unless it continues a paragraph. MDX has no
    /// such code.
    fn is_code(&self, indent: Indent) -> bool {
        indent.columns > 3 && !self.is(Dialect::Mdx)
    }

    /// Adds a block of MDX, and passes its lines.
    fn mdx(&mut self, span: Span, quotes: usize) {
        self.next = self.next.max(after_line_end(self.bytes, span.end));
        self.blocks.blocks.push(Block::Mdx { span, quotes });
    }

    fn open_container(&mut self, state: &mut Opening, container: Container) {
        self.open_leaf(state, Leaf::None);
        self.containers.push(container);
        state.matched = self.containers.len();
    }

    /// Closes the blocks that the line does not continue, and begins a leaf.
    fn open_leaf(&mut self, state: &mut Opening, leaf: Leaf) {
        self.close_unmatched(state);
        self.close_leaf();
        state.interrupts = false;
        state.may_be_lazy = false;
        self.begin_leaf(leaf);
    }

    fn begin_leaf(&mut self, leaf: Leaf) {
        self.leaf = leaf;
        match self.containers.last_mut() {
            Some(Container::Item { is_empty, .. } | Container::Footnote { is_empty }) => {
                *is_empty = false;
            }
            Some(Container::Quote | Container::Body { .. } | Container::Directive { .. })
            | None => {}
        }
    }

    /// Closes the containers that the line does not continue, with the leaf in them.
    fn close_unmatched(&mut self, state: &Opening) {
        if state.matched < self.containers.len() {
            self.close_leaf();
            self.containers.truncate(state.matched);
        }
    }

    fn close_leaf(&mut self) {
        match self.leaf {
            Leaf::Paragraph => {
                self.blocks.take_definitions(self.text, &mut self.open);
                self.text_block();
            }
            Leaf::Html(_) => self.html_block(),
            _ => {}
        }
        self.open.clear();
        self.leaf = Leaf::None;
    }

    /// Adds a block of HTML with the open lines.
    fn html_block(&mut self) {
        let lines = self.blocks.add_lines(&mut self.open);
        self.blocks.blocks.push(Block::Html(lines));
    }

    /// The length of the tag at the start of `rest`, if it begins or ends an element of HTML whose
    /// content is Markdown for Python-Markdown.
    fn tag_around_markdown(&mut self, rest: &[u8], state: &Opening) -> Option<usize> {
        if !self.is(Dialect::MkDocs) || block_end(rest, state.may_be_lazy).is_none() {
            return None;
        }
        let len = end_of_tag(rest, 0)?;
        let (begins, ends) = (holds_markdown(&rest[..len]), rest.starts_with(b"</"));
        let is_one = if ends { self.open_elements > 0 } else { begins };
        self.open_elements += usize::from(!ends && begins);
        self.open_elements = self.open_elements.saturating_sub(usize::from(ends));
        is_one.then_some(len)
    }

    /// Adds a line to the open ones.
    fn open_line(&mut self, line: Span) {
        self.blocks.open_line(self.bytes, &mut self.open, line);
    }

    /// Adds a heading with the open lines.
    fn heading(&mut self) {
        let lines = self.blocks.add_lines(&mut self.open);
        self.blocks.blocks.push(Block::Heading(lines));
    }

    /// Adds a text with the open lines. Without open lines, adds nothing.
    fn text_block(&mut self) {
        if !self.open.is_empty() {
            let lines = self.blocks.add_lines(&mut self.open);
            self.blocks.blocks.push(Block::Text(lines));
        }
    }

    /// Turns the last line of the open paragraph into the head of a table, if `rest` is its
    /// delimiter row.
    fn begin_table(&mut self, rest: Span) -> bool {
        let Some(columns) = delimiter_row(&self.bytes[rest.range()]) else {
            return false;
        };
        let Some(&head) = self.open.last() else {
            return false;
        };
        if cells(&self.bytes[head.range()], head.start).count() != columns {
            return false;
        }
        self.open.pop();
        self.close_leaf();
        self.leaf = Leaf::Table;
        self.row(head);
        true
    }

    /// Adds a row of the open table. Cells beyond its columns are not shown, but may have links.
    fn row(&mut self, row: Span) {
        let cells = cells(&self.bytes[row.range()], row.start);
        self.blocks.blocks.extend(cells.map(Block::Cell));
    }

    /// Returns true if another list item or footnote may be opened. A blank line continues them
    /// all, so that their number is limited, as on GitHub.
    fn may_nest(&self) -> bool {
        self.containers.len() < MOST_NESTED
    }

    /// The length of the marker that a footnote begins with. Adds its label.
    fn footnote(&mut self, rest: &[u8]) -> Option<usize> {
        let (label, len) = footnote_label(rest)?;
        if !self.blocks.forgets {
            self.blocks.labels.footnotes.insert(label, ());
        }
        Some(len)
    }
}
