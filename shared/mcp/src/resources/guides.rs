//! `guide://...`: the method and the members of a document, in English and Chinese.

use super::{MARKDOWN, resource};
use rmcp::model::Resource;

struct Guide {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    text: &'static str,
}

/// To add a guide, add a line.
const GUIDES: [Guide; 2] = [
    Guide {
        name: "systems-thinking",
        title: "Systems thinking with Meadow",
        description: "The method step by step, every member of the document, the twelve leverage points, a complete example",
        text: include_str!("../../texts/guide.en.md"),
    },
    Guide {
        name: "systems-thinking/zh",
        title: "用 Meadow 做系统思考",
        description: "方法与步骤、文档的全部成员、十二个杠杆点和一个完整示例",
        text: include_str!("../../texts/guide.zh.md"),
    },
];

pub(super) fn list() -> impl Iterator<Item = Resource> {
    GUIDES.iter().map(|guide| {
        let uri = format!("guide://{}", guide.name);
        let size = guide.text.trim_end().len();
        resource(
            uri,
            guide.name,
            guide.title,
            guide.description.to_owned(),
            MARKDOWN,
            size,
        )
    })
}

pub(super) fn read(name: &str) -> Option<&'static str> {
    let guide = GUIDES.iter().find(|guide| guide.name == name)?;
    Some(guide.text.trim_end())
}
