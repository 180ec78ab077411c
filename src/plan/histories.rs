//! Objects as the project's tests and examples make them, beside the way that was found without them.

mod draft;
mod in_c;

use super::unit_scope::UnitScope;
use super::{Entry, Kind, MinedStep, Recipe, SetUpCall, Slot, Yield};
use crate::facts::factories::is_kept;
use crate::lexicon::Role;
use crate::model::history::{Action, By, History, Step, Value};
use crate::model::{Class, Function, FunctionKind, Literal, Param, Type, TypeKind, Usr};
use crate::types::records::record_type;
use crate::types::spelling::{identifier, value_type, variable};
use draft::{Draft, TAKES_TIME, TEXT, is_callable, is_open};
use std::collections::BTreeSet;

/// The most histories of the object under test, of an argument, and of one of several subtypes.
const OF_OBJECT: usize = 3;
const OF_ARGUMENT: usize = 2;
const OF_SUBTYPE: usize = 1;
/// The most subtypes that get histories.
const SUBTYPES: usize = 4;
/// The most calls of the unit whose arguments become seeds.
const CALLS: usize = 12;
/// Adds to how objects and arguments are made what tests and examples show.
pub(super) fn with_histories(scope: &UnitScope<'_>, unit: &Usr, entries: &mut [Entry]) {
    // (In C, whoever ends an object would end what a history ends as well.)
    let is_ender = scope.is_in_c() && scope.lexicon().says(&scope.function.name, Role::Ends);
    if scope.model.histories.is_empty() || is_ender {
        return;
    }
    // Drivers of several ways are long enough.
    let ways = entries.iter().filter(|entry| !entry.private_access).count();
    let most = |usual: usize| if ways > 1 { 1 } else { usual };
    let (of_object, of_argument) = (most(OF_OBJECT), most(OF_ARGUMENT));
    let is_through_callers = entries.iter().any(|entry| entry.callee != *unit);
    let callers = if is_through_callers { scope.hierarchy.public_callers(unit) } else { Vec::new() };
    let (callers, none): (BTreeSet<Usr>, _) = (callers.into_iter().collect(), BTreeSet::new());
    for entry in entries {
        // A history that already runs the unit would pass for a caller that leads there.
        let runs_unit = if entry.callee == *unit { &none } else { &callers };
        entry.called_with = called_with(scope, &entry.callee);
        match &mut entry.object {
            Some(Slot { recipe: Recipe { kind: Kind::Construct { args, .. }, .. }, .. }) if entry.args.is_empty() => {
                make_room(args, &entry.called_with);
            }
            _ => make_room(&mut entry.args, &entry.called_with),
        }
        let Some(callee) = scope.model.functions.get(&entry.callee) else { continue };
        let made_by_it = callee.kind == FunctionKind::Constructor;
        if let Some(object) = &mut entry.object
            && callee.kind != FunctionKind::Destructor
        {
            match &mut object.recipe {
                Recipe { kind: Kind::Construct { args, .. }, .. } if made_by_it => {
                    arguments(scope, callee, args, of_argument, runs_unit)
                }
                _ if made_by_it => {}
                recipe => add_histories(scope, recipe, of_object, runs_unit),
            }
        }
        arguments(scope, callee, &mut entry.args, of_argument, runs_unit);
    }
}

/// The literals that tests call a function with, each list once.
fn called_with(scope: &UnitScope<'_>, function: &Usr) -> Vec<Vec<Option<Literal>>> {
    let mut found = Vec::new();
    for step in scope.model.histories.values().flatten().flat_map(|history| &history.steps) {
        let is_it = match &step.action {
            Action::Construct { constructor, .. } => constructor.as_ref() == Some(function),
            Action::Call { function: called, .. } => called == function,
        };
        let literal = |value: &Value| match value {
            Value::Literal(literal) => Some(literal.clone()),
            _ => None,
        };
        if is_it && found.len() < CALLS {
            let list: Vec<Option<Literal>> = step.args.iter().map(literal).collect();
            if list.iter().any(Option::is_some) && !found.contains(&list) {
                found.push(list);
            }
        }
    }
    found
}

fn arguments(scope: &UnitScope<'_>, callee: &Function, args: &mut [Slot], most: usize, runs_unit: &BTreeSet<Usr>) {
    for slot in args {
        if scope.overrides.parameter(&callee.id, &slot.name).is_none() {
            add_histories(scope, &mut slot.recipe, most, runs_unit);
        }
    }
}

fn add_histories(scope: &UnitScope<'_>, recipe: &mut Recipe, most: usize, runs_unit: &BTreeSet<Usr>) {
    match &mut recipe.kind {
        Kind::Pointer { to, given: false, .. } => add_histories(scope, &mut to.recipe, most, runs_unit),
        Kind::Choice { among, .. } if among.len() <= SUBTYPES => {
            among.iter_mut().for_each(|slot| add_histories(scope, &mut slot.recipe, OF_SUBTYPE.min(most), runs_unit));
        }
        // (What C fills member by member may be nothing that its functions know.)
        Kind::Fields { .. } if !in_c::leads_on(scope, &recipe.ty) => {}
        Kind::Construct { .. } | Kind::Factory { .. } | Kind::SetUp { .. } | Kind::Fields { .. } => {
            let ty = recipe.ty.clone();
            if is_a_plain_value(scope, &ty, recipe) {
                return;
            }
            let mined = mined(scope, &ty, most, Some(recipe), runs_unit);
            if mined.is_empty() {
                return;
            }
            let first = std::mem::replace(recipe, Kind::Bytes.of(ty.clone()));
            let slot = |recipe: Recipe| Slot::new(variable(&ty.spelling), ty.clone(), recipe);
            let among = std::iter::once(first).chain(mined).map(slot).collect();
            *recipe = Kind::Choice { among }.of(ty.clone());
        }
        _ => {}
    }
}

/// An object as tests make it, where there is no other way to one.
pub(super) fn only_histories(scope: &UnitScope<'_>, ty: &Type) -> Option<Recipe> {
    let mut mined = mined(scope, ty, OF_OBJECT, None, &BTreeSet::new());
    if mined.len() < 2 {
        return mined.pop();
    }
    let slot = |recipe: Recipe| Slot::new(variable(&ty.spelling), ty.clone(), recipe);
    Some(Kind::Choice { among: mined.into_iter().map(slot).collect() }.of(value_type(ty)))
}

/// Whether the object is no more than numbers, all of which are chosen already.
fn is_a_plain_value(scope: &UnitScope<'_>, ty: &Type, recipe: &Recipe) -> bool {
    let Some(class) = ty.record().and_then(|usr| scope.model.classes.get(usr)) else { return false };
    let (args, _) = parts_of(recipe);
    let is_number = |ty: &Type| matches!(ty.kind, TypeKind::Prim(_) | TypeKind::Enum(_));
    let fields = || class.fields.iter().filter(|field| !field.is_static);
    !args.is_empty()
        && class.bases.is_empty()
        && fields().all(|field| is_number(&field.ty))
        && fields().count() <= args.len()
}

/// The histories of a class as recipes: those first that do most of what no earlier one does. What `plain` leads to
/// anyway is left out, and so is what calls a function of `runs_unit`.
fn mined(
    scope: &UnitScope<'_>,
    ty: &Type,
    most: usize,
    plain: Option<&Recipe>,
    runs_unit: &BTreeSet<Usr>,
) -> Vec<Recipe> {
    let Some(class) = ty.record().and_then(|usr| scope.model.classes.get(usr)) else { return Vec::new() };
    let Some(histories) = scope.model.histories.get(&class.usr) else { return Vec::new() };
    if crate::plan::rules::overrides::is_told_of(scope, class) {
        return Vec::new();
    }
    let mut left: Vec<&History> = histories.iter().collect();
    let mut done: BTreeSet<&Usr> = BTreeSet::new();
    let mut found: Vec<Recipe> = Vec::new();
    while found.len() < most && !left.is_empty() {
        let is_news = |usr: &&&Usr| !done.contains(**usr) && !runs_unit.contains(**usr);
        let news = |history: &History| history.functions().iter().filter(is_news).count();
        // Of equals the first.
        let best = (0..left.len()).rev().max_by_key(|index| news(left[*index])).unwrap_or_default();
        let history = left.remove(best);
        let recipe = recipe_of(scope, history, runs_unit);
        let is_news = |recipe: &Recipe| {
            !found.iter().any(|known| is_same(known, recipe)) && !plain.is_some_and(|plain| covers(plain, recipe))
        };
        if let Some(recipe) = recipe.filter(is_news) {
            done.extend(history.functions());
            found.push(recipe);
        }
    }
    found
}

/// A history as a recipe, without the steps that run the unit; none where a step that it needs is out of reach.
fn recipe_of(scope: &UnitScope<'_>, history: &History, runs_unit: &BTreeSet<Usr>) -> Option<Recipe> {
    let mut draft = Draft { scope, history, steps: Vec::new(), places: Vec::new() };
    for (index, step) in history.steps.iter().enumerate() {
        let runs = match &step.action {
            Action::Construct { constructor, .. } => constructor.as_ref().is_some_and(|usr| runs_unit.contains(usr)),
            Action::Call { function, .. } => runs_unit.contains(function),
        };
        let planned = match scope.is_in_c() {
            _ if runs => None,
            true => draft.step_in_c(index, step),
            false => draft.step(index, step),
        };
        draft.places.push(planned.is_some().then_some(draft.steps.len()));
        draft.steps.extend(planned);
    }
    let object = draft.place(history.object)?;
    let (steps, object) = without_idle(draft.steps, object);
    // Without its calls it is no more than what is made anyway.
    let tells = steps.len() > 1 || matches!(steps[object].slot.recipe.kind, Kind::Factory { .. });
    let file = history.file.strip_prefix(&scope.planner.home).unwrap_or(&history.file);
    let from = format!("{}:{}", file.display(), history.line);
    let ty = steps[object].slot.recipe.ty.clone();
    tells.then(|| Kind::Mined { steps, object, from }.of(value_type(&ty)))
}

/// The object that a step yields: its class, its type where a driver can name that, and the name of its variable.
struct Yielded<'m> {
    class: Option<&'m Class>,
    ty: Option<Type>,
    name: String,
}

impl<'m> Draft<'_, 'm> {
    /// One step as part of the recipe; none where it is out of reach.
    fn step(&self, index: usize, step: &Step) -> Option<MinedStep> {
        let yielded = self.yielded(step);
        match &step.action {
            Action::Construct { constructor, given } => {
                let is_taken = |later: &Step| takes(self.scope, later, index);
                let is_taken = *given && self.history.steps[index..].iter().any(is_taken);
                self.construction(step, constructor.as_ref(), is_taken, yielded)
            }
            Action::Call { function, on } => self.call(step, function, *on, yielded),
        }
    }

    fn yielded(&self, step: &Step) -> Yielded<'m> {
        let Some(yields) = &step.yields else { return Yielded { class: None, ty: None, name: "made".into() } };
        let class = self.scope.model.classes.get(&yields.class);
        let open = class.filter(|class| is_open(self.scope, class));
        let mut ty = open.map(|class| record_type(self.scope.model, class, Vec::new()));
        if let Some(ty) = ty.as_mut().filter(|_| yields.is_const) {
            ty.spelling = format!("const {}", ty.spelling);
            ty.is_const = true;
        }
        let name = ty.as_ref().map(|ty| identifier(&yields.name, &variable(&ty.spelling)));
        Yielded { class, ty, name: name.unwrap_or_else(|| "made".into()) }
    }

    /// A construction. With `is_taken` a later call takes ownership of the object.
    fn construction(
        &self,
        step: &Step,
        constructor: Option<&Usr>,
        is_taken: bool,
        yielded: Yielded<'m>,
    ) -> Option<MinedStep> {
        let Yielded { class: Some(class), ty: Some(ty), name } = yielded else { return None };
        let callable = |f: &&Function| is_callable(self.scope, f);
        let function = match constructor {
            Some(usr) => Some(self.scope.model.functions.get(usr).filter(callable)?),
            None => {
                let fits = |f: &Function| f.params.iter().all(|p| p.default.is_some()) && callable(&f);
                let mut own = class.constructors(self.scope.model).peekable();
                (own.peek().is_none() || own.any(fits)).then_some(())?;
                None
            }
        };
        if class.is_abstract {
            return None;
        }
        let params = function.map_or(&[][..], |f| f.params.as_slice());
        let (args, literals) = self.args(Some(&class.usr), params, &step.args)?;
        let constructor = function.map(|f| f.usr.clone());
        let kept = !is_taken && is_kept(self.scope.model, class);
        let mut recipe = Kind::Construct { constructor, args, kept }.of(ty.clone());
        if is_taken {
            let to = Slot::new(name.clone(), ty.clone(), recipe);
            recipe = Kind::Pointer { to: Box::new(to), given: true }.of(ty.clone());
        }
        Some(MinedStep { slot: Slot::new(name, ty, recipe), kept: true, literals })
    }

    /// A call of a function, or of a method on the object of an earlier step.
    fn call(&self, step: &Step, function: &Usr, on: Option<usize>, yielded: Yielded<'m>) -> Option<MinedStep> {
        let (scope, kept) = (self.scope, step.yields.is_some());
        let function = scope.model.functions.get(function).filter(|f| is_callable(scope, f))?;
        let is_method = function.kind == FunctionKind::Method;
        let owner = function.owner.as_ref().and_then(|usr| scope.model.classes.get(usr));
        let is_idle = owner.is_none() && (function.name.starts_with("operator") || names_a_class(scope, function));
        // (What is left of an object behind a pointer, once it is given up, nobody may look at.)
        let is_pointer = |on: usize| self.history.steps[on].yields.as_ref().is_some_and(|it| it.by == By::Pointer);
        let gives_up = !kept && on.is_some_and(is_pointer) && scope.lexicon().says(&function.name, Role::Ends);
        if is_method != on.is_some()
            || is_idle
            || gives_up
            || function.params.iter().any(|p| scope.lexicon().says(&p.name, Role::File))
            || !kept && scope.lexicon().begins(&function.name, TAKES_TIME)
        {
            return None;
        }
        let object = match on {
            Some(on) => {
                let step = self.place(on)?;
                let Slot { name, ty, .. } = &self.steps[step].slot;
                let recipe = Kind::Same { step, owner: false }.of(ty.clone());
                Some(Box::new(Slot::new(name.clone(), ty.clone(), recipe)))
            }
            None => None,
        };
        let ty = match owner {
            _ if kept => yielded.ty?,
            Some(owner) => record_type(scope.model, owner, Vec::new()),
            None => function.result.clone(),
        };
        let (args, literals) = match owner.or(yielded.class) {
            Some(class) => self.args(Some(&class.usr), &function.params, &step.args)?,
            None if step.args.is_empty() => Default::default(),
            None => return None,
        };
        let callee = if is_method { function.name.clone() } else { function.qualified.clone() };
        let yields = match step.yields.as_ref().map(|yields| yields.by) {
            Some(By::Reference) => Yield::Reference,
            Some(By::Pointer) => Yield::Borrowed,
            Some(By::Smart) => Yield::Smart,
            Some(By::Value) | None => Yield::Value,
        };
        let recipe = Kind::Factory { function: function.usr.clone(), callee, object, args, yields }.of(ty.clone());
        Some(MinedStep { slot: Slot::new(yielded.name, ty, recipe), kept, literals })
    }
}

/// Whether a step hands the object of `made` on by a pointer that may be kept.
fn takes(scope: &UnitScope<'_>, step: &Step, made: usize) -> bool {
    let function = match &step.action {
        Action::Construct { constructor, .. } => constructor.as_ref(),
        Action::Call { function, .. } => Some(function),
    };
    let params = function.and_then(|usr| scope.model.functions.get(usr)).map_or(&[][..], |f| f.params.as_slice());
    let by_pointer = |param: &Param| param.ty.pointee().is_some_and(|to| !to.is_const);
    step.args.iter().zip(params).any(|(arg, param)| *arg == Value::Made(made) && by_pointer(param))
}

fn names_a_class(scope: &UnitScope<'_>, function: &Function) -> bool {
    let mut found = false;
    let mut look = |ty: &Type| found |= ty.record().is_some_and(|usr| scope.model.classes.contains_key(usr));
    function.result.walk(&mut look);
    function.params.iter().for_each(|param| param.ty.walk(&mut look));
    found
}

/// The arguments of the constructor, and the calls that may follow.
fn parts_of(recipe: &Recipe) -> (&[Slot], &[SetUpCall]) {
    match &recipe.kind {
        Kind::Construct { args, .. } => (args, &[]),
        Kind::SetUp { object, calls, .. } => (parts_of(&object.recipe).0, calls),
        _ => (&[], &[]),
    }
}

/// Whether two histories come to the same, wherever they were read.
fn is_same(one: &Recipe, other: &Recipe) -> bool {
    match (&one.kind, &other.kind) {
        (Kind::Mined { steps: own, object, .. }, Kind::Mined { steps, object: of, .. }) => own == steps && object == of,
        _ => one == other,
    }
}

/// Whether a construction with calls that the data picks comes to what a history does, which has no texts and no tables
/// to add.
fn covers(plain: &Recipe, mined: &Recipe) -> bool {
    let Kind::Mined { steps, object, .. } = &mined.kind else { return false };
    let (constructs, most) = match &plain.kind {
        // Some of its calls may be assignments.
        Kind::SetUp { object, most, .. } => (&object.recipe, (*most).min(super::rules::setup_calls::MOST)),
        _ => (plain, 0),
    };
    let (_, calls) = parts_of(plain);
    let is_covered = |(index, step): (usize, &MinedStep)| match (&step.slot.recipe.kind, &constructs.kind) {
        (Kind::Construct { constructor: mined, args: written, .. }, Kind::Construct { constructor, args, .. }) => {
            index == *object && mined == constructor && written.len() <= args.len()
        }
        (Kind::Factory { function: mined, .. }, Kind::Factory { function, .. }) if index == *object => {
            mined == function
        }
        (Kind::Factory { function, args, .. }, Kind::Construct { .. } | Kind::Factory { .. }) => {
            let simple = args.iter().all(|slot| used_by(&slot.recipe).is_empty());
            simple && !step.kept && calls.iter().any(|call| call.method == *function)
        }
        _ => false,
    };
    let texts = steps.iter().flat_map(|step| &step.literals).flatten().any(|l| matches!(l, Literal::Str(_)));
    let has_table = |step: &MinedStep| {
        let mut found = false;
        step.slot.recipe.walk(&mut |part| found |= matches!(part.kind, Kind::Table { .. }));
        found
    };
    !texts && !steps.iter().any(has_table) && steps.len() as u64 <= most + 1 && steps.iter().enumerate().all(is_covered)
}

/// The steps that have to do with the object, where others were left out.
fn without_idle(steps: Vec<MinedStep>, object: usize) -> (Vec<MinedStep>, usize) {
    let uses: Vec<BTreeSet<usize>> = steps.iter().map(|step| used_by(&step.slot.recipe)).collect();
    let mut live = BTreeSet::from([object]);
    loop {
        let before = live.len();
        for (index, step) in steps.iter().enumerate() {
            // (What makes one object ready may change another.)
            let is_call =
                !step.kept || matches!(&step.slot.recipe.kind, Kind::Factory { yields: Yield::InPlace(_), .. });
            if live.contains(&index) || is_call && uses[index].iter().any(|used| live.contains(used)) {
                live.insert(index);
                live.extend(&uses[index]);
            }
        }
        if live.len() == before {
            break;
        }
    }
    let place = |index: usize| live.range(..index).count();
    let mut kept: Vec<MinedStep> =
        steps.into_iter().enumerate().filter(|(index, _)| live.contains(index)).map(|(_, step)| step).collect();
    kept.iter_mut().for_each(|step| renumber(&mut step.slot.recipe, &place));
    (kept, place(object))
}

/// The steps that a recipe refers to.
fn used_by(recipe: &Recipe) -> BTreeSet<usize> {
    let mut used = BTreeSet::new();
    recipe.walk(&mut |recipe| {
        if let Kind::Same { step, .. } = &recipe.kind {
            used.insert(*step);
        }
    });
    used
}

fn renumber(recipe: &mut Recipe, place: &dyn Fn(usize) -> usize) {
    match &mut recipe.kind {
        Kind::Same { step, .. } => *step = place(*step),
        Kind::Pointer { to, .. } => renumber(&mut to.recipe, place),
        Kind::Construct { args, .. } => args.iter_mut().for_each(|slot| renumber(&mut slot.recipe, place)),
        Kind::Factory { object, args, .. } => {
            let object = object.iter_mut().map(|slot| &mut **slot);
            object.chain(args).for_each(|slot| renumber(&mut slot.recipe, place));
        }
        _ => {}
    }
}

/// Makes room for the texts that tests call the function with.
fn make_room(args: &mut [Slot], called_with: &[Vec<Option<Literal>>]) {
    for (slot, literal) in called_with
        .iter()
        .flat_map(|list| list.iter().enumerate())
        .filter_map(|(index, literal)| Some((index, literal.as_ref()?)))
    {
        if let (Some(Slot { recipe: Recipe { kind: Kind::CString { most, .. }, .. }, .. }), Literal::Str(text)) =
            (args.get_mut(slot), literal)
            && text.len() <= TEXT
        {
            *most = (*most).max(text.len() as u64);
        }
    }
}

#[cfg(test)]
#[path = "histories_tests.rs"]
mod tests;
