//! The recorded events, and the requests that they came from.

use http::{Method, Request, StatusCode};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// One event.
pub(crate) struct Event {
    pub(crate) name: String,
    /// Which function it goes to.
    pub(crate) function: String,
    /// What is answered.
    pub(crate) status: StatusCode,
    /// The event as Lambda gives it.
    pub(crate) text: String,
}

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../events");

fn read(file: &str) -> String {
    fs::read_to_string(Path::new(FOLDER).join(file)).expect("a file")
}

/// Names of all events, functions and statuses, in the order in which they are sent.
pub(crate) fn order() -> impl Iterator<Item = (String, String, StatusCode)> {
    let lines: Vec<_> = read("order.txt").lines().map(str::to_owned).collect();
    lines.into_iter().map(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        let [name, function, status] = words[..] else {
            panic!("{line}")
        };
        (name.to_owned(), function.to_owned(), status.parse().expect("a status"))
    })
}

/// Names of the event files.
pub(crate) fn files() -> Vec<String> {
    let entries = fs::read_dir(FOLDER).expect("the folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"));
    names
        .filter_map(|name| name.strip_suffix(".json").map(str::to_owned))
        .collect()
}

/// All events with `token` in place of what stands for one.
pub(crate) fn all(token: impl Fn(&str) -> String) -> impl Iterator<Item = Event> {
    order().map(move |(name, function, status)| {
        let text = read(&format!("{name}.json"))
            .replace("{{SPACES 4194305}}", &" ".repeat(4_194_305))
            .replace("{{TOKEN}}", &token("TOKEN"))
            .replace("{{READ_TOKEN}}", &token("READ_TOKEN"))
            .replace("{{BAD_TOKEN}}", &token("BAD_TOKEN"));
        let mut event: Value = serde_json::from_str(&text).expect("JSON");
        // The same on both sides, since faults repeat it.
        event["headers"]["x-request-id"] = name.as_str().into();
        Event {
            text: event.to_string(),
            name,
            function,
            status,
        }
    })
}

impl Event {
    /// What the client sent.
    pub(crate) fn request(&self) -> Request<Vec<u8>> {
        let event: Value = serde_json::from_str(&self.text).expect("JSON");
        let context = &event["requestContext"];
        let (method, target) = if event["version"] == "2.0" {
            let path = event["rawPath"].as_str().expect("a path");
            let stage = format!("/{}", context["stage"].as_str().expect("a stage"));
            let path = path.strip_prefix(&stage).unwrap_or(path);
            (
                &context["http"]["method"],
                format!("{path}?{}", event["rawQueryString"].as_str().expect("a query")),
            )
        } else {
            let query = event["queryStringParameters"].as_object().into_iter().flatten();
            let query: Vec<_> = query
                .map(|(name, value)| format!("{name}={}", value.as_str().expect("text")))
                .collect();
            (
                &event["httpMethod"],
                format!("{}?{}", event["path"].as_str().expect("a path"), query.join("&")),
            )
        };
        let target = target.trim_end_matches('?').replace("浴缸", "%E6%B5%B4%E7%BC%B8");
        let method: Method = method.as_str().expect("a method").parse().expect("a method");
        let mut request = Request::builder().method(method).uri(target);
        for (name, value) in event["headers"].as_object().expect("headers") {
            request = request.header(name, value.as_str().expect("text"));
        }
        for cookie in event["cookies"].as_array().into_iter().flatten() {
            request = request.header("cookie", cookie.as_str().expect("text"));
        }
        let body = event["body"].as_str().unwrap_or_default();
        let body = if event["isBase64Encoded"] == true {
            base64(body)
        } else {
            body.into()
        };
        request.body(body).expect("a request")
    }
}

/// Bytes that are written in Base64.
fn base64(text: &str) -> Vec<u8> {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits: Vec<_> = text.chars().filter_map(|digit| ALPHABET.find(digit)).collect();
    let bytes = digits.chunks(4).flat_map(|part| {
        let bits = part.iter().fold(0, |bits, digit| bits << 6 | digit) << (6 * (4 - part.len()));
        bits.to_be_bytes()[5..]
            .iter()
            .copied()
            .take(part.len() - 1)
            .collect::<Vec<u8>>()
    });
    bytes.collect()
}
