//! One mutant a line: `FILE:LINE:COLUMN: STATUS OPERATOR UNIT`, for editors and `grep`.

use super::place::Place;
use super::view::View;
use super::words::one_line;
use crate::outcome::MutantOutcome;
use anyhow::Result;

/// All mutants by place; with another outcome, each change stands at the end of its line, and what is gone comes last.
pub fn render(view: &View) -> Result<String> {
    let mut mutants: Vec<_> = view.outcome.mutants.iter().map(|mutant| (Place::of(mutant), mutant)).collect();
    mutants.sort_by(|(a, m), (b, n)| (&m.file, a.start, &m.id).cmp(&(&n.file, b.start, &n.id)));
    let lines = mutants.into_iter().map(|(place, mutant)| {
        let status = if mutant.dismissed.is_some() { "dismissed" } else { mutant.status.name() };
        let new = mutant.new.filter(|new| *new && view.change(mutant).is_none()).map(|_| " [new survivor]");
        let change = view.change(mutant).map(|change| format!(" [{}]", change.words()));
        line(&place, mutant, status) + change.as_deref().or(new).unwrap_or_default() + "\n"
    });
    let gone = view.changes.iter().flat_map(|changes| &changes.gone);
    Ok(lines.chain(gone.map(|mutant| line(&Place::of(mutant), mutant, "gone") + "\n")).collect())
}

fn line(place: &Place, mutant: &MutantOutcome, status: &str) -> String {
    let (at, file, unit) = (place.start, mutant.file.display(), mutant.unit.as_deref().unwrap_or("-"));
    one_line(&format!("{file}:{}:{}: {status} {} {unit}", at.line, at.column, mutant.operator))
}
