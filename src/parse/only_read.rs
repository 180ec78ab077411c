//! What becomes of a variable where a body names it: tables that nobody made `const` are read, and nothing else.
//!
//! A use counts as reading only where the tree shows that it is. Whatever is not understood may be a change.

use clang::{Entity, EntityKind, Linkage, StorageClass, Type, TypeKind};

/// What a body does with a variable, or with what stands behind a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Use<'tu> {
    /// It reads it.
    Reads,
    /// It lends it to this function, as the argument of this number.
    Lends(Entity<'tu>, usize),
    /// It may change it, or let others do so.
    MayChange,
}

/// What an expression on the way up is.
#[derive(Clone, Copy, PartialEq)]
enum At {
    /// The variable, or a part of it.
    Place,
    /// The pointer whose target is in question, as a variable.
    Pointer,
    /// The address of the variable, or of a part of it.
    Address,
    /// Such an address, through which nothing is to be changed.
    ConstAddress,
}

/// Whether a variable may be a table: it can only be named in its file or function, is not volatile, and has its value
/// before anything runs.
pub(super) fn is_candidate(variable: Entity<'_>) -> bool {
    let own = matches!(variable.get_linkage(), Some(Linkage::Internal | Linkage::UniqueExternal))
        || variable.get_storage_class() == Some(StorageClass::Static)
            && !matches!(variable.get_linkage(), Some(Linkage::External));
    let is_volatile =
        variable.get_type().is_none_or(|ty| ty.get_canonical_type().get_display_name().contains("volatile"));
    own && !is_volatile && variable.get_children().into_iter().all(is_constant)
}

/// Whether an initialiser computes nothing when the program runs.
fn is_constant(entity: Entity<'_>) -> bool {
    let names = entity.get_kind() == EntityKind::DeclRefExpr
        && entity.get_reference().is_none_or(|to| matches!(to.get_kind(), EntityKind::VarDecl | EntityKind::ParmDecl));
    let runs = matches!(entity.get_kind(), EntityKind::CallExpr | EntityKind::NewExpr | EntityKind::LambdaExpr);
    !names && !runs && entity.get_children().into_iter().all(is_constant)
}

/// Whether a parameter is a pointer through which something can be changed.
pub(super) fn is_lent(param: Entity<'_>) -> bool {
    let to = param.get_type().and_then(|ty| ty.get_canonical_type().get_pointee_type());
    to.is_some_and(|to| !to.is_const_qualified()) && !is_reference(param)
}

/// What the expression that names a variable is used for, by what it stands in, outermost first.
pub(super) fn of_variable<'tu>(name: Entity<'tu>, parents: &[Entity<'tu>]) -> Use<'tu> {
    climb(name, parents, At::Place).unwrap_or(Use::MayChange)
}

/// What the target of a pointer is used for, where the body names the pointer.
pub(super) fn of_target<'tu>(name: Entity<'tu>, parents: &[Entity<'tu>]) -> Use<'tu> {
    climb(name, parents, At::Pointer).unwrap_or(Use::MayChange)
}

fn climb<'tu>(name: Entity<'tu>, parents: &[Entity<'tu>], start: At) -> Option<Use<'tu>> {
    let (mut at, mut child) = (start, name);
    for (depth, parent) in parents.iter().enumerate().rev() {
        let outer = depth.checked_sub(1).map(|outer| parents[outer]);
        let landed = match step(at, child, *parent, outer)? {
            Step::On(next) => {
                (at, child) = (next, *parent);
                continue;
            }
            Step::Done(done) => done,
        };
        // What only ends an expression looks like what reads a value; a reference may be bound to it.
        let binds = outer.is_some_and(|outer| match outer.get_kind() {
            EntityKind::VarDecl => is_reference(outer),
            EntityKind::ReturnStmt => parents.iter().any(|around| around.get_result_type().is_some_and(refers)),
            _ => false,
        });
        return Some(if binds { Use::MayChange } else { landed });
    }
    None
}

enum Step<'tu> {
    On(At),
    Done(Use<'tu>),
}

/// One level up; none where it is not understood.
fn step<'tu>(at: At, child: Entity<'tu>, parent: Entity<'tu>, outer: Option<Entity<'tu>>) -> Option<Step<'tu>> {
    use EntityKind::*;
    const READS: Step<'static> = Step::Done(Use::Reads);
    let ty = |of: Entity<'tu>| of.get_type().map(|ty| ty.get_canonical_type());
    let is_pointer = |ty: Type<'tu>| ty.get_kind() == TypeKind::Pointer;
    let is_truth = |ty: Type<'tu>| ty.get_kind() == TypeKind::Bool;
    let on = |next: At| Some(Step::On(next));
    let is_address = matches!(at, At::Address | At::ConstAddress);
    match parent.get_kind() {
        ParenExpr => on(at),
        UnexposedExpr => {
            let (from, to) = (ty(child)?, ty(parent)?);
            // Others have operands: atomic operations are such.
            if parent.get_children().len() != 1 {
                return None;
            }
            match at {
                At::Place if from.get_element_type().is_some() && is_pointer(to) => address(to),
                At::Place if to.is_const_qualified() => same(from, to).then_some(Step::On(at)),
                At::Place => (is_scalar(to) && same(from, to)).then_some(READS),
                At::ConstAddress if is_pointer(to) => on(at),
                At::Pointer | At::Address if is_pointer(to) => address(to),
                _ => is_truth(to).then_some(READS),
            }
        }
        UnaryOperator => {
            let (from, to) = (ty(child)?, ty(parent)?);
            let leads_to = |to: Type<'tu>, from: Type<'tu>| {
                to.get_pointee_type().is_some_and(|pointee| same(pointee.get_canonical_type(), from))
            };
            match at {
                At::Place if leads_to(to, from) => address(to),
                At::Address | At::ConstAddress if leads_to(from, to) => on(At::Place),
                At::Address | At::ConstAddress if !is_pointer(to) => Some(READS),
                At::Pointer if same(from, to) => on(At::Address),
                _ => None,
            }
        }
        ArraySubscriptExpr if is_address => on(At::Place),
        // What a method does with its object is not looked at.
        MemberRefExpr if at != At::Pointer => {
            (parent.get_reference()?.get_kind() == FieldDecl).then_some(Step::On(At::Place))
        }
        BinaryOperator if is_address => {
            let other = ty(parent.get_children().into_iter().find(|other| *other != child)?)?;
            let is_other_address = is_pointer(other) || other.get_element_type().is_some();
            match ty(parent)? {
                // A comparison, or a distance.
                to if !is_pointer(to) => is_other_address.then_some(READS),
                // An index is added; anything else keeps the address somewhere.
                _ => other.is_integer().then_some(Step::On(at)),
            }
        }
        CompoundAssignOperator if at == At::Pointer => on(At::Address),
        ConditionalOperator if is_address => {
            let is_condition = parent.get_child(0) == Some(child);
            Some(if is_condition { READS } else { Step::On(at) })
        }
        CStyleCastExpr | StaticCastExpr | FunctionalCastExpr | ReinterpretCastExpr => match ty(parent)? {
            to if to.get_kind() == TypeKind::Void => Some(READS),
            to if at == At::Address && is_pointer(to) => address(to),
            to => (is_address && is_truth(to)).then_some(READS),
        },
        CallExpr if at != At::Pointer => {
            let callee = parent.get_reference().filter(|callee| callee.get_arguments().is_some())?;
            let (arguments, params) = (parent.get_arguments()?, callee.get_arguments()?);
            let place = arguments.iter().position(|argument| *argument == child)?;
            // An operator that is a method has its receiver among the arguments.
            if callee.get_kind() == Method && arguments.len() > params.len() {
                return None;
            }
            let param = ty(*params.get(place)?)?;
            let is_const = param.get_pointee_type()?.get_canonical_type().is_const_qualified();
            match at {
                // It may hand on what it is given, and whoever has that may forget that it is `const`.
                At::Place | At::ConstAddress => {
                    let result = callee.get_result_type()?.get_canonical_type();
                    let leads_on = |ty: Type<'tu>| ty.get_pointee_type().is_some();
                    let takes_places = params.iter().any(|param| {
                        ty(*param)
                            .and_then(|ty| ty.get_pointee_type())
                            .is_some_and(|to| leads_on(to.get_canonical_type()))
                    });
                    let is_fit = is_pointer(param) == (at == At::ConstAddress);
                    (is_const && is_fit && !leads_on(result) && !takes_places).then_some(READS)
                }
                _ => (is_pointer(param) && !is_const).then_some(Step::Done(Use::Lends(callee, place))),
            }
        }
        VarDecl => (at == At::Place && is_reference_to_const(parent)).then_some(READS),
        UnaryExpr => Some(READS),
        CompoundStmt if outer.is_some_and(|outer| outer.get_kind() == StmtExpr) => None,
        CompoundStmt | IfStmt | WhileStmt | ForStmt | DoStmt | SwitchStmt | CaseStmt | DefaultStmt | LabelStmt => {
            Some(READS)
        }
        _ => None,
    }
}

/// An address of this type.
fn address<'tu>(ty: Type<'tu>) -> Option<Step<'tu>> {
    let is_const = ty.get_pointee_type()?.get_canonical_type().is_const_qualified();
    Some(Step::On(if is_const { At::ConstAddress } else { At::Address }))
}

/// Whether two canonical types are the same but for qualifiers.
fn same<'tu>(one: Type<'tu>, other: Type<'tu>) -> bool {
    let bare = |ty: Type<'tu>| {
        let name = ty.get_display_name();
        ["const ", "volatile "]
            .iter()
            .fold(name, |name, word| name.replace(word, ""))
            .trim_end_matches("const")
            .to_owned()
    };
    one.get_kind() == other.get_kind() && bare(one) == bare(other)
}

/// Numbers, enumerators and pointers.
fn is_scalar(ty: Type<'_>) -> bool {
    matches!(ty.get_kind(), TypeKind::Bool | TypeKind::Pointer | TypeKind::Enum)
        || ty.is_integer()
        || matches!(ty.get_kind(), TypeKind::Float | TypeKind::Double | TypeKind::LongDouble)
}

fn refers(ty: Type<'_>) -> bool {
    let ty = ty.get_canonical_type();
    let is_reference = matches!(ty.get_kind(), TypeKind::LValueReference | TypeKind::RValueReference);
    is_reference && ty.get_pointee_type().is_none_or(|to| !to.is_const_qualified())
}

fn is_reference(variable: Entity<'_>) -> bool {
    variable.get_type().is_some_and(refers)
}

fn is_reference_to_const(variable: Entity<'_>) -> bool {
    let ty = variable.get_type().map(|ty| ty.get_canonical_type());
    ty.is_some_and(|ty| ty.get_kind() == TypeKind::LValueReference && !refers(ty))
}
