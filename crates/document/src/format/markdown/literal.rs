//! URLs and addresses without brackets (GFM, section 6.9).

use crate::bytes::Span;
use crate::link::Delimiter;

/// A URL or an address in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Literal {
    pub(super) span: Span,
    pub(super) delimiter: Delimiter,
}

/// The schemes of URLs without brackets.
const SCHEMES: [&str; 3] = ["https", "http", "ftp"];

/// The URL whose scheme ends with the `:` at `colon`. `floor` is the offset of the first byte that
/// it may begin with.
pub(super) fn url(text: &str, floor: usize, colon: usize) -> Option<Literal> {
    let bytes = text.as_bytes();
    if !bytes[colon + 1..].starts_with(b"//") {
        return None;
    }
    let scheme = SCHEMES.iter().find(|scheme| {
        let before = &bytes[floor..colon];
        before.len() >= scheme.len()
            && before[before.len() - scheme.len()..].eq_ignore_ascii_case(scheme.as_bytes())
    })?;
    let start = colon - scheme.len();
    if start > floor && bytes[start - 1].is_ascii_alphabetic() {
        return None;
    }
    let host = colon + 3;
    let end = end_of_host(text, host).ok()?;
    // A host has a letter or digit at its start, also of other scripts.
    text[host..end].chars().next().filter(|it| it.is_alphanumeric())?;
    literal(text, start, end, Delimiter::Bare)
}

/// The URL without a scheme that begins with the `w` at `at`. No URL begins before `never_before`,
/// which is moved past a long invalid host, so that no host is read repeatedly.
pub(super) fn www(text: &str, at: usize, never_before: &mut usize) -> Option<Literal> {
    let bytes = text.as_bytes();
    let is_www = bytes.get(at..at + 4).is_some_and(|word| word.eq_ignore_ascii_case(b"www."));
    let before = text[..at].chars().next_back();
    let is_apart = before
        .is_none_or(|it| it.is_whitespace() || matches!(it, '(' | '*' | '_' | '~' | '[' | ']'));
    if !is_www || !is_apart || at < *never_before {
        return None;
    }
    match end_of_host(text, at) {
        Ok(end) => literal(text, at, end, Delimiter::Abbreviated),
        Err(last_labels) => {
            *never_before = last_labels;
            None
        }
    }
}

fn literal(text: &str, start: usize, host_end: usize, delimiter: Delimiter) -> Option<Literal> {
    let end = end_of_path(text, start, host_end);
    // A host alone may lose its end.
    (end > start + 4 && end_of_scheme(text, start, end))
        .then_some(Literal { span: Span::new(start, end), delimiter })
}

/// Returns true if more than a scheme or `www.` is left.
fn end_of_scheme(text: &str, start: usize, end: usize) -> bool {
    let written = &text[start..end];
    match written.find("://") {
        Some(at) => at + 3 < written.len(),
        None => written.len() > 4,
    }
}

/// The offset after the host at `at`.
///
/// # Errors
/// If an underscore is in one of its last two labels: the offset of these.
fn end_of_host(text: &str, at: usize) -> Result<usize, usize> {
    let mut end = text.len();
    for (index, character) in text[at..].char_indices() {
        let is_host = match character {
            '-' | '_' | '.' => true,
            character if character.is_ascii() => character.is_ascii_alphanumeric(),
            character => !character.is_whitespace() && !is_punctuation(character),
        };
        if !is_host {
            end = at + index;
            break;
        }
    }
    let host = &text[at..end];
    // Punctuation at the end of the text, or before white space, is not part of the URL.
    let trimmed = host.trim_end_matches(['.', '_']);
    let host = match is_trail(&text.as_bytes()[at + trimmed.len()..]) {
        true => trimmed,
        false => host,
    };
    let last_two = host.rmatch_indices('.').nth(1).map_or(0, |(dot, _)| dot + 1);
    match host[last_two..].contains('_') || host.is_empty() {
        true => Err(at + last_two),
        false => Ok(end),
    }
}

/// Returns true if a URL ends before `rest`: only punctuation is before the next white space.
fn is_trail(rest: &[u8]) -> bool {
    let is_punctuation = |byte: &u8| b"!\"'),.:;?_~*".contains(byte);
    let end = rest.iter().find(|byte| !is_punctuation(byte));
    end.is_none_or(|&byte| byte == b'<' || byte.is_ascii_whitespace())
}

/// Returns true for punctuation outside ASCII that ends a host.
fn is_punctuation(character: char) -> bool {
    matches!(character,
        '\u{A1}' | '\u{A7}' | '\u{AB}' | '\u{B6}' | '\u{B7}' | '\u{BB}' | '\u{BF}'
        | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205E}' | '\u{3001}'..='\u{3003}'
        | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301F}' | '\u{FF01}'..='\u{FF0F}'
        | '\u{FF1A}'..='\u{FF20}' | '\u{FF3B}'..='\u{FF3D}' | '\u{FF5B}'..='\u{FF65}')
}

/// The offset after the path at `at`, the end of the host of the URL that begins at `start`.
fn end_of_path(text: &str, start: usize, at: usize) -> usize {
    let mut end = text.len();
    for (index, character) in text[at..].char_indices() {
        if character == '<' || character.is_whitespace() {
            end = at + index;
            break;
        }
    }
    let bytes = text.as_bytes();
    let written = &bytes[start..end];
    let count = |byte| memchr::memchr_iter(byte, written).count();
    let (mut opened, mut closed) = (None, None);
    while end > start {
        match bytes[end - 1] {
            b'?' | b'!' | b'.' | b',' | b':' | b'*' | b'_' | b'~' | b'\'' | b'"' => end -= 1,
            b')' => {
                let opened = *opened.get_or_insert_with(|| count(b'('));
                let closed = closed.get_or_insert_with(|| count(b')'));
                if *closed <= opened {
                    break;
                }
                *closed -= 1;
                end -= 1;
            }
            b';' => {
                let name =
                    bytes[start..end - 1].iter().rposition(|byte| !byte.is_ascii_alphabetic());
                end = match name.map(|at| start + at) {
                    Some(at) if bytes[at] == b'&' && at + 2 < end => at,
                    _ => end - 1,
                };
            }
            _ => break,
        }
    }
    end
}

/// The address with the `@` at `at`.
pub(super) fn email(text: &str, floor: usize, at: usize) -> Option<Literal> {
    let bytes = text.as_bytes();
    let is_local =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-' | b'_');
    let local = bytes[floor..at].iter().rev().take_while(|byte| is_local(byte));
    let mut start = at - local.count();
    let domain = &bytes[at + 1..];
    let is_in_domain = |index: usize| match domain[index] {
        b'-' | b'_' => true,
        // A dot at the end ends the sentence.
        b'.' => domain.get(index + 1).is_some_and(u8::is_ascii_alphanumeric),
        byte => byte.is_ascii_alphanumeric(),
    };
    let len = (0..domain.len()).position(|index| !is_in_domain(index)).unwrap_or(domain.len());
    let domain = &domain[..len];
    let end = at + 1 + len;
    // A version such as `a@1.2` is not an address.
    let is_domain = domain.contains(&b'.') && domain.last().is_some_and(u8::is_ascii_alphabetic);
    let is_apart = bytes.get(end) != Some(&b'@') && !bytes[floor..start].ends_with(b"/");
    if start == at || !is_domain || !is_apart {
        return None;
    }
    let mut delimiter = Delimiter::Email;
    for scheme in ["mailto:", "xmpp:"] {
        let before = &bytes[floor..start];
        let has_scheme = before.len() >= scheme.len()
            && before[before.len() - scheme.len()..].eq_ignore_ascii_case(scheme.as_bytes());
        if has_scheme {
            start -= scheme.len();
            delimiter = Delimiter::Bare;
        }
    }
    Some(Literal { span: Span::new(start, end), delimiter })
}
