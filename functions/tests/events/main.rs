//! Every event of `events` gets the answer that the local server gives to the same request: status, headers and bytes.
//!
//! Here the functions are their routers, each on a store in memory; `tests/run lambda` sends the same events to the
//! programs that Lambda starts.

#[cfg(test)]
mod event;
#[cfg(test)]
mod local;
#[cfg(test)]
mod situations;

#[cfg(test)]
mod tests {
    use crate::event;
    use crate::local::Local;
    use crate::situations::{self, FORMS, HOST, PAGE};
    use aws_sdk_secretsmanager::config::{Credentials, Region};
    use axum::Router;
    use http::header::{DATE, TRANSFER_ENCODING};
    use http::{HeaderMap, StatusCode};
    use lambda_http::request::from_str;
    use lambda_http::{Body, IntoResponse};
    use meadow_functions::Config;
    use meadow_functions::config::Aws;
    use meadow_functions::gateway::Gateway;
    use meadow_functions::{Routes, Stores, router, routes};
    use meadow_service::tokens::{MemoryTokens, Wanted};
    use meadow_service::{Clock, MemoryCache, MemorySlots, MemoryStore, Timestamp, Tokens, Workspace};
    use std::collections::BTreeSet;
    use std::sync::Arc;
    use tower::ServiceExt;
    use tracing_subscriber::filter::LevelFilter;

    /// The host of the events that the URL of a function brings.
    const URL_HOST: &str = "fu7xk3q2wzvd5m4n8r6t9ypbhcaejgls.lambda-url.eu-west-1.on.aws";

    /// Both sides write at the same time.
    #[derive(Debug)]
    struct Noon;

    impl Clock for Noon {
        fn now(&self) -> Timestamp {
            Timestamp(1_796_040_000_000)
        }
    }

    /// A store of models and tokens, with the tokens that the events bring.
    struct Side {
        models: Arc<MemoryStore>,
        tokens: Arc<MemoryTokens>,
        texts: [(&'static str, String); 2],
    }

    impl Side {
        async fn new() -> Self {
            let tokens = Arc::new(MemoryTokens::new());
            let maker = Tokens::new(tokens.clone(), Arc::new(Noon));
            let mut texts = [("TOKEN", "model:read model:write"), ("READ_TOKEN", "model:read")]
                .map(|(name, scopes)| (name, scopes.to_owned()));
            for (name, text) in &mut texts {
                let wanted = Wanted {
                    name: (*name).to_owned(),
                    workspace: Workspace::default(),
                    scopes: text.parse().expect("scopes"),
                    life: None,
                    replaces: None,
                };
                *text = maker.create(wanted).await.expect("a token").text.reveal().to_owned();
            }
            Self {
                models: Arc::new(MemoryStore::new()),
                tokens,
                texts,
            }
        }

        /// The text of the token that an event names; of a bad one, none that is known.
        fn token(&self, name: &str) -> String {
            let found = self.texts.iter().find(|(known, _)| *known == name);
            found.map_or_else(|| "mdw_none".to_owned(), |(_, text)| text.clone())
        }

        fn router(&self, routes: Routes) -> Router {
            let stores = Stores {
                models: self.models.clone(),
                tokens: self.tokens.clone(),
                cache: Arc::new(MemoryCache::new()),
                slots: Arc::new(MemorySlots::new()),
            };
            router(routes, &config(), stores, Arc::new(Noon)).expect("sound settings")
        }
    }

    fn config() -> Config {
        Config {
            aws: Aws {
                region: Region::from_static("eu-west-1"),
                credentials: Credentials::new("id", "secret", None, None, "test"),
            },
            place: "meadow".parse().expect("a table"),
            notes: None,
            papers: meadow_literature::Config::default(),
            hosts: vec![HOST.to_owned(), URL_HOST.to_owned()],
            origins: vec![PAGE.to_owned()],
            public_url: Some("https://abc123.execute-api.eu-west-1.amazonaws.com".to_owned()),
            log: LevelFilter::OFF,
        }
    }

    /// The functions over one store.
    struct Functions([(&'static str, Router); 3]);

    impl Functions {
        fn new(side: &Side) -> Self {
            let all: [(_, Routes); 3] = [
                ("mcp", routes::mcp),
                ("model", routes::model),
                ("health", routes::health),
            ];
            Self(all.map(|(name, routes)| (name, side.router(routes))))
        }

        async fn answer(&self, function: &str, event: &str) -> (StatusCode, HeaderMap, Vec<u8>) {
            let (_, router) = self.0.iter().find(|(name, _)| *name == function).expect("a function");
            let request = from_str(event).expect("an event");
            let Ok(answer) = Gateway::new(router.clone()).oneshot(request).await;
            let (parts, body) = answer.into_response().await.into_parts();
            let body = match body {
                Body::Text(text) => text.into_bytes(),
                Body::Binary(bytes) => bytes,
                _ => Vec::new(),
            };
            (parts.status, parts.headers, body)
        }
    }

    #[tokio::test]
    async fn functions_answer_as_the_local_server() {
        let (there, here) = (Side::new().await, Side::new().await);
        let functions = Functions::new(&there);
        let local = Local::start(here.router(|service, config| {
            Ok(routes::model(service.clone(), config)?.merge(routes::mcp(service, config)?))
        }))
        .await;
        for (event, same) in event::all(|name| there.token(name)).zip(event::all(|name| here.token(name))) {
            let (status, headers, body) = functions.answer(&event.function, &event.text).await;
            let wanted = local.answer(same.request()).await;
            let name = &event.name;
            assert_eq!(status, event.status, "{name}: {}", String::from_utf8_lossy(&body));
            assert_eq!(status, wanted.status(), "{name}");
            // Of a socket, not of an answer.
            let mut wanted_headers = wanted.headers().clone();
            wanted_headers.remove(DATE);
            wanted_headers.remove(TRANSFER_ENCODING);
            assert_eq!(headers, wanted_headers, "{name}");
            assert_eq!(
                String::from_utf8_lossy(&body),
                String::from_utf8_lossy(wanted.body()),
                "{name}"
            );
            assert_eq!(body, *wanted.body(), "{name}");
        }
    }

    /// What both say alike, and what it must be.
    #[tokio::test]
    async fn every_situation_is_answered_alike_on_lambda_and_locally() {
        for form in FORMS {
            let (there, here) = (Side::new().await, Side::new().await);
            let functions = Functions::new(&there);
            let local = Local::start(here.router(|service, config| {
                Ok(routes::model(service.clone(), config)?.merge(routes::mcp(service, config)?))
            }))
            .await;
            let mut wrong = Vec::new();
            let same = situations::all(&here.token("TOKEN"));
            for (situation, same) in situations::all(&there.token("TOKEN")).iter().zip(same) {
                let (status, headers, body) = functions.answer(situation.function(), &situation.event(form)).await;
                let wanted = local.answer(same.request()).await;
                let mut wanted_headers = wanted.headers().clone();
                wanted_headers.remove(DATE);
                wanted_headers.remove(TRANSFER_ENCODING);
                let name = &situation.name;
                assert_eq!(status, wanted.status(), "{form:?} {name}");
                let text = String::from_utf8_lossy(&body).into_owned();
                assert_eq!(text, String::from_utf8_lossy(wanted.body()), "{form:?} {name}");
                assert_eq!(headers, wanted_headers, "{form:?} {name}");
                let json = serde_json::from_str::<serde_json::Value>(&text).unwrap_or_default();
                let told = text.replace("\\\"", "\"").contains(situation.part);
                let is_right =
                    status.as_u16() == situation.status && json["error"]["code"].as_i64() == situation.code && told;
                if !is_right {
                    let text: String = text.chars().take(300).collect();
                    wrong.push(format!("{name}: {status} {text}"));
                }
                let page = situation
                    .headers
                    .iter()
                    .any(|(name, value)| *name == "origin" && value == PAGE);
                let shown = headers
                    .get("access-control-allow-origin")
                    .map(|origin| origin.to_str().expect("ASCII"));
                assert_eq!(shown, page.then_some(PAGE), "{form:?} {name}");
            }
            assert!(wrong.is_empty(), "{form:?}:\n{}", wrong.join("\n"));
        }
    }

    #[test]
    fn every_event_is_sent() {
        let listed: BTreeSet<_> = event::order().map(|(name, ..)| name).collect();
        assert_eq!(listed.len(), event::order().count(), "each once");
        // The one event that no router answers.
        let files: BTreeSet<_> = event::files().into_iter().filter(|name| name != "schedule").collect();
        assert_eq!(listed, files);
    }
}
