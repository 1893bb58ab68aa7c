//! Input of troff: escape sequences of `groff(7)`.

use super::unit::{Unit, line_end};

/// The number of bytes in which the end of an escape's argument is searched.
const ARGUMENT: usize = 64;

/// The special characters in URLs and their delimiters, from `groff_char(7)`.
const CHARACTERS: [(&str, char); 32] = [
    ("-", '-'),
    ("hy", '-'),
    ("ti", '~'),
    ("ha", '^'),
    ("sh", '#'),
    ("at", '@'),
    ("sl", '/'),
    ("rs", '\\'),
    ("ul", '_'),
    ("ba", '|'),
    ("or", '|'),
    ("eq", '='),
    ("pl", '+'),
    ("Do", '$'),
    ("ga", '`'),
    ("aq", '\''),
    ("dq", '"'),
    ("oq", '‘'),
    ("cq", '’'),
    ("lq", '“'),
    ("rq", '”'),
    ("la", '⟨'),
    ("ra", '⟩'),
    ("fo", '‹'),
    ("fc", '›'),
    ("Fo", '«'),
    ("Fc", '»'),
    ("lB", '['),
    ("rB", ']'),
    ("lC", '{'),
    ("rC", '}'),
    ("tild", '~'),
];

/// The escape sequence at the start of `rest`.
pub(super) fn unit(rest: &str) -> Unit {
    let Some(name) = rest[1..].chars().next() else {
        return Unit::Keep(1);
    };
    match name {
        // These print nothing.
        '&' | '%' | ':' | '/' | ',' | ')' | '|' | '^' | 'c' | 'd' | 'u' => Unit::Gap(2),
        '\n' | '\r' => line_end(&rest[1..]).map_or(Unit::Stop(1), |end| Unit::Gap(1 + end)),
        // Fonts, sizes and colors.
        'f' | 'F' | 'm' | 'M' => Unit::Gap(2 + argument(&rest[2..])),
        's' => {
            let sign = usize::from(rest[2..].starts_with(['+', '-']));
            let size = 2 + sign + argument(&rest[2 + sign..]);
            // Two digits are a size from 10 to 39.
            let second = rest.as_bytes()[2 + sign..].get(..2);
            let is_long = second.is_some_and(|it| matches!(it, [b'1'..=b'3', b'0'..=b'9']));
            Unit::Gap(size + usize::from(is_long && sign == 0))
        }
        '(' | '[' => {
            let (name, len) = named(&rest[1..]);
            character(name).map_or(Unit::Stop(1 + len), |c| Unit::Char(1 + len, c))
        }
        // Perl's converter writes an apostrophe like this.
        '*' if rest.starts_with("\\*(Aq") => Unit::Char(5, '\''),
        '*' | 'n' => Unit::Stop(2 + argument(&rest[2..])),
        '-' | '.' | '_' => Unit::Gap(1),
        _ => Unit::Stop(1 + name.len_utf8()),
    }
}

/// The length of the leading argument: `R`, `(CW` or `[CW]`.
fn argument(text: &str) -> usize {
    if text.starts_with(['(', '[']) {
        return named(text).1;
    }
    text.chars().next().map_or(0, char::len_utf8)
}

/// The leading name, `(xx` or `[xx]`, and its length with its brackets.
fn named(text: &str) -> (&str, usize) {
    if let Some(name) = text.strip_prefix('(') {
        let len = name.chars().take(2).map(char::len_utf8).sum();
        return (&name[..len], 1 + len);
    }
    let inner = text.strip_prefix('[').unwrap_or(text);
    match inner.bytes().take(ARGUMENT).position(|byte| byte == b']') {
        Some(end) => (&inner[..end], end + 2),
        None => ("", 1),
    }
}

fn character(name: &str) -> Option<char> {
    let code = name.strip_prefix('u').filter(|it| it.len() >= 4);
    let by_code = code.and_then(|code| char::from_u32(u32::from_str_radix(code, 16).ok()?));
    let by_name = || CHARACTERS.iter().find(|(it, _)| *it == name).map(|(_, c)| *c);
    by_code.filter(|c| !c.is_control()).or_else(by_name)
}

#[cfg(test)]
mod tests {
    use super::super::translation::translated;
    use crate::source::TextSyntax;

    #[test]
    fn escapes_are_removed_or_become_characters() {
        let roff = |text: &str| translated(TextSyntax::Roff, text);
        assert_eq!(roff(r"\fBhttp://a\-b.c\:/\[ti]d\fP, \f(CWe\f[R]"), "http://a-b.c/~d, e");
        assert_eq!(roff(r"\s-2x\s0y\s10z\s+(12w"), "xyzw");
        assert_eq!(
            roff(r"\(lqa\(rq \[u0023] \(xx \e \*(Aq \*(C+ \n(.$"),
            "“a” # \u{1F} \u{1F} ' \u{1F} \u{1F}"
        );
        assert_eq!(roff("a\\\nb\\"), "ab\\");
        assert_eq!(roff("\\[é\\(é"), "\u{1F}é\u{1F}");
    }
}
