//! Constructs of the programs, such as `{{#include f}}`: the file that their path names, and the
//! inverse. Nothing in the path is percent-encoded.

use super::address::{DocsSite, Mount, Shape};
use super::docs_sites::DocsSites;
use super::form::{Ends, Form, Start};
use super::jekyll::post_name;
use super::kind::SiteKind;
use super::lookup::{PageLookup, PageTarget, SITE_ALIAS, SitePages, depth};
use super::named_pages::NamedPage;
use super::names::{Answer, NameRule};
use super::paths::{
    below, is_markdown, join, relative, resolved, resolved_within, split, split_extension,
};
use super::spell::{Lead, Old, respelled_wiki, written};
use crate::link::{Directive, MarkdownForm};
use crate::listing::Id;

/// The rule by which a construct names a file.
struct Rule {
    /// The starts of a path without a slash, by precedence.
    starts: &'static [Start],
    /// The start of a path with a slash.
    root: Start,
    ends: Ends,
}

impl Rule {
    /// The rule for a construct on a site of this kind.
    fn of(directive: Directive, kind: Option<SiteKind>) -> Self {
        let of_file =
            Self { starts: &[Start::File], root: Start::ContentRoot, ends: Ends::default() };
        let ends = |extensions, indexes| Ends { extensions, indexes };
        match directive {
            Directive::Snippet => Self { starts: &[Start::Home, Start::Content], ..of_file },
            Directive::Ref | Directive::Relref => {
                Self { starts: &[Start::File, Start::Content], ends: Ends::OF_HUGO, ..of_file }
            }
            Directive::Nav if kind == Some(SiteKind::Sphinx) => Self::of(Directive::Doc, kind),
            // Those of mdBook begin at the configuration.
            Directive::Setting if kind == Some(SiteKind::MdBook) => {
                Self { starts: &[Start::Home], ..of_file }
            }
            Directive::Setting
                if matches!(kind, Some(SiteKind::Docusaurus | SiteKind::Starlight)) =>
            {
                of_file
            }
            Directive::Setting if kind == Some(SiteKind::GitBook) => {
                Self { starts: &[Start::Content], ends: ends(&["md"], &[]), ..of_file }
            }
            Directive::Nav | Directive::Setting | Directive::Link => {
                Self { starts: &[Start::Content], ..of_file }
            }
            Directive::Doc | Directive::Toctree => {
                Self { ends: ends(&["md", "rst", "markdown", "ipynb", "txt"], &[]), ..of_file }
            }
            Directive::ContentRef => Self { ends: ends(&["md"], &["README"]), ..of_file },
            Directive::Import | Directive::Require => Self {
                root: Start::HomeRoot,
                ends: ends(&["js", "jsx", "ts", "tsx", "mdx", "md", "json"], &["index"]),
                ..of_file
            },
            _ => of_file,
        }
    }
}

/// The file that a link of this form, whose text is a path and not a URL, refers to.
pub(crate) fn named_by(
    pages: SitePages<'_>,
    form: MarkdownForm,
    document: &[u8],
    text: &str,
) -> PageLookup {
    match form {
        MarkdownForm::Directive(directive) => lookup(pages, directive, document, text),
        _ => {
            let note = pages.wiki(document, text);
            note.map_or(PageLookup::Missing, PageLookup::Found)
        }
    }
}

/// The file that the path of a construct names. `None` if it names several, or none.
fn file_of(
    pages: SitePages<'_>,
    directive: Directive,
    document: &[u8],
    text: &str,
) -> Option<PageTarget> {
    match lookup(pages, directive, document, text) {
        PageLookup::Found(found) => Some(found),
        _ => None,
    }
}

/// Finds the file that the path of a construct names.
fn lookup(pages: SitePages<'_>, directive: Directive, document: &[u8], text: &str) -> PageLookup {
    let site = pages.layouts.governing(document);
    let layout = site.map(|(_, layout)| layout);
    let kind = layout.map(|it| it.kind);
    if let Some(name) = kind.and_then(|kind| NamedPage::of(kind, directive, text)) {
        return name.find(pages, document, text);
    }
    let rule = Rule::of(directive, kind);
    let (path, _) = divided(directive, text);
    match directive {
        Directive::PostUrl => {
            let name = path.strip_prefix('/').unwrap_or(path);
            let file = layout.and_then(|layout| post(pages, layout, name));
            return file.map_or(PageLookup::Missing, |it| PageLookup::Found(anywhere(it)));
        }
        Directive::BaseUrl => {
            return site.map_or(PageLookup::Missing, |(number, layout)| {
                pages.below_prefix(number, layout, path)
            });
        }
        // Only a path of a copied file may begin with a slash.
        Directive::Link if path.starts_with('/') && is_markdown(path.as_bytes()) => {
            return PageLookup::Missing;
        }
        // Jekyll refuses these paths.
        Directive::IncludeRelative if path.contains("..") => return PageLookup::Missing,
        _ => {}
    }
    let (starts, path) = if let Some(path) = path.strip_prefix(SITE_ALIAS) {
        (&[Start::Alias][..], path)
    } else if let Some(path) = path.strip_prefix('/') {
        (std::slice::from_ref(&rule.root), path)
    } else {
        (rule.starts, path)
    };
    if path.is_empty() {
        return PageLookup::Missing;
    }
    let found = starts.iter().find_map(|&start| {
        let directory = directory_of(layout, document, start)?;
        let clean = match (directive, layout.and_then(|it| it.mount_of(document))) {
            // Sphinx ignores `..` above the source directory.
            (Directive::Doc | Directive::Toctree, Some((mount, _))) => {
                resolved_within(&mount.directory, &directory, path)?
            }
            _ => resolved(&directory, &path.replace('%', "%25")).ok()?,
        };
        let language = layout.map_or("", |it| it.language_of(document));
        let (file, shape) = pages.at_path(&rule.ends, &clean.names, language)?;
        Some(PageTarget { file, form: Form { start, shape } })
    });
    match (found, directive, site) {
        (Some(found), ..) => PageLookup::Found(found),
        (None, Directive::Ref | Directive::Relref, Some((number, layout))) => {
            pages.page_named(number, layout, document, path.as_bytes())
        }
        (None, ..) => PageLookup::Missing,
    }
}

/// The length of a name that no file has, in bytes.
const TOO_LONG: usize = 4096;

/// The file that `{% post_url name %}` refers to: the post with this path without `_posts`, or else
/// one with this name.
fn post(pages: SitePages<'_>, layout: &DocsSite, name: &str) -> Option<Id> {
    let content = layout.mounts.first().filter(|_| name.len() < TOO_LONG)?;
    let extensions = layout.kind.program().page_extensions;
    let ends =
        |stem: &[u8]| extensions.iter().map(|it| [stem, b".", it].concat()).collect::<Vec<_>>();
    let directories = name.match_indices('/').map(|(at, _)| at + 1).chain([0]);
    let mut exact = directories.flat_map(|at| {
        let (above, rest) = name.split_at(at);
        let stem = [above, "_posts/", rest].concat();
        ends(&join(&content.directory, stem.as_bytes()))
    });
    let last = name.rsplit('/').next().unwrap_or_default();
    let is_post = |id: &Id| {
        let path = layout.copied(pages.listing.name(*id));
        let short = path.and_then(|it| post_name(&it));
        short.is_some_and(|it| it.rsplit('/').next() == Some(last))
    };
    let named = || {
        let ends = ends(last.as_bytes());
        pages.name_index().answer(&content.directory, NameRule::Post, &ends, |files| {
            let posts = files.filter(is_post);
            Answer {
                file: posts.min_by_key(|it| (depth(pages.listing.name(*it)), *it)),
                ..Answer::default()
            }
        })
    };
    let exact = exact.find_map(|path| pages.file_at(&path).filter(is_post));
    exact.or_else(|| named().file)
}

/// A file that is found by its name.
fn anywhere(file: Id) -> PageTarget {
    let form = Form { start: Start::Anywhere, shape: Shape::Bare };
    PageTarget { file, form }
}

/// The path relative to the root of the tree that a construct names from the directory of its site,
/// if that is above the tree.
pub(crate) fn outside(
    layouts: &DocsSites,
    form: MarkdownForm,
    document: &[u8],
    text: &str,
) -> Option<Vec<u8>> {
    let MarkdownForm::Directive(directive) = form else {
        return None;
    };
    let (_, layout) = layouts.governing(document)?;
    let mount = match directive {
        Directive::Link | Directive::PostUrl => layout.mount_of(document)?.0,
        _ if Rule::of(directive, Some(layout.kind)).starts.contains(&Start::Home) => &layout.home,
        _ => return None,
    };
    let text = match directive {
        // The directory of other posts is unknown.
        Directive::PostUrl => "",
        Directive::Link => text.trim_start_matches('/'),
        _ => divided(directive, text).0,
    };
    if text.starts_with('/') {
        return None;
    }
    if mount.is_partial {
        let levels = depth(&mount.url) + 1;
        return Some(("../".repeat(levels) + text).into_bytes());
    }
    let path = join(&mount.directory, text.as_bytes());
    let climbs = resolved(&mount.directory, &text.replace('%', "%25")).is_err();
    climbs.then_some(path)
}

/// The text of a construct in `document` whose path is above the tree, for the same document at
/// `new`. `None` if the path does not. Files outside of the tree do not move.
pub(crate) fn respelled_above(
    form: MarkdownForm,
    document: &[u8],
    new: &[u8],
    text: &str,
) -> Option<String> {
    let MarkdownForm::Directive(directive) = form else {
        return None;
    };
    if Rule::of(directive, None).starts != [Start::File] {
        return None;
    }
    let mut rest = text;
    let mut climbs = 0_usize;
    loop {
        if let Some(after) = rest.strip_prefix("../") {
            climbs += 1;
            rest = after;
        } else if let Some(after) = rest.strip_prefix("./") {
            rest = after;
        } else {
            break;
        }
    }
    let above = climbs.checked_sub(depth(document)).filter(|&it| it > 0)?;
    match depth(new) == depth(document) {
        true => Some(text.to_owned()),
        false => Some("../".repeat(depth(new) + above) + rest),
    }
}

/// The path of a construct, and the fragment after it.
fn divided(directive: Directive, text: &str) -> (&str, &str) {
    let end = match directive {
        directive if directive.has_fragment() => text.find('#'),
        _ => None,
    };
    text.split_at(end.unwrap_or(text.len()))
}

/// The directory in the tree that a path begins at. For a document outside of all sites, only its
/// directory is available.
fn directory_of(layout: Option<&DocsSite>, document: &[u8], start: Start) -> Option<Vec<u8>> {
    let whole = |mount: Mount| (!mount.is_partial).then_some(mount.directory);
    match start {
        Start::Content | Start::ContentRoot => Some(layout?.content_of(document)?.directory),
        Start::Home | Start::HomeRoot | Start::Alias => whole(layout?.home.clone()),
        _ => Some(split(document).0.to_vec()),
    }
}

/// The text of a link to `file` in the new tree, for the document that is now at `document`, in the
/// form of the old one if possible.
pub(crate) fn respelled_path(
    pages: SitePages<'_>,
    old_pages: SitePages<'_>,
    form: MarkdownForm,
    old: Old<'_>,
    document: &[u8],
    file: Id,
) -> Option<String> {
    let MarkdownForm::Directive(directive) = form else {
        return respelled_wiki(pages, old, document, file);
    };
    let layout = pages.layouts.governing(document).map(|(_, layout)| layout);
    let name = layout.and_then(|it| NamedPage::of(it.kind, directive, old.reference));
    if let Some(name) = name {
        return name.respelled(pages, old, document, file);
    }
    let target = |text: &str| file_of(pages, directive, document, text);
    let names_it = |text: &str| target(text).is_some_and(|it| it.file == file);
    let (path, suffix) = divided(directive, old.reference);
    let Form { start, shape } = old.target.form;
    let old_file = old_pages.listing.name(old.target.file);
    let climbs = |document: &[u8], file: &[u8]| match start {
        Start::File => needless_climbs(path, document, &shaped(file, shape)?),
        _ => Some(0),
    };
    let old_climbs = climbs(old.document, old_file).unwrap_or(0);
    let new_file = pages.listing.name(file);
    if target(old.reference).is_some_and(|it| it.file == file && it.form.start == start)
        && climbs(document, new_file) == Some(old_climbs)
    {
        return Some(old.reference.to_owned());
    }
    if directive == Directive::PostUrl {
        let name = post_name(&layout?.copied(new_file)?)?;
        let last = name.rsplit('/').next().map(str::to_owned);
        let slash = if path.starts_with('/') { "/" } else { "" };
        // A name alone may be that of a post in any directory.
        let texts = [last.filter(|_| !path.contains('/')), Some(slash.to_owned() + &name)];
        return texts.into_iter().flatten().find(|text| names_it(text));
    }
    if directive == Directive::BaseUrl {
        let shapes = std::iter::once(shape).chain(Shape::ALL);
        let texts = shapes.filter_map(|shape| {
            let (names, slash) = layout?.path_of(new_file, shape)?;
            written(pages, old.reference, Lead::default(), document, Some(start), &names, slash)
        });
        return { texts }.find(|text| names_it(text));
    }
    let starts = [start, Start::File, Start::ContentRoot, Start::Home];
    // The paths of snippets never begin at the document.
    let is_start = |it: &&Start| directive != Directive::Snippet || **it != Start::File;
    let shapes = [shape, Shape::Bare, Shape::Exact];
    let spellings =
        starts.iter().filter(is_start).flat_map(|start| shapes.iter().map(move |it| (*start, *it)));
    let texts = spellings.filter_map(|(start, shape)| {
        let names = shaped(new_file, shape)?;
        let text = match start {
            Start::Anywhere => split(&names).1.to_vec(),
            Start::File => relative(split(document).0, &names, false, old_climbs),
            _ => {
                let directory = directory_of(layout, document, start)?;
                match below(&names, &directory) {
                    Some(path) => path.to_vec(),
                    None if directive == Directive::Snippet && start == Start::Home => {
                        relative(&directory, &names, false, 0)
                    }
                    None => return None,
                }
            }
        };
        let text = String::from_utf8(text).ok()?;
        let is_import = matches!(directive, Directive::Import | Directive::Require);
        let begin = match start {
            Start::Alias => SITE_ALIAS,
            Start::ContentRoot | Start::HomeRoot => "/",
            Start::File if (path.starts_with("./") || is_import) && !text.starts_with("../") => {
                "./"
            }
            _ => "",
        };
        Some([begin, &text, suffix].concat())
    });
    { texts }.find(|text| names_it(text))
}

/// The path of a file in this shape. `None` if it has none.
fn shaped(file: &[u8], shape: Shape) -> Option<Vec<u8>> {
    let (directory, name) = split(file);
    let (stem, _) = split_extension(name);
    match shape {
        Shape::Exact => Some(file.to_vec()),
        Shape::Bare => Some(join(directory, stem)),
        _ => matches!(stem, b"index" | b"_index").then(|| directory.to_vec()),
    }
}

/// The number of redundant `..` of a path from a document to these names.
fn needless_climbs(path: &str, document: &[u8], names: &[u8]) -> Option<usize> {
    let path = path.strip_prefix("./").unwrap_or(path);
    let written = path.split('/').take_while(|it| *it == "..").count();
    let needed = relative(split(document).0, names, false, 0);
    let needed = needed.split(|&it| it == b'/').take_while(|it| *it == b"..").count();
    Some(written.saturating_sub(needed))
}
