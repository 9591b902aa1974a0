//! Names of fields, choices, buttons and presets.

use display::number::grouped;
use perfmodel::Chip;
use studio::{Feed, Field, FieldValue, FillKind, LazyPart, PaddingKind, Panel, Plan, Speed, Theme};
use systolic::{Dataflow, Drain, Dtype, Load, Overlap, Slot};

/// What to try when the run is over.
pub const NEXT_STEPS: &str = "Try next";
/// The name of the project.
pub const TITLE: &str = "Systolic Playground";
/// Group of the array's fields.
pub const ARRAY: &str = "Array";
/// Group of the problem's fields.
pub const PROBLEM: &str = "Matrices";
/// Group of the fields that say how the array is built and fed.
pub const DESIGN: &str = "Design";
/// The settings as a whole.
pub const SETUP: &str = "Setup";
/// The figures as a whole.
pub const LIVE: &str = "Live";
/// Columns of the accounts.
pub const WHOLE_RUN: &str = "whole run";
/// Heading of the count of cycles.
pub const CYCLES: &str = "Cycles";
/// The sum of the accounts.
pub const ALL_PE_CYCLES: &str = "all PE-cycles";
/// The presets.
pub const EXAMPLES: &str = "Examples";
/// The colors.
pub const THEME: &str = "Theme";
/// The speed.
pub const SPEED: &str = "Speed";
/// The scrubber.
pub const SCRUBBER: &str = "Cycle";
/// The way from an embed to the full page.
pub const OPEN_FULL: &str = "Open in the playground ↗";
/// The rooms of the page.
pub const ROOMS: &str = "Views";
/// The room of the array.
pub const EXPLORE: &str = "Explore";
/// The room of the lessons.
pub const LEARN: &str = "Learn";
/// What a first visit is offered.
pub const OFFER: &str = "Understand it in 3 minutes";
/// The room of models on chips.
pub const MODELS: &str = "Real models";
/// The way from the array's product on a chip to the same product among the models.
pub const AS_PRODUCT: &str = "This matmul in Real models: step, cost, roofline";
/// The row of tools under the array.
pub const TOOLS: &str = "Tools";
/// The tabs of a small page.
pub const TABS: &str = "Below the array";
/// The tab with the timeline and the transport.
pub const TAB_RUN: &str = "Run";
/// The tab with the settings.
pub const TAB_CHANGE: &str = "Change";
/// The tab with the figures.
pub const TAB_WHY: &str = "Why";
/// The tab with examples, colors and help.
pub const TAB_MORE: &str = "More";
/// Beside the timeline of a small page.
pub const DRAG: &str = "drag to scrub through the cycles";
/// Closes the tool that is open.
pub const CLOSE_TOOL: &str = "Close (Esc)";
/// Asks once more for a part that did not arrive.
pub const TRY_AGAIN: &str = "Try again";
/// On fields that a link locks.
pub const LOCKED: &str = "This link locks the grayed-out settings.";
/// Opens links, code and files for others.
pub const SHARE: &str = "Share";
/// Takes notices away.
pub const DISMISS: &str = "Dismiss";
/// Shown when a settings change cannot run and the last good run stays.
pub const LAST_GOOD: &str = "Showing the last valid run.";
/// Columns of the list of sources.
pub const SOURCES: &str = "Sources";
/// Before the day on which sources were last looked up.
pub const CHECKED: &str = "Sources checked on ";
/// What a model does not see.
pub const LEAVES_OUT: &str = "Leaves out";
/// Link to the setup form, first in the order of tabbing.
pub const SKIP: &str = "Skip to the controls";
/// Custom matrices.
pub const PASTE: &str = "Type or paste as text";
/// Formats that a pasted matrix may have.
pub const PASTE_HINT: &str = "One row per line; separate numbers with commas, tabs or spaces. NumPy and MATLAB syntax also work. nan and inf are allowed.";
/// The note under a chip without a list price.
pub const NO_PRICE: &str = "No list price published: costs are unknown.";

/// What is under way while a part of the page is fetched.
#[must_use]
pub const fn loading(part: LazyPart) -> &'static str {
    match part {
        LazyPart::Workbench => "Loading the tools …",
        LazyPart::Estimate => "Loading “Real models” …",
        LazyPart::Learn => "Loading the lesson …",
        LazyPart::Share => "Loading “Share” …",
    }
}

/// What is said when what stands around the stage did not arrive.
pub const SIDES_NOT_LOADED: &str = "The settings and figures could not be loaded; the array keeps playing.";

/// What is said of a part of the page that did not arrive.
#[must_use]
pub const fn not_loaded(part: LazyPart) -> &'static str {
    match part {
        LazyPart::Workbench => "The tools could not be loaded; the rest of the page still works.",
        LazyPart::Estimate => "“Real models” could not be loaded; the rest of the page still works.",
        LazyPart::Learn => "The lesson could not be loaded; the rest of the page still works.",
        LazyPart::Share => "“Share” could not be loaded; the rest of the page still works.",
    }
}

/// The name of a tool, on its button and over its panel.
#[must_use]
pub const fn panel(panel: Panel) -> &'static str {
    match panel {
        Panel::Pe => "Inside a PE",
        Panel::Compare => "Compare",
        Panel::Break => "Break it",
        Panel::Heat => "Heat map",
        Panel::Folds => "Folds",
        Panel::Transcript => "Event log",
    }
}

/// First button of the transport.
pub const HOME: &str = "First cycle (Home)";
/// Second button.
pub const BACK: &str = "Back one cycle (Left arrow)";
/// Third button when paused.
pub const PLAY: &str = "Play (Space)";
/// The button of a poster.
pub const PLAY_HERE: &str = "Play";
/// Third button when playing.
pub const PAUSE: &str = "Pause (Space)";
/// Fourth button.
pub const FORWARD: &str = "Forward one cycle (Right arrow)";
/// Fifth button.
pub const END: &str = "Last cycle (End)";
/// Sixth button.
pub const PREVIOUS_EVENT: &str = "Previous event ([)";
/// Seventh button.
pub const NEXT_EVENT: &str = "Next event (])";

/// Closer.
pub const ZOOM_IN: &str = "Zoom in (+)";
/// Farther.
pub const ZOOM_OUT: &str = "Zoom out (−)";
/// The whole array.
pub const ZOOM_WHOLE: &str = "Fit (0)";

/// Label of a field.
#[must_use]
pub const fn field(field: Field) -> &'static str {
    match field {
        Field::Rows => "rows",
        Field::Cols => "cols",
        Field::M => "M",
        Field::K => "K",
        Field::N => "N",
        Field::Dataflow => "dataflow",
        Field::Dtype => "number format",
        Field::Padding => "padding",
        Field::Multiple => "multiple of",
        Field::Fill => "values",
        Field::Seed => "seed",
        Field::Overlap => "fold overlap",
        Field::Load => "loading",
        Field::Drain => "draining",
        Field::Chip => "chip",
        Field::Feed => "source of B",
        Field::Passes => "f32 passes",
        Field::A => "A",
        Field::B => "B",
    }
}

/// What a field means, for tooltips and screen readers.
#[must_use]
pub const fn field_help(field: Field) -> &'static str {
    match field {
        Field::Rows => "Rows of processing elements, 1 to 1024",
        Field::Cols => "Columns of processing elements, 1 to 1024",
        Field::M => "Rows of A and C, 1 to 65536",
        Field::K => "Columns of A and rows of B, the length of each sum, 1 to 65536",
        Field::N => "Columns of B and C, 1 to 65536",
        Field::Dataflow => "Stationary operand: the matrix that stays in the processing elements",
        Field::Dtype => "Number format (dtype) of the operands, and of the sums",
        Field::Padding => "What to do when the matrices do not fill the array",
        Field::Multiple => "M is padded with zeros to a multiple of this, 1 to 65536",
        Field::Fill => "How A and B are filled",
        Field::Overlap => "Whether the next fold starts before this one ends",
        Field::Load => "Order in which the stationary operand is shifted in",
        Field::Drain => "Path of finished sums out of the array",
        Field::Seed => "The same seed gives the same matrices, 0 to 999999",
        Field::Chip => "Chip whose peak rate and price apply",
        Field::Feed => "On-chip memory never stalls the array; main memory (HBM) is shared by all arrays of the chip",
        Field::Passes => "Number of bf16 passes a TPU uses for f32 (JAX default: 1)",
        Field::A => "A, M rows of K elements",
        Field::B => "B, K rows of N elements",
    }
}

/// Name of a choice of how the array is built; of another choice its name in a link.
#[must_use]
pub fn design(value: &FieldValue) -> &'static str {
    match value {
        FieldValue::Overlap(Overlap::None) => "one after another",
        FieldValue::Overlap(Overlap::DoubleBuffered) => "double-buffered",
        FieldValue::Load(None) => "row by row (default)",
        FieldValue::Load(Some(Load::Rows)) => "row by row",
        FieldValue::Load(Some(Load::Diagonal)) => "diagonally",
        FieldValue::Drain(Drain::InPlace) => "read out in place",
        FieldValue::Drain(Drain::South) => "through the south edge",
        FieldValue::Feed(Feed::OnChip) => "on-chip memory",
        FieldValue::Feed(Feed::Memory) => "main memory (HBM)",
        other => other.id().unwrap_or(""),
    }
}

/// Name of a dataflow.
#[must_use]
pub const fn dataflow(dataflow: Dataflow) -> &'static str {
    match dataflow {
        Dataflow::WeightStationary => "weight-stationary",
        Dataflow::OutputStationary => "output-stationary",
        Dataflow::InputStationary => "input-stationary",
    }
}

/// Name of a format with that of its sums.
#[must_use]
pub const fn dtype(dtype: Dtype) -> &'static str {
    match dtype {
        Dtype::F32 => "f32 → f32",
        Dtype::Bf16 => "bf16 → f32",
        Dtype::F16 => "f16 → f32",
        Dtype::E4m3fn => "fp8 e4m3fn → f32",
        Dtype::E5m2 => "fp8 e5m2 → f32",
        Dtype::E4m3b11fnuz => "fp8 e4m3b11fnuz → f32",
        Dtype::Int8 => "int8 → int32",
        Dtype::Int4 => "int4 → int32",
    }
}

/// Heading of the three dataflows.
pub const STAYS: &str = "Dataflow: what stays in a PE";

/// What stays with a dataflow, under its drawing.
#[must_use]
pub const fn stays(dataflow: Dataflow) -> &'static str {
    match dataflow {
        Dataflow::WeightStationary => "weights",
        Dataflow::OutputStationary => "outputs",
        Dataflow::InputStationary => "inputs",
    }
}

/// What a dataflow is called for short.
#[must_use]
pub const fn short_dataflow(dataflow: Dataflow) -> &'static str {
    match dataflow {
        Dataflow::WeightStationary => "WS",
        Dataflow::OutputStationary => "OS",
        Dataflow::InputStationary => "IS",
    }
}

/// Heading of the kinds of padding.
pub const PADDING: &str = "Padding";

/// Name of a kind of padding, under its drawing.
#[must_use]
pub const fn padding(kind: PaddingKind) -> &'static str {
    match kind {
        PaddingKind::Ragged => "leave idle",
        PaddingKind::Zero => "fill with 0",
        PaddingKind::MultipleOfM => "round M up",
    }
}

/// Name of a way to fill the matrices.
#[must_use]
pub const fn fill(kind: FillKind) -> &'static str {
    match kind {
        FillKind::Small => "small random",
        FillKind::Uniform => "full-range random",
        FillKind::Counting => "counting 0, 1, 2 …",
        FillKind::Identity => "identity",
        FillKind::Custom => "my own matrices",
    }
}

/// Name of a speed.
#[must_use]
pub const fn speed(speed: Speed) -> &'static str {
    match speed {
        Speed::HalfCycles(1) => "½ cycle/s",
        Speed::HalfCycles(2) => "1 cycle/s",
        Speed::HalfCycles(4) => "2 cycles/s",
        Speed::HalfCycles(8) => "4 cycles/s",
        Speed::HalfCycles(20) => "10 cycles/s",
        Speed::HalfCycles(60) => "30 cycles/s",
        Speed::HalfCycles(_) => "60 cycles/s",
        Speed::Run => "run in 20 s",
        Speed::Max => "max",
    }
}

/// Name of a theme.
#[must_use]
pub const fn theme(theme: Theme) -> &'static str {
    match theme {
        Theme::Auto => "auto",
        Theme::Light => "light",
        Theme::Dark => "dark",
        Theme::Projector => "projector",
    }
}

/// Cycles that pass with each frame of the screen, sixty a second, where they are several.
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and not negative")]
pub fn cycles_per_frame(speed: Speed, plan: &Plan) -> String {
    let n = (speed.cycles_per_sec(plan) / 60.0).round() as u64;
    // A line may break before it and not within.
    match n {
        0..=1 => String::new(),
        2..1_000_000_000 => format!(" ·\u{a0}{}/frame", grouped(n)),
        _ => format!(" ·\u{a0}{}\u{a0}billion/frame", grouped(n / 1_000_000_000)),
    }
}

/// Takes the array of the chip: `128×128, as on TPU v4`.
#[must_use]
pub fn array_of_chip((rows, cols): (u32, u32), chip: &Chip) -> String {
    format!("{rows}×{cols}, as on {}", chip.name)
}

/// Over the grid of a matrix: `A, 6×4`.
#[must_use]
pub fn matrix(matrix: Field, (rows, cols): (u64, u64)) -> String {
    format!("{}, {rows}×{cols}", field(matrix))
}

/// Name of a cell of a grid, counted from 0 as on the stage: `A row 1, column 0`.
#[must_use]
pub fn element(matrix: Field, row: u64, col: u64) -> String {
    format!("{} row {row}, column {col}", field(matrix))
}

/// Name of a slot of the accounts.
#[must_use]
pub const fn slot(slot: Slot) -> &'static str {
    match slot {
        Slot::Useful => "useful",
        Slot::Padding => "padding",
        Slot::Load => "load",
        Slot::Fill => "fill",
        Slot::Drain => "drain",
        Slot::Stall => "stall",
    }
}

/// Name of a preset.
#[must_use]
pub fn preset(id: &str) -> &'static str {
    match id {
        "first" => "First screen: 4×4, one unused column",
        "ragged" => "8×8, ragged on both edges, 4 folds",
        "os" => "4×4, output-stationary",
        "bf16" => "4×4, bf16 with rounding",
        "one-past" => "129³ on 128×128: one past the tile",
        "bert-128" => "BERT-Large QKV, sequence 128",
        "bert-512" => "BERT-Large QKV, sequence 512",
        "decode" => "LLaMA decode: 1×4096×4096",
        "large" => "256×256 with 56 unused columns",
        "memory" => "First TPU, stalled by its memory",
        "one" => "One PE",
        _ => "",
    }
}

/// A name as it begins a line.
pub(super) fn capitalized(name: &str) -> String {
    let mut name = name.to_owned();
    if let Some(first) = name.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    name
}

/// At the foot of a printed page.
#[must_use]
pub fn printed(address: &str, version: &str) -> String {
    format!("{TITLE} {version} · {address}")
}

/// The array in words, for the head line.
#[must_use]
pub fn headline(plan: &Plan) -> String {
    let schedule = plan.schedule();
    let (array, gemm) = (schedule.array(), schedule.gemm());
    let name = capitalized(dataflow(schedule.dataflow()));
    let folds = schedule.folds();
    let noun = if folds == 1 { "fold" } else { "folds" };
    format!(
        "{name} {}×{} · {}×{}×{} · {} {noun}",
        array.rows(),
        array.cols(),
        gemm.m(),
        gemm.k(),
        gemm.n(),
        grouped(folds)
    )
}
