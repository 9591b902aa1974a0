//! The state of the page, and the only function that changes it.

use std::sync::Arc;

use crate::Channel;
use crate::follow::Place;
use crate::problem::Why;
use crate::tools::ToolProblem;
use crate::trial::{Held, Trial};
use crate::typing::Typing;
use crate::{
    Changed, Chrome, Draft, Edit, Field, FieldValue, FillKind, Link, MatrixText, Notice, Notices, PartTexts, Plan,
    Playhead, Problem, Scenario, Tool, ToolOpening, Tools, Unknown, View,
};
use systolic::{Adder, Cycle, KTiles, PeId};

/// The state of the page, except time. A clone is a snapshot.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// Settings, each with its last value that was understood. The settings may contradict each other.
    pub scenario: Scenario,
    /// Plan of the last settings that could run. The page shows this plan.
    pub plan: Arc<Plan>,
    /// Problems that keep `scenario` from running.
    pub problems: Vec<Problem>,
    /// Texts of fields that could not be understood.
    pub drafts: Vec<Draft<Field, Problem>>,
    /// Settings of the tools, as they were last understood.
    pub tools: Tools,
    /// Texts of tools that could not be understood.
    pub tool_drafts: Vec<Draft<Tool, ToolProblem>>,
    /// Texts that parts of the page parse.
    pub texts: PartTexts,
    /// View of the run: selected PE, layout, colors, open panel.
    pub view: View,
    /// The tool that a person opened by its button.
    pub opened: Option<ToolOpening>,
    /// Notices about parts of the link that could not be used.
    pub notices: Notices,
    /// Parameters of the link that this version does not know. The next link keeps these parameters.
    pub unknown: Unknown,
    /// Custom matrices as a person entered them, so that cropped elements return when a size grows again.
    pub(crate) own: Option<(MatrixText, MatrixText)>,
    /// The number that was changed last, if the page still shows its previous value.
    pub trial: Option<Trial>,
    /// The text that a person is typing.
    pub(crate) typing: Option<Typing>,
    /// Number of changes that a person made, so that each change becomes one step of the browser's history.
    pub revision: u64,
}

/// Maximum number of rows and columns of a custom matrix that begins as a part of a larger matrix.
const OWN_SIDE: u64 = 16;

impl Session {
    /// Returns the session and the playhead that a link describes.
    #[must_use]
    pub fn open(link: &Link) -> (Self, Playhead) {
        let mut notices = link.notices.clone();
        // Contradictory settings stay in the form, so that a person can correct them. Until then, the page shows this
        // run with other numbers, the usual adder and the usual order of k tiles. If this run is impossible too, it
        // shows the first screen. If only the adder does not fit, the form has the usual adder, because the run has all
        // other settings of the link.
        let mut scenario = link.scenario.clone();
        let (plan, problems) = match Plan::new(&scenario) {
            Ok(plan) => (plan, Vec::new()),
            Err(problems) => {
                // A matrix that the link has, but that cannot be read, is not missing.
                let is_told = |field| notices.iter().any(|one| matches!(one, Notice::Problem(of) if of.field == field));
                let is_new = |problem: &&Problem| problem.why != Why::NoValues || !is_told(problem.field);
                let new: Vec<Notice> = problems.iter().filter(is_new).cloned().map(Notice::Problem).collect();
                notices.extend(new);
                scenario.adder = Adder::F32;
                if let Ok(plan) = Plan::new(&scenario) {
                    (plan, Vec::new())
                } else {
                    let filled = Scenario { fill: FillKind::Small, k_tiles: KTiles::Up, ..scenario.clone() };
                    scenario.adder = link.scenario.adder;
                    (Plan::new(&filled).unwrap_or_default(), problems)
                }
            }
        };
        let mut playhead = Playhead::at(link.cycle.min(plan.last())).with_speed(link.speed);
        if link.scenario == Scenario::default() && link.cycle == Playhead::default().cycle {
            playhead = playhead.of_first_look();
        }
        if problems.is_empty() && link.cycle > plan.last() {
            notices.push(Notice::PastTheEnd { given: link.cycle, last: plan.last() });
        }
        let mut view = link.view;
        view.selected = view.selected.filter(|&pe| plan.schedule().array().contains(pe));
        if let Some(pe) = link.view.selected.filter(|_| view.selected.is_none() && problems.is_empty()) {
            notices.push(Notice::NoSuchPe(pe));
        }
        notices.extend(defect_notice(&link.tools, &plan));
        let session = Self {
            scenario,
            plan: Arc::new(plan),
            problems,
            drafts: Vec::new(),
            tools: link.tools.clone(),
            tool_drafts: Vec::new(),
            texts: link.texts.clone(),
            view,
            opened: None,
            notices,
            unknown: link.unknown.clone(),
            own: None,
            trial: None,
            typing: None,
            revision: 0,
        };
        (session, playhead)
    }

    /// Returns the link to this state, with the playhead's cycle and speed.
    #[must_use]
    pub fn link(&self, playhead: &Playhead) -> Link {
        Link {
            scenario: self.plan.scenario().clone(),
            view: self.view,
            cycle: playhead.cycle,
            speed: playhead.speed,
            tools: self.tools.clone(),
            texts: self.texts.clone(),
            unknown: self.unknown.clone(),
            notices: Notices::default(),
        }
    }

    /// Applies an edit. Returns the new session, the new playhead, and what the edit changed. Never fails.
    #[must_use]
    pub fn applied(self, edit: &Edit, playhead: Playhead) -> (Self, Playhead, Changed) {
        let before = self.clone();
        let (session, playhead) = self.edited(edit, playhead);
        let changed = session.changed_from(&before);
        (session, playhead, changed)
    }

    fn edited(mut self, edit: &Edit, playhead: Playhead) -> (Self, Playhead) {
        match edit {
            Edit::Set(field, _) | Edit::Type(field, _) | Edit::Drag(field, _) if self.view.locks(*field) => {
                self.notices.push(Notice::Locked(*field));
            }
            Edit::SetAll(settled) => {
                if let Some(&field) = settled.fields().iter().find(|field| self.view.locks(**field)) {
                    self.notices.push(Notice::Locked(field));
                } else {
                    self.take(settled);
                }
                let playhead = playhead.within(&self.plan);
                return (self, playhead);
            }
            // After a value is set, a person may go on typing from its text.
            Edit::Set(field, value) => {
                let playhead = self.commit(*field, Ok(value.clone()), &value.to_string(), playhead);
                return (self, playhead);
            }
            Edit::Type(field, text) => {
                let playhead = self.commit(*field, field.read(text), text, playhead);
                return (self, playhead);
            }
            Edit::Drag(field, number) => {
                let playhead = self.drag(*field, *number, playhead);
                return (self, playhead);
            }
            Edit::Tool(tool, text) => {
                if let Some(opened) = self.opened.as_mut().filter(|opened| opened.set == Some(*tool)) {
                    opened.set = None;
                }
                self.set_tool(*tool, text);
            }
            Edit::ShowBuilt(cycle) => {
                if let Some(built) = &mut self.tools.built {
                    built.cycle = Some(*cycle);
                }
            }
            Edit::Texts(texts) => {
                self.revision += u64::from(self.texts != *texts);
                self.texts.clone_from(texts);
            }
            Edit::Select(pe) => {
                self.view.selected = pe.filter(|&pe| self.plan.schedule().array().contains(pe));
            }
            Edit::Theme(theme) => self.view.theme = *theme,
            Edit::Room(room) => {
                // A person cannot leave or enter an embed. A poster becomes an embed when it is played.
                let is_played = self.view.chrome == Chrome::Poster && *room == Chrome::Embed;
                let is_free = !self.view.chrome.is_embedded() && !room.is_embedded();
                if (is_played || is_free) && self.view.chrome != *room {
                    self.view.chrome = *room;
                    self.revision += 1;
                }
            }
            Edit::Panel(panel) => self.open_panel(*panel),
            Edit::Dismiss => self.notices = Notices::default(),
            Edit::Open(link) | Edit::Preset(link) => {
                let (mut opened, playhead) = Self::open(link);
                // A preset or a step through history changes the run, but not the layout of the page.
                opened.view = View { selected: opened.view.selected, panel: opened.view.panel, ..self.view };
                opened.revision = self.revision + u64::from(matches!(edit, Edit::Preset(_)));
                return (opened, playhead);
            }
        }
        (self, playhead)
    }

    /// Returns the kind of the largest difference from another session.
    fn changed_from(&self, other: &Self) -> Changed {
        if self.plan != other.plan {
            Changed::Plan
        } else if self.tools != other.tools {
            Changed::Tools
        } else if self.texts != other.texts {
            Changed::Texts
        } else if self.view != other.view {
            Changed::View
        } else if self == other {
            Changed::Nothing
        } else {
            Changed::Words
        }
    }

    /// Returns the PE that the caption describes at a cycle: the chosen PE, or the PE that has the followed value at
    /// this cycle.
    #[must_use]
    pub fn pe_at(&self, cycle: Cycle) -> Option<PeId> {
        let from = self.view.selected?;
        match self.tools.follow.and_then(|follow| follow.place(&self.plan, from, cycle)) {
            None => Some(from),
            Some(Place::In(pe)) => Some(pe),
            Some(Place::Outside) => None,
        }
    }

    /// True if the settings cannot run, so that an older run is shown.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.scenario != *self.plan.scenario()
    }

    /// True if the shown run differs from the form, because something in the form cannot be used.
    #[must_use]
    pub fn has_problems(&self) -> bool {
        self.is_stale() || !self.problems.is_empty()
    }

    /// Returns the text that a field's control shows: the typed text if it could not be understood, else the value.
    #[must_use]
    pub fn field_text(&self, field: Field) -> String {
        let draft = self.drafts.iter().find(|draft| draft.of == field);
        draft.map_or_else(|| self.scenario.text(field), |draft| draft.text.clone())
    }

    /// Returns the text that a tool's control shows: the typed text if it could not be understood, else the setting.
    #[must_use]
    pub fn tool_text(&self, tool: Tool) -> String {
        let draft = self.tool_drafts.iter().find(|draft| draft.of == tool);
        draft.map_or_else(|| self.tools.text(tool), |draft| draft.text.clone())
    }

    /// Returns the problem to show next to a tool's control.
    #[must_use]
    pub fn tool_problem(&self, tool: Tool) -> Option<&ToolProblem> {
        self.tool_drafts.iter().find(|draft| draft.of == tool).map(|draft| &draft.problem)
    }

    /// Returns the problem to show next to a field.
    #[must_use]
    pub fn problem(&self, field: Field) -> Option<&Problem> {
        self.problems.iter().find(|problem| problem.field == field)
    }

    /// Fills custom matrices with the numbers that are shown, unless matrices of the right sizes exist. If a matrix is
    /// too large to list, uses only the first rows and columns, and sets M, K and N to these sizes.
    fn seed_custom_matrices(&mut self) {
        let operands = self.plan.operands();
        let now = &mut self.scenario;
        let sizes = |scenario: &Scenario| [(scenario.m, scenario.k), (scenario.k, scenario.n)];
        let before = sizes(now);
        let is_cut = !before.iter().all(|&(rows, cols)| MatrixText::can_list(rows, cols));
        if is_cut {
            for side in [&mut now.m, &mut now.k, &mut now.n] {
                *side = (*side).min(OWN_SIDE);
            }
        }
        let after = sizes(now);
        for (nth, (own, shown)) in [(&mut now.a, &operands.a), (&mut now.b, &operands.b)].into_iter().enumerate() {
            let fits = !is_cut && own.as_ref().is_some_and(|own| (own.rows, own.cols) == before[nth]);
            if !fits && (shown.rows(), shown.cols()) == before[nth] {
                *own = MatrixText::corner_of(shown, after[nth]);
            }
        }
    }

    /// Crops or extends custom matrices after a change of M, K, N or one matrix, if the matrices had the right sizes
    /// before. Cropped elements return when the matrices grow again.
    fn resize(&mut self, field: Field, before: &Scenario) {
        let fits = |own: &MatrixText, rows, cols| (own.rows, own.cols) == (rows, cols);
        let (Some(a), Some(b)) = (&before.a, &before.b) else { return };
        if before.fill != FillKind::Custom || !fits(a, before.m, before.k) || !fits(b, before.k, before.n) {
            self.own = None;
            return;
        }
        let (own_a, own_b) = self.own.get_or_insert_with(|| (a.clone(), b.clone()));
        let now = &mut self.scenario;
        match (field, &now.a, &now.b) {
            (Field::A, Some(a), _) => own_a.clone_from(a),
            (Field::B, _, Some(b)) => own_b.clone_from(b),
            _ => {}
        }
        if let Some((a, b)) = own_a.resized(now.m, now.k).zip(own_b.resized(now.k, now.n)) {
            (now.a, now.b) = (Some(a), Some(b));
        }
    }

    /// Returns each size that crops a custom matrix, with the size at which the matrix is no longer cropped.
    pub fn cropping(&self, matrix: Field) -> impl Iterator<Item = (Field, u64)> {
        let whole = self.own.as_ref().map(|(a, b)| match matrix {
            Field::A => [(Field::M, a.rows), (Field::K, a.cols)],
            _ => [(Field::K, b.rows), (Field::N, b.cols)],
        });
        whole.into_iter().flatten().filter(|&(side, whole)| self.scenario.number(side) < whole)
    }

    /// Returns the current value of a numeric field.
    fn field_value(&self, field: Field) -> u64 {
        self.plan.scenario().number(field)
    }

    /// Sets a field and adds a step to the history. This function also ends a drag. A text that cannot be used leaves the
    /// speed as it was before the person began to type.
    fn commit(
        &mut self,
        field: Field,
        read: Result<FieldValue, Problem>,
        text: &str,
        mut playhead: Playhead,
    ) -> Playhead {
        let (before, number, revision) = (Arc::clone(&self.plan), self.field_value(field), self.revision);
        let mut typing = Typing::of(self, field, text, playhead.speed);
        self.put(field, read, Some(text));
        // While a person types a text that cannot be used, the field passes other numbers. These numbers were not asked
        // for.
        let is_refused = self.drafts.iter().any(|draft| draft.of == field);
        if is_refused {
            self.scenario.clone_from(&typing.scenario);
            playhead = playhead.with_speed(typing.speed);
        }
        self.replan();
        if self.is_stale() {
            self.plan = Arc::clone(&typing.plan);
        }
        let asked = typing.revision;
        let last = self.trial.take();
        let held = last.as_ref().and_then(|trial| Some((trial, trial.held.as_ref()?)));
        let from = held.map_or(&before, |(_, held)| &held.plan);
        let has_changed = **from != *self.plan;
        // While a person types a number, the field passes other numbers. The change is compared with the number before
        // the typing began.
        let number = last.as_ref().filter(|trial| trial.field == field).map_or(number, |trial| trial.before);
        // If a text cannot be used, the numbers passed while typing it do not belong to the history.
        self.revision = if is_refused { asked } else { revision + u64::from(has_changed) };
        typing.after = self.revision;
        self.typing = Some(typing);
        self.trial = match last {
            // The typed text does not change the run yet, or no longer changes it.
            Some(last) if !has_changed => Some(Trial { held: None, ..last }),
            _ => Field::SLIDERS.contains(&field).then_some(Trial { field, before: number, held: None }),
        };
        playhead.within(&self.plan).suited(&self.plan)
    }

    /// Sets a number during a drag, without adding a step to the history. If playback is stopped, the playhead keeps
    /// its cycle from before the drag, unless the new run ends earlier.
    fn drag(&mut self, field: Field, number: u64, mut playhead: Playhead) -> Playhead {
        let last = self.trial.take().filter(|trial| trial.field == field && trial.is_held());
        let trial = last.unwrap_or_else(|| Trial {
            field,
            before: self.field_value(field),
            held: Some(Held { plan: Arc::clone(&self.plan), cycle: playhead.cycle }),
        });
        if let Some(held) = trial.held.as_ref().filter(|_| !playhead.playing) {
            playhead.cycle = held.cycle;
        }
        let revision = self.revision;
        self.put(field, Ok(FieldValue::Count(number)), None);
        self.replan();
        (self.revision, self.trial, self.typing) = (revision, Some(trial), None);
        playhead.within(&self.plan)
    }

    /// True if a person is dragging a number, so that the shown run is temporary.
    #[must_use]
    pub fn is_dragged(&self) -> bool {
        self.trial.as_ref().is_some_and(Trial::is_held)
    }

    /// Sets a field, without planning the run. A value that cannot be used stays as text, as a person typed it.
    pub(crate) fn put(&mut self, field: Field, read: Result<FieldValue, Problem>, typed: Option<&str>) {
        self.drafts.retain(|draft| draft.of != field);
        let before = self.scenario.clone();
        match read.and_then(|value| self.scenario.set(field, value)) {
            Err(problem) => {
                let text = typed.unwrap_or(&problem.given).to_owned();
                self.drafts.push(Draft { of: field, text, problem });
            }
            Ok(()) => match field {
                Field::M | Field::K | Field::N | Field::A | Field::B => self.resize(field, &before),
                Field::Fill if self.scenario.fill == FillKind::Custom => self.seed_custom_matrices(),
                Field::Fill => self.own = None,
                _ => {}
            },
        }
    }

    /// Plans the run of the settings, and drops notices about problems that are solved.
    pub(crate) fn replan(&mut self) {
        // A text that could not be understood keeps its problem as long as the run depends on its field. Problems of
        // the whole scenario come in addition.
        let used = self.drafts.iter().filter(|draft| self.scenario.uses(draft.of));
        self.problems = used.map(|draft| draft.problem.clone()).collect();
        match Plan::new(&self.scenario) {
            Ok(plan) => {
                if plan != *self.plan {
                    self.plan = Arc::new(plan);
                    self.revision += 1;
                }
            }
            Err(problems) => self.problems.extend(problems),
        }
        // A problem that is corrected has no notice any more.
        let is_corrected = self.problems.is_empty();
        let defect = defect_notice(&self.tools, &self.plan);
        self.notices.retain(|notice| match notice {
            Notice::Problem(_) => !is_corrected,
            Notice::Defect(..) | Notice::BesideDefect(_) => defect.as_ref() == Some(notice),
            _ => true,
        });
        let array = self.plan.schedule().array();
        self.view.selected = self.view.selected.filter(|&pe| array.contains(pe));
    }

    pub(crate) fn set_tool(&mut self, tool: Tool, text: &str) {
        self.tool_drafts.retain(|draft| draft.of != tool);
        let before = self.tools.clone();
        if let Err(problem) = self.tools.set(tool, text) {
            self.tool_drafts.push(Draft { of: tool, text: text.to_owned(), problem });
            return;
        }
        // Notices of the link about this tool no longer apply, and notices about two tools may not.
        let defect = defect_notice(&self.tools, &self.plan);
        self.notices.retain(|notice| match notice {
            Notice::Tool(problem) => problem.tool != tool,
            Notice::Second(_) => tool != Tool::Compare,
            Notice::Defect(..) | Notice::BesideDefect(_) => defect.as_ref() == Some(notice),
            _ => true,
        });
        self.revision += u64::from(self.tools != before);
    }
}

/// Returns a notice if this run cannot have the chosen fault, or if an array with this fault cannot show a tool.
fn defect_notice(tools: &Tools, plan: &Plan) -> Option<Notice> {
    let named = tools.defect?;
    match named.on(plan) {
        Err(why) => Some(Notice::Defect(named, why)),
        Ok(_) => (tools.show != Channel::Activity).then_some(Notice::BesideDefect(Tool::Show)),
    }
}

#[cfg(test)]
mod tests;
