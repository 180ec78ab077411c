//! Seeds and drivers against each other: what seeds write for random types is what compiled drivers take.

use super::joint_driver::{Member, together};
use crate::hierarchy::Hierarchy;
use crate::outcome::Home;
use crate::overrides::Overrides;
use crate::parse::testing::Small;
use crate::plan::byte_layout::Taken;
use crate::plan::planner::Planner;
use crate::plan::seeds::laid_out;
use crate::plan::{UnitPlan, plan_unit};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

const TYPES: &str = include_str!("../../tests/sources/byte_layout/types.hpp");
const MAIN: &str = include_str!("../../tests/sources/byte_layout/main.cpp");
/// So many functions of random parameters.
const UNITS: usize = 48;

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most as u64) as usize
    }

    fn one_of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len())]
    }

    /// A type that can be a part of others.
    fn part(&mut self, depth: usize) -> String {
        const PLAIN: [&str; 18] = [
            "bool",
            "char",
            "signed char",
            "short",
            "unsigned",
            "long long",
            "float",
            "double",
            "long double",
            "Color",
            "Level",
            "std::string",
            "Point",
            "Cloud",
            "Word",
            "Box",
            "std::complex<double>",
            "std::shared_ptr<Shape>",
        ];
        if depth == 0 || self.below(3) == 0 {
            return self.one_of(&PLAIN).to_owned();
        }
        let mut part = || self.part(depth - 1);
        let (one, other) = (part(), part());
        match self.below(9) {
            0 => format!("std::vector<{one}>"),
            1 => format!("std::list<{one}>"),
            2 => format!("std::array<{one}, 3>"),
            3 => format!("std::pair<{one}, {other}>"),
            4 => format!("std::tuple<{one}, int, {other}>"),
            5 => format!("std::optional<{one}>"),
            6 => format!("std::variant<int, {one}>"),
            7 => format!("std::map<int, {one}>"),
            _ => format!("std::unique_ptr<{one}>"),
        }
    }

    fn parameter(&mut self) -> String {
        const WHOLE: [&str; 9] = [
            "const char *",
            "const Shape &",
            "Shape *",
            "Log &",
            "const Log &",
            "Sink &",
            "int *",
            "std::istream &",
            "Point *",
        ];
        match self.below(3) {
            0 => self.one_of(&WHOLE).to_owned(),
            1 => format!("const {} &", self.part(2)),
            _ => self.part(2),
        }
    }
}

fn sources() -> String {
    let mut random = Random(0x5eed);
    let mut text = "#include \"types.hpp\"\n".to_owned();
    for unit in 0..UNITS {
        let types: Vec<String> = (0..1 + random.below(3)).map(|_| random.parameter()).collect();
        let params: Vec<String> = types.iter().enumerate().map(|(n, ty)| format!("{ty} p{n}")).collect();
        let used: String = (0..types.len()).map(|n| format!("(void)p{n}; ")).collect();
        let _ = writeln!(text, "int unit{unit}({}) {{ {used}return {unit}; }}", params.join(", "));
    }
    text
}

/// Compiles the driver of these units, and what it takes of each of the seeds, a line each.
fn taken(root: &Path, files: Vec<(String, String)>, units: usize, seeds: &str) -> String {
    for (name, text) in files {
        std::fs::write(root.join(name), text).unwrap();
    }
    let list: Vec<String> = (1..=units).map(|unit| format!("&motif_the_unit_{unit}")).collect();
    let list = format!("static const motif_unit *const units[] = {{{}}};\n", list.join(", "));
    std::fs::write(root.join("units.inc"), list).unwrap();
    std::fs::write(root.join("main.cpp"), MAIN).unwrap();
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime");
    let run = |compiler: &str, args: &[&str]| {
        let done = Command::new(compiler).current_dir(root).arg("-I").arg(&runtime).args(args).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    for name in ["motif", "differences"] {
        let source = runtime.join(format!("{name}.c"));
        run("clang", &["-std=c11", "-c", source.to_str().unwrap(), "-o", &format!("{name}.o")]);
    }
    run("clang++", &["-std=c++17", "-fno-access-control", "main.cpp", "motif.o", "differences.o", "-o", "main"]);
    let mut child = Command::new(root.join("main")).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(seeds.as_bytes()).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn drivers_take_from_seeds_what_the_seeds_were_written_with() {
    let text = sources();
    let small = Small::new(&[("types.hpp", TYPES), ("a.cpp", &text)], "-std=c++17");
    let model = small.model();
    let hierarchy = Hierarchy::new(&model);
    let overrides = Overrides::default();
    let planner = Planner::new(&model, &hierarchy, &overrides);
    let units = model.functions.values().filter(|function| function.name.starts_with("unit"));
    let plans: Vec<UnitPlan> = units.filter_map(|unit| plan_unit(&planner, &unit.usr).ok()).collect();
    assert!(plans.len() > UNITS * 3 / 4, "{} of {UNITS} are planned", plans.len());

    let members: Vec<Member<'_>> = plans.iter().map(|plan| Member { plan, mutants: Vec::new() }).collect();
    let files = together(&model, &hierarchy, &members, Home::Copy).unwrap().files;
    let (mut seeds, mut expected) = (String::new(), Vec::new());
    for (unit, plan) in plans.iter().enumerate() {
        for input in laid_out(plan) {
            let places = input.places.clone();
            let bytes = input.into_bytes();
            let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            let _ = writeln!(seeds, "{unit} x{digits}");
            expected.push((&plan.id, bytes.len(), places));
        }
    }
    let taken = taken(&small.root, files, plans.len(), &seeds);
    assert_eq!(taken.lines().count(), expected.len());
    for ((id, length, places), line) in expected.into_iter().zip(taken.lines()) {
        let mut words = line.split(' ');
        let asked: usize = words.next().unwrap().parse().unwrap();
        let calls: Vec<[usize; 4]> = words.map(numbers).collect();
        let found: Vec<(usize, usize, Taken)> = calls.iter().flat_map(|call| values(*call)).collect();
        // (The runtime notes no more than the first few.)
        let upto = if calls.len() < 256 { places.len() } else { found.len() };
        assert_eq!(found, places[..upto], "{id}\n{text}");
        assert_eq!(asked, length, "{id}");
    }
}

fn numbers(call: &str) -> [usize; 4] {
    let all: Vec<usize> = call.split(',').map(|number| number.parse().unwrap()).collect();
    all.try_into().unwrap()
}

/// The values of one call of the runtime: see `motif_field` in runtime/motif_internal.h.
fn values([offset, width, count, role]: [usize; 4]) -> Vec<(usize, usize, Taken)> {
    match role {
        2 => vec![(offset, width, Taken::Size)],
        3 => vec![(offset, width, Taken::Pick)],
        4 => vec![(offset, width, Taken::Enum)],
        _ => (0..count).map(|index| (offset + index * width, width, Taken::Value)).collect(),
    }
}
