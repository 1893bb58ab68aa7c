//! Fields that are made when one is read. Most programs read few of them.

use std::fmt::Debug;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// Makes the fields of objects, by their numbers.
pub(crate) trait Maker<F>: Debug + Send + Sync {
    fn fields(&self, number: usize) -> F;
}

/// The fields of an object, or their maker.
#[derive(Clone, Debug)]
pub(crate) struct Lazy<F> {
    fields: OnceLock<Box<F>>,
    /// `None` if the fields were given.
    maker: Option<(Arc<dyn Maker<F>>, u32)>,
}

impl<F> Lazy<F> {
    /// The fields that have this number.
    pub(crate) fn made_by(maker: Arc<dyn Maker<F>>, number: u32) -> Self {
        Self { fields: OnceLock::new(), maker: Some((maker, number)) }
    }
}

impl<F> From<F> for Lazy<F> {
    fn from(fields: F) -> Self {
        Self { fields: Box::new(fields).into(), maker: None }
    }
}

impl<F> Deref for Lazy<F> {
    type Target = F;

    fn deref(&self) -> &F {
        self.fields.get_or_init(|| match &self.maker {
            Some((maker, number)) => Box::new(maker.fields(*number as usize)),
            None => unreachable!("an object has its fields, or their maker"),
        })
    }
}

impl<F: PartialEq> PartialEq for Lazy<F> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<F: Eq> Eq for Lazy<F> {}

impl<F: Hash> Hash for Lazy<F> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}
