//! Says what is wrong with the params of a method that rmcp could not read: it hands such requests over as unknown, or
//! reads a cursor that is no text as none.

use crate::arguments::shown;
use rmcp::ErrorData;
use serde_json::Value;

/// What a member of params must be.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Object,
    List,
    Objects,
}

/// Members of params by JSON Pointer, and what each must be.
type Members = &'static [(&'static str, Kind)];

/// A method of ours.
struct Method {
    name: &'static str,
    required: Members,
    /// What may stand there beside that.
    optional: Members,
}

const fn method(name: &'static str, required: Members, optional: Members) -> Method {
    Method {
        name,
        required,
        optional,
    }
}

const METHODS: [Method; 11] = [
    method(
        "initialize",
        &[
            ("/protocolVersion", Kind::Text),
            ("/capabilities", Kind::Object),
            ("/clientInfo/name", Kind::Text),
            ("/clientInfo/version", Kind::Text),
        ],
        &[
            ("/capabilities/elicitation", Kind::Object),
            ("/capabilities/experimental", Kind::Objects),
            ("/capabilities/extensions", Kind::Objects),
            ("/capabilities/roots", Kind::Object),
            ("/capabilities/sampling", Kind::Object),
            ("/capabilities/tasks", Kind::Object),
            ("/clientInfo/description", Kind::Text),
            ("/clientInfo/icons", Kind::List),
            ("/clientInfo/title", Kind::Text),
            ("/clientInfo/websiteUrl", Kind::Text),
        ],
    ),
    method(
        "tools/call",
        &[("/name", Kind::Text)],
        &[
            ("/inputResponses", Kind::Object),
            ("/requestState", Kind::Text),
            ("/task", Kind::Object),
        ],
    ),
    method(
        "resources/read",
        &[("/uri", Kind::Text)],
        &[("/inputResponses", Kind::Object), ("/requestState", Kind::Text)],
    ),
    method(
        "completion/complete",
        &[
            ("/ref/type", Kind::Text),
            ("/argument/name", Kind::Text),
            ("/argument/value", Kind::Text),
        ],
        &[],
    ),
    method("ping", &[], &[]),
    method(
        "server/discover",
        &[
            ("/_meta/io.modelcontextprotocol~1protocolVersion", Kind::Text),
            ("/_meta/io.modelcontextprotocol~1clientCapabilities", Kind::Object),
        ],
        &[],
    ),
    method("prompts/get", &[("/name", Kind::Text)], &[]),
    method("prompts/list", &[], &[]),
    method("tools/list", &[], &[]),
    method("resources/list", &[], &[]),
    method("resources/templates/list", &[], &[]),
];

/// What is wrong with the params of this method; none where it is no method of ours.
pub(crate) fn faults(method: &str, params: Option<&Value>) -> Option<String> {
    let Method { required, optional, .. } = METHODS.iter().find(|known| known.name == method)?;
    let find = |pointer: &str| {
        params
            .and_then(|params| params.pointer(pointer))
            .filter(|value| !value.is_null())
    };
    let required = required
        .iter()
        .map(|&(pointer, kind)| (pointer, kind, find(pointer).unwrap_or(&Value::Null)));
    let optional = optional
        .iter()
        .filter_map(|&(pointer, kind)| Some((pointer, kind, find(pointer)?)));
    let members = required.chain(optional);
    let mut faults: Vec<String> = members
        .filter_map(|(pointer, kind, value)| fault(pointer, kind, value))
        .collect();
    if faults.is_empty() {
        let about = match method {
            "completion/complete" => "`ref` must be {\"type\": \"ref/resource\", \"uri\": a template of resources}",
            _ => "they are not as the protocol has them",
        };
        faults.push(about.to_owned());
    }
    Some(format!(
        "the params of {method} could not be read: {}",
        faults.join("; ")
    ))
}

fn fault(pointer: &str, kind: Kind, value: &Value) -> Option<String> {
    let (expected, fits) = match kind {
        Kind::Text => ("a text", value.is_string()),
        Kind::Object => ("an object", value.is_object()),
        Kind::List => ("a list", value.is_array()),
        Kind::Objects => (
            "an object of objects",
            value
                .as_object()
                .is_some_and(|members| members.values().all(Value::is_object)),
        ),
    };
    let name = pointer.trim_start_matches('/').replace('/', ".").replace("~1", "/");
    match value {
        _ if fits => None,
        Value::Null => Some(format!("`{name}` is missing, {expected}")),
        value => Some(format!(
            "`{name}`: found {}, expected {expected}",
            shown(&value.to_string())
        )),
    }
}

/// What is wrong with the `cursor` of a list, where it is no text at all.
pub(crate) fn cursor_fault(method: &str, cursor: &str) -> Option<String> {
    let pages = [
        "prompts/list",
        "tools/list",
        "resources/list",
        "resources/templates/list",
    ]
    .contains(&method);
    (pages && !cursor.starts_with('"')).then(|| {
        format!(
            "`cursor`: found {}, expected a text; leave it out to begin anew",
            shown(cursor)
        )
    })
}

/// The refusal of a cursor that we did not give.
pub(crate) fn unknown_cursor(cursor: &str) -> ErrorData {
    let cursor: String = cursor.chars().take(60).collect();
    let text = format!("`cursor`: {cursor:?} is none of ours; leave it out to begin anew");
    ErrorData::invalid_params(text, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_missing_and_every_wrong_member_is_named() {
        #[track_caller]
        fn check(method: &str, params: &str, told: Option<&str>) {
            let params: Option<Value> =
                Some(serde_json::from_str(params).unwrap()).filter(|value: &Value| !value.is_null());
            let told = told.map(|told| format!("the params of {method} could not be read: {told}"));
            assert_eq!(faults(method, params.as_ref()), told);
        }
        check(
            "initialize",
            "null",
            Some(
                "`protocolVersion` is missing, a text; `capabilities` is missing, an object; `clientInfo.name` is missing, \
                 a text; `clientInfo.version` is missing, a text",
            ),
        );
        check(
            "initialize",
            r#"{"protocolVersion":1.5,"capabilities":{},"clientInfo":{"name":"t","version":[]}}"#,
            Some(
                "`protocolVersion`: found the number 1.5, expected a text; `clientInfo.version`: found a list, expected a text",
            ),
        );
        check("tools/call", "{}", Some("`name` is missing, a text"));
        check(
            "tools/call",
            r#"{"name":"x","inputResponses":[],"requestState":{}}"#,
            Some(
                "`inputResponses`: found a list, expected an object; `requestState`: found an object, expected a text",
            ),
        );
        check(
            "initialize",
            r#"{"protocolVersion":"1","capabilities":{"roots":true,"experimental":{"x":true},"sampling":null},
                "clientInfo":{"name":"t","version":"1","icons":"x"}}"#,
            Some(
                "`capabilities.experimental`: found an object, expected an object of objects; `capabilities.roots`: found \
                 true, expected an object; `clientInfo.icons`: found \"x\", expected a list",
            ),
        );
        check(
            "resources/read",
            r#"{"uri":{}}"#,
            Some("`uri`: found an object, expected a text"),
        );
        let missing = "`_meta.io.modelcontextprotocol/protocolVersion` is missing, a text; \
                       `_meta.io.modelcontextprotocol/clientCapabilities` is missing, an object";
        for nothing in ["null", "{}", r#"{"_meta":{}}"#] {
            check("server/discover", nothing, Some(missing));
        }
        check(
            "completion/complete",
            r#"{"ref":{"type":"ref/resource"},"argument":{"name":"id","value":"t"}}"#,
            Some("`ref` must be {\"type\": \"ref/resource\", \"uri\": a template of resources}"),
        );
        check("tools/list", "{}", Some("they are not as the protocol has them"));
        check("logging/setLevel", "{}", None);
    }
}
