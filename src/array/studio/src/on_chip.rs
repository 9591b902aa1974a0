//! Time and MFU of a plan's GEMM on the whole chip. The values equal the estimates everywhere else on the page.

use crate::{PaddingKind, Plan};
use perfmodel::gemm_time::ProductOnChip;
use perfmodel::{Bound, Conversion, F32Passes, Format, Fp8, GemmSizes, GemmTraffic, MfuRefusal, PeakDtype, Roofline};
use systolic::Dtype;

/// Returns the number format whose peak applies to an operand format.
const fn peak_dtype(dtype: Dtype) -> PeakDtype {
    match dtype {
        Dtype::F32 => PeakDtype::F32,
        Dtype::Bf16 => PeakDtype::Bf16,
        Dtype::F16 => PeakDtype::F16,
        Dtype::E4m3fn | Dtype::E5m2 | Dtype::E4m3b11fnuz | Dtype::E4m3fnuz | Dtype::E5m2fnuz => PeakDtype::Fp8,
        Dtype::Int8 => PeakDtype::Int8,
        Dtype::Int4 => PeakDtype::Int4,
        Dtype::Tf32 => PeakDtype::Tf32,
    }
}

/// Returns the operand format that a program requests from a chip.
#[must_use]
pub const fn chip_format(dtype: Dtype, passes: F32Passes) -> Format {
    let fp8 = match dtype {
        Dtype::E4m3fn => Some(Fp8::E4m3fn),
        Dtype::E4m3b11fnuz => Some(Fp8::E4m3b11fnuz),
        Dtype::E4m3fnuz | Dtype::E5m2fnuz => Some(Fp8::E4m3fnuz),
        _ => None,
    };
    Format { dtype: peak_dtype(dtype), passes, fp8 }
}

impl Plan {
    /// Returns the operand format that a program requests from the chip.
    #[must_use]
    pub fn format(&self) -> Format {
        chip_format(self.dtype(), self.scenario().passes)
    }

    /// Returns the sizes of the GEMM that the chip runs. M includes the rows of padding that the program adds. The
    /// sizes do not include padding to the array on screen, because the chip pads to its own arrays.
    #[must_use]
    pub fn product(&self) -> GemmSizes {
        let (gemm, run) = (self.schedule().gemm(), self.schedule().run());
        let m = if self.scenario().padding == PaddingKind::MultipleOfM { run.m() } else { gemm.m() };
        GemmSizes { m, k: gemm.k(), n: gemm.n() }
    }

    /// Time and MFU of the GEMM on the whole chip.
    ///
    /// # Errors
    /// [`MfuRefusal`] if a number that the time or the MFU needs is not published.
    pub fn on_chip(&self) -> Result<ProductOnChip, MfuRefusal> {
        let gemm = self.schedule().gemm();
        let useful = GemmSizes { m: gemm.m(), k: gemm.k(), n: gemm.n() };
        ProductOnChip::padded(self.chip(), self.format(), self.product(), useful.flops())
    }

    /// Time and MFU of a GEMM of other sizes on the whole chip, in the plan's format.
    ///
    /// # Errors
    /// [`MfuRefusal`] if a number that the time or the MFU needs is not published.
    pub fn other_on_chip(&self, sizes: GemmSizes) -> Result<ProductOnChip, MfuRefusal> {
        ProductOnChip::new(self.chip(), self.format(), sizes)
    }

    /// Returns the position of the GEMM under the roofline of the chip, with this memory traffic.
    #[must_use]
    pub fn roofline(&self, traffic: &GemmTraffic) -> Roofline {
        match self.chip().as_run(self.format()) {
            Ok(run) => Roofline::new(self.chip(), run.multiplied, traffic).in_passes(run.passes),
            Err(_) => Roofline { intensity: traffic.intensity(), ridge: None, bound: Bound::Unknown, attainable: None },
        }
    }

    /// Returns the text that describes this GEMM on this chip to the model estimates: entries in the form
    /// `name=value&…`. `own` has the values of a custom chip, in the form that the estimates use. It is empty for a
    /// published chip.
    #[must_use]
    pub fn product_entries(&self, own: &str) -> String {
        let GemmSizes { m, k, n } = self.product();
        let format = self.format();
        let sizes = [m, k, n].map(|side| side.to_string());
        let mut pairs = form_urlencoded::Serializer::new(String::new());
        pairs.append_pair("model", "product");
        pairs.extend_pairs(["m", "k", "n"].into_iter().zip(sizes));
        if !own.is_empty() {
            pairs.append_pair("own", own);
        }
        pairs.append_pair("chip", self.chip().id).append_pair("dtype", format.dtype.word());
        if format.dtype == PeakDtype::F32 {
            pairs.append_pair("passes", format.passes.id());
        }
        pairs.finish()
    }

    /// True if the chip runs the format in bf16 passes. A person can then choose the number of passes.
    #[must_use]
    pub fn runs_in_passes(&self) -> bool {
        self.chip().as_run(self.format()).is_ok_and(|run| run.conversion == Conversion::Passes)
    }

    /// Bars of the efficiency breakdown, from the chip's peak to this GEMM. Each step has two lengths, from 0 to 1: the
    /// share of the peak that is left after the step, and the share lost in the step. The axis is logarithmic if less
    /// than a thousandth of the peak is left. Empty if the time is unknown.
    #[must_use]
    pub fn ladder(&self) -> Vec<(f64, f64)> {
        self.ladder_with(self.ladder_least())
    }

    /// Smallest share of the peak that is left after a step of the efficiency breakdown. 1 if the time is unknown.
    #[must_use]
    pub fn ladder_least(&self) -> f64 {
        self.on_chip().map_or(1.0, |on| on.steps.iter().map(|step| step.left).fold(1.0, f64::min))
    }

    /// Bars of the efficiency breakdown, as [`Self::ladder`] returns them, on an axis with space for this share of the
    /// peak. With the smallest share of several runs, the bars of these runs have one axis and can be compared.
    #[must_use]
    pub fn ladder_with(&self, least: f64) -> Vec<(f64, f64)> {
        let Ok(on) = self.on_chip() else { return Vec::new() };
        // The shortest bar takes at least an eleventh of the axis.
        let axis = (least.log10() * 1.1).abs();
        let length = |share: f64| if is_logarithmic(least) { 1.0 + share.log10() / axis } else { share };
        let above = core::iter::once(1.0).chain(on.steps.iter().map(|step| step.left));
        on.steps.iter().zip(above).map(|(step, above)| (length(step.left), length(above) - length(step.left))).collect()
    }

    /// True if the bars of the efficiency breakdown have a logarithmic axis.
    #[must_use]
    pub fn is_ladder_logarithmic(&self) -> bool {
        is_logarithmic(self.ladder_least())
    }
}

/// True if an axis with space for this share of the peak is logarithmic.
#[must_use]
pub const fn is_logarithmic(least: f64) -> bool {
    least < 0.001
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(query: &str) -> Plan {
        Plan::new(&crate::Link::parse(query, "").scenario).expect("a run")
    }

    #[test]
    fn a_chip_of_arrays_like_this_one_follows_rows_columns_arrays_clock_and_price() {
        let on = |query: &str| {
            let plan = plan(&format!("m=512&k=512&n=512&dt=bf16&{query}"));
            let price = plan.chip().default_price().and_then(|price| price.usd_per_chip_hour.value).expect("a price");
            let on = plan.on_chip().expect("known");
            (on.time.peak.0, on.mfu.ratio, on.usd(price))
        };
        let first = on("rows=128&cols=128&arrays=8&mhz=1000&cents=200");
        // Each PE multiplies and adds once per clock cycle.
        assert!((first.0 / (2.0 * 128.0 * 128.0 * 8.0 * 1e9) - 1.0).abs() < 1e-12, "{first:?}");
        for query in [
            "rows=64&cols=128&arrays=8&mhz=1000&cents=200",
            "rows=128&cols=32&arrays=8&mhz=1000&cents=200",
            "rows=128&cols=128&arrays=1&mhz=1000&cents=200",
            "rows=128&cols=128&arrays=8&mhz=100&cents=200",
        ] {
            let other = on(query);
            assert!(other.0 < first.0 && other.1 != first.1 && other.2 > first.2, "{query} {other:?} {first:?}");
        }
        let dear = on("rows=128&cols=128&arrays=8&mhz=1000&cents=400");
        assert_eq!((dear.0, dear.1), (first.0, first.1));
        assert!((dear.2 / first.2 - 2.0).abs() < 1e-12);
        // With the numbers of the chip, the custom chip has nearly its peak.
        let tpu = plan("dt=bf16&chip=tpu-v4&rows=128&cols=128");
        let text = tpu.chip_of_arrays().map(|(field, n)| format!("{}={n}", field.id())).join("&");
        let like = plan(&format!("dt=bf16&chip=tpu-v4&rows=128&cols=128&{text}"));
        let peaks = [tpu, like].map(|plan| plan.on_chip().expect("known").time.peak.0);
        assert!((peaks[1] / peaks[0] - 1.0).abs() < 0.01, "{peaks:?}");
        // The default chip replaces a chip without arrays, also for its price and memory.
        assert_eq!(plan("chip=h100-sxm").chip_of_arrays(), plan("chip=tpu-v4").chip_of_arrays());
    }

    #[test]
    fn the_array_on_the_stage_is_not_the_chip() {
        let time = |query: &str| plan(query).on_chip().expect("known").time.total;
        let product = "m=100&k=200&n=300&dt=bf16";
        let four = time(&format!("{product}&rows=4&cols=4"));
        assert_eq!(four, time(&format!("{product}&rows=128&cols=64&df=os")));
        assert_eq!(four, time(&format!("{product}&rows=4&cols=4&pad=zero")));
        // Rows that the program adds run on the chip too.
        let padded = plan(&format!("{product}&rows=4&cols=4&pad=m&padm=1024"));
        assert_eq!(padded.product().m, 1024);
        let [useful, all] = [padded.on_chip(), ProductOnChip::new(padded.chip(), padded.format(), padded.product())]
            .map(|on| on.expect("known"));
        assert!((useful.mfu.ratio / all.mfu.ratio - 100.0 / 1024.0).abs() < 1e-12);
        assert_eq!(useful.time.total, all.time.total);
    }

    #[test]
    fn what_the_steps_take_and_what_is_left_is_the_whole_peak() {
        let (small, large) = (plan("m=10&k=20&n=30&dt=f32&passes=3"), plan("m=8192&k=8192&n=8192&dt=bf16"));
        let ladder = small.ladder();
        assert!(small.runs_in_passes() && ladder.len() == 9);
        let (left, _) = ladder[8];
        let taken: f64 = ladder.iter().map(|(_, taken)| taken).sum();
        assert!((taken + left - 1.0).abs() < 1e-12);
        let ratio = small.on_chip().expect("known").mfu.ratio;
        assert!(ratio < 0.001 && small.is_ladder_logarithmic());
        // On a logarithmic axis, equal factors are equally long.
        assert!((ladder[0].1 / (1.0 - left) - 3f64.ln() / (1.0 / ratio).ln()).abs() < 1e-12);
        assert!(!large.is_ladder_logarithmic());
        assert!((large.ladder()[8].0 - large.on_chip().expect("known").mfu.ratio).abs() < 1e-15);
    }
}
