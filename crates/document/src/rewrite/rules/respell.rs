//! Rewriting a reference in its old shape.

use super::style::{Style, absolute_path, is_same_site, leads_to, readable, relative_path};
use crate::bytes::percent;
use crate::link::{Delimiter, ParsedLink};
use crate::rewrite::mapper::{Decision, replace};
use crate::uri::{Base, Equivalence, Outcome, Parts, normalize};

/// Returns the reference to `uri`, relative to `base`, in the style of the link: absolute, without
/// a scheme, from the root, or a relative path. None if the result is `uri` itself.
///
/// A relative path keeps its redundant parts: a leading `./`, the slash after a directory, and
/// unneeded `..`. So moving back restores every byte. For that, a path that needs fewer `..` is
/// rewritten even if its target is unchanged. `old` is the old target of the link, if known.
pub fn respelled(
    link: &ParsedLink<'_>,
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

/// The target of a reference before its target or its document moved.
#[derive(Clone, Copy, Debug)]
pub struct Before<'b> {
    /// The old base.
    pub base: &'b Base,
    /// The old target.
    pub uri: &'b str,
    /// The URL of the tree. New paths do not climb above it: they would name the parent directory
    /// of the tree.
    pub root: &'b str,
}

/// The relative path to `uri` in the shape of the link's path.
fn relative_path_like(
    link: &ParsedLink<'_>,
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
    // It may have another target, for example if a path climbs beyond the root.
    let shaped = shaped.filter(|it| leads_to(base, it, uri));
    Some(shaped.unwrap_or(shortest))
}

/// The redundant parts of a relative path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    /// True if it has a path. Without one, it refers to the document that contains it.
    path: bool,
    /// True if it begins with a redundant `./`.
    dot: bool,
    /// True if it ends in a slash.
    slash: bool,
    /// The number of redundant `..`.
    climbs: usize,
    /// The number of these above the root of the host, where they have no effect.
    above_root: usize,
    /// The depth of the tree's directory, if the path climbs only below the tree's root. Then the
    /// new path must too.
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

    /// Applies this shape to `shortest`, the path from `base` to `uri`.
    fn give(self, shortest: &str, base: &Base, uri: &str) -> Option<String> {
        let Parts { path, .. } = Parts::split(shortest);
        let (path, suffix) = shortest.split_at(path.len());
        let mut path = path.strip_prefix("./").unwrap_or(path).to_owned();
        if path.is_empty() && self.path {
            let target = Parts::split(uri).path;
            path.push_str(&target[target.rfind('/').map_or(0, |at| at + 1)..]);
        }
        let levels = depth(base.parts().path);
        let climbs = match self.above_root {
            0 => {
                let most = levels.saturating_sub(self.above_tree);
                (climbs(&path) + self.climbs).min(most.max(climbs(&path)))
            }
            above_root => levels + above_root,
        };
        if climbs > self::climbs(&path) {
            let target = Parts::split(uri).path;
            let above = match self.above_root {
                0 => levels.checked_sub(climbs)?,
                _ => 0,
            };
            path = "../".repeat(climbs) + rest_below(target, above)?;
        }
        let is_directory = path == "." || path == ".." || path.ends_with("/..");
        if self.slash && is_directory {
            path.push('/');
        }
        if !self.slash && path.ends_with("../") {
            path.pop();
        }
        let dot = match path.as_str() {
            "." | "./" => "",
            _ if self.dot || shortest.starts_with("./") => "./",
            // Otherwise the name would be read as a scheme.
            _ if path.split('/').next().is_some_and(|name| name.contains(':')) => "./",
            _ => "",
        };
        Some(format!("{dot}{path}{suffix}"))
    }
}

/// Rewrites a reference to a file above the root of the tree, for a document that moves from one
/// base to another. None if the reference does not climb above the root.
///
/// On a server no path is above the root, and `..` stops there (RFC 3986, section 5.2.4). In a file
/// system it continues.
pub fn above_root(reference: &str, old: &Base, new: &Base) -> Option<String> {
    let path = Parts::split(reference).path;
    let (dot, rest) = match path.strip_prefix("./") {
        Some(rest) => ("./", rest),
        None => ("", path),
    };
    let climbs = climbs(rest);
    let above = climbs.checked_sub(depth(old.parts().path)).filter(|it| *it > 0)?;
    let rest = rest.split('/').skip(climbs).collect::<Vec<_>>().join("/");
    let suffix = &reference[path.len()..];
    let up = "../".repeat(depth(new.parts().path) + above);
    // Add no trailing slash.
    let up = match rest.is_empty() && !path.ends_with('/') {
        true => up.trim_end_matches('/'),
        false => &up,
    };
    Some(format!("{dot}{up}{rest}{suffix}"))
}

/// `written` with only the renamed name changed, if that resolves to `new`. Only for paths with dot
/// segments between names, whose shape would be lost otherwise: moving back restores them. `from`
/// and `to` are the paths of the move.
pub fn renamed(
    written: &str,
    (from, to): (&[u8], &[u8]),
    base: &Base,
    new: &str,
) -> Option<String> {
    let path = Parts::split(written).path;
    let is_dots = |name: &str| matches!(name, "." | "..");
    let mut names = path.split('/').skip_while(|name| is_dots(name));
    if !names.any(is_dots) {
        return None;
    }
    let split = |path| <[u8]>::split(path, |&byte| byte == b'/');
    let pairs = split(from).zip(split(to));
    let mut differing = pairs.filter(|(from, to)| from != to);
    let is_renamed = split(from).count() == split(to).count();
    let (from, to) = differing.next()?;
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

/// `reference` to `uri`, with the last names, query and fragment spelled as in the old reference
/// `written`: resolving may have encoded them, as browsers do. None if the spelling is the same.
pub fn with_spelling_of(written: &str, reference: &str, base: &Base, uri: &str) -> Option<String> {
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
        text.find(['?', '#']).map_or((text.len(), path.len()), |at| (at, path.len()))
    };
    let (old_end, old_path) = path_end(written, old.path);
    let (new_end, new_path) = path_end(reference, new.path);
    let old_start = old_end - old_len.saturating_sub(1).min(old_path);
    let new_start = new_end - new_len.saturating_sub(1).min(new_path);
    let spelled = [&reference[..new_start], &written[old_start..]].concat();
    (spelled != reference && leads_to_moved(base, &spelled, written, uri)).then_some(spelled)
}

/// Returns true if `reference`, which is `written` with another path, resolves to `uri`, which is
/// the old target with another path. An equal query and fragment are not compared: resolving a
/// query depends on the character encoding of its page (URL Standard, 4.4).
pub fn leads_to_moved(base: &Base, reference: &str, written: &str, uri: &str) -> bool {
    let divided = |text: &'_ str| text.find(['?', '#']).unwrap_or(text.len());
    let (path, suffix) = reference.split_at(divided(reference));
    match path.is_empty() || suffix != &written[divided(written)..] {
        true => is_equivalent(base, reference, uri),
        false => is_equivalent(base, path, &uri[..divided(uri)]),
    }
}

/// Returns true if a reference resolves to `uri` or to a URI with the same normal form (RFC 3986,
/// section 6.2.2).
fn is_equivalent(base: &Base, reference: &str, uri: &str) -> bool {
    let mut out = String::new();
    base.resolve_into(reference, &mut out) == Ok(Outcome::Target)
        && (out == uri
            || normalize(&out, Equivalence::Syntax) == normalize(uri, Equivalence::Syntax))
}

/// The number of leading `..` of a path, ignoring `.` segments.
fn climbs(path: &str) -> usize {
    let segments = path.split('/').skip_while(|&it| it == ".");
    segments.take_while(|&it| it == "..").count()
}

/// The number of redundant `..` of a reference from the document at `base` to `uri`.
pub fn needless_climbs(reference: &str, base: &Base, uri: &str) -> usize {
    let path = Parts::split(reference).path;
    let path = path.strip_prefix("./").unwrap_or(path);
    climbs(path).saturating_sub(needed_climbs(base, uri))
}

/// The number of `..` needed from the document at `base` to `uri`.
fn needed_climbs(base: &Base, uri: &str) -> usize {
    let (from, to) = (base.parts().path, Parts::split(uri).path);
    let slashes = |path: &'_ str| path.matches('/').count();
    let same = from.bytes().zip(to.bytes()).take_while(|(a, b)| a == b);
    let same = same.count();
    let common = from[..floor(from, same)].rfind('/').map_or(0, |at| at + 1);
    slashes(&from[common..])
}

/// The last character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|&it| text.is_char_boundary(it)).unwrap_or(0)
}

/// The number of directories between the root and the file at `path`.
fn depth(path: &str) -> usize {
    path.matches('/').count().saturating_sub(1)
}

/// The rest of a path from the root after its first `directories` directories.
fn rest_below(path: &str, directories: usize) -> Option<&str> {
    let mut slashes = path.match_indices('/');
    let (at, _) = slashes.nth(directories)?;
    Some(&path[at + 1..])
}

/// Writes the new target in the style of the old one: abbreviated only if that was, and never
/// relative.
pub fn moved_in_text(
    link: &ParsedLink<'_>,
    cue: Delimiter,
    uri: String,
    rule: &'static str,
) -> Decision<'static> {
    let begins_abbreviated = |it: &&str| {
        let word = it.get(..4).unwrap_or_default();
        word.eq_ignore_ascii_case("www.") || word.eq_ignore_ascii_case("ftp.")
    };
    let short = match cue {
        Delimiter::Abbreviated => ["http://", "ftp://"]
            .iter()
            .find_map(|scheme| uri.strip_prefix(scheme))
            .filter(begins_abbreviated),
        Delimiter::Email => uri.strip_prefix("mailto:"),
        Delimiter::Angle | Delimiter::Quote | Delimiter::Prefix | Delimiter::Bare => None,
    };
    let short = short.filter(|short| cue.completed(short) == uri);
    let reference = short.unwrap_or(&uri).to_owned();
    replace(link, reference.into(), uri.into(), rule)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::format::Options;
    use crate::uri::Resolver;

    /// The reference to `uri` in a page that moves from `from` to `to`.
    fn respelled_to(reference: &str, from: &str, to: &str, uri: &str) -> String {
        let html = format!("<a href=\"{reference}\">");
        let page = Document::new("a.html", html.into_bytes());
        let found = page.links_with(&Options::default());
        let resolver = Resolver::default();
        let base = |path: &str| resolver.base(&format!("http://h/{path}")).unwrap();
        let (old, new) = (base(from), base(to));
        let target = crate::link::uri_of(&resolver, Some(&old), reference).unwrap();
        let uri = format!("http://h/{uri}");
        let before = Before { base: &old, uri: &target, root: "http://h/" };
        respelled(&found.found().links[0], Some(before), Some(&new), &uri).unwrap_or(uri)
    }

    #[test]
    fn moving_there_and_back_keeps_the_shape() {
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
        // Limited by the directories to climb.
        assert_eq!(respelled_to("../a/y", "a/x", "x", "y"), "y");
    }
}
