//! Numbers that documents state, counted in the project. A check compares the documents with the counted numbers.

use std::path::Path;

use crate::{Error, files};

/// Counts the lessons, cards, chips and other items of the project, and returns phrases,
/// each with the document that must contain the phrase.
fn counted(root: &Path) -> Result<Vec<(&'static str, String)>, Error> {
    let rows = |name: &str| -> Result<usize, Error> {
        let text = read(root, &format!("tests/golden/{name}"))?;
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        // The first line has the column names.
        Ok(lines.count().saturating_sub(1))
    };
    let (n_lessons, n_cards) = cards(root, "course/lessons")?;
    let chips: serde_json::Value = serde_json::from_str(&read(root, "src/chips/perfmodel/data/chips.json")?)
        .map_err(|error| Error::Failed(format!("chips.json: {error}")))?;
    let n_chips = chips["chips"].as_array().map_or(0, Vec::len);
    // A test of `workload` compares this list with the readers.
    let files = read(root, "docs/files.md")?;
    let families: Vec<&str> =
        files.split("```").find_map(|block| block.strip_prefix("families")).unwrap_or("").split_whitespace().collect();
    let n_questions = read(root, "docs/questions.md")?.lines().filter(|line| line.starts_with("### ")).count();
    let (runs, matmuls) = (rows("scalesim_runs.csv")?, rows("ml_dtypes_gemms.csv")?);
    // The file also has counts of other families, which are for the tracer.
    let counted = read(root, "tests/golden/torch_flops.csv")?;
    let is_read = |row: &&str| row.split(',').next().is_some_and(|family| families.contains(&family));
    let (counts, families) = (counted.lines().filter(is_read).count(), families.len());
    let in_readme = [
        format!("{n_lessons} lessons"),
        format!("{n_cards} cards"),
        format!("{} claims", cards(root, "course/claims")?.1),
        format!("{} challenges", cards(root, "course/challenges")?.1),
        format!("{n_chips} TPUs, GPUs and other accelerators"),
        format!("{families} model families"),
        format!("{n_questions} questions"),
        format!("{runs} runs"),
        format!("{matmuls} in 8 formats"),
        format!("{} of f32 split into bf16", rows("ml_dtypes_passes.csv")?),
        format!("{counts} counts"),
    ];
    let elsewhere = [
        ("docs/accuracy.md", format!("{runs} SCALE-Sim runs")),
        ("docs/accuracy.md", format!("{runs} runs")),
        ("docs/accuracy.md", format!("results of {matmuls} matmuls")),
        ("docs/accuracy.md", format!("{counts} FLOP counts")),
        ("docs/class-tests.md", format!("takes {} minutes", minutes(root, "form-a")?)),
        ("docs/class-tests.md", format!("takes {} minutes", minutes(root, "form-b")?)),
        ("docs/files.md", format!("{families} model families")),
        ("docs/first-steps.md", format!("first of {n_lessons} lessons")),
        ("docs/models.md", format!("{families} model families")),
        ("docs/models.md", format!("values of {n_chips} chips")),
    ];
    let all = in_readme.into_iter().map(|phrase| ("README.md", phrase)).chain(elsewhere);
    Ok(all.collect())
}

/// Returns the time of a test, in minutes.
fn minutes(root: &Path, id: &str) -> Result<String, Error> {
    let text = read(root, &format!("course/tests/{id}.md"))?;
    let minutes = text.lines().find_map(|line| line.strip_prefix("minutes: "));
    minutes.map(str::to_owned).ok_or_else(|| Error::Failed(format!("{id}: no minutes")))
}

/// Returns a sentence for each phrase that a document lacks.
pub(crate) fn missing(root: &Path) -> Result<Vec<String>, Error> {
    let mut wrong = Vec::new();
    for (document, phrase) in counted(root)? {
        let words = read(root, document)?.split_whitespace().collect::<Vec<_>>().join(" ");
        if !words.contains(&phrase) {
            wrong.push(format!("{document}: the project has \"{phrase}\", {document} has another figure"));
        }
    }
    Ok(wrong)
}

/// Returns the number of texts in a folder of the course, and the number of their cards.
fn cards(root: &Path, folder: &str) -> Result<(usize, usize), Error> {
    let (mut n_files, mut n_cards) = (0, 0);
    for path in files::list(&root.join(folder))? {
        if path.extension().is_some_and(|ending| ending == "md") && !path.ends_with("README.md") {
            n_files += 1;
            n_cards += files::text(&path)?.lines().filter(|line| *line == "```card").count();
        }
    }
    Ok((n_files, n_cards))
}

fn read(root: &Path, name: &str) -> Result<String, Error> {
    files::text(&root.join(name))
}
