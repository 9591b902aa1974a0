//! The cost of a run: the lines of the bill, the energy and the emissions.

use super::{CostInput, CostInputs, Estimate, Measured, OwnRun};
use perfmodel::{
    Checkpointing, Compilation, CostLine, EgressTariff, FailureRate, Joules, Offer, PowerKind, RunBill, Seconds,
    Sourced, Usd, run_inputs,
};

/// Duration of useful work in the bill if the user sets no number of tokens: one day.
const DAY: Seconds = Seconds(86_400.0);

/// A run with its cost.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Inputs of the bill besides the chips.
    pub inputs: CostInputs,
    /// Number of steps in the run; may be fractional.
    pub n_steps: f64,
    /// Number of tokens in the run; `None` if the number of tokens per step is unknown.
    pub tokens: Option<f64>,
    /// True if the run is one day of useful work because no number of tokens is set.
    pub is_day: bool,
    /// Time of the run's useful work. If the time of the whole run was measured, this measured time.
    pub time: Seconds,
    /// True if the time contains failures and compilation.
    pub is_whole: bool,
    /// Time between checkpoints; `None` if unknown.
    pub interval: Option<Seconds>,
    /// Mean time between failures of the run, which fails if any chip fails.
    pub mtbf: Option<Seconds>,
    /// Time lost to failures, divided by the time of useful work.
    pub failures: Option<f64>,
    /// Time spent compiling, divided by the time of useful work.
    pub compiling: f64,
    /// Model FLOPs of the run, in PFLOP-hours (1 PFLOP/s for an hour).
    pub pflop_hours: f64,
    /// Published power of one chip, which is used to compute the energy.
    pub power: Option<(PowerKind, Sourced<f64>)>,
    /// Energy of all chips over the whole run, including compilation and failures.
    pub energy: Option<Joules>,
    /// Emissions in kg of carbon dioxide, if the grid's emissions per kWh are set.
    pub kg_co2: Option<f64>,
    /// The bill of the run.
    pub bill: RunBill,
}

impl Cost {
    /// Computes the cost of processing the question's tokens, or of one day of work if the number of tokens is unknown.
    #[must_use]
    pub fn new(estimate: &Estimate, inputs: &CostInputs) -> Self {
        let n_steps = estimate.question.tokens.zip(estimate.tokens).map(|(of_run, of_step)| of_run / of_step);
        let of_a_day = DAY.0 / estimate.step.0;
        Self { is_day: n_steps.is_none(), ..Self::of_steps(n_steps.unwrap_or(of_a_day), estimate, inputs) }
    }

    /// Computes the cost of a measured run. A measured time of the whole run already contains failures and compilation,
    /// so these lines cost nothing more.
    #[must_use]
    pub fn of_run(run: &OwnRun, estimate: &Estimate, inputs: &CostInputs) -> Self {
        let measured = Estimate { step: run.step, ..estimate.clone() };
        if let Measured::Run(time) = run.measured {
            let n_steps = time.0 / run.step.0;
            return Self::priced(n_steps, &measured, inputs, true);
        }
        Self::new(&measured, inputs)
    }

    /// Computes the cost of `n_steps` steps.
    #[must_use]
    pub fn of_steps(n_steps: f64, estimate: &Estimate, inputs: &CostInputs) -> Self {
        Self::priced(n_steps, estimate, inputs, false)
    }

    /// `is_whole` is true if the time of the steps contains failures and compilation.
    fn priced(n_steps: f64, estimate: &Estimate, inputs: &CostInputs, is_whole: bool) -> Self {
        let question = &estimate.question;
        let time = Seconds(n_steps * estimate.step.0);
        let mtbf = inputs
            .value(CostInput::Mtbf)
            .and_then(|hours| FailureRate { chip_mtbf: Seconds(hours * 3600.0) }.slice_mtbf(question.chips));
        let run = mtbf
            .zip(inputs.value(CostInput::Save).zip(inputs.value(CostInput::Restart)))
            .map(|(mtbf, (save, restart))| Checkpointing { mtbf, save: Seconds(save), restart: Seconds(restart) });
        let own =
            inputs.value(CostInput::Interval).filter(|minutes| *minutes > 0.0).map(|minutes| Seconds(minutes * 60.0));
        let interval = own.or_else(|| run?.young());
        let failures =
            if is_whole { Some(0.0) } else { run.zip(interval).and_then(|(run, interval)| run.overhead(interval)) };
        let compiling = if is_whole { 0.0 } else { compiling(inputs, time) };
        let power = question.chip.usual_power().copied();
        let energy = power
            .and_then(|(_, watts)| watts.value)
            .zip(failures)
            .map(|(watts, failures)| Joules(watts * question.chips as f64 * time.0 * (1.0 + failures + compiling)));
        let pue = inputs.value(CostInput::Pue).unwrap_or(1.0);
        let bill = Offer {
            usd_per_chip_hour: question.usd_per_chip_hour(),
            chips: question.chips,
            time: Some(time),
            failure_overhead: failures,
            recompilation_overhead: Some(compiling),
            egress: egress(inputs),
            porting: porting(inputs),
            energy: match inputs.value(CostInput::KwhUsd) {
                Some(usd) => energy.map(|energy| Usd(energy.kwh() * pue * usd)),
                None => Some(Usd(0.0)),
            },
        }
        .bill();
        let flops = estimate.model_flops * question.chips as f64 * n_steps;
        Self {
            inputs: *inputs,
            n_steps,
            tokens: estimate.tokens.map(|tokens| tokens * n_steps),
            is_day: false,
            time,
            is_whole,
            interval,
            mtbf,
            failures,
            compiling,
            pflop_hours: flops / 1e15 / 3600.0,
            power,
            energy,
            kg_co2: energy.zip(inputs.value(CostInput::Grid)).map(|(energy, grid)| energy.kg_co2(pue, grid)),
            bill,
        }
    }

    /// Returns the amounts of the bill's lines, in the order of [`CostLine::ALL`].
    #[must_use]
    pub fn amounts(&self) -> [Option<f64>; CostLine::ALL.len()] {
        CostLine::ALL.map(|line| self.bill.line(line).map(|usd| usd.0))
    }
}

fn compiling(inputs: &CostInputs, time: Seconds) -> f64 {
    // Only the total time counts, so the run is one step.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, from 0 to a million")]
    let shapes = inputs.value_or_zero(CostInput::Shapes) as u64;
    let compile = Seconds(inputs.value_or_zero(CostInput::Compile));
    Compilation { shapes, compile, steps: 1, step: time }.overhead().unwrap_or(0.0)
}

fn egress(inputs: &CostInputs) -> Option<Usd> {
    let gb = inputs.value(CostInput::Egress).filter(|gb| *gb > 0.0);
    let Some(gb) = gb else { return Some(Usd(0.0)) };
    let tariff = match inputs.explicit(CostInput::EgressUsd) {
        Some(usd_per_gb) => Some(EgressTariff { usd_per_gb, free_gb: 0.0 }),
        None => run_inputs::AWS_EGRESS.value,
    };
    tariff.map(|tariff| tariff.cost(gb))
}

fn porting(inputs: &CostInputs) -> Option<Usd> {
    match inputs.value(CostInput::Weeks) {
        Some(weeks) if weeks > 0.0 => inputs.value(CostInput::WeekUsd).map(|usd| Usd(weeks * usd)),
        _ => Some(Usd(0.0)),
    }
}

#[cfg(test)]
mod tests {
    use crate::{CostInput, CostInputs, ModelAnswer, ModelQuery};
    use perfmodel::{CostLine, Seconds, Usd};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn answer(text: &str) -> ModelAnswer {
        let case = ModelQuery::parse(text);
        assert_eq!(case.invalid, [], "{text}");
        case.answer(None).expect("an answer")
    }

    fn line(text: &str, line: CostLine) -> Option<f64> {
        answer(text).cost.bill.line(line).map(|usd| usd.0)
    }

    #[test]
    fn each_line_is_its_own_arithmetic() {
        // The run has 1e12 tokens at the estimated rate on 256 chips at $2.
        let run = "chips=256&tokens=1e12&usd=2";
        let seconds = 1e12 / answer(run).estimate.tokens_per_sec().expect("sequences");
        let compute = 2.0 * 256.0 * seconds / 3600.0;
        assert!((line(run, CostLine::Compute).expect("known") / compute - 1.0).abs() < 1e-12);
        // Saving takes 60 s every 30 min and restarting takes 600 s. One of the 256 chips fails every 24 h. The
        // overhead is 60/1800 + (900 + 600)/86400.
        let failing = format!("{run}&mtbf=6144&interval=30");
        let lost = compute * (60.0 / 1800.0 + 1500.0 / 86_400.0);
        assert!((line(&failing, CostLine::Failures).expect("known") / lost - 1.0).abs() < 1e-12);
        // Ten shapes of six minutes take an hour of all chips.
        let compiling = line(&format!("{run}&shapes=10&compile=360"), CostLine::Recompilation);
        assert!((compiling.expect("known") - 512.0).abs() < 1e-6);
        // 10 TB cost $891 at $0.09 per GB with the first 100 GB free. At a custom price of five cents, they cost $500.
        assert_eq!(line("egress=10000", CostLine::Egress).map(f64::round), Some(891.0));
        assert_eq!(line("egress=10000&egress-usd=0.05", CostLine::Egress).map(f64::round), Some(500.0));
        assert_eq!(line("weeks=2&week-usd=8000", CostLine::Porting), Some(16_000.0));
    }

    #[test]
    fn electricity_is_power_times_time_and_carbon_is_the_grids() {
        // TPU v4: 170 W, the mean that Google published. No chip fails, and compiling takes negligible time.
        let text = "chip=tpu-v4&chips=1000&mtbf=1e9&save=0.001&restart=0&shapes=0&kwh-usd=0.1&pue=1.1&grid=0.4";
        let cost = answer(text).cost;
        let watts = cost.power.and_then(|(_, watts)| watts.value).expect("published");
        let kwh = watts * 1000.0 * 24.0 / 1000.0;
        assert!((cost.energy.expect("known").kwh() / kwh - 1.0).abs() < 1e-3);
        assert!((cost.bill.energy.expect("known").0 / (kwh * 1.1 * 0.1) - 1.0).abs() < 1e-3);
        assert!((cost.kg_co2.expect("stated") / (kwh * 1.1 * 0.4) - 1.0).abs() < 1e-3);
    }

    #[test]
    fn time_lost_takes_electricity_and_is_no_useful_work() {
        let ModelAnswer { cost, estimate, .. } =
            answer("chip=tpu-v4&chips=256&tokens=1e12&mtbf=6144&interval=30&shapes=10&compile=360");
        // The energy is for 170 W. It includes saving, repeating and restarting as computed earlier, and an hour of
        // compiling.
        let useful = 1e12 / estimate.tokens_per_sec().expect("sequences");
        let lost = useful * (60.0 / 1800.0 + 1500.0 / 86_400.0) + 3600.0;
        assert!((cost.energy.expect("published").0 / (170.0 * 256.0 * (useful + lost)) - 1.0).abs() < 1e-12);
        assert!((cost.compiling / (3600.0 / useful) - 1.0).abs() < 1e-12);
        // The FLOPs of a token are those of a chip, divided by its 4 sequences of 2048.
        let token = estimate.model_flops / (4.0 * 2048.0);
        assert!((cost.pflop_hours / (token * 1e12 / 3.6e18) - 1.0).abs() < 1e-12);
        assert!((cost.n_steps / (1e12 / (4.0 * 2048.0 * 256.0)) - 1.0).abs() < 1e-12);
        assert!(cost.tokens.is_some_and(|tokens| (tokens / 1e12 - 1.0).abs() < 1e-12));
    }

    #[test]
    fn the_unknown_stays_unknown() {
        assert_eq!(line("weeks=2", CostLine::Porting), None, "nobody said what a week costs");
        assert_eq!(answer("weeks=2").cost.bill.total(), None);
        assert_eq!(answer("").cost.kg_co2, None, "nobody stated the grid");
        assert_eq!(line("chip=tpu-v6e&kwh-usd=0.1", CostLine::Energy), None, "nobody published the power");
        assert_eq!(line("chip=tpu-v6e", CostLine::Energy), Some(0.0), "a rented chip's price includes it");
        assert_eq!(line("chip=gaudi3", CostLine::Compute), None, "no list price");
    }

    #[test]
    fn without_tokens_a_day_of_useful_work_is_billed() {
        let day = answer("chips=64&usd=1").cost;
        assert!(day.is_day && (day.bill.compute.expect("known").0 - 64.0 * 24.0).abs() < 1e-6);
        assert_eq!(day.time, Seconds(86_400.0));
        assert_eq!(CostInputs::default().value(CostInput::Shapes), Some(1.0));
    }

    #[test]
    fn porting_pays_back_where_both_bills_meet() {
        let text = "tokens=1e12&chips=256&chip=tpu-v6e&versus=h100-sxm&weeks=3&week-usd=8000";
        let answer = answer(text);
        let (here, there) = (answer.cost, answer.comparison().expect("another").1);
        assert_eq!(there.bill.porting, Some(Usd(0.0)), "who stays ports nothing");
        let runs = here.bill.break_even_runs(&there.bill).expect("pays");
        let saving = there.bill.per_run().expect("known").0 - here.bill.per_run().expect("known").0;
        assert!((runs * saving - 24_000.0).abs() < 1e-6, "{runs}");
        assert_eq!(there.bill.break_even_runs(&here.bill), None, "the dearer never pays");
    }
}
