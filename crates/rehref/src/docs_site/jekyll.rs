//! The addresses that Jekyll forms from `permalink`: for all pages, posts and the documents of
//! collections.

use super::excluded::{Excluded, globs};
use super::paths::{below, join, split, split_extension};
use crate::settings::Setting;

/// The settings of a site for the addresses of its pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Permalinks {
    /// True if the addresses of pages end in a slash.
    are_directories: bool,
    /// The template of posts.
    posts: String,
    /// The templates of collections by name.
    collections: Vec<(String, String)>,
    /// The templates of files in a scope, in the order of the configuration.
    defaults: Vec<Scoped>,
    /// True if nothing else determines addresses.
    pub(super) are_known: bool,
}

/// The template of the files in a scope (`defaults`).
#[derive(Clone, Debug, PartialEq, Eq)]
struct Scoped {
    /// The path below the source directory.
    path: String,
    /// The label of a collection, `posts` or `pages`.
    label: Option<String>,
    template: String,
}

/// The fields of the front matter of a page that determine its address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fields {
    permalink: Option<String>,
    slug: Option<String>,
    /// As digits: the year, the month and the day.
    date: Option<[String; 3]>,
    categories: Vec<String>,
}

/// The files that Jekyll always excludes.
const EXCLUDED: [&str; 9] = [
    ".sass-cache/", ".jekyll-cache/", "gemfiles/", "Gemfile", "node_modules/", "vendor/bundle/",
    "vendor/cache/", "vendor/gems/", "vendor/ruby/",
];

/// The files that a configuration excludes. A path begins with an entry of `exclude`, or is matched
/// by it.
pub(super) fn excluded(settings: &Setting) -> Excluded {
    let list = |key| {
        let entries = settings.texts(&[key]).into_iter();
        entries.map(|it| it.trim_start_matches('/')).filter(|it| !it.is_empty())
    };
    let mut excluded = Excluded::of_globs(list("exclude"), false);
    excluded.beginnings = list("exclude").chain(EXCLUDED).map(str::to_owned).collect();
    excluded.but = globs(list("include"), false);
    excluded
}

impl Permalinks {
    /// Reads a configuration.
    pub(super) fn of(settings: &Setting) -> Self {
        let style = settings.text(&["permalink"]).unwrap_or("date");
        let posts = match style {
            "none" => "/:categories/:title:output_ext",
            "date" => "/:categories/:year/:month/:day/:title:output_ext",
            "ordinal" => "/:categories/:year/:y_day/:title:output_ext",
            "pretty" => "/:categories/:year/:month/:day/:title/",
            template => template,
        };
        let collections = settings.entries(&["collections"]);
        let mut collections: Vec<(String, String)> = { collections }
            .filter_map(|(label, it)| Some((label.to_owned(), it.text(&["permalink"])?.to_owned())))
            .collect();
        let own = collections.iter().position(|(label, _)| label == POSTS);
        let own = own.map(|at| collections.swap_remove(at).1);
        let posts = own.unwrap_or_else(|| posts.to_owned());
        let defaults = match settings.get(&["defaults"]) {
            Some(Setting::List(items)) => items.iter().filter_map(Scoped::of).collect(),
            _ => Vec::new(),
        };
        let post = Document { label: POSTS, path: "2020-01-02-a", above: "", fields: None };
        let templates = collections.iter().map(|(_, template)| template);
        let mut templates = templates.chain(defaults.iter().map(|it: &Scoped| &it.template));
        let are_known = templates.all(|it| post.filled(it).is_some())
            && post.filled(&posts).is_some()
            && settings.get(&["collections_dir"]).is_none();
        Self {
            are_directories: style == "pretty" || style.ends_with('/'),
            posts,
            collections,
            defaults,
            are_known,
        }
    }

    /// The address of a file by its path below the source directory, without an extension: its key,
    /// and true if it is that of a directory.
    pub(super) fn address(
        &self,
        stem: &[u8],
        is_index: bool,
        fields: Option<&Fields>,
    ) -> (Vec<u8>, bool) {
        let text = String::from_utf8_lossy(stem);
        let name = text.rsplit('/').next().unwrap_or_default();
        let collection = text.strip_prefix('_').and_then(|it| it.split_once('/'));
        let (label, path, above) = match (posts(&text), collection) {
            (Some((above, _)), _) => (POSTS, name, above),
            (None, Some((label, path))) => (label, path, ""),
            (None, None) if is_index => ("", text.strip_suffix(name).unwrap_or(&text), ""),
            (None, None) => ("", &*text, ""),
        };
        let document = Document { label, path, above, fields };
        let own = fields.and_then(|it| it.permalink.as_deref());
        let template = match (label, self.are_directories) {
            (POSTS, _) => &self.posts,
            ("", are_directories) if are_directories || is_index => "/:path/",
            ("", _) => "/:path:output_ext",
            (_, true) => "/:collection/:path/",
            (_, false) => "/:collection/:path:output_ext",
        };
        let configured = self.collections.iter().find(|(it, _)| it == label);
        let template = configured.map_or(template, |(_, template)| template);
        let scoped = self.defaults.iter().filter(|it| it.contains(label, &text));
        let scoped = scoped.max_by_key(|it| (it.path.len(), it.label.is_some()));
        let scoped = || {
            // The name of an index file counts here.
            let path = if label.is_empty() { &*text } else { document.path };
            Document { path, ..document }.filled(&scoped?.template)
        };
        let filled = own.and_then(|it| document.filled(it)).or_else(scoped);
        let filled = filled.or_else(|| document.filled(template));
        match filled {
            Some(address) => address,
            None => (stem.to_vec(), self.are_directories),
        }
    }
}

impl Scoped {
    /// Reads an item of `defaults`. `None` if it has no template.
    fn of(item: &Setting) -> Option<Self> {
        let path = item.text(&["scope", "path"]).unwrap_or_default();
        Some(Self {
            path: path.trim_matches('/').to_owned(),
            label: item.text(&["scope", "type"]).map(str::to_owned),
            template: item.text(&["values", "permalink"])?.to_owned(),
        })
    }

    /// Returns true for a file of a collection, by its path without an extension.
    fn contains(&self, label: &str, path: &str) -> bool {
        let label = if label.is_empty() { "pages" } else { label };
        let is_of_label = self.label.as_deref().is_none_or(|it| it == label);
        is_of_label && below(path.as_bytes(), self.path.as_bytes()).is_some()
    }
}

/// The name of the collection of posts.
const POSTS: &str = "posts";

impl Fields {
    /// Reads the front matter of a page. `None` if these keys are missing.
    pub(super) fn of(front: &Setting) -> Option<Self> {
        let value = |key| front.text(&[key]);
        // A scalar has several categories, that of `category` only one.
        let listed: Vec<&str> = match value("categories") {
            Some(scalar) => scalar.split_whitespace().collect(),
            None => front.texts(&["categories"]),
        };
        let mut categories: Vec<String> = Vec::new();
        for category in listed.into_iter().chain(value("category")) {
            let category = category.to_lowercase();
            if !categories.contains(&category) {
                categories.push(category);
            }
        }
        let fields = Self {
            permalink: value("permalink").map(str::to_owned),
            slug: value("slug").map(str::to_owned),
            date: value("date").and_then(|it| Some(divided(it.get(..10)?, "")?.0)),
            categories,
        };
        (fields != Self::default()).then_some(fields)
    }
}

/// The path of a post without `_posts` and its extension, in the form of `post_url`. `None` for
/// another file.
pub(super) fn post_name(path: &[u8]) -> Option<String> {
    let (directory, name) = split(path);
    let path = join(directory, split_extension(name).0);
    let (above, below) = posts(std::str::from_utf8(&path).ok()?)?;
    divided(below.rsplit('/').next()?, "-")?;
    Some(match above {
        "" => below.to_owned(),
        _ => format!("{above}/{below}"),
    })
}

/// The name of a post or a document without its extension and the date that it begins with.
pub(super) fn title(stem: &str) -> &str {
    divided(stem, "-").map_or(stem, |(_, title)| title)
}

/// The path of a post: the directories above `_posts`, and the path below it.
fn posts(path: &str) -> Option<(&str, &str)> {
    if let Some(below) = path.strip_prefix("_posts/") {
        return Some(("", below));
    }
    let at = path.find("/_posts/")?;
    Some((&path[..at], &path[at + "/_posts/".len()..]))
}

/// A date as digits, and the text after it and `mark`. Months and days have two digits.
fn divided<'t>(text: &'t str, mark: &str) -> Option<([String; 3], &'t str)> {
    let mut parts = text.splitn(3, '-');
    let (year, month, rest) = (parts.next()?, parts.next()?, parts.next()?);
    let end = rest.find(|it: char| !it.is_ascii_digit());
    let (day, rest) = rest.split_at(end.unwrap_or(rest.len()));
    let is_number =
        |it: &str, most| (1..=most).contains(&it.len()) && it.bytes().all(|it| it.is_ascii_digit());
    let is_date = is_number(year, 4) && year.len() > 1 && is_number(month, 2) && is_number(day, 2);
    let rest = rest.strip_prefix(mark)?;
    let two = |it: &str| format!("{it:0>2}");
    let year = match year.len() {
        2 => format!("20{year}"),
        _ => year.to_owned(),
    };
    is_date.then(|| ([year, two(month), two(day)], rest))
}

/// A post or a document of a collection.
struct Document<'d> {
    label: &'d str,
    /// The path in the collection, without an extension.
    path: &'d str,
    /// The directories above that of the posts.
    above: &'d str,
    fields: Option<&'d Fields>,
}

impl Document<'_> {
    /// The address by a template. `None` if a part of it is unknown.
    fn filled(&self, template: &str) -> Option<(Vec<u8>, bool)> {
        let mut text = String::new();
        let mut rest = template;
        while let Some(at) = rest.find(':') {
            text.push_str(&rest[..at]);
            let name = &rest[at + 1..];
            let is_name = |it: char| it.is_ascii_lowercase() || it == '_';
            let end = name.find(|it| !is_name(it)).unwrap_or(name.len());
            let (name, after) = name.split_at(end);
            // `:month_:day` has two names.
            let (value, after) = match (self.value(name), name.strip_suffix('_')) {
                (None, Some(name)) => (self.value(name)?, &rest[at + 1 + name.len()..]),
                (value, _) => (value?, after),
            };
            text.push_str(&value);
            rest = after;
        }
        text.push_str(rest);
        let is_directory = text.ends_with('/');
        let names = text.split('/').filter(|it| !it.is_empty());
        let key = names.collect::<Vec<_>>().join("/");
        let key = key.strip_suffix(".html").unwrap_or(&key);
        let (key, is_directory) = match key.strip_suffix("/index") {
            Some(directory) if !is_directory => (directory, true),
            _ => (key, is_directory),
        };
        Some((key.as_bytes().to_vec(), is_directory))
    }

    /// The value of a name in a template.
    fn value(&self, name: &str) -> Option<String> {
        let stem = self.path.rsplit('/').next().unwrap_or_default();
        let slug = || {
            let own = self.fields.and_then(|it| it.slug.as_deref());
            own.unwrap_or_else(|| title(stem))
        };
        let date = || {
            let own = self.fields.and_then(|it| it.date.clone());
            own.or_else(|| Some(divided(stem, "-")?.0))
        };
        let short = |digits: String| digits.trim_start_matches('0').to_owned();
        Some(match name {
            "collection" => self.label.to_owned(),
            "path" => self.path.to_owned(),
            "basename" => stem.to_owned(),
            "output_ext" => ".html".to_owned(),
            "name" => slugified(stem, "").to_lowercase(),
            "slug" => slugified(slug(), "").to_lowercase(),
            "title" => slugified(slug(), "._~!$&'()+,;=@"),
            "categories" => {
                let own = self.fields.map_or(&[][..], |it| &it.categories);
                let above = self.above.split('/').filter(|it| !it.is_empty());
                let mut all: Vec<String> = above.map(str::to_lowercase).collect();
                all.extend(own.iter().filter(|it| !all.contains(it)).cloned().collect::<Vec<_>>());
                all.join("/")
            }
            "year" => date()?[0].clone(),
            "short_year" => date()?[0].get(2..)?.to_owned(),
            "month" => date()?[1].clone(),
            "i_month" => short(date()?[1].clone()),
            "day" => date()?[2].clone(),
            "i_day" => short(date()?[2].clone()),
            "y_day" => day_of_year(&date()?)?,
            _ => return None,
        })
    }
}

/// The number of a day in its year, with three digits.
fn day_of_year(date: &[String; 3]) -> Option<String> {
    let [year, month, day] = date.each_ref().map(|it| it.parse::<usize>().ok());
    let (year, month, day) = (year?, month?, day?);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let months = [31, 28 + usize::from(is_leap), 31, 30, 31, 30, 31, 31, 30, 31, 30];
    let before: usize = months.get(..month.checked_sub(1)?)?.iter().sum();
    Some(format!("{:03}", before + day))
}

/// A text with hyphens for all characters but letters, digits and those given.
fn slugified(text: &str, kept: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    let mut is_replaced = false;
    for character in text.chars() {
        // Nearly all non-ASCII characters in names are letters.
        let is_kept = character.is_ascii_alphanumeric()
            || kept.contains(character)
            || !character.is_ascii() && !character.is_whitespace();
        if is_kept {
            slug.push(character);
        } else if !is_replaced {
            slug.push('-');
        }
        is_replaced = !is_kept;
    }
    let slug = slug.strip_prefix('-').unwrap_or(&slug);
    slug.strip_suffix('-').unwrap_or(slug).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{self, Syntax};

    /// The addresses of files by Jekyll 4.3.
    #[test]
    fn addresses_are_those_of_jekyll() {
        let config = "permalink: STYLE\ncollections:\n  notes:\n    permalink: /:collection/:title:output_ext\n";
        let read = |text: &str| settings::read(text, Syntax::Yaml);
        for (style, file, front, expected) in [
            ("date", "guide", "", "guide"),
            ("pretty", "guide", "", "guide/"),
            ("/blog/:title/", "sub/guide", "", "sub/guide/"),
            ("/blog/:title", "guide", "", "guide"),
            ("date", "guide", "permalink: /x/y/", "x/y/"),
            ("pretty", "guide", "permalink: /x/z.html", "x/z"),
            ("date", "_docs/deep/q", "", "docs/deep/q"),
            ("pretty", "_docs/deep/q", "", "docs/deep/q/"),
            ("date", "_docs/index", "", "docs/"),
            ("pretty", "_notes/My Note_x", "", "notes/My-Note_x"),
            ("date", "_notes/2020-05-06-dated", "", "notes/dated"),
            ("date", "_posts/sub/2020-01-02-b", "", "2020/01/02/b"),
            ("date", "sub/_posts/2020-01-03-c", "", "sub/2020/01/03/c"),
            ("none", "_posts/2020-1-3-c d", "", "c-d"),
            ("ordinal", "_posts/2020-12-31-c", "", "2020/366/c"),
            ("pretty", "_posts/2020-02-03-c", "categories: X y", "x/y/2020/02/03/c/"),
            ("none", "sub/_posts/2020-02-03-c", "categories: [A b, c]", "sub/a b/c/c"),
            ("none", "_posts/2020-02-03-c", "category: One Two", "one two/c"),
            ("none", "_posts/2020-02-03-c", "slug: Other_Slug", "Other_Slug"),
            ("date", "_posts/2020-12-31-c", "date: 2019-03-04 10:00:00", "2019/03/04/c"),
            ("date", "_posts/2020-02-08-c", "permalink: /p/:year/:title.html", "p/2020/c"),
            ("/:year-:month_:day-:slug:output_ext", "_posts/2020-02-06-C_d", "", "2020-02_06-c-d"),
            (
                "/:i_month/:i_day/:short_year/:name/",
                "_posts/2020-02-06-c",
                "",
                "2/6/20/2020-02-06-c/",
            ),
            // Unknown parts.
            ("/:hour/:title", "_posts/2020-02-06-c", "", "_posts/2020-02-06-c"),
        ] {
            let permalinks = Permalinks::of(&read(&config.replace("STYLE", style)));
            let fields = Fields::of(&read(front));
            let (key, is_directory) =
                permalinks.address(file.as_bytes(), file.ends_with("index"), fields.as_ref());
            let end = if is_directory { "/" } else { "" };
            let found = String::from_utf8_lossy(&key).into_owned() + end;
            assert_eq!(found, expected, "{style} {file} {front}");
        }
    }

    #[test]
    fn posts_have_dates() {
        for (path, expected) in [
            ("_posts/2020-01-02-a.md", Some("2020-01-02-a")),
            ("_posts/sub/2020-01-02-a.b.md", Some("sub/2020-01-02-a.b")),
            ("sub/_posts/2020-1-2-a.md", Some("sub/2020-1-2-a")),
            ("_posts/a.md", None),
            ("2020-01-02-a.md", None),
        ] {
            assert_eq!(post_name(path.as_bytes()).as_deref(), expected, "{path}");
        }
    }
}
