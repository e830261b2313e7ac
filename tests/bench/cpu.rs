//! How long a call takes: one piece for the benchmarks of every crate, which include it by path.

/// Nanoseconds of CPU that a batch of calls takes at least: well above the grain of the clock.
const BATCH: u64 = 150_000_000;

/// The median CPU time of one call over `batches` batches, in nanoseconds.
pub(crate) fn median(batches: usize, mut call: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..batches)
        .map(|_| {
            let start = cpu_time();
            let mut calls = 0;
            loop {
                call();
                calls += 1;
                let spent = cpu_time() - start;
                if spent >= BATCH {
                    return spent as f64 / f64::from(calls);
                }
            }
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[batches / 2]
}

/// Nanoseconds that this thread ran; where the system does not say, nanoseconds that passed.
#[expect(clippy::disallowed_methods, reason = "a benchmark asks the clock")]
fn cpu_time() -> u64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = stat.and_then(|stat| stat.split(' ').next()?.parse().ok());
    spent.unwrap_or_else(|| START.get_or_init(std::time::Instant::now).elapsed().as_nanos() as u64)
}
