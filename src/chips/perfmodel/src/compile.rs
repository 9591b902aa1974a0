//! Cost of compilation if every new shape needs a new program.

use crate::{BatchLayout, Seconds};

/// A run that compiles each shape when the shape first occurs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compilation {
    /// Number of distinct compilation keys; several steps can share a key. A key consists of the shape, the dtype and
    /// the static arguments.
    pub shapes: u64,
    /// `T_c`: time to compile one shape.
    pub compile: Seconds,
    /// Steps of the run.
    pub steps: u64,
    /// `t_s`: time of a step whose shape is already compiled.
    pub step: Seconds,
}

impl Compilation {
    /// Time spent compiling: `shapes · T_c`.
    pub fn time(&self) -> Seconds {
        Seconds(self.shapes as f64 * self.compile.0)
    }

    /// Compile time ÷ compute time: `shapes · T_c ÷ (steps · t_s)`; `None` if nothing is computed.
    pub fn overhead(&self) -> Option<f64> {
        let computing = self.steps as f64 * self.step.0;
        (computing > 0.0).then(|| self.time().0 / computing)
    }
}

/// One step of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepRun {
    /// Length of each row of the batch, in tokens.
    pub row: u32,
    /// True if the shape occurs for the first time, so the step waits for the compiler.
    pub compiles: bool,
    /// Time of the step, compiling included.
    pub time: Seconds,
}

impl BatchLayout {
    /// Lists each step in order with its time: `seconds(row)`, plus `compile` if the shape is new.
    pub fn step_runs(&self, compile: Seconds, seconds: impl Fn(u32) -> f64) -> Vec<StepRun> {
        let shapes = self.shapes();
        let mut seen = vec![false; shapes.len()];
        let run = |row: &u32| {
            let first = shapes.binary_search(row).ok().and_then(|at| seen.get_mut(at));
            let compiles = first.is_some_and(|seen| !std::mem::replace(seen, true));
            let waiting = if compiles { compile.0 } else { 0.0 };
            StepRun { row: *row, compiles, time: Seconds(waiting + seconds(*row)) }
        };
        self.steps.iter().map(run).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Compilation;
    use crate::{BatchLayout, Batching, Buckets, Seconds};

    fn overhead(shapes: u64, compile: f64, steps: u64, step: f64) -> Option<f64> {
        Compilation { shapes, compile: Seconds(compile), steps, step: Seconds(step) }.overhead()
    }

    #[test]
    fn few_shapes_are_amortized_and_many_are_not() {
        // Compiling takes 60 s per shape, and the run has 10,000 steps of 1 s. The overhead is 0.6%, 60% and 600% for
        // 1, 100 and 1000 shapes.
        for (shapes, percent) in [(1, 0.6), (100, 60.0), (1000, 600.0)] {
            let found = 100.0 * overhead(shapes, 60.0, 10_000, 1.0).expect("steps");
            assert!((found - percent).abs() < 1e-9, "{found}");
        }
        // Compiling for 300 s adds 60% to a benchmark of 500 steps of 1 s.
        assert_eq!(overhead(1, 300.0, 500, 1.0), Some(0.6));
        // With steps of 4 s, computing takes four times as long, so the overhead is a quarter of the 60%.
        assert_eq!(overhead(1, 300.0, 500, 4.0), Some(0.15));
        assert_eq!(overhead(1, 300.0, 0, 1.0), None);
    }

    #[test]
    fn the_first_step_of_a_published_log_took_eight_times_as_long_as_the_others() {
        // In a MaxText log, step 0 took 44.9 s and later steps took 5.67 s. Step 0 took 7.9 times as long, and 39.2 s
        // of it were not the step itself.
        let layout = BatchLayout::new(&[64; 4], Batching::Padded { batch: 1, sorted: false, buckets: Buckets::Exact });
        let runs = layout.expect("allowed").step_runs(Seconds(44.9 - 5.67), |_| 5.67);
        assert_eq!(runs.iter().map(|run| run.compiles).collect::<Vec<_>>(), [true, false, false, false]);
        assert!((runs[0].time.0 / runs[1].time.0 - 7.9).abs() < 0.05);
    }

    #[test]
    fn a_shape_compiles_when_it_first_occurs_and_never_again() {
        let lengths = [3, 9, 3, 17, 9, 3];
        let layout =
            BatchLayout::new(&lengths, Batching::Padded { batch: 1, sorted: false, buckets: Buckets::PowersOfTwo });
        let layout = layout.expect("allowed");
        let runs = layout.step_runs(Seconds(10.0), f64::from);
        let times: Vec<_> = runs.iter().map(|run| run.time.0).collect();
        assert_eq!(times, [14.0, 26.0, 4.0, 42.0, 16.0, 4.0]);
        let compiled = runs.iter().filter(|run| run.compiles).count();
        assert_eq!(compiled, layout.shapes().len());
    }
}
