//! Entry point of the estimate: a question, as a link has it after `ask=`, `lengths=` or `failures=`.

use estimate::{Answered, Query, Topic};
use report as shown;
use studio::{Link, PartTexts};

use super::{is_sentence, text};

/// Reads a question: entries as `name=value` pairs. A prefix such as `lengths=` selects the topic; the default is
/// `ask`.
pub(super) fn ask(bytes: &[u8]) {
    let text = text(bytes);
    let of = |topic: Topic| Some((topic, text.strip_prefix(topic.parameter())?.strip_prefix('=')?));
    let (topic, entries) = Topic::ALL.into_iter().find_map(of).unwrap_or((Topic::Model, &text));

    // A link keeps the text unchanged.
    let pair = [("ui", "desk"), (topic.parameter(), entries)];
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(pair).finish();
    let link = Link::parse(&query, "");
    if query.len() <= Link::LENGTH_MAX {
        assert_eq!(link.texts.text(topic.parameter()), entries);
        assert_eq!(Link::parse(&link.to_parts().0, "").texts, link.texts);
    } else {
        assert_eq!(link.texts, PartTexts::default());
    }

    let query = Query::parse(topic, entries);
    let again = Query::parse(topic, &query.entries().to_text());
    let typed =
        |query: &Query| query.entries().iter().map(|(entry, text)| (entry, text.to_owned())).collect::<Vec<_>>();
    assert_eq!(typed(&again), typed(&query));
    assert_eq!(again.entries().unknown, query.entries().unknown);
    answered(&Answered::new(query, None));
}

/// Checks that an answer can be saved and drawn, and that a question without an answer is refused in sentences.
pub(super) fn answered(answered: &Answered) {
    let answer = shown::answer(answered);
    for table in shown::tables(answered) {
        assert!(table.rows.iter().all(|row| row.cells.len() <= table.heads.len()), "{table:?}");
    }
    let beside = answer.beside_entries.iter().map(|(_, said)| said);
    beside.chain(&answer.refused).for_each(|said| is_sentence(said));
    for figure in &answer.figures {
        assert!(!figure.value.contains("NaN") && !figure.value.contains("inf"), "{}: {}", figure.id, figure.value);
    }
    let is_saved = answered.query().topic() != Topic::Model || answered.model().map(shown::json).is_ok();
    assert!(is_saved || !answer.refused.is_empty(), "it is neither saved nor refused");
    for drawing in shown::drawings(answered) {
        let svg = drawing.plot.svg(330.0);
        // A file may give its matmuls any names. In a title, the name ends with the last colon.
        for (tag, said) in svg.split('<').filter_map(|piece| piece.split_once('>')) {
            let said = said.rsplit_once(": ").map_or("", |(_, numbers)| numbers);
            let drawn = if tag.starts_with("svg ") { "" } else { tag };
            let has = |sign| drawn.contains(sign) || said.contains(sign);
            assert!(!has("NaN") && !has("inf") && !has("∞"), "{svg}");
        }
    }
}
