//! The questions about a clause: what somebody or something does, is, or fails to do. `{s}` is the whole clause, which
//! stands only where any clause can: in Chinese behind 使得, 以致, 任由, 默许 or in front of 的地步; in English behind "that", "where",
//! "when", "whether" or "even though".

use super::Class;

/// A kind of clause; what tells it is looked for in its subject and predicate.
const fn asked(name: &'static str, zh: [&'static str; 5], en: [&'static str; 5]) -> Class {
    Class { name, sheds: &[], said: 0, head: 0, words_zh: &[], words_en: &[], zh, en }
}

/// All kinds of clauses; the first is for those that nothing more is known of.
pub(in super::super) const CLAUSES: &[Class] = &[
    asked(
        "event",
        [
            "为什么{s}？",
            "为什么事情会一步一步发展到{s}的地步？",
            "为什么现有的人手、资金和办法改变不了{s}的局面？",
            "为什么现有的规则和激励会使得{s}？",
            "为什么人们渐渐习惯了{s}？",
        ],
        [
            "Why is it that {s}?",
            "Why do small everyday decisions add up to a situation where {s}?",
            "Why have the time, money and skills at hand not been enough to change the fact that {s}?",
            "Why do present rules and incentives give so few people a reason to act, even though {s}?",
            "Why has it come to be taken for granted that {s}?",
        ],
    ),
    asked(
        "fault",
        [
            "为什么{s}？",
            "为什么设计和测试没有拦住隐患，使得{s}？",
            "为什么现有的数据和工具说不清原因，任由{s}？",
            "为什么没有人真正负责到底，以致{s}？",
            "为什么现行的标准和流程会容许{s}？",
        ],
        [
            "Why is it that {s}?",
            "Why do design, tests and checks let it happen that {s}?",
            "Why do the data and tools at hand not show what goes wrong when {s}?",
            "Why do other priorities keep coming first, even though {s}?",
            "Why do our standards and habits treat it as acceptable that {s}?",
        ],
    ),
    asked(
        "delay",
        [
            "为什么{s}？",
            "为什么大量时间会耗在等待、返工和排队上，使得{s}？",
            "为什么缺少加快所需的人手、工具和办法，以致{s}？",
            "为什么各方的分工和考核会放任{s}？",
            "为什么排期和决策的习惯会默许{s}？",
        ],
        [
            "Why is it that {s}?",
            "Why does so much time go into waiting, rework and queues that {s}?",
            "Why are there not enough people, tools or automation to change the fact that {s}?",
            "Why do targets and handoffs give nobody a strong reason to act, even though {s}?",
            "Why do planning and decision habits make it seem normal that {s}?",
        ],
    ),
    asked(
        "organisation",
        [
            "为什么{s}？",
            "为什么日常的安排和沟通方式会使得{s}？",
            "为什么缺少改进所需的时间、技能和工具，以致{s}？",
            "为什么现有的考核和分工会放任{s}？",
            "为什么团队和管理层渐渐习惯了{s}？",
        ],
        [
            "Why is it that {s}?",
            "Why do everyday ways of planning and communicating lead to a point where {s}?",
            "Why have the time, skills and tools at hand not been enough to change the fact that {s}?",
            "Why do goals and lines of authority give nobody a strong reason to act, even though {s}?",
            "Why has it come to be seen as normal, by staff and leaders alike, that {s}?",
        ],
    ),
    asked(
        "personal",
        [
            "为什么{s}？",
            "为什么日常的习惯会一步步使得{s}？",
            "为什么试过的办法和花的精力改变不了{s}的状况？",
            "为什么身边的人和环境帮不上忙，任由{s}？",
            "为什么自己的看法和期待会使得{s}？",
        ],
        [
            "Why is it that {s}?",
            "Why do the same triggers keep leading back to the point where {s}?",
            "Why have the time, energy and methods I put into it not changed the fact that {s}?",
            "Why do the people and routines around me help so little when {s}?",
            "Why have I come to take it for granted that {s}?",
        ],
    ),
    asked(
        "opinion",
        [
            "为什么{s}？",
            "为什么日常的经历和见闻会使得{s}？",
            "为什么现有的信息和别的选择改变不了{s}的局面？",
            "为什么各方的利益和激励会使得{s}？",
            "为什么流行的观念和期待会使得{s}？",
        ],
        [
            "Why is it that {s}?",
            "Why do everyday experience and word of mouth lead to a situation where {s}?",
            "Why have facts and other options not been enough to change the fact that {s}?",
            "Why do the surrounding rules and incentives favour a situation where {s}?",
            "Why do common values and expectations make it seem natural that {s}?",
        ],
    ),
    asked(
        "nature",
        [
            "为什么{s}？",
            "为什么背后的自然过程会使得{s}？",
            "为什么特定的条件能够使得{s}？",
            "为什么周围环境的作用会使得{s}？",
            "为什么我们相信现有的理论能够解释{s}？",
        ],
        [
            "Why is it that {s}?",
            "Why do natural processes work together in such a way that {s}?",
            "Why does it depend on particular conditions whether {s}?",
            "Why do the surroundings contribute to the fact that {s}?",
            "Why should we trust the usual explanation of why {s}?",
        ],
    ),
    // What goes well, grows or is liked is no trouble.
    asked(
        "success",
        [
            "为什么{s}？",
            "为什么一步一步的积累会使得{s}？",
            "为什么别的选择一时赶不上，使得{s}？",
            "为什么周围的规则和激励会使得{s}？",
            "为什么那些使得{s}的判断到今天依然成立？",
        ],
        [
            "Why is it that {s}?",
            "Why did one step after another lead to a point where {s}?",
            "Why is it hard for others to match the strengths that explain why {s}?",
            "Why do existing rules and incentives favour a situation where {s}?",
            "Why do the ideas behind it still hold today, so that {s}?",
        ],
    ),
    asked(
        "past",
        [
            "为什么{s}？",
            "为什么当时的一连串决定会使得{s}？",
            "为什么当时缺少足够的能力和资源，以致{s}？",
            "为什么当时的规则和利益会使得{s}？",
            "为什么那些使得{s}的判断事前很少受到质疑？",
        ],
        [
            "Why is it that {s}?",
            "Why did one step after another lead to a point where {s}?",
            "Why were skills, money or information lacking at the time, so that {s}?",
            "Why did the rules and incentives of the time work in such a way that {s}?",
            "Why were plans and beliefs so little questioned at the time, with the result that {s}?",
        ],
    ),
    asked(
        "cost",
        [
            "为什么{s}？",
            "为什么少数几个环节会使得{s}？",
            "为什么缺少数据和工具看清钱花在哪里，以致{s}？",
            "为什么能降低花费的各方缺少动力，以致{s}？",
            "为什么现行的规则和决策方式会默认{s}？",
        ],
        [
            "Why is it that {s}?",
            "Why do a few steps or parts weigh so heavily that {s}?",
            "Why are the data and tools to see where the money goes still missing, even though {s}?",
            "Why do those who could bring costs down have so little reason to, even though {s}?",
            "Why do budgets and decision rules make it seem inevitable that {s}?",
        ],
    ),
    // Behind a colon, or in front of 的局面, anything can stand: we cannot tell its verb, or whether it has one.
    asked(
        "default",
        [
            "为什么会形成{s}的局面？",
            "为什么日常的做法会一步步造成{s}的局面？",
            "为什么面对{s}的局面，现有的资源总显得不够？",
            "为什么现有的规则和激励会让{s}的局面延续？",
            "为什么大家很少质疑{s}的局面背后的假设？",
        ],
        [
            "Why are things this way: {s}?",
            "Why did one thing lead to another until it came to this: {s}?",
            "Why are time, money and skills not enough to change this: {s}?",
            "Why do present rules and incentives allow this: {s}?",
            "Why do we so rarely question the assumptions behind this: {s}?",
        ],
    ),
];
