//! Code that nobody asserts on: calls that log, trace, count or reserve, by their names.

use globset::{Error, Glob, GlobBuilder, GlobMatcher};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// Patterns of names, by kind (`logging`).
pub type Patterns = BTreeMap<String, Vec<String>>;

/// Those that ship with the tool.
static BUILTIN: LazyLock<Arid> = LazyLock::new(|| {
    let text = include_str!("../../utility-overrides/builtin/arid.yaml");
    Arid::default_with(serde_yaml::from_str(text).expect("a test reads it"))
});

/// What is arid in a project. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Arid(Arc<Vec<(String, GlobMatcher)>>);

impl Default for Arid {
    /// The patterns that ship with the tool.
    fn default() -> Self {
        BUILTIN.clone()
    }
}

impl Arid {
    fn default_with(patterns: Patterns) -> Self {
        Self(Arc::default()).with(&patterns)
    }

    /// With more patterns; one that cannot be read is left out, [`wrong`] says so.
    #[must_use]
    pub fn with(mut self, more: &Patterns) -> Self {
        let all = Arc::make_mut(&mut self.0);
        for (kind, patterns) in more {
            let globs = patterns.iter().filter_map(|pattern| glob(pattern).ok());
            all.extend(globs.map(|glob| (kind.clone(), glob.compile_matcher())));
        }
        self
    }

    /// The kind of a name, if it is arid.
    pub fn kind(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(_, pattern)| pattern.is_match(name)).map(|(kind, _)| kind.as_str())
    }
}

/// `{,std::}` also stands for nothing.
fn glob(pattern: &str) -> Result<Glob, Error> {
    GlobBuilder::new(pattern).empty_alternates(true).build()
}

/// Why a pattern cannot be read.
pub fn wrong(pattern: &str) -> Option<String> {
    glob(pattern).err().map(|error| error.kind().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logging_is_arid_and_logarithms_transaction_logs_and_reservations_are_not() {
        let arid = Arid::default();
        for (name, kind) in [
            ("LOG", "logging"),
            ("LOG_INFO", "logging"),
            ("spdlog::info", "logging"),
            ("app::Logger::warn", "logging"),
            ("logger_::debug", "logging"),
            ("std::cerr", "logging"),
            ("fprintf(stderr", "logging"),
            ("TRACE_EVENT0", "tracing"),
            ("std::vector::reserve", "capacity"),
        ] {
            assert_eq!(arid.kind(name), Some(kind), "{name}");
        }
        for name in ["std::log", "log", "log2", "log_::append", "Theatre::reserve", "catalog::error", "fprintf(out", ""]
        {
            assert_eq!(arid.kind(name), None, "{name}");
        }
    }

    #[test]
    fn a_project_adds_patterns_and_a_wrong_one_is_named() {
        let more = Patterns::from([("audit".to_owned(), vec!["audit::*".to_owned(), "a[".to_owned()])]);
        assert_eq!(Arid::default().with(&more).kind("audit::note"), Some("audit"));
        assert!(wrong("a[").is_some() && wrong("a*").is_none());
    }
}
