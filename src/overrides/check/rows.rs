//! Rows for types of libraries, against the model.

use super::{Check, Named, Place, suggestion};
use crate::model::library::Row;
use crate::overrides::lookup;
use crate::types::library;

impl<'m> Check<'m> {
    /// A row must make sense by itself, name types that there are, and methods that the class has.
    pub(super) fn row(&mut self, place: &Place<'_>, class: &Named<'m>, row: &Row) {
        let source = place.source;
        if source.file.function.is_some() || source.file.class.is_some() {
            let fix = "move it to a file without `function:` and `class:`";
            self.report(place, "override-target", "a row of `library` is for the whole project", fix);
        }
        for fault in library::faults(row) {
            let line = crate::yaml::line_of_key(&source.text, fault.key, place.line).unwrap_or(place.line);
            self.report(&Place { source, line }, "override-row", fault.what, fault.fix);
        }
        for name in library::types(row) {
            self.known_type(&place.word(&name), &name);
        }
        let Named::Own(class) = class else { return };
        let mut needed = Vec::new();
        if row.is_filled() {
            needed.push((row.fill.as_deref().unwrap_or("insert"), false));
        }
        if row.is_range() {
            needed.extend([("begin", true), ("end", true)]);
        }
        for (method, is_const) in needed {
            let found = lookup::methods_named(self.model, class, method);
            if !found.iter().any(|method| method.is_const || !is_const) {
                let names = class.functions(self.model);
                let otherwise = match method {
                    "begin" | "end" => "without them, say `compare: members`",
                    _ => "say with `fill` which method takes one more element",
                };
                let fix = suggestion(method, names.map(|method| method.name.as_str()), otherwise);
                let constant = if is_const { " for constant objects" } else { "" };
                let what = format!("`{}` has no public method `{method}`{constant}", class.qualified);
                self.report(&place.word(method), "override-row", what, fix);
            }
        }
    }
}
