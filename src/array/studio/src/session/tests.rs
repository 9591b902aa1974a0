//! Tests of the state: typing, undoing, opening and writing.

use super::*;
use crate::{Action, Panel, Speed, Transport};
use proptest::prelude::*;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn start() -> (Session, Playhead) {
    Session::open(&Link::default())
}

fn set(field: Field, text: &str) -> Edit {
    Edit::Type(field, text.to_owned())
}

#[test]
fn a_bad_number_leaves_the_last_good_run_and_the_typed_text() {
    let (session, playhead) = start();
    let shown = Arc::clone(&session.plan);
    let (session, playhead, _) = session.applied(&set(Field::Rows, "9999"), playhead);
    assert_eq!(session.plan, shown);
    assert_eq!(session.field_text(Field::Rows), "9999");
    assert_eq!(session.problem(Field::Rows).map(|problem| problem.given.as_str()), Some("9999"));
    let (session, ..) = session.applied(&set(Field::Rows, "8"), playhead);
    assert!(session.problems.is_empty());
    assert_eq!(session.plan.schedule().array().rows(), 8);
}

#[test]
fn pasted_matrices_that_do_not_fit_each_other_are_named_and_then_run() {
    let (session, playhead) = start();
    let (session, playhead, _) = session.applied(&set(Field::A, "1,2,3"), playhead);
    assert!(session.problem(Field::B).is_some(), "B is still to come");
    let (session, playhead, _) = session.applied(&set(Field::B, "1;2"), playhead);
    assert!(!session.problems.is_empty());
    let (session, ..) = session.applied(&set(Field::B, "1;2;3"), playhead);
    assert_eq!(session.problems, []);
    let gemm = session.plan.schedule().gemm();
    assert_eq!((gemm.m(), gemm.k(), gemm.n()), (1, 3, 1));
}

#[test]
fn not_a_number_is_a_number_that_can_be_typed() {
    let query = "rows=2&cols=2&dt=bf16&fill=custom";
    let (session, _) = Session::open(&Link::parse(query, "a=1,nan;1,2&b=1,2;7,1"));
    assert!(!session.is_stale() && session.problems.is_empty());
}

#[test]
fn a_selected_pe_that_no_longer_exists_is_deselected() {
    let (session, playhead) = start();
    let (session, playhead, _) = session.applied(&Edit::Select(Some(PeId::new(3, 3))), playhead);
    let (session, ..) = session.applied(&set(Field::Rows, "2"), playhead);
    assert_eq!(session.view.selected, None);
}

#[test]
fn the_link_of_a_state_opens_the_same_state() {
    let (session, playhead) = start();
    let (session, playhead, _) = session.applied(&set(Field::A, "1,2;3,4"), playhead);
    let (session, playhead, _) = session.applied(&set(Field::B, "5,6;7,8"), playhead);
    let playhead = playhead.moved(Transport::Seek(5), &session.plan);
    let (session, playhead, _) = session.applied(&Edit::Select(Some(PeId::new(1, 0))), playhead);
    let (query, fragment) = session.link(&playhead).to_parts();
    let (again, moment) = Session::open(&Link::parse(&query, &fragment));
    assert_eq!(again.plan, session.plan);
    assert_eq!((again.view, moment.cycle), (session.view, Cycle(5)));
    assert!(again.notices.is_empty());
}

#[test]
fn a_mistake_in_a_field_that_no_longer_counts_is_forgiven() {
    let (session, playhead) = start();
    let (session, playhead, _) = session.applied(&set(Field::Fill, "custom"), playhead);
    let (session, playhead, _) = session.applied(&set(Field::A, "1,x"), playhead);
    assert_eq!(session.problems.len(), 1);
    let (session, playhead, _) = session.applied(&set(Field::Fill, "small"), playhead);
    assert_eq!(session.problems, []);
    assert!(!session.is_stale());
    let (session, ..) = session.applied(&set(Field::Rows, "banana"), playhead);
    assert!(!session.is_stale(), "what is shown is what is set");
    assert_eq!(session.problems.len(), 1);
}

#[test]
fn matrices_of_a_link_that_do_not_fit_stay_in_the_form_to_be_corrected() {
    let (session, playhead) = Session::open(&Link::parse("rows=8&cols=8&df=os&fill=custom", "a=1,2;3,4"));
    assert!(session.is_stale() && !session.notices.is_empty());
    assert_eq!((session.scenario.rows, session.scenario.m, session.scenario.k), (8, 2, 2));
    assert_eq!((session.plan.schedule().array().rows(), session.plan.schedule().gemm().m()), (8, 2), "of its size");
    let (session, ..) = session.applied(&set(Field::B, "1;2"), playhead);
    assert!(!session.is_stale());
    assert!(session.notices.is_empty(), "what is corrected has no notice");
    assert_eq!(session.plan.schedule().array().rows(), 8);
}

#[test]
fn going_to_another_room_is_one_step_and_keeps_the_run() {
    let (session, playhead) = Session::open(&Link::parse("rows=8&cols=8&t=9", ""));
    let (plan, revision) = (Arc::clone(&session.plan), session.revision);
    let (session, playhead, changed) = session.applied(&Edit::Room(Chrome::Estimate), playhead);
    assert_eq!((session.view.chrome, changed), (Chrome::Estimate, Changed::View));
    assert_eq!((&session.plan, session.revision, playhead.cycle), (&plan, revision + 1, Cycle(9)));
    let (session, playhead, changed) = session.applied(&Edit::Room(Chrome::Estimate), playhead);
    assert_eq!((session.revision, changed), (revision + 1, Changed::Nothing));
    assert!(session.link(&playhead).to_parts().0.contains("ui=desk"));
    let (embed, playhead) = Session::open(&Link::parse("ui=embed", ""));
    let (embed, ..) = embed.applied(&Edit::Room(Chrome::Full), playhead);
    assert_eq!(embed.view.chrome, Chrome::Embed);
    let (poster, playhead) = Session::open(&Link::parse("ui=poster", ""));
    let (played, playhead, changed) = poster.clone().applied(&Edit::Room(Chrome::Embed), playhead);
    assert_eq!((played.view.chrome, changed), (Chrome::Embed, Changed::View), "a poster that is played is an embed");
    let (left, ..) = poster.applied(&Edit::Room(Chrome::Present), playhead);
    assert_eq!(left.view.chrome, Chrome::Poster, "nobody leaves it");
    let (answer, playhead) = Session::open(&Link::parse("ui=answer", ""));
    for room in Chrome::ALL {
        let (stays, ..) = answer.clone().applied(&Edit::Room(room), playhead);
        assert_eq!(stays.view.chrome, Chrome::Answer, "nor an answer");
    }
}

#[test]
fn matrices_of_ones_own_begin_as_those_that_are_shown() {
    for query in ["", "rows=3&cols=3&m=2&k=5&n=4&dt=bf16&fill=uniform&seed=3", "dt=f32&fill=uniform", "fill=identity"] {
        let (session, playhead) = Session::open(&Link::parse(query, ""));
        let before = Arc::clone(&session.plan);
        let (session, ..) = session.applied(&set(Field::Fill, "custom"), playhead);
        assert_eq!(session.problems, [], "{query}");
        let gemm = before.schedule().gemm();
        for (i, j) in (0..gemm.m().max(gemm.k())).flat_map(|i| (0..gemm.k().max(gemm.n())).map(move |j| (i, j))) {
            for (was, is) in
                [(&before.operands().a, &session.plan.operands().a), (&before.operands().b, &session.plan.operands().b)]
            {
                assert_eq!(was.at(i, j).to_bits(), is.at(i, j).to_bits(), "{query} {i} {j}");
            }
        }
    }
}

#[test]
fn matrices_of_ones_own_begin_as_a_corner_of_those_that_nobody_could_type() {
    for (query, sizes) in
        [("m=4096&k=4096&n=4096", (16, 16, 16)), ("m=1&k=4096&n=4096", (1, 16, 16)), ("m=9&k=65536&n=1", (9, 16, 1))]
    {
        let (session, playhead) = Session::open(&Link::parse(query, ""));
        let before = Arc::clone(&session.plan);
        let (session, ..) = session.applied(&set(Field::Fill, "custom"), playhead);
        assert!(session.problems.is_empty() && !session.is_stale(), "{query}");
        let gemm = session.plan.schedule().gemm();
        assert_eq!((gemm.m(), gemm.k(), gemm.n()), sizes, "{query}");
        assert_eq!(session.plan.operands().b.at(15, 0).to_bits(), before.operands().b.at(15, 0).to_bits());
    }
}

#[test]
fn matrices_of_ones_own_take_the_sizes_that_are_set_and_lose_nothing_on_the_way() {
    let (session, playhead) = Session::open(&Link::parse("rows=2&cols=2&fill=custom", "a=1,2;3,4&b=5,6;7,8"));
    let text = |session: &Session| (session.field_text(Field::A), session.field_text(Field::B));
    let before = text(&session);
    let (session, playhead, _) = session.applied(&set(Field::K, "1"), playhead);
    assert_eq!((session.problems.len(), text(&session)), (0, ("1;3".to_owned(), "5,6".to_owned())));
    let (session, playhead, _) = session.applied(&Edit::Drag(Field::K, 2), playhead);
    assert_eq!(text(&session), before);
    let (session, playhead, _) = session.applied(&set(Field::M, "3"), playhead);
    assert_eq!(text(&session).0, "1,2;3,4;0,0");
    // A typed matrix replaces the matrix from then on.
    let (session, playhead, _) = session.applied(&set(Field::A, "1,2"), playhead);
    let (session, playhead, _) = session.applied(&set(Field::M, "2"), playhead);
    assert_eq!(text(&session).0, "1,2;0,0");
    // The other matrix follows along K. It has its old numbers again as soon as K allows it.
    let (session, playhead, _) = session.applied(&set(Field::B, "5,6,7"), playhead);
    assert_eq!((session.problems.len(), text(&session)), (0, ("1;0".to_owned(), "5,6,7".to_owned())));
    let (session, ..) = session.applied(&set(Field::K, "2"), playhead);
    assert_eq!(text(&session), ("1,2;0,0".to_owned(), "5,6,7;0,0,0".to_owned()));
}

#[test]
fn a_text_that_cannot_be_used_brings_back_the_run_before_it_was_typed() {
    let typed = |edits: &[(Field, &str)]| {
        let (mut session, mut playhead) = start();
        for (field, text) in edits {
            (session, playhead, _) = session.applied(&set(*field, text), playhead);
        }
        session
    };
    let (rows, m) = (Field::Rows, Field::M);
    for (edits, shown, form) in [
        (&[(rows, "3"), (rows, "30"), (rows, "300"), (rows, "3000")][..], (4, 6), (4, 6)),
        (&[(rows, "40"), (rows, "400"), (rows, "4000"), (rows, "40000")], (4, 6), (4, 6)),
        // The last text again ends the typing, so 8 was asked for.
        (&[(rows, "8"), (rows, "8"), (rows, "80"), (rows, "8000")], (8, 6), (8, 6)),
        // A text that does not continue the last text begins a new typing, so 8 was asked for.
        (&[(rows, "8"), (rows, "9"), (rows, "9x")], (8, 6), (8, 6)),
        (&[(rows, "8"), (m, "7"), (m, "7x")], (8, 6), (8, 6)),
        // The settings of another field join those that were asked for.
        (&[(rows, "3"), (rows, "30"), (rows, "3000"), (m, "9")], (4, 9), (4, 9)),
        // With one letter fewer, the text can be used again.
        (&[(rows, "3"), (rows, "30"), (rows, "3000"), (rows, "300")], (300, 6), (300, 6)),
    ] {
        let session = typed(edits);
        let of = |scenario: &Scenario| (scenario.rows, scenario.m);
        assert_eq!((of(session.plan.scenario()), of(&session.scenario)), (shown, form), "{edits:?}");
    }
    // A matrix that only the number format refuses stays in the form.
    let own = Session::open(&Link::parse("dt=int4&fill=custom", "a=1,2;3,4&b=5,6;7,7"));
    let (session, playhead, _) = own.0.applied(&set(Field::A, "1,2;3,7"), own.1);
    let (session, ..) = session.applied(&set(Field::A, "1,2;3,77"), playhead);
    assert_eq!((session.problems.len(), session.field_text(Field::A).as_str()), (1, "1,2;3,77"));
    assert_eq!(session.plan.scenario().text(Field::A), "1,2;3,4");
}

#[test]
fn a_text_that_cannot_be_used_is_no_step_of_the_history_and_keeps_the_speed() {
    let (mut session, mut playhead) = start();
    (session, playhead, _) = session.applied(&set(Field::M, "7"), playhead);
    let before = (session.revision, playhead.speed);
    let mut speeds = Vec::new();
    for n in 1..=11 {
        (session, playhead, _) = session.applied(&set(Field::N, &"9".repeat(n)), playhead);
        speeds.push(playhead.speed);
    }
    assert!(speeds.contains(&Speed::Run), "a number on the way makes the run long");
    assert_eq!((session.problems.len(), session.revision, playhead.speed), (1, before.0, before.1));
    // N was 3 before the typing, so setting it to 3 adds no step to the history.
    (session, playhead, _) = session.applied(&set(Field::N, "3"), playhead);
    assert_eq!((session.problems.len(), session.revision, playhead.speed), (0, before.0, before.1));
    (session, ..) = session.applied(&set(Field::N, "4"), playhead);
    assert_eq!(session.revision, before.0 + 1);
}

#[test]
fn another_size_leaves_the_moment_where_it_is() {
    let (mut session, mut playhead) = start();
    for (field, text, cycle) in [
        (Field::M, "64", 7),
        (Field::M, "6", 7),
        (Field::Rows, "16", 7),
        (Field::Dataflow, "os", 7),
        // The run takes 4 + 4 + 1 − 2 cycles, so the last one is cycle 6.
        (Field::Rows, "4", 7),
        (Field::N, "1", 7),
        (Field::M, "1", 7),
        (Field::K, "1", 6),
        (Field::K, "9", 6),
    ] {
        (session, playhead, _) = session.applied(&set(field, text), playhead);
        assert_eq!(playhead.cycle, Cycle(cycle), "{field:?} = {text}");
    }
}

#[test]
fn a_number_that_is_dragged_is_one_step_of_the_history_once_it_is_let_go() {
    let (session, playhead) = start();
    let before = session.revision;
    let (session, playhead, _) = session.applied(&Edit::Drag(Field::Rows, 1), playhead);
    let (session, playhead, _) = session.applied(&Edit::Drag(Field::M, 1), playhead);
    assert!(session.is_dragged());
    let (session, playhead, _) = session.applied(&Edit::Drag(Field::M, 80), playhead);
    assert_eq!((session.revision, session.plan.schedule().gemm().m()), (before, 80));
    let trial = session.trial.clone().expect("one");
    assert_eq!((trial.field, trial.before), (Field::M, 6));
    let (session, _, changed) = session.applied(&set(Field::M, "80"), playhead);
    assert_eq!((session.revision, session.is_dragged(), changed), (before + 1, false, Changed::Words));
    assert_eq!(session.trial.map(|trial| trial.before), Some(6), "what it was is still there to be seen");
}

#[test]
fn a_number_that_is_dragged_back_to_where_it_was_is_no_step_and_takes_no_moment_away() {
    let (session, playhead) = Session::open(&Link::parse("rows=2&cols=2&m=2&k=9&n=2&df=os&t=9", ""));
    let before = (session.revision, playhead);
    let (session, playhead, _) = session.applied(&Edit::Drag(Field::K, 1), playhead);
    assert_eq!((session.plan.last(), playhead.cycle), (Cycle(2), Cycle(2)));
    let (session, playhead, _) = session.applied(&Edit::Drag(Field::K, 9), playhead);
    let (session, playhead, _) = session.applied(&set(Field::K, "9"), playhead);
    assert_eq!((session.revision, playhead), before);
}

fn actions() -> impl Strategy<Value = Action> {
    let text = prop_oneof![
        "[0-9]{1,4}",
        "[ -~]{0,12}",
        Just("ws".to_owned()),
        Just("os".to_owned()),
        Just("bf16".to_owned()),
        Just("custom".to_owned()),
        Just("double-buffered".to_owned()),
        Just("diagonal".to_owned()),
        Just("south".to_owned()),
        Just("zero".to_owned()),
        Just("1,2;3,4".to_owned()),
    ];
    let moves = prop_oneof![
        Just(Transport::Toggle),
        Just(Transport::Home),
        Just(Transport::End),
        Just(Transport::NextEvent),
        Just(Transport::PreviousEvent),
        any::<u64>().prop_map(Transport::Seek),
        any::<u64>().prop_map(Transport::Forward),
        any::<u64>().prop_map(Transport::Back),
    ];
    let tool_text = prop_oneof![
        "[ -~]{0,20}",
        Just("df=os&rows=8".to_owned()),
        Just("late-1".to_owned()),
        Just("error".to_owned()),
        Just("sum-3".to_owned()),
        Just("fold".to_owned()),
    ];
    prop_oneof![
        (prop::sample::select(&Field::SLIDERS[..]), 0u64..99)
            .prop_map(|(field, value)| Action::Edit(Edit::Drag(field, value))),
        (prop::sample::select(&Field::ALL[..]), text).prop_map(|(field, text)| Action::Edit(Edit::Type(field, text))),
        (prop::sample::select(&Tool::ALL[..]), tool_text).prop_map(|(tool, text)| Action::Edit(Edit::Tool(tool, text))),
        moves.prop_map(Action::Move),
        any::<f64>().prop_map(Action::Elapse),
        any::<(u32, u32)>().prop_map(|(row, col)| Action::Edit(Edit::Select(Some(PeId::new(row % 9, col % 9))))),
        Just(Action::Edit(Edit::Dismiss)),
        "[ -~]{0,60}".prop_map(|query| Action::Edit(Edit::Open(Box::new(Link::parse(&query, ""))))),
    ]
}

#[test]
fn no_sequence_of_actions_breaks_the_state() {
    let config = proptest::test_runner::Config { cases: 300, failure_persistence: None, ..Default::default() };
    let rng = proptest::test_runner::TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &[7; 32]);
    proptest::test_runner::TestRunner::new_with_rng(config, rng)
        .run(&prop::collection::vec(actions(), 1..30), |actions| {
            let (mut session, mut playhead) = start();
            for action in &actions {
                match action {
                    Action::Edit(edit) => {
                        let before = session.clone();
                        let changed;
                        (session, playhead, changed) = session.applied(edit, playhead);
                        prop_assert_eq!(changed == Changed::Nothing, session == before, "{:?}", edit);
                        prop_assert_eq!(changed == Changed::Plan, session.plan != before.plan, "{:?}", edit);
                        prop_assert!(changed >= Changed::Tools || session.tools == before.tools, "{:?}", edit);
                        prop_assert!(changed >= Changed::View || session.view == before.view, "{:?}", edit);
                    }
                    Action::Move(request) => playhead = playhead.moved(*request, &session.plan),
                    Action::Elapse(seconds) => {
                        playhead = playhead.elapsed(*seconds, &session.plan, session.tools.repeats_fold);
                    }
                }
                prop_assert!(playhead.cycle <= session.plan.last());
                let running = session.problems.is_empty();
                prop_assert!(!running || !session.is_stale());
                // Tools must not panic with any setting.
                let _ = session.tools.compare.as_ref().map(|other| other.plan(session.plan.scenario()));
                let _ = session.tools.defect.map(|named| named.on(&session.plan));
                // A state and its link agree.
                let (query, fragment) = session.link(&playhead).to_parts();
                let again = Link::parse(&query, &fragment);
                prop_assert_eq!(&again.tools, &session.tools);
                prop_assert_eq!((&again.texts, &again.unknown), (&session.texts, &session.unknown));
                prop_assert!(
                    session.pe_at(playhead.cycle).is_none_or(|pe| session.plan.schedule().array().contains(pe))
                );
                prop_assert!(session.view.selected.is_none_or(|pe| session.plan.schedule().array().contains(pe)));
            }
            Ok(())
        })
        .expect("total");
}

#[test]
fn a_tool_opens_as_a_step_and_stays_open_in_the_link() {
    let (session, playhead) = Session::open(&Link::default());
    let (open, playhead, changed) = session.applied(&Edit::Panel(Some(Panel::Folds)), playhead);
    assert_eq!((changed, open.revision), (Changed::View, 1));
    let (open, playhead, changed) = open.applied(&Edit::Panel(Some(Panel::Compare)), playhead);
    assert_eq!((changed, open.revision), (Changed::Tools, 2), "one step for the tool and what it begins with");
    let (query, fragment) = open.link(&playhead).to_parts();
    assert!(query.ends_with("tool=compare"), "{query}");
    let (again, _) = Session::open(&Link::parse(&query, &fragment));
    assert_eq!(again.view.panel, Some(Panel::Compare));
    let (closed, playhead, _) = open.applied(&Edit::Panel(None), playhead);
    assert!(!closed.link(&playhead).to_parts().0.contains("tool"));
}

#[test]
fn a_link_to_the_workbench_opens_the_first_tool_that_it_uses() {
    for (query, panel) in [
        ("ui=workbench", None),
        ("ui=workbench&break=late-1&show=sum", Some(Panel::Break)),
        ("ui=workbench&cmp=df%3Dos&break=late-1", Some(Panel::Compare)),
        ("ui=workbench&show=sum", Some(Panel::Heat)),
        ("ui=workbench&pe=1.1", Some(Panel::Pe)),
        ("ui=workbench&overlap=double-buffered", Some(Panel::Folds)),
        ("ui=workbench&break=late-1&tool=none", None),
        ("ui=embed&break=late-1", None),
        ("ui=embed&break=late-1&tool=break", Some(Panel::Break)),
    ] {
        let link = Link::parse(query, "");
        assert_eq!((link.view.panel, link.notices.is_empty()), (panel, true), "{query}");
        let (query, fragment) = link.to_parts();
        assert_eq!(Link::parse(&query, &fragment).view, link.view, "{query}");
    }
    assert_eq!(Link::parse("tool=zebra", "").notices.iter().count(), 1);
}

#[test]
fn an_order_of_tiles_that_does_not_fit_leaves_the_rest_of_the_run() {
    let session = Session::open(&Link::parse("k=10&ktiles=down", "")).0;
    let why = Why::NotAllTiles { k: 10, rows: 4 };
    assert_eq!(session.problems, [Problem::new(Field::KTiles, "down", why)]);
    assert_eq!(*session.plan, Plan::new(&Scenario { k: 10, ..Scenario::default() }).expect("a run"));
}

#[test]
fn a_link_whose_adder_does_not_fit_shows_the_adder_of_its_run() {
    for (query, fragment) in [
        ("dt=f32&adder=h100", ""),
        ("dt=int8&adder=tpu", ""),
        ("rows=4&m=4&k=8&n=4&dt=bf16&adder=h100", ""),
        ("dt=f32&adder=a100", "a=1.5,2&b=3;4"),
    ] {
        let link = Link::parse(query, fragment);
        let (session, _) = Session::open(&link);
        let scenario = Scenario { adder: Adder::F32, ..link.scenario.clone() };
        assert_eq!(*session.plan, Plan::new(&scenario).expect("a run"), "{query}: the rest is the link's");
        assert_eq!(session.field_text(Field::Adder), "f32", "{query}");
        assert_eq!((&session.scenario, session.problems.len()), (&scenario, 0), "{query}");
        let told = |one: &Notice| matches!(one, Notice::Problem(of) if of.field == Field::Adder && of.given != "f32");
        assert_eq!(session.notices.iter().filter(|one| told(one)).count(), 1, "{query}");
    }
    // If another setting is contradictory too, all settings stay as the link has them.
    let (session, _) = Session::open(&Link::parse("k=10&ktiles=down&adder=h100", ""));
    assert_eq!((session.field_text(Field::Adder).as_str(), session.problems.is_empty()), ("h100", false));
}
