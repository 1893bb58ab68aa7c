//! Sites of Nextra: the values of the configuration of Next.js.

use super::address::{DocsSite, Role};
use super::config::{Config, layout_with, path_of_url};
use super::generated::GeneratedPages;
use super::programs::PageUrls;
use super::routes::Routes;
use crate::settings::Literals;

/// The directories of pages. A site has some of these.
const DIRECTORIES: [&str; 6] = ["content", "src/content", "app", "src/app", "pages", "src/pages"];

pub(super) fn layout(config: &Config<'_>) -> DocsSite {
    let Config { directory: site, kind, text, is_chosen, .. } = config;
    let literals = Literals::of(text);
    let content_path = literals.text(&["contentDirBasePath"]).unwrap_or_default();
    let directories = DIRECTORIES.into_iter().filter(|it| site.has(it));
    let mut mounts: Vec<(&str, &str, Role)> = Vec::new();
    mounts.extend(directories.map(|it| match it.ends_with("content") {
        true => (it, content_path, Role::Sources),
        false => (it, "", Role::Sources),
    }));
    if mounts.is_empty() && *is_chosen {
        mounts.push(("", "", Role::Sources));
    }
    mounts.push(("public", "", Role::Files));
    let mut layout = layout_with(*kind, &site.place, &mounts);
    layout.prefix = path_of_url(literals.text(&["basePath"]).unwrap_or_default());
    layout.routes = Routes::Next;
    // Those with parameters are left out.
    let redirects = literals.before("source", "destination");
    let redirects = redirects.filter(|it| !it.contains([':', '*', '(']));
    layout.generated = GeneratedPages::of_paths(redirects);
    match literals.flag(&["trailingSlash"]) {
        Some(true) => layout.urls = PageUrls::Directory,
        _ => layout.strips_slashes = true,
    }
    let languages: Vec<Vec<u8>> =
        literals.texts(&["i18n", "locales"]).map(|it| it.as_bytes().to_vec()).collect();
    if let Some(default) = literals.text(&["i18n", "defaultLocale"]) {
        layout.translations = Some((languages, default.into()));
    }
    layout
}
