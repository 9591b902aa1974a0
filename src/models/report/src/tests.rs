//! Tests of answers to whole questions, as the page shows them.

use super::{answer as answered, assumptions, figures, invalid, tables};
use display::amount::Amount;
use estimate::{
    Answered, Entry, Estimate, InvalidEntry, ModelQuery, Query, Question, Refusal, Topic, imported, models, rows,
};
use perfmodel::Chip;
use std::sync::Arc;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn question(text: &str) -> Question {
    let ModelQuery { question, invalid, .. } = ModelQuery::parse(text);
    assert_eq!(invalid, [], "{text}");
    question
}

fn answer(text: &str) -> Estimate {
    Estimate::new(&question(text)).expect("an answer")
}

fn mfu(estimate: &Estimate) -> f64 {
    estimate.mfu.expect("possible").ratio
}

#[test]
fn a_single_product_takes_what_a_list_of_it_takes_on_one_chip() {
    let list = imported(b"M,K,N\n300,1000,4096\n").expect("a list");
    for chip in ["tpu-v4", "tpu-v5e", "h100-sxm"] {
        let listed = Estimate::of_content(&question(&format!("chip={chip}&chips=1&pass=prefill")), &list);
        let one = answer(&format!("model=product&m=300&k=1000&n=4096&chip={chip}&chips=64&pass=decode&tokens=1e9"));
        let (listed, one) = (listed.expect("an answer"), one);
        assert_eq!((one.step, one.mfu, one.model_flops), (listed.step, listed.mfu, listed.model_flops), "{chip}");
        let shown = figures(&one);
        assert_eq!(shown.iter().filter(|figure| figure.name == "Time").count(), 1);
        assert!(shown.iter().all(|figure| !figure.note.contains("tokens a step") || figure.value != "unknown"));
        assert!((one.model_flops - 2.0 * 300.0 * 1000.0 * 4096.0).abs() < 1.0, "2 FLOP for each of M · K · N");
    }
    // The last choice of a model counts, as for every entry that is set twice.
    assert!(!question("model=product&model=llama3-8b").is_product);
    let refused = ModelQuery::parse("model=product&k=0").invalid;
    assert_eq!(refused.iter().map(InvalidEntry::entry).collect::<Vec<_>>(), [Some(Entry::K)]);
}

#[test]
fn what_a_list_does_not_say_is_unknown() {
    let given = imported(b"M,K,N\n512,1024,4096\n").expect("a list");
    let list = Estimate::of_content(&question("chip=tpu-v5p&chips=8"), &given).expect("an answer");
    assert_eq!((list.parameters, list.exchange), (None, None));
    let memory = figures(&list).into_iter().find(|one| one.id == "weights-per-chip").expect("a figure");
    assert_eq!((memory.value.as_str(), list.misfit()), ("unknown", None));
    // A step without tokens still has a price.
    let query = Query::parse(Topic::Model, "chip=tpu-v5p&chips=8");
    let asked = Answered::new(query, Some(Arc::new(Ok(given))));
    let usd = 8.0 * list.question.usd_per_chip_hour().expect("a price") * list.step.0 / 3600.0;
    let said = answered(&asked).columns.sentence;
    assert!(said.contains(&format!("{} per step", Amount::Usd(usd))), "{said}");
}

#[test]
fn weights_keys_and_values_take_the_bytes_of_the_format() {
    let held = |text: &str| {
        let all = figures(&answer(&format!("model=llama3-70b&chip=tpu-v5e&chips=8&pass=decode&{text}")));
        all.into_iter().find(|one| one.id == "weights-per-chip").expect("a figure").value
    };
    // The model has 70.6 G weights on 8 chips. The keys and values have 80 layers, 8 heads of 128, and 4 sequences of
    // 2049 tokens.
    let elements = 70.6e9 / 8.0 + 2.0 * 80.0 * 8.0 * 128.0 * 4.0 * 2049.0;
    for (dtype, bytes) in [("bf16", 2.0), ("int8", 1.0)] {
        let text = held(&format!("dtype={dtype}"));
        let found: f64 = text.trim_end_matches(" GB").parse().expect("a number");
        assert!((found * 1e9 / (elements * bytes) - 1.0).abs() < 0.01, "{dtype}: {text}");
    }
}

#[test]
fn chips_beyond_the_heads_of_keys_and_values_hold_copies() {
    // LLaMA 3 70B has 8 heads of keys and values. Each of 64 chips has one head of all 256 sequences: 2 · 80 · 128 ·
    // 8192 · 256 elements.
    let estimate = answer("model=llama3-70b&chip=h100-sxm&chips=64&pass=decode&split=tensor&seq=8191&batch=4");
    let one_head = 2.0 * 80.0 * 128.0 * 8192.0 * 256.0;
    assert!((estimate.held().cached / one_head - 1.0).abs() < 1e-9, "{}", estimate.held().cached);
    // On 8 chips, nothing is held twice, and without tensor parallelism a chip holds its own sequences.
    let eight = answer("model=llama3-70b&chip=h100-sxm&chips=8&pass=decode&split=tensor&seq=8191&batch=4");
    let own = answer("model=llama3-70b&chip=h100-sxm&chips=64&pass=decode&split=fsdp&seq=8191&batch=4");
    assert!((eight.held().cached * 8.0 / one_head - 1.0).abs() < 1e-9);
    assert_eq!(own.held().cached.to_bits(), eight.held().cached.to_bits());
}

#[test]
fn every_question_about_every_model_has_an_answer_or_a_sentence() {
    for model in models() {
        for chip in Chip::all() {
            for rest in ["", "&pass=prefill&seq=300&batch=1", "&pass=decode&batch=1&chips=1", "&split=tensor&chips=8"] {
                let text = format!("model={}&chip={}{rest}", model.id, chip.id);
                match Estimate::new(&question(&text)) {
                    Ok(estimate) => {
                        assert!(estimate.step.0 > 0.0 && estimate.step.0.is_finite(), "{text}");
                        assert!(mfu(&estimate) <= 1.0, "{text}");
                        assert!(!figures(&estimate).is_empty() && !assumptions(&estimate).is_empty());
                        let shares: f64 = rows(&estimate).iter().map(|row| row.share).sum();
                        assert!(shares > 0.5 && shares <= 1.0 + 1e-9, "{text}: {shares}");
                    }
                    Err(why) => {
                        let sentences = invalid::why(&why);
                        assert!(sentences.iter().all(|one| one.ends_with('.')), "{text}: {sentences:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn values_of_ones_own_count_and_say_so() {
    let (one, own) = (answer("chips=64"), answer("chips=64&own=hbm.1200_price.0.8"));
    assert!(own.step < one.step && own.question.usd_per_chip_hour() == Some(0.8));
    let cited: Vec<String> =
        figures(&own).into_iter().flat_map(|figure| figure.citations).map(|one| one.confidence).collect();
    assert!(cited.iter().filter(|confidence| *confidence == "yours: you set it").count() >= 3, "{cited:?}");
    assert!(figures(&one).iter().all(|figure| figure.citations.iter().all(|one| !one.confidence.contains("you set"))));
    // The order in a link does not matter: values are set over the chosen chip.
    let other = answer("own=hbm.1200_price.0.8&price=yours&chips=64&chip=tpu-v5e");
    assert_eq!(other.step, own.step);
    assert_eq!(question("own=clock.1500, hbm.9").text(Entry::Own), "hbm.9_clock.1500");
}

#[test]
fn a_listed_price_is_chosen_and_named() {
    let money = |text: &str| {
        let estimate = answer(text);
        let figure = figures(&estimate).into_iter().find(|one| one.id.contains("million")).expect("money");
        (estimate.question.usd_per_chip_hour(), figure.note)
    };
    assert_eq!(money("").0, Some(1.2));
    assert_eq!(money("price=spot"), (Some(0.24493), "spot, us-central1, 2025-26".to_owned()));
    assert_eq!(money("price=spot&usd=3"), (Some(3.0), "at your price".to_owned()));
    // The page refuses a price of another chip.
    let ModelQuery { question, invalid, .. } = ModelQuery::parse("price=spot.us-central1&chip=h100-sxm");
    assert_eq!(invalid.iter().map(InvalidEntry::entry).collect::<Vec<_>>(), [Some(Entry::Price)]);
    assert_eq!(question.usd_per_chip_hour(), Some(6.88));
}

#[test]
fn files_of_every_kind_are_answered_or_refused_in_sentences() {
    let question = Question::default();
    let config = r#"{"model_type":"llama","hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,
        "num_key_value_heads":8,"intermediate_size":14336,"vocab_size":128256}"#;
    let of = |bytes: &[u8]| {
        imported(bytes).map_err(Refusal::File).and_then(|content| Estimate::of_content(&question, &content))
    };
    let file = of(config.as_bytes()).expect("an answer");
    assert_eq!(file.model_flops.to_bits(), answer("model=llama3-8b").model_flops.to_bits());
    let list = of(b"M,K,N,count,name\n512,1024,4096,2,up\n").expect("an answer");
    assert!((list.model_flops - 4.0 * 512.0 * 1024.0 * 4096.0).abs() < 1.0);
    for bad in [&b""[..], b"{}", b"hello", b"M,K,N\n0,1,2\n", &[0xff; 40], br#"{"model_type":"zebra"}"#] {
        let refused = invalid::why(&of(bad).expect_err("no model"));
        assert!(!refused.is_empty() && refused.iter().all(|sentence| sentence.ends_with('.')), "{refused:?}");
    }
}

fn notes(text: &str) -> Vec<String> {
    answered(&Answered::parse(Topic::Model, text)).columns.remedy.map(|one| one.says).into_iter().collect()
}

#[test]
fn a_number_of_chips_that_is_too_small_says_which_is_not() {
    let said = |text: &str| {
        let answer = answered(&Answered::parse(Topic::Model, text));
        answer.notes.into_iter().find(|(entry, _)| *entry == Entry::Chips).map(|(_, sentence)| sentence)
    };
    // Training needs 16 bytes for each of 7.5 G weights, 120 GB. 8 chips have 128 GB.
    assert_eq!(said("chips=1").as_deref(), Some("The model does not fit on 1 chip: use 8 chips."));
    assert_eq!(said("chips=5").as_deref(), Some("The model does not fit on 5 chips: use 8 chips."));
    assert_eq!(said("chips=8"), None);
    let whole =
        "The model does not fit on 3 chips. With this parallelism, more chips do not help: use another parallelism.";
    assert_eq!(said("chips=3&split=data").as_deref(), Some(whole), "each chip has all weights");
}

#[test]
fn decode_is_shown_by_the_token_and_training_by_the_step() {
    let names = |text: &str| {
        let asked = Answered::parse(Topic::Model, text);
        let (answer, rest) = (answered(&asked), tables(&asked));
        let rest = rest.into_iter().flat_map(|table| table.rows).map(|row| row.cells[0].to_string());
        answer.figures.into_iter().map(|one| one.name.to_owned()).chain(rest).collect::<Vec<_>>()
    };
    let has = |text: &str, name: &str| names(text).iter().any(|one| one == name);
    for (name, decode, train) in [
        ("Time per token", true, false),
        ("Tokens per second per user", true, false),
        ("Step time", false, true),
        ("HFU", false, true),
    ] {
        assert_eq!([has("pass=decode", name), has("", name)], [decode, train], "{name}");
    }
    // Each of 2 chips has 4 sequences, so all tokens per second are 8 times those of a user.
    let answer = answered(&Answered::parse(Topic::Model, "pass=decode&split=tensor&chips=2"));
    let figure = |id: &str| answer.figures.iter().find(|one| one.id == id).expect("a figure").clone();
    let number = |id: &str| {
        let digits: String = figure(id).value.chars().filter(|sign| sign.is_ascii_digit() || *sign == '.').collect();
        digits.parse::<f64>().expect("a number")
    };
    let each = number("tokens-per-second-per-user");
    assert!((number("tokens-per-second") / each / 8.0 - 1.0).abs() < 1e-3, "{each}");
    assert_eq!(figure("tokens-per-second-per-user").note, "8 sequences at once");
}

#[test]
fn a_split_that_costs_ten_times_the_best_is_said_with_both_prices() {
    let text = "model=llama3-8b&chip=tpu-v5e&chips=64&pass=decode";
    let price = |split: &str| {
        let answer = answered(&Answered::parse(Topic::Model, &format!("{text}&split={split}")));
        let figure = answer.figures.into_iter().find(|one| one.id == "usd-per-million-tokens");
        figure.expect("a price").value
    };
    let (dear, best) = (price("fsdp"), price("tensor"));
    let said = notes(&format!("{text}&split=fsdp"));
    assert_eq!(
        said,
        [format!(
            "Fully sharded weights are gathered for every token. A million tokens cost {dear}; with “tensor parallel”, the cost would be {best}."
        )]
    );
    assert_eq!(notes(&format!("{text}&split=tensor")), [""; 0]);
    assert_eq!(notes(""), [""; 0], "training");
    // If the links are not published, nothing is compared.
    assert!(notes("chip=own&own=peak-bf16.200_hbm.900&pass=decode").is_empty());
}
