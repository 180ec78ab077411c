//! A small project with a mutant of every kind that matters to emitting tests, in a folder of its own.

use motif_cpp::build::Sanitizer;
use motif_cpp::compdb::CompileCommand;
use motif_cpp::emit::{Check, CheckKind, Project, TestCase};
use motif_cpp::model::Language;
use motif_cpp::outcome::How;
use std::fs;
use std::path::PathBuf;

const MODULE_HPP: &str = include_str!("../sources/emit/module.hpp");

const MODULE_CPP: &str = include_str!("../sources/emit/module.cpp");

const LOCAL_CPP: &str = include_str!("../sources/emit/local.cpp");

const POS_H: &str = include_str!("../sources/emit/pos.h");

const POS_C: &str = include_str!("../sources/emit/pos.c");

const MAIN_CPP: &str = include_str!("../sources/emit/main.cpp");

/// The project on disk.
pub struct Mini {
    folder: tempfile::TempDir,
}

impl Mini {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("src")).unwrap();
        for (name, text) in [
            ("module.hpp", MODULE_HPP),
            ("module.cpp", MODULE_CPP),
            ("local.cpp", LOCAL_CPP),
            ("pos.h", POS_H),
            ("pos.c", POS_C),
            ("main.cpp", MAIN_CPP),
        ] {
            fs::write(root.join("src").join(name), text).unwrap();
        }
        Self { folder }
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    pub fn output(&self) -> PathBuf {
        self.root().join("motif.out")
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.root().join("src").join(name)
    }

    pub fn project(&self) -> Project {
        let source = |name: &str, language, compiler: &str, args: &[&str]| CompileCommand {
            file: self.file(name),
            language,
            directory: self.root(),
            compiler: compiler.to_owned(),
            args: args.iter().map(|a| (*a).to_owned()).collect(),
            std: None,
        };
        let cxx = ["-std=c++11", "-O0", "-Werror", "-DVERSION=\"1 $x\"", "-idirafter", "include", "-idirafter", "src"];
        Project {
            root: self.root(),
            home: self.root(),
            sources: vec![
                source("local.cpp", Language::Cxx, "clang++-14", &cxx),
                source("module.cpp", Language::Cxx, "clang++-14", &cxx),
                source("pos.c", Language::C, "clang-14", &["-std=c89", "-pedantic-errors", "-Isrc"]),
            ],
            programs: vec![source("main.cpp", Language::Cxx, "clang++-14", &cxx)],
            headers: vec![self.file("module.hpp"), self.file("pos.h")],
            doubles: Default::default(),
            missing: Vec::new(),
            missing_in_threads: Default::default(),
            libraries: Vec::new(),
            frameworks: Vec::new(),
            one_per_mutant: false,
            shipped: Default::default(),
            includers: [
                (self.file("module.hpp"), vec![self.file("module.cpp"), self.file("local.cpp")]),
                (self.file("pos.h"), vec![self.file("pos.c")]),
            ]
            .into(),
        }
    }

    /// Writes the mutant that has `after` in the place of `before`, and gives its case without a test.
    pub fn mutant(&self, id: &str, original: &str, before: &str, after: &str) -> TestCase {
        let file = self.file(original);
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(text.matches(before).count(), 1, "{before} in {original}");
        let mutated_text = text.replace(before, after);
        let line = text[..text.find(before).unwrap()].lines().count() as u32;
        let mutated = self.root().join("mutants").join(id);
        fs::create_dir_all(mutated.parent().unwrap()).unwrap();
        fs::write(&mutated, &mutated_text).unwrap();
        let whole = |l: &str| l.to_owned();
        let changed: Vec<(String, String)> =
            text.lines().zip(mutated_text.lines()).filter(|(a, b)| a != b).map(|(a, b)| (whole(a), whole(b))).collect();
        let diff = changed.iter().map(|(a, b)| format!("-{a}\n+{b}\n")).collect::<String>();
        let language = if original.ends_with(".c") { Language::C } else { Language::Cxx };
        TestCase {
            mutant_id: id.to_owned(),
            mutated,
            unit_id: String::new(),
            unit_slug: String::new(),
            suite: String::new(),
            method: String::new(),
            name: String::new(),
            parameters: Vec::new(),
            when: None,
            apart_by: Vec::new(),
            language,
            operator: id.split('.').rev().nth(2).unwrap_or("?").to_owned(),
            command_file: if original == "module.hpp" { self.file("module.cpp") } else { file.clone() },
            file,
            line,
            diff: format!("--- a/src/{original}\n+++ b/src/{original}\n@@ -{line} +{line} @@\n{diff}"),
            how: How::Output,
            sanitizer: None,
            includes: Vec::new(),
            source_include: None,
            source_defines_main: false,
            hiding_macros: std::collections::BTreeSet::new(),
            own_macros: std::collections::BTreeSet::new(),
            has_bool: true,
            private_access: false,
            calls_private: false,
            reads_private: false,
            helpers: Vec::new(),
            stand_ins: None,
            calls_stand_ins: true,
            is_quiet: false,
            take_down: Vec::new(),
            may_take_down: Vec::new(),
            statements: Vec::new(),
            call: None,
            unkept: None,
            behind_call: None,
            checks: Vec::new(),
            telling: None,
            written: Vec::new(),
            apart: false,
            observers: Vec::new(),
            further: Vec::new(),
            keeps_files: false,
            only_for: Default::default(),
            fewer_arguments: Default::default(),
            as_found: false,
            by_hand: false,
            left_out: String::new(),
        }
    }
}

fn lines(text: &[&str]) -> Vec<String> {
    text.iter().map(|l| (*l).to_owned()).collect()
}

fn equal(actual: &str, expected: &str, kind: CheckKind) -> Check {
    Check::equal(actual, expected, kind)
}

/// One case of every kind, in the order of their mutants' names.
pub fn cases(mini: &Mini) -> Vec<TestCase> {
    let module = |case: TestCase, unit: &str, name: &str| TestCase {
        unit_id: format!("sat::Module::{unit}"),
        unit_slug: format!("sat_Module_{}", unit.split('(').next().unwrap_or(unit)),
        suite: "Module".to_owned(),
        name: name.to_owned(),
        includes: lines(&["\"src/module.hpp\""]),
        ..case
    };
    let header = mini.mutant(
        "module/header/module.mut.10.1.ROR.isAutonomous.hpp",
        "module.hpp",
        "duration <= autonomy_",
        "duration < autonomy_",
    );
    let duration = mini.mutant(
        "module/duration/module.mut.6.1.AOR.remaining.cpp",
        "module.cpp",
        "autonomy_ - duration",
        "autonomy_ + duration",
    );
    let zero = mini.mutant(
        "module/zero/module.mut.6.1.UOI.remaining.cpp",
        "module.cpp",
        "autonomy_ - duration",
        "-(autonomy_ - duration)",
    );
    let throws = mini.mutant("module/throws/module.mut.10.1.ROR.charge.cpp", "module.cpp", "amount < 0", "amount < -1");
    let state = mini.mutant(
        "module/state/module.mut.13.1.AOR.charge.cpp",
        "module.cpp",
        "autonomy_ += amount",
        "autonomy_ -= amount",
    );
    let label =
        mini.mutant("module/label/module.mut.17.1.ROR.label.cpp", "module.cpp", "autonomy_ > 10", "autonomy_ < 10");
    let clamp = mini.mutant("local/clamp/local.mut.4.1.ROR.clamp.cpp", "local.cpp", "value > most", "value < most");
    let twice = mini.mutant("main/twice/main.mut.1.1.AOR.twice.cpp", "main.cpp", "value * 2", "value + 2");
    let encode = mini.mutant("pos/encode/pos.mut.8.1.CRCR.pos_encode.c", "pos.c", "i < 4", "i < 3");
    let overrun = mini.mutant("pos/overrun/pos.mut.8.2.ROR.pos_encode.c", "pos.c", "i < 4", "i <= 4");
    let hang = mini.mutant("pos/hang/pos.mut.8.1.SDL.pos_encode.c", "pos.c", "i++", "i += 0");
    let pos = |case: TestCase| TestCase {
        unit_id: "pos_encode".to_owned(),
        unit_slug: "pos_encode".to_owned(),
        includes: vec![mini.file("pos.h").display().to_string()],
        statements: lines(&[
            "T_POS pos = {POS_ABSOLUTE, 4278255873U};",
            "unsigned char bytes[4] = {0};",
            "int result;",
        ]),
        call: Some("result = pos_encode(&pos, bytes);".to_owned()),
        ..case
    };
    vec![
        TestCase {
            statements: lines(&["const sat::Module module(3.5);"]),
            call: Some("const bool result = module.isAutonomous(3.5);".to_owned()),
            checks: vec![equal("result", "true", CheckKind::Bool)],
            ..module(header, "isAutonomous(double) const", "isAutonomous_returns_true")
        },
        TestCase {
            statements: lines(&["const sat::Module module(0.1);"]),
            call: Some("const double result = module.remaining(0.2);".to_owned()),
            checks: vec![Check::equal("result", "-0.1", CheckKind::Double)],
            ..module(duration, "remaining(double) const", "remaining_returns_minus_0_1")
        },
        TestCase {
            statements: lines(&["const sat::Module module(1.0);"]),
            call: Some("const double result = module.remaining(1.0);".to_owned()),
            checks: vec![Check::equal("result", "0.0", CheckKind::Double)],
            ..module(zero, "remaining(double) const", "remaining_returns_0")
        },
        TestCase {
            statements: lines(&["sat::Module module(1.0);"]),
            call: Some("module.charge(-0.5);".to_owned()),
            checks: vec![Check::Throws {
                ty: "std::invalid_argument".to_owned(),
                what: Some("negative charge".to_owned()),
                exactly: false,
            }],
            how: How::Exception,
            ..module(throws, "charge(double)", "charge_throws_invalid_argument")
        },
        TestCase {
            statements: lines(&["sat::Module module(1.0);"]),
            call: Some("module.charge(0.5);".to_owned()),
            checks: vec![Check::equal("module.autonomy_", "1.5", CheckKind::Double)],
            private_access: true,
            reads_private: true,
            how: How::State,
            ..module(state, "charge(double)", "charge_leaves_autonomy_at_1_5")
        },
        TestCase {
            statements: lines(&["const sat::Module module(12.0);"]),
            call: Some("const std::string result = module.label();".to_owned()),
            checks: vec![equal("result", "\"long \\\\ /* haul */\"", CheckKind::Text)],
            ..module(label, "label() const", "label_returns_long_haul")
        },
        TestCase {
            unit_id: "clamp(int, int)".to_owned(),
            unit_slug: "clamp".to_owned(),
            suite: "Local".to_owned(),
            name: "clamp_returns_3".to_owned(),
            source_include: Some(mini.file("local.cpp")),
            call: Some("const int result = clamp(7, 3);".to_owned()),
            checks: vec![equal("result", "3", CheckKind::Int)],
            ..clamp
        },
        TestCase {
            unit_id: "twice(int)".to_owned(),
            unit_slug: "twice".to_owned(),
            suite: "Main".to_owned(),
            name: "twice_returns_14".to_owned(),
            source_include: Some(mini.file("main.cpp")),
            source_defines_main: true,
            call: Some("const int result = twice(7);".to_owned()),
            checks: vec![equal("result", "14", CheckKind::Int)],
            ..twice
        },
        TestCase {
            name: "pos_encode_fills_bytes".to_owned(),
            checks: vec![
                equal("result", "0", CheckKind::Int),
                equal("memcmp(bytes, \"\\001\\001\\001\\377\", 4)", "0", CheckKind::Int),
            ],
            ..pos(encode)
        },
        TestCase {
            name: "pos_encode_uses_memory_as_allowed".to_owned(),
            checks: vec![equal("result", "0", CheckKind::Int)],
            how: How::Sanitizer,
            sanitizer: Some(Sanitizer::Address),
            ..pos(overrun)
        },
        TestCase {
            name: "pos_encode_returns_in_time".to_owned(),
            checks: vec![equal("result", "0", CheckKind::Int)],
            how: How::Hang,
            ..pos(hang)
        },
    ]
}
