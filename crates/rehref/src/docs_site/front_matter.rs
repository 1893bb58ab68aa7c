//! The addresses that front matter gives to pages.

use super::address::{DocsSite, OwnAddress, Role};
use super::hugo::{own_url, sanitized};
use super::jekyll::Fields;
use super::kind::SiteKind;
use super::paths::join;
use crate::settings::{self, Setting, Syntax};

/// Reads the addresses of a page from its text.
pub(super) fn read(layout: &mut DocsSite, path: &[u8], text: &str) {
    let Some(settings) = settings(text, layout.kind) else {
        return;
    };
    let value = |key| settings.text(&[key]);
    let mounted = layout.mount_of(path);
    let route = mounted.map_or_else(Vec::new, |(mount, _)| mount.url.clone());
    let below_route = |text: &str, route: &[u8]| match text.starts_with('/') {
        true => OwnAddress::Fixed(join(route, &key(text))),
        false => OwnAddress::InDirectory(key(text)),
    };
    let (own, aliases) = match layout.kind {
        SiteKind::Docusaurus => {
            let is_post = mounted.is_some_and(|(mount, _)| mount.role == Role::Posts);
            let is_index = || layout.address(path).is_some_and(|it| it.is_index);
            let own = match value("slug") {
                Some(slug) if is_post => Some(OwnAddress::Fixed(join(&route, &key(slug)))),
                Some(slug) => Some(below_route(slug, &route)),
                // An index has the address of its directory.
                None => value("id")
                    .filter(|_| !is_post && !is_index())
                    .map(|id| below_route(id, &route)),
            };
            (own, Vec::new())
        }
        SiteKind::Hugo => {
            let language = layout.languages.url(layout.language_of(path));
            // A page with the address of a file is not a directory.
            let key_of_url = |it: &str| match it.strip_suffix(".html") {
                Some(_) if !it.ends_with("/index.html") => [&key(it), &b".html"[..]].concat(),
                _ => key(it),
            };
            let url =
                value("url").map(|it| OwnAddress::Fixed(own_url(it, key_of_url(it), language)));
            let slug = || value("slug").map(|it| OwnAddress::Sibling(sanitized(&key(it))));
            (url.or_else(slug), settings.texts(&["aliases"]))
        }
        SiteKind::Starlight => (value("slug").map(|slug| OwnAddress::Fixed(key(slug))), Vec::new()),
        SiteKind::Quarto => (None, settings.texts(&["aliases"])),
        _ => {
            let own = Fields::of(&settings).map(OwnAddress::Fields);
            (own, settings.texts(&["redirect_from"]))
        }
    };
    if layout.kind == SiteKind::Docusaurus
        && let Some(id) = value("id")
    {
        layout.own_ids.insert(path.to_vec(), id.as_bytes().to_vec());
    }
    if let Some(own) = own {
        layout.own_addresses.insert(path.to_vec(), own);
    }
    if aliases.is_empty() {
        return;
    }
    let aliases = aliases.into_iter().map(|it| match it.starts_with('/') {
        true => OwnAddress::Fixed(key(it)),
        false => OwnAddress::InDirectory(key(it)),
    });
    let aliases = aliases.collect();
    layout.aliases.insert(path.to_vec(), aliases);
}

/// The key of an address in front matter.
fn key(text: &str) -> Vec<u8> {
    let names = text.split('/').filter(|it| !matches!(*it, "" | "."));
    let path = names.collect::<Vec<_>>().join("/");
    let path = path.strip_suffix(".html").unwrap_or(&path);
    let path = path.strip_suffix("/index").unwrap_or(path);
    path.as_bytes().to_vec()
}

/// The settings for addresses in the front matter of a document on a site of this kind: YAML
/// between `---`, and for Hugo also TOML between `+++`, and an object of JSON. `None` without front
/// matter.
fn settings(text: &str, kind: SiteKind) -> Option<Setting> {
    let keys = kind.program().front_matter;
    let has_all = kind == SiteKind::Hugo;
    let settings = match settings::fenced(text) {
        Some((syntax, span)) if has_all || syntax == Syntax::Yaml => {
            settings::read_keys(&text[span.range()], syntax, keys)
        }
        _ if has_all && text.trim_start_matches('\u{feff}').starts_with('{') => {
            settings::read(text.trim_start_matches('\u{feff}'), Syntax::Yaml)
        }
        _ => return None,
    };
    match settings {
        Setting::Table(_) if kind == SiteKind::Hugo => Some(settings.with_keys_in_lower_case()),
        Setting::Table(_) => Some(settings),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_has_the_syntaxes_of_its_program() {
        let slug = |text: &str, kind| Some(settings(text, kind)?.text(&["slug"])?.to_owned());
        for (text, kinds) in [
            ("---\n\"slug\": &x 'a'\n---\n", "docusaurus hugo jekyll"),
            ("\u{feff}---\nslug: a\n---\n", "docusaurus hugo jekyll"),
            ("---\n{slug: a, b: [c]}\n---\n", "docusaurus hugo jekyll"),
            ("+++\n'slug' = \"\\u0061\"\n+++\n", "hugo"),
            ("{\n\t\"title\": \"}\",\n\t\"slug\": \"a\"\n}\n\ntext: {\n- b", "hugo"),
            ("---\nSlug: a\n---\n", "hugo"),
        ] {
            for kind in [SiteKind::Docusaurus, SiteKind::Hugo, SiteKind::Jekyll] {
                let is_read = slug(text, kind).as_deref() == Some("a");
                assert_eq!(is_read, kinds.contains(kind.as_str()), "{kind} {text}");
            }
        }
    }
}
