//! The panels. Each panel reads the state that it shows, and dispatches the actions of a person. No panel depends on
//! another panel.

mod arrival;
mod ask;
pub(crate) mod caption;
pub(crate) mod estimate;
mod examples;
mod fold_map;
mod glossary;
mod head;
pub(crate) mod learn;
mod legend;
mod live;
mod matrices;
mod next_steps;
mod notices;
mod poster;
mod present;
mod print_foot;
pub(crate) mod setup;
pub(crate) mod share;
mod stage;
mod tabs;
pub(crate) mod tools;
mod transport;
pub(crate) mod workbench;

pub(crate) use arrival::Arrival;
pub(crate) use ask::{Ask, AskButton, AskSlot};
pub(crate) use caption::Caption;
pub(crate) use examples::{ExampleBanner, Examples, Offer};
pub(crate) use fold_map::FoldMap;
pub(crate) use glossary::{Glossary, Prose, key_hint, opening_words};
pub(crate) use head::Head;
pub(crate) use legend::{Legend, shape_path};
pub(crate) use live::{Live, TableLink, WhyLine};
pub(crate) use matrices::{edit_element, follow_paste};
pub(crate) use next_steps::NextSteps;
pub(crate) use notices::Notices;
pub(crate) use poster::PosterPlay;
pub(crate) use present::{Present, PresentButton, PresentSlot, ShareButton, ShareSlot};
pub(crate) use print_foot::PrintFoot;
pub(crate) use setup::{CellsOnStage, Setup};
pub(crate) use stage::Stage;
pub(crate) use tabs::Tabs;
pub(crate) use tools::{ToolPanel, ToolRow};
pub(crate) use transport::Transport;
