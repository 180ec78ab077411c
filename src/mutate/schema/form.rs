//! How copies of one function are written: which tokens of its definition change, where a declaration goes, and what
//! makes the compiler emit the copy.

use super::head::{self, Head};
use crate::lex::{Text, Token};
use crate::model::{
    Access, Class, Definition, Extent, Function, FunctionKind, Language, Model, Scope, TemplateArg, TypeKind,
};
use crate::mutant::made::{Edit, splice};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Copies are numbered with five digits, so that their names are equally long wherever they are mangled.
pub(crate) const MOST: u32 = 99_999;

/// A part of the text that may differ between copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    /// The copy's name.
    Name,
    /// A constructor's first parameter, which distinguishes copies.
    Tag,
}

/// How copies of a function are written.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    /// The file of the definition.
    pub file: PathBuf,
    /// Its range.
    pub span: (u32, u32),
    /// The part to cut for a declaration.
    pub without: (u32, u32),
    /// Its first and last line.
    pub lines: (u32, u32),
    /// The changes in every copy, in order.
    edits: Vec<(u32, u32, Vec<Piece>)>,
    /// The text after every copy.
    suffix: Vec<Piece>,
    /// A declaration of every copy: the file, the offset after the original's declaration, the text.
    declaration: Option<(PathBuf, u32, Vec<Piece>)>,
    /// The classes for which the copies are instantiated.
    pub instances: Vec<String>,
    /// Only the class itself can name it.
    pub is_private: bool,
    /// The project's instantiations are unknown: there is no code to compare.
    pub is_uninstantiated: bool,
    /// Callers need only its declaration: neither its value nor its type comes from its body.
    pub can_be_opaque: bool,
    /// The name after the marker in a copy's name.
    name: String,
}

/// The texts of files that forms and schemata use, each read once.
#[derive(Default)]
pub(crate) struct Texts(BTreeMap<PathBuf, Text>);

impl Texts {
    /// Reads a file unless it was read.
    pub fn read(&mut self, file: &Path) -> Result<&Text, String> {
        if !self.0.contains_key(file) {
            let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
            self.0.insert(file.to_path_buf(), Text::new(bytes));
        }
        self.get(file).ok_or_else(String::new)
    }

    /// A file that was read.
    pub fn get(&self, file: &Path) -> Option<&Text> {
        self.0.get(file)
    }
}

/// The name of a copy.
fn name_of(number: u32, name: &str) -> String {
    format!("motif_m{number:05}_{name}")
}

impl Form {
    /// How copies of `function` are written; the reason if they cannot be.
    pub fn of(function: &Function, model: &Model, texts: &mut Texts) -> Result<Self, String> {
        let definition = function.definition.as_ref().ok_or("it has no definition")?;
        if definition.in_macro {
            return Err("its definition is made by a macro".into());
        }
        let extent = &definition.extent;
        let text = texts.read(&extent.file)?;
        let name_end = definition.name_offset + definition.name_len;
        let head_end = definition.initializers.as_ref().map_or(definition.body.start, |list| list.start);
        let left_out = head::left_out(text, extent.start, head_end)?;
        let is_in = |token: &Token| !left_out.iter().any(|(from, to)| *from <= token.start && token.start <= *to);
        let tokens: Vec<Token> = text.within(extent.start, head_end).iter().copied().filter(is_in).collect();
        let head = head::read(text, &tokens, (definition.name_offset, name_end))?;
        if text.bytes.get(extent.end as usize - 1) != Some(&b'}') {
            return Err("its definition does not end with a brace".into());
        }
        let name = plain_name(function)?;
        if function.kind == FunctionKind::Conversion && head.words.windows(2).any(|two| two == ["explicit", "("]) {
            return Err("it is conditionally explicit".into());
        }
        let in_class = function.owner.as_ref().and_then(|owner| model.classes.get(owner)).is_some_and(|class| {
            class.definition.as_ref().is_some_and(|class| class.file == extent.file && class.contains(extent.start))
        });
        let starts_with_try = text.bytes[definition.body.start as usize..].starts_with(b"try");
        if function.kind == FunctionKind::Destructor && starts_with_try {
            return Err("it is a destructor with a function-try-block".into());
        }
        if head.specialises.is_some() && function.owner.is_some() {
            return Err("it specialises a member of a template".into());
        }
        let mut edits = changes(function, &head)?;
        for (from, to) in left_out {
            let lines = text.bytes[from as usize..to as usize].iter().filter(|byte| **byte == b'\n').count();
            edits.push((from, to, vec![Piece::Text("\n".repeat(lines))]));
        }
        let is_dependent = function.template.is_some() || head.is_template || in_template(function, model);
        let suffix = c_inline(function, &head);
        // In C, an inline function that is used cannot become external later.
        if !is_dependent && suffix.is_empty() {
            edits.push((head.specifiers, head.specifiers, vec![Piece::Text("__attribute__((used)) ".into())]));
        }
        if let Some((start, end)) = head.specialises {
            // The attribute is after it.
            edits.push((start, end, Vec::new()));
        }
        edits.extend(head.arguments.map(|(start, end)| (start, end, Vec::new())));
        edits.sort_by_key(|(start, end, _)| (*start, *end));
        let qualified = head.qualified != head.name.0;
        let needs_declaration = if function.owner.is_some() { !in_class } else { qualified };
        let is_deduced = function.language == Language::Cxx && head.words.iter().any(|word| word == "auto");
        let (start, end) = (extent.start, extent.end);
        let file = extent.file.clone();
        // Out of line, only definitions are allowed.
        let without = if needs_declaration { (start, end) } else { without(definition, &head) };
        let lines = (extent.line, extent.end_line);
        let declaration = needs_declaration.then(|| declaration(function, model, texts)).transpose()?;
        let instances = if is_dependent { instances(function, model) } else { Some(Vec::new()) };
        Ok(Self {
            file,
            span: (start, end),
            without,
            lines,
            edits,
            suffix,
            declaration,
            is_private: function.access.is_some_and(|access| access != Access::Public)
                || classes(function, model).any(|class| class.access.is_some_and(|access| access != Access::Public)),
            is_uninstantiated: instances.is_none(),
            instances: instances.unwrap_or_default(),
            can_be_opaque: !function.is_constexpr && !is_deduced,
            name,
        })
    }

    /// Whether all text of its copies goes into `file`.
    pub fn is_within(&self, file: &Path) -> bool {
        let declared = self.declaration.as_ref().is_none_or(|(other, _, _)| other == file);
        self.file == file && declared && self.instances.is_empty() && !self.is_uninstantiated
    }

    /// The definition of copy `number`, with the mutant's edits.
    pub fn copy(&self, number: u32, change: &[Edit], source: &[u8]) -> Vec<u8> {
        let own =
            self.edits.iter().map(|(start, end, pieces)| (*start, *end, self.render(pieces, number).into_bytes()));
        let mut all: Vec<_> = own.chain(change.iter().map(|edit| padded(edit, source))).collect();
        all.sort_by_key(|(start, end, _)| (*start, *end));
        let mut out = splice(source, self.span, all);
        out.extend(self.render(&self.suffix, number).into_bytes());
        out
    }

    /// The declaration of copy `number`: file, offset, text.
    pub fn declaration(&self, number: u32) -> Option<(&Path, u32, String)> {
        let (file, offset, pieces) = self.declaration.as_ref()?;
        Some((file, *offset, self.render(pieces, number)))
    }

    /// A variable that makes the compiler instantiate copy `number` for the instance at `index`.
    pub fn instance(&self, number: u32, index: usize) -> Option<String> {
        let class = self.instances.get(index)?;
        let name = name_of(number, &self.name);
        Some(format!(
            "static __typeof__(&{class}::{name}) motif_i{index}_{number:05} __attribute__((used)) = &{class}::{name};"
        ))
    }

    fn render(&self, pieces: &[Piece], number: u32) -> String {
        let render = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Name => name_of(number, &self.name),
            Piece::Tag => format!("char (*)[73{number:05}]"),
        };
        pieces.iter().map(render).collect()
    }
}

/// An edit with as many line ends as it removes: later lines keep their numbers.
fn padded(edit: &Edit, source: &[u8]) -> (u32, u32, Vec<u8>) {
    let lines = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count();
    let removed = lines(source.get(edit.start as usize..edit.end as usize).unwrap_or_default());
    let mut text = edit.text.clone();
    text.extend(std::iter::repeat_n(b'\n', removed.saturating_sub(lines(&edit.text))));
    (edit.start, edit.end, text)
}

/// The file with a change, which leaves the numbers of later lines.
pub(crate) fn padded_change(change: &[Edit], source: &[u8]) -> Vec<u8> {
    splice(source, (0, source.len() as u32), change.iter().map(|edit| padded(edit, source)))
}

/// The name after the marker in the copies' names.
fn plain_name(function: &Function) -> Result<String, String> {
    let name = function.name.split('<').next().unwrap_or_default();
    if function.name.starts_with("operator") {
        let words = Text::new(function.name.clone().into_bytes());
        if matches!(
            words.tokens.get(1).map(|token| words.word(token)).unwrap_or_default(),
            b"new" | b"delete" | b"co_await"
        ) {
            return Err("it is an allocation function".into());
        }
        return Ok("operator".into());
    }
    if name == "main" && function.scopes.is_empty() {
        return Err("`main` has rules of its own".into());
    }
    match function.kind {
        FunctionKind::Destructor => Ok("destructor".into()),
        _ => Ok(name.to_string()),
    }
}

/// The changes that make a copy's head: another name, or a constructor's tag.
fn changes(function: &Function, head: &Head) -> Result<Vec<(u32, u32, Vec<Piece>)>, String> {
    let mut edits: Vec<(u32, u32, Vec<Piece>)> =
        head.dropped.iter().map(|(start, end)| (*start, *end, Vec::new())).collect();
    let text = |text: &str| Piece::Text(text.to_string());
    match function.kind {
        FunctionKind::Constructor if head.has_parameters => {
            edits.push((head.open + 1, head.open + 1, vec![Piece::Tag, text(", ")]));
        }
        FunctionKind::Constructor => edits.push((head.open + 1, head.close, vec![Piece::Tag])),
        FunctionKind::Destructor => {
            edits.push((head.qualified, head.qualified, vec![text("void ")]));
            edits.push((head.name.0, head.name.1, vec![Piece::Name]));
        }
        FunctionKind::Conversion => {
            let spelling = &function.result.spelling;
            if spelling.contains(['(', '[', '*', '&']) && spelling.contains(['(', '[']) {
                return Err("it converts to a function or an array".into());
            }
            edits.push((head.qualified, head.qualified, vec![Piece::Text(format!("{spelling} "))]));
            edits.push((head.name.0, head.name.1, vec![Piece::Name]));
        }
        _ => edits.push((head.name.0, head.name.1, vec![Piece::Name])),
    }
    Ok(edits)
}

/// The declaration of copies, from the original's: its place and its text.
fn declaration(function: &Function, model: &Model, texts: &mut Texts) -> Result<(PathBuf, u32, Vec<Piece>), String> {
    let home = function.owner.as_ref().and_then(|owner| model.classes.get(owner));
    let class = home.and_then(|class| class.definition.as_ref());
    if function.owner.is_some() && class.is_none() {
        return Err("its class is not known".into());
    }
    let lies_well =
        |extent: &&Extent| class.is_none_or(|class| class.file == extent.file && class.contains(extent.start));
    let mut why = "its declaration is not known".to_string();
    for extent in function.declarations.iter().filter(lies_well) {
        let text = texts.read(&extent.file)?;
        match declaration_at(function, extent, text) {
            Ok((offset, pieces)) => return Ok((extent.file.clone(), offset, pieces)),
            Err(reason) => why = reason,
        }
    }
    Err(why)
}

fn declaration_at(function: &Function, extent: &Extent, text: &Text) -> Result<(u32, Vec<Piece>), String> {
    const ODD: &str = "its declaration has an unknown form";
    let from = text.tokens.partition_point(|token| token.start < extent.start);
    let (mut depth, mut to) = (0i32, from);
    loop {
        let token = text.tokens.get(to).ok_or(ODD)?;
        match text.word(token) {
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" => depth -= 1,
            b";" if depth == 0 => break,
            // Another declarator: `int f(), g();`.
            b"," if depth == 0 && token.start >= extent.end => return Err(ODD.into()),
            _ => {}
        }
        if depth < 0 {
            return Err(ODD.into());
        }
        to += 1;
    }
    let tokens = &text.tokens[from..to];
    let called = match function.kind {
        FunctionKind::Constructor => function.name.split('<').next().unwrap_or_default(),
        _ => &function.name,
    };
    let name = head::find_name(text, tokens, called).ok_or(ODD)?;
    let mut head = head::read(text, tokens, name)?;
    if head.qualified != head.name.0 || head.words.iter().any(|word| word == "friend") || head.specialises.is_some() {
        return Err(ODD.into());
    }
    for (token, word) in tokens.iter().filter(|token| token.start >= head.specifiers).zip(&head.words) {
        if word == "static" {
            head.dropped.push((token.start, token.end));
        }
    }
    let mut edits = changes(function, &head)?;
    if function.kind == FunctionKind::StaticMethod {
        edits.push((head.specifiers, head.specifiers, vec![Piece::Text("static ".into())]));
    }
    edits.sort_by_key(|(start, end, _)| (*start, *end));
    // All on one line, so that line numbers stay.
    let mut pieces = Vec::new();
    let mut edits = edits.into_iter().peekable();
    let mut skip = 0;
    for token in tokens {
        while let Some((start, end, inserted)) = edits.next_if(|(start, _, _)| *start <= token.start) {
            pieces.extend(inserted);
            pieces.push(Piece::Text(" ".into()));
            skip = skip.max(if start < end { end } else { skip });
        }
        if token.start >= skip {
            let word = std::str::from_utf8(text.word(token)).map_err(|_| ODD)?;
            pieces.push(Piece::Text(format!("{word} ")));
        }
    }
    pieces.push(Piece::Text(";".into()));
    Ok((text.tokens[to].end, pieces))
}

/// The range to cut from a definition for a declaration.
fn without(definition: &Definition, head: &Head) -> (u32, u32) {
    // Between the parameters and the initialisers are `noexcept` and the like, then `:`, which is cut too.
    let start = match &definition.initializers {
        Some(list) => list.start.saturating_sub(1).max(head.close + 1),
        None => definition.body.start,
    };
    (start, definition.extent.end)
}

/// An inline function of C is emitted only if a declaration says `extern`.
fn c_inline(function: &Function, head: &Head) -> Vec<Piece> {
    let says = |what: &str| head.words.iter().any(|word| word.trim_matches('_') == what);
    if function.language == Language::C && says("inline") && !says("static") && !says("extern") {
        let text = |text: &str| Piece::Text(text.to_string());
        return vec![text(" extern __typeof__("), Piece::Name, text(") "), Piece::Name, text(";")];
    }
    Vec::new()
}

/// The classes that the function is in, as far as they are known.
fn classes<'m>(function: &'m Function, model: &'m Model) -> impl Iterator<Item = &'m Class> {
    let scopes = function.scopes.iter().filter_map(|scope| match scope {
        Scope::Class(usr) => model.classes.get(usr),
        Scope::Namespace { .. } => None,
    });
    scopes.chain(function.owner.iter().filter_map(|usr| model.classes.get(usr)))
}

/// Whether the function is a member of a template, also through the classes around its own.
pub(crate) fn in_template(function: &Function, model: &Model) -> bool {
    classes(function, model).any(|class| class.template.is_some())
}

/// The instantiations of the function's class in the project; `None` if unknown.
fn instances(function: &Function, model: &Model) -> Option<Vec<String>> {
    let class = model.classes.get(function.owner.as_ref()?)?;
    let nested = class.scopes.iter().any(|scope| matches!(scope, Scope::Class(_)));
    let special = class.specializes.is_some() || class.template.is_none();
    if function.template.is_some() || function.kind == FunctionKind::Constructor || special || nested {
        return None;
    }
    let known = model.instantiations.get(&class.usr)?;
    let mut out = Vec::new();
    for args in known {
        let mut spelled = Vec::new();
        for arg in args {
            spelled.push(match arg {
                TemplateArg::Value(value) => value.clone(),
                TemplateArg::Type(ty) => {
                    let mut vague = false;
                    ty.walk(&mut |part| {
                        vague |= matches!(part.kind, TypeKind::Dependent(_) | TypeKind::Unknown(_));
                    });
                    if vague {
                        return None;
                    }
                    ty.spelling.clone()
                }
            });
        }
        out.push(format!("{}<{} >", class.qualified, spelled.join(", ")));
    }
    Some(out).filter(|out| !out.is_empty())
}
