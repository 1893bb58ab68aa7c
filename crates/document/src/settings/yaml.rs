//! Reading YAML, as the programs that have such settings do: its first document, with the merge
//! keys of YAML 1.1.
//!
//! Tags are ignored, with these exceptions: `!!str` makes a text of any scalar, and `!ENV` has the
//! last value of its list, the default of environment variables that are not set.

use std::collections::HashMap;

use granit_parser::{Event, Parser, ScalarStyle, StrInput, Tag, options};

use super::setting::{MAX_DEPTH, Setting, Table};
use crate::bytes::Span;

/// The maximum number of faults after which more of a text is read.
const MAX_FAULTS: usize = 16;

/// The maximum number of values that are copied from anchors.
const MAX_COPIES: usize = 1 << 16;

/// Reads the first document of a text.
pub(super) fn read(text: &str) -> Setting {
    let mut root = Setting::Null;
    let mut start = Some(0);
    for _ in 0..=MAX_FAULTS {
        let Some(at) = start else { break };
        let mut reader = Reader::new(text, at);
        let read = reader.document();
        match (&mut root, read) {
            (Setting::Table(table), Setting::Table(read)) => complete(table, read),
            (Setting::Null, read) => root = read,
            _ => {}
        }
        start = reader.fault.and_then(|at| next_key(text, at));
    }
    root
}

/// Returns true if the whole text has no fault.
pub(super) fn is_valid(text: &str) -> bool {
    let mut reader = Reader::new(text, 0);
    while reader.next().is_some() {}
    reader.fault.is_none()
}

/// The offset of the first line after `at` that may begin with a top-level key. `None` at the end of
/// the document.
fn next_key(text: &str, at: usize) -> Option<usize> {
    let mut start = at + memchr::memchr(b'\n', text.as_bytes().get(at..)?)? + 1;
    for line in text[start..].split_inclusive('\n') {
        if line.starts_with("---") || line.starts_with("...") {
            return None;
        }
        if line.starts_with(|it: char| it.is_alphanumeric() || matches!(it, '_' | '"' | '\'')) {
            return Some(start);
        }
        start += line.len();
    }
    None
}

/// Adds the entries of a table whose keys are not in another.
fn complete(table: &mut Table, more: Table) {
    for (key, value) in more {
        table.entry(key).or_insert(value);
    }
}

/// Reads events.
struct Reader<'t> {
    text: &'t str,
    /// The offset at which the events begin.
    start: usize,
    events: Parser<'t, StrInput<'t>>,
    /// The offset of a fault, which ends the events.
    fault: Option<usize>,
    anchors: HashMap<usize, Setting>,
    /// The number of values that may still be copied.
    copies: usize,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, start: usize) -> Self {
        let limits = options! {
            flow_nesting_limit: MAX_DEPTH,
            block_nesting_limit: MAX_DEPTH,
            // The behavior of libyaml, on which most programs build.
            block_scalar_eof_without_line_feed: true,
            emit_unresolved_aliases: true,
        };
        Self {
            text,
            start,
            events: Parser::new_from_str_with_options(&text[start..], limits),
            fault: None,
            anchors: HashMap::new(),
            copies: MAX_COPIES,
        }
    }

    /// The value of the first document.
    fn document(&mut self) -> Setting {
        while let Some((event, span)) = self.next() {
            match event {
                Event::StreamStart | Event::DocumentStart(..) => {}
                Event::DocumentEnd => break,
                event => return self.value(event, span, 0),
            }
        }
        Setting::Null
    }

    fn next(&mut self) -> Option<(Event<'t>, Span)> {
        if self.fault.is_some() {
            return None;
        }
        match self.events.next_event()? {
            Ok((event, span)) => {
                let span = span.byte_range().unwrap_or_default();
                Some((event, Span::new(self.start + span.start, self.start + span.end)))
            }
            Err(error) => {
                let at = error.marker().byte_offset().unwrap_or_default();
                self.fault = Some(self.start + at);
                None
            }
        }
    }

    /// The value that an event begins.
    fn value(&mut self, event: Event<'t>, span: Span, depth: usize) -> Setting {
        let (value, anchor) = match event {
            Event::Scalar(value, style, anchor, tag) => {
                (self.scalar(&value, style, tag.as_deref(), span), anchor)
            }
            Event::SequenceStart(_, anchor, tag) => {
                let mut items = self.items(depth + 1);
                let value = match tag.is_some_and(|it| is_env(&it)) {
                    true if items.len() > 1 => items.pop().unwrap_or_default(),
                    true => Setting::Null,
                    false => Setting::List(items),
                };
                (value, anchor)
            }
            Event::MappingStart(_, anchor, _) => (Setting::Table(self.entries(depth + 1)), anchor),
            Event::Alias(anchor) => {
                let levels = MAX_DEPTH.saturating_sub(depth);
                let value = self.anchors.get(&anchor);
                let copy = value.map(|it| copied(it, levels, &mut self.copies));
                return copy.unwrap_or_default();
            }
            _ => return Setting::Null,
        };
        if anchor != 0 {
            let copy = copied(&value, MAX_DEPTH, &mut self.copies);
            self.anchors.insert(anchor, copy);
        }
        value
    }

    fn scalar(&self, value: &str, style: ScalarStyle, tag: Option<&Tag>, span: Span) -> Setting {
        let is_plain = style == ScalarStyle::Plain;
        let is_null = matches!(value, "" | "~" | "null" | "Null" | "NULL");
        if is_plain && is_null && !tag.is_some_and(is_string) || tag.is_some_and(is_env) {
            return Setting::Null;
        }
        let span = match style {
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
                Span::new(span.start + 1, span.end - 1)
            }
            ScalarStyle::Plain => span,
            ScalarStyle::Literal | ScalarStyle::Folded => {
                let content = &self.text[span.range()];
                let start = span.start + (content.len() - content.trim_start().len());
                Span::new(start, start + content.trim().len())
            }
        };
        Setting::Text(value.to_owned(), span)
    }

    fn items(&mut self, depth: usize) -> Vec<Setting> {
        let mut items = Vec::new();
        while let Some((event, span)) = self.next() {
            if event == Event::SequenceEnd {
                break;
            }
            items.push(self.value(event, span, depth));
        }
        items
    }

    /// The entries of a mapping. Of equal keys, the last one counts. Keys of the mapping precede
    /// merged ones.
    fn entries(&mut self, depth: usize) -> Table {
        let mut table = Table::default();
        let mut merged = Vec::new();
        while let Some((event, span)) = self.next() {
            if event == Event::MappingEnd {
                break;
            }
            let is_merge =
                matches!(&event, Event::Scalar(key, ScalarStyle::Plain, ..) if key == "<<");
            let key = self.value(event, span, depth);
            let Some((event, span)) = self.next() else {
                break;
            };
            match (key, self.value(event, span, depth)) {
                (_, value) if is_merge => merged.push(value),
                (Setting::Text(key, _), value) => _ = table.insert(key, value),
                // Other keys have no names.
                _ => {}
            }
        }
        for value in merged {
            let tables = match value {
                Setting::List(tables) => tables,
                table => vec![table],
            };
            for other in tables {
                if let Setting::Table(other) = other {
                    complete(&mut table, other);
                }
            }
        }
        table
    }
}

/// Returns true for the tag of environment variables.
fn is_env(tag: &Tag) -> bool {
    tag.handle() == "!" && tag.suffix() == "ENV"
}

/// Returns true for `!!str`, and for `!`, which excludes other types.
fn is_string(tag: &Tag) -> bool {
    tag.core_suffix() == Some("str") || tag.handle().is_empty() && tag.suffix() == "!"
}

/// A copy of a value with at most this number of levels, and of the values that may still be copied.
fn copied(value: &Setting, levels: usize, copies: &mut usize) -> Setting {
    if levels == 0 || *copies == 0 {
        return Setting::Null;
    }
    *copies -= 1;
    match value {
        Setting::List(items) => {
            Setting::List(items.iter().map(|it| copied(it, levels - 1, copies)).collect())
        }
        Setting::Table(table) => {
            let entries = table.iter();
            let copy = entries.map(|(key, it)| (key.clone(), copied(it, levels - 1, copies)));
            Setting::Table(copy.collect())
        }
        scalar => scalar.clone(),
    }
}
