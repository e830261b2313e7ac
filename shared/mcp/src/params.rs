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

/// Methods of ours, and the members that their params must have, by JSON Pointer.
const METHODS: [(&str, &[(&str, Kind)]); 11] = [
    (
        "initialize",
        &[
            ("/protocolVersion", Kind::Text),
            ("/capabilities", Kind::Object),
            ("/clientInfo/name", Kind::Text),
            ("/clientInfo/version", Kind::Text),
        ],
    ),
    ("tools/call", &[("/name", Kind::Text)]),
    ("resources/read", &[("/uri", Kind::Text)]),
    (
        "completion/complete",
        &[
            ("/ref/type", Kind::Text),
            ("/argument/name", Kind::Text),
            ("/argument/value", Kind::Text),
        ],
    ),
    ("ping", &[]),
    (
        "server/discover",
        &[
            ("/_meta/io.modelcontextprotocol~1protocolVersion", Kind::Text),
            ("/_meta/io.modelcontextprotocol~1clientCapabilities", Kind::Object),
        ],
    ),
    ("prompts/get", &[("/name", Kind::Text)]),
    ("prompts/list", &[]),
    ("tools/list", &[]),
    ("resources/list", &[]),
    ("resources/templates/list", &[]),
];

/// What may stand in the params of a method beside that, and in which form.
const OPTIONAL: [(&str, &[(&str, Kind)]); 3] = [
    (
        "initialize",
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
    (
        "tools/call",
        &[
            ("/inputResponses", Kind::Object),
            ("/requestState", Kind::Text),
            ("/task", Kind::Object),
        ],
    ),
    (
        "resources/read",
        &[("/inputResponses", Kind::Object), ("/requestState", Kind::Text)],
    ),
];

/// What is wrong with the params of this method; none where it is no method of ours.
pub(crate) fn faults(method: &str, params: Option<&Value>) -> Option<String> {
    let (_, required) = METHODS.iter().find(|(name, _)| *name == method)?;
    let find = |pointer: &str| params.and_then(|params| params.pointer(pointer));
    let mut faults: Vec<String> = required
        .iter()
        .filter_map(|&(pointer, kind)| fault(pointer, kind, find(pointer).unwrap_or(&Value::Null)))
        .collect();
    let optional = OPTIONAL.iter().find(|(name, _)| *name == method);
    let optional = optional.map_or(&[][..], |(_, optional)| optional).iter();
    faults.extend(
        optional.filter_map(|&(pointer, kind)| fault(pointer, kind, find(pointer).filter(|value| !value.is_null())?)),
    );
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
