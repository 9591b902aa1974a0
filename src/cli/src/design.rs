//! Options of the array's design: how the array is built and fed.

use systolic::{
    Dataflow, Design, Drain, FoldOrder, Gemm, Hold, KTiles, Load, Overlap, Pipeline, Ports, Rate, Schedule,
};

use crate::arguments::Arguments;
use crate::problem::{Problem, Usable};

/// Parses an overlap: `none` or `double-buffered`, in any case. An empty text means `none`.
pub(crate) fn overlap(text: &str) -> Option<Overlap> {
    if text.is_empty() { Some(Overlap::None) } else { Overlap::from_id(text) }
}

/// Values that `--overlap` and the column `overlap` accept.
pub(crate) fn overlaps() -> Usable {
    Usable::OneOf(Overlap::ALL.map(Overlap::id).to_vec())
}

/// Reads the design from the options. The defaults follow SCALE-Sim.
pub(crate) fn design(arguments: &Arguments) -> Result<Design, Problem> {
    let text = arguments.value("overlap").unwrap_or("");
    let overlap = overlap(text).ok_or_else(|| Problem::option("overlap", text, overlaps()))?;
    let load = match arguments.value("load") {
        None => None,
        Some(_) => Some(match arguments.choice("load", &["rows", "diagonal"])? {
            "rows" => Load::Rows,
            _ => Load::Diagonal,
        }),
    };
    Ok(Design {
        overlap,
        load,
        drain: match arguments.choice("drain", &["in-place", "south"])? {
            "south" => Drain::South,
            _ => Drain::InPlace,
        },
        order: match arguments.choice("order", &["rows", "cols"])? {
            "cols" => FoldOrder::Cols,
            _ => FoldOrder::Rows,
        },
        k_tiles: match arguments.value("ktiles") {
            None => KTiles::Up,
            Some(text) => KTiles::from_text(text).ok_or_else(|| Problem::option("ktiles", text, Usable::TileOrder))?,
        },
        pipeline: Pipeline {
            product_register: arguments.flag("product-register"),
            two_registers_south: arguments.flag("two-registers-south"),
        },
        ports: Ports {
            west: rate(arguments, "west")?,
            north: rate(arguments, "north")?,
            south: rate(arguments, "south")?,
        },
    })
}

/// Reads the rate of an edge in elements per cycle. A fraction such as `340/7` means 340 elements in 7 cycles.
fn rate(arguments: &Arguments, edge: &str) -> Result<Option<Rate>, Problem> {
    let Some(text) = arguments.value(edge) else { return Ok(None) };
    let (elements, cycles) = text.split_once('/').unwrap_or((text, "1"));
    let rate = elements.trim().parse().ok().zip(cycles.trim().parse().ok());
    rate.and_then(|(elements, cycles)| Rate::new(elements, cycles)).map(Some).ok_or_else(|| {
        let most = Rate::MAX.into();
        Problem::option(edge, text, Usable::Rate { most })
    })
}

/// Returns the schedule of a matmul on the array that the options describe.
pub(crate) fn schedule(arguments: &Arguments, gemm: Gemm) -> Result<Schedule, Problem> {
    let (array, dataflow) = (arguments.array()?, arguments.dataflow()?);
    let (option, dataflows) = match dataflow.hold() {
        Hold::Operand => ("drain", &[Dataflow::OutputStationary][..]),
        Hold::Result => ("load", &[Dataflow::WeightStationary, Dataflow::InputStationary][..]),
    };
    // If the option were ignored, the answer would describe another array.
    if arguments.value(option).is_some() {
        return Err(Problem::NotOfDataflow { option, dataflows });
    }
    let schedule = Schedule::new(gemm, array, dataflow, arguments.padding()?)?;
    Ok(schedule.with(design(arguments)?)?)
}
