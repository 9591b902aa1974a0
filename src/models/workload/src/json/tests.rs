//! Comparison with another JSON reader, `serde_json`.

use super::Value;
use proptest::prelude::{any, prop};
use proptest::{prop_assert, prop_assert_eq, proptest};

/// True if a value equals the value that `serde_json` reads. Numbers are compared as `f64`.
fn alike(ours: &Value<'_>, theirs: &serde_json::Value) -> bool {
    match (ours, theirs) {
        (Value::Null, serde_json::Value::Null) => true,
        (Value::Bool(a), serde_json::Value::Bool(b)) => a == b,
        (Value::Number(a), serde_json::Value::Number(b)) => a.parse::<f64>().ok() == b.as_f64(),
        (Value::Text(a), serde_json::Value::String(b)) => a == b,
        (Value::List(a), serde_json::Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b))
        }
        (Value::Object(_), serde_json::Value::Object(b)) => {
            b.iter().all(|(key, b)| ours.get(key).is_some_and(|a| alike(a, b)))
        }
        _ => false,
    }
}

proptest! {
    #[test]
    fn what_another_reader_takes_is_taken_alike(text in r#"[\[\]{}:,"a\\u0-9eE.+ -]{0,24}"#) {
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        match (Value::parse(&text), theirs) {
            (Ok(ours), Ok(theirs)) => prop_assert!(alike(&ours, &theirs), "{text}"),
            // `serde_json` refuses a number that is too large for `f64`; here numbers stay text.
            (Ok(_), Err(error)) => prop_assert!(error.to_string().contains("out of range"), "{text}: {error}"),
            (Err(error), Ok(_)) => prop_assert!(false, "{text}: {error}"),
            (Err(_), Err(_)) => {}
        }
    }

    #[test]
    fn a_text_survives_being_written_by_another(words in prop::collection::vec(any::<String>(), 0..4)) {
        let text = serde_json::to_string(&words).expect("texts can be written");
        let ours = Value::parse(&text).expect("it is JSON");
        prop_assert_eq!(ours, Value::List(words.into_iter().map(|word| Value::Text(word.into())).collect()));
    }
}

#[test]
fn depth_and_number_of_values_are_bounded() {
    assert!(Value::parse(&"[".repeat(100_000)).is_err());
    assert!(Value::parse(&format!("[{}0]", "0,".repeat(300_000))).is_err());
    assert!(Value::parse(&format!("{}{}", "[".repeat(60), "]".repeat(60))).is_ok());
}
