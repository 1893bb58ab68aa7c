//! Classification of references that are checked, and the results.

use std::path::Path;

use super::fragment::parts;
use super::options::CheckOptions;
use super::presence::Look;
use super::reason::BrokenReason;
use crate::document::Document;
use crate::format::Format;
use crate::format::markdown::Slugs;
use crate::format::xml::names_entity;
use crate::link::{MarkdownForm, Markup, ParsedLink, Place, Role, Target};
use crate::listing::{Id, Presence};
use crate::rewrite::is_template;
use crate::site::{Site, served_paths};
use crate::source::{PackagePart, PartBase};
use crate::uri::Parts;

/// The result of checking a link.
pub(super) enum Verdict<'t> {
    /// Not checked: the link is to another site, or not to a file.
    Unchecked,
    /// The target exists: this file, if it is one, with this fragment.
    Exists(Option<Id>, Option<&'t str>),
    Broken(BrokenReason),
    /// The target could not be looked up.
    Unknown,
    /// Not checked: the root of the site is unknown.
    Rootless,
    /// Not checked: a template engine writes the reference.
    Template,
    /// Not checked: the site may generate the target.
    Generated,
}

/// Returns true if the target of a link should exist: a user who follows it gets a file.
///
/// A base is part of other references, an alias in the front matter is an address of the document
/// itself, and a ping is sent to a program. Names of classes and vocabularies are not files. The
/// name of an image map is not an `id`.
pub(super) fn is_file_reference(link: &ParsedLink<'_>) -> bool {
    const NAMES: [&str; 5] = ["profile", "classid", "code", "usemap", "codebase"];
    if matches!(link.role, Role::Base | Role::Ping) || link.is_own_address() {
        return false;
    }
    let Place::Markup(markup) = &link.place else {
        return true;
    };
    let attribute = &*markup.attribute;
    // Most links are in these.
    if matches!(attribute, "href" | "src") {
        return true;
    }
    let is_name = NAMES.contains(&attribute)
        || link.role == Role::Metadata && attribute.ends_with(":resource");
    !is_name
}

/// Returns true if a link in XML contains an entity of the document type, which is not read, so
/// that its value is unknown.
pub(super) fn is_unknown(document: &Document, link: &ParsedLink<'_>) -> bool {
    let is_xml = |markup: &Markup| markup.outermost().language.is_xml();
    // Decoding keeps the `&` of unknown entities.
    link.place.markup().is_some_and(is_xml)
        && link.reference.contains('&')
        && link.spans.iter().any(|&span| names_entity(&document.decode(span)))
}

/// Returns true if a relative reference of a book leaves it, or is a path from its root, which readers
/// do not know (EPUB 3.3, section 4.2.5).
pub(super) fn leaves_book(document: &Document, link: &ParsedLink<'_>, target: &Target<'_>) -> bool {
    let is_in_book = |it: &&PackagePart| it.base == PartBase::PartOfBook;
    let Some(part) = document.package_part().filter(is_in_book) else {
        return false;
    };
    let parts = Parts::split(&link.reference);
    let is_path = link.reference.starts_with("\\\\");
    if parts.scheme.is_some() || parts.authority.is_some() || is_path {
        return false;
    }
    if target.base.is_none() {
        return false;
    }
    let base = document.base().map_or("", |base| &base.uri);
    let leaves = target.uri.is_some_and(|uri| !part.is_sibling(base, uri));
    parts.path.starts_with('/') || leaves
}

/// Returns true if a fragment does not refer to an element by its `id`: an XPointer or a view (SVG
/// 2, section 16.3.2), a behavior built into a browser, a part of an image or film (Media Fragments
/// URI), a bookmark of an office.
pub(super) fn names_no_anchor(link: &ParsedLink<'_>, fragment: &str) -> bool {
    let is_function = fragment.ends_with(')') && fragment.contains('(');
    let is_part = ["t=", "xywh=", "track="].iter().any(|it| fragment.starts_with(it));
    // Bookmarks and sheets have names of their own.
    let is_of_office = link.place.markup().is_some_and(|it| it.language.is_of_office());
    is_of_office
        || is_function
        || is_part && link.role == Role::Embed
        || matches!(link.place, Place::Css(_)) && fragment.starts_with("default#")
}

/// The format of a file by its name.
pub(super) fn format_of(site: &Site, file: Id) -> Option<Format> {
    let name = String::from_utf8_lossy(site.listing().name(file));
    Format::from_extension(Path::new(&*name))
}

/// The fragment of a link, if it names an anchor of a page whose headings have ids by this rule, and
/// has no expression of a template.
pub(super) fn anchor_named<'l>(link: &'l ParsedLink<'_>, slugs: Slugs) -> Option<&'l str> {
    let (_, fragment) = link.reference.split_once('#')?;
    let is_in_page = match link.place.path_form() {
        Some(MarkdownForm::Directive(directive)) => directive.has_fragment(),
        Some(_) => slugs == Slugs::Obsidian,
        None => !names_no_anchor(link, fragment),
    };
    let is_anchor = is_in_page && !is_template(fragment) && parts(fragment, slugs).next().is_some();
    is_anchor.then_some(fragment)
}

/// Looks up a path relative to the root of a site, which its listing does not have.
pub(super) fn looked_up<'t>(
    look: Option<&Look<'_>>,
    (site, options): (&Site, &CheckOptions),
    path: &[u8],
) -> Verdict<'t> {
    let Some(look) = look else {
        return Verdict::Broken(BrokenReason::Missing);
    };
    match look(path) {
        Presence::File => Verdict::Exists(None, None),
        Presence::Missing
            if options.clean_urls
                && served_paths(path).any(|page| look(&page) == Presence::File) =>
        {
            Verdict::Exists(None, None)
        }
        Presence::Missing => Verdict::Broken(BrokenReason::Missing),
        Presence::Unknown => Verdict::Unknown,
        Presence::Directory if options.index => {
            let directory = path.strip_suffix(b"/").unwrap_or(path);
            let index = |name| look(&[directory, b"/", name].concat());
            let mut names = site.index_names();
            match names.any(|name| index(name) == Presence::File) {
                true => Verdict::Exists(None, None),
                false => Verdict::Broken(BrokenReason::Index),
            }
        }
        Presence::Directory => Verdict::Exists(None, None),
    }
}
