//! Tests that each mistake in a lesson is found at its position and described in a sentence.

use lesson::{Lesson, words};

const LESSON: &str = "# Waves

```lesson
id: waves
minutes: 2
aims: Count
```

## Look

```card
kind: explain
state: ?rows=4&cols=4&m=6&k=4&n=3&t=7
lit: array, wave
```

Now {busy} PEs of {rows*cols} multiply, in 4 rows.

## Ask

```card
kind: predict
run: 9
ask: choose
answer: busy at 9
```

### How many at cycle {run}?

- {busy at 7} as now

  **It stands still.** It does not.

- {busy at 9} more

## Change

```card
kind: change
change: m
goal: utilization > 50%
names: utilization
solution: m=64
```

### Make it busy.
";

/// Returns the error for the lesson with one part replaced.
fn said(from: &str, to: &str) -> String {
    assert!(LESSON.contains(from), "{from}");
    match Lesson::read(&LESSON.replacen(from, to, 1)) {
        Ok(_) => String::new(),
        Err(mistake) => words::mistake(&mistake),
    }
}

#[test]
fn a_lesson_without_a_mistake_is_read() {
    let lesson = Lesson::read(LESSON).unwrap_or_else(|mistake| panic!("{}", words::mistake(&mistake)));
    let card = &lesson.cards[0];
    assert_eq!(card.text[0].shown(&card.scene()).as_deref(), Ok("Now 9 PEs of 16 multiply, in 4 rows."));
    assert_eq!(lesson.cards[1].state, card.state, "a card without a state has the one before it");
}

#[test]
fn a_mistake_is_named_with_its_line_and_column() {
    let mut wrong = Vec::new();
    for (from, to, place, part) in [
        ("# Waves", "Waves", "1:1", "# title"),
        ("minutes: 2", "minutes: two", "5:10", "\u{201c}two\u{201d}"),
        ("minutes: 2", "minuets: 2", "5:1", "minuets"),
        ("minutes: 2", "id: waves", "5:1", "twice"),
        ("aims: Count", "", "4:1", "aims"),
        ("kind: explain", "kind: show", "12:7", "explain, predict, change"),
        ("n=3&t=7", "n=0&t=7", "13:8", "n"),
        ("n=3&t=7", "n=3&t=99", "13:8", "no such cycle"),
        ("n=3&t=7", "n=3&zebra=1", "13:8", "zebra"),
        ("array, wave", "array, weave", "14:13", "weave"),
        ("array, wave", "array, wave, A, B", "14:22", "4 parts"),
        ("{busy}", "{bussy}", "17:6", "bussy"),
        ("{rows*cols}", "{rows*}", "17:25", "too early"),
        ("{rows*cols}", "{sum 9 9}", "17:19", "no such"),
        ("{rows*cols}", "{rows/0}", "17:19", "zero"),
        ("in 4 rows", "in 5 rows", "17:30", "says 5"),
        ("in 4 rows", "in *all* rows", "17:44", "a card can have"),
        ("run: 9", "run: 99", "23:6", "99"),
        ("run: 9", "run: (9", "23:8", "too early"),
        ("ask: choose", "ask: guess", "24:6", "choose, number"),
        ("answer: busy at 9", "answer: pes", "28:5", "exactly one"),
        ("{busy at 9} more", "{busy at 8 - 2} more", "34:1", "same value as another"),
        ("  **It stands still.** It does not.", "", "30:1", "misconception"),
        ("{busy at 9} more", "{busy at 9} more.", "34:1", "period"),
        ("run: 9", "run: 9\nthen: m=0", "24:7", "no run is possible"),
        ("names: utilization", "names: utilization, PEs", "42:8", "one name for each"),
        ("solution: m=64", "solution: m=7", "43:11", "does not meet"),
        ("goal: utilization > 50%", "goal: utilization > 5%", "41:7", "already"),
        ("{busy}", "{flow_wrong}", "17:5", "add `flow=`"),
        ("change: m", "change: flow", "43:11", "flow=east,stays,south,1,1"),
        ("lit: array, wave", "beside: ?flow=east%2Cstays%2Csouth%2C1%2C1", "14:9", "leave out `beside`"),
        ("lit: array, wave", "lit: array, pe 4 0", "14:6", "no such cycle, PE or element"),
        ("lit: array, wave", "lit: c 0 3", "14:6", "no such cycle, PE or element"),
        ("run: 9", "run: 9\nvary: zebra 1 to 3", "24:7", "use one of seed, t, rows"),
        ("run: 9", "run: 9\nvary: m 9 to 3", "24:7", "from a smaller to a larger number"),
        ("run: 9", "run: 9\nvary: m 3 to 3", "24:7", "from a smaller to a larger number"),
        ("run: 9", "run: 9\nvary: seed, m", "24:13", "at least two values"),
        ("run: 9", "run: 9\nvary: m 3", "24:7", "at least two values"),
        ("run: 9", "run: 9\nvary: m 0 to 3", "24:7", "1 to 65"),
        ("run: 9", "run: 9\nvary: dt int8 int9", "24:7", "int9"),
        ("run: 9", "run: 9\nvary: t one two", "24:7", "such as `3 to 9`"),
        ("run: 9", "run: 9\nvary: m 3 to 9, m 4 5", "24:17", "appears twice"),
        ("run: 9", "run: 9\nvary: k as rowss", "24:12", "rowss"),
        ("run: 9", "run: 9\nvary: padm 2 4", "24:7", "does not depend on it"),
        ("n=3&t=7", "n=3&t=7&fill=counting\nvary: seed", "14:7", "does not depend on it"),
        (
            "solution: m=64",
            "solution: m=64\nbest: smallest m\nvary: k 3 4",
            "45:7",
            "known only for the numbers that the challenge has",
        ),
    ] {
        let said = said(from, to);
        if !said.starts_with(&format!("{place}: ")) || !said.contains(part) {
            wrong.push(format!("{to:?}: {said:?} is not at {place}, or does not say {part:?}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn a_card_with_too_many_words_is_refused() {
    let long = "word ".repeat(41);
    assert!(said("in 4 rows.", &long).contains("at most 40"), "{}", said("in 4 rows.", &long));
}

#[test]
fn no_text_makes_the_reader_stop() {
    let mut signs: Vec<char> = "#`{}*>-_[]()!:?&=\n \u{e9}0aZ|~\\<".chars().collect();
    let mut state = 1_u64;
    for _ in 0..3000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = (state >> 33) as usize % LESSON.len();
        let Some((before, after)) = LESSON.split_at_checked(at) else { continue };
        let sign = signs[(state >> 13) as usize % signs.len()];
        let cut = (state >> 20) as usize % 30;
        let rest: String = after.chars().skip(cut).collect();
        _ = Lesson::read(&format!("{before}{sign}{rest}"));
        signs.rotate_left(1);
    }
    let deep = format!("{{{}1{}}}", "(".repeat(5000), ")".repeat(5000));
    assert!(said("{busy}", &deep).starts_with("17:"));
    let negative = format!("{{{}1}}", "-".repeat(5000));
    assert_eq!(said("{busy}", &negative), "");
}
