//! Links as record batches of Arrow.
//!
//! [`cells`] has the values of a column, [`column`] their sources, [`rows`] the rows of a piece of
//! a run.

mod cells;
mod column;
mod link_columns;
mod rows;

pub use link_columns::{ColumnError, LinkColumns};
pub use rows::LinkRows;
