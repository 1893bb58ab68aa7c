//! The laws of the rules `absolute`, `relative` and `root-relative` on documentation sites: links
//! keep their pages, in a form that the program or the browser resolves, and a second run changes
//! nothing. The addresses of pages are those of `site_laws`.

use proptest::prelude::*;
use rehref::docs_site::SiteKind;
use rehref::document::Document;
use rehref::format::Options;
use rehref::rewrite::{Rules, SkipReason};
use rehref::rules::{DocumentRules, SiteDocument};
use rehref::site::Site;

use crate::laws::config;
use crate::site_laws::{KINDS, Plot, address, plots, resolved};
use crate::support::planned::Planned;

const URL: &str = "https://h.example/x/";

/// A document with a link for each reference.
fn document(site: &Site, path: &str, references: &[String], is_markdown: bool) -> Document {
    let link = |reference: &String| match is_markdown {
        true => format!("[t](<{reference}>)\n\n"),
        false => format!("<a href=\"{reference}\">t</a>\n"),
    };
    let text: String = references.iter().map(link).collect();
    let document = Document::new("a.md", text.into_bytes());
    document.retrieved_from(site.uri_of(path.as_bytes()))
}

/// The references after rules, and the numbers of links that are skipped since no reference names
/// their page.
fn rewritten(
    site: &Site,
    path: &str,
    rules: &Rules,
    references: &[String],
    is_markdown: bool,
) -> (Vec<String>, Vec<usize>) {
    let page = document(site, path, references, is_markdown);
    let links = page.links_with(&Options::default());
    assert_eq!(links.len(), references.len());
    let rules = DocumentRules::new(rules, None);
    let plan = Planned::new(&links, &rules.in_site(SiteDocument::new(site, path.as_bytes())));
    let page = Document::new("a.md", plan.bytes().to_vec());
    let links = page.links();
    let new = links.iter().map(|it| it.reference().to_owned());
    let skipped = plan.skipped().iter();
    let skipped = skipped.filter(|(_, why)| *why != SkipReason::Unchanged);
    (new.collect(), skipped.map(|(number, _)| *number).collect())
}

/// An address without its end.
fn bare(address: &str) -> &str {
    let address = address.trim_end_matches('/');
    let address = address.strip_suffix(".html").unwrap_or(address);
    let address = address.strip_suffix("index").unwrap_or(address);
    address.trim_end_matches('/')
}

/// The address of a file on the site.
fn on_site(plot: &Plot, file: &str) -> Option<String> {
    let (kind, content, url, _) = KINDS[plot.number()];
    Some(format!("{url}{}", address(kind, file.strip_prefix(content)?)?))
}

/// Returns true if a relative reference refers to a page: for the program, or for a browser.
fn refers_to(plot: &Plot, from: &str, reference: &str, to: &str, is_markdown: bool) -> bool {
    let path = reference.split(['?', '#']).next().expect("a path");
    let reads_files = match plot.kind() {
        SiteKind::Hugo | SiteKind::Jekyll => false,
        SiteKind::GitHub | SiteKind::Obsidian => true,
        _ => is_markdown,
    };
    if reads_files && resolved(from, path) == to {
        return true;
    }
    let (base, target) = (on_site(plot, from), on_site(plot, to));
    let (base, target) = (base.expect("an address"), target.expect("an address"));
    bare(&resolved(&base, path)) == bare(&target)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn references_keep_their_pages_in_the_form_of_the_rule(plot in plots(), is_markdown: bool) {
        let local = plot.site_at(None, &plot.files);
        let site = plot.site_at(Some(URL), &plot.files);
        // Of files with one address, only one has it.
        prop_assume!(plot.has_unique_addresses(&site));
        for (path, links) in &plot.links() {
            let (references, targets): (Vec<String>, Vec<String>) = links.iter().cloned().unzip();
            let suffix = |it: &str| it.find(['?', '#']).map_or("", |at| &it[at..]).to_owned();
            let absolute = Rules::new().absolute();
            let (whole, kept) = rewritten(&site, path, &absolute, &references, is_markdown);
            prop_assert!(kept.is_empty(), "{} {path}: {references:?} {kept:?}", plot.kind());
            for ((new, old), target) in whole.iter().zip(&references).zip(&targets) {
                prop_assert_eq!(suffix(new), suffix(old));
                let found = new.strip_prefix(URL).map(|it| it.split(['?', '#']).next().unwrap());
                let expected = on_site(&plot, target).unwrap();
                // An index file has its own path, too.
                let is_file = plot.kind() == SiteKind::GitHub && found == Some(target);
                prop_assert!(
                    is_file || found.map(bare) == Some(bare(&expected)),
                    "{} {}: {} became {}", plot.kind(), path, old, new
                );
                let named = site.file_named(path.as_bytes(), new);
                prop_assert_eq!(named, site.listing().id(target.as_bytes()));
            }
            // From references as they were, and from the whole addresses.
            for (site, before) in [(&local, &references), (&site, &whole)] {
                let (rooted, kept) = rewritten(site, path, &Rules::new().root_relative(), before, is_markdown);
                prop_assert!(kept.is_empty(), "{} {path}: {before:?} {kept:?}", plot.kind());
                let (relative, kept) = rewritten(site, path, &Rules::new().relative(), &rooted, is_markdown);
                for (number, target) in targets.iter().enumerate() {
                    let (rooted, relative) = (&rooted[number], &relative[number]);
                    prop_assert!(rooted.starts_with('/'), "{}", rooted);
                    prop_assert_eq!(suffix(rooted), suffix(&before[number]));
                    let id = site.listing().id(target.as_bytes());
                    prop_assert_eq!(site.file_named(path.as_bytes(), rooted), id, "{} {}: {}", plot.kind(), path, rooted);
                    prop_assert_eq!(site.file_named(path.as_bytes(), relative), id, "{} {}: {}", plot.kind(), path, relative);
                    if kept.contains(&number) {
                        // A file at the path as written would be found first.
                        prop_assert_eq!(rooted, relative);
                        prop_assert!(!is_markdown || plot.kind() != SiteKind::MkDocs);
                        continue;
                    }
                    prop_assert!(!relative.starts_with('/') && !relative.contains("://"), "{}", relative);
                    prop_assert_eq!(suffix(relative), suffix(rooted));
                    prop_assert!(
                        refers_to(&plot, path, relative, target, is_markdown),
                        "{} {}: {} became {}, not {}", plot.kind(), path, rooted, relative, target
                    );
                }
                for (rules, once) in [(Rules::new().root_relative(), &rooted), (Rules::new().relative(), &relative)] {
                    let (twice, _) = rewritten(site, path, &rules, once, is_markdown);
                    prop_assert_eq!(&twice, once);
                }
            }
            let (twice, _) = rewritten(&site, path, &absolute, &whole, is_markdown);
            prop_assert_eq!(twice, whole);
        }
    }
}
