//! Inserts what the call under test removes or looks up.

use super::writer::{Lowered, Lowering, Made, Values};
use super::{exact, setup_calls};
use crate::cpp::{call, print, raw};
use crate::generate::trace::Draw;
use crate::plan::{Entry, Given, PairedSetup, Slot};

/// The statements before an entry's call: the file's state, and what the call is to find.
///
/// # Errors
/// The trace does not fit the plan.
pub fn before_call(lowering: &mut Lowering<'_>, entry: &Entry, object: Option<&Made>, made: &[Made]) -> Lowered<()> {
    setup_calls::remember(lowering, &entry.state)?;
    put_in(lowering, entry, object, made)
}

/// The call that puts an argument of the unit into its object, unless the data leaves it out; `made` are the unit's
/// arguments.
fn put_in(lowering: &mut Lowering<'_>, entry: &Entry, object: Option<&Made>, made: &[Made]) -> Lowered<()> {
    let Some(put) = &entry.put_in else { return Ok(()) };
    if !lowering.from_input() {
        return match lowering.draw()? {
            Draw::Pick(index) if index + 1 == PairedSetup::CHOICES || given(put, made).any(|made| made.is_null) => {
                Ok(())
            }
            Draw::Pick(_) => write(lowering, put, entry, object, made),
            other => Err(format!("the replay took {other:?} where the plan puts something in")),
        };
    }
    let pick = lowering.take_pick(PairedSetup::CHOICES);
    // Nothing is put in where null is passed.
    let there: String = given(put, made).filter_map(|made| Some(format!(" && !{}", made.unless.as_ref()?))).collect();
    let head = format!("if ({pick} != {}{there})", PairedSetup::CHOICES - 1);
    let first = lowering.lines.len();
    let (names, outer) = (lowering.names.clone(), std::mem::replace(&mut lowering.scoped, true));
    lowering.indent += 1;
    write(lowering, put, entry, object, made)?;
    lowering.indent -= 1;
    lowering.scoped = outer;
    lowering.names = names;
    match &mut lowering.lines[first..] {
        [only] => *only = format!("{}{head} {}", "  ".repeat(lowering.indent), only.trim_start()),
        _ => {
            let open = format!("{}{head} {{", "  ".repeat(lowering.indent));
            lowering.lines.insert(first, open);
            lowering.line("}");
        }
    }
    Ok(())
}

fn write(
    lowering: &mut Lowering<'_>,
    put: &PairedSetup,
    entry: &Entry,
    object: Option<&Made>,
    made: &[Made],
) -> Lowered<()> {
    let own: Vec<Slot> = put.slots().cloned().collect();
    let values = lowering.slots(&own)?;
    let mut own = exact::pass(lowering, &own, &values).into_iter();
    let there: Vec<Made> = made.iter().map(|made| Made { unless: None, ..made.clone() }).collect();
    let passed = exact::pass(lowering, &entry.args, &there);
    let args: Vec<_> = put
        .args
        .iter()
        .filter_map(|arg| match arg {
            Given::Argument(at) => passed.get(*at).cloned(),
            Given::Own(_) => own.next(),
        })
        .collect();
    let callee = object.map_or_else(|| raw(lowering.spell(&put.name)), |object| object.member(&put.name));
    lowering.line(format!("{};", print(&call(callee, &args))));
    Ok(())
}

/// The unit's arguments among those that are put in.
fn given<'s>(put: &'s PairedSetup, made: &'s [Made]) -> impl Iterator<Item = &'s Made> {
    put.args.iter().filter_map(|arg| match arg {
        Given::Argument(at) => made.get(*at),
        Given::Own(_) => None,
    })
}
