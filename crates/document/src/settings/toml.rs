//! Reading TOML. Of equal keys, the first one counts, since a second one is not valid.

use std::borrow::Cow;

use toml_parser::Source;
use toml_parser::decoder::Encoding;
use toml_parser::parser::{Event, EventKind, RecursionGuard, parse_document};

use super::setting::{MAX_DEPTH, Setting, Table};
use crate::bytes::Span;

/// Reads a text.
pub(super) fn read(text: &str) -> Setting {
    let source = Source::new(text);
    let tokens = source.lex().into_vec();
    let mut events: Vec<Event> = Vec::new();
    let mut guarded = RecursionGuard::new(&mut events, MAX_DEPTH as u32);
    parse_document(&tokens, &mut guarded, &mut ());
    Reader { source, events: events.into_iter() }.document()
}

/// Reads events.
struct Reader<'t> {
    source: Source<'t>,
    events: std::vec::IntoIter<Event>,
}

impl<'t> Reader<'t> {
    fn document(mut self) -> Setting {
        let mut root = Table::default();
        let mut header = Vec::new();
        while let Some(event) = self.events.next() {
            match event.kind() {
                EventKind::StdTableOpen => {
                    header = self.keys(Vec::new(), EventKind::StdTableClose).unwrap_or_default();
                    table_at(&mut root, &header);
                }
                EventKind::ArrayTableOpen => {
                    header = self.keys(Vec::new(), EventKind::ArrayTableClose).unwrap_or_default();
                    if let Some((last, above)) = header.split_last()
                        && let Some(table) = table_at(&mut root, above)
                        && let Setting::List(tables) =
                            (table.entry(last.clone())).or_insert_with(|| Setting::List(Vec::new()))
                    {
                        tables.push(Setting::Table(Table::default()));
                    }
                }
                EventKind::SimpleKey => self.pair(event, &mut root, &header),
                _ => {}
            }
        }
        Setting::Table(root)
    }

    /// The keys up to an event of this kind. `None` if they are not followed by one.
    fn keys(&mut self, mut keys: Vec<String>, end: EventKind) -> Option<Vec<String>> {
        loop {
            let event = self.events.next()?;
            match event.kind() {
                EventKind::SimpleKey => keys.push(self.key(event)),
                EventKind::KeySep | EventKind::Whitespace => {}
                kind => return (kind == end).then_some(keys),
            }
        }
    }

    /// Adds a key and its value to the table with this header in `root`.
    fn pair(&mut self, key: Event, root: &mut Table, header: &[String]) {
        let first = vec![self.key(key)];
        let Some(keys) = self.keys(first, EventKind::KeyValSep) else {
            return;
        };
        let mut event = self.events.next();
        while event.is_some_and(|it| it.kind() == EventKind::Whitespace) {
            event = self.events.next();
        }
        let value = event.and_then(|it| self.value(it));
        if let (Some(value), Some((last, above))) = (value, keys.split_last())
            && let Some(table) = table_at(root, &[header, above].concat())
        {
            table.entry(last.clone()).or_insert(value);
        }
    }

    /// The value that an event begins. `None` for other events.
    fn value(&mut self, event: Event) -> Option<Setting> {
        match event.kind() {
            EventKind::Scalar => Some(self.scalar(event)),
            EventKind::ArrayOpen => {
                let mut items = Vec::new();
                while let Some(event) = self.events.next()
                    && event.kind() != EventKind::ArrayClose
                {
                    items.extend(self.value(event));
                }
                Some(Setting::List(items))
            }
            EventKind::InlineTableOpen => {
                let mut table = Table::default();
                while let Some(event) = self.events.next()
                    && event.kind() != EventKind::InlineTableClose
                {
                    if event.kind() == EventKind::SimpleKey {
                        self.pair(event, &mut table, &[]);
                    }
                }
                Some(Setting::Table(table))
            }
            _ => None,
        }
    }

    fn key(&self, event: Event) -> String {
        let mut key = Cow::Borrowed("");
        if let Some(raw) = self.source.get(event) {
            raw.decode_key(&mut key, &mut ());
        }
        key.into_owned()
    }

    fn scalar(&self, event: Event) -> Setting {
        let Some(raw) = self.source.get(event) else {
            return Setting::Null;
        };
        let spelled = raw.as_str();
        let span = Span::new(event.span().start(), event.span().end());
        let quotes = match event.encoding() {
            None => return Setting::Text(spelled.to_owned(), span),
            Some(Encoding::BasicString) => "\"",
            Some(Encoding::LiteralString) => "'",
            Some(Encoding::MlBasicString) => "\"\"\"",
            Some(Encoding::MlLiteralString) => "'''",
        };
        let mut text = Cow::Borrowed("");
        let _ = raw.decode_scalar(&mut text, &mut ());
        let inner = spelled.strip_prefix(quotes).unwrap_or(spelled);
        let start = span.end - inner.len();
        let len = inner.strip_suffix(quotes).unwrap_or(inner).len();
        Setting::Text(text.into_owned(), Span::new(start, start + len))
    }
}

/// The table at a path, which is made if there is none. A list has the path of its last table.
/// `None` if another value has the path.
fn table_at<'r>(root: &'r mut Table, path: &[String]) -> Option<&'r mut Table> {
    if path.len() > MAX_DEPTH {
        return None;
    }
    path.iter().try_fold(root, |table, key| {
        let value = table.entry(key.clone()).or_insert_with(|| Setting::Table(Table::default()));
        let value = match value {
            Setting::List(items) => items.last_mut()?,
            value => value,
        };
        match value {
            Setting::Table(table) => Some(table),
            _ => None,
        }
    })
}
