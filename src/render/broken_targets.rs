//! The output of `rehref check --summary`.

use std::collections::HashMap;

use rehref::records::{BrokenTargetRecord, write_json};

use super::lines::value_in_tabbed_line;
use super::styled::Style;

/// The targets of broken links.
#[derive(Default)]
pub(super) struct BrokenTargets {
    records: Vec<BrokenTargetRecord<'static>>,
    /// The index of each record, by its target and reason.
    places: HashMap<(String, &'static str), usize>,
}

impl BrokenTargets {
    /// Adds the target of a link.
    pub(super) fn add(&mut self, record: BrokenTargetRecord<'static>) {
        let key = (record.target.to_string(), record.why);
        let at = *self.places.entry(key).or_insert(self.records.len());
        match self.records.get_mut(at) {
            Some(known) => {
                known.links += record.links;
                // Only some references have one, such as those that are not absolute.
                known.near = known.near.take().or(record.near);
            }
            None => self.records.push(record),
        }
    }

    /// Renders the targets: the one with the most links first, equal numbers by name.
    pub(super) fn render(
        &mut self,
        is_json: bool,
        style: Option<Style>,
        end: u8,
        out: &mut Vec<u8>,
    ) {
        self.records.sort_by(|a, b| {
            let by_links = b.links.cmp(&a.links);
            by_links.then_with(|| (&a.target, a.why).cmp(&(&b.target, b.why)))
        });
        for record in &self.records {
            let BrokenTargetRecord { target, why, near, links, .. } = record;
            if is_json {
                write_json(record, out);
            } else {
                let near = near.as_ref().map_or(String::new(), |near| format!(" (near: {near})"));
                let text = format!("{target}: {why}{near}");
                let text = value_in_tabbed_line(&text, end == 0);
                out.extend_from_slice(format!("{links}\t").as_bytes());
                match style {
                    Some(style) => style.text(&text, out),
                    None => out.extend_from_slice(text.as_bytes()),
                }
            }
            out.push(end);
        }
    }
}
