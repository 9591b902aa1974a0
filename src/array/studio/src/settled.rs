//! Several settings that are set together or not at all, with one plan and one step of the history.

use std::sync::Arc;

use crate::{Field, FieldValue, Plan, Problem, Session};

/// A session in which several settings are set and the run is planned.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    fields: Vec<Field>,
    session: Session,
}

impl Settled {
    /// The fields that are set.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The run with these settings.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.session.plan
    }
}

impl Session {
    /// Returns a copy of this session in which the fields have these values, set in this order. The session itself does
    /// not change.
    ///
    /// ```
    /// use studio::{Edit, Field, FieldValue, Link, Session};
    ///
    /// let (session, playhead) = Session::open(&Link::default());
    /// let settled = session.settled(&[Field::Rows, Field::Cols].map(|side| (side, FieldValue::Count(8)))).unwrap();
    /// let (after, ..) = session.applied(&Edit::SetAll(Box::new(settled)), playhead);
    /// assert_eq!((after.plan.schedule().array().pes(), after.revision), (64, 1));
    /// ```
    ///
    /// # Errors
    /// Returns the problem of the first setting that cannot be used, or else the first problem that keeps the scenario
    /// from running.
    pub fn settled(&self, settings: &[(Field, FieldValue)]) -> Result<Settled, Problem> {
        self.settled_as_read(settings.iter().map(|(field, value)| (*field, Ok(value.clone()))).collect())
    }

    /// Returns what [`settled`](Self::settled) returns, for values that were read from texts. A text that could not be
    /// read is a problem only if the run depends on its field.
    ///
    /// # Errors
    /// As for [`settled`](Self::settled).
    pub fn settled_as_read(&self, settings: Vec<(Field, Result<FieldValue, Problem>)>) -> Result<Settled, Problem> {
        let mut tried = self.clone();
        let fields: Vec<Field> = settings.iter().map(|(field, _)| *field).collect();
        for (field, read) in settings {
            // Custom matrices begin with the numbers of the run that the settings so far describe.
            if field == Field::Fill {
                tried.replan();
            }
            tried.put(field, read, None);
        }
        tried.replan();
        match fields.iter().find_map(|field| tried.problem(*field)).or(tried.problems.first()) {
            Some(problem) => Err(problem.clone()),
            None => Ok(Settled { fields, session: tried }),
        }
    }

    /// Copies the settings and the plan from `settled`.
    pub(crate) fn take(&mut self, settled: &Settled) {
        let Self { scenario, plan, problems, drafts, view, notices, own, .. } = &settled.session;
        self.revision += u64::from(*self.plan != **plan);
        self.scenario.clone_from(scenario);
        self.plan = Arc::clone(plan);
        self.problems.clone_from(problems);
        self.drafts.clone_from(drafts);
        self.notices.clone_from(notices);
        self.view.selected = view.selected;
        self.own.clone_from(own);
        (self.trial, self.typing) = (None, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Edit, Link, Notice};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn settings(all: &[(Field, &str)]) -> Vec<(Field, FieldValue)> {
        all.iter().map(|(field, text)| (*field, field.read(text).expect("a value"))).collect()
    }

    #[test]
    fn many_settings_are_the_run_of_one_after_the_other_in_one_step() {
        for all in [
            &[(Field::Rows, "8"), (Field::Cols, "8"), (Field::Dtype, "bf16"), (Field::M, "16")][..],
            &[(Field::M, "2"), (Field::K, "2"), (Field::N, "2"), (Field::Fill, "custom")],
            &[(Field::Fill, "custom"), (Field::A, "1,2;3,4"), (Field::B, "5,6;7,8")],
            &[(Field::Dataflow, "os"), (Field::Drain, "south"), (Field::Overlap, "double-buffered")],
        ] {
            let (session, playhead) = Session::open(&Link::default());
            let settled = session.settled(&settings(all)).expect("they can be used");
            let (at_once, moment, _) = session.clone().applied(&Edit::SetAll(Box::new(settled)), playhead);
            let (mut one_by_one, mut at) = (session, playhead);
            for (field, value) in settings(all) {
                (one_by_one, at, _) = one_by_one.applied(&Edit::Set(field, value), at);
            }
            assert_eq!(
                (&at_once.plan, &at_once.scenario, moment.cycle),
                (&one_by_one.plan, &one_by_one.scenario, at.cycle)
            );
            assert_eq!((at_once.revision, one_by_one.revision > 1), (1, true), "{all:?}");
        }
    }

    #[test]
    fn one_setting_that_cannot_be_used_leaves_all_as_they_were() {
        let (session, _) = Session::open(&Link::default());
        let sides = [(Field::Rows, FieldValue::Count(8)), (Field::Cols, FieldValue::Count(0))];
        let refused = session.settled(&sides).expect_err("no columns");
        assert_eq!(refused.field, Field::Cols);
    }

    #[test]
    fn a_locked_setting_is_said_and_nothing_is_set() {
        let (session, playhead) = Session::open(&Link::parse("lock=array", ""));
        let settled = session.settled(&settings(&[(Field::M, "9"), (Field::Rows, "8")])).expect("they could be used");
        let before = session.plan.clone();
        let (after, ..) = session.applied(&Edit::SetAll(Box::new(settled)), playhead);
        assert_eq!((&after.plan, after.revision), (&before, 0));
        assert!(after.notices.iter().any(|notice| *notice == Notice::Locked(Field::Rows)));
    }
}
