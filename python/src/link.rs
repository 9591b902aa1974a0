//! Link to the page that shows a run, and the plan of the run on the page.

use studio::{Field, FillKind, Link, MatrixText, PaddingKind, Plan, Scenario};
use systolic::{Cycle, Design, FoldOrder, Load, MacUnit, Matrix, Padding, Pipeline, Ports, ResultFormat, Run};

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
    let texts = [
        (Field::Rows, array.rows().to_string()),
        (Field::Cols, array.cols().to_string()),
        (Field::M, gemm.m().to_string()),
        (Field::K, gemm.k().to_string()),
        (Field::N, gemm.n().to_string()),
        (Field::Dataflow, schedule.dataflow().id().to_owned()),
        (Field::Dtype, unit.dtype().id().to_owned()),
        (Field::Padding, padding.id().to_owned()),
        (Field::Multiple, multiple.to_string()),
        (Field::Overlap, design.overlap.id().to_owned()),
        (Field::Load, design.load.map_or("usual", Load::id).to_owned()),
        (Field::Drain, design.drain.id().to_owned()),
        (Field::KTiles, design.k_tiles.to_string()),
        (Field::Adder, unit.adder().id().to_owned()),
        (Field::Out, results.id().to_owned()),
    ];
    let set = texts.iter().filter_map(|(field, text)| scenario.set(*field, text).err()).collect::<Vec<_>>();
    if !set.is_empty() {
        return Err(Problem::Fields(set));
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
