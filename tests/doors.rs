//! Each door by which foreign text comes in keeps its promise for the texts with which a search guided by coverage begins.
//!
//! `cargo xtask fuzz` searches on from them. Its doors are compiled here too, so that they follow what they are doors of.

#[expect(unreachable_pub, reason = "it is a crate of its own where it is searched")]
#[path = "../fuzz/src/lib.rs"]
mod doors;

use std::panic::catch_unwind;

use doors::Door;

#[test]
fn every_door_keeps_its_promise_for_every_text_that_a_search_begins_with() {
    for door in Door::ALL {
        let seeds = doors::seeds(door.name);
        assert!(!seeds.is_empty() && doors::dictionary(&seeds).len() > 20, "{}: {} texts", door.name, seeds.len());
        for seed in seeds {
            let kept = catch_unwind(|| (door.enter)(&seed));
            assert!(kept.is_ok(), "{}: \"{}\"", door.name, seed.escape_ascii());
        }
    }
}

#[test]
fn a_door_that_is_broken_is_so_for_a_text_near_those_that_its_search_begins_with() {
    let [seed] = &doors::seeds(Door::BROKEN.name)[..] else { panic!("one is enough") };
    let enter = Door::BROKEN.enter;
    assert!(catch_unwind(|| enter(seed)).is_ok());
    let near = String::from_utf8_lossy(seed).replace("cols=4", "cols=3");
    assert!(catch_unwind(|| enter(near.as_bytes())).is_err(), "{near}");
}

#[test]
fn what_was_once_found_is_kept() {
    for (door, text) in [
        // A matrix before the `#`, and a size behind it that is not its own.
        (Door::LINK, &b"rows=16&a=512&k=60"[..]),
        // The header ends behind a whole tensor, without a brace.
        (Door::SAFETENSORS, b"\x2f\0\0\0\0\0\0\0{\"a\":{\"dtype\":\"F32\",\"shape\":[4,8],\"of\":[0,128]}"),
        // A number that is read and written anew as another one.
        (Door::MESSAGE, br#"{"id":111111111111111111111111,"method":"ping"}"#),
        // A number that JSON may hold, and that no float does.
        (Door::MESSAGE, br#"{"sap":1,"type":"hello","nonce":1844671e308709551615}"#),
        // Bytes that are no text, control signs and backslashes in the words of a line.
        (
            Door::LIST,
            b"16 \xc3\x97 32 6 \xc3\xae \xf2\xc3\xa1\xe2\x80\x00@\xf2\xb9\xb9\xb9\xb9\xb9\xb9\xb9\xb9\xb9\xb9\x00\x0c\xb8g$\x8d\x18\x00\\\\\x00h\x88\\\\NaN1",
        ),
    ] {
        (door.enter)(text);
    }
}
