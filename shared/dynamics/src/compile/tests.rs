//! Tests of compiling: names, order, constants, problems and advice.

use crate::compile::compile;
use crate::program::Place;
use crate::testing::{column, computed, model, named, program, refusals};
use proptest::prelude::*;

#[track_caller]
fn refused(text: &str, expected: &[&str]) {
    assert_eq!(refusals(&format!("time 0 1\n{text}")), expected);
}

/// The advice for a model, as `code variable`.
#[track_caller]
fn advised(text: &str, expected: &[&str]) {
    let advice: Vec<String> = program(text).advice.iter().map(named).collect();
    assert_eq!(advice, expected, "{text}");
}

/// The value of `aux x = equation` at the start, beside other lines.
#[track_caller]
fn value(equation: &str, lines: &str, expected: f64) {
    let found = computed(&format!("time 0 1\n{lines}\naux x = {equation}"), "x")[0];
    assert!(
        (found - expected).abs() <= 1e-12 * expected.abs() || (found.is_nan() && expected.is_nan()),
        "{equation}: {found}"
    );
}

#[test]
fn names_are_found_exactly_before_folded() {
    value("Water + water", "aux Water = 1\naux water = 10", 11.0);
    value("WATER", "aux Water = 1\naux water = 10", 1.0);
    value("\"In Flow\"", "aux in_flow = 3", 3.0);
    // A variable wins without parentheses, the builtin with them.
    value("pi + max + MAX(1, 2)", "aux pi = 100\naux max = 10", 112.0);
    value("f(0.5) + TIME()", "table f = 0 0, 1 2", 1.0);
    value("MAX(f) - MIN(f)", "table f = 0 -1, 1 2", 3.0);
    value("LOOKUP(F, 2) + std.ABS(-1)", "table f = 0 -1, 1 2", 3.0);
}

#[test]
fn everything_wrong_is_named_at_once() {
    refused(
        "aux a = 1 +\naux b = speeed * 2\naux speed = ???\naux c = NOSUCH(1)\naux d = ABS(1, 2)\nstock s = - +gone -a",
        &[
            "unparsable-expression a",
            "undefined-name b",
            "missing-equation speed",
            "undefined-name c",
            "wrong-arguments d",
            "missing-equation s",
            "undefined-name s",
        ],
    );
    refused("aux a = f\ntable f = 0 0, 1 1", &["undefined-name a"]);
    refused("aux a = b(2)\naux b = 1", &["undefined-name a"]);
    refused("aux a = LOOKUP(3, 1)", &["wrong-arguments a"]);
    refused("aux a = f(1)\ntable f = 1 0, 0 1", &["graphical-function f"]);
    refused("aux a = 1\naux a = 2", &["duplicate-name a"]);
    refused("aux n = TIME\naux a = SMTHN(1, 2, n)", &["wrong-arguments a"]);
    refused("aux a = SMTHN(1, 2, 101)", &["wrong-arguments a"]);
    refused("stock a = 1 +b\nstock b = 1", &["undefined-name a"]);
}

#[test]
fn an_equation_that_is_wrong_all_over_is_named_a_few_times_and_still_refused() {
    let advice = ["(1 < 2 < 3)", "PREVIOUS(s)"].repeat(30).join(" + ");
    let wrong = vec!["nowhere"; 60].join(" + ");
    let found = refusals(&format!("time 0 1\nstock s = 1\naux a = {advice} + {wrong}"));
    let count = |code: &str| found.iter().filter(|named| named.starts_with(code)).count();
    assert_eq!(
        (count("undefined-name"), count("chained-comparison"), count("previous")),
        (20, 1, 19)
    );
}

#[test]
fn a_misspelt_name_is_shown_with_the_right_one() {
    let problems = compile(&model("time 0 1\naux speed = 1\naux b = 2 * speeed")).unwrap_err();
    assert_eq!(
        problems[0].message,
        "2 * speeed\n    ^^^^^^\nthere is no variable `speeed`"
    );
    assert_eq!(problems[0].fix, "did you mean `speed`?");
    assert_eq!(
        (problems[0].span.clone(), problems[0].pointer.as_str()),
        (Some(4..10), "/1/expr")
    );
    let problems = compile(&model("time 0 1\naux b = 2 * step")).unwrap_err();
    assert_eq!(problems[0].fix, "call the function: STEP(height, start)");
}

#[test]
fn a_model_without_stop_is_judged_all_the_same() {
    assert_eq!(refusals("aux a = b"), ["simulation-without-stop", "undefined-name a"]);
    assert_eq!(refusals("time 0 1 0\naux a = b"), ["time-grid", "undefined-name a"]);
}

#[track_caller]
fn cycles(text: &str, expected: &[&str]) {
    let found: Vec<String> = match compile(&model(&format!("time 0 5\n{text}"))) {
        Ok(_) => Vec::new(),
        Err(problems) => problems
            .iter()
            .map(|p| p.message.split(':').next().unwrap_or_default().to_owned())
            .collect(),
    };
    assert_eq!(found, expected, "{text}");
}

#[test]
fn cycles_are_named_in_order() {
    cycles("aux a = c + 1\naux b = a\naux c = b", &["a -> b -> c -> a"]);
    cycles("aux a = a + 1", &["a -> a"]);
    cycles(
        "aux a = b\naux b = a\naux c = d\naux d = c",
        &["a -> b -> a", "c -> d -> c"],
    );
    // Of several, a shortest.
    cycles("aux a = b + c\naux b = a\naux c = d\naux d = a", &["a -> b -> a"]);
    cycles("aux a = SELF", &["a -> a"]);
}

#[test]
fn state_breaks_cycles() {
    for call in [
        "SMTH1(a, 2, 1)",
        "SMTH1(SMTH3(a, 2, 1), 2, 1)",
        "DELAY1(a, 2, 1)",
        "DELAYN(a, 2, 4, 1)",
        "DELAY(a, 2, 1)",
        "PREVIOUS(a, 1)",
        "PREVIOUS(SELF, 1)",
        "DELAY(SMTH1(a, 3, 2), 2, 0)",
    ] {
        cycles(&format!("aux a = b / 2\naux b = {call}"), &[]);
    }
    cycles("stock s = 1 +f\nflow f = s", &[]);
    // The delay time is needed at once, and so is what an average is compared with.
    cycles("aux a = b\naux b = DELAY1(1, a, 1)", &["a -> b -> a"]);
    cycles("aux a = b\naux b = TREND(a, 1)", &["a -> b -> a"]);
    cycles("aux a = b\naux b = SMTH1(1, a, 1)", &[]);
}

#[test]
fn the_initial_pass_has_cycles_of_its_own() {
    cycles("stock a = b\nstock b = a", &["a -> b -> a"]);
    cycles("stock s = f +f\nflow f = s", &["s -> f -> s"]);
    // Without an initial value the input is needed at the start.
    cycles("aux a = b / 2\naux b = SMTH1(a, 2)", &["a -> b -> a"]);
    cycles("aux a = INIT(a)", &["a -> a"]);
    cycles("vensim\naux a = ACTIVE INITIAL(b, 3)\naux b = INITIAL(a)", &[]);
}

#[test]
fn constants_are_folded() {
    let program = program(
        "time 0 1\naux a = 2 * 3 + 1\naux b = a ^ 2\naux c = IF b > 3 THEN b ELSE TIME\naux d = 1 / 0\n\
         flow f = MAX(a, b)\nstock s = 1 +f\naux e = s\naux g = INF",
    );
    let places: Vec<Place> = program.columns.iter().map(|column| column.place).collect();
    assert_eq!(
        places[..3],
        [Place::Constant(7.0), Place::Constant(49.0), Place::Constant(49.0)]
    );
    // A fault is reported by the run; a name for a stock needs no instruction.
    assert!(matches!(places[3], Place::Row(_)));
    assert_eq!(places[4], Place::Constant(49.0));
    assert_eq!(places[6], places[5]);
    assert_eq!(places[7], Place::Constant(f64::INFINITY));
    assert_eq!(program.values, 1);
}

#[test]
fn what_is_initially_other_is_no_constant() {
    let text = "time 0 1\nvensim\naux a = ACTIVE INITIAL(5, 3)\nstock s = a";
    assert_eq!(computed(text, "s"), [3.0, 3.0]);
    assert_eq!(computed(text, "a"), [5.0, 5.0]);
}

#[track_caller]
fn equality(lines: &str, equation: &str, is_exact: bool) {
    let text = format!("time 0 10 0.5\n{lines}\naux x = IF {equation} THEN 1 ELSE 2");
    let advice = program(&text).advice;
    assert_eq!(
        !advice.iter().any(|p| p.code == "exact-equality"),
        is_exact,
        "{equation}"
    );
}

#[test]
fn equality_of_computed_numbers_is_advised() {
    let lines = "stock s = 1 +f\nflow f = 0.1\naux flag = IF s > 1.05 THEN 1 ELSE 0\naux k = 3";
    equality(lines, "s = 1.3", false);
    equality(lines, "s <> k", false);
    equality(lines, "s * 2 = INT(s)", false);
    equality(lines, "TIME = 3", true);
    equality(lines, "TIME = 0.5", true);
    equality(lines, "TIME = 0.3", false);
    equality(lines, "INT(s) MOD 2 = 0", true);
    equality(lines, "flag = 1", true);
    equality(lines, "k = 3", true);
    equality(lines, "(s > 1) = (s < 3)", true);
    equality(lines, "STEP(1, 3) = 1", true);
}

#[test]
fn an_outflow_that_does_not_stop_is_advised() {
    let check = |outflow: &str, others: &str, expected: &[&str]| {
        let text = format!("time 0 1 0.25\nstock s = 10 +in -out\nflow in = s * 0.1\nflow out = {outflow}\n{others}");
        advised(&text, expected);
    };
    let flagged = ["no-first-order-control s"];
    check("5", "", &flagged);
    check("x", "aux x = s + 1", &flagged);
    check("TIME", "", &flagged);
    check("SMTH1(s, 3)", "", &flagged);
    check("IF TIME > 0.5 THEN 1 ELSE s", "", &flagged);
    check("s * 0.5", "", &[]);
    check("s / x", "aux x = 3 + TIME", &[]);
    check("MIN(5, s / DT)", "", &[]);
    check("MAX(0, s - x)", "aux x = 3", &[]);
    check("x * y", "aux x = s * 2\naux y = TIME", &[]);
    check("IF s > 0 THEN 1 ELSE 0", "", &[]);
    check("f(s)", "table f = 0 0, 10 1", &[]);
    check("SQRT(s)", "", &[]);
    check("SAFEDIV(s, x)", "aux x = TIME", &[]);
    check("-5", "", &[]);
    // A non-negative stock needs none.
    advised("time 0 1\nstock s = 10 -out >=0\nflow out = 5", &[]);
}

#[test]
fn a_source_beyond_the_boundary_is_only_worth_a_look() {
    use crate::problem::Level;
    let level = |initial: &str, rate: &str| {
        let text = format!("time 0 10\nstock source = {initial} -out\nflow out = {rate}\nstock goal = 0 +out");
        program(&text).advice[0].level
    };
    assert_eq!(level("1000", "5"), Level::Info);
    assert_eq!(level("10", "5"), Level::Warning);
    assert_eq!(level("10", "goal + 1"), Level::Info);
}

#[test]
fn steps_that_are_too_long_are_advised() {
    let check = |line: &str, expected: &[&str]| advised(&format!("time 0 10 0.5\naux x = TIME\n{line}"), expected);
    check("stock s = 1 -out\nflow out = s / 0.1", &["dt-too-large s"]);
    check(
        "stock s = 1 -out\nflow out = rate\naux rate = s * k\naux k = 3",
        &["dt-too-large s"],
    );
    check("stock s = 1 -a -b\nflow a = s * 1.5\nflow b = s", &["dt-too-large s"]);
    check("stock s = 1 -out\nflow out = s / 0.5", &[]);
    check("aux a = DELAY3(x, 1.2)", &["dt-too-large a"]);
    check("aux a = DELAY3(x, 1.5)", &[]);
    check("aux a = SMTH1(x, 0.4)", &["dt-too-large a"]);
    check("aux a = TREND(x, 0.4)", &["dt-too-large a"]);
    check("aux a = DELAY(x, k)\naux k = TIME", &["delay-time-changes a"]);
    check("aux a = PREVIOUS(x)", &["previous-without-initial a"]);
}

#[test]
fn what_nothing_depends_on_is_advised() {
    let check = |lines: &str, expected: &[&str]| {
        let mut model = model(&format!("time 0 1\n{lines}"));
        // Of our own documents the validation says the rest.
        let in_document: Vec<String> = compile(&model).unwrap().advice.iter().map(named).collect();
        assert!(
            in_document.iter().all(|named| named.starts_with("unused-variable")),
            "{in_document:?}"
        );
        model.variables.iter_mut().for_each(|variable| variable.pointer.clear());
        let advice: Vec<String> = compile(&model).unwrap().advice.iter().map(named).collect();
        assert_eq!(advice, expected);
    };
    check("stock s = 1", &["inert-stock s"]);
    check("flow f = 1", &["orphan-flow f"]);
    check("aux a = 1\naux shown = TIME", &["unused-variable a"]);
    check("aux FINAL_TIME = 1", &[]);
    check("stock s = a +f\nflow f = b\naux a = 1\naux b = 2", &[]);
    check("stock s = 1 +a\naux a = 1", &[]);
    check("vensim\naux x = ACTIVE INITIAL(TIME, a)\naux a = 1", &[]);
    check("aux x = SMTHN(TIME, a, b, c)\naux a = 9\naux b = 2\naux c = 3", &[]);
}

#[test]
fn advice_points_at_the_place() {
    let advice = program("time 0 1\naux x = 1 + SMTH1(TIME, 0.25)").advice;
    assert_eq!(
        (advice[0].pointer.as_str(), advice[0].span.clone()),
        ("/0/expr", Some(4..21))
    );
    assert!(
        advice[0]
            .message
            .starts_with("SMTH1 takes 0.25, less than one step of 1"),
        "{}",
        advice[0].message
    );
}

#[test]
fn long_sums_deep_nesting_and_long_chains_overflow_no_stack() {
    let sum = vec!["s"; 1_000].join(" + ");
    let nested = format!("{}s{}", "ABS(".repeat(250), ")".repeat(250));
    let many = format!("MAX({})", vec!["s"; 20_000].join(", "));
    assert_eq!(
        computed(&format!("time 0 1\nstock s = 3\naux m = {many}"), "m"),
        [3.0, 3.0]
    );
    let nested_if = format!("{}1", "IF s > 2 THEN 1 ELSE ".repeat(250));
    let text = format!("time 0 1\nstock s = 1 +f\nflow f = {nested}\naux sum = {sum}\naux b = {nested_if}");
    assert_eq!(computed(&text, "sum"), [1000.0, 2000.0]);

    let mut chain = String::from("time 0 1\nstock s = x0 -x50000\n");
    for i in 0..50_000 {
        chain.push_str(&format!("aux x{i} = x{} * 1\n", i + 1));
    }
    chain.push_str("flow x50000 = 7 * TIME\n");
    let program = program(&chain);
    assert_eq!(
        program.columns[column(&program, "x0")].kind,
        crate::program::ColumnKind::Auxiliary
    );

    let mut ring = String::from("time 0 1\n");
    for i in 0..50_000 {
        ring.push_str(&format!("aux x{i} = x{}\n", (i + 1) % 50_000));
    }
    assert_eq!(refusals(&ring), ["algebraic-loop x0"]);
}

/// Any expression over a few names, with every builtin; some of them do not fit.
fn expressions() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[0-9]{1,2}(\\.[0-9])?",
        Just("s".to_owned()),
        Just("r".to_owned()),
        Just("a".to_owned()),
        Just("b".to_owned()),
        Just("f".to_owned()),
        Just("g".to_owned()),
        Just("TIME".to_owned()),
        Just("DT".to_owned()),
        Just("INF".to_owned()),
        Just("SELF".to_owned()),
        Just("nowhere".to_owned()),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let names = "ABS EXP SIN COS TAN ARCSIN ARCCOS ARCTAN LN LOG10 SQRT INT MAX MIN SAFEDIV STEP RAMP PULSE INIT \
                     PREVIOUS DELAY DELAY1 DELAY3 DELAYN SMTH1 SMTH3 SMTHN TREND FORCST EXPRND NORMAL LOGNORMAL POISSON \
                     RANDOM LOOKUP t vensim.PULSE vensim.MODULO vensim.QUANTUM vensim.ZIDZ vensim.LOG vensim.INTEGER";
        let names: Vec<&'static str> = names.split(' ').filter(|name| !name.is_empty()).collect();
        let call = (prop::sample::select(names), prop::collection::vec(inner.clone(), 1..4))
            .prop_map(|(name, arguments)| format!("{name}({})", arguments.join(", ")));
        let operators = vec!["+", "-", "*", "/", "^", "MOD", "<", "<=", ">", ">=", "=", "<>", "AND", "OR"];
        let binary = (inner.clone(), prop::sample::select(operators), inner.clone())
            .prop_map(|(a, operator, b)| format!("({a} {operator} {b})"));
        let choice = (inner.clone(), inner.clone(), inner.clone())
            .prop_map(|(a, b, c)| format!("(IF {a} THEN {b} ELSE {c})"));
        prop_oneof![call, binary, choice, inner.prop_map(|a| format!("(- {a})"))]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Random models compile or are refused, and run, without a panic; runs repeat to the last bit.
    #[test]
    fn random_models_never_panic(
        equations in prop::collection::vec(expressions(), 6),
        rk4: bool,
        non_negative in prop::collection::vec(any::<bool>(), 2),
    ) {
        use crate::run::{Limits, run};
        let floor = |at: usize| if non_negative[at] { " >=0" } else { "" };
        let text = format!(
            "time 0 4 0.5 {}\nstock s = {} +f -g{}\nstock r = {} +g -h{}\nflow f = {}\nflow g = {}\nuniflow h = {}\n\
             aux a = {}\naux b = s + 1\ntable t = 0 1, 2 3",
            if rk4 { "rk4" } else { "euler" },
            equations[0], floor(0), equations[1], floor(1), equations[2], equations[3], equations[4], equations[5],
        );
        match compile(&model(&text)) {
            Err(problems) => prop_assert!(!problems.is_empty()),
            Ok(program) => {
                let limits = Limits::default();
                let (first, second) = (run(&program, &limits), run(&program, &limits));
                prop_assert_eq!(first.times.len(), 9);
                for at in 0..program.columns.len() {
                    let same = first.series(at).zip(second.series(at)).all(|(x, y)| x.to_bits() == y.to_bits());
                    prop_assert!(same);
                    let summary = crate::summary::summarize(&first, at, crate::summary::Detail::default());
                    prop_assert_eq!(summary.series.len(), 9);
                }
            }
        }
    }
}
