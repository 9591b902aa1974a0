//! The fields of a scenario: one table that the link, the form and the messages share.

use perfmodel::{Chip, F32Passes};
use systolic::{Adder, Dataflow, Drain, Dtype, KTiles, Load, Overlap, ResultFormat};

use crate::problem::Why;
use crate::{Feed, FieldValue, FillKind, MatrixText, PaddingKind, Problem};

/// Names of the ways to load the stationary operand, including the default.
const LOADS: [&str; 3] = {
    let [rows, diagonal] = Load::NAMES;
    [FieldValue::DEFAULT_LOAD, rows, diagonal]
};

/// A setting that a person can change and a link can carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// Rows of the array.
    Rows,
    /// Columns of the array.
    Cols,
    /// Rows of A and C.
    M,
    /// The summed dimension.
    K,
    /// Columns of B and C.
    N,
    /// Dataflow: the matrix that stays in the PEs.
    Dataflow,
    /// Operand format.
    Dtype,
    /// Kind of padding, if the problem does not fill the array.
    Padding,
    /// The multiple that M is padded to.
    Multiple,
    /// Source of the matrix elements.
    Fill,
    /// Seed of the matrix elements.
    Seed,
    /// Overlap of a fold with the fold before it.
    Overlap,
    /// Way in which the stationary operand is shifted in.
    Load,
    /// Way in which the sums of an output-stationary fold leave the array.
    Drain,
    /// Order of the tiles of k.
    KTiles,
    /// Source of B: storage on the chip, or the chip's memory.
    Feed,
    /// The chip whose rate and price are used.
    Chip,
    /// Number of bf16 passes in which a TPU multiplies f32.
    Passes,
    /// Adder: the way in which a PE adds products.
    Adder,
    /// Format to which complete results are rounded.
    Out,
    /// Number of arrays of this size in a custom chip; 0 for the chip as published.
    Arrays,
    /// Clock of the custom chip in MHz.
    Clock,
    /// Price of the custom chip in US cents per hour.
    Price,
    /// Typed or pasted A.
    A,
    /// Typed or pasted B.
    B,
    /// Typed or pasted c, from which sums start.
    C,
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
    /// One of these names.
    OneOf(&'static [&'static str]),
    /// The name of an order of tiles, or a list of tiles.
    TileOrder,
    /// The id of a chip.
    Chip,
    /// Rows of numbers.
    Matrix,
}

systolic::named! {
    exact Field {
        Rows => "rows",
        Cols => "cols",
        M => "m",
        K => "k",
        N => "n",
        Dataflow => "df",
        Dtype => "dt",
        Padding => "pad",
        Multiple => "padm",
        Fill => "fill",
        Seed => "seed",
        Overlap => "overlap",
        Load => "load",
        Drain => "drain",
        KTiles => "ktiles",
        Feed => "feed",
        Chip => "chip",
        Passes => "passes",
        Adder => "adder",
        Out => "out",
        Arrays => "arrays",
        Clock => "mhz",
        Price => "cents",
        A => "a",
        B => "b",
        C => "c",
    }
}

impl Field {
    /// Returns the values that a person can choose from. Empty if the field accepts any number in a range, or a matrix.
    #[must_use]
    pub fn choices(self) -> Vec<FieldValue> {
        fn all<T>(values: impl IntoIterator<Item = T>, of: fn(T) -> FieldValue) -> Vec<FieldValue> {
            values.into_iter().map(of).collect()
        }
        match self {
            Self::Dataflow => all(Dataflow::ALL, FieldValue::Dataflow),
            Self::Dtype => all(Dtype::ALL, FieldValue::Dtype),
            Self::Padding => all(PaddingKind::ALL, FieldValue::Padding),
            Self::Fill => all(FillKind::ALL, FieldValue::Fill),
            Self::Overlap => all(Overlap::ALL, FieldValue::Overlap),
            Self::Load => all(core::iter::once(None).chain(Load::ALL.map(Some)), FieldValue::Load),
            Self::Drain => all(Drain::ALL, FieldValue::Drain),
            Self::KTiles => all(KTiles::NAMED, FieldValue::KTiles),
            Self::Feed => all(Feed::ALL, FieldValue::Feed),
            Self::Chip => all(Chip::all().iter().map(|chip| chip.id), FieldValue::Chip),
            Self::Passes => all(F32Passes::ALL, FieldValue::Passes),
            Self::Adder => all(Adder::ALL, FieldValue::Adder),
            Self::Out => all(ResultFormat::ALL, FieldValue::Out),
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
            | Self::C => Vec::new(),
        }
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
            Self::Dataflow => Takes::OneOf(&Dataflow::NAMES),
            Self::Dtype => Takes::OneOf(&Dtype::NAMES),
            Self::Padding => Takes::OneOf(&PaddingKind::NAMES),
            Self::Fill => Takes::OneOf(&FillKind::NAMES),
            Self::Overlap => Takes::OneOf(&Overlap::NAMES),
            Self::Load => Takes::OneOf(&LOADS),
            Self::Drain => Takes::OneOf(&Drain::NAMES),
            Self::KTiles => Takes::TileOrder,
            Self::Feed => Takes::OneOf(&Feed::NAMES),
            Self::Chip => Takes::Chip,
            Self::Passes => Takes::OneOf(&F32Passes::NAMES),
            Self::Adder => Takes::OneOf(&Adder::NAMES),
            Self::Out => Takes::OneOf(&ResultFormat::NAMES),
            Self::A | Self::B | Self::C => Takes::Matrix,
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
            Takes::OneOf(_) => self.choices().into_iter().find(|choice| choice.id() == Some(name)),
            Takes::TileOrder => KTiles::from_text(name).map(FieldValue::KTiles),
            Takes::Chip => Chip::named(trimmed).map(|chip| FieldValue::Chip(chip.id)),
            // Sums need no c.
            Takes::Matrix if self == Self::C && trimmed.is_empty() => Some(FieldValue::Matrix(None)),
            Takes::Matrix => Some(FieldValue::Matrix(Some(MatrixText::parse(self, text)?))),
        };
        let given = if matches!(self.takes(), Takes::OneOf(_)) { name } else { trimmed };
        value.ok_or_else(|| self.refused(given))
    }

    /// Returns the problem with a value that the field does not accept.
    pub(crate) fn refused(self, given: &str) -> Problem {
        let why = match self.takes() {
            Takes::Whole { min, max } => Why::NotInRange { min, max },
            Takes::OneOf(names) => Why::NotOneOf(names.to_vec()),
            Takes::TileOrder => Why::NotAnOrder,
            Takes::Chip => Why::NotOneOf(Chip::all().iter().map(|chip| chip.id).collect()),
            Takes::Matrix => Why::NoValues,
        };
        Problem::new(self, given, why)
    }
}
