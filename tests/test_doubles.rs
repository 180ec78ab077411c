//! What tests put in the place of the real thing, and functions of several programs with one name.

use crate::support::{Project, all_die};
use std::process::Command;

#[test]
fn a_test_double_replaces_nothing_and_programs_may_define_functions_of_one_name() {
    let project = Project::sources("test_doubles");
    project.database(&["a_mocks/clock_mock.cpp", "clock.cpp", "board.cpp", "heater.cpp", "one.cpp", "two.cpp"]);
    let mutants = [
        ("heater.mut.3.1_1_1.ICR.heater_level.cpp", "> 600", "> 6000"),
        ("heater.mut.4.1_1_1.ICR.heater_level.cpp", "> 20", "> 25"),
        ("board.mut.2.1_1_1.AOR.board_temperature.cpp", "* 3 + 1", "* 3 - 1"),
        ("one.mut.2.1_1_1.AOR.total.cpp", "level + one", "level - one"),
        ("two.mut.4.1_1_1.ICR.parse.cpp", "level = 4", "level = 5"),
        ("two.mut.5.1_1_1.AOR.parse.cpp", "options.two + 2", "options.two - 2"),
    ];
    all_die(&project, "1s", &mutants);
    // Whatever the linker makes of an archive: the tests' own lists say who counts.
    let build = project.root().join("build-tests");
    let run = |command: &mut Command| {
        let output = command.current_dir(project.root()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.success(), said)
    };
    for mutant in [None, Some("mutants/board.mut.2.1_1_1.AOR.board_temperature.cpp")] {
        let mut configure = Command::new("cmake");
        configure.args(["-S", "motif.out/tests", "-B"]).arg(&build);
        configure.args(mutant.map(|file| format!("-DMOTIF_MUTANT={}", project.root().join(file).display())));
        let (done, said) = run(&mut configure);
        assert!(done, "{said}");
        let (done, said) = run(Command::new("cmake").arg("--build").arg(&build).args(["-j", "2"]));
        assert!(done, "{said}");
        let (passed, said) = run(Command::new("ctest").arg("--test-dir").arg(&build));
        assert_eq!(passed, mutant.is_none(), "{said}");
    }
}
