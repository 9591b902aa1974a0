//! A dataflow that a person builds, and the cycle of it that the page shows.

use systolic::flow::{Flow, FlowRun, Move};
use systolic::{Dtype, Fill, Gemm, Operands};

/// Delays of a row or a column.
const DELAYS: [&str; 3] = ["0", "1", "2"];

/// A dataflow that a person builds. In a link, the cycle follows the flow: `flow=east,stays,south,0,1@3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Built {
    /// The moves and delays.
    pub flow: Flow,
    /// Cycle that the page shows; `None` for the cycle of the first fault, or the first cycle.
    pub cycle: Option<u64>,
}

impl Built {
    /// M, K and N of the matmul.
    pub const SIDE: u64 = 4;

    /// Dataflow with which the tool opens: weight-stationary, but all rows start together.
    pub const FIRST: &'static str = "east,stays,south,0,1";

    /// Reads the value of the link parameter.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (flow, cycle) = text.split_once('@').map_or((text, None), |(flow, cycle)| (flow, Some(cycle)));
        let cycle = cycle.map(str::parse).transpose().ok()?;
        // This does not use the parser of `Flow`, because the texts of its errors would then be in the first load.
        let mut parts = flow.split(',');
        let mut motion = || Move::from_id(parts.next()?);
        let (a, b, sums) = (motion()?, motion()?, motion()?);
        let mut delay = || {
            let given = parts.next()?;
            DELAYS.into_iter().zip(0..).find(|(id, _)| *id == given).map(|(_, delay)| delay)
        };
        let flow = Flow { a, b, sums, row_delay: delay()?, col_delay: delay()? };
        parts.next().is_none().then_some(Self { flow, cycle })
    }

    /// Returns the value of the link parameter.
    #[must_use]
    pub fn to_text(self) -> String {
        let Flow { a, b, sums, row_delay, col_delay } = self.flow;
        let [rows, cols] = [row_delay, col_delay].map(|delay| DELAYS.get(usize::from(delay)).copied().unwrap_or(""));
        let cycle = self.cycle.map(|cycle| cycle.to_string());
        let at = if cycle.is_some() { "@" } else { "" };
        [a.id(), ",", b.id(), ",", sums.id(), ",", rows, ",", cols, at, cycle.as_deref().unwrap_or("")].concat()
    }

    /// Runs the flow on small matrices that the seed determines. `None` cannot happen, because the matrices are small.
    #[must_use]
    pub fn run(self, seed: u64) -> Option<FlowRun> {
        let gemm = Gemm::new(Self::SIDE, Self::SIDE, Self::SIDE).ok()?;
        FlowRun::new(self.flow, gemm, &Operands::filled(gemm, Fill::Small { seed }, Dtype::Int8)).ok()
    }

    /// Returns the cycle that the page shows.
    #[must_use]
    pub fn cycle_of(self, run: &FlowRun) -> u64 {
        let first = || run.first_fault().map_or(0, |fault| fault.cycle);
        self.cycle.unwrap_or_else(first).min(run.n_cycles().saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_flow_reads_what_it_writes() {
        for flow in [Built::FIRST, "north,west,along-col,2,0"] {
            assert_eq!(Built::parse(flow).map(|built| built.flow.to_string()).as_deref(), Some(flow));
        }
        for text in [Built::FIRST, "along-row,along-col,stays,0,0", "east,south,west,1,1@12"] {
            assert_eq!(Built::parse(text).map(Built::to_text).as_deref(), Some(text));
        }
        for text in
            ["", "east,stays,south", "east,stays,up,1,1", "east,stays,south,1,3", "east,stays,south,1,1@", "1@x"]
        {
            assert_eq!(Built::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_first_flow_opens_at_its_first_fault_and_a_right_one_at_its_start() {
        let shown = |text: &str| {
            let built = Built::parse(text).expect("a flow");
            let run = built.run(7).expect("small");
            (built.cycle_of(&run), run.n_wrong_sums())
        };
        // Row 1 does not wait: in cycle 1 its PE has a[1,1] and the sum of c[0,0], which needs a[0,1].
        assert_eq!(shown(Built::FIRST), (1, 16));
        assert_eq!(shown("east,stays,south,1,1"), (0, 0));
        assert_eq!(shown("east,stays,south,1,1@5").0, 5);
        assert_eq!(shown("east,stays,south,1,1@900").0, 9);
    }
}
