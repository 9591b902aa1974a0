//! The only step that can fail: a scenario becomes a plan, or a list of problems. Nothing fails after this step.

use std::sync::{Arc, OnceLock};

use crate::{Field, FieldValue, FillKind, MatrixText, Problem, Scenario, problem::Why};
use perfmodel::{Chip, Compute};
use systolic::{
    Accumulator, ArrayShape, Cycle, Dtype, Fill, Gemm, KTiles, Lane, MacUnit, Matrix, Operands, Prober, RangeError,
    Rule, Run, Schedule, Value,
    lane::{Grouped, Narrow, Whole},
    reference,
};

/// A scenario that can run.
#[derive(Clone, Debug)]
pub struct Plan {
    scenario: Scenario,
    run: Run,
    chip: &'static Chip,
    /// The custom chip, computed at its first use, because the first module of the page does not use it.
    custom_chip: OnceLock<Chip>,
}

/// Compares only scenarios, because the scenario decides the plan.
impl PartialEq for Plan {
    fn eq(&self, other: &Self) -> bool {
        self.scenario == other.scenario
    }
}

impl Plan {
    /// Checks a scenario as a whole.
    ///
    /// # Errors
    /// Returns all problems at once, each with its field, its text and what is allowed.
    pub fn new(scenario: &Scenario) -> Result<Self, Vec<Problem>> {
        let mut problems = Vec::new();
        let custom = scenario.fill == FillKind::Custom;
        if custom {
            let sides =
                [(Field::A, &scenario.a, scenario.m, scenario.k), (Field::B, &scenario.b, scenario.k, scenario.n)];
            let both = scenario.a.as_ref().zip(scenario.b.as_ref());
            let inner = both.filter(|(a, b)| (a.rows, b.cols) == (scenario.m, scenario.n) && a.cols != b.rows);
            let inner = inner.map(|(a, b)| Why::Inner { a_cols: a.cols, b_rows: b.rows });
            for (field, matrix, rows, cols) in
                sides.into_iter().chain([(Field::C, &scenario.c, scenario.m, scenario.n)])
            {
                match matrix {
                    None if field == Field::C => {}
                    None => problems.push(Problem::new(field, "", Why::NoValues)),
                    Some(matrix) => {
                        let shape = shape_problem(field, matrix, rows, cols);
                        problems.extend(shape.map(|one| Problem { why: inner.clone().unwrap_or(one.why), ..one }));
                        problems.extend(format_problem(field, matrix, scenario.dtype));
                    }
                }
            }
        }
        let schedule = match schedule(scenario) {
            Ok(schedule) => schedule,
            Err(problem) => {
                problems.push(problem);
                return Err(problems);
            }
        };
        let Some(chip) = Chip::by_id(scenario.chip) else {
            let ids = Chip::all().iter().map(|chip| chip.id).collect();
            problems.push(Problem::new(Field::Chip, scenario.chip, Why::NotOneOf(ids)));
            return Err(problems);
        };
        if !problems.is_empty() {
            return Err(problems);
        }
        let run = run(scenario, schedule).map_err(|error| vec![range_problem(scenario, &error, Field::A)])?;
        Ok(Self { scenario: scenario.clone(), run, chip, custom_chip: OnceLock::new() })
    }

    /// Returns this run with other edge rates. Tests use this function, because no chip's memory is slow enough for the
    /// small array of a test.
    #[cfg(test)]
    pub(crate) fn with_ports(mut self, ports: systolic::Ports) -> Self {
        let design = systolic::Design { ports, ..self.schedule().design() };
        let schedule = self.schedule().with(design).expect("in range").with_unit(self.unit()).expect("the same adder");
        self.run = Run::new(schedule, Arc::clone(self.shared_operands()), self.unit()).expect("the same sizes");
        self
    }

    /// Returns the scenario of the plan.
    #[must_use]
    pub const fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Returns the schedule of the run, which determines the work of each PE in each cycle.
    #[must_use]
    pub const fn schedule(&self) -> &Schedule {
        self.run.schedule()
    }

    /// Returns the run on the array.
    #[must_use]
    pub const fn run(&self) -> &Run {
        &self.run
    }

    /// Returns matrices A and B.
    #[must_use]
    pub fn operands(&self) -> &Operands {
        self.run.operands()
    }

    /// Returns matrices A and B as a shared pointer. While this pointer exists, no other run's operands have the same
    /// address.
    #[must_use]
    pub const fn shared_operands(&self) -> &Arc<Operands> {
        self.run.shared_operands()
    }

    /// Returns the chip whose rate and price the figures use: the published chip, or a custom chip of arrays like this
    /// array. A custom chip has the memory of the published chip.
    #[must_use]
    pub fn chip(&self) -> &Chip {
        if self.scenario.arrays == 0 {
            return self.chip;
        }
        let custom = || Chip { name: "custom chip", ..self.scenario.custom_values().over(self.chip) };
        self.custom_chip.get_or_init(custom)
    }

    /// Returns the settings of a custom chip with this chip's number of arrays, clock, price and memory. If this chip has no
    /// arrays, the settings are those of the default chip. A number that is not published is the default of its field.
    #[must_use]
    pub fn chip_of_arrays(&self) -> [(Field, FieldValue); 4] {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive and in range")]
        let whole = |value: f64| (value.round() as u64).max(1);
        let usual = Scenario::default();
        let has_arrays = matches!(self.chip().compute, Compute::Arrays { .. });
        let chip = if has_arrays { self.chip() } else { Chip::by_id(usual.chip).unwrap_or(self.chip) };
        let arrays = match &chip.compute {
            Compute::Arrays { units_per_core, cores, .. } => units_per_core.value.zip(cores.value),
            Compute::TensorCores { .. } | Compute::Unknown(_) => None,
        };
        let usd = chip.default_price().and_then(|price| price.usd_per_chip_hour.value);
        let clock_mhz = chip.clock_mhz.value.map_or(usual.clock_mhz, whole);
        let price_cents = usd.map_or(usual.price_cents, |usd| whole(usd * 100.0));
        [
            (Field::Chip, FieldValue::Chip(chip.id)),
            (Field::Arrays, FieldValue::Count(arrays.map_or(1, |(units, cores)| (units * cores).into()))),
            (Field::Clock, FieldValue::Count(clock_mhz)),
            (Field::Price, FieldValue::Count(price_cents)),
        ]
    }

    /// Returns rows and columns of one array of the chip. `None` if the chip has no arrays, or if this run is on an
    /// array of the same size.
    #[must_use]
    pub fn array_of_chip(&self) -> Option<(u32, u32)> {
        let Compute::Arrays { rows, cols, .. } = &self.chip().compute else { return None };
        let array = self.schedule().array();
        rows.value.zip(cols.value).filter(|&(rows, cols)| (rows, cols) != (array.rows(), array.cols()))
    }

    /// Returns the operand format.
    #[must_use]
    pub const fn dtype(&self) -> Dtype {
        self.scenario.dtype
    }

    /// Returns the arithmetic of a PE.
    #[must_use]
    pub const fn unit(&self) -> MacUnit {
        self.run.unit()
    }

    /// True if the sum of an element of C continues from fold to fold inside the array. False if accumulators outside
    /// the array add the sums of the folds.
    #[must_use]
    pub fn sums_go_on(&self) -> bool {
        self.unit().rule().is_some_and(Rule::continues)
    }

    /// Returns C, row by row, computed by the definition of matrix multiplication. This slow method is enough for
    /// matrices whose numbers are shown. Every visitor has to load its code, which is a third of the size of the fast
    /// code.
    #[must_use]
    pub fn result(&self) -> Vec<Value> {
        fn all<L: Lane>(plan: &Plan, lane: L) -> Vec<Value> {
            let sums = reference::product(lane, plan.schedule(), plan.operands());
            sums.into_iter().map(|sum| plan.scenario.out.rounded(lane.sum(sum))).collect()
        }
        // Each lane adds code to the page, so all floats share this one lane. It rounds as all other lanes do.
        match (Grouped::new(self.unit()), self.unit().accumulator()) {
            (Some(lane), _) => all(self, lane),
            (None, Accumulator::Int32) => all(self, Whole(self.unit())),
            (None, Accumulator::F32 | Accumulator::Bf16 | Accumulator::F16) => all(self, Narrow(self.unit())),
        }
    }

    /// Returns a prober that reads the registers of any PE at any cycle.
    #[must_use]
    pub fn prober(&self) -> Prober<'_> {
        self.run.prober()
    }

    /// Returns the last cycle of the run.
    #[must_use]
    pub const fn last(&self) -> Cycle {
        self.schedule().last_cycle()
    }
}

impl Default for Plan {
    /// The plan of the first screen.
    fn default() -> Self {
        let scenario = Scenario::default();
        Self::new(&scenario).unwrap_or_else(|_| unreachable!("the first screen is a valid scenario, by test"))
    }
}

pub(crate) fn schedule(scenario: &Scenario) -> Result<Schedule, Problem> {
    let side = |usual: Field| {
        move |error: RangeError| range_problem(scenario, &error, Field::from_id(error.field).unwrap_or(usual))
    };
    let gemm = Gemm::new(scenario.m, scenario.k, scenario.n).map_err(side(Field::M))?;
    let array = ArrayShape::new(scenario.rows, scenario.cols).map_err(side(Field::Rows))?;
    let schedule = Schedule::new(gemm, array, scenario.dataflow, scenario.core_padding())
        .and_then(|schedule| schedule.with(scenario.design()))
        .map_err(|error| {
            range_problem(scenario, &error, if scenario.k_tiles == KTiles::Up { Field::M } else { Field::KTiles })
        })?;
    let adder = |error| Problem::new(Field::Adder, scenario.adder.id(), Why::Adder(error));
    scenario.unit().and_then(|unit| schedule.with_unit(unit)).map_err(adder)
}

fn range_problem(scenario: &Scenario, error: &RangeError, field: Field) -> Problem {
    let why = match (field, error.field) {
        (_, "pe_cycles") => Why::TooLong,
        (Field::KTiles, _) => Why::NotAllTiles { k: scenario.k, rows: scenario.rows },
        _ => Why::NotInRange { min: error.min, max: error.max },
    };
    let given = if field == Field::KTiles { scenario.text(field) } else { error.given.to_string() };
    Problem::new(field, &given, why)
}

fn shape_problem(field: Field, matrix: &MatrixText, want_rows: u64, want_cols: u64) -> Option<Problem> {
    let (rows, cols) = (matrix.rows, matrix.cols);
    ((rows, cols) != (want_rows, want_cols)).then(|| {
        let why = Why::Shape { rows, cols, want_rows, want_cols };
        Problem::new(field, &format!("{rows}×{cols}"), why)
    })
}

/// Returns a problem with the first element that does not fit the format. Examples are a fraction or a large number in
/// int8, and an overflow in a float. Elements of c have the format of the sums.
fn format_problem(field: Field, matrix: &MatrixText, dtype: Dtype) -> Option<Problem> {
    let is_sum = field == Field::C;
    let dtype = if is_sum && !dtype.is_integer() { Dtype::F32 } else { dtype };
    let range = dtype.whole_range().map(|(least, most)| (i32::from(least), i32::from(most)));
    let range = if is_sum { range.map(|_| (i32::MIN, i32::MAX)) } else { range };
    // An infinity in the text is intentional. A finite number that rounding makes infinite is not.
    let holds = |value: f64| match (dtype.float(), range) {
        (Some(format), _) => {
            let nearest = format.nearest(value, false, false);
            value.is_nan() || (!nearest.is_nan() && nearest.is_finite() == value.is_finite())
        }
        (None, Some((least, most))) => value == value.trunc() && value >= f64::from(least) && value <= f64::from(most),
        (None, None) => true,
    };
    let index = matrix.values.iter().position(|&value| !holds(value))?;
    let (row, col) = (index as u64 / matrix.cols, index as u64 % matrix.cols);
    let given = display::number::significant(matrix.values[index], 9);
    Some(Problem::new(field, &given, Why::NotInFormat { row, col, dtype }))
}

fn run(scenario: &Scenario, schedule: Schedule) -> Result<Run, RangeError> {
    let (seed, dtype, gemm) = (scenario.seed, scenario.dtype, schedule.gemm());
    // The schedule has this adder, so the format has it too.
    let unit = scenario.unit().unwrap_or(MacUnit::new(dtype));
    let filled = |fill| Run::new(schedule, Operands::filled(gemm, fill, dtype), unit);
    match (scenario.fill, &scenario.a, &scenario.b) {
        (FillKind::Custom, Some(a), Some(b)) => {
            let a = Matrix::listed(gemm.m(), gemm.k(), Arc::clone(&a.values))?;
            let b = Matrix::listed(gemm.k(), gemm.n(), Arc::clone(&b.values))?;
            let operands = Operands::new(a, b);
            let operands = match &scenario.c {
                Some(c) => operands.with_c(Matrix::listed(gemm.m(), gemm.n(), Arc::clone(&c.values))?),
                None => operands,
            };
            Run::new(schedule, operands, unit)
        }
        (FillKind::Small | FillKind::Custom, ..) => filled(Fill::Small { seed }),
        (FillKind::Uniform, ..) => filled(Fill::Uniform { seed }),
        (FillKind::Counting, ..) => filled(Fill::Counting),
        (FillKind::Identity, ..) => filled(Fill::Identity),
        (FillKind::Ramp, ..) => filled(Fill::Ramp),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn c_may_have_every_number_of_the_sums() {
        let with = |dtype, c: &str| {
            let mut scenario = Scenario { dtype, rows: 1, cols: 1, ..Scenario::default() };
            for (field, text) in [(Field::A, "2"), (Field::B, "3"), (Field::C, c)] {
                scenario.set_text(field, text).expect("a number");
            }
            Plan::new(&scenario).map(|plan| plan.result())
        };
        assert_eq!(with(Dtype::Int8, "70000"), Ok(vec![Value::Int(70_006)]));
        assert_eq!(with(Dtype::F16, "70000"), Ok(vec![Value::Float(70_006.0)]));
        for (dtype, c) in [(Dtype::Int8, "0.5"), (Dtype::Int8, "3e9"), (Dtype::F16, "1e39")] {
            let problems = with(dtype, c).expect_err("outside of the sums");
            assert_eq!(problems.iter().map(|one| one.field).collect::<Vec<_>>(), [Field::C], "{dtype} {c}");
        }
    }

    #[test]
    fn c_by_definition_is_c_of_the_run_in_every_format() {
        for dtype in Dtype::ALL {
            let scenario = Scenario { dtype, k: 9, fill: FillKind::Uniform, ..Scenario::default() };
            let plan = Plan::new(&scenario).expect("a run");
            assert_eq!(plan.result(), plan.run.result(), "{dtype}");
        }
    }
}
