//! Tags of Jekyll: `link`, `post_url` and `include_relative`. Tags within `{% raw %}` and
//! `{% comment %}` are text. Destinations that begin at the base URL.

use super::scan::{Found, name_and_rest, quoted, span_of};
use crate::link::Directive;

pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    // The tag that ends the text in which tags are ignored, and the number of open comments.
    let mut unread: Option<(&str, usize)> = None;
    for (at, _) in text.match_indices("{%") {
        let inner = text[at + 2..].trim_start_matches('-').trim_start();
        let (name, rest) = name_and_rest(inner);
        unread = match unread {
            Some((end, depth)) => match name {
                _ if name == end => (depth > 1).then_some((end, depth - 1)),
                "comment" if end == END_OF_COMMENT => Some((end, depth + 1)),
                _ => unread,
            },
            None => match name {
                "raw" => Some(("endraw", 1)),
                "comment" => Some((END_OF_COMMENT, 1)),
                _ => {
                    found.extend(tag(name, rest).map(|(path, it)| (span_of(text, path), it)));
                    None
                }
            },
        };
    }
}

const END_OF_COMMENT: &str = "endcomment";

/// The path in a tag. `rest` is the text after its name.
fn tag<'t>(name: &str, rest: &'t str) -> Option<(&'t str, Directive)> {
    let directive = match name {
        "link" => Directive::Link,
        "post_url" => Directive::PostUrl,
        "include_relative" => Directive::IncludeRelative,
        _ => return None,
    };
    // Only an include has parameters after its path.
    let ends: &[char] = match directive {
        Directive::IncludeRelative => &[' ', '\t', '\n', '\r', '%'],
        _ => &['%', '\n', '\r', '{'],
    };
    let end = rest.find(ends)?;
    let is_tag = !rest[end..].starts_with('{');
    let path = rest[..end].trim_end();
    let path = match rest[end..].starts_with('%') {
        true => path.strip_suffix('-').unwrap_or(path).trim_end(),
        false => path,
    };
    is_tag.then_some((path, directive))
}

/// The path from the root of the site in a destination that begins with the base URL:
/// `{{ site.baseurl }}/path`, or `{{ "/path" | relative_url }}`.
pub(super) fn path_after_base(destination: &str) -> Option<&str> {
    let expression = |text| {
        let text: &str = text;
        let (inner, rest) = text.strip_prefix("{{")?.split_once("}}")?;
        let inner = inner.strip_prefix('-').unwrap_or(inner);
        Some((inner.strip_suffix('-').unwrap_or(inner).trim(), rest))
    };
    let (mut inner, mut rest) = expression(destination)?;
    if inner == "site.url" {
        (inner, rest) = expression(rest)?;
    }
    if inner == "site.baseurl" {
        return Some(rest);
    }
    let path = quoted(inner, &['"', '\''])?;
    let (_, filter) = inner[path.len() + 2..].split_once('|')?;
    let is_whole = rest.is_empty() && matches!(filter.trim(), "relative_url" | "absolute_url");
    is_whole.then_some(path)
}
