//! Tables: variables of a file or a function that the project only ever reads, though nobody made them `const`.

use crate::model::{Function, Model, Usr};
use std::collections::BTreeSet;

/// The names of such variables, as bodies name them.
#[derive(Debug, Default)]
pub struct Tables {
    names: BTreeSet<String>,
}

impl Tables {
    /// Those of a model. Of one name there may be several variables: each of them is only read.
    pub fn new(model: &Model) -> Self {
        let (mut names, mut changed) = (BTreeSet::new(), model.lent_out.clone());
        for definition in model.functions.values().filter_map(|function| function.definition.as_ref()) {
            for name in &definition.globals {
                let lent = definition.only_read.get(name);
                let is_read =
                    lent.is_some_and(|lent| lent.iter().all(|to| is_only_read(model, to, &mut BTreeSet::new())));
                if is_read { &mut names } else { &mut changed }.insert(name.clone());
            }
        }
        names.retain(|name| !changed.contains(name));
        Self { names }
    }

    /// Whether a variable of this name is only read.
    pub fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }
}

/// Whether a function and its callees only read what stands behind a parameter.
fn is_only_read<'m>(model: &'m Model, param: &'m (Usr, usize), seen: &mut BTreeSet<&'m (Usr, usize)>) -> bool {
    if !seen.insert(param) {
        return true;
    }
    let function = model.functions.get(&param.0).filter(|function| is_what_runs(function));
    let lent = function.and_then(|function| function.params.get(param.1)?.only_read.as_ref());
    lent.is_some_and(|lent| lent.iter().all(|to| is_only_read(model, to, seen)))
}

/// Whether a call of the function runs its body, and no other one.
fn is_what_runs(function: &Function) -> bool {
    function.definition.is_some() && !function.is_virtual && function.template.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::{read_c, read_cpp};

    #[test]
    fn a_table_is_what_every_body_only_reads_itself_or_through_a_callee() {
        let source = "struct pair { int a; int b[2]; };\n\
            static int read[4] = {1, 2}, lent[4], deep[2][2], written[4], counted, kept[2], grown[2], passed[2];\n\
            static struct pair pairs[2]; static const char *words[] = {\"a\", \"b\"}; int shared[2];\n\
            static int *other;\n\
            static int find(int v, int *table, int n) {\n\
              int i; for (i = 0; i < n; i++) if (v < *table++) break; return i; }\n\
            static int near_(int v, int *table) { return table[v] + find(v, table + 1, 3); }\n\
            static void fill(int *table) { table[0] = 1; }\n\
            void keep(int *); int strange(const int *, const char *);\n\
            int f(int v) { static int own[2] = {3, 4}; static int calls; calls++;\n\
              int sum = read[v] + near_(v, lent) + deep[v][1] + pairs[v].b[1] + own[v] + shared[v] + sizeof counted;\n\
              written[v] = 1; counted++; other = kept; fill(passed); { int *p = grown; p[0]++; }\n\
              return sum + strange(read, words[v]) + (read[0] ? -read[1] : 0); }\n\
            char *strchr(const char *, int); static char cut[] = \"a,b\", *found;\n\
            static int shown[2], bits[2], noted[2];\n\
            int *registry = noted; static int atomic; void g(int v) { *strchr(cut, 44) = 1; int *p = ({ shown; });\n\
              p[0] = v; __atomic_exchange_n(&atomic, v, 5); *(&bits[0] + v) = 1; }";
        let model = read_c(source);
        let tables = Tables::new(&model);
        let found: Vec<&str> = tables.names.iter().map(String::as_str).collect();
        assert_eq!(found, ["deep", "lent", "own", "pairs", "read", "words"]);
        assert!(!tables.has("counted") && !tables.has("calls"));
    }

    #[test]
    fn in_cxx_references_and_methods_may_change_a_table() {
        // (An object with a constructor has no value before anything runs.)
        let source = "struct Item { int n; int get() const { return n; } void set() { ++n; } };\n\
            namespace { int plain[2], bound[2], given[2], named[2], looked[2]; Item set[2]; const Item *asked; }\n\
            void take(int &); int look(const int &); int now(); static int begun = now();\n\
            int &name(int v) { return named[v]; }\n\
            int f(int v) { int &b = bound[v]; b = 1; take(given[v]); set[v].set(); for (int &x : bound) x = 1;\n\
              const int &c = plain[v];\n\
              return c + look(looked[v]) + asked->get() + static_cast<int>(plain[0]) + begun; }";
        let model = read_cpp(source);
        let tables = Tables::new(&model);
        let found: Vec<&str> = tables.names.iter().map(String::as_str).collect();
        assert_eq!(found, ["asked", "looked", "plain"]);
        let source = "struct P { int x, y; mutable int n; void hit() const { ++n; } P &operator+=(const P &p);\n\
              int &operator[](const int &);\n\
              int operator()(int) const; };\n\
            static P assigned = {1, 2}, added = {1, 2}, indexed = {1, 2}, hit = {1, 2},\n\
              pointed = {1, 2}, read = {1, 2};\n\
            static int given = 1, held = 1, *kept = &held, behind[2]; struct H { int *p = &given; };\n\
            static auto setter = [](int v) { behind[0] = v; }; void keep(int *const &p);\n\
            void w(const P &p, int v, int P::*m) { assigned = p; added += p; indexed[v] = 3; hit.hit();\n\
              (&pointed + 0)->*m = v; keep(behind); *kept = v; } int r() { return read.x + read.y + given + held; }";
        let model = read_cpp(source);
        let tables = Tables::new(&model);
        let found: Vec<&str> = tables.names.iter().map(String::as_str).collect();
        assert_eq!(found, ["read"]);
    }
}
