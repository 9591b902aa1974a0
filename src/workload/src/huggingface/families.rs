//! The families of models that are known: their keys and the defaults of transformers 5.23.

mod classics;
mod decoders;
mod experts;

use super::rules::{Else, Family, Number};

/// Every family that is known.
pub(super) fn all() -> impl Iterator<Item = &'static Family> {
    [&decoders::ALL[..], &classics::ALL, &experts::ALL].into_iter().flatten().copied()
}

const fn of(keys: &'static [&'static str], missing: u64) -> Number {
    Number { keys, missing: Else::Is(missing), null: Else::Refuse }
}
const fn vocab(missing: u64) -> Number {
    of(&["vocab_size"], missing)
}
const fn hidden(missing: u64) -> Number {
    of(&["hidden_size"], missing)
}
const fn layers(missing: u64) -> Number {
    of(&["num_hidden_layers"], missing)
}
const fn heads(missing: u64) -> Number {
    of(&["num_attention_heads"], missing)
}
const fn inner(missing: u64) -> Number {
    of(&["intermediate_size"], missing)
}
const fn kv(missing: u64) -> Number {
    Number { keys: &["num_key_value_heads"], missing: Else::Is(missing), null: Else::Heads }
}
const fn head_dim(missing: u64) -> Number {
    Number { keys: &["head_dim"], missing: Else::Is(missing), null: Else::PerHead }
}
/// The head's width is not a key: it follows from the others.
const PER_HEAD: Number = Number { keys: &[], missing: Else::PerHead, null: Else::PerHead };
/// Every query head has keys and values of its own, or the family asks elsewhere.
const ALL_HEADS: Number = Number { keys: &[], missing: Else::Heads, null: Else::Heads };
const KV_OR_HEADS: Number = Number { keys: &["num_key_value_heads"], missing: Else::Heads, null: Else::Heads };
const HEAD_DIM: Number = Number { keys: &["head_dim"], missing: Else::PerHead, null: Else::PerHead };
const N_INNER: Number = Number { keys: &["n_inner"], missing: Else::Hidden(4), null: Else::Hidden(4) };
const PER_TOKEN: &[&str] = &["num_experts_per_tok"];
const LOCAL_EXPERTS: &[&str] = &["num_local_experts", "num_experts"];
const ROUTED_EXPERTS: &[&str] = &["n_routed_experts"];
