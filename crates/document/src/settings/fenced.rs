//! Front matter between fences.

use super::Syntax;
use crate::bytes::Span;

/// The settings that a page begins with, without their fences: YAML between lines `---`, and TOML
/// between lines `+++`. Blanks may follow a fence. `None` without a last fence.
pub fn fenced(text: &str) -> Option<(Syntax, Span)> {
    let begin = text.len() - text.trim_start_matches('\u{feff}').len();
    let first = text[begin..].split_inclusive('\n').next()?;
    let fence = first.trim_end();
    let syntax = match fence {
        "---" => Syntax::Yaml,
        "+++" => Syntax::Toml,
        _ => return None,
    };
    let start = begin + first.len();
    let mut end = start;
    for line in text[start..].split_inclusive('\n') {
        if line.trim_end() == fence {
            return Some((syntax, Span::new(start, end)));
        }
        end += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_between_fences() {
        for (text, syntax, expected) in [
            ("---\nslug: x\n---\ntext", Syntax::Yaml, "slug: x\n"),
            ("+++\r\nslug = \"x\"\r\n+++", Syntax::Toml, "slug = \"x\"\r\n"),
            ("\u{feff}--- \n---\n", Syntax::Yaml, ""),
        ] {
            let (found, span) = fenced(text).expect(text);
            assert_eq!((found, &text[span.range()]), (syntax, expected), "{text:?}");
        }
        for none in ["", "---\nslug: x\n", "--- x\n---\n", "text\n---\n---\n", "---\n+++\n"] {
            assert_eq!(fenced(none), None, "{none:?}");
        }
    }
}
