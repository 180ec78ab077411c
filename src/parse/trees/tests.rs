//! Trees as a person can check them, and what holds for every tree.

use crate::compdb::Database;
use crate::parse::testing::Small;
use crate::parse::{ParseOptions, project, trees};
use crate::tree::{Body, Initialized, Kind, Node, Role, Trees};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The trees of one small file.
fn read(name: &str, flags: &str, text: &str) -> Trees {
    let small = Small::new(&[(name, text)], flags);
    let file = small.root.join(name);
    let trees = trees(&small.database.commands[0], &[file], &small.database, &small.options).unwrap();
    let faults = faults(&trees[0], text.as_bytes());
    assert!(faults.is_empty(), "{faults:#?}");
    trees.into_iter().next().unwrap()
}

/// What a node is, without its place.
fn kind(kind: &Kind) -> String {
    match kind {
        Kind::Binary { op, .. } => format!("Binary {op}"),
        Kind::Assign { op, .. } => format!("Assign {op}"),
        Kind::OperatorCall { op, .. } => format!("OperatorCall {op}"),
        Kind::Unary { op, postfix } => format!("Unary {}{op}", if *postfix { "_" } else { "" }),
        Kind::Variable { name, .. } => format!("Variable {name}"),
        Kind::Name { of, qualifier, .. } => {
            format!("Name {of:?}{}{qualifier}", if qualifier.is_empty() { "" } else { " " })
        }
        Kind::Member { name, of, arrow, .. } => format!("Member {}{name} {of:?}", if *arrow { "->" } else { "." }),
        Kind::Call { name, is_virtual, .. } => format!("Call {name}{}", if *is_virtual { " virtual" } else { "" }),
        Kind::Construct { target } => format!("Construct{}", if target.is_empty() { " ?" } else { "" }),
        Kind::New { class, .. } => format!("New{}", if class.is_some() { " class" } else { "" }),
        other => format!("{other:?}"),
    }
}

fn print(node: &Node, trees: &Trees, source: &[u8], depth: usize, out: &mut String) {
    let role = if node.role == Role::Part { String::new() } else { format!("{:?}: ", node.role) };
    let mark = if node.in_macro { "! " } else { "" };
    let ty = node.ty.map(|ty| format!(" : {}", trees.types[ty as usize].spelling)).unwrap_or_default();
    let text = String::from_utf8_lossy(node.span.text(source)).replace('\r', "\\r").replace('\n', "\\n");
    let text = if text.chars().count() > 60 {
        let head: String = text.chars().take(28).collect();
        let tail: String = text.chars().rev().take(28).collect::<Vec<_>>().into_iter().rev().collect();
        format!("{head}…{tail}")
    } else {
        text
    };
    writeln!(out, "{}{mark}{role}{}{ty}  `{text}`", "  ".repeat(depth), kind(&node.kind)).unwrap();
    for child in &node.children {
        print(child, trees, source, depth + 1, out);
    }
}

fn print_body(body: &Body, trees: &Trees, source: &[u8], out: &mut String) {
    for initializer in &body.initializers {
        let of = match &initializer.of {
            Initialized::Member { ty, .. } => {
                format!(
                    "Member{}",
                    ty.map(|ty| format!(" : {}", trees.types[ty as usize].spelling)).unwrap_or_default()
                )
            }
            other => format!("{other:?}"),
        };
        let text = String::from_utf8_lossy(initializer.span.text(source));
        writeln!(out, "initializer {} {of}  `{text}`", initializer.name).unwrap();
        for value in &initializer.values {
            print(value, trees, source, 1, out);
        }
    }
    print(&body.root, trees, source, 0, out);
}

/// What is wrong with trees of `source`, by line.
fn faults(trees: &Trees, source: &[u8]) -> Vec<String> {
    let mut faults = Vec::new();
    for body in &trees.bodies {
        fault_below(&body.root, trees, source, &mut faults);
        for initializer in &body.initializers {
            for value in &initializer.values {
                if value.span.start < initializer.span.start || initializer.span.end < value.span.end {
                    faults.push(format!("{}: {} outside its initialiser", body.unit, kind(&value.kind)));
                }
                fault_below(value, trees, source, &mut faults);
            }
        }
    }
    faults
}

fn fault_below(node: &Node, trees: &Trees, source: &[u8], faults: &mut Vec<String>) {
    let text = node.span.text(source);
    let mut fault = |what: &str| {
        let line = source[..node.span.start as usize].iter().filter(|byte| **byte == b'\n').count() + 1;
        let name = trees.file.file_name().unwrap_or_default().to_string_lossy();
        faults.push(format!("{name}:{line}: {}: {what}: {}", kind(&node.kind), String::from_utf8_lossy(text)));
    };
    if text.is_empty() {
        fault("has no text");
    }
    if node.ty.is_some_and(|ty| ty as usize >= trees.types.len()) {
        fault("has a type that is not there");
    }
    if !node.in_macro {
        let mut at = node.span.start;
        for child in &node.children {
            if child.span.start < at || child.span.end > node.span.end {
                fault(&format!("its {:?} {} is not in its place", child.role, kind(&child.kind)));
            }
            at = child.span.end;
        }
        let macro_ends_it = node.children.last().is_some_and(|last| last.in_macro && last.span.end == node.span.end);
        if node.kind.is_statement() && !text.ends_with(b";") && !text.ends_with(b"}") && !macro_ends_it {
            fault("does not end as a statement");
        }
        let place = match &node.kind {
            Kind::Binary { op, at } | Kind::Assign { op, at } => Some((op.as_str(), at)),
            Kind::OperatorCall { op, at, .. } => Some((if op == "[]" { "[" } else { op }, at)),
            Kind::Member { name, at, qualifier, .. } => {
                let written = String::from_utf8_lossy(at.text(source)).into_owned();
                if !written.starts_with(qualifier.as_str()) || !written.ends_with(name.as_str()) {
                    fault(&format!("is not `{written}`"));
                }
                None
            }
            _ => None,
        };
        if let Some((op, at)) = place {
            let written = String::from_utf8_lossy(at.text(source)).into_owned();
            if super::expressions::operator(&written) != op {
                fault(&format!("has `{written}` for its operator"));
            }
        }
        let roles: &[Role] = match &node.kind {
            Kind::Binary { .. } | Kind::Assign { .. } | Kind::Index => &[Role::Left, Role::Right],
            Kind::Conditional => &[Role::Condition, Role::Then, Role::Else],
            Kind::Unary { .. } | Kind::Paren | Kind::Cast | Kind::Expression => &[Role::Operand],
            Kind::If | Kind::While | Kind::DoWhile => &[Role::Condition, Role::Then],
            Kind::RangeFor => &[Role::Declared, Role::Operand, Role::Then],
            Kind::For | Kind::Lambda | Kind::Case | Kind::Default | Kind::Label => &[Role::Then],
            Kind::Member { .. } => &[Role::Object],
            _ => &[],
        };
        if let Some(missing) = roles.iter().find(|role| node.child(**role).is_none()) {
            fault(&format!("has no {missing:?}"));
        }
    }
    for child in &node.children {
        fault_below(child, trees, source, faults);
    }
}

/// All trees of a project, each file once, with what is wrong with them.
fn check(database: &Database, options: &ParseOptions) -> (usize, usize, usize, Vec<String>) {
    let (model, _) = project(database, options).unwrap();
    let (mut bodies, mut nodes, mut marked) = (0, 0, 0);
    let mut faults = Vec::new();
    let files: BTreeSet<PathBuf> =
        model.functions.values().filter_map(|f| f.definition.as_ref()).map(|d| d.extent.file.clone()).collect();
    for file in &files {
        let Some(unit) = model.unit_of(file) else { continue };
        let command = &database.commands[unit.command];
        let found = trees(command, std::slice::from_ref(file), database, options).unwrap().remove(0);
        let source = std::fs::read(file).unwrap();
        faults.extend(self::faults(&found, &source));
        let mine =
            |f: &&crate::model::Function| f.definition.as_ref().is_some_and(|d| d.extent.file == *file && !d.in_macro);
        for function in model.functions.values().filter(mine) {
            match found.bodies.iter().filter(|body| body.unit == function.usr).count() {
                1 => {}
                other => faults.push(format!("{} has {other} bodies", function.id)),
            }
        }
        bodies += found.bodies.len();
        for body in &found.bodies {
            body.root.walk(&mut |node| {
                nodes += 1;
                marked += usize::from(node.in_macro);
            });
            if std::env::var("DEV_MARKED").is_ok() {
                fn tops(node: &Node, source: &[u8]) {
                    if node.in_macro {
                        let text = String::from_utf8_lossy(node.span.text(source)).replace('\n', " ");
                        println!("MARKED {} {}", kind(&node.kind), text.chars().take(120).collect::<String>());
                    }
                    if !node.in_macro {
                        node.children.iter().for_each(|child| tops(child, source));
                    }
                }
                tops(&body.root, &source);
            }
        }
    }
    (bodies, nodes, marked, faults)
}

fn dev_options(root: &Path) -> ParseOptions {
    ParseOptions { libclang: None, cache_dir: None, jobs: 1, root: root.to_path_buf(), only: None, self_exe: None }
}

#[test]
#[ignore]
fn dev() {
    let root = PathBuf::from(std::env::var("DEV_ROOT").unwrap());
    let build = std::env::var("DEV_BUILD").map(PathBuf::from).ok();
    let mut database = Database::load(build.as_deref(), &root).unwrap();
    if let Ok(count) = std::env::var("DEV_ONLY") {
        database.commands.truncate(count.parse().unwrap());
    }
    let mut options = dev_options(&root);
    options.self_exe = std::env::var("DEV_EXE").ok().map(PathBuf::from);
    let (bodies, nodes, marked, faults) = check(&database, &options);
    for fault in faults.iter().take(60) {
        println!("{}", fault.chars().take(300).collect::<String>());
    }
    println!("{bodies} bodies, {nodes} nodes, {marked} marked, {} faults", faults.len());
}

#[test]
#[ignore]
fn show() {
    let file = std::env::var("DEV_FILE").unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    let name = Path::new(&file).file_name().unwrap().to_str().unwrap();
    let small = Small::new(&[(name, &text)], &std::env::var("DEV_FLAGS").unwrap_or_default());
    let trees = trees(&small.database.commands[0], &[small.root.join(name)], &small.database, &small.options)
        .unwrap()
        .remove(0);
    let mut out = String::new();
    for body in &trees.bodies {
        print_body(body, &trees, text.as_bytes(), &mut out);
    }
    println!("{out}\n{:#?}", faults(&trees, text.as_bytes()));
}
