//! The recorded answers of `MEADOW_SHARED`, and a server that plays faults.

mod faults;
mod recorded;

use super::*;

#[test]
fn settings_that_cannot_be_used_are_refused() {
    let config = |change: fn(&mut Config)| {
        let mut config = Config::default();
        change(&mut config);
        sources(&config).map(|sources| sources.len()).map_err(|error| error.to_string())
    };
    assert_eq!(config(|_| {}), Ok(2));
    assert_eq!(config(|config| config.s2_url.clear()), Ok(1));
    assert_eq!(config(|config| config.s2_key = Some(" ".into())), Ok(2));
    for (change, part) in [
        ((|config| config.arxiv_url = "ftp://x".into()) as fn(&mut Config), "the URL of arXiv"),
        (|config| config.arxiv_url = "x".into(), "the URL of arXiv"),
        (|config| config.s2_url = "http://a:b@x".into(), "without user"),
        (|config| config.s2_key = Some("a\nb".into()), "the key"),
        (|config| config.contact = Some("a\r\nX: y".into()), "the contact"),
    ] {
        let said = config(change).expect_err(part);
        assert!(said.contains(part), "{said}");
    }
    let secret = Config { s2_key: Some("hush".into()), ..Config::default() };
    assert!(!format!("{secret:?}").contains("hush"));
}
