//! The host check: a page that tests if another page can embed the playground. The HTML contains all texts, and the
//! script only shows or hides them.

use words::host::{
    ALONE, BY_HAND, BY_HAND_LEAD, CHECKS, COLUMNS, COPY, Check, Effect, LEAD, NO_SCRIPT, REPORT, TITLE, TRIALS,
};
use words::link_table::BACK;

use super::escaped;

/// Returns the body of the host check page. The build adds the HTML head, the styles and the script.
#[must_use]
pub fn host_page() -> String {
    let mut out = format!("<h1>{TITLE}</h1>\n<p>{}</p>\n<p><a href=\"./\">{BACK}</a></p>\n", escaped(LEAD));
    out.push_str(&format!("<noscript><p class=\"verdict\">{}</p></noscript>\n", escaped(NO_SCRIPT)));
    out.push_str(&format!(
        "<div id=\"alone\" hidden><p id=\"alone-title\">{ALONE}</p>\n\
         <p><textarea id=\"code\" readonly rows=\"3\" aria-labelledby=\"alone-title\"></textarea></p></div>\n"
    ));
    let verdicts = Effect::ALL.map(|effect| {
        let hidden = if effect == Effect::Open { "" } else { " hidden" };
        format!("<span data-if=\"{}\"{hidden}>{}</span>", effect.id(), effect.verdict())
    });
    out.push_str(&format!("<p id=\"verdict\" class=\"verdict\" role=\"status\">{}</p>\n", verdicts.concat()));
    out.push_str(&format!(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{TITLE}\">\n<table>\n<thead><tr>"
    ));
    for column in COLUMNS {
        out.push_str(&format!("<th scope=\"col\">{column}</th>"));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    CHECKS.iter().for_each(|check| out.push_str(&row(check)));
    out.push_str("</tbody>\n</table>\n</div>\n");
    out.push_str(&format!("<h2>{BY_HAND}</h2>\n<p>{}</p>\n<dl>\n", escaped(BY_HAND_LEAD)));
    for (id, name, else_what) in TRIALS {
        out.push_str(&format!(
            "<dt><button type=\"button\" id=\"{id}\">{name}</button></dt><dd>{}</dd>\n",
            escaped(else_what)
        ));
    }
    out.push_str(&format!(
        "</dl>\n<h2 id=\"as-text\">{REPORT}</h2>\n<p><textarea id=\"report\" readonly rows=\"10\" aria-labelledby=\"as-text\"></textarea></p>\n\
         <p><button type=\"button\" id=\"copy\">{COPY}</button></p>\n"
    ));
    out
}

fn row(check: &Check) -> String {
    let found = check.found.iter().map(|(id, effect, said)| {
        let (mark, word) = (effect.id(), effect.word());
        format!("<span data-if=\"{id}\" data-effect=\"{mark}\" hidden><b>{word}</b> {}</span>", escaped(said))
    });
    let found: String = found.collect();
    format!(
        "<tr id=\"{}\"><th scope=\"row\">{}</th><td>{}</td><td><span data-if=\"open\" data-effect=\"open\">{}</span>{found}</td></tr>\n",
        check.id,
        check.name,
        escaped(check.purpose),
        Effect::Open.word()
    )
}
