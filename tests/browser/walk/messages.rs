//! Walk by messages: random requests of a host to a frame, each of which must have an answer.

use serde_json::{Value, json};
use whole::browser::Page;

use super::variable;
use crate::dice::Dice;
use crate::host;

/// Number of requests in the CI check.
const REQUESTS: u64 = 300;

/// Number of requests in progress at once.
const AT_ONCE: usize = 25;

/// Methods that `protocol` knows, and one that it does not know.
const METHODS: [&str; 13] = [
    "getState", "setState", "setState", "setState", "step", "seek", "play", "pause", "measure", "describe", "ping",
    "export", "zebra",
];

const SETTINGS: [&str; 14] =
    ["rows", "cols", "m", "k", "n", "df", "dt", "fill", "break", "show", "cmp", "a", "theme", "zebra"];

/// Random value: some of the values are valid for a setting, others are valid for none.
fn value(dice: &mut Dice) -> Value {
    let values = [
        json!(1),
        json!(4),
        json!(16),
        json!(256),
        json!(65_536),
        json!(0),
        json!(-1),
        json!(0.5),
        json!(1e300),
        json!("os"),
        json!("is"),
        json!("int8"),
        json!("no-skew"),
        json!("sum"),
        json!("1,2;3,4"),
        json!("\u{1b}[31m\u{202e}"),
        json!("<b>8</b>"),
        json!("start"),
        json!("end"),
        json!("svg"),
        json!("csv"),
        json!(null),
        json!(true),
        json!([1, [2]]),
        json!({ "rows": 8 }),
        json!("zebra".repeat(10_000)),
    ];
    values[dice.below(values.len())].clone()
}

fn params(dice: &mut Dice, method: &str) -> Value {
    let name = match method {
        "setState" => "settings",
        "step" => "by",
        "seek" => ["to", "cycle"][dice.below(2)],
        "export" => "as",
        _ => "zebra",
    };
    if dice.once_in(8) {
        return value(dice);
    }
    let given = if method == "setState" && !dice.once_in(8) {
        let settings = (0..=dice.below(3)).map(|_| (dice.pick(&SETTINGS).to_owned(), value(dice)));
        Value::Object(settings.collect())
    } else {
        value(dice)
    };
    json!({ name: given })
}

/// Script that sends all requests at once. It lists the requests with no answer, or with an answer that is neither a
/// result nor an error of the protocol.
const SEND: &str = "const [requests, done] = arguments; const element = document.querySelector('systolic-playground'); \
    const late = new Promise(said => setTimeout(said, 15000, 'no answer')); \
    const one = async ([method, params]) => { try { await Promise.race([element.ask(method, params), \
        late.then(said => { throw new Error(said); })]); } catch (error) { \
        if (!/^E_[A-Z]+$/.test(error.code ?? '')) return `${method} ${JSON.stringify(params).slice(0, 200)}: ${error}`; } }; \
    Promise.all(requests.map(one)).then(all => done(all.filter(Boolean)))";

#[test]
#[expect(clippy::print_stdout, reason = "what a walk came to is for whoever runs a long one")]
fn hundreds_of_random_messages_are_answered_each() {
    let seed = variable("SEED").unwrap_or(0x5eed);
    // The variable KEYS sets the length of all walks in a soak test, also of this walk.
    let n = variable("KEYS").map_or(REQUESTS, |keys| keys.max(REQUESTS));
    let mut dice = Dice::new(seed);
    let page: Page = host::host(host::ELEMENT);
    let mut sent = 0;
    while sent < n {
        let requests: Vec<Value> = (0..AT_ONCE)
            .map(|_| {
                let method = dice.pick(&METHODS);
                json!([method, params(&mut dice, method)])
            })
            .collect();
        sent += requests.len() as u64;
        let wrong = page.js_asking(SEND, json!(requests));
        assert_eq!(wrong, json!([]), "seed {seed}, among the requests {requests:#?}");
    }
    println!("{sent} messages from seed {seed}: each was answered");
    // After any requests, the frame accepts settings and measures as at the beginning.
    let settings = json!({ "settings": { "rows": 4, "cols": 4, "m": 6, "k": 4, "n": 3, "df": "ws", "dt": "int8", "fill": "small" } });
    let set = host::ask(&page, "setState", &settings);
    assert!(set["error"].is_null(), "seed {seed}: {set:#}");
    assert_eq!(host::ask(&page, "measure", &json!({}))["ok"]["useful"], json!(72));
    assert_eq!(page.console_errors(), Vec::<String>::new(), "seed {seed}");
}
