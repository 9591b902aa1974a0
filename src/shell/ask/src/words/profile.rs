//! Sentences about a line of a profiler.

use perfmodel::{Chip, GemmSizes, GemmTraffic, PeakDtype};

/// Returns a sentence with the rate of a matmul whose time is known, and its share of the peak of a chip.
pub(crate) fn measured(mkn: [u64; 3], seconds: f64, chip: Option<&Chip>) -> String {
    let sizes = GemmSizes { m: mkn[0], k: mkn[1], n: mkn[2] };
    let flops = sizes.flops() / seconds;
    let intensity = GemmTraffic { sizes, in_bytes: 1.0, out_bytes: 1.0 }.intensity().unwrap_or(f64::INFINITY);
    let lowest = Chip::all().iter().filter_map(|chip| chip.ridge(PeakDtype::Bf16)).fold(f64::INFINITY, f64::min);
    let bound = if intensity < lowest {
        let intensity = display::number::readable(intensity, 3);
        format!(" With at most {intensity} FLOP per byte, memory limits it on any chip of the table.")
    } else {
        String::new()
    };
    let rate = display::number::readable(flops / 1e12, 3);
    let peak = chip.and_then(|chip| Some((chip, chip.peak_flops(PeakDtype::Bf16)?.0)));
    let rest = match peak {
        Some((chip, peak)) if flops > peak => {
            format!("more than the bf16 peak of {}, so check the time, the sizes and the format", chip.name)
        }
        Some((chip, peak)) => format!("{} % of the bf16 peak of {}", display::number::percent(flops / peak), chip.name),
        None => "divide this by the dense peak of your chip".to_owned(),
    };
    format!(" The time in this text means {rate} TFLOP/s: {rest}.{bound}")
}
