//! All that is known of a chip, each value with its source; what is not published stays unknown.

use super::answer as words;
use crate::answer::Table;
use display::figure::cents;
use display::number::{grouped, readable};
use perfmodel::{Chip, Compute, LinkRate, Links, Sourced};

fn row<T>(what: String, sourced: &Sourced<T>, text: impl Fn(&T) -> String) -> (bool, Vec<String>) {
    let value = sourced.value.as_ref().map_or_else(|| "unknown".to_owned(), text);
    let note = sourced.note.map_or_else(String::new, |note| format!(" ({note})"));
    let source = format!("{}{note}", sourced.source.text);
    (false, vec![what, value, sourced.confidence.word().to_owned(), source])
}

fn whole(value: &u32) -> String {
    grouped(u64::from(*value))
}

/// The chip's sheet.
pub(super) fn sheet(chip: &Chip) -> Table {
    let named = |what: &str| what.to_owned();
    let mut rows = vec![row(named("year"), &chip.year, |year| year.to_string())];
    match &chip.compute {
        Compute::Arrays { rows: sides, cols, units_per_core, cores, dataflow } => {
            rows.push(row(named("rows of an array"), sides, whole));
            rows.push(row(named("columns of an array"), cols, whole));
            rows.push(row(named("arrays of a core"), units_per_core, whole));
            rows.push(row(named("cores"), cores, whole));
            rows.push(row(named("dataflow"), dataflow, |text| (*text).to_owned()));
        }
        Compute::TensorCores { count, fma_per_clock } => {
            rows.push(row(named("tensor cores"), count, whole));
            rows.push(row(named("multiply-adds of one per clock"), fma_per_clock, whole));
        }
        Compute::Unknown(nothing) => rows.push(row(named("what multiplies"), nothing, |text| (*text).to_owned())),
    }
    rows.push(row(named("clock"), &chip.clock_mhz, |mhz| format!("{} MHz", readable(*mhz, 6))));
    for (dtype, peak) in chip.peaks.iter() {
        let mut of_peak = row(format!("peak, {}", dtype.word()), peak, |rate| {
            format!("{} {}", readable(*rate, 6), dtype.peak_unit())
        });
        if let Some(identity) = chip.identity(*dtype) {
            let closes = if identity.closes { "consistent" } else { "not consistent" };
            let per = readable(identity.macs_per_pe_per_clock, 3);
            of_peak.1[3].push_str(&format!(
                ". 2 · PEs · clock · {per} MACs per PE and clock: {closes} with the published clock"
            ));
        }
        rows.push(of_peak);
    }
    let (kind, unit) = (chip.memory.kind, chip.memory.unit.word());
    rows.push(row(format!("{kind} capacity"), &chip.memory.capacity, |size| format!("{} {unit}", readable(*size, 6))));
    rows.push(row(format!("{kind} bandwidth"), &chip.memory.gb_per_sec, |rate| format!("{} GB/s", readable(*rate, 6))));
    if let Some(links) = Links::of(chip) {
        if let Some(topology) = &links.topology {
            rows.push(row(named("links"), topology, |text| (*text).to_owned()));
        }
        let rates = links.rates.iter();
        rows.extend(rates.map(|(rate, value): &(LinkRate, Sourced<f64>)| {
            row(rate.word().to_owned(), value, |rate| format!("{} GB/s", readable(*rate, 6)))
        }));
    }
    rows.push(row(named("chips of a pod or node"), &chip.pod_chips, whole));
    for (kind, watts) in chip.power_watts.iter() {
        rows.push(row(format!("power, {}", kind.word()), watts, |watts| format!("{} W", readable(*watts, 5))));
    }
    for price in chip.prices.iter() {
        let parts = [Some(price.kind.word()), price.region, price.date].into_iter().flatten();
        let what = format!("price, {}", parts.collect::<Vec<_>>().join(", "));
        rows.push(row(what, &price.usd_per_chip_hour, |usd| format!("{} per chip-hour", cents(*usd))));
    }
    Table { title: words::SHEET, heads: words::SHEET_HEADS.to_vec(), rows }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn every_value_of_every_chip_has_its_source_and_unknown_stays_unknown() {
        let mut unknown = 0;
        for chip in Chip::all() {
            for (_, cells) in sheet(chip).rows {
                assert!(cells.len() == 4 && cells.iter().all(|cell| !cell.is_empty()), "{} {cells:?}", chip.id);
                unknown += usize::from(cells[1] == "unknown");
            }
        }
        assert!(unknown > 10, "{unknown} unknown values");
        let v6e = sheet(Chip::by_id("tpu-v6e").expect("known"));
        let clock = v6e.rows.iter().find(|(_, cells)| cells[0] == "clock").expect("a row");
        assert_eq!(clock.1[1], "unknown");
    }
}
