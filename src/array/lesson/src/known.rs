//! Further values of a run that an expression can name: edge traffic, number format, and the chip's times, costs and
//! published data.

use perfmodel::gemm_time::{ProductOnChip, Rung};
use perfmodel::{
    BatchLayout, Batching, Buckets, Checkpointing, Chip, Compute, EgressTariff, FailureRate, GemmSizes, GemmTraffic,
    PriceKind, PublishedMfu, Roofline, Seconds, run_inputs, usd_per_pflop_hour,
};
use studio::{Field, Plan, busy};
use systolic::{Cycle, Dataflow, ExactSum, Operand, PeId};

use crate::{Refusal, Unit, Value};

/// A value of a run or of its chip, identified by its name in expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Limit of the utilization as M grows.
    LimitM,
    /// First cycle of a fold; folds are counted from 0. Argument: fold.
    Start,
    /// First cycle at which a PE multiplies in fold 0, or in the given fold. Arguments: fold (optional), row, column.
    First,
    /// Product that a PE computes at a cycle. Arguments: row, column.
    Product,
    /// Number of elements of A that enter the array.
    ReadsA,
    /// Number of elements of B that enter the array.
    ReadsB,
    /// Number of sums that leave the array.
    WritesC,
    /// Number of partial sums that on-chip memory returns to the array, because a later fold adds to them.
    SumsAgain,
    /// Number of bits of a value in the run's number format.
    Bits,
    /// Number of significand bits of a value in the run's number format.
    Digits,
    /// Largest value of the run's number format.
    Largest,
    /// Distance from 1 to the next larger value of the run's number format.
    Spacing,
    /// Value that the run's number format stores for a whole number. Argument: the number.
    Stored,
    /// Number of elements of C that differ from the exact sums.
    Inexact,
    /// Number of elements of C that differ from the same elements in the card's run.
    Differing,
    /// Condition: the run has this dataflow.
    Stays(Dataflow),
    /// Number of arrays on the chip.
    Arrays,
    /// Clock of the chip in MHz.
    Clock,
    /// Published peak of the chip in the run's number format, in 10¹² operations a second.
    Peak,
    /// Peak computed from the chip's arrays and clock, in 10¹² operations a second.
    PeakOfArrays,
    /// Memory bandwidth of the chip, in 10⁹ bytes a second.
    Bandwidth,
    /// Memory capacity of the chip, in 10⁹ bytes.
    Capacity,
    /// Power of the chip in watts, if published.
    Watts,
    /// Number of chips in the largest pod.
    PodChips,
    /// Ridge point of the chip: operations per byte at which memory and arithmetic take equal time.
    Ridge,
    /// Arithmetic intensity of the matmul, in operations per byte.
    Intensity,
    /// Default price of the chip, in dollars an hour.
    Price,
    /// Cost in dollars of one hour at 10¹⁵ useful operations a second.
    Dollars,
    /// Time of the matmul's arithmetic.
    TimeMath,
    /// Time of the matmul's transfers between memory and chip.
    TimeMemory,
    /// Time to launch the matmul.
    TimeLaunch,
    /// Factor of one step in the efficiency breakdown from the peak to the MFU.
    Step(Rung),
    /// Lowest published MFU of a training run on the chip.
    PublishedLeast,
    /// Highest published MFU of a training run on the chip.
    PublishedMost,
    /// Number of distinct sequence lengths after each length is rounded up to a multiple of `padm`. Arguments: eight
    /// lengths.
    Buckets,
    /// Share of padding tokens after each sequence length is rounded up to a multiple of `padm`. Arguments: eight
    /// lengths.
    BucketWaste,
    /// Highest published MFU of a training run that used at most a given number of chips. Argument: chips.
    PublishedWithin,
    /// Highest published MFU of a training run that used more than a given number of chips. Argument: chips.
    PublishedBeyond,
    /// Number of published runs on the chip with an MFU above a percentage.
    PublishedAbove,
    /// Spot price of the chip in dollars an hour: the price of spare capacity that the cloud may take back.
    Spot,
    /// Cost in dollars of the data that leaves a cloud in a month. Argument: 10⁹ bytes.
    Egress,
    /// Mean number of hours between failures of a group of chips. Argument: chips.
    Fails,
    /// Minutes between checkpoints by Young's formula, for a group of chips. Argument: chips.
    Young,
}

/// Number of lengths that [`Known::Buckets`] and [`Known::BucketWaste`] need.
const LENGTHS: usize = 8;

/// Maximum number of products in a matmul for which the elements of C are compared one by one.
const TERMS_MAX: u64 = 100_000;

impl Known {
    /// All names of these values, each with its value and its allowed numbers of arguments.
    pub const ALL: [(&'static str, Self, &'static [usize]); 53] = [
        ("limit_m", Self::LimitM, &[0]),
        ("start", Self::Start, &[1]),
        ("first", Self::First, &[2, 3]),
        ("product", Self::Product, &[2]),
        ("reads_a", Self::ReadsA, &[0]),
        ("reads_b", Self::ReadsB, &[0]),
        ("writes_c", Self::WritesC, &[0]),
        ("sums_again", Self::SumsAgain, &[0]),
        ("bits", Self::Bits, &[0]),
        ("digits", Self::Digits, &[0]),
        ("largest", Self::Largest, &[0]),
        ("spacing", Self::Spacing, &[0]),
        ("stored", Self::Stored, &[1]),
        ("inexact", Self::Inexact, &[0]),
        ("differing", Self::Differing, &[0]),
        ("ws", Self::Stays(Dataflow::WeightStationary), &[0]),
        ("os", Self::Stays(Dataflow::OutputStationary), &[0]),
        ("is", Self::Stays(Dataflow::InputStationary), &[0]),
        ("published_least", Self::PublishedLeast, &[0]),
        ("published_most", Self::PublishedMost, &[0]),
        ("buckets", Self::Buckets, &[LENGTHS]),
        ("bucket_waste", Self::BucketWaste, &[LENGTHS]),
        ("published_within", Self::PublishedWithin, &[1]),
        ("published_beyond", Self::PublishedBeyond, &[1]),
        ("published_above", Self::PublishedAbove, &[1]),
        ("spot", Self::Spot, &[0]),
        ("egress", Self::Egress, &[1]),
        ("arrays", Self::Arrays, &[0]),
        ("clock", Self::Clock, &[0]),
        ("peak", Self::Peak, &[0]),
        ("peak_of_arrays", Self::PeakOfArrays, &[0]),
        ("bandwidth", Self::Bandwidth, &[0]),
        ("capacity", Self::Capacity, &[0]),
        ("watts", Self::Watts, &[0]),
        ("pod_chips", Self::PodChips, &[0]),
        ("ridge", Self::Ridge, &[0]),
        ("intensity", Self::Intensity, &[0]),
        ("price", Self::Price, &[0]),
        ("dollars", Self::Dollars, &[0]),
        ("time_math", Self::TimeMath, &[0]),
        ("time_memory", Self::TimeMemory, &[0]),
        ("time_launch", Self::TimeLaunch, &[0]),
        ("step_format", Self::Step(Rung::Format), &[0]),
        ("step_arrays", Self::Step(Rung::Arrays), &[0]),
        ("step_tiles", Self::Step(Rung::Tiles), &[0]),
        ("step_load", Self::Step(Rung::Load), &[0]),
        ("step_fill_drain", Self::Step(Rung::FillAndDrain), &[0]),
        ("step_unexplained", Self::Step(Rung::Unexplained), &[0]),
        ("step_reload", Self::Step(Rung::Reload), &[0]),
        ("step_memory", Self::Step(Rung::Memory), &[0]),
        ("step_launch", Self::Step(Rung::Launch), &[0]),
        ("fails", Self::Fails, &[1]),
        ("young", Self::Young, &[1]),
    ];

    /// Computes the value for a run at a cycle. `own` is the run of the card, which differs from `plan` if the
    /// expression changes settings. `of` contains the arguments.
    ///
    /// # Errors
    /// Fails if the run has no such fold, PE or cycle, or if the inputs are not published. [`Refusal`] lists the
    /// reasons.
    pub fn value(self, plan: &Plan, own: &Plan, cycle: Cycle, of: &[u64]) -> Result<Value, Refusal> {
        let schedule = plan.schedule();
        let edge = || schedule.edge_traffic();
        match (self, of) {
            (Self::LimitM, _) => busy::limit(plan, Field::M).map(Value::share).ok_or(Refusal::NotThere),
            (Self::Start, &[fold]) if fold < schedule.folds() => Ok(Value::count(schedule.fold_start(fold).get())),
            (Self::First, &[row, col]) => first(plan, 0, pe(plan, row, col)?),
            (Self::First, &[fold, row, col]) if fold < schedule.folds() => first(plan, fold, pe(plan, row, col)?),
            (Self::Product, &[row, col]) => {
                let product = plan.prober().without_sum(cycle, pe(plan, row, col)?).product;
                product.map(|number| Value { number, unit: Unit::Element }).ok_or(Refusal::Nothing)
            }
            (Self::ReadsA, _) => Ok(Value::count(edge().a_reads.get())),
            (Self::ReadsB, _) => Ok(Value::count(edge().b_reads.get())),
            (Self::WritesC, _) => Ok(Value::count(edge().c_writes.get())),
            (Self::SumsAgain, _) => Ok(Value::count(schedule.memory_traffic(systolic::Level::OnChip).psum_reads.get())),
            (Self::Bits, _) => Ok(Value::count(plan.dtype().bits())),
            (Self::Digits | Self::Largest | Self::Spacing | Self::Stored, _) => in_format(self, plan, of),
            (Self::Inexact, _) => inexact(plan),
            (Self::Differing, _) => differing(plan, own),
            (Self::Stays(dataflow), _) => Ok(Value::truth(schedule.dataflow() == dataflow)),
            (Self::PublishedLeast, _) => published(plan, |_| true, f64::min),
            (Self::PublishedMost, _) => published(plan, |_| true, f64::max),
            (Self::PublishedAbove, &[percent]) => {
                let rows = PublishedMfu::all().iter().filter(|row| row.chip == plan.chip().id);
                let above =
                    rows.filter(|row| row.mfu_percent.value.is_some_and(|mfu| mfu > Value::count(percent).number));
                Ok(Value::count(above.fold(0, |count, _| count + 1)))
            }
            (Self::PublishedWithin, &[chips]) => {
                published(plan, |n| n.is_some_and(|n| u64::from(n) <= chips), f64::max)
            }
            (Self::PublishedBeyond, &[chips]) => published(plan, |n| n.is_some_and(|n| u64::from(n) > chips), f64::max),
            (Self::Buckets | Self::BucketWaste, lengths) => self.of_lengths(plan, lengths),
            (Self::Egress, &[gb]) => {
                let dollars = EgressTariff::AWS.cost(Value::count(gb).number).0;
                Ok(Value { number: dollars, unit: Unit::Dollars })
            }
            (Self::TimeMath | Self::TimeMemory | Self::TimeLaunch | Self::Step(_), _) => {
                Ok(self.of_product(&plan.on_chip().map_err(|_| Refusal::Unknown)?))
            }
            (Self::Fails | Self::Young, &[chips]) => self.of_failures(chips),
            _ => self.of_chip(plan).ok_or(Refusal::Unknown),
        }
    }

    fn of_product(self, on: &ProductOnChip) -> Value {
        let parts = on.time.parts;
        let seconds = |seconds: Seconds| Value { number: seconds.0, unit: Unit::Seconds };
        match self {
            Self::TimeMemory => seconds(parts.memory),
            Self::TimeLaunch => seconds(parts.launch),
            Self::Step(rung) => {
                let step = on.steps.iter().find(|step| step.rung == rung);
                Value::share(step.map_or(1.0, |step| step.factor))
            }
            _ => seconds(parts.math),
        }
    }

    fn of_lengths(self, plan: &Plan, lengths: &[u64]) -> Result<Value, Refusal> {
        let multiple = u32::try_from(plan.scenario().multiple).map_err(|_| Refusal::NoNumber)?;
        let lengths: Result<Vec<u32>, _> = lengths.iter().map(|&length| u32::try_from(length)).collect();
        let lengths = lengths.map_err(|_| Refusal::NoNumber)?;
        let padded = Batching::Padded { batch: 1, sorted: false, buckets: Buckets::Multiples(multiple) };
        let layout = BatchLayout::new(&lengths, padded).map_err(|_| Refusal::NoNumber)?;
        Ok(if self == Self::Buckets {
            layout.shapes().iter().fold(Value::count(0), |sum, _| Value { number: sum.number + 1.0, ..sum })
        } else {
            Value::share(1.0 - layout.token_efficiency())
        })
    }

    fn of_failures(self, chips: u64) -> Result<Value, Refusal> {
        let known = |hours: Option<f64>| hours.map(|hours| Seconds(hours * 3600.0)).ok_or(Refusal::Unknown);
        let chip_mtbf = known(run_inputs::CHIP_MTBF_HOURS.value)?;
        let mtbf = FailureRate { chip_mtbf }.slice_mtbf(chips).ok_or(Refusal::NotThere)?;
        if self == Self::Fails {
            return Ok(Value { number: mtbf.hours(), unit: Unit::Number });
        }
        let inputs = [&run_inputs::SAVE_SECONDS, &run_inputs::RESTART_SECONDS].map(|input| input.value.map(Seconds));
        let [Some(save), Some(restart)] = inputs else { return Err(Refusal::Unknown) };
        let young = Checkpointing { mtbf, save, restart }.young().ok_or(Refusal::NoNumber)?;
        Ok(Value { number: young.0 / 60.0, unit: Unit::Number })
    }

    /// Returns a value from the data of the run's chip. If the value depends on a number format, the function uses the
    /// run's number format. `None` if the data has no such value.
    fn of_chip(self, plan: &Plan) -> Option<Value> {
        let (chip, format) = (plan.chip(), plan.format());
        let number = |number: f64| Some(Value { number, unit: Unit::Number });
        let peak = || chip.peak_flops(chip.as_run(format).ok()?.multiplied);
        match self {
            Self::Arrays => arrays_of(chip).map(Value::count),
            Self::Clock => number(chip.clock_mhz.value?),
            Self::Peak => number(peak()?.0 / 1e12),
            // A lane performs a multiplication and an addition in each cycle.
            Self::PeakOfArrays => number(2.0 * Value::count(chip.lanes()?).number * chip.clock_mhz.value? / 1e6),
            Self::Bandwidth => number(chip.memory.bytes_per_sec()? / 1e9),
            Self::Capacity => number(chip.memory.bytes()? / 1e9),
            Self::Watts => number(chip.usual_power()?.1.value?),
            Self::PodChips => chip.pod_chips.value.map(|chips| Value::count(chips.into())),
            Self::Ridge => number(chip.ridge(chip.as_run(format).ok()?.multiplied)?),
            Self::Intensity => number(roofline(plan)?.intensity?),
            Self::Price => Some(Value { number: chip.default_price()?.usd_per_chip_hour.value?, unit: Unit::Dollars }),
            Self::Spot => {
                let spot = chip.prices.iter().find(|price| price.kind == PriceKind::Spot)?;
                Some(Value { number: spot.usd_per_chip_hour.value?, unit: Unit::Dollars })
            }
            Self::Dollars => {
                let price = chip.default_price()?.usd_per_chip_hour.value?;
                let on = plan.on_chip().ok()?;
                let dollars = usd_per_pflop_hour(price, on.time.peak, on.mfu.ratio)?;
                Some(Value { number: dollars, unit: Unit::Dollars })
            }
            _ => None,
        }
    }
}

fn arrays_of(chip: &Chip) -> Option<u64> {
    let Compute::Arrays { units_per_core, cores, .. } = &chip.compute else { return None };
    Some(u64::from(units_per_core.value?) * u64::from(cores.value?))
}

fn roofline(plan: &Plan) -> Option<Roofline> {
    let chip = plan.chip();
    let gemm = plan.schedule().gemm();
    let sizes = GemmSizes { m: gemm.m(), k: gemm.k(), n: gemm.n() };
    let in_bytes = Value::count(plan.dtype().bits()).number / 8.0;
    // Integer sums are written with 32 bits.
    let out_bytes = if plan.dtype().is_integer() { 4.0 } else { in_bytes };
    let run = chip.as_run(plan.format()).ok()?;
    Some(Roofline::new(chip, run.multiplied, &GemmTraffic { sizes, in_bytes, out_bytes }).in_passes(run.passes))
}

fn pe(plan: &Plan, row: u64, col: u64) -> Result<PeId, Refusal> {
    let pe = u32::try_from(row).ok().zip(u32::try_from(col).ok()).map(|(row, col)| PeId::new(row, col));
    pe.filter(|&pe| plan.schedule().array().contains(pe)).ok_or(Refusal::NotThere)
}

/// Returns the first cycle of a fold at which a PE multiplies.
fn first(plan: &Plan, fold: u64, pe: PeId) -> Result<Value, Refusal> {
    let schedule = plan.schedule();
    let start = schedule.fold_start(fold).get() + schedule.load_cycles().get();
    let here = Cycle(start + schedule.hops(pe));
    schedule.mac(here, pe).map(|_| Value::count(here.get())).ok_or(Refusal::Nothing)
}

fn in_format(known: Known, plan: &Plan, of: &[u64]) -> Result<Value, Refusal> {
    let dtype = plan.dtype();
    let number = |number: f64| Ok(Value { number, unit: Unit::Number });
    if let (Known::Stored, &[whole]) = (known, of) {
        let stored = plan.unit().operand(Value::count(whole).number).as_f64();
        return Ok(Value { number: stored, unit: Unit::Element });
    }
    match (known, dtype.float(), dtype.whole_range()) {
        // With this unit, the page writes all digits. Numbers below this limit have few digits.
        (Known::Largest, Some(format), _) if format.max() < 1e6 => {
            Ok(Value { number: format.max(), unit: Unit::Count })
        }
        (Known::Largest, Some(format), _) => number(format.max()),
        (Known::Largest, _, Some((_, most))) => Ok(Value { number: most.into(), unit: Unit::Count }),
        (Known::Digits, Some(format), _) => Ok(Value::count(u64::from(format.fraction_bits) + 1)),
        (Known::Digits, ..) => Ok(Value::count(dtype.bits())),
        (Known::Spacing, Some(format), _) => {
            let spacing = (0..format.fraction_bits).fold(1.0, |spacing, _| spacing / 2.0);
            // With `Unit::Element`, the page writes all digits, unless the number is too small.
            let unit = if spacing < 1e-5 { Unit::Number } else { Unit::Element };
            Ok(Value { number: spacing, unit })
        }
        _ => number(1.0),
    }
}

/// Row and column of an element of C, and the value of the element.
type Placed = ((u64, u64), systolic::Value);

/// Computes all elements of C. Fails if the computation needs more than [`TERMS_MAX`] products.
fn results(plan: &Plan) -> Result<Vec<Placed>, Refusal> {
    let gemm = plan.schedule().gemm();
    if gemm.m().saturating_mul(gemm.n()).saturating_mul(gemm.k()) > TERMS_MAX {
        return Err(Refusal::NoNumber);
    }
    let places = (0..gemm.m()).flat_map(|m| (0..gemm.n()).map(move |n| (m, n)));
    let result = |(m, n): (u64, u64)| {
        let trace = studio::spot::trace(plan, plan.last(), studio::PointedValue::Element(Operand::C, m, n), 0);
        Ok(((m, n), trace.and_then(|trace| trace.value).ok_or(Refusal::Nothing)?))
    };
    places.map(result).collect()
}

fn inexact(plan: &Plan) -> Result<Value, Refusal> {
    let (prober, terms) = (plan.prober(), plan.schedule().gemm().k());
    let is_off = |((m, n), result): Placed| {
        let mut exact = ExactSum::default();
        for k in 0..terms {
            exact.add_product(prober.element(Operand::A, m, k).value, prober.element(Operand::B, k, n).value);
        }
        exact.ulps_off(result, plan.unit()) != Some(0.0)
    };
    Ok(Value::count(results(plan)?.into_iter().map(|result| u64::from(is_off(result))).sum()))
}

fn differing(plan: &Plan, own: &Plan) -> Result<Value, Refusal> {
    let both = results(plan)?.into_iter().zip(results(own)?);
    // Comparing bits makes a NaN equal to itself.
    let differs = both.map(|((_, one), (_, other))| one.as_f64().to_bits() != other.as_f64().to_bits());
    Ok(Value::count(differs.map(u64::from).sum()))
}

fn published(plan: &Plan, is_of: impl Fn(Option<u32>) -> bool, better: fn(f64, f64) -> f64) -> Result<Value, Refusal> {
    let rows = PublishedMfu::all().iter().filter(|row| row.chip == plan.chip().id);
    let rows = rows.filter(|row| is_of(row.chips));
    let percent = rows.filter_map(|row| row.mfu_percent.value).reduce(better);
    percent.map(|percent| Value::share(percent / 100.0)).ok_or(Refusal::Unknown)
}
