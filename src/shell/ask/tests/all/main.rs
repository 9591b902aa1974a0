//! Tests of the answers: the index, the readers, published questions, and hostile texts.

mod asked;
mod facts;
mod hostile;
mod index;
mod kinds;
mod pages;
mod readers;
mod search;

use std::path::PathBuf;
use std::sync::LazyLock;

use ask::{Answer, Answers, Index, Target};
use studio::{Link, PartText, Plan};

/// The index of the page.
pub(crate) static INDEX: LazyLock<Index> = LazyLock::new(|| Index::parse(&read("public/ask.txt")));

/// Top folder of the project.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo runs the tests")).join("../../..")
}

/// Text of a file of the project.
pub(crate) fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Answers to a question.
pub(crate) fn ask(question: &str) -> Answers {
    INDEX.ask(question)
}

/// First answer to a question.
pub(crate) fn first(question: &str) -> Answer {
    ask(question).found.into_iter().next().unwrap_or_else(|| panic!("no answer: {question}"))
}

/// Link of an answer, parsed. It has no notice.
pub(crate) fn link(answer: &Answer) -> Link {
    let Target::Link(link) = &answer.target else { panic!("no link: {answer:?}") };
    let (query, fragment) = link.split_once('#').unwrap_or((link, ""));
    let link = Link::parse(query, fragment);
    assert!(link.notices.is_empty(), "{answer:?} {:?}", link.notices);
    link
}

/// Run of an answer.
pub(crate) fn plan(answer: &Answer) -> Plan {
    Plan::new(&link(answer).scenario).unwrap_or_else(|problems| panic!("{answer:?} {problems:?}"))
}

/// Estimate of an answer, whose entries are all valid.
pub(crate) fn query(answer: &Answer) -> estimate::ModelQuery {
    let query = estimate::ModelQuery::parse(&link(answer).texts[PartText::Ask]);
    assert!(query.invalid.is_empty(), "{answer:?} {:?}", query.invalid);
    query
}
