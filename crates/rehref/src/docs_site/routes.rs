//! Routes: the paths of pages on a site that are not those of their files.

use std::borrow::Cow;
use std::fmt::Write;

use regex::Regex;

use super::paths::{join, split};
use crate::format::markdown::slug_of_name;

/// The rule that gives the files of pages other paths on the site.
#[derive(Clone, Debug, Default)]
pub(super) enum Routes {
    /// None.
    #[default]
    Files,
    /// Patterns of the paths of files, the first of which counts, and their replacements.
    Rewritten(Vec<(Regex, String)>),
    /// The ids that names have as headings, in Astro.
    Slugged,
    /// Below a directory `app`, those of Next.js: the page of a directory is in a file `page`, and
    /// names in parentheses are left out.
    Next,
}

/// The maximum number of patterns. Each path is compared with all of them.
const MOST_PATTERNS: usize = 256;

impl Routes {
    /// Routes by patterns such as `packages/:name/docs/:rest*`, and replacements with these names.
    /// Patterns that are no such path are left out.
    pub(super) fn rewritten<'t>(rows: impl Iterator<Item = (&'t str, &'t str)>) -> Self {
        let rows = rows.filter_map(|(pattern, new)| Some((pattern_of(pattern)?, replacement(new))));
        let rows: Vec<_> = rows.take(MOST_PATTERNS).collect();
        match rows.is_empty() {
            true => Self::Files,
            false => Self::Rewritten(rows),
        }
    }

    /// The path of a file below its mounted directory, for the address of its page. `None` for a
    /// file that is no page.
    pub(super) fn of<'p>(&self, directory: &[u8], path: &'p [u8]) -> Option<Cow<'p, [u8]>> {
        let is_app = split(directory).1 == b"app";
        let text = match self {
            Self::Rewritten(_) | Self::Slugged => std::str::from_utf8(path).ok(),
            Self::Next if is_app => return in_app(path).map(Cow::Owned),
            Self::Files | Self::Next => None,
        };
        let new = match (self, text) {
            (Self::Rewritten(rows), Some(text)) => {
                let found = rows.iter().find(|(pattern, _)| pattern.is_match(text));
                found.map(|(pattern, new)| pattern.replace(text, new).into_owned())
            }
            // Brackets are around parameters.
            (Self::Slugged, Some(text)) if !text.contains('[') => Some(slugged(text)),
            _ => None,
        };
        Some(new.map_or(Cow::Borrowed(path), |it| Cow::Owned(it.into_bytes())))
    }

    /// Returns true if links name the files of pages by their new paths.
    pub(super) fn are_rewritten(&self) -> bool {
        matches!(self, Self::Rewritten(_))
    }
}

/// A path with the ids of its names, and its extension.
fn slugged(path: &str) -> String {
    let (stem, extension) = path.rsplit_once('.').unwrap_or((path, ""));
    let names: Vec<String> = stem.split('/').map(slug_of_name).collect();
    names.join("/") + "." + extension
}

/// The path of a page below the directory `app` of Next.js, as if its file were an index.
fn in_app(path: &[u8]) -> Option<Vec<u8>> {
    let (directory, file) = split(path);
    let extension = file.strip_prefix(b"page.")?;
    let is_group = |name: &&[u8]| name.starts_with(b"(") && name.ends_with(b")");
    let names = directory.split(|it| *it == b'/').filter(|it| !is_group(it));
    let names: Vec<&[u8]> = names.collect();
    Some(join(&names.join(&b'/'), &[b"index.", extension].concat()))
}

/// Returns true if a path may be that of a page whose route has parameters: `[name]` is one name,
/// and `[...names]` are any names. A route of only such names says nothing about its pages.
pub(super) fn may_be_of(route: &[u8], path: &[u8]) -> bool {
    let mut names = path.split(|it| *it == b'/');
    let mut has_name = false;
    for part in route.split(|it| *it == b'/') {
        if part.starts_with(b"[...") || part.starts_with(b"[[...") {
            return has_name;
        }
        let Some(name) = names.next() else {
            return false;
        };
        has_name |= !part.starts_with(b"[");
        let open = part.iter().position(|it| *it == b'[');
        let close = part.iter().rposition(|it| *it == b']');
        let is_same = match (open, close) {
            (Some(open), Some(close)) if open < close => {
                let (before, after) = (&part[..open], &part[close + 1..]);
                name.len() > before.len() + after.len()
                    && name.starts_with(before)
                    && name.ends_with(after)
            }
            _ => name == part,
        };
        if !is_same {
            return false;
        }
    }
    names.next().is_none()
}

/// The name at the beginning of a text, and the expression in parentheses and the repetition mark
/// after it.
fn parameter(text: &str) -> (&str, Option<&str>, &str, &str) {
    let end = text.find(|it: char| !it.is_ascii_alphanumeric() && it != '_').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let expression = rest.strip_prefix('(').and_then(|it| it.split_once(')'));
    let (expression, rest) = match expression {
        Some((expression, rest)) => (Some(expression), rest),
        None => (None, rest),
    };
    let mark = if rest.starts_with(['*', '+', '?']) { 1 } else { 0 };
    (name, expression, &rest[..mark], &rest[mark..])
}

/// The expression for a pattern: `:name` is a part of a name, with `*` or `+` any names, and
/// `(expression)` any text that it matches.
fn pattern_of(pattern: &str) -> Option<Regex> {
    let mut expression = String::from("^");
    let mut rest = pattern;
    let mut unnamed = 0;
    while let Some(first) = rest.chars().next() {
        if !matches!(first, ':' | '(') {
            let end = rest.find([':', '(']).unwrap_or(rest.len());
            expression.push_str(&regex::escape(&rest[..end]));
            rest = &rest[end..];
            continue;
        }
        let (name, own, mark, after) = parameter(rest.strip_prefix(':').unwrap_or(rest));
        let name = match name {
            "" if own.is_none() => return None,
            "" => {
                unnamed += 1;
                format!("p{}", unnamed - 1)
            }
            name => format!("n_{name}"),
        };
        let inner = match mark {
            "*" => own.unwrap_or(".*"),
            "+" => own.unwrap_or(".+"),
            _ => own.unwrap_or("[^/]+?"),
        };
        write!(expression, "(?P<{name}>{inner})").ok()?;
        if mark == "?" {
            expression.push('?');
        }
        rest = after;
    }
    expression.push('$');
    Regex::new(&expression).ok()
}

/// A replacement in the syntax of the expressions.
fn replacement(new: &str) -> String {
    let mut text = String::new();
    let mut rest = new;
    while let Some((before, after)) = rest.split_once(':') {
        text.push_str(&before.replace('$', "$$"));
        let (name, _, _, after) = parameter(after);
        let prefix = if name.bytes().all(|it| it.is_ascii_digit()) { "p" } else { "n_" };
        text.push_str(&["${", prefix, name, "}"].concat());
        rest = after;
    }
    text + &rest.replace('$', "$$")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_rewrite_the_paths_of_files() {
        for (pattern, new, path, expected) in [
            ("en/:rest*", ":rest*", "en/guide/a.md", "guide/a.md"),
            ("packages/:pkg/src/(.*)", ":pkg/index.md", "packages/x/src/docs.md", "x/index.md"),
            ("packages/:pkg/src/:page", ":pkg/:page", "packages/x/src/d.md", "x/d.md"),
            ("a.md", "b/$c.md", "a.md", "b/$c.md"),
            ("a.md", "b.md", "axmd", "axmd"),
            ("en/:rest*", ":rest*", "de/a.md", "de/a.md"),
            (":a(\\d+)/:b", ":b", "12/x.md", "x.md"),
            ("(.*)/docs/(.*)", ":0/:1", "p/docs/x.md", "p/x.md"),
            ("(", "x", "a.md", "a.md"),
        ] {
            let routes = Routes::rewritten([(pattern, new)].into_iter());
            let found = routes.of(b"", path.as_bytes()).expect("a page");
            assert_eq!(String::from_utf8_lossy(&found), expected, "{pattern}");
        }
    }

    #[test]
    fn names_become_routes() {
        let routed = |routes: Routes, directory: &str, path: &'static str| {
            let found = routes.of(directory.as_bytes(), path.as_bytes())?;
            Some(String::from_utf8_lossy(&found).into_owned())
        };
        let slugged = routed(Routes::Slugged, "docs", "Some Guide/My Two.v1.mdx");
        assert_eq!(slugged.as_deref(), Some("some-guide/my-twov1.mdx"));
        let page = routed(Routes::Next, "src/app", "docs/(group)/a/page.mdx");
        assert_eq!(page.as_deref(), Some("docs/a/index.mdx"));
        assert_eq!(routed(Routes::Next, "app", "page.tsx").as_deref(), Some("index.tsx"));
        assert_eq!(routed(Routes::Next, "app", "docs/layout.tsx"), None);
        assert_eq!(routed(Routes::Next, "content", "a/b.mdx").as_deref(), Some("a/b.mdx"));
    }

    #[test]
    fn routes_with_parameters_are_those_of_many_pages() {
        for (route, path, may_be) in [
            ("packages/[name]", "packages/a", true),
            ("packages/[name]", "packages/a/b", false),
            ("packages/v[n].x", "packages/v12.x", true),
            ("packages/v[n].x", "packages/12.x", false),
            ("blog/[...slug]", "blog/a/b", true),
            ("blog/[...slug]", "news/a", false),
            ("[[...mdxPath]]", "a/b", false),
            ("a/b", "a/b", true),
        ] {
            assert_eq!(may_be_of(route.as_bytes(), path.as_bytes()), may_be, "{route} {path}");
        }
    }
}
