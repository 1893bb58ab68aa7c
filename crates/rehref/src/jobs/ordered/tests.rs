use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::*;

fn files(threads: usize) -> Bounds {
    Bounds::of_files(NonZeroUsize::new(threads).unwrap())
}

/// Waits until a condition is true.
fn await_condition(condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(60), "no other thread works");
        thread::yield_now();
    }
}

#[test]
fn results_come_in_order_of_files() {
    for count in [1, 2, 7] {
        let mut taken = Vec::new();
        let slow_first = |file: usize| {
            if file.is_multiple_of(50) {
                thread::sleep(Duration::from_millis(2));
            }
            file * 2
        };
        for_each(files(count), 0..500, slow_first, |result| {
            taken.push(result);
            ControlFlow::Continue(())
        });
        assert!(taken.into_iter().eq((0..500).map(|file| file * 2)));
    }
}

#[test]
fn break_ends_infinite_run() {
    for count in [1, 3] {
        let mut taken = 0;
        for_each(
            files(count),
            0..,
            |file: u64| file,
            |file| {
                taken += 1;
                if file == 9 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        assert!((10..=10 + count * 16).contains(&taken), "{taken}");
    }
}

#[test]
fn every_file_that_was_begun_is_taken_in_order_and_no_other() {
    for (count, window, last) in [(2, 64, 10), (3, 4096, 3000), (5, 4096, 999)] {
        let begun = AtomicUsize::new(0);
        let mut taken = Vec::new();
        let work = |file: usize| {
            begun.fetch_add(1, Ordering::Relaxed);
            file
        };
        for_each(Bounds { window, ..files(count) }, 0..100_000, work, |file| {
            taken.push(file);
            match file < last {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        assert!(taken.is_sorted() && taken.len() > last);
        assert_eq!(taken[last], last);
        assert_eq!(taken.len(), begun.into_inner());
    }
}

#[test]
fn few_files_are_shared_one_by_one() {
    let at_once = |window, given, left| Bounds { window, ..files(2) }.at_once(given, left);
    assert_eq!([0, 31, 32, 256, 9999].map(|it| at_once(4096, it, 0)), [1, 1, 2, 16, 16]);
    assert_eq!([15, 32, 999, 9999].map(|it| at_once(4096, 0, it)), [1, 2, 62, 64]);
    // A small window.
    assert_eq!(at_once(4, 9999, 0), 1);
}

/// Work by functions, with parts that are numbers.
struct Divided<F, P> {
    file: F,
    part: P,
    size: usize,
}

impl<'p, F, P> Work<'p> for Divided<F, P>
where
    F: Fn(usize) -> Outcome<'p, (usize, usize), (usize, usize, usize)> + Sync,
    P: Fn(usize, usize, &mut Turn<'_, (usize, usize)>) + Sync,
{
    type File = usize;
    /// The numbers of the file and the part, and the size.
    type Part = (usize, usize, usize);
    type Done = (usize, usize);

    fn file(
        &self,
        file: usize,
        turn: &mut Turn<'_, Self::Done>,
    ) -> Outcome<'p, Self::Done, Self::Part> {
        if file % 11 == 10 {
            assert!(turn.pass((file, 0)).is_continue());
        }
        (self.file)(file)
    }

    fn part(&self, (file, part, _): Self::Part, turn: &mut Turn<'_, Self::Done>) -> Self::Done {
        (self.part)(file, part, turn);
        (file, part)
    }

    fn size((_, _, size): &Self::Part) -> usize {
        *size
    }
}

impl<F, P> Divided<F, P> {
    fn parts<'p>(
        size: usize,
        file: usize,
        count: usize,
    ) -> Outcome<'p, (usize, usize), (usize, usize, usize)> {
        let parts = (0..count).map(move |part| (file, part, size));
        Outcome::Parts(match file % 2 {
            0 => Parts::listed(parts),
            _ => Parts::of_stream(parts.inspect(|_| thread::yield_now())),
        })
    }
}
