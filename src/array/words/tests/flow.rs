//! Tests of sentences about custom dataflows: their numbers and formulas are those of the run.

use systolic::flow::{FaultKind, Flow, FlowRun, Goal, Label, Meeting, Move};
use systolic::{Dataflow, Dtype, Fill, Gemm, Mkn, Operand, Operands, PeId};
use words::flow;

fn run(flow: Flow, [m, k, n]: [u64; 3]) -> FlowRun {
    let gemm = Gemm::new(m, k, n).expect("small");
    let operands = Operands::filled(gemm, Fill::Small { seed: 7 }, Dtype::Int8);
    FlowRun::new(flow, gemm, &operands).expect("small")
}

fn run_of(text: &str) -> FlowRun {
    run(text.parse().expect("a flow"), [4, 4, 4])
}

/// Returns flows with all combinations of moves, each with four pairs of delays.
fn flows() -> impl Iterator<Item = Flow> {
    let moves = Move::ALL.into_iter().flat_map(|a| Move::ALL.into_iter().map(move |b| (a, b)));
    let moves = moves.flat_map(|(a, b)| Move::ALL.into_iter().map(move |sums| (a, b, sums)));
    moves.flat_map(|(a, b, sums)| {
        [(1, 1), (0, 0), (0, 1), (2, 1)].map(|(row_delay, col_delay)| Flow { a, b, sums, row_delay, col_delay })
    })
}

fn products([m, k, n]: [u64; 3]) -> impl Iterator<Item = Mkn> {
    let pairs = (0..m).flat_map(move |m| (0..k).map(move |k| (m, k)));
    pairs.flat_map(move |(m, k)| (0..n).map(move |n| Mkn { m, k, n }))
}

/// Returns the value of a formula in a text, such as `3 − n + 2k`.
fn value(formula: &str, at: Mkn) -> i64 {
    let text = formula.replace([' ', '(', ')'], "").replace('−', "-");
    let mut terms: Vec<String> = vec![String::new()];
    for letter in text.chars() {
        if ['+', '-'].contains(&letter) && !terms.last().is_none_or(String::is_empty) {
            terms.push(String::new());
        }
        terms.last_mut().expect("one").push(letter);
    }
    let term = |term: &String| {
        let (sign, term) = term.strip_prefix('-').map_or((1, term.trim_start_matches('+')), |rest| (-1, rest));
        let index = |letter| {
            i64::try_from(match letter {
                'm' => at.m,
                'k' => at.k,
                _ => at.n,
            })
            .expect("small")
        };
        let (digits, factor) = match term.chars().last() {
            Some(letter @ ('m' | 'k' | 'n')) => (&term[..term.len() - 1], index(letter)),
            _ => (term, 1),
        };
        sign * factor * if digits.is_empty() { 1 } else { digits.parse::<i64>().expect("a number") }
    };
    terms.iter().map(term).sum()
}

#[test]
fn captions_and_faults_say_what_the_pictures_of_the_design_say() {
    let wrong = run_of("east,stays,south,0,1");
    let caption = flow::caption(&wrong, 1);
    assert_eq!(caption.headline, "Cycle 1: 1 PE multiplies the wrong pair");
    assert_eq!(
        caption.sentence,
        "2 PEs multiply the right pair. In 5 PEs, an element of A passes and no sum is there."
    );
    let fault = wrong.first_fault().expect("a fault");
    assert_eq!(flow::fault_title(&fault), "First wrong pair: cycle 1, PE 1,0");
    let expected = "The sum of c[0,0] needs a[0,1] = 7. It meets a[1,1] = −4, which comes 1 cycle too early.";
    assert_eq!(flow::fault(&wrong, &fault), expected);
    assert_eq!(flow::wrong_sums(&wrong), "16 of 16 sums are wrong.");
    let sentences: Vec<String> = flow::where_and_when(&wrong).iter().map(flow::PlaceAndCycle::sentence).collect();
    assert_eq!(sentences, ["a[m,k] is in PE k,n in cycle m + 0 + n.", "c[m,n] is in PE k,n in cycle m + k + n."]);
    assert_eq!(flow::conclusion(&wrong.flow().verdict(wrong.gemm())), "Equal only if k = 0.");
    let right = run_of("east,stays,south,1,1");
    let caption = flow::caption(&right, 5);
    assert_eq!(caption.headline, "Cycle 5: 3 right sums leave at once");
    assert_eq!(
        caption.sentence,
        "c[0,2], c[1,1] and c[2,0] are in the last PE. 12 of 16 PEs multiply, and each element of A meets its sum."
    );
    assert_eq!(flow::equals(right.flow()).as_deref(), Some("This is weight-stationary, the array of a TPU."));
    assert_eq!(flow::wrong_sums(&right), "0 of 16 sums are wrong: the array multiplies.");
    let same: Flow = "east,east,stays,1,1".parse().expect("a flow");
    let expected = "A and B both move east, so they never part. Let one of them move south.";
    assert_eq!(flow::refusal(same).as_deref(), Some(expected));
    let wired = flow::wires(&run_of("along-row,stays,along-col,0,0")).expect("wires");
    assert!(wired.starts_with("8 wires pass up to 3 steps from PE to PE in one cycle, 24 together."), "{wired}");
}

#[test]
fn a_mirror_image_says_from_where_its_rows_and_columns_count() {
    for (text, wanted) in [
        ("east,stays,south,1,1", None),
        ("east,stays,north,1,1", Some("The rows count from the south.")),
        ("west,stays,south,1,1", Some("The columns count from the east.")),
        ("west,stays,north,0,1", Some("The rows count from the south, and the columns from the east.")),
    ] {
        let run = run_of(text);
        assert_eq!(flow::numbering(&run), wanted, "{text}");
        assert!(wanted.is_none_or(|wanted| flow::caption(&run, 1).sentence.ends_with(wanted)), "{text}");
    }
    // The sum of c[0,0] is in the lower right PE and goes north. In the next cycle, it needs the next element of A.
    let run = run_of("west,stays,north,0,1");
    assert_eq!(flow::fault_title(&run.first_fault().expect("a fault")), "First wrong pair: cycle 1, PE 1,0");
    let sentences: Vec<String> = flow::where_and_when(&run).iter().map(flow::PlaceAndCycle::sentence).collect();
    assert_eq!(sentences, ["a[m,k] is in PE k,n in cycle m + 0 + n.", "c[m,n] is in PE k,n in cycle m + k + n."]);
}

#[test]
fn each_headline_has_the_number_of_its_meetings() {
    let mut n = 0;
    for run in flows().map(|flow| run(flow, [3, 3, 3])) {
        for cycle in 0..run.n_cycles() {
            let [right, wrong] = [Meeting::Right, Meeting::Wrong].map(|meeting| run.n_meetings(cycle, meeting));
            let flow::Caption { headline, sentence } = flow::caption(&run, cycle);
            let event = headline.strip_prefix(&format!("Cycle {cycle}: ")).expect("the cycle");
            let number = |text: &str| text.split(' ').next().and_then(|word| word.parse::<u64>().ok());
            if event.contains("wrong pair") {
                assert_eq!(number(event), Some(wrong), "{headline}");
            } else if event.contains("right pair") {
                assert_eq!((number(event), wrong), (Some(right), 0), "{headline}");
            } else if event.contains("no PE") {
                assert_eq!(right + wrong, 0, "{headline}");
            } else if event.contains("collisions") {
                assert!(run.collisions().iter().any(|fault| fault.cycle == cycle), "{headline}");
            } else {
                assert!(event.contains("sum") && run.flow().sums != Move::Stays && wrong == 0, "{headline}");
            }
            let multiplying = sentence.split(". ").find(|part| part.contains("multipl")).expect("the PEs");
            assert_eq!(number(multiplying), Some(right), "{sentence}");
            n += 1;
        }
    }
    assert!(n > 8_000, "{n}");
}

#[test]
fn the_formulas_of_right_flows_name_the_pe_and_the_cycle_of_each_product() {
    let sides = [3, 4, 2];
    let mut n = 0;
    for run in flows().map(|flow| run(flow, sides)).filter(|run| run.flow().verdict(run.gemm()).is_right()) {
        for formula in flow::where_and_when(&run) {
            let (row, col) = formula.place["PE ".len()..].split_once(',').expect("a row and a column");
            let cycle: Vec<&str> = formula.cycle.iter().map(|term| term.text.as_str()).collect();
            assert!(formula.cycle.iter().all(|term| !term.differs), "{}", run.flow());
            for product in products(sides) {
                let at = |text: &str| value(text, product).unsigned_abs();
                let pe = [at(row), at(col)].map(|index| u32::try_from(index).expect("small"));
                let pe = run.counted(PeId::new(pe[0], pe[1]));
                let state = run.at(at(&cycle.join(" ")), pe).expect("inside the array");
                assert!(state.has(Label::of(formula.operand, product)), "{}: {}", run.flow(), formula.sentence());
                n += 1;
            }
        }
    }
    assert!(n > 2_000, "{n}");
}

#[test]
fn the_conclusion_is_true_for_exactly_the_products_with_equal_cycles() {
    let (sides, mut n) = ([3, 3, 3], 0);
    for flow in flows() {
        let run = run(flow, sides);
        let verdict = flow.verdict(run.gemm());
        let Some([one, other]) = verdict.apart else { continue };
        let text = flow::conclusion(&verdict);
        let equations = text.strip_prefix("Equal only if ").and_then(|text| text.strip_suffix('.')).expect("equations");
        for product in products(sides) {
            let holds = equations.split(" and ").flat_map(|part| part.split(", ")).all(|equation| {
                let (left, right) = equation.split_once(" = ").expect("an equation");
                value(left, product) == value(right, product)
            });
            let [one, other] = [one, other].map(|operand| verdict.cycle(operand).expect("moves").at(product));
            assert_eq!(holds, one == other, "{flow}: {text} {product:?}");
            n += 1;
        }
    }
    assert!(n > 10_000, "{n}");
}

#[test]
fn a_fault_has_the_values_and_the_cycles_of_the_run() {
    let mut n = [0; 3];
    for run in flows().map(|flow| run(flow, [3, 3, 3])) {
        let Some(fault) = run.first_fault() else { continue };
        let text = flow::fault(&run, &fault);
        let at = |cycle: i64, label: Label| {
            run.at(u64::try_from(cycle).expect("in the run"), fault.pe).is_some_and(|state| state.has(label))
        };
        let cycle = i64::try_from(fault.cycle).expect("small");
        match fault.kind {
            FaultKind::Collision { kept, lost } => {
                assert!(text.contains(&flow::name(kept)) && text.contains(&flow::name(lost)), "{text}");
                assert!(at(cycle, kept) && !at(cycle, lost), "{text}");
                n[0] += 1;
            }
            FaultKind::Mismatch { partner, needed, came, early } => {
                assert!(at(cycle, partner) && !at(cycle, needed), "{text}");
                if needed.operand != Operand::C {
                    assert!(text.contains(&format!("{} = {}", flow::name(needed), flow::number(run.value(needed)))));
                }
                n[1] += 1;
                if let (Some(came), Some(early)) = (came, early) {
                    let others = [Operand::A, Operand::B, Operand::C].into_iter().filter(|&it| it != came.operand);
                    let same =
                        |free: u64| others.clone().all(|it| at(cycle + early, Label::of(it, came.product(free))));
                    assert!((0..3).any(same), "{}: {text}", run.flow());
                    let word = if early > 0 { "early" } else { "late" };
                    let cycles = format!("comes {} cycle", early.unsigned_abs());
                    assert!(text.contains(word) && text.contains(&cycles), "{text}");
                    n[2] += 1;
                }
            }
        }
    }
    assert!(n.iter().all(|&n| n > 50), "{n:?}");
}

#[test]
fn the_move_that_a_refusal_recommends_gives_a_right_flow() {
    let mut n = 0;
    for flow in flows().filter(|flow| (flow.row_delay, flow.col_delay) == (1, 1)) {
        let unit = |flow: Flow| [flow.a, flow.b, flow.sums].iter().all(|motion| !motion.is_broadcast());
        let Some(pair) = flow.equal_steps() else {
            assert_eq!(flow::refusal(flow), None);
            continue;
        };
        let text = flow::refusal(flow).expect("a refusal");
        let all_equal = flow.a.step() == flow.b.step() && flow.b.step() == flow.sums.step();
        if !unit(flow) || all_equal {
            continue;
        }
        let remedy = match text.rsplit_once("Let one of them ").expect("a remedy").1 {
            "stay." => Move::Stays,
            other => other.trim_start_matches("move ").trim_end_matches('.').parse().expect("a move"),
        };
        let changed = pair.map(|operand| match operand {
            Operand::A => Flow { a: remedy, ..flow },
            Operand::B => Flow { b: remedy, ..flow },
            Operand::C => Flow { sums: remedy, ..flow },
        });
        let gemm = Gemm::new(4, 4, 4).expect("small");
        assert!(changed.iter().any(|flow| flow.verdict(gemm).is_right()), "{flow}: {text}");
        n += 1;
    }
    assert_eq!(n, 60);
}

#[test]
fn elements_of_a_flow_in_which_nothing_stays_are_two_pes_apart() {
    let mut n_flows = 0;
    for run in flows().map(|flow| run(flow, [4, 4, 4])).filter(|run| Goal::NothingStays.is_reached(run)) {
        let text = flow::why_every_other(run.flow()).expect("a reason");
        let is_in_rows = text.contains("two columns apart");
        assert!(is_in_rows != text.contains("two rows apart"), "{text}");
        for cycle in 0..run.n_cycles() {
            let works: Vec<PeId> =
                run.pes(cycle).filter(|(_, state)| state.meeting == Meeting::Right).map(|(pe, _)| pe).collect();
            for (one, other) in works.iter().flat_map(|one| works.iter().map(move |other| (one, other))) {
                let [rows, cols] = [one.row.abs_diff(other.row), one.col.abs_diff(other.col)];
                let (along, across) = if is_in_rows { (cols, rows) } else { (rows, cols) };
                assert!(one == other || across > 0 || along >= 2, "{}: {one:?} {other:?}", run.flow());
            }
        }
        n_flows += 1;
    }
    assert_eq!(n_flows, 24);
    assert_eq!(flow::why_every_other(Flow::named(Dataflow::WeightStationary)), None);
}

#[test]
fn goals_are_reached_in_words_when_they_are_reached_in_the_array() {
    let (mut reached, mut not) = (0, 0);
    for run in flows().map(|flow| run(flow, [3, 3, 3])) {
        for goal in Goal::ALL {
            let text = flow::goal_verdict(goal, &run);
            assert_eq!(text.starts_with("Reached"), goal.is_reached(&run), "{}: {text}", run.flow());
            assert!(text.starts_with("Reached") || text.starts_with("Not yet"), "{text}");
            if goal.is_reached(&run) { reached += 1 } else { not += 1 }
        }
    }
    assert!(reached >= 60 && not > 1_000, "{reached} {not}");
    assert_eq!(flow::progress(Goal::WeightsStay, 3), "3 of 8");
}

#[test]
fn no_sentence_is_long_or_unfinished() {
    let mut texts: Vec<String> = Goal::ALL.into_iter().flat_map(flow::hints).map(str::to_owned).collect();
    for run in flows().map(|flow| run(flow, [3, 3, 3])) {
        let flow = run.flow();
        texts.extend((0..run.n_cycles()).map(|cycle| flow::caption(&run, cycle).sentence));
        texts.extend(run.first_fault().map(|fault| flow::fault(&run, &fault)));
        texts.extend(Goal::ALL.map(|goal| flow::goal_verdict(goal, &run)));
        texts.extend(
            [flow::wires(&run), flow::refusal(flow), flow::why_every_other(flow), flow::equals(flow)]
                .into_iter()
                .flatten(),
        );
        texts.push(flow::conclusion(&flow.verdict(run.gemm())));
    }
    for text in texts {
        assert!(text.ends_with(['.', '?']) && !text.contains("  "), "{text}");
        for sentence in text.split(['.', '?']) {
            assert!(sentence.split_whitespace().count() <= 25, "{sentence}");
        }
        let begins = |sentence: &str| {
            sentence.chars().next().is_none_or(|first| !first.is_lowercase() || sentence.contains('['))
        };
        assert!(text.split(". ").all(begins), "{text}");
    }
}
