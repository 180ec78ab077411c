//! The place of new tests in the project's own CMake files: the glob that takes them already, the list in which their
//! neighbours stand, or a call as their neighbours have one.

use std::ops::Range;
use std::path::{Path, PathBuf};

/// What has to be done for a new file to be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A glob takes it: the file and the line of the glob.
    Glob(PathBuf, usize),
    /// A CMake file with the new text; the test joins a program, or else is one.
    Edited {
        /// The CMake file, absolute.
        file: PathBuf,
        /// Its text with the test.
        text: String,
        /// The test stands in a program with others.
        joins: bool,
    },
}

/// A new file that is to be built.
pub struct New<'n> {
    /// The project's root.
    pub root: &'n Path,
    /// The file, absolute.
    pub file: &'n Path,
    /// The tests that are there.
    pub neighbours: &'n [PathBuf],
    /// Those beside which it belongs, if there is a choice.
    pub preferred: &'n [PathBuf],
    /// It is a program, not a part of one.
    pub brings_main: bool,
    /// A test in it may run for ever where the code is wrong.
    pub may_hang: bool,
}

/// A place, and the neighbours that are built as the new file will be there.
pub type Found = (Place, Vec<PathBuf>);

/// A neighbour in a command: the argument, how that names it, and the neighbour.
type Known<'n> = (usize, Spelling, &'n Path);

/// The seconds that a test which may run for ever gets.
const LIMIT: u32 = 20;

/// A command of a CMake file.
#[derive(Clone, Debug)]
struct Command {
    name: String,
    /// From its name to the parenthesis that closes it.
    whole: Range<usize>,
    args: Vec<Argument>,
}

#[derive(Clone, Debug)]
struct Argument {
    /// Without quotes.
    text: String,
    /// With quotes.
    at: Range<usize>,
}

/// Commands that make a program of the sources that they list.
const PROGRAMS: [&str; 2] = ["add_executable", "target_sources"];
/// Commands of CMake's own that list files for others.
const LISTS: [&str; 3] = ["set", "list", "foreach"];

/// Commands of CMake's own that name targets or files without listing what is built.
const OTHERS: &str = "add_test add_dependencies add_custom_command add_custom_target configure_file file install \
                      message get_target_property gtest_discover_tests catch_discover_tests doctest_discover_tests \
                      set_property set_source_files_properties set_target_properties set_tests_properties \
                      target_compile_definitions target_compile_features target_compile_options \
                      target_include_directories target_link_libraries target_link_options";

/// Finds the place of a new file: beside the neighbours that are preferred, else beside any. `read` gives CMake files
/// as they will be. Without a place, the CMake file that is nearest is given.
pub fn place(new: &New<'_>, read: &dyn Fn(&Path) -> Option<String>) -> Result<Found, Option<PathBuf>> {
    let mut nearest = None;
    for beside in [new.preferred, new.neighbours].into_iter().filter(|beside| !beside.is_empty()) {
        for folder in new.file.ancestors().skip(1).take_while(|folder| folder.starts_with(new.root)) {
            let file = folder.join("CMakeLists.txt");
            let Some(text) = read(&file) else { continue };
            let commands = commands(&text);
            if let Some((line, like)) = glob(&text, &commands, folder, new) {
                return Ok((Place::Glob(file, line), like));
            }
            if let Some((text, joins, like)) = listed(&text, &commands, folder, new, beside) {
                return Ok((Place::Edited { file, text, joins }, like.iter().map(|path| path.to_path_buf()).collect()));
            }
            nearest = nearest.or(Some(file));
        }
    }
    Err(nearest)
}

/// `text` of a CMake file in `folder` without the file, where it is listed on its own.
pub fn without(text: &str, folder: &Path, gone: &Path) -> Option<String> {
    let commands = commands(text);
    let names = |argument: &&Argument| spelling(argument, folder, gone).is_some();
    let (command, argument) = commands.iter().find_map(|command| Some((command, command.args.iter().find(names)?)))?;
    let only = command.args.len() == 1;
    let range = if only { command.whole.clone() } else { argument.at.clone() };
    // With the blanks before it.
    let start = text[..range.start].trim_end_matches([' ', '\t']).len();
    let start = if text[..start].ends_with('\n') && !only { start - 1 } else { start };
    let end = if only && text[range.end..].starts_with('\n') { range.end + 1 } else { range.end };
    Some(format!("{}{}", &text[..start], &text[end..]))
}

/// The line of a glob that takes the new file as it takes neighbours, and those.
fn glob(text: &str, commands: &[Command], folder: &Path, new: &New<'_>) -> Option<(usize, Vec<PathBuf>)> {
    let takes = |pattern: &str, recurses: bool, path: &Path| {
        let pattern =
            pattern.trim_start_matches("${CMAKE_CURRENT_SOURCE_DIR}/").trim_start_matches("${CMAKE_CURRENT_LIST_DIR}/");
        let Ok(relative) = path.strip_prefix(folder) else { return false };
        let relative = relative.to_string_lossy();
        let (in_pattern, in_path) = (pattern.matches('/').count(), relative.matches('/').count());
        if recurses {
            let (above, name) = pattern.rsplit_once('/').unwrap_or(("", pattern));
            let own = relative.rsplit('/').next().unwrap_or_default();
            return relative.starts_with(above) && matches(name, own);
        }
        in_pattern == in_path && matches(pattern, &relative)
    };
    for command in commands.iter().filter(|command| command.name == "file") {
        let Some(kind) = command.args.first().map(|argument| argument.text.as_str()) else { continue };
        let recurses = kind == "GLOB_RECURSE";
        if !recurses && kind != "GLOB" {
            continue;
        }
        // A variable stands for the words that are put into it.
        let patterns = command.args.iter().skip(2).flat_map(|argument| {
            let variable = argument.text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
            variable.map_or_else(|| vec![argument.text.as_str()], |name| words_of(commands, name))
        });
        for pattern in patterns.filter(|pattern| takes(pattern, recurses, new.file)) {
            let like = new.neighbours.iter().filter(|path| takes(pattern, recurses, path));
            let like: Vec<PathBuf> = like.cloned().collect();
            if !like.is_empty() {
                return Some((text[..command.whole.start].matches('\n').count() + 1, like));
            }
        }
    }
    None
}

/// What is put into a variable anywhere in a CMake file.
fn words_of<'c>(commands: &'c [Command], variable: &str) -> Vec<&'c str> {
    let puts = |command: &&Command| {
        let named = command.args.get(usize::from(command.name == "list"));
        LISTS.contains(&command.name.as_str()) && named.is_some_and(|name| name.text == variable)
    };
    commands.iter().filter(puts).flat_map(|command| &command.args).map(|argument| argument.text.as_str()).collect()
}

/// The text with the new file behind its neighbours, whether they are in one program, and the neighbours. One of them
/// is one of those that it is to stand `beside`.
fn listed<'n>(
    text: &str,
    commands: &[Command],
    folder: &Path,
    new: &New<'n>,
    beside: &[PathBuf],
) -> Option<(String, bool, Vec<&'n Path>)> {
    let found = |command: &Command| -> Vec<Known<'n>> {
        if OTHERS.split_whitespace().any(|name| name == command.name) {
            return Vec::new();
        }
        // (A target is no file of its name.)
        let args = command.args.iter().enumerate().skip(usize::from(PROGRAMS.contains(&command.name.as_str())));
        args.filter_map(|(at, argument)| {
            new.neighbours.iter().find_map(|path| Some((at, spelling(argument, folder, path)?, path.as_path())))
        })
        .collect()
    };
    let known: Vec<(&Command, Vec<Known<'n>>)> =
        commands.iter().map(|command| (command, found(command))).filter(|(_, found)| !found.is_empty()).collect();
    let is_beside = |(_, found): &&(&Command, Vec<Known<'n>>)| {
        found.iter().any(|(_, _, path)| beside.iter().any(|beside| beside == path))
    };
    let like = |found: &[Known<'n>]| found.iter().map(|(_, _, path)| *path).collect();
    // Under as few conditions as any of them.
    let depth = |command: &Command| {
        let before = commands.iter().take_while(|other| other.whole.start < command.whole.start);
        before.fold(0, |depth, other| match other.name.as_str() {
            "if" => depth + 1,
            "endif" => depth - 1,
            _ => depth,
        })
    };
    // A list of several, or the sources of a program that tests join.
    let is_list = |(command, found): &&(&Command, Vec<Known<'n>>)| {
        let is_program = PROGRAMS.contains(&command.name.as_str());
        let is_plain_list = LISTS.contains(&command.name.as_str());
        match new.brings_main {
            true => is_plain_list || !is_program && found.len() > 1,
            false => is_program || is_plain_list || found.len() > 1,
        }
    };
    if let Some((command, found)) =
        known.iter().filter(is_beside).filter(is_list).max_by_key(|(command, found)| (found.len(), -depth(command)))
    {
        let (at, how, _) = found.last()?;
        let argument = &command.args[*at];
        let begin = &text[..argument.at.start];
        // On a line of its own, or behind the one before.
        let blanks = &begin[begin.trim_end_matches([' ', '\t']).len()..];
        let own_line = begin.trim_end_matches([' ', '\t']).ends_with('\n');
        let before = if own_line { format!("\n{blanks}") } else { " ".to_owned() };
        let word = how.of(folder, new.file)?;
        let (head, tail) = text.split_at(argument.at.end);
        return Some((format!("{head}{before}{word}{tail}"), !new.brings_main, like(found)));
    }
    // A call for each: of a function of the project's, which makes the program.
    let calls = known.iter().filter(is_beside).filter(|(command, _)| {
        !PROGRAMS.contains(&command.name.as_str())
            && known.iter().filter(|(other, _)| other.name == command.name).count() > 1
    });
    let Some((command, found)) = calls.rev().min_by_key(|(command, _)| depth(command)) else {
        let is_one =
            |(command, found): &&(&Command, Vec<Known<'n>>)| command.name == "add_executable" && found.len() == 1;
        let (command, found) = known.iter().filter(is_beside).rfind(is_one)?;
        let text = like_a_neighbour(text, commands, command, &found[0], folder, new)?;
        return Some((text, false, like(found)));
    };
    // The one that is preferred, where a call names several.
    let (at, how, _) = found.iter().find(|(_, _, path)| beside.iter().any(|beside| beside == path))?;
    let argument = &command.args[*at];
    let begin = text[..command.whole.start].rfind('\n').map_or(0, |at| at + 1);
    let indent = &text[begin..command.whole.start];
    let word = how.of(folder, new.file)?;
    let call =
        format!("{}{word}{}", &text[command.whole.start..argument.at.start], &text[argument.at.end..command.whole.end]);
    let (head, tail) = text.split_at(command.whole.end);
    Some((format!("{head}\n{indent}{call}{tail}"), false, like(found)))
}

/// The text with a program for the new file: what is said of a neighbour's program is said of it, too.
fn like_a_neighbour(
    text: &str,
    commands: &[Command],
    neighbour: &Command,
    (at, how, _): &Known<'_>,
    folder: &Path,
    new: &New<'_>,
) -> Option<String> {
    let target = &neighbour.args.first()?.text;
    let own = new.file.file_stem()?.to_string_lossy().into_owned();
    let file = &text[neighbour.args[*at].at.clone()];
    let word = how.of(folder, new.file)?;
    let of_it: Vec<&Command> =
        commands.iter().filter(|command| command.args.iter().any(|argument| argument.text == *target)).collect();
    let end = of_it.last()?.whole.end;
    let (mut added, mut tests, mut limited) = (String::new(), false, false);
    for command in of_it {
        let name = &command.args.first()?.text;
        // (The name of a test is its own, whatever that of the program.)
        let named = (command.name == "add_test").then(|| usize::from(name.eq_ignore_ascii_case("NAME")));
        tests |= named.is_some();
        limited |= command.args.iter().any(|argument| argument.text == "TIMEOUT");
        let mut call = text[command.whole.start..command.args.first()?.at.start].to_owned();
        let mut done = command.args.first()?.at.start;
        for (at, argument) in command.args.iter().enumerate() {
            call.push_str(&text[done..argument.at.start]);
            let said = &text[argument.at.clone()];
            call.push_str(match argument.text == *target {
                true => &own,
                false if named == Some(at) => &own,
                false if said == file => &word,
                false => said,
            });
            done = argument.at.end;
        }
        call.push_str(&text[done..command.whole.end]);
        added = format!("{added}\n{call}");
    }
    if new.may_hang && tests && !limited {
        added.push_str(&format!("\nset_tests_properties({own} PROPERTIES TIMEOUT {LIMIT})"));
    }
    let (head, tail) = text.split_at(end);
    Some(format!("{head}\n{added}{tail}"))
}

/// How a CMake file names a source.
#[derive(Clone, Debug)]
struct Spelling {
    quoted: bool,
    /// What stands before the path from the file's folder.
    prefix: String,
    /// With its extension.
    whole: bool,
    /// From the folder, not its name alone.
    by_path: bool,
}

impl Spelling {
    fn of(&self, folder: &Path, file: &Path) -> Option<String> {
        let path = if self.by_path { file.strip_prefix(folder).ok()? } else { Path::new(file.file_name()?) };
        let path = if self.whole { path.to_path_buf() } else { path.with_extension("") };
        let quote = if self.quoted { "\"" } else { "" };
        Some(format!("{quote}{}{}{quote}", self.prefix, path.display()))
    }
}

fn spelling(argument: &Argument, folder: &Path, file: &Path) -> Option<Spelling> {
    let quoted = argument.at.len() > argument.text.len();
    let (prefix, rest) = match argument.text.find("}/") {
        Some(at) if argument.text.starts_with("${") => argument.text.split_at(at + 2),
        _ => ("", argument.text.as_str()),
    };
    let relative = file.strip_prefix(folder).ok()?;
    for by_path in [true, false] {
        let path = if by_path { relative } else { Path::new(file.file_name()?) };
        for whole in [true, false] {
            let name = if whole { path.to_path_buf() } else { path.with_extension("") };
            if name.as_os_str() == rest {
                return Some(Spelling { quoted, prefix: prefix.to_owned(), whole, by_path });
            }
        }
    }
    None
}

/// Whether a name matches a pattern with `*`.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, rest)) => {
            let Some(tail) = name.strip_prefix(before) else { return false };
            (0..=tail.len()).filter(|at| tail.is_char_boundary(*at)).any(|at| matches(rest, &tail[at..]))
        }
    }
}

/// The commands of a CMake file, in order.
fn commands(text: &str) -> Vec<Command> {
    let bytes = text.as_bytes();
    let mut found: Vec<Command> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'#' => at = comment_end(text, at),
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                let start = at;
                while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                    at += 1;
                }
                let name = text[start..at].to_ascii_lowercase();
                while at < bytes.len() && matches!(bytes[at], b' ' | b'\t') {
                    at += 1;
                }
                if bytes.get(at) == Some(&b'(') {
                    let (args, end) = arguments(text, at + 1);
                    found.push(Command { name, whole: start..end, args });
                    at = end;
                }
            }
            _ => at += 1,
        }
    }
    found
}

fn comment_end(text: &str, at: usize) -> usize {
    if text[at..].starts_with("#[[") {
        return text[at..].find("]]").map_or(text.len(), |end| at + end + 2);
    }
    text[at..].find('\n').map_or(text.len(), |end| at + end)
}

/// The arguments from `at`, and where the parenthesis behind them ends.
fn arguments(text: &str, mut at: usize) -> (Vec<Argument>, usize) {
    let bytes = text.as_bytes();
    let (mut args, mut depth) = (Vec::new(), 0);
    while at < bytes.len() {
        match bytes[at] {
            b'#' => at = comment_end(text, at),
            b'(' => (depth, at) = (depth + 1, at + 1),
            b')' if depth == 0 => return (args, at + 1),
            b')' => (depth, at) = (depth - 1, at + 1),
            b'"' => {
                let start = at;
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
                let inner = text.get(start + 1..at - 1).unwrap_or_default();
                args.push(Argument { text: inner.to_owned(), at: start..at });
            }
            byte if byte.is_ascii_whitespace() => at += 1,
            _ => {
                let start = at;
                while at < bytes.len()
                    && !bytes[at].is_ascii_whitespace()
                    && !matches!(bytes[at], b'(' | b')' | b'"' | b'#')
                {
                    at += 1;
                }
                args.push(Argument { text: text[start..at].to_owned(), at: start..at });
            }
        }
    }
    (args, bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(
        text: &str,
        neighbours: &[&str],
        preferred: &[&str],
        new: &str,
        brings_main: bool,
    ) -> Result<Found, Option<PathBuf>> {
        let root = Path::new("/p");
        let [neighbours, preferred] = [neighbours, preferred]
            .map(|names| names.iter().map(|name| root.join("test").join(name)).collect::<Vec<_>>());
        let read = |file: &Path| (file == root.join("test/CMakeLists.txt")).then(|| text.to_owned());
        let file = &root.join("test").join(new);
        let may_hang = new.starts_with("hang");
        place(&New { root, file, neighbours: &neighbours, preferred: &preferred, brings_main, may_hang }, &read)
    }

    fn placed(text: &str, neighbours: &[&str], new: &str, brings_main: bool) -> Result<Place, Option<PathBuf>> {
        found(text, neighbours, &[], new, brings_main).map(|(place, _)| place)
    }

    fn edited(text: &str, neighbours: &[&str], new: &str, brings_main: bool) -> (String, bool) {
        match placed(text, neighbours, new, brings_main) {
            Ok(Place::Edited { text, joins, .. }) => (text, joins),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_glob_that_takes_the_neighbours_takes_the_new_test() {
        let text = "# tests\nfile(GLOB files CONFIGURE_DEPENDS \"${CMAKE_CURRENT_SOURCE_DIR}/*_test.c\")\n";
        let of = |new| placed(text, &["a_test.c"], new, true);
        assert_eq!(of("b_test.c"), Ok(Place::Glob("/p/test/CMakeLists.txt".into(), 2)));
        assert_eq!(of("b.c"), Err(Some("/p/test/CMakeLists.txt".into())));
        let text = "set(p \"*.c\" sub/*.c)\nlist(APPEND q *.cpp)\nfile(GLOB files ${p})\nfile(GLOB more ${q})\n";
        assert_eq!(placed(text, &["a.c"], "b.c", true), Ok(Place::Glob("/p/test/CMakeLists.txt".into(), 3)));
        assert_eq!(placed(text, &["a.cpp"], "b.cpp", true), Ok(Place::Glob("/p/test/CMakeLists.txt".into(), 4)));
        let text = "file(GLOB_RECURSE files src/unit-*.cpp)\n";
        assert!(matches!(placed(text, &["src/unit-a.cpp"], "src/deep/unit-b.cpp", false), Ok(Place::Glob(..))));
    }

    #[test]
    fn the_new_test_stands_behind_its_neighbours_as_they_are_written() {
        let text = "add_executable(all_tests\n    main.cpp  # it\n    \"a_test.cpp\"\n    \"b_test.cpp\"\n)\n";
        let (new, joins) = edited(text, &["a_test.cpp", "b_test.cpp"], "c_test.cpp", false);
        assert_eq!(new, text.replace("\"b_test.cpp\"\n", "\"b_test.cpp\"\n    \"c_test.cpp\"\n"));
        assert!(joins);
        let text = "set(NAMES HelpersTest AppTest)\nforeach(N IN LISTS NAMES)\n";
        let (new, _) = edited(text, &["HelpersTest.cpp", "AppTest.cpp"], "CTest.cpp", false);
        assert_eq!(new, "set(NAMES HelpersTest AppTest CTest)\nforeach(N IN LISTS NAMES)\n");
        let text = "add_executable(r r_main.cpp ${R})\nif(P)\n  add_executable(w w_main.cpp ${W})\nendif()\n";
        let (new, _) = edited(text, &["r_main.cpp", "w_main.cpp"], "c_test.cpp", false);
        assert!(new.starts_with("add_executable(r r_main.cpp c_test.cpp ${R})"), "{new}");
        let text = "target_sources(t PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/a_test.cpp)\n";
        let (new, _) = edited(text, &["a_test.cpp"], "b_test.cpp", false);
        assert!(new.contains("/a_test.cpp ${CMAKE_CURRENT_SOURCE_DIR}/b_test.cpp)"), "{new}");
    }

    #[test]
    fn a_function_that_is_called_for_each_test_is_called_for_the_new_one() {
        let text = "if(ON)\n  add_my_test(a-test)\n  add_my_test(b-test EXTRA)\n  if(WIN32)\n    \
                    add_my_test(a-test W)\n  endif()\nendif()\n";
        let (new, joins) = edited(text, &["a-test.cc", "b-test.cc"], "c-test.cc", false);
        assert_eq!(new, text.replace("EXTRA)\n", "EXTRA)\n  add_my_test(c-test EXTRA)\n"));
        assert!(!joins);
    }

    #[test]
    fn a_test_that_is_a_program_does_not_join_another() {
        let text = "add_executable(b_test b_test.c)\ntarget_link_libraries(b_test lib)\nadd_test(b b_test)\n";
        let (new, joins) = edited(text, &["b_test.c"], "c_test.c", true);
        let own = "add_executable(c_test c_test.c)\ntarget_link_libraries(c_test lib)\nadd_test(c_test c_test)\n";
        assert_eq!((new, joins), (format!("{text}\n{own}"), false));
        let text = "set(unity_tests\n    parse\n    print\n)\n";
        let (new, joins) = edited(text, &["parse.c", "print.c"], "scan.c", true);
        assert_eq!((new.as_str(), joins), ("set(unity_tests\n    parse\n    print\n    scan\n)\n", false));
    }

    #[test]
    fn the_new_test_stands_beside_those_that_are_preferred_and_they_are_named() {
        let of = |text: &str, neighbours: &[&str], preferred: &[&str], new: &str, brings_main: bool| {
            let (place, like) = found(text, neighbours, preferred, new, brings_main).unwrap();
            let Place::Edited { text, .. } = place else { panic!("{place:?}") };
            (text, like.iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect::<Vec<_>>())
        };
        // Programs of their own.
        let text = "add_executable(a a.c)\ntarget_link_libraries(a la)\nadd_test(NAME first COMMAND a)\n\
                    add_executable(b b.c)\ntarget_link_libraries(b lb)\nadd_test(NAME second COMMAND b)\n";
        let (new, like) = of(text, &["a.c", "b.c"], &["a.c"], "hang.c", true);
        let own = "add_executable(hang hang.c)\ntarget_link_libraries(hang la)\nadd_test(NAME hang COMMAND hang)\n\
                   set_tests_properties(hang PROPERTIES TIMEOUT 20)\n";
        assert!(new.contains(own) && like == ["a.c"], "{new}{like:?}");
        let (new, like) = of(text, &["a.c", "b.c"], &[], "c.c", true);
        assert!(new.contains("target_link_libraries(c lb)") && !new.contains("TIMEOUT") && like == ["b.c"], "{new}");
        // Lists: the longest, if none is preferred.
        let text = "add_executable(a a.c)\nadd_executable(b b.c d.c)\n";
        let (new, like) = of(text, &["a.c", "b.c", "d.c"], &["a.c"], "c.c", false);
        assert!(new.starts_with("add_executable(a a.c c.c)") && like == ["a.c"], "{new}{like:?}");
        let (new, like) = of(text, &["a.c", "b.c", "d.c"], &[], "c.c", false);
        assert!(new.ends_with("add_executable(b b.c d.c c.c)\n") && like == ["b.c", "d.c"], "{new}{like:?}");
        // Calls of a function of the project's.
        let text = "own_test(a.c la)\nown_test(b.c lb)\n";
        let (new, like) = of(text, &["a.c", "b.c"], &["b.c"], "c.c", true);
        assert!(new.ends_with("own_test(c.c lb)\n") && like == ["b.c"], "{new}{like:?}");
        // What is preferred stands nowhere.
        assert_eq!(of(text, &["a.c", "b.c"], &["e.c"], "c.c", true).1, ["b.c"]);
    }

    #[test]
    fn a_file_that_is_gone_leaves_its_list() {
        let folder = Path::new("/p/test");
        let gone = |text, file: &str| without(text, folder, &folder.join(file));
        assert_eq!(gone("set(x\n  a.c\n  b.c\n)\n", "b.c").as_deref(), Some("set(x\n  a.c\n)\n"));
        assert_eq!(gone("f(a.c)\nf(b.c)\n", "b.c").as_deref(), Some("f(a.c)\n"));
        assert_eq!(gone("f(a.c)\n", "b.c"), None);
    }
}
