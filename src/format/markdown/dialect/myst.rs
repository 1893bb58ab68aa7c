//! Roles and directives of MyST: `doc`, `download`, `include`, `literalinclude`, `figure`, `image` and `toctree`.

use super::scan::{Found, span_of};
use crate::link::Directive;

pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    let mut is_toctree = false;
    for line in text.lines() {
        let trimmed = line.trim();
        let fence = trimmed.trim_start_matches([':', '`']);
        let is_fence = trimmed.len() - fence.len() >= 3;
        if is_fence {
            is_toctree = fence.starts_with("{toctree}");
            if let Some((name, argument)) =
                fence.strip_prefix('{').and_then(|it| it.split_once('}'))
            {
                let directive = match name {
                    "include" | "literalinclude" => Directive::Include,
                    "figure" | "image" => Directive::Figure,
                    _ => continue,
                };
                found.push((span_of(text, argument.trim()), directive));
            }
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

/// Finds the roles in a line. Code spans have none.
fn roles(text: &str, line: &str, found: &mut Vec<Found>) {
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        let (before, after) = rest.split_at(at);
        let length = after.len() - after.trim_start_matches('`').len();
        let (ticks, content) = after.split_at(length);
        let Some(end) = content.find(ticks) else {
            return;
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
