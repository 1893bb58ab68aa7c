//! References with expressions of a template engine. Their targets are unknown until the engine
//! runs.

use std::path::Path;

use memchr::{memchr, memchr2, memmem, memrchr};

use super::mapper::Decision;
use super::skip_reason::SkipReason;
use crate::document::Document;
use crate::link::{Form, ParsedLink, Place, Quoting, Target};
use crate::source::BaseFrom;
use crate::uri::{Base, Parts, has_dot_segments};

/// The extensions of files in which `{x}` is an expression anywhere in a value.
const BRACES: [&str; 10] =
    ["astro", "jsx", "latte", "marko", "mdx", "riot", "svelte", "tpl", "tsx", "vue"];

/// The extensions of files in which `@x` at the beginning of a value is an expression.
const RAZOR: [&str; 3] = ["cshtml", "razor", "vbhtml"];

/// The beginnings of references whose first directory is an alias: of Docusaurus, of Zola and
/// bundlers, and of ASP.NET and DocFX.
const ALIASES: [&str; 4] = ["@site/", "@/", "pathname://", "~/"];

/// The number of bytes before an item of a list in which the beginning of its expression is
/// searched.
const LOOK_BACK: usize = 1024;

/// Returns true for a reference that the engine replaces before readers see it: it contains an
/// expression of a template engine, or begins with an alias. Its target is unknown. Braces alone
/// are an expression only at the beginning of a segment.
pub fn is_template(reference: &str) -> bool {
    expression(reference).is_some()
}

/// Returns true if a template engine writes the reference of a link, or the base that it is
/// relative to.
pub fn has_template(document: &Document, link: &ParsedLink<'_>, target: &Target<'_>) -> bool {
    expression_of(document, link, target).is_some()
}

/// The offset of the first expression in the reference of a link. 0 if the engine writes text
/// before the reference.
pub(crate) fn expression_of(
    document: &Document,
    link: &ParsedLink<'_>,
    target: &Target<'_>,
) -> Option<usize> {
    let found = expression(&link.reference).or_else(|| special(document.path(), link));
    let is_of_engine = || has_template_base(link, target) || is_within(document, link);
    found.or_else(|| is_of_engine().then_some(0))
}

/// Returns true if the reference of a link is relative to a base that a template engine writes.
pub fn has_template_base(link: &ParsedLink<'_>, target: &Target<'_>) -> bool {
    let is_template = |(base, from): (&Base, BaseFrom)| {
        from == BaseFrom::Element
            && is_template(base.as_str())
            && Parts::split(&link.reference).scheme.is_none()
    };
    target.base.is_some_and(is_template)
}

/// Returns true if a link has an expression of a template engine and the decision is about its
/// target, which is unknown. A map may replace the beginning of an absolute URL or path, which no
/// expression changes.
pub(super) fn is_left(
    decision: &Decision<'_>,
    document: &Document,
    link: &ParsedLink<'_>,
    target: &Target<'_>,
) -> bool {
    let is_map = match decision {
        Decision::Replace { rule, .. } => rule.starts_with("map"),
        Decision::Skip(
            SkipReason::Unchanged
            | SkipReason::NoBase
            | SkipReason::UnknownSite
            | SkipReason::Unresolvable
            | SkipReason::OtherSite
            | SkipReason::Unreachable
            | SkipReason::NoPage,
        ) => false,
        Decision::Skip(_) => return false,
    };
    let Some(at) = expression_of(document, link, target) else {
        return false;
    };
    let reference = &*link.reference;
    let parts = Parts::split(reference);
    let is_fixed = parts.scheme.is_some() || reference.starts_with('/');
    // A map normalizes a path with dot segments.
    !(is_map && is_fixed && at > 0 && !has_dot_segments(parts.path))
}

/// True for the bytes that an expression begins with, or that follow its first one.
const MARKS: [bool; 256] = {
    let mut marks = [false; 256];
    let (bytes, mut at) = (b"{<[@%$*", 0);
    while at < bytes.len() {
        marks[bytes[at] as usize] = true;
        at += 1;
    }
    marks
};

/// The offset of the first expression in a reference.
fn expression(reference: &str) -> Option<usize> {
    let bytes = reference.as_bytes();
    let is_mark = |at: usize| MARKS[usize::from(bytes[at])];
    if let Some(b'@' | b'~' | b'p') = bytes.first()
        && ALIASES.iter().any(|it| reference.starts_with(it))
    {
        return Some(0);
    }
    let first = (0..bytes.len()).find(|&at| is_mark(at))?;
    // Searched once: a long reference may have many opening brackets.
    let brace = memrchr(b'}', bytes);
    let parenthesis = memrchr(b')', bytes);
    (first..bytes.len()).filter(|&at| is_mark(at)).find_map(|at| match bytes[at] {
        b'{' | b'<' | b'[' => bracket(bytes, at, brace),
        b'*' => bytes[at..].starts_with(b"*|").then_some(at),
        _ => sign(reference, at, parenthesis),
    })
}

/// The offset of the expression whose bracket opens at `at`. `brace` is the last closing one.
fn bracket(bytes: &[u8], at: usize, brace: Option<usize>) -> Option<usize> {
    let next = bytes.get(at + 1).copied()?;
    let before = at.checked_sub(1).map(|before| bytes[before]);
    match bytes[at] {
        b'{' => {
            // `${x}`, `#{x}` and similar expressions.
            if let Some(b'$' | b'#' | b'@' | b'%' | b'*') = before {
                return Some(at - 1);
            }
            let is_marked = b"{%<#$!=@:?&+/;`\"'(".contains(&next);
            // Names of files have braces, too, but rarely at their beginning.
            let is_name = next.is_ascii_alphabetic() || next == b'_';
            let begins = match before {
                None => true,
                Some(before) => before == b'/' && brace.is_some_and(|it| it > at),
            };
            let is_expression = is_marked || is_name && begins && !is_guid(&bytes[at + 1..]);
            is_expression.then_some(at)
        }
        b'<' => {
            let rest = &bytes[at + 1..];
            let name = rest.iter().take_while(|it| it.is_ascii_alphanumeric());
            // `<c:url value=...>`, and not the quoted URL of a text.
            let after = &rest[name.count()..];
            let is_tag = next.is_ascii_alphabetic()
                && after.first() == Some(&b':')
                && !after.starts_with(b"://");
            (b"?%#@".contains(&next) || is_tag).then_some(at)
        }
        _ => {
            // A query may have double brackets, too.
            let is_double = next == b'[' && matches!(before, None | Some(b'/'));
            (is_double || next == b'%').then_some(at)
        }
    }
}

/// Returns true if bytes after a brace are a GUID and a closing brace.
fn is_guid(bytes: &[u8]) -> bool {
    let is_part = |it: &u8| it.is_ascii_hexdigit() || *it == b'-';
    bytes.get(36) == Some(&b'}') && bytes[..36].iter().all(is_part)
}

/// The offset of the expression that the sign at `at` begins: `@x@`, `@@x@@`, `@x(`, `%X_Y%`,
/// `%(x)s`, `%%x`, `$(x)` or `$x`. `parenthesis` is the last closing one.
fn sign(reference: &str, at: usize, parenthesis: Option<usize>) -> Option<usize> {
    let bytes = reference.as_bytes();
    let rest = &reference[at + 1..];
    let first = *rest.as_bytes().first()?;
    let is_letter = first.is_ascii_alphabetic() || first == b'_';
    let is_closed = parenthesis.is_some_and(|it| it > at);
    let name = |also: &[u8]| {
        let is_part = |it: &u8| it.is_ascii_alphanumeric() || *it == b'_' || also.contains(it);
        rest.bytes().take_while(is_part).count()
    };
    let is_expression = match bytes[at] {
        b'@' if first == b'@' => {
            let name = rest[1..].bytes();
            let end = name.take_while(|it| it.is_ascii_alphanumeric() || b"_.-".contains(it));
            let end = end.count();
            end > 0 && rest[1 + end..].starts_with("@@")
        }
        b'@' => {
            let end = name(b".-");
            // A letter follows in `@user@host`.
            let is_closed = match rest.as_bytes()[end..] {
                [b'(', ..] | [b'@'] => true,
                [b'@', next, ..] => !next.is_ascii_alphanumeric(),
                _ => false,
            };
            first == b'(' && at == 0 || is_letter && is_closed
        }
        b'%' if first == b'%' => rest[1..].starts_with(|it: char| it.is_ascii_alphabetic()),
        b'%' if first == b'(' => is_closed,
        b'%' => {
            let end = name(b"");
            let word = &rest[..end];
            let is_capital = |it: u8| it.is_ascii_uppercase() || it.is_ascii_digit() || it == b'_';
            // Others are percent-encoded bytes.
            let is_name = word.bytes().all(is_capital) && word.contains('_');
            is_letter && is_name && rest[end..].starts_with('%')
        }
        _ => {
            let is_call = first == b'(' && is_closed;
            at == 0 && (is_call || is_letter || first == b'!')
        }
    };
    is_expression.then_some(at)
}

/// The offset of an expression that is one only in some files or places.
fn special(path: &Path, link: &ParsedLink<'_>) -> Option<usize> {
    let reference = &*link.reference;
    let first = *reference.as_bytes().first()?;
    // A variable of Less, or a package.
    if let (b'@' | b'~', Place::Css(_)) = (first, &link.place) {
        let is_variable = first == b'@' && reference[1..].chars().all(is_name);
        return (is_variable || is_of_package(reference)).then_some(0);
    }
    let brace = memchr(b'{', reference.as_bytes());
    if brace.is_none() && !matches!(first, b'@' | b'~') {
        return None;
    }
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    if first == b'@' && RAZOR.contains(&&*extension) {
        return Some(0);
    }
    if is_of_package(reference) && BRACES.contains(&&*extension) && link.place.markup().is_some() {
        return Some(0);
    }
    brace.filter(|_| BRACES.contains(&&*extension) && link.place.markup().is_some())
}

/// Returns true for the path of a file in a package, or below another alias of bundlers:
/// `@scope/name/a.css`, `~name/a.css`.
fn is_of_package(reference: &str) -> bool {
    let path = reference.strip_prefix(['@', '~']);
    let name = path.and_then(|it| it.trim_start_matches('@').split_once('/'));
    name.is_some_and(|(name, _)| !name.is_empty() && name.chars().all(is_name))
}

fn is_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '_')
}

/// Returns true if an item of a list of URLs is within an expression that the list divides, as in
/// `srcset="{{ image | resize: '300x, 600x' }} 2x"`.
fn is_within(document: &Document, link: &ParsedLink<'_>) -> bool {
    let Some(markup) = link.place.markup() else {
        return false;
    };
    let quote = match (markup.form, markup.quoting) {
        (Form::Candidate | Form::Item, Quoting::Double) => b'"',
        (Form::Candidate | Form::Item, Quoting::Single) => b'\'',
        _ => return false,
    };
    let start = link.extent().start;
    let before = &document.bytes()[start.saturating_sub(LOOK_BACK)..start];
    let value = memrchr(quote, before).map_or(before, |at| &before[at + 1..]);
    if memchr2(b'{', b'<', value).is_none() {
        return false;
    }
    let pairs: [(&[u8], &[u8]); 5] =
        [(b"{{", b"}}"), (b"{%", b"%}"), (b"<?", b"?>"), (b"<%", b"%>"), (b"${", b"}")];
    pairs.iter().any(|(open, close)| {
        memmem::rfind(value, open).is_some_and(|at| memmem::find(&value[at..], close).is_none())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_recognized() {
        for template in [
            "{{ site.url }}/a",
            "{% link a.md %}",
            "a/${x}.md",
            "{{< ref \"a\" >}}",
            "@site/a.md",
            "@/a.md",
            "~/a.css",
            "pathname:///a.pdf",
            "x{{",
            "<?php echo $x; ?>",
            "a/<?= $x ?>/b",
            "<%= request.getContextPath() %>/home",
            "<%# Eval(",
            "<c:url value='/x'/>",
            "<@spring.url '/x'/>",
            "<#if x>a</#if>",
            "{url}",
            "{base}/x.png",
            "{base",
            "/users/{id}/edit",
            "/a/{$b}",
            "a{$b}.png",
            "{`/x/${href}`}",
            "{\"/x/\"",
            "#{root}/a",
            "@{root}/a",
            "%{root}/a",
            "[% root %]/a",
            "[[root]]/a",
            "@@ROOT@@/a",
            "a/@project.version@/b",
            "@Url.Action(",
            "@(Model.Url)",
            "%PUBLIC_URL%/a",
            "%BASE_URL%a",
            "%(root)s/a",
            "%%root%%",
            "*|URL|*",
            "$(ROOT)/a",
            "$link",
            "$!link",
        ] {
            assert!(is_template(template), "{template}");
        }
        for other in [
            "a{b}.md",
            "a{b}/{",
            "http://h/a{b}c",
            "http://h/?q={searchTerms}",
            "a$b",
            "Outer$Inner.html",
            "{",
            "$",
            "a/@site/x",
            "a/@/x",
            "a/~/x",
            "~user/x",
            "@a/x",
            "@a/b@2.js",
            "a@2x.png",
            "npm/a@1.2.3/b@4.5/c.js",
            "%7B%7Bx%7D%7D",
            "%E4%BD%A0%E5",
            "%BAD%20",
            "100%",
            "%3Cx%3E.html",
            "a<b.html>text",
            "<http://h/>",
            "a[1].html",
            "a*b",
            "https://h/@user@host",
            "@user@host",
            "a/@@view",
            "a/$(x)",
            "/{AC76BA86-7AD7-1033-7B44-AC0F074E4100}/a",
            "?q=[[a]]",
            "",
        ] {
            assert!(!is_template(other), "{other}");
        }
    }

    #[test]
    fn the_first_expression_is_found() {
        assert_eq!(expression("a/%(x)s/{{ y }}"), Some(2));
        assert_eq!(expression("a/{{ y }}/%(x)s"), Some(2));
        assert_eq!(expression("http://h/${x}"), Some(9));
    }
}
