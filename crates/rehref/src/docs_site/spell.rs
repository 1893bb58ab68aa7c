//! Writing a reference to a file in the same form as before.

use std::borrow::Cow;

use super::address::{DocsSite, Mount, Shape};
use super::form::{Form, Start};
use super::kind::SiteKind;
use super::lookup::{PageLookup, PageTarget, SITE_ALIAS, SitePages, wiki_path};
use super::paths::{below, join, path_of, relative, split, split_extension};
use crate::bytes::percent;
use crate::listing::Id;

/// A reference before its target or its document moved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Old<'o> {
    /// The path of the document.
    pub(crate) document: &'o [u8],
    /// The reference.
    pub(crate) reference: &'o str,
    pub(crate) target: PageTarget,
}

/// The redundant parts of a relative path, which are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lead {
    /// True if it begins with a redundant `./`.
    dot: bool,
    /// The number of redundant `..`.
    climbs: usize,
}

/// The reference to `file` in the new tree, for the document that is now at `document`, in the form
/// of the old reference if possible, or else in the nearest form. `old_pages` are the pages of the
/// old tree. `None` if no reference names the file.
pub(crate) fn respelled(
    pages: SitePages<'_>,
    old_pages: SitePages<'_>,
    old: Old<'_>,
    document: &[u8],
    file: Id,
    moves_along: bool,
) -> Option<String> {
    let names_it = |reference: &str| pages.target(document, reference) == Some(file);
    let path = pages.listing.name(file);
    let lead = lead_of(old_pages, old.document, old.reference, old.target.form, old.target.file);
    // Not only literally, or by its name: then the reference would have another form.
    let is_of_form = match pages.find(document, old.reference) {
        PageLookup::Found(it) => it.file == file && it.form.start == old.target.form.start,
        _ => false,
    };
    if is_of_form && names_it(old.reference) {
        let now = || lead_of(pages, document, old.reference, old.target.form, file);
        if moves_along || lead.climbs == now().climbs {
            return Some(old.reference.to_owned());
        }
    }
    let spellings = spellings(pages, document, path, old.target.form);
    let written = spellings.into_iter().filter_map(|(start, names, slash)| {
        written(pages, old.reference, lead, document, start, &names, slash)
    });
    { written }.find(|reference| names_it(reference))
}

/// The target of a wiki link to `file` in the new tree, for the document that is now at `document`.
/// It is unchanged if it still refers to the file, or else the shortest end of its path that does.
/// With a directory, the whole path comes first.
pub(super) fn respelled_wiki(
    pages: SitePages<'_>,
    old: Old<'_>,
    document: &[u8],
    file: Id,
) -> Option<String> {
    let names_it = |target: &str| pages.wiki(document, target).is_some_and(|it| it.file == file);
    if names_it(old.reference) {
        return Some(old.reference.to_owned());
    }
    let (path, suffix) = wiki_path(old.reference);
    let layout = pages.layouts.governing(document);
    let layout = layout.filter(|(_, it)| it.is_vault()).map(|(_, it)| it);
    let mut ends: Vec<Vec<u8>> = ends_of(layout, pages.listing.name(file), old.target.form.shape);
    if path.contains('/') {
        ends.rotate_right(1);
    }
    let texts = ends.into_iter().filter_map(|end| String::from_utf8(end).ok());
    let has_blanks = path.contains(' ') && !path.contains('-');
    let targets = texts.map(|text| match layout.is_some_and(|it| it.kind == SiteKind::Wiki) {
        true if has_blanks => text.replace('-', " ") + suffix,
        _ => text + suffix,
    });
    { targets }.find(|target| names_it(target))
}

/// The names of a file in all forms, the given one first, and true for those that end in a slash.
fn spellings(
    pages: SitePages<'_>,
    document: &[u8],
    file: &[u8],
    form: Form,
) -> Vec<(Option<Start>, Vec<u8>, bool)> {
    let mut spellings = Vec::new();
    if let Some((_, layout)) = pages.layouts.governing(document) {
        let mut add = |start, mount: &Mount| {
            let names = below(file, &mount.directory).map(|rest| join(&mount.url, rest));
            spellings.extend(names.map(|names| (Some(start), names, false)));
        };
        match form.start {
            Start::Content if layout.finds_pages => {
                let slash = form.shape == Shape::Slash;
                let path = layout.page_path(file);
                let content = layout.content_of(document);
                let names = content.and_then(|it| Some(below(&path, &it.directory)?.to_vec()));
                spellings.extend(names.map(|names| (Some(form.start), names, slash)));
            }
            Start::Content | Start::ContentRoot => {
                let content = layout.content_of(document);
                content.iter().for_each(|it| add(form.start, it));
                add(Start::Alias, &layout.home);
            }
            Start::Home | Start::HomeRoot | Start::Alias => add(form.start, &layout.home),
            Start::Anywhere => {
                let ends = ends_of(Some(layout), file, form.shape).into_iter();
                spellings.extend(ends.map(|it| (Some(form.start), it, false)));
            }
            Start::Pages => {
                let slash = form.shape == Shape::Slash;
                spellings.push((Some(form.start), layout.page_path(file), slash));
            }
            Start::File | Start::Page | Start::Root { .. } => {}
        }
        let start = match form.start {
            Start::Root { .. } => form.start,
            Start::ContentRoot | Start::HomeRoot => Start::Root { is_prefixed: false },
            _ => Start::Page,
        };
        let shapes = std::iter::once(form.shape).chain(Shape::ALL);
        for (names, slash) in shapes.filter_map(|shape| layout.path_of(file, shape)) {
            let names = match start {
                Start::Root { is_prefixed: true } => join(&layout.prefix, &names),
                _ => names,
            };
            spellings.push((Some(start), names, slash));
        }
    }
    // The file itself, relative to the document.
    spellings.push((None, file.to_vec(), false));
    spellings
}

/// The text of a reference. `None` if the start is the document itself.
pub(super) fn written(
    pages: SitePages<'_>,
    old: &str,
    lead: Lead,
    document: &[u8],
    start: Option<Start>,
    names: &[u8],
    slash: bool,
) -> Option<String> {
    let end = old.find(['?', '#']).unwrap_or(old.len());
    let (old_path, suffix) = old.split_at(end);
    let base = match start {
        None => Some(split(document).0.to_vec()),
        Some(Start::Page) => Some(pages.layouts.governing(document)?.1.base_of(document)?),
        Some(Start::Pages) => {
            let (_, layout) = pages.layouts.governing(document)?;
            Some(layout.page_directory(document).to_vec())
        }
        Some(_) => None,
    };
    let mut text = match (&base, start) {
        (Some(base), _) => {
            let names = relative(base, names, slash, lead.climbs);
            let names = spelled_like(old_path, &names);
            match lead.dot || names.split('/').next().is_some_and(|it| it.contains(':')) {
                true => format!("./{names}"),
                false => names,
            }
        }
        (None, Some(Start::Alias)) => SITE_ALIAS.to_owned() + &spelled_like(old_path, names),
        (None, Some(Start::Content | Start::Home | Start::Anywhere)) => {
            spelled_like(old_path, names)
        }
        (None, _) => format!("/{}", spelled_like(old_path, names)),
    };
    match slash {
        true if text.is_empty() => text.push_str("./"),
        true if !text.ends_with('/') => text.push('/'),
        false if text.is_empty() => text.push('.'),
        _ => {}
    }
    Some(text + suffix)
}

/// The redundant parts of a reference to `file`.
fn lead_of(pages: SitePages<'_>, document: &[u8], reference: &str, form: Form, file: Id) -> Lead {
    let Some((path, false)) = path_of(reference) else {
        return Lead::default();
    };
    let rest = path.strip_prefix("./");
    let dot = rest.is_some_and(|it| !it.is_empty());
    let written = rest.unwrap_or(path).split('/');
    let written = written.take_while(|it| *it == "..").count();
    let needed = || {
        let (_, layout) = pages.layouts.governing(document)?;
        let base = layout.base_of(document)?;
        let (names, slash) = layout.path_of(pages.listing.name(file), form.shape)?;
        let text = relative(&base, &names, slash, 0);
        Some(text.split(|&it| it == b'/').take_while(|it| *it == b"..").count())
    };
    let climbs = match form.start {
        Start::Page => needed().map_or(0, |needed| written.saturating_sub(needed)),
        _ => 0,
    };
    Lead { dot, climbs }
}

/// The ends of the path of a file, the shortest first.
fn ends_of(layout: Option<&DocsSite>, file: &[u8], shape: Shape) -> Vec<Vec<u8>> {
    let below_mount = layout.and_then(|it| it.mount_of(file)).map(|(_, rest)| rest);
    let path = below_mount.unwrap_or(file);
    let path = match shape {
        Shape::Bare => {
            let (directory, name) = split(path);
            join(directory, split_extension(name).0)
        }
        _ => path.to_vec(),
    };
    let starts = memchr::memrchr_iter(b'/', &path).map(|at| at + 1).chain([0]);
    starts.map(|start| path[start..].to_vec()).collect()
}

/// The text of names, with those at both ends spelled as in the old path.
fn spelled_like(old: &str, names: &[u8]) -> String {
    let old: Vec<&str> = old.split('/').filter(|it| !it.is_empty() && *it != ".").collect();
    let names: Vec<&[u8]> = names.split(|&byte| byte == b'/').collect();
    let is_same = |(old, new): &(&&str, &&[u8])| *percent::decode(old) == ***new;
    let trail = old.iter().rev().zip(names.iter().rev()).take_while(|it| is_same(it));
    let trail = trail.count();
    let lead = old[..old.len() - trail].iter().zip(&names[..names.len() - trail]);
    let lead = lead.take_while(is_same).count();
    let text = names.iter().enumerate().map(|(at, name)| {
        if at < lead {
            return Cow::Borrowed(old[at]);
        }
        match names.len() - at <= trail {
            true => Cow::Borrowed(old[old.len() - (names.len() - at)]),
            false => {
                let mut text = String::new();
                percent::encode_path_segment(name, &mut text);
                Cow::Owned(text)
            }
        }
    });
    text.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_spelling() {
        for (old, names, expected) in [
            ("x%20y/b%2Dc", "x y/d/b-c", "x%20y/d/b%2Dc"),
            ("文", "d/文", "d/文"),
            ("a", "ä b", "%C3%A4%20b"),
            ("../a", "../../a", "../../a"),
            ("./a", "a", "a"),
        ] {
            assert_eq!(spelled_like(old, names.as_bytes()), expected, "{old}");
        }
    }
}
