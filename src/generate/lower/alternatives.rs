//! Values over memory, and those of which the data chooses one: streams, files, expressions, optionals, variants.

use super::writer::{Lowered, Lowering, Made, Values, hear_sink};
use super::{choices, exact, scalars};
use crate::cpp::string_literal;
use crate::generate::literal::Scalar;
use crate::model::library::Ability;
use crate::model::{Type, TypeKind};
use crate::plan::{Kind, Slot};
use crate::types::spelling::value_type;

/// A stream over memory.
pub(super) fn stream(lowering: &mut Lowering<'_>, reads: bool, writes: bool, name: &str) -> Lowered<Made> {
    let slot = name;
    let name = lowering.name(slot);
    let ty = match (reads, writes) {
        (true, true) => "std::stringstream",
        (true, false) => "std::istringstream",
        (false, _) => "std::ostringstream",
    };
    let text = if reads {
        scalars::expression(
            lowering,
            &Kind::StdString { most: crate::plan::FILE_LENGTH }.of(crate::types::compose::text()),
        )?
    } else {
        String::new()
    };
    let made = lowering.variable(&name, ty, &text);
    if writes {
        hear_sink(lowering, format!("<{slot}>"), format!("{name}.str()"), crate::types::compose::text());
    }
    Ok(made)
}

/// A C file over memory.
pub(super) fn file(lowering: &mut Lowering<'_>, name: &str) -> Lowered<Made> {
    let name = lowering.name(name);
    if lowering.from_input() {
        let input = lowering.raw_input();
        lowering.line(format!("FILE *{name} = motif_take_stream({input}, {});", crate::plan::FILE_LENGTH));
        return Ok(Made::variable(&name));
    }
    lowering.draw_size("the length of a file")?;
    let drawn = lowering.draw_array("the content of a file")?;
    let bytes: Vec<u8> = drawn.iter().flat_map(Scalar::raw).collect();
    // Not tmpfile(): tests are proved where nothing can be written to the system's folder for such files.
    lowering.line(format!("FILE *{name} = fmemopen({}, 4096, \"w+\");", lowering.null()));
    if !bytes.is_empty() {
        let text = string_literal(&bytes);
        lowering.line(match bytes.contains(&0) {
            true => format!("fwrite({text}, 1, {}, {name});", bytes.len()),
            false => format!("fputs({text}, {name});"),
        });
        lowering.line(format!("rewind({name});"));
    }
    Ok(Made::variable(&name))
}

/// The one value that an expression has.
pub(super) fn fixed(lowering: &mut Lowering<'_>, ty: &Type, expression: &str, name: &str) -> Lowered<Made> {
    if lowering.is_c() || matches!(ty.kind, TypeKind::NullPtr) {
        return Ok(Made::variable(expression));
    }
    let name = lowering.name(name);
    let declaration = lowering.declare(ty.without_ref(), &name);
    let expression = lowering.spell(expression);
    lowering.line(format!("{declaration} = {expression};"));
    Ok(Made::variable(&name))
}

/// One of several expressions, by the data.
pub(super) fn one_of(lowering: &mut Lowering<'_>, ty: &Type, expressions: &[String], name: &str) -> Lowered<Made> {
    let name = lowering.name(name);
    let stays = crate::types::library::row_of(lowering.model, ty).is_some_and(|row| row.copies == Ability::Never);
    // An object that can't be copied is referred to.
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
            format!("{choices}[{}]", lowering.take_pick(all.len() as u64))
        }
        (_, false) => all[lowering.draw_pick(all.len(), "alternatives")?].clone(),
    };
    lowering.line(format!("{declaration} = {value};"));
    Ok(Made::variable(&name))
}

pub(super) fn optional(lowering: &mut Lowering<'_>, ty: &Type, value: &Slot, name: &str) -> Lowered<Made> {
    let name = lowering.name(name);
    let ty = lowering.ty(ty);
    let optional = lowering.variable(&name, &ty, "");
    let put = |this: &mut Lowering<'_>| {
        let made = this.value(&value.recipe, &format!("{name}_value"))?;
        let value = exact::pass_one(this, value, &made);
        this.line(format!("{name} = {value};"));
        Ok(())
    };
    choices::sometimes(lowering, put)?;
    Ok(optional)
}

pub(super) fn variant(lowering: &mut Lowering<'_>, ty: &Type, among: &[Slot], name: &str) -> Lowered<Made> {
    let name = lowering.name(name);
    let ty = lowering.ty(ty);
    let variant = lowering.variable(&name, &ty, "");
    let put = |this: &mut Lowering<'_>, index: usize| -> Lowered<()> {
        let made = this.slots(&among[index..=index])?;
        let value = exact::pass_one(this, &among[index], &made[0]);
        // By its place: a conversion might pick another type.
        this.line(format!("{name} = {ty}(std::in_place_index<{index}>, {value});"));
        Ok(())
    };
    if lowering.from_input() && among.len() > 1 {
        let indexes: Vec<usize> = (0..among.len()).collect();
        choices::alternatives(lowering, &indexes, false, &mut |this, index| put(this, *index))?;
    } else {
        let index = if lowering.from_input() { 0 } else { lowering.draw_pick(among.len(), "alternatives")? };
        put(lowering, index)?;
    }
    Ok(variant)
}
