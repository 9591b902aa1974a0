//! Ways of filling a product up, in words.

use crate::table::Table;
use display::figure::duration;
use display::number::{grouped, percent, readable};
use studio::{InThisWay, Plan, Way};

/// Opens the table.
pub const OPEN: &str = "Padding side by side";
/// Under it.
pub const NOTE: &str = "All but the sizes is for one product. Ragged and zeros to the array take the same cycles, for an edge fold takes as \
                        long as a full one; the zeros cost bytes, and time on the chip.";
/// Columns.
const HEADS: [&str; 6] = ["padding", "M × K × N that runs", "cycles of this array", "bytes", "time on the chip", "MFU"];

/// The name of a way.
#[must_use]
pub const fn way(way: Way) -> &'static str {
    match way {
        Way::Ragged => "ragged",
        Way::ToTheArray => "zeros to this array",
        Way::ToTheChip => "sublanes and lanes of the chip",
        Way::Bucket => "bucket: M to a power of two",
        Way::Packed => "packed: several in a bucket",
    }
}

fn row(one: &InThisWay) -> Vec<String> {
    let [m, k, n] = one.sizes.mkn().map(grouped);
    let packed = if one.products > 1 { format!(", {} at once", grouped(one.products)) } else { String::new() };
    vec![
        way(one.way).to_owned(),
        format!("{m} × {k} × {n}{packed}"),
        one.cycles.map_or_else(|| "too many".to_owned(), |cycles| readable(cycles, 9)),
        format!("{} B", readable(one.bytes, 4)),
        duration(one.seconds),
        format!("{} %", percent(one.mfu)),
    ]
}

/// Every way that applies to the chip; without rows where the time is unknown.
#[must_use]
pub fn table(plan: &Plan) -> Table {
    let rows = plan.ways().map(|all| all.iter().map(row).collect()).unwrap_or_default();
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
