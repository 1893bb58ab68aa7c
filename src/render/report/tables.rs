//! The tables of the page: broken links, hosts and directories.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rehref::jobs::LocalTarget;

use super::collected::{BrokenLink, Collected};
use super::html::{Html, grouped, shown};

/// The hosts in the first table. The others follow in a closed one.
const FIRST_HOSTS: usize = 15;

/// The maximum number of hosts on the page.
const MAX_HOSTS: usize = 1000;

/// The maximum number of directories of a matrix. With more, the page has a list.
const MAX_MATRIX: usize = 10;

/// The maximum number of rows of the list of directories.
const MAX_EDGES: usize = 300;

/// A button that copies the first table of its section, which scripts show.
const COPY: &str = "<button type=button class=copy hidden>Copy as text</button>";

/// Appends broken links.
pub(super) fn write_broken(broken: &[BrokenLink], all: usize, out: &mut Html) {
    if broken.is_empty() {
        out.markup("<p>No broken links to files of the tree were found.</p>");
        return;
    }
    out.markup(COPY);
    out.markup("<div class=scroll tabindex=0 role=region aria-label=\"Broken links\"><table class=sortable>");
    out.markup("<thead><tr><th scope=col>Reference<th scope=col>Place<th scope=col>Reason<th scope=col>Similar</thead><tbody>");
    for link in broken {
        out.markup("<tr><td class=code>").text(&link.reference);
        out.markup("<td>");
        let mut place = Html::default();
        place.text(&link.document).markup(":").number(link.line);
        place.markup(":").number(link.column);
        match link.link {
            Some(number) => {
                out.markup("<a href=\"#sources\" data-link=").number(number);
                out.markup(">").html(&place).markup("</a>");
            }
            None => _ = out.html(&place),
        }
        out.markup("<td>").markup(link.why).markup("<td class=code>");
        out.text(link.near.as_deref().unwrap_or_default());
    }
    out.markup("</tbody></table></div>");
    if all > broken.len() {
        out.markup("<p class=note>").number(all - broken.len());
        out.markup(" more are not shown.</p>");
    }
}

/// Appends the hosts with their numbers of links.
pub(super) fn write_hosts(found: &Collected, out: &mut Html) {
    let hosts = found.hosts.sorted();
    let most = hosts.first().map_or(1, |&(_, links)| links);
    let rows = |hosts: &[(&[u8], usize)], out: &mut Html| {
        out.markup(
            "<table class=\"narrow sortable\"><thead><tr><th scope=col>Host<th scope=col class=number>Links<th class=meter></thead><tbody>",
        );
        for &(host, links) in hosts {
            out.markup("<tr><th scope=row>");
            match &*String::from_utf8_lossy(host) {
                "" => _ = out.markup("<span class=note>no host</span>"),
                host => {
                    out.markup("<a href=\"#sources\" data-filter=\"host:");
                    out.value(host).markup("\">").text(host).markup("</a>");
                }
            }
            out.markup("<td class=number>").number(grouped(links));
            out.markup("<td class=meter><svg viewBox=\"0 0 100 6\" preserveAspectRatio=none aria-hidden=true><rect height=6 width=");
            out.number((links * 100).div_ceil(most)).markup(" /></svg>");
        }
        out.markup("</tbody></table>");
    };
    out.markup(COPY);
    let (first, rest) = hosts.split_at(hosts.len().min(FIRST_HOSTS));
    rows(first, out);
    if !rest.is_empty() {
        let listed = &rest[..rest.len().min(MAX_HOSTS - FIRST_HOSTS)];
        out.markup("<details><summary>").number(rest.len());
        out.markup(" more hosts</summary>");
        rows(listed, out);
        if listed.len() < rest.len() {
            out.markup("<p class=note>").number(rest.len() - listed.len());
            out.markup(" more are not shown.</p>");
        }
        out.markup("</details>");
    }
}

/// Appends the links between directories.
pub(super) fn write_directories(edges: &BTreeMap<(PathBuf, LocalTarget), usize>, out: &mut Html) {
    let mut all: BTreeSet<&Path> = BTreeSet::new();
    for (from, to) in edges.keys() {
        all.insert(from);
        if let LocalTarget::Directory(to) = to {
            all.insert(to);
        }
    }
    match all.len() <= MAX_MATRIX {
        true => write_matrix(edges, &all, out),
        false => write_edges(edges, out),
    }
}

fn write_matrix(
    edges: &BTreeMap<(PathBuf, LocalTarget), usize>,
    directories: &BTreeSet<&Path>,
    out: &mut Html,
) {
    let directory = |path: &&Path| LocalTarget::Directory(path.to_path_buf());
    let used = |to: &LocalTarget| edges.keys().any(|(_, it)| it == to);
    let others = [LocalTarget::Missing, LocalTarget::OtherSite];
    let columns = directories.iter().map(directory).chain(others);
    let columns: Vec<LocalTarget> = columns.filter(used).collect();
    let most = edges.values().max().copied().unwrap_or(1).max(1);
    out.markup("<p class=note>Links from the directory of a row to that of a column</p>");
    out.markup(
        "<div class=scroll tabindex=0 role=region aria-label=Directories><table class=matrix>",
    );
    out.markup("<thead><tr><th scope=col>From");
    for to in &columns {
        out.markup("<th scope=col>").text(&name_of(to));
    }
    out.markup("</thead><tbody>");
    for from in directories {
        if !edges.keys().any(|(it, _)| it == from) {
            continue;
        }
        out.markup("<tr><th scope=row>").text(&name_of(&directory(from)));
        for to in &columns {
            let links = edges.get(&(from.to_path_buf(), to.clone()));
            let links = links.copied().unwrap_or(0);
            let shade = match links * 3 / most {
                _ if *to == LocalTarget::Missing && links > 0 => " bad",
                _ if links == 0 => "",
                0 => " s1",
                1 => " s2",
                _ => " s3",
            };
            out.markup("<td class=\"number").markup(shade).markup("\">");
            match links {
                0 => _ = out.markup("<span class=note>·</span>"),
                links => _ = out.number(grouped(links)),
            }
        }
    }
    out.markup("</tbody></table></div>");
}

fn write_edges(edges: &BTreeMap<(PathBuf, LocalTarget), usize>, out: &mut Html) {
    let edges = edges.iter().filter(|((_, to), _)| *to != LocalTarget::Other);
    let mut edges: Vec<_> = edges.collect();
    edges.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
    let hidden = edges.len().saturating_sub(MAX_EDGES);
    out.markup(COPY);
    out.markup(
        "<div class=scroll tabindex=0 role=region aria-label=Directories><table class=\"narrow sortable\">",
    );
    out.markup("<thead><tr><th scope=col>From<th scope=col>To<th scope=col class=number>Links</thead><tbody>");
    for ((from, to), links) in edges.into_iter().take(MAX_EDGES) {
        out.markup("<tr><td>");
        out.text(&name_of(&LocalTarget::Directory(from.clone())));
        out.markup("<td>").text(&name_of(to));
        out.markup("<td class=number>").number(grouped(*links));
    }
    out.markup("</tbody></table></div>");
    if hidden > 0 {
        out.markup("<p class=note>").number(hidden);
        out.markup(" more pairs of directories are not shown.</p>");
    }
}

fn name_of(target: &LocalTarget) -> String {
    match target {
        LocalTarget::Directory(path) if path.as_os_str().is_empty() => "/".to_owned(),
        LocalTarget::Directory(path) => format!("{}/", shown(&path.to_string_lossy())),
        LocalTarget::Missing => "missing".to_owned(),
        LocalTarget::OtherSite => "other sites".to_owned(),
        _ => "other".to_owned(),
    }
}
