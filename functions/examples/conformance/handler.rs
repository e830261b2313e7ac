//! The fixtures as a handler of rmcp.
#![expect(deprecated, reason = "the suite of 2025-11-25 asks for logging and subscriptions")]

use crate::answers;
use crate::inquiries::{self, Inquiry, Next};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, CompleteRequestParams,
    CompleteResult, GetPromptRequestParams, GetPromptResponse, GetPromptResult, InputResponses, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, LoggingLevel, LoggingMessageNotificationParam,
    PaginatedRequestParams, ProgressNotificationParam, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, ServerCapabilities, ServerConfig, SetLevelRequestParams, SubscribeRequestParams,
    UnsubscribeRequestParams,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

type Context = RequestContext<RoleServer>;

/// The handler. It keeps nothing, as no function may.
#[derive(Debug, Clone)]
pub(crate) struct Fixtures;

/// A value of rmcp, written down as JSON.
pub(crate) fn read<T: DeserializeOwned>(json: Value) -> Result<T, ErrorData> {
    serde_json::from_value(json).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

/// A result that asks for nothing more. rmcp takes the word out for clients that do not know it.
fn complete<T: DeserializeOwned>(mut json: Value) -> Result<T, ErrorData> {
    json["resultType"] = "complete".into();
    read(json)
}

fn text(text: &str) -> Result<CallToolResponse, ErrorData> {
    let result: CallToolResult = complete(json!({"content": [answers::said(text)]}))?;
    Ok(result.into())
}

/// What the client of this request can do.
fn client(context: &Context) -> ClientCapabilities {
    context.client_capabilities().unwrap_or_default()
}

fn asked(
    inquiry: &Inquiry,
    state: Option<&str>,
    sent: Option<&InputResponses>,
    context: &Context,
) -> Result<Next, ErrorData> {
    inquiry.next(state, sent, &client(context))
}

/// Tells how far it is, three times, where the client wants to know.
async fn progress(context: &Context) -> Result<(), ErrorData> {
    let Some(token) = context.meta.get_progress_token() else {
        return Ok(());
    };
    for percent in [0.0, 50.0, 100.0] {
        let told = ProgressNotificationParam::new(token.clone(), percent).with_total(100.0);
        let told = context.peer.notify_progress(told).await;
        told.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    }
    Ok(())
}

/// Logs to a client of the older era, which has no other way to say that it wants that.
async fn log(context: &Context) -> Result<(), ErrorData> {
    if context.meta.protocol_version().is_some() {
        return Ok(());
    }
    for line in ["begun", "at work", "done"] {
        let told = LoggingMessageNotificationParam::new(LoggingLevel::Info, line.into());
        let told = context.peer.notify_logging_message(told).await;
        told.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    }
    Ok(())
}

impl ServerHandler for Fixtures {
    fn get_info(&self) -> ServerConfig {
        let can = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts();
        ServerConfig::new(can.enable_completions().enable_logging().build())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        let fixed = answers::tools().map(|(name, _)| name);
        let asking = inquiries::TOOLS.map(|inquiry| inquiry.name);
        let others = [
            "test_missing_capability",
            "test_tool_with_logging",
            "test_tool_with_progress",
        ];
        let mut names = [&fixed[..], &asking, &others].concat();
        names.sort_unstable();
        let plain = names.into_iter().map(|name| (name, json!({"type": "object"})));
        let tools: Vec<_> = plain
            .chain([("json_schema_2020_12_tool", answers::schema())])
            .map(|(name, schema)| json!({"name": name, "description": "A fixture", "inputSchema": schema}))
            .collect();
        Ok(ListToolsResult::with_all_items(read(tools.into())?)
            .with_ttl_ms(0)
            .with_cache_scope(CacheScope::Public))
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: Context) -> Result<CallToolResponse, ErrorData> {
        let name = &*request.name;
        if let Some((_, result)) = answers::tools().into_iter().find(|(tool, _)| *tool == name) {
            return Ok(complete::<CallToolResult>(result)?.into());
        }
        if let Some(inquiry) = inquiries::TOOLS.iter().find(|inquiry| inquiry.name == name) {
            let state = request.request_state.as_deref();
            return match asked(inquiry, state, request.input_responses.as_ref(), &context)? {
                Next::Ask(result) => Ok(CallToolResponse::InputRequired(result)),
                Next::Answer(answer) => text(&answer),
            };
        }
        match name {
            "test_missing_capability" if client(&context).sampling.is_none() => {
                let needed = read(json!({"sampling": {}}))?;
                Err(ErrorData::missing_required_client_capability(needed))
            }
            "test_missing_capability" | "json_schema_2020_12_tool" => text("nothing is missing"),
            "test_tool_with_progress" => {
                progress(&context).await?;
                text("done")
            }
            "test_tool_with_logging" => {
                log(&context).await?;
                text("done")
            }
            _ => Err(ErrorData::invalid_params(format!("there is no tool {name:?}"), None)),
        }
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        let listed = ListResourcesResult::with_all_items(read(answers::resources())?);
        Ok(listed.with_ttl_ms(0).with_cache_scope(CacheScope::Public))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let listed = ListResourceTemplatesResult::with_all_items(read(answers::templates())?);
        Ok(listed.with_ttl_ms(0).with_cache_scope(CacheScope::Public))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let Some(contents) = answers::resource(&request.uri) else {
            let what = Some(json!({"uri": request.uri}));
            return Err(ErrorData::resource_not_found("there is no such resource", what));
        };
        let found: ReadResourceResult = complete(json!({"contents": [contents]}))?;
        Ok(found.with_ttl_ms(0).with_cache_scope(CacheScope::Public).into())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        let listed = ListPromptsResult::with_all_items(read(answers::prompts())?);
        Ok(listed.with_ttl_ms(0).with_cache_scope(CacheScope::Public))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        let name = &*request.name;
        let argument = |name: &str| {
            let value = request.arguments.as_ref().and_then(|arguments| arguments.get(name));
            value.and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let messages = if name == inquiries::PROMPT.name {
            let state = request.request_state.as_deref();
            match asked(&inquiries::PROMPT, state, request.input_responses.as_ref(), &context)? {
                Next::Ask(result) => return Ok(GetPromptResponse::InputRequired(result)),
                Next::Answer(answer) => json!({"messages": [{"role": "user", "content": answers::said(&answer)}]}),
            }
        } else {
            let unknown = || ErrorData::invalid_params(format!("there is no prompt {name:?}"), None);
            answers::prompt(name, argument).ok_or_else(unknown)?
        };
        Ok(complete::<GetPromptResult>(messages)?.into())
    }

    async fn complete(&self, _request: CompleteRequestParams, _context: Context) -> Result<CompleteResult, ErrorData> {
        Ok(CompleteResult::default())
    }

    async fn set_level(&self, _request: SetLevelRequestParams, _context: Context) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn subscribe(&self, _request: SubscribeRequestParams, _context: Context) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(&self, _request: UnsubscribeRequestParams, _context: Context) -> Result<(), ErrorData> {
        Ok(())
    }
}
