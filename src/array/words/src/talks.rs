//! Ready talks: slides with sentences, times and notes, in `course/talks`.

use studio::{Chrome, Deck, Link, PartText, PartTexts};

/// A ready talk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Talk {
    /// Name of the talk.
    pub title: &'static str,
    /// File of its slides.
    file: &'static str,
    /// Seconds without a touch after which the talk plays by itself at a stand. `None` for a talk that a speaker gives.
    idle_sec: Option<u32>,
}

/// Heading of the talks among the examples.
pub const HEADING: &str = "Talks";

impl Talk {
    /// All talks.
    pub const ALL: [Self; 4] = [
        Self {
            title: "What a TPU is",
            file: include_str!("../../../../course/talks/what-a-tpu-is.txt"),
            idle_sec: None,
        },
        Self {
            title: "Three dataflows",
            file: include_str!("../../../../course/talks/three-dataflows.txt"),
            idle_sec: None,
        },
        Self { title: "Why 40 % MFU", file: include_str!("../../../../course/talks/why-40-mfu.txt"), idle_sec: None },
        Self { title: "At a stand", file: include_str!("../../../../course/talks/at-a-stand.txt"), idle_sec: Some(60) },
    ];

    /// Returns the slides; empty if the file cannot be read.
    #[must_use]
    pub fn deck(&self) -> Deck {
        Deck::of_file(self.file).unwrap_or_default()
    }

    /// Returns the link that shows the first slide to an audience.
    #[must_use]
    pub fn link(&self) -> Option<Link> {
        let mut link = self.deck().shown(0, &PartTexts::default())?;
        link.view.chrome = Chrome::Present;
        if let Some(seconds) = self.idle_sec {
            link.texts = link.texts.with(PartText::Kiosk, seconds.to_string());
        }
        Some(link)
    }

    /// Returns the number of slides and the planned time, such as `9 slides, 10 minutes`.
    #[must_use]
    pub fn length(&self) -> String {
        let deck = self.deck();
        let seconds: u32 = (0..deck.len()).filter_map(|index| deck.said(index)).map(|said| said.seconds).sum();
        format!("{} slides, {}", deck.len(), crate::count::counted(seconds.div_ceil(60).into(), "minute"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::Plan;

    #[test]
    fn each_talk_has_the_length_that_it_promises_and_slides_that_run() {
        let lengths = Talk::ALL.map(|talk| talk.length());
        assert_eq!(
            lengths,
            ["11 slides, 10 minutes", "8 slides, 8 minutes", "9 slides, 12 minutes", "4 slides, 1 minute"]
        );
        for talk in Talk::ALL {
            let deck = talk.deck();
            for index in 0..deck.len() {
                let link = deck.shown(index, &PartTexts::default()).expect("a slide");
                assert!(link.notices.is_empty() && link.unknown == studio::Unknown::default(), "{link:?}");
                let plan = Plan::new(&link.scenario).expect("a run");
                assert!(link.cycle <= plan.last(), "{}: slide {}", talk.title, index + 1);
                let said = deck.said(index).expect("words");
                let n_letters = said.title.chars().count();
                assert!((1..=52).contains(&n_letters), "{} has {n_letters} letters", said.title);
                assert!(!said.notes.is_empty() && said.seconds > 0, "{}", said.title);
                assert!(said.stop.is_none_or(|stop| said.plays && stop < plan.last().get()), "{}", said.title);
            }
        }
    }

    /// Writes the first element of C as a sum of products: `3·3 + 7·(−8) = −47`.
    fn sum_of_products(plan: &Plan) -> String {
        let prober = plan.prober();
        let element = |operand, row, col| studio::value_text::fitting(prober.element(operand, row, col).value, 9);
        let signed = |text: String| if text.starts_with('−') { format!("({text})") } else { text };
        let term = |k: u64| {
            let (a, b) = (element(systolic::Operand::A, 0, k), element(systolic::Operand::B, k, 0));
            format!("{}·{}", if k == 0 { a } else { signed(a) }, signed(b))
        };
        let terms: Vec<String> = (0..plan.schedule().gemm().k()).map(term).collect();
        format!("{} = {}", terms.join(" + "), studio::value_text::fitting(plan.result()[0], 9))
    }

    /// Checks that every number in the words of a slide is a number of its run.
    #[test]
    fn the_numbers_that_a_talk_speaks_of_are_those_of_its_runs() {
        // These numbers are not from the run. The sizes of real models are multiples of 128. An MFU is at most 100%,
        // and the price of a full array is 1.
        const FACTS: [&str; 3] = ["128", "100", "1"];
        let mut n_numbers = 0;
        for talk in Talk::ALL {
            let deck = talk.deck();
            for index in 0..deck.len() {
                let link = deck.shown(index, &PartTexts::default()).expect("a slide");
                let plan = Plan::new(&link.scenario).expect("a run");
                let schedule = plan.schedule();
                let (run, array) = (schedule.run(), schedule.array());
                let second = link.tools.compare.as_ref().map(|other| other.plan(&link.scenario).expect("a run"));
                let numbers = [
                    second.as_ref().map_or(0, |plan| plan.schedule().cycles().get()),
                    run.m(),
                    run.k(),
                    run.n(),
                    array.rows().into(),
                    array.cols().into(),
                    array.pes(),
                    schedule.cycles().get(),
                    schedule.folds(),
                    schedule.load_cycles().get(),
                    schedule.tally().useful.get(),
                    schedule.pe_cycles().get(),
                    0,
                ];
                let said = deck.said(index).expect("words");
                let text = format!("{} {}", said.title, said.notes).replace("TPU v4", "");
                let mfu = crate::busy::share(&schedule.tally());
                let text = text.replace(&mfu, "").replace(&sum_of_products(&plan), "");
                for number in text.split(|letter: char| !letter.is_ascii_digit()).filter(|number| !number.is_empty()) {
                    n_numbers += 1;
                    let is_known = numbers.iter().any(|one| one.to_string() == number) || FACTS.contains(&number);
                    // A number may also be a position in the list of losses.
                    let is_order = said.title.starts_with(&format!("Loss {number}"));
                    assert!(is_known || is_order, "{}: {number} in {text}", talk.title);
                }
            }
        }
        assert!(n_numbers >= 20, "{n_numbers}");
    }
}
