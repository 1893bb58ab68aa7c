//! The page.

use std::path::Path;

use serde::Serialize;

use super::changes::ChangedDocument;
use super::collected::{Collected, Section, ShownPlan};
use super::html::{Html, grouped, hash, json_in_script, shown};
use super::links::MAX_LINKS;
use super::shown_link::{ShownLink, class_of};
use super::tables::{write_broken, write_directories, write_hosts};
use crate::render::counted;
use crate::render::reasons::{BaseOption, help_of};

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The beginning of every report, by which it is recognized.
const MARK: &[u8] = b"<!DOCTYPE html>\n<!-- rehref report -->\n";

/// The state of a report without a search for broken links.
const NOT_CHECKED: &str = "not checked, since the report needs one directory for that";

/// Returns true if a file that begins with these bytes is a report.
pub(crate) fn is_report(head: &[u8]) -> bool {
    head.starts_with(MARK)
}

/// The data for the script.
#[derive(Serialize)]
struct Data<'d> {
    documents: Vec<DataDocument<'d>>,
    links: &'d [ShownLink],
}

#[derive(Serialize)]
struct DataDocument<'d> {
    name: &'d str,
    /// The number of its first link.
    first: usize,
}

/// A part of the page with a heading.
struct Part {
    id: &'static str,
    title: &'static str,
    content: Html,
}

/// A page about the results of the runs.
pub(crate) struct Page<'c> {
    pub(crate) found: &'c Collected,
    /// The names of the inputs.
    pub(crate) inputs: &'c [String],
    /// The file that it is written to. `None` for standard output.
    pub(crate) file: Option<&'c Path>,
}

impl Page<'_> {
    /// Returns the page as HTML.
    pub(crate) fn html(&self) -> String {
        let inputs = heading_of(self.inputs);
        let parts = self.parts();
        let policy = format!(
            "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
            hash(STYLE),
            hash(SCRIPT)
        );
        let mut page = Html::default();
        for (at, piece) in TEMPLATE.split("{{").enumerate() {
            let Some((name, rest)) = piece.split_once("}}").filter(|_| at > 0) else {
                page.markup(piece);
                continue;
            };
            match name {
                "policy" => _ = page.markup(&policy),
                "title" => _ = page.markup("Links of ").value(&inputs),
                "heading" => _ = page.markup("Links of ").text(&inputs),
                "style" => _ = page.markup(STYLE),
                "script" => _ = page.markup(SCRIPT),
                "version" => _ = page.markup(env!("CARGO_PKG_VERSION")),
                "figures" => self.write_figures(&mut page),
                "nav" => write_navigation(&parts, &mut page),
                "sections" => write_parts(&parts, &mut page),
                "data" => _ = page.markup(&self.data()),
                other => debug_assert!(false, "the template names {other}"),
            }
            page.markup(rest);
        }
        page.as_str().to_owned()
    }

    /// Returns a summary of the page that was written to a file.
    pub(crate) fn summary(&self) -> String {
        let found = self.found;
        let links = counted(found.links, "link");
        let documents = counted(found.documents, "document");
        let file = self.file.unwrap_or(Path::new("-")).display();
        let mut text = format!("wrote {file}: {links} in {documents}");
        if found.broken.is_some() {
            text += &format!(", {} broken", found.broken_links);
        } else {
            text += "; broken links: ";
            text += NOT_CHECKED;
        }
        if let Some(plan) = &found.plan {
            let edits = counted(plan.report.totals.edits, "link");
            text += &format!(", would change {edits}");
        }
        if let Some(unread) = &found.unread {
            text += &format!("; {unread}");
        }
        text
    }

    fn data(&self) -> String {
        let documents = self
            .found
            .sections
            .iter()
            .map(|section| DataDocument { name: &section.name, first: section.first });
        json_in_script(&Data { documents: documents.collect(), links: &self.found.shown })
    }

    /// The parts of the page, in their order.
    fn parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut add = |id, title, write: &dyn Fn(&mut Html)| {
            let mut content = Html::default();
            write(&mut content);
            parts.push(Part { id, title, content });
        };
        if let Some(plan) = &self.found.plan {
            add("changes", "Planned changes", &|out| write_plan(plan, out));
        }
        if let Some(broken) = &self.found.broken {
            let all = self.found.broken_links;
            let fragments = self.found.fragments;
            add("broken", "Broken links", &|out| {
                write_broken(broken, all, out);
                if fragments > 0 {
                    let links = counted(fragments, "fragment");
                    out.markup("<p class=note>")
                        .markup(&links)
                        .markup(" not checked (anchors are off or computed).</p>");
                }
            });
        }
        if !self.found.directories.is_empty() {
            let edges = &self.found.directories;
            add("directories", "Directories", &|out| write_directories(edges, out));
        }
        let has_hosts = !self.found.hosts.sorted().is_empty();
        // For single documents the text comes first.
        let hosts_first = self.found.broken.is_some();
        if has_hosts && hosts_first {
            add("hosts", "Hosts", &|out| write_hosts(self.found, out));
        }
        add("sources", "Links in their sources", &|out| self.write_sources(out));
        if has_hosts && !hosts_first {
            add("hosts", "Hosts", &|out| write_hosts(self.found, out));
        }
        if self.found.problems.len() > 0 {
            add("problems", "Messages", &|out| self.found.problems.write(out));
        }
        parts
    }

    fn write_figures(&self, out: &mut Html) {
        let mut figure = |number: usize, noun: &str, is_bad: bool| {
            let plural = if number == 1 { "" } else { "s" };
            out.markup(if is_bad { "<div class=bad><dt>" } else { "<div><dt>" });
            out.markup(noun).markup(plural).markup("</dt><dd>");
            out.number(grouped(number)).markup("</dd></div>");
        };
        figure(self.found.links, "link", false);
        figure(self.found.documents, "document", false);
        let hosts = self.found.hosts.sorted();
        let hosts = hosts.iter().filter(|(host, _)| !host.is_empty());
        figure(hosts.count(), "host", false);
        if self.found.broken.is_some() {
            figure(self.found.broken_links, "broken link", self.found.broken_links > 0);
        }
        if let Some(plan) = &self.found.plan {
            figure(plan.report.totals.edits, "planned change", false);
        }
        if self.found.doubtful > 0 {
            figure(self.found.doubtful, "doubtful link", false);
        }
        if self.found.ambiguous > 0 {
            figure(self.found.ambiguous, "ambiguous link", false);
        }
    }

    fn write_sources(&self, out: &mut Html) {
        if self.found.broken.is_none() {
            out.markup("<p class=note>Broken links: ").markup(NOT_CHECKED).markup(".</p>");
        }
        if let Some(unread) = &self.found.unread {
            out.markup("<p class=note>Not read: ").text(unread).markup(".</p>");
        }
        if self.found.links == 0 {
            out.markup("<p>No links were found.</p>");
            return;
        }
        out.markup("<ul class=legend aria-label=\"Kinds of links\">");
        for (kind, links) in &self.found.kinds {
            out.markup("<li><a class=k-").markup(class_of(kind));
            out.markup(" href=\"#sources\" data-filter=kind:").markup(kind);
            out.markup(">").markup(kind).markup(" <span class=count>");
            out.number(grouped(*links)).markup("</span></a>");
        }
        for (state, links) in [
            ("broken", self.found.broken_links),
            ("doubtful", self.found.doubtful),
            ("ambiguous", self.found.ambiguous),
        ] {
            if links > 0 {
                out.markup("<li><a class=\"state ").markup(state);
                out.markup("\" href=\"#sources\" data-filter=is:").markup(state);
                out.markup(">").markup(state).markup(" <span class=count>");
                out.number(grouped(links)).markup("</span></a>");
            }
        }
        out.markup("</ul>");
        let shown = self.found.shown.len();
        if shown < self.found.links {
            out.markup("<p class=note>The page shows ").number(grouped(shown));
            out.markup(" of ").number(grouped(self.found.links));
            out.markup(" links. It has at most ").number(grouped(MAX_LINKS));
            out.markup(" links");
            if self.found.hidden_documents > 0 {
                out.markup("; ").markup(&counted(self.found.hidden_documents, "document"));
                out.markup(" with links left out");
            }
            out.markup(".</p>");
        }
        for (at, section) in self.found.sections.iter().enumerate() {
            write_section(at, section, out);
        }
    }
}

fn write_navigation(parts: &[Part], out: &mut Html) {
    out.markup("<ul>");
    for part in parts {
        out.markup("<li><a href=\"#").markup(part.id).markup("\">");
        out.markup(part.title).markup("</a>");
    }
    out.markup("</ul>");
}

fn write_parts(parts: &[Part], out: &mut Html) {
    for Part { id, title, content } in parts {
        out.markup("<section id=").markup(id).markup(" aria-labelledby=h-");
        out.markup(id).markup("><h2 id=h-").markup(id).markup(">");
        out.markup(title).markup("</h2>\n").html(content);
        out.markup("</section>\n");
    }
}

fn write_section(at: usize, section: &Section, out: &mut Html) {
    out.markup("<details class=doc open id=d").number(at);
    out.markup(" data-first=").number(section.first);
    out.markup("><summary><h3>").text(&section.name);
    out.markup("</h3><p class=meta>").markup(section.format).markup(", ");
    out.text(&section.charset).markup(", ");
    out.markup(&size(section.len)).markup(", ");
    out.markup(&counted(section.links + section.hidden, "link"));
    out.markup("</p></summary>\n");
    if !section.is_whole {
        out.markup("<p class=note>Only the lines near links are shown.</p>");
    }
    if section.hidden > 0 {
        out.markup("<p class=note>The last ").number(grouped(section.hidden));
        out.markup(" links are not shown.</p>");
    }
    out.html(&section.source).markup("</details>\n");
}

fn write_plan(plan: &ShownPlan, out: &mut Html) {
    let totals = &plan.report.totals;
    out.markup("<p>");
    if plan.report.moves > 0 {
        out.markup(&counted(plan.report.moves, "move")).markup(". ");
    }
    out.markup("The run would change ").markup(&counted(totals.edits, "link"));
    out.markup(" in ").number(totals.changed).markup(" of ");
    out.markup(&counted(totals.documents, "file"));
    out.markup(". This report changed nothing.</p>");
    if !totals.skipped.is_empty() {
        out.markup("<table class=narrow><thead><tr><th scope=col>Unchanged links<th scope=col class=number>Links</thead><tbody>");
        for (reason, links) in &totals.skipped {
            out.markup("<tr><th scope=row>").text(reason.as_str());
            if let Some(help) = help_of(*reason, BaseOption::OfFiles) {
                out.markup(" <span class=note>(").text(help).markup(")</span>");
            }
            out.markup("<td class=number>").number(grouped(*links));
        }
        out.markup("</tbody></table><p></p>");
    }
    if !plan.moves.is_empty() {
        out.markup("<details class=doc open><summary><h3>Moved files</h3></summary><div class=scroll tabindex=0 role=region aria-label=\"Moved files\"><table class=moves><thead><tr><th scope=col>From<th scope=col>To</thead><tbody>");
        for (old, new) in &plan.moves {
            out.markup("<tr><td>").text(old).markup("<td>").text(new);
        }
        out.markup("</tbody></table></div></details>\n");
    }
    for document in &plan.changed {
        write_changes(document, out);
    }
    if plan.hidden > 0 {
        out.markup("<p class=note>").markup(&counted(plan.hidden, "more changed file"));
        out.markup(" not shown.</p>");
    }
}

fn write_changes(document: &ChangedDocument, out: &mut Html) {
    out.markup("<details class=doc open><summary><h3>").text(&document.name);
    out.markup("</h3><p class=meta>").markup(&counted(document.edits, "change"));
    out.markup("</p></summary><ul class=diff>");
    for line in &document.lines {
        out.html(line);
    }
    out.markup("</ul>");
    if document.hidden > 0 {
        out.markup("<p class=note>").markup(&counted(document.hidden, "more changed line"));
        out.markup(" not shown.</p>");
    }
    out.markup("</details>\n");
}

/// A number of bytes for people.
fn size(bytes: usize) -> String {
    match bytes {
        0..1024 => counted(bytes, "byte"),
        1024..1_048_576 => format!("{} KiB", bytes.div_ceil(1024)),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}

/// Returns the names of inputs for a heading.
fn heading_of(inputs: &[String]) -> String {
    match inputs {
        [] => "standard input".to_owned(),
        [only] if only == "-" => "standard input".to_owned(),
        [only] => shown(only),
        [first, rest @ ..] => format!("{} and {} more", shown(first), rest.len()),
    }
}
