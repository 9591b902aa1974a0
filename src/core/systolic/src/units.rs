//! Counts that a user can see, as `u64` newtypes, because `usize` is 32 bits wide in WebAssembly and would wrap
//! silently.

use core::fmt;
use core::ops::{Add, AddAssign, Sub};

macro_rules! count {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u64);

        impl $name {
            /// A count of zero.
            pub const ZERO: Self = Self(0);

            /// The count as a bare number.
            #[must_use]
            pub const fn get(self) -> u64 {
                self.0
            }

            /// The count as a float, for ratios only.
            #[must_use]
            #[expect(clippy::cast_precision_loss, reason = "ratios need no more than 53 bits")]
            pub const fn as_f64(self) -> f64 {
                self.0 as f64
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    };
}

macro_rules! length {
    ($name:ident) => {
        impl Add for $name {
            type Output = Self;
            fn add(self, rhs: Self) -> Self {
                Self(self.0 + rhs.0)
            }
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, rhs: Self) {
                self.0 += rhs.0;
            }
        }

        impl Sub for $name {
            type Output = Self;
            fn sub(self, rhs: Self) -> Self {
                Self(self.0 - rhs.0)
            }
        }
    };
}

count! {
    /// A point in time: the clock edge with this number, counted from 0 over the whole run.
    Cycle
}
count! {
    /// A length of time in clock cycles.
    Cycles
}
count! {
    /// Multiply-accumulates; 1 MAC = 2 FLOP.
    Macs
}
count! {
    /// PEs times cycles: the area that a run occupies in space and time.
    PeCycles
}
count! {
    /// Matrix elements moved or stored.
    Elements
}
length!(Cycles);
length!(Macs);
length!(PeCycles);
length!(Elements);

/// A count as a length in memory. A count beyond the address space (32 bits in WebAssembly) becomes the largest length.
/// Such a length is never allocated or indexed.
pub(crate) fn len_usize(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

impl Cycle {
    /// Clock edge `length` after this one.
    #[must_use]
    pub const fn after(self, length: Cycles) -> Self {
        Self(self.0.saturating_add(length.0))
    }
}
