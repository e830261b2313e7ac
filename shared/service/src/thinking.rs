//! Templates of thinking frameworks, and whether one was served just before.

use crate::clock::Timestamp;
use crate::notes::{FRAMEWORKS, NotesError, Template, VaultError};
use crate::service::{Caller, Service};
use crate::source::hex;
use meadow_access::Scope;
use meadow_thinking::frameworks::{REPEATED_WITHIN_SECONDS, parse_override};
use meadow_thinking::{Answer, Framework, Language, Library};
use sha2::{Digest, Sha256};

/// The template that somebody wants.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wanted {
    /// Any name of the framework.
    pub name: String,
    /// What is to be analysed.
    pub topic: Option<String>,
    /// The language of the template; else that of the name and the topic.
    pub language: Option<Language>,
}

impl Service {
    /// The template, from the caller's vault or from ours. Where the same caller was served the same within two minutes it
    /// ends with the brake, which stops models that call in a circle; all of it is there each time, since another client
    /// of the same caller may never have seen it.
    pub async fn template(&self, caller: &Caller, wanted: &Wanted) -> Answer {
        let library = Library::with_own(self.own_frameworks(caller).await);
        let repeated = match library.find(&wanted.name) {
            Some(framework) => self.served_before(caller, framework, wanted).await,
            None => false,
        };
        library.template(&wanted.name, wanted.language, wanted.topic.as_deref(), repeated)
    }

    /// The templates in the caller's vault. One that cannot be used is passed over, since ours go on.
    async fn own_frameworks(&self, caller: &Caller) -> Vec<Framework> {
        if caller.need(Scope::NotesRead).is_err() {
            return Vec::new();
        }
        let notes = match self.notes().folder(&caller.workspace, FRAMEWORKS).await {
            Ok(notes) => notes,
            Err(NotesError::Vault(VaultError::NoVault(_))) => return Vec::new(),
            Err(error) => {
                tracing::warn!(%error, "thinking.own_templates_unread");
                return Vec::new();
            }
        };
        let mut own = Vec::new();
        for Template {
            title, aliases, body, ..
        } in &notes
        {
            let aliases: Vec<&str> = aliases.iter().map(String::as_str).collect();
            match parse_override(title, &aliases, body) {
                Ok(framework) => own.push(framework),
                Err(error) => tracing::warn!(%error, "thinking.own_template_unusable"),
            }
        }
        own
    }

    async fn served_before(&self, caller: &Caller, framework: &Framework, wanted: &Wanted) -> bool {
        let asked = (&framework.id, &wanted.topic, wanted.language);
        let hash = hex(&Sha256::digest(format!("{asked:?}")));
        let key = format!("template#{}#{}#{hash}", caller.workspace, caller.subject);
        let now = self.clock().now();
        let expires = Timestamp(now.0 + REPEATED_WITHIN_SECONDS * 1000);
        let marked = self.cache().mark(&key, now, expires).await;
        marked.unwrap_or_else(|error| {
            // The template is worth more than the knowledge that it was served before.
            tracing::warn!(%error, "thinking.mark_failed");
            false
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::memory::MemoryStore;
    use crate::notes::{MemoryNotes, Mode, Save};
    use crate::service::Subject;
    use meadow_thinking::frameworks::BRAKE;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[derive(Debug, Default)]
    struct Hand(AtomicU64);

    impl Clock for Hand {
        fn now(&self) -> Timestamp {
            Timestamp(self.0.load(Ordering::Relaxed))
        }
    }

    #[tokio::test]
    async fn a_users_own_template_goes_before_ours() {
        let clock = Arc::new(Hand::default());
        let notes = Arc::new(MemoryNotes::new());
        let service = Service::new(Arc::new(MemoryStore::new()), clock).with_notes(notes);
        let me = Caller::default();
        for (filename, content) in [
            (
                "_frameworks/x.md",
                "---\ntitle: SWOT\naliases: [Team check]\n---\n## Ours\n- first\n",
            ),
            ("_frameworks/empty.md", "---\ntitle: Empty\n---\n"),
            ("elsewhere.md", "---\ntitle: SCQA\n---\nnot a template"),
        ] {
            let save = Save {
                filename,
                content,
                mode: Mode::Create,
                if_match: None,
            };
            service.notes().save(&me.workspace, save).await.expect("a note");
        }
        let text = async |caller: &Caller, name: &str| {
            let wanted = Wanted {
                name: name.to_owned(),
                ..Wanted::default()
            };
            service.template(caller, &wanted).await.text
        };
        for name in ["swot", "team check"] {
            let text = text(&me, name).await;
            assert!(text.starts_with(BRAKE) && text.contains("## Ours\n- first"), "{text}");
        }
        assert!(!text(&me, "scqa").await.contains("not a template"));
        assert!(text(&me, "pestel").await.starts_with(BRAKE));
        let stranger = Caller {
            scopes: Scope::Research.into(),
            ..Caller::default()
        };
        assert!(
            !text(&stranger, "swot").await.contains("## Ours"),
            "whoever may not read notes gets ours"
        );
    }

    #[tokio::test]
    async fn a_repetition_within_two_minutes_ends_with_the_brake() {
        let clock = Arc::new(Hand::default());
        let service = Service::new(Arc::new(MemoryStore::new()), clock.clone());
        let me = Caller::default();
        let wanted = |name: &str, topic: Option<&str>| Wanted {
            name: name.to_owned(),
            topic: topic.map(str::to_owned),
            language: None,
        };
        let ends = async |caller: &Caller, wanted: &Wanted| {
            let text = service.template(caller, wanted).await.text;
            assert!(text.starts_with(BRAKE), "{text}");
            assert!(text.lines().count() > 10, "{text}");
            text.ends_with(BRAKE)
        };
        let swot = wanted("SWOT", None);
        assert!(!ends(&me, &swot).await);
        assert!(ends(&me, &swot).await);
        assert!(
            ends(&me, &wanted("swot analysis", None)).await,
            "another name of the same"
        );
        assert!(!ends(&me, &wanted("SWOT", Some("tea"))).await, "another topic");
        assert!(!ends(&me, &wanted("SCQA", None)).await, "another framework");
        let other = Caller {
            subject: Subject::Token("abcdefghij".parse().expect("an id")),
            ..Caller::default()
        };
        assert!(!ends(&other, &swot).await, "another caller");
        clock.0.store(119_999, Ordering::Relaxed);
        assert!(ends(&me, &swot).await);
        clock.0.store(120_000, Ordering::Relaxed);
        assert!(!ends(&me, &swot).await, "the mark is two minutes old");
    }
}
