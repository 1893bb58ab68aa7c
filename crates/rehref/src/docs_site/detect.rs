//! Finding the sites of a tree by their configuration files.

use std::collections::HashMap;

use super::address::{DocsSite, Elsewhere, Mount, Role};
use super::docs_sites::DocsSites;
use super::docusaurus::{Plugin, Settings, Version};
use super::front_matter;
use super::generated::GeneratedPages;
use super::hugo::{self, Languages};
use super::hugo_directories::directories;
use super::jekyll::{Excluded, Permalinks};
use super::kind::{PageUrls, SiteChoice, SiteKind};
use super::mkdocs;
use super::paths::{below, join, resolved, split};
use super::remotes::CodeHost;
use crate::format::markdown::Slugs;
use crate::listing::{Entry, Listing};
use crate::settings::{self, Setting, Syntax};

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

/// A directory that may have a site, with the files below it.
struct SiteDirectory<'d> {
    place: Place,
    listing: &'d Listing,
    files: &'d dyn ConfigFiles,
}

/// The configuration files of the programs. A program reads the first one that exists, and Hugo also
/// its directory.
const FILES: [(&str, SiteKind); 21] = [
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
    ("config.json", SiteKind::Hugo),
    ("config/_default", SiteKind::Hugo),
    ("_config.yml", SiteKind::Jekyll),
    ("_config.yaml", SiteKind::Jekyll),
    ("_config.toml", SiteKind::Jekyll),
    ("conf.py", SiteKind::Sphinx),
    (".obsidian", SiteKind::Obsidian),
];

/// The configuration of a site: its kind, and the text of its file with the settings in it.
struct Config<'d> {
    directory: SiteDirectory<'d>,
    kind: SiteKind,
    text: String,
    settings: Setting,
    /// True if the user has chosen the kind.
    is_chosen: bool,
}

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
        for (name, _) in FILES {
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

/// The configuration of a site with a file of this name, whose text is read by `read`.
fn config_of<'d>(
    name: &str,
    directory: SiteDirectory<'d>,
    wanted: Option<SiteKind>,
    read: impl FnOnce() -> Option<String>,
) -> Option<Config<'d>> {
    let (_, kind) = FILES.iter().find(|(file, _)| *file == name)?;
    let mut files = FILES.iter().filter(|(_, it)| it == kind);
    if files.find(|(file, _)| *file == name || directory.has(file))?.0 != name {
        return None;
    }
    let kind = match kind {
        // Jupyter Book is a front end of Sphinx.
        SiteKind::Jekyll if directory.has("_toc.yml") => SiteKind::Sphinx,
        kind => *kind,
    };
    if wanted.is_some_and(|it| it != kind) {
        return None;
    }
    let text = read()?;
    let own = || Syntax::of(name).map_or(Setting::Null, |syntax| settings::read(&text, syntax));
    let settings = match kind {
        SiteKind::MdBook | SiteKind::Jekyll => own(),
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
    let is_markdown = ["myst", "recommonmark", "markdown"];
    let is_for_markdown = is_markdown.iter().any(|it| text.contains(it));
    if name == "conf.py" && wanted.is_none() && !is_for_markdown {
        return None;
    }
    Some(Config { directory, kind, text, settings, is_chosen: wanted.is_some() })
}

/// A layout with these mounts: the directory below that of the site, and the path on the site.
fn layout_with(kind: SiteKind, place: &Place, mounts: &[(&str, &str, Role)]) -> DocsSite {
    let mut elsewhere = Vec::new();
    let mut in_tree = Vec::new();
    for (directory, url, role) in mounts {
        let url = url.trim_matches('/');
        match place.mount(directory, url, *role) {
            Some(mount) => in_tree.push(mount),
            None => elsewhere.push(Elsewhere { url: url.into(), role: *role }),
        }
    }
    DocsSite {
        kind,
        mounts: in_tree,
        home: place.home(),
        urls: kind.page_urls(),
        slugs: kind.slugs(),
        prefix: Vec::new(),
        keeps_rooted: false,
        detects_mdx: false,
        strips_slashes: false,
        own_addresses: HashMap::new(),
        permalinks: Permalinks::default(),
        excluded: None,
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

impl SiteDirectory<'_> {
    /// Returns true if an entry exists in the directory.
    fn has(&self, name: &str) -> bool {
        match &self.place {
            Place::In(_) => self.place.path(name).and_then(|it| self.listing.id(&it)).is_some(),
            Place::Above(_, levels) => self.files.exists(*levels, name),
        }
    }

    /// The text of a file by its path from the directory.
    fn read(&self, path: &str) -> Option<String> {
        match &self.place {
            Place::In(place) => self.files.read(&join(place, path.as_bytes())),
            Place::Above(_, levels) => self.files.read_above(*levels, path),
        }
    }
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
            layout
        }
        SiteKind::Docusaurus => docusaurus(config),
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
            layout.generated = GeneratedPages::of_hugo(settings);
            layout
        }
        SiteKind::Jekyll => {
            let mut layout = layout_with(*kind, place, &[(value("source"), "", Role::Pages)]);
            layout.prefix = value("baseurl").trim_matches('/').as_bytes().to_vec();
            layout.keeps_rooted = true;
            layout.permalinks = Permalinks::of(settings);
            layout.excluded = Some(Excluded::of(settings));
            layout.generated = GeneratedPages::of_jekyll(settings);
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
    layout.detects_mdx = settings.detects_format;
    layout.generated = GeneratedPages::of_docusaurus(&docs, &blogs, &others);
    layout.strips_slashes = settings.trailing_slash == Some(false);
    if settings.trailing_slash == Some(true) {
        layout.urls = PageUrls::Directory;
    }
    layout
}
