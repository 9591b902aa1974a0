//! Doors of the array: the address of the page, a matrix, and messages of the page around it.

#[path = "../../tests/soak/checks.rs"]
mod checks;

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use protocol::{Failure, Message};
use serde_json::Value;
use serde_json::value::RawValue;
use studio::{Action, Edit, Field, Link, MatrixText, Playhead, Session};

use super::text;

/// What holds in a state that can be reached. A walk makes the costly checks now and then; so does a entry point, sixteen times as
/// often, for the same texts each time.
fn holds(session: &Session, playhead: &Playhead, bytes: &[u8]) {
    let mut hash = DefaultHasher::new();
    bytes.hash(&mut hash);
    for (every, check) in checks::ALL {
        if hash.finish().is_multiple_of((every / 16).max(1)) {
            check(session, playhead).unwrap_or_else(|what| panic!("{what}"));
        }
    }
}

/// An address: its query, and behind `#` its fragment. What is read, written and read again is the same.
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
    // A setting that this run has no use for is in no link, and no notice is.
    let same = Link { scenario: again.scenario.clone(), notices: again.notices.clone(), ..link.clone() };
    assert_eq!(again, same);
    let used = |link: &Link| Field::ALL.map(|field| link.scenario.uses(field).then(|| link.scenario.text(field)));
    assert_eq!(used(&again), used(&link));
    let (session, playhead) = Session::open(&link);
    words::message::notices(&session.notices, &session.plan).iter().for_each(|said| super::is_sentence(said));
    (session, playhead)
}

/// The same with a rule that does not hold of every array.
pub(super) fn broken(bytes: &[u8]) {
    let (session, _) = opened(&text(bytes));
    assert_ne!(session.plan.schedule().array().cols(), 3, "three columns");
}

/// A matrix as somebody pastes it. What is read and written is read as the same sizes and written as the same text.
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
    for edit in [Edit::Set(Field::Fill, "custom".to_owned()), Edit::Set(Field::A, text.into_owned())] {
        (session, playhead, _) = session.applied(&edit, playhead);
    }
    holds(&session, &playhead, bytes);
}

/// Messages of a host, one a line. One that fails changes nothing, and each is answered with its own number.
pub(super) fn message(bytes: &[u8]) {
    let (mut session, mut playhead) = Session::open(&Link::default());
    for line in text(bytes).lines() {
        let greeted = protocol::welcome(line).unwrap_or_else(|refusal| refusal);
        // Its parts as they are written: a nonce comes back to the digit, also one that no float holds.
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

/// The parts of an object, as they are written.
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
