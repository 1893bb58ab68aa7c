//! The rows of a table of links, in batches.

use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::SchemaRef;

use super::column::{Cells, Row};
use super::link_columns::LinkColumns;
use crate::records::LinkReport;

/// The size in bytes at which a batch is full.
const FULL: usize = 8 << 20;

/// The size of a row without columns, so that its batches end, too.
const ROW: usize = 8;

/// Rows of a table of links: a piece of a run, or the whole. Needs the feature `arrow`.
/// [`LinkColumns`] has an example.
///
/// A batch ends when its values have 8 MiB, so it is larger by one row at most.
#[derive(Debug, Default)]
pub struct LinkRows {
    full: Vec<RecordBatch>,
    last: Option<Batch>,
}

/// A batch that is not full.
#[derive(Debug)]
struct Batch {
    schema: SchemaRef,
    cells: Vec<Cells>,
    len: usize,
    /// The size of the values in bytes.
    size: usize,
}

impl LinkRows {
    /// Adds a link of a document in this character encoding, as an
    /// [event](crate::jobs::ExtractEvent::Link) has them.
    #[inline]
    pub fn push(&mut self, columns: &LinkColumns, link: &LinkReport<'_>, charset: &str) {
        if !(self.last.as_ref()).is_some_and(|it| Arc::ptr_eq(&it.schema, columns.schema())) {
            self.end_batch();
        }
        let batch = self.last.get_or_insert_with(|| Batch::new(columns));
        batch.push(Row { report: link, charset });
        if batch.size >= FULL {
            self.end_batch();
        }
    }

    /// Adds the rows of a later piece of the same run.
    pub fn append(&mut self, later: Self) {
        if !later.full.is_empty() {
            self.end_batch();
            self.full.extend(later.full);
        }
        match (&mut self.last, later.last) {
            (_, None) => {}
            (Some(last), Some(later)) if last.joins(&later) => last.append(later),
            (_, later) => {
                self.end_batch();
                self.last = later;
            }
        }
    }

    /// Removes the batches that are full, in order.
    pub fn take_full(&mut self) -> impl Iterator<Item = RecordBatch> {
        std::mem::take(&mut self.full).into_iter()
    }

    /// The batches of all rows, in order.
    pub fn finish(mut self) -> impl Iterator<Item = RecordBatch> {
        self.end_batch();
        self.full.into_iter()
    }

    fn end_batch(&mut self) {
        self.full.extend(self.last.take().map(Batch::finish));
    }
}

impl Batch {
    fn new(columns: &LinkColumns) -> Self {
        Self {
            schema: Arc::clone(columns.schema()),
            cells: columns.iter().map(|column| column.cells()).collect(),
            len: 0,
            size: 0,
        }
    }

    #[inline]
    fn push(&mut self, row: Row<'_>) {
        let size: usize = self.cells.iter_mut().map(|cells| cells.push(row)).sum();
        self.size += ROW + size;
        self.len += 1;
    }

    /// Returns true if later rows belong to the same batch.
    fn joins(&self, later: &Self) -> bool {
        Arc::ptr_eq(&self.schema, &later.schema) && self.size + later.size <= FULL
    }

    fn append(&mut self, later: Self) {
        for (cells, later) in self.cells.iter_mut().zip(later.cells) {
            cells.append(later);
        }
        self.len += later.len;
        self.size += later.size;
    }

    fn finish(self) -> RecordBatch {
        let columns = self.cells.into_iter().map(Cells::finish).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(self.len));
        RecordBatch::try_new_with_options(self.schema, columns, &options)
            .expect("columns of the schema, with a value for each row")
    }
}
