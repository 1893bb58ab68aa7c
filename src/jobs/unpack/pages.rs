//! The contents of files.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::LazyLock;

use regex::bytes::Regex;

use super::capture::RESOLVER;
use super::options::MissingLinks;
use crate::container::http::document_kind;
use crate::document::Document;
use crate::format::{Extra, Options};
use crate::link::{Form, LinkData, Markup, Role};
use crate::records::UnpackSummary;
use crate::rewrite::OfflineContent;
use crate::site::captures::{Chosen, ChosenFile, FileType, Found, Lack, LocalPath, is_of_web};
use crate::source::{Base, BaseFrom, Source};

/// A URL without a whole file, and the links to it.
pub(super) struct Missing {
    pub(super) count: usize,
    /// The URL of the first document with such a link.
    pub(super) from: Box<str>,
    pub(super) why: Lack,
}

/// Makes the contents of files, and collects what the archives lack.
pub(super) struct Pages<'c> {
    chosen: &'c Chosen,
    missing_links: MissingLinks,
    options: Options,
    /// By URL.
    pub(super) missing: BTreeMap<Box<str>, Missing>,
    /// The counts of what a browser still fetches, what may not work in files, and what is not rewritten.
    pub(super) counts: UnpackSummary,
}

impl<'c> Pages<'c> {
    pub(super) fn new(chosen: &'c Chosen, missing_links: MissingLinks) -> Self {
        Self {
            chosen,
            missing_links,
            options: Options {
                resolver: RESOLVER,
                // Scripts load images from `data-src`. Previews of links have the public URLs in `meta`.
                extra: Extra {
                    data: true,
                    meta: true,
                    ..Extra::default()
                },
                scripted: true,
                cors: true,
                ..Options::default()
            },
            missing: BTreeMap::new(),
            counts: UnpackSummary::default(),
        }
    }

    /// The content of a file for this body, and the number of edits. `None` if it is the body itself.
    pub(super) fn content(
        &mut self,
        file: &ChosenFile<'_>,
        path: &LocalPath,
        content_type: Option<&str>,
        body: &[u8],
    ) -> (Option<Vec<u8>>, usize) {
        let kind = document_kind(content_type, file.url, body);
        let Some((format, charset)) = kind.filter(|(format, _)| format.is_shown_by_browsers())
        else {
            return (None, 0);
        };
        if format.is_page() {
            self.counts.policies += usize::from(POLICY.is_match(body));
            self.counts.modules += MODULE.find_iter(body).count();
        }
        let source = Source {
            name: PathBuf::new(),
            bytes: body.to_vec(),
            syntax: None,
            charset,
            base: Some(Base {
                uri: file.url.to_owned(),
                from: BaseFrom::Retrieval,
            }),
            mail_part: None,
            record: None,
        };
        let document = Document::from_source(source, format);
        let options = self.options.clone();
        let content = OfflineContent::new(&document, path, &options, |uri, link| {
            self.target(file.url, uri, link)
        });
        self.counts.scripted += content.scripted;
        (content.bytes, content.edits)
    }

    /// The path and the fragment of the file for the URL of a link.
    fn target(
        &mut self,
        from: &str,
        uri: &str,
        link: &LinkData<'_>,
    ) -> Option<(LocalPath, Option<String>)> {
        let chosen = self.chosen;
        match chosen.find(uri) {
            Found::File { url, fragment } => {
                if chosen.file(url).is_some_and(|it| it.is_truncated) {
                    self.count_missing(chosen.url(url), from, Lack::Truncated, link);
                }
                Some((chosen.path(url), fragment.map(str::to_owned)))
            }
            Found::Lacks(url, why) if is_of_web(url) && chosen.has_host_of(url) => {
                self.count_missing(url, from, why, link);
                if self.missing_links == MissingLinks::Absolute {
                    return None;
                }
                let other = match link.role {
                    Role::Style => FileType::CSS,
                    Role::Navigate | Role::Submit => FileType::HTML,
                    _ => FileType::OTHER,
                };
                let fragment = uri.split_once('#');
                let fragment = fragment.map(|(_, fragment)| fragment.to_owned());
                Some((LocalPath::guessed(url, other), fragment))
            }
            Found::Lacks(url, _) => {
                let is_loaded = matches!(link.role, Role::Embed | Role::Style | Role::Script);
                self.counts.remote += usize::from(is_loaded && is_of_web(url));
                None
            }
        }
    }

    fn count_missing(&mut self, url: &str, from: &str, why: Lack, link: &LinkData<'_>) {
        // Pages need neither these nor what is in previews of links. A hint to connect to a host is no link to a page.
        let is_preview =
            |it: &Markup| it.element == "meta" && !matches!(it.form, Form::Refresh { .. });
        if matches!(link.role, Role::Submit | Role::Ping | Role::Other)
            || link.place.markup().is_some_and(is_preview)
        {
            return;
        }
        if let Some(missing) = self.missing.get_mut(url) {
            missing.count += 1;
            return;
        }
        let missing = Missing {
            count: 1,
            from: from.into(),
            why,
        };
        self.missing.insert(url.into(), missing);
    }
}

/// A content security policy, which may forbid to load files.
static POLICY: LazyLock<Regex> =
    LazyLock::new(|| regex(r#"(?i-u)<meta\s[^>]*http-equiv\s*=\s*["']?content-security-policy\b"#));

/// A module script, which a browser does not load from files.
static MODULE: LazyLock<Regex> =
    LazyLock::new(|| regex(r#"(?i-u)<script\s[^>]*type\s*=\s*["']?module\b"#));

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a regular expression")
}
