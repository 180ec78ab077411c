//! How a type is spelled once its parameters are replaced, where that is more than words in the place of others.

use crate::model::{TemplateArg, Type, TypeKind};
use crate::types::spelling::split_arguments;

/// Whether a type is only known by way of another: `typename Container::value_type`.
fn is_member(ty: &Type) -> bool {
    matches!(&ty.kind, TypeKind::Dependent(name) if name.contains("::"))
}

/// The spelling of a class whose arguments, `kind`'s, have other names than they were written with.
pub(crate) fn around_arguments(ty: &Type, kind: &TypeKind) -> Option<String> {
    let (TypeKind::Record { args: from, .. }, TypeKind::Record { args: to, .. }) = (&ty.kind, kind) else {
        return None;
    };
    let TypeKind::Record { usr, name, .. } = kind else { return None };
    let (head, written) = head_and_arguments(&ty.spelling)?;
    let last = |name: &str| name.rsplit([':', ' ']).next().unwrap_or_default().to_owned();
    // An alias of a template may be known within its scope only.
    if from != to && usr.starts_with("c:") && last(head) != last(name) {
        return Some(format!("{}{name}<{}>", if ty.is_const { "const " } else { "" }, TemplateArg::list(to)));
    }
    let renamed = |pair: (&TemplateArg, &TemplateArg)| match pair {
        (TemplateArg::Value(from), TemplateArg::Value(to)) => from.contains(' ') && from != to,
        (TemplateArg::Type(from), TemplateArg::Type(to)) => is_member(from) && !is_member(to),
        _ => false,
    };
    // (What is nested in a template has the arguments of that in front of its own.)
    if head.contains('<') || !from.iter().zip(to).any(renamed) {
        return None;
    }
    // As many as were written: what follows is the template's own.
    Some(format!("{head}<{}>", TemplateArg::list(to.iter().take(written))))
}

/// The name before the last list of arguments, if it ends with one, and how many arguments those are.
fn head_and_arguments(spelling: &str) -> Option<(&str, usize)> {
    let inner = spelling.strip_suffix('>')?;
    let mut depth = 0;
    let open = inner.char_indices().rev().find(|(_, c)| {
        depth += match c {
            '>' => 1,
            '<' => -1,
            _ => 0,
        };
        depth < 0
    });
    let (open, _) = open?;
    Some((&spelling[..open], split_arguments(&inner[open + 1..]).len()))
}

/// The spelling of a pointer or reference to a parameter, `ty`, that became one to an array or to something with a
/// function in it, `kind`: the mark goes inside. None for others.
pub(crate) fn around_declarator(ty: &Type, kind: &TypeKind) -> Option<String> {
    let ((TypeKind::Pointer(from), TypeKind::Pointer(to), mark)
    | (TypeKind::LvalueRef(from), TypeKind::LvalueRef(to), mark)
    | (TypeKind::RvalueRef(from), TypeKind::RvalueRef(to), mark)) = (match (&ty.kind, kind) {
        (a @ TypeKind::Pointer(_), b) => (a, b, "*"),
        (a @ TypeKind::LvalueRef(_), b) => (a, b, "&"),
        (a, b) => (a, b, "&&"),
    })
    else {
        return None;
    };
    if !matches!(from.kind, TypeKind::Dependent(_)) || ty.is_const && mark == "*" {
        return None;
    }
    let text = &to.spelling;
    if let Some(at) = text.find("(*") {
        let end = at + text[at..].find(')')?;
        return Some(format!("{}{mark}{}", &text[..end], &text[end..]));
    }
    // A pointer's own `const` stands behind it.
    if from.is_const && to.pointee().is_some() {
        return Some(format!("{text} {mark}"));
    }
    let at = match to.kind {
        TypeKind::Array(..) => text.find('[')?,
        TypeKind::Function { .. } => text.find('(')?,
        // A type that is named by way of another may have been named from within it.
        _ if is_member(from) && !is_member(to) => {
            let gap = if text.ends_with(['*', '&']) { "" } else { " " };
            return Some(format!("{text}{gap}{mark}"));
        }
        _ => return None,
    };
    Some(format!("{} ({mark}){}", text[..at].trim_end(), &text[at..]))
}
