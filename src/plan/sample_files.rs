//! Files of the project's tests and examples that are no code, those that its code names and what is beside these, and
//! long strings of its tests: what its readers are made for. Their beginnings are seeds for whatever reads text,
//! streams, buffers or files.

use crate::lexicon::{Lexicon, Role};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

/// So many bytes of a file are a seed at most.
const LONGEST: usize = 1024;
/// So many files are looked at.
const LOOKED_AT: usize = 4096;
/// So many files of one kind are kept, the smallest.
const OF_A_KIND: usize = 12;
/// So many strings of one source of the tests are kept, and how long each of them is at least: a document, no word.
const OF_A_SOURCE: usize = 4;
const SHORTEST: usize = 65;
/// So many bytes of code are looked through for these.
const MOST_CODE: usize = 64 << 20;
/// So many of the strings are seeds of one unit that has files as well.
const TEXTS_OF_A_UNIT: usize = 4;
/// So many are seeds of one unit.
const OF_A_UNIT: usize = 16;
/// Larger files are nothing that a reader is shown for one thing.
const LARGEST: u64 = 1 << 20;

/// The endings of code that may name samples, in lower case.
const CODE: [&str; 9] = ["c", "cc", "cpp", "cxx", "c++", "h", "hh", "hpp", "hxx"];

/// A folder with one of these was written by a build or by a run of ours: what is in it differs from run to run.
const WRITTEN: [&str; 4] = ["CMakeCache.txt", "build.ninja", "journal.jsonl", "outcomes.json"];

/// The beginnings of sample files, with their paths in the project.
#[derive(Clone, Debug, Default)]
pub struct SampleFiles {
    files: Vec<(PathBuf, Vec<u8>)>,
    /// Long strings of tests, with the paths of these.
    texts: Vec<(PathBuf, Vec<u8>)>,
}

impl SampleFiles {
    /// Reads those of the project at `root`; the folders of `without` are not looked into. What can't be read is none.
    pub fn read(lexicon: &Lexicon, root: &Path, without: &[&Path]) -> Self {
        let mut kinds: BTreeMap<String, Vec<(u64, PathBuf)>> = BTreeMap::new();
        let (mut elsewhere, mut code) = (Vec::new(), Vec::new());
        // Breadth first: a project's own tests are nearer than those of what it brings along.
        let mut open = VecDeque::from([root.to_path_buf()]);
        let mut left = LOOKED_AT;
        while let Some(folder) = open.pop_front() {
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            let mut entries: Vec<_> = entries.flatten().collect();
            if folder != root && entries.iter().any(|entry| WRITTEN.iter().any(|name| entry.file_name() == *name)) {
                continue;
            }
            entries.sort_by_key(std::fs::DirEntry::file_name);
            entries.truncate(left);
            left -= entries.len();
            for entry in entries {
                let (path, Ok(ty)) = (entry.path(), entry.file_type()) else { continue };
                let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
                if ty.is_dir() && !is_hidden && !without.contains(&path.as_path()) {
                    open.push_back(path);
                } else if ty.is_file() && !is_hidden {
                    let size = entry.metadata().map_or(0, |metadata| metadata.len());
                    if !(1..=LARGEST).contains(&size) || !names_files(&path) && !is_data(lexicon, &path) {
                        continue;
                    }
                    if names_files(&path) {
                        code.push(path);
                    } else if is_among_samples(lexicon, root, &path) {
                        kinds.entry(kind(&path)).or_default().push((size, path));
                    } else {
                        elsewhere.push((size, path));
                    }
                }
            }
        }
        let mut named = BTreeSet::new();
        let mut texts = Vec::new();
        // The tests first, since much is not all read.
        code.sort_by_cached_key(|path| !is_among_samples(lexicon, root, path));
        let mut left = MOST_CODE;
        for path in code {
            let is_test = is_among_samples(lexicon, root, &path);
            if !is_test && elsewhere.is_empty() {
                break;
            }
            let Some(text) = std::fs::read(&path).ok().filter(|text| text.len() <= left) else { continue };
            left -= text.len();
            let mut strings = strings(&text);
            named.extend(strings.iter().filter_map(|string| file_name(string)));
            if is_test {
                strings.retain(|string| (SHORTEST..=LONGEST).contains(&string.len()));
                strings.sort_by_cached_key(|string| (string.len(), string.clone()));
                texts.extend(strings.into_iter().take(OF_A_SOURCE).map(|string| (path.clone(), string)));
            }
        }
        let is_named = |path: &Path| path.file_name().is_some_and(|name| named.contains(&*name.to_string_lossy()));
        let folders = elsewhere.iter().filter(|(_, path)| is_named(path)).filter_map(|(_, path)| path.parent());
        let folders: BTreeSet<PathBuf> = folders.map(Path::to_path_buf).filter(|folder| folder != root).collect();
        let is_beside = |path: &Path| path.parent().is_some_and(|folder| folders.contains(folder));
        for (size, path) in elsewhere.into_iter().filter(|(_, path)| is_named(path) || is_beside(path)) {
            kinds.entry(kind(&path)).or_default().push((size, path));
        }
        let mut found = Self::default();
        for files in kinds.values_mut() {
            files.sort();
            found.files.extend(
                files
                    .iter()
                    .take(OF_A_KIND)
                    .filter_map(|(_, path)| Some((path.strip_prefix(root).ok()?.to_path_buf(), beginning(path)?))),
            );
        }
        let inner = |path: &Path| path.strip_prefix(root).unwrap_or(path).to_path_buf();
        found.texts.extend(texts.into_iter().map(|(path, text)| (inner(&path), text)));
        found
    }

    /// How long the longest is.
    pub fn longest(&self) -> u64 {
        let all = self.files.iter().chain(&self.texts);
        all.map(|(_, text)| text.len() as u64).max().unwrap_or_default()
    }

    /// The seeds of a unit that stands in `source`: those whose names have a word of its path or its name first, then
    /// one of each kind after the other.
    pub fn of_unit(&self, source: &Path, name: &str) -> Vec<Vec<u8>> {
        let words: BTreeSet<String> = words(&source.to_string_lossy()).chain(words(name)).collect();
        let nearness = |path: &Path| words_in_common(&words, &path.to_string_lossy());
        let ranked = |all: &[(PathBuf, Vec<u8>)], most: usize| {
            let mut seen: BTreeMap<String, usize> = BTreeMap::new();
            let place = |(path, text): &(PathBuf, Vec<u8>)| {
                let place = seen.entry(kind(path)).or_default();
                *place += 1;
                (std::cmp::Reverse(nearness(path)), *place, text.clone())
            };
            let mut ranked: Vec<_> = all.iter().map(place).collect();
            ranked.sort();
            ranked.dedup_by(|one, other| one.2 == other.2);
            ranked.into_iter().take(most).map(|(.., text)| text).collect::<Vec<_>>()
        };
        let texts = ranked(&self.texts, TEXTS_OF_A_UNIT.max(OF_A_UNIT.saturating_sub(self.files.len())));
        let mut all = ranked(&self.files, OF_A_UNIT - texts.len());
        all.extend(texts);
        all
    }
}

/// Whether a file is code of C or C++, which may name samples.
fn names_files(path: &Path) -> bool {
    CODE.contains(&kind(path).as_str())
}

/// Whether a file is neither code nor says how to build.
fn is_data(lexicon: &Lexicon, path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    !lexicon.says(&kind(path), Role::CodeFile) && !lexicon.says(&name, Role::BuildFile)
}

/// Whether a file stands among tests or examples.
fn is_among_samples(lexicon: &Lexicon, root: &Path, path: &Path) -> bool {
    let Ok(inner) = path.strip_prefix(root) else { return false };
    let folders = inner.parent().map(|folder| folder.to_string_lossy().into_owned()).unwrap_or_default();
    lexicon.says(&folders, [Role::Test, Role::Example, Role::Samples])
}

/// The strings of code, those that stand side by side as one.
fn strings(code: &[u8]) -> Vec<Vec<u8>> {
    let mut found: Vec<Vec<u8>> = Vec::new();
    let mut is_behind = false;
    for token in crate::lex::tokens(code) {
        let is_string = token.kind == crate::lex::Kind::Str && !token.directive;
        if is_string {
            let bytes = crate::lex::string_bytes(token.text(code));
            match found.last_mut().filter(|_| is_behind) {
                Some(before) => before.extend(bytes),
                None => found.push(bytes),
            }
        }
        is_behind = is_string;
    }
    found
}

/// The name of a file that a string may be: `cube.obj` of `../models/cube.obj`.
fn file_name(string: &[u8]) -> Option<String> {
    let name = std::str::from_utf8(string).ok()?.rsplit('/').next()?;
    name.contains('.').then(|| name.to_owned())
}

/// The ending of its name.
fn kind(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}

fn beginning(path: &Path) -> Option<Vec<u8>> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    std::fs::File::open(path).ok()?.take(LONGEST as u64).read_to_end(&mut bytes).ok()?;
    (!bytes.is_empty()).then_some(bytes)
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.len() > 2).map(str::to_lowercase)
}

/// How many words of `path` are of `wanted`, or begin or end one of them (`wav` in `wavproperties`).
fn words_in_common(wanted: &BTreeSet<String>, path: &str) -> usize {
    let fits =
        |word: &String| wanted.iter().any(|other| other.starts_with(word.as_str()) || other.ends_with(word.as_str()));
    let own: BTreeSet<String> = words(path).collect();
    own.iter().filter(|word| fits(word)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tests_read_is_a_seed_and_code_and_what_says_how_to_build_are_none() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let write = |name: &str, text: &[u8]| {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("tests/data/loud.wav", b"RIFF1");
        write("tests/data/low.wav", b"RIFF");
        write("tests/data/song.mp3", b"ID3");
        write("tests/data/empty.ogg", b"");
        write("tests/wav_test.cpp", b"int main() {}");
        write("tests/CMakeLists.txt", b"add_test(a b)");
        write("src/notes.bin", b"nobody's");
        write("build/tests/left.wav", b"built");
        write("motif.out/journal.jsonl", b"{}");
        write("motif.out/corpus/other.wav", b"found");
        write("corpus/one", &vec![b'x'; 2 * LONGEST]);
        write("shapes/cube.wav", b"cube");
        write(
            "tests/waves.cpp",
            b"const char *wave = \"RIFF \" \"0123456789012345678901234567890123456789\"\n\
              \"0123456789012345678901234567890123456789\";",
        );
        write("shapes/sphere.mtl", b"sphere");
        write("other/sphere.wav", b"ball");
        write("src/show.cpp", b"// sphere.wav\nint main() { return load(\"../shapes/cube.wav\"); }");
        let samples = SampleFiles::read(&Lexicon::default(), root, &[&root.join("build")]);
        let texts = samples.of_unit(Path::new("src/wav/wavreader.cpp"), "Reader::read");
        let (long, wave) = (vec![b'x'; LONGEST], [b"RIFF ".as_slice(), &b"0123456789".repeat(8)].concat());
        let expected = [b"cube".as_slice(), b"RIFF", b"RIFF1", b"ID3", b"sphere", &long, &wave];
        assert_eq!(texts, expected);
    }
}
