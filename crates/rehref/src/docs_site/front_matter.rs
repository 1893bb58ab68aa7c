//! The addresses that front matter gives to pages.

use super::address::{Layout, OwnAddress, Role};
use super::config::{front_matter, toml_list, toml_value, yaml_list, yaml_value};
use super::hugo::{own_url, sanitized};
use super::jekyll::Fields;
use super::kind::SiteKind;
use super::paths::{join, split};

/// Reads the addresses of a page from its text.
pub(super) fn read(layout: &mut Layout, path: &[u8], text: &str) {
    let Some((front, is_yaml)) = front_matter(text) else {
        return;
    };
    let value = |key| {
        let value = match is_yaml {
            true => yaml_value(front, key),
            false => toml_value(front, "", key),
        };
        value.filter(|it| !it.is_empty())
    };
    let list = |key| match is_yaml {
        true => yaml_list(front, key),
        false => toml_list(front, key),
    };
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
            // A page at such an address is not a directory.
            let key_of_url = |it: &str| match it.strip_suffix(".html") {
                Some(_) if !it.ends_with("/index.html") => [&key(it), &b".html"[..]].concat(),
                _ => key(it),
            };
            let url =
                value("url").map(|it| OwnAddress::Fixed(own_url(it, key_of_url(it), language)));
            let slug = || value("slug").map(|it| OwnAddress::Sibling(sanitized(&key(it))));
            (url.or_else(slug), list("aliases"))
        }
        _ => {
            let own = Fields::of(front).filter(|_| is_yaml);
            (own.map(OwnAddress::Fields), list("redirect_from"))
        }
    };
    if let Some(own) = own {
        layout.own_addresses.insert(path.to_vec(), own);
    }
    let directory = layout.address(path).map(|address| match address.is_index {
        true => address.key,
        false => split(&address.key).0.to_vec(),
    });
    let directory = directory.unwrap_or_default();
    let aliases = aliases.into_iter().map(|it| match it.starts_with('/') {
        true => key(it),
        false => join(&directory, &key(it)),
    });
    let aliases: Vec<Vec<u8>> = aliases.collect();
    if !aliases.is_empty() {
        layout.aliases.insert(path.to_vec(), aliases);
    }
}

/// The key of an address as front matter has it.
fn key(text: &str) -> Vec<u8> {
    let names = text.split('/').filter(|it| !matches!(*it, "" | "."));
    let path = names.collect::<Vec<_>>().join("/");
    let path = path.strip_suffix(".html").unwrap_or(&path);
    let path = path.strip_suffix("/index").unwrap_or(path);
    path.as_bytes().to_vec()
}
