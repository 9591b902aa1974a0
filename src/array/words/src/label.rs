//! Names of fields, choices, buttons and presets.

use super::count::counted;
use display::number::grouped;
use perfmodel::Chip;
use studio::{Feed, Field, FieldValue, FillKind, LazyPart, PaddingKind, Panel, Plan, Preset, Speed, Theme};
use systolic::{Adder, Dataflow, Drain, Dtype, KTiles, Load, Overlap, ResultFormat};

/// Heading of the suggestions after a run.
pub const NEXT_STEPS: &str = "Try next";
/// Name of the project.
pub const TITLE: &str = "Systolic Playground";
/// Heading of the fields of the array.
pub const ARRAY: &str = "Array";
/// Heading of the fields of the matrices.
pub const PROBLEM: &str = "Matrices";
/// Sizes of the matrices, shown next to the heading.
pub const PROBLEM_SIDES: &str = "M × K times K × N";
/// Label of the button that undoes the last change.
pub const UNDO: &str = "Undo";
/// Keys that undo the last change.
pub const UNDO_KEYS: &str = "Ctrl + Z";
/// Label that opens the settings of the elements of A and B.
pub const VALUES: &str = "Values";
/// Accessible name of the panel of settings.
pub const SETUP: &str = "Setup";
/// Accessible name of the panel of figures.
pub const LIVE: &str = "Live";
/// Label of figures for the whole run.
pub const WHOLE_RUN: &str = "whole run";
/// Label of the cycle count, and accessible name of the section with the timeline.
pub const CYCLES: &str = "Cycles";
/// Label of the sum of all classes of PE-cycles.
pub const ALL_PE_CYCLES: &str = "all PE-cycles";
/// Heading of the presets.
pub const EXAMPLES: &str = "Examples";
/// Label of the menu of color themes.
pub const THEME: &str = "Theme";
/// Label of the menu of playback speeds.
pub const SPEED: &str = "Speed";
/// Accessible name of the scrubber.
pub const SCRUBBER: &str = "Cycle";
/// Link from an embed to the full page.
pub const OPEN_FULL: &str = "Open in the playground ↗";
/// The parts of [`OPEN_FULL`]; a narrow page does not show the second.
pub const OPEN_FULL_PARTS: [&str; 3] = ["Open", " in the playground", " ↗"];
/// Accessible name of the navigation between the views.
pub const ROOMS: &str = "Views";
/// Name of the view with the array.
pub const EXPLORE: &str = "Explore";
/// Name of the view with the lessons.
pub const LEARN: &str = "Learn";
/// Label of the button that opens the lessons, on a page opened without a link.
pub const OFFER: &str = "6-minute lesson";
/// Name of the view with models on chips.
pub const MODELS: &str = "Real models";
/// Link from the figures of a matmul on a chip to the estimate of this matmul in "Real models".
pub const AS_PRODUCT: &str = "This matmul in “Real models”: step, cost, roofline";
/// Accessible name of the row of tools below the array, and name of its tab.
pub const TOOLS: &str = "Tools";
/// Accessible name of the tabs that a small page shows below the array.
pub const TABS: &str = "Below the array";
/// Name of the tab with the timeline and the playback controls.
pub const TAB_RUN: &str = "Run";
/// Name of the tab with the settings.
pub const TAB_CHANGE: &str = "Change";
/// Name of the tab with the figures.
pub const TAB_WHY: &str = "Metrics";
/// Name of the tab with examples, colors and help.
pub const TAB_MORE: &str = "More";
/// Hint next to the timeline on a small page.
pub const DRAG: &str = "drag to scrub";
/// Label of the button that closes the open tool.
pub const CLOSE_TOOL: &str = "Close (Esc)";
/// Label of the button that loads a part of the page again after a failure.
pub const TRY_AGAIN: &str = "Try again";
/// Note shown if a link locks fields.
pub const LOCKED: &str = "This link locks the other settings.";
/// Label of the button that opens the dialog with links, code and files.
pub const SHARE: &str = "Share";
/// Label of the button that removes a notice.
pub const DISMISS: &str = "Dismiss";
/// Message if the changed settings cannot run. The page then still shows the last valid run.
pub const LAST_GOOD: &str = "Showing the last valid run.";
/// Heading of the list of sources.
pub const SOURCES: &str = "Sources";
/// Text before the date on which all sources were last checked.
pub const CHECKED: &str = "Sources checked on ";
/// Heading of the effects that a figure leaves out.
pub const LEAVES_OUT: &str = "Leaves out";
/// Label of the link to the settings, which is the first element that the Tab key reaches.
pub const SKIP: &str = "Skip to the controls";
/// Link that skips the header.
pub const SKIP_TO_ARRAY: &str = "Skip to the array";
/// Note below a chip without a list price.
pub const NO_PRICE: &str = "No list price published: costs are unknown.";

/// Returns the message that the page shows while a part of the page loads.
#[must_use]
pub const fn loading(part: LazyPart) -> &'static str {
    match part {
        LazyPart::Workbench => "Loading the tools …",
        LazyPart::Estimate => "Loading “Real models” …",
        LazyPart::Learn => "Loading the lesson …",
        LazyPart::Share => "Loading “Share” …",
        LazyPart::Ask => "Loading the search …",
    }
}

/// Message if the side panels could not be loaded.
pub const SIDES_NOT_LOADED: &str = "The settings and figures could not be loaded; the array keeps playing.";

/// Returns the message about a part of the page that could not be loaded.
#[must_use]
pub const fn not_loaded(part: LazyPart) -> &'static str {
    match part {
        LazyPart::Workbench => "The tools could not be loaded; the rest of the page still works.",
        LazyPart::Estimate => "“Real models” could not be loaded; the rest of the page still works.",
        LazyPart::Learn => "The lesson could not be loaded; the rest of the page still works.",
        LazyPart::Share => "“Share” could not be loaded; the rest of the page still works.",
        LazyPart::Ask => "The search could not be loaded; the rest of the page still works.",
    }
}

/// Returns the name of a tool, for its button and its panel.
#[must_use]
pub const fn panel(panel: Panel) -> &'static str {
    match panel {
        Panel::Pe => "Inside a PE",
        Panel::Compare => "Compare",
        Panel::Break => "Break it",
        Panel::Heat => "Heat map",
        Panel::Folds => "Folds",
        Panel::Transcript => "Event log",
        Panel::Build => "Build a dataflow",
        Panel::Pictures => "Pictures",
    }
}

/// Label of the button that shows the other tools.
pub const MORE_TOOLS: &str = "More tools";

/// Word before the number of the cycle.
pub const CYCLE: &str = "cycle";

/// Label of the first playback button, which goes to the first cycle.
pub const HOME: &str = "First cycle (Home)";
/// Label of the second playback button, which goes back one cycle.
pub const BACK: &str = "Back one cycle (Left arrow)";
/// Label of the third playback button while the run is paused.
pub const PLAY: &str = "Play (Space)";
/// Label of the play button of a poster, the still picture of an embedded run.
pub const PLAY_HERE: &str = "Play";
/// Label of the third playback button while the run plays.
pub const PAUSE: &str = "Pause (Space)";
/// Label of the fourth playback button, which goes forward one cycle.
pub const FORWARD: &str = "Forward one cycle (Right arrow)";
/// Label of the fifth playback button, which goes to the last cycle.
pub const END: &str = "Last cycle (End)";
/// Label of the sixth playback button, which goes to the previous event.
pub const PREVIOUS_EVENT: &str = "Previous event ([)";
/// Label of the seventh playback button, which goes to the next event.
pub const NEXT_EVENT: &str = "Next event (])";

/// Label of the button that zooms in.
pub const ZOOM_IN: &str = "Zoom in (+)";
/// Label of the button that zooms out.
pub const ZOOM_OUT: &str = "Zoom out (−)";
/// Label of the button that fits the whole array into the view.
pub const ZOOM_WHOLE: &str = "Fit (0)";

/// Heading of the choice of a number format.
pub const NUMBER_FORMAT: &str = "Number format";

/// Note in the heading of the values if B does not come from on-chip memory.
pub const FROM_MEMORY: &str = "B from HBM";

/// Name of the custom chip in the list of chips.
pub const CUSTOM_CHIP: &str = "own price and clock";

/// Returns the text under the fields of a custom chip, with the chip whose memory the custom chip has.
#[must_use]
pub fn custom_chip_hint(chip: &str) -> String {
    let name = Chip::by_id(chip).map_or(chip, |chip| chip.name);
    format!("Your chip has arrays like this one, and the memory of {name}.")
}

/// Returns the label of a field.
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
        Field::Overlap => "double buffering",
        Field::Load => "loading",
        Field::Drain => "draining",
        Field::KTiles => "order of k tiles",
        Field::Chip => "chip",
        Field::Feed => "source of B",
        Field::Passes => "f32 passes",
        Field::Adder => "sums added as",
        Field::Out => "result format",
        Field::Arrays => "arrays per chip",
        Field::Clock => "clock in MHz",
        Field::Price => "cents per hour",
        Field::A => "A",
        Field::B => "B",
        Field::C => "C at the start",
    }
}

/// Explains a field in tooltips and for screen readers.
#[must_use]
pub const fn field_help(field: Field) -> &'static str {
    match field {
        Field::Rows => "Rows of processing elements, 1 to 1024",
        Field::Cols => "Columns of processing elements, 1 to 1024",
        Field::M => "Rows of A and C, 1 to 65536",
        Field::K => "Columns of A and rows of B (products in each sum), 1 to 65536",
        Field::N => "Columns of B and C, 1 to 65536",
        Field::Dataflow => "Stationary operand: the matrix that stays in the processing elements",
        Field::Dtype => "Number format (dtype) of the operands and of the sums",
        Field::Padding => "Options for matrices that do not fill the array",
        Field::Multiple => "M is padded with zeros to a multiple of this number, 1 to 65536",
        Field::Fill => "Values that fill A and B",
        Field::Overlap => "Overlap of folds: the next fold can start before this fold ends",
        Field::Load => "Order in which the stationary operand is shifted in",
        Field::Drain => "Path of finished sums out of the array",
        Field::KTiles => "Order in which the tiles of k are added, if K is a multiple of the rows",
        Field::Seed => "Seed of the random values, 0 to 999999; equal seeds give equal matrices",
        Field::Chip => "Chip whose peak rate and price the figures use",
        Field::Feed => {
            "On-chip memory never stalls the array; main memory (HBM) can stall the array, because all arrays of the chip share this memory"
        }
        Field::Passes => "Number of bf16 passes in which a TPU computes f32 (JAX default: 1)",
        Field::Adder => {
            "Adder of a PE: one product at a time in f32, or blocks of products, as a chip adds them by the digits that it printed"
        }
        Field::Out => "Format to which each element of C is rounded when it is complete",
        Field::Arrays => "Arrays of this size in a custom chip, 1 to 65536; 0 for the chip as published",
        Field::Clock => "Clock of the custom chip in MHz, 1 to 100000",
        Field::Price => "Price of the custom chip in US cents per hour, 1 to 10000000",
        Field::A => "Matrix A: M rows of K elements",
        Field::B => "Matrix B: K rows of N elements",
        Field::C => "Matrix from which the sums start: M rows of N elements; empty for zeros",
    }
}

/// Returns the name of an adder: the chip whose results the adder reproduces digit by digit.
#[must_use]
pub const fn adder(adder: Adder) -> &'static str {
    match adder {
        Adder::F32 => "f32, one by one",
        Adder::Tpu => "TPU with 256 rows",
        Adder::V100 => "V100 tensor core",
        Adder::A100 => "A100 tensor core",
        Adder::H100 => "H100 tensor core",
        Adder::B200 => "B200 tensor core",
    }
}

/// Returns the name of the value of a design field. For a value of any other field, returns the value's name in a link.
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
        FieldValue::KTiles(KTiles::Up) => "ascending",
        FieldValue::KTiles(KTiles::Down) => "descending",
        FieldValue::KTiles(KTiles::SecondHalfFirst) => "second half first",
        FieldValue::KTiles(KTiles::Listed(_)) => "listed",
        FieldValue::Adder(adder) => self::adder(*adder),
        FieldValue::Out(ResultFormat::Sum) => "as the sums",
        FieldValue::Out(format) => format.id(),
        FieldValue::Feed(Feed::OnChip) => "on chip",
        FieldValue::Feed(Feed::Memory) => "HBM",
        other => other.id().unwrap_or(""),
    }
}

/// Returns the name of a button that changes a number by 1.
#[must_use]
pub fn step(of: Field, is_up: bool) -> String {
    format!("{} {} by 1", if is_up { "Increase" } else { "Decrease" }, field(of))
}

/// Returns the name of a dataflow.
#[must_use]
pub const fn dataflow(dataflow: Dataflow) -> &'static str {
    match dataflow {
        Dataflow::WeightStationary => "weight-stationary",
        Dataflow::OutputStationary => "output-stationary",
        Dataflow::InputStationary => "input-stationary",
    }
}

/// Returns the name of a number format, with the format of its sums.
#[must_use]
pub const fn dtype(dtype: Dtype) -> &'static str {
    match dtype {
        Dtype::F32 => "f32 → f32",
        Dtype::Bf16 => "bf16 → f32",
        Dtype::F16 => "f16 → f32",
        Dtype::E4m3fn => "fp8 e4m3fn → f32",
        Dtype::E5m2 => "fp8 e5m2 → f32",
        Dtype::E4m3b11fnuz => "fp8 e4m3b11fnuz → f32",
        Dtype::E4m3fnuz => "fp8 e4m3fnuz → f32",
        Dtype::E5m2fnuz => "fp8 e5m2fnuz → f32",
        Dtype::Int8 => "int8 → int32",
        Dtype::Int4 => "int4 → int32",
        Dtype::Tf32 => "tf32 → f32",
    }
}

/// Heading of the choice of dataflow.
pub const STAYS: &str = "Dataflow: what stays";

/// Returns the name of the values that a dataflow keeps in the PEs. The name is the label below the drawing of the
/// dataflow.
#[must_use]
pub const fn stays(dataflow: Dataflow) -> &'static str {
    match dataflow {
        Dataflow::WeightStationary => "weights",
        Dataflow::OutputStationary => "outputs",
        Dataflow::InputStationary => "inputs",
    }
}

/// Returns the short name of a dataflow.
#[must_use]
pub const fn short_dataflow(dataflow: Dataflow) -> &'static str {
    match dataflow {
        Dataflow::WeightStationary => "WS",
        Dataflow::OutputStationary => "OS",
        Dataflow::InputStationary => "IS",
    }
}

/// Heading of the choice of padding.
pub const PADDING: &str = "Padding";

/// Returns the name of a kind of padding, for the label below its drawing.
#[must_use]
pub const fn padding(kind: PaddingKind) -> &'static str {
    match kind {
        PaddingKind::Ragged => "leave idle",
        PaddingKind::Zero => "fill with 0",
        PaddingKind::MultipleOfM => "round M up",
    }
}

/// Returns the name of a way to fill the matrices.
#[must_use]
pub const fn fill(kind: FillKind) -> &'static str {
    match kind {
        FillKind::Small => "small random",
        FillKind::Uniform => "full-range random",
        FillKind::Counting => "counting 0, 1, 2 …",
        FillKind::Identity => "identity",
        FillKind::Ramp => "ramp 1, 1.001 …",
        FillKind::Custom => "my own matrices",
    }
}

/// Returns the name of a playback speed.
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

/// Returns the name of a theme.
#[must_use]
pub const fn theme(theme: Theme) -> &'static str {
    match theme {
        Theme::Auto => "auto",
        Theme::Light => "light",
        Theme::Dark => "dark",
        Theme::Projector => "projector",
    }
}

/// Returns the text with the number of cycles per frame, at 60 frames per second. The text is empty for at most one
/// cycle per frame.
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and not negative")]
pub fn cycles_per_frame(speed: Speed, plan: &Plan) -> String {
    let n = (speed.cycles_per_sec(plan) / 60.0).round() as u64;
    // A line may break before this text, but not inside it.
    match n {
        0..=1 => String::new(),
        2..1_000_000_000 => format!(" ·\u{a0}{}/frame", grouped(n)),
        _ => format!(" ·\u{a0}{}\u{a0}billion/frame", grouped(n / 1_000_000_000)),
    }
}

/// Returns the label of the button that shows this matmul on an array of the chip: `See its 128×128`.
#[must_use]
pub fn array_of_chip((rows, cols): (u32, u32)) -> String {
    format!("See its {rows}×{cols}")
}

/// Returns the label of the button that leads back to a run: `Back to 6×4×3 on 4×4`.
#[must_use]
pub fn back_to(plan: &Plan) -> String {
    let (gemm, array) = (plan.schedule().gemm(), plan.schedule().array());
    format!("Back to {}×{}×{} on {}×{}", gemm.m(), gemm.k(), gemm.n(), array.rows(), array.cols())
}

/// Returns the name of a preset.
#[must_use]
pub const fn preset(preset: Preset) -> &'static str {
    match preset {
        Preset::First => "First screen: 4×4, one unused column",
        Preset::Ragged => "8×8, ragged on both edges, 4 folds",
        Preset::OutputStationary => "4×4, output-stationary",
        Preset::Cube => "One cube, three dataflows",
        Preset::Rounding => "4×4, bf16 with rounding",
        Preset::OnePast => "129³ on 128×128: larger by one",
        Preset::Bert128 => "BERT-Large QKV, sequence 128",
        Preset::Bert512 => "BERT-Large QKV, sequence 512",
        Preset::Decode => "LLaMA decode: 1×4096×4096",
        Preset::Large => "256×256 with 56 unused columns",
        Preset::Memory => "First TPU, stalled by its memory",
        Preset::One => "One PE",
    }
}

/// Returns a name with a capital first letter.
pub(super) fn capitalized(name: &str) -> String {
    let mut name = name.to_owned();
    if let Some(first) = name.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    name
}

/// Returns the footer of a printed page.
#[must_use]
pub fn printed(address: &str, version: &str) -> String {
    format!("{TITLE} {version} · {address}")
}

/// Describes the run in one line for the header: dataflow, array, matrices and folds.
#[must_use]
pub fn headline(plan: &Plan) -> String {
    let schedule = plan.schedule();
    let (array, gemm) = (schedule.array(), schedule.gemm());
    let name = capitalized(dataflow(schedule.dataflow()));
    let (rows, cols, folds) = (array.rows(), array.cols(), counted(schedule.folds(), "fold"));
    format!("{name} {rows}×{cols} · {}×{}×{} · {folds}", gemm.m(), gemm.k(), gemm.n())
}
