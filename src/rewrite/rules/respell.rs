//! Writing a reference anew in the shape that it had.

use super::style::{Style, absolute_path, is_same_site, leads_to, readable, relative_path};
use crate::bytes::percent;
use crate::link::LinkData;
use crate::site::Move;
use crate::uri::{Base, Equivalence, Outcome, Parts, normalize};

/// The reference to `uri` that is relative to `base` and has the style of the link's own: absolute, or without
/// a scheme, or from the root, or a relative path. None where that has to be `uri` itself.
///
/// A relative path also keeps what it need not have: a `./` before it, the slash of a folder, and how many
/// folders it climbs beyond those that it has to. So it is what it was, byte by byte, when what was moved is
/// moved back; for that it is written anew also where it would still lead there, if it need not climb so far.
/// `old` is what the link's reference resolved to, if that is known.
pub(super) fn respelled(
    link: &LinkData<'_>,
    old: Option<Before<'_>>,
    base: Option<&Base>,
    uri: &str,
) -> Option<String> {
    let profile = base?.resolver().profile;
    let style = Style::of(&link.reference, profile);
    let can_be = |base: &&Base| match style {
        Style::NetworkPath => base.parts().scheme == Parts::split(uri).scheme,
        _ => is_same_site(base, uri),
    };
    let base = base.filter(can_be)?;
    match style {
        Style::Absolute => None,
        Style::NetworkPath => Some(uri[uri.find(':')? + 1..].to_owned()),
        Style::AbsolutePath => absolute_path(base, uri),
        Style::RelativePath => relative_path_like(link, old, base, uri),
    }
}

/// What a reference resolved to before its target or its document moved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before<'b> {
    /// The base that it was relative to.
    pub(super) base: &'b Base,
    /// What it resolved to.
    pub(super) uri: &'b str,
    /// The URL of the tree. Paths are not made to climb above that: they would name the directory that the tree lies in.
    pub(super) root: &'b str,
}

/// The relative path to `uri` in the shape of the link's own.
fn relative_path_like(
    link: &LinkData<'_>,
    old: Option<Before<'_>>,
    base: &Base,
    uri: &str,
) -> Option<String> {
    let shortest = relative_path(link, base, uri)?;
    let written = readable(&link.reference, base.resolver().profile);
    let shape = Shape::of(&written, old);
    if shape == Shape::of(&shortest, None) {
        return Some(shortest);
    }
    let shaped = shape.give(&shortest, base, uri);
    // It may not lead there, as where a path climbs beyond the root.
    let shaped = shaped.filter(|it| leads_to(base, it, uri));
    Some(shaped.unwrap_or(shortest))
}

/// What a relative path has that it need not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    /// Whether it has a path at all: without one it is to the document itself.
    path: bool,
    /// Whether `./` stands before a name that could do without.
    dot: bool,
    /// Whether there is a slash at its end.
    slash: bool,
    /// How many folders it climbs beyond those that it has to.
    climbs: usize,
    /// How many of them are above the root of the host, where there is nothing.
    above_root: usize,
    /// How many folders the tree lies in, if those that it climbs are all below its root: so it is to stay.
    above_tree: usize,
}

impl Shape {
    fn of(reference: &str, old: Option<Before<'_>>) -> Self {
        let path = Parts::split(reference).path;
        let rest = path.strip_prefix("./");
        let climbed = climbs(rest.unwrap_or(path));
        let above_root = |old: Before<'_>| climbed.saturating_sub(depth(old.base.parts().path));
        let above_tree = |old: Before<'_>| {
            let tree = depth(Parts::split(old.root).path);
            match climbed + tree > depth(old.base.parts().path) {
                true => 0,
                false => tree,
            }
        };
        Self {
            path: !path.is_empty(),
            dot: rest.is_some_and(|rest| {
                let name = rest.split('/').next().unwrap_or_default();
                !name.is_empty() && !name.contains(':')
            }),
            slash: path.ends_with('/'),
            climbs: old.map_or(0, |old| needless_climbs(reference, old.base, old.uri)),
            above_root: old.map_or(0, above_root),
            above_tree: old.map_or(0, above_tree),
        }
    }

    /// `shortest`, which leads from `base` to `uri`, in this shape.
    fn give(self, shortest: &str, base: &Base, uri: &str) -> Option<String> {
        let Parts { path, .. } = Parts::split(shortest);
        let (path, suffix) = shortest.split_at(path.len());
        let mut path = path.strip_prefix("./").unwrap_or(path).to_owned();
        if path.is_empty() && self.path {
            let target = Parts::split(uri).path;
            path.push_str(&target[target.rfind('/').map_or(0, |at| at + 1)..]);
        }
        let folders = depth(base.parts().path);
        let climbs = match self.above_root {
            0 => {
                let most = folders.saturating_sub(self.above_tree);
                (climbs(&path) + self.climbs).min(most.max(climbs(&path)))
            }
            above_root => folders + above_root,
        };
        if climbs > self::climbs(&path) {
            let target = Parts::split(uri).path;
            let above = match self.above_root {
                0 => folders.checked_sub(climbs)?,
                _ => 0,
            };
            path = "../".repeat(climbs) + rest_below(target, above)?;
        }
        let is_folder = path == "." || path == ".." || path.ends_with("/..");
        if self.slash && is_folder {
            path.push('/');
        }
        if !self.slash && path.ends_with("../") {
            path.pop();
        }
        let dot = match path.as_str() {
            "." | "./" => "",
            _ if self.dot || shortest.starts_with("./") => "./",
            // Else that would be a scheme.
            _ if path
                .split('/')
                .next()
                .is_some_and(|name| name.contains(':')) =>
            {
                "./"
            }
            _ => "",
        };
        Some(format!("{dot}{path}{suffix}"))
    }
}

/// The reference of a document that moves from one base to another to what lies outside of the tree, above its
/// root: that is as far away as it was. None where it does not climb so far, or not at all.
///
/// For a server there is nothing above the root, and it stops there (RFC 3986, section 5.2.4); a file system goes
/// on.
pub(super) fn above_root(reference: &str, old: &Base, new: &Base) -> Option<String> {
    let path = Parts::split(reference).path;
    let (dot, rest) = match path.strip_prefix("./") {
        Some(rest) => ("./", rest),
        None => ("", path),
    };
    let climbs = climbs(rest);
    let above = climbs
        .checked_sub(depth(old.parts().path))
        .filter(|it| *it > 0)?;
    let rest = rest.split('/').skip(climbs).collect::<Vec<_>>().join("/");
    let suffix = &reference[path.len()..];
    let up = "../".repeat(depth(new.parts().path) + above);
    // Without a slash at its end it goes on having none.
    let up = match rest.is_empty() && !path.ends_with('/') {
        true => up.trim_end_matches('/'),
        false => &up,
    };
    Some(format!("{dot}{up}{rest}{suffix}"))
}

/// `written` with no other change than the new name of what was renamed, where that resolves to `new`. Only for paths
/// with dot segments between their names, whose shape is lost otherwise: so they are what they were when it moves back.
pub(super) fn renamed(written: &str, moved: &Move, base: &Base, new: &str) -> Option<String> {
    let path = Parts::split(written).path;
    let is_dots = |name: &str| matches!(name, "." | "..");
    let mut names = path.split('/').skip_while(|name| is_dots(name));
    if !names.any(is_dots) {
        return None;
    }
    let split = |path| <[u8]>::split(path, |&byte| byte == b'/');
    let pairs = split(&moved.from).zip(split(&moved.to));
    let mut differing = pairs.filter(|(from, to)| from != to);
    let (from, to) = differing.next()?;
    let is_renamed = split(&moved.from).count() == split(&moved.to).count();
    if !is_renamed || differing.next().is_some() {
        return None;
    }
    let end = written.find(['?', '#']).unwrap_or(written.len());
    let mut renamed = written[..end - path.len()].to_owned();
    for (at, name) in path.split('/').enumerate() {
        if at > 0 {
            renamed.push('/');
        }
        match *percent::decode(name) == *from {
            true => percent::encode_path_segment(to, &mut renamed),
            false => renamed.push_str(name),
        }
    }
    renamed.push_str(&written[end..]);
    leads_to_moved(base, &renamed, written, new).then_some(renamed)
}

/// `reference`, which is to resolve to `uri`, with the last names, query and fragment spelled as in `written`, the one
/// before: resolving may have encoded them, as browsers do. None if nothing of it is spelled otherwise.
pub(super) fn with_spelling_of(
    written: &str,
    reference: &str,
    base: &Base,
    uri: &str,
) -> Option<String> {
    let (old, new) = (Parts::split(written), Parts::split(reference));
    let is_name = |name: &str| !matches!(name, "" | "." | "..");
    let same = old.path.rsplit('/').zip(new.path.rsplit('/'));
    let same = same.take_while(|(old, new)| {
        is_name(old) && percent::decode(old) == percent::decode(new) || old == new
    });
    let (old_len, new_len) = same.fold((0, 0), |(old_len, new_len), (old, new)| {
        (old_len + old.len() + 1, new_len + new.len() + 1)
    });
    let path_end = |text: &str, path: &str| {
        text.find(['?', '#'])
            .map_or((text.len(), path.len()), |at| (at, path.len()))
    };
    let (old_end, old_path) = path_end(written, old.path);
    let (new_end, new_path) = path_end(reference, new.path);
    let old_start = old_end - old_len.saturating_sub(1).min(old_path);
    let new_start = new_end - new_len.saturating_sub(1).min(new_path);
    let spelled = [&reference[..new_start], &written[old_start..]].concat();
    (spelled != reference && leads_to_moved(base, &spelled, written, uri)).then_some(spelled)
}

/// Whether `reference`, which is `written` with another path, resolves to `uri`, which is what that resolved to with
/// another path. Query and fragment are not compared where they are the same: what a query resolves to depends on the
/// character encoding of its page (URL Standard, 4.4).
pub(super) fn leads_to_moved(base: &Base, reference: &str, written: &str, uri: &str) -> bool {
    let divided = |text: &'_ str| text.find(['?', '#']).unwrap_or(text.len());
    let (path, suffix) = reference.split_at(divided(reference));
    match path.is_empty() || suffix != &written[divided(written)..] {
        true => is_equivalent(base, reference, uri),
        false => is_equivalent(base, path, &uri[..divided(uri)]),
    }
}

/// Whether a reference resolves to `uri`, or to what is the same in normal form (RFC 3986, section 6.2.2).
fn is_equivalent(base: &Base, reference: &str, uri: &str) -> bool {
    let mut out = String::new();
    base.resolve_into(reference, &mut out) == Ok(Outcome::Target)
        && (out == uri
            || normalize(&out, Equivalence::Syntax) == normalize(uri, Equivalence::Syntax))
}

/// How many `..` a path begins with, behind each `.` before them.
fn climbs(path: &str) -> usize {
    let segments = path.split('/').skip_while(|&it| it == ".");
    segments.take_while(|&it| it == "..").count()
}

/// How many directories a reference from the document at `base` to `uri` climbs beyond those that it has to.
pub(super) fn needless_climbs(reference: &str, base: &Base, uri: &str) -> usize {
    let path = Parts::split(reference).path;
    let path = path.strip_prefix("./").unwrap_or(path);
    climbs(path).saturating_sub(needed_climbs(base, uri))
}

/// How many folders have to be climbed from the document at `base` on the way to `uri`.
fn needed_climbs(base: &Base, uri: &str) -> usize {
    let (from, to) = (base.parts().path, Parts::split(uri).path);
    let folders = |path: &'_ str| path.matches('/').count();
    let same = from.bytes().zip(to.bytes()).take_while(|(a, b)| a == b);
    let same = same.count();
    let common = from[..floor(from, same)].rfind('/').map_or(0, |at| at + 1);
    folders(&from[common..])
}

/// The last boundary of a character at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at)
        .rev()
        .find(|&it| text.is_char_boundary(it))
        .unwrap_or(0)
}

/// How many folders lie between the root and what `path` names.
fn depth(path: &str) -> usize {
    path.matches('/').count().saturating_sub(1)
}

/// What follows the first `folders` folders of a path from the root.
fn rest_below(path: &str, folders: usize) -> Option<&str> {
    let mut slashes = path.match_indices('/');
    let (at, _) = slashes.nth(folders)?;
    Some(&path[at + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::format::Options;
    use crate::uri::Resolver;

    /// The reference in a page at `from`, which then lies at `to` and leads to `uri`.
    fn respelled_to(reference: &str, from: &str, to: &str, uri: &str) -> String {
        let html = format!("<a href=\"{reference}\">");
        let page = Document::new("a.html", html.into_bytes());
        let found = page.links_with(&Options::default());
        let resolver = Resolver::default();
        let base = |path: &str| resolver.base(&format!("http://h/{path}")).unwrap();
        let (old, new) = (base(from), base(to));
        let target = crate::link::uri_of(&resolver, Some(&old), reference).unwrap();
        let uri = format!("http://h/{uri}");
        let before = Before {
            base: &old,
            uri: &target,
            root: "http://h/",
        };
        respelled(&found.links[0], Some(before), Some(&new), &uri).unwrap_or(uri)
    }

    #[test]
    fn the_shape_is_kept_there_and_back() {
        for (from, reference, to, uri, moved) in [
            ("a/x", "y", "b/x", "a/y", "../a/y"),
            ("a/x", "./y", "b/x", "a/y", "./../a/y"),
            ("a/x", "y", "b/c/x", "a/y", "../../a/y"),
            ("a/x", "../a/y", "b/x", "b/y", "../b/y"),
            ("a/b/x", "../../a/b/y", "c/d/x", "c/d/y", "../../c/d/y"),
            ("a/b/x", "../", "c/x", "a/", "../a/"),
            ("a/b/x", "..", "c/x", "a/", "../a/"),
            ("x", "a/b/", "a/c/x", "a/b/", "../b/"),
            ("a/x", "./", "a/b/x", "a/", "../"),
            ("a/x", ".", "a/b/x", "a/", ".."),
            ("a/x", "../y?q=../#f", "x", "y?q=../#f", "y?q=../#f"),
            ("a/x", "/y", "b/x", "z/y", "/z/y"),
            ("a/x", "//h/y", "b/x", "z/y", "//h/z/y"),
            ("a/x", "http://h/y", "b/x", "z/y", "http://h/z/y"),
            ("a/x", "./b:c", "z/x", "a/b:c", "../a/b:c"),
        ] {
            assert_eq!(respelled_to(reference, from, to, uri), moved, "{reference}");
        }
        for (from, reference, to, uri, back) in [
            ("b/x", "./../a/y", "a/x", "a/y", "./y"),
            ("b/x", "../b/y", "a/x", "a/y", "../a/y"),
            ("a/b/x", "../", "a/x", "a/", "./"),
            ("a/b/x", "..", "a/x", "a/", "."),
        ] {
            assert_eq!(respelled_to(reference, from, to, uri), back, "{reference}");
        }
        // As far as there are folders to climb.
        assert_eq!(respelled_to("../a/y", "a/x", "x", "y"), "y");
    }
}
