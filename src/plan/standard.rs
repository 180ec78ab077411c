//! The standard library's types, recognised by name: what each is made of, for the plan and for what it costs.

use super::entry::simple_type;
use super::values::{OPAQUE_LENGTH, Planner, value_type};
use super::{ARRAY_LENGTH, LIST_LENGTH, Reason, Recipe, SEQUENCE_LENGTH, Slot, iterators};
use crate::model::{Prim, TemplateArg, Type, TypeKind};

/// How a value of such a type comes to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Text of `char`, or a view of it.
    Text,
    /// A stream over memory: read from, written to.
    Stream(bool, bool),
    /// A callable wrapper.
    Function,
    /// Elements one by one.
    Sequence,
    /// Keys with values one by one.
    Map,
    /// A fixed number of elements.
    Array,
    /// A constructor call with one value for each part.
    Row,
    /// A value or none.
    Optional,
    /// One of several.
    Variant,
    /// An owner of one object.
    Smart,
    /// A few elements in a list that was written down.
    List,
    /// It points into a container.
    Iterator,
    /// Nothing goes into it.
    Empty,
    /// One of a few that can be said.
    Known,
}

/// A type's shape, and what it is made of.
pub(super) struct Anatomy {
    pub shape: Shape,
    /// A name and a type for each part.
    pub parts: Vec<(String, Type)>,
}

/// Takes a type of the standard library apart; none where it is not known how one is made.
pub(super) fn anatomy(name: &str, args: &[TemplateArg]) -> Option<Anatomy> {
    if iterators::is_iterator(name) {
        return iterators::anatomy(name, args);
    }
    let short = name.strip_prefix("std::")?;
    let argument = |index: usize| match args.get(index) {
        Some(TemplateArg::Type(ty)) => Some(ty.clone()),
        _ => None,
    };
    let of = |shape, parts: &[(&str, Type)]| {
        Some(Anatomy { shape, parts: parts.iter().map(|(name, ty)| ((*name).to_owned(), ty.clone())).collect() })
    };
    let row = |name: &str, ty: Type| of(Shape::Row, &[(name, ty)]);
    let is_char = |ty: &Type| matches!(ty.kind, TypeKind::Prim(Prim::Char));
    if looks_like_std_text(short) {
        return match argument(0) {
            // Text of other characters is made like any other list of numbers; a view needs an owner.
            Some(ty) if !is_char(&ty) => match short {
                "basic_string" => of(Shape::Sequence, &[("element", ty)]),
                _ => None,
            },
            _ => of(Shape::Text, &[]),
        };
    }
    if let Some((reads, writes)) = stream(short) {
        return of(Shape::Stream(reads, writes), &[]);
    }
    match short {
        "function" => of(Shape::Function, &[]),
        "vector" | "list" | "deque" | "set" | "multiset" | "unordered_set" | "unordered_multiset" | "forward_list"
        | "stack" | "queue" | "priority_queue" => of(Shape::Sequence, &[("element", argument(0)?)]),
        "map" | "multimap" | "unordered_map" | "unordered_multimap" => {
            of(Shape::Map, &[("key", argument(0)?), ("value", argument(1)?)])
        }
        "array" => of(Shape::Array, &[("element", argument(0)?)]),
        "pair" => of(Shape::Row, &[("first", argument(0)?), ("second", argument(1)?)]),
        "complex" => of(Shape::Row, &[("real", argument(0)?), ("imaginary", argument(0)?)]),
        "tuple" | "variant" => {
            let types: Option<Vec<Type>> = (0..args.len()).map(argument).collect();
            let parts = types?.into_iter().enumerate().map(|(n, ty)| (format!("item{}", n + 1), ty)).collect();
            Some(Anatomy { shape: if short == "tuple" { Shape::Row } else { Shape::Variant }, parts })
        }
        "initializer_list" => of(Shape::List, &[("element", argument(0)?)]),
        "optional" => of(Shape::Optional, &[("value", argument(0)?)]),
        // What nobody can name any more is some memory.
        "shared_ptr" if matches!(argument(0)?.kind, TypeKind::Void) => of(Shape::Smart, &[("value", some_memory())]),
        "unique_ptr" | "auto_ptr" | "shared_ptr" => of(Shape::Smart, &[("value", argument(0)?)]),
        "weak_ptr" => row("shared", standard("shared_ptr", argument(0)?)),
        "reference_wrapper" => row("referred", reference(argument(0)?)),
        "atomic" => row("value", argument(0)?),
        "span" => row("elements", reference(standard("vector", value_type(&argument(0)?)))),
        "chrono::duration" => row("count", argument(0)?),
        "chrono::time_point" => row("since_epoch", argument(1)?),
        "bitset" => row("bits", simple_type("unsigned long long")),
        "mersenne_twister_engine" | "linear_congruential_engine" => row("seed", simple_type("unsigned")),
        "valarray" => row("elements", standard("initializer_list", argument(0)?)),
        "fpos" => row("offset", simple_type("long")),
        "slice" => of(
            Shape::Row,
            &[("start", simple_type("size_t")), ("size", simple_type("size_t")), ("stride", simple_type("size_t"))],
        ),
        _ if !known_values(short, "").is_empty() => of(Shape::Known, &[]),
        "filesystem::path" | "runtime_error" | "logic_error" | "invalid_argument" | "out_of_range" | "domain_error"
        | "length_error" | "range_error" | "overflow_error" | "underflow_error" => {
            row("text", simple_type("std::string"))
        }
        "exception" | "bad_alloc" | "bad_cast" | "future" | "promise" | "unique_lock" | "basic_fstream"
        | "basic_ifstream" | "basic_ofstream" | "any" | "monostate" | "integer_sequence" | "integral_constant"
        | "locale" | "allocator" | "less" | "greater" | "equal_to" | "less_equal" | "greater_equal"
        | "not_equal_to" | "hash" | "plus" | "minus" | "multiplies" | "mutex" | "recursive_mutex" | "timed_mutex"
        | "shared_mutex" | "condition_variable" | "thread" | "thread::id" | "stop_token" | "random_device" => {
            of(Shape::Empty, &[])
        }
        _ => None,
    }
}

/// Whether an object of such a type is made of values that it holds, whoever has filled it.
pub(super) fn holds_values(name: &str, args: &[TemplateArg]) -> bool {
    use Shape::*;
    anatomy(name, args).is_some_and(|anatomy| {
        matches!(anatomy.shape, Sequence | Map | Array | Row | Optional | Variant | Smart | List)
    })
}

impl Planner<'_> {
    /// A value of a type of the standard library; none where the type is none of it.
    pub(super) fn standard(
        &self,
        ty: &Type,
        name: &str,
        args: &[TemplateArg],
        depth: usize,
    ) -> Result<Option<Recipe>, Reason> {
        if !is_standard(name) {
            return Ok(None);
        }
        let Some(Anatomy { shape, parts }) = anatomy(name, args) else {
            return Err(
                Reason::new(format!("no value of `{}` can be made", ty.spelling)).needs(format!("construct.{name}"))
            );
        };
        let slot = |(name, ty): &(String, Type)| -> Result<Slot, Reason> {
            Ok(Slot { name: name.clone(), ty: ty.clone(), recipe: self.value(ty, depth + 1)?, nullable: false })
        };
        let ty = value_type(ty);
        let recipe = match (shape, parts.as_slice()) {
            (Shape::Text, _) => Recipe::StdString { ty },
            (Shape::Stream(reads, writes), _) => Recipe::Stream { ty, reads, writes },
            (Shape::Function, _) => match args.first() {
                Some(TemplateArg::Type(Type { kind: TypeKind::Function { .. }, .. })) => self.callback(&ty)?,
                _ => return Err(Reason::new(format!("`{}` is of no function type", ty.spelling))),
            },
            (Shape::Sequence, [element]) => {
                let element = Box::new(slot(element)?);
                Recipe::Sequence { ty, element, least: 0, most: SEQUENCE_LENGTH }
            }
            (Shape::Map, [key, value]) => {
                let spelling = format!("std::pair<{}, {}>", key.1.spelling, value.1.spelling);
                let pair = Type { spelling, is_const: false, kind: ty.kind.clone(), size: None };
                let recipe = Recipe::Pair { ty: pair.clone(), parts: vec![slot(key)?, slot(value)?] };
                let element = Box::new(Slot { name: "element".into(), ty: pair, recipe, nullable: false });
                Recipe::Sequence { ty, element, least: 0, most: SEQUENCE_LENGTH }
            }
            (Shape::Array, [element]) => {
                let length = match args.get(1) {
                    Some(TemplateArg::Value(text)) => text.trim_end_matches(['u', 'l', 'U', 'L']).parse().ok(),
                    _ => None,
                };
                let length =
                    length.ok_or_else(|| Reason::new(format!("the length of `{}` is not known", ty.spelling)))?;
                Recipe::Array { ty, element: Box::new(slot(element)?), length, text: false }
            }
            (Shape::Optional, [value]) => Recipe::Optional { ty, value: Box::new(slot(value)?) },
            (Shape::Iterator, _) => self.iterator(&ty, depth)?,
            (Shape::List, [(name, element)]) => {
                let made = |n| slot(&(format!("{name}{n}"), element.clone()));
                Recipe::List { ty, elements: (1..=LIST_LENGTH).map(made).collect::<Result<_, _>>()? }
            }
            (Shape::Smart, [(name, owned)]) if is_file(owned) => {
                let recipe = Recipe::File { ty: pointer(owned) };
                let to = Slot { name: name.clone(), ty: owned.clone(), recipe, nullable: false };
                Recipe::Smart { ty, to: Box::new(to) }
            }
            (Shape::Smart, [(name, owned)]) if matches!(owned.kind, TypeKind::Array(_, None)) => {
                let recipe = self.owned_array(owned, depth)?;
                let to = Slot { name: name.clone(), ty: owned.clone(), recipe, nullable: false };
                Recipe::Smart { ty, to: Box::new(to) }
            }
            (Shape::Smart, [value]) => Recipe::Smart { ty, to: Box::new(slot(value)?) },
            (Shape::Variant, among) => Recipe::Variant { ty, among: among.iter().map(slot).collect::<Result<_, _>>()? },
            (Shape::Known, _) => {
                let short = name.strip_prefix("std::").unwrap_or(name);
                Recipe::OneOf { expressions: known_values(short, &ty.spelling), ty }
            }
            (Shape::Empty, _) => Recipe::Construct { ty, constructor: None, args: Vec::new(), kept: false },
            (_, parts) => Recipe::Pair { ty, parts: parts.iter().map(slot).collect::<Result<_, _>>()? },
        };
        Ok(Some(recipe))
    }

    /// As many elements as an owner of an array gets, which does not say how many there are.
    fn owned_array(&self, array: &Type, depth: usize) -> Result<Recipe, Reason> {
        let TypeKind::Array(element, _) = &array.kind else { return self.value(array, depth) };
        let is_number = matches!(element.kind, TypeKind::Prim(_));
        let length = if is_number { ARRAY_LENGTH } else { SEQUENCE_LENGTH };
        let text = super::values::is_character(element);
        Ok(Recipe::Array { ty: value_type(array), element: self.element(element, depth)?, length, text })
    }
}

/// Values of a type that hardly anything else is one of, as `spelled` says it: hardly any text is a regular expression, these are.
fn known_values(short: &str, spelled: &str) -> Vec<String> {
    let all = |values: &[&str], of: &dyn Fn(&str) -> String| values.iter().map(|value| of(value)).collect();
    let types = ["int", "double", "char", "void"];
    let errors = ["invalid_argument", "no_such_file_or_directory", "result_out_of_range", "timed_out"];
    match short {
        "basic_regex" if !spelled.contains("wregex") && !spelled.contains("wchar_t") => {
            all(&[".*", "[a-z]+", "[0-9]+", "a|b", "^$"], &|pattern| format!("{spelled}(\"{pattern}\")"))
        }
        "type_info" => all(&types, &|ty| format!("typeid({ty})")),
        "type_index" => all(&types, &|ty| format!("{spelled}(typeid({ty}))")),
        "error_category" | "_V2::error_category" => {
            all(&["generic", "system"], &|name| format!("std::{name}_category()"))
        }
        "error_code" | "error_condition" => {
            let made = all(&errors, &|error| format!("std::make_{short}(std::errc::{error})"));
            std::iter::once(format!("{spelled}()")).chain::<Vec<String>>(made).collect()
        }
        "__exception_ptr::exception_ptr" => {
            vec![format!("{spelled}()"), "std::make_exception_ptr(1)".to_owned()]
        }
        _ => Vec::new(),
    }
}

/// Whether a class of that name is the standard library's, or of an implementation of it.
pub(super) fn is_standard(name: &str) -> bool {
    name.starts_with("std::") || iterators::is_iterator(name)
}

/// `std::NAME<of>`.
fn standard(name: &str, of: Type) -> Type {
    let spelling = format!("std::{name}<{}>", of.spelling);
    let name = format!("std::{name}");
    let kind = TypeKind::Record { usr: name.clone(), name, args: vec![TemplateArg::Type(of)] };
    Type { spelling, is_const: false, kind, size: None }
}

/// `std::array<unsigned char, 64>`.
fn some_memory() -> Type {
    let spelling = format!("std::array<unsigned char, {OPAQUE_LENGTH}>");
    let (byte, name) = (simple_type("unsigned char"), "std::array".to_owned());
    let args = vec![TemplateArg::Type(byte), TemplateArg::Value(OPAQUE_LENGTH.to_string())];
    Type { spelling, is_const: false, kind: TypeKind::Record { usr: name.clone(), name, args }, size: None }
}

fn is_file(ty: &Type) -> bool {
    matches!(&ty.kind, TypeKind::Record { name, .. } if name == "_IO_FILE")
}

fn pointer(to: &Type) -> Type {
    let spelling = format!("{} *", to.spelling);
    Type { spelling, is_const: false, kind: TypeKind::Pointer(Box::new(to.clone())), size: None }
}

fn reference(to: Type) -> Type {
    let spelling = format!("{} &", to.spelling);
    Type { spelling, is_const: false, kind: TypeKind::LvalueRef(Box::new(to)), size: None }
}

/// Of a standard stream by its name behind `std::`: whether it is read from, and written to.
fn stream(short: &str) -> Option<(bool, bool)> {
    match short {
        "ostream" | "basic_ostream" | "ostringstream" | "basic_ostringstream" => Some((false, true)),
        "istream" | "basic_istream" | "istringstream" | "basic_istringstream" => Some((true, false)),
        "iostream" | "basic_iostream" | "stringstream" | "basic_stringstream" => Some((true, true)),
        _ => None,
    }
}

/// The standard library's strings and views of them, by their names behind `std::`.
fn looks_like_std_text(short: &str) -> bool {
    matches!(short, "basic_string" | "basic_string_view" | "string" | "string_view")
}
