//! Random runs on random designs. They are small, most have several folds, and many have partial tiles.

use systolic::{
    ArrayShape, Dataflow, Design, Drain, Dtype, Fill, FoldOrder, Gemm, KTiles, Load, Overlap, Padding, Pipeline, Ports,
    Rate, Run, Schedule,
};

/// A random run.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) run: Run,
}

/// Generator of random numbers: SplitMix64 (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn up_to(&mut self, most: u64) -> u64 {
        1 + self.next() % most
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.next() % of.len() as u64).expect("small")]
    }

    fn flip(&mut self) -> bool {
        self.next() >> 63 == 1
    }
}

/// Returns the seeds of the runs. The variables `SEED` and `DESIGNS` set the first seed and the number of runs.
pub(crate) fn seeds() -> std::ops::Range<u64> {
    let number = |name: &str, usual: u64| {
        std::env::var(name).ok().map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("{name} = {text}")))
    };
    let first = number("SEED", 1);
    first..first + number("DESIGNS", 40)
}

impl Case {
    /// Returns the run of a seed. Any six consecutive seeds cover each dataflow with and without overlap.
    pub(crate) fn of(seed: u64) -> Self {
        let mut random = Random(seed);
        let dataflow = Dataflow::ALL[usize::try_from(seed % 3).expect("small")];
        let rate = |random: &mut Random| match random.next() % 5 {
            0 => Rate::new(random.one(&[1, 2, 3, 5]), random.one(&[1, 2, 3])),
            _ => None,
        };
        let design = Design {
            overlap: Overlap::ALL[usize::try_from(seed / 3 % 2).expect("small")],
            load: random.one(&[None, Some(Load::Rows), Some(Load::Diagonal)]),
            drain: random.one(&[Drain::InPlace, Drain::South]),
            order: random.one(&[FoldOrder::Rows, FoldOrder::Cols]),
            pipeline: Pipeline { product_register: random.flip(), two_registers_south: random.flip() },
            ports: Ports { west: rate(&mut random), north: rate(&mut random), south: rate(&mut random) },
            ..Design::default()
        };
        let gemm = Gemm::new(random.up_to(11), random.up_to(11), random.up_to(11)).expect("small");
        let array = ArrayShape::new(random.up_to(6), random.up_to(6)).expect("small");
        // Another order of the tiles of k needs whole tiles.
        let is_whole = gemm.k().is_multiple_of(u64::from(array.rows()));
        let design = Design { k_tiles: if is_whole { KTiles::Down } else { KTiles::Up }, ..design };
        let padding = random.one(&[Padding::Ragged, Padding::Ragged, Padding::ToArray, Padding::MultipleOfM(3)]);
        let schedule = Schedule::new(gemm, array, dataflow, padding).expect("small").with(design).expect("small");
        let dtype = random.one(&[Dtype::Int8, Dtype::Int8, Dtype::Int4]);
        let fill = if random.flip() { Fill::Uniform { seed } } else { Fill::Small { seed } };
        Self { run: Run::filled(schedule, fill, dtype) }
    }

    /// True if the last fold leaves PEs without operands.
    pub(crate) fn is_ragged(&self) -> bool {
        self.run.schedule().fold(self.run.schedule().folds() - 1).mapped.pes() < self.run.schedule().array().pes()
    }
}
