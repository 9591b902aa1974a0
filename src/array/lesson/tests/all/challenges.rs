//! Solves every challenge: its goal is not met at first, its best known solution meets it, and no similar solution is
//! better.

use lesson::course::Set;
use lesson::{Answer, Best, Card, Change, Choice, Scene, Verdict, evaluate::plan_with, words};
use studio::defect::DefectName;
use studio::{Built, Field, FieldValue, Settings, Takes, Tools};
use systolic::Operand;
use systolic::flow::{Flow, Move};

use crate::cards::{self, Placed};

/// Returns the challenges that set a goal.
fn challenges() -> Vec<Placed> {
    cards::of(Set::Challenges).into_iter().filter(|(_, card)| card.change.is_some()).collect()
}

/// Returns the challenges that ask about a table of chips.
fn tables() -> Vec<Placed> {
    cards::of(Set::Challenges).into_iter().filter(|(_, card)| card.question.is_some()).collect()
}

/// Returns the tools of a card with another fault.
fn with_defect(card: &Card, defect: Option<DefectName>) -> Tools {
    Tools { defect, ..card.state.tools.clone() }
}

/// Returns settings of the offered fields: all names, and the numbers from 1 to a limit that keeps the test fast.
fn ways(change: &Change) -> Vec<Settings> {
    let n_numbers = change.fields.iter().filter(|field| matches!(field.takes(), Takes::Whole { .. })).count();
    let most = match n_numbers {
        0 | 1 => 1300,
        2 => 42,
        _ => 12,
    };
    let mut all: Vec<Settings> = vec![Vec::new()];
    for &field in &change.fields {
        let values = match field.takes() {
            Takes::Whole { min, max } => (min..=max.min(most)).map(FieldValue::Count).collect(),
            _ => field.choices().collect::<Vec<_>>(),
        };
        let with = |way: &Settings, value: &FieldValue| way.iter().cloned().chain([(field, value.clone())]).collect();
        all = all.iter().flat_map(|way| values.iter().map(move |value| with(way, value)).collect::<Vec<_>>()).collect();
    }
    all
}

#[test]
fn over_thirty_goals_are_missed_at_first_and_met_by_what_is_known_to_meet_them() {
    let challenges = challenges();
    assert!(challenges.len() >= 31 && challenges.len() + tables().len() == cards::of(Set::Challenges).len());
    for (place, card) in challenges {
        let change = card.change.as_ref().expect("a challenge");
        assert!(!change.is_met(&card.scene()), "{place}");
        assert!(!change.hints.is_empty() && !card.why.is_empty(), "{place}: hints, and what it shows");
        let (best, known) = (change.best.as_ref().expect("compared"), change.best_known(&card).expect("known"));
        assert!(words::best(best, known, known).ends_with("the best known result."), "{place}");
    }
}

/// Values of a chip: dollars per hour, GB/s, TFLOPS in bf16, TOPS in int8, GB, watts. A missing value is 0.
fn data(id: &str) -> [f64; 6] {
    let chip = perfmodel::Chip::by_id(id).unwrap_or_else(|| panic!("{id}"));
    let peak = |format| chip.peak_flops(format).map_or(0.0, |peak| peak.0 / 1e12);
    [
        chip.default_price().and_then(|price| price.usd_per_chip_hour.value).unwrap_or(0.0),
        chip.memory.bytes_per_sec().unwrap_or(0.0) / 1e9,
        peak(perfmodel::PeakDtype::Bf16),
        peak(perfmodel::PeakDtype::Int8),
        chip.memory.bytes().unwrap_or(0.0) / 1e9,
        chip.usual_power().and_then(|power| power.1.value).unwrap_or(0.0),
    ]
}

/// Returns the chip of a choice, from its label.
fn chip_of(choice: &Choice, card: &Card) -> &'static str {
    let label = choice.label.text(&card.scene());
    let (name, _) = label.split_once(": ").expect("a name, then values");
    match name {
        "A100" => "a100-40",
        "H100" => "h100-sxm",
        "B200" => "b200-sxm",
        "TPU7x" => "tpu-7x",
        name => {
            perfmodel::Chip::all()
                .iter()
                .find(|chip| chip.id == name.to_lowercase().replace(' ', "-"))
                .unwrap_or_else(|| panic!("{name}"))
                .id
        }
    }
}

#[test]
fn a_table_of_chips_is_answered_by_a_quotient_of_its_values() {
    let rank: [fn([f64; 6]) -> f64; 3] = [
        |[price, bandwidth, ..]| price / bandwidth,
        |[price, _, peak, ..]| price / peak,
        |[_, bandwidth, peak, ..]| peak / bandwidth,
    ];
    let orders = ["challenges-chip.3", "challenges-chip.4", "challenges-chip.7"];
    let mut n_orders = 0;
    for (place, card) in tables() {
        let question = card.question.as_ref().expect("a table asks");
        let right = question.right(&card.scene()).expect("a right answer");
        let chips: Vec<&str> = question.choices().iter().map(|choice| chip_of(choice, &card)).collect();
        let judged = question.judge(&card.scene(), &right);
        assert!(judged.verdict == Verdict::Right && !judged.right.contains(':'), "{place}: {judged:?}");
        match right {
            Answer::Order(order) => {
                let nth = orders.iter().position(|one| *one == place).unwrap_or_else(|| panic!("{place}"));
                let values: Vec<f64> = order.iter().map(|&index| rank[nth](data(chips[index]))).collect();
                assert!(values.is_sorted(), "{place}: {chips:?} {values:?}");
                n_orders += 1;
            }
            Answer::Choice(right) => {
                let is_right = |chip: &str| {
                    let [price, bandwidth, bf16, int8, capacity, watts] = data(chip);
                    match place.as_str() {
                        "challenges-chip.5" => chips.iter().all(|other| data(other)[1] <= bandwidth),
                        "challenges-chip.6" => int8 >= 1.9 * bf16 && price / int8 * 1000.0 <= 2.0,
                        "challenges-chip.8" => capacity >= 140.0 && price / bf16 * 1000.0 <= 5.0,
                        "challenges-chip.9" => bf16 >= 200.0 && watts <= 200.0,
                        _ => panic!("{place}"),
                    }
                };
                let found: Vec<usize> = (0..chips.len()).filter(|&nth| is_right(chips[nth])).collect();
                assert_eq!(found, [right], "{place}");
                for wrong in (0..chips.len()).filter(|nth| *nth != right) {
                    let judged = question.judge(&card.scene(), &Answer::Choice(wrong));
                    assert!(judged.verdict == Verdict::Wrong && judged.reason.is_some(), "{place}: {}", chips[wrong]);
                }
            }
            other => panic!("{place}: {other:?}"),
        }
    }
    assert_eq!((n_orders, tables().len()), (3, 7));
}

#[test]
fn a_timetable_makes_c_right_only_where_each_row_waits_a_cycle_longer_than_the_one_above() {
    let scheduled =
        challenges().into_iter().filter_map(|(place, card)| Some((place, card.change.clone()?.skew?, card)));
    let mut n_scheduled = 0;
    for (place, skew, card) in scheduled {
        let change = card.change.as_ref().expect("a challenge");
        n_scheduled += 1;
        // In the tool, the delay of a row can have this many values.
        let most = u64::from(studio::defect::edges_max(&card.plan)) + 1;
        for nth in 0..most.pow(4) {
            let edges = [0, 1, 2, 3].map(|row| nth / most.pow(row) % most);
            let is_even = edges.windows(2).all(|pair| pair[1] == pair[0] + 1);
            let edges = edges.map(|edge| edge.to_string()).join(".");
            let own = DefectName::parse(&format!("skew-{edges}")).expect("a timetable");
            let scene = Scene::new(&card.plan, card.state.cycle);
            assert!(!change.is_met(&scene), "{place}: a machine that nobody schedules meets no goal");
            let is_met = change.is_met(&scene.with_tools(&with_defect(&card, Some(own))));
            // Each row must wait one cycle longer than the row before. If all rows also wait a little longer, the run
            // only ends with a cycle in which nothing happens.
            assert!(is_even || !is_met, "{place}: {edges}");
            assert!(is_met || own != skew, "{place}: {edges}");
        }
    }
    assert_eq!(n_scheduled, 1);
}

/// Returns some values of a field, small and large.
fn some_values(field: Field) -> Vec<String> {
    match field.takes() {
        Takes::Whole { min, max } => {
            [min, 2, 3, 8, 100, 4096].into_iter().filter(|n| (min..=max).contains(n)).map(|n| n.to_string()).collect()
        }
        Takes::OneOf => field.names().into_iter().map(str::to_owned).collect(),
        Takes::TileOrder => systolic::KTiles::NAMES.map(str::to_owned).to_vec(),
        Takes::Chip => ["tpu-v4", "tpu-v5e", "tpu-v6e", "h100"].map(str::to_owned).into(),
        Takes::Matrix => vec!["1".to_owned()],
    }
}

#[test]
fn a_setting_that_a_task_does_not_offer_solves_nothing() {
    let mut n_met = 0;
    for (place, card) in cards::of(Set::Course).into_iter().chain(challenges()) {
        let Some(change) = &card.change else { continue };
        let (own, solution) = (card.state.tools.clone(), change.solved_tools(&card.state.tools));
        let solved = plan_with(&card.plan, &change.solution).expect("it can run");
        assert!(card.is_solved_by(&solved, &solution), "{place}");
        assert!(!card.is_solved_by(&card.plan, &own), "{place}");
        for field in Field::ALL.into_iter().filter(|field| !change.fields.contains(field)) {
            for value in some_values(field) {
                for of in [&card.plan, &solved] {
                    let Ok(read) = field.read(&value) else { continue };
                    let Ok(plan) = plan_with(of, &[(field, read)]) else { continue };
                    if plan == *of {
                        continue;
                    }
                    for tools in [&own, &solution] {
                        let scene = Scene::new(&plan, card.state.cycle).with_tools(tools);
                        n_met += usize::from(change.is_met(&scene));
                        assert!(!card.is_solved_by(&plan, tools), "{place}: {} = {value}", field.id());
                    }
                }
            }
        }
    }
    // Many of these settings meet a goal. An example is K = 1, for which no row has to wait.
    assert!(n_met > 100, "{n_met}");
}

#[test]
fn a_fault_that_a_task_does_not_offer_solves_nothing() {
    for (place, card) in challenges() {
        let Some(change) = &card.change else { continue };
        let solved = plan_with(&card.plan, &change.solution).expect("it can run");
        let own = with_defect(&card, DefectName::parse("skew-0.1.2.3"));
        assert_eq!(card.is_solved_by(&solved, &own), change.skew.is_some(), "{place}");
        assert!(!card.is_solved_by(&solved, &with_defect(&card, None)) || change.skew.is_none(), "{place}");
    }
}

#[test]
fn no_way_to_meet_a_goal_that_can_be_tried_is_better_than_the_best_known() {
    for (place, card) in challenges() {
        let change = card.change.as_ref().expect("a challenge");
        let (Some(Best { of, is_largest, .. }), Some(known)) = (&change.best, change.best_known(&card)) else {
            panic!("{place} compares nothing")
        };
        // This test does not try the schedules that a person sets row by row, because another test does. It counts the
        // best known schedule as one that meets the goal.
        let mut met = usize::from(change.skew.is_some());
        for way in ways(change) {
            let Ok(plan) = plan_with(&card.plan, &way) else { continue };
            let scene = Scene::new(&plan, card.state.cycle);
            if !change.is_met(&scene) {
                continue;
            }
            met += 1;
            let value = of.value(&scene).expect("what is compared has a value where the goal is met").number;
            let is_better = if *is_largest { value > known.number } else { value < known.number };
            assert!(!is_better, "{place}: {way:?} comes to {value}, and {} is said to be best", known.number);
        }
        assert!(met > 0 || change.fields.len() > 1, "{place}: nothing meets the goal");
    }
}

/// Card whose task is to keep B in the PEs. Its state has a flow with right results that keeps the sums in the PEs.
const HOLD_B: &str = "# Build

```lesson
id: build
minutes: 1
aims: build a dataflow
```

## Hold B

```card
kind: change
state: ?flow=along-row%2Calong-col%2Cstays%2C0%2C0
change: flow
goal: flow_wrong = 0 and flow_reach_b = 1 and flow_wires = 0
names: wrong sums, PEs for each element of B, wires
solution: flow=east,stays,south,1,1
```

### Let B stay.
";

#[test]
fn the_flows_that_hold_b_without_wires_are_the_eight_images_of_weight_stationary() {
    let card = lesson::Lesson::read(HOLD_B).expect("no mistake").cards.remove(0);
    let mut met = Vec::new();
    for (a, sums) in Move::ALL.into_iter().flat_map(|a| Move::ALL.map(|sums| (a, sums))) {
        for b in [Move::Stays, Move::East, Move::AlongRow] {
            for [row_delay, col_delay] in [[0, 0], [0, 1], [1, 0], [1, 1], [2, 1], [2, 2]] {
                let flow = Flow { a, b, sums, row_delay, col_delay };
                let tools = Tools { built: Some(Built { flow, cycle: Some(3) }), ..card.state.tools.clone() };
                if card.is_solved_by(&card.plan, &tools) {
                    met.push(flow);
                }
            }
        }
    }
    assert_eq!(met.len(), 8, "{met:?}");
    assert!(met.iter().all(|flow| flow.of(Operand::B) == Move::Stays && flow.row_delay == 1 && flow.col_delay == 1));
    // If the state has no flow, the task is not done.
    assert!(!card.is_solved_by(&card.plan, &Tools::default()));
}
