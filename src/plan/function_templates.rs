//! The arguments of function templates: those with which the project itself uses them, else the simplest.

use super::unit_scope::UnitScope;
use super::{Entry, Reason};
use crate::lexicon::{Lexicon, Role};
use crate::model::{Function, FunctionKind, Model, TemplateArg, TemplateParam, Type};
use crate::types::packs::shares;
use crate::types::substitution::Substitution;

/// So many templates may hand their arguments on to one another.
pub(super) const CALLERS_DEEP: u32 = 4;

/// The arguments that a function template is driven with; empty for a plain function.
///
/// # Errors
/// The project does not use it, and nothing simple will do.
pub(super) fn function_args(scope: &UnitScope<'_>, function: &Function) -> Result<Vec<TemplateArg>, Reason> {
    let Some(params) = &function.template else { return Ok(function.specialized_for.clone()) };
    if function.kind == FunctionKind::Constructor && !crate::plan::usual_arguments::are_deduced(function, params) {
        return Err(Reason::new("what it is called with does not say what the arguments of its template are"));
    }
    let chosen = scope.chosen.of(&function.usr).cloned();
    let args = chosen.or_else(|| used_args(scope, function, params));
    let unknown = || Reason::new("nothing in the project says with which arguments the function template is used");
    let args = args.ok_or_else(unknown)?;
    let written = |(param, share): (&TemplateParam, &[TemplateArg])| {
        share.iter().map(|arg| as_written(param, arg)).collect::<Vec<_>>()
    };
    Ok(shares(params, &args).flat_map(written).collect())
}

/// Arguments with which the project uses the template where nothing else is open.
fn used_args(scope: &UnitScope<'_>, function: &Function, params: &[TemplateParam]) -> Option<Vec<TemplateArg>> {
    crate::plan::usual_arguments::known(scope.model, &function.usr)
        .find(|args| super::template_arguments::is_usable(scope, params, args))
        .cloned()
}

/// Arguments that a template gets from templates that call it: what has the same name there, or is the only one.
pub(super) fn callers_args<'m>(
    scope: &UnitScope<'m>,
    function: &Function,
    params: &[TemplateParam],
    deep: u32,
) -> Option<Vec<TemplateArg>> {
    scope.hierarchy.callers(&function.usr).filter_map(|usr| scope.model.functions.get(usr)).find_map(|caller| {
        let own = caller.template.as_deref().unwrap_or_default();
        let mut known: Vec<(&str, Vec<TemplateArg>)> = Vec::new();
        let named_of = |(param, share): (&'m TemplateParam, &[TemplateArg])| (param.name.as_str(), share.to_vec());
        if !own.is_empty() {
            let further = || deep.checked_sub(1).and_then(|deep| callers_args(scope, caller, own, deep));
            let args = used_args(scope, caller, own).or_else(further)?;
            known.extend(shares(own, &args).map(named_of));
        }
        if let Some(class) = caller.owner.as_ref().and_then(|owner| scope.model.classes.get(owner))
            && let Some(of_class) = &class.template
        {
            let args = super::class_arguments::template_args(scope, class)?;
            known.extend(shares(of_class, &args).map(named_of));
        }
        let only = known.len() == 1 && params.len() == 1;
        let named = |param: &TemplateParam| {
            known.iter().find(|(name, share)| match share.as_slice() {
                _ if *name == param.name => true,
                [arg] => only && goes_with(scope.lexicon(), param, arg),
                _ => false,
            })
        };
        let lists: Option<Vec<&Vec<TemplateArg>>> =
            params.iter().map(|param| named(param).map(|(_, share)| share)).collect();
        Some(lists?.into_iter().flatten().cloned().collect())
    })
}

/// Whether a driver of the unit can name the argument.
pub(super) fn can_name(scope: &UnitScope<'_>, arg: &TemplateArg) -> bool {
    let TemplateArg::Type(ty) = arg else { return true };
    let mut found = true;
    ty.walk(&mut |ty| {
        if let Some(class) = ty.record().and_then(|usr| scope.model.classes.get(usr)) {
            found &= scope.in_reach(class) && class.definition.as_ref().is_none_or(|at| scope.sees(&at.file));
        }
    });
    found
}

/// libclang gives numbers for all values.
fn as_written(param: &TemplateParam, arg: &TemplateArg) -> TemplateArg {
    match arg {
        TemplateArg::Value(value) if param.text.starts_with("bool") => {
            TemplateArg::Value(if value == "0" { "false" } else { "true" }.into())
        }
        other => other.clone(),
    }
}

/// Whether an argument goes with a parameter that has another name than the one it was given for.
fn goes_with(lexicon: &Lexicon, param: &TemplateParam, arg: &TemplateArg) -> bool {
    let points = |name: &str| crate::types::iterators::is_iterator(None, name);
    let is_iterator = matches!(arg, TemplateArg::Type(ty)
        if ty.pointee().is_some() || matches!(&ty.kind, crate::model::TypeKind::Record { name, .. } if points(name)));
    !is_iterator || lexicon.says(&param.name, Role::Iterator)
}

/// A number or what points to some for a type parameter; none where its name says that it is to be more.
pub(super) fn simplest_for(lexicon: &Lexicon, param: &TemplateParam) -> Option<Type> {
    let is_more = !lexicon.says(&param.name, Role::Iterator) && lexicon.says(&param.name, Role::ClassArgument);
    (!is_more && param.default.is_none()).then(|| super::usual_arguments::simplest_type(lexicon, &param.name))
}

impl Entry {
    /// The callee's name with its template arguments behind it.
    pub fn with_arguments(&self, name: &str) -> String {
        if self.template_args.is_empty() {
            return name.to_owned();
        }
        let list: Vec<&str> = self
            .template_args
            .iter()
            .map(|arg| match arg {
                TemplateArg::Type(ty) => ty.spelling.as_str(),
                TemplateArg::Value(value) => value.as_str(),
            })
            .collect();
        format!("{name}<{}>", list.join(", "))
    }

    /// The callee, its template arguments filled in.
    pub fn instance(&self, model: &Model) -> Function {
        let mut function = model.functions[&self.callee].clone();
        let has_pack = function.template.iter().flatten().any(TemplateParam::is_pack);
        if !self.template_args.is_empty() || !self.friend_args.is_empty() || has_pack {
            let friend_of = crate::plan::template_arguments::template_around(model, &function)
                .filter(|_| !self.friend_args.is_empty());
            let with = match friend_of {
                Some(class) => Substitution::of(model, class, &self.friend_args),
                None => Substitution::none(model),
            };
            let with = with.and(&function, friend_of, &self.template_args);
            let apply = |ty: &mut Type| *ty = with.apply(ty);
            function.params = with.spread_params(&function.params).into_owned();
            function.params.iter_mut().for_each(|param| apply(&mut param.ty));
            apply(&mut function.result);
            // Only an instantiation says what a compiler alone knows.
            function.result = match (&self.result, function.kind) {
                (Some(ty), FunctionKind::Function | FunctionKind::StaticMethod | FunctionKind::Method) => ty.clone(),
                (None, FunctionKind::Function) => {
                    Type { spelling: "void".into(), is_const: false, kind: crate::model::TypeKind::Void, size: None }
                }
                _ => function.result,
            };
        }
        function
    }
}

#[cfg(test)]
mod tests {
    use crate::hierarchy::Hierarchy;
    use crate::model::Model;
    use crate::overrides::Overrides;
    use crate::parse::testing::read_cpp;
    use crate::plan::{Reason, UnitPlan, plan_unit, planner::Planner};

    fn planned(model: &Model, unit: &str) -> Result<UnitPlan, Reason> {
        let hierarchy = Hierarchy::new(model);
        let overrides = Overrides::default();
        let planner = Planner::new(model, &hierarchy, &overrides);
        let function = model.functions.values().find(|f| f.qualified == unit && f.definition.is_some()).expect(unit);
        plan_unit(&planner, &function.usr)
    }

    #[test]
    fn a_parameter_that_is_called_a_character_is_one() {
        for name in ["TChar", "CharT", "_CharType"] {
            assert_eq!(
                crate::plan::usual_arguments::simplest_type(&Default::default(), name).spelling,
                "char",
                "{name}"
            );
        }
        assert_eq!(crate::plan::usual_arguments::simplest_type(&Default::default(), "T").spelling, "int");
        assert_eq!(
            crate::plan::usual_arguments::simplest_type(&Default::default(), "InputIterator").spelling,
            "const char *"
        );
    }

    #[test]
    fn a_function_template_is_driven_as_the_project_uses_it() {
        let model = read_cpp(
            "namespace n { struct P { int x; }; template <typename T, bool deep> int weigh(const T &one, T *two) \
             { return deep ? one.x : two->x; }\n int use(P p) { return weigh<P, true>(p, &p); } }\n",
        );
        let plan = planned(&model, "n::weigh").unwrap();
        let entry = &plan.entries[0];
        assert_eq!(entry.with_arguments("weigh"), "weigh<n::P, true>");
        let types: Vec<&str> = entry.args.iter().map(|arg| arg.ty.spelling.as_str()).collect();
        assert_eq!(types, ["const n::P &", "n::P *"]);
        assert_eq!(entry.instance(&model).params[1].ty.spelling, "n::P *");
    }

    #[test]
    fn a_method_template_gets_the_functions_that_the_project_hands_it() {
        let model = read_cpp(
            "struct Calls { template <typename T> void add(const char *name, T called, bool pure = true) \
             { if (pure) n += called(2) > 1 && *name; } int n = 0; };\ndouble twice(double x) { return x * 2; }\n\
             void use(Calls &calls) { calls.add(\"twice\", twice); }\n",
        );
        let entry = &planned(&model, "Calls::add").unwrap().entries[0];
        assert_eq!(entry.with_arguments("add"), "add<double (*)(double)>");
        assert_eq!(entry.args[1].ty.spelling, "double (*)(double)");
    }

    #[test]
    fn one_that_only_templates_use_is_driven_with_what_they_are_used_with() {
        let model = read_cpp(
            "struct Sink { int at; }; struct Reader { template <class W> int run(W *out) { return out->at; } };\n\
             template <typename Iterator> int digits(Iterator one, Iterator end) { return end - one; }\n\
             template <typename Iterator, class W> int scan(Iterator one, Iterator end, W *out) {\n  \
               Reader reader;\n  return digits(one, end) + reader.run(out); }\n\
             int use(const char *a, Sink *b) { return scan(a, a, b); }\n",
        );
        let with =
            |unit: &str| planned(&model, unit).map(|plan| plan.entries[0].with_arguments("")).map_err(|r| r.what);
        assert_eq!(with("digits").as_deref(), Ok("<const char *>"));
        assert_eq!(with("Reader::run").as_deref(), Ok("<Sink>"));
    }

    #[test]
    fn one_that_nobody_uses_gets_numbers_where_numbers_will_do() {
        let model = read_cpp(
            "template <class T, int N> T grow(T x) { return x + N; }\n\
             template <class Visitor> void each(Visitor v) { v(1); }\n\
             template <class... Ts> int count(Ts... all) { return sizeof...(all); }\n\
             template <class T, class> T same(T x) { return x; }\n",
        );
        assert_eq!(planned(&model, "grow").unwrap().entries[0].with_arguments("grow"), "grow<int, 4>");
        assert_eq!(planned(&model, "same").unwrap().entries[0].with_arguments("same"), "same<int, int>");
        assert_eq!(planned(&model, "count").unwrap().entries[0].with_arguments("count"), "count<int>");
        let why = planned(&model, "each").unwrap_err();
        assert_eq!(why.what, "nothing in the project says with which arguments the function template is used");
    }

    #[test]
    fn an_explicit_specialisation_is_called_with_its_own_arguments() {
        let model = read_cpp(
            "struct Value { int n; template <typename T> T as() const = delete; \
                template <typename T> static int is(T x); };\n\
             template <> inline bool Value::as<bool>() const { return n != 0; }\n\
             template <typename T> int sum(T x) { return x; }\ntemplate <> int sum<short>(short x) { return x / 2; }\n",
        );
        assert_eq!(planned(&model, "Value::as").unwrap().entries[0].with_arguments("as"), "as<bool>");
        let half = model.functions.values().find(|f| f.name == "sum" && f.template.is_none()).unwrap();
        assert_eq!(half.specialized_for.len(), 1);
    }

    #[test]
    fn a_member_template_of_a_template_keeps_both_lists_apart() {
        let model = read_cpp(
            "template <typename T> struct Box { T held; template <typename U> T mix(U with, T more) { return held + \
                with + more; } };\n\
             int use(Box<long> b) { return b.mix<short>(1, 2); }\n",
        );
        let plan = planned(&model, "Box::mix").unwrap();
        let types: Vec<&str> = plan.entries[0].args.iter().map(|arg| arg.ty.spelling.as_str()).collect();
        assert_eq!(types, ["short", "long"]);
    }

    #[test]
    fn one_that_takes_objects_of_a_template_gets_what_that_is_used_with() {
        let model = read_cpp(
            "struct Cell { int n; }; template <typename T> struct Row { T held; };\n\
             template <typename W, typename K> int weigh(const Row<W> &row, K by) { return row.held.n * by; }\n\
             int use(Row<Cell> row) { return row.held.n; }\n",
        );
        assert_eq!(planned(&model, "weigh").unwrap().entries[0].with_arguments(""), "<Cell, int>");
    }

    #[test]
    fn a_member_template_whose_body_stands_outside_has_its_own_parameters_only() {
        let model = read_cpp(
            "template <typename T> struct Box { T held; template <typename U> T mix(const U &); };\n\
             template <typename T> template <typename V> T Box<T>::mix(const V &with) { return held + with; }\n\
             template class Box<float>;\n",
        );
        let plan = planned(&model, "Box::mix").unwrap();
        assert_eq!(plan.entries[0].with_arguments(""), "<int>");
        assert_eq!(plan.entries[0].args[0].ty.spelling, "const int &");
    }
}
