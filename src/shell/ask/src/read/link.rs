//! Reader of a link of the playground.

use studio::{Entry as Parameter, Link, PartText, Plan};

use super::Read;
use crate::words::link as words;
use crate::{Answer, Kind, Target};

/// Reads a link, with or without the address before its `?`.
pub(super) fn read(text: &str) -> Option<Read> {
    let text = text.trim().trim_matches(['`', '"', '<', '>', '\'']);
    let start = if text.contains('?') { text.find('?')? + 1 } else { 0 };
    let is_address =
        start <= 1 || text.get(..start).is_some_and(|before| before.contains("://") || before.starts_with('/'));
    let rest = text.get(start..).filter(|rest| is_address && !rest.contains(char::is_whitespace))?;
    let (query, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let known = |pair: &str| pair.split_once('=').is_some_and(|(name, _)| Parameter::of(name).is_some());
    if !query.split('&').any(known) {
        return None;
    }
    let link = Link::parse(query, fragment);
    let kind = if link.texts[PartText::Ask].is_empty() { Kind::Run } else { Kind::Model };
    let plan = Plan::new(&link.scenario).ok();
    let says = plan
        .filter(|_| kind == Kind::Run)
        .map_or_else(String::new, |plan| crate::words::run::says(&plan, crate::words::run::Focus::Array, false));
    let fragment = if fragment.is_empty() { String::new() } else { format!("#{fragment}") };
    let target = Target::Link(format!("?{query}{fragment}"));
    let note = (!link.notices.is_empty()).then(|| words::NOTICES.to_owned());
    Some(Read::certain(Answer { kind, title: words::TITLE.to_owned(), says, target }, note))
}
