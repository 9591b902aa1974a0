//! Semantic colors: a tone is the meaning of a mark, never a color. Painters map tones to colors, and tests print the
//! names of tones.

macro_rules! tones {
    ($($(#[$doc:meta])* $name:ident = $id:literal,)*) => {
        /// Meaning of a mark in a picture.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Tone {
            $($(#[$doc])* $name,)*
        }

        impl Tone {
            /// All tones, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Name of the tone. The CSS variable is `--tone-` with this name.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$name => $id,)*
                }
            }
        }
    };
}

tones! {
    /// No ink.
    Clear = "clear",
    /// Background of the array view.
    Ground = "ground",
    /// Text and active borders.
    Ink = "ink",
    /// Secondary text.
    Quiet = "quiet",
    /// Borders of idle PEs.
    Faint = "faint",
    /// Links between PEs that carry no data.
    Ghost = "ghost",
    /// Background behind skew registers.
    Sunken = "sunken",
    /// Fill of an active PE.
    Active = "active",
    /// Outline of the PE that the caption describes.
    Chosen = "chosen",
    /// Operand A.
    A = "a",
    /// Fill of operand A.
    ATint = "a-tint",
    /// Operand B.
    B = "b",
    /// Fill of operand B.
    BTint = "b-tint",
    /// Partial sums.
    Sum = "sum",
    /// Fill of partial sums.
    SumTint = "sum-tint",
    /// Elements of C.
    C = "c",
    /// Fill of elements of C.
    CTint = "c-tint",
    /// Useful PE-cycles.
    Useful = "useful",
    /// Upper side of a cell of the cube that is multiplied in this cycle.
    UsefulLight = "useful-light",
    /// Left side of such a cell.
    UsefulDark = "useful-dark",
    /// Every second stripe of useful PE-cycles in a heat map.
    UsefulStripe = "useful-stripe",
    /// First of four colors of the wave, on a wall.
    Wave0 = "wave-0",
    /// Second color of the wave.
    Wave1 = "wave-1",
    /// Third color of the wave.
    Wave2 = "wave-2",
    /// Fourth color of the wave.
    Wave3 = "wave-3",
    /// Padding PE-cycles.
    Padding = "padding",
    /// Loading PE-cycles.
    Load = "load",
    /// Filling PE-cycles.
    Fill = "fill",
    /// Draining PE-cycles.
    Drain = "drain",
    /// Stalled PE-cycles.
    Stall = "stall",
    /// Number that is wrong because of a fault in the array.
    Wrong = "wrong",
    /// First shade of eight in a heat map: the smallest numbers.
    Shade0 = "shade-0",
    /// Second shade of eight in a heat map.
    Shade1 = "shade-1",
    /// Third shade of eight in a heat map.
    Shade2 = "shade-2",
    /// Fourth shade of eight in a heat map.
    Shade3 = "shade-3",
    /// Fifth shade of eight in a heat map.
    Shade4 = "shade-4",
    /// Sixth shade of eight in a heat map.
    Shade5 = "shade-5",
    /// Seventh shade of eight in a heat map.
    Shade6 = "shade-6",
    /// Last shade of eight in a heat map: the largest numbers.
    Shade7 = "shade-7",
}
