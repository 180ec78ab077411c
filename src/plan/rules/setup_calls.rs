//! Calls that bring an object into a state worth testing: a document that has parsed text, a container with
//! elements. A default-constructed object is often an empty shell on which every method returns at once.

use super::public_members;
use crate::facts::field_usage::Changed;
use crate::facts::implementable::is_listener;
use crate::lexicon::{Lexicon, Role};
use crate::model::{Access, Class, Function, FunctionKind, Model, Type, TypeKind, Usr};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Kind, Recipe, SetUpCall, Slot};
use crate::types::bases::bases;
use crate::types::library::row_of;
use crate::types::standard::has_elements;
use crate::types::substitution::Substitution;
use std::collections::BTreeSet;

/// The most calls between construction and the call under test.
pub(in crate::plan) const MOST: u64 = 3;
/// The same where one of them keeps a value by a name: `element.SetAttribute("length", "3")`.
const MOST_BY_NAME: u64 = 8;
/// The most methods that the data chooses among.
pub(in crate::plan) const CHOICES: usize = 6;
/// The most subtypes of an argument of such a method.
const SUBTYPES: usize = 4;
/// The most values that such an argument is made of.
const VALUES: usize = 48;
/// The most methods of a stub for such an argument.
const STUB_METHODS: usize = 12;
/// How such methods are called, in the order in which they are preferred.
pub(in crate::plan) const SETS_UP: [Role; 4] = [Role::Reads, Role::Sets, Role::Adds, Role::Opens];
/// Methods that do not bring an object into a state worth testing: they end it, print it, or wait for somebody.
pub(in crate::plan) const ENDINGS: [Role; 7] =
    [Role::Ends, Role::Drops, Role::Stops, Role::Waits, Role::Locks, Role::Prints, Role::Runs];

/// The object with calls that set it up, where it has such methods; one that comes with a state of its own, with those
/// that change what the unit looks at.
pub(in crate::plan) fn set_up<'m>(
    scope: &UnitScope<'m>,
    recipe: Recipe,
    class: &'m Class,
    request: Request<'_>,
) -> Recipe {
    // Further inside, the bytes are better spent on the object under test.
    if request.without_setup || request.objects_open() > 1 {
        return recipe;
    }
    let with = Substitution::of(scope.model, class, recipe.ty.args());
    set_up_with(scope, recipe, class, &with, request)
}

/// The object with calls that set it up, whoever needs it, its class's template parameters filled in by `with`.
pub(in crate::plan) fn set_up_with<'m>(
    scope: &UnitScope<'m>,
    recipe: Recipe,
    class: &'m Class,
    with: &Substitution,
    request: Request<'_>,
) -> Recipe {
    let is_shell = match &recipe.kind {
        Kind::Construct { args, .. } | Kind::Stub { args, .. } => args.iter().all(|a| says_little(scope, &a.recipe)),
        Kind::Factory { .. } => true,
        _ => return recipe,
    };
    if is_shell {
        return with_calls(scope, recipe, class, with, request);
    }
    // Its constructor has given it a state of its own, but perhaps not all that the unit looks at.
    let mut calls = set_up_calls(scope, &recipe, class, with, request, Which::ChangesWhatIsLookedAt);
    calls.extend(filled(scope, class, &recipe.ty, request));
    let most = most(&calls);
    called_on(recipe, calls, most)
}

/// What fills an object of a class that derives from a container or a text of the library: its own methods need none.
fn filled<'m>(scope: &UnitScope<'m>, class: &'m Class, ty: &Type, request: Request<'_>) -> Option<SetUpCall> {
    let open = request.opening(&class.usr);
    let inside = request.without_setup().inside(&open);
    let bases = bases(scope.model, ty);
    let mut containers = bases.iter().filter(|(base, is_public)| *is_public && has_elements(scope.model, base));
    // Of two nobody knows which is meant.
    let ((ty, _), None) = (containers.next()?, containers.next()) else { return None };
    let recipe = scope.value(ty, inside.at(0)).ok()?;
    let fill = row_of(scope.model, ty).and_then(|row| row.fill.clone());
    let (name, arg) = match recipe.kind {
        Kind::Sequence { element, .. } => (fill.unwrap_or_else(|| "insert".into()), *element),
        Kind::StdString { .. } => ("assign".to_owned(), Slot::new("text", ty.clone(), recipe)),
        _ => return None,
    };
    let mut own = bases.iter().filter_map(|(base, _)| scope.model.class_of(base)).chain([class]);
    let is_hidden = own.any(|class| class.functions(scope.model).any(|own| own.name == name));
    let call = SetUpCall { method: ty.record()?.clone(), name, args: vec![arg], fills: true };
    (!is_hidden && is_simple(&call.args[0].recipe)).then_some(call)
}

/// Which methods set an object up.
#[derive(Clone, Copy, PartialEq)]
enum Which {
    /// Those that by their name, what they take and what they return are there for that.
    All,
    /// Of these only those that change a member that the unit looks at, or may do so.
    ChangesWhatIsLookedAt,
}

/// An object that is asked for a part of it, with calls that may have put such a part there: one that was only
/// constructed has none, whatever it was constructed with.
pub(in crate::plan) fn to_be_asked<'m>(
    scope: &UnitScope<'m>,
    recipe: Recipe,
    class: &'m Class,
    request: Request<'_>,
) -> Recipe {
    // Further inside, the bytes are better spent on the object under test.
    if request.without_setup || request.objects_open() > 1 || !matches!(recipe.kind, Kind::Construct { .. }) {
        return recipe;
    }
    let with = Substitution::of(scope.model, class, recipe.ty.args());
    with_calls(scope, recipe, class, &with, request)
}

fn with_calls<'m>(
    scope: &UnitScope<'m>,
    recipe: Recipe,
    class: &'m Class,
    with: &Substitution,
    request: Request<'_>,
) -> Recipe {
    let mut calls = set_up_calls(scope, &recipe, class, with, request, Which::All);
    calls.extend(filled(scope, class, &recipe.ty, request));
    let members = public_members::assignments(scope, class, with, request);
    let most = public_members::most(most(&calls), members.len());
    calls.extend(members);
    called_on(recipe, calls, most)
}

/// How many of these are called at most: what keeps values by names is asked for several of them.
fn most(calls: &[SetUpCall]) -> u64 {
    if calls.iter().any(SetUpCall::is_by_name) { MOST_BY_NAME } else { MOST }
}

fn called_on(recipe: Recipe, calls: Vec<SetUpCall>, most: u64) -> Recipe {
    if calls.is_empty() {
        return recipe;
    }
    let ty = recipe.ty.clone();
    let object = Slot::new(crate::types::spelling::variable(&ty.spelling), ty.clone(), recipe);
    Kind::SetUp { object: Box::new(object), calls, most }.of(ty)
}

fn set_up_calls<'m>(
    scope: &UnitScope<'m>,
    recipe: &Recipe,
    class: &'m Class,
    with: &Substitution,
    request: Request<'_>,
    which: Which,
) -> Vec<SetUpCall> {
    let lexicon = scope.lexicon();
    // An object that is only asked for another is looked at by whoever hands that out.
    let usage =
        request.is_looked_at().then(|| scope.field_usage.of_class(scope.model, scope.hierarchy, class)).flatten();
    let changed = |f: &'m Function| usage.as_ref().and_then(|usage| usage.changed_by(scope.model, f));
    // (An object of the project's own is no file, whatever its name.)
    let is_own = |ty: &Type| scope.model.class_of(ty.pointee().unwrap_or(ty.without_ref())).is_some();
    // What a stub does itself changes nothing, and hides what has the same name.
    let made_up: BTreeSet<&str> = match &recipe.kind {
        Kind::Stub { methods, .. } => {
            methods.iter().filter_map(|made| Some(scope.model.functions.get(&made.method)?.name.as_str())).collect()
        }
        _ => BTreeSet::new(),
    };
    let methods = public_methods(scope.model, class)
        .into_iter()
        .filter(|f| !made_up.contains(f.name.as_str()))
        .filter(|f| {
            (!f.is_const || changes_all_the_same(lexicon, f)) && !f.is_deleted && !f.is_variadic && f.template.is_none()
        })
        .filter(|f| !f.name.starts_with("operator") && f.ref_qualifier.as_deref() != Some("&&"))
        .filter(|f| !f.params.iter().any(|p| lexicon.says(&p.name, Role::File) && !p.opened && !is_own(&p.ty)))
        .filter_map(|f| {
            Some(Step { rank: rank(lexicon, &f.name, !f.params.is_empty())?, changes: changed(f), method: f })
        })
        .filter(|step| step.rank < lexicon.ranks(SETS_UP) || only_changes(step.method) || step.is_filler(lexicon))
        .filter(|step| which == Which::All || step.changes_something() || step.is_said(lexicon, class));
    let mut calls: Vec<SetUpCall> = Vec::new();
    for method in in_order(lexicon, methods.collect()) {
        if calls.len() == CHOICES {
            break;
        }
        if calls.iter().any(|c| c.name == method.name) {
            continue;
        }
        let required = method.params.iter().take_while(|p| p.default.is_none()).count();
        let needed = required.max(1).min(method.params.len());
        let params = &method.params[..needed];
        if is_ambiguous(scope.model, class, method, needed) {
            continue;
        }
        let calls_back = params.iter().any(|param| is_function(&param.ty));
        // `add_callback(data, function)`: whoever registers a function says what it is to be given.
        let is_for_callback = |ty: &Type| calls_back && ty.pointee().is_some_and(|to| to.kind == TypeKind::Void);
        if !params.iter().all(|p| stays_ours(scope, &with.apply(&p.ty)) || is_for_callback(&p.ty)) {
            continue;
        }
        // An iterator into another container is no place in this one.
        let is_good = |slot: &Slot| {
            is_simple(&slot.recipe) && crate::plan::receiver_iterators::own_begin(scope, class, with, slot).is_none()
        };
        let made = |inside: Request<'_>| {
            let args = scope.params(params, with, None, inside.for_function(lexicon, &method.name)).ok();
            args.filter(|args| args.len() == needed && args.iter().all(is_good))
        };
        // An object for the call may be set up by one of this class: the circle is cut here, or with a node's child.
        let (open, parent) = (request.opening(&class.usr), request.opening_parent(&class.usr));
        let is_first = request.objects_open() == 0;
        let is_parent = is_first && params.iter().any(|param| is_like(scope, class, &param.ty));
        let with_child = Some(request.inside(&parent)).filter(|_| is_parent).and_then(made);
        // What keeps things for others is empty without calls of its own.
        let with_content = || {
            let takes_object = params.iter().any(|param| is_own(&param.ty));
            let made = Some(request.inside(&open)).filter(|_| is_first && takes_object).and_then(made);
            made.filter(|args| args.iter().any(|slot| keeps(lexicon, &slot.recipe)))
        };
        let plain = || made(request.without_setup().inside(&open));
        if let Some(args) = with_child.or_else(with_content).or_else(plain) {
            calls.push(SetUpCall { method: method.usr.clone(), name: method.name.clone(), args, fills: false });
        }
    }
    calls
}

/// Whether an object is set up by calls that put something in, by a name or at its end.
fn keeps(lexicon: &Lexicon, recipe: &Recipe) -> bool {
    let mut found = false;
    recipe.walk(&mut |part| {
        if let Kind::SetUp { calls, .. } = &part.kind {
            let adds = |call: &SetUpCall| !call.args.is_empty() && lexicon.says(&call.name, Role::Adds);
            found |= calls.iter().any(|call| call.is_by_name() || adds(call));
        }
    });
    found
}

/// Whether a parameter leads to an object of the class itself, or of one that it derives from.
fn is_like(scope: &UnitScope<'_>, class: &Class, ty: &Type) -> bool {
    let behind = ty.without_ref();
    let usr = behind.pointee().unwrap_or(behind).record();
    usr.is_some_and(|usr| *usr == class.usr || scope.hierarchy.ancestors(&class.usr).contains(usr))
}

/// A `const` method with nothing to tell, which takes something to be kept: what it changes is mutable, or elsewhere.
fn changes_all_the_same(lexicon: &Lexicon, method: &Function) -> bool {
    let keeps = [Role::Sets, Role::Adds].iter().any(|role| lexicon.says(&method.name, *role));
    keeps && method.result.kind == TypeKind::Void && !method.params.is_empty()
}

/// A method that may be a step on the way to a state worth testing.
pub(super) struct Step<'m> {
    /// Its place by its name.
    pub rank: usize,
    /// The members that it may change, of those that the unit names; none where that is not known.
    pub changes: Option<Changed<'m>>,
    pub method: &'m Function,
}

impl Step<'_> {
    fn changes_something(&self) -> bool {
        self.changes.as_ref().is_some_and(|changes| !changes.members.is_empty())
    }

    /// Whether its name says that it puts something into an object whose members nobody sees: of an installed class.
    fn is_said(&self, lexicon: &Lexicon, class: &Class) -> bool {
        self.changes.is_none() && class.installed.is_some() && self.rank < lexicon.ranks(SETS_UP)
    }

    /// Whether it changes something, and does not only hand out a part of the object that others may change.
    fn is_filler(&self, lexicon: &Lexicon) -> bool {
        let reports = matches!(self.method.result.kind, TypeKind::Prim(_) | TypeKind::Enum(_))
            && !lexicon.begins(&self.method.name, [Role::LooksUp, Role::TellsEmptiness]);
        self.changes_something() && (reports || !self.method.params.is_empty())
    }
}

/// The methods in the order in which they are worth a call. In turn: the one that sets most of what the unit names
/// itself, then its callees, and no earlier one sets; and the one that its name recommends most, since what a method
/// changes in objects that its own leads to is not seen. What neither recommends comes last.
pub(super) fn in_order<'m>(lexicon: &Lexicon, mut steps: Vec<Step<'m>>) -> Vec<&'m Function> {
    steps.sort_by_key(|step| step.rank);
    let named = lexicon.ranks(SETS_UP);
    let (mut order, mut changed) = (Vec::new(), BTreeSet::new());
    while !steps.is_empty() {
        let news = |step: &Step<'m>| {
            let Some(changes) = &step.changes else { return (0, 0) };
            let asked = changes.worth_of.iter().filter(|(name, _)| !changed.contains(*name));
            let near: u32 = asked.map(|(_, worth)| worth).sum();
            (near, changes.sets.difference(&changed).count())
        };
        // Of equals the first.
        let best = (0..steps.len()).rev().max_by_key(|index| news(&steps[*index])).unwrap_or_default();
        if news(&steps[best]) == (0, 0) && !changed.is_empty() {
            changed.clear();
            continue;
        }
        let step = steps.remove(best);
        changed.extend(step.changes.into_iter().flat_map(|changes| changes.sets));
        order.push(step.method);
        if steps.first().is_some_and(|step| step.rank < named) {
            order.push(steps.remove(0).method);
        }
    }
    order
}

/// The public methods that can be called on an object, those of public bases included; the class's own first.
pub(in crate::plan) fn public_methods<'m>(model: &'m Model, class: &'m Class) -> Vec<&'m Function> {
    let mut out: Vec<&Function> = Vec::new();
    let mut queue: Vec<&Class> = vec![class];
    let mut seen: Vec<&Usr> = Vec::new();
    while let Some(class) = queue.pop() {
        if seen.contains(&&class.usr) {
            continue;
        }
        seen.push(&class.usr);
        let own: Vec<&Function> = class.methods.iter().filter_map(|usr| model.functions.get(usr)).collect();
        // A name of the class itself hides those of its bases, whatever their access.
        let hidden: Vec<&str> = out.iter().map(|f| f.name.as_str()).collect();
        let visible: Vec<&Function> = own
            .into_iter()
            .filter(|f| f.kind == FunctionKind::Method && f.access == Some(Access::Public))
            .filter(|f| !hidden.contains(&f.name.as_str()))
            .collect();
        out.extend(visible);
        let bases = class.bases.iter().rev().filter(|b| b.access == Access::Public);
        queue.extend(bases.filter_map(|b| model.classes.get(b.ty.record()?)).filter(|b| b.template.is_none()));
    }
    out
}

/// Whether a call with so many arguments could mean another method as well: they differ in what has a default.
pub(in crate::plan) fn is_ambiguous(model: &Model, class: &Class, method: &Function, needed: usize) -> bool {
    let types = |f: &Function| f.params[..needed].iter().map(|p| p.ty.without_ref().canonical()).collect::<Vec<_>>();
    public_methods(model, class).into_iter().any(|other| {
        let required = other.params.iter().take_while(|param| param.default.is_none()).count();
        other.name == method.name
            && other.usr != method.usr
            && (required..=other.params.len()).contains(&needed)
            && types(other) == types(method)
            && other.is_const == method.is_const
    })
}

/// The place of a method in the order of preference: names that say so, then whatever else takes arguments, then
/// what takes none; none where it sets nothing up.
fn rank(lexicon: &Lexicon, name: &str, takes: bool) -> Option<usize> {
    if lexicon.begins(name, ENDINGS) {
        return None;
    }
    let otherwise = lexicon.ranks(SETS_UP) + usize::from(!takes);
    Some(lexicon.first(name, SETS_UP).map_or(otherwise, |(rank, _)| rank))
}

/// Whether a method returns nothing, or its own object for the next call: then it is there to change something.
fn only_changes(method: &Function) -> bool {
    match &method.result.kind {
        TypeKind::Void => true,
        TypeKind::LvalueRef(to) => to.record().is_some() && to.record() == method.owner.as_ref(),
        _ => false,
    }
}

/// Whether who gives an argument of this type owns it from then on too. The driver keeps it as long as the object.
fn stays_ours(scope: &UnitScope<'_>, ty: &Type) -> bool {
    let is_record = |ty: &Type| matches!(ty.kind, TypeKind::Record { .. });
    match &ty.kind {
        TypeKind::Prim(_) | TypeKind::Enum(_) | TypeKind::Record { .. } => true,
        TypeKind::Pointer(to) => {
            let class = to.record().and_then(|usr| scope.model.classes.get(usr));
            // A listener is told something, and seldom adopted.
            let hears = |class: &Class| is_listener(scope.model, &scope.hierarchy.ancestors(&class.usr), class);
            to.is_const || matches!(to.kind, TypeKind::Prim(_) | TypeKind::Function { .. }) || class.is_some_and(hears)
        }
        TypeKind::LvalueRef(to) => is_record(to) || to.is_const && stays_ours(scope, to),
        TypeKind::RvalueRef(to) => stays_ours(scope, to),
        _ => false,
    }
}

fn is_function(ty: &Type) -> bool {
    ty.pointee().is_some_and(|to| matches!(to.kind, TypeKind::Function { .. }))
}

fn is_number(recipe: &Recipe) -> bool {
    matches!(recipe.kind, Kind::Prim { .. } | Kind::Enum { .. } | Kind::Length { .. })
}

/// Whether an object that was constructed of such a value has no state of its own: a number, or an object without data.
fn says_little(scope: &UnitScope<'_>, recipe: &Recipe) -> bool {
    let has_data = |class: &Class| {
        let mut lineage = scope.hierarchy.ancestors(&class.usr);
        lineage.insert(class.usr.clone());
        let mut all = lineage.iter().map(|usr| scope.model.classes.get(usr));
        all.any(|class| class.is_none_or(|class| class.fields.iter().any(|field| !field.is_static)))
    };
    let class = scope.model.class_of(recipe.ty.without_ref());
    is_number(recipe) || class.is_some_and(|class| class.definition.is_some() && !has_data(class))
}

/// Bytes are better spent on the object under test than on great arguments of its set-up.
pub(in crate::plan) fn is_simple(recipe: &Recipe) -> bool {
    is_small(recipe) && is_of_simple_kinds(recipe)
}

/// Whether a recipe has no more values than an argument of a set-up call is worth.
pub(super) fn is_small(recipe: &Recipe) -> bool {
    let mut values = 0;
    recipe.walk(&mut |part| values += usize::from(part.parts().is_empty()));
    values <= VALUES
}

fn is_of_simple_kinds(recipe: &Recipe) -> bool {
    let simple_parts = || recipe.parts().into_iter().all(|slot| is_of_simple_kinds(&slot.recipe));
    match &recipe.kind {
        Kind::CString { .. } | Kind::FileName { .. } | Kind::StdString { .. } | Kind::End { .. } | Kind::Behind => true,
        // A function to be called back, a text to be read, a constant of its class.
        Kind::OneOf { .. } | Kind::Stream { reads: true, .. } => true,
        Kind::Array { element, .. } => is_number(&element.recipe),
        // An interface that nobody implements.
        Kind::Stub { args, methods } => args.is_empty() && methods.len() <= STUB_METHODS && simple_parts(),
        Kind::Choice { among } => among.len() <= SUBTYPES && simple_parts(),
        Kind::Construct { .. }
        | Kind::SetUp { .. }
        | Kind::Factory { object: None, .. }
        | Kind::Fields { .. }
        | Kind::Pointer { .. }
        | Kind::Sequence { .. }
        | Kind::Smart { .. }
        | Kind::Pair { .. }
        | Kind::Iterator { .. }
        | Kind::List { .. } => simple_parts(),
        _ => is_number(recipe),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::Hierarchy;
    use crate::overrides::Overrides;
    use crate::parse::testing::read_cpp;
    use crate::plan::planner::Planner;

    #[test]
    fn words_count_only_where_they_end() {
        let lexicon = Lexicon::default();
        let rank = |name: &str, takes: bool| super::rank(&lexicon, name, takes);
        let (parse, set) = (rank("Parse", true).unwrap(), rank("set_value", true).unwrap());
        assert!(parse < set && set < rank("addValue", true).unwrap());
        assert_eq!(rank("SetText", false), Some(set));
        assert_eq!(rank("settle", true), Some(lexicon.ranks(SETS_UP)));
        assert_eq!(rank("normalize", false), Some(lexicon.ranks(SETS_UP) + 1));
        assert_eq!(rank("closeAll", true), None);
    }

    fn object_of(source: &str, unit: &str) -> Recipe {
        let model = read_cpp(source);
        let hierarchy = Hierarchy::new(&model);
        let overrides = Overrides::default();
        let planner = Planner::new(&model, &hierarchy, &overrides);
        let function = model.functions.values().find(|f| f.qualified == unit && f.definition.is_some()).expect(unit);
        let plan = crate::plan::plan_unit(&planner, &function.usr).expect("it can be planned");
        plan.entries[0].object.clone().expect("a method has an object").recipe
    }

    #[test]
    fn an_empty_shell_is_set_up_by_its_own_and_its_bases_methods() {
        let recipe = object_of(
            "struct Base { void addItem(int n); void loadFile(const char *fileName); private: void setSecret(int); };
             struct Doc : Base { Doc(bool strict = true); int parse(const char *text); int parse(int); void settle(int);
               int count() const { return 1; } };",
            "Doc::count",
        );
        let Kind::SetUp { calls, .. } = &recipe.kind else { panic!("{recipe:?}") };
        assert_eq!(calls.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["parse", "addItem", "settle"]);
        assert!(matches!(calls[0].args[0].recipe.kind, Kind::CString { .. }));
    }

    #[test]
    fn an_object_with_text_or_objects_of_its_own_is_left_alone() {
        let recipe = object_of(
            "struct Doc { Doc(const char *text); int parse(const char *text); int count() const { return 1; } };",
            "Doc::count",
        );
        assert!(matches!(recipe.kind, Kind::Construct { .. }), "{recipe:?}");
    }

    #[test]
    fn an_object_that_is_only_handed_out_const_is_reached_through_what_owns_it() {
        let source = "class Item { Item(); ~Item(); friend class Doc; public: int get() const { return 1; }
               const Item *next() const; };
             class Doc { public: const Item *first() const; void add(int); };";
        let Recipe { ty, kind: Kind::Factory { callee, object, .. }, .. } = object_of(source, "Item::get") else {
            panic!()
        };
        assert_eq!((ty.spelling.as_str(), callee.as_str()), ("const Item", "first"));
        assert!(matches!(object.unwrap().recipe.kind, Kind::SetUp { .. }));
    }

    #[test]
    fn an_object_that_is_asked_for_a_part_of_it_is_filled_before_whatever_it_was_constructed_with() {
        let source = "class Part { Part(); ~Part(); friend class Whole; public: int get() const { return 1; } };
             class Whole { public: Whole(const char *name); Part *first(); void add(const char *name, int value); };";
        let Kind::Factory { callee, object, .. } = object_of(source, "Part::get").kind else { panic!() };
        assert_eq!(callee, "first");
        let Kind::SetUp { calls, .. } = &object.unwrap().recipe.kind else { panic!() };
        assert_eq!(calls.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["add"]);
    }

    #[test]
    fn methods_that_take_objects_of_their_own_kind_do_not_send_the_search_in_circles() {
        let source = "class Node { int n; public: void insert(Node *child); void setName(const char *); \
            int get() const { return 1; } };";
        let Kind::SetUp { calls, .. } = object_of(source, "Node::get").kind else { panic!() };
        assert_eq!(calls.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["setName"]);
    }

    #[test]
    fn what_creates_is_preferred_to_casts_and_look_ups() {
        let source = "class Doc; class Node { public: virtual ~Node(); virtual class Element *toElement(); };
             class Element : public Node { Element(); friend class Doc; public: int get() { return 1; } };
             class Doc : public Node { public: Element *root(); Element *newElement(const char *name); };";
        let recipe = object_of(source, "Element::get");
        let Kind::Factory { callee, .. } = &recipe.kind else { panic!("{recipe:?}") };
        assert_eq!(callee, "newElement");
    }
}
