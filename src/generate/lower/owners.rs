//! Smart pointers: of objects, of arrays, and with functions of somebody's that end what they own.

use super::fill::{flat, wrap};
use super::*;
use crate::model::library::Shape;
use crate::types::library::row_of;
use crate::types::standard::owns_alone;

impl Lowering<'_> {
    /// A smart pointer to what it owns from then on.
    pub(super) fn smart(&mut self, ty: &Type, to: &Slot, name: &str) -> Lowered<Made> {
        if let Recipe { ty: array, kind: Kind::Array { element, length, text }, .. } = &to.recipe
            && matches!(array.kind, TypeKind::Array(..))
        {
            return self.owner_of_array(ty, element, *length, *text, name);
        }
        let made = match self.lent(ty, &to.recipe, name)? {
            Some(lent) => lent,
            None => self.owned(&to.recipe, name)?,
        };
        let ender = self.ender_of(ty).map_or_else(String::new, |ender| format!(", {ender}"));
        let name = self.name(&format!("{name}_owner"));
        let (ty, init) = (self.ty(ty), format!("{made}{ender}"));
        self.line(if self.lasts() { kept(&name, &ty, &init) } else { format!("{ty} {name}({init});") });
        Ok(Made::variable(&name))
    }

    fn owner_of_array(&mut self, ty: &Type, element: &Slot, length: u64, text: bool, name: &str) -> Lowered<Made> {
        let name = self.name(&format!("{name}_owner"));
        let ender = self.ender_of(ty).map_or_else(String::new, |ender| format!(", {ender}"));
        let array = format!("new {}[{length}]", self.ty(&value_type(&element.ty)));
        let ty = self.ty(ty);
        let numbers = flat(element, length).filter(|_| matches!(element.recipe.kind, Kind::Prim { .. }));
        if let (false, Some((prim, _))) = (self.from_input(), numbers) {
            let Draw::Array(mut values) = self.draw()? else { return Err("the replay took no array".into()) };
            if text {
                values.truncate(length as usize - 1);
            }
            let used = values.iter().rposition(|v| !v.is_zero()).map_or(0, |n| n + 1);
            let list: Vec<String> = values[..used].iter().map(|v| literal::scalar(v, prim, self.language)).collect();
            self.line(format!("{ty} {name}({array}{{{}}}{ender});", wrap(&list)));
            return Ok(Made::variable(&name));
        }
        let init = format!("{array}(){ender}");
        self.line(if self.lasts() { kept(&name, &ty, &init) } else { format!("{ty} {name}({init});") });
        if let (true, Some((_, total))) = (self.from_input(), numbers) {
            self.line(format!("in.array({name}.get(), {total});"));
            if text {
                self.line(format!("{name}[{}] = 0;", length - 1));
            }
        } else {
            self.fill_array(element, length, &name, false)?;
        }
        Ok(Made::variable(&name))
    }

    /// What a smart pointer is made with besides its object, where a function ends that which it has none of by itself.
    pub(super) fn ender_of(&self, ty: &Type) -> Option<String> {
        let TypeKind::Record { args, .. } = &ty.kind else { return None };
        let [TemplateArg::Type(to), TemplateArg::Type(ender)] = args.as_slice() else { return None };
        let function = match &ender.kind {
            TypeKind::Pointer(function) => function,
            TypeKind::Record { args, .. } if row_of(None, ender).is_some_and(|row| row.shape == Shape::Function) => {
                match args.first() {
                    Some(TemplateArg::Type(function)) => function,
                    _ => return None,
                }
            }
            _ => return None,
        };
        let TypeKind::Function { result, params, .. } = &function.kind else { return None };
        let ([param], true) = (params.as_slice(), owns_alone(self.model, ty)) else { return None };
        let spelled = self.ty(param);
        let it = if matches!(param.pointee().map(|to| &to.kind), Some(TypeKind::Void)) {
            format!("static_cast<{} *>(it)", self.ty(to))
        } else {
            "it".to_owned()
        };
        let ends = match &to.kind {
            TypeKind::Record { name, .. } if name == "_IO_FILE" => format!("fclose({it})"),
            TypeKind::Array(..) => format!("delete[] {it}"),
            _ => format!("delete {it}"),
        };
        let parameter = crate::cpp::declare(&spelled, "it");
        Some(match &result.kind {
            TypeKind::Void => format!("[]({parameter}) {{ {ends}; }}"),
            _ if ends.starts_with("fclose") => format!("[]({parameter}) {{ return {ends}; }}"),
            _ => {
                let result = self.ty(result);
                format!("[]({parameter}) -> {result} {{\n    {ends};\n    return {result}();\n  }}")
            }
        })
    }
}
