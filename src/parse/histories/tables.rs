//! Arrays of structures that a program of C writes down, such as the options that a parser is given. They are taken
//! over as they are written: their last element may be a mark, and others may have to agree.

use super::miner::{Miner, stripped};
use crate::lex::{self, Kind};
use crate::model::Language;
use crate::model::history::{Table, Value};
use clang::{Entity, EntityKind, EntityVisitResult, TypeKind};

/// The longest table.
const LONGEST: usize = 2000;

impl<'tu> Miner<'_, 'tu> {
    /// The table that a variable is declared as, where others can write it down as well.
    pub(super) fn table(&mut self, variable: Entity<'tu>, initial: Entity<'tu>) -> Option<Value> {
        let ty = variable.get_type().filter(|_| self.reader.language == Language::C)?;
        let is_array = matches!(ty.get_kind(), TypeKind::ConstantArray | TypeKind::IncompleteArray);
        let initial = stripped(initial);
        if !is_array || initial.get_kind() != EntityKind::InitListExpr {
            return None;
        }
        let element = ty.get_element_type()?;
        let class = element.get_canonical_type().get_declaration()?;
        if class.get_kind() != EntityKind::StructDecl || !self.reader.is_project(class) || self.is_here(class) {
            return None;
        }
        let (extent, file, in_macro) = self.reader.extent(initial)?;
        let text = std::str::from_utf8(file.slice(extent.start, extent.end)).ok()?;
        if in_macro || text.len() > LONGEST || !text.starts_with('{') || !self.is_everybodys(initial, text) {
            return None;
        }
        let name = variable.get_name()?;
        let of = element.get_display_name().trim_start_matches("const ").to_owned();
        Some(Value::Table(Table { name, of, text: on_one_line(text) }))
    }

    fn is_here(&mut self, entity: Entity<'tu>) -> bool {
        super::is_in_main_file(self.reader, entity)
    }

    /// Whether all that a text names is declared elsewhere, and is no macro of the file.
    fn is_everybodys(&mut self, initial: Entity<'tu>, text: &str) -> bool {
        let mut named = Vec::new();
        initial.visit_children(|child, _| {
            named.extend(child.get_reference());
            EntityVisitResult::Recurse
        });
        if named.into_iter().any(|target| self.is_here(target)) {
            return false;
        }
        let Some(place) = self.reader.place(initial) else { return false };
        let whole = String::from_utf8_lossy(place.file.bytes()).into_owned();
        let defined =
            whole.lines().filter_map(|line| line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define"));
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let defined: Vec<&str> = defined.filter_map(|rest| rest.trim_start().split(|c| !is_part(c)).next()).collect();
        let bytes = text.as_bytes();
        let tokens = lex::tokens(bytes);
        let mut words = tokens.iter().filter(|token| token.kind == Kind::Word);
        !words.any(|word| defined.iter().any(|name| word.is(bytes, name)))
            && !tokens.iter().any(|token| token.kind == Kind::DirectiveEnd)
    }
}

/// A text with single blanks in the place of line breaks, indentation and comments.
fn on_one_line(text: &str) -> String {
    let bytes = text.as_bytes();
    let tokens = lex::tokens(bytes);
    let mut out = String::new();
    let mut last = 0;
    for token in &tokens {
        if token.start > last && !out.is_empty() && !out.ends_with('{') && !token.is(bytes, "}") {
            out.push(' ');
        }
        out.push_str(&String::from_utf8_lossy(token.text(bytes)));
        last = token.end;
    }
    out.replace(", }", "}").replace(",}", "}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_stands_on_one_line() {
        let text = "{\n\t\tOPT(\"a\", 0,  NONE), /* first */\n\t\tEND(),\n\t}";
        assert_eq!(on_one_line(text), "{OPT(\"a\", 0, NONE), END()}");
    }
}
