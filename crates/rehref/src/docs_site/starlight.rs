//! Sites of Starlight: the values of the configuration of Astro.

use super::address::{DocsSite, Role};
use super::config::{Config, layout_with, path_of_url};
use super::generated::GeneratedPages;
use super::programs::PageUrls;
use super::routes::Routes;
use crate::settings::Literals;

pub(super) fn layout(config: &Config<'_>) -> DocsSite {
    let Config { directory: site, kind, text, is_chosen, .. } = config;
    let literals = Literals::of(text);
    let src = literals.text(&["srcDir"]).unwrap_or("src");
    let src = src.trim_start_matches("./").trim_end_matches('/');
    let docs = format!("{src}/content/docs");
    let docs = if *is_chosen && !site.has(&docs) { "" } else { &docs };
    let pages = format!("{src}/pages");
    let public = literals.text(&["publicDir"]).unwrap_or("public");
    let mounts =
        [(docs, "", Role::Sources), (&pages, "", Role::Sources), (public, "", Role::Files)];
    let mut layout = layout_with(*kind, &site.place, &mounts);
    layout.prefix = path_of_url(literals.text(&["base"]).unwrap_or_default());
    layout.keeps_rooted = true;
    layout.routes = Routes::Slugged;
    if literals.text(&["build", "format"]) == Some("file") {
        layout.urls = PageUrls::Html;
    }
    let redirects = literals.entries(&["redirects"]).map(|(path, _)| path);
    layout.generated = GeneratedPages::of_paths(redirects);
    let languages: Vec<&str> = literals.objects(&["locales"]).collect();
    let has_root = languages.contains(&"root");
    let default = literals.entries(&["starlight"]).find(|(key, _)| *key == "defaultLocale");
    let default = default.map(|(_, value)| value);
    let default = default.or(literals.text(&["integrations", "defaultLocale"]));
    let default = if has_root { "" } else { default.unwrap_or_default() };
    let others = languages.into_iter().filter(|it| *it != "root" && *it != default);
    let others: Vec<Vec<u8>> = others.map(|it| it.into()).collect();
    layout.translations = (!others.is_empty()).then(|| (others, default.into()));
    layout
}
