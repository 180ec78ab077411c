//! The data that every command on a project starts with: tools, compile database, model, overrides.

pub mod output;
pub mod units;

use crate::build::store::{Store, TAKEN};
use crate::build::{Builder, Libraries, OwnBuild, recorded};
use crate::compdb::Database;
use crate::context::{Context, Problems, shown};
use crate::diag::{Exit, Problem};
use crate::hierarchy::Hierarchy;
use crate::model::{Function, Model, Usr};
use crate::options::Options;
use crate::overrides::Overrides;
use crate::overrides::stamp::edited_utilities;
use crate::parse::{self, ParseOptions};
use crate::plan;
use crate::plan::planner::{Faults, Planner};
use crate::plan::sample_files::SampleFiles;
use crate::switches::{Feature, Switches};
use crate::tools::{Surroundings, Toolchain};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// The project, read.
pub struct Session {
    /// The options.
    pub options: Options,
    /// The parts that are switched off.
    pub switches: Switches,
    /// The tools that were found.
    pub tools: Toolchain,
    /// How the project compiles.
    pub database: Database,
    /// The project's code.
    pub model: Model,
    /// Its class hierarchy and call graph.
    pub hierarchy: Hierarchy,
    /// The overrides.
    pub overrides: Overrides,
    /// Problems with skipped override files; empty unless the session is lenient.
    pub set_aside: Vec<Problem>,
    /// CPU seconds that reading took, children included.
    pub analyse_seconds: f64,
    /// Functions and variables that the project declares and nobody defines, once its objects are compiled.
    outside: OnceLock<BTreeSet<Usr>>,
    /// The sample files of the project, once a unit has been planned.
    samples: OnceLock<Arc<SampleFiles>>,
    /// What is kept for the user's other runs.
    pub store: Option<Arc<Store>>,
    /// The output folder did not exist before.
    fresh: bool,
}

impl Session {
    /// Reads the project; warnings are printed at once.
    ///
    /// # Errors
    ///
    /// A missing tool, an invalid compile database or override, a project of which nothing parses.
    pub fn open(context: &Context, options: Options) -> anyhow::Result<Self> {
        Self::read(context, options, false)
    }

    /// Like `open`, but override files that no longer apply are skipped instead of refused.
    ///
    /// # Errors
    ///
    /// As for `open`.
    pub fn open_leniently(context: &Context, options: Options) -> anyhow::Result<Self> {
        Self::read(context, options, true)
    }

    /// Removes an output folder that was new, after an error before anything was started. After an interruption the
    /// results are kept, since the user means to continue.
    pub fn give_up(&self, error: &anyhow::Error) {
        let interrupted = error.downcast_ref::<Problem>().is_some_and(|problem| problem.exit == Exit::Interrupted);
        if self.fresh && !interrupted {
            // It may not exist.
            let _ = std::fs::remove_dir_all(&self.options.output);
        }
    }

    fn read(context: &Context, options: Options, lenient: bool) -> anyhow::Result<Self> {
        let switches = Switches::of_process()?;
        let fresh = !options.output.exists();
        let before = cpu_seconds();
        let tools = Toolchain::discover(&Surroundings::of_process());
        let clang = tools.clang()?.clone();
        let mut database = Database::load(options.build_dir.as_deref(), &options.root)?;
        output::check(&options, &database)?;
        database.warnings().iter().for_each(|problem| context.ui.warn(problem));
        let absent = database.missing_compilers();
        if !absent.is_empty() {
            let names = absent.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let what = format!(
                "the compile database names {names}, not to be found here; {} {} compiles in its place, for this \
                 machine, with the options that it knows",
                clang.clangxx.display(),
                clang.version
            );
            let fix = "fine where sizes and libraries are alike; otherwise configure a build with a compiler of this \
                       machine";
            context.ui.warn(&Problem::usage("compiler-missing", what, fix).at(&database.path));
        }
        let mut overrides = Overrides::load(&options.project).map_err(Problems)?;
        let mut options = options;
        let build_dir = database.path.parent().unwrap_or(&options.root);
        let recorded = recorded::libraries(build_dir, &options.root, &clang.clangxx);
        if !recorded.is_empty() {
            context.ui.detail(format_args!("linked as the project's build does: {}", recorded.join(" ")));
        }
        // Entries of the user come first.
        let more = recorded.into_iter().filter(|library| !options.link.contains(library)).collect::<Vec<_>>();
        options.link.extend(more);
        let started = Instant::now();
        let stage = context.ui.stage("reading", database.commands.len());
        let store = match Store::of_user(options.cache_size) {
            Err(problem) if problem.code != TAKEN => {
                context.ui.warn(&problem);
                None
            }
            store => store?,
        };
        let store = store.map(Arc::new);
        let parse_options = parse_options(&options, store.as_deref(), clang.libclang.clone());
        let (mut model, problems) = parse::project_telling(&database, &parse_options, &|file| {
            stage.advance(shown(&options.root, file));
        })?;
        drop(stage);
        problems.iter().for_each(|problem| context.ui.warn(problem));
        database.defer_bodies(model.units.iter().filter(|unit| unit.defers_bodies).map(|unit| unit.command));
        let set_aside = if lenient {
            overrides.resolve_what_fits(&model)
        } else {
            let mut problems = overrides.resolve(&model).err().unwrap_or_default();
            problems.extend(units::orphans(&model, &options.project));
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
            samples: OnceLock::new(),
            store,
            fresh,
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
        .failing(self.faults())
        .sampling(self.samples.get_or_init(|| Arc::new(self.sample_files())).clone())
    }

    /// The sample files of the project.
    fn sample_files(&self) -> SampleFiles {
        let build = self.database.path.parent().unwrap_or(&self.options.root);
        SampleFiles::read(self.overrides.lexicon(), &self.options.root, &[build, &self.options.output])
    }

    /// Which calls may fail in which units.
    fn faults(&self) -> Faults {
        let kinds: BTreeSet<String> = self.options.faults.iter().map(ToString::to_string).collect();
        // What a person has written takes its own values from the input.
        let edited = match kinds.is_empty() {
            true => BTreeSet::new(),
            false => edited_utilities(&self.options.project).into_keys().collect(),
        };
        Faults { kinds, except: edited }
    }

    /// Finds the undefined symbols with `undefined`, those that the project declares and uses among them. Later plans
    /// have stubs for these.
    pub fn stand_in_for(&self, undefined: impl FnOnce(BTreeSet<String>) -> BTreeSet<String>) -> BTreeSet<String> {
        let declared = plan::undefined_symbols::only_declared(&self.model);
        let missing = undefined(self.only_declared());
        let _ = self.outside.set(missing.iter().filter_map(|symbol| declared.get(symbol).cloned()).collect());
        missing
    }

    /// Symbols that bodies of the project name, and that it may only declare.
    pub fn only_declared(&self) -> BTreeSet<String> {
        // Only objects show whether a constant is read.
        let is_constant = |usr: &Usr| self.model.variables.get(usr).is_some_and(|v| v.ty.is_const);
        let declared = plan::undefined_symbols::only_declared(&self.model);
        declared.into_iter().filter(|(_, usr)| !is_constant(usr)).map(|(symbol, _)| symbol).collect()
    }

    /// Symbols of the variables that bodies of the project name.
    pub fn declared_variables(&self) -> BTreeSet<String> {
        let declared = plan::undefined_symbols::only_declared(&self.model).into_iter();
        declared.filter(|(_, usr)| self.model.variables.contains_key(usr)).map(|(symbol, _)| symbol).collect()
    }

    /// Symbols of the functions and variables that a file of the project declares or defines.
    pub fn declared_in_project(&self) -> BTreeSet<String> {
        let is_own = |file: &std::path::Path| self.model.files.contains_key(file);
        let functions = self.model.functions.values().filter(|function| {
            let defined = function.definition.as_ref().map(|definition| &definition.extent.file);
            function.declarations.iter().map(|at| &at.file).chain(defined).any(|file| is_own(file))
        });
        let functions = functions.map(|function| function.mangled.clone().unwrap_or_else(|| function.name.clone()));
        let declared = plan::undefined_symbols::only_declared(&self.model).into_iter();
        let is_variable = |usr: &Usr| self.model.variables.get(usr).is_some_and(|v| is_own(&v.extent.file));
        functions.chain(declared.filter(|(_, usr)| is_variable(usr)).map(|(symbol, _)| symbol)).collect()
    }

    /// Symbols of the constructors of installed classes that derive from an abstract one: the project's own code may
    /// never make such objects, as its callers do.
    pub fn made_by_callers(&self) -> BTreeSet<String> {
        let is_abstract = |ty: &crate::model::Type| self.model.class_of(ty).is_some_and(|base| base.is_abstract);
        let classes = self.model.classes.values().filter(|class| class.installed.is_some() && !class.is_abstract);
        let classes = classes.filter(|class| class.bases.iter().any(|base| is_abstract(&base.ty)));
        let constructors = classes.flat_map(|class| class.constructors(&self.model)).filter(|made| {
            let is_open = made.access == Some(crate::model::Access::Public) && !made.is_deleted;
            is_open && !made.is_copy_or_move && !made.is_inline
        });
        constructors.filter_map(|constructor| constructor.mangled.clone()).collect()
    }

    /// The source file in whose translation unit a function is driven.
    pub fn source_of(&self, function: &Usr) -> Option<PathBuf> {
        let function = self.model.functions.get(function)?;
        self.model.unit_of_function(function).map(|unit| unit.main_file.clone())
    }

    /// Names of symbols that the project declares without a body. Functions in a source with `main` have a body, but
    /// cannot be linked.
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
    ///
    /// A tool is missing, or the cache cannot be written.
    pub fn builder(&self, context: &Context) -> anyhow::Result<Builder> {
        let cache = self.options.output.join("cache");
        let (jobs, interrupted) = (self.options.jobs.get(), context.interrupted.clone());
        let builder = Builder::new(&self.tools, &cache.join("build"), jobs, interrupted)?.sharing(self.store.clone());
        Ok(if self.switches.has(Feature::Warm) { builder } else { builder.starting_each_anew() })
    }

    /// What the project's own build has made of files that are not `mutated`.
    pub fn own_build(&self, mutated: &BTreeSet<PathBuf>) -> OwnBuild {
        match self.switches.has(Feature::OwnBuild) {
            true => OwnBuild::new(&self.database, &self.model, &self.options.root, mutated),
            false => OwnBuild::default(),
        }
    }

    /// Whether a sample is drawn before files are mutated.
    pub fn draws_first(&self) -> bool {
        self.switches.has(Feature::DrawFirst)
    }

    /// The libraries that the project needs.
    ///
    /// # Errors
    ///
    /// An invalid `link:` or `pkg_config:` entry.
    pub fn libraries(&self) -> anyhow::Result<Libraries> {
        Ok(Libraries::resolve(&self.options.link, &self.options.pkg_config, &self.options.root, &self.tools)?)
    }

    /// The parse options of this project, for rereading parts of it.
    pub fn parse_options(&self) -> anyhow::Result<ParseOptions> {
        let options = parse_options(&self.options, self.store.as_deref(), self.tools.clang()?.libclang.clone());
        Ok(ParseOptions { namesakes: self.model.namesakes.clone(), ..options })
    }
}

fn parse_options(options: &Options, store: Option<&Store>, libclang: Option<std::path::PathBuf>) -> ParseOptions {
    ParseOptions {
        libclang,
        cache_dir: store.map(Store::parsed),
        jobs: options.jobs.get(),
        root: options.root.clone(),
        only: None,
        self_exe: std::env::current_exe().ok(),
        namesakes: Default::default(),
    }
}

/// The problem for an interruption without any result.
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
