//! Steps of C: functions hand out structures, make them ready where they stand, and take pointers to them.

use super::draft::{Draft, TAKES_TIME, is_callable};
use crate::lexicon::Role;
use crate::model::history::{Action, By, Step, Value};
use crate::model::{Function, Param, Type, TypeKind, Usr};
use crate::plan::rules::c_lifecycle;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Kind, MinedStep, Slot, Yield};
use crate::types::arithmetic::is_character;
use crate::types::spelling::{identifier, value_type, variable};

/// How those are called that end an object: a driver does so itself, behind the unit.
const ENDS: [Role; 2] = [Role::Ends, Role::Clears];

/// Whether there is more in a structure of C than numbers and text.
pub(super) fn leads_on(scope: &UnitScope<'_>, ty: &Type) -> bool {
    let class = ty.record().and_then(|usr| scope.model.classes.get(usr)).filter(|_| scope.is_in_c());
    class.is_some_and(|class| class.fields.iter().any(|field| c_lifecycle::leads_on(&field.ty)))
}

/// An object that a step yields: its type, how, and the name of its variable.
struct Object {
    ty: Type,
    yields: Yield,
    name: String,
}

impl<'m> Draft<'_, 'm> {
    /// One step of C as part of the recipe; none where it is out of reach, or is done by a later one: a variable is
    /// there from the call on that makes it ready.
    pub(super) fn step_in_c(&mut self, index: usize, step: &Step) -> Option<MinedStep> {
        let Action::Call { function, on: None } = &step.action else { return None };
        let scope = self.scope;
        let function = self.variant(function, &step.args).filter(|f| is_callable(scope, f))?;
        let (lexicon, kept) = (scope.lexicon(), step.yields.is_some());
        let takes_time = !kept && lexicon.begins(&function.name, TAKES_TIME);
        let is_text = |param: &Param| param.ty.pointee().is_some_and(is_character);
        let names_a_file = function.params.iter().any(|param| is_text(param) && lexicon.says(&param.name, Role::File));
        // (What the unit itself does is for the call that is observed.)
        if function.usr == scope.function.usr || lexicon.says(&function.name, ENDS) || takes_time || names_a_file {
            return None;
        }
        let blank = self.blank(function, step);
        let object = self.object(function, index, blank)?;
        let place = blank.map(|(place, _)| place);
        let params: Vec<_> = without(&function.params, place);
        let of_history = self.history.steps[self.history.object].yields.as_ref().map(|yields| &yields.class);
        let of = object.as_ref().and_then(|object| object.ty.record()).or(of_history).cloned();
        let (args, literals) = self.args(of.as_ref(), &params, &without(&step.args, place))?;
        if let Some((_, variable)) = blank {
            self.places[variable] = Some(self.steps.len());
        }
        let callee = function.qualified.clone();
        let make = |ty: Type, yields: Yield| {
            Kind::Factory { function: function.usr.clone(), callee, object: None, args, yields }.of(ty)
        };
        let slot = match object {
            None => Slot::new("made", function.result.clone(), make(function.result.clone(), Yield::Value)),
            Some(Object { ty, yields, name }) => {
                let made = make(ty.clone(), yields);
                let made_by = blank.map_or(index, |(_, variable)| variable);
                let given = !self.is_callers(made_by, function);
                // (Whoever has the history ends its object.)
                let is_left = made_by == self.history.object && !given;
                let recipe = match yields {
                    Yield::Borrowed if !is_left => {
                        let to = Slot::new(name.clone(), ty.clone(), made);
                        Kind::Pointer { to: Box::new(to), given }.of(ty.clone())
                    }
                    _ => made,
                };
                Slot::new(name, ty, recipe)
            }
        };
        Some(MinedStep { slot, kept: kept || blank.is_some(), literals })
    }

    /// The function that a step calls. Of several that different variants of a library define, that is the one that
    /// takes what earlier steps have made.
    fn variant(&self, usr: &Usr, args: &[Value]) -> Option<&'m Function> {
        let takes = |function: &&Function| {
            args.iter().zip(&function.params).all(|(arg, param)| match arg {
                Value::Made(made) => match &self.history.steps[*made].yields {
                    Some(yielded) => param.ty.pointee().unwrap_or(&param.ty).record() == Some(&yielded.class),
                    None => true,
                },
                _ => true,
            })
        };
        let functions = &self.scope.model.functions;
        let variants = functions.range(usr.clone()..).take_while(|(other, _)| other.starts_with(usr.as_str()));
        let variants = variants.filter(|(other, _)| matches!(other[usr.len()..].chars().next(), None | Some('#')));
        let mut variants = variants.map(|(_, function)| function).filter(|f| args.len() <= f.params.len()).peekable();
        let first = variants.peek().copied();
        variants.find(takes).or(first)
    }

    /// The argument that is a variable which no call was given before, and the step that declares it.
    fn blank(&self, function: &Function, step: &Step) -> Option<(usize, usize)> {
        let is_blank = |made: usize| {
            self.places[made].is_none() && matches!(self.history.steps[made].action, Action::Construct { .. })
        };
        let may_change = |place: usize| {
            let to = function.params.get(place).and_then(|param| param.ty.pointee());
            to.is_some_and(|to| !to.is_const)
        };
        step.args.iter().enumerate().find_map(|(place, arg)| match arg {
            Value::Made(made) if *made < self.places.len() && is_blank(*made) && may_change(place) => {
                Some((place, *made))
            }
            _ => None,
        })
    }

    /// The object that a call yields, or makes ready, if any; none where it cannot be had.
    fn object(&self, function: &Function, index: usize, blank: Option<(usize, usize)>) -> Option<Option<Object>> {
        let (ty, yields, name) = match (blank, &self.history.steps[index].yields) {
            (Some((place, variable)), None) => {
                let name = self.history.steps[variable].yields.as_ref().map_or("", |yields| yields.name.as_str());
                (function.params.get(place)?.ty.pointee()?, Yield::InPlace(place), name)
            }
            (None, None) => return Some(None),
            (None, Some(yielded)) => match yielded.by {
                By::Pointer => (function.result.pointee()?, Yield::Borrowed, yielded.name.as_str()),
                // (A structure that is returned is mostly a plain value.)
                By::Value | By::Reference | By::Smart => return None,
            },
            (Some(_), Some(_)) => return None,
        };
        let is_structure = matches!(ty.kind, TypeKind::Record { .. });
        let ty = is_structure.then(|| value_type(ty))?;
        // (What has no name is called what the call takes it for that it is passed to.)
        let name = if name.is_empty() { self.taken_as(index).unwrap_or_default() } else { name };
        let name = identifier(name, &variable(&ty.spelling));
        Some(Some(Object { ty, yields, name }))
    }

    /// The name of the parameter that the object of a step is first passed for.
    fn taken_as(&self, made: usize) -> Option<&'m str> {
        self.history.steps[made + 1..].iter().find_map(|step| {
            let Action::Call { function, .. } = &step.action else { return None };
            let at = step.args.iter().position(|arg| *arg == Value::Made(made))?;
            Some(self.variant(function, &step.args)?.params.get(at)?.name.as_str())
        })
    }

    /// Whether the caller of a function has to end what it hands out: its name says that it makes a new object, or
    /// the program ends that itself. What a later step puts into another object is that one's.
    fn is_callers(&self, made: usize, function: &Function) -> bool {
        let scope = self.scope;
        let later = || {
            self.history.steps[made + 1..].iter().filter_map(|step| match &step.action {
                Action::Call { function, .. } => Some((self.variant(function, &step.args)?, step)),
                Action::Construct { .. } => None,
            })
        };
        let ends = |(function, step): (&Function, &Step)| {
            scope.lexicon().says(&function.name, Role::Ends) && step.args[..] == [Value::Made(made)]
        };
        let is_new = c_lifecycle::ends_result(scope.lexicon(), scope.model, function).is_some();
        (is_new || later().any(ends)) && !later().any(|(function, step)| puts(function, step, made))
    }
}

/// Whether a call puts an object into the one that it makes, or into the one that it is about, its first.
fn puts(function: &Function, step: &Step, made: usize) -> bool {
    let mut others = step.args.iter().zip(&function.params).skip(usize::from(step.yields.is_none()));
    others.any(|(arg, param)| *arg == Value::Made(made) && param.ty.pointee().is_some_and(|to| !to.is_const))
}

/// A list without the element of an index.
fn without<T: Clone>(list: &[T], place: Option<usize>) -> Vec<T> {
    let others = list.iter().enumerate().filter(|(index, _)| Some(*index) != place);
    others.map(|(_, each)| each.clone()).collect()
}

#[cfg(test)]
mod tests {
    use crate::hierarchy::Hierarchy;
    use crate::overrides::Overrides;
    use crate::parse::testing::Small;
    use crate::plan::planner::Planner;
    use crate::plan::{Kind, Recipe, Yield};

    const HEADER: &str = "typedef struct tree tree;\ntypedef struct leaf leaf;\ntree *tree_for(int height);\n\
        leaf *leaf_new(int colour);\nvoid leaf_free(leaf *it);\nvoid tree_hang(tree *it, leaf *other, int at);\n\
        leaf *tree_leaf(tree *it, int at);\nvoid tree_destroy(tree *it);\nint tree_count(const tree *it);\n\
        int leaf_colour(const leaf *it);\n";

    /// The recipe behind the first parameter of a unit, in a project with a program.
    fn plan_first(project: &[(&str, &str)], program: &str, unit: &str) -> Recipe {
        let files = [project, &[("main.c", program)]].concat();
        let model = Small::new(&files, "-std=c11").model();
        let (hierarchy, overrides) = (Hierarchy::new(&model), Overrides::default());
        let planner = Planner::new(&model, &hierarchy, &overrides);
        let unit = model.functions.values().find(|f| f.name == unit).unwrap();
        let plan = crate::plan::plan_unit(&planner, &unit.usr).expect("it can be planned");
        let Kind::Pointer { to, .. } = &plan.entries[0].args[0].recipe.kind else { panic!("{plan:?}") };
        to.recipe.clone()
    }

    /// The same of a unit that gets a tree or a leaf, where a program has these statements.
    fn made(unit: &str, statements: &str) -> Recipe {
        let program = format!("#include \"tree.h\"\nint main(void) {{ {statements} return 0; }}\n");
        let source = "#include \"tree.h\"\nint tree_count(const tree *it) { return it != 0; }\n\
            int leaf_colour(const leaf *it) { return it != 0; }\n";
        let inside = "#include \"tree.h\"\nstruct tree { leaf *leaves[4]; };\nstruct leaf { int colour; };\n";
        plan_first(&[("tree.h", HEADER), ("tree.c", inside), ("units.c", source)], &program, unit)
    }

    /// What each step calls, marked where a pointer that nobody ends is kept of it.
    fn steps(recipe: &Recipe) -> Vec<String> {
        let Kind::Mined { steps, .. } = &recipe.kind else { panic!("{recipe:?}") };
        let call = |recipe: &Recipe| match &recipe.kind {
            Kind::Factory { callee, yields: Yield::InPlace(_), .. } => format!("in place {callee}"),
            Kind::Factory { callee, .. } => callee.clone(),
            other => panic!("{other:?}"),
        };
        let text = |recipe: &Recipe| match &recipe.kind {
            Kind::Pointer { to, given } => format!("{}{}", if *given { "kept " } else { "" }, call(&to.recipe)),
            _ => call(recipe),
        };
        steps.iter().map(|step| text(&step.slot.recipe)).collect()
    }

    #[test]
    fn what_a_program_makes_and_fills_is_made_and_filled_so_and_what_it_ends_is_not_ended_before() {
        let recipe =
            made("tree_count", "tree *t = tree_for(3); tree_hang(t, leaf_new(2), 1); tree_count(t); tree_destroy(t);");
        assert_eq!(steps(&recipe), ["tree_for", "kept leaf_new", "tree_hang"]);
    }

    #[test]
    fn what_is_done_through_a_pointer_to_a_variable_is_done_to_that() {
        let text = "#include <stdio.h>\nstruct hull { struct hull *next; int *points; };\n\
            void hull_start(struct hull *it, FILE *infile, int argc);\n\
            void hull_read(struct hull *it, double *points, int count);\n";
        let recipe = plan_first(
            &[("hull.h", text), ("unit.c", "#include \"hull.h\"\nint height(struct hull *it) { return !it->next; }\n")],
            "#include \"hull.h\"\nint main(void) { struct hull all; struct hull *it = &all; double points[2][3]; \
             hull_start(it, stdin, 0); int bad = !it->points; if (!bad) { hull_read(it, points[0], 6); height(it); } \
             return 0; }\n",
            "height",
        );
        let Kind::Choice { among, .. } = &recipe.kind else { panic!("{recipe:?}") };
        assert_eq!(steps(&among[1].recipe), ["in place hull_start", "hull_read"]);
    }

    #[test]
    fn of_two_variants_of_a_library_the_one_is_called_that_takes_the_object() {
        let header = "struct hull { struct hull *next; };\nvoid hull_start(struct hull *it, int size);\n\
            void hull_read(struct hull *it, int more);\nint height(struct hull *it);\n";
        let project = [
            ("old.h", "void hull_start(int size);\nvoid hull_read(int more);\n"),
            (
                "old.c",
                "#include \"old.h\"\nvoid hull_start(int size) { (void)size; }\nvoid hull_read(int m) { (void)m; }",
            ),
            ("hull.h", header),
            (
                "hull.c",
                "#include \"hull.h\"\nvoid hull_start(struct hull *it, int size) { it->next = size ? it : 0; }\n\
                 void hull_read(struct hull *it, int more) { if (more) it->next = 0; }\n\
                 int height(struct hull *it) { return !it->next; }\n",
            ),
        ];
        let program = "#include \"hull.h\"\nint main(void) { struct hull h; hull_start(&h, 3); hull_read(&h, 1); \
            return height(&h); }\n";
        let recipe = plan_first(&project, program, "height");
        let Kind::Choice { among, .. } = &recipe.kind else { panic!("{recipe:?}") };
        assert_eq!(steps(&among[1].recipe), ["in place hull_start", "hull_read"]);
    }

    #[test]
    fn what_an_object_hands_out_of_itself_nobody_ends() {
        let recipe = made(
            "leaf_colour",
            "tree *t = tree_for(3); leaf *n = leaf_new(7); tree_hang(t, n, 1); leaf *l = tree_leaf(t, 1); \
             leaf_colour(l);",
        );
        let Kind::Choice { among, .. } = &recipe.kind else { panic!("{recipe:?}") };
        let told: Vec<Vec<String>> = among[1..].iter().map(|slot| steps(&slot.recipe)).collect();
        assert!(
            told.contains(&["kept tree_for", "kept leaf_new", "tree_hang", "kept tree_leaf"].map(str::to_owned).into()),
            "{told:?}"
        );
    }
}
