//! Values over memory, and those of which the data chooses one: streams, files, expressions, optionals, variants.

use super::writer::{Lowered, Lowering, Made, Values, kept};
use super::{choices, exact, scalars};
use crate::cpp::print;
use crate::generate::trace::Draw;
use crate::model::Type;
use crate::model::library::Ability;
use crate::plan::{Kind, Slot};
use crate::types::spelling::value_type;

/// A stream over memory.
pub(super) fn stream(lowering: &mut Lowering<'_>, reads: bool, writes: bool, name: &str) -> Lowered<Made> {
    let name = lowering.name(name);
    let ty = match (reads, writes) {
        (true, true) => "std::stringstream",
        (true, false) => "std::istringstream",
        (false, _) => "std::ostringstream",
    };
    let text = if reads {
        scalars::expression(lowering, &Kind::StdString.of(crate::types::compose::text()))?
    } else {
        String::new()
    };
    lowering.line(match (lowering.lasts(), text.is_empty()) {
        (true, _) => kept(&name, ty, &text),
        (false, true) => format!("{ty} {name};"),
        (false, false) => format!("{ty} {name}({text});"),
    });
    Ok(Made::variable(&name))
}

/// A C file over memory.
pub(super) fn file(lowering: &mut Lowering<'_>, ty: &Type, name: &str) -> Lowered<Made> {
    let name = lowering.name(name);
    let text = scalars::expression(lowering, &Kind::CString { most: crate::plan::STRING_LENGTH }.of(ty.clone()))?;
    if lowering.from_input() {
        let input = if lowering.is_c() { "in" } else { "in.raw()" };
        lowering.line(format!("FILE *{name} = motif_file({input}, {text});"));
    } else {
        // Not tmpfile(): tests are proved where nothing can be written to the system's folder for such files.
        let null = if lowering.is_c() { "NULL" } else { "nullptr" };
        lowering.line(format!("FILE *{name} = fmemopen({null}, 4096, \"w+\");"));
        if text != "\"\"" {
            lowering.line(format!("fputs({text}, {name});"));
            lowering.line(format!("rewind({name});"));
        }
    }
    Ok(Made::variable(&name))
}

/// One of several expressions, by the data.
pub(super) fn one_of(lowering: &mut Lowering<'_>, ty: &Type, expressions: &[String], name: &str) -> Lowered<Made> {
    let name = lowering.name(name);
    let stays = crate::types::library::row_of(lowering.model, ty).is_some_and(|row| row.copies == Ability::Never);
    // What can't be copied stays where it is.
    let declaration =
        if stays { format!("const {} &{name}", value_type(ty).spelling) } else { lowering.declare(ty, &name) };
    let all: Vec<String> = expressions.iter().map(|expression| lowering.callable(expression)).collect();
    let value = match (all.as_slice(), lowering.from_input()) {
        ([only], _) => only.clone(),
        (_, true) => {
            let choices = lowering.name(&format!("{name}_choices"));
            if stays {
                let (ty, list) = (value_type(ty).spelling, all.join(", &"));
                lowering.line(format!("const {ty} *const {choices}[] = {{&{list}}};"));
                lowering.line(format!("{declaration} = *{choices}[in.pick({})];", all.len()));
                return Ok(Made::variable(&name));
            }
            let array = lowering.declare(ty, &format!("{choices}[]"));
            lowering.line(format!("{array} = {{{}}};", all.join(", ")));
            let pick = if lowering.is_c() { "motif_take_pick(in, " } else { "in.pick(" };
            format!("{choices}[{pick}{})]", all.len())
        }
        (_, false) => match lowering.draw()? {
            Draw::Pick(index) if (index as usize) < all.len() => all[index as usize].clone(),
            other => return Err(format!("the replay took {other:?} where the plan has alternatives")),
        },
    };
    lowering.line(format!("{declaration} = {value};"));
    Ok(Made::variable(&name))
}

pub(super) fn optional(lowering: &mut Lowering<'_>, ty: &Type, value: &Slot, name: &str) -> Lowered<Made> {
    let name = lowering.name(name);
    let ty = lowering.ty(ty);
    lowering.line(if lowering.lasts() { kept(&name, &ty, "") } else { format!("{ty} {name};") });
    if lowering.from_input() {
        lowering.line("if (in.pick(2) == 1) {");
        lowering.indent += 1;
        let made = lowering.value(&value.recipe, &format!("{name}_value"))?;
        let value = print(&exact::pass(lowering, std::slice::from_ref(value), std::slice::from_ref(&made))[0]);
        lowering.line(format!("{name} = {value};"));
        lowering.indent -= 1;
        lowering.line("}");
    } else if lowering.draw()? == Draw::Pick(1) {
        let made = lowering.value(&value.recipe, &format!("{name}_value"))?;
        let value = print(&exact::pass(lowering, std::slice::from_ref(value), std::slice::from_ref(&made))[0]);
        lowering.line(format!("{name} = {value};"));
    }
    Ok(Made::variable(&name))
}

pub(super) fn variant(lowering: &mut Lowering<'_>, ty: &Type, among: &[Slot], name: &str) -> Lowered<Made> {
    let name = lowering.name(name);
    let ty = lowering.ty(ty);
    lowering.line(if lowering.lasts() { kept(&name, &ty, "") } else { format!("{ty} {name};") });
    let put = |this: &mut Lowering<'_>, index: usize| -> Lowered<()> {
        let made = this.slots(&among[index..=index])?;
        let value = print(&exact::pass(this, &among[index..=index], &made)[0]);
        // By its place: a conversion might pick another type.
        this.line(format!("{name} = {ty}(std::in_place_index<{index}>, {value});"));
        Ok(())
    };
    if lowering.from_input() && among.len() > 1 {
        let indexes: Vec<usize> = (0..among.len()).collect();
        choices::alternatives(lowering, &indexes, false, &mut |this, index| put(this, *index))?;
    } else {
        let index = if among.len() > 1 { choices::picked(lowering, among)? } else { 0 };
        put(lowering, index)?;
    }
    Ok(Made::variable(&name))
}
