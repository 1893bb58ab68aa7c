//! The suggested value for a `--mirror` whose value has no URL, or none with a scheme.

use std::path::Path;

use rehref::jobs::HostDirectory;
use rehref::uri::Parts;

use crate::render::escape::shell_path;

/// Returns the suggested value for a `--mirror` whose value has no URL, or none with a scheme.
pub(super) fn with_url(value: &str) -> String {
    let (host, directory) = match value.rsplit_once('=') {
        Some((host, directory)) => (Some(host), Path::new(directory)),
        None => (None, Path::new(value)),
    };
    let shown = |found: &Path| match found == Path::new("") {
        true => shell_path(directory),
        false => shell_path(&directory.join(found)),
    };
    // A URL without a scheme is complete with one.
    let url = host.map(|host| format!("http://{}/", host.trim_matches('/')));
    let url = url.filter(|url| Parts::split(url).host().is_some_and(|it| !it.is_empty()));
    let found = match &url {
        _ if !directory.is_dir() => None,
        Some(url) => {
            let real = directory.canonicalize();
            let found = HostDirectory::of_url(url, real.as_deref().unwrap_or(directory));
            let found = found.map(|it| (it.url, shown(&it.path)));
            Some(found.unwrap_or_else(|| (url.clone(), shell_path(directory))))
        }
        None => HostDirectory::of_any(directory).map(|it| (it.url, shown(&it.path))),
    };
    match found {
        Some((url, directory)) => {
            format!("name the site with URL=DIR, such as --mirror {url}={directory}")
        }
        None => {
            let directory = match directory.is_dir() {
                true => shell_path(directory),
                false => "DIR".to_owned(),
            };
            format!(
                "name the site with URL=DIR, such as --mirror http://h.example/={directory}; `--mirror auto PATH` reads the \
                 URL from the pages of HTTrack, SingleFile and browsers"
            )
        }
    }
}
