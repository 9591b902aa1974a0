//! The panels: each reads the state it shows and dispatches what a person asks. No panel knows another.

mod arrival;
mod caption;
pub(crate) mod estimate;
mod examples;
mod fold_map;
mod glossary;
mod head;
mod legend;
mod live;
mod matrices;
mod next_steps;
mod notices;
mod print_foot;
pub(crate) mod setup;
mod stage;
mod tabs;
pub(crate) mod tools;
mod transport;
pub(crate) mod workbench;

pub(crate) use arrival::Arrival;
pub(crate) use caption::Caption;
pub(crate) use examples::{ExampleBanner, Examples};
pub(crate) use fold_map::FoldMap;
pub(crate) use glossary::{Glossary, Prose, opening_words, term};
pub(crate) use head::Head;
pub(crate) use legend::{Legend, shape_path};
pub(crate) use live::{Live, WhyLine};
pub(crate) use matrices::edit_element;
pub(crate) use next_steps::NextSteps;
pub(crate) use notices::Notices;
pub(crate) use print_foot::PrintFoot;
pub(crate) use setup::Setup;
pub(crate) use stage::Stage;
pub(crate) use tabs::Tabs;
pub(crate) use tools::{ToolPanel, ToolRow};
pub(crate) use transport::Transport;
