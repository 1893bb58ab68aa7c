//! Directories that download tools name after a host.
//!
//! wget, HTTrack and others put the copy of each site into a directory with the name of its host,
//! below the output directory. `--mirror URL=DIR` with that outer directory would turn the links
//! into `http://HOST/HOST/`.

use std::path::{Path, PathBuf};

use crate::bytes::percent;
use crate::fs::{GitIgnore, Item, WalkOptions};
use crate::uri::{Parts, Profile, Resolved, Resolver, default_port};

/// The directories in which `wget --protocol-directories` puts those of hosts.
const SCHEMES: [&str; 3] = ["http", "https", "ftp"];

/// A directory with the name of a host.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HostDirectory {
    /// The distance of the name from the host that is searched; 0 is best.
    rank: u8,
    /// The directory, below the one that contains it.
    pub path: PathBuf,
    /// The URL of the copy in it: the root of the host.
    pub url: String,
}

impl HostDirectory {
    /// The directory in `outer` that seems to contain the copy of `url`. `None` without one, and if
    /// `outer` has the name of the host itself: then a directory of that name in it belongs to the
    /// site.
    pub fn of_url(url: &str, outer: &Path) -> Option<Self> {
        let host = Host::of_url(url)?;
        let own = outer.file_name().and_then(|it| it.to_str());
        if own.is_some_and(|own| host.rank(&Host::of_name(own)).is_some()) {
            return None;
        }
        let found = named(outer).filter_map(|(path, scheme, hosts)| {
            let (rank, named) = host.rank(&hosts)?;
            let url = named.root_of(url, scheme.as_deref(), rank);
            Some(Self { rank, path, url })
        });
        found.min()
    }

    /// The URL of the copy if the tool left out the directories of `url`, as `wget --cut-dirs`
    /// does. `None` if `url` has none, or the copy in `outer` has them.
    pub fn url_of_directory(&self, url: &str, outer: &Path) -> Option<String> {
        let path = Parts::split(url).path;
        let below = percent::decode(path.trim_matches('/'));
        let below = std::str::from_utf8(&below).ok()?;
        let has_it = outer.join(&self.path).join(below).is_dir();
        (!has_it).then(|| format!("{}{path}", self.url.trim_end_matches('/')))
    }

    /// The directory in `outer`, or `outer` itself, that has the name of some host.
    pub fn of_any(outer: &Path) -> Option<Self> {
        let is_host = |host: &&Host| host.is_likely();
        let found = named(outer).filter_map(|(path, scheme, hosts)| {
            let host = hosts.iter().find(is_host)?;
            let url = format!("{}://{host}/", scheme.as_deref().unwrap_or("http"));
            Some(Self { rank: 0, path, url })
        });
        found.min().or_else(|| {
            let own = outer.canonicalize().ok()?;
            let hosts = Host::of_name(own.file_name()?.to_str()?);
            Some(Self {
                rank: 0,
                path: PathBuf::new(),
                url: format!("http://{}/", hosts.iter().find(is_host)?),
            })
        })
    }
}

/// The directories in a directory, and in directories of schemes in it: the path below it, the
/// scheme, and the hosts that the name may be.
fn named(outer: &Path) -> impl Iterator<Item = (PathBuf, Option<String>, Vec<Host>)> {
    let of_schemes = SCHEMES.into_iter().flat_map(|scheme| {
        let names = directory_names(&outer.join(scheme)).into_iter();
        names.map(move |name| (Path::new(scheme).join(name), Some(scheme)))
    });
    let found = directory_names(outer).into_iter().map(|name| (PathBuf::from(name), None));
    let found: Vec<_> = found.chain(of_schemes).collect();
    found.into_iter().filter_map(|(path, scheme)| {
        let hosts = Host::of_name(path.file_name()?.to_str()?);
        Some((path, scheme.map(str::to_owned), hosts))
    })
}

/// The names of the directories in a directory.
fn directory_names(directory: &Path) -> Vec<String> {
    let options = WalkOptions {
        max_depth: Some(1),
        follow: true,
        whole: true,
        gitignore: GitIgnore::off(),
        ..WalkOptions::default()
    };
    if !directory.is_dir() {
        return Vec::new();
    }
    // A directory that cannot be read is reported by the run.
    let entries = options.walk(vec![Item::Path(directory.to_owned())]);
    let paths = entries.flatten().filter_map(|it| it.item.file().map(Path::to_owned));
    let directories = paths.filter(|path| path != directory && path.is_dir());
    let name = |path: PathBuf| path.file_name()?.to_str().map(str::to_owned);
    directories.filter_map(name).collect()
}

/// A host with its port.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Host {
    /// In the normal form of the URL Standard: lower case, Punycode, IPv6 addresses in brackets.
    host: String,
    port: Option<String>,
}

impl std::fmt::Display for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.host)?;
        match &self.port {
            Some(port) => write!(f, ":{port}"),
            None => Ok(()),
        }
    }
}

impl Host {
    /// The host of a URL, with its port or the one of its scheme.
    fn of_url(url: &str) -> Option<Self> {
        let parts = Parts::split(url);
        let host = parts.host().filter(|host| !host.is_empty())?;
        let port = parts.authority?.rsplit_once(host)?.1.strip_prefix(':');
        let port = port.filter(|port| !port.is_empty());
        let port = port.map(str::to_owned);
        Some(Self {
            host: normal(host)?,
            port: port.or_else(|| Some(default_port(parts.scheme?)?.to_string())),
        })
    }

    /// The hosts that the name of a directory may be. A port follows `:`, `+` or `_`; those
    /// characters may also be in place of the colons of an IPv6 address, which has no brackets.
    fn of_name(name: &str) -> Vec<Self> {
        let digits = name.len() - name.trim_end_matches(|it: char| it.is_ascii_digit()).len();
        let (before, port) = name.split_at(name.len() - digits);
        let divided = before.strip_suffix([':', '+', '_']).filter(|_| !port.is_empty());
        let divided = divided.map(|host| (host, Some(port.to_owned())));
        let spellings = [Some((name, None)), divided].into_iter().flatten();
        let mut hosts = Vec::new();
        for (name, port) in spellings {
            let bare = name.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
            let colons = bare.unwrap_or(name).replace(['+', '_'], ":");
            let address = (colons.matches(':').count() > 1).then(|| format!("[{colons}]"));
            let address = address.and_then(|it| normal(&it));
            // A path or a port would change the URL.
            let plain = (!name.contains(['/', ':', '@', '?', '#', '\\'])).then(|| normal(name));
            // A version such as `1.20` would be read as the address 1.0.0.20.
            let is_number =
                |host: &str| !host.contains(|it: char| !it.is_ascii_digit() && it != '.');
            let plain = plain.flatten().filter(|host| host == name || !is_number(host));
            hosts.extend(address.or(plain).map(|host| Self { host, port }));
        }
        hosts
    }

    /// Returns true if a name is surely that of a host.
    fn is_likely(&self) -> bool {
        let last = self.host.rsplit('.').next().unwrap_or_default();
        let is_domain = self.host.contains('.') && last.len() > 1 && !self.host.starts_with('.');
        is_domain || self.host == "localhost" || self.host.starts_with('[')
    }

    /// Returns the best match of this host among several, with its rank: with its port, without
    /// one, with another one, or except for `www.` at the beginning.
    fn rank<'h>(&self, others: &'h [Self]) -> Option<(u8, &'h Self)> {
        let without_www = |host: &'_ str| host.strip_prefix("www.").unwrap_or(host).len();
        let same_site = |other: &&Self| {
            let (one, other) = (&self.host, &other.host);
            let ends = [one, other].map(|it| &it[it.len() - without_www(it)..]);
            ends[0] == ends[1]
        };
        let rank = |other: &'h Self| {
            let rank = match (&other.port, self.host == other.host) {
                (_, false) => 3,
                (None, true) => 1,
                (port, true) if *port == self.port => 0,
                (Some(_), true) => 2,
            };
            (rank, other)
        };
        let found = others.iter().filter(same_site).map(rank);
        found.min_by_key(|(rank, _)| *rank)
    }

    /// The root of `url` with this host, which matches that of `url` by this rank, and with this
    /// scheme.
    fn root_of(&self, url: &str, scheme: Option<&str>, rank: u8) -> String {
        let parts = Parts::split(url);
        let authority = match rank {
            0 | 1 => parts.authority.unwrap_or_default().to_owned(),
            _ => self.to_string(),
        };
        let scheme = scheme.or(parts.scheme).unwrap_or("http");
        format!("{scheme}://{authority}/")
    }
}

/// A host in the normal form of the URL Standard.
fn normal(host: &str) -> Option<String> {
    let resolver = Resolver { profile: Profile::Whatwg, ..Resolver::default() };
    let url = format!("http://{host}/");
    match resolver.resolve(&url, &url).ok()? {
        Resolved::Target(url) => Parts::split(&url).host().map(str::to_owned),
        Resolved::CurrentDocument { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Tree;

    /// A directory with these directories in it.
    fn tree(paths: &[&str]) -> Tree {
        let tree = Tree::empty();
        paths.iter().for_each(|path| tree.make(path));
        tree
    }

    fn found(url: &str, outer: &Path) -> Option<(String, String)> {
        let found = HostDirectory::of_url(url, outer)?;
        let path = found.path.to_str().unwrap().replace('\\', "/");
        Some((found.url, path))
    }

    #[test]
    fn directories_of_hosts_are_found_in_the_spellings_of_download_tools() {
        for (url, directory, copy, path) in [
            ("http://h.example/", "h.example", "http://h.example/", "h.example"),
            ("http://H.Example/", "h.example", "http://H.Example/", "h.example"),
            ("http://h.example/", "H.EXAMPLE", "http://h.example/", "H.EXAMPLE"),
            ("http://h.example:80/", "h.example", "http://h.example:80/", "h.example"),
            ("http://h.example/", "h.example+80", "http://h.example/", "h.example+80"),
            ("https://h.example/", "h.example", "https://h.example/", "h.example"),
            ("http://u:p@h.example/", "h.example", "http://u:p@h.example/", "h.example"),
            (
                "http://127.0.0.1:8000/", "127.0.0.1+8000", "http://127.0.0.1:8000/",
                "127.0.0.1+8000",
            ),
            (
                "http://127.0.0.1:8000/", "127.0.0.1_8000", "http://127.0.0.1:8000/",
                "127.0.0.1_8000",
            ),
            ("http://h:8000/", "h", "http://h:8000/", "h"),
            // The port was forgotten, or is another one.
            ("http://h.example/", "h.example+8000", "http://h.example:8000/", "h.example+8000"),
            ("http://h.example/", "www.h.example", "http://www.h.example/", "www.h.example"),
            ("http://www.h.example/d/", "h.example", "http://h.example/", "h.example"),
            (
                "http://b\u{fc}cher.example/", "xn--bcher-kva.example",
                "http://b\u{fc}cher.example/", "xn--bcher-kva.example",
            ),
            (
                "http://xn--bcher-kva.example/",
                "B\u{fc}cher.example",
                "http://xn--bcher-kva.example/",
                "B\u{fc}cher.example",
            ),
            ("http://[::1]/", "[__1]", "http://[::1]/", "[__1]"),
            ("http://[::1]:81/", "++1+81", "http://[::1]:81/", "++1+81"),
            ("http://h.example/", "https/h.example", "https://h.example/", "https/h.example"),
            ("http://h.example/d/", "h.example/d", "http://h.example/", "h.example"),
            ("http://h.example/d/", "h.example/e", "http://h.example/", "h.example"),
        ] {
            let outer = tree(&[directory, "other", "other.example"]);
            let expected = Some((copy.to_owned(), path.to_owned()));
            assert_eq!(found(url, outer.path()), expected, "{url} {directory}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn names_with_colons_are_hosts_with_ports_and_addresses() {
        for (url, directory) in [
            ("http://127.0.0.1:8000/", "127.0.0.1:8000"),
            ("http://[::1]/", "::1"),
            ("http://[::1]:81/", "::1:81"),
            ("http://[2001:db8::1]/", "2001:DB8::1"),
        ] {
            let outer = tree(&[directory]);
            let expected = Some((url.to_owned(), directory.to_owned()));
            assert_eq!(found(url, outer.path()), expected, "{url}");
        }
    }

    #[test]
    fn the_name_that_agrees_best_is_found() {
        let names = ["www.h.example", "h.example+82", "h.example+81", "h.example"];
        for (url, best) in [
            ("http://h.example:81/", "h.example+81"),
            ("http://h.example/", "h.example"),
            ("http://www.h.example/", "www.h.example"),
        ] {
            let found = found(url, tree(&names).path());
            assert_eq!(found.unwrap().1, best, "{url}");
        }
    }

    #[test]
    fn directories_of_a_site_are_not_those_of_its_host() {
        for (url, directory) in [
            ("http://h.example/", "example"),
            ("http://h.example/", "a.h.example"),
            ("http://h.example/", "h.example.bak"),
            ("http://h.example/", "xh.example"),
            ("file:///srv/h.example/", "h.example"),
        ] {
            assert_eq!(found(url, tree(&[directory]).path()), None, "{directory}");
        }
        // The copy itself has the name of its host.
        let outer = tree(&["h.example/h.example"]);
        let copy = outer.path().join("h.example");
        assert_eq!(found("http://h.example/", &copy), None);
        // A file of that name is a page.
        let outer = tree(&[]);
        outer.write("h.example", "");
        assert_eq!(found("http://h.example/", outer.path()), None);
    }
}
