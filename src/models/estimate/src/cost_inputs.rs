//! The inputs of a bill besides the chips: failures, compilation, egress, porting and electricity.

use crate::Allowed;
use crate::entry::NumberRange;
use display::number::significant;
use perfmodel::run_inputs;

/// An input of the bill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CostInput {
    /// Mean time between failures of one chip, in hours.
    Mtbf,
    /// Seconds to save a checkpoint.
    Save,
    /// Seconds from a failure to the first step after the restart.
    Restart,
    /// Minutes between checkpoints; 0 selects the best interval.
    Interval,
    /// Number of shapes that the program is compiled for.
    Shapes,
    /// Seconds to compile the program for one shape.
    Compile,
    /// GB transferred out of a cloud provider (egress).
    Egress,
    /// Dollars per GB of egress.
    EgressUsd,
    /// Engineer-weeks to port the program to the chip.
    Weeks,
    /// Dollars per engineer-week.
    WeekUsd,
    /// Dollars per kWh, if the price of the chips does not include electricity.
    KwhUsd,
    /// Power usage effectiveness (PUE): energy of the data center, divided by the energy of its machines.
    Pue,
    /// Carbon intensity of the grid, in kg of carbon dioxide per kWh.
    Grid,
}

impl CostInput {
    /// All inputs, in the order of the bill's lines.
    pub const ALL: [Self; 13] = [
        Self::Mtbf,
        Self::Save,
        Self::Restart,
        Self::Interval,
        Self::Shapes,
        Self::Compile,
        Self::Egress,
        Self::EgressUsd,
        Self::Weeks,
        Self::WeekUsd,
        Self::KwhUsd,
        Self::Pue,
        Self::Grid,
    ];

    /// Returns the input's name in a link and on the command line.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Mtbf => "mtbf",
            Self::Save => "save",
            Self::Restart => "restart",
            Self::Interval => "interval",
            Self::Shapes => "shapes",
            Self::Compile => "compile",
            Self::Egress => "egress",
            Self::EgressUsd => "egress-usd",
            Self::Weeks => "weeks",
            Self::WeekUsd => "week-usd",
            Self::KwhUsd => "kwh-usd",
            Self::Pue => "pue",
            Self::Grid => "grid",
        }
    }

    /// Returns the smallest and the largest allowed value, in the input's unit.
    const fn range(self) -> (f64, f64) {
        match self {
            Self::Mtbf => (0.01, 1e9),
            Self::Save => (0.001, 1e6),
            Self::Restart => (0.0, 1e7),
            Self::Interval | Self::WeekUsd | Self::Shapes => (0.0, 1e6),
            Self::Compile => (0.0, 86_400.0),
            Self::Egress => (0.0, 1e9),
            Self::EgressUsd | Self::KwhUsd | Self::Grid => (0.0, 100.0),
            Self::Weeks => (0.0, 1e4),
            Self::Pue => (1.0, 10.0),
        }
    }

    /// Returns the allowed range and the default of the input; `None` if the input has no default.
    #[must_use]
    pub fn number(self) -> Option<NumberRange> {
        let (min, max) = self.range();
        Some(NumberRange { usual: self.usual()?, min, max, is_whole: self == Self::Shapes })
    }

    /// Returns the default of the input; `None` if unknown or not applicable.
    #[must_use]
    pub fn usual(self) -> Option<f64> {
        match self {
            Self::Mtbf => run_inputs::CHIP_MTBF_HOURS.value,
            Self::Save => run_inputs::SAVE_SECONDS.value,
            Self::Restart => run_inputs::RESTART_SECONDS.value,
            Self::Compile => run_inputs::COMPILE_SECONDS.value,
            Self::Shapes => Some(1.0),
            Self::Interval | Self::Egress | Self::Weeks => Some(0.0),
            Self::EgressUsd => run_inputs::AWS_EGRESS.value.map(|tariff| tariff.usd_per_gb),
            Self::WeekUsd | Self::KwhUsd | Self::Pue | Self::Grid => None,
        }
    }
}

/// The values of the inputs that are set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CostInputs([Option<f64>; CostInput::ALL.len()]);

impl CostInputs {
    /// Sets an input from typed text.
    ///
    /// # Errors
    /// Returns the [`Allowed`] range if the text is not a number in this range.
    pub fn set(&mut self, input: CostInput, text: &str) -> Result<(), Allowed> {
        let (min, max) = input.range();
        let range = NumberRange { usual: input.usual().unwrap_or(min), min, max, is_whole: input == CostInput::Shapes };
        let value = range.read(text).ok_or(Allowed::Number(range))?;
        if let Some(own) = self.0.get_mut(input as usize) {
            *own = Some(value);
        }
        Ok(())
    }

    /// Returns the inputs without the engineer-weeks of porting.
    #[must_use]
    pub fn without_porting(mut self) -> Self {
        if let Some(weeks) = self.0.get_mut(CostInput::Weeks as usize) {
            *weeks = None;
        }
        self
    }

    /// Returns the value that was set explicitly, if any.
    #[must_use]
    pub fn explicit(&self, input: CostInput) -> Option<f64> {
        self.0.get(input as usize).copied().flatten()
    }

    /// Returns the value of an input, or its default; 0 if the input has neither a value nor a default.
    #[must_use]
    pub fn value_or_zero(&self, input: CostInput) -> f64 {
        self.value(input).unwrap_or(0.0)
    }

    /// Returns the value of an input, or its default.
    #[must_use]
    pub fn value(&self, input: CostInput) -> Option<f64> {
        self.explicit(input).or_else(|| input.usual())
    }

    /// Returns the value of an input, or its default, as text that [`Self::set`] can read. The text is empty if the
    /// input has no value and no default.
    #[must_use]
    pub fn text(&self, input: CostInput) -> String {
        let (value, digits) = self.explicit(input).map_or((input.usual(), 5), |own| (Some(own), 9));
        value.map_or_else(String::new, |value| significant(value, digits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn what_is_set_is_read_back_and_porting_alone_is_left_out() {
        let mut inputs = CostInputs::default();
        inputs.set(CostInput::Weeks, "12").expect("a number of weeks");
        inputs.set(CostInput::Save, "42.5").expect("a time");
        assert_eq!([CostInput::Weeks, CostInput::Save].map(|input| inputs.text(input)), ["12", "42.5"]);
        assert_eq!(inputs.text(CostInput::WeekUsd), "", "nothing counts unless it is set");
        let stays = inputs.without_porting();
        assert_eq!([CostInput::Weeks, CostInput::Save].map(|input| stays.explicit(input)), [None, Some(42.5)]);
        // Only the number of shapes is a whole number, so half a shape cannot be typed.
        let whole = |input: &CostInput| input.number().is_some_and(|number| number.is_whole);
        assert_eq!(CostInput::ALL.into_iter().filter(whole).collect::<Vec<_>>(), [CostInput::Shapes]);
    }

    #[test]
    fn what_an_input_shows_can_be_set() {
        for input in CostInput::ALL {
            let mut inputs = CostInputs::default();
            let text = inputs.text(input);
            if !text.is_empty() {
                assert_eq!(inputs.set(input, &text), Ok(()), "{input:?} = {text}");
                assert_eq!(inputs.text(input), text);
            }
        }
    }

    #[test]
    fn a_value_outside_the_range_is_refused_and_changes_nothing() {
        let mut inputs = CostInputs::default();
        for (input, text) in [
            (CostInput::Pue, "0.9"),
            (CostInput::Shapes, "1.5"),
            (CostInput::Weeks, "-1"),
            (CostInput::Grid, "nan"),
            (CostInput::Mtbf, ""),
        ] {
            assert!(matches!(inputs.set(input, text), Err(Allowed::Number(_))), "{input:?}");
        }
        assert_eq!(inputs, CostInputs::default());
    }
}
