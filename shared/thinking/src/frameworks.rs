//! Templates of thinking frameworks, one data file each, and the plain text in which one is handed to a model.
//!
//! Its first line is a brake: models tend to call tools again and again instead of writing, and the one thing that
//! every client shows them is the beginning of the text. Nothing in it is JSON, a link, or an order to call a tool.

use crate::language::{self, Language};
use crate::names;
use serde::Deserialize;
use std::sync::LazyLock;

/// The first line of each template.
pub const BRAKE: &str = "【🛑立即停止调用任何工具，请直接在聊天框输出…】";

/// How long after a template was served a call with the same arguments is a repetition, in seconds. The caller has the
/// clock.
pub const REPEATED_WITHIN_SECONDS: u64 = 120;

/// The longest topic that is shown, in characters.
const TOPIC: usize = 200;

/// The longest unknown name that is repeated, in characters.
const NAME: usize = 40;

/// The longest body of a user's own template, in bytes: four times the longest of ours, and small in any context.
pub const LONGEST_BODY: usize = 10_240;

/// All of ours, in the order in which they are listed. A new one is a file and a line here.
const FILES: [&str; 28] = [
    include_str!("../frameworks/swot.json"),
    include_str!("../frameworks/scqa.json"),
    include_str!("../frameworks/5_whys.json"),
    include_str!("../frameworks/first_principles.json"),
    include_str!("../frameworks/pestel.json"),
    include_str!("../frameworks/mece_issue_tree.json"),
    include_str!("../frameworks/fishbone.json"),
    include_str!("../frameworks/six_hats.json"),
    include_str!("../frameworks/ooda.json"),
    include_str!("../frameworks/premortem.json"),
    include_str!("../frameworks/rice.json"),
    include_str!("../frameworks/5w2h.json"),
    include_str!("../frameworks/porter_five_forces.json"),
    include_str!("../frameworks/bcg.json"),
    include_str!("../frameworks/pdca.json"),
    include_str!("../frameworks/smart_okr.json"),
    include_str!("../frameworks/cost_benefit.json"),
    include_str!("../frameworks/decision_matrix.json"),
    include_str!("../frameworks/stakeholder_map.json"),
    include_str!("../frameworks/force_field.json"),
    include_str!("../frameworks/second_order.json"),
    include_str!("../frameworks/inversion.json"),
    include_str!("../frameworks/jtbd.json"),
    include_str!("../frameworks/pyramid.json"),
    include_str!("../frameworks/literature_review.json"),
    include_str!("../frameworks/iceberg.json"),
    include_str!("../frameworks/causal_loop.json"),
    include_str!("../frameworks/leverage_points.json"),
];

#[expect(
    clippy::expect_used,
    reason = "the files are compiled in, and a test reads each of them"
)]
static BUILT_IN: LazyLock<Vec<Framework>> = LazyLock::new(|| {
    let read = |text: &&str| serde_json::from_str(text).expect("a framework of ours is well-formed");
    FILES.iter().map(read).collect()
});

/// A framework in both languages.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Framework {
    /// Its name for machines, such as `mece_issue_tree`.
    pub id: String,
    /// Grows when the template changes in substance.
    pub version: u32,
    /// What else it is called, in any language.
    pub aliases: Vec<String>,
    /// In Chinese.
    pub zh: Face,
    /// In English.
    pub en: Face,
}

/// A framework in one language. A user's own template has a name and a skeleton; the rest is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Face {
    /// What it is called.
    pub name: String,
    /// What it is good for.
    pub when: String,
    /// What it is not good for.
    pub not_when: String,
    /// The steps, in order.
    pub sections: Vec<Section>,
    /// What makes the result good.
    pub rules: Vec<String>,
    /// The outline of the result, line by line.
    pub skeleton: Vec<String>,
}

/// A step of a framework.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// Its heading.
    pub title: String,
    /// The question that it answers.
    pub question: String,
}

/// What is answered to a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Plain text, the whole answer.
    pub text: String,
    /// The id of the framework; none where the name is unknown.
    pub found: Option<String>,
    /// The ids of the three nearest, where the name is unknown.
    pub nearest: Vec<String>,
    /// The language of the text.
    pub language: Language,
}

/// Why a user's file makes no template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OverrideFault {
    /// There is no title with a letter or digit in it.
    #[error("the title {found:?} has no letter or digit: give the template a name")]
    NoTitle {
        /// What stands there.
        found: String,
    },
    /// There is nothing to serve.
    #[error("the template {title:?} has no text: write its outline below the front matter")]
    NoBody {
        /// Its title.
        title: String,
    },
    /// It would fill the context of a model.
    #[error("the template {title:?} has {bytes} bytes, at most {LONGEST_BODY} are served: shorten it")]
    TooLong {
        /// Its title.
        title: String,
        /// Its size.
        bytes: usize,
    },
}

/// A user's own template from the parts of its file: the title and the aliases that its front matter gives, and the
/// text below, which is served as it is.
///
/// # Errors
/// Where there is no name, no text, or too much of it.
pub fn parse_override(title: &str, aliases: &[&str], body: &str) -> Result<Framework, OverrideFault> {
    let name = names::shown(title, 80);
    if names::fold(&name).is_empty() {
        return Err(OverrideFault::NoTitle { found: name });
    }
    if body.len() > LONGEST_BODY {
        return Err(OverrideFault::TooLong {
            title: name,
            bytes: body.len(),
        });
    }
    let visible = |line: &str| {
        line.chars()
            .filter(|c| !c.is_control() || *c == '\t')
            .collect::<String>()
    };
    let lines = body.lines().map(|line| visible(line).trim_end().to_owned());
    // A copy of an answer of ours brings the brake along.
    let mut skeleton: Vec<String> = lines.filter(|line| line != BRAKE).collect();
    let blank = |line: &String| line.is_empty();
    let start = skeleton.iter().take_while(|line| blank(line)).count();
    skeleton.drain(..start);
    while skeleton.last().is_some_and(blank) {
        skeleton.pop();
    }
    if skeleton.is_empty() {
        return Err(OverrideFault::NoBody { title: name });
    }
    let face = Face {
        name: name.clone(),
        skeleton,
        ..Face::default()
    };
    Ok(Framework {
        id: name,
        version: 1,
        aliases: aliases.iter().map(|alias| names::shown(alias, 80)).collect(),
        zh: face.clone(),
        en: face,
    })
}

/// The frameworks that can be asked for: a user's own, then ours.
#[derive(Clone, Debug, Default)]
pub struct Library {
    own: Vec<Framework>,
}

/// The template called `name` among ours. See [`Library::template`].
#[must_use]
pub fn template(name: &str, language: Option<Language>, topic: Option<&str>, repeated: bool) -> Answer {
    Library::default().template(name, language, topic, repeated)
}

impl Library {
    /// Ours and a user's `own`, which go before ours where they share a name.
    #[must_use]
    pub fn with_own(own: Vec<Framework>) -> Self {
        Self { own }
    }

    /// All of them, as they are listed.
    pub fn all(&self) -> impl Iterator<Item = &Framework> {
        let hidden = |ours: &&Framework| !self.own.iter().any(|own| names::fold(&own.id) == names::fold(&ours.id));
        self.own.iter().chain(BUILT_IN.iter().filter(hidden))
    }

    /// The framework with this id, name or alias.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Framework> {
        let wanted = names::fold(name);
        self.all()
            .find(|framework| !wanted.is_empty() && framework.names().any(|name| names::fold(name) == wanted))
    }

    /// The template called `name`, about `topic` where one is given: the brake, the template, one closing line; and the
    /// brake again where the same was served just before (`repeated`). An unknown name is answered with the nearest
    /// three and the whole list, without a brake, for then a call is to follow.
    ///
    /// Without a `language` a Chinese name or topic is answered in Chinese, all else in English.
    #[must_use]
    pub fn template(&self, name: &str, language: Option<Language>, topic: Option<&str>, repeated: bool) -> Answer {
        let topic = topic
            .map(|topic| names::shown(topic, TOPIC))
            .filter(|topic| !topic.is_empty());
        let language = language.unwrap_or_else(|| {
            let named = name.chars().any(language::is_han);
            if named || topic.as_deref().and_then(Language::of) == Some(Language::Chinese) {
                Language::Chinese
            } else {
                Language::English
            }
        });
        let Some(framework) = self.find(name) else {
            return self.unknown(name, language);
        };
        let mut text = framework.text(language, topic.as_deref());
        if repeated {
            text.push('\n');
            text.push_str(BRAKE);
        }
        Answer {
            text,
            found: Some(framework.id.clone()),
            nearest: Vec::new(),
            language,
        }
    }

    fn unknown(&self, name: &str, language: Language) -> Answer {
        let shown = names::shown(name, NAME);
        let nearest = self.nearest(name);
        let label = |framework: &Framework| {
            let (id, name) = (&framework.id, &framework.face(language).name);
            match language {
                _ if id == name => id.clone(),
                Language::Chinese => format!("{id}：{name}"),
                Language::English => format!("{id}: {name}"),
            }
        };
        let near: Vec<String> = nearest.iter().map(|framework| label(framework)).collect();
        let list: Vec<String> = self.all().map(|framework| format!("- {}", label(framework))).collect();
        let list = list.join("\n");
        let text = match language {
            Language::Chinese => {
                let fault = if shown.is_empty() {
                    "没有给出框架名。".to_owned()
                } else {
                    format!("没有名为「{shown}」的框架。")
                };
                let near = near.join("；");
                format!("{fault}\n最接近的三个：{near}\n全部框架（用编号、名称或常见别名都可以）：\n{list}")
            }
            Language::English => {
                let fault = if shown.is_empty() {
                    "No framework was named.".to_owned()
                } else {
                    format!("There is no framework called \"{shown}\".")
                };
                let near = near.join("; ");
                format!(
                    "{fault}\nThe nearest three: {near}\nAll frameworks (an id, a name or a common alias will do):\n{list}"
                )
            }
        };
        Answer {
            text,
            found: None,
            nearest: nearest.into_iter().map(|framework| framework.id.clone()).collect(),
            language,
        }
    }

    /// The three whose names are most alike, the earlier among equals.
    fn nearest(&self, name: &str) -> Vec<&Framework> {
        let wanted = names::fold(name);
        let alike = |framework: &Framework| {
            framework
                .names()
                .map(|name| names::likeness(&names::fold(name), &wanted))
                .max()
                .unwrap_or(0)
        };
        let mut all: Vec<(usize, &Framework)> = self.all().map(|framework| (alike(framework), framework)).collect();
        all.sort_by_key(|(alike, _)| std::cmp::Reverse(*alike));
        all.into_iter().take(3).map(|(_, framework)| framework).collect()
    }
}

/// The words around the data.
struct Labels {
    title: fn(&str) -> String,
    topic: &'static str,
    when: &'static str,
    not_when: &'static str,
    sections: &'static str,
    colon: &'static str,
    rules: &'static str,
    skeleton: &'static str,
    closing: &'static str,
}

const CHINESE: Labels = Labels {
    title: |name| format!("模板：{name}"),
    topic: "主题：",
    when: "适用：",
    not_when: "不适用：",
    sections: "逐项回答：",
    colon: "：",
    rules: "要求：",
    skeleton: "输出骨架：",
    closing: "以上是完整模板，无需再调用工具；现在就用用户的语言写出分析，写完后只问一次是否保存。",
};

const ENGLISH: Labels = Labels {
    title: |name| format!("Template: {name}"),
    topic: "Topic: ",
    when: "Use it for: ",
    not_when: "Not for: ",
    sections: "Answer in turn:",
    colon: ": ",
    rules: "Rules:",
    skeleton: "Outline of the result:",
    closing: "This is the complete template. No further tool call is needed; write the analysis now in the user's language, then ask once whether to save it.",
};

impl Framework {
    /// Everything that it answers to.
    fn names(&self) -> impl Iterator<Item = &str> {
        [&self.id, &self.zh.name, &self.en.name]
            .into_iter()
            .chain(&self.aliases)
            .map(String::as_str)
    }

    fn face(&self, language: Language) -> &Face {
        match language {
            Language::Chinese => &self.zh,
            Language::English => &self.en,
        }
    }

    fn text(&self, language: Language, topic: Option<&str>) -> String {
        let labels = match language {
            Language::Chinese => CHINESE,
            Language::English => ENGLISH,
        };
        let face = self.face(language);
        let mut lines = vec![BRAKE.to_owned(), (labels.title)(&face.name)];
        if let Some(topic) = topic {
            lines.push(format!("{}{topic}", labels.topic));
        }
        for (label, value) in [(labels.when, &face.when), (labels.not_when, &face.not_when)] {
            if !value.is_empty() {
                lines.push(format!("{label}{value}"));
            }
        }
        if !face.sections.is_empty() {
            lines.push(labels.sections.to_owned());
            let section = |(n, section): (usize, &Section)| {
                format!("{}. {}{}{}", n + 1, section.title, labels.colon, section.question)
            };
            lines.extend(face.sections.iter().enumerate().map(section));
        }
        if !face.rules.is_empty() {
            lines.push(labels.rules.to_owned());
            lines.extend(face.rules.iter().map(|rule| format!("- {rule}")));
        }
        lines.push(labels.skeleton.to_owned());
        lines.extend(face.skeleton.iter().cloned());
        lines.push(labels.closing.to_owned());
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests;
