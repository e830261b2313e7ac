//! The handler that rmcp calls, for both eras of the protocol: looks things up in tables and guards the work.

use crate::arguments::Arguments;
use crate::denial::need;
use crate::guard::{Failed, guarded};
use crate::tools::{self, Call, Run};
use crate::{Config, completion, params, raw, resources, rpc};
use meadow_model::limits::MAX_TEXT;
use meadow_service::{Caller, Service, Trace};
use rmcp::ErrorData;
use rmcp::RoleServer;
use rmcp::ServerHandler;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    CustomRequest, CustomResult, DiscoverResult, ErrorCode, GetPromptRequestParams, GetPromptResponse, Implementation,
    InitializeRequestParams, InitializeResult, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, MetaObject, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use std::future::pending;
use std::sync::{Arc, LazyLock};
use std::time::Instant;

const INSTRUCTIONS: &str = include_str!("../texts/instructions.md");

/// How long clients may keep lists that change only with the program: five minutes, so that an upgrade shows soon.
const LIST_TTL_MS: u64 = 5 * 60 * 1000;

/// The server. Cheap to clone, as rmcp does for every HTTP request.
#[derive(Debug, Clone)]
pub(crate) struct Server(Arc<Shared>);

/// What all requests share.
#[derive(Debug)]
pub(crate) struct Shared {
    /// The use cases.
    pub(crate) service: Service,
    /// Who asks where the request itself does not say.
    pub(crate) caller: Caller,
    /// What was chosen at start.
    pub(crate) config: Config,
}

impl Shared {
    /// The address of a model in the HTTP API, where that is known.
    pub(crate) fn url(&self, id: &str) -> Option<String> {
        let base = self.config.base_url.as_deref()?.trim_end_matches('/');
        Some(format!("{base}/models/{}", resources::encoded(id)))
    }
}

impl Server {
    pub(crate) fn new(service: Service, caller: Caller, config: Config) -> Self {
        Self(Arc::new(Shared {
            service,
            caller,
            config,
        }))
    }

    /// Who asks: put into the HTTP request by the layer that checks access, else the server's own caller.
    fn caller<'a>(&'a self, context: &'a RequestContext<RoleServer>) -> &'a Caller {
        let parts = context.extensions.get::<http::request::Parts>();
        parts.and_then(|parts| parts.extensions.get()).unwrap_or(&self.0.caller)
    }

    async fn call(
        &self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let Some(tool) = tools::find(&request.name) else {
            let name: String = request.name.chars().take(60).collect();
            let names = tools::names().join(", ");
            return Err(ErrorData::invalid_params(
                format!("there is no tool {name:?}; the tools are: {names}"),
                None,
            ));
        };
        let call = Call {
            shared: &self.0,
            caller: self.caller(context),
            context,
        };
        need(tool.scope, call.caller, context)?;
        let sent = raw::of(&context.extensions).map(raw::RawArguments::get);
        let work = async {
            match tool.run {
                Run::Raw(run) => run(call, sent).await,
                Run::Arguments(run) => match arguments(sent, Arguments::read) {
                    Ok(arguments) => run(call, arguments).await,
                    Err(error) => tools::refused(error),
                },
                Run::Exact(run) => match arguments(sent, Arguments::exact) {
                    Ok(arguments) => run(call, arguments).await,
                    Err(error) => tools::refused(format!("{error}; nothing was changed")),
                },
            }
        };
        // A write is done whole, whoever has left: a client that lost its connection finds it done.
        let left = async {
            match tool.only_reads() {
                true => call.left().await,
                false => pending().await,
            }
        };
        let mut result = match guarded(&request.name, &self.0.config, left, work).await {
            Ok(result) => result,
            Err(failed @ Failed::TooSlow(_)) => tools::refused(format!("{failed}; {}", tool.after_timeout)),
            Err(failed @ Failed::Panicked) => tools::refused(failed.to_string()),
            Err(failed @ Failed::Left) => return Err(ErrorData::internal_error(failed.to_string(), None)),
            Err(failed @ Failed::Ending) => {
                let text = format!("{failed}; {}", tool.after_timeout);
                return Err(ErrorData::internal_error(text, None));
            }
        };
        if let Some(of_era) = meta(context) {
            result.meta.get_or_insert_default().extend(of_era);
        }
        Ok(result)
    }

    /// What is no tool: it only reads.
    async fn guarded<T>(
        &self,
        what: &str,
        context: &RequestContext<RoleServer>,
        work: impl Future<Output = Result<T, ErrorData>>,
    ) -> Result<T, ErrorData> {
        guarded(what, &self.0.config, context.ct.cancelled(), work)
            .await
            .unwrap_or_else(|failed| Err(ErrorData::internal_error(format!("{what}: {failed}"), None)))
    }
}

fn implementation() -> Implementation {
    let mut server = Implementation::new("meadow", env!("CARGO_PKG_VERSION"));
    server.title = Some("Meadow".into());
    server.description = Some("Systems-thinking models in the manner of Donella Meadows".into());
    server
}

/// `_meta` of results: 2026-07-28 wants to be told in each who answers; older clients learn it from `initialize`.
fn meta(context: &RequestContext<RoleServer>) -> Option<MetaObject> {
    static META: LazyLock<MetaObject> = LazyLock::new(|| {
        let discovered = DiscoverResult::new(Vec::new(), ServerCapabilities::default());
        discovered.with_server_info(implementation()).meta.unwrap_or_default()
    });
    context.meta.protocol_version().map(|_| META.clone())
}

/// The trace that a request belongs to: of its `_meta`, else of its HTTP headers.
fn trace(context: &RequestContext<RoleServer>) -> Option<Trace> {
    let said = |name| context.meta.0.0.get(name).and_then(|value| value.as_str());
    let of_message = said("traceparent").and_then(|parent| Trace::read(parent, said("tracestate")));
    of_message.or_else(|| {
        context
            .extensions
            .get::<http::request::Parts>()?
            .extensions
            .get()
            .cloned()
    })
}

/// A list with one page gives no cursor.
fn one_page(request: Option<&PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor.as_ref()) {
        None => Ok(()),
        Some(cursor) => Err(params::unknown_cursor(cursor)),
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_completions()
            // There are none, and who lists them is told so instead of meeting an error.
            .enable_prompts()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(implementation())
            .with_instructions(INSTRUCTIONS.trim_end())
    }

    /// A client that asks for a version without a handshake is answered an older one, and speaks that from then on.
    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let result = self.negotiate_initialize(&request)?;
        let mut client = request;
        client.protocol_version = result.protocol_version.clone();
        context.peer.set_peer_info(client);
        Ok(result)
    }

    async fn discover(&self, _context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        Ok(DiscoverResult::from_server_info(versions, self.get_info())
            .with_ttl_ms(LIST_TTL_MS)
            .with_cache_scope(CacheScope::Public))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        one_page(request.as_ref())?;
        let mut result = ListToolsResult::with_all_items(tools::definitions())
            .with_ttl_ms(LIST_TTL_MS)
            .with_cache_scope(CacheScope::Public);
        result.meta = meta(&context);
        Ok(result)
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        one_page(request.as_ref())?;
        let mut result = ListPromptsResult::with_all_items(Vec::new())
            .with_ttl_ms(LIST_TTL_MS)
            .with_cache_scope(CacheScope::Public);
        result.meta = meta(&context);
        Ok(result)
    }

    async fn get_prompt(
        &self,
        _request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let text = "`name`: there are no prompts here; tools/list and resources/list tell what there is";
        Err(ErrorData::invalid_params(text, None))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::find(name).map(|tool| tool.definition.clone())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let started = Instant::now();
        let result = self.call(&request, &context).await;
        // A name of the client's own may be anything.
        let tool = tools::find(&request.name).map_or("unknown", |tool| &tool.definition.name);
        let outcome = result.as_ref().map(tools::outcome);
        log_call("tools/call", tool, &context, started, outcome);
        Ok(result?.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.as_ref().and_then(|request| request.cursor.as_deref());
        let work = async { resources::list(&self.0, self.caller(&context), cursor).await };
        let mut result = self.guarded("resources/list", &context, work).await?;
        result.meta = meta(&context);
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        one_page(request.as_ref())?;
        let mut result =
            ListResourceTemplatesResult::with_all_items(resources::templates(&self.0, self.caller(&context)))
                .with_ttl_ms(LIST_TTL_MS)
                .with_cache_scope(CacheScope::Public);
        result.meta = meta(&context);
        Ok(result)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let started = Instant::now();
        let caller = self.caller(&context);
        let work = async {
            if let Some(scope) = resources::scope(&request.uri) {
                need(scope, caller, &context)?;
            }
            resources::read(&self.0, caller, &request.uri).await
        };
        let result = self.guarded("resources/read", &context, work).await;
        let outcome = result.as_ref().map(|_| "ok");
        log_call(
            "resources/read",
            resources::kind(&request.uri),
            &context,
            started,
            outcome,
        );
        let mut result = result?;
        result.meta = meta(&context);
        Ok(result.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let caller = self.caller(&context);
        let work = completion::complete(&self.0, caller, &request.r#ref, &request.argument, &context);
        let mut result = CompleteResult::new(self.guarded("completion/complete", &context, work).await?);
        result.meta = meta(&context);
        Ok(result)
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        // 2026-07-28 has no handshake; what else it took away, rmcp refuses itself.
        let gone = request.method == "initialize" && context.meta.protocol_version().is_some();
        Err(match params::faults(&request.method, request.params.as_ref()) {
            Some(faults) if !gone => ErrorData::invalid_params(faults, None),
            _ => ErrorData::new(ErrorCode::METHOD_NOT_FOUND, rpc::no_method(&request.method), None),
        })
    }
}

/// The arguments of a tool that reads them into values, which take several times the room of their text.
fn arguments(sent: Option<&str>, read: fn(Option<&str>) -> Result<Arguments, String>) -> Result<Arguments, String> {
    match sent.map(str::len) {
        Some(bytes) if bytes > MAX_TEXT => Err(format!(
            "the arguments have {bytes} bytes; at most {MAX_TEXT} are allowed"
        )),
        _ => read(sent),
    }
}

/// One line for each call, without anything of what was sent: what failed in it is logged where it failed.
fn log_call(
    method: &str,
    what: &str,
    context: &RequestContext<RoleServer>,
    started: Instant,
    outcome: Result<&str, &ErrorData>,
) {
    // To the microsecond.
    let duration_ms = (started.elapsed().as_secs_f64() * 1e6).round() / 1e3;
    let id: String = context.id.to_string().chars().take(60).collect();
    let trace = trace(context);
    let (trace_id, parent_id) = (trace.as_ref().map(Trace::id), trace.as_ref().map(Trace::parent));
    let trace_state = trace.as_ref().and_then(Trace::state);
    let outcome = match outcome {
        // Nobody is told.
        Err(_) if context.ct.is_cancelled() => Ok("cancelled"),
        outcome => outcome,
    };
    match outcome {
        Ok(outcome) => {
            tracing::info!(
                method,
                what,
                id,
                outcome,
                duration_ms,
                trace_id,
                parent_id,
                trace_state,
                "mcp.call"
            );
        }
        Err(error) => {
            let code = error.code.0;
            tracing::info!(
                method,
                what,
                id,
                outcome = "error",
                code,
                duration_ms,
                trace_id,
                parent_id,
                trace_state,
                "mcp.call"
            );
        }
    }
}

#[cfg(test)]
mod tests;
