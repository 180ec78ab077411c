//! Units that write to standard output: for a listing or a dump that is all that they do.

use super::unit_scope::UnitScope;
use crate::model::{Function, Usr};
use std::collections::{BTreeSet, VecDeque};

/// Functions of the C library that write to it (C11 7.21.6 and 7.21.7).
const WRITES: [&str; 5] = ["printf", "vprintf", "puts", "putchar", "putchar_unlocked"];
/// The streams of the C and C++ libraries that lead there.
const STREAMS: [&str; 3] = ["stdout", "std::cout", "std::wcout"];
/// So many functions are looked at.
const LOOKED_AT: usize = 200;

/// Whether the unit, or what it calls, may do so.
pub(super) fn prints(scope: &UnitScope<'_>, unit: &Function) -> bool {
    let of_library = |usr: &Usr| usr.strip_prefix("c:@F@").is_some_and(|name| WRITES.contains(&name));
    let mut seen: BTreeSet<&Usr> = BTreeSet::new();
    let mut ahead: VecDeque<&Usr> = VecDeque::from([&unit.usr]);
    while let Some(usr) = ahead.pop_front().filter(|_| seen.len() < LOOKED_AT) {
        let Some(definition) = scope.model.functions.get(usr).and_then(|f| f.definition.as_ref()) else { continue };
        let names_one = definition.globals.iter().any(|name| STREAMS.contains(&name.as_str()));
        if names_one || definition.calls.iter().any(of_library) {
            return true;
        }
        ahead.extend(definition.calls.iter().filter(|usr| seen.insert(usr)));
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::hierarchy::Hierarchy;
    use crate::overrides::Overrides;
    use crate::parse::testing::{read_c, read_cpp};
    use crate::plan::planner::Planner;

    fn printing(model: &crate::model::Model) -> Vec<String> {
        let (hierarchy, overrides) = (Hierarchy::new(model), Overrides::default());
        let planner = Planner::new(model, &hierarchy, &overrides);
        let prints = |usr: &&String| crate::plan::plan_unit(&planner, usr).is_ok_and(|plan| plan.prints);
        let units = model.functions.values().filter(|f| f.definition.is_some());
        units.filter(|f| prints(&&f.usr)).map(|f| f.name.clone()).collect()
    }

    #[test]
    fn a_unit_prints_where_it_or_what_it_calls_writes_to_standard_output_and_not_to_another_file() {
        let model = read_c(
            "#include <stdio.h>\nstatic void line(int n) { printf(\"%d\\n\", n); }\nvoid dump(int n) { line(n); }\n\
             void list(int n) { fprintf(stdout, \"%d\\n\", n); }\n\
             int checked(int n) { if (n < 0) fprintf(stderr, \"below\\n\"); return n; }\n\
             void save(FILE *file, int n) { fprintf(file, \"%d\\n\", n); }\n",
        );
        assert_eq!(printing(&model), ["dump", "list", "line"]);
        let model = read_cpp(
            "#include <iostream>\nvoid tell(int n) { std::cout << n; }\nvoid warn(int n) { std::cerr << n; }\n",
        );
        assert_eq!(printing(&model), ["tell"]);
    }
}
