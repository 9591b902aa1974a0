//! Texts of the table of link parameters.

use studio::{Allowed, Entry, Field, Parameter, PartText, Tool};

use crate::message::tool_text;

/// Returns a sentence about the effect of a parameter.
#[must_use]
pub const fn about(entry: Entry) -> &'static str {
    match entry {
        Entry::Version => {
            "Version of the link format. If the version differs, the page reads only the parts that it understands."
        }
        Entry::Setting(field) => of_field(field),
        Entry::View(parameter) => match parameter {
            Parameter::Cycle => {
                "Cycle that the page shows. Without this parameter, a run opens at cycle 0; only the first screen opens at a later cycle."
            }
            Parameter::Pe => "Row and column of the PE that the caption describes, counted from 0.",
            Parameter::Speed => {
                "Cycles per second during playback. With speed=run, the whole run takes 20 seconds; with speed=max, the whole run takes at most 10 seconds."
            }
            Parameter::Theme => "Colors of the page.",
            Parameter::Room => {
                "Layout. full: whole page; embed, poster, bare, answer: for embedding; present: for a projector; workbench: whole page with the first tool of the link open; desk: model estimates."
            }
            Parameter::Panel => "Tool that is open next to the array.",
            Parameter::Lock => {
                "Settings that readers cannot change. An embedded frame with this parameter shows all other settings."
            }
            Parameter::Hide => "Parts of the page that are hidden.",
        },
        Entry::Tool(tool) => match tool {
            Tool::Compare => {
                "Second run, next to the first run. The percent-encoded value has only the settings that differ from the first run."
            }
            Tool::Defect => "Fault in the array.",
            Tool::Show => "Heat map: one number per PE.",
            Tool::Picture => "Drawing of the run in place of the array.",
            Tool::Follow => {
                "Value that the page follows through the array. The link names a register of the selected PE, and a cycle in which the register held the value."
            }
            Tool::Repeat => "Playback repeats one fold.",
            Tool::Flow => {
                "Dataflow that a person builds: the moves of A, B and the sums, and the delays of rows and columns. The cycle that the page shows can follow."
            }
            Tool::Class => "Class of PE-cycles that the page highlights.",
            Tool::Learn => "Lesson card next to the array, or the list of all lessons.",
        },
        Entry::Text(of) => match of {
            PartText::Ask => "Percent-encoded question about a model on chips; visible with ui=desk or ui=answer.",
            PartText::Lengths => {
                "Percent-encoded question about sequences of different lengths; visible with ui=desk or ui=answer."
            }
            PartText::Failures => {
                "Percent-encoded question about failures of a long run; visible with ui=desk or ui=answer."
            }
            PartText::Slides => {
                "Slides, one per line: the link of the slide and, after tabs, its sentence, its time and its notes."
            }
            PartText::Slide => "Slide that the page shows, counted from 1.",
            PartText::Kiosk => {
                "Kiosk mode: the page plays the run, and restarts after this many seconds without input."
            }
        },
    }
}

const fn of_field(field: Field) -> &'static str {
    match field {
        Field::Rows => "Rows of PEs.",
        Field::Cols => "Columns of PEs.",
        Field::M => "Rows of A and C.",
        Field::K => "Columns of A and rows of B: the number of products in each sum.",
        Field::N => "Columns of B and C.",
        Field::Dataflow => "Dataflow, by its stationary operand: weights (ws), outputs (os) or inputs (is).",
        Field::Dtype => "Number format (dtype) of A and B.",
        Field::Padding => "Padding if the matrices do not fill the array: none, zeros, or M rounded up to a multiple.",
        Field::Multiple => "With pad=m, M is padded to a multiple of this number.",
        Field::Fill => "Values of A and B.",
        Field::Seed => "Seed of the random values.",
        Field::Overlap => "Overlap of folds: the next fold can load while the current fold runs.",
        Field::Load => "Order in which the stationary operand is shifted in.",
        Field::Drain => "Path on which the results of an output-stationary fold leave the array.",
        Field::KTiles => {
            "Order of the tiles of k in a weight- or input-stationary run, by name or as a list such as 2,3,0,1. K must be a multiple of the rows."
        }
        Field::Feed => "Source of B: on-chip memory, or main memory (HBM), which can stall the array.",
        Field::Chip => "Chip whose peak rate and price the figures use.",
        Field::Passes => "Number of bf16 passes in which a TPU computes f32.",
        Field::Adder => "Adder of a PE: one product at a time in f32, or blocks of products as in a chip.",
        Field::Out => "Format to which complete results are rounded: the format of the sums, bf16 or f16.",
        Field::Arrays => {
            "Number of arrays like this array in a custom chip with the memory of `chip`; 0 for the chip as published."
        }
        Field::Clock => "With arrays, the clock of the custom chip in MHz.",
        Field::Price => "With arrays, the price of the custom chip in US cents per hour.",
        Field::A => "Matrix A, with semicolons between rows. Sets m and k.",
        Field::B => "Matrix B, with semicolons between rows. Sets k and n.",
        Field::C => "Matrix from which the sums start, of M rows and N columns, with semicolons between rows.",
    }
}

/// Returns the values that a parameter accepts.
#[must_use]
pub fn takes(entry: Entry) -> String {
    match entry.allowed() {
        Allowed::Whole { min, max: u64::MAX } => format!("a whole number, {min} or more"),
        Allowed::Whole { min, max } => format!("a whole number from {min} to {max}"),
        Allowed::OneOf(names) => names.join(", "),
        Allowed::Some(names) => format!("none, or one or more of {}, separated by dots", names.join(", ")),
        Allowed::TileOrder => crate::message::TILE_ORDER.to_owned(),
        Allowed::Place => crate::message::PLACE.to_owned(),
        Allowed::Matrix => "rows of numbers, such as 1,2;3,4".to_owned(),
        Allowed::Text => match entry {
            Entry::Tool(tool) => tool_text(tool).to_owned(),
            Entry::Text(PartText::Slides) => "percent-encoded links, one per line".to_owned(),
            _ => "percent-encoded settings of the question".to_owned(),
        },
    }
}

/// Title of the page, and of the document with the table.
pub const TITLE: &str = "Link parameters";
/// Introduction below the title.
pub const LEAD: &str = "The link is the only save format. In a link, the settings follow the character ?, but the parameters a, b, c and slides follow the character #. Links are stable: no parameter ever changes its meaning. If a value is invalid, the page shows a message and uses the default. The page keeps unknown parameters, and shows a hint if a name looks like a typo.";
/// Column headings of the table.
pub const COLUMNS: [&str; 5] = ["parameter", "accepts", "default", "what it does", "example"];
/// Label of the link to the playground.
pub const BACK: &str = "Open the playground";

/// Returns the heading of a parameter's group in the table.
#[must_use]
pub const fn group(entry: Entry) -> &'static str {
    match entry {
        Entry::Version | Entry::Setting(_) => "Settings of the run",
        Entry::View(_) => "View",
        Entry::Tool(_) => "Tools",
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
