//! A link is the only save format: readable parameters, matrices in the fragment.
//!
//! `?v=1&rows=8&cols=8&m=128&k=512&n=64&df=ws&dt=int8&t=12#a=1,2;3,4&b=…`
//!
//! A parameter this version does not know is kept and ignored. A value it cannot use gives the default and one notice.

use crate::{Chrome, Field, FillKind, Problem, Scenario, Speed, Theme, View};
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
    /// Parameters that this version does not know.
    pub unknown: Vec<(String, String)>,
    /// What could not be used.
    pub notices: Vec<Notice>,
}

/// Something in a link that could not be used, and what is shown instead.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// A field's value.
    Problem(Problem),
    /// A parameter of the view.
    Parameter {
        /// Its name.
        name: &'static str,
        /// What was given, cut when long.
        given: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// The moment lies after the end of the run.
    PastTheEnd {
        /// What was given.
        given: Cycle,
        /// The last cycle.
        last: Cycle,
    },
    /// Made by a later version of this page.
    LaterVersion {
        /// What was given, cut when long.
        given: String,
    },
    /// Longer than a link may be.
    TooLong,
}

impl Default for Link {
    /// The first screen.
    fn default() -> Self {
        Self {
            scenario: Scenario::default(),
            view: View::default(),
            cycle: Cycle(7),
            speed: Speed::HalfCycles(4),
            unknown: Vec::new(),
            notices: Vec::new(),
        }
    }
}

fn cut(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}

impl Link {
    /// Longest query or fragment that is read, in bytes.
    pub const LENGTH_MAX: usize = 1 << 20;

    /// Reads a query and a fragment, with or without their `?` and `#`. Never fails.
    #[must_use]
    pub fn parse(query: &str, fragment: &str) -> Self {
        let mut link = Self::default();
        if query.len() > Self::LENGTH_MAX || fragment.len() > Self::LENGTH_MAX {
            link.notices.push(Notice::TooLong);
            return link;
        }
        let pairs = |text: &str, mark: char| -> Vec<(String, String)> {
            form_urlencoded::parse(text.trim_start_matches(mark).as_bytes()).into_owned().collect()
        };
        let (query, fragment) = (pairs(query, '?'), pairs(fragment, '#'));
        let mut moment = None;
        for (name, value) in &query {
            if let Some(field) = Field::from_id(name) {
                link.set(field, value);
            } else if name == "t" {
                moment = Some(value.clone());
            } else {
                link.set_view(name, value);
            }
        }
        // Matrices set the sizes they have, so they come after the sizes; the fill that a link names stays named.
        let fill = link.scenario.fill;
        for (name, value) in &fragment {
            match Field::from_id(name) {
                Some(field @ (Field::A | Field::B)) => link.set(field, value),
                _ => link.keep(&format!("#{name}"), value),
            }
        }
        if query.iter().any(|(name, _)| name == Field::Fill.id()) {
            link.scenario.fill = fill;
        }
        let sized = query.iter().any(|(name, _)| Field::from_id(name).is_some());
        match moment {
            Some(text) => match text.trim().parse() {
                Ok(cycle) => link.cycle = Cycle(cycle),
                Err(_) => link.parameter("t", &text, "a whole number from 0"),
            },
            // The moment of the first screen belongs to its run; another run opens at its start.
            None if sized || !fragment.is_empty() => link.cycle = Cycle(0),
            None => {}
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
            // What a link of an earlier version could not say is said only where it is not as it was.
            let is_later = matches!(field, Field::Overlap | Field::Load | Field::Drain);
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
            Chrome::Desk => _ = query.append_pair("ui", "desk"),
        }
        let mut fragment = String::new();
        if scenario.fill == FillKind::Custom {
            for (field, listing) in [(Field::A, &scenario.a), (Field::B, &scenario.b)] {
                if let Some(listing) = listing {
                    let joint = if fragment.is_empty() { "" } else { "&" };
                    // Digits, signs, commas and semicolons are legal in a fragment as they are, and readable.
                    fragment.push_str(&format!("{joint}{}={}", field.id(), listing.to_text()));
                }
            }
        }
        for (name, value) in &self.unknown {
            if let Some(name) = name.strip_prefix('#') {
                let pair = form_urlencoded::Serializer::new(String::new()).append_pair(name, value).finish();
                let joint = if fragment.is_empty() { "" } else { "&" };
                fragment.push_str(&format!("{joint}{pair}"));
            } else {
                query.append_pair(name, value);
            }
        }
        (query.finish(), fragment)
    }

    fn set(&mut self, field: Field, value: &str) {
        if let Err(problem) = self.scenario.set(field, value) {
            self.notices.push(Notice::Problem(problem));
        }
    }

    fn parameter(&mut self, name: &'static str, given: &str, allowed: &'static str) {
        self.notices.push(Notice::Parameter { name, given: cut(given), allowed });
    }

    fn keep(&mut self, name: &str, value: &str) {
        self.unknown.push((name.to_owned(), value.to_owned()));
    }

    fn set_view(&mut self, name: &str, value: &str) {
        match name {
            "v" => {
                if value != "1" {
                    self.notices.push(Notice::LaterVersion { given: cut(value) });
                }
            }
            "pe" => {
                let pair = value.split_once('.').and_then(|(row, col)| Some((row.parse().ok()?, col.parse().ok()?)));
                match pair {
                    Some((row, col)) => self.view.selected = Some(PeId::new(row, col)),
                    None => self.parameter("pe", value, "row.column, as 2.1"),
                }
            }
            "speed" => match Speed::from_id(value) {
                Some(speed) => self.speed = speed,
                None => self.parameter("speed", value, "0.5, 1, 2, 4, 10, 30, 60 or max"),
            },
            "theme" => match Theme::ALL.into_iter().find(|theme| theme.id() == value) {
                Some(theme) => self.view.theme = theme,
                None => self.parameter("theme", value, "auto, light, dark or projector"),
            },
            "ui" => match value {
                "full" => self.view.chrome = Chrome::Full,
                "embed" => self.view.chrome = Chrome::Embed,
                "workbench" => self.view.chrome = Chrome::Workbench,
                "desk" => self.view.chrome = Chrome::Desk,
                _ => self.parameter("ui", value, "full, embed, workbench or desk"),
            },
            _ => self.keep(name, value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PaddingKind;
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
        assert_eq!(link.notices.len(), 4, "{:?}", link.notices);
    }

    #[test]
    fn what_is_not_known_is_kept() {
        let link = Link::parse("rows=8&lesson=3&x=%C3%A9", "note=hi");
        let (query, fragment) = link.to_parts();
        let again = Link::parse(&query, &fragment);
        assert_eq!(again.unknown, link.unknown);
        assert_eq!(again.unknown.len(), 3);
        assert_eq!(again.notices, []);
    }

    #[test]
    fn writing_and_reading_a_link_changes_nothing() {
        let numbers = (1u64..1025, 1u64..1025, 1u64..65_537, 1u64..65_537, 1u64..65_537, 0u64..1_000_000);
        let picks = (0usize..3, 0usize..8, 0usize..3, 0usize..4, 1u64..65_537, 0usize..12);
        let moments = (any::<u64>(), prop::option::of((0u32..256, 0u32..256)), 0usize..8, 0usize..3, any::<bool>());
        let config = proptest::test_runner::Config { cases: 500, failure_persistence: None, ..Default::default() };
        let rng = proptest::test_runner::TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &[9; 32]);
        proptest::test_runner::TestRunner::new_with_rng(config, rng)
            .run(
                &(numbers, picks, moments),
                |((rows, cols, m, k, n, seed), (df, dt, pad, fill, multiple, design), moment)| {
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
                        },
                        cycle: Cycle(t),
                        speed: Speed::ALL[speed],
                        ..Link::default()
                    };
                    let (query, fragment) = link.to_parts();
                    prop_assert_eq!(Link::parse(&query, &fragment), link);
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
                Ok(())
            })
            .expect("never fails");
    }
}
