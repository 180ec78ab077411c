//! `analyze`: every function and method with how it would be driven, or why it cannot be.

use super::{Context, print};
use crate::build::in_parallel;
use crate::build_session::BuildSession;
use crate::choices::{GraphFormat, ListFormat};
use crate::cli::AnalyzeArgs;
use crate::context::Problems;
use crate::diag::Exit;
use crate::model::{Access, Function};
use crate::options::Options;
use crate::outcome::Driver;
use crate::overrides::stamp;
use crate::plan::entry::kind_name;
use crate::plan::explain::{Explanation, explain};
use crate::plan::planner::Planner;
use crate::plan::{Reason, UnitPlan, plan_unit};
use crate::run::Lock;
use crate::select::{select, units};
use crate::session::{Session, interrupted};
use crate::survey::{Survey, Surveyed};
use crate::ui::{Tone, paint, printable};
use serde::Serialize;
use sha2::Digest;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// How one function or method would be driven; the JSON form is fixed by the contract.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnalyzedUnit {
    /// The unit's id.
    pub id: String,
    /// Its file, relative to the project if it is inside.
    pub file: PathBuf,
    /// The line of its definition.
    pub line: u32,
    /// `method | constructor | operator | static_method | function`.
    pub kind: &'static str,
    /// Its access; `None` for free functions.
    pub access: Option<Access>,
    /// Whether it is a template or a member of one.
    pub template: bool,
    /// `generated | overridden | edited | unplannable`.
    pub driver: Driver,
    /// Why it cannot be driven.
    pub reason: Option<String>,
    /// Override keys that would make it drivable.
    pub needs: Vec<String>,
    /// Tests and examples that show how its objects are constructed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub learnt_from: Vec<String>,
    /// The result of `--build`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub build: Option<Surveyed>,
}

/// The result of `analyze`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// The units by file and line.
    pub units: Vec<AnalyzedUnit>,
    /// Their counts.
    pub summary: AnalysisSummary,
}

/// Counts of units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AnalysisSummary {
    /// All units.
    pub units: usize,
    /// Units with a driver, overridden and edited ones included.
    pub generated: usize,
    /// Units without a driver.
    pub unplannable: usize,
    /// Results of `--build`.
    #[serde(flatten)]
    pub built: Option<BuiltSummary>,
}

/// Counts of drivers that were built and run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BuiltSummary {
    /// They compile and link.
    pub compiles: usize,
    /// An input entered the unit, which returned or threw.
    pub runs: usize,
    /// Of these, two runs gave the same result.
    pub deterministic: usize,
    /// Of these, some input got beyond the unit's first branch.
    pub beyond_first_branch: usize,
}

/// Lists the units, or writes the class hierarchy.
///
/// # Errors
///
/// The project cannot be read.
pub fn run(context: &Context, args: &AnalyzeArgs) -> anyhow::Result<Exit> {
    let mut options = Options::for_analyze(&context.root, args, context.config.clone())?;
    // Nothing is left behind but what was asked for.
    let aside = args.project.output.is_none().then(tempfile::tempdir).transpose()?;
    if let Some(aside) = &aside {
        options.output = aside.path().join("out");
    }
    let session = Session::open(context, options)?;
    if let Some(format) = args.graph {
        let graph = match format {
            GraphFormat::Dot => session.hierarchy.dot(),
            GraphFormat::Mermaid => session.hierarchy.mermaid(),
            GraphFormat::Svg => session.hierarchy.svg(),
        };
        return print(graph.as_bytes());
    }
    let chosen = chosen(&session, args.sample.map(NonZeroUsize::get))?;
    if args.emit.is_some() {
        return print(plans(&session, &chosen)?.as_bytes());
    }
    let mut analysis = analyze(context, &session, &chosen)?;
    if args.build {
        build(context, &session, &mut analysis, &chosen)?;
    }
    match args.format {
        ListFormat::Json => print(format!("{}\n", serde_json::to_string_pretty(&analysis)?).as_bytes()),
        ListFormat::Text => print(text(&analysis, context.ui.colors_output()).as_bytes()),
    }
}

/// The requested units, or a random `sample` of them.
fn chosen(session: &Session, sample: Option<usize>) -> anyhow::Result<Vec<&Function>> {
    let all = units(&session.model);
    let mut chosen = select(&all, &session.options.units).map_err(Problems)?;
    if let Some(sample) = sample {
        let seed = session.options.seed;
        let order = |function: &Function| sha2::Sha256::digest(format!("{seed} {}", function.usr));
        chosen.sort_by_cached_key(|function| order(function));
        chosen.truncate(sample);
        let place = |function: &Function| all.iter().position(|known| known.usr == function.usr);
        chosen.sort_by_cached_key(|function| place(function));
    }
    Ok(chosen)
}

/// How each unit is planned and why so, or why it can't be.
fn plans(session: &Session, chosen: &[&Function]) -> anyhow::Result<String> {
    let planner = session.planner();
    let explained = |function: &&Function| match plan_unit(&planner, &function.usr) {
        Ok(plan) => explain(&planner, &plan).map_err(|reason| (function.id.clone(), reason)),
        Err(reason) => Err((function.id.clone(), reason)),
    };
    let (plans, _) = in_parallel(session.options.jobs.get(), chosen, explained, || ());
    let yaml = |plan: &Result<Explanation, (String, Reason)>| match plan {
        Ok(plan) => serde_yaml::to_string(plan),
        Err((unit, reason)) => serde_yaml::to_string(&serde_json::json!({"unit": unit, "reason": reason})),
    };
    let documents: Result<Vec<String>, _> = plans.iter().map(yaml).collect();
    Ok(documents?.join("---\n"))
}

/// Plans units of the project.
///
/// # Errors
///
/// The user interrupted.
pub fn analyze(context: &Context, session: &Session, chosen: &[&Function]) -> anyhow::Result<Analysis> {
    let planner = session.planner();
    let edited = stamp::edited_utilities(&session.options.project);
    let analyzed =
        |function: &&Function| (!context.is_interrupted()).then(|| unit(session, &planner, &edited, function));
    let (units, _) = in_parallel(session.options.jobs.get(), chosen, analyzed, || ());
    let units: Vec<AnalyzedUnit> = units.into_iter().flatten().collect();
    if context.is_interrupted() {
        return Err(interrupted().into());
    }
    let unplannable = units.iter().filter(|unit| unit.driver == Driver::Unplannable).count();
    let summary =
        AnalysisSummary { units: units.len(), generated: units.len() - unplannable, unplannable, built: None };
    Ok(Analysis { units, summary })
}

/// Builds and runs the drivers of the planned units.
fn build(context: &Context, session: &Session, analysis: &mut Analysis, chosen: &[&Function]) -> anyhow::Result<()> {
    let lock = Lock::take(&session.options.output)?;
    let builder = session.builder(context)?;
    let libraries = session.libraries()?;
    let sources = chosen.iter().filter_map(|function| session.source_of(&function.usr)).collect();
    let build_session = BuildSession::open(context, session, &builder, libraries, &sources, &[].into())?;
    let planner = session.planner();
    let drivable: Vec<usize> = (0..chosen.len()).filter(|at| analysis.units[*at].reason.is_none()).collect();
    let planned = builder.in_parallel(&drivable, |at| Some((*at, plan_unit(&planner, &chosen[*at].usr).ok()?)));
    let driven: Vec<(usize, UnitPlan)> = planned.into_iter().flatten().collect();
    let functions: Vec<&Function> = driven.iter().map(|(at, _)| chosen[*at]).collect();
    let survey = Survey::new(&build_session, &functions, session.options.budget)?;
    let run = |what: &str, driven: &[(usize, UnitPlan)]| {
        let stage = context.ui.stage(what, driven.len());
        let surveyed = builder.in_parallel(driven, |(at, plan)| {
            let surveyed = (!context.is_interrupted()).then(|| survey.unit(plan));
            stage.advance(&plan.id);
            surveyed.map(|surveyed| (*at, surveyed))
        });
        surveyed.into_iter().flatten().collect::<BTreeMap<usize, Surveyed>>()
    };
    let surveyed = run("running drivers", &driven);
    drop(lock);
    if context.is_interrupted() {
        return Err(interrupted().into());
    }
    for (at, surveyed) in surveyed {
        analysis.units[at].reason.clone_from(&surveyed.reason);
        analysis.units[at].build = Some(surveyed);
    }
    let count = |which: &dyn Fn(&Surveyed) -> bool| {
        analysis.units.iter().filter_map(|unit| unit.build.as_ref()).filter(|built| which(built)).count()
    };
    analysis.summary.built = Some(BuiltSummary {
        compiles: count(&|built| built.compiles),
        runs: count(&|built| built.runs),
        deterministic: count(&|built| built.runs && built.deterministic),
        beyond_first_branch: count(&|built| built.runs && built.deterministic && built.beyond_first_branch),
    });
    Ok(())
}

fn unit(
    session: &Session,
    planner: &Planner<'_>,
    edited: &BTreeMap<String, PathBuf>,
    function: &Function,
) -> AnalyzedUnit {
    let (model, root) = (&session.model, &session.options.root);
    let (file, line) = match &function.definition {
        Some(definition) => (definition.extent.file.as_path(), definition.extent.line),
        None => (Path::new(""), 0),
    };
    let owner = function.owner.as_ref().and_then(|usr| model.classes.get(usr));
    let plan = plan_unit(planner, &function.usr);
    let learnt_from = plan.iter().flat_map(UnitPlan::histories_used).map(str::to_owned).collect();
    let (driver, reason, needs) = match plan {
        Ok(plan) if edited.contains_key(&plan.slug) => (Driver::Edited, None, Vec::new()),
        Ok(plan) if plan.overridden => (Driver::Overridden, None, Vec::new()),
        Ok(_) => (Driver::Generated, None, Vec::new()),
        Err(reason) => (Driver::Unplannable, Some(reason.what), reason.needs),
    };
    AnalyzedUnit {
        id: function.id.clone(),
        file: file.strip_prefix(root).unwrap_or(file).to_path_buf(),
        line,
        kind: kind_name(function),
        access: function.access,
        template: function.template.is_some() || owner.is_some_and(|class| class.template.is_some()),
        driver,
        reason,
        needs,
        learnt_from,
        build: None,
    }
}

/// One line per unit, under its file, with the reason and the helpful override below.
fn text(analysis: &Analysis, color: bool) -> String {
    let mut out = String::new();
    let mut file: Option<&Path> = None;
    for unit in &analysis.units {
        if file != Some(&unit.file) {
            let gap = if file.is_some() { "\n" } else { "" };
            let _ = writeln!(out, "{gap}{}", paint(color, Tone::Strong, printable(&unit.file.display().to_string())));
            file = Some(&unit.file);
        }
        let (word, tone) = match unit.driver {
            Driver::Overridden => ("overridden", Tone::Good),
            Driver::Edited => ("edited", Tone::Good),
            Driver::Unplannable | Driver::Unbuildable => ("unplannable", Tone::Warning),
            Driver::Generated => ("generated", Tone::Good),
        };
        let (word, tone) = match &unit.build {
            Some(built) if !built.compiles => ("unbuildable", Tone::Warning),
            Some(built) if !built.runs => ("not entered", Tone::Warning),
            Some(built) if !built.deterministic => ("differs", Tone::Warning),
            _ => (word, tone),
        };
        let word = paint(color, tone, format_args!("{word:<11}"));
        let body = match &unit.build {
            Some(built) if built.runs => format!("  {:.0} % of its body", built.body_coverage * 100.0),
            _ => String::new(),
        };
        let _ = writeln!(out, "{:>6}  {word}  {}{body}", unit.line, printable(&unit.id));
        if !unit.learnt_from.is_empty() {
            let _ = writeln!(out, "{:21}objects as in {}", "", printable(&unit.learnt_from.join(", ")));
        }
        if let Some(reason) = &unit.reason {
            let _ = writeln!(out, "{:21}{}", "", printable(reason));
        }
        if !unit.needs.is_empty() {
            let _ = writeln!(out, "{:21}an override would help: {}", "", printable(&unit.needs.join(", ")));
        }
    }
    let AnalysisSummary { units, generated, unplannable, built } = analysis.summary;
    let gap = if analysis.units.is_empty() { "" } else { "\n" };
    let _ = writeln!(out, "{gap}{units} units: {generated} can be driven, {unplannable} can't");
    if let Some(BuiltSummary { compiles, runs, deterministic, beyond_first_branch }) = built {
        let _ = writeln!(
            out,
            "drivers: {compiles} build, {runs} enter their unit, {deterministic} of these are deterministic, \
             {beyond_first_branch} of these get beyond the first branch"
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn analysis() -> Analysis {
        let unit = |id: &str, line, driver| AnalyzedUnit {
            id: id.into(),
            file: "src/a.cpp".into(),
            line,
            kind: "method",
            access: Some(Access::Public),
            template: false,
            driver,
            reason: None,
            needs: Vec::new(),
            learnt_from: Vec::new(),
            build: None,
        };
        let mut hopeless = unit("sat::A::g(void *)", 12, Driver::Unplannable);
        hopeless.reason = Some("parameter `p` (void *): nothing says what it points to".into());
        hopeless.needs = vec!["parameters.p.type".into()];
        let shown =
            AnalyzedUnit { learnt_from: vec!["tests/a.cpp:7".into()], ..unit("sat::A::f(int)", 3, Driver::Generated) };
        let units = vec![shown, hopeless];
        Analysis { units, summary: AnalysisSummary { units: 2, generated: 1, unplannable: 1, built: None } }
    }

    #[test]
    fn the_list_says_of_every_unit_how_or_why_not() {
        assert_eq!(
            text(&analysis(), false),
            "src/a.cpp\n     3  generated    sat::A::f(int)\n                     objects as in tests/a.cpp:7\n    \
             12  unplannable  sat::A::g(void *)\n                     \
             parameter `p` (void *): nothing says what it points to\n                     an override would help: \
             parameters.p.type\n\n2 units: 1 can be driven, 1 can't\n"
        );
    }

    #[test]
    fn the_json_is_as_in_the_contract() {
        let json = serde_json::to_value(analysis()).unwrap();
        assert_eq!(json["units"][0]["access"], "public");
        assert_eq!(json["units"][1]["driver"], "unplannable");
        assert_eq!(json["units"][1]["needs"][0], "parameters.p.type");
        assert_eq!(json["summary"]["units"], 2);
        assert_eq!(json["units"][0]["learnt_from"][0], "tests/a.cpp:7");
        let keys: Vec<&String> = json["units"][1].as_object().unwrap().keys().collect();
        assert_eq!(keys, ["id", "file", "line", "kind", "access", "template", "driver", "reason", "needs"]);
    }
}
