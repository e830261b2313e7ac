//! Papers: searching several sources as one, politely.

use crate::cache::Cache;
use crate::clock::Clock;
use crate::slots::Slots;
use async_trait::async_trait;
use std::fmt;
use std::sync::Arc;

/// Somebody who knows papers.
#[async_trait]
pub trait PaperSource: Send + Sync + fmt::Debug {}

/// The use cases of papers. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Literature {
    sources: Vec<Arc<dyn PaperSource>>,
    cache: Arc<dyn Cache>,
    slots: Arc<dyn Slots>,
    clock: Arc<dyn Clock>,
}

impl Literature {
    /// Use cases over these sources. Without any, every search is answered as unavailable.
    #[must_use]
    pub fn new(
        sources: Vec<Arc<dyn PaperSource>>,
        cache: Arc<dyn Cache>,
        slots: Arc<dyn Slots>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            sources,
            cache,
            slots,
            clock,
        }
    }
}
