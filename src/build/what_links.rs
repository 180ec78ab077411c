//! What of the project is compiled and linked: the sources of the units under test, and what their objects ask for, and
//! what these ask for. Its tests, tools and other libraries are left alone.
//!
//! The linker takes the same members from an archive of these as it would from one of all objects: a file is left out
//! only where nothing that is linked asks for what it defines.

use super::definers::{self, Definers};
use super::own_build::OwnBuild;
use super::{Builder, CompileFailure, ProjectObjects, elf};
use crate::compdb::CompileCommand;
use crate::model::Model;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

/// The part of a project that its units need. It grows with what is linked, never the other way.
#[derive(Debug)]
pub struct WhatLinks {
    commands: Vec<CompileCommand>,
    definers: Definers,
    /// What the project declares, and the model knows no definition of.
    declared: BTreeSet<String>,
    own_build: OwnBuild,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// What was tried of each source, by its number.
    tried: BTreeMap<usize, Tried>,
    defined: HashSet<String>,
    asked: HashSet<String>,
    cpu_seconds: f64,
}

#[derive(Debug)]
enum Tried {
    Object(PathBuf),
    /// It defines `main`.
    Program,
    Failed(CompileFailure),
}

impl WhatLinks {
    /// Nothing yet, of the sources in the compile database; each counts once. The model knows of no definition of what
    /// is `declared` only.
    pub fn new(model: &Model, commands: &[CompileCommand], declared: BTreeSet<String>, own_build: OwnBuild) -> Self {
        let mut seen = BTreeSet::new();
        let commands: Vec<CompileCommand> =
            commands.iter().filter(|command| seen.insert(command.file.clone())).cloned().collect();
        let definers = Definers::new(model, commands.iter().map(|command| command.file.as_path()));
        Self { commands, definers, declared, own_build, state: Mutex::default() }
    }

    /// Compiles `files` and what they need; `done` is told each file that was compiled.
    pub fn add(&self, builder: &Builder, files: &BTreeSet<PathBuf>, done: &(dyn Fn(&Path) + Sync)) {
        let numbers = self.commands.iter().enumerate().filter(|(_, command)| files.contains(&command.file));
        let mut wanted: BTreeSet<usize> = numbers.map(|(number, _)| number).collect();
        // A file that could not be read may define anything: it takes part, as far as it compiles.
        wanted.extend(self.definers.doubtful());
        self.close(builder, &mut self.state(), wanted, done);
    }

    /// Compiles what `objects`, which are none of the project's, ask for; `done` is told each file that was compiled.
    pub fn reach(&self, builder: &Builder, objects: &[&Path], done: &(dyn Fn(&Path) + Sync)) {
        let mut state = self.state();
        let mut wanted = BTreeSet::new();
        for object in objects {
            let symbols = elf::names(object);
            wanted.extend(self.definers_of(&mut state, symbols.asked));
        }
        self.close(builder, &mut state, wanted, done);
    }

    /// Whether the model knows a source that defines `symbol` and is left out.
    pub fn leaves_out(&self, symbol: &str) -> bool {
        let state = self.state();
        self.definers.of(symbol).iter().any(|number| !state.tried.contains_key(number))
    }

    /// Whether all is compiled that may define `symbol`.
    pub fn has_all_of(&self, symbol: &str) -> bool {
        let state = self.state();
        self.declared.contains(symbol) && self.sources_of(symbol).iter().all(|number| state.tried.contains_key(number))
    }

    /// Whether an object asks for `symbol`.
    pub fn is_asked_for(&self, symbol: &str) -> bool {
        self.state().asked.contains(symbol)
    }

    /// Compiles all that is left. False where nothing was.
    pub fn add_the_rest(&self, builder: &Builder, done: &(dyn Fn(&Path) + Sync)) -> bool {
        let mut state = self.state();
        let left: BTreeSet<usize> =
            (0..self.commands.len()).filter(|number| !state.tried.contains_key(number)).collect();
        let any = !left.is_empty();
        self.close(builder, &mut state, left, done);
        any
    }

    /// The object of `command`, for the search and the proofs.
    ///
    /// # Errors
    /// It does not compile.
    pub fn object(&self, builder: &Builder, command: &CompileCommand) -> Result<PathBuf, CompileFailure> {
        self.own_build.object_beside(builder, command)
    }

    /// How many objects of the project's own build were taken as they are.
    pub fn taken_from_own_build(&self) -> usize {
        self.own_build.taken()
    }

    /// The objects so far, in the order of the database.
    pub fn objects(&self) -> ProjectObjects {
        let state = self.state();
        let mut objects = ProjectObjects { cpu_seconds: state.cpu_seconds, ..ProjectObjects::default() };
        let rivals = self.definers.rivals().iter().map(|number| self.commands[*number].file.clone());
        objects.rivals = rivals.collect();
        for (number, tried) in &state.tried {
            let file = &self.commands[*number].file;
            match tried {
                Tried::Object(object) => objects.objects.push((file.clone(), object.clone())),
                Tried::Program => objects.mains.push(file.clone()),
                Tried::Failed(failure) => objects.failures.push(failure.clone()),
            }
        }
        objects
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn definers_of(&self, state: &mut State, asked: Vec<String>) -> BTreeSet<usize> {
        let new = asked.into_iter().filter(|symbol| !state.defined.contains(symbol));
        let new: Vec<String> = new.filter(|symbol| state.asked.insert(symbol.clone())).collect();
        new.iter().flat_map(|symbol| self.sources_of(symbol)).collect()
    }

    /// The sources that may define `symbol`. What an attribute or an assembler line defines (an alias, say) the model
    /// takes for declared: any source that names it may do so.
    fn sources_of(&self, symbol: &str) -> BTreeSet<usize> {
        let known = self.definers.of(symbol);
        if !known.is_empty() || !self.declared.contains(symbol) {
            return known;
        }
        let name = definers::name(symbol).as_bytes();
        let naming = |command: &CompileCommand| {
            std::fs::read(&command.file).is_ok_and(|text| text.windows(name.len().max(1)).any(|at| at == name))
        };
        let numbered = self.commands.iter().enumerate();
        numbered.filter(|(_, command)| naming(command)).map(|(number, _)| number).collect()
    }

    /// Compiles `wanted`, then what that asks for, until nothing is asked for that a file of the project defines.
    fn close(&self, builder: &Builder, state: &mut State, mut wanted: BTreeSet<usize>, done: &(dyn Fn(&Path) + Sync)) {
        loop {
            wanted.retain(|number| !state.tried.contains_key(number));
            if wanted.is_empty() || builder.is_interrupted() {
                return;
            }
            let numbers: Vec<usize> = std::mem::take(&mut wanted).into_iter().collect();
            let results = builder.in_parallel(&numbers, |number| {
                let command = &self.commands[*number];
                let result = self.object(builder, command);
                done(&command.file);
                (result, builder.thread_cpu_seconds())
            });
            let mut asked = Vec::new();
            for (number, (result, cpu_seconds)) in numbers.into_iter().zip(results) {
                state.cpu_seconds += cpu_seconds;
                let tried = match result {
                    Err(failure) => Tried::Failed(failure),
                    Ok(object) if elf::defines(&object, "main") => Tried::Program,
                    Ok(object) => {
                        let symbols = elf::names(&object);
                        state.defined.extend(symbols.defined);
                        asked.extend(symbols.asked);
                        Tried::Object(object)
                    }
                };
                state.tried.insert(number, tried);
            }
            wanted = self.definers_of(state, asked);
        }
    }
}
