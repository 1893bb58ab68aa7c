//! One module for each task.

mod charsets;
mod check;
mod html;
mod html_peers;
mod mail;
mod markdown;
mod memory;
mod packages;
mod records;
mod resolve;
mod scale;
mod text;
mod tree;
mod turbohtml;
mod warc;
mod warc_peers;
mod whole;

use crate::report::Section;
use crate::settings::{Kind, Settings};

/// A task of rehref and its peers.
pub(crate) struct Task {
    /// The name of its benchmark.
    pub(crate) name: &'static str,
    /// The kind of input that a PATH on the command line names.
    pub(crate) kind: Kind,
    pub(crate) run: fn(&Settings) -> Section,
}

/// All tasks, in the order of BENCHMARKS.md.
pub(crate) const TASKS: &[Task] = &[
    Task::new("text", Kind::Texts, text::run),
    Task::new("charsets", Kind::None, charsets::run),
    Task::new("whole", Kind::None, whole::run),
    Task::new("html", Kind::Pages, html::find),
    Task::new("html", Kind::Pages, html::rewrite),
    Task::new("markdown", Kind::Markdown, markdown::run),
    Task::new("mail", Kind::Mail, mail::run),
    Task::new("warc", Kind::Archives, warc::run),
    Task::new("warc", Kind::Archives, warc_peers::run),
    Task::new("resolve", Kind::Pages, resolve::run),
    Task::new("records", Kind::Pages, records::run),
    Task::new("memory", Kind::None, memory::run),
    Task::new("scale", Kind::None, scale::run),
    Task::new("tree", Kind::Trees, tree::run),
    Task::new("tree", Kind::Trees, packages::run),
    Task::new("check", Kind::Trees, check::run),
];

impl Task {
    const fn new(name: &'static str, kind: Kind, run: fn(&Settings) -> Section) -> Self {
        Self { name, kind, run }
    }
}
