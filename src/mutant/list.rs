//! Reads given mutants: a folder of mutated source files, a list of their names, or `mutants.json`.

use super::{Claim, Given};
use crate::diag::Problem;
use anyhow::{Context, Result};
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// The extensions of mutated source files.
pub const ENDINGS: &[&str] = &[
    "c", "h", "cc", "cp", "cxx", "cpp", "c++", "C", "CPP", "H", "hh", "hxx", "hpp", "h++", "inl", "ipp", "tpp", "tcc",
    "inc", "ixx",
];

/// Reads the mutants of `path`, in order. `files` are the project's files, absolute; names in a mutants' folder are
/// relative to `root`; the patched files of a `mutants.json` are written to `scratch`.
pub fn read(path: &Path, root: &Path, files: &[PathBuf], scratch: &Path) -> Result<Vec<Given>> {
    let meta = std::fs::metadata(path).map_err(|error| {
        let what = format!("the mutants can't be read: {error}");
        Problem::usage("mutants-missing", what, "name a folder of mutated source files, a list or a mutants.json")
            .at(path)
    })?;
    let givens = if meta.is_dir() {
        // Output of `mutate`: the list is complete, whether or not there are whole files beside it.
        let index = path.join("mutants.json");
        if index.is_file() { super::patch::read(&index, root, files, scratch)? } else { from_folder(path)? }
    } else if path.extension() == Some(OsStr::new("json")) {
        super::patch::read(path, root, files, scratch)?
    } else {
        from_list(path)?
    };
    if givens.is_empty() {
        let what = if meta.is_dir() { "there is no mutated source file in this folder" } else { "it names no mutant" };
        let fix = "each mutant is a whole source file, named FILE.mut.LINE.COLS.OP.FUNCTION.EXT";
        return Err(Problem::usage("mutants-none", what, fix).at(path).into());
    }
    let finder = Finder::new(root, files);
    let with_original = |given: Given| {
        let original = given.original.clone().or_else(|| finder.original(&given));
        Given { original, ..given }
    };
    Ok(givens.into_iter().map(with_original).collect())
}

fn given(id: &Path, path: PathBuf, filter: Option<char>) -> Given {
    let claim = claim_of(&file_name(id)).map(|(_, claim)| claim).unwrap_or_default();
    let id = id.to_string_lossy().into_owned();
    Given { id, path, original: None, claim, filter, whole: None, is_ours: false, settled: None, suite: None }
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn from_folder(folder: &Path) -> Result<Vec<Given>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(&dir).with_context(|| dir.display().to_string())? {
            let entry = entry?;
            let path = entry.path();
            let kind = entry.file_type()?;
            if kind.is_dir() {
                open.push(path);
            } else if path.is_file() && path.extension().and_then(OsStr::to_str).is_some_and(|e| ENDINGS.contains(&e)) {
                found.push(path);
            }
        }
    }
    found.sort();
    let folder = folder.canonicalize()?;
    found
        .into_iter()
        .map(|path| {
            let path = path.canonicalize()?;
            let id = path.strip_prefix(&folder).unwrap_or(&path).to_path_buf();
            Ok(given(&id, path, None))
        })
        .collect()
}

/// One name per line, with an input filter after a semicolon. Names are relative to the list's folder and stay
/// inside.
fn from_list(list: &Path) -> Result<Vec<Given>> {
    let text = std::fs::read(list).with_context(|| list.display().to_string())?;
    let text = String::from_utf8(text).map_err(|_| {
        Problem::usage("mutants-list", "the list is not text", "give one name a line, `name` or `name;F`").at(list)
    })?;
    let folder = list.parent().unwrap_or(Path::new(".")).canonicalize()?;
    let mut found: Vec<Given> = Vec::new();
    let mut seen = HashSet::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_end_matches('\r');
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let problem = |what: String, fix: &str| {
            anyhow::Error::new(Problem::usage("mutants-list", what, fix).at(list).line(index as u32 + 1))
        };
        let mut parts = line.split(';');
        let name = parts.next().unwrap_or_default().trim();
        let filter = match parts.next().map(str::trim) {
            None | Some("") => None,
            Some(filter @ ("A" | "N" | "Z" | "P")) => filter.chars().next(),
            Some(other) => {
                let what = format!("`{other}` is not an input filter");
                return Err(problem(what, "A is all, N negative, Z zero, P positive"));
            }
        };
        let id = Path::new(name);
        if id.is_absolute() || id.components().any(|part| part == Component::ParentDir) {
            return Err(problem(format!("`{name}` leaves the list's folder"), "name files below the list's folder"));
        }
        let path = folder.join(id);
        let Ok(path) = path.canonicalize() else {
            return Err(problem(format!("there is no file `{name}`"), "names are relative to the list's folder"));
        };
        if !path.is_file() {
            return Err(problem(format!("`{name}` is no file"), "name one mutated source file a line"));
        }
        if seen.insert(path.clone()) {
            found.push(given(id, path, filter));
        }
    }
    Ok(found)
}

/// Splits `STEM.mut.LINE.COLS.OP.FUNCTION.EXT` into the original's stem and the claims of the name.
fn claim_of(name: &str) -> Option<(String, Claim)> {
    let at = name.find(".mut.")?;
    let (stem, rest) = (&name[..at], &name[at + ".mut.".len()..]);
    let rest = rest.rsplit_once('.').map_or(rest, |(rest, _ending)| rest);
    let mut parts = rest.splitn(4, '.');
    let line = parts.next().and_then(|line| line.parse().ok());
    let _columns = parts.next();
    let text = |part: Option<&str>| part.filter(|text| !text.is_empty()).map(String::from);
    Some((stem.to_string(), Claim { line, operator: text(parts.next()), function: text(parts.next()) }))
}

/// Finds the original of a mutated file among the project's files.
struct Finder<'p> {
    root: PathBuf,
    files: &'p [PathBuf],
    by_name: HashMap<String, Vec<&'p PathBuf>>,
}

impl<'p> Finder<'p> {
    fn new(root: &Path, files: &'p [PathBuf]) -> Self {
        let mut by_name: HashMap<String, Vec<&PathBuf>> = HashMap::new();
        for file in files {
            by_name.entry(file_name(file)).or_default().push(file);
        }
        Self { root: root.canonicalize().unwrap_or_else(|_| root.to_path_buf()), files, by_name }
    }

    /// By folder and name; if that is not enough, by the name alone; among several, the most similar one.
    fn original(&self, given: &Given) -> Option<PathBuf> {
        let id = Path::new(&given.id);
        let folder = id.parent().unwrap_or(Path::new(""));
        let name = file_name(id);
        let ending = id.extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default();
        let names: Vec<String> = match claim_of(&name) {
            Some((stem, _)) => vec![format!("{stem}.{ending}"), stem],
            None => vec![name],
        };
        // `src/a.mut….cpp`, and `src/a/a.mut….cpp` as in the papers' tool.
        let folders = [Some(folder), folder.parent()];
        for name in &names {
            for folder in folders.into_iter().flatten() {
                let wanted = self.root.join(folder).join(name);
                if let Some(file) = self.files.iter().find(|file| **file == wanted) {
                    return Some(file.clone());
                }
            }
        }
        let candidates: Vec<&PathBuf> =
            names.iter().filter_map(|name| self.by_name.get(name)).flatten().copied().collect();
        match candidates[..] {
            [] => self.most_alike(self.files.iter().collect(), &given.path, 0.9),
            [one] => Some(one.clone()),
            _ => {
                let same_folder = candidates.iter().find(|file| file.parent().is_some_and(|dir| dir.ends_with(folder)));
                match same_folder.filter(|_| !folder.as_os_str().is_empty()) {
                    Some(file) => Some((*file).clone()),
                    None => self.most_alike(candidates, &given.path, 0.0),
                }
            }
        }
    }

    /// The file that shares most of its lines with `path`, if more than the share `least`.
    fn most_alike(&self, candidates: Vec<&PathBuf>, path: &Path, least: f64) -> Option<PathBuf> {
        let lines_of = |path: &Path| -> Option<HashSet<Vec<u8>>> {
            let bytes = std::fs::read(path).ok()?;
            Some(bytes.split(|&b| b == b'\n').map(|line| line.trim_ascii().to_vec()).filter(|l| l.len() > 1).collect())
        };
        let mutant = lines_of(path)?;
        let size = std::fs::metadata(path).ok()?.len() as f64;
        candidates
            .into_iter()
            .filter(|file| {
                let other = std::fs::metadata(file).map_or(0, |meta| meta.len()) as f64;
                least == 0.0 || (other - size).abs() <= 0.1 * size.max(other) + 64.0
            })
            .filter_map(|file| {
                let lines = lines_of(file)?;
                let all = lines.union(&mutant).count().max(1);
                Some((lines.intersection(&mutant).count() as f64 / all as f64, file))
            })
            .filter(|(share, _)| *share > least)
            .max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(a.1)))
            .map(|(_, file)| file.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Project {
        dir: tempfile::TempDir,
        files: Vec<PathBuf>,
    }

    fn project(files: &[(&str, &str)], mutants: &[(&str, &str)]) -> Project {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let mut written = Vec::new();
        let all =
            files.iter().map(|f| (root.join(f.0), f.1)).chain(mutants.iter().map(|m| (root.join("m").join(m.0), m.1)));
        for (path, text) in all {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            written.push(path);
        }
        written.truncate(files.len());
        Project { dir, files: written }
    }

    impl Project {
        fn read(&self, path: &str) -> Result<Vec<Given>> {
            let root = self.dir.path();
            read(&root.join(path), root, &self.files, &root.join("scratch"))
        }

        fn original(&self, given: &Given) -> String {
            let root = self.dir.path().canonicalize().unwrap();
            let original = given.original.as_ref().expect("an original");
            original.strip_prefix(root).unwrap().display().to_string()
        }
    }

    fn problem(result: Result<Vec<Given>>) -> Problem {
        result.unwrap_err().downcast::<Problem>().unwrap()
    }

    #[test]
    fn a_flat_and_a_nested_name_find_their_original() {
        let project = project(
            &[("src/chargeable.cpp", "a"), ("src/other.cpp", "b"), ("lib/chargeable.cpp", "c")],
            &[
                ("other.mut.3.1_1_1.ROR.f.cpp", "x"),
                ("src/chargeable/chargeable.mut.41.1_1_1.ROR.isAutonomous.cpp", "x"),
                ("lib/chargeable.mut.1.2.AOR.f.cpp", "x"),
            ],
        );
        let mutants = project.read("m").unwrap();
        let originals: Vec<String> = mutants.iter().map(|given| project.original(given)).collect();
        assert_eq!(originals, ["lib/chargeable.cpp", "src/other.cpp", "src/chargeable.cpp"]);
        assert_eq!(mutants[2].id, "src/chargeable/chargeable.mut.41.1_1_1.ROR.isAutonomous.cpp");
        let claim = &mutants[2].claim;
        assert_eq!(
            (claim.line, claim.operator.as_deref(), claim.function.as_deref()),
            (Some(41), Some("ROR"), Some("isAutonomous"))
        );
    }

    #[test]
    fn a_functions_name_may_hold_dots_and_operators() {
        let (stem, claim) = claim_of("a.b.mut.7.1_2.UOI.operator...x.cpp").unwrap();
        assert_eq!((stem.as_str(), claim.function.as_deref()), ("a.b", Some("operator...x")));
        assert_eq!(claim_of("plain.cpp"), None);
        let (_, claim) = claim_of("a.mut.cpp.c").unwrap();
        assert_eq!(claim, Claim::default());
    }

    #[test]
    fn of_several_files_of_that_name_the_most_alike_is_the_original() {
        let project = project(
            &[("a/util.c", "int one;\nint two;\n"), ("b/util.c", "int three;\nint four;\n")],
            &[("util.mut.1.1.X.f.c", "int three;\nint five;\n")],
        );
        assert_eq!(project.original(&project.read("m").unwrap()[0]), "b/util.c");
    }

    #[test]
    fn a_name_that_says_nothing_is_found_by_its_contents_or_not_at_all() {
        let text: String = (0..40).map(|i| format!("int line{i};\n")).collect();
        let changed = text.replace("line7;", "line7 = 1;");
        let project = project(&[("a/util.c", &text)], &[("mutant-1.c", &changed), ("alien.c", "int main() {}\n")]);
        let mutants = project.read("m").unwrap();
        assert_eq!(mutants[0].original, None);
        assert_eq!(project.original(&mutants[1]), "a/util.c");
        assert_eq!(mutants[1].claim, Claim::default());
    }

    #[test]
    fn a_list_gives_filters_and_refuses_what_it_does_not_know() {
        let project = project(&[("a.c", "x")], &[("a.mut.1.1.X.f.c", "y"), ("a.mut.2.1.X.f.c", "y")]);
        let list = |text: &str| {
            std::fs::write(project.dir.path().join("m/list.txt"), text).unwrap();
            project.read("m/list.txt")
        };
        let mutants = list("a.mut.1.1.X.f.c;N\n\na.mut.2.1.X.f.c\na.mut.1.1.X.f.c\n").unwrap();
        assert_eq!(mutants.iter().map(|m| m.filter).collect::<Vec<_>>(), [Some('N'), None]);
        let bad = problem(list("a.mut.1.1.X.f.c\na.mut.2.1.X.f.c;Q\n"));
        assert_eq!((bad.code, bad.line), ("mutants-list", Some(2)));
        assert!(problem(list("../a.c\n")).what.contains("leaves"));
        assert!(problem(list("gone.c\n")).what.contains("no file"));
        assert_eq!(problem(list("\n")).code, "mutants-none");
    }

    #[test]
    fn an_empty_folder_says_why_there_is_nothing() {
        let project = project(&[("a.c", "x")], &[("README.txt", "y")]);
        assert_eq!(problem(project.read("m")).code, "mutants-none");
        assert_eq!(problem(project.read("nowhere")).code, "mutants-missing");
    }

    #[test]
    fn hostile_names_are_only_names() {
        let name = "a.mut.1.1.X.$(rm -rf x); \n.c";
        let project = project(&[("a.c", "x")], &[(name, "y")]);
        let mutants = project.read("m").unwrap();
        assert_eq!(mutants[0].id, name);
        assert_eq!(project.original(&mutants[0]), "a.c");
    }
}
