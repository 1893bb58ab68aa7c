//! XHTML: links by the table of HTML. Names count only in lower case, as always in XML.

use std::borrow::Cow;
use std::sync::Arc;

use smallvec::smallvec;

use super::found::Found;
use super::input::{Element, Input, Root, base_scope};
use super::lexer::{Attribute, Tag};
use super::namespace::Namespace;
use super::styles;
use crate::bytes::{Span, join};
use crate::format::html::namespace::Namespace as HtmlNamespace;
use crate::format::html::table;
use crate::format::html::table::Rebased;
use crate::format::html::values;
use crate::format::html::values::{Items, Syntax};
use crate::format::markup::xml_value::{Within, names_entity};
use crate::format::value::strip;
use crate::link::{
    Absoluteness, AttributeSpan, BaseScope, Form, Language, Markup, ParsedLink, Place, Role,
    ScopedBase, removal,
};

/// Adds the links in an attribute of XHTML.
pub(super) fn links_of_attribute<'s>(
    input: &Input<'s, '_>,
    root: Root,
    (tag, element): (Tag, &Element<'s>),
    attribute: Attribute,
    mut is_first: impl FnMut(&'static str) -> bool,
    found: &mut Found<'_, 's>,
) {
    let source = input.source;
    let name = &source[attribute.name.range()];
    let Some(wanted) = table::attribute(name).filter(|it| it.name.as_bytes() == name) else {
        return;
    };
    // The HTML parser turns `image` into `img`; XHTML does not.
    let is_named = |name: &str| name.as_bytes() == element.local && name != "image";
    let Some((row, known)) = wanted
        .on(element.local, HtmlNamespace::Html)
        .map(|(row, known)| (row, known.map(|it| it.name)))
        .filter(|&(_, known)| known.is_none_or(is_named))
    else {
        return;
    };
    let is_requested = !wanted.is_of_scripts() || input.options.extra.data;
    if !is_first(wanted.name) || !is_requested || !is_link(input, wanted.name) {
        return;
    }
    let value = input.decode(attribute.value, Within::Attribute);
    let whole = Span::new(0, value.text.len());
    let (items, form) = match row.syntax {
        Syntax::Url => (Items::One(Some(whole)), Form::Whole),
        Syntax::SpaceList => (Items::list(&value.text, false), Form::Item),
        Syntax::CommaList => (Items::list(&value.text, true), Form::Item),
        Syntax::Srcset => (Items::srcset(&value.text), Form::Candidate),
        Syntax::Refresh => match values::refresh(&value.text) {
            Some((span, quote)) => (Items::One(Some(span)), Form::Refresh { quote }),
            None => return,
        },
        Syntax::Css => {
            let found = |link| found.links.push(link);
            return styles::links_of_declarations(input, attribute, element, found);
        }
        // The page in it would have to be read as HTML.
        Syntax::Page => return,
    };
    let is_canonical = || {
        row.role.is_none() && {
            let rel = input.value_of("rel").unwrap_or_default();
            table::is_canonical(&rel, input.value_of("hreflang").is_some())
        }
    };
    let absoluteness = match (form, root.absoluteness(element)) {
        (Form::Whole, Absoluteness::Optional) if is_canonical() => Absoluteness::Recommended,
        (Form::Whole, absoluteness) => absoluteness,
        _ => Absoluteness::Optional,
    };
    let role = row.role.unwrap_or_else(|| {
        table::role_of_rel(input.value_of("rel").as_deref().unwrap_or_default())
    });
    let base_scope = match row.base_scope {
        Rebased::No => base_scope(element.base.as_ref()),
        Rebased::Document => BaseScope::Document,
        Rebased::Codebase => {
            let codebase = input.value_of("codebase").map(strip);
            let nested = codebase.and_then(|it| {
                let nested = ScopedBase::new(&it, element.base.as_ref())?;
                Some(if names_entity(&it) { nested.unknown() } else { nested })
            });
            base_scope(nested.map(Arc::new).as_ref().or(element.base.as_ref()))
        }
    };
    let is_template = root.namespace == Some(Namespace::Xslt);
    for item in items {
        let reference = strip(join(&value.text, &smallvec![item]));
        if is_template && reference.contains('{') {
            continue;
        }
        let is_base = known == Some("base")
            && role == Role::Base
            && root.vocabulary() == Some(Namespace::Xhtml)
            && !element.in_template;
        if is_base && found.base.is_none() {
            let is_known = !input.has_entity(attribute.value);
            found.base = Some(is_known.then(|| reference.clone().into_owned()));
        }
        if is_base {
            let removal = base_removal(input, tag);
            let link = value.to_source(item);
            found.base_elements.push(AttributeSpan::new(link, removal));
        }
        let place = Markup {
            language: Language::Xml,
            element: element.written(known),
            attribute: Cow::Borrowed(wanted.name),
            quoting: attribute.quoting,
            form,
            within: None,
            rel: input.rel(),
            fragment: None,
        };
        found.links.push(ParsedLink {
            spans: smallvec![value.to_source(item)],
            base_scope: base_scope.clone().of(&reference, role),
            reference,
            place: Place::Markup(place.into()),
            role,
            absoluteness,
            notes: value.notes(item),
            alternatives: Box::default(),
        });
    }
}

/// The bytes to remove with the `href` of the current start tag.
fn base_removal(input: &Input<'_, '_>, tag: Tag) -> Option<Span> {
    let attributes = input.lexer.attributes.iter();
    removal(
        input.source,
        Span::new(tag.name.start - 1, input.lexer.at()),
        !tag.is_empty,
        attributes.map(|it| (it.name, it.value, it.quoting)),
    )
}

/// Returns true if the other attributes of the tag allow this one to have a URL.
fn is_link(input: &Input<'_, '_>, attribute: &str) -> bool {
    const URL_PARAMETERS: [&str; 6] = ["movie", "src", "href", "url", "data", "filename"];
    let is = |name: &str, values: &[&str]| {
        let value = input.value_of(name).unwrap_or_default();
        values.iter().any(|it| value.eq_ignore_ascii_case(it))
    };
    match attribute {
        "content" => is("http-equiv", &["refresh"]),
        "value" => is("valuetype", &["ref"]) || is("name", &URL_PARAMETERS),
        _ => true,
    }
}
