//! The options of a run.

use crate::container::mail::{MailOptions, MessageNames};
use crate::container::warc::RecordFilter;
use crate::docs_site::{SiteChoice, SiteKind};
use crate::format::Options;
use crate::fs::MailReader;
use crate::jobs::{Inputs, Stop};
use crate::link::LinkFilter;
#[cfg(feature = "arrow")]
use crate::records::LinkColumns;

/// A run that finds the links of files, directory trees and mailboxes.
///
/// Documents are processed in parallel; events come in the order of the inputs. Memory is bounded:
/// long texts and mailboxes are streamed.
///
/// ```
/// use rehref::jobs::{Extract, ExtractEvent};
///
/// let mut urls = Vec::new();
/// let totals = Extract::new().path("../../corpus/sites").for_each(|event| {
///     if let ExtractEvent::Link(link, _) = event {
///         urls.push(link.url_or_reference().to_owned());
///     }
/// });
/// assert_eq!(totals.links, urls.len());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Extract {
    /// The documents, and how they are read.
    pub inputs: Inputs,
    /// The options for finding and resolving links.
    pub options: Options,
    /// The kinds of documentation sites whose constructs, such as `{{#include f}}`, are links too.
    /// Default: plain, without any. With one kind, all documents of Markdown may have them.
    pub site: SiteChoice,
    /// True to report links in the headers of messages.
    pub mail_headers: bool,
    /// The names of the messages of whole files. Those of slices have offsets.
    pub message_names: MessageNames,
    /// The links that are reported.
    pub filter: LinkFilter,
    /// The records of web archives that are read.
    pub records: RecordFilter,
    /// True to skip records of web archives that have the payload digest of an earlier one in the
    /// run.
    pub skip_duplicates: bool,
    /// True to report a link in several alternatives of a message, such as text and HTML, only for
    /// the first of them.
    pub first_alternative_only: bool,
    /// True to stop reading a file after its first link that passes. Some links after it may still
    /// be reported.
    pub first_link_only: bool,
    /// True to report the line and column of each link. Otherwise its position is that of the first
    /// byte of a document.
    pub positions: bool,
    /// True to report the lines and columns of mail in the file, not in the decoded part. A link in
    /// a part that is in base64 then has the last line of the header before it. Slices and
    /// compressed files are errors, since their lines are not those of the file. In directories,
    /// compressed files are skipped.
    pub file_positions: bool,
    /// True to report [notes](crate::records::LinkReport::notes) about errors in references.
    pub diagnostics: bool,
    /// True to report the [context](crate::records::LinkReport::context) of links.
    pub contexts: bool,
    /// True to [decode](crate::records::LinkReport::unwrapped) URLs that a mail gateway replaced.
    pub unwrap: bool,
    /// True to report the URI of a [defanged](crate::link::Note::Defanged) URL as it was before.
    pub refang: bool,
    /// True to hold each document in memory as a whole, also a long text. Then all of its links are
    /// in one piece, and an [`ExtractEvent::DocumentEnd`](super::ExtractEvent::DocumentEnd) follows
    /// them.
    pub whole_documents: bool,
    /// Ends the run early.
    pub stop: Stop,
}

impl Default for Extract {
    fn default() -> Self {
        Self::new()
    }
}

impl Extract {
    /// A run without inputs.
    pub fn new() -> Self {
        let mut options = Options::default();
        options.markdown.defanged = true;
        Self {
            inputs: Inputs::default(),
            options,
            site: SiteChoice::Kind(SiteKind::Plain),
            mail_headers: true,
            message_names: MessageNames::Numbers,
            filter: LinkFilter::default(),
            first_alternative_only: false,
            first_link_only: false,
            positions: true,
            file_positions: false,
            diagnostics: true,
            contexts: false,
            unwrap: false,
            refang: false,
            whole_documents: false,
            stop: Stop::default(),
            records: RecordFilter::default(),
            skip_duplicates: false,
        }
    }

    /// The options for reading the messages of a mailbox.
    pub(super) fn mail_options(&self, mailbox: &MailReader) -> MailOptions {
        mailbox.options(&MailOptions {
            resolver: self.options.resolver,
            headers: self.mail_headers,
            names: self.message_names,
            charset: self.inputs.read.charset.clone(),
            contexts: self.contexts,
            ..MailOptions::default()
        })
    }

    /// Computes what the columns of a table need, and nothing else: sets
    /// [`positions`](Self::positions), [`file_positions`](Self::file_positions),
    /// [`diagnostics`](Self::diagnostics), [`contexts`](Self::contexts) and
    /// [`unwrap`](Self::unwrap). Messages have [offsets](MessageNames::Offsets) as names, so that a
    /// row does not depend on the slice that it is from. Needs the feature `arrow`.
    #[cfg(feature = "arrow")]
    pub fn set_columns(&mut self, columns: &LinkColumns) {
        self.message_names = MessageNames::Offsets;
        self.positions = columns.has("line") || columns.has("col");
        self.file_positions &= self.positions;
        self.diagnostics = columns.has("notes");
        self.contexts = columns.has("context");
        self.unwrap = columns.has("unwrapped");
    }

    /// Adds a file or directory.
    #[must_use]
    pub fn path(mut self, path: impl AsRef<std::path::Path>) -> Self {
        self.inputs.add_path(path);
        self
    }
}
