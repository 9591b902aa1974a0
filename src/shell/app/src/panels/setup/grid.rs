//! A matrix as a grid of fields, in the settings or next to the array. The run already uses the typed numbers while a
//! person types. A pasted block fills the grid, starting at the cell in which it was pasted.

use leptos::prelude::*;
use studio::problem::Why;
use studio::{Field, FieldValue, FillKind, MatrixText, Problem, Session, Settings};
use words::{message, own_matrices};

use crate::browser::cell::{self, Way};
use crate::browser::focus;
use crate::browser::timer::next_frame;
use crate::browser::timing::Debounce;
use crate::ctx::{Ctx, memo, text_from, use_ctx};

/// Maximum number of rows and of columns in a grid of fields.
pub(crate) const SIDE_MAX: u64 = 16;

/// Time without typing after which the run uses a typed number.
const RESTED: core::time::Duration = core::time::Duration::from_millis(300);

/// A cell by its row and column.
type Cell = (u64, u64);

/// Returns the id of the field of a cell on the page.
pub(crate) fn id(field: Field, (row, col): Cell) -> String {
    format!("{}-{row}-{col}", field.id())
}

/// Returns the matrix that the run uses, or the custom matrix if it cannot be used.
fn shown(session: &Session, field: Field) -> Option<MatrixText> {
    let (scenario, operands) = (&session.scenario, session.plan.operands());
    let (own, generated) = if field == Field::A { (&scenario.a, &operands.a) } else { (&scenario.b, &operands.b) };
    if scenario.fill == FillKind::Custom { own.clone() } else { MatrixText::of(generated) }
}

/// Text that a person typed in a cell, and that the run does not use yet.
#[derive(Clone, Debug, PartialEq)]
struct Typed {
    cell: Cell,
    text: String,
    /// True if the person left the cell and its text cannot be used.
    is_wrong: bool,
}

/// The grid of one matrix.
#[derive(Clone, Copy)]
struct Grid {
    ctx: Ctx,
    field: Field,
    typed: RwSignal<Option<Typed>>,
    /// Cell in which a person pasted a text that cannot be used, and the problem of the text.
    refused: RwSignal<Option<(Cell, Problem)>>,
    /// Rows and columns; `(0, 0)` if the matrix is too large for a grid of fields.
    size: Memo<(u64, u64)>,
}

impl Grid {
    fn new(ctx: Ctx, field: Field) -> Self {
        let size = memo(move || {
            let matrix = ctx.session().with(|session| shown(session, field));
            let size = matrix.map(|matrix| (matrix.rows, matrix.cols));
            size.filter(|&(rows, cols)| rows.max(cols) <= SIDE_MAX).unwrap_or_default()
        });
        Self { ctx, field, typed: RwSignal::new(None), refused: RwSignal::new(None), size }
    }

    fn now(self) -> Option<MatrixText> {
        self.ctx.session().with_untracked(|session| shown(session, self.field))
    }

    /// Returns the matrix with the typed number, or `None` if the typed text is not a number.
    fn with_typed(self) -> Option<MatrixText> {
        let typed = self.typed.get_untracked()?;
        let block = MatrixText::parse(self.field, &typed.text).ok()?;
        if (block.rows, block.cols) != (1, 1) { None } else { self.now()?.overlaid(typed.cell, &block) }
    }

    /// Returns the settings for a matrix. When a person enters the first custom matrix, the other matrix becomes custom
    /// too, and keeps its numbers.
    fn settings(self, matrix: MatrixText) -> Settings {
        let other = if self.field == Field::A { Field::B } else { Field::A };
        let kept = self.ctx.session().with_untracked(|session| {
            let is_first = session.scenario.fill != FillKind::Custom;
            if is_first { shown(session, other).map(|kept| (other, kept)) } else { None }
        });
        let all = [(self.field, matrix)].into_iter().chain(kept);
        all.map(|(field, matrix)| (field, FieldValue::Matrix(Some(matrix)))).collect()
    }

    fn set(self, matrix: MatrixText) {
        self.ctx.set_all(&self.settings(matrix));
    }

    /// True if the run accepts a matrix.
    fn accepts(self, matrix: MatrixText) -> bool {
        let settings = self.settings(matrix);
        self.ctx.session().with_untracked(|session| session.settled(&settings).is_ok())
    }

    /// Applies the typed number if the run accepts it. While a person types, an incomplete number is not a problem.
    fn try_typed(self) {
        let Some(matrix) = self.with_typed() else { return };
        if self.accepts(matrix.clone()) {
            self.set(matrix);
        }
    }

    /// Ends the editing of a cell that a person leaves. The run uses a typed number. If the run cannot use the text,
    /// the text stays and is marked as wrong. An empty field shows its old number again.
    fn leave(self) {
        let matrix = self.with_typed();
        let is_used = matrix.clone().is_some_and(|matrix| self.accepts(matrix));
        self.typed.update(|typed| match typed {
            Some(cell) if !is_used && !cell.text.trim().is_empty() => cell.is_wrong = true,
            _ => *typed = None,
        });
        if let Some(matrix) = matrix {
            self.set(matrix);
        }
    }

    /// Pastes a block of numbers into the matrix, starting at a cell.
    fn paste(self, cell: Cell, text: &str) {
        match MatrixText::parse(self.field, text).map(|block| self.now().and_then(|now| now.overlaid(cell, &block))) {
            Ok(Some(matrix)) => {
                self.typed.set(None);
                self.refused.set(None);
                self.set(matrix);
                // A new size makes new fields, so the focus waits for the next frame.
                let id = id(self.field, cell);
                next_frame(move || focus::focus(&id));
            }
            Ok(None) => {
                let why = Why::TooManyElements { max: MatrixText::ELEMENTS_MAX };
                self.refused.set(Some((cell, Problem::new(self.field, text, why))));
            }
            Err(problem) => self.refused.set(Some((cell, problem))),
        }
    }

    /// Returns the problem of the matrix, with the cell that shows the problem. A cell in which a person types shows no
    /// problem until the person leaves the cell.
    fn problem(self) -> Option<(Cell, Problem)> {
        if let Some(refused) = self.refused.get() {
            return Some(refused);
        }
        let typed = self.typed.get();
        if let Some(Typed { cell: (row, col), text, is_wrong: true }) = typed.clone()
            && self.with_typed().is_none()
        {
            return Some(((row, col), Problem::new(self.field, &text, Why::NotANumber { row, col })));
        }
        let problem = self.ctx.session().with(|session| session.problem(self.field).cloned())?;
        let (rows, cols) = self.size.get();
        // A problem of the whole matrix is shown below the matrix.
        let cell = problem.cell().filter(|&(row, col)| row < rows && col < cols);
        let cell = cell.unwrap_or((rows.saturating_sub(1), cols));
        (typed.is_none_or(|typed| typed.is_wrong || typed.cell != cell)).then_some((cell, problem))
    }

    /// Returns the cell to which a movement leads, or `None` if the movement leaves the grid.
    fn leads(self, (row, col): Cell, way: Way) -> Option<Cell> {
        let (rows, cols) = self.size.get_untracked();
        let (row, col) = match way {
            Way::Out => return None,
            Way::By(down, across) => (row.checked_add_signed(down)?, col.checked_add_signed(across)?),
            Way::Next(by) => {
                let place = (col * rows + row).checked_add_signed(by)?;
                (place % rows.max(1), place / rows.max(1))
            }
        };
        (row < rows && col < cols).then_some((row, col))
    }
}

/// A matrix as a grid of fields. Arrow keys and Enter move between fields, and Escape restores the old text.
#[component]
pub(crate) fn MatrixGrid(
    /// Matrix of the grid: A or B.
    field: Field,
) -> impl IntoView {
    let grid = Grid::new(use_ctx(), field);
    let problem = memo(move || grid.problem());
    let rows = move || {
        let (rows, cols) = grid.size.get();
        let row = move |row: u64| {
            let cells =
                (0..cols).map(|col| view! { <td><MatrixCell grid cell=(row, col) problem /></td> }).collect_view();
            // The message is below the row of its cell.
            let words = text_from(move || {
                problem
                    .with(|found| {
                        found.as_ref().filter(|((at, _), _)| *at == row).map(|(_, one)| message::problem(one))
                    })
                    .unwrap_or_default()
            });
            let has_words = words.clone();
            view! {
                <tr>{cells}</tr>
                <tr hidden=move || has_words().is_empty()>
                    <td colspan=cols.to_string()>
                        <p class="problem" role="alert" id=format!("{}-{row}-problem", field.id())>{words}</p>
                    </td>
                </tr>
            }
        };
        (0..rows).map(row).collect_view()
    };
    let title = text_from(move || own_matrices::heading(field, grid.size.get()));
    let cropping = grid.ctx.text(move |session| {
        let notes = session
            .cropping(field)
            .map(|(side, whole)| own_matrices::cropping(field, side, session.scenario.number(side), whole));
        Some(notes.collect::<Vec<_>>().join(" "))
    });
    view! {
        <div class="grid" class:operand-b=field == Field::B>
            <table><caption>{title}</caption><tbody>{rows}</tbody></table>
            <p class="hint" role="status">{cropping}</p>
        </div>
    }
}

#[component]
fn MatrixCell(grid: Grid, cell: Cell, problem: Memo<Option<(Cell, Problem)>>) -> impl IntoView {
    let (row, col) = cell;
    let debounce = StoredValue::new_local(Debounce::new(RESTED));
    let is_mine = move || grid.typed.with(|typed| typed.as_ref().is_some_and(|typed| typed.cell == cell));
    let text = memo(move || {
        let typed =
            grid.typed.with(|typed| typed.as_ref().filter(|typed| typed.cell == cell).map(|typed| typed.text.clone()));
        typed.unwrap_or_else(|| {
            let matrix = grid.ctx.session().with(|session| shown(session, grid.field));
            matrix.map(|matrix| matrix.text_at(row, col)).unwrap_or_default()
        })
    });
    let is_wrong = move || problem.with(|found| found.as_ref().is_some_and(|(at, _)| *at == cell));
    let type_in = move |text: String| {
        grid.refused.set(None);
        grid.typed.set(Some(Typed { cell, text, is_wrong: false }));
        debounce.with_value(|debounce| debounce.call(move || grid.try_typed()));
    };
    let leave = move || {
        // Another link can remove a focused field from the page. Then the browser also reports that the field lost the
        // focus, but the state of the field no longer exists.
        let is_there = debounce.try_with_value(Debounce::cancel).is_some();
        if is_there && untrack(is_mine) {
            grid.leave();
        }
    };
    view! {
        <input
            type="text"
            autocomplete="off"
            id=id(grid.field, cell)
            aria-label=own_matrices::element(grid.field, row, col)
            aria-invalid=text_from(move || is_wrong().to_string())
            aria-describedby=move || is_wrong().then(|| format!("{}-{row}-problem", grid.field.id()))
            prop:value=move || text.get()
            on:input=move |event| type_in(event_target_value(&event))
            on:focus=move |event| cell::select(&event)
            on:blur=move |_| leave()
            on:keydown=move |event| {
                let Some(way) = cell::way(&event) else { return };
                if way == Way::Out && !untrack(is_mine) {
                    event.prevent_default();
                    focus::focus("stage");
                } else if way == Way::Out {
                    event.prevent_default();
                    debounce.with_value(Debounce::cancel);
                    grid.typed.set(None);
                } else if let Some(next) = grid.leads(cell, way) {
                    event.prevent_default();
                    focus::focus(&id(grid.field, next));
                } else if matches!(way, Way::Next(_)) {
                    // Enter in the last field also leaves the field.
                    leave();
                }
            }
            on:paste=move |event| {
                if let Some(text) = cell::block(&event) {
                    grid.paste(cell, &text);
                }
            }
        />
    }
}
