//! What a reader could not hold or had to repair, gathered so that a hundred cases of one kind are one sentence.

use std::fmt::Write;

/// Names listed in one note; those beyond are counted.
const MAX_NAMES: usize = 50;

/// How much a note matters; the notes of a model are sorted by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    Unsupported,
    Repaired,
    Remark,
}

#[derive(Debug)]
struct Note {
    weight: Weight,
    sentence: &'static str,
    names: Vec<String>,
    count: usize,
}

/// The notes of one file. A sentence may hold `{}` for the names that it is about.
#[derive(Debug, Default)]
pub(crate) struct Notes(Vec<Note>);

impl Notes {
    /// Something of the file that the model does not have.
    pub(crate) fn unsupported(&mut self, sentence: &'static str, name: &str) {
        self.add(Weight::Unsupported, sentence, name);
    }

    /// A fault of the file that was read as it was probably meant.
    pub(crate) fn repaired(&mut self, sentence: &'static str, name: &str) {
        self.add(Weight::Repaired, sentence, name);
    }

    /// Something worth knowing.
    pub(crate) fn remark(&mut self, sentence: &'static str, name: &str) {
        self.add(Weight::Remark, sentence, name);
    }

    fn add(&mut self, weight: Weight, sentence: &'static str, name: &str) {
        // Sentences are few (they stand in the code), so a list is searched.
        let note = match self.0.iter().position(|note| note.sentence == sentence) {
            Some(at) => &mut self.0[at],
            None => self.0.push_mut(Note {
                weight,
                sentence,
                names: Vec::new(),
                count: 0,
            }),
        };
        note.count += 1;
        if note.names.len() < MAX_NAMES && !note.names.iter().any(|known| known == name) {
            note.names.push(name.chars().take(200).collect());
        }
    }

    /// One text for each sentence, the weightiest first, else in the order in which they were met.
    pub(crate) fn finish(mut self) -> Vec<String> {
        self.0.sort_by_key(|note| note.weight);
        self.0.iter().map(Note::text).collect()
    }
}

impl Note {
    fn text(&self) -> String {
        let mut names = self.names.join(", ").replace(['\n', '\r', '\t'], " ");
        if self.names.len() == MAX_NAMES && self.count > MAX_NAMES {
            let _ = write!(names, " and more, {} in all", self.count);
        }
        self.sentence.replace("{}", &names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_of_one_kind_are_one_sentence_and_the_weightiest_comes_first() {
        let mut notes = Notes::default();
        notes.remark("No time unit.", "");
        for name in ["a", "b\nc", "a"] {
            notes.unsupported("Not supported: {}.", name);
        }
        assert_eq!(notes.finish(), ["Not supported: a, b c.", "No time unit."]);
    }

    #[test]
    fn a_long_list_is_cut_and_counted() {
        let mut notes = Notes::default();
        for i in 0..1000 {
            notes.repaired("Twice: {}", &format!("x{i}"));
        }
        let text = notes.finish().remove(0);
        assert!(text.starts_with("Twice: x0, x1, "), "{text}");
        assert!(text.ends_with("x49 and more, 1000 in all"), "{text}");
    }
}
