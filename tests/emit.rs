//! Emitted tests on a small project: what they look like, that they build without warnings, pass on the original
//! and fail on their mutants, through the `CMakeLists.txt` that is written beside them.

mod emit_project;

use emit_project::{Mini, cases};
use motif_cpp::emit;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

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
    let written = emit::write(&mini.output(), &cases(&mini), &mini.project()).unwrap();
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
    let cases = cases(&mini);
    let written = emit::write(&mini.output(), &cases, &mini.project()).unwrap();
    let original = cmake(&mini, "build-original", &[]);
    assert!(original.status.success(), "{}", String::from_utf8_lossy(&original.stdout));
    // A header, a source, a source that a test includes, C.
    for id in ["module/header", "module/duration", "local/clamp", "pos/encode"] {
        let at = cases.iter().position(|c| c.mutant_id.starts_with(id)).unwrap();
        let option = format!("-DMOTIF_MUTANT={}", cases[at].mutated.display());
        let output = cmake(&mini, "build-mutant", &[option]);
        let name = written[at].filter.clone().unwrap_or_else(|| written[at].file.replace(".c", ""));
        let failed = failed(&output);
        // Another test of the same unit may fail on it too; the rest may not.
        assert!(failed.contains(&name) && failed.len() < 3, "{id}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn a_mutant_whose_original_is_not_clear_asks_for_it() {
    let mini = Mini::new();
    emit::write(&mini.output(), &cases(&mini), &mini.project()).unwrap();
    let odd = mini.root().join("odd.mut.1.1.ROR.f.cpp");
    fs::copy(mini.root().join("src/module.cpp"), &odd).unwrap();
    let configure = |extra: Option<&Path>| {
        let mut command = Command::new("cmake");
        command.arg("-B").arg(mini.root().join("build-odd")).arg("-S").arg(mini.output().join("tests"));
        command.arg("-DMOTIF_MUTANT=odd.mut.1.1.ROR.f.cpp").current_dir(mini.root());
        command.args(extra.map(|path| format!("-DMOTIF_ORIGINAL={}", path.display())));
        command.output().unwrap()
    };
    let output = configure(None);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("-DMOTIF_ORIGINAL=FILE"));
    let output = configure(Some(Path::new("src/module.cpp")));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
