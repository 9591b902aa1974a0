//! A run that uses the whole chip, as the next step after a run that is too small for the chip.

use display::number::percent;
use perfmodel::gemm_time::calibration::Basis;
use perfmodel::{Compute, GemmSizes};
use studio::{Field, FieldValue, FillKind, Plan, Settings};

/// Smallest MFU at which a person would rent the chip for the run.
pub(super) const RENTED_MFU_MIN: f64 = 1e-3;
/// Side of the cubic GEMM.
const SIDE: u64 = 4096;

/// A run that uses the chip well.
#[derive(Clone, Debug, PartialEq)]
pub struct FillingRun {
    /// Settings of the run: the sizes of the GEMM, and rows and columns of the chip's arrays if they differ from the
    /// array on screen.
    pub settings: Settings,
    /// Label with the MFU of the GEMM.
    pub label: String,
    /// True if the chip has arrays that the page can show.
    pub has_array: bool,
}

/// Returns a cubic GEMM that uses the chip well, with the array size of the chip. `None` if this run already has an MFU
/// of at least 1% on the chip, or if the MFU is unknown.
#[must_use]
pub fn filling_run(plan: &Plan) -> Option<FillingRun> {
    let on = plan.on_chip().ok().filter(|on| on.mfu.ratio < 0.01)?;
    let large = plan.other_on_chip(GemmSizes { m: SIDE, k: SIDE, n: SIDE }).ok()?;
    let about = if matches!(on.basis, Basis::Borrowed(_)) { "≈ " } else { "" };
    let array = plan.array_of_chip();
    // No person types so many numbers.
    let fill = (plan.scenario().fill == FillKind::Custom).then(|| (Field::Fill, FieldValue::Fill(FillKind::Small)));
    let sizes = [Field::M, Field::K, Field::N].map(|field| (field, FieldValue::Count(SIDE)));
    let sides = array.map(|(rows, cols)| [(Field::Rows, rows), (Field::Cols, cols)]);
    let sides = sides.into_iter().flatten().map(|(field, side)| (field, FieldValue::Count(side.into())));
    let has_array = matches!(plan.chip().compute, Compute::Arrays { .. });
    let place = if has_array { "" } else { " in Real models" };
    Some(FillingRun {
        settings: fill.into_iter().chain(sizes).chain(sides).collect(),
        label: format!("{SIDE}³{place}: {about}{} %", percent(large.mfu.ratio)),
        has_array,
    })
}

/// Returns the ids of the figures that the panel lists for the run on the chip. Below an MFU of 0.1%, the price of one
/// hour at 10¹⁵ useful operations per second is missing. No one rents a chip for one matmul this small.
#[must_use]
pub fn listed(plan: &Plan) -> Vec<&'static str> {
    let is_tiny = plan.on_chip().is_ok_and(|on| on.mfu.ratio < RENTED_MFU_MIN);
    let price = (!is_tiny).then_some("usd-per-useful-pflop-hour");
    ["time", "usd-per-run"].into_iter().chain(price).chain(["arithmetic-intensity", "rounding"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::{Link, Session};

    fn plan(query: &str) -> Plan {
        Plan::new(&Link::parse(query, "").scenario).expect("a run")
    }

    #[test]
    fn the_panel_lists_a_price_per_hour_only_for_a_run_of_some_size() {
        let price = "usd-per-useful-pflop-hour";
        // The first run is 6×4×3 on one array of a TPU v4. The second is a matmul that fills all its arrays.
        assert!(!listed(&Plan::default()).contains(&price));
        assert!(listed(&plan("rows=128&cols=128&m=4096&k=4096&n=4096")).contains(&price));
        assert!(listed(&plan("dt=f32&chip=tpu-v1")).contains(&price), "an unknown price gives its reason");
        let all = super::super::run_figures(&Plan::default());
        assert!(listed(&Plan::default()).iter().all(|id| all.iter().any(|figure| figure.id == *id)));
    }

    #[test]
    fn the_run_that_fills_a_chip_is_on_an_array_of_the_chip() {
        let filling = filling_run(&Plan::default()).expect("the first screen is small");
        assert_eq!(filling.label, "4096³: 80.8 %");
        let query = filling.settings.iter().map(|(field, value)| format!("{}={value}", field.id()));
        let run = plan(&query.collect::<Vec<_>>().join("&"));
        let (gemm, array) = (run.schedule().gemm(), run.schedule().array());
        assert_eq!((gemm.m(), gemm.k(), gemm.n(), array.rows(), array.cols()), (4096, 4096, 4096, 128, 128));
        assert_eq!(
            (run.schedule().folds(), percent(run.on_chip().expect("known").mfu.ratio)),
            (32 * 32, "80.8".into())
        );
        assert_eq!(filling_run(&run), None);
        // The suggested run keeps an array of the right size.
        let small = filling_run(&plan("rows=128&cols=128")).expect("small");
        assert_eq!((small.settings.len(), small.has_array), (3, true));
        // The page has no array of a chip with tensor cores.
        let other = filling_run(&plan("chip=h100-sxm")).expect("small");
        assert_eq!((other.settings.len(), other.has_array), (3, false));
        assert!(other.label.starts_with("4096³ in Real models: "), "{}", other.label);
    }

    #[test]
    fn typed_matrices_give_way_to_a_run_that_nobody_can_type() {
        let (session, _) = Session::open(&Link::parse("dt=int8&fill=custom", "a=1,2;3,4&b=5,6;7,8"));
        let filling = filling_run(&session.plan).expect("small");
        let settled = session.settled(&filling.settings).expect("can run");
        assert_eq!(settled.plan().schedule().gemm().m(), 4096);
    }
}
