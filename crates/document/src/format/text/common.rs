//! The fast path for common URLs: `http`, `https` or `ftp` with a host, after a word, at the start
//! of a line, or in brackets or quotes, without anything unusual. It takes less time than all rules
//! (`cargo bench -p rehref-benches --bench text`) and gives the same result; a property test
//! compares both.

use super::chars::{
    self, Class, class, class_of, inside_len, is_clause_mark, letter_width, plain_len,
    short_plain_len,
};
use super::encoded::Encoded;
use super::lines;
use super::opening::is_bare_after;
use super::pieces::LONGEST_PIECE;
use super::prose_below::is_prose_below;
use super::scheme::{self, is_scheme_byte};
use super::scheme_names::LOOK_BACK;
use super::string_escapes::{self, Literal};
use super::text_url::Form;
use super::{bare, markup, opaque, simd};
use crate::format::options::{Iri, Join, TextOptions};
use crate::link::Delimiter;

/// The options of the fast path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Common {
    /// True if a URL may have non-ASCII characters.
    is_wide: bool,
    /// True if a URL may continue after a line break.
    joins: bool,
    /// True if a URL continues after a line break in any case.
    is_delsp: bool,
    /// True if abbreviated URLs are links too.
    abbreviated: bool,
}

/// A URL found by the fast path.
#[derive(Clone, Copy, Debug)]
pub(super) struct CommonUrl {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The end of the longer reading, in which the text after `end` is part of the URL.
    pub(super) longer: Longer,
    pub(super) delimiter: Delimiter,
    /// The offset at which the search continues.
    pub(super) next: usize,
    /// The end of the bytes that were read.
    pub(super) reach: usize,
    /// The form in which it is written.
    pub(super) form: Form,
}

/// The end of a URL in the longer reading, in which the Han or Kana after it belong to it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Longer {
    /// No such characters follow.
    No,
    At(usize),
    /// Only the full rules can decide.
    Unread,
}

/// The maximum length of a URL of the fast path, after its `://`, in bytes.
const LONGEST: usize = LONGEST_PIECE - "://".len();

/// The maximum length of a port, in bytes.
const PORT: usize = 5;

/// The maximum length of a host of the fast path, in bytes.
const HOST: usize = 255;

impl Common {
    /// The fast path for these options. `None` if they need the full rules.
    pub(super) fn by(options: &TextOptions) -> Option<Self> {
        let TextOptions { iri, join, delsp, flowed, abbreviated, strict, .. } = options;
        (!*strict).then_some(Self {
            is_wide: *iri == Iri::Auto,
            is_delsp: *delsp,
            abbreviated: *abbreviated,
            joins: *delsp || *flowed || *join == Some(Join::Guess),
        })
    }

    /// Returns true if the end of a URL's line never depends on the text after it.
    pub(super) fn reads_one_line(self) -> bool {
        !self.joins
    }

    /// The URL whose colon is at `colon`, if the fast path applies and the URL begins at or after
    /// `min_start`, where a character begins. It does not apply where it would have to read a
    /// character that is neither ASCII nor UTF-8.
    #[inline]
    pub(super) fn at<T: Encoded>(
        self,
        text: T,
        min_start: usize,
        colon: usize,
    ) -> Option<CommonUrl> {
        let bytes = text.bytes();
        let is_wide = self.is_wide && T::IS_UTF8;
        let start = scheme_start(bytes, colon).filter(|start| *start >= min_start)?;
        if text.may_end_wide(&bytes[min_start..=start]) {
            return None;
        }
        let (delimiter, close) = opening(text, min_start, start)?;
        let host = colon + 3;
        let is_bare = close.is_empty();
        let mut stop = host + host_len(&bytes[host..], is_wide, is_bare)?;
        // The end of the URL if text without spaces continues after it.
        let mut before_text = None;
        let mut is_first = is_bare;
        let mut is_first_run = true;
        // A longer URL takes the full rules, in which a ruler ends it early.
        let limit = bytes.len().min(host + LONGEST);
        loop {
            let rest = bytes.get(stop..limit)?;
            stop += match (is_bare, is_first_run) {
                (true, true) => plain_len(rest),
                (true, false) => short_plain_len(rest),
                (false, _) => inside_len(rest),
            };
            is_first_run = false;
            match bytes.get(stop) {
                Some(_) if stop >= limit => return None,
                Some(b'_') => match chars::underscores(&bytes[stop..]) {
                    chars::RULE => return None,
                    width => stop += width,
                },
                Some(b',' | b';' | b'|')
                    if is_bare
                        && self.separates_nothing(&bytes[stop + 1..])
                        && markup::delimiter_len(&bytes[host..stop]) == 0 =>
                {
                    stop += 1;
                }
                Some(0x80..) if is_wide => {
                    if is_first
                        && is_ideographic(bytes[stop])
                        && bytes[host..stop].is_ascii()
                        && let Some(text) = text.utf8()
                        && bare::is_before_ideographs(text, start, stop)
                    {
                        before_text = Some(stop);
                    }
                    is_first = false;
                    match letter_width(&bytes[stop..]) {
                        0 => break,
                        width => stop += width,
                    }
                }
                _ => break,
            }
        }
        let last = bytes[stop - 1];
        let after = &bytes[stop..];
        match after.first() {
            Some(b'\\') if string_escapes::may_begin(after) => {
                return self.escaped(text, (start, host), delimiter);
            }
            Some(b';') if markup::delimiter_len(&bytes[host..stop]) > 0 => return None,
            _ => {}
        }
        if !close.is_empty() {
            // Other last characters may have to be trimmed.
            let is_end = is_plain_end(last) || matches!(last, b'-' | b'+' | b'%' | b'$' | b'@');
            let holds = after.starts_with(close) && is_end;
            let next = stop + close.len();
            return holds.then_some(CommonUrl {
                start,
                end: stop,
                longer: Longer::No,
                delimiter,
                next,
                reach: next,
                form: Form::Literal,
            });
        }
        let read = end(text, host, stop, is_wide);
        let (end, longer, reach) = match before_text {
            Some(end) if !is_plain_end(bytes[end - 1]) => return None,
            Some(end) => match read {
                Some((longer, reach)) => (end, Longer::At(longer), reach),
                None => (end, Longer::Unread, stop),
            },
            None => {
                let (end, reach) = read?;
                (end, Longer::No, reach)
            }
        };
        if self.joins
            && let Some((line, _)) = lines::line_below(bytes, reach)
            && (self.is_delsp || !is_prose_below(&bytes[..reach], &bytes[line..], T::IS_UTF8))
        {
            return None;
        }
        Some(CommonUrl { start, end, longer, delimiter, next: end, reach, form: Form::Literal })
    }

    /// The URL at `start` with escapes of a string literal, also in its `://`, as [`at`](Self::at)
    /// returns it. Its host begins at `host`.
    pub(super) fn escaped_at<T: Encoded>(
        self,
        text: T,
        min_start: usize,
        (start, host): (usize, usize),
    ) -> Option<CommonUrl> {
        let (delimiter, _) = opening(text, min_start, start)?;
        self.escaped(text, (start, host), delimiter)
    }

    /// The URL at `start` after an opening `delimiter`, which is ASCII and has escapes of a string
    /// literal. The text in quotes is read like a bare URL, as a backslash is no character of it. Not
    /// part of the loop for other URLs.
    #[cold]
    #[inline(never)]
    fn escaped<T: Encoded>(
        self,
        text: T,
        (start, host): (usize, usize),
        delimiter: Delimiter,
    ) -> Option<CommonUrl> {
        let bytes = text.bytes();
        let literal = Literal::around(text.utf8()?, start)?;
        if self.joins || delimiter == Delimiter::Angle {
            return None;
        }
        let mut stop = host + host_len(&bytes[host..], false, true)?;
        let limit = bytes.len().min(host + LONGEST);
        loop {
            stop += plain_len(bytes.get(stop..limit)?);
            stop += match bytes.get(stop) {
                Some(_) if stop >= limit => return None,
                Some(b'\\') => match literal.escape_len(&bytes[stop..]) {
                    0 => break,
                    len => len,
                },
                Some(b'_') => match chars::underscores(&bytes[stop..]) {
                    chars::RULE => return None,
                    width => width,
                },
                Some(0x80.. | b',' | b';' | b'|') => return None,
                _ => break,
            };
        }
        let (end, reach) = end(text, host, stop, false)?;
        let delimiter = match delimiter {
            Delimiter::Quote => Delimiter::Bare,
            other => other,
        };
        let form = match memchr::memchr(b'\\', &bytes[start..end]) {
            Some(_) => Form::Escaped,
            None => Form::Literal,
        };
        let longer = Longer::No;
        Some(CommonUrl { start, end, longer, delimiter, next: end, reach, form })
    }

    /// Returns true if a separator before these bytes is part of the URL, and the URL continues.
    #[inline]
    fn separates_nothing(self, after: &[u8]) -> bool {
        let continues = after.first().is_some_and(u8::is_ascii_alphanumeric);
        continues && !self.abbreviated && !scheme::starts_link(after)
    }
}

/// Returns true if the colon at `colon` follows a word that is not a scheme: its URL would need
/// `//`, or a delimiter before it. This rejects most words quickly. For texts that are not read by
/// the strict rules; constant time.
#[inline]
pub(super) fn is_word<T: Encoded>(text: T, min_start: usize, colon: usize) -> bool {
    let bytes = text.bytes();
    let after = bytes[colon + 1];
    let limit = min_start.max(colon.saturating_sub(LOOK_BACK));
    let scheme = bytes[limit..colon].iter().rev();
    let start = colon - scheme.take_while(|byte| is_scheme_byte(**byte)).count();
    let before = &bytes[min_start..start];
    let (Some(&last), [first, ..]) = (before.last(), &bytes[start..colon]) else {
        return false;
    };
    // The word may begin with an escape.
    let is_escape = match last {
        b'\\' => true,
        b'(' => matches!(before, [.., b'\\' | b'*' | b'f', _]),
        b'[' | b';' => *first == b'm',
        _ => false,
    };
    let word = &bytes[start..colon];
    let is_prefix = word.eq_ignore_ascii_case(b"URL");
    // The colon may be that of a `://` that is written in another way.
    if matches!(after, b'/' | b'<' | b'\\' | b'[')
        || start == limit
        || is_escape
        || text.may_end_wide(&bytes[min_start..=start])
        || !first.is_ascii_alphabetic()
        || !is_prefix && opaque::is_known(word)
    {
        return false;
    }
    if is_prefix {
        true
    } else if after.is_ascii_graphic() && last.is_ascii_graphic() {
        !matches!(last, b'<' | b':') && !text.may_end_wide(before)
    } else {
        is_bare_after(text, before)
    }
}

/// The end of the URL whose plain characters end at `stop`, and the end of the bytes read for that.
#[inline(always)]
fn end<T: Encoded>(text: T, host: usize, stop: usize, is_wide: bool) -> Option<(usize, usize)> {
    let bytes = text.bytes();
    let (end, reach) = match bytes[stop..] {
        [b',' | b';', b' ' | b'\n' | b'\r', ..] => (stop, stop + 1),
        [byte, ..] if matches!(class(byte), Class::Stop | Class::Close(_)) => {
            (stop - usize::from(bytes[stop - 1] == b'.'), stop)
        }
        [0x80..=0xFF, ..] if is_wide => {
            let mut after = text.utf8()?[stop..].chars();
            let c = after.next()?;
            let continues = after.next().is_some_and(|next| !next.is_ascii());
            let ends = match class_of(c, Iri::Auto) {
                Class::Stop | Class::Close(_) => true,
                _ => is_clause_mark(c) && continues,
            };
            if !ends {
                return None;
            }
            (stop, stop)
        }
        _ => return None,
    };
    (is_plain_end(bytes[end - 1]) && end > host).then_some((end, reach))
}

/// The start of the scheme before the `://` at `colon`, if both are common.
#[inline]
fn scheme_start(bytes: &[u8], colon: usize) -> Option<usize> {
    const HTTPS: u64 = u64::from_le_bytes(*b"https://");
    const HTTP: u64 = u64::from_le_bytes(*b"\0http://");
    const FTP: u64 = u64::from_le_bytes(*b"\0\0ftp://");
    let slashes = colon + "://".len();
    let word = match slashes.checked_sub(8) {
        Some(from) => *bytes.get(from..)?.first_chunk()?,
        // The text begins with it.
        None => {
            let mut word = [0; 8];
            word[8 - slashes..].copy_from_slice(bytes.get(..slashes)?);
            word
        }
    };
    let word = u64::from_le_bytes(word);
    let len = match word {
        HTTPS => 5,
        _ if word & !0xFF == HTTP => 4,
        _ if word & !0xFFFF == FTP => 3,
        _ => return None,
    };
    Some(colon - len)
}

/// The delimiter of the URL at `start`, and the text that closes it.
#[inline(always)]
fn opening<T: Encoded>(
    text: T,
    min_start: usize,
    start: usize,
) -> Option<(Delimiter, &'static [u8])> {
    // The full rules read an escaped bracket, also one that is part of another URL.
    let is_escaped = |end: usize| text.bytes()[..end].ends_with(b"&lt;");
    let before = &text.bytes()[min_start..start];
    Some(match before {
        // Most URLs are after a word.
        [word @ .., b' '] if ends_with_letter(text, word) => (Delimiter::Bare, b""),
        [.., b'<'] | [.., b'<', b'U', b'R', b'L', b':'] => (Delimiter::Angle, b">"),
        [.., b'"'] => (Delimiter::Quote, b"\""),
        [head @ .., b'U' | b'u', b'R' | b'r', b'L' | b'l', b':'] => {
            let glued = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
            let is_word = !head.last().is_some_and(glued)
                && !text.may_end_wide(&before[..=head.len()])
                && !is_escaped(start - "URL:".len());
            let is_prefix = is_word && is_bare_after(text, head);
            return is_prefix.then_some((Delimiter::Prefix, b""));
        }
        [.., byte] if byte.is_ascii() => {
            let is_bracket = *byte == b';' && is_escaped(start);
            let is_bare = !is_scheme_byte(*byte)
                && !is_bracket
                && !markup::may_end(before)
                && is_bare_after(text, before);
            return is_bare.then_some((Delimiter::Bare, b""));
        }
        _ if text.ends_word(before) => (Delimiter::Bare, b""),
        _ if !T::IS_UTF8 => return None,
        [.., 0xE2, 0x80, 0x9C] => (Delimiter::Quote, "”".as_bytes()),
        [.., 0xE3, 0x80, 0x8C] => (Delimiter::Quote, "」".as_bytes()),
        // After Chinese and Japanese letters and punctuation.
        [.., 0xE4..=0xE9, _, _] | [.., 0xE3, 0x81..=0x83, _] | [.., 0xEF, 0xBC, _] => {
            (Delimiter::Bare, b"")
        }
        [.., 0xE3, 0x80, 0x81 | 0x82] => (Delimiter::Bare, b""),
        _ => return None,
    })
}

#[inline]
fn ends_with_letter<T: Encoded>(text: T, word: &[u8]) -> bool {
    let last = word.last();
    last.is_some_and(u8::is_ascii_alphanumeric) && !text.may_end_wide(word)
}

/// Returns true if a character that begins with this byte may be Han or Kana.
fn is_ideographic(byte: u8) -> bool {
    matches!(byte, 0xE3..=0xE9)
}

/// Returns true if nothing is trimmed from a URL that ends with this byte.
#[inline]
fn is_plain_end(last: u8) -> bool {
    matches!(last, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'=' | b'_' | b'~' | b'&' | b'#' | 0x80..)
}

/// The length of the leading host, if it consists of letters, digits, hyphens and single dots, and
/// the authority ends after it.
#[inline]
fn host_len(bytes: &[u8], is_wide: bool, is_bare: bool) -> Option<usize> {
    if let Some(pair) = bytes.first_chunk::<{ 2 * simd::LEN }>()
        && pair[0].is_ascii()
    {
        let dots = simd::bits_of_pair(pair, |byte| byte == b'.');
        let names = simd::bits_of_pair(pair, |byte| {
            ((byte | 0x20).wrapping_sub(b'a') < 26)
                | (byte.wrapping_sub(b'0') < 10)
                | (byte == b'-')
        });
        let len = (dots | names).trailing_ones() as usize;
        if (1..32).contains(&len) && pair[0] != b'-' && (pair[len].is_ascii() || !is_wide) {
            // A dot after the slashes has an empty label before it, too.
            let has_empty_label = dots & (dots << 1 | 1) & ((1 << len) - 1) != 0;
            let ends = match pair[len] {
                b'/' | b'?' | b'#' => true,
                b':' if pair[len - 1] != b'.' => {
                    let port = port_len(&bytes[len + 1..])?;
                    return (!has_empty_label).then_some(len + 1 + port);
                }
                byte => pair[len - 1] != b'.' && class(byte) == Class::Stop,
            };
            return (ends && !has_empty_label).then_some(len);
        }
    }
    let mut last = b'.';
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'.' if last == b'.' => return None,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' => at += 1,
            b'-' if at > 0 => at += 1,
            b'/' | b'?' | b'#' if at > 0 => return Some(at),
            0x80.. if is_wide => match host_letter_width(&bytes[at..], at == 0, is_bare) {
                0 => return None,
                width => at += width,
            },
            _ if at > 0 && last != b'.' && class(byte) == Class::Stop => return Some(at),
            _ => return None,
        }
        if at > HOST {
            return None;
        }
        last = byte;
    }
    None
}

/// The length of the leading port, if the authority ends after it.
fn port_len(bytes: &[u8]) -> Option<usize> {
    let len = bytes.iter().take(PORT + 1).take_while(|byte| byte.is_ascii_digit()).count();
    let after = *bytes.get(len)?;
    let ends = matches!(after, b'/' | b'?' | b'#') || class(after) == Class::Stop;
    (ends && (1..=PORT).contains(&len)).then_some(len)
}

/// The length of the leading non-ASCII letter of a host; 0 where the full rules must decide.
/// `first` is set for the first character of the host.
#[inline(never)]
fn host_letter_width(bytes: &[u8], first: bool, is_bare: bool) -> usize {
    // In a bare URL the letter may be text after a missing host, or text that continues after the
    // host.
    let is_text = is_bare && (first || is_ideographic(bytes[0]));
    // Not every letter allowed within a host may begin one, but Han may.
    let is_han = || matches!(bytes, [0xE4, 0xB8..=0xBF, ..] | [0xE5..=0xE8, ..]);
    if is_text || first && !is_han() {
        return 0;
    }
    letter_width(bytes)
}
