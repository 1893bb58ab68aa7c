//! The files about a run, in `.rehref` of its directory.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::fs::{StateFile, UnpackedTree};
use crate::records::write_json;

/// The records of a run.
const RECORDS: &str = "records.jsonl";

/// The path of each URL.
const MAP: &str = "map.tsv";

/// The files about a run while it is active. In a dry run there are none.
pub(super) struct RunFiles {
    records: Option<StateFile>,
    map: Option<StateFile>,
}

/// A record of an earlier run.
#[derive(Deserialize)]
struct EarlierRecord<'l> {
    #[serde(rename = "type", borrow)]
    record_type: Cow<'l, str>,
    #[serde(borrow)]
    uri: Cow<'l, str>,
    #[serde(borrow)]
    path: Cow<'l, str>,
}

impl RunFiles {
    pub(super) fn new(tree: &UnpackedTree) -> Result<Self, Error> {
        Ok(Self { records: tree.state_file()?, map: tree.state_file()? })
    }

    /// Keeps a record.
    pub(super) fn record(&mut self, record: &impl Serialize) {
        if let Some(records) = &mut self.records {
            let mut line = Vec::new();
            write_json(record, &mut line);
            line.push(b'\n');
            records.write(&line);
        }
    }

    /// Keeps a line of the map. Neither URLs nor paths have tabs or line breaks.
    pub(super) fn map(&mut self, url: &str, path: &str) {
        if let Some(map) = &mut self.map {
            map.write(format!("{url}\t{path}\n").as_bytes());
        }
    }

    /// Keeps what earlier runs wrote about files that still exist, except for the URLs that this
    /// run `has`.
    pub(super) fn keep_earlier(&mut self, tree: &mut UnpackedTree, has: impl Fn(&str) -> bool) {
        let earlier_records = tree.state_lines(RECORDS);
        let earlier_map = tree.state_lines(MAP);
        let (Some(records), Some(map)) = (&mut self.records, &mut self.map) else {
            return;
        };
        let mut is_kept = |url: &str, path: &str| !has(url) && tree.has_file(path);
        for line in earlier_records {
            let earlier = serde_json::from_slice::<EarlierRecord<'_>>(&line);
            let is_file =
                earlier.is_ok_and(|it| it.record_type == "file" && is_kept(&it.uri, &it.path));
            if is_file && line.ends_with(b"\n") {
                records.write(&line);
            }
        }
        for line in earlier_map {
            let text = std::str::from_utf8(&line).unwrap_or_default();
            let text = text.strip_suffix('\n').unwrap_or_default();
            if text.split_once('\t').is_some_and(|(url, path)| is_kept(url, path)) {
                map.write(&line);
            }
        }
    }

    /// Gives the files their names. Of a run that `has_captures`, the records replace those of an
    /// earlier run.
    ///
    /// # Errors
    /// If writing one failed.
    pub(super) fn persist(self, tree: &UnpackedTree, has_captures: bool) -> Result<(), Error> {
        let keeps_old = !has_captures && tree.state_lines(RECORDS).next().is_some();
        let records = self.records.filter(|_| !keeps_old);
        for (name, file) in [(RECORDS, records), (MAP, self.map)] {
            file.map_or(Ok(()), |file| tree.keep_state(name, file))?;
        }
        Ok(())
    }
}
