//! Logs: one JSON object a line, on stderr.

mod line;

use self::line::Line;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Reads what is to be logged: a level, or levels by part.
pub(crate) fn filter(text: &str) -> Result<Targets, String> {
    // `Targets` would take a misspelt level for the name of a part.
    let plain = text.split(',').filter(|part| !part.contains('='));
    match plain
        .map(str::trim)
        .find(|part| part.is_empty() || part.parse::<LevelFilter>().is_err())
    {
        Some(part) => Err(format!(
            "{part:?} is no level; use off, error, warn, info, debug or trace, for one part meadow_http=debug"
        )),
        None => text
            .parse()
            .map_err(|error| format!("{error}; use a level, or part=level")),
    }
}

/// Begins to log what `filter` lets through, or everything up to `otherwise`.
pub(crate) fn start(filter: Option<&Targets>, otherwise: LevelFilter) {
    let filter = filter
        .cloned()
        .unwrap_or_else(|| Targets::new().with_default(otherwise));
    let lines = tracing_subscriber::fmt::layer()
        .event_format(Line)
        .with_writer(std::io::stderr)
        .with_filter(heard());
    tracing_subscriber::registry().with(filter).with(lines).init();
}

/// What is heard at most, whatever is asked for: of other crates warnings, since some of them (the AWS SDK, rmcp) tell of
/// whole messages and so of documents, which are never logged. rmcp's warnings tell of each refusal a second time, and its
/// service calls it an error when a client does not wait for its answer, which clients may do.
fn heard() -> Targets {
    Targets::new()
        .with_default(LevelFilter::WARN)
        .with_target("meadow", LevelFilter::TRACE)
        .with_target("rmcp", LevelFilter::ERROR)
        .with_target("rmcp::service", LevelFilter::OFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_crates_tell_of_no_messages() {
        for (target, most) in [
            ("meadow::serve", LevelFilter::TRACE),
            ("meadow_http::layers", LevelFilter::TRACE),
            ("aws_smithy_runtime::client::orchestrator::http", LevelFilter::WARN),
            ("tokio_postgres::prepare", LevelFilter::WARN),
            ("hyper_util::client::legacy::pool", LevelFilter::WARN),
            ("rmcp::transport::async_rw", LevelFilter::ERROR),
            ("rmcp::service", LevelFilter::OFF),
        ] {
            for level in [
                tracing::Level::ERROR,
                tracing::Level::WARN,
                tracing::Level::INFO,
                tracing::Level::DEBUG,
                tracing::Level::TRACE,
            ] {
                assert_eq!(heard().would_enable(target, &level), level <= most, "{target} {level}");
            }
        }
    }

    #[test]
    fn a_filter_is_levels() {
        for text in [
            "off",
            "WARN",
            "info,meadow_http=debug",
            "meadow_mcp=trace",
            "error, meadow_sqlite=info",
        ] {
            assert!(filter(text).is_ok(), "{text}");
        }
        for text in ["", "loud", "meadow_http", "info,loud", "meadow_http=loud"] {
            assert!(filter(text).is_err_and(|said| said.contains("level")), "{text}");
        }
    }
}
