//! Colors of exported drawings, read from the style sheets of the page.

use display::Tone;

/// Style sheet with the color variables of the page.
const TOKENS: &str = include_str!("../../../style/tokens.css");
/// Style sheet with the color variables of heat maps.
const SHADES: &str = include_str!("../../../style/shades.css");

/// Returns the value of a CSS variable in the light theme.
fn value(name: &str) -> Option<&'static str> {
    // The light theme comes first, so the first match is its value.
    TOKENS
        .lines()
        .chain(SHADES.lines())
        .find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(": ")?.strip_suffix(';'))
}

/// Returns the color of a tone in the light theme as six hexadecimal digits, or `None` for [`Tone::Clear`].
pub(crate) fn hex(tone: Tone) -> Option<&'static str> {
    let text = value(&format!("--tone-{}", tone.id()))?;
    let named = text.strip_prefix("var(").and_then(|name| name.strip_suffix(')'));
    named.map_or(Some(text), value)?.strip_prefix('#')
}

/// Returns the lines of a style sheet that also apply in a drawing outside the page. The function leaves out two kinds
/// of rules: rules for a theme that the user chose, and rules for higher contrast.
fn of_a_file(rules: &str) -> impl Iterator<Item = &str> {
    let mut is_elsewhere = false;
    rules.lines().filter(move |line| {
        is_elsewhere |= [":root[data-theme=", "@media (prefers-contrast"].iter().any(|start| line.starts_with(start));
        let holds = !is_elsewhere;
        is_elsewhere &= *line != "}";
        holds
    })
}

/// Returns the CSS rules for the colors of a drawing, without unused rules.
pub(crate) fn style_of(drawing: &str) -> String {
    let fills = |tone: &&Tone| drawing.contains(&format!("\"f-{}\"", tone.id()));
    let tones = Tone::ALL.iter().filter(fills);
    let fills: String = tones.map(|tone| format!(".f-{0}{{fill:var(--tone-{0})}}", tone.id())).collect();
    let is_named = |name: &str, text: &str| text.contains(&format!("var({name})"));
    let is_used = |line: &&str| {
        let name = line.split_once(": ").map_or("", |(name, _)| name);
        let is_variable = name.starts_with("--");
        let of_another = TOKENS.lines().any(|line| line.starts_with("  --tone") && is_named(name, line));
        !is_variable || is_named(name, drawing) || is_named(name, &fills) || of_another
    };
    let lines =
        of_a_file(TOKENS).map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("/*")).filter(is_used);
    format!("{}\n{fills}", lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tone_but_the_clear_one_has_six_digits() {
        for tone in Tone::ALL {
            let digits = hex(*tone).map(|hex| (hex.len(), hex.bytes().all(|byte| byte.is_ascii_hexdigit())));
            assert_eq!(digits, (*tone != Tone::Clear).then_some((6, true)), "{tone:?}");
        }
    }
}
