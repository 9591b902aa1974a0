//! Custom chips: a listed chip or a blank chip, with values that the user sets.

use crate::{CapacityUnit, Chip, Compute, Confidence, Memory, PeakDtype, PowerKind, Price, PriceKind, Source, Sourced};

/// A value of a chip that the user may set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CustomValue {
    /// Peak in TFLOPS for a dtype.
    Peak(PeakDtype),
    /// Bandwidth of the memory in GB/s.
    Bandwidth,
    /// Capacity of the memory in GB.
    Capacity,
    /// PE rows of one array.
    Rows,
    /// PE columns of one array.
    Cols,
    /// Number of arrays (MXUs) in the chip.
    Arrays,
    /// Clock in MHz.
    Clock,
    /// Power in watts.
    Power,
    /// Price in US dollars per chip and hour.
    Price,
}

/// Limits of a custom value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueLimits {
    /// Smallest allowed value.
    pub min: f64,
    /// Largest allowed value.
    pub max: f64,
    /// True if the value is a count, which must be whole.
    pub is_whole: bool,
}

impl CustomValue {
    /// Limits of the value.
    pub const fn allowed(self) -> ValueLimits {
        match self {
            Self::Rows | Self::Cols => ValueLimits { min: 1.0, max: 65_536.0, is_whole: true },
            Self::Arrays => ValueLimits { min: 1.0, max: 1e6, is_whole: true },
            Self::Peak(_) | Self::Bandwidth | Self::Capacity | Self::Clock | Self::Power | Self::Price => {
                ValueLimits { min: 0.001, max: 1e8, is_whole: false }
            }
        }
    }
}

/// Values that the user sets, at most one for each [`CustomValue`], in a fixed order. `None` means that the user does
/// not know the value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CustomValues(Vec<(CustomValue, Option<f64>)>);

impl CustomValues {
    /// Sets a value.
    ///
    /// # Errors
    /// Fails with the limits of the value if `value` is outside these limits.
    pub fn set(&mut self, which: CustomValue, value: Option<f64>) -> Result<(), ValueLimits> {
        let allowed = which.allowed();
        let fits =
            |value: f64| value >= allowed.min && value <= allowed.max && !(allowed.is_whole && value.fract() != 0.0);
        if value.is_some_and(|value| !fits(value)) {
            return Err(allowed);
        }
        match self.0.binary_search_by_key(&which, |(of, _)| *of) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (which, value)),
        }
        Ok(())
    }

    /// True if no value is set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Values that are set, in the order of [`CustomValue`].
    pub fn iter(&self) -> impl Iterator<Item = (CustomValue, Option<f64>)> {
        self.0.iter().copied()
    }

    /// Returns a copy of the chip with these values instead of the published values. Links and other data that the user
    /// cannot set stay unchanged.
    pub fn over(&self, chip: &Chip) -> Chip {
        let mut own = chip.clone();
        own.is_custom |= !self.is_empty();
        for (which, value) in self.iter() {
            match which {
                CustomValue::Peak(dtype) => {
                    let peaks = own.peaks.to_mut();
                    match peaks.binary_search_by_key(&dtype, |(of, _)| *of) {
                        Ok(at) => peaks[at].1 = Sourced::yours(value),
                        Err(at) => peaks.insert(at, (dtype, Sourced::yours(value))),
                    }
                }
                CustomValue::Bandwidth => own.memory.gb_per_sec = Sourced::yours(value),
                CustomValue::Capacity => {
                    (own.memory.capacity, own.memory.unit) = (Sourced::yours(value), CapacityUnit::Gb);
                }
                CustomValue::Clock => own.clock_mhz = Sourced::yours(value),
                CustomValue::Power => own.power_watts = vec![(PowerKind::Tdp, Sourced::yours(value))].into(),
                CustomValue::Price => {
                    let price = Price {
                        kind: PriceKind::Own,
                        usd_per_chip_hour: Sourced::yours(value),
                        region: None,
                        date: None,
                    };
                    own.prices = vec![price].into();
                }
                CustomValue::Rows | CustomValue::Cols | CustomValue::Arrays => own.compute.set(which, value),
            }
        }
        let arrays = [CustomValue::Rows, CustomValue::Cols, CustomValue::Arrays, CustomValue::Clock];
        if own.peaks.is_empty() && arrays.iter().all(|which| self.iter().any(|(set, _)| set == *which)) {
            own.peaks = own.peaks_of_arrays().into();
        }
        own
    }
}

impl Chip {
    /// Returns the peaks if each PE computes one MAC in a clock cycle, from the size, the number and the clock of the
    /// arrays. Empty if one of these values is unknown.
    fn peaks_of_arrays(&self) -> Vec<(PeakDtype, Sourced<f64>)> {
        let Some((lanes, clock_mhz)) = self.lanes().zip(self.clock_mhz.value) else { return Vec::new() };
        let tera = 2.0 * lanes as f64 * clock_mhz * 1e6 / 1e12;
        [PeakDtype::Bf16, PeakDtype::Int8].map(|dtype| (dtype, Sourced::yours(Some(tera)))).into()
    }
}

impl Compute {
    /// Sets the number of rows, columns or arrays. If the chip has no arrays, the function adds arrays whose other
    /// values are unknown.
    fn set(&mut self, which: CustomValue, value: Option<f64>) {
        if !matches!(self, Self::Arrays { .. }) {
            let nothing = Sourced::yours(None);
            *self = Self::Arrays {
                rows: nothing,
                cols: nothing,
                units_per_core: nothing,
                cores: nothing,
                dataflow: Sourced::yours(None),
            };
        }
        let Self::Arrays { rows, cols, units_per_core, cores, .. } = self else { return };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number in range")]
        let value = Sourced::yours(value.map(|value| value as u32));
        match which {
            CustomValue::Rows => *rows = value,
            CustomValue::Cols => *cols = value,
            // The user sets the number of arrays of the whole chip, so the chip counts as one core.
            CustomValue::Arrays => (*units_per_core, *cores) = (value, Sourced::yours(value.value.map(|_| 1))),
            CustomValue::Peak(_)
            | CustomValue::Bandwidth
            | CustomValue::Capacity
            | CustomValue::Clock
            | CustomValue::Power
            | CustomValue::Price => {}
        }
    }
}

impl Chip {
    /// Id of the blank chip that [`Self::blank`] returns.
    pub const BLANK: &str = "own";

    /// A chip without any known value, as a base for custom values.
    pub fn blank() -> Self {
        Self {
            id: Self::BLANK,
            name: "your chip",
            vendor: "yours",
            year: Sourced::yours(None),
            compute: Compute::Unknown(Sourced::yours(None)),
            clock_mhz: Sourced::yours(None),
            peaks: Vec::new().into(),
            fp8_format: None,
            f16_as: None,
            memory: Memory {
                kind: "memory",
                holds_only_weights: false,
                capacity: Sourced::yours(None),
                unit: CapacityUnit::Gb,
                gb_per_sec: Sourced::yours(None),
            },
            power_watts: Vec::new().into(),
            pod_chips: Sourced::yours(None),
            prices: Vec::new().into(),
            is_custom: true,
        }
    }
}

impl<T> Sourced<T> {
    /// A value that the user set, or `None` if the user does not know the value.
    pub const fn yours(value: Option<T>) -> Self {
        static SET: Source = Source { key: "yours", text: "Yours: your own value, not from a document" };
        static UNSET: Source = Source { key: "yours-unknown", text: "Yours: not set, so not known" };
        let source = if value.is_some() { &SET } else { &UNSET };
        Self { value, source, confidence: Confidence::Yours, note: crate::sourced::Note::None }
    }
}
