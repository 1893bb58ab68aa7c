//! Entries of redirects in a file that exists: where they go, and how they are written.

use super::kind::Redirects;
use super::pages::relative;
use crate::docs_site::PublishedPage;
use crate::settings::{self, Setting, Syntax};

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
#[derive(Debug, PartialEq, Eq)]
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

    /// The place of the entries in a file with this text. `Err` says why there is none.
    pub(super) fn in_text(&self, text: &str) -> Result<Insertion, &'static str> {
        let insertion = match self.holder {
            Holder::Config(Redirects::MdBook) => self.in_book(text)?,
            Holder::Config(Redirects::MkDocs) => self.in_mkdocs(text)?,
            Holder::Config(Redirects::Docusaurus) => self.in_docusaurus(text)?,
            Holder::Config(_) => self.in_sphinx(text)?,
            Holder::Page(form) => return self.in_page(text, form),
        };
        Ok(insertion)
    }

    /// The lines, from 1, that redirect from the new address of a page.
    pub(super) fn stale_lines<'t>(&'t self, text: &'t str) -> impl Iterator<Item = usize> + 't {
        let redirects = |line: &str| {
            let rest = line.trim_start_matches([' ', '\t', '-', '{']);
            let rest = rest.strip_prefix("from:").map_or(rest, str::trim_start);
            let is_quote = |it: &char| matches!(it, '"' | '\'');
            let quote = rest.chars().next().filter(is_quote);
            let rest = &rest[quote.map_or(0, char::len_utf8)..];
            let ends = |rest: &str| match quote {
                Some(quote) => rest.starts_with(quote),
                None => rest.is_empty() || rest.starts_with([':', ' ', '\r']),
            };
            self.list.iter().any(|it| rest.strip_prefix(&*it.now).is_some_and(ends))
        };
        text.split('\n').zip(1..).filter_map(move |(line, at)| redirects(line).then_some(at))
    }

    /// The text of all entries.
    fn written(&self, of: impl Fn(&Entry) -> String) -> String {
        self.list.iter().map(of).collect()
    }

    fn in_book(&self, text: &str) -> Result<Insertion, &'static str> {
        let lines = self.written(|it| format!("{} = {}\n", quoted(&it.from), quoted(&it.to)));
        let keys = ["output", "html", "redirect"];
        let is_header = |line: &str| {
            let line = line.split('#').next().unwrap_or_default();
            let name = line.trim().strip_prefix('[').and_then(|it| it.strip_suffix(']'));
            name.is_some_and(|it| it.split('.').map(str::trim).eq(keys))
        };
        let insertion = match line_after(text, is_header) {
            Some(offset) => Insertion { offset, text: lines },
            None if settings::read(text, Syntax::Toml).get(&keys).is_none() => {
                let line_end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
                let text_before = if text.is_empty() { "" } else { "\n" };
                let added = format!("{line_end}{text_before}[output.html.redirect]\n{lines}");
                Insertion { offset: text.len(), text: added }
            }
            None => return Err("its output.html.redirect is no table of its own"),
        };
        self.checked(text, insertion, |text| settings::read(text, Syntax::Toml).get(&keys).cloned())
    }

    fn in_mkdocs(&self, text: &str) -> Result<Insertion, &'static str> {
        const NONE: &str = "it has no redirect_maps of the plugin redirects to add to";
        let key = "redirect_maps:";
        let start = find_line(text, |line| line.trim_start().starts_with(key)).ok_or(NONE)?;
        let line = line_at(text, start);
        let indent = line.len() - line.trim_start().len();
        let value = line[indent + key.len()..].trim();
        let yaml = |it: &str| format!("'{}'", it.replace('\'', "''"));
        let insertion = match value.as_bytes() {
            [] | [b'#', ..] => {
                let after = start + line.len();
                let below = text[after..].lines().find(|it| !it.trim().is_empty());
                let own = below.map(|it| it.len() - it.trim_start().len());
                let indent = own.filter(|it| *it > indent).unwrap_or(indent + 2);
                let blanks = " ".repeat(indent);
                let line = |it: &Entry| format!("{blanks}{}: {}\n", yaml(&it.from), yaml(&it.to));
                let line_end = if line_ends(text, after) { "" } else { "\n" };
                Insertion { offset: after, text: line_end.to_owned() + &self.written(line) }
            }
            [b'{', ..] => {
                let text = self.written(|it| format!("{}: {}, ", yaml(&it.from), yaml(&it.to)));
                Insertion { offset: start + line.find('{').unwrap_or(0) + 1, text }
            }
            _ => return Err(NONE),
        };
        let at = |text: &str| {
            let settings = settings::read(text, Syntax::Yaml);
            let plugins = settings.get(&["plugins"])?;
            let maps = |it: &Setting| it.get(&["redirects", "redirect_maps"]).cloned();
            match plugins {
                Setting::List(items) => items.iter().find_map(maps),
                table => maps(table),
            }
        };
        self.checked(text, insertion, at)
    }

    /// The insertion, if the settings have its entries afterwards, and had none of their keys.
    fn checked(
        &self,
        text: &str,
        insertion: Insertion,
        table: impl Fn(&str) -> Option<Setting>,
    ) -> Result<Insertion, &'static str> {
        let Insertion { offset, text: added } = &insertion;
        let new = [&text[..*offset], added, &text[*offset..]].concat();
        let (old, new) = (table(text).unwrap_or_default(), table(&new).unwrap_or_default());
        let is_new = |it: &Entry| old.get(&[&it.from]).is_none();
        let has = |it: &Entry| new.text(&[&it.from]) == Some(&it.to);
        match self.list.iter().all(|it| is_new(it) && has(it)) {
            true => Ok(insertion),
            false => Err("it redirects from one of the old addresses already"),
        }
    }

    fn in_docusaurus(&self, text: &str) -> Result<Insertion, &'static str> {
        const NONE: &str = "it has no redirects of plugin-client-redirects to add to";
        let plugin = text.find("plugin-client-redirects").ok_or(NONE)?;
        let (at, _) = text[plugin..]
            .match_indices("redirects:")
            .find(|(at, key)| text[plugin + at + key.len()..].trim_start().starts_with('['))
            .ok_or(NONE)?;
        let open = plugin + at + text[plugin + at..].find('[').ok_or(NONE)?;
        let indent = indent_at(text, open) + 2;
        let blanks = " ".repeat(indent);
        let entry = |it: &Entry| {
            format!("\n{blanks}{{from: {}, to: {}}},", quoted(&it.from), quoted(&it.to))
        };
        Ok(Insertion { offset: open + 1, text: self.written(entry) })
    }

    fn in_sphinx(&self, text: &str) -> Result<Insertion, &'static str> {
        let opens = |name: &'static str| {
            let start = find_line(text, |line| {
                let rest = line.strip_prefix(name).map(str::trim_start);
                let value = rest.and_then(|it| it.strip_prefix('=')).map(str::trim_start);
                value.is_some_and(|it| it.starts_with('{'))
            })?;
            Some(start + line_at(text, start).find('{')? + 1)
        };
        let line = |[from, to]: [&str; 2]| format!("\n    {}: {},", quoted(from), quoted(to));
        if let Some(offset) = opens("rediraffe_redirects") {
            let entry = |it: &Entry| match &it.source {
                Some([from, to]) => line([from, to]),
                None => String::new(),
            };
            return Ok(Insertion { offset, text: self.written(entry) });
        }
        let offset = opens("redirects")
            .ok_or("it has neither redirects of sphinx_reredirects nor rediraffe_redirects")?;
        Ok(Insertion { offset, text: self.written(|it| line([&it.from, &it.to])) })
    }

    /// The place of the old addresses in the front matter of a page.
    fn in_page(&self, text: &str, form: Redirects) -> Result<Insertion, &'static str> {
        let key = if form == Redirects::Hugo { "aliases" } else { "redirect_from" };
        let bom = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let body = &text[bom..];
        let list = || self.written(|it| format!("  - {}\n", quoted(&it.from)));
        let items = || self.written(|it| format!("{}, ", quoted(&it.from)));
        let insertion = |at: usize, text: String| Ok(Insertion { offset: bom + at, text });
        let fence = ["---", "+++"].into_iter().find(|fence| {
            let first = body.lines().next().unwrap_or_default();
            first.trim_end() == *fence && closes(body, fence)
        });
        let Some(fence) = fence else {
            return match (form, body.trim_start().starts_with('{')) {
                (Redirects::Hugo, false) => insertion(0, format!("---\n{key}:\n{}---\n", list())),
                (Redirects::Hugo, true) if !body.contains(&format!("\"{key}\"")) => {
                    let items = self.list.iter().map(|it| quoted(&it.from));
                    let items = items.collect::<Vec<_>>().join(", ");
                    let open = body.find('{').unwrap_or(0) + 1;
                    insertion(open, format!("\n  \"{key}\": [{items}],"))
                }
                (Redirects::Hugo, true) => Err("its front matter has aliases in JSON"),
                _ => Err("it has no front matter"),
            };
        };
        let head = line_at(body, 0).len();
        let is_key = |line: &str| {
            let rest = line.strip_prefix(key).map(str::trim_start);
            rest.is_some_and(|it| it.starts_with([':', '=']))
        };
        let Some(start) = find_line(&body[head..end_of(body, fence)], is_key).map(|it| head + it)
        else {
            return match fence {
                "---" => insertion(head, format!("{key}:\n{}", list())),
                _ => {
                    let items = items();
                    insertion(head, format!("{key} = [{}]\n", items.trim_end_matches(", ")))
                }
            };
        };
        let line = line_at(body, start);
        let value = line[key.len()..].trim_start().trim_start_matches([':', '=']).trim();
        match value.as_bytes() {
            [b'[', ..] => insertion(start + line.find('[').unwrap_or(0) + 1, items()),
            [] if fence == "---" => {
                let below = line_at(body, start + line.len());
                let indent = below.len() - below.trim_start().len();
                let indent = if below.trim_start().starts_with("- ") { indent } else { 2 };
                let blanks = " ".repeat(indent);
                let lines = self.written(|it| format!("{blanks}- {}\n", quoted(&it.from)));
                insertion(start + line.len(), lines)
            }
            _ => Err("its front matter has an address that is not in a list"),
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

/// The offset after the first line that `is_it` accepts, which has an end.
fn line_after(text: &str, is_it: impl Fn(&str) -> bool) -> Option<usize> {
    let start = find_line(text, is_it)?;
    let after = start + line_at(text, start).len();
    line_ends(text, after).then_some(after)
}

/// The line that begins at `start`, with its end.
fn line_at(text: &str, start: usize) -> &str {
    text[start..].split_inclusive('\n').next().unwrap_or_default()
}

/// Returns true if a line ends before `at`.
fn line_ends(text: &str, at: usize) -> bool {
    text[..at].ends_with('\n')
}

/// The number of blanks at the start of the line of `at`.
fn indent_at(text: &str, at: usize) -> usize {
    let start = text[..at].rfind('\n').map_or(0, |it| it + 1);
    let line = &text[start..];
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// The offset of the fence that closes the front matter.
fn end_of(body: &str, fence: &str) -> usize {
    let head = line_at(body, 0).len();
    find_line(&body[head..], |line| line == fence).map_or(body.len(), |it| head + it)
}

/// Returns true if a later line closes the front matter.
fn closes(body: &str, fence: &str) -> bool {
    end_of(body, fence) < body.len()
}
