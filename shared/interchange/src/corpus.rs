//! Tests: whole model files, read and run, against the series that they must give.
//!
//! The golden cases are our own and stand in tests/golden. Other people's files are read where the environment variable
//! `MEADOW_SHARED` names the folder that holds them.

use crate::{model, to_document};
use meadow_dynamics::model::Model;
use meadow_dynamics::names::fold;
use meadow_dynamics::problem::Level;
use meadow_dynamics::run::Limits;
use meadow_dynamics::{compile::compile, document, run::run};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A table of expected values: times, and the series of each variable by its folded name.
struct Table {
    times: Vec<f64>,
    series: BTreeMap<String, Vec<f64>>,
}

#[expect(
    clippy::disallowed_methods,
    reason = "the tests read their files; the crate itself reads nothing"
)]
fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[expect(
    clippy::disallowed_methods,
    reason = "the tests read their files; the crate itself reads nothing"
)]
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden")
}

/// The folder of other people's files; none where it is not there, which is said.
#[expect(
    clippy::disallowed_methods,
    reason = "the tests read their files; the crate itself reads nothing"
)]
fn corpus(name: &str) -> Option<PathBuf> {
    let shared = std::env::var("MEADOW_SHARED").ok();
    if shared.is_none() {
        println!("left out: corpus/{name}, because MEADOW_SHARED does not say where it is");
    }
    shared.map(|shared| Path::new(&shared).join("corpus").join(name))
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension()
        .is_some_and(|extension| extensions.iter().any(|wanted| extension == *wanted))
}

/// Reads a table with commas or tabs, whatever ends its lines.
fn table(path: &Path) -> Table {
    let text = String::from_utf8(bytes(path)).expect("text");
    let separator = if has_extension(path, &["tab"]) { '\t' } else { ',' };
    let mut lines = text.split(['\n', '\r']).filter(|line| !line.trim().is_empty());
    let names: Vec<String> = (lines.next().expect("a header").split(separator))
        .map(|name| fold(name.trim().trim_matches('"')).into_owned())
        .collect();
    assert_eq!(names[0], "time");
    let mut columns = vec![Vec::new(); names.len()];
    for line in lines {
        let mut cells = line.split(separator);
        for column in &mut columns {
            column.push(
                cells
                    .next()
                    .and_then(|cell| cell.trim().parse().ok())
                    .unwrap_or(f64::NAN),
            );
        }
    }
    let mut columns = columns.into_iter();
    let times = columns.next().expect("times");
    assert!(times.len() > 1 && times.is_sorted(), "{}", path.display());
    Table {
        times,
        series: names.into_iter().skip(1).zip(columns).collect(),
    }
}

/// Runs a model: its saved rows. The bounds of time, which some tables have as columns, are there in any case.
fn simulate(model: &Model) -> Result<Table, String> {
    let program = compile(model).map_err(|problems| format!("{problems:#?}"))?;
    let run = run(&program, &Limits::default());
    if !run.outcome.complete {
        return Err(format!("{:#?}", run.outcome));
    }
    let specs = &model.specs;
    let value = |text: &str| text.parse().unwrap_or(f64::NAN);
    let dt = if specs.reciprocal {
        1.0 / value(&specs.dt)
    } else {
        value(&specs.dt)
    };
    let bounds = [
        ("initial_time", value(&specs.start)),
        ("final_time", value(specs.stop.as_deref().unwrap_or_default())),
        ("time_step", dt),
        ("saveper", specs.save.as_deref().map_or(dt, value)),
    ];
    let constant = |(name, value): (&str, f64)| (name.to_owned(), vec![value; run.times.len()]);
    let mut series: BTreeMap<String, Vec<f64>> = bounds.map(constant).into();
    for (place, column) in program.columns.iter().enumerate() {
        series.insert(fold(&column.name).into_owned(), run.series(place).collect());
    }
    Ok(Table {
        times: run.times.clone(),
        series,
    })
}

/// What differs by more than `tolerance`, relative or absolute, with rows matched by the nearest time.
fn differences(found: &Table, expected: &Table, relative: f64, absolute: f64) -> Vec<String> {
    let mut differences = Vec::new();
    for (name, values) in &expected.series {
        let Some(series) = found.series.get(name) else {
            differences.push(format!("no column {name}"));
            continue;
        };
        let mut row = 0;
        let wrong = expected.times.iter().zip(values).find(|(time, value)| {
            while row + 1 < found.times.len()
                && (found.times[row + 1] - **time).abs() <= (found.times[row] - **time).abs()
            {
                row += 1;
            }
            let size = value.abs().max(series[row].abs());
            let near = (series[row] - **value).abs() <= (relative * size).max(absolute);
            !value.is_nan() && !near
        });
        if let Some((time, value)) = wrong {
            differences.push(format!("{name} at {time}: {} instead of {value}", series[row]));
        }
    }
    differences
}

/// Columns of the table of `corpus/xmile/smooth_and_stock` for which its model has no variables.
const NOT_IN_THE_MODEL: [&str; 3] = ["input", "smoothed_input", "smoothing_time"];

/// Runs each pair of model and table; panics naming all that fail.
fn check(pairs: &[(PathBuf, PathBuf)], relative: f64, absolute: f64) {
    let mut failures = Vec::new();
    for (path, expected) in pairs {
        let mut expected = table(expected);
        if path.ends_with("smooth_and_stock/test_smooth_and_stock.xmile") {
            for name in NOT_IN_THE_MODEL {
                assert!(expected.series.remove(name).is_some(), "{name}");
            }
        }
        let found = match simulate(&model(bytes(path))) {
            Ok(found) => differences(&found, &expected, relative, absolute),
            Err(problems) => vec![problems],
        };
        if !found.is_empty() {
            failures.push(format!("{}: {}", path.display(), found.join("; ")));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} fail:\n{}",
        failures.len(),
        pairs.len(),
        failures.join("\n")
    );
}

fn golden_pairs() -> Vec<(PathBuf, PathBuf)> {
    (files(&golden()).into_iter())
        .filter(|path| has_extension(path, &["xmile", "mdl"]))
        .map(|path| (path.clone(), path.with_extension("csv")))
        .collect()
}

#[expect(clippy::disallowed_methods, reason = "these tests read files")]
fn corpus_pairs() -> Vec<(PathBuf, PathBuf)> {
    let folders = corpus("xmile").map(|folder| files(&folder)).unwrap_or_default();
    (folders.iter().filter(|path| path.is_dir()))
        .map(|folder| {
            let files = files(folder);
            let one = |extensions: &[&str]| {
                files
                    .iter()
                    .find(|path| has_extension(path, extensions))
                    .expect("a file")
                    .clone()
            };
            (one(&["xmile"]), one(&["csv", "tab"]))
        })
        .collect()
}

#[test]
fn the_golden_cases_give_their_series() {
    let pairs = golden_pairs();
    assert_eq!(pairs.len(), 23);
    check(&pairs, 1e-9, 1e-9);
}

#[test]
fn the_corpus_gives_its_series() {
    let pairs = corpus_pairs();
    assert!(pairs.is_empty() || pairs.len() == 21, "{}", pairs.len());
    check(&pairs, 1e-4, 1e-6);
}

#[test]
fn nothing_in_these_files_is_left_out() {
    for (path, _) in golden_pairs().into_iter().chain(corpus_pairs()) {
        let notes = model(bytes(&path)).notes;
        assert_eq!(notes, [""; 0], "{}", path.display());
    }
}

#[test]
fn the_defects_are_found() {
    let Some(folder) = corpus("defects") else { return };
    for (name, expected) in [
        ("algebraic_loop", &["algebraic-loop"][..]),
        ("dt_too_big", &["dt-too-large"]),
        ("inert_stock", &["inert-stock"]),
        ("missing_eqn", &["missing-equation"]),
        ("negative_outflow_no_control", &["no-first-order-control"]),
        ("ok", &[]),
        ("syntax", &["unparsable-expression"]),
        ("undefined_ref", &["undefined-name"]),
        ("unit_mismatch_flow", &[]),
    ] {
        let found = match compile(&model(bytes(&folder.join(format!("{name}.xmile"))))) {
            Ok(program) => program.advice,
            Err(problems) => problems,
        };
        let codes: Vec<&str> = (found.iter())
            .filter(|problem| problem.level != Level::Info)
            .map(|problem| problem.code)
            .collect();
        assert_eq!(codes, expected, "{name}: {found:#?}");
    }
}

#[test]
fn an_equation_for_the_start_is_used_at_the_start_only() {
    let found = simulate(&model(
        "<xmile><sim_specs><start>0</start><stop>2</stop></sim_specs><model><variables><stock name='s'><eqn>a</eqn>\
         <inflow>f</inflow></stock><flow name='f'><eqn>1</eqn></flow><aux name='a'><eqn>s * 2</eqn><init_eqn>5</init_eqn>\
         </aux></variables></model></xmile>",
    ))
    .expect("a run");
    assert_eq!(found.series["s"], [5.0, 6.0, 7.0]);
    assert_eq!(found.series["a"], [10.0, 12.0, 14.0]);
}

/// A model whose kinds of graphical function no document holds: its series change.
const LOSES_VALUES: &str = "13_gf_types.xmile";

#[test]
fn a_derived_document_gives_the_same_series() {
    let golden = golden_pairs().into_iter().map(|pair| (pair, 1e-9, 1e-9));
    for ((path, expected), relative, absolute) in
        golden.chain(corpus_pairs().into_iter().map(|pair| (pair, 1e-4, 1e-6)))
    {
        let derived = to_document(&model(bytes(&path)));
        let document =
            meadow_model::parse(&derived.text).unwrap_or_else(|refusal| panic!("{}: {refusal:?}", path.display()));
        let found =
            simulate(&document::model(&document)).unwrap_or_else(|problems| panic!("{}: {problems}", path.display()));
        let mut expected = table(&expected);
        for name in NOT_IN_THE_MODEL {
            expected.series.remove(name);
        }
        let differences = differences(&found, &expected, relative, absolute);
        let is_lossy = path.ends_with(LOSES_VALUES);
        assert_eq!(
            !differences.is_empty(),
            is_lossy,
            "{}: {differences:?}\n{:?}",
            path.display(),
            derived.not_held
        );
        let says_so = derived
            .not_held
            .iter()
            .any(|note| note.contains("and the values with them"));
        assert_eq!(says_so, is_lossy, "{}: {:?}", path.display(), derived.not_held);
    }
}
