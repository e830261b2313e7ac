//! Troubles that users of other servers reported, and the tests that hold Meadow against each. The numbers are those of
//! the list that the project began with; each name is a function of a test in this repository.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What must hold, and the tests that hold it. Times are measured, not tested (`tests/bench`).
const ROWS: [(u8, &str, &[&str]); 35] = [
    (
        1,
        "any session id is ignored, before and after a restart, and none is made",
        &[
            "sessions_are_neither_needed_nor_made",
            "a_session_id_that_nobody_gave_is_ignored_before_and_after_a_restart",
            SITUATIONS,
        ],
    ),
    (
        2,
        "no request gets 404 for a session id",
        &["sessions_are_neither_needed_nor_made"],
    ),
    (
        3,
        "initialize with a session id of another server is answered",
        &["sessions_are_neither_needed_nor_made", SITUATIONS],
    ),
    (
        4,
        "lists and calls need neither handshake nor session",
        &[
            "sessions_are_neither_needed_nor_made",
            "calls_without_a_handshake_are_served",
        ],
    ),
    (
        5,
        "other methods at /mcp are 405 with Allow and CORS headers",
        &[
            "other_methods_are_refused_with_the_allowed_ones",
            "pages_of_allowed_origins_get_their_headers_from_the_process",
            SITUATIONS,
        ],
    ),
    (
        6,
        "every Accept that does not exclude both forms is answered",
        &["every_accept_that_does_not_exclude_both_is_answered", SITUATIONS],
    ),
    (
        7,
        "events of both gateways and of function URLs are answered byte for byte as locally",
        &["functions_answer_as_the_local_server", SITUATIONS],
    ),
    (
        8,
        "/mcp, /model and /healthz work side by side",
        &["an_agent_writes_a_model_and_everybody_reads_it"],
    ),
    (
        9,
        "every method and tool asks for the token",
        &[
            "every_operation_asks_for_its_scope",
            "other_surfaces_are_guarded_too",
            "every_tool_asks_for_its_scope",
        ],
    ),
    (10, "initialize takes no time: tests/bench/server/latency.py", &[]),
    (
        11,
        "initialize answers a version that we speak, whatever is asked",
        &["initialize_answers_a_version_that_we_speak", SITUATIONS],
    ),
    (
        12,
        "a version header that nobody knows is 400 with those that are spoken",
        &["versions_and_headers_that_do_not_fit_are_refused", SITUATIONS],
    ),
    (
        13,
        "initialize asking for 2026-07-28 is answered 2025-11-25",
        &[
            "initialize_answers_a_version_that_we_speak",
            "after_a_handshake_the_version_that_was_answered_is_spoken",
        ],
    ),
    (
        14,
        "one endpoint serves both eras",
        &["one_endpoint_serves_both_eras_at_once"],
    ),
    (
        15,
        "server/discover may come first; a line that cannot be read is answered",
        &[
            "discover_may_be_the_very_first_line",
            "either_era_may_speak_first",
            "lines_that_are_no_messages_are_answered_and_the_next_is_served",
        ],
    ),
    (
        16,
        "-32022 with supported and requested, -32020 where header and body differ",
        &["versions_and_headers_that_do_not_fit_are_refused"],
    ),
    (
        17,
        "lists, objects and whole arguments may come as JSON text",
        &[
            "a_document_comes_under_document_as_object_or_text",
            "members_are_taken_out_of_their_texts",
            "a_call_may_come_in_every_form",
            SITUATIONS,
        ],
    ),
    (
        18,
        "a text that looks like JSON stays a text",
        &[
            "what_was_given_is_stored_byte_for_byte",
            "reads_anything_as_text",
            "content_of_any_kind_is_kept",
            "a_document_is_stored_as_if_its_texts_had_been_json",
        ],
    ),
    (
        19,
        "numbers and flags as text are read, or refused by place, type and value",
        &[
            "reads_numbers_and_texts_in_every_form_that_clients_send",
            "reads_flags_and_choices_in_every_form_that_clients_send",
            "members_are_taken_out_of_their_texts",
            "a_document_is_stored_as_if_its_texts_had_been_json",
            "what_is_no_number_flag_or_list_is_named_with_its_place_and_value",
            SITUATIONS,
        ],
    ),
    (
        20,
        "stdout carries JSON-RPC only, each answer once, at every level of the log; a thousand of 1 MB: tests/client.py",
        &["a_thousand_calls_are_each_answered_once_at_every_level_of_the_log"],
    ),
    (
        21,
        "Chinese texts come back byte for byte, whatever the locale",
        &["chinese_texts_come_back_byte_for_byte"],
    ),
    (
        22,
        "bodies of 1 MB pass",
        &[
            "a_document_of_the_largest_size_passes_and_one_byte_more_does_not",
            "a_document_of_full_size_passes_in_every_form",
            SITUATIONS,
        ],
    ),
    (
        23,
        "one byte over the limit is 413 with the limit, chunked or not, and takes less memory than twice the limit",
        &[
            "a_document_of_the_largest_size_passes_and_one_byte_more_does_not",
            "a_message_that_is_too_large_is_refused_and_drained",
            "a_document_of_full_size_passes_in_every_form",
            "what_is_too_large_takes_little_memory",
        ],
    ),
    (
        24,
        "a document passes at /mcp and /model, or at neither",
        &[
            "a_document_of_full_size_passes_in_every_form",
            "what_is_too_large_is_counted_as_the_document_is",
        ],
    ),
    (
        25,
        "no answer is larger than a function may send",
        &[
            "the_answers_to_a_large_faulty_document_stay_deliverable",
            "an_answer_is_text_or_base64",
        ],
    ),
    (
        26,
        "answers of tools and their list stay small",
        &[
            "an_answer_is_bounded_however_many_faults_there_are",
            "the_list_is_sorted_small_and_the_same_each_time",
        ],
    ),
    (
        27,
        "results fit their schema; errors carry no structured content",
        &[
            "every_example_is_complete_in_both_eras",
            "a_refused_document_names_every_fault_and_changes_nothing",
            "what_answers_have_beyond_their_schemas_is_known",
            "every_result_says_who_answers_and_every_list_and_text_how_long_it_holds",
        ],
    ),
    (
        28,
        "pages of allowed origins: preflights before access, headers on every answer",
        &[
            "a_preflight_is_answered_for_every_route_without_a_token",
            "every_answer_can_be_read_by_allowed_pages_and_by_no_others",
            SITUATIONS,
        ],
    ),
    (
        29,
        "foreign hosts and origins are 403",
        &["foreign_hosts_and_origins_are_refused", SITUATIONS],
    ),
    (
        30,
        "allowed hosts pass, and the refusal names the setting",
        &[
            "allowed_hosts_and_origins_pass",
            "foreign_hosts_and_origins_are_refused",
            "the_refusal_names_the_setting_of_this_server",
            SITUATIONS,
        ],
    ),
    (
        31,
        "/mcp/ answers as /mcp",
        &["sessions_are_neither_needed_nor_made", SITUATIONS],
    ),
    (
        32,
        "plain JSON has its length; the head of an event leaves at once, and no comments",
        &[
            "a_plain_answer_says_its_length",
            "the_head_of_an_event_leaves_before_a_slow_answer_is_there",
        ],
    ),
    (
        33,
        "a search over a dead upstream is answered within 18 s",
        &[
            "failures_stand_in_the_answer_and_are_not_kept",
            "slow_sources_end_in_time",
            "sources_that_are_down_are_a_normal_answer",
            "a_tool_that_takes_too_long_is_answered",
        ],
    ),
    (
        34,
        "NUL and lone surrogates are refused, and leave the store as it was",
        &[
            "every_document_is_judged_as_expected",
            "whatever_comes_as_a_document_is_read_or_told",
            "a_refused_document_names_every_fault_and_changes_nothing",
            "documents_are_equal_to_their_sources",
            SITUATIONS,
        ],
    ),
    (
        35,
        "a large document is stored whole on DynamoDB or refused before",
        &[
            "the_largest_text_and_the_longest_history_fit",
            "a_document_that_packs_badly_is_refused_with_both_sizes",
            "of_a_first_put",
            "of_a_further_put",
            "of_a_put_that_pushes_a_revision_out",
        ],
    ),
];

/// The table of `functions/tests/events/situations.rs`: sent to the local server and to the functions.
const SITUATIONS: &str = "every_situation_is_answered_alike_on_lambda_and_locally";

/// Rows that only a benchmark can hold.
const MEASURED: [u8; 1] = [10];

/// The texts of all Rust files under `folder`.
fn sources(folder: &Path, into: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            if !path.ends_with("target") {
                sources(&path, into);
            }
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            into.push(fs::read_to_string(&path).expect("a text"));
        }
    }
}

/// True where a test of this name stands in `text`, which runs: with the attribute of one, and without `#[ignore]`.
fn has_test(text: &str, name: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let head = format!("fn {name}(");
    let is_head = |line: &str| line.strip_prefix("async ").unwrap_or(line).starts_with(&head);
    lines
        .iter()
        .enumerate()
        .filter(|(_, line)| is_head(line))
        .any(|(at, _)| {
            let before = lines[..at].iter().rev();
            let attributes: Vec<_> = before.take_while(|line| line.starts_with("#[")).collect();
            let is_test = |line: &&&str| line.starts_with("#[test]") || line.starts_with("#[tokio::test");
            attributes.iter().any(is_test) && !attributes.iter().any(|line| line.starts_with("#[ignore"))
        })
}

#[test]
fn only_tests_that_run_count() {
    for (text, is_one) in [
        ("#[test]\nfn a() {", true),
        ("    #[tokio::test(start_paused = true)]\n    async fn a() {", true),
        ("#[test]\n#[should_panic]\nfn a() {", true),
        ("#[test]\n#[ignore = \"slow\"]\nfn a() {", false),
        ("#[ignore]\n#[test]\nfn a() {", false),
        ("fn a() {", false),
        ("#[test]\nfn ab() {}\nfn a() {", false),
        ("// fn a(", false),
    ] {
        assert_eq!(has_test(text, "a"), is_one, "{text}");
    }
}

#[test]
fn every_report_has_its_tests() {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut texts = Vec::new();
    for folder in ["shared", "cli", "functions", "tests/src"] {
        sources(&root.join(folder), &mut texts);
    }
    let mut known: BTreeMap<&str, bool> = BTreeMap::new();
    for (at, (number, what, tests)) in ROWS.iter().enumerate() {
        assert_eq!(usize::from(*number), at + 1, "{what}");
        assert_eq!(tests.is_empty(), MEASURED.contains(number), "{number}: {what}");
        for test in *tests {
            let is_there = *known
                .entry(test)
                .or_insert_with(|| texts.iter().any(|text| has_test(text, test)));
            assert!(is_there, "row {number}: there is no test {test} that runs");
        }
    }
}
