//! The files with redirects.

use anyhow::bail;
use rehref::jobs::redirects::{RedirectFile, RedirectFiles};
use rehref::site::{Entry, Site};

pub(super) fn missing_rule(address: &str) -> String {
    format!(
        "{address}: not redirected to its page, since no rule of this server can name the address (--redirects html writes a page there)"
    )
}

/// The file that is there already, which gets the rules at its end, and those that are new.
pub(super) fn added_and_new(
    redirects: RedirectFiles,
    after: &Site,
) -> anyhow::Result<(Option<RedirectFile>, Vec<RedirectFile>)> {
    let (mut added, mut new) = (None, Vec::new());
    for file in redirects.files {
        match after.listing().resolved(&file.path) {
            None => new.push(file),
            Some((id, Entry::File)) => {
                let path = after.listing().name(id).to_vec();
                added = Some(RedirectFile { path, ..file });
            }
            Some(_) => bail!(
                "{}: is no file of the tree, so it cannot tell of moves (--redirects)",
                String::from_utf8_lossy(&file.path)
            ),
        }
    }
    Ok((added, new))
}
