//! Links in the syntax of programs of offices: in fields of Word, in formulas, and copies of links.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use smallvec::smallvec;

use super::fields::{FieldLink, Instruction};
use super::formulas::{self, FormulaLink};
use super::found::Found;
use super::input::{Element, Input, owned};
use super::lexer::Attribute;
use super::namespace::{Namespace, split};
use super::pieces::{PieceSpans, Pieces};
use crate::bytes::{Span, Spans};
use crate::format::markup::xml_value::Within;
use crate::format::value::strip;
use crate::link::{
    BaseScope, Form, Language, Markup, Note, Notes, ParsedLink, Place, Quoting, Role, ScopedBase,
};

/// The most fields inside one another whose links are read. Word allows 20.
const DEEPEST: usize = 32;

/// The text of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfficeText {
    /// A piece of the instruction of a field.
    Instruction,
    /// A formula of Excel.
    Formula,
}

/// The fields and the formula that are open, and the number of copies.
#[derive(Default)]
pub(super) struct Office<'s> {
    /// The open fields, innermost last. `None` after the instruction.
    fields: Vec<Option<Field<'s>>>,
    /// The number of open fields within these.
    deeper: usize,
    formula: PieceSpans,
    /// The number of strings in the list of copies so far, in one.
    copies: Option<usize>,
}

/// A field whose instruction is read.
#[derive(Default)]
struct Field<'s> {
    instruction: Instruction<'s>,
    /// The name of the element that has the instruction.
    element: Option<Span>,
}

impl<'s> Office<'s> {
    /// Reads a start tag. Returns the kind of its text.
    pub(super) fn start_tag(
        &mut self,
        input: &Input<'s, '_>,
        element: &Element<'s>,
        found: &mut Found<'_, 's>,
    ) -> Option<OfficeText> {
        self.formula.clear();
        match (element.namespace, element.local) {
            (Namespace::Word, b"fldChar") => self.field_character(input, found),
            (Namespace::Word, b"instrText" | b"delInstrText") => {
                return Some(OfficeText::Instruction);
            }
            (Namespace::Spreadsheet, b"f" | b"formula") => return Some(OfficeText::Formula),
            (Namespace::OfficeProperties, b"HLinks") => self.copies = Some(0),
            (Namespace::OfficeProperties, b"lpwstr") => {
                self.copies = self.copies.map(|it| it + 1);
            }
            _ => {}
        }
        None
    }

    /// Returns true if the string that begins here is the target of a link in the list of copies. The
    /// others in it are places in targets (ISO 29500-1, section 22.2.2.10).
    pub(super) fn is_target_of_copy(&self) -> bool {
        self.copies.is_some_and(|it| it % 2 == 1)
    }

    /// Reads a piece of the text of an element with this name.
    pub(super) fn text(
        &mut self,
        input: &Input<'s, '_>,
        (element, text): (Span, OfficeText),
        (span, within): (Span, Within),
    ) {
        match text {
            OfficeText::Formula => self.formula.push((span, within)),
            OfficeText::Instruction if self.deeper == 0 => {
                if let Some(Some(field)) = self.fields.last_mut() {
                    field.element = Some(element);
                    field.instruction.push(input.decode(span, within));
                }
            }
            OfficeText::Instruction => {}
        }
    }

    /// Ends an element with this name. Adds the links of its formula.
    pub(super) fn end_tag(&mut self, input: &Input<'s, '_>, name: Span, found: &mut Found<'_, 's>) {
        if self.copies.is_some() && split(&input.source[name.range()]).1 == b"HLinks" {
            self.copies = None;
        }
        if self.formula.is_empty() {
            return;
        }
        let spans = std::mem::take(&mut self.formula);
        let pieces = Pieces::of(input, &spans);
        for link in formulas::links(pieces.text()) {
            let source = pieces.source_of(Span::new(link.place.start, link.place.end));
            let place = Markup {
                language: Language::Ooxml,
                element: owned(&input.source[name.range()]),
                attribute: Cow::Borrowed(link.function.unwrap_or(Markup::CONTENT)),
                quoting: source.quoting,
                form: Form::Formula { quote: link.quote },
                within: None,
                rel: None,
                fragment: None,
            };
            found.links.push(link_of_formula(link, place, source.spans, source.notes));
        }
    }

    /// Ends the fields that are open at the end of the document.
    pub(super) fn finish(&mut self, input: &Input<'s, '_>, found: &mut Found<'_, 's>) {
        while !self.fields.is_empty() {
            self.end_instruction(input, found);
            self.fields.pop();
        }
    }

    /// Reads the begin, the middle or the end of a field (ISO 29500-1, section 17.16.18).
    fn field_character(&mut self, input: &Input<'s, '_>, found: &mut Found<'_, 's>) {
        let is_type = |it: &&Attribute| split(&input.source[it.name.range()]).1 == b"fldCharType";
        let attribute = input.lexer.attributes.iter().find(is_type);
        match attribute.map(|it| &input.source[it.value.range()]) {
            Some(b"begin") if self.fields.len() == DEEPEST => self.deeper += 1,
            Some(b"begin") => {
                if let Some(Some(outer)) = self.fields.last_mut() {
                    outer.instruction.push_nested();
                }
                self.fields.push(Some(Field::default()));
                found.links.hold();
            }
            Some(b"separate") if self.deeper == 0 => self.end_instruction(input, found),
            Some(b"end") if self.deeper > 0 => self.deeper -= 1,
            Some(b"end") => {
                self.end_instruction(input, found);
                self.fields.pop();
            }
            _ => {}
        }
    }

    /// Adds the link of the innermost field, once its instruction is over.
    fn end_instruction(&mut self, input: &Input<'s, '_>, found: &mut Found<'_, 's>) {
        let Some(field) = self.fields.last_mut().and_then(Option::take) else {
            return;
        };
        if let Some(link) = field.instruction.link() {
            let element = field.element.map_or(&b""[..], |it| &input.source[it.range()]);
            let element = owned(element);
            found.links.push(link_of_field(link, element, Quoting::Content));
        }
        if self.fields.iter().all(Option::is_none) {
            found.links.release();
        }
    }
}

/// Adds the links of an attribute of an office with a prefix and this local name: a field, a formula,
/// or the name of a sheet that is a copy of one in another file.
pub(super) fn links_of_attribute<'s>(
    input: &Input<'s, '_>,
    element: &Element<'s>,
    (attribute, local): (Attribute, &[u8]),
    found: &mut Found<'_, 's>,
) {
    match (element.namespace, local) {
        (Namespace::Word, b"instr") => simple_field(input, element, attribute, found),
        (Namespace::Odf, b"condition" | b"expression" | b"formula") => {
            links_of_formula(input, element, attribute, found);
        }
        (Namespace::Odf, b"name") if element.local == b"table" => {
            links_of_formula(input, element, attribute, found);
        }
        _ => {}
    }
}

/// Adds the link of a field that is an attribute.
fn simple_field<'s>(
    input: &Input<'s, '_>,
    element: &Element<'s>,
    attribute: Attribute,
    found: &mut Found<'_, 's>,
) {
    let mut instruction = Instruction::default();
    instruction.push(input.decode(attribute.value, Within::Attribute));
    if let Some(link) = instruction.link() {
        found.links.push(link_of_field(link, element.written(None), attribute.quoting));
    }
}

/// Adds the links of a formula of Open Document Format.
fn links_of_formula<'s>(
    input: &Input<'s, '_>,
    element: &Element<'s>,
    attribute: Attribute,
    found: &mut Found<'_, 's>,
) {
    let value = input.decode(attribute.value, Within::Attribute);
    for link in formulas::links(&value.text) {
        let place = Markup {
            language: Language::Odf,
            element: element.written(None),
            attribute: owned(&input.source[attribute.name.range()]),
            quoting: attribute.quoting,
            form: Form::Formula { quote: link.quote },
            within: None,
            rel: None,
            fragment: None,
        };
        let span = Span::new(link.place.start, link.place.end);
        let (spans, notes) = (smallvec![value.to_source(span)], value.notes(span));
        found.links.push(link_of_formula(link, place, spans, notes));
    }
}

/// The scope of a reference whose base is unknown: a path from the root is one from that of a drive,
/// Word searches a template without a path, and programs disagree about the base of hyperlinks that
/// the properties of a document may have. `None` for other references.
pub(super) fn unknown_base(
    input: &Input<'_, '_>,
    language: Language,
    attribute: &str,
    role: Role,
    reference: &str,
) -> Option<BaseScope> {
    static UNKNOWN: LazyLock<Option<Arc<ScopedBase>>> =
        LazyLock::new(|| Some(Arc::new(ScopedBase::new("", None)?.unknown())));
    let is_relationship = language == Language::Ooxml && attribute == "Target";
    let is_from_root = reference.starts_with('/') && !reference.starts_with("//");
    let is_name = is_relationship && role == Role::Style && !reference.contains(['/', '\\']);
    let is_hyperlink = is_relationship && role == Role::Navigate;
    let is_unknown = language.is_of_office()
        && (is_from_root || is_name || is_hyperlink && input.has_hyperlink_base);
    let unknown = UNKNOWN.as_ref().filter(|_| is_unknown)?;
    Some(BaseScope::Nested(Arc::clone(unknown)))
}

fn link_of_field<'s>(
    link: FieldLink,
    element: Cow<'static, str>,
    quoting: Quoting,
) -> ParsedLink<'s> {
    let place = Markup {
        language: Language::Ooxml,
        element,
        attribute: Cow::Borrowed(link.kind),
        quoting,
        form: Form::Field { is_quoted: link.is_quoted },
        within: None,
        rel: None,
        fragment: link.fragment.map(Arc::from),
    };
    let reference = strip(Cow::Owned(link.reference));
    let place = Place::Markup(place.into());
    let notes = match link.spans.len() {
        1 => link.notes,
        _ => link.notes.with(Note::Rejoined),
    };
    ParsedLink { notes, ..ParsedLink::new(link.spans, reference, place, link.role) }
}

fn link_of_formula<'s>(
    link: FormulaLink,
    place: Markup,
    spans: Spans,
    notes: Notes,
) -> ParsedLink<'s> {
    let role = match link.function {
        Some("HYPERLINK") => Role::Navigate,
        _ => Role::Embed,
    };
    let notes = if link.is_composed { notes.with(Note::Composed) } else { notes };
    let reference = strip(Cow::Owned(link.reference));
    let place = Place::Markup(place.into());
    ParsedLink { notes, ..ParsedLink::new(spans, reference, place, role) }
}
