//! Compares captions with the register machine in every cycle of many runs: each event in a caption happens in its
//! cycle.

use proptest::prelude::ProptestConfig;
use proptest::sample::select;
use studio::defect::{BrokenMachine, DefectName};
use studio::{Link, Plan};
use systolic::{Cycle, PeId};
use words::caption;

const RUNS: [&str; 15] = [
    "rows=1&cols=1&m=1&k=1&n=1&df=os&dt=int8",
    "rows=1&cols=1&m=2&k=3&n=2&df=ws&dt=int8",
    "rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8",
    "rows=4&cols=4&m=6&k=4&n=4&df=os&dt=f32&fill=uniform",
    "rows=4&cols=3&m=5&k=7&n=6&df=is&dt=f16&fill=uniform",
    "rows=3&cols=4&m=4&k=8&n=7&df=ws&dt=bf16&fill=uniform&overlap=double-buffered",
    "rows=3&cols=4&m=5&k=3&n=7&df=os&dt=bf16&fill=uniform&overlap=double-buffered&drain=south",
    "rows=4&cols=4&m=5&k=6&n=3&df=ws&dt=int8&pad=zero",
    "rows=8&cols=8&m=10&k=13&n=11&df=ws&dt=int8",
    "rows=4&cols=4&m=6&k=4&n=6&df=ws&dt=int8&load=diagonal",
    "rows=4&cols=6&m=3&k=2&n=5&df=is&dt=int8",
    "rows=2&cols=7&m=3&k=2&n=9&df=ws&dt=f32&fill=uniform",
    "rows=32&cols=4&m=6&k=64&n=4&df=ws&dt=bf16&fill=uniform&adder=tpu",
    "rows=32&cols=3&m=4&k=64&n=5&df=is&dt=bf16&fill=uniform&adder=tpu&ktiles=down",
    "rows=16&cols=4&m=6&k=32&n=4&df=ws&dt=bf16&fill=uniform&adder=h100",
];

fn plan(query: &str) -> Plan {
    Plan::new(&Link::parse(query, "").scenario).expect("a run")
}

fn cycles(plan: &Plan) -> impl Iterator<Item = Cycle> {
    (0..=plan.last().get()).map(Cycle)
}

#[test]
fn the_headline_of_a_pe_that_does_not_multiply_names_the_pe() {
    let plan = Plan::default();
    let said = |cycle: u64, (row, col)| caption::state_headline(&plan, Cycle(cycle), PeId::new(row, col));
    assert_eq!(said(7, (3, 1)), "PE 3,1 waits for the wavefront");
    assert_eq!(said(7, (3, 3)), "PE 3,3 is unused");
    assert_eq!(said(2, (3, 1)), "PE 3,1 loads");
    assert_eq!(said(15, (0, 0)), "PE 0,0 has finished");
    // The event of cycle 7 belongs to another PE, and stays in the sentence.
    assert_eq!(caption::event_pe(&plan, Cycle(7)), Some(PeId::new(3, 0)));
    let both = caption::caption(&plan, Cycle(7), Some(PeId::new(3, 1))).below(said(7, (3, 1)));
    assert_eq!(both.headline, "PE 3,1 waits for the wavefront");
    assert!(both.sentence.ends_with("First result complete: c[0,0] = −26."), "{}", both.sentence);
}

#[test]
fn the_clock_of_a_long_run_has_one_count_and_no_long_total() {
    let parts = |query: &str, cycle: u64| {
        let plan = Plan::new(&Link::parse(query, "").scenario).expect("a run");
        caption::clock_parts(&plan, Cycle(cycle)).map(|part| part.replace('\u{202f}', " "))
    };
    assert_eq!(parts("", 7), ["7", "of 15"]);
    assert_eq!(parts("rows=1&cols=1&m=10&k=10&n=1", 40), ["40", "of 109"]);
    // 1024 · 1024 folds take 4 + 4 + 4 + 4096 − 2 cycles each.
    assert_eq!(parts("m=4096&k=4096&n=4096", 3_587_802), ["3 587 802", "of 4.31 × 10⁹"]);
    assert_eq!(parts("rows=1&cols=1&m=65536&k=65536&n=65536", 9)[1], "of 2.81 × 10¹⁴");
}

#[test]
fn the_first_screen_is_captioned_from_its_first_cycle_to_its_last() {
    let plan = Plan::default();
    let at = |cycle: u64| {
        let words = caption::caption(&plan, Cycle(cycle), None);
        (words.headline, words.sentence)
    };
    let is = |cycle: u64, headline: &str, sentence: &str| {
        assert_eq!(at(cycle), (headline.to_owned(), sentence.to_owned()), "cycle {cycle}");
    };
    is(
        0,
        "Loading weights: 1 of 4 rows is in",
        "Weights enter row by row, last row first: −7, −3, 6 move down one PE per cycle.",
    );
    is(4, "First multiplication", "PE 0,0 multiplies a[0,0] × b[0,0], the first of 4 products of c[0,0]: 3 × 3 = 9.");
    is(
        7,
        "First result complete: c[0,0] = −26",
        "PE 3,0 adds a[0,3] × b[3,0], the last of 4 products of c[0,0]: −40 + (−2) × (−7) = −26.",
    );
    assert_eq!(at(9).0, "All 12 used PEs are multiplying (4 of 16 unused)");
    is(15, "C = A × B: 18 of 18 elements complete", "16 cycles, 72 useful multiplications.");
    assert!(caption::status(&plan, Cycle(7), None).starts_with("Cycle 7 of 15. First result complete:"));
    assert_eq!(caption::scrubber(&plan, Cycle(7)), "cycle 7 of 15, filling");
}

#[test]
fn the_last_cycle_of_every_run_has_all_of_c() {
    for query in RUNS {
        let plan = plan(query);
        let gemm = plan.schedule().gemm();
        let all = gemm.m() * gemm.n();
        let headline = caption::caption(&plan, plan.last(), None).headline;
        assert!(headline.contains(&format!("{all} of {all} element")), "{query}: {headline}");
    }
}

#[test]
fn every_cycle_of_every_run_has_a_headline_and_a_sentence_of_their_lines() {
    for query in RUNS {
        let plan = plan(query);
        for cycle in cycles(&plan) {
            let chosen = plan.schedule().array().iter().map(Some);
            for pe in chosen.chain([None]) {
                let words = caption::caption(&plan, cycle, pe);
                let (headline, sentence) = (words.headline.chars().count(), words.sentence.chars().count());
                assert!((1..=62).contains(&headline), "{query} {cycle:?}: {headline} {}", words.headline);
                assert!((1..=190).contains(&sentence), "{query} {cycle:?} {pe:?}: {sentence} {}", words.sentence);
                assert!(!words.headline.ends_with('.') && words.sentence.ends_with('.'), "{words:?}");
            }
        }
    }
}

#[test]
fn a_loading_pe_has_its_own_element_when_it_holds_the_element_that_it_multiplies() {
    let mut n_own = 0;
    for query in RUNS.into_iter().filter(|query| query.contains("fill=uniform") && !query.contains("df=os")) {
        let plan = plan(query);
        let schedule = plan.schedule();
        let mut states: std::collections::HashMap<_, Vec<_>> = std::collections::HashMap::new();
        let held = |cycle: Cycle, pe: PeId| plan.prober().held_at(cycle, pe);
        for cycle in cycles(&plan) {
            for pe in schedule.array().iter() {
                let fold = schedule.fold_at(cycle, pe).index;
                if schedule.activity(cycle, pe) == systolic::Activity::Loading {
                    let has = caption::status(&plan, cycle, Some(pe)).contains("has its ");
                    states.entry((fold, pe.row, pe.col)).or_default().push((cycle, has, held(cycle, pe)));
                } else if schedule.mac(cycle, pe).is_some() {
                    // The PE multiplies with this element in this fold.
                    for (at, has, then) in states.remove(&(fold, pe.row, pe.col)).into_iter().flatten() {
                        assert_eq!(has, then == held(cycle, pe) && then.is_some(), "{query} {at:?} {pe:?}");
                        n_own += usize::from(has);
                    }
                }
            }
        }
    }
    assert!(n_own > 200, "{n_own}");
}

#[test]
fn the_first_result_of_a_fold_says_which_products_it_has() {
    let said = |query: &str| {
        let plan = plan(query);
        let all = cycles(&plan).map(|cycle| caption::caption(&plan, cycle, None));
        all.filter(|words| words.headline.contains("irst result")).map(|words| words.sentence).collect::<Vec<_>>()
    };
    let tpu = said("rows=32&cols=4&m=6&k=64&n=4&df=ws&dt=bf16&fill=uniform&adder=tpu");
    assert!(tpu[0].starts_with("This is the partial sum for k = 0–31."), "{tpu:?}");
    let h100 = said("rows=16&cols=4&m=6&k=32&n=4&df=ws&dt=bf16&fill=uniform&adder=h100");
    assert_eq!(
        h100,
        [
            "The sum has 16 of 32 products of c[0,0]. The next fold starts from this sum.",
            "The sum has 32 of 32 products of c[0,0]. This sum started from the sum of the fold before, and completes c[0,0].",
        ]
    );
}

#[test]
fn a_first_result_is_the_sum_of_its_products() {
    // This counts the products of a row of A and a column of B in plain integers, without the model of time.
    let mut found = 0;
    for query in RUNS.into_iter().filter(|query| query.contains("dt=int8")) {
        let plan = plan(query);
        if plan.schedule().folds_per_result() > 1 {
            continue;
        }
        for cycle in cycles(&plan) {
            let headline = caption::caption(&plan, cycle, None).headline;
            let Some((_, equation)) = headline.split_once("irst result complete: c[") else { continue };
            let (place, value) = equation.split_once("] = ").expect("an equation");
            let (row, col) = place.split_once(',').expect("a place");
            let (row, col): (u64, u64) = (row.parse().expect("a row"), col.parse().expect("a column"));
            let element = |operand, row, col| plan.prober().element(operand, row, col).value.as_f64();
            let terms = (0..plan.schedule().gemm().k())
                .map(|k| element(systolic::Operand::A, row, k) * element(systolic::Operand::B, k, col));
            assert_eq!(value.replace('−', "-").parse(), Ok(terms.sum::<f64>()), "{query} {cycle:?}: {headline}");
            found += 1;
        }
    }
    assert!(found >= 4, "{found}");
}

#[test]
fn a_pe_s_sentence_begins_with_its_name_whatever_the_headline_is() {
    let plan = Plan::default();
    for cycle in cycles(&plan) {
        for pe in plan.schedule().array().iter() {
            let words = caption::caption(&plan, cycle, Some(pe));
            assert!(words.sentence.starts_with(&format!("PE {},{} ", pe.row, pe.col)), "{}", words.sentence);
        }
    }
    assert_eq!(caption::pe_name(PeId::new(1, 2)), "PE 1,2");
}

/// Checks in each cycle that the caption is about the PE that the grid and *Inside a PE* show.
fn is_about_the_telling_pe(query: &str) {
    let plan = plan(query);
    for cycle in cycles(&plan) {
        let sentence = caption::caption(&plan, cycle, None).sentence;
        let telling = caption::telling_pe(&plan, cycle).map(caption::pe_name);
        if sentence.starts_with("PE ") {
            let telling = telling.unwrap_or_else(|| panic!("{query} {cycle:?}: no PE for {sentence}"));
            assert!(sentence.starts_with(&format!("{telling} ")), "{query} {cycle:?}: {telling} for {sentence}");
        }
    }
}

#[test]
fn a_caption_about_a_pe_is_about_the_one_that_is_shown() {
    RUNS.into_iter().for_each(is_about_the_telling_pe);
    // In the cycle of the first result, the caption is not about the farthest PE that multiplies.
    assert_eq!(caption::telling_pe(&Plan::default(), Cycle(7)), Some(PeId::new(3, 0)));
}

proptest::proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn it_is_in_runs_of_any_size(
        (rows, cols) in (1_u32..7, 1_u32..7),
        (m, k, n) in (1_u64..9, 1_u64..9, 1_u64..9),
        dataflow in select(vec!["ws", "os", "is"]),
        rest in select(vec!["", "&pad=zero", "&overlap=double-buffered", "&load=diagonal"]),
    ) {
        is_about_the_telling_pe(&format!("rows={rows}&cols={cols}&m={m}&k={k}&n={n}&df={dataflow}&dt=int8{rest}"));
    }
}

#[test]
fn a_caption_of_a_broken_machine_is_about_the_pe_that_is_shown() {
    let plan = Plan::default();
    let mut told = 0;
    for text in ["no-skew", "late-1", "stuck-1.1"] {
        let defect = DefectName::parse(text).and_then(|name| name.on(&plan).ok()).expect("a defect of this run");
        for cycle in cycles(&plan) {
            let broken = BrokenMachine::at(&plan, defect, cycle);
            for machine in [broken.clone(), broken.unjudged()] {
                let sentence = caption::broken(&plan, &machine, None).sentence;
                let telling = caption::telling_broken_pe(&machine).map(caption::pe_name);
                assert_eq!(telling.is_some(), !sentence.is_empty(), "{text} {cycle:?}: {sentence}");
                assert!(sentence.starts_with(&telling.unwrap_or_default()), "{text} {cycle:?}: {sentence}");
                told += u32::from(!sentence.is_empty());
            }
        }
    }
    assert!(told > 30, "{told}");
}

#[test]
fn a_sum_that_lacks_terms_says_how_many_it_has() {
    let plan = Plan::default();
    let defect = DefectName::NoSkew.on(&plan).expect("a defect of this run");
    let said = caption::broken(&plan, &BrokenMachine::at(&plan, defect, Cycle(4)), Some(PeId::new(3, 0)));
    assert_eq!(said.headline, "Broken on purpose: 3 of 16 PEs hold a wrong sum");
    assert_eq!(said.sentence, "PE 3,0 holds 14: a sum of 1 term instead of 4.");
}

#[test]
fn delays_of_ones_own_that_are_right_are_not_called_broken() {
    let plan = Plan::default();
    let headline = |text: &str, cycle: u64| {
        let defect = DefectName::parse(text).and_then(|name| name.on(&plan).ok()).expect("a defect of this run");
        caption::broken(&plan, &BrokenMachine::at(&plan, defect, Cycle(cycle)), None).headline
    };
    for cycle in 0..=plan.last().get() {
        assert_eq!(headline("skew-0.1.2.3", cycle), "Correct delays: all results are right");
        assert!(headline("skew-0.1.3.3", cycle).starts_with("Broken on purpose"));
    }
}

#[test]
fn of_a_machine_that_a_person_is_to_judge_it_is_said_what_a_pe_does_and_not_that_it_is_wrong() {
    let plan = Plan::default();
    let defect = DefectName::NoSkew.on(&plan).expect("a defect of this run");
    for cycle in 0..=plan.last().get() {
        let open = BrokenMachine::at(&plan, defect, Cycle(cycle)).unjudged();
        for pe in core::iter::once(None).chain(plan.schedule().array().iter().map(Some)) {
            let said = caption::broken(&plan, &open, pe);
            let text = [said.headline, said.sentence].join(". ").to_lowercase();
            assert!(!["broken", "wrong sum", "mix", "correct"].iter().any(|word| text.contains(word)), "{text}");
        }
    }
    let open = BrokenMachine::at(&plan, defect, Cycle(7)).unjudged();
    let said = caption::broken(&plan, &open, Some(PeId::new(1, 0)));
    assert!(said.headline.starts_with("Right or wrong? Cycle 7"), "{}", said.headline);
    assert!(said.sentence.starts_with("PE 1,0 multiplies a[3,1] by b[1,0] and holds the sum "), "{}", said.sentence);
}
