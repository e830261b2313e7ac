//! Tests of running: closed forms, holding, limits of stocks, faults, caps.

use super::*;
use crate::testing::{column, computed, named, program, series};
use proptest::prelude::*;

#[track_caller]
fn close(found: &[f64], expected: &[f64]) {
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * b.abs().max(1.0);
    assert!(
        found.len() == expected.len() && found.iter().zip(expected).all(near),
        "{found:?}\n{expected:?}"
    );
}

/// The codes and variables of all problems of a run.
fn problems(text: &str) -> Vec<String> {
    run(&program(text), &Limits::default())
        .outcome
        .problems
        .iter()
        .map(named)
        .collect()
}

#[test]
fn euler_is_its_closed_form() {
    let found = computed("time 0 10 0.5\nstock s = 100 -out\nflow out = s * 0.3", "s");
    let expected: Vec<f64> = (0..=20).map(|k| 100.0 * (1.0_f64 - 0.15).powi(k)).collect();
    close(&found, &expected);
}

#[test]
fn rk4_is_of_fourth_order() {
    let error = |dt: f64| {
        let found = computed(
            &format!("time 0 1 {dt} rk4\nstock s = 1 +f\nflow f = s * COS(TIME)"),
            "s",
        );
        (found.last().unwrap() - 1_f64.sin().exp()).abs()
    };
    let ratio = error(0.1) / error(0.05);
    assert!((14.0..18.0).contains(&ratio), "{ratio}");
}

#[test]
fn one_point_where_stop_is_start() {
    let text = "time 3 3 0.1 rk4\nstock s = TIME +f\nflow f = s * 2\naux d = DELAY(s, 1)";
    assert_eq!(computed(text, "s"), [3.0]);
    assert_eq!(computed(text, "f"), [6.0]);
    assert_eq!(computed(text, "d"), [3.0]);
}

#[test]
fn inputs_are_held_in_the_stages_of_rk4() {
    // A pulse of 1 adds exactly 1, a step from 1 on adds from 1 on; wherever they stand in an equation.
    for (rate, expected) in [
        ("PULSE(1, 1)", [0.0, 0.0, 1.0, 1.0]),
        ("STEP(2, 1)", [0.0, 0.0, 2.0, 4.0]),
        ("IF STEP(2, 1) > 1 THEN STEP(2, 1) ELSE 0", [0.0, 0.0, 2.0, 4.0]),
        ("PREVIOUS(x, 5)", [0.0, 5.0, 5.0, 6.0]),
        ("DELAY(x, 2, 7)", [0.0, 7.0, 14.0, 14.0]),
        ("RAMP(2, 1)", [0.0, 0.0, 1.0, 4.0]),
    ] {
        let found = computed(
            &format!("time 0 3 1 rk4\naux x = TIME\nstock s = 0 +f\nflow f = {rate}"),
            "s",
        );
        close(&found, &expected);
    }
}

#[test]
fn nested_delays_have_state_of_their_own() {
    // Two averages in one expression, one inside the other, each as if it stood alone.
    let text = "time 0 5 0.5\naux x = STEP(10, 1)\naux a = SMTH1(x, 2)\naux b = SMTH1(a, 3)\naux c = DELAY1(b, 2)\n\
                aux all = DELAY1(SMTH1(SMTH1(x, 2), 3), 2) + 0 * SMTH3(x, 4)";
    close(&computed(text, "all"), &computed(text, "c"));
}

#[test]
fn a_call_inside_the_branch_that_is_not_taken_goes_on() {
    let text = "time 0 4 1\naux x = TIME\naux a = IF TIME < 3 THEN 0 ELSE SMTH1(x, 2)\naux b = SMTH1(x, 2)";
    let (a, b) = (computed(text, "a"), computed(text, "b"));
    assert_eq!(a, [0.0, 0.0, 0.0, b[3], b[4]]);
}

#[test]
fn delay_times_are_rounded_to_steps_and_read_once() {
    let at = |time: &str| {
        computed(
            &format!("time 0 4 1\naux x = 10 + TIME\naux d = DELAY(x, {time}, -1)"),
            "d",
        )
    };
    assert_eq!(at("2"), [-1.0, -1.0, 10.0, 11.0, 12.0]);
    assert_eq!(at("1.5"), [-1.0, -1.0, 10.0, 11.0, 12.0]);
    assert_eq!(at("0.1"), [-1.0, 10.0, 11.0, 12.0, 13.0]);
    assert_eq!(at("-3"), [-1.0, 10.0, 11.0, 12.0, 13.0]);
    assert_eq!(at("1 + TIME"), [-1.0, 10.0, 11.0, 12.0, 13.0]);
    assert_eq!(at("4"), [-1.0, -1.0, -1.0, -1.0, 10.0]);
    assert_eq!(at("1e30"), [-1.0; 5]);
    assert_eq!(at("INF"), [-1.0; 5]);
}

#[test]
fn outflows_are_limited_in_order() {
    // The inflow counts at once, an outflow that is negative adds to what is left.
    let text = "time 0 3\nstock s = 3 +in -a -b -c >=0\nflow in = 1\nflow a = 2\nflow b = -1\nflow c = 9";
    assert_eq!(computed(text, "a"), [2.0, 1.0, 1.0, 1.0]);
    assert_eq!(computed(text, "b"), [-1.0; 4]);
    assert_eq!(computed(text, "c"), [3.0, 1.0, 1.0, 1.0]);
    assert_eq!(computed(text, "s"), [3.0, 0.0, 0.0, 0.0]);
    let chain = "time 0 3\nstock A = 5 -m >=0\nstock B = 0 +m -u >=0\nflow m = 2\nflow u = 3";
    assert_eq!(computed(chain, "m"), [2.0, 2.0, 1.0, 0.0]);
    assert_eq!(computed(chain, "u"), [2.0, 2.0, 1.0, 0.0]);
    assert_eq!(computed(chain, "A"), [5.0, 3.0, 1.0, 0.0]);
    assert_eq!(computed(chain, "B"), [0.0; 4]);
}

#[test]
fn a_negative_inflow_is_limited_last() {
    let text = "time 0 2\nstock s = 3 +in >=0\nflow in = -2\naux seen = in";
    assert_eq!(computed(text, "in"), [-2.0, -1.0, 0.0]);
    assert_eq!(computed(text, "seen"), [-2.0, -1.0, 0.0]);
    assert_eq!(computed(text, "s"), [3.0, 1.0, 0.0]);
    let beside = "time 0 1\nstock s = 3 +in +more -out >=0\nflow in = -2\nflow more = -2\nflow out = 2";
    assert_eq!(computed(beside, "out")[0], 2.0);
    assert_eq!(computed(beside, "in")[0], -1.0);
    assert_eq!(computed(beside, "more")[0], 0.0);
    // A flow between two stocks, backward: limited by the one it then draws from.
    let back = "time 0 2\nstock a = 1 -f >=0\nstock b = 3 +f >=0\nflow f = -2";
    assert_eq!(computed(back, "f"), [-2.0, -1.0, 0.0]);
    assert_eq!(computed(back, "a"), [1.0, 3.0, 4.0]);
}

#[test]
fn limits_that_depend_on_each_other_give_way() {
    // An outflow that a later one's value decides is served after it.
    let reordered = "time 0 1\nstock s = 3 -a -b >=0\nflow a = b * 2\nflow b = 2";
    assert_eq!((computed(reordered, "b")[0], computed(reordered, "a")[0]), (2.0, 1.0));
    assert_eq!(problems(reordered), ["limits-not-exact s"]);
    // An inflow that depends on the outflow does not count.
    let circular = "time 0 1\nstock s = 3 +in -out >=0\nflow in = out\nflow out = 9";
    assert_eq!((computed(circular, "out")[0], computed(circular, "in")[0]), (3.0, 3.0));
    assert_eq!(problems(circular), ["limits-not-exact s"]);
    // A flow out of two stocks is limited by neither; both stay at zero or above.
    let shared = "time 0 2\nstock a = 1 -f >=0\nstock b = 5 -f >=0\nflow f = 2";
    assert_eq!(
        (computed(shared, "f"), computed(shared, "a")),
        (vec![2.0; 3], vec![1.0, 0.0, 0.0])
    );
    assert_eq!(
        problems(shared),
        ["limits-not-exact a", "limits-not-exact b", "kept-at-zero a"]
    );
    // A ring of limited stocks, in which every inflow depends on the outflow through the others.
    let ring = "time 0 3\nstock a = 1 +h -f >=0\nstock b = 1 +f -g >=0\nstock c = 1 +g -h >=0\n\
                flow f = 9\nflow g = 9\nflow h = 9";
    let total: Vec<f64> = ["a", "b", "c"].iter().map(|name| computed(ring, name)[3]).collect();
    assert_eq!(total.iter().sum::<f64>(), 3.0);
}

#[test]
fn uniflows_do_not_run_backward() {
    let text = "time 0 2\nuniflow f = 1 - TIME\nstock s = 0 +f\nuniflow g = -3";
    assert_eq!(computed(text, "f"), [1.0, 0.0, 0.0]);
    assert_eq!(computed(text, "g"), [0.0; 3]);
}

#[test]
fn truth_and_extremes_with_nan() {
    let nan = "(0 * (1 / z))";
    for (equation, expected) in [
        (format!("MIN(1, {nan})"), f64::NAN),
        (format!("MIN({nan}, 1)"), f64::NAN),
        (format!("MAX(1, {nan}, 2)"), f64::NAN),
        (format!("{nan} < 1"), 0.0),
        (format!("{nan} >= 1"), 0.0),
        (format!("{nan} = {nan}"), 0.0),
        (format!("{nan} <> {nan}"), 1.0),
        (format!("IF {nan} THEN 1 ELSE 2"), f64::NAN),
        (format!("0 AND {nan}"), 0.0),
        (format!("{nan} AND 0"), 0.0),
        (format!("1 AND {nan}"), f64::NAN),
        (format!("1 OR {nan}"), 1.0),
        (format!("{nan} OR 2"), 1.0),
        (format!("0 OR {nan}"), f64::NAN),
        (format!("NOT {nan}"), f64::NAN),
        ("NOT z".to_owned(), 1.0),
        ("-0.5 AND 2".to_owned(), 1.0),
        ("5 MOD z".to_owned(), f64::NAN),
        ("SAFEDIV(1, z, 7)".to_owned(), 7.0),
        ("z ^ 0".to_owned(), 1.0),
    ] {
        // `z` is 0, but only the run knows.
        let found = computed(&format!("time 0 1\nstock z = 0\naux x = {equation}"), "x")[0];
        assert!(
            found == expected || (found.is_nan() && expected.is_nan()),
            "{equation}: {found}"
        );
    }
}

#[test]
fn constants_and_the_run_compute_alike() {
    for equation in [
        "(0 - 7.25) MOD 3",
        "7.25 MOD (0 - 3)",
        "2 ^ 0.5",
        "INT(0 - 7.25)",
        "1 < 2",
        "3 AND 0",
        "MIN(2, 1)",
        "LN(3)",
        "f(0.3)",
    ] {
        let with_run = equation.replace('0', "z").replace("z.", "0.").replace(".z", ".0");
        let text = format!(
            "time 0 1\ntable f = 0 0, 1 3\nstock z = 0\naux a = {equation}\naux b = {equation} + z\naux c = {with_run} + z"
        );
        assert_eq!(computed(&text, "a"), computed(&text, "b"), "{equation}");
        assert_eq!(computed(&text, "a"), computed(&text, "c"), "{with_run}");
    }
}

#[test]
fn divisions_by_zero_are_named_once_and_counted() {
    let text = "time 0 4\naux x = 2 - TIME\naux y = 1 / x\naux z = MIN(y, 5)\naux w = IF x = 0 THEN 0 ELSE 1 / x";
    let program = program(text);
    let run = run(&program, &Limits::default());
    assert!(run.outcome.complete);
    let found: Vec<_> = run
        .outcome
        .problems
        .iter()
        .filter(|p| p.level == Level::Warning)
        .collect();
    assert_eq!(
        found.iter().map(|p| named(p)).collect::<Vec<_>>(),
        ["not-finite y", "division-by-zero y"]
    );
    assert_eq!(found[1].message, "`y` divides by zero at step 2 (time 2)");
    assert_eq!(series(&run, "z"), [0.5, 1.0, 5.0, -1.0, -0.5]);
    assert!(problems("time 0 4\nstock s = 0\naux y = 1 / s")[0].starts_with("not-finite"));
    let text = "time 0 4\nstock s = 0\naux y = SAFEDIV(1, 1 / s)";
    let outcome = super::run(&crate::testing::program(text), &Limits::default()).outcome;
    assert_eq!(
        outcome.problems[0].message,
        "`y` divides by zero at step 0 (time 0), 5 times in all"
    );
    assert_eq!(outcome.not_finite, None);
}

#[test]
fn what_is_not_finite_is_named_where_it_began() {
    let text = "time 0 10 0.5\naux later = early + 1\nstock s = 4 -out\nflow out = 1\naux early = SQRT(s - 1)";
    let program = program(text);
    let outcome = run(&program, &Limits::default()).outcome;
    let begin = outcome.not_finite.clone().unwrap();
    assert_eq!((begin.variable.as_str(), begin.step, begin.time), ("early", 7, 3.5));
    assert!(
        outcome
            .problems
            .iter()
            .any(|p| p.code == "outside-domain" && p.variable == "early")
    );

    let text = "time 0 2000\nstock s = 2 +f\nflow f = s";
    let outcome = run(&crate::testing::program(text), &Limits::default()).outcome;
    let begin = outcome.not_finite.unwrap();
    assert_eq!(
        (begin.variable.as_str(), begin.step, begin.value),
        ("s", 1023, f64::INFINITY)
    );
    assert_eq!(
        problems("time 0 3\naux a = INF\naux b = MIN(TIME, a)"),
        Vec::<String>::new()
    );
}

#[test]
fn other_faults_are_named() {
    assert_eq!(
        problems("time 0 3\nstock t = 1 -f\nflow f = 1\naux x = DELAY1(TIME, t)")[..3],
        ["no-first-order-control t", "not-finite x", "delay-time x"]
    );
    assert_eq!(
        problems("time 0 3\ntable f = 1 1, 2 2\naux x = f(TIME)"),
        ["outside-table x"]
    );
    assert_eq!(
        problems("time 0 3\naux x = LN(TIME)"),
        ["not-finite x", "outside-domain x"]
    );
    assert_eq!(
        problems("time 0 3\nstock s = LN(0 - 1)"),
        ["not-finite s", "outside-domain s"]
    );
}

#[test]
fn a_stock_that_is_drained_too_fast_is_named() {
    let control = "time 0 9\nstock s = 5 -out\nflow out = 1";
    let outcome = run(&program(control), &Limits::default()).outcome;
    assert_eq!(named(&outcome.problems[0]), "no-first-order-control s");
    assert!(outcome.problems[0].message.ends_with("; in this run it does at time 6"));
    let swing = "time 0 9\nstock s = 5 -out\nstock k = 3\nflow out = s * k";
    assert_eq!(problems(swing), ["dt-too-large s"]);
    // An inflow that takes is no fault of the step.
    assert_eq!(
        problems("time 0 9\nstock s = 5 +in -out\nflow in = -9\nstock k = 3\nflow out = s / k"),
        Vec::<String>::new()
    );
    assert_eq!(
        problems("time 0 9\nstock s = 5 -out\nstock k = 3\nflow out = s / k"),
        Vec::<String>::new()
    );
}

#[test]
fn a_run_that_costs_too_much_ends_early() {
    let program = program("time 0 1000000\nstock s = 0 +f\nflow f = 1");
    let limits = Limits {
        operations: 1_000,
        ..Limits::default()
    };
    let run = run(&program, &limits);
    assert!(!run.outcome.complete);
    assert!((10..1_000).contains(&run.outcome.steps), "{}", run.outcome.steps);
    assert_eq!(*run.times.last().unwrap(), run.outcome.steps as f64);
    assert_eq!(named(&run.outcome.problems[0]), "run-cut");
}

#[test]
fn a_run_that_takes_too_long_ends_early() {
    let program = program("time 0 1000000\nstock s = 0 +f\nflow f = 1");
    let limits = Limits {
        values: 10_000,
        ..Limits::default()
    };
    let mut asked = 0;
    let run = run_until(&program, &limits, || {
        asked += 1;
        asked == 10
    });
    assert!(!run.outcome.complete);
    assert_eq!(run.outcome.steps, 639);
    assert_eq!(run.times.last(), Some(&639.0));
    assert_eq!(run.series(0).last(), Some(639.0));
    let message = &run.outcome.problems[0].message;
    assert!(
        message.ends_with("after 639 of 1000000 steps: more would take too long here"),
        "{message}"
    );
}

#[test]
fn rows_beyond_the_limit_are_thinned_but_extremes_are_of_all() {
    let program = program("time 0 1000\naux x = IF TIME = 501 THEN 7 ELSE 0");
    let limits = Limits {
        values: 100,
        ..Limits::default()
    };
    let run = run(&program, &limits);
    assert!(!run.outcome.complete);
    assert_eq!(run.outcome.steps, 1_000);
    assert!(run.times.len() <= 51 && run.times.last() == Some(&1_000.0));
    assert_eq!(run.extreme(0).unwrap().max, (7.0, 501.0));
    assert_eq!(named(&run.outcome.problems[0]), "run-cut");
}

#[test]
fn long_delays_count_as_numbers_that_are_kept() {
    let text = "time 0 1000000\naux x = TIME\naux a = DELAY(x, 900000)\naux b = DELAY(x, 900000)";
    let limits = Limits {
        values: 10_000,
        ..Limits::default()
    };
    let run = run(&program(text), &limits).outcome;
    assert_eq!((run.complete, run.steps), (false, 5_000));
}

#[test]
fn rows_are_saved_at_the_save_interval() {
    let program = program("time 0 10 1 euler 4\nstock s = 0 +f\nflow f = 1\naux x = IF TIME = 3 THEN 9 ELSE 0");
    let run = run(&program, &Limits::default());
    assert_eq!(run.times, [0.0, 4.0, 8.0, 10.0]);
    assert_eq!(series(&run, "s"), [0.0, 4.0, 8.0, 10.0]);
    assert_eq!(run.extreme(column(&program, "x")).unwrap().max, (9.0, 3.0));
}

#[test]
fn draws_repeat_and_follow_their_seeds() {
    let text =
        "time 0 50\naux a = RANDOM(0, 1)\naux b = RANDOM(0, 1)\naux c = RANDOM(0, 1, 5)\naux d = RANDOM(0, 1, 5)";
    let program = program(text);
    let drawn = |seed: u64, name: &str| {
        series(
            &run(
                &program,
                &Limits {
                    seed,
                    ..Limits::default()
                },
            ),
            name,
        )
    };
    assert_eq!(drawn(1, "a"), drawn(1, "a"));
    assert_ne!(drawn(1, "a"), drawn(2, "a"));
    assert_ne!(drawn(1, "a"), drawn(1, "b"));
    assert_eq!(drawn(1, "c"), drawn(1, "d"));
    assert_ne!(drawn(1, "a")[0], drawn(1, "a")[1]);
    assert_eq!(run(&program, &Limits::default()).outcome.seed, Some(1));
}

#[test]
fn a_draw_is_held_in_the_stages_of_rk4_and_shared_with_the_initial_pass() {
    let text = "time 0 5 1 rk4\naux a = NORMAL(0, 1)\nflow f = a\nstock s = a +f";
    let (a, s) = (computed(text, "a"), computed(text, "s"));
    let mut expected = vec![a[0]];
    for draw in &a[..5] {
        expected.push(expected.last().unwrap() + draw);
    }
    close(&s, &expected);
}

proptest! {
    /// What leaves one stock reaches another: with any rates, limited or not, nothing is lost. (Where limited flows
    /// can run both ways round a ring of stocks, the rule gives way, so limited ones run one way here.)
    #[test]
    fn closed_models_conserve_mass(
        start in prop::collection::vec(0.0..100.0, 4),
        rates in prop::collection::vec(-1.0..1.0, 6),
        non_negative: bool,
        rk4: bool,
    ) {
        // Flows between each two of four stocks, each listed by both.
        let pairs = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)];
        let mut text = format!("time 0 20 0.25 {}\n", if rk4 { "rk4" } else { "euler" });
        for (at, initial) in start.iter().enumerate() {
            text.push_str(&format!("stock s{at} = {initial}"));
            for (flow, (from, to)) in pairs.iter().enumerate() {
                if *to == at { text.push_str(&format!(" +f{flow}")); }
                if *from == at { text.push_str(&format!(" -f{flow}")); }
            }
            text.push_str(if non_negative && !rk4 { " >=0\n" } else { "\n" });
        }
        let kind = if non_negative { "uniflow" } else { "flow" };
        for (flow, (rate, (from, to))) in rates.iter().zip(pairs).enumerate() {
            text.push_str(&format!("{kind} f{flow} = {rate} * s{from} - 3 * SIN(s{to} + TIME)\n"));
        }
        let program = program(&text);
        let run = run(&program, &Limits::default());
        let total: f64 = start.iter().sum();
        for row in 0..run.times.len() {
            let values: Vec<f64> = (0..4).map(|at| run.series(at).nth(row).unwrap()).collect();
            let scale = values.iter().fold(total, |scale, value| scale.max(value.abs()));
            prop_assert!((values.iter().sum::<f64>() - total).abs() <= 1e-9 * scale, "{:?}", values);
            if non_negative && !rk4 {
                prop_assert!(values.iter().all(|value| *value >= 0.0), "{:?}", values);
            }
        }
    }

    /// Limited flows of a non-negative stock never take more than there is, whatever is wanted.
    #[test]
    fn limited_stocks_stay_at_or_above_zero(
        wanted in prop::collection::vec(-50.0..50.0, 4),
        inflows in prop::collection::vec(-50.0..50.0, 2),
        start in 0.0..20.0,
    ) {
        let text = format!(
            "time 0 8 0.5\nstock s = {start} +a +b -w -x -y -z >=0\nflow a = {} * SIN(TIME)\nflow b = {}\n\
             flow w = {}\nflow x = {} * COS(TIME)\nflow y = {}\nflow z = {}",
            inflows[0], inflows[1], wanted[0], wanted[1], wanted[2], wanted[3]
        );
        prop_assert!(computed(&text, "s").iter().all(|value| *value >= 0.0));
    }

    /// Points are met exactly, and between two of them the value lies between theirs.
    #[test]
    fn graphical_functions_meet_their_points(ys in prop::collection::vec(-9.0..9.0, 2..8), x in -1.0..9.0) {
        use crate::model::{Graphical, GraphicalKind};
        let points: Vec<[f64; 2]> = ys.iter().enumerate().map(|(i, y)| [i as f64, *y]).collect();
        for kind in [GraphicalKind::Continuous, GraphicalKind::Extrapolate, GraphicalKind::Discrete] {
            let function = Graphical { kind, points: points.clone() };
            for [x, y] in &points {
                prop_assert_eq!(functions::graphical(&function, *x), *y);
            }
            let value = functions::graphical(&function, x);
            if kind != GraphicalKind::Extrapolate {
                prop_assert!(ys.iter().any(|y| *y <= value) && ys.iter().any(|y| *y >= value));
            }
        }
    }
}
