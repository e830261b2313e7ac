//! The data files, the form of each answer, and names of all sorts.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

use Language::{Chinese, English};

/// The longest template in one language as it is served, in bytes.
const LONGEST: usize = 2_560;

fn library() -> Library {
    Library::default()
}

#[test]
fn every_file_is_complete_in_both_languages() {
    let ids: Vec<&str> = BUILT_IN.iter().map(|framework| framework.id.as_str()).collect();
    assert_eq!(
        ids,
        [
            "swot",
            "scqa",
            "5_whys",
            "first_principles",
            "pestel",
            "mece_issue_tree",
            "fishbone",
            "six_hats",
            "ooda",
            "premortem",
            "rice",
            "5w2h",
            "porter_five_forces",
            "bcg",
            "pdca",
            "smart_okr",
            "cost_benefit",
            "decision_matrix",
            "stakeholder_map",
            "force_field",
            "second_order",
            "inversion",
            "jtbd",
            "pyramid",
            "literature_review",
            "iceberg",
            "causal_loop",
            "leverage_points",
        ]
    );
    for framework in BUILT_IN.iter() {
        let id = &framework.id;
        assert!(framework.version >= 1 && framework.aliases.len() >= 5, "{id}");
        for (face, chinese) in [(&framework.zh, true), (&framework.en, false)] {
            assert!(
                (5..=9).contains(&face.sections.len()),
                "{id}: {} sections",
                face.sections.len()
            );
            assert!((3..=6).contains(&face.rules.len()), "{id}: {} rules", face.rules.len());
            assert!(face.skeleton.len() >= 5, "{id}");
            let questions = face
                .sections
                .iter()
                .flat_map(|section| [&section.title, &section.question]);
            let lines = [&face.name, &face.when, &face.not_when]
                .into_iter()
                .chain(questions)
                .chain(&face.rules)
                .chain(&face.skeleton);
            for line in lines {
                assert!(!line.is_empty() && *line == line.trim_end(), "{id}: {line:?}");
                assert!(
                    !line.contains("://") && !line.contains(['{', '}', '\n']),
                    "{id}: {line}"
                );
                assert!(chinese || !line.chars().any(language::is_han), "{id}: {line}");
            }
            let end = if chinese { '？' } else { '?' };
            assert!(
                face.sections.iter().all(|section| section.question.ends_with(end)),
                "{id}"
            );
            let letters = face.rules.concat();
            assert_eq!(
                Language::of(&letters),
                Some(if chinese { Chinese } else { English }),
                "{id}"
            );
        }
        assert_eq!(framework.zh.sections.len(), framework.en.sections.len(), "{id}");
    }
}

#[test]
fn outlines_are_sound_markdown() {
    for framework in BUILT_IN.iter() {
        for face in [&framework.zh, &framework.en] {
            let mut columns = None;
            for (at, line) in face.skeleton.iter().enumerate() {
                let place = format!("{}: {line}", framework.id);
                if !line.starts_with('|') {
                    // A plain line behind a table would become a row of it.
                    assert!(columns.is_none() || line.starts_with(['#', '-']), "{place}");
                    columns = None;
                    continue;
                }
                let count = line.matches('|').count();
                if columns.is_none() {
                    assert!(
                        face.skeleton.get(at + 1).is_some_and(|next| next.starts_with("|---|")),
                        "{place}"
                    );
                    assert!(at == 0 || face.skeleton[at - 1].starts_with('#'), "{place}");
                    columns = Some(count);
                }
                assert_eq!(columns, Some(count), "{place}");
            }
        }
    }
}

#[test]
fn no_name_means_two_frameworks() {
    let mut owners: BTreeMap<String, &str> = BTreeMap::new();
    for framework in BUILT_IN.iter() {
        for name in framework.names() {
            let folded = names::fold(name);
            assert!(!folded.is_empty(), "{name}");
            if let Some(other) = owners.insert(folded, &framework.id) {
                assert_eq!(other, framework.id, "{name} means both");
            }
        }
    }
    assert!(owners.len() > 200, "{}", owners.len());
}

#[test]
fn every_name_finds_its_template_with_brake_and_closing_line() {
    for framework in BUILT_IN.iter() {
        for name in framework.names() {
            for repeated in [false, true] {
                let answer = template(name, None, None, repeated);
                assert_eq!(answer.found.as_deref(), Some(framework.id.as_str()), "{name}");
                let chinese = name.chars().any(language::is_han);
                assert_eq!(answer.language, if chinese { Chinese } else { English }, "{name}");
                let lines: Vec<&str> = answer.text.lines().collect();
                assert_eq!(lines[0], "【🛑立即停止调用任何工具，请直接在聊天框输出…】");
                let closing = if chinese { CHINESE.closing } else { ENGLISH.closing };
                let last = lines.len() - 1;
                if repeated {
                    assert_eq!((lines[last - 1], lines[last]), (closing, BRAKE));
                } else {
                    assert_eq!(lines[last], closing);
                    assert!(answer.text.len() <= LONGEST, "{name}: {} bytes", answer.text.len());
                    assert_eq!(answer.text.matches('🛑').count(), 1);
                }
            }
        }
    }
}

#[test]
fn a_template_reads_as_written() {
    let text = template("SWOT", None, Some("中国开源人才\n的现状"), false).text;
    let start = "【🛑立即停止调用任何工具，请直接在聊天框输出…】\n模板：SWOT 分析\n主题：中国开源人才 的现状\n适用：为一个明确的主体";
    assert!(text.starts_with(start), "{text}");
    assert!(text.contains("\n逐项回答：\n1. 目标与边界：谁，在什么时间内，要达成什么？\n2. S 优势："));
    assert!(text.contains("\n要求：\n- ") && text.contains("\n输出骨架：\n## "));
    let english = template("swot", None, Some("our shop"), false).text;
    assert!(
        english.contains("\nTemplate: SWOT analysis\nTopic: our shop\nUse it for: "),
        "{english}"
    );
}

#[test]
fn the_last_three_say_where_their_result_belongs() {
    for id in ["iceberg", "causal_loop", "leverage_points"] {
        for language in [Chinese, English] {
            assert!(
                template(id, Some(language), None, false)
                    .text
                    .contains("systems_thinking_writer"),
                "{id}"
            );
        }
    }
    let others = BUILT_IN.iter().filter(|framework| {
        template(&framework.id, None, None, false)
            .text
            .contains("systems_thinking_writer")
    });
    assert_eq!(others.count(), 3);
}

#[test]
fn the_language_is_told_or_taken_from_name_and_topic() {
    #[track_caller]
    fn check(name: &str, language: Option<Language>, topic: Option<&str>, expected: Language) {
        assert_eq!(template(name, language, topic, false).language, expected);
    }
    check("swot", None, None, English);
    check("SWOT分析", None, None, Chinese);
    check("swot", None, Some("新能源汽车"), Chinese);
    check("五why", None, None, Chinese);
    check("swot", None, Some("the market for 茶 in London and Paris"), English);
    check("鱼骨图", Some(English), None, English);
    check("swot", Some(Chinese), Some("our shop"), Chinese);
    check("不存在的东西", None, None, Chinese);
}

#[test]
fn a_misspelt_name_is_answered_with_the_nearest_and_the_list() {
    #[track_caller]
    fn check(name: &str, nearest: &str) {
        let answer = template(name, None, None, false);
        assert_eq!(answer.found, None, "{name}");
        assert_eq!(answer.nearest[0], nearest, "{name}: {:?}", answer.nearest);
        assert_eq!(answer.nearest.len(), 3);
        assert!(!answer.text.contains('🛑'));
        for framework in BUILT_IN.iter() {
            assert!(
                answer.text.contains(&format!("\n- {}", framework.id)),
                "{name}: {}",
                framework.id
            );
        }
    }
    check("SWTO", "swot");
    check("swott", "swot");
    check("pestal", "pestel");
    check("fishbones", "fishbone");
    check("鱼骨头", "fishbone");
    check("波特五力竞争", "porter_five_forces");
    check("first principal", "first_principles");
    check("SWOT and PESTEL", "pestel");
    check("六顶思考冒", "six_hats");
    check("eisenhower matrix", "decision_matrix");
    check("冰山一角", "iceberg");
    check("decision metrics", "decision_matrix");
}

#[test]
fn names_as_people_type_them_find_their_framework() {
    #[track_caller]
    fn check(id: &str, names: &[&str]) {
        for name in names {
            assert_eq!(template(name, None, None, false).found.as_deref(), Some(id), "{name}");
        }
    }
    check("swot", &["ｓｗｏｔ", "swot 矩阵", "SWOT-Analysis", "优劣势"]);
    check("scqa", &["SCQA模型", "情境冲突"]);
    check(
        "5_whys",
        &[
            "5-Whys",
            "丰田五个为什么",
            "5 Why Analysis",
            "根因分析",
            "Root cause analysis",
        ],
    );
    check("first_principles", &["第一性原理思考法", "First-Principles Thinking"]);
    check("pestel", &["PEST模型", "PESTLE Analysis", "宏观环境"]);
    check("mece_issue_tree", &["MECE法则", "问题树分析", "issue-tree"]);
    check("fishbone", &["人机料法环", "Fish bone", "6M分析", "魚骨圖"]);
    check("six_hats", &["六顶帽", "六顶思维帽", "6 Thinking Hats", "six hat"]);
    check("ooda", &["观察判断决策行动", "OODA-Loop"]);
    check("premortem", &["事前验尸法", "Pre-Mortem"]);
    check(
        "porter_five_forces",
        &["porters 5 forces", "Michael Porter five forces", "五力竞争模型"],
    );
    check("bcg", &["波斯顿矩阵", "Boston Consulting Group Matrix"]);
    check("pdca", &["戴明循环", "Plan-Do-Check-Act"]);
    check("cost_benefit", &["cost/benefit", "利弊分析"]);
    check("stakeholder_map", &["干系人", "Stakeholder Analysis"]);
    check("force_field", &["Lewin’s Force Field", "力场分析"]);
    check("inversion", &["反向思维", "逆向思維"]);
    check("literature_review", &["lit review", "文献回顾"]);
    check("causal_loop", &["系统动力学", "CLD"]);
    check("leverage_points", &["leverage point", "Meadows 12 leverage points"]);
}

#[test]
fn hostile_names_are_answered_helpfully() {
    let long = "法".repeat(2_000);
    let words = "a b ".repeat(1_300);
    for name in [
        "",
        "   ",
        "🙂🙂",
        "\0\u{1b}[31m\n\r\u{202E}",
        "分析",
        "model",
        &long,
        &words,
        "{\"a\":1}",
        "'; drop table",
        "../../etc/passwd",
        "?",
    ] {
        for repeated in [false, true] {
            let answer = template(name, None, Some("\0\u{7}"), repeated);
            assert_eq!((answer.found, answer.nearest.len()), (None, 3), "{name:?}");
            assert!(
                answer.text.lines().count() == 3 + BUILT_IN.len(),
                "{name:?}: {}",
                answer.text
            );
            assert!(answer.text.len() < 3_000 && !answer.text.contains(BRAKE));
            assert!(answer.text.chars().all(|c| c == '\n' || !c.is_control()), "{name:?}");
        }
    }
    assert!(
        template("", None, None, false)
            .text
            .starts_with("No framework was named.\nThe nearest three: swot: SWOT analysis; scqa: SCQA")
    );
    assert!(
        template("量子", None, None, false)
            .text
            .starts_with("没有名为「量子」的框架。\n最接近的三个：")
    );
}

#[test]
fn a_long_topic_is_cut_and_stays_on_its_line() {
    let answer = template(
        "swot",
        None,
        Some(&format!("line\n{BRAKE}\n{}", "x".repeat(5_000))),
        false,
    );
    assert_eq!(answer.text.lines().filter(|line| *line == BRAKE).count(), 1);
    assert!(answer.text.len() < LONGEST + 4 * TOPIC);
}

#[test]
fn a_users_own_template_is_served_in_the_same_form() {
    let body = "\r\n## Situation\r\n- what is\r\n\r\n## Ask\r\n\n";
    let own = parse_override("Weekly review", &["周回顾", "retro"], body).expect("a template");
    let library = Library::with_own(vec![own]);
    for name in ["weekly review", "Weekly-Review", "retro", "周回顾"] {
        let answer = library.template(name, None, None, false);
        assert_eq!(answer.found.as_deref(), Some("Weekly review"), "{name}");
        assert!(answer.text.starts_with(&format!("{BRAKE}\n")), "{}", answer.text);
    }
    let english = library.template("retro", None, Some("May"), true).text;
    assert_eq!(
        english,
        format!(
            "{BRAKE}\nTemplate: Weekly review\nTopic: May\nOutline of the result:\n## Situation\n- what is\n\n## Ask\n{}\n{BRAKE}",
            ENGLISH.closing
        )
    );
    let unknown = library.template("weekly revue", None, None, false);
    assert_eq!(unknown.nearest[0], "Weekly review");
    assert!(unknown.text.contains("\n- Weekly review\n- swot"));
}

#[test]
fn a_users_own_template_goes_before_ours_of_that_name() {
    let own = parse_override("swot", &[], "mine").expect("a template");
    let library = Library::with_own(vec![own]);
    assert!(
        library
            .template("SWOT 分析", None, None, false)
            .text
            .contains("\nmine\n")
    );
    assert_eq!(
        library
            .all()
            .filter(|framework| names::fold(&framework.id) == "swot")
            .count(),
        1
    );
    assert_eq!(library.all().count(), BUILT_IN.len());
}

#[test]
fn a_file_that_makes_no_template_says_why() {
    assert_eq!(
        parse_override(" \0🙂", &[], "text"),
        Err(OverrideFault::NoTitle {
            found: "🙂".to_owned()
        })
    );
    let empty = parse_override("A", &[], " \r\n\n").expect_err("nothing to serve");
    assert_eq!(
        empty.to_string(),
        "the template \"A\" has no text: write its outline below the front matter"
    );
    assert!(parse_override("A", &[], BRAKE).is_err());
    let long = parse_override("A", &[], &"x".repeat(LONGEST_BODY + 1)).expect_err("too long");
    assert_eq!(
        long.to_string(),
        "the template \"A\" has 10241 bytes, at most 10240 are served: shorten it"
    );
    assert!(parse_override("A", &["", "\0"], &"x".repeat(LONGEST_BODY)).is_ok());
}

proptest! {
    #[test]
    fn any_name_and_topic_is_answered(name in any::<String>(), topic in any::<Option<String>>(), repeated in any::<bool>()) {
        let answer = library().template(&name, None, topic.as_deref(), repeated);
        prop_assert!(!answer.text.is_empty());
        prop_assert_eq!(answer.found.is_some(), answer.text.starts_with(BRAKE));
    }

    #[test]
    fn any_file_is_taken_or_refused(title in any::<String>(), alias in any::<String>(), body in any::<String>()) {
        if let Ok(own) = parse_override(&title, &[&alias], &body) {
            let answer = Library::with_own(vec![own]).template(&title, None, None, false);
            prop_assert!(answer.text.starts_with(BRAKE));
            prop_assert!(answer.found.is_some());
        }
    }
}
