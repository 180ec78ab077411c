//! Values over memory, and those of which the data chooses one: streams, files, expressions, optionals, variants.

use super::*;
use crate::model::library::Ability;

impl Lowering<'_> {
    /// A stream over memory.
    pub(super) fn stream(&mut self, reads: bool, writes: bool, name: &str) -> Lowered<Made> {
        let name = self.name(name);
        let ty = match (reads, writes) {
            (true, true) => "std::stringstream",
            (true, false) => "std::istringstream",
            (false, _) => "std::ostringstream",
        };
        let text =
            if reads { self.expression(&Kind::StdString.of(crate::types::compose::text()))? } else { String::new() };
        self.line(match (self.lasts(), text.is_empty()) {
            (true, _) => kept(&name, ty, &text),
            (false, true) => format!("{ty} {name};"),
            (false, false) => format!("{ty} {name}({text});"),
        });
        Ok(Made::variable(&name))
    }

    /// A C file over memory.
    pub(super) fn file(&mut self, ty: &Type, name: &str) -> Lowered<Made> {
        let name = self.name(name);
        let text = self.expression(&Kind::CString { most: crate::plan::STRING_LENGTH }.of(ty.clone()))?;
        if self.from_input() {
            let input = if self.is_c() { "in" } else { "in.raw()" };
            self.line(format!("FILE *{name} = motif_file({input}, {text});"));
        } else {
            // Not tmpfile(): tests are proved where nothing can be written to the system's folder for such files.
            let null = if self.is_c() { "NULL" } else { "nullptr" };
            self.line(format!("FILE *{name} = fmemopen({null}, 4096, \"w+\");"));
            if text != "\"\"" {
                self.line(format!("fputs({text}, {name});"));
                self.line(format!("rewind({name});"));
            }
        }
        Ok(Made::variable(&name))
    }

    /// One of several expressions, by the data.
    pub(super) fn one_of(&mut self, ty: &Type, expressions: &[String], name: &str) -> Lowered<Made> {
        let name = self.name(name);
        let copies = crate::types::library::row_of(self.model, ty).map(|row| row.copies);
        let stays = copies == Some(Ability::Never);
        // What can't be copied stays where it is.
        let declaration =
            if stays { format!("const {} &{name}", value_type(ty).spelling) } else { self.declare(ty, &name) };
        let all: Vec<String> = expressions.iter().map(|expression| self.callable(expression)).collect();
        let value = match (all.as_slice(), self.from_input()) {
            ([only], _) => only.clone(),
            (_, true) => {
                let choices = self.name(&format!("{name}_choices"));
                if stays {
                    let (ty, list) = (value_type(ty).spelling, all.join(", &"));
                    self.line(format!("const {ty} *const {choices}[] = {{&{list}}};"));
                    self.line(format!("{declaration} = *{choices}[in.pick({})];", all.len()));
                    return Ok(Made::variable(&name));
                }
                let array = self.declare(ty, &format!("{choices}[]"));
                self.line(format!("{array} = {{{}}};", all.join(", ")));
                let pick = if self.is_c() { "motif_take_pick(in, " } else { "in.pick(" };
                format!("{choices}[{pick}{})]", all.len())
            }
            (_, false) => match self.draw()? {
                Draw::Pick(index) if (index as usize) < all.len() => all[index as usize].clone(),
                other => return Err(format!("the replay took {other:?} where the plan has alternatives")),
            },
        };
        self.line(format!("{declaration} = {value};"));
        Ok(Made::variable(&name))
    }

    pub(super) fn optional(&mut self, ty: &Type, value: &Slot, name: &str) -> Lowered<Made> {
        let name = self.name(name);
        let ty = self.ty(ty);
        self.line(if self.lasts() { kept(&name, &ty, "") } else { format!("{ty} {name};") });
        if self.from_input() {
            self.line("if (in.pick(2) == 1) {");
            self.indent += 1;
            let made = self.value(&value.recipe, &format!("{name}_value"))?;
            self.line(format!("{name} = {};", made.object));
            self.indent -= 1;
            self.line("}");
        } else if self.draw()? == Draw::Pick(1) {
            let made = self.value(&value.recipe, &format!("{name}_value"))?;
            self.line(format!("{name} = {};", made.object));
        }
        Ok(Made::variable(&name))
    }

    pub(super) fn variant(&mut self, ty: &Type, among: &[Slot], name: &str) -> Lowered<Made> {
        let name = self.name(name);
        let ty = self.ty(ty);
        self.line(if self.lasts() { kept(&name, &ty, "") } else { format!("{ty} {name};") });
        let put = |this: &mut Self, index: usize| -> Lowered<()> {
            let made = this.slots(&among[index..=index])?;
            let value = print(&this.pass(&among[index..=index], &made)[0]);
            // By its place: a conversion might pick another type.
            this.line(format!("{name} = {ty}(std::in_place_index<{index}>, {value});"));
            Ok(())
        };
        if self.from_input() && among.len() > 1 {
            let indexes: Vec<usize> = (0..among.len()).collect();
            self.alternatives(&indexes, false, &mut |this, index| put(this, *index))?;
        } else {
            let index = if among.len() > 1 { self.picked(among)? } else { 0 };
            put(self, index)?;
        }
        Ok(Made::variable(&name))
    }
}
