//! Escapes right before a scheme, which are not part of it although they consist of the same
//! characters.

use super::scheme_names::{COMMON, LOOK_BACK};

/// The end of an escape that the word between `run` and `colon` begins with, or that ends where the
/// word begins. The word consists of scheme characters. No byte before `min_start` is read.
/// Constant time.
pub(super) fn end(bytes: &[u8], min_start: usize, run: usize, colon: usize) -> Option<usize> {
    let word = &bytes[run..colon];
    let before = &bytes[min_start..run];
    if let Some(b'0'..=b'9' | b'm') = word.first()
        && let Some(end) = after_color(bytes, min_start, run, colon)
    {
        return Some(end);
    }
    // `\\ftp:` is a scheme after a backslash.
    let is_whole = || COMMON.iter().any(|it| word.eq_ignore_ascii_case(it));
    match before {
        // `\(lq`, `\*(lq`, `\f(CW` of manual pages, if text follows.
        [.., b'\\', b'('] | [.., b'\\', b'*' | b'f', b'('] if word.len() > 2 && !is_whole() => {
            Some(run + 2)
        }
        [.., b'\\'] if !is_whole() => Some(run + len(word)?),
        _ => None,
    }
}

/// The length of the escape that `word` begins with, without its backslash.
fn len(word: &[u8]) -> Option<usize> {
    let (first, rest) = word.split_first()?;
    let hex = |most| rest.iter().take(most).take_while(|it| it.is_ascii_hexdigit());
    let exactly = |digits| {
        if hex(digits).count() == digits { digits } else { 0 }
    };
    Some(match first {
        b'x' => 1 + hex(2).count(),
        b'u' => 1 + exactly(4),
        b'U' => 1 + exactly(8),
        b'0'..=b'7' => {
            let octal = word.iter().take(3);
            octal.take_while(|it| matches!(it, b'0'..=b'7')).count()
        }
        // A font of a manual page (`\fB`) or a form feed.
        b'f' if !COMMON.iter().any(|it| rest.eq_ignore_ascii_case(it)) => word.len().min(2),
        // A size, `\s-1`.
        b's' => {
            let sign = usize::from(matches!(rest.first(), Some(b'-' | b'+')));
            let digits = rest[sign..].iter().take(2);
            match digits.take_while(|it| it.is_ascii_digit()).count() {
                0 => 1,
                digits => 1 + sign + digits,
            }
        }
        _ => 1,
    })
}

/// The end of a sequence that sets a terminal color, if the word begins with its end: `ESC [ 3 6
/// m`, also with the escape character spelled as in source code.
fn after_color(bytes: &[u8], min_start: usize, run: usize, colon: usize) -> Option<usize> {
    const INTRODUCERS: [&[u8]; 6] = [b"\x1B[", b"\\e[", b"\\033[", b"\\x1b[", b"\\u001b[", b"^[["];
    let end = bytes[run..colon].iter().position(|byte| *byte == b'm')?;
    let parameters = bytes[min_start..run + end].iter().rev();
    let parameters = parameters.take_while(|byte| byte.is_ascii_digit() || **byte == b';');
    let introducer = (run + end).checked_sub(parameters.take(LOOK_BACK).count())?;
    let before = &bytes[min_start..introducer];
    let is_before = |it: &&[u8]| {
        let at = before.len().checked_sub(it.len());
        at.is_some_and(|at| before[at..].eq_ignore_ascii_case(it))
    };
    INTRODUCERS.iter().any(is_before).then_some(run + end + 1)
}
