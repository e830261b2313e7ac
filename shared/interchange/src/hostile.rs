//! Tests: whatever the bytes, reading ends, does not panic and needs no more memory than its limits say; and what is
//! read becomes a document that parses.

use crate::{MAX_BYTES, Source, read, to_document};
use proptest::prelude::*;

/// Small files of each kind, with most of what readers know.
const SEEDS: [&str; 4] = [
    r#"<?xml version="1.0"?><xmile xmlns="urn:x"><header><name>n</name></header><isee:prefs a="1"/>
<sim_specs method="RK4, Euler"><start>0</start><stop>9</stop><dt reciprocal="true">3</dt></sim_specs><behavior><non_negative/></behavior>
<model><variables><gf name="g" type="discrete"><xscale min="0" max="1"/><ypts>0,1</ypts></gf><stock name="A\nB"><eqn>1</eqn>
<inflow>f</inflow><outflow>"g h"</outflow><outflow>f</outflow></stock><stock name="C"><eqn>a</eqn><outflow>f</outflow></stock>
<flow name="f"><eqn>g(TIME) &lt; 2</eqn><gf><xpts>1,2</xpts><ypts>3;4</ypts></gf></flow><aux name="a"><eqn>C</eqn><units>u</units></aux>
</variables><views><view><connector polarity="+"><from>a</from><to>f</to></connector></view></views></model></xmile>"#,
    r#"{"variables":[{"name":"s","type":"stock","equation":1e3,"inflows":["f","f"],"outflows":["x"]},{"name":"f","type":"flow",
"equation":"s*2","uniflow":true,"graphicalFunction":{"points":[{"x":0,"y":1},[1,2]]}}],"relationships":[{"from":"s","to":"f",
"polarity":"+","reasoning":"r\u0000\n"}],"specs":{"startTime":0,"stopTime":9,"dt":"1/3","method":"gear","saveStep":2},
"feedbackLoops":[{"name":"L","polarity":"-","links":[{"from":"s","to":"f"}]}]}"#,
    "{UTF-8}\nS= INTEG (in-out, 10) ~ u [0,?] ~ a \\\n b |\nT=INTEG(in*2,QUANTUM(3,2)) ~~|\nin=PULSE(1,2)+table(Time) ~~|\nout=WITH \
LOOKUP(S,([(0,0)-(1,1)],(0,0),(1,1))) ~~|\ntable((0,0),(1,1))~~|\n\"q|~\"=SMOOTH3I(in,TIME STEP,1):AND:3 ~~|\n***\n .Control\n***~|\nFINAL \
TIME=9~~|\nINITIAL TIME=0~~|\nSAVEPER=1~~|\nTIME STEP=1/4~~|\n\\\\\\---///\n15:0,0,0,1",
    r#"{"version":"1","system_name":"x","stocks":[{"id":"s"}]}"#,
];

/// Reads, and where a model comes out, writes it as a document and parses that.
#[track_caller]
fn endure(bytes: &[u8]) {
    if let Ok(Source::Model { model, .. }) = read(bytes) {
        let derived = to_document(&model);
        if let Err(refusal) = meadow_model::parse(&derived.text) {
            panic!("{refusal:?} in {}", derived.text);
        }
    }
}

/// A change of a file: what stands at a place is replaced by other bytes.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let other = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..4),
        proptest::sample::select(
            [
                "<",
                ">",
                "\"",
                "&lt;",
                "&#0;",
                "{",
                "}",
                "[",
                "]",
                "(",
                ")",
                "~",
                "|",
                "=",
                "\\",
                "\n",
                "1e999",
                "-",
                "null",
                "é",
                "<stock name='x'>"
            ]
            .map(str::as_bytes)
            .map(<[u8]>::to_vec)
            .to_vec()
        ),
    ];
    let damages = proptest::collection::vec((any::<proptest::sample::Index>(), 0..20_usize, other), 0..6);
    (0..SEEDS.len(), damages).prop_map(|(seed, damages)| {
        let mut bytes = SEEDS[seed].as_bytes().to_vec();
        for (at, length, other) in damages {
            let start = at.index(bytes.len() + 1);
            let end = (start + length).min(bytes.len());
            bytes.splice(start..end, other);
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_files_are_endured(bytes in damaged()) {
        endure(&bytes);
    }

    #[test]
    fn arbitrary_bytes_are_endured(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        endure(&bytes);
    }

    #[test]
    fn files_cut_anywhere_are_endured(seed in 0..SEEDS.len(), at in any::<proptest::sample::Index>()) {
        let bytes = SEEDS[seed].as_bytes();
        endure(&bytes[..at.index(bytes.len())]);
    }
}

#[test]
fn the_seeds_are_read() {
    for seed in SEEDS {
        assert!(read(seed.as_bytes()).is_ok(), "{:?}", read(seed.as_bytes()));
        endure(seed.as_bytes());
    }
}

/// Files of a quarter megabyte, each of which takes quadratic time, deep recursion or much memory where a reader is careless.
#[test]
fn large_and_deep_files_are_endured() {
    let many = |text: &str| text.repeat((1 << 18) / text.len());
    let xmile = |inner: &str| format!("<xmile><model><variables>{inner}</variables></model></xmile>");
    let view = |inner: &str| format!("<xmile><model><views><view>{inner}</view></views></model></xmile>");
    let mut files = vec![
        many("<a>"),
        xmile(&many("<stock name='s'>")),
        format!("{}<xmile><model/></xmile>", many("<!---->")),
        xmile(&many("<stock name='s'><eqn>1</eqn><outflow>f</outflow></stock>")),
        xmile(&many(
            "<flow name='f'><eqn>f</eqn><gf><xpts>0</xpts><ypts>0</ypts></gf></flow>",
        )),
        xmile(&format!(
            "<aux name='a'><eqn>TIME</eqn><gf><xscale min='0' max='1'/><ypts>{}1</ypts></gf></aux>",
            "0,".repeat(1_000_000)
        )),
        xmile(&format!("<aux name='a'><eqn>{}1</eqn></aux>", many("a+"))),
        view(&many(
            "<alias uid='1'/><connector polarity='+'><from><alias uid='2'/></from><to>a</to></connector>",
        )),
        many("{\"variables\":"),
        format!("{{\"variables\":{}", many("[")),
        format!(
            "{{\"relationships\":[],\"variables\":[{{\"name\":\"x\",\"graphicalFunction\":[{}[0,1]]}}]}}",
            many("[0,1],")
        ),
        format!("{{\"specs\":{{}},\"model\":{}", many("{\"model\":")),
        format!("{}{}", many("x=INTEG(2,1)~~|"), many(" ")),
        format!("t({}(1,1))~~|", many("(0,0),")),
        format!("t({})~~|", many("1,")),
        format!("x=INTEG({}a,1)~~|a=1~~|", many("a+")),
        "a=QUANTUM(QUANTUM(QUANTUM(QUANTUM(QUANTUM(QUANTUM(QUANTUM(1,2),2),2),2),2),2),2)~~|".repeat(100),
    ];
    for unit in [
        "{",
        "}",
        "\"",
        "(",
        "[",
        "~",
        "|",
        "\\\n",
        "=",
        ":MACRO:\n",
        "{}",
        "a[",
        "a=\"",
        "a={",
        "t((0,0)",
    ] {
        files.push(format!("a=1~~|{}", many(unit)));
    }
    for file in files {
        endure(file.as_bytes());
    }
}

#[test]
fn what_is_too_large_is_refused_unread() {
    let error = read(&vec![b'<'; MAX_BYTES + 1]).expect_err("refused");
    assert!(error.message.contains("16777216 are the most"), "{error}");
    let json = format!("{{\"variables\":[{}]}}", " ".repeat(4 << 20));
    let error = read(json.as_bytes()).expect_err("refused");
    assert!(error.message.contains("4194304 are the most"), "{error}");
    let long = format!("{}=1~~|", "x".repeat(2_000));
    let error = read(long.as_bytes()).expect_err("refused");
    assert!(
        error.message.ends_with("... has more than 300 characters; shorten it"),
        "{error}"
    );
}
