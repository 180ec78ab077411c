//! `doctor`: the external tools, what each is for, how to install what is missing, and the guards around code under
//! test.

use crate::choices::ListFormat;
use crate::diag::Exit;
use crate::supervise::{Guard, Guards};
use crate::tools::{Surroundings, Tool, Toolchain};
use std::fmt::Write;

/// Inspects the machine; returns the output and the exit code (3 if a required tool is missing).
pub fn run(surroundings: &Surroundings, format: ListFormat) -> (String, Exit) {
    report(&Toolchain::discover(surroundings).tools(), &Guards::of_this_machine().list(), format)
}

fn report(tools: &[Tool], guards: &[Guard], format: ListFormat) -> (String, Exit) {
    let complete = tools.iter().all(|tool| !tool.required || tool.path.is_some());
    let text = match format {
        ListFormat::Text => text(tools, guards),
        ListFormat::Json => {
            let value = serde_json::json!({ "complete": complete, "tools": tools, "sandbox": guards });
            format!("{value:#}\n")
        }
    };
    (text, if complete { Exit::Done } else { Exit::Tool })
}

fn text(tools: &[Tool], guards: &[Guard]) -> String {
    let mut out = String::new();
    let width = tools.iter().map(|tool| tool.name.len()).max().unwrap_or(0);
    let versions = tools.iter().filter_map(|tool| tool.version.as_ref().map(String::len)).max().unwrap_or(0).max(8);
    for tool in tools {
        let (mark, version, place) = match (&tool.path, tool.required) {
            (Some(path), _) => ("ok     ", tool.version.as_deref().unwrap_or(""), path.display().to_string()),
            (None, true) => ("MISSING", "", tool.install.clone()),
            (None, false) => ("absent ", "", tool.install.clone()),
        };
        let _ = writeln!(out, "{mark} {:width$}  {version:versions$}  {place}", tool.name);
        let _ = writeln!(out, "        {:width$}  {}", "", tool.purpose);
        if let Some(note) = &tool.note {
            let _ = writeln!(out, "        {:width$}  note: {note}", "");
        }
    }
    out += &sandbox(guards, width);
    let missing: Vec<&str> = tools.iter().filter(|t| t.required && t.path.is_none()).map(|t| t.name).collect();
    let absent: Vec<&str> = tools.iter().filter(|t| !t.required && t.path.is_none()).map(|t| t.name).collect();
    let verdict = match (missing.is_empty(), absent.is_empty()) {
        (true, true) => "everything is installed".to_string(),
        (true, false) => format!("everything required is installed; optional and missing: {}", absent.join(", ")),
        (false, _) => format!("missing: {}", missing.join(", ")),
    };
    let _ = writeln!(out, "{verdict}");
    out
}

/// The guards around code under test.
fn sandbox(guards: &[Guard], width: usize) -> String {
    let mark = if guards.iter().all(|guard| guard.on) { "ok     " } else { "PARTLY " };
    let mut out = format!(
        "{mark} {:width$}  keeps code under test, called with any arguments, from harming the machine\n",
        "sandbox"
    );
    let names = guards.iter().map(|guard| guard.name.len()).max().unwrap_or(0);
    for Guard { name, on, how } in guards {
        let open = if *on { "" } else { "NOT ON: " };
        let _ = writeln!(out, "        {:width$}  {name:names$}  {open}{how}", "");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::supervise::Mounts;

    const ALL: Guards = Guards { landlock: 7, seccomp: true, mounts: Mounts::Privileged };

    #[test]
    fn every_guard_is_told_with_what_is_behind_it_or_what_is_open() {
        let (text, exit) = report(&[], &ALL.list(), ListFormat::Text);
        assert!(text.contains("ok      sandbox") && text.contains("Landlock, version 7"), "{text}");
        assert_eq!(exit, Exit::Done);
        let (text, exit) = report(&[], &Guards { seccomp: false, ..ALL }.list(), ListFormat::Text);
        assert!(text.contains("PARTLY  sandbox") && text.contains("network          NOT ON: "), "{text}");
        assert_eq!(exit, Exit::Done);
        let (json, _) = report(&[], &ALL.list(), ListFormat::Json);
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value["sandbox"][1], serde_json::json!({ "name": "network", "on": true, "how": "seccomp" }));
    }

    fn tool(name: &'static str, required: bool, there: bool) -> Tool {
        Tool {
            name,
            purpose: "does its work",
            required,
            path: there.then(|| format!("/bin/{name}").into()),
            version: there.then(|| "1.2.3".into()),
            note: None,
            install: format!("apt-get install {name}"),
        }
    }

    #[test]
    fn a_missing_required_tool_exits_3_with_the_command_that_installs_it() {
        let (text, exit) = report(&[tool("a", true, true), tool("b", true, false)], &ALL.list(), ListFormat::Text);
        assert_eq!(exit, Exit::Tool);
        assert!(
            text.contains("MISSING b") && text.contains("apt-get install b") && text.ends_with("missing: b\n"),
            "{text}"
        );
    }

    #[test]
    fn a_missing_optional_tool_is_told_and_does_no_harm() {
        let (text, exit) = report(&[tool("a", true, true), tool("b", false, false)], &ALL.list(), ListFormat::Text);
        assert_eq!(exit, Exit::Done);
        assert!(text.ends_with("optional and missing: b\n"), "{text}");
    }

    #[test]
    fn the_json_form_has_every_tool_with_path_version_and_install() {
        let (text, exit) = report(&[tool("a", true, true), tool("b", true, false)], &ALL.list(), ListFormat::Json);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((exit, &value["complete"]), (Exit::Tool, &serde_json::json!(false)));
        assert_eq!(value["tools"][0]["path"], "/bin/a");
        assert_eq!(value["tools"][1]["path"], serde_json::Value::Null);
        assert_eq!(value["tools"][1]["install"], "apt-get install b");
    }

    #[test]
    fn on_a_bare_machine_doctor_says_what_is_missing_instead_of_failing() {
        let (text, exit) = run(&Surroundings::default(), ListFormat::Text);
        assert_eq!(exit, Exit::Tool);
        assert!(text.contains("apt-get install clang"), "{text}");
    }
}
