//! Work on several threads.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;

/// Runs `work` for `0..count` on `jobs` threads; results in order.
pub(crate) fn in_parallel<T: Send>(jobs: usize, count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::with_capacity(count));
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, count.max(1)) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= count {
                        break;
                    }
                    let result = work(at);
                    results.lock().unwrap_or_else(|poison| poison.into_inner()).push((at, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(|poison| poison.into_inner());
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

/// As [`in_parallel`], and hands each result to `take` as soon as all before it have been: a few are held at a time.
pub(super) fn one_after_another<T: Send>(
    jobs: usize,
    count: usize,
    work: impl Fn(usize) -> T + Sync,
    mut take: impl FnMut(T),
) {
    let (next, jobs) = (AtomicUsize::new(0), jobs.clamp(1, count.max(1)));
    let (sender, results) = sync_channel(jobs);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    // Without a receiver, taking has failed.
                    if at >= count || sender.send((at, work(at))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let (mut early, mut wanted) = (BTreeMap::new(), 0);
        for (at, result) in results {
            early.insert(at, result);
            while let Some(result) = early.remove(&wanted) {
                take(result);
                wanted += 1;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_taken_in_order_whoever_is_ready_first() {
        let mut taken = Vec::new();
        let work = |at: usize| {
            std::thread::sleep(std::time::Duration::from_millis([3, 0, 0][at % 3]));
            at
        };
        one_after_another(4, 50, work, |at| taken.push(at));
        assert_eq!(taken, (0..50).collect::<Vec<_>>());
        one_after_another(4, 0, work, |_| unreachable!());
    }
}
