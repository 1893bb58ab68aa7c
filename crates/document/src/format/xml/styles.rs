//! Style sheets and `style` attributes.

use std::borrow::Cow;
use std::sync::Arc;

use smallvec::SmallVec;

use super::input::{Element, Input, base_scope, owned};
use super::lexer::Attribute;
use super::pieces::quoting;
use crate::bytes::Span;
use crate::format::css;
use crate::format::markup::xml_value::Within;
use crate::link::{Form, Language, Markup, ParsedLink, Quoting, ScopedBase};

/// Finds the links of a `style` attribute.
pub(super) fn links_of_declarations(
    input: &Input<'_, '_>,
    attribute: Attribute,
    element: &Element<'_>,
    found: impl FnMut(ParsedLink<'static>),
) {
    let markup = Markup {
        language: Language::Xml,
        element: element.written(None),
        attribute: Cow::Borrowed("style"),
        quoting: attribute.quoting,
        form: Form::Whole,
        within: None,
        rel: None,
        fragment: None,
    }
    .into();
    let value = input.decode(attribute.value, Within::Attribute);
    let base_scope = base_scope(element.base.as_ref());
    css::links_within(&value, &markup, &base_scope, found);
}

/// Finds the links of a `style` element named `name`, whose text consists of `pieces`.
pub(super) fn links_of_element(
    input: &Input<'_, '_>,
    name: Span,
    base: Option<&Arc<ScopedBase>>,
    pieces: &[(Span, Within)],
    found: impl FnMut(ParsedLink<'static>),
) {
    let markup = Markup {
        language: Language::Xml,
        element: owned(&input.source[name.range()]),
        attribute: Cow::Borrowed(Markup::CONTENT),
        quoting: Quoting::Content,
        form: Form::Whole,
        within: None,
        rel: None,
        fragment: None,
    };
    let base_scope = base_scope(base);
    let pieces: SmallVec<[_; 1]> = pieces
        .iter()
        .map(|&(span, within)| (input.decode(span, within), quoting(within)))
        .collect();
    css::links_of_pieces(&pieces, &markup, &base_scope, found);
}
