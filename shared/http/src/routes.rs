//! The one table of routes. The router and the description in [`crate::openapi`] both come from it.

use crate::negotiate::{ACCEPT_PATCH, PATCHES, is_acceptable};
use crate::openapi::Schema;
use crate::problem::Problem;
use crate::{dynamics, health, latest, models, openapi};
use axum::Router;
use axum::extract::Request;
use axum::handler::Handler;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use http::header::ALLOW;
use http::{HeaderValue, Method, StatusCode};
use meadow_access::{Refusal, Scope};
use meadow_service::{Caller, Service};

/// A path and what can be done there.
#[derive(Debug)]
pub(crate) struct Route {
    pub(crate) path: &'static str,
    pub(crate) operations: &'static [Operation],
}

/// A method at a path.
#[derive(Debug)]
pub(crate) struct Operation {
    /// Its name for generated clients.
    pub(crate) name: &'static str,
    pub(crate) method: &'static str,
    pub(crate) summary: &'static str,
    /// What a caller must be allowed; none: everybody gets the same, without a token too.
    pub(crate) scope: Option<Scope>,
    /// Parameters of the query, with what they mean.
    pub(crate) query: &'static [(&'static str, &'static str)],
    /// Which preconditions are heard.
    pub(crate) conditions: &'static [(&'static str, &'static str)],
    /// Whether the request carries a document.
    pub(crate) takes_document: bool,
    /// What is answered when nothing is wrong.
    pub(crate) answers: &'static [(u16, &'static str, Option<Schema>)],
    /// What can be wrong, beside what can be wrong with every request.
    pub(crate) faults: &'static [u16],
    handler: fn() -> MethodRouter<Service>,
}

const HAS: (&str, &str) = (
    "If-None-Match",
    "Entity tags that the client has; 304 when one is current",
);
const READS: (&str, &str) = ("If-Match", "412 unless one of these entity tags is current");
const REPLACES: (&str, &str) = ("If-Match", "412 unless one of these entity tags is current; * for any");
const CREATES: (&str, &str) = ("If-None-Match", "* to create only: 412 when there is one already");

/// Preconditions of `/model`, which has no date.
const READ_LATEST: &[(&str, &str)] = &[HAS, READS];
const WRITE_LATEST: &[(&str, &str)] = &[REPLACES, CREATES];

const READ: &[(&str, &str)] = &[
    HAS,
    READS,
    (
        "If-Modified-Since",
        "304 when nothing changed since; not heard beside If-None-Match",
    ),
];

const WRITE: &[(&str, &str)] = &[
    REPLACES,
    CREATES,
    (
        "If-Unmodified-Since",
        "412 when changed since; not heard beside If-Match",
    ),
];

const PART: &[(&str, &str)] = &[
    ("limit", "How many items at most, 1 to 100"),
    ("cursor", "next_cursor of the part before"),
];

/// A read that may wait.
const WAITS: &[(&str, &str)] = &[(
    "wait",
    "Whole seconds, at most 15: where If-None-Match names what there is, wait that long for something newer",
)];

const DOCUMENT: &[(u16, &str, Option<Schema>)] = &[
    (
        200,
        "The document, byte for byte as it was given",
        Some(Schema::Document),
    ),
    (304, "The client has it already", None),
];

const WRITTEN: (u16, &str, Option<Schema>) = (200, "Stored; what was found in it", Some(Schema::Written));

const PATCH_FAULTS: &[u16] = &[404, 409, 412, 413, 415, 422];

/// All routes of this surface.
pub(crate) const ROUTES: &[Route] = &[
    Route {
        path: "/model",
        operations: &[
            Operation {
                name: "readLatest",
                method: "GET",
                scope: Some(Scope::ModelRead),
                summary: "The workspace's latest document, as it was given",
                query: WAITS,
                conditions: READ_LATEST,
                takes_document: false,
                answers: DOCUMENT,
                faults: &[404, 412],
                handler: || get(latest::read),
            },
            Operation {
                name: "writeLatest",
                method: "POST",
                scope: Some(Scope::ModelWrite),
                summary: "Check and store a document under the id that its system_name makes",
                query: &[],
                conditions: WRITE_LATEST,
                takes_document: true,
                answers: &[WRITTEN],
                faults: &[412, 413, 415, 422],
                handler: || on(MethodFilter::POST, latest::write),
            },
            Operation {
                name: "patchLatest",
                method: "PATCH",
                scope: Some(Scope::ModelWrite),
                summary: "Change the latest document by JSON Patch or JSON Merge Patch; all of it, or nothing",
                query: &[],
                conditions: &[REPLACES],
                takes_document: false,
                answers: &[WRITTEN],
                faults: PATCH_FAULTS,
                handler: || on(MethodFilter::PATCH, latest::patch),
            },
        ],
    },
    Route {
        path: "/models",
        operations: &[Operation {
            name: "listModels",
            method: "GET",
            scope: Some(Scope::ModelRead),
            summary: "What is known of every model, by id",
            query: PART,
            conditions: &[],
            takes_document: false,
            answers: &[(200, "A part of the list", Some(Schema::Models))],
            faults: &[],
            handler: || get(models::list),
        }],
    },
    Route {
        path: "/models/{id}",
        operations: &[
            Operation {
                name: "readModel",
                method: "GET",
                scope: Some(Scope::ModelRead),
                summary: "A document, as it was given",
                query: WAITS,
                conditions: READ,
                takes_document: false,
                answers: DOCUMENT,
                faults: &[404, 412],
                handler: || get(models::read),
            },
            Operation {
                name: "writeModel",
                method: "PUT",
                scope: Some(Scope::ModelWrite),
                summary: "Check and store a document under this id",
                query: &[],
                conditions: WRITE,
                takes_document: true,
                answers: &[
                    WRITTEN,
                    (201, "The same, where there was no such model", Some(Schema::Written)),
                ],
                faults: &[412, 413, 415, 422],
                handler: || on(MethodFilter::PUT, models::write),
            },
            Operation {
                name: "patchModel",
                method: "PATCH",
                scope: Some(Scope::ModelWrite),
                summary: "Change a document by JSON Patch or JSON Merge Patch; all of it, or nothing",
                query: &[],
                conditions: WRITE,
                takes_document: false,
                answers: &[WRITTEN],
                faults: PATCH_FAULTS,
                handler: || on(MethodFilter::PATCH, models::patch),
            },
            Operation {
                name: "deleteModel",
                method: "DELETE",
                scope: Some(Scope::ModelWrite),
                summary: "Delete a model; its earlier revisions stay readable",
                query: &[],
                conditions: WRITE,
                takes_document: false,
                answers: &[(204, "Deleted", None)],
                faults: &[404, 412],
                handler: || on(MethodFilter::DELETE, models::delete),
            },
        ],
    },
    Route {
        path: "/models/{id}/revisions",
        operations: &[Operation {
            name: "listRevisions",
            method: "GET",
            scope: Some(Scope::ModelRead),
            summary: "What is known of a model's revisions, the newest first",
            query: PART,
            conditions: &[],
            takes_document: false,
            answers: &[(200, "A part of the list", Some(Schema::Revisions))],
            faults: &[404],
            handler: || get(models::revisions),
        }],
    },
    Route {
        path: "/models/{id}/revisions/{revision}",
        operations: &[Operation {
            name: "readRevision",
            method: "GET",
            scope: Some(Scope::ModelRead),
            summary: "The document of one revision, as it was given",
            query: &[],
            conditions: READ,
            takes_document: false,
            answers: DOCUMENT,
            faults: &[404, 412],
            handler: || get(models::revision),
        }],
    },
    Route {
        path: "/models/{id}/report",
        operations: &[Operation {
            name: "readReport",
            method: "GET",
            scope: Some(Scope::ModelRead),
            summary: "What is found in a model, with repairs as JSON Patch where they are mechanical",
            query: &[],
            conditions: &[],
            takes_document: false,
            answers: &[(200, "What was found", Some(Schema::Report))],
            faults: &[404],
            handler: || get(models::report),
        }],
    },
    Route {
        path: "/models/{id}/simulation",
        operations: &[Operation {
            name: "simulate",
            method: "GET",
            scope: Some(Scope::ModelRead),
            summary: "What a model does over time; a model that cannot be run has status not_runnable and problems",
            query: &[(
                "format",
                "json (when absent): summaries and short series; csv: every saved step of every variable in full digits",
            )],
            conditions: &[],
            takes_document: false,
            answers: &[(200, "What the model does", Some(Schema::Simulation))],
            faults: &[404, 422],
            handler: || get(dynamics::simulation),
        }],
    },
    Route {
        path: "/models/{id}/analysis",
        operations: &[Operation {
            name: "analyze",
            method: "GET",
            scope: Some(Scope::ModelRead),
            summary: "How a model is built: signed graph, feedback loops, and what was declared about them",
            query: &[],
            conditions: &[],
            takes_document: false,
            answers: &[(200, "Graph and loops", Some(Schema::Analysis))],
            faults: &[404],
            handler: || get(dynamics::analysis),
        }],
    },
    Route {
        path: "/healthz",
        operations: &[Operation {
            name: "checkHealth",
            method: "GET",
            scope: None,
            summary: "Whether the process lives and, with deep, whether its store can be reached",
            query: &[("deep", "1 to ask the store too")],
            conditions: &[],
            takes_document: false,
            answers: &[(200, "It lives", Some(Schema::Health))],
            faults: &[],
            handler: || get(health::check),
        }],
    },
    Route {
        path: "/openapi.json",
        operations: &[Operation {
            name: "describe",
            method: "GET",
            scope: None,
            summary: "This description",
            query: &[],
            conditions: &[],
            takes_document: false,
            answers: &[(200, "OpenAPI 3.1", None)],
            faults: &[],
            handler: || get(openapi::read),
        }],
    },
];

/// The routes of this surface. They need [`crate::layers()`] around them, which know who asks and render faults.
pub fn routes(service: Service) -> Router {
    let add = |router: Router<Service>, route: &'static Route| router.route(route.path, methods(route));
    ROUTES.iter().fold(Router::new(), add).with_state(service)
}

/// Whether this is a path at which everybody gets the same, without a token too.
pub(crate) fn is_open(path: &str) -> bool {
    let route = ROUTES.iter().find(|route| route.path == path);
    route.is_some_and(|route| route.operations.iter().all(|operation| operation.scope.is_none()))
}

/// Every path, for people who lost their way.
pub(crate) fn listed() -> String {
    let paths: Vec<_> = ROUTES.iter().map(|route| route.path).collect();
    paths.join(", ")
}

impl Route {
    /// The methods that are answered here, as the header Allow lists them.
    pub(crate) fn allow(&self) -> String {
        let mut methods = vec!["OPTIONS"];
        for operation in self.operations {
            methods.push(operation.method);
            if operation.method == "GET" {
                methods.push("HEAD");
            }
        }
        methods.sort_unstable();
        methods.join(", ")
    }
}

fn get<H: Handler<T, Service>, T: 'static>(handler: H) -> MethodRouter<Service> {
    on(MethodFilter::GET, handler)
}

fn methods(route: &'static Route) -> MethodRouter<Service> {
    let add = |methods: MethodRouter<Service>, operation: &Operation| methods.merge((operation.handler)());
    let methods = route.operations.iter().fold(MethodRouter::new(), add);
    methods
        .fallback(move |method: Method| async move { other_method(route, &method) })
        .layer(from_fn(move |request, next| admitted(route, request, next)))
}

/// Lets those through whose token has the scope of the operation, and who can read its answer.
async fn admitted(route: &Route, request: Request, next: Next) -> Result<Response, Problem> {
    let method = request.method().as_str();
    if let Some(operation) = route.operations.iter().find(|operation| operation.method == method) {
        if let Some(scope) = operation.scope {
            let caller = request.extensions().get::<Caller>().ok_or(Refusal::Missing)?;
            caller.need(scope)?;
        }
        is_acceptable(&request)?;
    }
    Ok(next.run(request).await)
}

fn other_method(route: &Route, method: &Method) -> Response {
    let allow = route.allow();
    let mut response = if method == Method::OPTIONS {
        StatusCode::NO_CONTENT.into_response()
    } else {
        Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            format!("{method} is not answered at {}; there are {allow}", route.path),
        )
        .into_response()
    };
    response.headers_mut().insert(ALLOW, crate::conditions::ascii(&allow));
    if route.operations.iter().any(|operation| operation.method == "PATCH") {
        response
            .headers_mut()
            .insert(ACCEPT_PATCH, HeaderValue::from_static(PATCHES));
    }
    response
}
