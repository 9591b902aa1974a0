//! Texts of the presentation mode: numbers and signs for the audience, and controls for the speaker.

use display::number::grouped;
use studio::compare::Fewest;
use studio::kiosk::Idle;
use studio::{Deck, PartTexts, Plan, value_text, whereabouts};
use systolic::{Cycle, Dataflow, Hold, Operand, PeCycles, Slot, Value};

use crate::figures::array_at_a_glance;
use crate::legend::{self, Shape};
use crate::{busy, caption};

/// Label of the button that starts the presentation mode.
pub const OPEN: &str = "Present";
/// Tooltip of the button that starts the presentation mode.
pub const HELP: &str = "Full screen. PageDown: forward; PageUp: back; B: blank; Esc: end";
/// Tooltip of the same button in Real models.
pub const HELP_ANSWERS: &str = "The answers on the whole screen, without the form. Esc: end";
/// Label of the button that ends the presentation mode.
pub const END: &str = "End (Esc)";

/// Accessible name of the button that goes to the previous slide.
pub const PREVIOUS: &str = "previous slide";
/// Accessible name of the button that goes to the next slide.
pub const NEXT: &str = "next slide";

/// Accessible name and tooltip of the button that shows the controls of the speaker.
pub const CONTROLS: &str = "controls of the speaker (K)";

/// A control of the speaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Shows all slides.
    Slides,
    /// Adds the view as a slide.
    Add,
    /// Shows the settings.
    Settings,
    /// Shows the inside of the PE that the caption describes.
    Inside,
    /// Changes the unit of a clicker's steps.
    Unit,
    /// Undoes the last change.
    Undo,
    /// Opens a second window with the notes.
    Notes,
    /// Shows a large pointer.
    Pointer,
    /// Makes the screen black.
    Black,
    /// Makes the screen white.
    White,
    /// Ends the presentation.
    End,
}

impl Control {
    /// All controls, in the order of the list.
    pub const ALL: [Self; 11] = [
        Self::Slides,
        Self::Add,
        Self::Settings,
        Self::Inside,
        Self::Unit,
        Self::Undo,
        Self::Notes,
        Self::Pointer,
        Self::Black,
        Self::White,
        Self::End,
    ];

    /// Returns the control of a key. Clickers send a full stop for a black screen.
    #[must_use]
    pub fn of_key(key: &str) -> Option<Self> {
        match key {
            "." => Some(Self::Black),
            "," => Some(Self::White),
            "Escape" => Some(Self::End),
            key => Self::ALL.into_iter().find(|one| one.key().eq_ignore_ascii_case(key)),
        }
    }

    /// Returns the name of the control's key.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Slides => "O",
            Self::Add => "A",
            Self::Settings => "S",
            Self::Inside => "I",
            Self::Unit => "C",
            Self::Undo => "U",
            Self::Notes => "N",
            Self::Pointer => "L",
            Self::Black => "B",
            Self::White => "W",
            Self::End => "Esc",
        }
    }

    /// Returns the label of the control.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Slides => "All slides",
            Self::Add => "Add as slide",
            Self::Settings => "Settings",
            Self::Inside => "Inside a PE",
            Self::Unit => "Clicker steps",
            Self::Undo => "Undo",
            Self::Notes => "Notes",
            Self::Pointer => "Large pointer",
            Self::Black => "Black screen",
            Self::White => "White screen",
            Self::End => "End",
        }
    }
}

/// Keys without a control, each with what it does.
pub const KEYS: [(&str, &str); 5] = [
    ("Page Up, Down", "slide"),
    ("1, 12 …", "go to slide"),
    ("←, →", "cycle"),
    ("↑, ↓", "PE inside"),
    ("Space", "play"),
];

/// Message to a speaker who opened a link.
pub const KEYS_HINT: &str = "K: keys";

/// Message if the run is the slide's run, so that there is no change to undo.
pub const NO_CHANGE: &str = "no change to undo";

/// Message if the browser blocks the window with the notes.
pub const NO_NOTES: &str = "window blocked";

/// Returns the label of the button that closes the settings. If there is a slide, the button shows the slide again.
#[must_use]
pub const fn close_settings(has_slide: bool) -> &'static str {
    if has_slide { "Back to the slide (Esc)" } else { "Close (Esc)" }
}

/// Label of the button that hides the settings and keeps the changed run.
pub const HIDE_SETTINGS: &str = "Keep it (S)";

/// Returns the message after a view was added as a slide. With `None`, the message says that the link has no room for
/// another slide.
#[must_use]
pub fn added(number: Option<usize>) -> String {
    number.map_or_else(|| "no room".to_owned(), |number| format!("added as {number}"))
}

/// A step of a clicker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// The next slide.
    #[default]
    Slide,
    /// The next event of the run, then the next slide.
    Event,
    /// The next cycle, then the next slide.
    Cycle,
}

impl Unit {
    /// Returns the unit after this unit.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Slide => Self::Event,
            Self::Event => Self::Cycle,
            Self::Cycle => Self::Slide,
        }
    }

    /// Returns the message that names the unit.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::Slide => "clicker: slides",
            Self::Event => "clicker: events",
            Self::Cycle => "clicker: cycles",
        }
    }
}

/// An entry of the legend for an array on a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Outline of a value.
    Value(Shape),
    /// A marked corner of a PE, which stands for the value that stays.
    Corner(Shape),
    /// Colors of the wave: one for each row of A, each column of B, or each k.
    Wave,
    /// A cell that waits.
    Waits,
    /// A cell that has finished.
    Done,
    /// A cell that waits, in an array whose cells are points.
    Idle,
    /// A cell that multiplies, in an array whose cells are points.
    Busy,
    /// A cell that loads.
    Loads,
    /// A PE without work, because the matrices are smaller than the array.
    Padding,
}

/// Content of the cells of an array on a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cells {
    /// Cells with all numbers.
    Numbers,
    /// Cells with two numbers, and a marked corner for the value that stays.
    Pairs,
    /// Cells with states.
    States,
    /// Points of color.
    Points,
}

/// Returns the legend of an array on a wall, in plain words. Next to large matrices, the entries for elements of the
/// matrices are left out.
#[must_use]
pub fn signs(plan: &Plan, cells: Cells, matrices: Option<&[Rows; 3]>) -> Vec<(Sign, String)> {
    let is_short = matrices.is_some_and(|all| all.iter().map(Vec::len).sum::<usize>() > ROWS_MAX);
    let padding = (cells != Cells::Points && plan.schedule().tally().padding.get() > 0)
        .then(|| (Sign::Padding, legend::UNUSED.to_owned()));
    let is_of_matrix = |(sign, _): &(Sign, String)| matches!(sign, Sign::Value(shape) | Sign::Corner(shape) if *shape != Shape::Chevron);
    let signs = signs_of_cells(plan, cells).into_iter();
    signs.filter(|sign| !(is_short && is_of_matrix(sign))).chain(padding).collect()
}

/// Returns the classes of the PE-cycles of the run, each with its count as text. Classes without PE-cycles are missing.
#[must_use]
pub fn paid(plan: &Plan) -> Vec<(Slot, PeCycles, String)> {
    let tally = plan.schedule().tally();
    let counts = Slot::ALL.map(|slot| (slot, tally.get(slot))).into_iter().filter(|(_, count)| count.get() > 0);
    counts.map(|(slot, count)| (slot, count, format!("{} {}", grouped(count.get()), busy::class(slot)))).collect()
}

/// Returns the movement of a value, such as `a moves right`.
fn way(entry: legend::Entry) -> String {
    // An audience does not think in compass directions, and sees that sums drain.
    let does = entry.does.replace("east", "right").replace("south", "down").replace(", then drains", "");
    format!("{} {does}", if entry.letter == "Σ" { "sum" } else { entry.letter })
}

fn signs_of_cells(plan: &Plan, cells: Cells) -> Vec<(Sign, String)> {
    let holds = plan.schedule().dataflow().hold() == Hold::Operand;
    let stationary = legend::letter(stays(plan.schedule().dataflow()));
    match cells {
        Cells::Numbers | Cells::Pairs => {
            let entries = legend::entries(plan).into_iter();
            let hidden = if holds { stationary } else { "b" };
            let is_corner = |shape: Shape| cells == Cells::Pairs && legend::letter(shape) == hidden;
            let sign = |shape: Shape| if is_corner(shape) { Sign::Corner(shape) } else { Sign::Value(shape) };
            entries.map(|entry| (sign(entry.shape), way(entry))).collect()
        }
        Cells::States => {
            let wave = match plan.schedule().dataflow() {
                Dataflow::WeightStationary => "a row of A each",
                Dataflow::InputStationary => "a column of B each",
                Dataflow::OutputStationary => "one k each",
            };
            let waits = if holds { format!("waits, holds {stationary}") } else { "waits".to_owned() };
            vec![(Sign::Wave, wave.to_owned()), (Sign::Waits, waits), (Sign::Done, "done".to_owned())]
        }
        Cells::Points => {
            let loads = holds.then(|| (Sign::Loads, format!("loads {stationary}")));
            let busy = (Sign::Busy, "multiplies".to_owned());
            let idle = [(Sign::Idle, "waits".to_owned()), (Sign::Done, "done".to_owned())];
            [busy].into_iter().chain(loads).chain(idle).collect()
        }
    }
}

/// Largest matrix that fits on a wall next to the array: its rows, its columns, and the characters of an element.
const MATRIX_MAX: [u64; 2] = [6, 4];
const LETTERS_MAX: usize = 4;
/// Largest total number of rows of the three matrices that leaves room for the legend of their elements.
const ROWS_MAX: usize = 11;

/// Rows of a matrix, as texts.
pub type Rows = Vec<Vec<String>>;

/// Returns A, B and C for a wall next to the array. An element of C that is not yet complete is an empty text. `None`
/// if a matrix does not fit.
#[must_use]
pub fn matrices(plan: &Plan, cycle: Cycle) -> Option<[Rows; 3]> {
    let (gemm, [rows, cols]) = (plan.schedule().gemm(), MATRIX_MAX);
    if gemm.m() > rows || gemm.k() > cols || gemm.n() > cols {
        return None;
    }
    let table = |n: u64, texts: Vec<String>| {
        texts.chunks(usize::try_from(n).unwrap_or(1)).map(<[String]>::to_vec).collect::<Rows>()
    };
    let prober = plan.prober();
    let whole = |operand: Operand, rows: u64, cols: u64| {
        let values = (0..rows * cols).map(|place| prober.element(operand, place / cols, place % cols).value);
        table(cols, values.map(|value| value_text::fitting(value, LETTERS_MAX)).collect())
    };
    let (progress, run) = (whereabouts::results(plan, cycle), plan.schedule().run());
    let is_complete = |m: u64, n: u64| {
        let place = usize::try_from(m * run.n() + n).ok();
        place.and_then(|place| progress.get(place)).is_some_and(|progress| progress.is_complete)
    };
    let c = plan
        .result()
        .into_iter()
        .zip(0..)
        .map(|(value, place): (Value, u64)| is_complete(place / gemm.n(), place % gemm.n()).then_some(value));
    let text = |value: Option<Value>| value.map_or_else(String::new, |value| value_text::fitting(value, LETTERS_MAX));
    let (a, b) = (whole(Operand::A, gemm.m(), gemm.k()), whole(Operand::B, gemm.k(), gemm.n()));
    Some([a, b, table(gemm.n(), c.map(text).collect())])
}

/// Returns the multiply-add of the PE that the caption describes: `PE 1,0: 9 + 7 × (−8) = −47`. Empty if this PE does not
/// multiply, or if there is no room for it below the matrices.
#[must_use]
pub fn at_one_pe(plan: &Plan, cycle: Cycle, matrices: &[Rows; 3]) -> String {
    let has_room =
        matrices.iter().map(Vec::len).sum::<usize>() < ROWS_MAX && plan.schedule().tally().padding.get() == 0;
    let pe = caption::telling_pe(plan, cycle).filter(|pe| has_room && plan.schedule().mac(cycle, *pe).is_some());
    pe.map_or_else(String::new, |pe| caption::sum_headline(plan, cycle, pe))
}

/// Returns the row and the column of the element of C that becomes complete in this cycle. `None` if no element or
/// several elements become complete.
#[must_use]
pub fn newest(plan: &Plan, cycle: Cycle) -> Option<(u64, u64)> {
    let n = plan.schedule().run().n();
    let results = whereabouts::results(plan, cycle);
    let mut new = (0..).zip(&results).filter(|(_, progress)| progress.is_new).map(|(place, _)| (place / n, place % n));
    new.next().filter(|_| new.next().is_none())
}

/// Returns the sentence of the shown slide. `None` if no slide is shown, if the slide has no sentence, or if the run no
/// longer equals the slide's run.
#[must_use]
pub fn title(deck: &Deck, plan: &Plan) -> Option<String> {
    let at = deck.at()?;
    let said = deck.said(at).filter(|said| !said.title.is_empty())?;
    let slide = deck.shown(at, &PartTexts::default())?;
    (slide.scenario == *plan.scenario()).then(|| said.title.clone())
}

/// True if the view no longer equals the shown slide: the settings differ, or the cycle differs although the slide does
/// not play.
#[must_use]
pub fn has_moved(deck: &Deck, plan: &Plan, cycle: Cycle) -> bool {
    let slide = deck.at().and_then(|at| deck.shown(at, &PartTexts::default()).zip(deck.said(at)));
    slide.is_some_and(|(slide, said)| slide.scenario != *plan.scenario() || !(said.plays || slide.cycle == cycle))
}

/// Returns the message about an unusable value of `kiosk` in a link.
#[must_use]
pub fn no_kiosk(text: &str) -> String {
    let given = plain::cut(text);
    format!("The link asks for kiosk = {given}: use a whole number of seconds from {} to {}.", Idle::MIN, Idle::MAX)
}

/// Returns the message about an unusable value of `slide` in a link.
#[must_use]
pub fn no_slide(text: &str, n_slides: usize) -> String {
    let given = plain::cut(text);
    match n_slides {
        0 => format!("The link asks for slide = {given}, but has no slides: leave slide out."),
        _ => format!("The link asks for slide = {given}: use a whole number from 1 to {n_slides}."),
    }
}

/// Invitation of a stand that plays by itself.
pub const INVITE: &str = "Touch to try";
/// Sentence of a stand that plays by itself.
pub const WHAT: &str = "A TPU multiplies matrices in a grid like this";
/// Name of the choice of the array and its matrices, for a visitor of a stand.
pub const ARRAY: &str = "Array";
/// Question above the dataflows.
pub const WHICH: &str = "Fewest cycles? Try all three.";
/// Label of the button that shows a visitor of a stand the next cycle.
pub const STEP: &str = "Step";
/// Label of the button that shows a visitor of a stand the next slide.
pub const NEXT_EXAMPLE: &str = "Next example";
/// Hint for a visitor of a stand.
pub const TOUCH_PE: &str = "Touch a square (a PE).";

/// Returns the label of the button that chooses a dataflow, with its cycles after a visitor has tried it: `B stays: 15`.
#[must_use]
pub fn let_stay(dataflow: Dataflow, cycles: Option<u64>) -> String {
    let matrix = crate::picture::letter(dataflow.stationary());
    cycles.map_or_else(|| format!("{matrix} stays"), |cycles| format!("{matrix} stays: {}", grouped(cycles)))
}

/// Returns which dataflow needs the fewest cycles, and the reason if there is one: `B stays: 1 fold, the others need 2 or
/// more.`
#[must_use]
pub fn fewest(fewest: &Fewest) -> String {
    let stays = |dataflow: Dataflow| let_stay(dataflow, None);
    match *fewest {
        Fewest::Several(cycles) => format!("Fewest: {} cycles, more than once.", grouped(cycles.get())),
        Fewest::Folds { dataflow, folds, others } => {
            let folds = crate::count::counted(folds, "fold");
            format!("{}: {folds}, the others need {others} or more.", stays(dataflow))
        }
        Fewest::NoLoad(dataflow) => format!("{}: no cycles to load.", stays(dataflow)),
        Fewest::Other(dataflow) => format!("{} needs the fewest.", stays(dataflow)),
    }
}

/// Returns the label of the button that chooses an array: `4×4`.
#[must_use]
pub fn side(side: u64) -> String {
    format!("{side}×{side}")
}

/// Returns the shape of the matrix that stays in a dataflow.
#[must_use]
pub const fn stays(dataflow: Dataflow) -> Shape {
    match dataflow.stationary() {
        Operand::A => Shape::Pill,
        Operand::B => Shape::Notch,
        Operand::C => Shape::Chevron,
    }
}

/// Returns the label of the button that plays or pauses the run.
#[must_use]
pub const fn play(is_playing: bool) -> &'static str {
    if is_playing { "Pause" } else { "Play" }
}
/// Label of the button with which a visitor closes a PE.
pub const CLOSE_PE: &str = "Close";

/// Returns the warning before kiosk mode restarts the page.
#[must_use]
pub fn begins_again(seconds: u32) -> String {
    format!("Restarting in {seconds} s. Touch to continue.")
}

/// Message after a speaker presses Escape once: a second press ends the presentation.
pub const AGAIN: &str = "Esc again: end";
/// Text after the number of a slide that is changed.
pub const CHANGED: &str = ", changed";

/// Returns the position of a slide, e.g. "1 of 3" for `at` = 0.
#[must_use]
pub fn slide(at: usize, n_slides: usize) -> String {
    format!("{} of {n_slides}", at + 1)
}

/// Largest number of slides for which each slide has a dot.
pub const DOTS_MAX: usize = 8;

/// Returns the current cycle and the range of all cycles in one line, such as "cycle 7 of 0–15". The range shows an
/// audience that there are 16 cycles.
#[must_use]
pub fn moment(plan: &Plan, cycle: Cycle) -> String {
    format!("cycle {} of 0–{}", grouped(cycle.get()), grouped(plan.last().get()))
}

/// Returns the cycle for a visitor of a stand, who counts from one: "cycle 8 of 16".
#[must_use]
pub fn count(plan: &Plan, cycle: Cycle) -> String {
    format!("cycle {} of {}", grouped(cycle.get() + 1), grouped(plan.schedule().cycles().get()))
}

/// Returns the phase of the array at a cycle.
#[must_use]
pub fn phase(plan: &Plan, cycle: Cycle) -> String {
    // The longer words would need a second line on a wall.
    let phase = caption::phase(plan, &plan.schedule().census(cycle));
    if phase == caption::FILL_AND_DRAIN { "fills and drains" } else { phase }.to_owned()
}

/// Returns the number of PEs that do useful multiplications at a cycle, and a label with the number of all PEs.
#[must_use]
pub fn at_work(plan: &Plan, cycle: Cycle) -> (String, String) {
    count_at_work(plan, cycle, ["PE multiplies", "PEs multiply"])
}

/// Returns the texts of [`at_work`] with "square" instead of "PE", for a visitor of a stand who does not know this
/// word.
#[must_use]
pub fn squares_at_work(plan: &Plan, cycle: Cycle) -> (String, String) {
    count_at_work(plan, cycle, ["square multiplies", "squares multiply"])
}

fn count_at_work(plan: &Plan, cycle: Cycle, [one, many]: [&str; 2]) -> (String, String) {
    let schedule = plan.schedule();
    let (useful, pes) = (schedule.census(cycle).useful, schedule.array().pes());
    (grouped(useful), format!("of {} {}", grouped(pes), if pes == 1 { one } else { many }))
}

/// Returns the MFU of the array for the whole run, and its label.
#[must_use]
pub fn mfu(plan: &Plan, _: Cycle) -> (String, String) {
    let whole = array_at_a_glance(plan, &plan.schedule().tally());
    let format = busy::other_format(plan).map_or_else(String::new, |format| format!(" in {format}"));
    (whole.mfu, format!("MFU{format}, {}", crate::label::WHOLE_RUN))
}

/// Returns the MFU of the array from the start of the run up to a cycle: `14.8 % so far`. Empty at the end.
#[must_use]
pub fn mfu_so_far(plan: &Plan, cycle: Cycle) -> String {
    if cycle == plan.last() {
        return String::new();
    }
    let so_far = array_at_a_glance(plan, &plan.schedule().tally_until(cycle));
    if so_far.mfu.is_empty() { String::new() } else { format!("{} {}", so_far.mfu, busy::SO_FAR) }
}

/// Returns the title of one of two runs on a wall: `Output-stationary · 20 cycles · MFU 22.5 %`.
#[must_use]
pub fn title_of_run(name: &str, plan: &Plan, has_mfu: bool) -> String {
    let title = crate::compare::title(name, plan);
    if has_mfu { format!("{title} · MFU {}", mfu(plan, Cycle(0)).0) } else { title }
}

/// Returns the movement of each operand and of the sums: `a moves right · b stays · sum goes down`.
#[must_use]
pub fn ways(plan: &Plan) -> String {
    let entries = legend::entries(plan).into_iter().filter(|entry| entry.shape != Shape::Hexagon);
    entries.map(way).collect::<Vec<_>>().join(" · ")
}

/// Returns the cost of the run relative to the cost of a full array, and its label.
#[must_use]
pub fn cost(plan: &Plan, _: Cycle) -> (String, String) {
    (array_at_a_glance(plan, &plan.schedule().tally()).times, "the price of a full array".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::compare::in_each_dataflow;
    use studio::{Link, Scenario};

    #[test]
    fn a_visitor_reads_which_dataflow_needs_the_fewest_cycles_and_why() {
        let plan = |text: &str| Plan::new(&Link::parse(text, "").scenario).expect("a run");
        let fewest = |text: &str| fewest(&Fewest::of(&in_each_dataflow(&plan(text))));
        // 4×3 PEs hold all of B. C has 6 rows, and A has 6 rows and 4 columns.
        assert_eq!(fewest("rows=4&cols=3&m=6&k=4&n=3"), "B stays: 1 fold, the others need 2 or more.");
        assert_eq!(fewest("rows=4&cols=4&m=4&k=4&n=4"), "C stays: no cycles to load.");
        let cycles =
            |text: &str| in_each_dataflow(&plan(text)).map(|plan| plan.map(|plan| plan.schedule().cycles().get()));
        // The cycles are 2R + C + T − 2, or R + C + T − 2 without loading. They are 8 + 3 + 6 − 2, two folds of 4 + 3 +
        // 4 − 2, and two folds of 8 + 3 + 3 − 2.
        let of = |dataflow: Dataflow| {
            let all = cycles("rows=4&cols=3&m=6&k=4&n=3").into_iter();
            Dataflow::ALL.into_iter().zip(all).find_map(|(one, cycles)| cycles.filter(|_| one == dataflow))
        };
        let all = [Dataflow::WeightStationary, Dataflow::OutputStationary, Dataflow::InputStationary];
        assert_eq!(all.map(of), [Some(15), Some(18), Some(24)]);
        assert_eq!(let_stay(Dataflow::WeightStationary, Some(15)), "B stays: 15");
    }

    #[test]
    fn the_busy_pes_of_all_cycles_are_the_products_of_the_matrices() {
        let plan = Plan::new(&Scenario::default()).expect("a run");
        let at = |cycle: u64| at_work(&plan, Cycle(cycle)).0.parse::<u64>().expect("a number");
        assert_eq!((0..16).map(at).sum::<u64>(), 6 * 4 * 3);
        assert_eq!(moment(&plan, Cycle(7)), "cycle 7 of 0–15");
        assert_eq!(
            [0, 4, 9, 15].map(|cycle| phase(&plan, Cycle(cycle))),
            ["loading weights", "filling", "full", "draining"]
        );
        assert_eq!(mfu_so_far(&plan, Cycle(7)), "14.8 % so far");
        let [a, b, c] = matrices(&plan, Cycle(7)).expect("small");
        assert_eq!((a.len(), a[0].join(" "), c[0].join(" ")), (6, "3 7 7 −2".to_owned(), "−26  ".to_owned()));
        assert_eq!((b.len(), b[0].join(" ")), (4, "3 −8 5".to_owned()));
        assert_eq!([6, 7, 8].map(|cycle| newest(&plan, Cycle(cycle))), [None, Some((0, 0)), None]);
        assert_eq!(count(&plan, Cycle(15)), "cycle 16 of 16");
        // The cost covers 16 PEs in 16 cycles.
        assert_eq!(paid(&plan).iter().map(|(_, count, _)| count.get()).sum::<u64>(), 16 * 16);
        assert_eq!(paid(&plan)[0].2, "72 useful");
        let [.., c] = matrices(&plan, Cycle(15)).expect("small");
        assert_eq!((c.len(), c[0].join(" ")), (6, "−26 −116 −46".to_owned()));
        // The corner computes 3·3, and the PE below adds −8·7. These are elements of the first row of A and the first
        // column of B.
        let column = Plan::new(&Link::parse("rows=3&cols=1&m=1&k=3&n=1", "").scenario).expect("a run");
        let all = matrices(&column, Cycle(4)).expect("small");
        assert_eq!(at_one_pe(&column, Cycle(4), &all), "PE 1,0: 9 + 7 × (−8) = −47");
        assert_eq!(at_one_pe(&plan, Cycle(7), &matrices(&plan, Cycle(7)).expect("small")), "", "no room");
        let other =
            Plan::new(&Scenario { dataflow: Dataflow::OutputStationary, ..Scenario::default() }).expect("a run");
        assert_eq!(ways(&plan), "a moves right · b stays · sum goes down");
        assert_eq!(ways(&other), "a moves right · b moves down · sum stays");
        assert_eq!(title_of_run("One", &other, true), "One · 20 cycles · MFU 22.5 %");
        assert_eq!((mfu(&plan, Cycle(7)).0, cost(&plan, Cycle(7)).0), ("28.1 %".to_owned(), "3.6 ×".to_owned()));
    }
}
