//! The output of `rehref extract --count-by`.

use rehref::jobs::LinkCounts;
use rehref::records::{CountBy, CountRecord, write_json};

use super::csv;
use super::lines::{name_in_tabbed_line, value_in_tabbed_line};
use super::printing::{OutputFormat, PrintArgs};

/// The number of links with the same host, URL, scheme, document or target.
pub(super) struct CountedLinks {
    by: CountBy,
    counts: LinkCounts,
}

impl CountedLinks {
    pub(super) fn new(by: CountBy) -> Self {
        Self { by, counts: LinkCounts::default() }
    }

    /// Appends the key of a link after its length: a key may have any byte.
    pub(super) fn write_key(key: &[u8], keys: &mut Vec<u8>) {
        keys.extend_from_slice(&key.len().to_ne_bytes());
        keys.extend_from_slice(key);
    }

    /// Counts links by their keys.
    pub(super) fn add_keys(&mut self, mut keys: &[u8]) {
        while let Some((len, rest)) = keys.split_first_chunk() {
            let (key, rest) = rest.split_at(usize::from_ne_bytes(*len));
            self.counts.add(key);
            keys = rest;
        }
    }

    /// Renders the counts. Lines have a tab and the common text after the number; `-` for links
    /// without one.
    pub(super) fn render(&self, print: PrintArgs, out: &mut Vec<u8>) {
        if print.format() == OutputFormat::Csv {
            csv::write_count([self.by.as_str(), "links"].map(str::as_bytes), print.rows(), out);
        }
        for (key, links) in self.counts.sorted() {
            match print.format() {
                OutputFormat::Csv => {
                    let links = links.to_string();
                    csv::write_count([key, links.as_bytes()], print.rows(), out);
                }
                OutputFormat::Jsonl => {
                    write_json(&CountRecord::new(self.by, key, links), out);
                    out.push(print.end());
                }
                OutputFormat::Lines | OutputFormat::Vimgrep => {
                    out.extend_from_slice(format!("{links}\t").as_bytes());
                    match self.by {
                        _ if key.is_empty() => out.push(b'-'),
                        CountBy::Document => {
                            out.extend_from_slice(&name_in_tabbed_line(key, print.null));
                        }
                        _ => {
                            let text = String::from_utf8_lossy(key);
                            out.extend_from_slice(
                                value_in_tabbed_line(&text, print.null).as_bytes(),
                            );
                        }
                    }
                    out.push(print.end());
                }
            }
        }
    }
}
