//! Whether a paper was taken back. arXiv has no field for it: authors say so in the comment or the abstract.

/// What may be said to be withdrawn.
const SUBJECTS: [&str; 9] = [
    "paper",
    "papers",
    "article",
    "submission",
    "manuscript",
    "preprint",
    "work",
    "this",
    "note",
];

/// Characters of the abstract that are looked at.
const HEAD: usize = 160;

/// Characters between the subject and the word.
const BETWEEN: usize = 40;

/// Whether the comment or the beginning of the abstract says so.
///
/// The rule is the expression `(paper|…|note)[^.]{0,40}withdrawn|^withdrawn` without regard to case: it finds the
/// wordings in use, and not "the drug was withdrawn"; "this paper money is withdrawn" it takes for one.
#[must_use]
pub fn likely(comment: Option<&str>, summary: Option<&str>) -> bool {
    let head = summary.map(|text| text.trim_start().chars().take(HEAD).collect::<String>());
    comment.is_some_and(says) || head.as_deref().is_some_and(says)
}

fn says(text: &str) -> bool {
    let text = text.trim_start().to_lowercase();
    text.match_indices("withdrawn").any(|(at, _)| {
        if at == 0 {
            return true;
        }
        // What stands before the word, no further back than the last full stop.
        let before = text[..at].rsplit('.').next().unwrap_or_default();
        SUBJECTS.iter().any(|subject| {
            before
                .match_indices(subject)
                .any(|(start, _)| before[start + subject.len()..].chars().count() <= BETWEEN)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wordings_in_use_are_known() {
        for text in [
            "This paper has been withdrawn by the authors.",
            "paper withdrawn by author",
            " This papers has been withdrawn",
            "This has been withdrawn by arXiv administrators due to an unresolvable authorship dispute",
            "Withdrawn: error in lemma 3",
            "12 pages. This submission was WITHDRAWN",
        ] {
            assert!(likely(Some(text), None) && likely(None, Some(text)), "{text}");
        }
    }

    #[test]
    fn other_things_are_withdrawn_too() {
        for text in [
            "The drug was withdrawn from the market",
            "capital is withdrawn from funds",
            "We read this paper. The drug was withdrawn",
            "Money, of which there is a lot in one very long sentence about banks, is withdrawn",
            "",
        ] {
            assert!(!likely(Some(text), Some(text)), "{text}");
        }
        assert!(
            likely(Some("this paper money is withdrawn"), None),
            "known to be taken for one"
        );
        let late = format!("{} this paper is withdrawn", "x".repeat(170));
        assert!(!likely(None, Some(&late)) && likely(Some(&late), None));
    }
}
