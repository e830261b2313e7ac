//! A server that runs for as long as it is measured.

use crate::Result;
use crate::wire::{Pipe, Wire};
use std::fs;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

/// Clock ticks a second and bytes a page of /proc, as Linux has them on x86-64 and arm64.
const TICKS: u32 = 100;
const PAGE: f64 = 4096.0;

pub(crate) struct Server {
    process: Child,
    id: u32,
    port: Option<u16>,
    pipe: Option<Arc<Pipe>>,
}

impl Server {
    /// Starts a command; with a port it is spoken to over HTTP, else over its standard input and output.
    pub(crate) fn start(command: &str, port: &str) -> Result<Self> {
        let port = if port.is_empty() { None } else { Some(port.parse()?) };
        let piped = || if port.is_none() { Stdio::piped() } else { Stdio::null() };
        // `exec`: so that what is measured is the server, not the shell.
        let mut process = Command::new("bash")
            .args(["-c", &format!("exec {command}")])
            .stdin(piped())
            .stdout(piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let id = process.id().ok_or("it ended at once")?;
        let pipe = process
            .stdin
            .take()
            .zip(process.stdout.take())
            .map(|(stdin, stdout)| Pipe::new(stdin, stdout));
        Ok(Self {
            process,
            id,
            port,
            pipe,
        })
    }

    /// One more agent: a connection of its own, or its turn at the pipe.
    pub(crate) async fn connect(&mut self) -> Result<Wire> {
        let Some(port) = self.port else {
            let pipe = self.pipe.clone().ok_or("no pipe")?;
            pipe.open().await?;
            return Ok(Wire::Pipe(pipe));
        };
        let patience = Instant::now() + Duration::from_secs(60);
        loop {
            match TcpStream::connect(("127.0.0.1", port)).await {
                Ok(stream) => return Wire::over(stream, port).await,
                Err(error) if Instant::now() > patience => return Err(error.into()),
                Err(_) => {}
            }
            if let Some(status) = self.process.try_wait()? {
                return Err(format!("it ended: {status}").into());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// MiB in memory.
    pub(crate) fn memory(&self) -> f64 {
        let pages = fs::read_to_string(format!("/proc/{}/statm", self.id)).unwrap_or_default();
        let pages: f64 = pages
            .split(' ')
            .nth(1)
            .and_then(|pages| pages.parse().ok())
            .unwrap_or_default();
        pages * PAGE / f64::from(1 << 20)
    }

    /// CPU time so far, of all threads.
    pub(crate) fn cpu(&self) -> Duration {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.id)).unwrap_or_default();
        // utime and stime; the name of the program before them may hold anything.
        let fields = stat.rsplit(')').next().unwrap_or_default().split(' ').skip(12).take(2);
        let ticks: u32 = fields.filter_map(|ticks| ticks.parse::<u32>().ok()).sum();
        Duration::from_secs(1) * ticks / TICKS
    }
}
