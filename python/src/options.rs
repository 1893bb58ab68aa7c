//! The options of functions: a dictionary with the names of the command line, `-` as `_`.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::str::FromStr;

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString};
use rehref::container::warc::RecordFilter;
use rehref::document::Charset;
use rehref::format::text::{Hyphen, TextOptions};
use rehref::format::{Format, Options};
use rehref::fs::{BaseMapping, GitIgnore, Globs, ReadOptions, Types, WalkOptions};
use rehref::jobs::{Extract, threads};
use rehref::link::{Condition, LinkFilter, Side};
use rehref::source::TextSyntax;
use rehref::uri::Resolver;

use crate::errors::{invalid_option, unknown_option, wrong_type};

/// The given options. Each part of a function takes the ones that it reads; the rest is refused in
/// the end.
pub(crate) struct Given<'py> {
    py: Python<'py>,
    options: Option<Bound<'py, PyDict>>,
}

impl<'py> Given<'py> {
    pub(crate) fn new(py: Python<'py>, options: Option<Bound<'py, PyDict>>) -> PyResult<Self> {
        let options = options.filter(|it| !it.is_empty());
        let options = options.map(|it| it.copy()).transpose()?;
        Ok(Self { py, options })
    }

    /// Takes the value of an option. `None` if it is not given, or `None`.
    pub(crate) fn value(&mut self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(options) = &self.options else {
            return Ok(None);
        };
        let value = options.get_item(name)?;
        if value.is_some() {
            options.del_item(name)?;
        }
        Ok(value.filter(|value| !value.is_none()))
    }

    /// Refuses the options that were not taken.
    pub(crate) fn finish(self) -> PyResult<()> {
        let rest = self.options.iter().flat_map(|it| it.keys());
        match rest.into_iter().next() {
            Some(name) => Err(unknown_option(&name.extract::<String>()?)),
            None => Ok(()),
        }
    }

    /// The names of the options that are left, in order.
    pub(crate) fn names(&self) -> PyResult<Vec<String>> {
        let names = self.options.iter().flat_map(|it| it.keys());
        names.map(|name| name.extract()).collect()
    }

    /// A mapping of texts, as its items.
    pub(crate) fn pairs(&mut self, name: &str) -> PyResult<Vec<(String, String)>> {
        let value = self.value(name)?;
        value.map_or_else(|| Ok(Vec::new()), |value| pairs_of(name, &value))
    }

    pub(crate) fn flag(&mut self, name: &str) -> PyResult<bool> {
        let Some(value) = self.value(name)? else {
            return Ok(false);
        };
        let flag = value.extract();
        flag.map_err(|error| wrong_type(name, "bool", &value, error))
    }

    pub(crate) fn string(&mut self, name: &str) -> PyResult<Option<String>> {
        let Some(value) = self.value(name)? else {
            return Ok(None);
        };
        let text = value.extract().map(Some);
        text.map_err(|error| wrong_type(name, "str", &value, error))
    }

    pub(crate) fn number(&mut self, name: &str) -> PyResult<Option<usize>> {
        let Some(value) = self.value(name)? else {
            return Ok(None);
        };
        match value.extract() {
            Ok(number) => Ok(Some(number)),
            Err(error) if error.is_instance_of::<PyOverflowError>(self.py) => {
                Err(self.invalid(name, format!("expected a number from 0 to {}", usize::MAX)))
            }
            Err(error) => Err(wrong_type(name, "int", &value, error)),
        }
    }

    /// A part of a file: its first byte and its length.
    pub(crate) fn slice(&mut self) -> PyResult<Option<Range<u64>>> {
        let Some(value) = self.value("slice")? else {
            return Ok(None);
        };
        match value.extract::<(u64, u64)>() {
            Ok((offset, len)) => Ok(Some(offset..offset.saturating_add(len))),
            Err(error) if error.is_instance_of::<PyTypeError>(self.py) => {
                Err(wrong_type("slice", "tuple[int, int]", &value, error))
            }
            Err(_) => {
                let message = "expected the first byte and the length, from 0 to 2**64 - 1";
                Err(self.invalid("slice", message))
            }
        }
    }

    /// A list of texts or numbers, or one; the items of a text are separated by commas.
    pub(crate) fn list(&mut self, name: &str) -> PyResult<Vec<String>> {
        let value = self.value(name)?;
        value.map_or_else(|| Ok(Vec::new()), |value| list_of(name, &value))
    }

    /// A value of a type with names.
    pub(crate) fn named<T: FromStr<Err: ToString>>(&mut self, name: &str) -> PyResult<Option<T>> {
        let Some(text) = self.string(name)? else {
            return Ok(None);
        };
        let value = text.parse::<T>();
        value.map(Some).map_err(|error| self.invalid(name, error))
    }

    /// The error of a value.
    pub(crate) fn invalid(&self, name: &str, error: impl ToString) -> PyErr {
        invalid_option(self.py, name, error)
    }

    /// The options for resolving references.
    pub(crate) fn resolver(&mut self) -> PyResult<Resolver> {
        let mut resolver = Resolver::default();
        if let Some(profile) = self.named("profile")? {
            resolver.profile = profile;
        }
        if let Some(above_root) = self.named("above_root")? {
            resolver.above_root = above_root;
        }
        if let Some(same_scheme) = self.named("same_scheme")? {
            resolver.same_scheme = same_scheme;
        }
        Ok(resolver)
    }

    /// The options for URLs in plain text.
    pub(crate) fn text(&mut self) -> PyResult<TextOptions> {
        let delsp = self.flag("delsp")?;
        Ok(TextOptions {
            iri: self.named("iri")?.unwrap_or_default(),
            hyphen: match self.string("hyphen")?.as_deref() {
                None | Some("keep") => Hyphen::Keep,
                Some("drop") => Hyphen::Drop,
                Some(_) => return Err(self.invalid("hyphen", "expected \"keep\" or \"drop\"")),
            },
            join: self.named("join")?,
            delsp,
            flowed: delsp,
            abbreviated: self.flag("abbreviated")?,
            emails: self.flag("emails")?,
            strict: self.flag("strict")?,
        })
    }

    /// The options for finding links.
    pub(crate) fn links(&mut self) -> PyResult<Options> {
        let html_text = self.flag("html_text")?;
        let mut options = Options {
            resolver: self.resolver()?,
            text: self.text()?,
            html_text,
            escaped_html: html_text,
            scripting: self.flag("scripting")?,
            ..Options::default()
        };
        options.markdown.wiki = self.flag("wiki")?;
        options.markdown.defanged = true;
        for what in self.list("also")? {
            let all = what == "all";
            let mut is_known = all;
            let mut set = |name: &str, field: &mut bool| {
                is_known |= what == name;
                *field |= all || what == name;
            };
            set("meta", &mut options.extra.meta);
            set("data", &mut options.extra.data);
            set("json", &mut options.extra.json);
            set("comments", &mut options.extra.comments);
            set("front-matter", &mut options.markdown.front_matter);
            if what == "references" {
                options.markdown.references = true;
            } else if !is_known {
                return Err(self.invalid("also", format!("unknown value {what:?}")));
            }
        }
        Ok(options)
    }

    /// The URL of a document, or `URL=DIR`.
    pub(crate) fn base(&mut self) -> PyResult<Option<BaseMapping>> {
        let Some(base) = self.string("base")? else {
            return Ok(None);
        };
        let base = BaseMapping::parse(&base);
        base.map(Some).map_err(|error| self.invalid("base", error))
    }

    /// Sets the options for reading a document.
    pub(crate) fn reading(&mut self, read: &mut ReadOptions) -> PyResult<()> {
        match self.string("media")?.as_deref() {
            None | Some("auto") => {}
            Some(name) => {
                let format = name.parse::<Format>();
                read.format = Some(format.map_err(|error| self.invalid("media", error))?);
            }
        }
        if let Some(name) = self.string("syntax")? {
            if TextSyntax::named(&name, b"").is_none() {
                return Err(self.invalid("syntax", format!("unknown syntax {name:?}")));
            }
            read.syntax = Some(name);
        }
        if let Some(label) = self.string("charset")? {
            Charset::named(&label, b"")
                .map_err(|error| self.invalid("charset", format!("{label}: {error}")))?;
            read.charset = Some(label);
        }
        read.retrieval = self.base()?;
        if let Some(mbox) = self.named("mbox")? {
            read.mbox = mbox;
        }
        Ok(())
    }

    /// Sets the options for walking directories.
    fn walking(&mut self, walk: &mut WalkOptions) -> PyResult<()> {
        let globs = Globs::new(&self.list("glob")?);
        walk.globs = globs.map_err(|error| self.invalid("glob", error))?;
        let globs = Globs::new(&self.list("exclude")?);
        walk.excludes = globs.map_err(|error| self.invalid("exclude", error))?;
        let types = Types::new(&self.list("type")?, &self.list("type_not")?);
        walk.types = types.map_err(|error| self.invalid("type", error))?;
        if self.flag("no_ignore")? {
            walk.gitignore = GitIgnore::off();
        }
        walk.max_depth = self.number("max_depth")?;
        walk.follow = self.flag("follow")?;
        Ok(())
    }

    /// A condition on a property with these values.
    fn condition(&mut self, option: &str, known: &[&str]) -> PyResult<Condition<Vec<String>>> {
        let mut list = |option: &str| {
            let names = self.list(option)?;
            match names.iter().find(|it| !known.contains(&&***it)) {
                Some(name) => Err(self.invalid(option, format!("unknown value {name:?}"))),
                None => Ok(names),
            }
        };
        Ok(Condition { only: list(option)?, except: list(&format!("exclude_{option}"))? })
    }

    /// The filter of the links.
    fn filter(&mut self) -> PyResult<LinkFilter> {
        let mut filter = LinkFilter::default();
        let set = filter.set_schemes(self.list("scheme")?, self.list("exclude_scheme")?);
        set.map_err(|error| self.invalid("scheme", error))?;
        let set = filter.set_hosts(self.list("host")?);
        set.map_err(|error| self.invalid("host", error))?;
        let set = filter.set_excluded_hosts(self.list("exclude_host")?);
        set.map_err(|error| self.invalid("exclude_host", error))?;
        filter.patterns.only.extend(self.named("match")?);
        filter.patterns.except.extend(self.named("exclude_match")?);
        let places: Vec<_> = Format::places().collect();
        filter.places = self.condition("place", &places)?;
        let roles: Vec<_> = rehref::link::Role::ALL.iter().map(|it| it.as_str()).collect();
        filter.roles = self.condition("role", &roles)?;
        filter.side = match (self.flag("internal")?, self.flag("external")?) {
            (true, true) => return Err(self.invalid("external", "not allowed with internal")),
            (true, false) => Some(Side::Internal),
            (false, true) => Some(Side::External),
            (false, false) => None,
        };
        filter.rels = Condition { only: self.list("rel")?, except: self.list("exclude_rel")? };
        Ok(filter)
    }

    /// The records of web archives that are read.
    pub(crate) fn records(&mut self) -> PyResult<RecordFilter> {
        let mut filter = RecordFilter::default();
        filter.set_record_types(self.list("record_type")?);
        let set = filter.set_statuses(&self.list("status")?);
        set.map_err(|error| self.invalid("status", error))?;
        let set = filter.set_media_types(&self.list("mime")?);
        set.map_err(|error| self.invalid("mime", error))?;
        if let Some(date) = self.string("from_date")? {
            let set = filter.set_from_date(&date);
            set.map_err(|error| self.invalid("from_date", error))?;
        }
        Ok(filter)
    }

    /// A run without inputs, by all options of `extract`.
    pub(crate) fn into_extract(mut self) -> PyResult<Extract> {
        let mut extract = Extract::new();
        extract.options = self.links()?;
        self.reading(&mut extract.inputs.read)?;
        self.walking(&mut extract.inputs.walk)?;
        extract.filter = self.filter()?;
        extract.filter.site =
            extract.inputs.read.retrieval.as_ref().map(|base| base.url().to_owned());
        extract.options.rels = extract.filter.needs_rels();
        extract.records = self.records()?;
        match self.string("dedup")?.as_deref() {
            None => {}
            Some("digest") => extract.skip_duplicates = true,
            Some(_) => return Err(self.invalid("dedup", "expected \"digest\"")),
        }
        extract.inputs.threads = threads(self.threads()?);
        extract.contexts = self.flag("context")?;
        extract.unwrap = self.flag("unwrap")?;
        extract.refang = self.flag("refang")?;
        extract.mail_headers = !self.flag("no_headers")?;
        match self.string("alternatives")?.as_deref() {
            None | Some("all") => {}
            Some("first") => extract.first_alternative_only = true,
            Some(_) => return Err(self.invalid("alternatives", "expected \"all\" or \"first\"")),
        }
        if let Some(site) = self.named("site")? {
            extract.site = site;
        }
        self.finish()?;
        Ok(extract)
    }

    /// The number of documents processed at a time.
    pub(crate) fn threads(&mut self) -> PyResult<Option<NonZeroUsize>> {
        let Some(jobs) = self.number("jobs")? else {
            return Ok(None);
        };
        let jobs = NonZeroUsize::new(jobs);
        jobs.map(Some).ok_or_else(|| self.invalid("jobs", "expected a positive number"))
    }
}

/// Reads documents as text in UTF-8, regardless of their declarations and content.
pub(crate) fn read_text(extract: &mut Extract) {
    extract.inputs.read.charset = Some("utf-8".to_owned());
    extract.inputs.read.is_text = true;
}

/// The value of an option: a mapping of texts as its items, or a list of pairs.
pub(crate) fn pairs_of(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<(String, String)>> {
    type Pair<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);
    let text_of = |item: Bound<'_, PyAny>| -> PyResult<String> {
        let text = item.extract();
        text.map_err(|error| wrong_type(name, "str", &item, error))
    };
    let texts_of = |(old, new): Pair<'_>| Ok((text_of(old)?, text_of(new)?));
    if let Ok(mapping) = value.cast::<PyDict>() {
        return mapping.iter().map(texts_of).collect();
    }
    let items = match value.hasattr("items")? {
        true => &value.call_method0("items")?,
        false => value,
    };
    let items = items
        .try_iter()
        .map_err(|error| wrong_type(name, "dict[str, str] or pairs", value, error))?;
    let pair_of = |item: PyResult<Bound<'_, PyAny>>| {
        let item = item?;
        let pair = item.extract::<Pair<'_>>().map_err(|_| {
            PyTypeError::new_err(format!("{name}: expected tuple[str, str], not {item:?}"))
        });
        texts_of(pair?)
    };
    items.map(pair_of).collect()
}

/// A list of texts or numbers, or one; the items of a text are separated by commas.
pub(crate) fn list_of(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_str()?.split(',').map(str::to_owned).collect());
    }
    let text_of = |item: &Bound<'_, PyAny>| -> PyResult<String> {
        match item.is_instance_of::<PyInt>() {
            true => item.str()?.extract(),
            false => item.extract(),
        }
        .map_err(|error| wrong_type(name, "str", item, error))
    };
    if value.is_instance_of::<PyInt>() {
        return Ok(vec![text_of(value)?]);
    }
    let items =
        value.try_iter().map_err(|error| wrong_type(name, "str or list[str]", value, error))?;
    items.map(|item| text_of(&item?)).collect()
}
