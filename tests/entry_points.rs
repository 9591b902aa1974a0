//! Tests that each entry point for untrusted text handles the seeds of its coverage-guided search.
//!
//! `cargo xtask fuzz` starts its search from these seeds. The entry points are compiled here too, so that they cannot
//! become outdated when the code that they call changes.

#[expect(unreachable_pub, reason = "the fuzzer compiles this file as its own crate")]
#[path = "../fuzz/src/lib.rs"]
mod entry_points;

use std::panic::catch_unwind;

use entry_points::EntryPoint;

#[test]
fn every_entry_point_keeps_its_promise_for_every_text_that_a_search_begins_with() {
    for entry in EntryPoint::ALL {
        let seeds = entry_points::seeds(entry.name);
        assert!(
            !seeds.is_empty() && entry_points::dictionary(&seeds).len() > 20,
            "{}: {} texts",
            entry.name,
            seeds.len()
        );
        for seed in seeds {
            let kept = catch_unwind(|| (entry.enter)(&seed));
            assert!(kept.is_ok(), "{}: \"{}\"", entry.name, seed.escape_ascii());
        }
    }
}

#[test]
fn a_faulty_entry_point_fails_for_a_text_near_those_that_its_search_begins_with() {
    let [seed] = &entry_points::seeds(EntryPoint::BROKEN.name)[..] else { panic!("one is enough") };
    let enter = EntryPoint::BROKEN.enter;
    assert!(catch_unwind(|| enter(seed)).is_ok());
    let near = String::from_utf8_lossy(seed).replace("cols=4", "cols=3");
    assert!(catch_unwind(|| enter(near.as_bytes())).is_err(), "{near}");
}

#[test]
fn what_was_once_found_is_kept() {
    for (entry, text) in [
        // The link has a matrix before the `#`, and then a size that differs from the size of the matrix.
        (EntryPoint::LINK, &b"rows=16&a=512&k=60"[..]),
        // This number changes when it is read and written again.
        (EntryPoint::MESSAGE, br#"{"id":111111111111111111111111,"method":"ping"}"#),
        // JSON allows this number, and no float can represent it.
        (EntryPoint::MESSAGE, br#"{"sap":1,"type":"hello","nonce":1844671e308709551615}"#),
        // The words of a line have bytes that are not UTF-8, control characters and backslashes.
        (
            EntryPoint::LIST,
            b"16 \xc3\x97 32 6 \xc3\xae \xf2\xc3\xa1\xe2\x80\x00@\xf2\xb9\xb9\xb9\xb9\xb9\xb9\xb9\xb9\xb9\xb9\x00\x0c\xb8g$\x8d\x18\x00\\\\\x00h\x88\\\\NaN1",
        ),
    ] {
        (entry.enter)(text);
    }
}
