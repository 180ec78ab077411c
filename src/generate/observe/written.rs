//! Observers as text: what is the same for a class and its copy is one template.

use super::observed::DERIVED;
use crate::generate::derived_members::Version;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The observers of one driver.
#[derive(Default)]
pub(super) struct Written {
    all: Vec<Observer>,
}

struct Observer {
    name: &'static str,
    /// The class, as the project spells it.
    of: String,
    /// The class, or the class and its copy.
    classes: Vec<String>,
    /// Anything converts to it.
    from_anything: bool,
    body: String,
}

impl Observer {
    /// What is converted is not seen: an observer of a class that anything converts to takes nothing else, so that no
    /// other object is made one of it.
    fn head(&self, class: &str) -> String {
        let name = self.name;
        if !self.from_anything {
            return format!("inline void {name}(Record &record, const {class} &it)");
        }
        // (By the second the runtime asks whether there is one.)
        let is = |of: &str| format!("std::is_same<T, {of}>::value");
        let only =
            format!("typename std::enable_if<{} || {}>::type", is(class), is(&format!("detail::Exactly<{class}>")));
        format!("template <class T>\n{only} {name}(Record &record, const T &it)")
    }
}

impl Written {
    /// Adds an observer; a copy comes behind its original.
    pub(super) fn add(&mut self, name: &'static str, version: &Version<'_>, body: String) {
        let from_anything = version.from_anything;
        let of = &version.observed.ty.spelling;
        let is_twin = |known: &&mut Observer| known.of == *of && known.name == name && known.body == body;
        // One line is as short in either.
        let is_long = body.lines().count() > 1;
        let twin = self.all.iter_mut().find(is_twin).filter(|_| is_long && name != DERIVED);
        match twin {
            Some(twin) => twin.classes.push(version.spelling.clone()),
            None => {
                let classes = vec![version.spelling.clone()];
                self.all.push(Observer { name, of: of.clone(), classes, from_anything, body });
            }
        }
    }

    /// Of all of them.
    pub(super) fn declarations(&self) -> String {
        let mut out = String::new();
        for observer in &self.all {
            for class in &observer.classes {
                let head = observer.head(class);
                // Without RTTI nobody knows.
                let _ = match observer.name {
                    DERIVED => writeln!(out, "#if defined(MOTIF_RTTI)\n{head};\n#endif"),
                    _ => writeln!(out, "{head};"),
                };
            }
        }
        out
    }

    /// All of them.
    pub(super) fn definitions(&self) -> String {
        let mut out = String::new();
        let mut names = BTreeSet::new();
        for observer in &self.all {
            let Observer { name, classes, body, from_anything, .. } = observer;
            let head = |class: &str| observer.head(class);
            let it = if body.contains("it.") || body.contains("(it)") { "" } else { "  (void)it;\n" };
            let _ = match classes.as_slice() {
                [class] if *name == DERIVED => {
                    writeln!(out, "#if defined(MOTIF_RTTI)\n{} {{\n{body}}}\n#endif\n", head(class))
                }
                [class] if body.is_empty() && !from_anything => {
                    writeln!(out, "inline void {name}(Record &, const {class} &) {{}}\n")
                }
                [class] => writeln!(out, "{} {{\n{it}{body}}}\n", head(class)),
                _ => {
                    let shared = free_name(name, &classes[0], &mut names);
                    let calls = classes.iter().map(|class| format!("{} {{ {shared}(record, it); }}\n", head(class)));
                    let calls: String = calls.collect();
                    let template = format!("template <class T>\nvoid {shared}(Record &record, const T &it)");
                    writeln!(out, "{template} {{\n{it}{body}}}\n{calls}")
                }
            };
        }
        out
    }
}

/// `observe_members_of_sat_Battery`, with a number where several classes are spelled so.
fn free_name(name: &str, class: &str, names: &mut BTreeSet<String>) -> String {
    let letters = |c: char| if c.is_ascii_alphanumeric() { c } else { ' ' };
    let words: String = class.chars().map(letters).collect();
    let plain = format!("{name}_of_{}", words.split_whitespace().collect::<Vec<_>>().join("_"));
    let mut free = plain.clone();
    let mut number = 2;
    while !names.insert(free.clone()) {
        free = format!("{plain}_{number}");
        number += 1;
    }
    free
}
