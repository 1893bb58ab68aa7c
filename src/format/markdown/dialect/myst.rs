//! Roles and directives of MyST: `doc`, `download`, `include`, `literalinclude`, `figure`, `image` and `toctree`.

use super::scan::{Found, span_of};
use crate::link::Directive;

pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    let mut is_toctree = false;
    let mut code: Option<&str> = None;
    // The fences of the open directives.
    let mut directives: Vec<&str> = Vec::new();
    for line in text.lines() {
        let trimmed = line.trim();
        let info = trimmed.trim_start_matches([':', '`', '~']);
        let fence = &trimmed[..trimmed.len() - info.len()];
        if let Some(opening) = code {
            let is_end = info.is_empty() && fence.starts_with(opening);
            code = code.filter(|_| !is_end);
        } else if info.is_empty()
            && directives
                .last()
                .is_some_and(|open| fence.starts_with(open))
        {
            directives.pop();
            is_toctree = false;
        } else if fence.len() >= 3 {
            let directive = info.strip_prefix('{').and_then(|it| it.split_once('}'));
            let name = directive.map(|(name, _)| name);
            is_toctree = name == Some("toctree");
            // What is in other directives is Markdown.
            if name.is_some_and(|it| !CODE.contains(&it)) {
                directives.push(fence);
            } else if !fence.starts_with(':') {
                code = Some(fence);
            }
            let directive = match directive {
                Some(("include" | "literalinclude", path)) => (path, Directive::Include),
                Some(("figure" | "image", path)) => (path, Directive::Figure),
                _ => continue,
            };
            found.push((span_of(text, directive.0.trim()), directive.1));
        } else if is_toctree {
            let entry = target(trimmed);
            let is_option = trimmed.starts_with(':') || trimmed == "---" || entry == "self";
            if !is_option {
                found.push((span_of(text, entry), Directive::Toctree));
            }
        } else {
            roles(text, line, found);
        }
    }
}

/// The directives whose content is not Markdown.
const CODE: [&str; 7] = [
    "code",
    "code-block",
    "code-cell",
    "eval-rst",
    "math",
    "mermaid",
    "sourcecode",
];

/// Finds the roles in a line. Code spans have none.
fn roles(text: &str, line: &str, found: &mut Vec<Found>) {
    let mut rest = line;
    // The length of the shortest run of backquotes without a partner: longer ones have none either.
    let mut unpaired = usize::MAX;
    while let Some(at) = rest.find('`') {
        let (before, after) = rest.split_at(at);
        let length = after.len() - after.trim_start_matches('`').len();
        let (ticks, content) = after.split_at(length);
        let end = (length < unpaired).then(|| content.find(ticks)).flatten();
        let Some(end) = end else {
            unpaired = unpaired.min(length);
            rest = content;
            continue;
        };
        let directive = match before.rfind('{').map(|brace| &before[brace..]) {
            Some("{doc}") => Some(Directive::Doc),
            Some("{download}") => Some(Directive::Include),
            _ => None,
        };
        found.extend(directive.map(|it| (span_of(text, target(&content[..end])), it)));
        rest = &content[end + length..];
    }
}

/// The target of `text <target>`, or the whole text.
fn target(text: &str) -> &str {
    let target = text.strip_suffix('>').and_then(|it| it.rsplit_once('<'));
    target.map_or(text, |(_, target)| target).trim()
}
