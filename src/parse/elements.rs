//! Array lengths, as a body shows them: which indices it uses behind its pointers, and what bounds
//! those indices.
//!
//! `for (i = 0; i < n; ++i) sum += x[i];` says that `n` counts what is behind `x`, wherever the two stand among the
//! parameters and whatever they are called.

use super::countdowns::Countdown;
use super::displacements::{Call, element_size, moved_by};
use super::operands::{Between, bare, constant, is_pointer, named, names};
use super::pointer_ranges::Pointers;
use super::steps_back::History;
use super::variables::key;
use crate::model::{ASKED, Elements, Param, Type, TypeKind, Usr};
use clang::{Entity, EntityKind};
use std::collections::{BTreeMap, BTreeSet};

/// How often one variable is followed to the next.
const CHAIN: usize = 4;
/// At most this is subtracted from a length for an index.
const NEAR: u64 = 8;
/// A place beyond which a constant is no place in what a caller has.
pub(super) const FARTHEST: u64 = 256;

/// The indices that a body uses, by the keys of parameters and variables, and the USRs of members.
#[derive(Default)]
pub(super) struct Places {
    /// By pointer: one more than the farthest constant place, and the names that other places are made of, each place
    /// for itself.
    looked_at: BTreeMap<String, (u64, Vec<BTreeSet<String>>)>,
    /// The same of members, by their USRs.
    members: BTreeMap<Usr, (u64, Vec<BTreeSet<String>>)>,
    /// Variables that hold what a pointer member does.
    held: BTreeMap<String, Usr>,
    /// Places before what pointers point to.
    history: History,
    /// Pointers that are moved along.
    moved: BTreeSet<String>,
    /// The sizes of the elements that a pointer is looked at as, in bytes.
    sizes: BTreeMap<String, BTreeSet<u64>>,
    /// By variable: what it is compared with or set to.
    bounds: BTreeMap<String, BTreeSet<String>>,
    /// By name: the greatest constant that it is compared with.
    constants: BTreeMap<String, u64>,
    /// By name: how far constants up to [`FARTHEST`] let it count, which it is compared with or set to.
    counted: BTreeMap<String, u64>,
    /// Factors of a bound.
    factors: BTreeSet<String>,
    /// By name: the greatest size or number up to [`ASKED`] that it is compared with.
    asked: BTreeMap<String, u64>,
    /// Variables that are compared with anything: before that they need not be valid indices.
    compared: BTreeSet<String>,
    /// Calls that get parameters and variables.
    calls: Vec<Call>,
}

impl Places {
    /// Takes in one expression or declaration of the body; `between` gives the text between two expressions.
    pub fn see<'tu>(&mut self, entity: Entity<'tu>, pointers: &Pointers, between: &mut Between<'_, 'tu>) {
        self.history.see(entity, pointers, between);
        let children = entity.get_children();
        match entity.get_kind() {
            EntityKind::ArraySubscriptExpr => {
                if let [one, other] = children[..] {
                    self.look([one, other], pointers, between);
                }
            }
            // `*(p + n)`, and `*p++`.
            EntityKind::UnaryOperator => {
                let Some(of) = children.first().map(|of| bare(*of)) else { return };
                match of.get_kind() {
                    EntityKind::BinaryOperator if !is_pointer(entity) => {
                        if let [one, other] = of.get_children()[..] {
                            self.look([one, other], pointers, between);
                        }
                    }
                    _ if is_pointer(entity) && entity.get_type() == of.get_type() => {
                        if let Some(base) = pointers.base(of) {
                            self.sizes.entry(base.clone()).or_default().extend(element_size(of));
                            self.moved.insert(base);
                        }
                    }
                    // `*p`
                    _ if is_pointer(of) => {
                        if let Some(base) = pointers.base(of) {
                            self.sizes.entry(base).or_default().extend(element_size(of));
                        }
                    }
                    _ => {}
                }
            }
            // `p += n`
            EntityKind::CompoundAssignOperator if is_pointer(entity) => {
                let of = children.first().map(|of| bare(*of));
                if let Some((base, of)) = of.and_then(|of| Some((pointers.base(of)?, of))) {
                    self.sizes.entry(base).or_default().extend(element_size(of));
                }
            }
            // `p + n`, which calls are given, and which ends what begins at `p`.
            EntityKind::BinaryOperator if is_pointer(entity) => {
                if let [one, other] = children[..]
                    && is_pointer(one) != is_pointer(other)
                    && between(one, other).is_some_and(|text| text.trim() == "+")
                {
                    self.look([one, other], pointers, between);
                }
            }
            EntityKind::BinaryOperator => {
                let [left, right] = children[..] else { return };
                let Some(text) = between(left, right).filter(|_| !is_pointer(left)) else { return };
                let text = text.trim();
                if matches!(text, "<" | "<=" | ">" | ">=" | "!=" | "=") {
                    if text != "=" {
                        self.compared.extend(names(left).into_iter().chain(names(right)));
                        self.compare_with_constant(left, right);
                        self.compare_with_constant(right, left);
                    }
                    if text == "=" {
                        self.count(
                            named(bare(left)),
                            constant(right).filter(|to| *to > 0).map(|to| to.saturating_add(1)),
                        );
                    }
                    let sides = (Sum::of(left, between), Sum::of(right, between));
                    let (Some(left), Some(right)) = sides else { return };
                    self.bound(&left, &right);
                    if text != "=" {
                        self.bound(&right, &left);
                    }
                }
            }
            EntityKind::VarDecl => {
                let value = children.into_iter().rfind(|child| child.is_expression());
                let (Some(name), Some(value)) = (key(entity), value) else { return };
                if is_pointer(entity) {
                    self.held.extend(self.member(value).map(|member| (name, member)));
                    return;
                }
                let to = constant(value).filter(|to| *to > 0);
                self.count(Some(name.clone()), to.map(|to| to.saturating_add(1)));
                if let Some(value) = Sum::of(value, between) {
                    self.bound(&Sum { names: BTreeSet::from([name]), is_product: false }, &value);
                }
            }
            _ => {}
        }
    }

    /// A call of `callee` with these arguments.
    pub fn call<'tu>(
        &mut self,
        callee: Usr,
        args: &[Entity<'tu>],
        pointers: &Pointers,
        between: &mut Between<'_, 'tu>,
    ) {
        let given = |arg: &Entity<'tu>| {
            let arg = bare(*arg);
            if is_pointer(arg) { pointers.base(arg) } else { named(bare(without_cast(arg))) }
        };
        self.calls.extend(Call::of(callee, args, given, between));
    }

    /// A loop that counts down bounds what it moves meanwhile.
    pub fn count_down(&mut self, of: &Countdown) {
        let counted = of.moved.iter().chain(&of.moved_within);
        for name in counted {
            // (A place of its own: the loop looks at the count before it moves.)
            let rounds = format!("rounds {name}");
            self.bounds.entry(rounds.clone()).or_default().extend(of.counts.iter().cloned());
            self.bounds.entry(name.clone()).or_default().extend(of.counts.iter().cloned());
            self.looked_at.entry(name.clone()).or_default().1.push(BTreeSet::from([rounds]));
        }
        if !of.moved_within.is_empty() {
            self.factors.extend(of.counts.iter().cloned());
        }
    }

    fn look<'tu>(&mut self, [one, other]: [Entity<'tu>; 2], pointers: &Pointers, between: &mut Between<'_, 'tu>) {
        let (of, place) = if is_pointer(one) { (one, other) } else { (other, one) };
        let of_names = names(place);
        let places = |place: u64| place.saturating_add(1).saturating_add(moved_by(of, between));
        let least = constant(place).filter(|_| of_names.is_empty()).map_or(0, places);
        let known = match (pointers.base(of), self.member(of)) {
            (Some(name), _) => {
                self.sizes.entry(name.clone()).or_default().extend(element_size(of));
                self.looked_at.entry(name).or_default()
            }
            (None, Some(member)) => self.members.entry(member).or_default(),
            (None, None) => return,
        };
        known.0 = known.0.max(least);
        if !of_names.is_empty() {
            // An index that is computed otherwise (`table[crc & 7]`) says nothing of its operands.
            known.1.push(Sum::of(place, between).map(|sum| sum.names).unwrap_or_default());
        }
    }

    /// The member that an expression is, or that a variable holds the value of.
    fn member(&self, entity: Entity<'_>) -> Option<Usr> {
        let entity = bare(entity);
        let target = entity.get_reference()?;
        match (entity.get_kind(), target.get_kind()) {
            (EntityKind::MemberRefExpr, EntityKind::FieldDecl) => target.get_usr().map(|usr| usr.0),
            (EntityKind::DeclRefExpr, EntityKind::VarDecl) => self.held.get(&key(target)?).cloned(),
            _ => None,
        }
    }

    fn compare_with_constant(&mut self, of: Entity<'_>, with: Entity<'_>) {
        let Some(name) = named(bare(of)) else { return };
        let Some(constant) = constant(with) else { return };
        if constant <= ASKED {
            let known = self.asked.entry(name.clone()).or_default();
            *known = (*known).max(constant);
        }
        self.count(Some(name.clone()), Some(constant));
        let known = self.constants.entry(name).or_default();
        *known = (*known).max(constant);
    }

    fn count(&mut self, of: Option<String>, to: Option<u64>) {
        if let (Some(name), Some(to)) = (of, to.filter(|to| *to <= FARTHEST)) {
            let known = self.counted.entry(name).or_default();
            *known = (*known).max(to);
        }
    }

    fn bound(&mut self, of: &Sum, by: &Sum) {
        if let [only] = of.names.iter().collect::<Vec<_>>()[..] {
            self.bounds.entry(only.clone()).or_default().extend(by.names.iter().filter(|name| *name != only).cloned());
            if by.is_product && by.names.len() > 1 {
                self.factors.extend(by.names.iter().cloned());
            }
        }
    }

    /// Adds what the body shows of members to what the project knows.
    pub fn tell_of_members(&mut self, known: &mut BTreeMap<Usr, Elements>) {
        for (member, (least, places)) in std::mem::take(&mut self.members) {
            let mut shown = Elements { least, many: !places.is_empty(), ..Elements::default() };
            for place in &places {
                let before = shown.counted_by_members.len();
                // An index without a check may be the count itself.
                let is_itself = |name: &String| place.len() == 1 && place.contains(name);
                let all = place.iter().flat_map(|name| self.reached(name)).filter(|name| is_usr(name));
                for count in all {
                    shown.beyond |= is_itself(count) && !self.compared.contains(count);
                    shown.counted_by_members.insert(count.clone());
                }
                shown.in_rows |= place.len() > 1 && shown.counted_by_members.len() > before
                    || shown.counted_by_members.iter().any(|count| self.factors.contains(count));
            }
            add(known.entry(member).or_default(), &shown);
        }
    }

    /// Says of the parameters, whose keys are `keys`, what the body shows.
    pub fn tell(&self, params: &mut [Param], keys: &[String]) {
        let counts: Vec<(usize, String)> = (params.iter().zip(keys).enumerate())
            .filter(|(_, (param, _))| may_count(&param.ty))
            .map(|(index, (_, key))| (index, key.clone()))
            .collect();
        for (param, key) in params.iter_mut().zip(keys) {
            let leads_on = may_be_array(&param.ty);
            if leads_on {
                param.elements = self.behind(key, &counts, keys);
            }
            let is_untyped = is_untyped(&param.ty);
            if is_untyped && self.is_looked_at_as(key, param.seen_as.as_ref()) {
                param.elements = self.behind(key, &counts, keys);
            }
            if may_count(&param.ty) {
                param.asked = self.asked.get(key).copied().unwrap_or_default();
            }
            if leads_on || is_untyped || may_count(&param.ty) {
                param.handed_to = self.calls.iter().flat_map(|call| call.places(key)).collect();
            }
            if leads_on || is_untyped {
                param.passed_on = self.calls.iter().flat_map(|call| call.passed_on(key)).collect();
            }
        }
    }

    /// Whether all elements are of the type that a pointer to nothing is taken for, or bytes.
    fn is_looked_at_as(&self, name: &str, ty: Option<&Type>) -> bool {
        let size = ty.and_then(Type::pointee).map_or(Some(1), |to| to.size);
        self.sizes.get(name).is_some_and(|seen| seen.iter().all(|seen| Some(*seen) == size))
    }

    fn behind(&self, name: &str, counts: &[(usize, String)], params: &[String]) -> Option<Elements> {
        let none = (0, Vec::new());
        let (least, places) = self.looked_at.get(name).unwrap_or(&none);
        let mut found = Elements {
            least: if *least <= FARTHEST { *least } else { 0 },
            many: !places.is_empty() || self.moved.contains(name),
            before: self.history.longest(name, self.moved.contains(name), &|by, from| self.reached(by).contains(from)),
            ..Elements::default()
        };
        for place in places {
            let all: BTreeSet<&String> = place.iter().flat_map(|name| self.reached(name)).collect();
            // A place that the body looks at first may be anything.
            let is_checked =
                |count: &String| place.len() == 1 && place.contains(count) && self.compared.contains(count);
            let counted = counts.iter().filter(|(_, count)| all.contains(count) && !is_checked(count));
            let counted = counted.map(|(index, _)| *index);
            let before = found.counted_by.len();
            found.counted_by.extend(counted);
            let is_factor = |index: &usize| self.factors.contains(&params[*index]);
            found.in_rows |=
                place.len() > 1 && found.counted_by.len() > before || found.counted_by.iter().any(is_factor);
        }
        // `if (n > 40) return -1` asks for more than forty.
        let asked = found.counted_by.iter().filter_map(|index| self.constants.get(&params[*index]));
        let asked = asked.filter(|constant| **constant < FARTHEST).max().map_or(0, |constant| constant + 1);
        found.least = found.least.max(if found.in_rows { 0 } else { asked });
        // What the body counts itself, from nought up or from a constant down, goes that far.
        let alone = places.iter().filter(|place| place.len() == 1).flatten();
        let own = alone.flat_map(|name| self.reached(name)).filter(|name| !params.contains(name));
        let own = own.filter_map(|name| self.counted.get(name));
        found.least = found.least.max(own.max().copied().unwrap_or(0));
        (found != Elements::default()).then_some(found)
    }

    /// All that bounds a variable, itself included.
    fn reached<'p>(&'p self, name: &'p String) -> BTreeSet<&'p String> {
        let mut found = BTreeSet::from([name]);
        for _ in 0..CHAIN {
            let more: Vec<&String> = found.iter().filter_map(|name| self.bounds.get(*name)).flatten().collect();
            found.extend(more);
        }
        found
    }
}

/// Adds what another body shows of the same member.
pub(super) fn add(known: &mut Elements, shown: &Elements) {
    known.least = known.least.max(shown.least.min(FARTHEST));
    known.many |= shown.many;
    known.in_rows |= shown.in_rows;
    known.beyond |= shown.beyond;
    known.counted_by_members.extend(shown.counted_by_members.iter().cloned());
}

/// The number that an expression makes one of another type of: `(size_t)size`.
fn without_cast(entity: Entity<'_>) -> Entity<'_> {
    let is_cast = matches!(entity.get_kind(), EntityKind::CStyleCastExpr | EntityKind::StaticCastExpr);
    let size = |of: Entity<'_>| of.get_type().and_then(|ty| ty.get_sizeof().ok());
    let inner = || entity.get_children().into_iter().rfind(|child| child.is_expression());
    // (A narrower one is another number.)
    let whole = |inner: &Entity<'_>| size(*inner) <= size(entity);
    if is_cast { inner().filter(whole).unwrap_or(entity) } else { entity }
}

/// Whether a parameter may say how many there are: a whole number, or where one is, as Fortran has it.
pub(super) fn may_count(ty: &Type) -> bool {
    let to = ty.pointee().unwrap_or(ty);
    matches!(to.kind, TypeKind::Prim(prim) if prim.is_integer())
}

/// Whether what it points to may be one of many: a number, a structure, or a pointer.
pub(super) fn may_be_array(ty: &Type) -> bool {
    ty.pointee().is_some_and(|to| matches!(to.kind, TypeKind::Prim(_) | TypeKind::Record { .. } | TypeKind::Pointer(_)))
}

pub(super) fn is_untyped(ty: &Type) -> bool {
    ty.pointee().is_some_and(|to| matches!(to.kind, TypeKind::Void))
}

fn is_variable(entity: Entity<'_>) -> bool {
    matches!(entity.get_kind(), EntityKind::DeclRefExpr | EntityKind::MemberRefExpr)
}

/// Whether it stands for a member, not for a variable.
fn is_usr(name: &str) -> bool {
    name.contains('@')
}

/// An expression of names and constants that are added, subtracted or multiplied: what bounds it bounds them.
struct Sum {
    names: BTreeSet<String>,
    is_product: bool,
}

impl Sum {
    fn of<'tu>(entity: Entity<'tu>, between: &mut Between<'_, 'tu>) -> Option<Self> {
        let entity = bare(entity);
        let children = entity.get_children();
        let alone = |names| Some(Self { names, is_product: false });
        match (entity.get_kind(), &children[..]) {
            (EntityKind::IntegerLiteral, _) => alone(BTreeSet::new()),
            (EntityKind::DeclRefExpr | EntityKind::MemberRefExpr, _) => alone(named(entity).into_iter().collect()),
            (EntityKind::CStyleCastExpr | EntityKind::StaticCastExpr | EntityKind::FunctionalCastExpr, [.., inner]) => {
                Self::of(*inner, between)
            }
            // `*n`, and `n++`, whose operand is not read first; what else there is of unary operators turns a number
            // into another.
            (EntityKind::UnaryOperator, [of]) if is_pointer(bare(*of)) || is_variable(*of) => Self::of(*of, between),
            (EntityKind::BinaryOperator, [left, right]) => {
                let operator = between(*left, *right)?;
                // `code - 1000` is a place, and `code` is no length.
                if operator.trim() == "-" && constant(*right).is_some_and(|constant| constant > NEAR) {
                    return None;
                }
                let is_product = match operator.trim().trim_matches(['(', ')', ' ']) {
                    "+" | "-" => false,
                    "*" => true,
                    _ => return None,
                };
                let (left, right) = (Self::of(*left, between)?, Self::of(*right, between)?);
                let is_product = is_product || left.is_product || right.is_product;
                Some(Self { names: left.names.into_iter().chain(right.names).collect(), is_product })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::model::Model;
    use crate::parse::testing::read_c;

    /// Of each function: its pointers, how many elements they have at least, and what counts them.
    fn told(model: &Model) -> Vec<String> {
        let mut functions: Vec<_> = model.functions.values().filter(|f| f.definition.is_some()).collect();
        functions.sort_by_key(|f| f.definition.as_ref().map(|d| d.extent.start));
        let of = |f: &&crate::model::Function| -> Vec<String> {
            let told = |p: &crate::model::Param| {
                let elements = p.elements.as_ref()?;
                let counts: Vec<&str> = elements.counted_by.iter().map(|n| f.params[*n].name.as_str()).collect();
                let many = if elements.many { " and more" } else { "" };
                let rows = if elements.in_rows { " in rows" } else { "" };
                Some(format!("{}: {} {}{many} [{}]{rows}", f.name, p.name, elements.least, counts.join(" ")))
            };
            f.params.iter().filter_map(told).collect()
        };
        functions.iter().flat_map(of).collect()
    }

    #[test]
    fn what_bounds_the_places_counts_the_elements_whatever_it_is_called() {
        let text = "double sum(int points, int other, const double *x, double *y) {\n  int i; double s = other;\n  \
             for (i = 0; i < points; ++i) { s += x[i]; y[i] = s; }\n  return s;\n}\n\
             double last(const double *x, int till) { int i = till - 1; return x[i]; }\n\
             double picked(const double *x, int which) { return *(x + which); }\n\
             double checked(const double *x, int count, int which) { return which < 0 || which >= count ? 0 : \
             x[which]; }\n\
             int filled(int *x, int *size) { int i; for (i = 0; i < 3; ++i) x[i] = 0; *size = i; return 0; }\n\
             int lut(const int *table, int ms) { int at = ms / 10; if (at > 9) at = 9; return table[at] + table[ms & \
             7]; }\n\
             int few(const int *a, unsigned n) { unsigned i; if (n > 40) n = 40; for (i = 0; i < n; i++) if (a[i]) \
             return i; return n; }\n\
             double first(const double *x, int n) { return *x + n; }\n\
             double three(const double *p) { return p[0] + p[1] + p[2]; }\n\
             double product(int rows, int columns, const double *a) {\n  double s = 0; int r, c;\n  for (r = 0; r < \
             rows; r++)\n    \
             for (c = 0; c < columns; c++) s += a[r * columns + c];\n  return s;\n}\n\
             double walked(const double *x) { double s = 0; while (*x > 0) s += *x++; return s; }\n";
        assert_eq!(
            told(&read_c(text)),
            [
                "sum: x 0 and more [points]",
                "sum: y 0 and more [points]",
                "last: x 0 and more [till]",
                "picked: x 0 and more [which]",
                "checked: x 0 and more [count]",
                "filled: x 3 and more []",
                "lut: table 10 and more []",
                "few: a 41 and more [n]",
                "three: p 3 []",
                "product: a 0 and more [rows columns] in rows",
                "walked: x 0 and more []",
            ]
        );
    }

    #[test]
    fn variables_of_one_name_bound_their_own_places() {
        let text = "double loops(int n, int m, const double *x, const double *y) {\n  double s = 0;\n  \
             for (int i = 0; i < n; ++i) s += x[i];\n  for (int i = 0; i < m; ++i) s += y[i];\n  return s;\n}\n\
             double hidden(int n, const double *x, int i) {\n  double s = i;\n  \
             for (int i = 0; i < n; ++i) s += x[i];\n  return s;\n}\n";
        let expected = ["loops: x 0 and more [n]", "loops: y 0 and more [m]", "hidden: x 0 and more [n]"];
        assert_eq!(told(&read_c(text)), expected);
    }

    #[test]
    fn of_members_every_body_says_something() {
        let text = "struct s { double *all; double *two; double *one; };\n\
             double sum(struct s *s, int n) { double t = 0; int i; for (i = 0; i < n; i++) t += s->all[i]; return t; \
             }\n\
             double f(struct s *s) { return s->two[1] - *s->one; }\ndouble g(struct s s) { return s.two[0]; }\n";
        let model = read_c(text);
        let class = model.classes.values().find(|class| class.name == "s").unwrap();
        let told = |name: &str| {
            let field = class.fields.iter().find(|field| field.name == name).unwrap();
            model.elements.get(&field.usr).map(|elements| (elements.least, elements.many))
        };
        assert_eq!(["all", "two", "one"].map(told), [Some((0, true)), Some((2, false)), None]);
    }

    #[test]
    fn members_bound_the_places_of_others() {
        let text = "typedef struct { int id; } item_t;\n\
             typedef struct { item_t *items; int used, room; short cells[12]; unsigned top; double *all; int rows, \
             columns; } store_t;\n\
             int find(const store_t *s, int id) { int i; for (i = 0; i < s->used; ++i) if (s->items[i].id == id) \
             return i; return -1; }\n\
             void push(store_t *s, short cell) { if (s->top >= 12) return; s->cells[s->top++] = cell; }\n\
             int last(const store_t *s) { return s->items[s->used - 1].id; }\n\
             void add(store_t *s, item_t one) { item_t *to = s->items; if (s->used < s->room) to[s->used++] = one; }\n\
             double at(store_t *s, int c) { int r; double t = 0; for (r = 0; r < s->rows; r++) t += s->all[r * \
             s->columns + c]; return t; }\n";
        let model = read_c(text);
        let class = model.classes.values().find(|class| class.name == "store_t").unwrap();
        let of = |name: &str| class.fields.iter().find(|field| field.name == name).unwrap();
        let told = |name: &str| {
            let shown = &model.elements[&of(name).usr];
            let counts = class.fields.iter().filter(|field| shown.counted_by_members.contains(&field.usr));
            let names: Vec<&str> = counts.map(|field| field.name.as_str()).collect();
            format!("{name} [{}]{}", names.join(" "), if shown.in_rows { " in rows" } else { "" })
        };
        let expected = ["items [used room]", "cells [top]", "all [rows columns] in rows"];
        assert_eq!(["items", "cells", "all"].map(told), expected);
        // The place behind the last is asked for first.
        assert!(!model.elements[&of("cells").usr].beyond);
    }

    #[test]
    fn what_a_callee_looks_at_its_callers_have_to_have() {
        let text = "static double norm(int m, const double *v) { double s = 0; for (int k = 0; k != m; k++) s += v[k]; \
            return s; }\n\
             double outer(const double *values, double by, int dimension) { return by * norm(dimension, values); }\n\
             double far(double *w, int d) { return outer(w, 2, d); }\n\
             int fortran(int *n, double *x) { int i, last; --x; last = *n; for (i = 1; i <= last; ++i) x[i] = 0; \
             return 0; }\n";
        let told = told(&read_c(text));
        let expected = [
            "norm: v 0 and more [m]",
            "outer: values 0 and more [dimension]",
            "far: w 0 and more [d]",
            "fortran: x 2 and more [n]",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn what_a_loop_counts_down_bounds_what_it_moves_meanwhile() {
        let text = "int *other(void);\n\
             unsigned crc(const unsigned char *p, unsigned k) { unsigned c = 0; while (k--) c = c * 31 + *p++; \
             return c; }\n\
             int far(const int *p, int k) {\n  int r = 0; const int *q;\n  q = p;\n  while (k >= 4) { r += q[0] + \
             q[3]; q += 4; k -= 4; }\n  return r;\n}\n\
             void grid(double *m, int r, int c) { while (r--) { int k; for (k = c; k > 0; --k) *m++ = r; } }\n\
             int tries(const int *p, int n) { while (n--) if (*p == 3) return n; return 0; }\n\
             int up(const int *p, int n) { while (n < 9) { ++n; if (*p++ == n) return 1; } return 0; }\n\
             int fill(int *p, int k) { int i; for (i = 0; i < 8; ++i, --k) *p++ = k; return k; }\n\
             int inner(const int *p, int n) { int s = 0, i; if (n > 12) return -1; while (n--) { for (i = 0; i < 2; \
             ++i) s += i; s += *p++; } return s; }\n\
             int table(const int *a, const int *b, int n) { const int *q; int s; q = a; s = *q; q = b + 2; q = \
             other(); for (; n; --n) s += *q++; return s; }\n";
        let expected = [
            "crc: p 0 and more [k]",
            "far: p 5 and more [k]",
            "grid: m 0 and more [r c] in rows",
            "up: p 0 and more []",
            "fill: p 0 and more []",
            "inner: p 13 and more [n]",
            "table: b 3 []",
        ];
        assert_eq!(told(&read_c(text)), expected);
    }

    #[test]
    fn what_a_body_takes_for_bytes_is_counted_in_bytes() {
        let text = "unsigned sum(const void *data, int n) { const unsigned char *p = data; unsigned s = 0; int i; for \
             (i = 0; i < n; ++i) s += p[i]; return s; }\n\
             unsigned outer(const void *what, int of) { return sum(what, of); }\n\
             int words(const void *data, int n) { const int *p = data; int s = 0; while (n--) s += *p++; return s; }\n\
             int both(const void *data, int n) { const int *p = data; const char *q = data; return p[n] + q[n]; }\n\
             int around(const void *data, int n) { return words(data, n); }\n\
             struct head { int n[3]; };\nunsigned of(const struct head *it, int n) { return sum(it, n); }\n\
             int far(const void *data, int k) { const int *q; int s = 0; q = data; while (k >= 4) { s += *q; q += 4; \
             k -= 4; } return s; }\n";
        let expected = ["sum: data 0 and more [n]", "outer: what 0 and more [of]", "words: data 0 and more [n]"];
        assert_eq!(told(&read_c(text)), expected);
    }
}
