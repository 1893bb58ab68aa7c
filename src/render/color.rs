//! Colored diffs and messages.

use std::env;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;

/// `--color`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// When standard output is a terminal, unless NO_COLOR is set or TERM is dumb
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// True if diffs are colored in this process.
static DIFFS: AtomicBool = AtomicBool::new(false);

/// True if messages are colored in this process.
static MESSAGES: AtomicBool = AtomicBool::new(false);

impl ColorChoice {
    /// Applies the choice to this process.
    pub(crate) fn choose(self) {
        // By <https://no-color.org/>: set, and not empty.
        let is_refused = env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty());
        let colors = |is_terminal: bool| match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => is_terminal && !is_refused && !is_dumb(),
        };
        DIFFS.store(colors(io::stdout().is_terminal()), Ordering::Relaxed);
        MESSAGES.store(colors(io::stderr().is_terminal()), Ordering::Relaxed);
    }
}

/// Returns true if the terminal shows escape sequences as text.
pub(super) fn is_dumb() -> bool {
    env::var_os("TERM").is_some_and(|it| it == "dumb")
}

/// Returns true if diffs are colored.
pub(crate) fn is_on() -> bool {
    DIFFS.load(Ordering::Relaxed)
}

/// Returns true if messages are colored.
pub(crate) fn is_on_for_messages() -> bool {
    MESSAGES.load(Ordering::Relaxed)
}

const RED: &[u8] = b"\x1B[31m";
const GREEN: &[u8] = b"\x1B[32m";
const CYAN: &[u8] = b"\x1B[36m";
const BOLD: &[u8] = b"\x1B[1m";
const END: &[u8] = b"\x1B[m";

/// Colors the lines of a diff, which begins with a head.
pub(crate) fn painted(diff: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(diff.len() + diff.len() / 4);
    // The lines left of a hunk on the old and the new side. A removed line may look like a head.
    let mut left = [0_usize; 2];
    for line in diff.split_inclusive(|&byte| byte == b'\n') {
        let (text, end) = match line.strip_suffix(b"\n") {
            Some(text) => (text, &b"\n"[..]),
            None => (line, &b""[..]),
        };
        let color = if left != [0, 0] {
            let (color, [old, new]) = match text.first() {
                Some(b'-') => (RED, [1, 0]),
                Some(b'+') => (GREEN, [0, 1]),
                // `\ No newline at end of file`
                Some(b'\\') => (&b""[..], [0, 0]),
                _ => (&b""[..], [1, 1]),
            };
            left = [left[0].saturating_sub(old), left[1].saturating_sub(new)];
            color
        } else if text.starts_with(b"@@ ") {
            left = lengths(text);
            CYAN
        } else if [&b"--- "[..], b"+++ ", b"diff ", b"rename "]
            .iter()
            .any(|it| text.starts_with(it))
        {
            BOLD
        } else {
            b""
        };
        out.extend_from_slice(color);
        out.extend_from_slice(text);
        if !color.is_empty() {
            out.extend_from_slice(END);
        }
        out.extend_from_slice(end);
    }
    out
}

/// Returns the number of lines of a hunk on each side: `@@ -1,2 +3 @@`.
fn lengths(head: &[u8]) -> [usize; 2] {
    let head = String::from_utf8_lossy(head);
    let mut sides = head.split(' ').skip(1).map(|side| match side.split_once(',') {
        Some((_, length)) => length.parse().unwrap_or(0),
        None => 1,
    });
    [sides.next().unwrap_or(0), sides.next().unwrap_or(0)]
}
