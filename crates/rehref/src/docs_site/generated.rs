//! Pages that a program generates without a file.

use regex::{Regex, RegexSet};

use super::paths::{below, join};
use crate::settings::Setting;

/// The pages of a site without a file, by path.
#[derive(Clone, Debug, Default)]
pub(super) struct GeneratedPages {
    /// Single pages and files.
    pages: Vec<Vec<u8>>,
    /// Pages with others of any name below them.
    trees: Vec<Vec<u8>>,
    /// The paths of the further pages of lists, without the number at their end.
    numbered: Vec<Vec<u8>>,
    /// Expressions for paths.
    expressions: RegexSet,
    /// True if settings may give pages other directories than those of their files.
    pub(super) has_permalinks: bool,
}

/// The files of the feed of a blog of Docusaurus.
const FEEDS: [&str; 3] = ["rss.xml", "atom.xml", "feed.json"];

impl GeneratedPages {
    /// Any page.
    pub(super) fn any() -> Self {
        Self { trees: vec![Vec::new()], ..Self::default() }
    }

    /// Pages at these paths.
    pub(super) fn of_paths<'p>(paths: impl Iterator<Item = &'p str>) -> Self {
        let pages = paths.map(|it| it.trim_matches('/').into());
        Self { pages: pages.collect(), ..Self::default() }
    }

    /// Pages whose paths, with a slash before them, these expressions match.
    pub(super) fn of_expressions<'p>(expressions: impl Iterator<Item = &'p str>) -> Self {
        let expressions = expressions.map(|it| format!("^(?:{it})$"));
        let expressions = RegexSet::new(expressions.filter(|it| Regex::new(it).is_ok()));
        Self { expressions: expressions.unwrap_or_default(), ..Self::default() }
    }

    /// The pages of Docusaurus, by the routes of its documents and its blogs, and other routes of
    /// its configuration.
    pub(super) fn of_docusaurus(docs: &[&str], blogs: &[&str], others: &[&str]) -> Self {
        let mut pages = Self { pages: vec![b"sitemap.xml".to_vec()], ..Self::default() };
        let route = |route: &str| route.trim_matches('/').as_bytes().to_vec();
        let at = |base: &str, name: &str| join(&route(base), name.as_bytes());
        for docs in docs {
            pages.trees.extend([at(docs, "category"), at(docs, "tags")]);
        }
        for blog in blogs {
            pages.pages.extend([route(blog), at(blog, "archive")]);
            pages.pages.extend(FEEDS.map(|feed| at(blog, feed)));
            pages.trees.extend([at(blog, "tags"), at(blog, "authors")]);
            pages.numbered.push(at(blog, "page/"));
        }
        let others = others.iter().map(|it| route(it));
        pages.trees.extend(others.filter(|it| !it.is_empty()));
        pages
    }

    /// The pages of Hugo, by its configuration, whose keys are in lower case.
    pub(super) fn of_hugo(settings: &Setting) -> Self {
        let disabled = settings.texts(&["disablekinds"]);
        let is_disabled = disabled.iter().any(|it| it.to_ascii_lowercase().contains("taxonomy"));
        let own = settings.entries(&["taxonomies"]).filter_map(|(_, name)| name.text(&[]));
        let taxonomies = match settings.get(&["taxonomies"]) {
            _ if is_disabled => Vec::new(),
            Some(_) => own.collect(),
            None => vec!["tags", "categories"],
        };
        let names = ["index.xml", "sitemap.xml", "404.html"];
        let mut languages = settings.entries(&["languages"]).map(|(_, language)| language);
        Self {
            pages: names.map(|it| it.as_bytes().to_vec()).into(),
            trees: taxonomies.iter().map(|it| it.to_ascii_lowercase().into_bytes()).collect(),
            numbered: vec![b"page/".to_vec()],
            expressions: RegexSet::empty(),
            has_permalinks: settings.get(&["permalinks"]).is_some()
                || languages.any(|it| it.get(&["permalinks"]).is_some()),
        }
    }

    /// The pages of Jekyll, which only plugins generate, by its configuration.
    pub(super) fn of_jekyll(settings: &Setting) -> Self {
        let mut pages = Self::default();
        let trimmed = |it: &str| it.trim_matches('/').as_bytes().to_vec();
        if settings.text(&["paginate"]).is_some() {
            let path = settings.text(&["paginate_path"]).unwrap_or("/page:num/");
            let before = path.split(":num").next().unwrap_or(path);
            pages.numbered.push(before.trim_start_matches('/').into());
        }
        // For a plugin in a Gemfile, this file has at most settings.
        let has = |plugin: &str| {
            let mut lists = ["plugins", "gems", "whitelist"].into_iter();
            let is_listed = |list| settings.texts(&[list]).contains(&plugin);
            settings.get(&[plugin]).is_some() || lists.any(is_listed)
        };
        for (plugin, file) in [("jekyll-feed", "feed.xml"), ("jekyll-sitemap", "sitemap.xml")] {
            if has(plugin) {
                pages.pages.push(trimmed(file));
            }
        }
        if has("jekyll-archives") {
            // The permalinks end in the name of the tag or category.
            let permalinks = settings.entries(&["jekyll-archives", "permalinks"]);
            let permalinks = permalinks.filter_map(|(_, it)| it.text(&[])?.split_once(":name"));
            let permalinks = permalinks.map(|(before, _)| trimmed(before));
            pages.trees.extend(permalinks.filter(|it| !it.is_empty()));
            if pages.trees.is_empty() {
                pages.trees.extend([trimmed("tag"), trimmed("category")]);
            }
        }
        pages
    }

    /// Returns true if a path may be that of a page.
    pub(super) fn contains(&self, path: &[u8]) -> bool {
        let is_page = self.pages.iter().any(|it| it == path);
        let is_below = |tree: &Vec<u8>| below(path, tree).is_some();
        let is_matched = || {
            let text = std::str::from_utf8(path);
            text.is_ok_and(|it| self.expressions.is_match(&format!("/{it}")))
        };
        is_page
            || self.trees.iter().any(is_below)
            || self.is_numbered(path)
            || !self.expressions.is_empty() && is_matched()
    }

    /// Returns true if a path may be that of a further page of a list.
    pub(super) fn is_numbered(&self, path: &[u8]) -> bool {
        let is_number = |it: &[u8]| !it.is_empty() && it.iter().all(u8::is_ascii_digit);
        let mut numbered = self.numbered.iter();
        numbered.any(|before| path.strip_prefix(before.as_slice()).is_some_and(is_number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{self, Syntax};

    fn assert_has(pages: &GeneratedPages, has: &[&str], lacks: &[&str]) {
        for path in has {
            assert!(pages.contains(path.as_bytes()), "{path}");
        }
        for path in lacks {
            assert!(!pages.contains(path.as_bytes()), "{path}");
        }
    }

    #[test]
    fn docusaurus_makes_lists_below_its_routes() {
        let pages = GeneratedPages::of_docusaurus(&["docs"], &["/news"], &["/api", "/"]);
        assert_has(
            &pages,
            &[
                "docs/category/first-steps", "docs/tags", "docs/tags/sea", "news", "news/page/2",
                "news/archive", "news/tags/sea/page/2", "news/authors/all", "news/rss.xml", "api",
                "api/all",
            ],
            &[
                "", "docs", "docs/page/2", "docs/archive", "category/x", "tags",
                "news/archive/2020", "news/page/x", "news/page", "blog", "apis",
            ],
        );
        assert_has(
            &GeneratedPages::of_docusaurus(&[""], &[], &[]),
            &["category/x", "tags"],
            &["page/2", "archive"],
        );
    }

    #[test]
    fn hugo_makes_lists_of_its_taxonomies() {
        let of = |text, syntax| {
            GeneratedPages::of_hugo(&settings::read(text, syntax).with_keys_in_lower_case())
        };
        let usual = ["tags", "tags/sea", "categories/x/page/2", "page/2"];
        assert_has(&of("", Syntax::Toml), &usual, &["series/x", "tag/x", "page", "a/tags"]);
        for (own, syntax) in [
            (
                "title = 'x'\n[taxonomies]\n  series = 'Series' # all\n[params]\ntag = 'tags'\n",
                Syntax::Toml,
            ),
            ("taxonomies.serie = \"ser\\u0069es\"\n", Syntax::Toml),
            ("taxonomies:\n  series: series\nparams:\n  tag: tags\n", Syntax::Yaml),
            ("Taxonomies: {'series': &s series}\n", Syntax::Yaml),
        ] {
            let pages = of(own, syntax);
            assert_has(&pages, &["series/x"], &["tags/sea"]);
            assert!(!pages.has_permalinks);
        }
        for none in ["disableKinds = ['taxonomy', 'term']", "disablekinds = \"taxonomy\""] {
            assert_has(&of(none, Syntax::Toml), &["index.xml"], &["tags/sea"]);
        }
        assert_has(&of("taxonomies:\n", Syntax::Yaml), &["index.xml"], &["tags/sea"]);
        for text in ["permalinks: {posts: /:slug/}", "languages: {de: {permalinks: }}"] {
            assert!(of(text, Syntax::Yaml).has_permalinks, "{text}");
        }
    }

    #[test]
    fn jekyll_makes_only_what_plugins_make() {
        let of = |text| GeneratedPages::of_jekyll(&settings::read(text, Syntax::Yaml));
        let anything = ["tags/x", "page2", "page/2", "archive", "feed.xml", "category/x"];
        assert_has(&of("title: jekyll-feed # paginate: 5\n"), &[], &anything);
        let paginated = of("paginate: 5\npaginate_path: \"/blog/p:num/\"\n");
        assert_has(&paginated, &["blog/p2"], &["blog/p", "page2", "blog"]);
        assert_has(&of("paginate: 5\n"), &["page2"], &["page"]);
        let archives = of("plugins: [jekyll-archives, jekyll-feed]\n");
        assert_has(&archives, &["tag/x", "category/x", "feed.xml"], &["tags/x"]);
        assert_has(&of("gems:\n- \"jekyll\\x2dsitemap\"\n"), &["sitemap.xml"], &["feed.xml"]);
        let own = of("jekyll-archives:\n  permalinks: {tag: '/tags/:name/'}\n");
        assert_has(&own, &["tags/x"], &["tag/x"]);
    }
}
