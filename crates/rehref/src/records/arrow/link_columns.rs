//! The columns of a table of links.

use std::fmt;
use std::sync::Arc;

use arrow_schema::{Schema, SchemaRef};

use super::column::Column;

/// The columns of a table of links. Needs the feature `arrow`.
///
/// The columns have the names and values of the fields of
/// [`LinkRecord`](crate::records::LinkRecord) and of its places in mail and web archives, without
/// `type`. Two are additional: `scheme`, in lower case, and `host`, the
/// [host](crate::records::LinkReport::host) of the URL.
/// The schema is the same for documents of all kinds, so rows of mail, pages and web archives fit
/// in one table. A value that a document does not have is null, and so is a value of more than 1
/// GiB. Bytes that are not UTF-8, in file names and message IDs, are replaced by U+FFFD.
///
/// The types are `Utf8`, `Int64`, `Int16`, `Boolean`, lists and structs of them. All fields are
/// nullable.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use rehref::jobs::{Extract, ExtractEvent};
/// use rehref::records::{LinkColumns, LinkRows};
///
/// let columns = LinkColumns::of_names(["host", "uri"])?;
/// let mut extract = Extract::new().path("../../corpus/sites");
/// // Lines are not counted.
/// extract.set_columns(&columns);
/// let (mut table, mut batches) = (LinkRows::default(), Vec::new());
/// let totals = extract.run(
///     |event, rows: &mut LinkRows| {
///         if let ExtractEvent::Link(link, charset) = event {
///             rows.push(&columns, link, charset);
///         }
///     },
///     |rows| {
///         table.append(rows);
///         batches.extend(table.take_full());
///         ControlFlow::Continue(())
///     },
/// );
/// batches.extend(table.finish());
/// assert_eq!(batches[0].schema_ref(), columns.schema());
/// assert_eq!(batches[0].num_rows(), totals.links);
/// # Ok::<(), rehref::records::ColumnError>(())
/// ```
#[derive(Clone)]
pub struct LinkColumns {
    columns: Arc<[&'static Column]>,
    schema: SchemaRef,
}

impl LinkColumns {
    /// The columns that take time beyond finding the links, and are left out by default.
    const ON_DEMAND: [&'static str; 2] = ["unwrapped", "context"];

    /// All columns but `context` and `unwrapped`, which take more time, as in records without
    /// `--context` and `--unwrap`.
    pub fn new() -> Self {
        let all = Column::ALL.iter();
        Self::of(all.filter(|it| !Self::ON_DEMAND.contains(&it.name)))
    }

    /// The columns with these names, in this order. Only their values are computed.
    ///
    /// # Errors
    /// If a name is not that of a column, or is repeated.
    pub fn of_names(names: impl IntoIterator<Item = impl AsRef<str>>) -> Result<Self, ColumnError> {
        let mut columns: Vec<&'static Column> = Vec::new();
        for name in names {
            let name = name.as_ref();
            let column = Column::of_name(name);
            let column = column.ok_or_else(|| ColumnError::Unknown(name.to_owned()))?;
            if columns.iter().any(|it| it.name == name) {
                return Err(ColumnError::Duplicate(name.to_owned()));
            }
            columns.push(column);
        }
        Ok(Self::of(columns.into_iter()))
    }

    fn of(columns: impl Iterator<Item = &'static Column>) -> Self {
        let columns: Arc<[_]> = columns.collect();
        let fields: Vec<_> = columns.iter().map(|column| column.field()).collect();
        Self { schema: Arc::new(Schema::new(fields)), columns }
    }

    /// The names of all columns, in the order of the [default](Self::new).
    pub fn all_names() -> impl Iterator<Item = &'static str> {
        Column::ALL.iter().map(|column| column.name)
    }

    /// Returns true if one of the columns has this name.
    pub fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column.name == name)
    }

    /// The schema of the batches.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &'static Column> {
        self.columns.iter().copied()
    }
}

impl Default for LinkColumns {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for LinkColumns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.columns.iter().map(|column| column.name);
        f.debug_list().entries(names).finish()
    }
}

/// The reason that columns are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnError {
    /// No column has this name.
    Unknown(String),
    /// This name is repeated.
    Duplicate(String),
}

impl fmt::Display for ColumnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => {
                write!(f, "{name:?} is not a column of links")?;
                let mut names = LinkColumns::all_names();
                write!(f, "; the columns are {}", names.next().unwrap_or_default())?;
                names.try_for_each(|name| write!(f, ", {name}"))
            }
            Self::Duplicate(name) => write!(f, "the column {name:?} is repeated"),
        }
    }
}

impl std::error::Error for ColumnError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_the_given_order_and_are_known_and_different() {
        let columns = LinkColumns::of_names(["uri", "archive"]).unwrap();
        let fields = columns.schema().fields();
        let names: Vec<_> = fields.iter().map(|field| field.name()).collect();
        assert_eq!(names, ["uri", "archive"]);
        let error = |names: &[&str]| LinkColumns::of_names(names).unwrap_err();
        assert_eq!(error(&["uri", "urL"]), ColumnError::Unknown("urL".to_owned()));
        let duplicate = ColumnError::Duplicate("uri".to_owned());
        assert_eq!(error(&["uri", "host", "uri"]), duplicate);
    }
}
