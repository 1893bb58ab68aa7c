//! Sites of VitePress: the values of its configuration, and the addresses that it rewrites.

use super::address::{DocsSite, Role};
use super::config::{Config, SiteDirectory, layout_with, path_of_url};
use super::excluded::Excluded;
use super::routes::Routes;
use crate::settings::Literals;

/// The configuration files. Those of a directory may be in parts.
const FILES: [&str; 3] = ["config", "config/index", "config/shared"];

const EXTENSIONS: [&str; 4] = ["js", "ts", "mjs", "mts"];

/// The text of the configuration in a directory. `None` without one.
pub(super) fn configuration(site: &SiteDirectory<'_>) -> Option<String> {
    let names = FILES.iter().flat_map(|file| {
        EXTENSIONS.iter().map(move |extension| format!(".vitepress/{file}.{extension}"))
    });
    let texts = names.filter(|it| site.has(it)).filter_map(|it| site.read(&it));
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

pub(super) fn layout(config: &Config<'_>) -> DocsSite {
    let literals = Literals::of(&config.text);
    let src = literals.text(&["srcDir"]).unwrap_or_default();
    let public = literals.text(&["vite", "publicDir"]).unwrap_or("public");
    let public = format!("{src}/{public}");
    let public = public.trim_start_matches('/');
    let mounts = [(src, "", Role::Pages), (public, "", Role::Files)];
    let mut layout = layout_with(config.kind, &config.directory.place, &mounts);
    layout.prefix = path_of_url(literals.text(&["base"]).unwrap_or_default());
    layout.excluded = Some(Excluded::of_globs(literals.texts(&["srcExclude"]), true));
    layout.routes = Routes::rewritten(literals.entries(&["rewrites"]));
    // With other delimiters, explicit ids are unknown, too.
    layout.has_computed_ids =
        literals.names(&["anchor"], "slugify") || literals.names(&["attrs"], "leftDelimiter");
    layout
}
