//! The fields of a scenario: one table that the link, the form and the messages share.

use perfmodel::{Chip, F32Passes};
use systolic::{Adder, Dataflow, Drain, Dtype, KTiles, Load, Overlap, ResultFormat};

use crate::problem::Why;
use crate::{Feed, FieldValue, FillKind, MatrixText, PaddingKind, Problem};

systolic::named! {
    /// A setting that a person can change and a link can carry.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    exact pub enum Field {
        /// Rows of the array.
        Rows => "rows",
        /// Columns of the array.
        Cols => "cols",
        /// Rows of A and C.
        M => "m",
        /// The summed dimension.
        K => "k",
        /// Columns of B and C.
        N => "n",
        /// Dataflow: the matrix that stays in the PEs.
        Dataflow => "df",
        /// Operand format.
        Dtype => "dt",
        /// Kind of padding, if the GEMM does not fill the array.
        Padding => "pad",
        /// The multiple that M is padded to.
        Multiple => "padm",
        /// Source of the matrix elements.
        Fill => "fill",
        /// Seed of the matrix elements.
        Seed => "seed",
        /// Overlap of a fold with the fold before it.
        Overlap => "overlap",
        /// Way in which the stationary operand is shifted in.
        Load => "load",
        /// Way in which the sums of an output-stationary fold leave the array.
        Drain => "drain",
        /// Order of the tiles of k.
        KTiles => "ktiles",
        /// Source of B: storage on the chip, or the chip's memory.
        Feed => "feed",
        /// The chip whose rate and price are used.
        Chip => "chip",
        /// Number of bf16 passes in which a TPU multiplies f32.
        Passes => "passes",
        /// Adder: the way in which a PE adds products.
        Adder => "adder",
        /// Format to which complete results are rounded.
        Out => "out",
        /// Number of arrays of this size in a custom chip; 0 for the chip as published.
        Arrays => "arrays",
        /// Clock of the custom chip in MHz.
        Clock => "mhz",
        /// Price of the custom chip in US cents per hour.
        Price => "cents",
        /// Typed or pasted A.
        A => "a",
        /// Typed or pasted B.
        B => "b",
        /// Typed or pasted c, from which sums start.
        C => "c",
    }
}

/// Values that a field accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A whole number in a range.
    Whole {
        /// Smallest number.
        min: u64,
        /// Largest number.
        max: u64,
    },
    /// One of the names of [`Field::choices`].
    OneOf,
    /// The name of an order of tiles, or a list of tiles.
    TileOrder,
    /// The id of a chip.
    Chip,
    /// Rows of numbers.
    Matrix,
}

impl Field {
    /// Returns a value that a person can choose, by its index.
    fn choice(self, nth: usize) -> Option<FieldValue> {
        Some(match self {
            Self::Dataflow => FieldValue::Dataflow(*Dataflow::ALL.get(nth)?),
            Self::Dtype => FieldValue::Dtype(*Dtype::ALL.get(nth)?),
            Self::Padding => FieldValue::Padding(*PaddingKind::ALL.get(nth)?),
            Self::Fill => FieldValue::Fill(*FillKind::ALL.get(nth)?),
            Self::Overlap => FieldValue::Overlap(*Overlap::ALL.get(nth)?),
            Self::Load if nth == 0 => FieldValue::Load(None),
            Self::Load => FieldValue::Load(Some(*Load::ALL.get(nth - 1)?)),
            Self::Drain => FieldValue::Drain(*Drain::ALL.get(nth)?),
            Self::KTiles => FieldValue::KTiles(*KTiles::NAMED.get(nth)?),
            Self::Feed => FieldValue::Feed(*Feed::ALL.get(nth)?),
            Self::Chip => FieldValue::Chip(Chip::all().get(nth)?.id),
            Self::Passes => FieldValue::Passes(*F32Passes::ALL.get(nth)?),
            Self::Adder => FieldValue::Adder(*Adder::ALL.get(nth)?),
            Self::Out => FieldValue::Out(*ResultFormat::ALL.get(nth)?),
            Self::Rows
            | Self::Cols
            | Self::M
            | Self::K
            | Self::N
            | Self::Multiple
            | Self::Seed
            | Self::Arrays
            | Self::Clock
            | Self::Price
            | Self::A
            | Self::B
            | Self::C => return None,
        })
    }

    /// Returns the values that a person can choose from. Empty if the field accepts any number in a range, or a matrix.
    pub fn choices(self) -> impl Iterator<Item = FieldValue> {
        (0..).map_while(move |nth| self.choice(nth))
    }

    /// Returns the names of the values that a person can choose from.
    #[must_use]
    pub fn names(self) -> Vec<&'static str> {
        self.choices().filter_map(|choice| choice.id()).collect()
    }

    /// Returns the values that the field accepts.
    #[must_use]
    pub const fn takes(self) -> Takes {
        match self {
            Self::Rows | Self::Cols => Takes::Whole { min: 1, max: 1024 },
            Self::M | Self::K | Self::N | Self::Multiple => Takes::Whole { min: 1, max: 65_536 },
            Self::Arrays => Takes::Whole { min: 0, max: 65_536 },
            Self::Clock => Takes::Whole { min: 1, max: 100_000 },
            Self::Price => Takes::Whole { min: 1, max: 10_000_000 },
            Self::Seed => Takes::Whole { min: 0, max: 999_999 },
            Self::KTiles => Takes::TileOrder,
            Self::Chip => Takes::Chip,
            Self::A | Self::B | Self::C => Takes::Matrix,
            _ => Takes::OneOf,
        }
    }

    /// Reads a value from text. Names may have capitals.
    ///
    /// # Errors
    /// Fails if the field does not accept the text.
    pub fn read(self, text: &str) -> Result<FieldValue, Problem> {
        let trimmed = text.trim();
        let name = &*trimmed.to_ascii_lowercase();
        let value = match self.takes() {
            Takes::Whole { min, max } => {
                trimmed.parse().ok().filter(|number| (min..=max).contains(number)).map(FieldValue::Count)
            }
            Takes::OneOf => self.choices().find(|choice| choice.id() == Some(name)),
            Takes::TileOrder => KTiles::from_text(name).map(FieldValue::KTiles),
            Takes::Chip => Chip::named(trimmed).map(|chip| FieldValue::Chip(chip.id)),
            // The matrix c is optional, so its text may be empty.
            Takes::Matrix if self == Self::C && trimmed.is_empty() => Some(FieldValue::Matrix(None)),
            Takes::Matrix => Some(FieldValue::Matrix(Some(MatrixText::parse(self, text)?))),
        };
        let given = if matches!(self.takes(), Takes::OneOf) { name } else { trimmed };
        value.ok_or_else(|| self.refused(given))
    }

    /// Returns the problem with a value that the field does not accept.
    pub(crate) fn refused(self, given: &str) -> Problem {
        let why = match self.takes() {
            Takes::Whole { min, max } => Why::NotInRange { min, max },
            Takes::OneOf | Takes::Chip => Why::NotOneOf(self.names()),
            Takes::TileOrder => Why::NotAnOrder,
            Takes::Matrix => Why::NoValues,
        };
        Problem::new(self, given, why)
    }
}
