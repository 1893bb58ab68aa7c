//! The anchor names of recently checked files.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::check::AnchorNames;
use crate::listing::Id;

/// The most anchor names in the cache, about 40 bytes each.
const MAX_NAMES: usize = 500_000;

/// The anchor names of files that links with unknown fragments refer to. The oldest go first.
#[derive(Default)]
pub(super) struct AnchorCache(Mutex<Cached>);

#[derive(Default)]
struct Cached {
    names: HashMap<Id, Arc<AnchorNames>>,
    order: VecDeque<Id>,
    /// The number of names.
    count: usize,
}

impl AnchorCache {
    /// Returns the names of a file, which `read` reads if they are not in the cache.
    pub(super) fn get(
        &self,
        file: Id,
        read: impl FnOnce() -> Option<AnchorNames>,
    ) -> Option<Arc<AnchorNames>> {
        if let Some(names) = self.lock().names.get(&file) {
            return Some(Arc::clone(names));
        }
        let names = Arc::new(read()?);
        let mut cached = self.lock();
        if cached.names.insert(file, Arc::clone(&names)).is_none() {
            cached.order.push_back(file);
            cached.count += names.len();
        }
        while cached.count > MAX_NAMES
            && let Some(first) = cached.order.pop_front()
        {
            let removed = cached.names.remove(&first);
            cached.count -= removed.map_or(0, |names| names.len());
        }
        Some(names)
    }

    fn lock(&self) -> MutexGuard<'_, Cached> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
