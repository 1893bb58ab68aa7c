//! The blocks that a line may continue: containers and the leaf in them.

use super::bodies::Head;
use super::line::{Indent, Line, is_blank};
use super::raw_html::BlockEnd;

/// A block that holds blocks.
#[derive(Clone, Copy, Debug)]
pub(super) enum Container {
    Quote,
    /// An item of a list, whose content is indented by `width` columns.
    Item {
        width: usize,
        is_empty: bool,
    },
    /// The text of a footnote.
    Footnote {
        is_empty: bool,
    },
    /// The indented body of an admonition, a tab or a definition of Python-Markdown. A tab has the
    /// number of its set and its number in that.
    Body {
        tab: Option<(usize, usize)>,
    },
    /// A directive of MyST between fences, whose content is Markdown.
    Directive {
        byte: u8,
        len: usize,
        head: Head,
    },
}

/// The open leaf block.
#[derive(Clone, Copy, Debug)]
pub(super) enum Leaf {
    None,
    Paragraph,
    /// A code block between fences.
    Fence {
        byte: u8,
        len: usize,
    },
    IndentedCode,
    Html(BlockEnd),
    Table,
}

/// The ways in which a line may still open blocks.
pub(super) struct Opening {
    /// The number of containers that the line continues or has opened.
    pub(super) matched: usize,
    /// True if a new block would interrupt a paragraph in the same container.
    pub(super) interrupts: bool,
    /// True if the line may continue a paragraph in any container.
    pub(super) may_be_lazy: bool,
}

pub(super) enum Opened {
    Container,
    Leaf,
    Nothing,
}

/// The maximum number of containers in which a list item or a footnote begins.
pub(super) const MOST_NESTED: usize = 100;

/// The indent of the text of a footnote, and of the bodies of Python-Markdown.
pub(super) const BODY_INDENT: usize = 4;

/// Moves past the `>` after `indent`, and the blank after it.
pub(super) fn enter_quote(line: &mut Line<'_>, indent: Indent) {
    line.move_to(indent, indent.end + 1);
    if line.indent().columns > 0 {
        line.advance(1);
    }
}

/// Returns true if a line closes a fence of `len` bytes.
pub(super) fn closes_fence(rest: &[u8], byte: u8, len: usize) -> bool {
    let run = rest.iter().take_while(|it| **it == byte).count();
    run >= len && rest[run..].iter().copied().all(is_blank)
}

/// The length of the box of a task (`[ ]` or `[x]`) that a list item begins with (GFM, section 5.3).
pub(super) fn task_box(rest: &[u8]) -> usize {
    match rest {
        [b'[', b' ' | b'x' | b'X' | b'\t', b']', blank, ..] if is_blank(*blank) => "[ ]".len(),
        _ => 0,
    }
}
