//! The text of a card, with glossary words that a person can open and with numbers that are computed from the card's
//! state.

use leptos::prelude::*;
use lesson::{Card, Paragraph, Piece, Scene};

use crate::ctx::text_from;
use crate::panels::Prose;

/// Draws a paragraph whose numbers are computed from a scene.
fn paragraph(paragraph: &Paragraph, scene: &Scene<'_>) -> AnyView {
    let piece = |piece: &Piece| {
        let text = piece.text(scene);
        match piece {
            Piece::Code { .. } => view! { <code>{text}</code> }.into_any(),
            _ if piece.is_strong() => view! { <b>{text}</b> }.into_any(),
            Piece::Value { .. } => text.into_any(),
            Piece::Text { .. } => view! { <Prose text=text_from(move || text.clone()) /> }.into_any(),
        }
    };
    paragraph.pieces.iter().map(piece).collect_view().into_any()
}

/// Draws paragraphs whose numbers are computed from a scene.
pub(super) fn paragraphs(all: &[Paragraph], scene: &Scene<'_>) -> AnyView {
    all.iter().map(|one| view! { <p>{paragraph(one, scene)}</p> }).collect_view().into_any()
}

/// A paragraph whose numbers are computed from a card's state.
#[component]
pub(super) fn Said(text: Paragraph, card: Card) -> impl IntoView {
    view! { <p>{paragraph(&text, &card.scene())}</p> }
}
