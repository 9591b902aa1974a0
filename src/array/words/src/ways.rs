//! Texts that compare the padding options of a matmul.

use crate::table::Table;
use display::figure::duration;
use display::number::{grouped, percent, readable};
use studio::{PaddingOption, Plan, Way};

/// Label of the `<details>` element that contains the table of padding options.
pub const OPEN: &str = "Compare padding options";
/// Note below the table of padding options.
pub const NOTE: &str = "The figures in each row are for one matmul. Cycles are for this array; bytes, time and MFU are for the whole chip. Ragged edges and zero padding take the same number of cycles, because a partial fold takes as long as a full fold. But on the chip, the zeros add memory traffic and time.";
/// Column headings of the table of padding options.
const HEADS: [&str; 6] = ["padding", "cycles", "bytes", "time", "MFU", "runs as"];

/// Returns the name of a padding option.
#[must_use]
pub const fn way(way: Way) -> &'static str {
    match way {
        Way::Ragged => "ragged",
        Way::ToTheArray => "to this array",
        Way::ToTheChip => "to the chip's tiles",
        Way::Bucket => "bucket of 2ⁿ rows",
        Way::Packed => "packed buckets",
    }
}

/// Returns a number of bytes with a decimal prefix: `99.9 kB`.
fn bytes(bytes: f64) -> String {
    match bytes {
        bytes if bytes < 1e3 => format!("{} B", readable(bytes, 3)),
        bytes if bytes < 1e6 => format!("{} kB", readable(bytes / 1e3, 3)),
        bytes if bytes < 1e9 => format!("{} MB", readable(bytes / 1e6, 3)),
        bytes => format!("{} GB", readable(bytes / 1e9, 3)),
    }
}

/// Formats a number of cycles. A number that is not whole, such as the mean of several runs, gets three digits.
fn cycles_of(cycles: f64) -> String {
    readable(cycles, if cycles == cycles.trunc() { 9 } else { 3 })
}

fn row(one: &PaddingOption) -> Vec<String> {
    let [m, k, n] = one.sizes.mkn().map(grouped);
    let packed = if one.products > 1 { format!(", {} at once", grouped(one.products)) } else { String::new() };
    vec![
        way(one.way).to_owned(),
        one.cycles.map_or_else(|| "too many".to_owned(), cycles_of),
        bytes(one.bytes),
        duration(one.seconds),
        format!("{} %", percent(one.mfu)),
        format!("{m} × {k} × {n}{packed}"),
    ]
}

/// Returns the table of the padding options that apply to the chip. The table has no rows if the time is unknown.
#[must_use]
pub fn table(plan: &Plan) -> Table {
    let rows = plan.ways().map_or_else(|_| Vec::new(), |all| all.iter().map(row).collect());
    Table { name: OPEN.to_owned(), heads: HEADS.map(str::to_owned).into(), rows }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn every_row_has_a_cell_for_every_column() {
        for query in
            ["", "m=129&k=129&n=129&rows=128&cols=128&dt=bf16", "chip=h100-sxm&dt=bf16&m=65536&k=65536&n=65536"]
        {
            let plan = Plan::new(&studio::Link::parse(query, "").scenario).expect("a run");
            let table = table(&plan);
            assert!(table.rows.len() >= 4, "{query}");
            assert!(table.rows.iter().all(|row| row.len() == table.heads.len()));
        }
        let unknown = Plan::new(&studio::Link::parse("chip=tpu-v1&dt=bf16", "").scenario).expect("a run");
        assert!(table(&unknown).rows.is_empty());
    }
}
