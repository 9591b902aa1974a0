//! Compares frames with the register machine: a cell shows exactly the numbers that the machine's PE contains. Closed
//! forms determine the picture, so the two methods share only the run.

use display::Picture;
use display::picture::{Anchor, Mark, Rect};
use stage::{self, Detail, Frame, Layout};
use studio::{Link, Plan, value_text};
use systolic::{Cycle, Machine, Operand, PeId, Registers, Value, Vectors, dispatch_lane};
use words::caption;

const CORPUS: [&str; 15] = [
    "rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8",
    "rows=4&cols=3&m=5&k=7&n=4&df=ws&dt=bf16&fill=uniform",
    "rows=3&cols=4&m=4&k=8&n=7&df=ws&dt=int8&overlap=double-buffered",
    "rows=3&cols=4&m=2&k=8&n=7&df=ws&dt=int8&overlap=double-buffered&load=rows",
    "rows=4&cols=4&m=3&k=4&n=5&df=ws&dt=int4&load=diagonal",
    "rows=4&cols=3&m=5&k=6&n=4&df=os&dt=int8",
    "rows=3&cols=3&m=5&k=4&n=4&df=os&dt=e4m3fn&drain=south",
    "rows=3&cols=3&m=5&k=4&n=4&df=os&dt=f16&overlap=double-buffered",
    "rows=3&cols=4&m=5&k=3&n=7&df=os&dt=int8&overlap=double-buffered&drain=south",
    "rows=4&cols=3&m=5&k=7&n=6&df=is&dt=f32&fill=uniform",
    "rows=3&cols=4&m=5&k=7&n=6&df=is&dt=e5m2&overlap=double-buffered",
    "rows=4&cols=4&m=5&k=6&n=3&df=ws&dt=int8&pad=zero",
    // With fewer than 32 rows, the adder `tpu` has the default order of the tiles of k.
    "rows=32&cols=1&m=2&k=64&n=1&df=ws&dt=bf16&fill=uniform&adder=tpu&ktiles=down",
    "rows=32&cols=2&m=2&k=32&n=2&df=is&dt=bf16&fill=uniform&adder=tpu",
    "rows=16&cols=2&m=2&k=32&n=2&df=ws&dt=bf16&fill=uniform&adder=h100",
];

/// Size of a view in which each cell shows all of its numbers.
fn roomy(plan: &Plan) -> (f32, f32) {
    if plan.schedule().array().rows() > 8 { (7000.0, 9000.0) } else { (1400.0, 1100.0) }
}

fn plan(query: &str) -> Plan {
    Plan::new(&Link::parse(query, "").scenario).expect("a run")
}

/// Returns the registers of the machine's PEs after each clock edge of a run, cycle by cycle, row by row.
fn machine_registers(plan: &Plan) -> Vec<Vec<Registers>> {
    let schedule = plan.schedule();
    dispatch_lane!(plan.unit(), lane => {
        let vectors = Vectors::new(lane, schedule, plan.operands());
        let mut machine = Machine::new(schedule, &vectors, None);
        let cycles = 0..schedule.cycles().get();
        cycles
            .map(|_| {
                machine.tick();
                schedule.array().iter().map(|pe| machine.registers(pe)).collect()
            })
            .collect()
    })
}

fn draw(plan: &Plan, cycle: u64, (width, height): (f32, f32)) -> (Picture, Layout) {
    let mut picture = Picture::default();
    stage::draw(&Frame::new(plan, Cycle(cycle)), width, height, &mut picture);
    (picture, Layout::new(plan, width, height))
}

/// Returns a picture of the west edge and of the rows in the middle.
fn magnified(plan: &Plan, cycle: u64) -> (Picture, Layout) {
    let (width, height) = (700.0, 900.0);
    let whole = Layout::new(plan, width, height);
    let zoom = stage::Zoom { scale: 100.0 / whole.cell, middle: (0.0, 0.5), ..stage::Zoom::default() };
    let mut picture = Picture::default();
    stage::draw(&Frame { zoom, ..Frame::new(plan, Cycle(cycle)) }, width, height, &mut picture);
    (picture, whole.zoomed(zoom, width, height))
}

/// Returns the numbers inside a cell without signs and names. The products are in a separate list.
fn numbers_in(picture: &Picture, rect: Rect) -> (Vec<String>, Vec<String>) {
    let (mut numbers, mut products) = (Vec::new(), Vec::new());
    for mark in &picture.marks {
        let Mark::Text { at: (x, y), text, anchor, .. } = mark else { continue };
        let inside = *x > rect.x && *x < rect.x + rect.w && *y > rect.y && *y < rect.y + rect.h;
        let is_number = text.starts_with(|c: char| c.is_ascii_digit() || "\u{2212}∞N.≈".contains(c))
            && !text.contains([' ', '%', ',']);
        match anchor {
            _ if !inside || !is_number => {}
            Anchor::End => products.push(text.clone()),
            Anchor::Start | Anchor::Middle => numbers.push(text.clone()),
        }
    }
    numbers.sort();
    (numbers, products)
}

/// True if a text states this value exactly. A float can also be rounded to the last digit of the text, after `≈`.
fn says(text: &str, value: Value) -> bool {
    let Value::Float(float) = value else { return text == value_text::short(value) };
    let digits = text.trim_start_matches('≈').replace('−', "-");
    let Ok(read) = digits.parse::<f64>() else { return text == value_text::short(value) };
    let places = digits.split_once('.').map_or(0, |(_, places)| places.len());
    let half = 0.5001 * 10f64.powi(-i32::try_from(places).expect("few"));
    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the question")]
    let is_exact = (read as f32).to_bits() == float.to_bits() || read == 0.0 && float == 0.0;
    text.starts_with('≈') != is_exact && (read - f64::from(float)).abs() <= half.max(1e-6 * read.abs())
}

/// Returns the values that no text states, and the texts that state no value. Each text counts for one value.
fn unsaid(mut texts: Vec<String>, values: &[Option<Value>]) -> (Vec<Value>, Vec<String>) {
    let mut unsaid: Vec<Value> = values.iter().flatten().copied().collect();
    unsaid.retain(|value| match texts.iter().position(|text| says(text, *value)) {
        Some(nth) => {
            texts.swap_remove(nth);
            false
        }
        None => true,
    });
    (unsaid, texts)
}

#[test]
fn every_number_in_a_cell_is_in_the_machine_and_every_one_of_the_machine_in_its_cell() {
    let mut compared = 0;
    for query in CORPUS {
        let plan = plan(query);
        for (cycle, registers) in machine_registers(&plan).iter().enumerate() {
            let (picture, layout) = draw(&plan, cycle as u64, roomy(&plan));
            assert_eq!(layout.detail, Detail::Tagged, "{query}");
            for (pe, held) in plan.schedule().array().iter().zip(registers) {
                let wanted = [held.held, held.shadow, held.east, held.south, held.sum, held.drained];
                let (found, products) = numbers_in(&picture, layout.cell_of(pe));
                compared += found.len();
                let rest = unsaid(found, &wanted);
                assert_eq!(rest, (vec![], vec![]), "{query}, cycle {cycle}, {pe:?}");
                // Where two operands meet, the PE shows their product.
                let pair = held.east.zip(held.held.or(held.south)).filter(|_| !products.is_empty());
                let product = pair.map(|(x, w)| match (x, w) {
                    (Value::Int(x), Value::Int(w)) => Value::Int(x * w),
                    #[expect(clippy::cast_possible_truncation, reason = "the added product is rounded to f32")]
                    (x, w) => Value::Float((x.as_f64() * w.as_f64()) as f32),
                });
                let rest = unsaid(products, &[product]);
                assert_eq!(rest, (vec![], vec![]), "{query}, cycle {cycle}, {pe:?}");
            }
        }
    }
    assert!(compared > 5000, "{compared} numbers compared");
}

#[test]
fn a_token_at_an_edge_is_a_number_that_the_machine_s_pe_gets_and_a_row_has_the_name_of_its_k() {
    let (mut n_west, mut n_west_of_tpu, mut n_north, mut n_names) = (0, 0, 0, 0);
    for query in CORPUS.into_iter().filter(|query| query.contains("uniform") && !query.contains("df=os")) {
        let plan = plan(query);
        let (schedule, registers) = (plan.schedule(), machine_registers(&plan));
        let cols = schedule.array().cols();
        for cycle in 0..registers.len() {
            let (picture, layout) = draw(&plan, cycle as u64, roomy(&plan));
            // For arrays of many rows, only a magnified picture shows the numbers at the west edge.
            let is_magnified = schedule.array().rows() == 32;
            let near = is_magnified.then(|| magnified(&plan, cycle as u64)).into_iter();
            for (picture, layout) in near.chain((!is_magnified).then(|| (picture.clone(), layout))) {
                let first = layout.cell_of(PeId::new(0, 0));
                for token in picture.tokens.iter().filter(|token| token.id.kind < Operand::C as u8) {
                    let operand = if token.id.kind == Operand::A as u8 { Operand::A } else { Operand::B };
                    let value = Some(plan.prober().element(operand, token.id.row, token.id.col).value);
                    let (x, y) = token.rect.center();
                    let is_in = |pe: &PeId| {
                        let cell = layout.cell_of(*pe);
                        (cell.x..cell.x + cell.w).contains(&x) && y < first.y || (cell.y..cell.y + cell.h).contains(&y)
                    };
                    // These are the numbers that the first PE of the lane gets in later cycles.
                    let gets = |held: fn(&Registers) -> Option<Value>, pe: PeId| {
                        let index = (pe.row * cols + pe.col) as usize;
                        registers[cycle + 1..].iter().any(|registers| held(&registers[index]) == value)
                    };
                    if x < first.x && operand == schedule.dataflow().from_west() {
                        let pe = (0..schedule.array().rows()).map(|row| PeId::new(row, 0)).find(is_in).expect("a row");
                        assert!(gets(|registers| registers.east, pe), "{query} {cycle} {pe:?}: {token:?}");
                        n_west += 1;
                        n_west_of_tpu += usize::from(is_magnified);
                    } else if y < first.y && x > first.x && operand == schedule.dataflow().stationary() {
                        let pe = (0..cols).map(|col| PeId::new(0, col)).find(is_in).expect("a column");
                        assert!(
                            gets(|registers| registers.held.or(registers.shadow), pe),
                            "{query} {cycle}: {token:?}"
                        );
                        n_north += 1;
                    }
                }
            }
            for pe in (0..schedule.array().rows()).map(|row| PeId::new(row, 0)) {
                // A PE that multiplies holds the element whose k is the name of the row.
                let held = &registers[cycle][(pe.row * cols) as usize];
                let (Some(_), Some(held)) = (schedule.mac(Cycle(cycle as u64), pe), held.held) else { continue };
                let cell = layout.cell_of(pe);
                let name = picture.marks.iter().find_map(|mark| match mark {
                    Mark::Text { at: (x, y), text, .. } if *x < cell.x && (cell.y..cell.y + cell.h).contains(y) => {
                        text.strip_prefix("k=")?.parse::<u64>().ok()
                    }
                    _ => None,
                });
                let k = name.unwrap_or_else(|| panic!("{query} {cycle} {pe:?}: no name"));
                let col = schedule.fold_at(Cycle(cycle as u64), pe).col_origin;
                let (operand, (row, col)) = match schedule.dataflow().stationary() {
                    Operand::A => (Operand::A, (col, k)),
                    _ => (Operand::B, (k, col)),
                };
                assert_eq!(plan.prober().element(operand, row, col).value, held, "{query} {cycle} {pe:?}: k={k}");
                n_names += 1;
            }
        }
    }
    assert!(n_west_of_tpu > 100, "{n_west_of_tpu}");
    assert!(n_west > 200 && n_north > 100 && n_names > 200, "{n_west} west, {n_north} north, {n_names} names");
}

#[test]
fn one_value_per_cell_is_the_machine_s_sum() {
    for query in CORPUS {
        let plan = plan(query);
        let mut sides =
            if plan.schedule().array().rows() > 8 { (400..3000_u16).step_by(100) } else { (100..400).step_by(1) };
        let detail = |side: &u16| Layout::new(&plan, (*side).into(), (*side).into()).detail;
        let side = sides.find(|side| detail(side) == Detail::Value).expect(query);
        for (cycle, registers) in machine_registers(&plan).iter().enumerate() {
            let (picture, layout) = draw(&plan, cycle as u64, (side.into(), side.into()));
            for (pe, held) in plan.schedule().array().iter().zip(registers) {
                let Some(sum) = held.sum else { continue };
                let (found, _) = numbers_in(&picture, layout.cell_of(pe));
                let [found] = found.as_slice() else { panic!("{query}, cycle {cycle}, {pe:?}: {found:?}") };
                // The number has as many digits as fit.
                let fits = (3..=9).any(|glyphs| value_text::fitting(sum, glyphs) == *found);
                assert!(fits, "{query}, cycle {cycle}, {pe:?}: {found} for {sum:?}");
            }
        }
    }
}

#[test]
fn a_caption_names_the_sum_that_the_machine_s_pe_holds() {
    for query in CORPUS {
        let plan = plan(query);
        for (cycle, registers) in machine_registers(&plan).iter().enumerate() {
            for (pe, held) in plan.schedule().array().iter().zip(registers) {
                let cycle = Cycle(cycle as u64);
                let status = caption::status(&plan, cycle, Some(pe));
                assert!(status.contains(&format!("PE {},{}", pe.row, pe.col)), "{status}");
                if plan.schedule().mac(cycle, pe).is_some() {
                    let sum = value_text::full(held.sum.expect("a sum where something is added"));
                    assert!(status.contains(&format!("= {sum}")), "{query}, {cycle:?}, {pe:?}: no {sum} in {status}");
                }
            }
        }
    }
}

#[test]
fn a_zoomed_picture_shows_what_the_machine_holds_there() {
    let plan = plan("rows=48&cols=64&m=64&k=48&n=64&df=ws&dt=int8");
    let registers = machine_registers(&plan);
    for (cycle, middle) in [(60, (0.2, 0.1)), (110, (0.5, 0.5)), (150, (0.9, 0.8))] {
        let whole = Layout::new(&plan, 800.0, 700.0);
        let zoom = stage::Zoom { scale: 120.0 / whole.cell, middle, ..stage::Zoom::default() };
        let mut picture = Picture::default();
        stage::draw(&Frame { zoom, ..Frame::new(&plan, Cycle(cycle)) }, 800.0, 700.0, &mut picture);
        let layout = whole.zoomed(zoom, 800.0, 700.0);
        let now = &registers[usize::try_from(cycle).expect("small")];
        let mut n_values = 0;
        for (pe, held) in plan.schedule().array().iter().zip(now) {
            let rect = layout.cell_of(pe);
            let is_seen = rect.x + rect.w < 800.0 && rect.y + rect.h < 700.0;
            // This test does not read cells below the numbers of rows and columns.
            if !is_seen || rect.x < 50.0 || rect.y < 20.0 {
                continue;
            }
            let (found, _) = numbers_in(&picture, rect);
            n_values += found.len();
            let rest = unsaid(found, &[held.held, held.east, held.sum]);
            assert_eq!(rest, (vec![], vec![]), "{cycle} {pe:?}");
        }
        assert!(n_values > 10, "{cycle}: {n_values}");
    }
}

#[test]
fn the_arrays_of_all_examples_are_equally_large_in_small_pictures() {
    for (width, height) in [(212.0, 132.0), (300.0, 132.0), (108.0, 104.0)] {
        for preset in studio::Preset::ALL {
            let plan = Plan::new(&preset.link().scenario).expect("a run");
            let whole = Frame::new(&plan, Cycle(0)).scene(width, height).layout;
            let array = whole.zoomed(stage::Zoom::filling(&whole, width, height), width, height).array();
            let share = (array.w / width).max(array.h / height);
            assert!((0.55..=0.75).contains(&share), "{} fills {share} of {width} by {height}", preset.id());
        }
    }
}
