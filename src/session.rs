//! What every command that looks at the project starts with: tools, compile database, model, overrides.

pub mod units;

use crate::build::{Builder, Libraries, recorded};
use crate::compdb::Database;
use crate::context::{Context, Problems};
use crate::diag::{Exit, Problem};
use crate::hierarchy::Hierarchy;
use crate::model::{Function, Model, Usr};
use crate::options::Options;
use crate::overrides::Overrides;
use crate::parse::{self, ParseOptions};
use crate::plan;
use crate::plan::planner::Planner;
use crate::switches::{Part, Switches};
use crate::tools::{Surroundings, Toolchain};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use std::time::Instant;

/// The project, read.
pub struct Session {
    /// What was asked for.
    pub options: Options,
    /// What of the engine is switched off.
    pub switches: Switches,
    /// The tools that were found.
    pub tools: Toolchain,
    /// How the project compiles.
    pub database: Database,
    /// The project's code.
    pub model: Model,
    /// Its classes and calls.
    pub hierarchy: Hierarchy,
    /// What people have said.
    pub overrides: Overrides,
    /// What is wrong with override files that were left out; none unless the session is lenient.
    pub set_aside: Vec<Problem>,
    /// CPU seconds that reading took, children included.
    pub analyse_seconds: f64,
    /// What the project declares and nobody defines, once its objects are there.
    outside: OnceLock<BTreeSet<Usr>>,
    /// There was no output folder before.
    fresh: bool,
}

impl Session {
    /// Reads the project; warnings are told at once.
    ///
    /// # Errors
    /// A missing tool, a compile database or override that is wrong, a project of which nothing parses.
    pub fn open(context: &Context, options: Options) -> anyhow::Result<Self> {
        Self::opened(context, options, false)
    }

    /// As `open`, but override files that do not fit the code any more are left out instead of refused.
    ///
    /// # Errors
    /// As for `open`.
    pub fn open_leniently(context: &Context, options: Options) -> anyhow::Result<Self> {
        Self::opened(context, options, true)
    }

    fn opened(context: &Context, options: Options, lenient: bool) -> anyhow::Result<Self> {
        let output = options.output.clone();
        let fresh = !output.exists();
        let session = Self::read(context, options, lenient).inspect_err(|error| give_up(fresh, &output, error))?;
        Ok(Self { fresh, ..session })
    }

    /// Takes away what reading has kept for next time: nothing was asked to be written, so nothing is left behind.
    pub fn withdraw(&self) {
        clear(self.fresh, &self.options.output);
    }

    /// The same after an error before anything was started. Who interrupted a run means to go on some time: what was
    /// read and compiled is kept for then.
    pub fn give_up(&self, error: &anyhow::Error) {
        give_up(self.fresh, &self.options.output, error);
    }

    fn read(context: &Context, options: Options, lenient: bool) -> anyhow::Result<Self> {
        let switches = Switches::of_process()?;
        let before = cpu_seconds();
        let tools = Toolchain::discover(&Surroundings::of_process());
        let clang = tools.clang()?.clone();
        let database = Database::load(options.build_dir.as_deref(), &options.root)?;
        database.warnings().iter().for_each(|problem| context.ui.warn(problem));
        let mut overrides = Overrides::load(&options.root).map_err(Problems)?;
        let mut options = options;
        let build_dir = database.path.parent().unwrap_or(&options.root);
        let recorded = recorded::libraries(build_dir, &options.root, &clang.clangxx);
        if !recorded.is_empty() {
            context.ui.detail(format_args!("linked as the project's build does: {}", recorded.join(" ")));
        }
        // What a person says comes first.
        let more = recorded.into_iter().filter(|library| !options.link.contains(library)).collect::<Vec<_>>();
        options.link.extend(more);
        let started = Instant::now();
        let stage = context.ui.stage("reading", database.commands.len());
        let parse_options = parse_options(&options, clang.libclang.clone());
        let (mut model, problems) = parse::project(&database, &parse_options)?;
        drop(stage);
        problems.iter().for_each(|problem| context.ui.warn(problem));
        let set_aside = if lenient {
            overrides.resolve_what_fits(&model)
        } else {
            let mut problems = overrides.resolve(&model).err().unwrap_or_default();
            problems.extend(units::orphans(&model, &options.root));
            if !problems.is_empty() {
                return Err(Problems(problems).into());
            }
            Vec::new()
        };
        model.library = overrides.library();
        let hierarchy = Hierarchy::new(&model);
        context.ui.detail(format_args!(
            "{} classes and {} functions in {} files, {:.1} s",
            model.classes.len(),
            model.functions.len(),
            model.files.len(),
            started.elapsed().as_secs_f64()
        ));
        if context.is_interrupted() {
            return Err(interrupted().into());
        }
        Ok(Self {
            options,
            switches,
            tools,
            database,
            model,
            hierarchy,
            overrides,
            set_aside,
            analyse_seconds: cpu_seconds() - before,
            outside: OnceLock::new(),
            fresh: false,
        })
    }

    /// A planner over this project.
    pub fn planner(&self) -> Planner<'_> {
        Planner::with_undefined(
            &self.model,
            &self.hierarchy,
            &self.overrides,
            self.outside.get().cloned().unwrap_or_default(),
        )
    }

    /// Has `undefined` tell which symbols nobody defines, those that the project declares and uses among them: plans that are made from
    /// then on have stand-ins for these.
    pub fn stand_in_for(&self, undefined: impl FnOnce(BTreeSet<String>) -> BTreeSet<String>) -> BTreeSet<String> {
        let declared = plan::undefined_symbols::only_declared(&self.model);
        // Whether anybody reads a constant only objects tell.
        let is_constant = |usr: &Usr| self.model.variables.get(usr).is_some_and(|v| v.ty.is_const);
        let asked = declared.iter().filter(|(_, usr)| !is_constant(usr)).map(|(symbol, _)| symbol.clone());
        let missing = undefined(asked.collect());
        let _ = self.outside.set(missing.iter().filter_map(|symbol| declared.get(symbol).cloned()).collect());
        missing
    }

    /// Symbols as the project calls them, where it declares them and has no body for them: what a source with `main` has is there,
    /// only not for others.
    pub fn names_of<'n>(&'n self, symbols: &'n BTreeSet<String>) -> Vec<&'n str> {
        let known = plan::undefined_symbols::only_declared(&self.model);
        let functions = self.model.functions.values().filter_map(|f| Some((f.mangled.as_deref()?, f)));
        let functions: BTreeMap<&str, &Function> = functions.collect();
        let of_main = |symbol: &str| functions.get(symbol).is_some_and(|f| f.definition.is_some());
        let name = |symbol: &'n String| {
            let function = functions.get(symbol.as_str()).map(|f| f.qualified.as_str());
            let variable = || self.model.variables.get(known.get(symbol)?).map(|v| v.qualified.as_str());
            function.or_else(variable).unwrap_or(symbol)
        };
        symbols.iter().filter(|symbol| !of_main(symbol)).map(name).collect()
    }

    /// A builder whose cache is in the output folder.
    ///
    /// # Errors
    /// A tool is missing, or the cache can't be written.
    pub fn builder(&self, context: &Context) -> anyhow::Result<Builder> {
        let cache = self.options.output.join("cache");
        let (jobs, interrupted) = (self.options.jobs.get(), context.interrupted.clone());
        let builder = Builder::new(&self.tools, &cache.join("build"), jobs, interrupted)?;
        Ok(if self.switches.has(Part::Warm) { builder } else { builder.starting_each_anew() })
    }

    /// The libraries that the project needs.
    ///
    /// # Errors
    /// A `link:` or `pkg_config:` entry that is wrong.
    pub fn libraries(&self) -> anyhow::Result<Libraries> {
        Ok(Libraries::resolve(&self.options.link, &self.options.pkg_config, &self.options.root, &self.tools)?)
    }

    /// How this project is read, for those that read parts of it again.
    pub fn parse_options(&self) -> anyhow::Result<ParseOptions> {
        let options = parse_options(&self.options, self.tools.clang()?.libclang.clone());
        Ok(ParseOptions { namesakes: self.model.namesakes.clone(), ..options })
    }
}

fn parse_options(options: &Options, libclang: Option<std::path::PathBuf>) -> ParseOptions {
    ParseOptions {
        libclang,
        cache_dir: Some(options.output.join("cache").join("parse")),
        jobs: options.jobs.get(),
        root: options.root.clone(),
        only: None,
        self_exe: std::env::current_exe().ok(),
        namesakes: Default::default(),
    }
}

fn give_up(fresh: bool, output: &std::path::Path, error: &anyhow::Error) {
    let interrupted = error.downcast_ref::<Problem>().is_some_and(|problem| problem.exit == Exit::Interrupted);
    clear(fresh && !interrupted, output);
}

fn clear(fresh: bool, output: &std::path::Path) {
    if fresh {
        // It may not even have been made.
        let _ = std::fs::remove_dir_all(output);
    }
}

/// The problem that stands for an interruption before anything was found.
pub fn interrupted() -> Problem {
    Problem { exit: Exit::Interrupted, ..Problem::usage("interrupted", "interrupted", "") }
}

/// CPU seconds of this process and its finished children.
pub fn cpu_seconds() -> f64 {
    let used = |who| {
        // SAFETY: rusage is plain data, and getrusage fills all of it.
        let usage = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            libc::getrusage(who, &mut usage);
            usage
        };
        let seconds = |t: libc::timeval| t.tv_sec as f64 + t.tv_usec as f64 / 1e6;
        seconds(usage.ru_utime) + seconds(usage.ru_stime)
    };
    used(libc::RUSAGE_SELF) + used(libc::RUSAGE_CHILDREN) + crate::build::outstanding_seconds()
}
