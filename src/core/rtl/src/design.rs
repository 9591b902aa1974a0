//! Selects the parts of the SystemVerilog templates that a design needs, and computes the numbers for the templates.

use systolic::{Dataflow, Drain, Edge, FoldOrder, Hold, Load, Overlap, Rate, Schedule};

use crate::template::Choices;
use crate::{Flaw, Rtl, memory, model, words};

/// Bandwidth of an edge as credits: each cycle adds `gain` credits, and each vector uses `cost` credits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Supply {
    gain: u64,
    cost: u64,
}

impl Supply {
    /// Returns the credits per cycle and per vector, for vectors of `elements` elements. The bandwidth is unlimited if
    /// `rate` is `None`.
    fn new(elements: u64, rate: Option<Rate>) -> Self {
        let Some(rate) = rate else { return Self { gain: 1, cost: 1 } };
        let cost = elements * u64::from(rate.cycles());
        Self { gain: u64::from(rate.elements()).min(cost), cost }
    }

    /// Returns the slower of two edges: the edge that needs more cycles per vector.
    const fn slower(self, other: Self) -> Self {
        if other.cost * self.gain > self.cost * other.gain { other } else { self }
    }
}

/// Returns the names and texts of the SystemVerilog files.
pub(crate) fn files(rtl: &Rtl, prefix: &str) -> Vec<(&'static str, String)> {
    let schedule = rtl.schedule;
    let mut choices = choices(rtl);
    choices.set("P", prefix);
    let holds_operand = schedule.dataflow().hold() == Hold::Operand;
    let sets_aside = schedule.drain_cycles().get() > 0 && schedule.design().overlap == Overlap::DoubleBuffered;
    let pe = if holds_operand { include_str!("verilog/pe_operand.sv") } else { include_str!("verilog/pe_result.sv") };
    let mut templates = vec![
        ("pe.sv", pe),
        ("array.sv", include_str!("verilog/array.sv")),
        ("delay.sv", include_str!("verilog/delay.sv")),
        ("sequencer.sv", include_str!("verilog/sequencer.sv")),
        ("feeder_west.sv", include_str!("verilog/feeder_west.sv")),
        ("feeder_north.sv", include_str!("verilog/feeder_north.sv")),
        ("top.sv", include_str!("verilog/top.sv")),
        ("tb.sv", include_str!("verilog/tb.sv")),
    ];
    if sets_aside {
        templates.push(("outlet.sv", include_str!("verilog/outlet.sv")));
    }
    templates.into_iter().map(|(name, template)| (name, choices.filled(template))).collect()
}

fn choices(rtl: &Rtl) -> Choices {
    let (schedule, design) = (rtl.schedule, rtl.schedule.design());
    let mut choices = Choices::default();
    let operand = schedule.dataflow().hold() == Hold::Operand;
    let overlapped = design.overlap == Overlap::DoubleBuffered;
    let south = !operand && design.drain == Drain::South;
    choices.has("operand", operand);
    choices.has("is", schedule.dataflow() == Dataflow::InputStationary);
    choices.has("overlapped", overlapped);
    choices.has("product", design.pipeline.product_register);
    choices.has("two", design.pipeline.two_registers_south);
    choices.has("in_place", !operand && !south);
    choices.has("south", south);
    choices.has("shifts_sums", south && !overlapped);
    choices.has("sets_aside", south && overlapped);
    choices.has("flows", operand || south);
    choices.has("skewed_north", !operand || design.load() == Load::Diagonal);
    choices.has("rows_first", design.order == FoldOrder::Rows);
    choices.has("registers", rtl.has_registers());
    // `pe_operand.sv` and `pe_result.sv` have different names for the signals that the shared pieces use.
    let [factor, factor_valid, passed, hop] = match operand {
        true => ["held_next", "held_valid_next", "sum", "to_south_sum"],
        false => ["north", "north_valid", "south", "to_south"],
    };
    choices.set("FACTOR", factor);
    choices.set("FACTOR_VALID", factor_valid);
    choices.set("PASSED", passed);
    choices.set("SOUTH", hop);
    sizes(&mut choices, rtl);
    times(&mut choices, schedule);
    let late = match rtl.flaw {
        Some(Flaw::LateLane { row }) => format!(" + ((i == {row}) ? 1 : 0)"),
        _ => String::new(),
    };
    let skip = match rtl.flaw {
        Some(Flaw::SkippedHop { pe }) => format!("-((i == {} && j == {}) ? 1 : 0)", pe.row, pe.col),
        _ => String::new(),
    };
    choices.set("LATE", late);
    choices.set("SKIP", skip);
    choices
}

/// Sets the widths of registers, the shape of the array and the dimensions of the GEMM.
fn sizes(choices: &mut Choices, rtl: &Rtl) {
    let (schedule, dtype) = (rtl.schedule, rtl.unit.dtype());
    let width = dtype.bits();
    choices.set("TITLE", words::title(schedule, dtype));
    choices.set("DATAFLOW", words::dataflow(schedule.dataflow()));
    choices.set("W", width);
    choices.set("WM", width - 1);
    choices.set("PM", 2 * width - 1);
    choices.set("PX", 32 - 2 * width);
    choices.set("ROWS", schedule.array().rows());
    choices.set("COLS", schedule.array().cols());
    choices.set("M", schedule.gemm().m());
    choices.set("N", schedule.gemm().n());
    let last = schedule.fold(schedule.folds() - 1).mapped;
    choices.set("LAST_ROWS", last.rows);
    choices.set("LAST_COLS", last.cols);
    let lines = [memory::west_lines(schedule), memory::north_lines(schedule)];
    choices.set("WEST_LINES", lines[0]);
    choices.set("NORTH_LINES", lines[1]);
    choices.set("WEST_BITS", bits_of(lines[0] - 1));
    choices.set("NORTH_BITS", bits_of(lines[1] - 1));
    let word = model::Word::of(rtl);
    choices.set("PE_BITS", word.bits());
    choices.set("FIELDS", word.fields());
    choices.set("COMPARED", if rtl.has_registers() { model::compared(rtl) } else { 0 });
}

/// Sets the limits of the counters in the sequencers: numbers of cycles, vectors, folds and credits.
fn times(choices: &mut Choices, schedule: &Schedule) {
    let (design, run, mapping) = (schedule.design(), schedule.run(), schedule.mapping());
    let [rows, cols] = [schedule.array().rows(), schedule.array().cols()].map(u64::from);
    let lanes = |edge: Edge| match edge {
        Edge::West => run.extent(mapping.rows).min(rows),
        Edge::North | Edge::South => run.extent(mapping.cols).min(cols),
    };
    let through = |edge: Edge| Supply::new(lanes(edge), design.ports.rate(edge));
    let second = if schedule.dataflow().hold() == Hold::Operand { Edge::South } else { Edge::North };
    let stream = through(Edge::West).slower(through(second));
    let (load, drain) = (through(Edge::North), through(Edge::South));
    let fold = schedule.cycles_per_fold().get();
    let lengths = [
        ("PERIOD", schedule.period().get()),
        ("STREAM", schedule.stream_len()),
        ("STREAM_START", schedule.load_cycles().get()),
        ("STREAM_GAIN", stream.gain),
        ("STREAM_COST", stream.cost),
        ("LOAD_GAIN", load.gain),
        ("LOAD_COST", load.cost),
        ("DRAIN_START", fold - schedule.drain_cycles().get()),
        ("DRAIN_GAIN", drain.gain),
        ("DRAIN_COST", drain.cost),
        ("ROW_FOLDS", schedule.row_folds()),
        ("COL_FOLDS", schedule.col_folds()),
    ];
    let others = [rows, memory::west_lines(schedule), memory::north_lines(schedule)];
    let most = lengths.iter().map(|(_, length)| *length).chain(others).max().unwrap_or(1);
    // The stored credits of an edge are always fewer than the cost of two vectors.
    choices.set("BITS", bits_of(2 * most));
    for (name, length) in lengths {
        choices.set(name, length);
    }
    choices.set("CYCLES", schedule.cycles());
    choices.set("HOP", 1 + u32::from(design.pipeline.two_registers_south));
    choices.set("BEHIND", u32::from(design.pipeline.product_register));
}

/// Returns the number of bits that `number` needs, at least one.
fn bits_of(number: u64) -> u32 {
    (u64::BITS - number.leading_zeros()).max(1)
}
