//! The entry points from the first module to its parts.
//!
//! The published page is split at these functions. In development and in tests all code is in one module, and these
//! functions return at once.

use leptos::wasm_split::SplitLoaderError;

use super::{ask, estimate, learn, share, sides, workbench};
use crate::part_state::{Fill, Sharing, Sides, Workbench};

/// Declares a function that loads a part and returns its entry point.
#[cfg(feature = "split")]
macro_rules! entry_point {
    ($part:ident, $gives:ty, $value:expr) => {
        #[leptos::wasm_split::wasm_split($part, wasm_split_path = leptos::wasm_split, fallible)]
        pub(super) fn $part() -> Result<$gives, SplitLoaderError> {
            Ok($value)
        }
    };
}

#[cfg(not(feature = "split"))]
macro_rules! entry_point {
    ($part:ident, $gives:ty, $value:expr) => {
        pub(super) async fn $part() -> Result<$gives, SplitLoaderError> {
            Ok($value)
        }
    };
}

entry_point!(sides, &'static dyn Sides, &sides::SidePanels);
entry_point!(workbench, &'static dyn Workbench, &workbench::Tools);
entry_point!(estimate, Fill, estimate::fill);
entry_point!(learn, Fill, learn::fill);
entry_point!(ask, Fill, ask::fill);
entry_point!(share, Sharing, share::SHARING);
