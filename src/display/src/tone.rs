//! Semantic ink: what a mark means, never a color. Painters map tones to colors, tests print their names.

macro_rules! tones {
    ($($(#[$doc:meta])* $name:ident = $id:literal,)*) => {
        /// What a mark means.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Tone {
            $($(#[$doc])* $name,)*
        }

        impl Tone {
            /// All of them, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The name: the CSS variable is `--tone-` and this.
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
    /// Nothing is drawn.
    Clear = "clear",
    /// The ground of the stage.
    Ground = "ground",
    /// Text and active borders.
    Ink = "ink",
    /// Secondary text.
    Quiet = "quiet",
    /// Borders of PEs that do nothing.
    Faint = "faint",
    /// Links that carry nothing.
    Ghost = "ghost",
    /// Fill of an active PE.
    Active = "active",
    /// Outline of the PE of the caption.
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
    /// Results.
    C = "c",
    /// Fill of results.
    CTint = "c-tint",
    /// Useful PE-cycles.
    Useful = "useful",
    /// Every second stripe of useful PE-cycles in a heat field.
    UsefulStripe = "useful-stripe",
    /// Padding.
    Padding = "padding",
    /// Loading.
    Load = "load",
    /// Filling.
    Fill = "fill",
    /// Draining.
    Drain = "drain",
    /// Stalled.
    Stall = "stall",
    /// A number that is wrong because the machine has a defect.
    Wrong = "wrong",
    /// Least of a number per PE.
    Shade0 = "shade-0",
    /// Second shade.
    Shade1 = "shade-1",
    /// Third shade.
    Shade2 = "shade-2",
    /// Fourth shade.
    Shade3 = "shade-3",
    /// Fifth shade.
    Shade4 = "shade-4",
    /// Sixth shade.
    Shade5 = "shade-5",
    /// Seventh shade.
    Shade6 = "shade-6",
    /// Most of a number per PE.
    Shade7 = "shade-7",
}
