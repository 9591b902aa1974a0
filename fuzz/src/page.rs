//! Entry points of the array: the address of the page, a matrix, and messages from the page that embeds it.

#[path = "../../tests/soak/checks.rs"]
mod checks;

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use protocol::{Failure, Message};
use serde_json::Value;
use serde_json::value::RawValue;
use studio::{Action, Edit, Field, FieldValue, FillKind, Link, MatrixText, Playhead, Session};

use super::text;

/// Runs the checks of the random walks on a state. A walk rarely runs an expensive check. An entry point runs the check
/// sixteen times as often, and always for the same texts.
fn holds(session: &Session, playhead: &Playhead, bytes: &[u8]) {
    let mut hash = DefaultHasher::new();
    bytes.hash(&mut hash);
    for (every, check) in checks::ALL {
        if hash.finish().is_multiple_of((every / 16).max(1)) {
            check(session, playhead).unwrap_or_else(|what| panic!("{what}"));
        }
    }
}

/// Reads an address: its query, and after `#` its fragment. A link that is written and read again must not change.
pub(super) fn link(bytes: &[u8]) {
    let (session, playhead) = opened(&text(bytes));
    holds(&session, &playhead, bytes);
}

fn opened(address: &str) -> (Session, Playhead) {
    let (query, fragment) = address.split_once('#').unwrap_or((address, ""));
    let link = Link::parse(query, fragment);
    let parts = link.to_parts();
    let again = Link::parse(&parts.0, &parts.1);
    assert_eq!(again.to_parts(), parts, "written twice");
    // A link omits notices, and settings that its run does not use.
    let same = Link { scenario: again.scenario.clone(), notices: again.notices.clone(), ..link.clone() };
    assert_eq!(again, same);
    let used = |link: &Link| Field::ALL.map(|field| link.scenario.uses(field).then(|| link.scenario.text(field)));
    assert_eq!(used(&again), used(&link));
    let (session, playhead) = Session::open(&link);
    words::message::notices(&session.notices, &session.plan).iter().for_each(|said| super::is_sentence(said));
    (session, playhead)
}

/// Reads an address, with a check that fails for arrays with three columns.
pub(super) fn broken(bytes: &[u8]) {
    let (session, _) = opened(&text(bytes));
    assert_ne!(session.plan.schedule().array().cols(), 3, "three columns");
}

/// Reads a pasted matrix. A matrix that is written and read again must keep its sizes and its text.
pub(super) fn matrix(bytes: &[u8]) {
    let text = text(bytes);
    match MatrixText::parse(Field::A, &text) {
        Err(problem) => super::is_sentence(&words::message::problem(&problem)),
        Ok(matrix) => {
            let n = matrix.values.len() as u64;
            assert!(n == matrix.rows * matrix.cols && (1..=MatrixText::ELEMENTS_MAX).contains(&n), "{n} elements");
            let written = matrix.to_text();
            let again = MatrixText::parse(Field::A, &written).unwrap_or_else(|why| panic!("{written}: {why:?}"));
            assert_eq!((again.rows, again.cols), (matrix.rows, matrix.cols), "{written}");
            assert_eq!(again.to_text(), written);
        }
    }
    let (mut session, mut playhead) = Session::open(&Link::default());
    for edit in [Edit::Set(Field::Fill, FieldValue::Fill(FillKind::Custom)), Edit::Type(Field::A, text.into_owned())] {
        (session, playhead, _) = session.applied(&edit, playhead);
    }
    holds(&session, &playhead, bytes);
}

/// Reads an array of NumPy behind its first word. Each array has as many values as its shape says.
pub(super) fn npy(bytes: &[u8]) {
    if let Ok(listed) = studio::npy::read(&[b"\x93NUMPY", bytes].concat(), MatrixText::ELEMENTS_MAX) {
        let n = listed.values.len() as u64;
        assert!(n == listed.rows * listed.cols && (1..=MatrixText::ELEMENTS_MAX).contains(&n), "{n} elements");
    }
}

/// Reads messages of a host, one per line. A failed message must not change the state. Each reply must repeat the
/// number of its message.
pub(super) fn message(bytes: &[u8]) {
    let (mut session, mut playhead) = Session::open(&Link::default());
    for line in text(bytes).lines() {
        let greeted = protocol::welcome(line).unwrap_or_else(|refusal| refusal);
        // The test compares the written parts, because every digit of a nonce must return, even if no float can
        // represent the nonce.
        parts(&greeted);
        assert!(protocol::wanted_keys(line).len() <= 16);
        let Some(message) = Message::read(line) else { continue };
        let before = (session.clone(), playhead);
        let result = answer(&message, &mut session, &mut playhead);
        if let Err(failure) = &result {
            assert!((&session, &playhead) == (&before.0, &before.1), "it fails and changes the state: {line}");
            assert!(!failure.message.is_empty() && failure.message.len() < 2_000, "{failure:?}");
        }
        let is_ok = result.is_ok();
        let (reply, sent) = (parts(&message.reply(result)), parts(line));
        assert_eq!(reply["ok"].get(), is_ok.to_string());
        assert_eq!(reply["id"].get(), sent.get("id").map_or("null", |id| id.get()));
    }
    holds(&session, &playhead, bytes);
}

/// Parts of a JSON object, as they are written.
fn parts(text: &str) -> BTreeMap<String, Box<RawValue>> {
    serde_json::from_str(text).expect("an object")
}

fn answer(message: &Message, session: &mut Session, playhead: &mut Playhead) -> Result<Value, Failure> {
    let request = message.request()?;
    for action in request.actions(session)? {
        match action {
            Action::Edit(edit) => (*session, *playhead, _) = session.clone().applied(&edit, *playhead),
            Action::Move(transport) => *playhead = playhead.moved(transport, &session.plan),
            Action::Elapse(_) => {}
        }
    }
    request.answer(session, playhead).map(protocol::Answer::whole)
}
