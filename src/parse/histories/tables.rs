//! Arrays of structures that a program of C writes down, such as the options that a parser is given. They are taken
//! over as they are written: their last element may be a mark, and others may have to agree.

use super::miner::{Miner, stripped};
use crate::lex::{self, Kind};
use crate::model::Language;
use crate::model::history::{Table, Value};
use clang::{Entity, EntityKind, EntityVisitResult, TypeKind};
use std::collections::BTreeSet;
use std::path::Path;

/// Words that every program knows.
const KEYWORDS: [&str; 14] = [
    "NULL", "char", "const", "double", "enum", "false", "float", "int", "long", "short", "sizeof", "struct", "true",
    "unsigned",
];
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
        // (What it is called has to be known to others, too.)
        let named = element.get_declaration()?;
        let is_ours = self.reader.is_project(class) && !self.is_here(class) && !self.is_here(named);
        if class.get_kind() != EntityKind::StructDecl || !is_ours || !has_whole_rows(initial, class) {
            return None;
        }
        let (extent, file, in_macro) = self.reader.extent(initial)?;
        let text = std::str::from_utf8(file.slice(extent.start, extent.end)).ok()?;
        let header = self.reader.place(class)?;
        let defined = String::from_utf8_lossy(header.file.bytes()).into_owned();
        let is_short = text.len() <= LONGEST && text.starts_with('{');
        if in_macro || !is_short || !self.is_of_header(initial, text, (&header.file.path, &defined)) {
            return None;
        }
        let name = variable.get_name()?;
        let of = element.get_display_name().trim_start_matches("const ").to_owned();
        Some(Value::Table(Table { name, of, text: on_one_line(text) }))
    }

    fn is_here(&mut self, entity: Entity<'tu>) -> bool {
        super::is_in_main_file(self.reader, entity)
    }

    /// Whether all that a text names is of the header that defines the structure: whoever knows that can write it.
    fn is_of_header(&mut self, initial: Entity<'tu>, text: &str, (header, defined): (&Path, &str)) -> bool {
        let mut named = Vec::new();
        initial.visit_children(|child, _| {
            named.extend(child.get_reference());
            EntityVisitResult::Recurse
        });
        let mut known = BTreeSet::new();
        for target in named {
            let is_of_header = self.reader.place(target).is_some_and(|place| place.file.path == *header);
            if !is_of_header {
                return false;
            }
            known.extend(target.get_name());
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let macros = defined.lines().filter_map(|line| line.trim_start().strip_prefix('#'));
        let macros = macros.filter_map(|line| line.trim_start().strip_prefix("define"));
        known.extend(macros.filter_map(|rest| rest.trim_start().split(|c| !is_part(c)).next().map(str::to_owned)));
        let bytes = text.as_bytes();
        let tokens = lex::tokens(bytes);
        let is_known = |word: &lex::Token| {
            KEYWORDS.iter().any(|name| word.is(bytes, name)) || known.iter().any(|name| word.is(bytes, name))
        };
        tokens.iter().all(|token| token.kind != Kind::DirectiveEnd && (token.kind != Kind::Word || is_known(token)))
    }
}

/// Whether each row has as many values as the structure has members: compilers warn of others.
fn has_whole_rows(initial: Entity<'_>, class: Entity<'_>) -> bool {
    let members = class.get_children().into_iter().filter(|child| child.get_kind() == EntityKind::FieldDecl).count();
    let rows = initial.get_children();
    let is_whole = |row: &Entity<'_>| {
        let row = stripped(*row);
        row.get_kind() == EntityKind::InitListExpr && row.get_children().len() == members
    };
    !rows.is_empty() && rows.iter().all(is_whole)
}

/// A text with single blanks in the place of line breaks, indentation and comments.
fn on_one_line(text: &str) -> String {
    let bytes = text.as_bytes();
    let tokens = lex::tokens(bytes);
    let mut out = String::new();
    let mut last = 0;
    for (at, token) in tokens.iter().enumerate() {
        if token.start > last && !out.is_empty() && !out.ends_with('{') && !token.is(bytes, "}") {
            out.push(' ');
        }
        // (Not the comma behind the last of several.)
        let is_last = token.is(bytes, ",") && tokens.get(at + 1).is_some_and(|next| next.is(bytes, "}"));
        if !is_last {
            out.push_str(&String::from_utf8_lossy(token.text(bytes)));
        }
        last = token.end;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_taken_over_where_its_rows_are_whole_and_all_that_it_names_is_of_the_structures_header() {
        let header = "#include <stddef.h>\ntypedef struct parser parser;\nstruct option { const char *name; \
            long most; };\n\
            #define OPTION(name, most) {name, most}\nparser *parser_new(const struct option *all);\n";
        let told = |rows: &str| {
            let program = format!(
                "#include \"options.h\"\n#define OWN 3\nstatic const long own = 4;\n\
                 int main(void) {{ struct option all[] = {rows}; parser *it = parser_new(all); return it == 0; }}\n"
            );
            let files = [("options.h", header), ("main.c", program.as_str())];
            let model = crate::parse::testing::Small::new(&files, "-std=c11").model();
            let mut steps = model.histories.values().flatten().flat_map(|history| &history.steps);
            steps.find_map(|step| match step.args.as_slice() {
                [Value::Table(table)] => Some(table.text.clone()),
                _ => None,
            })
        };
        assert_eq!(told("{ OPTION(\"a\", 1), {NULL, 0}, }").as_deref(), Some("{OPTION(\"a\", 1), {NULL, 0}}"));
        let others = ["{{\"a\"}, {NULL, 0}}", "{{\"a\", OWN}, {NULL, 0}}", "{{\"a\", own}}", "{{\"a\", sizeof(main)}}"];
        for rows in others {
            assert_eq!(told(rows), None, "{rows}");
        }
    }

    #[test]
    fn a_table_stands_on_one_line() {
        let text = "{\n\t\tOPT(\"a, }\", 0,  NONE), /* first */\n\t\tEND(),\n\t}";
        assert_eq!(on_one_line(text), "{OPT(\"a, }\", 0, NONE), END()}");
    }
}
