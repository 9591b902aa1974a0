//! Texts of the cube of multiplications, made from the run.

use crate::count::counted;
use display::number::{grouped, joined};

use crate::busy::short;
use studio::Plan;
use studio::compare::in_each_dataflow;
use systolic::{Axis, Cycle, Dataflow, Fold, Operand, PeId, Schedule, Slot};

/// Returns the letter of an axis.
#[must_use]
pub const fn axis(axis: Axis) -> &'static str {
    match axis {
        Axis::M => "m",
        Axis::K => "k",
        Axis::N => "n",
    }
}

/// Returns the matrix whose elements have no index along an axis.
#[must_use]
pub const fn without(axis: Axis) -> Operand {
    match axis {
        Axis::M => Operand::B,
        Axis::K => Operand::C,
        Axis::N => Operand::A,
    }
}

/// Returns the label of an axis: its letter, and how often each element of the matrix without this index is used.
#[must_use]
pub fn along(along: Axis, schedule: &Schedule) -> String {
    let n = grouped(schedule.gemm().extent(along));
    match along {
        Axis::M => format!("m: each b[k,n] {n}×"),
        Axis::N => format!("n: each a[m,k] {n}×"),
        Axis::K => format!("k: each c[m,n] {n}×"),
    }
}

/// Label of the shadow of the cube.
pub const SHADOW: &str = "shadow";
/// Text of a dataflow that the array cannot run.
pub const CANNOT_RUN: &str = "The array cannot run this dataflow with these settings.";

/// Returns the reason why the stationary matrix of a dataflow stays in the PEs.
#[must_use]
pub const fn stays(dataflow: Dataflow) -> &'static str {
    match dataflow {
        Dataflow::WeightStationary => "B has no index m: collapse m, and B stays in the PEs.",
        Dataflow::OutputStationary => "C has no index k: collapse k, and each sum stays in its PE.",
        Dataflow::InputStationary => "A has no index n: collapse n, and A stays in the PEs.",
    }
}

/// Returns the title of one of three dataflows.
#[must_use]
pub const fn title(dataflow: Dataflow) -> &'static str {
    match dataflow {
        Dataflow::WeightStationary => "Weights stay: m collapses",
        Dataflow::OutputStationary => "Outputs stay: k collapses",
        Dataflow::InputStationary => "Inputs stay: n collapses",
    }
}

/// Explains a cell of the cube, and names the cells that one PE computes.
#[must_use]
pub fn line(schedule: &Schedule) -> String {
    let time = schedule.mapping().time;
    let (cells, name) = (schedule.gemm().extent(time), axis(time));
    let line = match cells {
        1 => format!("the only cell of a line along {name}"),
        cells => format!("the {} cells of a line along {name}, one per cycle", grouped(cells)),
    };
    format!("Each cell is one product a[m,k] · b[k,n]. One PE makes {line}.")
}

/// Numbers of cells at a clock edge: done before, multiplied in this cycle, and to come.
#[must_use]
pub fn counts(schedule: &Schedule, cycle: Cycle) -> [u64; 3] {
    let useful = |cycle: Cycle| schedule.tally_until(cycle).get(Slot::Useful).get();
    let done = cycle.get().checked_sub(1).map_or(0, |before| useful(Cycle(before)));
    let with_this = useful(cycle);
    [done, with_this - done, schedule.gemm().macs().get() - with_this]
}

/// Returns the labels of [`counts`].
#[must_use]
pub fn count_labels([done, now, to_come]: [u64; 3]) -> [String; 3] {
    [short(done) + " done", short(now) + " now", short(to_come) + " to come"]
}

/// Returns the equation of the plane that a fold's wave is on in a cycle, such as `m + k + n = 5`. `None` if the wave
/// contains no cell of the fold.
fn plane_of(schedule: &Schedule, fold: &Fold, cycle: Cycle) -> Option<String> {
    let mapping = schedule.mapping();
    let corner = schedule.term(schedule.mkn(fold, PeId::new(0, 0), 0)?);
    let sum = cycle.get().checked_sub(corner.cycle.get())?;
    let far = PeId::new(fold.real.rows.checked_sub(1)?, fold.real.cols.checked_sub(1)?);
    if sum > schedule.hops(far) + schedule.real_stream_len() - 1 {
        return None;
    }
    let row_hop = schedule.hops(PeId::new(1, 0));
    let letter = |of: Axis| {
        let (origin, times) = match of {
            _ if of == mapping.rows => (fold.row_origin, row_hop),
            _ if of == mapping.cols => (fold.col_origin, 1),
            _ => (0, 1),
        };
        let place = if origin == 0 { axis(of).to_owned() } else { format!("({} − {})", axis(of), grouped(origin)) };
        if times == 1 { place } else { format!("{times} · {place}") }
    };
    Some(format!("{} = {}", [Axis::M, Axis::K, Axis::N].map(letter).join(" + "), grouped(sum)))
}

/// Returns the sentence about the wave at a clock edge: the planes whose cells are multiplied. `None` if the wave is
/// not a plane, because an edge is slow or the rows have another order.
#[must_use]
pub fn wave(schedule: &Schedule, cycle: Cycle) -> Option<String> {
    let is_in_order = (0..schedule.run().k().min(64)).all(|nth| schedule.row_index(nth) == nth);
    if schedule.slow_edge().is_some() || !is_in_order {
        return None;
    }
    let (last, array) = (schedule.locate(cycle).fold.index, schedule.array());
    let far = PeId::new(array.rows() - 1, array.cols() - 1);
    let in_flight = (schedule.hops(far) + schedule.stream_len()) / schedule.period().get() + 1;
    let folds = (last.saturating_sub(in_flight)..=last).map(|index| schedule.fold(index));
    let planes: Vec<String> = folds.filter_map(|fold| plane_of(schedule, &fold, cycle)).collect();
    Some(match &planes[..] {
        [] => "No product is computed in this cycle.".to_owned(),
        [plane] => format!("The wave is the plane {plane}."),
        planes => format!("{} folds have a wave: {}.", planes.len(), joined(planes, " and ")),
    })
}

/// Returns the description of the cube for the panel and for screen readers.
#[must_use]
pub fn said(plan: &Plan, cycle: Cycle, pe: PeId) -> String {
    let schedule = plan.schedule();
    let parts = [
        Some(stays(schedule.dataflow()).to_owned()),
        Some(line(schedule)),
        wave(schedule, cycle),
        Some(format!("Cells: {}.", joined(&count_labels(counts(schedule, cycle)), ", "))),
        crate::caption::product_headline(plan, cycle, pe).map(|product| format!("{product}.")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Returns the description of the cube in each dataflow.
#[must_use]
pub fn three_said(plan: &Plan, cycle: Cycle) -> String {
    let plans = in_each_dataflow(plan).into_iter().zip(Dataflow::ALL);
    let each = plans.map(|(plan, dataflow)| {
        let title = title(dataflow);
        match plan {
            Some(plan) => {
                let schedule = plan.schedule();
                let counts = count_labels(counts(schedule, cycle.min(plan.last())));
                format!("{title}: {}; {}.", counted(schedule.cycles().get(), "cycle"), joined(&counts, ", "))
            }
            None => format!("{title}: {CANNOT_RUN}"),
        }
    });
    each.collect::<Vec<_>>().join(" ")
}
