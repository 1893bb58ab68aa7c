//! Messages about the files of maps.

use std::path::Path;

use rehref::bytes::Position;
use rehref::jobs::CheckerReport;
use rehref::rewrite::PrefixMapError;

use super::counted;
use super::message::Message;
use super::terminal::warn;

/// Prints the numbers of replacements that a map takes from the report of a link checker, and of
/// those that it refuses. If `explains`, also each refused replacement.
pub(crate) fn print_report(file: &Path, report: &CheckerReport, explains: bool) {
    if explains {
        for refused in &report.refused {
            let (old, new, reason) = (&refused.old, &refused.new, refused.reason);
            warn(Message::about(
                file,
                None,
                format_args!("{old}: not replaced by {new}: {reason}"),
            ));
        }
    }
    let suggestions = report.replacements.len() - report.redirects;
    let taken = [(report.redirects, "redirect"), (suggestions, "suggestion")];
    let taken = taken.map(|(number, noun)| counted(number, noun)).join(" and ");
    let mut text = format!("{taken} to apply");
    for (number, noun, what) in [
        (report.without_status, "redirect", "without a status code among them"),
        (report.temporary, "URL", "left: the redirect is temporary"),
        (report.broken, "broken URL", "left: no replacement is known"),
    ] {
        if number > 0 {
            text += &format!("; {} {what}", counted(number, noun));
        }
    }
    for (reason, number) in report.refused_by_reason() {
        text += &format!("; {} left: {reason}", counted(number, "URL"));
    }
    let message = Message::about(file, None, text);
    let is_empty = report.replacements.is_empty();
    warn(match report.refused.is_empty() {
        true if is_empty => message
            .with_help("run the link checker with -v: otherwise it does not report redirects"),
        true => message,
        false if explains => message,
        false => message.with_help("--explain lists them; --map OLD=NEW applies one anyway"),
    });
}

/// The rows of a map that are left out.
pub(crate) struct RefusedRows<'f> {
    file: &'f Path,
    /// True if each is printed.
    explains: bool,
    count: usize,
    /// The line of the first, from 1, and the reason.
    first: Option<(u64, String)>,
}

impl<'f> RefusedRows<'f> {
    pub(crate) fn new(file: &'f Path, explains: bool) -> Self {
        Self { file, explains, count: 0, first: None }
    }

    /// Adds a row.
    pub(crate) fn add(&mut self, line: u64, error: &PrefixMapError) {
        self.count += 1;
        if self.explains {
            warn(self.message(line, format!("{error}: row left out")));
        }
        self.first.get_or_insert_with(|| (line, error.to_string()));
    }

    /// Prints the number of rows that are left out, at the first one.
    pub(crate) fn print(self) {
        let Some((line, why)) = &self.first else {
            return;
        };
        let rows = counted(self.count, "row");
        let text = match self.count {
            1 => format!("{why}: row left out"),
            _ => format!("{why}: {rows} left out"),
        };
        let message = self.message(*line, text);
        warn(
            message
                .with_help("no row of a file writes such a URL; use --map OLD=NEW if you want it"),
        );
    }

    fn message(&self, line: u64, text: String) -> Message {
        let line = usize::try_from(line).unwrap_or(usize::MAX);
        Message::about(self.file, Some(Position { line, column: 1 }), text)
    }
}
