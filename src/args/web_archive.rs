//! The arguments about web archives.

use anyhow::Context;
use clap::ValueEnum;
use clap::builder::PossibleValuesParser;
use rehref::container::warc::RecordFilter;
use rehref::jobs::Extract;

use super::values::globs;
use crate::heading;

/// The types of records (ISO 28500, section 6).
const RECORD_TYPES: [&str; 8] = [
    "response", "resource", "conversion", "revisit", "request", "metadata", "warcinfo",
    "continuation",
];

/// The records of web archives that are read.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = heading::FILTERS)]
pub(crate) struct RecordArgs {
    /// In web archives, only read responses with one of these statuses, such as 200, 3xx or 400-499
    #[arg(long, value_name = "STATUS", hide_short_help = true, value_delimiter = ',')]
    status: Vec<String>,
    /// In web archives, only read records of these types
    ///
    /// By default: response, resource and conversion, and the header of a revisit.
    #[arg(long, value_name = "TYPE", hide_short_help = true, value_delimiter = ',',
        value_parser = PossibleValuesParser::new(RECORD_TYPES))]
    record_type: Vec<String>,
    /// In web archives, only read content of these types, such as text/html or text/*
    #[arg(long, value_name = "GLOB", hide_short_help = true)]
    mime: Vec<String>,
    /// In web archives, skip records before DATE, such as 2024-05-01
    #[arg(long, value_name = "DATE", hide_short_help = true)]
    from_date: Option<String>,
    /// In web archives, skip records with the content of an earlier one
    #[arg(long, value_name = "BY", hide_short_help = true)]
    dedup: Option<Dedup>,
}

impl RecordArgs {
    pub(super) fn apply(&self, extract: &mut Extract) -> anyhow::Result<()> {
        let mut filter = RecordFilter::default();
        filter.set_statuses(&self.status).context("--status")?;
        filter.set_record_types(&self.record_type);
        let types = self.mime.iter().flat_map(|it| globs(it));
        filter.set_media_types(types).context("--mime")?;
        if let Some(date) = &self.from_date {
            filter.set_from_date(date).context("--from-date")?;
        }
        extract.records = filter;
        extract.skip_duplicates = self.dedup.is_some();
        Ok(())
    }
}

/// `--dedup`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Dedup {
    /// By the digest of the payload
    Digest,
}
