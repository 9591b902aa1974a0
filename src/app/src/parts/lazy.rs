//! The entry points from the first module to its parts.
//!
//! The published page is cut at these functions. In development and in tests all code is in one module, and these
//! functions return at once.

use leptos::wasm_split::SplitLoaderError;

use crate::browser;

use super::{Fill, Sharing, Sides, Workbench, estimate, learn, share, sides, workbench};

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

/// Asks for the text of a lesson; `playground:text` brings it, or nothing where it does not arrive.
#[cfg(feature = "split")]
pub(crate) fn ask_for_text(id: &str) {
    browser::emit("playground:wants", id);
}

#[cfg(not(feature = "split"))]
pub(crate) fn ask_for_text(id: &str) {
    browser::emit("playground:text", &[id, "\n", lesson::course::text(id).unwrap_or_default()].concat());
}

door!(sides, &'static Sides, &sides::SIDES);
door!(workbench, &'static Workbench, &workbench::TOOLS);
door!(estimate, Fill, estimate::fill);
door!(learn, Fill, learn::fill);
door!(share, &'static Sharing, &share::SHARING);
