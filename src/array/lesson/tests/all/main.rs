//! Tests that read and solve the lessons, claims and challenges. Their values are computed a second time in another
//! way.

mod again;
mod answers;
mod by_hand;
mod cards;
mod challenges;
mod claims;
mod flows;
mod lessons;
mod mistakes;
mod order;
mod prints;
mod texts;
mod verdicts;
mod versions;
