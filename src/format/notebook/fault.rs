//! What keeps a text from being a notebook.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

use crate::format::language::Fault;

/// Where the links of a notebook are. Of everything else, only the syntax of JSON matters.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Notebook {
    cells: Option<Vec<Cell>>,
    /// nbformat 3
    worksheets: Option<Vec<Worksheet>>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
#[expect(dead_code, reason = "reading it is the test")]
struct Worksheet {
    cells: Vec<Cell>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
#[expect(dead_code, reason = "reading it is the test")]
struct Cell {
    cell_type: Strings<false>,
    #[serde(default)]
    source: Strings<true>,
}

/// A string, or with `true` also a list of strings.
#[derive(Default)]
struct Strings<const MAY_BE_LIST: bool>;

impl<'de, const MAY_BE_LIST: bool> Deserialize<'de> for Strings<MAY_BE_LIST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de, const MAY_BE_LIST: bool> Visitor<'de> for Strings<MAY_BE_LIST> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match MAY_BE_LIST {
            true => "a string or a list of strings",
            false => "a string",
        })
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self, A::Error> {
        if !MAY_BE_LIST {
            return Err(A::Error::invalid_type(serde::de::Unexpected::Seq, &self));
        }
        while list.next_element::<Strings<false>>()?.is_some() {}
        Ok(self)
    }
}

/// Returns what keeps a text from being a notebook. An empty one has no links that could be missed. Linear.
pub(super) fn fault(text: &str) -> Option<Fault> {
    if text.trim().is_empty() {
        return None;
    }
    match serde_json::from_str::<Notebook>(text) {
        Ok(Notebook {
            cells: None,
            worksheets: None,
        }) => Some(Fault {
            at: 0,
            problem: "not a notebook: it has no cells".to_owned(),
        }),
        Ok(_) => None,
        Err(error) => {
            let lines = text
                .split_inclusive('\n')
                .take(error.line().saturating_sub(1));
            let line: usize = lines.map(str::len).sum();
            let at = line + error.column().saturating_sub(1);
            let at = (0..=at.min(text.len()))
                .rev()
                .find(|&at| text.is_char_boundary(at));
            let problem = error.to_string();
            let problem = problem
                .rsplit_once(" at line ")
                .map_or(&*problem, |(it, _)| it);
            let problem = match error.is_eof() {
                true => "the JSON ends too early",
                false => problem,
            };
            Some(Fault {
                at: at.unwrap_or(0),
                problem: format!("not a notebook: {problem}"),
            })
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
        ] {
            assert!(fault(text).is_none(), "{text}");
        }
    }

    #[test]
    fn faults_have_a_place_and_a_reason() {
        for (text, at, problem) in [
            ("{", 0, "the JSON ends too early"),
            ("[]", 1, "expected an object"),
            ("{}", 0, "it has no cells"),
            (
                "{\"cells\":[\n{\"cell_type\":\"markdown\"},]}",
                36,
                "trailing comma",
            ),
            (
                "{\"cells\":{}}",
                9,
                "invalid type: map, expected a sequence",
            ),
            (
                "{\"cells\":[1]}",
                10,
                "invalid type: integer `1`, expected an object",
            ),
            ("{\"cells\":[{}]}", 11, "missing field `cell_type`"),
            ("{\"cells\":[{\"cell_type\":1}]}", 23, "expected a string"),
            (
                "{\"cells\":[{\"cell_type\":\"a\",\"source\":[1]}]}",
                37,
                "expected a string",
            ),
            (
                "{\"cells\":[{\"cell_type\":\"a\",\"source\":\"\n\"}]}",
                36,
                "control character",
            ),
        ] {
            let fault = fault(text).expect("a fault");
            assert!(fault.problem.contains(problem), "{text}: {}", fault.problem);
            assert!(fault.at.abs_diff(at) < 3, "{text}: {}", fault.at);
        }
    }
}
