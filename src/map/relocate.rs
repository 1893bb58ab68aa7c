//! References to and from files that move.

use std::borrow::Cow;
use std::fmt;

use super::respell::{
    Before, above_root, leads_to_moved, needless_climbs, renamed, respelled, with_spelling_of,
};
use super::{
    Decision, Kept, Mapper, OutputBases, Style, moved_in_text, readable, replace, untargeted,
    untouchable,
};
use crate::document::{self, BaseFrom, Document};
use crate::find::{Findings, Link, Place, Role, Target, uri_of};
use crate::site::{Located, Move, Moves, Site};
use crate::uri::{Base, Parts, Resolver, percent};

/// The name of the rule in records.
const RULE: &str = "move";

/// Lets the references of a tree follow its files: [`Mapper`]s for its documents.
///
/// A reference is written anew only where it would lead elsewhere, and in the style that it has. Queries and
/// fragments stay, as does the form of references to a folder rather than to its index file.
#[derive(Clone, Copy, Debug)]
pub struct Relocation<'s> {
    before: &'s Site,
    after: &'s Site,
    moves: &'s Moves,
    resolver: Resolver,
}

impl<'s> Relocation<'s> {
    /// The relocation that `moves` make of the tree `before`, which then is the tree `after`.
    pub fn new(before: &'s Site, after: &'s Site, moves: &'s Moves, resolver: Resolver) -> Self {
        Self {
            before,
            after,
            moves,
            resolver,
        }
    }

    /// The mapper for the document that lay at `path` below the tree's folder.
    pub fn of_document(self, path: &[u8]) -> DocumentRelocation<'s> {
        let new = self.moves.new_path(path);
        DocumentRelocation {
            relocation: self,
            moved: self.moves.moving(path),
            new_uri: matches!(new, Cow::Owned(_)).then(|| self.after.uri_of(&new)),
        }
    }

    /// The move of what `uri` names.
    fn move_of(&self, uri: &str) -> Option<&Move> {
        let path = self.before.path_of(uri)?;
        self.moves.moving(path.strip_suffix(b"/").unwrap_or(&path))
    }

    /// The URI of what `uri` names once everything has moved; none if that does not move.
    ///
    /// Only the names that change are written anew. All other segments stay as they are spelled, also empty ones and
    /// those that no file can have for a name, with an encoded `/` or NUL in them.
    ///
    /// # Errors
    /// [`Unmappable`] if what is written that way would not name it.
    pub fn new_uri(&self, uri: &str) -> Result<Option<String>, Unmappable> {
        let Some(path) = self.before.path_of(uri) else {
            return Ok(None);
        };
        let bare = path.strip_suffix(b"/").unwrap_or(&path);
        let index = index_name(self.before, &path);
        let file = index.map(|name| join(bare, name));
        let target = file.as_deref().unwrap_or(bare);
        let Some(moved) = self.moves.moving(target) else {
            return Ok(None);
        };
        // The page for a directory goes by the name of that, unless it is one among others then.
        let is_index_alone = moved.from.len() > bare.len();
        let new = match index {
            Some(name) if is_index_alone => match moved.to.strip_suffix(name) {
                Some(directory) if directory.is_empty() || directory.ends_with(b"/") => {
                    let directory = directory.strip_suffix(b"/").unwrap_or(directory);
                    self.spelled(uri, bare, directory, Tail::Kept)
                }
                _ => self.spelled(uri, bare, &moved.to, Tail::None),
            },
            _ => self.spelled(uri, &moved.from, &moved.to, Tail::Kept),
        };
        let names_it = |new: &String| self.names(new, &self.moves.new_path(target));
        match new.filter(names_it) {
            Some(new) => Ok(Some(new)),
            None => Err(Unmappable),
        }
    }

    /// Whether a URI names the file or directory at this path in the tree as it will be, by itself or by the directory
    /// that it is shown for.
    fn names(&self, uri: &str, path: &[u8]) -> bool {
        let Some(named) = self.after.path_of(uri) else {
            return false;
        };
        let bare = named.strip_suffix(b"/").unwrap_or(&named);
        bare == path || index_name(self.after, &named).is_some_and(|name| join(bare, name) == path)
    }

    /// `uri` with `to` for the names `from` with which its path in the tree begins.
    fn spelled(&self, uri: &str, from: &[u8], to: &[u8], tail: Tail) -> Option<String> {
        let (root, rest) = self.before.divided(uri)?;
        let (mut ranges, mut old) = (Vec::new(), Vec::new());
        let mut start = 0;
        let mut segments = rest.split('/');
        let count = names(from).count();
        while old.len() < count {
            let segment = segments.next()?;
            let end = start + segment.len();
            if !segment.is_empty() {
                ranges.push(start..end);
                old.push(percent::decode(segment));
            }
            start = end + 1;
        }
        let end = ranges.last().map_or(0, |range| range.end);
        let new: Vec<&[u8]> = names(to).collect();
        let lead = old.iter().zip(&new);
        let lead = lead.take_while(|(old, new)| ***old == ***new).count();
        let trail = old[lead..].iter().rev().zip(new[lead..].iter().rev());
        let trail = trail.take_while(|(old, new)| ***old == ***new).count();

        let mut spelled = root.into_owned();
        let divide = |spelled: &mut String| {
            if !spelled.ends_with('/') {
                spelled.push('/');
            }
        };
        divide(&mut spelled);
        // What stands before and between names that stay does so too.
        let same = match new.len() > lead {
            true => ranges.get(lead).map_or(end, |range| range.start),
            false => lead.checked_sub(1).map_or(0, |last| ranges[last].end),
        };
        spelled.push_str(&rest[..same]);
        for name in &new[lead..new.len() - trail] {
            divide(&mut spelled);
            percent::encode_path_segment(name, &mut spelled);
        }
        if trail > 0 {
            divide(&mut spelled);
            spelled.push_str(&rest[ranges[ranges.len() - trail].start..end]);
        }
        if tail == Tail::Kept {
            // The tree's own directory has a slash at its end already.
            spelled.push_str(match new.is_empty() {
                true => rest[end..].trim_start_matches('/'),
                false => &rest[end..],
            });
        }
        let suffix = uri.find(['?', '#']).map_or("", |at| &uri[at..]);
        Some(spelled + suffix)
    }
}

/// The error of [`Relocation::new_uri`]: the new place of a file has no URI that is spelled like the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unmappable;

impl fmt::Display for Unmappable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the new path cannot be written into this URI")
    }
}

impl std::error::Error for Unmappable {}

/// Whether the path keeps the segments after the renamed ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tail {
    Kept,
    None,
}

/// The name of the file that is shown for the directory at a path.
fn index_name<'s>(site: &'s Site, path: &[u8]) -> Option<&'s [u8]> {
    match site.locate_path(path) {
        Located::Folder {
            index: Some(index), ..
        } => site
            .listing()
            .name(index)
            .rsplit(|&byte| byte == b'/')
            .next(),
        _ => None,
    }
}

fn join(directory: &[u8], name: &[u8]) -> Vec<u8> {
    match directory {
        [] => name.to_vec(),
        _ => [directory, b"/", name].concat(),
    }
}

/// The names in a path.
fn names(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.split(|&byte| byte == b'/')
        .filter(|name| !name.is_empty())
}

/// Lets the references of one document follow: see [`Relocation`].
#[derive(Clone, Debug)]
pub struct DocumentRelocation<'s> {
    relocation: Relocation<'s>,
    /// The move that takes the document along, if one does.
    moved: Option<&'s Move>,
    /// Where the document will be, if it moves.
    new_uri: Option<String>,
}

impl Mapper for DocumentRelocation<'_> {
    fn output_bases(&self, document: &Document, findings: &Findings<'_>) -> Option<OutputBases> {
        let element = findings
            .base
            .as_ref()
            .filter(|base| base.from == BaseFrom::Element);
        let retrieval = document.base.as_ref().map(|base| document::Base {
            uri: self.new_uri.as_ref().unwrap_or(&base.uri).clone(),
            from: base.from,
        });
        let resolver = self.relocation.resolver;
        let bases = OutputBases::retrieved_from(retrieval, findings, resolver);
        let (Some(_), Some(element)) = (element, findings.base_elements.first()) else {
            return self.new_uri.is_some().then_some(bases);
        };
        let link = &findings.links[element.link];
        let mut old = findings.resolving(document, resolver).unchecked();
        let mut new = bases.resolving(document, resolver);
        let new = new.base_of(link).map(|(base, _)| base);
        let bases = match self.map(link, &old.target(link), new) {
            Decision::Replace { reference, .. } => bases.with_element(&reference, resolver),
            Decision::Keep(_) => bases,
        };
        let is_as_before = self.new_uri.is_none() && bases.base == findings.base;
        (!is_as_before).then_some(bases)
    }

    fn map<'t>(&self, link: &Link<'_>, target: &Target<'t>, base: Option<&Base>) -> Decision<'t> {
        let refused = untouchable(link, self.relocation.resolver.profile)
            .filter(|why| !matches!(why, Kept::Base | Kept::Empty));
        let Some(uri) = target.uri else {
            return Decision::Keep(untargeted(target));
        };
        let Ok(new) = self.relocation.new_uri(uri) else {
            return Decision::Keep(Kept::Unwritable);
        };
        let written = readable(&link.reference, self.relocation.resolver.profile);
        let style = Style::of(&written, self.relocation.resolver.profile);
        // What lies above the root does not move, but the document may move away from it. Where the tree has a URL, what
        // climbs above the root of that leads to what the URL says (RFC 3986, section 5.2.4).
        if let Some((old, _)) = target
            .base
            .filter(|_| link.place.markup().is_some() || matches!(link.place, Place::Css(_)))
            && style == Style::RelativePath
            && (new.is_none() || Site::is_private(uri))
            && let Some(reference) = above_root(&written, old, base.unwrap_or(old))
        {
            return match refused {
                Some(why) if *reference != *written => Decision::Keep(why),
                _ if *reference == *written => Decision::Keep(Kept::Unchanged),
                _ => replace(link, reference.into(), uri.into(), RULE),
            };
        }
        if let Place::Text(cue) = link.place {
            return match new {
                Some(new) => moved_in_text(link, cue, new, RULE),
                None => Decision::Keep(Kept::NoRule),
            };
        }
        let is_moved = new.is_some();
        let new: Cow<'t, str> = match new {
            Some(new) => new.into(),
            None if self.new_uri.is_none() && is_same(base, target.base.map(|(base, _)| base)) => {
                return Decision::Keep(Kept::NoRule);
            }
            None => uri.into(),
        };
        if style == Style::Absolute && !is_moved {
            return Decision::Keep(Kept::Unchanged);
        }
        // What still leads there stays, unless it is a path that need not climb so far any more: what was moved there
        // and back would not be what it was. If document and target move together, it need not climb less.
        let old = target.base.map(|(base, _)| Before {
            base,
            uri,
            root: self.relocation.before.url(),
        });
        let climbs_as_before = |base| {
            let is_path = style == Style::RelativePath && !Parts::split(&written).path.is_empty();
            let before = old.map(|old| needless_climbs(&written, old.base, old.uri));
            !is_path || before == Some(needless_climbs(&written, base, &new))
        };
        let moves_along = || self.moved.is_some() && self.moved == self.relocation.move_of(uri);
        if base.is_some_and(|base| match moves_along() {
            true => self.names_the_same(base, &link.reference, &new),
            false => {
                leads_to_moved(base, &link.reference, &link.reference, &new)
                    && climbs_as_before(base)
            }
        }) {
            return Decision::Keep(Kept::Unchanged);
        }
        if let Some(why) = refused {
            return Decision::Keep(why);
        }
        if link.role == Role::Base && link.place.markup().is_some_and(|it| it.element != "base") {
            return Decision::Keep(Kept::Base);
        }
        let renamed = || renamed(&written, self.relocation.move_of(uri)?, base?, &new);
        let reference = renamed().unwrap_or_else(|| {
            let reference = respelled(link, old, base, &new);
            let reference = reference.unwrap_or_else(|| new.clone().into_owned());
            base.and_then(|base| with_spelling_of(&written, &reference, base, &new))
                .unwrap_or(reference)
        });
        let is_right = base.is_none_or(|base| leads_to_moved(base, &reference, &written, &new));
        if !is_right || Site::is_private(&reference) {
            return Decision::Keep(Kept::Unwritable);
        }
        replace(link, reference.into(), new, RULE)
    }
}

impl DocumentRelocation<'_> {
    /// Whether a reference resolves to the path that `uri` has in the tree, also with other dot segments or more
    /// slashes.
    fn names_the_same(&self, base: &Base, reference: &str, uri: &str) -> bool {
        let site = self.relocation.after;
        let found = uri_of(&base.resolver(), Some(base), reference);
        let found = found.as_deref().and_then(|found| site.path_of(found));
        found.is_some() && found == site.path_of(uri)
    }
}

fn is_same(a: Option<&Base>, b: Option<&Base>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => std::ptr::eq(a, b) || a.as_str() == b.as_str(),
        (None, None) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::Plan;
    use crate::find::{FindOptions, find};
    use crate::site::Listing;
    use crate::uri::Profile;

    /// What a page at `at` becomes where these files have these moves.
    fn relocated(files: &[&str], pairs: &[(&str, &str)], at: &str, page: &str) -> String {
        relocated_in("http://h/d/", Profile::Rfc3986, files, pairs, at, page)
    }

    /// The same in a tree under a URL, by a profile.
    fn relocated_in(
        url: &str,
        profile: Profile,
        files: &[&str],
        pairs: &[(&str, &str)],
        at: &str,
        page: &str,
    ) -> String {
        let listing = Listing::of_files(files);
        let moves = pairs.iter().map(|(from, to)| Move {
            from: from.as_bytes().to_vec(),
            to: to.as_bytes().to_vec(),
        });
        let moves = Moves::new(&listing, moves).unwrap();
        let after = moves.applied_to(&listing);
        let before = Site::new(url, listing, vec!["index.html".into()]);
        let after = before.with_listing(after);
        let resolver = Resolver {
            profile,
            ..Resolver::default()
        };
        let relocation = Relocation::new(&before, &after, &moves, resolver);
        let mut document = Document::new(at, page.as_bytes().to_vec());
        document.base = Some(document::Base {
            uri: before.uri_of(at.as_bytes()),
            from: BaseFrom::Option,
        });
        let mut options = FindOptions::default();
        options.resolver.profile = profile;
        let found = find(&document, &options);
        let plan = Plan::new(
            &document,
            &found,
            &options,
            &relocation.of_document(at.as_bytes()),
        );
        String::from_utf8(plan.apply(&document).to_vec()).unwrap()
    }

    const FILES: [&str; 5] = [
        "index.html",
        "a/x.html",
        "a/y z.html",
        "a/index.html",
        "b/p.png",
    ];

    #[test]
    fn dot_segments_between_names_stay() {
        let page =
            "<a href='./../a/./x.html'><a href='../b/../a/y%20z.html#f'><a href='/d/./a/x.html'>";
        let moved = relocated(&FILES, &[("a", "c d")], "a/index.html", page);
        assert_eq!(
            moved,
            "<a href='./../c%20d/./x.html'><a href='../b/../c%20d/y%20z.html#f'><a href='/d/./c%20d/x.html'>"
        );
        let files = ["index.html", "c d/x.html", "c d/y z.html", "c d/index.html"];
        assert_eq!(
            relocated(&files, &[("c d", "a")], "c d/index.html", &moved),
            page
        );
    }

    #[test]
    fn references_to_what_moves_follow() {
        let page = "<a href=a/x.html#f><a href='/d/a/y%20z.html?q'><a href=a/><a href=a>\
                    <a href=http://h/d/a/x.html><a href=//h/d/a/x.html><img src=b/p.png>";
        assert_eq!(
            relocated(&FILES, &[("a", "c/d")], "index.html", page),
            "<a href=c/d/x.html#f><a href='/d/c/d/y%20z.html?q'><a href=c/d/><a href=c/d>\
             <a href=http://h/d/c/d/x.html><a href=//h/d/c/d/x.html><img src=b/p.png>"
        );
        // The index file alone.
        let page = "<a href=a/><a href=a><a href=./a/index.html#f>";
        assert_eq!(
            relocated(
                &FILES,
                &[("a/index.html", "n/index.html")],
                "index.html",
                page
            ),
            "<a href=n/><a href=n><a href=./n/index.html#f>"
        );
        assert_eq!(
            relocated(&FILES, &[("a/index.html", "n.html")], "index.html", page),
            "<a href=n.html><a href=n.html><a href=./n.html#f>"
        );
        // A name spelled otherwise than it need be.
        assert_eq!(
            relocated(&FILES, &[("a", "c")], "index.html", "<a href=a/%78.html>"),
            "<a href=c/%78.html>"
        );
    }

    #[test]
    fn references_of_what_moves_follow() {
        let page = "<a href=y%20z.html><a href=#f><a href=''><a href=../index.html><a href=?q>\
                    <a href=/d/b/p.png><a href=http://o/><a href=//o/x><a href=../><a href=x.html#f>";
        assert_eq!(
            relocated(&FILES, &[("a/x.html", "c/d/x.html")], "a/x.html", page),
            "<a href=../../a/y%20z.html><a href=#f><a href=''><a href=../../index.html><a href=?q>\
             <a href=/d/b/p.png><a href=http://o/><a href=//o/x><a href=../../><a href=x.html#f>"
        );
        // What moves with it stays.
        assert_eq!(
            relocated(
                &FILES,
                &[("a", "c")],
                "a/x.html",
                "<a href=y%20z.html><a href=../b/p.png>"
            ),
            "<a href=y%20z.html><a href=../b/p.png>"
        );
    }

    #[test]
    fn a_base_follows() {
        let page = "<base href=../b/><img src=p.png><a href=#f><a href=../a/x.html>";
        assert_eq!(
            relocated(&FILES, &[("a/x.html", "c/d/x.html")], "a/x.html", page),
            "<base href=../../b/><img src=p.png><a href=#f><a href=../c/d/x.html>"
        );
        assert_eq!(
            relocated(&FILES, &[("b", "c")], "a/x.html", page),
            "<base href=../c/><img src=p.png><a href=#f><a href=../a/x.html>"
        );
        let page = "<base href=http://o/><a href=x.html>";
        assert_eq!(relocated(&FILES, &[("a", "c")], "a/x.html", page), page);
    }

    #[test]
    fn what_no_file_can_be_named_belongs_to_its_segment() {
        let files = ["docs/p.html", "docs/img/x.png", "index.html"];
        let page = "<a href=docs/a%2Fb.html><a href=docs/%2f><a href='docs/%00?q#f'><a href=docs/%00a/%2Fb/>\
                    <a href=docs/proxy/http%3A%2F%2Fe.example%2Fx.png><a href=/d/docs//img//x.png>\
                    <img srcset='docs/a%2Fb.png 1x, docs//img/%2F 2x'><style>a{b:url(docs/a%2Fb.png)}</style>";
        let moved = page.replace("docs", "c/manual");
        assert_eq!(
            relocated(&files, &[("docs", "c/manual")], "index.html", page),
            moved
        );
        // What moves with them stays.
        let page = "<a href=a%2Fb.html><a href=img//x.png><a href=./img/./x.png><a href=img/../img/x.png>\
                    <a href='%00'><a href=img/%2E%2E/img/x.png><a href=%69mg/x.png>";
        assert_eq!(
            relocated(&files, &[("docs", "manual")], "docs/p.html", page),
            page
        );
        // What does not is still named.
        assert_eq!(
            relocated(
                &files,
                &[("docs/p.html", "p.html")],
                "docs/p.html",
                "<a href=a%2Fb.html><a href=../%00><a href=img//x.png>"
            ),
            "<a href=docs/a%2Fb.html><a href=%00><a href=docs/img//x.png>"
        );
        // A BASE follows, and what is relative to it stays.
        assert_eq!(
            relocated(
                &files,
                &[("docs", "manual")],
                "index.html",
                "<base href=docs/a%2Fb/><a href=x><a href=../img/x.png>"
            ),
            "<base href=manual/a%2Fb/><a href=x><a href=../img/x.png>"
        );
        // An encoded slash divides nothing: this is not the file that moves.
        assert_eq!(
            relocated(
                &files,
                &[("docs/p.html", "q.html")],
                "index.html",
                "<a href=docs%2Fp.html>"
            ),
            "<a href=docs%2Fp.html>"
        );
    }

    #[test]
    fn encoded_slashes_follow_into_a_directory_whose_name_begins_with_a_dot() {
        let page = "<a href=docs/a%2fb.html><a href=docs/a%2Fb.html><a href=docs/n%00%c3%a9><a href=docs/%7ea%2fb>";
        assert_eq!(
            relocated(
                &["docs/x", "index.html"],
                &[("docs", ".docs")],
                "index.html",
                page
            ),
            page.replace("docs", ".docs")
        );
    }

    #[test]
    fn a_base_with_dot_segments_is_the_one_that_links_are_written_for() {
        let files = ["docs/x.html", "docs/foo/y.html", "s/p.html"];
        for base in [
            "http://h/d/docs/foo/..",
            "/d/docs/foo/..",
            "../docs/foo/../",
            "http://h/d/docs/./foo/../",
        ] {
            let page = format!(
                "<base href='{base}'><a href=x.html><a href=foo/y.html><a href='../s/p.html'>"
            );
            let moved = relocated(&files, &[("docs", "manual")], "s/p.html", &page);
            let rest = "<a href=x.html><a href=foo/y.html><a href='../s/p.html'>";
            assert!(moved.ends_with(rest), "{moved}");
            assert!(moved.contains("/manual/"), "{moved}");
            assert!(!moved.contains("docs"), "{moved}");
        }
        // What stays is written for the BASE as it is read: `%2e%2e` is a name to RFC 3986, until it is normalized.
        let page = "<base href='a/%2e%2e?q'><a href='../../s/p.html'>";
        assert_eq!(
            relocated(&files, &[("docs", "manual")], "docs/x.html", page),
            page
        );
    }

    #[test]
    fn a_base_that_cannot_be_written_is_the_one_that_links_are_written_for() {
        let files = ["docs/x.html", "docs/y/z.html", "p.html"];
        let listing = Listing::of_files(files);
        let pair = Move {
            from: b"docs".to_vec(),
            to: b"manual".to_vec(),
        };
        let moves = Moves::new(&listing, [pair]).unwrap();
        let after = moves.applied_to(&listing);
        let before = Site::new("http://h/", listing, vec!["index.html".into()]);
        let after = before.with_listing(after);
        let relocation = Relocation::new(&before, &after, &moves, Resolver::default());
        let page = b"<meta charset=utf-8><base href='docs/\xff/'><a href=../x.html>";
        let page = Document::new("p.html", page.to_vec()).retrieved_from("http://h/p.html");
        let options = FindOptions::default();
        let found = find(&page, &options);
        let plan = Plan::new(&page, &found, &options, &relocation.of_document(b"p.html"));
        let text = String::from_utf8_lossy(plan.apply(&page)).into_owned();
        assert!(
            text.contains("'docs/\u{FFFD}/'><a href=../../manual/x.html>"),
            "{text}"
        );
    }

    #[test]
    fn odd_references_stay_where_document_and_target_move_together() {
        let files = ["docs/a/x.html", "docs/a/y.html", "docs/y.html"];
        let page = "<a href='../%2e/a/y.html'><a href='../b/%2e%2e/a/y.html#f'><a href='.././a//y.html?q'>\
                    <a href=y.html><a href='../a/y.html'>";
        assert_eq!(
            relocated(&files, &[("docs", "manual")], "docs/a/x.html", page),
            page
        );
        let page = "<a href='..//docs/y.html'><a href='../docs/x.html'>";
        assert_eq!(
            relocated(&files, &[("docs", "new/docs")], "docs/y.html", page),
            "<a href='..//docs/y.html'><a href='../docs/x.html'>"
        );
    }

    #[test]
    fn paths_are_not_made_to_climb_above_the_root_of_the_tree() {
        let files = ["java/util/Map.html", "java/lang/String.html", "z/a"];
        let page = "<a href=../../java/lang/String.html><a href=../../../d/java/lang/String.html>";
        assert_eq!(
            relocated(
                &files,
                &[("java/util/Map.html", "z/Map.html")],
                "java/util/Map.html",
                page
            ),
            "<a href=../java/lang/String.html><a href=../../../d/java/lang/String.html>"
        );
    }

    #[test]
    fn names_that_do_not_change_keep_their_spelling() {
        let files = ["docs2/x.html", "docs2/s/y.html", "index.html"];
        let page = "<a href=d%6fc%732/x.html><a href=d%6fc%732//%73/y.html?q>";
        let there = "<a href=d%6fc%732/z.html><a href=d%6fc%732//t/y.html?q>";
        let pairs = [("docs2/x.html", "docs2/z.html"), ("docs2/s", "docs2/t")];
        assert_eq!(relocated(&files, &pairs, "index.html", page), there);
        let files = ["docs2/z.html", "docs2/t/y.html", "index.html"];
        let pairs = pairs.map(|(from, to)| (to, from));
        assert_eq!(
            relocated(&files, &pairs, "index.html", there),
            "<a href=d%6fc%732/x.html><a href=d%6fc%732//s/y.html?q>"
        );
        // So does the URL of the tree.
        assert_eq!(
            relocated(
                &["a.html", "index.html"],
                &[("a.html", "b.html")],
                "index.html",
                "<a href=HTTP://H:80/%64/a.html><a href=//H/d/a.html>"
            ),
            "<a href=HTTP://H:80/%64/b.html><a href=//H/d/b.html>"
        );
    }

    #[test]
    fn needless_climbs_above_the_root_of_a_host_follow() {
        let files = ["index.html", "docs/index.html", "docs/x.html"];
        let pairs = [("docs", "manual")];
        let moved =
            |at, page| relocated_in("http://h/", Profile::Rfc3986, &files, &pairs, at, page);
        assert_eq!(
            moved(
                "index.html",
                "<a href=../docs/index.html><a href=../../docs/?q>"
            ),
            "<a href=../manual/index.html><a href=../../manual/?q>"
        );
        assert_eq!(
            moved(
                "docs/x.html",
                "<a href=../../docs/index.html><a href=index.html>"
            ),
            "<a href=../../manual/index.html><a href=index.html>"
        );
        // In a tree without a URL they lead out of it.
        let page = "<a href=../docs/index.html>";
        let site = "http://tree.invalid/";
        assert_eq!(
            relocated_in(site, Profile::Rfc3986, &files, &pairs, "index.html", page),
            page
        );
    }

    #[cfg(feature = "whatwg")]
    #[test]
    fn to_browsers_a_backslash_is_a_slash() {
        let files = ["index.html", "docs/index.html", "docs/img/x.png"];
        let pairs = [("docs", "manual/old")];
        let moved = |at, page| relocated_in("http://h/", Profile::Whatwg, &files, &pairs, at, page);
        assert_eq!(
            moved(
                "index.html",
                "<img src='docs\\img\\x.png?\\'><img src='\\docs\\img/x.png'><img src='\\/h\\docs/img/x.png'>\
                 <a href='.\\docs\\'>"
            ),
            "<img src='manual/old/img/x.png?\\'><img src='/manual/old/img/x.png'><img src='//h/manual/old/img/x.png'>\
             <a href='./manual/old/'>"
        );
        assert_eq!(
            moved(
                "docs/index.html",
                "<img src='img\\x.png'><a href='..\\index.html'><a href='\\index.html'>"
            ),
            "<img src='img\\x.png'><a href='../../index.html'><a href='\\index.html'>"
        );
    }

    #[test]
    fn no_reference_climbs_above_the_root() {
        let files = ["a/b/x.html", "s.css"];
        let page =
            "<link rel=stylesheet href=../../../d/s.css><link rel=stylesheet href=../../s.css>";
        assert_eq!(
            relocated(&files, &[("a/b/x.html", "x.html")], "a/b/x.html", page),
            "<link rel=stylesheet href=../d/s.css><link rel=stylesheet href=s.css>"
        );
    }

    #[test]
    fn what_lies_above_the_root_is_as_far_away_as_before() {
        let files = ["a/x.html", "src/y"];
        let page = "<a href=../../../src/y?q><a href=../../..><a href=./../../../>";
        let moved = |to, page| {
            // The tree lies one folder deep in its site.
            relocated(&files, &[("a/x.html", to), ("src", "s")], "a/x.html", page)
        };
        assert_eq!(
            moved("x.html", page),
            "<a href=../../src/y?q><a href=../..><a href=./../../>"
        );
        assert_eq!(
            moved("b/c/x.html", page),
            "<a href=../../../../src/y?q><a href=../../../..><a href=./../../../../>"
        );
    }

    #[test]
    fn two_may_change_places() {
        let pairs = [("a/x.html", "a/index.html"), ("a/index.html", "a/x.html")];
        let page = "<a href=x.html><a href=./>";
        assert_eq!(
            relocated(&FILES, &pairs, "a/x.html", page),
            "<a href=index.html><a href=x.html>"
        );
    }
}
