//! Redirects in the form of the program of a documentation site: entries of its configuration, or
//! old addresses in the front matter of a page.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::entries::{Entries, Entry, Holder};
use super::kind::Redirects;
use super::redirect_file::{RedirectFile, RedirectFiles};
use crate::docs_site::PublishedPage;
use crate::format::Format;
use crate::fs::path_of_bytes;
use crate::listing::{self, Moves};
use crate::site::Site;

/// Returns the entries for each page that moves, by the file that gets them. `None` if `form` is not
/// one of a site.
pub(super) fn site_redirects(
    form: Redirects,
    before: &Site,
    after: &Site,
    moves: &Moves,
) -> Option<RedirectFiles> {
    let kind = form.site_kind()?;
    let page = |site: &Site, path: &[u8]| {
        PublishedPage::of(site.layouts(), path).filter(|it| it.kind == kind)
    };
    let paths = |site: &Site| -> Vec<Vec<u8>> {
        let files = site.listing().iter().filter(|(.., entry)| *entry == listing::Entry::File);
        files.map(|(_, path, _)| path.to_vec()).collect()
    };
    let in_use: HashSet<(Vec<u8>, Vec<u8>)> = { paths(after).into_iter() }
        .filter_map(|path| page(after, &path))
        .map(|it| (it.home, it.address))
        .collect();
    let mut configs = HashMap::new();
    let mut files: BTreeMap<Vec<u8>, Entries> = BTreeMap::new();
    let mut without_rule = Vec::new();
    for path in paths(before) {
        let new_path = moves.new_path(&path);
        if *new_path == *path {
            continue;
        }
        let Some(old) = page(before, &path) else {
            let name = path_of_bytes(&path);
            if Format::from_extension(&name).is_some_and(Format::has_anchors) {
                without_rule.push(format!("/{}", String::from_utf8_lossy(&path)));
            }
            continue;
        };
        let new = page(after, &new_path).filter(|it| *it.home == *moves.new_path(&old.home));
        if new.as_ref().is_some_and(|it| it.address == old.address)
            || in_use.contains(&(moves.new_path(&old.home).into_owned(), old.address.clone()))
        {
            continue;
        }
        let holder = new.as_ref().and_then(|new| match form {
            Redirects::Jekyll | Redirects::Hugo => Some((new_path.to_vec(), Holder::Page(form))),
            _ => {
                let config = configs.entry(new.home.clone());
                let config = config.or_insert_with(|| config_of(after, new)).clone()?;
                Some((config, Holder::Config(form)))
            }
        });
        let entry = new.and_then(|new| Entry::new(form, &old, &new));
        match holder.zip(entry) {
            Some(((file, holder), entry)) => {
                files.entry(file).or_insert_with(|| Entries::new(holder)).push(entry);
            }
            None => without_rule.push(String::from_utf8_lossy(&old.address).into_owned()),
        }
    }
    let files = files.into_iter().map(|(path, entries)| RedirectFile {
        path,
        text: Vec::new(),
        hiding: Vec::new(),
        entries: Some(entries),
    });
    Some(RedirectFiles { files: files.collect(), without_rule })
}

/// The configuration of the site of a page.
fn config_of(site: &Site, page: &PublishedPage) -> Option<Vec<u8>> {
    let slash: &[u8] = if page.home.is_empty() { b"" } else { b"/" };
    let names = page.configurations().iter();
    let mut paths = names.map(|name| [&*page.home, slash, name.as_bytes()].concat());
    paths.find(|path| {
        let listing = site.listing();
        listing.id(path).map(|id| listing.entry(id)) == Some(listing::Entry::File)
    })
}
