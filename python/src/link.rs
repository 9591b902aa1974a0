//! Link to the page that shows a run, and the plan of the run on the page.

use studio::{Field, FieldValue, FillKind, Link, MatrixText, PaddingKind, Plan, Scenario};
use systolic::{Cycle, Design, FoldOrder, MacUnit, Matrix, Padding, Pipeline, Ports, ResultFormat, Run};

use crate::problem::Problem;

/// Returns the plan of a run on the page, and the link that shows the run at a cycle.
///
/// # Errors
/// Fails if the page has no arrays of this design, or no runs of this size.
pub(crate) fn of(run: &Run, results: ResultFormat, cycle: Cycle) -> Result<(Plan, Link), Problem> {
    let (schedule, operands, unit) = (run.schedule(), run.operands(), run.unit());
    let design = schedule.design();
    on_page(design, unit)?;
    let (gemm, array) = (schedule.gemm(), schedule.array());
    let mut scenario = Scenario { fill: FillKind::Custom, ..Scenario::default() };
    let (padding, multiple) = match schedule.padding() {
        Padding::Ragged => (PaddingKind::Ragged, 1),
        Padding::ToArray => (PaddingKind::Zero, 1),
        Padding::MultipleOfM(multiple) => (PaddingKind::MultipleOfM, multiple),
    };
    let settings = [
        (Field::Rows, FieldValue::Count(array.rows().into())),
        (Field::Cols, FieldValue::Count(array.cols().into())),
        (Field::M, FieldValue::Count(gemm.m())),
        (Field::K, FieldValue::Count(gemm.k())),
        (Field::N, FieldValue::Count(gemm.n())),
        (Field::Dataflow, FieldValue::Dataflow(schedule.dataflow())),
        (Field::Dtype, FieldValue::Dtype(unit.dtype())),
        (Field::Padding, FieldValue::Padding(padding)),
        (Field::Multiple, FieldValue::Count(multiple.into())),
        (Field::Overlap, FieldValue::Overlap(design.overlap)),
        (Field::Load, FieldValue::Load(design.load)),
        (Field::Drain, FieldValue::Drain(design.drain)),
        (Field::KTiles, FieldValue::KTiles(design.k_tiles)),
        (Field::Adder, FieldValue::Adder(unit.adder())),
        (Field::Out, FieldValue::Out(results)),
    ];
    let refused: Vec<_> = settings.into_iter().filter_map(|(field, value)| scenario.set(field, value).err()).collect();
    if !refused.is_empty() {
        return Err(Problem::Fields(refused));
    }
    let listed = |name, matrix: &Matrix| {
        MatrixText::of(matrix).ok_or(Problem::NotInLink { name, most: MatrixText::ELEMENTS_MAX })
    };
    scenario.a = Some(listed("A", &operands.a)?);
    scenario.b = Some(listed("B", &operands.b)?);
    scenario.c = operands.c.as_ref().map(|c| listed("c", c)).transpose()?;
    let plan = Plan::new(&scenario).map_err(Problem::Fields)?;
    let link = Link { scenario: plan.scenario().clone(), cycle, ..Link::default() };
    Ok((plan, link))
}

/// Checks that the page has arrays of this design and arithmetic.
fn on_page(design: Design, unit: MacUnit) -> Result<(), Problem> {
    let Design { order, pipeline: Pipeline { product_register, two_registers_south }, ports, .. } = design;
    let Ports { west, north, south } = ports;
    let has_usual_sums = unit.accumulator() == MacUnit::new(unit.dtype()).accumulator();
    let refusals = [
        (order == FoldOrder::Cols, "order", "cols"),
        (product_register, "product_register", "True"),
        (two_registers_south, "two_registers_south", "True"),
        (west.is_some(), "west", "a slow edge"),
        (north.is_some(), "north", "a slow edge"),
        (south.is_some(), "south", "a slow edge"),
        (!has_usual_sums, "acc", unit.accumulator().id()),
        (unit.saturate, "saturate", "True"),
        (unit.flush_subnormals, "flush", "True"),
    ];
    let refused = refusals.into_iter().find(|(is_refused, ..)| *is_refused);
    refused.map_or(Ok(()), |(_, name, given)| Err(Problem::NotOnPage { name, given }))
}
