//! `--count-by host`

use std::collections::HashMap;

use rehref::records::{CountRecord, write_json};

use super::csv::{CsvFormat, write_count_names, write_count_row};
use super::lines::LineFormat;
use crate::args::OutputFormat;

/// The number of links to each host.
#[derive(Debug, Default)]
pub(crate) struct Counts(HashMap<Vec<u8>, usize>);

impl Counts {
    /// Notes a link among the records of its document: with `--unique` it is dropped with them. The case of a host does
    /// not count (RFC 3986, 6.2.2.1).
    pub(crate) fn note(host: Option<&str>, records: &mut Vec<u8>) {
        let host = host.unwrap_or_default();
        records.extend(host.bytes().map(|byte| byte.to_ascii_lowercase()));
        records.push(0);
    }

    /// Adds the noted links.
    pub(crate) fn add(&mut self, records: &[u8]) {
        let notes = records
            .strip_suffix(b"\0")
            .map(|notes| notes.split(|byte| *byte == 0));
        for host in notes.into_iter().flatten() {
            match self.0.get_mut(host) {
                Some(count) => *count += 1,
                None => _ = self.0.insert(host.to_vec(), 1),
            }
        }
    }

    /// Appends the counts, the largest first. Lines have a tab and the host after the count; `-` for links without a
    /// host.
    pub(crate) fn write(
        &self,
        format: OutputFormat,
        line: LineFormat,
        csv: CsvFormat,
        out: &mut Vec<u8>,
    ) {
        let mut counts: Vec<_> = self.0.iter().collect();
        counts.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
        if format == OutputFormat::Csv {
            write_count_names(csv, out);
        }
        for (host, &links) in counts {
            match format {
                OutputFormat::Jsonl => {
                    write_json(&CountRecord::new(host, links), out);
                    line.end(out);
                }
                OutputFormat::Csv => write_count_row(host, links, csv, out),
                OutputFormat::Lines | OutputFormat::Vimgrep => {
                    out.extend_from_slice(format!("{links}\t").as_bytes());
                    out.extend_from_slice(if host.is_empty() { b"-" } else { host });
                    line.end(out);
                }
            }
        }
    }
}
