//! `meadow search`: papers from arXiv and Semantic Scholar. The store keeps answers for a day, and the turns at arXiv
//! that all processes share.

use crate::failure::Failure;
use crate::logs;
use crate::options::{self, Kept};
use crate::report::{print, print_json};
use crate::store::Stores;
use clap::Args;
use meadow_papers::{Asked, Fault, Status};
use std::process::ExitCode;
use tracing_subscriber::filter::LevelFilter;

/// Search papers on arXiv and Semantic Scholar
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Search {
    /// English key words, "quoted phrases", or a query in arXiv's language
    #[arg(required = true)]
    query: Vec<String>,

    /// How many papers, 1 to 25
    #[arg(long, value_name = "N", default_value_t = 5)]
    max: u64,

    /// The place to begin at, as the page before told
    #[arg(long, value_name = "N", default_value_t = 0)]
    start: u64,

    /// First published in or after: YYYY, YYYY-MM or YYYY-MM-DD
    #[arg(long, value_name = "DATE")]
    from: Option<String>,

    /// First published in or before, likewise
    #[arg(long, value_name = "DATE")]
    to: Option<String>,

    /// Categories of arXiv, such as cs.AI,cs.LG or math.*
    #[arg(long, value_name = "LIST")]
    categories: Option<String>,

    /// relevance or date
    #[arg(long, value_name = "ORDER", default_value = "relevance")]
    sort: String,

    /// auto (both), arxiv or s2
    #[arg(long, value_name = "WHO", default_value = "auto")]
    sources: String,

    /// Answer as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    kept: Kept,
}

/// What the arguments of a search are called here.
const OPTIONS: [(&str, &str); 8] = [
    ("`query`", "QUERY"),
    ("`max_results`", "--max"),
    ("`start`", "--start"),
    ("`date_from`", "--from"),
    ("`date_to`", "--to"),
    ("`categories`", "--categories"),
    ("`sort`", "--sort"),
    ("`sources`", "--sources"),
];

/// A fault with the names that stand on the command line.
fn in_options(fault: &Fault) -> String {
    OPTIONS.iter().fold(fault.to_string(), |text, (argument, option)| {
        text.replace(argument, option)
    })
}

const EXAMPLES: &str = "\
Examples:
  meadow search graph neural networks traffic --from 2023 --categories cs.LG
  meadow search 'ti:attention AND au:vaswani' --sources arxiv
  meadow search thermal runaway --sort date --json | jq '.papers[].title'

Environment: MEADOW_CONTACT (whom arXiv may write to), MEADOW_S2_KEY (key of Semantic Scholar), MEADOW_ARXIV_URL and
MEADOW_S2_URL (other servers; empty turns one off).

Exit codes: 0 somebody answered, 2 wrong use, 3 nobody answered.";

impl Search {
    pub(crate) fn run(&self) -> Result<ExitCode, Failure> {
        logs::start(self.kept.log.as_ref(), LevelFilter::WARN);
        let search = meadow_papers::Search::new(Asked {
            query: self.query.join(" "),
            max_results: Some(self.max),
            start: Some(self.start),
            date_from: self.from.clone(),
            date_to: self.to.clone(),
            categories: self.categories.iter().cloned().collect(),
            sort: Some(self.sort.clone()),
            sources: Some(self.sources.clone()),
        });
        let search = search.map_err(|faults| {
            let faults: Vec<_> = faults.iter().map(in_options).collect();
            Failure::Usage(faults.join("; "))
        })?;
        let place = self.kept.place()?;
        let answer = options::runtime()?.block_on(async {
            let service = Stores::open(&place).await?.service()?;
            Ok::<_, Failure>(service.literature().search(&search).await)
        })?;
        if self.json {
            print_json(&answer)?;
        } else {
            print(&answer.markdown())?;
        }
        Ok(match answer.status {
            Status::Ok | Status::Partial => ExitCode::SUCCESS,
            Status::RateLimited | Status::Unavailable => ExitCode::from(3),
        })
    }
}
