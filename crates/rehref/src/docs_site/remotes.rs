//! The hosts of a repository, by its configuration.

/// A host of code with rules for links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CodeHost {
    GitHub,
    GitLab,
}

/// The URLs of the remotes.
fn urls(config: &str) -> impl Iterator<Item = &str> {
    let mut is_remote = false;
    config.lines().map(str::trim).filter_map(move |line| {
        if let Some(section) = line.strip_prefix('[') {
            is_remote = section.trim_start().to_ascii_lowercase().starts_with("remote ");
            return None;
        }
        let (key, url) = line.split_once('=').filter(|_| is_remote)?;
        let is_url = key.trim().eq_ignore_ascii_case("url");
        is_url.then(|| url.trim().trim_matches('"'))
    })
}

/// Returns true if a remote is the wiki of a repository: `r.wiki.git`.
pub(super) fn is_wiki(config: &str) -> bool {
    urls(config).any(|url| {
        let name = url.trim_end_matches('/');
        name.strip_suffix(".git").unwrap_or(name).ends_with(".wiki")
    })
}

impl CodeHost {
    /// The host of the first remote at one of these.
    pub(super) fn of(config: &str) -> Option<Self> {
        urls(config).find_map(Self::at)
    }

    /// The host of a URL, or of `user@host:path`.
    fn at(url: &str) -> Option<Self> {
        let authority = match url.split_once("://") {
            Some((_, rest)) => rest.split('/').next()?,
            // Before a slash, a colon ends the host.
            None => url.split_once(':').map(|(host, _)| host).filter(|it| !it.contains('/'))?,
        };
        let host = authority.rsplit('@').next()?.split(':').next()?;
        let host = host.to_ascii_lowercase();
        // Configurations of SSH give names such as `github.com-work`.
        let is_alias = host.starts_with("github.com-");
        if host == "github.com" || is_alias || host.ends_with(".github.com") {
            return Some(Self::GitHub);
        }
        // Many organizations host GitLab under another domain.
        host.contains("gitlab").then_some(Self::GitLab)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_those_of_remotes() {
        for (url, host) in [
            ("https://github.com/o/r.git", Some(CodeHost::GitHub)),
            ("git@github.com:o/r.git", Some(CodeHost::GitHub)),
            ("GitHub.com:o/r", Some(CodeHost::GitHub)),
            ("ssh://git@ssh.github.com:443/o/r", Some(CodeHost::GitHub)),
            ("\"git@github.com-work:o/r\"", Some(CodeHost::GitHub)),
            ("https://user:token@gitlab.com/o/r", Some(CodeHost::GitLab)),
            ("git@gitlab.mill.example:o/r", Some(CodeHost::GitLab)),
            ("https://git.example/github.com/r", None),
            ("https://github.com.evil.example/o/r", None),
            ("https://github.example/o/r", None),
            ("/srv/github.com/r.git", None),
            ("../github.com:r", None),
            ("", None),
        ] {
            let config = format!("[core]\n\tbare = false\n[remote \"a\"]\n\tURL = {url}\n");
            assert_eq!(CodeHost::of(&config), host, "{url}");
        }
        for other in [
            "[user]\n\temail = a@users.noreply.github.com\n",
            "[remote \"a\"]\n\tpushurl = git@github.com:o/r\n",
            "[branch \"github.com\"]\n\turl = https://github.com/o/r\n",
            "[remote \"github.com\"]\n\turl = /srv/r\n",
            "# https://github.com/o/r\n",
        ] {
            assert_eq!(CodeHost::of(other), None, "{other}");
        }
        for (url, expected) in [
            ("git@h.example:o/r.wiki.git", true),
            ("https://h/o/r.wiki", true),
            ("h:o/wiki.git", false),
        ] {
            assert_eq!(is_wiki(&format!("[remote \"a\"]\nurl = {url}\n")), expected, "{url}");
        }
        let both = "[remote \"a\"]\nurl = /srv/r\n[remote \"b\"]\nurl=https://gitlab.com/o/r\n";
        assert_eq!(CodeHost::of(both), Some(CodeHost::GitLab));
    }
}
