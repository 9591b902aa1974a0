//! A button with an icon.

use leptos::prelude::*;

use crate::ctx::Text;

/// SVG paths of icons on a grid of 16 by 16, with a stroke width of 1.5.
pub(crate) mod icons {
    /// A triangle to the right.
    pub(crate) const PLAY: &str = "M5 3.2v9.6l8-4.8z";
    /// Two bars.
    pub(crate) const PAUSE: &str = "M5.5 3.5v9M10.5 3.5v9";
    /// A circular arrow.
    pub(crate) const REPLAY: &str = "M3 8a5 5 0 1 0 1.6-3.7M4.2 1.8v2.8H7";
    /// A triangle that points right to a bar.
    pub(crate) const FORWARD: &str = "M4.5 4v8l5-4zM12 4v8";
    /// A triangle that points left to a bar.
    pub(crate) const BACK: &str = "M11.5 4v8l-5-4zM4 4v8";
    /// Two triangles that point right to a bar.
    pub(crate) const END: &str = "M3 4.2v7.6L8 8zM8 4.2v7.6L13 8zM13.8 4v8";
    /// Two triangles that point left to a bar.
    pub(crate) const HOME: &str = "M13 4.2v7.6L8 8zM8 4.2v7.6L3 8zM2.2 4v8";
    /// An arrow that points right to a flag.
    pub(crate) const NEXT_EVENT: &str = "M2 8h6.2M5.8 5.4 8.4 8l-2.6 2.6M11 13.5v-11h3.6l-1.2 2 1.2 2H11";
    /// An arrow that points left to a flag.
    pub(crate) const PREVIOUS_EVENT: &str = "M14 8H7.8M10.2 5.4 7.6 8l2.6 2.6M5 13.5v-11H1.4l1.2 2-1.2 2H5";
    /// A plus sign.
    pub(crate) const PLUS: &str = "M8 3.5v9M3.5 8h9";
    /// A minus sign.
    pub(crate) const MINUS: &str = "M3.5 8h9";
    /// A cell with a cross in it.
    pub(crate) const PE: &str = "M2.5 2.5h11v11h-11zM6 6l4 4M10 6l-4 4";
    /// Two boxes side by side.
    pub(crate) const COMPARE: &str = "M2.5 3h4.2v10H2.5zM9.3 3h4.2v10H9.3zM4 6.5h1.2M10.8 6.5H12";
    /// A lightning bolt.
    pub(crate) const BREAK: &str = "M9 1.8 4 9h3.6L7 14.2 12 7H8.4z";
    /// A grid of cells, some with a dot.
    pub(crate) const HEAT: &str =
        "M2.5 2.5h11v11h-11zM2.5 6.2h11M2.5 9.8h11M6.2 2.5v11M9.8 2.5v11M4.3 8h.1M8 11.6h.1M8 8h.1";
    /// Four blocks of different sizes.
    pub(crate) const FOLDS: &str = "M2.5 2.5h5v5h-5zM9.5 2.5h4v5h-4zM2.5 9.5h5v4h-5zM9.5 9.5h4v4h-4z";
    /// Three sliders.
    pub(crate) const SLIDERS: &str = "M2 4h6M12 4h2M8 2.5v3M2 8h2M8 8h6M4 6.5v3M2 12h7M13 12h1M9 10.5v3";
    /// Three bars of a chart.
    pub(crate) const BARS: &str = "M3 13.5V9M8 13.5v-11M13 13.5v-7";
    /// Three dots.
    pub(crate) const MORE: &str = "M3 8h.1M8 8h.1M13 8h.1";
    /// Lines of a text.
    pub(crate) const TRANSCRIPT: &str = "M2.5 4h11M2.5 8h11M2.5 12h7";
    /// An arrow to the east and an arrow to the south.
    pub(crate) const BUILD: &str = "M2.5 4.5h9M9 2l2.5 2.5L9 7M4.5 7v6.5M2 11l2.5 2.5L7 11";
    /// A plot: two axes and a line.
    pub(crate) const PICTURES: &str = "M2.5 2.5v11h11M4.5 11l4-5h5";
    /// Two crossed lines.
    pub(crate) const CLOSE: &str = "M4 4l8 8M12 4l-8 8";
    /// Four corners.
    pub(crate) const FIT: &str = "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10";
}

/// A button with an icon. The label is also the tooltip, and the name for screen readers.
#[component]
pub(crate) fn IconButton(
    /// Stable id that tests and styles use.
    id: &'static str,
    /// Action of the button, in words.
    label: Text,
    /// SVG path of the icon.
    icon: Text,
    /// Called when pressed.
    on_press: Box<dyn Fn()>,
) -> impl IntoView {
    view! {
        <button id=id type="button" class="icon" aria-label=label.clone() title=label on:click=move |_| on_press()>
            <svg viewBox="0 0 16 16" aria-hidden="true">
                <path d=icon></path>
            </svg>
        </button>
    }
}
