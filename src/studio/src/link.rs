//! A link is the only save format: readable parameters, matrices in the fragment.
//!
//! `?v=1&rows=8&cols=8&m=128&k=512&n=64&df=ws&dt=int8&t=12#a=1,2;3,4&b=…`
//!
//! Where a parameter stands twice, the last value that can be used counts; of a tool and of a question the first one does,
//! because such links always showed that. Either way a notice says so. A parameter that this version does not know goes
//! into the next link as it is. A value that cannot be used gives the default and one notice.

use crate::unknown::Part;
use crate::{
    Chrome, EstimateQuery, Field, FillKind, List, Notice, Notices, Panel, Parameter, Scenario, Speed, Theme, Tool,
    Tools, Unknown, View,
};
use systolic::{Cycle, PeId};

/// What a link says.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The settings.
    pub scenario: Scenario,
    /// What is looked at.
    pub view: View,
    /// The moment.
    pub cycle: Cycle,
    /// The speed.
    pub speed: Speed,
    /// The tools of the stage.
    pub tools: Tools,
    /// The entries of the questions about models and chips.
    pub estimate: EstimateQuery,
    /// Parameters that this version does not know.
    pub unknown: Unknown,
    /// What could not be used.
    pub notices: Notices,
}

impl Default for Link {
    /// The first screen.
    fn default() -> Self {
        Self {
            scenario: Scenario::default(),
            view: View::default(),
            cycle: Cycle(7),
            speed: Speed::HalfCycles(4),
            tools: Tools::default(),
            estimate: EstimateQuery::default(),
            unknown: Unknown::default(),
            notices: Notices::default(),
        }
    }
}

/// The parameter of the open tool, and its value where none is open.
const PANEL: &str = Parameter::Panel.id();
const NO_PANEL: &str = "none";
/// The first bit of the fields among what was used, behind those of the parameters of the view.
const FIELD_BIT: u32 = 8;

impl Link {
    /// The longest query or fragment that is read, in bytes.
    pub const LENGTH_MAX: usize = 1 << 20;

    /// Reads a query and a fragment, with or without their `?` and `#`. Never fails.
    #[must_use]
    pub fn parse(query: &str, fragment: &str) -> Self {
        let mut link = Self::default();
        if query.len() > Self::LENGTH_MAX || fragment.len() > Self::LENGTH_MAX {
            link.notices.push(Notice::TooLong);
            return link;
        }
        let (mut is_sized, mut is_filled, mut has_moment, mut has_panel) = (false, false, false, false);
        // A bit for each field and each parameter of the view that was used.
        let mut used = 0u32;
        for (name, value) in form_urlencoded::parse(query.trim_start_matches('?').as_bytes()) {
            if let Some(field) = Field::from_id(&name) {
                (is_sized, is_filled) = (true, is_filled || field == Field::Fill);
                link.set(field, &value, &mut used);
            } else if let Some(tool) = Tool::from_id(&name) {
                link.set_tool(tool, &value);
            } else if let Some((name, text)) = link.estimate.entry(&name) {
                if text.is_empty() {
                    *text = value.into_owned();
                } else {
                    link.notices.push(Notice::Again(name));
                }
            } else {
                has_moment |= name == "t";
                has_panel |= name == PANEL;
                link.set_view(&name, &value, &mut used);
            }
        }
        // Matrices set the sizes they have, so they come after the sizes; a fill that the link names still counts.
        // The address of a word is a place on the page and says nothing of the run.
        let fragment = if crate::word_address(fragment).is_some() { "" } else { fragment };
        let (fill, fragment) = (link.scenario.fill, fragment.trim_start_matches('#'));
        for (name, value) in form_urlencoded::parse(fragment.as_bytes()) {
            match Field::from_id(&name) {
                Some(field @ (Field::A | Field::B)) => link.set(field, &value, &mut used),
                _ => link.keep(Part::Fragment, &name, &value),
            }
        }
        if is_filled {
            link.scenario.fill = fill;
            if fill != FillKind::Custom && (link.scenario.a.is_some() || link.scenario.b.is_some()) {
                link.notices.push(Notice::ListNotShown);
            }
        }
        if !has_panel {
            link.view.panel = link.view.usual_panel(&link.tools, &link.scenario);
        }
        // The moment of the first screen belongs to its run; another run opens at its start.
        if !has_moment && (is_sized || !fragment.is_empty()) {
            link.cycle = Cycle(0);
        }
        link
    }

    /// Query (without `?`) and fragment (without `#`).
    #[must_use]
    pub fn to_parts(&self) -> (String, String) {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("v", "1");
        let (scenario, usual) = (&self.scenario, Scenario::default());
        for field in Field::ALL {
            // What earlier versions had no parameter for is written only where it differs from what they did.
            let is_later = matches!(field, Field::Overlap | Field::Load | Field::Drain | Field::Feed | Field::Passes);
            let says = !is_later || scenario.text(field) != usual.text(field);
            if says && scenario.uses(field) && !matches!(field, Field::A | Field::B) {
                query.append_pair(field.id(), &scenario.text(field));
            }
        }
        query.append_pair("t", &self.cycle.get().to_string());
        if let Some(pe) = self.view.selected {
            query.append_pair("pe", &format!("{}.{}", pe.row, pe.col));
        }
        if self.speed != Self::default().speed {
            query.append_pair("speed", self.speed.id());
        }
        if self.view.theme != Theme::Auto {
            query.append_pair("theme", self.view.theme.id());
        }
        match self.view.chrome {
            Chrome::Full => {}
            Chrome::Embed => _ = query.append_pair("ui", "embed"),
            Chrome::Workbench => _ = query.append_pair("ui", "workbench"),
            Chrome::Estimate => _ = query.append_pair("ui", "desk"),
            Chrome::Present => _ = query.append_pair("ui", "present"),
        }
        for tool in Tool::ALL {
            let text = self.tools.text(tool);
            if !text.is_empty() {
                query.append_pair(tool.id(), &text);
            }
        }
        if self.view.panel != self.view.usual_panel(&self.tools, &self.scenario) {
            query.append_pair(PANEL, self.view.panel.map_or(NO_PANEL, Panel::id));
        }
        if let Some(lock) = self.view.lock {
            query.append_pair(Parameter::Lock.id(), &lock.to_text());
        }
        if self.view.hide != List::EMPTY {
            query.append_pair(Parameter::Hide.id(), &self.view.hide.to_text());
        }
        query.extend_pairs(self.estimate.pairs().filter(|(_, text)| !text.is_empty()));
        let mut fragment = String::new();
        if scenario.fill == FillKind::Custom {
            for (field, matrix) in [(Field::A, &scenario.a), (Field::B, &scenario.b)] {
                if let Some(matrix) = matrix {
                    let joint = if fragment.is_empty() { "" } else { "&" };
                    // Digits, signs, commas and semicolons are legal in a fragment as they are, and readable.
                    fragment.push_str(&format!("{joint}{}={}", field.id(), matrix.to_text()));
                }
            }
        }
        query.extend_pairs(self.unknown.of(Part::Query));
        let rest =
            form_urlencoded::Serializer::new(String::new()).extend_pairs(self.unknown.of(Part::Fragment)).finish();
        if !rest.is_empty() {
            let joint = if fragment.is_empty() { "" } else { "&" };
            fragment.push_str(&format!("{joint}{rest}"));
        }
        (query.finish(), fragment)
    }

    fn set(&mut self, field: Field, value: &str, used: &mut u32) {
        match self.scenario.set(field, value) {
            Ok(()) => self.note_again(FIELD_BIT + field as u32, field.id(), used),
            Err(problem) => self.notices.push(Notice::Problem(problem)),
        }
    }

    /// Notes that a parameter was used, and says so where it was before.
    fn note_again(&mut self, bit: u32, name: &'static str, used: &mut u32) {
        if *used & (1 << bit) != 0 {
            self.notices.push(Notice::LastCounts(name));
        }
        *used |= 1 << bit;
    }

    fn keep(&mut self, part: Part, name: &str, value: &str) {
        if !self.unknown.push(part, name, value) {
            self.notices.push(Notice::TooManyUnknown);
        }
    }

    fn set_tool(&mut self, tool: Tool, text: &str) {
        if !self.tools.text(tool).is_empty() {
            self.notices.push(Notice::Again(tool.id()));
            return;
        }
        if let Err(problem) = self.tools.set(tool, text) {
            self.notices.push(Notice::Tool(problem));
        }
        if let (Tool::Compare, Some(other)) = (tool, &self.tools.compare) {
            self.notices.extend(other.notices());
        }
    }

    fn set_view(&mut self, name: &str, value: &str, used: &mut u32) {
        let (parameter, is_usable) = match name {
            "v" => {
                if value != "1" {
                    self.notices.push(Notice::LaterVersion { given: plain::cut(value) });
                }
                return;
            }
            "t" => (Parameter::Cycle, value.trim().parse().map(|cycle| self.cycle = Cycle(cycle)).is_ok()),
            "pe" => {
                let pair = value.split_once('.').and_then(|(row, col)| Some((row.parse().ok()?, col.parse().ok()?)));
                let pe = pair.map(|(row, col)| PeId::new(row, col));
                self.view.selected = pe.or(self.view.selected);
                (Parameter::Pe, pe.is_some())
            }
            "speed" => (Parameter::Speed, Speed::from_id(value).map(|speed| self.speed = speed).is_some()),
            "theme" => {
                let theme = Theme::ALL.into_iter().find(|theme| theme.id() == value);
                (Parameter::Theme, theme.map(|theme| self.view.theme = theme).is_some())
            }
            "ui" => {
                let chrome = match value {
                    "full" => Some(Chrome::Full),
                    "embed" => Some(Chrome::Embed),
                    "workbench" => Some(Chrome::Workbench),
                    "desk" => Some(Chrome::Estimate),
                    "present" => Some(Chrome::Present),
                    _ => None,
                };
                self.view.chrome = chrome.unwrap_or(self.view.chrome);
                (Parameter::Room, chrome.is_some())
            }
            PANEL => {
                let panel = Panel::from_id(value);
                let is_usable = panel.is_some() || value == NO_PANEL;
                if is_usable {
                    self.view.panel = panel;
                }
                (Parameter::Panel, is_usable)
            }
            "lock" => {
                let lock = List::parse(value);
                self.view.lock = lock.or(self.view.lock);
                (Parameter::Lock, lock.is_some())
            }
            "hide" => (Parameter::Hide, List::parse(value).map(|hide| self.view.hide = hide).is_some()),
            _ => return self.keep(Part::Query, name, value),
        };
        match is_usable {
            true => self.note_again(parameter as u32, parameter.id(), used),
            false => self.notices.push(Notice::Parameter { parameter, given: plain::cut(value) }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Other;
    use crate::defect::DefectName;
    use crate::follow::{Follow, What};
    use crate::{Channel, LessonPlace, Listed, Lock, PaddingKind, PagePart};
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
    fn a_matrix_that_another_fill_hides_gives_a_notice() {
        let hidden = Link::parse("?fill=small", "#a=1,2");
        assert_eq!((hidden.scenario.m, hidden.scenario.k, hidden.scenario.fill), (1, 2, FillKind::Small));
        assert!(hidden.notices.iter().eq([&Notice::ListNotShown]));
        for (query, fragment) in
            [("?fill=custom", "#a=1,2"), ("", "#a=1,2"), ("?fill=small", ""), ("?fill=small", "#x=1")]
        {
            assert_eq!(Link::parse(query, fragment).notices.iter().count(), 0, "{query}{fragment}");
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

    /// The tools of a random link.
    fn tools_of(
        (compare, defect, show, follow, repeats_fold): (usize, usize, usize, Option<(usize, u64)>, bool),
    ) -> Tools {
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
            follow: follow.map(|(what, since)| Follow { what: What::ALL[what], since: Cycle(since) }),
            repeats_fold,
            class: systolic::Slot::ALL.get(show + defect).copied(),
            learn: repeats_fold.then(|| LessonPlace {
                lesson: "wave".to_owned(),
                card: defect + 1,
                is_result: repeats_fold && defect == 0,
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
                        estimate: EstimateQuery { ask: format!("chips={m}&x=é"), ..EstimateQuery::default() },
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
                prop_assert_eq!((&again.tools, &again.estimate), (&link.tools, &link.estimate));
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
        assert_eq!(link.estimate.ask, "chips=1");
        assert!(link.notices.iter().eq(&["cmp", "break", "ask"].map(Notice::Again)), "{:?}", link.notices);
        let link = Link::parse("show=zebra&show=error", "");
        assert_eq!((link.tools.show, link.notices.iter().count()), (Channel::Error, 1), "the first that can be used");
    }
}
