//! Roles and directives of MyST: `doc`, `download`, `include`, `literalinclude`, `figure`, `image`
//! and `toctree`; those of reStructuredText in `eval-rst`; and the addresses `project:f` and
//! `path:f`.

use super::super::bodies::is_markdown;
use super::scan::{Found, span_of};
use crate::link::Directive;

pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    let mut is_toctree = false;
    let mut code: Option<&str> = None;
    let mut is_rst = false;
    // The fences of the open directives.
    let mut directives: Vec<&str> = Vec::new();
    // The last directive, while its options may follow.
    let mut options: Option<CardOptions<'_>> = None;
    // The lines of a paragraph: a role may go over several.
    let mut paragraph: Option<&str> = None;
    let mut lines = text.lines();
    loop {
        let line = lines.next();
        let trimmed = without_markers(line.unwrap_or_default().trim());
        let info = trimmed.trim_start_matches([':', '`', '~']);
        let fence = &trimmed[..trimmed.len() - info.len()];
        let is_text = code.is_none() && !is_toctree && fence.len() < 3 && !trimmed.is_empty();
        if (!is_text || trimmed.starts_with(BLOCKS))
            && let Some(paragraph) = paragraph.take()
        {
            roles(text, paragraph, ROLES, found);
        }
        if let Some(open) = &mut options
            && !open.read(text, trimmed, found)
        {
            options = None;
        }
        let Some(line) = line else {
            return;
        };
        if let Some(opening) = code {
            let is_end = info.is_empty() && fence.starts_with(opening);
            code = code.filter(|_| !is_end);
            if is_rst {
                rst(text, trimmed, found);
            }
            is_rst &= !is_end;
        } else if info.is_empty() && directives.last().is_some_and(|open| fence.starts_with(open)) {
            directives.pop();
            is_toctree = false;
        } else if fence.len() >= 3 {
            let directive = info.strip_prefix('{').and_then(|it| it.split_once('}'));
            let name = directive.map(|(name, _)| name);
            is_toctree = name == Some("toctree");
            is_rst = name == Some("eval-rst");
            // The content of other directives is Markdown.
            if name.is_some_and(|it| is_toctree || is_markdown(it)) {
                directives.push(fence);
            } else if is_rst || !fence.starts_with(':') {
                code = Some(fence);
            }
            options = directive.map(|(name, argument)| CardOptions::of(name, argument.trim()));
            let found_here = directive.and_then(|(name, path)| Some((path.trim(), file(name)?)));
            found.extend(found_here.map(|(path, it)| (span_of(text, path), it)));
        } else if is_toctree {
            let entry = target(trimmed);
            let is_option = trimmed.starts_with(':') || trimmed == "---" || entry == "self";
            if !is_option {
                found.push((span_of(text, entry), Directive::Toctree));
            }
        } else if is_text {
            let begin = paragraph.map_or_else(|| span_of(text, line), |it| span_of(text, it));
            paragraph = Some(&text[begin.start..span_of(text, line).end]);
        }
    }
}

/// The options of a directive that name files: those of the cards and buttons of sphinx-design, and
/// `file`.
struct CardOptions<'t> {
    name: &'t str,
    /// The name of a document, if an option says that it is one.
    link: &'t str,
}

impl<'t> CardOptions<'t> {
    fn of(name: &'t str, argument: &'t str) -> Self {
        Self { name, link: if name == "button-ref" { argument } else { "" } }
    }

    /// Reads a line. Returns false for a line without an option.
    fn read(&mut self, text: &str, line: &'t str, found: &mut Vec<Found>) -> bool {
        let Some((key, value)) = line.strip_prefix(':').and_then(|it| it.split_once(':')) else {
            return false;
        };
        let value = value.trim();
        let mut add = |path: &str, it| found.push((span_of(text, path), it));
        match key {
            "link" => self.link = value,
            // The type may also precede the link, but then no documentation shows it.
            "link-type" | "ref-type" if value == "doc" => add(self.link, Directive::Doc),
            "file" if FILES.contains(&self.name) => add(value, Directive::Include),
            "img-top" | "img-bottom" | "img-background" => add(value, Directive::Figure),
            _ => {}
        }
        !key.is_empty()
    }
}

/// The directives whose option `file` is a path relative to the document.
const FILES: [&str; 3] = ["csv-table", "py-script", "raw"];

/// The beginnings of lines that are separate blocks.
const BLOCKS: [char; 6] = ['#', '-', '*', '+', '>', '|'];

/// The roles that name a file.
const ROLES: [(&str, Directive); 2] =
    [("{doc}", Directive::Doc), ("{download}", Directive::Include)];

/// The roles that name a file in reStructuredText.
const RST_ROLES: [(&str, Directive); 2] =
    [(":doc:", Directive::Doc), (":download:", Directive::Include)];

/// The directives that name a file.
fn file(name: &str) -> Option<Directive> {
    match name {
        "include" | "literalinclude" => Some(Directive::Include),
        "figure" | "image" => Some(Directive::Figure),
        _ => None,
    }
}

/// Finds the directives and roles in a line of reStructuredText.
fn rst(text: &str, line: &str, found: &mut Vec<Found>) {
    if let Some((name, path)) = line.strip_prefix(".. ").and_then(|it| it.split_once("::")) {
        // `|name| image` gives the image a name.
        let name = name.rsplit(' ').next().unwrap_or(name);
        found.extend(file(name).map(|it| (span_of(text, path.trim()), it)));
        return;
    }
    roles(text, line, RST_ROLES, found);
}

/// A line without the markers of lists and quotes before a fence.
fn without_markers(line: &str) -> &str {
    let mut rest = line;
    loop {
        let number = rest.trim_start_matches(|it: char| it.is_ascii_digit());
        let after = match number.len() < rest.len() {
            true => number.strip_prefix(['.', ')']),
            false => rest.strip_prefix(['-', '*', '+', '>']),
        };
        match after.filter(|it| it.starts_with([' ', '\t'])) {
            Some(after) => rest = after.trim_start(),
            None if rest.starts_with("```")
                || rest.starts_with("~~~")
                || rest.starts_with(":::") =>
            {
                return rest;
            }
            None => return line,
        }
    }
}

/// Finds the roles in a text, and the addresses between them. Code spans have none.
fn roles(text: &str, part: &str, names: [(&str, Directive); 2], found: &mut Vec<Found>) {
    let mut rest = part;
    // The length of the shortest run of backquotes without a partner: longer ones have none either.
    let mut unpaired = usize::MAX;
    while let Some(at) = rest.find('`') {
        let (before, after) = rest.split_at(at);
        addresses(text, before, found);
        let length = after.len() - after.trim_start_matches('`').len();
        let (ticks, content) = after.split_at(length);
        let end = (length < unpaired).then(|| content.find(ticks)).flatten();
        let Some(end) = end else {
            unpaired = unpaired.min(length);
            rest = content;
            continue;
        };
        let mut known = names.iter();
        let directive = known.find(|(name, _)| before.ends_with(name)).map(|(_, it)| *it);
        found.extend(directive.map(|it| (span_of(text, target(&content[..end])), it)));
        rest = &content[end + length..];
    }
    addresses(text, rest, found);
}

/// Finds `project:f` and `path:f` as destinations and between `<` and `>`. They are
/// percent-encoded; those that need it are not found.
fn addresses(text: &str, part: &str, found: &mut Vec<Found>) {
    for (scheme, directive) in [("project:", Directive::Doc), ("path:", Directive::Include)] {
        for (at, _) in part.match_indices(scheme) {
            let (before, rest) = (&part[..at], &part[at + scheme.len()..]);
            let is_definition = || before.trim_end().ends_with("]:");
            let ends: &[char] = match before {
                _ if before.ends_with("(<") => &['<', '>', '#', '\n'],
                _ if before.ends_with(['<', '(']) || is_definition() => {
                    &['<', '>', '(', ')', '#', ' ', '\t', '\n']
                }
                _ => continue,
            };
            let path = &rest[..rest.find(ends).unwrap_or(rest.len())];
            if path.contains('.') && !path.contains('%') {
                found.push((span_of(text, path), directive));
            }
        }
    }
}

/// The target of `text <target>`, or the whole text.
fn target(text: &str) -> &str {
    let target = text.strip_suffix('>').and_then(|it| it.rsplit_once('<'));
    target.map_or(text, |(_, target)| target).trim()
}
