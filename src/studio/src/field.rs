//! The fields of a scenario: one table that the link, the form and the messages share.

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
    /// What stays in the PEs.
    Dataflow,
    /// Operand format.
    Dtype,
    /// What happens where the problem does not fill the array.
    Padding,
    /// The multiple that M is padded to.
    Multiple,
    /// Where the numbers come from.
    Fill,
    /// Seed of the numbers.
    Seed,
    /// Whether a fold waits for the one before it.
    Overlap,
    /// How the stationary operand is shifted in.
    Load,
    /// How the sums of an output-stationary fold leave.
    Drain,
    /// Whether B waits for the memory of the chip.
    Feed,
    /// The chip whose rate and price are used.
    Chip,
    /// Passes of bf16 in which a TPU multiplies f32.
    Passes,
    /// Typed or pasted A.
    A,
    /// Typed or pasted B.
    B,
}

/// What a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A whole number in a range.
    Whole {
        /// Smallest.
        min: u64,
        /// Largest.
        max: u64,
    },
    /// One of these names.
    OneOf(&'static [&'static str]),
    /// The id of a chip.
    Chip,
    /// Rows of numbers.
    Matrix,
}

impl Field {
    /// All of them, in the order of the form.
    pub const ALL: [Self; 19] = [
        Self::Rows,
        Self::Cols,
        Self::M,
        Self::K,
        Self::N,
        Self::Dataflow,
        Self::Dtype,
        Self::Padding,
        Self::Multiple,
        Self::Fill,
        Self::Seed,
        Self::Overlap,
        Self::Load,
        Self::Drain,
        Self::Feed,
        Self::Chip,
        Self::Passes,
        Self::A,
        Self::B,
    ];

    /// The name in a link.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Cols => "cols",
            Self::M => "m",
            Self::K => "k",
            Self::N => "n",
            Self::Dataflow => "df",
            Self::Dtype => "dt",
            Self::Padding => "pad",
            Self::Multiple => "padm",
            Self::Fill => "fill",
            Self::Seed => "seed",
            Self::Overlap => "overlap",
            Self::Load => "load",
            Self::Drain => "drain",
            Self::Feed => "feed",
            Self::Chip => "chip",
            Self::Passes => "passes",
            Self::A => "a",
            Self::B => "b",
        }
    }

    /// The field of that name.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.id() == id)
    }

    /// What it takes.
    #[must_use]
    pub const fn takes(self) -> Takes {
        match self {
            Self::Rows | Self::Cols => Takes::Whole { min: 1, max: 1024 },
            Self::M | Self::K | Self::N | Self::Multiple => Takes::Whole { min: 1, max: 65_536 },
            Self::Seed => Takes::Whole { min: 0, max: 999_999 },
            Self::Dataflow => Takes::OneOf(&["ws", "os", "is"]),
            Self::Dtype => Takes::OneOf(&["f32", "bf16", "f16", "e4m3fn", "e5m2", "e4m3b11fnuz", "int8", "int4"]),
            Self::Padding => Takes::OneOf(&["ragged", "zero", "m"]),
            Self::Fill => Takes::OneOf(&["small", "uniform", "counting", "identity", "custom"]),
            Self::Overlap => Takes::OneOf(&["none", "double-buffered"]),
            Self::Load => Takes::OneOf(&["usual", "rows", "diagonal"]),
            Self::Drain => Takes::OneOf(&["in-place", "south"]),
            Self::Feed => Takes::OneOf(&["on-chip", "memory"]),
            Self::Chip => Takes::Chip,
            Self::Passes => Takes::OneOf(&["1", "3", "6"]),
            Self::A | Self::B => Takes::Matrix,
        }
    }
}
