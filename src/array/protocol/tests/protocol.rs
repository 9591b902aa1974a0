//! Tests that the protocol agrees with its document: every example runs, every error occurs, and the tables agree.

use std::path::PathBuf;

use proptest::prelude::*;
use protocol::{Code, Failure, Message, Method, Request};
use serde_json::{Value, json};
use studio::{Action, Link, Playhead, Session};

/// A frame without a browser.
struct Frame {
    session: Session,
    playhead: Playhead,
}

impl Frame {
    fn open(query: &str) -> Self {
        let (session, playhead) = Session::open(&Link::parse(query, ""));
        Self { session, playhead }
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value, Failure> {
        let request = Request::read(method, params)?;
        for action in request.actions(&self.session)? {
            match action {
                Action::Edit(edit) => {
                    (self.session, self.playhead, _) = self.session.clone().applied(&edit, self.playhead);
                }
                Action::Move(transport) => self.playhead = self.playhead.moved(transport, &self.session.plan),
                Action::Elapse(_) => {}
            }
        }
        request.answer(&self.session, &self.playhead).map(protocol::Answer::whole)
    }

    fn code(&mut self, method: &str, params: &Value) -> Option<Code> {
        self.ask(method, params).err().map(|failure| failure.code)
    }
}

#[test]
fn every_example_of_the_document_runs() {
    for method in Method::ALL {
        let params: Value = serde_json::from_str(method.example()).expect("JSON");
        let mut frame = Frame::open("");
        let answer = frame.ask(method.id(), &params);
        assert!(answer.is_ok(), "{}: {answer:?}", method.id());
    }
}

#[test]
fn settings_change_all_at_once_or_not_at_all() {
    let mut frame = Frame::open("");
    let state = frame.ask("setState", &json!({ "settings": { "rows": 8, "cols": "8", "df": "os" } })).expect("a state");
    assert_eq!((&state["settings"]["rows"], &state["settings"]["df"]), (&json!(8), &json!("os")));
    let before = frame.ask("getState", &Value::Null).expect("a state");
    let failure = frame.ask("setState", &json!({ "settings": { "m": 9, "rows": 9999 } })).unwrap_err();
    assert_eq!((failure.code, &*failure.path, &*failure.allowed), (Code::Range, "rows", "1 to 1024"));
    assert_eq!(failure.message, "rows = 9999: use a whole number from 1 to 1024.");
    assert_eq!(frame.ask("getState", &json!({})).expect("a state"), before, "nothing changed");
    let mut locked = Frame::open("lock=array");
    assert_eq!(locked.code("setState", &json!({ "settings": { "rows": 8 } })), Some(Code::Locked));
    assert_eq!(locked.code("setState", &json!({ "settings": { "m": 8 } })), None);
}

#[test]
fn matrices_of_ones_own_are_shown_with_their_sizes() {
    let mut frame = Frame::open("");
    let state = frame.ask("setState", &json!({ "settings": { "a": "1,2;3,4", "b": "5;6" } })).expect("a state");
    let settings = &state["settings"];
    assert_eq!((&settings["m"], &settings["k"], &settings["n"]), (&json!(2), &json!(2), &json!(1)));
    assert!(
        state["link"].as_str().is_some_and(|link| link.contains("fill=custom") && link.ends_with("#a=1,2;3,4&b=5;6"))
    );
}

#[test]
fn time_goes_where_it_is_sent() {
    let mut frame = Frame::open("");
    let mut cycle = |method: &str, params: Value| frame.ask(method, &params).expect("a state")["cycle"].as_u64();
    assert_eq!(cycle("seek", json!({ "cycle": 3 })), Some(3));
    assert_eq!(cycle("step", json!({})), Some(4));
    assert_eq!(cycle("step", json!({ "by": -2 })), Some(2));
    assert_eq!(cycle("seek", json!({ "to": "end" })), Some(15));
    assert_eq!(cycle("seek", json!({ "to": "start" })), Some(0));
    assert_eq!(frame.ask("play", &json!({})).expect("a state")["playing"], json!(true));
    assert_eq!(frame.ask("pause", &json!({})).expect("a state")["playing"], json!(false));
}

#[test]
fn the_accounts_add_up_to_all_pe_cycles() {
    let measures = Frame::open("").ask("measure", &json!({})).expect("measures");
    let of = |name: &str| measures[name].as_u64().unwrap_or(0);
    // The run computes 6·4·3 products on 16 PEs in 2·4 + 4 + 6 − 2 cycles (SCALE-Sim, weight-stationary).
    assert_eq!((of("useful"), of("cycles"), of("pe_cycles")), (72, 16, 256));
    let parts = ["useful", "padding", "load", "fill", "drain", "stall"];
    assert_eq!(parts.iter().map(|name| of(name)).sum::<u64>(), 256);
    assert_eq!(measures["utilization_pct"].as_f64(), Some(28.125));
    assert_eq!(measures["array_mfu_pct"].as_f64(), Some(28.125));
    // The cost is $3.22 ÷ (275e12 ÷ 2 · 3600 s) · 10¹⁸ ÷ 28.125%.
    let usd = |of: &Value, name: &str| (of[name].as_f64().expect("known") * 100.0).round();
    assert_eq!(usd(&measures, "array_usd_per_1e18"), 2313.0);
    // Up to cycle 7, 19 of 128 PE-cycles are useful. In cycle 0, none is.
    let mut frame = Frame::open("");
    let state = frame.ask("seek", &json!({ "cycle": 7 })).expect("a state");
    assert_eq!((usd(&state, "array_mfu_so_far_pct"), usd(&state, "array_usd_so_far_per_1e18")), (1484.0, 4382.0));
    assert!(frame.ask("seek", &json!({ "to": "start" })).expect("a state")["array_usd_so_far_per_1e18"].is_null());
}

#[test]
fn every_error_names_what_was_wrong() {
    let mut frame = Frame::open("");
    for (method, params, code) in [
        ("zap", json!({}), Code::Method),
        ("step", json!({ "by": 0 }), Code::Range),
        ("step", json!({ "by": 1.5 }), Code::Range),
        ("step", json!([1]), Code::Params),
        ("seek", json!({}), Code::Params),
        ("seek", json!({ "cycle": 99 }), Code::Range),
        ("seek", json!({ "to": "zebra" }), Code::Range),
        ("getState", json!({ "x": 1 }), Code::Params),
        ("setState", json!({}), Code::Params),
        ("setState", json!({ "settings": { "zebra": 1 } }), Code::Params),
        ("setState", json!({ "settings": { "rows": [4] } }), Code::Params),
        ("setState", json!({ "view": { "rows": 4 } }), Code::Params),
        ("registers", json!({ "cycle": -1 }), Code::Range),
        ("setState", json!({ "settings": { "a": "1,zebra" } }), Code::Range),
        ("export", json!({ "as": "bmp" }), Code::Range),
    ] {
        let failure = frame.ask(method, &params).unwrap_err();
        assert_eq!(failure.code, code, "{method} {params}");
        assert!(!failure.message.is_empty() && failure.message.len() < 400, "{failure:?}");
    }
    // A message is not a link, so an error repeats its values as they were sent.
    for (params, says) in [
        (json!({ "view": { "pe": "zebra" } }), "pe = zebra: use "),
        (json!({ "view": { "cmp": "rows%3D8" } }), "cmp = rows%3D8: use settings of the second run"),
        (json!({ "view": { "cmp": "rows=0" } }), "cmp: rows = 0: use a whole number from 1 to "),
        (
            json!({ "settings": null, "view": null }),
            r#"params = {"settings":null,"view":null}: use settings, view or both."#,
        ),
        (json!({}), "params = {}: use settings, view or both."),
    ] {
        let said = frame.ask("setState", &params).unwrap_err().message;
        assert!(said.starts_with(says), "{params}: {said}");
    }
    let mut large = Frame::open("rows=256&cols=256&m=256&k=256&n=256");
    assert_eq!(large.code("export", &json!({ "as": "csv" })), Some(Code::Size));
    assert_eq!(large.code("export", &json!({ "as": "vcd" })), Some(Code::Size));
    assert_eq!(Failure::version(&json!(2)).code, Code::Version);
}

#[test]
fn an_answer_has_the_number_of_its_request_to_the_last_digit() {
    for id in ["7", "0.1234567890123456", "1.1111111111111111e+23", "-0.0", r#""a \" b""#, "null", "[1,{}]"] {
        let message = Message::read(&format!(r#"{{"method": "ping", "id": {id}}}"#)).expect("a request");
        let answer = message.reply(Ok(Value::Null));
        assert_eq!(answer, format!(r#"{{"id":{id},"ok":true,"result":null,"sap":1}}"#));
        serde_json::from_str::<Value>(&answer).expect("JSON");
        let greeted = protocol::welcome(&format!(r#"{{"sap": 1, "nonce": {id}}}"#)).expect("a welcome");
        assert!(greeted.starts_with(&format!(r#"{{"nonce":{id},"#)), "{greeted}");
    }
    let later = Message::read(r#"{"sap": 2, "method": "ping"}"#).expect("a request");
    assert_eq!(later.request().map_err(|failure| failure.code), Err(Code::Version));
    assert!(Message::read(r#"{"sap": 1, "method": "ping"}"#).expect("a request").request().is_ok());
    let answer = Message::read(r#"{"method": "ping"}"#).expect("a request").reply(Ok(Value::Null));
    assert!(answer.starts_with(r#"{"id":null,"#), "{answer}");
    // Values that are not objects, incomplete JSON, and answers get no answer.
    for text in ["[1]", "7", r#"{"method": "ping""#, &answer] {
        assert_eq!(Message::read(text), None, "{text}");
    }
}

#[test]
fn a_request_that_cannot_be_understood_is_refused_with_its_id() {
    let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
    let unreadable = format!("params = {}: use an object.", protocol::UNREADABLE);
    for (rest, code, message) in [
        (String::new(), "E_METHOD", "null is not a method: use getState"),
        (r#", "method": 7"#.to_owned(), "E_METHOD", "7 is not a method: use getState"),
        (r#", "method": null"#.to_owned(), "E_METHOD", "null is not a method: use getState"),
        (r#", "method": ["ping"]"#.to_owned(), "E_METHOD", r#"["ping"] is not a method: use getState"#),
        (format!(r#", "method": "{}""#, "zebra".repeat(9999)), "E_METHOD", "zebrazebra"),
        (r#", "method": "step", "params": {"by": "NaN"}"#.to_owned(), "E_RANGE", "by = NaN: use a whole number"),
        (format!(r#", "method": "step", "params": {deep}"#), "E_PARAMS", &unreadable),
        (format!(r#", "method": "ping", "sap": {deep}"#), "E_VERSION", "sap = "),
    ] {
        let request = Message::read(&format!(r#"{{"id": 31{rest}}}"#)).expect("a request");
        let failure = request.request().expect_err("it is no request");
        assert!(failure.message.starts_with(message) && failure.message.len() < 400, "{failure:?}");
        let answer: Value = serde_json::from_str(&request.reply(Err(failure))).expect("JSON");
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(31), &json!(code)), "{answer}");
    }
}

/// Returns a strategy for small JSON values.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 12, 4, |inner| {
        let names =
            prop_oneof![Just("settings"), Just("cycle"), Just("by"), Just("to"), Just("as"), Just("rows"), Just("a")];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map(names.prop_map(str::to_owned), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

#[test]
fn no_message_makes_a_frame_fail() {
    let config = proptest::test_runner::Config { cases: 2_000, failure_persistence: None, ..Default::default() };
    let rng = proptest::test_runner::TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &[7; 32]);
    let names: Vec<&str> = Method::NAMES.to_vec();
    proptest::test_runner::TestRunner::new_with_rng(config, rng)
        .run(&(0..names.len(), value()), |(method, params)| {
            let mut frame = Frame::open("");
            let before = frame.ask("getState", &Value::Null).expect("a state");
            if frame.ask(names[method], &params).is_err() {
                prop_assert_eq!(frame.ask("getState", &Value::Null).expect("a state"), before);
            }
            Ok(())
        })
        .expect("it never fails");
}

#[test]
fn the_documents_are_those_of_the_table() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let schema = serde_json::to_string_pretty(&protocol::schema()).expect("JSON") + "\n";
    let link_schema = serde_json::to_string_pretty(&protocol::link_schema()).expect("JSON") + "\n";
    for (path, text) in [
        ("docs/link.md", protocol::link_markdown()),
        ("docs/json/link.schema.json", link_schema),
        ("npm/link.d.ts", protocol::link_types()),
        ("public/link-table.html", protocol::link_page()),
        ("public/host-table.html", protocol::host_page()),
        ("docs/sap.md", protocol::markdown()),
        ("docs/json/sap.schema.json", schema),
        ("npm/protocol.d.ts", protocol::types()),
    ] {
        let path = root.join(path);
        if std::env::var_os("UPDATE").is_some() {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(&path, &text).expect("written");
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == text, "{} is stale: run this test with UPDATE=1", path.display());
    }
}

#[test]
fn the_element_takes_every_setting_and_knows_every_method() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../npm/systolic-playground.mjs");
    let element = std::fs::read_to_string(path).expect("the element");
    for method in Method::ALL {
        assert!(element.contains(&format!("'{}'", method.id())), "{}", method.id());
    }
    let list = |name: &str| -> Vec<&str> {
        let after = element.split_once(&format!("const {name} = [")).expect("a list").1;
        after.split_once(']').expect("its end").0.split('\'').skip(1).step_by(2).collect()
    };
    let settings = list("SETTINGS");
    assert!(settings.iter().copied().eq(studio::Field::ALL.map(studio::Field::id)), "{settings:?}");
    let view = Frame::open("").ask("getState", &json!({})).expect("a state")["view"].clone();
    let parts: Vec<&str> = view.as_object().expect("parts").keys().map(String::as_str).collect();
    let sorted = |mut names: Vec<&str>| {
        names.sort_unstable();
        names.join(" ")
    };
    assert_eq!(sorted(list("VIEW")), sorted(parts));
    // An attribute cannot set the version.
    let entries = studio::Entry::all().filter(|entry| *entry != studio::Entry::Version).map(studio::Entry::name);
    assert_eq!(sorted([list("SETTINGS"), list("VIEW"), list("OTHERS")].concat()), sorted(entries.collect()));
    let in_fragment = studio::Entry::all().filter(|entry| entry.is_in_fragment()).map(studio::Entry::name);
    assert_eq!(sorted(list("IN_FRAGMENT")), sorted(in_fragment.collect()));
}

#[test]
fn a_result_is_rounded_to_the_format_of_results() {
    let settings = "rows=2&cols=2&dt=bf16&adder=a100";
    let result = |query: &str, fragment: &str| {
        let mut frame = Frame::open("");
        (frame.session, frame.playhead) = Session::open(&Link::parse(query, fragment));
        frame.ask("result", &json!({})).expect("a result")
    };
    // An A100 printed the second of these results: https://github.com/jax-ml/jax/issues/17214
    let matrices = "a=-1.6171875,0.5703125&b=127;-4";
    assert_eq!(result(settings, matrices), json!([[-207.664_062_5]]));
    assert_eq!(result(&format!("{settings}&out=bf16"), matrices), json!([[-208.0]]));
    assert_eq!(result(&format!("{settings}&out=bf16"), &format!("{matrices}&c=100")), json!([[-107.5]]));
    // A request of the host can also make these three settings, instead of the link.
    let mut frame = Frame::open("dt=bf16");
    let set = json!({ "a": "-1.6171875,0.5703125", "b": "127;-4", "c": "100", "adder": "a100", "out": "bf16" });
    let state = frame.ask("setState", &json!({ "settings": set })).expect("settings");
    assert_eq!((&state["settings"]["adder"], &state["settings"]["out"]), (&json!("a100"), &json!("bf16")));
    assert_eq!(frame.ask("result", &json!({})), Ok(json!([[-107.5]])));
    let refused = frame.ask("setState", &json!({ "settings": { "dt": "int8", "a": "1", "b": "1", "c": "1" } }));
    let refused = refused.expect_err("int8 has no adder of a chip").message;
    assert!(refused.contains("a100"), "{refused}");
}

#[test]
fn a_state_that_is_set_again_is_the_same_state() {
    for query in [
        "",
        "rows=8&cols=8&df=os&drain=south&m=5&k=6&n=7&dt=bf16&t=9&pe=3.2&speed=10&theme=dark",
        "df=ws&drain=south&passes=3&padm=16&tool=heat&show=useful&class=fill",
        "tool=compare&cmp=df%3Dos&arrays=8&mhz=940",
        "m=2&k=2&n=2&tool=break&break=no-skew",
    ] {
        let before = Frame::open(query).ask("getState", &json!({})).expect("a state");
        let mut frame = Frame::open("rows=2&cols=3&df=is&theme=light&speed=1&pe=0.0&tool=folds");
        let params = json!({ "settings": before["settings"], "view": before["view"] });
        let after = frame.ask("setState", &params).expect("a state");
        assert_eq!((&after["settings"], &after["view"]), (&before["settings"], &before["view"]), "{query}");
    }
}

#[test]
fn the_view_is_set_by_the_names_of_a_link_and_null_is_the_default() {
    let mut frame = Frame::open("");
    let state =
        frame.ask("setState", &json!({ "view": { "pe": "2.1", "theme": "dark", "speed": 10, "class": "fill" } }));
    let view = state.expect("a state")["view"].clone();
    assert_eq!(
        (&view["pe"], &view["theme"], &view["speed"], &view["class"]),
        (&json!("2.1"), &json!("dark"), &json!("10"), &json!("fill"))
    );
    let params = json!({ "settings": { "rows": 8 }, "view": { "pe": "7.3" } });
    assert_eq!(frame.ask("setState", &params).expect("the new array has this PE")["view"]["pe"], json!("7.3"));
    let defaults =
        json!({ "settings": { "rows": null }, "view": { "pe": null, "theme": null, "speed": null, "class": null } });
    let state = frame.ask("setState", &defaults).expect("a state");
    assert_eq!(state["settings"]["rows"], json!(4));
    assert_eq!(state["view"], Frame::open("").ask("getState", &json!({})).expect("a state")["view"]);
    for (view, code, path) in [
        (json!({ "pe": "4.0" }), Code::Range, "pe"),
        (json!({ "pe": "zebra" }), Code::Range, "pe"),
        (json!({ "theme": "pink" }), Code::Range, "theme"),
        (json!({ "tool": true }), Code::Params, "tool"),
        (json!({ "ui": "full" }), Code::Params, "view"),
    ] {
        let failure = frame.ask("setState", &json!({ "settings": { "m": 9 }, "view": view })).unwrap_err();
        assert_eq!((failure.code, &*failure.path), (code, path), "{failure:?}");
        assert!(failure.message.contains(path) || failure.message.contains("ui"), "{failure:?}");
        assert_eq!(frame.ask("getState", &json!({})).expect("a state")["settings"]["m"], json!(6), "nothing changed");
    }
    let own = frame.ask("setState", &json!({ "settings": { "a": "1,2;3,4", "b": "5;6" } })).expect("a state");
    assert_eq!((&own["settings"]["a"], &own["settings"]["fill"]), (&json!("1,2;3,4"), &json!("custom")));
    let back = frame.ask("setState", &json!({ "settings": { "a": null } })).expect("a state");
    assert_eq!((&back["settings"]["a"], &back["settings"]["fill"]), (&Value::Null, &json!("small")));
}

#[test]
fn registers_and_the_result_are_numbers() {
    let mut frame = Frame::open("fill=custom#");
    let state = json!({ "settings": { "rows": 2, "cols": 2, "a": "1,2;3,4", "b": "5,6;7,8" } });
    frame.ask("setState", &state).expect("a state");
    // These products are computed by hand.
    assert_eq!(frame.ask("result", &json!({})), Ok(json!([[19, 22], [43, 50]])));
    let now = frame.ask("registers", &json!({ "cycle": 2 })).expect("registers");
    assert_eq!(now.as_array().map(Vec::len), Some(4));
    // Both rows of B are loaded, and a[0,0] is in PE 0,0.
    let corner = &now[0];
    assert_eq!((&corner["a"], &corner["b"], &corner["psum"]), (&json!(1), &json!(5), &json!(5)), "{corner}");
    assert_eq!(frame.code("registers", &json!({ "cycle": 99 })), Some(Code::Range));
    assert_eq!(Frame::open("rows=1024&cols=1024").code("registers", &json!({})), Some(Code::Size));
    assert_eq!(Frame::open("m=1024&k=1024&n=1024").code("result", &json!({})), Some(Code::Size));
    assert_eq!(
        Frame::open("rows=99999").ask("getState", &json!({})).expect("a state")["notices"].as_array().map(Vec::len),
        Some(1)
    );
}

/// Returns the paths at which a new answer differs from an old answer.
fn missing(old: &Value, new: &Value, path: &str) -> Vec<String> {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => old
            .iter()
            .flat_map(|(name, value)| missing(value, new.get(name).unwrap_or(&Value::Null), &format!("{path}.{name}")))
            .collect(),
        _ if old == new => Vec::new(),
        _ => vec![format!("{path}: {old} became {new}")],
    }
}

/// Checks that an answer still has all its old fields and values. It may have more fields. The allowed values of an
/// error grow with the protocol, so they are not compared.
#[test]
fn an_old_client_finds_each_answer_again() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/golden/sap-1.jsonl");
    let golden = std::fs::read_to_string(path).expect("a file");
    let mut frame = Frame::open("");
    for line in golden.lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let answer = match frame.ask(line["method"].as_str().expect("a method"), &line["params"]) {
            Ok(result) => json!({ "ok": result }),
            Err(Failure { code, path, given, .. }) => {
                json!({ "error": { "code": code.id(), "path": path, "given": given } })
            }
        };
        assert_eq!(
            missing(&line["answer"], &answer, ""),
            Vec::<String>::new(),
            "{} {}",
            line["method"],
            line["params"]
        );
    }
    assert!(golden.lines().count() > 30);
    let (old, new) = (json!({ "a": 1, "b": 2, "c": 3 }), json!({ "a": 1, "b": 4, "d": 5 }));
    assert_eq!(missing(&old, &new, ""), [".b: 2 became 4", ".c: 3 became null"]);
}
