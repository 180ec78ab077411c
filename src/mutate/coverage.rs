//! Executed lines from a coverage file: lcov's, or that of `llvm-cov export`.

use crate::diag::Problem;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// The executed code.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Covered(HashMap<PathBuf, Executed>);

/// Whether code is executed from a line and column on.
type Executed = BTreeMap<(u32, u32), bool>;

#[derive(Deserialize)]
struct Export {
    data: Vec<Data>,
}

#[derive(Deserialize)]
struct Data {
    #[serde(default)]
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    filename: PathBuf,
    #[serde(default)]
    segments: Option<Vec<Segment>>,
}

/// Line, column, count, whether there is a count, whether a region starts; newer versions add more.
#[derive(Deserialize)]
struct Segment(u32, u32, f64, bool, #[serde(default)] serde::de::IgnoredAny, #[serde(default)] serde::de::IgnoredAny);

/// How names in a coverage file are resolved.
pub struct Names<'a> {
    /// Folders for relative names.
    pub folders: Vec<&'a Path>,
    /// The project's files.
    pub files: BTreeSet<&'a Path>,
}

impl Names<'_> {
    fn file(&self, name: &Path) -> Option<PathBuf> {
        let known =
            |path: PathBuf| Some(path.canonicalize().unwrap_or(path)).filter(|p| self.files.contains(p.as_path()));
        if name.is_absolute() {
            return known(name.to_path_buf());
        }
        self.folders.iter().find_map(|folder| known(folder.join(name)))
    }
}

impl Covered {
    /// Reads a coverage file and detects its kind.
    ///
    /// # Errors
    ///
    /// It cannot be read, is of neither kind, or is about other sources.
    pub fn read(path: &Path, names: &Names<'_>) -> Result<Self, Problem> {
        let problem = |what: String, fix: &str| Problem::usage("coverage-file", what, fix).at(path);
        let bytes = std::fs::read(path).map_err(|error| {
            problem(format!("the coverage file can't be read: {error}"), "check the path of `--coverage-file`")
        })?;
        let (found, named) = if bytes.trim_ascii_start().starts_with(b"{") {
            export(&bytes, names).map_err(|(what, fix)| problem(what, fix))?
        } else {
            lcov(&String::from_utf8_lossy(&bytes), names).map_err(|(line, what)| {
                let fix = "give what `lcov`/`geninfo`, or `llvm-cov export` (JSON or `-format=lcov`) writes";
                let wrong = problem(what, fix);
                if line > 0 { wrong.line(line) } else { wrong }
            })?
        };
        if !found.is_empty() {
            return Ok(Self(found));
        }
        let first: Vec<String> = named.iter().take(3).map(|name| name.display().to_string()).collect();
        let more = if named.len() > 3 { format!(" and {} more", named.len() - 3) } else { String::new() };
        let what = match first.is_empty() {
            true => "the coverage file names no source at all".to_owned(),
            false => format!("the coverage file is about other sources: it names {}{more}", first.join(", ")),
        };
        let fix = "measure the project that is mutated, where it is now; lcov's `--substitute` and llvm-cov's \
                   `-path-equivalence` fix paths";
        Err(Problem::usage("coverage-foreign", what, fix).at(path))
    }

    /// Whether the code at `line` and `column` of `file` is executed. A place without a count takes that of the nearest
    /// one before it, down to the line `floor`, where its function starts.
    pub fn covers(&self, file: &Path, floor: u32, line: u32, column: u32) -> bool {
        let places = (floor.min(line), 0)..=(line, column);
        self.0.get(file).and_then(|executed| executed.range(places).next_back()).is_some_and(|(_, executed)| *executed)
    }

    /// Whether the coverage file mentions `file`.
    pub fn knows(&self, file: &Path) -> bool {
        self.0.contains_key(file)
    }
}

type Found = (HashMap<PathBuf, Executed>, Vec<PathBuf>);

fn lcov(text: &str, names: &Names<'_>) -> Result<Found, (u32, String)> {
    let mut found: HashMap<PathBuf, Executed> = HashMap::new();
    let mut named = Vec::new();
    let mut current: Option<PathBuf> = None;
    let mut in_record = false;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if let Some(name) = line.strip_prefix("SF:") {
            in_record = true;
            current = names.file(Path::new(name));
            named.push(PathBuf::from(name));
            if let Some(file) = &current {
                found.entry(file.clone()).or_default();
            }
        } else if let Some(data) = line.strip_prefix("DA:") {
            let mut parts = data.split(',');
            let at = parts.next().and_then(|line| line.trim().parse::<u32>().ok());
            // gcov's counts may be negative or huge after data races.
            let count = parts.next().and_then(|count| count.trim().parse::<f64>().ok());
            let (Some(at), Some(count)) = (at, count) else {
                return Err((number, format!("`{line}` is not a line of lcov's: expected `DA:LINE,COUNT`")));
            };
            // Executed in any record.
            if let Some(lines) = current.as_ref().and_then(|file| found.get_mut(file)) {
                *lines.entry((at, 0)).or_default() |= count > 0.0;
            }
        } else if line == "end_of_record" {
            current = None;
        }
    }
    if in_record {
        Ok((found, named))
    } else {
        Err((0, "this is neither an lcov file nor an export of llvm-cov".into()))
    }
}

fn export(bytes: &[u8], names: &Names<'_>) -> Result<Found, (String, &'static str)> {
    let neither = "give what `llvm-cov export` writes without `-summary-only`, or an lcov file";
    let export: Export = serde_json::from_slice(bytes)
        .map_err(|error| (format!("this is neither an lcov file nor an export of llvm-cov: {error}"), neither))?;
    let mut found: HashMap<PathBuf, Executed> = HashMap::new();
    let mut named = Vec::new();
    for file in export.data.into_iter().flat_map(|data| data.files) {
        named.push(file.filename.clone());
        let Some(path) = names.file(&file.filename) else { continue };
        let Some(segments) = file.segments else {
            return Err(("the export has no lines, only a summary".into(), neither));
        };
        let segments = segments.into_iter().map(|s| ((s.0, s.1), s.3 && s.2 > 0.0)).collect();
        let known = found.entry(path).or_default();
        // If two programs contain the file: executed by either.
        *known = if known.is_empty() { segments } else { either(known, &segments) };
    }
    Ok((found, named))
}

fn either(a: &Executed, b: &Executed) -> Executed {
    let at = |executed: &Executed, place| executed.range(..=place).next_back().is_some_and(|(_, executed)| *executed);
    a.keys().chain(b.keys()).map(|place| (*place, at(a, *place) || at(b, *place))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [&str; 2] = ["/project/src/a.c", "/project/b.c"];

    fn read(text: &str) -> Result<Covered, Problem> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("coverage");
        std::fs::write(&path, text).unwrap();
        let files = FILES.iter().map(Path::new).collect();
        Covered::read(&path, &Names { folders: vec![Path::new("/project/build"), Path::new("/project")], files })
    }

    fn covered(covered: &Covered, file: &str, floor: u32) -> Vec<u32> {
        (floor..20).filter(|line| covered.covers(Path::new(file), floor, *line, 5)).collect()
    }

    #[test]
    fn lcov_lines_and_those_that_belong_to_them() {
        let text = "TN:\nSF:src/a.c\nFN:3,f\nDA:3,1\nDA:4,1\nDA:7,0\nDA:9,2\nDA:11,0\nend_of_record\n\
                    SF:/project/b.c\nDA:1,0\nend_of_record\nSF:/other/c.c\nDA:1,1\nend_of_record\n";
        let found = read(text).unwrap();
        assert_eq!(covered(&found, FILES[0], 3), [3, 4, 5, 6, 9, 10]);
        // Line 10 without a count does not take that of the function before it.
        assert_eq!(covered(&found, FILES[0], 10), [0; 0]);
        assert_eq!(covered(&found, FILES[1], 1), [0; 0]);
        assert!(found.knows(Path::new(FILES[1])) && !found.knows(Path::new("/other/c.c")));
        // Executed in either record.
        let twice = read("SF:/project/b.c\nDA:1,0\nend_of_record\nSF:b.c\nDA:1,4\nend_of_record\n").unwrap();
        assert_eq!(covered(&twice, FILES[1], 1).first(), Some(&1));
    }

    #[test]
    fn segments_of_llvm_cov_tell_columns_apart() {
        let file = |segments: &str| {
            format!(
                r#"{{"data":[{{"files":[{{"filename":"/project/b.c","segments":{segments}}}],"functions":[]}}],
                "type":"llvm.coverage.json.export","version":"2.0.1"}}"#
            )
        };
        let one = read(&file(
            "[[2,10,3,true,true,false],[3,7,0,true,true,false],[3,12,3,true,false,false],[6,2,0,false,false,false]]",
        ));
        let found = one.unwrap();
        let at = |line, column| found.covers(Path::new(FILES[1]), 1, line, column);
        assert!(at(2, 10) && at(3, 1) && at(3, 12) && at(5, 80));
        assert!(!at(1, 1) && !at(2, 9) && !at(3, 7) && !at(3, 11) && !at(6, 2) && !at(9, 1));
        // Five entries per segment, as older versions write.
        assert!(read(&file("[[2,10,3,true,true]]")).unwrap().covers(Path::new(FILES[1]), 1, 3, 1));
        assert_eq!(read(&file("null")).unwrap_err().code, "coverage-file");
    }

    #[test]
    fn two_programs_cover_what_either_does() {
        let executed = |lines: &[(u32, bool)]| lines.iter().map(|(line, executed)| ((*line, 1), *executed)).collect();
        let found = either(&executed(&[(1, true), (5, false)]), &executed(&[(3, false), (6, true), (8, false)]));
        assert_eq!(found, executed(&[(1, true), (3, true), (5, false), (6, true), (8, false)]));
    }

    #[test]
    fn a_file_of_other_sources_names_the_first_few_of_them() {
        let text = (1..=5).map(|n| format!("SF:/elsewhere/src/a{n}.c\nDA:1,1\nend_of_record\n")).collect::<String>();
        let problem = read(&text).unwrap_err();
        assert_eq!((problem.code, problem.exit), ("coverage-foreign", crate::diag::Exit::Usage));
        assert!(problem.what.contains("/elsewhere/src/a1.c") && problem.what.ends_with("and 2 more"), "{problem}");
        // A file of the same name elsewhere is another one.
        assert_eq!(read("SF:/elsewhere/b.c\nDA:1,1\n").unwrap_err().code, "coverage-foreign");
    }

    #[test]
    fn what_is_no_coverage_is_said_to_be_none() {
        for text in ["", "hello\n", "{}", "{\"data\": 3}", "<coverage/>"] {
            assert_eq!(read(text).unwrap_err().code, "coverage-file", "{text}");
        }
        let broken = read("SF:b.c\nDA:x,1\n").unwrap_err();
        assert_eq!(broken.line, Some(2));
    }
}
