//! The examples behave as their names promise, and answers are bounded.

use super::*;
use meadow_dynamics::document;
use meadow_dynamics::model::{Kind, Link, Specs, Variable};
use meadow_dynamics::run::run;
use std::path::Path;

/// An example of the folder `models`.
#[track_caller]
fn example(name: &str) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let document = meadow_model::parse(&text).unwrap();
    assert!(crate::report_of(&document).complete, "{name}");
    document::model(&document)
}

/// What an example does. It runs to its end without a problem of level error.
struct Ran(Simulation);

#[track_caller]
fn runs(name: &str) -> Ran {
    let simulation = simulation(&example(name), &Wanted::default(), &Limits::default(), Duration::MAX);
    assert_eq!(simulation.status, Status::Ok, "{name}: {:#?}", simulation.problems);
    assert!(simulation.problems.iter().all(|problem| problem.level != Level::Error));
    assert!(simulation.not_finite.is_none(), "{name}");
    Ran(simulation)
}

impl Ran {
    #[track_caller]
    fn of(&self, name: &str) -> &Course {
        let mut courses = self.0.summaries.iter();
        courses
            .find(|course| course.name == name)
            .unwrap_or_else(|| panic!("{name}"))
    }

    #[track_caller]
    fn behaves(&self, name: &str, behaviour: &str) -> &Course {
        let course = self.of(name);
        assert_eq!(course.behaviour, behaviour, "{course:#?}");
        course
    }
}

#[track_caller]
fn about(value: f64, expected: f64) {
    assert!(
        (value - expected).abs() <= 0.005 * expected.abs(),
        "{value} is not about {expected}"
    );
}

#[test]
fn bathtub_and_thermostat_seek_their_goals() {
    // (120 - w) / 5 = 0.02 w
    about(
        runs("01-bathtub.json").behaves("tub_water", "goal-seeking").end,
        24.0 / 0.22,
    );
    // 0.9 (20 - h / 2) = 0.3 (h / 2 - 5): below the wanted 40 MJ, as a thermostat with a leak settles.
    about(
        runs("02-thermostat.json").behaves("room_heat", "goal-seeking").end,
        32.5,
    );
}

#[test]
fn hares_and_lynx_swing_and_the_lynx_come_later() {
    let ran = runs("03-predator-prey.json");
    let hares = ran.behaves("hares", "oscillation");
    let lynx = ran.behaves("lynx", "oscillation");
    about(hares.max.unwrap(), 1260.0);
    // The lynx peak a quarter of the period of 14 years after the hares.
    let model = example("03-predator-prey.json");
    let program = compile(&model).unwrap();
    let run = run(&program, &Limits::default());
    let first_peak = |name: &str| {
        let column = program.columns.iter().position(|column| column.name == name).unwrap();
        let values: Vec<f64> = run.series(column).collect();
        let at = (1..values.len() - 1).find(|&k| values[k - 1] < values[k] && values[k] >= values[k + 1]);
        run.times[at.unwrap()]
    };
    about(first_peak("hares"), 3.5);
    about(first_peak("lynx"), 6.7);
    assert!(lynx.min.unwrap() >= 19.9);
}

#[test]
fn the_fishery_overshoots_and_declines() {
    let ran = runs("04-fishery-commons.json");
    let boats = ran.behaves("boats", "overshoot");
    assert!(boats.max.unwrap() > 5.0 * boats.start && boats.end < 0.9 * boats.max.unwrap());
    let harvest = ran.of("harvest");
    assert!(harvest.peak_time.unwrap() < boats.peak_time.unwrap());
    assert!(harvest.end < 0.8 * harvest.max.unwrap(), "{harvest:#?}");
    let fish = ran.of("fish");
    assert!(fish.end < 0.45 * fish.start, "{fish:#?}");
}

#[test]
fn growth_meets_its_limit() {
    let ran = runs("05-limits-to-growth.json");
    let capital = ran.behaves("industrial_capital", "overshoot and collapse");
    assert!(capital.max.unwrap() > 10.0 * capital.start && capital.end < 0.05 * capital.start);
    assert!(ran.of("resource").end < 0.06 * ran.of("resource").start);
}

#[test]
fn the_burden_shifts_from_cure_to_patch() {
    let ran = runs("06-shifting-the-burden.json");
    let open = ran.of("open_problems");
    assert!(
        open.min_time.unwrap() < 20.0 && open.end > open.min.unwrap(),
        "better before worse: {open:#?}"
    );
    let skill = ran.behaves("skilled_people", "goal-seeking");
    assert!(skill.end < 0.85 * skill.start);
    let (fixing, curing) = (ran.of("quick_fixing"), ran.of("curing"));
    assert!(
        fixing.end / curing.end > 1.1 * fixing.start / curing.start,
        "patching takes over"
    );
}

#[test]
fn lanes_fill_up_again() {
    let ran = runs("07-induced-traffic.json");
    let (trips, lanes) = (ran.behaves("car_trips", "goal-seeking"), ran.of("road_capacity"));
    assert!(lanes.end > 1.15 * lanes.start && trips.end > 1.15 * trips.start);
    let crowded = |trips: f64, lanes: f64| trips / (600.0 * lanes);
    about(crowded(trips.end, lanes.end), crowded(trips.start, lanes.start));
}

#[test]
fn adoption_is_s_shaped() {
    let ran = runs("08-bass-diffusion.json");
    let adopters = ran.behaves("adopters", "S-shape");
    assert!(adopters.end > 7_900.0);
    let peak = ran.of("adoption").peak_time.unwrap();
    assert!((4.0..12.0).contains(&peak), "the rate peaks within: {peak}");
}

#[test]
fn the_epidemic_has_one_peak_near_28_percent() {
    let ran = runs("09-sir-epidemic.json");
    let infected = ran.of("infected");
    about(infected.max.unwrap(), 2_802.0);
    about(infected.peak_time.unwrap(), 29.6);
    // What comes later, as immunity wanes, is small beside it.
    let later = infected.series.iter().filter(|point| point[0] > 100.0);
    assert!(later.map(|point| point[1]).fold(0.0, f64::max) < 0.2 * 2_802.0);
}

#[test]
fn carbon_piles_up_in_the_air_while_sinks_lag() {
    let ran = runs("10-carbon-cycle.json");
    let air = ran.behaves("atmosphere_carbon", "goal-seeking");
    assert_eq!(air.max, Some(air.end));
    about(air.end, 1_068.0);
    about(ran.of("emissions").end, 10.2);
    let stocks = || ran.0.summaries.iter().filter(|course| course.kind == "stock");
    about(
        stocks().map(|course| course.end).sum(),
        stocks().map(|course| course.start).sum(),
    );
}

#[test]
fn house_prices_swing_behind_the_building_time() {
    let ran = runs("11-housing-market.json");
    let price = ran.behaves("house_price", "oscillation");
    assert!(price.max.unwrap() > 340.0 && price.min.unwrap() < 270.0);
    assert!(price.peak_time < price.min_time);
    assert!(ran.of("houses").end > 1.5 * ran.of("houses").start);
}

#[test]
fn debt_slows_delivery_and_the_backlog_grows() {
    let ran = runs("12-technical-debt.json");
    let backlog = ran.behaves("backlog", "growth");
    assert!(backlog.end > 10.0 * backlog.start);
    ran.behaves("technical_debt", "growth");
    let delivery = ran.of("delivery");
    assert!(delivery.end < 0.5 * delivery.start, "{delivery:#?}");
}

fn variable(name: &str, kind: Kind, equation: &str) -> Variable {
    Variable {
        name: name.to_owned(),
        kind,
        equation: Some(equation.to_owned()),
        ..Variable::default()
    }
}

fn specs(stop: &str) -> Specs {
    Specs {
        stop: Some(stop.to_owned()),
        ..Specs::default()
    }
}

#[test]
fn variables_are_asked_for_by_name() {
    let wanted = Wanted {
        variables: vec![
            "Tub Water".into(),
            "fill_time".into(),
            "tub_wate".into(),
            "nothing".into(),
        ],
        ..Wanted::default()
    };
    let simulation = simulation(&example("01-bathtub.json"), &wanted, &Limits::default(), Duration::MAX);
    assert_eq!(simulation.summaries.len(), 1);
    assert_eq!(simulation.constants[0].value, 5.0);
    assert_eq!(
        simulation.unknown_variables,
        [
            Unknown {
                name: "tub_wate".into(),
                did_you_mean: Some("tub_water".into())
            },
            Unknown {
                name: "nothing".into(),
                did_you_mean: None
            }
        ]
    );
}

#[test]
fn what_cannot_be_run_says_why_and_what_is_cut_says_so() {
    let mut model = Model {
        variables: vec![variable("a", Kind::Auxiliary, "b")],
        ..Model::default()
    };
    let none = simulation(&model, &Wanted::default(), &Limits::default(), Duration::MAX);
    assert_eq!(none.status, Status::NotRunnable);
    let codes: Vec<_> = none.problems.iter().map(|problem| problem.code).collect();
    assert_eq!(codes, ["simulation-without-stop", "undefined-name"]);

    model.specs = specs("1e9");
    model.variables = vec![variable("a", Kind::Auxiliary, "TIME / (1000 - TIME)")];
    let limits = Limits {
        operations: 100_000,
        ..Limits::default()
    };
    let cut = simulation(&model, &Wanted::default(), &limits, Duration::MAX);
    assert_eq!(cut.status, Status::Partial);
    assert!(cut.grid.unwrap().stop < 1e6);
    let first = cut.not_finite.unwrap();
    assert_eq!(
        (first.variable.as_str(), first.step, first.value.as_str()),
        ("a", 1_000, "inf")
    );
}

#[test]
fn answers_are_bounded_however_large_the_model_is() {
    let many = 5_000;
    let mut model = Model {
        specs: specs("10"),
        ..Model::default()
    };
    for n in 0..many {
        let next = (n + 1) % many;
        model.variables.push(variable(
            &format!("v{n}"),
            Kind::Auxiliary,
            &format!("TIME + nothing{next}"),
        ));
    }
    let none = simulation(&model, &Wanted::default(), &Limits::default(), Duration::MAX);
    assert_eq!(none.problems.len(), PROBLEMS);
    assert!(none.problems_omitted > 0);
    for variable in &mut model.variables {
        variable.equation = Some("TIME".into());
    }
    let all = simulation(&model, &Wanted::default(), &Limits::default(), Duration::MAX);
    assert_eq!(
        (all.summaries.len(), all.omitted),
        (MOST_VARIABLES, many - MOST_VARIABLES)
    );
    assert!(serde_json::to_string(&all).unwrap().len() < 5_000_000);
    // Every node acts on the next two: more loops than can be counted.
    for n in 0..many {
        for step in [1, 2] {
            model.links.push(Link {
                from: format!("v{n}"),
                to: format!("v{}", (n + step) % many),
                polarity: Some(1),
                ..Link::default()
            });
        }
    }
    let structure = structure(&model, MOST_LOOPS);
    assert_eq!(structure.status, Status::Partial);
    assert!(structure.shown.total.is_none() && structure.shown.loops.len() <= 2 * MOST_LOOPS);
    assert!(serde_json::to_string(&structure).unwrap().len() < 5_000_000);
}

#[test]
fn answers_are_bounded_however_long_names_and_units_are() {
    let long = 100_000;
    let mut model = Model {
        specs: specs("10"),
        ..Model::default()
    };
    model.specs.time_unit = "t".repeat(3_000_000);
    for n in 0..30 {
        let name = format!("n{n}{}", "x".repeat(long));
        let mut variable = variable(&name, Kind::Auxiliary, "TIME");
        variable.unit = "u".repeat(long);
        model.variables.push(variable);
    }
    let all = simulation(&model, &Wanted::default(), &Limits::default(), Duration::MAX);
    assert_eq!((all.status, all.summaries.len(), all.omitted), (Status::Ok, 14, 16));
    assert_eq!(all.summaries[13].name, model.variables[13].name, "names stay whole");
    assert_eq!(
        all.grid.as_ref().map(|grid| grid.time_unit.chars().count()),
        Some(TEXT + 1)
    );
    assert!(size(&all) < 4_700_000);
    for variable in &mut model.variables {
        variable.equation = Some("1 / nothing".into());
    }
    let none = simulation(&model, &Wanted::default(), &Limits::default(), Duration::MAX);
    assert_eq!(none.status, Status::NotRunnable);
    assert!(!none.problems.is_empty());
    assert!(size(&none) < 1_000_000);
    // A ladder: from each rung to the next by one of two ways, and back; a thousand loops of 20 long names each.
    let name = |n: usize, way: &str| format!("{n}{way}{}", "y".repeat(10_000));
    for n in 0..10 {
        for way in ["a", "b"] {
            for next in ["a", "b"] {
                model.links.push(Link {
                    from: name(n, way),
                    to: name((n + 1) % 10, next),
                    ..Link::default()
                });
            }
        }
    }
    let structure = structure(&model, MOST_LOOPS);
    assert!(
        structure.shown.total.is_some_and(|total| total > 1_000),
        "{:?}",
        structure.shown.total
    );
    let shown = structure.shown.loops.len();
    assert!(shown > 0 && shown < 100, "{shown}");
    assert!(structure.shown.complete_to_length < 10);
    assert!(size(&structure) < 4_700_000);
}

#[test]
fn what_fits_into_a_small_share_is_the_same_there() {
    let small = example("11-housing-market.json");
    let wanted = Wanted::default();
    let all = simulation(&small, &wanted, &Limits::default(), Duration::MAX);
    assert_eq!(simulation_within(&small, &wanted, Share::Small), Some(all));
    let all = structure(&small, MOST_LOOPS);
    assert_eq!(structure_within(&small, MOST_LOOPS, Share::Small), Some(all));
    let mut large = example("01-bathtub.json");
    large.specs.dt = "0.000001".into();
    assert_eq!(simulation_within(&large, &wanted, Share::Small), None);
    assert_eq!(structure_within(&large, MOST_LOOPS, Share::Small), None);
    // What cannot be run takes nothing.
    large.variables[0].equation = Some("1 / nothing".into());
    let none = simulation_within(&large, &wanted, Share::Small).expect("an answer");
    assert_eq!(none.status, Status::NotRunnable);
}

#[test]
fn components_are_told_by_their_members() {
    let link = |from: &str, to: &str| Link {
        from: from.to_owned(),
        to: to.to_owned(),
        polarity: Some(1),
        ..Link::default()
    };
    let model = Model {
        // Two loops that share b, one apart, and a tail.
        links: vec![
            link("a", "b"),
            link("b", "a"),
            link("b", "c"),
            link("c", "b"),
            link("c", "x"),
            link("x", "y"),
            link("y", "x"),
            link("y", "tail"),
        ],
        ..Model::default()
    };
    let structure = structure(&model, 100);
    let sorted = |mut names: Vec<String>| {
        names.sort();
        names
    };
    let found: Vec<_> = structure.scc.unwrap().into_iter().map(sorted).collect();
    assert_eq!(found, [vec!["a", "b", "c"], vec!["x", "y"]]);
    assert_eq!(structure.shown.components, 2);
}

#[test]
fn evidence_stands_as_it_was_declared() {
    let text = r#"{"interconnections":[{"from":"a","to":"b","evidence":["note:///x.md"," ","https://example.org"]},{"from":"b"}]}"#;
    let found = evidence(&meadow_model::parse(text).unwrap());
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].uris, ["note:///x.md", "https://example.org"]);
    assert_eq!(found[0].pointer, "/interconnections/0");
}
