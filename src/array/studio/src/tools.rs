//! Tools of the array view, such as a second run, a fault, or a number for each PE. Each setting is parsed once and
//! stored as a value.

use crate::compare::Other;
use crate::defect::DefectName;
use crate::follow::Follow;
use crate::{Built, Channel, Drawing, LearnPage};
use systolic::Slot;
use systolic::flow::Flow;

systolic::named! {
    /// A tool, with the name of the link parameter that sets the tool.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    exact pub enum Tool {
        /// A second run next to the first.
        Compare => "cmp",
        /// A fault in the array.
        Defect => "break",
        /// One number per PE.
        Show => "show",
        /// A drawing of the run in place of the array.
        Picture => "picture",
        /// Following a value through the array.
        Follow => "follow",
        /// Playback that repeats one fold.
        Repeat => "loop",
        /// A highlighted class of PE-cycles.
        Class => "class",
        /// A dataflow that a person builds.
        Flow => "flow",
        /// The list of lessons, or a card of a lesson.
        Learn => "learn",
    }
}

/// Settings of all tools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tools {
    /// The second run, if there is one.
    pub compare: Option<Other>,
    /// The fault, if there is one. [`DefectName::on`] decides if this run can have the fault.
    pub defect: Option<DefectName>,
    /// The number that each PE shows.
    pub show: Channel,
    /// The drawing in the view of the array.
    pub picture: Drawing,
    /// The followed value, if there is one.
    pub follow: Option<Follow>,
    /// True if playback repeats one fold.
    pub repeats_fold: bool,
    /// The class of PE-cycles whose PEs and cycles are highlighted, if there is one.
    pub class: Option<Slot>,
    /// The dataflow that a person builds, if there is one.
    pub built: Option<Built>,
    /// The list of lessons, or the card that is open next to the array.
    pub learn: Option<LearnPage>,
}

/// A value that a tool cannot use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolProblem {
    /// The tool.
    pub tool: Tool,
    /// The given value, cut when long.
    pub given: String,
}

/// The only value of `loop`.
const FOLD: &str = "fold";

impl Tools {
    /// Sets a tool from text. The empty text turns off the tool. A comparison keeps the parts that it cannot use, so
    /// that a person can correct them. [`Other::notices`] lists these parts.
    ///
    /// # Errors
    /// Fails if the tool does not accept the text. The setting of the tool is then unchanged.
    pub fn set(&mut self, tool: Tool, text: &str) -> Result<(), ToolProblem> {
        let problem = || ToolProblem { tool, given: plain::cut(text) };
        let text = text.trim();
        let is_set = !text.is_empty();
        match tool {
            Tool::Compare => self.compare = is_set.then(|| Other::parse(text)),
            Tool::Defect if is_set => self.defect = Some(DefectName::parse(text).ok_or_else(problem)?),
            Tool::Defect => self.defect = None,
            Tool::Show if is_set => self.show = Channel::from_id(text).ok_or_else(problem)?,
            Tool::Show => self.show = Channel::Activity,
            Tool::Picture if is_set => self.picture = Drawing::from_id(text).ok_or_else(problem)?,
            Tool::Picture => self.picture = Drawing::Array,
            Tool::Follow if is_set => self.follow = Some(Follow::parse(text).ok_or_else(problem)?),
            Tool::Follow => self.follow = None,
            Tool::Repeat if is_set && text != FOLD => return Err(problem()),
            Tool::Repeat => self.repeats_fold = is_set,
            Tool::Class if is_set => self.class = Some(Slot::from_id(text).ok_or_else(problem)?),
            Tool::Class => self.class = None,
            Tool::Flow if is_set => self.built = Some(Built::parse(text).ok_or_else(problem)?),
            Tool::Flow => self.built = None,
            Tool::Learn if is_set => self.learn = Some(LearnPage::parse(text).ok_or_else(problem)?),
            Tool::Learn => self.learn = None,
        }
        Ok(())
    }

    /// Returns the dataflow that a person builds, if there is one.
    #[must_use]
    pub fn flow(&self) -> Option<Flow> {
        self.built.map(|built| built.flow)
    }

    /// True if a tool in use needs the tools' code, which is loaded separately.
    #[must_use]
    pub fn need_part(&self) -> bool {
        let is_plain = self.show == Channel::Activity && self.picture == Drawing::Array;
        !is_plain || self.built.is_some() || self.compare.is_some() || self.defect.is_some() || self.follow.is_some()
    }

    /// Returns the text that sets a tool; empty if the tool is not in use.
    #[must_use]
    pub fn text(&self, tool: Tool) -> String {
        match tool {
            Tool::Compare => self.compare.as_ref().map_or_else(String::new, Other::to_text),
            Tool::Defect => self.defect.map_or_else(String::new, DefectName::to_text),
            Tool::Show if self.show == Channel::Activity => String::new(),
            Tool::Show => self.show.id().to_owned(),
            Tool::Picture if self.picture == Drawing::Array => String::new(),
            Tool::Picture => self.picture.id().to_owned(),
            Tool::Follow => self.follow.map_or_else(String::new, Follow::to_text),
            Tool::Repeat => if self.repeats_fold { FOLD } else { "" }.to_owned(),
            Tool::Class => self.class.map_or("", Slot::id).to_owned(),
            Tool::Flow => self.built.map_or_else(String::new, Built::to_text),
            Tool::Learn => self.learn.as_ref().map_or_else(String::new, LearnPage::to_text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_tool_reads_what_it_writes_and_the_empty_text_puts_it_away() {
        for (tool, text) in [
            (Tool::Compare, "df=os&rows=8&clock=share"),
            (Tool::Defect, "stuck-1.2"),
            (Tool::Show, "error"),
            (Tool::Picture, "roofline"),
            (Tool::Follow, "east-7"),
            (Tool::Repeat, "fold"),
            (Tool::Class, "padding"),
            (Tool::Learn, "wave.3"),
            (Tool::Learn, "contents"),
        ] {
            let mut tools = Tools::default();
            assert_eq!(tools.set(tool, text), Ok(()));
            assert_eq!(tools.text(tool), text);
            assert_eq!(Tool::from_id(tool.id()), Some(tool));
            assert_eq!(tools.set(tool, " "), Ok(()));
            assert_eq!(tools, Tools::default(), "{tool:?}");
        }
    }

    #[test]
    fn a_value_that_a_tool_does_not_have_is_named_and_changes_nothing() {
        for tool in [Tool::Defect, Tool::Show, Tool::Picture, Tool::Follow, Tool::Repeat, Tool::Class, Tool::Learn] {
            let mut tools = Tools { repeats_fold: true, ..Tools::default() };
            let before = tools.clone();
            assert_eq!(tools.set(tool, "zebra!\n"), Err(ToolProblem { tool, given: "zebra!".to_owned() }));
            assert_eq!(tools, before);
        }
    }
}
