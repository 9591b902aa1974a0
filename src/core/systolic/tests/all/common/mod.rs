//! Random cases for the tests of the core, the same on every target. A failure prints its seed.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use systolic::{
    Accumulator, ArrayShape, Dataflow, Design, Drain, Dtype, Fill, FoldOrder, Gemm, KTiles, Load, MacUnit, Matrix,
    Operands, Overlap, Padding, Pipeline, Ports, Rate, Schedule,
};

/// Random run with its arithmetic and operands.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// Schedule of the run.
    pub(crate) schedule: Schedule,
    /// Arithmetic of each PE.
    pub(crate) unit: MacUnit,
    /// Seed of the operands.
    pub(crate) seed: u64,
    /// True if the operands use all 24 bits; otherwise they are small numbers.
    pub(crate) uniform: bool,
}

impl Case {
    /// Returns the operands of the case.
    pub(crate) fn operands(&self) -> Operands {
        let gemm = self.schedule.gemm();
        let fill = if self.uniform { Fill::Uniform { seed: self.seed } } else { Fill::Small { seed: self.seed } };
        let matrix = |rows, cols, salt| Matrix::new(rows, cols, fill, salt, self.unit.dtype());
        let operands = Operands::new(matrix(gemm.m(), gemm.k(), 0), matrix(gemm.k(), gemm.n(), 1));
        // In a fifth of the cases, the sums start from a matrix c.
        if self.seed.is_multiple_of(5) { operands.with_c(matrix(gemm.m(), gemm.n(), 2)) } else { operands }
    }
}

/// Returns small arrays and problems with every dataflow, format, padding and design. About half of the cases have
/// partial tiles ([`Padding::Ragged`]).
pub(crate) fn cases() -> impl Strategy<Value = Case> {
    let padding = prop_oneof![
        2 => Just(Padding::Ragged),
        1 => Just(Padding::ToArray),
        1 => (1u32..9).prop_map(Padding::MultipleOfM),
    ];
    let sizes = (1u64..8, 1u64..8, 1u64..13, 1u64..13, 1u64..13);
    let kinds = (prop::sample::select(&Dataflow::ALL[..]), units(), padding, designs());
    (sizes, kinds, 0usize..8, (any::<u64>(), any::<bool>())).prop_map(
        |((rows, cols, m, k, n), (dataflow, unit, padding, mut design), tiles, (seed, uniform))| {
            // Another order of the tiles of k needs whole tiles.
            let k = if tiles < 4 { k.div_ceil(rows) * rows } else { k };
            design.k_tiles = match KTiles::NAMED.get(tiles) {
                Some(&named) => named,
                None if tiles < 4 => {
                    let list: Vec<String> = (1..k / rows).chain([0]).map(|tile| tile.to_string()).collect();
                    KTiles::from_text(&list.join(",")).expect("each tile once")
                }
                None => KTiles::Up,
            };
            let gemm = Gemm::new(m, k, n).expect("small");
            let array = ArrayShape::new(rows, cols).expect("small");
            let schedule = Schedule::new(gemm, array, dataflow, padding).expect("small").with(design).expect("small");
            Case { schedule, unit, seed, uniform }
        },
    )
}

/// Designs of the array: the default design in a quarter of the cases, otherwise any design.
pub(crate) fn designs() -> impl Strategy<Value = Design> {
    let load = prop::sample::select(&[None, Some(Load::Rows), Some(Load::Diagonal)][..]);
    let drain = prop::sample::select(&[Drain::InPlace, Drain::South][..]);
    let order = prop::sample::select(&[FoldOrder::Rows, FoldOrder::Cols][..]);
    let pipeline = (any::<bool>(), any::<bool>())
        .prop_map(|(product_register, two_registers_south)| Pipeline { product_register, two_registers_south });
    let rate = || prop_oneof![3 => Just(None), 1 => (1u32..9, 1u32..4).prop_map(|(n, cycles)| Rate::new(n, cycles))];
    let ports = (rate(), rate(), rate()).prop_map(|(west, north, south)| Ports { west, north, south });
    let ports = prop_oneof![1 => Just(Ports::default()), 1 => ports];
    let any = (prop::sample::select(&Overlap::ALL[..]), load, drain, order, pipeline, ports).prop_map(
        |(overlap, load, drain, order, pipeline, ports)| Design {
            overlap,
            load,
            drain,
            order,
            pipeline,
            ports,
            ..Design::default()
        },
    );
    prop_oneof![1 => Just(Design::default()), 3 => any]
}

/// Arithmetic of every format: mostly with the default accumulator, sometimes with another, with saturation or
/// flushing.
fn units() -> impl Strategy<Value = MacUnit> {
    let kinds = (prop::sample::select(&Dtype::ALL[..]), prop::sample::select(&Accumulator::ALL[..]));
    (kinds, 0u8..6).prop_map(|((dtype, accumulator), kind)| {
        let unit = MacUnit::new(dtype);
        match kind {
            0 => unit.with_accumulator(accumulator).unwrap_or(unit),
            1 => unit.with_flushing(true),
            2 => unit.with_saturation(true),
            _ => unit,
        }
    })
}

/// Number of random cases: `cases` in the long suite, in the soak test and in WebAssembly, and otherwise a quarter of
/// `cases`.
pub(crate) fn thorough(cases: u32) -> u32 {
    let is_quick = ["LONG", "SEED"].iter().all(|name| std::env::var_os(name).is_none());
    if is_quick && !cfg!(target_arch = "wasm32") { cases / 4 } else { cases }
}

/// Creates a runner with a fixed seed, so that native and WebAssembly runs see the same cases. The variable `SEED`
/// selects other cases. `SYSTOLIC_CASES_MAX` limits the number of cases if the tests run very often, as in mutation
/// testing.
pub(crate) fn runner(cases: u32) -> TestRunner {
    let max = std::env::var("SYSTOLIC_CASES_MAX").ok().and_then(|max| max.parse().ok());
    let cases = cases.min(max.unwrap_or(u32::MAX));
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 500, ..Config::default() };
    let mut seed = *b"systolic playground agreement 01";
    if let Some(other) = std::env::var("SEED").ok().and_then(|other| other.parse::<u64>().ok()) {
        seed[24..].copy_from_slice(&other.to_le_bytes());
    }
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed))
}
