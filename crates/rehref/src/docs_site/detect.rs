//! Finding the sites of a tree by their configuration files.

use std::collections::HashMap;

use super::address::{Elsewhere, Layout, Mount, Role};
use super::config::{toml_value, top_value, yaml_value};
use super::docusaurus::{Plugin, Settings, Version};
use super::front_matter;
use super::generated::GeneratedPages;
use super::hugo::{Languages, text_of_directory};
use super::hugo_directories::directories;
use super::jekyll::Permalinks;
use super::kind::{PageUrls, SiteChoice, SiteKind};
use super::layouts::Layouts;
use super::paths::{below, join, resolved, split};
use super::remotes::CodeHost;
use crate::format::markdown::Slugs;
use crate::listing::{Entry, Listing};

/// Reads the files by which sites are found.
pub trait ConfigFiles {
    /// The text of a file in the tree, or its beginning. `None` if it cannot be read.
    fn read(&self, path: &[u8]) -> Option<String>;

    /// The text of a file in a directory above the tree: one level up for 1.
    fn read_above(&self, levels: usize, name: &str) -> Option<String>;

    /// Returns true if an entry exists in a directory above the tree, or in the root of the tree
    /// for 0 levels.
    fn exists(&self, levels: usize, name: &str) -> bool;

    /// The names of the directories in which sites are searched above the tree, and of the tree:
    /// those below the root of the repository.
    fn names_above(&self) -> Vec<Vec<u8>>;

    /// The configuration of the repository that contains the tree, and the number of levels from
    /// the tree to its root.
    fn repository(&self) -> Option<(String, usize)>;
}

/// A directory that may have a site: in the tree, or above it.
#[derive(Clone, Debug)]
enum Place {
    In(Vec<u8>),
    /// The path of the tree below the directory, and the number of levels.
    Above(Vec<u8>, usize),
}

/// The configuration files of the programs, by precedence.
const FILES: [(&str, SiteKind); 18] = [
    ("book.toml", SiteKind::MdBook),
    ("mkdocs.yml", SiteKind::MkDocs),
    ("mkdocs.yaml", SiteKind::MkDocs),
    ("docusaurus.config.js", SiteKind::Docusaurus),
    ("docusaurus.config.ts", SiteKind::Docusaurus),
    ("docusaurus.config.mjs", SiteKind::Docusaurus),
    ("docusaurus.config.cjs", SiteKind::Docusaurus),
    ("hugo.toml", SiteKind::Hugo),
    ("hugo.yaml", SiteKind::Hugo),
    ("hugo.yml", SiteKind::Hugo),
    ("hugo.json", SiteKind::Hugo),
    ("config.toml", SiteKind::Hugo),
    ("config.yaml", SiteKind::Hugo),
    ("config.yml", SiteKind::Hugo),
    ("config/_default", SiteKind::Hugo),
    ("_config.yml", SiteKind::Jekyll),
    ("conf.py", SiteKind::Sphinx),
    (".obsidian", SiteKind::Obsidian),
];

/// The configuration of a site: its kind, and the text of its file.
struct Config {
    place: Place,
    kind: SiteKind,
    text: String,
    /// Whether the user has chosen the kind.
    is_chosen: bool,
}

/// Finds the sites of a tree.
pub fn detect(choice: SiteChoice, listing: &Listing, files: &dyn ConfigFiles) -> Layouts {
    let wanted = match choice {
        SiteChoice::Kind(SiteKind::Plain) => return Layouts::default(),
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
        let exists = |name: &str| listing.id(&join(directory, name.as_bytes())).is_some();
        let read = || match entry {
            Entry::Directory => Some(String::new()),
            _ => files.read(path),
        };
        let place = Place::In(directory.to_vec());
        configs.extend(config_of(name, place, wanted, read, exists));
    }
    let names = files.names_above();
    for levels in 1..=names.len() {
        let prefix = names[names.len() - levels..].join(&b'/');
        for (name, _) in FILES {
            if !files.exists(levels, name) {
                continue;
            }
            let place = Place::Above(prefix.clone(), levels);
            let read = || Some(files.read_above(levels, name).unwrap_or_default());
            let exists = |name: &str| files.exists(levels, name);
            configs.extend(config_of(name, place, wanted, read, exists));
        }
    }
    let mut list: Vec<Layout> =
        configs.into_iter().map(|config| layout_of(config, listing, files)).collect();
    let wants = |kind| wanted.is_none_or(|it| it == kind);
    if wants(SiteKind::GitHub)
        && let Some((config, levels)) = files.repository()
        && let host = CodeHost::of(&config)
        && (wanted.is_some() || host.is_some())
    {
        let prefix = names[names.len().saturating_sub(levels)..].join(&b'/');
        let place = match levels {
            0 => Place::In(Vec::new()),
            _ => Place::Above(prefix, levels),
        };
        let mut layout = layout_with(SiteKind::GitHub, &place, &[("", "", Role::Pages)]);
        if host == Some(CodeHost::GitLab) {
            layout.slugs = Slugs::Gitlab;
        }
        list.push(layout);
    }
    if let Some(kind) = wanted
        && list.is_empty()
    {
        let config =
            Config { place: Place::In(Vec::new()), kind, text: String::new(), is_chosen: true };
        list.push(layout_of(config, listing, files));
    }
    list.retain(|it| !it.mounts.is_empty());
    let mut layouts = Layouts::new(list);
    read_pages(&mut layouts, listing, files);
    layouts
}

/// Reads the addresses that the front matter of pages has.
fn read_pages(layouts: &mut Layouts, listing: &Listing, files: &dyn ConfigFiles) {
    for (_, path, entry) in listing.iter() {
        if entry == Entry::File
            && let Some(layout) = layouts.layout_of_mut(path)
            && layout.kind.has_front_matter()
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
    FILES.iter().any(|(file, _)| file.as_bytes() == name)
}

/// The text of a configuration without the lines that are comments.
fn without_comments(name: &str, text: String) -> String {
    if !name.ends_with(".toml") && !name.ends_with(".yml") && !name.ends_with(".yaml") {
        return text;
    }
    let lines = text.split_inclusive('\n');
    lines.filter(|it| !it.trim_start().starts_with('#')).collect()
}

/// The configuration of a site with a file of this name.
fn config_of(
    name: &str,
    place: Place,
    wanted: Option<SiteKind>,
    read: impl FnOnce() -> Option<String>,
    exists: impl Fn(&str) -> bool,
) -> Option<Config> {
    let (_, kind) = FILES.iter().find(|(file, _)| *file == name)?;
    let kind = match kind {
        // Jupyter Book is a front end of Sphinx.
        SiteKind::Jekyll if exists("_toc.yml") => SiteKind::Sphinx,
        kind => *kind,
    };
    if wanted.is_some_and(|it| it != kind) {
        return None;
    }
    let text = without_comments(name, read()?);
    if kind == SiteKind::Hugo && wanted.is_none() {
        // Other programs have a `config.toml` too, and files may be left over.
        let directories = directories(&text, &Languages::of(&text));
        let mut directories = directories.iter().filter(|it| it.2 == Role::Pages);
        if !directories.any(|(directory, ..)| exists(directory)) {
            return None;
        }
    }
    let is_markdown = ["myst", "recommonmark", "markdown"];
    let is_for_markdown = is_markdown.iter().any(|it| text.contains(it));
    if name == "conf.py" && wanted.is_none() && !is_for_markdown {
        return None;
    }
    // Zola has files of the same names, and needs this key.
    if name == "config.toml" && wanted.is_none() && toml_value(&text, "", "base_url").is_some() {
        return None;
    }
    Some(Config { place, kind, text, is_chosen: wanted.is_some() })
}

/// A layout with these mounts: the directory below that of the site, and the path on the site.
fn layout_with(kind: SiteKind, place: &Place, mounts: &[(&str, &str, Role)]) -> Layout {
    let mut elsewhere = Vec::new();
    let mut in_tree = Vec::new();
    for (directory, url, role) in mounts {
        let url = url.trim_matches('/');
        match place.mount(directory, url, *role) {
            Some(mount) => in_tree.push(mount),
            None => elsewhere.push(Elsewhere { url: url.into(), role: *role }),
        }
    }
    Layout {
        kind,
        mounts: in_tree,
        home: place.home(),
        urls: kind.page_urls(),
        slugs: kind.slugs(),
        prefix: Vec::new(),
        detects_mdx: false,
        strips_slashes: false,
        own_addresses: HashMap::new(),
        permalinks: Permalinks::default(),
        languages: Languages::default(),
        aliases: HashMap::new(),
        generated: GeneratedPages::default(),
        elsewhere,
    }
}

impl Place {
    /// A path in the configuration: from the root of the tree, or from the directory above it.
    /// `None` if it climbs above that, or is absolute.
    fn path(&self, path: &str) -> Option<Vec<u8>> {
        let begin = match self {
            Self::In(place) => place.as_slice(),
            Self::Above(..) => b"",
        };
        let is_relative = !path.starts_with('/');
        let resolved = resolved(begin, &path.replace('%', "%25")).ok();
        Some(resolved.filter(|_| is_relative)?.names)
    }

    /// Mounts a directory. `None` if it is outside of the tree.
    fn mount(&self, directory: &str, url: &str, role: Role) -> Option<Mount> {
        let directory = self.path(directory)?;
        let url = url.as_bytes();
        match self {
            Self::In(_) => Some(Mount { directory, url: url.to_vec(), role, is_partial: false }),
            Self::Above(tree, _) => {
                // The tree is in the mounted directory, or the other way round.
                if let Some(rest) = below(tree, &directory) {
                    return Some(Mount {
                        directory: Vec::new(),
                        url: join(url, rest),
                        role,
                        is_partial: !rest.is_empty(),
                    });
                }
                Some(Mount {
                    directory: below(&directory, tree)?.to_vec(),
                    url: url.to_vec(),
                    role,
                    is_partial: false,
                })
            }
        }
    }

    /// The directory of the site itself.
    fn home(&self) -> Mount {
        let (directory, url) = match self {
            Self::In(place) => (place.clone(), Vec::new()),
            Self::Above(tree, _) => (Vec::new(), tree.clone()),
        };
        Mount { is_partial: !url.is_empty(), directory, url, role: Role::Files }
    }
}

/// The layout of a site.
fn layout_of(config: Config, listing: &Listing, files: &dyn ConfigFiles) -> Layout {
    let Config { place, kind, text, .. } = &config;
    let value = |key, default| yaml_value(text, key).filter(|it| !it.is_empty()).unwrap_or(default);
    let has = |directory: &str| match place {
        Place::In(_) => place.path(directory).and_then(|it| listing.id(&it)).is_some(),
        Place::Above(_, levels) => files.exists(*levels, directory),
    };
    let read = |name: &str| match place {
        Place::In(place) => files.read(&join(place, name.as_bytes())),
        Place::Above(_, levels) => files.read_above(*levels, name),
    };
    let whole = [("", "", Role::Pages)];
    match kind {
        SiteKind::MdBook => {
            let is_configured = !text.is_empty() || has("book.toml");
            let default = if is_configured { "src" } else { "" };
            let src = toml_value(text, "book", "src").unwrap_or(default);
            let mut layout = layout_with(*kind, place, &[(src, "", Role::Pages)]);
            let url = toml_value(text, "output.html", "site-url").unwrap_or_default();
            layout.prefix = path_of_url(url);
            layout
        }
        SiteKind::MkDocs => {
            let default = if text.is_empty() && !has("docs") { "" } else { "docs" };
            let docs = value("docs_dir", default);
            let mut layout = layout_with(*kind, place, &[(docs, "", Role::Pages)]);
            if value("use_directory_urls", "true") == "false" {
                layout.urls = PageUrls::Html;
            }
            layout.prefix = path_of_url(value("site_url", ""));
            layout
        }
        SiteKind::Docusaurus => docusaurus(&config, has, read),
        SiteKind::Hugo => {
            let text = &match text.is_empty() {
                true => text_of_directory(read),
                false => text.clone(),
            };
            let languages = Languages::of(text);
            let directories = directories(text, &languages);
            let mounts = directories.iter();
            let mounts = mounts.map(|(it, url, role)| (it.as_str(), url.as_str(), *role));
            let mounts: Vec<_> = mounts.collect();
            let is_content = |it: &&(&str, &str, Role)| it.2 == Role::Pages;
            let mut layout = match mounts.iter().filter(is_content).any(|it| has(it.0)) {
                true => layout_with(*kind, place, &mounts),
                false => layout_with(*kind, place, &whole),
            };
            layout.languages = languages;
            let is_ugly = |it: &str| it.trim_start().to_ascii_lowercase().starts_with("uglyurls");
            if text.lines().any(|it| is_ugly(it) && it.contains("true")) {
                layout.urls = PageUrls::Html;
            }
            layout.prefix = path_of_url(top_value(text, "baseURL").unwrap_or_default());
            layout.generated = GeneratedPages::of_hugo(text);
            layout
        }
        SiteKind::Jekyll => {
            let mut layout = layout_with(*kind, place, &[(value("source", ""), "", Role::Pages)]);
            layout.prefix = value("baseurl", "").trim_matches('/').as_bytes().to_vec();
            layout.permalinks = Permalinks::of(text);
            layout.generated = GeneratedPages::of_jekyll(text);
            layout.generated.has_permalinks = !layout.permalinks.are_known;
            layout
        }
        _ => layout_with(*kind, place, &whole),
    }
}

/// The path of a URL, without slashes at its ends.
fn path_of_url(url: &str) -> Vec<u8> {
    let path = crate::uri::Parts::split(url).path;
    path.trim_matches('/').as_bytes().to_vec()
}

fn docusaurus(
    config: &Config,
    has: impl Fn(&str) -> bool,
    read: impl Fn(&str) -> Option<String>,
) -> Layout {
    let Config { place, kind, text, .. } = config;
    let settings = Settings::of(text);
    let mut content: Vec<(Version, Plugin)> = Vec::new();
    let mut others = settings.other_routes.clone();
    // Of the instances with the same directory, those of plugins come first.
    let instances = settings.instances.iter().filter(|it| !it.is_disabled);
    let plugins = instances.clone().filter(|it| !it.is_of_preset);
    for instance in plugins.chain(instances.filter(|it| it.is_of_preset)) {
        let list = Some(instance.versions_file()).filter(|_| instance.plugin == Plugin::Docs);
        let list = list.filter(|it| has(it)).and_then(|it| read(&it));
        for version in instance.versions(&list.unwrap_or_default()) {
            let directory = place.path(&version.0);
            let mut known = content.iter().map(|((it, _), _)| place.path(it));
            if known.any(|it| it == directory) {
                continue;
            }
            if directory.is_none() || has(&version.0) {
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
        let files = files.iter().filter(|it| has(it));
        mounts.extend(files.map(|it| (*it, "", Role::Files)));
    }
    let mut layout = layout_with(*kind, place, &mounts);
    layout.prefix = path_of_url(settings.base_url.unwrap_or_default());
    layout.detects_mdx = settings.detects_format;
    layout.generated = GeneratedPages::of_docusaurus(&docs, &blogs, &others);
    layout.strips_slashes = settings.trailing_slash == Some(false);
    if settings.trailing_slash == Some(true) {
        layout.urls = PageUrls::Directory;
    }
    layout
}
