//! Tests of sentences about impossible runs, and of tables of possible runs.

use super::super::{Answer, answer};
use super::*;
use estimate::{Answered, Topic};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn shown(text: &str) -> Answer {
    answer(&Answered::parse(Topic::Model, text))
}

fn table(text: &str, id: TableId) -> Vec<Vec<String>> {
    let all = super::super::tables(&Answered::parse(Topic::Model, text));
    let found = all.iter().find(|table| table.id == id);
    found.map(|table| table.rows.iter().map(Row::texts).collect()).unwrap_or_default()
}

#[test]
fn a_run_that_cannot_be_says_what_cannot_be_true() {
    let text = "model=bert-large&chip=tpu-v3&chips=v3-512&seq=246&batch=64&tokens=8.52e10&measured=76 min/run";
    let answer = shown(text);
    let [(Entry::Measured, sentence)] = &answer.beside_entries[..] else { panic!("{:?}", answer.beside_entries) };
    assert!(sentence.starts_with("76 min for 8.52 × 10¹⁰ tokens on 256 × TPU v3 would be 113."), "{sentence}");
    assert!(
        sentence.contains("these chips would reach only 86.2")
            || sentence.contains("these chips would reach only 86.3")
    );
    assert!(sentence.contains("34.3 % (GPT J 6B on 128 chips)"), "{sentence}");
    assert_eq!(answer.figures[0].value, "refused");
    assert!(table(text, TableId::Ladder).is_empty());
}

#[test]
fn a_run_that_can_be_is_taken_apart_from_the_peak() {
    let text = "model=llama3-8b&chip=tpu-v5e&chips=64&measured=250000 tokens/s";
    let answer = shown(text);
    assert_eq!(answer.beside_entries, []);
    let ids: Vec<&str> = answer.figures.iter().take(3).map(|figure| figure.id).collect();
    assert_eq!(ids, ["own-mfu", "own-hfu", "own-against-prediction"]);
    let rows = table(text, TableId::Ladder);
    assert_eq!(rows.len(), 5);
    assert_eq!(rows[4][2], answer.figures[0].value, "the last rung is the run");
}

#[test]
fn a_claim_is_answered_with_what_it_takes() {
    let text = "model=llama2-7b&chip=tpu-v5e&chips=8&versus=a100-40&claim=4.6 faster";
    let answer = shown(text);
    let [(Entry::Claim, sentence)] = &answer.beside_entries[..] else { panic!("{:?}", answer.beside_entries) };
    assert!(sentence.contains(" %, which is impossible. The claim would be true if 8 × A100 40GB"), "{sentence}");
    assert!(table(text, TableId::Claim).len() >= 8 && !table(text, TableId::Apart).is_empty());
    let possible = shown("model=llama2-7b&chip=tpu-v6e&chips=8&versus=tpu-v5e&claim=3 faster");
    assert_eq!(possible.beside_entries, []);
    assert!(possible.notes.iter().any(|(entry, note)| *entry == Entry::Claim && note.contains("would need an MFU of")));
}

#[test]
fn every_sentence_ends() {
    for text in
        ["measured=76 min/run", "claim=2 faster", "versus=tpu-7x&claim=2 cheaper", "measured=5", "than=x", "claim=2"]
    {
        let answer = shown(text);
        assert_eq!(answer.beside_entries.len(), 1, "{text}: {:?}", answer.beside_entries);
        assert!(answer.beside_entries.iter().all(|(_, said)| said.ends_with('.')), "{:?}", answer.beside_entries);
    }
}
