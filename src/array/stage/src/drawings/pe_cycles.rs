//! One square per PE-cycle, colored by its class: a row for each PE, a column for each cycle. Future cycles are empty.
//! Large arrays have bands instead: in each column, a band is as high as the share of PEs in its class.
//!
//! While a lesson card asks a question, the legend has no counts. After the answer, a card that changes settings has both
//! runs, one above the other: equal areas are equal numbers of PE-cycles.

use display::Tone;
use display::picture::{Anchor, Mark, Outline, Picture, Rect, Stroke, between, px};
use studio::Plan;
use systolic::{Cycle, PeId, Slot};
use words::drawing;

use super::n_arrays;
use crate::cells::text_width;
use crate::{Frame, class};

/// Largest array with a row for each PE. In a larger array, PEs of a class are a band.
const PES_MAX: u64 = 1024;
/// Largest number of columns of squares. In a longer run, a square is several cycles.
const COLS_MAX: u64 = 320;
/// Size of the text.
const TEXT: f32 = 12.0;
/// Width of the names of the rows, and height of the lines above and below the squares.
const MARGIN: (f32, f32) = (64.0, 30.0);
/// Largest ratio between width and height of a square. The squares fill the view, unless the ratio would become larger.
/// Bands always fill the view.
const FLAT_MAX: f32 = 4.0;
/// Smallest square with a gap to the next square.
const WITH_GAP: f32 = 5.0;
/// Heights of the lines above, between and below the squares of two runs, and smallest height of a view with two runs.
const AROUND_TWO: [f32; 3] = [50.0, 46.0, 32.0];
const TWO_MIN: f32 = 260.0;

/// The squares of a run, or of several equal arrays that run at the same time: their place, size and numbers.
struct Grid<'a> {
    plan: &'a Plan,
    place: Rect,
    step: (f32, f32),
    /// Number of rows of squares in all, and in one array.
    rows: u64,
    rows_of_one: u64,
    cols: u64,
    /// True if a row is one PE; otherwise an array has one row, with a band for each class.
    is_by_pe: bool,
    /// Cycles per square.
    period: u64,
}

impl<'a> Grid<'a> {
    /// Places one run in the view.
    fn new(plan: &'a Plan, width: f32, height: f32) -> Self {
        let room = Rect::new(MARGIN.0, MARGIN.1, width_of(width), (height - 2.0 * MARGIN.1 - 8.0).max(8.0));
        let mut grid = Self::filling(plan, 1, room, plan.schedule().cycles().get());
        if !grid.is_by_pe {
            return grid;
        }
        let (step, n) = (grid.step, (px(grid.cols), px(grid.rows)));
        grid.step = (step.0.min(step.1 * FLAT_MAX), step.1.min(step.0 * FLAT_MAX));
        let size = (grid.step.0 * n.0, grid.step.1 * n.1);
        let x = room.x + (room.w - size.0) / 2.0;
        grid.place = Rect::new(x, room.y + (room.h - size.1) / 2.0, size.0, size.1);
        grid
    }

    /// Places the earlier run above this run. The height of a run is proportional to its number of PEs, and its width
    /// to its number of cycles.
    fn pair(before: &'a Plan, plan: &'a Plan, width: f32, height: f32) -> [Self; 2] {
        let runs = [(before, 1), (plan, n_arrays(before, plan))];
        let cycles = runs.map(|(plan, _)| plan.schedule().cycles().get()).into_iter().max().unwrap_or(1);
        let pes = runs.map(|(plan, n)| px(n * plan.schedule().array().pes()));
        let room = height - AROUND_TWO.iter().sum::<f32>();
        let each = pes.map(|pes_of| room * pes_of / (pes[0] + pes[1]));
        let tops = [AROUND_TWO[0], AROUND_TWO[0] + each[0] + AROUND_TWO[1]];
        [0, 1].map(|nth| {
            let (plan, n) = runs[nth];
            Self::filling(plan, n, Rect::new(MARGIN.0, tops[nth], width_of(width), each[nth]), cycles)
        })
    }

    /// Fills a room with the squares of equal arrays, on an axis with this number of cycles.
    fn filling(plan: &'a Plan, n_arrays: u64, room: Rect, cycles: u64) -> Self {
        let schedule = plan.schedule();
        let array = schedule.array();
        let is_by_pe = array.pes() <= PES_MAX;
        let rows_of_one = if is_by_pe { array.pes() } else { 1 };
        let rows = n_arrays * rows_of_one;
        let period = cycles.div_ceil(COLS_MAX).max(1);
        let cols = schedule.cycles().get().div_ceil(period);
        let step = (room.w / px(cycles.div_ceil(period)), room.h / px(rows));
        let place = Rect { w: step.0 * px(cols), ..room };
        Self { plan, place, step, rows, rows_of_one, cols, is_by_pe, period }
    }

    /// Returns the class of a square: the class of its PE in its cycle.
    fn class(&self, row: u64, col: u64) -> Slot {
        let schedule = self.plan.schedule();
        let cycle = Cycle((col * self.period + self.period / 2).min(self.plan.last().get()));
        let at = |row: u64| u32::try_from(row).unwrap_or(u32::MAX);
        let across = u64::from(schedule.array().cols());
        schedule.slot(cycle, PeId::new(at(row / across), at(row % across)))
    }

    /// Returns the PE-cycles of a column in each class, with their share of all PE-cycles of the column.
    fn shares(&self, col: u64) -> [(Slot, f32); Slot::ALL.len()] {
        let schedule = self.plan.schedule();
        let until = |end: u64| end.checked_sub(1).map(|last| schedule.tally_until(Cycle(last)));
        let (from, to) = (col * self.period, ((col + 1) * self.period).min(schedule.cycles().get()));
        let (before, after) = (until(from), until(to));
        let all = px(schedule.array().pes()) * px(to - from);
        Slot::ALL.map(|slot| {
            let [before, after] = [before, after].map(|tally| tally.map_or(0, |tally| tally.get(slot).get()));
            (slot, px(after - before) / all)
        })
    }

    /// Returns the first row of each array.
    fn first_rows(&self) -> impl Iterator<Item = u64> + use<> {
        let rows_of_one = self.rows_of_one;
        (0..self.rows / rows_of_one).map(move |nth| nth * rows_of_one)
    }

    /// True if a square is large enough for a gap to the next square.
    fn has_gap(&self) -> bool {
        self.step.0.min(self.step.1) >= WITH_GAP
    }

    fn rect(&self, row: u64, cols: core::ops::Range<u64>, gap: f32) -> Rect {
        let x = self.place.x + px(cols.start) * self.step.0;
        let w = px(cols.end - cols.start) * self.step.0 - gap;
        Rect::new(x, self.place.y + px(row) * self.step.1, w.max(0.5), (self.step.1 - gap).max(0.5))
    }
}

/// Draws one square of a class, or several equal squares as one.
fn square(picture: &mut Picture, rect: Rect, slot: Slot, edge: f32) {
    let tone = class::tone_of(slot);
    if slot == Slot::Padding {
        picture.shape(rect, Outline::Box(0), Tone::Ground, Stroke::solid(tone, edge));
        picture.marks.push(Mark::Hatch { rect, tone: Tone::Faint, rising: true });
    } else {
        picture.shape(rect, Outline::Box(0), tone, Stroke::solid(tone, edge));
    }
}

/// Returns the width of the room for squares in a view.
fn width_of(width: f32) -> f32 {
    (width - MARGIN.0 - 16.0).max(8.0)
}

/// Draws the PE-cycles of a run up to a clock edge. If there is an earlier run, its PE-cycles are above.
pub(super) fn draw(frame: &Frame<'_>, width: f32, height: f32, picture: &mut Picture) {
    let grid = match frame.before.filter(|_| height >= TWO_MIN) {
        Some(before) => {
            let [first, second] = Grid::pair(before, frame.plan, width, height);
            axes(&first, 10.0, width, picture);
            squares(&first, before.last(), picture);
            names(&first, picture);
            for (grid, other, name) in [(&first, &second, drawing::BEFORE), (&second, &first, drawing::NOW)] {
                let run = drawing::run(grid.plan, other.plan, grid.rows / grid.rows_of_one);
                picture.bold(
                    (grid.place.x, grid.place.y - 26.0),
                    format!("{name}: {run}"),
                    TEXT,
                    Anchor::Start,
                    Tone::Ink,
                );
            }
            second
        }
        None => {
            let grid = Grid::new(frame.plan, width, height);
            axes(&grid, grid.place.y - 24.0, width, picture);
            grid
        }
    };
    squares(&grid, frame.cycle, picture);
    let gap = if grid.has_gap() { 1.0 } else { 0.0 };
    let now = frame.cycle.get() / grid.period;
    let column = Rect { y: grid.place.y - 1.0, h: grid.place.h + 2.0, ..grid.rect(0, now..now + 1, gap) };
    picture.shape(column, Outline::Box(0), Tone::Clear, Stroke::solid(Tone::Ink, 1.5));
    names(&grid, picture);
    legend(frame, &grid, width, height, picture);
}

/// Draws the squares of a run up to a clock edge, and a line between two arrays.
fn squares(grid: &Grid<'_>, cycle: Cycle, picture: &mut Picture) {
    let has_gap = grid.has_gap();
    let gap = if has_gap { 1.0 } else { 0.0 };
    let now = cycle.get() / grid.period;
    let class_of = |row: u64, col: u64| (col <= now).then(|| grid.class(row, col));
    picture.shape(grid.place, Outline::Box(0), Tone::Ground, Stroke::solid(Tone::Faint, 1.0));
    if !grid.is_by_pe {
        bands(grid, now, picture);
    }
    for row in 0..if grid.is_by_pe { grid.rows_of_one } else { 0 } {
        let mut from = 0;
        while from < grid.cols {
            let slot = class_of(row, from);
            let mut to = from + 1;
            // Equal squares without a gap are drawn as one.
            while !has_gap && to < grid.cols && slot == class_of(row, to) {
                to += 1;
            }
            for first in grid.first_rows() {
                let rect = grid.rect(first + row, from..to, gap);
                match slot {
                    Some(slot) => square(picture, rect, slot, if has_gap { 0.5 } else { 0.0 }),
                    None if has_gap => {
                        picture.shape(rect, Outline::Box(0), Tone::Ground, Stroke::solid(Tone::Ghost, 0.5));
                    }
                    None => {}
                }
            }
            from = to;
        }
    }
    for row in grid.first_rows().skip(1) {
        let y = grid.place.y + px(row) * grid.step.1;
        picture.line((grid.place.x, y), (grid.place.x + grid.place.w, y), Stroke::solid(Tone::Ink, 1.5));
    }
}

/// Draws the bands of a large array up to a column. Useful PE-cycles are at the bottom.
fn bands(grid: &Grid<'_>, now: u64, picture: &mut Picture) {
    let mut from = 0;
    let last = now.min(grid.cols.saturating_sub(1));
    while from <= last {
        let shares = grid.shares(from);
        let mut to = from + 1;
        // Equal columns are drawn as one.
        while to <= last && grid.shares(to) == shares {
            to += 1;
        }
        for first in grid.first_rows() {
            let column = grid.rect(first, from..to, 0.0);
            let mut bottom = column.y + column.h;
            for (slot, share) in shares.into_iter().filter(|(_, share)| *share > 0.0) {
                let h = share * column.h;
                bottom -= h;
                square(picture, Rect { y: bottom, h, ..column }, slot, 0.0);
            }
        }
        from = to;
    }
}

/// Draws the names of rows and columns, as many as have space.
fn names(grid: &Grid<'_>, picture: &mut Picture) {
    let across = u64::from(grid.plan.schedule().array().cols());
    let every = |room: f32, step: f32| 1.max(px_to_u64((room / step).ceil()));
    let last = display::number::grouped((grid.cols - 1) * grid.period);
    let wide = text_width(&last, 11.0) + 18.0;
    let (by_row, by_col) = (every(20.0, grid.step.1), every(wide.max(36.0), grid.step.0));
    // Each row of the array begins a new group of squares.
    let by_row = if grid.is_by_pe && by_row > 1 { by_row.div_ceil(across) * across } else { by_row };
    let of_one = || (0..grid.rows_of_one).filter(|row| grid.is_by_pe && row % by_row == 0);
    for (first, of_one) in grid.first_rows().flat_map(|first| of_one().map(move |row| (first, row))) {
        let at = |row: u64| u32::try_from(row).unwrap_or(u32::MAX);
        let name = words::caption::pe_name(PeId::new(at(of_one / across), at(of_one % across)));
        let (top, middle) = (grid.rect(first, 0..1, 0.0).y, grid.rect(first + of_one, 0..1, 0.0).center().1);
        let y = between(middle, top + 6.0, grid.place.y + grid.place.h);
        picture.text((grid.place.x - 6.0, y), name, 11.0, Anchor::End, Tone::Quiet);
    }
    let by_cycle = round_from(by_col * grid.period);
    for cycle in (0..=grid.plan.last().get() / by_cycle).map(|nth| nth * by_cycle) {
        let x = grid.place.x + (px(cycle) + 0.5) / px(grid.period) * grid.step.0;
        let name = display::number::grouped(cycle);
        picture.text((x, grid.place.y - 10.0), name, 11.0, Anchor::Middle, Tone::Quiet);
    }
}

/// Returns the smallest round number that is at least `n`: 1, 2 or 5, with or without zeros.
fn round_from(n: u64) -> u64 {
    let zeros = 10_u64.pow(n.max(1).ilog10());
    [1, 2, 5].map(|digit| zeros.saturating_mul(digit)).into_iter().find(|round| *round >= n).unwrap_or(zeros * 10)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few squares")]
const fn px_to_u64(length: f32) -> u64 {
    length as u64
}

/// Draws a sample of each class with its number of PE-cycles so far. A card that asks sees only the names.
fn legend(frame: &Frame<'_>, grid: &Grid<'_>, width: f32, height: f32, picture: &mut Picture) {
    let so_far = frame.plan.schedule().tally_until(frame.cycle);
    let y = (grid.place.y + grid.place.h + 20.0).min(height - 10.0);
    let left = (grid.place.x - 52.0).max(12.0);
    let mut x = left;
    for slot in Slot::ALL {
        let n = so_far.get(slot).get();
        let n_arrays = grid.rows / grid.rows_of_one;
        let text =
            if frame.filter.judges() { drawing::class(slot, n, n_arrays) } else { words::busy::class(slot).to_owned() };
        let wide = 18.0 + text_width(&text, TEXT);
        if n == 0 || x + wide > width {
            continue;
        }
        square(picture, Rect::new(x, y - 6.0, 12.0, 12.0), slot, 0.5);
        picture.text((x + 18.0, y), text, TEXT, Anchor::Start, Tone::Ink);
        x += wide + 12.0;
    }
}

/// Writes at height `y` what the rows and the columns stand for, if there is space.
fn axes(grid: &Grid<'_>, y: f32, width: f32, picture: &mut Picture) {
    let axes = drawing::pe_cycles_axes(grid.is_by_pe);
    let left = (grid.place.x - 52.0).max(12.0);
    if left + text_width(axes, 11.0) <= width && grid.place.y >= 26.0 {
        picture.text((left, y.max(8.0)), axes, 11.0, Anchor::Start, Tone::Quiet);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::{Link, Plan};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// Draws a run at a cycle, and counts the squares with a tone inside the grid.
    fn squares(query: &str, cycle: u64, slot: Slot) -> (Plan, usize) {
        let plan = Plan::new(&Link::parse(query, "").scenario).expect("a run");
        let frame = Frame::new(&plan, Cycle(cycle));
        let mut picture = Picture::default();
        draw(&frame, 900.0, 560.0, &mut picture);
        let place = Grid::new(&plan, 900.0, 560.0).place;
        let bottom = place.y + place.h;
        let is_square = |mark: &&Mark| match mark {
            Mark::Shape { rect, fill, .. } => *fill == class::tone_of(slot) && rect.y < bottom && rect.h < place.h,
            Mark::Hatch { rect, .. } => slot == Slot::Padding && rect.y < bottom,
            _ => false,
        };
        (plan.clone(), picture.marks.iter().filter(is_square).count())
    }

    #[test]
    fn a_run_has_a_square_for_each_of_its_pe_cycles_in_the_class_of_the_schedule() {
        for query in ["rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8", "rows=4&cols=4&m=6&k=4&n=3&df=os&dt=int8"] {
            for slot in [Slot::Useful, Slot::Padding, Slot::Load, Slot::Fill, Slot::Drain] {
                for cycle in [0, 5, 9, u64::MAX] {
                    let plan = Plan::new(&Link::parse(query, "").scenario).expect("a run");
                    let cycle = cycle.min(plan.last().get());
                    let (plan, n) = squares(query, cycle, slot);
                    // This counts from the schedule, PE by PE and cycle by cycle.
                    let array = plan.schedule().array();
                    let counted = (0..=cycle)
                        .flat_map(|cycle| array.iter().map(move |pe| (cycle, pe)))
                        .filter(|&(cycle, pe)| plan.schedule().slot(Cycle(cycle), pe) == slot)
                        .count();
                    assert_eq!(n, counted, "{query} {slot:?} {cycle}");
                }
            }
        }
        assert_eq!(squares("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8", 15, Slot::Useful).1, 72);
    }

    #[test]
    fn a_band_of_a_large_array_is_as_high_as_the_share_of_its_pes() {
        // In the second fold of a layer with 147 rows of weights, 19 of 128 rows and 64 of 128 columns have a weight.
        let query = "rows=128&cols=128&m=12544&k=147&n=64&df=ws&dt=bf16&overlap=double-buffered";
        let plan = Plan::new(&Link::parse(query, "").scenario).expect("a run");
        let grid = Grid::new(&plan, 900.0, 560.0);
        let mut picture = Picture::default();
        draw(&Frame::new(&plan, plan.last()), 900.0, 560.0, &mut picture);
        let middle = |part: f32| grid.place.x + grid.place.w * part;
        let useful = |x: f32| {
            picture.marks.iter().find_map(|mark| match mark {
                Mark::Shape { rect, fill: Tone::Useful, .. } if (rect.x..rect.x + rect.w).contains(&x) => {
                    Some(rect.h / grid.place.h)
                }
                _ => None,
            })
        };
        let [first, second] = [0.25, 0.75].map(|part| useful(middle(part)).expect("a band"));
        assert!((first - 0.5).abs() < 0.001 && (second - 19.0 / 128.0 / 2.0).abs() < 0.001, "{first} {second}");
    }

    #[test]
    fn the_bands_of_a_run_fill_the_view_and_have_names_at_round_cycles() {
        let query = "rows=128&cols=128&m=12544&k=147&n=64&df=ws&dt=bf16&overlap=double-buffered";
        let plan = Plan::new(&Link::parse(query, "").scenario).expect("a run");
        assert!(Grid::new(&plan, 900.0, 560.0).place.h > 450.0);
        let mut picture = Picture::default();
        draw(&Frame::new(&plan, Cycle(0)), 900.0, 560.0, &mut picture);
        let names: Vec<&str> = picture.texts().filter(|text| !text.contains(char::is_alphabetic)).collect();
        assert_eq!((names[..3].join(", "), names.len()), ("0, 2000, 4000".to_owned(), 13));
        assert_eq!([1, 2, 3, 5, 6, 459, 13_008].map(round_from), [1, 2, 5, 5, 10, 500, 20_000]);
    }

    #[test]
    fn two_runs_have_one_scale_and_four_small_arrays_are_as_tall_as_a_large_one() {
        let plan = |query: &str| Plan::new(&Link::parse(query, "").scenario).expect("a run");
        let run = "m=128&k=512&df=ws&dt=bf16&overlap=double-buffered";
        let large = plan(&format!("rows=256&cols=256&n=512&{run}"));
        let small = plan(&format!("rows=128&cols=128&n=128&{run}"));
        let [first, second] = Grid::pair(&large, &small, 900.0, 560.0);
        // Four arrays of 128×128 have as many PEs as one array of 256×256.
        assert_eq!((first.rows, second.rows), (1, 4));
        assert!((first.place.h - second.place.h).abs() < 0.01);
        let cycles = [&large, &small].map(|plan| plan.schedule().cycles().as_f64());
        let widths = f64::from(second.place.w) / f64::from(first.place.w);
        assert!((widths - cycles[1] / cycles[0]).abs() < 0.01, "{widths} {cycles:?}");
        let (half, whole) = (plan("rows=4&cols=4&m=64&k=4&n=4"), plan("rows=8&cols=4&m=64&k=8&n=4"));
        let [half, whole] = Grid::pair(&half, &whole, 900.0, 560.0);
        assert!((whole.place.h - 2.0 * half.place.h).abs() < 0.01);
        // Two runs on equal arrays are named by the settings in which they differ.
        let (weights, sums) = (plan("rows=4&cols=4&m=3&k=32&n=4&df=ws"), plan("rows=4&cols=4&m=3&k=32&n=4&df=os"));
        assert_eq!(drawing::run(&weights, &sums, 1), "weight-stationary, 104 cycles, 23.1 % useful");
        assert_eq!(drawing::run(&sums, &weights, 1), "output-stationary, 38 cycles, 63.2 % useful");
        let frame = Frame { before: Some(&large), ..Frame::new(&small, small.last()) };
        let mut picture = Picture::default();
        draw(&frame, 900.0, 560.0, &mut picture);
        assert!(picture.texts().any(|text| text.starts_with("now: 4 arrays of 128×128 PEs")));
        for mark in &picture.marks {
            if let Mark::Shape { rect, .. } = mark {
                assert!(
                    rect.x >= 0.0 && rect.x + rect.w <= 900.0 && rect.y >= 0.0 && rect.y + rect.h <= 560.0,
                    "{rect:?}"
                );
            }
        }
    }

    #[test]
    fn large_arrays_and_long_runs_have_a_bounded_number_of_marks_inside_the_view() {
        for query in [
            "rows=256&cols=256&m=512&k=512&n=512&dt=bf16",
            "rows=1024&cols=1024&m=65536&k=4096&n=4096&dt=bf16",
            "rows=1&cols=1&m=300&k=300&n=300",
            "rows=32&cols=32&m=64&k=64&n=64&df=os",
        ] {
            let plan = Plan::new(&Link::parse(query, "").scenario).expect("a run");
            for (width, height) in [(900.0, 560.0), (320.0, 240.0)] {
                let mut picture = Picture::default();
                draw(&Frame::new(&plan, plan.last()), width, height, &mut picture);
                assert!(picture.marks.len() < 60_000, "{query}: {}", picture.marks.len());
                for mark in &picture.marks {
                    if let Mark::Shape { rect, .. } = mark {
                        assert!(rect.x >= -1.0 && rect.x + rect.w <= width + 2.0, "{query}: {rect:?}");
                        assert!(rect.y >= -1.0 && rect.y + rect.h <= height + 2.0, "{query}: {rect:?}");
                    }
                }
            }
        }
    }
}
