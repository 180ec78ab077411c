//! Objects of C: a structure that only pointers to are handed around is made by a function of the project that says so
//! by its name, and taken down by another. Filled field by field it would be nothing that its functions know.

use crate::facts::out_params::out_param;
use crate::lexicon::{Lexicon, MAKES, Role};
use crate::model::{Class, Function, Language, Model, Param, Prim, Type, TypeKind, Usr};
use crate::plan::request::Request;
use crate::plan::unit_scope::UnitScope;
use crate::plan::{Kind, Recipe, Slot, Yield};
use crate::types::arithmetic::is_integer;
use crate::types::records::{is_place_of, points_to};
use crate::types::spelling::{value_type, variable};
use crate::types::standard::complex_part;

/// How those are called that undo what made a structure ready.
const UNDOES: [Role; 2] = [Role::Clears, Role::Ends];

/// A maker that asks for more than numbers and text so often wants what cannot be made up.
const ASKS_FOR: usize = 3;
/// What asks for more than so much is no maker.
const ASKS_AT_ALL: usize = 8;
/// What another object is made of is mostly no larger, each way.
const LARGEST: u64 = 16;
/// So many functions that make one are alternatives, and so many that read one.
const MAKERS: usize = 2;
/// So many that put it below another one are.
const BELOW: usize = 6;
/// So many constant objects are alternatives.
const SHARED: usize = 4;
/// A structure that begins others is made by so many functions at most, and begins so many at least.
const KINDS: usize = 8;
const KINDS_LEAST: usize = 2;

/// An object of a C structure by functions of the project.
pub(in crate::plan) enum InC {
    /// Nothing: it is filled field by field.
    Nothing,
    /// An object.
    Made(Box<Recipe>),
    /// One that functions make, which is skipped: no input got anywhere with it.
    Skipped,
}

impl InC {
    /// The object.
    pub(in crate::plan) fn recipe(&self) -> Option<&Recipe> {
        match self {
            InC::Made(recipe) => Some(recipe),
            InC::Nothing | InC::Skipped => None,
        }
    }
}

/// An object of a C structure as the project itself makes one, if the structure has more in it than numbers.
pub(in crate::plan) fn made_in_c(scope: &UnitScope<'_>, to: &Type, request: Request<'_>) -> InC {
    let Some(class) = to.record().and_then(|usr| scope.model.classes.get(usr)) else { return InC::Nothing };
    // (What it is made of may be known to its own file alone.)
    let is_known = class.definition.is_some() && scope.in_reach(class);
    let begins_others = begins_others(scope, class);
    let is_plain = is_known && !begins_others && !class.fields.iter().any(|field| leads_on(&field.ty));
    // Text that was pointed to as its structure was made ready is as long as that says.
    let has_room = begins_others || class.fields.iter().any(|field| field.ty.pointee().is_some());
    if class.language != Language::C || is_plain && !has_room {
        return InC::Nothing;
    }
    let open = request.opening(&class.usr);
    let inside = request.inside(&open);
    if request.objects_open() > 0 {
        let is_first = request.objects_open() == 1 && !is_plain && !to.is_const && scope.skipped == 0;
        return if is_first { part_in_c(scope, to, class, inside) } else { InC::Nothing };
    }
    let mut among = Vec::new();
    // A constant object may be shared.
    if to.is_const && !is_plain {
        let shared = shared(scope, class).into_iter();
        let made = shared.filter_map(|giver| scope.factory(to, giver, Yield::Borrowed, inside).ok());
        among.extend(made.take(SHARED).map(|recipe| {
            let name = crate::types::spelling::variable(to.bare_spelling());
            Slot::new(name, to.clone(), recipe)
        }));
    }
    let yields = |maker: &Function| {
        out_param(scope.lexicon(), maker).map_or(Yield::Borrowed, |(_, place)| Yield::Through(place))
    };
    let shares = !among.is_empty();
    // Which structure it is in is known to those functions alone that hand it out, whatever their names.
    if begins_others && !shares {
        let made = makers(scope, class, None).into_iter();
        let made = made.filter_map(|maker| scope.factory(to, maker, yields(maker), inside).ok());
        among.extend(made.take(KINDS).map(|recipe| Slot::new(variable(to.bare_spelling()), to.clone(), recipe)));
    }
    let others = if among.is_empty() && !is_plain { vec![&MAKES[..], &[Role::Reads]] } else { Vec::new() };
    for words in others {
        let all = makers(scope, class, Some(words));
        // Beside one that stands in the unit's file, those of other files make what that one does not.
        let is_home = |maker: &Function| file_of(maker) == file_of(scope.function);
        let at_home = all.first().is_some_and(|first| is_home(first));
        let (below, alone): (Vec<_>, Vec<_>) = all
            .into_iter()
            .filter(|maker| is_home(maker) == at_home)
            .partition(|maker| maker.params.iter().any(|param| takes(param, &class.usr)));
        for (makers, most) in [(alone, MAKERS), (below, BELOW)] {
            let made = makers.into_iter().filter_map(|maker| {
                let recipe = scope.factory(to, maker, yields(maker), inside).ok()?;
                Some(below_nothing(recipe, maker, &class.usr))
            });
            among.extend(made.take(most).map(|recipe| Slot::new(variable(to.bare_spelling()), to.clone(), recipe)));
        }
    }
    if among.is_empty()
        && let ready @ (InC::Made(_) | InC::Skipped) = ready_in_c(scope, to, class, inside)
    {
        return ready;
    }
    let made = match among.len() {
        0 => None,
        1 => among.pop().map(|only| only.recipe),
        _ => Some(Kind::Choice { among }.of(value_type(to))),
    };
    match made {
        // Whoever makes it may refuse all that there is to make it from: where no input gets there, it is filled.
        Some(_) if scope.skipped > 0 && is_known => InC::Skipped,
        // Nobody may change a shared object.
        Some(recipe) if shares => InC::Made(Box::new(recipe)),
        Some(recipe) => InC::Made(Box::new(super::setup_calls_c::set_up_in_c(scope, recipe, to, class, request))),
        None => InC::Nothing,
    }
}

/// What another object of C is made of, as a function makes it that asks for nothing but numbers and text: full of
/// noughts, or filled member by member, it would be nothing that the other one's functions can work with.
fn part_in_c(scope: &UnitScope<'_>, to: &Type, class: &Class, request: Request<'_>) -> InC {
    part(scope, to, class, request).map_or(InC::Nothing, |recipe| InC::Made(Box::new(recipe)))
}

/// An object of C as a function makes it that asks for nothing but numbers and text.
pub(super) fn part(scope: &UnitScope<'_>, to: &Type, class: &Class, request: Request<'_>) -> Option<Recipe> {
    let asks_for_little =
        |maker: &&Function| maker.params.iter().all(|param| super::setup_calls_c::keeps_nothing(&param.ty));
    let makers = makers(scope, class, Some(&MAKES)).into_iter().filter(asks_for_little);
    let mut made = makers.filter_map(|maker| scope.factory(to, maker, Yield::Borrowed, request).ok());
    let mut recipe = made.next()?;
    as_sizes(recipe.parts_mut());
    Some(recipe)
}

/// Makes numbers small more often than not: what a maker is told is mostly how large its object becomes.
pub(super) fn as_sizes<'s>(slots: impl IntoIterator<Item = &'s mut Slot>) {
    for slot in slots {
        if let (Kind::Prim { range: None }, TypeKind::Prim(prim)) = (&slot.recipe.kind, &slot.recipe.ty.kind)
            && is_integer(*prim)
            && slot.recipe.ty.size.is_some_and(|size| size > 2)
        {
            slot.recipe.kind = Kind::Length { most: LARGEST, free: true, below: false };
        }
    }
}

/// An object that a function of the project makes ready where it stands: `list_init(&list)`. As empty as it is then, it
/// must come to more by other calls, or by what that function is told.
fn ready_in_c(scope: &UnitScope<'_>, to: &Type, class: &Class, request: Request<'_>) -> InC {
    let Some(home) = class.definition.as_ref().map(|at| &at.file) else { return InC::Nothing };
    let is_private = scope.model.units.iter().any(|unit| unit.main_file == *home);
    if is_private && !scope.sees(home) {
        return InC::Nothing;
    }
    let unit = scope.id();
    let mut readies: Vec<(usize, &Function, usize)> = scope
        .model
        .functions
        .values()
        .filter(|f| f.id != unit)
        .filter(|f| !f.is_file_local || f.definition.as_ref().is_some_and(|at| scope.sees(&at.extent.file)))
        .filter_map(|f| {
            let place = made_ready(scope.lexicon(), f, &class.usr)?;
            Some((scope.lexicon().rank(&f.name, Role::Initialises)?, f, place))
        })
        .filter(|(_, f, _)| scope.is_declared(f))
        .collect();
    readies.sort_by_key(|(rank, f, _)| (*rank, f.params.len(), f.name.len(), f.id.clone()));
    let mut made =
        readies.into_iter().filter_map(|(_, f, place)| scope.factory(to, f, Yield::InPlace(place), request).ok());
    let Some(made) = made.next() else { return InC::Nothing };
    // It may be the wrong one: where no input gets there so, the structure is filled.
    if scope.skipped > 0 {
        return InC::Skipped;
    }
    let is_told = matches!(&made.kind, Kind::Factory { args, .. } if !args.is_empty());
    let made = super::setup_calls_c::set_up_in_c(scope, made, to, class, request);
    if is_told || matches!(made.kind, Kind::SetUp { .. }) { InC::Made(Box::new(made)) } else { InC::Nothing }
}

/// What a maker makes that puts it below another object of the kind: below none. `node_new_text(NULL, "a")`.
fn below_nothing(mut recipe: Recipe, maker: &Function, usr: &Usr) -> Recipe {
    if let Kind::Factory { args, .. } = &mut recipe.kind {
        for (arg, _) in args.iter_mut().zip(&maker.params).filter(|(_, param)| takes(param, usr)) {
            arg.recipe = Kind::Fixed { expression: "NULL".to_owned() }.of(arg.recipe.ty.clone());
            arg.nullable = false;
        }
    }
    recipe
}

/// Functions that make an object of the structure from other things, or below another one that may be null: those that
/// stand beside the unit first, as there may be many that hand out one type; then the one that asks for least.
fn makers<'m>(scope: &UnitScope<'m>, class: &Class, words: Option<&[Role]>) -> Vec<&'m Function> {
    let unit = scope.id();
    // (Who asks whether there is one needs none, but to make it ready. Functions of any name work on it.)
    let needs_none = |param: &Param| words.is_some() && param.tested;
    let takes_one = |f: &Function| {
        let asks_for_one = |param: &Param| takes(param, &class.usr) && !needs_none(param);
        f.params.iter().any(asks_for_one) || made_ready(scope.lexicon(), f, &class.usr).is_some()
    };
    let mut makers: Vec<&Function> = scope
        .model
        .functions
        .values()
        .filter(|f| f.language == Language::C && f.owner.is_none() && f.id != *unit && !f.is_variadic)
        .filter(|f| {
            let hands_out = out_param(scope.lexicon(), f).is_some_and(|(of, _)| *of == class.usr);
            let is_easy = |param: &&Param| is_callers_own(&param.ty) || super::setup_calls_c::keeps_nothing(&param.ty);
            let asked = f.params.iter().filter(|param| !is_easy(param)).count();
            asked <= ASKS_FOR + usize::from(hands_out)
                && f.params.len() <= ASKS_AT_ALL
                && (hands_out || yields(f, &class.usr))
        })
        .filter(|f| words.is_none_or(|words| scope.lexicon().says(&f.name, words)) && !takes_one(f))
        .filter(|f| !f.is_file_local || f.definition.as_ref().is_some_and(|at| scope.sees(&at.extent.file)))
        .filter(|f| scope.is_declared(f))
        .collect();
    let home = file_of(scope.function);
    makers.sort_by_key(|f| (file_of(f) != home, f.params.len(), f.name.len(), f.id.clone()));
    makers
}

fn file_of(function: &Function) -> Option<&std::path::Path> {
    function.definition.as_ref().map(|at| at.extent.file.as_path())
}

/// Whether other structures begin with it, as subclasses do with their base: an object of that type alone is none that
/// its functions know.
fn begins_others(scope: &UnitScope<'_>, class: &Class) -> bool {
    let begins = |other: &&Class| other.fields.first().and_then(|field| field.ty.record()) == Some(&class.usr);
    class.language == Language::C && scope.model.classes.values().filter(begins).count() >= KINDS_LEAST
}

/// What a caller makes of nothing: what is called back, and what that is told.
fn is_callers_own(ty: &Type) -> bool {
    let to = ty.pointee();
    to.is_some_and(|to| matches!(to.kind, TypeKind::Function { .. } | TypeKind::Void))
}

/// Functions that hand out something constant without being asked for anything.
fn shared<'m>(scope: &UnitScope<'m>, class: &Class) -> Vec<&'m Function> {
    let hands_out = |f: &Function| f.result.pointee().is_some_and(|to| to.is_const && to.record() == Some(&class.usr));
    let unit = scope.id();
    let mut all: Vec<&Function> = scope
        .model
        .functions
        .values()
        .filter(|f| f.language == Language::C && f.owner.is_none() && f.id != *unit && f.params.is_empty())
        .filter(|f| hands_out(f) && scope.is_declared(f))
        .filter(|f| !f.is_file_local || f.definition.as_ref().is_some_and(|at| scope.sees(&at.extent.file)))
        .collect();
    all.sort_by_key(|f| f.id.clone());
    all
}

/// Whether the unit itself ends the object behind its parameter, which was made so.
pub(in crate::plan) fn unit_ends(scope: &UnitScope<'_>, to: &Type, made: &Recipe) -> bool {
    let unit = scope.id();
    let is_ender = ender(scope.lexicon(), scope.model, to, made).is_some_and(|end| end.id == *unit);
    is_ender
        || scope
            .model
            .functions
            .values()
            .find(|f| f.id == *unit)
            .is_some_and(|f| scope.lexicon().says(&f.name, Role::Ends))
}

/// Where the structure stands that a function of C makes ready, by its name: the index of the one parameter that points
/// to such.
pub(in crate::plan) fn made_ready(lexicon: &Lexicon, function: &Function, usr: &Usr) -> Option<usize> {
    let mut places =
        function.params.iter().enumerate().filter(|(_, p)| p.ty.pointee().is_some_and(|to| to.record() == Some(usr)));
    let (Some((place, param)), None) = (places.next(), places.next()) else { return None };
    let asks = function.params.iter().filter(|p| lexicon.says(&p.name, Role::File)).count();
    let is_one = function.language == Language::C
        && function.owner.is_none()
        && !function.is_variadic
        && function.params.len() <= ASKS_FOR + 1
        && asks == 0
        && points_to(&param.ty, usr)
        && lexicon.says(&function.name, Role::Initialises);
    is_one.then_some(place)
}

/// The function that ends an object which a recipe of C has made: of one that was made ready where it stands, what it
/// has come to hold.
pub fn ender<'m>(lexicon: &Lexicon, model: &'m Model, to: &Type, recipe: &Recipe) -> Option<&'m Function> {
    let words: &[Role] = if stands_by_itself(recipe) { &UNDOES } else { &[Role::Ends] };
    ends_by(lexicon, model, to, words, handle_of(model, recipe))
}

/// Whether a function of C yields a pointer to the structure, by its declaration or by what its body returns.
pub(super) fn yields(function: &Function, usr: &Usr) -> bool {
    points_to(&function.result, usr) || points_to(function.yielded(), usr)
}

/// Whether a parameter is a pointer to the structure, as it is declared or as the body takes it.
pub(super) fn takes(param: &Param, usr: &Usr) -> bool {
    points_to(&param.ty, usr) || points_to(param.taken(), usr)
}

/// The handle that a recipe's object was had from: it ends with that.
pub(super) fn handle_of<'m>(model: &'m Model, recipe: &Recipe) -> Option<&'m Type> {
    match &recipe.kind {
        Kind::Factory { function, .. } => {
            let maker = model.functions.get(function)?;
            (maker.yielded() != &maker.result).then_some(&maker.result)
        }
        Kind::SetUp { object, .. } => handle_of(model, &object.recipe),
        Kind::Choice { among } => among.iter().find_map(|slot| handle_of(model, &slot.recipe)),
        _ => None,
    }
}

/// Whether the object of a recipe of C is one of the caller's own, which was made ready.
fn stands_by_itself(recipe: &Recipe) -> bool {
    match &recipe.kind {
        Kind::Factory { yields, .. } => matches!(yields, Yield::InPlace(_)),
        Kind::SetUp { object, .. } => stands_by_itself(&object.recipe),
        Kind::Choice { among } => among.iter().all(|slot| stands_by_itself(&slot.recipe)),
        Kind::Mined { steps, object, .. } => stands_by_itself(&steps[*object].slot.recipe),
        _ => false,
    }
}

/// The function that takes down what a function of the project has made of a C structure.
pub fn destroyer<'m>(lexicon: &Lexicon, model: &'m Model, to: &Type) -> Option<&'m Function> {
    ends_by(lexicon, model, to, &[Role::Ends], None)
}

fn ends_by<'m>(
    lexicon: &Lexicon,
    model: &'m Model,
    to: &Type,
    words: &[Role],
    handle: Option<&Type>,
) -> Option<&'m Function> {
    let usr = to.record()?;
    let is_of_handle = |f: &Function| handle.is_some_and(|handle| f.params[0].ty.canonical() == handle.canonical());
    // (What takes a `void *` may be called back for it; it ends what was had as one.)
    let is_untyped = |ty: &Type| ty.pointee().is_some_and(|to| to.kind == TypeKind::Void);
    let one = |f: &&Function| match f.params.as_slice() {
        // `frame_free(&frame)` sets the pointer to null as well. (`frames_free(all)` has an array of them.)
        [only] if is_place_of(&only.ty, usr) => {
            let is_one = only.elements.as_ref().is_none_or(|elements| !elements.many);
            words == [Role::Ends] && is_one && f.definition.is_some()
        }
        [only] => takes(only, usr) && !is_untyped(&only.ty) || is_of_handle(f) && points_to(only.taken(), usr),
        _ => false,
    };
    let mut ends: Vec<&Function> = model
        .functions
        .values()
        .filter(|f| f.language == Language::C && f.owner.is_none() && lexicon.says(&f.name, words))
        .filter(|f| !f.is_file_local || is_of_header(model, f))
        .filter(one)
        .collect();
    // (What is called `close` may only say that nothing more follows.)
    let calls = |f: &Function| crate::facts::given_back::frees_after(model, lexicon, f).unwrap_or(usize::MAX);
    // An object that is counted is given up by what deletes it then: `json_decref` calls `json_delete`.
    let is_inner = |f: &Function| {
        let others = ends.iter().filter(|other| other.usr != f.usr);
        let mut bodies = others.filter_map(|other| other.definition.as_ref());
        words == [Role::Ends] && bodies.any(|body| body.calls.contains(&f.usr))
    };
    let inner: Vec<Usr> = ends.iter().filter(|f| is_inner(f)).map(|f| f.usr.clone()).collect();
    ends.sort_by_cached_key(|f| {
        let calls = calls(f);
        let is_other = (!is_of_handle(f), !points_to(&f.params[0].ty, usr));
        let is_last = (is_other, calls == usize::MAX, inner.contains(&f.usr));
        (is_last, calls, lexicon.rank(&f.name, words), f.name.len(), f.id.clone())
    });
    ends.first().copied()
}

/// Whether a function that is local to each file stands in a header.
fn is_of_header(model: &Model, function: &Function) -> bool {
    function.definition.as_ref().is_some_and(|body| model.unit_compiling(&body.extent.file).is_none())
}

/// The function that ends what a function of C returns, where that makes a new object by its name, and of nothing that
/// it could hand back.
pub fn ends_result<'m>(lexicon: &Lexicon, model: &'m Model, function: &Function) -> Option<&'m Function> {
    let to = function.result.pointee().filter(|to| !to.is_const && function.language == Language::C)?;
    let usr = to.record()?;
    let makes = lexicon.says(&function.name, [&MAKES[..], &[Role::Reads]].concat());
    // (An object that it may change may keep what it makes.)
    let is_object = |to: &Type| !to.is_const && to.record().is_some() && complex_part(to).is_none();
    let may_keep = |ty: &Type| ty.pointee().is_some_and(is_object);
    let is_kept = function.params.iter().any(|param| points_to(&param.ty, usr) || may_keep(&param.ty));
    // (What is asked for nothing may hand out one that is there already.)
    let is_new = !function.params.is_empty() || lexicon.says(&function.name, Role::Creates);
    destroyer(lexicon, model, to).filter(|_| makes && is_new && !is_kept)
}

/// Whether a recipe's object comes from a function of a C project, whose it still is.
pub fn is_made(recipe: &Recipe) -> bool {
    match &recipe.kind {
        Kind::Factory { .. } => true,
        Kind::Choice { among, .. } => are_made(among),
        Kind::SetUp { object, .. } => is_made(&object.recipe),
        Kind::Mined { steps, object, .. } => is_made(&steps[*object].slot.recipe),
        _ => false,
    }
}

/// Whether all of several recipes are such, and one function ends the object of any.
pub fn are_made(among: &[Slot]) -> bool {
    let is_like = |slot: &Slot| stands_by_itself(&slot.recipe) == stands_by_itself(&among[0].recipe);
    among.iter().all(|slot| is_made(&slot.recipe) && is_like(slot))
}

/// A pointer to more than text.
pub(in crate::plan) fn leads_on(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Pointer(to) => !matches!(to.kind, TypeKind::Prim(Prim::Char)),
        TypeKind::Array(of, _) => leads_on(of),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::Hierarchy;
    use crate::overrides::Overrides;
    use crate::parse::testing::read_c;
    use crate::plan::planner::Planner;

    const PARSER: &str = "struct node { struct node *next; int n; };\nstruct node *node_new(int n);\nvoid \
        node_free(struct node *it);\n\
        struct node *node_parse(const char *text) { return *text ? node_new(*text) : 0; }\n\
        struct node *node_next(struct node *it) { return it->next; }\nint renew(int n) { return n; }\n\
        int depth(struct node *it) { return it->next ? 2 : it->n; }\nvoid node_free(struct node *it) { it->n = 0; }\n\
        struct node *node_new(int n) { static struct node one; one.n = n; return &one; }\n\
        struct spot { int x, y; };\nstruct spot *spot_new(void);\nint far(struct spot *it) { return it->x; }\n";

    #[test]
    fn an_object_that_is_counted_is_given_up_and_not_deleted() {
        let model = read_c(
            "#include <stdlib.h>\nstruct node { int count; char *name; };\n\
             void node_delete(struct node *it) { free(it->name); free(it); }\n\
             void node_unref(struct node *it) { if (--it->count == 0) node_delete(it); }\n\
             struct pipe { int fd; };\nvoid pipe_close(struct pipe *it) { it->fd = -1; }\n\
             void pipe_free(struct pipe *it) { free(it); }\nstruct film { int frame; };\n\
             int both(struct node *n, struct pipe *p, struct film *f);\n\
             void films_free(struct film **all) { while (*all) free(*all++); }\n\
             void film_free(struct film **it) { free(*it); *it = 0; }\n",
        );
        let both = model.functions.values().find(|f| f.name == "both").unwrap();
        let end = |place: usize| {
            let to = both.params[place].ty.pointee().unwrap();
            destroyer(&Lexicon::default(), &model, to).unwrap().name.as_str()
        };
        assert_eq!((end(0), end(1), end(2)), ("node_unref", "pipe_free", "film_free"));
    }

    #[test]
    fn a_structure_that_leads_on_is_made_and_ended_by_the_projects_functions() {
        let model = read_c(PARSER);
        let hierarchy = Hierarchy::new(&model);
        let overrides = Overrides::default();
        let planner = Planner::new(&model, &hierarchy, &overrides);
        let usr = |name: &str| model.functions.values().find(|f| f.name == name).unwrap().usr.clone();
        let recipe =
            |unit: &str| crate::plan::plan_unit(&planner, &usr(unit)).unwrap().entries[0].args[0].recipe.clone();
        let Kind::Pointer { to, given, .. } = recipe("depth").kind else { panic!() };
        let Kind::Choice { among, .. } = &to.recipe.kind else { panic!("{:?}", to.recipe) };
        let callees = among.iter().map(|slot| match &slot.recipe.kind {
            Kind::Factory { callee, .. } => callee.as_str(),
            _ => "",
        });
        assert_eq!(callees.collect::<Vec<_>>(), ["node_new", "node_parse"]);
        assert!(!given && is_made(&to.recipe));
        assert_eq!(destroyer(overrides.lexicon(), &model, &to.ty).unwrap().name, "node_free");
        // Whoever ends it is not followed by another who does.
        assert!(matches!(recipe("node_free").kind, Kind::Pointer { given: true, .. }));
        // A structure of numbers has nothing to lose.
        let Kind::Pointer { to, .. } = recipe("far").kind else { panic!() };
        assert!(matches!(to.recipe.kind, Kind::Fields { .. }));
    }

    #[test]
    fn what_puts_an_object_below_another_makes_one_below_none_and_what_makes_one_ready_is_given_one() {
        let model = read_c(
            "struct node { struct node *first; int n; };\nstruct node one;\n\
             struct node *node_new_below(struct node *up, int n) {\n\
             if (up) up->first = &one; one.n = n; return &one; }\n\
             struct node *node_init(struct node *it) { if (!it) return 0; it->n = 0; return it; }\n\
             int depth(struct node *it) { return it->first ? 2 : it->n; }\n",
        );
        let hierarchy = Hierarchy::new(&model);
        let overrides = Overrides::default();
        let planner = Planner::new(&model, &hierarchy, &overrides);
        let depth = model.functions.values().find(|f| f.name == "depth").unwrap();
        let plan = crate::plan::plan_unit(&planner, &depth.usr).unwrap();
        let Kind::Pointer { to, .. } = &plan.entries[0].args[0].recipe.kind else { panic!() };
        let Kind::Factory { callee, args, .. } = to.recipe.clone().without_set_up().kind else { panic!("{to:?}") };
        assert_eq!(
            (callee.as_str(), &args[0].recipe.kind),
            ("node_new_below", &Kind::Fixed { expression: "NULL".into() })
        );
    }

    #[test]
    fn a_structure_that_nobody_hands_out_is_made_ready_where_it_stands() {
        let model = read_c(
            "struct bag { int *items; int n; };\nvoid bag_init(struct bag *it);\nvoid bag_add(struct bag *it, int \
                item);\n\
             void bag_clear(struct bag *it);\nvoid bag_free(struct bag *it);\nvoid bag_init_from(struct bag *it, \
             struct bag *other);\n\
             int bag_sum(const struct bag *it) { return it->items[it->n - 1]; \
             }\nvoid bag_clear(struct bag *it) { it->n = 0; }\n\
             struct ring { char *at; int room; };\nint ring_setup(int room, struct ring *it);\nint ring_left(struct \
             ring *it) { return it->room; }\n\
             struct hook { struct hook *next; };\nvoid hook_init(struct hook *it);\nint hook_ends(struct hook *it) { \
             return !it->next; }\n\
             void hook_init(struct hook *it) { it->next = it; }\n\
             struct win { struct win *kid; int n; };\nvoid win_create_child(struct win *it, int n);\nint \
             win_left(struct win *it) { return it->n; }\n",
        );
        let hierarchy = Hierarchy::new(&model);
        let overrides = Overrides::default();
        let planner = Planner::new(&model, &hierarchy, &overrides);
        let recipe = |unit: &str| {
            let usr = model.functions.values().find(|f| f.name == unit).unwrap().usr.clone();
            let Kind::Pointer { to, given, .. } =
                crate::plan::plan_unit(&planner, &usr).unwrap().entries[0].args[0].recipe.clone().kind
            else {
                panic!()
            };
            (to, given)
        };
        let (to, given) = recipe("bag_sum");
        let Kind::SetUp { object, calls, .. } = &to.recipe.kind else { panic!("{:?}", to.recipe) };
        let Kind::Factory { callee, args, yields, .. } = &object.recipe.kind else { panic!("{:?}", object.recipe) };
        assert_eq!((callee.as_str(), args.len(), *yields, given), ("bag_init", 0, Yield::InPlace(0), false));
        assert_eq!(calls.iter().map(|call| call.name.as_str()).collect::<Vec<_>>(), ["bag_add"]);
        assert_eq!(
            ender(overrides.lexicon(), &model, &to.ty, &to.recipe).unwrap().name,
            "bag_clear",
            "the structure itself is nobody's to free"
        );
        assert!(recipe("bag_clear").1, "who ends it is not followed by another who does");
        let (to, _) = recipe("ring_left");
        let Kind::Factory { args, yields: Yield::InPlace(1), .. } = &to.recipe.kind else { panic!("{:?}", to.recipe) };
        assert_eq!(args.len(), 1, "it is told how large");
        let usr = model.functions.values().find(|f| f.name == "ring_left").unwrap().usr.clone();
        let other = crate::plan::Departure { skipped: 1, ..Default::default() };
        let otherwise = crate::plan::plan_otherwise(&planner, &usr, other).unwrap();
        let Kind::Pointer { to, .. } = &otherwise.entries[0].args[0].recipe.kind else { panic!() };
        assert!(
            matches!(to.recipe.kind, Kind::Fields { .. }),
            "where no input gets there, it is filled: {:?}",
            to.recipe
        );
        // A structure that stays empty is filled, and so is one that the unit itself initialises.
        for unit in ["hook_ends", "hook_init", "win_left"] {
            assert!(matches!(recipe(unit).0.recipe.kind, Kind::Fields { .. }), "{unit}");
        }
    }
}
