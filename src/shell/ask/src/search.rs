//! Full-text search: BM25 over title and text, with synonyms of the field and one typing error for each word.
//!
//! The scheme is that of Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with
//! fields: a word of the title counts as several words of the text.

use std::collections::BTreeMap;

use crate::stem::{is_filler, stem, words};

/// Words and phrases of the field that mean the same, one group per line, with commas between them.
const SYNONYMS: &str = include_str!("../synonyms.txt");

/// Saturation of repeated words.
const K1: f32 = 1.2;
/// Influence of the length of a text.
const B: f32 = 0.4;
/// Weight of a word of the title, if a word of the text has weight 1.
const TITLE: f32 = 3.0;
/// Weights of a synonym, of a word with a typing error, and of a word that is not typed to its end.
const SYNONYM: f32 = 0.8;
const MISSPELT: f32 = 0.7;
const UNFINISHED: f32 = 0.5;
/// Maximum number of digits of a short number.
const DIGITS_MAX: usize = 3;
/// Weight of short numbers and of words with at most two letters.
const SHORT: f32 = 0.7;
/// Maximum share of the score that an answer loses if its title has no word of the question.
const TITLE_MISSING: f32 = 0.5;
/// Maximum share of the texts that contain a rare word.
const RARE_MAX: f32 = 0.02;
/// Maximum number of words of a long question, rarest first, that a full share requires.
const ASKED_MAX: usize = 12;
/// Maximum number of words of a question that are searched.
const WORDS_MAX: usize = 60;
/// Maximum number of words that complete an unfinished word.
const COMPLETIONS_MAX: usize = 12;

/// A text that the search finds, with its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    /// Index of the text.
    pub(crate) nth: usize,
    /// Score: higher is better.
    pub(crate) score: f32,
    /// Share of the question that the text contains, from 0 to 1. Rare words count more than frequent words.
    pub(crate) share: f32,
    /// Number of rare words of the question that the text contains.
    pub(crate) n_rare: usize,
}

/// The words of all texts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search {
    /// For each term, the texts that contain the term, with the weighted count of the term in the text.
    postings: BTreeMap<String, Vec<(u32, f32)>>,
    /// Number of terms of each text.
    lengths: Vec<f32>,
    /// Terms of each word of each title.
    titles: Vec<Vec<Vec<String>>>,
    synonyms: Synonyms,
}

/// Phrases that mean the same, by their first word.
#[derive(Clone, Debug)]
struct Synonyms(BTreeMap<String, Vec<(Vec<String>, usize)>>);

impl Default for Synonyms {
    fn default() -> Self {
        let mut phrases: BTreeMap<String, Vec<(Vec<String>, usize)>> = BTreeMap::new();
        for (group, line) in SYNONYMS.lines().enumerate() {
            for phrase in line.split(',') {
                let stems: Vec<String> = words(phrase).iter().map(|word| stem(word)).collect();
                if let Some(first) = stems.first() {
                    phrases.entry(first.clone()).or_default().push((stems, group));
                }
            }
        }
        Self(phrases)
    }
}

impl Synonyms {
    /// Returns the terms of each word of a text. They are the stem of the word, and a term for each group of synonyms
    /// that has a phrase beginning there.
    fn terms(&self, text: &str) -> Vec<Vec<String>> {
        let all = words(text);
        let stems: Vec<String> = all.iter().map(|word| stem(word)).collect();
        let of = |(at, (word, stem)): (usize, (&String, &String))| {
            let named = self.0.get(stem).into_iter().flatten();
            let groups = named.filter(|(phrase, _)| stems.get(at..).is_some_and(|rest| rest.starts_with(phrase)));
            let own = (!is_filler(word)).then(|| stem.clone());
            own.into_iter().chain(groups.map(|(_, group)| format!("{GROUP}{group}"))).collect()
        };
        all.iter().zip(&stems).enumerate().map(of).collect()
    }
}

/// Prefix of a term that stands for a group of synonyms.
const GROUP: char = '=';

impl Search {
    /// Adds a text. The texts are counted from 0.
    pub(crate) fn add(&mut self, title: &str, text: &str) {
        let nth = u32::try_from(self.lengths.len()).unwrap_or(u32::MAX);
        let mut counts: BTreeMap<String, f32> = BTreeMap::new();
        let mut length = 0.0;
        for (of, weight) in [(title, TITLE), (text, 1.0)] {
            for term in self.synonyms.terms(of).into_iter().flatten() {
                length += 1.0;
                *counts.entry(term).or_default() += weight;
            }
        }
        self.lengths.push(length);
        self.titles.push(self.synonyms.terms(title));
        for (term, count) in counts {
            self.postings.entry(term).or_default().push((nth, count));
        }
    }

    /// Returns the texts that share a word with the question, best first.
    pub(crate) fn find(&self, question: &str) -> Vec<Hit> {
        let mut scores: BTreeMap<u32, (f32, f32, usize)> = BTreeMap::new();
        let n_texts = self.lengths.len() as f32;
        let mean = self.lengths.iter().sum::<f32>() / n_texts.max(1.0);
        let mut asked = Vec::new();
        let mut terms: Vec<String> = self.synonyms.terms(question).into_iter().flatten().collect();
        let is_finished = question.ends_with(|last: char| !last.is_alphanumeric());
        let last = terms.iter().rposition(|term| !term.starts_with(GROUP));
        let unfinished = last.filter(|_| !is_finished).and_then(|last| terms.get(last).cloned());
        terms.truncate(WORDS_MAX);
        terms.sort_unstable();
        terms.dedup();
        for term in &terms {
            let is_group = term.starts_with(GROUP);
            let weight = if is_group { SYNONYM } else { 1.0 };
            let mut found = self.postings.get(term).map(|postings| (postings, weight)).into_iter().collect::<Vec<_>>();
            if !is_group && (found.is_empty() || unfinished.as_ref() == Some(term)) {
                found.extend(self.similar(term, unfinished.as_ref() == Some(term)));
            }
            let n_found = found.iter().map(|(postings, _)| postings.len()).max().unwrap_or(0) as f32;
            let is_number = term.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            let is_short = !is_group && (term.len() < 3 || is_number && term.len() <= DIGITS_MAX);
            let rarity = if is_short { SHORT } else { 1.0 } * self.rarity(n_found);
            let is_rare = !is_group && !is_short && n_found <= RARE_MAX * n_texts;
            // A synonym adds to the score, and a text need not have both forms. A number that no text has says nothing
            // about the topic.
            let is_own = is_number && found.is_empty();
            asked.extend((!is_group && !is_own).then_some(rarity));
            let mut best: BTreeMap<u32, f32> = BTreeMap::new();
            for (nth, count, weight) in
                found.into_iter().flat_map(|(all, weight)| all.iter().map(move |one| (one.0, one.1, weight)))
            {
                let length = self.lengths.get(nth as usize).copied().unwrap_or(mean);
                let score = weight * count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * length / mean));
                let most = best.entry(nth).or_default();
                *most = most.max(score);
            }
            for (nth, score) in best {
                let (sum, share, n_rare) = scores.entry(nth).or_default();
                *sum += rarity * score;
                *n_rare += usize::from(is_rare);
                *share += if is_group { 0.5 * rarity } else { rarity };
            }
        }
        asked.sort_by(|one, other| other.total_cmp(one));
        let asked = asked.iter().take(ASKED_MAX).sum::<f32>().max(f32::MIN_POSITIVE);
        let hit = |(nth, (sum, share, n_rare)): (u32, (f32, f32, usize))| {
            let share = (share / asked).min(1.0);
            let named = 1.0 - TITLE_MISSING * (1.0 - self.share_of_title(nth as usize, &terms));
            Hit { nth: nth as usize, score: sum * (0.3 + 0.7 * share) * named, share, n_rare }
        };
        let mut hits: Vec<Hit> = scores.into_iter().map(hit).collect();
        hits.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.nth.cmp(&other.nth)));
        hits
    }

    /// Weight of a term in this many texts. Rare terms weigh more.
    fn rarity(&self, n_found: f32) -> f32 {
        (1.0 + (self.lengths.len() as f32 - n_found + 0.5) / (n_found + 0.5)).ln()
    }

    /// Share of a title that the terms of a question contain, from 0 to 1. Rare words count more than frequent words.
    fn share_of_title(&self, nth: usize, asked: &[String]) -> f32 {
        let (mut all, mut named) = (f32::MIN_POSITIVE, 0.0);
        for word in self.titles.get(nth).into_iter().flatten() {
            let Some(term) = word.first() else { continue };
            let rarity = self.rarity(self.postings.get(term).map_or(0.0, |found| found.len() as f32));
            all += rarity;
            if word.iter().any(|term| asked.binary_search(term).is_ok()) {
                named += rarity;
            }
        }
        named / all
    }

    /// Returns the words that differ from a word in one letter. If the word is unfinished, also returns the words that
    /// begin with it.
    fn similar(&self, term: &str, is_unfinished: bool) -> Vec<(&Vec<(u32, f32)>, f32)> {
        if term.len() < 3 || term.bytes().all(|byte| byte.is_ascii_digit()) {
            return Vec::new();
        }
        let from = self.postings.range(term.to_owned()..);
        let begun = from.take_while(|(word, _)| word.starts_with(term)).filter(|(word, _)| *word != term);
        let mut all: Vec<_> = begun.take(COMPLETIONS_MAX).map(|(_, found)| (found, UNFINISHED)).collect();
        if !is_unfinished {
            all.clear();
        }
        if term.len() > 3 && !self.postings.contains_key(term) {
            let near = self.postings.iter().filter(|(word, _)| differs_once(word, term));
            all.extend(near.map(|(_, found)| (found, MISSPELT)));
        }
        all
    }
}

/// True if one change makes two words equal: a letter is replaced, removed or added, or two neighboring letters are
/// swapped.
fn differs_once(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let (short, long) = (short.as_bytes(), long.as_bytes());
    if long.len() - short.len() > 1 || short.len() < 3 {
        return false;
    }
    let start = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let (short, long) = (plain::after(short, start), plain::after(long, start));
    if short.len() != long.len() {
        return short == plain::after(long, 1);
    }
    let is_swapped = |a: &[u8], b: &[u8]| matches!((a, b), ([a, b, ..], [c, d, ..]) if (a, b) == (d, c));
    plain::after(short, 1) == plain::after(long, 1)
        || (is_swapped(short, long) && plain::after(short, 2) == plain::after(long, 2))
}
