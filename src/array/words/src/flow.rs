//! Sentences about a dataflow that a person builds: captions, faults, places and cycles, and goals.

pub use crate::caption::Caption;

use crate::caption::pe_name;
use crate::count::{counted, noun_of};
use crate::label;
use display::number::{MINUS, grouped, percent};
use systolic::flow::{Along, Fault, FaultKind, Flow, FlowRun, Formula, Goal, Label, Meeting, Mirror, Move, Verdict};
use systolic::{Axis, Dataflow, Drain, Elements, Operand, PeId};

/// Returns a whole number as text, with a typographic minus sign if it is negative.
#[must_use]
pub fn number(value: i64) -> String {
    if value < 0 { format!("{MINUS}{}", grouped(value.unsigned_abs())) } else { grouped(value.unsigned_abs()) }
}

/// Returns the title of C at the end of a run with wrong sums.
#[must_use]
pub fn results(run: &FlowRun) -> String {
    let all = run.gemm().m() * run.gemm().n();
    format!("C at the end: {} of {} sums are wrong", grouped(run.n_wrong_sums()), grouped(all))
}

/// Returns the name of an element: `a[2,1]`.
#[must_use]
pub fn name(label: Label) -> String {
    format!("{}[{},{}]", letter(label.operand), label.row, label.col)
}

const fn letter(operand: Operand) -> &'static str {
    match operand {
        Operand::A => "a",
        Operand::B => "b",
        Operand::C => "c",
    }
}

/// Returns the name of a matrix in a sentence.
#[must_use]
pub const fn matrix(operand: Operand) -> &'static str {
    match operand {
        Operand::A => "A",
        Operand::B => "B",
        Operand::C => "the sums",
    }
}

/// Returns an element in a sentence, with the value of an element of A or B.
fn named(run: &FlowRun, label: Label) -> String {
    match label.operand {
        Operand::A | Operand::B => format!("{} = {}", name(label), number(run.value(label))),
        Operand::C => format!("the sum of {}", name(label)),
    }
}

/// Returns a text with a capital first letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns the caption of a cycle.
#[must_use]
pub fn caption(run: &FlowRun, cycle: u64) -> Caption {
    let [right, wrong] = [Meeting::Right, Meeting::Wrong].map(|meeting| run.n_meetings(cycle, meeting));
    let lost = run.collisions().iter().filter(|fault| fault.cycle == cycle).count() as u64;
    let leaving = leaving(run, cycle);
    let n_right = leaving.iter().filter(|label| run.is_sum_right(label.row, label.col)).count() as u64;
    let n_wrong = leaving.len() as u64 - n_right;
    let sums = |n: u64, kind: &str| {
        let verb = if n == 1 { "leaves" } else { "leave" };
        format!("{} {kind} {} {verb}", grouped(n), noun_of(n, "sum"))
    };
    let multiplies = if wrong == 1 { "multiplies" } else { "multiply" };
    let event = match (lost, wrong, n_right, n_wrong, right) {
        (1.., ..) => format!("collisions lose {}", counted(lost, "element")),
        (_, 1.., ..) => format!("{} {multiplies} the wrong pair", counted(wrong, "PE")),
        (_, _, 0, 1.., _) => sums(n_wrong, "wrong"),
        (_, _, 1, 0, _) => sums(1, "right"),
        (_, _, 2.., 0, _) => format!("{} at once", sums(n_right, "right")),
        (_, _, 1.., 1.., _) => format!("{}, {} wrong", sums(leaving.len() as u64, "finished"), grouped(n_wrong)),
        (_, _, _, _, 1) => "1 PE multiplies the right pair".to_owned(),
        (_, _, _, _, 2..) => format!("{} multiply the right pair", counted(right, "PE")),
        _ => "no PE multiplies".to_owned(),
    };
    let mut sentences = Vec::new();
    if !leaving.is_empty() && wrong == 0 && lost == 0 {
        let verb = if leaving.len() == 1 { "is" } else { "are" };
        let names: Vec<String> = leaving.iter().map(|&label| name(label)).collect();
        sentences.push(format!("{} {verb} in the last PE.", listed(&names)));
    }
    let of_all = format!("{} of {}", grouped(right), counted(run.array().pes(), "PE"));
    sentences.push(match (wrong, right) {
        (0, 1) => format!("{of_all} multiplies, and its elements belong together."),
        (0, 2..) => format!("{of_all} multiply, and each element of A meets its sum."),
        (_, 1) => "1 PE multiplies the right pair.".to_owned(),
        (_, _) => format!("{} multiply the right pair.", counted(right, "PE")),
    });
    sentences.extend(alone(run, cycle).filter(|_| run.n_wrong_sums() > 0));
    sentences.extend(numbering(run).map(str::to_owned));
    Caption { headline: format!("Cycle {}: {event}", grouped(cycle)), sentence: sentences.join(" ") }
}

/// Returns a note on the corner from which rows and columns are counted. `None` if both are counted from the upper left
/// corner, as usual.
#[must_use]
pub fn numbering(run: &FlowRun) -> Option<&'static str> {
    let first = run.counted(PeId::new(0, 0));
    match (first.row > 0, first.col > 0) {
        (false, false) => None,
        (true, false) => Some("The rows count from the south."),
        (false, true) => Some("The columns count from the east."),
        (true, true) => Some("The rows count from the south, and the columns from the east."),
    }
}

/// Returns the sums that move and are in their last PE in a cycle.
fn leaving(run: &FlowRun, cycle: u64) -> Vec<Label> {
    let moves = run.flow().sums != Move::Stays;
    let pes = run.pes(cycle).filter(|&(pe, _)| moves && run.leaves(Operand::C, pe));
    let mut labels: Vec<Label> = pes.filter_map(|(_, state)| Some(state.token(Operand::C)?.label)).collect();
    // A sum on a wire is in all PEs of the wire.
    labels.dedup();
    labels.sort_by_key(|label| (label.row, label.col));
    labels.dedup();
    labels
}

/// Returns a sentence about the PEs in which elements pass without all the partners that they need.
fn alone(run: &FlowRun, cycle: u64) -> Option<String> {
    let states = run.pes(cycle).map(|(_, state)| state).filter(|state| state.meeting == Meeting::Alone);
    let here = |operand: Operand| move |state: &systolic::flow::PeState| state.token(operand).is_some();
    let kinds: Vec<[bool; 3]> = states.map(|state| Flow::OPERANDS.map(|operand| here(operand)(state))).collect();
    let first = *kinds.first()?;
    let pes = counted(kinds.len() as u64, "PE");
    if kinds.iter().any(|kind| *kind != first) {
        return Some(format!("In {pes}, elements pass and do not meet all that they need."));
    }
    let nouns = ["an element of A", "an element of B", "a sum"];
    let moves = |nth: usize| run.flow().of(Flow::OPERANDS[nth]) != Move::Stays;
    let passing: Vec<&str> = (0..3).filter(|&nth| first[nth] && moves(nth)).map(|nth| nouns[nth]).collect();
    let missing: Vec<&str> = (0..3).filter(|&nth| !first[nth]).map(|nth| kind(Flow::OPERANDS[nth])).collect();
    let verb = if passing.len() == 1 { "passes" } else { "pass" };
    Some(format!("In {pes}, {} {verb} and no {} is there.", passing.join(" and "), missing.join(" or ")))
}

/// Returns texts with commas and "and".
fn listed(texts: &[String]) -> String {
    match texts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Returns the kind, the cycle and the PE of a fault.
#[must_use]
pub fn fault_title(fault: &Fault) -> String {
    let kind = match fault.kind {
        FaultKind::Collision { .. } => "First collision",
        FaultKind::Mismatch { came: Some(_), .. } => "First wrong pair",
        FaultKind::Mismatch { came: None, .. } => "First pair that misses",
    };
    format!("{kind}: cycle {}, {}", grouped(fault.cycle), pe_name(fault.counted))
}

/// Returns the element that a PE needs, the element that came, and how much too early or too late it came.
#[must_use]
pub fn fault(run: &FlowRun, fault: &Fault) -> String {
    match fault.kind {
        FaultKind::Collision { kept, lost } => {
            let (kept, lost, motion) = (name(kept), name(lost), run.flow().of(kept.operand));
            let place = match motion {
                Move::Stays => "stay in one register",
                Move::AlongRow => "need the wire of one row in one cycle",
                Move::AlongCol => "need the wire of one column in one cycle",
                Move::East | Move::South | Move::West | Move::North => "enter one register in one cycle",
            };
            format!("{kept} and {lost} {place}. The array loses {lost}.")
        }
        FaultKind::Mismatch { partner, needed, came, early } => {
            let partner = match partner.operand {
                Operand::C => format!("The sum of {}", name(partner)),
                Operand::A | Operand::B => name(partner),
            };
            let needs = format!("{partner} needs {}.", named(run, needed));
            let Some(came) = came else {
                return format!("{needs} No {} is there in this cycle.", kind(needed.operand));
            };
            let when = match early {
                Some(early @ 1..) => format!(", which comes {} too early", counted(early.unsigned_abs(), "cycle")),
                Some(early @ ..0) => format!(", which comes {} too late", counted(early.unsigned_abs(), "cycle")),
                Some(0) | None => String::new(),
            };
            format!("{needs} It meets {}{when}.", named(run, came))
        }
    }
}

const fn kind(operand: Operand) -> &'static str {
    match operand {
        Operand::A => "element of A",
        Operand::B => "element of B",
        Operand::C => "sum",
    }
}

/// Returns the two labels below a matrix: the element that a PE needs, and the element that came.
#[must_use]
pub fn needed_and_came(needed: Label, came: Option<Label>) -> [String; 2] {
    [format!("needed: {}", name(needed)), format!("came: {}", came.map_or_else(|| "none".to_owned(), name))]
}

/// Returns the number of wrong sums as a sentence.
#[must_use]
pub fn wrong_sums(run: &FlowRun) -> String {
    let all = run.gemm().m() * run.gemm().n();
    match run.n_wrong_sums() {
        0 => format!("0 of {} are wrong: the array multiplies.", counted(all, "sum")),
        1 => format!("1 of {} is wrong.", counted(all, "sum")),
        n => format!("{} of {} are wrong.", grouped(n), counted(all, "sum")),
    }
}

/// Reason for an MFU of 0.
pub const NO_MFU: &str = "A wrong sum is not useful, so MFU is 0.";

/// Returns the dataflow that a flow equals or mirrors. `None` if the flow is not an image of a dataflow.
#[must_use]
pub fn equals(flow: Flow) -> Option<String> {
    let (dataflow, mirror) = flow.image()?;
    let known = label::dataflow(dataflow);
    if mirror == Mirror::default() {
        let chip = if dataflow == Dataflow::WeightStationary { ", the array of a TPU" } else { "" };
        return Some(format!("This is {known}{chip}."));
    }
    let swaps = [
        mirror.swaps.then_some("rows and columns"),
        mirror.flips_rows.then_some("south and north"),
        mirror.flips_cols.then_some("east and west"),
    ];
    let swaps: Vec<String> = swaps.into_iter().flatten().map(str::to_owned).collect();
    Some(format!("This is a mirror image of {known}: it swaps {}.", listed(&swaps)))
}

/// A term of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The term with its sign, such as `k`, `+ n` or `− 2m`.
    pub text: String,
    /// True if the formulas of two matrices differ in this term.
    pub differs: bool,
}

/// Place and cycle in which an element of a moving matrix is used, as formulas of m, k and n.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceAndCycle {
    /// The matrix.
    pub operand: Operand,
    /// Name of an element: `a[m,k]`.
    pub name: &'static str,
    /// Place of the product: `PE k,n`.
    pub place: String,
    /// Terms of the cycle.
    pub cycle: Vec<Term>,
}

impl PlaceAndCycle {
    /// Returns the place and the cycle as one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let cycle: Vec<&str> = self.cycle.iter().map(|term| term.text.as_str()).collect();
        format!("{} is in {} in cycle {}.", self.name, self.place, cycle.join(" "))
    }
}

/// Returns place and cycle of each matrix that moves, as formulas.
#[must_use]
pub fn where_and_when(run: &FlowRun) -> Vec<PlaceAndCycle> {
    let verdict = run.flow().verdict(run.gemm());
    let first = run.pe_of(systolic::Mkn { m: 0, k: 0, n: 0 });
    let (first, corner) = (run.counted(first), run.counted(PeId::new(0, 0)));
    let place = |formula: Formula, constant: u32, corner: u32| {
        let direction = if corner == 0 { 1 } else { -1 };
        let terms = terms(Formula::default().plus(direction, formula), constant.into(), |_| false);
        terms.into_iter().map(|term| term.text).collect::<Vec<_>>().join(" ")
    };
    // An expression with several terms needs parentheses next to the comma.
    let place = |formula: Formula, constant: u32, corner: u32| {
        let text = place(formula, constant, corner);
        if text.contains(' ') { format!("({text})") } else { text }
    };
    let place =
        format!("PE {},{}", place(verdict.row, first.row, corner.row), place(verdict.col, first.col, corner.col));
    let cycles: Vec<Formula> = verdict.cycles.into_iter().flatten().collect();
    let differs = |axis: Axis| cycles.iter().any(|cycle| cycle.along(axis) != cycles[0].along(axis));
    let of_matrix = |operand: Operand| {
        let cycle = verdict.cycle(operand)?;
        let name = match operand {
            Operand::A => "a[m,k]",
            Operand::B => "b[k,n]",
            Operand::C => "c[m,n]",
        };
        let cycle = terms(cycle, run.first_product(), differs);
        Some(PlaceAndCycle { operand, name, place: place.clone(), cycle })
    };
    Flow::OPERANDS.into_iter().filter_map(of_matrix).collect()
}

const AXES: [(Axis, &str); 3] = [(Axis::M, "m"), (Axis::K, "k"), (Axis::N, "n")];

/// Returns the terms of a formula plus a constant. A term in which the matrices differ is listed even if it is 0.
fn terms(formula: Formula, constant: u64, differs: impl Fn(Axis) -> bool) -> Vec<Term> {
    let of_axes = AXES.map(|(axis, letter)| {
        let coefficient = formula.along(axis);
        let text = match coefficient.unsigned_abs() {
            0 => "0".to_owned(),
            1 => letter.to_owned(),
            n => format!("{n}{letter}"),
        };
        (coefficient, text, differs(axis))
    });
    let shown = of_axes.into_iter().filter(|(coefficient, _, differs)| *coefficient != 0 || *differs);
    let constant = (constant > 0).then(|| (1, grouped(constant), false));
    // The first term should not need a minus sign.
    let mut all: Vec<(i64, String, bool)> = shown.chain(constant).collect();
    all.sort_by_key(|(coefficient, ..)| *coefficient < 0);
    if all.is_empty() {
        all.push((0, "0".to_owned(), false));
    }
    let signed = all.into_iter().enumerate().map(|(nth, (coefficient, text, differs))| {
        let text = match (nth, coefficient < 0) {
            (0, false) => text,
            (0, true) => format!("{MINUS}{text}"),
            (_, false) => format!("+ {text}"),
            (_, true) => format!("{MINUS} {text}"),
        };
        Term { text, differs }
    });
    signed.collect()
}

/// Returns the conclusion from the formulas: the first condition that fails, or the statement that all elements of each
/// product meet.
#[must_use]
pub fn conclusion(verdict: &Verdict) -> String {
    if let Some([one, other]) = verdict.apart {
        let cycles = [one, other].map(|operand| verdict.cycle(operand).unwrap_or_default());
        return format!("Equal only if {}.", zero_if(cycles[0].plus(-1, cycles[1])));
    }
    if let Some([one, other]) = verdict.crowded {
        return format!("{} and {} are in one register or on one wire in one cycle.", name(one), name(other));
    }
    if let Some([one, other]) = verdict.shared {
        let product = |at: systolic::Mkn| format!("({},{},{})", at.m, at.k, at.n);
        return format!("Products {} and {} are in one PE in one cycle.", product(one), product(other));
    }
    "All elements of a product are in its PE in one cycle.".to_owned()
}

/// Returns the equation of indices that holds exactly if a formula is 0.
fn zero_if(formula: Formula) -> String {
    let side = |sign: i64| {
        let terms = AXES.into_iter().filter_map(|(axis, letter)| match sign * formula.along(axis) {
            ..=0 => None,
            1 => Some(letter.to_owned()),
            n => Some(format!("{n}{letter}")),
        });
        terms.collect::<Vec<_>>()
    };
    let (left, right) = (side(1), side(-1));
    match (left.is_empty(), right.is_empty()) {
        (false, false) => format!("{} = {}", left.join(" + "), right.join(" + ")),
        // Indices are not negative, so a sum of them is 0 only if each of them is 0.
        _ => {
            let zeros = AXES.into_iter().filter(|(axis, _)| formula.along(*axis) != 0);
            listed(&zeros.map(|(_, letter)| format!("{letter} = 0")).collect::<Vec<_>>())
        }
    }
}

/// Returns why two matrices must not make the same step, and a move that helps. `None` if all steps differ.
#[must_use]
pub fn refusal(flow: Flow) -> Option<String> {
    let [one, other] = flow.equal_steps()?;
    let step = flow.of(one).step();
    let (first, second) = (capital(matrix(one)), matrix(other));
    // This move is in a direction that no matrix uses. If both directions are used, the matrix stays.
    let uses = |along: Along| Flow::OPERANDS.iter().any(|&operand| flow.of(operand).along() == Some(along));
    let free = match (uses(Along::Row), uses(Along::Col)) {
        (_, false) => Move::South,
        (false, true) => Move::East,
        (true, true) => Move::Stays,
    };
    let remedy = match free {
        Move::Stays => "Let one of them stay.".to_owned(),
        other => format!("Let one of them move {}.", other.id()),
    };
    let why = match (flow.of(one) == flow.of(other), flow.of(one)) {
        (_, Move::Stays) => format!("{first} and {second} both stay, so elements collide in the registers."),
        (true, Move::AlongRow | Move::AlongCol) => {
            let lines = if step == Move::East.step() { "rows" } else { "columns" };
            format!("{first} and {second} are both on wires along {lines}, so their elements share each wire.")
        }
        (true, motion) => format!("{first} and {second} both move {}, so they never part.", motion.id()),
        (false, _) => {
            let lines = if step == Move::East.step() { "rows" } else { "columns" };
            format!("{first} and {second} both go along the {lines} in one direction, so products share PEs.")
        }
    };
    Some(format!("{why} {remedy}"))
}

/// Returns the name of a goal.
#[must_use]
pub const fn goal(goal: Goal) -> &'static str {
    match goal {
        Goal::WeightsStay => "Weights stay",
        Goal::OutputsStay => "Outputs stay",
        Goal::InputsStay => "Inputs stay",
        Goal::NothingStays => "Nothing stays",
        Goal::FewestRegisters => "Fewest registers",
        Goal::NoSkew => "No skew registers",
    }
}

/// Returns two hints for a goal. The second hint says more.
#[must_use]
pub const fn hints(goal: Goal) -> [&'static str; 2] {
    match goal {
        Goal::WeightsStay => [
            "Let B stay, and let A and the sums cross. Look at row 1: which element of A does the sum need?",
            "Let row r wait r cycles, and column c wait c cycles.",
        ],
        Goal::OutputsStay => [
            "Let the sums stay. A and B must then both move, in different directions.",
            "A sum needs a[m,k] and b[k,n] with the same k. Delays of 1 bring them together.",
        ],
        Goal::InputsStay => [
            "Let A stay. Each element of A then waits for the elements of B and for the sums.",
            "Let B move along the rows and the sums along the columns, with delays of 1.",
        ],
        Goal::NothingStays => [
            "Let all three matrices move. Two of them must move in one direction: both along the rows of PEs, or both along the columns.",
            "Let two matrices move in opposite directions, and the third across them.",
        ],
        Goal::FewestRegisters => [
            "A wire needs no registers in the PEs. Can all three matrices be on wires?",
            "Let the smallest matrix stay, and bring the other two on wires, without delays.",
        ],
        Goal::NoSkew => [
            "With delays of 0, all rows start together. Which move needs no time from PE to PE?",
            "Let one matrix stay, and bring the other two on wires: one along rows, the other along columns.",
        ],
    }
}

/// Returns how many of a goal's flows a person has found: "1 of 8". A goal without a fixed number of flows counts as
/// having one flow.
#[must_use]
pub fn progress(goal: Goal, n_found: u64) -> String {
    format!("{} of {}", grouped(n_found), grouped(goal.n_flows().unwrap_or(1)))
}

/// Returns the verdict on a goal: the run reaches the goal, or the reason why the run does not reach it yet.
#[must_use]
pub fn goal_verdict(goal: Goal, run: &FlowRun) -> String {
    let registers = run.registers() + run.skew_registers();
    let n = |registers: Elements| counted(registers.get(), "register");
    if run.n_wrong_sums() > 0 {
        return format!("Not yet: {}", wrong_sums(run));
    }
    if goal.is_reached(run) {
        return match goal {
            Goal::WeightsStay | Goal::OutputsStay | Goal::InputsStay => {
                let stays = match goal {
                    Goal::WeightsStay => "B stays",
                    Goal::OutputsStay => "the sums stay",
                    _ => "A stays",
                };
                format!("Reached: {stays}, and all sums are right.")
            }
            Goal::NothingStays => "Reached: nothing stays, and all sums are right.".to_owned(),
            Goal::FewestRegisters => format!("Reached: {}. No right flow has fewer.", n(registers)),
            Goal::NoSkew => "Reached: all rows and columns start together, without skew registers.".to_owned(),
        };
    }
    let but = match goal {
        Goal::WeightsStay => "B does not stay, or a matrix is on wires".to_owned(),
        Goal::OutputsStay => "the sums do not stay, or a matrix is on wires".to_owned(),
        Goal::InputsStay => "A does not stay, or a matrix is on wires".to_owned(),
        Goal::NothingStays => "a matrix stays or is on wires".to_owned(),
        Goal::FewestRegisters => {
            format!("the array has {}, and {} are enough", n(registers), grouped(Goal::registers_min(run.gemm()).get()))
        }
        Goal::NoSkew if run.n_wires() == 0 => "no matrix is on wires".to_owned(),
        Goal::NoSkew => format!("the array has {}", counted(run.skew_registers().get(), "skew register")),
    };
    format!("Not yet: all sums are right, but {but}.")
}

/// Explains why each PE is busy in at most every other cycle if nothing stays. `None` for a flow in which something
/// stays.
#[must_use]
pub fn why_every_other(flow: Flow) -> Option<String> {
    let moves = Flow::OPERANDS.map(|operand| (operand, flow.of(operand)));
    let pairs = [[0, 1], [0, 2], [1, 2]].map(|pair| pair.map(|nth| moves[nth]));
    let [(one, motion), (other, back)] = pairs.into_iter().find(|[(_, motion), (_, back)]| {
        motion.is_unit() && back.is_unit() && motion.step() == back.step().map(|part| -part)
    })?;
    moves.iter().all(|(_, motion)| motion.is_unit()).then_some(())?;
    let line = if motion.along() == Some(Along::Row) { "column" } else { "row" };
    let verb = |operand: Operand| if operand == Operand::C { "move" } else { "moves" };
    Some(format!(
        "{} {} {}, and {} {} {}. Two neighbors of the wave are therefore two {line}s apart, and each PE is busy in at most \
         every other cycle.",
        matrix(one),
        verb(one),
        motion.id(),
        matrix(other),
        verb(other),
        back.id()
    ))
}

/// Returns the length of the wires of all broadcasts, and why chips avoid them. `None` without a broadcast.
#[must_use]
pub fn wires(run: &FlowRun) -> Option<String> {
    if run.n_wires() == 0 {
        return None;
    }
    let n = run.n_wires();
    let verb = if n == 1 { "passes" } else { "pass" };
    Some(format!(
        "{} {verb} up to {} from PE to PE in one cycle, {} together. A long wire is slow and needs power, so chips prefer \
         registers from PE to PE.",
        counted(n, "wire"),
        counted(run.longest_wire_steps(), "step"),
        grouped(run.wire_steps())
    ))
}

/// Label at the edge where sums enter.
pub const SUMS_BEGIN: &str = "sums begin as 0";
/// Text in a PE with an element of A and no sum.
pub const NO_SUM: &str = "no sum here";

/// Returns the label of the skew registers of the rows or of the columns.
#[must_use]
pub fn delay(along: Along, delay: u8) -> String {
    let (line, letter, lines) = match along {
        Along::Row => ("row", 'r', "rows"),
        Along::Col => ("column", 'c', "columns"),
    };
    match delay {
        0 => format!("all {lines} start together"),
        1 => format!("{line} {letter} waits {letter} cycles"),
        n => format!("{line} {letter} waits {n} × {letter} cycles"),
    }
}

/// Name of the meetings of right pairs on the timeline.
pub const RIGHT_MEETINGS: &str = "right meetings";
/// Name of the meetings of wrong pairs on the timeline.
pub const WRONG_MEETINGS: &str = "wrong meetings";

/// Question above the choices.
pub const ASKED: &str = "4 × 4 times 4 × 4. For each matrix: does it stay, or move, and how long does it wait?";
/// Label of the choice of the delay of rows.
pub const ROWS: &str = "Row r waits";
/// Label of the choice of the delay of columns.
pub const COLS: &str = "Column c waits";
/// Heading of the formulas.
pub const WHERE_AND_WHEN: &str = "Where and when";
/// Heading of the goals.
pub const GOALS: &str = "Goals";
/// Caption of the matrix of sums.
pub const C: &str = "C as your array computes it";
/// Label of the button that shows the first fault.
pub const TO_FAULT: &str = "Go to the first fault";
/// Label of the button that restores the initial flow.
pub const AGAIN: &str = "Start again";
/// Label of the button that stops playback.
pub const PAUSE: &str = "Pause";

/// Returns the label of the choice of a matrix's move.
#[must_use]
pub const fn heading(operand: Operand) -> &'static str {
    match operand {
        Operand::A => "A: a[m,k]",
        Operand::B => "B: b[k,n]",
        Operand::C => "Sums: c[m,n]",
    }
}

/// Returns the name of a move of a matrix.
#[must_use]
pub const fn motion(operand: Operand, motion: Move) -> &'static str {
    match (motion, operand) {
        (Move::Stays, Operand::C) => "stay",
        (Move::Stays, _) => "stays",
        (Move::East, _) => "→ east",
        (Move::South, _) => "↓ south",
        (Move::West, _) => "← west",
        (Move::North, _) => "↑ north",
        (Move::AlongRow, Operand::C) => "added on a wire along a row",
        (Move::AlongRow, _) => "on a wire along a row",
        (Move::AlongCol, Operand::C) => "added on a wire along a column",
        (Move::AlongCol, _) => "on a wire along a column",
    }
}

/// Returns the name of a delay: "1 × r cycles".
#[must_use]
pub fn wait(along: Along, delay: u8) -> String {
    let letter = if along == Along::Row { 'r' } else { 'c' };
    if delay == 0 { "0 cycles".to_owned() } else { format!("{delay} × {letter} cycles") }
}

/// Returns the cycle and the last cycle.
#[must_use]
pub fn clock(run: &FlowRun, cycle: u64) -> String {
    let loads = if run.loading().get() > 0 { ", after loading" } else { "" };
    format!("cycle {} of {}{loads}", grouped(cycle), grouped(run.n_cycles().saturating_sub(1)))
}

/// Returns the label of the button that uses the dataflow in the run.
#[must_use]
pub fn keep(dataflow: Dataflow) -> String {
    format!("Use it: {}", label::dataflow(dataflow))
}

/// Returns MFU, cycles and registers of a flow.
#[must_use]
pub fn figures(run: &FlowRun, drain: Drain) -> String {
    let registers = format!(
        "{} in PEs, {} for skew",
        counted(run.registers().get(), "register"),
        grouped(run.skew_registers().get())
    );
    if run.n_wrong_sums() > 0 {
        return format!("{NO_MFU} {registers}.");
    }
    let cycles = counted(run.total_cycles(drain).get(), "cycle");
    format!("MFU {} % in {cycles}, on {}. {registers}.", percent(run.mfu(drain)), counted(run.array().pes(), "PE"))
}
