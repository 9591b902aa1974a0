//! Computes all that the cards say about the array a second time, as a person would with a pencil and squared paper.
//! This code uses none of the core's formulas, so a card with a wrong formula disagrees. `cargo xtask changed` changes
//! formulas and checks that such a card is found.

use std::collections::HashMap;
use std::rc::Rc;

use lesson::course::Set;
use lesson::{Expression, Known, Measure, Scene, evaluate::plan_with};
use studio::{Field, Plan};
use systolic::{Axis, Cycle, Dataflow, Operand, PeId, Slot};

use crate::cards;

/// Largest number of PE-cycles of a run that is computed here. [`WRITTEN_MAX`] limits the runs whose products are
/// listed.
const CELLS_MAX: u64 = 1_000_000;
const WRITTEN_MAX: u64 = 200_000;

type Mkn = (u64, u64, u64);
type Pe = (u64, u64);

/// Number of PEs in each state at a cycle.
#[derive(Clone, Copy, Default)]
struct Row {
    busy: u64,
    waiting: u64,
    passed: u64,
    unused: u64,
}

/// A run on paper, one fold after the other.
#[derive(Default)]
struct Paper {
    rows: Vec<Row>,
    slots: [u64; 6],
    folds: u64,
    load: u64,
    starts: Vec<u64>,
    products: HashMap<Mkn, (u64, Pe)>,
    /// Value and number of terms of each sum, by cycle and PE.
    sums: HashMap<(u64, Pe), (f64, u64)>,
    busy: HashMap<(u64, Pe), Mkn>,
    all_busy: Option<u64>,
    reads: [u64; 2],
    writes: u64,
    elements_of_c: u64,
}

/// Sizes along the rows, the columns and time, with and without padding.
struct Sides {
    of: [Axis; 3],
    run: [u64; 3],
    real: [u64; 3],
}

fn sides(plan: &Plan) -> Sides {
    let scenario = plan.scenario();
    let size = |field| scenario.text(field).parse::<u64>().expect("a size");
    let (rows, cols) = (size(Field::Rows), size(Field::Cols));
    let of = match plan.schedule().dataflow() {
        Dataflow::WeightStationary => [Axis::K, Axis::N, Axis::M],
        Dataflow::InputStationary => [Axis::K, Axis::M, Axis::N],
        Dataflow::OutputStationary => [Axis::M, Axis::N, Axis::K],
    };
    let real = of.map(|axis| match axis {
        Axis::M => size(Field::M),
        Axis::K => size(Field::K),
        Axis::N => size(Field::N),
    });
    let mut run = real;
    match scenario.text(Field::Padding).as_str() {
        "zero" => run = [run[0].div_ceil(rows) * rows, run[1].div_ceil(cols) * cols, run[2]],
        "m" => {
            let multiple = size(Field::Multiple);
            for (size, axis) in run.iter_mut().zip(of).filter(|(_, axis)| *axis == Axis::M) {
                assert_eq!(axis, Axis::M);
                *size = size.div_ceil(multiple) * multiple;
            }
        }
        _ => {}
    }
    Sides { of, run, real }
}

impl Sides {
    fn elements_of_c(&self) -> u64 {
        match self.of {
            [Axis::M, Axis::N, _] => self.run[0] * self.run[1],
            _ => self.run[1] * self.run[2],
        }
    }

    fn mkn(&self, at: [u64; 3]) -> Mkn {
        let of = |axis| self.of.iter().zip(at).find(|(of, _)| **of == axis).map_or(0, |(_, at)| at);
        (of(Axis::M), of(Axis::K), of(Axis::N))
    }
}

/// True if folds do not overlap, weights load row by row, and sums are read in place.
fn is_usual(plan: &Plan) -> bool {
    let usual = ["none", "usual", "in-place"];
    [Field::Overlap, Field::Load, Field::Drain].map(|field| plan.scenario().text(field)) == usual
}

/// Moves each number to the next column. `comes` returns the number that enters a row.
fn shift_east(east: &mut [Option<u64>], cols: u64, comes: impl Fn(u64) -> Option<u64>) {
    let width = usize::try_from(cols).expect("small");
    for (line, row) in east.chunks_mut(width).zip(0..) {
        line.rotate_right(1);
        line[0] = comes(row);
    }
}

impl Paper {
    /// Computes a run. Returns `None` if folds overlap or the run is too long.
    fn of(plan: &Plan) -> Option<Self> {
        let schedule = plan.schedule();
        if !is_usual(plan) || schedule.pe_cycles().get() > CELLS_MAX {
            return None;
        }
        let sides = sides(plan);
        let (rows, cols) = (u64::from(schedule.array().rows()), u64::from(schedule.array().cols()));
        let stays = schedule.dataflow() != Dataflow::OutputStationary;
        let is_written = schedule.pe_cycles().get() <= WRITTEN_MAX;
        let (row_folds, col_folds) = (sides.run[0].div_ceil(rows), sides.run[1].div_ceil(cols));
        let mut paper = Self { folds: row_folds * col_folds, load: if stays { rows } else { 0 }, ..Self::default() };
        paper.elements_of_c = sides.elements_of_c();
        let element = |operand, row, col| plan.prober().element(operand, row, col).value.as_f64();
        for (col_fold, row_fold) in (0..col_folds).flat_map(|col| (0..row_folds).map(move |row| (col, row))) {
            let origin = (row_fold * rows, col_fold * cols);
            let used = (rows.min(sides.run[0] - origin.0), cols.min(sides.run[1] - origin.1));
            let is_used = |(row, col): Pe| row < used.0 && col < used.1;
            let begin = paper.rows.len() as u64;
            paper.starts.push(begin);
            let cells: Vec<Pe> = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))).collect();
            let n_used = used.0 * used.1;
            let idle = Row { unused: rows * cols - n_used, ..Row::default() };
            // A PE that only ever multiplies zeros of padding is padding from the start.
            let n_real = [0, 1].map(|side| {
                let (used, origin) = ([used.0, used.1][side], [origin.0, origin.1][side]);
                used.min(sides.real[side].saturating_sub(origin))
            });
            paper.load_fold(idle, rows * cols, n_real[0] * n_real[1]);
            paper.reads[0] += used.0 * sides.run[2];
            paper.reads[1] += used.1 * if stays { used.0 } else { sides.run[2] };
            paper.writes += used.1 * if stays { sides.run[2] } else { used.0 };
            // This has the number of the vector that each cell passes east. At the edge, row r waits r cycles.
            let mut east: Vec<Option<u64>> = vec![None; cells.len()];
            let mut sums: Vec<Option<(f64, u64)>> = vec![None; cells.len()];
            for step in 0u64.. {
                let at = |(row, col): Pe| usize::try_from(row * cols + col).expect("small");
                shift_east(&mut east, cols, |row| step.checked_sub(row).filter(|vector| *vector < sides.run[2]));
                let cycle = paper.rows.len() as u64;
                let mut now = idle;
                for &pe in cells.iter().rev() {
                    let has_real = origin.0 + pe.0 < sides.real[0] && origin.1 + pe.1 < sides.real[1];
                    let comes = east[at(pe)];
                    let above = pe.0.checked_sub(1).and_then(|row| sums[at((row, pe.1))]);
                    if !is_used(pe) {
                        sums[at(pe)] = if stays && comes.is_some() { above } else { None };
                        continue;
                    }
                    let Some(vector) = comes else {
                        let is_before = step < pe.0 + pe.1;
                        *(if is_before { &mut now.waiting } else { &mut now.passed }) += 1;
                        let slot = if is_before { Slot::Fill } else { Slot::Drain };
                        paper.slots[if has_real { slot } else { Slot::Padding } as usize] += 1;
                        if stays {
                            sums[at(pe)] = None;
                        }
                        continue;
                    };
                    let place = [origin.0 + pe.0, origin.1 + pe.1, vector];
                    let is_real = place.iter().zip(sides.real).all(|(place, real)| *place < real);
                    paper.slots[if is_real { Slot::Useful } else { Slot::Padding } as usize] += 1;
                    now.busy += u64::from(is_real);
                    let mkn = sides.mkn(place);
                    if is_written {
                        let product = if is_real {
                            element(Operand::A, mkn.0, mkn.1) * element(Operand::B, mkn.1, mkn.2)
                        } else {
                            0.0
                        };
                        let (sum, terms) = if stays { above } else { sums[at(pe)] }.unwrap_or((0.0, 0));
                        sums[at(pe)] = Some((sum + product, terms + u64::from(is_real)));
                        if is_real {
                            paper.products.insert(mkn, (cycle, pe));
                            paper.busy.insert((cycle, pe), mkn);
                        }
                    }
                }
                paper.slots[Slot::Padding as usize] += now.unused;
                if now.busy == n_used && paper.all_busy.is_none() {
                    paper.all_busy = Some(cycle);
                }
                for &pe in &cells {
                    if let Some(sum) = sums[at(pe)].filter(|_| is_written) {
                        paper.sums.insert((cycle, pe), sum);
                    }
                }
                paper.rows.push(now);
                if east[at((rows - 1, cols - 1))] == Some(sides.run[2] - 1) {
                    break;
                }
            }
        }
        Some(paper)
    }

    /// Returns the cycles in which a fold loads.
    fn load_fold(&mut self, idle: Row, pes: u64, n_real: u64) {
        for _ in 0..self.load {
            self.rows.push(idle);
            self.slots[Slot::Load as usize] += n_real;
            self.slots[Slot::Padding as usize] += pes - n_real;
        }
    }

    fn cycles(&self) -> u64 {
        self.rows.len() as u64
    }

    fn share(&self, slot: Slot) -> f64 {
        number(self.slots[slot as usize]) / number(self.slots.iter().sum())
    }

    fn first(&self) -> Option<u64> {
        self.products.values().map(|(cycle, _)| *cycle).min()
    }

    /// Returns the value of a measure. Returns `None` if the measure is not about the array, or if its value is not
    /// recorded.
    fn value(&self, measure: Measure, of: &[u64], slot: Option<Slot>, cycle: u64) -> Option<f64> {
        let row = || self.rows.get(usize::try_from(cycle).expect("small")).copied();
        let sum = || self.sums.get(&(cycle, (of[0], of[1]))).copied();
        let count = |count: u64| Some(number(count));
        match (measure, of) {
            (Measure::Cycles, _) => count(self.cycles()),
            (Measure::Last, _) => count(self.cycles() - 1),
            (Measure::Folds, _) => count(self.folds),
            (Measure::LoadCycles, _) => count(self.load),
            (Measure::Period, _) => count(self.cycles() / self.folds),
            (Measure::Macs, _) => count(self.slots[Slot::Useful as usize]),
            (Measure::Slots, _) => {
                count(slot.map_or_else(|| self.slots.iter().sum(), |slot| self.slots[slot as usize]))
            }
            (Measure::Share, _) => slot.map(|slot| self.share(slot)),
            (Measure::Utilization, _) => Some(self.share(Slot::Useful)),
            (Measure::Busy, []) => count(row()?.busy),
            (Measure::Busy, &[row, col]) => count(u64::from(self.busy.contains_key(&(cycle, (row, col))))),
            (Measure::Waiting, _) => count(row()?.waiting),
            (Measure::Passed, _) => count(row()?.passed),
            (Measure::Unused, _) => count(row()?.unused),
            (Measure::MostBusy, _) => self.rows.iter().map(|row| number(row.busy)).reduce(f64::max),
            (Measure::Sum, _) => Some(sum()?.0),
            (Measure::Terms, _) => count(sum().map_or(0, |sum| sum.1)),
            (Measure::Meet, &[m, k, n]) => count(self.products.get(&(m, k, n))?.0),
            (Measure::Makes, &[row, col, m, k, n]) => count(u64::from(self.products.get(&(m, k, n))?.1 == (row, col))),
            (Measure::FirstMultiply, _) => count(self.first()?),
            (Measure::LastMultiply, _) => self.products.values().map(|(cycle, _)| number(*cycle)).reduce(f64::max),
            (Measure::AllBusy, _) => count(self.all_busy?),
            (Measure::Known(Known::Start), &[fold]) => count(*self.starts.get(usize::try_from(fold).ok()?)?),
            (Measure::Known(Known::First), &[.., row, col]) => {
                let fold = if of.len() == 3 { of[0] } else { 0 };
                let begin = *self.starts.get(usize::try_from(fold).ok()?)?;
                self.busy
                    .keys()
                    .filter(|(at, pe)| *at >= begin && *pe == (row, col))
                    .map(|(at, _)| number(*at))
                    .reduce(f64::min)
            }
            (Measure::Known(Known::SumsAgain), _) => count(self.writes - self.elements_of_c),
            (Measure::Known(Known::WritesC), _) => count(self.writes),
            _ => None,
        }
    }

    /// Returns the number of elements of A or B that enter the array.
    fn reads(&self, plan: &Plan, of: Known) -> Option<f64> {
        let is_a = match of {
            Known::ReadsA => true,
            Known::ReadsB => false,
            _ => return None,
        };
        let a_from_west = plan.schedule().dataflow() != Dataflow::InputStationary;
        Some(number(self.reads[usize::from(is_a != a_from_west)]))
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of small runs")]
const fn number(count: u64) -> f64 {
    count as f64
}

/// Runs that were computed.
#[derive(Default)]
pub(crate) struct Papers(Vec<(Plan, Option<Rc<Paper>>)>);

impl Papers {
    fn of(&mut self, plan: &Plan) -> Option<Rc<Paper>> {
        if let Some((_, paper)) = self.0.iter().find(|(other, _)| other == plan) {
            return paper.clone();
        }
        let paper = Paper::of(plan).map(Rc::new);
        self.0.push((plan.clone(), paper.clone()));
        paper
    }
}

/// Measure of a card, with the value of the core and the value on paper.
pub(crate) struct Compared {
    pub(crate) what: String,
    pub(crate) core: Option<f64>,
    pub(crate) paper: f64,
}

/// Compares every measure in an expression.
pub(crate) fn compare(expression: &Expression, scene: &Scene<'_>, papers: &mut Papers, all: &mut Vec<Compared>) {
    match expression {
        Expression::Two(_, left, right) => {
            compare(left, scene, papers, all);
            compare(right, scene, papers, all);
        }
        Expression::Negative(one) | Expression::Ceil(one) | Expression::Percent(one) | Expression::Usd(one) => {
            compare(one, scene, papers, all);
        }
        Expression::Number(_) | Expression::Class(_) => {}
        Expression::Measure { measure, of, at, with } => {
            of.iter().chain(at.as_deref()).for_each(|one| compare(one, scene, papers, all));
            let whole = |one: &Expression| one.value(scene).ok().map(|value| whole(value.number));
            let slot = match of.first() {
                Some(Expression::Class(slot)) => Some(*slot),
                _ => None,
            };
            let numbers: Option<Vec<u64>> =
                if slot.is_some() { Some(Vec::new()) } else { of.iter().map(whole).collect() };
            let cycle = at.as_deref().map_or(Some(scene.cycle.get()), whole);
            let Ok(plan) = plan_with(&scene.plan, with) else { return };
            let (Some(numbers), Some(cycle), Some(paper)) = (numbers, cycle, papers.of(&plan)) else { return };
            let by_hand = match measure {
                Measure::Known(known @ (Known::ReadsA | Known::ReadsB)) => paper.reads(&plan, *known),
                _ => paper.value(*measure, &numbers, slot, cycle),
            };
            if let Some(paper) = by_hand {
                let core = expression.value(scene).ok().map(|value| value.number);
                let what = format!("{measure:?} {numbers:?} {slot:?} at {cycle} with {with:?}");
                all.push(Compared { what, core, paper });
            }
        }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "numbers of rows, cycles and the like")]
const fn whole(number: f64) -> u64 {
    number as u64
}

#[test]
fn what_the_cards_say_of_the_array_is_what_comes_out_on_squared_paper() {
    let (mut papers, mut n_compared, mut n_cards) = (Papers::default(), 0, 0);
    let mut wrong = Vec::new();
    let (read, mistaken): (Vec<_>, Vec<_>) = Set::ALL.into_iter().flat_map(cards::one_by_one).partition(Result::is_ok);
    // If a formula is changed, a goal may be met from the start, or a solution may fail. Then `one_by_one` returns an
    // error for this card.
    wrong.extend(mistaken.into_iter().filter_map(Result::err).map(|mistake| format!("card {mistake} disagrees")));
    for (place, card) in read.into_iter().flatten() {
        let mut compared = Vec::new();
        for expression in cards::expressions(&card) {
            compare(expression, &card.scene(), &mut papers, &mut compared);
        }
        n_compared += compared.len();
        n_cards += usize::from(!compared.is_empty());
        for Compared { what, core, paper } in compared {
            let is_same = core.is_some_and(|core| (core - paper).abs() <= 1e-12 * paper.abs());
            if !is_same {
                wrong.push(format!("card {place} disagrees: {what}: the core says {core:?}, paper {paper}"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(n_cards >= 45 && n_compared >= 160, "only {n_compared} numbers of {n_cards} cards are compared");
}

#[test]
fn the_example_that_everybody_learns_comes_out_on_paper() {
    let plan = Plan::new(&studio::Link::parse("?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8", "").scenario).expect("a run");
    let paper = Paper::of(&plan).expect("it is short");
    // SCALE-Sim publishes this formula: 2R + C + T − 2.
    assert_eq!(paper.cycles(), 2 * 4 + 4 + 6 - 2);
    assert_eq!(paper.slots, [72, 64, 48, 30, 42, 0]);
    assert_eq!(paper.slots.iter().sum::<u64>(), 256);
    assert_eq!(paper.products.get(&(0, 0, 0)), Some(&(4, (0, 0))));
    assert_eq!(plan.schedule().slot(Cycle(4), PeId::new(0, 0)), Slot::Useful);
}
