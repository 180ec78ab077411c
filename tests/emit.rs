//! Emitted tests on a small project: what they look like, that they build without warnings, pass on the original
//! and fail on their mutants, through the `CMakeLists.txt` that is written beside them.

use crate::emit_project::{Mini, cases};
use motif_cpp::build::{Builder, Libraries};
use motif_cpp::emit::prove::Prover;
use motif_cpp::emit::public::ask_in_public;
use motif_cpp::emit::{self, Check, CheckKind, TestCase};
use motif_cpp::generate::expect::observers::Observer;
use motif_cpp::model::{Language, Model};
use motif_cpp::tools::{Surroundings, Toolchain};
use motif_cpp::types::arithmetic::simple_type;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn emitted_tests_read_as_if_a_person_had_written_them() {
    let mini = Mini::new();
    let written = emit::write(&mini.output().join("tests"), &cases(&mini), &mini.project()).unwrap();
    let references: Vec<&str> = written.iter().map(|w| w.reference.as_str()).collect();
    snapshot("emitted_references", &references.join("\n"));
    let mut files: Vec<_> = fs::read_dir(mini.output().join("tests")).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        snapshot(&format!("emitted_{}", name.replace('.', "_")), &fs::read_to_string(&file).unwrap());
    }
}

fn cmake(mini: &Mini, build: &str, options: &[String]) -> Output {
    let tests = mini.output().join("tests");
    let build = mini.root().join(build);
    let run = |command: &mut Command| {
        let output = command.output().unwrap();
        assert!(
            output.status.success(),
            "{command:?}\n{}\n{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    };
    run(Command::new("cmake")
        .arg("-B")
        .arg(&build)
        .arg("-S")
        .arg(&tests)
        .args(["-G", "Ninja"])
        .args(options)
        .args(["-DCMAKE_C_FLAGS=-Wall -Wextra -Werror", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror"]));
    run(Command::new("cmake").arg("--build").arg(&build));
    Command::new("ctest").arg("--test-dir").arg(&build).arg("--output-on-failure").output().unwrap()
}

fn failed(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout);
    let mut failed: Vec<String> = text
        .lines()
        .skip_while(|line| !line.starts_with("The following tests FAILED"))
        .filter_map(|line| line.split_once(" - ")?.1.split_whitespace().next().map(str::to_owned))
        .collect();
    failed.sort();
    failed
}

#[test]
fn the_lists_file_builds_tests_that_pass_on_the_original_and_fail_on_each_kind_of_mutant() {
    let mini = Mini::new();
    // A header, a source, a source that a test includes, one with a main of its own, C.
    let kinds = ["module/header", "module/duration", "local/clamp", "main/twice", "pos/encode"];
    let mut cases = cases(&mini);
    cases.retain(|case| kinds.iter().any(|id| case.mutant_id.starts_with(id)));
    let written = emit::write(&mini.output().join("tests"), &cases, &mini.project()).unwrap();
    let original = cmake(&mini, "build-original", &[]);
    assert!(original.status.success(), "{}", String::from_utf8_lossy(&original.stdout));
    for id in kinds {
        let at = cases.iter().position(|c| c.mutant_id.starts_with(id)).unwrap();
        let option = format!("-DMOTIF_MUTANT={}", cases[at].mutated.display());
        let output = cmake(&mini, "build-mutant", &[option]);
        // A program in C is one test of CTest's.
        let is_c = written[at].file.ends_with(".c");
        let name = if is_c { written[at].file.replace(".c", "") } else { written[at].filter.clone() };
        let failed = failed(&output);
        assert_eq!(failed, [name], "{id}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn what_could_not_be_proved_stands_apart_and_says_why() {
    let mini = Mini::new();
    let mut cases = cases(&mini);
    cases.retain(|case| ["module/duration", "pos/encode"].iter().any(|id| case.mutant_id.starts_with(id)));
    let reasons: Vec<String> = cases.iter().map(|case| format!("*/ of line {}\\", case.line)).collect();
    let folder = mini.output().join("unproved");
    let written = emit::write_unproved(&folder, &cases, &reasons, &mini.project()).unwrap();
    assert_eq!(written.len(), cases.len());
    for (test, case) in written.iter().zip(&cases) {
        assert!(test.reference.starts_with("unproved/"), "{}", test.reference);
        let text = fs::read_to_string(folder.join(&test.file)).unwrap();
        let head: Vec<&str> = text.lines().take_while(|line| line.contains("*/") || line.starts_with("//")).collect();
        let said = head.join(" ");
        assert!(said.contains("Not proved for") && said.contains(&format!("of line {}", case.line)), "{text}");
        assert!(!head.iter().any(|line| line.ends_with('\\')), "{text}");
        assert!(case.language != Language::C || head[0].matches("*/").count() == 1, "{text}");
    }
    assert!(!folder.join("CMakeLists.txt").exists());
    emit::write_unproved(&folder, &[], &[], &mini.project()).unwrap();
    assert!(!folder.exists(), "what an earlier run could not prove is gone");
}

#[test]
fn a_mutant_whose_original_is_not_clear_asks_for_it() {
    let mini = Mini::new();
    emit::write(&mini.output().join("tests"), &cases(&mini), &mini.project()).unwrap();
    let odd = mini.root().join("odd.mut.1.1.ROR.f.cpp");
    fs::copy(mini.root().join("src/module.cpp"), &odd).unwrap();
    let of = |mutant: &str, extra: Option<&Path>| {
        let mut command = Command::new("cmake");
        command.arg("-B").arg(mini.root().join("build-odd")).arg("-S").arg(mini.output().join("tests"));
        command.arg(format!("-DMOTIF_MUTANT={mutant}")).current_dir(mini.root());
        command.args(extra.map(|path| format!("-DMOTIF_ORIGINAL={}", path.display())));
        command.output().unwrap()
    };
    let configure = |extra| of("odd.mut.1.1.ROR.f.cpp", extra);
    let gone = of("gone.cpp", None);
    assert!(!gone.status.success() && String::from_utf8_lossy(&gone.stderr).contains("there is no"));
    let output = configure(None);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("-DMOTIF_ORIGINAL=FILE"));
    let output = configure(Some(Path::new("src/module.cpp")));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Something to be tried with a prover, on the cases that ask for private state.
fn with_private(tried: impl FnOnce(&Prover<'_>, Vec<TestCase>)) {
    let mini = Mini::new();
    let project = mini.project();
    let tools = Toolchain::discover(&Surroundings::of_process());
    let builder = Builder::new(&tools, &mini.root().join("cache"), 2, Arc::default()).unwrap();
    let libraries = Libraries::default();
    let prover = Prover::new(&builder, &project, &libraries, &mini.root(), Arc::default());
    let mut cases = cases(&mini);
    cases.retain(|case| case.private_access);
    tried(&prover, cases);
}

#[test]
fn private_state_is_checked_through_what_everybody_may_ask() {
    with_private(|prover, mut cases| {
        // One that nobody has, one that is the same, and one that tells.
        let ask = |expression: &str, ty: &str| Observer::new(expression, simple_type(ty));
        cases[0].observers = vec![
            ask("module.nonsense()", "int"),
            ask("module.isAutonomous(0.0)", "bool"),
            ask("module.remaining(0.0)", "double"),
        ];
        let before = ask_in_public(prover, &Model::default(), &mut cases, &|_| false).unwrap();
        assert_eq!(before.len(), 1);
        assert_eq!(before[0].1.checks, [Check::equal("module.autonomy_", "1.5", CheckKind::Double)]);
        assert_eq!(cases[0].checks, [Check::equal("module.remaining(0.0)", "1.5", CheckKind::Double)]);
        assert!(!cases[0].private_access);
        let proofs = prover.prove(&cases, &|_| {}).unwrap();
        assert!(proofs[0].verified, "{}", proofs[0].reason);
    });
}

#[test]
fn what_nobody_may_ask_shows_behind_a_further_call() {
    with_private(|prover, mut cases| {
        cases[0].statements.push("ASSERT_TRUE(&module != nullptr);".to_owned());
        cases[0].observers = vec![Observer::new("module.isAutonomous(10.0)", simple_type("bool"))];
        // One that nobody has, one that changes nothing, and one that tells.
        cases[0].further =
            ["module.nonsense();", "module.charge(0.0);", "module.charge(9.0);"].map(str::to_owned).to_vec();
        ask_in_public(prover, &Model::default(), &mut cases, &|_| false).unwrap();
        assert_eq!(cases[0].call.as_deref(), Some("module.charge(0.5);\nmodule.charge(9.0);"));
        assert_eq!(cases[0].checks, [Check::equal("module.isAutonomous(10.0)", "true", CheckKind::Bool)]);
        let proofs = prover.prove(&cases, &|_| {}).unwrap();
        assert!(proofs[0].verified, "{}", proofs[0].reason);
    });
}

#[test]
fn what_a_kill_does_not_need_is_left_out_of_its_test() {
    with_private(|prover, mut cases| {
        let lines = [
            "sat::Module other(2.0);",
            "other.charge(1.0);",
            "struct { double value; } held;",
            "auto *to = &held;",
            "to->value = 0.0;",
            "sat::Module module(1.0 + held.value);",
            "module.charge(0.0);",
            "module.charge(0.25);",
        ];
        cases[0].statements = lines.map(str::to_owned).to_vec();
        cases[0].private_access = false;
        cases[0].checks = vec![Check::equal("module.remaining(0.0)", "1.75", CheckKind::Double)];
        let before = prover.shorten(&mut cases, &|_| None).unwrap();
        assert_eq!(before[0].1.statements, lines);
        // What the expected value needs stays, also where without it memory would have that by chance.
        assert_eq!(cases[0].statements, [&lines[2..6], &lines[7..]].concat());
        let proofs = prover.prove(&cases, &|_| {}).unwrap();
        assert!(proofs[0].verified, "{}", proofs[0].reason);
        assert!(prover.shorten(&mut cases, &|_| None).unwrap().is_empty());
    });
}

#[test]
fn each_kind_of_kill_is_proved_and_a_test_that_tells_nothing_is_not() {
    let mini = Mini::new();
    let project = mini.project();
    let tools = Toolchain::discover(&Surroundings::of_process());
    let builder = Builder::new(&tools, &mini.root().join("cache"), 2, Arc::default()).unwrap();
    let libraries = Libraries::default();
    let prover = Prover::new(&builder, &project, &libraries, &mini.root(), Arc::default());
    let mut cases = cases(&mini);
    let good = cases.len();
    // It looks at nothing that the mutant changes.
    let blind = TestCase { mutant_id: "blind".into(), name: "Blind".into(), checks: vec![], ..cases[1].clone() };
    // It expects what the original does not do.
    let wrong = TestCase {
        mutant_id: "wrong".into(),
        checks: vec![Check::equal("result", "7.0", CheckKind::Double)],
        ..cases[1].clone()
    };
    // It keeps its whole file from compiling, but not the others of its unit from being proved.
    let broken = TestCase { mutant_id: "broken".into(), statements: vec!["no such code".into()], ..cases[1].clone() };
    cases.extend([blind, wrong, broken]);
    let proofs = prover.prove(&cases, &|_| {}).unwrap();
    for (case, proof) in cases.iter().zip(&proofs).take(good) {
        assert!(proof.verified, "{}: {}", case.mutant_id, proof.reason);
    }
    let reasons: Vec<&str> = proofs[good..].iter().map(|p| p.reason.as_str()).collect();
    assert!(proofs[good..].iter().all(|p| !p.verified));
    assert_eq!(reasons[0], "the test passes on the mutant as well");
    assert!(reasons[1].starts_with("the test fails on the original: sat_Module_remaining_test.cpp:"), "{}", reasons[1]);
    assert!(reasons[2].starts_with("the test does not build: "), "{}", reasons[2]);
}
