//! References to and from files that move.

use std::borrow::Cow;

use super::respell::{above_root, respelled};
use super::{
    BaseElements, Decision, Kept, Mapper, OutputBases, Style, leads_to, moved_in_text, replace,
    untargeted, untouchable,
};
use crate::document::{self, BaseFrom, Document};
use crate::find::{Findings, Link, Place, Role, Target};
use crate::site::{Located, Moves, Site};
use crate::uri::{Base, Parts, Profile, percent};

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
    profile: Profile,
}

impl<'s> Relocation<'s> {
    /// The relocation that `moves` make of the tree `before`, which then is the tree `after`.
    pub fn new(before: &'s Site, after: &'s Site, moves: &'s Moves, profile: Profile) -> Self {
        Self {
            before,
            after,
            moves,
            profile,
        }
    }

    /// The mapper for the document that lay at `path` below the tree's folder.
    pub fn of_document(self, path: &[u8]) -> DocumentRelocation<'s> {
        let new = self.moves.new_path(path);
        DocumentRelocation {
            relocation: self,
            new_uri: matches!(new, Cow::Owned(_)).then(|| self.after.uri_of(&new)),
        }
    }

    /// Where what `uri` leads to will be; none if that is where it is.
    pub fn new_uri(&self, uri: &str) -> Option<String> {
        let path = self.before.path_of(uri)?;
        let bare = path.strip_suffix(b"/").unwrap_or(&path);
        let mut is_folder = path.is_empty() || path.ends_with(b"/");
        let new = match self.before.locate_path(&path) {
            Located::Folder {
                index: Some(index), ..
            } => {
                let name = self.before.listing().name(index);
                let name = name.rsplit(|&byte| byte == b'/').next().unwrap_or(name);
                let index = match bare {
                    [] => name.to_vec(),
                    _ => [bare, b"/", name].concat(),
                };
                let new = self.moves.new_path(&index);
                if *new == *index {
                    return None;
                }
                match new
                    .strip_suffix(name)
                    .filter(|it| it.is_empty() || it.ends_with(b"/"))
                {
                    Some(folder) => folder.strip_suffix(b"/").unwrap_or(folder).to_vec(),
                    // The page for the folder is one among others now.
                    None => {
                        is_folder = false;
                        new.into_owned()
                    }
                }
            }
            _ => match self.moves.new_path(bare) {
                Cow::Owned(new) => new,
                Cow::Borrowed(_) => return None,
            },
        };
        Some(self.spelled(uri, &new, is_folder && !new.is_empty()))
    }

    /// The URI of `path`, with a slash at its end for a folder, and the query and fragment of `uri`. Names at
    /// its end that `uri` has too are spelled as there.
    fn spelled(&self, uri: &str, path: &[u8], slash: bool) -> String {
        let parts = Parts::split(uri);
        let old = parts.path.strip_suffix('/').unwrap_or(parts.path);
        let names: Vec<&[u8]> = path.split(|&byte| byte == b'/').collect();
        let is_same = |(old, new): &(&str, &&[u8])| *percent::decode(old) == ***new;
        let same = old.rsplit('/').zip(names.iter().rev()).take_while(is_same);
        let same = same.count();
        let mut spelled = self.after.uri_of(&names[..names.len() - same].join(&b'/'));
        for (number, name) in old
            .rsplit('/')
            .take(same)
            .collect::<Vec<_>>()
            .iter()
            .rev()
            .enumerate()
        {
            if number > 0 || same < names.len() {
                spelled.push('/');
            }
            spelled.push_str(name);
        }
        if slash {
            spelled.push('/');
        }
        let suffix = Parts {
            scheme: None,
            authority: None,
            path: "",
            ..parts
        };
        suffix.write_to(&mut spelled);
        spelled
    }
}

/// Lets the references of one document follow: see [`Relocation`].
#[derive(Clone, Debug)]
pub struct DocumentRelocation<'s> {
    relocation: Relocation<'s>,
    /// Where the document will be, if it moves.
    new_uri: Option<String>,
}

impl Mapper for DocumentRelocation<'_> {
    fn output_bases(&self, document: &Document, findings: &Findings<'_>) -> Option<OutputBases> {
        let element = findings
            .base
            .as_ref()
            .filter(|base| base.from == BaseFrom::Element);
        let new_element = element.and_then(|base| self.relocation.new_uri(&base.uri));
        if self.new_uri.is_none() && new_element.is_none() {
            return None;
        }
        let at = |uri: &String, like: &document::Base| document::Base {
            uri: uri.clone(),
            from: like.from,
        };
        let retrieval = document.base.as_ref().map(|base| match &self.new_uri {
            Some(uri) => at(uri, base),
            None => base.clone(),
        });
        let base = match (element, new_element) {
            (Some(base), Some(uri)) => Some(at(&uri, base)),
            // A BASE that stays leads where it did: its reference is written anew if need be.
            (Some(base), None) => Some(base.clone()),
            (None, _) => retrieval.clone(),
        };
        Some(OutputBases {
            base,
            retrieval,
            keeps_nested: false,
            elements: BaseElements::Keep,
        })
    }

    fn map<'t>(&self, link: &Link<'_>, target: &Target<'t>, base: Option<&Base>) -> Decision<'t> {
        let refused = untouchable(link, self.relocation.profile)
            .filter(|why| !matches!(why, Kept::Base | Kept::Empty));
        let Some(uri) = target.uri else {
            return Decision::Keep(untargeted(target));
        };
        // What lies above the root does not move, but the document may move away from it.
        if let Some((old, _)) = target
            .base
            .filter(|_| link.place.markup().is_some() || matches!(link.place, Place::Css(_)))
            && Style::of(&link.reference) == Style::RelativePath
            && let Some(reference) = above_root(&link.reference, old, base.unwrap_or(old))
        {
            return match refused {
                Some(why) if *reference != *link.reference => Decision::Keep(why),
                _ => replace(link, reference.into(), uri.into(), RULE),
            };
        }
        let new = self.relocation.new_uri(uri);
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
        let reference = Parts::split(&link.reference);
        if reference.scheme.is_some() && !is_moved {
            return Decision::Keep(Kept::Unchanged);
        }
        // Only a path that is relative to a folder is written anew where it still leads there; what leads to
        // the document itself without naming it goes on doing so.
        let is_path =
            Style::of(&link.reference) == Style::RelativePath && !reference.path.is_empty();
        if !is_path && base.is_some_and(|base| leads_to(base, &link.reference, &new)) {
            return Decision::Keep(Kept::Unchanged);
        }
        if let Some(why) = refused {
            return Decision::Keep(why);
        }
        if link.role == Role::Base && link.place.markup().is_some_and(|it| it.element != "base") {
            return Decision::Keep(Kept::Base);
        }
        let old = target.base.map(|(base, _)| (base, uri));
        let reference =
            respelled(link, old, base, &new).unwrap_or_else(|| new.clone().into_owned());
        if Site::is_private(&reference) {
            return Decision::Keep(Kept::Unwritable);
        }
        replace(link, reference.into(), new, RULE)
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
    use crate::site::{Listing, Move};

    /// What a page at `at` becomes where these files have these moves.
    fn relocated(files: &[&str], pairs: &[(&str, &str)], at: &str, page: &str) -> String {
        let listing = Listing::of_files(files);
        let moves = pairs.iter().map(|(from, to)| Move {
            from: from.as_bytes().to_vec(),
            to: to.as_bytes().to_vec(),
        });
        let moves = Moves::new(&listing, moves).unwrap();
        let after = moves.applied_to(&listing);
        let before = Site::new("http://h/d/", listing, vec!["index.html".into()]);
        let after = before.with_listing(after);
        let relocation = Relocation::new(&before, &after, &moves, Profile::Rfc3986);
        let mut document = Document::new(at, page.as_bytes().to_vec());
        document.base = Some(document::Base {
            uri: before.uri_of(at.as_bytes()),
            from: BaseFrom::Option,
        });
        let options = FindOptions::default();
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
