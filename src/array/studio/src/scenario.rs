//! The scenario: all settings that decide a run. A scenario is small and cloneable, and a link contains the scenario as
//! text.

use crate::{Feed, Field, FieldValue, MatrixText, MemoryShare, Problem, Takes};
use perfmodel::{Chip, CustomValue, CustomValues, F32Passes, PeakDtype};
use systolic::{
    Adder, AdderError, Dataflow, Design, Drain, Dtype, Elements, Hold, KTiles, Load, MacUnit, Operand, Overlap,
    Padding, Ports, ResultFormat,
};

systolic::named! {
    /// Source of the matrix elements.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    exact pub enum FillKind {
        /// Small numbers: whole numbers from −9 to 9, or quarters of such numbers.
        Small => "small",
        /// Random numbers that use all bits.
        Uniform => "uniform",
        /// Counting numbers: 0, 1, 2 …
        Counting => "counting",
        /// Ones on the diagonal.
        Identity => "identity",
        /// The numbers 1, 1.001, 1.002 …: the inputs of a test of JAX.
        Ramp => "ramp",
        /// Typed or pasted numbers.
        Custom => "custom",
    }
}

systolic::named! {
    /// Kind of padding.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    exact pub enum PaddingKind {
        /// No padding: edge folds leave PEs idle.
        Ragged => "ragged",
        /// Padding with zeros to multiples of the array's sides.
        Zero => "zero",
        /// Padding of M to a multiple.
        MultipleOfM => "m",
    }
}

/// The settings of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Rows of the array.
    pub rows: u64,
    /// Columns of the array.
    pub cols: u64,
    /// Rows of A and C.
    pub m: u64,
    /// The summed dimension.
    pub k: u64,
    /// Columns of B and C.
    pub n: u64,
    /// Dataflow: the matrix that stays in the PEs.
    pub dataflow: Dataflow,
    /// Operand format.
    pub dtype: Dtype,
    /// Kind of padding.
    pub padding: PaddingKind,
    /// Multiple that M is padded to, with [`PaddingKind::MultipleOfM`].
    pub multiple: u64,
    /// Source of the matrix elements.
    pub fill: FillKind,
    /// Seed of the matrix elements.
    pub seed: u64,
    /// Overlap of a fold with the fold before it.
    pub overlap: Overlap,
    /// Way in which the stationary operand is shifted in; `None` for the default of the overlap.
    pub load: Option<Load>,
    /// Way in which the sums of an output-stationary fold leave the array.
    pub drain: Drain,
    /// Order of the tiles of k in a weight- or input-stationary run.
    pub k_tiles: KTiles,
    /// Source of B.
    pub feed: Feed,
    /// The chip.
    pub chip: &'static str,
    /// Number of bf16 passes in which the chip multiplies f32, if it is a TPU.
    pub passes: F32Passes,
    /// Adder of the PEs.
    pub adder: Adder,
    /// Format to which complete results are rounded.
    pub out: ResultFormat,
    /// Number of arrays of this size in a custom chip; 0 for the chip as published.
    pub arrays: u64,
    /// Clock of the custom chip in MHz.
    pub clock_mhz: u64,
    /// Price of the custom chip in US cents per hour.
    pub price_cents: u64,
    /// Typed or pasted A.
    pub a: Option<MatrixText>,
    /// Typed or pasted B.
    pub b: Option<MatrixText>,
    /// Typed or pasted c, from which sums start.
    pub c: Option<MatrixText>,
}

impl Default for Scenario {
    fn default() -> Self {
        Self {
            rows: 4,
            cols: 4,
            m: 6,
            k: 4,
            n: 3,
            dataflow: Dataflow::WeightStationary,
            dtype: Dtype::Int8,
            padding: PaddingKind::Ragged,
            multiple: 8,
            fill: FillKind::Small,
            seed: 7,
            overlap: Overlap::None,
            load: None,
            drain: Drain::InPlace,
            k_tiles: KTiles::Up,
            feed: Feed::OnChip,
            chip: "tpu-v4",
            passes: F32Passes::One,
            arrays: 0,
            clock_mhz: 1000,
            price_cents: 100,
            adder: Adder::F32,
            out: ResultFormat::Sum,
            a: None,
            b: None,
            c: None,
        }
    }
}

impl Scenario {
    /// Returns the padding in the form that the crate `systolic` needs.
    #[must_use]
    pub fn core_padding(&self) -> Padding {
        match self.padding {
            PaddingKind::Ragged => Padding::Ragged,
            PaddingKind::Zero => Padding::ToArray,
            PaddingKind::MultipleOfM => Padding::MultipleOfM(u32::try_from(self.multiple).unwrap_or(1)),
        }
    }

    /// Returns the design of the array, including the rates of its edges.
    #[must_use]
    pub fn design(&self) -> Design {
        let (overlap, load, drain, k_tiles) = (self.overlap, self.load, self.drain, self.k_tiles);
        Design { overlap, load, drain, k_tiles, ports: self.ports(), ..Design::default() }
    }

    /// Returns the arithmetic of a PE.
    ///
    /// # Errors
    /// Fails if the adder does not add products of this format.
    pub fn unit(&self) -> Result<MacUnit, AdderError> {
        MacUnit::new(self.dtype).with_adder(self.adder)
    }

    /// Returns the share of the chip's memory bandwidth that one array gets. `None` if B does not come from memory, or
    /// if a needed number is not published.
    #[must_use]
    pub fn memory_share(&self) -> Option<MemoryShare> {
        let chip = Chip::by_id(self.chip).filter(|_| self.feed == Feed::Memory)?;
        if self.arrays == 0 {
            return MemoryShare::of(chip, self.dtype);
        }
        // A custom chip has the memory of the published chip.
        let gb_per_sec = chip.memory.gb_per_sec.value?;
        let (clock_mhz, arrays) = (Elements(self.clock_mhz).as_f64(), u32::try_from(self.arrays).ok()?);
        Some(MemoryShare { gb_per_sec, clock_mhz, arrays, bits: self.dtype.bits() })
    }

    /// Returns the values that a custom chip of arrays like this array has instead of the published values. Each PE
    /// multiplies once per clock cycle in every format, so the peak is 2 · rows · columns · arrays · clock.
    #[must_use]
    pub fn custom_values(&self) -> CustomValues {
        let mut own = CustomValues::default();
        if self.arrays == 0 {
            return own;
        }
        let [rows, cols, arrays, mhz, cents] =
            [self.rows, self.cols, self.arrays, self.clock_mhz, self.price_cents].map(|n| Elements(n).as_f64());
        let peak_tflops = 2.0 * rows * cols * arrays * mhz / 1e6;
        let peaks = PeakDtype::ALL.map(|dtype| (CustomValue::Peak(dtype), peak_tflops));
        let others = [
            (CustomValue::Rows, rows),
            (CustomValue::Cols, cols),
            (CustomValue::Arrays, arrays),
            (CustomValue::Clock, mhz),
            (CustomValue::Price, cents / 100.0),
        ];
        for (which, value) in peaks.into_iter().chain(others) {
            // A value outside the limits of the estimates is unknown.
            if own.set(which, Some(value)).is_err() {
                let _ = own.set(which, None);
            }
        }
        own
    }

    /// Rates of the array's edges. Only the edge at which B enters can be slow.
    fn ports(&self) -> Ports {
        let rate = self.memory_share().and_then(|share| share.rate());
        match self.dataflow.from_west() {
            Operand::B => Ports { west: rate, ..Ports::default() },
            Operand::A | Operand::C => Ports { north: rate, ..Ports::default() },
        }
    }

    /// True if the run depends on a field.
    #[must_use]
    pub fn uses(&self, field: Field) -> bool {
        match field {
            Field::A | Field::B | Field::C => self.fill == FillKind::Custom,
            Field::Seed => matches!(self.fill, FillKind::Small | FillKind::Uniform),
            Field::Multiple => self.padding == PaddingKind::MultipleOfM,
            Field::Load | Field::KTiles => self.dataflow.hold() == Hold::Operand,
            Field::Drain => self.dataflow.hold() == Hold::Result,
            Field::Passes => self.dtype == Dtype::F32,
            Field::Arrays | Field::Clock | Field::Price => self.arrays > 0,
            _ => true,
        }
    }

    /// The number of a field; 0 for a field that is not a number.
    #[must_use]
    pub fn number(&self, field: Field) -> u64 {
        self.get(field).number().unwrap_or(0)
    }

    /// Returns the text that sets a field to its current value.
    #[must_use]
    pub fn text(&self, field: Field) -> String {
        self.get(field).to_string()
    }

    /// Sets a field from text, as [`set`](Self::set) does.
    ///
    /// # Errors
    /// Fails if the field does not accept the text. The scenario is then unchanged.
    pub fn set_text(&mut self, field: Field, text: &str) -> Result<(), Problem> {
        self.set(field, field.read(text)?)
    }

    /// Sets M, K and N to the sizes of the listed matrices. If A and B have different K, the K of B counts, because B
    /// comes after A in a link.
    pub(crate) fn size_as_listed(&mut self) {
        if let Some(a) = &self.a {
            (self.m, self.k) = (a.rows, a.cols);
        }
        if let Some(b) = &self.b {
            (self.k, self.n) = (b.rows, b.cols);
        }
    }
}

/// Implements the functions that read and set a field. The arguments are the kind of value and the member of each field
/// that is not a matrix.
macro_rules! fields {
    ($($field:ident: $kind:ident = $member:ident,)+) => {
        impl Scenario {
            /// The value of a field.
            #[must_use]
            pub fn get(&self, field: Field) -> FieldValue {
                match field {
                    $(Field::$field => FieldValue::$kind(self.$member),)+
                    Field::A => FieldValue::Matrix(self.a.clone()),
                    Field::B => FieldValue::Matrix(self.b.clone()),
                    Field::C => FieldValue::Matrix(self.c.clone()),
                }
            }

            /// Sets a field. A also sets M and K to its size, and B sets K and N.
            ///
            /// # Errors
            /// Fails if the field does not accept the value. The scenario is then unchanged.
            pub fn set(&mut self, field: Field, value: FieldValue) -> Result<(), Problem> {
                let is_outside = |n| matches!(field.takes(), Takes::Whole { min, max } if !(min..=max).contains(&n));
                match (field, value) {
                    (_, FieldValue::Count(n)) if is_outside(n) => return Err(field.refused(&n.to_string())),
                    $((Field::$field, FieldValue::$kind(value)) => self.$member = value,)+
                    (Field::A, FieldValue::Matrix(Some(a))) => {
                        (self.m, self.k, self.fill) = (a.rows, a.cols, FillKind::Custom);
                        self.a = Some(a);
                    }
                    (Field::B, FieldValue::Matrix(Some(b))) => {
                        (self.k, self.n, self.fill) = (b.rows, b.cols, FillKind::Custom);
                        self.b = Some(b);
                    }
                    (Field::C, FieldValue::Matrix(c)) => self.c = c,
                    (_, other) => return Err(field.refused(&other.to_string())),
                }
                Ok(())
            }
        }
    };
}

fields! {
    Rows: Count = rows,
    Cols: Count = cols,
    M: Count = m,
    K: Count = k,
    N: Count = n,
    Dataflow: Dataflow = dataflow,
    Dtype: Dtype = dtype,
    Padding: Padding = padding,
    Multiple: Count = multiple,
    Fill: Fill = fill,
    Seed: Count = seed,
    Overlap: Overlap = overlap,
    Load: Load = load,
    Drain: Drain = drain,
    KTiles: KTiles = k_tiles,
    Feed: Feed = feed,
    Chip: Chip = chip,
    Passes: Passes = passes,
    Adder: Adder = adder,
    Out: Out = out,
    Arrays: Count = arrays,
    Clock: Count = clock_mhz,
    Price: Count = price_cents,
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn every_field_reads_its_own_text() {
        let mut scenario = Scenario::default();
        scenario.set_text(Field::A, "1,2;3,4").expect("a matrix");
        scenario.set_text(Field::B, "1,2;3,4").expect("a matrix");
        for field in Field::ALL {
            let mut copy = scenario.clone();
            copy.set_text(field, &scenario.text(field)).expect("its own text");
            assert_eq!(copy, scenario, "{field:?}");
            let own = scenario.get(field);
            assert!(own == FieldValue::Matrix(None) || copy.set(field, own).is_ok(), "{field:?}");
            assert_eq!(copy, scenario, "{field:?}");
            let other = if field.takes() == Takes::Matrix { FieldValue::Count(4) } else { FieldValue::Matrix(None) };
            assert!(copy.set(field, other).is_err(), "{field:?}: a value of another kind");
        }
    }

    #[test]
    fn names_are_read_in_capitals_too() {
        for field in Field::ALL.into_iter().filter(|field| field.takes() == Takes::OneOf) {
            for name in field.names().into_iter().filter(|name| *name != "custom") {
                let [mut small, mut capital] = [Scenario::default(), Scenario::default()];
                small.set_text(field, name).expect("a name");
                capital.set_text(field, &name.to_ascii_uppercase()).expect("the same name");
                assert_eq!(small, capital, "{field:?} {name}");
            }
        }
    }

    #[test]
    fn absurd_input_changes_nothing_and_is_named() {
        for (field, text) in [
            (Field::Rows, "0"),
            (Field::Rows, "1025"),
            (Field::Cols, "-4"),
            (Field::M, "99999999999999999999999"),
            (Field::K, "4.5"),
            (Field::N, ""),
            (Field::Dtype, "fp7"),
            (Field::Dataflow, "\u{202e}sw"),
            (Field::Chip, "tpu-v99"),
            (Field::A, "1,2\n3"),
        ] {
            let mut scenario = Scenario::default();
            let problem = scenario.set_text(field, text).expect_err("cannot be used");
            assert_eq!(problem.field, field);
            assert_eq!(scenario, Scenario::default(), "{field:?} {text:?}");
        }
    }
}
