//! Sections of the pages of the book, with their anchors.

use std::collections::BTreeSet;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// A heading of a page with the text below it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Section {
    /// Heading without marks.
    pub(crate) title: String,
    /// Anchor of the heading.
    pub(crate) anchor: String,
    /// 1 for the title of the page.
    pub(crate) level: usize,
    /// First paragraph.
    pub(crate) lead: String,
    /// All text below the heading.
    pub(crate) text: String,
    /// First line of code that is a link.
    pub(crate) link: Option<String>,
}

/// Paths of the pages, as in the summary of the book.
pub(crate) fn paths() -> Vec<String> {
    let summary = crate::read("docs/SUMMARY.md");
    let links = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    links.map(str::to_owned).collect()
}

/// Path of a page in the book, from its path in the summary, by the rules of the book.
pub(crate) fn place(path: &str) -> String {
    let place = match path {
        "README.md" => "index".to_owned(),
        "../course/README.md" => "writing-lessons".to_owned(),
        "../examples/hosts/README.md" => "hosts".to_owned(),
        "../tests/golden/README.md" => "golden-files".to_owned(),
        other => match other.strip_prefix("../") {
            Some(other) => other.trim_end_matches(".md").trim_end_matches("/README").to_lowercase(),
            None => other.trim_end_matches(".md").to_owned(),
        },
    };
    format!("docs/{}.html", place.replace("json/README", "json/index"))
}

/// Sections of a page, in order.
pub(crate) fn sections(markdown: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut anchors = BTreeSet::new();
    let (mut in_heading, mut in_lead, mut skips) = (false, false, false);
    for (event, range) in Parser::new_ext(markdown, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let raw = markdown[range].lines().next().unwrap_or_default().trim_start_matches('#').trim();
                sections.push(Section {
                    level: number(level),
                    anchor: anchor(raw, &mut anchors),
                    ..Section::default()
                });
                in_heading = true;
            }
            Event::End(TagEnd::Heading(_)) => in_heading = false,
            Event::Start(Tag::Paragraph) => in_lead = sections.last().is_some_and(|section| section.lead.is_empty()),
            Event::Start(Tag::CodeBlock(_)) => {
                let link = markdown[range].lines().map(str::trim).find(|line| line.starts_with('?')).map(str::to_owned);
                if let Some(section) = sections.last_mut() {
                    section.link = section.link.take().or(link);
                }
                skips = true;
            }
            Event::End(TagEnd::CodeBlock) => skips = false,
            Event::Text(text) | Event::Code(text) if !skips => {
                let Some(section) = sections.last_mut() else { continue };
                if in_heading {
                    section.title += &text;
                } else {
                    section.text += &text;
                }
                if in_lead {
                    section.lead += &text;
                }
            }
            Event::SoftBreak | Event::HardBreak | Event::End(TagEnd::TableCell | TagEnd::Item | TagEnd::Paragraph) => {
                if let Some(section) = sections.last_mut() {
                    section.text.push(' ');
                    if in_lead {
                        section.lead.push(' ');
                    }
                }
                in_lead &= !matches!(event, Event::End(TagEnd::Paragraph));
            }
            _ => {}
        }
    }
    sections
}

/// Anchor of a heading: letters and digits in lower case, and a hyphen for each space.
fn anchor(raw: &str, anchors: &mut BTreeSet<String>) -> String {
    let sign = |sign: char| match sign {
        ' ' => Some('-'),
        '-' | '_' => Some(sign),
        sign => sign.is_alphanumeric().then(|| sign.to_ascii_lowercase()),
    };
    let name: String = raw.chars().filter_map(sign).collect();
    let names = core::iter::once(name.clone()).chain((1..).map(|nth| format!("{name}-{nth}")));
    let name = names.into_iter().find(|name| !anchors.contains(name)).expect("a free name");
    anchors.insert(name.clone());
    name
}

const fn number(level: HeadingLevel) -> usize {
    level as usize
}
