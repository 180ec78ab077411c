//! What a person may add by hand (Listing 8 of the papers: a concrete subtype, its parameter, its construction), once
//! in YAML and once in the utility class, on the satellite sample; and every other hook where a driver runs on it.

use crate::support::Project;

const UNIT: &str = "sat::ChargeableModule::isAutonomous(const sat::Mission &) const";
const MUTANT: &str = "src/chargeable/chargeable.mut.15.1_31_1.ROR.isAutonomous.cpp";

/// The sample with one mutant only.
/// What a person writes in the place of the choice of a subtype.
const BY_HOURS: &str = "    auto hours = in.take<double>();
    auto &mission = keep(new sat::StaticMission(hours));
    mission.extend(1.0);
";

fn satellite() -> Project {
    let project = Project::sample("satellite");
    let only = project.read(format!("mutants/{MUTANT}"));
    std::fs::remove_dir_all(project.root().join("mutants")).unwrap();
    project.write(&format!("mutants/{MUTANT}"), &only);
    project
}

/// The name of the file that `scaffold` wrote for the unit.
fn scaffolded(project: &Project, extension: &str) -> String {
    project.run(["scaffold", "-p", "build", UNIT]).ends_with(0);
    let names = std::fs::read_dir(project.root().join("utility-overrides")).unwrap();
    let mut names = names.filter_map(|entry| entry.unwrap().file_name().into_string().ok());
    names.find(|name| name.ends_with(extension)).map(|name| format!("utility-overrides/{name}")).unwrap()
}

#[test]
#[ignore = "a long run; make test-all"]
fn the_manual_tuning_of_listing_8_in_yaml() {
    let project = satellite();
    let stub = scaffolded(&project, ".yaml");
    let text = project.read(&stub);
    for part in [
        "# subtypes:\n#   sat::Mission: [sat::StaticMission, sat::DynamicMission]",
        "#   sat::StaticMission: {constructor: \"(double)\", args: [[0, 100]]} # presetDuration",
        "#   mission: {value: EXPRESSION} # const sat::Mission &",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    // What a person does: takes the comments off and says what they know.
    let said = "subtypes:\n  sat::Mission: sat::StaticMission\n\
                construct:\n  sat::StaticMission: {constructor: (double), args: [[0, 1000]]}\n";
    project.write(&stub, &(text + said));
    project.fuzz(&["--budget", "10s"]).ends_with(0);
    let outcome = project.outcome();
    assert_eq!(outcome.0["units"][0]["driver"], "overridden");
    assert_eq!((outcome.status(MUTANT), outcome.verified(MUTANT)), ("killed", true), "{}", outcome.reason(MUTANT));
    let driver = project.read("motif.out/drivers/sat_ChargeableModule_isAutonomous_cb3688/TestUtil.hpp");
    assert!(driver.contains("if (!(presetDuration <= 1000)) presetDuration = 1000;"), "{driver}");
    assert!(!driver.contains("DynamicMission"), "{driver}");
    let test = project.read("motif.out/tests/sat_ChargeableModule_isAutonomous_cb3688_test.cpp");
    assert!(test.contains("sat::StaticMission mission(presetDuration);"), "{test}");
}

#[test]
fn the_manual_tuning_of_listing_8_in_the_utility_class() {
    let project = satellite();
    let path = scaffolded(&project, ".hpp");
    let text = project.read(&path);
    let start = text.find("    sat::Mission *mission = nullptr;\n").expect("the choice of a subtype");
    let end = text.find("\n    // Edit here: calls before").expect("the next mark");
    let edit = BY_HOURS;
    let text = text[..start].to_owned() + edit + &text[end..];
    project.write(
        &path,
        &text
            .replace("isAutonomous(*mission)", "isAutonomous(mission)")
            .replace("\"mission\", *mission", "\"mission\", mission"),
    );
    project.fuzz(&["--budget", "10s"]).ends_with(0);
    let outcome = project.outcome();
    assert_eq!(outcome.0["units"][0]["driver"], "edited");
    assert_eq!(outcome.status(MUTANT), "killed", "{}", outcome.reason(MUTANT));
    assert!(outcome.verified(MUTANT), "{}", outcome.reason(MUTANT));
    let test = project.read("motif.out/tests/sat_ChargeableModule_isAutonomous_cb3688_test.cpp");
    for part in [
        "double hours = ",
        "sat::StaticMission mission(hours);",
        "mission.extend(1.0);",
        "object.isAutonomous(mission)",
    ] {
        assert!(test.contains(part), "no `{part}` in\n{test}");
    }
}

/// As `docs/overrides.md` has it.
#[test]
fn the_way_of_working_from_the_first_edit_to_ci() {
    let project = satellite();
    let run = |line: &[&str]| project.run(line.iter().chain(&["-p", "build"]).copied());
    let path = scaffolded(&project, ".hpp");
    let text = project.read(&path);
    let start = text.find("    sat::Mission *mission = nullptr;\n").unwrap();
    let end = text.find("\n    // Edit here: calls before").unwrap();
    let edit = BY_HOURS;
    let text = text[..start].to_owned() + edit + &text[end..];
    project.write(
        &path,
        &text
            .replace("isAutonomous(*mission)", "isAutonomous(mission)")
            .replace("\"mission\", *mission", "\"mission\", mission"),
    );
    run(&["review", UNIT, "--accept"]).ends_with(0);

    // The code changes underneath: another parameter.
    let change = |path: &str, from: &str, to: &str| {
        let text = project.read(path);
        assert!(text.contains(from), "no `{from}` in {path}");
        project.write(path, &text.replace(from, to));
    };
    change(
        "include/sat/chargeable.hpp",
        "isAutonomous(const Mission& mission) const;",
        "isAutonomous(const Mission& mission, bool strict = false) const;",
    );
    change(
        "src/chargeable.cpp",
        "isAutonomous(const Mission& mission) const {",
        "isAutonomous(const Mission& mission, bool strict) const {",
    );
    change(
        "src/chargeable.cpp",
        "return mission.duration() <= getAutonomy();",
        "return strict ? mission.duration() < getAutonomy() : mission.duration() <= getAutonomy();",
    );
    let orphan = run(&["review"]);
    orphan.ends_with(2);
    assert!(orphan.stderr.contains("error[override-orphan]"), "{}", orphan.stderr);
    run(&["scaffold", "--check"]).ends_with(1);
    let merge = run(&["scaffold", "--update"]);
    merge.ends_with(1);
    assert!(
        merge.stderr.contains("has another signature") && merge.stderr.contains("scaffold-conflict"),
        "{}",
        merge.stderr
    );
    let names = std::fs::read_dir(project.root().join("utility-overrides")).unwrap();
    let mut names = names.filter_map(|entry| entry.unwrap().file_name().into_string().ok());
    let path = format!("utility-overrides/{}", names.find(|name| name.ends_with(".hpp")).unwrap());
    let text = project.read(&path);
    // The new argument stands beside the edited one; only the call is for a person to decide.
    assert!(text.contains("mission.extend(1.0);\n\n    auto strict = in.take<bool>();\n"), "{text}");
    assert_eq!(text.matches("<<<<<<<").count(), 1, "{text}");
    let (start, end) = (text.find("<<<<<<<").unwrap(), text.find(">>>>>>> generated now\n").unwrap());
    let call = "    record.returned(\"return\", [&] { return object.isAutonomous(mission, strict); });\n";
    project.write(&path, &(text[..start].to_owned() + call + &text[end + ">>>>>>> generated now\n".len()..]));

    let review = run(&["review"]);
    review.ends_with(1);
    assert!(
        review.stdout.contains("would become") && review.stdout.contains("+    auto strict = in.take<bool>();"),
        "{}",
        review.stdout
    );
    run(&["review", "--accept"]).ends_with(0);
    run(&["scaffold", "--check"]).ends_with(0);
    run(&["review"]).ends_with(0);
}

const SOURCE: &str = include_str!("sources/overridden/ground.cpp");
const HEADER: &str = include_str!("sources/overridden/ground.hpp");

#[test]
fn every_way_to_say_a_value_reaches_the_driver_and_the_test() {
    let project = Project::of(&[("ground.cpp", SOURCE), ("ground.hpp", HEADER)]);
    project.database(&["ground.cpp"]);
    project.write(
        "utility-overrides/station.yaml",
        "function: gs::Station::send\n\
         parameters:\n  stamp: {format: iso8601}\n  code: {pattern: '[A-Z]{3}-\\d+'}\n  \
         mode: {one_of: [gs::Mode::Safe, gs::Mode::Active]}\n\
         types:\n  gs::Percent: {range: [0, 100]}\n\
         sequences:\n  gs::Station: {calls: [{method: tune, args: [[-3, 3]]}], most: 2}\n\
         construct:\n  gs::Station: {constructor: (int), args: [{one_of: [7, 9]}], then: ['$it.open();']}\n\
         before: ['if ($level > 100) return;']\n",
    );
    project.write("mutants/ground.mut.9.1_1_1.ROR.send.cpp", &SOURCE.replace("level > 50", "level >= 50"));
    project.fuzz(&["--budget", "20s"]).ends_with(0);
    let outcome = project.outcome();
    let id = "ground.mut.9.1_1_1.ROR.send.cpp";
    assert_eq!((outcome.status(id), outcome.verified(id)), ("killed", true), "{} {}", outcome.reason(id), outcome.0);
    let driver = project.read("motif.out/drivers/gs_Station_send/TestUtil.hpp");
    for part in [
        "std::string stamp = in.pattern(\"(19|20)",
        "const char *code = in.pattern(\"[A-Z]{3}-\\\\d+\");",
        "in.size(0, 2)",
        ".tune(by);",
        "object.open();",
        "if (level > 100) return;",
        "if (!(level <= 100)) level = 100;",
    ] {
        assert!(driver.contains(part), "no `{part}` in\n{driver}");
    }
    let test = project.read("motif.out/tests/gs_Station_send_test.cpp");
    for part in ["object.open();", "const char *code = \"", "level = 50", "std::string stamp = \""] {
        assert!(test.contains(part), "no `{part}` in\n{test}");
    }
    // No input was thrown away by the guards of the unit: what is said holds for every value.
    assert_eq!(outcome.0["units"][0]["suspected_faults"].as_array().map_or(0, Vec::len), 0, "{}", outcome.0);
}

/// What decides which inputs are tried at all: the way in, sizes, and a length before its array.
#[test]
fn ways_in_sizes_and_lengths_are_as_a_person_says() {
    let source = include_str!("sources/overridden/filter.cpp");
    let project = Project::of(&[("filter.cpp", source)]);
    project.write("utility-overrides/core.yaml", "function: Filter::core\nthrough: [Filter::first]\n");
    project.write("utility-overrides/first.yaml", "function: Filter::first\nparameters: {list: {size: [2, 3]}}\n");
    project.write(
        "utility-overrides/second.yaml",
        "function: Filter::second\nparameters: {data: {length: 5, pair_with: n}}\n",
    );
    project.run(["review", "-p", "build", "--all", "--accept"]).ends_with(0);
    let core = project.read("snapshots/Filter_core/TestUtil.hpp");
    assert!(
        core.contains("object.first(list)") && !core.contains("second") && core.contains("in.size(2, 3)"),
        "{core}"
    );
    let second = project.read("snapshots/Filter_second/TestUtil.hpp");
    assert!(second.contains("auto n = static_cast<int>(in.size(0, 5));"), "{second}");
    let run = project.run(["analyze", "-p", "build"]);
    assert!(run.stdout.contains("overridden   Filter::core"), "{}", run.stdout);
}

#[test]
fn tests_by_an_edited_class_say_what_stubs_and_callbacks_were_called_with() {
    let text = include_str!("sources/overridden/sink.cpp");
    let project = Project::of(&[("sink.cpp", text)]);
    for (unit, id, from, to) in [
        ("tell", "sink.mut.8.1_1_1.ICR.tell.cpp", "height * 2", "height * 3"),
        ("ask", "sink.mut.11.1_1_1.ICR.ask.cpp", "height + 7", "height + 9"),
    ] {
        project.run(["scaffold", "-p", "build", unit]).ends_with(0);
        let path = format!("utility-overrides/{unit}.hpp");
        let taken = "auto height = in.take<int>();";
        let class = project.read(&path);
        assert!(class.contains(taken), "{class}");
        project.write(&path, &class.replace(taken, "auto height = in.take<int>();  // any"));
        project.write(&format!("mutants/{id}"), &text.replace(from, to));
    }
    project.fuzz(&["--budget", "1s"]).ends_with(0);
    let outcome = project.outcome();
    for (id, check) in [
        ("sink.mut.8.1_1_1.ICR.tell.cpp", "EXPECT_EQ(stub_calls, std::vector<std::string>{\"take("),
        ("sink.mut.11.1_1_1.ICR.ask.cpp", "EXPECT_STREQ(stand_ins.calls, \"called_"),
    ] {
        assert!(outcome.verified(id), "{id}: {}", outcome.reason(id));
        let test = outcome.mutants()[id]["kill"]["test"].as_str().unwrap().to_owned();
        let test = project.read(format!("motif.out/{}", test.split('#').next().unwrap()));
        assert!(test.contains(check), "{test}");
    }
}

#[test]
fn tests_by_an_edited_class_look_into_derived_classes() {
    let text = include_str!("sources/overridden/shape.cpp");
    let project = Project::of(&[("shape.cpp", text)]);
    project.run(["scaffold", "-p", "build", "grown"]).ends_with(0);
    let (path, taken) = ("utility-overrides/grown.hpp", "auto n = in.take<int>();");
    let class = project.read(path);
    assert!(class.contains(taken), "{class}");
    project.write(path, &class.replace(taken, "auto n = in.take<int>();  // any"));
    let id = "shape.mut.11.1_1_1.ICR.grown.cpp";
    project.write(&format!("mutants/{id}"), &text.replace("n ^ 8", "n ^ 9"));
    project.fuzz(&["--budget", "1s"]).ends_with(0);
    let outcome = project.outcome();
    assert!(outcome.verified(id), "{}", outcome.reason(id));
    let test = project.test_of(&outcome, id);
    assert!(test.contains("dynamic_cast<const Circle &>(*result).radius"), "{test}");
}
