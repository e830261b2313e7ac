//! What the texts for agents must carry: one table of clauses, and where each stands in the writer's description
//! and in the two guides.

use crate::testing::{Client, Era, WRITER};

/// What the writer's description and both guides say: the clause, then its words in the writer's, the English and
/// the Chinese text.
#[rustfmt::skip]
const EVERYWHERE: &[(&str, &str, &str, &str)] = &[
    // When to use it.
    ("in Meadows's manner", "as Donella Meadows taught", "in the manner of Donella Meadows", "按照德内拉·梅多斯（Donella Meadows）的方法"),
    ("a structured snapshot", "needs a structured snapshot", "A structured snapshot", "一份结构化的快照"),
    ("of a complex situation", "a complex situation", "a complex situation", "一个复杂局面"),
    ("clearly interacting parts and feedback", "clearly has interacting parts and feedback", "clearly has interacting parts and feedback", "明显有相互作用的部分，并且存在反馈"),
    ("example: traffic", "urban traffic", "urban traffic", "城市交通"),
    ("example: adoption", "product adoption", "product adoption", "产品扩散"),
    ("example: climate", "climate policy", "climate policy", "气候政策"),
    // What the fields mean.
    ("purpose: the why", "purpose = the system's why", "The system's why", "系统为什么存在"),
    ("purpose: from behaviour", "deduced from observed behaviour", "Observe behaviour", "看它实际怎么做"),
    ("purpose: not rhetoric", "not rhetoric", "or rhetoric", "和口号"),
    ("elements: the nouns", "elements, interconnections: the nouns", "elements | string[], nouns", "elements | string[]，名词"),
    ("interconnections: physical links", "their physical", "Physical and", "可以是物质联系"),
    ("interconnections: information links", "or information links", "information links both count", "也可以是信息联系"),
    ("stocks: accumulations", "stocks, flows: accumulations", "An accumulation", "积累下来的东西"),
    ("flows: rates that change stocks", "the rates that change them", "A rate that changes a stock", "改变存量的速率"),
    ("balancing dampens", "balancing (B) dampen change", "balancing loop (B) | Dampens change", "调节回路（B） | 抑制变化"),
    ("reinforcing amplifies", "reinforcing (R) amplify it", "reinforcing loop (R) | Amplifies change", "增强回路（R） | 放大变化"),
    ("twelve levers", "Meadows's 12 levers", "The twelve leverage points", "十二个杠杆点\n"),
    ("12: parameters", "parameters (12)", "| 12 | parameters |", "| 12 | 参数 |"),
    ("2: paradigm", "paradigm shifts (2)", "| 2 | paradigm |", "| 2 | 范式 |"),
    ("1: transcending", "transcending paradigms (1)", "| 1 | transcend paradigms |", "| 1 | 超越范式 |"),
    // How to identify a system.
    ("a system, if all hold", "It is a system if", "It is a system if all four hold", "同时满足以下四条才算系统"),
    ("A", "A parts exist", "**A** parts exist", "**A** 有若干组成部分"),
    ("B", "and B they affect each other", "**B** they affect each other", "**B** 各部分相互影响"),
    ("C", "and C together they behave unlike each part alone", "**C** together they create behaviour that no part shows alone", "**C** 合在一起产生的行为，单看任何一个部分都没有"),
    ("D", "and D that behaviour persists over time", "**D** that behaviour persists over time", "**D** 这种行为会长期持续"),
    // The path.
    ("1", "1 purpose and boundary, one sentence each", "1. **Purpose and boundary**: one sentence each", "1. **目的与边界**：各用一句话"),
    ("2", "2 elements, nouns only", "2. **Elements**: nouns only", "2. **要素**：只写名词"),
    ("3", "3 interconnections: causal, flow or info", "3. **Interconnections**: causal, flow or info", "3. **连接**：causal（因果）、flow（流动）或 info（信息）"),
    ("4, stocks first", "4 stocks, measurable stores", "4. **Stocks and flows**: first measurable stores", "4. **存量与流量**：先找可以度量的存量"),
    ("4, then pipes", "then inflow and outflow pipes", "then the inflow and outflow pipes", "再画流入和流出的管道"),
    ("5, tags", "5 feedback loops, each tagged B or R", "5. **Feedback loops**: tag each B or R", "5. **反馈回路**：逐个标明 B 或 R"),
    ("5, stocks", "naming the stocks involved", "reference the stocks involved", "写出涉及的存量"),
    ("6", "6 leverage_points: tick the ids 1-12 that apply", "6. **Leverage points**: tick the ids 1 to 12 that apply", "6. **杠杆点**：在 1 到 12 中勾选适用的编号"),
    ("7", "7 interventions: optional proposals that target leverage ids", "7. **Interventions**: optional proposals that target leverage ids", "7. **干预措施**：可选，针对杠杆点编号提出方案"),
    ("keep iterating", "keep calling until complete: true", "keep iterating until `complete: true`", "如此反复，直到 `complete: true`"),
];

/// What the guides add: the clause, then its words in English and in Chinese.
#[rustfmt::skip]
const IN_GUIDES: &[(&str, &str, &str)] = &[
    ("a small change", "send the change alone with `systems_thinking_patch`", "用 `systems_thinking_patch` 只发改动"),
    ("element", "Can you point at it?", "你能指着它说“就是这个”吗？"),
    ("interconnection", "Does changing A change B", "A 变了，B 会跟着变吗？"),
    ("interconnection, alone", "without outside influence?", "没有外力介入时"),
    ("purpose", "not mission statements", "别看使命宣言"),
    ("stock", "its units add up over time", "数量随时间累加"),
    ("flow", "units per time", "每单位时间多少"),
    ("balancing", "a discrepancy shrinks", "差距在缩小"),
    ("reinforcing, trend", "an exponential trend", "呈指数趋势"),
    ("reinforcing, doubling", "the doubling time", "翻一番要多久"),
    ("delay", "Look for oscillation and overshoot", "留意振荡和超调"),
    ("hierarchy, below", "Tight links below", "下层内部联系紧密"),
    ("hierarchy, above", "loose links above", "上层之间联系松散"),
    ("resilience: diversity", "Diversity", "多样性"),
    ("resilience: buffers", "buffers, modular", "、缓冲、"),
    ("resilience: slack", "modular slack", "模块之间留有余量"),
    ("leverage, high", "High ids are easy to tweak", "编号大的容易调"),
    ("leverage, low", "low ids are powerful but cultural", "编号小的威力大，但牵涉文化"),
    ("scope", "Be explicit in scope_in and scope_out", "scope_in（范围内）和 scope_out（范围外）都要写明确"),
    ("catalytic actors", "Prefer catalytic actors: those that appear in many loops", "优先关注在许多回路里都出现的“催化者”"),
    ("drawing: causal", "causal = solid arrow", "causal 用实线箭头"),
    ("drawing: flow", "flow = pipe", "flow 用管道"),
    ("drawing: info", "info = dashed", "info 用虚线"),
    ("no stock alone", "Each stock needs an inflow or an outflow", "每个存量至少要有一个流入或流出"),
    ("readable rates", "Keep rate_expr human-readable: `0.1 * demand`", "rate_expr 要让人读得懂，如 `0.1 * demand`"),
    ("names of loops", "Name loops by verb phrase and polarity: `Sales Reinvest R`", "回路用动词短语加极性命名，如 `销售再投资 R`"),
    ("four questions", "Four diagnostic questions", "四个诊断问题"),
    ("question 1", "1. Which stock changes unexpectedly fastest, and why?", "1. 哪个存量变化之快最出乎意料？为什么？"),
    ("question 2", "2. Which loop dominates now?", "2. 眼下由哪个回路主导？"),
    ("question 3", "3. Where is the biggest information delay?", "3. 最大的信息延迟在哪里？"),
    ("question 4", "4. Which leverage point needs the least political capital?", "4. 动用哪个杠杆点所需的政治资本最少？"),
];

/// Each clause stands there once: were its words found elsewhere too, its loss would go unseen.
#[track_caller]
fn check<'a>(text: &str, clauses: impl IntoIterator<Item = (&'a str, &'a str)>) {
    let wrong: Vec<_> = clauses
        .into_iter()
        .map(|(what, words)| (what, words, text.matches(words).count()))
        .filter(|&(_, _, times)| times != 1)
        .collect();
    assert!(wrong.is_empty(), "(clause, words, times found): {wrong:#?}");
}

#[test]
fn the_writers_description_carries_every_clause() {
    let text = writer();
    check(text, EVERYWHERE.iter().map(|&(clause, writer, ..)| (clause, writer)));
    assert!(text.lines().last().unwrap().contains("guide://systems-thinking/zh"));
}

/// Some clients show no more.
#[test]
fn the_first_900_characters_of_the_writers_description_suffice() {
    let first: String = writer().chars().take(900).collect();
    assert!(
        first.trim_end().ends_with("keep calling until complete: true."),
        "{first}"
    );
    for part in ["WHOLE document", "Use it when", "Path: 1 ", "; 7 interventions"] {
        assert!(first.contains(part), "{part}");
    }
}

#[tokio::test]
async fn the_english_guide_carries_every_clause() {
    let text = Client::new(Era::Stateless).text("guide://systems-thinking").await;
    check(&text, EVERYWHERE.iter().map(|&(clause, _, en, _)| (clause, en)));
    check(&text, IN_GUIDES.iter().map(|&(clause, en, _)| (clause, en)));
}

#[tokio::test]
async fn the_chinese_guide_carries_every_clause() {
    let text = Client::new(Era::Stateless).text("guide://systems-thinking/zh").await;
    check(&text, EVERYWHERE.iter().map(|&(clause, .., zh)| (clause, zh)));
    check(&text, IN_GUIDES.iter().map(|&(clause, _, zh)| (clause, zh)));
}

fn writer() -> &'static str {
    let tool = crate::tools::find(WRITER).unwrap();
    tool.definition.description.as_deref().unwrap()
}
