//! How types, variables and words are spelled in generated code.

use crate::model::{Type, TypeKind};

/// Replaces whole identifiers; `name` may be qualified, and then stands only where nothing qualifies it further.
pub fn replace_word(text: &str, name: &str, to: &str) -> String {
    // A template's parameter need not have a name.
    if name.is_empty() {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut rest = text;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    while let Some(at) = rest.find(name) {
        let before = rest[..at].chars().next_back().or_else(|| out.chars().next_back());
        let after = rest[at + name.len()..].chars().next();
        let whole = !before.is_some_and(|c| is_word(c) || c == ':') && !after.is_some_and(is_word);
        out.push_str(&rest[..at]);
        out.push_str(if whole { to } else { name });
        rest = &rest[at + name.len()..];
    }
    out + rest
}

/// A value of no information of a type that is spelled so: value-initialised (C++ standard, [expr.type.conv]). A type
/// of several words can't be called like a function.
pub fn value_initialized(ty: &Type, spelling: &str) -> String {
    match ty.kind {
        TypeKind::Prim(_) if spelling.contains(' ') => format!("static_cast<{spelling}>(0)"),
        _ => {
            let bare = ["struct ", "class ", "enum "].iter().find_map(|tag| spelling.strip_prefix(tag));
            format!("{}()", bare.unwrap_or(spelling))
        }
    }
}

/// The type of a variable that holds such a value: without top-level `const`.
pub fn value_type(ty: &Type) -> Type {
    let spelling = if ty.pointee().is_some() {
        ty.spelling.strip_suffix(" const").or_else(|| ty.spelling.strip_suffix("*const")).map_or_else(
            || ty.spelling.clone(),
            |text| if ty.spelling.ends_with("*const") { format!("{text}*") } else { text.to_owned() },
        )
    } else if ty.is_const && ty.record().is_some() && !ty.spelling.starts_with("const ") {
        // `typedef const Trial CTrial` has it within.
        ty.canonical()
    } else {
        ty.bare_spelling().to_owned()
    };
    Type { spelling, is_const: false, ..ty.clone() }
}

/// A null pointer of this type as an expression.
pub fn null_of(ty: &Type, is_c: bool) -> String {
    if is_c { "NULL".to_owned() } else { format!("static_cast<{}>(nullptr)", value_type(ty).spelling) }
}

/// `name` as an identifier, or `otherwise`.
pub fn identifier(name: &str, otherwise: &str) -> String {
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return otherwise.to_owned();
    }
    name.to_owned()
}

/// A variable name after a type: `sat::StaticMission` becomes `staticMission`.
pub fn variable(spelling: &str) -> String {
    let head = spelling.split('<').next().unwrap_or(spelling);
    let head = ["struct ", "union ", "enum "].iter().find_map(|keyword| head.strip_prefix(keyword)).unwrap_or(head);
    let last = head.rsplit("::").next().unwrap_or(head).trim();
    let last: String = last.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    let name = lower_first(&last);
    if name == last.as_str() || is_keyword(&name) { format!("{name}_") } else { name }
}

/// XMLDocument → document is beyond us, xmlDocument is not.
fn lower_first(name: &str) -> String {
    let upper = name.bytes().take_while(u8::is_ascii_uppercase).count();
    let is_next_apart = name[upper..].starts_with(|c: char| c == '_' || c.is_ascii_digit());
    let lower = if upper < 2 || upper == name.len() || is_next_apart { upper } else { upper - 1 };
    name[..lower].to_ascii_lowercase() + &name[lower..]
}

/// Functions and macros that tests use.
const OF_THE_LIBRARY: [&str; 18] = [
    "assert", "calloc", "errno", "fclose", "fputs", "free", "ftell", "fwrite", "malloc", "memcmp", "memcpy", "memset",
    "remove", "rewind", "stdin", "stdout", "strcmp", "strcpy",
];

/// A parameter's name as a variable of a test has it: `_joint` is `joint`, `V` is `v`, `m_size` is `size`.
pub fn as_variable(name: &str) -> String {
    let bare = name.trim_matches('_');
    let bare = bare.strip_prefix("m_").unwrap_or(bare);
    let plain = lower_first(bare);
    let is_taken = is_keyword(&plain) || OF_THE_LIBRARY.contains(&plain.as_str());
    let is_name = plain.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_taken;
    if is_name { plain } else { name.to_owned() }
}

pub(crate) fn is_keyword(name: &str) -> bool {
    const KEYWORDS: &str = "default double float int union class struct operator template new delete \
        char bool case switch for while do this auto namespace enum long short signed unsigned void return \
        public private protected static const continue break goto if else register virtual inline extern export \
        volatile mutable explicit typedef sizeof typename friend try catch throw true false nullptr and or not xor \
        asm restrict constexpr noexcept decltype using in record";
    KEYWORDS.split(' ').any(|keyword| keyword == name)
}

/// Template arguments at the commas between them.
pub fn split_arguments(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().expect("never empty").push(c);
    }
    parts.iter().map(|p| p.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_for_what_an_alias_says_is_constant_is_none() {
        let text = "namespace n { struct Trial { int n; }; } typedef const n::Trial CTrial;\n\
            void f(CTrial &it, const n::Trial &other);";
        let model = crate::parse::testing::read_cpp(text);
        let function = model.functions.values().find(|f| f.name == "f").unwrap();
        let names = function.params.iter().map(|param| value_type(param.ty.without_ref()).spelling);
        assert_eq!(names.collect::<Vec<_>>(), ["n::Trial", "n::Trial"]);
    }

    #[test]
    fn words_are_replaced_only_where_they_stand_alone() {
        assert_eq!(replace_word("std::list<T> Text T::x", "T", "int"), "std::list<int> Text int::x");
        assert_eq!(replace_word("a::X b::a::X aX", "a::X", "M"), "M b::a::X aX");
        assert_eq!(replace_word("a::X", "", "M"), "a::X");
    }

    #[test]
    fn variables_are_named_after_their_type() {
        assert_eq!(variable("sat::StaticMission"), "staticMission");
        assert_eq!(variable("tinyxml2::XMLDocument"), "xmlDocument");
        assert_eq!(variable("sat::DynamicMission<sat::Landmark>"), "dynamicMission");
        assert_eq!(variable("elsetrec"), "elsetrec_");
        assert_eq!(variable("Double"), "double_");
    }
}
