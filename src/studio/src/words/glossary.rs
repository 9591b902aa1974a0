//! Every word of the field that the page uses, in one sentence.

/// A word and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its place in an address, after `glossary-`.
    pub id: &'static str,
    /// The word as the page writes it; several ways are apart by commas.
    pub term: &'static str,
    /// What it means, in 30 words at most.
    pub sentence: &'static str,
}

/// Heading of the list.
pub const TITLE: &str = "Glossary";

/// What comes before the name of an entry in an address.
const PREFIX: &str = "glossary";

const fn entry(id: &'static str, term: &'static str, sentence: &'static str) -> Entry {
    Entry { id, term, sentence }
}

/// All entries, in the order in which a newcomer needs them.
pub const ENTRIES: [Entry; 52] = [
    entry(
        "pe",
        "PE, processing element",
        "One cell of the array: it multiplies two numbers, adds the product to a sum, and passes numbers on to its neighbors.",
    ),
    entry("array", "array, rows, cols", "A grid of PEs that all work in step; each PE talks only to its neighbors."),
    entry(
        "matrices",
        "A, B, C, M, K, N",
        "A has M rows of K numbers, B has K rows of N; C = A × B has M rows of N, each a sum of K products.",
    ),
    entry(
        "element",
        "a[m,k], b[k,n], c[m,n]",
        "One number of a matrix: a[2,1] is in row 2 and column 1 of A, both counted from 0.",
    ),
    entry(
        "axis",
        "m =, k =, n =",
        "At the edge of the array these say which row or column of the matrices belongs to that row or column of PEs.",
    ),
    entry(
        "cycle",
        "cycle",
        "One tick of the clock; in each cycle every PE does at most one multiplication. Cycles are counted from 0.",
    ),
    entry(
        "mac",
        "MAC, multiply-accumulate",
        "One multiplication and the addition of its product to a sum; it counts as two floating-point operations.",
    ),
    entry(
        "dataflow",
        "dataflow, what stays in the PEs",
        "Which of the three matrices stays in the PEs while the other two move through the array.",
    ),
    entry(
        "weight-stationary",
        "weight-stationary, WS",
        "Each PE keeps one number of B, its weight; rows of A move east and sums move south.",
    ),
    entry(
        "output-stationary",
        "output-stationary, OS",
        "Each PE keeps the sum of one element of C; A moves east and B moves south.",
    ),
    entry(
        "input-stationary",
        "input-stationary, IS",
        "Each PE keeps one number of A; columns of B move east and sums move south.",
    ),
    entry("weight", "weight", "A number of B that a PE holds, named after the weights of a neural network."),
    entry(
        "psum",
        "partial sum, sum, Σ",
        "A sum to which some of its K products have been added; the last one makes it an element of C.",
    ),
    entry(
        "wave",
        "wave, wavefront",
        "The diagonal on which PEs start to work: every PE starts one cycle after its neighbors to the left and above.",
    ),
    entry(
        "skew",
        "skew, skew registers",
        "Row r of the array receives its numbers r cycles late, so that the right numbers meet; registers at the edge delay them.",
    ),
    entry(
        "edge",
        "north, west, south, east",
        "The sides of the array as on a map: north is up. Numbers enter in the west and north and leave in the south.",
    ),
    entry("load", "loading", "Cycles in which the matrix that stays is shifted into the PEs, one row a cycle."),
    entry("fill", "filling", "Cycles in which a PE waits for the wave to reach it for the first time."),
    entry("steady", "full, steady", "Cycles in which all used PEs multiply at once."),
    entry(
        "drain",
        "draining",
        "Cycles in which a PE is finished and waits until the last results have left the array.",
    ),
    entry("stall", "stall, stalled", "A PE waits because the edge of the array delivers its numbers too slowly."),
    entry(
        "used",
        "used PE, mapped PE",
        "A PE on which this fold places a part of the matrices; the others are unused.",
    ),
    entry(
        "padding",
        "padding, unused",
        "PEs that have no part of the matrices, and multiplications by zeros that only fill the array up.",
    ),
    entry("ragged", "ragged edge, leave idle", "The last fold does not fill the array; the PEs left over do nothing."),
    entry(
        "pad-zero",
        "fill with 0",
        "The matrices are filled up with zeros to a multiple of the array; all PEs multiply, some of them zeros.",
    ),
    entry(
        "pad-multiple",
        "round M up",
        "Zero rows are added to A until M is a multiple of a number, as compilers do for hardware tiles.",
    ),
    entry(
        "fold",
        "fold, tile",
        "One pass over the array. Matrices larger than the array are cut into tiles, and each fold multiplies one of them.",
    ),
    entry(
        "accumulator",
        "accumulators",
        "Memory beside the array that adds the results of folds that belong to the same element of C.",
    ),
    entry(
        "overlap",
        "overlap of folds, double-buffered",
        "The next fold starts before the one before it ends: its weights load into shadow registers while the array still multiplies.",
    ),
    entry(
        "shadow",
        "shadow register",
        "A second register in a PE that takes the next fold's weight while the present one is still in use.",
    ),
    entry(
        "pe-slots",
        "PE-slots, PE-cycles",
        "All chances to multiply: the number of PEs times the number of cycles. Each slot is useful or lost to one cause.",
    ),
    entry(
        "utilization",
        "busy, utilization",
        "The share of all PE-slots in which a PE makes a useful multiplication; it is about this array alone.",
    ),
    entry("occupancy", "occupancy", "The share of PEs that a fold uses, averaged over all folds; time does not count."),
    entry(
        "mfu",
        "MFU, model FLOP utilization",
        "Useful floating-point operations divided by all that the whole chip could do in the same time.",
    ),
    entry(
        "array-time",
        "array time only",
        "The time of one array's cycles at the chip's clock, without starting the program or moving data from memory.",
    ),
    entry(
        "one-array",
        "one array on a chip",
        "A chip has several arrays; the figures give this run one of them, at that chip's rate per multiplier.",
    ),
    entry(
        "flop",
        "FLOP, PFLOP-hour",
        "A FLOP is one floating-point addition or multiplication; a useful PFLOP-hour is an hour at 10¹⁵ useful ones a second.",
    ),
    entry(
        "intensity",
        "arithmetic intensity, FLOP/B",
        "Useful operations for each byte that is read from or written to memory.",
    ),
    entry(
        "ridge",
        "ridge, memory-bound, compute-bound",
        "At the ridge, memory and arithmetic take equal time; below its FLOP per byte a run is memory-bound, above it compute-bound.",
    ),
    entry(
        "dtype",
        "number format, dtype",
        "How numbers are stored: with more bits they are more exact and cost more memory, energy and area.",
    ),
    entry(
        "int8",
        "int8 → int32, int4",
        "Whole numbers of 8 bits, from −128 to 127; their products are added in 32 bits, so that no sum overflows soon.",
    ),
    entry(
        "bf16",
        "bf16, f16, f32",
        "Floating-point formats of 16 and 32 bits; bf16 has the range of f32 with fewer digits.",
    ),
    entry(
        "e4m3fn",
        "fp8, e4m3fn, e5m2",
        "Floating-point formats of 8 bits: e4m3fn has 4 bits of exponent and 3 of fraction, up to 448; e5m2 has more range.",
    ),
    entry(
        "e4m3b11fnuz",
        "e4m3b11fnuz",
        "An 8-bit floating-point format: its exponents are shifted by 11, so that it reaches only 30, but smaller fractions.",
    ),
    entry(
        "seed",
        "seed",
        "A number from which the random matrices are made: the same seed gives the same matrices everywhere.",
    ),
    entry(
        "values",
        "small random numbers, full-range random",
        "Small ones can be checked in the head; full-range ones use all the digits of the number format.",
    ),
    entry("event", "event", "A cycle worth stopping at, such as the first multiplication or the first result."),
    entry(
        "chip",
        "TPU, tensor core, MXU",
        "A chip whose arrays multiply matrices; Google calls the array of a TPU its MXU, other makers speak of tensor cores.",
    ),
    entry(
        "price",
        "region, price date",
        "Prices are those of one place, such as us-central2, on one date; each figure names both with its source.",
    ),
    entry(
        "heat-map",
        "heat map",
        "One number for each PE, shown as a color: the size of its sum, its work so far, or its error.",
    ),
    entry("fit", "Fit", "Shows the whole array again after zooming."),
    entry(
        "real-models",
        "Real models, Models on chips",
        "The part of this page that estimates time and cost of whole neural networks on real chips.",
    ),
];

/// The entry of an id.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.id == id)
}

/// The entry of a word of the page, as a label or a choice writes it.
#[must_use]
pub fn of_word(word: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.term.split(", ").any(|term| term == word))
}

/// What the button beside a word says.
#[must_use]
pub fn question(entry: &Entry) -> String {
    let word = entry.term.split(", ").next().unwrap_or_default();
    format!("What does “{word}” mean?")
}

/// Where an entry stands in the page, which is its address after `#`.
#[must_use]
pub fn place(entry: &Entry) -> String {
    format!("{PREFIX}-{}", entry.id)
}

/// The place that a fragment names: that of an entry, or the list; `None` where it is about other things.
#[must_use]
pub fn addressed(fragment: &str) -> Option<String> {
    let name = fragment.trim_start_matches('#');
    let id = name.strip_prefix(PREFIX)?;
    match id.strip_prefix('-') {
        Some(id) => by_id(id).map(place),
        None => id.is_empty().then(|| PREFIX.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Field, FillKind, Link, PaddingKind, words::label};
    use std::collections::BTreeSet;
    use systolic::Dataflow;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn every_entry_is_one_short_sentence_or_two_with_a_place_of_its_own() {
        let ids: BTreeSet<&str> = ENTRIES.iter().map(|entry| entry.id).collect();
        assert_eq!(ids.len(), ENTRIES.len());
        let terms: Vec<&str> = ENTRIES.iter().flat_map(|entry| entry.term.split(", ")).collect();
        assert!(terms.len() >= 46, "{}", terms.len());
        for Entry { id, term, sentence } in ENTRIES {
            let n_words = sentence.split_whitespace().count();
            assert!((5..=30).contains(&n_words) && sentence.ends_with('.'), "{id}: {n_words} words");
            assert!(!term.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'), "{id}");
        }
    }

    #[test]
    fn the_words_of_the_form_are_explained() {
        let choices = Dataflow::ALL.map(label::dataflow).into_iter();
        let paddings = PaddingKind::ALL.map(label::padding).into_iter();
        let fields = [Field::Rows, Field::Cols, Field::M, Field::K, Field::N, Field::Dataflow, Field::Seed];
        let words = choices.chain(paddings).chain(fields.map(label::field));
        let kinds = [label::fill(FillKind::Small), label::fill(FillKind::Uniform), label::field(Field::Overlap)];
        for word in words.chain(kinds) {
            assert!(of_word(word).is_some(), "{word} is not in the glossary");
        }
    }

    #[test]
    fn an_entry_has_an_address_that_changes_nothing_else() {
        for entry in ENTRIES {
            let fragment = format!("#{}", place(&entry));
            assert_eq!(addressed(&fragment), Some(place(&entry)));
            for query in ["", "rows=8&t=3"] {
                assert_eq!(Link::parse(query, &fragment), Link::parse(query, ""), "{query}{fragment}");
            }
        }
        assert_eq!(addressed("#glossary"), Some("glossary".to_owned()));
        for other in ["", "#", "#a=1,2;3,4", "#glossary-nothing", "#glossaryfold", "#a=1&glossary-fold"] {
            assert_eq!(addressed(other), None, "{other}");
        }
    }
}
