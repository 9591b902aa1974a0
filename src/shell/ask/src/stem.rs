//! Words of a text in the form in which the search compares them: lower case, without endings and without filler words.

/// Words that say nothing about the topic.
const STOP: [&str; 78] = [
    "a", "about", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "cannot", "could", "did",
    "do", "does", "doing", "for", "from", "get", "give", "got", "had", "has", "have", "how", "i", "if", "in", "into",
    "is", "it", "its", "just", "like", "many", "me", "much", "my", "no", "not", "of", "on", "one", "only", "or", "our",
    "out", "please", "s", "see", "should", "show", "so", "some", "t", "than", "that", "the", "their", "then", "there",
    "they", "this", "to", "us", "use", "was", "we", "what", "when", "which", "why", "with", "you", "your",
];

/// Splits a text into lower-case words of letters and digits. A point between digits is part of a word.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut rest = text.chars().peekable();
    while let Some(sign) = rest.next() {
        let is_digit = |sign: Option<&char>| sign.is_some_and(char::is_ascii_digit);
        let ends_in_digit = word.ends_with(|last: char| last.is_ascii_digit());
        let is_point = sign == '.' && ends_in_digit && is_digit(rest.peek());
        // `8x128` is two numbers.
        let is_times = matches!(sign, 'x' | 'X') && word.bytes().all(|byte| byte.is_ascii_digit());
        let is_times = is_times && !word.is_empty() && is_digit(rest.peek());
        if (sign.is_alphanumeric() && !is_times) || is_point {
            word.extend(sign.to_lowercase());
        } else if !word.is_empty() {
            found.push(core::mem::take(&mut word));
        }
    }
    if !word.is_empty() {
        found.push(word);
    }
    found
}

/// True if a word says nothing about the topic.
pub(crate) fn is_filler(word: &str) -> bool {
    STOP.binary_search(&word).is_ok()
}

/// Returns a word without its ending, so that `padded`, `pads` and `padding` are equal. Names with digits stay.
pub(crate) fn stem(word: &str) -> String {
    if word.len() <= 3 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    let mut stem = word.to_owned();
    if let Some(start) = stem.strip_suffix("ies") {
        stem = format!("{start}y");
    } else if !["ss", "us", "is"].iter().any(|end| stem.ends_with(end)) {
        stem = stem.strip_suffix('s').map_or(stem.clone(), str::to_owned);
    }
    let has_vowel = |text: &str| text.len() >= 3 && text.contains(['a', 'e', 'i', 'o', 'u', 'y']);
    for end in ["ization", "izing", "ized", "izer", "ize"] {
        if let Some(start) = stem.strip_suffix(end) {
            return format!("{start}iz");
        }
    }
    for end in ["ing", "ed", "ly"] {
        if let Some(start) = stem.strip_suffix(end).filter(|start| has_vowel(start)) {
            let mut start = start.to_owned();
            let mut last = start.chars().rev();
            if last.next() == last.next() && !start.ends_with(['l', 's']) {
                start.pop();
            }
            stem = start;
            break;
        }
    }
    if stem.len() > 3 && stem.ends_with('e') {
        stem.pop();
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filler_words_are_in_order_for_the_binary_search() {
        assert!(STOP.is_sorted());
        assert!(is_filler("why") && !is_filler("fold"));
    }

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for (stem_of, forms) in [
            ("pad", &["pad", "pads", "padded", "padding"][..]),
            ("til", &["tile", "tiles", "tiled", "tiling"]),
            ("utiliz", &["utilize", "utilization", "utilized"]),
            ("load", &["load", "loads", "loading"]),
            ("bf16", &["bf16"]),
            ("stall", &["stall", "stalls", "stalled"]),
        ] {
            for form in forms {
                assert_eq!(stem(form), stem_of, "{form}");
            }
        }
    }

    #[test]
    fn sizes_and_decimals_are_words() {
        assert_eq!(words("T(8,128) of 8x128, 2.5×"), ["t", "8", "128", "of", "8", "128", "2.5"]);
        assert_eq!(words("Llama-3-70B on v5e"), ["llama", "3", "70b", "on", "v5e"]);
    }
}
