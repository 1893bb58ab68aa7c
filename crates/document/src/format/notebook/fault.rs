//! The faults that make a text an invalid notebook.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::bytes::Span;
use crate::format::language::Fault;
use crate::source::Source;

/// A part of a notebook with links or parts with links. For everything else, only the syntax of
/// JSON matters.
#[derive(Clone, Copy)]
enum Part {
    Notebook,
    /// nbformat 3
    Worksheets,
    Worksheet,
    Cells,
    Cell,
    CellType,
    Source,
    Line,
}

impl Part {
    /// The fault of a value of another type.
    fn fault<E: Error>(self) -> E {
        E::custom(match self {
            Self::Notebook => "the top level is not an object",
            Self::Worksheets => "the worksheets are not a list",
            Self::Worksheet => "a worksheet is not an object",
            Self::Cells => "the cells are not a list",
            Self::Cell => "a cell is not an object",
            Self::CellType => "the type of a cell is not a string",
            Self::Source | Self::Line => {
                "the source of a cell is neither a string nor a list of strings"
            }
        })
    }
}

impl<'de> DeserializeSeed<'de> for Part {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Part {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a part of a notebook")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Err(self.fault())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Err(self.fault())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Err(self.fault())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Err(self.fault())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Err(self.fault())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        match self {
            Self::CellType | Self::Source | Self::Line => Ok(()),
            _ => Err(self.fault()),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let element = match self {
            Self::Worksheets => Self::Worksheet,
            Self::Cells => Self::Cell,
            Self::Source => Self::Line,
            _ => return Err(self.fault()),
        };
        while list.next_element_seed(element)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let (needed, fault) = match self {
            Self::Notebook => (&["cells", "worksheets"][..], "it has no cells"),
            Self::Worksheet => (&["cells"][..], "a worksheet has no cells"),
            Self::Cell => (&["cell_type"][..], "a cell has no type"),
            _ => return Err(self.fault()),
        };
        let mut is_whole = false;
        // Of equal names, Jupyter takes the last, and all are read.
        while let Some(name) = object.next_key::<Cow<'de, str>>()? {
            is_whole |= needed.contains(&&*name);
            match (self, &*name) {
                (Self::Notebook, "worksheets") => object.next_value_seed(Self::Worksheets)?,
                (Self::Notebook | Self::Worksheet, "cells") => {
                    object.next_value_seed(Self::Cells)?;
                }
                (Self::Cell, "cell_type") => object.next_value_seed(Self::CellType)?,
                (Self::Cell, "source") => object.next_value_seed(Self::Source)?,
                _ => _ = object.next_value::<IgnoredAny>()?,
            }
        }
        match is_whole {
            true => Ok(()),
            false => Err(A::Error::custom(fault)),
        }
    }
}

/// The text with a number for each `NaN` and `Infinity` outside of strings, of the same length:
/// Python writes them in outputs.
fn with_numbers(text: &str) -> Cow<'_, str> {
    const WORDS: [&str; 2] = ["NaN", "Infinity"];
    if !WORDS.iter().any(|it| text.contains(it)) {
        return Cow::Borrowed(text);
    }
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', 'N', 'I']) {
        written.push_str(&rest[..at]);
        rest = &rest[at..];
        let len = match WORDS.into_iter().find(|it| rest.starts_with(it)) {
            Some(word) => {
                written.push('0');
                written.extend(std::iter::repeat_n(' ', word.len() - 1));
                rest = &rest[word.len()..];
                continue;
            }
            None if rest.starts_with('"') => string_len(rest),
            None => 1,
        };
        written.push_str(&rest[..len]);
        rest = &rest[len..];
    }
    written.push_str(rest);
    Cow::Owned(written)
}

/// The length of the string at the beginning of a text, with its quotes.
fn string_len(text: &str) -> usize {
    let mut from = 1;
    while let Some(at) = text[from..].find(['"', '\\']) {
        let at = from + at;
        if text[at..].starts_with('"') {
            return at + 1;
        }
        let escaped = text[at + 1..].chars().next();
        from = at + 1 + escaped.map_or(0, char::len_utf8);
    }
    text.len()
}

/// Returns the first fault of a notebook in this source.
pub(super) fn fault_of(source: &Source) -> Option<Fault> {
    let text = source.text();
    let Fault { at, problem } = fault(&text.text)?;
    Some(Fault { at: text.to_source(Span::new(at, at)).start, problem })
}

/// Returns the first fault of a notebook, as an offset in its text. An empty text has none, since it has no links that could
/// be missed. Linear.
fn fault(text: &str) -> Option<Fault> {
    if text.trim().is_empty() {
        return None;
    }
    let numbers = with_numbers(text);
    let mut json = serde_json::Deserializer::from_str(&numbers);
    match Part::Notebook.deserialize(&mut json).and_then(|()| json.end()) {
        Ok(()) => None,
        Err(error) => {
            let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
            let line: usize = lines.map(str::len).sum();
            let at = line + error.column().saturating_sub(1);
            let at = (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
            let problem = error.to_string();
            let problem = problem.rsplit_once(" at line ").map_or(&*problem, |(it, _)| it);
            let problem = match error.is_eof() {
                true => "the JSON ends too early",
                false => problem,
            };
            Some(Fault { at: at.unwrap_or(0), problem: format!("not a notebook: {problem}") })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notebooks_have_no_fault() {
        for text in [
            "",
            " \n",
            r#"{"cells":[]}"#,
            r#"{"nbformat":4,"cells":[{"cell_type":"markdown","source":"a","metadata":{"a":[1,{}]}}]}"#,
            r#"{"cells":[{"source":["a","b"],"cell_type":"raw"},{"cell_type":"code"}],"metadata":null}"#,
            r#"{"worksheets":[{"cells":[{"cell_type":"heading","level":1,"source":["a"]}]}]}"#,
            r#"{"cells":[{"cell_type":"code","source":"\"NaN","outputs":[NaN,-Infinity,{"a":Infinity}]}]}"#,
            r#"{"cells":[{"cell_type":"raw","cell_type":"code","a":1,"a":2}],"cells":[]}"#,
        ] {
            assert!(fault(text).is_none(), "{text}");
        }
    }

    #[test]
    fn faults_have_a_place_and_a_reason() {
        for (text, at, problem) in [
            ("{", 0, "the JSON ends too early"),
            ("[]", 1, "the top level is not an object"),
            ("1", 0, "the top level is not an object"),
            ("{}", 0, "it has no cells"),
            ("{\"cells\":[\n{\"cell_type\":\"markdown\"},]}", 36, "trailing comma"),
            ("{\"cells\":{}}", 9, "the cells are not a list"),
            ("{\"cells\":[1]}", 10, "a cell is not an object"),
            ("{\"cells\":[[\"markdown\",\"a\"]]}", 10, "a cell is not an object"),
            ("{\"cells\":[{}]}", 11, "a cell has no type"),
            ("{\"cells\":[NaN]}", 12, "a cell is not an object"),
            ("{\"worksheets\":[{}]}", 17, "a worksheet has no cells"),
            ("{\"cells\":[{\"cell_type\":1}]}", 23, "the type of a cell is not a string"),
            (
                "{\"cells\":[{\"cell_type\":\"a\",\"source\":[1]}]}",
                37,
                "neither a string nor a list of strings",
            ),
            ("{\"cells\":[{\"cell_type\":\"a\",\"source\":\"\n\"}]}", 36, "control character"),
        ] {
            let fault = fault(text).expect("a fault");
            assert!(fault.problem.contains(problem), "{text}: {}", fault.problem);
            assert!(fault.at.abs_diff(at) < 3, "{text}: {}", fault.at);
        }
    }
}
