//! The values of a column, in the layout of Arrow.
//!
//! They are not built by the builders of `arrow-array`, since rows of several pieces are joined:
//! that copies memory.

use std::sync::Arc;

use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{ArrayRef, ListArray, PrimitiveArray, StringArray, StructArray};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, NullBufferBuilder, OffsetBuffer};
use arrow_schema::{DataType, Field, FieldRef, Fields};

use crate::link::Context;

/// The largest value in bytes: a larger one is null. Offsets have 32 bits, so a column has less
/// than 2 GiB.
const MAX_VALUE: usize = 1 << 30;

/// The size of an offset in bytes.
const OFFSET: usize = size_of::<i32>();

/// The size of a span in bytes.
const SPAN: usize = 2 * size_of::<i64>();

/// The null values of a column.
#[derive(Debug)]
pub(super) struct Nulls(NullBufferBuilder);

impl Default for Nulls {
    fn default() -> Self {
        Self(NullBufferBuilder::new(0))
    }
}

impl Nulls {
    #[inline]
    fn push(&mut self, is_valid: bool) {
        self.0.append(is_valid);
    }

    fn append(&mut self, other: Self) {
        let len = other.0.len();
        match other.finish() {
            Some(nulls) => self.0.append_buffer(&nulls),
            None => self.0.append_n_non_nulls(len),
        }
    }

    fn finish(self) -> Option<NullBuffer> {
        self.0.build()
    }
}

/// The ends of texts in their bytes, or of lists in their items.
#[derive(Debug)]
struct Ends {
    /// The first is 0.
    offsets: Vec<i32>,
    nulls: Nulls,
}

impl Default for Ends {
    fn default() -> Self {
        Self { offsets: vec![0], nulls: Nulls::default() }
    }
}

impl Ends {
    /// Adds an end. The limit of a batch and [`MAX_VALUE`] keep it below 2 GiB.
    #[inline]
    fn push(&mut self, end: usize, is_valid: bool) {
        self.offsets.push(end as i32);
        self.nulls.push(is_valid);
    }

    fn append(&mut self, other: Self) {
        let shift = self.offsets.last().copied().unwrap_or_default();
        let shifted = other.offsets.iter().skip(1).map(|end| end + shift);
        self.offsets.extend(shifted);
        self.nulls.append(other.nulls);
    }

    fn finish(self) -> (OffsetBuffer<i32>, Option<NullBuffer>) {
        (OffsetBuffer::new(self.offsets.into()), self.nulls.finish())
    }
}

/// Texts.
#[derive(Debug, Default)]
pub(super) struct Texts {
    bytes: Vec<u8>,
    ends: Ends,
}

impl Texts {
    pub(super) const TYPE: DataType = DataType::Utf8;

    /// Adds a text. Returns its size in the column.
    #[inline]
    pub(super) fn push(&mut self, text: Option<&str>) -> usize {
        let text = text.filter(|it| it.len() <= MAX_VALUE);
        let bytes = text.unwrap_or_default();
        self.bytes.extend_from_slice(bytes.as_bytes());
        self.ends.push(self.bytes.len(), text.is_some());
        OFFSET + bytes.len()
    }

    pub(super) fn append(&mut self, other: Self) {
        self.bytes.extend_from_slice(&other.bytes);
        self.ends.append(other.ends);
    }

    pub(super) fn finish(self) -> ArrayRef {
        let (offsets, nulls) = self.ends.finish();
        Arc::new(StringArray::new(offsets, Buffer::from_vec(self.bytes), nulls))
    }
}

/// Lists of texts.
#[derive(Debug, Default)]
pub(super) struct TextLists {
    texts: Texts,
    len: usize,
    ends: Ends,
}

impl TextLists {
    pub(super) fn data_type() -> DataType {
        DataType::List(item(Texts::TYPE))
    }

    /// Adds a list. Returns its size in the column.
    pub(super) fn push(&mut self, list: &[&str]) -> usize {
        let size = list.iter().map(|text| OFFSET + text.len()).sum();
        let is_valid = size <= MAX_VALUE;
        if is_valid {
            list.iter().for_each(|text| {
                self.texts.push(Some(text));
            });
            self.len += list.len();
        }
        self.ends.push(self.len, is_valid);
        OFFSET + if is_valid { size } else { 0 }
    }

    pub(super) fn append(&mut self, other: Self) {
        self.texts.append(other.texts);
        self.len += other.len;
        self.ends.append(other.ends);
    }

    pub(super) fn finish(self) -> ArrayRef {
        list(Texts::TYPE, self.ends, self.texts.finish())
    }
}

/// Lists of spans.
#[derive(Debug, Default)]
pub(super) struct SpanLists {
    starts: Vec<i64>,
    stops: Vec<i64>,
    ends: Ends,
}

impl SpanLists {
    pub(super) fn data_type() -> DataType {
        DataType::List(item(DataType::Struct(Self::fields())))
    }

    fn fields() -> Fields {
        ["start", "end"].map(|name| Field::new(name, DataType::Int64, true)).to_vec().into()
    }

    /// Adds a list. Returns its size in the column.
    pub(super) fn push(&mut self, spans: Option<&[[i64; 2]]>) -> usize {
        let spans = spans.filter(|it| it.len() <= MAX_VALUE / SPAN);
        let list = spans.unwrap_or_default();
        self.starts.extend(list.iter().map(|span| span[0]));
        self.stops.extend(list.iter().map(|span| span[1]));
        self.ends.push(self.starts.len(), spans.is_some());
        OFFSET + SPAN * list.len()
    }

    pub(super) fn append(&mut self, other: Self) {
        self.starts.extend_from_slice(&other.starts);
        self.stops.extend_from_slice(&other.stops);
        self.ends.append(other.ends);
    }

    pub(super) fn finish(self) -> ArrayRef {
        let numbers = |numbers: Vec<i64>| {
            let array = PrimitiveArray::<arrow_array::types::Int64Type>::from(numbers);
            Arc::new(array) as ArrayRef
        };
        let fields = Self::fields();
        let ends = [numbers(self.starts), numbers(self.stops)];
        let spans = StructArray::new(fields.clone(), ends.to_vec(), None);
        list(DataType::Struct(fields), self.ends, Arc::new(spans))
    }
}

/// Numbers.
#[derive(Debug)]
pub(super) struct Numbers<T: ArrowPrimitiveType> {
    values: Vec<T::Native>,
    nulls: Nulls,
}

impl<T: ArrowPrimitiveType> Default for Numbers<T> {
    fn default() -> Self {
        Self { values: Vec::new(), nulls: Nulls::default() }
    }
}

impl<T: ArrowPrimitiveType> Numbers<T> {
    /// Adds a number. Returns its size in the column.
    #[inline]
    pub(super) fn push(&mut self, number: Option<T::Native>) -> usize {
        self.values.push(number.unwrap_or_default());
        self.nulls.push(number.is_some());
        size_of::<T::Native>()
    }

    pub(super) fn append(&mut self, other: Self) {
        self.values.extend_from_slice(&other.values);
        self.nulls.append(other.nulls);
    }

    pub(super) fn finish(self) -> ArrayRef {
        let nulls = self.nulls.finish();
        Arc::new(PrimitiveArray::<T>::new(self.values.into(), nulls))
    }
}

/// Truth values, which are never null.
#[derive(Debug, Default)]
pub(super) struct Flags(Vec<bool>);

impl Flags {
    /// Adds a truth value. Returns its size before it is packed.
    #[inline]
    pub(super) fn push(&mut self, flag: bool) -> usize {
        self.0.push(flag);
        1
    }

    pub(super) fn append(&mut self, other: Self) {
        self.0.extend_from_slice(&other.0);
    }

    pub(super) fn finish(self) -> ArrayRef {
        let flags = BooleanBuffer::from(self.0);
        Arc::new(arrow_array::BooleanArray::new(flags, None))
    }
}

/// Contexts of links.
#[derive(Debug, Default)]
pub(super) struct Contexts {
    fields: [Texts; 7],
    nulls: Nulls,
}

impl Contexts {
    pub(super) fn data_type() -> DataType {
        DataType::Struct(Self::fields())
    }

    fn fields() -> Fields {
        ["text", "rel", "title", "heading", "date", "from", "subject"]
            .map(|name| Field::new(name, Texts::TYPE, true))
            .to_vec()
            .into()
    }

    /// Adds a context. Returns its size in the column.
    pub(super) fn push(&mut self, context: Option<Context<'_>>) -> usize {
        self.nulls.push(context.is_some());
        let Context { text, rel, title, heading, date, from, subject } =
            context.unwrap_or_default();
        let texts = [text, rel, title, heading, date, from, subject];
        let fields = self.fields.iter_mut().zip(texts);
        fields.map(|(field, text)| field.push(text)).sum()
    }

    pub(super) fn append(&mut self, other: Self) {
        for (field, other) in self.fields.iter_mut().zip(other.fields) {
            field.append(other);
        }
        self.nulls.append(other.nulls);
    }

    pub(super) fn finish(self) -> ArrayRef {
        let texts = self.fields.map(Texts::finish).to_vec();
        Arc::new(StructArray::new(Self::fields(), texts, self.nulls.finish()))
    }
}

/// The field of the items of a list.
fn item(data_type: DataType) -> FieldRef {
    Arc::new(Field::new_list_field(data_type, true))
}

fn list(data_type: DataType, ends: Ends, values: ArrayRef) -> ArrayRef {
    let (offsets, nulls) = ends.finish();
    Arc::new(ListArray::new(item(data_type), offsets, values, nulls))
}

#[cfg(test)]
mod tests {
    use arrow_array::Array;

    use super::*;

    #[test]
    fn a_text_that_is_too_long_for_a_column_is_null() {
        // Pages of zeros, which take no memory.
        let long = String::from_utf8(vec![0; MAX_VALUE + 1]).unwrap();
        let mut texts = Texts::default();
        texts.push(Some(&long));
        texts.push(Some("a"));
        let mut lists = TextLists::default();
        lists.push(&["b", &long]);
        lists.push(&["c"]);
        for array in [texts.finish(), lists.finish()] {
            assert!(array.is_null(0));
            assert!(array.is_valid(1));
        }
    }
}
