//! The cases that every store must pass: what [`ModelStore`] promises, held against a real store.
//!
//! A store's test calls [`assert_keeps_the_contract`] with a function that makes a new, empty store. To add a case,
//! write an `async fn(Trial)` that panics where the promise is broken, in the file of its subject, and add its name to
//! [`CASES`].
//!
//! Stores of access tokens have their own, in [`tokens`]; so have caches, in [`cache`], turns, in [`slots`], and vaults,
//! in [`notes`].
//!
//! Four stores that break one promise each must fail (`broken`, tests only): a suite that they pass proves nothing.

pub mod cache;
mod changes;
mod latest;
pub mod notes;
mod races;
mod reads;
mod repeats;
pub mod slots;
pub mod tokens;
mod trial;
mod writes;

#[cfg(test)]
mod broken;

use crate::ports::ModelStore;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use races::together;
use std::any::Any;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
pub use trial::Trial;

/// With this many rounds more than 10,000 raced writes are acknowledged.
pub const ROUNDS: usize = 100;

/// One promise, or a part of one.
#[derive(Clone, Copy)]
pub struct Case {
    /// What holds.
    pub name: &'static str,
    run: fn(Trial) -> BoxFuture<'static, ()>,
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

macro_rules! cases {
    ($($file:ident :: $name:ident,)*) => {
        &[$(Case { name: stringify!($name), run: |trial| $file::$name(trial).boxed() }),*]
    };
}

/// All cases.
pub const CASES: &[Case] = cases![
    writes::what_was_put_is_read_back,
    writes::any_text_comes_back_byte_for_byte,
    writes::a_text_of_a_megabyte_comes_back,
    writes::ids_of_any_script_are_kept_apart,
    writes::any_is_always_as_expected,
    writes::absent_means_no_model_or_a_tombstone,
    writes::a_revision_means_this_one_alive,
    writes::a_conflict_writes_nothing,
    writes::revisions_only_grow,
    writes::a_delete_holds_its_expectation,
    writes::deleting_what_is_not_there_is_absent,
    writes::equal_bytes_make_no_revision,
    writes::equal_bytes_with_a_wrong_expectation_are_a_conflict,
    writes::equal_bytes_after_a_delete_are_a_new_revision,
    writes::a_put_tells_what_was_there_before,
    repeats::a_repeated_put_is_not_applied_again,
    repeats::a_repeated_put_leaves_later_writes_alone,
    repeats::a_repeated_put_leaves_a_later_delete_alone,
    repeats::a_repeated_unchanged_put_leaves_later_writes_alone,
    repeats::a_repeated_delete_is_not_applied_again,
    repeats::a_repeated_delete_leaves_a_later_put_alone,
    repeats::a_repeated_put_leaves_latest_alone,
    repeats::writes_are_remembered_for_long,
    repeats::a_conflict_is_not_remembered,
    latest::there_is_none_at_first,
    latest::is_the_model_of_the_last_put,
    latest::equal_bytes_move_it,
    latest::is_none_after_its_delete_until_the_next_put,
    latest::stays_when_another_model_is_deleted,
    latest::a_conflict_does_not_move_it,
    reads::list_is_by_code_point_and_without_tombstones,
    reads::list_is_read_in_parts,
    reads::revisions_are_the_newest_first,
    reads::revisions_are_read_in_parts,
    reads::the_last_fifty_revisions_are_kept,
    reads::what_was_never_written_is_not_there,
    reads::workspaces_see_nothing_of_each_other,
    reads::the_store_answers,
    changes::all_workspaces_oldest_first,
    changes::since_includes_its_own_time,
    changes::equal_times_are_read_in_parts,
    changes::a_change_during_the_walk_is_given,
    changes::a_delete_is_a_change_and_equal_bytes_are_none,
    changes::a_clock_that_is_set_back_hides_no_change,
    races::of_racing_writers_exactly_one_wins,
    races::no_increment_is_lost,
    races::no_text_is_torn,
    races::no_read_is_older_than_acknowledged,
    races::latest_follows_its_writer,
    races::no_patch_is_lost,
];

/// A case that a store does not pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The case.
    pub case: &'static str,
    /// What was found.
    pub found: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.case, self.found)
    }
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The cases that failed.
    pub failures: Vec<Failure>,
    /// How many writes that raced with others were acknowledged.
    pub raced: u64,
}

/// Runs every case on a store of its own. `rounds` says for how long the races go on.
pub async fn run(make: impl Fn() -> Arc<dyn ModelStore>, rounds: usize) -> Outcome {
    let mut failures = Vec::new();
    let mut raced = 0;
    for case in CASES {
        let trial = Trial::new(make(), rounds);
        let count = trial.count();
        if let Err(panic) = AssertUnwindSafe((case.run)(trial)).catch_unwind().await {
            failures.push(Failure {
                case: case.name,
                found: text_of(panic.as_ref()),
            });
        }
        raced += count.get();
    }
    Outcome { failures, raced }
}

/// Runs every case; gives the number of raced writes that were acknowledged.
///
/// # Panics
/// When a case fails; names all that did.
pub async fn assert_keeps_the_contract(make: impl Fn() -> Arc<dyn ModelStore>, rounds: usize) -> u64 {
    let Outcome { failures, raced } = run(make, rounds).await;
    let list: Vec<String> = failures.iter().map(|failure| format!("\n- {failure}")).collect();
    assert!(
        list.is_empty(),
        "{} of {} cases failed:{}",
        list.len(),
        CASES.len(),
        list.concat()
    );
    raced
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a text".into())
}
