use std::num::NonZeroUsize;
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

type Numbers = (usize, usize);

/// Work on numbered files with numbered parts.
struct Numbered<F, P> {
    /// The parts of a file. `None` if it is not divided.
    parts: F,
    /// The work on a part of a file.
    work: P,
    size: usize,
}

impl<'p, F, P> Work<'p> for Numbered<F, P>
where
    F: Fn(usize) -> Option<Parts<'p, Numbers>> + Sync,
    P: Fn(Numbers, &mut Turn<'_, Numbers>) + Sync,
{
    type File = usize;
    type Part = (Numbers, usize);
    type Done = Numbers;

    fn file(&self, file: usize, turn: &mut Turn<'_, Numbers>) -> Outcome<'p, Numbers, Self::Part> {
        let size = self.size;
        match (self.parts)(file) {
            Some(Parts { parts, is_stream }) => {
                let parts = Box::new(parts.map(move |part| (part, size)));
                Outcome::Parts(Parts { parts, is_stream })
            }
            None => {
                (self.work)((file, 0), turn);
                Outcome::Done((file, 0))
            }
        }
    }

    fn part(&self, (part, _): Self::Part, turn: &mut Turn<'_, Numbers>) -> Numbers {
        (self.work)(part, turn);
        part
    }

    fn size((_, size): &Self::Part) -> usize {
        *size
    }
}

/// The parts of a file, listed or of a stream.
fn parts<'p>(file: usize, count: usize) -> Parts<'p, Numbers> {
    let parts = (0..count).map(move |part| (file, part));
    match file % 2 {
        0 => Parts::listed(parts),
        _ => Parts::of_stream(parts.inspect(|_| thread::yield_now())),
    }
}

fn divided<'p>(file: usize) -> Option<Parts<'p, Numbers>> {
    (file % 7 < 3).then(|| parts(file, file % 40))
}

/// The results in order, of work that has one result for each unit.
fn expected(count: usize) -> Vec<Numbers> {
    let results = (0..count).flat_map(|file| match divided(file) {
        Some(parts) => parts.parts.collect::<Vec<_>>(),
        None => vec![(file, 0)],
    });
    results.collect()
}

#[test]
fn results_of_parts_come_in_their_order_and_that_of_files() {
    for count in [1, 2, 3, 7] {
        let work = |(file, part): Numbers, _: &mut Turn<'_, Numbers>| {
            if (file + part).is_multiple_of(50) {
                thread::sleep(Duration::from_millis(1));
            }
        };
        let work = Numbered { parts: divided, work, size: 1 };
        let mut taken = Vec::new();
        run(files(count), 0..300, &work, |result| {
            taken.push(result);
            ControlFlow::Continue(())
        });
        assert!(taken == expected(300), "{count} threads");
    }
}

/// Units with several results: some of them come when others wait.
#[test]
fn results_that_are_passed_in_turns_come_in_order() {
    for count in [1, 2, 3, 7] {
        let more = |(file, part): Numbers| if (file + part) % 5 == 0 { part % 7 } else { 0 };
        let work = |unit: Numbers, turn: &mut Turn<'_, Numbers>| {
            if (unit.0 + unit.1).is_multiple_of(15) {
                assert!(turn.wait().is_continue());
                assert!(turn.has_come());
            }
            for _ in 0..more(unit) {
                thread::sleep(Duration::from_micros(50));
                assert!(turn.pass(unit).is_continue());
            }
        };
        let work = Numbered { parts: divided, work, size: 1 };
        let mut taken = Vec::new();
        run(files(count), 0..300, &work, |result| {
            taken.push(result);
            ControlFlow::Continue(())
        });
        let all = expected(300).into_iter();
        let all = all.flat_map(|unit| vec![unit; 1 + more(unit)]);
        assert!(taken.into_iter().eq(all), "{count} threads");
    }
}

#[test]
fn nothing_is_passed_after_a_break() {
    for count in [1, 3] {
        for last in [30, 31, 32] {
            let work = |unit: Numbers, turn: &mut Turn<'_, Numbers>| {
                let mut flow = ControlFlow::Continue(());
                while flow.is_continue() && unit.0 >= last && unit.1 == 0 {
                    flow = turn.pass(unit);
                }
            };
            let endless = |file: usize| (file % 7 < 4).then(|| parts(file, 3));
            let work = Numbered { parts: endless, work, size: 1 };
            let mut taken = Vec::new();
            run(files(count), 0..100_000, &work, |unit| {
                taken.push(unit);
                match taken.iter().filter(|it| **it == (last, 0)).count() {
                    5 => ControlFlow::Break(()),
                    _ => ControlFlow::Continue(()),
                }
            });
            assert!(taken.is_sorted() && taken.contains(&(last - 1, 0)));
            let passed = taken.iter().filter(|it| **it == (last, 0)).count();
            assert_eq!(passed, 5, "{count} threads");
        }
    }
}

#[test]
fn few_parts_are_held_and_large_ones_alone() {
    for (size, most) in [(1, 4 * 4), (64 << 20, 1)] {
        for number in [0, 1] {
            let held = AtomicUsize::new(0);
            let many = |_| {
                let parts = parts(number, 200);
                let counted = parts.parts.inspect(|_| {
                    assert!(held.fetch_add(1, Ordering::Relaxed) < most);
                });
                Some(Parts { parts: Box::new(counted), ..parts })
            };
            let work = |unit: Numbers, _: &mut Turn<'_, Numbers>| {
                thread::sleep(Duration::from_micros(unit.1 as u64));
            };
            let work = Numbered { parts: many, work, size };
            run(files(4), 0..1, &work, |_| {
                held.fetch_sub(1, Ordering::Relaxed);
                ControlFlow::Continue(())
            });
        }
    }
}

#[test]
fn a_thread_reads_a_stream_while_another_works() {
    // The work on a part ends only when the next one was read.
    let count = AtomicUsize::new(0);
    let stream = |_| {
        let read = (0..100).map(|part| {
            count.fetch_add(1, Ordering::Relaxed);
            (0, part)
        });
        Some(Parts::of_stream(read))
    };
    let work = |(_, part): Numbers, _: &mut Turn<'_, Numbers>| {
        await_condition(|| count.load(Ordering::Relaxed) >= (part + 2).min(100));
    };
    let mut taken = 0;
    run(files(2), 0..1, &Numbered { parts: stream, work, size: 1 }, |_| {
        taken += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(taken, 100);
}

#[test]
fn a_stream_that_is_waited_for_holds_up_no_other_file() {
    let begun = AtomicUsize::new(0);
    let stream = |file: usize| {
        let read = std::iter::once_with(|| {
            await_condition(|| begun.load(Ordering::Relaxed) == 9);
            (0, 0)
        });
        (file == 0).then(|| Parts::of_stream(read))
    };
    let work = |(file, _): Numbers, _: &mut Turn<'_, Numbers>| {
        if file > 0 {
            begun.fetch_add(1, Ordering::Relaxed);
        }
    };
    let mut taken = Vec::new();
    run(files(2), 0..10, &Numbered { parts: stream, work, size: 1 }, |(file, _)| {
        taken.push(file);
        ControlFlow::Continue(())
    });
    assert!(taken.into_iter().eq(0..10));
}

#[test]
fn all_threads_work_on_the_parts_of_the_only_file() {
    let working = AtomicUsize::new(0);
    let many = |file| Some(parts(file, 4));
    let work = |(_, part): Numbers, _: &mut Turn<'_, Numbers>| {
        working.fetch_add(1, Ordering::Relaxed);
        if part < 3 {
            await_condition(|| working.load(Ordering::Relaxed) >= 3);
        }
    };
    let mut taken = 0;
    run(files(3), [0].into_iter(), &Numbered { parts: many, work, size: 1 }, |_| {
        taken += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(taken, 4);
}

#[test]
fn panic_of_worker_propagates() {
    let whole = || {
        for_each(files(2), 0..1000, |file| assert_ne!(file, 3), |()| ControlFlow::Continue(()));
    };
    assert!(std::panic::catch_unwind(whole).is_err());
    for number in [0, 1] {
        let in_part = || {
            let many = |_| Some(parts(number, 1000));
            let work = |(_, part): Numbers, _: &mut Turn<'_, Numbers>| assert_ne!(part, 3);
            let work = Numbered { parts: many, work, size: 1 };
            run(files(2), 0..2, &work, |_| ControlFlow::Continue(()));
        };
        assert!(std::panic::catch_unwind(in_part).is_err());
    }
}
