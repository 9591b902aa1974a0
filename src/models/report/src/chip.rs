//! The data sheet of a chip: each value with its source. Unpublished values stay unknown.

use super::table::{Cell, Row, Table, TableId};
use display::amount::Amount;
use display::figure::cents;
use display::number::readable;
use perfmodel::{Chip, Compute, LinkRate, Links, Sourced};

fn row<T>(what: String, sourced: &Sourced<T>, text: impl Fn(&T) -> Cell) -> Row {
    row_with(what, sourced, text, "")
}

/// Returns a row of the data sheet, with a remark after the source.
fn row_with<T>(what: String, sourced: &Sourced<T>, text: impl Fn(&T) -> Cell, remark: &str) -> Row {
    let value = sourced.value.as_ref().map_or(Cell::Amount(Amount::Unknown), text);
    let note = sourced.note().map_or_else(String::new, |note| format!(" ({note})"));
    let source = format!("{}{note}{remark}", sourced.source.citation());
    Row::new(what, [value, sourced.confidence.word().into(), source.into()])
}

fn whole(value: &u32) -> Cell {
    Amount::Count(u64::from(*value)).into()
}

fn number(unit: &'static str) -> impl Fn(&f64) -> Cell {
    move |value| Amount::Number(*value, 6, unit).into()
}

/// Returns the data sheet of a chip.
pub(super) fn sheet(chip: &Chip) -> Table {
    let named = |what: &str| what.to_owned();
    let mut rows = vec![row(named("year"), &chip.year, |year| year.to_string().into())];
    match &chip.compute {
        Compute::Arrays { rows: sides, cols, units_per_core, cores, dataflow } => {
            rows.push(row(named("rows of an array"), sides, whole));
            rows.push(row(named("columns of an array"), cols, whole));
            rows.push(row(named("arrays per core"), units_per_core, whole));
            rows.push(row(named("cores"), cores, whole));
            rows.push(row(named("dataflow"), dataflow, |text| (*text).into()));
        }
        Compute::TensorCores { count, fma_per_clock } => {
            rows.push(row(named("tensor cores"), count, whole));
            rows.push(row(named("multiply-adds per tensor core and clock cycle"), fma_per_clock, whole));
        }
        Compute::Unknown(nothing) => rows.push(row(named("matrix units"), nothing, |text| (*text).into())),
    }
    rows.push(row(named("clock"), &chip.clock_mhz, number("MHz")));
    for (dtype, peak) in chip.peaks.iter() {
        let remark = chip.identity(*dtype).map_or_else(String::new, |identity| {
            let closes = if identity.closes { "consistent" } else { "not consistent" };
            let per = readable(identity.macs_per_pe_per_clock, 3);
            format!(". Peak ÷ (2 · PEs · clock frequency) = {per} MACs per PE per cycle, which is {closes} with the published clock frequency")
        });
        rows.push(row_with(format!("peak, {}", dtype.word()), peak, number(dtype.peak_unit()), &remark));
    }
    let (kind, unit) = (chip.memory.kind, chip.memory.unit.word());
    rows.push(row(format!("{kind} capacity"), &chip.memory.capacity, number(unit)));
    rows.push(row(format!("{kind} bandwidth"), &chip.memory.gb_per_sec, number("GB/s")));
    if let Some(links) = Links::of(chip) {
        if let Some(topology) = &links.topology {
            rows.push(row(named("links"), topology, |text| (*text).into()));
        }
        let rates = links.rates.iter();
        rows.extend(
            rates.map(|(rate, value): &(LinkRate, Sourced<f64>)| row(rate.word().to_owned(), value, number("GB/s"))),
        );
    }
    rows.push(row(named("chips per pod or node"), &chip.pod_chips, whole));
    for (kind, watts) in chip.power_watts.iter() {
        rows.push(row(format!("power, {}", kind.word()), watts, |watts| Amount::Number(*watts, 5, "W").into()));
    }
    for price in chip.prices.iter() {
        let parts = [Some(price.kind.word()), price.region, price.date].into_iter().flatten();
        let what = format!("price, {}", parts.collect::<Vec<_>>().join(", "));
        rows.push(row(what, &price.usd_per_chip_hour, |usd| format!("{} per chip-hour", cents(*usd)).into()));
    }
    Table::new(TableId::Chip, &["what", "value", "confidence", "source"], rows)
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
            for row in sheet(chip).rows {
                assert!(row.cells.len() == 4 && row.texts().iter().all(|cell| !cell.is_empty()), "{} {row:?}", chip.id);
                unknown += usize::from(row.cells[1] == Amount::Unknown.into());
            }
        }
        assert!(unknown > 10, "{unknown} unknown values");
        let v6e = sheet(Chip::by_id("tpu-v6e").expect("known"));
        let clock = v6e.rows.iter().find(|row| row.cells[0] == "clock".into()).expect("a row");
        assert_eq!(clock.cells[1], Amount::Unknown.into());
    }
}
