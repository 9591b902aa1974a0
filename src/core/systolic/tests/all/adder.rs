//! Tests of adders that add blocks of products: compares the register machine in integers with the closed forms in f64.

use proptest::prelude::*;
use systolic::lane::{Aligned, AlignedSum};
use systolic::{
    Adder, ArrayShape, CarriedSums, Cycle, Dataflow, Design, Dtype, Gemm, KTiles, Lane, MacUnit, Machine, Matrix,
    Operands, Overlap, Padding, Prober, Replay, Rule, Run, Schedule, Snapshot, SumOf, SumStatus, Value, Vectors,
    dispatch_lane, reference,
};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use crate::adder_rules::run;
use crate::common::{designs, runner, thorough};

/// Random run with an adder that adds blocks.
#[derive(Clone, Debug)]
struct Case {
    schedule: Schedule,
    unit: MacUnit,
    seed: u64,
}

impl Case {
    /// Numbers of very different sizes, so that alignment cuts bits: some zeros, some subnormal numbers, some equal
    /// exponents, and rarely ∞ and NaN.
    fn operands(&self) -> Operands {
        let gemm = self.schedule.gemm();
        let format = self.unit.dtype().float().expect("a float");
        let spread = [2, 12, 30, 300][usize::try_from(self.seed % 4).expect("small")];
        let matrix = |rows: u64, cols: u64, salt: u64| {
            Matrix::from_fn(rows, cols, |row, col| {
                let mut bits = self.seed ^ (row << 40 | col << 20 | salt).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                for _ in 0..3 {
                    bits = (bits ^ (bits >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                }
                let small = |bits: u64| i32::try_from(bits).expect("few bits");
                let sign = if bits & 1 == 0 { 1.0 } else { -1.0 };
                let significand = 1.0 + f64::from(small(bits >> 1 & 0xff_ffff)) / f64::from(1 << 24);
                let power = small(bits >> 25 & 0x1ff) % spread - spread / 2;
                match bits >> 40 & 0x3ff {
                    0..60 => 0.0,
                    60..100 => sign * 2f64.powi(format.exponent_min() - 1) * significand,
                    100 if self.seed.is_multiple_of(7) => f64::INFINITY * sign,
                    101 if self.seed.is_multiple_of(11) => f64::NAN,
                    _ => sign * significand * 2f64.powi(power.clamp(format.exponent_min() - 4, -format.exponent_min())),
                }
            })
        };
        let operands = Operands::new(matrix(gemm.m(), gemm.k(), 0), matrix(gemm.k(), gemm.n(), 1));
        if self.seed.is_multiple_of(3) { operands } else { operands.with_c(matrix(gemm.m(), gemm.n(), 2)) }
    }
}

/// Small runs of one adder, with every format, dataflow and design that the adder allows.
fn cases(adder: Adder) -> impl Strategy<Value = Case> {
    let formats: Vec<Dtype> = adder.formats().collect();
    let kinds = (prop::sample::select(formats), prop::sample::select(&Dataflow::ALL[..]), designs());
    let sizes = (1u64..7, 1u64..4, 1u64..6, 1u64..40, 1u64..6);
    (kinds, sizes, 0usize..8, any::<u64>()).prop_map(
        move |((dtype, dataflow, mut design), (rows, cols, m, k, n), kind, seed)| {
            let unit = MacUnit::new(dtype).with_adder(adder).expect("a format of the adder");
            let block = u64::from(unit.rule().expect("blocks").block());
            let is_tpu = adder == Adder::Tpu;
            let dataflow = if is_tpu && dataflow == Dataflow::OutputStationary { Dataflow::ALL[0] } else { dataflow };
            // Several folds along k need rows of whole blocks. The other runs have all of k in one fold.
            let several = dataflow != Dataflow::OutputStationary && kind < 3;
            let (rows, k) = match (is_tpu, dataflow, several) {
                (true, ..) => (16 * rows.div_ceil(4), 16 * rows.div_ceil(4) * k.div_ceil(16)),
                (_, Dataflow::OutputStationary, _) => (rows, k),
                (_, _, true) => (block, k + block),
                (_, _, false) => (rows * 4, k.min(rows * 4)),
            };
            if several && !is_tpu {
                design.overlap = Overlap::None;
            }
            let whole = dataflow != Dataflow::OutputStationary && k % rows == 0;
            design.k_tiles = KTiles::NAMED[if whole { kind % 3 } else { 0 }];
            let gemm = Gemm::new(m, k, n).expect("small");
            let array = ArrayShape::new(rows, cols).expect("small");
            let padding = if kind == 7 { Padding::ToArray } else { Padding::Ragged };
            let schedule = Schedule::new(gemm, array, dataflow, padding).expect("small").with(design).expect("small");
            Case { schedule: schedule.with_unit(unit).expect("the adder fits"), unit, seed }
        },
    )
}

/// Difference between the register machine of a lane and the definition of C in closed form.
fn difference_of_c<L: Lane>(lane: L, case: &Case, operands: &Operands) -> Option<String> {
    let schedule = &case.schedule;
    let mut machine = Machine::new(schedule, &Vectors::new(lane, schedule, operands), None);
    machine.finish();
    let stepped: Vec<Value> = machine.result().into_iter().map(|sum| lane.sum(sum)).collect();
    let defined: Vec<Value> = dispatch_lane!(case.unit, lane => {
        reference::product(lane, schedule, operands).into_iter().map(|sum| lane.sum(sum)).collect()
    });
    let run = Run::new(*schedule, operands.clone(), case.unit).expect("the sizes fit");
    if defined != run.result() {
        return Some(format!("by definition {defined:?}, by rows {:?}", run.result()));
    }
    (stepped != defined).then(|| format!("machine {stepped:?}, by definition {defined:?}"))
}

/// Difference between the register machine and the closed forms, at every PE and every cycle.
fn difference_of_registers(case: &Case, operands: &Operands) -> Option<String> {
    let schedule = &case.schedule;
    let lane = Aligned::new(case.unit).expect("blocks");
    let prober = Prober::new(schedule, operands, case.unit);
    let mut machine = Machine::new(schedule, &Vectors::new(lane, schedule, operands), None);
    let array = schedule.array();
    let mut carried = CarriedSums::new(SumOf::Register, 0..array.rows(), 0..array.cols());
    dispatch_lane!(case.unit, closed => {
        let vectors = Vectors::new(closed, schedule, operands);
        let replay = Replay::new(schedule, &vectors);
        let mut sums = replay.at(Cycle(0));
        for cycle in (0..schedule.cycles().get()).map(Cycle) {
            machine.tick();
            let snapshot = Snapshot::at(schedule, operands, case.unit, cycle);
            if cycle.get() % 3 == case.seed % 3 {
                let cycles = cycle.get() - sums.cycle().get();
                sums = sums.advance(cycles);
            }
            carried.go_to(schedule, cycle, u64::MAX);
            // Now and then a frame ends before all sums are known.
            if carried.work(operands, case.unit, if cycle.get() % 4 == 0 { 7 } else { u64::MAX }) == u64::MAX {
                return Some("too much work".to_owned());
            }
            for pe in array.iter() {
                let stepped = machine.registers(pe);
                let probed = prober.registers(cycle, pe);
                if stepped != probed || stepped.sum != snapshot.sum(pe) {
                    return Some(format!("{cycle} {pe:?}: machine {stepped:?}, probe {probed:?}, {:?}", snapshot.sum(pe)));
                }
                if sums.cycle() == cycle && sums.sum(pe).map(|sum| closed.sum(sum)) != stepped.sum {
                    let replayed = sums.sum(pe).map(|sum| closed.sum(sum));
                    return Some(format!("{cycle} {pe:?}: machine {:?}, replay {replayed:?}", stepped.sum));
                }
                let is_right = match carried.sum(pe, case.unit) {
                    SumStatus::Nothing => stepped.sum.is_none(),
                    SumStatus::Underway => carried.missing() > 0,
                    SumStatus::Sum(sum) => stepped.sum == Some(sum),
                };
                if !is_right {
                    return Some(format!("{cycle} {pe:?}: machine {:?}, {:?}", stepped.sum, carried.sum(pe, case.unit)));
                }
            }
        }
    });
    None
}

fn fail(why: Option<String>) -> Result<(), TestCaseError> {
    why.map_or(Ok(()), |why| Err(TestCaseError::fail(why)))
}

fn agrees(adder: Adder) {
    let outcome = runner(thorough(10_000)).run(&cases(adder), |case| {
        let operands = case.operands();
        fail(difference_of_c(Aligned::new(case.unit).expect("blocks"), &case, &operands))
    });
    outcome.expect("the two descriptions agree");
    let outcome =
        runner(thorough(500)).run(&cases(adder), |case| fail(difference_of_registers(&case, &case.operands())));
    outcome.expect("the two descriptions agree at every cycle");
}

#[test]
fn the_closed_forms_equal_the_machine_with_the_adder_of_a_tpu() {
    agrees(Adder::Tpu);
}

#[test]
fn the_closed_forms_equal_the_machine_with_the_adder_of_a_v100() {
    agrees(Adder::V100);
}

#[test]
fn the_closed_forms_equal_the_machine_with_the_adder_of_an_a100() {
    agrees(Adder::A100);
}

#[test]
fn the_closed_forms_equal_the_machine_with_the_adder_of_an_h100() {
    agrees(Adder::H100);
}

#[test]
fn the_closed_forms_equal_the_machine_with_the_adder_of_a_b200() {
    agrees(Adder::B200);
}

/// Error in the arithmetic of a block.
#[derive(Clone, Copy, Debug)]
enum Flaw {
    /// The first product is shifted by one bit too many.
    Alignment,
    /// The result is rounded to nearest instead of cut.
    Nearest,
    /// A block has one product too few.
    Short,
}

/// The arithmetic of the machine with an error.
#[derive(Clone, Copy, Debug)]
struct Flawed(Aligned, Flaw);

impl Lane for Flawed {
    type Operand = u32;
    type Sum = AlignedSum;
    const IN_BLOCKS: bool = true;

    fn encode(self, value: f64) -> u32 {
        self.0.encode(value)
    }
    fn operand(self, operand: u32) -> Value {
        self.0.operand(operand)
    }
    fn start(self, c: f64) -> AlignedSum {
        self.0.start(c)
    }
    fn sum(self, sum: AlignedSum) -> Value {
        self.0.sum(sum)
    }
    fn product(self, x: u32, w: u32) -> AlignedSum {
        self.0.product(x, w)
    }
    fn add(self, a: AlignedSum, b: AlignedSum) -> AlignedSum {
        self.0.add(a, b)
    }
    fn mac(self, sum: AlignedSum, x: u32, w: u32) -> AlignedSum {
        let sum = self.0.opened(sum, x, w);
        let view = self.0.view(&sum);
        let room = if matches!(self.1, Flaw::Short) { 1 } else { 0 };
        if view.n_products + room >= view.rule.block() { self.closed(sum) } else { sum }
    }
    fn closed(self, sum: AlignedSum) -> AlignedSum {
        let view = self.0.view(&sum);
        match self.1 {
            Flaw::Short => self.0.closed(sum),
            Flaw::Nearest => self.0.start(self.0.sum(sum).as_f64()),
            Flaw::Alignment => {
                let Rule::Truncated { fraction_bits, .. } = view.rule else { return self.0.closed(sum) };
                let (Some(total), Some(exponent)) = (view.total, view.exponent) else { return self.0.closed(sum) };
                let first = view.products.first().and_then(|first| first.aligned).unwrap_or(0);
                #[expect(clippy::cast_precision_loss, reason = "few bits")]
                let total = (total - first + first / 2) as f64;
                self.0.start(total * 2f64.powi(exponent - fraction_bits.cast_signed()))
            }
        }
    }
    fn continues(self) -> bool {
        self.0.continues()
    }
}

#[test]
fn a_machine_that_aligns_rounds_or_groups_wrongly_is_caught() {
    for adder in [Adder::V100, Adder::A100, Adder::H100] {
        for flaw in [Flaw::Alignment, Flaw::Nearest, Flaw::Short] {
            let n_caught = core::cell::Cell::new(0);
            let outcome = runner(200).run(&cases(adder), |case| {
                let lane = Flawed(Aligned::new(case.unit).expect("blocks"), flaw);
                let is_caught = difference_of_c(lane, &case, &case.operands()).is_some();
                n_caught.set(n_caught.get() + u32::from(is_caught));
                Ok(())
            });
            outcome.expect("no case is rejected");
            // A sum of one product, or of zeros, does not show the error.
            let n_caught = n_caught.get();
            assert!(n_caught >= 15, "{adder:?} {flaw:?}: {n_caught} of 200");
        }
    }
}

#[test]
fn a_machine_with_a_swapped_tile_is_caught() {
    let [n_caught, n_runs] = [0, 0].map(core::cell::Cell::new);
    let outcome = runner(600).run(&cases(Adder::Tpu), |case| {
        let schedule = &case.schedule;
        // A sum of two tiles does not depend on their order.
        if schedule.row_folds() < 3 {
            return Ok(());
        }
        n_runs.set(n_runs.get() + 1);
        let order = if schedule.design().k_tiles == KTiles::Down { KTiles::Up } else { KTiles::Down };
        let design = Design { k_tiles: order, ..schedule.design() };
        let other = schedule.with(design).expect("whole tiles").with_unit(case.unit).expect("the adder fits");
        let lane = Aligned::new(case.unit).expect("blocks");
        let mut machine = Machine::new(&other, &Vectors::new(lane, &other, &case.operands()), None);
        machine.finish();
        let swapped: Vec<Value> = machine.result().into_iter().map(|sum| lane.sum(sum)).collect();
        let run = Run::new(*schedule, case.operands(), case.unit).expect("the sizes fit");
        n_caught.set(n_caught.get() + u32::from(run.result() != swapped));
        Ok(())
    });
    outcome.expect("no case is rejected");
    assert!(n_runs.get() > 30 && n_caught.get() > n_runs.get() / 3, "{n_caught:?} of {n_runs:?}");
}

#[test]
fn all_dataflows_give_the_digits_of_a_tensor_core() {
    for adder in [Adder::V100, Adder::A100, Adder::H100, Adder::B200] {
        let outcome = runner(300).run(&(cases(adder), 1u64..4), |(case, n_blocks)| {
            let operands = case.operands();
            let block = u64::from(case.unit.rule().expect("blocks").block());
            let results = Dataflow::ALL.map(|dataflow| {
                let rows = if dataflow == Dataflow::OutputStationary { 3 } else { block * n_blocks };
                run(case.unit, (rows, 2), dataflow, &operands).expect("whole blocks").result()
            });
            prop_assert!(results[0] == results[1] && results[1] == results[2], "{:?}", results);
            Ok(())
        });
        outcome.expect("equal digits");
    }
}

#[test]
fn the_results_of_blocks_are_the_sums_in_the_pes() {
    for adder in [Adder::Tpu, Adder::A100, Adder::B200] {
        let outcome = runner(200).run(&cases(adder), |case| {
            let (schedule, operands) = (&case.schedule, case.operands());
            let prober = Prober::new(schedule, &operands, case.unit);
            for cycle in (0..schedule.cycles().get()).step_by(3).map(Cycle) {
                for pe in schedule.array().iter() {
                    let (sum, block) = (prober.at(cycle, pe).sum, prober.block(cycle, pe));
                    prop_assert_eq!(sum.is_some(), block.is_some());
                    if let (Some(sum), Some(block)) = (sum, block)
                        && !block.is_open
                    {
                        prop_assert_eq!(Value::Float(block.result), sum.value);
                    }
                }
            }
            Ok(())
        });
        outcome.expect("equal");
    }
}
