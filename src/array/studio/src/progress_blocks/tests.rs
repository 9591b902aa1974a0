//! Compares blocks of runs of every length with the registers, and with folds one by one.

use super::*;
use std::collections::BTreeSet;
use systolic::Dataflow;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn plan(query: &str) -> Plan {
    Plan::new(&crate::Link::parse(query, "").scenario).expect("a run")
}

#[test]
fn blocks_are_what_the_registers_have_held() {
    for query in [
        "rows=4&cols=3&m=6&k=4&n=3&df=ws&dt=int8",
        "rows=4&cols=3&m=5&k=9&n=7&df=ws&dt=int8",
        "rows=3&cols=4&m=5&k=7&n=6&df=is&dt=int8",
        "rows=4&cols=3&m=6&k=5&n=7&df=os&dt=int8",
        "rows=4&cols=3&m=9&k=5&n=7&df=ws&dt=int8&overlap=double-buffered",
        "rows=3&cols=4&m=9&k=5&n=2&df=is&dt=int8&overlap=double-buffered",
        "rows=1&cols=5&m=2&k=3&n=12&df=ws&dt=int8&overlap=double-buffered",
        "rows=4&cols=3&m=10&k=2&n=8&df=os&dt=int8&overlap=double-buffered",
        "rows=4&cols=3&m=10&k=2&n=8&df=os&dt=int8&drain=south",
    ] {
        let plan = plan(query);
        let schedule = plan.schedule();
        let flows = schedule.dataflow().hold() == Hold::Operand;
        let mut results = BTreeSet::new();
        for cycle in (0..=plan.last().get()).map(Cycle) {
            for pe in schedule.array().iter() {
                let probe = plan.prober().at(cycle, pe);
                // A moving sum is complete in the last row of the array. A sum that stays is complete when it has all
                // its terms.
                let Some(sum) = probe.sum else { continue };
                let done = if flows { pe.row + 1 == schedule.array().rows() } else { sum.terms == sum.terms_max };
                let fold = schedule.fold_at(cycle, pe);
                let last = schedule.folds_per_result() == 1 || fold.row_fold + 1 == schedule.row_folds();
                if done && last && pe.col < fold.mapped.cols {
                    results.insert((sum.row, sum.col));
                }
            }
            let shown = covered(&progress_blocks(&plan, cycle), false);
            // Elements that one vector of a stream completes are shown together, and so are all elements of a fold of
            // stationary sums. Each of them is shown when the registers have had all of them.
            let side = |at: u64, side: u32| at / u64::from(side);
            let (rows, cols) = (schedule.array().rows(), schedule.array().cols());
            let companion = |one: (u64, u64), other: (u64, u64)| match schedule.dataflow() {
                Dataflow::WeightStationary => one.0 == other.0 && side(one.1, cols) == side(other.1, cols),
                Dataflow::InputStationary => one.1 == other.1 && side(one.0, cols) == side(other.0, cols),
                Dataflow::OutputStationary => {
                    (side(one.0, rows), side(one.1, cols)) == (side(other.0, rows), side(other.1, cols))
                }
            };
            let gemm = schedule.gemm();
            let everything: Vec<_> = (0..gemm.m()).flat_map(|row| (0..gemm.n()).map(move |col| (row, col))).collect();
            let all_there =
                |one: (u64, u64)| everything.iter().all(|other| !companion(one, *other) || results.contains(other));
            let expected: BTreeSet<_> = everything.iter().copied().filter(|one| all_there(*one)).collect();
            assert_eq!(shown, expected, "{query} cycle {cycle}");
        }
        let gemm = schedule.gemm();
        assert_eq!(results.len() as u64, gemm.m() * gemm.n(), "{query}");
    }
}

#[test]
fn the_block_of_the_stationary_matrix_has_the_elements_that_are_in_its_last_column() {
    for query in [
        "rows=4&cols=3&m=5&k=9&n=7&df=ws&dt=int8",
        "rows=32&cols=3&m=4&k=64&n=7&df=ws&dt=bf16&adder=tpu",
        "rows=32&cols=4&m=6&k=64&n=3&df=is&dt=bf16&adder=tpu&ktiles=down",
        "rows=16&cols=2&m=3&k=32&n=4&df=ws&dt=bf16&adder=h100",
    ] {
        let plan = plan(query);
        let (schedule, mut n_split) = (plan.schedule(), 0);
        for cycle in (0..=plan.last().get()).map(Cycle) {
            let (now, _) = progress(&plan, cycle);
            let operand = schedule.dataflow().stationary();
            let col = now.mapped.cols - 1;
            let of_fold = schedule.array().iter().map(|pe| schedule.mkn(&now, pe, 0).map(|mkn| mkn.of(operand)));
            let of_fold: BTreeSet<_> = of_fold.flatten().collect();
            let held = (0..schedule.array().rows()).filter_map(|row| {
                let held = plan.prober().without_sum(cycle, PeId::new(row, col)).held?;
                Some((held.row, held.col)).filter(|place| of_fold.contains(place))
            });
            let blocks = progress_blocks(&plan, cycle);
            let blocks: Vec<_> = blocks.iter().filter(|block| block.operand == operand).collect();
            let along = |block: &&ProgressBlock| if operand == Operand::A { block.cols } else { block.rows };
            let shown = blocks.iter().flat_map(|block| along(block).0..along(block).1).collect::<BTreeSet<_>>();
            let held = held.map(|(row, col)| if operand == Operand::A { col } else { row }).collect();
            assert_eq!(shown, held, "{query} cycle {cycle}");
            n_split += usize::from(blocks.len() == 2);
        }
        assert_eq!(n_split > 0, query.contains("tpu"), "{query}: {n_split} cycles with two parts");
    }
}

#[test]
fn at_the_last_vector_of_a_fold_the_whole_stream_has_come() {
    let plan = plan("rows=4&cols=4&m=6&k=9&n=7&df=ws");
    let schedule = plan.schedule();
    for index in 0..schedule.folds() {
        let last = Cycle(schedule.fold_start(index).get() + schedule.load_cycles().get() + schedule.stream_len() - 1);
        let (fold, came) = progress(&plan, last);
        assert_eq!((fold.index, came), (index, 6));
        assert_eq!(progress(&plan, schedule.fold_start(index)).1, 0);
    }
}

/// Returns the elements of C that blocks of a kind cover.
fn covered(blocks: &[ProgressBlock], is_partial: bool) -> BTreeSet<(u64, u64)> {
    let of_kind = |block: &&ProgressBlock| block.operand == Operand::C && block.is_partial == is_partial;
    let elements = |block: &ProgressBlock| {
        let (rows, cols) = (block.rows, block.cols);
        (rows.0..rows.1).flat_map(move |row| (cols.0..cols.1).map(move |col| (row, col)))
    };
    blocks.iter().filter(of_kind).flat_map(elements).collect()
}

#[test]
fn blocks_equal_those_of_every_fold_one_by_one() {
    for query in [
        "rows=2&cols=2&m=3&k=300&n=101&df=ws",
        "rows=2&cols=3&m=100&k=251&n=2&df=is&overlap=double-buffered",
        "rows=2&cols=2&m=129&k=1&n=141&df=os&overlap=double-buffered",
        "rows=3&cols=2&m=200&k=2&n=141&df=os",
    ] {
        let plan = plan(query);
        let schedule = plan.schedule();
        assert!(schedule.folds() > 4096, "{query}");
        let last = plan.last().get();
        for nth in 0..=12 {
            let cycle = Cycle(last - (last / 12 * nth).min(last));
            let (mut complete, mut partial) = (BTreeSet::new(), BTreeSet::new());
            for fold in (0..schedule.folds()).map(|index| schedule.fold(index)) {
                // The last PE of the fold, and where its sums leave.
                let flows = schedule.dataflow().hold() == Hold::Operand;
                let row = if flows { schedule.array().rows() } else { fold.mapped.rows } - 1;
                let delay = schedule.hops(PeId::new(row, fold.mapped.cols - 1));
                let came = (0..schedule.stream_len())
                    .take_while(|wave| {
                        schedule.fold_start(fold.index).get() + schedule.load_cycles().get() + delay + wave
                            <= cycle.get()
                    })
                    .count() as u64;
                let came = if flows || came == schedule.stream_len() { came } else { 0 };
                let (rows, cols) = (
                    (fold.row_origin, fold.row_origin + u64::from(fold.mapped.rows)),
                    (fold.col_origin, fold.col_origin + u64::from(fold.mapped.cols)),
                );
                let (down, across) = match schedule.dataflow() {
                    Dataflow::WeightStationary => ((0, came), cols),
                    Dataflow::InputStationary => (cols, (0, came)),
                    Dataflow::OutputStationary if came > 0 => (rows, cols),
                    Dataflow::OutputStationary => continue,
                };
                let is_last = !flows || fold.row_fold + 1 == schedule.row_folds();
                let into = if is_last { &mut complete } else { &mut partial };
                into.extend((down.0..down.1).flat_map(|row| (across.0..across.1).map(move |col| (row, col))));
            }
            let found = progress_blocks(&plan, cycle);
            assert!(found.len() <= 2 + 3 * 4, "{query}: {}", found.len());
            assert_eq!(covered(&found, false), complete, "{query} cycle {cycle}");
            let open = |all: BTreeSet<(u64, u64)>| &all - &complete;
            assert_eq!(open(covered(&found, true)), open(partial), "{query} cycle {cycle}");
        }
    }
}

/// Returns the plans with each field at its smallest or largest value, if they are small enough to count.
fn extremes() -> impl Iterator<Item = (String, Plan)> {
    let fields =
        [["rows=1", "rows=1024"], ["cols=1", "cols=1024"], ["m=1", "m=65536"], ["k=1", "k=65536"], ["n=1", "n=65536"]];
    let ends = (0..32usize).map(move |bits| (0..5).map(|at| fields[at][bits >> at & 1]).collect::<Vec<_>>().join("&"));
    let designs =
        ["df=ws", "df=is", "df=os", "df=ws&overlap=double-buffered", "df=os&overlap=double-buffered&drain=south"];
    ends.flat_map(move |sizes| designs.map(|design| format!("{sizes}&{design}"))).filter_map(|query| {
        let plan = Plan::new(&crate::Link::parse(&query, "").scenario).ok()?;
        Some((query, plan))
    })
}

#[test]
fn at_the_end_of_every_run_the_whole_of_c_is_complete() {
    for (query, plan) in extremes() {
        let found = progress_blocks(&plan, plan.last());
        let complete = found.iter().filter(|block| block.operand == Operand::C && !block.is_partial);
        let elements: u64 = complete.map(|block| (block.rows.1 - block.rows.0) * (block.cols.1 - block.cols.0)).sum();
        let gemm = plan.schedule().gemm();
        assert_eq!(elements, gemm.m() * gemm.n(), "{query}: {found:?}");
    }
}
