//! The row of HTML in the table of languages.

use super::context::contexts;
use super::declare;
use super::simd::begins_tag;
use super::{
    charset, comments, compare, detect, find, find_by_tag, find_each, link_tags, linkable, served,
};
use crate::format::language::{Language, Rewriting};
use crate::format::markup::write::write as write_in_markup;

/// HTML as browsers read it.
pub(crate) const LANGUAGE: Language = Language {
    extensions: &["html", "htm", "shtml", "shtm"],
    media_types: &["text/html", "text/x-amp-html"],
    begins: detect::begins,
    may_have_nuls: detect::may_have_nuls,
    is_page: true,
    begins_under_any_name: served::begins_as_page,
    declared_charset: charset::declared,
    declare_charset: Some(declare::declare),
    rewriting: Rewriting::All(write_in_markup),
    compare,
    contexts,
    linkable: Some(linkable::linkable),
    link_tags: Some(link_tags::link_tags),
    has_anchors: true,
    read_by_tag: Some(find_by_tag),
    read_each: Some(find_each),
    may_have_base: |source| {
        !source.charset.is_ascii_compatible() || begins_tag(&source.bytes, b"base")
    },
    exempt: comments::exempt,
    ..Language::new("html", find)
};
