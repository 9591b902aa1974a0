//! Splits a lesson's CommonMark into headings, paragraphs, lists, quotes and key blocks. Each block has its byte
//! offset. A key block is a fenced block with one `key: value` per line.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::mistake::What;
use crate::{Expression, Mistake, Paragraph, Piece, Position};

/// A block of a lesson, with its byte offset.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) at: usize,
    pub(crate) what: BlockKind,
}

#[derive(Debug)]
pub(crate) enum BlockKind {
    Heading(HeadingLevel, Paragraph),
    /// Key block: its name, its text and the byte offset of the text.
    Keys(String, String, usize),
    Paragraph(Paragraph),
    /// List of items, each with its paragraphs.
    List(Vec<Item>),
    Quote(Vec<Paragraph>),
}

/// An item of a list, with its byte offset.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) at: usize,
    pub(crate) paragraphs: Vec<Paragraph>,
}

/// Replaces ASCII punctuation inside braces with `x`, so that CommonMark does not interpret expressions. Byte offsets
/// do not change.
fn covered(text: &str) -> String {
    let mut is_inside = false;
    let cover = |c: char| {
        is_inside = match c {
            '{' => true,
            '}' | '\n' => false,
            _ => is_inside,
        };
        if is_inside && c.is_ascii_punctuation() && c != '{' { 'x' } else { c }
    };
    text.chars().map(cover).collect()
}

/// Splits a lesson into blocks.
pub(crate) fn blocks(text: &str) -> Result<Vec<Block>, Mistake> {
    let covered = covered(text);
    let mut reader = Reader { text, events: Vec::new(), next: 0 };
    reader.events = Parser::new_ext(&covered, Options::empty()).into_offset_iter().collect();
    reader.all()
}

struct Reader<'a, 'b> {
    text: &'a str,
    events: Vec<(Event<'b>, core::ops::Range<usize>)>,
    next: usize,
}

impl Reader<'_, '_> {
    fn wrong(&self, at: usize, what: What) -> Mistake {
        Mistake { at: Position::of(self.text, at), what }
    }

    fn all(&mut self) -> Result<Vec<Block>, Mistake> {
        let mut blocks = Vec::new();
        while let Some((event, range)) = self.events.get(self.next).cloned() {
            self.next += 1;
            let at = range.start;
            let what = match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    BlockKind::Heading(level, self.inline(TagEnd::Heading(level))?)
                }
                Event::Start(Tag::Paragraph) => BlockKind::Paragraph(self.inline(TagEnd::Paragraph)?),
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(name))) => self.keys(name.trim())?,
                Event::Start(Tag::List(None)) => BlockKind::List(self.items()?),
                Event::Start(Tag::BlockQuote(None)) => BlockKind::Quote(self.paragraphs(at)?),
                _ => return Err(self.wrong(at, What::Markup)),
            };
            blocks.push(Block { at, what });
        }
        Ok(blocks)
    }

    fn keys(&mut self, name: &str) -> Result<BlockKind, Mistake> {
        let (mut body, mut begin) = (String::new(), None);
        while let Some((event, range)) = self.events.get(self.next) {
            self.next += 1;
            match event {
                Event::Text(_) => {
                    begin.get_or_insert(range.start);
                    body += self.text.get(range.clone()).unwrap_or("");
                }
                _ => break,
            }
        }
        Ok(BlockKind::Keys(name.to_owned(), body, begin.unwrap_or(0)))
    }

    /// Reads the paragraphs of a quote.
    fn paragraphs(&mut self, at: usize) -> Result<Vec<Paragraph>, Mistake> {
        let mut all = Vec::new();
        while let Some((event, range)) = self.events.get(self.next).cloned() {
            self.next += 1;
            match event {
                Event::Start(Tag::Paragraph) => all.push(self.inline(TagEnd::Paragraph)?),
                Event::End(TagEnd::BlockQuote(_)) => return Ok(all),
                _ => return Err(self.wrong(range.start, What::Markup)),
            }
        }
        Err(self.wrong(at, What::Markup))
    }

    fn items(&mut self) -> Result<Vec<Item>, Mistake> {
        let mut all = Vec::new();
        while let Some((event, range)) = self.events.get(self.next).cloned() {
            self.next += 1;
            match event {
                Event::Start(Tag::Item) => all.push(self.item(range.start)?),
                Event::End(TagEnd::List(_)) => return Ok(all),
                _ => return Err(self.wrong(range.start, What::Markup)),
            }
        }
        Ok(all)
    }

    fn item(&mut self, at: usize) -> Result<Item, Mistake> {
        let mut paragraphs = Vec::new();
        while let Some((event, range)) = self.events.get(self.next).cloned() {
            match event {
                Event::End(TagEnd::Item) => {
                    self.next += 1;
                    break;
                }
                Event::Start(Tag::Paragraph) => {
                    self.next += 1;
                    paragraphs.push(self.inline(TagEnd::Paragraph)?);
                }
                // A tight list has text without paragraphs.
                Event::Text(_) | Event::Code(_) | Event::Start(Tag::Strong) => {
                    paragraphs.push(self.inline(TagEnd::Item)?);
                    break;
                }
                _ => return Err(self.wrong(range.start, What::Markup)),
            }
        }
        Ok(Item { at, paragraphs })
    }

    /// Reads the words, values and code of a paragraph, up to the tag `end`.
    fn inline(&mut self, end: TagEnd) -> Result<Paragraph, Mistake> {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut is_strong = false;
        while let Some((event, range)) = self.events.get(self.next).cloned() {
            self.next += 1;
            let at = range.start;
            match event {
                Event::End(tag) if tag == end => break,
                Event::Start(Tag::Strong) => is_strong = true,
                Event::End(TagEnd::Strong) => is_strong = false,
                Event::SoftBreak => self.push_text(&mut pieces, " ", at, is_strong),
                Event::Code(code) => pieces.push(Piece::Code { text: code.into_string(), at }),
                Event::Text(shown) => {
                    let written = self.text.get(range).unwrap_or("");
                    // An escaped character or an entity differs from the source text.
                    if shown.len() == written.len() {
                        self.text_with_values(&mut pieces, written, at, is_strong)?;
                    } else {
                        self.push_text(&mut pieces, &shown, at, is_strong);
                    }
                }
                _ => return Err(self.wrong(at, What::Markup)),
            }
        }
        Ok(Paragraph { pieces })
    }

    fn push_text(&self, pieces: &mut Vec<Piece>, more: &str, at: usize, bold: bool) {
        match pieces.last_mut() {
            Some(Piece::Text { text, is_strong, .. }) if *is_strong == bold => text.push_str(more),
            _ if more.is_empty() => {}
            _ => pieces.push(Piece::Text { text: more.to_owned(), is_strong: bold, at }),
        }
    }

    fn text_with_values(
        &self,
        pieces: &mut Vec<Piece>,
        written: &str,
        at: usize,
        is_strong: bool,
    ) -> Result<(), Mistake> {
        let mut rest = written;
        while let Some((before, after)) = rest.split_once('{') {
            let begin = at + written.len() - rest.len();
            self.push_text(pieces, before, begin, is_strong);
            let brace = begin + before.len();
            let Some((inside, behind)) = after.split_once('}') else {
                return Err(self.wrong(brace, What::Sign("{".to_owned())));
            };
            let value = Expression::parse(inside).map_err(|(byte, what)| self.wrong(brace + 1 + byte, what))?;
            pieces.push(Piece::Value { value, is_strong, at: brace });
            rest = behind;
        }
        self.push_text(pieces, rest, at + written.len() - rest.len(), is_strong);
        Ok(())
    }
}
