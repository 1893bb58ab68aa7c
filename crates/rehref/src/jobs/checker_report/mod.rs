//! Reports of link checkers, as maps of URLs.

mod hosts;
mod trust;

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use serde_json::{Map, Value};

use self::trust::{BrokenUrls, BrowserForms, Kind, divided};
use super::error::JobError;
use super::table::{Row, malformed, records_of_text, text_of};
use crate::link::uri_of;
use crate::uri::Resolver;

pub use self::trust::{RefusalReason, RefusedReplacement};

/// The rows of a map: a table, or what a link checker found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MapFile {
    /// A table with the columns `old` and `new`: see [`rows`](super::rows).
    Table(Vec<Row<String>>),
    /// The report of a link checker.
    Report(CheckerReport),
}

/// Reads a map: a table of text as [`rows`](super::rows) does, or the report of a link checker.
/// That is the JSON of lychee since 0.10 (verbose for redirects) if the text begins with a `{`, or
/// the CSV of linkchecker if it has its header.
///
/// # Errors
/// If the file cannot be read, a row does not have two columns, or the text begins like a report
/// but is not one.
pub fn map_file(file: &Path) -> Result<MapFile, JobError> {
    let text = text_of(file)?;
    let text = text.trim_start_matches('\u{FEFF}');
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let report = if text.trim_start().starts_with('{') {
        CheckerReport::of_lychee(file, text)
    } else if lines.next().is_some_and(|line| line.starts_with("urlname;")) {
        CheckerReport::of_linkchecker(file, text)
    } else {
        return records_of_text(file, text).map(MapFile::Table);
    };
    report.map(MapFile::Report)
}

/// The findings of a link checker about URLs.
///
/// The target of a redirect is the last URL before the first temporary one: only status 301 and 308
/// mean that the new URL is to be used from now on (RFC 9110, section 15.4). Without status codes,
/// as lychee before 0.23 writes them, all redirects count as permanent.
///
/// The servers that were checked decide what a report contains. So a replacement is refused where
/// it could do harm: see [`RefusalReason`]. A suggestion may have the root of a site, or http for
/// https, as archives do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckerReport {
    /// URLs with the ones that replace them: the targets of redirects, then suggested copies. A
    /// fragment that both URLs would have is left out. Each old URL occurs once.
    pub replacements: Vec<(String, String)>,
    /// The redirects among them.
    pub redirects: usize,
    /// The redirects without status codes among these.
    pub without_status: usize,
    /// URLs that are redirected only temporarily.
    pub temporary: usize,
    /// Replacements that are not applied, in the order of the report. Each old URL occurs once.
    pub refused: Vec<RefusedReplacement>,
    /// Broken URLs without a replacement, and without a refused one.
    pub broken: usize,
}

/// The keys of reports: a source with a list of findings each.
const BROKEN: [&str; 3] = ["error_map", "fail_map", "timeout_map"];
const REDIRECTS: &str = "redirect_map";
const SUGGESTIONS: &str = "suggestion_map";

impl CheckerReport {
    fn of_lychee(file: &Path, text: &str) -> Result<Self, JobError> {
        let report: Map<String, Value> = serde_json::from_str(text).map_err(|error| {
            let line = u64::try_from(error.line()).ok();
            malformed(file, line, &format!("not JSON: {error}"))
        })?;
        let keys = BROKEN.iter().chain([&REDIRECTS, &SUGGESTIONS]);
        if !keys.into_iter().any(|key| report.contains_key(*key)) {
            let message = "not a JSON report of lychee: it has none of the keys redirect_map, suggestion_map, error_map \
                           and fail_map";
            return Err(malformed(file, None, message));
        }
        let forms = BrowserForms::new();
        let mut broken = BrokenUrls::default();
        for key in BROKEN {
            for item in findings(file, &report, key)? {
                if let Some(url) = item.get("url").and_then(Value::as_str) {
                    broken.add(&forms, url, lacks_only_fragment(item));
                }
            }
        }
        let mut found = Replacements::new(&forms, &broken);
        let missing = |key: &str| {
            let message =
                format!("not a JSON report of lychee: no key {key} in an item of {REDIRECTS}");
            malformed(file, None, &message)
        };
        for item in findings(file, &report, REDIRECTS)? {
            let redirect = Redirect::of(item).map_err(missing)?;
            let Some(new) = redirect.new else {
                found.add_temporary(redirect.old);
                continue;
            };
            if found.replace(redirect.old, new, Kind::Redirect) {
                found.report.redirects += 1;
                found.report.without_status += usize::from(!redirect.has_status);
            }
        }
        for item in findings(file, &report, SUGGESTIONS)? {
            let text = |key: &str| item.get(key).and_then(Value::as_str);
            let message = |key: &str| {
                let message = format!(
                    "not a JSON report of lychee: no key {key} in an item of {SUGGESTIONS}"
                );
                malformed(file, None, &message)
            };
            let old = text("original").ok_or_else(|| message("original"))?;
            let new = text("suggestion").ok_or_else(|| message("suggestion"))?;
            found.replace(old, new, Kind::Suggestion);
        }
        Ok(found.finish())
    }

    fn of_linkchecker(file: &Path, text: &str) -> Result<Self, JobError> {
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(b';')
            .flexible(true)
            .comment(Some(b'#'))
            .from_reader(text.as_bytes());
        let error = |error: csv::Error| malformed(file, None, &error.to_string());
        let header = reader.headers().map_err(error)?.clone();
        let column = |name: &str| {
            let message = || {
                let message = format!("not a CSV report of linkchecker: no column {name}");
                malformed(file, None, &message)
            };
            header.iter().position(|it| it == name).ok_or_else(message)
        };
        let [url, parent, info, valid] =
            [column("urlname")?, column("parentname")?, column("infostring")?, column("valid")?];
        // Before version 10.
        let base = column("base").or_else(|_| column("baseref"))?;
        // The words are in the language of the user.
        let redirect = regex::Regex::new(r"`(\S+)'.*?\b(30[12378])\b").ok();
        let resolver = Resolver::default();
        let forms = BrowserForms::new();
        let mut broken = BrokenUrls::default();
        let mut redirects = Vec::new();
        for record in reader.records() {
            let record = record.map_err(error)?;
            let cell = |at: usize| record.get(at).unwrap_or_default();
            let base = [cell(base), cell(parent)].into_iter().find(|it| !it.is_empty());
            let base = base.and_then(|base| resolver.base(base).ok());
            let Some(old) = uri_of(&resolver, base.as_ref(), cell(url)) else {
                continue;
            };
            if cell(valid).eq_ignore_ascii_case("false") {
                broken.add(&forms, &old, false);
                continue;
            }
            let mut is_redirected = false;
            let mut new = None;
            for step in redirect.iter().flat_map(|it| it.captures_iter(cell(info))) {
                let (_, [url, code]) = step.extract();
                is_redirected = true;
                if !matches!(code, "301" | "308") {
                    break;
                }
                new = Some(url.to_owned());
            }
            if is_redirected {
                redirects.push((old, new));
            }
        }
        let mut found = Replacements::new(&forms, &broken);
        for (old, new) in &redirects {
            match new {
                Some(new) if found.replace(old, new, Kind::Redirect) => found.report.redirects += 1,
                Some(_) => {}
                None => found.add_temporary(old),
            }
        }
        Ok(found.finish())
    }

    /// The number of refused replacements for each reason.
    pub fn refused_by_reason(&self) -> BTreeMap<RefusalReason, usize> {
        let mut numbers = BTreeMap::new();
        for refused in &self.refused {
            *numbers.entry(refused.reason).or_default() += 1;
        }
        numbers
    }
}

/// The replacements of a report, as they are found.
struct Replacements<'r> {
    forms: &'r BrowserForms,
    broken: &'r BrokenUrls,
    report: CheckerReport,
    /// The keys of old URLs with a replacement.
    replaced: HashSet<String>,
    /// The keys of refused ones, of those in the report.
    refused: HashSet<String>,
    temporary: HashSet<String>,
}

impl<'r> Replacements<'r> {
    fn new(forms: &'r BrowserForms, broken: &'r BrokenUrls) -> Self {
        Self {
            forms,
            broken,
            report: CheckerReport::default(),
            replaced: HashSet::new(),
            refused: HashSet::new(),
            temporary: HashSet::new(),
        }
    }

    fn add_temporary(&mut self, old: &str) {
        self.temporary.insert(self.forms.key(old));
    }

    /// Adds a replacement. Returns false if there is one for the old URL, the new one is equal, or
    /// it is refused.
    fn replace(&mut self, old: &str, new: &str, kind: Kind) -> bool {
        let (old_part, old_fragment) = divided(old);
        let (new_part, new_fragment) = divided(new);
        // A redirect keeps the fragment (RFC 9110, section 10.2.2).
        let is_about_page = new_fragment.is_none() || new_fragment == old_fragment;
        let key = self.forms.key(old);
        if key == self.forms.key(new) || self.replaced.contains(&key) {
            return false;
        }
        let judged = self.forms.judged((old, new), kind, self.broken);
        let (old, new) = match (judged, is_about_page) {
            (Ok((old, new)), false) => (old.into_owned(), new.into_owned()),
            (Ok((old, new)), true) => (divided(&old).0.to_owned(), divided(&new).0.to_owned()),
            (Err(reason), _) => {
                let (old, new) = match is_about_page {
                    true => (old_part, new_part),
                    false => (old, new),
                };
                if self.refused.insert(key) {
                    self.report.refused.push(RefusedReplacement {
                        old: old.to_owned(),
                        new: new.to_owned(),
                        reason,
                    });
                }
                return false;
            }
        };
        self.replaced.insert(key);
        self.report.replacements.push((old, new));
        true
    }

    /// Counts what has no replacement.
    fn finish(mut self) -> CheckerReport {
        let (forms, replaced) = (self.forms, &self.replaced);
        // Another finding may have a replacement.
        let refused = &mut self.report.refused;
        refused.retain(|it| !replaced.contains(&forms.key(&it.old)));
        let is_open = |key: &str| !replaced.contains(key) && !self.refused.contains(key);
        self.report.temporary = self.temporary.iter().filter(|it| is_open(it)).count();
        self.report.broken = self.broken.keys().filter(|it| is_open(it)).count();
        self.report
    }
}

/// Returns true for a finding about a page that was found without the fragment of the link. A text
/// with a URL says nothing: the URL may contain the word.
fn lacks_only_fragment(item: &Value) -> bool {
    let status = item.get("status").unwrap_or(&Value::Null);
    let text = |key: &str| status.get(key)?.as_str();
    let text = text("details").or_else(|| text("text")).or(status.as_str());
    let is_about_fragment =
        |text: &str| !text.contains("://") && text.to_ascii_lowercase().contains("fragment");
    status.get("code").is_none() && text.is_some_and(is_about_fragment)
}

/// A redirect of a report.
struct Redirect<'r> {
    old: &'r str,
    /// The last URL before a temporary redirect. `None` if the first is temporary.
    new: Option<&'r str>,
    has_status: bool,
}

impl<'r> Redirect<'r> {
    /// Reads an item. Returns the missing key if it has another form.
    ///
    /// The forms: `{origin, redirects: [{url, code}]}`; the same as `redirects` in the item or in
    /// its `status`; and there as a list of URLs. The first is the origin.
    fn of(item: &'r Value) -> Result<Self, &'static str> {
        let chain = match (item.get("origin"), item.get("status")) {
            (Some(_), _) => item,
            (None, status) => {
                item.get("redirects").or_else(|| status?.get("redirects")).ok_or("redirects")?
            }
        };
        if let Some(urls) = chain.as_array() {
            let url = |value: Option<&'r Value>| value.and_then(Value::as_str).ok_or("redirects");
            return Ok(Self {
                old: url(urls.first())?,
                new: Some(url(urls.last())?),
                has_status: false,
            });
        }
        let old = chain.get("origin").and_then(Value::as_str).ok_or("origin")?;
        let steps = chain.get("redirects").and_then(Value::as_array);
        let mut new = None;
        let mut has_status = true;
        for step in steps.ok_or("redirects")? {
            let url = step.get("url").and_then(Value::as_str).ok_or("url")?;
            match step.get("code").map(Value::as_u64) {
                Some(Some(301 | 308)) => {}
                Some(_) => break,
                None => has_status = false,
            }
            new = Some(url);
        }
        Ok(Self { old, new, has_status })
    }
}

/// The items below a key, of all sources. None if there is no such key.
fn findings<'r>(
    file: &Path,
    report: &'r Map<String, Value>,
    key: &str,
) -> Result<Vec<&'r Value>, JobError> {
    let Some(sources) = report.get(key) else {
        return Ok(Vec::new());
    };
    let lists = sources.as_object().map(|it| it.values().map(Value::as_array));
    let lists: Option<Vec<_>> = lists.and_then(Iterator::collect);
    let lists = lists.ok_or_else(|| {
        let message = format!("not a JSON report of lychee: {key} is not an object with lists");
        malformed(file, None, &message)
    })?;
    Ok(lists.into_iter().flatten().collect())
}
