//! What is said of the parameters of a link, where they are listed.

use studio::{Allowed, Entry, Field, Parameter, Tool};

use crate::message::tool_allowed;

/// What a parameter does, in one sentence.
#[must_use]
pub const fn about(entry: Entry) -> &'static str {
    match entry {
        Entry::Version => "The version of links. A link of another version is read as far as it is understood.",
        Entry::Setting(field) => of_field(field),
        Entry::View(parameter) => match parameter {
            Parameter::Cycle => "The cycle that is shown; another run than the first screen's opens at 0.",
            Parameter::Pe => "The PE that the caption is about, by row and column from 0.",
            Parameter::Speed => {
                "Cycles per second once it plays; run shows the whole run in 20 seconds, max in 10 at most."
            }
            Parameter::Theme => "The colors.",
            Parameter::Room => {
                "How much of the page is shown: all of it; in another page a frame, a still picture that plays when it is pressed, the array alone, or questions about models; full screen for a projector; all with the tool that the link uses; or questions about models."
            }
            Parameter::Panel => "The tool that is open beside the array.",
            Parameter::Lock => "The settings that stay as they are. In a frame, the others are then shown.",
            Parameter::Hide => "The parts of the page that are left out.",
        },
        Entry::Tool(tool) => match tool {
            Tool::Compare => "A second run beside the first: the settings in which it differs, escaped.",
            Tool::Defect => "A defect in the machine.",
            Tool::Show => "One number per PE, as a heat map.",
            Tool::Follow => "A number that is followed from the cycle in which it enters.",
            Tool::Repeat => "Playing stays within a fold.",
            Tool::Class => "A class of PE-cycles that is lit up.",
            Tool::Learn => "A card of a lesson beside the array.",
        },
        Entry::Text(name) => match name.as_bytes() {
            b"ask" => "A question about a model on chips, escaped; it shows with ui=desk or ui=answer.",
            b"lengths" => "A question about sequences of many lengths, escaped; it shows with ui=desk or ui=answer.",
            b"failures" => "A question about failures of a long run, escaped; it shows with ui=desk or ui=answer.",
            b"slides" => "Slides: the link of a view on each line, and behind a tab its notes.",
            b"slide" => "The slide that is shown, counted from 1.",
            b"kiosk" => "Kiosk mode: the page plays by itself, and begins again after so many seconds without a touch.",
            _ => "",
        },
    }
}

const fn of_field(field: Field) -> &'static str {
    match field {
        Field::Rows => "Rows of PEs.",
        Field::Cols => "Columns of PEs.",
        Field::M => "Rows of A and C.",
        Field::K => "Columns of A and rows of B: how many products each result adds.",
        Field::N => "Columns of B and C.",
        Field::Dataflow => "What stays in the PEs: weights (ws), results (os) or inputs (is).",
        Field::Dtype => "The number format of A and B.",
        Field::Padding => "What happens where the product does not fill the array: nothing, zeros, or M to a multiple.",
        Field::Multiple => "The multiple of M that pad=m pads to.",
        Field::Fill => "Where the numbers of A and B come from.",
        Field::Seed => "The seed of random numbers.",
        Field::Overlap => "Whether the next fold is loaded while one runs.",
        Field::Load => "How the stationary operand is shifted in.",
        Field::Drain => "How the results of an output-stationary fold leave.",
        Field::Feed => "Whether B is on the chip or waits for the chip's memory.",
        Field::Chip => "The chip whose rates and price are used.",
        Field::Passes => "The bf16 passes in which a TPU multiplies f32.",
        Field::A => "A, its rows between semicolons. It sets m and k.",
        Field::B => "B, its rows between semicolons. It sets k and n.",
    }
}

/// What a parameter takes, in words.
#[must_use]
pub fn takes(entry: Entry) -> String {
    match entry.allowed() {
        Allowed::Whole { min, max: u64::MAX } => format!("a whole number, {min} or more"),
        Allowed::Whole { min, max } => format!("a whole number from {min} to {max}"),
        Allowed::OneOf(names) => names.join(", "),
        Allowed::Some(names) => format!("names between dots out of {}; or none", names.join(", ")),
        Allowed::Place => "row.column, such as 2.1".to_owned(),
        Allowed::Matrix => "rows of numbers, such as 1,2;3,4".to_owned(),
        Allowed::Text => match entry {
            Entry::Tool(tool) => tool_allowed(tool),
            Entry::Text("slides") => "links on lines, escaped".to_owned(),
            _ => "settings of the question, escaped".to_owned(),
        },
    }
}

/// The page and the document.
pub const TITLE: &str = "What a link can say";
/// Under the title.
pub const LEAD: &str = "A link is the only save format of the playground. Parameters follow the ?; a, b and slides follow the #. \
     Links are stable: no parameter changes its meaning. If a value cannot be used, the page takes the default and says so. \
     An unknown parameter stays in the next link, and the page says which known name is close to it.";
/// The columns of the table.
pub const COLUMNS: [&str; 5] = ["parameter", "accepts", "default", "what it does", "example"];
/// The way back to the playground.
pub const BACK: &str = "Open the playground";

/// The heading over a kind of parameters.
#[must_use]
pub const fn group(entry: Entry) -> &'static str {
    match entry {
        Entry::Version | Entry::Setting(_) => "Settings of the run",
        Entry::View(_) => "How it is looked at",
        Entry::Tool(_) => "Tools of the stage",
        Entry::Text(_) => "Parts of the page",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::Link;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn every_parameter_has_its_own_words() {
        let mut said = std::collections::BTreeSet::new();
        for entry in Entry::all() {
            assert!(about(entry).ends_with('.') && said.insert(about(entry)), "{}", entry.name());
            assert!(!takes(entry).is_empty(), "{}", entry.name());
        }
    }

    #[test]
    fn the_sentence_about_a_bad_value_names_all_that_the_table_allows() {
        let plan = studio::Plan::default();
        for entry in Entry::all() {
            let names: Vec<&str> = match entry.allowed() {
                Allowed::OneOf(names) if entry != Entry::Version => names,
                Allowed::Some(names) => names.to_vec(),
                _ => continue,
            };
            let link = Link::parse(&format!("{}=zebra", entry.name()), "");
            let said: String = link.notices.iter().map(|one| crate::message::refused(one, &plan)).collect();
            for name in names {
                assert!(said.contains(name), "{}: {name} is not in {said:?}", entry.name());
            }
        }
    }
}
