//! A call that its caller may not make: an error of JSON-RPC, and over HTTP a 403 with its challenge, so that clients can
//! ask for more.
//!
//! Only a tool or a resource knows what it needs, and only the endpoint writes the status; between them stands rmcp. So
//! the endpoint puts a slot into the request, and looks into it when the answer comes.

use axum::response::Response;
use http::header::{CACHE_CONTROL, WWW_AUTHENTICATE};
use http::{HeaderValue, StatusCode, request};
use meadow_access::{Refusal, Scope, refusal};
use meadow_service::Caller;
use rmcp::model::ErrorCode;
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::json;
use std::sync::{Arc, OnceLock};

/// The slot of one HTTP request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Denial(Arc<OnceLock<Refusal>>);

impl Denial {
    /// Makes the answer a refusal over HTTP, where the call was denied.
    pub(crate) fn shown(&self, mut response: Response) -> Response {
        let Some(refusal) = self.0.get() else {
            return response;
        };
        *response.status_mut() = StatusCode::FORBIDDEN;
        let headers = response.headers_mut();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        // Always: a challenge is ASCII.
        if let Ok(challenge) = HeaderValue::from_str(&refusal.challenge()) {
            headers.insert(WWW_AUTHENTICATE, challenge);
        }
        response
    }
}

/// Fails where the caller lacks the scope. To be asked before a call does anything.
pub(crate) fn need(scope: Scope, caller: &Caller, context: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
    caller.need(scope).map_err(|refusal| {
        let parts = context.extensions.get::<request::Parts>();
        if let Some(Denial(slot)) = parts.and_then(|parts| parts.extensions.get()) {
            // Full already: a request is one call.
            let _ = slot.set(refusal);
        }
        ErrorData::new(
            ErrorCode(refusal::NO_SCOPE),
            refusal.to_string(),
            Some(json!({"error": refusal.error(), "scope": refusal.scopes().to_string()})),
        )
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{Answer, Client, ERAS, Era, READER, WRITER, service};
    use crate::{Config, tools};
    use meadow_access::{Scope, Scopes};
    use meadow_service::{Caller, MemoryStore, Service};
    use serde_json::json;

    /// A client that may do this.
    fn client(service: &Service, scopes: impl Into<Scopes>, era: Era) -> Client {
        let mut client = Client::of(service.clone(), Config::default(), era);
        let caller = Caller {
            scopes: scopes.into(),
            ..Caller::default()
        };
        client.router = client.router.layer(axum::Extension(caller));
        client
    }

    #[track_caller]
    fn denied(answer: &Answer, scope: Scope) {
        assert_eq!(answer.status, 403, "{answer:?}");
        let challenge = format!(
            "Bearer error=\"insufficient_scope\", scope=\"{scope}\", error_description=\"token lacks the scope\""
        );
        assert_eq!(answer.header("www-authenticate"), challenge);
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.header("content-type"), "application/json");
        let body = answer.json();
        let error = &body["error"];
        assert_eq!((&body["id"], &error["code"]), (&json!(7), &json!(1403)), "{body}");
        assert_eq!(
            error["data"],
            json!({"error": "insufficient_scope", "scope": scope.as_str()})
        );
        let message = error["message"].as_str().expect("a text");
        assert!(message.contains(&format!("needs the scope {scope},")), "{message}");
    }

    #[tokio::test]
    async fn every_tool_asks_for_its_scope() {
        let service = service(MemoryStore::new());
        for era in ERAS {
            for name in tools::names() {
                let tool = tools::find(name).expect("a tool");
                let expected = match name {
                    "systems_thinking_writer" | "systems_thinking_patch" => Scope::ModelWrite,
                    name if name.starts_with("systems_thinking_") => Scope::ModelRead,
                    "save_note" | "save_literature" => Scope::NotesWrite,
                    "list_local_notes" | "read_local_note" => Scope::NotesRead,
                    _ => Scope::Research,
                };
                assert_eq!(tool.scope, expected, "{name}");
                for scope in Scope::ALL {
                    let client = client(&service, scope, era);
                    let params = format!(r#""name":"{name}","arguments":{{"system_name":"Tub"}}"#);
                    let answer = client.request("tools/call", Some(name), &params).await;
                    if scope == tool.scope {
                        assert_eq!((answer.status.as_u16(), answer.header("www-authenticate")), (200, ""));
                        assert!(answer.json()["result"].is_object(), "{answer:?}");
                    } else {
                        denied(&answer, tool.scope);
                    }
                }
            }
        }
    }

    #[tokio::test]
    async fn a_denied_call_does_nothing() {
        let service = service(MemoryStore::new());
        let params = format!(r#""name":"{WRITER}","arguments":{{"system_name":"Tub"}}"#);
        let reader = client(&service, Scope::ModelRead, Era::Handshake);
        denied(
            &reader.request("tools/call", Some(WRITER), &params).await,
            Scope::ModelWrite,
        );
        let found = reader.call(READER, "{}").await;
        assert_eq!(found["structuredContent"]["status"], "not_found", "{found}");
        // The next request on the same router has a slot of its own.
        assert_eq!(reader.request("tools/list", None, "").await.status, 200);
    }

    #[tokio::test]
    async fn a_client_of_events_is_denied_the_same_way() {
        let service = service(MemoryStore::new());
        let client = client(&service, Scope::Research, Era::Handshake);
        let message = client.message("resources/read", r#""uri":"model://latest""#);
        denied(
            &client.post(message, &[("accept", "text/event-stream")]).await,
            Scope::ModelRead,
        );
    }

    #[tokio::test]
    async fn resources_ask_for_what_they_show() {
        let service = service(MemoryStore::new());
        let tub = r#"{"system_name":"Tub"}"#;
        client(&service, Scopes::all(), Era::Handshake).call(WRITER, tub).await;
        for era in ERAS {
            let (reader, other) = (
                client(&service, Scope::ModelRead, era),
                client(&service, Scope::Research, era),
            );
            for uri in ["model://latest", "model://tub", "model://never-was", "model://tub/"] {
                let params = format!(r#""uri":"{uri}""#);
                denied(
                    &other.request("resources/read", Some(uri), &params).await,
                    Scope::ModelRead,
                );
            }
            assert_eq!(reader.text("model://tub").await, tub);
            for uri in ["guide://systems-thinking", "example://bathtub"] {
                assert!(!other.text(uri).await.is_empty());
            }
            let listed = async |client: &Client| client.ask("resources/list", None, "").await.to_string();
            assert!(listed(&reader).await.contains("model://tub"));
            let rest = listed(&other).await;
            assert!(!rest.contains("model://") && rest.contains("guide://"), "{rest}");
        }
    }
}
