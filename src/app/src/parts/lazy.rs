//! The doors between the first module and its parts. Only here does it matter whether the page is one file: the shipped
//! page is taken apart at these functions; in development and in tests all is in one module and they answer at once.

use leptos::wasm_split::SplitLoaderError;

use super::{Fill, Sides, Workbench, estimate, learn, sides, workbench};

/// A function of a part, which is fetched for it.
#[cfg(feature = "split")]
macro_rules! door {
    ($part:ident, $gives:ty, $value:expr) => {
        #[leptos::wasm_split::wasm_split($part, wasm_split_path = leptos::wasm_split, fallible)]
        pub(super) fn $part() -> Result<$gives, SplitLoaderError> {
            Ok($value)
        }
    };
}

#[cfg(not(feature = "split"))]
macro_rules! door {
    ($part:ident, $gives:ty, $value:expr) => {
        pub(super) async fn $part() -> Result<$gives, SplitLoaderError> {
            Ok($value)
        }
    };
}

door!(sides, &'static Sides, &sides::SIDES);
door!(workbench, &'static Workbench, &workbench::TOOLS);
door!(estimate, Fill, estimate::fill);
door!(learn, Fill, learn::fill);
