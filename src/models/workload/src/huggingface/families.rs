//! Supported model families, with their keys and the defaults of transformers 5.23.

mod dense;
mod experts;
mod special;

pub(super) use self::special::PARAMS;
use super::rules::{Count, Fallback, Family};

/// Returns all supported families.
pub(super) fn all() -> impl Iterator<Item = &'static Family> {
    let modules: [&[&Family]; 3] = [&dense::ALL, &experts::ALL, &special::ALL];
    modules.into_iter().flatten().copied()
}

const fn count_with_default(keys: &'static [&'static str], missing: u64) -> Count {
    Count { keys, missing: Fallback::Is(missing), null: Fallback::Refuse }
}
const fn vocab(missing: u64) -> Count {
    count_with_default(&["vocab_size"], missing)
}
const fn hidden(missing: u64) -> Count {
    count_with_default(&["hidden_size"], missing)
}
const fn layers(missing: u64) -> Count {
    count_with_default(&["num_hidden_layers"], missing)
}
const fn heads(missing: u64) -> Count {
    count_with_default(&["num_attention_heads"], missing)
}
const fn inner(missing: u64) -> Count {
    count_with_default(&["intermediate_size"], missing)
}
const fn kv(missing: u64) -> Count {
    Count { keys: &["num_key_value_heads"], missing: Fallback::Is(missing), null: Fallback::Heads }
}
const fn head_dim(missing: u64) -> Count {
    Count { keys: &["head_dim"], missing: Fallback::Is(missing), null: Fallback::PerHead }
}
/// Width of a head in families without a configuration key for this width: `hidden` ÷ `heads`.
const PER_HEAD: Count = Count { keys: &[], missing: Fallback::PerHead, null: Fallback::PerHead };
/// Number of key-value heads in families without a configuration key for this number: every query head has its own keys
/// and values.
const ALL_HEADS: Count = Count { keys: &[], missing: Fallback::Heads, null: Fallback::Heads };
const KV_OR_HEADS: Count = Count { keys: &["num_key_value_heads"], missing: Fallback::Heads, null: Fallback::Heads };
const HEAD_DIM: Count = Count { keys: &["head_dim"], missing: Fallback::PerHead, null: Fallback::PerHead };
const N_INNER: Count = Count { keys: &["n_inner"], missing: Fallback::Hidden(4), null: Fallback::Hidden(4) };
const PER_TOKEN: &[&str] = &["num_experts_per_tok"];
const LOCAL_EXPERTS: &[&str] = &["num_local_experts", "num_experts"];
const EXPERTS: &[&str] = &["num_experts", "num_local_experts"];
const MOE_INNER: &[&str] = &["moe_intermediate_size"];
const ROUTED_EXPERTS: &[&str] = &["n_routed_experts"];
