//! The use cases.

use crate::cache::{Cache, MemoryCache};
use crate::clock::Clock;
use crate::dynamics::{self, Simulation, Structure, Wanted};
use crate::expressions;
use crate::ids::{BadId, ModelId, Revision, Workspace, WriteId};
use crate::lanes::{Lanes, Share};
use crate::literature::{Literature, PaperSource};
use crate::notes::{NoVault, NoteStore, Notes};
use crate::ports::{Ack, Deleted, Expected, Head, ModelStore, Page, Put, PutOutcome, StoreError, Stored};
use crate::slots::{MemorySlots, Slots};
use crate::source::{Source, packed_size};
use meadow_access::{Refusal as Denial, Scope, Scopes, TokenId};
use meadow_dynamics::compile::compile;
use meadow_dynamics::model::Model;
use meadow_dynamics::problem::Problem;
use meadow_dynamics::program::Program;
use meadow_dynamics::run::{Limits, operations};
use meadow_dynamics::{csv, document};
use meadow_model::limits::{MAX_PACKED, MAX_TEXT};
use meadow_model::patch::PatchError;
use meadow_model::{Document, Refusal, parse};
use meadow_validation::{Report, check_with};
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// Whose models they see.
    pub workspace: Workspace,
    /// What they may do. A surface holds its routes and tools against it, before it calls a use case.
    pub scopes: Scopes,
    /// Who they are.
    pub subject: Subject,
}

/// Who a caller is, as logs may name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The user who started Meadow on this machine.
    Local,
    /// Whoever holds this token.
    Token(TokenId),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local => f.write_str("local"),
            Self::Token(id) => write!(f, "token:{id}"),
        }
    }
}

impl Caller {
    /// The user of this machine, who may do everything in this workspace.
    #[must_use]
    pub fn local(workspace: Workspace) -> Self {
        Self {
            workspace,
            scopes: Scopes::all(),
            subject: Subject::Local,
        }
    }

    /// Whether they have this scope.
    ///
    /// # Errors
    /// The refusal to answer with.
    pub fn need(&self, scope: Scope) -> Result<(), Denial> {
        if self.scopes.has(scope) {
            Ok(())
        } else {
            Err(Denial::Scope(scope))
        }
    }
}

impl Default for Caller {
    fn default() -> Self {
        Self::local(Workspace::default())
    }
}

/// What the caller expects of a model before it is written or deleted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Expectation {
    /// Nothing.
    #[default]
    Any,
    /// There is no such model.
    Absent,
    /// There is such a model.
    Present,
    /// It stands at one of these revisions.
    OneOf(Vec<Revision>),
    /// Something about the workspace's latest model, whichever it is.
    Latest(LatestIs),
}

/// What the caller expects of the workspace's latest model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LatestIs {
    /// There is none.
    Absent,
    /// There is one.
    Present,
    /// It is one of these.
    OneOf(Vec<(ModelId, Revision)>),
}

/// A document that is too large, with both sizes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TooLarge {
    /// Bytes of the text.
    pub size: usize,
    /// Bytes after zstd, where the text itself is within its limit.
    pub packed: Option<usize>,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.packed {
            None => write!(
                f,
                "the document has {} bytes, at most {MAX_TEXT} are allowed",
                self.size
            ),
            Some(packed) => write!(
                f,
                "the document has {} bytes, compressed {packed}; at most {MAX_TEXT} and compressed {MAX_PACKED} are allowed",
                self.size
            ),
        }?;
        f.write_str("; split the model in two, or shorten its descriptions")
    }
}

/// When a client that found the server busy may ask again: by then one of those ahead has ended.
pub const BUSY_SECONDS: u16 = 5;

/// Why a use case did not do what was asked. Each is acted upon differently.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text is no document; nothing was stored.
    #[error("the document was refused")]
    Refused(Refusal),
    /// A patch was not applied; nothing was stored.
    #[error(transparent)]
    Patch(PatchError),
    /// The text is too large; nothing was stored.
    #[error("{0}")]
    TooLarge(TooLarge),
    /// An id cannot be taken.
    #[error(transparent)]
    BadId(#[from] BadId),
    /// The model does not stand as expected; nothing was written. How it stands now.
    #[error("the model does not stand as expected")]
    Conflict(Option<Head>),
    /// There is no such model, revision, or latest model. The text says what there is.
    #[error("{0}")]
    NotFound(String),
    /// Too many large runs and analyses wait already; nothing was begun.
    #[error(
        "the server is busy with large runs and analyses; try again in {} seconds, or make this one smaller, a run \
         by a larger simulation.dt",
        BUSY_SECONDS
    )]
    Busy,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something of ours failed.
    #[error("{0}")]
    Internal(String),
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// A stored document with what was found in it.
#[derive(Debug, Clone)]
pub struct Written {
    /// The model as it stands now.
    pub head: Head,
    /// True when the bytes were those of the revision before, which stays.
    pub unchanged: bool,
    /// True when there was no such model before, or only its tombstone.
    pub created: bool,
    /// What was found.
    pub report: Report,
}

/// What `text` holds and what is found in it: all that a write does before it stores.
///
/// # Errors
/// [`Error::TooLarge`], [`Error::Refused`]; [`Error::Internal`] where its size cannot be measured.
pub fn judge(text: &str) -> Result<(Document<'_>, Report), Error> {
    if text.len() > MAX_TEXT {
        return Err(Error::TooLarge(TooLarge {
            size: text.len(),
            packed: None,
        }));
    }
    let document = parse(text)?;
    let report = report_of(&document);
    let packed = packed_size(text).map_err(|e| Error::Internal(e.to_string()))?;
    if let Some(packed) = packed.filter(|packed| *packed > MAX_PACKED) {
        return Err(Error::TooLarge(TooLarge {
            size: text.len(),
            packed: Some(packed),
        }));
    }
    Ok((document, report))
}

/// What is found in a document, its expressions included.
#[must_use]
pub fn report_of(document: &Document<'_>) -> Report {
    check_with(document, expressions::advise(document))
}

/// A document that may be stored.
struct Judged {
    source: Source,
    /// The id that its name makes.
    slug: ModelId,
    report: Report,
}

/// Bytes from which a text is judged on a thread of its own: more than a millisecond of work, which would keep
/// other requests waiting.
const LARGE: usize = 256 << 10;

/// Does work on a text of `size` bytes without holding up other requests.
pub(crate) async fn apart<T: Send + 'static>(
    size: usize,
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    if size < LARGE {
        return work();
    }
    let worked = tokio::task::spawn_blocking(work).await;
    worked.unwrap_or_else(|error| Err(Error::Internal(error.to_string())))
}

/// Judges a text and prepares it to be stored.
async fn judged(text: Arc<str>) -> Result<Judged, Error> {
    apart(text.len(), move || {
        let (document, report) = judge(&text)?;
        let name = document.system_name.as_str();
        let slug = ModelId::from_name(name);
        let source = Source::new(Arc::clone(&text), name, report.complete);
        Ok(Judged { source, slug, report })
    })
    .await
}

/// Why there is no table of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct NoTable {
    /// The reason, with what to do.
    pub reason: String,
    /// What keeps the model from running, where it cannot be run.
    pub problems: Vec<Problem>,
}

/// A run as CSV, where all of it fits into `most` bytes; none where it takes more than its share.
fn table(model: &Model, most: usize, share: Share) -> Option<Result<Vec<u8>, NoTable>> {
    match compile(model) {
        Ok(program) => share.holds(operations(&program)).then(|| table_of(&program, most)),
        Err(problems) => Some(Err(NoTable {
            reason: "the model cannot be run; errors says why".to_owned(),
            problems,
        })),
    }
}

fn table_of(program: &Program, most: usize) -> Result<Vec<u8>, NoTable> {
    let no_table = |reason: String| NoTable {
        reason,
        problems: Vec::new(),
    };
    let mut bytes = Bounded {
        bytes: Vec::new(),
        room: most,
    };
    let larger = "run it on your machine, which may do more: meadow simulate FILE --csv FILE.csv";
    match csv::write(program, &Limits::default(), &mut bytes) {
        Ok(outcome) if outcome.complete => Ok(bytes.bytes),
        Ok(outcome) => Err(no_table(format!(
            "the run takes more work than a request may: it got to step {} of {}; {larger}",
            outcome.steps, program.grid.steps
        ))),
        Err(_) => Err(no_table(format!(
            "the table of {} rows and {} variables has more than {most} bytes; {larger}",
            program.grid.rows(program.grid.steps),
            program.columns.len()
        ))),
    }
}

/// Bytes in memory, up to a limit.
struct Bounded {
    bytes: Vec<u8>,
    room: usize,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.room = self.room.checked_sub(bytes.len()).ok_or(io::ErrorKind::FileTooLarge)?;
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The use cases over their ports. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Service(Arc<Ports>);

/// What the use cases work with.
#[derive(Debug, Clone)]
struct Ports {
    store: Arc<dyn ModelStore>,
    clock: Arc<dyn Clock>,
    /// Turns of runs and analyses: each keeps a core busy for up to seconds.
    lanes: Arc<Lanes>,
    /// What may be forgotten.
    cache: Arc<dyn Cache>,
    notes: Notes,
    literature: Literature,
}

impl Service {
    /// Use cases over these ports: models; a cache in memory, no notes and no papers until they are given.
    #[must_use]
    pub fn new(store: Arc<dyn ModelStore>, clock: Arc<dyn Clock>) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let cache = Arc::new(MemoryCache::new());
        let slots = Arc::new(MemorySlots::new());
        Self(Arc::new(Ports {
            notes: Notes::new(Arc::new(NoVault), Arc::clone(&clock)),
            literature: Literature::new(Vec::new(), cache.clone(), slots, Arc::clone(&clock)),
            cache,
            store,
            clock,
            lanes: Arc::new(Lanes::new(cores)),
        }))
    }

    /// The same with notes kept there.
    #[must_use]
    pub fn with_notes(mut self, store: Arc<dyn NoteStore>) -> Self {
        let ports = Arc::make_mut(&mut self.0);
        ports.notes = Notes::new(store, Arc::clone(&ports.clock));
        self
    }

    /// The same with papers from these sources, which all processes over the same cache and slots ask in turn.
    #[must_use]
    pub fn with_literature(
        mut self,
        sources: Vec<Arc<dyn PaperSource>>,
        cache: Arc<dyn Cache>,
        slots: Arc<dyn Slots>,
    ) -> Self {
        let ports = Arc::make_mut(&mut self.0);
        ports.cache = Arc::clone(&cache);
        ports.literature = Literature::new(sources, cache, slots, Arc::clone(&ports.clock));
        self
    }

    /// The same with other sources of papers, over the cache and the turns that it has.
    #[must_use]
    pub fn with_sources(mut self, sources: Vec<Arc<dyn PaperSource>>) -> Self {
        let ports = Arc::make_mut(&mut self.0);
        ports.literature = ports.literature.clone().with_sources(sources);
        self
    }

    pub(crate) fn store(&self) -> &dyn ModelStore {
        &*self.0.store
    }

    pub(crate) fn cache(&self) -> &dyn Cache {
        &*self.0.cache
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        &*self.0.clock
    }

    /// The use cases of notes.
    #[must_use]
    pub fn notes(&self) -> &Notes {
        &self.0.notes
    }

    /// The use cases of papers.
    #[must_use]
    pub fn literature(&self) -> &Literature {
        &self.0.literature
    }

    /// Reads, checks and stores a document.
    ///
    /// `id` names the model; without it the id comes from `system_name`.
    ///
    /// # Errors
    /// See [`Error`]; nothing is stored then.
    pub async fn write_model(
        &self,
        caller: &Caller,
        text: &str,
        id: Option<&str>,
        expectation: Expectation,
    ) -> Result<Written, Error> {
        let Judged {
            source,
            slug,
            mut report,
        } = judged(text.into()).await?;
        let id = id.map_or_else(|| Ok(slug), ModelId::new)?;
        let expected = self.expected(caller, &id, expectation).await?;
        let put = Put {
            workspace: caller.workspace.clone(),
            id,
            source: Arc::new(source),
            expected,
            write: WriteId::random().map_err(|e| Error::Internal(e.to_string()))?,
            at: self.0.clock.now(),
        };
        let (ack, unchanged) = match self.0.store.put(put).await? {
            PutOutcome::Stored(ack) => (ack, false),
            PutOutcome::Unchanged(ack) => (ack, true),
            PutOutcome::Conflict(current) => return Err(Error::Conflict(current)),
        };
        let Ack {
            head,
            previous_name,
            previous_latest,
        } = ack;
        let placed = meadow_validation::rules::model_forked::Placed {
            id: head.id.as_str(),
            name: &head.name,
            previous_name: previous_name.as_deref(),
            previous_latest: previous_latest.as_ref().map(ModelId::as_str),
        };
        report
            .advice
            .extend(meadow_validation::rules::model_forked::advise(&placed));
        Ok(Written {
            head,
            unchanged,
            created: previous_name.is_none(),
            report,
        })
    }

    /// What the store must hold the write against.
    pub(crate) async fn expected(
        &self,
        caller: &Caller,
        id: &ModelId,
        expectation: Expectation,
    ) -> Result<Expected, Error> {
        let among = |head: Option<Head>, revisions: Option<&[Revision]>| match head {
            Some(head) if !head.deleted && revisions.is_none_or(|r| r.contains(&head.revision)) => {
                Ok(Expected::Revision(head.revision))
            }
            head => Err(Error::Conflict(head)),
        };
        match expectation {
            Expectation::Any => Ok(Expected::Any),
            Expectation::Absent => Ok(Expected::Absent),
            Expectation::OneOf(revisions) if revisions.len() == 1 => Ok(Expected::Revision(revisions[0])),
            Expectation::OneOf(revisions) => among(self.0.store.head(&caller.workspace, id).await?, Some(&revisions)),
            Expectation::Present => among(self.0.store.head(&caller.workspace, id).await?, None),
            Expectation::Latest(wanted) => {
                // The pointer can move to another model between this look and the commit; what must not be lost,
                // the model's own revision, is held by the store.
                let latest = self.0.store.latest(&caller.workspace).await?.map(|stored| stored.head);
                let holds = match (&wanted, &latest) {
                    (LatestIs::Absent, latest) => latest.is_none(),
                    (LatestIs::Present, latest) => latest.is_some(),
                    (LatestIs::OneOf(tags), Some(head)) => tags
                        .iter()
                        .any(|(id, revision)| *id == head.id && *revision == head.revision),
                    (LatestIs::OneOf(_), None) => false,
                };
                match latest {
                    latest if !holds => Err(Error::Conflict(latest)),
                    Some(head) if head.id == *id => Ok(Expected::Revision(head.revision)),
                    _ => Ok(Expected::Any),
                }
            }
        }
    }

    /// The workspace's latest model.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none, [`Error::Store`].
    pub async fn latest(&self, caller: &Caller) -> Result<Stored, Error> {
        let latest = self.0.store.latest(&caller.workspace).await?;
        latest.ok_or_else(|| Error::NotFound("there is no latest model; write one, or list what there is".into()))
    }

    /// A model as it stands, or one of its kept revisions.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::BadId`], [`Error::Store`].
    pub async fn model(&self, caller: &Caller, id: &str, revision: Option<Revision>) -> Result<Stored, Error> {
        let id = ModelId::new(id)?;
        if let Some(stored) = self.0.store.get(&caller.workspace, &id, revision).await? {
            return Ok(stored);
        }
        let shown = id.as_str();
        Err(Error::NotFound(match revision {
            None => format!("there is no model {shown:?}; list the models to see which there are"),
            Some(n) if self.is_tombstone(caller, &id, n).await? => {
                format!("model {shown:?} was deleted at revision {n}, which has no document; read one before it")
            }
            Some(n) => format!("model {shown:?} has no revision {n} that is kept; list its revisions"),
        }))
    }

    async fn is_tombstone(&self, caller: &Caller, id: &ModelId, revision: Revision) -> Result<bool, StoreError> {
        let before = Some(revision.saturating_add(1));
        let page = self.0.store.revisions(&caller.workspace, id, before, 1).await?;
        let head = page.items.first();
        Ok(head.is_some_and(|head| head.revision == revision && head.deleted))
    }

    /// The model that is meant: the workspace's latest where `id` is none.
    ///
    /// # Errors
    /// As [`Service::latest`] and [`Service::model`].
    pub async fn find(&self, caller: &Caller, id: Option<&str>, revision: Option<Revision>) -> Result<Stored, Error> {
        if let Some(id) = id {
            return self.model(caller, id, revision).await;
        }
        let latest = self.latest(caller).await?;
        match revision {
            Some(revision) if revision != latest.head.revision => {
                self.model(caller, latest.head.id.as_str(), Some(revision)).await
            }
            _ => Ok(latest),
        }
    }

    /// Runs a stored model and tells what it does. A model that cannot be run is an answer, too.
    ///
    /// # Errors
    /// As [`Service::find`]; [`Error::Store`] where the stored text is damaged.
    pub async fn simulate(
        &self,
        caller: &Caller,
        id: Option<&str>,
        revision: Option<Revision>,
        wanted: Wanted,
    ) -> Result<(Head, Simulation), Error> {
        let stored = self.find(caller, id, revision).await?;
        let work = move |model: &Model, _: &Document<'_>, share| dynamics::simulation_within(model, &wanted, share);
        self.computed(stored, work).await
    }

    /// Every saved step of a stored model's run and every variable, as CSV of at most `most` bytes.
    ///
    /// # Errors
    /// As [`Service::simulate`].
    pub async fn simulate_csv(
        &self,
        caller: &Caller,
        id: &str,
        most: usize,
    ) -> Result<(Head, Result<Vec<u8>, NoTable>), Error> {
        let stored = self.model(caller, id, None).await?;
        self.computed(stored, move |model, _, share| table(model, most, share))
            .await
    }

    /// Analyses how a stored model is built: graph, loops, what was declared about them. At most `most` loops, nodes
    /// and edges are named.
    ///
    /// # Errors
    /// As [`Service::find`]; [`Error::Store`] where the stored text is damaged.
    pub async fn analyze(
        &self,
        caller: &Caller,
        id: Option<&str>,
        revision: Option<Revision>,
        most: usize,
    ) -> Result<(Head, Structure), Error> {
        let stored = self.find(caller, id, revision).await?;
        let work = move |model: &Model, document: &Document<'_>, share| {
            Some(Structure {
                evidence: dynamics::evidence(document),
                ..dynamics::structure_within(model, most, share)?
            })
        };
        let (head, mut structure) = self.computed(stored, work).await?;
        self.entitle(caller, &mut structure.evidence).await;
        Ok((head, structure))
    }

    /// Does work on the model of a stored document on a thread of its own, when its turn has come: as a small work
    /// where it is one, else, where it found that it needs more, among the large ones.
    async fn computed<T: Send + 'static>(
        &self,
        Stored { head, text }: Stored,
        work: impl Fn(&Model, &Document<'_>, Share) -> Option<T> + Send + Sync + 'static,
    ) -> Result<(Head, T), Error> {
        let id = head.id.clone();
        let is_long = text.len() >= LARGE;
        let work = Arc::new(move |share: Share| -> Result<Option<T>, Error> {
            let Ok(document) = parse(&text) else {
                let id = id.as_str();
                return Err(StoreError::Damaged(format!("the text of model {id:?} is no document")).into());
            };
            Ok(work(&document::model(&document), &document, share))
        });
        if !is_long && let Some(done) = self.in_turn(Share::Small, Arc::clone(&work)).await? {
            return Ok((head, done));
        }
        match self.in_turn(Share::Whole, work).await? {
            Some(done) => Ok((head, done)),
            None => Err(Error::Internal("a work found the whole share too small".to_owned())),
        }
    }

    /// Does work of this share when its turn has come.
    async fn in_turn<T: Send + 'static>(
        &self,
        share: Share,
        work: Arc<impl Fn(Share) -> Result<T, Error> + Send + Sync + 'static>,
    ) -> Result<T, Error> {
        let turn = self.0.lanes.turn(share).await?;
        let worked = tokio::task::spawn_blocking(move || {
            // Kept until the work is done, even where nobody waits for it any more.
            let _turn = turn;
            work(share)
        });
        worked
            .await
            .unwrap_or_else(|error| Err(Error::Internal(error.to_string())))
    }

    /// A model as it stands with what is found in it.
    ///
    /// # Errors
    /// As [`Service::model`]; [`Error::Store`] where the stored text is damaged.
    pub async fn report(&self, caller: &Caller, id: &str) -> Result<(Head, Report), Error> {
        let Stored { head, text } = self.model(caller, id, None).await?;
        let damaged = StoreError::Damaged(format!("the text of model {id:?} is no document"));
        apart(text.len(), move || {
            let document = parse(&text).map_err(|_| damaged)?;
            Ok((head, report_of(&document)))
        })
        .await
    }

    /// The workspace's models by id, after `after`; at most `limit`.
    ///
    /// # Errors
    /// [`Error::BadId`], [`Error::Store`].
    pub async fn list(&self, caller: &Caller, after: Option<&str>, limit: usize) -> Result<Page<Head, ModelId>, Error> {
        let after = after.map(ModelId::new).transpose()?;
        Ok(self.0.store.list(&caller.workspace, after.as_ref(), limit).await?)
    }

    /// A model's kept revisions, the newest first, before `before`; at most `limit`.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there never was such a model, [`Error::BadId`], [`Error::Store`].
    pub async fn revisions(
        &self,
        caller: &Caller,
        id: &str,
        before: Option<Revision>,
        limit: usize,
    ) -> Result<Page<Head, Revision>, Error> {
        let id = ModelId::new(id)?;
        let page = self.0.store.revisions(&caller.workspace, &id, before, limit).await?;
        if page.items.is_empty() && self.0.store.head(&caller.workspace, &id).await?.is_none() {
            return Err(Error::NotFound(format!(
                "there is no model {:?}; list the models",
                id.as_str()
            )));
        }
        Ok(page)
    }

    /// Deletes a model; its number of revisions goes on counting.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Conflict`], [`Error::BadId`], [`Error::Store`].
    pub async fn delete(&self, caller: &Caller, id: &str, expectation: Expectation) -> Result<Head, Error> {
        let id = ModelId::new(id)?;
        let expected = self.expected(caller, &id, expectation).await?;
        let write = WriteId::random().map_err(|e| Error::Internal(e.to_string()))?;
        match self
            .0
            .store
            .delete(&caller.workspace, &id, expected, write, self.0.clock.now())
            .await?
        {
            Deleted::Done(head) => Ok(head),
            Deleted::Absent => Err(Error::NotFound(format!(
                "there is no model {:?} to delete",
                id.as_str()
            ))),
            Deleted::Conflict(head) => Err(Error::Conflict(Some(head))),
        }
    }

    /// Answers when the store can be reached.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn ping(&self) -> Result<(), Error> {
        Ok(self.0.store.ping().await?)
    }
}

#[cfg(test)]
mod tests;
