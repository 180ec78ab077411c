//! Parameter packs: what stands for them, and what is written with `...` behind it with one element after the other put
//! in. To libclang such a pattern is text (`const Args &...`).

use crate::model::{Param, TemplateArg, TemplateParam, Type, TypeKind};
use crate::types::compose::refer;
use crate::types::substitution::Substitution;
use std::borrow::Cow;

/// The first of the characters that stand in for what a pattern came to; `Substitution::apply` has those before it.
const STAND_INS: u32 = 0xE800;

/// How many of `args` arguments the parameters of one template get where `behind` further ones follow: a pack takes all
/// that those leave.
pub(crate) fn taken(params: &[TemplateParam], args: usize, behind: usize) -> usize {
    if params.iter().any(TemplateParam::is_pack) { args.saturating_sub(behind) } else { params.len().min(args) }
}

/// Each parameter with what it gets of the arguments. Those behind a pack get nothing: they are what the template says
/// or what a call shows.
pub(crate) fn shares<'p, 'a>(
    params: &'p [TemplateParam],
    args: &'a [TemplateArg],
) -> impl Iterator<Item = (&'p TemplateParam, &'a [TemplateArg])> {
    let pack = params.iter().position(TemplateParam::is_pack).unwrap_or(params.len());
    params.iter().enumerate().filter(move |(index, _)| *index <= pack).filter_map(move |(index, param)| {
        let from = args.get(index..)?;
        Some((param, if index == pack { from } else { from.get(..1)? }))
    })
}

/// Whether so many arguments are what the parameters take; without those that the template says itself if `rest` may be
/// left out.
pub(crate) fn fits<'p>(params: impl IntoIterator<Item = &'p TemplateParam>, args: usize, rest: bool) -> bool {
    let params: Vec<&TemplateParam> = params.into_iter().collect();
    let said = |from: usize| params.get(from..).is_some_and(|rest| rest.iter().all(|param| param.default.is_some()));
    match params.iter().position(|param| param.is_pack()) {
        Some(pack) => args >= pack && said(pack + 1),
        None => args == params.len() || rest && said(args),
    }
}

/// The name of a parameter that stands for itself within its template.
pub(crate) fn within(param: &TemplateParam) -> String {
    if param.is_pack() { format!("{}...", param.name) } else { param.name.clone() }
}

/// The pack that an argument consists of: `Ts...`.
pub(crate) fn pack_name(arg: &TemplateArg) -> Option<&str> {
    written(arg)?.strip_suffix("...").map(str::trim)
}

/// Whether a pattern names a parameter.
pub(crate) fn names(text: &str, param: &str) -> bool {
    !param.is_empty() && crate::types::spelling::replace_word(text, param, "") != text
}

/// The types that a parameter's type with `...` behind it expands to; none for other types, and where they are unknown.
pub(crate) fn spread(with: &Substitution, ty: &Type) -> Option<Vec<Type>> {
    let TypeKind::Dependent(text) = &ty.kind else { return None };
    elements(with, text)?.iter().map(|arg| arg.ty().cloned()).collect()
}

/// The same of an argument of a template.
pub(crate) fn spread_argument(with: &Substitution, arg: &TemplateArg) -> Option<Vec<TemplateArg>> {
    elements(with, written(arg)?)
}

/// The text of an argument that libclang leaves as it is written.
fn written(arg: &TemplateArg) -> Option<&str> {
    match arg {
        TemplateArg::Type(Type { kind: TypeKind::Dependent(text), .. }) | TemplateArg::Value(text) => Some(text),
        TemplateArg::Type(_) => None,
    }
}

/// The parameters of a function with one for each element of a pack.
pub(crate) fn spread_params<'p>(with: &Substitution, params: &'p [Param]) -> Cow<'p, [Param]> {
    if with.packs.is_empty() || !params.iter().any(|param| spread(with, &param.ty).is_some()) {
        return Cow::Borrowed(params);
    }
    let spread = params.iter().flat_map(|param| match spread(with, &param.ty) {
        Some(types) => {
            let many = types.len() > 1;
            let named = |(index, ty)| {
                let name = if many { format!("{}{}", param.name, index + 1) } else { param.name.clone() };
                Param { name, ty, ends: None, seen_as: None, elements: None, ..param.clone() }
            };
            types.into_iter().enumerate().map(named).collect()
        }
        // Where the others stand has changed.
        None => vec![Param { ends: None, elements: None, ..param.clone() }],
    });
    Cow::Owned(spread.collect())
}

/// `pattern...`, the pattern once for each element of the packs that it names.
pub(crate) fn elements(with: &Substitution, text: &str) -> Option<Vec<TemplateArg>> {
    let pattern = text.strip_suffix("...")?.trim();
    let named: Vec<(&String, &Vec<TemplateArg>)> = with.packs.iter().filter(|(name, _)| names(pattern, name)).collect();
    let count = named.first()?.1.len();
    if named.iter().any(|(_, list)| list.len() != count) {
        return None;
    }
    (0..count)
        .map(|index| {
            let mut inner = with.clone();
            for (name, list) in &named {
                inner.packs.remove(*name);
                inner.put((*name).clone(), list[index].clone());
            }
            match inner.value(pattern) {
                Some(value) => Some(TemplateArg::Value(value.to_owned())),
                None => self::pattern(&inner, pattern).map(TemplateArg::Type),
            }
        })
        .collect()
}

/// A pattern with the elements put in.
fn pattern(with: &Substitution, text: &str) -> Option<Type> {
    let text = text.trim();
    match text.strip_suffix("&&") {
        Some(inner) => Some(refer(pattern(with, inner)?, "&&")),
        None => match text.strip_suffix('&') {
            Some(inner) => Some(refer(pattern(with, inner)?, "&")),
            None => crate::types::members::resolved(with, text),
        },
    }
}

/// A spelling whose patterns with `...` are replaced by characters, and what those stand for.
pub(crate) fn spread_text(with: &Substitution, spelling: &str) -> (String, Vec<(char, String)>) {
    let (mut text, mut found, mut from) = (spelling.to_owned(), Vec::new(), 0);
    if with.packs.is_empty() {
        return (text, found);
    }
    while let Some(at) = text[from..].find("...").map(|at| from + at) {
        let start = pattern_start(&text[..at]);
        let end = at + "...".len();
        let list = elements(with, text[start..end].trim());
        let stand_in = char::from_u32(STAND_INS + found.len() as u32);
        let (Some(list), Some(stand_in)) = (list, stand_in) else {
            from = end;
            continue;
        };
        // Nothing has no comma either.
        let (before, behind) = match list.is_empty() {
            true if text[..start].trim_end().ends_with(',') => {
                (text[..start].trim_end().trim_end_matches(','), &text[end..])
            }
            true => (&text[..start], text[end..].trim_start().trim_start_matches(',').trim_start()),
            false => (&text[..start], &text[end..]),
        };
        from = before.len();
        found.push((stand_in, TemplateArg::list(&list)));
        text = format!("{before}{stand_in}{behind}");
    }
    (text, found)
}

/// Where the pattern begins that ends with a text.
fn pattern_start(text: &str) -> usize {
    let mut depth = 0i32;
    let open = text.char_indices().rev().find(|(_, c)| match c {
        '>' | ')' | ']' => {
            depth += 1;
            false
        }
        '<' | '(' | '[' if depth > 0 => {
            depth -= 1;
            false
        }
        '<' | '(' | '[' => true,
        ',' => depth == 0,
        _ => false,
    });
    let behind = open.map_or(0, |(at, _)| at + 1);
    behind + (text[behind..].len() - text[behind..].trim_start().len())
}
