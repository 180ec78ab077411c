//! The generated files of a unit: the utility class and the override stub.

use super::stub;
use crate::context::Context;
use crate::diag::Problem;
use crate::generate;
use crate::model::{Function, FunctionKind, Language};
use crate::overrides::stamp::{OVERLOADS, SIGNATURE, UNIT};
use crate::plan::plan_unit;
use crate::plan::planner::Planner;
use crate::session::Session;

/// A file as it would be generated.
#[derive(Clone, Debug)]
pub struct Artefact {
    /// The file's name.
    pub name: String,
    /// The unit's id.
    pub id: String,
    /// The unit's declaration.
    pub signature: String,
    /// The text, without its stamp.
    pub text: String,
    /// The start of a comment in the file's language.
    pub comment: &'static str,
}

/// The files of a unit.
pub fn artefacts(
    context: &Context,
    session: &Session,
    planner: &Planner<'_>,
    function: &Function,
    slug: &str,
) -> Vec<Artefact> {
    let plan = plan_unit(planner, &function.usr);
    let mut files = Vec::new();
    let say = |problem: Problem| match session.options.units.is_empty() {
        true => context.ui.detail(&problem),
        false => context.ui.warn(&problem),
    };
    let signature = signature(function);
    let bodies = session.model.functions.values().filter(|other| other.definition.is_some());
    let others = bodies.filter(|other| other.qualified == function.qualified && other.usr != function.usr);
    let others: Vec<&str> = others.map(|other| other.id.as_str()).collect();
    let overloads = |comment: &str| match others.as_slice() {
        [] => String::new(),
        list => format!("{comment} {OVERLOADS}{}\n", list.join("; ")),
    };
    let artefact = |extension: &str, comment: &'static str, text: String| Artefact {
        name: format!("{slug}.{extension}"),
        id: function.id.clone(),
        text: format!(
            "{comment} {UNIT}{}\n{comment} {SIGNATURE}{signature}\n{}{text}",
            function.id,
            overloads(comment)
        ),
        signature: signature.clone(),
        comment,
    };
    match &plan {
        // A C driver is one function, with no class to edit.
        Ok(plan) if plan.language == Language::C => {}
        Ok(plan) => match generate::utility(&session.model, plan) {
            Ok(text) => files.push(artefact("hpp", "//", text)),
            Err(why) => say(no_utility(function, &why)),
        },
        Err(reason) => say(no_utility(function, &reason.what)),
    }
    files.push(artefact("yaml", "#", stub::text(session, function, plan.as_ref())));
    files
}

fn no_utility(function: &Function, why: &str) -> Problem {
    let what = format!("`{}` has no utility class: {why}", function.id);
    Problem::usage("unit-unplannable", what, "an override may help; its stub lists the keys")
}

/// The declaration on one line, with parameter names.
fn signature(function: &Function) -> String {
    let params = function.params.iter().map(|param| match param.default {
        Some(_) => format!("{} = ...", declared(&param.ty.spelling, &param.name)),
        None => declared(&param.ty.spelling, &param.name),
    });
    let mut params: Vec<String> = params.collect();
    if function.is_variadic {
        params.push("...".into());
    }
    let call = format!("{}({})", function.qualified, params.join(", "));
    let fixed = if function.kind == FunctionKind::StaticMethod { "static " } else { "" };
    let head = match function.kind {
        FunctionKind::Constructor | FunctionKind::Destructor | FunctionKind::Conversion => call,
        _ => format!("{fixed}{}", declared(&function.result.spelling, &call)),
    };
    format!(
        "{head}{}{}",
        if function.is_const { " const" } else { "" },
        if function.is_noexcept { " noexcept" } else { "" }
    )
}

fn declared(ty: &str, name: &str) -> String {
    let gap = if name.is_empty() || ty.ends_with(['*', '&']) { "" } else { " " };
    format!("{ty}{gap}{name}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::testing::read_cpp;

    #[test]
    fn a_signature_reads_as_in_a_header() {
        let model = read_cpp(
            "struct A { A(int x = 3) {} static const char *name(A &of, int) { return \"\"; }
               double f(double by) const noexcept { return by; } };",
        );
        let mut all: Vec<String> = model.functions.values().filter(|f| f.definition.is_some()).map(signature).collect();
        all.sort();
        assert_eq!(
            all,
            ["A::A(int x = ...)", "double A::f(double by) const noexcept", "static const char *A::name(A &of, int)"]
        );
    }
}
