//! Entries of redirects in a file that exists: where they go, and how they are written.

use std::collections::HashSet;

use serde_json::Value;

use super::kind::Redirects;
use super::pages::relative;
use crate::docs_site::PublishedPage;
use crate::settings::{self, Setting, Syntax};

/// The reason for a file whose entries cannot be read back.
const BY_HAND: &str = "the redirects have no safe place in it: add them by hand";

/// The reason for a file that has one of the keys.
const TAKEN: &str = "it redirects from one of the old addresses already";

/// The redirect of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The old address, or the old file in the content.
    pub(super) from: String,
    /// The new one.
    pub(super) to: String,
    /// The new address or file, spelled like `from`. No entry may redirect from it.
    pub(super) now: String,
    /// The old and the new file in the content, where a program may want these.
    pub(super) source: Option<[String; 2]>,
}

impl Entry {
    /// The entry for a page that moved. `None` if the names are not UTF-8.
    pub(super) fn new(form: Redirects, old: &PublishedPage, new: &PublishedPage) -> Option<Self> {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
        let [from, now] = [text(&old.address)?, text(&new.address)?];
        let sources = [text(&old.source)?, text(&new.source)?];
        Some(match form {
            Redirects::MkDocs => {
                let [from, to] = sources;
                Self { from, now: to.clone(), to, source: None }
            }
            Redirects::Sphinx => {
                let [old, new] = &sources;
                let (from, _) = old.rsplit_once('.')?;
                let (to, _) = new.rsplit_once('.')?;
                let [from, now] = [from.to_owned(), to.to_owned()];
                Self { to: relative_page(&from, &now), from, now, source: Some(sources) }
            }
            Redirects::Docusaurus => Self { from, to: now.clone(), now, source: None },
            _ => Self { from, to: relative(&old.address, &new.address), now, source: None },
        })
    }
}

/// The file that holds entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    /// The configuration of a site.
    Config(Redirects),
    /// The page that moved.
    Page(Redirects),
}

/// The entries for one file.
#[derive(Clone, Debug)]
pub(in crate::jobs) struct Entries {
    holder: Holder,
    list: Vec<Entry>,
}

/// A text to insert.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Insertion {
    pub(super) offset: usize,
    pub(super) text: String,
}

impl Entries {
    pub(super) fn new(holder: Holder) -> Self {
        Self { holder, list: Vec::new() }
    }

    pub(super) fn push(&mut self, entry: Entry) {
        self.list.push(entry);
    }

    /// The place of the entries in a file with this text. `Err` says why there is none. Settings are
    /// read back: they are the old ones with the entries.
    pub(super) fn in_text(&self, text: &str) -> Result<Insertion, &'static str> {
        match self.holder {
            Holder::Config(Redirects::MdBook) => self.in_book(text),
            Holder::Config(Redirects::MkDocs) => self.in_mkdocs(text),
            Holder::Config(Redirects::Docusaurus) => self.in_docusaurus(text),
            Holder::Config(_) => self.in_sphinx(text),
            Holder::Page(form) => self.in_page(text, form),
        }
    }

    /// The offsets of entries that redirect from the new address of a page.
    pub(super) fn stale(&self, text: &str) -> Vec<usize> {
        let now: HashSet<&str> = self.list.iter().map(|it| &*it.now).collect();
        let of_table = |table: Option<&Setting>| {
            let Some(Setting::Table(table)) = table else { return Vec::new() };
            let stale = table.iter().filter(|(key, _)| now.contains(&***key));
            stale.filter_map(|(_, value)| value.span()).map(|it| it.start).collect()
        };
        match self.holder {
            Holder::Config(Redirects::MdBook) => {
                of_table(settings::read(text, Syntax::Toml).get(&BOOK))
            }
            Holder::Config(Redirects::MkDocs) => of_table(maps(text).as_ref()),
            Holder::Config(_) => {
                let mut at = 0;
                let mut stale = Vec::new();
                for line in text.split_inclusive('\n') {
                    let rest = line.trim_start().trim_start_matches(['{', ' ']);
                    let rest = rest.strip_prefix("from:").map_or(rest, str::trim_start);
                    let key = rest.strip_prefix(['"', '\'']);
                    let key = key.and_then(|it| it.split(['"', '\'']).next());
                    if key.is_some_and(|it| now.contains(it)) {
                        stale.push(at);
                    }
                    at += line.len();
                }
                stale
            }
            Holder::Page(form) => {
                let Some(matter) = FrontMatter::of(text) else { return Vec::new() };
                let settings = matter.settings(text).with_keys_in_lower_case();
                let Some(Setting::List(list)) = settings.get(&[key_of(form)]) else {
                    return Vec::new();
                };
                let stale = list.iter().filter_map(|it| match it {
                    Setting::Text(text, span) if now.contains(&**text) => Some(span.start),
                    _ => None,
                });
                stale.map(|at| matter.start + at).collect()
            }
        }
    }

    /// The text of all entries.
    fn written(&self, of: impl Fn(&Entry) -> String) -> String {
        self.list.iter().map(of).collect()
    }

    fn in_book(&self, text: &str) -> Result<Insertion, &'static str> {
        let lines = self.written(|it| format!("{} = {}\n", quoted(&it.from), quoted(&it.to)));
        let is_header = |line: &str| line.split('#').next().unwrap_or_default().trim() == HEADER;
        let insertion = match find_line(text, is_header) {
            Some(start) => {
                let offset = start + line_at(text, start).len();
                let line_end = if text[..offset].ends_with('\n') { "" } else { "\n" };
                Insertion { offset, text: line_end.to_owned() + &lines }
            }
            None => {
                let line_end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
                let blank = if text.is_empty() { "" } else { "\n" };
                let text = format!("{line_end}{blank}{HEADER}\n{lines}");
                Insertion { offset: usize::MAX, text }
            }
        };
        let insertion = Insertion { offset: insertion.offset.min(text.len()), ..insertion };
        let read = |text: &str| toml::from_str::<toml::Table>(text).ok();
        let old = read(text).ok_or(BY_HAND)?;
        let mut expected = serde_json::to_value(&old).map_err(|_| BY_HAND)?;
        let mut table = &mut expected;
        for key in BOOK {
            let entries = table.as_object_mut().ok_or(BY_HAND)?;
            table = entries.entry(key).or_insert_with(|| Value::Object(Default::default()));
        }
        self.add_to(table)?;
        let new = read(&insertion.applied_to(text)).ok_or(BY_HAND)?;
        let is_proved = serde_json::to_value(&new).is_ok_and(|new| new == expected);
        is_proved.then_some(insertion).ok_or(BY_HAND)
    }

    fn in_mkdocs(&self, text: &str) -> Result<Insertion, &'static str> {
        const NONE: &str = "it has no redirect_maps of the plugin redirects to add to";
        let key = "redirect_maps:";
        maps(text).ok_or(NONE)?;
        let start = find_line(text, |line| line.trim_start().starts_with(key)).ok_or(BY_HAND)?;
        let line = line_at(text, start);
        let indent = line.len() - line.trim_start().len();
        let value = line[indent + key.len()..].trim();
        let yaml = |it: &str| format!("'{}'", it.replace('\'', "''"));
        let insertion = match value.as_bytes() {
            [] | [b'#', ..] => {
                let after = start + line.len();
                let is_entry = |it: &&str| !it.trim().is_empty() && !it.trim().starts_with('#');
                let below = text[after..].lines().find(is_entry);
                let own = below.map(|it| it.len() - it.trim_start().len());
                let indent = own.filter(|it| *it > indent).unwrap_or(indent + 2);
                let blanks = " ".repeat(indent);
                let line = |it: &Entry| format!("{blanks}{}: {}\n", yaml(&it.from), yaml(&it.to));
                let line_end = if text[..after].ends_with('\n') { "" } else { "\n" };
                Insertion { offset: after, text: line_end.to_owned() + &self.written(line) }
            }
            [b'{', ..] => {
                let text = self.written(|it| format!("{}: {}, ", yaml(&it.from), yaml(&it.to)));
                Insertion { offset: start + line.find('{').unwrap_or(0) + 1, text }
            }
            _ => return Err(BY_HAND),
        };
        let mut expected = plain(&settings::read(text, Syntax::Yaml));
        let plugins = expected.get_mut("plugins").ok_or(NONE)?;
        let has_maps = |it: &&mut Value| it.pointer("/redirects/redirect_maps").is_some();
        let plugin = match plugins {
            Value::Array(items) => items.iter_mut().find(has_maps).ok_or(NONE)?,
            table => table,
        };
        let table = plugin.pointer_mut("/redirects/redirect_maps").ok_or(NONE)?;
        if table.is_null() {
            *table = Value::Object(Default::default());
        }
        self.add_to(table)?;
        self.proved(text, insertion, expected)
    }

    /// Adds the entries to a table.
    fn add_to(&self, table: &mut Value) -> Result<(), &'static str> {
        let table = table.as_object_mut().ok_or(BY_HAND)?;
        for Entry { from, to, .. } in &self.list {
            if table.insert(from.clone(), Value::String(to.clone())).is_some() {
                return Err(TAKEN);
            }
        }
        Ok(())
    }

    /// The insertion, if the settings in YAML are valid and the expected ones afterwards.
    fn proved(
        &self,
        text: &str,
        insertion: Insertion,
        expected: Value,
    ) -> Result<Insertion, &'static str> {
        let new = insertion.applied_to(text);
        let is_proved =
            settings::is_valid_yaml(&new) && plain(&settings::read(&new, Syntax::Yaml)) == expected;
        is_proved.then_some(insertion).ok_or(BY_HAND)
    }

    /// Only a common layout is changed, since scripts are not parsed.
    fn in_docusaurus(&self, text: &str) -> Result<Insertion, &'static str> {
        const NONE: &str =
            "it has no list of redirects below the name of plugin-client-redirects to add to";
        let is_plugin = |line: &str| {
            let names = [
                "'@docusaurus/plugin-client-redirects'",
                "\"@docusaurus/plugin-client-redirects\"",
            ];
            let line = line.trim_start();
            !line.starts_with(['/', '*']) && names.iter().any(|it| line.contains(it))
        };
        let plugin = find_line(text, is_plugin).ok_or(NONE)?;
        let mut at = plugin + line_at(text, plugin).len();
        for _ in 0..LINES_BELOW {
            let line = line_at(text, at);
            let trimmed = line.trim();
            if matches!(trimmed, "redirects: [" | "redirects: []," | "redirects: []") {
                let indent = line.len() - line.trim_start().len() + 2;
                let blanks = " ".repeat(indent);
                let entry = |it: &Entry| {
                    format!("\n{blanks}{{from: {}, to: {}}},", quoted(&it.from), quoted(&it.to))
                };
                let offset = at + line.find('[').unwrap_or(0) + 1;
                let text_after = self.written(entry);
                let after = if trimmed.ends_with('[') {
                    String::new()
                } else {
                    format!("\n{}", " ".repeat(indent - 2))
                };
                self.refuse_taken(text)?;
                return Ok(Insertion { offset, text: text_after + &after });
            }
            if !matches!(trimmed, "" | "{" | "[") {
                return Err(NONE);
            }
            at += line.len();
        }
        Err(NONE)
    }

    /// Like [`in_docusaurus`](Self::in_docusaurus), for Python.
    fn in_sphinx(&self, text: &str) -> Result<Insertion, &'static str> {
        const NONE: &str = "it has neither a dictionary redirects of sphinx_reredirects nor \
            rediraffe_redirects to add to";
        let line = |from: &str, to: &str| format!("\n    {}: {},", quoted(from), quoted(to));
        for name in ["rediraffe_redirects", "redirects"] {
            let is_open = |line: &str| {
                let value = line.strip_prefix(name).map(str::trim_start);
                let value = value.and_then(|it| it.strip_prefix('=')).map(str::trim_start);
                matches!(value, Some("{" | "{}"))
            };
            let Some(start) = find_line(text, is_open) else {
                continue;
            };
            let quotes = |mark: &str| text[..start].matches(mark).count() % 2;
            if quotes("\"\"\"") + quotes("'''") > 0 {
                return Err(NONE);
            }
            let own = line_at(text, start);
            let below = text[start + own.len()..].lines().find(|it| !it.trim().is_empty());
            let is_literal = own.trim_end().ends_with('}')
                || below.is_some_and(|it| it.trim_start().starts_with(['"', '\'', '}', '#']));
            if !is_literal {
                return Err(NONE);
            }
            self.refuse_taken(text)?;
            let of_source = |it: &Entry| match &it.source {
                Some([from, to]) => line(from, to),
                None => String::new(),
            };
            let mut added = match name {
                "redirects" => self.written(|it| line(&it.from, &it.to)),
                _ => self.written(of_source),
            };
            if own.trim_end().ends_with('}') {
                added.push('\n');
            }
            return Ok(Insertion { offset: start + own.find('{').unwrap_or(0) + 1, text: added });
        }
        Err(NONE)
    }

    /// Refuses a script that has one of the old addresses as a string.
    fn refuse_taken(&self, text: &str) -> Result<(), &'static str> {
        let is_in = |it: &str| {
            ["\"", "'"].iter().any(|quote| text.contains(&format!("{quote}{it}{quote}")))
        };
        let sources = |it: &Entry| it.source.as_ref().is_some_and(|[from, _]| is_in(from));
        match self.list.iter().any(|it| is_in(&it.from) || sources(it)) {
            true => Err(TAKEN),
            false => Ok(()),
        }
    }

    /// The place of the old addresses in the front matter of a page. Nothing to insert if it is not a
    /// page.
    fn in_page(&self, text: &str, form: Redirects) -> Result<Insertion, &'static str> {
        let key = key_of(form);
        let list = |blanks: &str| self.written(|it| format!("{blanks}- {}\n", quoted(&it.from)));
        let items = || {
            let items = self.list.iter().map(|it| quoted(&it.from));
            items.collect::<Vec<_>>().join(", ")
        };
        let Some(matter) = FrontMatter::of(text) else {
            let bom = text.len() - text.trim_start_matches('\u{feff}').len();
            let first = line_at(&text[bom..], 0).trim_end();
            return match form {
                _ if matches!(first, "---" | "+++") => Err(BY_HAND),
                Redirects::Hugo => {
                    let text = format!("---\n{key}:\n{}---\n", list("  "));
                    Ok(Insertion { offset: bom, text })
                }
                // It is copied as it is.
                _ => Ok(Insertion::default()),
            };
        };
        if matter.syntax == MatterSyntax::Json
            || form == Redirects::Jekyll && matter.syntax != MatterSyntax::Yaml
        {
            return Err(BY_HAND);
        }
        let body = &text[matter.start..matter.end];
        let is_key = |line: &str| {
            let rest = line.strip_prefix(key).map(str::trim_start);
            rest.is_some_and(|it| it.starts_with([':', '=']))
        };
        let is_table = |line: &str| line.trim_start().starts_with('[');
        let top = match matter.syntax {
            MatterSyntax::Toml => find_line(body, is_table).unwrap_or(body.len()),
            _ => body.len(),
        };
        let insertion = match find_line(&body[..top], is_key) {
            None if matter.syntax == MatterSyntax::Toml => {
                Insertion { offset: 0, text: format!("{key} = [{}]\n", items()) }
            }
            None => Insertion { offset: 0, text: format!("{key}:\n{}", list("  ")) },
            Some(start) => {
                let line = line_at(body, start);
                let value = line[key.len()..].trim_start().trim_start_matches([':', '=']).trim();
                match value.as_bytes() {
                    [b'[', rest @ ..] => {
                        let comma =
                            if rest.trim_ascii_start().starts_with(b"]") { "" } else { ", " };
                        let offset = start + line.find('[').unwrap_or(0) + 1;
                        Insertion { offset, text: items() + comma }
                    }
                    [] | [b'#', ..] if matter.syntax == MatterSyntax::Yaml => {
                        let after = start + line.len();
                        let is_item = |it: &&str| it.trim_start().starts_with('-');
                        let below = body[after..].lines().find(is_item).unwrap_or("  ");
                        let blanks = &below[..below.len() - below.trim_start().len()];
                        Insertion { offset: after, text: list(blanks) }
                    }
                    _ => return Err("its front matter has an old address that is not in a list"),
                }
            }
        };
        let insertion = Insertion { offset: matter.start + insertion.offset, ..insertion };
        let mut expected = matter.plain(text).ok_or(BY_HAND)?;
        let table = expected.as_object_mut().ok_or(BY_HAND)?;
        let other = |it: &String| it != key && it.eq_ignore_ascii_case(key);
        if table.keys().any(other) {
            return Err(BY_HAND);
        }
        let mut addresses: Vec<Value> =
            self.list.iter().map(|it| Value::String(it.from.clone())).collect();
        match table.get(key) {
            None | Some(Value::Null) => {}
            Some(Value::Array(old)) => addresses.extend(old.iter().cloned()),
            Some(_) => return Err(BY_HAND),
        }
        table.insert(key.to_owned(), Value::Array(addresses));
        let new = insertion.applied_to(text);
        let read = FrontMatter::of(&new).and_then(|it| it.plain(&new));
        (read == Some(expected)).then_some(insertion).ok_or(BY_HAND)
    }
}

/// The keys of the table of redirects in `book.toml`, and its header.
const BOOK: [&str; 3] = ["output", "html", "redirect"];
const HEADER: &str = "[output.html.redirect]";

/// The number of lines below the name of a plugin in which its list of redirects begins.
const LINES_BELOW: usize = 3;

/// The key of old addresses in the front matter of a page.
fn key_of(form: Redirects) -> &'static str {
    if form == Redirects::Hugo { "aliases" } else { "redirect_from" }
}

/// The redirects in `mkdocs.yml`.
fn maps(text: &str) -> Option<Setting> {
    let settings = settings::read(text, Syntax::Yaml);
    let maps = |it: &Setting| it.get(&["redirects", "redirect_maps"]).cloned();
    match settings.get(&["plugins"])? {
        Setting::List(items) => items.iter().find_map(maps),
        table => maps(table),
    }
}

impl Insertion {
    fn applied_to(&self, text: &str) -> String {
        [&text[..self.offset], &self.text, &text[self.offset..]].concat()
    }
}

/// A syntax of front matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MatterSyntax {
    Yaml,
    Toml,
    Json,
}

/// The front matter of a page: its range, without the fences.
#[derive(Debug)]
struct FrontMatter {
    syntax: MatterSyntax,
    start: usize,
    end: usize,
}

impl FrontMatter {
    /// `None` if a page has none, or if it has no end.
    fn of(text: &str) -> Option<Self> {
        if let Some((syntax, span)) = settings::fenced(text) {
            let syntax = match syntax {
                Syntax::Yaml => MatterSyntax::Yaml,
                Syntax::Toml => MatterSyntax::Toml,
            };
            return Some(Self { syntax, start: span.start, end: span.end });
        }
        let start = text.len() - text.trim_start_matches('\u{feff}').len();
        let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        let is_object = values.next()?.ok()?.is_object();
        let end = start + values.byte_offset();
        let ends = text[end..].is_empty() || text[end..].starts_with(['\n', '\r']);
        (is_object && ends).then_some(Self { syntax: MatterSyntax::Json, start, end })
    }

    fn settings(&self, text: &str) -> Setting {
        let syntax = match self.syntax {
            MatterSyntax::Toml => Syntax::Toml,
            MatterSyntax::Yaml | MatterSyntax::Json => Syntax::Yaml,
        };
        settings::read(&text[self.start..self.end], syntax)
    }

    /// Its settings without spellings. `None` if it is not valid.
    fn plain(&self, text: &str) -> Option<Value> {
        let matter = &text[self.start..self.end];
        match self.syntax {
            MatterSyntax::Toml => {
                serde_json::to_value(toml::from_str::<toml::Table>(matter).ok()?).ok()
            }
            MatterSyntax::Yaml | MatterSyntax::Json => {
                let value = plain(&self.settings(text));
                let is_empty = matter.trim().is_empty();
                let value = if is_empty { Value::Object(Default::default()) } else { value };
                settings::is_valid_yaml(matter).then_some(value)
            }
        }
    }
}

/// Settings without spellings.
fn plain(setting: &Setting) -> Value {
    match setting {
        Setting::Null => Value::Null,
        Setting::Text(text, _) => Value::String(text.clone()),
        Setting::List(items) => items.iter().map(plain).collect(),
        Setting::Table(table) => {
            table.iter().map(|(key, value)| (key.clone(), plain(value))).collect()
        }
    }
}

/// The relative reference from the page of one document to that of another.
fn relative_page(from: &str, to: &str) -> String {
    relative(from.as_bytes(), format!("{to}.html").as_bytes())
}

/// The text as a string of YAML, TOML, JSON, JavaScript and Python.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        if matches!(character, '"' | '\\') {
            out.push('\\');
        }
        out.push(character);
    }
    out + "\""
}

/// The offset of the first line that `is_it` accepts.
fn find_line(text: &str, is_it: impl Fn(&str) -> bool) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if is_it(line.trim_end()) {
            return Some(at);
        }
        at += line.len();
    }
    None
}

/// The line that begins at `start`, with its end.
fn line_at(text: &str, start: usize) -> &str {
    text[start..].split_inclusive('\n').next().unwrap_or_default()
}
