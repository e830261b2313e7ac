//! So many agents at once on one server, each of them writing and reading in turn as fast as it is answered; how long
//! answers take, what they cost, and whether a write got lost. `run.sh` starts it, and says beside whom.
//!
//! Each argument is a server, `NAME|KIND|PORT|COMMAND`. Of the kind `meadow` it is asked by revisions: four agents race
//! for each model, and every acknowledged write is looked for in the end. A `writer` has the tool `systems_thinking_writer`
//! and one document, at `GET /model`; a `thinker` only the tool `sequentialthinking`. Without a port it is spoken to over
//! stdio, with all agents on one pipe. LENGTH (seconds) and AGENTS in the environment are 60 and 64.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark"
)]

mod ledger;
mod process;
mod wire;

use ledger::Ledger;
use process::Server;
use serde_json::{Value, json};
use std::error::Error;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use wire::Wire;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// How many agents share a model.
const RACERS: usize = 4;

/// One write in so many has the larger document.
const LARGE: u64 = 20;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Meadow,
    Writer,
    Thinker,
}

/// What one server was seen to do.
#[derive(Default)]
struct Seen {
    /// Microseconds, of each answer.
    times: Vec<u32>,
    conflicts: usize,
    errors: Vec<String>,
}

/// What all agents on one server share.
struct Run {
    kind: Kind,
    end: Instant,
    documents: [String; 2],
    ledger: Ledger,
    writes: AtomicU64,
    seen: Mutex<Seen>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let seconds = setting("LENGTH", 60);
    let agents = setting("AGENTS", 64);
    println!("{agents} agents, {seconds} s each, answers per second and in ms, CPU in ms per answer, memory in MiB\n");
    println!("| server | answers/s | p50 | p99 | CPU | after 10 s | in the end | conflicts | errors | lost |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let mut good = true;
    // `cargo bench` adds an argument of its own.
    for argument in std::env::args().skip(1).filter(|argument| argument.contains('|')) {
        match measure(&argument, agents, Duration::from_secs(seconds as u64)).await {
            Ok(holds) => good &= holds,
            Err(error) => {
                println!("{argument}: {error}");
                good = false;
            }
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn setting(name: &str, otherwise: usize) -> usize {
    std::env::var(name).map_or(otherwise, |text| text.parse().expect(name))
}

/// Prints a row; whether nothing failed, nothing was lost, and, of Meadow, memory stayed.
async fn measure(argument: &str, agents: usize, length: Duration) -> Result<bool> {
    let [name, kind, port, command]: [&str; 4] = argument
        .splitn(4, '|')
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "not NAME|KIND|PORT|COMMAND")?;
    let kind = match kind {
        "meadow" => Kind::Meadow,
        "writer" => Kind::Writer,
        "thinker" => Kind::Thinker,
        _ => return Err("the kind is meadow, writer or thinker".into()),
    };
    let mut server = Server::start(command, port)?;
    let mut wires = Vec::new();
    for _ in 0..agents {
        wires.push(server.connect().await?);
    }
    let start = Instant::now();
    let run = Arc::new(Run {
        kind,
        end: start + length,
        documents: ["2k", "50k"].map(document),
        ledger: Ledger::new(agents.div_ceil(RACERS)),
        writes: AtomicU64::new(0),
        seen: Mutex::default(),
    });
    let before = server.cpu();
    let tasks: Vec<_> = wires
        .into_iter()
        .enumerate()
        .map(|(agent, wire)| tokio::spawn(run.clone().agent(agent, wire)))
        .collect();
    tokio::time::sleep_until((start + length.min(Duration::from_secs(10))).into()).await;
    let early = server.memory();
    for task in tasks {
        task.await?;
    }
    let (late, cpu, passed) = (server.memory(), server.cpu() - before, start.elapsed());
    let lost = if kind == Kind::Meadow {
        run.ledger.held_against(server.connect().await?).await?
    } else {
        Vec::new()
    };

    let mut seen = std::mem::take(&mut *run.seen.lock().unwrap());
    seen.times.sort_unstable();
    let answers = seen.times.len();
    let at = |share: f64| f64::from(seen.times[((answers - 1) as f64 * share) as usize]) / 1000.0;
    println!(
        "| {name} | {:.0} | {:.1} | {:.1} | {:.2} | {early:.0} | {late:.0} | {} | {} | {} |",
        answers as f64 / passed.as_secs_f64(),
        at(0.5),
        at(0.99),
        cpu.as_secs_f64() * 1000.0 / answers as f64,
        seen.conflicts,
        seen.errors.len(),
        if kind == Kind::Meadow {
            lost.len().to_string()
        } else {
            "not told".into()
        },
    );
    for fault in seen.errors.iter().chain(&lost).take(3) {
        println!("  {fault}");
    }
    let grown = kind == Kind::Meadow && late > early * 1.1;
    if grown {
        println!("  memory grew by more than a tenth");
    }
    Ok(seen.errors.is_empty() && lost.is_empty() && !grown)
}

fn document(name: &str) -> String {
    let path = format!("{}/bench/server/data/{name}.json", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{path} is missing: python3 tests/bench/server/gendoc.py"))
}

impl Run {
    async fn agent(self: Arc<Self>, agent: usize, mut wire: Wire) {
        let model = agent / RACERS;
        let mut revision = 0;
        while Instant::now() < self.end {
            let result = match self.kind {
                Kind::Meadow => self.write_by_revision(&mut wire, model, &mut revision).await,
                Kind::Writer => self.write(&mut wire).await,
                Kind::Thinker => self.think(&mut wire).await,
            };
            if let Err(error) = result {
                self.seen.lock().unwrap().errors.push(error.to_string());
                // A server that refuses at once shall not fill the list.
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }

    /// A write that holds only on the revision seen last, then a read.
    async fn write_by_revision(&self, wire: &mut Wire, model: usize, revision: &mut u64) -> Result<()> {
        let token = self.token();
        let arguments = self.document(token).replacen(
            '{',
            &format!(r#"{{"model":"load-{model}","expected_revision":{revision},"#),
            1,
        );
        let answer = self.timed(wire.call("systems_thinking_writer", &arguments)).await?;
        match answer["structuredContent"]["status"].as_str() {
            Some("stored") => {
                let stored = &answer["structuredContent"]["revision"];
                self.ledger
                    .written(model, stored.as_u64().ok_or("no revision")?, token)?;
            }
            Some("conflict") => self.seen.lock().unwrap().conflicts += 1,
            _ => return Err(answer.to_string().into()),
        }
        let newest = self.ledger.newest(model);
        let (read, token) = self.timed(ledger::read(wire, model, None)).await?;
        if read < newest {
            return Err(format!("model {model}: read revision {read} after {newest} was acknowledged").into());
        }
        self.ledger.read(model, read, token)?;
        *revision = read;
        Ok(())
    }

    async fn write(&self, wire: &mut Wire) -> Result<()> {
        let arguments = self.document(self.token());
        let answer = self.timed(wire.call("systems_thinking_writer", &arguments)).await?;
        if answer["isError"] == true || answer["content"].is_null() {
            return Err(answer.to_string().into());
        }
        let (status, _, _) = self.timed(wire.get("/model")).await?;
        if status == 200 {
            Ok(())
        } else {
            Err(format!("GET /model: {status}").into())
        }
    }

    async fn think(&self, wire: &mut Wire) -> Result<()> {
        let thought = json!({
            "thought": format!("Thought {} about what fills the tank and what drains it", self.token()),
            "nextThoughtNeeded": true, "thoughtNumber": 1, "totalThoughts": 5,
        });
        let answer = self
            .timed(wire.call("sequentialthinking", &thought.to_string()))
            .await?;
        if answer["isError"] == true || answer["content"].is_null() {
            return Err(answer.to_string().into());
        }
        Ok(())
    }

    fn token(&self) -> u64 {
        self.writes.fetch_add(1, Ordering::Relaxed)
    }

    /// The document of a write, which no other write has.
    fn document(&self, token: u64) -> String {
        self.documents[usize::from(token % LARGE == LARGE - 1)].replacen(
            r#""version":"1.0.0""#,
            &format!(r#""version":"{token}""#),
            1,
        )
    }

    async fn timed<T>(&self, answer: impl Future<Output = Result<T>>) -> Result<T> {
        let start = Instant::now();
        let answer = tokio::time::timeout(Duration::from_secs(60), answer).await??;
        self.seen.lock().unwrap().times.push(start.elapsed().as_micros() as u32);
        Ok(answer)
    }
}

/// The member of a result that a client reads first.
fn result(mut message: Value) -> Result<Value> {
    match message["result"].take() {
        Value::Null => Err(message.to_string().into()),
        result => Ok(result),
    }
}
