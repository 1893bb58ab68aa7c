//! Links of a document have distinct ids in ascending order: law 2.

use rehref::Links;

/// Panics unless each link begins after the first byte of the link before it, and its id finds it.
#[track_caller]
pub(crate) fn assert_ascending(links: &Links<'_>) {
    let mut last = None;
    for link in links {
        let id = link.id();
        assert!(last < Some(id), "{id:?} after {last:?}");
        assert_eq!(link.spans().first().map(|span| span.start), Some(id.offset()));
        let found = links.get(id).expect("the id is that of a link");
        assert_eq!(found.spans(), link.spans());
        last = Some(id);
    }
}
