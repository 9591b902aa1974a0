//! Sentences about pasted matrices.

use display::number::{grouped, significant};
use studio::{MatrixText, Plan};
use systolic::Value;

/// Returns the title of a run with pasted matrices.
pub(crate) fn title(a: &MatrixText, b: &MatrixText) -> String {
    format!("Your {}×{} and {}×{} matrices on the array", a.rows, a.cols, b.rows, b.cols)
}

/// Returns a sentence on two matrices that cannot be multiplied.
pub(crate) fn inner(columns: u64, rows: u64) -> String {
    format!("A has {columns} columns and B has {rows} rows: give both the same number.")
}

/// Returns a sentence with C, if it has few elements, and the cycles of the run.
pub(crate) fn says(plan: &Plan, values: &[Value]) -> String {
    let cycles = grouped(plan.schedule().cycles().get());
    let (rows, cols) = (plan.schedule().array().rows(), plan.schedule().array().cols());
    let on = format!("in {cycles} cycles on {rows}×{cols} PEs in {}", plan.dtype().id());
    if values.is_empty() {
        return format!("The array computes C {on}.");
    }
    let n = usize::try_from(plan.schedule().gemm().n()).unwrap_or(1).max(1);
    let number = |value: &Value| significant(value.as_f64(), 9);
    let row = |row: &[Value]| row.iter().map(number).collect::<Vec<_>>().join(", ");
    let rows: Vec<String> = values.chunks(n).map(row).collect();
    let c = rows.join("; ");
    let is_wrapped = |value: &Value| !(-128.0..128.0).contains(&value.as_f64());
    if plan.dtype() == systolic::Dtype::Int8 && values.iter().any(is_wrapped) {
        #[expect(clippy::cast_possible_truncation, reason = "sums of int8 products fit")]
        let as_int8 = |value: &Value| ((value.as_f64() as i64 + 128).rem_euclid(256) - 128).to_string();
        let wrapped: Vec<String> =
            values.chunks(n).map(|row| row.iter().map(as_int8).collect::<Vec<_>>().join(", ")).collect();
        return format!("C is {c} in int32, computed {on}. Stored as int8, C would wrap to {}.", wrapped.join("; "));
    }
    format!("C is {c}, computed {on}.")
}
