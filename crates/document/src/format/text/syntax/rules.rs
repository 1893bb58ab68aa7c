//! The rules of one syntax.

use super::cells::Cells;
use super::code::Code;
use super::tex::{self, Tex};
use super::texinfo::{self, Texinfo};
use super::unit::Unit;
use super::{code, fields, roff, wiki};
use crate::source::{Fields, TextSyntax};

/// The rules for the marks of a syntax, with their state.
#[derive(Clone, Debug)]
pub(super) enum Rules {
    /// Only terminal sequences.
    Plain,
    Cells(Cells),
    Roff,
    AsciiDoc,
    Wiki,
    Texinfo(Texinfo),
    Tex(Tex),
    Code(Code),
    Properties,
    Fields(Fields),
}

impl Rules {
    pub(super) fn new(syntax: Option<TextSyntax>) -> Self {
        match syntax {
            // A diff has no syntax of its own.
            None | Some(TextSyntax::Diff) => Self::Plain,
            Some(TextSyntax::Cells { separator }) => Self::Cells(Cells::new(separator)),
            Some(TextSyntax::Roff) => Self::Roff,
            Some(TextSyntax::AsciiDoc) => Self::AsciiDoc,
            Some(TextSyntax::Wiki) => Self::Wiki,
            Some(TextSyntax::Texinfo) => Self::Texinfo(Texinfo::default()),
            Some(TextSyntax::Tex) => Self::Tex(Tex::default()),
            Some(TextSyntax::Gettext) => Self::Code(Code::gettext()),
            Some(TextSyntax::Code(literals)) => Self::Code(Code::new(literals)),
            Some(TextSyntax::Properties) => Self::Properties,
            Some(TextSyntax::Fields(fields)) => Self::Fields(fields),
        }
    }

    /// The bytes that may be marks.
    pub(super) fn marks(&self) -> Vec<u8> {
        let own: &[u8] = match self {
            Self::Plain => b"",
            Self::Cells(cells) => &cells.marks(),
            Self::Roff | Self::Properties => b"\\",
            Self::Fields(fields) => fields::marks(*fields),
            Self::AsciiDoc => wiki::ASCIIDOC_MARKS,
            Self::Wiki => wiki::MARKS,
            Self::Texinfo(_) => texinfo::MARKS,
            Self::Tex(_) => tex::MARKS,
            Self::Code(code) => code.marks(),
        };
        own.to_vec()
    }

    /// The meaning of the mark at `at`.
    pub(super) fn unit(&mut self, text: &str, at: usize) -> Unit {
        let rest = &text[at..];
        match self {
            Self::Plain => Unit::Keep(1),
            Self::Cells(cells) => cells.unit(text, at),
            Self::Roff => roff::unit(rest),
            Self::AsciiDoc => wiki::asciidoc_unit(text, at),
            Self::Wiki => wiki::unit(rest),
            Self::Texinfo(texinfo) => texinfo.unit(rest),
            Self::Tex(tex) => tex.unit(rest),
            Self::Code(code) => code.unit(text, at),
            Self::Properties => code::property_unit(rest),
            Self::Fields(fields) => fields::unit(rest, *fields),
        }
    }
}
