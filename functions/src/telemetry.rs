//! Logs: one JSON object a line on stdout, as CloudWatch and Lambda's own JSON format have them.
//!
//! Each line of an event carries `span.requestId` and `span.xrayTraceId`. Bodies and headers are never logged: what
//! other crates tell is heard from warnings on, whatever `MEADOW_LOG` says, since some of them tell of whole messages.

use crate::config::{BadConfig, given};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// What is logged when nothing is said.
pub const DEFAULT: LevelFilter = LevelFilter::INFO;

/// A configuration that says what is logged.
pub trait Logged {
    /// The least important level that is logged.
    fn log(&self) -> LevelFilter;
}

/// Reads `MEADOW_LOG`.
pub(crate) fn read(variable: &dyn Fn(&str) -> Option<String>) -> Result<LevelFilter, BadConfig> {
    const NAME: &str = "MEADOW_LOG";
    let Some(text) = given(variable, NAME) else {
        return Ok(DEFAULT);
    };
    text.parse().map_err(|_| {
        BadConfig::new(
            NAME,
            format!("is {text:?}, which is no level"),
            "use off, error, warn, info, debug or trace",
        )
    })
}

/// Begins to log. Only the first call in a process does something.
pub(crate) fn start(level: LevelFilter) {
    let heard = Targets::new()
        .with_default(level.min(LevelFilter::WARN))
        .with_target("meadow", level)
        // The span that carries the ids.
        .with_target("lambda_runtime::layers", level.min(LevelFilter::INFO))
        // Tells of each refusal, which the access log has.
        .with_target("rmcp", level.min(LevelFilter::ERROR));
    let lines = tracing_subscriber::fmt::layer()
        .json()
        .flatten_event(true)
        .with_current_span(true)
        .with_span_list(false)
        .with_writer(std::io::stdout)
        .with_filter(heard);
    // An error says that logs are written already.
    let _ = tracing_subscriber::registry().with(lines).try_init();
}
