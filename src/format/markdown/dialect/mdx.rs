//! Imports of MDX: `import x from 'f'`, `export x from 'f'` and `require('f')`. Names of packages are no paths.

use super::scan::{Found, lines_outside_fences, quoted, span_of};
use crate::link::Directive;

const QUOTES: [char; 2] = ['\'', '"'];

pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    for line in lines_outside_fences(text) {
        let mut add = |path: Option<&str>, directive| {
            let is_path = |it: &&str| {
                ["./", "../", "@site/"]
                    .iter()
                    .any(|begin| it.starts_with(begin))
            };
            if let Some(path) = path.filter(is_path) {
                found.push((span_of(text, path), directive));
            }
        };
        if let Some(rest) = ["import ", "export "]
            .iter()
            .find_map(|it| line.strip_prefix(it))
        {
            let from = rest.rfind(" from ").map(|at| &rest[at + " from ".len()..]);
            add(
                quoted(from.unwrap_or(rest).trim_start(), &QUOTES),
                Directive::Import,
            );
        } else {
            for (at, call) in line.match_indices("require(") {
                add(
                    quoted(line[at + call.len()..].trim_start(), &QUOTES),
                    Directive::Require,
                );
            }
        }
    }
}
