//! The output of `rehref unpack`.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use rehref::error::{Error, ErrorKind};
use rehref::jobs::{Unpack, UnpackEvent, UnpackReport};
use rehref::records::{UnpackSummary, write_json};
use serde::Serialize;

use super::counted;
use super::escape::shell_path;
use super::message::Message;
use super::progress::{self, Progress};
use super::terminal::{Kind, Messages, Output, summarize, warn};
use crate::exit::Exit;
use crate::interrupt::Interrupt;

/// The output of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Renderer {
    /// None: only messages.
    Messages,
    /// A line for each file.
    Lines,
    /// Records that end with this byte.
    Json(u8),
}

/// Prints the events of a run.
pub(crate) struct Printer<'i> {
    renderer: Renderer,
    output: Output,
    progress: Progress,
    interrupt: &'i Interrupt,
    /// The numbers of missing URLs, by reason.
    missing: BTreeMap<&'static str, usize>,
}

impl<'i> Printer<'i> {
    pub(crate) fn new(renderer: Renderer, interrupt: &'i Interrupt, exit: Exit) -> Self {
        let kind = match renderer {
            Renderer::Json(_) => Kind::Json,
            Renderer::Messages | Renderer::Lines => Kind::Text,
        };
        Self {
            renderer,
            output: Output::new(kind, exit).buffered(),
            progress: Progress::new(None),
            interrupt,
            missing: BTreeMap::new(),
        }
    }

    /// Prints an event. Breaks if nothing more can be written.
    pub(crate) fn event(&mut self, event: &UnpackEvent<'_>) -> ControlFlow<()> {
        match event {
            UnpackEvent::Writing(files) => {
                self.interrupt.defer();
                progress::clear();
                self.progress = Progress::new(Some(*files));
                ControlFlow::Continue(())
            }
            UnpackEvent::File(record, _) => {
                self.progress.step();
                match self.renderer {
                    Renderer::Lines => {
                        let line = format!("{}\t{}\n", record.path, record.uri);
                        self.output.write(line.as_bytes())
                    }
                    _ => self.record(record),
                }
            }
            UnpackEvent::Redirect(record) => self.record(record),
            UnpackEvent::Missing(record) => {
                *self.missing.entry(record.why).or_default() += 1;
                self.record(record)
            }
            UnpackEvent::Error(error) => self.message(error, true),
            UnpackEvent::Warning(error) => self.message(error, false),
            _ => ControlFlow::Continue(()),
        }
    }

    fn record(&mut self, record: &impl Serialize) -> ControlFlow<()> {
        let Renderer::Json(end) = self.renderer else {
            return ControlFlow::Continue(());
        };
        let mut line = Vec::new();
        write_json(record, &mut line);
        line.push(end);
        self.output.write(&line)
    }

    fn message(&mut self, error: &Error, is_failure: bool) -> ControlFlow<()> {
        let message = Message::from(error);
        let message = match error.kind() {
            ErrorKind::AlreadyExists => {
                message.with_help("use --force to replace existing files, or another directory")
            }
            _ => message,
        };
        let mut messages = Messages::default();
        messages.add(message, is_failure);
        self.output.print(&messages, &[])
    }

    /// Prints the end of a run. Returns the exit status.
    pub(crate) fn end(&mut self, report: &UnpackReport, unpack: &Unpack) -> anyhow::Result<Exit> {
        if report.interrupted {
            if self.interrupt.status().is_some() {
                let message = Message::new("interrupted");
                warn(message.with_help("run the same command again to finish"));
            }
            return self.output.finish();
        }
        _ = self.record(&report.summary);
        let exit = self.output.finish()?;
        self.summarize(report, unpack);
        Ok(exit)
    }

    fn summarize(&self, report: &UnpackReport, unpack: &Unpack) {
        let summary = &report.summary;
        let written = counted(report.new + report.replaced, "file");
        let directory = shell_path(&unpack.directory);
        let mut text = match unpack.dry_run {
            true => format!("would write {written} to {directory} (dry run)"),
            false => format!("wrote {written} to {directory}"),
        };
        if report.same > 0 {
            text += &format!("; {} existed already", counted(report.same, "file"));
        }
        let message = Message::new(text);
        summarize(match &summary.start {
            Some(start) if !unpack.dry_run => {
                let start = shell_path(&unpack.directory.join(start));
                message.with_help(format!("open {start}"))
            }
            _ => message,
        });
        summarize_left_out(summary, unpack);
        if summary.truncated > 0 {
            let truncated = counted(summary.truncated, "file");
            summarize(format!("{truncated} truncated: the archives have only a part"));
        }
        if summary.unwritten > 0 {
            summarize(match summary.unwritten {
                1 => "1 page or style sheet keeps its links".to_owned(),
                pages => format!("{pages} pages or style sheets keep their links"),
            });
        }
        if summary.missing > 0 {
            let reasons = self.missing.iter();
            let mut reasons: Vec<String> =
                reasons.map(|(why, count)| format!("{count} {}", why.replace('-', " "))).collect();
            let unlisted = summary.missing - self.missing.values().sum::<usize>();
            if unlisted > 0 {
                reasons.push(format!("{unlisted} not listed"));
            }
            let missing = counted(summary.missing, "linked URL");
            let message = Message::new(format!("{missing} missing: {}", reasons.join(", ")));
            summarize(match self.renderer {
                Renderer::Json(_) => message,
                _ if unpack.dry_run => message.with_help("--json lists them"),
                _ => message.with_help("--json lists them; so does .rehref/records.jsonl in DIR"),
            });
        }
        for (count, noun, what) in [
            (
                summary.remote,
                "link",
                "to images, style sheets or scripts on hosts without files: a browser fetches them",
            ),
            (
                summary.policies,
                "page",
                "with a content security policy, which may keep local files from being loaded",
            ),
            (summary.modules, "module script", "that a browser does not load from files"),
            (
                summary.refused,
                "link",
                "to subtitles or symbols in other files, which a browser does not load from files",
            ),
            (
                summary.other_scheme,
                "link",
                "to http or https URLs that were captured with the other scheme",
            ),
        ] {
            if count > 0 {
                summarize(format!("{} {what}", counted(count, noun)));
            }
        }
    }
}

/// Prints the numbers of captured URLs without a file, by reason.
fn summarize_left_out(summary: &UnpackSummary, unpack: &Unpack) {
    let left_out = &summary.left_out;
    let reasons = [
        (left_out.status, "status"),
        (left_out.method, "method"),
        (left_out.revisit, "revisit"),
        (left_out.redirect, "redirect"),
        (left_out.scheme, "scheme"),
    ];
    let all: usize = reasons.iter().map(|(count, _)| count).sum();
    if all == 0 {
        if summary.files == 0 && summary.errors == 0 {
            summarize("the archives have no pages or other files");
        }
        return;
    }
    let reasons = reasons.iter().filter(|(count, _)| *count > 0);
    let reasons: Vec<String> = reasons.map(|(count, why)| format!("{count} {why}")).collect();
    let text = format!("{} left out: {}", counted(all, "captured URL"), reasons.join(", "));
    let message = Message::new(text);
    summarize(match summary.files == 0 && left_out.status > 0 && !unpack.choice.errors {
        true => message.with_help("--errors writes error pages, too"),
        false => message,
    });
}
