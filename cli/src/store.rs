//! What `--store` names, and the use cases over it. The one place that knows which stores there are.

use crate::failure::Failure;
use crate::literature;
use meadow_service::{
    Cache, MemoryCache, MemorySlots, MemoryStore, MemoryTokens, ModelStore, Service, Slots, SystemClock, TokenStore,
    Tokens,
};
use meadow_sqlite::SqliteStore;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

/// Where models are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// `sqlite:PATH`.
    Sqlite(PathBuf),
    /// `memory:`, gone at exit.
    Memory,
    /// `dynamodb:TABLE[?endpoint=URL]`.
    DynamoDb(meadow_dynamodb::Place),
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            // SQLite's own names, which would be files of strange names here.
            Some(("sqlite", ":memory:" | "memory:")) => {
                Err("models are kept in memory with memory: (gone at exit)".to_owned())
            }
            Some(("sqlite", path))
                if path.starts_with("file:") || path.starts_with("//") && !path.starts_with("///") =>
            {
                Err("use a path instead of a URI, such as sqlite:models.db or sqlite:/srv/models.db".to_owned())
            }
            Some(("sqlite", path)) if !path.is_empty() => Ok(Self::Sqlite(path.into())),
            Some(("memory", "")) => Ok(Self::Memory),
            Some(("dynamodb", place)) => place.parse().map(Self::DynamoDb),
            _ => Err(
                "use sqlite:PATH, such as sqlite:models.db, memory: (gone at exit), or dynamodb:TABLE[?endpoint=URL]"
                    .to_owned(),
            ),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::Memory => f.write_str("memory:"),
            Self::DynamoDb(place) => write!(f, "dynamodb:{place}"),
        }
    }
}

impl Place {
    /// Whether what is kept there is there for the next process, too.
    pub(crate) fn lasts(&self) -> bool {
        !matches!(self, Self::Memory)
    }
}

/// What is kept at a place.
#[derive(Debug)]
pub(crate) struct Stores {
    pub(crate) models: Arc<dyn ModelStore>,
    pub(crate) tokens: Arc<dyn TokenStore>,
    pub(crate) cache: Arc<dyn Cache>,
    pub(crate) slots: Arc<dyn Slots>,
}

impl Stores {
    /// Opens what is at `place`. A file is made where there is none, as is the table of an emulator; a table on AWS comes
    /// with the deployment.
    pub(crate) async fn open(place: &Place) -> Result<Self, Failure> {
        Ok(match place {
            Place::Memory => Self {
                models: Arc::new(MemoryStore::new()),
                tokens: Arc::new(MemoryTokens::new()),
                cache: Arc::new(MemoryCache::new()),
                slots: Arc::new(MemorySlots::new()),
            },
            Place::Sqlite(path) => {
                let store = SqliteStore::open(path).map_err(|error| Failure::World(error.to_string()))?;
                let store = Arc::new(store);
                Self {
                    models: store.clone(),
                    cache: store.clone(),
                    slots: store.clone(),
                    tokens: store,
                }
            }
            Place::DynamoDb(place) => {
                let store = meadow_dynamodb::connect(place).await;
                let ready = async {
                    if place.is_emulator() {
                        meadow_dynamodb::create_table(&store).await?;
                    }
                    store.ping().await
                };
                ready.await.map_err(|error| Failure::World(error.to_string()))?;
                let store = Arc::new(store);
                Self {
                    models: store.clone(),
                    cache: store.clone(),
                    slots: store.clone(),
                    tokens: store,
                }
            }
        })
    }

    /// The use cases of models and papers.
    ///
    /// # Errors
    /// Settings of the sources of papers that cannot be used.
    pub(crate) fn service(&self) -> Result<Service, Failure> {
        let service = Service::new(Arc::clone(&self.models), Arc::new(SystemClock));
        Ok(service.with_literature(literature::sources()?, Arc::clone(&self.cache), Arc::clone(&self.slots)))
    }

    /// The use cases of access tokens.
    pub(crate) fn tokens(&self) -> Tokens {
        Tokens::new(Arc::clone(&self.tokens), Arc::new(SystemClock))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<Place, &str>) {
        match (text.parse::<Place>(), expected) {
            (Ok(place), Ok(wanted)) => {
                assert_eq!(place, wanted);
                assert_eq!(place.to_string(), text);
            }
            (Err(said), Err(part)) => assert!(said.contains(part), "{said}"),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn stores_are_named_by_what_they_are() {
        check("memory:", Ok(Place::Memory));
        check("sqlite:a/b.db", Ok(Place::Sqlite("a/b.db".into())));
        check("sqlite:C:\\models.db", Ok(Place::Sqlite("C:\\models.db".into())));
        for text in ["dynamodb:meadow", "dynamodb:meadow?endpoint=http://127.0.0.1:8000"] {
            let place = text.split_once(':').expect("a kind").1.parse().expect("a place");
            check(text, Ok(Place::DynamoDb(place)));
        }
        check("dynamodb:", Err("no name of a DynamoDB table"));
        check("dynamodb:meadow?region=x", Err("unknown here"));
        check("sqlite::memory:", Err("with memory:"));
        check("sqlite:memory:", Err("with memory:"));
        for uri in ["sqlite:file:x.db?mode=memory", "sqlite://models.db"] {
            check(uri, Err("instead of a URI"));
        }
        check("sqlite:///srv/models.db", Ok(Place::Sqlite("/srv/models.db".into())));
        for other in ["", "sqlite", "sqlite:", "memory", "memory:x", "models.db", "postgres:x"] {
            check(other, Err("sqlite:PATH"));
        }
    }
}
