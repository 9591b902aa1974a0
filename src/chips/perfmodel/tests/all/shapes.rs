//! Tests of padding, bucketing and packing: conserved quantities, and the effects on waste.

use perfmodel::{BatchLayout, Batching, Buckets, LengthMix, ShapeRefusal};
use proptest::prelude::{Strategy, prop_assert, prop_assert_eq, proptest};

/// Returns the lengths of a mix of sequences as in a chat corpus: median 180 tokens, at most 512.
fn mix() -> Vec<u32> {
    LengthMix::LogNormal { median: 180.0, sigma: 0.7, longest: 512 }.lengths(4096, 11).expect("allowed")
}

fn layout(lengths: &[u32], batching: Batching) -> BatchLayout {
    BatchLayout::new(lengths, batching).expect("allowed")
}

fn padded(buckets: Buckets<'_>, sorted: bool) -> Batching<'_> {
    Batching::Padded { batch: 8, sorted, buckets }
}

#[test]
fn finer_buckets_waste_less_and_compile_more() {
    let lengths = mix();
    let policies = [Buckets::One(512), Buckets::PowersOfTwo, Buckets::Multiples(128), Buckets::Exact];
    let layouts = policies.map(|buckets| layout(&lengths, padded(buckets, false)));
    for pair in layouts.windows(2) {
        assert!(pair[0].token_efficiency() <= pair[1].token_efficiency() + 1e-12);
        assert!(pair[0].shapes().len() <= pair[1].shapes().len());
    }
    assert_eq!(layouts[0].shapes(), [512]);
    assert!(layouts[3].shapes().len() > 50);
}

#[test]
fn buckets_recover_little_until_sequences_are_sorted() {
    let lengths = mix();
    let efficiency = |batching| layout(&lengths, batching).token_efficiency();
    let whole = efficiency(padded(Buckets::One(512), false));
    let bucketed = efficiency(padded(Buckets::PowersOfTwo, false));
    let exact = efficiency(padded(Buckets::Exact, false));
    let sorted = efficiency(padded(Buckets::Exact, true));
    // Padding within a batch is most of the waste, and even exact lengths do not remove it. Buckets would remove less.
    assert!(bucketed - whole < 0.1 && exact < 0.75, "{whole} {bucketed} {exact}");
    assert!(sorted > 0.97, "{sorted}");
}

#[test]
fn packing_fills_rows_almost_completely_with_one_shape() {
    let packed = layout(&mix(), Batching::Packed { batch: 8, row: 2048 });
    assert!(packed.token_efficiency() > 0.985, "{}", packed.token_efficiency());
    assert_eq!(packed.shapes(), [2048]);
    // The scores between neighbors in a row are wasted, unless attention skips them.
    assert!(packed.attention_efficiency() < 0.2, "{}", packed.attention_efficiency());
}

#[test]
fn a_worked_batch_of_three_comes_out() {
    // A batch of 4 has sequences of 1, 2 and 5 tokens, padded to multiples of 4. The rows have 8 tokens, and one is
    // empty. 8 of 32 tokens and 30 of 256 pairs are useful.
    let batching = Batching::Padded { batch: 4, sorted: false, buckets: Buckets::Multiples(4) };
    let found = layout(&[1, 2, 5], batching);
    assert_eq!((found.steps.as_slice(), found.padded_tokens(), found.padded_pairs()), ([8].as_slice(), 32, 256));
    assert_eq!((found.token_efficiency(), found.attention_efficiency()), (0.25, 30.0 / 256.0));
}

#[test]
fn first_fit_decreasing_packs_as_by_hand() {
    // The rows have 10 tokens. 7, 6, 4, 3, 2, 2 go into 7+3, 6+4, 2+2, which are three rows.
    assert_eq!(layout(&[2, 7, 3, 6, 4, 2], Batching::Packed { batch: 1, row: 10 }).steps, [10, 10, 10]);
    assert_eq!(layout(&[10, 10], Batching::Packed { batch: 1, row: 10 }).token_efficiency(), 1.0);
}

#[test]
fn what_fits_into_no_shape_is_refused() {
    let refused = |lengths: &[u32], batching| BatchLayout::new(lengths, batching).expect_err("refused");
    let too_long = ShapeRefusal::TooLong { length: 9, longest: 8 };
    assert_eq!(refused(&[9], padded(Buckets::One(8), false)), too_long);
    assert_eq!(refused(&[9], padded(Buckets::List(&[8, 4]), false)), too_long);
    assert_eq!(refused(&[9], Batching::Packed { batch: 1, row: 8 }), too_long);
    assert_eq!(refused(&[9], padded(Buckets::Multiples(0), false)), ShapeRefusal::Length { given: 0 });
    assert_eq!(refused(&[9], Batching::Packed { batch: 1, row: 0 }), ShapeRefusal::Length { given: 0 });
    assert_eq!(refused(&[0], padded(Buckets::Exact, false)), ShapeRefusal::Length { given: 0 });
    assert_eq!(refused(&[], padded(Buckets::Exact, false)), ShapeRefusal::Empty);
    assert_eq!(refused(&[1], Batching::Packed { batch: 0, row: 8 }), ShapeRefusal::Empty);
    let batch = u32::MAX;
    let huge = Batching::Padded { batch, sorted: false, buckets: Buckets::Exact };
    assert_eq!(refused(&[1], huge), ShapeRefusal::TooMany { count: u64::from(batch) });
}

fn lengths() -> impl Strategy<Value = Vec<u32>> {
    proptest::collection::vec(1..600_u32, 1..200)
}

proptest! {
    #[test]
    fn tokens_are_conserved_and_nothing_is_above_all(lengths in lengths(), batch in 1..20_u32, sorted in proptest::bool::ANY) {
        let list = [100, 600, 37];
        let policies = [Buckets::One(600), Buckets::PowersOfTwo, Buckets::Multiples(64), Buckets::List(&list), Buckets::Exact];
        let mut batchings = policies.map(|buckets| Batching::Padded { batch, sorted, buckets }).to_vec();
        batchings.push(Batching::Packed { batch, row: 600 });
        for batching in batchings {
            let found = layout(&lengths, batching);
            prop_assert_eq!(found.tokens, lengths.iter().map(|length| u64::from(*length)).sum::<u64>());
            prop_assert!(found.padded_tokens() >= found.tokens && found.padded_pairs() >= found.pairs);
            prop_assert!(found.attention_efficiency() <= 1.0 && found.token_efficiency() <= 1.0);
            let rows = found.steps.len() as u64 * u64::from(batch);
            let packed = matches!(batching, Batching::Packed { .. });
            prop_assert!(packed || rows < lengths.len() as u64 + u64::from(batch));
        }
    }

    #[test]
    fn exact_rows_of_one_sequence_waste_nothing(lengths in lengths()) {
        let found = layout(&lengths, Batching::Padded { batch: 1, sorted: false, buckets: Buckets::Exact });
        prop_assert_eq!((found.padded_tokens(), found.padded_pairs()), (found.tokens, found.pairs));
    }

    #[test]
    fn packing_leaves_no_two_rows_half_empty(lengths in lengths()) {
        // If two rows were half empty, the sequences of the later row would fit into the earlier row.
        let rows = layout(&lengths, Batching::Packed { batch: 1, row: 600 }).steps.len() as u64;
        let tokens: u64 = lengths.iter().map(|length| u64::from(*length)).sum();
        prop_assert!(rows >= tokens.div_ceil(600) && rows <= lengths.len() as u64);
        prop_assert!(rows <= 1 || tokens > (rows - 1) * 300);
    }

    #[test]
    fn sorting_never_wastes_more_with_exact_rows(lengths in lengths(), batch in 1..20_u32) {
        // The test compares only full batches. After sorting, a partial last batch with empty rows can be the longest.
        let full = &lengths[..lengths.len() / batch as usize * batch as usize];
        if !full.is_empty() {
            let padded = |sorted| layout(full, Batching::Padded { batch, sorted, buckets: Buckets::Exact }).padded_tokens();
            prop_assert!(padded(true) <= padded(false));
        }
    }
}
