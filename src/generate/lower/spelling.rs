//! How types and expressions are spelled where a version of the code under test goes by another name.

use super::writer::{Lowering, Made, kept, lasts_in_c};
use crate::model::{Language, TemplateArg, Type, TypeKind};
use crate::types::spelling::replace_word;

/// The names of template parameters in drivers.
const PARAMETERS: [&str; 2] = ["T", "U"];

impl Lowering<'_> {
    /// A type's spelling, with the aliases that stand for either version.
    pub fn ty(&self, ty: &Type) -> String {
        // Types of the project's that are called like the parameters of the code around this.
        let spelled = PARAMETERS.iter().fold(ty.spelling.clone(), |spelled, name| {
            let qualified = replace_word(&spelled, name, &format!("::{name}"));
            let is_the_projects = || self.model.aliases.values().any(|alias| alias.qualified == *name);
            if self.language == Language::Cxx && qualified != spelled && is_the_projects() {
                qualified
            } else {
                spelled
            }
        });
        let out = self.spell(&spelled);
        // Among arguments of templates there are values as well.
        let is_value = |arg: &TemplateArg| matches!(arg, TemplateArg::Value(value) if value.contains("::"));
        let has_values = ty.any(|part| part.args().iter().any(is_value));
        let leads = || {
            let bare = out.strip_prefix("const ").unwrap_or(&out);
            self.aliases.iter().any(|(_, alias)| bare.starts_with(&format!("{alias}::")))
        };
        if self.with_aliases(&ty.spelling) != ty.spelling && (!has_values || leads()) {
            return self.with_typename(&out);
        }
        out
    }

    /// A function, or a lambda: all that its parameters and its result name are types.
    pub(super) fn callable(&self, expression: &str) -> String {
        let spelled = self.spell(expression);
        if expression.starts_with('[') { self.with_typename(&spelled) } else { spelled }
    }

    /// Says of what is nested in a version's class that it is a type: that depends on the version.
    fn with_typename(&self, spelled: &str) -> String {
        let nested = |text: String, (_, alias): &(String, String)| {
            let scope = format!("{alias}::");
            let mut parts = text.split(&scope);
            let mut out = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                let is_whole = !out.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':'));
                let is_said = out.ends_with("typename ") || part.starts_with('*');
                out.push_str(if is_whole && !is_said { "typename " } else { "" });
                out.push_str(&scope);
                out.push_str(part);
            }
            out
        };
        let depends = |text: &str| self.aliases.iter().any(|(_, alias)| replace_word(text, alias, "") != text);
        in_dependent_templates(&self.aliases.iter().fold(spelled.to_owned(), nested), depends)
    }

    /// Text with the aliases put in, and what is hidden said in full.
    pub fn spell(&self, text: &str) -> String {
        self.hidden.spell(&self.with_aliases(text))
    }

    /// The name of a member, which nothing hides: aliases stand for its template arguments alone.
    pub(super) fn member(&self, name: &str) -> String {
        if name.contains('<') { self.spell(name) } else { name.to_owned() }
    }

    fn with_aliases(&self, text: &str) -> String {
        self.aliases.iter().fold(text.to_owned(), |text, (spelling, alias)| replace_word(&text, spelling, alias))
    }

    /// `T name` as a declarator, arrays and pointers to arrays included.
    pub fn declare(&self, ty: &Type, name: &str) -> String {
        match &ty.kind {
            TypeKind::Array(element, length) => {
                let length = length.map_or_else(String::new, |n| n.to_string());
                // (A pointer to an array, and no array of pointers.)
                let name = if name.starts_with('*') { format!("({name})") } else { name.to_owned() };
                self.declare(element, &format!("{name}[{length}]"))
            }
            _ => crate::cpp::declare(&self.ty(ty), name),
        }
    }

    /// Defines a variable: `T name = value;`.
    pub(super) fn set_variable(&mut self, name: &str, ty: &Type, value: &str) -> Made {
        if lasts_in_c(self) {
            let made = lasting_variable(self, name, ty);
            self.line(format!("*{name} = {value};"));
            return made;
        }
        let line = if self.lasts() {
            kept(name, &self.ty(ty), value)
        } else {
            format!("{} = {value};", self.declare(ty, name))
        };
        self.line(line);
        Made::variable(name)
    }
}

/// Defines a variable of C that outlives the block that makes it: what a pointer in an array leads to.
pub(super) fn lasting_variable(lowering: &mut Lowering<'_>, name: &str, ty: &Type) -> Made {
    let declaration = lowering.declare(ty, &format!("*{name}"));
    lowering.line(format!("{declaration} = motif_allocate(in, sizeof *{name});"));
    Made::pointer(name)
}

/// Says of what is nested in instances of templates (`Base<T>::Node`) that it is a type, where the arguments depend on
/// the version.
fn in_dependent_templates(spelled: &str, depends: impl Fn(&str) -> bool) -> String {
    let mut out = spelled.to_owned();
    let mut from = 0;
    while let Some(at) = out[from..].find(">::").map(|at| from + at) {
        from = at + 3;
        let mut depth = 0;
        let opens = out[..=at].rmatch_indices(['<', '>']).find(|(_, bracket)| {
            depth += if *bracket == ">" { 1 } else { -1 };
            depth == 0
        });
        let Some((opens, _)) = opens.filter(|(opens, _)| depends(&out[*opens + 1..at])) else { continue };
        let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ':');
        let begins = out[..opens].trim_end_matches(is_name).len();
        if !out[..begins].ends_with("typename ") && !out[begins..].starts_with("::") && !out[from..].starts_with('*') {
            out.insert_str(begins, "typename ");
            from += "typename ".len();
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::in_dependent_templates;

    #[test]
    fn what_is_nested_in_a_template_is_a_type_where_its_arguments_depend_on_the_version() {
        let said = |text: &str| in_dependent_templates(text, |inner| inner.split([' ', '<', '>']).any(|it| it == "T"));
        assert_eq!(said("const a::Base<T>::Node &"), "const typename a::Base<T>::Node &");
        assert_eq!(said("Base<int>::Node"), "Base<int>::Node");
        assert_eq!(said("typename Base<T>::Node"), "typename Base<T>::Node");
        assert_eq!(said("std::vector<Base<Pair<T>>::Node>"), "std::vector<typename Base<Pair<T>>::Node>");
    }
}
