//! `--wait-for-debugger`: nothing is read or answered before somebody traces the process.

use crate::failure::Failure;
use std::time::Duration;
use tracing::error;

/// Where Linux says who traces this process.
const STATUS: &str = "/proc/self/status";

/// Returns once a debugger is attached. The process id goes to the log, at the level that is never filtered by default.
pub(crate) async fn wait() -> Result<(), Failure> {
    let mut traced = is_traced()?;
    if !traced {
        error!(pid = std::process::id(), "waiting for a debugger to attach");
    }
    let mut again = tokio::time::interval(Duration::from_millis(50));
    while !traced {
        again.tick().await;
        traced = is_traced()?;
    }
    Ok(())
}

fn is_traced() -> Result<bool, Failure> {
    let status = std::fs::read_to_string(STATUS).map_err(|error| {
        Failure::Usage(format!(
            "--wait-for-debugger reads {STATUS}, which only Linux has ({error}); elsewhere start meadow under the debugger"
        ))
    })?;
    Ok(tracer(&status).is_some_and(|pid| pid != "0"))
}

fn tracer(status: &str) -> Option<&str> {
    status
        .lines()
        .find_map(|line| line.strip_prefix("TracerPid:"))
        .map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::tracer;

    #[test]
    fn the_tracer_is_read() {
        assert_eq!(tracer("Name:\tmeadow\nTracerPid:\t0\nUid:\t0\n"), Some("0"));
        assert_eq!(tracer("TracerPid:\t417\n"), Some("417"));
        assert_eq!(tracer("Name:\tmeadow\n"), None);
    }
}
