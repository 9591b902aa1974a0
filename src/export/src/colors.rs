//! The colors of a light page, which a file carries with it.

use display::Tone;

/// Where the page has them from.
const TOKENS: &str = include_str!("../../../style/tokens.css");
/// And those of a heat map.
const SHADES: &str = include_str!("../../../style/shades.css");

/// The value of a variable of the light page.
fn value(name: &str) -> Option<&'static str> {
    // Other themes stand after the first one.
    TOKENS
        .lines()
        .chain(SHADES.lines())
        .find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(": ")?.strip_suffix(';'))
}

/// Six hexadecimal digits, or none for what is not drawn.
pub(crate) fn hex(tone: Tone) -> Option<&'static str> {
    let text = value(&format!("--tone-{}", tone.id()))?;
    let named = text.strip_prefix("var(").and_then(|name| name.strip_suffix(')'));
    named.map_or(Some(text), value)?.strip_prefix('#')
}

/// The rules that can hold in a file of its own: nobody chooses a theme there, and nothing of the page stands around it.
fn of_a_file(rules: &str) -> impl Iterator<Item = &str> {
    let mut is_elsewhere = false;
    rules.lines().filter(move |line| {
        is_elsewhere |= [":root[data-theme=", "@media (prefers-contrast"].iter().any(|start| line.starts_with(start));
        let holds = !is_elsewhere;
        is_elsewhere &= *line != "}";
        holds
    })
}

/// The rules by which a drawing has its colors, without those it does not use.
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
