//! The lessons, claims and challenges: each is read, solved and held against what was worked out another way.

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
