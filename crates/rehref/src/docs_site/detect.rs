//! Finding the sites of a tree by their configuration files.

use super::address::{DocsSite, Role};
use super::config::{Config, ConfigFiles, Place, SiteDirectory, layout_with, path_of_url};
use super::docs_sites::DocsSites;
use super::docusaurus::{Plugin, Settings, Version};
use super::excluded::Excluded;
use super::front_matter;
use super::generated::GeneratedPages;
use super::hugo::{self, Languages};
use super::hugo_directories::directories;
use super::jekyll::{self, Permalinks};
use super::kind::{SiteChoice, SiteKind, configurations};
use super::mkdocs;
use super::nextra;
use super::paths::split;
use super::programs::PageUrls;
use super::remotes::{CodeHost, is_wiki};
use super::starlight;
use super::vitepress;
use crate::format::markdown::Slugs;
use crate::listing::{Entry, Listing};
use crate::settings::{self, Literals, Setting, Syntax};

/// Finds the sites of a tree.
pub fn detect(choice: SiteChoice, listing: &Listing, files: &dyn ConfigFiles) -> DocsSites {
    let wanted = match choice {
        SiteChoice::Kind(SiteKind::Plain) => return DocsSites::default(),
        SiteChoice::Kind(kind) => Some(kind),
        SiteChoice::Auto => None,
    };
    let mut configs = Vec::new();
    for (_, path, entry) in listing.iter() {
        if !may_be_config(path) {
            continue;
        }
        let (directory, name) = match split(path) {
            (config, b"_default") => (split(config).0, "config/_default"),
            (directory, name) => (directory, std::str::from_utf8(name).unwrap_or_default()),
        };
        let read = || match entry {
            Entry::Directory => Some(String::new()),
            _ => files.read(path),
        };
        let place = Place::In(directory.to_vec());
        let directory = SiteDirectory { place, listing, files };
        configs.extend(config_of(name, directory, wanted, read));
    }
    let names = files.names_above();
    for levels in 1..=names.len() {
        let prefix = names[names.len() - levels..].join(&b'/');
        for (name, _) in configurations() {
            if !files.exists(levels, name) {
                continue;
            }
            let place = Place::Above(prefix.clone(), levels);
            let read = || Some(files.read_above(levels, name).unwrap_or_default());
            let directory = SiteDirectory { place, listing, files };
            configs.extend(config_of(name, directory, wanted, read));
        }
    }
    let mut list: Vec<DocsSite> = configs.iter().map(layout_of).collect();
    let wants = |kind| wanted.is_none_or(|it| it == kind);
    if (wants(SiteKind::GitHub) || wants(SiteKind::Wiki))
        && let Some((config, levels)) = files.repository()
        && let host = CodeHost::of(&config)
        && let kind = (if is_wiki(&config) { SiteKind::Wiki } else { SiteKind::GitHub })
        && wants(kind)
        && (wanted.is_some() || host.is_some() || kind == SiteKind::Wiki)
    {
        let prefix = names[names.len().saturating_sub(levels)..].join(&b'/');
        let place = match levels {
            0 => Place::In(Vec::new()),
            _ => Place::Above(prefix, levels),
        };
        let mut layout = layout_with(kind, &place, &[("", "", Role::Pages)]);
        if host == Some(CodeHost::GitLab) {
            layout.slugs = Slugs::Gitlab;
        } else if kind == SiteKind::Wiki {
            // Paths from the root are those of the host.
            layout.generated = GeneratedPages::any();
        }
        list.push(layout);
    }
    if let Some(kind) = wanted
        && list.is_empty()
    {
        let place = Place::In(Vec::new());
        list.push(layout_of(&Config {
            directory: SiteDirectory { place, listing, files },
            kind,
            text: String::new(),
            settings: Setting::Null,
            is_chosen: true,
        }));
    }
    list.retain(|it| !it.mounts.is_empty());
    let mut layouts = DocsSites::new(list);
    read_pages(&mut layouts, listing, files);
    layouts
}

/// Reads the addresses in the front matter of pages.
fn read_pages(layouts: &mut DocsSites, listing: &Listing, files: &dyn ConfigFiles) {
    for (_, path, entry) in listing.iter() {
        if entry == Entry::File
            && let Some(layout) = layouts.layout_of_mut(path)
            && !layout.kind.program().front_matter.is_empty()
            && layout.is_page_with_front_matter(path)
            && let Some(text) = files.read(path)
        {
            front_matter::read(layout, path, &text);
        }
    }
}

/// Returns true for the path of a file that may configure a site.
pub(super) fn may_be_config(path: &[u8]) -> bool {
    let (directory, name) = split(path);
    if name == b"_default" {
        return split(directory).1 == b"config";
    }
    configurations().any(|(file, _)| file.as_bytes() == name)
}

/// The configuration of a site with a file of this name, whose text is read by `read`.
fn config_of<'d>(
    name: &str,
    directory: SiteDirectory<'d>,
    wanted: Option<SiteKind>,
    read: impl FnOnce() -> Option<String>,
) -> Option<Config<'d>> {
    let (_, kind) = configurations().find(|(file, _)| *file == name)?;
    let mut files = kind.program().configurations.iter();
    if *files.find(|file| **file == name || directory.has(file))? != name {
        return None;
    }
    let kind = match kind {
        // Jupyter Book is a front end of Sphinx.
        SiteKind::Jekyll if directory.has("_toc.yml") => SiteKind::Sphinx,
        kind => kind,
    };
    if wanted.is_some_and(|it| it != kind) {
        return None;
    }
    let beside = kind.program().beside;
    if wanted.is_none() && !beside.is_empty() && !beside.iter().any(|it| directory.has(it)) {
        return None;
    }
    let text = match kind {
        SiteKind::VitePress => vitepress::configuration(&directory)?,
        _ => read()?,
    };
    let own = || Syntax::of(name).map_or(Setting::Null, |syntax| settings::read(&text, syntax));
    let settings = match kind {
        SiteKind::MdBook | SiteKind::Jekyll | SiteKind::Quarto | SiteKind::GitBook => own(),
        SiteKind::MkDocs => mkdocs::with_parents(own(), |name| directory.read(name)),
        SiteKind::Hugo => {
            let read = |path: &str| directory.has(path).then(|| directory.read(path))?;
            hugo::with_directory(own(), read)
        }
        _ => Setting::Null,
    };
    if kind == SiteKind::Hugo && wanted.is_none() {
        // Other programs have files of the same names, and files may be left over.
        let content = directories(&settings, &Languages::of(&settings));
        let mut content = content.iter().filter(|it| it.2 == Role::Pages);
        let is_other = match name {
            // That of Zola.
            "config.toml" => settings.get(&["base_url"]).is_some(),
            "config.json" => settings.get(&["baseurl"]).is_none(),
            _ => false,
        };
        if is_other || !content.any(|(content, ..)| directory.has(content)) {
            return None;
        }
    }
    let words = kind.program().words;
    let has_summary = || kind == SiteKind::HonKit && directory.has("SUMMARY.md");
    let is_of_program =
        words.is_empty() || words.iter().any(|it| text.contains(it)) || has_summary();
    let is_own = kind.program().configurations.contains(&name);
    if wanted.is_none() && is_own && !is_of_program {
        return None;
    }
    Some(Config { directory, kind, text, settings, is_chosen: wanted.is_some() })
}

/// The layout of a site.
fn layout_of(config: &Config<'_>) -> DocsSite {
    let Config { directory, kind, settings, .. } = config;
    let place = &directory.place;
    let value = |key| settings.text(&[key]).unwrap_or_default();
    let whole = [("", "", Role::Pages)];
    match kind {
        SiteKind::MdBook => {
            let default = if directory.has("book.toml") { "src" } else { "" };
            let src = settings.scalar(&["book", "src"]).unwrap_or(default);
            let mut layout = layout_with(*kind, place, &[(src, "", Role::Pages)]);
            let url = settings.text(&["output", "html", "site-url"]).unwrap_or_default();
            layout.prefix = path_of_url(url);
            layout
        }
        SiteKind::MkDocs => {
            let is_empty = settings.entries(&[]).next().is_none();
            let default = if is_empty && !directory.has("docs") { "" } else { "docs" };
            let docs = settings.text(&["docs_dir"]).unwrap_or(default);
            let mut layout = layout_with(*kind, place, &[(docs, "", Role::Pages)]);
            if settings.flag(&["use_directory_urls"]) == Some(false) {
                layout.urls = PageUrls::Html;
            }
            layout.prefix = path_of_url(value("site_url"));
            layout.python = mkdocs::ids(settings, &config.text);
            layout.excluded = Some(Excluded::of_rules(value("exclude_docs")));
            layout
        }
        SiteKind::Docusaurus => docusaurus(config),
        SiteKind::VitePress => vitepress::layout(config),
        SiteKind::Starlight => starlight::layout(config),
        SiteKind::Nextra => nextra::layout(config),
        SiteKind::Docsify => {
            let mut layout = layout_with(*kind, place, &whole);
            let start = config.text.find("$docsify").unwrap_or(0);
            let literals = Literals::of(&config.text[start..]);
            let is_relative = literals.flag(&["relativePath"]);
            layout.is_from_root = is_relative != Some(true);
            let aliases = literals.entries(&["$docsify", "alias"]);
            layout.generated = GeneratedPages::of_expressions(aliases.map(|(path, _)| path));
            layout
        }
        SiteKind::Quarto => {
            let mut layout = layout_with(*kind, place, &whole);
            let url = |kind| settings.text(&[kind, "site-url"]);
            layout.prefix = path_of_url(url("website").or(url("book")).unwrap_or_default());
            layout.generated = GeneratedPages::of_paths(["sitemap.xml", "search.json"].into_iter());
            layout
        }
        SiteKind::GitBook => layout_with(*kind, place, &[(value("root"), "", Role::Pages)]),
        SiteKind::HonKit => {
            let literals = Literals::of(&config.text);
            let root = literals.text(&["root"]).unwrap_or_default();
            layout_with(*kind, place, &[(root, "", Role::Pages)])
        }
        SiteKind::Hugo => {
            let languages = Languages::of(settings);
            let directories = directories(settings, &languages);
            let mounts = directories.iter();
            let mounts = mounts.map(|(it, url, role)| (it.as_str(), url.as_str(), *role));
            let mounts: Vec<_> = mounts.collect();
            let is_content = |it: &&(&str, &str, Role)| it.2 == Role::Pages;
            let mut layout = match mounts.iter().filter(is_content).any(|it| directory.has(it.0)) {
                true => layout_with(*kind, place, &mounts),
                false => layout_with(*kind, place, &whole),
            };
            layout.languages = languages;
            if settings.flag(&["uglyurls"]) == Some(true) {
                layout.urls = PageUrls::Html;
            }
            layout.prefix = path_of_url(value("baseurl"));
            // A theme or a hook may add the prefix.
            let is_set = |key| settings.get(&[key]).is_some();
            layout.keeps_rooted =
                !["theme", "module", "canonifyurls", "relativeurls"].into_iter().any(is_set)
                    && !directory.has("themes")
                    && !["layouts/_default/_markup", "layouts/_markup"]
                        .iter()
                        .any(|it| directory.has(it));
            let block = ["markup", "goldmark", "parser", "attribute", "block"];
            layout.has_block_ids = settings.flag(&block) == Some(true);
            layout.finds_pages = hugo::finds_pages(settings, &layout.languages, |path| {
                directory.has(path).then(|| directory.read(path))?
            });
            layout.generated = GeneratedPages::of_hugo(settings);
            layout
        }
        SiteKind::Jekyll => {
            let mut layout = layout_with(*kind, place, &[(value("source"), "", Role::Pages)]);
            layout.prefix = value("baseurl").trim_matches('/').as_bytes().to_vec();
            layout.keeps_rooted = true;
            layout.permalinks = Permalinks::of(settings);
            layout.excluded = Some(jekyll::excluded(settings));
            layout.generated = GeneratedPages::of_jekyll(settings);
            layout.generated.has_permalinks = !layout.permalinks.are_known;
            layout
        }
        SiteKind::Sphinx => {
            let mut layout = layout_with(*kind, place, &whole);
            let literals = Literals::of(&config.text);
            let excluded = literals.all_texts().filter(|it| it.0 == ["exclude_patterns"]);
            layout.excluded = Some(Excluded::of_globs(excluded.map(|it| it.1), true));
            layout
        }
        _ => layout_with(*kind, place, &whole),
    }
}

fn docusaurus(config: &Config<'_>) -> DocsSite {
    let Config { directory: site, kind, text, .. } = config;
    let place = &site.place;
    let settings = Settings::of(text);
    let mut content: Vec<(Version, Plugin)> = Vec::new();
    let mut others = settings.other_routes.clone();
    // Of the instances with the same directory, those of plugins come first.
    let instances = settings.instances.iter().filter(|it| !it.is_disabled);
    let plugins = instances.clone().filter(|it| !it.is_of_preset);
    for instance in plugins.chain(instances.filter(|it| it.is_of_preset)) {
        let list = Some(instance.versions_file()).filter(|_| instance.plugin == Plugin::Docs);
        let list = list.filter(|it| site.has(it)).and_then(|it| site.read(&it));
        let list = settings::read(&list.unwrap_or_default(), Syntax::Yaml);
        for version in instance.versions(&list.texts(&[])) {
            let directory = place.path(&version.0);
            let mut known = content.iter().map(|((it, _), _)| place.path(it));
            if known.any(|it| it == directory) {
                continue;
            }
            if directory.is_none() || site.has(&version.0) {
                content.push((version, instance.plugin));
            } else if !instance.is_of_preset {
                others.push(instance.route());
            }
        }
    }
    let routes = |plugin| {
        let found = content.iter().filter(move |it| it.1 == plugin);
        found.map(|((_, route), _)| route.as_str()).collect::<Vec<_>>()
    };
    let (mut docs, blogs) = (routes(Plugin::Docs), routes(Plugin::Blog));
    let mounts = content.iter();
    let mounts = mounts.map(|((path, route), plugin)| (&**path, &**route, plugin.role()));
    let mut mounts: Vec<(&str, &str, Role)> = mounts.collect();
    if mounts.is_empty() {
        // A configuration alone may be left over.
        if config.is_chosen {
            mounts.push(("", "docs", Role::Pages));
            docs.push("docs");
        }
    } else {
        let files = match settings.files.as_slice() {
            [] => &["static"][..],
            files => files,
        };
        let files = files.iter().filter(|it| site.has(it));
        mounts.extend(files.map(|it| (*it, "", Role::Files)));
    }
    let mut layout = layout_with(*kind, place, &mounts);
    layout.prefix = path_of_url(settings.base_url.unwrap_or_default());
    layout.has_number_parser = text.contains("numberPrefixParser");
    layout.detects_mdx = settings.detects_format;
    layout.generated = GeneratedPages::of_docusaurus(&docs, &blogs, &others);
    layout.strips_slashes = settings.trailing_slash == Some(false);
    if settings.trailing_slash == Some(true) {
        layout.urls = PageUrls::Directory;
    }
    layout
}
