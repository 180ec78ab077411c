//! Types as rows write them: `std::pair<const $1, $2>`, with the arguments of a template put in, or found in a type.

use crate::model::{Model, TemplateArg, Type, TypeKind};
use crate::types::arithmetic::{primitive, simple_type};
use crate::types::compose::{self, constant, pointing};
use crate::types::records::{alike, record_type};
use crate::types::spelling::{split_arguments, value_type};

/// A type as it is written in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `$1`: a template argument, counted from 0 here.
    Argument(usize),
    /// `$self`: the type that the row is for.
    Itself,
    /// `$...`: all template arguments.
    All,
    /// `const FORM`.
    Constant(Box<Form>),
    /// `mutable FORM`: without its `const`.
    Mutable(Box<Form>),
    /// `FORM *`.
    Pointer(Box<Form>),
    /// `FORM &`.
    Reference(Box<Form>),
    /// A name, with arguments or without.
    Named(String, Vec<Form>),
}

/// The replacements for the words of a form.
pub(crate) struct Meaning<'a> {
    /// Where classes are looked up.
    pub model: Option<&'a Model>,
    /// The template arguments.
    pub args: &'a [TemplateArg],
    /// The type itself.
    pub itself: &'a Type,
}

impl Form {
    /// Reads a form.
    ///
    /// # Errors
    /// The fault.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let boxed = |text: &str| Self::read(text).map(Box::new);
        if let Some(inner) = text.strip_suffix('*') {
            return Ok(Self::Pointer(boxed(inner)?));
        }
        if let Some(inner) = text.strip_suffix('&') {
            return Ok(Self::Reference(boxed(inner)?));
        }
        if let Some(inner) = text.strip_prefix("const ") {
            return Ok(Self::Constant(boxed(inner)?));
        }
        if let Some(inner) = text.strip_prefix("mutable ") {
            return Ok(Self::Mutable(boxed(inner)?));
        }
        if let Some(word) = text.strip_prefix('$') {
            return match (word, word.parse::<usize>()) {
                ("self", _) => Ok(Self::Itself),
                ("...", _) => Ok(Self::All),
                (_, Ok(number)) if number > 0 => Ok(Self::Argument(number - 1)),
                _ => Err(format!("`{text}` stands for nothing: `$1`, `$2`…, `$self` and `$...` do")),
            };
        }
        let (name, args) = match text.split_once('<') {
            None => (text, Vec::new()),
            Some((name, rest)) => {
                let inner = rest.strip_suffix('>').ok_or_else(|| format!("`{text}` does not close its `<`"))?;
                let args = split_arguments(inner).iter().map(|arg| Self::read(arg)).collect::<Result<_, _>>()?;
                (name.trim(), args)
            }
        };
        let is_name = |c: char| c.is_alphanumeric() || "_: ".contains(c);
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(format!("`{text}` is no type"));
        }
        Ok(Self::Named(name.to_owned(), args))
    }

    /// The type that it is; none where an argument is missing that it names.
    pub(crate) fn made(&self, with: &Meaning<'_>) -> Option<Type> {
        Some(match self {
            Self::Argument(index) => return compose::type_argument(with.args, *index).cloned(),
            Self::Itself => value_type(with.itself),
            Self::All => return None,
            Self::Constant(of) => constant(&of.made(with)?),
            Self::Mutable(of) => value_type(&of.made(with)?),
            Self::Pointer(to) => pointing(to.made(with)?, "*", TypeKind::Pointer),
            Self::Reference(to) => pointing(to.made(with)?, "&", TypeKind::LvalueRef),
            Self::Named(name, args) => {
                let args: Vec<Type> = args.iter().map(|arg| arg.made(with)).collect::<Option<_>>()?;
                named(with.model, name, &args)
            }
        })
    }

    /// Whether `ty` has this form; `found` gets what stands for `$1`, `$2`…, and `itself` what stands for `$self`.
    pub(crate) fn fits(&self, ty: &Type, found: &mut Vec<Option<Type>>, itself: &mut Option<Type>) -> bool {
        match (self, &ty.kind) {
            (Self::Argument(index), _) => {
                if found.len() <= *index {
                    found.resize(index + 1, None);
                }
                match &found[*index] {
                    Some(known) => alike(known, ty),
                    None => {
                        found[*index] = Some(ty.clone());
                        true
                    }
                }
            }
            (Self::Itself, _) => {
                *itself = Some(value_type(ty));
                true
            }
            (Self::Constant(of), _) => ty.is_const && of.fits(&value_type(ty), found, itself),
            (Self::Mutable(of), _) => of.fits(&value_type(ty), found, itself),
            (Self::Pointer(of), TypeKind::Pointer(to)) | (Self::Reference(of), TypeKind::LvalueRef(to)) => {
                of.fits(to, found, itself)
            }
            // The implementation's own arguments follow.
            (Self::Named(name, forms), TypeKind::Record { name: of, args, .. }) => {
                name == of
                    && forms.len() <= args.len()
                    && forms
                        .iter()
                        .zip(args)
                        .all(|(form, arg)| matches!(arg, TemplateArg::Type(ty) if form.fits(ty, found, itself)))
            }
            _ => false,
        }
    }

    /// The names in it that are no arguments' own.
    pub(crate) fn names(&self) -> Vec<&str> {
        match self {
            Self::Argument(_) | Self::Itself | Self::All => Vec::new(),
            Self::Constant(of) | Self::Mutable(of) | Self::Pointer(of) | Self::Reference(of) => of.names(),
            Self::Named(name, args) => {
                std::iter::once(name.as_str()).chain(args.iter().flat_map(Self::names)).collect()
            }
        }
    }
}

/// A type by its name: an arithmetic one, a class of the model, or one of a library.
fn named(model: Option<&Model>, name: &str, args: &[Type]) -> Type {
    if let Some(class) = model.and_then(|model| model.class_named(name)) {
        let args = args.iter().cloned().map(TemplateArg::Type).collect();
        return record_type(model.expect("it has the class"), class, args);
    }
    if args.is_empty() {
        return primitive(name).unwrap_or_else(|| simple_type(name));
    }
    compose::class_of(name, &args.iter().collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_a_type_once_its_arguments_are_known() {
        let int = simple_type("int");
        let args = [TemplateArg::Type(constant(&int)), TemplateArg::Type(simple_type("double"))];
        let itself = compose::class("lib::ring", args.to_vec());
        let with = Meaning { model: None, args: &args, itself: &itself };
        let made = |text: &str| Form::read(text).unwrap().made(&with).map(|ty| ty.spelling);
        assert_eq!(made("$1").as_deref(), Some("const int"));
        assert_eq!(made("std::vector<mutable $1> &").as_deref(), Some("std::vector<int> &"));
        assert_eq!(made("std::pair<const $2, $2 *>").as_deref(), Some("std::pair<const double, double *>"));
        assert_eq!(made("lib::at<$self>").as_deref(), Some("lib::at<lib::ring<const int, double>>"));
        assert_eq!(made("$3"), None);
    }

    #[test]
    fn a_form_is_found_in_a_type() {
        let int = simple_type("int");
        let pair = compose::pair(&constant(&int), &simple_type("double"));
        let iterator = compose::class_of("lib::at", &[&pair, &int]);
        let form = Form::read("lib::at<std::pair<const $1, $2>>").unwrap();
        let (mut found, mut itself) = (Vec::new(), None);
        assert!(form.fits(&iterator, &mut found, &mut itself));
        let found: Vec<_> = found.into_iter().map(|ty| ty.unwrap().spelling).collect();
        assert_eq!(found, ["int", "double"]);
        let other = compose::class_of("lib::at", &[&compose::pair(&int, &int)]);
        assert!(!form.fits(&other, &mut Vec::new(), &mut None), "its key can be changed");
    }

    #[test]
    fn what_is_no_type_is_refused() {
        for text in ["$x", "$0", "std::vector<$1", "a+b", ""] {
            assert!(Form::read(text).is_err(), "{text}");
        }
    }
}
