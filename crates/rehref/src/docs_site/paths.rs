//! Paths, as bytes with `/` between names.

use std::borrow::Cow;

use crate::bytes::percent;
use crate::uri::Parts;

/// Joins two paths.
pub(super) fn join(directory: &[u8], name: &[u8]) -> Vec<u8> {
    match (directory, name) {
        ([], _) => name.to_vec(),
        (_, []) => directory.to_vec(),
        _ => [directory, b"/", name].concat(),
    }
}

/// The rest of a path below a directory.
pub(super) fn below<'p>(path: &'p [u8], directory: &[u8]) -> Option<&'p [u8]> {
    match path.strip_prefix(directory)? {
        rest if directory.is_empty() || rest.is_empty() => Some(rest),
        rest => rest.strip_prefix(b"/"),
    }
}

/// The directory and the name of a path.
pub(super) fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|&byte| byte == b'/') {
        Some(slash) => (&path[..slash], &path[slash + 1..]),
        None => (b"", path),
    }
}

/// The stem and the extension of a name.
pub(super) fn split_extension(name: &[u8]) -> (&[u8], &[u8]) {
    match name.iter().rposition(|&byte| byte == b'.') {
        Some(dot) if dot > 0 => (&name[..dot], &name[dot + 1..]),
        _ => (name, b""),
    }
}

/// Returns true for the name of a file of MDX.
pub(super) fn is_mdx(path: &[u8]) -> bool {
    path.ends_with(b".mdx")
}

/// The extensions of Markdown documents.
pub(super) const MARKDOWN: [&[u8]; 9] =
    [b"md", b"markdown", b"mdown", b"mkd", b"mkdn", b"mdx", b"mdwn", b"qmd", b"rmd"];

/// Returns true for the name of a Markdown document.
pub(super) fn is_markdown(path: &[u8]) -> bool {
    let (_, extension) = split_extension(split(path).1);
    MARKDOWN.iter().any(|it| it.eq_ignore_ascii_case(extension))
}

/// Extensions of files that sites have, without those of Markdown documents.
const FILES: &str = " adoc avif bib bz2 c cff cfg conf cpp css csv doc docx epub gif go gz h htm html ico ini ipynb \
    jpeg jpg js json lock log mjs mp3 mp4 odt ods parquet pdf php png pot ppt pptx ps py r rb rs rst sh sql svg tar \
    tex tgz toml ts tsv txt wasm webm webp whl xhtml xls xlsx xml xz yaml yml zip ";

/// Returns true if a name has the extension of a document or another file.
pub(super) fn has_file_extension(name: &str) -> bool {
    let (_, extension) = split_extension(split(name.as_bytes()).1);
    let known = |it: &str| it.eq_ignore_ascii_case(&String::from_utf8_lossy(extension));
    is_markdown(name.as_bytes()) || FILES.split_ascii_whitespace().any(known)
}

/// A path of names without dots. `ends_in_slash` is true for a slash at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CleanPath {
    pub(super) names: Vec<u8>,
    pub(super) slash: bool,
}

/// Resolves a path against a directory. `Err` with the number of levels if it climbs above the
/// root.
pub(super) fn resolved(directory: &[u8], path: &str) -> Result<CleanPath, usize> {
    let mut names: Vec<Cow<'_, [u8]>> = directory
        .split(|&byte| byte == b'/')
        .filter(|it| !it.is_empty())
        .map(Cow::Borrowed)
        .collect();
    let mut above = 0;
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => above += usize::from(names.pop().is_none()),
            _ => names.push(percent::decode(name)),
        }
    }
    if above > 0 {
        return Err(above);
    }
    let last = path.rsplit('/').next().unwrap_or_default();
    Ok(CleanPath { names: names.join(&b'/'), slash: matches!(last, "" | "." | "..") })
}

/// Resolves a path of bytes against a directory below `root`, where `..` above `root` is ignored.
/// `None` if the directory is elsewhere.
pub(super) fn resolved_within(root: &[u8], directory: &[u8], path: &str) -> Option<CleanPath> {
    let directory = below(directory, root)?;
    let mut names: Vec<&[u8]> =
        directory.split(|&byte| byte == b'/').filter(|it| !it.is_empty()).collect();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => _ = names.pop(),
            name => names.push(name.as_bytes()),
        }
    }
    Some(CleanPath { names: join(root, &names.join(&b'/')), slash: path.ends_with('/') })
}

/// The path of a reference without a scheme, authority, query and fragment, and true if it begins
/// with a slash.
pub(super) fn path_of(reference: &str) -> Option<(&str, bool)> {
    let parts = Parts::split(reference);
    if parts.scheme.is_some() || parts.authority.is_some() || parts.path.is_empty() {
        return None;
    }
    match parts.path.strip_prefix('/') {
        Some(path) => Some((path, true)),
        None => Some((parts.path, false)),
    }
}

/// The path from a directory to names, with further climbs that are not needed. Only with a slash
/// at its end may the path end in `..`.
pub(super) fn relative(base: &[u8], names: &[u8], slash: bool, climbs: usize) -> Vec<u8> {
    let parts = |path| <[u8]>::split(path, |byte: &u8| *byte == b'/').filter(|it| !it.is_empty());
    let (from, to): (Vec<&[u8]>, Vec<&[u8]>) = (parts(base).collect(), parts(names).collect());
    let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let same = match slash {
        true => same,
        false => same.min(to.len().saturating_sub(1)),
    };
    let same = same.saturating_sub(climbs);
    let up = std::iter::repeat_n(&b".."[..], from.len() - same);
    let path: Vec<&[u8]> = up.chain(to[same..].iter().copied()).collect();
    path.join(&b'/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_a_directory() {
        for (base, names, slash, climbs, expected) in [
            ("", "a/b", false, 0, "a/b"),
            ("a", "a/b", false, 0, "b"),
            ("a", "a/b", false, 1, "../a/b"),
            ("a/b", "c", false, 0, "../../c"),
            ("a/b", "a", true, 0, ".."),
            ("a/b", "a", false, 0, "../../a"),
            ("a", "a", true, 0, ""),
            ("a", "a", true, 5, "../a"),
        ] {
            let found = relative(base.as_bytes(), names.as_bytes(), slash, climbs);
            assert_eq!(String::from_utf8_lossy(&found), expected, "{base} {names}");
        }
    }
}
