//! Values with parts: structures filled field by field, arrays.

use super::members::{assignable, member};
use super::writer::{Lowered, Lowering, Made, Values, kind, lasts_in_c, take_into};
use super::{choices, exact, ownership, scalars, union_members};
use crate::cpp::string_literal;
use crate::generate::literal;
use crate::generate::trace::Draw;
use crate::model::library::Ability;
use crate::model::{Class, ClassKind, Prim, Type, TypeKind};
use crate::plan::{Kind, Recipe, Slot};
use crate::types::library::row_of;
use crate::types::standard::complex_part;

use crate::facts::default_construction::is_default_constructible;
use crate::facts::flexible_members::flexible;

/// Fills an lvalue that exists.
pub fn fill(lowering: &mut Lowering<'_>, recipe: &Recipe, target: &str) -> Lowered<()> {
    let ty = &recipe.ty;
    match &recipe.kind {
        Kind::Fields { fields, statements } => {
            let class = lowering.model.class_of(ty);
            let is_bits = |name: &str| {
                class.is_some_and(|class| class.fields.iter().any(|f| f.name == name && f.bit_width.is_some()))
            };
            let mut before: Option<&Slot> = None;
            let outer = lowering.says_zeros;
            lowering.says_zeros |= class.is_some_and(|class| comes_with_values(lowering, class));
            for field in fields {
                let place = assignable(lowering, &field.ty, member(target, &field.name));
                match (&field.recipe, before) {
                    (Recipe { kind: Kind::End { most, .. }, .. }, Some(begin)) => {
                        let length = scalars::length(lowering, *most)?;
                        lowering.line(format!("{place} = {} + {length};", member(target, &begin.name)));
                    }
                    // Nobody can take the address of so few bits.
                    (Recipe { kind: Kind::Prim { .. }, .. }, _)
                        if lowering.is_c() && lowering.from_input() && is_bits(&field.name) =>
                    {
                        let made = lowering.value(&field.recipe, &field.name)?;
                        lowering.line(format!("{place} = {};", made.object));
                    }
                    _ if field.nullable => {
                        let lines = lowering.lines.len();
                        let made = lowering.slot(field)?;
                        if made.is_null && !lowering.says_zeros {
                            // The structure is all zeroes at first.
                            lowering.lines.truncate(lines);
                        } else {
                            lowering.line(format!("{place} = {};", exact::pass_one(lowering, field, &made)));
                        }
                    }
                    _ => fill(lowering, &field.recipe, &place)?,
                }
                before = Some(field);
            }
            lowering.says_zeros = outer;
            for statement in statements {
                let object = if target.starts_with('*') { format!("({target})") } else { target.to_owned() };
                lowering.line(statement.replace("$it", &object));
            }
            Ok(())
        }
        // A union, which has all its members at one place.
        Kind::Choice { among } if is_union(lowering, ty) => match choices::chosen(lowering, among)? {
            Some(slot) => fill(lowering, &slot.recipe, target),
            None => choices::alternatives(lowering, among, true, &mut |this, slot| fill(this, &slot.recipe, target)),
        },
        Kind::Bytes => {
            if lowering.from_input() {
                lowering
                    .line(format!("motif_take({}, MOTIF_BYTES, &{target}, sizeof {target});", lowering.raw_input()));
                return Ok(());
            }
            let Draw::Value(value) = lowering.draw()? else { return Err("the replay took no storage".into()) };
            let bytes = value.raw();
            let used = bytes.iter().rposition(|b| *b != 0).map_or(0, |n| n + 1);
            if used > 0 && !union_members::set(lowering, ty, target, &bytes[..used]) {
                let list: Vec<String> = bytes[..used].iter().map(|b| format!("0x{b:02x}")).collect();
                let name = lowering.name("storage");
                lowering.line(format!("const unsigned char {name}[] = {{{}}};", list.join(", ")));
                let copy = if lowering.is_c() { "memcpy" } else { "std::memcpy" };
                lowering.line(format!("{copy}(&{target}, {name}, sizeof {name});"));
            }
            Ok(())
        }
        Kind::Array { element, length, text } if matches!(ty.kind, TypeKind::Array(..)) || is_std_array(ty) => {
            fill_array(lowering, (element, *length, *text), target, is_std_array(ty))
        }
        Kind::Prim { range: None } => {
            if lowering.is_c() && lowering.from_input() {
                lowering.line(take_into(target, ty));
                return Ok(());
            }
            let value = scalars::scalar(lowering, ty)?;
            if lowering.from_input() || lowering.says_zeros || !is_zero(&value) {
                lowering.line(format!("{target} = {value};"));
            }
            Ok(())
        }
        Kind::Length { .. } => {
            let value = scalars::expression(lowering, recipe)?;
            if lowering.from_input() || lowering.says_zeros || !is_zero(&value) {
                lowering.line(format!("{target} = {value};"));
            }
            Ok(())
        }
        Kind::Pair { .. } if complex_part(ty).is_some() => {
            let value = scalars::expression(lowering, recipe)?;
            if lowering.from_input() || lowering.says_zeros || !is_zero(&value) {
                lowering.line(format!("{target} = {value};"));
            }
            Ok(())
        }
        Kind::Enum { .. } | Kind::CString { .. } | Kind::StdString { .. } => {
            let value = scalars::expression(lowering, recipe)?;
            lowering.line(format!("{target} = {value};"));
            Ok(())
        }
        _ => {
            // (`(*(char **)&box.name)` is a constant member.)
            let name = target.trim_end_matches(')').rsplit(['.', '>']).next().unwrap_or(target).to_owned();
            let name = crate::types::spelling::identifier(&name, "value");
            let keeps_address = recipe.ty.pointee().is_some();
            let outer = lowering.by_address;
            lowering.by_address |= keeps_address;
            let made = lowering.value(recipe, &name)?;
            lowering.by_address = outer;
            let moved = matches!(recipe.kind, Kind::Smart { .. }) || ownership::is_move_only(lowering, &recipe.ty);
            // What can't be copied may take the value of another.
            let told = row_of(lowering.model, &recipe.ty).filter(|row| row.copies == Ability::Never);
            let value = match told.and_then(|row| row.tells.as_deref()) {
                Some(tells) => format!("{}.{tells}", made.object),
                None if moved => format!("std::move({})", made.object),
                None => made.object,
            };
            // What is there already has that value.
            let is_default = !lowering.from_input() && !lowering.says_zeros && !lowering.is_c();
            if !is_default || value != format!("{}{{}}", lowering.ty(&recipe.ty)) {
                lowering.line(format!("{target} = {value};"));
            }
            Ok(())
        }
    }
}

/// Whether a value of the type is one of the members of a union.
pub(super) fn is_union(lowering: &Lowering<'_>, ty: &Type) -> bool {
    lowering.model.class_of(ty).is_some_and(|class| class.kind == ClassKind::Union)
}

/// Whether an object has other values than zeros before it is filled: a constructor or initialisers of its members say
/// so.
fn comes_with_values(lowering: &Lowering<'_>, class: &Class) -> bool {
    class.fields.iter().any(|field| field.is_initialized && !field.is_static)
        || class.constructors(lowering.model).any(|constructor| !constructor.is_copy_or_move)
}

/// Whether a literal is what the zeroed place has already.
fn is_zero(value: &str) -> bool {
    matches!(value, "0" | "0.0" | "0.0f" | "false" | "'\\0'" | "0u" | "0L" | "0UL" | "0LL" | "0ULL")
}

/// Whether an object has a union in it, whose bytes are compared with those behind its members.
fn has_union(lowering: &Lowering<'_>, ty: &Type) -> bool {
    let Some(class) = lowering.model.class_of(ty) else { return false };
    class.kind == ClassKind::Union || class.fields.iter().any(|field| has_union(lowering, element_of(&field.ty)))
}

fn element_of(ty: &Type) -> &Type {
    if let TypeKind::Array(element, _) = &ty.kind { element_of(element) } else { ty }
}

/// A structure that is zeroed and filled then.
pub(super) fn zeroed(lowering: &mut Lowering<'_>, recipe: &Recipe, name: &str) -> Lowered<Made> {
    let name = lowering.name(name);
    if let Some(made) = with_room(lowering, recipe, &name) {
        fill(lowering, recipe, &made.object)?;
        return Ok(made);
    }
    if lasts_in_c(lowering) {
        // What a pointer in an array leads to outlives the loop that fills it.
        let declaration = lowering.declare(&recipe.ty, &format!("*{name}"));
        lowering.line(format!("{declaration} = motif_allocate(in, sizeof *{name});"));
        fill(lowering, recipe, &format!("*{name}"))?;
        return Ok(Made::pointer(&name));
    }
    let declaration = lowering.declare(&recipe.ty, &name);
    if lowering.is_c() {
        // memset, not `= {0}`: the padding is part of what a union's bytes compare.
        if lowering.from_input() || has_union(lowering, &recipe.ty) {
            lowering.line(format!("{declaration};"));
            lowering.line(format!("memset(&{name}, 0, sizeof {name});"));
        } else {
            lowering.line(format!("{declaration} = {{0}};"));
        }
    } else {
        let object = format!("{}()", lowering.ty(&recipe.ty));
        // No lambda captures a variable of such a type.
        let is_flexible = lowering.model.class_of(&recipe.ty).is_some_and(|class| flexible(class).is_some());
        let plain = match is_flexible && lowering.from_input() {
            true => format!("auto &{name} = keep(new {object});"),
            false => format!("{declaration}{{}};"),
        };
        lowering.object(&name, &object, plain);
    }
    fill(lowering, recipe, &name)?;
    Ok(Made::variable(&name))
}

/// A zeroed structure with room behind it for the elements of its flexible array member, if the recipe has any.
fn with_room(lowering: &mut Lowering<'_>, recipe: &Recipe, name: &str) -> Option<Made> {
    let (member, length) = room(lowering, recipe)?;
    let declaration = lowering.declare(&recipe.ty, &format!("*{name}"));
    let size = with_elements(name, member, length);
    if lowering.from_input() {
        lowering.line(format!("{declaration} = motif_allocate_with_room(in, {size});"));
    } else {
        lowering.line(format!("{declaration} = calloc(1, {size});"));
        lowering.at_end.push(format!("free({name});"));
    }
    Some(Made::pointer(name))
}

/// The size of an object with the elements of its flexible array member.
fn with_elements(name: &str, member: &str, length: u64) -> String {
    format!("sizeof *{name} + {length} * sizeof {name}->{member}[0]")
}

/// The flexible array member that a structure is filled with, and how many elements it gets.
fn room<'r>(lowering: &Lowering<'_>, recipe: &'r Recipe) -> Option<(&'r str, u64)> {
    let Kind::Fields { fields, .. } = &recipe.kind else { return None };
    let member = &flexible(lowering.model.class_of(&recipe.ty)?)?.field.name;
    let elements = fields.last().filter(|slot| slot.name == *member)?;
    let Kind::Array { length, .. } = elements.recipe.kind else { return None };
    Some((&elements.name, length))
}

/// An array or a structure of C that whoever gets it frees: its value is the pointer.
pub(super) fn on_heap(lowering: &mut Lowering<'_>, recipe: &Recipe, name: &str) -> Lowered<Made> {
    let name = lowering.name(name);
    if let Kind::Array { element, length, text } = &recipe.kind {
        let declaration = lowering.declare(&crate::types::spelling::value_type(&element.ty), &format!("*{name}"));
        lowering.line(format!("{declaration} = calloc({}, sizeof *{name});", with_end(element, *length, *text)));
        fill_array(lowering, (element, *length, *text), &name, false)?;
        return Ok(Made::expression(name));
    }
    let size = match room(lowering, recipe) {
        Some((member, length)) => with_elements(&name, member, length),
        None => format!("sizeof *{name}"),
    };
    let declaration = lowering.declare(&recipe.ty, &format!("*{name}"));
    lowering.line(format!("{declaration} = calloc(1, {size});"));
    fill(lowering, recipe, &format!("*{name}"))?;
    Ok(Made::expression(name))
}

/// Whether an object of the type can't be made first and filled then.
pub(super) fn asks_for_parts(lowering: &Lowering<'_>, ty: &Type) -> bool {
    let class = lowering.model.class_of(ty);
    class.is_some_and(|class| !is_default_constructible(lowering.model, class))
}

/// A structure that gets its parts as it is made.
pub(super) fn braced(lowering: &mut Lowering<'_>, recipe: &Recipe, name: &str) -> Lowered<Made> {
    let Kind::Fields { fields, statements } = &recipe.kind else { unreachable!("called for structures") };
    let ty = &recipe.ty;
    let class = lowering.model.class_of(ty).ok_or("a structure that is not known")?;
    let mut parts = Vec::new();
    for field in class.fields.iter().filter(|field| !field.is_static) {
        parts.push(match fields.iter().find(|slot| slot.name == field.name) {
            Some(slot) => {
                let made = lowering.slot(slot)?;
                exact::pass_one(lowering, slot, &made)
            }
            None => "{}".to_owned(),
        });
    }
    let (name, spelled, parts) = (lowering.name(name), lowering.ty(ty), parts.join(", "));
    let made = lowering.object(&name, &format!("{spelled}{{{parts}}}"), format!("{spelled} {name}{{{parts}}};"));
    for statement in statements {
        lowering.line(statement.replace("$it", &name));
    }
    Ok(made)
}

pub(super) fn fill_array(
    lowering: &mut Lowering<'_>,
    (element, length, text): (&Slot, u64, bool),
    target: &str,
    is_class: bool,
) -> Lowered<()> {
    // Whoever looks for the end of a text finds it.
    let end = format!("{target}[{}] = 0;", length.saturating_sub(1));
    if let Some((prim, total)) = flat(element, length) {
        if lowering.from_input() {
            let first = first_element(target, element, is_class);
            let size = format!("sizeof {first}[0]");
            lowering.line(match (lowering.is_c(), is_class || first != *target) {
                (true, _) => format!("motif_take_array(in, {}, {first}, {size}, {total});", kind(prim)),
                (false, _) => format!("in.array({first}, {total});"),
            });
            if text {
                lowering.line(end);
            }
            return Ok(());
        }
        let values = drawn_elements(lowering, length, text)?.0;
        set_elements(lowering, (target, is_class), element, (prim, total), &values);
        return Ok(());
    }
    let is_table = text;
    if lowering.from_input() {
        let index = lowering.name("i");
        let counter = if lowering.is_c() { "size_t" } else { "std::size_t" };
        let mut count = length.to_string();
        if is_table {
            count = lowering.name("entries");
            lowering.line(format!("const {counter} {count} = {};", lowering.take_size(length)));
        }
        let head = format!("for ({counter} {index} = 0; {index} < {count}; ++{index}) {{");
        let place = format!("{target}[{index}]");
        return lowering.block(head, |inner| inner.lasting(|inner| fill(inner, &element.recipe, &place)));
    }
    let count = if is_table { lowering.draw_size("a number of entries")? } else { length };
    for index in 0..count {
        fill(lowering, &element.recipe, &format!("{target}[{index}]"))?;
    }
    Ok(())
}

/// So many bytes are set one by one.
const FEW: usize = 4;

/// Sets the elements that are not zero: the others are, or are made so. Text and bytes are copied.
fn set_elements(
    lowering: &mut Lowering<'_>,
    (target, is_class): (&str, bool),
    element: &Slot,
    (prim, length): (Prim, u64),
    values: &[literal::Scalar],
) {
    if lowering.says_zeros {
        let clear = crate::cpp::of_c_library(lowering.language, "memset");
        lowering.line(format!("{clear}(&{target}, 0, sizeof {target});"));
    }
    let used = values.iter().rposition(|value| !value.is_zero()).map_or(0, |last| last + 1);
    let is_text = prim == Prim::Char && !is_class && matches!(element.recipe.kind, Kind::Prim { .. });
    if is_text && used > 1 && (used as u64) < length && values[..used].iter().all(|value| !value.is_zero()) {
        let bytes: Vec<u8> = values[..used].iter().flat_map(literal::Scalar::raw).collect();
        let copy = crate::cpp::of_c_library(lowering.language, "strcpy");
        lowering.line(format!("{copy}({target}, {});", string_literal(&bytes)));
        return;
    }
    let is_bytes = matches!(prim, Prim::Char | Prim::SChar | Prim::UChar) && !is_class;
    if is_bytes && used > FEW && used as u64 <= length && matches!(element.recipe.kind, Kind::Prim { .. }) {
        let bytes: Vec<u8> = values[..used].iter().flat_map(literal::Scalar::raw).collect();
        let copy = crate::cpp::of_c_library(lowering.language, "memcpy");
        lowering.line(format!("{copy}({target}, {}, {used});", string_literal(&bytes)));
        return;
    }
    for (index, value) in values.iter().enumerate().filter(|(_, v)| !v.is_zero()) {
        let place = subscript(target, element, index as u64);
        let text = literal::scalar(value, prim, lowering.language);
        lowering.line(format!("{place} = {text};"));
    }
}

/// The scalars of an array that a replay took, without the last where it ends a text, and how many it takes to say
/// them: those behind are zero.
pub(super) fn drawn_elements(
    lowering: &mut Lowering<'_>,
    length: u64,
    text: bool,
) -> Lowered<(Vec<literal::Scalar>, usize)> {
    let mut values = lowering.draw_array("an array")?;
    if text {
        values.truncate(length as usize - 1);
    }
    let used = values.iter().rposition(|v| !v.is_zero()).map_or(0, |n| n + 1);
    Ok((values, used))
}

/// From so many equal elements on, an array is filled.
const FILL: usize = 8;

/// From so many equal characters on, a text is filled.
const LONG_TEXT: usize = 32;

/// Whether an array is written as a text: one of characters, and one of other bytes where a person can read most.
fn is_text(prim: Prim, bytes: &[u8]) -> bool {
    let is_read = |byte: &u8| byte.is_ascii_graphic() || matches!(byte, b' ' | b'\n' | b'\t');
    match prim {
        Prim::Char => true,
        Prim::UChar | Prim::SChar => {
            let read = bytes.iter().filter(|byte| is_read(byte)).count();
            !bytes.contains(&0) && 2 * read > bytes.len()
        }
        _ => false,
    }
}

/// An array of wide characters that a person can read, as a literal: `L"a;b"`.
fn wide_text(prim: Prim, values: &[literal::Scalar]) -> Option<String> {
    let prefix = match prim {
        Prim::WChar => "L",
        Prim::Char16 => "u",
        Prim::Char32 => "U",
        _ => return None,
    };
    let letter = |value: &literal::Scalar| u8::try_from(value.integer()?).ok();
    let text: Option<Vec<u8>> = values.iter().map(letter).collect();
    let is_read = |text: &Vec<u8>| !text.is_empty() && is_text(Prim::UChar, text) && text.is_ascii();
    text.filter(is_read).map(|text| format!("{prefix}{}", string_literal(&text)))
}

/// The value that all of these have.
fn equal(values: &[literal::Scalar]) -> Option<&literal::Scalar> {
    let first = values.first()?;
    values.iter().all(|value| value.bytes == first.bytes).then_some(first)
}

pub(super) fn array(lowering: &mut Lowering<'_>, recipe: &Recipe, name: &str) -> Lowered<Made> {
    let Kind::Array { element, length, text } = &recipe.kind else { unreachable!("called for arrays") };
    let (ty, length, text) = (&recipe.ty, *length, *text);
    let whole = with_end(element, length, text);
    let name = lowering.name(name);
    let is_class = is_std_array(ty);
    let element_type = crate::types::spelling::value_type(&element.ty);
    let declaration = if is_class {
        lowering.declare(ty, &name)
    } else {
        lowering.declare(&element_type, &format!("{name}[{whole}]"))
    };
    if let (false, Some((prim, _))) = (lowering.from_input(), flat(element, length)) {
        let (values, used) = drawn_elements(lowering, length, text)?;
        if !matches!(element.recipe.kind, Kind::Array { .. }) {
            let bytes: Vec<u8> = values[..used].iter().flat_map(literal::Scalar::raw).collect();
            let reads_as_text = !is_class && bytes.len() < length as usize && is_text(prim, &bytes);
            if let Some(fill) = equal(&values[..used]).filter(|_| used >= if reads_as_text { LONG_TEXT } else { FILL })
            {
                let value = literal::scalar(fill, prim, lowering.language);
                let is_byte = fill.raw().len() == 1;
                let line = match (lowering.is_c(), is_byte) {
                    (true, true) => format!("memset({name}, {value}, {used});"),
                    (true, false) => format!("for (int i = 0; i < {used}; ++i) {name}[i] = {value};"),
                    (false, _) if is_class => format!("std::fill_n({name}.begin(), {used}, {value});"),
                    (false, _) => format!("std::fill_n({name}, {used}, {value});"),
                };
                // (Not filled, in a trial, it still has values.)
                let zeros = match lowering.is_c() {
                    false => " = {}",
                    true if used == length as usize => "",
                    true => " = {0}",
                };
                lowering.line(format!("{declaration}{zeros};"));
                lowering.line(line);
                return Ok(Made::variable(&name));
            }
            let value = |value: &literal::Scalar| match literal::as_letter(value, prim, &values[..used]) {
                Some(letter) => letter,
                None => literal::scalar(value, prim, lowering.language),
            };
            let text: Vec<String> = values[..used].iter().map(value).collect();
            let wide = wide_text(prim, &values[..used]).filter(|_| !is_class && used < length as usize);
            let init = if reads_as_text {
                string_literal(&bytes)
            } else if let Some(text) = wide {
                text
            } else if used == 0 {
                if lowering.is_c() { "{0}".into() } else { "{}".into() }
            } else {
                format!("{{{}}}", text.join(", "))
            };
            lowering.line(format!("{declaration} = {init};"));
            return Ok(Made::variable(&name));
        }
        lowering.line(format!("{declaration} = {};", if lowering.is_c() { "{{0}}" } else { "{}" }));
        set_elements(lowering, (&name, is_class), element, (prim, length), &values);
        return Ok(Made::variable(&name));
    }
    if lowering.is_c() && lowering.scoped {
        // The pointee of a structure in an array outlives the loop that fills it.
        let pointer = lowering.declare(&element_type, &format!("*{name}"));
        lowering.line(format!("{pointer} = motif_allocate(in, {whole} * sizeof *{name});"));
    } else if lowering.is_c() {
        // (The padding of structures is cleared as well.)
        let mut innermost = &element_type;
        while let TypeKind::Array(of, _) = &innermost.kind {
            innermost = of;
        }
        if matches!(innermost.kind, TypeKind::Record { .. }) && complex_part(innermost).is_none() {
            lowering.line(format!("{declaration};"));
            lowering.line(format!("memset({name}, 0, sizeof {name});"));
        } else {
            lowering.line(format!("{declaration} = {{0}};"));
        }
    } else if lowering.lasts() {
        let array = if is_class { lowering.ty(ty) } else { lowering.declare(&element_type, &format!("[{length}]")) };
        lowering.line(format!("auto &{name} = keep.values<{array}>();"));
    } else {
        lowering.line(format!("{declaration} = {{}};"));
    }
    fill_array(lowering, (element, length, text), &name, is_class)?;
    Ok(Made::variable(&name))
}

/// How many elements an array has with the one that ends it: text has its end among them.
fn with_end(element: &Slot, length: u64, text: bool) -> u64 {
    length + u64::from(text && flat(element, length).is_none())
}

/// An array of scalars, nested or not: their type and their total number.
pub(super) fn flat(element: &Slot, length: u64) -> Option<(Prim, u64)> {
    let ty = &element.recipe.ty;
    match &element.recipe.kind {
        Kind::Prim { range: None } => match ty.kind {
            TypeKind::Prim(prim) => Some((prim, length)),
            _ => None,
        },
        Kind::Array { element, length: inner, .. } if matches!(ty.kind, TypeKind::Array(..)) => {
            flat(element, *inner).map(|(prim, total)| (prim, total * length))
        }
        _ => None,
    }
}

fn first_element(target: &str, element: &Slot, is_class: bool) -> String {
    let mut text = if is_class { format!("{target}.data()") } else { target.to_owned() };
    let mut inner = element;
    while let Kind::Array { element, .. } = &inner.recipe.kind {
        text.push_str("[0]");
        inner = element;
    }
    text
}

/// `target[i][j]` for the flat `index`.
fn subscript(target: &str, element: &Slot, index: u64) -> String {
    match &element.recipe.kind {
        Kind::Array { element: inner, length, .. } => {
            let per: u64 = flat(inner, *length).map_or(1, |(_, total)| total);
            subscript(&format!("{target}[{}]", index / per), inner, index % per)
        }
        _ => format!("{target}[{index}]"),
    }
}

fn is_std_array(ty: &Type) -> bool {
    crate::types::library::row_of(None, ty).is_some_and(|row| row.shape == crate::model::library::Shape::Array)
}
