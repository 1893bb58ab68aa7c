//! Parsers of values that several options have.

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::bail;
use clap::builder::{OsStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use rehref::fs::BaseMapping;

use crate::render::message::Message;
use crate::render::terminal::warn;

/// The reason that an argument is not a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathError {
    /// It is empty.
    Empty,
    /// It is a URL of the web.
    Url,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "a path is empty",
            Self::Url => "rehref reads files, and does not fetch URLs",
        })
    }
}

impl Error for PathError {}

/// A parser of the name of an input.
pub(super) fn name() -> impl TypedValueParser<Value = OsString> {
    let named = |name: OsString| match name.to_str() {
        Some("") => Err(PathError::Empty),
        Some(text) if is_web_url(text) => Err(PathError::Url),
        _ => Ok(name),
    };
    OsStringValueParser::new().try_map(named)
}

/// Returns true for a URL of the web that is not the name of a file.
pub(super) fn is_web_url(text: &str) -> bool {
    let has_scheme = |scheme: &str| {
        let start = text.get(..scheme.len());
        start.is_some_and(|it| it.eq_ignore_ascii_case(scheme))
    };
    (has_scheme("http://") || has_scheme("https://")) && !Path::new(text).exists()
}

/// A parser of paths.
pub(super) fn path() -> impl TypedValueParser<Value = PathBuf> {
    name().map(PathBuf::from)
}

/// A parser of URI, or URL=DIR.
pub(super) fn base_mapping() -> impl TypedValueParser<Value = BaseMapping> {
    OsStringValueParser::new().try_map(|argument| {
        warn_of_other_reading(&argument);
        BaseMapping::parse(&argument)
    })
}

/// Warns if a base is read as one URL, but ends in a `=` and an existing directory.
pub(super) fn warn_of_other_reading(argument: &OsStr) {
    if let Some(directory) = BaseMapping::other_reading(argument) {
        let message = format!("--base {}: read as one URL", argument.display());
        warn(Message::new(message).with_help(format_args!(
            "for files in {}, give a URL without query, fragment and `;` before =DIR",
            directory.display()
        )));
    }
}

/// A parser of the names of a type's values, which are listed in help and errors.
pub(super) fn one_of<T, N>(
    values: &[T],
    name: fn(T) -> N,
) -> impl TypedValueParser<Value = T> + use<T, N>
where
    T: FromStr + Copy + Send + Sync + 'static,
    T::Err: std::error::Error + Send + Sync + 'static,
    N: Into<PossibleValue>,
{
    let names = values.iter().map(|&value| name(value).into());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<T>())
}

/// Splits a list of globs at its commas, except for those between braces or brackets.
pub(super) fn globs(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    list.split(move |it| {
        match it {
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        it == ',' && depth == 0
    })
}

/// Returns the value of `--base`. It holds for a whole run, so two would contradict each other.
pub(super) fn the_base<T>(mut given: Vec<T>) -> anyhow::Result<Option<T>> {
    if given.len() > 1 {
        bail!("--base is given {} times; only one is allowed", given.len());
    }
    Ok(given.pop())
}
