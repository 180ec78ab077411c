//! An outcome with every status, for the tests of the reports.

use crate::outcome::*;
use std::path::Path;

fn unit(id: &str, file: &str, line: u32, kind: &str, copy: Copy) -> UnitOutcome {
    UnitOutcome {
        id: id.into(),
        file: file.into(),
        line,
        kind: kind.into(),
        driver: Driver::Generated,
        copy: Some(copy),
        reason: None,
        cpu_seconds: UnitSeconds { build: 1.4, search: 2.4, triage: 0.1 },
        hangs: 0,
        suspected_faults: Vec::new(),
    }
}

fn mutant(id: &str, file: &str, line: u32, unit: Option<&str>, status: Status, reason: Option<&str>) -> MutantOutcome {
    MutantOutcome {
        id: id.into(),
        file: file.into(),
        line,
        operator: "ROR".into(),
        unit: unit.map(str::to_owned),
        status,
        reason: reason.map(str::to_owned),
        kill: None,
        effort: Some(Effort {
            seconds: 2.5,
            cpu_seconds: 2.4,
            executions: 1_204_311,
            returned: Some(963_449),
            reached: true,
            infected: None,
            residual_risk: (status == Status::Live).then_some(0.0123),
        }),
        diff: format!(
            "--- a/{file}\n+++ b/{file}\n@@ -{line},3 +{line},3 @@\n bool f(int a, int b) {{\n\
             -  return a <= b && \"<b>\";\n+  return a < b && \"<b>\";\n }}\n"
        ),
        equivalence: None,
        fingerprint: format!("{line:020x}"),
        suite: None,
        new: None,
        dismissed: None,
        usefulness: None,
        taken_over: false,
    }
}

fn killed(id: &str, file: &str, line: u32, unit: &str, how: How, by: By, test: &str) -> MutantOutcome {
    let kill = Kill {
        how,
        by,
        input: format!("inputs/{}", id.replace('/', "_")).into(),
        seconds: 0.312,
        cpu_seconds: 1.8,
        executions: 4120,
        test: Some(test.into()),
        verified: true,
    };
    MutantOutcome { kill: Some(kill), ..mutant(id, file, line, Some(unit), Status::Killed, None) }
}

const AUTONOMOUS: &str = "sat::ChargeableModule::isAutonomous(const sat::Mission &) const";
const ENCODE: &str = "pos_encode";

/// A run over two units with a mutant of every kind.
pub fn outcome() -> Outcome {
    let mut units = vec![
        unit(AUTONOMOUS, "src/chargeable.cpp", 41, "method", Copy::Class),
        unit(ENCODE, "src/pos.c", 12, "function", Copy::Function),
        unit("sat::Clock::now() const", "src/clock.cpp", 9, "method", Copy::Image),
    ];
    units[1].suspected_faults = vec![SuspectedFault { input: "inputs/faults/pos_1".into(), what: "SIGSEGV".into() }];
    units[2].reason = Some("it differs from itself where nothing is mutated".into());
    let test = "tests/sat_ChargeableModule_isAutonomous_test.cpp#ChargeableModule.isAutonomous_returns_false";
    let mutants = vec![
        killed(
            "chargeable/chargeable.mut.41.1.ROR.isAutonomous.cpp",
            "src/chargeable.cpp",
            41,
            AUTONOMOUS,
            How::Output,
            By::Seed,
            test,
        ),
        killed(
            "pos/pos.mut.14.1.ROR.pos_encode.c",
            "src/pos.c",
            14,
            ENCODE,
            How::Crash,
            By::Search,
            "tests/pos_encode_returns_0_test.c",
        ),
        mutant(
            "pos/pos.mut.20.1.ROR.pos_encode.c",
            "src/pos.c",
            20,
            Some(ENCODE),
            Status::Live,
            Some("no input told it apart"),
        ),
        mutant(
            "clock/clock.mut.9.1.ROR.now.cpp",
            "src/clock.cpp",
            9,
            Some("sat::Clock::now() const"),
            Status::Live,
            Some("it differs from itself where nothing is mutated"),
        ),
        mutant(
            "pos/pos.mut.31.1.ROR.pos_encode.c",
            "src/pos.c",
            31,
            None,
            Status::Invalid,
            Some("the file differs in two functions"),
        ),
        mutant(
            "pos/pos.mut.32.1.ROR.pos_encode.c",
            "src/pos.c",
            32,
            Some(ENCODE),
            Status::Unbuildable,
            Some("error: use of undeclared identifier 'k'"),
        ),
    ];
    let summary = Summary::of(&mutants);
    let tests = vec![TestOutcome {
        file: "tests/sat_ChargeableModule_isAutonomous_test.cpp".into(),
        name: "ChargeableModule.isAutonomous_returns_false".into(),
        unit: AUTONOMOUS.into(),
        kills: vec![mutants[0].id.clone()],
        verified: true,
        access: TestAccess::Public,
        adoptable: Adoptable::AsIs,
    }];
    let class = |name: &str, is_abstract, bases: &[&str], units: &[&str]| ClassOutcome {
        name: name.into(),
        is_abstract,
        bases: bases.iter().map(|&base| base.into()).collect(),
        units: units.iter().map(|&unit| unit.into()).collect(),
    };
    let classes = vec![
        class("sat::ChargeableModule", false, &["sat::Module"], &[AUTONOMOUS]),
        class("sat::Clock", false, &[], &["sat::Clock::now() const"]),
        class("sat::Module", true, &[], &[]),
    ];
    Outcome {
        schema: 1,
        tool: "motif-cpp 0.1.0".into(),
        seed: 7,
        engine: "libfuzzer".into(),
        started: "2026-01-02T03:04:05Z".into(),
        command: "motif-cpp fuzz -p build".into(),
        revision: Some("v1.2-3-g0abc".into()),
        commit: None,
        wall_seconds: 14.2,
        cpu_seconds: CpuSeconds {
            decide: 0.0,
            analyse: 0.8,
            build: 6.1,
            shared: 4.0,
            search: 9.5,
            triage: 0.4,
            prove: 3.3,
            suite: 0.0,
        },
        units,
        classes,
        mutants,
        tests,
        summary,
        interrupted: false,
        shard: None,
        merged: None,
    }
}

/// The files that the outcome names.
pub fn write_details(output: &Path) {
    let tests = output.join("tests");
    std::fs::create_dir_all(&tests).unwrap();
    std::fs::create_dir_all(output.join("inputs")).unwrap();
    std::fs::write(
        tests.join("sat_ChargeableModule_isAutonomous_test.cpp"),
        "// Regression tests\n\n// Kills chargeable.mut.41\n//   - return a <= b;\n//   + return a < b;\n\
         TEST(ChargeableModule, isAutonomous_returns_false) {\n  const sat::ChargeableModule module(3.5);\n\n  \
         const bool result = module.isAutonomous(sat::StaticMission(3.5));\n\n  EXPECT_TRUE(result);\n}\n",
    )
    .unwrap();
    let input = output.join("inputs/chargeable_chargeable.mut.41.1.ROR.isAutonomous.cpp");
    std::fs::write(&input, [0, 0, 0, 0, 0, 0, 0x0c, 0x40]).unwrap();
    let value = |name: &str, kind: &str, value: &str| super::details::DecodedValue {
        name: name.into(),
        kind: kind.into(),
        value: value.into(),
    };
    super::details::write_decoded(
        &input,
        &[value("autonomy", "double", "3.5"), value("mission", "sat::Mission &", "sat::StaticMission(3.5)")],
    )
    .unwrap();
}
