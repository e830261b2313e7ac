//! Trace context (W3C Trace Context, level 1): under which trace a request is found in the logs of all who took part in it.
//!
//! Surfaces read it where their protocol has it, and write it into their lines of the log. No spans are made or sent.

/// The most of a `tracestate` that is kept: what the recommendation asks of everybody who passes one on.
const MAX_STATE: usize = 512;

/// The trace that a request belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    id: String,
    parent: String,
    state: Option<String>,
}

impl Trace {
    /// Reads `traceparent` and the `tracestate` beside it. None where the first is not as the recommendation has it; a
    /// second that is not is left out.
    #[must_use]
    pub fn read(traceparent: &str, tracestate: Option<&str>) -> Option<Self> {
        let parts: Vec<_> = traceparent.splitn(5, '-').collect();
        let [version, id, parent, flags, more @ ..] = &parts[..] else {
            return None;
        };
        let is_sound = is_hex(version, 2) && is_hex(id, 32) && is_hex(parent, 16) && is_hex(flags, 2);
        // Later versions may say more behind the flags; `ff` never is one.
        let is_known = *version != "ff" && (more.is_empty() || *version != "00");
        let names = |text: &str| text.bytes().any(|digit| digit != b'0');
        if !is_sound || !is_known || !names(id) || !names(parent) {
            return None;
        }
        Some(Self {
            id: (*id).to_owned(),
            parent: (*parent).to_owned(),
            state: tracestate.and_then(state),
        })
    }

    /// The trace's id: 32 hexadecimal digits.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The id of the caller's span: 16 hexadecimal digits.
    #[must_use]
    pub fn parent(&self) -> &str {
        &self.parent
    }

    /// What tracing systems keep beside it.
    #[must_use]
    pub fn state(&self) -> Option<&str> {
        self.state.as_deref()
    }
}

fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// A list of up to 32 members `key=value` in printable ASCII.
fn state(text: &str) -> Option<String> {
    let text = text.trim();
    let members: Vec<_> = text
        .split(',')
        .map(str::trim)
        .filter(|member| !member.is_empty())
        .collect();
    let is_member = |member: &&str| {
        let pair = member.split_once('=');
        pair.is_some_and(|(key, value)| !key.is_empty() && !value.is_empty())
    };
    let is_plain = text.bytes().all(|b| (b' '..=b'~').contains(&b));
    let is_sound =
        (1..=32).contains(&members.len()) && text.len() <= MAX_STATE && is_plain && members.iter().all(is_member);
    is_sound.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const SPAN: &str = "00f067aa0ba902b7";

    #[test]
    fn a_trace_is_read_as_the_recommendation_has_it() {
        #[track_caller]
        fn check(text: &str, expected: bool) {
            let read = Trace::read(text, None);
            assert_eq!(read.is_some(), expected, "{text}");
            if let Some(trace) = read {
                assert_eq!((trace.id(), trace.parent(), trace.state()), (ID, SPAN, None));
            }
        }
        check(&format!("00-{ID}-{SPAN}-01"), true);
        check(&format!("00-{ID}-{SPAN}-00"), true);
        check(&format!("cc-{ID}-{SPAN}-01"), true);
        check(&format!("cc-{ID}-{SPAN}-01-more-of-it"), true);
        check(&format!("00-{ID}-{SPAN}-01-more"), false);
        check(&format!("00-{ID}-{SPAN}-01-"), false);
        check(&format!("ff-{ID}-{SPAN}-01"), false);
        check(&format!("00-{}-{SPAN}-01", "0".repeat(32)), false);
        check(&format!("00-{ID}-{}-01", "0".repeat(16)), false);
        check(&format!("00-{}-{SPAN}-01", ID.to_uppercase()), false);
        check(&format!("00-{ID}-{SPAN}"), false);
        check(&format!("00-{ID}-{SPAN}-1"), false);
        check(&format!("00-{ID}x-{SPAN}-01"), false);
        check(&format!(" 00-{ID}-{SPAN}-01"), false);
        check(&format!("00-{ID}-{SPAN}-01,00-{ID}-{SPAN}-01"), false);
        check("", false);
        check("----", false);
    }

    #[test]
    fn a_state_that_is_none_is_left_out() {
        let check = |state: &str, kept: bool| {
            let trace = Trace::read(&format!("00-{ID}-{SPAN}-01"), Some(state)).unwrap();
            assert_eq!(trace.state(), kept.then_some(state), "{state}");
        };
        check("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", true);
        check("a=1, b=2", true);
        check(&["a=1"; 32].join(","), true);
        check(&["a=1"; 33].join(","), false);
        check(&format!("a={}", "x".repeat(510)), true);
        check(&format!("a={}", "x".repeat(511)), false);
        check("a", false);
        check("=1", false);
        check("a=ü", false);
        check("a=1\nb=2", false);
        check("", false);
    }
}
