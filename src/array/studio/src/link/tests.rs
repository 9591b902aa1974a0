//! Tests of links: their text, their meaning, and effects that they must never have.

use super::*;
use crate::compare::Other;
use crate::defect::DefectName;
use crate::follow::{Follow, What};
use crate::{Channel, LearnPage, LessonPlace, Lock, PaddingKind, PagePart};
use proptest::prelude::*;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[test]
fn an_empty_link_is_the_first_screen() {
    assert_eq!(Link::parse("", ""), Link::default());
    assert_eq!(Link::parse("?", "#"), Link::default());
}

#[test]
fn a_bad_value_gives_the_default_and_one_notice_that_names_it() {
    let link = Link::parse("?rows=9999&df=xx&t=soon&theme=pink&ui=embed", "");
    assert_eq!(link.scenario.rows, Scenario::default().rows);
    assert_eq!(link.view.chrome, Chrome::Embed);
    assert_eq!(link.notices.iter().count(), 4, "{:?}", link.notices);
}

#[test]
fn a_link_that_a_mail_or_a_sentence_changed_opens_the_run_that_was_meant() {
    let meant = Link::parse("rows=8&cols=8&m=12&k=8&n=8&df=os&t=9", "");
    for changed in [
        "rows=8&amp;cols=8&amp;m=12&amp;k=8&amp;n=8&amp;df=os&amp;t=9",
        "rows%3D8%26cols%3D8%26m%3D12%26k%3D8%26n%3D8%26df%3Dos%26t%3D9",
        "rows%253D8%2526cols%253D8%2526m%253D12%2526k%253D8%2526n%253D8%2526df%253Dos%2526t%253D9",
        "rows%3D8&cols%3D8&m%3D12&k%3D8&n%3D8&df%3Dos&t%3D9",
        "ROWS=8&COLS=8&M=12&K=8&N=8&DF=OS&T=9",
        "Rows=8&cols=8&m=12&K=8&n=8&df=os&t=9.",
        "rows=8&cols=8&m=12&k=8&n=8&df=os&t=9),",
        "rows=8&cols=8&m=12&k=8&n=8&df=os&t=9%E2%80%9D",
        "rows=8&cols=8&m=12&k=8&n=8&df=os&t=9**",
    ] {
        let link = Link::parse(changed, "");
        assert_eq!((&link.scenario, link.cycle), (&meant.scenario, meant.cycle), "{changed}");
        assert!(link.notices.is_empty(), "{changed}: {:?}", link.notices);
    }
    let own = Link::parse("t=3", "a=1,2;3,4&amp;b=5;6.");
    assert_eq!((own.scenario.m, own.scenario.k, own.scenario.n), (2, 2, 1));
    assert!(own.notices.is_empty(), "{:?}", own.notices);
    // A host keeps its own parameters. If no parameter can be read, a notice says so.
    assert!(Link::parse("utm_source=Mail.&fbclid=Ab%3DC", "").notices.is_empty());
    assert!(Link::parse("zebra%3D1%26lion%3D2", "").notices.iter().eq([&Notice::Unreadable]));
    // A cycle that cannot be read is the first cycle of the run.
    assert_eq!(Link::parse("rows=8&cols=8&t=soon", "").cycle, Cycle(0));
}

#[test]
fn a_matrix_that_another_fill_hides_gives_a_notice() {
    let hidden = Link::parse("?fill=small", "#a=1,2");
    assert_eq!((hidden.scenario.m, hidden.scenario.k, hidden.scenario.fill), (1, 2, FillKind::Small));
    assert!(hidden.notices.iter().eq([&Notice::ListNotShown]));
    // A mail program dropped the matrices: the array of the link is shown, with random numbers.
    let lost = Link::parse("rows=2&m=3&k=2&n=2&fill=custom&t=2", "");
    assert!(lost.notices.iter().eq([&Notice::MatricesMissing]));
    assert!(Plan::new(&lost.scenario).is_ok() && lost.cycle == Cycle(2));
    for (query, fragment) in [("?fill=custom", "#a=1,2"), ("", "#a=1,2"), ("?fill=small", ""), ("?fill=small", "#x=1")]
    {
        assert_eq!(Link::parse(query, fragment).notices.iter().count(), 0, "{query}{fragment}");
    }
}

#[test]
fn a_matrix_has_its_own_sizes_wherever_it_stands() {
    for (query, fragment, sizes) in [
        ("a=1,2&k=3", "", (1, 2, 3)),
        ("b=1;2&n=16&m=5", "", (5, 2, 1)),
        ("k=7", "b=5;6&a=1,2", (1, 2, 1)),
        ("", "b=5;6&a=1,2,3", (1, 2, 1)),
        ("a=1,2&k=3&fill=small", "", (1, 3, 3)),
    ] {
        let link = Link::parse(query, fragment);
        let Scenario { m, k, n, .. } = link.scenario;
        assert_eq!((m, k, n), sizes, "{query}#{fragment}");
        let parts = link.to_parts();
        assert_eq!(Link::parse(&parts.0, &parts.1).to_parts(), parts, "{query}#{fragment}");
    }
}

#[test]
fn unknown_parameters_go_into_the_next_link() {
    let link = Link::parse("rows=8&lesson=3&x=%C3%A9", "note=hi");
    let (query, fragment) = link.to_parts();
    let again = Link::parse(&query, &fragment);
    assert_eq!(again.unknown, link.unknown);
    assert_eq!((again.unknown.of(Part::Query).count(), again.unknown.of(Part::Fragment).count()), (2, 1));
    assert!(again.notices.is_empty());
}

/// Returns the tools of a random link.
fn tools_of((compare, defect, show, follow, repeats_fold): (usize, usize, usize, Option<(usize, u64)>, bool)) -> Tools {
    let pe = PeId::new(3, 70);
    let defects = [
        None,
        Some(DefectName::NoSkew),
        Some(DefectName::LateLane(17)),
        Some(DefectName::OwnSkew {
            edges: core::array::from_fn(|row| [4, 0, 255].get(row).copied().unwrap_or(0)),
            n_rows: 3,
        }),
        Some(DefectName::StuckSum(pe)),
        Some(DefectName::NarrowSum(systolic::Accumulator::Bf16)),
        Some(DefectName::NarrowSum(systolic::Accumulator::F16)),
    ];
    let compared = ["", "df=os", "clock=share&zebra=%26", "rows=0&a=1%2C2%3B3%2C4"];
    Tools {
        compare: (compare > 0).then(|| Other::parse(compared[compare])),
        defect: defects[defect],
        show: Channel::ALL[show],
        picture: crate::Drawing::ALL[show % 6],
        follow: follow.map(|(what, since)| Follow { what: What::ALL[what], since: Cycle(since) }),
        repeats_fold,
        class: systolic::Slot::ALL.get(show + defect).copied(),
        built: ["east,stays,south,0,1", "along-row,along-col,stays,0,0@3"]
            .get(show)
            .and_then(|text| crate::Built::parse(text)),
        learn: repeats_fold.then(|| match show {
            0 => LearnPage::Contents,
            _ => LearnPage::Card(LessonPlace {
                lesson: "wave".to_owned(),
                card: defect + 1,
                version: u32::try_from(show).unwrap_or(0),
                is_result: defect == 0,
            }),
        }),
    }
}

#[test]
fn writing_and_reading_a_link_changes_nothing() {
    let numbers = (1u64..1025, 1u64..1025, 1u64..65_537, 1u64..65_537, 1u64..65_537, 0u64..1_000_000);
    let picks = (0usize..3, 0usize..8, 0usize..3, 0usize..4, 1u64..65_537, 0usize..12);
    let tools = (0usize..4, 0usize..7, 0usize..5, prop::option::of((0usize..3, 0u64..999)), any::<bool>());
    let moments = (any::<u64>(), prop::option::of((0u32..256, 0u32..256)), 0usize..8, 0usize..3, any::<bool>());
    let config = proptest::test_runner::Config { cases: 500, failure_persistence: None, ..Default::default() };
    let rng = proptest::test_runner::TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &[9; 32]);
    proptest::test_runner::TestRunner::new_with_rng(config, rng)
        .run(
            &(numbers, picks, moments, tools),
            |((rows, cols, m, k, n, seed), (df, dt, pad, fill, multiple, design), moment, tools)| {
                let (t, pe, speed, theme, embed) = moment;
                let mut scenario = Scenario {
                    rows,
                    cols,
                    m,
                    k,
                    n,
                    dataflow: systolic::Dataflow::ALL[df],
                    dtype: systolic::Dtype::ALL[dt],
                    padding: PaddingKind::ALL[pad],
                    fill: FillKind::ALL[fill],
                    ..Scenario::default()
                };
                if scenario.padding == PaddingKind::MultipleOfM {
                    scenario.multiple = multiple;
                }
                if fill < 2 {
                    scenario.seed = seed;
                }
                scenario.overlap = systolic::Overlap::ALL[design % 2];
                match scenario.dataflow.hold() {
                    systolic::Hold::Operand => scenario.load = systolic::Load::ALL.get(design / 2 % 3).copied(),
                    systolic::Hold::Result => scenario.drain = systolic::Drain::ALL[design / 6],
                }
                let link = Link {
                    scenario,
                    view: View {
                        selected: pe.map(|(row, col)| PeId::new(row, col)),
                        chrome: if embed { Chrome::Embed } else { Chrome::Full },
                        theme: Theme::ALL[theme],
                        panel: Panel::ALL.get(theme + speed).copied(),
                        lock: Lock::ALL.get(df).map(|lock| List::EMPTY.with(*lock, embed)),
                        hide: List::EMPTY.with(PagePart::ALL[dt % 6], embed),
                    },
                    cycle: Cycle(t),
                    speed: Speed::ALL[speed],
                    tools: tools_of(tools),
                    texts: PartTexts::default()
                        .with(PartText::Ask, format!("chips={m}&x=é"))
                        .with(PartText::Slides, format!("t={t}\nm={m}#é"))
                        .with(PartText::Kiosk, df.to_string()),
                    ..Link::default()
                };
                let (query, fragment) = link.to_parts();
                let again = Link { notices: Notices::default(), ..Link::parse(&query, &fragment) };
                prop_assert_eq!(again, link);
                Ok(())
            },
        )
        .expect("a round trip");
}

#[test]
fn no_text_makes_reading_fail() {
    let config = proptest::test_runner::Config { cases: 2000, failure_persistence: None, ..Default::default() };
    let rng = proptest::test_runner::TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &[8; 32]);
    proptest::test_runner::TestRunner::new_with_rng(config, rng)
        .run(&(".{0,80}", ".{0,80}"), |(query, fragment)| {
            let link = Link::parse(&query, &fragment);
            let (query, fragment) = link.to_parts();
            let again = Link::parse(&query, &fragment);
            prop_assert_eq!(&again.scenario, &link.scenario);
            prop_assert_eq!((&again.tools, &again.texts), (&link.tools, &link.texts));
            Ok(())
        })
        .expect("never fails");
}

#[test]
fn of_a_parameter_that_stands_twice_the_last_value_counts_with_a_notice() {
    let link = Link::parse("rows=8&rows=2&ui=embed&ui=full&t=4&t=5&theme=dark&theme=light&pe=1.1&pe=2.2", "");
    let again = ["rows", "ui", "t", "theme", "pe"].map(Notice::LastCounts);
    assert!(link.notices.iter().eq(&again), "{:?}", link.notices);
    assert_eq!((link.scenario.rows, link.cycle), (2, Cycle(5)));
    let view = View { selected: Some(PeId::new(2, 2)), theme: Theme::Light, ..View::default() };
    assert_eq!(link.view, view);
}

#[test]
fn of_a_tool_or_a_question_that_stands_twice_the_first_value_counts_with_a_notice() {
    let link = Link::parse("cmp=df%3Dos&cmp=df%3Dis&break=no-skew&break=late-1&ask=chips%3D1&ask=chips%3D2", "");
    assert_eq!((link.tools.compare, link.tools.defect), (Some(Other::parse("df=os")), Some(DefectName::NoSkew)));
    assert_eq!(link.texts[PartText::Ask], "chips=1");
    assert!(link.notices.iter().eq(&["cmp", "break", "ask"].map(Notice::Again)), "{:?}", link.notices);
    let link = Link::parse("show=zebra&show=error", "");
    assert_eq!((link.tools.show, link.notices.iter().count()), (Channel::Error, 1), "the first that can be used");
}

#[test]
fn a_link_of_thousands_of_parameters_is_read_so_far_and_that_is_said() {
    let many = |n: usize| "zebra=1&".repeat(n);
    for (query, fragment) in
        [(many(Link::PARAMETERS_MAX), String::new()), (String::new(), "a=x&".repeat(Link::PARAMETERS_MAX))]
    {
        let parse = |more: &str| match fragment.is_empty() {
            true => Link::parse(&format!("{query}{more}"), ""),
            false => Link::parse("", &format!("{fragment}{more}")),
        };
        let is_said = |link: &Link| link.notices.iter().any(|notice| *notice == Notice::TooManyParameters);
        assert!(!is_said(&parse("")), "all of them are read");
        let more = parse("rows=9&b=1");
        assert!(is_said(&more));
        assert_eq!(
            (more.scenario.rows, &more.scenario.b),
            (Scenario::default().rows, &None),
            "what stands behind is left out"
        );
    }
}
