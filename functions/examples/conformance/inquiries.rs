//! The fixtures that ask their client before they answer, in one round or several. What a round has to know of those
//! before it travels with the client, sealed.

use rmcp::ErrorData;
use rmcp::model::{ClientCapabilities, InputRequiredResult, InputResponses};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// The same in every process, since the next round may reach another. It guards no secret.
const KEY: &[u8] = b"of the conformance fixtures";

/// One that asks.
pub(crate) struct Inquiry {
    /// The tool or prompt.
    pub(crate) name: &'static str,
    /// The keys of what is asked, round by round.
    rounds: &'static [&'static [&'static str]],
    /// Whether the rounds are told apart by a sealed state; where they are not, there is one.
    is_sealed: bool,
}

const fn inquiry(name: &'static str, rounds: &'static [&'static [&'static str]], is_sealed: bool) -> Inquiry {
    Inquiry {
        name,
        rounds,
        is_sealed,
    }
}

/// The prompt that asks.
pub(crate) const PROMPT: Inquiry = inquiry("test_input_required_result_prompt", &[&["user_context"]], false);

/// The tools that ask.
pub(crate) const TOOLS: [Inquiry; 9] = [
    inquiry(
        "test_input_required_result_capabilities",
        &[&["user_name", "capital_question"]],
        false,
    ),
    inquiry("test_input_required_result_elicitation", &[&["user_name"]], false),
    inquiry("test_input_required_result_list_roots", &[&["client_roots"]], false),
    inquiry(
        "test_input_required_result_multi_round",
        &[&["step1"], &["step2"]],
        true,
    ),
    inquiry(
        "test_input_required_result_multiple_inputs",
        &[&["user_name", "greeting", "client_roots"]],
        true,
    ),
    inquiry("test_input_required_result_request_state", &[&["confirm"]], true),
    inquiry("test_input_required_result_sampling", &[&["capital_question"]], false),
    inquiry("test_input_required_result_tampered_state", &[&["confirm"]], true),
    inquiry("test_streaming_elicitation", &[&["user_name"]], false),
];

/// What comes next.
pub(crate) enum Next {
    /// To ask the client.
    Ask(InputRequiredResult),
    /// To answer, with this among it.
    Answer(String),
}

impl Inquiry {
    /// What comes next after what the client sent. A wrong answer is asked for again.
    pub(crate) fn next(
        &self,
        state: Option<&str>,
        sent: Option<&InputResponses>,
        client: &ClientCapabilities,
    ) -> Result<Next, ErrorData> {
        let asked = match (self.is_sealed, state) {
            (false, _) => Some(0),
            (true, None) => None,
            (true, Some(state)) => Some(self.opened(state)?),
        };
        let Some(asked) = asked else {
            return self.ask(0, client);
        };
        let answered = |key: &&str| {
            let answer = sent.and_then(|sent| sent.get(*key));
            answer.is_some_and(|answer| is_answer(&question(key), answer))
        };
        let mut keys = self.rounds[asked].iter().filter(|key| may_ask(client, &question(key)));
        let all = keys.clone().count() > 0 && keys.all(answered);
        match asked + 1 {
            _ if !all => self.ask(asked, client),
            next if next < self.rounds.len() => self.ask(next, client),
            _ => Ok(Next::Answer(format!(
                "{}: {}",
                if self.is_sealed { "state-ok" } else { "thanks" },
                json!(sent)
            ))),
        }
    }

    fn ask(&self, round: usize, client: &ClientCapabilities) -> Result<Next, ErrorData> {
        let asked = self.rounds[round].iter().map(|key| ((*key).to_owned(), question(key)));
        let asked: Map<_, _> = asked.filter(|(_, question)| may_ask(client, question)).collect();
        let mut result = json!({"resultType": "input_required", "inputRequests": asked});
        if self.is_sealed {
            result["requestState"] = self.sealed(round).into();
        }
        crate::handler::read(result).map(Next::Ask)
    }

    /// The round, with what proves that it was us who wrote it.
    fn sealed(&self, round: usize) -> String {
        let digest = Sha256::new()
            .chain_update(KEY)
            .chain_update(self.name)
            .chain_update(round.to_be_bytes())
            .finalize();
        let seal: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{round}.{seal}")
    }

    fn opened(&self, state: &str) -> Result<usize, ErrorData> {
        let mut rounds = 0..self.rounds.len();
        rounds
            .find(|&round| self.sealed(round) == state)
            .ok_or_else(|| ErrorData::invalid_params("`requestState` is none of ours", None))
    }
}

/// What is asked under a key.
fn question(key: &str) -> Value {
    let form = |message: &str, name: &str, kind: &str| {
        let schema = json!({"type": "object", "properties": {name: {"type": kind}}, "required": [name]});
        json!({"method": "elicitation/create", "params": {"mode": "form", "message": message, "requestedSchema": schema}})
    };
    let sample = |text: &str| {
        let message = json!({"role": "user", "content": crate::answers::said(text)});
        json!({"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": 100}})
    };
    match key {
        "client_roots" => json!({"method": "roots/list", "params": {}}),
        "capital_question" => sample("What is the capital of France?"),
        "greeting" => sample("Greet somebody."),
        "confirm" => form("Go on?", "ok", "boolean"),
        "step2" => form("Which colour do you like?", "color", "string"),
        "user_context" => form("In which context?", "context", "string"),
        _ => form("What is your name?", "name", "string"),
    }
}

/// Whether the client said that it can be asked this.
fn may_ask(client: &ClientCapabilities, question: &Value) -> bool {
    match question["method"].as_str() {
        Some("elicitation/create") => client.elicitation.is_some(),
        Some("roots/list") => client.roots.is_some(),
        _ => client.sampling.is_some(),
    }
}

/// Whether this answers the question.
fn is_answer(question: &Value, answer: &Value) -> bool {
    match question["method"].as_str() {
        Some("elicitation/create") => {
            let mut wanted = question["params"]["requestedSchema"]["required"]
                .as_array()
                .into_iter()
                .flatten();
            answer["action"] == "accept"
                && wanted.all(|name| name.as_str().is_some_and(|name| answer["content"].get(name).is_some()))
        }
        Some("roots/list") => answer["roots"].is_array(),
        _ => answer.get("content").is_some(),
    }
}
