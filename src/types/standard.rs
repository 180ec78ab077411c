//! The standard library's types by name: what each is made of.

use crate::model::{Prim, TemplateArg, Type, TypeKind};
use crate::types::arithmetic::simple_type;
use crate::types::iterators;
use crate::types::spelling::value_type;

/// How a value of such a type comes to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
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
pub struct Anatomy {
    /// How a value of it comes to be.
    pub shape: Shape,
    /// A name and a type for each part.
    pub parts: Vec<(String, Type)>,
}

/// Takes a type of the standard library apart; none where it is not known how one is made.
pub fn anatomy(name: &str, args: &[TemplateArg]) -> Option<Anatomy> {
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
pub fn holds_values(name: &str, args: &[TemplateArg]) -> bool {
    use Shape::*;
    anatomy(name, args).is_some_and(|anatomy| {
        matches!(anatomy.shape, Sequence | Map | Array | Row | Optional | Variant | Smart | List)
    })
}

/// Values of a type that hardly anything else is one of, as `spelled` says it: hardly any text is a regular expression, these are.
pub(crate) fn known_values(short: &str, spelled: &str) -> Vec<String> {
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
pub fn is_standard(name: &str) -> bool {
    name.starts_with("std::") || iterators::is_iterator(name)
}

/// `std::NAME<of>`.
pub(crate) fn standard(name: &str, of: Type) -> Type {
    let spelling = format!("std::{name}<{}>", of.spelling);
    let name = format!("std::{name}");
    let kind = TypeKind::Record { usr: name.clone(), name, args: vec![TemplateArg::Type(of)] };
    Type { spelling, is_const: false, kind, size: None }
}

/// `std::array<unsigned char, 64>`.
pub(crate) fn some_memory() -> Type {
    let spelling = format!("std::array<unsigned char, {OPAQUE_LENGTH}>");
    let (byte, name) = (simple_type("unsigned char"), "std::array".to_owned());
    let args = vec![TemplateArg::Type(byte), TemplateArg::Value(OPAQUE_LENGTH.to_string())];
    Type { spelling, is_const: false, kind: TypeKind::Record { usr: name.clone(), name, args }, size: None }
}

pub(crate) fn is_file(ty: &Type) -> bool {
    matches!(&ty.kind, TypeKind::Record { name, .. } if name == "_IO_FILE")
}

pub(crate) fn pointer(to: &Type) -> Type {
    let spelling = format!("{} *", to.spelling);
    Type { spelling, is_const: false, kind: TypeKind::Pointer(Box::new(to.clone())), size: None }
}

pub(crate) fn reference(to: Type) -> Type {
    let spelling = format!("{} &", to.spelling);
    Type { spelling, is_const: false, kind: TypeKind::LvalueRef(Box::new(to)), size: None }
}

/// Of a standard stream by its name behind `std::`: whether it is read from, and written to.
pub(crate) fn stream(short: &str) -> Option<(bool, bool)> {
    match short {
        "ostream" | "basic_ostream" | "ostringstream" | "basic_ostringstream" => Some((false, true)),
        "istream" | "basic_istream" | "istringstream" | "basic_istringstream" => Some((true, false)),
        "iostream" | "basic_iostream" | "stringstream" | "basic_stringstream" => Some((true, true)),
        _ => None,
    }
}

/// The standard library's strings and views of them, by their names behind `std::`.
pub(crate) fn looks_like_std_text(short: &str) -> bool {
    matches!(short, "basic_string" | "basic_string_view" | "string" | "string_view")
}

/// Bytes behind a `void *`.
pub(crate) const OPAQUE_LENGTH: u64 = 64;
