//! Records as JSON: the bytes that `serde_json` writes, in a quarter of its time.
//!
//! serde describes the records, so their fields have only one definition. This serializer is
//! faster, since it only appends to vectors, searches bytes to escape in words of eight
//! ([`string`]), and leaves the names of fields to the compiler.

mod string;
#[cfg(test)]
mod tests;

use serde::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::Error;

/// Appends a record as JSON, without a line end.
///
/// Other values have the JSON that `serde_json` writes too, except for types that are only for
/// `serde_json`: `RawValue`, and `Number` with its feature `arbitrary_precision`. If a value cannot
/// be in JSON, its beginning is appended.
pub fn write_json(record: &impl Serialize, out: &mut Vec<u8>) {
    // Writing to memory cannot fail, and no record has a map with keys that are not strings.
    let written = record.serialize(Json { out });
    debug_assert!(written.is_ok());
}

/// A serializer that appends JSON.
struct Json<'o> {
    out: &'o mut Vec<u8>,
}

impl<'o> Json<'o> {
    /// Begins an array, an object, or an object in one.
    #[inline]
    fn open(self, begin: &[u8], end: &'static [u8]) -> Compound<'o> {
        self.out.extend_from_slice(begin);
        Compound::new(self.out, end)
    }

    /// Begins an object with this only key.
    fn tagged(self, variant: &str) -> Self {
        self.out.push(b'{');
        string::write(variant, self.out);
        self.out.push(b':');
        self
    }
}

/// Methods that append a number.
macro_rules! integers {
    ($($method:ident: $type:ty,)*) => {
        $(
            #[inline]
            fn $method(self, value: $type) -> Result<(), Error> {
                self.out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
                Ok(())
            }
        )*
    };
}

impl<'o> Serializer for Json<'o> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'o>;
    type SerializeTuple = Compound<'o>;
    type SerializeTupleStruct = Compound<'o>;
    type SerializeTupleVariant = Compound<'o>;
    type SerializeMap = Compound<'o>;
    type SerializeStruct = Compound<'o>;
    type SerializeStructVariant = Compound<'o>;

    integers! {
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_i128: i128,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
        serialize_u128: u128,
    }

    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        serde_json::to_writer(self.out, &value)
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        serde_json::to_writer(self.out, &value)
    }

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        let text: &[u8] = if value { b"true" } else { b"false" };
        self.out.extend_from_slice(text);
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    // Not inlined: that is faster only for names of fields, which are constants.
    #[inline(never)]
    fn serialize_str(self, value: &str) -> Result<(), Error> {
        string::write(value, self.out);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        value.serialize(self)
    }

    #[inline]
    fn serialize_unit(self) -> Result<(), Error> {
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    #[inline]
    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let Json { out } = self.tagged(variant);
        value.serialize(Json { out: &mut *out })?;
        out.push(b'}');
        Ok(())
    }

    #[inline]
    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'o>, Error> {
        Ok(self.open(b"[", b"]"))
    }

    #[inline]
    fn serialize_tuple(self, _: usize) -> Result<Compound<'o>, Error> {
        Ok(self.open(b"[", b"]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Compound<'o>, Error> {
        Ok(self.open(b"[", b"]"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'o>, Error> {
        Ok(self.tagged(variant).open(b"[", b"]}"))
    }

    #[inline]
    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'o>, Error> {
        Ok(self.open(b"{", b"}"))
    }

    // Not inlined: that is faster only for names of fields, which are constants.
    #[inline(never)]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Compound<'o>, Error> {
        Ok(self.open(b"{", b"}"))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'o>, Error> {
        Ok(self.tagged(variant).open(b"{", b"}}"))
    }
}

/// Appends a key. Numbers and booleans become strings.
#[inline]
fn write_key(key: &(impl Serialize + ?Sized), out: &mut Vec<u8>) -> Result<(), Error> {
    let start = out.len();
    key.serialize(Json { out: &mut *out })?;
    match out.get(start) {
        Some(b'"') => Ok(()),
        Some(b'-' | b'0'..=b'9' | b't' | b'f') => {
            out.insert(start, b'"');
            out.push(b'"');
            Ok(())
        }
        _ => Err(Error::custom("a key must be a string")),
    }
}

/// An array or object that is written.
struct Compound<'o> {
    out: &'o mut Vec<u8>,
    end: &'static [u8],
    is_empty: bool,
}

impl<'o> Compound<'o> {
    /// An array or object without elements so far, which ends with `end`.
    #[inline]
    fn new(out: &'o mut Vec<u8>, end: &'static [u8]) -> Self {
        Self { out, end, is_empty: true }
    }

    /// Appends a comma, except before the first element.
    #[inline]
    fn separate(&mut self) {
        if !self.is_empty {
            self.out.push(b',');
        }
        self.is_empty = false;
    }

    #[inline]
    fn element(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        self.separate();
        value.serialize(Json { out: self.out })
    }

    /// Appends a field. Inlined, so that the compiler checks whether its name has bytes to escape,
    /// and writes a constant: twice as fast.
    #[inline(always)]
    fn field(&mut self, key: &'static str, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        self.separate();
        string::write(key, self.out);
        self.out.push(b':');
        value.serialize(Json { out: self.out })
    }

    #[inline]
    fn close(self) -> Result<(), Error> {
        self.out.extend_from_slice(self.end);
        Ok(())
    }
}

/// Implements the traits of compounds with the same methods.
macro_rules! compounds {
    ($($trait:ident: $method:ident => $inner:ident($($key:ident)?),)*) => {
        $(
            impl $trait for Compound<'_> {
                type Ok = ();
                type Error = Error;

                #[inline(always)]
                fn $method<T: Serialize + ?Sized>(
                    &mut self,
                    $($key: &'static str,)?
                    value: &T,
                ) -> Result<(), Error> {
                    self.$inner($($key,)? value)
                }

                #[inline]
                fn end(self) -> Result<(), Error> {
                    self.close()
                }
            }
        )*
    };
}

compounds! {
    SerializeSeq: serialize_element => element(),
    SerializeTuple: serialize_element => element(),
    SerializeTupleStruct: serialize_field => element(),
    SerializeTupleVariant: serialize_field => element(),
    SerializeStruct: serialize_field => field(key),
    SerializeStructVariant: serialize_field => field(key),
}

impl SerializeMap for Compound<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.separate();
        write_key(key, self.out)
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.out.push(b':');
        value.serialize(Json { out: self.out })
    }

    #[inline]
    fn end(self) -> Result<(), Error> {
        self.close()
    }
}
